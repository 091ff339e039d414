"""Bad inputs, designs, missing rounds, containers and batches of tests of scores by round."""

import math
import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import fastcompare as fc

A = np.array([0.80, 0.82, 0.79, 0.85, 0.81])
B = np.array([0.78, 0.79, 0.80, 0.81, 0.78])
C = np.array([0.75, 0.80, 0.74, 0.79, 0.78])
SIZES = {"n_train": 80, "n_test": 20}


def corrected(a, b=None, **words):
    return fc.ttest_corrected(a, b, **{**SIZES, **words})


PAIRED = {"corrected": corrected, "k-fold": fc.ttest_kfold, "resampled": fc.ttest_resampled}


@pytest.mark.parametrize("name", PAIRED)
@pytest.mark.parametrize(
    ("a", "b", "kind", "message"),
    [
        (A, B[:4], ValueError, "same rounds, got 5 and 4"),
        (A[:1], B[:1], ValueError, "at least two rounds"),
        ([], [], ValueError, "at least one number"),
        (A, [*B[:4], np.nan], ValueError, "`scores_b` has 1 missing .* index 4"),
        ([*A[:4], np.inf], B, ValueError, "`scores_a` must contain finite .* index 4"),
        (A, list("abcde"), TypeError, "`scores_b` must contain real numbers"),
        (A, A + 1j, TypeError, "`scores_b` must contain real numbers"),
        (A, 0.5, ValueError, "`scores_b` must be 1-d"),
        (A, np.ones((5, 2)), ValueError, "`scores_b` must be 1-d"),
        (A, None, ValueError, "must be a table"),
        (np.ones((5, 3)), None, ValueError, "two columns if `scores_b` is omitted, got 3"),
        (np.full(5, 1e308), np.full(5, -1e308), ValueError, "too large or too small for float64"),
        (np.array([1e200, 0.0]), np.zeros(2), ValueError, "too large or too small for float64"),
    ],
    ids=str,
)
def test_what_cannot_be_two_columns_of_rounds(name, a, b, kind, message):
    with pytest.raises(kind, match=message) as caught, np.errstate(all="ignore"):
        PAIRED[name](a, b)
    assert isinstance(caught.value, fc.FastCompareError)


@pytest.mark.parametrize(
    ("words", "kind", "message"),
    [
        ({}, ValueError, "`n_train` and `n_test` must be specified"),
        ({"n_train": 80}, ValueError, "`n_train` and `n_test` must be specified"),
        ({"n_train": 80, "n_test": 0}, ValueError, "`n_test` must be above 0"),
        ({"n_train": 0, "n_test": 20}, ValueError, "`n_train` must be above 0"),
        ({"n_train": -80, "n_test": 20}, ValueError, "`n_train` must be above 0"),
        ({"n_train": math.nan, "n_test": 20}, ValueError, "`n_train` must be above 0"),
        ({"n_train": 80, "n_test": math.inf}, ValueError, "`n_test` must be above 0"),
        ({"n_train": "80", "n_test": 20}, TypeError, "`n_train` must be a number"),
        ({"n_train": True, "n_test": 20}, TypeError, "`n_train` must be a number"),
    ],
    ids=str,
)
def test_sizes_are_never_guessed(words, kind, message):
    for test in (fc.ttest_corrected, fc.ttest_corrected_batch):
        with pytest.raises(kind, match=message):
            test(A[None], B[None], **words)
    with pytest.raises(kind, match=message):
        fc.ttest_corrected_pairwise_test(np.stack([A, B], axis=1), **words)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"alternative": "two-tailed"}, "Did you mean 'two-sided'"),
        ({"margin": 0.1}, "needs a direction"),
        ({"margin": -0.1, "alternative": "less"}, "`margin` must be at least 0"),
        ({"alternative": "equivalence"}, "needs `margin`"),
        ({"design": "10x10cv"}, "`design` must be one of"),
        ({"nan_policy": "propagate"}, "`nan_policy` must be one of"),
        ({"on_undefined": "silent"}, "`on_undefined` must be one of"),
    ],
    ids=str,
)
def test_words_that_are_not_known_in_ttest_corrected(words, message):
    with pytest.raises(ValueError, match=message):
        corrected(A, B, **words)


@pytest.mark.parametrize("test", [fc.ttest_5x2cv, fc.ftest_5x2cv])
def test_five_by_two_takes_five_rows_of_two(test):
    good = np.arange(10.0).reshape(5, 2) ** 2 / 100
    for shape in ((2, 5), (10,), (5,), (5, 3), (5, 2, 1), (0, 2)):
        with pytest.raises(ValueError, match=r"`scores_b` must have shape \(5, 2\)"):
            test(good, np.ones(shape))
    for wrong in (np.nan, np.inf):
        bad = good.copy()
        bad[3, 1] = wrong
        with pytest.raises(ValueError, match="in round 3, half 1: 5x2cv needs all of them"):
            test(bad, good)
    with pytest.raises(TypeError, match="`scores_a` must contain real numbers"):
        test(good.astype(str), good)
    with pytest.raises(ValueError, match="too large or too small for float64"):
        test(good * 1e200, good)
    framed = test(pd.DataFrame(good), pd.DataFrame(good[::-1]))
    plain = test(good, good[::-1].tolist())
    assert (framed.statistic, framed.pvalue) == (plain.statistic, plain.pvalue)
    with pytest.raises(ValueError, match="different indexes"):
        test(pd.DataFrame(good), pd.DataFrame(good)[::-1])


@pytest.mark.parametrize("name", PAIRED)
def test_awkward_columns_give_the_same_bits(name):
    """Lists, series, big-endian, strided, read-only, columns (J, 1), float32 of exact values."""
    a, b = np.round(A * 64) / 64, np.round(B * 64) / 64
    expected = PAIRED[name](a, b).to_dict()
    frozen = a.copy()
    frozen.flags.writeable = False
    for x, y in (
        (a.tolist(), b.tolist()),
        (pd.Series(a), pd.Series(b)),
        (a.astype(">f8"), b),
        (np.repeat(a, 2)[::2], b),
        (frozen, b),
        (a[:, None], b[:, None]),
        (a.astype(np.float32), b.astype(np.float16)),
        (np.stack([a, b], axis=1), None),
    ):
        found = PAIRED[name](x, y).to_dict()
        assert found == expected
    assert not frozen.flags.writeable


@pytest.mark.parametrize("name", PAIRED)
def test_tables_bring_their_names(name):
    expected = PAIRED[name](A, B)
    for table in ({"tree": A, "forest": B}, pd.DataFrame({"tree": A, "forest": B})):
        found = PAIRED[name](table)
        assert found.names == ("tree", "forest")
        assert found.statistic == expected.statistic
        assert found.means == pytest.approx((0.814, 0.792))
    with pytest.raises(ValueError, match="different indexes"):
        PAIRED[name](pd.Series(A), pd.Series(B, index=[1, 2, 3, 4, 5]))


@pytest.mark.parametrize("name", PAIRED)
def test_rounds_that_miss_a_score_are_left_out_for_both(name):
    a, b = np.append(A, [np.nan, 0.5, np.nan]), np.append(B, [0.5, np.nan, np.nan])
    before = a.tobytes()
    with pytest.warns(fc.DroppedCasesWarning, match="3 of 8") as caught:
        found = PAIRED[name](a, b, nan_policy="omit")
    assert caught[0].filename == __file__
    expected = PAIRED[name](A, B)
    assert (found.n, found.n_dropped) == (5, 3)
    assert (found.statistic, found.pvalue) == (expected.statistic, expected.pvalue)
    assert a.tobytes() == before
    with pytest.warns(fc.DroppedCasesWarning), pytest.raises(ValueError, match="two rounds"):
        PAIRED[name]([0.5, np.nan, np.nan], [0.5, 0.5, 0.5], nan_policy="omit")


WARNED = [
    (fc.ttest_resampled, "resampled", "ttest_corrected"),
    (fc.ttest_resampled, "kfold", "ttest_corrected"),
    (fc.ttest_kfold, "repeated-kfold", "ttest_corrected"),
    (fc.ttest_kfold, "resampled", "ttest_corrected"),
    (fc.ttest_kfold, "5x2cv", "ftest_5x2cv"),
    (corrected, "independent", "ttest_resampled"),
    (corrected, "5x2cv", "ftest_5x2cv"),
]


@pytest.mark.parametrize(
    ("test", "design", "instead"), WARNED, ids=lambda v: getattr(v, "__name__", v)
)
def test_a_design_that_contradicts_the_test_is_warned_of(test, design, instead):
    with pytest.warns(fc.DesignWarning, match=f"Use {instead}") as caught:
        found = test(A, B, design=design)
    assert found.statistic == test(A, B).statistic
    assert caught[0].filename == __file__


FITTING = [
    ("kfold", 5, 80, 20),
    ("kfold", 3, 6.6667, 3.3333),
    ("kfold", 10, 90, 10),
    ("kfold", 10, 139, 15),
    ("repeated-kfold", 100, 90, 10),
    ("repeated-kfold", 20, 80, 20),
    ("resampled", 30, 200, 100),
]
CONTRADICTING = [
    ("kfold", 10, 80, 20),
    ("kfold", 5, 20, 80),
    ("repeated-kfold", 101, 90, 10),
    ("kfold", 3, 200, 50),
    ("repeated-kfold", 30, 65, 35),
]


@pytest.mark.parametrize(("design", "rounds", "n_train", "n_test"), FITTING)
def test_sizes_that_fit_the_design_pass_silently(design, rounds, n_train, n_test):
    a, b = np.random.default_rng(0).normal(size=(2, rounds))
    fc.ttest_corrected(a, b, n_train=n_train, n_test=n_test, design=design)


@pytest.mark.parametrize(("design", "rounds", "n_train", "n_test"), CONTRADICTING)
def test_sizes_that_contradict_the_design_are_warned_of(design, rounds, n_train, n_test):
    a, b = np.random.default_rng(0).normal(size=(2, rounds))
    words = {"n_train": n_train, "n_test": n_test, "design": design}
    with pytest.warns(fc.DesignWarning, match=f"contradicts {rounds} rounds") as caught:
        fc.ttest_corrected(a, b, **words)
    assert caught[0].filename == __file__
    with pytest.warns(fc.DesignWarning, match=f"contradicts {rounds} rounds") as caught:
        fc.ttest_corrected_pairwise_test(np.stack([a, b], axis=1), **words)
    assert caught[0].filename == __file__


def test_a_splitter_that_contradicts_the_rounds_is_named_as_it_was_given():
    a, b = np.random.default_rng(0).normal(size=(2, 10))
    message = "cv=5 contradicts 10 rounds: k folds have k rounds."
    for test in (fc.ttest_corrected, lambda a, b, cv: fc.rm_anova_test({"a": a, "b": b}, cv=cv)):
        with pytest.warns(fc.DesignWarning) as caught:
            test(a, b, cv=5)
        assert [str(warning.message) for warning in caught] == [message]


def test_rounds_left_out_count_for_the_design_in_ttest_corrected():
    a = np.append(A, np.nan)
    with pytest.warns(fc.DroppedCasesWarning):
        fc.ttest_corrected(
            a, np.append(B, 0.5), n_train=5, n_test=1, design="kfold", nan_policy="omit"
        )


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_a_batch_gives_the_bits_of_single_tests(alternative):
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(2, 40, 12))
    a[3] = b[3]
    a[4] = b[4] + 0.25
    a[5] += 1e3
    words = {"n_train": 90, "n_test": 10, "alternative": alternative, "on_undefined": "ignore"}
    for jobs in (1, 2):
        batch = fc.ttest_corrected_batch(a, b, n_jobs=jobs, **words)
        for i in range(len(a)):
            one = fc.ttest_corrected(a[i], b[i], **words)
            assert batch.statistic[i] == one.statistic
            assert batch.estimate[i] == one.estimate
            assert_allclose(batch.standard_error[i], one.standard_error, rtol=1e-15)
            assert_allclose(batch.pvalue[i], one.pvalue, rtol=1e-14, equal_nan=True)
            assert_allclose(batch.log_pvalue[i], one.log_pvalue, rtol=1e-12, equal_nan=True)
    assert "of 40 tests" in batch.summary()
    with pytest.warns(
        fc.UndefinedResultWarning, match=r"zero_variance.*\(1 of 40 comparisons, first 4"
    ):
        fc.ttest_corrected_batch(a, b, n_train=90, n_test=10)


def test_blocks_of_a_batch_change_nothing_in_ttest_corrected_batch(monkeypatch):
    a, b = np.random.default_rng(3).normal(size=(2, 50, 7))
    expected = fc.ttest_corrected_batch(a, b, **SIZES)
    monkeypatch.setattr("fastcompare.folds._student.BLOCK", 20)
    for x, y in ((a, b), (np.asfortranarray(a), b.tolist())):
        found = fc.ttest_corrected_batch(x, y, n_jobs=2, **SIZES)
        assert_array_equal(found.statistic, expected.statistic)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        (np.ones((3, 4)), np.ones((4, 3)), "must have the same shape"),
        (np.ones(4), np.ones(4), r"`scores_a` must have shape \(B, J\)"),
        (np.ones((4, 1)), np.ones((4, 1)), "at least two rounds"),
        (np.empty((0, 4)), np.empty((0, 4)), r"`scores_a` must have shape \(B, J\)"),
        (np.diag([1, np.nan, 2]), np.eye(3), "`scores_a` .* got nan in comparison 1, round 1"),
        (np.eye(3), np.diag([1, 1, np.inf]), "`scores_b` .* got inf in comparison 2, round 2"),
        (np.eye(3) * 1e200, np.zeros((3, 3)), "too large or too small for float64"),
    ],
    ids=str,
)
def test_what_cannot_be_a_batch_in_ttest_corrected_batch(a, b, message):
    with pytest.raises(ValueError, match=message):
        fc.ttest_corrected_batch(a, b, **SIZES)


def test_hosts_that_raise_for_everything_are_served():
    with np.errstate(all="raise"), warnings.catch_warnings():
        warnings.simplefilter("error")
        corrected(A, B)
        fc.ttest_corrected_batch(A[None], B[None], **SIZES)
        fc.ttest_corrected_pairwise_test({"a": A, "b": B, "c": C}, **SIZES)
        fc.ttest_unpaired(A, C)
        fc.ttest_5x2cv(np.arange(10.0).reshape(5, 2) ** 2, np.eye(5, 2))


TINY = np.ldexp(np.array([5.0, 3.0, 4.0, 1.0, 2.0]), -560)  # squares underflow


@pytest.mark.parametrize("name", PAIRED)
def test_squares_that_underflow_are_refused_and_not_taken_for_no_variance(name):
    with pytest.raises(ValueError, match="too large or too small for float64"):
        PAIRED[name](TINY, TINY[::-1])
    equal = PAIRED[name](TINY, TINY)
    assert equal.status == "no_difference"


def test_squares_of_halves_and_of_batches_that_underflow_are_refused():
    a, b = np.zeros((5, 2)), np.column_stack([TINY, TINY[::-1]])
    for test in (fc.ttest_5x2cv, fc.ftest_5x2cv):
        with pytest.raises(ValueError, match="too large or too small"):
            test(a, b)
        with pytest.raises(ValueError, match="too large or too small"):
            test(a, np.full((5, 2), 1e-170))
        assert test(a, a).status == "no_difference"
    with pytest.raises(ValueError, match="too large or too small"):
        fc.ttest_corrected_batch([TINY], [TINY[::-1]], **SIZES)
    with pytest.raises(ValueError, match="`scores` have differences"):
        fc.ttest_corrected_pairwise_test(np.column_stack([TINY, TINY[::-1]]), **SIZES)


@pytest.mark.parametrize(
    ("n_train", "n_test"), [(1e-300, 1e300), (1e300, 1e-320), (1e308, 1e308)], ids=str
)
def test_sizes_without_a_ratio_are_refused_in_ttest_corrected(n_train, n_test):
    with pytest.raises(fc.InvalidValueError, match="must be numbers of cases"):
        fc.ttest_corrected(A, B, n_train=n_train, n_test=n_test, design="kfold")


@pytest.mark.parametrize(
    "call",
    [
        lambda columns: fc.ttest_corrected(columns, **SIZES),
        lambda columns: fc.ttest_corrected_pairwise_test(columns, **SIZES),
        fc.rm_anova_test,
        fc.normality_report,
    ],
    ids=["t", "pairs", "anova", "normality"],
)
def test_series_in_a_mapping_are_never_paired_against_their_indexes(call):
    columns = {"a": pd.Series(A), "b": pd.Series(B, index=[4, 3, 2, 1, 0])}
    with pytest.raises(ValueError, match=r"`scores\w*\['b'\]` and .* have different indexes"):
        call(columns)


@pytest.mark.parametrize("table", [False, True])
def test_means_exist_where_sums_overflow(table):
    huge = np.full((4, 2), 1.7e308)
    if table:
        found = [
            fc.rm_anova_test(huge),
            fc.ttest_corrected_pairwise_test(huge, **SIZES),
            fc.folds_unpaired_test(list(huge.T), on_undefined="ignore"),
        ]
    else:
        found = [fc.ttest_corrected(huge, **SIZES), fc.ttest_resampled(huge)]
    for result in found:
        assert_allclose(result.means, 1.7e308)


def test_batches_know_their_words_even_where_nothing_is_undefined():
    rows = np.random.default_rng(0).normal(size=(2, 3, 5))
    with pytest.raises(ValueError, match="`on_undefined` must be one of"):
        fc.ttest_corrected_batch(*rows, on_undefined="shout", **SIZES)
    with pytest.raises(ValueError, match="`on_undefined` must be one of"):
        fc.rm_anova_batch(rows, on_undefined="shout")


@pytest.mark.parametrize("test", [fc.ttest_5x2cv, fc.ftest_5x2cv])
def test_five_by_two_is_told_of_its_design(test):
    a, b = np.random.default_rng(0).normal(size=(2, 5, 2))
    assert test(a, b, design="5x2cv").pvalue == test(a, b).pvalue
    with pytest.warns(fc.DesignWarning, match="is for five two-fold .* not for one k-fold") as told:
        test(a, b, design="kfold")
    assert told[0].filename == __file__
    with pytest.raises(ValueError, match="`design` must be one of"):
        test(a, b, design="two-fold")
