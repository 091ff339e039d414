"""AUC(t) and the Brier score at a horizon t: for one model, two, and all pairs of several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike

from .._base.documented import with_engine_options
from .._base.types import Alternative, Direction, NanPolicy, PairCorrection, Undefined
from .._inference.corrections.adjust import PairClaims, as_pair_claims
from .._inference.corrections.pairs import check_models
from .._inference.status import warn_status
from .._inputs.options import check_level, check_reference, check_undefined, count_jobs
from .._inputs.plans.horizons import as_horizons, as_predicted, check_two_models, one_horizon
from .._inputs.scores import ScoreTable
from .._inputs.times import as_times
from .._resampling.bootstrap import Claim, as_claim
from .._results.caution import with_caution, with_pair_caution
from ._at_horizon import (
    HorizonCurveResult,
    HorizonIntervalResult,
    HorizonModels,
    HorizonPairwiseResult,
    HorizonsTestResult,
    HorizonTestResult,
    compare_across_horizons,
    compare_at_horizon,
    interval_at,
    interval_curve,
    pairwise_at_horizon,
    warn_at_horizons,
)
from ._horizon import AtHorizon, HorizonAUCs, HorizonBrierScores, rank_models
from ._horizon_strata import stratified_aucs
from ._pairs import order_by_time


class BrierOptions(TypedDict, total=False):
    """Options of Brier scores at a horizon: the reference, weights, clusters, missing values."""

    reference: str
    sample_weight: ArrayLike | None
    groups: ArrayLike | None
    nan_policy: NanPolicy


class AUCOptions(BrierOptions, total=False):
    """Options of AUCs at a horizon: those of Brier scores, and what only scores have."""

    predicts: str
    strata: ArrayLike | None
    n_jobs: int


def measure_aucs(
    time: object,
    event: object,
    models: Mapping[str, object],
    horizons: ArrayLike,
    *,
    predicts: str = "risk",
    reference: str = "auto",
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    n_jobs: int = 1,
    nan_policy: NanPolicy = "raise",
) -> HorizonModels:
    """Return the AUCs of all models at each horizon, from checked inputs.

    Parameters
    ----------
    reference : {'auto', 'normal', 't'}, default='auto'
        What statistics are compared with. 'auto' is 't': events by the horizon, controls and other
        cases vary by themselves, with Satterthwaite's degrees of freedom. 'normal' is as published,
        the variance of one sample with n / (n - 1), and rejects 12% at the 5% level with 5 events.
    strata : array-like of shape (n,), optional
        Stratum of each case (centre, user, matched set): events are compared with controls of their
        stratum, as in `concordance_test`.
    """
    check_reference(reference)
    jobs = count_jobs(n_jobs)
    # a table of models is named otherwise; else parameters are the names, for messages
    scores = {"table": models["scores"]} if "scores" in models else models
    linked = {"groups": groups, "sample_weight": sample_weight, "strata": strata}
    cases = as_times(time, event, predicts, nan_policy, **linked, **scores)
    ordered = order_by_time(cases)
    if ordered.strata:
        aucs = stratified_aucs(ordered, np.ravel(horizons).astype(np.float64), jobs)
        return HorizonModels(aucs, cases.names, reference == "normal", jobs)
    ranked = rank_models(ordered, jobs)
    weighted_cases = [AtHorizon(ordered, float(t)) for t in np.ravel(horizons)]
    measured = [HorizonAUCs.of(at, ranked, jobs) for at in weighted_cases]
    return HorizonModels(measured, cases.names, reference == "normal", jobs)


def measure_brier_scores(
    time: object,
    event: object,
    models: Mapping[str, object],
    horizons: ArrayLike,
    *,
    reference: str = "auto",
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    nan_policy: NanPolicy = "raise",
) -> HorizonModels:
    """Return the Brier scores of all models at each horizon, from checked inputs.

    Parameters
    ----------
    reference : {'auto', 'normal', 't'}, default='auto'
        What statistics are compared with. 'auto' is 't', with Satterthwaite's degrees of freedom of
        events by the horizon, controls and other cases; 'normal' is as published.
    """
    check_reference(reference)
    times = np.ravel(horizons)
    predicted = as_predicted(
        time,
        event,
        models,
        times.size,
        nan_policy=nan_policy,
        groups=groups,
        sample_weight=sample_weight,
    )
    ordered = order_by_time(predicted.cases)
    measured = [
        HorizonBrierScores(
            AtHorizon(ordered, float(t)),
            [probabilities[h][ordered.order] for probabilities in predicted.chances],
        )
        for h, t in enumerate(times)
    ]
    return HorizonModels(list(measured), predicted.names, reference == "normal")


@with_engine_options(measure_aucs)
def auc_at_interval(
    time: ArrayLike,
    event: ArrayLike | None,
    score: ArrayLike,
    *,
    horizon: ArrayLike,
    confidence_level: float = 0.95,
    on_undefined: Undefined = "warn",
    **scoring: Unpack[AUCOptions],
) -> HorizonIntervalResult | HorizonCurveResult:
    """Return the AUC of a score for who has an event by a horizon, with its interval.

    Parameters
    ----------
    score : array-like of shape (n,)
        The model's scores.
    horizon : float or array-like of shape (H,)
        The time by which an event counts; several times give a curve.

    Returns
    -------
    HorizonIntervalResult or HorizonCurveResult
        With ``estimate``, ``standard_error``, ``df``, ``n_events`` (by the horizon),
        ``n_controls`` (beyond it), ``status`` and ``confidence_interval(confidence_level)``; for
        several horizons each (H,), with ``horizons`` and ``confidence_interval(confidence_level,
        simultaneous=False)``.

    Warns
    -----
    UndefinedResultWarning
        'outside_horizon', if there is no event by the horizon or no case beyond it; 'too_few', if
        there is one: the standard error is NaN.
    SmallSampleWarning
        'small_sample' for two events or controls; 'heavy_weights', if censoring leaves the weight
        to few events, or of a Brier score to fewer than 16 controls.

    See Also
    --------
    auc_at_test : Whether two models differ.
    concordance : Over all times.

    Notes
    -----
    Events by the horizon weigh 1 / G(X-), where G(t) is the Kaplan-Meier estimate of the
    probability of being uncensored; controls are cases beyond the horizon, and who is censored by
    then counts by G alone [1]_. The standard error includes the estimation of G. Without censoring
    this is `roc_auc` of ``time <= horizon``. The interval is the 'score' interval of
    `roc_auc_interval`, with as many events and controls as those of equal weights that they are
    worth; it covers also with 3 events (docs/evidence/survival_horizons.md).

    References
    ----------
    .. [1] P. Blanche, J.-F. Dartigues, H. Jacqmin-Gadda (2013), doi:10.1002/sim.5958.

    Examples
    --------
    >>> import fastcompare as fc
    >>> time, event = [1, 2, 2, 3, 3, 4, 5, 5, 6, 7], [1, 1, 0, 1, 1, 0, 1, 0, 1, 0]
    >>> result = fc.auc_at_interval(time, event, [5, 3, 3, 4, 2, 2, 6, 1, 1, 0], horizon=4.5)
    >>> result.estimate, result.n_events, result.n_controls
    (0.75, 4, 4)
    """
    check_undefined(on_undefined)
    level, at = check_level(confidence_level), as_horizons(horizon)
    models = measure_aucs(time, event, {"score": score}, at.times, **scoring)
    return interval_or_curve(models, at.single, level, on_undefined)


def interval_or_curve(
    models: HorizonModels, single: bool, level: float, on_undefined: str
) -> HorizonIntervalResult | HorizonCurveResult:
    """Return one model's intervals at one horizon (`single`) or several."""
    values = [models.value(h, 0) for h in range(len(models.at))]
    if single:
        result = interval_at(models, 0, level, values[0])
        warn_status(result.status, on_undefined)
        return result
    curve = interval_curve(models, level, values)
    warn_at_horizons(curve, on_undefined)
    return curve


@with_engine_options(measure_aucs)
def auc_at_test(
    time: ArrayLike,
    event: ArrayLike | None,
    score_a: ScoreTable,
    score_b: ArrayLike | None = None,
    *,
    horizon: ArrayLike,
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    on_undefined: Undefined = "warn",
    **scoring: Unpack[AUCOptions],
) -> HorizonTestResult | HorizonsTestResult:
    """Test whether two scores differ in their AUC for who has an event by a horizon.

    Parameters
    ----------
    score_a, score_b : array-like of shape (n,)
        Scores of the same cases by the two models. A data frame or mapping with two columns may
        replace both; the models take its column names.
    horizon : float or array-like of shape (H,)
        The time by which an event counts; several times are tested together.

    Returns
    -------
    HorizonTestResult or HorizonsTestResult
        With ``names``, ``estimate`` (first minus second), ``standard_error``, ``df``,
        ``statistic``, ``pvalue``, ``log_pvalue``, ``values`` (the AUCs), ``n_events``,
        ``n_controls``, ``status``, ``confidence_interval(confidence_level)`` and ``summary()``. For
        several horizons these are arrays (H,), ``values`` (2, H), with ``horizons``,
        ``adjusted_pvalue`` for their number, and ``confidence_interval(confidence_level,
        simultaneous=False)``.

    Warns
    -----
    UndefinedResultWarning
        As in `auc_at_interval`, and where the variance of a difference is 0 without a margin.
    SmallSampleWarning
        As in `auc_at_interval`; 'few_clusters' as in `delong_test`.

    See Also
    --------
    auc_at_pairwise_test : All pairs of several models.
    delong_test : Without censoring.

    Notes
    -----
    The AUCs are those of `auc_at_interval`. What each case adds to their difference, the estimated
    G included, has a sum of 0; squares of events by the horizon add up to v1, of controls to v0, of
    cases censored by then to v::

        SE^2 = v1 m / (m - 1) + v0 n / (n - 1) + v c / (c - 1)

    with m, n and c as many equal weights as those of events, of controls and of these cases are
    worth (Kish), and Satterthwaite's degrees of freedom. Without censoring that is DeLong's test
    with ``reference="t"``. Simultaneous intervals and adjusted p-values are by the largest
    statistic of all horizons, which are jointly normal. Event times equal to the horizon count as
    events; R's timeROC leaves them out. At the 5% level tests reject up to 6.1% of true null
    hypotheses at 3 to 185 events and 6 to 266 controls, as published up to 15%:
    docs/evidence/survival_horizons.md.

    References
    ----------
    .. [1] P. Blanche, J.-F. Dartigues, H. Jacqmin-Gadda (2013), doi:10.1002/sim.5958.

    Examples
    --------
    >>> import fastcompare as fc
    >>> time, event = [1, 2, 2, 3, 3, 4, 5, 5, 6, 7], [1, 1, 0, 1, 1, 0, 1, 0, 1, 0]
    >>> a, b = [5, 3, 3, 4, 2, 2, 6, 1, 1, 0], [5, 4, 2, 4, 4, 3, 2, 2, 1, 1]
    >>> result = fc.auc_at_test(time, event, a, b, horizon=4.5)
    >>> result.values.tolist(), round(result.pvalue, 4)
    ([0.75, 1.0], 0.391)
    """
    check_undefined(on_undefined)
    claim = as_claim(alternative, margin)
    at = as_horizons(horizon)
    scores = {"score_a": score_a, "score_b": score_b}
    models = measure_aucs(time, event, scores, at.times, **scoring)
    return compare_models(models, at.single, claim, on_undefined)


def compare_models(
    models: HorizonModels, single: bool, claim: Claim, on_undefined: str
) -> HorizonTestResult | HorizonsTestResult:
    """Return the test of two models at one horizon (`single`) or several."""
    if not single:
        tests = compare_across_horizons(models, claim)
        warn_at_horizons(tests, on_undefined)
        return tests
    return with_caution(compare_at_horizon(models, 0, claim), on_undefined)


@with_engine_options(measure_aucs)
def auc_at_pairwise_test(
    time: ArrayLike,
    event: ArrayLike | None,
    scores: ScoreTable,
    *,
    horizon: float,
    alternative: Direction = "two-sided",
    correction: PairCorrection = "auto",
    alpha: float = 0.05,
    on_undefined: Undefined = "warn",
    **scoring: Unpack[AUCOptions],
) -> HorizonPairwiseResult:
    """Test every pair of k scores for different AUCs at a horizon, with adjusted p-values.

    Parameters
    ----------
    scores : array-like of shape (n, k), mapping or data frame
        Scores, one column per model, at least two; column names become model names.
    horizon : float
        The time by which an event counts.

    Returns
    -------
    HorizonPairwiseResult
        With ``names`` (k,), ``values`` (the AUCs), ``covariance`` (k, k), ``pairs`` (P names), and
        of shape (P,) ``estimate``, ``standard_error``, ``df``, ``statistic``, ``pvalue``,
        ``adjusted_pvalue``, ``status``; ``confidence_interval(confidence_level,
        simultaneous=False)``, ``matrix(field)`` and ``summary()``.

    Warns
    -----
    UndefinedResultWarning, SmallSampleWarning
        As in `auc_at_test`.

    Notes
    -----
    Each pair is tested as by `auc_at_test`.

    References
    ----------
    .. [1] P. Blanche, J.-F. Dartigues, H. Jacqmin-Gadda (2013), doi:10.1002/sim.5958.

    Examples
    --------
    >>> import fastcompare as fc
    >>> time, event = [1, 2, 2, 3, 3, 4, 5, 5, 6, 7], [1, 1, 0, 1, 1, 0, 1, 0, 1, 0]
    >>> scores = {"a": [5, 3, 3, 4, 2, 2, 6, 1, 1, 0], "b": [5, 4, 2, 4, 4, 3, 2, 2, 1, 1]}
    >>> fc.auc_at_pairwise_test(time, event, scores, horizon=4.5).values.tolist()
    [0.75, 1.0]
    """
    check_undefined(on_undefined)
    claims = as_pair_claims(alternative, correction, alpha)
    at = one_horizon(horizon)
    models = measure_aucs(time, event, {"scores": scores}, at, **scoring)
    return pairs_of_models(models, claims, on_undefined)


def pairs_of_models(
    models: HorizonModels, claims: PairClaims, on_undefined: str
) -> HorizonPairwiseResult:
    """Return the tests of all pairs of models."""
    check_two_models(len(models.names))
    check_models(len(models.names), claims.correction)
    return with_pair_caution(pairwise_at_horizon(models, claims), on_undefined)


@with_engine_options(measure_brier_scores)
def survival_brier_interval(
    time: ArrayLike,
    event: ArrayLike | None,
    probability: ArrayLike,
    *,
    horizon: ArrayLike,
    confidence_level: float = 0.95,
    on_undefined: Undefined = "warn",
    **forecasting: Unpack[BrierOptions],
) -> HorizonIntervalResult | HorizonCurveResult:
    """Return the Brier score of predicted chances of an event by a horizon, with its interval.

    Parameters
    ----------
    probability : array-like of shape (n,) or (n, H)
        The chance of an event by the horizon, 1 - S(t); a column for each of several horizons.
    horizon : float or array-like of shape (H,)
        The time by which an event counts.

    Returns
    -------
    HorizonIntervalResult or HorizonCurveResult
        As of `auc_at_interval`.

    Warns
    -----
    UndefinedResultWarning, SmallSampleWarning
        As in `auc_at_interval`.

    See Also
    --------
    survival_brier_test : Whether two models differ.
    brier_score : Without times.

    Notes
    -----
    With r the predicted chance, X the times and G the Kaplan-Meier estimate of the times of
    censoring, of n cases [1]_ [2]_::

        sum over events X <= t of (1 - r)^2 / G(X-) / n + sum over X > t of r^2 / G(t) / n

    The standard error knows that G is estimated. Without censoring this is `brier_score` of ``time
    <= horizon``. The interval is symmetric for the log odds, by Student's t.

    References
    ----------
    .. [1] E. Graf, C. Schmoor, W. Sauerbrei, M. Schumacher (1999),
       doi:10.1002/(SICI)1097-0258(19990915/30)18:17/18<2529::AID-SIM274>3.0.CO;2-5.
    .. [2] T. A. Gerds, M. Schumacher (2006), doi:10.1002/bimj.200610301.

    Examples
    --------
    >>> import fastcompare as fc
    >>> time, event = [1, 2, 2, 3, 3, 4, 5, 5, 6, 7], [1, 1, 0, 1, 1, 0, 1, 0, 1, 0]
    >>> chance = [.4, .3, .3, .3, .2, .2, .5, .1, .1, 0]
    >>> round(fc.survival_brier_interval(time, event, chance, horizon=4.5).estimate, 4)
    0.2527
    """
    check_undefined(on_undefined)
    level, at = check_level(confidence_level), as_horizons(horizon)
    models = measure_brier_scores(
        time, event, {"probability": probability}, at.times, **forecasting
    )
    return interval_or_curve(models, at.single, level, on_undefined)


@with_engine_options(measure_brier_scores)
def survival_brier_test(
    time: ArrayLike,
    event: ArrayLike | None,
    probability_a: ScoreTable,
    probability_b: ArrayLike | None = None,
    *,
    horizon: ArrayLike,
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    on_undefined: Undefined = "warn",
    **forecasting: Unpack[BrierOptions],
) -> HorizonTestResult | HorizonsTestResult:
    """Test whether two models' chances of an event by a horizon differ in their Brier score.

    Parameters
    ----------
    probability_a, probability_b : array-like of shape (n,) or (n, H)
        The chances of an event by the horizon, 1 - S(t); a column for each of several horizons. For
        one horizon a data frame or mapping with two models may replace both.
    horizon : float or array-like of shape (H,)
        The time by which an event counts; several times are tested together.

    Returns
    -------
    HorizonTestResult or HorizonsTestResult
        As of `auc_at_test`; ``values`` are the Brier scores, of which the lower is better.

    Warns
    -----
    UndefinedResultWarning, SmallSampleWarning
        As in `auc_at_test`.

    See Also
    --------
    scoring_test : Without censoring.

    Notes
    -----
    The scores are those of `survival_brier_interval`; their difference is taken case by case. The
    variance is the sum of squares of what each case adds, times n / (n - 1), with Satterthwaite's
    degrees of freedom of events, controls and other cases. Without censoring the standard error is
    that of the paired t-test of losses.

    References
    ----------
    .. [1] T. A. Gerds, M. Schumacher (2006), doi:10.1002/bimj.200610301.

    Examples
    --------
    >>> import numpy as np
    >>> import fastcompare as fc
    >>> time, event = [1, 2, 2, 3, 3, 4, 5, 5, 6, 7], [1, 1, 0, 1, 1, 0, 1, 0, 1, 0]
    >>> a = np.array([5, 3, 3, 4, 2, 2, 6, 1, 1, 0]) / 12
    >>> b = np.array([5, 4, 2, 4, 4, 3, 2, 2, 1, 1]) / 12
    >>> result = fc.survival_brier_test(time, event, a, b, horizon=4.5)
    >>> result.values.round(4).tolist(), round(result.pvalue, 4)
    ([0.2581, 0.19], 0.138)
    """
    check_undefined(on_undefined)
    claim = as_claim(alternative, margin)
    at = as_horizons(horizon)
    probabilities = {"probability_a": probability_a, "probability_b": probability_b}
    models = measure_brier_scores(time, event, probabilities, at.times, **forecasting)
    return compare_models(models, at.single, claim, on_undefined)


@with_engine_options(measure_brier_scores)
def survival_brier_pairwise_test(
    time: ArrayLike,
    event: ArrayLike | None,
    probabilities: ScoreTable,
    *,
    horizon: float,
    alternative: Direction = "two-sided",
    correction: PairCorrection = "auto",
    alpha: float = 0.05,
    on_undefined: Undefined = "warn",
    **forecasting: Unpack[BrierOptions],
) -> HorizonPairwiseResult:
    """Test every pair of k models for different Brier scores at a horizon.

    Parameters
    ----------
    probabilities : array-like of shape (n, k), mapping or data frame
        A column for each of at least two models: the chance of an event by the horizon.
    horizon : float
        The time by which an event counts.

    Returns
    -------
    HorizonPairwiseResult
        As of `auc_at_pairwise_test`; ``values`` are the Brier scores, of which the lower is better.

    Warns
    -----
    UndefinedResultWarning, SmallSampleWarning
        As in `auc_at_test`.

    Notes
    -----
    Each pair is tested as by `survival_brier_test`.

    References
    ----------
    .. [1] T. A. Gerds, M. Schumacher (2006), doi:10.1002/bimj.200610301.

    Examples
    --------
    >>> import fastcompare as fc
    >>> time, event = [1, 2, 2, 3, 3, 4, 5, 6], [1, 1, 0, 1, 1, 0, 1, 0]
    >>> chances = {"a": [.8, .6, .3, .7, .4, .2, .1, .1], "b": [.5, .5, .5, .5, .5, .5, .5, .5]}
    >>> fc.survival_brier_pairwise_test(time, event, chances, horizon=4.5).values.round(4).tolist()
    [0.097, 0.25]
    """
    check_undefined(on_undefined)
    claims = as_pair_claims(alternative, correction, alpha)
    at = one_horizon(horizon)
    models = measure_brier_scores(time, event, {"probabilities": probabilities}, at, **forecasting)
    return pairs_of_models(models, claims, on_undefined)
