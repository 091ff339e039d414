"""The AUC within groups of one model, with an interval."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ..._base.documented import documented
from ..._base.text import direction_note, show_number
from ..._base.types import Fields, NanPolicy, Undefined, Vector
from ..._inference.status import warn_status
from ..._inputs.chunks.rows import Chunks
from ..._inputs.options import check_level, check_undefined, count_jobs
from ..._results.records import ConfidenceInterval, IntervalEstimate
from ...items._mean import interval_method, mean_interval_ends, mean_status
from ...items._methods import caution_sentence, differences_of
from ...paired._columns import Ends
from .._intervals import INTERVALS, IntervalInputs, auc_intervals
from .._one_model import auc_status
from .groups import WithinGroups, as_weights, fixed_moments, read_within_groups, with_placements
from .paired import WithinResult, equal_weights_hint, group_fields, group_items


@dataclass(frozen=True, eq=False, kw_only=True)
class WithinAUCIntervalResult(WithinResult, IntervalEstimate):
    """Result of `within_auc_interval`."""

    _tails: Ends | None = field(repr=False)

    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    title: ClassVar[str] = "AUC within groups"

    def _compute_group_auc(self) -> Vector:
        return np.ascontiguousarray(self._within.auc[:, 0])

    def _compute_pooled_auc(self) -> float:
        return float(self._within.pooled_auc[0])

    def _compute_between_auc(self) -> float:
        return float(self._within.between_auc[0])

    def _ends(self, level: float) -> tuple[float, float]:
        """Return the limits of the interval at this level, by the design's method."""
        tail = 0.5 * (1.0 - level)
        if self.design == "fixed":
            sizes = self._within.effective_class_sizes(self.weights)
            evidence = IntervalInputs(self.estimate, self.standard_error, *sizes, self.df)
            return INTERVALS["score"](evidence, tail)
        if self._tails is None:
            return math.nan, math.nan
        return self._tails.low(tail), self._tails.high(tail)

    def group_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the interval of the AUC in each group, by its cases alone.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1, of each interval.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, arrays of shape (G,): 'score' of `roc_auc_interval`, NaN of groups with
            one case of a class, and where cases came in chunks.
        """
        level = check_level(confidence_level)
        if not self._within.cases.labels.size:
            nothing = np.full(self.n_groups, math.nan)
            return ConfidenceInterval.within(nothing, nothing, self.bounds)
        grouped = with_placements(self._within)
        moments = fixed_moments(grouped, self.weights, 0)
        sizes = zip(grouped.positives.tolist(), grouped.negatives.tolist(), strict=True)
        errors = np.sqrt(moments.group_variance)
        dfs = moments.group_df.tolist()
        low, high = auc_intervals(grouped.auc[:, 0], errors, list(sizes), level, dfs)
        return ConfidenceInterval.within(low, high, self.bounds)

    def _summary(self) -> str:
        """Return the result in sentences fit for a paper."""
        sentence = (
            f"The AUC within groups is {show_number(self.estimate)} ({self._interval_text()}, "
            f"{self.method} method; {self._groups_used()}).{direction_note(self.estimate)}"
        )
        pooled, between = show_number(self.pooled_auc), show_number(self.between_auc)
        parts = self._parts_sentence(f"the AUC over all pairs is {pooled}", between)
        return f"{sentence}{parts}{caution_sentence(self.status, self.df)}"


@documented
def within_auc_interval(
    y_true: ArrayLike | Chunks,
    y_score: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    *,
    weights: str = "auto",
    design: str = "random",
    confidence_level: float = 0.95,
    n_jobs: int = 1,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> WithinAUCIntervalResult:
    """Return a model's AUC within groups (users, queries, centres), with a confidence interval.

    Only cases of one group are compared with each other; a weighted mean over groups is also known
    as GAUC, or stratified or covariate-adjusted AUC.

    Parameters
    ----------
    y_true : array-like of shape (n,), or chunks
        Labels: bool, 0 and 1, or -1 and 1; anything else needs `pos_label`. Or, alone, chunks with
        labels, scores and groups as in `within_auc_test`.
    groups : array-like of shape (n,)
        Group of each case, labels of any type. Groups of one class are left out and counted.
    weights : {'auto', 'pairs', 'cases', 'equal'}, default='auto'
        Weight of a group, as in `within_auc_test`.
    design : {'random', 'fixed'}, default='random'
        Whether the groups are a sample ('random'), or only the cases in them are ('fixed').

    Returns
    -------
    WithinAUCIntervalResult
        With ``estimate``, ``standard_error``, ``df``, ``confidence_interval()``, ``method``,
        ``status``, and ``groups``, ``group_auc``, ``group_weight``, ``group_positive``,
        ``group_negative`` (G,), ``n_groups``, ``n_groups_dropped``, ``effective_groups``,
        ``n_positive``, ``n_negative``, ``n_dropped``, ``pooled_auc``, ``between_auc``,
        ``share_within`` and ``summary()`` as in `within_auc_test`.

    Warns
    -----
    UndefinedResultWarning
        'one_class_groups', if no group has both classes; 'one_group', if only one has, for random
        groups: the interval is NaN.
    SmallSampleWarning
        'few_clusters' and 'small_sample' as in `mean_interval`, for random groups.

    See Also
    --------
    within_auc_test : Compare two models.
    roc_auc_interval : The AUC over all cases.

    Notes
    -----
    Random groups are the items of `mean_interval`, with the weights of the groups as
    ``sample_weight``. Fixed groups: the standard error is DeLong's in each group, as in
    `within_auc_test`, and the interval is the score interval of `roc_auc_interval`, with effective
    numbers of cases (Kish); with one group it is that of `roc_auc_interval`.

    References
    ----------
    .. [1] H. Janes, M. S. Pepe (2009), doi:10.1093/biomet/asp002.
    .. [2] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.

    Examples
    --------
    >>> import fastcompare as fc
    >>> user = [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6]
    >>> click = [0, 1, 0, 1, 0, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0]
    >>> score = [2, 5, 1, 4, 1, 3, 2, 2, 6, 5, 4, 8, 2, 1, 3, 0, 7, 3, 5, 4, 3, 2, 3, 1]
    >>> print(fc.within_auc_interval(click, score, user, weights="pairs").summary())
    The AUC within groups is 0.8500 (95% CI 0.6444 to 1.0000, t method; 6 groups weighted by
    pairs). Of all pairs of a positive and a negative case 14.3% lie within groups; the AUC over all
    pairs is 0.8714, and 0.8750 between groups. There were 10 positive and 14 negative cases.
    """
    check_undefined(on_undefined)
    weights = as_weights(weights, design)
    level, jobs = check_level(confidence_level), count_jobs(n_jobs)
    grouped = read_within_groups(
        y_true, {"y_score": y_score}, groups, design, (pos_label, nan_policy), jobs
    )
    if not grouped.labels.size:
        fields = UNDEFINED
    elif design == "random":
        fields = random_auc(grouped, weights)
    else:
        fields = fixed_auc(grouped, weights)
    hint = equal_weights_hint(grouped, weights, fields["status"])
    warn_status(fields["status"], on_undefined, hint)
    return WithinAUCIntervalResult.from_fields(
        **group_fields(grouped, weights) | fields, design=design, confidence_level=level
    )


UNDEFINED = Fields(
    estimate=math.nan,
    standard_error=math.nan,
    df=math.nan,
    method="score",
    status="one_class_groups",
    _tails=None,
)


def random_auc(grouped: WithinGroups, weights: str) -> Fields:
    """Return the fields of the AUC over random groups: the mean of weighted items."""
    items = group_items(grouped, weights)
    differences = differences_of(items, items.scores[:, 0], None)
    tails = mean_interval_ends(differences, "auto")
    status = mean_status(differences, tails)
    return Fields(
        estimate=differences.mean.estimate,
        standard_error=differences.mean.standard_error,
        df=differences.mean.df,
        method=interval_method(tails),
        status="one_group" if status == "one_case" else status,
        _tails=tails,
    )


def fixed_auc(grouped: WithinGroups, weights: str) -> Fields:
    """Return the fields of the AUC over fixed groups, by DeLong's variance within each."""
    moments = fixed_moments(grouped, weights, 0)
    estimate = float(grouped.relative_weights(weights) @ grouped.auc[:, 0])
    error = math.sqrt(moments.variance)
    sizes = int(grouped.positives.sum()), int(grouped.negatives.sum())
    evidence = IntervalInputs(estimate, error, *grouped.effective_class_sizes(weights))
    return Fields(
        estimate=estimate,
        standard_error=error,
        df=moments.df,
        method="score",
        status=auc_status(sizes, evidence, "score"),
        _tails=None,
    )
