"""Several samples an item: how much scores vary between items and between samples.

Model m has K_i samples of item i, with variance s_m^2 about the item's own mean (MSW of a one-way
analysis of variance). The variance of item means is s^2 = v_items + sum over m of s_m^2 mean(1/K),
so v_items adds up exactly to the squared standard error; it may come out negative. With K samples

    SE(n, K)^2 = D (max(0, v_items) + sum s_m^2 / K) / n

D is the design effect, n SE^2 / s^2 of the data, 1 for independent items that count alike.
Miller (2024), arXiv:2411.00640; Searle, Casella, McCulloch (1992), Variance Components.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, TypedDict

import numpy as np

from ..._base.text import counted
from ..._base.types import Matrix, Vector
from ..._inference.mean_power import detectable_difference, mean_power
from ..._inference.pvalues import normal_quantile
from ..._inputs.item_options import as_plan
from ..._inputs.items import Items
from ..._results.records import Record


class Sampling(NamedTuple):
    """Variance of item means, and of each model's samples about them with its mean of 1 / K."""

    total: float
    within: tuple[float, ...]
    inverse: tuple[float, ...]

    @property
    def items(self) -> float:
        """The variance between items, NaN where samples do not tell."""
        return self.total - sum(s * k for s, k in zip(self.within, self.inverse, strict=True))

    @property
    def icc(self) -> float:
        """The share of the variance of one sample that is between items, NaN of none."""
        every = self.items + sum(self.within)
        return self.items / every if every else math.nan

    def per_item(self, samples: tuple[float, ...] | None) -> float:
        """Return the variance of an item's mean or difference with so many samples a model."""
        if samples is None:
            return self.total
        return max(0.0, self.items) + sum(s / k for s, k in zip(self.within, samples, strict=True))


class Components(TypedDict):
    """Fields of results that tell items and samples apart, None where no item has several."""

    variance_items: float | None
    variance_samples: Vector | float | None
    icc: float | None


def components_of(items: Items, sampling: Sampling) -> Components:
    """Return the fields, of which `variance_samples` has a number for each of two models."""
    if items.samples is None:
        return Components(variance_items=None, variance_samples=None, icc=None)
    within = np.array(sampling.within) if len(sampling.within) > 1 else sampling.within[0]
    return Components(variance_items=sampling.items, variance_samples=within, icc=sampling.icc)


def count_samples(items: Items) -> Vector:
    """Return how many samples of all items each model has."""
    if items.samples is None:
        return np.full(items.scores.shape[1], items.links.n)
    return np.array([np.count_nonzero(~np.isnan(samples)) for samples in items.samples])


def sampling_of(items: Items, scores: Vector) -> Sampling:
    """Return the variances of items' scores, or of their differences."""
    total = float(np.var(scores, ddof=1)) if scores.size > 1 else math.nan
    models = items.scores.shape[1]
    if items.samples is None:
        return Sampling(total, (math.nan,) * models, (1.0,) * models)
    within, inverse = zip(*map(sample_variance, items.samples), strict=True)
    return Sampling(total, within, inverse)


def sample_variance(samples: Matrix) -> tuple[float, float]:
    """Return the variance of samples about their items' means, and the mean of 1 / K.

    NaN where no item has two samples.
    """
    there = ~np.isnan(samples)
    sizes = there.sum(axis=1)
    filled = np.where(there, samples, 0.0)
    means = filled.sum(axis=1) / sizes
    squares = float(np.square(np.where(there, samples - means[:, None], 0.0)).sum())
    spare = int(sizes.sum()) - sizes.size
    return squares / spare if spare else math.nan, float((1.0 / sizes).mean())


class Planned(NamedTuple):
    """A test as planning knows it: its estimate, standard error and claim, and the variances."""

    estimate: float
    standard_error: float
    df: float
    n: int
    sampling: Sampling
    alternative: str = "two-sided"
    margin: float = 0.0


class Plannable:
    """A result of mean scores, which says what more items or samples would buy."""

    __slots__ = ()

    def _planned(self) -> Planned:
        """Return the test as planning knows it."""
        raise NotImplementedError

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
            Items, as many as now by default. Clusters grow with them.
        samples : float or tuple of two, optional
            Samples an item, of two models also by the first and by the second; infinity is legal.
            It needs scores with several samples.
        difference : float, optional
            A true difference, for ``power``: of two models, by default the one that was found, or
            of one model's mean from what it is compared with.
        alpha, power : float
            The level of the test, and the power for the smallest detectable difference.

        Returns
        -------
        MeanPlanResult
            With ``standard_error``, ``power``, ``detectable_difference``, ``df``, ``summary()``.
        """
        return plan_mean(self._planned(), n, samples, difference, alpha, power)


@dataclass(frozen=True, eq=False, kw_only=True)
class MeanPlanResult(Record):
    """What so many items and samples would give; ``samples`` is None for as many as there are."""

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
        items = f"{counted(self.n, 'item')}{self._told_samples()}"
        if math.isnan(self.standard_error):
            return f"These data tell no standard error, so none of {items}."
        finds = [(self.difference, self.power), (self.detectable_difference, self.target_power)]
        told = [
            f"{difference:.4g} with a power of {100 * power:.3g} %"
            for difference, power in finds
            if not math.isnan(difference + power)
        ]
        finds_it = f"; a test at {self.alpha:g} would find a true difference of " if told else ""
        test = finds_it + ", and of ".join(told)
        return f"With {items} the standard error would be {self.standard_error:.4g}{test}."

    def _told_samples(self) -> str:
        """Return how many samples each item has, by each model where they differ."""
        if self.samples is None:
            return ""
        counts = ["infinitely many" if math.isinf(k) else f"{k:g}" for k in self.samples]
        if len(set(counts)) > 1:
            return (
                f" with {counts[0]} samples each by the first model and {counts[1]} by the second"
            )
        return f" with {counts[0]} sample{'' if counts[0] == '1' else 's'} each"


def plan_mean(
    now: Planned,
    n: object,
    samples: object,
    difference: object,
    alpha: object,
    power: object,
) -> MeanPlanResult:
    """Return the plan with so many items and samples, by default as many as there are."""
    models = len(now.sampling.within)
    known = not math.isnan(now.sampling.items)
    plan = as_plan(n, samples, difference, alpha, power, models=models, known=known)
    items = now.n if plan.n is None else plan.n
    growth = items / now.n
    variance = now.sampling.per_item(plan.samples)
    ratio = variance / now.sampling.total if now.sampling.total > 0.0 else math.nan
    error = now.standard_error * math.sqrt(ratio / growth)
    df = (now.df + 1.0) * growth - 1.0  # as many items, or clusters, more
    true = now.estimate if plan.difference is None else plan.difference
    claim = now.alternative, now.margin, plan.alpha
    return MeanPlanResult(
        n=items,
        samples=plan.samples,
        standard_error=error,
        df=df,
        difference=true,
        power=mean_power(true, error, df, *claim),
        detectable_difference=detectable_difference(error, df, *claim, plan.power),
        alpha=plan.alpha,
        target_power=plan.power,
    )


def resolution_of(estimate: float, error: float, alpha: float, power: float) -> float:
    """Return q = n / n* = (d / SE)^2 / (z_(alpha/2) + z_(1-power))^2: resolved from 1 on.

    Kotawala (2026), arXiv:2605.30315: n* items would find a true difference as large as d.
    """
    if not error > 0.0:
        return math.nan
    return (estimate / error) ** 2 / (normal_quantile(0.5 * alpha) - normal_quantile(power)) ** 2
