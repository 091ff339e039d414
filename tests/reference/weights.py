"""Weighted and clustered AUCs by their definitions, as fractions: obvious, not fast."""

import itertools
from fractions import Fraction

from tests.reference.auc import psi


def split(labels, values):
    """The values of the positives, and of the negatives."""
    pairs = list(zip(labels, values, strict=True))
    return [v for label, v in pairs if label], [v for label, v in pairs if not label]


def components(labels, scores, weights):
    """V10 and V01 under weights, each in the order of its cases."""
    x, y = split(labels, scores)
    w1, w0 = split(labels, map(Fraction, weights))
    v10 = [sum(w * psi(a, b) for b, w in zip(y, w0, strict=True)) / sum(w0) for a in x]
    v01 = [sum(w * psi(a, b) for a, w in zip(x, w1, strict=True)) / sum(w1) for b in y]
    return v10, v01


def weighted_mean(values, weights):
    return sum(v * w for v, w in zip(values, weights, strict=True)) / sum(weights)


def sampling_covariance(u, v, weights):
    """m / (m - 1) times the sum of products of w (V - t) / W."""
    t_u, t_v = weighted_mean(u, weights), weighted_mean(v, weights)
    products = (w * w * (a - t_u) * (b - t_v) for a, b, w in zip(u, v, weights, strict=True))
    m = len(weights)
    return Fraction(m, m - 1) * sum(products) / sum(weights) ** 2


def frequency_covariance(u, v, weights):
    """What `sampling_covariance` is for rows that are repeated."""
    t_u, t_v = weighted_mean(u, weights), weighted_mean(v, weights)
    products = (w * (a - t_u) * (b - t_v) for a, b, w in zip(u, v, weights, strict=True))
    total = sum(weights)
    return sum(products) / (total * (total - 1))


COVARIANCES = {
    "sample_weight": sampling_covariance,
    "frequency_weight": frequency_covariance,
}


def weighted(labels, table, weights, kind):
    """AUCs and covariance of k models under weights above 0."""
    by_class = split(labels, map(Fraction, weights))
    parts = [components(labels, scores, weights) for scores in table]
    auc = [weighted_mean(v10, by_class[0]) for v10, _ in parts]
    covariance = [
        [
            sum(COVARIANCES[kind](u, v, w) for u, v, w in zip(a, b, by_class, strict=True))
            for b in parts
        ]
        for a in parts
    ]
    return auc, covariance


def expanded(labels, table, counts):
    """The rows that frequency weights stand for."""
    rows = [i for i, count in enumerate(counts) for _ in range(int(count))]
    return [labels[i] for i in rows], [[scores[i] for i in rows] for scores in table]


def cluster_sums(labels, values, groups, label):
    """For each cluster: the sum of the values over its cases of a class, and their number."""
    own = [group for group, other in zip(groups, labels, strict=True) if other == label]
    return {
        cluster: (
            sum(v for v, group in zip(values, own, strict=True) if group == cluster),
            own.count(cluster),
        )
        for cluster in dict.fromkeys(groups)
    }


def clustered(labels, table, groups):
    """AUCs and covariance of k models, Obuchowski (1997), Eq. 4 to 9."""
    parts = [components(labels, scores, [1] * len(labels)) for scores in table]
    m, n = len(parts[0][0]), len(parts[0][1])
    auc = [sum(v10) / m for v10, _ in parts]
    x = [
        {c: s - size * t for c, (s, size) in cluster_sums(labels, v10, groups, 1).items()}
        for (v10, _), t in zip(parts, auc, strict=True)
    ]
    y = [
        {c: s - size * t for c, (s, size) in cluster_sums(labels, v01, groups, 0).items()}
        for (_, v01), t in zip(parts, auc, strict=True)
    ]
    total = len(set(groups))
    held1 = len({g for g, label in zip(groups, labels, strict=True) if label})
    held0 = len({g for g, label in zip(groups, labels, strict=True) if not label})

    def covariance(i, j):
        s10 = Fraction(held1, (held1 - 1) * m) * sum(x[i][c] * x[j][c] for c in x[i])
        s01 = Fraction(held0, (held0 - 1) * n) * sum(y[i][c] * y[j][c] for c in x[i])
        s11 = Fraction(total, total - 1) * sum(x[i][c] * y[j][c] for c in x[i])
        s11_turned = Fraction(total, total - 1) * sum(x[j][c] * y[i][c] for c in x[i])
        return s10 / m + s01 / n + (s11 + s11_turned) / (m * n)

    k = range(len(table))
    return auc, [[covariance(i, j) for j in k] for i in k]


def pairs(k):
    return itertools.combinations(range(k), 2)
