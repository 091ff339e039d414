"""Permutation test of two models of times to an event: their ranks change places within cases.

Under the null hypothesis of exchangeable models the two ranks that a case has, by either model, may
as well be exchanged. Which pairs of cases count, and how much, depends on times and events alone,
so for pairs of an earlier event i and a later case j that weigh w_ij, with s = -1 for exchanged
cases and 1 for others, as for AUCs (Bandos, Rockette, Gur 2005)::

    2 W (C_a - C_b) = sum_ij w_ij [(s_i + s_j) (psiAA - psiBB) + (s_i - s_j) (psiAB - psiBA)]

where W is the sum of w_ij, and psiAB is 1 if i's rank by A is above j's by B, and 1/2 for a tie.
That is linear in the signs: a case's share of it, t, is what its rank by A wins among the ranks of
both models, less what its rank by B does. So cases are pooled, each once with either rank, and one
walk gives all t. Of Brier scores, whose probabilities have one scale, t is a case's difference of
weighted losses.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike

from .._base.documented import with_engine_options
from .._base.text import amount, show_number
from .._base.types import AnyArray, Direction, Fields, Integers, NanPolicy, Undefined, Vector
from .._inference.clusters import cluster_df, cluster_sizes, cluster_status
from .._inference.pvalues import PValue
from .._inference.status import warn_status
from .._inputs.options import ALTERNATIVES, as_choice, check_choice, check_undefined, hash_seed
from .._inputs.plans.horizons import measured_at
from .._inputs.scores import Cases, ScoreTable
from .._inputs.times import Times
from .._resampling.bootstrap import DrawOptions, PermutationResult, as_draws
from .._resampling.weights import null_replicates
from ..auc._exchanges import (
    Outcome,
    PermutationOptions,
    model_ranks,
    outcome_of_contributions,
    sign_flip_test,
    sums_of_clusters,
)
from ..probabilities._scoring_methods import (
    RELATIVE_TOLERANCE,
    FlippedSums,
    flip_pvalue,
    signed_sizes,
    sums_by_cluster,
)
from ._at_horizon import AUC, BRIER, HorizonModels, measure_title
from ._design import TITLES, ConcordanceSample
from ._horizon import AtHorizon, HorizonAUCs, rank_models
from ._horizon_tests import measure_aucs, measure_brier_scores
from ._pairs import UnweightedPairs, concordant_pairs, order_by_time
from ._reading import as_sample

METHODS = (*TITLES, "auc", "brier")
QUICK, MOST = 2.0**18, 2.0**24  # roots of how many combinations of signs are enumerated at most


class SignedContributions(NamedTuple):
    """The cases' contributions t (n,): their sum is `scale` times the difference of two models.

    Exchanging the models in a case turns the sign of its t. `status` is 'ok' if the test is
    defined; the other fields are those of results.
    """

    t: AnyArray
    scale: float
    cases: Times
    names: tuple[str, ...]
    values: Vector
    n_events: int
    measure: str
    quantity: str
    status: str

    def units(self) -> AnyArray:
        """Return the contributions of cases, or their sums over clusters, which are exchanged."""
        groups = self.cases.groups
        if groups is None:
            return self.t
        if self.t.dtype.kind == "i":
            return sums_of_clusters(self.t, groups)
        return sums_by_cluster(self.t, groups, 0.0)

    def outcome(self, plan: PermutationOptions) -> Outcome:
        """Return the sign-flip test of the contributions; undefined unless the status is 'ok'."""
        if self.status != "ok":
            return Outcome.without_test("", math.nan)
        t = self.units()
        test = sign_flip_test if t.dtype.kind == "i" else sign_flip_pvalue
        pvalue, null_sums = test(t, plan)
        return outcome_of_contributions(t, self.scale, pvalue, null_sums)

    def fields(self, outcome: Outcome) -> Fields:
        """Return the fields of the result but the p-value."""
        return Fields(
            statistic=outcome.statistic,
            estimate=outcome.statistic,
            standard_error=math.nan if outcome.standard_error is None else outcome.standard_error,
            names=(self.names[0], self.names[1]),
            values=self.values,
            measure=self.measure,
            n=self.cases.time.size,
            n_events=self.n_events,
            n_dropped=self.cases.n_dropped,
            method=self.title(),
            status=self.test_status(outcome),
            _quantity=self.quantity,
        )

    def title(self) -> str:
        """Return the name of the test."""
        groups = self.cases.groups
        exchanged = "probabilities" if self.measure.startswith(BRIER) else "ranks"
        units = " within cases" if groups is None else f" of {groups.max() + 1} clusters"
        return f"exchange of {exchanged}{units}"

    def test_status(self, outcome: Outcome) -> str:
        """Return the status word of the test: an undefined one, 'identical', or by clusters."""
        if self.status != "ok":
            return self.status
        if outcome.identical:
            return "identical"
        groups = self.cases.groups
        return "ok" if groups is None else cluster_status(cluster_df(cluster_sizes(groups)))


def sign_flip_pvalue(t: Vector, plan: PermutationOptions) -> tuple[PValue, Vector | None]:
    """Return the p-value of the sum of t, and the sums of random signs, None if all are counted."""
    nonzero = t[t != 0.0]
    tolerance = RELATIVE_TOLERANCE * float(np.abs(t).sum())
    root_of_combinations = 2.0 ** min(0.5 * nonzero.size, 99.0)
    if plan.counts_all(root_of_combinations, QUICK, MOST):
        return flip_pvalue(nonzero, tolerance, plan.alternative, None), None
    null = FlippedSums(signed_sizes(t), plan.seed)
    null_sums = null_replicates(null, plan.n_resamples, t.size, plan.workers)
    return flip_pvalue(t, tolerance, plan.alternative, null_sums), null_sums


def pool_ranks(cases: Times) -> Times:
    """Return 2 n cases: all with their ranks by the first model, then all with the second's."""
    ranks = model_ranks(Cases(cases.event, list(cases.scores), cases.names))
    weights = None if cases.weights is None else np.tile(cases.weights, 2)
    time, event = np.tile(cases.time, 2), np.tile(cases.event, 2)
    return Times(time, event, [np.concatenate(ranks, dtype=np.float64)], ("ranks",), 0, weights)


def values_by_case(order: Integers, values: AnyArray) -> AnyArray:
    """Return values of pooled cases by the rank that a case has in them, and by case: (2, n).

    `order` has the pooled cases in the order of time, in which `values` are.
    """
    case_values = np.empty(order.size, values.dtype)
    case_values[order] = values
    return case_values.reshape(2, -1)


def rank_gains(order: Integers, concordant: Integers) -> Integers:
    """Return for each case the concordant weight with its first rank minus that with its second."""
    first, second = values_by_case(order, concordant.astype(np.int64))
    return np.asarray(first - second)


def concordance_contributions(sample: ConcordanceSample) -> SignedContributions:
    """Return the cases' contributions to the difference of two concordances."""
    ordered = order_by_time(pool_ranks(sample.cases), sample.tau)
    p_uncensored = ordered.censoring.before[ordered.censoring.number][ordered.event > 0]
    unweighted = sample.method == "harrell" or bool((p_uncensored == 1.0).all())
    pairs = concordant_pairs(ordered, "harrell" if unweighted else "uno")
    order = ordered.order
    if isinstance(pairs, UnweightedPairs):
        (concordant,) = pairs.concordant  # the pooled ranks are one model
        t: AnyArray = rank_gains(order, concordant)
    else:
        ((later, earlier),) = pairs.concordant
        # both pooled cases of a case have its weights
        event_weights, _ = values_by_case(order, pairs.events)
        case_weights, _ = values_by_case(order, pairs.cases)
        t = event_weights * rank_gains(order, later) + case_weights * rank_gains(order, earlier)
    return SignedContributions(
        t=t,
        scale=pairs.total,
        cases=sample.cases,
        names=sample.cases.names,
        values=sample.values,
        n_events=sample.ordered.n_events,
        measure=sample.title.partition(",")[0],
        quantity="concordance",
        status="ok" if sample.pairs.total else "no_pairs",
    )


def auc_contributions(models: HorizonModels) -> SignedContributions:
    """Return the cases' contributions to the difference of two AUCs at a horizon."""
    at = models.at[0].at
    ordered = order_by_time(pool_ranks(at.ordered.cases))
    ranked = rank_models(ordered, n_jobs=1)
    aucs = HorizonAUCs.of(AtHorizon(ordered, at.horizon), ranked, n_jobs=1)
    (concordant,) = aucs.concordant  # the pooled ranks are one model
    weights, _ = values_by_case(ordered.order, aucs.events + aucs.controls)
    if weights.max() > 1:  # else whole numbers, for the exact distribution of sums
        weights = weights.astype(np.float64)
    t = weights * rank_gains(ordered.order, concordant)
    return contributions_at_horizon(models, t, math.prod(aucs.totals), AUC)


def brier_contributions(models: HorizonModels) -> SignedContributions:
    """Return the cases' contributions to the difference of two Brier scores at a horizon."""
    measured = models.at[0]
    t = np.zeros(measured.at.kind.size)
    if min(measured.at.sizes):  # else the measure is undefined
        t[measured.at.ordered.order] = measured.losses(0, 1)  # type: ignore[union-attr]
    return contributions_at_horizon(models, t, measured.total, BRIER)  # type: ignore[union-attr]


def contributions_at_horizon(
    models: HorizonModels, t: AnyArray, scale: float, measure: str
) -> SignedContributions:
    """Return contributions t to a measure at a horizon, with the models' values and status."""
    at = models.at[0].at
    n_events, _ = at.sizes
    title = measure_title(measure, at.horizon)
    return SignedContributions(
        t=t,
        scale=scale,
        cases=at.ordered.cases,
        names=models.names,
        values=np.array([models.value(0, model).estimate for model in (0, 1)]),
        n_events=n_events,
        measure=title,
        quantity=title,
        status="ok" if min(at.sizes) else "outside_horizon",
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class PermutationSurvivalResult(PermutationResult):
    """Result of `permutation_survival_test`; `estimate` is ``values[0] - values[1]``.

    There is no interval: the null hypothesis is that the models are exchangeable, not that the
    difference has a given value.
    """

    standard_error: float
    values: Vector
    measure: str
    n: int
    n_events: int
    _quantity: str  # type: ignore[misc]

    title: ClassVar[str] = "Permutation test of two models of times to an event"

    @property
    def higher_is_better(self) -> bool:
        """Whether a higher value is better."""
        return not self.measure.startswith(BRIER)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        both = self._beside_names(*map(show_number, self.values))
        what = self.measure if self._quantity == "concordance" else f"The {self.measure}"
        return (
            f"{what} is {both}, a difference of {show_number(self.estimate)} "
            f"({self._method_and_pvalue()}; {amount(self.n, 'case')}, "
            f"{amount(self.n_events, 'event')})."
        )


@with_engine_options(as_draws)
def permutation_survival_test(
    time: ArrayLike,
    event: ArrayLike | None,
    risk_a: ScoreTable,
    risk_b: ArrayLike | None = None,
    *,
    horizon: float | None = None,
    tau: float | None = None,
    predicts: str = "risk",
    method: str = "harrell",
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    alternative: Direction = "two-sided",
    keep: bool = False,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
    **drawing: Unpack[DrawOptions],
) -> PermutationSurvivalResult:
    """Test whether two models of times to an event are exchangeable, for few events.

    The two models' ranks are exchanged within cases, for Brier scores their probabilities. The test
    assumes nothing about the number of events.

    Parameters
    ----------
    risk_a, risk_b : array-like of shape (n,)
        The two models' risk scores of the same cases. Only their order matters, so the scales may
        differ; for 'brier', probabilities of an event by the horizon. A data frame or mapping with
        two columns may replace both.
    horizon : float, optional
        The time by which an event counts, for 'auc' and 'brier'.
    method : {'harrell', 'uno', 'auc', 'brier'}, default='harrell'
        What is compared: concordance as in `concordance_test`, the AUC at the horizon as in
        `auc_at_test`, or the Brier score as in `survival_brier_test`.
    groups : array-like of shape (n,), optional
        Cluster of each case. Whole clusters are exchanged: exact if the models are exchangeable in
        each cluster, for any cluster sizes. With 5 clusters, no p-value is below .06.
    alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
        'greater': the first model's value is higher.
    n_resamples : int, default=9999
        Number B of random exchanges, if there are too many to enumerate: with equal weights of all
        pairs for more than about 1,000 cases, otherwise for more than 36 that differ.
    keep : bool, default=False
        Keep the difference of every random exchange as ``distribution``; exchanges are then drawn
        even where all could be enumerated.

    Returns
    -------
    PermutationSurvivalResult
        With ``statistic`` and ``estimate`` (the first value minus the second), ``standard_error``
        (the exact one under the null hypothesis), ``pvalue``, ``log_pvalue``, ``values`` (2,),
        ``measure``, ``exact``, ``n_resamples`` and ``seed`` (0 and None if exact), ``n``,
        ``n_events`` (before `tau`, or by the horizon), ``distribution``, ``method``, ``status``,
        ``summary()`` and ``to_dict()``.

    Warns
    -----
    UndefinedResultWarning
        'no_pairs', if no event comes before another case; 'outside_horizon', if there is no event
        by the horizon or no case beyond it.
    SmallSampleWarning
        'few_clusters', if clusters carry fewer than 4 degrees of freedom, so few p-values are
        possible.

    See Also
    --------
    concordance_test, auc_at_test, survival_brier_test : With an interval, for more events.

    Notes
    -----
    Which pairs of cases count, and their weights, depend on times and events, not on the models. So
    an exchange of the midranks (among all cases) that the two models give to a case changes the
    difference by a term of its own, and the null distribution is that of a sum with random signs.
    The p-value is the share of all exchanges with at least this difference, or (1 + number as
    extreme) / (B + 1) of B random ones.

    Exchanging scores instead of ranks would be valid only if both models had the same calibration.
    The null hypothesis is that the models are exchangeable, which is more than equal concordance:
    if one model's scores vary more, or if Harrell's C of two unlike models has different limits
    under censoring, the test may reject for that. Its type I error rate at 3, 5 and 10 events, next
    to that of the default tests, is in docs/evidence/survival.md.

    References
    ----------
    .. [1] A. I. Bandos, H. E. Rockette, D. Gur (2005), doi:10.1002/sim.2149.
    .. [2] B. Phipson, G. K. Smyth (2010), doi:10.2202/1544-6115.1585.

    Examples
    --------
    >>> import fastcompare as fc
    >>> time, event = [1, 2, 2, 3, 3, 4, 5, 5, 6, 7], [1, 1, 0, 1, 1, 0, 1, 0, 1, 0]
    >>> a, b = [5, 3, 3, 4, 2, 2, 6, 1, 1, 0], [5, 4, 2, 4, 4, 3, 2, 2, 1, 1]
    >>> print(fc.permutation_survival_test(time, event, a, b).summary())
    The two models do not differ significantly in concordance. Harrell's C is 0.8065 and 0.9355, a
    difference of -0.1290 (exchange of ranks within cases, exact, p = 0.4531; 10 cases, 6 events).
    """
    check_undefined(on_undefined)
    check_choice("alternative", alternative, ALTERNATIVES)
    method, at = as_choice("method", method, METHODS), measured_at(method, horizon, tau, predicts)
    draws = as_draws(keep, **drawing)
    models = {"risk_a": risk_a, "risk_b": risk_b}
    reading = {"sample_weight": sample_weight, "groups": groups, "nan_policy": nan_policy}
    contributions = contributions_by_method(
        method, at, tau, predicts, time=time, event=event, models=models, **reading
    )
    exact = False if draws.keep else None  # None: if there are few exchanges
    plan = PermutationOptions(alternative, exact, draws.n, hash_seed(draws.seed), draws.workers)
    outcome = contributions.outcome(plan)
    warn_status(contributions.test_status(outcome), on_undefined)
    null_distribution = outcome.values
    return PermutationSurvivalResult(
        **outcome.pvalue._asdict(),
        **contributions.fields(outcome),
        alternative=alternative,
        exact=outcome.exact,
        n_resamples=0 if null_distribution is None else null_distribution.size,
        seed=None if null_distribution is None else draws.seed,
        distribution=null_distribution if draws.keep else None,
    )


def contributions_by_method(
    method: str,
    at: Vector,
    tau: float | None,
    predicts: str,
    *,
    models: dict[str, Any],
    **reading: Any,
) -> SignedContributions:
    """Return the contributions to the measure that `method` names: concordance, AUC or Brier."""
    if method == "brier":
        return brier_contributions(measure_brier_scores(models=models, horizons=at, **reading))
    reading["predicts"] = predicts
    if method == "auc":
        return auc_contributions(measure_aucs(models=models, horizons=at, **reading))
    return concordance_contributions(
        as_sample(scores=None, tau=tau, method=method, **models, **reading)
    )
