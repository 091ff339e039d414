"""An algorithm alone against readers, and the power of reader studies."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fastcompare as fc
from studies.roe_metz import STRUCTURES, Design, ratings, truth_of
from tests.reference import readers as reference

QUIET = {"on_undefined": "ignore"}
RNG = np.random.default_rng(4)
TRUTH = np.repeat([1, 0], (6, 7))
READ = RNG.integers(0, 6, (4, 13)) + 2 * TRUTH
ALONE = RNG.normal(size=13) + 2 * TRUTH
NAMES = ("Ann", "Bo", "Cy", "Di")


def against(**options):
    return fc.reader_study_vs_standalone(READ[None], ALONE, truth=TRUTH, **QUIET | options)


@pytest.mark.parametrize("seed", range(4))
def test_an_algorithm_alone_has_the_definition_over_all_pairs_in_reader_study_vs_standalone(seed):
    rng = np.random.default_rng(seed)
    readers, alone = rng.integers(0, 5, (3, 13)), rng.integers(0, 4, 13)
    result = fc.reader_study_vs_standalone(readers[None], alone, truth=TRUTH, **QUIET)
    difference, square, df = reference.standalone(readers.tolist(), alone.tolist(), TRUTH.tolist())
    assert result.estimate == float(difference)
    assert_allclose(result.standard_error**2, float(square), rtol=1e-12)
    assert_allclose(result.df, float(df), rtol=1e-11)
    assert_allclose(result.statistic, float(difference) / math.sqrt(square), rtol=1e-12)


@pytest.mark.parametrize("kind", ["delong", "unbiased", "jackknife"])
def test_one_fixed_reader_is_the_test_of_two_models(kind):
    one = fc.reader_study_vs_standalone(
        READ[None, :1], ALONE, truth=TRUTH, random="cases", covariance=kind, **QUIET
    )
    both = np.stack([ALONE, READ[0]])[:, None]
    two = fc.reader_study_test(both, truth=TRUTH, random="cases", covariance=kind, **QUIET)
    assert (one.estimate, one.pvalue) == (two.estimate, two.pvalue)
    assert one.standard_error == two.standard_error


def test_fixed_cases_are_a_t_test_of_the_readers_figures_in_reader_study_vs_standalone():
    result = against(random="readers")
    d = result.values[0] - result.figures
    assert_allclose(result.standard_error, d.std(ddof=1) / 2, rtol=1e-12)
    assert result.df == 3


def test_an_algorithm_is_a_reader_a_mapping_or_a_column_in_reader_study_vs_standalone():
    wanted = against()
    nested = {"unaided": dict(zip(NAMES, READ, strict=True)) | {"AI": ALONE}}
    named = fc.reader_study_vs_standalone(nested, "AI", truth=TRUTH, **QUIET)
    j, k = (place.ravel() for place in np.indices(READ.shape))
    table = {
        "score": np.append(READ.ravel(), ALONE),
        "reader": np.append(np.array(NAMES)[j], ["AI"] * 13),
        "treatment": np.append(["unaided"] * 52, ["alone"] * 13),
        "case": np.append(k, np.arange(13)),
        "truth": np.append(TRUTH[k], TRUTH),
    }
    by_name = fc.reader_study_vs_standalone(table, "AI", **QUIET)
    kept = {name: values[:52] for name, values in table.items()}
    mapped = fc.reader_study_vs_standalone(kept, dict(enumerate(ALONE)), **QUIET)
    for found in (named, by_name, mapped):
        assert (found.estimate, found.pvalue) == (wanted.estimate, wanted.pvalue)
    assert by_name.names == ("AI", "readers")
    assert by_name.readers == NAMES
    with pytest.raises(fc.InvalidValueError, match="`standalone` must be a reader of `data`"):
        fc.reader_study_vs_standalone(kept, "AI")
    with pytest.raises(fc.InvalidTypeError, match="`standalone` must be the name of a reader"):
        fc.reader_study_vs_standalone(kept, ALONE)
    with pytest.raises(fc.InvalidValueError, match="1 are missing, the first of case 12"):
        fc.reader_study_vs_standalone(kept, dict(enumerate(ALONE[:12])))
    with pytest.raises(fc.InvalidValueError, match="`data` must have one treatment"):
        fc.reader_study_vs_standalone(np.stack([READ, READ]), ALONE, truth=TRUTH)


def test_swapping_the_claim_and_margins_in_reader_study_vs_standalone():
    plain, less = against(), against(alternative="less")
    greater = against(alternative="greater")
    assert_allclose(less.pvalue + greater.pvalue, 1.0, rtol=1e-12)
    claim = against(alternative="greater", margin=0.1)
    assert_allclose(claim.statistic, (plain.estimate + 0.1) / plain.standard_error, rtol=1e-12)
    with pytest.raises(fc.InvalidValueError, match="`margin`"):
        against(alternative="greater", margin=1.0)


def test_an_algorithm_like_every_reader_has_p_1_in_reader_study_vs_standalone():
    same = np.repeat(ALONE[None, None], 3, axis=1)
    result = fc.reader_study_vs_standalone(same, np.exp(ALONE), truth=TRUTH, **QUIET)
    assert (result.pvalue, result.status) == (1.0, "identical")


@pytest.mark.slow
def test_an_algorithm_as_good_as_readers_is_told_apart_as_often_as_the_level():
    rng = np.random.default_rng(6)
    design = Design(5, (25, 25), 0.85, STRUCTURES["low, low"])._replace(treatments=1)
    truth, rejected, n = truth_of(design), 0, 600
    spare = math.sqrt(sum(design.variances) - design.variances[2])
    for _ in range(n):
        # the algorithm: the same mean AUC and total variance, its own error on each case
        shared = rng.normal(size=50) * math.sqrt(design.variances[2])
        read = ratings(design._replace(structure=design.structure._replace(case=0.0)), rng)
        alone = design.mean() * truth + spare * rng.normal(size=50) + shared
        read = read + shared + (design.mean() - design._replace(
            structure=design.structure._replace(case=0.0)).mean()) * truth  # fmt: skip
        result = fc.reader_study_vs_standalone(read, alone, truth=truth, **QUIET)
        rejected += result.pvalue <= 0.05
    assert 0.02 <= rejected / n <= 0.085


COMPONENTS = {
    "treatment_reader": 0.0002,
    "error": 0.0008,
    "cov1": 0.00034,
    "cov2": 0.00034,
    "cov3": 0.00024,
}


def test_power_is_that_of_its_formula_in_reader_study_power():
    plan = fc.reader_study_power(
        COMPONENTS, pilot_cases=100, difference=0.04, readers=[4, 8], cases=[100, 400]
    )
    share, r = 0.25, 8
    apart, excess = share * (0.0008 - 0.00034), share * 0.0001
    total = 0.0002 + apart + (r - 1) * excess
    assert_allclose(plan.standard_error[1, 1], math.sqrt(2 * total / r), rtol=1e-13)
    df = (r - 1) * (total / (0.0002 + apart - excess)) ** 2
    assert_allclose(plan.df[1, 1], df, rtol=1e-13)
    assert (np.diff(plan.power, axis=0) > 0).all()
    assert (np.diff(plan.power, axis=1) > 0).all()
    at_0 = fc.reader_study_power(COMPONENTS, pilot_cases=100, difference=0, readers=5, cases=100)
    assert_allclose(at_0.power, 0.05, rtol=1e-6)


def test_a_pilot_of_the_same_size_has_its_own_standard_error():
    rng = np.random.default_rng(1)
    design = Design(5, (50, 50), 0.85, STRUCTURES["high, high"])
    pilot = fc.reader_study_test(ratings(design, rng), truth=truth_of(design))
    plan = fc.reader_study_power(pilot, difference=0.05, readers=5, cases=100)
    assert pilot.study.components["treatment_reader"] > 0.0
    assert_allclose(plan.standard_error[0, 0], pilot.standard_error, rtol=1e-12)
    assert_allclose(plan.df[0, 0], pilot.df, rtol=1e-12)
    fixed = fc.reader_study_test(pilot.study, random="cases")
    plan = fc.reader_study_power(pilot, difference=0.05, readers=5, cases=100, random="cases")
    assert_allclose(plan.standard_error[0, 0], fixed.standard_error, rtol=1e-12)
    assert plan.df[0, 0] == math.inf
    for text in (plan.summary(), str(plan)):
        assert "true difference of 0.05" in " ".join(text.split())


@pytest.mark.slow
def test_planned_power_is_what_simulated_studies_find():
    rng = np.random.default_rng(0)
    design = Design(5, (50, 50), 0.85, STRUCTURES["low, low"], gain=0.4)
    truth, found = truth_of(design), []
    for _ in range(400):
        study = fc.reader_study(ratings(design, rng), truth=truth, **QUIET)
        found.append([*(study.components[name] for name in COMPONENTS), -np.diff(study.values)[0]])
    *values, difference = np.mean(found, axis=0)
    components = dict(zip(COMPONENTS, values, strict=True))
    for readers, sizes in ((3, (25, 25)), (10, (50, 50))):
        plan = fc.reader_study_power(
            components, pilot_cases=100, difference=difference, readers=readers, cases=sum(sizes)
        )
        wanted = design._replace(readers=readers, sizes=sizes)
        studies = (ratings(wanted, rng) for _ in range(400))
        rejected = [
            fc.reader_study_test(one, truth=truth_of(wanted), **QUIET).pvalue <= 0.05
            for one in studies
        ]
        assert_allclose(plan.power[0, 0], np.mean(rejected), atol=0.075)


def test_plans_are_checked_by_name():
    good = {"pilot": COMPONENTS, "pilot_cases": 100, "difference": 0.1, "readers": 5, "cases": 50}
    part = {name: value for name, value in COMPONENTS.items() if name != "cov2"}
    single = fc.reader_study(READ[None], truth=TRUTH, **QUIET)
    calls = {
        "`pilot` must have the components": {"pilot": part},
        "`pilot_cases` must be specified": {"pilot_cases": None},
        "`pilot_cases` belongs to components": {"pilot": single},
        "`pilot` must have two treatments": {"pilot": single, "pilot_cases": None},
        "`pilot` must be a result of reader_study": {"pilot": 3},
        "`readers` must be at least 2": {"readers": 1},
        "`cases` must be an integer": {"cases": 10.5},
        "`readers` must be a number or a list": {"readers": []},
        "`difference` must be finite": {"difference": math.inf},
    }
    for message, changed in calls.items():
        with pytest.raises(fc.FastCompareError) as caught:
            fc.reader_study_power(**good | changed)
        assert message in str(caught.value)


def test_a_grid_without_enough_power_says_so_in_reader_study_power():
    plan = fc.reader_study_power(
        COMPONENTS, pilot_cases=100, difference=0.01, readers=[3, 5], cases=[50, 100]
    )
    assert "at most" in plan.summary()
    assert "5 readers of 100 cases" in plan.summary()
