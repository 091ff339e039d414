"""AUCs within groups by all pairs of cases, in fractions: the definitions, without any sorting."""

from fractions import Fraction

WEIGHTS = {
    "pairs": lambda m, n: Fraction(m * n),
    "cases": lambda m, n: Fraction(m + n),
    "equal": lambda m, n: Fraction(1),
}


def psi(x, y):
    """1 where a positive's score is above a negative's, 1/2 where they tie."""
    return Fraction((x > y) + (x >= y), 2)


def groups_of(y, scores, groups):
    """The positives and negatives of each group with both classes, in the order of the labels."""
    found = []
    for label in sorted(set(groups)):
        rows = [i for i, group in enumerate(groups) if group == label]
        sides = [[scores[i] for i in rows if y[i] == kind] for kind in (1, 0)]
        if all(sides):
            found.append(sides)
    return found


def auc(positive, negative):
    return sum(psi(x, y) for x in positive for y in negative) / (len(positive) * len(negative))


def components(positive, negative):
    v10 = [sum(psi(x, y) for y in negative) / len(negative) for x in positive]
    v01 = [sum(psi(x, y) for x in positive) / len(positive) for y in negative]
    return v10, v01


def variance(values):
    mean = Fraction(sum(values), len(values))
    return sum((value - mean) ** 2 for value in values) / (len(values) - 1)


def mean_auc(y, scores, groups, kind):
    """The weighted mean of the groups' AUCs."""
    found = groups_of(y, scores, groups)
    weights = [WEIGHTS[kind](len(p), len(n)) for p, n in found]
    return sum(w * auc(*own) for w, own in zip(weights, found, strict=True)) / sum(weights)


def random_variance(y, a, b, groups, kind):
    """CR2 of the difference over groups that are drawn, as if all differences varied alike."""
    first, second = groups_of(y, a, groups), groups_of(y, b, groups)
    d = [auc(*one) - auc(*other) for one, other in zip(first, second, strict=True)]
    weights = [WEIGHTS[kind](len(p), len(n)) for p, n in first]
    total = sum(weights)
    mean = sum(w * x for w, x in zip(weights, d, strict=True)) / total
    shares = [w / total for w in weights]
    both = sum(p * p for p in shares)
    terms = [(p * (x - mean)) ** 2 / (1 - 2 * p + both) for p, x in zip(shares, d, strict=True)]
    return sum(terms)


def class_variances(y, a, b, groups, kind):
    """What each class of each fixed group adds to the variance, and its degrees of freedom.

    Of single cases of a class the variance over groups; of the only one that of the other groups.
    """
    first, second = groups_of(y, a, groups), groups_of(y, b, groups)
    weights = [WEIGHTS[kind](len(p), len(n)) for p, n in first]
    parts, alone, others = [], ([], []), ([], [])
    for w, one, other in zip(weights, first, second, strict=True):
        share = Fraction(w) / sum(weights)
        both = zip(components(*one), components(*other), strict=True)
        for side, (x, z) in enumerate(both):
            d = [u - v for u, v in zip(x, z, strict=True)]
            if len(d) == 1:
                alone[side].append((share, d[0]))
            else:
                parts.append((share**2 * variance(d) / len(d), len(d) - 1))
                others[side].append((variance(d), len(d) - 1))
    for side in (0, 1):
        shares = sum(share**2 for share, _ in alone[side])
        if len(alone[side]) > 1:
            parts.append((shares * variance([d for _, d in alone[side]]), len(alone[side]) - 1))
        elif alone[side]:
            df = sum(own for _, own in others[side])
            parts.append((shares * sum(v * own for v, own in others[side]) / df, df))
    return parts


def fixed_variance(y, a, b, groups, kind):
    """The variance of the difference over fixed groups, and Satterthwaite's degrees of freedom."""
    parts = class_variances(y, a, b, groups, kind)
    total = sum(v for v, _ in parts)
    squares = sum(v * v / df for v, df in parts)
    return total, total * total / squares if squares else None
