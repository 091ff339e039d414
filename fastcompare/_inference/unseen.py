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
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

ALPHA = 0.05  # of failures with a smaller probability nobody needs a warning
SIGNIFICANT = 0.1  # a p-value above which no difference is asserted


class UnseenFailures(NamedTuple):
    """Failures that would explain a difference: their share q of the units, and the k units.

    `model` is the position of the better model. All are numbers, or arrays over pairs.
    """

    share: Any
    units: Any
    model: Any = 0

    @property
    def probability(self) -> Any:
        """Probability u that none of the units is such a failure."""
        share = np.minimum(self.share, 1.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.exp(self.units * np.log1p(-share))
        return float(found) if np.ndim(found) == 0 else found

    def explain(self, pvalue: Any) -> Any:
        """Return whether they may explain what such a p-value asserts."""
        return (pvalue <= SIGNIFICANT) & (self.probability > ALPHA)

    def bound(self, two_sided: bool) -> Any:
        """Return the p-value that no correction needs to exceed."""
        return np.minimum((2.0 if two_sided else 1.0) * self.probability, 1.0)

    def sentence(self, names: Sequence[str], unit: str) -> str:
        """Return the warning in numbers; `unit` is 'positive case', 'item' or 'cluster'."""
        whole = float(self.units).is_integer()
        count = f"{self.units:.0f}" if whole else f"{self.units:.3g} effective"
        return (
            f"A failure of {names[self.model]} in {percentage(self.share)} of {unit}s, none of "
            f"them among these {count}, would explain the difference (probability "
            f"{self.probability:.2f})."
        )


def percentage(share: float) -> str:
    """Return a share in per cent, with two significant digits below 10%."""
    return f"{100.0 * share:.2g}%" if share < 0.995 else f"{100.0 * share:.0f}%"


def unseen_failures(
    estimate: Any, distances: tuple[Any, Any], units: Any, alternative: str, margin: float = 0.0
) -> UnseenFailures:
    """Return the failures that would explain a claim about a difference of two models.

    Parameters
    ----------
    estimate : float or array
        The difference, first minus second; positive if the first model is better.
    distances : pair of floats or arrays
        How far the measures of the first and the second model lie above the worst value.
    units : float or array
        The number of independent units, effective ones for weights and clusters.
    alternative, margin
        The claim; of equivalence its weaker side.
    """
    first = share_of(estimate + margin, distances[0])
    second = share_of(margin - estimate, distances[1])
    if alternative == "greater":
        return UnseenFailures(first, units, np.zeros_like(first, int))
    if alternative == "less":
        return UnseenFailures(second, units, np.ones_like(second, int))
    if alternative == "two-sided":
        return UnseenFailures(np.maximum(first, second), units, np.int_(estimate < 0.0))
    return UnseenFailures(np.minimum(first, second), units, np.int_(second < first))


@np.errstate(divide="ignore", invalid="ignore")
def share_of(lead: Any, distance: Any) -> Any:
    """Return the share of complete failures that makes up for a lead; 0 of no lead."""
    share = np.where(np.greater(lead, 0.0), np.divide(lead, distance), 0.0)
    return np.clip(np.nan_to_num(share, nan=0.0, posinf=1.0), 0.0, 1.0)


def capped(corrected: Any, standard: Any, bound: Any) -> Any:
    """Return corrected p-values, none above both the standard test's and the bound."""
    return np.minimum(corrected, np.maximum(standard, bound))


def least_unexplained(distance: Any, units: Any, alpha: float) -> Any:
    """Return the lead whose failures are absent from the sample with probability `alpha`."""
    return -distance * np.expm1(math.log(alpha) / np.maximum(units, np.finfo(float).tiny))
