"""Means of scores that are all right or wrong, 1 or 0: their intervals stay between 0 and 1.

Wilson's interval takes p (1 - p) / SE^2 for the number of answers, as many as would tell as much
if they were independent, and Student's quantile for z: Korn, Graubard (1998), Survey Methodology
24, 193-201. Independent answers that count alike take their own number and the normal quantile.
The t interval of .98 covers in 20 to 91 % of samples where 95 are meant, this one in 92 to 98:
docs/leaderboards.md.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.types import Matrix, Vector
from .._inputs.items import Items
from .item_means import ROUNDING, MeanDesign
from .proportions import effective_ends, wilson_ends
from .pvalues import UNBOUNDED, normal_quantile
from .references import reference_quantile

Ends = tuple[Vector, Vector]


class Answers(NamedTuple):
    """How many answers each model has, whether they are independent, and whose are all alike."""

    n: float
    independent: bool
    alike: NDArray[np.bool_]


def answers_of(items: Items, design: MeanDesign) -> Answers | None:
    """Return the number of answers, if all scores and samples are 0 or 1; None of others."""
    given = (items.scores,) if items.samples is None else items.samples
    if not all(map(are_answers, given)):
        return None
    links, weights, first = items.links, design.weights, items.scores[0]
    linked = links.groups is not None or links.strata is not None or items.samples is not None
    return Answers(
        n=links.n if weights is None else float(weights.sum()) ** 2 / float(weights @ weights),
        independent=weights is None and not linked,
        alike=((first == 0.0) | (first == 1.0)) & (items.scores == first).all(axis=0),
    )


def are_answers(scores: Matrix) -> bool:
    """Return whether all scores that are there are 0 or 1; what is continuous is soon known."""
    parts = (scores[:1], scores)
    return all(((part == 0.0) | (part == 1.0) | np.isnan(part)).all() for part in parts)


def mean_ends(
    means: Vector, errors: Vector, df: float, tail: float, answers: Answers | None
) -> Ends:
    """Return the ends of the models' intervals, with the chance `tail` left out at each end."""
    if answers is not None and answers.independent:
        return wilson_ends(shares_of(means, answers), answers.n, normal_quantile(tail))
    return ends_within(means, errors, reference_quantile(tail, df), answers)


def ends_within(means: Vector, errors: Vector, reach: float, answers: Answers | None) -> Ends:
    """Return the ends of intervals that reach so many standard errors, inside the range.

    NaN for answers that do not vary between clusters though some are right and some are wrong.
    """
    if answers is None:
        return means - reach * errors, means + reach * errors
    varying = np.where(errors > ROUNDING, errors, 0.0)
    return effective_ends(shares_of(means, answers), varying, answers.n, reach)


def with_alike(ends: Ends, means: Vector, tail: float, answers: Answers | None) -> Ends:
    """Return the ends, Wilson's where all answers are right or all are wrong: nothing varies."""
    if answers is None:
        return ends
    own = wilson_ends(np.round(means), answers.n, normal_quantile(tail))
    low, high = (np.where(answers.alike, *both) for both in zip(own, ends, strict=True))
    return low, high


def shares_of(means: Vector, answers: Answers) -> Vector:
    """Return the shares of right answers, without rounding where all are right or wrong."""
    return np.asarray(np.where(answers.alike, np.round(means), means))


def bounds_of(answers: Answers | None) -> tuple[float, float]:
    """Return the least and the greatest mean that there is."""
    return UNBOUNDED if answers is None else (0.0, 1.0)
