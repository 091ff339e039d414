"""Repeated-measures ANOVA and Mauchly's test against fractions, R, statsmodels and pingouin."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from statsmodels.stats.anova import AnovaRM

import fastcompare as fc
from tests.reference import anova as reference
from tests.reference.anova import SIZES, SPHERICITY
from tests.shared.golden_files import GOLDEN

R = np.array(
    [
        [0.80, 0.78, 0.75],
        [0.82, 0.79, 0.80],
        [0.79, 0.80, 0.74],
        [0.85, 0.81, 0.79],
        [0.81, 0.78, 0.78],
    ]
)
PUBLISHED = json.loads((GOLDEN / "rm_anova.json").read_text())["cases"]
_I, _J = np.arange(1, 13)[:, None], np.arange(1, 6)
WAVES = np.sin(_I * _J) + 0.3 * _J + (_I % 4) * _J / 3
TABLES = st.tuples(st.integers(2, 8), st.integers(2, 5)).flatmap(
    lambda shape: arrays(float, shape, elements=st.integers(-9, 9).map(float))
)
QUICK = settings(max_examples=50, deadline=None)
QUIET = {"on_undefined": "ignore"}


def test_check_values_in_rm_anova_test():
    """FORMULAS: RM F, epsilon."""
    result = fc.rm_anova_test(R)
    assert_allclose(result.statistic, 9.52518, rtol=1e-6)
    assert_allclose(result.epsilon, (0.715142, 1.00233, 0.5), rtol=5e-6)
    assert (result.sphericity, result.n) == ("greenhouse-geisser", 5)
    assert_allclose(result.pvalue, 0.018497, rtol=1e-5)
    assert_allclose((result.partial_eta2, result.generalized_eta2), (0.704255, 0.446092), rtol=2e-6)
    assert_allclose(fc.rm_anova_test(R, sphericity="none").pvalue, 0.00765011, rtol=1e-6)
    assert result.estimate is None


def test_corrected_check_values_in_rm_anova_test():
    """FORMULAS: corrected RM F; eta squared stays that of the uncorrected sums."""
    result = fc.rm_anova_test(R, sphericity="none", **SIZES)
    assert_allclose((result.statistic, result.pvalue), (4.23341, 0.0557084), rtol=2e-6)
    assert_allclose(fc.rm_anova_test(R[:, :2], **SIZES).statistic, 2.90691, rtol=2e-6)
    assert result.partial_eta2 == fc.rm_anova_test(R).partial_eta2


@pytest.mark.parametrize("case", PUBLISHED, ids=[case["name"] for case in PUBLISHED])
def test_published_numbers(case):
    """R's car::Anova, and pingouin's test suite: see golden/rm_anova.json."""
    want, peers = case["expected_R_car"], case["recomputed"]["pingouin"]
    by = {name: fc.rm_anova_test(case["data"], sphericity=name) for name in SPHERICITY}
    plain = by["none"]
    assert_allclose((plain.statistic, plain.pvalue), (want["F"], want["p"]), rtol=1e-10)
    assert plain.df == (want["df1"], want["df2"])
    assert_allclose(plain.epsilon, (want["GG"], want["HF"], peers["LB"]), rtol=1e-12)
    assert_allclose(by["greenhouse-geisser"].pvalue, want["p_GG"], rtol=1e-10)
    assert_allclose(by["huynh-feldt"].pvalue, want["p_HF"], rtol=1e-10)
    assert_allclose(plain.partial_eta2, case["partial_eta2"], rtol=1e-10)
    found = fc.mauchly_test(case["data"])
    assert_allclose((found.statistic, found.pvalue), (want["W"], want["W_p"]), rtol=1e-11)


def test_numbers_of_r_and_pingouin():
    """R 4.2.2: anova(m, X = ~1, test = "Spherical"), mauchly.test; pingouin 0.7.0: rm_anova."""
    by = {name: fc.rm_anova_test(WAVES, sphericity=name) for name in SPHERICITY}
    assert_allclose(by["none"].statistic, 21.7488073433252, rtol=1e-13)
    assert_allclose(by["none"].pvalue, 5.88508662824659e-10, rtol=1e-11)
    assert_allclose(by["greenhouse-geisser"].pvalue, 2.12102040633145e-07, rtol=1e-11)
    assert_allclose(by["huynh-feldt"].pvalue, 2.2651349423701e-09, rtol=1e-11)
    result = by["auto"]
    assert_allclose(result.epsilon, (0.6808293966053119, 0.9266940998823869, 0.25), rtol=1e-13)
    assert_allclose(result.partial_eta2, 0.664109905295773, rtol=1e-13)
    assert_allclose(result.generalized_eta2, 0.36446275723787214, rtol=1e-13)
    found = fc.mauchly_test(WAVES)
    assert_allclose((found.statistic, found.pvalue), (0.4492082134996, 0.587686547876), rtol=1e-11)
    assert found.df == 9
    R_W = fc.mauchly_test(R)
    assert_allclose((R_W.statistic, R_W.pvalue), (0.6016769318377, 0.466707781038), rtol=1e-10)


def test_f_and_p_equal_those_of_statsmodels_in_rm_anova_test():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(7, 4))
    long = pd.DataFrame(scores).rename_axis("round").reset_index()
    long = long.melt("round", var_name="model", value_name="score")
    table = AnovaRM(long, "score", "round", ["model"]).fit().anova_table
    result = fc.rm_anova_test(scores, sphericity="none")
    assert_allclose((result.statistic, result.pvalue), table[["F Value", "Pr > F"]].iloc[0])


@pytest.mark.slow
@QUICK
@given(TABLES)
def test_everything_equals_exact_fractions_in_rm_anova_test(scores):
    table = reference.exact(scores)
    n, k = scores.shape
    models, rounds, left = reference.sums_of_squares(table)
    result = fc.rm_anova_test(scores, sphericity="none", **QUIET)
    if not left:
        assert result.statistic == (math.inf if models else 0.0)
        assert result.status == ("zero_variance" if models else "no_difference")
        assert_array_equal(result.pvalue, math.nan if models else 1.0)
        assert math.isnan(result.epsilon.greenhouse_geisser)
    else:
        assert_allclose(result.statistic, float(models * (n - 1) / left), rtol=1e-12, atol=1e-25)
        want = reference.greenhouse_geisser(table)
        assert_allclose(result.epsilon.greenhouse_geisser, float(want), rtol=1e-12)
        if n > 2 and (n - 1) != (k - 1) * want:
            feldt = (n * (k - 1) * want - 2) / ((k - 1) * (n - 1 - (k - 1) * want))
            assert_allclose(result.epsilon.huynh_feldt, float(feldt), rtol=1e-9)
    eta2 = (0.0, 0.0)
    if models:
        eta2 = (float(models / (models + left)), float(models / (models + left + rounds)))
    assert_allclose((result.partial_eta2, result.generalized_eta2), eta2, rtol=1e-12, atol=1e-25)


@pytest.mark.slow
@QUICK
@given(TABLES.filter(lambda scores: scores.shape[1] > 2))
def test_mauchly_w_equals_exact_fractions_in_mauchly_test(scores):
    table, result = reference.exact(scores), fc.mauchly_test(scores, **QUIET)
    if reference.greenhouse_geisser(table) is None:
        assert math.isnan(result.statistic)
        assert result.status == "no_sphericity"
    elif not (want := reference.mauchly(table)):
        assert (result.statistic, result.status) == (0.0, "no_sphericity")
        assert math.isnan(result.pvalue)
    else:
        assert_allclose(result.statistic, float(want), rtol=1e-9)
        assert 0.0 <= result.pvalue <= 1.0
        assert_allclose(math.exp(result.log_pvalue), result.pvalue, rtol=1e-9)


@pytest.mark.slow
@QUICK
@given(TABLES, st.floats(0.01, 1), st.sampled_from([0.0, 0.3, 1e6]))
def test_f_of_two_models_is_the_square_of_t_corrected_or_not(scores, ratio, shift):
    """To the bit; the correction rounds on its own, which costs up to 8 units in the last place."""
    scores = scores[:, :2] / 7.0 + [shift, 0.0]
    sizes = {"n_train": 1.0, "n_test": ratio}
    for options, t, ulps in (
        (sizes, fc.ttest_corrected(scores, **sizes, **QUIET), 8),
        ({}, fc.ttest_resampled(scores, **QUIET), 0),
    ):
        result = fc.rm_anova_test(scores, **options, **QUIET)
        square = t.statistic * t.statistic
        error = abs(result.statistic - square) if math.isfinite(square) else 0.0
        assert error <= ulps * np.spacing(square) or error == 0.0
        assert math.isinf(result.statistic) == math.isinf(square)
        assert_allclose(result.pvalue, t.pvalue, rtol=1e-13)
        assert (result.status, result.sphericity) == (t.status, "none")
        assert_array_equal(result.epsilon[0], 1.0 if result.status == "ok" else math.nan)


def test_two_models_that_vary_by_rounding_only_are_told_alike():
    """The one judge of what does not vary is that of t: above and below the threshold."""
    for spread in (0.2e-12, 0.9e-12, 1.1e-12, 3e-12, 1e-11):
        scores = np.array([[1.0, 0.5], [1.0, 0.5 + spread], [1.0, 0.5], [1.0, 0.5 + spread]])
        t = fc.ttest_resampled(scores, **QUIET)
        result = fc.rm_anova_test(scores, **QUIET)
        assert (result.status, result.statistic) == (t.status, t.statistic * t.statistic)
    assert t.status == "ok"


@pytest.mark.slow
@QUICK
@given(TABLES, st.data())
def test_what_all_models_share_in_a_round_does_not_matter_in_rm_anova_test(scores, data):
    shift = data.draw(arrays(float, (len(scores), 1), elements=st.integers(-50, 50).map(float)))
    a, b = (fc.rm_anova_test(x, **QUIET) for x in (scores, scores + shift))
    assert (a.statistic, a.epsilon[0]) == (b.statistic, b.epsilon[0]) or math.isnan(a.epsilon[0])
    assert_array_equal(a.pvalue, b.pvalue)


@pytest.mark.slow
@QUICK
@given(TABLES, st.integers(-200, 200), st.randoms(use_true_random=False))
def test_units_and_the_order_of_rounds_and_models_do_not_matter(scores, exponent, random):
    result = fc.rm_anova_test(scores, **QUIET)
    assert fc.rm_anova_test(np.ldexp(scores, exponent), **QUIET).statistic == result.statistic
    rows, columns = (random.sample(range(size), size) for size in scores.shape)
    for same in (scores[rows][:, columns], scores / 100, -scores):
        other = fc.rm_anova_test(same, **QUIET)
        assert other.status == result.status
        assert_allclose(other.statistic, result.statistic, rtol=1e-9, atol=1e-20)
        assert_allclose(other.pvalue, result.pvalue, rtol=1e-9)
        assert_allclose(other.epsilon[0], result.epsilon[0], rtol=1e-9)


@pytest.mark.parametrize("unit", [2.0**-1040, 1e-300, 1e300], ids=["subnormal", "tiny", "huge"])
@pytest.mark.parametrize("k", [2, 4])
def test_a_batch_at_the_ends_of_the_range_of_floats_in_rm_anova_batch(unit, k):
    scores = np.random.default_rng(1).integers(-99, 99, size=(1, 9, k)) / 64
    result, extreme = fc.rm_anova_batch(scores), fc.rm_anova_batch(scores * unit)
    assert_allclose(extreme.statistic, result.statistic, rtol=1e-12)
    assert_allclose(extreme.pvalue, result.pvalue, rtol=1e-12)


@pytest.mark.parametrize("unit", [1e-300, 1e300], ids=["tiny", "huge"])
def test_scores_at_the_ends_of_the_range_of_floats(unit):
    scores = np.random.default_rng(1).normal(size=(9, 4))
    result, extreme = fc.rm_anova_test(scores), fc.rm_anova_test(scores * unit)
    assert_allclose(extreme.statistic, result.statistic, rtol=1e-12)
    assert_allclose(extreme.generalized_eta2, result.generalized_eta2, rtol=1e-12)
    assert_allclose(
        fc.mauchly_test(scores * unit).statistic, fc.mauchly_test(scores).statistic, rtol=1e-12
    )


def test_models_that_hardly_differ_keep_their_digits():
    rng = np.random.default_rng(2)
    scores = rng.uniform(0.5, 1.0, size=(20, 1)) + 1e-9 * rng.normal(size=(20, 4))
    models, _, left = reference.sums_of_squares(reference.exact(scores))
    result = fc.rm_anova_test(scores)
    assert_allclose(result.statistic, float(models * 19 / left), rtol=1e-11)
    want = float(reference.greenhouse_geisser(reference.exact(scores)))
    assert_allclose(result.epsilon.greenhouse_geisser, want, rtol=1e-11)
    assert_allclose(
        fc.mauchly_test(scores).statistic, float(reference.mauchly(reference.exact(scores)))
    )


def test_a_far_tail_keeps_its_logarithm():
    scores = np.random.default_rng(3).normal(size=(400, 3)) + np.array([0, 30, 60])
    result = fc.rm_anova_test(scores, sphericity="none")
    assert result.pvalue == 0.0
    # P(F(2, m) > x) = (1 + 2 x / m)^(-m / 2)
    assert_allclose(result.log_pvalue, -399 * math.log1p(result.statistic / 399), rtol=1e-12)
    batch = fc.rm_anova_batch(scores[None], sphericity="none")
    assert_allclose(batch.log_pvalue, [result.log_pvalue], rtol=1e-14)


@pytest.mark.parametrize(
    ("scores", "statistic", "status"),
    [
        ([[0.8, 0.75], [0.82, 0.77], [0.79, 0.74]], math.inf, "zero_variance"),
        ([[0.3, 0.1 + 0.2], [0.7, 0.7], [0.4, 0.4]], 0.0, "no_difference"),
        (np.full((4, 3), 0.7), 0.0, "no_difference"),
        (np.zeros((4, 3)), 0.0, "no_difference"),
    ],
    ids=["constant", "rounding", "equal", "zero"],
)
def test_differences_that_do_not_vary(scores, statistic, status):
    """Zero over zero is no difference at all; a variance of 0 alone has no p-value."""
    result = fc.rm_anova_test(scores, **QUIET)
    assert (result.statistic, result.status) == (statistic, status)
    assert_array_equal(result.pvalue, math.nan if statistic else 1.0)
    assert result.df == (np.shape(scores)[1] - 1, (np.shape(scores)[1] - 1) * (len(scores) - 1))
    batch = fc.rm_anova_batch(np.array(scores)[None], **QUIET)
    assert_array_equal(batch.statistic, [statistic])
    assert_array_equal(batch.pvalue, [result.pvalue])
    assert_array_equal(batch.partial_eta2, [result.partial_eta2])
    if statistic:
        for call in (fc.rm_anova_test, lambda x: fc.rm_anova_batch(np.array(x)[None])):
            with pytest.warns(fc.UndefinedResultWarning, match="zero_variance"):
                call(scores)


def test_auto_takes_the_smaller_epsilon_only_below_three_quarters_in_rm_anova_test():
    assert fc.rm_anova_test(R).sphericity == "greenhouse-geisser"
    result = fc.rm_anova_test(PUBLISHED[1]["data"])
    assert 0.75 < result.epsilon.greenhouse_geisser < 1.0
    assert result.sphericity == "huynh-feldt"
    assert result.epsilon.huynh_feldt > 1.0
    assert result.df == (2.0, 118.0)


def test_few_rounds_have_an_epsilon_too_in_rm_anova_test():
    """With J rounds only J - 1 dimensions vary, so epsilon is at most (J - 1) / (k - 1)."""
    scores = np.random.default_rng(5).normal(size=(2, 5))
    result = fc.rm_anova_test(scores)
    assert_allclose(result.epsilon, (0.25, 0.25, 0.25), rtol=1e-12)
    assert_allclose(result.df, (1.0, 1.0), rtol=1e-12)
    simplex = np.linalg.qr(np.vander(np.arange(4.0), increasing=True))[0][:, 1:]
    result = fc.rm_anova_test(np.c_[simplex, np.zeros(4), np.zeros(4)], sphericity="huynh-feldt")
    assert result.epsilon.greenhouse_geisser < result.epsilon.huynh_feldt


def test_duplicates_of_models_give_p_one_in_rm_anova_test():
    result = fc.rm_anova_test(np.repeat(R[:, :1], 4, axis=1))
    assert (result.statistic, result.pvalue) == (0.0, 1.0)


def test_names_reach_the_result_and_rounds_may_be_left_out():
    frame = pd.DataFrame(R, columns=["tree", "forest", "naive"])
    frame.loc[5] = [0.9, np.nan, 0.1]
    kept = frame.copy()
    with pytest.raises(ValueError, match=r"\b1 missing value .* of 'forest' in row 5"):
        fc.rm_anova_test(frame)
    for test in (fc.rm_anova_test, fc.mauchly_test):
        with pytest.warns(fc.DroppedCasesWarning, match="1 of 6 rounds"):
            result = test(frame, nan_policy="omit")
        assert (result.n, result.n_dropped) == (5, 1)
        assert result.names == ("tree", "forest", "naive")
        assert result.statistic == test(R).statistic
    pd.testing.assert_frame_equal(frame, kept)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fc.rm_anova_test(R, sphericity="gg"), "`sphericity` must be one of 'auto'"),
        (lambda: fc.rm_anova_test(R, n_train=80), "`n_train` and `n_test` must be specified"),
        (lambda: fc.rm_anova_test(R, n_train=80, n_test=0), "`n_test` must be above 0"),
        (lambda: fc.rm_anova_test(R[:, :1]), "at least 2 models"),
        (lambda: fc.rm_anova_test(R[:1]), "at least 2 rounds"),
        (lambda: fc.mauchly_test(R[:, :2]), "at least 3 models"),
        (lambda: fc.rm_anova_batch(R), r"shape \(B, J, k\)"),
        (lambda: fc.rm_anova_batch(R[None, :1]), r"shape \(B, J, k\)"),
        (
            lambda: fc.rm_anova_batch(np.where(R == 0.74, np.nan, R)[None]),
            "got nan of model 2 in round 2 of problem 0",
        ),
        (lambda: fc.rm_anova_batch(1.5e308 * np.array([[[1, -1], [1, 0]]])), "exceed float64"),
    ],
)
def test_what_cannot_be_meant_is_refused(call, message):
    with pytest.raises(fc.InvalidValueError, match=message):
        call()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"design": "resampled"}, "Pass n_train and n_test"),
        ({"design": "independent", **SIZES}, "not for rounds that share no cases"),
        ({"design": "5x2cv", **SIZES}, "not for five two-fold"),
        ({"design": "kfold", "n_train": 90, "n_test": 10}, "contradicts 5 rounds"),
    ],
    ids=["no sizes", "independent", "5x2cv", "sizes"],
)
def test_a_design_that_contradicts_the_test_is_warned_of_in_rm_anova_test(options, message):
    with pytest.warns(fc.DesignWarning, match=message) as caught:
        fc.rm_anova_test(R, **options)
    assert caught[0].filename == __file__
    fc.rm_anova_test(R, design="kfold", **SIZES)
    fc.rm_anova_test(R, design="independent")


@pytest.mark.slow
def test_true_sphericity_is_rejected_as_often_as_stated_in_mauchly_test():
    rng = np.random.default_rng(12)
    p = np.array([fc.mauchly_test(x).pvalue for x in rng.normal(size=(1000, 15, 4))])
    assert abs((p < 0.05).mean() - 0.05) < 4 * math.sqrt(0.05 * 0.95 / 1000)
    uneven = rng.normal(size=(100, 15, 4)) * [1, 1, 1, 5]
    assert np.mean([fc.mauchly_test(x).pvalue < 0.05 for x in uneven]) > 0.9


def test_mauchly_needs_more_rounds_than_contrasts_in_mauchly_test():
    with pytest.warns(fc.UndefinedResultWarning, match="no_sphericity"):
        result = fc.mauchly_test(np.random.default_rng(13).normal(size=(4, 5)))
    assert (result.statistic, result.df) == (0.0, 9)
    assert math.isnan(result.log_pvalue)


def test_words():
    assert "Greenhouse-Geisser correction, F(1.43, 5.721) = 9.525" in fc.rm_anova_test(R).summary()
    assert "corrected repeated-measures" in fc.rm_anova_test(R, **SIZES).summary()
    assert "(Mauchly's test as in R, W = 0.6017, p = 0.4667)" in fc.mauchly_test(R).summary()
    assert fc.rm_anova_batch(R[None]).summary().startswith("1 of 1 test has p < 0.05")
    assert fc.rm_anova_test(R).to_dict()["epsilon"][2] == 0.5
    assert "Greenhouse-Geisser" in str(fc.rm_anova_test(R))


@pytest.mark.parametrize("spread", [1.0, 9.0])
def test_the_sentence_of_mauchly_answers_whether_variances_differ(spread):
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(30, 3)) * [1.0, 1.0, spread]
    result = fc.mauchly_test(scores)
    says_so = "30 rounds differ significantly at the 5% level" in result.summary()
    assert says_so == (result.pvalue <= 0.05) == (spread > 1.0)
