"""Designs that generate trials: binormal scores, correlated folds, a user's function or data.

From a user's data, units (rows or clusters of them) are resampled with replacement, and the models'
values are moved to one mean or exchanged at random, so that no model is better.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import invalid_type, invalid_value
from .._base.types import Integers, Matrix, Vector
from .._inference.pvalues import f_pvalues, normal_pvalues, normal_quantile, ratios, student_pvalues
from .._inference.roots import bisect
from .._inputs.options import check_amount, check_within
from .._inputs.plans.simulations import check_correlation, check_count
from .._resampling.weights import strata_thresholds
from ..auc._delong.batch import compare_problems, difference_variances
from ..kernels.drawing.streams import LANES
from ..kernels.tables.folds import rm_anova_rows
from ..kernels.trials.binormal import bootstrap_rows, draw_scores, permutation_rows
from ..kernels.trials.score_tables import corrected_rows, draw_rounds

NUMBERS = 1 << 19  # random numbers in a block of trials: some MB
TRIALS = 512  # in a block, at most: some 10 ms


class Design(ABC):
    """A data-generating process for trials, with the tests for such data.

    A trial depends only on the seed and its number. Subclasses define `draw`, or `pvalues`.
    """

    _tests: ClassVar[Mapping[str, Any]] = {}  # from a design and its samples to p-values
    draw: Callable[..., Any]

    @property
    def tests(self) -> tuple[str, ...]:
        """The names of the tests that run compiled."""
        return tuple(self._tests)

    @property
    @abstractmethod
    def size(self) -> int:
        """The sample size: what `at` changes."""

    @property
    def least(self) -> int:
        """The smallest sample size."""
        return 2

    @abstractmethod
    def at(self, size: int) -> Self:
        """Return the same design with another sample size."""

    def check_effect(self, effect: float) -> None:  # noqa: B027 most designs take any
        """Raise if the design cannot have such an effect; by default any is possible."""

    def pvalues(self, names: Sequence[str], trials: range, *, seed: int, effect: float) -> Matrix:
        """Return the p-values (tests, trials), NaN where a test is not defined."""
        samples = self.draw(trials, seed=seed, effect=effect)
        return np.stack([self._tests[name](self, samples) for name in names])

    @abstractmethod
    def sample(self, trial: int, *, seed: int, effect: float = 0.0) -> tuple[Any, ...]:
        """Return the data of a trial, as a test takes them."""

    @property
    def numbers(self) -> int:
        """The number of random numbers of a trial."""
        return self.size

    def blocks(self, n_trials: int) -> list[range]:
        """Return the trials in blocks large enough for one call each."""
        step = max(1, min(TRIALS, NUMBERS // self.numbers))
        return [range(start, min(start + step, n_trials)) for start in range(0, n_trials, step)]


class DrawnScores(NamedTuple):
    """Labels (1, n) and the scores (B, n) of two models; the first trial's number, and the seed."""

    labels: NDArray[np.uint8]
    a: Matrix
    b: Matrix
    first: np.uint64
    seed: np.uint64


def delong_pvalues(design: "BinormalScores", samples: DrawnScores) -> Vector:
    """Return the p-values of DeLong's test."""
    m, n = design.n_positive, design.n_negative
    wins, squares, _ = compare_problems(samples.labels, samples.a, samples.b, 1)
    error = np.sqrt(difference_variances(squares, m, n))
    estimate = (wins[:, 0] - wins[:, 1]) / (2.0 * m * n)
    return normal_pvalues(ratios(estimate, error), error, "two-sided")


def permutation_pvalues(design: "BinormalScores", samples: DrawnScores) -> Vector:
    """Return the p-values of Bandos' permutation test."""
    labels, a, b, first, seed = samples
    p = np.empty(len(a))
    permutation_rows(labels[0], a, b, first, seed, design.n_resamples, p)
    return p


def bootstrap_differences(design: "BinormalScores", samples: DrawnScores) -> NDArray[np.int64]:
    """Return 2 m n times the difference of the AUCs in bootstrap replicates (B, replicates)."""
    labels, a, b, first, seed = samples
    rates = strata_thresholds((design.n_positive, design.n_negative))
    n_drawn = -(-design.n_resamples // LANES) * LANES  # whole blocks of replicates
    differences = np.empty((len(a), n_drawn), np.int64)
    bootstrap_rows(labels[0], a, b, first, seed, *rates, differences)
    return differences[:, : design.n_resamples]


def percentile_pvalues(design: "BinormalScores", samples: DrawnScores) -> Vector:
    """Return the p-values that the percentile interval inverts to."""
    differences = bootstrap_differences(design, samples)
    below = (differences <= 0).sum(axis=1)
    above = (differences >= 0).sum(axis=1)
    one_tail: Vector = (1.0 + np.minimum(below, above)) / (1.0 + design.n_resamples)
    return np.minimum(1.0, 2.0 * one_tail)


def bootstrap_normal_pvalues(design: "BinormalScores", samples: DrawnScores) -> Vector:
    """Return normal p-values of the difference over the standard deviation of its replicates."""
    wins, *_ = compare_problems(samples.labels, samples.a, samples.b, 1)
    error = bootstrap_differences(design, samples).std(axis=1, ddof=1)
    difference = (wins[:, 0] - wins[:, 1]).astype(np.float64)  # 2 m n times that of the AUCs
    return normal_pvalues(ratios(difference, error), error, "two-sided")


BINORMAL_TESTS: Mapping[str, Callable[["BinormalScores", DrawnScores], Vector]] = {
    "delong": delong_pvalues,
    "permutation": permutation_pvalues,
    "bootstrap_percentile": percentile_pvalues,
    "bootstrap_normal": bootstrap_normal_pvalues,
}


@dataclass(frozen=True, kw_only=True)
class BinormalScores(Design):
    """Binormal scores of two models on the same cases, with given AUCs and correlation.

    Negatives have standard normal scores; positives have normal scores with variance 1, shifted to
    give the AUC.

    Parameters
    ----------
    n_positive, n_negative : int, default=100
        Number of cases per trial.
    auc : float, default=0.8
        The AUC of both models if the effect is 0, in (0, 1).
    correlation : float, default=0.5
        Correlation of the two models' scores within a class, in (-1, 1).
    n_resamples : int, default=499
        Number of replicates of the permutation and bootstrap tests.

    Attributes
    ----------
    tests : tuple of str
        'delong', 'permutation' (of `permutation_auc_test`, always drawn), 'bootstrap_percentile'
        and 'bootstrap_normal' (of `bootstrap_auc_test`).

    Notes
    -----
    The effect is the AUC of the first model minus that of the second: half of it is added to the
    first AUC and half subtracted from the second. A `sample` is ``(y_true, y_score_a, y_score_b)``.

    References
    ----------
    .. [1] D. D. Dorfman, E. Alf (1969), doi:10.1016/0022-2496(69)90019-4 (the binormal model).

    Examples
    --------
    >>> import fastcompare as fc
    >>> design = fc.simulate.BinormalScores(n_positive=20, n_negative=80, auc=0.7)
    >>> result = fc.simulate_error_rates("delong", design, n_trials=2000, effect=0.2, rng=0)
    >>> bool(result.rate[0] > 0.5)
    True
    """

    n_positive: int = 100
    n_negative: int = 100
    auc: float = 0.8
    correlation: float = 0.5
    n_resamples: int = 499
    _tests: ClassVar[Mapping[str, Any]] = BINORMAL_TESTS

    def __post_init__(self) -> None:
        """Raise for a design that cannot be meant."""
        check_count("n_positive", self.n_positive, 1, 1 << 24)
        check_count("n_negative", self.n_negative, 1, 1 << 24)
        check_within("auc", self.auc)
        check_within("correlation", self.correlation, -1.0)
        check_count("n_resamples", self.n_resamples, 19, 1 << 20)

    @property
    def size(self) -> int:
        """The number of cases."""
        return self.n_positive + self.n_negative

    def at(self, size: int) -> Self:
        """Return the design with this total number of cases, in the same ratio of classes."""
        check_count("size", size, 2)
        m = min(max(1, round(size * self.n_positive / self.size)), size - 1)
        return replace(self, n_positive=m, n_negative=size - m)

    def check_effect(self, effect: float) -> None:
        """Raise unless both AUCs stay within (0, 1)."""
        if not (self.auc - 0.5 * abs(effect) > 0.0 and self.auc + 0.5 * abs(effect) < 1.0):
            raise invalid_value(
                "effect",
                "must leave AUCs between 0 and 1",
                end=f", got {effect} around {self.auc}.",
            )

    def draw(self, trials: range, *, seed: int, effect: float) -> DrawnScores:
        """Return the labels and scores of some trials."""
        labels = np.zeros((1, self.size), np.uint8)
        labels[0, : self.n_positive] = 1
        a, b = np.empty((2, len(trials), self.size))
        aucs = (self.auc + 0.5 * effect, self.auc - 0.5 * effect)
        # minus, since `normal_quantile` is that of the upper tail
        shift = np.array([-math.sqrt(2.0) * normal_quantile(auc) for auc in aucs])
        first = np.uint64(trials.start)
        key = np.uint64(seed)
        draw_scores(shift, float(self.correlation), self.n_positive, first, key, a, b)
        return DrawnScores(labels, a, b, first, key)

    def sample(self, trial: int, *, seed: int, effect: float = 0.0) -> tuple[Any, ...]:
        """Return the labels and both models' scores."""
        samples = self.draw(range(trial, trial + 1), seed=seed, effect=effect)
        return samples.labels[0], samples.a[0], samples.b[0]


LARGEST = 1e9  # cases
Tables = NDArray[np.float64]


def ttest_pvalues(scores: Tables, ratio: float) -> Vector:
    """Return the p-values of Nadeau and Bengio's t-test of the first two models.

    `ratio` is n_test / n_train, 0 for no correction.
    """
    d = np.ascontiguousarray(scores[:, :, 0] - scores[:, :, 1])
    t = np.empty(len(scores))
    corrected_rows(d, float(ratio), t)
    return student_pvalues(t, d.shape[1] - 1, "two-sided")


def anova_statistics(scores: Tables) -> tuple[Vector, Vector]:
    """Return F and Greenhouse and Geisser's epsilon of each table."""
    f, epsilon = np.empty((2, len(scores)))
    rm_anova_rows(scores, f, epsilon)
    return f, epsilon


def rm_anova_pvalues(scores: Tables, ratio: float) -> Vector:
    """Return the p-values of the F test, corrected for `ratio` = n_test / n_train."""
    _, rounds, k = scores.shape
    f, _ = anova_statistics(scores)
    return f_pvalues(f / (1.0 + rounds * ratio), k - 1, (k - 1) * (rounds - 1))


def greenhouse_geisser_pvalues(scores: Tables) -> Vector:
    """Return p-values of F with Greenhouse and Geisser's degrees of freedom, for `ratio` 0."""
    _, rounds, k = scores.shape
    f, epsilon = anova_statistics(scores)
    return f_pvalues(f, epsilon * (k - 1), epsilon * ((k - 1) * (rounds - 1)))


FOLD_TESTS: Mapping[str, Callable[["CorrelatedFolds", Tables], Vector]] = {
    "ttest_resampled": lambda _, scores: ttest_pvalues(scores, 0.0),
    "ttest_corrected": lambda design, scores: ttest_pvalues(scores, design.ratio),
    "rm_anova": lambda _, scores: rm_anova_pvalues(scores, 0.0),
    "rm_anova_greenhouse_geisser": lambda _, scores: greenhouse_geisser_pvalues(scores),
    "rm_anova_corrected": lambda design, scores: rm_anova_pvalues(scores, design.ratio),
}


@dataclass(frozen=True, kw_only=True)
class CorrelatedFolds(Design):
    """Scores of k models in J correlated rounds, as from cross-validation of one data set.

    Scores are normal. Those of one model are correlated between rounds, because training sets
    overlap; Nadeau and Bengio assume a correlation of ``n_test / (n_train + n_test)``.

    Parameters
    ----------
    n_rounds : int, default=10
        Number J of rounds per trial.
    n_models : int, default=3
        Number k of models; t-tests compare the first two.
    n_train, n_test : float, default=90 and 10
        Numbers of training and test cases per round, used by the corrected tests.
    correlation : float, optional
        Correlation of a model's scores in two rounds, in [0, 1); by default ``n_test / (n_train +
        n_test)``. At 0 the rounds are independent, like those on different data sets.
    last_deviation : float, default=1
        The standard deviation of the last model's scores, relative to that of the others. Unless it
        is 1, differences between models have unequal variances, and the uncorrected F-test is
        invalid.

    Attributes
    ----------
    tests : tuple of str
        'ttest_resampled', which assumes independent rounds, and 'ttest_corrected' of the first two
        models; 'rm_anova', 'rm_anova_greenhouse_geisser' and 'rm_anova_corrected' (by the sizes,
        like `rm_anova_test` with ``sphericity='none'``) of all.

    Notes
    -----
    The effect is the first model's mean score minus that of the others, in standard deviations of a
    score. A `sample` is ``(scores,)``, an array (J, k).

    References
    ----------
    .. [1] C. Nadeau, Y. Bengio (2003), doi:10.1023/A:1024068626366.

    Examples
    --------
    >>> import fastcompare as fc
    >>> design = fc.simulate.CorrelatedFolds(n_rounds=30)
    >>> result = fc.simulate_error_rates(
    ...     ["ttest_resampled", "ttest_corrected"], design, n_trials=4000, rng=0
    ... )
    >>> result.rate.round(2)
    array([0.34, 0.05])
    """

    n_rounds: int = 10
    n_models: int = 3
    n_train: float = 90.0
    n_test: float = 10.0
    correlation: float | None = None
    last_deviation: float = 1.0
    _tests: ClassVar[Mapping[str, Any]] = FOLD_TESTS

    def __post_init__(self) -> None:
        """Raise for a design that cannot be meant."""
        check_count("n_rounds", self.n_rounds, 2, 1 << 20)
        check_count("n_models", self.n_models, 2, 1 << 10)
        check_within("n_train", self.n_train, 0.0, LARGEST)
        check_within("n_test", self.n_test, 0.0, LARGEST)
        check_amount("last_deviation", self.last_deviation, 0.0)
        check_correlation(self.between_rounds)

    @property
    def size(self) -> int:
        """The number of rounds."""
        return self.n_rounds

    @property
    def numbers(self) -> int:
        """The number of random numbers of a trial."""
        return self.n_rounds * self.n_models

    @property
    def ratio(self) -> float:
        """The number of test cases of a round over that of training cases."""
        return self.n_test / self.n_train

    @property
    def between_rounds(self) -> float:
        """The correlation of the scores of a model in two rounds."""
        if self.correlation is None:
            return self.n_test / (self.n_train + self.n_test)
        return self.correlation

    def at(self, size: int) -> Self:
        """Return the design with another number of rounds, of the same sizes."""
        return replace(self, n_rounds=size)

    def draw(self, trials: range, *, seed: int, effect: float) -> Tables:
        """Return the scores (B, J, k) of some trials."""
        scores = np.empty((len(trials), self.n_rounds, self.n_models))
        means, deviations = np.zeros(self.n_models), np.ones(self.n_models)
        means[0] = effect
        deviations[-1] = self.last_deviation
        first = np.uint64(trials.start)
        key = np.uint64(seed)
        draw_rounds(float(self.between_rounds), means, deviations, first, key, scores)
        return scores

    def sample(self, trial: int, *, seed: int, effect: float = 0.0) -> tuple[Any, ...]:
        """Return the scores (J, k) of one trial."""
        return (self.draw(range(trial, trial + 1), seed=seed, effect=effect)[0],)


@dataclass(frozen=True)
class FunctionDesign(Design):
    """A design from a user's function `draw(rng, effect)`, for tests that are functions, too."""

    draw: Callable[..., Any]

    def __str__(self) -> str:
        """Return the name of the function, without the address that differs each time."""
        return str(getattr(self.draw, "__qualname__", type(self.draw).__name__))

    @property
    def size(self) -> int:
        """A nominal size: the user's function is slow, so blocks of trials are small."""
        return 1 << 14

    def at(self, size: int) -> Self:
        """Raise: only the user can change the sample size of a function."""
        raise invalid_value(
            "design", "is a function, whose sample size is unknown", end=": pass one for each size."
        )

    def sample(self, trial: int, *, seed: int, effect: float = 0.0) -> tuple[Any, ...]:
        """Return the data of a trial."""
        rng = np.random.Generator(np.random.Philox(key=[seed, trial]))
        data = self.draw(rng, effect)
        return data if isinstance(data, tuple) else (data,)


def as_design(design: object) -> Design:
    """Return a design: the one passed, or a `FunctionDesign` of a function; or raise."""
    if isinstance(design, Design):
        return design
    if callable(design) and not isinstance(design, type):
        return FunctionDesign(design)
    raise invalid_type(
        "design",
        "must be a design of fastcompare.simulate, such as DietterichClassifiers(), or a "
        "function of (rng, effect) that returns the arguments of the tests",
        design,
    )


ROUNDING = 1e-15  # of differences that are the same in all rounds, relative to the scores
STEPPED = 0.1  # times 1 / positives: by how much AUCs that were made equal may still differ
STEPS = 400  # of the shift, between which the AUC is taken to be a straight line
Draw = Callable[[np.random.Generator, float], tuple[Any, ...]]
MANY = 1 << 62


@dataclass(frozen=True)
class DataDesign:
    """A design from the user's data: how to draw data with a given difference, and the test.

    `scale` and `most` say in which range of differences to look for the power.
    """

    draw: Draw
    test: Callable[..., float]
    name: str
    n: int
    units: str
    scale: float  # of the standard error of a difference; 0 where models do not differ anywhere
    most: float  # the largest difference that there can be
    quantity: str
    conditions: str  # what of the user's data stays as it is, and what does not
    most_trials: int = MANY
    unknown: str = ""  # why the type I error cannot be estimated from the data
    resample: Callable[[np.random.Generator], "DataDesign"] | None = None  # of a sample like it


@dataclass(frozen=True)
class Units:
    """Rows (n, k) to resample, and the row numbers of each cluster if clusters are resampled."""

    rows: Matrix
    members: tuple[Integers, ...] | None

    @classmethod
    def of(cls, rows: Matrix, groups: Any) -> "Units":
        """Return rows as units, or in clusters if `groups` has the cluster of each."""
        if groups is None:
            return cls(rows, None)
        _, numbers = np.unique(np.asarray(groups), return_inverse=True)
        order = np.argsort(numbers.ravel(), kind="stable")
        ends = np.cumsum(np.bincount(numbers.ravel()))[:-1]
        return cls(rows, tuple(np.split(order, ends)))

    def resample_rows(self, rng: np.random.Generator) -> tuple[Integers, Integers]:
        """Return the numbers of rows resampled with replacement, and each one's drawn unit.

        Units are numbered as drawn, so that a unit which is drawn twice becomes two.
        """
        if self.members is None:
            n = len(self.rows)
            return rng.integers(0, n, n), np.arange(n)
        chosen = rng.integers(0, len(self.members), len(self.members))
        clusters = [self.members[i] for i in chosen.tolist()]
        sizes = [cluster.size for cluster in clusters]
        return np.concatenate(clusters), np.repeat(np.arange(len(clusters)), sizes)


def exchange_models(rows: Matrix, unit: Integers, rng: np.random.Generator) -> Matrix:
    """Return rows with their columns (models) in random order, the same in all rows of a unit.

    `unit` (n,) is the number of each row's unit, from 0 and ascending.
    """
    keys = rng.random((int(unit[-1]) + 1, rows.shape[1]))
    order = np.argsort(keys, axis=1)[unit]
    return np.asarray(np.take_along_axis(rows, order, axis=1), dtype=float)


def centre_columns(rows: Matrix) -> Matrix:
    """Return rows with columns shifted to equal means, the mean of all values."""
    moved: Matrix = rows - (rows.mean(axis=0) - rows.mean())
    return moved


def largest_standard_error(rows: Matrix) -> float:
    """Return the largest standard error of the mean difference between the first and another model.

    0 if all differences are the same in all rows.
    """
    d = rows[:, :1] - rows[:, 1:]
    largest = math.sqrt(float(np.max(d.var(axis=0))) / len(rows))
    return largest if largest > ROUNDING * float(np.abs(rows).max(initial=0.0)) else 0.0


def exchanged_standard_error(rows: Matrix) -> float:
    """Return the largest standard error of the mean difference between the first and another model.

    If models are exchanged at random, so that the expected difference is 0; 0 if the first does not
    differ from others in any row.
    """
    d = rows[:, :1] - rows[:, 1:]
    return math.sqrt(float(np.max((d * d).mean(axis=0))) / len(rows))


def normal_ranks(table: Matrix) -> Matrix:
    """Return the normal scores of each column: quantiles of (midrank - 3/8) / (n + 1/4)."""
    from scipy.special import ndtri

    columns = []
    for column in table.T:
        _, number, count = np.unique(column, return_inverse=True, return_counts=True)
        midranks = np.cumsum(count) - 0.5 * (count - 1.0)
        columns.append(midranks[number.ravel()])
    ranks = np.column_stack(columns)
    return np.asarray(ndtri((ranks - 0.375) / (len(table) + 0.25)), dtype=float)


def with_common_auc(rows: Matrix, y: Integers) -> Matrix:
    """Return scores with the positives of each model shifted so that all have the mean AUC.

    NaN for a model where no shift does so: AUCs of few different scores change in steps.
    """
    moved = np.array(rows, dtype=float)
    by_class = [(column[y == 1], np.sort(column[y == 0])) for column in rows.T]
    target = float(np.mean([mann_whitney_auc(*classes) for classes in by_class]))
    for j, (positive, negative) in enumerate(by_class):
        shift = shift_for_auc(target, positive, negative)
        error = abs(mann_whitney_auc(positive + shift, negative) - target)
        moved[y == 1, j] += shift if error * positive.size < STEPPED else math.nan
    return moved


def shift_for_auc(target: float, positive: Vector, negative: Vector) -> float:
    """Return the shift of the positives' scores that brings the AUC closest to the target."""
    widest = 1.0 + float(np.ptp(np.concatenate((positive, negative))))

    def distance(shift: float) -> float:
        """Return the AUC after a shift, less the target."""
        return mann_whitney_auc(positive + shift, negative) - target

    ends = bisect(lambda shift: distance(shift) < 0.0, -widest, widest)
    return min(ends, key=lambda shift: abs(distance(shift)))


def mann_whitney_auc(positive: Vector, negative: Vector) -> float:
    """Return the AUC from the scores of positives, and of negatives in ascending order."""
    # negatives below a positive, without ties and with them
    below = [np.searchsorted(negative, positive, side).mean() for side in ("left", "right")]
    return float(np.mean(below)) / negative.size


def auc_gain_by_shift(rows: Matrix, y: Integers) -> tuple[Vector, Vector]:
    """Return `STEPS` shifts of the positives' scores, and how much each raises the pooled AUC.

    The pooled AUC compares the scores of all models, those in `rows` (n, k).
    """
    positive = rows[y == 1].ravel()
    negative = np.sort(rows[y == 0].ravel())
    widest = float(negative[-1] - positive.min())
    shifts = np.linspace(0.0, max(widest, 1e-9) * 1.001, STEPS)
    aucs = np.array([mann_whitney_auc(positive + shift, negative) for shift in shifts.tolist()])
    return shifts, aucs - aucs[0]


def draw_outcomes(x: Vector, nu: float, rng: np.random.Generator) -> Vector:
    """Return random outcomes of battles for the first model, 1, 0.5 or 0, by Davidson's model.

    `x` are the differences of log strengths, `nu` is the parameter of ties.
    """
    win = np.exp(0.5 * x)
    loss = np.exp(-0.5 * x)
    uniform = rng.random(x.size) * (win + nu + loss)
    return np.where(uniform < win, 1.0, np.where(uniform < win + nu, 0.5, 0.0))
