"""Dietterich's simulated classifiers, whose error rates are equal, and their tests."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import invalid_value
from .._base.types import Matrix, Vector
from .._inference.pvalues import f_pvalues, normal_pvalues, ratios, student_pvalues
from .._inputs.options import check_amount, check_choice, check_flag, check_within
from .._inputs.plans.simulations import check_count
from ..kernels.trials.dietterich import HIGH, Setting, draw_cases, draw_trials, split_once
from ..kernels.trials.score_tables import corrected_rows, f_5x2cv_rows, t_5x2cv_rows
from ..labels._mcnemar_pairwise import mcnemar_pvalues
from .designs import Design

SCHEMES = ("split", "resampled", "folds", "halves")
N_ROUNDS = 5


class TrialErrors(NamedTuple):
    """Errors of two models in B trials, by scheme (one split, random splits, folds, halves).

    Counts (B, 3) of only A, only B, both wrong; differences of error rates (B, splits), (B, folds),
    (B, 5, 2).
    """

    counts: NDArray[np.int64]
    resampled: Matrix
    folds: Matrix
    halves: NDArray[np.float64]


class ProgramOptions(NamedTuple):
    """Sizes of one split, and what programs do otherwise than the paper."""

    n_train: int
    n_test: int
    one_tail: bool  # t-tests never reject for a negative t
    last_round: bool  # the t of 5x2cv has the difference of the last round, not of the first


Test = Callable[[TrialErrors, ProgramOptions], Vector]


def mcnemar_normal_pvalues(errors: TrialErrors, options: ProgramOptions, *, less: int) -> Vector:
    """Return the p-values of McNemar's normal test on one split.

    `less` is 1 for the continuity correction, else 0.
    """
    only_a, only_b, _ = errors.counts.T
    difference = np.abs(only_a - only_b)
    discordant = np.maximum(only_a + only_b, 1)  # without any z is 0 / 1
    z = np.maximum(difference - less, 0) / np.sqrt(discordant)
    return normal_pvalues(z, np.ones(z.shape), "two-sided")


def mcnemar_binomial_pvalues(
    errors: TrialErrors, options: ProgramOptions, *, method: str
) -> Vector:
    """Return the p-values of McNemar's exact or mid-p test (`method`) on one split."""
    only_a, only_b, _ = errors.counts.T
    methods = np.full(only_a.shape, method)
    _, pvalues = mcnemar_pvalues(only_b, only_a, methods, alternative="two-sided")
    return pvalues


def two_proportions_pvalues(errors: TrialErrors, options: ProgramOptions) -> Vector:
    """Return the p-values of the pooled z test of two proportions, as if cases were different."""
    only_a, only_b, both = errors.counts.T
    n = options.n_test
    pooled = (only_a + only_b + 2 * both) / (2 * n)
    error = np.sqrt(2.0 * pooled * (1.0 - pooled) / n)
    return normal_pvalues(ratios((only_a - only_b) / n, error), error, "two-sided")


def ttest_pvalues(t: Vector, df: int, options: ProgramOptions) -> Vector:
    """Return two-sided p-values of t; with `options.one_tail` they are 1 for negative t."""
    p = student_pvalues(t, df, "two-sided")
    return np.where(t < 0.0, 1.0, p) if options.one_tail else p


def rounds_ttest(scheme: str, corrected: bool) -> Test:
    """Return the paired t-test of the rounds of `scheme` as a function of errors and options."""

    def pvalues(errors: TrialErrors, options: ProgramOptions) -> Vector:
        """Return the p-values (trials,) of the t test of each trial's rounds."""
        differences: Matrix = getattr(errors, scheme)
        ratio = options.n_test / options.n_train if corrected else 0.0
        t = np.empty(len(differences))
        corrected_rows(differences, ratio, t)
        return ttest_pvalues(t, differences.shape[1] - 1, options)

    return pvalues


def t_5x2cv_pvalues(errors: TrialErrors, options: ProgramOptions) -> Vector:
    """Return the p-values of Dietterich's 5x2cv t test."""
    # the statistic has the first round's difference: reversed, the last round's
    halves = errors.halves[:, ::-1].copy() if options.last_round else errors.halves
    t = np.empty(len(halves))
    t_5x2cv_rows(halves, t)
    return ttest_pvalues(t, N_ROUNDS, options)


def f_5x2cv_pvalues(errors: TrialErrors, options: ProgramOptions) -> Vector:
    """Return the p-values of Alpaydin's 5x2cv F test."""
    f = np.empty(len(errors.halves))
    f_5x2cv_rows(errors.halves, f)
    return f_pvalues(f, 2 * N_ROUNDS, N_ROUNDS)


class SchemeTest(NamedTuple):
    """The scheme of errors that a test takes, and the function from errors to p-values."""

    scheme: str
    pvalues: Test


TESTS: Mapping[str, SchemeTest] = {
    "mcnemar_corrected": SchemeTest("split", partial(mcnemar_normal_pvalues, less=1)),
    "mcnemar_asymptotic": SchemeTest("split", partial(mcnemar_normal_pvalues, less=0)),
    "mcnemar_midp": SchemeTest("split", partial(mcnemar_binomial_pvalues, method="midp")),
    "mcnemar_exact": SchemeTest("split", partial(mcnemar_binomial_pvalues, method="exact")),
    "two_proportions": SchemeTest("split", two_proportions_pvalues),
    "ttest_resampled": SchemeTest("resampled", rounds_ttest("resampled", corrected=False)),
    "ttest_corrected": SchemeTest("resampled", rounds_ttest("resampled", corrected=True)),
    "ttest_kfold": SchemeTest("folds", rounds_ttest("folds", corrected=False)),
    "ttest_5x2cv": SchemeTest("halves", t_5x2cv_pvalues),
    "ftest_5x2cv": SchemeTest("halves", f_5x2cv_pvalues),
}


# by `training`, for each of SCHEMES: how often a round keeps the answer that rounds share
SAME_ANSWER_SHARES: Mapping[str, list[float] | None] = {
    "paper": [1.0, 1.0, 0.0, 1.0],
    "same": [1.0, 1.0, 1.0, 1.0],
    "beta": [1.0, 0.0, 0.0, 0.0],
    "overlap": None,
}


@dataclass(frozen=True, kw_only=True)
class DietterichClassifiers(Design):
    """Dietterich's design: two classifiers that err on different halves of the population.

    In the first half of the population model A errs with probability ``epsilon / 2`` and B with ``3
    epsilon / 2``, in the second half the reverse. So their error rates are equal, although they err
    on different cases. There is no learning: a model's answer to a case does not depend on the
    training cases, unless specified by `training`.

    Parameters
    ----------
    n : int, default=300
        Number of cases per trial.
    epsilon : float, default=0.1
        The error rate of both models.
    first_half_ratio : float, default=0.5
        The proportion of the population in the first half; unless it is 0.5 the error rates differ.
    fixed_halves : bool, default=False
        Whether every sample has exactly this proportion of cases from the first half. Dietterich
        draws each case from the population.
    n_test : int, optional
        Number of test cases of a split, for tests on one split and on random splits; by default a
        third of `n`.
    n_splits : int, default=30
        Number of random splits of the resampled tests.
    n_folds : int, default=10
        Number of folds of the cross-validated t-test.
    training : {'paper', 'same', 'beta', 'overlap'}, default='paper'
        How answers depend on the training sets of the rounds. 'same': not at all, each case has the
        same answer in all rounds. 'beta': answers are drawn anew in each round, with error rates
        that differ by up to `beta`, drawn for every round and model. 'paper': 'beta' in folds,
        otherwise 'same'. 'overlap': the proportion of cases with the same answer in two rounds is
        the overlap of their training sets: 2 / 3 for random splits, (k - 2) / (k - 1) for k folds,
        1 / 2 for halves.
    beta : float, default=0.02
        The largest deviation of an error rate in a round.
    one_tail : bool, default=False
        Count a t-test as significant only if A has the higher error rate, at the critical value of
        the two-sided test, as in programs that forget the absolute value.
    last_round : bool, default=False
        In the 5x2cv t-test, use the difference in the first half of the last round instead of the
        first round.

    Attributes
    ----------
    tests : tuple of str
        'mcnemar_corrected' (Dietterich's), 'mcnemar_asymptotic', 'mcnemar_midp', 'mcnemar_exact',
        'two_proportions', 'ttest_resampled', 'ttest_corrected' (of the same splits), 'ttest_kfold',
        'ttest_5x2cv', 'ftest_5x2cv'.

    Notes
    -----
    The effect is the error rate of A minus that of B: half of it is added to A's and half
    subtracted from B's. A `sample` is ``(y_true, y_pred_a, y_pred_b)`` for the test cases of one
    split.

    References
    ----------
    .. [1] T. G. Dietterich (1998), Neural Computation 10, doi:10.1162/089976698300017197.

    Examples
    --------
    >>> import fastcompare as fc
    >>> design = fc.simulate.DietterichClassifiers()
    >>> result = fc.simulate_error_rates(["ttest_resampled"], design, n_trials=1000, rng=0)
    >>> bool(result.rate[0] > 0.5)
    True
    """

    n: int = 300
    epsilon: float = 0.1
    first_half_ratio: float = 0.5
    fixed_halves: bool = False
    n_test: int | None = None
    n_splits: int = 30
    n_folds: int = 10
    training: str = "paper"
    beta: float = 0.02
    one_tail: bool = False
    last_round: bool = False
    _tests: ClassVar[Mapping[str, Any]] = TESTS

    def __post_init__(self) -> None:
        """Raise for a design that cannot be meant."""
        check_count("n", self.n, 6, 1 << 20)
        check_count("n_splits", self.n_splits, 2, 1 << 10)
        check_count("n_folds", self.n_folds, 2, self.n // 2)
        check_count("n_test", self.held_out, 2, self.n - 1)
        check_within("first_half_ratio", self.first_half_ratio)
        check_choice("training", self.training, SAME_ANSWER_SHARES)
        for name in ("fixed_halves", "one_tail", "last_round"):
            check_flag(name, getattr(self, name))
        check_amount("beta", self.beta, 0.0)
        if not self.epsilon > 0.0 or HIGH * (self.epsilon + self.beta) > 1.0:
            raise invalid_value(
                "epsilon",
                "must be above 0, and 3/2 of `epsilon` + `beta` at most 1",
                end=f": an error rate, got {self.epsilon!r} and {self.beta!r}.",
            )

    @classmethod
    def as_printed(cls) -> Self:
        """Return the design of a widely copied program, whose rates differ from the paper's.

        Each half is exactly half of the 300 cases, 99 are test cases, t-tests reject in one tail
        only, 5x2cv uses the last round, and nothing varies between folds.
        """
        return cls(fixed_halves=True, n_test=99, training="same", one_tail=True, last_round=True)

    @property
    def size(self) -> int:
        """The number of cases."""
        return self.n

    @property
    def held_out(self) -> int:
        """The number of test cases of one split."""
        return self.n // 3 if self.n_test is None else self.n_test

    @property
    def least(self) -> int:
        """The smallest number of cases: two in each fold."""
        return max(6, 2 * self.n_folds)

    def at(self, size: int) -> Self:
        """Return the design with another number of cases, a third of them tested."""
        return replace(self, n=size, n_test=None)

    def check_effect(self, effect: float) -> None:
        """Raise unless both error rates stay within [0, 1]."""
        least = self.epsilon - 0.5 * abs(effect)
        most = HIGH * (self.epsilon + self.beta + 0.5 * abs(effect))
        if least < 0.0 or most > 1.0:
            raise invalid_value(
                "effect",
                "must leave error rates between 0 and 1",
                end=f", got {effect} with epsilon = {self.epsilon}.",
            )

    def setting(self, effect: float) -> Setting:
        """Return the parameters of the design as kernels take them."""
        return Setting(
            n=int(self.n),
            n_test=int(self.held_out),
            n_splits=int(self.n_splits),
            n_folds=int(self.n_folds),
            n_rounds=N_ROUNDS,
            error_a=float(self.epsilon + 0.5 * effect),
            error_b=float(self.epsilon - 0.5 * effect),
            first_half=float(self.first_half_ratio),
            is_fixed=bool(self.fixed_halves),
            beta=float(self.beta if self.training in ("paper", "beta") else 0.0),
        )

    def keep(self) -> Vector:
        """Return for each of SCHEMES the probability that a round keeps a case's common answer.

        Two rounds agree where both keep that answer; with 'overlap' the square of the probability
        is the share that two training sets have in common.
        """
        k = self.n_folds
        by_overlap = [1.0, math.sqrt(2.0 / 3.0), math.sqrt((k - 2) / (k - 1)), math.sqrt(0.5)]
        return np.array(SAME_ANSWER_SHARES[self.training] or by_overlap)

    def errors(self, schemes: set[str], trials: range, *, seed: int, effect: float) -> TrialErrors:
        """Return the models' errors in some trials, for these schemes; zeros for others."""
        size = len(trials)
        errors = TrialErrors(
            np.zeros((size, 3), np.int64),
            np.zeros((size, self.n_splits)),
            np.zeros((size, self.n_folds)),
            np.zeros((size, N_ROUNDS, 2)),
        )
        wanted = np.array([scheme in schemes for scheme in SCHEMES], np.uint8)
        first = np.uint64(trials.start)
        key = np.uint64(seed)
        draw_trials(self.setting(effect), self.keep(), first, key, wanted, *errors)
        return errors

    def pvalues(self, names: Sequence[str], trials: range, *, seed: int, effect: float) -> Matrix:
        """Return the p-values (tests, trials)."""
        schemes = {TESTS[name].scheme for name in names}
        errors = self.errors(schemes, trials, seed=seed, effect=effect)
        options = ProgramOptions(
            n_train=self.n - self.held_out,
            n_test=self.held_out,
            one_tail=self.one_tail,
            last_round=self.last_round,
        )
        return np.stack([TESTS[name].pvalues(errors, options) for name in names])

    def sample(self, trial: int, *, seed: int, effect: float = 0.0) -> tuple[Any, ...]:
        """Return the labels of the test cases, all 0, and what A and B predict for them."""
        setting, number, key = self.setting(effect), np.uint64(trial), np.uint64(seed)
        half, wrong = np.empty((2, self.n), np.uint8)
        order = np.arange(self.n)
        draw_cases(setting, number, key, half, wrong)
        split_once(setting, wrong, order, number, key, np.zeros(3, np.int64))
        wrong_in_test = wrong[order[: self.held_out]]  # bit 0 for A, bit 1 for B
        return np.zeros(wrong_in_test.size, np.uint8), wrong_in_test & 1, wrong_in_test >> 1
