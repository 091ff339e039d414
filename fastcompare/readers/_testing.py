"""Tests that treatments do not differ on average over readers, and of an algorithm against readers.

Two treatments, all of them at once, or all pairs are compared by the model of `_study`. With D_j
the figure of merit of an algorithm alone less that of reader j, of r readers who are a sample, the
mean of D_j varies as that of one treatment does (Hillis 2007)::

    SE^2 = MS(D) / r + max(Cov2, 0),    df = (MS(D) + r max(Cov2, 0))^2 (r - 1) / MS(D)^2

where MS(D) is the variance of D_j and Cov2 the mean covariance of two of them over the cases, which
includes how the algorithm's scores vary from case to case.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import NDArray

from .._base.documented import with_engine_options
from .._base.text import decimals_for, ends_of_range
from .._base.types import Alternative, Direction, PairCorrection, Undefined, Vector
from .._inference.corrections.adjust import as_pair_claims
from .._inference.corrections.pairs import check_models
from .._inference.infer import DegreesOfFreedom, OmnibusOutcome, infer
from .._inference.pvalues import (
    CERTAIN,
    UNDEFINED,
    PValue,
    chi2_pvalue,
    f_pvalue,
)
from .._inference.status import warn_status
from .._inference.unseen import UnseenFailures, unseen_failures
from .._inputs.evals.readers import (
    COVARIANCES,
    RANDOM,
    Random,
    Reading,
    as_random,
    as_readings,
    as_readings_and_standalone,
    check_treatments,
    check_two_sided_test,
)
from .._inputs.evals.studies import RawStudy, Standalone
from .._inputs.options import check_choice, check_undefined, count_jobs
from .._resampling.bootstrap import as_claim
from .._results.caution import Cautious, CautiousPairs, with_caution, with_pair_caution
from .._results.pairs import IdenticalPairs, ReferencePairs, reference_fields
from .._results.records import OmnibusResult, Record
from .._results.two_models import StudentResult
from ._moments import difference_from_last_reader
from ._study import (
    CLAIM_SCOPES,
    MeanVariance,
    ReaderStudyResult,
    Study,
    as_study,
    difference_bound,
    scope_fields,
    size_status,
    study_of_model,
    study_result,
    treatment_mean_variances,
    treatment_variance,
    variance_model,
)


@dataclass(frozen=True, eq=False, kw_only=True)
class ReaderComparison(Cautious, Record):
    """Base of results that compare readers' figures of merit: what is random, and the study."""

    random: tuple[str, ...]
    bounds: ClassVar[Any] = property(lambda self: difference_bounds(self._study.bounds))
    higher_is_better: ClassVar[Any] = property(lambda self: self._study.metric != "loss")
    _study: ClassVar[Any]

    def _scope(self) -> str:
        """Return sentences on whom the claim is about, and on failures that would explain it."""
        is_random = "readers" in self.random, "cases" in self.random
        return f"The claim is about {CLAIM_SCOPES[is_random]}.{self._stated_failures()}"

    @property
    def _units(self) -> str:
        return self._study.unit if "cases" in self.random else "readers"

    def _unseen_failures(
        self, estimate: Any, first: Any, second: Any, *claim: Any
    ) -> UnseenFailures | None:
        """Return the unseen failures that would explain `estimate`, `first` less `second`.

        A failure has the worst figure of merit; None if there is no worst one.
        """
        better = self.higher_is_better
        low, high = self._study.bounds
        worst = low if better else high
        if not math.isfinite(worst):
            return None
        units = self._study.smallest_class if "cases" in self.random else len(self._study.readers)
        distances = abs(first - worst), abs(second - worst)
        return unseen_failures(estimate, distances, units, *claim, higher_is_better=better)


@dataclass(frozen=True, eq=False, kw_only=True)
class TreatmentsResult(ReaderComparison):
    """Base of results of tests that compare the treatments of a study."""

    study: ReaderStudyResult
    _sheets: ClassVar[str] = "readers"
    _picture: ClassVar[str] = "readers"
    _quantity: ClassVar[Any] = property(lambda self: f"mean {self._study.quantity}")
    _study: ClassVar[Any] = property(lambda self: self.study._study)

    @property
    def values(self) -> Vector:
        """The means (t,) of the treatments over readers."""
        return self.study.values

    def _model_limits(self, level: float) -> tuple[Vector, Vector]:
        """Return the limits (low, high), each (t,), of the treatments' means over readers."""
        return self.study._model_limits(level)


def difference_bounds(bounds: tuple[float, float]) -> tuple[float, float]:
    """Return the bounds of a difference of two numbers that lie within `bounds`."""
    low, high = bounds
    return low - high, high - low


@dataclass(frozen=True, eq=False, kw_only=True)
class ReaderStudyTestResult(TreatmentsResult, StudentResult):
    """Result of `reader_study_test` of two treatments; `estimate` is the first minus the second."""

    title: ClassVar[str] = "Reader study of two treatments"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        form = f".{decimals_for(self.estimate)}f"
        both = self._beside_names(*(f"{value:{form}}" for value in self.values))
        return (
            f"The mean {self._study.quantity} over readers is {both}, a difference of "
            f"{self.estimate:{form}} ({self._interval_prefix(form)}{self._study.sample_sizes()}; "
            f"{self.method}{self._hypothesis_text()}, {self._evidence()}). {self._scope()}"
        )

    def _failures(self) -> UnseenFailures | None:
        return self._unseen_failures(self.estimate, *self.values, self.alternative, self.margin)


@dataclass(frozen=True, eq=False, kw_only=True)
class ReaderStudyOmnibusResult(TreatmentsResult, OmnibusResult):
    """Result of `reader_study_test` of three treatments and more; there is no single estimate."""

    names: tuple[str, ...]
    title: ClassVar[str] = "Reader study of several treatments"
    _things: ClassVar[str] = "treatments"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        if math.isnan(self.pvalue):
            return f"The test of {len(self.names)} treatments is undefined."
        return (
            f"The mean {self._study.quantity} over readers ranges from "
            f"{ends_of_range(self.values)} "
            f"({self._study.sample_sizes()}; {self.method}, {self._evidence()}). "
            f"{self._scope()}"
        )


@with_engine_options(as_readings)
def reader_study_test(
    data: RawStudy | ReaderStudyResult = None,
    *,
    random: Random = RANDOM,
    covariance: str = "delong",
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    n_jobs: int = 1,
    on_undefined: Undefined = "warn",
    **reading: Unpack[Reading],
) -> ReaderStudyTestResult | ReaderStudyOmnibusResult:
    """Test whether treatments differ on average over readers who scored the same cases.

    The default is a claim about other readers and other cases. It is the analysis that reviewers
    of medical devices expect (multiple readers, multiple cases), and the one that answers whether
    an algorithm is better in spite of its seeds.

    Parameters
    ----------
    random : ('readers', 'cases'), 'readers' or 'cases', default=('readers', 'cases')
        What is a sample of all that the claim is about. 'cases': a claim about these readers alone,
        of which there may be one; for two treatments it is DeLong's test of the means of their
        AUCs. 'readers': a claim about these cases alone.
    covariance : {'delong', 'unbiased', 'jackknife'}, default='delong'
        As in `reader_study`.

    Returns
    -------
    ReaderStudyTestResult or ReaderStudyOmnibusResult
        Of two treatments with ``names``, ``estimate`` (the first mean minus the second),
        ``standard_error``, ``statistic`` (t, or z), ``df``, ``pvalue``, ``log_pvalue``,
        ``confidence_interval()``; of more with ``statistic`` and ``df`` of F or chi-squared and
        ``pvalue``. Both with ``values`` (t,), ``study`` (what `reader_study` returns), ``random``,
        ``method``, ``status``, ``summary()``.

    Warns
    -----
    UndefinedResultWarning
        'no_spread', if the treatments differ and nothing varies, so that p is NaN; 'too_few', if a
        class has one case.
    SmallSampleWarning
        'few_readers', if there are two readers or the test has fewer than 4 degrees of freedom;
        'small_sample', if a class has fewer than 10 cases; 'unseen_failures', as in `delong_test`.

    See Also
    --------
    reader_study : The figures of merit and the components of variance.
    reader_study_pairwise_test : All pairs of treatments.
    reader_study_vs_standalone : Readers against one algorithm.

    Notes
    -----
    With MS(T) and MS(TR) of the table of r readers by t treatments, and the covariances of
    `reader_study`::

        readers and cases   F = MS(T) / D,    D = MS(TR) + r max(Cov2 - Cov3, 0),
                            df = t - 1 and D^2 (t - 1)(r - 1) / MS(TR)^2
        cases               chi^2 = (t - 1) MS(T) / (Var - Cov1 + (r - 1)(Cov2 - Cov3))
        readers             F = MS(T) / MS(TR),    df = t - 1 and (t - 1)(r - 1)

    A difference of two treatments has SE^2 = 2 / r times the denominator and t with the second df,
    which is the same test if there are two. A margin is added to the difference, or taken away,
    before it is divided. docs/evidence/readers.md has the levels.

    References
    ----------
    .. [1] N. A. Obuchowski, H. E. Rockette (1995), doi:10.1080/03610919508813243.
    .. [2] S. L. Hillis (2007), doi:10.1002/sim.2532.
    .. [3] S. L. Hillis, N. A. Obuchowski, K. M. Schartz, K. S. Berbaum (2005),
       doi:10.1002/sim.2024.

    Examples
    --------
    >>> import fastcompare as fc
    >>> truth = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> alone = {"Ann": [1, 2, 4, 2, 3, 5, 4, 2], "Bo": [1, 3, 2, 2, 4, 5, 3, 1]}
    >>> aided = {"Ann": [1, 2, 3, 2, 4, 5, 4, 3], "Bo": [1, 2, 2, 3, 4, 5, 4, 2]}
    >>> study = {"aided": aided, "alone": alone}
    >>> print(fc.reader_study_test(study, truth=truth, on_undefined="ignore").summary())
    aided and alone do not differ significantly in mean AUC. The mean AUC over readers is 0.9219
    (aided) and 0.7656 (alone), a difference of 0.1562 (95% CI -0.0027 to 0.3152; 2 readers, 4
    positive and 4 negative cases; Obuchowski-Rockette analysis, readers and cases random, t(40.11)
    = 1.987, p = 0.0538). The claim is about other readers and cases.
    """
    check_undefined(on_undefined)
    claim = as_claim(alternative, margin, math.inf)
    study = as_study(data, covariance, n_jobs, reading)
    is_random = as_random(random, len(study.readers))
    check_treatments(study.treatments, 2)
    if len(study.treatments) > 2:
        check_two_sided_test(*claim, len(study.treatments))
        return omnibus_result(study, is_random, on_undefined)
    _, largest_figure = study.bounds
    claim = as_claim(alternative, margin, largest_figure)
    mean_variance = treatment_variance(study.model, is_random)
    (estimate,) = study.model.estimates.tolist()
    error = mean_variance.standard_error(len(study.readers), n_means=2)
    status = treatment_status(study, is_random, mean_variance, abs(estimate), claim.margin)
    first, second = study.treatments
    bound = difference_bound(study, is_random)
    result = ReaderStudyTestResult(
        **infer(estimate, error, *claim, df=mean_variance.df, unvaried=bound),
        names=(first, second),
        df=mean_variance.df,
        **scope_fields(is_random),
        status=status,
        study=study_result(study, is_random, "ignore"),
    )
    return with_caution(result, on_undefined)


def treatment_status(
    study: Study,
    is_random: tuple[bool, bool],
    mean_variance: MeanVariance,
    gap: float,
    margin: float = 0.0,
) -> str:
    """Return the status word of a test of treatments; `gap` is 0 if they do not differ."""
    word = size_status(study, mean_variance.df, is_random)
    if word == "too_few" or mean_variance.scaled_variance > 0.0:
        return word
    if gap:
        return "unvaried" if margin else "no_spread"
    return "identical" if study.model.identical else "no_difference"


def omnibus_result(
    study: Study, is_random: tuple[bool, bool], on_undefined: str
) -> ReaderStudyOmnibusResult:
    """Return the test of more than two treatments."""
    ms_t = study.model.ms_t
    mean_variance = treatment_variance(study.model, is_random)
    readers_are_random, _ = is_random
    test = omnibus_pvalue(
        ms_t, mean_variance, df=len(study.treatments) - 1, by_f=readers_are_random
    )
    status = treatment_status(study, is_random, mean_variance, gap=ms_t)
    warn_status(status, on_undefined)
    return ReaderStudyOmnibusResult(
        **OmnibusOutcome(*test, status).fields(),
        names=study.treatments,
        n_dropped=0,
        **scope_fields(is_random),
        study=study_result(study, is_random, "ignore"),
    )


def omnibus_pvalue(
    ms_t: float, mean_variance: MeanVariance, df: int, by_f: bool
) -> tuple[float, DegreesOfFreedom, PValue]:
    """Return F, or chi-squared unless `by_f`, with its degrees of freedom and p-value.

    The p-value is 1 if treatments neither differ nor vary, undefined if they differ without
    variance.
    """
    degrees: DegreesOfFreedom = (df, mean_variance.df) if by_f else df
    if math.isnan(mean_variance.scaled_variance):
        return math.nan, degrees, UNDEFINED
    if not mean_variance.scaled_variance > 0.0:
        return (math.inf, degrees, UNDEFINED) if ms_t else (0.0, degrees, CERTAIN)
    f = ms_t / mean_variance.scaled_variance
    chi2 = df * f
    if not by_f:
        return chi2, degrees, chi2_pvalue(chi2, df)
    if mean_variance.df == math.inf:  # F is then chi-squared over df
        return f, degrees, chi2_pvalue(chi2, df)
    return f, degrees, f_pvalue(f, df, mean_variance.df)


@dataclass(frozen=True, eq=False, kw_only=True)
class ReaderStudyPairwiseResult(CautiousPairs, TreatmentsResult, ReferencePairs):
    """Result of `reader_study_pairwise_test`; arrays over the P = t (t - 1) / 2 pairs."""

    df: float
    method: NDArray[np.str_]
    title: ClassVar[str] = "Reader study of all pairs of treatments"
    _claim: ClassVar[str] = "is {more} than"
    quantity: ClassVar[Any] = TreatmentsResult._quantity
    _follows_sample: ClassVar[bool] = False

    def _summary(self) -> str:
        """Return the result in sentences of plain words, at the level `alpha` (5%)."""
        return f"{super()._summary()} There were {self._study.sample_sizes()}. {self._scope()}"

    def _failures(self) -> UnseenFailures | None:
        """Return the unseen failures that would explain each pair's difference."""
        first, second = (self.values[models] for models in self._cells())
        return self._unseen_failures(self.estimate, first, second, self.alternative)


@with_engine_options(as_readings)
def reader_study_pairwise_test(
    data: RawStudy | ReaderStudyResult = None,
    *,
    random: Random = RANDOM,
    covariance: str = "delong",
    alternative: Direction = "two-sided",
    correction: PairCorrection = "auto",
    alpha: float = 0.05,
    n_jobs: int = 1,
    on_undefined: Undefined = "warn",
    **reading: Unpack[Reading],
) -> ReaderStudyPairwiseResult:
    """Test every pair of treatments that the same readers scored under, with adjusted p-values.

    Parameters
    ----------
    random, covariance
        As in `reader_study_test`.

    Returns
    -------
    ReaderStudyPairwiseResult
        With ``names`` (t,), ``values`` (t,), ``pairs`` (P names), ``df``, and of shape (P,)
        ``estimate``, ``standard_error``, ``statistic``, ``pvalue``, ``log_pvalue``,
        ``adjusted_pvalue``, ``status``, ``method``; ``cliques``, ``study``; methods
        ``matrix(field)``, ``confidence_interval(confidence_level, simultaneous=False)``,
        ``summary()`` and ``to_dict()``.

    Warns
    -----
    UndefinedResultWarning
        'no_spread' and 'too_few', as in `reader_study_test`.
    SmallSampleWarning
        As in `reader_study_test`.

    See Also
    --------
    reader_study_test : One test of all treatments.

    Notes
    -----
    All pairs have the standard error and the degrees of freedom of the test of all treatments, as
    in `reader_study_test`: sqrt(2 D / r) with df2.

    References
    ----------
    .. [1] S. L. Hillis (2007), doi:10.1002/sim.2532.

    Examples
    --------
    >>> import fastcompare as fc
    >>> truth = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> film = {"Ann": [1, 2, 4, 2, 3, 5, 4, 2], "Bo": [1, 3, 2, 2, 4, 5, 3, 1]}
    >>> screen = {"Ann": [1, 2, 3, 2, 4, 5, 4, 3], "Bo": [1, 2, 2, 3, 4, 5, 4, 2]}
    >>> aided = {"Ann": [1, 2, 2, 2, 4, 5, 4, 3], "Bo": [1, 2, 2, 3, 4, 5, 4, 3]}
    >>> study = {"film": film, "screen": screen, "aided": aided}
    >>> result = fc.reader_study_pairwise_test(study, truth=truth, on_undefined="ignore")
    >>> result.estimate.round(4).tolist()
    [-0.1562, -0.2188, -0.0625]
    """
    check_undefined(on_undefined)
    claims = as_pair_claims(alternative, correction, alpha)
    study = as_study(data, covariance, n_jobs, reading)
    is_random = as_random(random, len(study.readers))
    check_treatments(study.treatments, 2)
    check_models(len(study.treatments), claims.correction)
    mean_variance = treatment_variance(study.model, is_random)
    estimate = study.model.estimates
    error = np.full(estimate.shape, mean_variance.standard_error(len(study.readers), n_means=2))
    df = np.full(estimate.shape, mean_variance.df)
    status = np.array(
        [treatment_status(study, is_random, mean_variance, abs(gap)) for gap in estimate.tolist()]
    )
    scope = scope_fields(is_random)
    result = ReaderStudyPairwiseResult(
        **reference_fields(study.treatments, estimate, error, df, claims),
        df=mean_variance.df,
        status=status,
        random=scope["random"],
        method=np.full(estimate.shape, scope["method"]),
        n_dropped=0,
        study=study_result(study, is_random, "ignore"),
        _unvaried=IdenticalPairs.of(estimate, error, difference_bound(study, is_random)),
    )
    return with_pair_caution(result, on_undefined)


READERS = "readers"  # what an algorithm is compared with, beside its own name


@dataclass(frozen=True, eq=False, kw_only=True)
class ReaderStudyStandaloneResult(ReaderComparison, StudentResult):
    """Result of `reader_study_vs_standalone`; `estimate` is the algorithm minus the readers."""

    values: Vector
    readers: tuple[str, ...]
    figures: Vector
    measure: str
    n_positive: int
    n_negative: int
    _study: Study = field(repr=False)  # type: ignore[misc]
    title: ClassVar[str] = "An algorithm against readers"
    _quantity: ClassVar[Any] = property(lambda self: self._study.quantity)

    @property
    def _subjects(self) -> tuple[str, str]:
        """Return how the summary names the algorithm and the readers."""
        algorithm, others = self.names
        return algorithm, "the average reader" if others == READERS else others

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        form = f".{decimals_for(self.estimate)}f"
        algorithm, mean = (f"{value:{form}}" for value in self.values)
        return (
            f"The {self._study.quantity} of {self.names[0]} is {algorithm} and that of readers "
            f"{mean} on average, a difference of {self.estimate:{form}} "
            f"({self._interval_prefix(form)}{self._study.sample_sizes()}; "
            f"{self.method}{self._hypothesis_text()}, {self._evidence()}). {self._scope()}"
        )

    def _failures(self) -> UnseenFailures | None:
        return self._unseen_failures(self.estimate, *self.values, self.alternative, self.margin)


def metric_range(metric: object) -> float:
    """Return the width of the range of a figure of merit, infinite of means and losses."""
    return math.inf if isinstance(metric, str) and metric in ("mean", "loss") else 1.0


@with_engine_options(as_readings)
def reader_study_vs_standalone(
    data: RawStudy = None,
    standalone: Standalone = "standalone",
    *,
    random: Random = RANDOM,
    covariance: str = "delong",
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    n_jobs: int = 1,
    on_undefined: Undefined = "warn",
    **reading: Unpack[Reading],
) -> ReaderStudyStandaloneResult:
    """Test whether an algorithm alone differs from readers on average, on the same cases.

    Parameters
    ----------
    standalone : str, mapping or array-like of shape (n,), default='standalone'
        The algorithm's scores: the name of the reader of its rows in a long table (whatever their
        treatment), a mapping from cases to scores, or, where `data` is an array, a score a case.
    random : ('readers', 'cases'), 'readers' or 'cases', default=('readers', 'cases')
        What is a sample of all that the claim is about, as in `reader_study_test`. The algorithm is
        the one that it is.
    covariance : {'delong', 'unbiased', 'jackknife'}, default='delong'
        As in `reader_study`.

    Returns
    -------
    ReaderStudyStandaloneResult
        With ``names`` (the algorithm's, and 'readers'), ``values`` (the algorithm's figure of merit
        and the mean of the readers'), ``figures`` (r,) of the ``readers``, ``estimate`` (the first
        value minus the second), ``standard_error``, ``statistic``, ``df``, ``pvalue``,
        ``log_pvalue``, ``random``, ``method``, ``status``; ``confidence_interval()`` and
        ``summary()``.

    Warns
    -----
    UndefinedResultWarning
        'no_spread' and 'too_few', as in `reader_study_test`.
    SmallSampleWarning
        'few_readers' and 'small_sample', as in `reader_study_test`.

    See Also
    --------
    reader_study_test : Treatments that the same readers scored under.

    Notes
    -----
    With D_j the algorithm's figure minus that of reader j, MS(D) their variance and Cov2 the mean
    covariance of two of them over the cases::

        t = mean of D_j / SE,    SE^2 = MS(D) / r + max(Cov2, 0)
        df = (MS(D) + r max(Cov2, 0))^2 (r - 1) / MS(D)^2

    With ``alternative='greater'`` and a margin, H1 is that the algorithm is not inferior to
    readers. 400 simulated studies each of 3, 5 and 10 readers with 25 + 25 and 50 + 50 cases, an
    algorithm as good as readers, rejected in 3 to 9% at 5%.

    References
    ----------
    .. [1] S. L. Hillis (2007), doi:10.1002/sim.2532.
    .. [2] N. A. Obuchowski, H. E. Rockette (1995), doi:10.1080/03610919508813243.

    Examples
    --------
    >>> import fastcompare as fc
    >>> truth = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> ratings = {"Ann": [1, 2, 4, 2, 3, 5, 4, 2], "Bo": [1, 3, 2, 2, 4, 5, 3, 1],
    ...            "Cy": [2, 2, 3, 1, 3, 4, 5, 2]}
    >>> network = [0.1, 0.3, 0.4, 0.2, 0.7, 0.9, 0.8, 0.35]
    >>> result = fc.reader_study_vs_standalone({"unaided": ratings}, network, truth=truth,
    ...                                        on_undefined="ignore")
    >>> round(result.estimate, 4), result.values.round(4).tolist()
    (0.1458, [0.9375, 0.7917])
    """
    check_undefined(on_undefined)
    claim = as_claim(alternative, margin, metric_range(reading.get("metric")))
    check_choice("covariance", covariance, COVARIANCES)
    jobs = count_jobs(n_jobs)
    readings = as_readings_and_standalone(data, standalone, **reading)
    names, r = readings.readers, len(readings.readers) - 1
    is_random = as_random(random, r)
    differences, figures = difference_from_last_reader(readings, covariance, jobs)
    study = study_of_model(variance_model(differences), readings, covariance)
    study = study._replace(treatments=(names[-1], READERS), readers=names[:-1])
    (mean_variance,) = treatment_mean_variances(study.model, is_random)
    (estimate,) = study.model.means.tolist()
    status = treatment_status(study, is_random, mean_variance, abs(estimate), claim.margin)
    bound, error = difference_bound(study, is_random), mean_variance.standard_error(r)
    result = ReaderStudyStandaloneResult(
        **infer(estimate, error, *claim, df=mean_variance.df, unvaried=bound),
        names=(names[-1], READERS),
        df=mean_variance.df,
        **scope_fields(is_random),
        status=status,
        values=np.array([figures[-1], figures[:-1].mean()]),
        readers=names[:-1],
        figures=figures[:-1],
        measure=study.metric,
        n_positive=study.n_positive,
        n_negative=study.n_negative,
        _study=study,
    )
    return with_caution(result, on_undefined)
