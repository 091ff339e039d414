"""Roots of functions of one number, without SciPy's optimization.

That package imports its linear algebra, sparse arrays and transforms, for longer than a test of
AUCs takes. The steps of `find_root` are those of `scipy.optimize.brentq`, whose bits come out.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

PointAndValue = tuple[float, float]  # x and the value of the function at x
Points = tuple[NDArray[np.float64], NDArray[np.float64]]
MOST_STEPS = 100
PRECISION = 2.0**-52  # of roots, relative to them
MOST_HALVINGS = 200  # 60 suffice where the root is as large as the ends


def bisect(
    is_below: Callable[[float], bool], low: float, high: float, most_halvings: int = MOST_HALVINGS
) -> tuple[float, float]:
    """Return the range (low, high) after so many halvings, at most until no number lies between.

    `is_below` is true at the lower of both and false at the upper one, unless that is `high`.
    """
    for _ in range(most_halvings):
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return low, high


def find_root(
    function: Callable[[float], float], low: float, high: float, *, xtol: float, rtol: float
) -> float:
    """Return x with function(x) = 0 between `low` and `high`, at which its signs must differ."""
    f_low, f_high = float(function(low)), float(function(high))
    if f_low == 0.0 or f_high == 0.0:
        return low if f_low == 0.0 else high
    if (f_low < 0.0) == (f_high < 0.0):
        raise ValueError("the signs at both ends are the same")
    return brent_root(function, (low, f_low), (high, f_high), xtol, rtol)


def brent_root(
    function: Callable[[float], float],
    low: PointAndValue,
    high: PointAndValue,
    xtol: float,
    rtol: float,
) -> float:
    """Return the root by Brent (1973), Algorithms for minimization without derivatives, chapter 4.

    It lies between `current` and `other`. Each step goes where a line through two points, or a
    hyperbola through three, is 0; or half-way to `other` if that gains too little.
    """
    (previous, f_previous), (current, f_current) = low, high
    other = f_other = step = size_before = 0.0  # `size_before`: of the step before
    for _ in range(MOST_STEPS):
        if (f_previous < 0.0) != (f_current < 0.0):
            other, f_other = previous, f_previous
            step = current - previous
            size_before = abs(step)
        # `current` becomes the end at which the function is nearer to 0.
        if 0.0 < -f_other < f_current or f_current < -f_other < 0.0:
            previous, current, other = current, other, current
            f_previous, f_current, f_other = f_current, f_other, f_current
        tolerance = 0.5 * (xtol + rtol * abs(current))
        half = 0.5 * (other - current)
        if f_current == 0.0 or -tolerance < half < tolerance:
            return current
        interpolated = math.inf
        if size_before > tolerance and abs(f_current) < abs(f_previous):
            # here, since a call for each step would take as long: the line through two points ...
            rise, run = f_previous - f_current, current - previous
            if previous != other:  # ... or the hyperbola through three
                slope, slope_other = -rise / run, (f_other - f_current) / (other - current)
                run = f_previous * slope - f_other * slope_other
                rise = slope_other * slope * (f_other - f_previous)
            interpolated = f_current * run / rise if rise else math.inf  # where it underflows
        twice = 2.0 * abs(interpolated)
        is_short = twice < size_before and twice < 3.0 * abs(half) - tolerance
        size_before = abs(step) if is_short else abs(half)
        step = interpolated if is_short else half
        previous, f_previous = current, f_current
        current += step if abs(step) > tolerance else math.copysign(tolerance, half)
        f_current = float(function(current))
    raise RuntimeError(f"no root is found in {MOST_STEPS} steps")


def find_roots(function: Callable[[Any], Any], low: Any, high: Any) -> NDArray[np.float64]:
    """Return where the elements of an array function cross 0; `low` where the signs are equal.

    The steps are those of Chandrupatla (1997), doi:10.1016/S0965-9978(96)00051-8.
    """
    low, now = np.asarray(low, np.float64), np.asarray(high, np.float64)
    other, f_now, f_other = low, function(now), function(low)
    no_root = (f_now < 0.0) == (f_other < 0.0)
    share: Any = 0.5
    with np.errstate(all="ignore"):
        for _ in range(MOST_STEPS):
            new = now + share * (other - now)
            f_new = function(new)
            same_side = (f_new < 0.0) == (f_now < 0.0)
            before, f_before = np.where(same_side, (now, f_now), (other, f_other))
            other, f_other = np.where(same_side, (other, f_other), (now, f_now))
            now, f_now = new, f_new
            smallest_share = PRECISION * np.maximum(np.abs(now), PRECISION) / np.abs(other - now)
            if np.all((smallest_share >= 0.5) | (f_now == 0.0) | np.isnan(f_now) | no_root):
                break
            points = (now, f_now), (other, f_other), (before, f_before)
            share = np.clip(parabolic_share(*points), smallest_share, 1.0 - smallest_share)
    nearest = np.where(np.abs(f_now) <= np.abs(f_other), now, other)
    return np.where(no_root, low, nearest)


def parabolic_share(now: Points, other: Points, before: Points) -> NDArray[np.float64]:
    """Return how far from `now` to `other` the next points are, as a share of the distance.

    To the root of the inverse parabola through all three where it is monotone, and else half way;
    xi and phi are Chandrupatla's.
    """
    (x1, f1), (x2, f2), (x3, f3) = now, other, before
    xi, phi = (x1 - x2) / (x3 - x2), (f1 - f2) / (f3 - f2)
    monotone = (phi**2 < xi) & ((1.0 - phi) ** 2 < 1.0 - xi)
    by_third = (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2)
    return np.where(monotone, f1 / (f2 - f1) * f3 / (f2 - f3) + by_third, 0.5)
