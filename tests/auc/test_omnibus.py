import mpmath
import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc
from fastcompare._inference.pvalues import chi2_pvalue
from tests.shared.documents import T2
from tests.shared.strategies import scored_cases


def three():
    """FORMULAS: T2 with the product of both as third model."""
    y, a, b = T2.values()
    return y, {"a": a, "b": b, "ab": [u * v for u, v in zip(a, b, strict=True)]}


@pytest.mark.filterwarnings("ignore::fastcompare.SmallSampleWarning")
def test_the_check_value_of_the_formulas_in_delong_omnibus_test():
    result = fc.delong_omnibus_test(*three(), reference="chi2")
    assert_allclose(result.statistic, 3.164888, rtol=1e-6)
    assert result.df == 2
    assert_allclose(result.pvalue, 0.2054723, rtol=1e-6)


@pytest.mark.filterwarnings("ignore::fastcompare.SmallSampleWarning")
@pytest.mark.parametrize(
    "contrast",
    [[[1, -1, 0], [1, 0, -1]], [[1, -1, 0], [0, 1, -1], [1, 0, -1]], [[2, -1, -1], [0, 0.3, -0.3]]],
)
def test_equivalent_contrasts_give_the_same_statistic_in_delong_omnibus_test(contrast):
    """The degrees of freedom are the rank: a redundant row changes nothing."""
    result = fc.delong_omnibus_test(*three(), contrast=contrast, reference="chi2")
    assert_allclose(result.statistic, 3.164888, rtol=1e-6)
    assert result.df == 2
    by_f = fc.delong_omnibus_test(*three(), contrast=contrast)
    assert_allclose(by_f.pvalue, fc.delong_omnibus_test(*three()).pvalue, rtol=1e-9)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::fastcompare.SmallSampleWarning")
@given(case=scored_cases(smallest=6))
def test_two_models_give_the_square_of_z(case):
    labels, (a, b) = case
    pair = fc.delong_test(labels, a, b, reference="normal", on_undefined="ignore")
    words = {"on_undefined": "ignore"}
    both = fc.delong_omnibus_test(labels, {"a": a, "b": b}, reference="chi2", **words)
    by_f = fc.delong_omnibus_test(labels, {"a": a, "b": b}, **words)
    if pair.status in ("ok", "small_sample"):
        assert_allclose(both.statistic, pair.statistic**2, rtol=1e-9)
        assert_allclose(both.pvalue, pair.pvalue, rtol=1e-8)
        by_t = fc.delong_test(labels, a, b, reference="t", **words)
        assert_allclose(by_f.statistic, by_t.statistic**2, rtol=1e-9)
        assert_allclose(by_f.df, (1, by_t.df), rtol=1e-9)
        assert_allclose(by_f.pvalue, by_t.pvalue, rtol=1e-7)
    else:
        assert (both.status == "identical") == (pair.pvalue == 1.0)


def test_a_single_contrast_is_the_paired_test():
    y, scores = three()
    result = fc.delong_omnibus_test(y, scores, contrast=[1, -1, 0])
    pair = fc.delong_test(y, scores["a"], scores["b"])
    assert_allclose(result.statistic, pair.statistic**2, rtol=1e-12)


@pytest.mark.filterwarnings("ignore::fastcompare.SmallSampleWarning")
def test_the_order_of_the_models_does_not_matter_in_delong_omnibus_test():
    y, scores = three()
    turned = dict(reversed(scores.items()))
    one, two = fc.delong_omnibus_test(y, scores), fc.delong_omnibus_test(y, turned)
    assert_allclose(one.statistic, two.statistic, rtol=1e-10)


def test_too_few_cases_for_the_contrasts_warn_and_then_refuse_in_delong_omnibus_test():
    rng = np.random.default_rng(0)
    y = np.arange(50) % 2
    with pytest.warns(fc.SmallSampleWarning, match="^small_sample.*omit `reference`"):
        chi2 = fc.delong_omnibus_test(y, rng.normal(size=(50, 20)), reference="chi2")
    assert np.isfinite(chi2.pvalue)
    table = rng.normal(size=(50, 20))
    with pytest.warns(fc.SmallSampleWarning, match="^small_sample.*omit `reference`"):
        by_f = fc.delong_omnibus_test(y, table, reference="f")
    assert by_f.df[1] >= 25 - 1 - 19 + 1
    for models in (20, 40):  # without a warning
        by_default = fc.delong_omnibus_test(y, rng.normal(size=(50, models)))
        assert by_default.method == "ANOVA-type test"
        assert 0.001 < by_default.pvalue < 1.0
    for models, reference in ((40, "f"), (60, "auto")):
        with pytest.warns(fc.UndefinedResultWarning, match="too_many_models"):
            result = fc.delong_omnibus_test(y, rng.normal(size=(50, models)), reference=reference)
        assert np.isnan(result.pvalue)
        assert result.estimate is None


def test_degenerate_models_in_delong_omnibus_test():
    y = [0, 0, 0, 1, 1, 1]
    twin = [1, 5, 3, 4, 2, 6]
    same = fc.delong_omnibus_test(y, {"a": twin, "b": twin, "c": [10 * v for v in twin]})
    assert (same.statistic, same.df[0], same.pvalue, same.status) == (0.0, 0, 1.0, "identical")
    with pytest.warns(fc.UndefinedResultWarning, match="singular"):
        result = fc.delong_omnibus_test(y, {"perfect": [1, 2, 3, 4, 5, 6], "flat": [0] * 6})
    assert np.isnan(result.pvalue)
    with pytest.warns(fc.UndefinedResultWarning, match="one_class"):
        assert np.isnan(fc.delong_omnibus_test([1, 1], {"a": [1, 2], "b": [2, 1]}).pvalue)


@pytest.mark.parametrize(
    ("contrast", "message"),
    [([1, -1], "shape"), ([1, 1, 0], "sum to 0"), ([1, -1, np.nan], "finite")],
)
def test_contrasts_that_cannot_mean_anything_in_delong_omnibus_test(contrast, message):
    with pytest.raises(ValueError, match=message):
        fc.delong_omnibus_test(*three(), contrast=contrast)


def test_f_takes_the_covariances_of_both_classes_as_estimates():
    """Krishnamoorthy and Yu's degrees of freedom, by their formula with inverses."""
    rng = np.random.default_rng(2)
    y = np.arange(40) % 4 == 0
    table = rng.normal(size=(40, 4)) + y[:, None]
    contrast = np.eye(3, 4) - np.eye(3, 4, 1)
    parts = [fc.structural_components(y, scores) for scores in table.T]
    v10, v01 = (contrast @ np.array(of_class) for of_class in zip(*parts, strict=True))
    shares = [np.cov(v) / v.shape[1] for v in (v10, v01)]
    inverse = np.linalg.inv(shares[0] + shares[1])
    squares = v10.mean(axis=1) @ inverse @ v10.mean(axis=1)
    noise = 0.0
    for share, size in zip(shares, (10, 30), strict=True):
        a = share @ inverse
        noise += (np.trace(a @ a) + np.trace(a) ** 2) / (size - 1)
    v = 12 / noise
    result = fc.delong_omnibus_test(y, table, reference="f", on_undefined="ignore")
    assert_allclose(result.df, (3, v - 2), rtol=1e-9)
    assert_allclose(result.statistic, squares * (v - 2) / (3 * v), rtol=1e-9)
    assert_allclose(result.pvalue, stats.f.sf(result.statistic, 3, v - 2), rtol=1e-9)


def anova_type(y, table, contrast):
    """The ANOVA-type test by its definition, with a projection instead of orthonormal rows."""
    parts = [fc.structural_components(y, scores) for scores in table.T]
    v10, v01 = (np.array(of_class) for of_class in zip(*parts, strict=True))
    projection = contrast.T @ np.linalg.pinv(contrast @ contrast.T) @ contrast
    positives, negatives = (projection @ np.cov(v) / v.shape[1] for v in (v10, v01))
    whole = positives + negatives
    traces = np.trace(positives), np.trace(negatives)
    noise = sum(t**2 / (v.shape[1] - 1) for t, v in zip(traces, (v10, v01), strict=True))
    v, shape = sum(traces) ** 2 / noise, sum(traces) ** 2 / np.trace(whole @ whole)
    h = ((v + 1) * shape - 2) / (v - shape) if v > shape else np.inf
    h = min(max(h, 1), np.linalg.matrix_rank(contrast))
    auc = v10.mean(axis=1)
    f = auc @ projection @ auc / sum(traces)
    return f, (h, h * v), stats.f.sf(f, h, h * v)


@pytest.mark.parametrize("positives", [4, 7, 12])
def test_few_cases_are_compared_by_the_sum_of_squares(positives):
    rng = np.random.default_rng(positives)
    y = np.arange(40) < positives
    table = np.round(rng.normal(size=(40, 5)) @ np.diag([1, 1, 2, 3, 1]) + y[:, None], 1)
    table[:, 1] = 0.1 * table[:, 1] + table[:, 0]
    for contrast in (
        np.eye(4, 5) - np.eye(4, 5, 1),
        np.array([[1, -1, 0, 0, 0], [2, 0, -1, -1, 0]]),
    ):
        f, df, p = anova_type(y, table, contrast)
        result = fc.delong_omnibus_test(y, table, contrast=contrast, reference="anova")
        assert_allclose(result.statistic, f, rtol=1e-9)
        assert_allclose(result.df, df, rtol=1e-9)
        assert_allclose(result.pvalue, p, rtol=1e-9)
        by_default = fc.delong_omnibus_test(y, table, contrast=contrast)
        q, v = len(contrast), df[1] / df[0]
        assert (by_default.pvalue == result.pvalue) == (v < 6 * q)
    assert "ANOVA-type test, F(" in result.summary()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::fastcompare.SmallSampleWarning")
@given(case=scored_cases(smallest=6))
def test_two_models_have_one_test_whatever_the_statistic_in_delong_omnibus_test(case):
    labels, scores = case
    one, other = (
        fc.delong_omnibus_test(labels, scores.T, reference=r, on_undefined="ignore")
        for r in ("f", "anova")
    )
    assert_allclose(one.statistic, other.statistic, rtol=1e-9)
    if "small_sample" not in (one.status, other.status):
        assert_allclose(one.pvalue, other.pvalue, rtol=1e-7)


FEW = [(5, 95, 5, 0.5, 3), (10, 190, 10, 0.5, 3), (12, 188, 10, 0.5, 3), (8, 192, 5, 0.7, 5)]


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n", "k", "auc", "values"), FEW)
def test_few_positives_keep_the_level_in_delong_omnibus_test(m, n, k, auc, values, requires_jit):
    """Scores that know nothing, and of five values; Hotelling's F rejects 9 to 14% of most."""
    rng, y = np.random.default_rng([m, n, k]), np.arange(m + n) < m
    shift = np.sqrt(2.0) * stats.norm.ppf(auc)
    rejected = np.zeros(2)
    for _ in range(400):
        table = rng.normal(size=(m + n, k)) + shift * y[:, None]
        table = np.floor(table) if values == 5 else table
        found = [
            fc.delong_omnibus_test(y, table, reference=r, on_undefined="ignore")
            for r in ("auto", "f")
        ]
        assert found[0].status == "ok"
        rejected += [one.pvalue <= 0.05 for one in found]
    level, by_f = rejected / 400
    assert 0.02 < level < 0.08
    assert by_f > level


@pytest.mark.slow
def test_the_sum_of_squares_finds_what_hotelling_misses_in_delong_omnibus_test(requires_jit):
    """Ten positives, eight models that are much alike, of which one is better: 42 and 9%."""
    rng, y, rejected = np.random.default_rng(3), np.arange(120) < 10, np.zeros(2)
    for _ in range(200):
        table = 3.0 * rng.normal(size=(120, 1)) + rng.normal(size=(120, 8)) + 3.0 * y[:, None]
        table[:, 0] += 1.5 * y
        found = [
            fc.delong_omnibus_test(y, table, reference=r, on_undefined="ignore")
            for r in ("auto", "f")
        ]
        rejected += [one.pvalue <= 0.05 for one in found]
    assert rejected[0] > 2.0 * rejected[1]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::fastcompare.SmallSampleWarning")
def test_f_keeps_the_level_that_chi_squared_breaks_in_delong_omnibus_test(requires_jit):
    """Eight models, 10 positives of 60 cases."""
    rng, y, rejected = np.random.default_rng(7), np.arange(60) < 10, np.zeros(2)
    for _ in range(300):
        table = rng.normal(size=(60, 1)) + rng.normal(size=(60, 8)) + 1.2 * y[:, None]
        found = [fc.delong_omnibus_test(y, table, reference=r) for r in ("f", "chi2")]
        rejected += [one.pvalue <= 0.05 for one in found]
    assert rejected[0] / 300 < 0.075
    assert rejected[1] / 300 > 0.15


@pytest.mark.slow
def test_rejects_as_often_as_it_should_under_the_null_in_delong_omnibus_test(requires_jit):
    rng = np.random.default_rng(11)
    y = np.arange(300) % 2  # enough for the published statistic
    shared = rng.normal(size=(1500, 300, 1)) + y[:, None]
    tables = shared + rng.normal(size=(1500, 300, 4))
    p = [fc.delong_omnibus_test(y, table).pvalue for table in tables]
    assert abs(np.mean(np.array(p) < 0.05) - 0.05) < 0.02


@pytest.mark.parametrize("x", [0.1, 3.2, 80.0, 2000.0, 1e5])
@pytest.mark.parametrize("df", [1, 2, 9, 400])
def test_tails_of_chi_squared_against_mpmath(x, df):
    p = chi2_pvalue(x, df)
    with mpmath.workdps(60):
        want = mpmath.gammainc(mpmath.mpf(df) / 2, mpmath.mpf(x) / 2, regularized=True)
        log_want = float(mpmath.log(want))
    assert_allclose(p.log_pvalue, log_want, rtol=1e-10, atol=1e-14)
    if float(want) > 1e-290:
        assert_allclose(p.pvalue, float(want), rtol=1e-10)


@pytest.mark.parametrize("factor", [1.0, 1e200, 1e-200, 1e-320])
def test_rounding_of_fractional_contrasts_is_no_difference(factor):
    y = np.arange(60) % 2
    a, b = np.random.default_rng(0).normal(size=(2, 60)) + y
    contrast = np.array([[0.1, 0.2, -0.3]]) * factor
    result = fc.delong_omnibus_test(y, np.c_[a, a, a], contrast=contrast)
    found = (result.statistic, result.df[0], result.pvalue, result.status)
    assert found == (0.0, 0, 1.0, "identical")
    mixed = fc.delong_omnibus_test(y, np.c_[a, a, b], contrast=contrast)
    if factor > 1e-300:  # a subnormal contrast has few digits left
        assert_allclose(mixed.statistic, fc.delong_test(y, a, b).statistic ** 2, rtol=1e-9)


@pytest.mark.slow
def test_one_swap_is_more_than_rounding_in_delong_omnibus_test():
    y = np.arange(20_000) % 2
    a = np.random.default_rng(1).permutation(20_000).astype(float)
    b = a.copy()
    order = np.argsort(a)
    i = np.flatnonzero(y[order[1:]] > y[order[:-1]])[0]
    b[order[[i, i + 1]]] = b[order[[i + 1, i]]]
    result = fc.delong_omnibus_test(y, {"a": a, "b": b}, contrast=[0.3, -0.3])
    assert_allclose(result.statistic, 0.5, rtol=1e-6)


def test_perfect_models_are_called_so_everywhere():
    y = [0, 0, 0, 0, 1, 1, 1, 1]
    scores = {"a": [1, 2, 3, 4, 5, 6, 7, 8], "b": [4, 3, 2, 1, 8, 7, 6, 5]}
    for call in (fc.delong_omnibus_test, fc.delong_pairwise_test):
        with pytest.warns(fc.UndefinedResultWarning, match="perfect_separation"):
            assert call(y, scores).pvalue == 1.0


def of_clusters(seed, sizes, k=4):
    """Labels, scores of equally good models and clusters."""
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(len(sizes)), sizes)
    labels = rng.integers(0, 2, groups.size)
    scores = rng.normal(size=(groups.size, k)) + rng.normal(size=(groups.size, 1))
    return labels, scores + labels[:, None] + rng.normal(size=(len(sizes), k))[groups], groups


def test_two_models_of_clusters_have_the_square_of_t():
    labels, scores, groups = of_clusters(1, [3, 9, 4, 5, 7, 7, 2, 8], 2)
    found = fc.delong_omnibus_test(labels, scores, groups=groups)
    pair = fc.delong_test(labels, *scores.T, groups=groups)
    assert_allclose(found.statistic, pair.statistic**2, rtol=1e-10)
    assert_allclose(found.pvalue, pair.pvalue, rtol=1e-9)
    published = fc.delong_omnibus_test(
        labels, scores, groups=groups, reference="chi2", on_undefined="ignore"
    )
    assert_allclose(published.statistic, found.statistic)
    assert published.status == "few_clusters"


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("size", [1, 4])
def test_each_class_has_degrees_of_freedom_of_its_own(seed, size):
    rng = np.random.default_rng(seed)
    labels, scores = np.arange(60) % 6 == 0, rng.normal(size=(60, 2)) * rng.exponential(2, (60, 1))
    groups = rng.permutation(60) // size  # one class is rare: its clusters are, too
    found = fc.delong_omnibus_test(labels, scores, groups=groups)
    pair = fc.delong_test(labels, *scores.T, groups=groups)
    assert_allclose(found.df[1], pair.df, rtol=1e-9)
    assert_allclose(found.pvalue, pair.pvalue, rtol=1e-9)


def test_clusters_of_one_case_are_independent_cases_in_delong_omnibus_test():
    labels, scores, _ = of_clusters(2, [4] * 15)
    for reference in ("f", "anova"):
        plain = fc.delong_omnibus_test(labels, scores, reference=reference)
        found = fc.delong_omnibus_test(labels, scores, groups=np.arange(60), reference=reference)
        assert_allclose(found.statistic, plain.statistic, rtol=1e-9)
        assert_allclose(found.df, plain.df, rtol=1e-9)


def test_the_sum_of_squares_of_clusters_is_over_the_trace_of_their_covariance():
    labels, scores, groups = of_clusters(3, [3, 9, 4, 5, 7, 7, 2, 8, 12, 6], 5)
    found = fc.delong_omnibus_test(labels, scores, groups=groups)
    each = fc.delong_covariance(labels, scores, groups=groups)
    centre = np.eye(5) - 0.2
    want = each.auc @ centre @ each.auc / np.trace(centre @ each.covariance)
    assert found.method == "ANOVA-type test"
    assert_allclose(found.statistic, want, rtol=1e-9)
    h, rest = found.df
    assert 1.0 <= h <= 4.0
    assert rest > h


@pytest.mark.slow
def test_few_unequal_clusters_keep_the_level_of_many_models_in_delong_omnibus_test(requires_jit):
    """One cluster of 60 and 20 of 3, each of one class: h v degrees of freedom reject 19%."""
    rng, sizes, rejected = np.random.default_rng(5), np.r_[60, np.full(20, 3)], 0
    groups = np.repeat(np.arange(21), sizes)
    for _ in range(200):
        labels = (rng.permutation(21) < 10)[groups]
        scores = rng.normal(size=(21, 10))[groups] + rng.normal(size=(groups.size, 10))
        found = fc.delong_omnibus_test(labels, scores, groups=groups, on_undefined="ignore")
        assert found.status == "few_clusters"
        rejected += found.pvalue <= 0.05
    assert rejected < 16


def test_the_statistic_of_clusters_is_that_of_their_covariance():
    labels, scores, groups = of_clusters(3, [3, 9, 4, 5, 7, 7, 2, 8, 12, 6])
    given = {"groups": groups, "reference": "f", "on_undefined": "ignore"}
    found = fc.delong_omnibus_test(labels, scores, **given)
    auc, covariance = (
        getattr(fc.delong_covariance(labels, scores, groups=groups), name)
        for name in ("auc", "covariance")
    )
    rows = np.diff(np.eye(4), axis=0)
    gaps = rows @ auc
    chi2 = gaps @ np.linalg.solve(rows @ covariance @ rows.T, gaps)
    q, rest = found.df
    assert_allclose(found.statistic, chi2 * rest / (q * (rest + q - 1)), rtol=1e-8)
    order = fc.delong_omnibus_test(labels, scores[:, ::-1], **given)
    assert_allclose(order.pvalue, found.pvalue, rtol=1e-8)


def test_more_models_than_clusters_can_carry_in_delong_omnibus_test():
    labels, scores, groups = of_clusters(4, [9] * 4, 6)
    for reference in ("auto", "f"):
        with pytest.warns(fc.UndefinedResultWarning, match="^too_many_models"):
            found = fc.delong_omnibus_test(labels, scores, groups=groups, reference=reference)
        assert np.isnan(found.pvalue)
    alike = np.repeat(scores[:, :1], 3, axis=1)
    same = fc.delong_omnibus_test(labels, alike, groups=groups)
    assert (same.statistic, same.pvalue, same.status) == (0.0, 1.0, "identical")
    with pytest.warns(fc.UndefinedResultWarning, match="^too_few_clusters"):
        found = fc.delong_omnibus_test([1, 1, 0, 0], np.eye(4)[:, :3], groups=[0, 0, 1, 2])
    assert np.isnan(found.pvalue)
