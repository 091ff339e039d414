"""DeLong's tests for every pair of k models on the same cases, and of all models against a control.

`correction='dunnett'` takes the maximum of jointly normal differences, which have correlations
(v_i + v_j - v_ij) / (2 sqrt(v_i v_j)) with the control, v being variances of differences.
"""

from __future__ import annotations

import math
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import ClassVar, TypeVar, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._base.documented import with_engine_options
from ..._base.types import Direction, Fields, Matrix, PairCorrection, Undefined, Vector
from ..._inference.corrections.adjust import (
    AUTO,
    DUNNETT,
    PairClaims,
    as_control_claims,
    as_pair_claims,
)
from ..._inference.corrections.pairs import check_models
from ..._inference.pvalues import (
    ratios,
    reference_pvalues,
    upper_tail,
)
from ..._inference.skewness import (
    SKEWED,
    floored_skewed_statistics,
    skewed_radii,
)
from ..._inference.status import difference_status, sample_status
from ..._inference.unseen import allowed_failures, smallest_unexplained_lead, unseen_failures
from ..._inputs.chunks.rows import Chunks, check_in_memory, is_chunked_table
from ..._inputs.models import as_model
from ..._inputs.options import as_choice, check_level, check_reference, check_undefined
from ..._inputs.scores import Cases, ScoreTable, check_several
from ..._results.caution import with_pair_caution
from ..._results.pairs import (
    Cells,
    JointCovariance,
    adjust_pair_pvalues,
    control_cells,
    named_pairs,
)
from ..._results.records import ConfidenceInterval
from .._differences import AUCPairsResult, auc_pair_fields
from .._intervals import INTERVALS, IntervalInputs
from .design import MomentOptions, Sample, as_sample, effective_sizes
from .informative import informative_weights
from .small_samples import few_cases_hint, fewest_reliable_cases, reference_name
from .streamed import WIDE_BOUND, chunked_stream, models_of_stream


@dataclass(frozen=True, eq=False, kw_only=True)
class DeLongPairwiseResult(AUCPairsResult):
    """Result of `delong_pairwise_test`; arrays over the P = k (k - 1) / 2 pairs, in row order."""

    df: Vector
    auc_df: Vector
    method: NDArray[np.str_]
    standard_error_bound: Vector | float = 0.0
    _skewness: Vector = field(repr=False)
    _sizes: tuple[float, float] = field(repr=False)
    _informative: tuple[float, float] | None = field(repr=False, default=None)
    _n_clusters: int = field(repr=False, default=0)  # 0 where cases are independent
    title: ClassVar[str] = "DeLong's test of all pairs of models"

    @property
    def approximation(self) -> str:  # type: ignore[override]
        """The reference distribution of the p-values, in words."""
        return reference_name(self.df)

    @property
    def _independent_cases(self) -> tuple[float, float]:
        """The effective numbers of independent positives and negatives."""
        return self._informative or self._sizes

    def auc_interval(
        self, confidence_level: float = 0.95, *, method: str = "score"
    ) -> ConfidenceInterval:
        """Return the two-sided interval of each model's AUC.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1, of each interval.
        method : {'score', 'delong', 'logit', 'newcombe'}, default='score'
            As in `roc_auc_interval`; 'score' is reliable from 2 cases of a class on.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, arrays of shape (k,), cut to [0, 1].
        """
        tail = upper_tail(check_level(confidence_level), "two-sided")
        method = as_choice("method", method, INTERVALS)
        m, n = self._sizes
        too_few = "too_few_clusters" in self.status  # once: of half a million pairs
        limits = [(math.nan, math.nan)] * self.auc.size
        models = zip(self.auc, self.auc_standard_error, self.auc_df, strict=True)
        for i, (auc, error, df) in enumerate(models):
            if not (too_few or math.isnan(auc)):
                inputs = IntervalInputs(float(auc), float(error), m, n, float(df))
                limits[i] = INTERVALS[method](inputs, tail)
        low, high = np.transpose(limits)
        return ConfidenceInterval.within(low, high, (0.0, 1.0))

    def _reach(self, quantile: Vector, tail: float) -> tuple[Vector, Vector]:
        """Return the lower and upper reach of intervals in standard errors, by skewness.

        Without skewness both are the quantile itself, to the last bit.
        """
        cases = min(self._sizes)
        leads = smallest_unexplained_lead(self.auc, cases, tail, allowed_failures(cases))
        first, second = (ratios(leads[models], self.standard_error) for models in self._cells())
        below, above = skewed_radii(quantile, self._skewness, (first, second))
        unskewed = self._skewness == 0.0
        return np.where(unskewed, quantile, below), np.where(unskewed, quantile, above)

    def _joint_covariance(self) -> JointCovariance:
        """Return the covariance of the AUCs with the effective number of cases behind it.

        I clusters of equal size have about I - 1 degrees of freedom.
        """
        clusters = float(np.fmin.reduce(self.df, initial=math.inf)) + 1.0
        n = min(self.n_positive, self.n_negative, clusters)
        return JointCovariance(self.covariance, n=n)


P = TypeVar("P", bound=DeLongPairwiseResult)


@with_engine_options(as_sample)
def delong_pairwise_test(
    y_true: ArrayLike | Chunks,
    scores: ScoreTable | None = None,
    *,
    reference: str = "auto",
    alternative: Direction = "two-sided",
    correction: PairCorrection = "auto",
    alpha: float = 0.05,
    executor: Executor | None = None,
    on_undefined: Undefined = "warn",
    **counting: Unpack[MomentOptions],
) -> DeLongPairwiseResult:
    """Compare the AUCs of k models on the same cases in pairs, with adjusted p-values.

    Parameters
    ----------
    y_true : array-like of shape (n,), or chunks
        Labels: bool, 0 and 1, or -1 and 1; anything else needs `pos_label`. Or, without `scores`,
        chunks of labels and scores as in `delong_test`, of any number of models.
    scores : array-like of shape (n, k), mapping or data frame
        Scores, one column per model, at least two; column names become model names.
        Arrays on a GPU are sorted there, as in `delong_test`.
    alpha : float, default=0.05
        The significance level of ``cliques`` and of the summary.

    Returns
    -------
    DeLongPairwiseResult
        With ``names`` (k,), ``auc`` (k,), ``covariance`` (k, k), ``pairs`` (P names), and of shape
        (P,) ``estimate``, ``standard_error``, ``statistic``, ``df`` (infinite for z), ``pvalue``,
        ``adjusted_pvalue``, ``status``; for chunks also ``standard_error_bound``, the largest
        possible distance from the result for data in memory; methods
        ``auc_interval(confidence_level)``, ``confidence_interval(confidence_level,
        simultaneous=False)``, ``summary()`` and ``to_dict()``.

    Warns
    -----
    UndefinedResultWarning
        If a class is missing, has one case or is in one cluster, or the variance of a pair is 0 but
        its difference is not.
    SmallSampleWarning
        'small_sample' for few cases, 'few_clusters' for clusters with few degrees of freedom, as in
        `delong_test`.

    Notes
    -----
    Each pair is tested as in `delong_test`. Shaffer's static procedure multiplies the i-th smallest
    of P p-values by the largest number of null hypotheses that can be true if i - 1 are false, and
    then makes the adjusted p-values monotone.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.
    .. [2] J. P. Shaffer (1986), doi:10.1080/01621459.1986.10478341.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> result = fc.delong_pairwise_test(data.y_true, data.scores)
    >>> len(result.pairs)
    10
    >>> bool((result.adjusted_pvalue >= result.pvalue).all())
    True
    """
    check_undefined(on_undefined)
    claims = as_pair_claims(alternative, correction, alpha)
    check_reference(reference)
    result: DeLongPairwiseResult
    if is_chunked_table(y_true, scores, **counting):
        stream, workers = chunked_stream(y_true, scores, executor, **counting)
        cases, sample, bounds = models_of_stream(stream, workers, reference)
        result = pairs_of_chunks(delong_pairs(cases, sample, claims), bounds)
    else:
        check_in_memory(executor)
        cases, sample = as_sample(y_true, scores, reference, **counting)  # type: ignore[arg-type]
        check_several(cases.scores)
        check_models(len(cases.names), claims.correction)
        result = with_informative_statuses(delong_pairs(cases, sample, claims), cases)

    return with_pair_caution(result, on_undefined, few_cases_hint(result.df, sample.design.kind))


def delong_pairs(cases: Cases, sample: Sample, claims: PairClaims) -> DeLongPairwiseResult:
    """Return the tests of all pairs from the moments of all models."""
    cells = np.triu_indices(len(cases.names), 1)
    return DeLongPairwiseResult.from_fields(**delong_pair_fields(cases, sample, claims, cells))


def with_informative_statuses(result: P, cases: Cases) -> P:
    """Return the result, with the status of informative weights for significant pairs."""
    significant = result.adjusted_pvalue <= result.alpha
    informative = informative_weights(cases) if significant.any() else None
    if informative is None:
        return result
    status = np.where(significant & (result.status == "ok"), informative.status, result.status)
    return replace(result, status=status, _informative=informative.sizes)


def pairs_of_chunks(result: DeLongPairwiseResult, bounds: Vector) -> DeLongPairwiseResult:
    """Return the result with the bounds of its standard errors, and 'wide_bound' statuses."""
    wide = bounds > WIDE_BOUND * result.standard_error
    status = np.where(wide, "wide_bound", result.status)
    return replace(result, standard_error_bound=bounds, status=status)


def delong_pair_fields(cases: Cases, sample: Sample, claims: PairClaims, cells: Cells) -> Fields:
    """Return the fields of a result of the pairs of models in `cells` (i, j)."""
    moments = sample.moments
    estimate = moments.difference[cells]
    error = np.sqrt(moments.difference_variance[cells])
    degrees = np.broadcast_to(moments.df, moments.difference.shape)
    df = degrees[cells]
    skewness = np.zeros(df.size) if moments.skewness is None else moments.skewness(cells)
    sizes = effective_sizes(cases)
    aucs = [moments.auc[models] for models in cells]
    failures = unseen_failures(estimate, aucs, min(sizes), "two-sided")
    t = ratios(estimate, error)
    statistic = floored_skewed_statistics(t, skewness, claims.alternative, failures, df)
    pvalue = reference_pvalues(statistic, error, df, claims.alternative)
    title = sample.design.title
    fields = auc_pair_fields(cases, estimate, error, pvalue, claims)
    return {
        **fields,
        "statistic": statistic,
        "auc": moments.auc,
        "covariance": moments.covariance,
        "df": df,
        "auc_df": np.diag(degrees).copy(),
        "status": pair_statuses(sample, cells),
        "_skewness": skewness,
        "n_positive": sample.m,
        "n_negative": sample.n,
        "method": np.where(skewness == 0.0, title, f"{title} with {SKEWED}"),
        "_sizes": sizes,
        "_n_clusters": 0 if cases.groups is None else np.unique(cases.groups).size,
    }


def pair_statuses(sample: Sample, cells: Cells) -> NDArray[np.str_]:
    """Return the status word of each pair of models in `cells`.

    It is that of the sample, but of the pair itself for a difference without variance.
    """
    moments, m, n, design = sample
    first, second = cells
    few = fewest_reliable_cases(moments.df, len(moments.auc))
    unvaried = np.flatnonzero(moments.difference_variance[first, second] == 0.0)
    of_sample = design.status(sample_status(m, n, few), few)
    of_pairs = [
        difference_status(
            m, n, 0.0, float(moments.difference[i, j]), moments.auc[[i, j]].tolist(), few
        )
        for i, j in zip(first[unvaried], second[unvaried], strict=True)
    ]
    longest = np.array([of_sample, *of_pairs]).dtype
    words = np.full(first.size, of_sample, longest)
    words[unvaried] = of_pairs
    return words


@dataclass(frozen=True, eq=False, kw_only=True)
class DeLongControlResult(DeLongPairwiseResult):
    """Result of `delong_control_test`; arrays over the k - 1 pairs of the control and another."""

    control: str
    title: ClassVar[str] = "DeLong's test of models against a control"

    @property
    def cliques(self) -> tuple[tuple[str, ...], ...]:
        """Empty: only pairs with the control are tested."""
        return ()

    def _cells(self) -> Cells:
        """Return the indices (i, j) of the pairs: the control and each other model."""
        return control_cells(len(self.names), self.names.index(self.control))


@with_engine_options(as_sample)
def delong_control_test(
    y_true: ArrayLike,
    scores: ScoreTable,
    control: str | int,
    *,
    reference: str = "auto",
    alternative: Direction = "two-sided",
    correction: str = "auto",
    alpha: float = 0.05,
    on_undefined: Undefined = "warn",
    **counting: Unpack[MomentOptions],
) -> DeLongControlResult:
    """Compare the AUCs of k models with that of a control model, with adjusted p-values.

    Parameters
    ----------
    scores : array-like of shape (n, k), mapping or data frame
        Scores, one column per model, at least two; column names become model names.
        Arrays on a GPU are sorted there, as in `delong_test`.
    control : str or int
        The model that the others are compared with: its name or column index. Choose it before you
        see the data.
    alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
        'less': the control, which comes first in each pair, has a lower AUC than the other model.
    correction : str, default='auto'
        'dunnett' uses the maximum of the k - 1 jointly normal differences and agrees with the
        simultaneous intervals; 'dunnett-stepdown' rejects at least as many hypotheses; any method
        of `adjust_pvalues` that does not require all pairs; or 'none'. 'auto' is
        'dunnett-stepdown', or 'holm' if a class has fewer than ten cases per model, too few to
        estimate the covariance.
    alpha : float, default=0.05
        Significance level (for most corrections the family-wise error rate) of the summary.

    Returns
    -------
    DeLongControlResult
        With ``names`` (k,), ``auc`` (k,), ``covariance`` (k, k), ``control``, ``pairs`` (control,
        other), and of shape (k - 1,) ``estimate`` (the control's AUC minus that of the other
        model), ``standard_error``, ``statistic``, ``df`` (infinite for z), ``pvalue``,
        ``adjusted_pvalue``, ``status``; the ``correction`` used; ``matrix(field)`` (k, k), NaN for
        pairs without the control; methods ``auc_interval(confidence_level)``,
        ``confidence_interval(confidence_level, simultaneous=False)``, ``summary()`` and
        ``to_dict()``.

    Warns
    -----
    UndefinedResultWarning, SmallSampleWarning
        As in `delong_pairwise_test`.

    See Also
    --------
    delong_pairwise_test : All pairs.
    control_test : By average ranks on many data sets.

    Notes
    -----
    With z_j = (AUC_j - AUC_control) / SE_j, as in `delong_test`, and Z jointly normal::

        adjusted p_j = P(max |Z| >= |z_j|)
        corr(Z_i, Z_j) = (v_i + v_j - v_ij) / (2 sqrt(v_i v_j))

    where v_i = SE_i^2, and v_ij is the variance of AUC_i - AUC_j. Step-down takes the maximum over
    the hypotheses that are not yet rejected.

    k - 1 comparisons have more power than the k (k - 1) / 2 of all pairs. Their correlations follow
    from DeLong's covariance, and the adjusted p-values from 32,768 fixed draws: near
    5% their error is .01%, and they are never below the unadjusted p-values.

    References
    ----------
    .. [1] C. W. Dunnett (1955), doi:10.1080/01621459.1955.10501294.
    .. [2] C. W. Dunnett, A. C. Tamhane (1991), doi:10.1002/sim.4780100614.
    .. [3] T. Hothorn, F. Bretz, P. Westfall (2008), doi:10.1002/bimj.200810425.
    .. [4] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> result = fc.delong_control_test(data.y_true, data.scores, "random_forest")
    >>> result.pairs[0], result.correction
    (('random_forest', 'logistic_regression'), 'dunnett-stepdown')
    >>> print(result.summary())
    2 of 4 differences in AUC are significant at the 5% level (step-down Dunnett-adjusted):
    random_forest has a higher AUC than decision_tree by 0.0550 (adjusted p = 9.83e-06);
    random_forest has a higher AUC than naive_bayes by 0.0214 (adjusted p = 0.0051). There were
    149 positive and 250 negative cases.
    """
    check_undefined(on_undefined)
    claims = as_control_claims(alternative, correction, alpha)
    check_reference(reference)
    cases, sample = as_sample(y_true, scores, reference, **counting)
    check_several(cases.scores)

    tests = control_tests(cases, sample, claims, as_model("control", control, cases.names))
    result = with_informative_statuses(tests, cases)
    return with_pair_caution(result, on_undefined, few_cases_hint(result.df, sample.design.kind))


def control_tests(
    cases: Cases, sample: Sample, claims: PairClaims, control: int
) -> DeLongControlResult:
    """Return the tests of all models against the control from the moments of all models."""
    cells = control_cells(len(cases.names), control)
    fields = delong_pair_fields(cases, sample, claims._replace(correction="none"), cells)
    pairs = named_pairs(cases.names, cells)
    raw = DeLongControlResult(**fields, pairs=pairs, control=cases.names[control])
    correction = claims.correction
    if correction == AUTO:  # by the rule of simultaneous intervals
        is_precise = raw._joint_covariance().is_precise_for(len(cases.names))
        correction = "dunnett-stepdown" if is_precise else "holm"
    claims = claims._replace(correction=correction)
    variance = sample.moments.difference_variance
    adjusted_pvalue = adjust_against_control(raw.pvalue, variance, cells, claims)
    return replace(raw, correction=correction, adjusted_pvalue=adjusted_pvalue)


def adjust_against_control(
    pvalue: Vector, variance: Matrix, cells: Cells, claims: PairClaims
) -> Vector:
    """Return the adjusted p-values of tests against a control.

    `variance` (k, k) are those of differences, of which Dunnett's methods need the correlations.
    A difference without variance gets 1, or NaN for a p-value of NaN.
    """
    if claims.correction not in DUNNETT:
        return adjust_pair_pvalues(pvalue, claims.correction)
    from ..._inference.step_down import dunnett_pvalues

    _, others = cells
    to_control, between = variance[cells], variance[np.ix_(others, others)]
    varies = (to_control > 0.0) & np.isfinite(pvalue)
    to_control, between = to_control[varies], between[np.ix_(varies, varies)]
    # the covariance of A - B and A - C is half of Var(A - B) + Var(A - C) - Var(B - C)
    doubled_covariance = to_control[:, None] + to_control - between
    correlation = doubled_covariance / (2.0 * np.sqrt(np.outer(to_control, to_control)))
    adjusted_pvalue = np.where(np.isnan(pvalue), np.nan, 1.0)
    adjusted_pvalue[varies] = dunnett_pvalues(
        pvalue[varies],
        correlation,
        claims.alternative,
        step_down=DUNNETT[claims.correction],
    )
    return adjusted_pvalue
