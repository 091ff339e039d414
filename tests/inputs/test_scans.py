"""Scans: where in which file an error is, patterns, frames that are computed, who reads them."""

import inspect

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet

import fastcompare as fc
from fastcompare._adapters import scans
from fastcompare._base.documented import FUNCTIONS_READING_SCANS
from tests.shared.every_call import CALLS, WITHOUT_DATA, A, B, P, Q, Y

NAMES = {"label": "y", "scores": ["a", "b"]}
COLUMNS = {"y": Y, "a": A, "b": B, "p": P, "q": Q, "c": (A > 0.3).astype(int), "d": 1 - Y}


@pytest.fixture
def files(tmp_path):
    """Three files of 60 rows, in row groups of 25."""
    rng = np.random.default_rng(0)
    for number in range(3):
        y = np.arange(60) % 2
        a, b = rng.normal(size=(2, 60)) + y
        table = pa.table({"y": y, "a": a, "b": b})
        parquet.write_table(table, tmp_path / f"part{number}.parquet", row_group_size=25)
    return tmp_path


def spoilt(path, column, row, value):
    table = parquet.read_table(path)
    values = table[column].to_pylist()
    values[row] = value
    changed = table.set_column(table.column_names.index(column), column, pa.array(values))
    parquet.write_table(changed, path, row_group_size=25)


@pytest.mark.parametrize("rows", [7, 1 << 20])
@pytest.mark.parametrize(
    ("column", "value", "fault"),
    [
        ("b", float("nan"), "`b` has 1 missing value (NaN)"),
        ("b", None, "`b` has 1 missing value (NaN)"),
        ("y", None, "`y_true` has 1 missing value (NaN)"),
    ],
)
def test_an_error_names_the_file_its_row_group_and_the_row(
    files, monkeypatch, rows, column, value, fault
):
    monkeypatch.setattr(scans, "ROWS", rows)
    path = files / "part1.parquet"
    spoilt(path, column, 44, value)
    for n_jobs in (1, 2):
        with pytest.raises(fc.FastCompareError) as raised:
            fc.delong_test(fc.scan_parquet(files, **NAMES), n_jobs=n_jobs)
        message = str(raised.value)
        assert message.startswith(f"{str(path)!r}, row group 1: {fault}")
        assert "in row 44 of the file" in message
        assert raised.value.row == 44


@pytest.mark.parametrize("rows", [7, 1 << 20])
def test_an_error_about_items_or_probabilities_names_the_place_too(files, monkeypatch, rows):
    monkeypatch.setattr(scans, "ROWS", rows)
    spoilt(files / "part2.parquet", "a", 59, float("inf"))
    place = r"part2.parquet', row group 2: .* in row 59 of the file"
    with pytest.raises(fc.FastCompareError, match=place):
        fc.paired_mean_test(fc.scan_parquet(files, scores=["a", "b"]))
    with pytest.raises(fc.FastCompareError, match=r"0.parquet', row group 0: `y_prob_a` .* row"):
        fc.scoring_test(fc.scan_parquet(files, **NAMES))
    with pytest.raises(fc.FastCompareError, match=r"part0.parquet', row group 0: `y_pred_a` must"):
        fc.mcnemar_test(fc.scan_parquet(files, **NAMES))


def test_a_damaged_page_is_an_error_of_its_row_group(files):
    path = files / "part1.parquet"
    group = parquet.ParquetFile(path).metadata.row_group(1)
    start = group.column(1).data_page_offset
    scan = fc.scan_parquet(files, **NAMES)
    whole = path.read_bytes()
    path.write_bytes(whole[:start] + b"\xff" * 40 + whole[start + 40 :])
    with pytest.raises(fc.FastCompareError, match=r"part1.parquet', row group 1: it is damaged: "):
        fc.delong_test(scan)
    path.write_bytes(whole[: len(whole) // 2] + b"\xff" * 40)
    with pytest.raises(fc.FastCompareError, match=r"part1.parquet' is not a readable Parquet file"):
        fc.delong_test(scan)


def test_patterns_paths_and_homes_are_files(files, monkeypatch):
    want = fc.delong_test(fc.scan_parquet(files, **NAMES)).pvalue
    monkeypatch.setenv("HOME", str(files))
    monkeypatch.setenv("USERPROFILE", str(files))
    every = [f"part{number}.parquet" for number in range(3)]
    for path in (
        files / "*.parquet",
        str(files / "part[0-2].par*"),
        str(files.parent / "**" / f"{files.name}*" / "part?.parquet"),
        "~/part*.parquet",
        [files / "part[01].parquet", files / "part2.parquet"],
        [files / name for name in every],
    ):
        assert fc.delong_test(fc.scan_parquet(path, **NAMES)).pvalue == want
    (files / "part[0].parquet").write_bytes((files / "part0.parquet").read_bytes())
    named = fc.scan_parquet(files / "part[0].parquet", **NAMES)  # a file before a pattern
    assert [group.path for group in named.parts()] == [str(files / "part[0].parquet")] * 3
    with pytest.raises(fc.FastCompareError, match="matches no file"):
        fc.scan_parquet(files / "none*.parquet", **NAMES)


def test_lazy_frames_are_computed_in_pieces_or_whole(files, monkeypatch):
    want = fc.delong_test(fc.scan_parquet(files, **NAMES)).pvalue
    frame = pl.scan_parquet(files / "*.parquet").with_columns(unused=pl.col("a") * 2)
    assert fc.delong_test(fc.scan_chunks(frame, **NAMES)).pvalue == want
    with pytest.raises(fc.FastCompareError, match="has no column 'c', it has 'y', 'a', 'b'"):
        fc.scan_chunks(frame, label="y", scores=["a", "c"])
    monkeypatch.delattr(pl.LazyFrame, "collect_batches")
    assert fc.delong_test(fc.scan_chunks(frame, **NAMES)).pvalue == want
    monkeypatch.undo()
    with pytest.raises(fc.FastCompareError, match="LazyFrame, cannot be computed: "):
        fc.scan_chunks(frame.with_columns(a=pl.col("nothing")), **NAMES)
    failing = frame.with_columns(a=pl.lit("x").cast(pl.Float64))
    with pytest.raises(fc.FastCompareError, match="LazyFrame, cannot be computed: "):
        fc.delong_test(fc.scan_chunks(failing, **NAMES))


READ = {  # the columns of a scan that each function reads
    "roc_auc_interval": {"label": "y", "scores": ["a"]},
    "mcnemar_test": {"label": "y", "scores": ["c", "d"]},
    "scoring_test": {"label": "y", "scores": ["p", "q"]},
    "mean_interval": {"scores": ["a"]},
    "paired_mean_test": {"scores": ["a", "b"]},
    "within_auc_interval": {"label": "y", "scores": ["a"], "groups": "c"},
    "within_auc_test": NAMES | {"groups": "c"},
    "within_auc_pairwise_test": NAMES | {"groups": "c"},
    "within_auc_omnibus_test": NAMES | {"groups": "c"},
}
OPTIONS = {"bootstrap_auc_test": {"method": "poisson", "n_resamples": 99, "rng": 0}}


@pytest.mark.parametrize("name", FUNCTIONS_READING_SCANS)
def test_what_reads_scans_takes_one_alone(name):
    scan = fc.scan_chunks([COLUMNS], **READ.get(name, NAMES))
    result = getattr(fc, name)(scan, on_undefined="ignore", **OPTIONS.get(name, {}))
    assert result.summary()


ALONE = {*FUNCTIONS_READING_SCANS, *WITHOUT_DATA, "adjust_pvalues"}  # of no rows
FUNCTIONS = [x for x in fc.__all__ if inspect.isfunction(getattr(fc, x)) and x not in ALONE]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_other_function_says_what_it_cannot_take_of_a_scan(name):
    scan = fc.scan_chunks([COLUMNS], **NAMES)
    function = getattr(fc, name)
    calls = [{}] if name not in CALLS else [{}, dict([*CALLS[name].items()][1:])]
    for rest in calls:
        with pytest.raises(fc.FastCompareError, match=f"^{name} needs all rows .* scans: delong"):
            function(scan, **rest)
