"""What can be said where nothing varies: of models that judge all cases alike.

Their standard error is 0, which tells of no precision. But units in number do. Let k independent
units all show the difference t, none of which is below L. Were the true one x below t, then

    P(k units show t or more) <= ((x - L) / (t - L))^k

by Markov's inequality for the product of their differences less L. For t = 0 and L = -1 that is
(1 - margin)^k, which models attain that differ wholly in a share `margin` of the units. An interval
holds the differences that are not refuted so.

The units of AUCs are pairs of a positive and a negative that have no case in common. If all
components are equal, but not all pairs, the mean product over such pairs is at least the product
of means: van der Waerden's bound on permanents (Egorychev 1981, doi:10.1016/0001-8708(81)90044-X).
Without an L signs are left: the chance that k differences, symmetric around x, all lie above it is
2^-k.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from .._base.types import AnyArray
from .proportions import beta_quantile
from .pvalues import CERTAIN, PValue

LOG2 = math.log(2.0)


class Unvaried(NamedTuple):
    """How many independent units show the same difference, and the greatest that one can show.

    `units` need not be whole: unequal clusters count as so many of the size of the largest one.
    """

    units: float
    most: float = 1.0
    name: str = "cases"

    def pvalue(self, estimate: float, alternative: str, margin: float) -> PValue:
        """Return the p-value of a claim about the true difference."""
        above = (estimate + margin, self.most + estimate)
        below = (margin - estimate, self.most - estimate)
        sides = {"greater": (above,), "less": (below,)}.get(alternative, (above, below))
        log_p = max(self.log_chance(*side) for side in sides)
        return PValue(math.exp(log_p), log_p) if log_p < 0.0 else CERTAIN

    def ends(self, estimate: float, alpha: float) -> tuple[float, float]:
        """Return the least and the greatest difference with a chance of at least `alpha`."""
        low = self.reach(alpha, self.most + estimate)
        return estimate - low, estimate + self.reach(alpha, self.most - estimate)

    def log_chance(self, distance: float, room: float) -> float:
        """Return the logarithm of the chance of units so far from what is true."""
        if distance <= 0.0:
            return 0.0
        if room == math.inf:
            return -self.units * LOG2
        return self.units * math.log1p(-distance / room) if distance < room else -math.inf

    def reach(self, alpha: float, room: float) -> float:
        """Return how far the true difference may be for a chance of `alpha`."""
        if not self.units:
            return room
        if room == math.inf:
            return math.inf if self.units * LOG2 < -math.log(alpha) else 0.0
        return -room * math.expm1(math.log(alpha) / self.units)

    def __str__(self) -> str:
        """Say what the bound is by, to follow an interval."""
        kind = "signs" if self.most == math.inf else "an exact bound"
        verb = "does" if self.name == "sample" else "do"
        return f"by {kind} of {self.units:.4g} {self.name} that {verb} not vary"


def as_equal(sizes: AnyArray) -> float:
    """Return how many units of the largest size units of these sizes are worth.

    The chance that none of them shows a difference of a share of all is at most that of so many.
    """
    return float(sizes.sum() / sizes.max()) if sizes.size else 0.0


def rarest_bound(
    sizes: Sequence[AnyArray], width: float, clusters: float = math.inf, *, alike: bool
) -> Unvaried:
    """Return the bound by the rarest class, of which a case moves a metric of labels most.

    `sizes` are those of the true and of the predicted classes. Nothing is known of models that are
    equally good, but not `alike`: then one case may be all.
    """
    if not alike:
        return Unvaried(1.0, width, "sample")
    rarest = min(float(size[size > 0].min()) for size in sizes)
    return Unvaried(min(rarest, clusters), width, "cases of the rarest class")


class Rare(NamedTuple):
    """The bound by units of which most hardly differ: what rare, great differences may be unseen.

    Of k units whose differences are at least -1 in size, let a share x differ by -1. So few as u
    in all are lost with chance P(Bin(k, x) <= u), extended to all u by the incomplete beta function
    (Clopper, Pearson 1934). `losses` and `gains` are the sums of negative and positive differences.
    """

    units: int
    losses: float
    gains: float
    name: str = "cases"

    def pvalue(self, alternative: str, margin: float) -> float:
        """Return the least p-value of a claim with this margin."""
        sides = {"greater": (self.losses,), "less": (self.gains,)}
        return max(self.chance(u, margin) for u in sides.get(alternative, self[1:3]))

    def chance(self, lost: float, margin: float) -> float:
        """Return the chance that no more is lost if it is `margin` of the units on average."""
        from scipy.special import betainc

        return float(betainc(self.units - lost, lost + 1.0, 1.0 - margin))

    def widened(self, low: float, high: float, alpha: float) -> tuple[float, float]:
        """Return the ends of an interval, at least as wide as the bound at each end."""
        below, above = (
            beta_quantile(self.units - u, u + 1.0, alpha) - 1.0 for u in (self.losses, self.gains)
        )
        return min(low, below), max(high, -above)

    def __str__(self) -> str:
        """Say what the bound is by, to follow an interval."""
        return f"by a bound of {self.units} {self.name} that hardly differ"
