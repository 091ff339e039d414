"""Right and wrong answers stand for labels, wherever only they count."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import fastcompare as fc

RNG = np.random.default_rng(3)
ONES = np.ones(60, int)
RIGHT = RNG.random((60, 3)) < [0.8, 0.7, 0.4]
A, B = RIGHT[:, 0], RIGHT[:, 1]
GROUPS = np.arange(60) // 4


def same(found, want):
    assert found.to_dict() == want.to_dict()


@pytest.mark.parametrize("options", [{}, {"groups": GROUPS}, {"method": "exact"}])
def test_two_models_answers_are_mcnemar_s_table_in_mcnemar_test(options):
    want = fc.mcnemar_test(ONES, A * 1, B * 1, **options)
    for kind in (np.asarray, list, lambda x: x * 1, lambda x: x * 1.0, pl.Series, pd.Series):
        same(fc.mcnemar_test(correct_a=kind(A), correct_b=kind(B), **options), want)


def test_two_models_answers_have_names_in_mcnemar_test():
    frame = pd.DataFrame({"forest": A, "tree": B})
    for found in (
        fc.mcnemar_test(correct_a=frame),
        fc.mcnemar_test(correct_a={"forest": A, "tree": B}),
        fc.mcnemar_test(correct_a=frame["forest"], correct_b=frame["tree"]),
    ):
        assert found.names == ("forest", "tree")
        assert found.pvalue == fc.mcnemar_test(ONES, A * 1, B * 1).pvalue


def test_missing_answers_are_refused_or_left_out_in_mcnemar_test():
    missing = np.where(np.arange(60) < 2, np.nan, A)
    with pytest.raises(fc.InvalidValueError, match="`correct_a` has 2 missing"):
        fc.mcnemar_test(correct_a=missing, correct_b=B)
    with pytest.warns(fc.DroppedCasesWarning):
        found = fc.mcnemar_test(correct_a=missing, correct_b=B, nan_policy="omit", groups=GROUPS)
    want = fc.mcnemar_test(correct_a=A[2:], correct_b=B[2:], groups=GROUPS[2:])
    assert (found.n_dropped, found.pvalue) == (2, want.pvalue)


def test_one_model_s_answers_have_an_interval_in_accuracy_interval():
    same(fc.accuracy_interval(correct=A), fc.accuracy_interval(ONES, A * 1))
    same(fc.accuracy_interval(correct=A), fc.accuracy_interval(correct=int(A.sum()), n=60))
    want = fc.accuracy_interval(ONES, A * 1, groups=GROUPS)
    same(fc.accuracy_interval(correct=pd.Series(A), groups=GROUPS), want)


@pytest.mark.parametrize("test", [fc.mcnemar_pairwise_test, fc.cochran_q_test])
@pytest.mark.parametrize("groups", [None, GROUPS])
def test_many_models_answers_are_a_table(test, groups):
    names = {f"model {j + 1}": RIGHT[:, j] * 1 for j in range(3)}
    want = test(ONES, names, groups=groups)
    for table in (RIGHT, names, pd.DataFrame(names), RIGHT * 1.0):
        same(test(correct=table, groups=groups), want)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: fc.mcnemar_test(correct_a=A), TypeError, "`correct_b` must be specified"),
        (lambda: fc.mcnemar_test(correct_b=A), TypeError, "`correct_b` requires `correct_a`"),
        (
            lambda: fc.mcnemar_test(ONES, correct_a=A, correct_b=B),
            TypeError,
            "`correct_a` and `correct_b` must be passed without `y_true`",
        ),
        (
            lambda: fc.mcnemar_test(correct_a=A, correct_b=B[1:]),
            ValueError,
            "`correct_b` must have one value for each of the 60 answers in `correct_a`, got 59",
        ),
        (
            lambda: fc.mcnemar_test(correct_a=A, correct_b=B, groups=GROUPS[1:]),
            ValueError,
            "`groups` must have one value for each of the 60 answers",
        ),
        (
            lambda: fc.mcnemar_test(correct_a=A * 0.5, correct_b=B),
            ValueError,
            "`correct_a` must contain right and wrong answers .* got 0.5 at index",
        ),
        (
            lambda: fc.mcnemar_test(correct_a=["yes"] * 60, correct_b=B),
            TypeError,
            "`correct_a` must contain right and wrong answers .* Pass labels as `y_true`",
        ),
        (lambda: fc.accuracy_interval(correct=A, n=60), TypeError, "must be passed without `n`"),
        (
            lambda: fc.accuracy_interval(correct=[]),
            ValueError,
            "`correct` must contain at least one",
        ),
        (lambda: fc.accuracy_interval(ONES, A, correct=A), TypeError, "without `y_true`"),
        (lambda: fc.accuracy_interval(correct=3, n=5, groups=[1]), ValueError, "`groups` must"),
        (
            lambda: fc.cochran_q_test(correct=RIGHT[:, :1]),
            ValueError,
            "`correct` must contain at lea",
        ),
        (lambda: fc.cochran_q_test(ONES, RIGHT, correct=RIGHT), TypeError, "without `y_true`"),
        (lambda: fc.mcnemar_pairwise_test(ONES), TypeError, "pass `y_true` and `predictions`"),
        (
            lambda: fc.mcnemar_pairwise_test(correct=RIGHT, groups=np.zeros(60)),
            ValueError,
            "`groups` must name >= 2 clusters",
        ),
        (
            lambda: fc.mcnemar_pairwise_test(correct={"a": A, "b": B * 2}),
            ValueError,
            r"`correct\['b'\]` must contain right and wrong answers",
        ),
    ],
)
def test_answers_that_mean_nothing_are_refused(call, error, message):
    with pytest.raises(error, match=message) as caught:
        call()
    assert isinstance(caught.value, fc.FastCompareError)
