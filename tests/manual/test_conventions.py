"""What docs/concepts/conventions.md says of options is what the functions take."""

import inspect
import re
from pathlib import Path

import pytest

import fastcompare as fc
from scripts import write_api

PAGE = Path(__file__).parents[2] / "docs" / "concepts/conventions.md"
OPTIONS = {"weights": "sample_weight", "groups": "groups", "margin": "margin"}
OPTIONS |= {"nan_policy": "nan_policy"}


def rows():
    """The functions of each row of the table, and what it says of each option."""
    table = PAGE.read_text().partition("| functions |")[2].splitlines()
    heads = [head.strip() for head in table[0].strip(" |").split("|")]
    for line in table[2:]:
        cells = [cell.strip() for cell in line.strip().removeprefix("|").split("|")]
        for name in re.findall(r"`(\w+)`", cells[0]):
            yield name, dict(zip(heads, cells[1:], strict=False))


@pytest.mark.parametrize(("name", "said"), list(rows()), ids=lambda value: str(value)[:40])
def test_a_function_takes_the_options_that_the_table_says(name, said):
    parameters = inspect.signature(getattr(fc, name)).parameters
    taken = {head: option in parameters for head, option in OPTIONS.items()}
    assert taken == {head: said[head] == "yes" for head in OPTIONS}


def test_every_function_of_data_that_lacks_an_option_is_in_the_table_once():
    names = [name for name, _ in rows()]
    taken = {
        name: set(OPTIONS.values()) & set(inspect.signature(getattr(fc, name)).parameters)
        for name in fc.__all__
        if inspect.isfunction(getattr(fc, name))
    }
    lacking = {name for name, options in taken.items() if len(options) in range(1, len(OPTIONS))}
    assert len(names) == len(set(names))
    assert lacking - write_api.NUMBERS <= set(names), "run `python scripts/write_api.py`"
    assert all(len(taken[name]) < len(OPTIONS) for name in names)
