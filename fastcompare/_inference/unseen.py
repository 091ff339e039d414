"""What no sample of its size can show: failures of the better model, none of which is in it.

Let the better model's measure lie a distance A above the worst value possible, and its lead over a
null hypothesis be D. The lead would vanish if the model failed completely in a share

    q = D / A

of the cases of one class (of items, clusters or battles) that the sample happens to lack. That none
of k independent ones is such a failure has the probability

    u = (1 - q)^k

where k is the effective size of the smaller class, or number of items or clusters. No statistic of
the sample corrects for what is not in it. So a significant result with u above 5% says so, in
numbers; and corrections for what the sample does show (skewness, unequal clusters) leave the
p-value at most at that of the standard test or at 2u (one-sided u), whichever is greater.

Of 30 cases of a class and more, a correction allows for two failures that are in the sample: its
bound is twice the chance P(Bin(k, q) <= 2) of so few (docs/evidence/corrections.md).
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

OPPOSITE = {"greater": "less", "less": "greater"}
SUCCESS = "A success"  # of the worse model, which explains a lead as well as a failure does
ALPHA = 0.05  # results that are not significant, and failures less likely, need no warning
DOUBTFUL = 0.2  # p-values up to which another test may find what this one does not


class UnseenFailures(NamedTuple):
    """Failures that would explain a difference: a share q of the units, none among the k `units`.

    `model` (0 or 1) is the model that fails, or that succeeds if the `event` is a success. Fields
    are scalars, or arrays over pairs of models.
    """

    share: Any
    units: Any
    model: Any = 0
    event: Any = "A failure"

    @property
    def probability(self) -> Any:
        """Probability u that none of the units is such a failure."""
        if isinstance(self.share, float) and self.share < 1.0:
            return float(np.exp(self.units * np.log1p(-self.share)))
        share = np.minimum(self.share, 1.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            probability = np.exp(self.units * np.log1p(-share))
        return float(probability) if np.ndim(probability) == 0 else probability

    def explain(self, pvalue: Any, alpha: float = ALPHA) -> Any:
        """Return whether a p-value is significant at `alpha`, yet failures may explain it."""
        return (pvalue <= alpha) & (self.probability > alpha)

    def at(self, places: Any) -> "UnseenFailures":
        """Return the failures of the pairs at these places, or of one pair."""
        return UnseenFailures(
            *[np.broadcast_to(field, np.shape(self.share))[places] for field in self]
        )

    def sentence(
        self,
        names: Sequence[str],
        units: str,
        *,
        lead: bool = False,
        interval: bool = True,
        effective: bool = False,
    ) -> str:
        """Return the warning sentence; `units` are 'positive cases', 'items' or 'clusters'.

        With `lead` it speaks of a model's lead over another one, else of the difference; with
        `interval` it adds that the interval does not allow for the failures; with `effective` the
        number of units is an effective one.
        """
        is_integer = not effective and float(self.units).is_integer()
        count = f"{self.units:.0f}" if is_integer else f"{self.units:.3g} effective ones"
        model, other = names[self.model], names[1 - self.model]
        explained = "the difference"
        if lead:
            is_success = self.event == SUCCESS
            explained = f"the lead of {other}" if is_success else f"its lead over {other}"
        return (
            f"{self.event} of {model} in {format_percentage(self.share)} of {units}, none of them "
            f"among these {count}, would explain {explained}"
            f" (probability {self.probability:.2f})"
            f"{'; the interval does not allow for it' if interval else ''}."
        )


def format_percentage(share: float) -> str:
    """Return a share in per cent, with two significant digits below 10%."""
    return f"{100.0 * share:.2g}%" if share < 0.995 else f"{100.0 * share:.0f}%"


def unseen_failures(
    estimate: Any,
    distances: Any,
    units: Any,
    alternative: str,
    margin: float = 0.0,
    *,
    higher_is_better: bool = True,
) -> UnseenFailures:
    """Return the failures that would explain a claim about a difference of two models.

    Parameters
    ----------
    estimate : float or array
        The difference, first minus second.
    distances : two floats or arrays
        How far the measures of the first and the second model lie from the worst value.
    units : float or array, or a tuple of two
        The number of independent units, effective ones for weights and clusters; a tuple if the
        models have different ones.
    alternative, margin
        The claim; of equivalence its weaker side.
    higher_is_better : bool, default=True
        False for losses: the first model is better if the difference is negative.
    """
    if not higher_is_better:
        estimate, alternative = -estimate, OPPOSITE.get(alternative, alternative)
    distance_1, distance_2 = distances
    units_1, units_2 = units if isinstance(units, tuple) else (units, units)
    first = UnseenFailures(failure_share(estimate + margin, distance_1), units_1)
    second = UnseenFailures(failure_share(margin - estimate, distance_2), units_2, model=1)
    if alternative in ("greater", "less"):
        return first if alternative == "greater" else second
    if alternative == "equivalence":
        by_second = np.greater(second.probability, first.probability)
    else:
        by_second = estimate < 0.0
    if np.ndim(by_second) == 0:
        return second if by_second else first
    fields = zip(second, first, strict=True)
    return UnseenFailures(*[np.where(by_second, *of_both) for of_both in fields])


def failure_share(lead: Any, distance: Any) -> Any:
    """Return the share of complete failures that cancels a lead, lead / distance; 0 without a lead.

    `distance` is that of the better model's measure from the worst value.
    """
    if isinstance(lead, float) and isinstance(distance, float) and distance > 0.0:
        return min(float(lead) / float(distance), 1.0) if lead > 0.0 else 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(np.greater(lead, 0.0), np.divide(lead, distance), 0.0)
    return np.clip(np.nan_to_num(share, nan=0.0, posinf=1.0), 0.0, 1.0)


ALLOWED_FAILURES = 2.0  # in the sample: without, levels are a point higher
ALLOWED_FROM = 30.0  # cases of a class


def allowed_failures(cases: Any) -> Any:
    """Return how many failures in the sample corrections of AUCs allow for: 2 from 30 cases on."""
    return ALLOWED_FAILURES * (cases >= ALLOWED_FROM)


def probability_of_at_most(share: Any, units: Any, allowed: Any) -> Any:
    """Return P(Bin(units, share) <= allowed); `units` may be an effective number."""
    if not np.any(allowed):
        return UnseenFailures(share, units).probability
    from scipy.special import betainc

    return betainc(units - allowed, allowed + 1.0, 1.0 - np.minimum(share, 1.0))


def smallest_unexplained_lead(distance: Any, units: Any, alpha: float, allowed: Any = 0.0) -> Any:
    """Return the lead D for which at most `allowed` failures are in the sample with chance `alpha`.

    D = q `distance`, where P(Bin(units, q) <= allowed) = alpha.
    """
    if np.any(allowed):
        from scipy.special import betaincinv

        return distance * (1.0 - betaincinv(units - allowed, allowed + 1.0, alpha))
    with np.errstate(over="ignore"):  # for 0 units: the lead is the whole distance
        logarithm = math.log(alpha) / np.maximum(units, np.finfo(float).tiny)
    return -distance * np.expm1(np.maximum(logarithm, -1e300))
