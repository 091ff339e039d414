"""Informative sampling weights, which depend on the scores: a sample may lack the heaviest cases.

Cases that are sampled five times less often count five times as much. If the probability of being
sampled depends on the scores, those which a model ranks last may be the heavy ones, and a sample
has few of them, or none. Then the number of independent cases is the total weight over the
greatest weight, as in `sum_over_largest`, instead of Kish's effective number; and if this is
less than half of the cases of a class, Student's t rejects up to 26% of true null hypotheses in
samples of 50, whatever the statistic shows.
"""

import math
from typing import NamedTuple

import numpy as np

from ..._base.types import Vector
from ..._inputs.scores import Cases
from .._intervals import independent_cases
from .design import effective_sizes

DEPENDENT = 3.0  # standard errors of a rank correlation, from which weights depend on scores
DESIGN_EFFECT = 2.0  # cases over effective cases, above which tests with such weights err
ENOUGH = 2000  # cases of a class to find a correlation that matters


class InformativeWeights(NamedTuple):
    """The status word of informative weights, and the numbers of independent cases by class."""

    status: str
    sizes: tuple[float, float]


def informative_weights(cases: Cases) -> InformativeWeights | None:
    """Return status and sizes if sampling weights depend on the scores, else None."""
    if cases.weight_kind != "sampling" or not depend_on_scores(cases):
        return None
    sizes = zip(cases.sizes, effective_sizes(cases), strict=True)
    design_effects = [size / effective_size for size, effective_size in sizes]  # of both classes
    status = "informative_weights" if max(design_effects) > DESIGN_EFFECT else "ok"
    return InformativeWeights(status, independent_cases(cases))


def depend_on_scores(cases: Cases) -> bool:
    """Return whether weights correlate with a model's scores in a class, by Spearman's rho.

    It takes about `ENOUGH` cases of a large class, at equal distances.
    """
    weights = np.asarray(cases.weights)
    for label in (0, 1):
        members = np.flatnonzero(cases.labels == label)
        members = members[:: max(1, members.size // ENOUGH)]
        weight_ranks = standard_ranks(weights[members])
        model_ranks = (standard_ranks(np.asarray(scores)[members]) for scores in cases.scores)
        limit = DEPENDENT / math.sqrt(max(members.size - 1.0, 1.0))
        if any(abs(float(score_ranks @ weight_ranks)) > limit for score_ranks in model_ranks):
            return True
    return False


def standard_ranks(values: Vector) -> Vector:
    """Return midranks less their mean, with a sum of squares of 1; all 0 if values are equal.

    The product of two such vectors is Spearman's rho.
    """
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    midranks = np.cumsum(counts) - 0.5 * (counts - 1.0)
    ranks = midranks[inverse] - 0.5 * (values.size + 1.0)
    standard: Vector = ranks / max(math.sqrt(float(ranks @ ranks)), 1e-300)
    return standard
