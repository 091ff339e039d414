"""The methods of `paired_mean_test`: score test, Student's t, Hall's cubic, flips, bootstrap, lags.

The bootstrap draws whole clusters inside each stratum. By ``method="auto"`` answers have the score
test, other scores Student's t or Hall's. Answers have two values, whatever these are. Their
differences, and others of which more than half are exactly 0, say nothing, by their standard error,
of differences that are rare and large: they have the score test of bounded differences, that of
`LinkedAnswers` in clusters or with weights, and where none differs the bound by as many units.
Other scores have Student's t with Hall's cubic where they are evidently skewed.

Differences in time order have dependent neighbours. With autocovariances g_k (divisor n), h = lags
+ 1 and

    v = g_0 + 2 sum over k < h of g_k        SE = sqrt(v / n) n / sqrt((n - h) (n - h + 1))

the mean over SE is Student's t with n - 1 degrees of freedom: Diebold and Mariano (1995) with the
correction of Harvey, Leybourne and Newbold (1997), doi:10.1016/S0169-2070(96)00719-4. Where v is
not above 0 each g_k takes Bartlett's weight 1 - k / h, with which it never is below.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from .._base.parallel import Checkpoint
from .._base.text import amount
from .._base.types import Fields, Matrix, Vector
from .._inference.answers import LinkedAnswers, count_by_cluster, item_layout, linked_answers
from .._inference.bounded import BoundedMean
from .._inference.clusters import FEWEST_DF, NORMAL_DF, cluster_status, supports_max_t
from .._inference.infer import ZeroVarianceBound, infer, infer_difference
from .._inference.item_scale import ItemScale, effective_items, item_scale
from .._inference.mean_pairs import IMPROBABLE, deviations_skewness
from .._inference.means import (
    ROUNDING,
    ItemMean,
    MeanDesign,
    VarianceTerm,
    are_integers,
    are_zero_or_one,
    cluster_totals,
    equal_units_bound,
    item_mean,
    mean_design,
)
from .._inference.pvalues import UNDEFINED
from .._inference.skewness import MOST_ITEMS, SKEWED, HallInterval, Skewness
from .._inference.status import caution_of_status, unvaried_status
from .._inference.unseen import ALPHA, UnseenFailures, unseen_failures
from .._inputs.items import ItemLinks, Items
from .._resampling.bootstrap import Claim, Draws, draw_replicates
from .._resampling.weights import Weights, row_slices
from ..kernels.drawing.exchange import add_weighted_sums
from ..kernels.drawing.streams import LANES
from ..paired._columns import STUDENT_TITLE, StudentEnds
from ..probabilities._losses import is_too_skewed
from ..probabilities._scoring_methods import percentile_test
from ._flips import flip_test


@dataclass(frozen=True, slots=True)
class ResampledMean:
    """Bootstrap statistic: the weighted mean, sum S_g / sum W_g over the drawn clusters.

    `rows` (2, G) are the clusters' sums of w d and of w.
    """

    rows: Matrix

    def __call__(self, weights: Weights, checkpoint: Checkpoint) -> Vector:
        """Return the means of 64 replicates."""
        sums = np.zeros((2, LANES))
        for clusters in row_slices(len(weights)):
            checkpoint()
            for row, total in zip(self.rows, sums, strict=True):
                add_weighted_sums(weights[clusters], row[clusters], total)
        return np.asarray(sums[0] / sums[1])


@dataclass(frozen=True, slots=True)
class ResampledModelMeans:
    """Bootstrap statistic: the weighted means of k models over the drawn clusters.

    `rows` (k + 1, G) are the clusters' sums of w x for each model, and of w in the last row.
    """

    rows: Matrix

    def __call__(self, weights: Weights, checkpoint: Checkpoint) -> Matrix:
        """Return the means (k, 64) of all models in 64 replicates."""
        sums = np.zeros((len(self.rows), LANES))
        for clusters in row_slices(len(weights)):
            checkpoint()
            sums += self.rows[:, clusters] @ weights[clusters].astype(np.float64)
        return np.asarray(sums[:-1] / sums[-1])


def bootstrap_model_means(scores: Matrix, design: MeanDesign, draws: Draws) -> Matrix:
    """Return the bootstrap replicates (k, B) of k models' means; whole clusters are resampled."""
    (part,) = design.terms
    weights = np.ones(len(scores)) if design.weights is None else design.weights
    values = np.column_stack((scores * weights[:, None], weights))
    rows, sizes = order_by_stratum(cluster_totals(values, part.groups, part.total).T, part)
    return np.asarray(draw_replicates(ResampledModelMeans(rows), sizes, draws))


def order_by_stratum(rows: Matrix, part: VarianceTerm) -> tuple[Matrix, tuple[int, ...]]:
    """Return rows of cluster sums sorted by stratum, and the number of clusters of each stratum."""
    if part.strata is None:
        return np.ascontiguousarray(rows), (part.total,)
    sizes = tuple(np.bincount(part.strata).tolist())
    return np.ascontiguousarray(rows[:, np.argsort(part.strata, kind="stable")]), sizes


def bootstrap_means(d: Vector, design: MeanDesign, draws: Draws) -> Vector:
    """Return the bootstrap replicates (B,) of a mean; clusters are resampled within strata."""
    (part,) = design.terms
    weights = np.ones(d.size) if design.weights is None else design.weights
    sums = np.stack([cluster_totals(x, part.groups, part.total) for x in (weights * d, weights)])
    rows, sizes = order_by_stratum(sums, part)
    return np.asarray(draw_replicates(ResampledMean(rows), sizes, draws)[0])


CLUSTERED_TITLE = f"{STUDENT_TITLE} with clustered standard error"


class Differences(NamedTuple):
    """Items, the differences d (n,) of their scores, the mean of d, and its design."""

    items: Items
    d: Vector
    mean: ItemMean
    design: MeanDesign
    lags: int | None = None

    @property
    def units(self) -> ZeroVarianceBound:
        """The bound on a mean of items or clusters whose differences are all equal."""
        return equal_units_bound(self.items.links, math.inf)

    @property
    def skewness(self) -> Skewness:
        """The skewness of the mean difference."""
        return deviations_skewness(self.d - self.mean.estimate, self.design)


class Procedure(NamedTuple):
    """The method of a test with its alternative and margin; `draws` are None for exact methods."""

    method: str
    claim: Claim
    draws: Draws | None


def by_student(differences: Differences, procedure: Procedure) -> Fields:
    """Return the paired t-test, or that of Diebold and Mariano for items in time order."""
    estimate, error, df, _ = differences.mean
    unvaried = None if error > 0.0 else differences.units
    title = STUDENT_TITLE
    if differences.lags is not None:
        title = f"Diebold-Mariano test with {amount(differences.lags, 'lag')}"
    elif differences.items.links.groups is not None:
        title = CLUSTERED_TITLE
    return student_test(StudentEnds(estimate, error, df), procedure.claim, title, unvaried)


def student_test(
    student_ends: StudentEnds, claim: Claim, title: str, unvaried: ZeroVarianceBound | None = None
) -> Fields:
    """Return the fields of the t-test of a mean with these Student ends, named `title`."""
    estimate, error, df = student_ends
    test = infer(estimate, error, *claim, df=df, unvaried=unvaried)
    return Fields(**test, method=title, _letter=t_label(df), _tails=student_ends)


def t_label(df: float) -> str:
    """Return the name of Student's t with its degrees of freedom, as "t(11.4)"."""
    return f"t({round(df, 2):.10g})"


def by_flips(differences: Differences, procedure: Procedure) -> Fields:
    """Return the sign-flip permutation test, which flips the signs of whole clusters."""
    estimate, error, *_ = differences.mean
    claim, draws = procedure.claim, procedure.draws
    assert draws is not None
    fields = Fields(method="sign-flip permutation test", _letter="", _tails=None)
    if not differences.design.terms:
        return fields | infer_difference(estimate, error, math.nan, UNDEFINED, *claim)
    p, fields["_tails"], replicates = flip_test(differences.items, differences.d, claim, draws)
    if replicates is None:
        fields["method"] += ", exact"
    else:
        fields["n_resamples"], fields["seed"] = replicates.size, draws.seed
        fields["distribution"] = replicates if draws.keep else None
    unvaried = None
    if not differences.d.any():  # the bound of as many fair signs as clusters, of any sizes
        unvaried = differences.units._replace(units=float(differences.design.n_clusters))
    return fields | infer_difference(estimate, error, estimate, p, *claim, unvaried)


def by_resampling(differences: Differences, procedure: Procedure) -> Fields:
    """Return the percentile bootstrap's test; whole clusters are resampled."""
    estimate, error, *_ = differences.mean
    claim, draws = procedure.claim, procedure.draws
    assert draws is not None
    values = np.full(draws.n, estimate)  # resampled means of equal numbers would differ by rounding
    if not differences.design.terms:
        values = np.empty(0)
    elif error > 0.0:
        values = bootstrap_means(differences.d, differences.design, draws)
    return percentile_test(values, differences.d, estimate, draws, claim, differences.units)


def difference_status(differences: Differences, procedure: Procedure) -> str:
    """Return the status word of a test of differences of scores."""
    estimate, error, _, status = differences.mean
    if error != 0.0 or status != "ok":
        return varying_mean_status(differences, procedure.method)
    if not differences.d.any():
        return "no_difference"
    if procedure.method == "sign-flip":
        return "no_interval" if estimate else "ok"
    return unvaried_status(estimate, procedure.claim.margin, "no_difference")


def varying_mean_status(differences: Differences, method: str = "t") -> str:
    """Return the status word of a mean whose standard error is not 0."""
    estimate, error, df, status = differences.mean
    links = differences.items.links
    if status != "ok":
        return status
    if links.groups is not None:
        return cluster_status(df, fewest=NORMAL_DF if method == "bootstrap" else FEWEST_DF)
    has_weights = differences.design.weights is not None
    if has_weights or links.strata is not None or differences.lags is not None:
        return cluster_status(df)
    n = differences.d.size
    squares = error * error * n * (n - 1.0)
    too_skewed = method != "sign-flip" and is_too_skewed(differences.d, estimate, squares)
    return cluster_status(df, "small_sample" if too_skewed else "ok")


SCORE_TITLE = "score test of paired proportions"
LINKED_TITLE = "paired t-test of dependent or weighted answers"
BOUNDED_TITLE = "score test of bounded differences"
LARGEST_NONZERO_SHARE = 0.5  # below, standard errors do not show how large rare differences are


def greatest_difference(items: Items) -> float:
    """Return the greatest possible difference of two scores: 1 for 0/1 answers, else their range.

    For differences without scores it is 1 if all are -1, 0 or 1, else the largest |d|. For scores
    that are all equal it is their size, as if the worst score were 0, and at least 1.
    """
    tables = (items.scores,) if items.samples is None else items.samples
    if items.width is not None:
        return items.width
    if len(items.names) == 1:
        size = np.abs(items.scores)
        return 1.0 if are_zero_or_one(size) else float(size.max())
    if all(map(are_zero_or_one, tables)):
        return 1.0
    low, high = float(min(map(np.nanmin, tables))), float(max(map(np.nanmax, tables)))
    return high - low if high > low else max(abs(high), 1.0)


def have_two_values(scores: Sequence[Vector], gap: float, *, only_differences: bool) -> bool:
    """Return whether all scores have one of two values, `gap` apart.

    With `only_differences`, `scores` are differences: whether all are -gap, 0 or gap. The first
    hundred numbers are checked first, since they suffice for continuous scores.
    """
    for rows in (slice(100), slice(None)):
        columns = [np.abs(x[rows]) if only_differences else x[rows] for x in scores]
        low = 0.0 if only_differences else min(float(np.nanmin(x)) for x in scores)
        if not all(((x == low) | (x == low + gap) | np.isnan(x)).all() for x in columns):
            return False
    return True


def are_mostly_zero(d: Vector) -> bool:
    """Return whether more than half of the differences are exactly 0."""
    return bool(np.count_nonzero(d) < LARGEST_NONZERO_SHARE * d.size)


def bounded_mean(
    d: Vector, weights: Vector | None, most: float, error: float, df: float, *, linked: bool = False
) -> BoundedMean:
    """Return the distribution of differences for the score test: values, shares, effective n.

    `most` is the largest |d| that scores allow. `linked` differences are clustered or weighted:
    `error` gives their effective number.
    """
    values, index_of_value = np.unique(d, return_inverse=True)
    shares = np.bincount(index_of_value, weights) / (d.size if weights is None else weights.sum())
    if not linked:
        return BoundedMean(values, shares, most, float(d.size))
    n = d.size if weights is None else float(weights.sum()) ** 2 / float(weights @ weights)
    return BoundedMean(values, shares, most, effective_clusters(values, shares, n, error), df)


def effective_clusters(values: Vector, shares: Vector, n: float, error: float) -> float:
    """Return the number of independent items whose mean has this standard error, n if it is 0.

    It is Korn and Graubard's (1998) effective size, for any values; it may exceed n by chance,
    which the degrees of freedom take into account.
    """
    variance = float(shares @ np.square(values - float(shares @ values)))
    if error <= 0.0 or variance <= 0.0:
        return n
    return n / (n - 1.0) * variance / (error * error)


def by_auto(differences: Differences, procedure: Procedure) -> Fields:
    """Return the test that method 'auto' chooses.

    The score test of answers or of mostly equal scores, the bound of equal scores, else Student's
    t, with Hall's correction if differences are evidently skewed.
    """
    claim = procedure.claim
    if differences.mean.status != "ok" or differences.lags is not None:
        return by_student(differences, procedure)
    title = STUDENT_TITLE if differences.items.links.groups is None else CLUSTERED_TITLE
    greatest = greatest_difference(differences.items)
    if not differences.d.any():
        return no_difference_test(differences, claim, greatest, title)
    if greatest > claim.margin:
        test = few_values_test(differences, claim, greatest)
        if test is not None:
            return test
    if not differences.mean.standard_error > 0.0:
        return by_student(differences, procedure)
    return skewed_test(skewed_mean(differences), claim, title)


def few_values_test(differences: Differences, claim: Claim, greatest: float) -> Fields | None:
    """Return the score test of 0/1 answers or of differences that are mostly 0, None for others.

    `greatest` is the `greatest_difference` that the items' scores allow.
    """
    items, d, (estimate, error, df, _), design, _ = differences
    tables = items.samples or tuple(items.scores.T)
    varies = bool(np.ptp(d) > 0.0) or are_integers(d)  # other equal differences have no variance
    only_differences = len(items.names) == 1
    two_values = varies and have_two_values(tables, greatest, only_differences=only_differences)
    links = items.links._replace(n=0, weights=design.weights)
    _, *groups_strata_weights = links
    linked = any(link is not None for link in groups_strata_weights)
    if not linked and (two_values or are_mostly_zero(d)):
        return bounded_test(bounded_mean(d, None, greatest, error, df), estimate, error, claim)
    if linked and two_values and items.samples is None:
        return linked_test(linked_answers_of_items(differences, greatest), error, claim)
    if linked and claim.margin and (two_values or are_mostly_zero(d)):
        mean = bounded_mean(d, design.weights, greatest, error, df, linked=True)
        return bounded_test(mean, estimate, error, claim)
    return None


def linked_answers_of_items(differences: Differences, gap: float) -> LinkedAnswers:
    """Return the differences of 0/1 answers to items that are clustered, stratified or weighted.

    `gap` is the difference between the scores of a right and a wrong answer.
    """
    items, d, mean, design, _ = differences
    links = items.links._replace(weights=design.weights)
    weight = np.ones(d.size) if links.weights is None else links.weights
    discordant = d > 0.0, d < 0.0  # items that only the first or only the second model gets right
    a_alone, b_alone = (float(weight[x].sum()) / float(weight.sum()) for x in discordant)
    accuracies = (1.0, 1.0)
    if len(items.names) == 2:
        accuracy = (design.means(items.scores) - float(items.scores.min())) / gap
        accuracies = (float(accuracy[0]), float(accuracy[1]))
    above, below = (count_by_cluster(x, links.groups) for x in discordant)
    layout = item_layout(links)
    return linked_answers(mean[:3], (a_alone, b_alone), accuracies, (above, below), layout, gap)


def linked_test(answers: LinkedAnswers, error: float, claim: Claim) -> Fields:
    """Return the t-test of dependent answers, with at least the variance of unseen failures.

    The better model may fail alone on items of a kind that the sample does not contain.
    """
    if claim.margin:
        answers = answers.for_margin_claims()
    statistic, p = answers.test(*claim)
    doubtful = answers.is_doubtful(p.pvalue, *claim)
    return Fields(
        method=LINKED_TITLE,
        _letter=t_label(answers.df),
        _tails=answers,
        status=cluster_status(answers.df, "small_sample" if doubtful else "ok"),
        _unseen=answers.failures(*claim),
        **infer_difference(answers.width * answers.estimate, error, statistic, p, *claim),
    )


class SkewedMean(NamedTuple):
    """A mean's interval ends, as yet without Hall's correction, and its estimated skewness."""

    ends: HallInterval
    skewness: Skewness

    def with_failure_bound(self, distances: tuple[Any, Any], units: float) -> "SkewedMean":
        """Return the mean with a correction that unseen failures of `units` items bound.

        `distances` are how far one item can move the difference against either model.
        """
        first, second = map(float, distances)
        return self._replace(ends=self.ends._replace(distances=(first, second), units=units))

    def is_doubtful(self, pvalue: float, claim: Claim) -> bool:
        """Return whether skewness may explain a significant test, and unseen failures do not.

        With the largest plausible skewness the test is not significant.
        """
        if not pvalue <= ALPHA:
            return False
        ends = self.ends
        suspected = float(self.skewness.suspected(claim.alternative))
        skewed = HallInterval(ends.estimate, ends.standard_error, ends.df, suspected)
        if not skewed.infer(*claim)["pvalue"] > ALPHA:
            return False
        failures = unseen_failures(ends.estimate, ends.distances, ends.units, *claim)
        return bool(failures.probability >= IMPROBABLE)


def item_failures(differences: Differences, claim: Claim, pvalue: float) -> UnseenFailures | None:
    """Return the unseen failures that would explain a significant difference of bounded scores.

    None if it is not significant, or only differences are known, in time order or for many items.
    """
    items, _, mean, design, lags = differences
    if not pvalue <= ALPHA or len(items.names) == 1 or lags or design.n > MOST_ITEMS:
        return None
    cells = (np.array([0]), np.array([1]))
    return item_scale(items, design, cells).failures(np.array([mean.estimate]), *claim).at(0)


def skewed_mean(differences: Differences) -> SkewedMean:
    """Return the mean difference with its skewness, and in clusters a bound of the correction."""
    items, d, (estimate, error, df, _), design, _ = differences
    mean = SkewedMean(HallInterval(estimate, error, df, 0.0), differences.skewness)
    groups = items.links.groups
    if groups is None or design.weights is not None or not design.is_plain:
        return mean
    only_differences = len(items.names) == 1
    columns = (d, np.zeros(1)) if only_differences else tuple(items.scores.T)
    low = min(float(x.min()) for x in columns)
    high = max(float(x.max()) for x in columns)
    mean_a, mean_b = (float(x.mean()) for x in columns)
    units = float(effective_items(d - estimate, np.bincount(groups), design))
    return mean.with_failure_bound(ItemScale((mean_a, mean_b), low, high).distances, units)


def no_difference_test(differences: Differences, claim: Claim, most: float, title: str) -> Fields:
    """Return the test of models without any difference, by the bound of as many equal units.

    `most` is the largest difference that scores allow.
    """
    estimate, error, df, _ = differences.mean
    bound = differences.units._replace(most=most if most > claim.margin else math.inf)
    test = student_test(StudentEnds(estimate, error, df), claim, title, bound)
    return {**test, "status": "no_difference"}


def bounded_test(mean: BoundedMean, estimate: float, error: float, claim: Claim) -> Fields:
    """Return the fields of the score test of bounded differences."""
    statistic, p = mean.test(*claim)
    are_answers = bool(np.isin(mean.values, (-mean.most, 0.0, mean.most)).all())
    title = SCORE_TITLE if are_answers else BOUNDED_TITLE
    fields = Fields(method=title, _letter="z", _tails=mean, status="ok")
    if mean.df < math.inf:
        fields["method"] += ", effective number of items"
        fields["_letter"], fields["status"] = t_label(mean.df), cluster_status(mean.df)
    return fields | infer_difference(estimate, error, statistic, p, *claim)


def skewed_test(mean: SkewedMean, claim: Claim, title: str) -> Fields:
    """Return Student's t, with Hall's cubic if scores are evidently skewed."""
    ends = mean.ends._replace(skewness=float(mean.skewness.used))
    if ends.skewness == 0.0:
        fields = student_test(StudentEnds(*ends[:3]), claim, title)
    else:
        joined_by = "and" if " with " in title else "with"
        method = f"{title} {joined_by} {SKEWED}"
        letter = t_label(ends.df)
        fields = Fields(**ends.infer(*claim), method=method, _letter=letter, _tails=ends)
    is_doubtful = mean.is_doubtful(fields["pvalue"], claim)
    return {**fields, "status": cluster_status(ends.df, "small_sample" if is_doubtful else "ok")}


METHODS: dict[str, Callable[[Differences, Procedure], Fields]] = {  # of `PairedMeanResult`
    "auto": by_auto,
    "t": by_student,
    "sign-flip": by_flips,
    "bootstrap": by_resampling,
}


ROUNDING_SHARE = 2.0**-45  # of the sum of |terms|: a variance up to here is due to rounding


def lagged_mean(d: Vector, lags: int, largest: float) -> ItemMean:
    """Return the mean of differences in time order, by Diebold and Mariano's standard error.

    `largest` is the greatest |score|; variances within the rounding of such scores are 0.
    """
    n = d.size
    h = lags + 1
    mean = float(d.mean())
    if n < 2:
        return ItemMean(mean, math.nan, math.nan, "one_case")
    deviations = d - mean
    autocovariances = np.array([deviations[k:] @ deviations[: n - k] for k in range(h)]) / n
    if autocovariances[0] <= (ROUNDING * largest) ** 2:
        return ItemMean(mean, 0.0, n - 1.0, "ok")
    factors = np.full(h, 2.0)  # of g_k in v
    factors[0] = 1.0
    variance = float(factors @ autocovariances)
    status = "ok"
    if variance <= ROUNDING_SHARE * float(factors @ np.abs(autocovariances)):
        variance = float(factors * (1.0 - np.arange(h) / h) @ autocovariances)
        status = "bartlett"
    error = math.sqrt(max(variance, 0.0) / n) * n / math.sqrt((n - h) * (n - h + 1.0))
    return ItemMean(mean, error, n - 1.0, status)


def differences_of(items: Items, d: Vector, lags: int | None) -> Differences:
    """Return differences d of scores, or one model's scores, with their mean and its design."""
    design = mean_design(items.links)
    largest = float(np.abs(items.scores).max())
    mean = item_mean(d, design, largest) if lags is None else lagged_mean(d, lags, largest)
    return Differences(items, d, mean, design, lags)


def design_name(links: ItemLinks, lags: int | None = None) -> str:
    """Return the name of the sampling design, such as 'clusters in strata' or 'time order'."""
    if lags is not None:
        return "time order"
    if links.others is not None:
        return "two-way clusters"
    strata = "" if links.strata is None else "strata"
    if links.groups is None:
        return strata or "independent"
    return "clusters in strata" if strata else "clusters"


def item_fields(items: Items, design: MeanDesign, lags: int | None = None) -> Fields:
    """Return the fields of a result that name models and count items, clusters and strata."""
    return Fields(
        names=items.names,
        n=items.links.n,
        n_clusters=design.n_clusters,
        n_strata=design.n_strata,
        n_dropped=items.n_dropped,
        design=design_name(items.links, lags),
    )


class ItemsResult:
    """Mixin of results of scores per item: it counts items, samples and clusters in words."""

    __slots__ = ()
    _row: ClassVar[str] = "item"
    _states_dropped: ClassVar[bool] = True

    def _counted(
        self, samples: Vector | None = None, weighted: bool = False, unit: str = "item"
    ) -> str:
        """Return the numbers of items, samples, clusters and strata in words, and of dropped items.

        `samples` (k,) are the numbers of samples of all items by model.
        """
        result: Any = self
        n, n_clusters, n_strata = result.n, result.n_clusters, getattr(result, "n_strata", 1)
        text = amount(n, f"weighted {unit}" if weighted else unit)
        if samples is not None and samples.max() > n:
            counts = " and ".join(f"{count:g}" for count in sorted(set(samples.tolist())))
            text += f" with {counts} samples"
        if n_clusters < n:
            text += f" in {amount(n_clusters, 'cluster')}"
        if n_strata > 1:
            text += f" in {n_strata} strata" if n_clusters == n else f" of {n_strata} strata"
        return text + (f", {result.n_dropped} dropped" if result.n_dropped else "")


def caution_sentence(status: str, df: float) -> str:
    """Return a sentence on what the status calls approximate, else ''."""
    if status != "few_clusters":
        return caution_of_status(status)
    degrees = df_text(df, ".3g")
    verb = "is" if degrees.startswith("1 ") else "are"
    return f" There {verb} only {degrees}, so the interval is wide."


def max_t_caution(df: float, k: int) -> str:
    """Return a sentence that max-t exceeds its level with so few degrees of freedom, else ""."""
    if math.isnan(df) or supports_max_t(df, k):
        return ""
    return (
        f" With only {df_text(df, '.3g')} for {k} models max-t exceeds its level; use "
        "correction='holm'."
    )


def df_text(df: float, form: str = ".4g") -> str:
    """Return the degrees of freedom in words, as "3.5 degrees of freedom"."""
    number = f"{df:{form}}"
    return f"{number} {'degree' if number == '1' else 'degrees'} of freedom"
