"""Models that rank most cases nearly alike: what a claim with a margin may not take for granted.

A quantised copy, say, moves every case a little, and may move few cases far. The variance of the
sample tells of the few only if it holds some of them: at the margin DeLong's test would claim
non-inferiority of such models in up to 66 % of samples (see docs/noninferiority.md).
"""

import math
from collections.abc import Sequence

import numpy as np

from ...._inference.unvaried import Rare
from ...._inputs.cases import Cases
from ..components import as_components
from ..independent import PAIRS

NEARLY = 0.01  # of the other class: models of different training move half of the cases farther


def rare_differences(cases: Cases) -> Rare | None:
    """Return the bound by rare differences; None unless most cases of a class move hardly.

    `Rare` counts pairs of cases; the class of which more was lost or gained tells how many.
    """
    if cases.weight_kind is not None or cases.groups is not None:
        return None
    components = as_components(cases)
    m, n, positive = components.m, components.n, components.labels == 1
    if min(m, n) < 2:
        return None
    moved = components.placed[0].astype(np.int64) - components.placed[-1]
    classes = moved[positive], moved[~positive]
    near = [
        int(np.count_nonzero(abs(own) <= near_limit(others)))
        for own, others in zip(classes, (n, m), strict=True)
    ]
    if not hardly_move(near, (m, n)):
        return None
    changes = classes[0] / (2 * n), classes[1] / (2 * m)
    losses, gains = (
        min(m, n) * max(float(np.maximum(sign * change, 0.0).mean()) for change in changes)
        for sign in (-1, 1)
    )
    return Rare(min(m, n), losses, gains, PAIRS)


def near_limit(others: int) -> int:
    """Return how far, in twice the cases of the other class, a case that moves hardly may move."""
    return math.floor(2.0 * NEARLY * others)


def hardly_move(near: Sequence[int], sizes: Sequence[int]) -> bool:
    """Say whether most cases of a class move hardly, `near` of so many."""
    return any(2 * few > size for few, size in zip(near, sizes, strict=True))
