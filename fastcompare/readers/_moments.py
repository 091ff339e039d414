"""Figures of merit of t treatments by r readers, and how cases make them vary: exact fractions.

theta_ij is what reader j reaches under treatment i: an AUC, a share or a mean score. Each is an
integer over one denominator (a float of scores that are not whole), and so are the variances of

    theta_ij,    theta_ij - theta_i'j,    sum_j theta_ij,    sum_j (theta_ij - theta_i'j)

which determine all that the model of `study` needs: differences are taken case by case, so that
treatments that are identical differ by 0 and vary by 0. An AUC is 2 m n theta = W, the sum of
placements over the positives; with A and B the sums of their squares over positives and negatives,
and G the sum over all pairs of the squared kernel, which is 0, 1 or 2, the variance is::

    delong      [(m A - W^2)(n - 1) + (n B - W^2)(m - 1)] / [4 m^2 n^2 (m - 1)(n - 1)]
    jackknife   (N - 1)/N [(m A - W^2) m (n - 1)^2 + (n B - W^2) n (m - 1)^2]
                    / [4 m^2 n^2 (m - 1)^2 (n - 1)^2],    N = m + n
    unbiased    [W^2 (m - 1)(n - 1) - m n (W^2 - A - B + G)] / [4 m^2 n^2 (m - 1)(n - 1)]

The last is theta^2 less the mean product over pairs that share no case, both of which are unbiased
(Gallas 2006, doi:10.1016/j.acra.2005.11.030). Of means all three are s^2 / n.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.types import AnyArray, Integers, Matrix, Vector
from .._inputs.evals.readers import Readings
from .._inputs.scores import Cases
from ..auc._components import (
    WIDE_FROM,
    Components,
    as_components,
    denominator,
    numerator,
    pair_sums,
)

EXACT_PAIRS = 1 << 22  # pairs of cases whose products, at most 4, add up exactly in float32
BLOCK_VALUES = 1 << 23  # 32 MiB of float32
EXACT_SUM = 1 << 62  # below it 64-bit integers add up exactly


class FigureVariances(NamedTuple):
    """Figures of merit and the module's four variances, as numbers over common denominators.

    `totals` (t, r) over `unit` are the figures, the variances are over `variance_unit`, which is 0
    where a class has one case. `difference_var` (P, r) and `difference_sum_var` (P,) are of the P
    pairs of treatments in row order. Numbers are Python's integers, or floats.
    """

    totals: AnyArray
    unit: int
    figure_var: AnyArray
    figure_sum_var: AnyArray
    difference_var: AnyArray
    difference_sum_var: AnyArray
    variance_unit: int


VarianceNumerator = Callable[[int, int, int, int, int, int], int]


def delong_numerator(w: int, a: int, b: int, gram: int, m: int, n: int) -> int:
    """Return the numerator of DeLong's variance, in the module's letters; `gram` is not used."""
    return numerator(w, (a, b), m, n)


def jackknife_numerator(w: int, a: int, b: int, gram: int, m: int, n: int) -> int:
    """Return the numerator of the jackknife's variance; `gram` is not used."""
    left_out = (m * a - w * w) * m * (n - 1) ** 2 + (n * b - w * w) * n * (m - 1) ** 2
    return (m + n - 1) * left_out


def unbiased_numerator(w: int, a: int, b: int, gram: int, m: int, n: int) -> int:
    """Return the numerator of the unbiased variance, which may be negative; `gram` is G."""
    return w * w * (m - 1) * (n - 1) - m * n * (w * w - a - b + gram)


NUMERATORS: dict[str, VarianceNumerator] = {
    "delong": delong_numerator,
    "jackknife": jackknife_numerator,
    "unbiased": unbiased_numerator,
}


def figure_variances(readings: Readings, covariance: str, n_jobs: int = 1) -> FigureVariances:
    """Return the figures of merit of all treatments and readers, and their variances."""
    t, r, _ = readings.scores.shape
    return column_table_variances(readings, np.arange(t * r).reshape(t, r), covariance, n_jobs)


def difference_from_last_reader(
    readings: Readings, covariance: str, n_jobs: int = 1
) -> tuple[FigureVariances, Vector]:
    """Return the last reader's figure minus each other reader's, and the figures of all readers.

    The differences have the form of figures of one treatment, with their variances.
    """
    n_others = readings.scores.shape[1] - 1
    # as two treatments: the last reader, again and again, and the others
    places = np.stack([np.full(n_others, n_others), np.arange(n_others)])
    both = column_table_variances(readings, places, covariance, n_jobs)
    totals_of_last, totals_of_others = both.totals
    figures = np.append(totals_of_others, totals_of_last[0]) / both.unit
    no_pairs = both.difference_var[:0]
    differences = both._replace(
        totals=(totals_of_last - totals_of_others)[None],
        figure_var=both.difference_var,
        figure_sum_var=both.difference_sum_var,
        difference_var=no_pairs,
        difference_sum_var=no_pairs[:, 0],
    )
    return differences, figures.astype(np.float64)


def column_table_variances(
    readings: Readings, places: Integers, covariance: str, n_jobs: int
) -> FigureVariances:
    """Return the figures and variances of a table (t, r) of columns of scores.

    `places` (t, r) are their indices among all columns of the readings, treatment by treatment.
    """
    columns = readings.scores.reshape(-1, readings.scores.shape[2])
    if readings.labels is None or readings.metric != "auc":
        return mean_variances(columns[places])
    names = tuple(map(str, range(len(columns))))
    components = as_components(Cases(readings.labels, list(columns), names), "auto", n_jobs)
    gram = np.zeros((len(columns),) * 2, object)
    if covariance == "unbiased":
        gram = kernel_products(columns, readings.labels)
    order = places.ravel()
    if order.tolist() != list(range(len(columns))):
        components = Components(
            components.labels, components.placed[order], components.m, components.n
        )
    gram = gram[np.ix_(order, order)].reshape(*places.shape, *places.shape)
    return auc_variances(components, gram, covariance)


def auc_variances(components: Components, gram: AnyArray, covariance: str) -> FigureVariances:
    """Return the AUCs from placements (t r, cases), with variances of the kind `covariance`.

    `gram` (t, r, t, r) are the sums G of products of two columns' kernels.
    """
    t, r, *_ = gram.shape
    m, n = components.m, components.n
    variance_numerator = NUMERATORS[covariance]
    totals = np.zeros((t, r), object)
    figure_var = np.zeros((t, r), object)
    difference_var = np.zeros((t * (t - 1) // 2, r), object)
    for j in range(r):
        columns = range(j, t * r, r)
        figure_var[:, j], difference_var[:, j], totals[:, j] = column_variances(
            components, columns, variance_numerator, gram[:, j, :, j]
        )
    summed = Components(components.labels, sums_of_readers(components, t), m, n)
    figure_sum_var, difference_sum_var, _ = column_variances(
        summed, range(t), variance_numerator, gram.sum(axis=(1, 3))
    )
    variance_unit = denominator(m, n)
    if covariance == "jackknife":
        variance_unit *= (m - 1) * (n - 1) * (m + n)
    return FigureVariances(
        totals=totals,
        unit=2 * m * n,
        figure_var=figure_var,
        figure_sum_var=figure_sum_var,
        difference_var=difference_var,
        difference_sum_var=difference_sum_var,
        variance_unit=variance_unit,
    )


def column_variances(
    components: Components, columns: range, variance_numerator: VarianceNumerator, gram: AnyArray
) -> tuple[AnyArray, AnyArray, AnyArray]:
    """Return the numerators of variances of columns, those of differences of pairs, and each W.

    They are arrays (k,), (P,) and (k,); `gram` (k, k) are the sums G of the columns.
    """
    k = len(columns)
    m = components.m
    n = components.n
    figure_var = np.zeros(k, object)
    placement_sums = np.zeros(k, object)
    difference_var = []
    for a in range(k):
        for b in range(a + 1, k) if k > 1 else [a]:  # a single column is paired with itself
            sums = pair_sums(components, columns[a], columns[b])
            placement_sums[a], placement_sums[b] = sums.w_a, sums.w_b
            figure_var[a] = variance_numerator(sums.w_a, *sums.aa, gram[a, a], m, n)
            figure_var[b] = variance_numerator(sums.w_b, *sums.bb, gram[b, b], m, n)
            g = gram[a, a] + gram[b, b] - gram[a, b] - gram[b, a]  # of the difference of kernels
            difference_var.append(variance_numerator(sums.w_a - sums.w_b, *sums.dd, g, m, n))
    return figure_var, np.array(difference_var if k > 1 else [], object), placement_sums


def sums_of_readers(components: Components, t: int) -> NDArray[Any]:
    """Return the placements (t, cases), summed over the readers of each treatment."""
    placed = components.placed.reshape(t, -1, components.labels.size)
    is_wide = 2 * placed.shape[1] * max(components.m, components.n) >= WIDE_FROM
    kind = np.uint64 if is_wide or components.is_wide else np.uint32
    return np.asarray(placed.sum(axis=1, dtype=kind))


def kernel_products(columns: Matrix, labels: NDArray[np.uint8]) -> AnyArray:
    """Return the sums G over pairs of cases of products of two columns' kernels (0, 1 or 2).

    They take time in proportion to m n. Positives are taken in blocks, so small that sums of
    products are exact.
    """
    positive, negative = columns[:, labels == 1], columns[:, labels == 0]
    pairs = min(EXACT_PAIRS, BLOCK_VALUES // len(columns))
    total = np.zeros((len(columns),) * 2)
    step = max(1, pairs // negative.shape[1])
    kind = np.float32 if negative.shape[1] <= EXACT_PAIRS else np.float64
    for start in range(0, positive.shape[1], step):
        x = positive[:, start : start + step, None]
        y = negative[:, None, :]
        kernels = np.add(x > y, x >= y, dtype=kind).reshape(len(columns), -1)
        total += kernels @ kernels.T
    return np.array([[int(product) for product in row] for row in total.tolist()], object)


def mean_variances(scores: NDArray[np.float64]) -> FigureVariances:
    """Return means over cases of scores (t, r, n) with their variances, exact for integers."""
    t, r, n = scores.shape
    largest_sum = r * float(np.abs(scores).max())  # over readers
    has_small_squares = n * largest_sum * largest_sum < EXACT_SUM / n
    are_integers = has_small_squares and bool((scores == np.rint(scores)).all())
    values: AnyArray = scores.astype(np.int64) if are_integers else scores
    squares = integer_squares if are_integers else centred_squares
    first, second = np.triu_indices(t, 1)
    summed = values.sum(axis=1)
    return FigureVariances(
        totals=values.sum(axis=2).astype(object if are_integers else np.float64),
        unit=n,
        figure_var=squares(values),
        figure_sum_var=squares(summed),
        difference_var=squares(values[first] - values[second]),
        difference_sum_var=squares(summed[first] - summed[second]),
        variance_unit=n * n * (n - 1) if are_integers else n * (n - 1),
    )


def integer_squares(values: AnyArray) -> AnyArray:
    """Return n sum x^2 - (sum x)^2 of integers along the last axis."""
    total = values.sum(axis=-1).astype(object)
    return np.asarray(values.shape[-1] * np.square(values).sum(axis=-1).astype(object) - total**2)


def centred_squares(values: Vector) -> Vector:
    """Return the sums of squares about the mean along the last axis."""
    return np.asarray(np.square(values - values.mean(axis=-1, keepdims=True)).sum(axis=-1))
