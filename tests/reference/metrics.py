"""Metrics of labels and their permutation tests by definition, written to be obvious."""

import itertools
import math
from fractions import Fraction

import numpy as np


def labelled(n, classes, seed=0):
    """Labels and the predictions of a better and of a worse model."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    a, b = (np.where(rng.random(n) < p, y, rng.integers(0, classes, n)) for p in (0.7, 0.5))
    return y, a, b


def share(top, bottom):
    """top / bottom, None for 0 / 0."""
    return Fraction(top, bottom) if bottom else None


def accuracy(y, p):
    """The share of cases that are right."""
    return share(sum(t == q for t, q in zip(y, p, strict=True)), len(y))


def of_class(metric, y, p, label):
    """Precision, recall or F1 of a class."""
    hits = sum(t == q == label for t, q in zip(y, p, strict=True))
    cases, predicted = list(y).count(label), list(p).count(label)
    return {
        "precision": share(hits, predicted),
        "recall": share(hits, cases),
        "f1": share(2 * hits, cases + predicted),
    }[metric]


def averaged(metric, y, p, average):
    """The mean over the classes that occur, each alike or by its cases; 0 / 0 counts as 0."""
    classes = sorted(set(y) | set(p))
    weights = {c: list(y).count(c) if average == "weighted" else 1 for c in classes}
    total = sum(weights[c] * (of_class(metric, y, p, c) or 0) for c in classes)
    return Fraction(total) / sum(weights.values())


def balanced_accuracy(y, p):
    """The mean recall of the classes that occur in the truth."""
    found = [of_class("recall", y, p, c) for c in sorted(set(y))]
    return sum(found) / len(found)


def mcc(y, p):
    """The correlation of indicators of the classes (Gorodkin 2004), None for 0 / 0."""
    classes = sorted(set(y) | set(p))
    rows = [[[int(x == c) for c in classes] for x in labels] for labels in (y, p)]

    def covariance(u, v):
        columns = zip(zip(*u, strict=True), zip(*v, strict=True), strict=True)
        return sum(
            sum(i * j for i, j in zip(one, other, strict=True)) * len(u) - sum(one) * sum(other)
            for one, other in columns
        )

    product = covariance(rows[0], rows[0]) * covariance(rows[1], rows[1])
    return covariance(*rows) / math.sqrt(product) if product else None


def cohen_kappa(y, p):
    """Cohen's kappa with the truth, None for 0 / 0."""
    n, classes = len(y), set(y) | set(p)
    agreed = Fraction(sum(t == x for t, x in zip(y, p, strict=True)), n)
    chance = sum(Fraction(list(y).count(c) * list(p).count(c), n * n) for c in classes)
    return None if chance == 1 else float((agreed - chance) / (1 - chance))


def value(metric, average, y, p, label=1):
    """A metric by name."""
    if metric in ("precision", "recall", "f1"):
        if average == "binary":
            return of_class(metric, y, p, label)
        return averaged(metric, y, p, average)
    functions = (accuracy, balanced_accuracy, mcc, cohen_kappa)
    return {f.__name__.replace("_", "-"): f for f in functions}[metric](y, p)


def permutation_pvalue(metric, average, y, a, b, alternative):
    """The share of all 2^d exchanges whose difference is as extreme, or not defined."""

    def gain(a, b):
        found = [value(metric, average, y, p) for p in (a, b)]
        return None if None in found else float(found[0] - found[1])

    def start(x):
        return {"two-sided": abs(x), "greater": x, "less": -x}[alternative]

    observed = start(gain(a, b))
    discordant = [i for i in range(len(y)) if a[i] != b[i]]
    extreme = 0
    for chosen in itertools.product((False, True), repeat=len(discordant)):
        u, v = list(a), list(b)
        for i, exchanged in zip(discordant, chosen, strict=True):
            if exchanged:
                u[i], v[i] = b[i], a[i]
        x = gain(u, v)
        extreme += x is None or start(x) >= observed - 1e-12
    return Fraction(extreme, 2 ** len(discordant))
