"""All models against one of them: published numbers, and the tests of all pairs."""

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import fastcompare as fc
from tests.reference.ranks import D1
from tests.shared.golden_files import GOLDEN

DEMSAR = json.loads((GOLDEN / "demsar2006.json").read_text())


def lower(test, table, *args, **options):
    return test(table, *args, higher_is_better=False, **options)


def printed_ranks():
    data = DEMSAR["data"]
    return dict(zip(data["cols"], np.transpose(data["ranks_printed"]), strict=True))


def test_control_of_demsar_in_control_test():
    result = lower(fc.control_test, printed_ranks(), "C4.5")
    again = DEMSAR["recomputed"]
    order = [result.pairs.index(("C4.5", name)) for name in DEMSAR["expected"]["z_vs_control"]]
    assert_allclose(result.statistic[order], again["z"], rtol=1e-12)
    assert_allclose(result.pvalue[order], again["p"], rtol=1e-12)
    assert_allclose(result.standard_error, DEMSAR["expected"]["SE"], atol=5e-4)
    for method, expected in again["adjusted_p"].items():
        adjusted = lower(fc.control_test, printed_ranks(), 0, correction=method).adjusted_pvalue
        assert_allclose(adjusted[order], expected, rtol=1e-12)


@pytest.mark.parametrize("correction", ["holm", "hochberg", "hommel", "bonferroni-dunn"])
def test_models_that_differ_from_the_control_are_those_of_demsar_in_control_test(correction):
    result = lower(fc.control_test, printed_ranks(), "C4.5", correction=correction)
    found = {
        pair[1] for pair, p in zip(result.pairs, result.adjusted_pvalue, strict=True) if p <= 0.05
    }
    assert found == set(DEMSAR["expected"][f"reject_{correction.replace('-', '_')}"])


def test_bonferroni_dunn_rejects_from_its_critical_difference_on():
    rng = np.random.default_rng(5)
    for _ in range(20):
        table = rng.normal(size=(15, 6)) + 0.3 * np.arange(6)
        result = fc.control_test(table, 2, correction="bonferroni-dunn")
        assert_allclose(
            result.critical_difference, fc.critical_difference(6, 15, test="bonferroni-dunn")
        )
        far = np.abs(result.estimate) >= result.critical_difference
        assert_array_equal(result.adjusted_pvalue <= 0.05, far)


def test_the_control_is_a_name_or_an_index():
    table = {"a": [9, 8, 7, 8], "b": [7, 5, 6, 4], "c": [8, 6, 5, 6]}
    by_name, by_index = (lower(fc.control_test, table, which) for which in ("b", 1))
    assert by_name.pairs == by_index.pairs == (("b", "a"), ("b", "c"))
    assert by_name.control == by_index.control == "b"
    assert_array_equal(by_name.estimate, [-1.75, -0.5])
    pairs = lower(fc.friedman_pairwise_test, table, correction="none")
    assert_array_equal(by_name.statistic, [-pairs.statistic[0], pairs.statistic[2]])
    assert_array_equal(np.isnan(by_name.matrix("pvalue")[0]), [False, False, True])
    assert by_name.cliques == ()
    assert_allclose(by_name.log_pvalue, np.log(by_name.pvalue), rtol=1e-12)
    assert "b ranks better than a by 1.7500 (adjusted p = 0.0267)" in by_name.summary()


@pytest.mark.parametrize(
    ("control", "error", "words"),
    [
        ("d", ValueError, "`control` must be one of 'a', 'b'"),
        (2, ValueError, "`control` must be an index from 0 to 1, got 2"),
        (-1, ValueError, "got -1"),
        (True, TypeError, "`control` must be the name or index of a model"),
        (1.0, TypeError, "`control`"),
    ],
    ids=["name", "high", "negative", "flag", "float"],
)
def test_other_controls_are_refused_in_control_test(control, error, words):
    with pytest.raises(error, match=words):
        fc.control_test({"a": [1, 2, 3], "b": [3, 1, 2]}, control)


def test_corrections_for_all_pairs_are_refused_against_a_control_in_control_test():
    with pytest.raises(fc.InvalidValueError, match="`correction`"):
        fc.control_test(D1, 0, correction="shaffer")
