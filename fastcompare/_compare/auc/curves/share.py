"""The interval of an average precision or a partial AUC that needs no replicates.

Both are means over the positives, of precisions or of shares of the range that a positive is above,
so their share p of what they may be has a variance of at most p (1 - p) / m, and that of an area
besides a part from the cuts at its ends. As the interval of one AUC (`..intervals`), this one is
Wilson's for as many cases as this variance and the jackknife's D together speak of:

    V = p (1 - p) / M,  1 / M = 1 / m + 1 / (6 n w),  d = 2 p (1 - p) M
    N = M (4 + d) / (4 + d D / V)

with n negatives and the range's width w, no such term for average precision, and Student's
quantile of 4 + d degrees of freedom. 1 / 6 is what the cut added to binormal variances of AUCs from
0.6 to 0.99 (between 0.06 and 0.17).
"""

import math
from typing import NamedTuple

import numpy as np

from ...._inference.proportions import wilson_ends
from ...._inference.pvalues import student_quantile
from ...._resampling.bootstrap import Draws
from ...._resampling.weights import jackknife
from ..bootstrap.walks import Units
from ..intervals import PRIOR
from .statistics import CurveStatistic

CUT = 1.0 / 6.0


class Share(NamedTuple):
    """An estimate, the jackknife's variance, and how many cases the largest variance is of."""

    estimate: float
    bounds: tuple[float, float]
    variance: float
    worth: float

    def ends(self, level: float) -> tuple[float, float]:
        """Return the interval at this level; it is not defined where the variance is not."""
        least, most = self.bounds
        if math.isnan(self.variance) or math.isnan(self.estimate):
            return math.nan, math.nan
        p, size = (self.estimate - least) / (most - least), most - least
        room = min(max(p * (1.0 - p), 0.0), 0.25)
        known = 2.0 * room * self.worth
        spread = PRIOR + 2.0 * self.worth**2 * self.variance / size**2  # d D / V, also where p is 1
        n = self.worth * (PRIOR + known) / spread
        t = student_quantile(0.5 * (1.0 - level), PRIOR + known)
        low, high = wilson_ends(min(max(p, 0.0), 1.0), n, t)
        return least + size * float(low), least + size * float(high)


def share_of(statistic: CurveStatistic, units: Units, draws: Draws) -> Share:
    """Return the share of one model that cases of two strata, the classes, tell of."""
    measure, estimate = statistic.measure, float(statistic.on_data()[0])
    n, m = statistic.counts.sum(axis=0).tolist()
    if min(m, n) < 2:
        return Share(estimate, measure.bounds, math.nan, math.nan)
    width = measure.points[1] - measure.points[0] if measure.shape == "area" else math.inf
    workers = draws.workers
    left = jackknife(statistic, units.sizes, n_jobs=workers["n_jobs"], executor=workers["executor"])
    variance = sum((part.size - 1.0) * float(np.var(part)) for part in left)
    return Share(estimate, measure.bounds, variance, 1.0 / (1.0 / m + CUT / (n * width)))
