"""Cochran's Q test that k classifiers are right equally often on the same cases.

As in Cochran (1950), G_j cases are right by model j, and L_i models on case i. The exact test takes
any L_i of the k models as right with the same chance, case by case. Q grows with sum G_j^2, which
does not depend on the order of the models, so the states are the sorted G, each less the smallest
of them; how many ways lead to each is counted in whole numbers.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.documented import documented
from .._base.text import amount, ends_of_range
from .._base.types import AnyLabels, NanPolicy, Undefined, Vector
from .._inference.clusters import cluster_status
from .._inference.exact import coin_pvalue
from .._inference.infer import OmnibusOutcome, hotelling_f, proportion_ends, quadratic_form
from .._inference.pvalues import CERTAIN, TINY, UNDEFINED, PValue, chi2_pvalue, f_pvalue
from .._inference.status import warn_status
from .._inputs.options import as_choice, check_undefined
from .._inputs.plans.proportions import check_independent, check_steps
from .._inputs.predictions import LabelTable, as_models
from .._inputs.predictions import correct as correctness
from .._results.records import OmnibusResult
from ._accuracy import CorrectByCluster, correct_by_cluster

MOST_STEPS = 1_000_000  # transitions between states: a few seconds


def exact_cochran_pvalue(by_model: list[int], cases_by_right: list[int]) -> PValue:
    """Return P(sum G^2 >= the observed one) if all assignments of right answers are equally likely.

    `by_model` are the right cases G of each model; `cases_by_right` counts cases by L = 0, ..., k.
    """
    k = len(by_model)
    reduced = [right - cases_by_right[k] for right in by_model]  # less the cases that all get right
    if k == 2:
        b, c = reduced
        return coin_pvalue(b, c, "two-sided", weight=1.0)  # the exact McNemar test
    states = final_states(k, cases_by_right)
    observed = sum(g * g for g in reduced)
    ways = sum(n for state, n in states.items() if sum_of_squares(state, sum(reduced)) >= observed)
    n_outcomes = sum(states.values())
    p = ways / n_outcomes
    return PValue(p, math.log(p) if p >= TINY else math.log(ways) - math.log(n_outcomes))


def final_states(k: int, cases_by_right: list[int]) -> Counter[tuple[int, ...]]:
    """Return the number of outcomes that lead to each state; raise if they are too many to count.

    `cases_by_right` counts cases by how many models are right on them, L = 0, ..., k.
    """
    states: Counter[tuple[int, ...]] = Counter({(0,) * k: 1})
    steps = 0
    for right in range(1, k):
        for _ in range(cases_by_right[right]):
            steps += len(states) * math.comb(k, right)
            check_steps(steps, MOST_STEPS, k, sum(cases_by_right[1:k]))
            states = add_case(states, right)
    return states


def add_case(states: Counter[tuple[int, ...]], right: int) -> Counter[tuple[int, ...]]:
    """Return the states with their counts after one more case that `right` models get right."""
    states_after: Counter[tuple[int, ...]] = Counter()
    for state, count in states.items():
        for right_models in combinations(range(len(state)), right):
            totals = list(state)
            for j in right_models:
                totals[j] += 1
            totals.sort()  # Q does not depend on the order of the models
            least = totals[0]
            states_after[tuple(g - least for g in totals)] += count
    return states_after


def sum_of_squares(state: tuple[int, ...], total: int) -> int:
    """Return sum G^2 of a state whose G, all less the smallest of them, have the sum `total`."""
    k = len(state)
    smallest = (total - sum(state)) // k
    return sum((g + smallest) ** 2 for g in state)


METHODS = ("asymptotic", "exact")


@dataclass(frozen=True, eq=False, kw_only=True)
class CochranQResult(OmnibusResult):
    """Result of `cochran_q_test`; there is no single estimate, hence no interval."""

    accuracy: NDArray[np.float64]
    names: tuple[str, ...]
    n: int
    design: str = "independent"
    _n_clusters: int = field(repr=False, default=0)  # 0 where cases are independent
    title: ClassVar[str] = "Cochran's Q test of accuracies on the same cases"
    _short_title: ClassVar[str] = "Cochran's Q test"
    _quantity: ClassVar[str] = "accuracy"

    @property
    def eta2(self) -> float | None:
        """The effect size: Q over its maximum for n cases and k models; None for clusters."""
        if self.design != "independent":
            return None
        # eta squared_Q = Q / (n (k - 1)): Serlin, Carr, Marascuilo (1982), Psych. Bull. 92, 786-790
        return self.statistic / (self.n * (len(self.names) - 1))

    @property
    def letter(self) -> str:  # type: ignore[override]
        """The symbol of the statistic."""
        return "Q" if self.design == "independent" else "F"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        clustered = "" if self.design == "independent" else " of clustered cases"
        clusters = f" in {amount(self._n_clusters, 'cluster')}" if self._n_clusters else ""
        effect = "" if self.eta2 is None else f", eta squared {self.eta2:.3f}"
        return (
            f"The accuracies range from {ends_of_range(self.accuracy)} on "
            f"{amount(self.n, 'case')}{clusters} "
            f"(Cochran's {self.method} test{clustered}, {self._evidence()}{effect})."
        )

    def _model_limits(self, level: float) -> tuple[Vector, Vector] | None:
        """Return Wilson's intervals of accuracies of independent cases."""
        return proportion_ends(self.accuracy, self.n, level) if self.eta2 is not None else None


@documented
def cochran_q_test(
    y_true: AnyLabels | None = None,
    predictions: LabelTable | None = None,
    *,
    correct: LabelTable | None = None,
    method: str = "asymptotic",
    groups: ArrayLike | None = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> CochranQResult:
    """Cochran's Q test of equal accuracies of k classifiers on the same cases.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels of any type, of two classes or more.
    correct : array-like of shape (n, k), mapping or data frame, optional
        Whether each model classifies each case correctly (True and False, or 1 and 0), instead of
        all labels.
    method : {'asymptotic', 'exact'}, default='asymptotic'
        'asymptotic' uses the chi-squared distribution. 'exact' enumerates the exchanges of correct
        and wrong answers within cases, for few models and cases; for two models it is the exact
        McNemar test.
    groups : array-like of shape (n,), optional
        Cluster of each case: the patient of an image, the template of a prompt. Clusters are
        independent; cases within a cluster may be correlated. Then the statistic is Hotelling's F,
        with the CR2 covariance of the accuracies and Satterthwaite's degrees of freedom; only for
        'asymptotic'.

    Returns
    -------
    CochranQResult
        With ``statistic`` (Q, or F for clusters), ``df`` (a pair for F), ``pvalue``,
        ``log_pvalue``, ``eta2`` (the effect size), ``accuracy`` (k,), ``names``, ``n``,
        ``n_dropped``, ``method``, ``design`` ('independent' or 'clusters'), ``status``,
        ``summary()`` and ``to_dict()``.

    Warns
    -----
    UndefinedResultWarning
        For clusters: 'too_many_models', if their degrees of freedom do not exceed the number of
        models minus 2; 'singular' or 'zero_variance', if accuracies differ in a direction in which
        clusters do not vary. The p-value is NaN.
    SmallSampleWarning
        'few_clusters', if the denominator of F has fewer than 4 degrees of freedom: only large
        differences can be detected.

    See Also
    --------
    mcnemar_pairwise_test : Which of the models differ.

    Notes
    -----
    With G_j correct answers of model j, L_i models correct on case i, and T = sum G_j = sum L_i::

        Q = (k - 1) (k sum G_j^2 - T^2) / (k T - sum L_i^2)    with k - 1 degrees of freedom

    For two models, Q is McNemar's chi-squared without continuity correction. If all models are
    correct on the same cases, ``statistic`` is 0, ``pvalue`` 1 and ``status`` 'no_discordant'. With
    clusters, F is T^2 (v - q + 1) / (q v), where T^2 is Hotelling's, v Satterthwaite's df of one
    mean and q = k - 1: the approximation of Pustejovsky and Tipton, which for clusters of equal
    sizes is Hotelling's test of their sums. For two models it is the square of t in `mcnemar_test`.
    If one cluster of 50 has half of the cases, Hotelling's G - 1 instead of v rejects up to 54% of
    true null hypotheses at the 5% level, v at most 7%.

    References
    ----------
    .. [1] W. G. Cochran (1950), doi:10.1093/biomet/37.3-4.256.
    .. [2] R. C. Serlin, J. Carr, L. A. Marascuilo (1982), doi:10.1037/0033-2909.92.3.786 (eta2).
    .. [3] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> predicted = {name: scores > 0.5 for name, scores in data.scores.items()}
    >>> result = fc.cochran_q_test(data.y_true, predicted)
    >>> result.df
    4
    """
    check_undefined(on_undefined)
    method = as_choice("method", method, METHODS)
    check_independent(method, groups)
    cases = as_models(y_true, predictions, correct, nan_policy=nan_policy, groups=groups)

    right = correctness(cases)
    by_model = right.sum(axis=1, dtype=np.int64).tolist()
    if cases.groups is None:
        outcome = cases_test(right, by_model, method)
    else:
        outcome = clusters_test(correct_by_cluster(right, cases.groups))
        warn_status(outcome.status, on_undefined)

    return CochranQResult(
        **outcome.fields(),
        accuracy=np.array([right_on / cases.truth.size for right_on in by_model]),
        names=cases.names,
        n=cases.truth.size,
        n_dropped=cases.n_dropped,
        method=method,
        design="independent" if cases.groups is None else "clusters",
        _n_clusters=0 if cases.groups is None else np.unique(cases.groups).size,
    )


def cases_test(right: NDArray[np.uint8], by_model: list[int], method: str) -> OmnibusOutcome:
    """Return Cochran's Q test of independent cases; `right` (k, n) has G in its row sums."""
    k = len(by_model)
    cases_by_right = np.bincount(right.sum(axis=0, dtype=np.int64), minlength=k + 1).tolist()
    statistic = cochran_q(by_model, cases_by_right)
    p = cochran_pvalue(statistic, by_model, cases_by_right, method)
    status = "ok" if any(cases_by_right[1:k]) else "no_discordant"
    return OmnibusOutcome(statistic, k - 1, p, status)


def clusters_test(shares: CorrectByCluster) -> OmnibusOutcome:
    """Return Hotelling's F test of clustered cases, of accuracies less their mean, times k."""
    k = len(shares.right)
    deviations = shares.deviations()
    totals = shares.right.sum(axis=1)
    gaps = k * totals - totals.sum()  # integers until the division: exactly 0 where equal
    covariance = shares.covariance(k * deviations - deviations.sum(axis=0))
    form = quadratic_form(gaps / shares.n, covariance, noise=0.0, near=0.0)
    statistic, degrees = hotelling_f(form.statistic, form.rank, shares.df)
    if form.status == "identical":
        are_same = bool((shares.right == shares.right[0]).all())
        degrees = (k - 1, shares.df - k + 2.0)
        return OmnibusOutcome(0.0, degrees, CERTAIN, "no_discordant" if are_same else "ok")
    _, df_of_error = degrees
    if df_of_error <= 0.0 or (form.status == "singular" and form.rank >= shares.sizes.size - 1):
        return OmnibusOutcome(math.nan, degrees, UNDEFINED, "too_many_models")
    if form.status != "ok":
        return OmnibusOutcome(math.nan, degrees, UNDEFINED, form.status)
    p = f_pvalue(statistic, *degrees)
    return OmnibusOutcome(statistic, degrees, p, cluster_status(df_of_error))


def cochran_q(by_model: list[int], cases_by_right: list[int]) -> float:
    """Return Q from G and from how many cases have L = 0, ..., k; 0 if models never differ."""
    k, total = len(by_model), sum(by_model)
    between = k * sum(g * g for g in by_model) - total * total
    within = sum(count * right * (k - right) for right, count in enumerate(cases_by_right))
    return (k - 1) * between / within if within else 0.0


def cochran_pvalue(
    statistic: float, by_model: list[int], cases_by_right: list[int], method: str
) -> PValue:
    """Return the p-value by 'asymptotic' or 'exact'; 1 if all models get the same cases right."""
    if not any(cases_by_right[1:-1]):
        return CERTAIN
    if method == "exact":
        return exact_cochran_pvalue(by_model, cases_by_right)
    return chi2_pvalue(statistic, len(by_model) - 1)
