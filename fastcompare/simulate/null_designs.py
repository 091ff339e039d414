"""Designs without a better model, in which the right test and the wrong one are measured.

A design draws data of n rows and k models as users of a kind of data have them. `right` and `wrong`
take such data and return a p-value: of several pairs the smallest.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

import fastcompare as fc

from .._base.types import Integers, Matrix, Vector

Data = tuple[Any, ...]
CLUSTER_SIZE = 10  # items
TEST_SHARE = 0.1  # of the cases that a round of folds tests
NORMAL_80 = 0.8416  # the point below which 80% of standard normal numbers lie


@dataclass(frozen=True)
class ScoredCases:
    """Parameters of simulated scores: labels, clusters, and the AUC and correlation of models."""

    labels: Integers
    groups: Integers | None = None
    auc: float = 0.8
    correlation: float = 0.5

    def __str__(self) -> str:
        """Return the design in words: numbers of cases and clusters, AUC and correlation."""
        positives = int(self.labels.sum())
        clusters = "" if self.groups is None else f" in their {self.groups.max() + 1} clusters"
        return (
            f"normal scores of {positives} positive and {self.labels.size - positives} negative "
            f"cases{clusters}, with AUCs of {self.auc:.2f} that correlate by {self.correlation:.2f}"
        )

    def draw(self, rng: np.random.Generator, k: int) -> Data:
        """Return the labels and the scores of k models, which correlate by .2 within a cluster."""
        from scipy.special import ndtri

        shift = math.sqrt(2.0) * float(ndtri(self.auc))
        scores = correlated_normals(rng, self.labels.size, k, self.correlation)
        if self.groups is not None:
            effects = correlated_normals(rng, self.groups.max() + 1, k, self.correlation)
            scores = math.sqrt(0.8) * scores + math.sqrt(0.2) * effects[self.groups]
        return self.labels, scores + shift * self.labels[:, None]


def scored_cases(labels: Integers, ranks: Matrix, groups: Integers | None) -> ScoredCases:
    """Return the design with the AUC and correlation that k models have in these data.

    `ranks` (n, k) are their normal scores of ranks. The AUC is the mean AUC, the correlation the
    mean over pairs of models within classes; .5 if none is defined.
    """
    from ..auc._one_model import roc_auc

    aucs = [roc_auc(labels, column) for column in ranks.T]
    within = np.concatenate([ranks[labels == c] - ranks[labels == c].mean(axis=0) for c in (0, 1)])
    norms = np.sqrt(np.square(within).sum(axis=0))
    pairs = np.triu_indices(len(aucs), 1)
    products = (within.T @ within)[pairs]
    scale = np.outer(norms, norms)[pairs]
    correlations = products[scale > 0.0] / scale[scale > 0.0]
    correlation = float(np.clip(correlations.mean(), 0.0, 0.99)) if correlations.size else 0.5
    return ScoredCases(labels, groups, float(np.clip(np.mean(aucs), 0.5, 0.99)), correlation)


def correlated_normals(
    rng: np.random.Generator, n: int, k: int, correlation: float = 0.5
) -> Matrix:
    """Return normal columns (n, k) of variance 1 that correlate, by default by one half."""
    shared = rng.normal(size=(n, 1))
    independent = rng.normal(size=(n, k))
    normals: Matrix = math.sqrt(correlation) * shared + math.sqrt(1.0 - correlation) * independent
    return normals


def correlated_rounds(rng: np.random.Generator, n: int, k: int, correlation: float) -> Matrix:
    """Return normal scores (n, k) of variance 1; those of a model correlate between rounds."""
    independent = rng.normal(size=(n, k))
    shared = rng.normal(size=k)
    normals: Matrix = math.sqrt(correlation) * shared + math.sqrt(1.0 - correlation) * independent
    return normals


def draw_scores(
    rng: np.random.Generator,
    n: int,
    k: int,
    cases: ScoredCases | None = None,
    *,
    negatives: int = 1,
) -> Data:
    """Return labels of n positives and `negatives` n negatives, and normal scores with AUCs of .8.

    If `cases` are specified, their labels and scores, for which n does not matter.
    """
    return (cases or ScoredCases(np.repeat([1, 0], [n, negatives * n]))).draw(rng, k)


def draw_clustered_scores(
    rng: np.random.Generator, n: int, k: int, cases: ScoredCases | None = None
) -> Data:
    """Return labels, scores and clusters of ten cases of a class, which correlate by .2.

    If `cases` are specified, with their labels, and their clusters if they have some.
    """
    if cases is None or cases.groups is None:
        labels = np.repeat([1, 0], n) if cases is None else cases.labels
        cases = replace(cases or ScoredCases(labels), groups=np.arange(labels.size) // CLUSTER_SIZE)
    return (*cases.draw(rng, k), cases.groups)


def draw_labels(rng: np.random.Generator, n: int, k: int) -> Data:
    """Return labels and the answers of models that are right on 80% of the cases."""
    y = rng.integers(0, 2, n)
    return y, np.where(correlated_normals(rng, n, k) < NORMAL_80, y[:, None], 1 - y[:, None])


def draw_clustered_labels(rng: np.random.Generator, n: int, k: int) -> Data:
    """Return labels, answers and clusters of ten cases that are hard for one model or another."""
    y = rng.integers(0, 2, n)
    difficulty, groups = draw_clustered_rows(rng, n, k)
    return y, np.where(difficulty < NORMAL_80, y[:, None], 1 - y[:, None]), groups


def draw_probabilities(rng: np.random.Generator, n: int, k: int) -> Data:
    """Return labels and the probabilities of k models with equally noisy log odds."""
    logit = 1.5 * rng.normal(size=n)
    y = (rng.random(n) < 1.0 / (1.0 + np.exp(-logit))).astype(int)
    return y, 1.0 / (1.0 + np.exp(-(logit[:, None] + 0.7 * rng.normal(size=(n, k)))))


def draw_rounds(rng: np.random.Generator, n: int, k: int) -> Data:
    """Return scores of n rounds that correlate as Nadeau and Bengio assume."""
    return (correlated_rounds(rng, n, k, TEST_SHARE),)


def draw_rows(rng: np.random.Generator, n: int, k: int) -> Data:
    """Return scores of independent rows: rounds, data sets or items that are easy or hard."""
    return (correlated_normals(rng, n, k),)


def draw_clustered_rows(rng: np.random.Generator, n: int, k: int) -> Data:
    """Return scores of items and their clusters of ten, which correlate by .2."""
    groups = np.arange(n) // CLUSTER_SIZE
    cluster_effects = rng.normal(size=(groups[-1] + 1, k))[groups]
    return math.sqrt(0.8) * correlated_normals(rng, n, k) + math.sqrt(0.2) * cluster_effects, groups


def draw_battles(rng: np.random.Generator, n: int, k: int) -> Data:
    """Return the models, opponents and outcomes of battles of two equal models, a and b.

    In 70% of its battles a meets the weak opponent, and b the strong one.
    """
    strength = {"a": 0.0, "b": 0.0, "weak": -0.5, "strong": 0.5}
    is_b = rng.integers(0, 2, n)
    is_usual = rng.random(n) < 0.7
    model = np.where(is_b == 0, "a", "b")
    opponent = np.where((is_b == 0) == is_usual, "weak", "strong")
    log_odds = np.array([strength[x] - strength[z] for x, z in zip(model, opponent, strict=True)])
    return model, opponent, (rng.random(n) < 1.0 / (1.0 + np.exp(-log_odds))).astype(float)


def draw_unpaired_rows(rng: np.random.Generator, n: int, k: int) -> Data:
    """Return n scores of one model that vary twice as much as the 4 n of the other."""
    return 2.0 * rng.normal(size=n), rng.normal(size=4 * n)


def draw_unpaired_labels(rng: np.random.Generator, n: int, k: int) -> Data:
    """Return the numbers of right answers of two models, on n and on 10 n cases, and n.

    95% of the answers are right.
    """
    return int(rng.binomial(n, 0.95)), int(rng.binomial(10 * n, 0.95)), n


def draw_unpaired_scores(
    rng: np.random.Generator, n: int, k: int, cases: ScoredCases | None = None
) -> Data:
    """Return labels and scores of one model, then those of another model on other cases."""
    y_1, scores_1 = draw_scores(rng, n, 1, cases)
    y_2, scores_2 = draw_scores(rng, n, 1, cases)
    return y_1, scores_1[:, 0], y_2, scores_2[:, 0]


def improve_unpaired_scores(rng: np.random.Generator, data: Data, effect: float) -> Data:
    """Return unpaired data with the first model's scores of positives raised by the effect."""
    y_1, scores_1, y_2, scores_2 = data
    return y_1, scores_1 + effect * y_1, y_2, scores_2


def improve_scores(rng: np.random.Generator, data: Data, effect: float) -> Data:
    """Return data with the first model's scores of positives raised by the effect."""
    y, scores = data
    scores[:, 0] += effect * y
    return y, scores


def improve_labels(rng: np.random.Generator, data: Data, effect: float) -> Data:
    """Return data with a random share `effect` of the first model's answers corrected."""
    y, answers = data
    answers[:, 0] = np.where(rng.random(y.size) < effect, y, answers[:, 0])
    return y, answers


def improve_probabilities(rng: np.random.Generator, data: Data, effect: float) -> Data:
    """Return data with the first model's probabilities moved towards the labels by the effect."""
    y, table = data
    table[:, 0] += effect * (y - table[:, 0])
    return y, table


def improve_rows(rng: np.random.Generator, data: Data, effect: float) -> Data:
    """Return data with the first model's scores raised by the effect."""
    (table,) = data
    table[:, 0] += effect
    return (table,)


Draw = Callable[..., Data]
PValue = Callable[..., float]
Better = Callable[[np.random.Generator, Data, float], Data]

QUIET: Any = {"on_undefined": "ignore"}
SIZES: Any = {
    "n_train": 1.0 - TEST_SHARE,
    "n_test": TEST_SHARE,
}  # of a round, for the corrected tests


@dataclass(frozen=True)
class NullDesign:
    """How data are drawn, and a right and a wrong test for them; n and k are the usual sizes."""

    about: str
    draw: Draw
    right: PValue
    wrong: PValue
    n: int
    k: int = 2
    better: Better | None = None  # what makes the first model better by an effect
    effect: float = 0.0  # that the right test finds in some 80%

    def at(
        self, n: int, k: int, cases: ScoredCases | None = None
    ) -> Callable[[np.random.Generator, float], Data]:
        """Return the function that draws data of n rows and k models, given an effect.

        Designs of scores take `cases` in place of n.
        """
        arguments = () if cases is None else (cases,)

        def generate(rng: np.random.Generator, effect: float) -> Data:
            """Return random data, with the first model better by the effect if that can be."""
            data = self.draw(rng, n, k, *arguments)
            return data if self.better is None else self.better(rng, data, effect)

        return generate


def by_model_name(table: Matrix) -> dict[str, Vector]:
    """Return the columns of a table by names: 'model 1', 'model 2', ..."""
    return {f"model {j + 1}": column for j, column in enumerate(table.T)}


def smallest_pair_pvalue(test: Callable[..., Any], *data: Any) -> float:
    """Return the smallest uncorrected p-value of all pairs of columns of the last array of data."""
    *labels, table = data
    pairs = combinations(np.ascontiguousarray(table.T), 2)
    return min(float(test(*labels, a, b, **QUIET).pvalue) for a, b in pairs)


def brier_losses(y: Any, table: Matrix) -> Matrix:
    """Return the Brier losses (n, k) of all cases and models."""
    squared: Matrix = (table - y[:, None]) ** 2
    return squared


def overlap_pvalue(y_1: Vector, scores_1: Vector, y_2: Vector, scores_2: Vector) -> float:
    """Return 1 - the level at which two models' intervals begin to overlap, as a wrong p-value."""
    tested = fc.delong_unpaired_test(y_1, scores_1, y_2, scores_2, **QUIET)
    total_error = sum(
        fc.roc_auc_interval(y, scores, **QUIET).standard_error
        for y, scores in ((y_1, scores_1), (y_2, scores_2))
    )
    if not total_error:
        return 1.0
    return math.erfc(abs(tested.estimate) / total_error / math.sqrt(2.0))


def battle_pvalue(a: Any, b: Any, outcomes: Vector) -> float:
    """Return the p-value of the Bradley-Terry strengths of models a and b."""
    result = fc.bradley_terry(a, b, outcomes, **QUIET).pairwise(correction="none")
    return float(result.pvalue[result.pairs.index(("a", "b"))])


def unpaired_accuracies_pvalue(a: int, b: int, n: int, variance: str) -> float:
    """Return the p-value of the accuracies a / n and b / (10 n)."""
    counts: Any = {"correct": (a, b), "n": (n, 10 * n)}
    return fc.two_proportions_unpaired_test(**counts, variance=variance, **QUIET).pvalue


def winning_rates_pvalue(a: Any, b: Any, outcomes: Vector) -> float:
    """Return the p-value of the shares of battles that models a and b won."""
    outcomes_a, outcomes_b = outcomes[a == "a"], outcomes[a == "b"]
    wins = (int(outcomes_a.sum()), int(outcomes_b.sum()))
    battles = (outcomes_a.size, outcomes_b.size)
    return fc.two_proportions_unpaired_test(correct=wins, n=battles, **QUIET).pvalue


NULL_DESIGNS: dict[str, NullDesign] = {
    "scores": NullDesign(
        "AUCs of .8, normal scores that correlate by .5",
        draw_scores,
        lambda y, s: fc.delong_test(y, s[:, 0], s[:, 1], **QUIET).pvalue,
        lambda y, s: fc.delong_unpaired_test(y, s[:, 0], y, s[:, 1], **QUIET).pvalue,
        100,
        better=improve_scores,
        effect=0.48,
    ),
    "scores of few cases": NullDesign(
        "AUCs of .8, normal scores that correlate by .5",
        partial(draw_scores, negatives=9),
        lambda y, s: fc.delong_test(y, s[:, 0], s[:, 1], reference="t", **QUIET).pvalue,
        lambda y, s: fc.delong_test(y, s[:, 0], s[:, 1], reference="normal", **QUIET).pvalue,
        5,
    ),
    "scores in clusters": NullDesign(
        "AUCs of .8, clusters of ten cases that correlate by .2",
        draw_clustered_scores,
        lambda y, s, g: fc.delong_test(y, s[:, 0], s[:, 1], groups=g, **QUIET).pvalue,
        lambda y, s, g: fc.delong_test(y, s[:, 0], s[:, 1], **QUIET).pvalue,
        250,
    ),
    "scores of several models": NullDesign(
        "AUCs of .8, normal scores that correlate by .5",
        draw_scores,
        lambda y, s: fc.delong_omnibus_test(y, by_model_name(s), **QUIET).pvalue,
        partial(smallest_pair_pvalue, fc.delong_test),
        100,
        5,
    ),
    "labels": NullDesign(
        "80% right, answers that correlate",
        draw_labels,
        lambda y, p: fc.mcnemar_test(y, p[:, 0], p[:, 1], **QUIET).pvalue,
        lambda y, p: fc.two_proportions_unpaired_test(y, p[:, 0], y, p[:, 1], **QUIET).pvalue,
        300,
        better=improve_labels,
        effect=0.4,
    ),
    "labels in clusters": NullDesign(
        "80% right, clusters of ten cases that correlate by .2",
        draw_clustered_labels,
        lambda y, p, g: fc.mcnemar_test(y, p[:, 0], p[:, 1], groups=g, **QUIET).pvalue,
        lambda y, p, g: fc.mcnemar_test(y, p[:, 0], p[:, 1], **QUIET).pvalue,
        500,
    ),
    "labels of several models": NullDesign(
        "80% right, answers that correlate",
        draw_labels,
        lambda y, p: fc.cochran_q_test(y, by_model_name(p), **QUIET).pvalue,
        partial(smallest_pair_pvalue, fc.mcnemar_test),
        300,
        5,
    ),
    "probabilities": NullDesign(
        "probabilities with as much noise by both models",
        draw_probabilities,
        lambda y, p: fc.scoring_test(y, p[:, 0], p[:, 1], **QUIET).pvalue,
        lambda y, p: fc.ttest_unpaired(*brier_losses(y, p).T, **QUIET).pvalue,
        300,
        better=improve_probabilities,
        effect=0.071,
    ),
    "probabilities of several models": NullDesign(
        "probabilities with as much noise by all models",
        draw_probabilities,
        lambda y, p: fc.mean_omnibus_test(brier_losses(y, p), **QUIET).pvalue,
        lambda y, p: smallest_pair_pvalue(fc.ttest_resampled, brier_losses(y, p)),
        300,
        5,
    ),
    "rounds": NullDesign(
        "normal scores of splits 9:1 that correlate as Nadeau and Bengio assume",
        draw_rounds,
        lambda s: fc.ttest_corrected(s[:, 0], s[:, 1], **SIZES, **QUIET).pvalue,
        lambda s: fc.wilcoxon_test(s[:, 0], s[:, 1], **QUIET).pvalue,
        100,
    ),
    "rounds, t-test": NullDesign(
        "normal scores of splits 9:1 that correlate as Nadeau and Bengio assume",
        draw_rounds,
        lambda s: fc.ttest_corrected(s[:, 0], s[:, 1], **SIZES, **QUIET).pvalue,
        lambda s: fc.ttest_resampled(s[:, 0], s[:, 1], **QUIET).pvalue,
        100,
    ),
    "rounds of several models": NullDesign(
        "normal scores of splits 9:1 that correlate as Nadeau and Bengio assume",
        draw_rounds,
        lambda s: fc.rm_anova_test(s, **SIZES, **QUIET).pvalue,
        lambda s: fc.friedman_test(s, **QUIET).pvalue,
        100,
        3,
    ),
    "rows": NullDesign(
        "normal scores of easy and hard rows",
        draw_rows,
        lambda s: fc.wilcoxon_test(s[:, 0], s[:, 1], **QUIET).pvalue,
        lambda s: fc.ttest_unpaired(s[:, 0], s[:, 1], **QUIET).pvalue,
        20,
        better=improve_rows,
        effect=0.68,
    ),
    "rows of several models": NullDesign(
        "normal scores of easy and hard rows",
        draw_rows,
        lambda s: fc.friedman_test(s, **QUIET).pvalue,
        partial(smallest_pair_pvalue, fc.wilcoxon_test),
        20,
        5,
    ),
    "items": NullDesign(
        "normal scores of easy and hard items",
        draw_rows,
        lambda s: fc.paired_mean_test(s[:, 0], s[:, 1], **QUIET).pvalue,
        lambda s: fc.ttest_unpaired(s[:, 0], s[:, 1], **QUIET).pvalue,
        200,
        better=improve_rows,
        effect=0.2,
    ),
    "items in clusters": NullDesign(
        "normal scores, clusters of ten items that correlate by .2",
        draw_clustered_rows,
        lambda s, g: fc.paired_mean_test(s[:, 0], s[:, 1], groups=g, **QUIET).pvalue,
        lambda s, g: fc.paired_mean_test(s[:, 0], s[:, 1], **QUIET).pvalue,
        500,
    ),
    "items of several models": NullDesign(
        "normal scores of easy and hard items",
        draw_rows,
        lambda s: fc.mean_omnibus_test(s, **QUIET).pvalue,
        partial(smallest_pair_pvalue, fc.ttest_resampled),
        200,
        5,
    ),
    "scores of own cases": NullDesign(
        "AUCs of .8, normal scores of two models on cases of their own",
        draw_unpaired_scores,
        lambda *data: fc.delong_unpaired_test(*data, **QUIET).pvalue,
        overlap_pvalue,
        100,
        better=improve_unpaired_scores,
        effect=0.65,
    ),
    "labels of own cases": NullDesign(
        "95% right, one model on ten times as many cases",
        draw_unpaired_labels,
        lambda a, b, n: unpaired_accuracies_pvalue(a, b, n, "pooled"),
        lambda a, b, n: unpaired_accuracies_pvalue(a, b, n, "unpooled"),
        20,
    ),
    "own rows": NullDesign(
        "normal scores, the fewer vary twice as much",
        draw_unpaired_rows,
        lambda a, b: fc.ttest_unpaired(a, b, **QUIET).pvalue,
        lambda a, b: fc.folds_unpaired_test([a, b], method="anova", **QUIET).pvalue,
        10,
    ),
    "battles": NullDesign(
        "two equal models, of which one meets the weaker opponents in 70% of its battles",
        draw_battles,
        battle_pvalue,
        winning_rates_pvalue,
        400,
    ),
}
