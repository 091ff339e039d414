"""Cochran's Q against its definition, enumeration, statsmodels and published numbers."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from statsmodels.stats.contingency_tables import cochrans_q

import fastcompare as fc
from tests.reference import labels as reference
from tests.shared.golden_files import GOLDEN

PUBLISHED = json.loads((GOLDEN / "contingency_tables.json").read_text())["cases"]
MLXTEND = json.loads((GOLDEN / "mlxtend.json").read_text())["cases"]
ROWS = "111 111 010 110 000 111 111 110 001 010 111 111"
TWELVE = [[int(x) for x in row] for row in ROWS.split()]


def q_of(right, **options):
    right = np.array(right)
    names = {f"m{j}": column for j, column in enumerate(right.T)}
    return fc.cochran_q_test(np.ones(len(right), int), names, **options)


def test_check_values_in_cochran_q_test():
    result = q_of(TWELVE)
    assert_allclose((result.statistic, result.pvalue), (2.8, 0.246597), rtol=2e-6)
    assert result.df == 2
    exact = q_of(TWELVE, method="exact")
    assert_allclose(exact.pvalue, 0.395062, rtol=1e-6)
    assert exact.method == "exact"


@pytest.mark.parametrize("case", [c for c in PUBLISHED if c["call"] == "Cochran's Q"], ids=str)
def test_published_numbers_in_cochran_q_test(case):
    """NIST, SAS and statsmodels: see golden/contingency_tables.json."""
    result = q_of(case["data"])
    assert_allclose(result.statistic, case["expected"]["Q"], rtol=1e-5)
    assert_allclose(result.pvalue, case["expected"]["p"], rtol=2e-3)
    assert_allclose((result.statistic, result.pvalue), case["recomputed"]["statsmodels"])


def test_numbers_of_mlxtend_in_cochran_q_test():
    """Its user guide: see golden/mlxtend.json."""
    first, pair = (c for c in MLXTEND if "cochran Q" in c["call"])
    patterns = first["correct_pattern_counts"].items()
    right = [[int(x) for x in pattern] for pattern, count in patterns for _ in range(count)]
    result = q_of(right)
    assert_allclose((result.statistic, result.pvalue), first["recomputed"]["mlxtend"])
    assert (result.accuracy * 100).round().tolist() == first["n_correct"]
    two = q_of(np.array(right)[:, :2])
    assert_allclose((two.statistic, two.pvalue), pair["recomputed"]["mcnemar"])


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(
    st.integers(2, 6).flatmap(
        lambda k: st.lists(
            st.lists(st.integers(0, 1), min_size=k, max_size=k), min_size=2, max_size=20
        )
    )
)
def test_q_equals_the_definition_and_statsmodels_in_cochran_q_test(right):
    result = q_of(right)
    want = reference.cochran_q(right)
    assert result.statistic == float(want)
    if not any(0 < sum(row) < len(row) for row in right):
        assert (result.pvalue, result.status) == (1.0, "no_discordant")
    elif len(right) != len(right[0]):  # statsmodels takes rows for columns where it cannot tell
        peer = cochrans_q(np.array(right))
        assert_allclose((result.statistic, result.pvalue), (peer.statistic, peer.pvalue), rtol=1e-9)


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from([(2, 7), (3, 6), (4, 4)]).flatmap(
        lambda shape: st.lists(
            st.lists(st.integers(0, 1), min_size=shape[0], max_size=shape[0]),
            min_size=1,
            max_size=shape[1],
        )
    )
)
def test_exact_p_equals_all_permutations_within_cases_in_cochran_q_test(right):
    result = q_of(right, method="exact")
    assert_allclose(result.pvalue, float(reference.exact_cochran(right)), rtol=1e-12)


@pytest.mark.parametrize("method", ["asymptotic", "exact"])
def test_two_models_are_mcnemars_test(method):
    y, a, b = reference.cases_of([[30, 14], [5, 9]])
    found = fc.cochran_q_test(y, np.array([a, b]).T, method=method)
    want = fc.mcnemar_test(y, a, b, method=method)
    assert_allclose(found.pvalue, want.pvalue, rtol=1e-12)
    if method == "asymptotic":
        assert found.statistic == want.statistic


def test_exact_tests_of_too_many_cases_are_refused_in_cochran_q_test(monkeypatch):
    monkeypatch.setattr("fastcompare.labels._cochran.MOST_STEPS", 1000)
    right = np.random.default_rng(0).integers(0, 2, (2000, 4))
    with pytest.raises(fc.InvalidValueError, match="'asymptotic' for 4 models that differ on"):
        q_of(right, method="exact")


def test_exact_and_asymptotic_agree_on_many_cases_in_cochran_q_test(requires_jit):
    rng = np.random.default_rng(3)
    right = (rng.random((90, 3)) < [0.75, 0.7, 0.72]).astype(int)
    exact, asymptotic = (q_of(right, method=method) for method in ("exact", "asymptotic"))
    assert exact.statistic == asymptotic.statistic
    assert 0.1 < exact.pvalue < 0.9
    assert_allclose(exact.pvalue, asymptotic.pvalue, rtol=0.1)


@pytest.mark.slow
def test_p_values_are_uniform_under_the_null_hypothesis_in_cochran_q_test():
    rng = np.random.default_rng(1)
    p = [q_of(rng.random((60, 4)) < rng.random((60, 1))).pvalue for _ in range(600)]
    for level in (0.05, 0.2):
        assert abs(np.mean(np.array(p) <= level) - level) < 3.5 * (level / 600) ** 0.5


def test_labels_and_names_reach_the_result_in_cochran_q_test():
    y = ["a", "b", "c", "a"]
    table = {"one": ["a", "b", "c", "b"], "two": ["b", "b", "a", "a"]}
    result = fc.cochran_q_test(y, table)
    assert result.names == ("one", "two")
    assert result.accuracy.tolist() == [0.75, 0.5]
    assert result.summary().startswith(
        "one and two do not differ significantly in accuracy. The accuracies range from 0.5000 to"
    )
    with pytest.warns(fc.DroppedCasesWarning) as record:
        omitted = fc.cochran_q_test(
            [*y, None], {k: [*v, "a"] for k, v in table.items()}, nan_policy="omit"
        )
    assert omitted.statistic == result.statistic
    assert omitted.n_dropped == 1
    assert record[0].filename == __file__
    with pytest.raises(fc.InvalidValueError, match="`method` must be one of"):
        fc.cochran_q_test(y, table, method="chi2")


@pytest.mark.parametrize("seed", range(5))
def test_eta_squared_is_kendalls_w_of_right_and_wrong_answers(seed):
    """Serlin, Carr and Marascuilo (1982): ranks of 0 and 1 within cases give the same share."""
    right = (np.random.default_rng(seed).random((30, 3)) < (0.5, 0.6, 0.8)).astype(int)
    ranks = fc.friedman_test({f"m{j}": column for j, column in enumerate(right.T)})
    assert_allclose(q_of(right).eta2, np.mean(ranks.kendall_w), rtol=1e-12)
    found = q_of(right[:, :2])
    assert f"eta squared {found.eta2:.3f})" in found.summary()


def test_eta_squared_needs_independent_cases_and_is_0_without_differences_in_cochran_q_test():
    right = np.ones((8, 3), int)
    assert q_of(right).eta2 == 0.0
    assert q_of(np.arange(24).reshape(8, 3) % 2, groups=np.arange(8) // 2).eta2 is None
