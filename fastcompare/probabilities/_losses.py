"""Losses of single cases by proper scoring rules, their means, and what unseen cases would add.

`labels` are 0 and 1 with the probabilities p (n,) of 1, or class numbers with a table (n, c). Of
all pairs of models the differences are summed up row by row, without an array of them. A sample
that holds few or no cases of a class shows little of how losses vary: `UnseenCaseVariance` bounds
the variance from below.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.documented import with_engine_options
from .._base.parallel import Checkpoint
from .._base.types import Fields, Integers, Matrix, Undefined, Vector
from .._inference.clusters import rarer_answer_icc
from .._inference.infer import Inference, ZeroVarianceBound, infer_difference, units_bound
from .._inference.pvalues import ratio, score_pvalue, student_quantile
from .._inference.skewness import MOST_ITEMS
from .._inference.status import warn_status
from .._inference.unseen import ALPHA, OPPOSITE, UnseenFailures, unseen_failures
from .._inputs.options import check_undefined
from .._inputs.probabilities import (
    SHIFTING,
    Forecasts,
    Labels,
    Probabilities,
    Reading,
    Rule,
    as_losses,
    as_probabilities,
    check_rule,
)
from .._resampling.bootstrap import Claim
from .._resampling.weights import Weights, row_slices
from ..kernels.drawing.exchange import add_weighted_sums
from ..kernels.drawing.streams import LANES
from ..kernels.probabilities import LOPSIDED, brier_sums, loss_moments
from ..kernels.signed_ranks import ROUNDING
from ..paired._columns import Columns, are_constant


def brier_losses(labels: Labels, p: Vector) -> Vector:
    """Return each case's loss: (p - y)^2 for two classes, else its sum over them (Brier 1950)."""
    if p.ndim == 1:
        return np.square(p - labels)
    errors = p.copy()
    errors[np.arange(labels.size), labels] -= 1.0
    return np.asarray(np.square(errors).sum(axis=1))


def log_losses(labels: Labels, p: Vector) -> Vector:
    """Return minus the logarithm of the true class's probability, for each case."""
    if p.ndim == 1:
        log_true = np.log1p(-p)
        bits, bits_of_log_p = log_true.view(np.int64), np.log(p).view(np.int64)
        where_positive = np.negative(labels, dtype=np.int64)  # all bits are set if the label is 1
        bits ^= (bits ^ bits_of_log_p) & where_positive  # np.where is slower for random labels
        return np.negative(log_true, out=log_true)
    return np.asarray(-np.log(p[np.arange(labels.size), labels]))


def spherical_losses(labels: Labels, p: Vector) -> Vector:
    """Return each case's 1 - p_y / |p|, as (sum of the other p_c^2) / (|p| (|p| + p_y)).

    In this form nothing cancels.
    """
    if p.ndim == 1:
        p_true, p_other = np.where(labels == 1, (p, 1.0 - p), (1.0 - p, p))
        norm = np.hypot(p_true, p_other)
        other_squares = np.square(p_other)
    else:
        p_true = p[np.arange(labels.size), labels]
        squares = np.square(p)
        norm = np.sqrt(squares.sum(axis=1))
        squares[np.arange(labels.size), labels] = 0.0
        other_squares = squares.sum(axis=1)
    return np.asarray(other_squares / (norm * (norm + p_true)))


CACHED_CASES = 1 << 14  # cases whose arrays stay in the cache: 0.6 of the time for 10^6
RULES = {"brier": brier_losses, "log": log_losses, "spherical": spherical_losses}
RuleFunction = Callable[[Labels, Vector], ArrayLike]


def greatest_loss(rule: str | RuleFunction, p: Vector) -> float:
    """Return the largest possible loss of a rule, infinity if it has none."""
    bounded = {"brier": p.ndim, "spherical": 1}  # Brier's sum over classes is at most 2
    return float(bounded.get(rule, math.inf)) if isinstance(rule, str) else math.inf


def rule_name(rule: str | RuleFunction) -> str:
    """Return the name of a rule or of a function."""
    return rule if isinstance(rule, str) else getattr(rule, "__name__", "callable")


@np.errstate(under="ignore", divide="ignore")
def case_losses(
    rule: str | RuleFunction, labels: Labels, p: Vector, clip: float | None = None
) -> Vector:
    """Return the loss of every case; `clip` keeps probabilities from 0 and 1 in the log loss."""
    if not isinstance(rule, str):
        return as_losses(rule(labels.copy(), p.copy()), labels.size)
    losses = np.empty(labels.size)
    for start in range(0, labels.size, CACHED_CASES):
        rows = slice(start, start + CACHED_CASES)
        np.add(RULES[rule](labels[rows], p[rows]), 0.0, out=losses[rows])  # -0 becomes 0
    if clip is not None:
        np.clip(losses, -math.log1p(-clip), -math.log(clip), out=losses)
    return losses


@np.errstate(under="ignore")
def mean_loss(losses: Vector) -> float:
    """Return the mean of losses."""
    return float(losses.mean())


def mean_brier_loss(labels: Labels, p: Vector) -> float:
    """Return the mean Brier loss; of two classes by one pass, without an array of losses."""
    if p.ndim == 1:
        (total,) = brier_totals(labels, p, n_sums=1)
        return total / p.size
    return mean_loss(case_losses("brier", labels, p))


def brier_totals(labels: Labels, p: Vector, n_sums: int = 3) -> list[float]:
    """Return the sums over cases of (p - y)^2, of (p - y)^2 - p (1 - p), and of its variance.

    The variance is (1 - 2 p)^2 p (1 - p), that of a label with probability p. Only the first
    `n_sums` (1 or 3) of the three are returned.
    """
    sums = np.empty(n_sums)
    brier_sums(labels, p, sums)
    return sums.tolist()


def forecast_losses(rule: str | RuleFunction, cases: Forecasts, clip: float | None) -> Matrix:
    """Return the loss of every case by every model, of shape (k, n)."""
    return np.stack([case_losses(rule, cases.labels, p, clip) for p in cases.models])


def mean_losses(losses: Matrix) -> Vector:
    """Return the mean of each row of losses."""
    return np.array([mean_loss(loss) for loss in losses])


def loss_fields(rule: str | RuleFunction, cases: Forecasts, means: Vector) -> Fields:
    """Return the fields with the rule, the models' mean losses and the bounds of a difference."""
    width = greatest_loss(rule, cases.models[0])
    return Fields(
        rule=rule_name(rule),
        losses=means,
        n=cases.labels.size,
        n_dropped=cases.n_dropped,
        _bounds=(-width, width),
    )


@with_engine_options(as_probabilities)
def brier_score(y_true: ArrayLike, y_prob: Probabilities, **reading: Unpack[Reading]) -> float:
    """Return the Brier score: the mean squared error of probabilities.

    Returns
    -------
    float
        For one column, the mean of (p - y)², from 0 to 1; for a table, the mean of its sum over all
        classes, from 0 to 2, which for two columns is twice that of one.

    References
    ----------
    .. [1] G. W. Brier (1950), doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2.

    Examples
    --------
    >>> import fastcompare as fc
    >>> round(fc.brier_score([1, 0, 1, 0], [.9, .2, .7, .1]), 4)
    0.0375
    """
    cases = as_probabilities(y_true, {"y_prob": y_prob}, **reading)
    return mean_brier_loss(cases.labels, cases.models[0])


@with_engine_options(as_probabilities)
def log_loss(
    y_true: ArrayLike,
    y_prob: Probabilities,
    *,
    clip: float | None = None,
    on_undefined: Undefined = "warn",
    **reading: Unpack[Reading],
) -> float:
    """Return the log loss: minus the mean log probability of the true class.

    Parameters
    ----------
    clip : float, optional
        Clip probabilities to [clip, 1 - clip]. By default the loss is infinite if the true class of
        a case has probability 0.
    on_undefined : {'warn', 'raise', 'ignore'}, default='warn'
        What to do if the loss is infinite.

    Returns
    -------
    float
        In nats; infinite if that of any case is.

    Warns
    -----
    UndefinedResultWarning
        If the loss is infinite.

    References
    ----------
    .. [1] I. J. Good (1952), doi:10.1111/j.2517-6161.1952.tb00104.x.

    Examples
    --------
    >>> import fastcompare as fc
    >>> round(fc.log_loss([1, 0, 1, 0], [.9, .2, .7, .1]), 4)
    0.1976
    >>> round(fc.log_loss([1, 0], [.9, 1.0], clip=1e-6), 4)
    6.9604
    """
    check_undefined(on_undefined)
    clip = check_rule("log", clip, tuple(RULES))
    cases = as_probabilities(y_true, {"y_prob": y_prob}, **reading)
    losses = case_losses("log", cases.labels, cases.models[0], clip)
    warn_status("infinite_loss" if np.isinf(losses).any() else "ok", on_undefined)
    return mean_loss(losses)


StatusWords = NDArray[np.str_]
Flags = NDArray[np.bool_]


class LossSummaries(NamedTuple):
    """Summaries (P,) of the loss differences of all pairs.

    The mean, its standard error, whether all are finite, all 0, and too skewed for Student's t.
    """

    estimate: Vector
    standard_error: Vector
    finite: Flags
    zero: Flags
    too_skewed: Flags

    def only(self, chosen: Flags) -> LossSummaries:
        """Return the summaries of the chosen pairs."""
        estimate, standard_error, *flags = self
        finite, zero, lopsided = (flag[chosen] for flag in flags)
        return LossSummaries(estimate[chosen], standard_error[chosen], finite, zero, lopsided)

    def statuses(self, n: int, method: str, clustered: str | None = None) -> StatusWords:
        """Return the status words (P,) of tests by a method: the first whose condition holds.

        `clustered` is the word of pairs in clusters whose differences vary.
        """
        varies = (self.standard_error > 0.0) | (method == "wilcoxon")
        skewed = varies & self.too_skewed & (method in SHIFTING) & (clustered is None)
        conditions = [~self.finite, np.full(varies.shape, n == 1), self.zero, skewed, varies]
        words = ["infinite_loss", "one_case", "no_difference", "small_sample", clustered or "ok"]
        return np.select(
            conditions, words, "no_interval" if method == "permutation" else "zero_variance"
        )


@np.errstate(under="ignore", invalid="ignore", over="ignore")
def pair_loss_summaries(columns: Columns) -> LossSummaries:
    """Return the summaries of the loss differences of all pairs.

    Differences that are equal but for rounding have a standard error of 0.
    """
    n = columns.n
    estimate, deviation, low, high = np.empty((4, columns.first.size))
    lopsided = np.zeros(columns.first.size, np.bool_)
    for pairs, d in columns.blocks():  # d: a row of n differences for each pair
        estimate[pairs], low[pairs], high[pairs] = d.mean(axis=1), d.min(axis=1), d.max(axis=1)
        deviation[pairs] = d.std(axis=1, ddof=1) if n > 1 else math.nan
        square = deviation[pairs] ** 2 * (n - 1.0)
        lopsided[pairs] = are_too_skewed(d, estimate[pairs], low[pairs], high[pairs], square)
    finite = np.isfinite(low) & np.isfinite(high)
    zero = (low == 0.0) & (high == 0.0)
    _, greatest_rounding = columns.rounding_bounds.T
    may_be_constant = finite & (high - low <= 2.0 * greatest_rounding)
    for p in np.flatnonzero(may_be_constant).tolist():
        if are_constant(columns.sized_pair(p)):
            deviation[p] = 0.0
    deviation[~finite] = math.nan
    return LossSummaries(estimate, deviation / math.sqrt(n), finite, zero, lopsided)


@np.errstate(under="ignore", invalid="ignore", over="ignore")
def are_too_skewed(rows: Matrix, mean: Vector, low: Vector, high: Vector, square: Vector) -> Flags:
    """Return which rows (r, n) are too skewed for Student's t: |skewness| above 0.2 sqrt(n).

    There it rejects up to 20% at a level of 5% (`studies.calibration_coverage`). `square` are the
    sums of squared deviations (r,). As the sum of cubes is at most `square` times the largest
    deviation, most rows need no cubes.
    """
    limit = LOPSIDED * np.sqrt(square)
    lopsided: Flags = np.maximum(high - mean, mean - low) > limit
    for i in np.flatnonzero(lopsided):
        deviations = rows[i] - mean[i]
        lopsided[i] = abs(float((deviations * deviations) @ deviations)) > square[i] * limit[i]
    return lopsided


def is_too_skewed(d: Vector, mean: float, sum_of_squares: float) -> bool:
    """Return whether differences with this sum of squared deviations are too skewed for t."""
    summaries = np.array([[mean], [d.min()], [d.max()], [sum_of_squares]])
    (too_skewed,) = are_too_skewed(d[None], *summaries)
    return bool(too_skewed)


FEWEST_CASES = 2  # for a standard error
NO_LABELS = np.empty(0, np.uint8)


class LossMoments(NamedTuple):
    """The mean of n loss differences and its standard error; `sizes` are those of clusters."""

    n: int
    estimate: float
    standard_error: float
    df: float
    sizes: Integers | None = None
    unseen: UnseenCaseVariance | None = None

    def zero_variance_bound(self, largest_difference: float) -> ZeroVarianceBound:
        """Return the bound on the mean if all cases, or clusters, have the same difference."""
        return units_bound(self.n, self.sizes, largest_difference)


def loss_difference(labels: Labels, losses: Sequence[Vector]) -> tuple[LossMoments, Vector] | None:
    """Return the moments of the differences of two models' losses (n,), and both mean losses (2,).

    `losses` are losses if `labels` is empty, else probabilities of which Brier's losses are taken.
    None if differences are infinite or too skewed, or may vary by rounding alone: then more is
    needed than moments. Those returned equal those of `summarise`, bit for bit.
    """
    (a, b), moments = losses, np.empty(6)
    n = a.size
    if n < FEWEST_CASES:
        return None
    loss_moments(labels, a, b, moments)
    of_a, of_b, total, square, largest_square, cubes = moments.tolist()
    if labels.size:
        largest_loss = 1.0  # the bound of Brier's losses
    else:
        largest_loss = float(max(max(np.maximum.reduce(x), -np.minimum.reduce(x)) for x in (a, b)))
    if not (
        largest_square > (4.0 * ROUNDING * largest_loss) ** 2
        and abs(cubes) <= LOPSIDED * square**1.5
    ):
        return None
    error = math.sqrt(square / (n - 1.0)) / math.sqrt(n)
    return LossMoments(n, total / n, error, n - 1.0), np.array([of_a / n, of_b / n])


@dataclass(frozen=True, slots=True)
class WeightedMeans:
    """Bootstrap statistic: the means of rows of differences, weighted by draws of each case."""

    rows: Matrix

    def __call__(self, weights: Weights, checkpoint: Checkpoint) -> Matrix:
        """Return the means (rows, 64) of 64 replicates."""
        sums = np.zeros((len(self.rows), LANES))
        for d, total in zip(self.rows, sums, strict=True):
            for part in row_slices(d.size):
                checkpoint()
                add_weighted_sums(weights[part], d[part], total)
        return np.asarray(sums / self.rows.shape[1])


FEWEST_INFORMATIVE_CASES = 1000  # cases of other classes, from which a sample shows how they vary
MOST_LOSSES = 10**8  # classes times models times cases: some seconds
# the share of other classes from which Student's t holds: 5.5% of 20 cases
LARGEST_RARE_SHARE = 0.3


class UnseenCaseVariance(NamedTuple):
    """The variance of a mean loss difference that cases of rare classes, seen or unseen, cause.

    `base` is N, the mean difference had no case been of a rare class. A case of a rare class makes
    the difference jump up or down, and the jumps' sum over n is D - N if the true difference is D.
    A sum of rare jumps of sizes w varies as a compound Poisson variable, by ::

        |D - N| w / n,    w = sum of squares / sum of the jumps in that direction

    times the share of the other classes, which turns Poisson's variance into the binomial one:
    `rise` and `fall` are w / n times this share for jumps up and down. Of clusters, whose jumps sum
    to W, with their intraclass correlation rho squares are rho sum W^2 + (1 - rho) sum w^2. The
    variance of a difference is at least this one. Fields are numbers, or arrays over pairs.
    """

    base: Any
    rise: Any
    fall: Any

    def error(self, null: float, error: Any) -> Any:
        """Return the standard error if the difference is truly `null`, at least the sample's."""
        needed = null - self.base
        variance = np.where(needed > 0.0, needed * self.rise, -needed * self.fall)
        return np.maximum(error, np.sqrt(variance))

    def variance_note(self, error: float) -> str:
        """Return " with the variance of unseen cases" if that is the larger one, else ""."""
        return " with the variance of unseen cases" if self.error(0.0, error) > error else ""

    def high(self, estimate: Any, error: Any, quantile: float) -> Any:
        """Return the greatest difference D with (D - estimate) <= quantile x the error at D."""
        limit = estimate + quantile * error
        for jump, sign in ((self.rise, 1.0), (self.fall, -1.0)):  # (D - d)^2 = k |D - N|
            k = quantile * quantile * jump
            gap = sign * (estimate - self.base)
            with np.errstate(invalid="ignore"):
                root = estimate + 0.5 * sign * k + np.sqrt(0.25 * k * k + k * gap)
            beyond = sign * (root - self.base) >= 0.0
            limit = np.where(beyond & (root > limit), root, limit)
        return limit

    def low(self, estimate: Any, error: Any, quantile: float) -> Any:
        """Return the smallest difference D with (estimate - D) <= quantile x the error at D."""
        mirrored = UnseenCaseVariance(-self.base, self.fall, self.rise)
        return -mirrored.high(-estimate, error, quantile)


def unseen_case_variance(
    rule: Rule,
    cases: Forecasts,
    clip: float | None,
    models_a: Integers,
    models_b: Integers,
    method: str,
) -> UnseenCaseVariance | None:
    """Return the variance of rare classes for pairs of models, indexed by `models_a`, `models_b`.

    None where no class is rare, a loss of one would be infinite, classes, models and cases are too
    many, or the method is not 'auto'.
    """
    if method != "auto":
        return None
    n = cases.labels.size
    width = 2 if cases.models[0].ndim == 1 else cases.models[0].shape[1]
    sizes = class_sizes(cases.labels, width)
    rare = rare_classes(sizes)
    if not rare or width * len(cases.models) * n > MOST_LOSSES:
        return None
    base, changes = hypothetical_losses(rule, cases.labels, cases.models, clip, sizes, rare)
    if not all(np.isfinite(losses).all() for losses in (base, *changes)):
        return None
    groups = cases.groups
    is_rare = np.isin(cases.labels, rare)
    icc = 0.0
    if groups is not None:
        in_clusters = np.bincount(groups)
        icc = rarer_answer_icc(
            np.bincount(groups[is_rare], minlength=in_clusters.size), in_clusters
        )
    base_rise_fall = np.empty((3, models_a.size))
    for pair, (i, j) in enumerate(zip(models_a, models_b, strict=True)):
        up, down = jumps_between(changes, i, j)
        base_rise_fall[0, pair] = (base[i] - base[j]).mean()
        for row, jumps in ((1, up), (2, down)):
            squares = float(jumps @ jumps)
            if groups is not None:
                cluster_jumps = np.bincount(groups, jumps)
                squares = clustered_squares(squares, float(cluster_jumps @ cluster_jumps), icc)
            base_rise_fall[row, pair] = scaled_mean_jump(squares, float(jumps.sum()), sizes, rare)
    return UnseenCaseVariance(*base_rise_fall)


def class_sizes(labels: Labels, width: int) -> Integers:
    """Return the number of cases of each of `width` classes; of two, without slow bincount."""
    if width > 2:
        return np.bincount(labels, minlength=width)
    ones = np.count_nonzero(labels)
    return np.array([labels.size - ones, ones])


def rare_classes(class_sizes: Integers) -> list[int]:
    """Return the smallest classes that together have few cases, never all classes.

    Few are less than 30% of the cases and less than 1,000.
    """
    counts = class_sizes.tolist()
    order = sorted(range(len(counts)), key=counts.__getitem__)
    cumulative = accumulate(counts[k] for k in order[:-1])
    few = min(FEWEST_INFORMATIVE_CASES, LARGEST_RARE_SHARE * sum(counts))
    return [k for k, size in zip(order, cumulative, strict=False) if size < few]


def hypothetical_losses(
    rule: Rule,
    labels: Labels,
    models: Sequence[Vector],
    clip: float | None,
    class_sizes: Integers,
    rare: list[int],
) -> tuple[Matrix, list[Matrix]]:
    """Return the losses (models, n) without rare classes, and the change of each by a rare class.

    A case of a rare class gets its mean loss over the common classes. The changes are a list with
    one array (models, n) for each rare class: what it would add to the loss of every case.
    """

    def losses_of_class(k: int) -> Matrix:
        """Return the losses (models, n) if all cases were of class k."""
        labels_of_class = np.full_like(labels, k)
        return np.stack([case_losses(rule, labels_of_class, p, clip) for p in models])

    is_rare = np.isin(labels, rare)
    common = [k for k in range(class_sizes.size) if k not in rare]
    base = np.zeros((len(models), labels.size))
    for k in common:
        losses = losses_of_class(k)
        members = labels == k
        base[:, members] = losses[:, members]
        base[:, is_rare] += losses[:, is_rare] * (class_sizes[k] / class_sizes[common].sum())
    with np.errstate(invalid="ignore"):
        return base, [losses_of_class(k) - base for k in rare]


def jumps_between(changes: list[Matrix], i: int, j: int) -> tuple[Vector, Vector]:
    """Return how far up (n,), and how far down (n,), the difference of models i and j would jump.

    That is if a case were of a rare class, of the one that moves it farthest; `changes` has an
    array (models, n) of changes of losses for each rare class.
    """
    jumps = np.stack([change[i] - change[j] for change in changes])
    return np.maximum(jumps.max(axis=0), 0.0), np.maximum(-jumps.min(axis=0), 0.0)


def clustered_squares(squares: float, cluster_squares: float, icc: float) -> float:
    """Return rho sum W^2 + (1 - rho) sum w^2, the sum of squares of jumps in clusters."""
    return squares + icc * max(cluster_squares - squares, 0.0)


def scaled_mean_jump(squares: float, total: float, class_sizes: Integers, rare: list[int]) -> float:
    """Return w / n times the share of the common classes, w = `squares` / `total` of the jumps.

    0 if there are no jumps, as `total` is their sum.
    """
    n = int(class_sizes.sum())
    common_share = 1.0 - int(class_sizes[rare].sum()) / n
    return common_share * squares / total / n if total > 0.0 else 0.0


def surprise_failures(
    rule: Rule,
    cases: Forecasts,
    clip: float | None,
    pairs: tuple[Integers, Integers],
    claim: Claim,
    pvalue: Any,
) -> UnseenFailures | None:
    """Return the unseen failures that would explain significant differences of pairs of models.

    Such a failure, or surprise, is the outcome of a case that costs the better model most compared
    with the other one. A model for which every true class was the likeliest may fail where the
    other does not. None if no p-value is small, cases are many or a loss would be infinite.
    """
    if not np.any(pvalue <= ALPHA) or cases.labels.size > MOST_ITEMS:
        return None
    width = 2 if cases.models[0].ndim == 1 else cases.models[0].shape[1]
    losses = forecast_losses(rule, cases, clip)
    losses_by_class = [
        np.stack([case_losses(rule, np.full_like(cases.labels, k), p, clip) for p in cases.models])
        for k in range(width)
    ]
    if not all(np.isfinite(some).all() for some in (losses, *losses_by_class)):
        return None
    never_wrong = (losses <= np.minimum.reduce(losses_by_class)).all(axis=1)
    distances = np.empty((2, pairs[0].size))  # how far failures of the first, or second, may move d
    for row, (failing, other) in zip(distances, (pairs, pairs[::-1]), strict=True):
        for pair, (i, j) in enumerate(zip(failing, other, strict=True)):
            losses_of_other = [
                losses if never_wrong[i] else class_losses for class_losses in losses_by_class
            ]  # a model never wrong so far may fail while the other has the loss it has
            worst = np.maximum.reduce(
                [x[i] - y[j] for x, y in zip(losses_by_class, losses_of_other, strict=True)]
            )
            row[pair] = (worst - (losses[i] - losses[j])).mean()
    n = cases.labels.size
    groups = cases.groups
    units = n if groups is None else n * n / float(np.square(np.bincount(groups)).sum())
    means = losses.mean(axis=1)
    alternative = OPPOSITE.get(claim.alternative, claim.alternative)
    lead = means[pairs[1]] - means[pairs[0]]
    return unseen_failures(lead, distances, float(units), alternative, claim.margin)


class UnseenVarianceEnds(NamedTuple):
    """Interval ends that invert the test with the variance of rare classes."""

    estimate: float
    standard_error: float
    df: float
    unseen: UnseenCaseVariance

    def low(self, alpha: float) -> float:
        """Return the lower end of the interval with `alpha` below it."""
        q = student_quantile(alpha, self.df)
        return float(self.unseen.low(self.estimate, self.standard_error, q))

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it."""
        q = student_quantile(alpha, self.df)
        return float(self.unseen.high(self.estimate, self.standard_error, q))


def unseen_variance_test(
    estimate: float, error: float, df: float, unseen: UnseenCaseVariance, claim: Claim
) -> Inference:
    """Return the t-test with at least the variance of rare classes under the null hypothesis."""

    def t_statistic(null: float) -> float:
        """Return t for this difference under the null hypothesis, which determines the error."""
        return ratio(estimate - null, float(unseen.error(null, error)))

    statistic, p = score_pvalue(t_statistic, *claim, df)
    shown_error = error if error > 0.0 else float(unseen.error(0.0, error))
    return infer_difference(estimate, shown_error, statistic, p, *claim)
