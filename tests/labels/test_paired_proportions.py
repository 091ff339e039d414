"""The difference of two accuracies on the same cases: intervals, margins, clusters, odds ratio."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

import fastcompare as fc
from tests.reference import labels as reference

T = reference.TABLE
SIDES = ["greater", "less"]
COUNTS = st.tuples(*[st.integers(0, 30)] * 4).filter(any)


def table_of(counts):
    n11, b, c, n00 = counts
    return [[n11, b], [c, n00]]


def tango_z(counts, difference):
    """The score statistic of a difference other than 0, which is that of a margin."""
    claim = "greater" if difference < 0.0 else "less"
    options = {"alternative": claim, "margin": abs(difference), "on_undefined": "ignore"}
    return fc.mcnemar_test(table_of(counts), **options).statistic


@pytest.mark.parametrize(
    ("interval", "low", "high"),
    [
        ("tango", -0.0124261, 0.114031),
        ("wald", -0.0115909, 0.111591),
        ("newcombe", -0.0129276, 0.113411),
        ("auto", -0.0124261, 0.114031),
    ],
)
def test_check_values_of_intervals_in_mcnemar_test(interval, low, high):
    result = fc.mcnemar_test(T, interval=interval)
    assert_allclose(result.confidence_interval(), (low, high), rtol=5e-6)
    assert result.interval == ("tango" if interval == "auto" else interval)


def test_check_values_of_margins_odds_ratio_and_clusters_in_mcnemar_test():
    greater = fc.mcnemar_test(T, alternative="greater", margin=0.05)
    assert_allclose(greater.statistic, 3.04551, rtol=2e-6)
    nothing = fc.mcnemar_test([[150, 0], [0, 50]], alternative="greater", margin=0.05)
    assert_allclose(nothing.statistic, 3.24443, rtol=1e-6)
    assert nothing.status == "no_discordant"
    assert_allclose(fc.mcnemar_test(T).odds_ratio_interval(), (0.845069, 3.40019), rtol=2e-6)
    assert fc.mcnemar_test(T).odds_ratio == 25 / 15
    clustered = fc.mcnemar_test(*reference.cases_of(T), groups=np.arange(200) % 40)
    assert_allclose(clustered.standard_error, 0.0310087, rtol=2e-6)


@settings(max_examples=60, deadline=None)
@example((0, 0, 0, 1), -1e-300)
@example((4, 0, 0, 16), 5e-324)
@given(COUNTS, st.floats(-0.9, 0.9).filter(bool))
def test_tangos_score_of_mcnemar_test_equals_that_of_the_greatest_likelihood(counts, difference):
    want = reference.tango_z(table_of(counts), difference)
    assert_allclose(tango_z(counts, difference), want, rtol=1e-4, atol=1e-4)


@settings(max_examples=50, deadline=None)
@given(COUNTS)
def test_tangos_score_at_no_difference_is_mcnemars_in_mcnemar_test(counts):
    result = fc.mcnemar_test(table_of(counts), method="asymptotic")
    for nearest in (-5e-324, 5e-324):
        assert_allclose(tango_z(counts, nearest) ** 2, result.statistic, rtol=1e-12, atol=1e-300)


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(COUNTS, st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_tangos_ends_are_the_differences_just_not_rejected_in_mcnemar_test(counts, level):
    ends = fc.mcnemar_test(table_of(counts), interval="tango").confidence_interval(level)
    critical = stats.norm.isf((1 - level) / 2)
    for end, sign in zip(ends, (1, -1), strict=True):
        if 0 < abs(end) < 1:
            assert_allclose(tango_z(counts, end), sign * critical, rtol=1e-6)


@settings(max_examples=30, deadline=None)
@given(COUNTS, st.sampled_from(["two-sided", "greater", "less"]))
def test_the_asymptotic_p_and_tangos_interval_invert_one_another(counts, alternative):
    if counts[1] == counts[2] == 0:
        return
    result = fc.mcnemar_test(table_of(counts), method="asymptotic", alternative=alternative)
    if 1e-6 < result.pvalue < 0.999:
        ends = result.confidence_interval(1 - result.pvalue)
        assert min(abs(end) for end in ends) < 1e-7


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(COUNTS, st.sampled_from(["tango", "newcombe", "wald", "melded"]), st.sampled_from(SIDES))
def test_one_sided_intervals_are_halves_of_two_sided_ones(counts, interval, alternative):
    both = fc.mcnemar_test(table_of(counts), interval=interval).confidence_interval(0.9)
    one = fc.mcnemar_test(table_of(counts), interval=interval, alternative=alternative)
    if interval == "wald" and one.standard_error == 0:
        return
    want = (both[0], 1.0) if alternative == "greater" else (-1.0, both[1])
    assert_allclose(one.confidence_interval(0.95), want, atol=1e-12)
    opposite = one.confidence_interval(0.05)[0 if alternative == "greater" else 1]
    if interval == "tango":  # below a half, the end is on the other side of the estimate
        assert_allclose(opposite, both[1 if alternative == "greater" else 0], atol=1e-9)


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(COUNTS, st.sampled_from(["tango", "newcombe", "corrected", "melded"]))
def test_intervals_hold_the_estimate_and_have_a_width_in_mcnemar_test(counts, interval):
    result = fc.mcnemar_test(table_of(counts), interval=interval)
    low, high = result.confidence_interval()
    assert -1 <= low <= result.estimate <= high <= 1
    assert low < high


@pytest.mark.parametrize(
    ("table", "alternative", "level", "ends"),  # of mcnemarExactDP, R's exact2x2 1.7.0: 4 digits
    [
        ([[1, 1], [7, 12]], "two-sided", 0.95, (-0.54550, 0.02045)),  # Bentur et al. (2009)
        (T, "two-sided", 0.95, (-0.01694, 0.11727)),
        ([[20, 0], [5, 5]], "two-sided", 0.95, (-0.34721, 0.00741)),
        ([[20, 12], [18, 10]], "two-sided", 0.9, (-0.26075, 0.06673)),
        ([[3, 4], [0, 3]], "greater", 0.95, (-0.02208, 1.0)),
        ([[0, 3], [0, 0]], "two-sided", 0.95, (-0.41518, 1.0)),
    ],
)
def test_check_values_of_the_interval_of_the_exact_test(table, alternative, level, ends):
    result = fc.mcnemar_test(table, method="exact", alternative=alternative)
    assert result.interval == "melded"
    assert_allclose(result.confidence_interval(level), ends, atol=5e-5)


def melded(counts, weight=0.5):
    """The test with Fay and Lumbard's interval: half of the observed table counts, or all."""
    return fc.mcnemar_test(table_of(counts), method="midp" if weight == 0.5 else "exact")


@pytest.mark.slow
@pytest.mark.parametrize("counts", [(3, 1, 0, 3), (0, 6, 0, 40), (9, 7, 5, 0), (100, 22, 31, 47)])
@pytest.mark.parametrize("weight", [1.0, 0.5])
def test_melded_ends_are_quantiles_of_products_of_beta_distributions(counts, weight):
    _, b, c, _ = counts
    n, tail = sum(counts), 0.025
    low, high = melded(counts, weight).confidence_interval(1 - 2 * tail)
    assert_allclose(low, reference.melded_low(b, c, n, tail, weight), atol=1e-8)
    assert_allclose(high, -reference.melded_low(c, b, n, tail, weight), atol=1e-8)


@pytest.mark.parametrize("n", [10, 200])
def test_melded_intervals_where_no_case_tells_models_apart_are_those_of_no_loss_in_mcnemar_test(n):
    exact = fc.mcnemar_test([[n, 0], [0, 0]], method="exact").confidence_interval()
    assert_allclose(exact, np.array([-1, 1]) * (1 - 0.025 ** (1 / n)), rtol=1e-9)
    half = fc.mcnemar_test([[n, 0], [0, 0]], method="midp").confidence_interval()
    assert_allclose(half, np.array([-1, 1]) * (1 - 0.05 ** (1 / n)), rtol=1e-9)


@pytest.mark.slow
def test_the_interval_of_a_mid_p_test_covers_what_it_promises_in_mcnemar_test():
    n = 16
    tables = [(b, c) for b in range(n + 1) for c in range(n + 1 - b)]
    ends = np.array([melded((n - b - c, b, c, 0)).confidence_interval(0.9) for b, c in tables])
    for rates in ((0.3, 0.3), (0.5, 0.1), (0.15, 0.02), (0.6, 0.35)):
        p = stats.multinomial([n] * 1, [*rates, 1 - sum(rates)])
        chance = np.array([p.pmf([b, c, n - b - c])[0] for b, c in tables])
        inside = (ends[:, 0] <= rates[0] - rates[1]) & (rates[0] - rates[1] <= ends[:, 1])
        assert 0.9 <= chance @ inside <= 0.99


@pytest.mark.parametrize("interval", ["tango", "newcombe"])
def test_a_sentence_names_an_interval_that_is_not_the_tests_own_in_mcnemar_test(interval):
    text = fc.mcnemar_test([[20, 9], [2, 5]], interval=interval).summary()
    assert f"by {interval.title()}'s" in text
    assert "'s" not in fc.mcnemar_test([[20, 9], [2, 5]]).summary().replace("McNemar's", "")


@pytest.mark.parametrize("counts", [(40, 10, 20, 5), (6, 3, 2, 1), (90, 30, 30, 10)])
def test_newcombes_interval_of_uncorrelated_answers_is_that_of_independent_samples(counts):
    n11, b, c, n00 = counts
    assert n11 * n00 == b * c
    n = sum(counts)
    want = confint_proportions_2indep(n11 + b, n, n11 + c, n, method="newcomb")
    found = fc.mcnemar_test(table_of(counts), interval="newcombe").confidence_interval()
    assert_allclose(found, want, rtol=1e-10)


@pytest.mark.parametrize(
    ("counts", "phi"),
    [
        ((5, 1, 1, 5), (24 - 6) / 36),
        ((1, 5, 5, 1), -24 / 36),
        ((3, 2, 2, 2), 0.0),  # 6 - 4 is less than half of 9
        ((3, 2, 0, 0), 0.0),  # an empty margin
    ],
)
def test_newcombes_phi_of_mcnemar_test_is_less_by_half_a_case_only_if_positive(counts, phi):
    n11, b, c, _ = counts
    n, right = sum(counts), (n11 + b, n11 + c)
    (p, low_p, high_p), (q, low_q, high_q) = (
        (x / n, *proportion_confint(x, n, method="wilson")) for x in right
    )
    ends = ((-1, p - low_p, high_q - q), (1, high_p - p, q - low_q))
    want = [p - q + sign * math.sqrt(u * u - 2 * phi * u * v + v * v) for sign, u, v in ends]
    found = fc.mcnemar_test(table_of(counts), interval="newcombe", on_undefined="ignore")
    assert_allclose(found.confidence_interval(), want, rtol=1e-10)


@settings(max_examples=50, deadline=None)
@given(COUNTS)
def test_the_odds_ratio_pairs_with_the_exact_test_in_mcnemar_test(counts):
    _, b, c, _ = counts
    result = fc.mcnemar_test(table_of(counts), method="exact")
    if not b + c:
        return
    low, high = result.odds_ratio_interval(0.9)
    want = proportion_confint(b, b + c, alpha=0.1, method="beta")
    assert_allclose([low / (1 + low)], want[0], atol=1e-12)
    assert_allclose(1 / (1 + 1 / high) if high else 0.0, want[1], atol=1e-12)
    assert (low <= 1 <= high) == (result.pvalue > 0.1)


def test_one_sided_odds_ratios_are_open_on_one_side_in_mcnemar_test():
    low, high = fc.mcnemar_test(T).odds_ratio_interval(0.9)
    greater, less = (
        fc.mcnemar_test(T, alternative=alternative).odds_ratio_interval(0.95)
        for alternative in ("greater", "less")
    )
    assert_allclose(greater, (low, math.inf), rtol=1e-12)
    assert_allclose(less, (0.0, high), rtol=1e-12)


def test_odds_ratios_of_one_sided_answers_in_mcnemar_test():
    assert fc.mcnemar_test([[5, 3], [0, 5]]).odds_ratio == math.inf
    assert fc.mcnemar_test([[5, 3], [0, 5]]).odds_ratio_interval().high == math.inf
    assert fc.mcnemar_test([[5, 0], [3, 5]]).odds_ratio == 0.0


@pytest.mark.parametrize("margin", [0.01, 0.05, 0.2])
def test_non_inferiority_is_claimed_exactly_if_the_interval_says_so_in_mcnemar_test(margin):
    for table in (T, [[100, 9], [14, 20]], [[50, 0], [0, 3]], [[40, 30], [2, 3]]):
        greater = fc.mcnemar_test(table, alternative="greater", margin=margin)
        assert (greater.pvalue < 0.05) == (greater.confidence_interval().low > -margin)
        less = fc.mcnemar_test(table, alternative="less", margin=margin)
        assert (less.pvalue < 0.05) == (less.confidence_interval().high < margin)
        both = fc.mcnemar_test(table, alternative="equivalence", margin=margin)
        assert both.pvalue == max(greater.pvalue, less.pvalue)
        assert both.statistic in (greater.statistic, less.statistic)
        low, high = both.confidence_interval()
        assert (both.pvalue < 0.05) == (-margin < low and high < margin)


def test_non_inferiority_keeps_its_level_in_mcnemar_test():
    rng = np.random.default_rng(0)
    margin, n = 0.1, 200  # the truth: p10 - p01 = -margin
    tables = rng.multinomial(n, [0.65, 0.1, 0.2, 0.05], size=1000).reshape(-1, 2, 2)
    p = [fc.mcnemar_test(t, alternative="greater", margin=margin).pvalue for t in tables]
    assert 0.03 < np.mean(np.array(p) <= 0.05) < 0.075


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 1)] * 3, st.integers(0, 4)), min_size=4, max_size=40))
def test_clustered_variance_equals_the_definition_in_mcnemar_test(rows):
    y, a, b, groups = (list(column) for column in zip(*rows, strict=True))
    if len(set(groups)) < 2:
        return
    result = fc.mcnemar_test(y, a, b, groups=groups, on_undefined="ignore")
    variance = reference.clustered_variance(y, a, b, groups)
    assert_allclose(result.standard_error, math.sqrt(variance), rtol=1e-10, atol=1e-12)
    if variance:
        df = float(reference.clustered_df(groups))
        t = result.estimate / math.sqrt(variance)
        assert_allclose(result.df, df, rtol=1e-10)
        assert result.statistic <= t * t * (1 + 1e-9)  # its variance is at least that
        own = 2 * stats.t.sf(math.sqrt(result.statistic), df)
        assert_allclose(result.pvalue, own, rtol=1e-8)
        wald = fc.mcnemar_test(y, a, b, groups=groups, interval="wald", on_undefined="ignore")
        assert_allclose(
            wald.confidence_interval(),
            np.clip(stats.t.interval(0.95, df, result.estimate, math.sqrt(variance)), -1, 1),
            rtol=1e-8,
            atol=1e-10,
        )


def test_clusters_without_variance_say_so_in_mcnemar_test():
    y, groups = [1] * 4, [1, 1, 2, 2]
    result = fc.mcnemar_test(y, [1] * 4, [0, 1, 1, 0], groups=groups, on_undefined="ignore")
    assert (result.standard_error, result.status) == (0.0, "few_clusters")
    assert_allclose(result.statistic, 0.5**2 / (0.25 / 4), rtol=1e-12)  # as of independent cases
    low, high = result.confidence_interval()
    assert low < 0.0 < 0.5 < high
    same = fc.mcnemar_test(y, [1] * 4, [1] * 4, groups=groups)
    assert (same.statistic, same.pvalue, same.status) == (0.0, 1.0, "no_discordant")
    few = fc.mcnemar_test(y, [1, 1, 1, 0], [0, 1, 1, 1], groups=groups)
    assert few.status == "few_clusters"
    with pytest.raises(fc.InvalidValueError, match="`groups` must name >= 2"):
        fc.mcnemar_test(y, y, y, groups=[1] * 4)


@pytest.mark.parametrize(
    "options", [{"interval": "tango"}, {"method": "exact"}, {"continuity": True}]
)
def test_what_clusters_do_not_have_is_refused_in_mcnemar_test(options):
    with pytest.raises(fc.InvalidValueError, match="groups"):
        fc.mcnemar_test([1, 0], [1, 1], [0, 0], groups=[1, 2], **options)
