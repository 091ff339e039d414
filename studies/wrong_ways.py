"""Simulate how often ways to compare models that are common, and wrong, find what is not there.

    python -m studies.wrong_ways [--trials 10000] [--jobs 2] [--write]

No model is better than the other in any way's data. Where `fastcompare.advice` has a design for a
way, that is it; rounds are those of `studies.fold_errors`, trained on drawn data.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

import fastcompare as fc
from fastcompare.simulate.null_designs import NULL_DESIGNS, QUIET
from studies.fold_errors import DESIGN, SHIFT, centroid_accuracies, learned
from studies.tables import markdown, percent, run

CHECKPOINTS = 20
TEST_CASES = 500
POOLED, FOLDS = 100, 10  # cases of a pooled cross-validation, and its folds
EASY = 0.8416  # 80% of the cases are answered right


class Way(NamedTuple):
    """What is done, on which data, what to call instead, and functions that return p-values."""

    name: str
    where: str
    instead: str
    draw: Callable
    wrong: Callable
    right: Callable
    effect: float = 0.0  # at which power is measured, where the wrong way keeps its level


def of_world(name, where, instead, world, wrong=None):
    """Return a way whose data and tests a design of `fastcompare.advice` has."""
    known = NULL_DESIGNS[world]
    draw = known.at(known.n, known.k)
    return Way(name, where, instead, draw, wrong or known.wrong, known.right, known.effect)


def of_rounds(name, design, wrong):
    """Return a way to test the scores of two models by round."""
    design = DESIGN[design]
    where = f"nearest centroids, {design.name}"
    return Way(
        name,
        where,
        "ttest_corrected",
        lambda rng, effect: learned(centroid_accuracies, design, rng),
        lambda s: wrong(s[:, 0], s[:, 1], **QUIET).pvalue,
        lambda s: fc.ttest_corrected(s[:, 0], s[:, 1], **design.sizes, **QUIET).pvalue,
    )


def apart(scores):
    """Return 0, that is "different", if the 95% intervals of two means do not overlap, else 1."""
    a, b = (fc.mean_interval(column, **QUIET).confidence_interval() for column in scores.T)
    return float(a.low <= b.high and b.low <= a.high)


def outside(a, b):
    """Return 0 if the first model's mean lies outside of the second's 95% interval, else 1."""
    other = fc.mean_interval(b, **QUIET).confidence_interval()
    return float(other.low <= a.mean() <= other.high)


def draw_own_items(rng, effect):
    """Return the scores of two models, each of 200 items of its own."""
    return tuple(rng.normal(size=(2, 200)))


def draw_checkpoints(rng, effect):
    """Return right answers to validation and test cases: of a baseline, and of checkpoints.

    All are right on 80% of the cases; checkpoints are more alike than they and the baseline are.
    """
    n = 2 * TEST_CASES
    case, run_, own = (rng.normal(size=(n, k)) for k in (1, 1, CHECKPOINTS))
    checkpoints = math.sqrt(0.5) * case + math.sqrt(0.2) * run_ + math.sqrt(0.3) * own
    baseline = math.sqrt(0.5) * (case + rng.normal(size=(n, 1)))
    right = (np.hstack([baseline, checkpoints]) < EASY).astype(int)
    return right[:TEST_CASES], right[TEST_CASES:]


def best_checkpoint(chosen_on, tested):
    """Return McNemar's p-value, by test cases, of the checkpoint that is best on other cases."""
    best = 1 + chosen_on[:, 1:].sum(axis=0).argmax()
    return fc.mcnemar_test(np.ones(len(tested)), tested[:, best], tested[:, 0], **QUIET).pvalue


def pooled(n_cases, drift):
    """Return the function that draws scores of a cross-validation of nearest centroids, by case.

    The second model's scores drift: a constant of each fold, as large as `drift` standard
    deviations, is added, which leaves every fold's AUC as it is.
    """

    def draw(rng, effect):
        y = rng.permutation(np.arange(n_cases) % 2)
        x = rng.normal(size=(2, n_cases, 5)) + SHIFT * y[:, None]
        tested = folds_of(n_cases, rng)
        scores = np.empty((n_cases, 2))
        for rows in tested:
            for j, own in enumerate(x):
                low, high = (own[~rows & (y == label)].mean(axis=0) for label in (0, 1))
                scores[rows, j] = (own[rows] - (low + high) / 2.0) @ (high - low)
            scores[rows, 1] += drift * scores[rows, 1].std() * rng.normal()
        return y, scores, tested

    return draw


def folds_of(n_cases, rng):
    """Return the tested cases (J, n) of one cross-validation."""
    tested = np.zeros((FOLDS, n_cases), bool)
    for rows, part in zip(tested, np.array_split(rng.permutation(n_cases), FOLDS), strict=True):
        rows[part] = True
    return tested


def delong_of_pooled(y, scores, tested):
    """Return DeLong's p-value of the scores of all folds, as if one model had made them."""
    return fc.delong_test(y, scores[:, 0], scores[:, 1], **QUIET).pvalue


def corrected_t_of_aucs(y, scores, tested):
    """Return the p-value of the AUCs of the folds that hold both classes."""
    both = [rows for rows in tested if 0 < y[rows].sum() < rows.sum()]
    aucs = np.array([[fc.roc_auc(y[rows], s[rows]) for s in scores.T] for rows in both])
    sizes = {"n_train": 1.0 - 1.0 / FOLDS, "n_test": 1.0 / FOLDS}
    return fc.ttest_corrected(aucs[:, 0], aucs[:, 1], **sizes, **QUIET).pvalue


def of_pooled(where, drift):
    """Return the way to pool the scores of all folds."""
    return Way(
        "DeLong's test of pooled cross-validation scores",
        where,
        "ttest_corrected",
        pooled(POOLED, drift),
        delong_of_pooled,
        corrected_t_of_aucs,
    )


WAYS = (
    of_rounds("t-test of 10 times 10 folds", "10 times 10-fold", fc.ttest_resampled),
    of_rounds("Wilcoxon's test of splits", "100 splits 9:1", fc.wilcoxon_test),
    of_world("z-test of two accuracies on the same cases", "300 cases", "mcnemar_test", "labels"),
    of_world(
        "checking whether two intervals overlap",
        "200 items, both models",
        "paired_mean_test",
        "items",
        apart,
    ),
    Way(
        "checking whether a mean lies outside the other's interval",
        "200 different items for each model",
        "ttest_unpaired",
        draw_own_items,
        outside,
        lambda a, b: fc.ttest_unpaired(a, b, **QUIET).pvalue,
    ),
    of_world(
        "DeLong's test that ignores clusters",
        "50 clusters of ten cases",
        "delong_test(…, groups=…)",
        "scores in clusters",
    ),
    of_world(
        "test of means that ignores clusters",
        "50 clusters of ten items",
        "paired_mean_test(…, groups=…)",
        "items in clusters",
    ),
    Way(
        f"the best of {CHECKPOINTS} checkpoints, chosen on the test cases",
        f"{TEST_CASES} cases",
        "mcnemar_test",
        draw_checkpoints,
        lambda validation, test: best_checkpoint(test, test),
        lambda validation, test: best_checkpoint(validation, test),
    ),
    of_pooled(f"{POOLED} cases, 10 folds, nearest centroids", 0.0),
    of_pooled("the same, but the second model's scores drift from fold to fold", 1.0),
    of_world(
        "each pair at 5%, unadjusted",
        "five models, 100 cases per class",
        "delong_omnibus_test",
        "scores of several models",
    ),
    of_world(
        "DeLong's test with few cases, by the normal distribution",
        "5 positives, 45 negatives",
        'delong_test(…, reference="t")',
        "scores of few cases",
    ),
)


def measure(cell, trials):
    """Return how often the wrong and the right way of a cell reject, then their power, if any."""
    way = WAYS[cell]
    tests = {"wrong": way.wrong, "right": way.right}
    return tuple(
        rate
        for effect in dict.fromkeys((0.0, way.effect))
        for rate in fc.simulate_error_rates(
            tests, way.draw, effect=effect, n_trials=trials, rng=1
        ).rate
    )


def show(cells, found):
    """Return a table with a row a way."""
    head = ("what is done", "data", "rejects", "call instead", "which rejects", "power")
    rows = []
    for cell, (wrong, right, *power) in zip(cells, found, strict=True):
        way, both = WAYS[cell], " / ".join(map(percent, power))
        row = (way.name, way.where, percent(wrong), f"`{way.instead}`", percent(right), both)
        rows.append(row)
    return markdown(head, rows)


if __name__ == "__main__":
    run("wrong_ways", "concepts/wrong.md", range(len(WAYS)), measure, show, trials=10_000)
