"""Two accuracies as if measured on independent cases: on two test sets, or unwisely on one.

x_1 of n_1 cases are right in the first sample, x_2 of n_2 in the second; D is a difference of their
accuracies p_1 - p_2, and N = n_1 + n_2. Independent cases have the score statistic, its interval
and an exact test. Clusters give each accuracy a CR2 variance V with df degrees of freedom, and
their difference Satterthwaite's (V_1 + V_2)^2 / (V_1^2 / df_1 + V_2^2 / df_2).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Literal, NamedTuple, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.documented import with_engine_options
from .._base.parallel import interruptible
from .._base.text import decimals_for
from .._base.types import Alternative, Fields, NanPolicy, Undefined, Vector
from .._inference.clusters import cluster_status
from .._inference.infer import (
    Inference,
    ZeroVarianceBound,
    clustered_proportion_ends,
    infer,
    infer_difference,
    proportion_ends,
    sum_over_largest,
)
from .._inference.pvalues import (
    PValue,
    normal_quantile,
    open_one_side,
    score_pvalue,
    upper_tail,
    welch_df,
)
from .._inference.status import warn_status
from .._inputs.counts import as_two_shares, came_as_counts, is_table_alone
from .._inputs.options import check_alternative, check_choice, check_margin, check_undefined
from .._inputs.plans.proportions import (
    check_both_groups,
    check_tables,
    check_uncounted,
    check_unpaired,
)
from .._inputs.predictions import LabelTable, as_pair_predictions, as_predictions
from .._inputs.scores import names_of_pair
from .._results.records import ConfidenceInterval
from .._results.two_models import StudentResult
from ._accuracy import CorrectCounts, count_correct
from ._mcnemar import bisect_boundary
from ._table import paired_sample

PROPORTIONS_TITLE = "test of two proportions"
BOSCHLOO_TITLE = "Boschloo's exact test of two proportions"
# expected right and wrong answers of a sample, docs/evidence/labels.md
FEWEST_EXPECTED = 5  # with fewer one-sided levels reach 14.3%
FEWEST_EXPECTED_TWO_SIDED = 1  # with fewer two-sided levels reach 11.1%
SLOW_CASE_PAIRS = 10_000  # n_1 n_2 for which Boschloo's test takes 50 ms
FEWEST_CASES = 10  # of a sample; two-sided levels of smaller ones reach 7.7% with any share
MOST_STEPS = 200  # Newton's method ends after about five; other steps halve the bracket


def share_difference(counts_1: CorrectCounts, counts_2: CorrectCounts) -> float:
    """Return the first share less the second, with one rounding: exactly 0 for equal shares."""
    return (counts_1.x * counts_2.n - counts_2.x * counts_1.n) / (counts_1.n * counts_2.n)


def shares_error(counts_1: CorrectCounts, counts_2: CorrectCounts, variance: str) -> float:
    """Return the standard error of the difference of two shares, 'pooled' or 'unpooled'."""
    if variance == "pooled":
        pooled = (counts_1.x + counts_2.x) / (counts_1.n + counts_2.n)
        return math.sqrt(pooled * (1.0 - pooled) * (1.0 / counts_1.n + 1.0 / counts_2.n))
    p, q = counts_1.x / counts_1.n, counts_2.x / counts_2.n
    return math.sqrt(p * (1.0 - p) / counts_1.n + q * (1.0 - q) / counts_2.n)


def score_z(counts_1: CorrectCounts, counts_2: CorrectCounts, difference: float) -> float:
    """Return the score statistic of a difference D, Mee (1984); at 0 it is the pooled z."""
    numerator = share_difference(counts_1, counts_2) - difference
    if numerator == 0.0:
        return 0.0
    variance = constrained_variance(counts_1, counts_2, difference)
    return numerator / math.sqrt(variance) if variance > 0.0 else math.copysign(math.inf, numerator)


def constrained_variance(
    counts_1: CorrectCounts, counts_2: CorrectCounts, difference: float
) -> float:
    """Return p_1 (1 - p_1) / n_1 + p_2 (1 - p_2) / n_2 of the likeliest p with p_1 - p_2 = D.

    p_2 is a root of the cubic of Miettinen and Nurminen (1985), appendix 1, here over N. Their
    cosine loses all digits of shares near 0 or 1; Newton's steps within a bracket do not.
    """
    total = counts_1.n + counts_2.n
    x1, x2, d = counts_1.x, counts_2.x, difference
    if 2 * (x1 + x2) > total:  # so that the shares are small and keep their digits
        x1, x2, d = counts_1.n - x1, counts_2.n - x2, -d
    a, b = counts_1.n / total, counts_2.n / total
    share_2 = x2 / total
    pooled_share = (x1 + x2) / total
    cubic = (
        1.0,
        (a + 2.0 * b) * d - 1.0 - pooled_share,
        (b * d - 1.0 - 2.0 * share_2) * d + pooled_share,
    )
    q = root_of_cubic((*cubic, share_2 * d * (1.0 - d)), max(0.0, -d), min(1.0, 1.0 - d))
    p = q + d
    return max(p * (1.0 - p) / counts_1.n + q * (1.0 - q) / counts_2.n, 0.0)


def root_of_cubic(cubic: tuple[float, float, float, float], low: float, high: float) -> float:
    """Return the root of a cubic that is positive at `low` and negative at `high`, by Newton steps.

    `cubic` are its coefficients, the highest power first.
    """
    a, b, c, d = cubic
    x = 0.5 * (low + high)
    for _ in range(MOST_STEPS):
        value = ((a * x + b) * x + c) * x + d
        low, high = (x, high) if value > 0.0 else (low, x)
        slope = (3.0 * a * x + 2.0 * b) * x + c
        next_x = x - value / slope if slope else low
        next_x = next_x if low < next_x < high else 0.5 * (low + high)
        if next_x in (x, low, high):
            return next_x
        x = next_x
    return x


def score_ends(
    counts_1: CorrectCounts, counts_2: CorrectCounts, tail: float
) -> tuple[float, float]:
    """Return the differences that the score test does not reject; `tail` is left at each end."""
    z = normal_quantile(tail)
    largest = np.ones(())  # of differences; the score decreases in them
    low = bisect_boundary(
        lambda d: np.asarray(score_z(counts_1, counts_2, float(d)) <= z), start=largest
    )
    high = bisect_boundary(
        lambda d: np.asarray(score_z(counts_1, counts_2, float(d)) >= -z), start=-largest
    )
    return float(low), float(high)


def scipy_boschloo(table: list[list[int]], alternative: str) -> float:
    """Return SciPy's p-value of Boschloo's test; it takes a second for large tables."""
    from scipy.stats import boschloo_exact

    with np.errstate(all="ignore"):  # tiny chances underflow, also where hosts let that raise
        return float(boschloo_exact(table, alternative=alternative).pvalue)


def boschloo_pvalue(counts_1: CorrectCounts, counts_2: CorrectCounts, alternative: str) -> PValue:
    """Return Boschloo's (1970) p-value: of Fisher's p, maximised over the common accuracy."""
    check_tables(counts_1.n, counts_2.n)
    table = [[counts_1.x, counts_2.x], [counts_1.n - counts_1.x, counts_2.n - counts_2.x]]
    is_slow = counts_1.n * counts_2.n > SLOW_CASE_PAIRS
    p = min(interruptible(is_slow, scipy_boschloo, table, alternative), 1.0)
    return PValue(p, math.log(p) if p > 0.0 else -math.inf)


def shares_status(
    counts_1: CorrectCounts,
    counts_2: CorrectCounts,
    test: Inference,
    *,
    exact: bool,
    fewest_expected: int = FEWEST_EXPECTED_TWO_SIDED,
) -> str:
    """Return the status word of a test of two shares; `exact` tests need no minimum of answers.

    Two-sided asymptotic tests need `fewest_expected` right and wrong answers in each sample, others
    `FEWEST_EXPECTED`.
    """
    right, n = counts_1.x + counts_2.x, counts_1.n + counts_2.n
    if test["standard_error"] == 0.0 and not test["margin"]:
        return "zero_variance" if test["estimate"] else "all_alike"
    if math.isinf(test["statistic"]):
        return "unvaried" if test["_unvaried"] else "zero_variance"
    if exact:
        return "ok"
    fewest = min(counts_1.n, counts_2.n)
    expected = fewest * min(right, n - right) / n  # Cochran's (1954) rule, of the rarer answer
    two_sided = test["alternative"] == "two-sided"
    enough = fewest_expected if two_sided and fewest >= FEWEST_CASES else FEWEST_EXPECTED
    return "ok" if expected >= enough else "small_sample"


VARIANCES = ("pooled", "unpooled")
HINTS = ("; method='boschloo' is exact", "; mcnemar_test is for models on the same cases")


class ComparisonOptions(TypedDict, total=False):
    """Options of the tests of two proportions."""

    variance: str
    alternative: Alternative
    margin: float
    nan_policy: NanPolicy
    on_undefined: Undefined


class CheckedOptions(NamedTuple):
    """The options of the tests of two proportions, checked."""

    variance: str
    alternative: Alternative
    margin: float
    nan_policy: NanPolicy
    on_undefined: Undefined


def check_options(
    *,
    variance: str = "pooled",
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> CheckedOptions:
    """Return the checked options; the tests of two proportions forward them.

    Parameters
    ----------
    variance : {'pooled', 'unpooled'}, default='pooled'
        'pooled' is the variance under the null hypothesis (score test): with the pooled accuracy of
        both samples, or, for margins and the interval, with the maximum likelihood accuracies under
        the tested difference. 'unpooled' is the sum of the two samples' variances (Wald), whose
        interval undercovers in small samples.
    margin : float, default=0
        Non-inferiority margin. If above 0, 'greater' means that the first accuracy is above the
        second minus `margin`, and 'less' the reverse.

    Warns
    -----
    SmallSampleWarning
        If a sample has fewer than 5 expected correct or wrong answers (1 for two-sided tests of 10
        or more cases): the test then rejects up to 14% of true null hypotheses at the 5% level
        (`docs/evidence/labels.md`).
    UndefinedResultWarning
        If the estimated variance is 0, but the difference is not; only with
        ``variance="unpooled"``.
    """
    check_undefined(on_undefined)
    size = check_margin(margin)
    check_alternative(alternative, size)
    check_choice("variance", variance, VARIANCES)
    return CheckedOptions(variance, alternative, size, nan_policy, on_undefined)


@dataclass(frozen=True, eq=False, kw_only=True)
class TwoProportionsResult(StudentResult):
    """Result of the tests of two proportions; `estimate` is ``accuracy[0] - accuracy[1]``."""

    accuracy: NDArray[np.float64]
    n_correct: tuple[int, int]
    n: tuple[int, int]
    n_dropped: tuple[int, int]
    variance: str
    df: float = math.inf
    design: str = "independent"
    # the standard errors of both accuracies, with their degrees of freedom
    _model_errors: tuple[tuple[float, float], ...] = field(repr=False, default=())
    title: ClassVar[str] = "Test of two proportions"
    _follows_sample: ClassVar[bool] = True
    _quantity: ClassVar[str] = "accuracy"
    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    digits: ClassVar[str] = ".3f"

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the confidence interval for the difference in accuracy.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1. With ``alternative="equivalence"`` the two-sided interval at ``2 *
            confidence_level - 1`` is returned.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, cut to [-1, 1]: with ``variance="pooled"`` the differences that the
            score test does not reject, defined even if all answers are correct.
        """
        limits = super().confidence_interval(confidence_level)
        if self.standard_error > 0.0 or self.variance == "unpooled":
            return limits
        return ConfidenceInterval.within(*self._ends(confidence_level), self.bounds)

    def _ends(self, level: float) -> tuple[float, float]:
        """Return the ends of the interval: Wald's if 'unpooled', else those of the score test."""
        if self.variance == "unpooled":
            return super()._ends(level)
        counts_1, counts_2 = (
            CorrectCounts(x, n) for x, n in zip(self.n_correct, self.n, strict=True)
        )
        low, high = score_ends(counts_1, counts_2, upper_tail(level, self.alternative))
        return open_one_side(self.alternative, low, high, self.bounds)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        accuracy_1, accuracy_2 = self.accuracy
        test = self.method + self._hypothesis_text()
        test += " of clustered cases" if self.design == "clusters" else ""
        by_score = " by the score test" if self.method == BOSCHLOO_TITLE else ""
        form = f".{decimals_for(self.estimate)}f"
        shares = self._beside_names(f"{accuracy_1:{form}}", f"{accuracy_2:{form}}")
        return (
            f"The accuracies are {shares}, a difference of {self.estimate:{form}} "
            f"({self._interval_text(form)}{by_score}; {test}, {self._evidence()})."
        )

    def _model_limits(self, level: float) -> tuple[Vector, Vector] | None:
        """Return Wilson's intervals of two accuracies of different cases."""
        if not all(self.n):
            return None
        if self.design == "independent":
            return proportion_ends(self.accuracy, np.array(self.n), level)
        errors, dfs = np.transpose(self._model_errors)
        return clustered_proportion_ends(self.accuracy, np.array(self.n), errors, dfs, level)


@with_engine_options(check_options)
def two_proportions_test(
    y_true: Any,
    y_pred_a: LabelTable | None = None,
    y_pred_b: ArrayLike | None = None,
    *,
    groups: ArrayLike | None = None,
    **options: Unpack[ComparisonOptions],
) -> TwoProportionsResult:
    """Test of two proportions for two accuracies on the same cases, ignoring the pairing.

    .. warning:: It ignores the pairing: it assumes independent samples. If the models tend to be
       correct on the same cases, as usual, it has less power than McNemar's test; otherwise it
       rejects too often. It serves to check published numbers (Dietterich 1998 calls it the test
       for the difference of two proportions). Use `mcnemar_test`; for two test sets use
       `two_proportions_unpaired_test`.

    Parameters
    ----------
    y_true : array-like of shape (n,), or a table of counts
        As in `mcnemar_test`.
    groups : array-like of shape (n,), optional
        The cluster of each case. Clusters are independent; cases within a cluster may be
        correlated. Then each accuracy has its own CR2 variance ('unpooled'), and the statistic
        follows Student's t with Satterthwaite's degrees of freedom. Not together with a table.

    Returns
    -------
    TwoProportionsResult
        With ``statistic`` (z, or t for clusters), ``pvalue``, ``log_pvalue``, ``estimate`` (the
        first accuracy minus the second), ``standard_error``, ``accuracy`` (2,), ``n_correct``,
        ``n``, ``design`` ('independent' or 'clusters'), ``df`` (infinite without clusters),
        ``status``, and the methods ``confidence_interval(confidence_level)``, ``summary()`` and
        ``to_dict()``.

    Notes
    -----
    With the accuracies p_a and p_b of the same n cases, and p their mean::

        z = (p_a - p_b) / sqrt(2 p (1 - p) / n)

    ``variance="unpooled"`` uses p_a (1 - p_a) / n + p_b (1 - p_b) / n. A margin is tested by Mee's
    score statistic, as in `two_proportions_unpaired_test`.

    References
    ----------
    .. [1] T. G. Dietterich (1998), doi:10.1162/089976698300017197.
    .. [2] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.

    Examples
    --------
    >>> import fastcompare as fc
    >>> table = [[150, 25], [15, 10]]
    >>> fc.two_proportions_test(table).pvalue > fc.mcnemar_test(table).pvalue
    True
    """
    checked = check_options(**options)
    if not is_table_alone(y_pred_a, y_pred_b, groups) and groups is not None:
        cases = as_pair_predictions(y_true, y_pred_a, y_pred_b, checked.nan_policy, groups)
        counts_a, counts_b = (count_correct(cases, model) for model in (0, 1))
        name_a, name_b = cases.names
        return compare_clusters(counts_a, counts_b, checked, (name_a, name_b))
    sample = paired_sample(y_true, y_pred_a, y_pred_b, nan_policy=checked.nan_policy)

    table, dropped = sample.table, sample.n_dropped
    counts_a = CorrectCounts(table.n11 + table.b, table.n, dropped)
    counts_b = CorrectCounts(table.n11 + table.c, table.n, dropped)
    return compare_shares(counts_a, counts_b, checked, sample.names, paired=True)


@with_engine_options(check_options)
def two_proportions_unpaired_test(
    y_true_1: ArrayLike | None = None,
    y_pred_1: ArrayLike | None = None,
    y_true_2: ArrayLike | None = None,
    y_pred_2: ArrayLike | None = None,
    *,
    correct: tuple[int, int] | None = None,
    n: tuple[int, int] | None = None,
    method: Literal["asymptotic", "boschloo"] = "asymptotic",
    groups_1: ArrayLike | None = None,
    groups_2: ArrayLike | None = None,
    **options: Unpack[ComparisonOptions],
) -> TwoProportionsResult:
    """Test whether accuracies measured on two independent sets of cases differ.

    Use it for two test sets that share no case. For two models on the same cases use
    `mcnemar_test`.

    Parameters
    ----------
    y_true_1, y_pred_1 : array-like of shape (n_1,), optional
        True and predicted labels of the first set, of any type.
    y_true_2, y_pred_2 : array-like of shape (n_2,), optional
        True and predicted labels of the second set.
    correct, n : tuple of two int, optional
        Numbers of correct cases and of all cases in each set, instead of the labels.
    method : {'asymptotic', 'boschloo'}, default='asymptotic'
        'boschloo' is an exact unconditional test for small samples: its type I error rate never
        exceeds the level. The interval is still that of the score test. It allows neither a margin
        nor n_1 n_2 above 250,000.
    groups_1, groups_2 : array-like of shape (n_1,) and (n_2,), optional
        Cluster of each case, for both sets or neither; clusters of different sets are different,
        even if their labels are equal. Then each accuracy has its own CR2 variance ('unpooled'),
        and the statistic follows Student's t with Satterthwaite's degrees of freedom.

    Returns
    -------
    TwoProportionsResult
        As in `two_proportions_test`.

    Notes
    -----
    With x correct answers of n cases in each set, p = x / n, and P = (x_1 + x_2) / (n_1 + n_2)::

        z = (p_1 - p_2) / sqrt(P (1 - P) (1 / n_1 + 1 / n_2))

    A margin, and the interval, use Mee's score statistic (p_1 - p_2 - D) / sqrt(q_1 (1 - q_1) / n_1
    + q_2 (1 - q_2) / n_2), where q are the maximum likelihood estimates under a difference of D; at
    D = 0 it is z. Clusters have CR2 standard errors and Welch's t.

    References
    ----------
    .. [1] A. Agresti (2013), Categorical Data Analysis, 3rd ed., section 3.2.
    .. [2] R. W. Mee (1984), doi:10.2307/2531173.
    .. [3] O. Miettinen, M. Nurminen (1985), doi:10.1002/sim.4780040211.
    .. [4] R. D. Boschloo (1970), doi:10.1111/j.1467-9574.1970.tb00104.x.
    .. [5] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.

    Examples
    --------
    >>> import fastcompare as fc
    >>> one = [1, 1, 1, 0], [1, 1, 1, 1]
    >>> two = ["b", "a", "a", "b"], ["a", "a", "b", "b"]
    >>> result = fc.two_proportions_unpaired_test(*one, *two)
    >>> result.accuracy.tolist(), round(result.pvalue, 4)
    ([0.75, 0.5], 0.4652)
    >>> fc.two_proportions_unpaired_test(correct=(3, 2), n=(4, 4)).pvalue == result.pvalue
    True
    """
    checked = check_options(**options)
    check_unpaired(method, checked.variance, checked.margin)
    labels = {
        "y_true_1": y_true_1,
        "y_pred_1": y_pred_1,
        "y_true_2": y_true_2,
        "y_pred_2": y_pred_2,
    }
    names = names_of_pair(y_pred_1, y_pred_2)
    grouped = check_both_groups(groups_1, groups_2, method)
    if came_as_counts(labels, {"correct": correct, "n": n}):
        check_uncounted(grouped)
        counts_1, counts_2 = (CorrectCounts(*pair) for pair in as_two_shares(correct, n))
        return compare_shares(counts_1, counts_2, checked, names, exact=method == "boschloo")
    read = partial(as_predictions, nan_policy=checked.nan_policy)
    counts_1 = count_correct(read(y_true_1, groups=groups_1, y_pred_1=y_pred_1))
    counts_2 = count_correct(read(y_true_2, groups=groups_2, y_pred_2=y_pred_2))
    if grouped:
        return compare_clusters(counts_1, counts_2, checked, names)
    return compare_shares(counts_1, counts_2, checked, names, exact=method == "boschloo")


def compare_clusters(
    counts_1: CorrectCounts,
    counts_2: CorrectCounts,
    checked: CheckedOptions,
    names: tuple[str, str],
) -> TwoProportionsResult:
    """Return the t-test of two accuracies with cluster-robust variances, as independent samples."""
    error_1, df_1 = counts_1.error_and_df()
    error_2, df_2 = counts_2.error_and_df()
    error = math.hypot(error_1, error_2)
    # Satterthwaite's df, for which welch_df takes df + 1; variances of 0 give no weights
    squares = [error_1 * error_1, error_2 * error_2]
    df = welch_df(squares, [df_1 + 1.0, df_2 + 1.0]) if error else min(df_1, df_2)
    bound = ZeroVarianceBound(fewest_clusters(counts_1, counts_2), name="clusters")
    test = infer(
        share_difference(counts_1, counts_2),
        error,
        checked.alternative,
        checked.margin,
        df=df,
        unvaried=None if error else bound,
    )
    # without variance the p-value is the exact bound: no rule about expected counts
    is_exact = error == 0.0
    enough_status = shares_status(
        counts_1, counts_2, test, exact=is_exact, fewest_expected=FEWEST_EXPECTED
    )
    status = cluster_status(df, enough_status)
    warn_status(status, checked.on_undefined)
    return TwoProportionsResult(
        **test,
        **shares_fields(counts_1, counts_2, names),
        method=PROPORTIONS_TITLE,
        status=status,
        variance="unpooled",
        df=df,
        design="clusters",
        _model_errors=((error_1, df_1), (error_2, df_2)),
    )


def fewest_clusters(*samples: CorrectCounts) -> float:
    """Return the effective number of clusters of the sample that has fewer, by their sizes."""
    return min(sum_over_largest(s.clusters.sizes) for s in samples if s.clusters is not None)


def shares_fields(
    counts_1: CorrectCounts, counts_2: CorrectCounts, names: tuple[str, str]
) -> Fields:
    """Return the fields of a result that count the cases."""
    return Fields(
        names=names,
        accuracy=np.array((counts_1.x / counts_1.n, counts_2.x / counts_2.n)),
        n_correct=(counts_1.x, counts_2.x),
        n=(counts_1.n, counts_2.n),
        n_dropped=(counts_1.n_dropped, counts_2.n_dropped),
    )


def compare_shares(
    counts_1: CorrectCounts,
    counts_2: CorrectCounts,
    checked: CheckedOptions,
    names: tuple[str, str],
    *,
    paired: bool = False,
    exact: bool = False,
) -> TwoProportionsResult:
    """Return the test of two shares, as of independent samples."""
    test = shares_test(counts_1, counts_2, checked, exact=exact)
    status = shares_status(counts_1, counts_2, test, exact=exact)
    has_remedy = status == "small_sample" and (paired or not checked.margin)
    warn_status(status, checked.on_undefined, HINTS[paired] if has_remedy else "")
    return TwoProportionsResult(
        **test,
        **shares_fields(counts_1, counts_2, names),
        method=BOSCHLOO_TITLE if exact else PROPORTIONS_TITLE,
        status=status,
        variance=checked.variance,
    )


def shares_test(
    counts_1: CorrectCounts, counts_2: CorrectCounts, checked: CheckedOptions, *, exact: bool
) -> Inference:
    """Return the statistic and p-value of the difference of two shares."""
    variance, alternative, margin = checked.variance, checked.alternative, checked.margin
    estimate = share_difference(counts_1, counts_2)
    error = shares_error(counts_1, counts_2, variance)
    # the score statistic has a variance also where both shares are 0 or 1
    unvaried = ZeroVarianceBound(min(counts_1.n, counts_2.n)) if variance == "unpooled" else None
    asymptotic = infer(estimate, error, alternative, margin, unvaried=unvaried)
    if exact:
        p = boschloo_pvalue(counts_1, counts_2, alternative)
        return infer_difference(estimate, error, asymptotic["statistic"], p, alternative)
    if variance == "unpooled" or not margin:
        return asymptotic
    z, p = score_pvalue(lambda d: score_z(counts_1, counts_2, d), alternative, margin)
    return infer_difference(estimate, error, z, p, alternative, margin)
