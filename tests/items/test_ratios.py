"""`ratio_test` and `ratio_interval`: exact values, means of parts, delta method, laws."""

from fractions import Fraction

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import fastcompare as fc

QUIET = {"on_undefined": "ignore"}
T = {"method": "t", **QUIET}
MOMENTS = ("estimate", "standard_error", "df", "statistic", "pvalue")


@st.composite
def counted_items(draw, least=3, most=12):
    """Numerators and denominators of two models, whole numbers with x <= y, some y of 0."""
    n = draw(st.integers(least, most))
    columns = st.lists(st.integers(0, 9), min_size=n, max_size=n)
    y_a, y_b = (np.array(draw(columns)) + np.eye(1, n, 0, int)[0] for _ in range(2))
    parts = (np.array(draw(columns)) / 10.0 for _ in range(2))
    x_a, x_b = (
        np.floor(share * (y + 1)).astype(int) for share, y in zip(parts, (y_a, y_b), strict=True)
    )
    y_a[1] = max(y_a[1], x_a[1], 1)
    y_b[1] = max(y_b[1], x_b[1], 1)
    return x_a, y_a, x_b, y_b


def drawn(n=40, seed=0, other=True):
    """Counts of two models on documents of unequal lengths."""
    rng = np.random.default_rng(seed)
    y_a = rng.integers(5, 60, n)
    y_b = y_a + rng.integers(0, 9, n) if other else y_a
    return rng.binomial(y_a, 0.8), y_a, rng.binomial(y_b, 0.7), y_b


def exact_moments(x, y):
    """The ratio and its variance CR2, in fractions."""
    x, y = [Fraction(int(v)) for v in x], [Fraction(int(v)) for v in y]
    total = sum(y)
    ratio = sum(x) / total
    rests = [(p - ratio * q) ** 2 / (1 - q / total) for p, q in zip(x, y, strict=True)]
    return ratio, sum(rests) / total**2


def exact_df(y):
    """Satterthwaite's degrees of freedom of CR2, in fractions (`_inference.clusters`)."""
    p = [Fraction(int(v), int(sum(y))) for v in y]
    c = [1 / (1 - q) for q in p]
    squares = sum(a * q * q for a, q in zip(c, p, strict=True)) ** 2
    return 1 / (
        sum(q * q for q in p) + squares - sum((a * q * q) ** 2 for a, q in zip(c, p, strict=True))
    )


def in_parts(x, y):
    """Scores 0 and 1 of the parts of each denominator, and which item each part is of."""
    scores = [np.repeat([1.0, 0.0], [right, n - right]) for right, n in zip(x, y, strict=True)]
    return np.concatenate(scores), np.repeat(np.arange(y.size), y)


@given(data=counted_items())
def test_a_ratio_has_the_variance_and_the_df_of_fractions_in_ratio_interval(data):
    x, y, *_ = data
    found = fc.ratio_interval(x, y, **T)
    ratio, variance = exact_moments(x, y)
    assert_allclose(found.estimate, float(ratio), atol=1e-15)
    assert_allclose(found.standard_error, float(variance) ** 0.5, rtol=1e-9, atol=1e-12)
    assert_allclose(found.df, float(exact_df(y)), rtol=1e-9)
    assert (found.numerator, found.denominator) == (x.sum(), y.sum())


@given(data=counted_items())
def test_two_ratios_vary_by_both_residuals_over_their_own_denominators_in_ratio_test(data):
    x_a, y_a, x_b, y_b = data
    found = fc.ratio_test(*data, **T)
    both = []
    for x, y in ((x_a, y_a), (x_b, y_b)):
        total = y.sum()
        both.append((x - x.sum() / total * y) / (total * np.sqrt(1.0 - y / total)))
    assert_allclose(found.standard_error**2, np.square(both[0] - both[1]).sum(), atol=1e-15)
    assert_allclose(found.estimate, x_a.sum() / y_a.sum() - x_b.sum() / y_b.sum(), atol=1e-15)


@pytest.mark.parametrize("method", ["t", "auto"])
@pytest.mark.parametrize("answers", [False, True])
@pytest.mark.parametrize("links", ["", "groups", "strata", "sample_weight", "two", "both"])
def test_denominators_of_one_give_the_test_of_means_of_scores(method, answers, links):
    rng = np.random.default_rng(len(links))
    n = 30
    a, b = rng.random((2, n)) < 0.7 if answers else np.exp(rng.normal(size=(2, n)))
    given_links = {
        "": {},
        "groups": {"groups": np.arange(n) // 3},
        "strata": {"strata": np.arange(n) % 2},
        "sample_weight": {"sample_weight": rng.random(n)},
        "two": {"groups": np.stack([np.arange(n) // 3, np.arange(n) % 5], axis=1)},
        "both": {"groups": np.arange(n) // 3, "sample_weight": rng.random(n)},
    }[links]
    ones = np.ones(n)
    for claim in ({}, {"alternative": "greater", "margin": 0.1}, {"alternative": "less"}):
        options = {"method": method, **given_links, **claim, **QUIET}
        found, want = fc.ratio_test(a, ones, b, **options), fc.paired_mean_test(a, b, **options)
        for name in ("status", "method", "design", "n_clusters"):
            assert getattr(found, name) == getattr(want, name)
        for name in MOMENTS:
            assert_allclose(getattr(found, name), getattr(want, name), rtol=1e-12, err_msg=name)
        assert_allclose(found.confidence_interval(), want.confidence_interval(), rtol=1e-12)
    options = {"method": method, **given_links, **QUIET}
    found, want = fc.ratio_interval(a, ones, **options), fc.mean_interval(a, **options)
    assert found.confidence_interval() == want.confidence_interval()
    assert (found.df, found.status) == (want.df, want.status)


@pytest.mark.parametrize("links", ["", "groups", "sample_weight", "both", "strata"])
def test_ratios_are_means_of_parts_that_items_cluster(links):
    x_a, y, x_b, _ = drawn(other=False)
    n = y.size
    weights, groups = np.random.default_rng(1).random(n), np.arange(n) // 3
    of_items = {"groups": np.arange(n)}
    if links in ("groups", "both"):
        of_items = {"groups": groups}
    if links in ("sample_weight", "both"):
        of_items["sample_weight"] = weights
    if links == "strata":
        of_items["strata"] = np.arange(n) % 2
    (a, items), (b, _) = in_parts(x_a, y), in_parts(x_b, y)
    found = fc.ratio_test(x_a, y, x_b, **of_items, **T)
    want = fc.paired_mean_test(a, b, **{name: v[items] for name, v in of_items.items()}, **T)
    for name in MOMENTS:
        assert_allclose(getattr(found, name), getattr(want, name), rtol=1e-9, err_msg=name)
    alone = fc.ratio_interval(x_a, y, **of_items, **QUIET)
    mean = fc.mean_interval(a, **{name: v[items] for name, v in of_items.items()}, **QUIET)
    assert_allclose(alone.confidence_interval(), mean.confidence_interval(), rtol=1e-9)
    assert alone.method == mean.method == "wilson"


def test_the_variance_of_one_stratum_is_that_of_linearised_survey_ratios_in_ratio_interval():
    """That of R's `svyratio`: G / (G - 1) sum e^2 / Y^2, as `statsmodels` has it of the parts."""
    x, y, *_ = drawn()
    found = fc.ratio_interval(x, y, strata=np.zeros(y.size), **T)
    e, n = x - x.sum() / y.sum() * y, y.size
    assert_allclose(found.standard_error**2, n / (n - 1) * (e @ e) / y.sum() ** 2, rtol=1e-12)
    scores, items = in_parts(x, y)
    fit = sm.OLS(scores, np.ones(scores.size)).fit()
    fit = fit.get_robustcov_results("cluster", groups=items)
    assert_allclose(found.standard_error, fit.bse[0], rtol=1e-9)


def test_a_bootstrap_of_items_has_the_standard_error_in_ratio_test():
    columns = np.array(drawn(n=200), float)
    rng = np.random.default_rng(2)
    sums = rng.multinomial(200, np.full(200, 1 / 200), size=4000) @ columns.T
    replicates = sums[:, 0] / sums[:, 1] - sums[:, 2] / sums[:, 3]
    found = fc.ratio_test(*columns)
    assert_allclose(found.standard_error, replicates.std(), rtol=0.04)


def test_the_df_of_unequal_denominators_lie_between_those_of_both_models():
    x_a, y_a, x_b, y_b = drawn(other=False)
    y_b = np.where(np.arange(y_b.size) == 0, 5 * y_b, y_b)
    of_both = [fc.ratio_interval(x, y, **T).df for x, y in ((x_a, y_a), (x_b, y_b))]
    assert min(of_both) < fc.ratio_test(x_a, y_a, x_b, y_b, **T).df < max(of_both)


@given(data=counted_items(), scale=st.sampled_from([0.125, 3.0, 1e6]))
def test_units_of_counts_and_the_order_of_items_do_not_matter_in_ratio_test(data, scale):
    found = fc.ratio_test(*data, **T)
    order = np.random.default_rng(0).permutation(data[0].size)
    scaled = fc.ratio_test(*(scale * column[order] for column in data), **T)
    for name in ("estimate", "standard_error", "df"):
        one, other = getattr(found, name), getattr(scaled, name)
        assert_allclose(one, other, rtol=1e-7, atol=1e-12)


@given(data=counted_items())
def test_swapping_the_models_turns_the_test_around_in_ratio_test(data):
    found, turned = fc.ratio_test(*data, **QUIET), fc.ratio_test(*data[2:], *data[:2], **QUIET)
    assert_allclose(found.estimate, -turned.estimate, atol=1e-15)
    assert_allclose(found.pvalue, turned.pvalue, rtol=1e-9)
    assert_allclose(
        found.confidence_interval(), [-end for end in turned.confidence_interval()[::-1]]
    )


def test_items_without_denominator_count_by_their_numerator_in_ratio_test():
    x, y, x_b, _ = drawn(other=False)
    y[3], x[3], x_b[3] = 0, 4, 0  # words inserted where nothing was said
    found = fc.ratio_test(x, y, x_b, **T)
    assert found.estimate == pytest.approx((x.sum() - x_b.sum()) / y.sum())
    dropped = fc.ratio_test(*(np.delete(v, 3) for v in (x, y, x_b)), **T)
    assert found.standard_error > dropped.standard_error


def test_equal_models_do_not_differ_and_their_bound_narrows_with_items_in_ratio_test():
    x, y, *_ = drawn()
    same = fc.ratio_test(x, y, 3 * x, 3 * y)
    assert (same.estimate, same.pvalue, same.status) == (0.0, 1.0, "no_difference")
    claims = [
        fc.ratio_test(x[:n], y[:n], x[:n], alternative="equivalence", margin=0.1).pvalue
        for n in (10, 20, 40)
    ]
    assert claims[0] > claims[1] > claims[2] > 0.0


def test_shares_stay_within_0_and_1_and_rates_of_errors_need_not_in_ratio_interval():
    y = np.array([10, 20, 30, 25, 15, 12, 28, 31, 22, 17])
    all_right = fc.ratio_interval(y, y, **QUIET)
    low, high = all_right.confidence_interval()
    assert 0.5 < low < high == 1.0
    rare = np.where(np.arange(10) == 4, 1, 0)
    low, high = fc.ratio_interval(rare, y, **QUIET).confidence_interval()
    assert 0.0 < low < 1 / 210 < high < 1.0
    errors = fc.ratio_interval(2 * y - np.arange(10), y, **QUIET)
    assert errors.method == "t"
    assert errors.confidence_interval().high > 1.0


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (([3], [5], [2]), "one_case"),
        (([3, 0], [5, 0], [2, 0]), "too_few_clusters"),
        (([30, 1, 2, 2, 1, 1], [60, 5, 6, 4, 5, 6], [20, 2, 1, 2, 1, 2]), "few_clusters"),
        (([1] * 6, [4, 5, 4, 5, 4, 5], [1] * 6), "no_difference"),
    ],
)
def test_a_status_says_what_is_undefined_or_rough_in_ratio_test(data, word):
    found = fc.ratio_test(*data, **QUIET)
    assert found.status == word
    assert found.summary()


def test_one_long_item_is_warned_of_in_ratio_test():
    x_a, y_a, x_b, y_b = drawn(n=60)
    for column in (x_a, y_a, x_b, y_b):
        column[0] *= 20
    with pytest.warns(fc.SmallSampleWarning, match="few_items"):
        fc.ratio_test(x_a, y_a, x_b, y_b)


def test_failures_on_documents_that_the_sample_lacks_are_warned_of_in_ratio_test():
    words = np.array([30, 28, 33, 31, 29, 32, 30, 27, 34, 31])
    wrong = np.array([3, 2, 3, 3, 2, 4, 3, 2, 3, 3])
    with pytest.warns(fc.SmallSampleWarning, match="unseen_failures"):
        result = fc.ratio_test(0 * words, words, wrong)
    assert "would explain the difference" in result.summary()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"denominators_a": [1, 2, -3]}, "`denominators_a` must be at least 0; 1 are not"),
        ({"denominators_b": [0, 0, 0]}, "`denominators_b` must be above 0 for some item"),
        ({"numerators_b": [1, 2]}, "`numerators_b` must have one value for each of the 3 items"),
        ({"numerators_a": [1, np.inf, 2]}, "`numerators_a` must be finite; 1 are not"),
        ({"numerators_a": [[1, 2], [3, 4]]}, "`numerators_a` must have a number for each item"),
        ({"numerators_a": [1, np.nan, 2]}, r"`numerators_a` has 1 missing value\b"),
        ({"groups": [1, 2]}, "`groups` must have one value for each of the 3 items in"),
        ({"method": "bootstrap"}, "`method` must be"),
    ],
)
def test_bad_input_is_an_error_with_parameter_and_rule_in_ratio_test(changed, message):
    good = {"numerators_a": [1, 2, 3], "denominators_a": [4, 5, 6], "numerators_b": [2, 2, 2]}
    with pytest.raises(fc.FastCompareError, match=message):
        fc.ratio_test(**good | {"denominators_b": [4, 5, 7]} | changed)


def test_missing_items_are_dropped_for_both_models_on_request_in_ratio_test():
    x_a, y_a, x_b, y_b = (np.array(column, float) for column in drawn())
    x_b[[2, 7]] = np.nan
    with pytest.warns(fc.DroppedCasesWarning, match="2 of 40 items"):
        found = fc.ratio_test(x_a, y_a, x_b, y_b, nan_policy="omit", method="t")
    left = np.delete(np.arange(40), [2, 7])
    want = fc.ratio_test(*(column[left] for column in (x_a, y_a, x_b, y_b)), method="t")
    assert (found.pvalue, found.n_dropped) == (want.pvalue, 2)
