"""Power by effect or sample size."""

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.exceptions import InvalidValueError
from .._base.types import Matrix
from .._inference.proportions import wilson
from .._inputs.arrays import as_float_array
from .._inputs.options import check_alpha, check_level
from .._inputs.randomness import RandomState, as_entropy, key_of
from .._inputs.simulations import as_effect, as_tests, check_count
from .._inputs.workers import Progress, as_workers
from .._results.records import ConfidenceInterval, Record
from .design import Design
from .designs.own import as_design
from .trials import Simulation, count_rejections


@dataclass(frozen=True, eq=False, kw_only=True)
class PowerResult(Record):
    """Result of `simulate_power`; `rate` has a row a test and a column an effect or a size."""

    tests: tuple[str, ...]
    effects: NDArray[np.float64]
    sizes: NDArray[np.int64]
    rate: Matrix
    n_rejected: NDArray[np.int64]
    n_undefined: NDArray[np.int64]
    n_trials: int
    alpha: float
    design: str
    seed: int
    title: ClassVar[str] = "Simulated power"

    @property
    def varied(self) -> str:
        """What the columns differ in: 'effect' or 'size'."""
        return "size" if self.sizes.size > 1 else "effect"

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return Wilson's intervals of the rates: what the number of trials leaves open.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, arrays in the shape of `rate`.
        """
        tail = 0.5 * (1.0 - check_level(confidence_level))
        ends = [wilson(x, self.n_trials, tail) for x in self.n_rejected.ravel().tolist()]
        low, high = np.array(ends).T.reshape(2, *self.rate.shape)
        return ConfidenceInterval(low, high)

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Draw a curve for each test, by `fastcompare.plots.power_curves`."""
        from ..plots import power_curves

        return power_curves(self, ax=ax, **options)

    def summary(self) -> str:
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
    shifts = np.atleast_1d(as_float_array("effects", effects))
    points = list(as_points(drawn, shifts, sizes))
    trials = check_count("n_trials", n_trials, 1)
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
    design: Design, effects: NDArray[np.float64], sizes: ArrayLike | None
) -> Iterator[tuple[Design, float]]:
    """Yield the checked designs with their effects."""
    if effects.ndim != 1 or not effects.size:
        raise InvalidValueError(f"`effects` must be 1-d, got shape {effects.shape}.")
    for effect in effects.tolist():
        design.check_effect(as_effect("effects", effect))
    if sizes is None:
        yield from ((design, effect) for effect in effects.tolist())
        return
    if effects.size > 1:
        raise InvalidValueError("`effects` must be one number where `sizes` are given.")
    for size in np.atleast_1d(np.asarray(sizes)).tolist():
        yield design.at(check_count("sizes", size, 1)), float(effects[0])
