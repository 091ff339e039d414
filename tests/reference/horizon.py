"""AUC(t) and Brier(t) by their definitions: all pairs, in fractions, with exact gradients."""

from fractions import Fraction

from tests.reference.concordance import constant, psi, uncensored, weights_of


def after(time, event, weights, t):
    """Return G(t), the chance of being uncensored up to and including t."""
    later = min((x for x in time if x > t), default=t + 1)
    return uncensored(time, event, weights, (t + later) / 2)


def auc_at(time, event, score, t, weights=None):
    """Return AUC(t) with its gradient by the weights; None where a class is missing."""
    n = len(time)
    own = weights_of(n, weights)
    won, total = constant(n), constant(n)
    for i in range(n):
        if event[i] and time[i] <= t:
            weight = own[i].over(uncensored(time, event, own, time[i]))
            for j in range(n):
                if time[j] > t:
                    pair = weight.times(own[j])
                    won = won.plus(pair.scaled(psi(score[i], score[j])))
                    total = total.plus(pair)
    return won.over(total) if total.value else None


def brier_at(time, event, chance, t, weights=None):
    """Return Brier(t) with its gradient by the weights; `chance` is that of an event by t."""
    n = len(time)
    own = weights_of(n, weights)
    lost, total = constant(n), constant(n)
    for i in range(n):
        total = total.plus(own[i])
        r = Fraction(chance[i])
        if time[i] > t:
            lost = lost.plus(own[i].scaled(r * r).over(after(time, event, own, t)))
        elif event[i]:
            square = (1 - r) ** 2
            lost = lost.plus(own[i].scaled(square).over(uncensored(time, event, own, time[i])))
    return lost.over(total)


def errors(found, weights):
    """Return w_m dT/dw_m, whose squares add up to the variance of the infinitesimal jackknife."""
    return [Fraction(w) * x for w, x in zip(weights, found.gradient, strict=True)]
