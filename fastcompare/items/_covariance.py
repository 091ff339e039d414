"""The covariance of the mean scores of k models on the same items, and the test that all agree."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar, NamedTuple, Unpack

import numpy as np

from .._base.documented import with_engine_options
from .._base.text import ends_of_range, plural
from .._base.types import Fields, Matrix, NanPolicy, Undefined, Vector
from .._inference.clusters import cluster_status
from .._inference.infer import OmnibusOutcome, hotelling_f, quadratic_form
from .._inference.item_scale import Cells
from .._inference.mean_pairs import (
    PairMeans,
    means_and_covariance,
    pair_failures,
    pair_means,
    pair_statistics,
    pair_variances,
    suspected_statistics,
    with_answer_variances,
    with_skewness,
)
from .._inference.means import (
    ROUNDING,
    AnswerCounts,
    MeanDesign,
    count_answers,
    limits_of_models,
    mean_design,
)
from .._inference.pvalues import CERTAIN, UNDEFINED, f_pvalue
from .._inference.status import warn_status
from .._inference.unseen import ALPHA, UnseenFailures
from .._inputs.items import JOINT, Items, Linking, as_item_table
from .._inputs.options import check_choice, check_undefined
from .._inputs.scores import ScoreTable
from .._results.caution import UNSEEN, Cautious, with_caution
from .._results.presentation import replace_fields
from .._results.records import OmnibusResult, Record
from ._methods import ItemsResult, caution_sentence, df_text, item_fields


@dataclass(frozen=True, eq=False, kw_only=True)
class MeanCovarianceResult(ItemsResult, Record):
    """Result of `mean_covariance`."""

    names: tuple[str, ...]
    means: Vector
    covariance: Matrix
    df: float
    n: int
    n_clusters: int
    n_strata: int
    n_dropped: int
    design: str
    status: str
    _answers: AnswerCounts | None = field(repr=False)

    title: ClassVar[str] = "Covariance of mean scores"
    _has_interval: ClassVar[bool] = True  # of each model, in tables
    _picture: ClassVar[str] = "forest"

    @property
    def standard_error(self) -> Vector:
        """The standard errors (k,) of the means."""
        return np.asarray(np.sqrt(np.maximum(np.diag(self.covariance), 0.0)))

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        is_defined = not math.isnan(self.df)
        errors = [f" (SE {error:.2g})" if is_defined else "" for error in self.standard_error]
        rows = zip(self.names, self.means, errors, strict=True)
        means = ", ".join(f"{name} {mean:.4g}{error}" for name, mean, error in rows)
        degrees = f", {df_text(self.df)}" if is_defined else ""
        return f"The mean scores are {means}; {self._counted()}{degrees}."

    def _model_limits(self, level: float) -> tuple[Vector, Vector] | None:
        """Return intervals of the means by their covariance, if all models share the items."""
        return limits_of_models(self.means, self.covariance, self.df, self._answers, level)


class Lead(NamedTuple):
    """The greatest lead of a model over another one, and the failures that would explain it."""

    models: tuple[int, int]
    failures: UnseenFailures


@dataclass(frozen=True, eq=False, kw_only=True)
class MeanOmnibusResult(ItemsResult, Cautious, OmnibusResult):
    """Result of `mean_omnibus_test`; `statistic` is F."""

    names: tuple[str, ...]
    means: Vector
    chi2: float | None
    n: int
    n_clusters: int
    n_strata: int
    design: str
    _lead: Lead | None = field(repr=False, default=None)

    _units: ClassVar[str] = "items"
    _quantity: ClassVar[str] = "mean score"
    unit: ClassVar[str] = "item"
    title: ClassVar[str] = "Test that all mean scores are equal"

    def _failures(self) -> UnseenFailures | None:
        return None if self._lead is None else self._lead.failures

    def _stated_failures(self) -> str:
        """Return the sentence on unseen failures that explain the greatest difference, or ''."""
        if self._lead is None or self.status != UNSEEN:
            return ""
        pair = [self.names[model] for model in self._lead.models]
        return " " + self._lead.failures.sentence(pair, self._units, lead=True, interval=False)

    @property
    def _sample_text(self) -> str:
        """The numbers of items and clusters in words."""
        return self._counted(unit=self.unit)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        sample = self._sample_text
        if math.isnan(self.pvalue):
            return (
                f"Whether the {len(self.names)} {plural(self._quantity)} are equal is undefined "
                f"({sample})."
            )
        if self.status == "no_difference":
            quantity = self._quantity.removeprefix("mean ")
            return (
                f"The {len(self.names)} models have the same {quantity} on every {self.unit} "
                f"({sample})."
            )
        note = self._stated_failures() or caution_sentence(self.status, math.nan)
        return (
            f"The {plural(self._quantity)} range from {ends_of_range(self.means, 'g')} "
            f"({self.method}, {self._evidence()}; {sample}).{note}"
        )


@with_engine_options(as_item_table)
def mean_covariance(
    scores: ScoreTable,
    *,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
    **linking: Unpack[Linking],
) -> MeanCovarianceResult:
    """Return the mean scores of k models on the same items and their covariance matrix.

    Parameters
    ----------
    scores : array-like of shape (n, k) or (n, k, K), mapping or data frame
        As in `mean_pairwise_test`.
    sample_weight : array-like of shape (n,), optional
        Weight of each item, at least 0; items of weight 0 are dropped.
    groups : array-like of shape (n,) or (n, 2), optional
        Cluster of each item, labels of any type. Two columns are two-way clusters.

    Returns
    -------
    MeanCovarianceResult
        With ``names``, ``means`` (k,), ``covariance`` (k, k), ``standard_error`` (k,), ``df``,
        ``n``, ``n_clusters``, ``n_strata``, ``n_dropped``, ``design`` and ``status``.

    Warns
    -----
    UndefinedResultWarning
        If there is only one item or cluster, overall or in a stratum: the covariance is NaN.
    SmallSampleWarning
        'few_clusters', if there are fewer than 4 degrees of freedom.

    See Also
    --------
    mean_pairwise_test : Tests of all differences.

    Notes
    -----
    The covariance is CR2 [1]_: the sum over clusters of S_g S_g' / (n^2 (1 - n_g / n)), where S_g
    are the sums of deviations from the means. Its rank is at most the number of clusters minus 1.

    References
    ----------
    .. [1] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.

    Examples
    --------
    >>> import fastcompare as fc
    >>> scores = {"large": [1, 1, 0, 1, 1, 1, 1, 1], "small": [1, 0, 0, 0, 1, 1, 0, 1]}
    >>> print(fc.mean_covariance(scores).summary())
    The mean scores are large 0.875 (SE 0.13), small 0.5 (SE 0.19); 8 items, 7 degrees of freedom.
    """
    check_undefined(on_undefined)
    items = as_item_table(scores, nan_policy, JOINT, **linking)
    design = mean_design(items.links)
    status = cluster_status(design.df) if design.status == "ok" else design.status
    warn_status(status, on_undefined)
    means, covariance = means_and_covariance(items.scores, design)
    return MeanCovarianceResult(
        **item_fields(items, design),
        means=means,
        covariance=covariance,
        df=design.df,
        status=status,
        _answers=count_answers(items, design),
    )


@with_engine_options(as_item_table)
def mean_omnibus_test(
    scores: ScoreTable,
    *,
    method: str = "anova",
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
    **linking: Unpack[Linking],
) -> MeanOmnibusResult:
    """Omnibus test that k models have equal mean scores on the same items.

    Parameters
    ----------
    scores : array-like of shape (n, k) or (n, k, K), mapping or data frame
        As in `mean_pairwise_test`.
    method : {'anova', 'hotelling'}, default='anova'
        'anova' is repeated-measures ANOVA with Huynh and Feldt's correction of the degrees of
        freedom, also for clusters and weights. 'hotelling' is Hotelling's T^2, which gives most
        weight to the differences that vary least; it needs many items or clusters per model, and
        scores that vary.
    sample_weight : array-like of shape (n,), optional
        Weight of each item, at least 0; items of weight 0 are dropped.
    groups : array-like of shape (n,) or (n, 2), optional
        Cluster of each item, labels of any type. Two columns are two-way clusters.

    Returns
    -------
    MeanOmnibusResult
        With ``names``, ``means`` (k,), ``statistic`` (F), ``df`` (both degrees of freedom),
        ``chi2`` (T^2 of 'hotelling'), ``pvalue``, ``log_pvalue``, ``n``, ``n_clusters``,
        ``design``, ``method`` and ``status``.

    Warns
    -----
    UndefinedResultWarning
        'zero_variance', if the models differ but no difference varies. For 'hotelling'
        'too_many_models', if the number of clusters does not exceed that of contrasts; 'singular',
        if the models differ in a direction without variance.
    SmallSampleWarning
        'unseen_failures', if the test would not be significant without the pairs that failures, of
        which the items have none, would explain (``summary()`` has the numbers); 'small_sample', if
        it would not be, were scores more skewed than they seem.

    See Also
    --------
    mean_pairwise_test : Which models differ.
    rm_anova_test : The same for scores of rounds, with effect sizes.

    Notes
    -----
    With m the k means minus their mean, S their CR2 covariance, v Satterthwaite's degrees of
    freedom of one mean (n - 1 for independent items), q = k - 1 and e Huynh and Feldt's estimate,
    at most 1, from Box's tr(S)^2 / (q tr(S^2)) with v + 1 as the number of items::

        F = sum m_j^2 / tr(S)    with e q and e q v degrees of freedom

    Differences vary at least as the test of each pair has it (`paired_mean_test`): with right and
    wrong answers in clusters or with weights, and with skewed scores.

    'hotelling' uses T^2 = d' D^-1 d of the differences d from the first model, with covariance D,
    and F = (v - q + 1) / (q v) T^2 with q and v - q + 1 degrees of freedom [3]_. Models with the
    same score on every item then count once.

    At the 5% level 'anova' rejects at most 6.5% of true null hypotheses for 3 to 10 models and 10
    to 1,000 items, also for 0/1 scores, weights, and 20 to 50 clusters of unequal sizes; up to 9%
    if one model's scores are log-normal, and some 7% without a warning. 'hotelling' rejects 10
    to 46% with 50 items of which 95% are answered correctly (docs/evidence/items.md).

    References
    ----------
    .. [1] H. Huynh, L. S. Feldt (1976), doi:10.3102/10769986001001069.
    .. [2] G. E. P. Box (1954), doi:10.1214/aoms/1177728717.
    .. [3] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.

    Examples
    --------
    >>> import fastcompare as fc
    >>> scores = {"large": [1, 1, 0, 1, 1, 1, 1, 1], "base": [1, 0, 0, 1, 0, 1, 0, 1],
    ...           "small": [0, 0, 0, 1, 0, 0, 0, 1]}
    >>> print(fc.mean_omnibus_test(scores).summary())
    The 3 models differ significantly in mean score. The mean scores range from 0.25 to 0.875
    (repeated-measures ANOVA, F(2, 14) = 6.333, p = 0.0110; 8 items).
    """
    check_undefined(on_undefined)
    check_choice("method", method, tuple(METHODS))
    items = as_item_table(scores, nan_policy, JOINT, **linking)
    title, test = METHODS[method]
    design = mean_design(items.links)
    cells = np.triu_indices(len(items.names), 1)
    if design.status != "ok":
        return with_caution(omnibus_result(items, title, test), on_undefined)
    pairs = pair_differences(items, design, cells)
    if method == "anova" and (pairs.answers is not None or np.any(pairs.skewness.used)):
        variances = pair_variances(pairs, pair_statistics(pairs))
        test = partial(anova, floor=partial(raise_to_pair_variances, variances))
    result = omnibus_result(items, title, test)
    if result.pvalue <= ALPHA:
        result = replace_fields(result, doubt_fields(pairs, items, design, cells))
    return with_caution(result, on_undefined)


def pair_differences(items: Items, design: MeanDesign, cells: Cells) -> PairMeans:
    """Return the differences of all pairs with the variances of `mean_pairwise_test`."""
    _, pairs = pair_means(items.scores, design, cells)
    pairs = with_skewness(pairs, items.scores, design, cells)
    return with_answer_variances(pairs, items, design, cells)


def omnibus_result(items: Items, title: str, test: MeansTest) -> MeanOmnibusResult:
    """Return the result of the omnibus test `test` of the models' mean scores."""
    design = mean_design(items.links)
    outcome, chi2 = test(items.scores, design)
    return MeanOmnibusResult(
        **item_fields(items, design),
        **outcome.fields(),
        means=design.means(items.scores),
        chi2=chi2,
        method=title,
    )


def doubt_fields(pairs: PairMeans, items: Items, design: MeanDesign, cells: Cells) -> Fields:
    """Return the fields that warn of a significant difference of models, {} if there is no doubt.

    The analysis of variance is repeated with the greatest skewness that scores may have
    ('small_sample' if it no longer rejects), and without the pairs that unseen failures would
    explain (`_lead`, the greatest difference with its failures, if it no longer rejects).
    """
    statistic = suspected_statistics(pairs)
    failures = pair_failures(pairs, items, design, cells)
    skewed = pair_variances(pairs, statistic)
    if failures is None:
        return {} if anova_rejects(items, design, skewed) else {"status": "small_sample"}
    # pairs that failures explain get a statistic of 1, as if they differed by chance
    unexplained = np.where(failures.probability > ALPHA, 1.0, statistic)
    if anova_rejects(items, design, pair_variances(pairs, unexplained)):
        return {}
    greatest = int(np.argmax(np.abs(pairs.estimate)))
    first, second = (int(models[greatest]) for models in cells)
    fields: Fields = {"_lead": Lead((first, second), failures.at(greatest))}
    if not anova_rejects(items, design, skewed):
        fields["status"] = "small_sample"
    return fields


def anova_rejects(items: Items, design: MeanDesign, pair_variances: Vector) -> bool:
    """Return whether the ANOVA rejects at 5% with variances of pairs of at least these (P,)."""
    floor = partial(raise_to_pair_variances, pair_variances)
    outcome, _ = anova(items.scores, design, floor)
    return bool(outcome.p.pvalue <= ALPHA)


VarianceFloor = Callable[[Matrix], Matrix]


ONE_DEGREE_OF_FREEDOM = 1.0 + 1e-9  # with room for the rounding of Satterthwaite's
FAndT2 = tuple[OmnibusOutcome, float | None]  # F, and T^2 where it is known
MeansTest = Callable[[Matrix, MeanDesign], FAndT2]


def anova(scores: Matrix, design: MeanDesign, floor: VarianceFloor | None = None) -> FAndT2:
    """Return the repeated-measures ANOVA that k means are equal: F with Huynh and Feldt's epsilon.

    `floor` takes the variances (k, k) of differences of means and returns those to use, which are
    at least as large.
    """
    q = scores.shape[1] - 1
    undefined = OmnibusOutcome(math.nan, (q, math.nan), UNDEFINED, design.status)
    if design.status != "ok":
        return undefined, None
    gaps = scores - scores[:, :1]  # exactly 0 for models with equal scores
    gaps = gaps - gaps.mean(axis=1, keepdims=True)
    means = design.means(gaps)
    covariance = design.covariance(gaps - means)
    if floor is not None:
        covariance = centred_covariance(floor(difference_variances(covariance)))
    noise = ROUNDING * float(np.abs(scores).max())
    total = float(np.trace(covariance))
    if total < 0.0:  # possible with two-way clusters
        return undefined._replace(status="negative_variance"), None
    if total <= (q + 1) * noise * noise:
        if (np.abs(means) <= noise).all():
            return undefined._replace(p=CERTAIN, status="no_difference"), None
        return undefined._replace(status="zero_variance"), None
    f = float(np.square(means).sum()) / total
    box = total * total / float(np.square(covariance).sum()) / q
    epsilon = huynh_feldt_epsilon(box, q, design.df)
    df = epsilon * q, epsilon * q * design.df
    return OmnibusOutcome(f, df, f_pvalue(f, *df), "ok"), None


def difference_variances(covariance: Matrix) -> Matrix:
    """Return the variances (k, k) of differences of variables with this covariance (k, k)."""
    model_variances = np.diag(covariance)
    return np.asarray(model_variances[:, None] + model_variances - 2.0 * covariance)


def centred_covariance(variances: Matrix) -> Matrix:
    """Return the covariance (k, k) of centred variables whose differences have these variances.

    It is Gower's (1966) double centring, -(1/2) J V J.
    """
    rows = variances.mean(axis=0)
    return np.asarray(0.5 * (rows[:, None] + rows - variances - rows.mean()))


def raise_to_pair_variances(pair_variances: Vector, variances: Matrix) -> Matrix:
    """Return the variances (k, k) of differences, raised to those (P,) of pairs in row order."""
    smallest = np.zeros_like(variances)
    smallest[np.triu_indices(len(variances), 1)] = pair_variances
    return np.fmax(variances, smallest + smallest.T)


def huynh_feldt_epsilon(box: float, q: int, df: float) -> float:
    """Return Huynh and Feldt's (1976) epsilon, from 1 / q to 1, from Box's epsilon of q contrasts.

    With one degree of freedom the formula is 0 / 0, and the lower bound 1 / q is returned.
    """
    denominator = df - q * box  # df + 1 stands for the number of rows
    if df <= ONE_DEGREE_OF_FREEDOM:
        return 1.0 / q
    if denominator <= 0.0:
        return 1.0
    return max(1.0 / q, min(1.0, ((df + 1.0) * q * box - 2.0) / (q * denominator)))


def hotelling(scores: Matrix, design: MeanDesign) -> FAndT2:
    """Return Hotelling's test that all differences from the first model are 0: F, and T^2."""
    n_contrasts = scores.shape[1] - 1
    undefined = OmnibusOutcome(math.nan, (n_contrasts, math.nan), UNDEFINED, design.status)
    if design.status != "ok":
        return undefined, math.nan
    gaps = scores[:, 1:] - scores[:, :1]
    estimate = design.means(gaps)
    covariance = design.covariance(gaps - estimate)
    noise = ROUNDING * np.abs(scores).max()
    if np.diag(covariance).min() < 0.0:  # possible with two-way clusters
        return undefined._replace(status="negative_variance"), math.nan
    form = quadratic_form(estimate, covariance, noise=noise, near=noise)
    f, df = hotelling_f(form.statistic, form.rank, design.df)
    _, df_of_error = df
    if form.status == "identical":
        return OmnibusOutcome(math.nan, df, CERTAIN, "no_difference"), 0.0
    if form.status != "ok" or df_of_error <= 0.0:
        too_many = n_contrasts > design.df or df_of_error <= 0.0
        status = "too_many_models" if too_many else "singular"
        return undefined._replace(df=df, status=status), math.nan
    return OmnibusOutcome(f, df, f_pvalue(f, *df), "ok"), form.statistic


METHODS = {
    "anova": ("repeated-measures ANOVA", anova),
    "hotelling": ("Hotelling's test", hotelling),
}
