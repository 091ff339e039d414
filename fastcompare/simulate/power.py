"""Power by effect or sample size."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from .._base.types import Integers, Progress, RandomState, Vector
from .._inputs.options import check_alpha
from .._inputs.randomness import as_entropy, key_of
from .._inputs.simulations import as_effects, as_tests, check_count, check_one_effect, check_trials
from .._inputs.workers import as_workers
from .design import Design
from .designs.own import as_design
from .rates import RatesResult
from .trials import Simulation, count_rejections


@dataclass(frozen=True, eq=False, kw_only=True)
class PowerResult(RatesResult):
    """Result of `simulate_power`; `rate` has a row a test and a column an effect or a size."""

    effects: Vector
    sizes: Integers
    title: ClassVar[str] = "Simulated power"

    @property
    def varied(self) -> str:
        """What the columns differ in: 'effect' or 'size'."""
        return "size" if self.sizes.size > 1 else "effect"

    def _summary(self) -> str:
        """Return the ends of the curves in a sentence."""
        x = self.sizes if self.varied == "size" else self.effects
        curves = [
            f"{name} from {100 * rate[0]:.3g} % to {100 * rate[-1]:.3g} %"
            for name, rate in zip(self.tests, self.rate, strict=True)
        ]
        return (
            f"Rejections at the {100 * self.alpha:g} % level in {self.n_trials} trials, for "
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
    """Simulate how the power of tests grows with the effect or with the sample size.

    Parameters
    ----------
    tests, design, alpha, rng, n_jobs, executor, progress
        As in `simulate_error_rates`.
    effects : array-like of shape (x,) or float, default=0
        The true differences, in the units of the design; one if `sizes` are given.
    sizes : array-like of shape (x,), optional
        Sample sizes: of cases, rounds or data sets; by default that of the design.
    n_trials : int, default=2000
        Trials at each point. All points use the same seed, so curves are smooth.

    Returns
    -------
    PowerResult
        With ``tests``, ``effects``, ``sizes``, ``rate`` (tests, x), ``n_rejected``,
        ``n_undefined``; ``confidence_interval(confidence_level)``, ``plot()``, ``summary()``.

    See Also
    --------
    required_sample_size : The size at which a test has a given power.
    fastcompare.auc_power : In closed form, for AUCs.

    Examples
    --------
    >>> import fastcompare as fc
    >>> design = fc.simulate.BinormalScores(n_positive=50, n_negative=50)
    >>> curve = fc.simulate.simulate_power("delong", design, effects=[0, 0.1, 0.2], rng=0)
    >>> curve.rate.round(2)
    array([[0.05, 0.57, 0.99]])
    """
    drawn = as_design(design)
    chosen = as_tests(tests, drawn.tests)
    shifts = as_effects(effects)
    points = list(as_points(drawn, shifts, sizes))
    trials = check_trials(n_trials)
    level = check_alpha(alpha)
    entropy = as_entropy(rng)
    workers = as_workers(n_jobs, executor, progress)

    seed = key_of(entropy)
    simulations = [Simulation(at, chosen, level, shift, seed) for at, shift in points]
    counts = [count_rejections(one, trials, workers) for one in simulations]
    rejected, undefined = np.stack(counts, axis=2)

    return PowerResult(
        tests=tuple(chosen),
        effects=shifts,
        sizes=np.array([at.size for at, _ in points] if sizes is not None else [drawn.size]),
        rate=rejected / trials,
        n_rejected=rejected,
        n_undefined=undefined,
        n_trials=trials,
        alpha=level,
        design=str(drawn),
        seed=entropy,
    )


def as_points(
    design: Design, effects: Vector, sizes: ArrayLike | None
) -> Iterator[tuple[Design, float]]:
    """Yield the checked designs with their effects."""
    for effect in effects.tolist():
        design.check_effect(effect)
    if sizes is None:
        yield from ((design, effect) for effect in effects.tolist())
        return
    check_one_effect(effects)
    for size in np.atleast_1d(np.asarray(sizes)).tolist():
        yield design.at(check_count("sizes", size, 1)), float(effects[0])
