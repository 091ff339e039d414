"""What somebody expects of a study: one AUC or two, and the correlation of the two models."""

import math
from collections.abc import Sequence, Sized
from typing import Any, NamedTuple

from .._base.exceptions import InvalidTypeError, InvalidValueError
from .options import check_within

CLASSES = ("positives", "negatives")


class Expected(NamedTuple):
    """One AUC, or two with the correlations of the scores in the positives and the negatives."""

    auc: tuple[float] | tuple[float, float]
    correlation: tuple[float, float] | None

    @property
    def given(self) -> float | tuple[float, float]:
        """The AUC or AUCs, as they are passed."""
        return self.auc if len(self.auc) == 2 else self.auc[0]

    @property
    def effect(self) -> float:
        """The AUC less 0.5, or the first AUC less the second."""
        return self.auc[0] - (self.auc[1] if len(self.auc) == 2 else 0.5)


def as_expected(auc: object, correlation: object) -> Expected:
    """Return the checked AUCs and correlations; two AUCs need a correlation, one must have none."""
    if is_one(auc):
        if correlation is not None:
            raise InvalidValueError("`correlation` needs two AUCs: pass auc=(auc_a, auc_b).")
        return Expected((check_within("auc", auc),), None)
    aucs = as_two("auc", auc, ("model a", "model b"), (0.0, 1.0))
    if correlation is None:
        raise InvalidValueError(
            "two AUCs need `correlation`, of the two models' scores within a class: one number, or "
            "(in the positives, in the negatives); 0 for independent samples."
        )
    if is_one(correlation):
        both = check_within("correlation", correlation, -1.0, 1.0)
        return Expected(aucs, (both, both))
    return Expected(aucs, as_two("correlation", correlation, CLASSES, (-1.0, 1.0)))


def is_one(value: object) -> bool:
    """Say whether the value is one thing, a number or not, rather than several."""
    return not isinstance(value, Sized) or getattr(value, "ndim", 1) == 0


def as_two(
    name: str, values: Any, whose: tuple[str, str], bounds: tuple[float, float]
) -> tuple[float, float]:
    """Return two numbers strictly within the bounds, or raise."""
    if isinstance(values, str | bytes | set | dict):
        raise InvalidTypeError(f"`{name}` must be a number or two numbers, got {values!r}.")
    if len(values) != 2:
        raise InvalidValueError(f"`{name}` must be one number or two, got {len(values)}.")
    one, two = (
        check_within(f"{name}[{i}]", value, *bounds, hint=f" It belongs to the {whose[i]}.")
        for i, value in enumerate(values)
    )
    return one, two


def check_goal(power: object, ratio: object, alpha: float) -> tuple[float, float]:
    """Return the power that is wanted, above the level, and the negatives per positive."""
    return check_within("power", power, alpha), check_within("ratio", ratio, 0.0, math.inf)


def check_claimable(name: str, effect: float, signs: Sequence[float], alternative: str) -> None:
    """Raise unless the effect has one of the signs that the alternative may claim."""
    if not any(sign * effect > 0.0 for sign in signs):
        raise InvalidValueError(
            f"no number of cases gives this `power`: `{name}` stands for an effect of "
            f"{effect:g}, which `alternative={alternative!r}` cannot claim."
        )


def check_difference(value: object) -> float:
    """Return a difference of AUCs, or raise."""
    return check_within("difference", value, -1.0, 1.0)


def check_pilot(known: bool) -> None:
    """Raise unless the pilot cases tell how the difference of AUCs varies."""
    if not known:
        raise InvalidValueError(
            "the pilot must have at least two cases of each class, and the two models must not "
            "rank them alike: else it does not tell how the difference of AUCs varies. Give AUCs "
            "and a correlation to `auc_power` or `auc_sample_size`."
        )


def check_student(student: bool, expected: Expected, method: str) -> None:
    """Raise unless degrees of freedom are known for t, if that is the test."""
    if student and (len(expected.auc) == 1 or method != "binormal"):
        raise InvalidValueError(
            "`reference='t'` is for two AUCs and method='binormal': one AUC is tested by Mann and "
            "Whitney's z, and other variances are not known by class. Choose 'normal'."
        )


def check_countable(m: float, n: float) -> None:
    """Raise unless floats can hold the numbers of cases."""
    if math.isinf(m) or math.isinf(n):
        raise InvalidValueError(
            "no number of cases that a float can hold gives this `power`: expect a larger effect, "
            "or a `ratio` nearer 1."
        )


def check_rating_variance(variance: float, covariance: float) -> None:
    """Raise unless Obuchowski's variance under the null hypothesis is above 0."""
    if variance <= covariance:
        raise InvalidValueError(
            "`method='obuchowski'` has no variance under the null hypothesis for these `auc` and "
            "`correlation`: use method='binormal'."
        )
