"""Scores of models in rounds that share training cases, hence correlate."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Matrix, Vector
from ..._inference.pvalues import f_pvalues, student_pvalues
from ..._inputs.options import check_amount, check_within
from ..._inputs.simulations import check_correlation, check_count
from ...kernels.tables.anova import rm_anova_rows
from ...kernels.trials.rounds import corrected_rows
from ...kernels.trials.score_tables import draw_rounds
from ..design import Design, stacked

Tables = NDArray[np.float64]
LARGEST = 1e9  # cases


@dataclass(frozen=True, kw_only=True)
class CorrelatedFolds(Design):
    """Scores of k models in J rounds of resampling or repeated cross-validation of one data set.

    Scores are normal. Those of one model correlate between rounds, since the rounds train on much
    the same cases; Nadeau and Bengio take the correlation for ``n_test / (n_train + n_test)``.

    Parameters
    ----------
    n_rounds : int, default=10
        Rounds J of a trial.
    n_models : int, default=3
        Models k; t tests compare the first two.
    n_train, n_test : float, default=90 and 10
        Cases that a round trains and tests on: what the corrected tests are told.
    correlation : float, optional
        Of the scores of a model in two rounds, in [0, 1); by default what the sizes say. At 0 the
        rounds are independent, as those on different data sets.
    last_deviation : float, default=1
        The standard deviation of the last model's scores, in units of that of the others. Unless it
        is 1, differences of models vary unequally, which the uncorrected F test cannot stand.

    Attributes
    ----------
    tests : tuple of str
        'ttest_resampled', which takes the rounds for independent, and 'ttest_corrected' of the
        first two models; 'rm_anova', 'rm_anova_greenhouse_geisser' and 'rm_anova_corrected' (by the
        sizes, as `rm_anova_test` with ``sphericity='none'``) of all.

    Notes
    -----
    The effect is what the first model's mean score is above that of the others, in standard
    deviations of a score. A `sample` is ``(scores,)``, an array (J, k).

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

    def __post_init__(self) -> None:
        """Raise for a design that cannot be meant."""
        check_count("n_rounds", self.n_rounds, 2, 1 << 20)
        check_count("n_models", self.n_models, 2, 1 << 10)
        check_within("n_train", self.n_train, 0.0, LARGEST)
        check_within("n_test", self.n_test, 0.0, LARGEST)
        check_amount("last_deviation", self.last_deviation, 0.0)
        check_correlation(self.between_rounds)

    @property
    def tests(self) -> tuple[str, ...]:
        """The names of the tests that run compiled."""
        return tuple(TESTS)

    @property
    def size(self) -> int:
        """The number of rounds."""
        return self.n_rounds

    @property
    def least(self) -> int:
        """The smallest number of rounds."""
        return 2

    @property
    def numbers(self) -> int:
        """How many numbers a trial holds."""
        return self.n_rounds * self.n_models

    @property
    def ratio(self) -> float:
        """Test cases of a round by its training cases."""
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

    def check_effect(self, effect: float) -> None:
        """Accept all effects."""

    def draw(self, trials: range, *, seed: int, effect: float) -> Tables:
        """Return the scores (B, J, k) of some trials."""
        scores = np.empty((len(trials), self.n_rounds, self.n_models))
        means, deviations = np.zeros(self.n_models), np.ones(self.n_models)
        means[0], deviations[-1] = effect, self.last_deviation
        first, key = np.uint64(trials.start), np.uint64(seed)
        draw_rounds(float(self.between_rounds), means, deviations, first, key, scores)
        return scores

    def pvalues(self, names: Sequence[str], trials: range, *, seed: int, effect: float) -> Matrix:
        """Return the p-values (tests, trials)."""
        scores = self.draw(trials, seed=seed, effect=effect)
        return stacked(TESTS[name](scores, self.ratio) for name in names)

    def sample(self, trial: int, *, seed: int, effect: float = 0.0) -> tuple[Any, ...]:
        """Return the scores."""
        return (self.draw(range(trial, trial + 1), seed=seed, effect=effect)[0],)


def ttest_corrected(scores: Tables, ratio: float) -> Vector:
    """Return the p-values of Nadeau and Bengio's t test of the first two models."""
    d, t = np.ascontiguousarray(scores[:, :, 0] - scores[:, :, 1]), np.empty(len(scores))
    corrected_rows(d, float(ratio), t)
    return student_pvalues(t, d.shape[1] - 1, "two-sided")


def ttest_resampled(scores: Tables, ratio: float) -> Vector:
    """Return the p-values of the t test that takes rounds for independent."""
    return ttest_corrected(scores, 0.0)


def analysis(scores: Tables) -> tuple[Vector, Vector]:
    """Return F and Greenhouse and Geisser's epsilon of each table."""
    f, epsilon = np.empty((2, len(scores)))
    rm_anova_rows(scores, f, epsilon)
    return f, epsilon


def rm_anova_corrected(scores: Tables, ratio: float) -> Vector:
    """Return the p-values of the F test for rounds that correlate as the sizes say."""
    _, rounds, k = scores.shape
    f = analysis(scores)[0] / (1.0 + rounds * ratio)
    return f_pvalues(f, k - 1, (k - 1) * (rounds - 1))


def rm_anova(scores: Tables, ratio: float) -> Vector:
    """Return the p-values of the F test that takes rounds for independent."""
    return rm_anova_corrected(scores, 0.0)


def rm_anova_epsilon(scores: Tables, ratio: float) -> Vector:
    """Return the p-values of that with Greenhouse and Geisser's degrees of freedom."""
    _, rounds, k = scores.shape
    f, epsilon = analysis(scores)
    return f_pvalues(f, epsilon * (k - 1), epsilon * ((k - 1) * (rounds - 1)))


TESTS: Mapping[str, Callable[[Tables, float], Vector]] = {
    "ttest_resampled": ttest_resampled,
    "ttest_corrected": ttest_corrected,
    "rm_anova": rm_anova,
    "rm_anova_greenhouse_geisser": rm_anova_epsilon,
    "rm_anova_corrected": rm_anova_corrected,
}
