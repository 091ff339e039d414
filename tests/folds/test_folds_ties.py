"""What varies between rounds, and what is 0: by each round's own scores."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc
from tests.shared.commandline import as_json

SIZES = {"n_train": 90, "n_test": 10}
LARGE = 2**60
TABLE = np.array([[5, 3, 1], [7, 2, 3], [4, 4, 0], [9, 1, 2], [6, 3, 3], [8, 0, 1], [5, 5, 2]])
QUIET = {"on_undefined": "ignore"}


@pytest.mark.parametrize("offset", [0.0, 1e3, 1e9, -1e9])
def test_an_offset_hides_no_differences(offset):
    """Differences of 1e-3, which a tolerance of 1e-12 times 1e9 took for equal."""
    rng = np.random.default_rng(3)
    a = offset + np.ldexp(rng.integers(0, 40, 10), -14)
    b = offset + np.ldexp(rng.integers(0, 20, 10), -14)
    want = stats.ttest_rel(a - offset, b - offset)
    found = fc.ttest_resampled(a, b)
    assert_allclose((found.statistic, found.pvalue), (want.statistic, want.pvalue), rtol=1e-12)
    table = np.stack([a, b, a[::-1]], axis=1)
    for test in (fc.rm_anova_test, fc.mauchly_test):
        assert_allclose(test(table).statistic, test(table - offset).statistic, rtol=1e-9)
    found, want = fc.normality_report(table), fc.normality_report(table - offset)
    assert_allclose(found.pvalue, want.pvalue, rtol=1e-12)
    halves, none = (table[:, j].reshape(5, 2) for j in (0, 1))
    for test in (fc.ttest_5x2cv, fc.ftest_5x2cv):
        moved = test(halves - offset, none - offset)
        assert_allclose(test(halves, none).statistic, moved.statistic, rtol=1e-12)


def test_one_large_round_does_not_erase_the_others():
    a, b = np.array([1.0] * 9 + [1e12]), np.array([2.0, 2.5, 2.25] * 3 + [1e12])
    found, want = fc.ttest_resampled(a, b), stats.ttest_rel(a, b)
    assert_allclose((found.statistic, found.pvalue), (want.statistic, want.pvalue), rtol=1e-12)
    pairs = fc.ttest_corrected_pairwise_test(np.stack([a, b], axis=1), **SIZES)
    assert_allclose(pairs.statistic, fc.ttest_corrected(a, b, **SIZES).statistic, rtol=1e-14)
    batch = fc.ttest_corrected_batch(a[None], b[None], **SIZES)
    assert_allclose(batch.statistic, pairs.statistic, rtol=1e-14)
    f = fc.rm_anova_test(np.stack([a, b], axis=1)).statistic
    assert_allclose(f, found.statistic**2, rtol=1e-12)
    small = a.copy()
    small[:9], small[9] = 1e-6, 1e12
    assert fc.ttest_resampled(small, b * np.array([1e-6] * 9 + [1]), **QUIET).status == "ok"
    halves = [np.array(x).reshape(5, 2) for x in (a * 1e-6, b * 1e-6)]
    assert fc.ftest_5x2cv(*halves).status == "ok"


@pytest.mark.parametrize("scale", [1.0, 0.01, 1e-30, 1e30])
@pytest.mark.parametrize("gap", [0.0, 0.1])
def test_differences_that_only_rounding_parts_do_not_vary(gap, scale):
    b = np.array([0.3, 0.7, 0.2, 0.9, 0.6, 0.41, 0.77, 0.13, 0.5, 0.1])
    a = (b + gap) * scale
    b = b * scale
    word = "zero_variance" if gap else "no_difference"
    assert fc.ttest_resampled(a, b, **QUIET).status == word
    assert fc.ttest_corrected(a, b, **SIZES, **QUIET).status == word
    table = np.stack([a, b, b], axis=1)
    for columns in (table, table[:, :2]):
        assert fc.rm_anova_test(columns, **QUIET).status == word
    assert fc.normality_report(table, **QUIET).status.tolist() == ["constant_differences"] * 3
    halves = a.reshape(5, 2), b.reshape(5, 2)
    assert fc.ttest_5x2cv(*halves, **QUIET).status == word
    assert fc.ftest_5x2cv(*halves, **QUIET).status == word
    assert np.isnan(fc.mauchly_test(table, **QUIET).statistic)


def test_a_combination_of_models_is_no_contrast_of_its_own_in_mauchly_test():
    """The third model is the mean of the others: a singular value of 0 but for rounding."""
    rng = np.random.default_rng(0)
    for offset in (0.0, 1.0, 1e6):
        a, b = offset + rng.normal(size=(2, 12))
        table = np.stack([a, b, (a + b) / 2], axis=1)
        assert fc.mauchly_test(table, **QUIET).status == "no_sphericity"


@pytest.mark.parametrize("offset", [LARGE, -LARGE, 2**52])
def test_rounds_of_wide_integers_are_subtracted_exactly(offset):
    wide, table = TABLE + offset, TABLE.astype(float)
    a, b = wide.T[:2]
    for test in (fc.ttest_resampled, fc.ttest_kfold):
        want, found = test(*table.T[:2]), test(a, b)
        assert (found.statistic, found.pvalue) == (want.statistic, want.pvalue)
        assert_allclose(found.means, want.means + float(offset), rtol=1e-15)
        assert test(wide[:, :2]).pvalue == test({"x": a.tolist(), "y": b}).pvalue == want.pvalue
    want, found = (fc.bayes_correlated_ttest(*x, **SIZES) for x in (table.T[:2], (a, b)))
    assert found.probability_a == want.probability_a
    for test in (fc.mauchly_test, fc.rm_anova_test, fc.normality_report):
        assert_allclose(test(wide).pvalue, test(table).pvalue, rtol=1e-12)
    want, found = (fc.ttest_corrected_pairwise_test(x, **SIZES) for x in (table, wide))
    assert (found.pvalue == want.pvalue).all()
    want, found = (fc.ttest_corrected_batch(x.T[:2], x.T[1:], **SIZES) for x in (table, wide))
    assert (found.pvalue == want.pvalue).all()
    halves = np.concatenate([wide.ravel(), wide.ravel()])[:20].reshape(2, 5, 2)
    for test in (fc.ttest_5x2cv, fc.ftest_5x2cv):
        assert test(*halves).pvalue == test(*(halves - offset)).pvalue


@pytest.mark.slow
@given(st.lists(st.tuples(*[st.integers(0, 30)] * 3), min_size=3, max_size=8), st.integers(-30, 30))
@settings(max_examples=40, deadline=None)
def test_a_power_of_two_changes_nothing(rows, exponent):
    table = np.array(rows) / 100
    scaled = np.ldexp(table, exponent)
    for test in (fc.rm_anova_test, fc.mauchly_test):
        one, other = test(table, **QUIET), test(scaled, **QUIET)
        assert one.status == other.status
        assert_allclose(other.pvalue, one.pvalue, rtol=1e-9)
    one, other = (fc.ttest_resampled(x[:, 0], x[:, 1], **QUIET) for x in (table, scaled))
    assert (one.statistic, one.status) == (other.statistic, other.status)


@pytest.mark.parametrize("method", ["kruskal-wallis", "mann-whitney"])
def test_wide_integers_of_rounds_of_their_own_keep_their_order_in_folds_unpaired_test(method):
    models = {"a": TABLE[:5, 0], "b": TABLE[:, 1]}
    wide = {name: (column + LARGE).tolist() for name, column in models.items()}
    found, want = (fc.folds_unpaired_test(x, method=method) for x in (wide, models))
    assert (found.statistic, found.pvalue) == (want.statistic, want.pvalue)
    gaps = {"a": [*wide["a"], None], "b": wide["b"]}
    with pytest.warns(fc.DroppedCasesWarning):
        found = fc.folds_unpaired_test(gaps, method=method, nan_policy="omit")
    assert found.statistic == want.statistic


def test_files_of_wide_integers_are_compared_exactly(tmp_path):
    file = tmp_path / "scores.csv"
    rows = [f"{i},{LARGE + a},{LARGE + b}" for i, (a, b, _) in enumerate(TABLE.tolist())]
    file.write_text("\n".join(["set,a,b", *rows]))
    want = fc.wilcoxon_test(*TABLE.T[:2]).pvalue
    assert str(want)[:12] in json.dumps(
        as_json("compare", file, "--kind", "datasets", "--id", "set")
    )
    rounds = ("compare", file, "--kind", "folds", "--id", "set")
    sizes = ("--n-train", "9", "--n-test", "1")
    want = fc.ttest_corrected(*TABLE.T[:2], n_train=9, n_test=1)
    found = as_json(*rounds, *sizes)["result"]
    assert (found["pvalue"], found["statistic"]) == (want.pvalue, want.statistic)


@pytest.mark.parametrize(
    ("design", "k"),
    [("resampled", 2), ("resampled", 3), ("kfold", 3), ("5x2cv", 2), ("independent", 2)],
)
def test_wide_integers_of_rounds_are_compared_exactly_by_compare(design, k):
    table = np.concatenate([TABLE, TABLE[:3, ::-1] + 1])[:, :k]
    columns = dict(zip("abc", table.T, strict=False))
    wide = {name: [int(x) + LARGE for x in column] for name, column in columns.items()}
    given = {"kind": "folds", "design": design, **QUIET}
    given |= {} if design == "independent" else SIZES
    found, want = (fc.compare(data, **given) for data in (wide, columns))
    assert np.all(found.result.pvalue == want.result.pvalue)


def test_two_models_of_wide_integers_are_compared_exactly():
    wide = {"a": (TABLE[:, 0] + LARGE).tolist(), "b": (TABLE[:, 1] + LARGE).tolist()}
    want = fc.wilcoxon_test(*TABLE.T[:2]).pvalue
    assert fc.compare_datasets(wide).omnibus.pvalue == want
