"""Operating points of a ROC curve: sensitivity at a specificity, and the other way round."""

from __future__ import annotations

from typing import Unpack

from numpy.typing import ArrayLike

from ...._base.forward import forwards
from ...._inputs.scores import ScoreTable
from ..bootstrap.paired import Claiming, Estimating, Reading
from .engines import CurveIntervalResult, CurveTestResult, curve_interval, curve_test, curve_value
from .measures import sensitivity_measure, specificity_measure


@forwards(curve_value)
def sensitivity_at_specificity(
    y_true: ArrayLike, y_score: ArrayLike, *, specificity: float, **options: Unpack[Reading]
) -> float:
    """Return the sensitivity where the specificity has a given value.

    It is read off the empirical ROC curve, which is linear between its points; where the curve
    rises vertically, the upper end counts.

    Parameters
    ----------
    specificity : float
        From 0 to 1: the share of negatives that must be recognised.

    References
    ----------
    .. [1] M. S. Pepe (2003), The Statistical Evaluation of Medical Tests, section 5.2.
    .. [2] X. Robin et al. (2011), pROC, doi:10.1186/1471-2105-12-77.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y, score = [0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 6, 4, 5, 7, 8]
    >>> fc.sensitivity_at_specificity(y, score, specificity=0.75)
    1.0
    >>> fc.sensitivity_at_specificity(y, score, specificity=1)
    0.5
    """
    return curve_value(lambda: sensitivity_measure(specificity), y_true, y_score, **options)


@forwards(curve_interval)
def sensitivity_at_specificity_interval(
    y_true: ArrayLike, y_score: ArrayLike, *, specificity: float, **options: Unpack[Estimating]
) -> CurveIntervalResult:
    """Return the sensitivity at a given specificity with an interval.

    Parameters
    ----------
    specificity : float
        As in `sensitivity_at_specificity`, which names the sources.

    Notes
    -----
    The default, 'profile', draws nothing. At the right threshold the numbers of negatives and of
    positives beyond it are binomial; the interval holds every sensitivity that agrees with its
    number at a threshold whose specificity agrees with the other, together at the level asked for.
    So a threshold's uncertainty counts, and few cases, or sensitivities near 0 or 1, do no harm: it
    covered 93 to 100 % where AUCs were 0.6, 0.9 and 0.99, specificities 0.8, 0.9 and 0.95, and
    cases 15 + 35, 60 + 140 and 50 + 950 (500 samples each). 'percentile', the former default, did
    93.6 % and more up to an AUC of 0.9, and 26 to 96 % at 0.99, for hardly any replicate has
    another value there. It is 2 to 25 % narrower where both cover. Where no negative may be beyond
    the threshold, as of 35 at a specificity of 0.95, no interval can exclude low sensitivities, and
    'profile' does not.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> scores = data.scores["decision_tree"]
    >>> result = fc.sensitivity_at_specificity_interval(
    ...     data.y_true, scores, specificity=0.9
    ... )
    >>> low, high = result.confidence_interval()
    >>> 0 < low < result.estimate < high <= 1
    True
    """
    return curve_interval(lambda: sensitivity_measure(specificity), y_true, y_score, **options)


@forwards(curve_test)
def sensitivity_at_specificity_test(
    y_true: ArrayLike,
    y_score_a: ScoreTable,
    y_score_b: ArrayLike | None = None,
    *,
    specificity: float,
    **options: Unpack[Claiming],
) -> CurveTestResult:
    """Test whether two models differ in sensitivity at a given specificity.

    Parameters
    ----------
    specificity : float
        As in `sensitivity_at_specificity`, which names the sources.

    Notes
    -----
    The statistic is the difference of both ROC curves' heights, linear between their points, at the
    false positive rate 1 - `specificity`. p-value and interval are those of `bootstrap_auc_test`.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> a, b = data.scores["random_forest"], data.scores["decision_tree"]
    >>> result = fc.sensitivity_at_specificity_test(data.y_true, a, b, specificity=0.9, rng=0)
    >>> bool(result.values[0] > result.values[1]), result.pvalue < 0.05
    (True, True)
    """
    return curve_test(
        lambda: sensitivity_measure(specificity), y_true, y_score_a, y_score_b, **options
    )


@forwards(curve_value)
def specificity_at_sensitivity(
    y_true: ArrayLike, y_score: ArrayLike, *, sensitivity: float, **options: Unpack[Reading]
) -> float:
    """Return the specificity where the sensitivity has a given value.

    It is `sensitivity_at_specificity` the other way round; where the curve runs horizontally, the
    end with the higher specificity counts.

    Parameters
    ----------
    sensitivity : float
        From 0 to 1: the share of positives that must be found.

    References
    ----------
    .. [1] M. S. Pepe (2003), The Statistical Evaluation of Medical Tests, section 5.2.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y, score = [0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 6, 4, 5, 7, 8]
    >>> fc.specificity_at_sensitivity(y, score, sensitivity=0.5)
    1.0
    >>> fc.specificity_at_sensitivity(y, score, sensitivity=1)
    0.75
    """
    return curve_value(lambda: specificity_measure(sensitivity), y_true, y_score, **options)


@forwards(curve_interval)
def specificity_at_sensitivity_interval(
    y_true: ArrayLike, y_score: ArrayLike, *, sensitivity: float, **options: Unpack[Estimating]
) -> CurveIntervalResult:
    """Return the specificity at a given sensitivity with an interval.

    Parameters
    ----------
    sensitivity : float
        As in `specificity_at_sensitivity`.

    Notes
    -----
    As those of `sensitivity_at_specificity_interval`.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y, score = [0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 6, 4, 5, 7, 8]
    >>> fc.specificity_at_sensitivity_interval(y, score, sensitivity=1).estimate
    0.75
    """
    return curve_interval(lambda: specificity_measure(sensitivity), y_true, y_score, **options)


@forwards(curve_test)
def specificity_at_sensitivity_test(
    y_true: ArrayLike,
    y_score_a: ScoreTable,
    y_score_b: ArrayLike | None = None,
    *,
    sensitivity: float,
    **options: Unpack[Claiming],
) -> CurveTestResult:
    """Test whether two models differ in specificity at a given sensitivity.

    Parameters
    ----------
    sensitivity : float
        As in `specificity_at_sensitivity`.

    Notes
    -----
    The statistic is the difference of the specificities at which both ROC curves, linear between
    their points, reach `sensitivity`. p-value and interval are those of `bootstrap_auc_test`.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> two = {name: data.scores[name] for name in ("random_forest", "decision_tree")}
    >>> result = fc.specificity_at_sensitivity_test(data.y_true, two, sensitivity=0.9, rng=0)
    >>> result.names, result.pvalue < 0.05
    (('random_forest', 'decision_tree'), True)
    """
    return curve_test(
        lambda: specificity_measure(sensitivity), y_true, y_score_a, y_score_b, **options
    )
