"""Worlds without a better model, in which the right test and the wrong one are measured.

A world draws what a user of a kind of data would hold, of n rows and k models. `right` and `wrong`
get that and return a p-value: of several pairs the smallest.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

import fastcompare as fc

from .._base.types import Matrix, Vector
from .drawn import (
    SHARE,
    Data,
    ScoredCases,
    better_labels,
    better_probabilities,
    better_rows,
    better_scores,
    draw_battles,
    draw_clustered_labels,
    draw_clustered_rows,
    draw_clustered_scores,
    draw_few_scores,
    draw_labels,
    draw_own_labels,
    draw_own_rows,
    draw_probabilities,
    draw_rounds,
    draw_rows,
    draw_scores,
)

Draw = Callable[..., Data]
PValue = Callable[..., float]
Better = Callable[[np.random.Generator, Data, float], Data]

QUIET: Any = {"on_undefined": "ignore"}


@dataclass(frozen=True)
class World:
    """How data are drawn, and the tests that are measured on them; n and k are the usual sizes."""

    about: str
    draw: Draw
    right: PValue
    wrong: PValue
    n: int
    k: int = 2
    better: Better | None = None  # what makes the first model better by an effect
    effect: float = 0.0  # that the right test finds in some 80 %

    def at(
        self, n: int, k: int, cases: ScoredCases | None = None
    ) -> Callable[[np.random.Generator, float], Data]:
        """Return the function that draws data of n rows and k models, given an effect.

        Scores take `cases`, if those are known.
        """
        known = () if cases is None else (cases,)

        def drawn(rng: np.random.Generator, effect: float) -> Data:
            data = self.draw(rng, n, k, *known)
            return data if self.better is None else self.better(rng, data, effect)

        return drawn


def named(table: Matrix) -> dict[str, Vector]:
    """Return the columns by name."""
    return {f"model {j + 1}": column for j, column in enumerate(table.T)}


def pairs(table: Matrix) -> Iterator[tuple[Vector, Vector]]:
    """Yield the columns of all pairs of models."""
    return combinations(np.ascontiguousarray(table.T), 2)


def each_pair(test: Callable[..., Any], y: Any, table: Matrix, **options: Any) -> float:
    """Return the smallest of the uncorrected p-values of all pairs of models."""
    return min(float(test(y, a, b, **QUIET, **options).pvalue) for a, b in pairs(table))


def each_pair_of_rows(test: Callable[..., Any], table: Matrix) -> float:
    """Return the smallest of the uncorrected p-values of all pairs of columns."""
    return min(float(test(a, b, **QUIET).pvalue) for a, b in pairs(table))


def losses(y: Any, table: Matrix) -> Matrix:
    """Return the Brier losses of all cases."""
    squared: Matrix = (table - y[:, None]) ** 2
    return squared


def sizes(n: int) -> Any:
    """Return the sizes of a round, for the corrected tests."""
    return {"n_train": 1.0 - SHARE, "n_test": SHARE}


def battle_pvalue(a: Any, b: Any, won: Vector) -> float:
    """Return the p-value of models a and b by their strengths."""
    result = fc.bradley_terry(a, b, won, **QUIET).pairwise(correction="none")
    return float(result.pvalue[result.pairs.index(("a", "b"))])


def own_labels(a: int, b: int, n: int, variance: str) -> float:
    """Return the p-value of two accuracies on n and 10 n cases."""
    counts: Any = {"correct": (a, b), "n": (n, 10 * n)}
    return fc.two_proportions_unpaired_test(**counts, variance=variance, **QUIET).pvalue


def winning_rates(a: Any, b: Any, won: Vector) -> float:
    """Return the p-value of models a and b by their shares of battles won."""
    mine, yours = won[a == "a"], won[a == "b"]
    counts = (int(mine.sum()), int(yours.sum()))
    return fc.two_proportions_unpaired_test(
        correct=counts, n=(mine.size, yours.size), **QUIET
    ).pvalue


WORLDS: dict[str, World] = {
    "scores": World(
        "AUCs of .8, normal scores that correlate by .5",
        draw_scores,
        lambda y, s: fc.delong_test(y, s[:, 0], s[:, 1], **QUIET).pvalue,
        lambda y, s: fc.delong_unpaired_test(y, s[:, 0], y, s[:, 1], **QUIET).pvalue,
        100,
        better=better_scores,
        effect=0.48,
    ),
    "scores of few cases": World(
        "AUCs of .8, normal scores that correlate by .5",
        draw_few_scores,
        lambda y, s: fc.delong_test(y, s[:, 0], s[:, 1], reference="t", **QUIET).pvalue,
        lambda y, s: fc.delong_test(y, s[:, 0], s[:, 1], reference="normal", **QUIET).pvalue,
        5,
    ),
    "scores in clusters": World(
        "AUCs of .8, clusters of ten cases that correlate by .2",
        draw_clustered_scores,
        lambda y, s, g: fc.delong_test(y, s[:, 0], s[:, 1], groups=g, **QUIET).pvalue,
        lambda y, s, g: fc.delong_test(y, s[:, 0], s[:, 1], **QUIET).pvalue,
        250,
    ),
    "scores of several models": World(
        "AUCs of .8, normal scores that correlate by .5",
        draw_scores,
        lambda y, s: fc.delong_omnibus_test(y, named(s), **QUIET).pvalue,
        lambda y, s: each_pair(fc.delong_test, y, s),
        100,
        5,
    ),
    "labels": World(
        "80 % right, answers that correlate",
        draw_labels,
        lambda y, p: fc.mcnemar_test(y, p[:, 0], p[:, 1], **QUIET).pvalue,
        lambda y, p: fc.two_proportions_unpaired_test(y, p[:, 0], y, p[:, 1], **QUIET).pvalue,
        300,
        better=better_labels,
        effect=0.4,
    ),
    "labels in clusters": World(
        "80 % right, clusters of ten cases that correlate by .2",
        draw_clustered_labels,
        lambda y, p, g: fc.mcnemar_test(y, p[:, 0], p[:, 1], groups=g, **QUIET).pvalue,
        lambda y, p, g: fc.mcnemar_test(y, p[:, 0], p[:, 1], **QUIET).pvalue,
        500,
    ),
    "labels of several models": World(
        "80 % right, answers that correlate",
        draw_labels,
        lambda y, p: fc.cochran_q_test(y, named(p), **QUIET).pvalue,
        lambda y, p: each_pair(fc.mcnemar_test, y, p),
        300,
        5,
    ),
    "probabilities": World(
        "probabilities with as much noise by both models",
        draw_probabilities,
        lambda y, p: fc.scoring_test(y, p[:, 0], p[:, 1], **QUIET).pvalue,
        lambda y, p: fc.ttest_unpaired(*losses(y, p).T, **QUIET).pvalue,
        300,
        better=better_probabilities,
        effect=0.071,
    ),
    "probabilities of several models": World(
        "probabilities with as much noise by all models",
        draw_probabilities,
        lambda y, p: fc.mean_omnibus_test(losses(y, p), **QUIET).pvalue,
        lambda y, p: each_pair_of_rows(fc.ttest_resampled, losses(y, p)),
        300,
        5,
    ),
    "rounds": World(
        "normal scores of splits 9:1 that correlate as Nadeau and Bengio assume",
        draw_rounds,
        lambda s: fc.ttest_corrected(s[:, 0], s[:, 1], **sizes(len(s)), **QUIET).pvalue,
        lambda s: fc.wilcoxon_test(s[:, 0], s[:, 1], **QUIET).pvalue,
        100,
    ),
    "rounds, t-test": World(
        "normal scores of splits 9:1 that correlate as Nadeau and Bengio assume",
        draw_rounds,
        lambda s: fc.ttest_corrected(s[:, 0], s[:, 1], **sizes(len(s)), **QUIET).pvalue,
        lambda s: fc.ttest_resampled(s[:, 0], s[:, 1], **QUIET).pvalue,
        100,
    ),
    "rounds of several models": World(
        "normal scores of splits 9:1 that correlate as Nadeau and Bengio assume",
        draw_rounds,
        lambda s: fc.rm_anova_test(s, **sizes(len(s)), **QUIET).pvalue,
        lambda s: fc.friedman_test(s, **QUIET).pvalue,
        100,
        3,
    ),
    "rows": World(
        "normal scores of easy and hard rows",
        draw_rows,
        lambda s: fc.wilcoxon_test(s[:, 0], s[:, 1], **QUIET).pvalue,
        lambda s: fc.ttest_unpaired(s[:, 0], s[:, 1], **QUIET).pvalue,
        20,
        better=better_rows,
        effect=0.68,
    ),
    "rows of several models": World(
        "normal scores of easy and hard rows",
        draw_rows,
        lambda s: fc.friedman_test(s, **QUIET).pvalue,
        partial(each_pair_of_rows, fc.wilcoxon_test),
        20,
        5,
    ),
    "items": World(
        "normal scores of easy and hard items",
        draw_rows,
        lambda s: fc.paired_mean_test(s[:, 0], s[:, 1], **QUIET).pvalue,
        lambda s: fc.ttest_unpaired(s[:, 0], s[:, 1], **QUIET).pvalue,
        200,
        better=better_rows,
        effect=0.2,
    ),
    "items in clusters": World(
        "normal scores, clusters of ten items that correlate by .2",
        draw_clustered_rows,
        lambda s, g: fc.paired_mean_test(s[:, 0], s[:, 1], groups=g, **QUIET).pvalue,
        lambda s, g: fc.paired_mean_test(s[:, 0], s[:, 1], **QUIET).pvalue,
        500,
    ),
    "items of several models": World(
        "normal scores of easy and hard items",
        draw_rows,
        lambda s: fc.mean_omnibus_test(s, **QUIET).pvalue,
        partial(each_pair_of_rows, fc.ttest_resampled),
        200,
        5,
    ),
    "labels of own cases": World(
        "95 % right, one model on ten times as many cases",
        draw_own_labels,
        lambda a, b, n: own_labels(a, b, n, "pooled"),
        lambda a, b, n: own_labels(a, b, n, "unpooled"),
        20,
    ),
    "own rows": World(
        "normal scores, the fewer vary twice as much",
        draw_own_rows,
        lambda a, b: fc.ttest_unpaired(a, b, **QUIET).pvalue,
        lambda a, b: fc.folds_unpaired_test([a, b], method="anova", **QUIET).pvalue,
        10,
    ),
    "battles": World(
        "two equal models, of which one meets the weaker opponents in 70 % of its battles",
        draw_battles,
        battle_pvalue,
        winning_rates,
        400,
    ),
}
