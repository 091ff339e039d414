"""Reader studies: golden numbers of MRMCaov, all pairs in fractions, and laws."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import fastcompare as fc
from fastcompare._inputs.evals.readers import as_readings
from fastcompare.readers._moments import figure_variances
from tests.reference import readers as reference

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "mrmc_mrmcaov.json").read_text())
RANDOM = {"none": ("readers", "cases"), "reader": "cases", "case": "readers"}
NAMES = {"treatment:reader": "treatment_reader", "Error": "error"}
QUIET = {"on_undefined": "ignore"}
KINDS = ("delong", "unbiased", "jackknife")
WRONG = (
    "VanDyke_same_twice"  # where MRMCaov divides rounding errors: p = .3, and 0 of fixed readers
)
COLUMNS = ("truth", "score", "treatment", "reader", "case")


def long_table(name):
    """The columns of one of the golden data sets."""
    found = {column: [] for column in COLUMNS}
    for block in GOLDEN["inputs"][name]:
        size = len(block["case"])
        found["truth"] += block["truth"]
        found["score"] += block["rating"]
        found["case"] += block["case"]
        found["treatment"] += [block["treatment"]] * size
        found["reader"] += [block["reader"]] * size
    return found


def arrays(name):
    """Scores (t, r, n) and truth of one of the golden data sets."""
    readings = as_readings(long_table(name))
    return readings.scores, readings.labels


ANALYSES = [case for case in GOLDEN["cases"] if case["data"] != WRONG]
IDS = ["-".join(case[key] for key in ("data", "covariance", "fixed")) for case in ANALYSES]


def options_of(case):
    return {"random": RANDOM[case["fixed"]], "covariance": case["covariance"].lower(), **QUIET}


@pytest.mark.parametrize("case", ANALYSES, ids=IDS)
def test_tests_of_all_treatments_are_those_of_mrmcaov_in_reader_study_test(case):
    result = fc.reader_study_test(long_table(case["data"]), **options_of(case))
    (wanted,) = case["test_equality"]
    assert_allclose(result.pvalue, wanted["p-value"], rtol=1e-9)
    components = result.study.components
    assert_allclose(components["ms_treatment"], wanted["MS(T)"], rtol=1e-9)
    for key, name in (("MS(T:R)", "ms_treatment_reader"), ("Cov2", "cov2"), ("Cov3", "cov3")):
        if key in wanted:
            assert_allclose(components[name], wanted[key], rtol=1e-9)
    if "df2" in wanted:
        assert_allclose(np.atleast_1d(result.df)[-1], wanted["df2"], rtol=1e-9)


@pytest.mark.parametrize("case", ANALYSES, ids=IDS)
def test_pairs_of_treatments_are_those_of_mrmcaov_in_reader_study_pairwise_test(case):
    result = fc.reader_study_pairwise_test(long_table(case["data"]), **options_of(case))
    low, high = result.confidence_interval()
    for p, wanted in enumerate(case["test_diffs"]):
        assert " - ".join(result.pairs[p]) == wanted["Comparison"]
        assert_allclose(result.estimate[p], wanted["Estimate"], rtol=1e-9, atol=1e-15)
        assert_allclose(result.standard_error[p], wanted["StdErr"], rtol=1e-9)
        assert_allclose(result.pvalue[p], wanted["p-value"], rtol=1e-9)
        assert_allclose((low[p], high[p]), np.clip(wanted["CI"], -1, 1), rtol=1e-9)


@pytest.mark.parametrize("case", ANALYSES, ids=IDS)
def test_means_of_treatments_are_those_of_mrmcaov_in_reader_study(case):
    study = fc.reader_study(long_table(case["data"]), **options_of(case))
    low, high = study.confidence_interval()
    for i, wanted in enumerate(case["test_means"]):
        assert_allclose(study.values[i], wanted["Estimate"], rtol=1e-9)
        assert_allclose(study.standard_error[i], wanted["StdErr"], rtol=1e-9)
        assert_allclose(study.df[i], wanted.get("df", math.inf), rtol=1e-9)
        assert_allclose((low[i], high[i]), np.clip(wanted["CI"], 0, 1), rtol=1e-9)
    for part in case["components"] or ():
        name = NAMES.get(part["what"], part["what"].lower())
        assert_allclose(study.components[name], part["Estimate"], rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize("random", RANDOM.values(), ids=str)
@pytest.mark.parametrize("covariance", KINDS)
def test_identical_treatments_have_p_1_in_reader_study_test(random, covariance):
    result = fc.reader_study_test(long_table(WRONG), random=random, covariance=covariance)
    assert (result.pvalue, result.statistic, result.estimate) == (1.0, 0.0, 0.0)
    assert (result.standard_error, result.status) == (0.0, "identical")


def test_published_numbers_of_van_dyke_in_reader_study_test():
    result = fc.reader_study_test(long_table("VanDyke"))
    assert_allclose(result.statistic**2, 4.484854, atol=5e-7)
    assert_allclose(result.df, 15.06611, atol=5e-6)
    assert_allclose(result.pvalue, 0.05123303, atol=5e-9)
    assert_allclose(result.confidence_interval(), (-0.0878672, 0.0002665519), atol=5e-8)
    assert_allclose(result.study.values, (0.897037, 0.9408374), atol=5e-8)


def drawn(seed, t=2, r=3, m=4, n=5, values=4):
    """Ratings with ties, and the truth."""
    rng = np.random.default_rng(seed)
    truth = np.repeat([1, 0], (m, n))
    return rng.integers(0, values, (t, r, m + n)) + truth, truth


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_components_are_the_definitions_over_all_pairs_in_reader_study(kind, seed):
    scores, truth = drawn(seed, t=2 + seed % 2)
    study = fc.reader_study(scores, truth=truth, covariance=kind, **QUIET)
    wanted = reference.study(scores.tolist(), truth.tolist(), kind)
    for name in ("ms_treatment", "ms_reader", "ms_treatment_reader", "error", "cov1", "cov2"):
        assert_allclose(study.components[name], float(wanted[name]), rtol=1e-13, atol=1e-18)
    assert_allclose(study.components["cov3"], float(wanted["cov3"]), rtol=1e-12, atol=1e-17)
    for (i, j), value in wanted["figures"].items():
        assert study.figures[i, j] == float(value)
    assert study.values.tolist() == [float(value) for value in wanted["means"]]


@pytest.mark.parametrize("seed", range(3))
def test_variances_are_exact_fractions_rounded_once(seed):
    scores, truth = drawn(seed, t=3)
    for kind in KINDS:
        variances = figure_variances(as_readings(scores, truth=truth), kind)
        wanted = reference.study(scores.tolist(), truth.tolist(), kind)["difference_variances"]
        found = variances.difference_sum_var / (9 * variances.variance_unit)
        assert found.tolist() == [float(value) for value in wanted.values()]


def test_fixed_readers_are_delongs_test_of_the_means_of_their_aucs():
    scores, truth = arrays("VanDyke")
    t, r, _ = scores.shape
    table = {f"{i}{j}": scores[i, j] for i in range(t) for j in range(r)}
    contrast = np.repeat([1.0, -1.0], r) / r
    omnibus = fc.delong_omnibus_test(truth, table, contrast=contrast, reference="chi2")
    result = fc.reader_study_test(scores, truth=truth, random="cases")
    assert_allclose(result.statistic**2, omnibus.statistic, rtol=1e-13)
    covariance = fc.delong_covariance(truth, table).covariance
    assert_allclose(result.standard_error**2, contrast @ covariance @ contrast, rtol=1e-12)


def test_one_fixed_reader_is_delongs_test():
    scores, truth = arrays("VanDyke")
    result = fc.reader_study_test(scores[:, :1], truth=truth, random="cases")
    wanted = fc.delong_test(truth, scores[0, 0], scores[1, 0], reference="normal")
    for field in ("estimate", "standard_error", "statistic", "pvalue"):
        assert getattr(result, field) == getattr(wanted, field)


def test_two_treatments_have_the_same_test_in_all_functions():
    scores, truth = arrays("VanDyke")
    study = fc.reader_study(scores, truth=truth)
    for random in RANDOM.values():
        one = fc.reader_study_test(study, random=random, **QUIET)
        (pair,) = fc.reader_study_pairwise_test(study, random=random, **QUIET).pvalue
        assert one.pvalue == pair
        assert one.pvalue == fc.reader_study_test(scores, truth=truth, random=random).pvalue


seeds = st.integers(0, 10**6)
shapes = st.tuples(st.integers(2, 3), st.integers(2, 4), st.integers(2, 6), st.integers(2, 6))


@given(seed=seeds, shape=shapes, kind=st.sampled_from(KINDS), random=st.sampled_from([*RANDOM]))
@settings(max_examples=40)
def test_swapping_treatments_negates_and_order_changes_nothing(seed, shape, kind, random):
    scores, truth = drawn(seed, *shape)
    options = {"covariance": kind, "random": RANDOM[random], **QUIET}
    scores = scores[:2]
    rng = np.random.default_rng(seed)
    given_order = fc.reader_study_test(scores, truth=truth, **options)
    swapped = fc.reader_study_test(scores[::-1], truth=truth, **options)
    assert swapped.estimate == -given_order.estimate
    assert_array_equal(swapped.standard_error, given_order.standard_error)
    assert_array_equal(swapped.pvalue, given_order.pvalue)
    readers, cases = rng.permutation(shape[1]), rng.permutation(truth.size)
    moved = fc.reader_study_test(scores[:, readers][:, :, cases], truth=truth[cases], **options)
    for field in ("estimate", "standard_error", "statistic", "pvalue", "df"):
        assert_array_equal(getattr(moved, field), getattr(given_order, field))


@given(seed=seeds, shape=shapes)
@settings(max_examples=30)
def test_a_monotone_transform_of_each_reader_changes_nothing_in_reader_study(seed, shape):
    scores, truth = drawn(seed, *shape)
    rng = np.random.default_rng(seed)
    steps = rng.integers(1, 5, (*shape[:2], scores.max() + 1)).cumsum(axis=2)
    turned = np.take_along_axis(steps, scores, axis=2)
    before, after = (fc.reader_study(x, truth=truth, **QUIET) for x in (scores, turned))
    assert_array_equal(before.figures, after.figures)
    assert_array_equal(before.standard_error, after.standard_error)
    assert before.components == pytest.approx(after.components, rel=0, abs=0, nan_ok=True)


def test_margins_move_the_estimate():
    scores, truth = arrays("VanDyke")
    study = fc.reader_study(scores, truth=truth)
    plain = fc.reader_study_test(study)
    claim = fc.reader_study_test(study, alternative="greater", margin=0.1)
    assert_allclose(claim.statistic, (plain.estimate + 0.1) / plain.standard_error, rtol=1e-13)
    both = fc.reader_study_test(study, alternative="equivalence", margin=0.1)
    below = fc.reader_study_test(study, alternative="less", margin=0.1)
    assert both.pvalue == max(claim.pvalue, below.pvalue)
    assert claim.pvalue == pytest.approx(0.0077, abs=5e-4)
    low, high = both.confidence_interval()
    assert (low > -0.1 and high < 0.1) == (both.pvalue < 0.05)


def test_treatments_that_differ_without_spread_have_no_p_value():
    truth = np.repeat([1, 0], (3, 4))
    perfect, useless = truth.astype(float), np.zeros(7)
    scores = np.array([[perfect] * 3, [useless] * 3])
    with pytest.warns(fc.UndefinedResultWarning, match="no_spread"):
        result = fc.reader_study_test(scores, truth=truth)
    assert result.statistic == math.inf
    assert math.isnan(result.pvalue)
    with pytest.raises(fc.UndefinedResultError, match="no_spread"):
        fc.reader_study_test(scores, truth=truth, on_undefined="raise")
    three = np.concatenate([scores, scores[:1]])
    omnibus = fc.reader_study_test(three, truth=truth, **QUIET)
    assert (omnibus.statistic, omnibus.status) == (math.inf, "no_spread")
    assert math.isnan(omnibus.pvalue)
    pairs = fc.reader_study_pairwise_test(three, truth=truth, **QUIET)
    assert pairs.pvalue[1] == 1.0
    assert np.isnan(pairs.pvalue[[0, 2]]).all()


def test_one_case_of_a_class_leaves_means_alone_in_reader_study_test():
    scores, truth = drawn(1, m=1)
    with pytest.warns(fc.UndefinedResultWarning, match="too_few"):
        result = fc.reader_study_test(scores, truth=truth)
    assert math.isnan(result.pvalue)
    assert not math.isnan(result.estimate)
    fixed = fc.reader_study_test(scores, truth=truth, random="readers", **QUIET)
    assert not math.isnan(fixed.pvalue)


def test_perfect_readers_are_legal():
    scores, truth = arrays("VanDyke")
    scores = scores.copy()
    scores[:, 0] = truth
    study = fc.reader_study(scores, truth=truth)
    assert study.figures[:, 0].tolist() == [1.0, 1.0]
    assert 0.0 < fc.reader_study_test(study).pvalue < 1.0


def test_the_manual_has_the_published_table():
    page = (Path(__file__).parents[2] / "docs" / "evidence/agreement.md").read_text("utf-8")
    table = page.partition("<!-- vandyke -->")[2].partition("<!-- /vandyke -->")[0]
    rows = [[cell.strip() for cell in line.strip(" |").split("|")] for line in table.split("\n")]
    told = {row[0]: row[1:] for row in rows if len(row) > 1}
    study = fc.reader_study(long_table("VanDyke"))
    for at, random in enumerate(RANDOM.values()):
        found = fc.reader_study_test(study, random=random)
        low, high = found.confidence_interval()
        wanted = {
            "mean AUC, 1 and 2": ", ".join(f"{value:.4f}" for value in study.values),
            "difference": f"{found.estimate:.4f}",
            "standard error": f"{found.standard_error:.4f}",
            "95% interval": f"{low:.4f} to {high:.4f}",
            "F, or chi-squared": f"{found.statistic**2:.4f}",
            "degrees of freedom": "infinite" if found.df == math.inf else f"{found.df:.6g}",
            "p": f"{found.pvalue:.4f}",
        }
        assert {name: told[name][at] for name in wanted} == wanted
    for name, shown in (("readers", "reader"), ("Var", "error"), ("Cov1", "cov1")):
        assert told[name] == [f"{study.components[shown]:.6f}"]
