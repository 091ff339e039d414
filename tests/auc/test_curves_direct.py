"""Intervals of points of the curve, areas and average precision that need no replicates."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import beta, norm, t

import fastcompare as fc
from fastcompare.auc._curve_engines import CutCounts
from tests.reference.curves import corners
from tests.shared.curve_measures import MEASURES, example, options_of


def jeffreys(x, n, tail):
    low = beta.ppf(tail, x + 0.5, n - x + 0.5) if x > 0 else 0.0
    return low, beta.isf(tail, x + 0.5, n - x + 0.5) if x < n else 1.0


def profiled(labels, scores, rate, level):
    """The union over the curve's corners of what a cut there leaves to the positives."""
    m, n = int(np.sum(labels)), int(np.sum(1 - labels))
    room, ends = norm.isf((1 - level) / 2) ** 2, []
    for false, true in corners(labels, scores):
        a, b = round(false * n), round(true * m)
        z = norm.ppf(beta.cdf(rate, a + 0.5, n - a + 0.5))
        z = max(z, 0.0) if a == 0 else min(z, 0.0) if a == n else z
        if z * z <= room:
            ends.append(jeffreys(b, m, norm.sf(math.sqrt(room - z * z))))
    return min(low for low, _ in ends), max(high for _, high in ends)


@pytest.mark.parametrize(("m", "n"), [(2, 2), (4, 30), (30, 9), (25, 60)])
@pytest.mark.parametrize("specificity", [0.35, 0.8, 0.95])
def test_profiles_are_what_cuts_that_agree_with_the_rate_leave(m, n, specificity):
    labels, (scores,) = example(m, n, seed=m, k=1)
    for level in (0.8, 0.95, 0.999):
        expected = profiled(labels, scores, 1 - specificity, level)
        found = fc.sensitivity_at_specificity_interval(labels, scores, specificity=specificity)
        assert found.method == "binomial profile"
        low, high = found.confidence_interval(level)
        assert_allclose(
            (low, high),
            (min(expected[0], found.estimate), max(expected[1], found.estimate)),
            atol=1e-9,
        )
        mirrored = fc.specificity_at_sensitivity_interval(
            1 - labels, -scores, sensitivity=specificity
        )
        assert_allclose(mirrored.confidence_interval(level), (low, high), atol=1e-12)


def test_a_path_is_linear_within_tied_cases():
    path = CutCounts(np.array([0.0, 0.0, 4.0, 5.0, 5.0]), np.array([0.0, 2.0, 4.0, 4.0, 7.0]))
    fewest, most = path.positives_at(np.arange(6.0))
    assert fewest.tolist() == [0.0, 2.5, 3.0, 3.5, 4.0, 4.0]
    assert most.tolist() == [2.0, 2.5, 3.0, 3.5, 4.0, 7.0]


@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_profiles_at_the_ends_of_the_curve_know_the_cut(rate):
    labels, (scores,) = example(10, 12, k=1)
    low, high = fc.sensitivity_at_specificity_interval(
        labels, scores, specificity=1 - rate
    ).confidence_interval()
    beyond = int(np.sum(scores[labels == 1] > scores[labels == 0].max()))
    within = int(np.sum(scores[labels == 1] >= scores[labels == 0].min()))
    if rate:
        assert high == 1.0
        assert low == pytest.approx(jeffreys(within, 10, 0.025)[0])
    else:
        assert low == 0.0
        assert high == pytest.approx(jeffreys(beyond, 10, 0.025)[1])


def without_each(labels, scores, value):
    """The jackknife's variance of two samples."""
    total = 0.0
    for label in (0, 1):
        rows = np.flatnonzero(labels == label)
        left = [value(np.delete(labels, i), np.delete(scores, i)) for i in rows]
        total += (rows.size - 1) / rows.size * np.sum((left - np.mean(left)) ** 2)
    return total


@pytest.mark.parametrize("name", ["precision", "fpr", "tpr", "fpr standardized"])
def test_scores_are_wilsons_interval_of_cases_that_both_variances_speak_of(name):
    labels, (scores,) = example(9, 14, k=1)
    options = options_of(name, (100, 600))
    found = MEASURES[name].interval(labels, scores, **options)
    least, most = found.bounds
    p = (found.estimate - least) / (most - least)
    m, n = (14, 9) if name == "tpr" else (9, 14)
    worth = m if name == "precision" else 1 / (1 / m + 1 / (6 * n * 0.5))
    variance = without_each(labels, scores, lambda y, s: MEASURES[name].value(y, s, **options))
    ratio = variance / (most - least) ** 2 / (p * (1 - p) / worth)
    d = 2 * p * (1 - p) * worth
    cases, z = worth * (4 + d) / (4 + d * ratio), t.isf(0.025, 4 + d)
    for end in found.confidence_interval():
        u = (end - least) / (most - least)
        assert (u - p) ** 2 == pytest.approx(z * z * u * (1 - u) / cases, rel=1e-6)
    assert found.method == "score"
    assert found.distribution is found.seed is None


@pytest.mark.parametrize("name", MEASURES)
def test_separated_classes_and_any_level_have_an_interval(name):
    labels = np.repeat([0, 1], 30)
    found = MEASURES[name].interval(labels, np.arange(60.0), **options_of(name))
    low, high = found.confidence_interval()
    assert low < high == pytest.approx(found.estimate) == pytest.approx(found.bounds[1])
    widths = [np.diff(found.confidence_interval(c))[0] for c in (1e-6, 0.1, 0.5, 0.9, 0.9999)]
    assert (np.diff(widths) > 0.0).all()


def test_methods_are_refused_where_they_do_not_hold():
    labels, (scores,) = example(k=1)
    with pytest.raises(fc.InvalidValueError, match="`method`"):
        fc.average_precision_interval(labels, scores, method="profile")
    with pytest.raises(fc.InvalidValueError, match="`method`"):
        fc.partial_auc_interval(labels, scores, method="score", stratified=False)
    with pytest.raises(fc.InvalidValueError, match="`method`"):
        fc.sensitivity_at_specificity_interval(
            labels, scores, specificity=0.9, method="profile", groups=np.arange(100) // 2
        )


@pytest.mark.slow
def test_intervals_warn_where_they_cover_too_seldom():
    labels, (scores,) = example(2, 48, k=1)
    with pytest.warns(fc.SmallSampleWarning, match="low_coverage"):
        fc.average_precision_interval(labels, scores)
    labels, (scores,) = example(35, 15, k=1)
    with pytest.warns(fc.SmallSampleWarning, match="low_coverage"):
        fc.partial_auc_interval(labels, scores)
    labels, (scores,) = example(50, 950, k=1)
    with pytest.warns(fc.SmallSampleWarning, match="low_coverage"):
        fc.sensitivity_at_specificity_interval(
            labels, scores + 1.5 * labels, specificity=0.8, method="percentile", n_resamples=99
        )


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n"), [(5, 95), (15, 35), (50, 950)])
@pytest.mark.parametrize("auc", [0.6, 0.99])
def test_intervals_cover_with_few_positives_and_near_one(m, n, auc, requires_jit):
    shift, share = math.sqrt(2) * norm.ppf(auc), m / (m + n)
    x = (np.arange(200_000) + 0.5) / 200_000
    true = norm.sf(norm.isf(x) - shift)  # sensitivity where the false positive rate is x
    precision = share * x / (share * x + (1 - share) * norm.sf(norm.isf(x) + shift))
    truths = {
        "sensitivity": float(norm.cdf(shift - norm.ppf(0.9))),
        "fpr": float(true[x < 0.1].sum() / x.size),
        "precision": float(precision.mean()),
    }
    options = {"sensitivity": {"specificity": 0.9}, "fpr": {"fpr": (0, 0.1)}, "precision": {}}
    hits, trials, rng = dict.fromkeys(truths, 0), 150, np.random.default_rng(0)
    labels = np.repeat([1, 0], [m, n])
    for _ in range(trials):
        scores = rng.normal(size=m + n) + shift * labels
        for name, truth in truths.items():
            low, high = (
                MEASURES[name].interval(labels, scores, **options[name]).confidence_interval()
            )
            hits[name] += low <= truth <= high
    assert min(hits.values()) / trials >= 0.93, hits
