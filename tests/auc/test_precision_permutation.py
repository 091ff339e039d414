"""The permutation test of two average precisions, against scikit-learn and all exchanges."""

import functools
import itertools

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose
from scipy.stats import rankdata
from sklearn.metrics import average_precision_score

import fastcompare as fc
from fastcompare.auc._exchanges import average_precisions
from studies import precision_levels as study
from tests.shared.strategies import scored_cases

needs_speed = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="thousands of tests")


def example(m, n, seed, shift=1.0):
    rng = np.random.default_rng(seed)
    labels = np.repeat([1, 0], [m, n])
    shared = rng.normal(size=m + n)
    a, b = (shared + rng.normal(size=m + n) + s * labels for s in (2.0 + shift, 2.0))
    return labels, a, b


def permuted(labels, a, b, **options):
    return fc.average_precision_test(labels, a, b, method="permutation", rng=0, **options)


@settings(max_examples=60)
@given(case=scored_cases(k=1))
def test_average_precisions_of_rows_are_those_of_scikit_learn(case):
    labels, (scores,) = case
    rows = np.stack([2 * rankdata(scores), 2 * rankdata(-scores)]).astype(np.int64)
    if labels.any():
        expected = [average_precision_score(labels, row) for row in rows]
        assert_allclose(average_precisions(rows, labels.astype(np.int64)), expected, rtol=1e-12)


def precisions_by_definition(labels, rows):
    """The average precision of each row: the mean over positives of precisions at their scores."""
    reached = rows[:, None, :] >= rows[:, :, None]
    precision = (reached & (labels == 1)).sum(axis=2) / reached.sum(axis=2)
    return precision[:, labels == 1].mean(axis=1)


@functools.cache
def gaps_of_all_exchanges(m, n, seed):
    """The differences of average precisions of an example after each exchange, itself first."""
    labels, a, b = example(m, n, seed)
    ranks = np.array([rankdata(a), rankdata(b)])
    signs = np.array([*itertools.product([0, 1], repeat=labels.size)])
    first, second = np.where(signs, ranks[1], ranks[0]), np.where(signs, ranks[0], ranks[1])
    found = precisions_by_definition(labels, first)
    some = [average_precision_score(labels, row) for row in first[::20]]
    assert_allclose(found[::20], some, rtol=1e-12)
    return found - precisions_by_definition(labels, second)


@needs_speed
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_pvalue_is_the_share_of_all_exchanges_of_ranks_in_average_precision_test(alternative):
    labels, a, b = example(4, 7, 1)
    gaps = gaps_of_all_exchanges(4, 7, 1)
    above, below = np.mean(gaps >= gaps[0] - 1e-9), np.mean(gaps <= gaps[0] + 1e-9)
    expected = {"two-sided": 2 * min(above, below), "greater": above, "less": below}[alternative]
    found = permuted(labels, a, b, alternative=alternative, n_resamples=19_999)
    assert found.pvalue == pytest.approx(expected, abs=4 * np.sqrt(0.25 / 20_000))
    assert found.estimate == pytest.approx(gaps[0])


def test_whole_clusters_are_exchanged_in_average_precision_test():
    labels, a, b = example(6, 10, 2)
    groups = np.arange(16) // 8  # four exchanges, of which two differ
    found = permuted(labels, a, b, groups=groups, n_resamples=999)
    assert found.pvalue > 0.4
    alone = permuted(labels, a, b, groups=np.arange(16), n_resamples=999)
    assert alone.pvalue == permuted(labels, a, b, n_resamples=999).pvalue


def test_the_interval_excludes_0_where_the_test_rejects_in_average_precision_test():
    for seed in range(6):
        labels, a, b = example(15, 35, seed)
        found = permuted(labels, a, b, n_resamples=499)
        low, high = found.confidence_interval(0.9)
        assert (found.pvalue <= 0.1) == (low > 0 or high < 0)
        turned = permuted(labels, b, a, n_resamples=499)
        assert turned.pvalue == pytest.approx(found.pvalue, abs=0.06)
        assert turned.estimate == -found.estimate


def test_few_cases_need_no_warning_and_the_sentence_names_the_test_in_average_precision_test():
    labels, a, b = example(3, 20, 3)
    found = permuted(labels, a, b, n_resamples=999)
    assert found.status == "ok"
    assert found.resampling == "models exchanged within cases or clusters"
    assert found.n_resamples == 999
    same = permuted(labels, a, a, n_resamples=99, on_undefined="ignore")
    assert (same.pvalue, same.status) == (1.0, "identical")
    assert permuted(labels[:4], a[:4], b[:4], on_undefined="ignore").status in (
        "one_class",
        "too_few",
    )


def test_the_same_seed_gives_the_same_exchanges_for_any_workers_and_scales():
    labels, a, b = example(10, 30, 4)
    one = permuted(labels, a, b, n_resamples=500)
    assert permuted(labels, a, b, n_resamples=500, n_jobs=2).to_dict() == one.to_dict()
    assert permuted(labels, np.exp(a), b**3, n_resamples=500).pvalue == one.pvalue


@pytest.mark.parametrize(
    "options", [{"margin": 0.1}, {"alternative": "equivalence", "margin": 0.1}]
)
def test_margins_and_other_measures_have_no_permutation_test(options):
    labels, a, b = example(5, 9, 5)
    with pytest.raises(fc.InvalidValueError, match=r"permutation.*method='percentile'"):
        permuted(labels, a, b, **options)
    with pytest.raises(fc.InvalidValueError, match="`method` must be one of"):
        fc.partial_auc_test(labels, a, b, method="permutation")


@pytest.mark.slow
@needs_speed
@pytest.mark.parametrize(
    "cell", [study.Cell(3, 47, 0.6, 1.0), study.Cell(10, 190, 0.9, 2.0)], ids=str
)
def test_exchanges_keep_the_level_where_the_bootstrap_does_not(cell):
    """The bootstrap rejects 18 and 10% there."""
    found = study.measure(cell, trials=300)
    assert found.level <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 300)
    assert found.bootstrap_level > found.level
