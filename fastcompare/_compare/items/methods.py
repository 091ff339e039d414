"""What each method of `paired_mean_test` says of the differences of two models' scores."""

import math
from typing import NamedTuple, NotRequired, TypedDict

import numpy as np

from ..._base.types import Vector
from ..._inference.clusters import FEWEST_DF, NORMAL_DF, cluster_status
from ..._inference.infer import Inference, infer, inferred
from ..._inference.item_means import ItemMean, MeanDesign, cluster_totals
from ..._inference.pvalues import UNDEFINED, PValue
from ..._inference.status import unvaried_status
from ..._inference.unvaried import Unvaried, as_equal
from ..._inputs.items import Items
from ..._resampling.bootstrap import Claim, Draws, bootstrap_fields, replicated, settle
from ..paired.result import Ends, StudentEnds
from ..probabilities.loss_summaries import are_lopsided
from .flips import flip_test
from .resampled import replicated_means

NEAR = (
    1e-12  # of the sizes of its terms: means that are no further apart are equal but for rounding
)

STUDENT = "paired t-test"
CLUSTERED = f"{STUDENT} with clustered standard error"


class Differences(NamedTuple):
    """Items, the differences d of their scores with the mean of these, and how it varies."""

    items: Items
    d: Vector
    mean: ItemMean
    design: MeanDesign
    lags: int | None = None

    @property
    def units(self) -> Unvaried:
        """The bound by independent units whose differences do not vary."""
        links, n = self.items.links, self.d.size
        sizes = np.ones(n) if links.weights is None else links.weights
        count = n if links.groups is None else int(links.groups.max()) + 1
        sizes = cluster_totals(sizes, links.groups, count)
        return Unvaried(as_equal(sizes), math.inf, "items" if links.groups is None else "clusters")


class Procedure(NamedTuple):
    """How differences are tested; draws are None where nothing is drawn."""

    method: str
    claim: Claim
    draws: Draws | None


class Details(TypedDict):
    """Fields of `PairedMeanResult` that follow from the method."""

    method: str
    n_resamples: NotRequired[int]
    seed: NotRequired[int | None]
    distribution: NotRequired[Vector | None]
    status: NotRequired[str]
    _letter: str
    _tails: Ends | None


MeanTest = tuple[Inference, Details]


def by_student(found: Differences, procedure: Procedure) -> MeanTest:
    """Return the paired t-test, or that of Diebold and Mariano for items in time order."""
    estimate, error, df, _ = found.mean
    unvaried = None if error > 0.0 else found.units
    inference = infer(estimate, error, *procedure.claim, df=df, unvaried=unvaried)
    title = STUDENT
    if found.lags is not None:
        title = f"Diebold-Mariano test with {found.lags} lag{'' if found.lags == 1 else 's'}"
    elif found.items.links.groups is not None:
        title = CLUSTERED
    return inference, student_details(estimate, error, df, title)


def student_details(estimate: float, error: float, df: float, title: str) -> Details:
    """Return the fields of a t-test of this name."""
    tails = StudentEnds(estimate, error, df)
    return Details(method=title, _letter=letter_of(df), _tails=tails)


def letter_of(df: float) -> str:
    """Return the name of Student's t in sentences."""
    return f"t({round(df, 2):.10g})"


def by_flips(found: Differences, procedure: Procedure) -> MeanTest:
    """Return the test by the signs of whole clusters."""
    estimate, error, *_ = found.mean
    claim, draws = procedure.claim, procedure.draws
    assert draws is not None
    if not found.design.parts:
        nothing = inferred(estimate, error, math.nan, UNDEFINED, *claim)
        return nothing, Details(method="sign-flip permutation test", _letter="", _tails=None)
    p, tails, drawn = flip_test(found.items, found.d, claim, draws)
    details = Details(method="sign-flip permutation test", _letter="", _tails=tails)
    if drawn is None:
        details["method"] += ", exact"
    else:
        details["n_resamples"], details["seed"] = drawn.size, draws.seed
        details["distribution"] = drawn if draws.keep else None
    inference = inferred(estimate, error, estimate, p, *claim)
    if not found.d.any():  # as many signs as clusters, of any sizes
        clusters = float(found.design.n_clusters)
        inference["_unvaried"] = found.units._replace(units=clusters)
    return inference, details


def by_resampling(found: Differences, procedure: Procedure) -> MeanTest:
    """Return the percentile bootstrap's test; whole clusters are drawn."""
    estimate, error, *_ = found.mean
    claim, draws = procedure.claim, procedure.draws
    assert draws is not None
    values = np.full(draws.n, estimate)  # sums of equal numbers would round apart
    if not found.design.parts:
        values = np.empty(0)
    elif error > 0.0:
        values = replicated_means(found.d, found.design, draws)
    points, near = (
        (0.0, estimate, claim.margin, -claim.margin),
        NEAR * float(np.abs(found.d).mean()),
    )
    replicates = replicated("percentile", estimate, settle(values, points, near))
    fields = bootstrap_fields(replicates, draws, claim, found.units)
    p = PValue(fields["pvalue"], fields["log_pvalue"])
    details = Details(
        method=fields["method"],
        n_resamples=fields["n_resamples"],
        seed=fields["seed"],
        distribution=fields["distribution"],
        _letter="",
        _tails=fields["_tails"],
    )
    spread, statistic = fields["standard_error"], fields["statistic"]
    return inferred(estimate, spread, statistic, p, *claim, found.units), details


def difference_status(found: Differences, procedure: Procedure) -> str:
    """Return the status word of a test of differences of scores."""
    estimate, error, _, word = found.mean
    if error != 0.0 or word != "ok":
        return spread_status(found, procedure.method)
    if not found.d.any():
        return "no_difference"
    if procedure.method == "sign-flip":
        return "no_interval" if estimate else "ok"
    return unvaried_status(estimate, procedure.claim.margin, "no_difference")


def spread_status(found: Differences, method: str = "t") -> str:
    """Return the status word of a mean whose standard error is not 0."""
    links, (_, _, df, word) = found.items.links, found.mean
    if word != "ok":
        return word
    if links.groups is not None:
        return cluster_status(df, fewest=NORMAL_DF if method == "bootstrap" else FEWEST_DF)
    alike = found.design.weights is None and links.strata is None and found.lags is None
    rough = alike and method != "sign-flip" and is_lopsided(found)
    return cluster_status(df, "small_sample" if rough else "ok")


def is_lopsided(found: Differences) -> bool:
    """Say whether differences of independent items are too skewed for so few of them."""
    d, (estimate, error, *_) = found.d, found.mean
    square = error * error * d.size * (d.size - 1.0)
    mean, low, high, squares = np.array([[estimate], [d.min()], [d.max()], [square]])
    return bool(are_lopsided(d[None], mean, low, high, squares)[0])
