"""What labels can say of a metric of two models that answer all cases alike."""

import math

import numpy as np

from ..._base.types import Integers
from ..._inference.unvaried import Unvaried, as_equal, rarest_bound
from ..._inputs.metrics import Metric
from .metrics import Cells

WIDTH = {"mcc": 2.0, "cohen-kappa": 2.0}


def labels_alike(cells: Cells) -> bool:
    """Return whether both models answer every case alike."""
    return bool((cells.numbers[:, 1] == cells.numbers[:, 2]).all())


def unvaried_labels(metric: Metric, cells: Cells, groups: Integers | None) -> Unvaried:
    """Return the bound by cases whose replicates do not vary.

    A case changes an accuracy by 1 / n, the other metrics by at most one over the cases of the
    rarest class, true or predicted. Of a user's function nothing is known.
    """
    if not isinstance(metric, str):
        return Unvaried(1.0, math.inf, "sample")
    width, clusters = WIDTH.get(metric, 1.0), math.inf
    if groups is not None:
        clusters = as_equal(np.bincount(groups))
    if metric == "accuracy":
        return Unvaried(min(float(cells.counts.sum()), clusters), width)
    truth, first, _ = cells.numbers.T
    sizes = [np.bincount(side, cells.counts) for side in (truth, first)]
    return rarest_bound(sizes, width, clusters, alike=labels_alike(cells))
