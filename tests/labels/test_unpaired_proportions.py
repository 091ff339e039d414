"""The difference of two independent accuracies: score interval, margins, Boschloo's exact test."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc
from tests.reference import labels as reference

SHARE = st.integers(1, 40).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def unpaired(one, two, **options):
    options = {"on_undefined": "ignore", **options}
    return fc.two_proportions_unpaired_test(correct=(one[0], two[0]), n=(one[1], two[1]), **options)


def score_z(one, two, difference):
    """The score statistic of a difference other than 0, which is that of a margin."""
    claim = "greater" if difference < 0.0 else "less"
    return unpaired(one, two, alternative=claim, margin=abs(difference)).statistic


PUBLISHED = {  # Newcombe (1998), Statistics in Medicine 17, 873-890
    ((56, 70), (48, 80)): (0.0533, 0.3377),  # method 5, Mee's; so the R package cicalc, too
}


@pytest.mark.parametrize("samples", PUBLISHED)
def test_the_interval_is_that_of_newcombes_table_in_two_proportions_unpaired_test(samples):
    assert_allclose(unpaired(*samples).confidence_interval(), PUBLISHED[samples], atol=5e-5)
    shifted = score_z((56, 70), (48, 80), 0.1)
    assert round(shifted, 3) == 1.348  # cicalc's snapshot of ci_prop_diff_mee(delta=0.1)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(SHARE, SHARE, st.integers(-999, 999).filter(bool).map(lambda d: d / 1000))
def test_the_score_statistic_is_that_of_the_likeliest_accuracies(one, two, difference):
    want = reference.score_of_shares(one, two, difference)
    assert_allclose(score_z(one, two, difference), want, rtol=1e-7, atol=1e-9)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(SHARE, SHARE, st.sampled_from([0.5, 0.9, 0.99]))
def test_ends_of_the_interval_are_just_not_rejected(one, two, level):
    low, high = unpaired(one, two).confidence_interval(level)
    z = stats.norm.isf(0.5 * (1 - level))
    assert -1.0 <= low <= high <= 1.0
    for end, want in ((low, z), (high, -z)):
        if abs(end) < 1.0 - 1e-9:
            assert_allclose(reference.score_of_shares(one, two, end), want, rtol=1e-5)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(SHARE, SHARE, st.sampled_from([0.05, 0.2, 0.6]))
def test_margins_and_intervals_agree_in_two_proportions_unpaired_test(one, two, margin):
    for alternative in ("greater", "less", "equivalence"):
        result = unpaired(one, two, alternative=alternative, margin=margin)
        low, high = result.confidence_interval(0.95)
        within = {"greater": low > -margin, "less": high < margin}
        claim = within.get(alternative, low > -margin and high < margin)
        assert claim == (result.pvalue < 0.05)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(SHARE, SHARE)
def test_swapping_the_samples_turns_the_interval_in_two_proportions_unpaired_test(one, two):
    low, high = unpaired(one, two).confidence_interval()
    assert_allclose(unpaired(two, one).confidence_interval(), (-high, -low), atol=1e-12)
    wrong = [(n - x, n) for x, n in (one, two)]
    assert_allclose(unpaired(*wrong).confidence_interval(), (-high, -low), atol=1e-12)


def test_samples_that_are_all_right_have_an_interval_with_a_width():
    result = unpaired((3, 3), (3, 3))
    assert (result.statistic, result.pvalue, result.status) == (0.0, 1.0, "all_alike")
    assert_allclose(result.confidence_interval(), (-0.56149, 0.56149), atol=1e-5)
    assert_allclose(
        result.confidence_interval()[1],
        stats.norm.isf(0.025) ** 2 / (3 + stats.norm.isf(0.025) ** 2),
        rtol=1e-9,
    )  # D / (1 - D) = z^2 / 3
    claim = unpaired((300, 300), (300, 300), alternative="greater", margin=0.05)
    assert_allclose(claim.statistic, 0.05 / math.sqrt(0.05 * 0.95 / 300), rtol=1e-9)
    assert claim.pvalue < 1e-4
    assert math.isnan(unpaired((3, 3), (2, 3), variance="unpooled").confidence_interval().low) is (
        False
    )


def test_few_errors_among_a_billion_cases_keep_their_digits_in_two_proportions_unpaired_test():
    n = 10**9
    few = unpaired((n - 3, n), (n - 9, n)).confidence_interval()
    scaled = unpaired((10**6 - 3, 10**6), (10**6 - 9, 10**6)).confidence_interval()
    assert_allclose(np.array(few) * 1000, scaled, rtol=1e-4)


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(
    st.integers(1, 12).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    st.integers(1, 12).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    st.sampled_from(["greater", "less"]),
)
def test_boschloos_test_is_the_largest_chance_of_tables_as_extreme_by_fisher(one, two, claim):
    result = unpaired(one, two, method="boschloo", alternative=claim)
    want = reference.boschloo(one, two, claim)
    assert_allclose(result.pvalue, want, rtol=2e-3, atol=1e-12)  # a grid of common accuracies
    assert result.method == "Boschloo's exact test of two proportions"
    assert_allclose(result.log_pvalue, math.log(result.pvalue))
    two_sided = unpaired(one, two, method="boschloo").pvalue
    sides = [
        unpaired(one, two, method="boschloo", alternative=a).pvalue for a in (claim, other(claim))
    ]
    assert_allclose(two_sided, min(1.0, 2 * min(sides)), rtol=1e-6)


def other(alternative):
    return {"greater": "less", "less": "greater"}[alternative]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "fisher"}, "`method` must be one of"),
        ({"method": "boschloo", "variance": "unpooled"}, "'asymptotic' with variance='unpooled'"),
        (
            {"method": "boschloo", "alternative": "greater", "margin": 0.1},
            "'asymptotic' with a margin",
        ),
    ],
)
def test_options_that_do_not_go_together_are_refused(options, message):
    with pytest.raises(fc.InvalidValueError, match=message):
        unpaired((3, 5), (4, 5), **options)


def test_an_exact_test_of_large_samples_is_refused_in_two_proportions_unpaired_test():
    with pytest.raises(fc.InvalidValueError, match="allows up to 250000 pairs"):
        unpaired((900, 1000), (950, 1000), method="boschloo")


@pytest.mark.parametrize(
    ("samples", "options", "warns"),
    [
        (((96, 100), (90, 100)), {}, False),
        (((96, 100), (90, 100)), {"alternative": "greater"}, False),
        (((97, 100), (98, 100)), {"alternative": "greater"}, True),
        (((97, 100), (98, 100)), {}, False),
        (((4, 8), (7, 8)), {}, True),
        (((10, 10), (990, 1000)), {}, True),
        (((4, 8), (7, 8)), {"method": "boschloo"}, False),
    ],
)
def test_small_samples_are_warned_of_where_the_level_fails(samples, options, warns):
    result = unpaired(*samples, **options)
    assert (result.status == "small_sample") is warns
    if warns:
        with pytest.warns(fc.SmallSampleWarning, match="method='boschloo' is exact"):
            unpaired(*samples, **options, on_undefined="warn")


def test_no_exact_test_is_named_for_margins_which_it_does_not_take():
    claim = {"alternative": "greater", "margin": 0.1, "on_undefined": "warn"}
    with pytest.warns(fc.SmallSampleWarning) as caught:
        unpaired((4, 8), (7, 8), **claim)
    assert "boschloo" not in str(caught[0].message)


def test_levels_of_the_score_test_are_as_said():
    """All tables of two samples: below 6% without a warning, up to 14% with one."""
    assert level((20, 20), 0.2) < 0.06
    assert level((100, 1000), 0.005) < 0.06 < level((100, 1000), 0.003)
    assert max(level((10, 1000), wrong) for wrong in (0.008, 0.01, 0.012)) > 0.1


def level(n, wrong):
    """Return how often equal accuracies are rejected without a word."""
    tables = [np.arange(size + 1) for size in n]
    chances = np.outer(
        *(stats.binom.pmf(x, size, 1 - wrong) for x, size in zip(tables, n, strict=True))
    )
    p = (tables[0][:, None] + tables[1]) / sum(n)
    with np.errstate(invalid="ignore"):
        z = (tables[0][:, None] / n[0] - tables[1] / n[1]) / np.sqrt(
            p * (1 - p) * (1 / n[0] + 1 / n[1])
        )
    return chances[np.abs(np.nan_to_num(z)) > stats.norm.isf(0.025)].sum()


def test_a_paired_test_as_if_unpaired_has_the_same_interval_and_another_cure():
    table = [[150, 25], [15, 10]]
    found = fc.two_proportions_test(table).confidence_interval()
    assert_allclose(found, unpaired((175, 200), (165, 200)).confidence_interval(), rtol=1e-12)
    with pytest.warns(fc.SmallSampleWarning, match="mcnemar_test is for models on the same"):
        fc.two_proportions_test([[3, 1], [1, 0]])


def test_boschloos_test_underflows_in_silence_in_two_proportions_unpaired_test():
    with np.errstate(all="raise"):
        assert unpaired((0, 2), (0, 200), method="boschloo").pvalue == 1.0


@pytest.mark.parametrize("right", [(9, 9), (0, 0), (9, 0)])
@pytest.mark.parametrize("margin", [0.05, 0.3])
def test_margins_without_variance_are_judged_by_the_smaller_sample(right, margin):
    options = {"alternative": "greater", "margin": margin, "variance": "unpooled"}
    result = unpaired((right[0], 9), (right[1], 9), **options)
    chance = (1 - margin) / (1 if right[0] == right[1] else 2)
    assert_allclose(result.pvalue, chance**9, rtol=1e-9)
    assert result.status == "unvaried"
    assert (result.confidence_interval().low > -margin) == (result.pvalue < 0.05)
