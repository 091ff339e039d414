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
    """Return two neighbouring points, after at most `most_halvings` of the range low to high.

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

    It lies between `now` and `other`. Each step goes where a line through two points, or a
    hyperbola through three, is 0; or half-way to `other` if that gains too little.
    """
    (before, f_before), (now, f_now) = low, high
    other = f_other = step = size = last = 0.0  # sizes of the step and of the one before
    for _ in range(MOST_STEPS):
        if (f_before < 0.0) != (f_now < 0.0):
            other, f_other, step = before, f_before, now - before
            last = size = abs(step)
        if 0.0 < -f_other < f_now or f_now < -f_other < 0.0:
            before, now, other = now, other, now
            f_before, f_now, f_other = f_now, f_other, f_now
        least, half = 0.5 * (xtol + rtol * abs(now)), 0.5 * (other - now)
        if f_now == 0.0 or -least < half < least:
            return now
        guess, halfway = math.inf, abs(half)
        if last > least and abs(f_now) < abs(f_before):
            rise, run = f_before - f_now, now - before
            if before != other:
                slope, steep = -rise / run, (f_other - f_now) / (other - now)
                rise, run = steep * slope * (f_other - f_before), f_before * slope - f_other * steep
            if rise != 0.0:  # unless it underflows
                guess = f_now * run / rise
        way = 2.0 * abs(guess)
        if way < last and way < 3.0 * halfway - least:
            last, size, step = size, 0.5 * way, guess
        else:
            last, size, step = halfway, halfway, half
        before, f_before = now, f_now
        now += step if size > least else math.copysign(least, half)
        f_now = float(function(now))
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
            least = PRECISION * np.maximum(np.abs(now), PRECISION) / np.abs(other - now)
            if np.all((least >= 0.5) | (f_now == 0.0) | np.isnan(f_now) | no_root):
                break
            points = (now, f_now), (other, f_other), (before, f_before)
            share = np.clip(parabolic_share(*points), least, 1.0 - least)
    nearest = np.where(np.abs(f_now) <= np.abs(f_other), now, other)
    return np.where(no_root, low, nearest)


def parabolic_share(now: Points, other: Points, before: Points) -> NDArray[np.float64]:
    """Return how far from `now` to `other` the next points are, as a share of the distance.

    To the root of the inverse parabola through all three where it is monotone, and else half way.
    """
    (x1, f1), (x2, f2), (x3, f3) = now, other, before
    position, level = (x1 - x2) / (x3 - x2), (f1 - f2) / (f3 - f2)
    monotone = (level**2 < position) & ((1.0 - level) ** 2 < 1.0 - position)
    by_third = (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2)
    return np.where(monotone, f1 / (f2 - f1) * f3 / (f2 - f3) + by_third, 0.5)
