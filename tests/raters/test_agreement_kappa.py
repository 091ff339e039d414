"""Cohen's kappa of errors and of labels: its errors, its test, weights and the order of labels."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

import fastcompare as fc
from tests.reference import agreement as reference
from tests.shared.agreement_measures import T
from tests.shared.strategies import predicted_cases

K = [[20, 10, 5], [3, 30, 15], [0, 5, 40]]  # FORMULAS.md
FULL = st.lists(st.integers(1, 60), min_size=4, max_size=4)
FEW = settings(max_examples=50, deadline=None)


@pytest.mark.slow
@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
@FEW
@given(case=predicted_cases(4))
def test_kappa_of_labels_equals_scikit_learn_in_cohen_kappa(weights, case):
    truth, a, b = case
    every = sorted({*truth, *a, *b})
    found = fc.cohen_kappa(*case, on="labels", weights=weights, on_undefined="ignore")
    assert found.classes == tuple(every)
    if math.isnan(found.estimate):
        assert len({*a, *b}) == 1
        return
    want = cohen_kappa_score(a, b, labels=every, weights=weights)
    assert_allclose(found.estimate, want, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
@pytest.mark.parametrize("table", [K, [[3, 1, 0, 9], [2, 8, 1, 0], [0, 0, 0, 4], [5, 1, 1, 20]]])
def test_errors_of_kappa_equal_statsmodels_in_cohen_kappa(table, weights):
    found = fc.cohen_kappa(table, on="labels", weights=weights)
    want = cohens_kappa(table, wt=weights)
    assert_allclose(found.estimate, want.kappa, rtol=1e-12)
    assert_allclose(found.standard_error, want.std_kappa, rtol=1e-12)
    assert_allclose(found.null_standard_error, want.std_kappa0, rtol=1e-12)
    assert_allclose(found.statistic, want.z_value, rtol=1e-12)
    assert_allclose(found.pvalue, want.pvalue_two_sided, rtol=1e-10)
    assert_allclose(found.log_pvalue, math.log(want.pvalue_two_sided), rtol=1e-10)


@pytest.mark.parametrize("weight", [reference.linear(3), reference.quadratic(3)])
def test_weighted_kappa_is_the_definition_with_the_delta_methods_error_in_cohen_kappa(weight):
    name = "linear" if weight(0, 2) == 0 and weight(0, 1) == 0.5 else "quadratic"
    found = fc.cohen_kappa(K, on="labels", weights=name)
    assert_allclose(found.estimate, float(reference.cohen_kappa(K, weight)), rtol=1e-14)
    exact = reference.share_kappa(
        3, lambda i, j: mpmath.mpf(weight(i, j).numerator) / weight(i, j).denominator
    )
    assert_allclose(
        found.standard_error, reference.delta_error(exact, np.ravel(K).tolist()), rtol=1e-10
    )


def test_near_perfect_agreement_keeps_its_digits_in_cohen_kappa():
    """A billion cases, one of which tells the models apart: exact values from rational numbers."""
    counts = [[999_999_998, 1], [0, 1]]
    found = fc.cohen_kappa(counts)
    assert_allclose(found.estimate, float(reference.cohen_kappa(counts)), rtol=1e-15)
    kappa = reference.share_kappa(2, lambda i, j: int(i == j))
    assert_allclose(
        found.standard_error, reference.delta_error(kappa, np.ravel(counts).tolist()), rtol=1e-10
    )


def test_kappa_of_a_constant_model_is_0_and_its_test_says_nothing_in_cohen_kappa():
    found = fc.cohen_kappa([[1_000_000_005, 0], [3_000_000_001, 0]], on_undefined="ignore")
    assert (found.estimate, found.standard_error, found.statistic, found.pvalue) == (0, 0, 0, 1)
    undefined = fc.cohen_kappa([[8, 0], [0, 0]], on_undefined="ignore")
    assert math.isnan(undefined.estimate)
    assert math.isnan(undefined.pvalue)
    assert math.isnan(undefined.log_pvalue)


def test_perfect_agreement_has_a_test_and_an_interval_in_cohen_kappa():
    found = fc.cohen_kappa([[50, 0], [0, 30]])
    assert (found.estimate, found.status) == (1.0, "ok")
    assert_allclose(found.statistic, math.sqrt(80), rtol=1e-12)  # phi sqrt(n)
    assert found.pvalue < 1e-15
    low, high = found.confidence_interval()
    assert 0.85 < low < 0.95 < high == 1.0
    wald = fc.cohen_kappa([[50, 0], [0, 30]], method="fleiss", on_undefined="ignore")
    assert wald.status == "perfect_agreement"
    assert np.isnan(wald.confidence_interval()).all()


@FEW
@given(counts=FULL)
def test_kappa_test_is_that_of_the_correlation_in_cohen_kappa(counts):
    """Two by two, z = kappa / SE0 is phi sqrt(n): a law of Fleiss, Cohen and Everitt."""
    n = sum(counts)
    found = fc.cohen_kappa(np.reshape(counts, (2, 2)), on_undefined="ignore")
    phi = reference.correlation(*counts)
    assert_allclose(found.statistic, float(phi) * math.sqrt(n), rtol=1e-10, atol=1e-10)


@pytest.mark.usefixtures("requires_jit")
def test_the_test_of_kappa_keeps_its_level():
    rng = np.random.default_rng(21)
    shares = np.outer([0.8, 0.2], [0.7, 0.3])
    tables = rng.multinomial(300, shares.ravel(), 12_000).reshape(-1, 2, 2)
    pvalues = np.array([fc.cohen_kappa(table).pvalue for table in tables])
    assert_allclose((pvalues <= 0.05).mean(), 0.05, atol=0.007)  # 3.5 standard errors


def test_the_order_of_labels_decides_weighted_kappa_in_cohen_kappa():
    y = ["low", "mid", "high", "mid", "low"]
    a = ["low", "mid", "high", "high", "mid"]
    b = ["low", "low", "high", "mid", "high"]
    order = ["low", "mid", "high"]
    found = fc.cohen_kappa(y, a, b, on="labels", weights="linear", classes=order)
    codes = [[order.index(label) for label in labels] for labels in (a, b)]
    assert_allclose(found.estimate, cohen_kappa_score(*codes, weights="linear"), rtol=1e-12)
    assert found.classes == ("low", "mid", "high")
    with pytest.raises(ValueError, match="pass it as `classes`"):
        fc.cohen_kappa(y, a, b, on="labels", weights="linear")
    with pytest.raises(
        ValueError, match="`classes` must contain every label, got none of these: 'mid'"
    ):
        fc.cohen_kappa(y, a, b, on="labels", classes=["low", "high"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"weights": "linear"}, "`weights` must be None for on='correct'"),
        ({"classes": [0, 1]}, "`classes` must be None for on='correct'"),
        ({"on": "label"}, "Did you mean 'labels'"),
        ({"on": "labels", "weights": "squared"}, "`weights` must be one of"),
        ({"confidence_level": 95}, r"Did you mean 0\.95"),
    ],
)
def test_what_kappa_refuses_in_cohen_kappa(options, message):
    with pytest.raises(ValueError, match=message):
        fc.cohen_kappa(T, **options)


def test_a_table_of_labels_may_name_them_in_cohen_kappa():
    found = fc.cohen_kappa(K, on="labels", weights="linear", classes=["low", "mid", "high"])
    assert found.classes == ("low", "mid", "high")
    assert found.estimate == fc.cohen_kappa(K, on="labels", weights="linear").estimate
    with pytest.raises(ValueError, match="each of the 3 rows of the table, got 2"):
        fc.cohen_kappa(K, on="labels", classes=[0, 1])
    with pytest.raises(TypeError, match="both `y_pred_a` and `y_pred_b`"):
        fc.cohen_kappa([1, 0], [1, 0], on="labels")


def test_rows_of_a_table_of_labels_are_the_first_model_in_cohen_kappa():
    found = fc.cohen_kappa([0, 0, 0, 1], [0, 1, 1, 2], [0, 0, 0, 1], on="labels")
    assert found.table.tolist() == [[1, 0, 0], [2, 0, 0], [0, 1, 0]]
    assert found.classes == (0, 1, 2)
