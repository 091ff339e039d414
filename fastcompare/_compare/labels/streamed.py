"""Right and wrong answers of cases that come in chunks: counts, which add up in any order."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._inference.cluster_totals import ClusterTotals
from ..._inputs.chunks import Part, check_in_memory, check_rows
from ..._inputs.codings import check_comparable
from ..._inputs.label_chunks import LabelReader, united
from ..._inputs.pair_chunks import PairStream
from ..._inputs.weights import check_clusters
from ..._inputs.workers import Workers
from .table import Sample, Table, sample_of

COUNTED = 2  # of each cluster: by how many cases the first model is ahead, and all cases


@dataclass
class Answers:
    """The summary of the pass: counts as in `Table`, clusters, rows left out, how labels look."""

    reader: LabelReader
    counts: tuple[int, ...] = (0, 0, 0, 0)
    n_dropped: int = 0
    clusters: ClusterTotals = field(default_factory=lambda: ClusterTotals(COUNTED))
    kinds: Sequence[NDArray[Any]] = ()

    def add(self, part: Part) -> None:
        """Count the answers of a part."""
        for truth, (a, b), groups, n_dropped, kinds in self.reader.read(part):
            right_a, right_b = np.equal(truth, a), np.equal(truth, b)
            both = int(np.count_nonzero(right_a & right_b))
            one, two = (int(np.count_nonzero(right)) - both for right in (right_a, right_b))
            self.count((both, one, two, truth.size - both - one - two), n_dropped, kinds)
            if groups is not None:
                gains = right_a.astype(np.float64) - right_b
                self.clusters.add(groups, (gains, 1))

    def count(self, counts: Sequence[int], n_dropped: int, kinds: Sequence[NDArray[Any]]) -> None:
        """Add counts, and look whether labels may be compared."""
        self.counts = tuple(x + y for x, y in zip(self.counts, counts, strict=True))
        self.n_dropped += n_dropped
        self.kinds = united(self.reader.layout.parameters, self.kinds, kinds)

    def merge(self, other: "Answers") -> None:
        """Add what another summary has counted."""
        self.count(other.counts, other.n_dropped, other.kinds)
        self.clusters.merge(other.clusters)

    def finalize(self, names: tuple[str, ...]) -> Sample:
        """Return the table of two models, after a look at all labels."""
        check_rows(sum(self.counts), self.n_dropped)
        check_comparable(dict(zip(self.reader.layout.parameters, self.kinds, strict=True)))
        (first, second), grouped = names, self.reader.layout.grouped
        clusters = self.clusters.finalize() if grouped else None
        if clusters is not None and self.clusters.labels is not None:
            check_clusters(clusters[0].size, self.clusters.labels)
        return Sample(Table(*self.counts), (first, second), self.n_dropped, clusters)  # type: ignore[arg-type]


def any_sample(
    labels: tuple[object, object, object],
    correct: tuple[object, object],
    groups: object,
    nan_policy: str,
    stream: PairStream | None,
    workers: Workers,
) -> Sample:
    """Return the table of two models whose labels come in chunks, or are in memory."""
    if stream is not None:
        return sample_of_stream(stream, nan_policy, workers)
    check_in_memory(workers["executor"])
    return sample_of(*labels, correct=correct, nan_policy=nan_policy, groups=groups)


def sample_of_stream(stream: PairStream, nan_policy: str, workers: Workers) -> Sample:
    """Return the table of two models whose labels come in chunks, which are read once."""
    empty = partial(Answers, LabelReader(stream.layout, nan_policy))
    return stream.gather(empty, workers).finalize(stream.names)
