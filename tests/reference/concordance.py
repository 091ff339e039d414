"""Concordance by its definition: all pairs, in fractions, with exact gradients by dual numbers.

A functional T(w) of case weights w is evaluated with dT/dw_m for all m: no sorting, and no closed
form of an influence function. Quadratic, or cubic with Uno's weights.
"""

from fractions import Fraction
from typing import NamedTuple


class Dual(NamedTuple):
    """A number and its gradient by the weights of the cases."""

    value: Fraction
    gradient: tuple[Fraction, ...]

    def plus(self, other, sign=1):
        """Return the sum, or the difference."""
        both = zip(self.gradient, other.gradient, strict=True)
        return Dual(self.value + sign * other.value, tuple(x + sign * y for x, y in both))

    def times(self, other):
        """Return the product."""
        both = zip(self.gradient, other.gradient, strict=True)
        gradient = tuple(self.value * y + other.value * x for x, y in both)
        return Dual(self.value * other.value, gradient)

    def over(self, other):
        """Return the quotient."""
        value = self.value / other.value
        both = zip(self.gradient, other.gradient, strict=True)
        return Dual(value, tuple((x - value * y) / other.value for x, y in both))

    def scaled(self, factor):
        """Return the number times a constant."""
        return Dual(self.value * factor, tuple(factor * x for x in self.gradient))


def constant(n, value=0):
    """Return a number that does not depend on the weights."""
    return Dual(Fraction(value), (Fraction(0),) * n)


def weights_of(n, weights=None):
    """Return the weights of cases as numbers that depend on themselves."""
    given = [1] * n if weights is None else weights
    unit = [tuple(Fraction(int(i == j)) for j in range(n)) for i in range(n)]
    return [Dual(Fraction(w), row) for w, row in zip(given, unit, strict=True)]


def comes_before(time, event, i, j):
    """Return whether the event of i is known to come before that of j."""
    if i == j or not event[i]:
        return False
    return time[i] < time[j] or (time[i] == time[j] and not event[j])


def psi(a, b):
    """Return what a score wins against another."""
    return Fraction(int(a > b)) + Fraction(int(a == b), 2)


def counts(time, event, score):
    """Return the doubled wins and the pairs of each case, and the number of pairs."""
    n = len(time)
    wins, pairs = [0] * n, [0] * n
    for i in range(n):
        for j in range(n):
            if comes_before(time, event, i, j):
                for case in (i, j):
                    pairs[case] += 1
                    wins[case] += int(2 * psi(score[i], score[j]))
    return wins, pairs, sum(pairs) // 2


def uncensored(time, event, weights, t, members=None):
    """Return G(t-), the Kaplan-Meier estimate of being uncensored before t; events leave first.

    `members` are the cases of a stratum, all by default.
    """
    n = len(time)
    members = range(n) if members is None else members
    chance = constant(n, 1)
    for u in sorted({time[i] for i in members if not event[i] and time[i] < t}):
        gone, left = constant(n), constant(n)
        for i in members:
            if time[i] == u and not event[i]:
                gone = gone.plus(weights[i])
            if time[i] > u or (time[i] == u and not event[i]):
                left = left.plus(weights[i])
        chance = chance.times(constant(n, 1).plus(gone.over(left), -1))
    return chance


def concordance(time, event, score, *, uno=False, tau=None, weights=None, strata=None):
    """Return C and its gradient; None where no pair has a known order."""
    n = len(time)
    own = weights_of(n, weights)
    strata = [0] * n if strata is None else strata
    members = {s: [i for i in range(n) if strata[i] == s] for s in strata}
    won, total = constant(n), constant(n)
    for i in range(n):
        if not event[i] or (tau is not None and not time[i] < tau):
            continue
        weight = own[i]
        if uno:
            chance = uncensored(time, event, own, time[i], members[strata[i]])
            weight = weight.over(chance.times(chance))
        for j in members[strata[i]]:
            if comes_before(time, event, i, j):
                pair = weight.times(own[j])
                won = won.plus(pair.scaled(psi(score[i], score[j])))
                total = total.plus(pair)
    return won.over(total) if total.value else None


def errors(time, event, score, **options):
    """Return w_m dC/dw_m, whose squares add to the variance of the infinitesimal jackknife."""
    n = len(time)
    weights = options.get("weights") or [1] * n
    found = concordance(time, event, score, **options)
    return [Fraction(w) * x for w, x in zip(weights, found.gradient, strict=True)]
