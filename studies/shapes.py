"""Shapes of data in which tests err: what `studies.promise` draws.

Sizes of clusters, weights and the numbers of battles of judges are lognormal, models are skewed one
by one, positives and discordant answers are rare: equal sizes and symmetric shapes hide everything.
A draw takes a generator, a size, the number of models, and what the first half of the models gains,
in standard errors of a difference, about; of a draw at the margin, a call of the test comes back.
"""

import math
from functools import partial
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

import fastcompare as fc

NORMAL = NormalDist()
MARGIN = 0.02
REPEATS = {"n_train": 90, "n_test": 10}


class Drawn(NamedTuple):
    """A data set: arguments and options of the test, tables whose means are compared, the truth."""

    args: tuple[Any, ...]
    options: dict[str, Any]
    parts: tuple[Any, ...]  # tables (n, k); their variances add up
    values: Any  # of the models, NaN where only their order is known


def named(table):
    """Return the columns of a table by names."""
    return {f"m{j}": np.ascontiguousarray(column) for j, column in enumerate(table.T)}


def models_of(k):
    """Return the option that names the models: ten numbers may pass for per cent or shares."""
    return {"models": [f"m{j}" for j in range(k)]}


def better(k, gain):
    """Return what each model gains: the first half of them something."""
    return np.where(np.arange(k) < k // 2, gain, 0.0)


def alike(rng, n, k, rho=0.5):
    """Return normal columns (n, k) of variance 1 / (2 - 2 rho) that correlate by rho."""
    own = rng.normal(size=(n, k)) * math.sqrt(0.5)
    return own + rng.normal(size=(n, 1)) * math.sqrt(0.5 * rho / (1.0 - rho))


def skewed(rng, n, k):
    """Return a lognormal column around 0 and normal ones of half its variance's root, about."""
    columns = rng.normal(size=(n, k)) * 0.5
    columns[:, 0] = rng.lognormal(size=n) - math.exp(0.5)
    return columns


def lognormals(rng, n, k):
    """Return lognormal columns around 0."""
    return rng.lognormal(size=(n, k)) - math.exp(0.5)


def heavy(rng, n, k):
    """Return normal columns that vary ten times as much in 5% of their cells."""
    return rng.normal(size=(n, k)) * np.where(rng.random((n, k)) < 0.05, 10.0, 1.0)


def two_wide(rng, n, k):
    """Return normal columns, the first and the last of which vary five times as much."""
    wide = np.isin(np.arange(k), (0, k - 1))
    return rng.normal(size=(n, k)) * np.where(wide, 5.0, 1.0)


def rare(rng, n, k):
    """Return normal columns, the first of which is 10 higher in 5% of the rows."""
    columns = rng.normal(size=(n, k))
    columns[:, 0] += np.where(rng.random(n) < 0.05, 10.0, 0.0) - 0.5
    return columns


def clusters_of(rng, n):
    """Return the cluster of each row: of lognormal sizes, or one of 60 among 20 of 3."""
    sizes = [60, *[3] * 20] if n == "60 + 20 × 3" else np.ceil(rng.lognormal(np.log(5.0), 1.0, n))
    return np.repeat(np.arange(len(sizes)), np.asarray(sizes, dtype=int))


def within(rng, groups, k, shape=alike):
    """Return columns of which the rows of a cluster correlate by one half."""
    shared = shape(rng, groups[-1] + 1, k)[groups]
    return math.sqrt(0.5) * (shared + shape(rng, groups.size, k))


def sums_of(table, groups):
    """Return the sums of the rows of each cluster, over its mean size."""
    sums = np.stack([np.bincount(groups, column) for column in table.T], axis=1)
    return sums * (len(sums) / groups.size)


def draw_items(rng, n, k, gain, shape):
    """Return scores of items; half the models are higher by so many standard errors."""
    values = better(k, gain / math.sqrt(n) * (2.0 if shape is skewed else 1.0))
    table = shape(rng, n, k) + values
    return Drawn((named(table),), {"kind": "items", **models_of(k)}, (table,), values)


def draw_answers(rng, n, k, gain, right, kind="items"):
    """Return answers that are right or wrong, of items or as labels of cases."""
    cut = NORMAL.inv_cdf(right)
    values = cut + better(k, 2.0 * gain / math.sqrt(n))
    correct = alike(rng, n, k) <= values
    truth = np.array([NORMAL.cdf(value) for value in values])
    rows = correct.astype(float)
    if kind == "items":
        return Drawn((named(rows),), {"kind": kind}, (rows,), truth)
    y = rng.integers(0, 2, n)
    said = np.where(correct, y[:, None], 1 - y[:, None])
    return Drawn((y, named(said)), {"kind": kind}, (rows,), truth)


def draw_clusters(rng, n, k, gain, kind="items", right=None, shape=alike):
    """Return scores of items, or labels of cases, in clusters of unequal sizes."""
    groups = clusters_of(rng, n)
    units = groups[-1] + 1
    values = better(k, (2.4 if shape is skewed else 1.2) * gain / math.sqrt(units))
    rows = within(rng, groups, k, shape)
    options = {"kind": kind, "groups": groups}
    if right is None:
        rows = rows + values
        return Drawn((named(rows),), options, (sums_of(rows, groups),), values)
    cuts = NORMAL.inv_cdf(right) + values
    correct, y = rows <= cuts, rng.integers(0, 2, groups.size)
    said = np.where(correct, y[:, None], 1 - y[:, None])
    truth = np.array([NORMAL.cdf(cut) for cut in cuts])
    return Drawn((y, named(said)), options, (sums_of(correct, groups),), truth)


def draw_weighted(rng, n, k, gain):
    """Return scores of items with lognormal weights."""
    weight, values = rng.lognormal(size=n), better(k, 1.9 * gain / math.sqrt(n))
    table = alike(rng, n, k) + values
    parts = (table * (weight / weight.mean())[:, None],)
    return Drawn((named(table),), {"kind": "items", "sample_weight": weight}, parts, values)


def draw_scores(rng, n, k, gain, auc=0.8, spread=1.0, ordinal=False, rho=0.5, best=None):
    """Return scores of positives and negatives; those of the better models' positives are higher.

    Positives vary by `spread` in every second model, at the same AUC. The better models' is `best`,
    where that is told, else by the gain.
    """
    y = np.repeat([1, 0], n)
    spreads = np.where(np.arange(k) % 2 == 1, spread, 1.0)
    ahead = 1.5 * gain / math.sqrt(4 * min(n))
    if best and gain:
        ahead = NORMAL.inv_cdf(best) - NORMAL.inv_cdf(auc)
    apart = np.full(k, NORMAL.inv_cdf(auc)) + better(k, ahead)
    noise = alike(rng, y.size, k, rho) * math.sqrt(2.0 - 2.0 * rho)
    noise[: n[0]] = noise[: n[0]] * spreads + apart * np.sqrt(1.0 + spreads**2)
    scores = np.clip(np.round(noise), -1, 3) if ordinal else noise
    truth = np.array([math.nan if ordinal else NORMAL.cdf(shift) for shift in apart])
    return Drawn((y, named(scores)), {"kind": "scores"}, placements(scores, n[0]), truth)


def placements(scores, m):
    """Return the shares of the other class that each positive, and each negative, beats."""
    positive, negative = scores[:m], scores[m:]
    wins = (positive[:, None] > negative).astype(float)
    wins += 0.5 * (positive[:, None] == negative)
    return wins.mean(axis=1), wins.mean(axis=0)


def draw_forecasts(rng, n, k, gain):
    """Return forecasts of events whose chances vary; the better models know them better."""
    logit = 1.5 * rng.normal(size=n)
    y = (rng.random(n) < 1.0 / (1.0 + np.exp(-logit))).astype(int)
    noise = np.where(better(k, gain) > 0.0, 0.3, 0.7) * rng.normal(size=(n, k))
    return forecasts(y, 1.0 / (1.0 + np.exp(-(logit[:, None] + noise))))


def draw_rare_events(rng, n, k, gain, prevalence=0.05, clustered=False):
    """Return forecasts of rare events: one model says 1.8 times the risk, others 1 ± .8 times.

    All have the same expected Brier score; better models are 1 ± .2 times off. Events of a cluster
    correlate by one half.
    """
    groups = clusters_of(rng, n) if clustered else np.arange(n)
    units = groups[-1] + 1
    risk = (prevalence * rng.uniform(0.5, 1.5, units))[groups]
    y = (rng.random(groups.size) < risk).astype(int)
    if clustered:
        together = (rng.random(units) < risk[np.unique(groups, return_index=True)[1]])[groups]
        y = np.where(rng.random(groups.size) < math.sqrt(0.5), together, y).astype(int)
    signs = rng.choice([-1.0, 1.0], (groups.size, k))
    signs[:, 0] = 1.0
    off = np.where(better(k, gain) > 0.0, 0.2, 0.8)
    return forecasts(y, risk[:, None] * (1.0 + off * signs), groups if clustered else None)


def forecasts(y, table, groups=None):
    """Return forecasts, and their losses, whose means are not known."""
    values = np.full(table.shape[1], np.nan)
    losses, options = (table - y[:, None]) ** 2, {"kind": "probabilities"}
    if groups is not None:
        losses, options["groups"] = sums_of(losses, groups), groups
    return Drawn((y, named(table)), options, (losses,), values)


def draw_rounds(rng, n, k, gain):
    """Return scores of rounds that correlate as Nadeau and Bengio assume."""
    values = better(k, gain * math.sqrt(2.0 * 0.9 * (1.0 / n + 1.0 / 9.0)))
    table = math.sqrt(0.1) * rng.normal(size=k) + math.sqrt(0.9) * rng.normal(size=(n, k)) + values
    return Drawn((named(table),), {"kind": "folds", **REPEATS, **models_of(k)}, (table,), values)


def draw_tasks(rng, n, k, gain, shape):
    """Return scores on data sets, some of which are harder."""
    values = better(k, gain / math.sqrt(n) * (1.4 if shape is two_wide else 1.0))
    table = shape(rng, n, k) + 3.0 * rng.normal(size=(n, 1)) + values
    options = {"kind": "datasets", **models_of(k)}
    return Drawn((named(table),), options, (table,), np.full(k, np.nan))


def draw_battles(rng, n, k, gain, judges=None):
    """Return battles of two models each, of judges who differ in what they like."""
    judge = np.arange(n)
    if judges is not None:
        judge = np.repeat(np.arange(n), np.ceil(rng.lognormal(np.log(10.0), 1.0, n)).astype(int))
    strengths = better(k, 1.8 * gain * math.sqrt(k / (judge.size if judges is None else 4 * n)))
    taste = strengths + (0.0 if judges is None else 0.7) * rng.normal(size=(judge[-1] + 1, k))
    first = rng.integers(0, k, judge.size)
    other = (first + rng.integers(1, k, judge.size)) % k
    gaps = taste[judge, first] - taste[judge, other]
    won = (rng.random(judge.size) < 1.0 / (1.0 + np.exp(-gaps))).astype(float)
    names = np.array([f"m{j}" for j in range(k)])
    data = {"model_a": names[first], "model_b": names[other], "outcome": won}
    options = {"kind": "battles"} | ({} if judges is None else {"groups": judge})
    values = strengths if judges is None else np.full(k, np.nan)  # tastes attenuate
    return Drawn((data,), options, (), values)


def answers_at_margin(rng, n, test):
    """Return a call of the test, of answers of which one model has 2% fewer right."""
    kinds = rng.choice(3, n, p=(0.97, 0.005, 0.025))  # alike, only the first right, the second
    both = rng.random(n) < 0.8
    a, b = np.where(kinds == 0, both, kinds == 1), np.where(kinds == 0, both, kinds == 2)
    if test is fc.mcnemar_test:
        return partial(test, correct_a=a, correct_b=b, margin=MARGIN)
    return partial(test, a.astype(float), b.astype(float), margin=MARGIN)


def clustered_answers_at_margin(rng, n):
    """Return a call of the paired test of answers in clusters, .85 and .95 of which are right."""
    groups = clusters_of(rng, n)
    cuts = np.array([NORMAL.inv_cdf(0.85), NORMAL.inv_cdf(0.95)])
    a, b = (within(rng, groups, 2) <= cuts).T.astype(float).copy()
    return partial(fc.paired_mean_test, a, b, groups=groups, margin=0.1)


def scores_at_margin(rng, n, rho=0.5, auc=0.85):
    """Return a call of DeLong's test of two AUCs, of which the second is higher by .05."""
    drawn = draw_scores(rng, n, 2, 0.0, auc=auc, rho=rho)
    (y, scores), m = drawn.args, n[0]
    b = scores["m1"].copy()
    b[:m] += math.sqrt(2.0) * (NORMAL.inv_cdf(auc + 0.05) - NORMAL.inv_cdf(auc))
    return partial(fc.delong_test, y, scores["m0"], b, margin=0.05)


def means_at_margin(rng, n, shape):
    """Return a call of the paired test of means that differ by the margin; skewed is the second."""
    b, a = shape(rng, n, 2).T
    return partial(fc.paired_mean_test, a - 0.5, b, margin=0.5)


def rounds_at_margin(rng, n):
    """Return a call of the corrected t-test of models that differ by the margin."""
    a, b = draw_rounds(rng, n, 2, 0.0).args[0].values()
    return partial(fc.ttest_corrected, a - 0.5, b, margin=0.5, **REPEATS)
