"""What somebody expects of a study of items: how much scores vary, and the test to be made."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, TypedDict

from .._base.exceptions import InvalidValueError
from .._base.types import Alternative
from .item_options import as_sample_counts
from .options import (
    as_real,
    check_alpha,
    check_alternative,
    check_amount,
    check_margin,
    check_reference,
    check_within,
)
from .planning import is_one

MOST_ITEMS = 1e100
Pair = float | tuple[float, float]


class MeanDesigning(TypedDict, total=False):
    """Options of every plan of a difference of means."""

    correlation: float | None
    sample_variance: Pair
    samples: Pair
    design_effect: float
    cluster_size: float
    reference: str
    alternative: Alternative
    margin: float
    alpha: float


class MeanDesign(NamedTuple):
    """The variance of an item's difference, how many items share a degree of freedom, the test."""

    variance: float
    cluster_size: float
    reference: str
    alternative: str
    margin: float
    alpha: float

    def standard_error(self, n: float) -> float:
        """Return the standard error of n items."""
        return math.sqrt(self.variance / n)

    def df(self, n: float) -> float:
        """Return the degrees of freedom of n items, infinite for the normal distribution."""
        return math.inf if self.reference == "normal" else n / self.cluster_size - 1.0

    @property
    def claim(self) -> tuple[str, float, float]:
        """What the test claims, with its margin and level."""
        return self.alternative, self.margin, self.alpha

    @property
    def fewest(self) -> float:
        """The fewest items that have a test: two clusters for t."""
        return 1.0 if self.reference == "normal" else 2.0 * self.cluster_size


def as_mean_design(
    variance: Any,
    *,
    correlation: float | None = None,
    sample_variance: Pair = 0.0,
    samples: Pair = 1,
    design_effect: float = 1.0,
    cluster_size: float = 1.0,
    reference: str = "auto",
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    alpha: float = 0.05,
) -> MeanDesign:
    """Return the checked design.

    Parameters
    ----------
    variance : float or (float, float)
        How much the items' differences vary: the variance over items of a model's expected score
        less the other's. Or those of the two models' expected scores, together with `correlation`.
    correlation : float, optional
        Of the two models' expected scores over items, from -1 to 1, where `variance` is two
        numbers: then ``v_a + v_b - 2 * correlation * sqrt(v_a * v_b)`` stands for the differences.
    sample_variance : float or (float, float), default=0
        How much repeated answers of a model to the same item vary about its expected score, on
        average over items; for p = 0.5, say, right answers have 0.25. One number is for both
        models. 0 if `variance` is that of observed differences, which holds it already.
    samples : int or (int, int), default=1
        How many answers each model gives to an item; their mean counts.
    design_effect : float, default=1
        How many times the variance of the mean is that of independent items: for clusters of m
        items with an intra-class correlation r of the differences 1 + (m - 1) r, from data
        ``n * standard_error ** 2 / variance``.
    cluster_size : float, default=1
        Items a cluster; t has n / cluster_size - 1 degrees of freedom.
    reference : {'auto', 'normal', 't'}, default='auto'
        'auto' is 't': the noncentral t of `paired_mean_test`. 'normal' is the textbook's formula.
    alternative : {'two-sided', 'less', 'greater', 'equivalence'}, default='two-sided'
        'greater' claims that the first model scores higher.
    margin : float, default=0
        As in `paired_mean_test`: non-inferiority for 'greater' and 'less', and equivalence.
    alpha : float, default=0.05
        The level of significance.
    """
    per_item = difference_variance(variance, correlation)
    within = as_pair_of("sample_variance", sample_variance)
    counts = as_sample_counts(samples, 2, True)
    assert counts is not None
    per_item += sum(v / count for v, count in zip(within, counts, strict=True))
    per_item *= check_amount("design_effect", design_effect, 0.0)
    if not per_item > 0.0:
        raise InvalidValueError(
            "`variance`, `sample_variance` and `design_effect` must give a variance above 0: "
            "without any, one item tells all."
        )
    size = check_amount("cluster_size", cluster_size, 1.0)
    check_reference(reference)
    wide = check_margin(margin, math.inf)
    check_alternative(alternative, wide)
    shown = "normal" if reference == "normal" else "t"
    return MeanDesign(per_item, size, shown, alternative, wide, check_alpha(alpha))


def difference_variance(variance: Any, correlation: Any) -> float:
    """Return the variance of differences, from that itself or from those of both models."""
    if is_one(variance):
        if correlation is not None:
            raise InvalidValueError(
                "`correlation` needs the variances of both models: pass variance=(v_a, v_b)."
            )
        return check_amount("variance", variance, 0.0)
    one, other = as_pair_of("variance", variance)
    if correlation is None:
        raise InvalidValueError(
            "two variances need `correlation`, of the two models' scores over items; or pass the "
            "variance of the differences."
        )
    shared = as_real("correlation", correlation)
    if not -1.0 <= shared <= 1.0:
        raise InvalidValueError(f"`correlation` must be from -1 to 1, got {correlation!r}.")
    return max(0.0, one + other - 2.0 * shared * math.sqrt(one * other))


def as_pair_of(name: str, values: Any) -> tuple[float, float]:
    """Return two finite numbers of at least 0, from one for both or from two."""
    given = (values, values) if is_one(values) else tuple(values)
    if len(given) != 2:
        raise InvalidValueError(f"`{name}` must be one number or two, got {len(given)}.")
    one, other = (check_amount(name, value, 0.0) for value in given)
    return one, other


def check_mean_goal(power: object, alpha: float) -> float:
    """Return the power that is wanted, above the level."""
    return check_within("power", power, alpha)


def check_item_number(n: object, design: MeanDesign) -> float:
    """Return the number of items of a study, for which there is a test."""
    return check_amount("n", n, design.fewest)


def check_shown(gap: float, difference: float, alternative: str) -> None:
    """Raise unless items show the claim if they are many: the truth is inside of it by a gap."""
    if not gap > 0.0:
        raise InvalidValueError(
            f"no number of items gives this `power`: a `difference` of {difference:g} is not what "
            f"`alternative={alternative!r}` claims."
        )


def check_countable_items(n: float) -> float:
    """Return a number of items, or raise if nobody can have so many."""
    if n > MOST_ITEMS:
        raise InvalidValueError(
            "no number of items below 10^100 gives this `power`: expect a larger `difference`."
        )
    return n


def check_detectable(alternative: str, possible: bool) -> None:
    """Raise for claims that no difference makes easier to show."""
    if not possible:
        raise InvalidValueError(
            f"`alternative` must be 'two-sided', 'less' or 'greater', got {alternative!r}: the "
            "larger the difference, the less of an equivalence."
        )
