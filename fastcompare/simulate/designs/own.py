"""A design of the user's own: a function that draws the data of a trial."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from ..._base.exceptions import InvalidTypeError, InvalidValueError
from ..._base.types import Matrix
from ..design import Design


@dataclass(frozen=True)
class OwnDesign(Design):
    """What `simulate_error_rates` makes of a function; the tests are functions, too."""

    draw: Callable[..., Any]

    def __str__(self) -> str:
        """Return the name of the function, without the address that differs each time."""
        return str(getattr(self.draw, "__qualname__", type(self.draw).__name__))

    @property
    def tests(self) -> tuple[str, ...]:
        """The names of the tests that run compiled: none."""
        return ()

    @property
    def size(self) -> int:
        """What a trial counts for: it is slow in any case."""
        return 1 << 14

    @property
    def least(self) -> int:
        """The same: there is no other size."""
        return self.size

    def at(self, size: int) -> Self:
        """Raise: only the user knows how."""
        raise InvalidValueError(
            "`design` is a function, whose sample size is not known: make one for each size."
        )

    def check_effect(self, effect: float) -> None:
        """Leave that to the function."""

    def pvalues(self, names: Sequence[str], trials: range, *, seed: int, effect: float) -> Matrix:
        """Return no p-values: there are no tests."""
        return np.empty((0, len(trials)))

    def sample(self, trial: int, *, seed: int, effect: float = 0.0) -> tuple[Any, ...]:
        """Return the data of a trial."""
        rng = np.random.Generator(np.random.Philox(key=[seed, trial]))
        data = self.draw(rng, effect)
        return data if isinstance(data, tuple) else (data,)


def as_design(design: object) -> Design:
    """Return a design, or what a function makes."""
    if isinstance(design, Design):
        return design
    if callable(design) and not isinstance(design, type):
        return OwnDesign(design)
    raise InvalidTypeError(
        "`design` must be a design of fastcompare.simulate, such as DietterichClassifiers(), or a "
        f"function of (rng, effect) that returns the arguments of the tests, got {design!r}."
    )
