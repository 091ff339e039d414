"""Two models with normal scores in both classes, whose AUCs and correlation are known."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ..._base.exceptions import InvalidValueError
from ..._base.types import Matrix, Vector
from ..._compare.auc.delong.batch import compare_problems, difference_variances
from ..._inference.pvalues import normal_pvalues, normal_quantile, ratios
from ..._inputs.options import check_within
from ..._inputs.simulations import check_count
from ..._resampling.weights import strata_rates
from ...kernels.drawing.philox import LANES
from ...kernels.trials.binormal import bootstrap_rows, draw_scores, permutation_rows
from ..design import Design, stacked


class Drawn(NamedTuple):
    """Labels (1, n) and the scores (B, n) of both models; which trials these are, and the seed."""

    labels: NDArray[np.uint8]
    a: Matrix
    b: Matrix
    first: np.uint64
    seed: np.uint64


@dataclass(frozen=True, kw_only=True)
class BinormalScores(Design):
    """Two models that score the same cases, with chosen AUCs and correlation.

    Negatives have standard normal scores and positives normal ones of variance 1, shifted so that
    the AUC is as chosen.

    Parameters
    ----------
    n_positive, n_negative : int, default=100
        Cases of a trial.
    auc : float, default=0.8
        The AUC of both models without an effect, in (0, 1).
    correlation : float, default=0.5
        Of the two models' scores within a class, in (-1, 1).
    n_resamples : int, default=499
        Replicates of the permutation and bootstrap tests of each trial.

    Attributes
    ----------
    tests : tuple of str
        'delong', 'permutation' (of `permutation_auc_test`, always drawn), 'bootstrap_percentile'
        and 'bootstrap_normal' (of `bootstrap_auc_test`).

    Notes
    -----
    The effect is the AUC of the first model less that of the second: half of it is added to one,
    half taken from the other. A `sample` is ``(y_true, y_score_a, y_score_b)``.

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

    def __post_init__(self) -> None:
        """Raise for a design that cannot be meant."""
        check_count("n_positive", self.n_positive, 1, 1 << 24)
        check_count("n_negative", self.n_negative, 1, 1 << 24)
        check_within("auc", self.auc)
        check_within("correlation", self.correlation, -1.0)
        check_count("n_resamples", self.n_resamples, 19, 1 << 20)

    @property
    def tests(self) -> tuple[str, ...]:
        """The names of the tests that run compiled."""
        return tuple(TESTS)

    @property
    def size(self) -> int:
        """The number of cases."""
        return self.n_positive + self.n_negative

    @property
    def least(self) -> int:
        """The smallest number of cases: one of each class."""
        return 2

    def at(self, size: int) -> Self:
        """Return the design with so many cases in all, in the same ratio."""
        check_count("size", size, 2)
        m = min(max(1, round(size * self.n_positive / self.size)), size - 1)
        return replace(self, n_positive=m, n_negative=size - m)

    def check_effect(self, effect: float) -> None:
        """Raise unless both AUCs stay within (0, 1)."""
        if not (self.auc - 0.5 * abs(effect) > 0.0 and self.auc + 0.5 * abs(effect) < 1.0):
            raise InvalidValueError(
                f"`effect` must leave AUCs between 0 and 1, got {effect} around {self.auc}."
            )

    def draw(self, trials: range, *, seed: int, effect: float) -> Drawn:
        """Return the data of some trials."""
        labels = np.zeros((1, self.size), np.uint8)
        labels[0, : self.n_positive] = 1
        scores = np.empty((2, len(trials), self.size))
        aucs = (self.auc + 0.5 * effect, self.auc - 0.5 * effect)
        shift = np.array([-math.sqrt(2.0) * normal_quantile(auc) for auc in aucs])
        first, key = np.uint64(trials.start), np.uint64(seed)
        draw_scores(shift, float(self.correlation), self.n_positive, first, key, *scores)
        return Drawn(labels, scores[0], scores[1], first, key)

    def pvalues(self, names: Sequence[str], trials: range, *, seed: int, effect: float) -> Matrix:
        """Return the p-values (tests, trials)."""
        drawn = self.draw(trials, seed=seed, effect=effect)
        return stacked(TESTS[name](self, drawn) for name in names)

    def sample(self, trial: int, *, seed: int, effect: float = 0.0) -> tuple[Any, ...]:
        """Return the labels and both models' scores."""
        drawn = self.draw(range(trial, trial + 1), seed=seed, effect=effect)
        return drawn.labels[0], drawn.a[0], drawn.b[0]


def delong(design: BinormalScores, drawn: Drawn) -> Vector:
    """Return the p-values of DeLong's test."""
    m, n = design.n_positive, design.n_negative
    won, squares = compare_problems(drawn.labels, drawn.a, drawn.b, 1)
    error = np.sqrt(difference_variances(squares, m, n))
    estimate = (won[:, 0] - won[:, 1]) / (2.0 * m * n)
    return normal_pvalues(ratios(estimate, error), error, "two-sided")


def permutation(design: BinormalScores, drawn: Drawn) -> Vector:
    """Return the p-values of Bandos' permutation test."""
    labels, a, b, first, seed = drawn
    p = np.empty(len(a))
    permutation_rows(labels[0], a, b, first, seed, design.n_resamples, p)
    return p


def replicates(design: BinormalScores, drawn: Drawn) -> NDArray[np.int64]:
    """Return 2mn times the difference of the AUCs (B, replicates) under bootstrap weights."""
    labels, a, b, first, seed = drawn
    rates = strata_rates((design.n_positive, design.n_negative))
    gains = np.empty((len(a), -(-design.n_resamples // LANES) * LANES), np.int64)
    bootstrap_rows(labels[0], a, b, first, seed, *rates, gains)
    return gains[:, : design.n_resamples]


def percentile(design: BinormalScores, drawn: Drawn) -> Vector:
    """Return the p-values that the percentile interval inverts to."""
    gains = replicates(design, drawn)
    below, above = (gains <= 0).sum(axis=1), (gains >= 0).sum(axis=1)
    one_tail: Vector = (1.0 + np.minimum(below, above)) / (1.0 + design.n_resamples)
    return np.minimum(1.0, 2.0 * one_tail)


def normal(design: BinormalScores, drawn: Drawn) -> Vector:
    """Return the p-values of the difference over the standard deviation of its replicates."""
    won, _ = compare_problems(drawn.labels, drawn.a, drawn.b, 1)
    error = replicates(design, drawn).std(axis=1, ddof=1)
    gain = (won[:, 0] - won[:, 1]).astype(np.float64)
    return normal_pvalues(ratios(gain, error), error, "two-sided")


TESTS: Mapping[str, Callable[[BinormalScores, Drawn], Vector]] = {
    "delong": delong,
    "permutation": permutation,
    "bootstrap_percentile": percentile,
    "bootstrap_normal": normal,
}
