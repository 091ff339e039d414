"""Intervals of shares of right answers: Wilson's, of as many items as the standard error says."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc

RNG = np.random.default_rng(0)
N = 60
ALIKE = np.repeat((RNG.uniform(size=N // 5) < 0.7) * 1.0, 5)
OTHER = (RNG.uniform(size=N) < 0.6) * 1.0
GROUPS, STRATA = np.arange(N) // 5, np.arange(N) % 3
WEIGHTS = RNG.integers(1, 5, N) / 2
QUIET = {"on_undefined": "ignore"}
LINKS = {
    "groups": {"groups": GROUPS},
    "strata": {"strata": STRATA},
    "weights": {"sample_weight": WEIGHTS},
    "groups and weights": {"groups": GROUPS, "sample_weight": WEIGHTS},
}


def wilson(p, n, z):
    centre, square = (p + z * z / 2 / n) / (1 + z * z / n), p * (1 - p) / n + z * z / 4 / n**2
    half = z / (1 + z * z / n) * np.sqrt(square)
    return centre - half, centre + half


def effective(p, error, df, level=0.95):
    """Wilson's interval of p(1 - p) / SE^2 items, with the quantile of Student's t."""
    return wilson(p, p * (1 - p) / error**2, stats.t.isf((1 - level) / 2, df))


@pytest.mark.parametrize("links", LINKS.values(), ids=LINKS)
def test_what_links_answers_decides_how_many_items_they_count_in_mean_interval(links):
    found = fc.mean_interval(ALIKE, **links, **QUIET)
    want = effective(found.estimate, found.standard_error, found.df)
    assert_allclose(found.confidence_interval(), want, rtol=1e-12)
    alone = wilson(found.estimate, N, stats.norm.isf(0.025))
    assert np.abs(np.subtract(want, alone)).max() > 1e-3


def test_samples_of_an_item_are_no_items_and_answers_alone_are_in_mean_interval():
    samples = np.stack([ALIKE, OTHER], axis=1)
    found = fc.mean_interval(samples)
    want = effective(found.estimate, found.standard_error, found.df)
    assert_allclose(found.confidence_interval(), want, rtol=1e-12)
    alone = fc.mean_interval(ALIKE)
    want = wilson(alone.estimate, N, stats.norm.isf(0.025))
    assert_allclose(alone.confidence_interval(), want, rtol=1e-12)


@pytest.mark.parametrize("links", [{}, *LINKS.values()], ids=["none", *LINKS])
def test_each_model_of_several_has_the_interval_of_one(links):
    table = np.stack([ALIKE, OTHER, 1 - ALIKE], axis=1)
    low, high = fc.mean_pairwise_test(table, **links, **QUIET)._model_limits(0.95)
    single = [
        fc.mean_interval(column, **links, **QUIET).confidence_interval() for column in table.T
    ]
    assert_allclose(np.stack([low, high], axis=1), single, rtol=1e-9)
