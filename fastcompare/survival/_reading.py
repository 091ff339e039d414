"""Checked times, events and scores as a sample of models: all options of concordances."""

from __future__ import annotations

from typing import TypedDict

from numpy.typing import ArrayLike

from .._base.types import NanPolicy
from .._inputs.options import as_choice, check_reference, count_jobs
from .._inputs.scores import ScoreTable
from .._inputs.times import as_tau, as_times
from ._design import ConcordanceSample
from ._pairs import concordant_pairs, order_by_time
from ._strata import stratified_sample
from ._variance import Variation

METHODS = ("harrell", "uno")


class SampleOptions(TypedDict, total=False):
    """Options of concordances: how times, scores, weights and strata are read."""

    tau: float | None
    predicts: str
    method: str
    sample_weight: ArrayLike | None
    groups: ArrayLike | None
    strata: ArrayLike | None
    n_jobs: int
    nan_policy: NanPolicy


class ReferenceOptions(SampleOptions, total=False):
    """The options of `SampleOptions`, and the reference distribution of the statistics."""

    reference: str


def as_sample(
    time: object,
    event: object,
    scores: ScoreTable | None,
    *,
    tau: float | None = None,
    predicts: str = "risk",
    method: str = "harrell",
    reference: str = "auto",
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    n_jobs: int = 1,
    nan_policy: NanPolicy = "raise",
    **models: object,
) -> ConcordanceSample:
    """Return the checked cases with their pairs of known order, and the models' concordant ones.

    Parameters
    ----------
    tau : float, optional
        Events from this time on do not count, as if all cases were censored then; in the unit of
        `time`. 'uno' needs it where few cases are left at risk at the end.
    method : {'harrell', 'uno'}, default='harrell'
        'harrell' counts all pairs of known order equally. Under censoring what it estimates depends
        on the times of censoring, differently for each model; 'uno' weighs pairs such that it does
        not.
    reference : {'auto', 't', 'normal'}, default='auto'
        'auto' and 't' are Student's t with Satterthwaite's degrees of freedom, of a variance with a
        part for events and a part for other cases (of clusters, CR2). 'normal' is the infinitesimal
        jackknife with the normal distribution, as in R's survival.
    sample_weight : array-like of shape (n,), optional
        Sampling weight of each case, at least 0; only ratios matter. Pairs weigh the product.
    groups : array-like of shape (n,), optional
        The cluster that a case belongs to, of any type: the patient of a lesion, say. Clusters are
        independent, the cases in one need not be. Not together with weights.
    strata : array-like of shape (n,), optional
        Stratum of each case (centre, user, matched set), labels of any type: only cases of one
        stratum are compared, and pairs count equally, as in R's survival. Strata are fixed, and the
        cases in them a sample; with the same labels as `groups` the strata are a sample.
    """
    check_reference(reference)
    method, moment = as_choice("method", method, METHODS), as_tau(tau)
    jobs = count_jobs(n_jobs)
    cases = as_times(
        time,
        event,
        predicts,
        nan_policy,
        groups,
        sample_weight,
        strata=strata,
        table=scores,
        **models,
    )
    ordered = order_by_time(cases, moment)
    if ordered.strata:
        return stratified_sample(ordered, method, moment, reference, jobs)
    order = ordered.order
    ordered_groups = None if cases.groups is None else cases.groups[order]
    weights = None if cases.weights is None else ordered.weights
    pairs = concordant_pairs(ordered, method, jobs)
    published = reference == "normal"
    variation = Variation(
        ordered.event, ordered_groups, weights, published, pairs.effective_sizes(ordered)
    )
    return ConcordanceSample(ordered, pairs, variation, method, moment)
