"""Replicates of curves have the right distribution, intervals cover, tests keep their level."""

import numpy as np
import pytest
from scipy.stats import ks_2samp, norm
from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve

import fastcompare as fc
from tests.shared.curve_measures import MEASURES, example, options_of

pytestmark = pytest.mark.slow


def scikit_learn_values(labels, scores):
    fpr, tpr, _ = roc_curve(labels, scores, drop_intermediate=False)
    return {
        "fpr standardized": roc_auc_score(labels, scores, max_fpr=0.2),
        "sensitivity": np.interp(0.123456, fpr, tpr),
        "precision": average_precision_score(labels, scores),
    }


@pytest.mark.parametrize("stratified", [True, False])
def test_replicates_are_distributed_as_by_drawing_cases(stratified, requires_jit):
    labels, (scores, _) = example()
    rng = np.random.default_rng(3)
    drawn = []
    for _ in range(300):
        rows = rng.integers(0, labels.size, labels.size)
        if stratified:
            own = [np.flatnonzero(labels == label) for label in (0, 1)]
            rows = np.concatenate([rng.choice(rows, rows.size) for rows in own])
        drawn.append(scikit_learn_values(labels[rows], scores[rows]))
    measured = {
        "fpr standardized": {"fpr": (0, 0.2), "standardized": True},
        "sensitivity": {"specificity": 1 - 0.123456},
        "precision": {},
    }
    for name, own_options in measured.items():
        options = {"method": "percentile", "stratified": stratified, **own_options}
        result = MEASURES[name].interval(labels, scores, keep=True, rng=2, **options)
        expected = np.array([values[name] for values in drawn])
        assert ks_2samp(result.distribution, expected).pvalue > 0.001, name
        assert result.standard_error == pytest.approx(expected.std(ddof=1), rel=0.15), name


def covered(interval, truth):
    low, high = interval.confidence_interval()
    return low <= truth <= high


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_intervals_cover(method, requires_jit):
    x = np.linspace(0, 0.3, 30001)[1:]
    heights = norm.cdf(1 + norm.ppf(x))
    area = float(np.sum(heights[1:] + heights[:-1]) * 0.5 * (x[1] - x[0]))
    truths = {
        "fpr": ({"fpr": (0, 0.3)}, area),
        "sensitivity": ({"specificity": 0.7}, float(norm.cdf(1 + norm.ppf(0.3)))),
        "specificity": ({"sensitivity": 0.7}, float(norm.cdf(1 + norm.ppf(0.3)))),
    }
    hits = dict.fromkeys(truths, 0)
    for seed in range(200):
        labels, (scores,) = example(50, 50, seed=seed, k=1)
        options = {"rng": seed, "n_resamples": 499, "method": method}
        for name, (own, truth) in truths.items():
            hits[name] += covered(MEASURES[name].interval(labels, scores, **options, **own), truth)
    for name, count in hits.items():
        assert 0.90 <= count / 200 <= 0.99, (name, count)


def test_intervals_of_average_precision_cover_in_average_precision_interval(requires_jit):
    cuts = np.linspace(8, -8, 100001)
    tpr, fpr = norm.sf(cuts - 1), norm.sf(cuts)
    truth = float(np.sum(np.diff(tpr) * (tpr / (tpr + fpr))[1:]))
    hits = 0
    for seed in range(200):
        labels, (scores,) = example(100, 100, seed=seed, k=1)
        interval = fc.average_precision_interval(
            labels, scores, rng=seed, n_resamples=499, method="bca"
        )
        hits += covered(interval, truth)
    assert 0.88 <= hits / 200 <= 0.985


def test_pvalues_are_uniform_where_models_are_alike(requires_jit):
    rejected = dict.fromkeys(MEASURES, 0)
    for seed in range(150):
        labels, (common, one, other) = example(50, 50, seed=seed, k=3)
        options = {"rng": seed, "n_resamples": 399}
        for name, functions in MEASURES.items():
            result = functions.test(
                labels, common + one, common + other, **options, **options_of(name, (100, 700))
            )
            rejected[name] += result.pvalue <= 0.1
    for name, count in rejected.items():
        steps = name in ("sensitivity", "specificity")  # whole cases: 2% of p-values are below .1
        assert (0.0 if steps else 0.02) <= count / 150 <= 0.19, (name, count)
