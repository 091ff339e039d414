"""Results as data frames, Markdown, LaTeX and HTML: complete, and names stay text."""

import re
import shutil
import subprocess

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import fastcompare as fc
from fastcompare._report.families import result_sheets
from tests.results.test_faces import HOSTILE, LONG, RESULTS, result_of, scored
from tests.shared.latex import complaints

PLAIN = tuple("abcd")
Y = np.arange(120) % 2
quiet = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::RuntimeWarning")


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_frames_have_all_digits_in_the_order_of_the_result(backend):
    result = result_of("pairs", PLAIN)
    module = pytest.importorskip(backend)
    pairs, models = result.to_frame(backend), result.to_frame(backend, of="models")
    kind = module.Table if backend == "pyarrow" else module.DataFrame
    assert isinstance(pairs, kind)
    columns = {name: np.asarray(pairs[name]) for name in ("difference", "pvalue", "first")}
    assert_array_equal(columns["difference"], result.estimate)
    assert_array_equal(columns["pvalue"], result.pvalue)
    assert columns["first"].tolist() == [first for first, _ in result.pairs]
    assert_array_equal(np.asarray(models["auc"]), result.auc)
    assert np.asarray(models["model"]).tolist() == list(result.names)


@quiet
@pytest.mark.parametrize("kind", RESULTS)
def test_every_table_of_every_result_has_a_frame_and_documents(kind):
    result = result_of(kind, HOSTILE)
    for sheet in result_sheets(result):
        frame = result.to_frame(of=sheet.kind)
        assert len(frame) == sheet.size > 0
        for text in (result.to_markdown(sheet.kind), result.to_html(sheet.kind)):
            assert "nan" not in text
        assert result.to_latex(sheet.kind).count(rf"\label{{tab:{sheet.kind}}}") == 1
    text = result.to_html()
    assert "<script>" not in text
    assert "<script>" not in result.to_markdown()
    assert text.count("<tr>") == text.count("</tr>")


def test_hostile_names_stay_text():
    result = result_of("pairs", HOSTILE)
    assert result.to_frame(of="models")["model"].tolist() == list(HOSTILE)
    assert r"x\|y\\x0a\\z" in result.to_markdown()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in result.to_html()
    assert r"a \& b\_c\%" in result.to_latex()
    for row in result.to_latex().split("\n"):
        assert len(re.findall(r"(?<!\\)&", row)) in (0, 2, 3, 4, 5)


def test_what_is_not_there_is_refused_with_what_is():
    result = result_of("leaderboard", PLAIN)
    with pytest.raises(
        fc.InvalidValueError, match=r"`of` must be one of .models., .winner., got .pairs."
    ):
        result.to_frame(of="pairs")
    with pytest.raises(fc.InvalidValueError, match="`table`"):
        result.to_latex("pairs")
    with pytest.raises(fc.InvalidValueError, match="`backend`"):
        result.to_frame("numpy")


def test_wide_pairs_become_a_matrix_and_long_ones_a_longtable():
    text = result_of("pairs", tuple(LONG)).to_latex("pairs")
    assert "Above the diagonal" in text
    assert text.count("\\\\\n") == 5
    few = result_of("pairs", PLAIN).to_latex("pairs", caption="50% of_all", label="tab:mine")
    assert "Above the diagonal" not in few
    assert r"\caption{50\% of\_all." in few
    assert r"\label{tab:mine}" in few
    rng = np.random.default_rng(0)
    many = fc.delong_pairwise_test(Y, {f"m{j}": rng.normal(size=120) for j in range(30)})
    text = many.to_latex("pairs")
    assert text.count(r"\begin{longtable}") == text.count(r"\end{longtable}") == 1
    assert text.count("\\\\\n") == 435 + 3


def all_latex():
    """The tables of all results with names of all kinds, and a long one."""
    for kind in RESULTS:
        for names in (PLAIN, HOSTILE, tuple(LONG)):
            yield result_of(kind, names).to_latex()
    rng = np.random.default_rng(0)
    many = {f"a-model-of-thirty-with-a-long-name-{j:08}": rng.normal(size=120) for j in range(30)}
    yield fc.delong_pairwise_test(Y, many).to_latex()


@pytest.mark.slow
@quiet
def test_latex_has_nothing_to_complain_of():
    for text in all_latex():
        assert list(complaints(text)) == [], text


@pytest.mark.parametrize(
    ("sound", "spoiled", "complaint"),
    [
        (r"\end{tabular}", "", "without its end"),
        ("$", "", "not closed"),
        (" & ", " ", "cells for"),
        (r"\small", r"\tiny", "unknown"),
        (r"\centering", "{", "braces"),
        ("first minus", "first_minus", "not escaped"),
        (r" \\", "", "has no end"),
    ],
)
def test_complaints_are_of_what_latex_would_not_set(sound, spoiled, complaint):
    text = result_of("pairs", PLAIN).to_latex("pairs")
    broken = text.replace(sound, spoiled, 1)
    assert broken != text
    assert complaint in " ".join(complaints(broken))


@quiet
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_all_tables_fit_a_page_of_article(tmp_path):
    lines = [r"\documentclass[10pt]{article}\usepackage{booktabs,longtable}\begin{document}"]
    for text in all_latex():
        lines += [text, r"\clearpage"]
    (tmp_path / "all.tex").write_text("\n".join([*lines, r"\end{document}"]))
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert b"Overfull" not in done.stdout


def test_numbers_of_a_column_have_one_form():
    result = fc.delong_pairwise_test(Y, scored(["a", "b", "c"]))
    text = result.to_markdown("pairs")
    p = [row.split("|")[-4].strip() for row in text.split("\n") if row.startswith("| ")][2:]
    assert all(re.fullmatch(r"0\.\d{4}|&lt; 0\.0001|&gt; 0\.9999", cell) for cell in p)
