"""Average precision: its value, interval and paired test."""

from __future__ import annotations

from typing import Unpack

from numpy.typing import ArrayLike

from ...._base.forward import forwards
from ...._inputs.scores import ScoreTable
from ..bootstrap.paired import Claiming, Estimating, Reading
from .engines import CurveIntervalResult, CurveTestResult, curve_interval, curve_test, curve_value
from .measures import PRECISION


@forwards(curve_value)
def average_precision(y_true: ArrayLike, y_score: ArrayLike, **options: Unpack[Reading]) -> float:
    """Return the average precision: the area under the precision-recall curve by steps.

    It is the mean over the positives of the precision at their score, as in scikit-learn; tied
    cases are passed at once.

    References
    ----------
    .. [1] J. Davis, M. Goadrich (2006), doi:10.1145/1143844.1143874.

    Examples
    --------
    >>> import fastcompare as fc
    >>> round(fc.average_precision([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 6)
    0.833333
    """
    return curve_value(lambda: PRECISION, y_true, y_score, **options)


@forwards(curve_interval)
def average_precision_interval(
    y_true: ArrayLike, y_score: ArrayLike, **options: Unpack[Estimating]
) -> CurveIntervalResult:
    """Return the average precision with an interval.

    Notes
    -----
    Precision depends on the prevalence: the interval is for that of the data, unless
    ``stratified=False``. `average_precision` names its source. The default, 'score', draws nothing:
    it is Wilson's interval for as many cases as the jackknife's variance speaks of, with a prior of
    4 degrees of freedom for that of a share of the positives, as `roc_auc_interval` has. It covered
    95 to 100 % where AUCs were 0.6, 0.75, 0.9 and 0.99 and cases from 3 + 47 to 400 + 1600, and
    91 % with two positives, where it warns. 'bca', the former default, covers 86 to 97 %
    (docs/coverage.md).

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> result = fc.average_precision_interval(data.y_true, data.scores["decision_tree"])
    >>> low, high = result.confidence_interval()
    >>> 0 < low < result.estimate < high <= 1
    True
    """
    return curve_interval(lambda: PRECISION, y_true, y_score, **options)


@forwards(curve_test)
def average_precision_test(
    y_true: ArrayLike,
    y_score_a: ScoreTable,
    y_score_b: ArrayLike | None = None,
    **options: Unpack[Claiming],
) -> CurveTestResult:
    """Test by resampling cases whether two models have different average precisions.

    Notes
    -----
    AP = sum over thresholds of (R_t - R_(t-1)) P_t, with the recall R and the precision P; tied
    scores are one threshold. p-value and interval are those of `bootstrap_auc_test`.

    The prevalence is that of the data in every replicate, unless ``stratified=False``.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> a, b = data.scores["random_forest"], data.scores["decision_tree"]
    >>> result = fc.average_precision_test(data.y_true, a, b, rng=0)
    >>> result.pvalue < 0.05, result.confidence_interval().low > 0
    (True, True)
    """
    return curve_test(lambda: PRECISION, y_true, y_score_a, y_score_b, **options)
