"""Expected ranks of models with normal scores, and the means that give them."""

import math

import numpy as np

from ..._base.types import Matrix, Vector

STEPS = 100
NEAR = 1e-12


def chances_above(means: Vector) -> Matrix:
    """Return the chances (k, k) that the model of the column scores higher than that of the row."""
    erfc = np.frompyfunc(math.erfc, 1, 1)
    return np.asarray(0.5 * erfc(0.5 * (means[:, None] - means)), dtype=np.float64)


def expected_ranks(means: Vector) -> Vector:
    """Return the expected ranks of scores with these means and variance 1, 1 being the highest."""
    return np.asarray(0.5 + chances_above(means).sum(axis=1))  # a model is above itself by 1/2


def means_with_ranks(ranks: Vector) -> Vector:
    """Return means with these expected ranks, by Newton's method in steps of at most 1.

    The ranks are the gradient of a concave function of the means, so there is one solution up to
    a shift of all; equal ranks have equal means, to the last bit.
    """
    distinct, number = np.unique(ranks, return_inverse=True)
    means = np.zeros(distinct.size)
    for _ in range(STEPS):
        gap = expected_ranks(means[number]) - ranks
        if np.abs(gap).max() <= NEAR * ranks.size:
            break
        slope = rank_slopes(means[number])
        step = np.linalg.lstsq(slope, gap, rcond=None)[0]
        by_rank = np.bincount(number, step) / np.bincount(number)
        means -= by_rank / max(1.0, np.abs(by_rank).max())
    return means[number]


def rank_slopes(means: Vector) -> Matrix:
    """Return the derivatives (k, k) of the expected ranks of the rows by the means of the columns.

    A difference of two scores has variance 2.
    """
    density = np.exp(-0.25 * (means[:, None] - means) ** 2) / math.sqrt(4.0 * math.pi)
    return np.asarray(density - np.diag(density.sum(axis=1)))
