"""Concordances of k models on the same cases: their covariance, all pairs, and all at once."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import combinations
from typing import ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.documented import with_engine_options
from .._base.text import amount, ends_of_range, show_number
from .._base.types import Direction, Fields, Matrix, PairCorrection, Undefined, Vector
from .._inference.corrections.adjust import PairClaims, as_pair_claims
from .._inference.corrections.pairs import check_models
from .._inference.infer import OmnibusOutcome, quadratic_form
from .._inference.status import warn_status
from .._inference.unseen import UnseenFailures, unseen_failures
from .._inputs.models import as_contrast
from .._inputs.options import check_choice, check_level, check_undefined
from .._inputs.scores import ScoreTable, check_several
from .._results.caution import CautiousPairs, with_pair_caution
from .._results.pairs import IdenticalPairs, JointCovariance, ReferencePairs, reference_fields
from .._results.records import ConfidenceInterval, OmnibusResult, Record
from ..auc._delong.clustered import Contrasts
from ..auc._delong.omnibus import REFERENCES, EffectiveCounts, contrast_test, undefined_test
from ..auc._intervals import IntervalInputs
from ._concordance import CautiousConcordance, EventCounts, model_limits
from ._design import UNKNOWN, ConcordanceSample
from ._reading import ReferenceOptions, SampleOptions, as_sample
from ._strata import StratifiedSample


@dataclass(frozen=True, eq=False, kw_only=True)
class ModelsConcordances(EventCounts):
    """Concordances of k models, with what their intervals are computed from."""

    concordance: Vector
    _model_evidence: tuple[IntervalInputs, ...] = field(repr=False)

    def _model_limits(self, level: float) -> tuple[Vector, Vector]:
        """Return the ends (k,) each of the intervals of all concordances."""
        return model_limits(self._model_evidence, level)


@dataclass(frozen=True, eq=False, kw_only=True)
class ConcordanceCovarianceResult(ModelsConcordances, Record):
    """Result of `concordance_covariance`."""

    names: tuple[str, ...]
    covariance: Matrix
    df: Vector
    method: str
    status: str

    title: ClassVar[str] = "Concordances and their covariance"
    _has_interval: ClassVar[bool] = True  # of each model, in tables
    _picture: ClassVar[str] = "forest"

    @property
    def standard_error(self) -> Vector:
        """The standard errors (k,) of the concordances."""
        return np.sqrt(np.diag(self.covariance))

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        rows = zip(self.names, self.concordance, self.standard_error, strict=True)
        models = [
            f"{name} {show_number(value)} (SE {show_number(error)})" for name, value, error in rows
        ]
        cases = f"{amount(self.n, 'case')} with {amount(self.n_events, 'event')}"
        notes = self._notes(self.concordance, self.status)
        return f"{self.method} on {cases}: {', '.join(models)}.{notes}"


@with_engine_options(as_sample)
def concordance_covariance(
    time: ArrayLike,
    event: ArrayLike | None,
    scores: ScoreTable,
    *,
    on_undefined: Undefined = "warn",
    **counting: Unpack[ReferenceOptions],
) -> ConcordanceCovarianceResult:
    """Return the concordances of k models on the same cases, and their covariance.

    Parameters
    ----------
    scores : array-like of shape (n, k), mapping or data frame
        Scores, one column per model; a higher score means an earlier event. Column names become
        model names.

    Returns
    -------
    ConcordanceCovarianceResult
        With ``names``, ``concordance`` (k,), ``covariance`` (k, k), ``standard_error`` (k,), ``df``
        (k,), ``n``, ``n_events`` (those before `tau`), ``tau``, ``method``, ``status``.

    Warns
    -----
    UndefinedResultWarning
        'no_pairs', 'one_event' or 'too_few_clusters', as in `concordance_test`; the covariance is
        NaN then.
    SmallSampleWarning
        'small_sample', 'few_clusters' or 'heavy_weights', as in `concordance_test`.

    See Also
    --------
    concordance_pairwise_test : Takes variances of differences without the cancellation that
        ``S[i, i] + S[j, j] - 2 * S[i, j]`` suffers for similar models.

    References
    ----------
    .. [1] F. E. Harrell, R. M. Califf, D. B. Pryor, K. L. Lee, R. A. Rosati (1982),
       doi:10.1001/jama.1982.03320430047030.
    .. [2] H. Uno, T. Cai, M. J. Pencina, R. B. D'Agostino, L. J. Wei (2011), doi:10.1002/sim.4154.

    Examples
    --------
    >>> import fastcompare as fc
    >>> time, event = [1, 2, 2, 3, 4, 5], [1, 1, 0, 1, 0, 1]
    >>> scores = {"A": [5, 3, 3, 4, 2, 1], "B": [4, 5, 3, 1, 2, 2]}
    >>> result = fc.concordance_covariance(time, event, scores)
    >>> result.concordance.round(4).tolist(), result.standard_error.round(4).tolist()
    ([0.8636, 0.7273], [0.1537, 0.1431])
    """
    check_undefined(on_undefined)
    sample = as_sample(time, event, scores, **counting)
    warn_status(sample.status, on_undefined)
    return ConcordanceCovarianceResult(
        names=sample.cases.names,
        concordance=sample.values,
        covariance=sample.covariance,
        df=np.array([sample.estimate_variance(model).df for model in range(sample.k)]),
        method=sample.title,
        status=sample.status,
        **sample.fields(),
        _model_evidence=sample.interval_inputs(),
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class ConcordancePairwiseResult(
    CautiousPairs, CautiousConcordance, ModelsConcordances, ReferencePairs
):
    """Result of `concordance_pairwise_test`; arrays over the P = k (k - 1) / 2 pairs."""

    covariance: Matrix
    df: Vector
    method: NDArray[np.str_]

    title: ClassVar[str] = "Tests of the concordances of all pairs of models"
    quantity: ClassVar[str] = "concordance"
    _claim: ClassVar[str] = "has a {more} concordance than"
    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)

    def concordance_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the two-sided interval of every model's concordance.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1, of each interval.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, arrays of shape (k,), as 'score' of `concordance_interval`.
        """
        ends = model_limits(self._model_evidence, check_level(confidence_level))
        return ConfidenceInterval.within(*ends, (0.0, 1.0))

    def _summary(self) -> str:
        """Return the result in a sentence of plain words, at the level `alpha` (5%)."""
        warnings = ("small_sample", "heavy_weights")  # those that `_notes` has sentences for
        status = next((word for word in warnings if word in self.status), "ok")
        notes = self._notes(self.concordance, status)
        return super()._summary() + notes + self._stated_failures()

    def _failures(self) -> UnseenFailures:
        both = [self.concordance[models] for models in self._cells()]  # of each pair's two models
        return unseen_failures(self.estimate, both, self._independent_pairs, self.alternative)

    def _joint_covariance(self) -> JointCovariance:
        """Return the covariance of the concordances, and the fewest cases in effect."""
        fewest_cases = np.fmin.reduce(self.df, initial=math.inf) + 1.0  # of defined df
        return JointCovariance(self.covariance, n=min(self.n_events, float(fewest_cases)))


@with_engine_options(as_sample)
def concordance_pairwise_test(
    time: ArrayLike,
    event: ArrayLike | None,
    scores: ScoreTable,
    *,
    alternative: Direction = "two-sided",
    correction: PairCorrection = "auto",
    alpha: float = 0.05,
    on_undefined: Undefined = "warn",
    **counting: Unpack[ReferenceOptions],
) -> ConcordancePairwiseResult:
    """Test every pair of k models' concordances on the same cases, with adjusted p-values.

    Parameters
    ----------
    scores : array-like of shape (n, k), mapping or data frame
        A column of scores for each of at least two models: the higher, the sooner the event; names
        reach the result.
    alpha : float, default=0.05
        The level of ``cliques`` and of the summary.

    Returns
    -------
    ConcordancePairwiseResult
        With ``names`` (k,), ``concordance`` (k,), ``covariance`` (k, k), ``pairs`` (P names), and
        of shape (P,) ``estimate``, ``standard_error``, ``statistic``, ``df``, ``pvalue``,
        ``adjusted_pvalue``, ``status``; ``n``, ``n_events``, ``tau``; methods
        ``concordance_interval(confidence_level)``,
        ``confidence_interval(confidence_level, simultaneous=False)``, ``summary()`` and
        ``to_dict()``.

    Warns
    -----
    UndefinedResultWarning
        'no_pairs', 'one_event', 'too_few_clusters' or 'zero_variance', as in `concordance_test`.
    SmallSampleWarning
        'small_sample', 'few_clusters' or 'heavy_weights', as in `concordance_test`.

    See Also
    --------
    concordance_omnibus_test : Whether any models differ.

    Notes
    -----
    Each pair is tested as by `concordance_test`; the cases are sorted by time once.

    References
    ----------
    .. [1] F. E. Harrell, R. M. Califf, D. B. Pryor, K. L. Lee, R. A. Rosati (1982),
       doi:10.1001/jama.1982.03320430047030.
    .. [2] J. P. Shaffer (1986), doi:10.1080/01621459.1986.10478341.

    Examples
    --------
    >>> import fastcompare as fc
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> time, censored = rng.exponential(size=(2, 100))
    >>> scores = {"A": rng.normal(size=100)}
    >>> scores |= {name: rng.normal(size=100) - np.log(time) for name in "BC"}
    >>> result = fc.concordance_pairwise_test(np.minimum(time, censored), time < censored, scores)
    >>> result.concordance.round(2).tolist(), result.cliques
    ([0.51, 0.86, 0.84], (('B', 'C'),))
    """
    check_undefined(on_undefined)
    claims = as_pair_claims(alternative, correction, alpha)
    sample = as_sample(time, event, scores, **counting)
    check_several(sample.cases.scores)
    check_models(sample.k, claims.correction)
    result = ConcordancePairwiseResult(**pairwise_fields(sample, claims))
    return with_pair_caution(result, on_undefined)


def pairwise_fields(sample: ConcordanceSample, claims: PairClaims) -> Fields:
    """Return the fields of a result with the tests of all pairs of models."""
    pairs = list(combinations(range(sample.k), 2))
    variances = [sample.estimate_variance(i, j) for i, j in pairs]
    estimate = np.array([sample.pairs.estimate(i, j) for i, j in pairs])
    error = np.sqrt([variance.variance for variance in variances])
    df = np.array([variance.df for variance in variances])
    words = [
        sample.zero_variance_status(float(difference)) if standard_error == 0.0 else sample.status
        for difference, standard_error in zip(estimate, error, strict=True)
    ]
    return Fields(
        **reference_fields(sample.cases.names, estimate, error, df, claims),
        **sample.fields(),
        df=df,
        concordance=sample.values,
        covariance=sample.covariance,
        status=np.array(words),
        method=np.full(estimate.shape, f"paired test of {sample.title}"),
        _unvaried=IdenticalPairs.of(estimate, error, sample.zero_variance_bound),
        _model_evidence=sample.interval_inputs(),
        _independent_pairs=sample.zero_variance_bound.units,
    )


ROUNDING = 1e-14  # of components: a few units in the last place


@dataclass(frozen=True, eq=False, kw_only=True)
class ConcordanceOmnibusResult(ModelsConcordances, OmnibusResult):
    """Result of `concordance_omnibus_test`; there is no single estimate, hence no interval."""

    names: tuple[str, ...]
    contrast: Matrix

    title: ClassVar[str] = "Test that concordances on the same cases are equal"
    _quantity: ClassVar[str] = "concordance"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        if math.isnan(self.pvalue):
            return f"The omnibus test of the concordances of {len(self.names)} models is undefined."
        return (
            f"The concordances range from {ends_of_range(self.concordance)} "
            f"({self.method}, {self._evidence()}; "
            f"{amount(self.n, 'case')}, {amount(self.n_events, 'event')})."
        )


@with_engine_options(as_sample)
def concordance_omnibus_test(
    time: ArrayLike,
    event: ArrayLike | None,
    scores: ScoreTable,
    *,
    contrast: ArrayLike | None = None,
    reference: str = "auto",
    on_undefined: Undefined = "warn",
    **reading: Unpack[SampleOptions],
) -> ConcordanceOmnibusResult:
    """Test whether k models have equal concordance on the same cases.

    Parameters
    ----------
    scores : array-like of shape (n, k), mapping or data frame
        A column of scores for each of at least two models.
    contrast : array-like of shape (r, k) or (k,), optional
        Rows of coefficients that sum to 0; the null hypothesis is that every row's combination of
        concordances is 0. By default all are equal.
    method : {'harrell', 'uno'}, default='harrell'
        As in `concordance_test`.
    reference : {'auto', 'anova', 'f', 'chi2'}, default='auto'
        What is tested, and by which distribution, as in `delong_omnibus_test`: 'f' by Hotelling's F
        where the variance has 6 degrees of freedom a contrast, else 'anova', the sum of squares.
        'chi2' rejects too often with few events.

    Returns
    -------
    ConcordanceOmnibusResult
        With ``statistic`` (F, or chi-squared), ``df``, ``pvalue``, ``log_pvalue``, ``concordance``
        (k,), ``names``, ``contrast``, ``n``, ``n_events``, ``tau``, ``method``, ``status``.

    Warns
    -----
    UndefinedResultWarning
        'no_pairs', 'one_event' or 'too_few_clusters', as in `concordance_test`; 'singular', if the
        contrasts differ in a direction without variance; 'too_many_models' for the events.
    SmallSampleWarning
        'small_sample', if events are too few for the `reference`; 'few_clusters' and
        'heavy_weights', as in `concordance_test`.

    See Also
    --------
    concordance_pairwise_test : Which models differ.

    Notes
    -----
    The covariance of the concordances has a part for events and a part for other cases, as that of
    AUCs has for positives and negatives; F and its degrees of freedom are those of
    `delong_omnibus_test`, which this is where all events come at one time.

    References
    ----------
    .. [1] F. E. Harrell, R. M. Califf, D. B. Pryor, K. L. Lee, R. A. Rosati (1982),
       doi:10.1001/jama.1982.03320430047030.
    .. [2] K. Krishnamoorthy, J. Yu (2004), doi:10.1016/j.spl.2003.10.012.
    .. [3] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.

    Examples
    --------
    >>> import fastcompare as fc
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> time, censored = rng.exponential(size=(2, 100))
    >>> scores = {"A": rng.normal(size=100)}
    >>> scores |= {name: rng.normal(size=100) - np.log(time) for name in "BC"}
    >>> result = fc.concordance_omnibus_test(np.minimum(time, censored), time < censored, scores)
    >>> result.pvalue < 0.001
    True
    """
    check_undefined(on_undefined)
    check_choice("reference", reference, REFERENCES)
    sample = as_sample(time, event, scores, **reading)
    check_several(sample.cases.scores)
    rows = as_contrast(contrast, sample.k)
    test = concordance_contrast_test(sample, rows, reference)
    warn_status(test.status, on_undefined)
    return ConcordanceOmnibusResult(
        **test.fields(),
        concordance=sample.values,
        names=sample.cases.names,
        contrast=rows,
        method=f"{test.way} of {sample.title}",
        **sample.fields(),
        _model_evidence=sample.interval_inputs(),
    )


def concordance_contrasts(sample: ConcordanceSample, rows: Matrix) -> Contrasts:
    """Return contrasts of concordances with coefficients `rows` (r, k), with their covariance.

    Its parts by kind of case, and with clusters those of clusters first, give degrees of freedom.
    """
    rows = rows / abs(rows).max(axis=1, keepdims=True)
    if isinstance(sample, StratifiedSample):
        by_kind, overlaps, components = sample.contrast_parts(rows)
        return as_contrasts(sample, rows, components, by_kind.sum(axis=0), (by_kind,), overlaps)
    components = np.array([sample.pairs.components(model) for model in range(sample.k)])
    variation = sample.variation
    masks = [np.sqrt(f) * (variation.kind == kind) for kind, f in enumerate(variation.factors)]
    influence = np.array([(rows @ components) * mask for mask in masks])  # (2, r, n)
    by_kind = influence @ influence.transpose(0, 2, 1)
    covariance = by_kind.sum(axis=0)
    shares: tuple[NDArray[np.float64], ...] = (by_kind,)
    if variation.groups is not None:
        sums = np.array([variation.cluster_sums(of_model) for of_model in components])
        combined = np.tensordot(rows, sums, 1)  # (r, 2, G)
        totals = combined.sum(axis=1)
        of_clusters = combined.transpose(1, 0, 2)
        covariance = totals @ totals.T
        shares = (of_clusters @ of_clusters.transpose(0, 2, 1), by_kind)
    return as_contrasts(sample, rows, components, covariance, shares, variation.overlaps)


def as_contrasts(
    sample: ConcordanceSample,
    rows: Matrix,
    components: Matrix,
    covariance: Matrix,
    shares: tuple[NDArray[np.float64], ...],
    overlaps: Matrix,
) -> Contrasts:
    """Return the contrasts of concordances from cases' components and the contrasts' covariance.

    `shares` are the parts (2, r, r) of the covariance by kind of case (of clusters, of cases),
    `overlaps` those of the kinds.
    """
    noise = ROUNDING * (abs(rows) @ np.sqrt(np.square(components).sum(axis=1)))
    difference = rows @ sample.values
    form = quadratic_form(difference, covariance, noise, ROUNDING * sample.k)
    return Contrasts(rows, difference, covariance, shares, overlaps, form)


def concordance_contrast_test(
    sample: ConcordanceSample, rows: Matrix, reference: str
) -> OmnibusOutcome:
    """Return the omnibus test that all contrasts `rows` of the concordances are 0."""
    if sample.status in UNKNOWN:
        return undefined_test(len(rows), reference, sample.status)
    n_others, n_events = sample.variation.units
    basis = EffectiveCounts(
        word=sample.status,
        cases=sample.variation.counts.events,
        units=n_events,
        too_many=n_others + n_events - 2,
        df=sample.cluster_df,
    )
    return contrast_test(concordance_contrasts(sample, rows), reference, basis)
