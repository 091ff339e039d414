"""Reader studies by the model of Obuchowski and Rockette: its components and one treatment's mean.

With theta_ij the figure of merit of reader j under treatment i, of t treatments and r readers::

    theta_ij = mu + tau_i + R_j + (tau R)_ij + e_ij

readers are a sample, and so are the cases, whose errors e_ij covary: Var for the same treatment and
reader, Cov1 for the same reader, Cov2 for the same treatment, Cov3 for neither. They are plain
means over the entries of the covariance of all theta_ij. Mean squares MS are those of the table of
theta_ij, D is what MS(T) is on average where treatments do not differ, and df2 its degrees of
freedom (Hillis 2007)::

    D = MS(TR) + r max(Cov2 - Cov3, 0),    df2 = D^2 / [MS(TR)^2 / ((t - 1)(r - 1))]
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Unpack

import numpy as np

from .._base.documented import with_engine_options
from .._base.text import amount, join_names, show_number
from .._base.types import AnyArray, Fields, Matrix, Undefined, Vector
from .._inference.infer import ZeroVarianceBound
from .._inference.pvalues import reference_quantiles, upper_tail
from .._inference.status import warn_status
from .._inputs.evals.readers import (
    COVARIANCES,
    RANDOM,
    Random,
    Reading,
    Readings,
    as_random,
    as_readings,
    check_no_reading,
)
from .._inputs.evals.studies import RawStudy
from .._inputs.options import check_choice, check_level, check_undefined, count_jobs
from .._results.records import ConfidenceInterval, Record
from ._moments import FigureVariances, figure_variances

QUANTITIES = {  # by metric, as sentences name them
    "auc": "AUC",
    "sensitivity": "sensitivity",
    "specificity": "specificity",
    "mean": "score",
    "loss": "loss",
}
ANALYSIS_TITLE = "Obuchowski-Rockette analysis"
FEWEST_DF, FEWEST_CASES = 4.0, 10
FEWEST_READERS = 3  # of two, tests reject 8 to 9% at 5%: docs/evidence/readers.md


class VarianceModel(NamedTuple):
    """Mean squares and covariances of Obuchowski and Rockette's model, in the module's letters.

    Those `_by_treatment` and `var_means` are (t,). `var_minus_cov1` is Var - Cov1, `excess` is Cov2
    - Cov3, before it is cut at 0: half the mean variance and covariance of differences of
    treatments. `fixed_reader_variance` is the denominator of MS(T) for fixed readers.
    """

    figures: Matrix
    means: Vector  # over readers
    estimates: Vector  # of all pairs of treatments
    identical: bool  # all treatments, for every reader and case
    ms_t: float
    ms_r: float
    ms_tr: float
    ms_reader_by_treatment: Vector
    var: float
    cov2_by_treatment: Vector
    var_means: Vector
    var_minus_cov1: float
    excess: float
    fixed_reader_variance: float

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of treatments and readers."""
        t, r = self.figures.shape
        return t, r

    @property
    def cov2(self) -> float:
        """The covariance of errors of two readers under one treatment."""
        return float(self.cov2_by_treatment.mean())

    def components(self) -> dict[str, float]:
        """Return the components of variance, the covariances and the mean squares by name."""
        t, _ = self.shape
        cov1, cov3 = self.var - self.var_minus_cov1, self.cov2 - self.excess
        return {
            "reader": (self.ms_r - self.ms_tr) / t - cov1 + cov3,
            "treatment_reader": self.ms_tr - self.var_minus_cov1 + self.excess,
            "error": self.var,
            "cov1": cov1,
            "cov2": self.cov2,
            "cov3": cov3,
            "ms_treatment": self.ms_t,
            "ms_reader": self.ms_r,
            "ms_treatment_reader": self.ms_tr,
        }


class MeanVariance(NamedTuple):
    """r times the squared standard error of a treatment's mean over r readers, and its df."""

    scaled_variance: float
    df: float

    def standard_error(self, n_readers: int, n_means: int = 1) -> float:
        """Return the standard error of a treatment's mean, or of the difference of two (n_means=2).

        Unbiased estimates of a variance may be negative; they count as 0.
        """
        return math.sqrt(max(n_means * self.scaled_variance, 0.0) / n_readers)


def readers_and_cases_variance(ms: float, excess: float, r: int, df: int) -> MeanVariance:
    """Return ms + r max(excess, 0), r times a mean's variance, with Hillis' degrees of freedom.

    `df` are those of the mean square `ms`; `excess` is a covariance, or a difference of two, by
    which cases make means vary. NaN for the degrees of freedom where nothing varies.
    """
    total = ms + r * max(excess, 0.0)
    if math.isnan(total) or not total:
        return MeanVariance(total, math.nan)
    return MeanVariance(total, df * (total / ms) ** 2 if ms else math.inf)


def treatment_variance(model: VarianceModel, random: tuple[bool, bool]) -> MeanVariance:
    """Return the denominator D of MS(T): r / 2 times the variance of a difference of treatments."""
    t, r = model.shape
    readers_are_random, cases_are_random = random
    if not readers_are_random:
        return MeanVariance(model.fixed_reader_variance, math.inf)
    excess = model.excess if cases_are_random else 0.0
    return readers_and_cases_variance(model.ms_tr, excess, r, df=(t - 1) * (r - 1))


def treatment_mean_variances(model: VarianceModel, random: tuple[bool, bool]) -> list[MeanVariance]:
    """Return the variance of each treatment's mean, by its own rows alone (Hillis 2008)."""
    _, r = model.shape
    readers_are_random, cases_are_random = random
    cov2s = model.cov2_by_treatment
    if not readers_are_random:
        # Var + (r - 1) Cov2 is r times a mean's variance: Cov2 below 0 counts as 0, as in MRMCaov
        scaled_variances = r * model.var_means + (r - 1) * np.fmax(-cov2s, 0.0)
        return [MeanVariance(variance, math.inf) for variance in scaled_variances.tolist()]
    if not cases_are_random:
        cov2s = np.zeros(cov2s.size)
    pairs = zip(model.ms_reader_by_treatment.tolist(), cov2s.tolist(), strict=True)
    return [readers_and_cases_variance(ms, cov2, r, df=r - 1) for ms, cov2 in pairs]


def mean_quotient(values: AnyArray, divisor: float) -> float:
    """Return the mean of numbers over a divisor, NaN without any; integers are rounded once."""
    if not values.size or not divisor:
        return math.nan
    return float(values.sum() / (values.size * divisor))


def variance_model(variances: FigureVariances) -> VarianceModel:
    """Return the mean squares and covariances from figures and their variances.

    A mean square is half the mean squared difference of all pairs of means, times the number of
    figures in a mean.
    """
    totals, unit, per = variances.totals, variances.unit, variances.variance_unit
    t, r = totals.shape
    first, second = np.triu_indices(t, 1)
    j, k = np.triu_indices(r, 1)
    differences = totals[first] - totals[second]  # (P, r)
    summed, reader_totals = differences.sum(axis=1), totals.sum(axis=0)
    square = unit * unit
    entries = (differences, variances.difference_var) if t > 1 else (totals, variances.figure_var)
    within = variances.difference_var.sum(axis=1) if t > 1 else variances.difference_sum_var
    figure_covariances = variances.figure_sum_var - variances.figure_var.sum(axis=1)
    return VarianceModel(
        figures=divide_once(totals, unit),
        means=divide_once(totals.sum(axis=1), r * unit),
        estimates=divide_once(summed, r * unit),
        identical=not any(numbers.any() for numbers in entries),
        ms_t=r * mean_quotient(summed**2, 2 * square * r * r),
        ms_r=t * mean_quotient((reader_totals[j] - reader_totals[k]) ** 2, 2 * square * t * t),
        ms_tr=mean_quotient((differences[:, j] - differences[:, k]) ** 2, 4 * square),
        ms_reader_by_treatment=np.array(
            [mean_quotient((row[j] - row[k]) ** 2, 2 * square) for row in totals]
        ),
        var=mean_quotient(variances.figure_var, per),
        cov2_by_treatment=divide_once(figure_covariances, r * (r - 1) * per),
        var_means=divide_once(variances.figure_sum_var, r * r * per),
        var_minus_cov1=mean_quotient(variances.difference_var, 2 * per),
        excess=mean_quotient(variances.difference_sum_var - within, 2 * r * (r - 1) * per),
        fixed_reader_variance=mean_quotient(variances.difference_sum_var, 2 * r * per),
    )


def divide_once(values: AnyArray, divisor: int) -> Vector:
    """Return numbers over a denominator, each rounded once; NaN where that is 0."""
    if not divisor:
        return np.full(values.shape, math.nan)
    return np.asarray(values / divisor, np.float64)


RANDOM_TITLES = {
    (True, True): "readers and cases random",
    (False, True): "readers fixed, cases random",
    (True, False): "readers random, cases fixed",
}
CLAIM_SCOPES = {
    (True, True): "other readers and cases",
    (False, True): "these readers on other cases",
    (True, False): "other readers on these cases",
}


class Study(NamedTuple):
    """A reader study: its variance model, and the names and numbers of its readings."""

    model: VarianceModel
    treatments: tuple[str, ...]
    readers: tuple[str, ...]
    metric: str
    covariance: str
    n_positive: int
    n_negative: int

    @property
    def quantity(self) -> str:
        """The name of the figure of merit in sentences, as "AUC"."""
        return QUANTITIES[self.metric]

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest figure of merit."""
        open_ended = self.metric in ("mean", "loss")
        return (-math.inf, math.inf) if open_ended else (0.0, 1.0)

    @property
    def smallest_class(self) -> int:
        """The number of cases that the figure of merit uses, for AUCs of the smaller class."""
        sizes = {"sensitivity": self.n_positive, "specificity": self.n_negative}
        smaller = min(self.n_positive, self.n_negative)
        return sizes.get(self.metric, smaller or self.n_negative)  # of means all count as negative

    @property
    def unit(self) -> str:
        """The name of the cases of `smallest_class` in sentences, as "positive cases"."""
        fewer = "positive" if self.n_positive == self.smallest_class else "negative"
        return {"sensitivity": "positive cases", "specificity": "negative cases"}.get(
            self.metric, f"{fewer} cases"
        )

    def sample_sizes(self) -> str:
        """Return the numbers of readers and cases in words."""
        readers = amount(len(self.readers), "reader")
        if self.metric in ("mean", "loss"):
            return f"{readers}, {amount(self.n_positive + self.n_negative, 'case')}"
        positive, negative = self.n_positive, self.n_negative
        return f"{readers}, {positive} positive and {negative} negative cases"


def as_study(
    data: RawStudy | ReaderStudyResult, covariance: str, n_jobs: int, reading: Reading
) -> Study:
    """Return the study of checked readings, or the one that a result contains."""
    if isinstance(data, ReaderStudyResult):
        check_no_reading({**reading, "covariance": covariance if covariance != "delong" else None})
        return data._study
    check_choice("covariance", covariance, COVARIANCES)
    jobs = count_jobs(n_jobs)
    readings = as_readings(data, **reading)
    return study_of_model(
        variance_model(figure_variances(readings, covariance, jobs)), readings, covariance
    )


def study_of_model(model: VarianceModel, readings: Readings, covariance: str) -> Study:
    """Return a study from its variance model and its readings."""
    return Study(
        model,
        readings.treatments,
        readings.readers,
        readings.metric,
        covariance,
        readings.n_positive,
        readings.n_negative,
    )


def scope_fields(is_random: tuple[bool, bool]) -> Fields:
    """Return the fields `random` and `method`; `is_random` says whether readers, and cases, are."""
    random = tuple(word for word, chosen in zip(RANDOM, is_random, strict=True) if chosen)
    return Fields(random=random, method=f"{ANALYSIS_TITLE}, {RANDOM_TITLES[is_random]}")


@dataclass(frozen=True, eq=False, kw_only=True)
class ReaderStudyResult(Record):
    """Result of `reader_study`: arrays (t,) over treatments, `figures` (t, r) of each reader."""

    treatments: tuple[str, ...]
    readers: tuple[str, ...]
    values: Vector
    standard_error: Vector
    df: Vector
    figures: Matrix
    components: dict[str, float]
    random: tuple[str, ...]
    measure: str
    covariance: str
    n_positive: int
    n_negative: int
    method: str
    status: str
    _study: Study = field(repr=False)

    title: ClassVar[str] = "Reader study"
    _sheets: ClassVar[str] = "readers"
    _picture: ClassVar[str] = "readers"
    _quantity: ClassVar[Any] = property(lambda self: f"mean {self._study.quantity}")

    @property
    def names(self) -> tuple[str, ...]:
        """The treatments, which tables and pictures call models."""
        return self.treatments

    @property
    def higher_is_better(self) -> bool:
        """Whether a higher value is better: of all but losses."""
        return self.measure != "loss"

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the two-sided interval of every treatment's mean, each at this level.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, arrays of shape (t,), cut to 0 and 1 but for means and losses.
        """
        tail = upper_tail(check_level(confidence_level), "two-sided")
        radius = reference_quantiles(tail, self.df) * self.standard_error
        varies = self.standard_error > 0.0
        low, high = self._zero_variance_limits(tail)
        low = np.where(varies, self.values - radius, low)
        high = np.where(varies, self.values + radius, high)
        return ConfidenceInterval.within(low, high, self._study.bounds)

    def _zero_variance_limits(self, tail: float) -> tuple[Vector, Vector]:
        """Return interval ends where no reading varies, by the number of equal units, or NaN."""
        low, high = self._study.bounds
        if self._study.model.var != 0.0 or math.isinf(high):
            unknown = np.full(self.values.shape, math.nan)
            return unknown, unknown
        is_random = "readers" in self.random, "cases" in self.random
        bound = zero_variance_bound(self._study, is_random, exact=True)
        below = np.array([bound.reach(tail, value - low) for value in self.values])
        above = np.array([bound.reach(tail, high - value) for value in self.values])
        return self.values - below, self.values + above

    def _model_limits(self, level: float) -> tuple[Vector, Vector]:
        """Return the limits (low, high), each (t,), of the treatments' means over readers."""
        low, high = self.confidence_interval(level)
        return np.asarray(low), np.asarray(high)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        means = [
            f"{show_number(value)} under {name} ({self._interval_text(at=at)})"
            for at, (name, value) in enumerate(zip(self.names, self.values, strict=True))
        ]
        return (
            f"The mean {self._study.quantity} over readers is {join_names(means, 8)}: "
            f"{self._study.sample_sizes()}; {self.method}."
        )


def zero_variance_bound(
    study: Study, random: tuple[bool, bool], *, exact: bool
) -> ZeroVarianceBound:
    """Return the bound on a mean or difference if all readers, or cases, show the same one.

    The units are readers or cases of the smaller class, whichever are fewer. `exact` says that no
    component varies; a variance that was cut at 0, or is 0 by chance, leaves one unit, the sample.
    """
    readers_are_random, cases_are_random = random
    low, high = study.bounds
    if cases_are_random and not exact:
        return ZeroVarianceBound(1.0, high - low, "sample")
    sizes = {"readers": len(study.readers)} if readers_are_random else {}
    sizes |= {"cases": study.smallest_class} if cases_are_random else {}
    fewest = min(sizes, key=lambda name: sizes[name])
    return ZeroVarianceBound(sizes[fewest], high - low, fewest)


def difference_bound(study: Study, random: tuple[bool, bool]) -> ZeroVarianceBound:
    """Return the bound on a difference of treatments, exact if no component varies."""
    fixed = random == (False, True) and study.covariance == "delong"
    exact = study.model.identical or (fixed and study.model.fixed_reader_variance == 0.0)
    return zero_variance_bound(study, random, exact=exact)


def size_status(study: Study, df: float, random: tuple[bool, bool]) -> str:
    """Return the status word that depends on the numbers of cases and readers alone."""
    _, cases_are_random = random
    if study.smallest_class < 2 and cases_are_random:
        return "too_few"
    if all(random) and (df < FEWEST_DF or len(study.readers) < FEWEST_READERS):
        return "few_readers"
    return "small_sample" if cases_are_random and study.smallest_class < FEWEST_CASES else "ok"


@with_engine_options(as_readings)
def reader_study(
    data: RawStudy | ReaderStudyResult = None,
    *,
    random: Random = RANDOM,
    covariance: str = "delong",
    n_jobs: int = 1,
    on_undefined: Undefined = "warn",
    **reading: Unpack[Reading],
) -> ReaderStudyResult:
    """Return the figures of merit of readers under each treatment, and what makes them vary.

    Readers score the same cases under one or more treatments: radiologists with and without
    assistance, annotators, or training runs of algorithms with different seeds.

    Parameters
    ----------
    random : ('readers', 'cases'), 'readers' or 'cases', default=('readers', 'cases')
        What is a sample of all that the interval is about; the others are fixed, and count as all
        there are. One reader takes 'cases'.
    covariance : {'delong', 'unbiased', 'jackknife'}, default='delong'
        How the covariance of AUCs that share cases is estimated. 'unbiased' is the U-statistic,
        which takes time in proportion to positive times negative cases; of shares and means all
        three are the same.

    Returns
    -------
    ReaderStudyResult
        With ``treatments`` (t names), ``readers`` (r names), ``figures`` (t, r), and of shape (t,)
        ``values`` (means over readers), ``standard_error``, ``df``; ``components`` (a mapping:
        'reader', 'treatment_reader', 'error', 'cov1', 'cov2', 'cov3', and the mean squares),
        ``n_positive``, ``n_negative``, ``random``, ``measure``, ``covariance``, ``method``,
        ``status``; ``confidence_interval(confidence_level)``, ``summary()``.

    Warns
    -----
    UndefinedResultWarning
        'too_few', if a class has one case: covariances are NaN.
    SmallSampleWarning
        As in `reader_study_test`.

    See Also
    --------
    reader_study_test : Whether treatments differ.
    reader_study_power : How many readers and cases a study takes.

    Notes
    -----
    With theta_ij the figure of merit of reader j under treatment i::

        theta_ij = mu + tau_i + R_j + (tau R)_ij + e_ij

    the errors have variance Var ('error'), and covariance Cov1 for the same reader, Cov2 for the
    same treatment and Cov3 for neither: means over the entries of the covariance of all theta_ij.
    The components are::

        treatment_reader = MS(TR) - Var + Cov1 + Cov2 - Cov3
        reader = (MS(R) - MS(TR)) / t - Cov1 + Cov3

    which may be negative. A treatment's mean has, of its own rows, SE^2 = MS(R)_i / r +
    max(Cov2_i, 0), and (MS(R)_i + r max(Cov2_i, 0))^2 (r - 1) / MS(R)_i^2 degrees of freedom. The
    analysis of pseudo-values of Dorfman, Berbaum and Metz is the one with ``covariance=
    'jackknife'``. Sums are exact fractions, rounded once.

    References
    ----------
    .. [1] N. A. Obuchowski, H. E. Rockette (1995), doi:10.1080/03610919508813243.
    .. [2] S. L. Hillis (2007), doi:10.1002/sim.2532.
    .. [3] B. D. Gallas (2006), doi:10.1016/j.acra.2005.11.030 ('unbiased').

    Examples
    --------
    >>> import fastcompare as fc
    >>> truth = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> alone = {"Ann": [1, 2, 4, 2, 3, 5, 4, 2], "Bo": [1, 3, 2, 2, 4, 5, 3, 1]}
    >>> aided = {"Ann": [1, 2, 3, 2, 4, 5, 4, 3], "Bo": [1, 2, 2, 3, 4, 5, 4, 2]}
    >>> study = fc.reader_study({"alone": alone, "aided": aided}, truth=truth,
    ...                         on_undefined="ignore")
    >>> study.values.round(4).tolist(), round(study.components["error"], 4)
    ([0.7656, 0.9219], 0.0244)
    """
    check_undefined(on_undefined)
    study = as_study(data, covariance, n_jobs, reading)
    is_random = as_random(random, len(study.readers))
    return study_result(study, is_random, on_undefined)


def study_result(
    study: Study, is_random: tuple[bool, bool], on_undefined: str
) -> ReaderStudyResult:
    """Return the result of `reader_study`, with each treatment's mean and standard error."""
    model = study.model
    r = len(study.readers)
    variances = treatment_mean_variances(model, is_random)
    df = np.array([variance.df for variance in variances])
    status = size_status(study, float(df.min()), is_random)
    warn_status(status, on_undefined)
    return ReaderStudyResult(
        treatments=study.treatments,
        readers=study.readers,
        values=model.means,
        standard_error=np.array([variance.standard_error(r) for variance in variances]),
        df=df,
        figures=model.figures,
        components=model.components(),
        **scope_fields(is_random),
        measure=study.metric,
        covariance=study.covariance,
        n_positive=study.n_positive,
        n_negative=study.n_negative,
        status=status,
        _study=study,
    )
