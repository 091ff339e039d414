"""Ratings as in Roe and Metz (1997): t treatments, r readers, m positive and n negative cases.

A rating is the sum of its class' mean and of normal effects: of the reader, of the reader under the
treatment, of the case, of the case under the treatment, of the reader on the case, and an error.
Effects are drawn for each class apart. The variances that involve cases add up to 1, so that a
reader's AUC is around Phi(mu / sqrt(2 (1 + those of readers))).
"""

from typing import NamedTuple

import numpy as np
from scipy.stats import norm


class Structure(NamedTuple):
    """Variances of cases, cases by treatments, readers by cases and errors; of readers by AUC.

    `readers` is the variance of readers, and that of readers by treatments.
    """

    case: float
    treatment_case: float
    reader_case: float
    error: float
    readers: dict[float, float]


LOW = {0.7: 0.0055, 0.85: 0.0055, 0.95: 0.011}
HIGH = {0.7: 0.011, 0.85: 0.030, 0.95: 0.056}
STRUCTURES = {  # correlation of ratings, variance of readers
    "high, low": Structure(0.3, 0.3, 0.2, 0.2, LOW),
    "low, low": Structure(0.1, 0.1, 0.2, 0.6, LOW),
    "high, high": Structure(0.3, 0.3, 0.2, 0.2, HIGH),
    "low, high": Structure(0.1, 0.1, 0.2, 0.6, HIGH),
}
READERS, SIZES, AUCS = (3, 5, 10), ((25, 25), (50, 50), (25, 100)), (0.7, 0.85, 0.95)


class Design(NamedTuple):
    """A study: readers, cases of each class, the AUC, and the structure of its ratings."""

    readers: int
    sizes: tuple[int, int]
    auc: float
    structure: Structure
    treatments: int = 2
    gain: float = 0.0  # of the mean of positives, under the first treatment
    fixed: str = ""  # 'readers' or 'cases' that treatments do not differ for

    @property
    def variances(self) -> tuple[float, ...]:
        """The variances of R, TR, C, TC, RC and E under the null hypothesis of the claim."""
        case, by_treatment, by_reader, error, readers = self.structure
        own = readers[self.auc]
        if self.fixed == "readers":
            return own, 0.0, case, by_treatment, by_reader, error
        if self.fixed == "cases":
            return own, own, case + by_treatment, 0.0, by_reader, error
        return own, own, case, by_treatment, by_reader, error

    def mean(self) -> float:
        """Return the mean of positives at which readers have this AUC on average."""
        return float(norm.ppf(self.auc) * np.sqrt(2.0 * sum(self.variances)))


def truth_of(design: Design):
    """Return the labels of the cases, the positives first."""
    return np.repeat([1, 0], design.sizes)


def ratings(design: Design, rng: np.random.Generator):
    """Return ratings (treatments, readers, cases), the positives first."""
    t, r = design.treatments, design.readers
    scales = np.sqrt(design.variances)
    parts = []
    for n, mean in zip(design.sizes, (design.mean(), 0.0), strict=True):
        shapes = ((1, r, 1), (t, r, 1), (1, 1, n), (t, 1, n), (1, r, n), (t, r, n))
        effects = [s * rng.normal(size=shape) for s, shape in zip(scales, shapes, strict=True)]
        parts.append(mean + sum(effects))
    parts[0][0] += design.gain
    return np.concatenate(parts, axis=2)
