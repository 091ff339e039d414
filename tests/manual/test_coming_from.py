"""Calls that replace those of other packages: each one of the page runs."""

import re
from pathlib import Path

import pytest

import fastcompare as fc

PAGE = (Path(__file__).parents[2] / "docs" / "concepts/coming_from.md").read_text("utf-8")
NAMES = re.search(r"```python\n(.*?)```", PAGE, re.S)[1]
ROWS = re.findall(r"^\| (`.*) \| (`.*) \|$", PAGE, re.M)
CALL = re.compile(r"`(fc\..*?)`")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::RuntimeWarning")
def test_every_call_of_the_page_runs(requires_jit):
    pytest.importorskip("matplotlib").use("agg")
    names = {}
    exec(NAMES, names)
    calls = dict.fromkeys(CALL.findall(PAGE))
    assert len(calls) >= 60
    for call in calls:
        assert eval(call, names) is not None, call


def test_every_row_says_what_to_type():
    assert len(ROWS) >= 70
    for typed, call in ROWS:
        assert not typed.startswith("`fc.")
        assert CALL.search(call), typed


def test_names_in_the_text_are_public():
    text = re.sub(r"^\|.*$|```.*?```", "", PAGE, flags=re.M | re.S)
    named = re.findall(r"`(?:fc\.)?([a-z_0-9]+)\(?", text)
    known = {"y", "result", "correction", "direction", "order", "higher_is_better"}
    assert {n for n in named if "_" in n} - known - {"cross_val_score"} <= set(fc.__all__)
