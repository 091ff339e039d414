import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from fastcompare._inference.corrections.adjust import CORRECTIONS, adjust_pvalues
from tests.reference.corrections import families, pvalue

# never larger, larger
ORDERED = [
    ("hommel", "hochberg"),
    ("rom", "hochberg"),
    ("hochberg", "holm"),
    ("holm", "bonferroni"),
    ("holland", "holm"),
    ("holland", "sidak"),
    ("finner", "sidak"),
    ("sidak", "bonferroni"),
    ("bh", "hommel"),
    ("bh", "by"),
]
every_method = pytest.mark.parametrize("method", CORRECTIONS)
ROUNDING = 1e-13


@pytest.mark.slow
@every_method
@given(pvalues=families, seed=st.integers(0, 2**32 - 1))
def test_order_does_not_matter(method, pvalues, seed):
    order = np.random.default_rng(seed).permutation(len(pvalues))
    shuffled = adjust_pvalues(np.array(pvalues)[order], method=method)
    assert_array_equal(shuffled, adjust_pvalues(pvalues, method=method)[order])


@every_method
@given(p=pvalue)
def test_a_single_pvalue_is_unchanged(method, p):
    assert_allclose(adjust_pvalues([p], method=method), [p], rtol=1e-15)


@pytest.mark.slow
@every_method
@given(pvalues=families)
def test_adjusted_pvalues_are_probabilities_and_no_smaller(method, pvalues):
    adjusted = adjust_pvalues(pvalues, method=method)
    assert np.all(adjusted >= np.array(pvalues) * (1 - ROUNDING))
    assert np.all((adjusted >= 0) & (adjusted <= 1))


@pytest.mark.slow
@every_method
@given(pvalues=families)
def test_smaller_pvalues_stay_smaller_and_equal_ones_equal(method, pvalues):
    pvalues = np.sort(pvalues)
    adjusted = adjust_pvalues(pvalues, method=method)
    assert np.all(np.diff(adjusted) >= -ROUNDING * adjusted[1:])
    assert np.all(np.diff(adjusted)[np.diff(pvalues) == 0] == 0)


@pytest.mark.slow
@every_method
@given(pvalues=families, shrink=st.lists(st.floats(0, 1), min_size=8, max_size=8))
def test_smaller_pvalues_never_give_larger_results(method, pvalues, shrink):
    smaller = np.array(pvalues) * shrink[: len(pvalues)]
    lower, upper = (adjust_pvalues(p, method=method) for p in (smaller, pvalues))
    assert np.all(lower <= upper * (1 + ROUNDING))


@pytest.mark.slow
@pytest.mark.parametrize(("better", "worse"), ORDERED)
@given(pvalues=families)
def test_one_correction_is_never_worse_than_another(better, worse, pvalues):
    lower, upper = (adjust_pvalues(pvalues, method=method) for method in (better, worse))
    assert np.all(lower <= upper * (1 + ROUNDING))


@pytest.mark.slow
@every_method
@given(pvalues=families, ones=st.integers(1, 5))
def test_hopeless_hypotheses_never_help(method, pvalues, ones):
    padded = adjust_pvalues([*pvalues, *[1.0] * ones], method=method)[: len(pvalues)]
    assert np.all(padded >= adjust_pvalues(pvalues, method=method) * (1 - ROUNDING))


@pytest.mark.slow
@pytest.mark.parametrize("method", ["holm", "hochberg", "hommel", "holland", "rom", "li"])
@given(pvalues=families, zeros=st.integers(1, 5))
def test_certain_rejections_cost_nothing(method, pvalues, zeros):
    padded = adjust_pvalues([*pvalues, *[0.0] * zeros], method=method)[: len(pvalues)]
    assert_allclose(padded, adjust_pvalues(pvalues, method=method), rtol=ROUNDING)
