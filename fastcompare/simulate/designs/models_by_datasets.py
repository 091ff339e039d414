"""Scores of several models on many data sets, with chosen mean ranks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Matrix, Vector
from ..._inputs.options import check_amount
from ..._inputs.simulations import check_count, check_mean_ranks
from ...kernels.trials.score_tables import draw_datasets
from ..design import Design, stacked
from ..tests.ranks import TESTS, Drawn
from .mean_ranks import means_with_ranks


@dataclass(frozen=True, kw_only=True)
class ModelsByDatasets(Design):
    """Scores of k models on N data sets, and the tests by ranks.

    A score is the model's mean plus how easy the data set is plus a standard normal number.

    Parameters
    ----------
    n_datasets : int, default=15
        Data sets N of a trial.
    n_models : int, default=5
        Models k; 'wilcoxon' and 'sign' compare the first two.
    mean_ranks : sequence of float, optional
        Expected ranks of the models without an effect, 1 being that of the highest scores. They add
        up to k (k + 1) / 2; by default all are equal.
    dataset_deviation : float, default=1
        How much data sets differ. The tests depend on it only by way of rounding.
    decimals : int, optional
        Digits behind the point that scores are rounded to, which makes ties; -1 rounds to tens.

    Attributes
    ----------
    tests : tuple of str
        'friedman_chi2', 'iman_davenport'. 'nemenyi': rejects if any two models differ
        significantly. 'nemenyi_familywise': if any two do whose true means are equal, so its rate
        is a familywise error under every effect. 'nemenyi_pair': if the first two do. 'wilcoxon'
        (exact up to 200 data sets) and 'sign' (exact) of the first two models.

    Notes
    -----
    The effect is added to the mean score of the first model, in standard deviations of a score on a
    given data set; the ranks of all models shift by it. A `sample` is ``(scores,)``, an array
    (N, k), higher being better.

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

    def __post_init__(self) -> None:
        """Raise for a design that cannot be meant."""
        check_count("n_datasets", self.n_datasets, 2, 1 << 20)
        check_count("n_models", self.n_models, 2, 100)
        check_amount("dataset_deviation", self.dataset_deviation, 0.0)
        if self.decimals is not None:
            check_count("decimals", self.decimals, -3, 12)
        if self.mean_ranks is not None:
            check_mean_ranks(self.mean_ranks, self.n_models)

    @property
    def tests(self) -> tuple[str, ...]:
        """The names of the tests that run compiled."""
        return tuple(TESTS)

    @property
    def size(self) -> int:
        """The number of data sets."""
        return self.n_datasets

    @property
    def least(self) -> int:
        """The smallest number of data sets."""
        return 2

    @property
    def numbers(self) -> int:
        """How many numbers a trial holds."""
        return self.n_datasets * self.n_models

    def at(self, size: int) -> Self:
        """Return the design with another number of data sets."""
        return replace(self, n_datasets=size)

    def check_effect(self, effect: float) -> None:
        """Accept all effects."""

    def means(self, effect: float) -> Vector:
        """Return the models' mean scores."""
        if self.mean_ranks is None:
            means = np.zeros(self.n_models)
        else:
            means = means_with_ranks(np.asarray(self.mean_ranks, dtype=np.float64))
        means[0] += effect
        return means

    def draw(self, trials: range, *, seed: int, effect: float) -> Drawn:
        """Return the data of some trials."""
        scores = np.empty((len(trials), self.n_datasets, self.n_models))
        unit = 0.0 if self.decimals is None else 10.0**self.decimals
        means, first, key = self.means(effect), np.uint64(trials.start), np.uint64(seed)
        draw_datasets(means, float(self.dataset_deviation), unit, first, key, scores)
        return Drawn(scores, means)

    def pvalues(self, names: Sequence[str], trials: range, *, seed: int, effect: float) -> Matrix:
        """Return the p-values (tests, trials)."""
        drawn = self.draw(trials, seed=seed, effect=effect)
        return stacked(TESTS[name](drawn) for name in names)

    def sample(self, trial: int, *, seed: int, effect: float = 0.0) -> tuple[NDArray[Any], ...]:
        """Return the scores."""
        return (self.draw(range(trial, trial + 1), seed=seed, effect=effect).scores[0],)
