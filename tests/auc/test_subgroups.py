"""`subgroup_auc`: each group's AUC and interval, unpaired tests, the gap, the rest, laws, edges."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc

QUIET = {"on_undefined": "ignore"}
PAIR_FIELDS = ("estimate", "standard_error", "statistic", "pvalue")


def drawn(sizes=(60, 80, 100), seed=0, lift=None):
    """Labels, scores and subgroups of these sizes."""
    rng = np.random.default_rng(seed)
    group = np.repeat(np.array([f"g{i}" for i in range(len(sizes))]), sizes)
    y = np.arange(group.size) % 2
    lift = np.ones(len(sizes)) if lift is None else lift
    return y, rng.normal(size=y.size) + y * np.repeat(lift, sizes), group


def of(name, y, x, group):
    """The labels and scores of one subgroup."""
    return y[group == name], x[group == name]


@pytest.mark.parametrize("sizes", [(60, 80, 100), (12, 90, 30), (8, 10, 200)])
def test_auc_and_interval_of_each_subgroup_are_those_of_one_model(sizes):
    y, x, group = drawn(sizes)
    found = fc.subgroup_auc(y, x, group, **QUIET)
    low, high = found.auc_interval(0.9)
    wide = found.auc_interval(0.9, simultaneous=True)
    for g, name in enumerate(found.names):
        one = fc.roc_auc_interval(*of(name, y, x, group), **QUIET)
        assert_allclose(
            (found.auc[g], found.auc_standard_error[g]),
            (one.estimate, one.standard_error),
            rtol=1e-12,
        )
        assert_allclose((low[g], high[g]), one.confidence_interval(0.9), rtol=1e-9)
        each = one.confidence_interval(0.9 ** (1 / 3))
        assert_allclose((wide.low[g], wide.high[g]), each, rtol=1e-9)


@pytest.mark.parametrize("sizes", [(60, 80, 100), (12, 90, 30), (8, 10, 200)])
def test_pairs_are_unpaired_tests_and_the_rest_is_all_other_cases(sizes):
    y, x, group = drawn(sizes, lift=(0.3, 0.3, 0.3))
    found = fc.subgroup_auc(y, x, group, **QUIET)
    ends = np.transpose(found.confidence_interval(0.9))
    for p, (first, second) in enumerate(found.pairs):
        want = fc.delong_unpaired_test(*of(first, y, x, group), *of(second, y, x, group), **QUIET)
        for name in (*PAIR_FIELDS, "df"):
            assert_allclose(getattr(found, name)[p], getattr(want, name), rtol=1e-9, err_msg=name)
        assert_allclose(ends[p], want.confidence_interval(0.9), rtol=1e-7)
        assert found.method[p] == want.method
        assert found.status[p] in (want.status, "unseen_failures")
    rest_ends = np.transpose(found.rest_interval(0.9))
    for g, name in enumerate(found.names):
        others = group != name
        sizes = [min(np.bincount(y[part])) for part in (~others, others)]
        by = "score" if max(sizes) > 2 * min(sizes) else "welch"
        data = *of(name, y, x, group), y[others], x[others]
        want = fc.delong_unpaired_test(*data, reference=by, **QUIET)
        assert_allclose(found.rest_difference[g], want.estimate, rtol=1e-9)
        assert_allclose(found.rest_pvalue[g], want.pvalue, rtol=1e-9)
        assert_allclose(rest_ends[g], want.confidence_interval(0.9), rtol=1e-7)
        assert_allclose(found.rest_auc[g], fc.roc_auc(y[others], x[others]), rtol=1e-12)


def test_two_subgroups_are_each_the_rest_of_the_other_in_subgroup_auc():
    y, x, group = drawn((60, 90), lift=(1.0, 1.5))
    found = fc.subgroup_auc(y, x, group)
    assert_allclose(found.rest_pvalue, [found.pvalue[0]] * 2, rtol=1e-9)
    assert_allclose(found.rest_auc, found.auc[::-1])
    low, high = (end[0] for end in found.confidence_interval())
    gap = found.gap_interval()
    assert_allclose(gap, (max(low, -high, 0.0), max(-low, high)), rtol=1e-3)


def test_simultaneous_intervals_use_the_largest_of_independent_differences_in_subgroup_auc():
    """Equal variances: the studentized range (Tukey), here by large samples."""
    rng = np.random.default_rng(1)
    y, group = np.tile([0, 1], 6000), np.repeat(["a", "b", "c", "d"], 3000)
    x = rng.normal(size=y.size) + y
    found = fc.subgroup_auc(y, x, group)
    low, high = found.confidence_interval(simultaneous=True)
    reach = (high - low) / 2.0 / found.standard_error
    assert_allclose(reach, stats.studentized_range.ppf(0.95, 4, np.inf) / np.sqrt(2), rtol=0.001)


def test_the_gap_is_the_largest_difference_that_simultaneous_intervals_allow_in_subgroup_auc():
    y, x, group = drawn((200, 200, 200), lift=(0.5, 1.0, 2.5))
    found = fc.subgroup_auc(y, x, group)
    assert found.gap == pytest.approx(found.auc.max() - found.auc.min())
    low, high = found.confidence_interval(0.9, simultaneous=True)
    gap = found.gap_interval(0.9)
    assert_allclose(gap, (max(np.maximum(low, -high)), max(np.maximum(-low, high))), rtol=1e-9)
    assert 0.0 < gap.low < found.gap < gap.high < 1.0
    same = fc.subgroup_auc(y, x, np.arange(y.size) // 2 % 3)
    assert same.gap_interval().low == 0.0


def test_a_control_is_compared_with_all_others_in_subgroup_auc():
    y, x, group = drawn((60, 80, 100, 70), lift=(1.0, 1.0, 1.5, 0.5))
    every = fc.subgroup_auc(y, x, group)
    found = fc.subgroup_auc(y, x, group, control="g2")
    assert found.pairs == (("g2", "g0"), ("g2", "g1"), ("g2", "g3"))
    assert_allclose(found.pvalue, every.matrix("pvalue")[2, [0, 1, 3]], rtol=1e-9)
    assert found.correction == "dunnett-stepdown"
    assert (found.adjusted_pvalue >= found.pvalue).all()
    assert (found.adjusted_pvalue <= np.minimum(3 * found.pvalue, 1.0) + 1e-12).all()
    assert found.gap_interval() == every.gap_interval()
    holm = fc.subgroup_auc(y, x, group, control="g2", correction="holm")
    assert (holm.adjusted_pvalue >= found.adjusted_pvalue - 1e-9).all()


@pytest.mark.parametrize("sizes", [(300, 400, 500), (100, 900, 300), (900, 100, 100)])
def test_differences_from_a_control_have_dunnetts_p_values_in_subgroup_auc(sizes):
    """Those of normal scores with covariance Var(control), as subgroups are independent."""
    found = fc.subgroup_auc(*drawn(sizes, lift=(1.0, 0.8, 0.9)), control="g0", correction="dunnett")
    v = found.auc_standard_error**2
    covariance = np.diag(v[1:]) + v[0]
    r = covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])
    normal = stats.multivariate_normal(cov=[[1.0, r], [r, 1.0]], allow_singular=False)
    z = stats.norm.isf(found.pvalue / 2.0)
    want = [1.0 - normal.cdf([t, t], lower_limit=[-t, -t]) for t in z]
    assert_allclose(found.adjusted_pvalue, want, rtol=0.03)
    sidak = 1.0 - (1.0 - found.pvalue) ** 2
    assert (found.adjusted_pvalue <= sidak * 1.03).all()


def test_labels_of_subgroups_and_the_order_of_cases_do_not_matter_in_subgroup_auc():
    y, x, group = drawn()
    found = fc.subgroup_auc(y, x, group)
    order = np.random.default_rng(3).permutation(y.size)
    numbers = np.searchsorted(found.names, group)
    other = fc.subgroup_auc(y[order], x[order], numbers[order])
    for name in ("auc", *PAIR_FIELDS, "adjusted_pvalue", "rest_pvalue"):
        assert_allclose(getattr(found, name), getattr(other, name), rtol=1e-9)
    assert other.names == ("0", "1", "2")
    turned = fc.subgroup_auc(y, -x, group)
    assert_allclose(turned.auc, 1.0 - found.auc)
    assert_allclose(turned.pvalue, found.pvalue, rtol=1e-9)


def test_frequency_weights_are_repeated_cases_in_subgroup_auc():
    y, x, group = drawn((30, 40, 50))
    counts = np.random.default_rng(2).integers(1, 3, y.size)
    found = fc.subgroup_auc(y, x, group, frequency_weight=counts, **QUIET)
    want = fc.subgroup_auc(*(np.repeat(v, counts) for v in (y, x, group)), **QUIET)
    for name in ("auc", "auc_standard_error", *PAIR_FIELDS, "df", "rest_auc", "rest_pvalue"):
        assert_allclose(getattr(found, name), getattr(want, name), rtol=1e-9, err_msg=name)


@pytest.mark.parametrize("design", ["sample_weight", "groups"])
def test_weights_and_clusters_give_the_moments_of_each_subgroup(design):
    y, x, group = drawn((60, 80, 100))
    values = {
        "sample_weight": np.random.default_rng(2).random(y.size) + 0.5,
        "groups": np.arange(y.size) // 3 * 10 + np.searchsorted(np.unique(group), group),
    }
    links = {design: values[design]}
    found = fc.subgroup_auc(y, x, group, **links, **QUIET)
    for g, name in enumerate(found.names):
        own = group == name
        one = fc.roc_auc_interval(y[own], x[own], **{design: values[design][own]}, **QUIET)
        assert_allclose(found.auc[g], one.estimate, rtol=1e-12)
        assert_allclose(found.auc_standard_error[g], one.standard_error, rtol=1e-9)
        assert_allclose(
            [end[g] for end in found.auc_interval()], one.confidence_interval(), rtol=1e-9
        )
        rest = ~own
        want = fc.roc_auc_interval(y[rest], x[rest], **{design: values[design][rest]}, **QUIET)
        assert_allclose(found.rest_auc[g], want.estimate, rtol=1e-12)
    assert np.isfinite(found.pvalue).all()
    assert np.isfinite(found.df).all()


def test_subgroups_without_both_classes_are_reported_with_their_counts():
    y, x, group = drawn((60, 80, 100))
    group = group.astype("U3")
    group[:5] = "few"
    y[:5] = 1
    group[-3:] = "two"
    y[-3:] = 0, 0, 1
    found = fc.subgroup_auc(y, x, group)
    assert found.left_out == {"few": (5, 0), "two": (1, 2)}
    assert found.names == ("g0", "g1", "g2")
    assert "few (5 positive, 0 negative) and two (1 positive, 2 negative)" in found.summary()
    assert set(found.to_dict()["left_out"]) == {"few", "two"}
    others = group != "g0"  # the rest of a subgroup has these cases, too
    assert_allclose(found.rest_auc[0], fc.roc_auc(y[others], x[others]))


def test_a_perfect_subgroup_is_not_taken_for_known_in_subgroup_auc():
    y, x, group = drawn((60, 80), lift=(20.0, 1.5))
    found = fc.subgroup_auc(y, x, group)
    assert found.auc[0] == 1.0
    assert found.method[0] == "MOVER of score intervals"
    both = fc.subgroup_auc(y, x + 20 * y, group, **QUIET)
    assert (both.pvalue[0], both.status[0]) == (1.0, "perfect_separation")
    assert both.gap == 0.0


def test_few_cases_are_warned_of_in_subgroup_auc():
    y, x, group = drawn((20, 24))
    with pytest.warns(fc.SmallSampleWarning, match="small_sample"):
        fc.subgroup_auc(y, x, group)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"subgroup": np.zeros(240)}, "all cases are in .*: use roc_auc_interval"),
        ({"y_true": np.arange(240) >= 100}, "at least two subgroups with two cases"),
        ({"control": "g7"}, "`control` must be one of 'g0', 'g1', 'g2'"),
        ({"subgroup": np.arange(10)}, "`subgroup`"),
        ({"groups": np.arange(240) % 7}, "all cases of a cluster in one subgroup"),
        ({"correction": "magic"}, "`correction`"),
    ],
)
def test_bad_input_is_an_error_with_parameter_and_rule_in_subgroup_auc(changed, message):
    y, x, group = drawn()
    if "y_true" in changed:
        group = np.where(np.arange(240) >= 100, group, "one")
        group = np.where(np.arange(240) >= 170, "two", group)
    good = {"y_true": y, "y_score": x, "subgroup": group}
    with pytest.raises(fc.FastCompareError, match=message):
        fc.subgroup_auc(**good | changed)


def test_tables_call_subgroups_by_their_name_in_subgroup_auc():
    result = fc.subgroup_auc(*drawn())
    shown = str(result)
    assert shown.splitlines()[2].startswith("subgroup")
    assert "subgroup" in result.to_markdown()
    assert result.to_html()
    assert result.to_json()
    assert result.plot() is not None


def test_gaps_of_aucs_that_do_not_vary_are_bounded_in_subgroup_auc():
    y, group = np.array([0, 1] * 20), np.arange(40) // 10 % 2
    result = fc.subgroup_auc(y, y, group, on_undefined="ignore")
    ((low,), (high,)) = result.confidence_interval()
    assert_allclose((-low, high), [1 - 0.025 ** (1 / 10)] * 2)  # Clopper-Pearson of 0 of 10
    assert_allclose(result.gap_interval(), (0.0, high))
    opposed = fc.subgroup_auc(y, np.where(group, y, 1 - y), group, on_undefined="ignore")
    assert opposed.gap == 1.0
    assert opposed.gap_interval() == (0.0, 1.0)  # neither AUC varies: anything may be true
