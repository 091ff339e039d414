"""What each method of `scoring_test` says of differences of losses."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..._base.parallel import Checkpoint
from ..._base.types import Matrix, Vector
from ..._inference.pvalues import (
    UNDEFINED,
    PValue,
    degenerate,
    shifted,
    student_pvalue,
    student_quantile,
)
from ..._resampling.bootstrap import (
    Claim,
    Draws,
    bootstrap_fields,
    draw,
    replicated,
    settle,
    spread,
)
from ..._resampling.weights import Weights, slices
from ...kernels.drawing.philox import LANES
from ...kernels.drawing.signs import add_weighted
from ..paired.signed_ranks import MOST, NEAR, is_zero, pvalue_of, signed_ranks
from ..paired.walsh import WalshAverages
from .flips import EVERY, DrawnFlipEnds, ExactFlipEnds, drawn_sums, flip_pvalue

STUDENT = "paired t-test"


class Differences(NamedTuple):
    """Differences of losses, the largest loss, their mean and its standard error.

    Where many pairs share random signs or weights, `drawn` are this one's sums or means by them.
    """

    d: Vector
    scale: float
    estimate: float
    standard_error: float
    drawn: Vector | None = None

    def varying(self) -> Vector:
        """Return the differences that are not 0."""
        return self.d[~is_zero(self.d, self.scale)]

    def has_few(self, draws: Draws) -> bool:
        """Say whether all signs of the differences are counted."""
        return self.varying().size <= EVERY and not draws.keep


def summarise(d: Vector, scale: float) -> Differences:
    """Return the differences with their mean; those that differ by rounding errors do not vary."""
    if not np.isfinite(d).all():
        with np.errstate(invalid="ignore"):
            return Differences(d, scale, float(d.mean()), math.nan)
    if is_zero(d, scale).all():
        d = np.zeros_like(d)
    estimate = float(d.mean())
    deviation = 0.0 if np.ptp(d) <= NEAR * scale and d.size > 1 else spread(d)
    return Differences(d, scale, estimate, deviation / math.sqrt(d.size))


class StudentEnds(NamedTuple):
    """Ends of intervals from Student's t."""

    estimate: float
    standard_error: float
    df: int

    def low(self, alpha: float) -> float:
        """Return the lower end of the interval with `alpha` below it."""
        return self.estimate - student_quantile(alpha, self.df) * self.standard_error

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it."""
        return self.estimate + student_quantile(alpha, self.df) * self.standard_error


def by_student(found: Differences, claim: Claim, draws: Draws, zeros: str) -> dict[str, Any]:
    """Return what the paired t-test says."""
    df = found.d.size - 1
    estimate, error = found.estimate, found.standard_error
    t, tail = shifted(estimate, error, claim.alternative, claim.margin)
    p = degenerate(t, error) or student_pvalue(t, df, tail)
    ends = StudentEnds(estimate, error, df)
    return fields(STUDENT, t, p, _tails=ends, _letter=f"t({df})")


def by_ranks(found: Differences, claim: Claim, draws: Draws, zeros: str) -> dict[str, Any]:
    """Return what Wilcoxon's test says."""
    ranks = signed_ranks(found.d, found.scale, zeros)
    p, how = pvalue_of(ranks, claim.alternative, "auto")
    ends = WalshAverages(found.d, exact=how == "exact" and found.d.size <= MOST)
    total = int(abs(ranks.t).sum())
    return fields(
        rank_title(how, zeros),
        ranks.w_plus,
        p,
        _tails=ends,
        _letter="W+",
        pseudomedian=ends.median(),
        effect_size=int(ranks.t.sum()) / total if total else 0.0,
    )


def rank_title(how: str, zeros: str) -> str:
    """Return the name of Wilcoxon's test with its null distribution and what becomes of zeros."""
    return f"Wilcoxon's signed rank test, {how}, zeros {zeros!r}"


def by_flips(found: Differences, claim: Claim, draws: Draws, zeros: str) -> dict[str, Any]:
    """Return what random signs of the differences say."""
    n, near = found.d.size, found.d.size * NEAR * found.scale
    some, every = found.varying(), found.has_few(draws)
    drawn = None if every else found.drawn
    if not every and drawn is None:
        drawn = drawn_sums(found.d, draws)
    p = flip_pvalue(some if every else found.d, near, claim.alternative, drawn)
    exact_ends = every and n <= EVERY
    return fields(
        "sign-flip permutation test" + (", exact" if every else ""),
        found.estimate,
        p,
        _tails=ExactFlipEnds(found.d)
        if exact_ends
        else DrawnFlipEnds(found.d, draws.n, draws.seed),
        _letter="",
        n_resamples=0 if drawn is None else drawn.size,
        seed=None if drawn is None else draws.seed,
        distribution=drawn / n if draws.keep and drawn is not None else None,
    )


@dataclass(frozen=True, slots=True)
class WeightedMeans:
    """Statistic: the means of rows of differences by weights that sum to n."""

    rows: Matrix

    def __call__(self, weights: Weights, checkpoint: Checkpoint) -> Matrix:
        """Return the means (rows, 64) of 64 replicates."""
        sums = np.zeros((len(self.rows), LANES))
        for d, total in zip(self.rows, sums, strict=True):
            for part in slices(d.size):
                checkpoint()
                add_weighted(weights[part], d[part], total)
        return np.asarray(sums / self.rows.shape[1])


def by_resampling(found: Differences, claim: Claim, draws: Draws, zeros: str) -> dict[str, Any]:
    """Return what bootstrap replicates say."""
    n, values = found.d.size, found.drawn
    if n == 1:
        values = np.empty(0)
    elif found.standard_error == 0.0:  # sums of equal numbers would round apart
        values = np.full(draws.n, found.estimate)
    elif values is None:
        values = draw(WeightedMeans(found.d[None]), (n,), draws)[0]
    points = (0.0, found.estimate, claim.margin, -claim.margin)
    settled = settle(values, points, NEAR * found.scale)
    said = bootstrap_fields(replicated("percentile", found.estimate, settled), draws, claim)
    others = ("estimate", "alternative", "margin", "n_left_out")
    return {name: value for name, value in said.items() if name not in others} | {"_letter": ""}


METHODS: dict[str, Callable[[Differences, Claim, Draws, str], dict[str, Any]]] = {
    "t": by_student,
    "wilcoxon": by_ranks,
    "permutation": by_flips,
    "bootstrap": by_resampling,
}


def fields(title: str, statistic: float, p: PValue, **others: Any) -> dict[str, Any]:
    """Return the fields of a result."""
    nothing = {"n_resamples": 0, "seed": None, "distribution": None}
    found = {"statistic": statistic, "pvalue": p.pvalue, "log_pvalue": p.log_pvalue}
    return {**nothing, **found, "method": title, **others}


def undefined(found: Differences, claim: Claim, draws: Draws, zeros: str) -> dict[str, Any]:
    """Return what is left where a loss is infinite."""
    return fields("undefined", math.nan, UNDEFINED, _tails=None, _letter="")
