"""Simulations: intervals cover; those that ignore weights or clusters do not."""

import math
import operator

import numpy as np
import pytest
from scipy.special import ndtr, ndtri
from scipy.stats import binom

import fastcompare as fc
from studies import coverage_grid
from studies.coverage import BOOTSTRAPS, SINGLE, Design, coverage, truths

pytestmark = pytest.mark.slow

ENDS = operator.methodcaller("confidence_interval")


def stratified(rng, n=480):
    """A sample in which a rare kind of case is ten times as likely to be drawn, and its weights."""
    labels, rare = np.arange(n) % 2, rng.random(n) < 0.5
    scores = rng.normal(size=n) + labels * np.where(rare, 0.0, 1.5) + 0.5 * rare
    return labels, scores, np.where(rare, 1, 10)


def true_auc():
    """Of the population that `stratified` draws from: one case in 11 is of the rare kind."""
    share = [10 / 11, 1 / 11]
    shifts = [(1.5, 0.0), (0.5, 0.5)]  # of positives, of negatives
    return sum(
        p * q * ndtr((up - down) / math.sqrt(2))
        for p, (up, _) in zip(share, shifts, strict=True)
        for q, (_, down) in zip(share, shifts, strict=True)
    )


def test_intervals_under_sampling_weights_cover_and_naive_ones_do_not(requires_jit):
    truth, rng = true_auc(), np.random.default_rng(6)
    covered, estimates, variances = np.zeros(2), [], []
    for _ in range(500):
        labels, scores, weights = stratified(rng)
        results = [
            fc.roc_auc_interval(labels, scores, **{kind: weights})
            for kind in ("sample_weight", "frequency_weight")
        ]
        estimates.append(results[0].estimate)
        variances.append(results[0].standard_error ** 2)
        covered += [low <= truth <= high for low, high in map(ENDS, results)]
    sampling, naive = covered / 500
    assert 0.91 < sampling < 0.97  # of 2000 data sets: 93.6%
    assert naive < 0.80  # 50%
    assert 0.8 < np.mean(variances) / np.var(estimates) < 1.25


def patients(rng, number=20, each=6):
    """Lesions of patients whose scores share much, by two models; three of six are positive."""
    labels = np.tile(np.arange(each) % 2, number)
    groups = np.repeat(np.arange(number), each)
    shared = rng.normal(size=(2, 2, number))  # of each model and class
    noise = rng.normal(size=(2, labels.size))
    scores = np.stack([2.0 * shared[i][labels, groups] + noise[i] for i in range(2)])
    return labels, scores + labels, groups


def test_intervals_of_clusters_cover_and_naive_ones_do_not_in_delong_test(requires_jit):
    rng = np.random.default_rng(8)
    covered = np.zeros(2)
    for _ in range(400):
        labels, scores, groups = patients(rng)
        for i, words in enumerate(({"groups": groups}, {})):
            low, high = fc.delong_test(labels, *scores, **words).confidence_interval()
            covered[i] += low <= 0.0 <= high  # the models are equally good
    clustered, naive = covered / 400
    assert 0.91 < clustered < 0.97  # of 2000 data sets: 93.6%
    assert naive < 0.85  # 75%


def test_intervals_of_aucs_and_their_differences_cover(requires_jit):
    """See docs/evidence/auc_coverage.md for 2000 data sets: 94 to 95% by every method."""
    shares = coverage(Design(200, 0.75, 0.7), trials=200, n_resamples=999, curves={})
    assert len(shares) == len(SINGLE) + 1 + len(BOOTSTRAPS)
    fewest, most = binom.ppf(1e-3, 200, 0.94), binom.ppf(1.0 - 1e-3, 200, 0.96)
    for name, share in shares.items():
        assert fewest <= 200 * share <= most, name


def test_truths_of_curves_are_the_values_of_very_many_cases(requires_jit):
    design = Design(2_000_000, 0.75, 0.7, 0.1)
    rng = np.random.default_rng(2)
    labels = (np.arange(design.n) < design.positives).astype(int)
    scores = rng.normal(size=design.n) + math.sqrt(2.0) * ndtri(0.75) * labels
    found = truths(design)
    for name, value in (
        ("average precision", fc.average_precision(labels, scores)),
        ("partial AUC", fc.partial_auc(labels, scores, fpr=(0, 0.1))),
        ("AUC", fc.roc_auc(labels, scores)),
    ):
        assert abs(value / found[name][0] - 1) < 0.01


@pytest.mark.parametrize("cell", [(2, 28), (6, 24), (25, 25)])
def test_the_grid_counts_the_intervals_that_roc_auc_interval_gives(cell):
    m, n = cell
    rng, labels = np.random.default_rng(m), np.arange(m + n) < m
    for truth in (0.6, 0.9, 0.99):
        scores = rng.normal(size=(40, m + n)) + 2 * labels
        results = [
            [
                fc.roc_auc_interval(labels, row, method=method, on_undefined="ignore")
                for method in coverage_grid.METHODS
            ]
            for row in scores
        ]
        auc, error = np.array([[r[0].estimate, r[0].standard_error] for r in results]).T
        found = coverage_grid.covered(auc, error**2, truth, m, n)
        for i, method in enumerate(coverage_grid.METHODS):
            ends = [row[i].confidence_interval() for row in results]
            assert found[method].tolist() == [low <= truth <= high for low, high in ends], method
