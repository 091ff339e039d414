"""`reference="t"`: Student's t with Satterthwaite's degrees of freedom by class."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

import fastcompare as fc
from tests.reference import auc as reference
from tests.shared.documents import T2
from tests.shared.strategies import scored_cases

RNG = np.random.default_rng(20261122)


def quiet(y, a, b, **options):
    return fc.delong_test(y, a, b, on_undefined="ignore", **{"reference": "t", **options})


def mixed(n=60, k=12):
    """Labels and k models, of which the last four are nearly or quite alike."""
    y = np.arange(n) % 3 == 0
    table = RNG.normal(size=(n, k)) + y[:, None]
    table[:, -3:] = table[:, [-4]]
    table[0, -1] += 5.0
    return y, table


@pytest.mark.slow
@given(case=scored_cases())
def test_degrees_of_freedom_are_the_exact_fractions_in_delong_test(case):
    labels, (a, b) = case
    result = quiet(labels, a, b)
    want = reference.difference_df(labels.tolist(), a.tolist(), b.tolist())
    assert_allclose(result.df, math.nan if want is None else float(want), rtol=1e-14)


@pytest.mark.slow
@given(case=scored_cases())
def test_only_the_reference_changes_in_delong_test(case):
    labels, (a, b) = case
    result, normal = (quiet(labels, a, b, reference=kind) for kind in ("t", "normal"))
    assert (result.statistic, result.standard_error) == (normal.statistic, normal.standard_error)
    assert normal.df == math.inf
    assert result.pvalue >= normal.pvalue or math.isnan(normal.pvalue)
    (low, high), (inner_low, inner_high) = (r.confidence_interval() for r in (result, normal))
    assert not low > inner_low
    assert not high < inner_high
    few = min(np.bincount(labels, minlength=2)) < 30
    own = quiet(labels, a, b, reference="auto")
    known = (result if few else normal).to_dict()
    if "Hall" in own.method:  # see test_delong_skewness
        assert own.pvalue >= known["pvalue"]
    else:
        assert str(known | {"status": own.status}) == str(own.to_dict())


def test_the_second_worked_example_in_delong_test():
    """T2 by the definition, with SciPy's t distribution."""
    y, a, b = T2.values()
    result = fc.delong_test(y, a, b, reference="t")
    df = float(reference.difference_df(y, a, b))
    assert_allclose(result.df, df, rtol=1e-15)
    assert_allclose(result.pvalue, 2 * stats.t.sf(1.6719929, df), rtol=1e-7)
    want = stats.t.interval(0.95, df, result.estimate, result.standard_error)
    assert_allclose(result.confidence_interval(), want, rtol=1e-12)
    assert f"t({df:.4g}) = 1.672, p = 0.135" in result.summary()
    assert "z = 1.672" in fc.delong_test(y, a, b, reference="normal").summary()


@pytest.mark.slow
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_single_tests_pairs_and_batches_agree(alternative):
    y, table = mixed()
    options = {"reference": "t", "alternative": alternative, "on_undefined": "ignore"}
    i, j = np.triu_indices(table.shape[1], 1)
    alone = [
        fc.delong_test(y, table[:, p], table[:, q], **options) for p, q in zip(i, j, strict=True)
    ]
    pairs = fc.delong_pairwise_test(y, table, **options)
    batch = fc.delong_batch(y, table.T[i], table.T[j], **options)
    few = fc.delong_pairwise_test(y, table[:, :3], **options)
    for name in ("df", "statistic", "pvalue", "log_pvalue"):
        want = [getattr(one, name) for one in alone]
        assert_allclose(getattr(pairs, name), want, rtol=1e-9, atol=1e-14)
        assert_allclose(getattr(batch, name), want, rtol=1e-9, atol=1e-14)
        assert_array_equal(getattr(few, name), np.take(want, [0, 1, table.shape[1] - 1]))
    told = pairs.standard_error > 0
    ends = np.transpose([one.confidence_interval() for one in alone])
    got = np.array(pairs.confidence_interval())
    assert_allclose(got[:, told], ends[:, told], rtol=1e-9, atol=1e-14)


def test_alike_models_have_p_1_and_no_degrees_of_freedom():
    y, table = mixed()
    pairs = fc.delong_pairwise_test(y, table[:, -3:-1], reference="t")
    assert (pairs.status[0], pairs.pvalue[0], pairs.log_pvalue[0]) == ("identical", 1.0, 0.0)
    assert math.isnan(pairs.df[0])
    normal = fc.delong_pairwise_test(y, table[:, -3:-1])  # an exact bound, of no reference
    assert_array_equal(pairs.confidence_interval(), normal.confidence_interval())
    assert "t = 0.000, p = 1" in fc.delong_test(y, *table.T[-3:-1], reference="t").summary()


def test_simultaneous_intervals_are_between_single_ones_and_bonferroni_s(requires_jit):
    y, table = mixed(600, 4)
    result = fc.delong_pairwise_test(y, table, reference="t")
    single, together, bonferroni = (
        np.diff(result.confidence_interval(level, simultaneous=joint), axis=0)[0]
        for level, joint in ((0.95, False), (0.95, True), (1 - 0.05 / 6, False))
    )
    told = result.standard_error > 0
    assert (single < together)[told].all()
    assert (together <= bonferroni)[told].all()


def test_logarithms_stay_finite_where_p_values_underflow():
    y = np.repeat([0, 1], 3000)
    a = 3 * y + RNG.normal(size=y.size)
    one = fc.delong_test(y, a, -a, reference="t")
    batch = fc.delong_batch(y, [a], [-a], reference="t")
    with mpmath.workdps(50):
        df, t = mpmath.mpf(one.df), mpmath.mpf(one.statistic)
        tail = mpmath.betainc(df / 2, 0.5, 0, df / (df + t * t), regularized=True)
        want = float(mpmath.log(tail))
    assert want < -690
    assert_allclose([one.log_pvalue, *batch.log_pvalue], want, rtol=1e-9)


def test_unpaired_degrees_of_freedom_by_class_in_delong_unpaired_test():
    """FORMULAS: unpaired AUCs, T2 (per-class Satterthwaite gives 7.46)."""
    y, a, b = T2.values()
    result = fc.delong_unpaired_test(y, a, y, b, reference="t")
    assert_allclose(result.df, 7.46, atol=0.005)
    samples = [v for scores in (a, b) for v in reference.components(y, scores)]
    assert_allclose(result.df, float(reference.satterthwaite(samples)), rtol=1e-14)
    assert_allclose(result.pvalue, 2 * stats.t.sf(result.statistic, result.df), rtol=1e-12)
    plain = fc.delong_unpaired_test(y, a, y, b)
    assert plain.df > result.df
    assert plain.statistic == result.statistic


def test_problems_without_a_variance_have_no_degrees_of_freedom():
    y = [[0, 0, 0, 1], [0, 1, 0, 1], [0, 0, 0, 0]]
    scores = np.array(
        [[[1, 2, 3, 4], [2, 3, 1, 4], [1, 2, 3, 4]], [[1, 2, 3, 4], [1, 2, 4, 3], [1, 2, 3, 4]]]
    )
    batch = fc.delong_batch(y, *scores, reference="t", on_undefined="ignore")
    assert_array_equal(np.isnan(batch.df), [True, False, True])
    for row, labels in enumerate(y):
        one = quiet(labels, *scores[:, row])
        assert_allclose(batch.df[row], one.df, rtol=1e-12)
        assert math.isnan(one.pvalue) == math.isnan(batch.pvalue[row])


@pytest.mark.parametrize("weights", ["sample_weight", "frequency_weight"])
def test_equal_weights_change_nothing_in_delong_pairwise_test(weights):
    y, table = mixed()
    plain, weighted = (
        fc.delong_pairwise_test(y, table[:, :3], reference="t", **options)
        for options in ({}, {weights: np.ones(60)})
    )
    assert_allclose(weighted.df, plain.df, rtol=1e-12)
    assert_allclose(weighted.pvalue, plain.pvalue, rtol=1e-11)


def test_clusters_have_degrees_of_freedom_in_delong_test():
    y, table = mixed()
    groups = np.arange(60) // 4
    result = quiet(y, *table.T[:2], groups=groups)
    assert 2 < result.df < 15
    assert result.pvalue > quiet(y, *table.T[:2], groups=groups, reference="normal").pvalue


@pytest.mark.slow
def test_the_level_holds_from_three_positives_on_in_delong_batch(requires_jit):
    """20,000 trials: normal 15.7, 8.8, 6.3% for 3, 7, 20 of 200 cases; t 5.7, 4.6, 5.0%."""
    trials, size = 6000, 200
    for m in (3, 7, 20):
        y = np.arange(size) < m
        shared = RNG.normal(size=(trials, size)) + 0.36 * y
        a, b = shared + RNG.normal(size=(2, trials, size))
        normal, t = (
            (fc.delong_batch(y, a, b, reference=name, on_undefined="ignore").pvalue <= 0.05).mean()
            for name in ("normal", "t")
        )
        noise = 4 * math.sqrt(0.05 * 0.95 / trials)
        assert 0.03 < t < 0.055 + noise
        assert normal > t


def test_wrong_references_name_the_right_ones():
    y, a, b = T2.values()
    for test in (fc.delong_test, fc.delong_pairwise_test):
        data = (a, b) if test is fc.delong_test else (np.c_[a, b],)
        with pytest.raises(
            fc.InvalidValueError, match=r"`reference` must be one of .*Did you mean"
        ):
            test(y, *data, reference="nromal")
    with pytest.raises(fc.InvalidTypeError, match="`reference`"):
        fc.delong_test(y, a, b, reference=None)
    with pytest.raises(fc.InvalidValueError, match="`reference` must be one of 'auto', 'normal'"):
        fc.delong_batch(y, [a], [b], reference="welch")
    with pytest.raises(
        fc.InvalidValueError, match="`reference` must be one of 'auto', 'welch', 't', 'score'"
    ):
        fc.delong_unpaired_test(y, a, y, b, reference="normal")
