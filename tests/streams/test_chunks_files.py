"""Parquet files, Arrow streams and frames as chunks of cases."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pytest
from pyarrow import parquet

import fastcompare as fc
from fastcompare._adapters import scans

NAMES = {"label": "y", "scores": ["a", "b"]}
QUIET = {"on_undefined": "ignore"}


def table_of(n=400, seed=0, kind=np.float64):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    a, b = (rng.normal(size=(2, n)) + y).astype(kind)
    return pa.table({"id": np.arange(n), "b": b, "y": y.astype(bool), "a": a})


def want_of(table):
    return fc.delong_test(*(table[name].to_numpy() for name in ("y", "a", "b")))


def same(found, want):
    assert found.names == ("a", "b")
    for name in ("estimate", "standard_error", "pvalue", "n_positive", "n_dropped"):
        assert getattr(found, name) == getattr(want, name)
    assert found.auc.tolist() == want.auc.tolist()


@pytest.fixture
def folder(tmp_path):
    """A folder of two files, one deeper, of row groups of 90 rows, one with no row at all."""
    table = table_of()
    (tmp_path / "deep").mkdir()
    parquet.write_table(table[:150], tmp_path / "one.parquet", row_group_size=90)
    parquet.write_table(table[150:], tmp_path / "deep" / "two.parquet", row_group_size=90)
    parquet.write_table(table[:0], tmp_path / "none.parquet")
    return tmp_path


@pytest.mark.slow
def test_files_and_folders_are_read_by_row_groups(folder, monkeypatch):
    want = want_of(table_of())
    monkeypatch.setattr(scans, "ROWS", 40)
    same(fc.delong_test(fc.scan_parquet(folder, **NAMES)), want)
    files = [folder / "deep" / "two.parquet", str(folder / "one.parquet")]
    same(fc.delong_test(fc.scan_parquet(files, **NAMES), n_jobs=2), want)
    one = fc.scan_parquet(folder, label="y", scores="b")
    assert fc.delong_covariance(one).auc[0] == want.auc[1]


def test_what_has_no_rows_may_come_first(tmp_path):
    table = table_of()
    parquet.write_table(table[:0], tmp_path / "0.parquet")
    parquet.write_table(table, tmp_path / "1.parquet", row_group_size=90)
    same(fc.delong_test(fc.scan_parquet(tmp_path, **NAMES)), want_of(table))
    with pytest.raises(ValueError, match="`y_true` must contain at least one case"):
        fc.delong_test(fc.scan_parquet(tmp_path / "0.parquet", **NAMES))


def test_integers_beyond_doubles_are_not_rounded_where_others_are_null():
    wide, labels = pa.array([None, 2**60, 2**60 + 1]), pa.array([2**60] * 3)
    table = pa.table({"y": wide, "a": labels, "b": wide})
    omit = {"nan_policy": "omit", **QUIET}
    with pytest.warns(fc.DroppedCasesWarning):
        found = fc.mcnemar_test(fc.scan_chunks(table, **NAMES), **omit)
    assert (found.n10, found.n01, found.n_dropped) == (0, 1, 1)
    with pytest.raises(ValueError, match="chunk 0: `a` contains integers beyond 2"):
        fc.delong_test(fc.scan_chunks(table.set_column(0, "y", [[0, 1, 1]]), **NAMES), **omit)


@pytest.mark.parametrize(
    "source_of",
    [
        lambda t: t,
        lambda t: ds.dataset(t),
        lambda t: t.to_batches(max_chunksize=70),
        lambda t: lambda: t.to_reader(max_chunksize=70),
        lambda t: pl.from_arrow(t),
        lambda t: pl.from_arrow(t).lazy(),
        lambda t: [t.slice(0, 99).to_pandas(), t.slice(99).to_pandas()],
        lambda t: [pl.from_arrow(t.slice(0, 99)), t.slice(99)],
        lambda t: {name: t[name].to_numpy() for name in t.column_names},
    ],
)
def test_streams_and_frames_are_read_by_names(source_of):
    table = table_of(kind=np.float32)
    same(fc.delong_test(fc.scan_chunks(source_of(table), **NAMES)), want_of(table))


def test_duckdb_and_other_streams_are_read_anew_in_each_pass():
    class Relation:
        n_passes = 0

        def __arrow_c_stream__(self, requested_schema=None):
            self.n_passes += 1
            return table_of().__arrow_c_stream__(requested_schema)

    relation = Relation()
    same(fc.delong_test(fc.scan_chunks(relation, **NAMES)), want_of(table_of()))
    assert relation.n_passes > 2


def test_columns_of_other_types_are_what_they_mean():
    table = table_of(60)
    y, a, b = (table[name].to_numpy() for name in ("y", "a", "b"))
    words = pa.array(np.where(y, "ill", "well")).dictionary_encode()
    typed = pa.table({"y": words, "a": pa.array(a), "b": pa.array((b * 100).astype(np.int16))})
    found = fc.delong_test(fc.scan_chunks(typed, **NAMES), pos_label="ill", **QUIET)
    same(found, fc.delong_test(y, a, (b * 100).astype(np.int16), **QUIET))


def test_nulls_go_by_the_policy():
    table = table_of(60).to_pydict()
    table["a"][3] = table["y"][7] = table["b"][9] = None
    table["b"][10] = math.nan
    scan = fc.scan_chunks(pa.table(table).to_batches(max_chunksize=20), **NAMES)
    with pytest.raises(ValueError, match=r"chunk 0: `(y_true|a|b)` has \d missing values?"):
        fc.delong_test(scan, **QUIET)
    with pytest.warns(fc.DroppedCasesWarning, match="4 of 60 cases"):
        found = fc.delong_test(scan, nan_policy="omit", **QUIET)
    rows = pd.DataFrame(table).astype({"a": float, "b": float}).dropna()
    want = fc.delong_test(
        rows["y"].to_numpy(bool), rows["a"].to_numpy(), rows["b"].to_numpy(), **QUIET
    )
    assert (found.pvalue, found.n_dropped) == (want.pvalue, 4)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"label": "Y"}, ValueError, "has no column 'Y', it has 'id', 'b', 'y', 'a'"),
        ({"scores": ["a", "c"]}, ValueError, "has no column 'c'"),
        ({"scores": []}, TypeError, "`scores` must be one or more names of columns"),
        ({"label": 1}, TypeError, "`label` must be the name of a column"),
        ({"scores": ["a", "a"]}, ValueError, "`label`, `scores` and `groups` must differ"),
        ({"label": "a"}, ValueError, "`label`, `scores` and `groups` must differ"),
        ({"groups": "a"}, ValueError, "`label`, `scores` and `groups` must differ"),
    ],
)
def test_columns_that_are_not_there_are_named(folder, change, error, message):
    with pytest.raises(error, match=message):
        fc.scan_parquet(folder, **NAMES | change)


def test_files_that_cannot_be_read_say_why(folder, tmp_path):
    (tmp_path / "bad").mkdir()
    with pytest.raises(ValueError, match="contains no"):
        fc.scan_parquet(tmp_path / "bad", **NAMES)
    (tmp_path / "bad" / "x.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(ValueError, match="is not a readable Parquet file"):
        fc.scan_parquet(tmp_path / "bad", **NAMES)
    with pytest.raises(FileNotFoundError):
        fc.scan_parquet(tmp_path / "nowhere.parquet", **NAMES)
    (tmp_path / "bad" / "x.parquet").unlink()
    other = table_of(kind=np.float32)
    parquet.write_table(other, folder / "zzz.parquet")
    with pytest.raises(TypeError, match=r"zzz.parquet': column 'a' is float, but double in .*two"):
        fc.scan_parquet(folder, **NAMES)
    (folder / "zzz.parquet").unlink()
    scan = fc.scan_parquet(folder, label="y", scores=["a", "id"])
    (folder / "one.parquet").unlink()
    with pytest.raises(FileNotFoundError):
        fc.delong_test(scan)


def test_sources_that_come_once_are_refused():
    table = table_of()
    for source in (table.to_reader(), iter(table.to_batches())):
        with pytest.raises(TypeError, match="can be read only once, not several times"):
            fc.scan_chunks(source, **NAMES)
    with pytest.raises(TypeError, match="must be an Arrow stream or an iterable, got a int"):
        fc.scan_chunks(3, **NAMES)
    with pytest.raises(TypeError, match="a chunk must be a mapping"):
        fc.delong_test(fc.scan_chunks([table["a"]], **NAMES))
    text = pa.table({"y": [0, 1], "a": ["x", "y"], "b": [1, 2]})
    with pytest.raises(TypeError, match="`a` must contain real numbers"):
        fc.delong_test(fc.scan_chunks(text, **NAMES))
