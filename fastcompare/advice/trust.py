"""What a comparison can be trusted with at its own size: level, power, detectable difference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from .._base.types import RandomState
from .._inference.proportions import wilson
from .._inputs.options import check_within
from .._inputs.randomness import as_entropy
from .._inputs.simulations import as_effect, check_count
from .._results.records import ConfidenceInterval, Record
from ..simulate.rates import simulate_error_rates
from .held import Held
from .own_worlds import OWN_WORLDS, OwnWorld

STEPS = 4  # of halving, before the power between the last two is taken for a straight line
WORK = 20_000_000  # numbers that all trials of a rate may draw: some seconds
LEAST = 200  # trials
WIDEST = 1 << 10  # times the first guess


@dataclass(frozen=True, eq=False, kw_only=True)
class TrustResult(Record):
    """Result of `Comparison.trust`; rates are shares of simulated data sets."""

    test: str
    n: int
    units: str
    alpha: float
    level: float
    detectable_difference: float
    target: float
    difference: float | None
    power: float | None
    tried: dict[float, float]
    n_trials: int
    seed: int
    title: ClassVar[str] = "What the comparison can be trusted with"

    def level_interval(self) -> ConfidenceInterval:
        """Return Wilson's 95 % interval of the level: what the number of trials leaves open.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``.
        """
        rejected = round(self.level * self.n_trials)
        return ConfidenceInterval(*wilson(rejected, self.n_trials, 0.025))

    def _summary(self) -> str:
        """Return the findings in sentences."""
        low, high = self.level_interval()
        told = (
            f"With {self.n} {self.units} as these, {self.test} at the {100 * self.alpha:g} % level "
            f"rejects in {100 * self.level:.3g} % of {self.n_trials} simulated data sets without a "
            f"difference (95 % CI {100 * low:.2g} to {100 * high:.2g} %)."
        )
        if self.detectable_difference == float("inf"):
            told += f" No difference is found with {100 * self.target:g} % power."
        else:
            told += (
                f" It finds a difference of {self.detectable_difference:.3g} with "
                f"{100 * self.target:g} % power, and smaller ones less often."
            )
        if self.power is None:
            return told
        return f"{told} One of {self.difference:g} it finds in {100 * self.power:.3g} %."


def trusted(
    held: Held,
    alpha: float,
    *,
    difference: float | None,
    power: float,
    n_trials: int,
    rng: RandomState,
    n_jobs: int,
) -> TrustResult:
    """Return the level, the power and the detectable difference of the test of a comparison."""
    target = check_within("power", power, alpha, 1.0)
    shift = None if difference is None else abs(as_effect("difference", difference))
    trials, seed = check_count("n_trials", n_trials, 1), as_entropy(rng)
    world = OWN_WORLDS[held.kind](held)
    trials = max(min(trials, LEAST), min(trials, WORK // max(world.n, 1)))
    rate = partial(rate_at, world, n_trials=trials, alpha=alpha, rng=seed, n_jobs=n_jobs)
    detectable, tried = smallest_difference(rate, world, target)
    return TrustResult(
        test=world.name,
        n=world.n,
        units=world.units,
        alpha=alpha,
        level=rate(0.0),
        detectable_difference=detectable,
        target=target,
        difference=shift,
        power=None if shift is None else rate(min(shift, world.most)),
        tried=dict(sorted(tried.items())),
        n_trials=trials,
        seed=seed,
    )


def rate_at(world: OwnWorld, effect: float, **options: Any) -> float:
    """Return how often the test of a world rejects, given a difference."""
    found = simulate_error_rates({world.name: world.test}, world.draw, effect=effect, **options)
    return float(found.rate[0])


def smallest_difference(
    rate: Callable[[float], float], world: OwnWorld, target: float
) -> tuple[float, dict[float, float]]:
    """Return the difference that is found as often as wanted, and the power of all tried ones.

    The first guess is 2.8 standard errors, which z finds in 80 %.
    """
    tried: dict[float, float] = {}

    def enough(effect: float) -> bool:
        tried[effect] = rate(effect)
        return tried[effect] >= target

    low, high = 0.0, min(2.8 * world.scale, world.most)
    first = high
    while not enough(high):
        if high >= min(world.most, WIDEST * first):
            return float("inf"), tried
        low, high = high, min(2.0 * high, world.most)
    for _ in range(STEPS):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if enough(middle) else (middle, high)
    below, above = tried.get(low, 0.0), tried[high]
    return low + (high - low) * (target - below) / (above - below), tried
