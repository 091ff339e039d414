"""Simulate how often tests of independent scores reject a true null hypothesis.

    python -m studies.independent_errors [--trials 10000] [--jobs 2] [--write]

Scores of three models on independent rounds or data sets, whose own difficulty adds to all scores
of a row; tests of unpaired scores get scores without it. No model is the better one.
"""

from collections import Counter

import numpy as np

import fastcompare as fc
from studies.tables import markdown, percent, run

MODELS = 3
ALPHA = 0.05
QUIET = {"on_undefined": "ignore"}
DRAWS = 1000  # from the posterior of the Bayesian signed rank test
PARTS = 8  # of a column, each a cell of its own, so that processes end together


def normal(rows, rng):
    return rng.normal(size=(rows, MODELS))


def heavy(rows, rng):
    return rng.standard_t(3, size=(rows, MODELS))


def uneven(rows, rng):
    return rng.normal(size=(rows, MODELS)) * [1.0, 1.0, 5.0]


SOURCES = {
    "10 rows, normal": (normal, 10),
    "30 rows, normal": (normal, 30),
    "30 rows, t with 3 df": (heavy, 30),
    "30 rows, one model varies 5 times as much": (uneven, 30),
}


def rejection(posterior):
    """Return twice how improbable it is that the model that seems the better one is that."""
    return 2.0 * (1.0 - max(posterior.probability_a, posterior.probability_b))


def paired_pvalues(scores, seed):
    """Yield names of tests of the same rows and their p-values; pairs are the first two models."""
    a, b = scores[:, 0], scores[:, 1]
    yield "ttest_resampled", fc.ttest_resampled(a, b, **QUIET).pvalue
    yield "wilcoxon_test", fc.wilcoxon_test(a, b, **QUIET).pvalue
    yield "sign_test", fc.sign_test(a, b, **QUIET).pvalue
    yield (
        "bayes_signed_rank",
        rejection(fc.bayes_signed_rank(a, b, rope=0.0, rng=seed, n_resamples=DRAWS)),
    )
    yield "bayes_sign", rejection(fc.bayes_sign(a, b, rope=0.0))
    for sphericity in ("none", "auto"):
        p = fc.rm_anova_test(scores, sphericity=sphericity, **QUIET).pvalue
        yield f"rm_anova_test, sphericity='{sphericity}'", p
    yield "mauchly_test", fc.mauchly_test(scores, **QUIET).pvalue


def unpaired_pvalues(scores):
    """Yield names of tests of rows of each model's own and their p-values."""
    columns = dict(zip("abc", scores.T, strict=True))
    pair = {name: columns[name] for name in "ab"}
    yield "ttest_unpaired", fc.ttest_unpaired(*pair.values(), **QUIET).pvalue
    for method, models in (("mann-whitney", pair), ("anova", columns), ("kruskal-wallis", columns)):
        p = fc.folds_unpaired_test(models, method=method, **QUIET).pvalue
        yield f"folds_unpaired_test, method='{method}'", p


CELLS = [(source, part) for part in range(PARTS) for source in SOURCES]


def rejections(cell, trials):
    """Return in how many of so many trials each test rejects."""
    source, part = cell
    draw, rows = SOURCES[source]
    rng, rejected = np.random.default_rng([rows, len(source), part]), Counter()
    for trial in range(part, PARTS * trials, PARTS):
        scores = draw(rows, rng)
        difficulty = 3.0 * rng.normal(size=(rows, 1))
        for name, p in (*paired_pvalues(scores + difficulty, trial), *unpaired_pvalues(scores)):
            rejected[name] += p <= ALPHA
    return rejected


def measure(cell, trials):
    """Return the rejections of one part of the trials of a column, and how many these are."""
    own = len(range(cell[1], trials, PARTS))
    return rejections(cell, own), own


def show(cells, found):
    """Return a Markdown table of percentages, a row a test and a column a source."""
    columns, trials = {}, Counter()
    for (source, _), (rejected, own) in zip(cells, found, strict=True):
        columns.setdefault(source, Counter()).update(rejected)
        trials[source] += own
    rows = (
        [
            f"`{name}`",
            *(percent(counts[name] / trials[source]) for source, counts in columns.items()),
        ]
        for name in next(iter(columns.values()))
    )
    return markdown(["test", *columns], rows)


if __name__ == "__main__":
    run("independent_errors", "evidence/folds.md", CELLS, measure, show, trials=10_000)
