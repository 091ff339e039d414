"""Concordance of scores with the order of events: one, its interval, and the test of two.

Harrell's C and Uno's, of scores of the same cases; `_pairs` and `_variance` have the formulas.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike

from .._base.documented import documented, with_engine_options
from .._base.exceptions import hint
from .._base.text import amount, show_number
from .._base.types import Alternative, Matrix, NanPolicy, Undefined, Vector
from .._inference.infer import infer
from .._inference.status import warn_status
from .._inference.unseen import UnseenFailures, unseen_failures
from .._inputs.arrays import read_once
from .._inputs.options import as_choice, check_level, check_undefined
from .._inputs.scores import UNNAMED, ScoreTable
from .._resampling.bootstrap import Claim, as_claim
from .._results.caution import Cautious, with_caution
from .._results.records import IntervalEstimate
from .._results.two_models import StudentResult
from ..auc._intervals import INTERVALS, PAIRS, IntervalInputs
from ._design import UNKNOWN, ConcordanceSample
from ._reading import ReferenceOptions, as_sample
from ._strata import strata_phrase

KINDS = {"score": "score", "logit": "logit", "wald": "delong"}  # of intervals, by AUCs' names


def model_limits(evidence: Sequence[IntervalInputs], level: float) -> tuple[Vector, Vector]:
    """Return the ends (k,) each of the models' score intervals, NaN without a variance."""
    interval = INTERVALS[KINDS["score"]]
    tail = 0.5 * (1.0 - level)
    ends = [interval(model, tail) if model.shared else (np.nan, np.nan) for model in evidence]
    low, high = np.transpose(ends)
    return low, high


def caution(status: str, n_events: int) -> str:
    """Return a sentence about few events or heavy weights; "" for another status."""
    if status == "small_sample":
        return f" {amount(n_events, 'event')}: p-values and intervals are approximate."
    if status == "heavy_weights":
        return " Few events carry most of the weight: choose an earlier `tau`."
    return ""


def direction_note(values: Vector) -> str:
    """Return a note that scores may be reversed, if a concordance is below .5, else ""."""
    if not (values < 0.5).any():
        return ""
    way = hint("multiply such scores by -1 (predicts='time' does so for all models)")
    return f" A concordance below 0.5 may mean that high scores indicate late events: {way}."


@dataclass(frozen=True, eq=False, kw_only=True)
class EventCounts:
    """The numbers of cases and of events, which count before `tau`."""

    n: int
    n_events: int
    tau: float | None
    n_dropped: int
    n_strata: int | None = None
    n_strata_dropped: int = 0
    _unit: str = field(default=PAIRS, repr=False)  # what failures would be among

    @property
    def _case_counts(self) -> str:
        before = "" if self.tau is None else f" before {self.tau:g}"
        strata = strata_phrase(self.n_strata, self.n_strata_dropped, "a pair of known order")
        return f"{amount(self.n, 'case')}, {amount(self.n_events, 'event')}{before}{strata}"

    def _notes(self, values: Vector, status: str) -> str:
        """Return sentences about reversed scores, and about few events or heavy weights."""
        return direction_note(values) + caution(status, self.n_events)


@dataclass(frozen=True, eq=False, kw_only=True)
class CautiousConcordance(Cautious):
    """Concordances, with the failures that would explain a difference: only discordant pairs."""

    _independent_pairs: float = field(repr=False)  # pairs of cases, none in two of them

    _unit: str

    @property
    def _units(self) -> str:
        return self._unit


@dataclass(frozen=True, eq=False, kw_only=True)
class ConcordanceTestResult(CautiousConcordance, EventCounts, StudentResult):
    """Result of `concordance_test`; `estimate` is ``concordance[0] - concordance[1]``."""

    concordance: Vector
    covariance: Matrix
    measure: str
    _model_evidence: list[IntervalInputs] = field(repr=False)
    _without_models: ConcordanceSample = field(repr=False)

    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    digits: ClassVar[str] = ".3f"
    title: ClassVar[str] = "Test of two concordances"
    _quantity: ClassVar[str] = "concordance"

    def _model_limits(self, level: float) -> tuple[Vector, Vector]:
        """Return the ends (2,) each of the intervals of both models' concordances."""
        shared = None if self.status in UNKNOWN else self._without_models.shared_pairs
        return model_limits(
            [evidence._replace(shared=shared) for evidence in self._model_evidence], level
        )

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        subject = f"{self.measure} is"
        cases = f"; {self._case_counts}"
        values = self._values_sentence(subject, self.concordance, cases)
        return values + self._notes(self.concordance, self.status) + self._stated_failures()

    def _failures(self) -> UnseenFailures:
        claim = self.alternative, self.margin
        return unseen_failures(self.estimate, self.concordance, self._independent_pairs, *claim)


@dataclass(frozen=True, eq=False, kw_only=True)
class ConcordanceIntervalResult(EventCounts, IntervalEstimate):
    """Result of `concordance_interval`."""

    names: tuple[str, ...]
    interval: str
    df: float
    _evidence: IntervalInputs = field(repr=False)

    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    title: ClassVar[str] = "Concordance"

    def _ends(self, level: float) -> tuple[float, float]:
        """Return the ends of the two-sided interval, NaN if the variance is undefined."""
        if math.isnan(self.standard_error):
            return math.nan, math.nan
        return INTERVALS[KINDS[self.interval]](self._evidence, 0.5 * (1.0 - level))

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        notes = self._notes(np.array([self.estimate]), self.status)
        sentence = f"{self.method} is {show_number(self.estimate)} ({self._interval_text()}"
        return f"{sentence}; {self._case_counts}).{notes}"


@documented
def concordance(
    time: ArrayLike,
    event: ArrayLike | None,
    scores: ScoreTable,
    *,
    tau: float | None = None,
    predicts: str = "risk",
    method: str = "harrell",
    sample_weight: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    n_jobs: int = 1,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> float | Any:  # of a table an array: callers know which, and need no check of the type
    """Return the concordance of scores with the order of events in time, by Harrell or by Uno.

    It is the chance that of two cases the one whose event comes first has the higher risk, ties
    counting one half.

    Parameters
    ----------
    scores : array-like of shape (n,) or (n, k), mapping or data frame
        The scores of a model, or a column for each of k models.
    method : {'harrell', 'uno'}, default='harrell'
        'harrell' counts all pairs of known order equally; 'uno' weighs them such that, unlike
        Harrell's, what it estimates does not depend on censoring.
    sample_weight : array-like of shape (n,), optional
        Sampling weight of each case, at least 0. A pair has the product of its cases' weights.
    strata : array-like of shape (n,), optional
        Stratum of each case (centre, user, matched set): only cases of one stratum are compared.

    Returns
    -------
    float or ndarray of shape (k,)
        Harrell's without weights is the exact fraction, rounded once; NaN if no pair of cases has a
        known order.

    Warns
    -----
    UndefinedResultWarning
        'no_pairs', if no event comes before another case.

    See Also
    --------
    concordance_test : Whether two models differ.
    concordance_interval : One concordance with an interval.

    Notes
    -----
    Case i comes before j if its event was seen and its time is less, or equal while j is censored.
    With events tied in time, and ties of scores, this is what R's survival, lifelines,
    scikit-survival and Hmisc compute. If all events were seen, C is (Somers' D + 1) / 2: the same
    for any number that scores should rank, continuous or ordinal. Uno's C weighs the pairs of event
    i by G(X_i-)^-2, where G(t) is the Kaplan-Meier estimate of the probability of being uncensored:
    unlike Harrell's, what it estimates does not depend on censoring.

    References
    ----------
    .. [1] F. E. Harrell, R. M. Califf, D. B. Pryor, K. L. Lee, R. A. Rosati (1982),
       doi:10.1001/jama.1982.03320430047030.
    .. [2] H. Uno, T. Cai, M. J. Pencina, R. B. D'Agostino, L. J. Wei (2011), doi:10.1002/sim.4154.

    Examples
    --------
    >>> import fastcompare as fc
    >>> time, event = [1, 2, 2, 3, 4, 5], [1, 1, 0, 1, 0, 1]
    >>> round(fc.concordance(time, event, [5, 3, 3, 4, 2, 1]), 4)
    0.8636
    """
    check_undefined(on_undefined)
    scores = read_once(scores)
    options: dict[str, Any] = {"tau": tau, "predicts": predicts, "method": method}
    options |= {"sample_weight": sample_weight, "strata": strata, "nan_policy": nan_policy}
    sample = as_sample(time, event, scores, n_jobs=n_jobs, **options)
    warn_status("ok" if sample.pairs.total else "no_pairs", on_undefined)
    return float(sample.values[0]) if is_single(scores) else sample.values


def is_single(scores: object) -> bool:
    """Return whether scores are one column, not a table of models."""
    return not hasattr(scores, "columns") and np.ndim(scores) == 1  # type: ignore[arg-type]


@with_engine_options(as_sample)
def concordance_interval(
    time: ArrayLike,
    event: ArrayLike | None,
    risk: ArrayLike,
    *,
    interval: str = "score",
    confidence_level: float = 0.95,
    on_undefined: Undefined = "warn",
    **counting: Unpack[ReferenceOptions],
) -> ConcordanceIntervalResult:
    """Return the concordance of a model's scores with its standard error and an interval.

    Parameters
    ----------
    interval : {'score', 'logit', 'wald'}, default='score'
        'score' holds the concordances that are within a quantile of Student's t of the estimate,
        their variance being that of a model of curves, corrected towards the estimated one as far
        as that is reliable: it takes C = 1, and with two classes it is that of `roc_auc_interval`.
        'logit' is symmetric for the log odds, 'wald' for C itself.

    Returns
    -------
    ConcordanceIntervalResult
        With ``estimate``, ``standard_error``, ``df``, ``confidence_interval()``, ``names``, ``n``,
        ``n_events`` (those before `tau`), ``tau``, ``interval``, ``method``, ``status``.

    Warns
    -----
    UndefinedResultWarning
        'no_pairs', if no event comes before another case; 'one_event': no variance is known;
        'too_few_clusters', if all events are in one; 'zero_variance', if 'logit' or 'wald' have
        nothing that varies.
    SmallSampleWarning
        'small_sample' of 2 events, 'few_clusters' for clusters with few degrees of freedom,
        'heavy_weights' of Uno's if the greatest is above 20 or fewer than 10 effective events
        are left.

    See Also
    --------
    concordance : Without an interval, in less time.

    Notes
    -----
    'score' covers at least 93.8% from 2 events on, at C = .97 too, where it is wide; 'logit' is
    shorter with 20 events or more: docs/evidence/survival.md.

    References
    ----------
    .. [1] F. E. Harrell, R. M. Califf, D. B. Pryor, K. L. Lee, R. A. Rosati (1982),
       doi:10.1001/jama.1982.03320430047030.
    .. [2] R. G. Newcombe (2006), doi:10.1002/sim.2324.

    Examples
    --------
    >>> import fastcompare as fc
    >>> time, event = [1, 2, 2, 3, 3, 4, 5, 5, 6, 7], [1, 1, 0, 1, 1, 0, 1, 0, 1, 0]
    >>> result = fc.concordance_interval(time, event, [5, 3, 3, 4, 2, 2, 6, 1, 1, 0])
    >>> round(result.estimate, 4), [round(end, 3) for end in result.confidence_interval()]
    (0.8065, [0.442, 0.965])
    """
    check_undefined(on_undefined)
    level = check_level(confidence_level)
    kind = as_choice("interval", interval, KINDS)
    sample = as_sample(time, event, None, risk=risk, **counting)
    uncertainty = sample.estimate_variance(0)
    estimate = float(sample.values[0])
    error = math.sqrt(uncertainty.variance)
    status = sample.status
    if error == 0.0 and kind != "score":
        status = "zero_variance"
    warn_status(status, on_undefined)
    return ConcordanceIntervalResult(
        estimate=estimate,
        standard_error=error,
        df=uncertainty.df,
        method=sample.title,
        interval=kind,
        status=status,
        confidence_level=level,
        names=sample.cases.names,
        **sample.fields(),
        _evidence=sample.interval_inputs()[0],
    )


@with_engine_options(as_sample)
def concordance_test(
    time: ArrayLike,
    event: ArrayLike | None,
    risk_a: ScoreTable,
    risk_b: ArrayLike | None = None,
    *,
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    on_undefined: Undefined = "warn",
    **counting: Unpack[ReferenceOptions],
) -> ConcordanceTestResult:
    """Test whether the scores of two models have different concordance with the order of events.

    It conditions on the two fitted models: it asks whether they would differ on other cases of the
    same population. It does not cover the randomness of training them.

    Returns
    -------
    ConcordanceTestResult
        With ``names``, ``statistic`` (t), ``df``, ``pvalue``, ``log_pvalue``, ``estimate`` (C_a -
        C_b), ``standard_error``, ``concordance`` (2,), ``covariance`` (2, 2), ``n``, ``n_events``
        (those before `tau`), ``tau``, ``measure``, ``method``, ``status``, and the methods
        ``confidence_interval(confidence_level)``, ``summary()`` and ``to_dict()``.

    Warns
    -----
    UndefinedResultWarning
        'no_pairs', if no event comes before another case; 'one_event': no variance is known;
        'too_few_clusters', if all events are in one; 'zero_variance', if the models differ equally
        on all pairs and there is no margin.
    SmallSampleWarning
        'small_sample' of 2 events; with ``reference="normal"`` below 30. 'few_clusters', if the
        clusters with events carry fewer than 4 degrees of freedom. 'heavy_weights' of Uno's, if the
        greatest is above 20 or fewer than 10 effective events are left: choose an earlier `tau`.

    See Also
    --------
    concordance_pairwise_test : All pairs of several models.
    concordance_omnibus_test : All models at once.
    permutation_survival_test : Exact for few events, if the models are exchangeable.

    Notes
    -----
    With U_i the pairs of case i that a model wins, as an event or as a later case, p_i all pairs of
    i and P all pairs, C = sum U_i / (2 P), and the differences of both models' U and C::

        e_i = (U_i - C p_i) / P,    t = C / SE
        SE^2 = m / (m - 1) sum over events e_i^2 + n0 / (n0 - 1) sum over other cases e_i^2

    with Satterthwaite's degrees of freedom for the two parts. m and n0 are the numbers of events
    and other cases with equal numbers of pairs that these are worth (Kish): late events have few
    cases to be compared with. The sum of all e_i^2 is the infinitesimal jackknife of R's survival,
    ``reference="normal"``, which rejects up to 22, 22 and 16% of true null hypotheses at 5% with 3,
    5 and 10 events, and this up to 5, 6 and 6% (docs/evidence/survival.md). If all events come at
    one time and the other cases later, C is the AUC and the test `delong_test`. Uno's C adds to e_i
    what case i changes in the weights, which R leaves out.

    Under censoring Harrell's C estimates another number for each distribution of censoring: two
    models that order events equally well may have different ones, which the test finds in many
    cases (Han, Zhang, Shao 2017): in 60% of samples of 1,000 in docs/evidence/survival.md, where
    ``method="uno"`` rejects 4%. Give that a `tau` before which cases are left at risk.

    The estimate is the exact fraction rounded once. Models that order all pairs identically have
    statistic 0 and p-value 1; their interval, and p-values of claims with a margin, are the bound
    (1 - margin)^k by k pairs that have no case in common.

    References
    ----------
    .. [1] F. E. Harrell, R. M. Califf, D. B. Pryor, K. L. Lee, R. A. Rosati (1982),
       doi:10.1001/jama.1982.03320430047030.
    .. [2] H. Uno, T. Cai, M. J. Pencina, R. B. D'Agostino, L. J. Wei (2011), doi:10.1002/sim.4154.
    .. [3] X. Han, Y. Zhang, Y. Shao (2017), doi:10.1002/sim.7414.
    .. [4] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.

    Examples
    --------
    >>> import fastcompare as fc
    >>> time, event = [1, 2, 2, 3, 3, 4, 5, 5, 6, 7], [1, 1, 0, 1, 1, 0, 1, 0, 1, 0]
    >>> a, b = [5, 3, 3, 4, 2, 2, 6, 1, 1, 0], [5, 4, 2, 4, 4, 3, 2, 2, 1, 1]
    >>> print(fc.concordance_test(time, event, a, b).summary())
    The two models do not differ significantly in concordance. Harrell's C is 0.8065 and 0.9355, a
    difference of -0.1290 (95% CI -0.4421 to 0.1840; paired test of Harrell's C, t(5.78) = -1.018, p
    = 0.3494; 10 cases, 6 events).
    """
    check_undefined(on_undefined)
    claim = as_claim(alternative, margin)
    sample = as_sample(time, event, None, risk_a=risk_a, risk_b=risk_b, **counting)
    return with_caution(paired_result(sample, claim), on_undefined)


def paired_result(sample: ConcordanceSample, claim: Claim) -> ConcordanceTestResult:
    """Return the result of the test of two models."""
    uncertainty = sample.estimate_variance(0, 1)
    estimate = sample.pairs.estimate(0, 1)
    error = math.sqrt(uncertainty.variance)
    status = sample.status
    if error == 0.0:
        status = sample.zero_variance_status(estimate, claim.margin)
    unvaried = sample.zero_variance_bound if error == 0.0 else None
    first, second = sample.cases.names
    return ConcordanceTestResult.from_fields(
        **infer(estimate, error, *claim, df=uncertainty.df, unvaried=unvaried),
        df=uncertainty.df,
        names=UNNAMED if (first, second) == UNNAMED else (first, second),
        concordance=sample.values,
        covariance=sample.covariance,
        measure=sample.title.partition(",")[0],
        method=f"paired test of {sample.title}",
        status=status,
        **sample.fields(),
        _model_evidence=sample.unpaired_inputs,
        _without_models=sample.without_models(),
        _independent_pairs=sample.zero_variance_bound.units,
    )
