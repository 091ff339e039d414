"""Whether a lead in AUC differs between subgroups: independent DeLong tests, and simulation."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc
from tests.shared.strategies import scored_cases

RNG = np.random.default_rng(35)


def drawn(sizes, shift=1.0, rng=RNG):
    """Labels, two exchangeable scores and the subgroups, of (positives, negatives) each."""
    y = np.concatenate([np.arange(m + n) < m for m, n in sizes]).astype(int)
    subgroup = np.repeat(np.arange(len(sizes)), [m + n for m, n in sizes])
    base = rng.normal(size=y.size) + shift * y
    return y, *(base + rng.normal(size=(2, y.size))), subgroup


def single_tests(y, a, b, subgroup, **options):
    """DeLong's test in each subgroup, one after the other."""
    parts = [subgroup == label for label in np.unique(subgroup)]
    return [fc.delong_test(y[part], a[part], b[part], **options) for part in parts]


def placements_lead(y, a, b):
    """The lead and its variance by all pairs in fractions: DeLong 1988, with V10 and V01."""

    def parts(score):
        won = [
            [Fraction(int(p > q)) + Fraction(int(p == q), 2) for q in score[y == 0]]
            for p in score[y == 1]
        ]
        return mean_rows(won), mean_rows(list(zip(*won, strict=True)))

    classes = [
        [p - q for p, q in zip(*pair, strict=True)] for pair in zip(parts(a), parts(b), strict=True)
    ]
    means = mean_rows(classes)
    squares = [
        sum((x - mean) ** 2 for x in d) / (len(d) - 1) / len(d)
        for d, mean in zip(classes, means, strict=True)
    ]
    return means[0], squares, [len(d) - 1 for d in classes]


def mean_rows(rows):
    """The means of rows of fractions."""
    return [sum(row) / len(row) for row in rows]


def test_two_leads_are_compared_by_the_sum_of_their_variances():
    data = drawn([(40, 60), (50, 45)])
    one, two = single_tests(*data, reference="normal")
    result = fc.delong_interaction_test(*data)
    assert result.estimate == one.estimate - two.estimate
    assert_allclose(result.standard_error, math.hypot(one.standard_error, two.standard_error))
    assert_allclose(result.pvalue, 2 * stats.norm.sf(abs(result.statistic)))
    assert result.lead.tolist() == [one.estimate, two.estimate]
    assert_allclose(result.auc, [one.auc, two.auc])
    assert math.isinf(result.df)


@given(case=scored_cases(k=2, smallest=4), cut=st.integers(0, 99))
def test_few_cases_are_compared_by_fractions_with_satterthwaites_degrees(case, cut):
    y, (a, b) = case
    subgroup = np.random.default_rng(cut).permutation(y.size) % 2
    subgroup[np.flatnonzero(y == 1)[:4]] = subgroup[np.flatnonzero(y == 0)[:4]] = [0, 0, 1, 1]
    result = fc.delong_interaction_test(y, a, b, subgroup, on_undefined="ignore")
    found = [placements_lead(y[subgroup == g], a[subgroup == g], b[subgroup == g]) for g in (0, 1)]
    assert_allclose(result.estimate, float(found[0][0] - found[1][0]), atol=1e-15)
    squares, free = found[0][1] + found[1][1], found[0][2] + found[1][2]
    variance = sum(squares)
    assert_allclose(result.standard_error**2, float(variance), rtol=1e-12, atol=1e-15)
    if variance:
        df = variance**2 / sum(v * v / f for v, f in zip(squares, free, strict=True))
        assert_allclose(result.df, float(df), rtol=1e-10)
        t = float(found[0][0] - found[1][0]) / math.sqrt(variance)
        assert_allclose(result.pvalue, 2 * stats.t.sf(abs(t), float(df)), rtol=1e-9)


def test_several_leads_are_cochrans_chi_squared():
    data = drawn([(40, 60), (50, 45), (35, 80), (90, 40)])
    tests = single_tests(*data, reference="normal")
    lead = np.array([test.estimate for test in tests])
    weight = 1 / np.array([test.standard_error for test in tests]) ** 2
    want = np.sum(weight * (lead - np.average(lead, weights=weight)) ** 2)
    result = fc.delong_interaction_test(*data)
    assert_allclose(result.statistic, want, rtol=1e-12)
    assert_allclose(result.pvalue, stats.chi2.sf(want, 3), rtol=1e-12)
    assert result.df == 3


def test_few_leads_are_welchs_anova():
    """Welch's statistic of means, written here from his means, variances and sizes (1951)."""
    data = drawn([(5, 20), (8, 30), (12, 25)])
    tests = single_tests(*data, reference="t")
    lead, error, df = (
        np.array([getattr(t, name) for t in tests]) for name in ("estimate", "standard_error", "df")
    )
    want, dfs = welch(lead, error**2, df)
    result = fc.delong_interaction_test(*data)
    assert_allclose(result.statistic, want, rtol=1e-12)
    assert_allclose(result.df, dfs, rtol=1e-12)
    assert_allclose(result.pvalue, stats.f.sf(want, *result.df), rtol=1e-10)


def welch(means, variances, df):
    """Return Welch's F of means with these variances, and its degrees of freedom (1951)."""
    w, k = 1 / variances, means.size
    tail = np.sum((1 - w / w.sum()) ** 2 / df)
    above = np.sum(w * (means - np.sum(w * means) / w.sum()) ** 2) / (k - 1)
    return above / (1 + 2 * (k - 2) / (k * k - 1) * tail), (k - 1, (k * k - 1) / (3 * tail))


def test_welchs_formula_agrees_with_another_librarys():
    """statsmodels' Welch ANOVA, of raw data with the same means, variances and sizes."""
    from statsmodels.stats.oneway import anova_oneway

    rows = [RNG.normal(size=n) * n for n in (7, 12, 20, 5)]
    want = anova_oneway(rows, use_var="unequal")
    means, sizes = np.array([row.mean() for row in rows]), np.array([row.size for row in rows])
    variance = np.array([row.var(ddof=1) for row in rows]) / sizes
    statistic, df = welch(means, variance, sizes - 1.0)
    assert_allclose(statistic, want.statistic, rtol=1e-12)
    assert_allclose(df, want.df, rtol=1e-12)


def test_delong_interaction_test_of_two_subgroups_has_a_t_whose_square_is_welchs_f():
    data = drawn([(6, 20), (9, 30)])
    result = fc.delong_interaction_test(*data)
    statistic, df = welch(result.lead, result.lead_standard_error**2, result.lead_df)
    assert_allclose(statistic, result.statistic**2, rtol=1e-12)
    assert_allclose(df, (1, result.df), rtol=1e-12)
    assert_allclose(stats.f.sf(statistic, *df), result.pvalue, rtol=1e-10)


@pytest.mark.parametrize("sizes", [[(6, 20), (9, 30)], [(6, 20), (9, 30), (40, 50)]], ids=len)
def test_laws_in_delong_interaction_test(sizes):
    """Swap negates, permuting cases changes nothing, nor does a monotone transform."""
    y, a, b, subgroup = drawn(sizes)
    first, swapped = (fc.delong_interaction_test(y, *pair, subgroup) for pair in ((a, b), (b, a)))
    assert first.lead.tolist() == (-swapped.lead).tolist()
    assert_allclose(first.pvalue, swapped.pvalue, rtol=1e-13)
    order = RNG.permutation(y.size)
    again = fc.delong_interaction_test(y[order], np.exp(a)[order], b[order], subgroup[order])
    assert (again.statistic, again.pvalue) == (first.statistic, first.pvalue)
    assert fc.delong_interaction_test(y, a, 2 * a, subgroup).pvalue == 1.0
    turned = fc.delong_interaction_test(y, a, b, 9 - subgroup)
    assert turned.lead.tolist() == first.lead[::-1].tolist()
    assert_allclose(turned.pvalue, first.pvalue, rtol=1e-13)


def test_claims_with_a_direction_and_a_margin_in_delong_interaction_test():
    y, a, b, subgroup = drawn([(40, 60), (50, 45)])
    for alternative, margin in (("greater", 0.0), ("less", 0.1), ("equivalence", 0.3)):
        result = fc.delong_interaction_test(
            y, a, b, subgroup, alternative=alternative, margin=margin
        )
        z = {
            "greater": (result.estimate + margin) / result.standard_error,
            "less": -(result.estimate - margin) / result.standard_error,
            "equivalence": (margin - abs(result.estimate)) / result.standard_error,
        }[alternative]
        assert_allclose(result.pvalue, stats.norm.sf(z), rtol=1e-10)


def test_three_subgroups_have_no_direction_in_delong_interaction_test():
    data = drawn([(6, 20), (9, 30), (7, 7)])
    for claim in ({"alternative": "less"}, {"alternative": "equivalence", "margin": 0.1}):
        with pytest.raises(fc.InvalidValueError, match="`alternative` must be 'two-sided' for 3"):
            fc.delong_interaction_test(*data, **claim)


def test_weights_and_clusters_are_those_of_the_single_tests():
    y, a, b, subgroup = drawn([(40, 60), (50, 45)])
    groups = np.where(subgroup, 100, 0) + np.arange(y.size) // 4 % 20
    weight = RNG.integers(1, 4, y.size)
    for name, values in {
        "groups": groups,
        "sample_weight": weight,
        "frequency_weight": weight,
    }.items():
        result = fc.delong_interaction_test(y, a, b, subgroup, **{name: values})
        parts = [subgroup == g for g in (0, 1)]
        one, two = (fc.delong_test(y[p], a[p], b[p], **{name: values[p]}) for p in parts)
        assert_allclose(result.estimate, one.estimate - two.estimate, rtol=1e-12)
        assert_allclose(
            result.standard_error, math.hypot(one.standard_error, two.standard_error), rtol=1e-12
        )
        assert_allclose(result.lead_df, (one.df, two.df))


def test_a_cluster_in_two_subgroups_is_refused_in_delong_interaction_test():
    y, a, b, subgroup = drawn([(6, 20), (9, 30)])
    with pytest.raises(fc.InvalidValueError, match="`groups` must have all cases of a cluster"):
        fc.delong_interaction_test(y, a, b, subgroup, groups=np.arange(y.size) % 5)


def test_what_is_missing_or_alike_is_refused_or_left_out_in_delong_interaction_test():
    y, a, b, subgroup = drawn([(6, 20), (9, 30)])
    text = np.where(subgroup, "M", "F").astype(object)
    text[[3, 40]] = None
    with pytest.raises(fc.InvalidValueError, match="`subgroup` has 2 missing values"):
        fc.delong_interaction_test(y, a, b, text)
    kept = np.delete(np.arange(y.size), [3, 40])
    with pytest.warns(fc.DroppedCasesWarning, match="2 of 65"):
        result = fc.delong_interaction_test(y, a, b, text, nan_policy="omit")
    want = fc.delong_interaction_test(y[kept], a[kept], b[kept], subgroup[kept])
    assert (result.pvalue, result.n_dropped, result.names) == (want.pvalue, 2, ("F", "M"))
    with pytest.raises(fc.InvalidValueError, match="at least two subgroups"):
        fc.delong_interaction_test(y, a, b, np.ones(y.size))
    with pytest.raises(fc.InvalidValueError, match=r"`subgroup` .* each of the 65 labels"):
        fc.delong_interaction_test(y, a, b, subgroup[1:])


def test_statuses_in_delong_interaction_test():
    y, a, b, subgroup = drawn([(6, 20), (9, 30), (7, 9)])
    only = subgroup < 2
    with pytest.warns(fc.UndefinedResultWarning, match="one_class: .*subgroup 1"):
        result = fc.delong_interaction_test(np.where(subgroup == 1, 0, y), a, b, subgroup)
    assert np.isnan([result.pvalue, result.statistic, result.lead[1]]).all()
    assert np.isfinite(result.lead[[0, 2]]).all()
    single = np.where((subgroup == 1) & (np.cumsum(subgroup == 1) > 1), 0, y)
    with pytest.warns(fc.UndefinedResultWarning, match="too_few"):
        assert math.isnan(fc.delong_interaction_test(single, a, b, subgroup).pvalue)
    with pytest.warns(fc.UndefinedResultWarning, match="zero_variance"):  # leads 1 and -1
        far = fc.delong_interaction_test(
            y[only],
            y[only] * (1 - 2 * subgroup[only]),
            -y[only] * (1 - 2 * subgroup[only]),
            subgroup[only],
        )
    assert (far.statistic, far.estimate, math.isnan(far.pvalue)) == (math.inf, 2.0, True)
    turned = np.where(subgroup == 1, -1, 1)
    with pytest.warns(fc.UndefinedResultWarning, match="zero_variance"):
        assert math.isnan(fc.delong_interaction_test(y, y * turned, -y * turned, subgroup).pvalue)


def test_leads_without_variance_have_all_the_weight_in_delong_interaction_test():
    """The limit of ever smaller variances: one lead known, or two that are equal."""
    y, a, b, subgroup = drawn([(6, 20), (9, 30), (7, 9), (8, 8)])
    for still in ([0], [0, 2]):
        alike = np.where(np.isin(subgroup, still), a, b)
        result = fc.delong_interaction_test(y, a, alike, subgroup, reference="normal")
        moving = ~np.isin(np.arange(4), still)
        want = np.sum((result.lead[moving] / result.lead_standard_error[moving]) ** 2)
        assert_allclose(result.statistic, want, rtol=1e-12)
        assert result.df == moving.sum()


def test_sentences_name_subgroups_and_models_in_delong_interaction_test():
    y, a, b, subgroup = drawn([(40, 60), (50, 45)])
    table = {"ours": a + 3 * y * (subgroup == 1), "theirs": b}
    text = np.where(subgroup, "M", "F")
    said = fc.delong_interaction_test(y, table, None, text).summary()
    assert said.startswith(
        "The difference in AUC between ours and theirs is significantly higher in subgroup M than "
        "in subgroup F."
    )
    said = fc.delong_interaction_test(y, {"ours": a, "theirs": b}, None, text).summary()
    assert said.startswith(
        "The difference in AUC between ours and theirs does not differ significantly between "
        "subgroup F and subgroup M."
    )
    said = fc.delong_interaction_test(y, a, b, text, alternative="greater").summary()
    assert said.startswith("Subgroup F does not have a significantly higher difference in AUC ")
    y, a, b, subgroup = drawn([(40, 60)] * 3)
    said = fc.delong_interaction_test(y, a, b, subgroup).summary()
    assert "does not differ significantly between the 3 subgroups." in said


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [[(3, 30)] * 2, [(5, 20)] * 3, [(10, 50)] * 6], ids=str)
def test_a_true_null_is_rejected_at_the_level_in_delong_interaction_test(sizes):
    """By default; 'normal' rejects 8, 6 and 8% here."""
    rng = np.random.default_rng(1)
    trials = [drawn(sizes, rng=rng) for _ in range(1000)]
    rejected = [
        fc.delong_interaction_test(*data, on_undefined="ignore").pvalue < 0.05 for data in trials
    ]
    assert 0.01 < np.mean(rejected) < 0.065


@pytest.mark.parametrize("reference", ["auto", "normal", "t"])
@pytest.mark.parametrize("last", [1, 2])
def test_a_subgroup_of_one_cluster_has_no_variance(reference, last):
    labels, subgroup = [0, 1, 0, 1, 1, 0, 1, 0], [0, 0, 0, 0, 1, 1, 1, 1]
    scores = np.random.default_rng(0).normal(size=(2, 8))
    options = {"reference": reference, "on_undefined": "ignore"}
    groups = [0, 0, 0, 0, 1, 1, last, last]
    result = fc.delong_interaction_test(labels, *scores, subgroup, groups=groups, **options)
    assert result.status == "too_few_clusters"
    assert np.isnan([result.pvalue, *result.confidence_interval()]).all()
