"""A mean of cases in clusters: its standard error and degrees of freedom.

Clusters are independent; cases within a cluster may be correlated. Cluster g holds n_g of the n
cases, a share pi_g, and S_g is the sum of its deviations from the mean. With c_g = 1 / (1 - pi_g)

    SE = sqrt(sum c_g S_g^2) / n
    df = 1 / (sum pi_g^2 + (sum c_g pi_g^2)^2 - sum c_g^2 pi_g^4)

CR2 of Bell and McCaffrey (2002), unbiased where cases are independent, and Satterthwaite's degrees
of freedom of it; Pustejovsky and Tipton (2018), doi:10.1080/07350015.2016.1247004, for a mean.
Clusters of one case give the plain standard error with n - 1, clusters of equal sizes G - 1.

`ClusterTotals` adds up clusters whose cases are spread over chunks, as whole numbers, by label.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from .._base.types import AnyArray, Integers, Matrix, Vector
from .._inputs.labels import join_chunks
from .._inputs.weights import number_groups

FEWEST_DF = 4.0  # below, intervals are wide: t's quantile is 2.8 there, 4.3 at 2
JOINT_DF, JOINT_DF_PER_MODEL = 50.0, 3.0  # degrees of freedom below which max-t errs
FEWEST_EFFECTIVE = 8.0  # clusters that a variance rests on: below, shares are covered too seldom
NORMAL_DF = 25.0  # below, the normal distribution rejects over 6%: docs/evidence/clusters.md


def cluster_sizes(groups: Integers) -> Integers:
    """Return the number of cases of each cluster; `groups` has each case's cluster, from 0."""
    return np.bincount(groups)


def cluster_error(cluster_sums: Vector, sizes: Integers) -> float:
    """Return the CR2 standard error of a mean, from clusters' sums of deviations; NaN for one."""
    if sizes.size < 2:
        return math.nan
    n = int(sizes.sum())
    return math.sqrt(float(np.square(cluster_sums) @ (n / (n - sizes)))) / n


def cluster_df(sizes: Integers | Vector) -> float:
    """Return Satterthwaite's degrees of freedom of `cluster_error`, for clusters in any order.

    Sizes need not be whole numbers, as denominators of ratios are not.
    """
    if sizes.size < 2:
        return math.nan
    if (sizes == sizes[0]).all():
        return float(sizes.size - 1)
    return 1.0 / cluster_overlap(sizes, sizes)


def cluster_overlap(sizes_1: Integers | Vector, sizes_2: Integers | Vector) -> float:
    """Return sum p q + (sum c p q)^2 - sum c^2 p^2 q^2 with c = 1 / sqrt((1 - p) (1 - q)).

    p and q are the shares of two kinds of cases (positives and negatives, say) in each cluster.
    Half the covariance of their CR2 variances, relative to both; for one kind the inverse of its
    degrees of freedom. NaN if a cluster contains all cases of a kind.
    """
    products, terms = np.ones(sizes_1.size), np.ones(sizes_1.size)
    for sizes in sort_size_pairs(sizes_1, sizes_2):
        n = sizes.sum()
        complement = np.where(sizes < n, n - sizes, math.nan)
        products *= sizes / n
        terms *= np.sqrt(sizes / n * (sizes / complement))
    # (sum c p q)^2 - sum (c p q)^2, without its cancellation where one cluster has nearly all cases
    return float(products.sum() + 2.0 * (terms[1:] @ np.cumsum(terms)[:-1]))


def fewest_df(counts_by_kind: Integers) -> float:
    """Return the smallest of the degrees of freedom of each kind of cases, NaN if one has none.

    `counts_by_kind` (c, G) are the numbers of cases of each kind in each cluster.
    """
    present = [row[row > 0] for row in counts_by_kind]
    return min(map(cluster_df, present)) if min(map(len, present)) > 1 else math.nan


def shares_df(shares: AnyArray, overlaps: Matrix) -> AnyArray:
    """Return Satterthwaite's degrees of freedom of a variance to which kinds of cases contribute.

    `shares` (c, ...) are the kinds' shares of the variance, `overlaps` (c, c) the `cluster_overlap`
    of every two kinds. NaN where the variance is 0.
    """
    if shares.ndim == 1:
        squares = np.asarray(shares @ overlaps @ shares)
    else:  # for two kinds these sums have the same bits as the product above
        transformed = np.array(
            [sum(k * share for k, share in zip(row, shares, strict=True)) for row in overlaps]
        )
        squares = (transformed * shares).sum(axis=0)
    df = np.full(squares.shape, math.nan)
    np.divide(shares.sum(axis=0) ** 2, squares, out=df, where=squares > 0.0)
    return df


def supports_max_t(df: float, k: int) -> bool:
    """Return whether correlations of k models, by `df` degrees of freedom, are reliable for max-t.

    Below, that test errs: docs/evidence/leaderboards.md.
    """
    return k == 2 or df >= max(JOINT_DF, k * JOINT_DF_PER_MODEL)


def sort_size_pairs(sizes_1: AnyArray, sizes_2: AnyArray) -> tuple[AnyArray, AnyArray]:
    """Return two sizes of each cluster, with the clusters sorted by the first and then the second.

    Each pair is sorted as one integer, in a tenth of the time of ``np.lexsort``.
    """
    if sizes_1 is sizes_2:
        ordered = np.sort(sizes_1)
        return ordered, ordered
    base = int(sizes_2.max()) + 1
    if (int(sizes_1.max()) + 1) * base >= 2**63:
        order = np.lexsort((sizes_2, sizes_1))
        return sizes_1[order], sizes_2[order]
    first, second = np.divmod(np.sort(sizes_1 * base + sizes_2), base)
    return first, second


def rarer_answer_icc(counts: Integers, sizes: Integers) -> float:
    """Return the intraclass correlation of the rarer answer, as if one more cluster had only it.

    `counts` is how many cases of each cluster have this answer. Estimated by pairs within clusters;
    without the additional cluster, tests of rare classes reject 10% in 200 clusters of which 13
    have a positive case.
    """
    pairs = float(counts @ (sizes - 1))
    n = int(sizes.sum())
    share = int(counts.sum()) / n
    share_of_partners = float(counts @ (counts - 1)) / pairs if pairs > 0.0 else share
    icc = max((share_of_partners - share) / (1.0 - share), 0.0)
    n_with_answer = int(np.count_nonzero(counts))
    return (n_with_answer * icc + 1.0) / (n_with_answer + 1.0)


def has_few_effective_clusters(cluster_sums: Vector | Integers) -> bool:
    """Return whether fewer than 8 clusters in effect determine a variance, from their sums S.

    Their effective number is (sum S^2)^2 / sum S^4, or 0 if nothing varies. With fewer, intervals
    of shares of .8 to .98 in 20 to 200 clusters, with an intraclass correlation up to .5, miss in
    up to 23% of samples, with more in 8%.
    """
    squares = np.square(cluster_sums)
    total = float(squares.sum())
    return total * total <= FEWEST_EFFECTIVE * float(squares @ squares)


def cluster_status(df: float, enough_status: str = "ok", *, fewest: float = FEWEST_DF) -> str:
    """Return the status word of a variance over clusters: `enough_status` from `fewest` `df` on.

    'few_clusters' below, 'too_few_clusters' if `df` is NaN.
    """
    if math.isnan(df):
        return "too_few_clusters"
    return "few_clusters" if df < fewest else enough_status


ROWS = 1 << 20  # at a time: sums of whole numbers up to 2^32 are doubles then


@dataclass
class ClusterTotals:
    """Sums (G, c) of c columns over clusters with sorted labels (G,), from chunks of cases.

    Sums of further chunks are queued, and merged when they are as many as the clusters.
    """

    c: int
    labels: AnyArray | None = None
    sums: Integers | None = None
    queued: list[tuple[AnyArray, Integers]] = field(default_factory=list)
    n_queued: int = 0

    def add(self, labels: AnyArray, columns: Sequence[Vector | int]) -> None:
        """Add a chunk of cases: the cluster of each, and c columns; the column 1 counts cases."""
        for start in range(0, labels.size, ROWS):
            rows = slice(start, start + ROWS)
            total, numbers = number_groups(labels[rows])
            sums = np.empty((total, self.c), np.int64)
            for j, column in enumerate(columns):
                weights = None if isinstance(column, int) else column[rows]
                sums[:, j] = np.bincount(numbers, weights, total)
            a_case = np.empty(total, np.int64)  # of each cluster, which has its label
            a_case[numbers] = np.arange(numbers.size)
            self.queue(labels[rows][a_case], sums)

    def queue(self, labels: AnyArray, cluster_sums: Integers) -> None:
        """Queue sums of some clusters, and merge the queue if it is long."""
        self.queued.append((labels, cluster_sums))
        self.n_queued += labels.size
        if self.n_queued > max(ROWS, 0 if self.labels is None else self.labels.size):
            self.merge_queued()

    def merge(self, other: "ClusterTotals") -> None:
        """Add the sums of another part of the cases, in the same clusters or in others."""
        other.merge_queued()
        if other.labels is not None and other.sums is not None:
            self.queue(other.labels, other.sums)

    def merge_queued(self) -> None:
        """Add the queued sums to those of their clusters."""
        if self.labels is not None and self.sums is not None:
            self.queued.append((self.labels, self.sums))
        if not self.queued:
            return
        labels = join_chunks("groups", [chunk_labels for chunk_labels, _ in self.queued])
        sums = np.concatenate([chunk_sums for _, chunk_sums in self.queued])
        total, numbers = number_groups(labels)
        order = np.argsort(numbers, kind="stable")
        starts = np.searchsorted(numbers[order], np.arange(total))
        self.labels = labels[order[starts]]
        self.sums = np.add.reduceat(sums[order], starts, axis=0)
        self.queued, self.n_queued = [], 0

    def __getstate__(self) -> dict[str, object]:
        """Return the fields to pickle, with the queue merged: one row a cluster."""
        self.merge_queued()
        return self.__dict__

    def finalize(self) -> tuple[Integers, ...]:
        """Return each column's sums (G,), in the order of the clusters' labels."""
        self.merge_queued()
        assert self.sums is not None
        return tuple(np.ascontiguousarray(self.sums.T))
