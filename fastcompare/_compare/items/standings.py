"""What k means say of each other: which are above which, by the largest z or by replicates."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Matrix, Vector
from ..._inference.answer_means import Answers, Ends, ends_within, mean_ends, with_alike
from ..._inference.drawn_ranks import drawn_radius, drawn_rank_set, drawn_rejections
from ..._inference.joint_pvalues import joint_level, largest_for, normal_scores
from ..._inference.many_means import PairMeans, against_long_tails, skewed_statistics
from ..._inference.max_t import differences_of_models, differences_of_rows, root_of
from ..._inference.pvalues import upper_tail
from ..._inference.rank_sets import better_models, marginal_rank_set
from ..._results.pairs import announce_pairs, pairs_of

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Standing:
    """Means of models, by their covariance; `sign` is -1 where lower is better.

    With `holm` claims are judged by Holm's tests, without the correlations.
    """

    means: Vector
    found: PairMeans
    sign: float
    answers: Answers | None
    holm: bool

    @cached_property
    def z(self) -> Matrix:
        """The z values (k, k) of the row's model against the column's, NaN where undefined."""
        k = self.means.size
        first, second = np.triu_indices(k, 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            t = self.sign * self.found.estimate / self.found.standard_error
        t[~np.isfinite(t)] = math.nan
        t = skewed_statistics(t, self.sign * self.found.skewness, "two-sided")
        table = np.zeros((k, k))
        table[first, second] = normal_scores(t, self.found.df)
        return table - table.T

    def above(self, alpha: float) -> Flags:
        """Return whether the row's model (k, k) is above the column's."""
        k = self.means.size
        pairs = np.triu_indices(k, 1)
        differences = differences_of_models(np.asarray(self.found.covariance), *pairs)
        return better_models(self.z[pairs], differences, alpha, k, holm=self.holm)

    def rank_set(self, model: int, alpha: float, alternative: str) -> tuple[int, int]:
        """Return the rank set of one model."""
        covariance = np.asarray(self.found.covariance)
        return marginal_rank_set(
            self.z[model], covariance, model, alpha, alternative, holm=self.holm
        )

    @property
    def way(self) -> str:
        """How intervals come about, to follow them in a sentence."""
        return "" if self.answers is None else ", Wilson's method"

    def errors(self) -> Vector:
        """Return the standard errors of the means."""
        return np.asarray(np.sqrt(np.maximum(np.diag(np.asarray(self.found.covariance)), 0.0)))

    def ends(self, level: float, simultaneous: bool, alternative: str) -> Ends:
        """Return the ends of the models' intervals."""
        alike = self.answers is not None and self.answers.alike.any()  # no correlations of these
        if simultaneous and (self.holm or alike):
            level = 1.0 - (1.0 - level) / self.means.size
        elif simultaneous:
            rows = differences_of_rows(root_of(np.asarray(self.found.covariance)))
            level = joint_level(largest_for(rows, alternative), level, alternative)
        df, tail = float(np.max(self.found.df)), upper_tail(level, alternative)
        return mean_ends(self.means, self.errors(), df, tail, self.answers)


@dataclass(frozen=True)
class DrawnStanding:
    """Means of models, by bootstrap replicates less the means (k, B)."""

    means: Vector
    draws: Matrix
    sign: float
    answers: Answers | None

    def above(self, alpha: float) -> Flags:
        """Return whether the row's model (k, k) is above the column's."""
        family = ~np.eye(self.means.size, dtype=bool)
        return drawn_rejections(self.sign * self.means, self.sign * self.draws, family, alpha)

    def rank_set(self, model: int, alpha: float, alternative: str) -> tuple[int, int]:
        """Return the rank set of one model."""
        means, draws = self.sign * self.means, self.sign * self.draws
        return drawn_rank_set(means, draws, model, alpha, alternative)

    @property
    def way(self) -> str:
        """How the first model's interval comes about, to follow it in a sentence."""
        alike = self.answers is not None and self.answers.alike[0]
        return ", Wilson's method" if alike else ", percentiles"

    def errors(self) -> Vector:
        """Return the standard deviations of the replicates."""
        return np.asarray(self.draws.std(axis=1, ddof=1))

    def ends(self, level: float, simultaneous: bool, alternative: str) -> Ends:
        """Return percentiles, or for all models at once those of the largest deviation."""
        tail = upper_tail(level, alternative)
        if not simultaneous:
            low, high = self.means + np.quantile(self.draws, (tail, 1.0 - tail), axis=1)
            return with_alike((low, high), self.means, tail, self.answers)
        error = self.errors()
        radius = drawn_radius(self.draws, error, level, alternative)
        ends = ends_within(self.means, error, radius, self.answers)
        return with_alike(ends, self.means, tail / self.means.size, self.answers)


def doubted_word(
    found: PairMeans, above: Callable[[], Flags], names: tuple[str, ...], on_undefined: str
) -> str:
    """Return 'small_sample' and warn if few items differ away from a long tail, else ''."""
    doubted = against_long_tails(found, "two-sided")
    if doubted.any():
        told = above()
        doubted &= (told | told.T)[np.triu_indices(len(told), 1)]
    words = np.where(doubted, "small_sample", "ok")
    announce_pairs(pairs_of(names), words, on_undefined)
    return "small_sample" if doubted.any() else ""
