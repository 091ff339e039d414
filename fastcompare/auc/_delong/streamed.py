"""DeLong's moments of two and of k models whose cases come in chunks, with bounds of their errors.

Variances of differences are those of cells (`.._streams`), which miss the true ones by a known
bound at most; p-values are monotone functions of them and of the degrees of freedom, so the bound
gives the least and the greatest p-value.
"""

import math
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from ..._base.types import Matrix, Vector
from ..._inference.infer import RareDifferenceBound, infer
from ..._inference.pvalues import welch_df
from ..._inputs.chunks.rows import Stream, as_stream, check_chunked
from ..._inputs.options import count_jobs
from ..._inputs.scores import Cases, check_several
from .._components import (
    Moments,
    PairMoments,
    denominator,
    gather_pairs,
    index_pairs,
    numerator,
    undefined_pair,
)
from .._differences import NEARLY, hardly_move
from .._intervals import PAIRS, unvaried_pairs
from .._streams import (
    Differences,
    Streamed,
    VarianceEstimate,
    Workers,
    stream_sums,
    variance_estimate,
)
from .design import Design, Pair, Sample
from .small_samples import has_degrees

WIDE = 0.1  # of the standard error: a bound beyond says more than the p-value itself
LEAST = 1e-12  # of an estimate: its p-value with such an error is that with none


@dataclass(frozen=True)
class StreamedPair:
    """The moments of two models, and how far their standard error may be off."""

    pair: Pair
    estimated_variance: VarianceEstimate
    rare: RareDifferenceBound | None

    @property
    def is_wide(self) -> bool:
        """Whether the bound is so wide that the p-value is known by its bounds alone."""
        return self.estimated_variance.bound > WIDE * math.sqrt(self.estimated_variance.variance)

    def pvalue_bounds(self, pvalue: float, alternative: str, margin: float) -> tuple[float, float]:
        """Return the least and the greatest p-value that the bound allows.

        A p-value is a monotone function of the error and of the degrees of freedom.
        """
        moments, m, n, *_ = self.pair
        error = math.sqrt(self.estimated_variance.variance)
        bound = self.estimated_variance.bound
        if not bound > 0.0:
            return pvalue, pvalue
        least = LEAST * max(abs(moments.estimate), margin, LEAST)
        errors = (max(error - bound, least), error + bound)
        degrees = (math.inf,) if moments.df == math.inf else self.degrees()
        pvalues = [pvalue]
        for one, df in product(errors, degrees):
            claim = infer(moments.estimate, one, alternative, margin, df=df, unvaried=self.rare)
            pvalues.append(claim["pvalue"])
        if margin and errors[0] == least:
            pvalues.append(
                unvaried_pairs(m, n).pvalue(moments.estimate, alternative, margin).pvalue
            )
        return min(pvalues), max(pvalues)

    def degrees(self) -> tuple[float, float]:
        """Return the least and the greatest degrees of freedom that the bounds allow."""
        sizes = self.pair.m, self.pair.n
        roots = [math.sqrt(share) for share in self.estimated_variance.shares]
        ends = [
            (max(root - bound, 0.0) ** 2, (root + bound) ** 2)
            for root, bound in zip(roots, self.estimated_variance.bounds, strict=True)
        ]
        dfs = [welch_df(shares, sizes) for shares in product(*ends)]
        return min(dfs), float(sum(sizes) - 2)


def pair_of_stream(
    stream: Stream, reference: str, margin: float, n_jobs: int, executor: Executor | None
) -> StreamedPair:
    """Return the moments of the two models of a stream."""
    streamed = stream_sums(stream, Workers(n_jobs, executor), NEARLY if margin else 0.0)
    m, n, dropped, _, (differences,) = streamed
    estimated = variance_estimate(streamed, 0, 1)
    auc, covariance, _ = moments_of_stream(streamed)
    moments = moments_of_pair(
        streamed, 0, 1, degrees=has_degrees(reference, "independent", min(m, n))
    )
    skewness = 0.0 if reference == "auto" else None  # it would take another pass
    moments = moments._replace(auc=auc, covariance=covariance, skewness=skewness)
    rare = rare_of_stream(differences, m, n) if margin and min(m, n) > 1 else None
    return StreamedPair(Pair(moments, m, n, n_dropped=dropped), estimated, rare)


def moments_of_pair(streamed: Streamed, i: int, j: int, *, degrees: bool) -> PairMoments:
    """Return the difference of two AUCs, its variance and degrees of freedom, and nothing else."""
    m, n, *_ = streamed
    estimated = variance_estimate(streamed, i, j)
    df = welch_df(estimated.shares, (m, n)) if degrees else math.inf
    estimate = auc_difference(streamed, i, j) if m and n else math.nan
    return undefined_pair()._replace(estimate=estimate, variance=estimated.variance, df=df)


def auc_difference(streamed: Streamed, i: int, j: int) -> float:
    """Return the difference of two AUCs, rounded once."""
    one, other = streamed.marginals[i], streamed.marginals[j]
    return (one.w - other.w) / (2 * streamed.m * streamed.n)


def moments_of_stream(streamed: Streamed) -> tuple[Vector, Matrix, Matrix]:
    """Return AUCs (k,), their covariance (k, k) and the bounds (k, k) of that; NaN if undefined.

    Cov = (Var_a + Var_b - Var_d) / 2; only the last one is not exact.
    """
    m, n, _, marginals, _ = streamed
    k = len(marginals)
    covariance = np.full((k, k), math.nan)
    bounds = np.zeros((k, k))
    if not (m and n):
        return np.full(k, math.nan), covariance, bounds
    auc = np.array([model_variances.w / (2 * m * n) for model_variances in marginals])
    if min(m, n) < 2:
        return auc, covariance, bounds
    model_variances = [numerator(each.w, each.squares, m, n) for each in marginals]
    under = denominator(m, n)
    for i in range(k):
        covariance[i, i] = model_variances[i] / under
    for i, j in index_pairs(k):
        estimated = variance_estimate(streamed, i, j)
        both = (model_variances[i] + model_variances[j] - estimated.numerator) / (2 * under)
        covariance[i, j] = covariance[j, i] = both
        error = math.sqrt(estimated.variance)
        bounds[i, j] = bounds[j, i] = estimated.bound * (error + 0.5 * estimated.bound)
    return auc, covariance, bounds


def rare_of_stream(differences: Differences, m: int, n: int) -> RareDifferenceBound | None:
    """Return the bound by rare differences, as `rare_differences` does."""
    if not hardly_move(differences.near, (m, n)):
        return None
    pairs = 2 * m * n
    gains = max(differences.gains) / pairs
    losses = (
        max(gain - total for gain, total in zip(differences.gains, differences.sums, strict=True))
        / pairs
    )
    least = min(m, n)
    return RareDifferenceBound(least, least * losses, least * gains, PAIRS)


def chunked_stream(
    y_true: Any,
    scores: Any,
    executor: Executor | None,
    *,
    n_jobs: int = 1,
    pos_label: object = None,
    nan_policy: str = "raise",
    **others: Any,
) -> tuple[Stream, Workers]:
    """Return the models in chunks, or in memory-mapped arrays, and who reads them."""
    workers = Workers(count_jobs(n_jobs), executor)
    check_chunked(executor, **others)
    return as_stream((y_true, scores), pos_label, nan_policy), workers


def models_of_stream(
    stream: Stream, workers: Workers, reference: str
) -> tuple[Cases, Sample, Vector]:
    """Return the cases, the moments of models of chunks, and bounds (P,) of standard errors.

    A case of each class with its frequency stands for all: of these are the sizes and the bounds
    by differences of none.
    """
    labels = np.array([1, 0], np.uint8)
    none = np.empty(2)
    cases = Cases(labels, [none] * stream.k, stream.names)
    check_several(cases.scores)

    streamed = stream_sums(stream, workers)
    m, n, dropped, *_ = streamed
    weights = np.array((m, n), np.float64)
    cases = Cases(labels, cases.scores, stream.names, dropped, weights, "frequency")
    moments = moments_of_pairs(streamed, degrees=has_degrees(reference, "independent", min(m, n)))
    bounds = [variance_estimate(streamed, *pair).bound for pair in index_pairs(stream.k)]
    return cases, Sample(moments, m, n, Design()), np.array(bounds)


def moments_of_pairs(streamed: Streamed, *, degrees: bool) -> Moments:
    """Return the moments of all models, with degrees of freedom if they are wanted."""
    k = len(streamed.marginals)
    auc, covariance, _ = moments_of_stream(streamed)
    pairs = [moments_of_pair(streamed, *pair, degrees=degrees) for pair in index_pairs(k)]
    moments = gather_pairs(pairs, k)._replace(auc=auc, covariance=covariance)
    if degrees:
        np.fill_diagonal(np.asarray(moments.df), math.nan)  # as of cases in memory
    return moments
