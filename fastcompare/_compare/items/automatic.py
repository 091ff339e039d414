"""What `method="auto"` does: the score test of answers, Student's t of other scores, or Hall's.

Answers are 0 or 1. Their differences, and others of which more than half are exactly 0, tell by
their standard error nothing of differences that are rare and great: they have the score test of
bounded differences, and where none differs the bound by as many units. Other scores have Student's
t with Hall's cubic where they are skewed.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..._base.types import Vector
from ..._inference.answer_means import are_answers
from ..._inference.bounded import BoundedMean
from ..._inference.clusters import cluster_status
from ..._inference.infer import Inference, infer, inferred, judged
from ..._inference.item_means import MeanDesign
from ..._inference.pvalues import student_quantile
from ..._inference.skewness import MOST, is_doubtful, skewed_reach, skewed_t, skewness_of
from ..._inputs.items import Items
from ..._resampling.bootstrap import Claim
from .methods import (
    CLUSTERED,
    STUDENT,
    Details,
    Differences,
    MeanTest,
    Procedure,
    by_flips,
    by_resampling,
    by_student,
    letter_of,
    student_details,
)

SCORE = "score test of paired proportions"
BOUNDED = "score test of bounded differences"
SKEWED = "Hall's correction for skewness"
HARDLY = 0.5  # share of differences that are 0 from which standard errors tell too little


class SkewedEnds(NamedTuple):
    """Ends of intervals by Student's t, that on the side of the long tail by Hall's cubic."""

    estimate: float
    standard_error: float
    df: float
    skewness: float

    def low(self, alpha: float) -> float:
        """Return the lower end of the interval with `alpha` below it."""
        reach = skewed_reach(student_quantile(alpha, self.df), self.skewness)[0]
        return self.estimate - float(reach) * self.standard_error

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it."""
        reach = skewed_reach(student_quantile(alpha, self.df), self.skewness)[1]
        return self.estimate + float(reach) * self.standard_error

    def infer(self, claim: Claim) -> Inference:
        """Return the statistic and p-value of a claim."""
        estimate, error, df, skewness = self

        def statistic_at(null: float, tail: str) -> float:
            return float(skewed_t((estimate - null) / error, skewness, tail))

        return inferred(estimate, error, *judged(statistic_at, df, *claim), *claim)


def design_skewness(deviations: Vector, design: MeanDesign) -> float:
    """Return the skewness of a mean of few enough items; 0 of weights and unequal clusters."""
    if deviations.size > MOST or not design.is_even:
        return 0.0
    return float(skewness_of(design.roots(deviations, design.parts[0]), design.df))


def greatest_difference(items: Items) -> float:
    """Return the greatest difference that there can be: 1 of answers, else the scores' range.

    Of differences alone it is 1 if all are -1, 0 or 1, else the greatest of them. 0 if unknown.
    """
    given = (items.scores,) if items.samples is None else items.samples
    if len(items.names) == 1:
        size = np.abs(items.scores)
        return 1.0 if are_answers(size) else float(size.max())
    if all(map(are_answers, given)):
        return 1.0
    return float(max(map(np.nanmax, given)) - min(map(np.nanmin, given)))


def are_few_valued(scores: Sequence[Vector], d: Vector) -> bool:
    """Return whether all scores are 0 or 1, or more than half of their differences are 0."""
    if np.count_nonzero(d) < HARDLY * d.size:
        return True
    return all(are_answers(np.abs(x)) for x in scores)


def bounded_mean(
    d: Vector, weights: Vector | None, most: float, error: float, df: float, *, plain: bool
) -> BoundedMean:
    """Return the differences as the score test takes them; `plain` ones are independent."""
    values, places = np.unique(d, return_inverse=True)
    shares = np.bincount(places, weights) / (d.size if weights is None else weights.sum())
    if plain:
        return BoundedMean(values, shares, most, float(d.size))
    n = d.size if weights is None else float(weights.sum()) ** 2 / float(weights @ weights)
    return BoundedMean(values, shares, most, worth(values, shares, n, error), df)


def worth(values: Vector, shares: Vector, n: float, error: float) -> float:
    """Return as how many independent items dependent ones count, n where nothing varies.

    Those whose mean has the same standard error: Korn, Graubard (1998) for a proportion. They may
    be more than there are, by the chance that `df` takes into account.
    """
    variance = float(shares @ np.square(values - float(shares @ values)))
    if error <= 0.0 or variance <= 0.0:
        return n
    return n / (n - 1.0) * variance / (error * error)


def by_auto(found: Differences, procedure: Procedure) -> MeanTest:
    """Return the test that suits the scores."""
    (_, error, df, word), claim = found.mean, procedure.claim
    if word != "ok" or found.lags is not None:
        return by_student(found, procedure)
    given = found.items.samples or tuple(found.items.scores.T)
    title = STUDENT if found.items.links.groups is None else CLUSTERED
    if are_few_valued(given, found.d):
        most = greatest_difference(found.items)
        if not found.d.any():
            return unvaried_test(found, claim, most, title)
        if most > claim.margin:
            links, weights = found.items.links, found.design.weights
            plain = weights is None and links.groups is None and links.strata is None
            mean = bounded_mean(found.d, weights, most, error, df, plain=plain)
            return bounded_test(mean, found.mean.estimate, error, claim, df)
    if not error > 0.0:
        return by_student(found, procedure)
    skewness = design_skewness(found.d - found.mean.estimate, found.design)
    return skewed_test(SkewedEnds(found.mean.estimate, error, df, skewness), claim, title)


def unvaried_test(found: Differences, claim: Claim, most: float, title: str) -> MeanTest:
    """Return the test of models that never differ, by units or their signs."""
    estimate, error, df, _ = found.mean
    bound = found.units._replace(most=most if most > claim.margin else math.inf)
    inference = infer(estimate, error, *claim, df=df, unvaried=bound)
    return inference, {**student_details(estimate, error, df, title), "status": "no_difference"}


def bounded_test(
    mean: BoundedMean, estimate: float, error: float, claim: Claim, df: float
) -> MeanTest:
    """Return the score test of bounded differences."""
    statistic, p = mean.test(*claim)
    answers = mean.most == 1.0 and bool(np.isin(mean.values, (-1.0, 0.0, 1.0)).all())
    title = SCORE if answers else BOUNDED
    details = Details(method=title, _letter="z", _tails=mean, status=cluster_status(df))
    if mean.df < math.inf:
        details["method"] += ", effective number of items"
        details["_letter"] = letter_of(mean.df)
    else:
        details["status"] = "ok"
    return inferred(estimate, error, statistic, p, *claim), details


def skewed_test(ends: SkewedEnds, claim: Claim, title: str) -> MeanTest:
    """Return Student's t, with Hall's cubic if scores are skewed."""
    details = student_details(*ends[:3], title)
    if ends.skewness == 0.0:
        inference = infer(ends.estimate, ends.standard_error, *claim, df=ends.df)
        details["status"] = cluster_status(ends.df)
        return inference, details
    inference = ends.infer(claim)
    statistic, p = inference["statistic"], inference["pvalue"]
    doubtful = is_doubtful(statistic, ends.skewness, ends.df, p, claim.alternative)
    details["status"] = cluster_status(ends.df, "small_sample" if doubtful else "ok")
    link = "with" if title == STUDENT else "and"
    details["method"], details["_tails"] = f"{title} {link} {SKEWED}", ends
    return inference, details


METHODS: dict[str, Callable[[Differences, Procedure], MeanTest]] = {
    "auto": by_auto,
    "t": by_student,
    "sign-flip": by_flips,
    "bootstrap": by_resampling,
}
