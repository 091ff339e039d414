"""Shapes whose difference rests on few cases: what `studies.promise` draws besides `.shapes`.

Comparators that hardly vary, failures in a small share of the cases or in whole clusters, ratings
and costs most of which are alike, weights that depend on the score, and codings of the same
answers. Of equal models every second one has the feature; all have the same expected score.
"""

import math
from functools import partial

import numpy as np

import fastcompare as fc

from .shapes import (
    NORMAL,
    Drawn,
    alike,
    better,
    clusters_of,
    forecasts,
    named,
    placements,
    sums_of,
)


def featured(k):
    """Return which models have the feature: every second one, from the first on."""
    return np.arange(k) % 2 == 0


def constant(rng, n, k):
    """Return scores that are all the same."""
    return np.zeros((n, k))


def rule(rng, n, k, fires=0.05):
    """Return scores of rules that fire in a small share of the cases."""
    return (rng.random((n, k)) < fires).astype(float)


def zeros(rng, n, k):
    """Return scores that are 0 in 90% of the cases."""
    return np.where(rng.random((n, k)) < 0.9, 0.0, rng.random((n, k)))


def leaves(rng, n, k):
    """Return scores of trees of three leaves."""
    return rng.choice([0.1, 0.5, 0.7], (n, k), p=[0.6, 0.3, 0.1])


def draw_against(rng, n, k, gain, comparator, auc=0.85):
    """Return scores of models, the second half of which say nothing and hardly vary.

    The first half have an AUC of .5 too, or else this one.
    """
    y, first = np.repeat([1, 0], n), k // 2
    scores = comparator(rng, y.size, k)
    shift = math.sqrt(2.0) * NORMAL.inv_cdf(auc) if gain else 0.0
    scores[:, :first] = rng.normal(size=(y.size, first)) + shift * y[:, None]
    truth = np.where(np.arange(k) < first, auc if gain else 0.5, 0.5)
    options = {"kind": "scores", "models": [f"m{j}" for j in range(k)]}
    return Drawn((y, named(scores)), options, placements(scores, n[0]), truth)


def draw_failing(rng, n, k, gain, auc, share, best):
    """Return scores of models, every second of which ranks a share of its positives last."""
    y = np.repeat([1, 0], n)
    truth = np.where(better(k, gain) > 0.0, best, auc)
    failing = ~featured(k) & (better(k, gain) == 0.0)
    shifts = [
        math.sqrt(2.0) * NORMAL.inv_cdf(min(value / (1.0 - share * fails), 1.0 - 1e-9))
        for value, fails in zip(truth, failing, strict=True)
    ]
    scores = alike(rng, y.size, k) + np.array(shifts) * y[:, None]
    last = (rng.random((y.size, k)) < share) & failing & (y[:, None] == 1)
    scores = np.where(last, -50.0, scores)
    return Drawn((y, named(scores)), {"kind": "scores"}, placements(scores, n[0]), truth)


def draw_failing_clusters(rng, n, k, gain, share=0.08):
    """Return answers of models that fail on whole clusters, or else on as many single cases."""
    groups = clusters_of(rng, n)
    share = np.where(better(k, gain) > 0.0, share / 8.0, share)
    wrong = np.where(
        featured(k),
        (rng.random((groups[-1] + 1, k)) < share)[groups],
        rng.random((groups.size, k)) < share,
    )
    y = rng.integers(0, 2, groups.size)
    said = np.where(wrong, 1 - y[:, None], y[:, None])
    options = {"kind": "labels", "groups": groups}
    return Drawn((y, named(said)), options, (sums_of(~wrong, groups),), 1.0 - share)


def draw_ratings(rng, n, k, gain):
    """Return ratings of 1 (4%) or 5, and of 4 (16%) or 5, which have the same mean."""
    low = np.where(featured(k), 1.0, 4.0)
    share = np.where(featured(k), 0.04, 0.16) / (1.0 + better(k, gain))
    table = np.where(rng.random((n, k)) < share, low, 5.0)
    return Drawn((named(table),), {"kind": "items"}, (table,), 5.0 - share * (5.0 - low))


def draw_costs(rng, n, k, gain, share=0.02):
    """Return costs that are 0 but in a small share of the items, and normal ones of that mean."""
    mean = 4.0 * share
    rare = np.where(rng.random((n, k)) < share, rng.gamma(4.0, size=(n, k)), 0.0)
    normal = mean + 0.1 * rng.normal(size=(n, k))
    values = mean + better(k, gain * 0.4 / math.sqrt(n))
    table = np.where(featured(k), rare, normal) + (values - mean)
    options = {"kind": "items", "models": [f"m{j}" for j in range(k)]}
    return Drawn((named(table),), options, (table,), values)


def draw_one_long_tail(rng, n, k, gain):
    """Return normal items of which one model's are lognormal with a standard deviation of 1.5."""
    table = rng.normal(size=(n, k))
    table[:, 0] = rng.lognormal(0.0, 1.5, n) - math.exp(1.125)
    values = better(k, 3.0 * gain / math.sqrt(n))
    options = {"kind": "items", "models": [f"m{j}" for j in range(k)]}
    return Drawn((named(table + values),), options, (table + values,), values)


def draw_weighted_by_score(rng, n, k, gain):
    """Return items whose skewed models' high scores are sampled five times less often, weight 5."""
    pool = 4 * n
    table = 0.5 * rng.normal(size=(pool, k))
    table[:, featured(k)] = rng.lognormal(size=(pool, k))[:, featured(k)] - math.exp(0.5)
    high = table[:, 0] > 1.0
    kept = np.flatnonzero(~high | (rng.random(pool) < 0.2))[:n]
    values = better(k, 2.0 * gain / math.sqrt(n))
    table, weight = table[kept] + values, np.where(high[kept], 5.0, 1.0)
    options = {"kind": "items", "sample_weight": weight}
    return Drawn((named(table),), options, (), values)


def draw_weighted_answers(rng, n, k, gain, right=0.99):
    """Return answers nearly all of which are right, a fifth of which weigh 16 times as much."""
    share = 1.0 - np.where(better(k, gain) > 0.0, 0.1, 1.0) * (1.0 - right)
    table = (rng.random((n, k)) < share).astype(float)
    weight = np.where(rng.random(n) < 0.2, 16.0, 1.0)
    parts = (table * (weight / weight.mean())[:, None],)
    return Drawn((named(table),), {"kind": "items", "sample_weight": weight}, parts, share)


def draw_sure(rng, n, k, gain, wrong=0.014, sure=0.999):
    """Return forecasts that are almost sure and rarely wrong, and timid ones of that Brier score.

    The better models are never wrong.
    """
    y = rng.integers(0, 2, n)
    loss = (1.0 - wrong) * (1.0 - sure) ** 2 + wrong * sure**2
    timid = 1.0 - math.sqrt(loss) * np.abs(rng.normal(size=(n, k)))
    said = np.where(featured(k), sure, np.clip(timid, 0.0, 1.0))
    errs = (rng.random((n, k)) < wrong) & featured(k) & (better(k, gain) == 0.0)
    said = np.where(better(k, gain) > 0.0, sure, said)
    right = np.where(errs, 1.0 - said, said)
    return forecasts(y, np.where(y[:, None] == 1, right, 1.0 - right))


def draw_one_order(rng, n, k, gain, bias=0.8):
    """Return battles in which the model with the smaller number is always shown first."""
    strengths = better(k, 1.8 * gain * math.sqrt(k / n))
    first, other = np.sort([rng.permutation(k)[:2] for _ in range(n)], axis=1).T
    gaps = strengths[first] - strengths[other] + bias
    won = (rng.random(n) < 1.0 / (1.0 + np.exp(-gaps))).astype(float)
    names = np.array([f"m{j}" for j in range(k)])
    data = {"model_a": names[first], "model_b": names[other], "outcome": won}
    return Drawn((data,), {"kind": "battles"}, (), np.full(k, np.nan))


def coded_at_margin(rng, n, least, most):
    """Return a call of the paired test of answers coded so; one model has 3% wrong, the margin."""
    a = np.where(rng.random(n) < 0.03, least, most)
    return partial(fc.paired_mean_test, a, np.full(n, float(most)), margin=0.03 * (most - least))
