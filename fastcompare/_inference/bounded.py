"""The score test of a mean of differences that have bounds: Tango's (1998) of any such differences.

Differences d, with shares p of the items, lie within [-M, M]. Of all distributions on the values
that came and on -M and M take the likeliest one whose mean is D: q = p / (1 + l y), with y = d - D
and, where that leaves a rest, the rest on the end beyond D. Its variance is (mean d - D) / l, so

    z = sqrt(n (mean d - D) l)

where l solves sum p y / (1 + l y) = 0, and is at most 1 / (M + D) for a mean above D: there no
distribution without the end is likelier. Of right and wrong answers, d of -1, 0 and 1, that is
Tango's score, doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B, and McNemar's z
at D = 0; Owen (2001), Empirical Likelihood, chapter 2.2, has l.

A standard error cannot reflect large differences that no observed item shows; this test allows for
them: a false claim that answers are not worse by .02 or .05 comes in 0 to 5.8% of 10 to 200 items,
where Student's t makes up to 73.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .._base.types import Vector
from .infer import test_from_statistic
from .pvalues import PValue, reference_quantile
from .roots import bisect

HALVINGS = 60  # below the precision of the ends
MOST_LOOPED = 8  # values up to which a Python loop takes a fifth of the time of arrays


class BoundedMean(NamedTuple):
    """The distribution of differences: `values`, their `shares`, and their bound M, `most`.

    `n` is the number of items; dependent ones count as the number of independent ones that would
    have the same variance, and `df` is finite for them.
    """

    values: Vector
    shares: Vector
    most: float
    n: float
    df: float = math.inf

    def statistic(self, null: float) -> float:
        """Return the signed score statistic z of the hypothesis that the true mean is `null`."""
        deviation = float(self.shares @ self.values) - null
        if deviation < 0.0:
            return -self.swap_models().statistic(-null)
        distance_to_bound = self.most + null
        if deviation == 0.0 or distance_to_bound <= 0.0:
            return 0.0 if deviation == 0.0 else math.inf
        return math.sqrt(self.n * deviation * self.multiplier(null, 1.0 / distance_to_bound))

    def multiplier(self, null: float, end: float) -> float:
        """Return the multiplier l of the likeliest distribution with mean `null`, at most `end`."""
        if null == 0.0 and np.isin(self.values, (-self.most, 0.0, self.most)).all():
            return float(self.shares @ self.values) / float(self.shares @ np.square(self.values))
        y = self.values - null
        if self.values.min() > -self.most and is_below_multiplier(end, y, self.shares):
            return end
        low, _ = bisect(lambda x: is_below_multiplier(x, y, self.shares), 0.0, end, HALVINGS)
        return low

    def swap_models(self) -> "BoundedMean":
        """Return the differences of the second model less the first."""
        return self._replace(values=-self.values)

    def test(self, alternative: str, margin: float) -> tuple[float, PValue]:
        """Return the statistic and the p-value of a claim."""
        return test_from_statistic(
            lambda null, _: self.statistic(null), self.df, alternative, margin
        )

    def statistic_exceeds(self, z: float) -> Callable[[float], bool]:
        """Return a predicate of null: whether `statistic(null)` > z. It need not solve for l."""
        if z < 0.0:
            swapped_exceeds = self.swap_models().statistic_exceeds(-z)
            return lambda null: not swapped_exceeds(-null)
        mean = float(self.shares @ self.values)

        def exceeds(null: float) -> bool:
            """Return whether the lower bound of the mean is above `null`, that is, z(null) > z."""
            deviation = mean - null
            distance_to_bound = self.most + null
            if deviation <= 0.0 or distance_to_bound <= 0.0:
                return deviation > 0.0
            multiplier = z * z / (self.n * deviation)  # with which the statistic is z
            return multiplier < 1.0 / distance_to_bound and is_below_multiplier(
                multiplier, self.values - null, self.shares
            )

        return exceeds

    def low(self, alpha: float) -> float:
        """Return the lower end of the interval with `alpha` below it."""
        z = reference_quantile(alpha, self.df)
        low, high = bisect(self.statistic_exceeds(z), -self.most, self.most, HALVINGS)
        return 0.5 * (low + high)

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it."""
        return -self.swap_models().low(alpha)


def is_below_multiplier(multiplier: float, y: Vector, shares: Vector) -> bool:
    """Return whether `multiplier` is below the solution l of sum p y / (1 + l y) = 0.

    That sum, over `shares` p and deviations `y`, falls in l; few values are added by a loop.
    """
    if y.size <= MOST_LOOPED:
        total = 0.0
        for share, value in zip(shares.tolist(), y.tolist(), strict=True):
            denominator = 1.0 + multiplier * value
            if denominator <= 0.0:  # past the pole at which the sum is minus infinite
                return False
            total += share * value / denominator
        return total > 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        return bool(float(shares @ (y / (1.0 + multiplier * y))) > 0.0)
