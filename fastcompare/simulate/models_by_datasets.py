"""Scores of several models on many data sets, with chosen mean ranks, and their tests."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from .._base.types import Matrix, Vector
from .._inference.exact import coin_pvalues
from .._inference.pvalues import chi2_pvalues, f_pvalues
from .._inference.step_down import range_tail
from .._inputs.options import check_amount
from .._inputs.plans.simulations import check_count, check_mean_ranks
from ..kernels.signed_ranks import ROUNDING
from ..kernels.trials.score_tables import (
    draw_datasets,
    friedman_rows,
    rank_sums_rows,
    wilcoxon_rows,
)
from .designs import Design

STEPS = 100  # of Newton's method, at most
NEAR = 1e-12  # error of an expected rank, relative to the number of models


def chances_above(means: Vector) -> Matrix:
    """Return P(the column's model scores higher than the row's) as (k, k), for unit variances."""
    erfc = np.frompyfunc(math.erfc, 1, 1)
    return np.asarray(0.5 * erfc(0.5 * (means[:, None] - means)), dtype=np.float64)


def expected_ranks(means: Vector) -> Vector:
    """Return the expected ranks of scores with these means and variance 1, 1 being the highest."""
    return np.asarray(0.5 + chances_above(means).sum(axis=1))  # a model is above itself by 1/2


def means_for_ranks(ranks: Vector) -> Vector:
    """Return means (k,) with which scores of variance 1 have these expected ranks, by Newton.

    The ranks are the gradient of a concave function of the means, so there is one solution up to
    a shift of all; equal ranks have equal means, to the last bit.
    """
    distinct, number = np.unique(ranks, return_inverse=True)
    means = np.zeros(distinct.size)
    for _ in range(STEPS):
        error = expected_ranks(means[number]) - ranks
        if np.abs(error).max() <= NEAR * ranks.size:
            break
        slopes = rank_slopes(means[number])
        # slopes are singular, as a shift of all means changes no rank
        step, *_ = np.linalg.lstsq(slopes, error, rcond=None)
        common_step = np.bincount(number, step) / np.bincount(number)  # of models of equal rank
        means -= common_step / max(1.0, np.abs(common_step).max())
    return means[number]


def rank_slopes(means: Vector) -> Matrix:
    """Return d expected rank of model i / d mean of model j as a matrix (k, k).

    A difference of two scores has variance 2.
    """
    density = np.exp(-0.25 * (means[:, None] - means) ** 2) / math.sqrt(4.0 * math.pi)
    return np.asarray(density - np.diag(density.sum(axis=1)))


Groups = Callable[[Vector], NDArray[np.int64]]


class DatasetScores(NamedTuple):
    """Scores (B, N, k) of k models on N data sets in B trials, and the models' true means."""

    scores: NDArray[np.float64]
    means: Vector


def friedman_statistics(samples: DatasetScores) -> tuple[Vector, Vector]:
    """Return Friedman's chi-squared and Iman and Davenport's F of each trial."""
    chi2, f = np.empty((2, len(samples.scores)))
    friedman_rows(samples.scores, chi2, f)
    return chi2, f


def friedman_chi2_pvalues(samples: DatasetScores) -> Vector:
    """Return the p-values of Friedman's test by chi-squared."""
    chi2, _ = friedman_statistics(samples)
    return chi2_pvalues(chi2, samples.means.size - 1)


def iman_davenport_pvalues(samples: DatasetScores) -> Vector:
    """Return the p-values of Iman and Davenport's F test."""
    _, n, k = samples.scores.shape
    _, f = friedman_statistics(samples)
    p = f_pvalues(f, k - 1, (k - 1) * (n - 1))
    # F is infinite where all rows have the same ranks, which has this probability
    same_ranks = math.exp((1 - n) * math.lgamma(k + 1))
    return np.asarray(np.where(np.isinf(f), same_ranks, p))


def nemenyi_pvalues(samples: DatasetScores, *, groups: Groups) -> Vector:
    """Return each trial's smallest Nemenyi p-value over the pairs of models in the same group.

    `groups` returns the models' groups from their true means.
    """
    _, n, k = samples.scores.shape
    sums = np.empty((len(samples.scores), k), np.int64)
    group = groups(samples.means)
    rank_sums_rows(samples.scores, sums)
    ranges = [np.ptp(sums[:, group == g], axis=1) for g in np.unique(group)]
    widest, number = np.unique(np.max(ranges, axis=0), return_inverse=True)
    # the sums are those of doubled ranks; q is the range over sqrt(k (k + 1) / (12 N))
    q = widest / (2.0 * n) / math.sqrt(k * (k + 1) / (12.0 * n))
    return np.asarray(range_tail(q, k)[number])


def all_in_one_group(means: Vector) -> NDArray[np.int64]:
    """Return 0 for every model: all are in one group."""
    return np.zeros(means.size, np.int64)


def group_by_mean(means: Vector) -> NDArray[np.int64]:
    """Return groups of models with equal true means, numbered from 0."""
    _, group = np.unique(means, return_inverse=True)
    return np.asarray(group, dtype=np.int64)


def group_first_two(means: Vector) -> NDArray[np.int64]:
    """Return 0, 0, 1, 2, ...: the first two models are a group, each other one is by itself."""
    return np.maximum(np.arange(means.size) - 1, 0)


def wilcoxon_pvalues(samples: DatasetScores) -> Vector:
    """Return the p-values of Wilcoxon's signed rank test of the first two models."""
    a, b = samples.scores[:, :, 0], samples.scores[:, :, 1]
    p = np.empty(len(a))
    d = a - b
    rounding = ROUNDING * np.maximum(np.abs(a), np.abs(b))
    wilcoxon_rows(d, rounding, np.argsort(np.abs(d), axis=1), p)
    return p


def sign_pvalues(samples: DatasetScores) -> Vector:
    """Return the p-values of the sign test of the first two models, zeros dropped."""
    a, b = samples.scores[:, :, 0], samples.scores[:, :, 1]
    return coin_pvalues((a > b).sum(axis=1), (a < b).sum(axis=1), "two-sided", 1.0)


RANK_TESTS: Mapping[str, Callable[[DatasetScores], Vector]] = {
    "friedman_chi2": friedman_chi2_pvalues,
    "iman_davenport": iman_davenport_pvalues,
    "nemenyi": partial(nemenyi_pvalues, groups=all_in_one_group),
    "nemenyi_familywise": partial(nemenyi_pvalues, groups=group_by_mean),
    "nemenyi_pair": partial(nemenyi_pvalues, groups=group_first_two),
    "wilcoxon": wilcoxon_pvalues,
    "sign": sign_pvalues,
}


@dataclass(frozen=True, kw_only=True)
class ModelsByDatasets(Design):
    """Scores of k models on N data sets, for tests based on ranks.

    A score is the sum of the model's mean, an effect of the data set and a standard normal error.

    Parameters
    ----------
    n_datasets : int, default=15
        Number N of data sets per trial.
    n_models : int, default=5
        Number k of models; 'wilcoxon' and 'sign' compare the first two.
    mean_ranks : sequence of float, optional
        Expected ranks of the models if the effect is 0; 1 is the best (highest scores). They sum to
        k (k + 1) / 2; by default all are equal.
    dataset_deviation : float, default=1
        Standard deviation of the effects of data sets. It affects the tests only through rounding.
    decimals : int, optional
        Number of decimals to which scores are rounded, to create ties; -1 rounds to tens.

    Attributes
    ----------
    tests : tuple of str
        'friedman_chi2', 'iman_davenport'. 'nemenyi' rejects if any two models differ significantly;
        'nemenyi_familywise' if any two with equal true means do, so its rate is the family-wise
        error rate under any effect; 'nemenyi_pair' if the first two do. 'wilcoxon' (exact up to 200
        data sets) and 'sign' (exact) compare the first two models.

    Notes
    -----
    The effect is added to the first model's mean score, in standard deviations of a score on a
    given data set; it changes the expected ranks of all models. A `sample` is ``(scores,)``, an
    array (N, k); higher is better.

    References
    ----------
    .. [1] J. Demšar (2006), Journal of Machine Learning Research 7, 1-30.

    Examples
    --------
    >>> import fastcompare as fc
    >>> design = fc.simulate.ModelsByDatasets(n_datasets=30, n_models=4)
    >>> result = fc.simulate_error_rates(
    ...     ["iman_davenport", "nemenyi"], design, n_trials=4000, effect=1.0, rng=0
    ... )
    >>> result.rate.round(1)
    array([0.9, 0.9])
    """

    n_datasets: int = 15
    n_models: int = 5
    mean_ranks: Sequence[float] | None = None
    dataset_deviation: float = 1.0
    decimals: int | None = None
    _tests: ClassVar[Mapping[str, Any]] = RANK_TESTS

    def __post_init__(self) -> None:
        """Raise if a parameter is out of range, or models cannot have these mean ranks."""
        check_count("n_datasets", self.n_datasets, 2, 1 << 20)
        check_count("n_models", self.n_models, 2, 100)
        check_amount("dataset_deviation", self.dataset_deviation, 0.0)
        if self.decimals is not None:
            check_count("decimals", self.decimals, -3, 12)
        if self.mean_ranks is not None:
            check_mean_ranks(self.mean_ranks, self.n_models)

    @property
    def size(self) -> int:
        """The number of data sets."""
        return self.n_datasets

    @property
    def numbers(self) -> int:
        """The number of random numbers of a trial."""
        return self.n_datasets * self.n_models

    def at(self, size: int) -> Self:
        """Return the design with another number of data sets."""
        return replace(self, n_datasets=size)

    def means(self, effect: float) -> Vector:
        """Return the models' true mean scores (k,): 0, or those that give `mean_ranks`.

        The effect is added to the first.
        """
        if self.mean_ranks is None:
            means = np.zeros(self.n_models)
        else:
            means = means_for_ranks(np.asarray(self.mean_ranks, dtype=np.float64))
        means[0] += effect
        return means

    def draw(self, trials: range, *, seed: int, effect: float) -> DatasetScores:
        """Return the scores of some trials."""
        scores = np.empty((len(trials), self.n_datasets, self.n_models))
        unit = 0.0 if self.decimals is None else 10.0**self.decimals  # 0: scores are not rounded
        means = self.means(effect)
        first = np.uint64(trials.start)
        key = np.uint64(seed)
        draw_datasets(means, float(self.dataset_deviation), unit, first, key, scores)
        return DatasetScores(scores, means)

    def pvalues(self, names: Sequence[str], trials: range, *, seed: int, effect: float) -> Matrix:
        """Return the p-values (tests, trials)."""
        samples = self.draw(trials, seed=seed, effect=effect)
        return np.stack([RANK_TESTS[name](samples) for name in names])

    def sample(self, trial: int, *, seed: int, effect: float = 0.0) -> tuple[NDArray[Any], ...]:
        """Return the scores (N, k) of one trial."""
        return (self.draw(range(trial, trial + 1), seed=seed, effect=effect).scores[0],)
