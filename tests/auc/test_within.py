"""AUCs within groups, by definitions in fractions and by laws."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import fastcompare as fc
from tests.reference import within as reference
from tests.shared.golden_files import GOLDEN as FILES

GOLDEN = json.loads((FILES / "within" / "within_auc.json").read_text())["cases"]
KINDS = ("pairs", "cases", "equal")
QUIET = {"on_undefined": "ignore"}


@st.composite
def grouped_scores(draw, most=30):
    """Labels, two models' scores with ties, and groups, of which one at least has both classes."""
    n = draw(st.integers(4, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    y = rng.integers(0, 2, n)
    groups = rng.integers(0, draw(st.integers(1, 6)), n)
    y[:2], groups[:2] = (0, 1), groups[0]
    a, b = rng.integers(0, 6, (2, n)) + y * rng.integers(0, 3)
    return y, a.astype(float), b.astype(float), groups


def plain(values):
    return [np.asarray(x).tolist() for x in values]


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case["id"])
@pytest.mark.parametrize("kind", KINDS)
def test_within_auc_test_has_the_golden_values(case, kind):
    data = case["y"], case["a"], case["b"], case["group"]
    fixed = fc.within_auc_test(*data, weights=kind, design="fixed", **QUIET)
    want = case[f"fixed_{kind}"]
    assert_allclose(fixed.auc, [want["auc_a"], want["auc_b"]], rtol=1e-12)
    assert_allclose(fixed.estimate, want["difference"], rtol=1e-12)
    assert fixed.n_groups == want["groups"]
    if want["se"] is not None:
        assert_allclose(fixed.standard_error, want["se"], rtol=1e-12)
    drawn, want = fc.within_auc_test(*data, weights=kind, **QUIET), case[f"random_{kind}"]
    assert_allclose(drawn.estimate, want["difference"], rtol=1e-12)
    assert_allclose(drawn.group_auc @ [1.0, -1.0], want["group_differences"], atol=1e-15)
    w = np.array(want["group_weights"])
    assert_allclose(drawn.group_weight, w / w.sum(), rtol=1e-13)
    residuals = drawn.group_weight * (drawn.group_auc @ [1.0, -1.0] - drawn.estimate)
    cr1 = np.sqrt(np.sum(residuals**2) * w.size / (w.size - 1))
    assert_allclose(cr1, want["se_linearized_cr1"], rtol=1e-10)


@given(data=grouped_scores(), kind=st.sampled_from(KINDS))
@settings(max_examples=60)
def test_within_auc_test_equals_the_definitions(data, kind):
    exact = plain(data)
    y, a, b, groups = exact
    drawn = fc.within_auc_test(*data, weights=kind, **QUIET)
    fixed = fc.within_auc_test(*data, weights=kind, design="fixed", **QUIET)
    want = [float(reference.mean_auc(y, own, groups, kind)) for own in (a, b)]
    assert_allclose(drawn.auc, want, rtol=1e-13)
    assert_allclose(fixed.auc, want, rtol=1e-13)
    if drawn.n_groups > 1:
        variance = float(reference.random_variance(*exact, kind))
        assert_allclose(drawn.standard_error**2, variance, rtol=1e-9, atol=1e-20)
    try:
        variance, df = reference.fixed_variance(*exact, kind)
    except ZeroDivisionError:  # nobody knows the variance of an only case
        assert fixed.status == "too_few"
        return
    assert_allclose(fixed.standard_error**2, float(variance), rtol=1e-11, atol=1e-25)
    if df is not None:
        assert_allclose(fixed.df, float(df), rtol=1e-10)


@given(data=grouped_scores())
@settings(max_examples=30)
def test_pooled_pairs_of_within_auc_test_are_those_within_and_between(data):
    y, a, b, groups = data
    result = fc.within_auc_test(*data, weights="pairs", **QUIET)
    pairs = [(i, j) for i in np.flatnonzero(y == 1) for j in np.flatnonzero(y == 0)]
    between = [(i, j) for i, j in pairs if groups[i] != groups[j]]
    for k, own in enumerate((a, b)):
        won = [(own[i] > own[j]) + 0.5 * (own[i] == own[j]) for i, j in pairs]
        assert_allclose(result.pooled_auc[k], np.mean(won), rtol=1e-12)
        if between:
            won = [(own[i] > own[j]) + 0.5 * (own[i] == own[j]) for i, j in between]
            assert_allclose(result.between_auc[k], np.mean(won), rtol=1e-12)
    assert_allclose(result.share_within, 1.0 - len(between) / len(pairs), rtol=1e-12)
    if between:
        share = result.share_within
        mean = share * result.auc + (1.0 - share) * result.between_auc
        assert_allclose(mean, result.pooled_auc, rtol=1e-12)


@given(data=grouped_scores(), design=st.sampled_from(("random", "fixed")))
@settings(max_examples=30)
def test_within_auc_test_of_renamed_groups_and_permuted_cases_is_the_same(data, design):
    y, a, b, groups = data
    order = np.random.default_rng(0).permutation(y.size)
    names = np.array(["z", "b", "a", "y", "k", "c"])[groups]
    one = fc.within_auc_test(y, a, b, groups, design=design, **QUIET)
    other = fc.within_auc_test(*(x[order] for x in (y, a, b, names)), design=design, **QUIET)
    for name in ("estimate", "standard_error", "df", "pvalue", "share_within"):
        assert_allclose(getattr(one, name), getattr(other, name), rtol=1e-10, atol=1e-15)
    assert one.status == other.status
    assert sorted(other.groups.tolist()) == other.groups.tolist()


@pytest.mark.parametrize("size", [9, 28, 80])
@pytest.mark.parametrize("claim", [{}, {"alternative": "greater"}, {"margin": 0.1}])
def test_within_auc_test_of_one_fixed_group_is_delong_test(size, claim):
    if "margin" in claim:
        claim = {"alternative": "equivalence", "margin": 0.1}
    rng = np.random.default_rng(size)
    y = np.arange(size) % 2
    a, b = y + rng.normal(size=size), 0.5 * y + rng.exponential(size=size)
    want = fc.delong_test(y, a, b, reference="auto" if size < 60 else "t", **claim, **QUIET)
    for kind in KINDS:
        one = np.zeros(size)
        found = fc.within_auc_test(y, a, b, one, weights=kind, design="fixed", **claim, **QUIET)
        assert_allclose(found.auc, want.auc, rtol=1e-13)
        assert_allclose(found.standard_error, want.standard_error, rtol=1e-11)
        if size < 60:  # of more, `reference` t has no correction for skewness
            assert_allclose(found.pvalue, want.pvalue, rtol=1e-9)
            ends = found.confidence_interval(), want.confidence_interval()
            assert_allclose(*ends, rtol=1e-9)
    interval = fc.within_auc_interval(y, a, one, design="fixed").confidence_interval()
    assert_allclose(interval, fc.roc_auc_interval(y, a).confidence_interval(), rtol=1e-11)


def test_within_auc_test_of_one_random_group_is_undefined_and_says_the_way_out():
    y, a, b = [0, 1, 0, 1, 1], [1, 2, 3, 4, 5], [2, 1, 4, 3, 5]
    with pytest.warns(fc.UndefinedResultWarning, match="design='fixed'"):
        result = fc.within_auc_test(y, a, b, [1, 1, 1, 1, 2])
    assert result.status == "one_group"
    assert np.isnan(result.pvalue)
    assert (result.n_groups, result.n_groups_dropped) == (1, 1)


def test_functions_within_groups_say_that_every_group_has_one_class():
    y, a, b = [0, 0, 1, 1], [1, 2, 3, 4], [2, 1, 4, 3]
    for design in ("random", "fixed"):
        for call in (
            lambda **o: fc.within_auc_test(y, a, b, [1, 1, 2, 2], **o),
            lambda **o: fc.within_auc_interval(y, a, [1, 1, 2, 2], **o),
            lambda **o: fc.within_auc_pairwise_test(y, {"a": a, "b": b}, [1, 1, 2, 2], **o),
            lambda **o: fc.within_auc_omnibus_test(y, {"a": a, "b": b}, [1, 1, 2, 2], **o),
        ):
            with pytest.warns(fc.UndefinedResultWarning, match="one class alone"):
                result = call(design=design)
            assert np.unique(result.status).tolist() == ["one_class_groups"]
            assert result.n_groups_dropped == 2
            assert "undefined" in result.summary().lower()


@pytest.mark.parametrize("design", ["random", "fixed"])
def test_within_auc_test_of_identical_models_claims_nothing(design):
    rng = np.random.default_rng(3)
    y, a, groups = rng.integers(0, 2, 60), rng.normal(size=60), np.arange(60) % 6
    result = fc.within_auc_test(y, a, np.exp(a), groups, design=design)
    assert (result.estimate, result.standard_error, result.pvalue) == (0.0, 0.0, 1.0)
    claim = {"alternative": "equivalence", "margin": 0.3, "weights": "equal", "design": design}
    p = []
    for count in (5, 10, 15):
        groups = np.arange(60) % count
        result = fc.within_auc_test(y, a, a, groups, **claim)
        p.append(result.pvalue)
        units = {"random": "groups", "fixed": "pairs of cases"}[design]
        assert f"{units} that do not vary" in result.summary()
    assert_allclose(p[:2], [0.7**units for units in ((5, 10), (15, 10))[design == "fixed"]])


@pytest.mark.parametrize("design", ["random", "fixed"])
def test_within_auc_pairwise_test_of_a_pair_is_within_auc_test(design):
    rng = np.random.default_rng(4)
    y, groups = rng.integers(0, 2, 90), np.arange(90) % 12
    scores = {
        name: shift * y + rng.normal(size=90)
        for name, shift in zip("abc", (1.5, 0.5, 0.2), strict=True)
    }
    found = fc.within_auc_pairwise_test(y, scores, groups, design=design)
    ends = np.array(found.confidence_interval())
    for p, (first, second) in enumerate(found.pairs):
        want = fc.within_auc_test(y, scores[first], scores[second], groups, design=design)
        assert_allclose(found.pvalue[p], want.pvalue, rtol=1e-9)
        assert_allclose(found.estimate[p], want.estimate, rtol=1e-10)
        assert_allclose(ends[:, p], want.confidence_interval(), rtol=1e-8)
    two = {name: scores[name] for name in "ab"}
    omnibus = fc.within_auc_omnibus_test(y, two, groups, design=design)
    assert_allclose(omnibus.statistic, found.statistic[0] ** 2, rtol=1e-9)
    assert_allclose(omnibus.pvalue, found.pvalue[0], rtol=1e-9)


def test_random_groups_of_within_auc_test_are_items_of_paired_mean_test():
    rng = np.random.default_rng(5)
    y, groups = rng.integers(0, 2, 200), rng.integers(0, 15, 200)
    a, b = y + rng.normal(size=200), rng.normal(size=200)
    result = fc.within_auc_test(y, a, b, groups, weights="cases")
    items = result.group_auc.T
    sizes = result.group_positive + result.group_negative
    want = fc.paired_mean_test(*items, sample_weight=sizes)
    assert_allclose(result.pvalue, want.pvalue, rtol=1e-10)
    assert_allclose(result.df, want.df, rtol=1e-12)
    one = fc.within_auc_interval(y, a, groups, weights="cases")
    mean = fc.mean_interval(items[0], sample_weight=sizes)
    assert_allclose(one.confidence_interval(), mean.confidence_interval(), rtol=1e-12)


def test_homogeneity_of_within_auc_test_is_delong_interaction_test():
    rng = np.random.default_rng(6)
    y, groups = rng.integers(0, 2, 120), np.arange(120) % 4
    a, b = y + rng.normal(size=120), rng.normal(size=120)
    found = fc.within_auc_test(y, a, b, groups, design="fixed")
    want = fc.delong_interaction_test(y, a, b, groups, reference="t")
    assert_allclose(found.homogeneity_statistic, want.statistic, rtol=1e-10)
    assert_allclose(found.homogeneity_df, want.df, rtol=1e-10)
    assert_allclose(found.homogeneity_pvalue, want.pvalue, rtol=1e-10)


def test_within_auc_test_reads_groups_of_any_kind_and_leaves_out_missing_ones():
    rng = np.random.default_rng(7)
    y, numbers = rng.integers(0, 2, 60), rng.integers(0, 8, 60) * 1000 - 3
    a, b = y + rng.normal(size=60), rng.normal(size=60)
    want = fc.within_auc_test(y, a, b, numbers).pvalue
    texts = np.array([f"user {number:05d}" for number in numbers])
    category = pd.Series(texts, dtype="category")
    for groups in (texts, category, numbers.astype(float), texts.tolist()):
        assert_allclose(fc.within_auc_test(y, a, b, groups).pvalue, want, rtol=1e-12)
    holes = numbers.astype(float)
    holes[::10] = np.nan
    with pytest.raises(fc.InvalidValueError, match="`groups` has 6 missing values"):
        fc.within_auc_test(y, a, b, holes)
    with pytest.warns(fc.DroppedCasesWarning, match="6 of 60 cases dropped"):
        found = fc.within_auc_test(y, a, b, holes, nan_policy="omit")
    left = ~np.isnan(holes)
    some = fc.within_auc_test(y[left], a[left], b[left], numbers[left])
    assert_allclose(found.pvalue, some.pvalue, rtol=1e-12)
    assert found.n_dropped == 6


def test_functions_within_groups_refuse_what_they_cannot_read():
    y, a, b = [0, 1, 0, 1], [1, 2, 3, 4], [2, 1, 4, 3]
    with pytest.raises(fc.InvalidTypeError, match="`groups` must be specified"):
        fc.within_auc_test(y, a, b, None)
    with pytest.raises(fc.InvalidValueError, match="`groups` must have one value for each"):
        fc.within_auc_test(y, a, b, [1, 2])
    with pytest.raises(fc.InvalidValueError, match="`weights` must be"):
        fc.within_auc_test(y, a, b, [1, 1, 2, 2], weights="users")
    with pytest.raises(fc.InvalidValueError, match="`design` must be"):
        fc.within_auc_interval(y, a, [1, 1, 2, 2], design="drawn")
    with pytest.raises(fc.InvalidValueError, match="at least two models"):
        fc.within_auc_omnibus_test(y, {"a": a}, [1, 1, 2, 2])


def test_threads_do_not_change_within_auc_test(monkeypatch):
    monkeypatch.setattr("fastcompare.auc._within.groups.THREADS_FROM", 1)
    rng = np.random.default_rng(8)
    n = 5000
    y, groups = rng.integers(0, 2, n), rng.integers(0, 300, n)
    a, b = rng.normal(size=(2, n))
    for design in ("random", "fixed"):
        one, two = (
            fc.within_auc_test(y, a, b, groups, design=design, n_jobs=jobs) for jobs in (1, 2)
        )
        assert one.pvalue == two.pvalue
        assert (one.group_auc == two.group_auc).all()


def test_within_auc_test_warns_where_one_group_has_most_of_the_weight():
    rng = np.random.default_rng(9)
    groups = np.repeat(np.arange(30), [180] + [6] * 29)
    y = rng.integers(0, 2, groups.size)
    a, b = rng.normal(size=(2, groups.size))
    with pytest.warns(fc.SmallSampleWarning, match="weights='equal' gives all groups the same"):
        result = fc.within_auc_test(y, a, b, groups, weights="pairs")
    assert result.effective_groups < 1.2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fc.within_auc_test(y, a, b, groups)


@pytest.mark.parametrize("k", [2, 3])
def test_compare_offers_tests_within_groups_where_most_groups_contain_both_labels(k):
    rng = np.random.default_rng(10)
    y, users = rng.integers(0, 2, 80), np.arange(80) % 10
    scores = dict(zip("abc"[:k], y + rng.normal(size=(k, 80)), strict=True))
    found = fc.compare(y, scores, groups=users, kind="scores", on_undefined="ignore")
    (line,) = [line for line in found.reasons if "within_auc" in line]
    assert line.startswith("10 of 10 groups contain both labels. ")
    call = line.partition(" call ")[2].removesuffix(".")
    here = {"fastcompare": fc, "y_true": y, "groups": users, "scores": scores}
    here |= {f"y_score_{name}": column for name, column in scores.items()}
    assert eval(call, here).n_groups == 10  # as it is printed
    patients = 2 * (np.arange(80) // 2) + y  # of whom each has one label
    found = fc.compare(y, scores, groups=patients, kind="scores", on_undefined="ignore")
    assert "within_auc" not in " ".join(found.reasons)


@pytest.mark.parametrize("design", ["random", "fixed"])
def test_group_interval_of_within_auc_test_is_that_of_each_group(design):
    rng = np.random.default_rng(11)
    y, groups = rng.integers(0, 2, 240), np.arange(240) % 6
    a, b = y + rng.normal(size=240), rng.normal(size=240)
    low, high = fc.within_auc_test(y, a, b, groups, design=design).group_interval(0.9)
    one_low, one_high = fc.within_auc_interval(y, a, groups, design=design).group_interval(0.9)
    for g in range(6):
        rows = groups == g
        want = fc.delong_test(y[rows], a[rows], b[rows], reference="t", on_undefined="ignore")
        assert_allclose((low[g], high[g]), want.confidence_interval(0.9), rtol=1e-9)
        one = fc.roc_auc_interval(y[rows], a[rows]).confidence_interval(0.9)
        assert_allclose((one_low[g], one_high[g]), one, rtol=1e-9)
    few = fc.within_auc_test(
        [0, 1, 0, 1, 1], [1, 2, 3, 1, 2], [2, 1, 1, 2, 3], [1, 1, 2, 2, 2], **QUIET
    )
    assert np.isnan(few.group_interval()).all()
