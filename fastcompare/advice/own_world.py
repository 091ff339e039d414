"""A world made of what users hold: how data are drawn in it, and the test that is simulated."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

MANY = 1 << 62
QUIET: Any = {"on_undefined": "ignore"}
Draw = Callable[[np.random.Generator, float], tuple[Any, ...]]


@dataclass(frozen=True)
class OwnWorld:
    """How data are drawn given a difference, the test, and where to look for what it detects."""

    draw: Draw
    test: Callable[..., float]
    name: str
    n: int
    units: str
    scale: float  # of the standard error of a difference; 0 where models do not differ anywhere
    most: float  # differences that there can be
    quantity: str
    conditions: str  # what stays as users hold it, and what does not
    most_trials: int = MANY
