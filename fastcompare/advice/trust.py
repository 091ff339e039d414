"""What a comparison can be trusted with at its own size: level, power, detectable difference."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from .._base.types import RandomState
from .._inference.proportions import wilson
from .._inference.pvalues import normal_quantile
from .._inputs.options import check_within
from .._inputs.randomness import as_entropy
from .._inputs.simulations import as_effect, check_trials
from .._results.records import ConfidenceInterval, Record
from ..simulate.rates import simulate_error_rates
from .held import Held
from .own_world import OwnWorld
from .own_worlds import OWN_WORLDS

STEPS = 4  # of halving, before the power between the last two is taken for a straight line
WORK = 20_000_000  # numbers that all trials of a rate may draw: some seconds
LEAST = 200  # trials
ALIKE = (
    "The differences of the models are the same on all {n} {units}, so the data do not tell how "
    "these vary: no level and no power can be named."
)
WIDEST = 1 << 10  # times the first guess


@dataclass(frozen=True, eq=False, kw_only=True)
class TrustResult(Record):
    """Result of `Comparison.trust`; rates are shares of simulated data sets."""

    test: str
    n: int
    units: str
    quantity: str
    conditions: str
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
        return self._rate_interval(self.level)

    def power_interval(self) -> ConfidenceInterval:
        """Return Wilson's 95 % interval of the power: what the number of trials leaves open.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``; NaN where no power was asked for.
        """
        return self._rate_interval(math.nan if self.power is None else self.power)

    def detectable_interval(self) -> ConfidenceInterval:
        """Return the 95 % interval of the detectable difference that the number of trials leaves.

        The power of a normal statistic rises at its target with the slope phi(z) (z + z_alpha)
        over the detectable difference; what moves the power by its error moves that by as much.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``.
        """
        z, z_alpha = -normal_quantile(self.target), normal_quantile(0.5 * self.alpha)
        slope = math.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi) * (z + z_alpha)
        error = math.sqrt(self.target * (1.0 - self.target) / max(self.n_trials, 1))
        radius = min(normal_quantile(0.025) * error / slope, 1.0)
        found = self.detectable_difference
        return ConfidenceInterval(found * (1.0 - radius), found * (1.0 + radius))

    def _summary(self) -> str:
        """Return the findings in sentences."""
        if math.isnan(self.level):
            return ALIKE.format(n=self.n, units=self.units)
        told = (
            f"With {self.n} {self.units} as these, {self.test} at the {100 * self.alpha:g} % level "
            f"rejects in {100 * self.level:.3g} % of {self.n_trials} simulated data sets without a "
            f"difference ({in_percent(self.level_interval(), ' of the simulation')}). "
            f"{self._detected()}"
        )
        if self.power is not None:
            found = f"One of {self.difference:g} it finds in {100 * self.power:.3g} %"
            told = f"{told} {found} ({in_percent(self.power_interval())})."
        return f"{told} {self.conditions}"

    def _detected(self) -> str:
        target = f"{100 * self.target:g} % power"
        if self.detectable_difference == math.inf:
            return f"No difference is found with {target}."
        low, high = self.detectable_interval()
        return (
            f"It finds a difference of {self.detectable_difference:.3g} in the {self.quantity} "
            f"with {target} (95 % CI {low:.3g} to {high:.3g}), and smaller ones less often."
        )

    def _rate_interval(self, rate: float) -> ConfidenceInterval:
        if math.isnan(rate):
            return ConfidenceInterval(math.nan, math.nan)
        return ConfidenceInterval(*wilson(round(rate * self.n_trials), self.n_trials, 0.025))


def in_percent(interval: ConfidenceInterval, of: str = "") -> str:
    """Return an interval of a rate as sentences have it."""
    low, high = interval
    return f"95 % CI{of} {100 * low:.3g} to {100 * high:.3g} %"


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
    trials, seed = check_trials(n_trials), as_entropy(rng)
    world = OWN_WORLDS[held.kind](held)
    trials = max(min(trials, LEAST), min(trials, WORK // max(world.n, 1), world.most_trials))
    rate = partial(rate_at, world, n_trials=trials, alpha=alpha, rng=seed, n_jobs=n_jobs)
    alike = world.scale == 0.0
    found = (math.nan, {}) if alike else smallest_difference(rate, world, target)
    detectable, tried = found
    return TrustResult(
        test=world.name,
        n=world.n,
        units=world.units,
        quantity=world.quantity,
        conditions=world.conditions,
        alpha=alpha,
        level=math.nan if alike else rate(0.0),
        detectable_difference=detectable,
        target=target,
        difference=shift,
        power=None if shift is None or alike else rate(min(shift, world.most)),
        tried=dict(sorted(tried.items())),
        n_trials=0 if alike else trials,
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
            return math.inf, tried
        low, high = high, min(2.0 * high, world.most)
    for _ in range(STEPS):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if enough(middle) else (middle, high)
    below, above = tried.get(low, 0.0), tried[high]
    return low + (high - low) * (target - below) / (above - below), tried
