"""Rates that pick a part of a ROC curve: one, a range, or a grid."""

from numbers import Integral
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import InvalidTypeError, InvalidValueError
from .._base.memory import reserve
from .arrays import as_float_array
from .options import as_real

Rates = tuple[float, float]  # from the lowest to the highest
DEFAULT_RANGE = (0.0, 0.1)
NARROWEST = 1e-9  # 1 - rate, which the mirrored curve takes, keeps seven digits of it


class RateRange(NamedTuple):
    """A range of one of the two rates, 'FPR' or 'TPR'."""

    rate: str
    low: float
    high: float


def check_rate(name: str, value: object) -> float:
    """Return a rate from 0 to 1, both included, or raise."""
    rate = as_real(name, value)
    if not 0.0 <= rate <= 1.0:
        hint = f" Did you mean {rate / 100:g}?" if 1.0 < rate <= 100.0 else ""
        raise InvalidValueError(f"`{name}` must be from 0 to 1, got {value!r}.{hint}")
    return rate


def as_rate_range(fpr: object, tpr: object) -> RateRange:
    """Return the range that is meant: `tpr` if it is given, which no `fpr` must join."""
    if tpr is None:
        return RateRange("FPR", *as_range("fpr", fpr))
    if fpr is not DEFAULT_RANGE:  # not `!=`: whoever passes the same range means it
        raise InvalidValueError("`fpr` and `tpr` cannot both be given: choose one range.")
    return RateRange("TPR", *as_range("tpr", tpr))


def as_range(name: str, values: object) -> tuple[float, float]:
    """Return both ends of a range of rates, or raise."""
    if not isinstance(values, tuple | list | np.ndarray) or np.ndim(values) == 0:
        raise InvalidTypeError(f"`{name}` must be two numbers, as in (0, 0.1), got {values!r}.")
    if len(values) != 2:
        raise InvalidValueError(f"`{name}` must be two numbers, as in (0, 0.1), got {len(values)}.")
    low, high = (check_rate(f"{name}[{i}]", value) for i, value in enumerate(values))
    if not low < high:
        raise InvalidValueError(
            f"`{name}` must go from a lower to a higher rate, got ({low:g}, {high:g}). "
            "A range of specificities from 1 down to 0.9 is fpr=(0, 0.1)."
        )
    if high - low < NARROWEST:
        raise InvalidValueError(
            f"`{name}` must be at least {NARROWEST:g} wide, got ({low:g}, {high:g}). For a single "
            "rate there are sensitivity_at_specificity and specificity_at_sensitivity."
        )
    return low, high


def as_rates(name: str, values: object) -> NDArray[np.float64]:
    """Return ascending rates; a whole number stands for so many equidistant ones from 0 to 1."""
    if isinstance(values, Integral) and not isinstance(values, bool):
        if values < 2:
            raise InvalidValueError(f"`{name}` must be at least 2 points, got {values}.")
        reserve((int(values),), hint="ask for fewer points")
        return np.linspace(0.0, 1.0, int(values))
    rates = as_float_array(name, values)
    if rates.ndim != 1 or rates.size == 0:
        raise InvalidValueError(
            f"`{name}` must be a number of points or a 1-d array of rates, got shape {rates.shape}."
        )
    wrong = np.flatnonzero(~((rates >= 0.0) & (rates <= 1.0)))
    if wrong.size:
        raise InvalidValueError(
            f"`{name}` must be from 0 to 1, got {rates[wrong[0]]:g} at index {wrong[0]}."
        )
    falls = np.flatnonzero(np.diff(rates) <= 0.0)
    if falls.size:
        raise InvalidValueError(
            f"`{name}` must ascend, but does not at index {falls[0] + 1}. Pass numpy.unique of it."
        )
    return rates
