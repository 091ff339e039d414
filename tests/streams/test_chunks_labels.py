"""McNemar's test of labels in chunks is the test of the same labels in memory."""

from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

import fastcompare as fc
from fastcompare._inference import clusters as cluster_totals

QUIET = {"on_undefined": "ignore"}
WORDS = np.array(["cat", "dog", "a longer word"])
CLASH = [np.array([-1.0, -1.0]), np.array([-1.0, -1.0]), np.array([0.0, 1.0])]


def cut(columns, *places):
    return list(zip(*(np.split(np.asarray(c), places) for c in columns), strict=True))


def equal(found, want):
    assert repr(found.to_dict()) == repr(want.to_dict())  # NaN is not equal to itself


def labels_of(n=600, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    a, b = (np.where(rng.random(n) < p, y, rng.integers(0, 3, n)) for p in (0.7, 0.5))
    return y, a, b, rng.integers(0, 40, n)


@st.composite
def chunked(draw):
    """Labels of three columns, perhaps clusters, and where to cut and shuffle the rows."""
    n = draw(st.integers(2, 40))
    values = draw(st.sampled_from([np.arange(3), np.arange(-1.0, 2.0), WORDS, np.arange(2) > 0]))
    drawn = st.lists(st.integers(0, len(values) - 1), min_size=n, max_size=n)
    columns = [values[draw(drawn)] for _ in range(3)]
    kind = draw(st.sampled_from([None, np.arange(3.0), WORDS, np.arange(3) + 2**60]))
    groups = None if kind is None else kind[[0, 1, *draw(drawn)][:n]]
    order = np.array(draw(st.permutations(range(n))))
    return columns, groups, order, sorted(draw(st.lists(st.integers(0, n), max_size=5)))


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(case=chunked(), few=st.booleans())
@example(case=(CLASH, None, np.arange(2), []), few=False)
def test_any_chunks_in_any_order_give_the_bits_of_memory(case, few):
    columns, groups, order, places = case
    want = said(lambda: fc.mcnemar_test(*columns, groups=groups, **QUIET))
    every = columns if groups is None else [*columns, groups]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cluster_totals, "ROWS", 3 if few else 1 << 20)
        chunks = cut([column[order] for column in every], *places)
        assert said(lambda: fc.mcnemar_test(chunks, n_jobs=1 + few, **QUIET)) == want


def said(call):
    """Return all that a call gives, or the kind of its refusal: codings of labels may clash."""
    try:
        return repr(call().to_dict())
    except fc.InvalidValueError as error:
        return type(error)


def test_options_have_the_same_meaning_in_chunks():
    y, a, b, groups = labels_of()
    chunks, clustered = cut((y, a, b), 100), cut((y, a, b, groups), 10, 500)
    for options in (
        {"method": "exact", "alternative": "less"},
        {"continuity": True},
        {"alternative": "equivalence", "margin": 0.1},
        {"interval": "newcombe"},
    ):
        equal(fc.mcnemar_test(chunks, **options), fc.mcnemar_test(y, a, b, **options))
    options = {"alternative": "greater", "margin": 0.05}
    equal(fc.mcnemar_test(clustered, **options), fc.mcnemar_test(y, a, b, groups=groups, **options))


@pytest.mark.parametrize(
    "shape",
    [
        tuple,
        lambda chunks: lambda: iter(chunks),
        lambda chunks: [(y, np.stack([a, b], axis=1)) for y, a, b in chunks],
        lambda chunks: [(y.tolist(), a.tolist(), b.tolist()) for y, a, b in chunks],
        lambda chunks: [(pd.Series(y), pl.Series(a), b) for y, a, b in chunks],
        lambda chunks: fc.scan_chunks(
            [{"y": y, "a": a, "b": b} for y, a, b in chunks], label="y", scores=["a", "b"]
        ),
    ],
)
def test_chunks_come_in_many_forms(shape):
    y, a, b, _ = labels_of()
    equal(fc.mcnemar_test(shape(cut((y, a, b), 100, 100))), fc.mcnemar_test(y, a, b))


def test_a_table_names_the_models():
    y, a, b, groups = labels_of()
    tables = [(y, {"forest": a, "tree": b}, g) for y, a, b, g in cut((y, a, b, groups), 99)]
    want = fc.mcnemar_test(y, {"forest": a, "tree": b}, groups=groups)
    equal(fc.mcnemar_test(tables), want)
    frame = pl.DataFrame({"forest": a, "tree": b, "y": y, "patient": groups})
    scan = fc.scan_chunks(frame, label="y", scores=["forest", "tree"], groups="patient")
    equal(fc.mcnemar_test(scan), want)


@pytest.mark.slow
@pytest.mark.parametrize("dictionary", [True, False])
def test_files_of_words_are_read_by_row_groups(tmp_path, dictionary):
    *labels, groups = (WORDS[c % 3] for c in labels_of())
    want = fc.mcnemar_test(*labels, groups=groups)
    columns = [pa.array(column) for column in (*labels, groups)]
    if dictionary:
        columns = [column.dictionary_encode() for column in columns]
    table = pa.table(columns, names=["y", "a", "b", "patient"])
    parquet.write_table(table, tmp_path / "x.parquet", row_group_size=70)
    scan = fc.scan_parquet(tmp_path, label="y", scores=["a", "b"], groups="patient")
    with ProcessPoolExecutor(2) as pool:
        for who in ({}, {"n_jobs": 2}, {"executor": pool}):
            assert fc.mcnemar_test(scan, **who).pvalue == want.pvalue
    with pytest.raises(ValueError, match="`groups` is not supported for chunks"):
        fc.delong_test(scan)
    with pytest.raises(ValueError, match="`y_true` must be a scan with `label`"):
        fc.mcnemar_test(fc.scan_parquet(tmp_path, scores=["a", "b"]))


def test_memory_mapped_labels_are_read_in_chunks(tmp_path, monkeypatch):
    from fastcompare._inputs.chunks import rows as chunks

    monkeypatch.setattr(chunks, "MAPPED_FROM", 500)
    monkeypatch.setattr(chunks, "MAPPED_ROWS", 77)
    mapped = []
    for i, column in enumerate(labels_of()):
        np.save(tmp_path / f"{i}.npy", column)
        mapped.append(np.load(tmp_path / f"{i}.npy", mmap_mode="r"))
    y, a, b, groups = labels_of()
    equal(fc.mcnemar_test(*mapped[:3]), fc.mcnemar_test(y, a, b))
    want = fc.mcnemar_test(y, a, b, groups=groups)
    equal(fc.mcnemar_test(*mapped[:3], groups=groups), want)
    equal(fc.mcnemar_test(y, *mapped[1:3], groups=mapped[3]), want)
    with pytest.raises(ValueError, match="must have one length"):
        fc.mcnemar_test(*mapped[:3], groups=groups[:9])


@pytest.mark.slow
def test_frames_of_dask_are_read_by_partitions():
    dd = pytest.importorskip("dask.dataframe")
    y, a, b, groups = labels_of()
    frame = pd.DataFrame({"y": y, "a": a, "b": b, "patient": groups})
    lazy = dd.from_pandas(frame, npartitions=4)
    want = fc.mcnemar_test(y, a, b, groups=groups)
    scan = fc.scan_chunks(lazy, label="y", scores=["a", "b"], groups="patient")
    equal(fc.mcnemar_test(scan), want)
    equal(fc.mcnemar_test(lazy["y"], lazy["a"], lazy["b"], groups=lazy["patient"]), want)


def test_cases_that_miss_a_value_are_left_out_and_said_once():
    y, a, b, groups = (c[:60].astype(object) for c in labels_of())
    y[3] = a[10] = a[30] = groups[31] = None
    a[20:30] = None  # a chunk of its own
    chunks = cut((y, a, b, groups), 20, 30, 31)
    with pytest.raises(ValueError, match=r"chunk 0: `\w+` has 1 missing value\b"):
        fc.mcnemar_test(chunks)
    options = {"nan_policy": "omit"}
    with pytest.warns(fc.DroppedCasesWarning) as warned:
        found = fc.mcnemar_test(chunks, **options)
    assert len(warned) == 1
    assert "14 of 60 cases" in str(warned[0].message)
    with pytest.warns(fc.DroppedCasesWarning):
        equal(found, fc.mcnemar_test(y, a, b, groups=groups, **options))


def test_integers_with_nulls_stay_the_clusters_that_they_are():
    y, a, b, _ = labels_of(40)
    ids = pa.array([None, *(2**60 + np.arange(39) // 2).tolist()])
    table = pa.table({"y": y, "a": a, "b": b, "id": ids})
    scan = fc.scan_chunks(table, label="y", scores=["a", "b"], groups="id")
    with pytest.warns(fc.DroppedCasesWarning):
        found = fc.mcnemar_test(scan, nan_policy="omit", **QUIET)
    want = fc.mcnemar_test(y[1:], a[1:], b[1:], groups=np.arange(39) // 2, **QUIET)
    assert (found.standard_error, found.df) == (want.standard_error, want.df)


Y = np.array([0, 1, 1, 0])
W = np.array(["a", "b", "b", "a"])


@pytest.mark.parametrize(
    ("chunks", "error", "message"),
    [
        (iter([(Y, Y, Y)]), TypeError, "`y_true` must be chunks, got an iterator"),
        (lambda: 3, TypeError, "a function that returns an iterator, it returned int"),
        (lambda: iter(()), ValueError, "at least one chunk, got none"),
        ([(Y[:0], Y[:0], Y[:0])], ValueError, "at least one case, got 0 samples"),
        (
            [(Y, Y, Y), (Y, Y)],
            ValueError,
            r"chunk 1: every chunk must contain \(y_true, y_pred_a, ",
        ),
        ([(Y, Y, Y, Y), (Y, Y, Y)], ValueError, r"chunk 1: .*y_pred_b, groups\), got 3 columns"),
        ([(Y, Y, Y), "abc"], TypeError, "chunk 1: a chunk must be a tuple .* got str"),
        ([(Y, {"a": Y, "b": Y, "c": Y})], ValueError, "chunk 0: .* got a table of 3 models"),
        ([(Y, Y, Y[:3])], ValueError, "chunk 0: `y_pred_b` must have one value for each of the 4"),
        ([(Y, Y, Y, Y[:3])], ValueError, "chunk 0: `groups` must have one value"),
        ([(Y, Y, W)], ValueError, "chunk 0: `y_pred_b` contains strings and `y_true` numbers"),
        ([(Y, Y, Y / 3)], ValueError, "chunk 0: `y_pred_b` must contain labels, got continuous"),
        (
            [(Y, Y, Y), (W, W, W)],
            ValueError,
            "`y_true` must contain labels of one kind in all chunks",
        ),
        ([(Y, Y, Y, Y), (Y, Y, Y, W)], ValueError, "`groups` must contain labels of one kind"),
        ([(Y, Y, Y, Y * 0)], ValueError, "`groups` must name >= 2 clusters"),
        ([(Y, Y, Y[[1] * 4]), (Y[1:3], Y[1:3], -Y[1:3])], ValueError, "coded in different ways"),
    ],
)
def test_chunks_that_cannot_be_read_say_why(chunks, error, message):
    with pytest.raises(error, match=message) as raised:
        fc.mcnemar_test(chunks, **QUIET)
    assert isinstance(raised.value, fc.FastCompareError)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"groups": Y}, ValueError, "`groups` must come in the chunks"),
        ({"executor": 3}, TypeError, "`executor` must have the interface"),
        ({"nan_policy": "drop"}, ValueError, "`nan_policy` must be"),
        ({"method": "exact"}, ValueError, "`method` must be 'asymptotic' with `groups`"),
    ],
)
def test_options_that_do_not_go_with_chunks_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        fc.mcnemar_test([(Y, Y, Y, Y)], **options)


def test_tables_of_counts_are_no_chunks():
    want = fc.mcnemar_test([[150, 25], [15, 10]])
    for table in (((150, 25), (15, 10)), [(150, 25), (15, 10)], np.array([[150, 25], [15, 10]])):
        equal(fc.mcnemar_test(table), want)
    with pytest.raises(ValueError, match="`executor` must be None for arrays in memory"):
        fc.mcnemar_test(Y, Y, Y, executor=ProcessPoolExecutor(1))


def test_a_chunk_may_miss_all_labels_of_a_model():
    y, a, b, _ = labels_of(60)
    y, a, b = (WORDS[own].astype(object) for own in (y, a, b))
    a[:20] = None
    omit = {"nan_policy": "omit", **QUIET}
    with pytest.warns(fc.DroppedCasesWarning, match="20 of 60"):
        found = fc.mcnemar_test(cut((y, a, b), 20, 45), **omit)
    with pytest.warns(fc.DroppedCasesWarning):
        equal(found, fc.mcnemar_test(y, a, b, **omit))
