"""Differences of losses of all pairs of models, summed up row by row."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Matrix, Vector
from ..._inputs.probabilities import SHIFTING
from ..paired.columns import Columns
from ..paired.sizes import are_constant

Words = NDArray[np.str_]
Flags = NDArray[np.bool_]

LOPSIDED = 0.2  # of the root of the number of cases: skewness from which Student's t is rough


class LossSummaries(NamedTuple):
    """Of all pairs: mean difference, its standard error, whether all are finite, whether all 0."""

    estimate: Vector
    standard_error: Vector
    finite: Flags
    zero: Flags
    lopsided: Flags

    def only(self, chosen: Flags) -> "LossSummaries":
        """Return the same of some of the pairs."""
        estimate, standard_error, *flags = self
        finite, zero, lopsided = (flag[chosen] for flag in flags)
        return LossSummaries(estimate[chosen], standard_error[chosen], finite, zero, lopsided)

    def statuses(self, n: int, method: str, clustered: str | None = None) -> Words:
        """Return the status words, as `loss_status`; `clustered` is that of clusters that vary."""
        fine = (self.standard_error > 0.0) | (method in ("wilcoxon", "permutation"))
        rough = fine & self.lopsided & (method in SHIFTING) & (clustered is None)
        cases = [~self.finite, np.full(fine.shape, n == 1), self.zero, rough, fine]
        words = ["infinite_loss", "one_case", "no_difference", "small_sample", clustered or "ok"]
        return np.select(cases, words, "zero_variance")


@np.errstate(under="ignore", invalid="ignore", over="ignore")
def summarise_all(columns: Columns) -> LossSummaries:
    """Return the summaries of all pairs, each as by `summarise`."""
    n = columns.n
    estimate, deviation, low, high = np.empty((4, columns.first.size))
    lopsided = np.zeros(columns.first.size, np.bool_)
    for part, d in columns.blocks():
        estimate[part], low[part], high[part] = d.mean(axis=1), d.min(axis=1), d.max(axis=1)
        deviation[part] = d.std(axis=1, ddof=1) if n > 1 else math.nan
        square = deviation[part] ** 2 * (n - 1.0)
        lopsided[part] = are_lopsided(d, estimate[part], low[part], high[part], square)
    finite = np.isfinite(low) & np.isfinite(high)
    zero = (low == 0.0) & (high == 0.0)
    for p in np.flatnonzero(finite & (high - low <= 2.0 * columns.room[:, 1])).tolist():
        if are_constant(columns.sized_pair(p)):
            deviation[p] = 0.0
    deviation[~finite] = math.nan
    return LossSummaries(estimate, deviation / math.sqrt(n), finite, zero, lopsided)


@np.errstate(under="ignore", invalid="ignore", over="ignore")
def are_lopsided(rows: Matrix, mean: Vector, low: Vector, high: Vector, square: Vector) -> Flags:
    """Say which rows (r, n) are too skewed for so few cases: |skewness| above 0.2 sqrt(n).

    There Student's t rejects up to 20 % at a level of 5 % (`studies.calibration_coverage`). The
    sums of squares of deviations, `square`, tell most of the others by the farthest deviation.
    """
    limit = LOPSIDED * np.sqrt(square)
    found: Flags = np.maximum(high - mean, mean - low) > limit
    for i in np.flatnonzero(found):
        apart = rows[i] - mean[i]
        found[i] = abs(float((apart * apart) @ apart)) > square[i] * limit[i]
    return found
