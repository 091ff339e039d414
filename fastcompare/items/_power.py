"""How many items and samples to collect, and how much scores vary between them.

Notation: v is the variance of an item's difference, omega^2 + s_A^2 / K_A + s_B^2 / K_B with K
samples an item, times the design effect of clusters; the standard error of n items is sqrt(v / n).
Miller (2024), arXiv:2411.00640, section 5.

Model m has K_i samples of item i, with variance s_m^2 about the item's own mean (MSW of a one-way
analysis of variance). The variance of item means is s^2 = v_items + sum over m of s_m^2 mean(1/K),
so v_items adds up exactly to the squared standard error; it may come out negative. With K samples

    SE(n, K)^2 = D (max(0, v_items) + sum s_m^2 / K) / n

D is the design effect, n SE^2 / s^2 of the data, 1 for independent, equally weighted items. Miller
(2024), arXiv:2411.00640; Searle, Casella, McCulloch (1992), Variance Components.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Unpack

import numpy as np

from .._base.documented import with_engine_options
from .._base.text import amount
from .._base.types import Fields, Matrix, Vector
from .._inference.mean_power import (
    detectable_difference,
    distance_inside_claim,
    normal_detectable_ratio,
)
from .._inference.mean_power import mean_power as power_of
from .._inference.pvalues import normal_quantile
from .._inference.roots import find_root
from .._inputs.items import Items
from .._inputs.options import as_count, check_alpha, check_amount, check_within
from .._inputs.plans.simulations import as_finite
from .._inputs.plans.sizes import (
    MeanDesign,
    MeanDesigning,
    Pair,
    as_mean_design,
    as_sample_counts,
    check_claim_holds,
    check_countable_items,
    check_detectable,
)
from .._results.records import Record
from .._results.two_models import Result


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
        """The number of items, rounded up."""
        return math.ceil(self.n)

    @property
    def whole_clusters(self) -> int:
        """The number of clusters, rounded up."""
        return math.ceil(self.n / self.cluster_size)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        purpose = f"to detect a difference of {self.difference:g} in mean score"
        if self.margin:
            purpose = (
                f"for the claim with margin {self.margin:g} at a true difference of "
                f"{self.difference:g} in mean score"
            )
        clusters = f" in {self.whole_clusters} clusters" if self.cluster_size > 1.0 else ""
        return (
            f"{self.whole_items} items{clusters} give a power of {self.power:g} {purpose} if "
            f"differences have a variance of {self.variance:.4g} per item (alpha = {self.alpha:g}, "
            f"{self.alternative}; {self.reference})."
        )


@with_engine_options(as_mean_design)
def mean_power(
    *, difference: float, n: float, variance: Pair, **design: Unpack[MeanDesigning]
) -> float:
    """Return the power of `paired_mean_test` with n items.

    Parameters
    ----------
    difference : float
        The true difference in mean score, first minus second, that the study should detect.
    n : float
        Number of items, at least 2 (two clusters).

    Returns
    -------
    float
        The power: the probability that the test rejects.

    See Also
    --------
    mean_sample_size : The number of items for a given power.
    mean_detectable_difference : The smallest difference that n items can detect.
    paired_mean_test : The test; its ``planning`` estimates the variances from data.

    Notes
    -----
    The variance of an item's difference is ``variance + sample_variance_a / samples_a +
    sample_variance_b / samples_b``, times the design effect; two-sided tests include rejections in
    the wrong direction, so that the power at a difference of 0 is `alpha`. With
    ``reference='normal'`` sample sizes and detectable differences are those of textbooks, which
    omit that tail.

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
    return plan_power(plan, as_finite("difference", difference), check_amount("n", n, plan.fewest))


@with_engine_options(as_mean_design)
def mean_sample_size(
    *, difference: float, power: float, variance: Pair, **design: Unpack[MeanDesigning]
) -> MeanSampleSizeResult:
    """Return the number of items that `paired_mean_test` needs to detect a difference.

    Parameters
    ----------
    difference : float
        The true difference in mean score, first minus second, that the study should detect: the
        smallest relevant one.
    power : float
        The power that you want, between `alpha` and 1.

    Returns
    -------
    MeanSampleSizeResult
        With ``n``, not rounded and at least 2 (two clusters), ``whole_items`` and
        ``whole_clusters`` (rounded up), ``variance`` (of an item's difference, with samples and
        design effect), and the options.

    Raises
    ------
    FastCompareError
        As ValueError or TypeError, for invalid inputs; also if no number of items gives this power
        because the difference contradicts `alternative`.

    See Also
    --------
    mean_power : The power with a given number of items, with notes.

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
    true = as_finite("difference", difference)
    goal = check_within("power", power, plan.alpha)
    gap = distance_inside_claim(true, plan.alternative, plan.margin)
    check_claim_holds(gap, true, plan.alternative)
    return MeanSampleSizeResult(
        n=needed_items(plan, true, gap, goal),
        difference=true,
        power=goal,
        **plan._asdict(),
    )


@with_engine_options(as_mean_design)
def mean_detectable_difference(
    *, n: float, power: float = 0.8, variance: Pair, **design: Unpack[MeanDesigning]
) -> float:
    """Return the smallest true difference that `paired_mean_test` can detect with n items.

    Parameters
    ----------
    n : float
        Number of items, at least 2 (two clusters).
    power : float, default=0.8
        The power, between `alpha` and 1.

    Returns
    -------
    float
        The difference; negative for ``alternative='less'``, and reduced by a non-inferiority
        margin.

    See Also
    --------
    mean_power : The power with a given number of items, with notes.

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
    size = check_amount("n", n, plan.fewest)
    goal = check_within("power", power, plan.alpha)
    error = plan.standard_error(size)
    df = plan.df(size)
    textbook = plan.reference == "normal"
    least = detectable_difference(error, df, *plan.claim, goal, textbook=textbook)
    check_detectable(plan.alternative, least)
    return least


def plan_power(plan: MeanDesign, difference: float, n: float) -> float:
    """Return the power of the planned test with n items if this is the true difference."""
    return power_of(difference, plan.standard_error(n), plan.df(n), *plan.claim)


def needed_items(plan: MeanDesign, difference: float, gap: float, power: float) -> float:
    """Return the number of items for this power; the textbook's formula for the normal test.

    `gap` is the difference plus or minus the margin: its distance from the null hypothesis.
    """
    ratio = normal_detectable_ratio(plan.alternative, plan.alpha, power)
    if plan.reference == "normal" and not math.isnan(ratio):
        return check_countable_items(max(plan.fewest, plan.variance * (ratio / gap) ** 2))

    def excess(n: float) -> float:
        return plan_power(plan, difference, n) - power

    low = plan.fewest
    if excess(low) >= 0.0:
        return low
    high = 2.0 * low
    while excess(high) < 0.0:  # until the root is between `low` and `high`
        high = check_countable_items(2.0 * high)
    return find_root(excess, low, high, xtol=1e-12 * high, rtol=1e-14)


class Sampling(NamedTuple):
    """Variance components of scores with several samples an item.

    `total` is the variance of item means (or of their differences), `within` is each model's
    variance of samples about their item's mean, `inverse` its mean of 1 / K over items.
    """

    total: float
    within: tuple[float, ...]
    inverse: tuple[float, ...]

    @property
    def between_items(self) -> float:
        """The variance between items, NaN where samples do not determine it."""
        return self.total - sum(s * k for s, k in zip(self.within, self.inverse, strict=True))

    @property
    def icc(self) -> float:
        """The share of the variance of one sample between items, NaN if it has no variance."""
        variance_of_one_sample = self.between_items + sum(self.within)
        return self.between_items / variance_of_one_sample if variance_of_one_sample else math.nan

    def per_item(self, samples: tuple[float, ...] | None) -> float:
        """Return the variance of an item's mean (or difference) with these numbers of samples.

        `samples` has a number for each model; None for the present ones.
        """
        if samples is None:
            return self.total
        of_samples = sum(s / k for s, k in zip(self.within, samples, strict=True))
        return max(0.0, self.between_items) + of_samples


def component_fields(items: Items, sampling: Sampling) -> Fields:
    """Return the fields `variance_items`, `variance_samples` and `icc`, None with one sample each.

    `variance_samples` is a number, or (2,) for two models.
    """
    if items.samples is None:
        return Fields(variance_items=None, variance_samples=None, icc=None)
    within = np.array(sampling.within) if len(sampling.within) > 1 else sampling.within[0]
    return Fields(variance_items=sampling.between_items, variance_samples=within, icc=sampling.icc)


class SampleCounts(NamedTuple):
    """Whether items have weights, and the number (k,) of samples of each model over all items."""

    weighted: bool
    n_samples: Vector


def count_samples(items: Items) -> Vector:
    """Return the number (k,) of samples that each model has over all items."""
    if items.samples is None:
        return np.full(items.scores.shape[1], items.links.n)
    return np.array([np.count_nonzero(~np.isnan(samples)) for samples in items.samples])


def estimate_sampling(items: Items, scores: Vector) -> Sampling:
    """Return the variance components of items' scores, or of their differences."""
    total = float(np.var(scores, ddof=1)) if scores.size > 1 else math.nan
    models = items.scores.shape[1]
    if items.samples is None:
        return Sampling(total, (math.nan,) * models, (1.0,) * models)
    within, inverse = zip(*map(sample_variance, items.samples), strict=True)
    return Sampling(total, within, inverse)


def sample_variance(samples: Matrix) -> tuple[float, float]:
    """Return the variance of samples (n, K) about their items' means, and the mean of 1 / K.

    Missing samples are NaN. The variance is NaN if no item has two samples.
    """
    observed = ~np.isnan(samples)
    sizes = observed.sum(axis=1)
    filled = np.where(observed, samples, 0.0)
    means = filled.sum(axis=1) / sizes
    sum_of_squares = float(np.square(np.where(observed, samples - means[:, None], 0.0)).sum())
    df = int(sizes.sum()) - sizes.size
    variance = sum_of_squares / df if df else math.nan
    return variance, float((1.0 / sizes).mean())


class Plannable:
    """Mixin of results of mean scores that plans studies with more items or samples."""

    __slots__ = ()

    def planning(
        self,
        n: int | None = None,
        samples: float | tuple[float, float] | None = None,
        *,
        difference: float | None = None,
        alpha: float = 0.05,
        power: float = 0.8,
    ) -> MeanPlanResult:
        """Return the precision and power of more items, or of more samples of each.

        Parameters
        ----------
        n : int, optional
            Number of items; by default the present one. The number of clusters is proportional to
            it.
        samples : float or tuple of two, optional
            Number of samples per item, for two models also one number for each; may be infinite. It
            needs scores with several samples.
        difference : float, optional
            A true difference, for ``power``: between two models, by default the observed one, or
            between one model's mean and its reference.
        alpha, power : float
            The significance level, and the power for the smallest detectable difference.

        Returns
        -------
        MeanPlanResult
            With ``standard_error``, ``power``, ``detectable_difference``, ``df``, ``summary()``.
        """
        return plan_mean(self, n, samples, difference, alpha, power)


@dataclass(frozen=True, eq=False, kw_only=True)
class MeanPlanResult(Record):
    """The expected precision of a plan; ``samples`` is None for the present numbers."""

    n: int
    samples: tuple[float, ...] | None
    standard_error: float
    df: float
    difference: float
    power: float
    detectable_difference: float
    alpha: float
    target_power: float
    title: ClassVar[str] = "Plan of more items or samples"

    def _summary(self) -> str:
        """Return the plan in a sentence fit for a paper."""
        items = f"{amount(self.n, 'item')}{self._samples_text()}"
        if math.isnan(self.standard_error):
            return f"The standard error cannot be estimated from these data, nor that for {items}."
        powers = [(self.difference, self.power), (self.detectable_difference, self.target_power)]
        listed = [
            f"{difference:.4g} with a power of {100 * power:.3g}%"
            for difference, power in powers
            if not math.isnan(difference + power)
        ]
        start = f"; a test at {self.alpha:g} would detect a true difference of " if listed else ""
        test = start + ", and of ".join(listed)
        return f"With {items} the standard error would be {self.standard_error:.4g}{test}."

    def _samples_text(self) -> str:
        """Return the number of samples per item in words, of each model where they differ."""
        if self.samples is None:
            return ""
        counts = ["infinitely many" if math.isinf(k) else f"{k:g}" for k in self.samples]
        if len(set(counts)) > 1:
            return (
                f" with {counts[0]} samples each by the first model and {counts[1]} by the second"
            )
        return f" with {counts[0]} sample{'' if counts[0] == '1' else 's'} each"


def plan_mean(
    result: Any, n: object, samples: object, difference: object, alpha: object, power: object
) -> MeanPlanResult:
    """Return the plan with n items and these samples each, by default as many as the result has."""
    observed = math.nan
    claim = ("two-sided", 0.0)
    if isinstance(result, Result):  # of two models: the mean of one is no difference
        observed = result.estimate
        claim = (result.alternative, result.margin)
    sampling: Sampling = result._sampling
    models = len(sampling.within)
    has_item_variance = not math.isnan(sampling.between_items)
    level = check_alpha(alpha)
    items = result.n if n is None else as_count("n", n, 2)
    counts = as_sample_counts(samples, models, has_item_variance)
    true = observed if difference is None else as_finite("difference", difference)
    goal = check_within("power", power, level)
    growth = items / result.n
    variance = sampling.per_item(counts)
    ratio = variance / sampling.total if sampling.total > 0.0 else math.nan
    error = result.standard_error * math.sqrt(ratio / growth)
    df = (result.df + 1.0) * growth - 1.0  # clusters grow in proportion to items
    return MeanPlanResult(
        n=items,
        samples=counts,
        standard_error=error,
        df=df,
        difference=true,
        power=power_of(true, error, df, *claim, level),
        detectable_difference=detectable_difference(error, df, *claim, level, goal),
        alpha=level,
        target_power=goal,
    )


def resolution_ratio(estimate: float, error: float, alpha: float, power: float) -> float:
    """Return n / n* = (d / SE)^2 / (z_(alpha/2) + z_(1-power))^2 (Kotawala 2026, arXiv:2605.30315).

    n* items would detect a true difference of d with this power, so a ratio of 1 or more is enough.
    NaN if the standard error is not positive.
    """
    if not error > 0.0:
        return math.nan
    return (estimate / error) ** 2 / (normal_quantile(0.5 * alpha) - normal_quantile(power)) ** 2
