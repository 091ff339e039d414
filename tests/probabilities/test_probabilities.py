"""Brier score and log loss, and what probabilities may be."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose
from sklearn import metrics

import fastcompare as fc
from tests.reference import scores as reference

Y = [1, 0, 1, 0, 1, 0]
P = [0.9, 0.2, 0.7, 0.3, 0.6, 0.15]
Q = [0.75, 0.1, 0.85, 0.4, 0.8, 0.25]
RNG = np.random.default_rng(0)
Y3 = RNG.integers(0, 3, 40)
P3 = RNG.dirichlet([1, 1, 1], 40)


def test_scores_of_the_documents():
    """FORMULAS and the documents: Brier score .0375."""
    y, p = [1, 0, 1, 0], [0.9, 0.2, 0.7, 0.1]
    assert_allclose(fc.brier_score(y, p), 0.0375, rtol=1e-14)
    assert_allclose(fc.brier_score(y, p), float(reference.brier(y, p)), rtol=1e-15)
    want = -(math.log(0.9) + math.log(0.8) + math.log(0.7) + math.log(0.9)) / 4
    assert_allclose(fc.log_loss(y, p), want, rtol=1e-14)


def test_scores_equal_scikit_learn():
    y, p = RNG.integers(0, 2, 500), RNG.random(500)
    assert_allclose(fc.brier_score(y, p), metrics.brier_score_loss(y, p), rtol=1e-13)
    assert_allclose(fc.log_loss(y, p), metrics.log_loss(y, p), rtol=1e-13)
    assert_allclose(fc.log_loss(Y3, P3), metrics.log_loss(Y3, P3), rtol=1e-13)
    names = np.array(["a", "b", "c"])[Y3]
    assert fc.log_loss(names, P3) == fc.log_loss(Y3, P3)
    turned = P3[:, [2, 0, 1]]
    assert fc.log_loss(names, turned, classes=["c", "a", "b"]) == fc.log_loss(Y3, P3)


def test_two_named_columns_sum_over_both_classes():
    table = {"no": 1 - np.array(P), "yes": P}
    labels = np.array(["no", "yes"])[Y]
    assert_allclose(fc.brier_score(labels, table), 2 * fc.brier_score(Y, P), rtol=1e-14)
    assert_allclose(fc.log_loss(labels, table), fc.log_loss(Y, P), rtol=1e-14)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"y_prob_a": [*P[:-1], 1.5]}, ValueError, "`y_prob_a`.*1.5 at index 5.*largest 1.5"),
        ({"y_prob_a": [*P[:-1], math.inf]}, ValueError, "`y_prob_a` must contain probabilities"),
        ({"y_prob_a": [*P[:-1], -0.1]}, ValueError, "smallest -0.1"),
        ({"y_prob_b": [*P[:-1], math.nan]}, ValueError, "`y_prob_b` has 1 missing"),
        ({"y_prob_b": P[:-1]}, ValueError, "one score for each of the 6 labels"),
        ({"y_prob_b": np.transpose([P, Q])}, ValueError, "Pass column 1"),
        ({"y_true": [1, 2] * 3}, ValueError, "`pos_label`"),
        ({"rule": "brierr"}, ValueError, "Did you mean 'brier'"),
        ({"rule": 3}, TypeError, "`rule`"),
        ({"rule": lambda y, p: p[:2]}, ValueError, "a loss for each of the 6 cases"),
        ({"rule": lambda y, p: p * math.nan}, ValueError, "6 missing values"),
        ({"clip": 0.1}, ValueError, "`clip` is only for the log loss"),
        ({"rule": "log", "clip": 0.7}, ValueError, "`clip` must be between 0 and 0.5"),
        ({"method": "t-test"}, ValueError, "`method`"),
        ({"zeros": "split"}, ValueError, "`zeros`"),
        ({"alternative": "equivalence"}, ValueError, "needs `margin`"),
        ({"n_resamples": 0}, ValueError, "`n_resamples`"),
    ],
)
def test_inputs_that_cannot_mean_anything_in_scoring_test(changes, error, message):
    arguments = {"y_true": Y, "y_prob_a": P, "y_prob_b": Q, **changes}
    with pytest.raises(error, match=message) as caught:
        fc.scoring_test(**arguments)
    assert isinstance(caught.value, fc.FastCompareError)


@pytest.mark.parametrize(
    ("table", "arguments", "message"),
    [
        (P3 * 1.01, {}, "rows that sum to 1.*the first is row 0 with 1.01"),
        (P3 * [1, 1, -1], {}, "`y_prob` must contain probabilities.*index 0, 2"),
        (P3, {"pos_label": 1}, "`pos_label` is for two classes"),
        (P3[:, :2], {"classes": [0, 1, 2]}, "a column for each of the 3 classes"),
        (P3[:9], {}, r"shape \(40, c\)"),
    ],
)
def test_tables_that_cannot_mean_anything_in_brier_score(table, arguments, message):
    with pytest.raises(fc.InvalidValueError, match=message):
        fc.brier_score(Y3, table, **arguments)


def test_rows_in_single_precision_sum_to_one_in_brier_score():
    logits = RNG.normal(size=(200, 1000)).astype(np.float32)
    rows = np.exp(logits)
    rows /= rows.sum(axis=1, keepdims=True)
    assert rows.dtype == np.float32
    y = np.arange(200) * 5
    assert 0 < fc.brier_score(y, rows, classes=np.arange(1000)) < 2


@pytest.mark.parametrize("beyond", [np.nextafter(1.0, 2.0), -5e-324, -1.0, np.inf, -np.inf])
def test_probabilities_begin_at_zero_of_either_sign_and_end_at_one_in_brier_score(beyond):
    assert fc.brier_score([0, 1], [-0.0, 1.0]) == 0.0
    with pytest.raises(ValueError, match="from 0 to 1"):
        fc.brier_score([0, 1], [0.5, beyond])


def test_missing_cases_are_left_out_on_request_in_scoring_test():
    with pytest.warns(fc.DroppedCasesWarning, match="1 of 6"):
        result = fc.scoring_test(Y, [math.nan, *P[1:]], Q, nan_policy="omit")
    assert (result.n, result.n_dropped) == (5, 1)
    assert result.pvalue == fc.scoring_test(Y[1:], P[1:], Q[1:]).pvalue


def test_labels_and_probabilities_in_other_containers_in_brier_score():
    want = fc.brier_score(Y, P)
    assert fc.brier_score(np.array(Y, bool), np.array(P)[:, None]) == want
    assert fc.brier_score(["n", "y", "n", "y", "n", "y"][::-1], P, pos_label="y") == want
    assert fc.brier_score([1 if y else -1 for y in Y], P) == want


def test_tables_in_other_containers_in_brier_score():
    want = fc.brier_score(Y3, P3)
    assert fc.brier_score(Y3, pd.DataFrame(P3, columns=[0, 1, 2])) == want
    assert fc.brier_score(pl.Series(Y3), pl.DataFrame(P3, schema=["0", "1", "2"])) == want
    assert fc.brier_score(Y3, {2: P3[:, 2], 0: P3[:, 0], 1: P3[:, 1]}) == want
    with pytest.raises(fc.InvalidValueError, match="different indexes"):
        fc.brier_score(pd.Series(Y), pd.Series(P, index=range(1, 7)))
