"""Run the trials of a simulation in blocks: p-values to numbers of rejections."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._base.parallel import Checkpoint, run_all
from .._inputs.workers import Workers
from .design import Design

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Simulation:
    """What to simulate; `tests` are the user's functions, or None for tests of the design."""

    design: Design
    tests: dict[str, Callable[..., object] | None]
    alpha: float
    effect: float
    seed: int

    def __call__(self, trials: range, checkpoint: Checkpoint) -> Counts:
        """Return how many p-values (tests,) are at most alpha, and how many not defined."""
        p = np.empty((len(self.tests), len(trials)))
        own = [test is not None for test in self.tests.values()]
        compiled = [name for name, test in self.tests.items() if test is None]
        if compiled:
            p[np.logical_not(own)] = self.design.pvalues(
                compiled, trials, seed=self.seed, effect=self.effect
            )
        if any(own):
            p[own] = self.own_pvalues(trials, checkpoint)
        return np.stack([np.count_nonzero(p <= self.alpha, axis=1), np.isnan(p).sum(axis=1)])

    def own_pvalues(self, trials: range, checkpoint: Checkpoint) -> NDArray[np.float64]:
        """Return the p-values of the user's functions."""
        functions = [test for test in self.tests.values() if test is not None]
        p = np.empty((len(functions), len(trials)))
        for column, trial in enumerate(trials):
            checkpoint()
            data = self.design.sample(trial, seed=self.seed, effect=self.effect)
            p[:, column] = [result_pvalue(test(*data)) for test in functions]
        return p


def result_pvalue(result: Any) -> float:
    """Return a p-value that is a number, or that a result holds."""
    return float(getattr(result, "pvalue", result))


def count_rejections(simulation: Simulation, n_trials: int, workers: Workers) -> Counts:
    """Return the numbers of rejections and of undefined p-values (2, tests) in all trials."""
    blocks = run_all(simulation, simulation.design.blocks(n_trials), **workers)
    total: Counts = np.sum(blocks, axis=0)
    return total
