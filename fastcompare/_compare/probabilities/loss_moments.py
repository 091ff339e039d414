"""What Student's t needs of many differences of Brier losses, without an array of them."""

import math
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from ..._base.parallel import Checkpoint
from ..._base.types import Integers, Matrix, Vector
from ..._inference.unvaried import Unvaried
from ..._inputs.probabilities import Forecasts
from ..._resampling.weights import Weights, slices
from ...kernels.drawing.philox import LANES
from ...kernels.drawing.signs import add_weighted
from ...kernels.losses import brier_moments
from ...kernels.ties import ROUNDING
from .loss_summaries import LOPSIDED

MANY = 1 << 12  # cases from which a block of them seldom holds enough variance to look lopsided


class Moments(Protocol):
    """What Student's t needs of differences."""

    @property
    def estimate(self) -> float:
        """Their mean."""

    @property
    def standard_error(self) -> float:
        """The standard error of that."""

    @property
    def sizes(self) -> Integers | None:
        """The sizes of clusters."""

    @property
    def df(self) -> float:
        """The degrees of freedom."""

    def unvaried(self, most: float) -> Unvaried:
        """Return the bound by cases, or clusters, that do not vary."""


class LossMoments(NamedTuple):
    """The mean of n differences that vary and are not lopsided, and its standard error."""

    n: int
    estimate: float
    standard_error: float
    sizes: None = None

    @property
    def df(self) -> float:
        """The degrees of freedom of the standard error."""
        return self.n - 1.0

    def unvaried(self, most: float) -> Unvaried:
        """Return the bound by cases that do not vary."""
        return Unvaried(self.n, most)


def brier_difference(cases: Forecasts) -> tuple[LossMoments, Vector] | None:
    """Return the moments of the differences and both mean losses, with the bits of `summarise`.

    Or None where only the differences tell whether they vary or are lopsided: none deviates by more
    than the root of the greatest sum of squares in a block, nor is moved more by rounding than the
    greatest loss, 1, would be.
    """
    n = cases.labels.size
    if n < MANY or cases.models[0].ndim > 1 or cases.groups is not None:
        return None
    (p, q), moments = cases.models, np.empty(5)
    brier_moments(cases.labels, p, q, moments)
    of_a, of_b, total, square, greatest = moments.tolist()
    if square <= n * (4.0 * ROUNDING) ** 2 or greatest > LOPSIDED * LOPSIDED * square:
        return None
    error = math.sqrt(square / (n - 1.0)) / math.sqrt(n)
    return LossMoments(n, total / n, error), np.array([of_a / n, of_b / n])


@dataclass(frozen=True, slots=True)
class WeightedMeans:
    """Statistic: the means of rows of differences by weights that sum to n."""

    rows: Matrix

    def __call__(self, weights: Weights, checkpoint: Checkpoint) -> Matrix:
        """Return the means (rows, 64) of 64 replicates."""
        sums = np.zeros((len(self.rows), LANES))
        for d, total in zip(self.rows, sums, strict=True):
            for part in slices(d.size):
                checkpoint()
                add_weighted(weights[part], d[part], total)
        return np.asarray(sums / self.rows.shape[1])
