"""Cells of text files that are no plain decimal numbers, or very long ones."""

import numpy as np
import pytest

import fastcompare as fc
from fastcompare._adapters.files import read_table


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
