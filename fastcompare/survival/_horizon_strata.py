"""AUCs at a horizon within strata: events by the horizon against controls of the same stratum.

In stratum g, with weights as in `_horizon` and the distribution of censoring G_g of the stratum,

    w_g = sum_i a_i sum_j w_j / G_g(t),    p_g = w_g / sum w,    AUC(t) = sum p_g AUC_g(t)

where w_g estimates the stratum's pairs of an event and a case without one, as if nobody were
censored. Fixed strata: Var = sum p_g^2 V_g, with the variance V_g of each stratum and
Satterthwaite's degrees of freedom. As in `_strata`, strata of fewer than two events or controls in
effect are taken for a sample, and so are all where clusters consist of whole strata.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace

import numpy as np
from numpy.typing import NDArray

from .._base.types import Fields, Integers, Vector
from .._inference.clusters import FEWEST_DF, cluster_status
from .._inference.infer import ZeroVarianceBound, sum_over_largest
from .._inference.means import MeanDesign
from .._inference.pvalues import welch_df
from .._inputs.weights import check_whole_strata
from ..auc._intervals import PAIRS
from ._horizon import (
    AtHorizon,
    HorizonAUCs,
    HorizonEstimate,
    case_status,
    effective_number,
    estimate_at,
    rank_models,
)
from ._pairs import TimeOrdered
from ._strata import lack_variance, sampled_strata_design, strata_influence


@dataclass(frozen=True)
class StrataAtHorizon:
    """Strata of cases in the order of time, with the weights of events and controls at a horizon.

    Only strata with an event by the horizon and a control are `used`.
    """

    ordered: TimeOrdered
    strata: tuple[AtHorizon, ...]
    horizon: float

    @cached_property
    def is_used(self) -> NDArray[np.bool_]:
        """Which strata (G,) have an event by the horizon and a control."""
        return np.array([min(at.sizes) > 0 for at in self.strata])

    @property
    def used(self) -> list[AtHorizon]:
        """The strata with an event by the horizon and a control."""
        return [at for at, is_used in zip(self.strata, self.is_used, strict=True) if is_used]

    @cached_property
    def shares(self) -> Vector:
        """The shares p_g of the used strata in the AUC."""
        totals = [at.events.sum() * at.controls.sum() / at.uncensored for at in self.used]
        return np.asarray(np.array(totals) / sum(totals))

    def strata_fields(self) -> Fields:
        """Return the numbers of used and of dropped strata as fields of a result."""
        unit = "" if self.clusters is None else "strata"
        count = len(self.used)
        return Fields(n_strata=count, n_strata_dropped=len(self.strata) - count, _unit=unit)

    @property
    def kind(self) -> NDArray[np.uint8]:
        """For each place 1 for an event by the horizon, and 0 for another case."""
        return np.concatenate([at.kind for at in self.strata])

    @property
    def sizes(self) -> tuple[int, int]:
        """How many events by the horizon and how many controls the used strata contain."""
        sizes = [at.sizes for at in self.used]
        return sum(n_events for n_events, _ in sizes), sum(n_controls for _, n_controls in sizes)

    @cached_property
    def first_places(self) -> Integers:
        """The place of the first case of each used stratum."""
        sizes = [at.kind.size for at in self.strata]
        return np.concatenate(([0], np.cumsum(sizes)[:-1]))[self.is_used]

    @cached_property
    def clusters(self) -> Integers | None:
        """The cluster of each used stratum; None if strata are fixed."""
        cases = self.ordered.cases
        return None if cases.groups is None else cases.groups[self.ordered.order][self.first_places]

    @cached_property
    def is_sampled(self) -> NDArray[np.bool_]:
        """Which of the used strata are a sample, or have no variance of their own."""
        if self.clusters is not None:
            return np.ones(len(self.used), np.bool_)
        return lack_variance(np.array([min(at.effective_sizes) for at in self.used]))

    @cached_property
    def sampled_design(self) -> MeanDesign:
        """The design of the mean over the strata that are a sample."""
        clusters = None if self.clusters is None else self.clusters[self.is_sampled]
        return sampled_strata_design(self.shares[self.is_sampled], clusters)

    @property
    def variation(self) -> SimpleNamespace:
        """An object with the `fewest_df` of strata that are a sample, as `AtHorizon.variation`."""
        return SimpleNamespace(fewest_df=self.sampled_design.df)

    @property
    def independent_sizes(self) -> tuple[float, float]:
        """The effective numbers (Kish) of events and of controls, or of strata for both.

        Strata count if they are a sample, each or their clusters. Effective numbers of fixed strata
        combine as variances do: 1 / n = sum p_g^2 / n_g.
        """
        if not self.used:
            return 0.0, 0.0
        if self.clusters is not None:
            strata = effective_number(np.bincount(self.clusters, self.shares).astype(np.float64))
            return strata, strata
        effective = np.array([at.effective_sizes for at in self.used])  # (G, 2)
        inverse = (np.square(self.shares)[:, None] / effective).sum(axis=0)
        events, controls = (1.0 / inverse).tolist()
        return events, controls

    @property
    def status(self) -> str:
        """The status word by the events and controls, whatever the models are."""
        if not self.used:
            return "outside_horizon"
        if len(self.used) == 1:
            return self.used[0].status
        if self.clusters is None and self.is_sampled.all():
            word = cluster_status(self.sampled_design.df, fewest=FEWEST_DF)
            if word != "ok":
                return word
        inverse = np.concatenate([1.0 / at.p_uncensored[at.kind == 1] for at in self.used])
        weights = np.concatenate([at.weights_of_events for at in self.used])
        return case_status(self.sizes, float(inverse.max()), effective_number(weights))


@dataclass(frozen=True)
class StratifiedAUCs:
    """AUCs of all models at a horizon, of pairs of cases within strata."""

    at: StrataAtHorizon
    parts: list[HorizonAUCs]

    def value(self, i: int, j: int | None, *, published: bool) -> HorizonEstimate:
        """Return the AUC of model i, or its difference from that of model j, with its variance.

        All is NaN without a used stratum; all but the estimate if the variance `is_unknown`.
        """
        at, rows = self.at, self.at.ordered.order.size
        if not at.used:
            return HorizonEstimate(math.nan, math.nan, math.nan, np.full(rows, math.nan))
        by_stratum = [estimate_at(part, i, j, published=published) for part in self.parts]
        values = np.array([value.estimate for value in by_stratum])
        estimate = float(at.shares @ values)
        sampled = at.is_sampled
        if self.is_unknown:
            return HorizonEstimate(estimate, math.nan, math.nan, np.full(rows, math.nan))
        influence = np.zeros(rows)
        variances, sizes = [], []  # of fixed strata, and of the sample of strata
        for stratum in np.flatnonzero(~sampled).tolist():
            start, share, value = at.first_places[stratum], at.shares[stratum], by_stratum[stratum]
            influence[start : start + value.influence.size] = share * value.influence
            variances.append((share * value.standard_error) ** 2)
            sizes.append(value.df + 1.0)
        if sampled.any():
            extra = strata_influence(values[sampled], at.sampled_design) * at.shares[sampled].sum()
            first = np.flatnonzero(sampled)
            if at.clusters is not None:
                _, first = np.unique(at.clusters, return_index=True)
            influence[at.first_places[first]] = extra  # a stratum's at its first case
            variances.append(float(extra @ extra))
            sizes.append(at.sampled_design.df + 1.0)
        df = math.inf if published else welch_df(variances, sizes)
        return HorizonEstimate(estimate, math.sqrt(sum(variances)), df, influence)

    @property
    def is_unknown(self) -> bool:
        """Whether the variance is undefined: one stratum, or a sample of too few."""
        at = self.at
        if len(at.used) == 1:
            return at.clusters is not None or min(at.used[0].sizes) < 2
        return bool(at.is_sampled.any()) and math.isnan(at.sampled_design.df)

    def bound(self) -> ZeroVarianceBound:
        """Return the exact bound for differences that are 0 on all pairs, or in all strata."""
        at = self.at
        if at.clusters is not None:
            return ZeroVarianceBound(
                sum_over_largest(np.bincount(at.clusters, at.shares)), name="strata"
            )
        heaviest = max(
            share / stratum.units
            for share, stratum in zip(at.shares.tolist(), at.used, strict=True)
        )
        return ZeroVarianceBound(1.0 / heaviest, name=PAIRS)


def stratified_aucs(ordered: TimeOrdered, horizons: Vector, n_jobs: int) -> list[StratifiedAUCs]:
    """Return the stratified AUCs of all models at each horizon."""
    check_whole_strata(ordered.cases.strata, ordered.cases.groups)
    ranked = [rank_models(part, n_jobs) for part in ordered.strata]
    measured = []
    for t in horizons.tolist():
        at = StrataAtHorizon(ordered, tuple(AtHorizon(part, t) for part in ordered.strata), t)
        parts = [
            HorizonAUCs.of(stratum, models, n_jobs)
            for stratum, models, is_used in zip(at.strata, ranked, at.is_used, strict=True)
            if is_used
        ]
        measured.append(StratifiedAUCs(at, parts))
    return measured
