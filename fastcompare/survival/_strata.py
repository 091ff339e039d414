"""Concordances within strata: centres, users, matched sets, of which cases of one are compared.

Stratum g has P_g pairs of known order, weighted as in `_pairs` (Uno's with the distribution of
censoring in the stratum), of which a model orders C_g right. Its share is p_g = P_g / sum P, and

    C = sum p_g C_g

as in R's survival. Fixed strata: cases are a sample within each, V_g is the variance of C_g by the
stratum's cases alone, as in `_variance`, and

    Var = sum p_g^2 V_g

with Satterthwaite's degrees of freedom over both kinds of cases of all strata. A stratum whose
pairs rest on fewer than two events or later cases in effect has no variance of its own: those are
taken for a sample of strata, whose C_g vary about their mean. If all strata, or clusters of whole
strata, are a sample, so are all of them: the variance is that of a weighted mean of items (CR2).
With the stratum for a cluster, squares of sums of e_i would be four times too large: pairs lie
within strata, and each counts in two of these e_i.

As published (R's survival): the sum of all e_i^2 about the one C. For Uno's C that package gives a
stratum with one event the weight 1 in place of G^-2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.text import amount
from .._base.types import Fields, Integers, Matrix, Vector
from .._inference.clusters import FEWEST_DF, cluster_status
from .._inference.infer import ZeroVarianceBound, sum_over_largest
from .._inference.means import MeanDesign, mean_design
from .._inference.pvalues import welch_df
from .._inputs.items import ItemLinks
from .._inputs.weights import check_whole_strata
from ..auc._intervals import PAIRS
from ._design import UNKNOWN, ConcordanceSample, matched_pairs
from ._pairs import (
    Scale,
    TimeOrdered,
    UnweightedPairs,
    WeightedPairs,
    concordant_pairs,
    event_weights,
    weighted_concordant_pairs,
)
from ._variance import (
    EffectiveByPairs,
    VarianceEstimate,
    Variation,
    effective_numbers,
    sums_by_kind,
)

LEAST_EFFECTIVE = 2.0  # effective events, and later cases, that a stratum's own variance needs
ROUNDING = 2.0**-46  # of a difference of two concordances
Pairs = UnweightedPairs | WeightedPairs


@dataclass(frozen=True)
class StratifiedPairs:
    """The pairs within each stratum, in the order of the places.

    `parts` are the pairs of the G strata, `starts` (G + 1) their first places, and the end.
    """

    parts: list[Pairs]
    starts: Integers

    @cached_property
    def totals(self) -> Vector:
        """The sums (G,) of the weights of each stratum's pairs."""
        return np.array([part.total for part in self.parts], np.float64)

    @property
    def total(self) -> float:
        """The sum of the weights of all pairs."""
        return sum(part.total for part in self.parts)

    @property
    def shares(self) -> Vector:
        """The shares (G,) of the strata in all pairs."""
        return np.asarray(self.totals / self.totals.sum())

    def estimate(self, i: int, j: int | None = None) -> float:
        """Return the concordance of model i, or its difference from that of j, rounded once."""
        wins = sum(part.doubled_wins(i, j) for part in self.parts)
        return wins / (2 * self.total) if self.total else math.nan

    def values(self, i: int, j: int | None = None) -> Vector:
        """Return the concordances or differences (G,) within each stratum, NaN without pairs."""
        return np.array([part.estimate(i, j) for part in self.parts])

    def components(self, i: int, j: int | None = None, *, published: bool = False) -> Vector:
        """Return the cases' components about each stratum's C, or if `published` about C of all."""
        mean = self.estimate(i, j) if published else None
        components = [
            share * part.components(i, j, mean) if share else np.zeros(size)
            for share, part, size in zip(
                self.shares.tolist(), self.parts, np.diff(self.starts), strict=True
            )
        ]
        return np.concatenate(components)

    @property
    def p_uncensored(self) -> Vector | None:
        """P(uncensored) just before each place's time, for Uno's C; None for Harrell's."""
        p_uncensored = [part.p_uncensored for part in self.parts]
        defined = [p for p in p_uncensored if p is not None]
        return np.concatenate(defined) if defined else None

    def weights_by_role(
        self, event: NDArray[np.uint8], tie_start: Integers
    ) -> tuple[Vector, Vector, float]:
        """Return each place's weight of pairs as an event, and as a later case; sum of squares.

        See `UnweightedPairs.weights_by_role`.
        """
        weights_by_role = [
            part.weights_by_role(event[start:stop], tie_start[start:stop] - start)
            for part, (start, stop) in zip(self.parts, pairwise(self.starts), strict=True)
        ]
        as_event, as_later, squares = zip(*weights_by_role, strict=True)
        return np.concatenate(as_event), np.concatenate(as_later), float(sum(squares))


def stratified_pairs(ordered: TimeOrdered, method: str, n_jobs: int) -> StratifiedPairs:
    """Return the pairs within each stratum, and the concordant ones of all models."""
    sizes = [part.order.size for part in ordered.strata]
    starts = np.concatenate(([0], np.cumsum(sizes)))
    if method == "harrell" and ordered.cases.weights is None:
        parts = [concordant_pairs(part, method, n_jobs) for part in ordered.strata]
        return StratifiedPairs(parts, starts)
    heaviest_event = max(float(event_weights(part, method).max()) for part in ordered.strata)
    n, weights = ordered.order.size, ordered.cases.weights
    case_scale = None if weights is None else (float(weights.max()), n)
    scales: tuple[Scale, Scale] = case_scale, (heaviest_event, n)
    weighted = [weighted_concordant_pairs(part, method, n_jobs, scales) for part in ordered.strata]
    return StratifiedPairs(list(weighted), starts)


class InfluenceByPart(NamedTuple):
    """Influence values, whose squares add up to a variance, the part of each, and each part's df.

    Parts 2 g and 2 g + 1 are the other cases and the events of stratum g; the last part are the
    strata that are a sample.
    """

    values: Vector
    part: Integers
    df: Vector


@dataclass(frozen=True)
class StratifiedSample(ConcordanceSample):
    """Models on the same cases: their concordant pairs within strata, and variances."""

    pairs: StratifiedPairs  # type: ignore[assignment]

    @cached_property
    def variations(self) -> list[Variation]:
        """The `Variation` of each stratum, for its own variance."""
        published = self.variation.published
        return [
            Variation(
                kind=part.event,
                groups=None,
                weights=None if part.cases.weights is None else part.weights,
                published=published,
                effective_by_pairs=pairs.effective_sizes(part),
            )
            for part, pairs in zip(self.ordered.strata, self.pairs.parts, strict=True)
        ]

    @cached_property
    def is_sampled(self) -> NDArray[np.bool_]:
        """Which strata (G,) are a sample of strata: all with pairs if `groups` consist of strata.

        Else those that lack a variance of their own, if several strata have pairs.
        """
        has_pairs = self.pairs.totals > 0.0
        if self.variation.groups is not None:
            return has_pairs
        if np.count_nonzero(has_pairs) < 2:
            return np.zeros_like(has_pairs)
        effective = np.array(
            [
                min(effective_sizes_by_role(part, pairs)) if pairs.total else math.inf
                for part, pairs in zip(self.ordered.strata, self.pairs.parts, strict=True)
            ]
        )
        return lack_variance(effective) & has_pairs

    @cached_property
    def sampled_design(self) -> MeanDesign:
        """The design of the mean over the strata that are a sample."""
        clusters = self.variation.groups
        if clusters is not None:
            clusters = clusters[self.pairs.starts[:-1]][self.is_sampled]
        return sampled_strata_design(self.pairs.totals[self.is_sampled], clusters)

    def influence(self, i: int, j: int | None = None) -> InfluenceByPart:
        """Return the influence on model i's concordance, or on its difference from j's.

        Of cases; but strata that are a sample have an influence each, and 0 for their cases.
        """
        sampled = self.is_sampled
        starts = self.pairs.starts
        factors = np.array([variation.factors for variation in self.variations])
        df = np.array([variation.df_by_kind for variation in self.variations]).ravel()
        stratum = np.repeat(np.arange(starts.size - 1), np.diff(starts))
        kind = self.ordered.event.astype(np.int64)
        published = self.variation.published and self.variation.groups is None
        influence = np.sqrt(factors[stratum, kind]) * self.pairs.components(
            i, j, published=published
        )
        if published or not sampled.any():
            return InfluenceByPart(influence, 2 * stratum + kind, df)
        values = self.pairs.values(i, j)[sampled]
        design = self.sampled_design
        extra = strata_influence(values, design) * self.pairs.shares[sampled].sum()
        influence = np.append(np.where(sampled[stratum], 0.0, influence), extra)
        part = np.append(2 * stratum + kind, np.full(extra.size, df.size))
        return InfluenceByPart(influence, part, np.append(df, design.df))

    def estimate_variance(self, i: int, j: int | None = None) -> VarianceEstimate:
        """Return the variance of a concordance, or of a difference; NaN of fewer than 2 events."""
        if self.status in UNKNOWN:
            return VarianceEstimate(math.nan, math.nan)
        values, part, part_df = self.influence(i, j)
        shares = np.bincount(part, np.square(values), part_df.size)
        varies = shares > 0.0
        df = welch_df(shares[varies].tolist(), (part_df[varies] + 1.0).tolist())
        return VarianceEstimate(float(shares.sum()), math.inf if self.variation.published else df)

    @cached_property
    def covariance(self) -> Matrix:
        """The covariance (k, k) of the concordances."""
        if self.status in UNKNOWN:
            return np.full((self.k, self.k), math.nan)
        rows = np.array([self.influence(model).values for model in range(self.k)])
        return np.asarray(rows @ rows.T)

    @cached_property
    def status(self) -> str:
        """The status word of the cases, whatever the models are."""
        informative = [
            part.n_events
            for part, pairs in zip(self.ordered.strata, self.pairs.parts, strict=True)
            if pairs.total
        ]
        if not informative:
            return "no_pairs"
        if sum(informative) < 2:
            return "one_event"
        if bool(self.is_sampled.sum() == len(informative)):
            word = cluster_status(self.sampled_design.df, fewest=FEWEST_DF)
            if word != "ok":
                return word
        return self.case_status(sum(informative))

    @property
    def zero_variance_bound(self) -> ZeroVarianceBound:
        """The exact bound for a difference that is the same in all units.

        Units are sampled strata, or pairs without a case in common; those of unequal size or weight
        count as their sum over the largest.
        """
        totals = self.pairs.totals
        if self.variation.groups is not None:
            clusters = self.variation.groups[self.pairs.starts[:-1]]
            return ZeroVarianceBound(sum_over_largest(np.bincount(clusters, totals)), name="strata")
        parts = self.ordered.strata
        n_pairs = sum(matched_pairs(part.event, part.tie_start) for part in parts)
        if self.cases.weights is not None:
            n_pairs = min(n_pairs, sum_over_largest(self.cases.weights) / 2)
        return ZeroVarianceBound(n_pairs, name=PAIRS)

    @property
    def cluster_df(self) -> float | None:
        """The degrees of freedom of strata that are a sample; None of fixed ones."""
        return None if self.variation.groups is None else self.sampled_design.df

    def without_models(self) -> StratifiedSample:
        """Return the pairs without models, from which `shared_pairs` may come later."""
        cases = replace(self.cases, time=np.empty(0), event=np.empty(0, np.uint8), scores=())
        parts = [replace(part, concordant=[]) for part in self.pairs.parts]  # type: ignore[arg-type]
        ordered = replace(self.ordered, cases=cases, strata=())
        return replace(self, ordered=ordered, pairs=replace(self.pairs, parts=parts))

    def fields(self) -> Fields:
        """Return the fields of results that say what was compared."""
        used = int(np.count_nonzero(self.pairs.totals))
        unit = self.zero_variance_bound.name
        dropped = self.pairs.totals.size - used
        return Fields(super().fields(), n_strata=used, n_strata_dropped=dropped, _unit=unit)

    def contrast_parts(self, rows: Matrix) -> tuple[Matrix, Matrix, Matrix]:
        """Return the parts (2, r, r) of contrasts' covariance, overlaps (2, 2), models' components.

        The parts are of other cases, with the strata that are a sample, and of events. The overlaps
        have 1 / df on the diagonal, by the average variance of a contrast; 1 for a part of 0.
        """
        influences = [self.influence(model) for model in range(self.k)]
        components = np.array([influence.values for influence in influences])
        part, df = influences[0].part, influences[0].df  # these are the same for all models
        combined = rows @ components
        shares = np.bincount(part, np.square(combined).sum(axis=0), df.size)
        kind = part % 2  # parts of events are odd
        by_kind = [combined[:, kind == each] for each in (0, 1)]
        overlaps = [
            1.0 / welch_df(shares[each::2].tolist(), (df[each::2] + 1.0).tolist())
            if shares[each::2].any()
            else 1.0
            for each in (0, 1)
        ]
        parts = np.array([values @ values.T for values in by_kind])
        return parts, np.diag(overlaps), components


def lack_variance(effective: Vector) -> NDArray[np.bool_]:
    """Return which strata have too few events or later cases for an own variance: none or several.

    `effective` is the smaller of a stratum's two effective numbers. If it is too small in one
    stratum only, the stratum with the next smallest number joins that: one has no variance. A
    single stratum does not lack it.
    """
    lacking = np.asarray(effective < LEAST_EFFECTIVE)
    if effective.size == 1:
        return np.zeros(1, np.bool_)
    if np.count_nonzero(lacking) == 1:
        lacking[np.argsort(effective, kind="stable")[:2]] = True
    return lacking


def sampled_strata_design(weights: Vector, clusters: Integers | None) -> MeanDesign:
    """Return the design of a weighted mean over strata that are a sample, or in clusters."""
    if clusters is not None:
        names, numbers = np.unique(clusters, return_inverse=True)
        clusters = None if names.size == numbers.size else numbers.astype(np.int64)
    return mean_design(ItemLinks(weights.size, weights, clusters))


def strata_influence(values: Vector, design: MeanDesign) -> Vector:
    """Return the influence of strata, or of clusters of them, on the mean of their values."""
    deviations = values - float(design.means(values))
    deviations[abs(deviations) <= ROUNDING] = 0.0
    return np.asarray(design.influence(deviations, design.terms[0]))


def strata_phrase(n_strata: int | None, n_dropped: int, lacking: str) -> str:
    """Return the phrase ", in 3 strata, 1 without pairs left out"; "" without strata.

    `lacking` says what the dropped ones do not have.
    """
    if n_strata is None:
        return ""
    dropped = f", {n_dropped} without {lacking} left out" if n_dropped else ""
    return f", in {amount(n_strata, 'stratum', 'strata')}{dropped}"


def stratified_sample(
    ordered: TimeOrdered, method: str, tau: float | None, reference: str, n_jobs: int
) -> StratifiedSample:
    """Return the checked sample of cases in strata, with their pairs and concordant ones."""
    cases, order = ordered.cases, ordered.order
    check_whole_strata(cases.strata, cases.groups)
    pairs = stratified_pairs(ordered, method, n_jobs)
    as_event, as_later, _ = pairs.weights_by_role(ordered.event, ordered.tie_start)
    pair_weights = np.where(ordered.event > 0, as_event, as_later)
    sums, squares = (sums_by_kind(ordered.event, pair_weights**power) for power in (1, 2))
    sizes = effective_numbers(sums, squares)
    variation = Variation(
        kind=ordered.event,
        groups=None if cases.groups is None else cases.groups[order],
        weights=None if cases.weights is None else ordered.weights,
        published=reference == "normal",
        effective_by_pairs=EffectiveByPairs(unweighted=sizes, weighted=sizes),
    )
    return StratifiedSample(ordered, pairs, variation, method, tau)


def effective_sizes_by_role(stratum: TimeOrdered, pairs: Pairs) -> tuple[float, float]:
    """Return Kish's effective numbers of events and of later cases, by a stratum's pairs."""
    as_event, as_later, _ = pairs.weights_by_role(stratum.event, stratum.tie_start)
    roles = as_event, as_later
    sums, squares = np.array([(weights.sum(), weights @ weights) for weights in roles]).T
    n_events, n_later = effective_numbers(sums, squares)
    return n_events, n_later
