"""McNemar's test that two classifiers are right equally often on the same cases, and its intervals.

Of n cases b are right by the first model only, c by the second only; D = (b - c) / n. Tango's
interval holds what the score test does not reject. That of Fay and Lumbard belongs to the binomial
tests: with m = b + c, its lower end is a quantile of (2 T - 1) S, where

    T ~ Beta(b, c + 1),  S ~ Beta(m, n - m + 1) where T > 1/2, else Beta(m + 1, n - m)

are the share of discordant cases that favour the first model and the share of discordant cases. It
is above 0 exactly if the p-value of b heads of m coins is at most the tail. For a mid-p test T is
half Beta(b, c + 1), half Beta(b + 1, c).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.documented import documented
from .._base.text import amount, decimals_for, equation, show_number, show_pvalue
from .._base.types import Alternative, Integers, Matrix, NanPolicy, Undefined, Vector
from .._inference.answers import LinkedAnswers
from .._inference.exact import coin_pvalue, coin_tail
from .._inference.infer import clopper_pearson, infer, proportion_ends, wilson
from .._inference.pvalues import (
    CERTAIN,
    PValue,
    continuity_corrected_z,
    normal_pvalue,
    normal_quantile,
    open_one_side,
    score_pvalue,
    student_quantile,
    upper_tail,
)
from .._inference.roots import find_root
from .._inference.unseen import ALPHA, UnseenFailures
from .._inputs.chunks.cases import as_label_stream
from .._inputs.options import (
    as_workers,
    check_alternative,
    check_level,
    check_margin,
    check_undefined,
)
from .._inputs.plans.proportions import check_mcnemar
from .._inputs.predictions import LabelTable
from .._results.caution import Cautious, with_caution
from .._results.records import ConfidenceInterval
from .._results.two_models import NormalResult
from ._accuracy import sample_of_labels
from ._table import (
    DifferenceVariance,
    Sample,
    Table,
    TableResult,
    Tested,
    clustered_answers,
    difference_variance,
)

Shares = float | Vector
BISECTIONS = 60  # of an interval of length 2: below the precision of the ends
# panels of the integral over S, and nodes of each: 8 digits and more, see the tests
FEWEST_PANELS, MOST_EXTRA_PANELS, NODES = 16, 64, 12
LOG_DENSITY_CUT = 38.0  # densities below exp(-38) of the greatest are neglected


def tango_z(b: Shares, c: Shares, n: Shares, difference: Shares, less: Shares = 0.0) -> Vector:
    """Return Tango's (1998) score statistic of a difference D; at 0 its square is McNemar's.

    Here b and c are shares of the n cases, and `less` is taken from b - c - D.
    """
    linear = (2.0 - b + c) * difference - b - c
    constant = -c * difference * (1.0 - difference)
    root = np.sqrt(np.maximum(linear * linear - 8.0 * constant, 0.0))
    root = np.where(constant == 0.0, np.abs(linear), root)  # whose square may underflow
    with np.errstate(divide="ignore", invalid="ignore"):
        # the greater root of a quadratic, by the form that does not cancel
        q = np.where(linear < 0.0, (root - linear) / 4.0, -2.0 * constant / (root + linear))
        q = np.where((linear == 0.0) & (root == 0.0), 0.0, q)  # both roots are 0
        numerator = b - c - difference - less
        variance = np.maximum(2.0 * q + difference * (1.0 - difference), 0.0)
        z: Vector = np.where(numerator == 0.0, 0.0, numerator * np.sqrt(n) / np.sqrt(variance))
    return z


def tango_ends(
    b: Shares, c: Shares, n: Shares, tail: float, less: Shares = 0.0
) -> tuple[Vector, Vector]:
    """Return the differences that the score test does not reject; `tail` is left at each end.

    `less` is Edwards' (1948) correction, 1 / n, towards either end.
    """
    z = normal_quantile(tail)
    largest = np.ones(np.shape(b))  # of differences; the score decreases in them
    low = bisect_boundary(lambda d: tango_z(b, c, n, d, less) <= z, start=largest)
    return low, bisect_boundary(lambda d: tango_z(b, c, n, d, -less) >= -z, start=-largest)


def bisect_boundary(holds: Callable[[Vector], NDArray[np.bool_]], start: Vector) -> Vector:
    """Return the last point on the way from `start` (1 or -1) to -start at which `holds` is true.

    By bisection: `holds` is true from `start` up to one point, which may be -start itself.
    """
    end = -start
    holds_everywhere = holds(end)
    for _ in range(BISECTIONS):
        middle = 0.5 * (start + end)
        inside = holds(middle)
        start, end = np.where(inside, middle, start), np.where(inside, end, middle)
    return np.where(holds_everywhere, np.sign(end), start)


def tango(table: Table, tail: float, less: float = 0.0) -> tuple[float, float]:
    """Return Tango's interval of one table."""
    n = table.n
    low, high = tango_ends(table.b / n, table.c / n, n, tail, less)
    return float(low), float(high)


def tango_corrected(table: Table, tail: float) -> tuple[float, float]:
    """Return Tango's interval with Edwards' correction, that of McNemar's corrected test."""
    return tango(table, tail, 1.0 / table.n)


def fay_lumbard(table: Table, tail: float, weight: float) -> tuple[float, float]:
    """Return Fay and Lumbard's (2021) interval; `weight` is 1 for exact tests, 1/2 for mid-p."""
    b, c, n = table.b, table.c, table.n
    # the upper end is minus the lower one with the models exchanged
    return melded_lower_end(b, c, n, tail, weight), -melded_lower_end(c, b, n, tail, weight)


def melded_intervals(b: Integers, c: Integers, n: int, tail: float, weight: float) -> Matrix:
    """Return Fay and Lumbard's intervals (P, 2) of pairs, each different (b, c) computed once."""
    tables = [Table(n - x - y, x, y, 0) for x, y in zip(b.tolist(), c.tolist(), strict=True)]
    ends = {table: fay_lumbard(table, tail, weight) for table in set(tables)}
    return np.reshape([ends[table] for table in tables], (-1, 2))


def melded_lower_end(b: int, c: int, n: int, tail: float, weight: float) -> float:
    """Return the lower end: the quantile of (2 T - 1) S with `tail` below it."""
    m = b + c
    is_negative = coin_tail(c, b, weight) > tail  # P(T <= 1/2), as the test has it
    if m == 0 and not is_negative:
        return 0.0
    sign, probability = (-1.0, tail) if is_negative else (1.0, 1.0 - tail)
    shapes = (m + 1, n - m) if is_negative else (m, n - m + 1)  # of S
    density = DiscordantShareDensity(*shapes)

    def excess(distance: float) -> float:
        """Return P(|(2 T - 1) S| > distance on this side of 0) less the probability wanted."""
        share, mass = density.above(distance)
        below = discordant_share_cdf(b, c, 0.5 + sign * 0.5 * distance / share, weight)
        return float(mass @ (below if is_negative else 1.0 - below)) - probability

    return sign * (1.0 if excess(1.0) >= 0.0 else root_on_unit_interval(excess))


def root_on_unit_interval(excess: Callable[[float], float]) -> float:
    """Return the root of a function that decreases on [0, 1]; 0 if it is not positive there."""
    return find_root(excess, 0.0, 1.0, xtol=1e-13, rtol=1e-12) if excess(0.0) > 0.0 else 0.0


def discordant_share_cdf(b: int, c: int, t: Vector, weight: float) -> Vector:
    """Return P(T <= t) for T ~ Beta(b, c + 1), mixed with Beta(b + 1, c) unless `weight` is 1.

    T is the share of discordant cases that favour the first model, for the lower end.
    """
    from scipy.special import betainc

    lower = betainc(b, c + 1.0, t) if b else np.ones(t.shape)
    if weight == 1.0:
        return np.asarray(lower)
    upper = betainc(b + 1.0, c, t) if c else np.zeros(t.shape)
    return np.asarray(weight * lower + (1.0 - weight) * upper)


class DiscordantShareDensity:
    """The density of S ~ Beta(a, b), the share of discordant cases, by Gauss-Legendre panels.

    They are panels of the logit of S, on which the density falls off smoothly.
    """

    def __init__(self, a: int, b: int) -> None:
        """Compute the range of logits and the total mass; with b = 0, S is 1 and needs neither."""
        self.a, self.b = a, b
        self.panels = FEWEST_PANELS + min(math.isqrt(a), MOST_EXTRA_PANELS)
        if b:
            self.mode = math.log(a / b)
            reach = 9.0 * math.sqrt(1.0 / a + 1.0 / b)  # standard deviations of the logit
            self.least = self.mode - reach - LOG_DENSITY_CUT / a
            self.most = self.mode + reach + LOG_DENSITY_CUT / b
            self.total = float(self._density_nodes(self.least)[1].sum())

    def above(self, share: float) -> tuple[Vector, Vector]:
        """Return quadrature nodes above a share, and their probability masses; b = 0 is S = 1."""
        if not self.b:
            return np.ones(1), np.ones(1)
        odds = share / (1.0 - share) if share < 1.0 else math.inf
        if odds >= math.exp(self.most):
            return np.ones(1), np.zeros(1)
        y, mass = self._density_nodes(max(math.log(odds), self.least) if odds else self.least)
        return 1.0 / (1.0 + np.exp(-y)), mass / self.total

    def _density_nodes(self, lowest_logit: float) -> tuple[Vector, Vector]:
        """Return logits above `lowest_logit` and their unnormalised masses (greatest density 1)."""
        node, weight = panel_nodes()
        width = (self.most - lowest_logit) / self.panels
        y = (lowest_logit + width * (np.arange(self.panels)[:, None] + node)).ravel()
        distance_from_mode = y - self.mode
        rise = np.log1p(self.a / (self.a + self.b) * np.expm1(distance_from_mode))
        density = np.exp(self.a * distance_from_mode - (self.a + self.b) * rise)
        return y, density * np.tile(width * weight, self.panels)


@lru_cache(maxsize=1)
def panel_nodes() -> tuple[Vector, Vector]:
    """Return the Gauss-Legendre nodes and weights on [0, 1]."""
    node, weight = np.polynomial.legendre.leggauss(NODES)
    return 0.5 * (node + 1.0), 0.5 * weight


def newcombe(table: Table, tail: float) -> tuple[float, float]:
    """Return Newcombe's (1998) interval from Wilson's limits, his method 10."""
    right_1, right_2 = table.n11 + table.b, table.n11 + table.c
    p1, p2 = right_1 / table.n, right_2 / table.n
    (l1, u1), (l2, u2) = (wilson(right, table.n, tail) for right in (right_1, right_2))
    phi = newcombe_phi(table)
    estimate = table.difference
    below, above = mover_distance(p1 - l1, u2 - p2, phi), mover_distance(u1 - p1, p2 - l2, phi)
    return estimate - below, estimate + above


def mover_distance(d1: float, d2: float, phi: float) -> float:
    """Return sqrt(d1^2 - 2 phi d1 d2 + d2^2): the end's distance from the difference (MOVER).

    d1 and d2 are the distances of two proportions from their own ends.
    """
    distance = math.sqrt(max(d1 * d1 - 2.0 * phi * d1 * d2 + d2 * d2, 0.0))
    return math.copysign(distance, d1 + d2)  # negative where the level is below a half


def newcombe_phi(table: Table) -> float:
    """Return Newcombe's phi coefficient, n11 n00 - b c being reduced by n / 2 if it is positive."""
    n11, b, c, n00 = table
    margins = (n11 + b) * (c + n00) * (n11 + c) * (b + n00)
    if not margins:
        return 0.0
    cross = n11 * n00 - b * c
    numerator = max(cross - table.n / 2, 0.0) if cross > 0 else float(cross)
    return numerator / math.sqrt(margins)


def wald(table: Table, tail: float) -> tuple[float, float]:
    """Return Wald's interval of the difference."""
    radius = normal_quantile(tail) * table.standard_error
    return table.difference - radius, table.difference + radius


INTERVALS: dict[str, Callable[[Table, float], tuple[float, float]]] = {
    "tango": tango,
    "corrected": tango_corrected,
    "newcombe": newcombe,
    "wald": wald,
}


MIDP_BELOW = 25  # discordant cases, Fagerland et al. (2013)
TIE_WEIGHTS = {"exact": 1.0, "midp": 0.5}  # of the probability of exactly b


def mcnemar_method(discordant: int, method: str, *, allows_midp: bool) -> str:
    """Return the method, 'auto' replaced by 'midp' or 'asymptotic'.

    `allows_midp` is False if an option (margin, clusters, continuity) needs the asymptotic test.
    """
    if method != "auto":
        return method
    return "midp" if allows_midp and discordant < MIDP_BELOW else "asymptotic"


def unclustered_pvalue(
    table: Table, method: str, alternative: str, margin: float, less: int
) -> Tested:
    """Return the statistic and p-value of independent cases: McNemar's, or Tango's with a margin.

    `less` is 1 for Edwards' continuity correction.
    """
    if margin:
        return tango_pvalue(table, alternative, margin)
    return mcnemar_pvalue(table, method, alternative, less)


def mcnemar_pvalue(table: Table, method: str, alternative: str, less: int) -> Tested:
    """Return McNemar's statistic and p-value; `less` is 1 for Edwards' continuity correction."""
    b, c = table.b, table.c
    if b + c == 0:
        return Tested(0.0, CERTAIN)
    if method in TIE_WEIGHTS:
        return Tested(float(min(b, c)), coin_pvalue(b, c, alternative, TIE_WEIGHTS[method]))
    statistic = max(abs(b - c) - less, 0) ** 2 / (b + c)  # Edwards (1948)
    z = continuity_corrected_z(math.sqrt(statistic), b - c, math.sqrt(b + c), alternative, less)
    return Tested(statistic, normal_pvalue(z, alternative))


def tango_pvalue(table: Table, alternative: str, margin: float) -> Tested:
    """Return Tango's z at the margin and its p-value, the larger of two for equivalence."""
    n = table.n
    b, c = table.b / n, table.c / n
    return Tested(*score_pvalue(lambda d: float(tango_z(b, c, n, d)), alternative, margin))


def clustered_test(
    sample: Sample, variance: DifferenceVariance, alternative: str, margin: float
) -> tuple[Tested, DifferenceVariance, LinkedAnswers | None]:
    """Return the test of clustered cases (t^2, t with a margin), its variance and interval ends.

    The ends are None without discordant cases or degrees of freedom. The variance has the status
    'small_sample' if slightly more skewness would undo a claim.
    """
    answers, table = clustered_answers(sample, variance), sample.table
    if not (table.b + table.c and variance.df > 0.0):
        error, df, _, unvaried = variance
        test = infer(answers.estimate, error, alternative, margin, df=df, unvaried=unvaried)
        t = test["statistic"]
        p = PValue(test["pvalue"], test["log_pvalue"])
        return Tested(t if margin else t * t, p), variance, None
    if margin:
        answers = answers.for_margin_claims()
    t, p = answers.test(alternative, margin)
    if variance.status == "ok" and answers.is_doubtful(p.pvalue, alternative, margin):
        variance = variance._replace(status="small_sample")
    return Tested(t if margin else t * t, p), variance, answers


INVERTED_TEST = "inverted"  # to the test of clustered cases
TITLES = {"exact": "exact", "midp": "mid-p", "asymptotic": "asymptotic"}
INTERVAL_TITLES = {  # of intervals that the test does not invert to
    "tango": "by Tango's score",
    "corrected": "by Tango's corrected score",
    "melded": "by Fay and Lumbard's method",
    "newcombe": "by Newcombe's method",
    "wald": "by Wald's method",
}


def inverted_interval(method: str, continuity: bool, grouped: bool) -> str:
    """Return the name of the interval that is consistent with this test."""
    if grouped:
        return INVERTED_TEST
    if method in TIE_WEIGHTS:
        return "melded"
    return "corrected" if continuity else "tango"


@dataclass(frozen=True, eq=False, kw_only=True)
class McNemarResult(TableResult, Cautious, NormalResult):
    """Result of `mcnemar_test`; `estimate` is ``accuracy[0] - accuracy[1]``."""

    accuracy: Vector
    n11: int
    n10: int
    n01: int
    n00: int
    n_dropped: int
    interval: str
    continuity: bool
    design: str
    df: float = math.inf
    _tails: LinkedAnswers | None = field(repr=False, default=None)
    _n_clusters: int = field(repr=False, default=0)  # none where cases are independent
    title: ClassVar[str] = "McNemar's test of two accuracies on the same cases"
    _follows_sample: ClassVar[bool] = True
    _units: ClassVar[str] = "cases"
    _quantity: ClassVar[str] = "accuracy"
    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    _picture: ClassVar[str] = "mosaic"

    def _failures(self) -> UnseenFailures | None:
        if self._tails is None or not self.pvalue <= ALPHA:
            return None
        return self._tails.failures(self.alternative, self.margin)

    @property
    def odds_ratio(self) -> float:
        """``n10 / n01``, the odds that a discordant case favours the first model."""
        if self.n01:
            return self.n10 / self.n01
        return math.inf if self.n10 else math.nan

    @documented
    def odds_ratio_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return Clopper and Pearson's interval for `odds_ratio`, consistent with the exact test.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``; one-sided if the test is. Without discordant cases: 0 and infinity.
        """
        tail = upper_tail(check_level(confidence_level), self.alternative)
        ends = clopper_pearson(self.n10, self.n10 + self.n01, tail)
        low, high = (end / (1.0 - end) if end < 1.0 else math.inf for end in ends)
        return ConfidenceInterval(*open_one_side(self.alternative, low, high, (0.0, math.inf)))

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the confidence interval for the difference in accuracy, by the method `interval`.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1. With ``alternative="equivalence"`` the two-sided interval at ``2 *
            confidence_level - 1`` is returned.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, cut to [-1, 1]. Without discordant cases only Wald's has zero width.
        """
        limits = super().confidence_interval(confidence_level)
        clustered = self.design == "clusters"
        if self.standard_error > 0.0 or self.interval == "wald" or clustered:
            return limits
        return ConfidenceInterval.within(*self._ends(confidence_level), self.bounds)

    def _zero_variance_limits(self, level: float) -> tuple[float, float]:
        return super()._zero_variance_limits(level) if self._tails is None else self._ends(level)

    def _quantile(self, tail: float) -> float:
        return normal_quantile(tail) if self.df == math.inf else student_quantile(tail, self.df)

    def _ends(self, level: float) -> tuple[float, float]:
        """Return the ends of the interval of the difference by the method `interval`."""
        tail = upper_tail(level, self.alternative)
        if self.design == "clusters":
            if self.interval == "wald" or self._tails is None:
                return super()._ends(level)
            low, high = float(self._tails.low(tail)), float(self._tails.high(tail))
            return open_one_side(self.alternative, low, high, self.bounds)
        if self.interval == "melded":
            low, high = fay_lumbard(self._counts, tail, TIE_WEIGHTS.get(self.method, 0.5))
        else:
            low, high = INTERVALS[self.interval](self._counts, tail)
        return open_one_side(self.alternative, low, high, self.bounds)

    def _interval_text(self, form: str = ".4f", at: int | tuple[()] = ()) -> str:
        """Return the interval in words, with its method unless it is consistent with the test."""
        interval = super()._interval_text(form, at)
        clustered = self.design == "clusters"
        if self.interval == inverted_interval(self.method, self.continuity, clustered):
            return interval
        return f"{interval} {INTERVAL_TITLES[self.interval]}"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        (first, second), (accuracy_a, accuracy_b) = self._display_names, self.accuracy
        corrected = " with continuity correction" if self.continuity else ""
        clustered = " of clustered cases" if self.design == "clusters" else ""
        test = f"{TITLES[self.method]} test{clustered}{corrected}{self._hypothesis_text()}"
        form = f".{decimals_for(self.estimate)}f"
        accuracies = self._beside_names(f"{accuracy_a:{form}}", f"{accuracy_b:{form}}")
        return (
            f"The accuracies are {accuracies}, a difference of {self.estimate:{form}} "
            f"({self._interval_text(form)}; "
            f"{amount(self.n10, 'case is', 'cases are')} right by {first} only, {self.n01} by "
            f"{second}, odds ratio {show_number(self.odds_ratio, '.4g')}; McNemar's {test}, "
            f"{self._evidence()}).{self._stated_failures()}"
        )

    @property
    def _n_cases(self) -> int:
        return self._counts.n

    @property
    def _is_binomial(self) -> bool:
        """Whether the test is binomial, whose statistic is the smaller discordant count."""
        clustered = self.design == "clusters"
        return not (self.margin or clustered) and self.method in TIE_WEIGHTS

    @property
    def _statistic_title(self) -> str:
        """The name of the statistic in tables."""
        return "min(n10, n01)" if self._is_binomial else "statistic"

    def _evidence(self) -> str:
        """Return the statistic and the p-value in words; binomial tests have the p-value alone."""
        p = equation("p", show_pvalue(self.pvalue))
        clustered = self.design == "clusters"
        if self._is_binomial:
            return p
        if self.margin:
            letter = f"t({self.df:.4g})" if clustered else "z"
        else:
            letter = f"F(1, {self.df:.4g})" if clustered else "chi2(1)"
        return f"{equation(letter, show_number(self.statistic, '.4g'))}, {p}"

    def _model_limits(self, level: float) -> tuple[Vector, Vector] | None:
        """Return Wilson's intervals of both accuracies, None for clusters."""
        if self.design != "independent" or not self._n_cases:
            return None
        return proportion_ends(self.accuracy, self._n_cases, level)


@documented
def mcnemar_test(
    y_true: Any = None,
    y_pred_a: LabelTable | None = None,
    y_pred_b: ArrayLike | None = None,
    *,
    correct_a: LabelTable | None = None,
    correct_b: ArrayLike | None = None,
    interval: str = "auto",
    method: str = "auto",
    continuity: bool = False,
    groups: ArrayLike | None = None,
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    n_jobs: int = 1,
    executor: Executor | None = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> McNemarResult:
    """McNemar's test of equal accuracies of two classifiers on the same cases.

    The test conditions on the two fitted models: it asks whether their accuracies differ in the
    population of cases. It does not include the randomness of training.

    Parameters
    ----------
    y_true : array-like of shape (n,), a table of counts, or chunks
        Labels of any type, of two classes or more. Or, instead of all labels, chunks that need not
        fit into memory: `scan_parquet`, `scan_chunks`, a list of tuples ``(y_true, y_pred_a,
        y_pred_b)``, with or without clusters as a fourth element, or a function that returns an
        iterator of these. They are read once, and so are `numpy.memmap` arrays of a million cases
        and more. Counts are exact, so the result is that for data in memory. Or a table ``[[n11,
        n10], [n01, n00]]``, or the result of `contingency_table`. In a data frame, rows and columns
        may be in any order if they are labelled (True and False, 1 and 0, 'right' and 'wrong'), as
        by `pandas.crosstab`. Arrays must begin with the correct answers; scikit-learn's
        `confusion_matrix`, for example, begins with the wrong ones, which would reverse the sign of
        the difference.
    correct_a, correct_b : array-like of shape (n,), optional
        Whether each model classifies each case correctly (True and False, or 1 and 0), instead of
        all labels. A data frame or mapping with two columns may replace both; the models take its
        column names.
    interval : {'auto', 'tango', 'corrected', 'melded', 'newcombe', 'wald'}, default='auto'
        Interval for the difference in accuracy. 'auto' is consistent with the test: it excludes 0
        exactly if the p-value is below 1 - `confidence_level`. It is 'tango' for asymptotic tests
        and margins, 'corrected' (Tango's with Edwards' correction) with ``continuity=True``,
        'melded' (Fay and Lumbard's) for exact and mid-p tests, and for clusters 'inverted', that of
        the test. The summary names any other method ('wald' with Student's t for clusters).
    method : {'auto', 'exact', 'midp', 'asymptotic'}, default='auto'
        'exact' and 'midp' use the binomial distribution of the discordant cases; the exact test is
        conservative, the mid-p test rarely liberal. 'auto' is 'midp' below 25 discordant cases,
        otherwise 'asymptotic'; clusters and margins are always asymptotic.
    continuity : bool, default=False
        Edwards' continuity correction of the asymptotic test, which makes it as conservative as the
        exact one.
    groups : array-like of shape (n,), optional
        Cluster of each case: the patient of an image, the template of a prompt. Clusters are
        independent; cases within a cluster may be correlated. Then the variance is CR2, which is
        unbiased for independent cases, but at least that of the better model's failures under the
        null hypothesis, and the statistic follows Student's t with Satterthwaite's ``df``, as in
        `paired_mean_test`. Not together with a table; chunks contain their own.
    margin : float, default=0
        Non-inferiority margin. If above 0, 'greater' means that the first accuracy is above the
        second minus `margin`, and 'less' the reverse, by Tango's score test.
    executor : concurrent.futures.Executor, optional
        Reads the chunks instead of threads.
    nan_policy : {'raise', 'omit'}, default='raise'
        How to handle cases with a missing label or cluster: raise an error or drop them.

    Returns
    -------
    McNemarResult
        With ``names``, ``statistic``, ``pvalue``, ``log_pvalue``, ``estimate`` (the first accuracy
        minus the second), ``standard_error``, ``df`` (infinite without clusters), ``accuracy``
        (2,), ``n11``, ``n10``, ``n01``, ``n00``, ``odds_ratio`` (n10 / n01), ``method`` (the one
        used), ``interval``, ``status``, and the methods ``confidence_interval(confidence_level)``,
        ``odds_ratio_interval(confidence_level)``, ``summary()`` and ``to_dict()``.

    Warns
    -----
    SmallSampleWarning
        For clusters: 'few_clusters', if they carry fewer than 4 degrees of freedom (fewer than 5
        clusters, or one with half of the cases), so that intervals are wide; 'unseen_failures', if
        failures of the better model that so few clusters may lack would explain a significant
        difference, with their numbers; 'small_sample', if a claim with a margin would not be made
        were the clusters' sums a little more skewed.

    See Also
    --------
    mcnemar_pairwise_test : All pairs of several models.
    cochran_q_test : Several models at once.

    Notes
    -----
    Only the first model is correct on b cases (n10), only the second on c (n01). ``statistic`` is
    chi-squared (b - c)^2 / (b + c) for asymptotic tests, min(b, c) as in statsmodels for exact and
    mid-p ones, and z for tests with a margin; for clusters t^2, or t with a margin. One-sided
    asymptotic p-values come from z = (b - c) / sqrt(b + c). If there are no discordant cases,
    ``statistic`` is 0, ``pvalue`` 1 and ``status`` 'no_discordant'. Counts are exact integers of
    any size.

    In each of 1,500 populations, with 10, 20, 50 and 100 cases, the melded interval of the mid-p
    test covered at least 95.0%, Tango's at least 93.2%; the former is 1% (100 cases) to 5% (10)
    wider.

    References
    ----------
    .. [1] Q. McNemar (1947), doi:10.1007/BF02295996.
    .. [2] A. L. Edwards (1948), doi:10.1007/BF02289261.
    .. [3] M. W. Fagerland, S. Lydersen, P. Laake (2013), doi:10.1186/1471-2288-13-91.
    .. [4] T. Tango (1998), doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B.
    .. [5] R. G. Newcombe (1998),
       doi:10.1002/(SICI)1097-0258(19981130)17:22<2635::AID-SIM954>3.0.CO;2-C.
    .. [6] M. P. Fay, K. Lumbard (2021), doi:10.1002/sim.8829.
    .. [7] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.mcnemar_test([[150, 25], [15, 10]])
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (2.5, 0.1138)
    >>> print(result.summary())
    The two models do not differ significantly in accuracy. The accuracies are 0.8750 and
    0.8250, a difference of 0.0500 (95% CI -0.0124 to 0.1140; 25 cases are right by the first
    only, 15 by the second, odds ratio 1.667; McNemar's asymptotic test, chi2(1) = 2.5, p =
    0.1138). There were 200 cases.
    >>> fc.mcnemar_test(["a", "b", "b"], ["a", "b", "a"], ["a", "a", "a"]).method
    'midp'
    >>> fc.mcnemar_test(correct_a=[True, True, False], correct_b=[True, False, False]).n10
    1
    """
    check_undefined(on_undefined)
    margin, workers = check_margin(margin), as_workers(n_jobs, executor, None)
    check_alternative(alternative, margin)

    labels, right = (y_true, y_pred_a, y_pred_b), (correct_a, correct_b)
    stream = as_label_stream(labels, right, groups, nan_policy)
    grouped = groups is not None or (stream is not None and stream.layout.grouped)
    method = check_mcnemar(method, continuity, interval, margin=margin, grouped=grouped)
    sample = sample_of_labels(labels, right, groups, nan_policy, stream, workers)

    table, allows_midp = sample.table, not (continuity or margin or grouped)
    chosen = mcnemar_method(table.b + table.c, method, allows_midp=allows_midp)
    variance, tails = difference_variance(sample, margin), None
    if grouped:
        tested, variance, tails = clustered_test(sample, variance, alternative, margin)
    else:
        tested = unclustered_pvalue(table, chosen, alternative, margin, int(continuity))

    result = McNemarResult.from_fields(
        **sample.fields(),
        **variance.fields(),
        **tested.p._asdict(),
        statistic=tested.statistic,
        estimate=table.difference,
        method=chosen,
        alternative=alternative,
        margin=margin,
        interval=inverted_interval(chosen, continuity, grouped) if interval == "auto" else interval,
        continuity=bool(continuity),
        design="clusters" if grouped else "independent",
        _tails=tails,
    )
    return with_caution(result, on_undefined)
