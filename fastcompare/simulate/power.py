"""Power by effect or sample size, and the sample size that a power takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from .._base.documented import documented
from .._base.types import Integers, Progress, RandomState, Vector
from .._inference.infer import wilson
from .._inputs.options import (
    as_entropy,
    as_workers,
    check_alpha,
    check_level,
    check_within,
    hash_seed,
)
from .._inputs.plans.simulations import (
    as_effects,
    as_finite,
    as_test,
    as_tests,
    check_count,
    check_one_effect,
    check_trials,
    refuse_power,
)
from .._results.records import ConfidenceInterval, Record
from .designs import Design, as_design
from .rates import RatesResult, Simulation, count_rejections, rate_fields


@dataclass(frozen=True, eq=False, kw_only=True)
class PowerResult(RatesResult):
    """Result of `simulate_power`; `rate` has a row per test and a column per effect or size."""

    effects: Vector
    sizes: Integers
    title: ClassVar[str] = "Simulated power"
    _picture: ClassVar[str] = "power_curves"

    @property
    def varied(self) -> str:
        """What varies between columns: 'effect' or 'size'."""
        return "size" if self.sizes.size > 1 else "effect"

    def _summary(self) -> str:
        """Return the ends of the curves in a sentence."""
        x = self.sizes if self.varied == "size" else self.effects
        curves = [
            f"{name} from {100 * rate[0]:.3g}% to {100 * rate[-1]:.3g}%"
            for name, rate in zip(self.tests, self.rate, strict=True)
        ]
        return (
            f"Rejections at the {100 * self.alpha:g}% level in {self.n_trials} trials, for "
            f"{self.varied} {x[0]:g} to {x[-1]:g}: {', '.join(curves)}."
        )


def simulate_power(
    tests: Any,
    design: Any,
    *,
    effects: ArrayLike = 0.0,
    sizes: ArrayLike | None = None,
    n_trials: int = 2000,
    alpha: float = 0.05,
    rng: RandomState = None,
    n_jobs: int = 1,
    executor: Executor | None = None,
    progress: Progress = None,
) -> PowerResult:
    """Simulate the power of tests for several effects or sample sizes.

    Parameters
    ----------
    tests, design, alpha, rng, n_jobs, executor, progress
        As in `simulate_error_rates`.
    effects : array-like of shape (x,) or float, default=0
        The true differences, in the units of the design; only one if `sizes` are specified.
    sizes : array-like of shape (x,), optional
        Sample sizes (numbers of cases, rounds or data sets); by default that of the design.
    n_trials : int, default=2000
        Number of trials per point. All points use the same seed, so curves are smooth.

    Returns
    -------
    PowerResult
        With ``tests``, ``effects``, ``sizes``, ``rate`` (tests, x), ``n_rejected``,
        ``n_undefined``; ``confidence_interval(confidence_level)``, ``plot()``, ``summary()``.

    See Also
    --------
    required_sample_size : The sample size for a given power.
    fastcompare.auc_power : In closed form, for AUCs.

    Examples
    --------
    >>> import fastcompare as fc
    >>> design = fc.simulate.BinormalScores(n_positive=50, n_negative=50)
    >>> curve = fc.simulate.simulate_power("delong", design, effects=[0, 0.1, 0.2], rng=0)
    >>> curve.rate.round(2)
    array([[0.05, 0.57, 0.99]])
    """
    trial_design = as_design(design)
    chosen = as_tests(tests, trial_design.tests)
    shifts = as_effects(effects)
    points = list(designs_and_effects(trial_design, shifts, sizes))
    trials = check_trials(n_trials)
    level = check_alpha(alpha)
    entropy = as_entropy(rng)
    workers = as_workers(n_jobs, executor, progress)

    seed = hash_seed(entropy)
    simulations = [Simulation(at, chosen, level, shift, seed) for at, shift in points]
    counts = np.stack(  # (2, tests, points)
        [count_rejections(simulation, trials, workers) for simulation in simulations], axis=2
    )
    rates = rate_fields(simulations[0], counts, trials, entropy) | {"design": str(trial_design)}
    sizes_tried = [at.size for at, _ in points] if sizes is not None else [trial_design.size]
    return PowerResult(effects=shifts, sizes=np.array(sizes_tried), **rates)


def designs_and_effects(
    design: Design, effects: Vector, sizes: ArrayLike | None
) -> Iterator[tuple[Design, float]]:
    """Yield the design and the effect of each point of a power curve, by effect or by size."""
    for effect in effects.tolist():
        design.check_effect(effect)
    if sizes is None:
        yield from ((design, effect) for effect in effects.tolist())
        return
    check_one_effect(effects)
    for size in np.atleast_1d(np.asarray(sizes)).tolist():
        yield design.at(check_count("sizes", size, 1)), float(effects[0])


@dataclass(frozen=True, eq=False, kw_only=True)
class SampleSizeResult(Record):
    """Result of `required_sample_size`: the smallest sufficient size and its power."""

    test: str
    size: int
    power: float
    target: float
    effect: float
    n_rejected: int
    n_trials: int
    alpha: float
    tried: dict[int, float]
    design: str
    seed: int
    title: ClassVar[str] = "Sample size by simulation"

    @documented
    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return Wilson's confidence interval of the power, for the number of trials.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``.
        """
        tail = 0.5 * (1.0 - check_level(confidence_level))
        return ConfidenceInterval(*wilson(self.n_rejected, self.n_trials, tail))

    def _summary(self) -> str:
        """Return the size in a sentence."""
        low, high = self._interval()
        return (
            f"A size of {self.size} is needed for {self.test} to detect an effect of "
            f"{self.effect:g} with {100 * self.target:g}% power at the {100 * self.alpha:g}% "
            f"level: it rejected in {100 * self.power:.3g}% of {self.n_trials} trials "
            f"({100 * low:.3g} to {100 * high:.3g}%)."
        )


def required_sample_size(
    test: Any,
    design: Any,
    *,
    effect: float,
    power: float = 0.8,
    n_trials: int = 2000,
    most: int = 1 << 20,
    alpha: float = 0.05,
    rng: RandomState = None,
    n_jobs: int = 1,
    executor: Executor | None = None,
) -> SampleSizeResult:
    """Find the smallest sample size at which a test has the required power, by simulation.

    Parameters
    ----------
    test : str or callable
        The name of a test of the design, or a function as in `simulate_error_rates`.
    design : design of `fastcompare.simulate`
        The design. The search starts at its sample size.
    effect : float
        The true difference, in the units of the design.
    power : float, default=0.8
        The required power, in (0, 1).
    n_trials : int, default=2000
        Number of trials per size; it limits the accuracy of the result.
    most : int, default=2**20
        The largest size to try, at least that of the design.
    alpha, rng, n_jobs, executor
        As in `simulate_error_rates`.

    Returns
    -------
    SampleSizeResult
        With ``size``, ``power`` (at that size), ``tried`` (power by size),
        ``confidence_interval(confidence_level)`` of that power, ``summary()``.

    Raises
    ------
    InvalidValueError
        If even `most` is not enough, or an argument is invalid.

    See Also
    --------
    fastcompare.auc_sample_size : In closed form, for AUCs.

    Notes
    -----
    Doubling or halving brackets the size, then bisection finds it. All sizes use the same seed.
    Power is assumed to increase with the size, which is not strictly true for discrete tests.

    Examples
    --------
    >>> import fastcompare as fc
    >>> design = fc.simulate.BinormalScores(auc=0.8, correlation=0.5)
    >>> found = fc.simulate.required_sample_size("delong", design, effect=0.1, rng=0)
    >>> 140 < found.size < 200
    True
    """
    trial_design = as_design(design)
    chosen = as_test(test, trial_design.tests)
    shift, target = as_finite("effect", effect), check_within("power", power)
    trial_design.check_effect(shift)
    trials, level = check_trials(n_trials), check_alpha(alpha)
    largest = check_count("most", most, trial_design.size)
    workers = as_workers(n_jobs, executor, None)
    entropy = as_entropy(rng)
    seed = hash_seed(entropy)
    tried: dict[int, int] = {}

    def rejections(size: int) -> int:
        """Return how many of the trials with this sample size reject; each size runs once."""
        if size not in tried:
            simulation = Simulation(trial_design.at(size), chosen, level, shift, seed)
            rejected, _ = count_rejections(simulation, trials, workers)
            tried[size] = int(rejected[0])
        return tried[size]

    size = smallest_size(lambda size: rejections(size) >= target * trials, trial_design, largest)

    return SampleSizeResult(
        test=next(iter(chosen)),
        size=size,
        power=tried[size] / trials,
        target=target,
        effect=shift,
        n_rejected=tried[size],
        n_trials=trials,
        alpha=level,
        tried={at: tried[at] / trials for at in sorted(tried)},
        design=str(trial_design),
        seed=entropy,
    )


def smallest_size(is_enough: Callable[[int], bool], design: Design, largest_size: int) -> int:
    """Return the smallest sample size with `is_enough(size)`, or raise if `largest_size` is not.

    All larger sizes are assumed to be enough, too. The search starts at the size of the design.
    """
    low = design.least - 1  # never enough, as `high` always is in the end
    high = design.size
    while not is_enough(high):
        if high == largest_size:
            refuse_power(largest_size)
        low, high = high, min(2 * high, largest_size)
    while low < design.least < high and is_enough(half := max(design.least, high // 2)):
        high = half
    if high > design.least:  # half of it is not enough: it was the size before, or just tried
        low = max(low, high // 2)
    while high - low > 1:
        middle = (low + high) // 2
        if is_enough(middle):
            high = middle
        else:
            low = middle
    return high
