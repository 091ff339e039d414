"""The difference of two AUCs over its standard error, under exchanges of ranks, and its interval.

Each exchange has a difference D* and DeLong's standard error SE*. Divided by it, the differences of
exchangeable models are distributed as those of models that differ by delta, (D - delta) / SE, for
many cases even where the models' curves are unlike (Pauly, Asendorf, Konietschke 2016). So the test
turns into an interval: the delta that it does not reject.
"""

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...._base.types import Vector
from ...._inference.pvalues import PValue, claim_pvalue, open_side, ratio
from ...._inputs.cases import Cases
from ...._inputs.options import has_direction
from ...._resampling.bootstrap import settle
from ...._resampling.permutations import null_replicates
from ...._resampling.replicates import Ordered
from ....kernels.drawing.exchange import UNIT
from ....kernels.drawing.philox import LANES
from ....kernels.studentize import studentized_exchanges
from .exchanges import MOST, QUICK, Exchanges
from .ranks import Outcome, Plan, Ranks

COST = 100  # a case of a replicate takes so many times what a sign takes in a sum
NEAR = 1e-12  # distances closer than this, relative to their size, are equal but for rounding


@dataclass(frozen=True, slots=True)
class StudentizedDifferences(Exchanges):
    """Replicates of D* / SE*; the arrays are as in `kernels.studentize`."""

    entries: NDArray[np.int64]
    ends: NDArray[np.int64]
    labels: NDArray[np.int64]
    number: NDArray[np.int64]
    n: int
    seed: int | None = None

    @property
    def n_moved(self) -> int:
        """How many cases have two ranks."""
        return int(self.number.max(initial=-1)) + 1

    def data(self) -> tuple[float, float]:
        """Return the difference and its standard error without an exchange."""
        signs = np.zeros((-(-self.n_moved // UNIT), LANES), np.uint16)
        difference, error = self.moments(signs, 0, 1)[0].tolist()
        return difference, error

    def moments(self, signs: NDArray[np.uint16], lane: int, count: int) -> Vector:
        """Return D* and SE* (count, 2) after the exchanges of the lanes from `lane` on."""
        out = np.empty((count, 2))
        studentized_exchanges(self.entries, self.ends, self.labels, self.number, signs, lane, out)
        return out

    def write(self, signs: NDArray[np.uint16], lane: int, out: Vector) -> None:
        """Write D* / SE* after the exchanges of the lanes from `lane` on; 0 for 0 / 0."""
        difference, error = self.moments(signs, lane, out.size).T
        with np.errstate(divide="ignore", invalid="ignore"):
            out[:] = np.where(difference == 0.0, 0.0, difference / error)


class StudentizedEnds(NamedTuple):
    """What distances t* SE of an estimate from what is true say of the difference.

    `downward` are they, negative and in order: of all sizes for a two-sided test.
    """

    estimate: float
    downward: Ordered
    upward: Ordered

    @classmethod
    def of(
        cls, estimate: float, distances: Vector, alternative: str, *, every: bool
    ) -> "StudentizedEnds":
        """Return the ends for distances, of their size unless the test has a direction."""
        up = -distances if has_direction(alternative) else abs(distances)
        down = -distances if has_direction(alternative) else -up
        return cls(estimate, Ordered(down, every=every), Ordered(up, every=every))

    def pvalue(self, alternative: str) -> PValue:
        """Return the p-value of no difference."""
        if not has_direction(alternative):
            p = self.downward.above(-abs(self.estimate))
        else:
            above, below = self.downward.above(-self.estimate), self.upward.below(-self.estimate)
            p = claim_pvalue(alternative, 0.0, lambda _: above, lambda _: below).pvalue
        return PValue(p, math.log(p))

    def ends(self, alternative: str, level: float) -> tuple[float, float]:
        """Return the differences that the test does not reject."""
        alpha = 1.0 - level
        low, high = self.downward.low(alpha), self.upward.high(alpha)
        return open_side(alternative, self.estimate + low, self.estimate + high)


def compare_studentized(cases: Cases, ranks: Ranks, plan: Plan) -> Outcome:
    """Test the difference of the AUCs over its standard error."""
    null = studentized_of(cases.labels, ranks, plan.seed)
    estimate, error = null.data()
    every = plan.counts_all(null.n_exchanges * null.n, QUICK, MOST)
    total = null.n_exchanges if every else plan.n_resamples
    drawn_from = replace(null, seed=None) if every else null
    values = null_replicates(drawn_from, total, COST * null.n, plan.workers)
    # of all exchanges half are drawn: the others have the opposite sign; the data are one of them
    pivots = np.concatenate((values[1:], -values)) if every else values
    near = NEAR * abs(estimate)
    statistic = ratio(estimate, error)
    if error > 0.0:
        distances = settle(pivots * error, (estimate, -estimate), near)
        ends = StudentizedEnds.of(estimate, distances, plan.alternative, every=every)
    else:
        ends = StudentizedEnds.of(statistic, pivots, plan.alternative, every=every)
    return Outcome(
        statistic,
        estimate,
        error,
        ends.pvalue(plan.alternative),
        identical=not (estimate or error),
        exact=every,
        values=None if every else values,
        ends=ends if error > 0.0 else None,
    )


def studentized_of(labels: NDArray[np.uint8], ranks: Ranks, seed: int) -> StudentizedDifferences:
    """Return the null distribution of two models' studentized difference."""
    pooled = np.column_stack(ranks).ravel()  # case by case: the first model's rank, the second's
    entries = np.argsort(pooled, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(pooled[entries])) + 1, pooled.size)
    moved = ranks[0] != ranks[1]
    number = np.where(moved, np.cumsum(moved) - 1, -1)
    wide = labels.astype(np.int64)
    return StudentizedDifferences(entries, ends, wide, number, labels.size, seed)
