"""Roots of functions of one number, without SciPy's optimization.

That package imports its linear algebra, sparse arrays and transforms, for longer than a test of
AUCs takes. The steps of `find_root` are those of `scipy.optimize.brentq`, whose bits come out.
"""

import math
from collections.abc import Callable

MOST_STEPS = 100
MOST_HALVINGS = 200  # 60 do where the root is as large as the ends


def bisected(
    is_below: Callable[[float], bool], low: float, high: float, steps: int = MOST_HALVINGS
) -> tuple[float, float]:
    """Return two points, as near as so many steps make them, between which a condition ends.

    It holds at the lower one.
    """
    for _ in range(steps):
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return low, high


def find_root(
    function: Callable[[float], float], low: float, high: float, *, xtol: float, rtol: float
) -> float:
    """Return where a function crosses 0 between two points at which its signs differ.

    By Brent (1973), Algorithms for minimization without derivatives, chapter 4.
    """
    before, now, f_before, f_now = low, high, float(function(low)), float(function(high))
    if f_before == 0.0 or f_now == 0.0:
        return low if f_before == 0.0 else high
    if (f_before < 0.0) == (f_now < 0.0):
        raise ValueError("the signs at both ends are the same")
    other = f_other = last = step = 0.0  # the root lies between `now` and `other`
    for _ in range(MOST_STEPS):
        if f_before != 0.0 and (f_before < 0.0) != (f_now < 0.0):
            other, f_other = before, f_before
            last = step = now - before
        if abs(f_other) < abs(f_now):
            before, now, other = now, other, now
            f_before, f_now, f_other = f_now, f_other, f_now
        least, half = 0.5 * (xtol + rtol * abs(now)), 0.5 * (other - now)
        if f_now == 0.0 or abs(half) < least:
            return now
        guess = math.inf
        if abs(last) > least and abs(f_now) < abs(f_before):
            guess = interpolate(before, now, other, f_before, f_now, f_other)
        if 2.0 * abs(guess) < min(abs(last), 3.0 * abs(half) - least):
            last, step = step, guess
        else:
            last = step = half
        before, f_before = now, f_now
        now += step if abs(step) > least else math.copysign(least, half)
        f_now = float(function(now))
    raise RuntimeError(f"no root is found in {MOST_STEPS} steps")


def interpolate(
    before: float, now: float, other: float, f_before: float, f_now: float, f_other: float
) -> float:
    """Return the step to the root by a line, or by a hyperbola if the points are three."""
    if before == other:
        return -f_now * (now - before) / (f_now - f_before)
    slope, other_slope = (f_before - f_now) / (before - now), (f_other - f_now) / (other - now)
    divisor = other_slope * slope * (f_other - f_before)
    if divisor == 0.0:  # it underflows
        return math.inf
    return -f_now * (f_other * other_slope - f_before * slope) / divisor
