"""How many independent pairs of a positive and a negative there are in a sample."""

import numpy as np
from numpy.typing import NDArray

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

    Those of unequal weights or clusters are worth as many as of the heaviest. Of two clusters one
    gives the positive of a pair and the other the negative.
    """
    positive = cases.labels == 1
    m, n = (worth(cases, members) for members in (positive, ~positive))
    most = np.inf if cases.groups is None else (int(cases.groups.max(initial=0)) + 1) / 2
    return min(m, most), min(n, most)


def worth(cases: Cases, members: NDArray[np.bool_]) -> float:
    """Return how many independent cases of equal weight those of a class are worth."""
    if cases.groups is not None:
        return as_equal(np.bincount(cases.groups[members]))
    if cases.weights is None:
        return float(np.count_nonzero(members))
    weights = cases.weights[members]
    return float(weights.sum()) if cases.weight_kind == "frequency" else as_equal(weights)
