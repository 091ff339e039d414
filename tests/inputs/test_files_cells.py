"""Cells of text files that are no plain decimal numbers, or very long ones."""

import json

import numpy as np
import pytest

import fastcompare as fc
from fastcompare._adapters.files import read_table
from tests.shared.commandline import failure


def table_of(tmp_path, cell):
    """The table of a file whose third line has this cell."""
    path = tmp_path / "cells.csv"
    path.write_text(f"y,a,b\n0,1,2\n1,{cell},3\n0,4,5\n")
    return read_table(str(path))


@pytest.mark.parametrize("cell", ["0x10", "0X1F", "-0x1", " 0x0"])
def test_hexadecimal_figures_are_no_numbers(tmp_path, cell):
    with pytest.raises(fc.FastCompareError, match="line 3 has"):
        table_of(tmp_path, cell).scores("a")


@pytest.mark.parametrize("cell", ["9" * 4300, "9" * 4301, "-" + "9" * 100_000, "1" + "0" * 5000])
def test_integers_of_any_length_are_an_error_with_their_line(tmp_path, cell):
    with pytest.raises(fc.FastCompareError, match="line 3 has"):
        table_of(tmp_path, cell).scores("a")


def test_zeros_before_a_number_are_none_of_its_figures(tmp_path):
    values = table_of(tmp_path, "0" * 5000 + "7").scores("a")
    np.testing.assert_array_equal(values, [1, 7, 4])


WIDE = 2**53 + 1
BESIDE = {
    "a fraction": (f"{WIDE}", ".5"),
    "a fraction above": (f"{WIDE}.0", "9e15"),
    "a word for nothing": (f"{WIDE}", "n/a"),
    "in thousands": (f'"{WIDE:,}"', '"1,000"'),
    "negative": (f"-{WIDE}", ".5"),
}


@pytest.mark.parametrize("cells", BESIDE.values(), ids=BESIDE)
def test_whole_numbers_that_doubles_would_merge_are_an_error_with_their_column(tmp_path, cells):
    path = tmp_path / "cells.csv"
    rows = "".join(f"{i % 2},{cell},{i}\n" for i, cell in enumerate([*cells, "4", "5"] * 3))
    path.write_text(f"y,many,b\n{rows}")
    assert "column 'many' contains integers beyond 2^53" in failure("compare", path, "--label", "y")


def test_whole_numbers_that_doubles_are_come_as_they_are(tmp_path):
    for cell in (str(WIDE + 1), "1e300", f"{WIDE + 1}.0"):
        path = tmp_path / "fine.csv"
        path.write_text(f"a,b\n{cell},1\n.5,2\n")
        assert read_table(str(path)).scores("a").tolist() == [float(cell), 0.5]


def test_wide_integers_of_json_beside_fractions_are_an_error_with_their_column(tmp_path):
    path = tmp_path / "cells.json"
    path.write_text(json.dumps([{"a": WIDE}, {"a": 0.5}]))
    with pytest.raises(fc.FastCompareError, match=f"column 'a' .* such as {WIDE}"):
        read_table(str(path))
    path.write_text(json.dumps([{"a": WIDE}, {"a": 1}]))
    assert read_table(str(path)).scores("a").tolist() == [WIDE, 1]
