"""One test for k models, that all AUCs are equal or contrasts of them vanish; their covariance.

With contrasts L t of the AUCs t and their covariance S, 'f' and 'chi2' refer t' L' (L S L')^-1 L t
(DeLong et al. 1988), 'anova' the sum of squares of orthonormal contrasts over its expectation
(Brunner, Dette and Munk 1997). `delong_covariance` returns t and S, `structural_components` the
components V10 and V01 of one model.
"""

from __future__ import annotations

import math
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._base.documented import documented, with_engine_options
from ..._base.text import amount, ends_of_range, show_number
from ..._base.types import Matrix, NanPolicy, Undefined, Vector
from ..._inference.clusters import NORMAL_DF, cluster_status
from ..._inference.infer import DegreesOfFreedom, OmnibusOutcome, hotelling_f
from ..._inference.pvalues import CERTAIN, UNDEFINED, chi2_pvalue, f_pvalue
from ..._inference.status import FEW_CASES, difference_status, sample_status, warn_status
from ..._inputs.chunks.device import as_cases_anywhere
from ..._inputs.chunks.rows import Chunks, Stream, check_in_memory, is_chunked_table
from ..._inputs.models import as_contrast
from ..._inputs.options import check_choice, check_reference, check_undefined, count_jobs
from ..._inputs.scores import ScoreTable, as_cases, check_several
from ..._results.records import OmnibusResult, Record
from .._components import Components, as_components, model_wins
from .._differences import OfClasses
from .._intervals import auc_intervals
from .._streams import Workers, stream_sums
from .clustered import Clustered, Contrasts, as_clustered, auc_contrasts
from .design import MomentOptions, as_sample
from .streamed import chunked_stream, moments_of_stream

REFERENCES = ("auto", "anova", "f", "chi2")
DF_FOR_F = 6  # per contrast: with 4 or 5 F rejects 6.3% at the 5% level, with 2 7.4%
CASES_PER_CONTRAST = 20  # chi-squared: 3 models with 10 of 100 cases positive reject 9% at 5%
FEW_FOR_T = 3  # cases of a class, for two models
FEW_FOR_TRACE = 4  # with 3 of 60 cases, 3 models that score at random reject 6.2% with h v
REFERENCE_HINT = ": omit `reference`"
ANOVA_TYPE = "ANOVA-type test"


@dataclass(frozen=True, eq=False, kw_only=True)
class DeLongOmnibusResult(OmnibusResult):
    """Result of `delong_omnibus_test`; there is no single estimate, hence no interval."""

    auc: Vector
    names: tuple[str, ...]
    contrast: Matrix
    n_positive: int
    n_negative: int
    _n_clusters: int = field(repr=False, default=0)  # 0 where cases are independent
    title: ClassVar[str] = "DeLong's omnibus test of AUCs on the same cases"
    _quantity: ClassVar[str] = "AUC"
    _follows_sample: ClassVar[bool] = True

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        if math.isnan(self.pvalue):
            return f"The omnibus test of the AUCs of {len(self.names)} models is undefined."
        return f"The AUCs range from {ends_of_range(self.auc)} ({self.method}, {self._evidence()})."


@documented
def delong_omnibus_test(
    y_true: ArrayLike,
    scores: ScoreTable,
    *,
    contrast: ArrayLike | None = None,
    method: str = "auto",
    reference: str = "auto",
    groups: ArrayLike | None = None,
    n_jobs: int = 1,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> DeLongOmnibusResult:
    """Test whether k models that scored the same cases have equal AUCs.

    Parameters
    ----------
    scores : array-like of shape (n, k), mapping or data frame
        Scores, one column per model, at least two. Arrays on a GPU are sorted there, as in
        `delong_test`.
    contrast : array-like of shape (r, k) or (k,), optional
        Rows of coefficients that sum to 0; the null hypothesis is that each of these contrasts of
        the AUCs is 0. By default, that all AUCs are equal.
    reference : {'auto', 'anova', 'f', 'chi2'}, default='auto'
        Statistic and reference distribution. 'anova' is the ANOVA-type statistic (the sum of
        squares of the contrasts over its expectation) with an F distribution; it allows more models
        than cases. 'f' is the published statistic with Hotelling's F. 'auto' is 'f' if the variance
        has 6 degrees of freedom per contrast, otherwise 'anova': it rejects at most 6% of true null
        hypotheses at the 5% level. 'chi2' is as published, and rejects up to 81%.
    groups : array-like of shape (n,), optional
        Cluster of each case (the patient of a lesion, for example), as in `delong_test`. Then the
        covariance is CR2 with Satterthwaite's degrees of freedom.
    method, n_jobs, pos_label, nan_policy, on_undefined
        As in `delong_covariance`.

    Returns
    -------
    DeLongOmnibusResult
        With ``statistic`` (F, or chi-squared), ``df`` (a pair for F; for chi-squared the rank q of
        the contrasts' covariance), ``pvalue``, ``log_pvalue``, ``auc`` (k,), ``names``,
        ``contrast``, ``method`` (which statistic it is), ``status``.

    Warns
    -----
    UndefinedResultWarning
        If a class is missing or has one case, the contrasts differ in a direction without variance,
        or there are too many contrasts for the number of cases ('f' and 'chi2': for the smaller
        class): the p-value is NaN.
    SmallSampleWarning
        'small_sample', if a class has fewer than 4 cases (3 for two models), or too few for the
        specified `reference`: 'f' needs 6 degrees of freedom per contrast, 'chi2' 20 cases.
        'few_clusters', if the clusters of a class carry fewer than 4 degrees of freedom ('f':
        beyond the number of contrasts; 'chi2': 25).

    Notes
    -----
    With t the AUCs, S their DeLong covariance and L t the differences from the first model::

        chi^2 = (L t)' (L S L')^-1 (L t)    with rank(L S L') degrees of freedom

    'f' is the published statistic times (v - q + 1) / (q v), with q and v - q + 1 degrees of
    freedom, where v is that of Krishnamoorthy and Yu for two unequal covariances, those of
    positives and negatives; it is too large for few cases. 'anova' is, with orthonormal L::

        F = |L t|^2 / tr(L S L')    with h and h v degrees of freedom

    where v is Satterthwaite's for the average variance of the contrasts, and h Huynh and Feldt's
    estimate of (tr L S L')^2 / tr (L S L')^2; where it warns, v replaces h v. It weights all
    differences equally, so it has less power than 'f' for a difference between two nearly identical
    models among others. For two models both are the square of t in `delong_test` with
    ``reference="t"``.

    docs/evidence/auc_levels.md has the type I error rates for 3 to 20 models and 4 to 200 cases of
    the rarer class. For models that score at random, 'chi2', 'f' and the default reject 52, 12 and
    4% (5 models, 5 + 95 cases), and 77, 14 and 4% (10 models, 10 + 190 cases).

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595, Eq. 5.
    .. [2] K. Krishnamoorthy, J. Yu (2004), doi:10.1016/j.spl.2003.10.012.
    .. [3] E. Brunner, H. Dette, A. Munk (1997), Journal of the American Statistical Association 92,
       1494-1502.
    .. [4] H. Huynh, L. S. Feldt (1976), doi:10.3102/10769986001001069.
    .. [5] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> result = fc.delong_omnibus_test(data.y_true, data.scores)
    >>> result.df[0]
    4
    """
    check_undefined(on_undefined)
    check_choice("reference", reference, REFERENCES)
    jobs = count_jobs(n_jobs)
    cases = as_cases_anywhere(y_true, pos_label, nan_policy, groups, table=scores)
    check_several(cases.scores)
    rows = as_contrast(contrast, len(cases.names))

    components = as_components(cases, method, jobs)
    clustered = as_clustered(cases.labels, cases.groups) if cases.groups is not None else None
    test = omnibus_of_aucs(components, rows, reference, clustered)
    rough = test.status == "small_sample" and reference in ("f", "chi2")
    warn_status(test.status, on_undefined, REFERENCE_HINT if rough else "")

    return DeLongOmnibusResult(
        **test.fields(),
        auc=np.array([model_auc(components, i) for i in range(components.k)]),
        names=cases.names,
        contrast=rows,
        n_positive=components.m,
        n_negative=components.n,
        n_dropped=cases.n_dropped,
        _n_clusters=0 if cases.groups is None else np.unique(cases.groups).size,
        method=test.way if test.way == ANOVA_TYPE else f"DeLong's {test.way}",
    )


class EffectiveCounts(NamedTuple):
    """Numbers of cases and of independent units (cases or clusters) of the rarer class.

    `too_many` contrasts, and more, are too many for the ANOVA-type test. `word` is the status
    without regard to the test, `df` the fewest degrees of freedom of clusters, None without them.
    """

    word: str
    cases: float
    units: int
    too_many: int
    df: float | None

    def status(self, is_small_sample: bool) -> str:
        """Return the status word: 'small_sample' if `is_small_sample` and nothing else is wrong."""
        return "small_sample" if is_small_sample and self.word == "ok" else self.word


def omnibus_of_aucs(
    components: Components, rows: Matrix, reference: str, clustered: Clustered | None
) -> OmnibusOutcome:
    """Return the test that all contrasts of AUCs with coefficients `rows` are 0."""
    m, n = components.m, components.n
    word = sample_status(m, n, FEW_FOR_T)
    df = None
    units = min(m, n)
    too_many = m + n - 2
    if clustered is not None and word != "one_class":
        df = clustered.df
        units = min(clustered.n_clusters_by_class)
        too_many = clustered.sizes.shape[1]
        word = cluster_status(df)
    if word in ("one_class", "too_few", "too_few_clusters"):
        return undefined_test(len(rows), reference, word)
    contrasts = auc_contrasts(components, rows, clustered)
    counts = EffectiveCounts(word, cases=min(m, n), units=units, too_many=too_many, df=df)
    test = contrast_test(contrasts, reference, counts)
    if test.status == "identical":  # or a worse word, if all models separate the classes
        aucs = [model_auc(components, model) for model in range(components.k)]
        status = difference_status(m, n, variance=0.0, estimate=0.0, aucs=aucs)
        return test._replace(status=status)
    return test


def contrast_test(contrasts: Contrasts, reference: str, counts: EffectiveCounts) -> OmnibusOutcome:
    """Return the test of the contrasts by a reference, or by F or ANOVA for 'auto'.

    The p-value is 1 for models that rank all cases identically.
    """
    form, units = contrasts.form, counts.units
    if form.status == "identical":
        no_df: DegreesOfFreedom = 0 if reference == "chi2" else (0, math.nan)
        return OmnibusOutcome(0.0, no_df, CERTAIN, "identical")
    too_many = counts.too_many if reference in ("auto", "anova") else units
    if form.status != "zero_variance" and form.rank >= too_many:
        return undefined_test(form.rank, reference, "too_many_models")
    if form.status != "ok":
        return undefined_test(form.rank, reference, "singular")
    if reference == "auto":
        few = form.rank > 1 and (form.rank >= units or not has_df_for_f(contrasts))
        reference = "anova" if few else "f"
    return TESTS_BY_REFERENCE[reference](contrasts, counts)


def has_df_for_f(contrasts: Contrasts) -> bool:
    """Return whether the covariance has 6 degrees of freedom per contrast, for Hotelling's F."""
    return contrasts.trace_df >= DF_FOR_F * contrasts.form.rank


def undefined_test(rank: int, reference: str, status: str) -> OmnibusOutcome:
    """Return a test of `rank` contrasts without statistic and p-value (NaN)."""
    degrees: DegreesOfFreedom = rank if reference == "chi2" else (rank, math.nan)
    return OmnibusOutcome(math.nan, degrees, UNDEFINED, status)


def hotelling_test(contrasts: Contrasts, counts: EffectiveCounts) -> OmnibusOutcome:
    """Return the test of contrasts by Hotelling's F: (v - q + 1) / (q v) times chi^2."""
    form = contrasts.form
    statistic, degrees = hotelling_f(form.statistic, form.rank, contrasts.hotelling_df())
    rank, df = degrees
    if df <= 0.0:
        return OmnibusOutcome(math.nan, degrees, UNDEFINED, "too_many_models")
    status = counts.status(form.rank > 1 and not has_df_for_f(contrasts))
    if counts.df is not None:
        status = cluster_status(min(counts.df, df))
    return OmnibusOutcome(statistic, degrees, f_pvalue(statistic, rank, df), status)


def anova_type_test(contrasts: Contrasts, counts: EffectiveCounts) -> OmnibusOutcome:
    """Return the ANOVA-type test: the sum of squares of contrasts over its expectation.

    Where the status is not 'ok', the second degrees of freedom are v instead of h v (Brunner,
    Dette and Munk 1997): with one cluster of half a class, 10 equal models are rejected in 1
    instead of 19%.
    """
    statistic, (h, df) = contrasts.trace_f()
    status = counts.status(counts.cases < FEW_FOR_TRACE)
    df = df if status == "ok" else df / h
    return OmnibusOutcome(statistic, (h, df), f_pvalue(statistic, h, df), status, ANOVA_TYPE)


def chi2_test(contrasts: Contrasts, counts: EffectiveCounts) -> OmnibusOutcome:
    """Return the test of contrasts by chi-squared, as published by DeLong et al. (1988)."""
    statistic, rank = contrasts.form.statistic, contrasts.form.rank
    status = counts.status(counts.cases < CASES_PER_CONTRAST * rank)
    if counts.df is not None:
        status = cluster_status(min(counts.df, contrasts.hotelling_df()), fewest=NORMAL_DF)
    return OmnibusOutcome(statistic, rank, chi2_pvalue(statistic, rank), status)


TESTS_BY_REFERENCE = {"anova": anova_type_test, "f": hotelling_test, "chi2": chi2_test}


def model_auc(components: Components, model: int) -> float:
    """Return one model's AUC, NaN if a class is missing."""
    doubled_pairs = 2 * components.m * components.n
    return model_wins(components, model) / doubled_pairs if doubled_pairs else np.nan


@dataclass(frozen=True, eq=False, kw_only=True)
class DeLongCovariance(OfClasses, Record):
    """Result of `delong_covariance`."""

    auc: NDArray[np.float64]
    covariance: NDArray[np.float64]
    names: tuple[str, ...]
    status: str
    auc_exact: bool = True
    covariance_bound: float | Matrix = 0.0
    title: ClassVar[str] = "AUCs and their DeLong covariance"
    _has_interval: ClassVar[bool] = True  # of each model, in tables
    _picture: ClassVar[str] = "forest"

    @property
    def standard_error(self) -> NDArray[np.float64]:
        """Standard errors (k,) of the AUCs."""
        return np.sqrt(np.diag(self.covariance))

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        rows = zip(self.names, self.auc, self.standard_error, strict=True)
        aucs = [f"{name} {show_number(auc)} (SE {show_number(error)})" for name, auc, error in rows]
        positives = amount(self.n_positive, "positive")
        negatives = amount(self.n_negative, "negative")
        return f"AUCs on {positives} and {negatives}: {', '.join(aucs)}."

    def _model_limits(self, level: float) -> tuple[Vector, Vector]:
        """Return intervals of AUCs on the logit scale, by their covariance alone.

        The class sizes, which `auc_intervals` takes for other methods, do not enter.
        """
        k = len(self.auc)
        sizes = k * [(self.n_positive, self.n_negative)]
        dfs = k * (math.inf,)
        return auc_intervals(self.auc, self.standard_error, sizes, level, dfs, "logit")


@with_engine_options(as_sample)
def delong_covariance(
    y_true: ArrayLike | Chunks,
    scores: ScoreTable | None = None,
    *,
    reference: str = "auto",
    executor: Executor | None = None,
    on_undefined: Undefined = "warn",
    **counting: Unpack[MomentOptions],
) -> DeLongCovariance:
    """Return the AUCs of k models on the same cases and their DeLong covariance matrix.

    Parameters
    ----------
    y_true : array-like of shape (n,), or chunks
        Labels: bool, 0 and 1, or -1 and 1; anything else needs `pos_label`. Or, without `scores`,
        chunks of labels and scores as in `delong_test`, of any number of models.
    scores : array-like of shape (n, k), mapping or data frame
        Scores, one column per model, for any number of models; column names become model names.
        Arrays on a GPU are sorted there, as in `delong_test`.
    reference : {'auto', 'normal', 't'}, default='auto'
        The covariance estimator for clusters: 'normal' is Obuchowski's, the others are CR2, as in
        `delong_test`. No effect without `groups`.

    Returns
    -------
    DeLongCovariance
        With ``auc`` (k,), ``covariance`` (k, k), ``standard_error`` (k,), ``names``,
        ``n_positive``, ``n_negative``, ``status``. For chunks also ``covariance_bound`` (k, k), the
        largest possible distance of an entry from the result for data in memory; the AUCs and their
        variances are exact.

    Warns
    -----
    UndefinedResultWarning
        If a class is missing, has one case or is in one cluster; the covariance is NaN.
    SmallSampleWarning
        'small_sample' below 30 cases (with sampling weights, 30 effective cases) of a class: normal
        intervals from this covariance are too narrow. 'few_clusters' for clusters with few degrees
        of freedom, as in `delong_test`.

    See Also
    --------
    delong_pairwise_test : Computes variances of differences without the cancellation that
        ``S[i, i] + S[j, j] - 2 * S[i, j]`` suffers for similar models.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.
    .. [2] N. A. Obuchowski (1997), doi:10.2307/2533958.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y = [0, 0, 1, 1, 1]
    >>> result = fc.delong_covariance(
    ...     y, {"A": [0.1, 0.2, 0.6, 0.7, 0.8], "B": [0.3, 0.6, 0.2, 0.7, 0.9]}
    ... )
    >>> result.auc.round(4).tolist(), result.covariance.round(4).tolist()
    ([1.0, 0.6667], [[0.0, 0.0], [0.0, 0.1111]])
    """
    check_undefined(on_undefined)

    check_reference(reference)
    if is_chunked_table(y_true, scores, **counting):
        stream, workers = chunked_stream(y_true, scores, executor, **counting)
        return covariance_of_stream(stream, workers, on_undefined)
    check_in_memory(executor)
    cases, (moments, m, n, design) = as_sample(y_true, scores, reference, False, **counting)  # type: ignore[arg-type]

    status = design.status(sample_status(m, n), FEW_CASES)
    warn_status(status, on_undefined)

    return DeLongCovariance(
        auc=moments.auc,
        covariance=moments.covariance,
        names=cases.names,
        n_positive=m,
        n_negative=n,
        n_dropped=cases.n_dropped,
        status=status,
    )


def covariance_of_stream(stream: Stream, workers: Workers, on_undefined: str) -> DeLongCovariance:
    """Return the AUCs and their covariance of models in chunks, after a warning of few cases."""
    sums = stream_sums(stream, workers)
    auc, covariance, bound = moments_of_stream(sums)
    status = sample_status(sums.m, sums.n)
    warn_status(status, on_undefined)
    return DeLongCovariance(
        auc=auc,
        covariance=covariance,
        covariance_bound=bound,
        names=stream.names,
        n_positive=sums.m,
        n_negative=sums.n,
        n_dropped=sums.n_dropped,
        status=status,
    )


@documented
def structural_components(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    method: str = "auto",
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return DeLong's structural components V10 and V01 of the cases.

    Parameters
    ----------
    method : {'auto', 'midrank', 'heaviside'}, default='auto'
        Algorithm; all give bit-identical results.

    Returns
    -------
    v10 : ndarray of shape (n_positive,)
        For each positive, in input order, the proportion of negatives that score lower.
    v01 : ndarray of shape (n_negative,)
        For each negative, in input order, the proportion of positives that score higher. Ties count
        one half. The mean of each is the AUC.

    Warns
    -----
    UndefinedResultWarning
        If there is only one class; all components are NaN.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.

    Examples
    --------
    >>> import fastcompare as fc
    >>> v10, v01 = fc.structural_components([0, 0, 1, 1, 1], [0.3, 0.6, 0.2, 0.7, 0.9])
    >>> v10.tolist(), v01.round(4).tolist()
    ([0.0, 1.0, 1.0], [0.6667, 0.6667])
    """
    check_undefined(on_undefined)
    cases = as_cases(y_true, pos_label, nan_policy, y_score=y_score)
    components = as_components(cases, method)
    defined = components.m > 0 and components.n > 0
    warn_status("ok" if defined else "one_class", on_undefined)
    if defined:
        return components_of_model(components, 0)
    return np.full(components.m, math.nan), np.full(components.n, math.nan)


def components_of_model(
    components: Components, model: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return V10 and V01 of one model, each in the order of its cases (DeLong et al. 1988)."""
    positive = components.labels.astype(bool)
    row = components.placed[model]
    return row[positive] / (2 * components.n), row[~positive] / (2 * components.m)
