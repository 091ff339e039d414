"""Slow obvious definitions of tests of scores by round, in fractions until the last root."""

from fractions import Fraction
from math import copysign, inf, sqrt


def differences(a, b):
    """Return a - b in fractions of the decimals that people wrote."""
    return [Fraction(str(x)) - Fraction(str(y)) for x, y in zip(a, b, strict=True)]


def variance(values):
    """Return the mean and the variance with divisor n - 1."""
    mean = sum(values) / len(values)
    return mean, sum((v - mean) ** 2 for v in values) / (len(values) - 1)


def root(square, sign):
    """Return the root of a fraction, with the sign of `sign`."""
    return copysign(sqrt(square), sign) if sign else 0.0


def corrected_t(d, ratio):
    """Return Nadeau and Bengio's t; a ratio of 0 gives Student's."""
    mean, s2 = variance(d)
    squared = s2 * (Fraction(1, len(d)) + ratio)
    if squared == 0:
        return copysign(inf, mean) if mean else 0.0
    return root(mean**2 / squared, mean)


def t_5x2cv(d):
    """Return Dietterich's t of five pairs of differences."""
    s2 = sum(variance(pair)[1] for pair in d) / 5
    return root(d[0][0] ** 2 / s2, d[0][0])


def f_5x2cv(d):
    """Return Alpaydin's F of five pairs of differences."""
    return float(sum(x**2 for pair in d for x in pair) / (2 * sum(variance(p)[1] for p in d)))


def program_t(d, ratio):
    """Return the t of a program that skips missing rounds in its sums but divides by all rounds.

    `d` has None for a missing round.
    """
    n, known = len(d), [x for x in d if x is not None]
    mean = sum(known) / n
    s2 = sum((x - mean) ** 2 for x in known) / (n - 1)
    return root(mean**2 / (s2 * (Fraction(1, n) + ratio)), mean)
