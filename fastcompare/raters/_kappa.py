"""One measure of how similarly two models err, as a function each, and the test of two kappas.

The measures are the rows of the table `MEASURES`; Cohen's kappa is also of labels, and tests itself
against chance. Two kappas with the same truth are compared case by case: with f the influence of a
case on kappa, by its true and its predicted label, their difference has the influence f_a - f_b.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.documented import documented, with_engine_options
from .._base.memory import reserve
from .._base.text import amount, equation, show_number, show_pvalue, stated_ends
from .._base.types import Alternative, AnyLabels, Fields, Integers, NanPolicy, Undefined, Vector
from .._inference.infer import ZeroVarianceBound, infer, rarest_bound
from .._inference.pvalues import normal_quantile
from .._inference.status import unvaried_status, warn_status
from .._inputs.counts import COPIES, MANY_LABELS
from .._inputs.options import as_choice, check_level, check_undefined
from .._inputs.plans.label_scales import as_label_order, check_kappa, label_distances
from .._inputs.predictions import LabelTable, as_pair_predictions, codes
from .._resampling.bootstrap import BootstrapInterval, as_claim
from .._results.records import ConfidenceInterval
from .._results.two_models import StudentResult, TwoModels
from . import _measures as measures

CHANCE_CORRECTED = ("cohen_kappa", "correlation")  # measures that compare with chance
# methods that need some cases of each kind
LARGE_SAMPLE_METHODS = ("fleiss", "artanh", "woolf", "bootstrap")
FEWEST_CASES = 5  # of them; with fewer these cover down to 0 of 100, with five 89
# of each measure the interval method that covers with few cases
ROBUST_METHODS = {"cohen_kappa": "adjusted", "correlation": "adjusted", "yule_q": "agresti"}


@dataclass(frozen=True, eq=False, kw_only=True)
class AgreementMeasureResult(TwoModels, BootstrapInterval):
    """A measure of how similar two models' errors are; ``float(result)`` is its estimate."""

    measure: str
    table: measures.Counts
    n_dropped: int

    _sheets: ClassVar[str] = "estimate"

    @property
    def title(self) -> str:  # type: ignore[override]
        """The name of the measure."""
        title = measures.MEASURES[self.measure].title
        return title[0].upper() + title[1:]

    @property
    def bounds(self) -> tuple[float, float]:  # type: ignore[override]
        """The smallest and the largest possible value of the measure."""
        return measures.MEASURES[self.measure].bounds

    @property
    def _measure(self) -> measures.Measure:
        return measures.MEASURES[self.measure]

    def confidence_interval(self, confidence_level: float | None = None) -> ConfidenceInterval:
        """Return the confidence interval, by default at the level of the call.

        Parameters
        ----------
        confidence_level : float, optional
            Between 0 and 1.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)`` within the parameter space; ``clipped`` says whether an end was cut. The
            default methods give an interval even if the estimate is 0 / 0.
        """
        level = self.confidence_level if confidence_level is None else check_level(confidence_level)
        return ConfidenceInterval.within(*self._ends(level), self.bounds)

    def _ends(self, level: float) -> tuple[float, float]:
        """Return the limits (low, high) of the interval by `method`; NaN if it has none."""
        if self.method == "bootstrap":
            return super()._ends(level) if self.standard_error > 0.0 else (math.nan, math.nan)
        z = normal_quantile(0.5 * (1.0 - level))
        estimate, error = np.array(self.estimate), np.array(self.standard_error)
        ends = self._measure.intervals[self.method]
        low, high = ends(self.table.astype(np.float64), estimate, error, z)
        return float(low), float(high)

    def figures(self) -> str:
        """Return the estimate and its interval in words, as "0.2000 (0.1505 to 0.2609)"."""
        return f"{show_number(self.estimate)} ({stated_ends(self._interval())})"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        if math.isnan(self.estimate):
            return f"{self.title} is not defined for these data."
        whose = self._both_names("")
        title = f"{self.title} of {whose}" if whose else self.title
        return (
            f"{title} is {self.estimate:.4f} ({self._interval_text()}, "
            f"{self.method} method{self._evidence()}; {amount(int(self.table.sum()), 'case')})."
        )

    def _evidence(self) -> str:
        return ""


@dataclass(frozen=True, eq=False, kw_only=True)
class CohenKappaResult(AgreementMeasureResult):
    """Result of `cohen_kappa`; the p-value tests that there is no agreement beyond chance."""

    statistic: float
    pvalue: float
    log_pvalue: float
    null_standard_error: float
    on: str
    weights: str
    classes: tuple[Any, ...]

    @property
    def _measure(self) -> measures.Measure:
        return measures.kappa_measure(label_distances(len(self.table), self.weights))

    def _evidence(self) -> str:
        """Return the words on the test that kappa is 0, for the summary."""
        p = equation("p", show_pvalue(self.pvalue))
        return f"; test of no agreement beyond chance, with the variance under independence: {p}"


def measure_fields(
    name: str,
    joint: measures.JointTable,
    level: float,
    method: str | None = None,
    measure: measures.Measure | None = None,
) -> Fields:
    """Return the fields of a measure of two models, by default that of the table with this name."""
    measure, counts = measure or measures.MEASURES[name], joint.table.astype(np.float64)
    estimate = measure.estimate(counts)
    error = measure.error(counts, estimate)
    chosen = measure.method if method is None else method
    return Fields(
        estimate=float(estimate),
        standard_error=float(error),
        method=chosen,
        status=measure_status(name, counts, (float(estimate), float(error)), chosen),
        confidence_level=level,
        measure=name,
        table=joint.table,
        names=joint.names,
        n_dropped=joint.n_dropped,
    )


def measure_status(
    name: str, counts: measures.Floats, value_and_error: tuple[float, float], method: str
) -> str:
    """Return the status word of a measure of two models with this estimate and standard error."""
    estimate, error = value_and_error
    if name == "yule_q" and math.isnan(error):
        return "empty_cell"
    if name in CHANCE_CORRECTED and not error > 0.0:
        if math.isnan(estimate):
            return "constant_answers"
        if method in LARGE_SAMPLE_METHODS:
            return "perfect_agreement"
        n_answers = [np.count_nonzero(counts.sum(axis=axis)) for axis in (0, 1)]  # of each model
        return "one_answer" if min(n_answers) == 1 else "ok"
    needs_cases = method in LARGE_SAMPLE_METHODS
    return "small_sample" if needs_cases and rarest_kind_size(name, counts) < FEWEST_CASES else "ok"


def rarest_kind_size(name: str, counts: measures.Floats) -> float:
    """Return the number of cases of the rarest kind on which a measure's precision depends.

    For 2 x 2 tables it is the smallest cell, for disagreement and double fault their own cases; for
    larger tables disagreements, or agreements on all labels but the most frequent.
    """
    agreed = np.diag(counts)
    n_disagreed = counts.sum() - agreed.sum()
    if name == "disagreement":
        return float(n_disagreed)
    if name == "double_fault":
        return float(counts[1, 1])
    if len(counts) == 2:
        return float(counts.min())
    return float(min(n_disagreed, agreed.sum() - agreed.max()))


class MeasureOptions(TypedDict, total=False):
    """Options of every measure of two models."""

    confidence_level: float
    nan_policy: NanPolicy
    on_undefined: Undefined


def as_measure_options(
    *,
    confidence_level: float = 0.95,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> tuple[float, NanPolicy, Undefined]:
    """Return the checked options of every measure of two models.

    Measures that forward them show the entries below.

    Parameters
    ----------
    y_true : array-like of shape (n,), or a table of counts
        Labels of any type, of two classes or more. Or, instead of all labels, a table ``[[n11,
        n10], [n01, n00]]`` (both correct, only the first, only the second, neither) or the result
        of `contingency_table`; a data frame may have labelled rows and columns, as in
        `mcnemar_test`.

    See Also
    --------
    agreement : All measures, optionally with bootstrap intervals.
    agreement_matrix : All pairs of several models.
    """
    check_undefined(on_undefined)
    return check_level(confidence_level), nan_policy, on_undefined


@with_engine_options(as_measure_options)
def measure_of_errors(
    name: str,
    y_true: Any,
    y_pred_a: LabelTable | None,
    y_pred_b: ArrayLike | None,
    method: str | None = None,
    **options: Unpack[MeasureOptions],
) -> AgreementMeasureResult:
    """Return one measure of the errors of two models.

    Returns
    -------
    AgreementMeasureResult
        With ``estimate``, ``standard_error``, ``confidence_interval(confidence_level)``, ``table``
        (2, 2), ``names``, ``n_dropped``, ``status``; ``float(result)`` is the estimate.
    """
    level, nan_policy, on_undefined = as_measure_options(**options)
    if method is not None:
        method = as_choice("method", method, measures.MEASURES[name].intervals)
    joint = measures.joint_correctness(y_true, y_pred_a, y_pred_b, nan_policy)
    result = AgreementMeasureResult.from_fields(**measure_fields(name, joint, level, method))
    warn_status(result.status, on_undefined, interval_hint(name, result.status))
    return result


def interval_hint(name: str, status: str) -> str:
    """Return which interval to use in place of an unreliable one, for the warning."""
    return f"; method={ROBUST_METHODS[name]!r} covers" if status == "small_sample" else ""


@with_engine_options(measure_of_errors)
def disagreement(
    y_true: Any,
    y_pred_a: LabelTable | None = None,
    y_pred_b: ArrayLike | None = None,
    **options: Unpack[MeasureOptions],
) -> AgreementMeasureResult:
    """Return the disagreement: the proportion of cases on which exactly one classifier is correct.

    Its interval is Wilson's, so it is always defined.

    References
    ----------
    .. [1] L. I. Kuncheva, C. J. Whitaker (2003), doi:10.1023/A:1022859003006.
    .. [2] E. B. Wilson (1927), doi:10.1080/01621459.1927.10502953.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.disagreement([[150, 25], [15, 10]])
    >>> low, high = result.confidence_interval()
    >>> float(result), round(low, 4), round(high, 4)
    (0.2, 0.1505, 0.2609)
    """
    return measure_of_errors("disagreement", y_true, y_pred_a, y_pred_b, **options)


@with_engine_options(measure_of_errors)
def double_fault(
    y_true: Any,
    y_pred_a: LabelTable | None = None,
    y_pred_b: ArrayLike | None = None,
    **options: Unpack[MeasureOptions],
) -> AgreementMeasureResult:
    """Return the double fault: the proportion of cases that two classifiers both misclassify.

    Its interval is Wilson's, so it is always defined.

    References
    ----------
    .. [1] L. I. Kuncheva, C. J. Whitaker (2003), doi:10.1023/A:1022859003006.
    .. [2] E. B. Wilson (1927), doi:10.1080/01621459.1927.10502953.

    Examples
    --------
    >>> import fastcompare as fc
    >>> float(fc.double_fault([1, 1, 0, 0], [1, 0, 0, 1], [1, 0, 1, 0]))
    0.25
    """
    return measure_of_errors("double_fault", y_true, y_pred_a, y_pred_b, **options)


@with_engine_options(measure_of_errors)
def yule_q(
    y_true: Any,
    y_pred_a: LabelTable | None = None,
    y_pred_b: ArrayLike | None = None,
    *,
    method: Literal["agresti", "woolf"] = "agresti",
    **options: Unpack[MeasureOptions],
) -> AgreementMeasureResult:
    """Return Yule's Q of two classifiers: 1 if they err on the same cases, -1 on different ones.

    Q = (n11 n00 - n10 n01) / (n11 n00 + n10 n01), and 0 for independent errors.

    Its interval is that of the log odds ratio, so it stays in [-1, 1].

    Parameters
    ----------
    method : {'agresti', 'woolf'}, default='agresti'
        Interval: 'agresti' adds two cases to the table, distributed as under independent errors; it
        is defined for all tables and covers 91 to 99% (30 cases or more). 'woolf' uses the table
        itself and needs five cases in each cell.

    Warns
    -----
    UndefinedResultWarning
        If a cell of the 2 x 2 table is empty. The estimate is then NaN: the formula would give 1 or
        -1 whatever the other counts are, without a standard error.
    SmallSampleWarning
        For 'woolf', if a cell has fewer than five cases: the interval undercovers.

    References
    ----------
    .. [1] G. U. Yule (1900), doi:10.1098/rsta.1900.0019.
    .. [2] A. Agresti (1999), doi:10.1111/j.0006-341X.1999.00597.x.
    .. [3] B. Woolf (1955), doi:10.1111/j.1469-1809.1955.tb01348.x.
    .. [4] L. I. Kuncheva, C. J. Whitaker (2003), doi:10.1023/A:1022859003006.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.yule_q([[150, 25], [15, 10]], method="woolf")
    >>> low, high = result.confidence_interval()
    >>> float(result), round(low, 4), round(high, 4)
    (0.6, 0.236, 0.8164)
    """
    return measure_of_errors("yule_q", y_true, y_pred_a, y_pred_b, method, **options)


@with_engine_options(measure_of_errors)
def error_correlation(
    y_true: Any,
    y_pred_a: LabelTable | None = None,
    y_pred_b: ArrayLike | None = None,
    *,
    method: Literal["adjusted", "artanh"] = "adjusted",
    **options: Unpack[MeasureOptions],
) -> AgreementMeasureResult:
    """Return the correlation of two classifiers' errors (phi coefficient).

    Parameters
    ----------
    method : {'adjusted', 'artanh'}, default='adjusted'
        Interval: 'adjusted' is Wald's after adding about one case to each cell; it is defined for
        all tables and covers 93 to 99% (30 cases or more). 'artanh' is symmetric on Fisher's z
        scale and needs five cases in each cell. Both use the standard error for two binary
        variables; Fisher's 1 / sqrt(n - 3), for normal ones, is wrong here.

    Warns
    -----
    UndefinedResultWarning
        If a model is correct, or wrong, on every case; for 'artanh' also if both err on exactly the
        same cases, or each exactly where the other does not.
    SmallSampleWarning
        For 'artanh', if a cell has fewer than five cases: the interval undercovers.

    References
    ----------
    .. [1] L. I. Kuncheva, C. J. Whitaker (2003), doi:10.1023/A:1022859003006.
    .. [2] Y. M. M. Bishop, S. E. Fienberg, P. W. Holland (1975), Discrete Multivariate Analysis,
       chapter 11, doi:10.1007/978-0-387-72806-3.

    Examples
    --------
    >>> import fastcompare as fc
    >>> round(fc.error_correlation([[150, 25], [15, 10]]).estimate, 4)
    0.2238
    """
    return measure_of_errors("correlation", y_true, y_pred_a, y_pred_b, method, **options)


@with_engine_options(as_measure_options)
def cohen_kappa(
    y_true: Any,
    y_pred_a: LabelTable | None = None,
    y_pred_b: ArrayLike | None = None,
    *,
    on: Literal["correct", "labels"] = "correct",
    weights: Literal["linear", "quadratic"] | None = None,
    classes: Sequence[Any] | None = None,
    method: Literal["adjusted", "fleiss"] = "adjusted",
    **options: Unpack[MeasureOptions],
) -> CohenKappaResult:
    """Return Cohen's kappa of two classifiers, with an interval and a test against 0.

    Kappa is 1 for perfect agreement and 0 for agreement expected by chance.

    Parameters
    ----------
    y_true : array-like of shape (n,), or a table of counts
        As in `disagreement`. For ``on="labels"``, a table (K, K) counts the cases to which the
        first model gives the label of the row and the second that of the column; a data frame may
        name the labels.
    on : {'correct', 'labels'}, default='correct'
        What counts as agreement: both models correct or both wrong, or the same label.
    weights : {None, 'linear', 'quadratic'}, optional
        For ``on="labels"``: weight of a disagreement, by the distance between the two labels'
        positions or its square.
    classes : sequence, optional
        For ``on="labels"``: all labels in order. By default those that occur in `y_true` or the
        predictions, sorted; required for `weights` if labels are strings.
    method : {'adjusted', 'fleiss'}, default='adjusted'
        Interval: 'adjusted' is Wald's after adding z^2 cases to the table (about four at 95%), half
        of them on the diagonal. It is defined for all tables and covers 93 to 99% (30 cases or
        more, 2 to 10 labels, all weights; `docs/evidence/labels.md`). 'fleiss' is Wald's of the
        table itself: it needs five cases of each kind, and covers as little as 10% with fewer.

    Returns
    -------
    CohenKappaResult
        With ``estimate``, ``standard_error``, ``confidence_interval(confidence_level)``,
        ``statistic``, ``pvalue``, ``log_pvalue`` and ``null_standard_error`` of the two-sided test
        of no agreement beyond chance, ``table``, ``classes``, ``on``, ``weights``, ``n_dropped``,
        ``status``; ``float(result)`` is the estimate.

    Warns
    -----
    UndefinedResultWarning
        If a model is correct on every case, wrong on every case, or always gives the same label;
        for 'fleiss' also if the models agree on every case or on none, so that there is no
        interval.
    SmallSampleWarning
        For 'fleiss', if a cell of the 2 x 2 table has fewer than five cases, or there are fewer
        than five cases of disagreement, or of agreement on labels other than the most frequent.

    Notes
    -----
    The test uses the variance of kappa under independence, the interval that without this
    assumption, with z^2 additional cases. With few cases the test may therefore reject although the
    interval contains 0.

    References
    ----------
    .. [1] J. Cohen (1960), doi:10.1177/001316446002000104.
    .. [2] J. L. Fleiss, J. Cohen, B. S. Everitt (1969), doi:10.1037/h0028106.
    .. [3] A. Agresti, B. A. Coull (1998), doi:10.1080/00031305.1998.10480550.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.cohen_kappa([[150, 25], [15, 10]])
    >>> round(result.estimate, 4), round(result.standard_error, 4), result.pvalue < 0.05
    (0.2195, 0.0865, True)
    >>> raters = [[20, 10, 5], [3, 30, 15], [0, 5, 40]]
    >>> round(float(fc.cohen_kappa(raters, on="labels", weights="quadratic")), 4)
    0.6629
    """
    level, nan_policy, on_undefined = as_measure_options(**options)
    scheme = check_kappa(on, weights, classes)
    method = as_choice("method", method, measures.MEASURES["cohen_kappa"].intervals)
    labels = (y_true, y_pred_a, y_pred_b)
    if on == "correct":
        joint = measures.joint_correctness(*labels, nan_policy)
    else:
        joint = measures.joint_labels(
            *labels, nan_policy=nan_policy, classes=classes, weights=scheme
        )
    distances = label_distances(len(joint.table), scheme)

    fields = measure_fields("cohen_kappa", joint, level, method, measures.kappa_measure(distances))
    null_error = float(measures.kappa_null_error(joint.table.astype(np.float64), distances))
    test = infer(fields["estimate"], null_error, "two-sided")
    warn_status(fields["status"], on_undefined, interval_hint("cohen_kappa", fields["status"]))

    return CohenKappaResult(
        **fields,
        statistic=test["statistic"],
        pvalue=test["pvalue"],
        log_pvalue=test["log_pvalue"],
        null_standard_error=null_error,
        on=on,
        weights=scheme,
        classes=joint.classes,
    )


# cases of other labels than the commonest; with fewer levels reach 7%, else some 6
FEWEST_OTHER_LABELS = 5
PERMUTATION_HINT = "; permutation_metric_test(metric='cohen-kappa') is exact"


@dataclass(frozen=True, eq=False, kw_only=True)
class CohenKappaTestResult(StudentResult):
    """Result of `cohen_kappa_test`; `estimate` is ``kappa[0] - kappa[1]``."""

    kappa: NDArray[np.float64]
    weights: str
    classes: tuple[Any, ...]
    n: int
    n_dropped: int
    title: ClassVar[str] = "Test of Cohen's kappa of two models with the same truth"
    _follows_sample: ClassVar[bool] = True
    _quantity: ClassVar[str] = "Cohen's kappa"
    bounds: ClassVar[tuple[float, float]] = (-2.0, 2.0)
    digits: ClassVar[str] = ".3f"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        return self._values_sentence("The values of Cohen's kappa are", self.kappa)


class LabelCodes(NamedTuple):
    """Labels as indices into `classes`: the truth (n,) and both models' predictions (2, n)."""

    truth: Integers
    predicted: Integers
    classes: tuple[Any, ...]


@documented
def cohen_kappa_test(
    y_true: AnyLabels,
    y_pred_a: LabelTable,
    y_pred_b: ArrayLike | None = None,
    *,
    weights: Literal["linear", "quadratic"] | None = None,
    classes: Sequence[Any] | None = None,
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> CohenKappaTestResult:
    """Test the difference between two classifiers' Cohen's kappas with the truth.

    Both kappas are computed from the same cases; the test accounts for their correlation.

    Parameters
    ----------
    weights : {None, 'linear', 'quadratic'}, optional
        Weight of a disagreement, by the distance between the two labels' positions or its square.
    classes : sequence, optional
        All labels in order; required for `weights` if labels are strings.

    Returns
    -------
    CohenKappaTestResult
        With ``statistic`` (Student's t), ``df`` (n - 1), ``pvalue``, ``log_pvalue``, ``estimate``
        (the first kappa minus the second), ``standard_error``, ``kappa`` (2,), ``classes``,
        ``weights``, ``n``, ``n_dropped``, ``names``, ``status``, and the methods
        ``confidence_interval(confidence_level)``, ``summary()`` and ``to_dict()``.

    Warns
    -----
    SmallSampleWarning
        If fewer than 5 cases have a true label other than the most frequent: the test then rejects
        up to 7% of true null hypotheses at the 5% level, otherwise about 6%
        (`docs/evidence/labels.md`).
    UndefinedResultWarning
        If the truth and a model have the same constant label, there is one case, or, without a
        margin, the variance is 0 but the difference is not.

    See Also
    --------
    permutation_metric_test : An exact p-value for few cases, with ``metric="cohen-kappa"``.
    bootstrap_metric_test : The bootstrap, of cases or clusters.
    cohen_kappa : The agreement of two models with each other.

    Notes
    -----
    With p_o the proportion of labels that agree with the truth, and p_e the proportion expected by
    chance::

        kappa = (p_o - p_e) / (1 - p_e)
        t = (kappa_a - kappa_b) / SE,    SE^2 = sum (f_a - f_b)^2 / (n (n - 1)),    df = n - 1

    The standard error is that of the mean of f_a - f_b over cases, where f is the influence of a
    case on kappa (the delta method; Fleiss, Cohen and Everitt's for one kappa). Models that label
    all cases identically have statistic 0, p-value 1 and status 'identical'.

    References
    ----------
    .. [1] J. Cohen (1960), doi:10.1177/001316446002000104.
    .. [2] J. L. Fleiss, J. Cohen, B. S. Everitt (1969), doi:10.1037/h0028106.
    .. [3] H. X. Barnhart, J. M. Williamson (2002), doi:10.1111/j.0006-341X.2002.01012.x.

    Examples
    --------
    >>> import numpy as np
    >>> import fastcompare as fc
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(3, size=200)
    >>> a = np.where(rng.random(200) < 0.9, y, rng.integers(3, size=200))
    >>> b = np.where(rng.random(200) < 0.7, y, rng.integers(3, size=200))
    >>> print(fc.cohen_kappa_test(y, a, b).summary())
    The first model has a significantly higher Cohen's kappa than the second model. The values
    of Cohen's kappa are 0.8789 and 0.6836, a difference of 0.1953 (95% CI 0.0918 to 0.2987;
    paired test, t(199) = 3.722, p = 0.000257). There were 200 cases.
    """
    check_undefined(on_undefined)
    claim = as_claim(alternative, margin, 2.0)
    scheme = check_kappa("labels", weights, classes)
    cases = as_pair_predictions(y_true, y_pred_a, y_pred_b, nan_policy)
    labels = ordered_labels(codes(cases), classes, scheme)

    distances = label_distances(len(labels.classes), scheme)
    kappa, error = kappas_and_error(labels, distances)
    df = max(labels.truth.size - 1.0, 1.0)
    estimate = float(kappa[0] - kappa[1])
    bound = kappas_variance_bound(labels)
    test = infer(estimate, error, *claim, df=df, unvaried=bound)
    status = kappa_difference_status(labels, kappa, claim.margin, error)
    warn_status(status, on_undefined, PERMUTATION_HINT if status == "small_sample" else "")

    first, second = cases.names
    return CohenKappaTestResult(
        **test,
        df=df,
        names=(first, second),
        method="paired test",
        status=status,
        kappa=kappa,
        weights=scheme,
        classes=labels.classes,
        n=labels.truth.size,
        n_dropped=cases.n_dropped,
    )


def ordered_labels(coded: Any, classes: object, scheme: str) -> LabelCodes:
    """Return the labels as indices into all classes in order."""
    order, place = as_label_order(coded.classes, classes, scheme)
    reserve((len(order), len(order), COPIES), hint=MANY_LABELS)
    return LabelCodes(place[coded.truth], place[coded.predicted], order)


def kappas_and_error(labels: LabelCodes, distances: measures.Floats) -> tuple[Vector, float]:
    """Return the kappas (2,) and the standard error of their difference."""
    k = len(labels.classes)
    n = labels.truth.size
    cells = labels.truth * k + labels.predicted  # (2, n): of each model's table, for each case
    counts = [np.bincount(of_cases, minlength=k * k).reshape(k, k) for of_cases in cells]
    tables = [table.astype(np.float64) for table in counts]
    kappa = np.array([float(measures.kappa_estimate(table, distances)) for table in tables])
    if n == 1:
        return kappa, math.nan
    first, second = (
        measures.kappa_influence(table, distances).ravel()[of_cases]
        for table, of_cases in zip(tables, cells, strict=True)
    )
    influence = first - second
    return kappa, math.sqrt(float(influence @ influence) / (n * (n - 1.0)))


def kappas_variance_bound(labels: LabelCodes) -> ZeroVarianceBound:
    """Return the bound on a difference of two kappas whose influences do not vary.

    It depends on the rarest label of the truth, or of the first model.
    """
    first, second = labels.predicted
    sizes = [np.bincount(labels.truth), np.bincount(first)]
    return rarest_bound(sizes, 2.0, identical=np.array_equal(first, second))


def kappa_difference_status(labels: LabelCodes, kappa: Vector, margin: float, error: float) -> str:
    """Return the status word of a comparison of two kappas."""
    n = labels.truth.size
    if n == 1:
        return "one_case"
    if np.isnan(kappa).any():
        return "constant_answers"
    if not error > 0.0:
        identical = np.array_equal(*labels.predicted)
        word = "identical" if identical else "no_difference"
        return unvaried_status(float(kappa[0] - kappa[1]), margin, word)
    n_other_labels = n - int(np.bincount(labels.truth).max())
    return "small_sample" if n_other_labels < FEWEST_OTHER_LABELS else "ok"
