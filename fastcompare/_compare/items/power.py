"""How many items to collect for a difference of two models' mean scores.

Notation: v is the variance of an item's difference, omega^2 + s_A^2 / K_A + s_B^2 / K_B with K
samples an item, times the design effect of clusters; the standard error of n items is sqrt(v / n).
Miller (2024), arXiv:2411.00640, section 5.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Unpack

from ..._base.forward import forwards
from ..._inference.mean_power import claimed_gap, detectable_difference, textbook_ratio
from ..._inference.mean_power import mean_power as power_of
from ..._inputs.item_options import as_finite
from ..._inputs.mean_planning import (
    MeanDesign,
    MeanDesigning,
    Pair,
    as_mean_design,
    check_countable_items,
    check_detectable,
    check_item_number,
    check_mean_goal,
    check_shown,
)
from ..._results.records import Record


@dataclass(frozen=True, eq=False, kw_only=True)
class MeanSampleSizeResult(Record):
    """Result of `mean_sample_size`; the number of items is not rounded."""

    n: float
    difference: float
    variance: float
    power: float
    alpha: float
    alternative: str
    margin: float
    cluster_size: float
    reference: str
    title: ClassVar[str] = "Sample size for mean scores"

    @property
    def whole_items(self) -> int:
        """The items, rounded up."""
        return math.ceil(self.n)

    @property
    def whole_clusters(self) -> int:
        """The clusters, rounded up."""
        return math.ceil(self.n / self.cluster_size)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        margin = f", margin {self.margin:g}" if self.margin else ""
        clusters = f" in {self.whole_clusters} clusters" if self.cluster_size > 1.0 else ""
        return (
            f"{self.whole_items} items{clusters} give a power of {self.power:g} to find a "
            f"difference of {self.difference:g} in mean scores whose differences have a variance "
            f"of {self.variance:.4g} an item (alpha = {self.alpha:g}, "
            f"{self.alternative}{margin}; {self.reference})."
        )


@forwards(as_mean_design)
def mean_power(
    *, difference: float, n: float, variance: Pair, **design: Unpack[MeanDesigning]
) -> float:
    """Return the power of `paired_mean_test` with n items.

    Parameters
    ----------
    difference : float
        The true difference of mean scores, first less second, that the study is to find.
    n : float
        Number of items, at least 2 (two clusters).

    Returns
    -------
    float
        The chance that the test rejects.

    See Also
    --------
    mean_sample_size : How many items a power takes.
    mean_detectable_difference : The smallest difference that n items find.
    paired_mean_test : The test; its ``planning`` takes the variances from data.

    Notes
    -----
    The variance of an item's difference is ``variance + sample_variance_a / samples_a +
    sample_variance_b / samples_b``, times the design effect; two-sided tests reject in the wrong
    direction too, so that the power at a difference of 0 is `alpha`. With ``reference='normal'``
    sample sizes and detectable differences are the textbook's, which leave that tail out.

    References
    ----------
    .. [1] E. Miller (2024), arXiv:2411.00640.

    Examples
    --------
    >>> import fastcompare as fc
    >>> right = dict(variance=1 / 9, sample_variance=1 / 6)
    >>> round(fc.mean_power(difference=0.03, n=1000, **right), 4)
    0.2955
    >>> round(fc.mean_power(difference=0.03, n=1000, samples=10, **right), 4)
    0.7033
    """
    plan = as_mean_design(variance, **design)
    return power_with(plan, as_finite("difference", difference), check_item_number(n, plan))


@forwards(as_mean_design)
def mean_sample_size(
    *, difference: float, power: float, variance: Pair, **design: Unpack[MeanDesigning]
) -> MeanSampleSizeResult:
    """Return how many items `paired_mean_test` needs to find a difference.

    Parameters
    ----------
    difference : float
        The true difference of mean scores, first less second, that the study is to find: the
        smallest that matters to you.
    power : float
        The chance to find it that you want, between `alpha` and 1.

    Returns
    -------
    MeanSampleSizeResult
        With ``n``, not rounded and at least 2 (two clusters), ``whole_items`` and
        ``whole_clusters`` (rounded up), ``variance`` (of an item's difference, with samples and
        design effect), and what was asked for.

    Raises
    ------
    FastCompareError
        As ValueError or TypeError, for inputs that cannot mean anything; also where no number of
        items gives this power, since the difference is not what `alternative` claims.

    See Also
    --------
    mean_power : The power of so many items, with notes.

    References
    ----------
    .. [1] E. Miller (2024), arXiv:2411.00640.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.mean_sample_size(difference=0.03, power=0.8, variance=1 / 9)
    >>> round(result.n, 4), result.whole_items
    (970.9176, 971)
    >>> plan = dict(difference=0.03, power=0.8, variance=1 / 9)
    >>> fc.mean_sample_size(**plan, reference="normal").whole_items
    969
    """
    plan = as_mean_design(variance, **design)
    found, goal = as_finite("difference", difference), check_mean_goal(power, plan.alpha)
    gap = claimed_gap(found, plan.alternative, plan.margin)
    check_shown(gap, found, plan.alternative)
    return MeanSampleSizeResult(
        n=items_for(plan, found, gap, goal),
        difference=found,
        variance=plan.variance,
        power=goal,
        alpha=plan.alpha,
        alternative=plan.alternative,
        margin=plan.margin,
        cluster_size=plan.cluster_size,
        reference=plan.reference,
    )


@forwards(as_mean_design)
def mean_detectable_difference(
    *, n: float, power: float = 0.8, variance: Pair, **design: Unpack[MeanDesigning]
) -> float:
    """Return the smallest true difference that `paired_mean_test` finds with n items.

    Parameters
    ----------
    n : float
        Number of items, at least 2 (two clusters).
    power : float, default=0.8
        The chance to find it, between `alpha` and 1.

    Returns
    -------
    float
        The difference; below 0 for ``alternative='less'``, and less what a margin gives.

    See Also
    --------
    mean_power : The power of so many items, with notes.

    References
    ----------
    .. [1] E. Miller (2024), arXiv:2411.00640.

    Examples
    --------
    >>> import fastcompare as fc
    >>> round(fc.mean_detectable_difference(n=200, variance=1 / 9), 4)
    0.0664
    """
    plan = as_mean_design(variance, **design)
    size, goal = check_item_number(n, plan), check_mean_goal(power, plan.alpha)
    error, df, textbook = plan.standard_error(size), plan.df(size), plan.reference == "normal"
    found = detectable_difference(error, df, *plan.claim, goal, textbook=textbook)
    check_detectable(plan.alternative, not math.isnan(found))
    return found


def power_with(plan: MeanDesign, difference: float, n: float) -> float:
    """Return the power of n items."""
    return power_of(difference, plan.standard_error(n), plan.df(n), *plan.claim)


def items_for(plan: MeanDesign, difference: float, gap: float, power: float) -> float:
    """Return the number of items that gives this power; the textbook's for the normal test."""
    from scipy.optimize import brentq

    ratio = textbook_ratio(plan.alternative, plan.alpha, power)
    if plan.reference == "normal" and not math.isnan(ratio):
        return check_countable_items(max(plan.fewest, plan.variance * (ratio / gap) ** 2))

    def excess(n: float) -> float:
        return power_with(plan, difference, n) - power

    low = plan.fewest
    if excess(low) >= 0.0:
        return low
    high = 2.0 * low
    while excess(high) < 0.0:
        high = check_countable_items(2.0 * high)
    return float(brentq(excess, low, high, xtol=1e-12 * high, rtol=1e-14))
