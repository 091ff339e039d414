"""Options of tests of mean scores per item, and of plans for more of them."""

import math
from numbers import Integral
from typing import NamedTuple

import numpy as np

from .._base.exceptions import InvalidTypeError, InvalidValueError
from .items import ItemLinks
from .options import as_choice, as_real, check_alpha, check_within

METHODS = ("auto", "t", "sign-flip", "bootstrap")
SPREADING = ("auto", "t")  # judge by a standard error, of any design


class Plan(NamedTuple):
    """How many items and samples are planned, for which difference, level and power."""

    n: int | None
    samples: tuple[float, ...] | None
    difference: float | None
    alpha: float
    power: float


def as_plan(
    n: object,
    samples: object,
    difference: object,
    alpha: object,
    power: object,
    *,
    models: int,
    known: bool,
) -> Plan:
    """Return the checked plan; `known` says whether samples told how much they vary."""
    level = check_alpha(alpha)
    return Plan(
        None if n is None else as_count("n", n, 2),
        as_sample_counts(samples, models, known),
        None if difference is None else as_finite("difference", difference),
        level,
        check_within("power", power, level),
    )


def as_count(name: str, value: object, least: int) -> int:
    """Return a whole number of at least `least`, or raise."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise InvalidTypeError(f"`{name}` must be an integer, got {value!r}.")
    if int(value) < least:
        raise InvalidValueError(f"`{name}` must be at least {least}, got {value}.")
    return int(value)


def as_finite(name: str, value: object) -> float:
    """Return a finite number, or raise."""
    number = as_real(name, value)
    if not math.isfinite(number):
        raise InvalidValueError(f"`{name}` must be finite, got {value!r}.")
    return number


def as_sample_counts(samples: object, models: int, known: bool) -> tuple[float, ...] | None:
    """Return how many samples an item each model is to have; infinitely many are legal."""
    if samples is None:
        return None
    if not known:
        raise InvalidValueError(
            "`samples` needs scores with several samples of some items of each model, which tell "
            "how much they vary: leave it out, or pass scores of shape (n, K)."
        )
    given = samples if isinstance(samples, tuple | list | np.ndarray) else (samples,) * models
    if len(given) != models:
        raise InvalidValueError(
            f"`samples` must be one number, or one for each of {models} models, got {len(given)}."
        )
    counts = tuple(as_real("samples", count) for count in given)
    if not all(count >= 1.0 for count in counts):
        raise InvalidValueError(f"`samples` must be at least 1, got {samples!r}.")
    return counts


def as_lags(lags: object) -> int | None:
    """Return how many lags of autocovariance count, or raise."""
    return None if lags is None else as_count("lags", lags, 0)


def as_mean_method(method: object, lags: object, strata: object) -> str:
    """Return the method; raise unless it heeds time order or strata, if these are given."""
    chosen: str = as_choice("method", method, METHODS)
    if lags is not None and chosen not in SPREADING:
        raise InvalidValueError(
            f"`method` must be 't' with `lags`, got {method!r}, which takes items as independent."
        )
    if strata is not None and chosen == "sign-flip":
        raise InvalidValueError(
            "`method` must be 't' or 'bootstrap' with `strata`: strata may differ in their means, "
            "so signs are not exchangeable."
        )
    return chosen


def check_links(links: ItemLinks, method: str, lags: int | None, n_dropped: int) -> None:
    """Raise for clusters of two kinds, weights or a time order that the method does not heed."""
    if links.others is not None and method not in SPREADING:
        raise InvalidValueError(
            f"`groups` must be 1-d with `method={method!r}`: clusters of two kinds are for 't'."
        )
    if links.others is not None and links.strata is not None:
        raise InvalidValueError(
            "`groups` must be 1-d with `strata`: no variance of clusters of two kinds in strata is "
            "known. Leave out one kind."
        )
    if lags is None:
        return
    if any(x is not None for x in (links.groups, links.weights, links.strata)):
        raise InvalidValueError(
            "`lags` takes items in time order that count alike: leave out `groups`, "
            "`sample_weight` and `strata`."
        )
    if n_dropped:
        raise InvalidValueError(
            "`lags` needs every item of the time order, got missing scores: fill them in."
        )
    if lags > links.n - 2 >= 0:
        raise InvalidValueError(
            f"`lags` must be at most n - 2 = {links.n - 2} for {links.n} items, got {lags}."
        )
