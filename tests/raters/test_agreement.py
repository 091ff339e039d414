"""How alike two models err: estimates, standard errors, intervals, what is not defined."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal, assert_equal
from scipy.special import ndtri
from statsmodels.stats.proportion import proportion_confint

import fastcompare as fc
from fastcompare.raters._measures import MEASURES
from tests.reference import agreement as reference
from tests.shared.agreement_measures import SINGLE, T, quiet
from tests.shared.golden_files import GOLDEN
from tests.shared.strategies import predicted_cases

COUNTS = st.lists(st.integers(0, 60), min_size=4, max_size=4).filter(any)
FULL = st.lists(st.integers(1, 60), min_size=4, max_size=4)
FEW = settings(max_examples=50, deadline=None)


def square(counts):
    return np.reshape(counts, (2, 2))


def test_the_documents_example():
    assert float(fc.disagreement(T)) == 0.2
    assert_allclose(fc.disagreement(T).confidence_interval(), (0.150452, 0.260855), atol=5e-7)
    assert float(fc.double_fault(T)) == 0.05
    assert_allclose(float(fc.error_correlation(T)), 0.223814, atol=5e-7)
    q = fc.yule_q(T, method="woolf")
    assert float(q) == 0.6
    assert_allclose(q.standard_error, 0.147802, atol=5e-7)
    assert_allclose(q.confidence_interval(), (0.23598, 0.816352), atol=5e-7)
    kappa = fc.cohen_kappa(T)
    assert_allclose(float(kappa), 0.05625 / 0.25625, rtol=1e-14)
    assert_allclose(kappa.standard_error, 0.0864843, atol=5e-8)
    assert_allclose(kappa.null_standard_error, 0.0693515, atol=5e-8)
    assert_allclose(kappa.statistic, 0.2195122 / 0.0693515, rtol=1e-6)


@pytest.mark.parametrize(
    "case", json.loads((GOLDEN / "diversity_measures.json").read_text())["cases"]
)
def test_deslib_gives_the_same(case):
    expected = case["expected"]
    labels = case["y"], case["pred1"], case["pred2"]
    if not isinstance(expected, dict):
        assert float(fc.double_fault(*labels)) == expected
        return
    counts = case["N"]
    table = [[counts["N11"], counts["N10"]], [counts["N01"], counts["N00"]]]
    assert fc.yule_q(*labels).table.tolist() == table
    assert float(fc.yule_q(*labels)) == expected["Q"]
    assert float(fc.disagreement(*labels)) == expected["disagreement"]
    assert float(fc.double_fault(*labels)) == expected["double_fault"]
    assert float(fc.error_correlation(*labels)) == expected["correlation"]
    assert float(fc.cohen_kappa(*labels)) == expected["kappa_of_correctness"]
    assert_allclose(
        float(fc.cohen_kappa(*labels, on="labels")), expected["kappa_of_labels"], atol=1e-15
    )


@pytest.mark.slow
@pytest.mark.parametrize("measure", SINGLE)
@FEW
@given(case=predicted_cases())
def test_estimates_equal_the_definitions(measure, case):
    counts = reference.joint(*case)
    want = (
        reference.cohen_kappa(square(counts).tolist())
        if measure == "cohen_kappa"
        else getattr(reference, measure)(*counts)
    )
    found = quiet(measure, *case)
    assert_allclose(float(found), float(want), rtol=1e-14, atol=1e-15)
    assert_array_equal(found.table.ravel(), counts)
    assert_equal(quiet(measure, square(counts)).to_dict(), found.to_dict())


@pytest.mark.slow
@FEW
@given(counts=FULL)
def test_standard_errors_are_those_of_the_delta_method(counts):
    kappa = reference.share_kappa(2, lambda i, j: int(i == j))
    for measure, function in [
        ("yule_q", reference.share_q),
        ("correlation", reference.share_phi),
        ("cohen_kappa", kappa),
        ("disagreement", lambda a, b, c, d: b + c),
        ("double_fault", lambda a, b, c, d: d + 0 * a),
    ]:
        want = reference.delta_error(function, counts)
        assert_allclose(quiet(measure, square(counts)).standard_error, want, rtol=1e-9, atol=1e-13)


@FEW
@given(counts=FULL)
def test_the_error_of_the_correlation_is_the_closed_form(counts):
    found = quiet("correlation", square(counts))
    want = reference.bishop_phi_error(*counts)
    assert_allclose(found.standard_error, want, rtol=1e-7, atol=1e-12)


@pytest.mark.parametrize("counts", [T, [[7, 2], [30, 1]], [[400, 1], [1, 400]]])
def test_intervals_are_those_of_the_transforms(counts):
    """By hand: Wilson from statsmodels, the log odds ratio, artanh, plain normal."""
    (a, b), (c, d) = counts
    n, z = sum(map(sum, counts)), ndtri(0.95)
    for measure, x in (("disagreement", b + c), ("double_fault", d)):
        want = proportion_confint(x, n, alpha=0.1, method="wilson")
        assert_allclose(SINGLE[measure](counts).confidence_interval(0.9), want, rtol=1e-12)
    log_odds, radius = math.log(a * d / (b * c)), z * math.sqrt(1 / a + 1 / b + 1 / c + 1 / d)
    want = [math.tanh((log_odds + sign * radius) / 2) for sign in (-1, 1)]
    woolf = fc.yule_q(counts, method="woolf", on_undefined="ignore")
    assert_allclose(woolf.confidence_interval(0.9), want, rtol=1e-12)
    phi = fc.error_correlation(counts, method="artanh")
    radius = z * phi.standard_error / (1 - phi.estimate**2)
    want = [math.tanh(math.atanh(phi.estimate) + sign * radius) for sign in (-1, 1)]
    assert_allclose(phi.confidence_interval(0.9), want, rtol=1e-12)
    kappa = fc.cohen_kappa(counts, method="fleiss")
    low, high = (kappa.estimate + sign * z * kappa.standard_error for sign in (-1, 1))
    assert_allclose(kappa.confidence_interval(0.9), (low, min(high, 1.0)), rtol=1e-12)
    assert kappa.confidence_interval(0.9).clipped == (high > 1.0)


@pytest.mark.parametrize("x", [0, 9])
def test_a_proportion_of_0_or_1_has_an_interval_with_that_end_exactly_in_disagreement(x):
    found = fc.disagreement([[9 - x, x], [0, 0]])
    low, high = interval = found.confidence_interval()
    want = proportion_confint(x, 9, method="wilson")
    assert_allclose((low, high), want, atol=1e-15)
    assert (low == 0.0) if x == 0 else (high == 1.0)
    assert not interval.clipped
    assert found.status == "ok"


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ([[8, 0], [0, 0]], {"yule_q": "empty_cell", "correlation": "constant_answers"}),
        ([[5, 3], [0, 0]], {"yule_q": "empty_cell", "correlation": "constant_answers"}),
        ([[5, 0], [0, 3]], {"yule_q": "empty_cell", "correlation": "ok"}),
        ([[0, 4], [4, 0]], {"yule_q": "empty_cell", "correlation": "ok"}),
        ([[5, 2], [0, 3]], {"yule_q": "empty_cell", "correlation": "ok"}),
        ([[1, 0], [0, 0]], {"yule_q": "empty_cell", "correlation": "constant_answers"}),
    ],
)
def test_what_is_not_defined_has_a_word_and_a_warning_but_an_interval(counts, words):
    words = {"disagreement": "ok", "double_fault": "ok", **words}
    words["cohen_kappa"] = words["correlation"]
    if counts == [[5, 3], [0, 0]]:
        words["cohen_kappa"] = "one_answer"  # 0, whatever the other model answers
    for measure, word in words.items():
        found = quiet(measure, counts)
        assert found.status == word
        low, high = found.confidence_interval()
        assert -1.0 <= low < high <= 1.0
        if measure != "cohen_kappa":  # 0 if one model is constant
            assert math.isnan(found.estimate) == (word != "ok")
        assert math.isnan(found.estimate) == ("not defined" in found.summary())
        if word in ("ok", "one_answer"):
            continue
        with pytest.warns(fc.UndefinedResultWarning, match=word) as caught:
            SINGLE[measure](counts)
        assert caught[0].filename == __file__
        with pytest.raises(fc.UndefinedResultError, match=word):
            SINGLE[measure](counts, on_undefined="raise")


@FEW
@given(counts=COUNTS)
def test_exchanging_the_models_changes_nothing(counts):
    a, b, c, d = counts
    for measure in SINGLE:
        one, other = quiet(measure, [[a, b], [c, d]]), quiet(measure, [[a, c], [b, d]])
        assert_allclose(float(one), float(other), rtol=1e-14, atol=1e-15)
        assert_allclose(one.standard_error, other.standard_error, rtol=1e-12, atol=1e-15)


@FEW
@given(counts=FULL)
def test_exchanging_right_and_wrong_of_one_model_turns_the_signs(counts):
    a, b, c, d = counts
    for measure in ("yule_q", "correlation"):
        one, other = quiet(measure, [[a, b], [c, d]]), quiet(measure, [[b, a], [d, c]])
        assert_allclose(float(one), -float(other), rtol=1e-12, atol=1e-15)
        assert_allclose(one.standard_error, other.standard_error, rtol=1e-11, atol=1e-15)


@pytest.mark.parametrize("n", [100, 500])
@pytest.mark.parametrize("shares", [(0.75, 0.125, 0.075, 0.05), (0.5, 0.1, 0.15, 0.25)])
@pytest.mark.parametrize("measure", SINGLE)
def test_intervals_cover_as_often_as_they_say(measure, shares, n):
    chosen = MEASURES[measure]
    truth = chosen.estimate(square(shares) * 1.0)
    rng = np.random.default_rng(20)
    tables = rng.multinomial(n, shares, 20_000).T.reshape(2, 2, -1).astype(float)
    estimate = chosen.estimate(tables)
    ends = chosen.intervals[chosen.method]
    low, high = ends(tables, estimate, chosen.error(tables, estimate), -ndtri(0.025))
    covered = ((low <= truth) & (truth <= high)).mean()
    assert 0.94 < covered < 0.97
