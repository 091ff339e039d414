"""Parquet files of scores."""

import io
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fastcompare as fc
from fastcompare._adapters.files import read_table


@pytest.fixture
def write(tmp_path):
    """Return a function that writes bytes to a file and returns its path."""

    def write(content, name="scores.parquet"):
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return write


def parquet(columns, **options):
    """Return the bytes of a Parquet file."""
    sink = io.BytesIO()
    pq.write_table(pa.table(columns), sink, **options)
    return sink.getvalue()


COLUMNS = {
    "float64": pa.array([0.5, -2.0]),
    "float32": pa.array([0.5, -2.0], pa.float32()),
    "float16": pa.array(np.array([0.5, -2.0], np.float16)),
    "dictionary": pa.array([0.5, -2.0]).dictionary_encode(),
    "chunks": pa.chunked_array([[0.5], [-2.0]]),
}


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
def test_parquet_numbers(write, column):
    table = read_table(write(parquet({"y": [True, False], "a": column}), "scores.csv"))
    assert list(table.column("y")) == [True, False]
    assert list(table.scores("a")) == [0.5, -2.0]


def test_parquet_nulls_and_infinities(write):
    columns = {"i": [1, None, 3], "f": [None, float("inf"), 0.5], "s": ["p", None, "q"]}
    table = read_table(write(parquet(columns)))
    assert table.scores("i") == [1, None, 3]
    np.testing.assert_array_equal(table.scores("f"), [np.nan, np.inf, 0.5])
    assert table.column("s") == ["p", None, "q"]


@pytest.mark.parametrize("column", [pa.array(["x"]), pa.array([[1.0]]), pa.array([Decimal(1)])])
def test_parquet_columns_that_are_no_scores(write, column):
    table = read_table(write(parquet({"a": column})))
    with pytest.raises(fc.InvalidTypeError, match="must contain plain decimal numbers, got"):
        table.scores("a")


def test_parquet_without_rows_or_with_twin_names(write):
    with pytest.raises(fc.InvalidValueError, match="no rows"):
        read_table(write(parquet({"a": pa.array([], pa.float64())})))
    twins = pa.table([pa.array([1]), pa.array([2])], names=["a", "a"])
    pq.write_table(twins, path := write(b""))
    with pytest.raises(fc.InvalidValueError, match="same name"):
        read_table(path)
