"""Permutation tests that two models that scored the same cases have equal AUCs or ROC curves.

Ranks are exchanged within cases (see `_exchanges`). Venkatraman and Begg (1996) compare whole
curves: at a cut x the x lowest cases are called negative and the others positive, and E sums over
x = 1, ..., N - 1 by how many errors the two models differ. Within a tie the errors are expected
ones, so the order of the rows does not matter; exchanged ranks make ties of their own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.documented import with_engine_options
from .._base.text import direction_note, show_number
from .._base.types import Direction, NanPolicy, Undefined, Vector
from .._inference.clusters import cluster_df, cluster_sizes, cluster_status
from .._inference.pvalues import open_one_side, upper_tail
from .._inference.status import warn_status
from .._inputs.options import check_level, check_undefined, hash_seed
from .._inputs.plans.simulations import as_permutation, check_studentized
from .._inputs.scores import Cases, ScoreTable, as_cases
from .._resampling.bootstrap import DrawOptions, PermutationResult, as_draws, clip_open_end
from .._resampling.weights import exact_pvalue, monte_carlo_pvalue, null_replicates
from .._results.gate import Gated
from .._results.records import ConfidenceInterval
from ..kernels.drawing.exchange import UNIT, curve_distances, untied_distances
from ..kernels.sums import HALF
from ._bootstrap_walks import class_fields
from ._differences import OfClasses
from ._exchanges import (
    COST_OF_CASE,
    MOST_CASES,
    NEAR,
    QUICK_CASES,
    Exchanges,
    Outcome,
    PermutationOptions,
    Ranks,
    StudentizedEnds,
    auc_exchange_test,
    model_ranks,
    studentized_exchange_test,
)
from ._intervals import unvaried_bound


@dataclass(frozen=True, slots=True)
class CurveDistances(Exchanges):
    """Replicates of E, Venkatraman and Begg's distance of two ROC curves, with or without ties.

    The arrays are as in `kernels.drawing.exchange.curve_distances`.
    """

    ranks: NDArray[np.int64]
    steps: NDArray[np.uint64]
    cells: NDArray[np.uint64]
    n: int
    seed: int | None = None

    @property
    def n_moved(self) -> int:
        """The number of cases that an exchange changes: those with two different ranks."""
        return int(self.steps.size)

    def write(self, signs: NDArray[np.uint16], lane: int, out: Vector) -> None:
        """Write E after the exchanges of the lanes from `lane` on."""
        curve_distances(self.ranks, self.steps, self.cells, signs, lane, out)


@dataclass(frozen=True, slots=True)
class UntiedDistances(Exchanges):
    """Replicates of E where neither model ties cases; `owners` are as in `untied_distances`."""

    owners: NDArray[np.uint32]
    n: int
    n_moved: int
    seed: int | None = None

    def write(self, signs: NDArray[np.uint16], lane: int, out: Vector) -> None:
        """Write E after the exchanges of the lanes from `lane` on."""
        untied_distances(self.owners, signs, lane, out)


def curve_exchange_test(cases: Cases, ranks: Ranks, plan: PermutationOptions) -> Outcome:
    """Return the outcome of Venkatraman and Begg's permutation test of equal ROC curves."""
    null = curve_distance_null(cases.labels, ranks, plan.seed)
    observed = null.observed_statistic()
    near = NEAR * max(observed, null.n)
    exact = plan.counts_all(null.n_exchanges * null.n, QUICK_CASES, MOST_CASES)
    total = null.n_exchanges if exact else plan.n_resamples
    source = replace(null, seed=None) if exact else null
    values = null_replicates(source, total, COST_OF_CASE * null.n, plan.workers)
    extreme = values >= observed - near
    pvalue = exact_pvalue(int(extreme.sum()), total) if exact else monte_carlo_pvalue(extreme)
    replicates = None if exact else values
    return Outcome(observed, None, None, pvalue, observed <= near, exact=exact, values=replicates)


def tied_curve_null(labels: NDArray[np.uint8], ranks: Ranks, seed: int) -> CurveDistances:
    """Return the null distribution of the distance of two ROC curves, whatever the ties."""
    distinct, dense = np.unique(np.concatenate(ranks), return_inverse=True)
    pair = dense.reshape(2, -1)
    steps = np.uint64(1) + (labels.astype(np.uint64) << HALF)
    differs = pair[0] != pair[1]
    cells = np.zeros((2, distinct.size), np.uint64)
    np.add.at(cells.T, pair[0, ~differs], steps[~differs, None])
    moved = np.ascontiguousarray(pair[:, differs].T)
    return CurveDistances(moved, steps[differs], cells, labels.size, seed)


def curve_distance_null(
    labels: NDArray[np.uint8], ranks: Ranks, seed: int
) -> CurveDistances | UntiedDistances:
    """Return the null distribution of the distance of two ROC curves from doubled midranks.

    Without ties it takes a quarter of the time.
    """
    untied_ranks = np.arange(2, 2 * labels.size + 1, 2)  # twice 1, ..., n
    if not all(np.array_equal(np.sort(doubled), untied_ranks) for doubled in ranks):
        return tied_curve_null(labels, ranks, seed)
    moved = ranks[0] != ranks[1]
    n_moved = int(np.count_nonzero(moved))
    number = np.where(moved, np.cumsum(moved) - 1, -(-n_moved // UNIT) * UNIT)
    owners = np.empty((labels.size, 2), np.uint32)
    for model, doubled in enumerate(ranks):
        owners[doubled // 2 - 1, model] = 2 * number + labels
    return UntiedDistances(owners, labels.size, n_moved, seed)


BOUNDS = (-1.0, 1.0)

TESTS = {
    "auc": ("Bandos' permutation test", auc_exchange_test),
    "studentized": ("studentized permutation test", studentized_exchange_test),
    "venkatraman": ("Venkatraman's permutation test", curve_exchange_test),
}
FEWEST_CASES = {"studentized": 2}  # of each class: a variance needs two; 1 for other methods


@dataclass(frozen=True, eq=False, kw_only=True)
class PermutationAUCResult(Gated, OfClasses, PermutationResult):
    """Result of `permutation_auc_test`; `estimate` is ``auc[0] - auc[1]``, None for curves.

    Only the studentized test has an interval: the others test that the models are exchangeable, not
    that the difference has a given value.
    """

    standard_error: float | None
    auc: NDArray[np.float64]
    _ends: StudentizedEnds | None = field(repr=False, default=None)
    title: ClassVar[str] = "Permutation test of two models on the same cases"
    _follows_sample: ClassVar[bool] = True

    @property
    def _quantity(self) -> str:  # type: ignore[override]
        """What is compared: AUCs, or whole curves."""
        return "their ROC curves" if self.estimate is None else "AUC"

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the differences in AUC that the studentized test does not reject.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, cut to [-1, 1]; NaN where the variance is 0 but the difference is not.
        """
        check_studentized(self._has_interval)
        level = check_level(confidence_level)
        if self._ends is not None:
            ends = self._ends.ends(self.alternative, level)
        elif self.estimate == 0.0:
            tail = upper_tail(level, self.alternative)
            ends = unvaried_bound(self.n_positive, self.n_negative).ends(0.0, tail)
            ends = open_one_side(self.alternative, *ends)
        else:
            ends = math.nan, math.nan
        low, high = (clip_open_end(end, BOUNDS) for end in ends)
        return ConfidenceInterval.within(low, high, BOUNDS)

    @property
    def _has_interval(self) -> bool:
        """Whether the test is the studentized one."""
        return self.method == TESTS["studentized"][0]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields, and the 95% interval of the studentized test, as plain values."""
        if not self._has_interval:
            return super().to_dict()
        return {**super().to_dict(), "confidence_interval": list(self.confidence_interval())}

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        interval = f"{self._interval_text()}; " if self._has_interval else ""
        test = self._method_and_pvalue("replicates")
        aucs = self._beside_names(*map(show_number, self.auc))
        difference = (
            f"The ROC curves, with AUCs {aucs}, are E = {show_number(self.statistic, 'g')} apart "
            f"({test})."
            if self.estimate is None
            else f"The AUCs are {aucs}, a difference of {show_number(self.estimate)} "
            f"({interval}{test})."
        )
        return difference + direction_note(self.auc)


@with_engine_options(as_draws)
def permutation_auc_test(
    y_true: ArrayLike,
    y_score_a: ScoreTable,
    y_score_b: ArrayLike | None = None,
    *,
    exact: bool | None = None,
    method: str = "auc",
    groups: ArrayLike | None = None,
    alternative: Direction = "two-sided",
    keep: bool = False,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
    **drawing: Unpack[DrawOptions],
) -> PermutationAUCResult:
    """Test whether two classifiers that scored the same cases are exchangeable.

    The two models' ranks are exchanged within cases. The test assumes nothing about sample sizes or
    score distributions, so it suits few cases and AUCs near 1.

    Parameters
    ----------
    y_score_a, y_score_b : array-like of shape (n,)
        The two models' scores of the same cases. Only their order matters, so the scales may
        differ.
    exact : bool, optional
        Whether to enumerate all exchanges instead of drawing random ones. The default enumerates
        where that takes about 0.1 seconds: up to about 1,000 cases for 'auc' and about 20 for the
        others.
    method : {'auc', 'studentized', 'venkatraman'}, default='auc'
        'auc' detects different AUCs (Bandos); 'studentized' divides each difference by its DeLong
        standard error and provides an interval, which is reliable from 20 cases per class even if
        the curves differ in shape (docs/evidence/noninferiority.md); 'venkatraman' also detects ROC
        curves that cross, by the distance E between the curves.
    groups : array-like of shape (n,), optional
        Cluster of each case: the patient of a lesion, say; only for 'auc'. The ranks of whole
        clusters are exchanged. This test is not published, but exact if the models are exchangeable
        in each cluster, for any cluster sizes. With 5 clusters, no p-value is below .06.
    alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
        'greater': the first AUC is higher. 'venkatraman' is two-sided only.
    keep : bool, default=False
        Keep the statistic of every random exchange as ``distribution``; exchanges are then drawn
        even where all could be enumerated.

    Returns
    -------
    PermutationAUCResult
        With ``statistic`` (the difference of the AUCs, that over its standard error, or E),
        ``pvalue``, ``log_pvalue``, ``estimate`` and ``standard_error`` (the exact one under the
        null hypothesis, or DeLong's for 'studentized'; both None for curves), ``auc`` (2,),
        ``exact``, ``n_resamples`` (0 if exact), ``distribution``, ``method``, ``status``,
        ``confidence_interval(confidence_level)`` (of 'studentized'), ``summary()`` and
        ``to_dict()``.

    Raises
    ------
    InvalidValueError
        If ``exact=True`` would take more than minutes for this many cases.

    Warns
    -----
    UndefinedResultWarning
        If a class is missing; for 'studentized' also if a class has one case, or 'no_interval' if
        the variance is 0 but the difference is not: the p-value is valid, the interval NaN.

    SmallSampleWarning
        'few_clusters', if clusters carry fewer than 4 degrees of freedom, so few p-values are
        possible.

    See Also
    --------
    delong_test : With an interval, for many cases.

    Notes
    -----
    An exchange swaps the midranks (among all N cases) that the two models give to a case. With s_i
    = -1 for exchanged cases and 1 for others, and t_i the contribution of case i to 4 m n (AUC_a -
    AUC_b)::

        'auc':          sum(s_i t_i) / (4 m n)
        'studentized':  (AUC_a - AUC_b) / SE of the exchanged ranks, as in `delong_test`
        'venkatraman':  E = sum over x = 1, ..., N - 1 of |errors_a(x) - errors_b(x)|

    where errors(x) counts the misclassified cases if those of rank above x are called positive.

    The p-value of B random exchanges is (1 + number as extreme) / (B + 1). Exchanging scores
    instead of ranks would be valid only if both models had the same calibration. The difference in
    AUC is linear in the exchanges, so its exact distribution is a convolution. E uses expected
    errors within ties; programs that break ties by row order differ.

    References
    ----------
    .. [1] A. I. Bandos, H. E. Rockette, D. Gur (2005), doi:10.1002/sim.2149.
    .. [2] E. S. Venkatraman, C. B. Begg (1996), doi:10.1093/biomet/83.4.835.
    .. [3] B. Phipson, G. K. Smyth (2010), doi:10.2202/1544-6115.1585.
    .. [4] M. Pauly, T. Asendorf, F. Konietschke (2016), doi:10.1002/bimj.201500105.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y = [0] * 6 + [1] * 7
    >>> a = [.1, .2, .05, .3, .1, .6, .6, .7, .8, .99, .8, .67, .5]
    >>> b = [.3, .6, .2, .1, .1, .9, .23, .7, .9, .4, .77, .3, .89]
    >>> fc.permutation_auc_test(y, a, b).pvalue
    0.078125
    >>> studentized = fc.permutation_auc_test(y, a, b, method="studentized")
    >>> [round(end, 4) for end in studentized.confidence_interval()]
    [0.0002, 0.4522]
    >>> print(fc.permutation_auc_test(y, a, b, method="venkatraman").summary())
    The two models do not differ significantly in their ROC curves. The ROC curves, with AUCs
    0.9643 and 0.7381, are E = 19 apart (Venkatraman's permutation test, exact, p = 0.0977).
    There were 7 positive and 6 negative cases.
    """
    check_undefined(on_undefined)
    method, exact = as_permutation(method, alternative, exact, keep, groups)
    draws = as_draws(keep, **drawing)
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    cases = as_cases(y_true, pos_label, nan_policy, groups, **scores)
    m, n = cases.sizes
    ranks = model_ranks(cases)
    plan = PermutationOptions(alternative, exact, draws.n, hash_seed(draws.seed), draws.workers)
    auc = auc_from_ranks(ranks, cases.labels, m)
    outcome = test_outcome(method, cases, ranks, auc, plan)
    title, status = name_and_status(TESTS[method][0], outcome.status(m, n), cases)
    warn_status(status, on_undefined)

    return PermutationAUCResult(
        statistic=outcome.statistic,
        **outcome.pvalue._asdict(),
        estimate=outcome.estimate,
        standard_error=outcome.standard_error,
        names=cases.pair,
        auc=auc,
        alternative=alternative,
        exact=outcome.exact,
        n_resamples=0 if outcome.values is None else outcome.values.size,
        seed=draws.seed,
        **class_fields(cases),
        method=title,
        status=status,
        distribution=outcome.values if keep else None,
        _ends=outcome.ends,
    )


def name_and_status(title: str, word: str, cases: Cases) -> tuple[str, str]:
    """Return the name of the test, with the number of clusters, and the status word."""
    if cases.groups is None:
        return title, word
    sizes = cluster_sizes(cases.groups)
    return f"{title} of {sizes.size} clusters", (
        cluster_status(cluster_df(sizes)) if word == "ok" else word
    )


def test_outcome(
    method: str, cases: Cases, ranks: Ranks, auc: NDArray[np.float64], plan: PermutationOptions
) -> Outcome:
    """Return the outcome of a test, undefined if a class has too few cases."""
    if min(cases.sizes) < FEWEST_CASES.get(method, 1):
        return Outcome.without_test(method, float(auc[0] - auc[1]))
    return TESTS[method][1](cases, ranks, plan)


def auc_from_ranks(ranks: Ranks, labels: NDArray[np.uint8], m: int) -> NDArray[np.float64]:
    """Return the AUCs from doubled midranks 2R: 2mn AUC = sum of 2R over positives - m (m + 1)."""
    n = labels.size - m
    if not (m and n):
        return np.full(2, np.nan)
    wins = [int(r[labels == 1].sum(dtype=np.int64)) - m * (m + 1) for r in ranks]
    return np.array([w / (2 * m * n) for w in wins])
