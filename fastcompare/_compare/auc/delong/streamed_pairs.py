"""DeLong's moments of all pairs of models whose cases come in chunks."""

import math
from concurrent.futures import Executor
from typing import Any, NamedTuple

import numpy as np

from ...._base.types import Vector
from ...._inputs.cases import Cases, check_several
from ...._inputs.chunks import as_stream, check_chunked
from ...._inputs.options import count_jobs
from ..components import pairs_of
from ..product import Moments, gather_pairs
from ..streams.delong import Streamed, Workers, spread_of, stream_sums
from .design import Design, Sample, has_degrees
from .streamed import moments_of_pair, moments_of_stream


class ChunkedModels(NamedTuple):
    """What stands for the cases, the moments of the models, and bounds (P,) of standard errors."""

    cases: Cases
    sample: Sample
    bounds: Vector


def models_of_chunks(
    y_true: Any,
    scores: Any,
    reference: str,
    executor: Executor | None,
    *,
    n_jobs: int = 1,
    pos_label: object = None,
    nan_policy: str = "raise",
    **others: Any,
) -> ChunkedModels:
    """Return the models of chunks: a case of each class with its frequency stands for all.

    Of these are the sizes and the bounds by differences of none.
    """
    jobs = count_jobs(n_jobs)
    check_chunked(executor, **others)
    stream = as_stream((y_true, scores), pos_label, nan_policy)
    labels, none = np.array([1, 0], np.uint8), np.empty(2)
    cases = Cases(labels, [none] * stream.k, stream.names)
    check_several(cases)

    streamed = stream_sums(stream, Workers(jobs, executor))
    m, n, dropped, *_ = streamed
    weights = np.array((m, n), np.float64)
    cases = Cases(labels, cases.scores, stream.names, dropped, weights, "frequency")
    moments = moments_of_pairs(streamed, degrees=has_degrees(reference, "independent", min(m, n)))
    bounds = [spread_of(streamed, *pair).bound for pair in pairs_of(stream.k)]
    return ChunkedModels(cases, Sample(moments, m, n, Design()), np.array(bounds))


def moments_of_pairs(streamed: Streamed, *, degrees: bool) -> Moments:
    """Return the moments of all models, with degrees of freedom if they are wanted."""
    k = len(streamed.marginals)
    auc, covariance, _ = moments_of_stream(streamed)
    found = [moments_of_pair(streamed, *pair, degrees=degrees) for pair in pairs_of(k)]
    moments = gather_pairs(found, k)._replace(auc=auc, covariance=covariance)
    if degrees:
        np.fill_diagonal(np.asarray(moments.df), math.nan)  # as of cases in memory
    return moments
