"""Corrections for all k (k - 1) / 2 pairs of k models, whose hypotheses are tied to one another.

If A = B and B = C then A = C, so of three hypotheses never just one is false. Both corrections use
that, and both beat Holm; one-sided hypotheses are not tied so. Notation: the p-values are of the
pairs (i < j), in row order.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..._base.exceptions import invalid_value
from ..._base.types import Vector
from ..._inputs.options import check_rom

MOST_MODELS = 14  # 190,899,322 partitions, 1 s; each further model would take 7 times as long


def number_of_models(count: int, method: str) -> int:
    """Return k such that `count` = k (k - 1) / 2, or raise if there is none."""
    k = (1 + math.isqrt(1 + 8 * count)) // 2
    if k * (k - 1) // 2 != count:
        raise invalid_value(
            "pvalues",
            f"must be of all k (k - 1) / 2 pairs of k models for method={method!r}",
            count,
            f": {k} models have {k * (k - 1) // 2} pairs, {k + 1} have {k * (k + 1) // 2}. "
            "Choose 'holm' for other families.",
            show=", got {}",
        )
    return k


def shaffer(p: Vector) -> Vector:
    """Return p-values of all pairs, adjusted by Shaffer's (1986) static procedure.

    doi:10.1080/01621459.1986.10478341. Step i multiplies by the largest number of hypotheses that
    can be true together and is at most m - i + 1. Undefined p-values stay NaN and come last; the d
    defined ones are multiplied by at most Holm's d - i + 1.
    """
    possible = possible_true_counts(number_of_models(p.size, "shaffer"))
    remaining = np.arange(p.size, 0, -1)
    factors = possible[np.searchsorted(possible, remaining, side="right") - 1]
    order = np.argsort(p, kind="stable")  # NaN come last
    defined = p.size - np.count_nonzero(np.isnan(p))
    factors = np.minimum(factors, np.maximum(remaining - (p.size - defined), 1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.maximum.accumulate(factors * p[order])
    return adjusted


def possible_true_counts(k: int) -> NDArray[np.int64]:
    """Return S(k) of Shaffer (1986): how many pairs of k models can be equal at once, ascending.

    With f(s) the fewest models that have s pairs of equal ones, s is in S(k) if f(s) <= k. Let
    F = max f(s) over s <= k. The largest group for s < C(k - F + 1, 2) has j <= k - F models and
    leaves less than j <= k pairs, for which F models are enough: all those s are in S(k). For
    others the largest group has k - r models, r <= R, since C(j, 2) + C(k - j, 2) is convex in j.
    """
    from ...kernels.partitions import fewest_models

    def fewest(most_hypotheses: int) -> NDArray[np.int64]:
        """Return f(0), f(1), ..., f(`most_hypotheses`)."""
        models = np.empty(most_hypotheses + 1, np.int64)
        fewest_models(models)
        return models

    most_models = int(fewest(k).max())  # F
    start = pairs_among(k - most_models + 1)
    largest_r = most_models  # R
    while (
        2 * largest_r < k and pairs_among(k - largest_r - 1) + pairs_among(largest_r + 1) >= start
    ):
        largest_r += 1
    if 2 * largest_r >= k:  # few models
        return np.flatnonzero(fewest(pairs_among(k)) <= k)
    models = fewest(pairs_among(largest_r))
    are_possible = np.zeros(pairs_among(k) + 1, np.bool_)
    are_possible[:start] = True
    for r in range(largest_r + 1):
        are_possible[pairs_among(k - r) + np.flatnonzero(models <= r)] = True
    return np.flatnonzero(are_possible)


def pairs_among(k: int) -> int:
    """Return how many pairs k models have."""
    return k * (k - 1) // 2


def check_models(k: int, method: str, name: str = "correction") -> None:
    """Raise if the correction would take too long for so many models."""
    if method == "bergmann-hommel" and k > MOST_MODELS:
        raise invalid_value(
            f"{name}='bergmann-hommel'",
            f"takes at most {MOST_MODELS} models (these are {k}), because it enumerates all "
            "partitions of the models",
            end=". Choose 'shaffer'.",
        )
    if method == "rom":
        check_rom(name, pairs_among(k))


def bergmann(p: Vector) -> Vector:
    """Return p-values of all pairs, adjusted by Bergmann and Hommel's (1988) procedure.

    doi:10.1007/978-3-642-52307-6_8: the largest |I| min p over the exhaustive sets I of hypotheses
    that contain the pair.
    """
    from ...kernels.partitions import bergmann_hommel

    k = number_of_models(p.size, "bergmann-hommel")
    check_models(k, "bergmann-hommel", "method")
    first, second = np.triu_indices(k, 1)
    pvalues, adjusted = np.ones((k, k)), np.empty((k, k))
    pvalues[second, first] = p  # below the diagonal, where the kernel reads and writes
    bergmann_hommel(pvalues, adjusted)
    return np.asarray(adjusted[second, first])


PAIR_CORRECTIONS: dict[str, Callable[[Vector], Vector]] = {
    "shaffer": shaffer,
    "bergmann-hommel": bergmann,
}
