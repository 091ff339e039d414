"""What each method of `scoring_test` says of the differences of two models' losses.

`d` are the differences, a case each: the first model's loss less the second's.
"""

import math
from collections.abc import Callable
from typing import NamedTuple, NotRequired, TypedDict

import numpy as np

from ..._base.types import Integers, Vector
from ..._inference.clusters import cluster_df, cluster_error, cluster_sizes, cluster_status
from ..._inference.infer import Inference, infer, inferred
from ..._inference.pvalues import UNDEFINED, PValue
from ..._inference.status import unvaried_status
from ..._inference.unvaried import Unvaried, as_equal
from ..._inputs.options import as_choice, check_choice
from ..._inputs.probabilities import SHIFTING, Forecasts, Rule
from ..._resampling.bootstrap import (
    Claim,
    Draws,
    bootstrap_fields,
    draw,
    replicated,
    settle,
    spread,
)
from ..paired.columns import Columns
from ..paired.rank_test import rank_test
from ..paired.result import Ends, StudentEnds
from ..paired.sizes import Sized, are_constant
from ..paired.wilcoxon import ZEROS
from .flips import (
    EVERY,
    DrawnFlipEnds,
    drawn_sums,
    exact_ends,
    flip_pvalue,
)
from .loss_moments import LossMoments, Moments, WeightedMeans, brier_difference
from .loss_summaries import are_lopsided
from .losses import forecast_losses, mean_losses
from .unseen import Unseen, UnseenEnds, by_score, unseen_of

STUDENT = "paired t-test"
STUDENTS = ("auto", "t")
NEAR = 1e-12  # of the sizes of its terms: sums that are no further apart are equal but for rounding


class Procedure(NamedTuple):
    """How differences of losses are tested; picklable."""

    method: str
    zeros: str
    claim: Claim
    draws: Draws
    most: float = math.inf  # the greatest difference of two losses


class Details(TypedDict):
    """Fields of `ScoringResult` that not every test has."""

    method: str
    n_resamples: NotRequired[int]
    seed: NotRequired[int | None]
    distribution: NotRequired[Vector | None]
    effect_size: NotRequired[float]
    df: NotRequired[float]
    _letter: NotRequired[str]
    _tails: Ends | None


class LossTest(NamedTuple):
    """What a method says: fields of `ScoringResult`."""

    inference: Inference
    details: Details


class Differences(NamedTuple):
    """Differences of losses, their `room`, their mean and its standard error.

    Losses are computed, so differences within their own losses' rounding, the room, are 0. Where
    many pairs share random signs or weights, `drawn` are this one's sums or means by them. `sizes`
    are those of clusters and `sums` their sums of d, None where cases are independent.
    """

    d: Vector
    room: Vector
    estimate: float
    standard_error: float
    drawn: Vector | None = None
    sizes: Integers | None = None
    sums: Vector | None = None
    unseen: Unseen | None = None

    @property
    def units(self) -> Vector:
        """The numbers whose signs are turned: differences of cases, or their sums by cluster."""
        return self.d if self.sums is None else self.sums

    @property
    def df(self) -> float:
        """The degrees of freedom of the standard error."""
        return float(self.d.size - 1) if self.sizes is None else cluster_df(self.sizes)

    @property
    def sized(self) -> Sized:
        """The differences with their sizes, and how near these must be to tie."""
        return Sized(self.d, np.abs(self.d), self.room)

    def unvaried(self, most: float) -> Unvaried:
        """Return the bound by cases, or clusters, that do not vary."""
        if self.sizes is None:
            return Unvaried(self.d.size, most)
        return Unvaried(as_equal(self.sizes), most, "clusters")

    def varying(self) -> Vector:
        """Return the units that are not 0."""
        return np.asarray(self.units[self.units != 0.0])

    def has_few(self, draws: Draws) -> bool:
        """Say whether all signs of the units are counted."""
        return self.varying().size <= EVERY and not draws.keep

    def inference(self, claim: Claim, statistic: float, p: PValue) -> Inference:
        """Return the fields of a test with this statistic."""
        return inferred(self.estimate, self.standard_error, statistic, p, *claim)


def summarise(differences: Sized) -> Differences:
    """Return the differences with their mean; those that differ by rounding errors do not vary."""
    d, _, room = differences
    if not np.isfinite(d).all():
        with np.errstate(invalid="ignore"):
            return Differences(d, room, float(d.mean()), math.nan)
    deviation = 0.0 if are_constant(differences) else spread(d)
    return Differences(d, room, float(d.mean()), deviation / math.sqrt(d.size))


@np.errstate(invalid="ignore")
def summarise_two(
    rule: Rule, cases: Forecasts, clip: float | None, method: str
) -> tuple[Differences | LossMoments, Vector]:
    """Return the differences of two models' losses, by clusters if given, and both mean losses."""
    unseen = unseen_of(rule, cases, clip, np.array([0]), np.array([1]), method)
    if rule == "brier" and method in STUDENTS and unseen is None:
        brief = brier_difference(cases)
        if brief is not None:
            return brief
    losses = forecast_losses(rule, cases, clip)
    differences = summarise(Columns.of(losses, computed=True).sized_pair(0))
    differences = differences._replace(unseen=unseen and Unseen(*(x[0] for x in unseen)))
    if cases.groups is not None:
        differences = clustered(differences, cases.groups)
    return differences, mean_losses(losses)


def clustered(differences: Differences, groups: Integers) -> Differences:
    """Return the same with the standard error that lets cases of a cluster correlate.

    For clusters of one case it is that of independent ones.
    """
    d, _, estimate, error, *_ = differences
    sizes, unseen = cluster_sizes(groups), differences.unseen
    if error > 0.0:
        alone, error = error, cluster_error(sums_by_cluster(d, groups, estimate), sizes)
        if unseen is not None and error > alone:  # as much as cases of a cluster correlate
            unseen = unseen.times((error / alone) ** 2)
    return differences._replace(
        standard_error=error, sizes=sizes, sums=sums_by_cluster(d, groups, 0.0), unseen=unseen
    )


def sums_by_cluster(d: Vector, groups: Integers, centre: float) -> Vector:
    """Return the sums of d less a number; those within rounding of their terms are 0."""
    sums = np.asarray(np.bincount(groups, d - centre), np.float64)
    terms = np.bincount(groups, np.abs(d) + abs(centre))
    sums[np.abs(sums) <= NEAR * terms] = 0.0
    return sums


def is_lopsided(differences: Differences) -> bool:
    """Say whether differences are too skewed for so few cases."""
    d, _, estimate, error, *_ = differences
    square = error * error * d.size * (d.size - 1.0)
    mean, low, high, squares = np.array([[estimate], [d.min()], [d.max()], [square]])
    return bool(are_lopsided(d[None], mean, low, high, squares)[0])


def by_student(differences: Moments, procedure: Procedure) -> LossTest:
    """Return the paired t-test."""
    estimate, error, sizes = differences.estimate, differences.standard_error, differences.sizes
    df = differences.df
    title = STUDENT if sizes is None else f"{STUDENT} of {sizes.size} clusters"
    ends, unvaried = StudentEnds(estimate, error, df), differences.unvaried(procedure.most)
    inference = infer(estimate, error, *procedure.claim, df=df, unvaried=unvaried)
    details = Details(method=title, df=df, _letter=f"t({round(df, 2):.10g})", _tails=ends)
    unseen = getattr(differences, "unseen", None)
    if unseen is not None and unseen.error(0.0, error) > 0.0:
        inference = by_score(differences, unseen, procedure.claim)
        details["_tails"] = UnseenEnds(estimate, error, df, unseen)
        details["method"] += unseen.told(error)
    return LossTest(inference, details)


def by_ranks(differences: Differences, procedure: Procedure) -> LossTest:
    """Return Wilcoxon's test."""
    d, claim, zeros = differences.d, procedure.claim, procedure.zeros
    found = rank_test(
        d,
        (float(differences.room.min()), float(differences.room.max())),
        lambda: differences.sized,
        zeros=zeros,
        alternative=claim.alternative,
        method="auto",
    )
    averages = found.averages(d, zeros)
    details = Details(
        method=rank_title(found.how, zeros),
        effect_size=found.effect_size(),
        _letter="W+",
        _tails=averages,
    )
    located = differences._replace(estimate=averages.median())
    return LossTest(located.inference(claim, found.w_plus(zeros), found.p), details)


def rank_title(how: str, zeros: str) -> str:
    """Return the name of Wilcoxon's test with its null distribution and what becomes of zeros."""
    return f"Wilcoxon's signed rank test, {how}, zeros {zeros!r}"


def by_flips(differences: Differences, procedure: Procedure) -> LossTest:
    """Return the test by all signs of the differences, or by random ones."""
    units, estimate, sums, sizes = (
        differences.units,
        differences.estimate,
        differences.drawn,
        differences.sizes,
    )
    claim, draws, n = procedure.claim, procedure.draws, differences.d.size
    near, title = NEAR * float(np.abs(differences.d).sum()), "sign-flip permutation test"
    if sizes is not None:
        title += f" of {sizes.size} clusters"
    tails = DrawnFlipEnds(units, draws.n, draws.seed, sizes)
    if differences.has_few(draws):
        varying = differences.varying()
        p = flip_pvalue(varying, near, claim.alternative, None)
        details = Details(method=f"{title}, exact", _tails=exact_ends(tails, varying, near))
    else:
        sums = drawn_sums(units, draws) if sums is None else sums
        p = flip_pvalue(units, near, claim.alternative, sums)
        details = Details(
            method=title,
            n_resamples=sums.size,
            seed=draws.seed,
            distribution=sums / n if draws.keep else None,
            _tails=tails,
        )
    return LossTest(differences.inference(claim, estimate, p), details)


def by_resampling(differences: Differences, procedure: Procedure) -> LossTest:
    """Return the percentile bootstrap's test."""
    d, _, estimate, error, values, *_ = differences
    claim, draws = procedure.claim, procedure.draws
    if d.size == 1:
        values = np.empty(0)
    elif error == 0.0:  # sums of equal numbers would round apart
        values = np.full(draws.n, estimate)
    elif values is None:
        values = draw(WeightedMeans(d[None]), (d.size,), draws)[0]
    points, near = (0.0, estimate, claim.margin, -claim.margin), NEAR * float(np.abs(d).mean())
    replicates = replicated("percentile", estimate, settle(values, points, near))
    unvaried = differences.unvaried(procedure.most)
    found = bootstrap_fields(replicates, draws, claim, unvaried)
    p = PValue(found["pvalue"], found["log_pvalue"])
    details = Details(
        method=found["method"],
        n_resamples=found["n_resamples"],
        seed=found["seed"],
        distribution=found["distribution"],
        _tails=found["_tails"],
    )
    error, statistic = found["standard_error"], found["statistic"]
    return LossTest(inferred(estimate, error, statistic, p, *claim, unvaried), details)


def no_test(differences: Differences, procedure: Procedure) -> LossTest:
    """Return the test where a loss is infinite: nothing but the estimate."""
    nothing = differences.inference(procedure.claim, math.nan, UNDEFINED)
    return LossTest(nothing, Details(method="undefined", _tails=None))


def run_procedure(
    differences: Differences | LossMoments, procedure: Procedure, status: str
) -> LossTest:
    """Return the procedure's test, nothing but the estimate where a loss is infinite."""
    if isinstance(differences, LossMoments):
        return by_student(differences, procedure)
    test = no_test if status == "infinite_loss" else METHODS[procedure.method]
    return test(differences, procedure)


METHODS: dict[str, Callable[[Differences, Procedure], LossTest]] = {
    "auto": by_student,
    "t": by_student,
    "wilcoxon": by_ranks,
    "permutation": by_flips,
    "bootstrap": by_resampling,
}


def as_method(method: object, zeros: object) -> str:
    """Return the method, or raise; so for the treatment of zeros, which must be one."""
    check_choice("zeros", zeros, ZEROS)
    chosen: str = as_choice("method", method, METHODS)
    return chosen


def loss_status(differences: Differences | LossMoments, method: str, margin: float) -> str:
    """Return the status word of a test of losses."""
    if isinstance(differences, LossMoments):
        return "ok"
    if not np.isfinite(differences.d).all():
        return "infinite_loss"
    if differences.d.size == 1:
        return "one_case"
    if not differences.d.any():
        return "no_difference"
    unseen, error = differences.unseen, differences.standard_error
    known = unseen is not None and bool(unseen.error(0.0, error) > 0.0)
    if error > 0.0 or known or method in ("wilcoxon", "permutation"):
        if differences.sizes is not None:
            return cluster_status(differences.df)
        rough = method in SHIFTING and unseen is None and is_lopsided(differences)
        return "small_sample" if rough else "ok"
    return unvaried_status(differences.estimate, margin, "no_difference")
