"""What each method of `paired_mean_test` says of the differences of two models' scores.

Bootstrap replicates of a mean: whole clusters are drawn, inside each stratum.

What `method="auto"` does: the score test of answers, Student's t of other scores, or Hall's.

Answers are 0 or 1. Their differences, and others of which more than half are exactly 0, say
nothing, by their standard error, of differences that are rare and large: they have the score test
of bounded differences, and where none differs the bound by as many units. Other scores have
Student's t with Hall's cubic where they are skewed.

The mean of differences in time order, whose neighbours depend on each other.

With autocovariances g_k (divisor n), h = lags + 1 and

    v = g_0 + 2 sum over k < h of g_k        SE = sqrt(v / n) n / sqrt((n - h) (n - h + 1))

the mean over SE is Student's t with n - 1 degrees of freedom: Diebold and Mariano (1995) with the
correction of Harvey, Leybourne and Newbold (1997), doi:10.1016/S0169-2070(96)00719-4. Where v is
not above 0 each g_k takes Bartlett's weight 1 - k / h, with which it never is below.

How results of mean scores say in a sentence what they are about.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..._base.parallel import Checkpoint
from ..._base.text import counted
from ..._base.types import Fields, Matrix, Vector
from ..._inference.bounded import BoundedMean
from ..._inference.clusters import FEWEST_DF, NORMAL_DF, cluster_status, tells_correlations
from ..._inference.infer import Unvaried, as_equal, infer, inferred
from ..._inference.means import (
    ROUNDING,
    ItemMean,
    MeanDesign,
    Part,
    are_answers,
    cluster_totals,
    deviations_skewness,
    item_mean,
    mean_design,
)
from ..._inference.pvalues import UNDEFINED
from ..._inference.skewness import DOUBTFUL, SKEWED, SkewedEnds, Skewness, has_long_tail
from ..._inference.status import STATUSES, unvaried_status
from ..._inputs.items import ItemLinks, Items
from ..._resampling.bootstrap import Claim, Draws, draw
from ..._resampling.weights import Weights, slices
from ...kernels.drawing.exchange import add_weighted
from ...kernels.drawing.streams import LANES
from ..paired.columns import STUDENT, StudentEnds
from ..probabilities.losses import is_lopsided
from ..probabilities.scoring_methods import percentile_test
from .flips import flip_test


@dataclass(frozen=True, slots=True)
class RatioOfSums:
    """Statistic: sums of clusters over their weights (2, G), each counted as often as drawn."""

    rows: Matrix

    def __call__(self, weights: Weights, checkpoint: Checkpoint) -> Vector:
        """Return the means of 64 replicates."""
        sums = np.zeros((2, LANES))
        for part in slices(len(weights)):
            checkpoint()
            for row, total in zip(self.rows, sums, strict=True):
                add_weighted(weights[part], row[part], total)
        return np.asarray(sums[0] / sums[1])


@dataclass(frozen=True, slots=True)
class RatiosOfSums:
    """Statistic: sums of clusters (k + 1, G), each counted as often as drawn, over the last row."""

    rows: Matrix

    def __call__(self, weights: Weights, checkpoint: Checkpoint) -> Matrix:
        """Return the means (k, 64) of all models in 64 replicates."""
        sums = np.zeros((len(self.rows), LANES))
        for part in slices(len(weights)):
            checkpoint()
            sums += self.rows[:, part] @ weights[part].astype(np.float64)
        return np.asarray(sums[:-1] / sums[-1])


def replicated_tables(scores: Matrix, design: MeanDesign, draws: Draws) -> Matrix:
    """Return the replicates (k, B) of the means of k models; clusters are drawn as for one."""
    (part,) = design.parts
    weights = np.ones(len(scores)) if design.weights is None else design.weights
    values = np.column_stack((scores * weights[:, None], weights))
    rows, sizes = drawn_rows(cluster_totals(values, part.groups, part.total).T, part)
    return np.asarray(draw(RatiosOfSums(rows), sizes, draws))


def drawn_rows(rows: Matrix, part: Part) -> tuple[Matrix, tuple[int, ...]]:
    """Return sums of clusters with those of a stratum side by side, and the strata's sizes."""
    if part.strata is None:
        return np.ascontiguousarray(rows), (part.total,)
    sizes = tuple(np.bincount(part.strata).tolist())
    return np.ascontiguousarray(rows[:, np.argsort(part.strata, kind="stable")]), sizes


def replicated_means(d: Vector, design: MeanDesign, draws: Draws) -> Vector:
    """Return the replicates of the mean; each draws as many clusters of a stratum as it has."""
    (part,) = design.parts
    weights = np.ones(d.size) if design.weights is None else design.weights
    rows = np.stack(
        [cluster_totals(values, part.groups, part.total) for values in (weights * d, weights)]
    )
    rows, sizes = drawn_rows(rows, part)
    return np.asarray(draw(RatioOfSums(rows), sizes, draws)[0])


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

    @property
    def skewness(self) -> Skewness:
        """The skewness of the mean difference."""
        return deviations_skewness(self.d - self.mean.estimate, self.design)


class Procedure(NamedTuple):
    """How differences are tested; draws are None where nothing is drawn."""

    method: str
    claim: Claim
    draws: Draws | None


def by_student(differences: Differences, procedure: Procedure) -> Fields:
    """Return the paired t-test, or that of Diebold and Mariano for items in time order."""
    estimate, error, df, _ = differences.mean
    unvaried = None if error > 0.0 else differences.units
    title = STUDENT
    if differences.lags is not None:
        title = f"Diebold-Mariano test with {counted(differences.lags, 'lag')}"
    elif differences.items.links.groups is not None:
        title = CLUSTERED
    return student_test(StudentEnds(estimate, error, df), procedure.claim, title, unvaried)


def student_test(
    ends: StudentEnds, claim: Claim, title: str, unvaried: Unvaried | None = None
) -> Fields:
    """Return the t-test of this name with such ends of intervals."""
    estimate, error, df = ends
    test = infer(estimate, error, *claim, df=df, unvaried=unvaried)
    return Fields(**test, method=title, _letter=letter_of(df), _tails=ends)


def letter_of(df: float) -> str:
    """Return the name of Student's t in sentences."""
    return f"t({round(df, 2):.10g})"


def by_flips(differences: Differences, procedure: Procedure) -> Fields:
    """Return the test by the signs of whole clusters."""
    estimate, error, *_ = differences.mean
    claim, draws = procedure.claim, procedure.draws
    assert draws is not None
    fields = Fields(method="sign-flip permutation test", _letter="", _tails=None)
    if not differences.design.parts:
        return fields | inferred(estimate, error, math.nan, UNDEFINED, *claim)
    p, fields["_tails"], drawn = flip_test(differences.items, differences.d, claim, draws)
    if drawn is None:
        fields["method"] += ", exact"
    else:
        fields["n_resamples"], fields["seed"] = drawn.size, draws.seed
        fields["distribution"] = drawn if draws.keep else None
    unvaried = None
    if not differences.d.any():  # as many signs as clusters, of any sizes
        unvaried = differences.units._replace(units=float(differences.design.n_clusters))
    return fields | inferred(estimate, error, estimate, p, *claim, unvaried)


def by_resampling(differences: Differences, procedure: Procedure) -> Fields:
    """Return the percentile bootstrap's test; whole clusters are drawn."""
    estimate, error, *_ = differences.mean
    claim, draws = procedure.claim, procedure.draws
    assert draws is not None
    values = np.full(draws.n, estimate)  # sums of equal numbers would round apart
    if not differences.design.parts:
        values = np.empty(0)
    elif error > 0.0:
        values = replicated_means(differences.d, differences.design, draws)
    return percentile_test(values, differences.d, estimate, draws, claim, differences.units)


def difference_status(differences: Differences, procedure: Procedure) -> str:
    """Return the status word of a test of differences of scores."""
    estimate, error, _, word = differences.mean
    if error != 0.0 or word != "ok":
        return spread_status(differences, procedure.method)
    if not differences.d.any():
        return "no_difference"
    if procedure.method == "sign-flip":
        return "no_interval" if estimate else "ok"
    return unvaried_status(estimate, procedure.claim.margin, "no_difference")


def spread_status(differences: Differences, method: str = "t") -> str:
    """Return the status word of a mean whose standard error is not 0."""
    links, (estimate, error, df, word) = differences.items.links, differences.mean
    if word != "ok":
        return word
    if links.groups is not None:
        return cluster_status(df, fewest=NORMAL_DF if method == "bootstrap" else FEWEST_DF)
    alike = differences.design.weights is None and links.strata is None and differences.lags is None
    n = differences.d.size
    square = error * error * n * (n - 1.0)
    rough = alike and method != "sign-flip" and is_lopsided(differences.d, estimate, square)
    return cluster_status(df, "small_sample" if rough else "ok")


SCORE = "score test of paired proportions"
BOUNDED = "score test of bounded differences"
HARDLY = 0.5  # share of differences that are 0 from which standard errors tell too little


def greatest_difference(items: Items) -> float:
    """Return the greatest difference that there can be: 1 of answers, else the scores' range.

    Of differences alone it is 1 if all are -1, 0 or 1, else the greatest of them. 0 if unknown.
    """
    given = (items.scores,) if items.samples is None else items.samples
    if len(items.names) == 1:
        size = np.abs(items.scores)
        return 1.0 if are_answers(size) else float(size.max())
    if all(map(are_answers, given)):
        return 1.0
    return float(max(map(np.nanmax, given)) - min(map(np.nanmin, given)))


def are_few_valued(scores: Sequence[Vector], d: Vector) -> bool:
    """Return whether all scores are 0 or 1, or more than half of their differences are 0."""
    if np.count_nonzero(d) < HARDLY * d.size:
        return True
    return all(are_answers(np.abs(x)) for x in scores)


def bounded_mean(
    d: Vector, weights: Vector | None, most: float, error: float, df: float, *, plain: bool
) -> BoundedMean:
    """Return the differences as the score test takes them; `plain` ones are independent."""
    values, places = np.unique(d, return_inverse=True)
    shares = np.bincount(places, weights) / (d.size if weights is None else weights.sum())
    if plain:
        return BoundedMean(values, shares, most, float(d.size))
    n = d.size if weights is None else float(weights.sum()) ** 2 / float(weights @ weights)
    return BoundedMean(values, shares, most, worth(values, shares, n, error), df)


def worth(values: Vector, shares: Vector, n: float, error: float) -> float:
    """Return as how many independent items dependent ones count, n where nothing varies.

    Those whose mean has the same standard error: Korn, Graubard (1998) for a proportion. They may
    be more than there are, by the chance that `df` takes into account.
    """
    variance = float(shares @ np.square(values - float(shares @ values)))
    if error <= 0.0 or variance <= 0.0:
        return n
    return n / (n - 1.0) * variance / (error * error)


def by_auto(differences: Differences, procedure: Procedure) -> Fields:
    """Return the test that suits the scores."""
    (_, error, df, word), claim = differences.mean, procedure.claim
    if word != "ok" or differences.lags is not None:
        return by_student(differences, procedure)
    given = differences.items.samples or tuple(differences.items.scores.T)
    title = STUDENT if differences.items.links.groups is None else CLUSTERED
    if are_few_valued(given, differences.d):
        most = greatest_difference(differences.items)
        if not differences.d.any():
            return unvaried_test(differences, claim, most, title)
        if most > claim.margin:
            links, weights = differences.items.links, differences.design.weights
            plain = weights is None and links.groups is None and links.strata is None
            mean = bounded_mean(differences.d, weights, most, error, df, plain=plain)
            skewness = Skewness() if links.groups is None else differences.skewness
            mean = mean._replace(skewness=float(skewness.told))
            return bounded_test(mean, differences.mean.estimate, error, claim, df, skewness.seen)
    if not error > 0.0:
        return by_student(differences, procedure)
    ends = SkewedEnds(differences.mean.estimate, error, df, differences.skewness.told)
    return skewed_test(ends, claim, title, differences.skewness.seen)


def unvaried_test(differences: Differences, claim: Claim, most: float, title: str) -> Fields:
    """Return the test of models that never differ, by units or their signs."""
    estimate, error, df, _ = differences.mean
    bound = differences.units._replace(most=most if most > claim.margin else math.inf)
    test = student_test(StudentEnds(estimate, error, df), claim, title, bound)
    return {**test, "status": "no_difference"}


def bounded_test(
    mean: BoundedMean, estimate: float, error: float, claim: Claim, df: float, seen: float = 0.0
) -> Fields:
    """Return the score test of bounded differences, of clusters with what skewness is `seen`."""
    statistic, p = mean.test(*claim)
    answers = mean.most == 1.0 and bool(np.isin(mean.values, (-1.0, 0.0, 1.0)).all())
    title = SCORE if answers else BOUNDED
    word = doubted_word(statistic, p.pvalue, seen, df, claim)
    fields = Fields(method=title, _letter="z", _tails=mean, status="ok")
    if mean.df < math.inf:
        link = f" and {SKEWED}" if mean.skewness else ""
        fields["method"] += f", effective number of items{link}"
        fields["_letter"], fields["status"] = letter_of(mean.df), cluster_status(df, word)
    return fields | inferred(estimate, error, statistic, p, *claim)


def skewed_test(ends: SkewedEnds, claim: Claim, title: str, seen: float) -> Fields:
    """Return Student's t, with Hall's cubic if scores are skewed, as the sample `seen` hints."""
    if ends.skewness == 0.0:
        fields = student_test(StudentEnds(*ends[:3]), claim, title)
    else:
        method = f"{title} {'with' if title == STUDENT else 'and'} {SKEWED}"
        letter = letter_of(ends.df)
        fields = Fields(**ends.infer(*claim), method=method, _letter=letter, _tails=ends)
    word = doubted_word(fields["statistic"], fields["pvalue"], seen, ends.df, claim)
    return {**fields, "status": cluster_status(ends.df, word)}


def doubted_word(t: float, p: float, seen: float, df: float, claim: Claim) -> str:
    """Return 'small_sample' of a claim away from a long tail that few scores may have."""
    doubted = p < DOUBTFUL and has_long_tail(t, seen, df, claim.alternative)
    return "small_sample" if doubted else "ok"


METHODS: dict[str, Callable[[Differences, Procedure], Fields]] = {  # of `PairedMeanResult`
    "auto": by_auto,
    "t": by_student,
    "sign-flip": by_flips,
    "bootstrap": by_resampling,
}


NEAR_ZERO = 2.0**-45  # of the sizes of its terms: a sum up to here is rounding alone


def lagged_mean(d: Vector, lags: int, largest: float) -> ItemMean:
    """Return the mean of differences of scores up to `largest` in size, in time order."""
    n, h = d.size, lags + 1
    mean = float(d.mean())
    if n < 2:
        return ItemMean(mean, math.nan, math.nan, "one_case")
    e = d - mean
    g = np.array([e[k:] @ e[: n - k] for k in range(h)]) / n
    if g[0] <= (ROUNDING * largest) ** 2:
        return ItemMean(mean, 0.0, n - 1.0, "ok")
    counts = np.full(h, 2.0)
    counts[0] = 1.0
    variance, word = float(counts @ g), "ok"
    if variance <= NEAR_ZERO * float(counts @ np.abs(g)):
        variance, word = float(counts * (1.0 - np.arange(h) / h) @ g), "bartlett"
    error = math.sqrt(max(variance, 0.0) / n) * n / math.sqrt((n - h) * (n - h + 1.0))
    return ItemMean(mean, error, n - 1.0, word)


def differences_of(items: Items, d: Vector, lags: int | None) -> Differences:
    """Return differences of scores, or one model's scores, with how their mean varies."""
    design, largest = mean_design(items.links), float(np.abs(items.scores).max())
    mean = item_mean(d, design, largest) if lags is None else lagged_mean(d, lags, largest)
    return Differences(items, d, mean, design, lags)


def design_word(links: ItemLinks, lags: int | None = None) -> str:
    """Return the word for how items depend on each other."""
    if lags is not None:
        return "time order"
    if links.others is not None:
        return "two-way clusters"
    strata = "" if links.strata is None else "strata"
    if links.groups is None:
        return strata or "independent"
    return "clusters in strata" if strata else "clusters"


def item_fields(items: Items, design: MeanDesign, lags: int | None = None) -> Fields:
    """Return the fields of a result that say which models answered which items."""
    return Fields(
        names=items.names,
        n=items.links.n,
        n_clusters=design.n_clusters,
        n_strata=design.n_strata,
        n_dropped=items.n_dropped,
        design=design_word(items.links, lags),
    )


class OfItems:
    """A result of items, which says how many there are."""

    __slots__ = ()
    _row: ClassVar[str] = "item"
    _states_dropped: ClassVar[bool] = True

    def _counted(
        self, samples: Vector | None = None, weighted: bool = False, unit: str = "item"
    ) -> str:
        """Return how many items, samples, clusters and strata there are, and how many missed.

        `samples` are those of each model, which may be one an item.
        """
        result: Any = self
        n, n_clusters, n_strata = result.n, result.n_clusters, getattr(result, "n_strata", 1)
        text = counted(n, f"weighted {unit}" if weighted else unit)
        if samples is not None and samples.max() > n:
            counts = " and ".join(f"{count:g}" for count in sorted(set(samples.tolist())))
            text += f" with {counts} samples"
        if n_clusters < n:
            text += f" in {counted(n_clusters, 'cluster')}"
        if n_strata > 1:
            text += f" in {n_strata} strata" if n_clusters == n else f" of {n_strata} strata"
        return text + (f", {result.n_dropped} dropped" if result.n_dropped else "")


def caution(status: str, df: float) -> str:
    """Return a sentence on what is approximate or undefined, to follow a result's own."""
    if status != "few_clusters":
        known = STATUSES[status]
        return "" if known.category is None else f" Caution: {known.meaning}."
    there = degrees_counted(df, ".3g")
    verb = "is" if there.startswith("1 ") else "are"
    return f" There {verb} only {there}, so the interval is wide."


def caution_of_all(df: float, k: int) -> str:
    """Return a sentence where max-t claims on all pairs of k models err more often than meant."""
    if math.isnan(df) or tells_correlations(df, k):
        return ""
    return (
        f" With only {degrees_counted(df, '.3g')} for {k} models max-t exceeds its level; use "
        "correction='holm'."
    )


def degrees_counted(df: float, form: str = ".4g") -> str:
    """Return how many degrees of freedom there are."""
    return f"{df:{form}} {'degree' if f'{df:{form}}' == '1' else 'degrees'} of freedom"
