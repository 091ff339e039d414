"""What a simulation draws its trials from."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np

from .._base.types import Matrix, Vector

NUMBERS = 1 << 19  # in a block of trials: some MB
TRIALS = 512  # in a block: some 10 ms


class Design(ABC):
    """A way to draw the data of a trial, with the tests that fit such data.

    A trial depends on the seed and its number alone.
    """

    @property
    @abstractmethod
    def tests(self) -> tuple[str, ...]:
        """The names of the tests that run compiled."""

    @property
    @abstractmethod
    def size(self) -> int:
        """The sample size: what `at` changes."""

    @property
    @abstractmethod
    def least(self) -> int:
        """The smallest sample size."""

    @abstractmethod
    def at(self, size: int) -> Self:
        """Return the same design with another sample size."""

    @abstractmethod
    def check_effect(self, effect: float) -> None:
        """Raise unless there can be such an effect."""

    @abstractmethod
    def pvalues(self, names: Sequence[str], trials: range, *, seed: int, effect: float) -> Matrix:
        """Return the p-values (tests, trials), NaN where a test is not defined."""

    @abstractmethod
    def sample(self, trial: int, *, seed: int, effect: float = 0.0) -> tuple[Any, ...]:
        """Return the data of a trial, as a test takes them."""

    @property
    def numbers(self) -> int:
        """How many numbers a trial holds."""
        return self.size

    def blocks(self, n_trials: int) -> list[range]:
        """Return the trials in blocks that are worth a call."""
        step = max(1, min(TRIALS, NUMBERS // self.numbers))
        return [range(start, min(start + step, n_trials)) for start in range(0, n_trials, step)]


def stacked(pvalues: Iterable[Vector]) -> Matrix:
    """Return the p-values of several tests as one matrix."""
    return np.stack(list(pvalues))
