"""Formats: hostile names come out harmless, numbers come out right."""

import csv
import io
import json
import math
import sys

import numpy as np
import pytest

import fastcompare as fc
from fastcompare._base.text import clean
from fastcompare._report import formats
from fastcompare._report.formats import Column, Table, to_html
from fastcompare._report.screen import table_block


def to_text(table):
    """The lines of a table for a terminal."""
    return "\n".join(formats.text_lines(table))


FORMATS = (to_text, formats.to_markdown, formats.to_latex, formats.to_csv)


def table_of(name, number=0.5, form="number"):
    return Table("title", (Column("model"), Column("value", form)), ((name, number),))


MARKDOWN = {
    "plain_name": "plain_name",
    "_emphasis_": r"\_emphasis\_",
    "__init__": r"\_\_init\_\_",
    "a|b": r"a\|b",
    "`code`": r"\`code\`",
    "a*b*": r"a\*b\*",
    "[x](y)": r"\[x\](y)",
    "a\\b": r"a\\b",
    "<script>&": "&lt;script&gt;&amp;",
    "$x$": r"\$x\$",
}
LATEX = {
    "naive_bayes": r"naive\_bayes",
    "50%": r"50\%",
    "a & b": r"a \& b",
    "\\input{x}": r"\textbackslash{}input\{x\}",
    "x^2~y": r"x\textasciicircum{}2\textasciitilde{}y",
    "$a$#": r"\$a\$\#",
    "<|>": r"\textless{}\textbar{}\textgreater{}",
    "a--b": "a-{}-b",
}
CSV = {
    "=HYPERLINK(1)": "'=HYPERLINK(1)",
    "+1": "'+1",
    "-0.5": "'-0.5",
    "@x": "'@x",
    " =1": "' =1",
    "\t=1": r"'\x09=1",
    "\rx": r"'\x0dx",
    'a"b,c': 'a"b,c',
    "a-b": "a-b",
}
CONTROLS = {
    "\x1b[31mred": r"\x1b[31mred",
    "a\0b": r"a\x00b",
    "a\nb\tc": r"a\x0ab\x09c",
    "\x9b2J": r"\x9b2J",
    "\u202eabc": r"\u202eabc",
    "\u2028x": r"\u2028x",
    "\ud800": "\ufffd",
    "📈 é ñ": "📈 é ñ",
    "👩\u200d🔬": "👩\u200d🔬",
}


@pytest.mark.parametrize(("name", "shown"), MARKDOWN.items())
def test_markdown_shows_names_as_they_are(name, shown):
    assert f"| {shown} | 0.5000 |" in formats.to_markdown(table_of(name))


@pytest.mark.parametrize(("name", "shown"), LATEX.items())
def test_latex_sets_names_as_they_are(name, shown):
    assert f"{shown} & $0.5000$ \\\\\n" in formats.to_latex(table_of(name))


@pytest.mark.parametrize(("name", "shown"), CSV.items())
def test_csv_runs_no_formula(name, shown):
    rows = list(csv.reader(io.StringIO(formats.to_csv(table_of(name, -0.5)))))
    assert rows == [["model", "value"], [shown, "-0.5"]]


@pytest.mark.parametrize(("name", "shown"), CONTROLS.items())
def test_control_characters_are_shown_not_sent(name, shown):
    assert clean(name) == shown
    written = [write(table_of(name)) for write in FORMATS]
    for text in [*written, to_html(table_of(name))]:
        text.encode()
        assert not set(text) & set("\x1b\0\t\r\x9b\u202e\u2028")
    assert json.loads(formats.to_json({name: name}).encode())


def test_markup_is_text():
    assert "[red]a[/red] [/]" in to_text(table_of("[red]a[/red] [/]"))
    assert "<b>" not in to_html(table_of("<b>a</b>"))


def test_long_names_are_cut_and_numbers_are_not():
    text = table_block(table_of("x" * 300, 0.123456), [], 80)
    assert max(map(len, text.split("\n"))) <= 80
    assert "0.1235" in text


def test_titles_are_escaped_too():
    table = Table("50% of <b>\x1b", (Column("model"),), (("a",),))
    assert "50\\% of \\textless{}b\\textgreater{}\\textbackslash{}x1b" in formats.to_latex(table)
    assert "**50% of &lt;b&gt;\\\\x1b**" in formats.to_markdown(table)


SHOWN = [
    (0.98993, "number", "0.9899"),
    (0.0, "number", "0.0000"),
    (-0.00012345, "number", "-1.23e-04"),
    (math.nan, "number", "n/a"),
    (None, "number", "n/a"),
    (0.03, "pvalue", "0.0300"),
    (1.5e-7, "pvalue", "1.50e-07"),
    (0.0, "pvalue", "< 1e-300"),
    (5e-324, "pvalue", "< 1e-300"),
    (math.nan, "pvalue", "n/a"),
    (-1.96, "statistic", "-1.960"),
    (math.inf, "statistic", "infinite"),
    (-math.inf, "number", "-infinite"),
    ((0.1, math.inf), "interval", "0.1000 and above"),
    ((-math.inf, 0.1), "interval", "0.1000 and below"),
    ((-math.inf, math.inf), "interval", "unbounded"),
    ((-0.0001, 0.2), "interval", "-0.0001 to 0.2000"),
    ((-1.5e-7, 2.5e-7), "interval", "-1.50e-07 to 2.50e-07"),
    ((math.nan, math.nan), "interval", "n/a"),
]


@pytest.mark.parametrize(("cell", "form", "text"), SHOWN)
def test_numbers_for_people(cell, form, text):
    assert to_text(table_of("a", cell, form)).splitlines()[-1].endswith(f"  {text}")


LATEX_NUMBERS = [
    (1.5e-7, "pvalue", r"$1.50 \times 10^{-7}$"),
    (0.0, "pvalue", r"$< 1 \times 10^{-300}$"),
    ((-0.1, 0.2), "interval", "$-0.1000$ to $0.2000$"),
    (-math.inf, "statistic", r"$-\infty$"),
    ((0.1, math.inf), "interval", r"$0.1000$ to $\infty$"),
    (math.nan, "number", "n/a"),
]


@pytest.mark.parametrize(("cell", "form", "text"), LATEX_NUMBERS)
def test_numbers_in_latex(cell, form, text):
    assert f"a & {text} \\\\" in formats.to_latex(table_of("a", cell, form))


SIGNED = [
    (math.inf, "df", "\u221e"),
    (-math.inf, "statistic", "-\u221e"),
    ((-math.inf, 0.1), "interval", "-\u221e to 0.1000"),
]


@pytest.mark.parametrize(("cell", "form", "text"), SIGNED)
def test_infinite_numbers_have_their_sign_in_markdown_and_html(cell, form, text):
    table = table_of("inf", cell, form)  # a name stays as it is
    assert f"| inf | {text} |" in formats.to_markdown(table)
    html = to_html(table)
    assert f">{text}</td>" in html
    assert ">inf</th>" in html


def test_csv_keeps_all_digits_and_leaves_undefined_numbers_empty():
    values = [0.1 + 0.2, 1e-310, math.nan, None, 3]
    rows = [formats.to_csv(table_of("a", value)).splitlines()[1] for value in values]
    assert rows == ["a,0.30000000000000004", "a,1e-310", "a,", "a,", "a,3"]


def test_json_is_strict():
    value = {"a": (math.nan, np.inf, np.float64(0.1), np.int64(2), None, True), "b": np.eye(2)}
    assert json.loads(formats.to_json(value)) == {
        "a": [None, None, 0.1, 2, None, True],
        "b": [[1.0, 0.0], [0.0, 1.0]],
    }


def test_columns_are_aligned_for_wide_and_combining_characters():
    names = ["日本", "e\u0301te\u0301", "abc"]
    table = Table("t", (Column("model"), Column("x", "number")), tuple((n, 0.5) for n in names))
    lines = formats.text_lines(table)[2:]
    assert {formats.width(line) for line in lines} == {len("model  0.5000")}


def test_printing_a_result_takes_few_calls():
    result = fc.delong_test([0, 1] * 30, np.arange(60), np.arange(60)[::-1])
    str(result)
    calls = []
    sys.setprofile(lambda frame, event, _: calls.append(frame) if event == "call" else None)
    try:
        str(result)
    finally:
        sys.setprofile(None)
    assert len(calls) < 420  # a failed probe of an attribute looks for no name like it
