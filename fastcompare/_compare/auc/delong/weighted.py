"""AUCs of weighted cases, and what each case adds to their variances.

With weights w of sums W1 (positives) and W0 (negatives), V10_i = sum_j w_j psi(X_i, Y_j) / W0,
V01_j alike, and t = sum_i w_i V10_i / W1; m counts the positives. Linearisation gives

    sampling:   Var = m / (m - 1) sum (w_i (V10_i - t))^2 / W1^2 + the same for negatives
    frequency:  Var = sum w_i (V10_i - t)^2 / (W1 (W1 - 1))      + the same for negatives

Weights become integers of two limbs, high / 2^bits + low / 4^bits, whose sums do not depend on the
order: models that rank positives against negatives alike differ by 0, not by rounding.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...._base.memory import reserve
from ...._base.parallel import interruptible, map_threads
from ...._base.types import Integers, Matrix, Vector
from ...._inference.welch import welch_df
from ...._inputs.cases import Cases
from ....kernels.errors import sum_products, write_errors
from ....kernels.sorting.linear import LINEAR_BELOW
from ....kernels.weighted_pair import sum_few
from ....kernels.weights import compare_wins, weigh_classes, weigh_few, weigh_scores
from ..components import LONG, pairs_of
from ..exact import PairMoments

LEAST = math.nextafter(1.0, 2.0)
Sizes = tuple[float, float]
Given = tuple[NDArray[np.uint8], Vector, Matrix, Vector, Vector, bool]


FIRST, SECOND, DIFFERENCE = 0, 2, 3  # whose squares a class adds up


class Summed(NamedTuple):
    """AUCs of two models and their difference, and what each class adds to their covariance.

    That are variances and, in between, the covariance of both.
    """

    aucs: Sequence[float]
    negatives: Sequence[float]
    positives: Sequence[float]

    @property
    def sums(self) -> list[float]:
        """What both classes add."""
        return [own + more for own, more in zip(self.negatives, self.positives, strict=True)]


class Weighted(NamedTuple):
    """Cases with their weights, ready for any model.

    Of negatives, then of positives: `sizes` are the numbers of cases, a row counting as often as
    its frequency says, `counts` say how many cases a variance with these weights tells as much as,
    and `units` how many the bound by cases that do not vary. Kernels take the powers of 2 that make
    weights integers, the unit of low limbs and the `limbs` (2, 2) of all; `totals` are these as
    floats, and `scales` what makes errors of weights times distances. `student` is whether anybody
    asks for degrees of freedom.
    """

    labels: NDArray[np.uint8]
    weights: Vector
    kind: str
    sizes: Sizes
    counts: Sizes
    units: Sizes
    factors: Matrix
    unit: float
    limbs: Integers
    totals: Vector
    scales: tuple[float, float]
    student: bool

    def wins(self, scores: Vector, out: NDArray[Any], second: bool = False) -> None:
        """Write 2 W1 V01 of the negatives and 2 W0 V10 of the positives, see `weigh_scores`."""
        given = self.labels, self.weights, self.factors, self.unit, self.limbs
        wins = out.view(np.int64)
        if scores.size < LINEAR_BELOW and weigh_few(scores, *given, wins, second):
            return
        interruptible(scores.size > LONG, weigh_scores, scores, *given, wins, second)

    def all_pairs(self, scores: Sequence[Vector], jobs: int = 1) -> list[Summed]:
        """Return the sums of all pairs of models, in row order; of one its difference to none.

        Two models by one thread take 32 bytes a case.
        """
        if len(scores) == 2 and self.labels.size < LINEAR_BELOW:
            few = self.few(*scores)
            if few is not None:
                return [few]
        if len(scores) == 1 or (len(scores) == 2 and jobs == 1):
            values = np.empty((self.labels.size, 2 * len(scores) - 1))
            for i, own in enumerate(scores):
                self.wins(own, values, second=i == 1)
            return [self.summed(values)]
        wins = reserve((len(scores), self.labels.size, 2), np.int64)
        map_threads(lambda i: self.wins(scores[i], wins[i]), range(len(scores)), jobs)
        return [self.compared(wins[i], wins[j]) for i, j in pairs_of(len(scores))]

    def compared(self, one: Integers, other: Integers) -> Summed:
        """Return the sums of two models from what they win."""
        values = np.empty((len(one), 3))
        compare_wins(one, other, self.unit, values)
        return self.summed(values)

    def few(self, a: Vector, b: Vector) -> Summed | None:
        """Return the sums of two models on few cases by one call; None where keys do not fit."""
        means, sums = np.empty((2, 3)), np.empty((2, 4))
        labels, weights, factors, totals, scales, by_root = self.given
        cases = labels, weights, factors, self.unit, self.limbs
        fits = sum_few(a, b, *cases, totals, scales, by_root, means, sums)
        return self.written(means, sums) if fits else None

    def summed(self, values: Matrix) -> Summed:
        """Return the sums of two models, what they and their difference win being `values`."""
        means, sums = np.empty((2, 3)), np.empty((2, 4))
        sum_products(values, *self.given, means, sums)
        return self.written(means, sums)

    def written(self, means: Matrix, sums: Matrix) -> Summed:
        """Return the sums that a kernel has written."""
        most = self.most
        return Summed([each / most for each in means[1].tolist()], *sums.tolist())

    def moments(self, found: Summed) -> PairMoments:
        """Return the moments that belong to the sums."""
        aa, ab, bb, dd = found.sums
        a, b, difference = found.aucs
        auc = np.array([min(max(a, 0.0), 1.0), min(max(b, 0.0), 1.0)])
        covariance = np.array([[aa, ab], [ab, bb]])
        return PairMoments(auc, covariance, difference, dd, self.df(found, DIFFERENCE))

    def df(self, found: Summed, which: int) -> float:
        """Return Satterthwaite's degrees of freedom of one of the variances."""
        if not self.student:
            return math.inf
        own = found.negatives[which], found.positives[which]
        return welch_df(own, self.counts) if min(self.counts) > 1.0 else math.nan

    def errors(self, scores: Vector, out: Vector) -> float:
        """Write the errors (n,) whose squares add to the variance of an AUC, and return that."""
        values, means = out[:, None], np.empty((2, 3))
        self.wins(scores, values)
        write_errors(values, *self.given, means)
        return min(max(float(means[1, 0]) / self.most, 0.0), 1.0)

    @property
    def most(self) -> float:
        """What a positive can win."""
        return 2.0 * float(self.totals[0])

    @property
    def given(self) -> Given:
        """What kernels take that turn what cases win into errors."""
        (below, above), (negatives, positives) = self.scales, self.totals.tolist()
        scales = np.array((below / (2.0 * positives), above / (2.0 * negatives)))
        by_root = self.kind == "frequency"
        return self.labels, self.weights, self.factors, self.totals, scales, by_root


def as_weighted(cases: Cases, *, student: bool = True) -> Weighted:
    """Return the weights of cases, ready for any model if there are both classes."""
    labels, weights, kind = cases.labels, np.asarray(cases.weights), str(cases.weight_kind)
    bits = 61 - labels.size.bit_length()  # twice the sum of all stays below 2^62
    factors, limbs, found = np.empty((2, 2)), np.empty((2, 2), np.int64), np.empty((2, 5))
    weigh_classes(weights, labels, bits, factors, limbs, found)
    tell = TELL[kind]
    negatives, positives = found.tolist()
    sizes, counts, units, scales = zip(tell(*negatives), tell(*positives), strict=True)
    given = factors, 2.0**bits, limbs, found[:, 4], scales, student
    return Weighted(labels, weights, kind, sizes, counts, units, *given)


def tell_sampling(
    m: float, _: float, even: float, squares: float, total: float
) -> tuple[float, float, float, float]:
    """Return the size, the count, the units and the scale of a class of m sampling weights.

    `even` is the sum of their ratios to the greatest, and `squares` that of the squares of these:
    Kish's effective number of cases is (sum w)^2 / sum w^2, above 1 for several.
    """
    count = max(even * even / squares, LEAST) if m > 1 else m
    return m, count, even, math.sqrt(m / (m - 1.0)) / total if m > 1 else math.nan


def tell_frequency(
    _: float, m: float, even: float, squares: float, total: float
) -> tuple[float, float, float, float]:
    """Return the same of frequencies that add up to m cases."""
    return m, m, m, math.sqrt(1.0 / (m - 1.0) / total) if m > 1 else math.nan


TELL = {"sampling": tell_sampling, "frequency": tell_frequency}
