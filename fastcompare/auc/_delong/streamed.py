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
    index_pairs,
    moments_from_pairs,
    numerator,
    undefined_pair,
)
from .._differences import NEARLY, hardly_move
from .._intervals import PAIRS, unvaried_bound
from .._streams import (
    DifferenceSums,
    Streamed,
    VarianceEstimate,
    Workers,
    stream_sums,
    variance_estimate,
)
from .design import Design, Pair, Sample
from .small_samples import uses_student_t

WIDE_BOUND = 0.1  # of the standard error: with a wider bound the p-value is too uncertain
SMALLEST_RELATIVE_ERROR = 1e-12  # of an estimate: a smaller standard error changes no p-value


@dataclass(frozen=True)
class StreamedPair:
    """The moments of two models of a stream, with the bound of their standard error's error."""

    pair: Pair
    estimated_variance: VarianceEstimate
    rare: RareDifferenceBound | None

    @property
    def is_wide(self) -> bool:
        """Whether the bound exceeds a tenth of the standard error."""
        return self.estimated_variance.bound > WIDE_BOUND * math.sqrt(
            self.estimated_variance.variance
        )

    def pvalue_bounds(self, pvalue: float, alternative: str, margin: float) -> tuple[float, float]:
        """Return the least and the greatest p-value that the bound allows.

        A p-value is a monotone function of the error and of the degrees of freedom, so both are at
        ends of these. Near 0 the error may be 0, for which a margin is tested by another bound.
        """
        moments, m, n = self.pair.moments, self.pair.m, self.pair.n
        error = math.sqrt(self.estimated_variance.variance)
        bound = self.estimated_variance.bound
        if not bound > 0.0:
            return pvalue, pvalue
        least = SMALLEST_RELATIVE_ERROR * max(
            abs(moments.estimate), margin, SMALLEST_RELATIVE_ERROR
        )
        errors = (max(error - bound, least), error + bound)
        degrees = (math.inf,) if moments.df == math.inf else self.df_bounds()
        pvalues = [pvalue]
        for se, df in product(errors, degrees):
            test = infer(moments.estimate, se, alternative, margin, df=df, unvaried=self.rare)
            pvalues.append(test["pvalue"])
        if margin and errors[0] == least:
            pvalues.append(
                unvaried_bound(m, n).pvalue(moments.estimate, alternative, margin).pvalue
            )
        return min(pvalues), max(pvalues)

    def df_bounds(self) -> tuple[float, float]:
        """Return the least degrees of freedom that the bounds allow, and m + n - 2, the most ever.

        The bounds are those of the roots of both classes' shares of the variance.
        """
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
    """Return the moments of the two models of a stream, with the bounds of their errors."""
    streamed = stream_sums(stream, Workers(n_jobs, executor), NEARLY if margin else 0.0)
    m, n = streamed.m, streamed.n
    (differences,) = streamed.differences
    estimated = variance_estimate(streamed, 0, 1)
    auc, covariance, _ = moments_of_stream(streamed)
    by_t = uses_student_t(reference, "independent", min(m, n))
    moments = moments_of_pair(streamed, 0, 1, by_t=by_t)
    # 0, not the skewness of the sample, which would take another pass
    skewness = 0.0 if reference == "auto" else None
    moments = moments._replace(auc=auc, covariance=covariance, skewness=skewness)
    rare = rare_of_stream(differences, m, n) if margin and min(m, n) > 1 else None
    return StreamedPair(Pair(moments, m, n, n_dropped=streamed.n_dropped), estimated, rare)


def moments_of_pair(streamed: Streamed, i: int, j: int, *, by_t: bool) -> PairMoments:
    """Return the difference of two AUCs with its variance and df; AUCs and covariance are NaN."""
    m, n = streamed.m, streamed.n
    estimated = variance_estimate(streamed, i, j)
    df = welch_df(estimated.shares, (m, n)) if by_t else math.inf
    estimate = auc_difference(streamed, i, j) if m and n else math.nan
    return undefined_pair()._replace(estimate=estimate, variance=estimated.variance, df=df)


def auc_difference(streamed: Streamed, i: int, j: int) -> float:
    """Return AUC_i - AUC_j, rounded once."""
    w_i, w_j = streamed.marginals[i].w, streamed.marginals[j].w
    return (w_i - w_j) / (2 * streamed.m * streamed.n)


def moments_of_stream(streamed: Streamed) -> tuple[Vector, Matrix, Matrix]:
    """Return AUCs (k,), their covariance (k, k) and the bounds (k, k) of its errors.

    Cov = (Var_a + Var_b - Var_d) / 2, where only Var_d, of the difference, is not exact. NaN if
    undefined.
    """
    m, n, marginals = streamed.m, streamed.n, streamed.marginals
    k = len(marginals)
    covariance = np.full((k, k), math.nan)
    bounds = np.zeros((k, k))
    if not (m and n):
        return np.full(k, math.nan), covariance, bounds
    auc = np.array([sums.w / (2 * m * n) for sums in marginals])
    if min(m, n) < 2:
        return auc, covariance, bounds
    model_variances = [numerator(sums.w, sums.squares, m, n) for sums in marginals]
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


def rare_of_stream(differences: DifferenceSums, m: int, n: int) -> RareDifferenceBound | None:
    """Return the bound by rare differences of two models of a stream, as `rare_differences`.

    None unless most cases of a class barely move.
    """
    if not hardly_move(differences.near, (m, n)):
        return None
    doubled_pairs = 2 * m * n
    gains = max(differences.gains) / doubled_pairs
    # a sum of differences is its gains less its losses
    losses_of_classes = [
        gain - total for gain, total in zip(differences.gains, differences.sums, strict=True)
    ]
    losses = max(losses_of_classes) / doubled_pairs
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
    """Return the stream of models in chunks or memory-mapped arrays, and the readers' workers."""
    workers = Workers(count_jobs(n_jobs), executor)
    check_chunked(executor, **others)
    return as_stream((y_true, scores), pos_label, nan_policy), workers


def models_of_stream(
    stream: Stream, workers: Workers, reference: str
) -> tuple[Cases, Sample, Vector]:
    """Return stand-in cases, the moments of models of chunks, and bounds (P,) of their errors.

    The cases are one of each class, without scores, and its size is their frequency: functions of
    cases then see the class sizes of the stream.
    """
    labels = np.array([1, 0], np.uint8)
    no_scores = [np.empty(2)] * stream.k
    check_several(no_scores)

    streamed = stream_sums(stream, workers)
    m, n = streamed.m, streamed.n
    frequencies = np.array((m, n), np.float64)
    cases = Cases(
        labels, no_scores, stream.names, streamed.n_dropped, frequencies, weight_kind="frequency"
    )
    moments = moments_of_pairs(streamed, by_t=uses_student_t(reference, "independent", min(m, n)))
    bounds = [variance_estimate(streamed, *pair).bound for pair in index_pairs(stream.k)]
    return cases, Sample(moments, m, n, Design()), np.array(bounds)


def moments_of_pairs(streamed: Streamed, *, by_t: bool) -> Moments:
    """Return the moments of all models of a stream, with degrees of freedom if `by_t`."""
    k = len(streamed.marginals)
    auc, covariance, _ = moments_of_stream(streamed)
    pairs = [moments_of_pair(streamed, *pair, by_t=by_t) for pair in index_pairs(k)]
    moments = moments_from_pairs(pairs, k)._replace(auc=auc, covariance=covariance)
    if by_t:
        np.fill_diagonal(np.asarray(moments.df), math.nan)  # as in the moments of cases in memory
    return moments
