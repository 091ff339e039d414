"""Bootstrap test of two AUCs of the same cases, and replicates of k AUCs and their differences.

All replicates are whole numbers, twice the pairs that positives win, 2 m n AUC, so AUCs and their
differences are rounded once. `Replicates` has those of k AUCs or of their differences, with
intervals by order statistics, BCa or the normal distribution, and simultaneous ones by the quantile
of the largest studentized deviation (sup-t).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypedDict, TypeVar, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.documented import with_engine_options
from .._base.exceptions import hint
from .._base.memory import reserve
from .._base.types import Alternative, AnyArray, NanPolicy, Undefined, Vector
from .._inference.pvalues import claim_ends, interval_ends
from .._inference.status import difference_status, sample_status
from .._inputs.chunks.device import are_elsewhere
from .._inputs.chunks.rows import Chunks, are_chunked, as_stream
from .._inputs.options import as_choice, check_level, check_undefined
from .._inputs.scores import Cases, ScoreTable, as_cases, refuse_extras
from .._inputs.weights import check_weighed
from .._resampling.bootstrap import (
    BootstrapResult,
    Claim,
    DrawOptions,
    Draws,
    ReplicateSummary,
    as_claim,
    as_draws,
    bca_acceleration,
    bootstrap_fields,
    draw_replicates,
    summarize_replicates,
)
from .._resampling.replicates import (
    METHODS,
    OrderStatistics,
    Tails,
    bootstrap_tails,
    replicate_pvalue,
)
from .._results.caution import Cautious, with_caution
from .._results.pairs import Chosen
from .._results.records import ConfidenceInterval
from ._bootstrap_walks import (
    DifferenceErrors,
    Units,
    class_fields,
    concordance_counts,
    grouped_status,
    poisson_of_stream,
    poisson_on_device,
    resampling_units,
)
from ._components import Components, as_components, index_pairs, pair_moments
from ._differences import AUCDifference, OfClasses, caution
from ._intervals import unvaried_bound, unvaried_bound_of_cases

POISSON = "Poisson weights"


@dataclass(frozen=True, eq=False, kw_only=True)
class BootstrapAUCResult(OfClasses, BootstrapResult, AUCDifference):
    """Result of `bootstrap_auc_test`; `estimate` is ``auc[0] - auc[1]``."""

    resampling: str
    title: ClassVar[str] = "Bootstrap test of two AUCs on the same cases"
    _follows_sample: ClassVar[bool] = False

    def _caution(self) -> str:
        """Return a sentence about few cases, if the status says so."""
        return caution([self.status], (self.n_positive, self.n_negative), "the bootstrap")


R = TypeVar("R", bound=Cautious)
Compare = Callable[[Cases, Units, str, Draws, Claim], R]  # two models, by replicates


class SamplingOptions(DrawOptions, total=False):
    """Options of every bootstrap of scored cases."""

    groups: ArrayLike | None
    stratified: bool
    pos_label: object
    nan_policy: NanPolicy


class ValueOptions(TypedDict, total=False):
    """Options of functions of one value: how to read labels, drop missing values, and warn."""

    pos_label: object
    nan_policy: NanPolicy
    on_undefined: Undefined


class IntervalOptions(SamplingOptions, total=False):
    """Options of every interval of a measure."""

    method: str
    confidence_level: float
    keep: bool
    on_undefined: Undefined


class PairedTestOptions(SamplingOptions, total=False):
    """Options of every paired test."""

    method: str
    alternative: Alternative
    margin: float
    keep: bool
    on_undefined: Undefined


@with_engine_options(as_draws)
def as_resampling(
    y_true: ArrayLike,
    scores: Mapping[str, object],
    keep: bool = False,
    *,
    groups: ArrayLike | None = None,
    stratified: bool = True,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    **drawing: Unpack[DrawOptions],
) -> tuple[Cases, Units, Draws]:
    """Return the checked cases, the units to resample, and the options of drawing replicates.

    `scores` are the keyword arguments of `as_cases` for scores.
    """
    draws = as_draws(keep, **drawing)
    cases = as_cases(y_true, pos_label, nan_policy, groups, **scores)
    return cases, resampling_units(cases, stratified), draws


@with_engine_options(as_resampling)
def paired_bootstrap(
    compare: Compare[R],
    methods: tuple[str, ...],
    y_true: ArrayLike,
    y_score_a: ScoreTable,
    y_score_b: ArrayLike | None = None,
    *,
    method: str = "percentile",
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    keep: bool = False,
    on_undefined: Undefined = "warn",
    **sampling: Unpack[SamplingOptions],
) -> R:
    """Return the comparison of two models that scored the same cases, by resampling the cases.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bool, 0 and 1, or -1 and 1; anything else needs `pos_label`.
    y_score_a, y_score_b : array-like of shape (n,)
        The two models' scores of the same cases; a higher score means more likely positive.
    method : {'percentile', 'basic', 'bca', 'normal'}, default='percentile'
        As in `bootstrap_auc_test`; for 'bca' the acceleration comes from the jackknife over cases
        or clusters, or over 2048 groups of them in large samples.

    Warns
    -----
    UndefinedResultWarning
        If a class is missing or has one case, or the replicates do not vary.
    """
    check_undefined(on_undefined)
    method = as_choice("method", method, methods)
    claim = as_claim(alternative, margin)
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    cases, units, draws = as_resampling(y_true, scores, keep, **sampling)

    result = compare(cases, units, method, draws, claim)
    is_small = result.status == "small_sample"
    hint = few_cases_hint(methods, cases, claim) if is_small else ""
    return with_caution(result, on_undefined, hint)


def few_cases_hint(methods: tuple[str, ...], cases: Cases, claim: Claim) -> str:
    """Return the end of a warning of few cases: which tests to use instead, if any.

    Only the bootstrap of AUCs has the method 'studentized'; for other measures, and for groups, no
    better test is known.
    """
    if cases.groups is not None or "studentized" not in methods:
        return ""
    ways = f"{hint('use delong_test')}(reference='t')"
    return f": {ways}" if claim.margin else f": {ways} or permutation_auc_test"


@with_engine_options(paired_bootstrap)
def bootstrap_auc_test(
    y_true: ArrayLike | Chunks,
    y_score_a: ScoreTable | None = None,
    y_score_b: ArrayLike | None = None,
    **options: Unpack[PairedTestOptions],
) -> BootstrapAUCResult:
    """Bootstrap test of the difference between two classifiers' AUCs.

    Parameters
    ----------
    y_true : array-like of shape (n,), or chunks
        Labels: bool, 0 and 1, or -1 and 1; anything else needs `pos_label`. Or, without scores and
        with method='poisson', chunks of labels and scores as in `delong_test`.
    method : {'percentile', 'basic', 'bca', 'normal', 'studentized', 'poisson'}, \
            default='percentile'
        How the interval and the p-value are computed from the replicates. 'bca' corrects
        percentiles for bias and skewness; 'normal' uses only the standard deviation of the
        replicates, as pROC's test does; 'studentized' computes DeLong's standard error in every
        replicate. 'poisson' uses percentiles of replicates that weight each case independently by a
        Poisson count of mean 1; it is the only method for chunks, because a row has the same
        weights in any chunk, and for arrays on a GPU, as in `delong_test`.
    groups : array-like of shape (n,), optional
        Cluster of each case. Whole clusters are then resampled, and `stratified` is ignored.
    keep : bool, default=False
        Keep the replicates of the difference as ``distribution``.

    Warns
    -----
    UndefinedResultWarning
        If a class is missing or has one case, or the replicates do not vary.
    SmallSampleWarning
        If a class has fewer than 30 cases; ``status`` is "small_sample". With 2, 5, 10 and 20
        positives, 'percentile' rejects 21, 11, 8 and 8% of true null hypotheses at the 5% level.
        'studentized' is better for AUCs of .6 to .8 and worse near 1: 10% and more with up to 50
        positives. 'few_clusters', if the clusters with positives, or with negatives, carry fewer
        than 25 degrees of freedom (fewer than 26 clusters, or a few with most of the cases).

    Returns
    -------
    BootstrapAUCResult
        With ``statistic`` (the estimate, shifted by the margin, over its standard error),
        ``pvalue``, ``estimate`` (AUC_a - AUC_b), ``standard_error`` (of the replicates, for
        'studentized' DeLong's), ``auc`` (2,), ``n_resamples`` (valid ones), ``n_left_out``,
        ``seed`` (pass it as `rng` to repeat the result), ``resampling``, ``distribution``,
        ``confidence_interval(confidence_level)``.

    See Also
    --------
    bootstrap_auc : Several models, with intervals for all pairs.
    delong_test : Faster, with nearly the same result for more than a hundred cases.

    Notes
    -----
    With t = AUC_a - AUC_b, its B replicates t* and a = 1 - `confidence_level`, 'percentile' is::

        p = 2 min(1 + #(t* <= 0), 1 + #(t* >= 0)) / (B + 1)
        interval: t* of rank (B + 1) a / 2, rounded down, and (B + 1) (1 - a / 2), rounded up

    'basic' reflects both ends about t; 'studentized' uses (t* - t) / SE* instead of t*, with
    DeLong's standard errors; 'bca' shifts the ranks for bias and acceleration; 'normal' is t /
    sd(t*).

    Interval and p-value use the same order statistics: the p-value is at most alpha if and only if
    0 is outside the interval at 1 - alpha. No p-value is below 1 / (n_resamples + 1). Weights are
    exactly multinomial; replicate b depends only on (seed, b). Random numbers come from
    Philox4x32-10.

    With 'poisson', the weight of a case depends only on (seed, replicate, row number), so class
    sizes vary between replicates and AUCs are divided by those of the replicate; replicates without
    one of the classes are discarded. At the 5% level, it rejects 5.2% (AUC .75, 30 positives and 70
    negatives), 5.1% (AUC .75, 100 and 100) and 6.9% (AUC .9, 20 and 200) of true null hypotheses;
    'percentile' 5.5, 5.3 and 8.0%, with ``stratified=False`` 5.2, 5.1 and 6.8% (4,000 samples
    each). Chunks are read twice, and once more for every 8 million rows.

    References
    ----------
    .. [1] A. C. Davison, D. V. Hinkley (1997), doi:10.1017/CBO9780511802843.
    .. [2] B. Efron (1987), doi:10.1080/01621459.1987.10478410.
    .. [3] J. K. Salmon et al. (2011), doi:10.1145/2063384.2063405.
    .. [4] N. Chamandy et al. (2012), Estimating uncertainty for massive data streams, Google.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> a, b = data.scores["random_forest"], data.scores["decision_tree"]
    >>> result = fc.bootstrap_auc_test(data.y_true, a, b, method="bca", rng=0)
    >>> result.pvalue < 0.05, result.confidence_interval().low > 0
    (True, True)
    """
    method = options.get("method", "percentile")
    by_chunks = isinstance(method, str) and method == "poisson"
    scores = y_score_a, y_score_b
    by_stream = by_chunks and (are_chunked(scores) or are_elsewhere(y_true, *scores))
    if y_score_a is None or by_stream:
        return bootstrap_of_chunks((y_true, y_score_a, y_score_b), **options)
    methods = *METHODS, "poisson"
    return paired_bootstrap(compare_aucs, methods, y_true, y_score_a, y_score_b, **options)  # type: ignore[arg-type]


def bootstrap_of_chunks(
    inputs: Sequence[Any],
    *,
    method: str = "percentile",
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    groups: ArrayLike | None = None,
    stratified: bool = True,
    keep: bool = False,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
    **drawing: Unpack[DrawOptions],
) -> BootstrapAUCResult:
    """Return the Poisson bootstrap of two AUCs, of chunks, memory-mapped or device arrays.

    `inputs` are `y_true`, `y_score_a` and `y_score_b`, the last two None for chunks.
    """
    check_undefined(on_undefined)
    check_weighed(method, groups, stratified)
    claim = as_claim(alternative, margin)
    draws = as_draws(keep, **drawing)
    _, y_score_a, _ = inputs
    if y_score_a is not None and are_elsewhere(*inputs):
        (first, second), poisson = poisson_on_device(inputs, pos_label, nan_policy, draws)
    else:
        stream = as_stream(inputs, pos_label, nan_policy, k=2)
        first, second = stream.names
        poisson = poisson_of_stream(stream, draws)
    replicates, wins, (m, n), n_dropped = poisson
    summary, auc = summarize_differences(method, replicates, wins, (m, n))
    unvaried = None if summary.tails else unvaried_bound(m, n)
    result = BootstrapAUCResult(
        **bootstrap_fields(summary, draws, claim, unvaried),
        names=(first, second),
        auc=auc,
        status=status_of_difference(summary, auc, m, n, claim),
        resampling=POISSON,
        n_positive=m,
        n_negative=n,
        n_dropped=n_dropped,
    )
    return with_caution(result, on_undefined)


def status_of_difference(
    summary: ReplicateSummary, auc: Vector, m: int, n: int, claim: Claim
) -> str:
    """Return the status word of a difference of AUCs with its replicates."""
    error, estimate = summary.standard_error, summary.estimate
    return difference_status(m, n, error, estimate, auc.tolist(), margin=claim.margin)


def compare_aucs(
    cases: Cases, units: Units, method: str, draws: Draws, claim: Claim
) -> BootstrapAUCResult:
    """Return the bootstrap test of two AUCs of checked cases."""
    if method == "studentized":
        refuse_extras(cases, method, "'percentile' or 'bca'")
    if method == "poisson":
        check_weighed(method, cases.groups, units.title != "unstratified")
        units = resampling_units(cases, stratified=False)._replace(title=POISSON)
    summary, auc = bootstrap_difference(cases, units, method, draws)
    m, n = cases.sizes
    unvaried = None if summary.tails else unvaried_bound_of_cases(cases)
    word = status_of_difference(summary, auc, m, n, claim)
    return BootstrapAUCResult(
        **bootstrap_fields(summary, draws, claim, unvaried),
        names=cases.pair,
        auc=auc,
        status=grouped_status(cases, word),
        resampling=units.title,
        **class_fields(cases),
    )


def bootstrap_difference(
    cases: Cases, units: Units, method: str, draws: Draws
) -> tuple[ReplicateSummary, Vector]:
    """Return AUC_a - AUC_b with its replicates, and both AUCs.

    With fewer than two cases of a class there are no replicates. Replicates are counted pairs; only
    'studentized' and 'bca' need DeLong's components.
    """
    statistic = concordance_counts(cases, units)
    sizes = cases.sizes
    wins = statistic.on_data()
    auc, estimate = observed_aucs(wins, sizes)
    if method == "poisson":
        replicates = draw_replicates(statistic, units.sizes, draws, poisson=True)
        return summarize_differences(method, replicates, wins, sizes)
    if min(sizes) < 2:
        return summarize_replicates(method, estimate, np.empty(0)), auc
    if method == "studentized":
        with_errors = DifferenceErrors(statistic, row_labels(cases, units))
        replicates = draw_replicates(with_errors, units.sizes, draws)
        counts, errors = replicates[:-1], replicates[-1]
        error = math.sqrt(pair_moments(as_components(cases), 0, 1).variance)
        summary = summarize_replicates(
            method, estimate, auc_differences(counts), error=error, replicate_errors=errors
        )
        return summary, auc
    values = auc_differences(draw_replicates(statistic, units.sizes, draws))
    acceleration = 0.0
    if method == "bca":
        acceleration = bca_acceleration(unit_influence(as_components(cases), units))
    return summarize_replicates(method, estimate, values, acceleration=acceleration), auc


def observed_aucs(wins: list[int], class_sizes: tuple[int, int]) -> tuple[Vector, float]:
    """Return the AUCs and AUC_0 - AUC_1 from wins = 2mn AUC and sizes (m, n); NaN for mn = 0."""
    first, second = wins
    doubled_pairs = 2 * math.prod(class_sizes)
    if not doubled_pairs:
        return np.full(2, math.nan), math.nan
    auc = np.array((first / doubled_pairs, second / doubled_pairs))
    return auc, (first - second) / doubled_pairs


def summarize_differences(
    method: str, replicates: NDArray[Any], wins: list[int], class_sizes: tuple[int, int]
) -> tuple[ReplicateSummary, Vector]:
    """Return AUC_0 - AUC_1 with its replicates, none if a class has one case, and the AUCs."""
    auc, estimate = observed_aucs(wins, class_sizes)
    values = auc_differences(replicates) if min(class_sizes) > 1 else np.empty(0)
    return summarize_replicates(method, estimate, values), auc


def auc_differences(replicates: NDArray[Any], i: int = 0, j: int = 1) -> Vector:
    """Return AUC_i - AUC_j of every replicate, rounded once; NaN without one of the classes.

    `replicates` (k + 2, B) are 2mn AUC of k models, n and m.
    """
    differences = replicates[i].astype(np.int64) - replicates[j].astype(np.int64)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(differences / doubled_pair_counts(replicates))


def doubled_pair_counts(replicates: NDArray[Any]) -> Vector:
    """Return 2mn of every replicate, from its last two rows, n and m."""
    n, m = replicates[-2:].astype(np.float64)
    return np.asarray(2.0 * m * n)


def row_labels(cases: Cases, units: Units) -> NDArray[np.uint8]:
    """Return the label of every row of weights, if each row is one case."""
    labels = np.empty_like(cases.labels)
    labels[units.rows] = cases.labels
    return labels


def unit_influence(
    components: Components, units: Units, coefficients: dict[int, int] | None = None
) -> Vector:
    """Return each unit's influence on a contrast of AUCs {model: coefficient}.

    It is the sum of its cases' (V - mean V) / (m or n), V being the contrast of components. By
    default the contrast is AUC_0 - AUC_1.
    """
    placed = components.placed
    positive = components.labels == 1
    influence = np.zeros(positive.size)
    for model, coefficient in (coefficients or {0: 1, 1: -1}).items():
        influence += coefficient * placed[model].astype(np.float64)
    influence /= 2.0 * components.m * components.n
    for members in (positive, ~positive):
        influence[members] -= influence[members].mean()
    return np.bincount(units.rows, influence, sum(units.sizes)).astype(np.float64)


@dataclass(frozen=True, slots=True)
class Replicates:
    """Replicates (r, B) of r estimates (r,), with their accelerations (r,).

    `contrast` says whether the estimates are differences.
    """

    values: Vector
    estimate: Vector
    acceleration: Vector
    method: str
    contrast: bool = False

    @property
    def standard_deviation(self) -> Vector:
        """The standard deviations (r,), exactly 0 where all replicates are equal."""
        if self.values.shape[1] < 2:
            return np.full(self.estimate.size, np.nan)
        constant = (self.values == self.values[:, :1]).all(axis=1)
        return np.where(constant, 0.0, self.values.std(axis=1, ddof=1))

    @property
    def degenerate_limits(self) -> Vector:
        """0 for differences of models that are equal in all replicates, NaN for other estimates.

        Replicates of a model that do not vary say nothing about its precision.
        """
        is_point = self.contrast & (self.standard_deviation == 0.0) & (self.estimate == 0.0)
        return np.where(is_point, self.estimate, np.nan)

    def tails(self, row: int) -> Tails:
        """Return the tails of the estimate in this row."""
        acceleration = float(self.acceleration[row])
        estimate = float(self.estimate[row])
        return bootstrap_tails(self.method, self.values[row], estimate, acceleration=acceleration)

    def subset(self, chosen: Chosen) -> Replicates:
        """Return the replicates of the chosen estimates."""
        values, estimate = self.values[chosen], self.estimate[chosen]
        return replace(
            self, values=values, estimate=estimate, acceleration=self.acceleration[chosen]
        )

    def ends(self, level: float, alternative: str) -> tuple[Vector, Vector]:
        """Return the lower and the upper limits (r,) of the intervals at this level."""
        low, high = self.degenerate_limits, self.degenerate_limits  # two arrays
        for row in np.flatnonzero(self.standard_deviation > 0.0):
            row_tails = self.tails(int(row))
            low[row], high[row] = claim_ends(alternative, level, row_tails.low, row_tails.high)
        return low, high

    def simultaneous_ends(self, level: float, alternative: str) -> tuple[Vector, Vector]:
        """Return the limits of simultaneous intervals: estimate -+ q SE, the same q for all.

        q is the quantile of the largest studentized deviation of a replicate (sup-t, Montiel Olea
        and Plagborg-Moller 2019).
        """
        low = self.degenerate_limits
        high = self.degenerate_limits
        varies = self.standard_deviation > 0.0
        if not varies.any():
            return low, high
        estimate, error = self.estimate[varies], self.standard_deviation[varies]
        studentized = (self.values[varies] - estimate[:, None]) / error[:, None]
        sides = {"greater": studentized, "less": -studentized}
        largest = sides.get(alternative, abs(studentized)).max(axis=0)
        quantile = OrderStatistics(largest).high(1.0 - level)
        open_ends = (-math.inf, math.inf)
        ends = interval_ends(estimate, error, alternative, quantile, open_ends)
        low[varies], high[varies] = ends
        return low, high


def all_replicates(
    cases: Cases, units: Units, wins: list[int], replicates: AnyArray, method: str
) -> tuple[Replicates, Replicates]:
    """Return the replicates of all AUCs and of all differences.

    `wins` are 2mn AUC of each model, `replicates` (k + 2, B) those of replicates, n and m.
    """
    k = len(wins)
    pairs_of_models = index_pairs(k)
    total = 2 * math.prod(cases.sizes) or math.nan
    auc = np.array([w / total for w in wins])
    estimate = np.array([(wins[i] - wins[j]) / total for i, j in pairs_of_models])
    shape = len(pairs_of_models), replicates.shape[1]
    values = reserve(shape, hint="use fewer resamples or models")
    replicate_wins = replicates[:-2].astype(np.int64)
    doubled_pairs = doubled_pair_counts(replicates)
    start = 0
    with np.errstate(divide="ignore", invalid="ignore"):
        for i in range(k - 1):  # the differences of model i and all later ones
            stop = start + k - 1 - i
            lead = replicate_wins[i] - replicate_wins[i + 1 :]
            np.divide(lead, doubled_pairs, out=values[start:stop])
            start = stop
    contrasts = [{i: 1} for i in range(k)] + [{i: 1, j: -1} for i, j in pairs_of_models]
    acceleration = np.zeros(len(contrasts))
    if method == "bca" and replicates.shape[1]:
        components = as_components(cases)
        influences = (unit_influence(components, units, contrast) for contrast in contrasts)
        acceleration[:] = [bca_acceleration(influence) for influence in influences]
    models = Replicates(replicates[:-2] / doubled_pairs, auc, acceleration[:k], method)
    return models, Replicates(values, estimate, acceleration[k:], method, contrast=True)


def difference_pvalues(differences: Replicates, error: Vector, alternative: str) -> Vector:
    """Return the p-value of every difference: 1 if it and all its replicates are 0.

    NaN if its replicates do not vary otherwise; `error` are their standard deviations.
    """
    pvalue = np.where((error == 0.0) & (differences.estimate == 0.0), 1.0, np.nan)
    for row in np.flatnonzero(error > 0.0):
        pvalue[row] = replicate_pvalue(differences.tails(int(row)), alternative, 0.0).pvalue
    return pvalue


def pair_statuses(
    class_sizes: tuple[int, int], models: Replicates, differences: Replicates
) -> NDArray[np.str_]:
    """Return the status word of every pair of models, or that of the sample for one model."""
    error, estimate = differences.standard_deviation.tolist(), differences.estimate.tolist()
    auc = models.estimate.tolist()
    words = [
        difference_status(*class_sizes, error[row], estimate[row], (auc[i], auc[j]))
        for row, (i, j) in enumerate(index_pairs(models.estimate.size))
    ]
    return np.array(words or [model_status(class_sizes, models)], dtype="U32")


def model_status(class_sizes: tuple[int, int], models: Replicates) -> str:
    """Return the status word of one model: of its replicates if none varies, or of the sample."""
    (auc,) = models.estimate
    if models.standard_deviation == 0.0:
        return "constant_scores" if auc == 0.5 else "perfect_separation"
    return sample_status(*class_sizes)


def replicate_covariance(values: Vector) -> Vector:
    """Return the covariance (k, k) of k estimates over replicates, NaN for fewer than two."""
    if values.shape[1] < 2:
        return np.full((len(values), len(values)), np.nan)
    return np.atleast_2d(np.cov(values))


def replicate_interval(
    replicates: Replicates,
    confidence_level: float,
    alternative: str,
    bounds: tuple[float, float],
    *,
    simultaneous: bool,
) -> ConfidenceInterval:
    """Return the intervals (low, high) of all estimates, cut to the bounds.

    An infinite end, on the open side of a one-sided interval, becomes the bound itself.
    """
    ends = replicates.simultaneous_ends if simultaneous else replicates.ends
    low, high = ends(check_level(confidence_level), alternative)
    low, high = (np.where(np.isinf(end), np.clip(end, *bounds), end) for end in (low, high))
    return ConfidenceInterval.within(low, high, bounds)
