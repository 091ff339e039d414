"""How many independent pairs of a positive and a negative there are in a sample."""

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Integers
from ..._inference.unvaried import Unvaried, as_equal
from ..._inputs.cases import Cases

PAIRS = "pairs of cases"


def unvaried_pairs(m: float, n: float) -> Unvaried:
    """Return the bound by m independent positives and n negatives of which no pair differs."""
    return Unvaried(min(m, n), name=PAIRS)


def unvaried_cases(cases: Cases) -> Unvaried:
    """Return the same of cases that may have weights or be in clusters."""
    return unvaried_pairs(*independent_cases(cases))


def independent_cases(cases: Cases) -> tuple[float, float]:
    """Return how many independent positives and negatives the cases are worth.

    Those of unequal weights or clusters are worth as many as of the heaviest.
    """
    if cases.groups is not None:
        return independent_clusters(cluster_classes(cases.labels, cases.groups))
    positive = cases.labels == 1
    m, n = (worth(cases, members) for members in (positive, ~positive))
    return m, n


def independent_clusters(sizes: Integers) -> tuple[float, float]:
    """Return the same for the positives and negatives (2, I) of clusters.

    Of two clusters one gives the positive of a pair and the other the negative.
    """
    m, n = (min(as_equal(own[own > 0]), sizes.shape[1] / 2) for own in sizes)
    return m, n


def cluster_classes(labels: NDArray[np.uint8], groups: Integers) -> Integers:
    """Return the numbers of positives and negatives (2, I) in each cluster."""
    everyone = np.bincount(groups)
    positives = np.bincount(groups, labels).astype(np.int64)  # counts in doubles, exact
    return np.array((positives, everyone - positives))


def worth(cases: Cases, members: NDArray[np.bool_]) -> float:
    """Return how many independent cases of equal weight those of a class are worth."""
    if cases.weights is None:
        return float(np.count_nonzero(members))
    weights = cases.weights[members]
    return float(weights.sum()) if cases.weight_kind == "frequency" else as_equal(weights)
