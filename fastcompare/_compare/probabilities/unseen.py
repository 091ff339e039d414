"""What cases of the rarer classes, of which a sample holds few or none, would change.

Had no case been of a rare class, two models' losses would differ by N on average. What makes them
equal, or different by D, are jumps of single cases that turn out to be of another
class: their sum over n is D - N, so that by a hypothesis some are to come, seen or not. A sum of
rare jumps of sizes w varies as a compound Poisson variable, by

    |D - N| w / n,    w = sum of squares / sum of the jumps in that direction

times the share of the other classes, which turns Poisson's variance into the binomial one.
The variance of a difference is at least this one, as in score tests: at the true difference D, and
not at what few surprises show of it. With no positive case in a sample that is all there is.
"""

from typing import Any, NamedTuple

import numpy as np

from ..._base.types import Integers, Matrix, Vector
from ..._inference.infer import Inference, inferred
from ..._inference.pvalues import ratio, score_pvalue, student_quantile
from ..._inputs.probabilities import Forecasts, Rule
from ..._resampling.bootstrap import Claim
from .loss_moments import Moments
from .losses import case_losses

MANY = 1000  # cases of other classes, from which a sample shows how they vary
MOST_LOSSES = 10**8  # of all classes, models and cases that are looked at, some seconds
RARE = 0.3  # the share of other classes from which Student's t holds: 5.5 % of 20 cases


class Unseen(NamedTuple):
    """N, and w / n of jumps up and of jumps down, times a share; of one pair or of several."""

    base: Any
    rise: Any
    fall: Any

    def error(self, null: float, error: Any) -> Any:
        """Return the standard error of the difference if it truly is `null`, at least `error`."""
        needed = null - self.base
        variance = np.where(needed > 0.0, needed * self.rise, -needed * self.fall)
        return np.maximum(error, np.sqrt(variance))

    def told(self, error: float) -> str:
        """Return words for a test of one pair whose variance is that of what is unseen."""
        return " with the variance of unseen cases" if self.error(0.0, error) > error else ""

    def times(self, factor: Any) -> "Unseen":
        """Return the same with variances that are so many times as large: of clusters."""
        return Unseen(self.base, factor * self.rise, factor * self.fall)

    def high(self, estimate: Any, error: Any, quantile: float) -> Any:
        """Return the greatest difference D with (D - estimate) <= quantile x the error at D."""
        found = estimate + quantile * error
        for jump, sign in ((self.rise, 1.0), (self.fall, -1.0)):  # (D - d)^2 = k |D - N|
            k = quantile * quantile * jump
            gap = sign * (estimate - self.base)
            with np.errstate(invalid="ignore"):
                root = estimate + 0.5 * sign * k + np.sqrt(0.25 * k * k + k * gap)
            beyond = sign * (root - self.base) >= 0.0
            found = np.where(beyond & (root > found), root, found)
        return found

    def low(self, estimate: Any, error: Any, quantile: float) -> Any:
        """Return the least such difference."""
        mirrored = Unseen(-self.base, self.fall, self.rise)
        return -mirrored.high(-estimate, error, quantile)


def unseen_of(
    rule: Rule, cases: Forecasts, clip: float | None, first: Integers, second: Integers, method: str
) -> Unseen | None:
    """Return N and the jumps of unseen cases for pairs of models, which have these numbers.

    None where no class is rare, a loss of one would be infinite, the classes and models are too
    many, or the method is another one than 'auto'.
    """
    if method != "auto":
        return None
    n, width = cases.labels.size, 2 if cases.models[0].ndim == 1 else cases.models[0].shape[1]
    ones = np.count_nonzero(cases.labels)
    sizes = np.array([n - ones, ones]) if width == 2 else np.bincount(cases.labels, minlength=width)
    rare = rare_classes(sizes)
    if not rare or width * len(cases.models) * n > MOST_LOSSES:
        return None
    base = usual_losses(rule, cases, clip, sizes, rare)
    others = [losses_of_class(rule, cases, clip, k) - base for k in rare]
    if not all(np.isfinite(some).all() for some in (base, *others)):
        return None
    share = 1.0 - float(sizes[rare].sum()) / n
    found = np.empty((3, first.size))
    for place, (i, j) in enumerate(zip(first, second, strict=True)):
        jumps = np.stack([other[i] - other[j] for other in others])
        found[0, place] = (base[i] - base[j]).mean()
        found[1, place] = share * typical(np.maximum(jumps.max(axis=0), 0.0)) / n
        found[2, place] = share * typical(np.maximum(-jumps.min(axis=0), 0.0)) / n
    return Unseen(*found)


def rare_classes(sizes: Integers) -> list[int]:
    """Return the smallest classes that are few together, never all."""
    order = np.argsort(sizes, kind="stable")
    few = np.cumsum(sizes[order]) < min(MANY, RARE * sizes.sum())
    return [int(k) for k in order[:-1][few[:-1]]]


def usual_losses(
    rule: Rule, cases: Forecasts, clip: float | None, sizes: Integers, rare: list[int]
) -> Matrix:
    """Return the losses (models, n) of each case by its class, of rare ones by what is usual."""
    odd = np.isin(cases.labels, rare)
    usual = [k for k in range(sizes.size) if k not in rare]
    found = np.zeros((len(cases.models), cases.labels.size))
    for k in usual:
        losses, own = losses_of_class(rule, cases, clip, k), cases.labels == k
        found[:, own] = losses[:, own]
        found[:, odd] += losses[:, odd] * (sizes[k] / sizes[usual].sum())
    return found


def losses_of_class(rule: Rule, cases: Forecasts, clip: float | None, k: int) -> Vector:
    """Return the losses (models, n) if every case were of one class."""
    labels = np.full_like(cases.labels, k)
    return np.stack([case_losses(rule, labels, p, clip) for p in cases.models])


def typical(jumps: Vector) -> float:
    """Return the mean jump, each taken as often as it is large."""
    total = float(jumps.sum())
    return float(jumps @ jumps) / total if total > 0.0 else 0.0


class UnseenEnds(NamedTuple):
    """Ends of intervals that hold the differences which the test does not reject."""

    estimate: float
    standard_error: float
    df: float
    unseen: Unseen

    def low(self, alpha: float) -> float:
        """Return the lower end of the interval with `alpha` below it."""
        q = student_quantile(alpha, self.df)
        return float(self.unseen.low(self.estimate, self.standard_error, q))

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it."""
        q = student_quantile(alpha, self.df)
        return float(self.unseen.high(self.estimate, self.standard_error, q))


def by_score(differences: Moments, unseen: Unseen, claim: Claim) -> Inference:
    """Return the t-test whose variance is at least that of the surprises a hypothesis needs."""
    estimate, error = differences.estimate, differences.standard_error

    def t_of(null: float) -> float:
        return ratio(estimate - null, float(unseen.error(null, error)))

    statistic, p = score_pvalue(t_of, claim.alternative, claim.margin, differences.df)
    known = error if error > 0.0 else float(unseen.error(0.0, error))
    return inferred(estimate, known, statistic, p, claim.alternative, claim.margin)
