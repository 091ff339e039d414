"""AUCs of weighted cases, and what each case adds to their variances.

With weights w of sums W1 (positives) and W0 (negatives), V10_i = sum_j w_j psi(X_i, Y_j) / W0,
V01_j alike, and t = sum_i w_i V10_i / W1; m counts the positives. Linearisation gives

    sampling:   Var = m / (m - 1) sum (w_i (V10_i - t))^2 / W1^2 + the same for negatives
    frequency:  Var = sum w_i (V10_i - t)^2 / (W1 (W1 - 1))      + the same for negatives

Weights become integers of two limbs, high / 2^bits + low / 4^bits, whose sums do not depend on the
order: models that rank positives against negatives alike differ by 0, not by rounding.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...._base.types import Vector
from ...._inference.welch import welch_df
from ...._inputs.cases import Cases
from .clustered import Errors

Limbs = NDArray[np.int64]
LEAST = math.nextafter(1.0, 2.0)


@dataclass(frozen=True, slots=True)
class Weighted:
    """Weights (2, n) in limbs, their shares (n,) of their class, and of a standard error.

    Cases stand in another order here: the negatives, then the positives. `counts` says how many
    cases of each class a variance with these weights tells as much as.
    """

    order: NDArray[np.intp]
    classes: tuple[slice, slice]
    limbs: Limbs
    bits: int
    share: Vector
    scale: Vector
    counts: tuple[float, float]

    def wins(self, scores: Vector, out: Limbs) -> None:
        """Write 2 W1 V01 of the negatives and 2 W0 V10 of the positives, in limbs (2, n)."""
        negatives, positives = self.classes
        scores = scores[self.order]
        rising = np.argsort(scores)
        start, stop = tied_with(scores[rising])
        for limb, row in zip(self.limbs, out, strict=True):
            for own, other in ((positives, negatives), (negatives, positives)):
                weights = np.zeros_like(limb)
                weights[other] = limb[other]
                below = np.append(0, np.cumsum(weights[rising]))
                weights[rising] = below[start] + below[stop]
                row[own] = weights[own]
            row[negatives] = 2 * limb[positives].sum() - row[negatives]

    def evaluate(self, wins: Limbs) -> Errors:
        """Return the AUC, or difference of AUCs, and the errors (n,) whose squares add to Var."""
        errors = np.empty(self.share.size)
        mean = math.nan
        for own, other in (self.classes, self.classes[::-1]):
            v = self.as_floats(wins[:, own]) / self.as_floats(2 * self.limbs[:, other].sum(axis=1))
            mean = v[0] + self.share[own] @ (v - v[0])  # equal components: no error at all
            errors[own] = (v - mean) * self.scale[own]
        return Errors(float(mean), errors)

    def df(self, found: Errors, first: int, second: int) -> float:
        """Return Satterthwaite's degrees of freedom by class."""
        squares = [float(found.errors[own] @ found.errors[own]) for own in self.classes]
        return welch_df(squares, self.counts) if min(self.counts) > 1.0 else math.nan

    def as_floats(self, limbs: Limbs) -> Vector:
        """Return the numbers that the limbs stand for."""
        return np.asarray(limbs[0] * 0.5**self.bits + limbs[1] * 0.25**self.bits)


def tied_with(rising: Vector) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return where the run of values equal to each value starts, and where it stops."""
    edges = np.flatnonzero(np.append(True, rising[1:] != rising[:-1]))
    lengths = np.diff(edges, append=rising.size)
    return np.repeat(edges, lengths), np.repeat(edges + lengths, lengths)


def as_weighted(cases: Cases) -> Weighted:
    """Return the weights of cases, which must be of both classes, ready for any model."""
    order = np.argsort(cases.labels, kind="stable")
    weights = np.asarray(cases.weights)[order]
    n = cases.labels.size - int(np.count_nonzero(cases.labels))
    classes = slice(0, n), slice(n, None)
    unit, share, scale = np.empty((3, weights.size))
    for own in classes:
        unit[own] = np.ldexp(weights[own], -np.frexp(weights[own].max())[1])  # exact, below 1
        share[own] = unit[own] / unit[own].sum()
        scale[own] = SCALES[str(cases.weight_kind)](share[own], weights[own])
    bits = 61 - weights.size.bit_length()  # twice the sum of all stays below 2^62
    scaled = np.ldexp(unit, bits)
    low, high = np.modf(scaled)
    limbs = np.array((high, np.floor(np.ldexp(low, bits)))).astype(np.int64)
    count = COUNTS[str(cases.weight_kind)]
    negatives, positives = (count(share[own], weights[own]) for own in classes)
    return Weighted(order, classes, limbs, bits, share, scale, (negatives, positives))


def sampling_scale(share: Vector, weights: Vector) -> Vector:
    """Return the factors from centred components to errors; NaN for a single case."""
    m = share.size
    return share * (math.sqrt(m / (m - 1)) if m > 1 else math.nan)


def frequency_scale(share: Vector, weights: Vector) -> Vector:
    """Return the factors from centred components to errors; NaN for a case that occurs once."""
    total = float(weights.sum())
    return np.sqrt(share) * (math.sqrt(1.0 / (total - 1.0)) if total > 1.0 else math.nan)


def effective_count(share: Vector, weights: Vector) -> float:
    """Return Kish's effective number of cases, (sum w)^2 / sum w^2; above 1 for several."""
    even = share / share.max()  # equal weights count as the cases they are, to the last bit
    return max(float(even.sum()) ** 2 / float(even @ even), LEAST) if share.size > 1 else 1.0


def full_count(share: Vector, weights: Vector) -> float:
    """Return how many cases the rows stand for."""
    return float(weights.sum())


SCALES = {"sampling": sampling_scale, "frequency": frequency_scale}
COUNTS = {"sampling": effective_count, "frequency": full_count}
