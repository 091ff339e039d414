"""What is expected of a study of AUCs or items, and the options of tests of items."""

from __future__ import annotations

import math
from collections.abc import Sequence, Sized
from typing import Any, NamedTuple, TypedDict

import numpy as np

from ..._base.exceptions import InvalidValueError, invalid_type, invalid_value
from ..._base.types import Alternative
from ..items import ItemLinks
from ..options import (
    as_choice,
    as_count,
    as_real,
    check_alpha,
    check_alternative,
    check_amount,
    check_margin,
    check_reference,
    check_within,
)

CLASSES = ("positives", "negatives")


class Expected(NamedTuple):
    """One AUC, or two with the correlations of the scores in the positives and the negatives."""

    auc: tuple[float] | tuple[float, float]
    correlation: tuple[float, float] | None

    @property
    def auc_values(self) -> float | tuple[float, float]:
        """The AUC or AUCs, as they are passed."""
        return self.auc if len(self.auc) == 2 else self.auc[0]

    @property
    def effect(self) -> float:
        """The AUC less 0.5, or the first AUC less the second."""
        return self.auc[0] - (self.auc[1] if len(self.auc) == 2 else 0.5)


def as_expected(auc: object, correlation: object) -> Expected:
    """Return the checked AUCs and correlations; two AUCs need a correlation, one must have none."""
    if is_single(auc):
        if correlation is not None:
            raise invalid_value("correlation", "needs two AUCs", end=": pass auc=(auc_a, auc_b).")
        return Expected((check_within("auc", auc),), None)
    aucs = as_pair_within("auc", auc, ("model a", "model b"), (0.0, 1.0))
    if correlation is None:
        raise InvalidValueError(
            "two AUCs need `correlation`, of the two models' scores within a class: one number, or "
            "(in the positives, in the negatives); 0 for independent samples.",
            parameter="correlation",
        )
    if is_single(correlation):
        shared = check_within("correlation", correlation, -1.0, 1.0)
        return Expected(aucs, (shared, shared))
    return Expected(aucs, as_pair_within("correlation", correlation, CLASSES, (-1.0, 1.0)))


def is_single(value: object) -> bool:
    """Return whether a value is no sequence: one number, or anything else without a length."""
    return not isinstance(value, Sized) or getattr(value, "ndim", 1) == 0


def as_pair_within(
    name: str, values: Any, whose: tuple[str, str], bounds: tuple[float, float]
) -> tuple[float, float]:
    """Return two numbers strictly within the bounds, or raise; `whose` says what each is of."""
    if isinstance(values, str | bytes | set | dict) or getattr(values, "ndim", 1) != 1:
        raise invalid_type(name, "must be a number or two numbers", values)
    if len(values) != 2:
        raise invalid_value(name, "must be one number or two", len(values))
    low, high = bounds
    first, second = (
        check_within(f"{name}[{i}]", value, low, high, hint=f" It belongs to the {whose[i]}.")
        for i, value in enumerate(values)
    )
    return first, second


def check_goal(power: object, ratio: object, alpha: float) -> tuple[float, float]:
    """Return the wanted power, which must be above the level alpha, and the negatives per positive.

    Raise for a power or ratio out of range.
    """
    return check_within("power", power, alpha), check_within("ratio", ratio, 0.0, math.inf)


def check_claimable(name: str, effect: float, signs: Sequence[float], alternative: str) -> None:
    """Raise unless the effect has one of the signs that the alternative may claim."""
    if not any(sign * effect > 0.0 for sign in signs):
        raise InvalidValueError(
            f"no number of cases gives this `power`: `{name}` implies an effect of {effect:g}, "
            f"which contradicts `alternative={alternative!r}`.",
            parameter="power",
        )


def check_pilot(is_estimable: bool) -> None:
    """Raise unless the pilot cases determine the variance of the difference of AUCs."""
    if not is_estimable:
        raise InvalidValueError(
            "the pilot must have at least two cases of each class, and the two models must not "
            "rank them identically: otherwise the variance of the difference in AUC cannot be "
            "estimated. Use `auc_power` or `auc_sample_size` with expected AUCs and a correlation.",
            parameter="pilot",
        )


def check_student(student: bool, expected: Expected, method: str) -> None:
    """Raise where t is the test and its degrees of freedom are not known."""
    if student and (len(expected.auc) == 1 or method != "binormal"):
        raise invalid_value(
            "reference='t'",
            "is for two AUCs and method='binormal'",
            end=": one AUC is tested by Mann and Whitney's z, and other methods have no "
            "variances by class. Choose 'normal'.",
        )


def check_countable(m: float, n: float) -> None:
    """Raise unless floats can hold the numbers of cases."""
    if math.isinf(m) or math.isinf(n):
        raise InvalidValueError(
            "no realistic number of cases gives this `power`: assume a larger effect, or a `ratio` "
            "closer to 1.",
            parameter="power",
        )


def check_rating_variance(variance: float, covariance: float) -> None:
    """Raise unless Obuchowski's variance under the null hypothesis is above 0."""
    if variance <= covariance:
        raise invalid_value(
            "method='obuchowski'",
            "has no variance under the null hypothesis for these `auc` and `correlation`",
            end=": use method='binormal'.",
        )


NULL_METHODS = ("auto", "score", "exact", "asymptotic")


def check_null(null: object, method: str) -> float:
    """Return the AUC to test against, or raise: only the score test allows another than 0.5."""
    value = check_within("null", null)
    if method != "score" and value != 0.5:
        raise invalid_value(
            f"method={method!r}", "tests against `null=0.5` only", null, ": choose 'score'."
        )
    return value


def check_work(additions: float, most: float) -> None:
    """Raise if counting all choices of the positives takes too many additions."""
    if additions > most:
        raise invalid_value(
            "method='exact'",
            f"would take {additions:.1e} additions for so many cases, more than {most:.0e}",
            end=": choose 'asymptotic', which is accurate for so many cases.",
        )


METHODS = ("auto", "t", "sign-flip", "bootstrap")
METHODS_BY_STANDARD_ERROR = ("auto", "t")  # which exists for every design


def as_sample_counts(samples: object, models: int, has_samples: bool) -> tuple[float, ...] | None:
    """Return how many samples an item each model is to have, None if unspecified; or raise.

    One number is for all models. Infinitely many are legal: without the variance of samples.
    """
    if samples is None:
        return None
    if not has_samples:
        raise invalid_value(
            "samples",
            "needs scores with several samples of some items of each model, to estimate their "
            "variance",
            end=": omit it, or pass scores of shape (n, K).",
        )
    values = samples if isinstance(samples, tuple | list | np.ndarray) else (samples,) * models
    if len(values) != models:
        raise invalid_value(
            "samples", f"must be one number, or one for each of {models} models", len(values)
        )
    counts = tuple(as_real("samples", count) for count in values)
    if not all(count >= 1.0 for count in counts):
        raise invalid_value("samples", "must be at least 1", samples)
    return counts


def as_lags(lags: object) -> int | None:
    """Return how many lags of autocovariance count, or raise."""
    return None if lags is None else as_count("lags", lags, 0)


def as_mean_method(method: object, lags: object, strata: object) -> str:
    """Return the method; raise unless it supports time order or strata, if these are specified."""
    chosen: str = as_choice("method", method, METHODS)
    if lags is not None and chosen not in METHODS_BY_STANDARD_ERROR:
        raise invalid_value(
            "method", "must be 't' with `lags`", method, ", which assumes independent items."
        )
    if strata is not None and chosen == "sign-flip":
        raise invalid_value(
            "method",
            "must be 't' or 'bootstrap' with `strata`",
            end=": strata may differ in their means, so signs are not exchangeable.",
        )
    return chosen


def check_links(links: ItemLinks, method: str, lags: int | None, n_dropped: int) -> None:
    """Raise for clusters of two kinds, weights or a time order that the method does not support."""
    if links.others is not None and method not in METHODS_BY_STANDARD_ERROR:
        raise invalid_value(
            "groups", f"must be 1-d with `method={method!r}`", end=": two-way clusters require 't'."
        )
    if links.others is not None and links.strata is not None:
        raise invalid_value(
            "groups",
            "must be 1-d with `strata`",
            end=": the variance of two-way clusters within strata is not implemented. Use one "
            "kind of clusters.",
        )
    if lags is not None:
        check_time_order(links, lags, n_dropped)


def check_time_order(links: ItemLinks, lags: int, n_dropped: int) -> None:
    """Raise unless all items count equally, none is missing, and there are more than lags."""
    if any(x is not None for x in (links.groups, links.weights, links.strata)):
        raise invalid_value(
            "lags",
            "requires items in time order with equal weights",
            end=": omit `groups`, `sample_weight` and `strata`.",
        )
    if n_dropped:
        raise invalid_value(
            "lags",
            "requires a score for every time point",
            end=", got missing scores: fill them in.",
        )
    if lags > links.n - 2 >= 0:
        raise invalid_value(
            "lags",
            f"must be at most n - 2 = {links.n - 2} for {links.n} items",
            lags,
            show=", got {}",
        )


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
    """The variance of an item's difference, the items per degree of freedom (a cluster), the test.

    The test has a `reference` distribution, 't' or 'normal', and a claim.
    """

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
        """The alternative, the margin and the level of the test."""
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
        The variance over items of the difference between the two models' expected scores. Or the
        variances of the two models' expected scores, with `correlation`.
    correlation : float, optional
        Correlation of the two models' expected scores over items, from -1 to 1, if `variance` is
        two numbers: the variance of the differences is then ``v_a + v_b - 2 * correlation *
        sqrt(v_a * v_b)``.
    sample_variance : float or (float, float), default=0
        The mean over items of the variance of a model's repeated answers to the same item: 0.25 for
        0/1 scores with p = 0.5, for example. One number is for both models. 0 if `variance` is that
        of observed differences, which includes it.
    samples : int or (int, int), default=1
        Number of answers of each model to an item; the item's score is their mean.
    design_effect : float, default=1
        Variance of the mean relative to that for independent items: 1 + (m - 1) r for clusters of m
        items whose differences have an intraclass correlation r; estimated from data by ``n *
        standard_error ** 2 / variance``.
    cluster_size : float, default=1
        Items per cluster; t has n / cluster_size - 1 degrees of freedom.
    reference : {'auto', 'normal', 't'}, default='auto'
        'auto' is 't': the noncentral t of `paired_mean_test`. 'normal' is the textbook's formula.
    alternative : {'two-sided', 'less', 'greater', 'equivalence'}, default='two-sided'
        'greater': the first model scores higher.
    margin : float, default=0
        As in `paired_mean_test`: non-inferiority for 'greater' and 'less', and equivalence.
    alpha : float, default=0.05
        The significance level.
    """
    item_variance = difference_variance(variance, correlation)
    within_items = as_pair_of_amounts("sample_variance", sample_variance)
    counts = as_sample_counts(samples, models=2, has_samples=True)
    assert counts is not None
    item_variance += sum(v / count for v, count in zip(within_items, counts, strict=True))
    item_variance *= check_amount("design_effect", design_effect, 0.0)
    if not item_variance > 0.0:
        raise InvalidValueError(
            "`variance`, `sample_variance` and `design_effect` must give a variance above 0.",
            parameter="variance",
        )
    size = check_amount("cluster_size", cluster_size, 1.0)
    check_reference(reference)
    half_width = check_margin(margin, math.inf)
    check_alternative(alternative, half_width)
    distribution = "normal" if reference == "normal" else "t"
    return MeanDesign(
        item_variance, size, distribution, alternative, half_width, check_alpha(alpha)
    )


def difference_variance(variance: Any, correlation: Any) -> float:
    """Return the variance of differences, from itself, or from two variances and a correlation."""
    if is_single(variance):
        if correlation is not None:
            raise invalid_value(
                "correlation",
                "needs the variances of both models",
                end=": pass variance=(v_a, v_b).",
            )
        return check_amount("variance", variance, 0.0)
    variance_a, variance_b = as_pair_of_amounts("variance", variance)
    if correlation is None:
        raise InvalidValueError(
            "two variances need `correlation`, of the two models' scores over items; or pass the "
            "variance of the differences.",
            parameter="correlation",
        )
    rho = as_real("correlation", correlation)
    if not -1.0 <= rho <= 1.0:
        raise invalid_value("correlation", "must be from -1 to 1", correlation)
    return max(0.0, variance_a + variance_b - 2.0 * rho * math.sqrt(variance_a * variance_b))


def as_pair_of_amounts(name: str, values: Any) -> tuple[float, float]:
    """Return two finite numbers of at least 0, from two or from one that serves twice."""
    pair = (values, values) if is_single(values) else tuple(values)
    if len(pair) != 2:
        raise invalid_value(name, "must be one number or two", len(pair))
    first, second = (check_amount(name, value, 0.0) for value in pair)
    return first, second


def check_claim_holds(gap: float, difference: float, alternative: str) -> None:
    """Raise unless the true difference is within the claim, `gap` above 0 from its limit."""
    if not gap > 0.0:
        raise InvalidValueError(
            f"no number of items gives this `power`: a `difference` of {difference:g} contradicts "
            f"`alternative={alternative!r}`.",
            parameter="power",
        )


def check_countable_items(n: float) -> float:
    """Return a number of items, or raise if it is impossibly large."""
    if n > MOST_ITEMS:
        raise InvalidValueError(
            "no number of items below 10^100 gives this `power`: assume a larger `difference`.",
            parameter="power",
        )
    return n


def check_detectable(alternative: str, least: float) -> None:
    """Raise if there is no `least` detectable difference (NaN), as of equivalence."""
    if math.isnan(least):
        raise invalid_value(
            "alternative",
            "must be 'two-sided', 'less' or 'greater'",
            alternative,
            ": a larger difference is less equivalent.",
        )
