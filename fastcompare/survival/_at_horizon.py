"""One model, two, or all pairs of k at one horizon or several: what the results say."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.parallel import map_threads
from .._base.text import (
    amount,
    equation,
    hypothesis_text,
    interval_title,
    join_names,
    show_number,
    show_pvalue,
    stated_ends,
)
from .._base.types import Fields, Matrix, Vector
from .._inference.clusters import FEWEST_DF, cluster_status
from .._inference.corrections.adjust import PairClaims
from .._inference.infer import infer
from .._inference.max_t import LargestStatistic
from .._inference.pvalues import normal_quantile, reference_quantile, upper_tail
from .._inference.status import unvaried_status, warn_status
from .._inference.unseen import UnseenFailures, unseen_failures
from .._inputs.options import check_claim_level, check_flag, has_direction, is_about_two
from .._inputs.scores import UNNAMED
from .._resampling.bootstrap import Claim
from .._results.caution import Cautious, CautiousPairs, with_status
from .._results.pairs import IdenticalPairs, JointCovariance, ReferencePairs, reference_fields
from .._results.records import ConfidenceInterval, IntervalEstimate, Record
from .._results.two_models import StudentResult
from ..auc._intervals import IntervalInputs, expit, score
from ._horizon import AtHorizon, HorizonBrierScores, HorizonEstimate, HorizonMeasure, estimate_at
from ._horizon_strata import StrataAtHorizon, StratifiedAUCs
from ._pairs import THREADS_FROM
from ._strata import strata_phrase

AUC, BRIER = "AUC", "Brier score"
UNKNOWN = ("outside_horizon", "too_few", "too_few_clusters")  # no variance
Words = NDArray[np.str_]
Ends = tuple[Vector, Vector]


class HorizonModels(NamedTuple):
    """The AUCs or Brier scores of all models at each horizon, with the models' names."""

    at: Sequence[HorizonMeasure | StratifiedAUCs]
    names: tuple[str, ...]
    published: bool
    n_jobs: int = 1

    @property
    def measure(self) -> str:
        """The name of the measure: AUC or Brier score."""
        return BRIER if isinstance(self.at[0], HorizonBrierScores) else AUC

    @property
    def method(self) -> str:
        """How the variance is estimated."""
        return f"influence of cases, {'as published' if self.published else 'by kind of case'}"

    def value(self, h: int, i: int, j: int | None = None) -> HorizonEstimate:
        """Return the value of model i at horizon h, or its difference from that of model j."""
        measured = self.at[h]
        if isinstance(measured, StratifiedAUCs):
            value = measured.value(i, j, published=self.published)
        else:
            value = estimate_at(measured, i, j, published=self.published)
        if j is None:
            return value._replace(estimate=clip_rounding(value.estimate))
        return value

    def values(self, h: int, pairs: Sequence[tuple[int, int | None]]) -> list[HorizonEstimate]:
        """Return the values of several (i, j) at horizon h, by threads if there are many cases."""
        at = self.at[h].at
        n_jobs = self.n_jobs if at.kind.size >= THREADS_FROM else 1
        if isinstance(at, AtHorizon) and n_jobs > 1:
            _ = at.variation  # computed and cached before threads share it
        return map_threads(lambda pair: self.value(h, *pair), pairs, n_jobs)

    def status(self, h: int) -> str:
        """Return the status word of horizon h, by its events, controls and clusters."""
        measured = self.at[h]
        at = measured.at
        if isinstance(measured, HorizonBrierScores) and measured.is_sparse:
            return "heavy_weights"
        if at.ordered.cases.groups is not None and at.status not in UNKNOWN:
            word = cluster_status(at.variation.fewest_df, fewest=FEWEST_DF)
            return at.status if word == "ok" else word
        return at.status

    def fields(self, h: int) -> Fields:
        """Return the fields of results about the cases at horizon h."""
        at = self.at[h].at
        events, controls = at.sizes
        strata = at.strata_fields() if isinstance(at, StrataAtHorizon) else {}
        return Fields(
            strata,
            horizon=at.horizon,
            measure=self.measure,
            n=at.kind.size,
            n_events=events,
            n_controls=controls,
            n_dropped=at.ordered.cases.n_dropped,
            _effective_sizes=at.independent_sizes,
        )


def clip_rounding(value: float) -> float:
    """Return an estimate, set to 0 or 1 where it is outside [0, 1] by rounding of weights."""
    clipped = min(max(value, 0.0), 1.0)
    return clipped if abs(value - clipped) < 1e-9 else value  # a Brier score may exceed 1


def model_limits(
    measure: str, value: HorizonEstimate, effective_sizes: tuple[float, float], tail: float
) -> Any:
    """Return the ends of the interval of one model's value, with probability `tail` beyond each.

    Of an AUC the score interval; that of a Brier score is symmetric for its log odds, or for itself
    where these or the variance are not defined. NaN without a standard error.
    """
    estimate, error = value.estimate, value.standard_error
    if math.isnan(error):
        return math.nan, math.nan
    if measure == AUC:
        return score(IntervalInputs(estimate, error, *effective_sizes), tail)
    radius = reference_quantile(tail, value.df) * error
    if not 0.0 < estimate < 1.0 or not error:
        return estimate - radius, estimate + radius
    scale = estimate * (1.0 - estimate)
    centre, radius = math.log(estimate / (1.0 - estimate)), radius / scale
    return expit(centre - radius), expit(centre + radius)


def measure_title(measure: str, horizon: float) -> str:
    """Return the name of a measure at a horizon."""
    return f"{measure} at {horizon:g}"


@dataclass(frozen=True, eq=False, kw_only=True)
class HorizonFields:
    """The fields that all results at one horizon have."""

    horizon: float
    measure: str
    n: int
    n_events: int
    n_controls: int
    n_dropped: int
    _effective_sizes: tuple[float, float] = field(repr=False)
    n_strata: int | None = None
    n_strata_dropped: int = 0
    _unit: str = field(default="", repr=False)  # what failures would be among

    @property
    def higher_is_better(self) -> bool:
        """Whether a higher value is better."""
        return self.measure == AUC

    @property
    def _case_counts(self) -> str:
        """Return the numbers of events, cases beyond the horizon and all cases as words."""
        beyond = amount(self.n_controls, "case") + " beyond"
        strata = strata_phrase(self.n_strata, self.n_strata_dropped, "both")
        cases = f"of {amount(self.n, 'case')}{strata}"
        return f"{amount(self.n_events, 'event')} by then, {beyond}, {cases}"


@dataclass(frozen=True, eq=False, kw_only=True)
class HorizonIntervalResult(HorizonFields, IntervalEstimate):
    """Result of `auc_at_interval` or `survival_brier_interval` at one horizon."""

    df: float

    title: ClassVar[str] = "AUC or Brier score at a horizon"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)

    def _ends(self, level: float) -> tuple[float, float]:
        """Return the ends of the two-sided interval of one model's AUC or Brier score."""
        value = HorizonEstimate(self.estimate, self.standard_error, self.df, np.empty(0))
        tail = upper_tail(level, "two-sided")
        low, high = model_limits(self.measure, value, self._effective_sizes, tail)
        return low, high

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        return (
            f"The {measure_title(self.measure, self.horizon)} is {show_number(self.estimate)} "
            f"({self._interval_text()}; {self._case_counts})."
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class ModelsResult(Cautious, HorizonFields):
    """The fields that results of two or more models at one horizon have."""

    values: Vector
    value_standard_error: Vector
    _models: tuple[HorizonEstimate, ...] = field(repr=False)

    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)

    def _model_limits(self, level: float) -> Ends:
        """Return the ends (2,) each of the intervals of both models' values, within [0, 1]."""
        tail = upper_tail(level, "two-sided")
        ends = [
            model_limits(self.measure, value, self._effective_sizes, tail) for value in self._models
        ]
        low, high = np.transpose(np.clip(ends, 0.0, 1.0))
        return low, high

    @property
    def _units(self) -> str:
        """Return the plural noun of the units that limit the precision, as 'events'."""
        events, controls = self._effective_sizes
        if self._unit:
            return self._unit
        if not self.higher_is_better:
            return "cases"
        return "events" if events <= controls else "cases beyond the horizon"

    def _unseen_failures(
        self, estimate: Vector | float, value_a: Vector, value_b: Vector, *claim: Any
    ) -> UnseenFailures:
        """Return the failures of the better models: their cases rank last, or have a loss of 1."""
        is_auc = self.higher_is_better
        cases = min(self._effective_sizes) if is_auc else sum(self._effective_sizes)
        distances = (value_a, value_b) if is_auc else (1.0 - value_a, 1.0 - value_b)
        return unseen_failures(estimate, distances, cases, *claim, higher_is_better=is_auc)


@dataclass(frozen=True, eq=False, kw_only=True)
class HorizonTestResult(ModelsResult, StudentResult):
    """Result of `auc_at_test` or `survival_brier_test` at one horizon."""

    title: ClassVar[str] = "Test of two AUCs, or Brier scores, at a horizon"
    digits: ClassVar[str] = ".3f"

    @property
    def _quantity(self) -> str:  # type: ignore[override]
        return measure_title(self.measure, self.horizon)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        subject = f"The {self.measure}s at {self.horizon:g} are"
        stated = self._values_sentence(subject, self.values, f"; {self._case_counts}")
        return stated + self._stated_failures()

    def _failures(self) -> UnseenFailures:
        """Return the failures on unseen cases that would explain the difference."""
        return self._unseen_failures(self.estimate, *self.values, self.alternative, self.margin)


@dataclass(frozen=True, eq=False, kw_only=True)
class AcrossHorizons(Record):
    """Results at H horizons, with the distribution of their largest statistic."""

    horizons: Vector
    measure: str
    estimate: Vector
    standard_error: Vector
    df: Vector
    status: Words
    n: int
    n_events: tuple[int, ...]
    n_controls: tuple[int, ...]
    n_dropped: int
    _each: tuple[Any, ...] = field(repr=False)
    _influence: Matrix = field(repr=False)
    _largest: LargestStatistic | None = field(repr=False)  # of their statistics

    _alternative: ClassVar[str] = "two-sided"
    _picture: ClassVar[str] = "horizon_curves"
    _sheets: ClassVar[str] = "horizons"

    def _compute__largest(self) -> LargestStatistic | None:
        """Return the distribution of the largest statistic of all horizons, for max-t."""
        from .._inference.max_t import differences_of_rows
        from .._inference.step_down import largest_statistic_by_claim

        defined = ~np.isnan(self._influence).any(axis=1)
        side = "two-sided" if is_about_two(self._alternative, 0.0) else self._alternative
        return largest_statistic_by_claim(differences_of_rows(self._influence[defined]), side)

    def confidence_interval(
        self, confidence_level: float = 0.95, *, simultaneous: bool = False
    ) -> ConfidenceInterval:
        """Return the interval at each horizon.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1.
        simultaneous : bool, default=False
            Widen the intervals so that those of all horizons cover together, by the largest of
            their statistics, which are jointly normal: a band.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, arrays of shape (H,); NaN where the variance is undefined.
        """
        level = check_claim_level(confidence_level, self._alternative)
        if check_flag("simultaneous", simultaneous) and self.horizons.size > 1:
            level = self._level_of_each(level)
        low, high = np.transpose([result.confidence_interval(level) for result in self._each])
        return ConfidenceInterval(low, high)

    def _level_of_each(self, level: float) -> float:
        """Return the level of each interval such that those of all horizons cover with `level`."""
        from .._inference.step_down import joint_level

        if is_about_two(self._alternative, 0.0):  # the interval of both one-sided tests
            return 0.5 + 0.5 * joint_level(self._largest, 2.0 * level - 1.0, "two-sided")
        return joint_level(self._largest, level, self._alternative)

    def _estimate_and_interval(self, h: int) -> str:
        """Return the estimate and its interval at horizon number h, as text."""
        result = self._each[h]
        interval = stated_ends(result.confidence_interval(self._level))
        return f"{show_number(result.estimate)} ({interval})"


def stack_fields(results: Sequence[Any], *names: str) -> Fields:
    """Return the named fields of several results, each as an array over the results."""
    return {name: np.array([getattr(result, name) for result in results]) for name in names}


def stack_horizons(results: Sequence[Any], influence: Sequence[Vector]) -> Fields:
    """Return the fields of a result at several horizons from the results at each.

    `influence` has a row a horizon, from which their correlation follows.
    """
    return Fields(
        **stack_fields(results, "estimate", "standard_error", "df", "status"),
        horizons=np.array([result.horizon for result in results]),
        measure=results[0].measure,
        n=results[0].n,
        n_events=tuple(result.n_events for result in results),
        n_controls=tuple(result.n_controls for result in results),
        n_dropped=results[0].n_dropped,
        _each=tuple(results),
        _influence=np.array(influence),
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class HorizonCurveResult(AcrossHorizons):
    """Result of `auc_at_interval` or `survival_brier_interval` at several horizons."""

    title: ClassVar[str] = "AUCs or Brier scores at several horizons"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        stated = [f"{self._estimate_and_interval(h)} at {t:g}" for h, t in enumerate(self.horizons)]
        title = interval_title("two-sided", self._level)
        return (
            f"The {self.measure} ({title}) is {join_names(stated, 6)}, of {amount(self.n, 'case')}."
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class HorizonsTestResult(AcrossHorizons):
    """Result of `auc_at_test` or `survival_brier_test` at several horizons."""

    names: tuple[str, str]
    values: Matrix
    statistic: Vector
    pvalue: Vector
    log_pvalue: Vector
    adjusted_pvalue: Vector
    alternative: str
    margin: float
    _curves: tuple[HorizonCurveResult, HorizonCurveResult] = field(repr=False)

    title: ClassVar[str] = "Tests of two AUCs, or Brier scores, at several horizons"

    @property
    def _alternative(self) -> str:  # type: ignore[override]
        return self.alternative

    @property
    def higher_is_better(self) -> bool:
        """Whether a higher value is better."""
        return self.measure == AUC

    def _compute_adjusted_pvalue(self) -> Vector:
        """Return the p-values adjusted for all horizons."""
        return adjust_for_horizons(self.pvalue, self._largest, self.alternative)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        first, second = ("the first", "the second") if self.names == UNNAMED else self.names
        stated = [
            f"{self._estimate_and_interval(h)} at {t:g}, {equation('adjusted p', show_pvalue(p))}"
            for h, (t, p) in enumerate(zip(self.horizons, self.adjusted_pvalue, strict=True))
        ]
        title = interval_title(self.alternative, self._level)
        return (
            f"The {self.measure} of {first} minus that of {second} ({title}"
            f"{hypothesis_text(self.alternative, self.margin)}) is {join_names(stated, 6)}, "
            f"adjusted for {self.horizons.size} horizons; {amount(self.n, 'case')}."
        )


def adjust_for_horizons(
    pvalue: Vector, largest: LargestStatistic | None, alternative: str
) -> Vector:
    """Return p-values adjusted for several horizons, by the largest of their normal scores.

    They are between the unadjusted ones and Bonferroni's. Tests of equivalence get Bonferroni's, as
    do those without the distribution of the `largest` score.
    """
    bonferroni = np.minimum(np.count_nonzero(~np.isnan(pvalue)) * pvalue, 1.0)
    if largest is None or is_about_two(alternative, 0.0):
        return bonferroni
    sides = 1.0 if has_direction(alternative) else 2.0
    z = np.array([normal_quantile(p / sides) if 0.0 < p < 1.0 else math.nan for p in pvalue])
    joint = np.where(np.isnan(pvalue), math.nan, np.minimum(pvalue, 1.0))
    defined = ~np.isnan(z)
    joint[defined] = largest.tails(z[defined])
    return np.clip(joint, pvalue, bonferroni)


@dataclass(frozen=True, eq=False, kw_only=True)
class HorizonPairwiseResult(CautiousPairs, ModelsResult, ReferencePairs):  # type: ignore[override]
    """Result of `auc_at_pairwise_test` or `survival_brier_pairwise_test`; arrays over pairs."""

    covariance: Matrix
    df: Vector

    title: ClassVar[str] = "Tests of all pairs of AUCs, or Brier scores, at a horizon"
    _claim: ClassVar[str] = "has a {more} {quantity} than"

    @property
    def quantity(self) -> str:  # type: ignore[override]
        """What is compared."""
        return measure_title(self.measure, self.horizon)

    def _joint_covariance(self) -> JointCovariance:
        """Return the covariance of the values, and the smaller effective number of cases."""
        return JointCovariance(self.covariance, n=min(self._effective_sizes))

    def _summary(self) -> str:
        return super()._summary() + self._stated_failures()

    def _failures(self) -> UnseenFailures:
        first, second = (self.values[models] for models in self._cells())
        return self._unseen_failures(self.estimate, first, second, self.alternative)


def interval_at(
    models: HorizonModels, h: int, level: float, value: HorizonEstimate
) -> HorizonIntervalResult:
    """Return the result with the interval of one model's value at horizon h."""
    return HorizonIntervalResult(
        **models.fields(h),
        estimate=value.estimate,
        standard_error=value.standard_error,
        df=value.df,
        method=models.method,
        status=models.status(h),
        confidence_level=level,
    )


def interval_curve(
    models: HorizonModels, level: float, values: Sequence[HorizonEstimate]
) -> HorizonCurveResult:
    """Return the result with the intervals of one model's values at all horizons."""
    each = [interval_at(models, h, level, value) for h, value in enumerate(values)]
    return HorizonCurveResult.from_fields(
        **stack_horizons(each, [value.influence for value in values])
    )


def compare_at_horizon(models: HorizonModels, h: int, claim: Claim) -> HorizonTestResult:
    """Return the test of two models at horizon h."""
    *values, difference = models.values(h, [(0, None), (1, None), (0, 1)])
    estimate, error, df = difference.estimate, difference.standard_error, difference.df
    status = models.status(h)
    if error == 0.0:
        status = zero_variance_status(models, estimate, values, claim.margin)
    first, second = models.names
    bound = None if status in UNKNOWN else models.at[h].bound()
    return HorizonTestResult(
        **infer(estimate, error, *claim, df=df, unvaried=bound),
        **models.fields(h),
        names=(first, second),
        df=df,
        values=np.array([value.estimate for value in values]),
        value_standard_error=np.array([value.standard_error for value in values]),
        method=models.method,
        status=status,
        _models=tuple(values),
    )


def zero_variance_status(
    models: HorizonModels, estimate: float, values: Sequence[HorizonEstimate], margin: float
) -> str:
    """Return the status word of a difference without variance, from both models' `values`."""
    perfect = models.measure == AUC and {value.estimate for value in values} <= {0.0, 1.0}
    return unvaried_status(estimate, margin, "perfect_separation" if perfect else "identical")


def compare_across_horizons(models: HorizonModels, claim: Claim) -> HorizonsTestResult:
    """Return the tests of two models at several horizons."""
    tests = [with_status(compare_at_horizon(models, h, claim)) for h in range(len(models.at))]
    return HorizonsTestResult.from_fields(
        **stack_horizons(tests, [models.value(h, 0, 1).influence for h in range(len(tests))]),
        **stack_fields(tests, "statistic", "pvalue", "log_pvalue"),
        names=tests[0].names,
        values=np.transpose([test.values for test in tests]),
        **claim._asdict(),
        _curves=tuple(
            interval_curve(models, 0.95, [test._models[j] for test in tests]) for j in (0, 1)
        ),
    )


def pairwise_at_horizon(models: HorizonModels, claims: PairClaims) -> HorizonPairwiseResult:
    """Return the tests of all pairs of models at the only horizon of `models`."""
    pairs = list(combinations(range(len(models.names)), 2))
    differences = models.values(0, pairs)
    values = tuple(models.values(0, [(i, None) for i in range(len(models.names))]))
    estimate = np.array([difference.estimate for difference in differences])
    error = np.array([difference.standard_error for difference in differences])
    df = np.array([difference.df for difference in differences])
    common_status = models.status(0)
    status = [
        common_status
        if difference.standard_error
        else zero_variance_status(models, difference.estimate, (values[i], values[j]), margin=0.0)
        for difference, (i, j) in zip(differences, pairs, strict=True)
    ]
    influences = np.array([value.influence for value in values])
    bound = None
    if common_status not in UNKNOWN:
        bound = IdenticalPairs.of(estimate, error, models.at[0].bound())
    return HorizonPairwiseResult(
        **models.fields(0),
        **reference_fields(models.names, estimate, error, df, claims),
        df=df,
        values=np.array([value.estimate for value in values]),
        value_standard_error=np.array([value.standard_error for value in values]),
        covariance=influences @ influences.T,
        status=np.array(status),
        _unvaried=bound,
        _models=values,
    )


def warn_at_horizons(result: AcrossHorizons, on_undefined: str) -> None:
    """Warn or raise for each status word of a result, with the horizons that have it."""
    for word in dict.fromkeys(result.status.tolist()):
        horizons = [f"{t:g}" for t in result.horizons[result.status == word]]
        warn_status(word, on_undefined, f" (at {join_names(horizons, 3)})")
