"""Power and sample size of studies of AUCs, from expected AUCs or from pilot cases.

A variance formula returns the variance of the estimate under the null hypothesis and as expected,
for m positives and n negatives. Two suppose binormal scores, normal within each class after some
monotone transform, with equal variances; h is the normal quantile of an AUC:

obuchowski   the published formulas, made for ratings; pROC's. Too large for continuous scores: with
             AUCs of 0.85 and 0.80 and a correlation of 0.6, 1.8 times the simulated variance
binormal     the exact variance of the empirical AUC, which DeLong's method estimates

A pilot supposes no distribution: S10 / m + S01 / n with its variances of DeLong's components.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, NamedTuple

from numpy.typing import ArrayLike

from .._base.documented import documented
from .._base.types import Direction, NanPolicy
from .._inference.mean_power import noncentral_t_tail
from .._inference.pvalues import normal_quantile, student_quantile, welch_df
from .._inference.roots import find_root
from .._inputs.options import (
    ALTERNATIVES,
    as_choice,
    check_alpha,
    check_amount,
    check_choice,
    check_reference,
    check_within,
)
from .._inputs.plans.sizes import (
    Expected,
    as_expected,
    check_claimable,
    check_countable,
    check_goal,
    check_pilot,
    check_rating_variance,
    check_student,
)
from .._inputs.scores import ScoreTable, as_cases
from .._results.records import Record
from ._components import as_components, class_variances, pair_sums

SIGNS = {"greater": (1.0,), "less": (-1.0,), "two-sided": (1.0, -1.0)}
FEWEST_CASES = 2.0  # of a class, so that it has a variance


class PlannedVariances(NamedTuple):
    """The variance of an AUC or difference: under the null hypothesis, and as expected.

    `shares` are the terms of positives and negatives in that of a difference, which only Student's
    t needs.
    """

    null: float
    expected: float
    shares: tuple[float, float] = (math.nan, math.nan)


class PlannedTest(NamedTuple):
    """The checked options of the test that the study will use."""

    alpha: float
    alternative: str
    reference: str

    @property
    def student(self) -> bool:
        """Whether the test takes Student's t."""
        return self.reference == "t"

    @property
    def signs(self) -> tuple[float, ...]:
        """The signs of differences for which the test may reject: 1, -1 or both."""
        return SIGNS[self.alternative]


class Plan(NamedTuple):
    """The expected effect, its variances as a function of (m, n), and the planned test."""

    effect: float
    variances: Callable[[float, float], PlannedVariances]
    test: PlannedTest


def as_test(alpha: object, alternative: str, reference: str) -> PlannedTest:
    """Return the checked options of the test that the study will use."""
    check_choice("alternative", alternative, ALTERNATIVES)
    check_reference(reference)
    return PlannedTest(check_alpha(alpha), alternative, reference)


def planned_power(plan: Plan, m: float, n: float) -> float:
    """Return the power for m positives and n negatives, in both directions if two-sided."""
    student, signs = plan.test.student, plan.test.signs
    if student and min(m, n) < FEWEST_CASES:
        return 0.0  # the test is undefined
    variances = plan.variances(m, n)
    tail = plan.test.alpha / len(signs)
    power = t_test_power if student else normal_test_power
    return math.fsum(power(sign * plan.effect, variances, tail, (m, n)) for sign in signs)


def normal_test_power(
    effect: float, variances: PlannedVariances, tail: float, class_sizes: tuple[float, float]
) -> float:
    """Return P(z > critical value of upper probability `tail`), z being the normal statistic.

    `class_sizes` are only for the same arguments as of `t_test_power`.
    """
    from scipy.special import ndtr

    critical = normal_quantile(tail) * math.sqrt(variances.null)
    error = expected_error(variances)
    if error == 0.0:
        return float(effect > critical)
    return float(ndtr((effect - critical) / error))


def t_test_power(
    effect: float, variances: PlannedVariances, tail: float, class_sizes: tuple[float, float]
) -> float:
    """Return P(t > critical value of upper probability `tail`), by the noncentral t.

    The degrees of freedom are Satterthwaite's. Without variance any effect above 0 is significant.
    """
    error = expected_error(variances)
    df = welch_df(variances.shares, class_sizes)
    if error == 0.0 or math.isnan(df):
        return float(effect > 0.0)
    return noncentral_t_tail(student_quantile(tail, df), effect / error, df)


def expected_error(variances: PlannedVariances) -> float:
    """Return the expected standard error, 0 for a variance of 0 or (by rounding) below."""
    return math.sqrt(max(variances.expected, 0.0))


def positives_for_power(plan: Plan, power: float, ratio: float) -> float:
    """Return the number of positives for this power, not rounded, with `ratio` negatives for each.

    A class has at least one case, or two for the t test.
    """

    def excess(m: float) -> float:
        """Return the power with m positives, less the power that is wanted."""
        check_countable(m, ratio * m)
        return planned_power(plan, m, ratio * m) - power

    least = FEWEST_CASES if plan.test.student else 1.0
    low = max(least, least / ratio)
    while ratio * low < least:  # the quotient was rounded down: the test would be undefined
        low = math.nextafter(low, math.inf)
    if excess(low) >= 0.0:
        return low
    high = 2.0 * low
    while excess(high) < 0.0:
        high *= 2.0
    return find_root(excess, low, high, xtol=1e-12 * high, rtol=1e-14)


def binormal_separation(auc: float) -> float:
    """Return h, the normal quantile of an AUC: the distance of binormal classes over sqrt(2)."""
    from scipy.special import ndtri

    return float(ndtri(auc))


def obuchowski_variances(expected: Expected, m: float, n: float) -> PlannedVariances:
    """Return Obuchowski's variances; the null variance of two AUCs takes the first for both."""
    k = n / m
    if expected.correlation is None:  # of one AUC, with the rounded constants of Obuchowski (2004)
        v = rating_variance(1.414 * binormal_separation(expected.auc[0]), k, 0.0099)
        return PlannedVariances(null=0.0792 * (1.0 + 1.0 / k) / m, expected=v / m)
    a, b = (math.sqrt(2.0) * binormal_separation(auc) for auc in expected.auc)
    va, vb = (rating_variance(x, k, 1.0 / (32.0 * math.pi)) for x in (a, b))
    c = rating_covariance(a, b, expected.correlation, k)
    check_rating_variance(va, c)
    return PlannedVariances(null=2.0 * (va - c) / m, expected=(va + vb - 2.0 * c) / m)


def rating_variance(a: float, k: float, scale: float) -> float:
    """Return m times the variance of one AUC, Obuchowski (2004), for k negatives per positive.

    `a` is sqrt(2) times the normal quantile of the AUC, `scale` 1 / (32 pi) or rounded.
    """
    return scale * math.exp(-0.5 * a * a) * (5.0 * a * a + 8.0 + (a * a + 8.0) / k)


def rating_covariance(a: float, b: float, correlation: tuple[float, float], k: float) -> float:
    """Return m times the covariance of two AUCs, Obuchowski and McClish (1997), equal variances.

    `a` and `b` are as of `rating_variance`, `correlation` is that of positives and of negatives.
    """
    rd, rn = correlation
    shared = rd + rn / k + a * b * (rd * rd + rn * rn / k) / 8.0
    return math.exp(-0.25 * (a * a + b * b)) / (4.0 * math.pi) * shared


def binormal_variances(expected: Expected, m: float, n: float) -> PlannedVariances:
    """Return exact variances of binormal scores; the null variance of two AUCs is the expected one.

    They are those of a U-statistic (Lehmann 1951), from covariances of two pairs (positive,
    negative) that share both cases, the positive, or the negative. m n may exceed the floats, so
    terms are divided by m and n in turn.
    """
    both, positive, negative = comparison_covariances(expected)
    variance = (both / n + positive * (1.0 - 1.0 / n)) / m + negative * (1.0 - 1.0 / m) / n
    if expected.correlation is None:  # of one AUC
        mann_whitney = (1.0 / m + 1.0 / n + 1.0 / m / n) / 12.0  # Mann, Whitney (1947)
        return PlannedVariances(null=mann_whitney, expected=variance)
    # expectations of DeLong's S10 / m and S01 / n, for the degrees of freedom
    of_positives = (positive + (both - positive - negative) / n) / m
    of_negatives = (negative + (both - positive - negative) / m) / n
    return PlannedVariances(variance, variance, (of_positives, of_negatives))


def comparison_covariances(expected: Expected) -> tuple[float, float, float]:
    """Return the covariances of two pairs that share both cases, the positive, or the negative.

    The variable is whether the positive of a pair scores higher (1 or 0) by the model, or for two
    models that by the first minus that by the second.
    """
    h = [binormal_separation(auc) for auc in expected.auc]
    rd, rn = expected.correlation or (0.0, 0.0)
    # correlations of the differences of two pairs, for the three kinds of pairs
    within_model = (1.0, 0.5, 0.5)
    between_models = (0.5 * (rd + rn), 0.5 * rd, 0.5 * rn)
    covariances = [math.fsum(binormal_covariance(a, a, r) for a in h) for r in within_model]
    if len(h) == 2:
        h_a, h_b = h
        cross_terms = [2.0 * binormal_covariance(h_a, h_b, r) for r in between_models]
        covariances = [
            within - cross for within, cross in zip(covariances, cross_terms, strict=True)
        ]
    both, positive, negative = covariances
    return both, positive, negative


def binormal_covariance(a: float, b: float, r: float) -> float:
    """Return P(X < a, Y < b) - P(X < a) P(Y < b) of standard normals with correlation r.

    Plackett (1954): the derivative by r is the normal density at (a, b), so the covariance is the
    integral of that from 0 to r; r = sin t keeps the integrand finite at r = 1.
    """
    from scipy.integrate import quad

    end = math.asin(r)

    def density(fraction: float) -> float:
        """Return Plackett's integrand at t = fraction * asin(r)."""
        cosine = math.cos(fraction * end)
        squares = (a - b) ** 2 / (2.0 * cosine * cosine) if a != b else 0.0
        return math.exp(-squares - a * b / (1.0 + math.sin(fraction * end)))

    # over the fraction, not t: near r = 0 the interval would be too short for `quad`
    area, _ = quad(density, 0.0, 1.0, epsabs=0.0, epsrel=1e-12)
    return float(area) * end / (2.0 * math.pi)


VARIANCES = {"binormal": binormal_variances, "obuchowski": obuchowski_variances}


Numbers = float | tuple[float, float]


@dataclass(frozen=True, eq=False, kw_only=True)
class AUCSampleSizeResult(Record):
    """Result of `auc_sample_size`; the numbers of cases are not rounded."""

    n_positive: float
    n_negative: float
    auc: Numbers
    effect: float
    power: float
    ratio: float
    alpha: float
    alternative: str
    correlation: tuple[float, float] | None
    method: str
    reference: str
    title: ClassVar[str] = "Sample size for AUCs"

    @property
    def whole_cases(self) -> tuple[int, int]:
        """The numbers of positives and negatives, rounded up."""
        return math.ceil(self.n_positive), math.ceil(self.n_negative)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        m, n = self.whole_cases
        return (
            f"{m} positive and {n} negative cases give a power of {self.power:g} for "
            f"{self._effect_in_words()} (alpha = {self.alpha:g}, {self.alternative}; "
            f"{self.method} variance)."
        )

    def _effect_in_words(self) -> str:
        """Return the effect that the test is to detect, in words."""
        if not isinstance(self.auc, tuple):
            return f"an AUC of {self.auc:g} against 0.5"
        first, second = self.auc
        if self.effect != first - second:
            return f"AUCs that differ by {self.effect:g}"
        return f"AUCs of {first:g} and {second:g}"


@documented
def auc_power(
    *,
    auc: Numbers,
    n_positive: float,
    n_negative: float,
    correlation: Numbers | None = None,
    method: str = "binormal",
    reference: str = "auto",
    alternative: Direction = "two-sided",
    alpha: float = 0.05,
) -> float:
    """Return the power of a test of one AUC against 0.5, or of two AUCs of the same cases.

    Parameters
    ----------
    auc : float or (float, float)
        The expected AUC, or those of two models on the same cases; each between 0 and 1.
    n_positive, n_negative : float
        Numbers of cases, at least 1. The t-test needs two of each class; below, its power is 0.
    correlation : float or (float, float), optional
        For two models only: the correlation of their scores within a class; two numbers are those
        of the positives and of the negatives. 0 means two independent samples of this size each.
    method : {'binormal', 'obuchowski'}, default='binormal'
        The variance formula. 'binormal' is exact for the empirical AUC if scores are normal with
        equal variances in both classes (or become so by a monotone transformation). 'obuchowski'
        uses the published formulas, as pROC does, which were derived for ratings. For continuous
        scores of two models they require 1.1 to 3.5 times as many cases, and too few for AUCs near
        1.
    reference : {'auto', 'normal', 't'}, default='auto'
        The `reference` of the `delong_test` that you will run; 'auto' is 'normal'. 't' requires two
        AUCs and the method 'binormal'.
    alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
        'greater': the AUC is above 0.5, or the first AUC is above the second.
    alpha : float, default=0.05
        The significance level.

    Returns
    -------
    float
        The power: the probability that the test rejects.

    See Also
    --------
    auc_sample_size : The number of cases for a given power.
    auc_power_from_pilot : The variance from scores of pilot cases.
    fastcompare.simulate.simulate_power : By simulation, for few cases and AUCs near 1.

    Notes
    -----
    With effect d (AUC - 0.5 or AUC_a - AUC_b), variance V0 under the null hypothesis and V as
    expected, the power is ``Phi((d - z * sqrt(V0)) / sqrt(V))``; two-sided tests include rejections
    in the wrong direction, so that the power at d = 0 is `alpha`. For one AUC, 'binormal' uses the
    V0 of the Mann-Whitney test. For two, 'obuchowski' uses the first AUC for both models in V0, as
    pROC does, and 'binormal' uses V, as DeLong's test does. With ``reference='t'`` the power is
    that of the noncentral t with Satterthwaite's degrees of freedom. Simulated powers are in
    docs/evidence/auc_power.md.

    References
    ----------
    .. [1] N. A. Obuchowski, D. K. McClish (1997),
       doi:10.1002/(SICI)1097-0258(19970715)16:13<1529::AID-SIM565>3.0.CO;2-H.
    .. [2] N. A. Obuchowski, M. L. Lieber, F. H. Wians (2004), doi:10.1373/clinchem.2004.031823.
    .. [3] R. L. Plackett (1954), doi:10.1093/biomet/41.3-4.351.

    Examples
    --------
    >>> import fastcompare as fc
    >>> design = dict(n_positive=100, n_negative=150, correlation=0.6)
    >>> round(fc.auc_power(auc=(0.85, 0.80), **design), 4)
    0.5074
    >>> round(fc.auc_power(auc=(0.85, 0.80), reference="t", **design), 4)
    0.5038
    >>> round(fc.auc_power(auc=0.73, n_positive=41, n_negative=72, method="obuchowski"), 4)
    0.9897
    """
    test = as_test(alpha, alternative, reference)
    plan = as_plan(as_expected(auc, correlation), method, test)
    m, n = check_amount("n_positive", n_positive, 1), check_amount("n_negative", n_negative, 1)
    return planned_power(plan, m, n)


@documented
def auc_sample_size(
    *,
    auc: Numbers,
    power: float,
    ratio: float = 1.0,
    correlation: Numbers | None = None,
    method: str = "binormal",
    reference: str = "auto",
    alternative: Direction = "two-sided",
    alpha: float = 0.05,
) -> AUCSampleSizeResult:
    """Return the number of cases that a test of one AUC, or of two AUCs of the same cases, needs.

    Parameters
    ----------
    auc : float or (float, float)
        The expected AUC, or those of two models on the same cases.
    power : float
        The power that you want, between `alpha` and 1.
    ratio : float, default=1
        Negatives per positive.
    correlation, method, reference, alternative, alpha
        As in `auc_power`.

    Returns
    -------
    AUCSampleSizeResult
        With ``n_positive`` and ``n_negative``, not rounded and at least 1 (2 for t),
        ``whole_cases`` (both rounded up), and the options.

    Raises
    ------
    FastCompareError
        As ValueError or TypeError, for invalid inputs; also if no number of cases gives this power
        because the AUC is 0.5, the two AUCs are equal, or the effect contradicts `alternative`.

    References
    ----------
    .. [1] N. A. Obuchowski, M. L. Lieber, F. H. Wians (2004), doi:10.1373/clinchem.2004.031823.
    .. [2] R. L. Plackett (1954), doi:10.1093/biomet/41.3-4.351.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.auc_sample_size(auc=(0.85, 0.80), power=0.9, ratio=1.5, correlation=0.6)
    >>> round(result.n_positive, 4), round(result.n_negative, 4), result.whole_cases
    (266.561, 399.8416, (267, 400))
    """
    test = as_test(alpha, alternative, reference)
    expected = as_expected(auc, correlation)
    plan = as_plan(expected, method, test)
    power, ratio = check_goal(power, ratio, test.alpha)
    check_claimable("auc", plan.effect, test.signs, alternative)

    return study_size(plan, power, ratio, expected.auc_values, expected.correlation, method)


def study_size(
    plan: Plan,
    power: float,
    ratio: float,
    auc: Numbers,
    correlation: tuple[float, float] | None,
    method: str,
) -> AUCSampleSizeResult:
    """Return the result with the numbers of cases for this power."""
    m = positives_for_power(plan, power, ratio)
    return AUCSampleSizeResult(
        n_positive=m,
        n_negative=ratio * m,
        auc=auc,
        effect=plan.effect,
        power=power,
        ratio=ratio,
        **plan.test._asdict(),
        correlation=correlation,
        method=method,
    )


def as_plan(expected: Expected, method: str, test: PlannedTest) -> Plan:
    """Return the plan of a test with expected AUCs, by a checked variance formula."""
    method = as_choice("method", method, VARIANCES)
    check_student(test.student, expected, method)
    return Plan(expected.effect, partial(VARIANCES[method], expected), test)


@documented
def auc_power_from_pilot(
    y_true: ArrayLike,
    y_score_a: ScoreTable,
    y_score_b: ArrayLike | None = None,
    *,
    n_positive: float,
    n_negative: float,
    difference: float | None = None,
    reference: str = "auto",
    alternative: Direction = "two-sided",
    alpha: float = 0.05,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
) -> float:
    """Return the power of `delong_test` in a new study, from two models' scores of pilot cases.

    Parameters
    ----------
    y_score_a, y_score_b : array-like of shape (n,)
        The two models' scores of the pilot cases; a table with two columns may replace both.
    n_positive, n_negative : float
        Numbers of cases of the study, at least 1.
    difference : float, optional
        The difference in AUC, first minus second, that the study should detect. By default that of
        the pilot, which a small pilot estimates poorly: better specify the smallest relevant
        difference.
    alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
        'greater': the first AUC is above the second.
    alpha : float, default=0.05
        The significance level.

    Returns
    -------
    float
        The power: the probability that the test rejects.

    Raises
    ------
    FastCompareError
        As ValueError or TypeError, for invalid inputs; also if the pilot has fewer than two cases
        of a class, or its difference has no variance.

    See Also
    --------
    auc_power : From expected AUCs and an expected correlation.
    auc_sample_size_from_pilot : The number of cases for a given power.

    Notes
    -----
    The variance is S10 / m + S01 / n, so the study may have another prevalence than the
    pilot. R's pROC (power.roc.test of two curves) keeps that of the pilot and uses the first AUC's
    variance for both models under the null hypothesis.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.
    .. [2] N. A. Obuchowski, D. K. McClish (1997),
       doi:10.1002/(SICI)1097-0258(19970715)16:13<1529::AID-SIM565>3.0.CO;2-H.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> forest, tree = data.scores["random_forest"], data.scores["decision_tree"]
    >>> study = dict(n_positive=100, n_negative=200)
    >>> round(fc.auc_power_from_pilot(data.y_true, forest, tree, **study), 4)
    0.9778
    >>> round(fc.auc_power_from_pilot(data.y_true, forest, tree, difference=0.03, **study), 4)
    0.5819
    """
    test = as_test(alpha, alternative, reference)
    m, n = check_amount("n_positive", n_positive, 1), check_amount("n_negative", n_negative, 1)
    pilot = as_pilot(y_true, y_score_a, y_score_b, pos_label, nan_policy)
    return planned_power(pilot.plan(difference, test), m, n)


@documented
def auc_sample_size_from_pilot(
    y_true: ArrayLike,
    y_score_a: ScoreTable,
    y_score_b: ArrayLike | None = None,
    *,
    power: float,
    ratio: float | None = None,
    difference: float | None = None,
    reference: str = "auto",
    alternative: Direction = "two-sided",
    alpha: float = 0.05,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
) -> AUCSampleSizeResult:
    """Return the number of cases that `delong_test` needs, from two models' scores of pilot cases.

    Parameters
    ----------
    y_score_a, y_score_b : array-like of shape (n,)
        The two models' scores of the pilot cases; a table with two columns may replace both.
    power : float
        The power that you want, between `alpha` and 1.
    ratio : float, optional
        Negatives per positive in the study; by default as in the pilot.
    difference, reference, alternative, alpha
        As in `auc_power_from_pilot`.

    Returns
    -------
    AUCSampleSizeResult
        As of `auc_sample_size`, with the pilot's ``auc`` and the method 'pilot'.

    Raises
    ------
    FastCompareError
        As of `auc_power_from_pilot` and `auc_sample_size`.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> forest, tree = data.scores["random_forest"], data.scores["decision_tree"]
    >>> study = fc.auc_sample_size_from_pilot(data.y_true, forest, tree, power=0.9)
    >>> study.whole_cases
    (71, 119)
    """
    test = as_test(alpha, alternative, reference)
    pilot = as_pilot(y_true, y_score_a, y_score_b, pos_label, nan_policy)
    power, ratio = check_goal(power, pilot.ratio if ratio is None else ratio, test.alpha)
    plan = pilot.plan(difference, test)
    check_claimable("difference", plan.effect, test.signs, alternative)

    return study_size(plan, power, ratio, pilot.auc, None, "pilot")


class Pilot(NamedTuple):
    """Estimates from pilot cases: AUCs, S10 and S01 of their difference, negatives per positive."""

    auc: tuple[float, float]
    s10: float
    s01: float
    ratio: float

    def variances(self, m: float, n: float) -> PlannedVariances:
        """Return S10 / m + S01 / n as null and expected variance, with its terms."""
        shares = self.s10 / m, self.s01 / n
        return PlannedVariances(sum(shares), sum(shares), shares)

    def plan(self, difference: object, test: PlannedTest) -> Plan:
        """Return the plan of a study that should detect this difference, by default the pilot's."""
        observed = self.auc[0] - self.auc[1]
        if difference is None:
            return Plan(observed, self.variances, test)
        return Plan(check_within("difference", difference, -1.0, 1.0), self.variances, test)


def as_pilot(
    y_true: ArrayLike,
    y_score_a: ScoreTable,
    y_score_b: ArrayLike | None,
    pos_label: object,
    nan_policy: str,
) -> Pilot:
    """Return the AUCs of pilot cases, with S10 and S01 of their difference, and the ratio n / m."""
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    components = as_components(as_cases(y_true, pos_label, nan_policy, **scores))
    m, n = components.m, components.n
    check_pilot(min(m, n) > 1)
    sums = pair_sums(components, 0, 1)
    positive, negative = class_variances(sums.w_a - sums.w_b, sums.dd, m, n)
    check_pilot(positive + negative > 0.0)
    auc = sums.w_a / (2 * m * n), sums.w_b / (2 * m * n)
    return Pilot(auc, positive * m, negative * n, n / m)
