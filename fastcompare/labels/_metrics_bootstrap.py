"""Bootstrap test that two classifiers' predicted labels are equally good by any metric.

Replicates are values of the metric for sums of weights of equal cases, which also give the
jackknife of BCa intervals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.documented import with_engine_options
from .._base.parallel import Checkpoint
from .._base.types import (
    Alternative,
    AnyLabels,
    Average,
    Fields,
    Integers,
    NanPolicy,
    Undefined,
    Vector,
)
from .._inference.clusters import NORMAL_DF, cluster_df, cluster_sizes, cluster_status
from .._inference.infer import ZeroVarianceBound
from .._inference.status import unvaried_status, warn_status
from .._inference.unseen import ALPHA
from .._inputs.options import Workers, as_choice, check_undefined
from .._inputs.predictions import (
    LabelTable,
    Metric,
    as_pair_predictions,
    check_metric,
    check_strata,
)
from .._resampling import bootstrap
from .._resampling.weights import MOST_JACKKNIFE_GROUPS, Weights, jackknife, row_slices
from ..kernels.drawing.streams import LANES
from ..kernels.tables.cells import sum_cells
from ._metrics import (
    RELATIVE_TOLERANCE,
    Cells,
    MetricFunction,
    have_equal_labels,
    labels_variance_bound,
    metric_fields,
    metric_on_cells,
    metric_title,
    metric_width,
    outcome_cells,
)


@dataclass(frozen=True, slots=True)
class WeightedMetric:
    """Bootstrap statistic: the metric of both models in 64 replicates, (2, 64).

    `rows` (n,) are the resampled unit of each case, cases being sorted by cell; cells end at
    `ends` (C,).
    """

    values: MetricFunction
    rows: Integers
    ends: Integers

    def __call__(self, weights: Weights, checkpoint: Checkpoint) -> Vector:
        """Return the values of 64 replicates."""
        counts = np.zeros((self.ends.size, LANES), np.uint32)
        for rows in row_slices(self.rows.size):
            checkpoint()
            first_cell = int(np.searchsorted(self.ends, rows.start, "right"))
            sum_cells(weights, self.rows, self.ends, first_cell, rows.start, rows.stop, counts)
        return self.values(counts)


WHOLE_GROUPS = "whole groups"


class SamplingUnits(NamedTuple):
    """Units that are resampled: cases of all classes, cases of each class, or whole groups.

    `rows` (n,) are the unit of each case, cases being sorted by cell; cells end at `ends` (C,).
    `sizes` are the numbers of units by stratum, `title` says in words which units they are.
    """

    rows: Integers
    ends: Integers
    sizes: tuple[int, ...]
    title: str

    def statistic(self, values: MetricFunction) -> WeightedMetric:
        """Return the bootstrap statistic of a metric for these units."""
        return WeightedMetric(values, self.rows, self.ends)


def sampling_units(
    cells: Cells, groups: NDArray[np.int64] | None, stratified: bool
) -> SamplingUnits:
    """Return the units to resample: all cases, the cases of each class, or whole groups."""
    n = cells.of_cases.size
    ends = np.cumsum(cells.counts, dtype=np.int64)
    order = np.argsort(cells.of_cases, kind="stable")
    if groups is not None:
        return SamplingUnits(groups[order], ends, (int(groups.max()) + 1,), WHOLE_GROUPS)
    if not stratified:
        return SamplingUnits(order, ends, (n,), "unstratified")
    truth = cells.numbers[cells.of_cases, 0]
    units = np.empty(n, np.int64)  # numbered class by class, as strata must be
    units[np.argsort(truth, kind="stable")] = np.arange(n)
    totals = np.bincount(truth)
    return SamplingUnits(units[order], ends, tuple(totals[totals > 0].tolist()), "stratified")


def metric_differences(values: Vector) -> Vector:
    """Return the first minus the second row of values (2, ...), 0 if they differ by rounding."""
    with np.errstate(invalid="ignore"):
        gaps = values[0] - values[1]
        gaps[np.abs(gaps) <= RELATIVE_TOLERANCE * np.abs(values).max(0)] = 0.0
    return np.asarray(gaps)


def acceleration_by_jackknife(
    values: MetricFunction, cells: Cells, units: SamplingUnits, workers: Workers
) -> float:
    """Return BCa's acceleration by the jackknife of cases or of whole groups.

    All cases of a cell have the same value without one of them, so that one computation serves.
    """
    if units.title == WHOLE_GROUPS or cells.counts.size > MOST_JACKKNIFE_GROUPS:
        leave_one_out = jackknife(
            units.statistic(values),
            units.sizes,
            n_jobs=workers["n_jobs"],
            executor=workers["executor"],
        )
        return bootstrap.bca_acceleration(
            bootstrap.jackknife_influence(
                [metric_differences(values_without_one) for values_without_one in leave_one_out]
            )
        )
    counts_without_one = cells.counts[:, None] - np.eye(cells.counts.size, dtype=np.uint32)
    leave_one_out_values = np.repeat(metric_differences(values(counts_without_one)), cells.counts)
    strata = np.split(leave_one_out_values, np.cumsum(units.sizes)[:-1])
    return bootstrap.bca_acceleration(bootstrap.jackknife_influence(strata))


@dataclass(frozen=True, eq=False, kw_only=True)
class BootstrapMetricResult(bootstrap.Bounded, bootstrap.BootstrapResult):
    """Result of `bootstrap_metric_test`; `estimate` is ``values[0] - values[1]``."""

    metric: str
    average: str
    values: NDArray[np.float64]
    resampling: str
    n: int
    n_dropped: int
    _bounds: tuple[float, float]
    title: ClassVar[str] = "Bootstrap test of a metric of two models' labels on the same cases"
    _follows_sample: ClassVar[bool] = True

    @property
    def _quantity(self) -> str:  # type: ignore[override]
        """What is compared: the metric, as papers write it."""
        return metric_title(self.metric, self.average)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        title = metric_title(self.metric, self.average)
        return self._values_sentence(f"The values of {title} are", self.values)


@with_engine_options(bootstrap.as_draws)
def bootstrap_metric_test(
    y_true: AnyLabels,
    y_pred_a: LabelTable,
    y_pred_b: ArrayLike | None = None,
    *,
    metric: Metric = "accuracy",
    average: Average = "binary",
    method: str = "percentile",
    groups: ArrayLike | None = None,
    stratified: bool = False,
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    keep: bool = False,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
    **drawing: Unpack[bootstrap.DrawOptions],
) -> BootstrapMetricResult:
    """Bootstrap test of the difference between two models' F1, MCC or other label metric.

    Every replicate resamples the same cases, or clusters of cases, for both models.

    Parameters
    ----------
    metric : {'accuracy', 'balanced-accuracy', 'mcc', 'cohen-kappa', 'precision', 'recall', 'f1'} \
or callable, default='accuracy'
        The metric; Cohen's kappa is that with the truth. A callable is called as ``metric(y_true,
        y_pred)`` with the labels of resampled cases, twice per replicate, which is slow and does
        not benefit from threads; its result must not depend on the order of the cases. Its
        exceptions are raised.
    average : {'binary', 'macro', 'weighted'}, default='binary'
        For precision, recall and F1: that of the positive class; the mean over classes; or that
        mean weighted by the number of cases of each class. Other metrics ignore it.
    method : {'percentile', 'basic', 'bca', 'normal'}, default='percentile'
        How the interval and the p-value are computed from the replicates; see `bootstrap_auc_test`.
    groups : array-like of shape (n,), optional
        Cluster of each case: whole clusters are resampled.
    stratified : bool, default=False
        Resample the cases of each true class separately, so that every replicate has as many as the
        data.
    alternative : {'two-sided', 'less', 'greater', 'equivalence'}, default='two-sided'
        'greater': the first value is higher; see `delong_test`.
    margin : float, default=0
        For non-inferiority and equivalence, as in `delong_test`; below the width of the metric's
        range: 2 for the MCC and kappa, 1 for the other named metrics.
    keep : bool, default=False
        Keep the replicates of the difference as ``distribution``.
    pos_label : object, optional
        Label of the positive class, if labels are not bool, 0 and 1, or -1 and 1; only for
        'binary'.
    nan_policy : {'raise', 'omit'}, default='raise'
        How to handle cases with a missing label or cluster: raise an error or drop them.

    Returns
    -------
    BootstrapMetricResult
        With ``statistic`` (the estimate, shifted by the margin, over its standard error),
        ``pvalue``, ``estimate`` (the first value minus the second), ``standard_error``, ``values``
        (2,), ``metric``, ``n_resamples`` (valid ones), ``n_left_out``, ``seed``, ``resampling``,
        ``distribution``, ``status``, ``confidence_interval(confidence_level)`` and ``summary()``.

    Warns
    -----
    UndefinedResultWarning
        If the metric is 0 / 0 for these data, there is one case, or the replicates do not vary.
    SmallSampleWarning
        'few_clusters', if clusters carry fewer than 25 degrees of freedom (fewer than 26 clusters,
        or a few with most of the cases): intervals are too narrow. 'small_sample', if a p-value of
        .02 to .05 rests on fewer than 15 cases of a true class (not for accuracy): the test rejects
        up to 10% of equal models there, `permutation_metric_test` at most 5%.

    See Also
    --------
    mcnemar_test : Accuracies, without resampling.
    permutation_metric_test : An exact p-value for few cases, but no interval.

    Notes
    -----
    With t the difference between the two models' metrics, and t* its replicates, the p-value and
    the interval are computed as in `bootstrap_auc_test`.

    Definitions are scikit-learn's, except that 0 / 0 is undefined: precision, recall and F1 of the
    positive class, the MCC if a model or the truth has only one label, and Cohen's kappa if both
    have only the same one. Replicates in which that happens are discarded and counted. Averages are
    over all classes that occur in the truth or in the model's predictions; within them 0 / 0 counts
    as 0. Balanced accuracy is the mean recall of the classes that occur in the truth.

    Replicates within rounding error of the estimate, of 0 or of the margin count as equal to it.
    BCa's acceleration uses the jackknife, exact for up to 2,048 distinct combinations of labels.

    References
    ----------
    .. [1] A. C. Davison, D. V. Hinkley (1997), doi:10.1017/CBO9780511802843.
    .. [2] B. Efron (1987), doi:10.1080/01621459.1987.10478410.
    .. [3] J. Gorodkin (2004), doi:10.1016/j.compbiolchem.2004.09.006.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y = [1] * 30 + [0] * 30
    >>> a = [1] * 27 + [0] * 3 + [0] * 26 + [1] * 4
    >>> b = [1] * 20 + [0] * 10 + [0] * 22 + [1] * 8
    >>> result = fc.bootstrap_metric_test(y, a, b, metric="f1", method="bca", rng=0)
    >>> result.values.round(4), result.pvalue < 0.05, result.confidence_interval().low > 0
    (array([0.8852, 0.6897]), True, True)
    """
    check_undefined(on_undefined)
    check_metric(metric, average, pos_label)
    check_strata(stratified, groups)
    method = as_choice("method", method, bootstrap.UNSTUDENTIZED)
    width = metric_width(metric)
    claim = bootstrap.as_claim(alternative, margin, width)
    draws = bootstrap.as_draws(keep, **drawing)
    predictions = as_pair_predictions(y_true, y_pred_a, y_pred_b, nan_policy, groups)

    cells = outcome_cells(predictions)
    units = sampling_units(cells, predictions.groups, stratified)
    values = metric_on_cells(metric, average, pos_label, cells)
    observed = values(cells.counts[:, None])
    unvaried = labels_variance_bound(metric, cells, predictions.groups)
    plan = ResamplingPlan(units, method, draws, claim, unvaried)
    fields = resample_cells(values, observed, cells, plan)
    status = bootstrap_status(cells, units, fields)
    if status == "ok" and metric != "accuracy" and is_barely_significant(cells, fields["pvalue"]):
        status = "small_sample"
    warn_status(status, on_undefined, PERMUTATION_HINT if status == "small_sample" else "")

    return BootstrapMetricResult(
        **fields,
        **metric_fields(metric, average, observed, predictions),
        status=status,
        resampling=units.title,
        _bounds=(-width, width),
    )


class ResamplingPlan(NamedTuple):
    """Units, method, draws and claim of a bootstrap test, and the bound if nothing varies."""

    units: SamplingUnits
    method: str
    draws: bootstrap.Draws
    claim: bootstrap.Claim
    unvaried: ZeroVarianceBound


def resample_cells(
    values: MetricFunction, observed: Vector, cells: Cells, plan: ResamplingPlan
) -> Fields:
    """Return the fields of the bootstrap test of the difference of both `observed` values."""
    units, method, draws, claim, unvaried = plan
    estimate = float(metric_differences(observed)[0])
    replicates = np.empty(0)
    if np.isfinite(estimate) and sum(units.sizes) > 1:
        points = (estimate, claim.margin, -claim.margin)
        replicates = metric_differences(
            bootstrap.draw_replicates(units.statistic(values), units.sizes, draws)
        )
        replicates = bootstrap.snap_to_points(
            replicates, points, RELATIVE_TOLERANCE * float(np.abs(observed).max())
        )
    acceleration = 0.0
    if method == "bca" and replicates.size:
        acceleration = acceleration_by_jackknife(values, cells, units, draws.workers)
    summary = bootstrap.summarize_replicates(
        method, estimate, replicates, acceleration=acceleration
    )
    return bootstrap.bootstrap_fields(summary, draws, claim, unvaried)


FEWEST_CLASS_CASES = 15  # cases of a true class
SAFE_PVALUE = 0.02  # with 5 to 14 cases p is below this in at most 5.5% of equal models
PERMUTATION_HINT = "; permutation_metric_test keeps its level"


def is_barely_significant(cells: Cells, pvalue: float) -> bool:
    """Return whether .02 < p <= .05 with fewer than 15 cases of a true class: not reliable."""
    sizes = np.bincount(cells.numbers[:, 0], cells.counts)
    return bool(SAFE_PVALUE < pvalue <= ALPHA and sizes[sizes > 0].min() < FEWEST_CLASS_CASES)


def bootstrap_status(cells: Cells, units: SamplingUnits, fields: Fields) -> str:
    """Return the status word of the bootstrap test with these fields."""
    if not np.isfinite(fields["estimate"]):
        return "undefined_metric"
    if sum(units.sizes) == 1:
        return "one_case"
    if np.isnan(fields["standard_error"]):
        return "too_few_resamples"
    if fields["standard_error"] > 0.0:
        if units.title != WHOLE_GROUPS:
            return "ok"
        return cluster_status(cluster_df(cluster_sizes(units.rows)), fewest=NORMAL_DF)
    if_equal = "identical" if have_equal_labels(cells) else "no_difference"
    return unvaried_status(fields["estimate"], fields["margin"], if_equal)
