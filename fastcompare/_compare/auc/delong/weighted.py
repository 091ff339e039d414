"""AUCs of weighted cases, and what each case adds to their variances.

With weights w of sums W1 (positives) and W0 (negatives), V10_i = sum_j w_j psi(X_i, Y_j) / W0,
V01_j alike, and t = sum_i w_i V10_i / W1; m counts the positives. Linearisation gives

    sampling:   Var = m / (m - 1) sum (w_i (V10_i - t))^2 / W1^2 + the same for negatives
    frequency:  Var = sum w_i (V10_i - t)^2 / (W1 (W1 - 1))      + the same for negatives

Weights become integers of two limbs, high / 2^bits + low / 4^bits, whose sums do not depend on the
order: models that rank positives against negatives alike differ by 0, not by rounding.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...._base.types import Vector
from ...._inference.unvaried import as_equal
from ...._inference.welch import welch_df
from ...._inputs.cases import Cases
from ....kernels.sorting.keys import pack
from ....kernels.weights import by_class, floats_by_class, sum_limbs, weigh_keys
from ....kernels.words import U
from .clustered import Errors

Limbs = NDArray[np.int64]
LEAST = math.nextafter(1.0, 2.0)
NO_GAIN = np.empty(0)


@dataclass(frozen=True, slots=True)
class Weighted:
    """Cases with their weights, ready for any model.

    `exponents` are those of the greatest weights of negatives and positives, `totals` the limbs
    (2, 2) of each class, and `whole` what a case of a class can win at most. `counts` says how many
    negatives and positives a variance with these weights tells as much as, `units` how many the
    bound by cases that do not vary.
    """

    labels: NDArray[np.uint8]
    weights: Vector
    kind: str
    classes: tuple[slice, slice]
    exponents: tuple[int, int]
    bits: int
    totals: Limbs
    whole: Vector
    counts: tuple[float, float]
    units: tuple[float, float]

    def wins(self, scores: Vector, out: Limbs, gained: Vector = NO_GAIN) -> None:
        """Write 2 W1 V01 of the negatives and 2 W0 V10 of the positives, in limbs (2, n).

        Of a second model, with room in `gained`, the errors of both come out, see `weigh_keys`.
        """
        keys = np.empty(scores.size, np.uint64)
        nbits, exact = pack(scores, self.labels, keys)
        keys.sort()
        factors = np.array([two_factors(self.bits - e) for e in self.exponents])
        weigh_keys(
            *(keys, scores, U(nbits), exact, self.weights, factors, 2.0**self.bits),
            *(self.totals, out, gained),
        )

    def pair(self, a: Vector, b: Vector) -> tuple[list[Errors], NDArray[np.float64], Errors]:
        """Return the AUCs and errors of two models, these as rows (2, n), and of their difference.

        Takes 32 bytes a case, where limbs of both would take more than that by themselves.
        """
        wins, gained = np.empty((2, a.size), np.int64), np.empty(a.size)
        self.wins(a, wins)
        self.wins(b, wins, gained)
        rows, spare = wins.view(np.float64), np.empty(a.size)
        for row in (*rows, gained):
            by_class(row, self.labels, spare)
            row[:] = spare
        del spare
        for label, own in enumerate(self.classes):
            share = into_share(self.weights[self.labels == label], self.exponents[label])
            means = [self.centre(row[own], share, label) for row in (*rows, gained)]
        *found, difference = map(Errors, means, (*rows, gained))
        return found, rows, difference

    def evaluate(self, wins: Limbs, share: Vector) -> Errors:
        """Return the AUC, or difference of AUCs, and the errors (n,) whose squares add to Var."""
        values = np.empty(self.labels.size)
        floats_by_class(wins, self.labels, 2.0**self.bits, values)
        return self.centred(values, share)

    def centred(self, values: Vector, share: Vector) -> Errors:
        """Return the mean of the components, and turn their numerators into errors."""
        for label, own in enumerate(self.classes):
            mean = self.centre(values[own], share[own], label)
        return Errors(mean, values)

    def centre(self, v: Vector, share: Vector, label: int) -> float:
        """Do the same for the components of a class."""
        v /= self.whole[label]
        first = v[0]
        mean = first + share @ (v - first)  # equal components: no error at all
        v -= mean
        v *= SCALES[self.kind](share, self.counts[label])
        return float(mean)

    def shares(self) -> Vector:
        """Return the share of each case in the weight of its class, negatives first."""
        share = np.empty(self.labels.size)
        by_class(self.weights, self.labels, share)
        for own, exponent in zip(self.classes, self.exponents, strict=True):
            into_share(share[own], exponent)
        return share

    def df(self, found: Errors, first: int, second: int) -> float:
        """Return Satterthwaite's degrees of freedom by class."""
        squares = [float(found.errors[own] @ found.errors[own]) for own in self.classes]
        return welch_df(squares, self.counts) if min(self.counts) > 1.0 else math.nan


def as_weighted(cases: Cases) -> Weighted:
    """Return the weights of cases, which must be of both classes, ready for any model."""
    labels, weights, kind = cases.labels, np.asarray(cases.weights), str(cases.weight_kind)
    n = labels.size - int(np.count_nonzero(labels))
    classes = slice(0, n), slice(n, None)
    share = np.empty(labels.size)
    by_class(weights, labels, share)
    found = [tell(share[own], kind) for own in classes]
    exponents, counts, units = zip(*found, strict=True)
    bits = 61 - labels.size.bit_length()  # twice the sum of all stays below 2^62
    totals = np.zeros((2, 2), np.int64)
    factors = np.array([two_factors(bits - e) for e in exponents])
    sum_limbs(weights, labels, factors, 2.0**bits, totals)
    whole = 2 * totals[::-1] @ np.array((0.5**bits, 0.25**bits))
    return Weighted(labels, weights, kind, classes, exponents, bits, totals, whole, counts, units)


def tell(weights: Vector, kind: str) -> tuple[int, float, float]:
    """Return the exponent, the count and the units of the weights of a class, which are spoilt."""
    total, units = float(weights.sum()), as_equal(weights)
    exponent = int(np.frexp(weights.max())[1])
    if kind == "frequency":
        return exponent, total, total
    return exponent, effective_count(into_share(weights, exponent)), units


def two_factors(exponent: int) -> tuple[float, float]:
    """Return two powers of 2 whose product, which may overflow, is that of this exponent."""
    return 2.0 ** (exponent // 2), 2.0 ** (exponent - exponent // 2)


def into_share(weights: Vector, exponent: int) -> Vector:
    """Return weights, the greatest of which has this exponent, over their sum, in their place."""
    for factor in two_factors(-exponent):
        weights *= factor
    weights /= weights.sum()
    return weights


def sampling_scale(share: Vector, count: float) -> Vector:
    """Return the factors from centred components to errors; NaN for a single case."""
    m = share.size
    return share * (math.sqrt(m / (m - 1)) if m > 1 else math.nan)


def frequency_scale(share: Vector, count: float) -> Vector:
    """Return the factors from centred components to errors; NaN for a case that occurs once."""
    return np.sqrt(share) * (math.sqrt(1.0 / (count - 1.0)) if count > 1.0 else math.nan)


def effective_count(share: Vector) -> float:
    """Return Kish's effective number of cases, (sum w)^2 / sum w^2; above 1 for several."""
    even = share / share.max()  # equal weights count as the cases they are, to the last bit
    return max(float(even.sum()) ** 2 / float(even @ even), LEAST) if share.size > 1 else 1.0


SCALES: dict[str, Any] = {"sampling": sampling_scale, "frequency": frequency_scale}
