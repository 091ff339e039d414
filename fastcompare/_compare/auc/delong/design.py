"""Moments of AUCs for any design of a study: independent cases, weighted ones, or clusters."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypedDict

import numpy as np
from numpy.typing import ArrayLike

from ...._base.memory import reserve
from ...._base.parallel import map_threads
from ...._base.products import row_products
from ...._base.types import Matrix, NanPolicy
from ...._inference.clusters import FEWEST_DF, NORMAL_DF, cluster_status
from ...._inference.status import FEW_CASES
from ...._inference.unvaried import Unvaried
from ...._inputs.cases import Cases, as_cases
from ...._inputs.options import as_choice, count_jobs
from ...._inputs.scores import ScoreTable
from ..components import METHODS, THREADS_FROM, Components, as_components, pairs_of
from ..exact import PairMoments, difference_df, pair_moments, undefined_pair
from ..independent import independent_clusters, unvaried_cases, unvaried_pairs
from ..product import Moments, all_moments, class_shares, difference_dfs, gather_pairs
from .clustered import Clustered, Errors, as_clustered
from .weighted import FIRST, SECOND, Weighted, as_weighted

Gained = Callable[[int, int], Errors]  # what one model has more than another
FEW_FOR_T = 3  # cases of a class: of 2 the test by t rejects 10 % at 5 %, of 3 it holds 5.8 %
FEW_FOR_PAIRS = 8  # the same for all pairs: 5 of 100 cases, models that know nothing: 6 to 11 %
DegreesOf = Callable[[Errors, int, int], float]  # of freedom, of the difference of two models
TITLES = {
    "independent": "DeLong's paired test",
    "sampling weights": "DeLong's paired test, sampling weights",
    "frequency weights": "DeLong's paired test, frequency weights",
    "clusters": "DeLong's paired test, clusters",
}
PUBLISHED = "Obuchowski's clustered DeLong test"


class Design(NamedTuple):
    """How cases came about; if not independent, the fewest degrees of freedom of variances.

    `published` is whether clusters have Obuchowski's variance and the normal distribution.
    `unvaried` is the bound by dependent cases of which no pair differs, and `sizes` are how many
    independent positives and negatives the cases are worth, where that is known.
    """

    kind: str = "independent"
    df: float = math.inf
    published: bool = False
    unvaried: Unvaried | None = None
    sizes: tuple[float, float] | None = None

    @property
    def title(self) -> str:
        """The name of the test."""
        return PUBLISHED if self.published else TITLES[self.kind]

    def status(self, word: str, few: int = FEW_FOR_T) -> str:
        """Return the status word of independent cases, or that of the design in its place.

        Weights are rough below `few` effective cases of a class.
        """
        if self.kind != "clusters":
            return "small_sample" if word == "ok" and self.df + 1.0 < few else word
        if word in ("one_class", "too_few"):
            return word
        found = cluster_status(self.df, fewest=NORMAL_DF if self.published else FEWEST_DF)
        return found if found == "too_few_clusters" or word in ("ok", "small_sample") else word


def design_of(cases: Cases, *, published: bool = True) -> Design:
    """Return how the cases came about."""
    if cases.weight_kind is not None:
        return Design(f"{cases.weight_kind} weights", unvaried=unvaried_cases(cases))
    if cases.groups is None:
        return Design()
    return design_of_clusters(as_clustered(cases.labels, cases.groups), published=published)


def design_of_clusters(clustered: Clustered, *, published: bool) -> Design:
    """Return the design of cases in clusters."""
    unvaried = unvaried_pairs(*independent_clusters(clustered.sizes))
    sizes = kish_sizes(clustered.sizes.astype(np.float64))
    return Design("clusters", clustered.df, published, unvaried, sizes)


@np.errstate(under="ignore")
def effective_sizes(cases: Cases) -> tuple[float, float]:
    """Return how many independent positives and negatives the cases are worth."""
    labels, weights = cases.labels, cases.weights
    if cases.weight_kind != "sampling" and cases.groups is None:
        n, m = np.bincount(labels, weights, minlength=2).tolist()
        return m, n
    if weights is None:
        parts = as_clustered(labels, np.asarray(cases.groups)).sizes.astype(np.float64)
    else:
        parts = np.array([weights * (labels == own) for own in (1, 0)])
    return kish_sizes(parts)


def kish_sizes(parts: Matrix) -> tuple[float, float]:
    """Return how many cases the weights (2, I) of what is independent in both classes are worth.

    Kish (1965): the squared sum of the weights over the sum of their squares.
    """
    parts = parts / np.maximum(parts.max(axis=1, keepdims=True, initial=0.0), np.finfo(float).tiny)
    squares = np.maximum((parts**2).sum(axis=1), np.finfo(float).tiny)
    m, n = (parts.sum(axis=1) ** 2 / squares).tolist()
    return m, n


class Sample(NamedTuple):
    """Moments of k models on m positives and n negatives."""

    moments: Moments
    m: int
    n: int
    design: Design


class Counting(TypedDict, total=False):
    """Options of what is counted of k models, and how."""

    method: str
    sample_weight: ArrayLike | None
    frequency_weight: ArrayLike | None
    groups: ArrayLike | None
    n_jobs: int
    pos_label: object
    nan_policy: NanPolicy


def as_sample(
    y_true: ArrayLike,
    scores: ScoreTable,
    reference: str = "auto",
    pairs: bool = True,
    *,
    method: str = "auto",
    sample_weight: ArrayLike | None = None,
    frequency_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    n_jobs: int = 1,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
) -> tuple[Cases, Sample]:
    """Return the checked cases of k models, and their moments, those of `pairs` if they are wanted.

    Parameters
    ----------
    method : {'auto', 'midrank', 'heaviside'}, default='auto'
        How to count; all give the same bits.
    groups : array-like of shape (n,), optional
        The cluster that a case belongs to, as in `delong_test`. Not together with weights.
    """
    jobs = count_jobs(n_jobs)
    cases = as_cases(
        y_true, pos_label, nan_policy, groups, sample_weight, frequency_weight, table=scores
    )
    return cases, moments_of_cases(cases, method, jobs, reference, pairs=pairs)


def has_degrees(reference: str, kind: str, fewest: Any) -> Any:
    """Return whether differences over their errors are compared with Student's t.

    'design' asks how cases came about alone; 'auto' also whether the `fewest` cases of a class are
    few. There the normal reference rejects more than 6 % at 5 %, and t holds its level: levels.md.
    """
    if reference in ("auto", "design") and kind in ("clusters", "sampling weights"):
        return True
    return fewest < FEW_CASES if reference == "auto" else reference == "t"


def basis_of(df: Any) -> str:
    """Return the words for a reference with these degrees of freedom."""
    return "the normal approximation" if np.all(np.isposinf(df)) else "Student's t"


def few_cases(df: Any, k: int = 2) -> int:
    """Return how many cases of a class are enough for tests of k models by such a reference."""
    if np.all(np.isposinf(df)):
        return FEW_CASES
    return FEW_FOR_T if k == 2 else FEW_FOR_PAIRS


def cure(df: Any, kind: str = "independent", margin: float = 0.0) -> str:
    """Return the ways out of few cases, to follow the warning of them."""
    ways = ["leave `reference` out"] if few_cases(df) == FEW_CASES else []
    if kind == "independent" and not margin:  # all that a permutation can test
        ways.append("use permutation_auc_test")
    return f": {', or '.join(ways)}" if ways else ""


def moments_of_cases(
    cases: Cases,
    method: str = "auto",
    n_jobs: int = 1,
    reference: str = "auto",
    *,
    pairs: bool = True,
) -> Sample:
    """Return the moments of all models; NaN where a class is missing or has too few cases.

    Without `pairs` those of differences may be missing: with weights or clusters they take k^2 / 2
    passes.
    """
    if cases.weight_kind is not None:
        return moments_of_weighted(cases, method, n_jobs, reference, pairs=pairs)
    components = as_components(cases, method, n_jobs)
    m, n = components.m, components.n
    if cases.groups is not None:
        return moments_of_clusters(cases, components, reference == "normal", pairs)
    moments = all_moments(components, n_jobs)
    if has_degrees(reference, "independent", min(m, n)):
        moments = moments._replace(df=difference_dfs(components))
    return Sample(moments, m, n, Design())


def moments_of_clusters(
    cases: Cases, components: Components, published: bool, pairs: bool
) -> Sample:
    """Return the moments of all models on cases in clusters."""
    m, n = components.m, components.n
    clustered = as_clustered(cases.labels, np.asarray(cases.groups))
    design = design_of_clusters(clustered, published=published)
    if not (m and n):
        return Sample(undefined(components.k), m, n, design)
    wins = [clustered.wins(placed) for placed in components.placed]
    evaluate = clustered.evaluate_published if published else clustered.evaluate
    found = [evaluate(won) for won in wins]
    rows = np.array([each.errors for each in found])
    if not pairs:
        return Sample(moments_of(found, rows), m, n, design)
    shares = np.empty(0) if published else class_shares(components)

    def degrees(errors: Errors, i: int, j: int) -> float:
        return clustered.df_of(np.asarray(errors.own), shares[:, i, j])

    gained: Gained = lambda i, j: evaluate(wins[i] - wins[j])  # noqa: E731
    moments = moments_of(found, rows, gained, None if published else degrees)
    return Sample(moments, m, n, design)


class Pair(NamedTuple):
    """Moments of two models on m positives and n negatives."""

    moments: PairMoments
    m: int
    n: int
    design: Design = Design()
    n_dropped: int = 0
    dfs: tuple[float, float] = (math.inf, math.inf)  # of the AUCs themselves


def pair_of_cases(
    cases: Cases, method: str = "auto", n_jobs: int = 1, reference: str = "design"
) -> Pair:
    """Return the moments of two models, or of one: with weights its difference is that to none.

    Most take a shorter way than all pairs of k models, 10 microseconds less.
    """
    if cases.weight_kind is not None:
        return pair_of_weighted(cases, method, n_jobs, reference)
    if cases.groups is None:
        components = as_components(cases, method, n_jobs)
        pair = moments_of_independent(components, components.k - 1, reference)
        return Pair(pair, components.m, components.n, n_dropped=cases.n_dropped)
    moments, m, n, design = moments_of_cases(cases, method, n_jobs, reference)
    estimate, variance = float(moments.difference[0, -1]), float(moments.difference_variance[0, -1])
    df = float(np.broadcast_to(moments.df, moments.difference.shape)[0, -1])
    pair = PairMoments(moments.auc, moments.covariance, estimate, variance, df)
    first, second = np.broadcast_to(moments.df, moments.difference.shape).diagonal()[[0, -1]]
    return Pair(pair, m, n, design, cases.n_dropped, (float(first), float(second)))


def moments_of_independent(components: Components, last: int, reference: str) -> PairMoments:
    """Return the moments of the first and another model on independent cases."""
    pair = pair_moments(components, 0, last)
    if has_degrees(reference, "independent", min(components.m, components.n)):
        return pair._replace(df=difference_df(components, 0, last))
    return pair


def weigh(cases: Cases, method: str, reference: str) -> tuple[Weighted, Design]:
    """Return weighted cases, ready for any model if there are both classes, and their design."""
    method = as_choice("method", method, METHODS)  # of which weights leave none but sorting
    kind = f"{cases.weight_kind} weights"
    fewest = min(effective_sizes(cases))
    weighted = as_weighted(cases, student=has_degrees(reference, kind, fewest))
    df, unvaried = min(weighted.counts) - 1.0, unvaried_pairs(*weighted.units)
    return weighted, Design(kind, df, unvaried=unvaried, sizes=weighted.counts[::-1])


def jobs_for(cases: Cases, n_jobs: int) -> int:
    """Return how many threads weighted cases repay."""
    return n_jobs if cases.labels.size >= THREADS_FROM else 1


@np.errstate(under="ignore")  # of weights that are nothing beside the others
def pair_of_weighted(cases: Cases, method: str, n_jobs: int, reference: str) -> Pair:
    """Return the moments of two models, or of one, under weights."""
    weighted, design = weigh(cases, method, reference)
    n, m = map(int, weighted.sizes)
    if not (m and n):
        return Pair(undefined_pair(), m, n, design, cases.n_dropped)
    (found,) = weighted.all_pairs(cases.scores, jobs_for(cases, n_jobs))
    dfs = weighted.df(found, FIRST), weighted.df(found, SECOND)
    return Pair(weighted.moments(found), m, n, design, cases.n_dropped, dfs)


@np.errstate(under="ignore")
def moments_of_weighted(
    cases: Cases, method: str, n_jobs: int, reference: str, *, pairs: bool
) -> Sample:
    """Return the moments under weights, by sorting; a row counts as often as a frequency says."""
    weighted, design = weigh(cases, method, reference)
    n, m = map(int, weighted.sizes)
    k, jobs = len(cases.scores), jobs_for(cases, n_jobs)
    if not (m and n):
        moments = undefined(k)
    elif pairs or k <= 2:
        found = weighted.all_pairs(cases.scores, jobs)
        moments = gather_pairs([weighted.moments(each) for each in found], k)
        for (i, j), each in zip(pairs_of(k), found, strict=True):
            df = weighted.df(each, FIRST), weighted.df(each, SECOND)
            np.asarray(moments.df)[[i, j], [i, j]] = df
    else:
        rows = reserve((k, cases.labels.size))
        auc = map_threads(lambda i: weighted.errors(cases.scores[i], rows[i]), range(k), jobs)
        moments = Moments(np.array(auc), row_products(rows), np.zeros((k, k)), np.zeros((k, k)))
    return Sample(moments, m, n, design)


def undefined(k: int) -> Moments:
    """Return the moments of k models where a class is missing."""
    return Moments(*(np.full(shape, math.nan) for shape in ((k,), (k, k), (k, k), (k, k))))


def moments_of(
    found: Sequence[Errors],
    rows: Matrix,
    gained: Gained | None = None,
    degrees: DegreesOf | None = None,
) -> Moments:
    """Return the moments of k models from their AUCs with errors, which are the rows, too.

    `gained` returns those of a difference of two, and `degrees` its degrees of freedom, which is
    normal without it.
    """
    k, covariance = len(found), row_products(rows)
    auc = np.clip([each.mean for each in found], 0.0, 1.0)
    difference, variance = np.zeros((k, k)), np.zeros((k, k))
    df = np.full((k, k), math.inf)
    if degrees is not None:
        np.fill_diagonal(df, [degrees(each, i, i) for i, each in enumerate(found)])
    if gained is None:
        return Moments(auc, covariance, difference, variance, df)
    for i, j in pairs_of(k):
        mean, errors, _ = both = gained(i, j)
        difference[i, j], difference[j, i] = mean, -mean
        variance[i, j] = variance[j, i] = errors @ errors
        if degrees is not None:
            df[i, j] = df[j, i] = degrees(both, i, j)
    return Moments(auc, covariance, difference, variance, df)
