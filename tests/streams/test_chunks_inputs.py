"""What chunks may be, and what is said of those that cannot be read."""

import numpy as np
import pandas as pd
import pytest

import fastcompare as fc

Y = np.array([0, 1, 1, 0, 1, 0])
A = np.array([0.1, 0.6, 0.7, 0.2, 0.4, 0.5])
B = np.array([0.3, 0.2, 0.7, 0.1, 0.9, 0.8])
CHUNKS = [(Y[:2], A[:2], B[:2]), (Y[2:], A[2:], B[2:])]
QUIET = {"on_undefined": "ignore"}
WIDE = (B * 10).astype(int) + 2**60
FRAME = pd.DataFrame({"p": A, "q": B})
SERIES = pd.Series(A), pd.Series(B, index=range(6, 0, -1))


def bits(result):
    return result.auc.tolist(), result.covariance.tobytes(), result.n_dropped


@pytest.mark.parametrize(
    "chunks",
    [
        CHUNKS,
        tuple(CHUNKS),
        lambda: iter(CHUNKS),
        [(Y[:0], A[:0], B[:0]), *CHUNKS, ([], [], [])],
        [(Y[i : i + 1], A[i : i + 1], B[i : i + 1]) for i in range(6)],
        [(y.astype(bool), a.tolist(), b[:, None]) for y, a, b in CHUNKS],
        [(2 * y - 1, {"a": a, "b": b}) for y, a, b in CHUNKS],
        [(y, np.stack([a, b], axis=1)) for y, a, b in CHUNKS],
    ],
)
def test_chunks_come_in_many_forms(chunks):
    assert bits(fc.delong_test(chunks, **QUIET)) == bits(fc.delong_test(Y, A, B, **QUIET))


@pytest.mark.parametrize(
    ("chunks", "error", "message"),
    [
        (iter(CHUNKS), TypeError, "got an iterator of them. They are read several times"),
        (Y, TypeError, "scores must be specified, unless `y_true` contains chunks"),
        ([], ValueError, "at least one chunk, got none"),
        ([(Y[:0], A[:0], B[:0])], ValueError, "at least one case, got 0 samples"),
        ([{"y": Y, "a": A, "b": B}], TypeError, "Columns by name are read by scan_chunks"),
        ([(Y, A)], ValueError, "must contain the scores of 2 models, got 1"),
        ([*CHUNKS, (Y, A)], ValueError, "chunk 2: every chunk must contain scores of 2 models"),
        (
            [*CHUNKS, (Y, A, B[:3])],
            ValueError,
            "chunk 2: `b` must have one score",
        ),
        ([(Y, A, [*B[:-1], np.nan])], ValueError, r"chunk 0: `b` has 1 missing value\b"),
        ([(Y, A, B), (3 * Y, A, B)], ValueError, "chunk 1: `y_true` must be bool, 0 and 1"),
        ([(Y, A, B), (2 * Y - 1, A, B)], ValueError, "the same coding in all chunks"),
        ([(A, B, B)], ValueError, "chunk 0: .* were labels and scores swapped"),
        ([(Y, A, B.astype("M8[s]"))], TypeError, "`b` must contain real numbers"),
        *(
            ([(Y, A, kind(WIDE))], ValueError, "chunk 0: `b` contains integers beyond 2\\^53")
            for kind in (np.asarray, pd.Series, np.ndarray.tolist)
        ),
        ([(Y, FRAME.assign(q=WIDE))], ValueError, "chunk 0: `q` contains integers beyond 2\\^53"),
        ([(Y, FRAME), (Y, FRAME[["q", "p"]])], ValueError, "same order, p, q, got q, p"),
        ([(Y, *SERIES)], ValueError, "chunk 0: `b` and `a` have different indexes"),
        ([(Y, A, A, B)], ValueError, "of 2 models, got 3"),
        (lambda: 3, TypeError, "a function that returns an iterator, it returned int"),
    ],
)
def test_chunks_that_cannot_be_read_say_why(chunks, error, message):
    with pytest.raises(error, match=message) as raised:
        fc.delong_test(chunks, **QUIET)
    assert isinstance(raised.value, fc.FastCompareError)


@pytest.mark.parametrize(
    ("test", "first"), [(fc.paired_mean_test, ()), (fc.mcnemar_test, (Y,)), (fc.scoring_test, (Y,))]
)
def test_rows_and_columns_of_a_chunk_are_not_mixed_up(test, first):
    with pytest.raises(ValueError, match=r"chunk 0: `.*_b` and `.*_a` have different indexes"):
        test([(*first, *(own.gt(0.5) + 0.0 for own in SERIES))])
    frame = FRAME.gt(0.5) + 0.0
    with pytest.raises(ValueError, match=r"chunk 1: every chunk .* same order, p, q, got q, p"):
        test([(*first, frame), (*first, frame[["q", "p"]])])


def test_columns_of_an_array_are_not_two_models_where_they_are_samples_or_classes():
    table = np.stack([A, B], axis=1)
    for test, chunk in (
        (fc.paired_mean_test, (table, B)),
        (fc.mean_interval, (table,)),
        (fc.scoring_test, (Y, table, B)),
    ):
        with pytest.raises(ValueError, match=r"chunk 0: `.*` must .* got shape \(6, 2\)"):
            test([chunk], **QUIET)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"sample_weight": np.ones(6)}, ValueError, "`sample_weight` is not supported for chunks"),
        ({"groups": Y}, ValueError, "`groups` is not supported for chunks"),
        ({"method": "heaviside"}, ValueError, "`method` is not supported for chunks"),
        ({"executor": 3}, TypeError, "`executor` must have the interface"),
        ({"pos_label": "ill"}, TypeError, "`pos_label` must be a label of the kind"),
        ({"pos_label": 7}, ValueError, "`pos_label` must be one of the labels"),
        ({"nan_policy": "drop"}, ValueError, "`nan_policy` must be"),
    ],
)
def test_options_that_chunks_do_not_have_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        fc.delong_test(CHUNKS, **options)


def test_a_second_model_does_not_come_without_the_first():
    with pytest.raises(TypeError, match="`y_score_a` must be specified with `y_score_b`"):
        fc.delong_test(CHUNKS, None, B)


def test_an_executor_is_for_chunks_alone():
    for test, data in ((fc.delong_test, (Y, A, B)), (fc.delong_covariance, (Y, A))):
        with pytest.raises(ValueError, match="`executor` must be None for arrays in memory"):
            test(*data, executor=object())


def test_cases_that_miss_a_value_are_left_out_of_all_models():
    y, a, b = Y.astype(float), A.copy(), B.copy()
    y[0] = a[3] = b[4] = np.nan
    chunks = [(y[:4], a[:4], b[:4]), (y[4:5], a[4:5], b[4:5]), (y[5:], a[5:], b[5:])]
    omit = {"nan_policy": "omit", **QUIET}
    with pytest.warns(fc.DroppedCasesWarning, match="3 of 6 cases dropped"):
        found = fc.delong_test(chunks, **omit)
    with pytest.warns(fc.DroppedCasesWarning):
        assert bits(found) == bits(fc.delong_test(y, a, b, **omit))


@pytest.mark.parametrize("passes", [2, 3, 4])
def test_rows_that_change_between_passes_are_noticed(passes):
    near = [(y, 0.5 + 1e-5 * a, 0.5 + 1e-5 * b) for y, a, b in CHUNKS]
    rounds = iter([near] * passes + [near[:1]] * 4)
    with pytest.raises(ValueError, match="the same in every pass"):
        fc.delong_test(lambda: next(rounds), **QUIET)


@pytest.mark.parametrize(
    "test",
    [fc.delong_test, lambda c: fc.bootstrap_auc_test(c, method="poisson", n_resamples=9, **QUIET)],
)
def test_scores_that_change_between_passes_are_noticed(test):
    changed = [(y, np.where(a == 0.6, 0.15, a), b) for y, a, b in CHUNKS]
    rounds = iter([CHUNKS] * 2 + [changed] * 4)
    with pytest.raises(ValueError, match="the same in every pass"):
        test(lambda: next(rounds))


def test_one_class_and_constant_scores_have_their_status():
    with pytest.warns(fc.UndefinedResultWarning):
        assert fc.delong_test([(Y[1:3], A[1:3], B[1:3])]).status == "one_class"
    flat = [(y, a * 0.0, b * 0.0) for y, a, b in CHUNKS]
    found = fc.delong_test(flat, **QUIET)
    assert found.status == fc.delong_test(Y, A * 0.0, B * 0.0, **QUIET).status
    assert found.auc.tolist() == [0.5, 0.5]
