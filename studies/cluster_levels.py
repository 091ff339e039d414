"""How often tests of clustered and weighted cases reject a true null.

    python -m studies.cluster_levels [--trials 10000] [--jobs 2] [--write]

Scores of a case are a share of its cluster, a share of the case that both models have in common,
and noise of the model; both models are equally good. Sizes of clusters are equal, log-normal, or
one cluster holds half the cases; they hold ten on average. Weights are drawn apart from scores.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

import fastcompare as fc

from .tables import markdown, percent, run

WITHIN = 0.2  # correlation of the cases of a cluster
SHARED = 0.5  # of two models on one case
SHIFT = 1.2  # of positives, in standard deviations: an AUC of .8
MEAN_SIZE = 10
QUIET = {"on_undefined": "ignore"}
COUNTS = (5, 10, 20, 50)
SIZES = ("equal", "log-normal", "one half")
WEIGHTS = ("even", "one in five is 8", "log-normal")
CLASSES = ((5, 45), (10, 10), (10, 90), (25, 25), (50, 50))
SEVERAL = "Clusters: several models, two samples, permutations"
TITLES = ("Clusters", SEVERAL, "Sampling weights, DeLong's test")


class Clusters(NamedTuple):
    """Data of clusters of some kind, for one statistic."""

    statistic: str
    count: int
    sizes: str

    def pvalues(self, rng):
        """Return the p-values of one data set, by the normal distribution and by default."""
        return STATISTICS[self.statistic](sample_clusters(self, rng))


class Several(NamedTuple):
    """Data of clusters of some kind, for several models, two samples or a permutation."""

    statistic: str
    count: int
    sizes: str

    def pvalues(self, rng):
        """Return the p-values of one data set, as if cases were independent and with clusters."""
        return TESTS[self.statistic](self, rng)


class Weighted(NamedTuple):
    """Weighted cases of both classes."""

    m: int
    n: int
    weights: str

    def pvalues(self, rng):
        """Return the p-values of one data set, by the normal distribution and by default."""
        labels = np.arange(self.m + self.n) < self.m
        scores = models(2, labels.size, rng) + SHIFT * labels
        return by_reference(labels, scores, sample_weight=weights_of(self, rng))


class Sample(NamedTuple):
    """Clusters of cases, of labels too, and scores of two models without what labels add."""

    labels: np.ndarray
    groups: np.ndarray
    scores: np.ndarray


def models(k, n, rng):
    """Return scores (k, n) of models that are alike, each with variance 1."""
    own = rng.normal(size=(k, n))
    return math.sqrt(SHARED) * rng.normal(size=n) + math.sqrt(1.0 - SHARED) * own


def sizes_of(cell, rng):
    """Return how many cases each cluster holds."""
    n = cell.count * MEAN_SIZE
    if cell.sizes == "equal":
        return np.full(cell.count, MEAN_SIZE)
    if cell.sizes == "one half":
        return np.array([n // 2] + [n // 2 // (cell.count - 1)] * (cell.count - 1))
    shares = rng.lognormal(size=cell.count)
    return np.maximum(1, np.round(n * shares / shares.sum())).astype(int)


def sample_clusters(cell, rng, k=2):
    """Return clustered cases with scores of k models; each class is in two clusters at least."""
    while True:
        groups = np.repeat(np.arange(cell.count), sizes_of(cell, rng))
        labels = rng.random(groups.size) < 0.5
        if cell.statistic == PURE:
            labels = (rng.permutation(cell.count) < cell.count // 2)[groups]
        if min(np.unique(groups[labels == own]).size for own in (0, 1)) > 1:
            break
    of_clusters = rng.normal(size=(k, cell.count))[:, groups]
    own = models(k, groups.size, rng)
    return Sample(labels, groups, math.sqrt(WITHIN) * of_clusters + math.sqrt(1.0 - WITHIN) * own)


def weights_of(cell, rng):
    """Return a weight for each case."""
    n = cell.m + cell.n
    drawn = {"even": np.ones(n), "log-normal": rng.lognormal(size=n)}
    return drawn.get(cell.weights, np.where(rng.random(n) < 0.2, 8.0, 1.0))


def by_reference(labels, scores, **words):
    """Return DeLong's p-values, by the normal distribution and by default."""
    found = (
        fc.delong_test(labels, *scores, reference=reference, **words, **QUIET)
        for reference in ("normal", "auto")
    )
    return [result.pvalue for result in found]


def of_auc(sample):
    """Return the p-values of AUCs."""
    return by_reference(sample.labels, sample.scores + SHIFT * sample.labels, groups=sample.groups)


def of_accuracy(sample):
    """Return the p-values of accuracies of .8."""
    right = sample.scores > -0.84
    found = fc.mcnemar_test(np.ones(right.shape[1]), *right, groups=sample.groups, **QUIET)
    return of_mean(right[0] * 1.0 - right[1], sample.groups), found.pvalue


def of_loss(sample):
    """Return the p-values of Brier scores."""
    sign = 2 * sample.labels - 1
    first, second = 1.0 / (1.0 + np.exp(-sign * (sample.scores + 0.5)))
    first, second = (np.where(sample.labels, p, 1.0 - p) for p in (first, second))
    found = fc.scoring_test(sample.labels, first, second, groups=sample.groups, **QUIET)
    losses = np.square(np.stack((first, second)) - sample.labels)
    return of_mean(losses[0] - losses[1], sample.groups), found.pvalue


def of_mean(d, groups):
    """Return the p-value by the usual clustered variance, CR1, and the normal distribution."""
    sums = np.bincount(groups, d - d.mean())
    error = math.sqrt(sums.size / (sums.size - 1) * float(sums @ sums)) / d.size
    return math.erfc(abs(d.mean()) / error / math.sqrt(2.0)) if error else 1.0


def of_pairs(cell, rng):
    """Return the least adjusted p-value of three pairs of accuracies of .8."""
    sample = sample_clusters(cell, rng, 3)
    right = (sample.scores > -0.84).T
    found = (
        fc.mcnemar_pairwise_test(correct=right, groups=groups, **QUIET)
        for groups in (None, sample.groups)
    )
    return [result.adjusted_pvalue.min() for result in found]


def of_three(cell, rng):
    """Return the p-values of three accuracies of .8."""
    sample = sample_clusters(cell, rng, 3)
    right = (sample.scores > -0.84).T
    found = (
        fc.cochran_q_test(correct=right, groups=groups, **QUIET) for groups in (None, sample.groups)
    )
    return [result.pvalue for result in found]


def of_areas(cell, rng):
    """Return the p-values of three AUCs."""
    sample = sample_clusters(cell, rng, 3)
    scores = (sample.scores + SHIFT * sample.labels).T
    found = (
        fc.delong_omnibus_test(sample.labels, scores, groups=groups, **QUIET)
        for groups in (None, sample.groups)
    )
    return [result.pvalue for result in found]


def of_two_samples(cell, rng):
    """Return the p-values of accuracies of .8 on two sets of clusters."""
    one, two = (sample_clusters(cell, rng, 1) for _ in range(2))
    truth = np.ones(one.groups.size, int), np.ones(two.groups.size, int)
    right = [(sample.scores[0] > -0.84) * 1 for sample in (one, two)]
    given = truth[0], right[0], truth[1], right[1]
    plain = fc.two_proportions_unpaired_test(*given, **QUIET)
    groups = {"groups_1": one.groups, "groups_2": two.groups}
    return plain.pvalue, fc.two_proportions_unpaired_test(*given, **groups, **QUIET).pvalue


def of_exchanges(cell, rng):
    """Return the p-values of two AUCs by permutation."""
    sample = sample_clusters(cell, rng)
    scores = sample.scores + SHIFT * sample.labels
    found = (
        fc.permutation_auc_test(sample.labels, *scores, groups=groups, **QUIET)
        for groups in (None, sample.groups)
    )
    return [result.pvalue for result in found]


TESTS: dict[str, Callable] = {
    "pairs of 3 accuracies": of_pairs,
    "3 accuracies": of_three,
    "3 AUCs": of_areas,
    "accuracies of two samples": of_two_samples,
    "2 AUCs, permutation": of_exchanges,
}
PURE = "AUC, clusters of one class"
STATISTICS: dict[str, Callable] = {
    "Brier score": of_loss,
    "accuracy": of_accuracy,
    "AUC": of_auc,
    PURE: of_auc,
}
CELLS = [
    *(Clusters(name, count, kind) for count in COUNTS for kind in SIZES for name in STATISTICS),
    *(Several(name, count, kind) for count in COUNTS for kind in SIZES for name in TESTS),
    *(Weighted(m, n, kind) for m, n in CLASSES for kind in WEIGHTS),
]


def levels(cell, *, trials):
    """Return the shares of data sets whose null hypothesis is rejected, by both distributions."""
    rng = np.random.default_rng([len(str(cell)), *map(ord, str(cell))])
    p = np.array([cell.pvalues(rng) for _ in range(trials)])
    return (p <= 0.05).mean(axis=0)


def show(cells, found):
    """Return tables of clusters, several models and weights, in per cent."""
    shown = {cell: " / ".join(map(percent, pair)) for cell, pair in zip(cells, found, strict=True)}
    clusters = [
        (count, kind, *(shown[Clusters(name, count, kind)] for name in STATISTICS))
        for count in COUNTS
        for kind in SIZES
    ]
    tests = [
        (count, kind, *(shown[Several(name, count, kind)] for name in TESTS))
        for count in COUNTS
        for kind in SIZES
    ]
    weights = [(m, n, *(shown[Weighted(m, n, kind)] for kind in WEIGHTS)) for m, n in CLASSES]
    tables = (
        markdown(("clusters", "sizes", *STATISTICS), clusters),
        markdown(("clusters", "sizes", *TESTS), tests),
        markdown(("positives", "negatives", *(f"weights: {w}" for w in WEIGHTS)), weights),
    )
    return "\n\n".join(f"**{title}**\n\n{t}" for title, t in zip(TITLES, tables, strict=True))


if __name__ == "__main__":
    run("cluster_levels", "evidence/clusters.md", CELLS, levels, show, trials=10_000)
