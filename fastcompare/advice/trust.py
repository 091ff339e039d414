"""Type I error, power and smallest detectable difference of a comparison, by simulation."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from .._inference.infer import wilson
from .._inference.pvalues import normal_quantile
from .._inference.roots import bisect
from .._results.records import ConfidenceInterval, Record

if TYPE_CHECKING:
    from ..simulate.designs import DataDesign

HALVINGS = 4  # of the range of differences, before power is interpolated linearly in the last one
MOST_NUMBERS_DRAWN = 20_000_000  # by all trials of a rate, which takes some seconds
FEWEST_TRIALS = 200  # however large the data sets are, unless fewer are asked for
WITHOUT_VARIANCE = (
    "The models' differences are constant over all {n} {units}, so their variance "
    "cannot be estimated, nor a type I error rate or power."
)
LARGEST_FACTOR = 1 << 10  # times the first guess: no larger difference is tried
RESAMPLES = 16  # samples drawn from the user's, each of which gives a type I error
FEWEST_TRIALS_OF_SAMPLE = 50
LARGEST_LEVEL_DEVIATION = 0.018  # of these type I errors: 3 points either way in 9 of 10
DIFFERENT = (
    "The data cannot tell this type I error to within 3 points: samples drawn from them have "
    "{low:.3g} to {high:.3g}%."
)


@dataclass(frozen=True, eq=False, kw_only=True)
class TrustResult(Record):
    """Result of `Comparison.trust`; rates are proportions of simulated data sets."""

    test: str
    n: int
    units: str
    quantity: str
    conditions: str
    level_unknown: str
    alpha: float
    level: float
    detectable_difference: float
    target: float
    difference: float | None
    power: float | None
    tried: dict[float, float]
    n_trials: int
    seed: int
    title: ClassVar[str] = "Type I error and power of this comparison"

    def level_interval(self) -> ConfidenceInterval:
        """Return Wilson's 95% interval of the type I error rate, for the number of trials.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``.
        """
        return self._rate_interval(self.level)

    def power_interval(self) -> ConfidenceInterval:
        """Return Wilson's 95% interval of the power, for the number of trials.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``; NaN if no power was requested.
        """
        return self._rate_interval(math.nan if self.power is None else self.power)

    def detectable_interval(self) -> ConfidenceInterval:
        """Return the 95% interval of the detectable difference, for the number of trials.

        The power of a normal statistic rises at its target with the slope phi(z) (z + z_alpha)
        over the detectable difference; what moves the power by its error moves that by as much.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``.
        """
        z = -normal_quantile(self.target)
        z_alpha = normal_quantile(0.5 * self.alpha)
        slope = math.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi) * (z + z_alpha)
        error = math.sqrt(self.target * (1.0 - self.target) / max(self.n_trials, 1))
        radius = min(normal_quantile(0.025) * error / slope, 1.0)
        middle = self.detectable_difference
        return ConfidenceInterval(middle * (1.0 - radius), middle * (1.0 + radius))

    def _summary(self) -> str:
        """Return the findings in sentences."""
        if math.isnan(self.level):
            return WITHOUT_VARIANCE.format(n=self.n, units=self.units)
        sentences = (
            f"With {self.n} {self.units} like these, {self.test} at the {100 * self.alpha:g}% "
            f"level has a type I error of {100 * self.level:.3g}% in {self.n_trials} simulated "
            f"data sets ({interval_in_percent(self.level_interval(), ' for the simulation')}). "
            f"{' '.join(filter(None, (self.level_unknown, self._detectable_sentence())))}"
        )
        if self.power is not None:
            power = f"Its power for a difference of {self.difference:g} is {100 * self.power:.3g}%"
            sentences = f"{sentences} {power} ({interval_in_percent(self.power_interval())})."
        return f"{sentences} {self.conditions}"

    def _detectable_sentence(self) -> str:
        """Return the sentence with the smallest detectable difference and its interval."""
        target = f"{100 * self.target:g}% power"
        if self.detectable_difference == math.inf:
            return f"No difference can be detected with {target}."
        low, high = self.detectable_interval()
        return (
            f"The smallest difference in {self.quantity} detectable with {target} is "
            f"{self.detectable_difference:.3g} (95% CI {low:.3g} to {high:.3g})."
        )

    def _rate_interval(self, rate: float) -> ConfidenceInterval:
        if math.isnan(rate):
            return ConfidenceInterval(math.nan, math.nan)
        return ConfidenceInterval(*wilson(round(rate * self.n_trials), self.n_trials, 0.025))


def interval_in_percent(interval: ConfidenceInterval, of: str = "") -> str:
    """Return ``95% CI 3.2 to 6.1%`` for an interval of a rate."""
    low, high = interval
    return f"95% CI{of} {100 * low:.3g} to {100 * high:.3g}%"


def rate_at(design: DataDesign, effect: float, **options: Any) -> float:
    """Return the rate at which the test of a design rejects, at a true difference `effect`."""
    from ..simulate.rates import simulate_error_rates  # which only `trust` needs

    rates = simulate_error_rates({design.name: design.test}, design.draw, effect=effect, **options)
    return float(rates.rate[0])


def smallest_difference(
    rate: Callable[[float], float], design: DataDesign, target: float
) -> tuple[float, dict[float, float]]:
    """Return the difference whose power is `target`, and the power of each difference tried.

    The first guess is 2.8 standard errors, for which a z test has a power of 80%. Infinity if no
    difference that there can be has such power.
    """
    tried: dict[float, float] = {}

    def has_power(effect: float) -> bool:
        """Return whether the power of a difference reaches the target, and note it in `tried`."""
        tried[effect] = rate(effect)
        return tried[effect] >= target

    low = 0.0
    high = min(2.8 * design.scale, design.most)
    first = high
    while not has_power(high):
        if high >= min(design.most, LARGEST_FACTOR * first):
            return math.inf, tried
        low, high = high, min(2.0 * high, design.most)
    low, high = bisect(lambda effect: not has_power(effect), low, high, HALVINGS)
    power_low = tried.get(low, 0.0)  # 0 has not been tried
    power_high = tried[high]
    interpolated = low + (high - low) * (target - power_low) / (power_high - power_low)
    return interpolated, tried


def unknown_level_reason(design: DataDesign, *, n_trials: int, rng: int, **options: Any) -> str:
    """Return a sentence on why the type I error is not known, '' if it is.

    It is unknown if the design says so, or if the type I errors of samples drawn from the user's
    vary by more than the simulation alone would make them.
    """
    trials = min(n_trials // 2, MOST_NUMBERS_DRAWN // (RESAMPLES * max(design.n, 1)))
    if design.resample is None or trials < FEWEST_TRIALS_OF_SAMPLE:
        return design.unknown
    generator = np.random.default_rng(rng)
    designs = [design.resample(generator) for _ in range(RESAMPLES)]
    seeds = generator.integers(0, 1 << 62, RESAMPLES).tolist()
    rates = [
        rate_at(each, 0.0, n_trials=trials, rng=seed, **options) if each.scale else 0.0
        for each, seed in zip(designs, seeds, strict=True)
    ]
    levels = np.sort(rates)
    noise = float(np.mean(levels * (1.0 - levels))) / trials  # the binomial variance
    if levels.var(ddof=1) - noise <= LARGEST_LEVEL_DEVIATION**2:
        return design.unknown
    percents = 100.0 * levels[1:-1]  # without the two most extreme samples
    sentence = DIFFERENT.format(low=percents[0], high=percents[-1])
    return f"{design.unknown} {sentence}".lstrip()


def simulate_trust(
    design: DataDesign,
    alpha: float,
    target: float,
    shift: float | None,
    *,
    n_trials: int,
    rng: int,
    **workers: Any,
) -> TrustResult:
    """Return the simulated type I error, the power for `shift`, and the detectable difference.

    All are NaN, or None for a power, if the models do not differ in any unit. `target` is the power
    for the detectable difference; `workers` has the number of threads and the progress bar.
    """
    trials = max(
        min(n_trials, FEWEST_TRIALS),
        min(n_trials, MOST_NUMBERS_DRAWN // max(design.n, 1), design.most_trials),
    )
    options: Any = {"n_trials": trials, "alpha": alpha, "rng": rng, **workers}
    rate: Callable[[float], float] = partial(rate_at, design, **options)
    is_constant = design.scale == 0.0
    detectable, tried = (math.nan, {}) if is_constant else smallest_difference(rate, design, target)
    return TrustResult(
        test=design.name,
        n=design.n,
        units=design.units,
        quantity=design.quantity,
        conditions=design.conditions,
        level_unknown="" if is_constant else unknown_level_reason(design, **options),
        alpha=alpha,
        level=math.nan if is_constant else rate(0.0),
        detectable_difference=detectable,
        target=target,
        difference=shift,
        power=None if shift is None or is_constant else rate(min(shift, design.most)),
        tried=dict(sorted(tried.items())),
        n_trials=0 if is_constant else trials,
        seed=rng,
    )
