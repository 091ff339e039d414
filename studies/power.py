"""How often DeLong's test finds a difference, beside the power that `auc_power` promises.

    python -m studies.power [--trials 20000] [--jobs 2] [--write]

Two models' scores are normal in each class with equal variances. A pilot is a study of the same
size, planned for the true difference: of its powers the middle nine tenths are shown.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

import fastcompare as fc

from .tables import markdown, percent, run

BLOCK = 1000  # studies at a time
ALPHA = 0.05


class Study(NamedTuple):
    """The AUCs, the correlations in the positives and the negatives, and the cases."""

    auc: tuple[float, float]
    correlation: tuple[float, float]
    n_positive: int
    n_negative: int


PAIRS = (
    ((0.75, 0.65), (0.6, 0.6)),
    ((0.85, 0.75), (0.3, 0.8)),
    ((0.90, 0.85), (0.8, 0.8)),
    ((0.98, 0.90), (0.6, 0.6)),
)
SIZES = ((5, 100), (10, 100), (20, 20), (20, 480), (50, 50), (100, 150))
STUDIES = tuple(Study(*pair, *sizes) for sizes in SIZES for pair in PAIRS)


def scores_of(study, rng, trials):
    """Return labels, and scores (trials, cases) of both models."""
    m, n = study.n_positive, study.n_negative
    labels = np.repeat([1, 0], [m, n])
    shared = np.repeat(study.correlation, [m, n])
    first, other = rng.normal(size=(2, trials, m + n))
    second = shared * first + np.sqrt(1.0 - shared**2) * other
    shift = math.sqrt(2.0) * ndtri(study.auc)
    return labels, first + shift[0] * labels, second + shift[1] * labels


def measure(study, *, trials):
    """Return the shares of studies that find the difference by z and t, and pilots' powers."""
    rng = np.random.default_rng([study.n_positive, study.n_negative, round(1e3 * study.auc[0])])
    found, errors = {"normal": [], "t": []}, []
    for start in range(0, trials, BLOCK):
        cases = scores_of(study, rng, min(BLOCK, trials - start))
        for reference, rejected in found.items():
            tests = fc.delong_batch(*cases, reference=reference, on_undefined="ignore")
            rejected.append(tests.pvalue <= ALPHA)
        errors.append(tests.standard_error)
    return {name: np.concatenate(rejected).mean() for name, rejected in found.items()} | {
        "pilots": pilot_powers(study, np.concatenate(errors))
    }


def pilot_powers(study, errors):
    """Return the 5% and 95% points of the power by z that pilots' standard errors promise."""
    effect, z = study.auc[0] - study.auc[1], -ndtri(0.5 * ALPHA)
    steps = effect / errors[errors > 0.0]
    return np.quantile(ndtr(steps - z) + ndtr(-steps - z), [0.05, 0.95])


def row(study, found):
    """Return a row of the table."""
    options = study._asdict() | {"alpha": ALPHA}
    low, high = found["pilots"]
    return (
        f"{study.auc[0]:.2f}, {study.auc[1]:.2f}",
        "{:g}, {:g}".format(*study.correlation),
        f"{study.n_positive} + {study.n_negative}",
        percent(found["normal"]),
        percent(fc.auc_power(**options)),
        percent(fc.auc_power(**options, method="obuchowski")),
        f"{percent(low)} to {percent(high)}",
        percent(found["t"]),
        percent(fc.auc_power(**options, reference="t")),
    )


def show(studies, found):
    """Return the table of all studies."""
    head = ("AUCs", "correlations", "cases", "power of z", "binormal", "obuchowski", "pilots")
    rows = map(row, studies, found)
    return markdown((*head, "power of t", "noncentral t"), rows)


if __name__ == "__main__":
    run("power", "evidence/auc_power.md", STUDIES, measure, show, trials=20_000)
