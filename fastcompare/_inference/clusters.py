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
JOINT_DF, JOINT_DF_OF_EACH = 50.0, 3.0  # below, or so many a model, max-t errs: leaderboards.md
FEWEST_TELLING = 8.0  # clusters that a variance rests on: below, shares are covered too seldom
NORMAL_DF = 25.0  # below, the normal distribution rejects over 6%: docs/evidence/clusters.md


def cluster_sizes(groups: Integers) -> Integers:
    """Return how many cases each cluster holds, where `groups` numbers them from 0."""
    return np.bincount(groups)


def cluster_error(sums: Vector, sizes: Integers) -> float:
    """Return the standard error of a mean from its sums of deviations; NaN for one cluster."""
    if sizes.size < 2:
        return math.nan
    n = int(sizes.sum())
    return math.sqrt(float(np.square(sums) @ (n / (n - sizes)))) / n


def cluster_df(sizes: Integers | Vector) -> float:
    """Return the degrees of freedom of `cluster_error`, the same for any order of the clusters.

    Sizes need not be whole numbers, as denominators of ratios are not.
    """
    if sizes.size < 2:
        return math.nan
    if (sizes == sizes[0]).all():
        return float(sizes.size - 1)
    return 1.0 / cluster_overlap(sizes, sizes)


def cluster_overlap(one: Integers | Vector, other: Integers | Vector) -> float:
    """Return sum p q + (sum c p q)^2 - sum c^2 p^2 q^2 with c = 1 / sqrt((1 - p) (1 - q)).

    Here p and q are the shares of two kinds of cases in each cluster. It is half the covariance of
    their CR2 variances, relative to both, and for one kind the inverse of its degrees of freedom.
    NaN where a cluster holds all of a kind.
    """
    products, x = np.ones(one.size), np.ones(one.size)
    for sizes in in_order(one, other):
        n = sizes.sum()
        rest = np.where(sizes < n, n - sizes, math.nan)
        products *= sizes / n
        x *= np.sqrt(sizes / n * (sizes / rest))
    # (sum x)^2 - sum x^2 without its cancellation where one cluster holds nearly all cases
    return float(products.sum() + 2.0 * (x[1:] @ np.cumsum(x)[:-1]))


def fewest_df(sizes: Integers) -> float:
    """Return the fewest degrees of freedom of a variance of kinds (c, G) of cases; NaN for none."""
    present = [row[row > 0] for row in sizes]
    return min(map(cluster_df, present)) if min(map(len, present)) > 1 else math.nan


def shares_df(shares: AnyArray, overlaps: Matrix) -> AnyArray:
    """Return Satterthwaite's degrees of freedom for these shares of kinds of cases; NaN for none.

    The first axis is along the kinds, and `overlaps` are those of every two, by `cluster_overlap`.
    """
    if shares.ndim == 1:
        squares = np.asarray(shares @ overlaps @ shares)
    else:  # tables; of two kinds with the same bits
        moved = np.array(
            [sum(k * share for k, share in zip(row, shares, strict=True)) for row in overlaps]
        )
        squares = (moved * shares).sum(axis=0)
    df = np.full(squares.shape, math.nan)
    np.divide(shares.sum(axis=0) ** 2, squares, out=df, where=squares > 0.0)
    return df


def tells_correlations(df: float, k: int) -> bool:
    """Return whether the correlations of all pairs of k models are known well enough for max-t."""
    return k == 2 or df >= max(JOINT_DF, k * JOINT_DF_OF_EACH)


def in_order(one: AnyArray, other: AnyArray) -> tuple[AnyArray, AnyArray]:
    """Return both sizes of each cluster, sorted by the first and then the second.

    As one integer: a sort of plain ones takes a tenth of the time of ``np.lexsort``.
    """
    if one is other:
        ordered = np.sort(one)
        return ordered, ordered
    base = int(other.max()) + 1
    if (int(one.max()) + 1) * base >= 2**63:
        order = np.lexsort((other, one))
        return one[order], other[order]
    first, second = np.divmod(np.sort(one * base + other), base)
    return first, second


def togetherness(odd: Integers, sizes: Integers) -> float:
    """Return the intraclass correlation of the rarer answer, as if one more cluster gave no other.

    `odd` cases of each cluster gave it. It is what pairs within clusters show of it; without that
    cluster, tests of rare classes reject 10% in 200 clusters of which 13 have a positive case.
    """
    pairs = float(odd @ (sizes - 1))
    n = int(sizes.sum())
    share = int(odd.sum()) / n
    both = float(odd @ (odd - 1)) / pairs if pairs > 0.0 else share
    hit = int(np.count_nonzero(odd))
    return (hit * max((both - share) / (1.0 - share), 0.0) + 1.0) / (hit + 1.0)


def rests_on_few(sums: Vector | Integers) -> bool:
    """Say whether the variance of sums of deviations is that of fewer than 8 clusters in effect.

    These are (sum S^2)^2 / sum S^4, none where nothing varies. Of shares .8 to .98 in 20 to 200
    clusters, an intraclass correlation up to .5, intervals miss in up to 23%, of others in 8.
    """
    squares = np.square(sums)
    total = float(squares.sum())
    return total * total <= FEWEST_TELLING * float(squares @ squares)


def cluster_status(df: float, word: str = "ok", *, fewest: float = FEWEST_DF) -> str:
    """Return the status word of clusters with these degrees of freedom; `word` for enough."""
    if math.isnan(df):
        return "too_few_clusters"
    return "few_clusters" if df < fewest else word


ROWS = 1 << 20  # at a time: sums of whole numbers up to 2^32 are doubles then


@dataclass
class ClusterTotals:
    """Labels (G,) of clusters in order and their sums (G, c), and those that wait to be merged."""

    c: int
    labels: AnyArray | None = None
    sums: Integers | None = None
    waiting: list[tuple[AnyArray, Integers]] = field(default_factory=list)
    n_waiting: int = 0

    def add(self, labels: AnyArray, columns: Sequence[Vector | int]) -> None:
        """Add numbers of cases to their clusters; 1 counts the cases."""
        for start in range(0, labels.size, ROWS):
            some = slice(start, start + ROWS)
            total, numbers = number_groups(labels[some])
            sums = np.empty((total, self.c), np.int64)
            for j, column in enumerate(columns):
                weights = None if isinstance(column, int) else column[some]
                sums[:, j] = np.bincount(numbers, weights, total)
            one = np.empty(total, np.int64)
            one[numbers] = np.arange(numbers.size)
            self.take(labels[some][one], sums)

    def take(self, labels: AnyArray, sums: Integers) -> None:
        """Take in sums of some clusters."""
        self.waiting.append((labels, sums))
        self.n_waiting += labels.size
        if self.n_waiting > max(ROWS, 0 if self.labels is None else self.labels.size):
            self.settle()

    def merge(self, other: "ClusterTotals") -> None:
        """Add what another knows of the same clusters, and of others."""
        other.settle()
        if other.labels is not None and other.sums is not None:
            self.take(other.labels, other.sums)

    def settle(self) -> None:
        """Merge the sums that wait."""
        if self.labels is not None and self.sums is not None:
            self.waiting.append((self.labels, self.sums))
        if not self.waiting:
            return
        labels = join_chunks("groups", [part for part, _ in self.waiting])
        sums = np.concatenate([part for _, part in self.waiting])
        total, numbers = number_groups(labels)
        order = np.argsort(numbers, kind="stable")
        starts = np.searchsorted(numbers[order], np.arange(total))
        self.labels = labels[order[starts]]
        self.sums = np.add.reduceat(sums[order], starts, axis=0)
        self.waiting, self.n_waiting = [], 0

    def __getstate__(self) -> dict[str, object]:
        """Return the fields, as few of them as there are clusters."""
        self.settle()
        return self.__dict__

    def finalize(self) -> tuple[Integers, ...]:
        """Return each column of sums, in the order of the labels."""
        self.settle()
        assert self.sums is not None
        return tuple(np.ascontiguousarray(self.sums.T))
