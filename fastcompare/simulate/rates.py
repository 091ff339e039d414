"""How often tests reject: type I error without an effect, power with one, trial by trial."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from .._base.documented import documented
from .._base.parallel import Checkpoint, run_all
from .._base.types import Fields, Progress, RandomState
from .._inference.infer import wilson
from .._inputs.options import Workers, as_entropy, as_workers, check_alpha, check_level, hash_seed
from .._inputs.plans.simulations import as_finite, as_tests, check_trials
from .._results.records import ConfidenceInterval, Record
from .designs import Design, as_design

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Simulation:
    """A simulation of trials of a design, in which tests count what they reject.

    `tests` have the user's function by name, or None for a compiled test of the design. `effect` is
    the true difference, `alpha` the significance level.
    """

    design: Design
    tests: dict[str, Callable[..., object] | None]
    alpha: float
    effect: float
    seed: int

    def __call__(self, trials: range, checkpoint: Checkpoint) -> Counts:
        """Return how many p-values are at most alpha, and how many are NaN, as (2, tests)."""
        p = np.empty((len(self.tests), len(trials)))
        is_function = [test is not None for test in self.tests.values()]
        compiled = [name for name, test in self.tests.items() if test is None]
        if compiled:
            p[np.logical_not(is_function)] = self.design.pvalues(
                compiled, trials, seed=self.seed, effect=self.effect
            )
        if any(is_function):
            p[is_function] = self.function_pvalues(trials, checkpoint)
        return np.stack([np.count_nonzero(p <= self.alpha, axis=1), np.isnan(p).sum(axis=1)])

    def function_pvalues(self, trials: range, checkpoint: Checkpoint) -> NDArray[np.float64]:
        """Return the p-values (functions, trials) of the user's functions."""
        functions = [test for test in self.tests.values() if test is not None]
        p = np.empty((len(functions), len(trials)))
        for column, trial in enumerate(trials):
            checkpoint()
            data = self.design.sample(trial, seed=self.seed, effect=self.effect)
            results: list[Any] = [test(*data) for test in functions]  # p-values, or results
            p[:, column] = [float(getattr(result, "pvalue", result)) for result in results]
        return p


def count_rejections(simulation: Simulation, n_trials: int, workers: Workers) -> Counts:
    """Return the numbers of rejections and of undefined p-values (2, tests) in all trials."""
    blocks = run_all(simulation, simulation.design.blocks(n_trials), **workers)
    total: Counts = np.sum(blocks, axis=0)
    return total


def rate_fields(simulation: Simulation, counts: Counts, n_trials: int, seed: int) -> Fields:
    """Return the fields of a result from `counts`: the tests' rejections and undefined p-values."""
    rejected, undefined = counts
    return Fields(
        tests=tuple(simulation.tests),
        rate=rejected / n_trials,
        n_rejected=rejected,
        n_undefined=undefined,
        n_trials=n_trials,
        alpha=simulation.alpha,
        design=str(simulation.design),
        seed=seed,
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class RatesResult(Record):
    """Rejection rates of tests: arrays with a row per test."""

    tests: tuple[str, ...]
    rate: NDArray[np.float64]
    n_rejected: NDArray[np.int64]
    n_undefined: NDArray[np.int64]
    n_trials: int
    alpha: float
    design: str
    seed: int

    _sheets: ClassVar[str] = "rates"

    @documented
    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return Wilson's confidence intervals of the rates, for the number of trials.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, arrays in the shape of `rate`.
        """
        tail = 0.5 * (1.0 - check_level(confidence_level))
        ends = [wilson(x, self.n_trials, tail) for x in self.n_rejected.ravel().tolist()]
        low, high = np.array(ends).T.reshape(2, *self.rate.shape)
        return ConfidenceInterval(low, high)


@dataclass(frozen=True, eq=False, kw_only=True)
class ErrorRatesResult(RatesResult):
    """Result of `simulate_error_rates`; arrays over the tests."""

    effect: float
    title: ClassVar[str] = "Simulated error rates"
    _picture: ClassVar[str] = "error_rates"

    def _summary(self) -> str:
        """Return the rates in a sentence."""
        ends = np.stack(self._interval(), axis=1)
        rates = [
            f"{name} {100 * rate:.3g}% ({100 * a:.3g} to {100 * b:.3g}%)"
            for name, rate, (a, b) in zip(self.tests, self.rate, ends, strict=True)
        ]
        what = f"at an effect of {self.effect:g}" if self.effect else "without a difference"
        return (
            f"Rejections {what} at the {100 * self.alpha:g}% level in {self.n_trials} trials, "
            f"with {100 * self._level:g}% intervals: {', '.join(rates)}."
        )


@documented
def simulate_error_rates(
    tests: Any,
    design: Any,
    *,
    n_trials: int = 10_000,
    effect: float = 0.0,
    alpha: float = 0.05,
    rng: RandomState = None,
    n_jobs: int = 1,
    executor: Executor | None = None,
    progress: Progress = None,
) -> ErrorRatesResult:
    """Simulate how often tests reject: their type I error rate, or their power.

    Parameters
    ----------
    tests : str, callable, sequence of these, mapping or None
        Names of tests of the design, which run compiled; functions that receive a sample of the
        design as arguments and return a p-value or a result with one; or a mapping from names to
        such functions. None means all tests of the design.
    design : design of `fastcompare.simulate`, or callable
        How data are generated: `DietterichClassifiers`, `BinormalScores`, `CorrelatedFolds` or
        `ModelsByDatasets` of `fastcompare.simulate`; or a function ``draw(rng, effect)``, jitted or
        not, that returns the arguments of the tests, with a NumPy Generator for each trial. If it
        is jitted with ``nogil=True``, threads run it in parallel.
    n_trials : int, default=10000
        Number of trials; the standard error of a rate is at most ``0.5 / sqrt(n_trials)``.
    effect : float, default=0
        The true difference, in the units of the design. If it is 0 the rates are type I error
        rates.
    alpha : float, default=0.05
        Significance level: a test rejects if its p-value is at most `alpha`.
    rng : int or numpy.random.Generator, optional
        Seed. A trial depends only on the seed and its number, so all tests use the same data, for
        any number of threads.
    progress : bool or callable, optional
        True shows a progress bar; a callable receives the number of finished trials and the total.

    Returns
    -------
    ErrorRatesResult
        With ``tests``, ``rate``, ``n_rejected``, ``n_undefined`` (p-values that are NaN, which do
        not reject), ``n_trials``, ``alpha``, ``effect``, ``seed``;
        ``confidence_interval(confidence_level)`` of the rates, ``plot()``, ``summary()``.

    See Also
    --------
    fastcompare.simulate.simulate_power : Rates by effect or sample size.
    fastcompare.simulate.DietterichClassifiers : The design of Dietterich (1998).

    References
    ----------
    .. [1] T. G. Dietterich (1998), doi:10.1162/089976698300017197.

    Examples
    --------
    >>> import fastcompare as fc
    >>> design = fc.simulate.DietterichClassifiers()
    >>> result = fc.simulate_error_rates(
    ...     ["mcnemar_corrected", "ttest_resampled"], design, n_trials=2000, rng=1
    ... )
    >>> [round(float(rate), 1) for rate in result.rate]
    [0.0, 0.6]
    """
    trial_design = as_design(design)
    chosen = as_tests(tests, trial_design.tests)
    trials = check_trials(n_trials)
    shift = as_finite("effect", effect)
    trial_design.check_effect(shift)
    entropy = as_entropy(rng)
    workers = as_workers(n_jobs, executor, progress)

    simulation = Simulation(trial_design, chosen, check_alpha(alpha), shift, hash_seed(entropy))
    counts = count_rejections(simulation, trials, workers)
    return ErrorRatesResult(effect=shift, **rate_fields(simulation, counts, trials, entropy))
