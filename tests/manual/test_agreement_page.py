"""The page of agreement with other programs: its names are public, low digits have reasons."""

import re
from pathlib import Path

import numpy as np
import pytest

import fastcompare as fc
from studies import agreement, third_sources
from studies.other_programs.check import SAME, Check, in_words_of_r

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "evidence/agreement.md").read_text("utf-8")


def rows(name):
    """The cells of a table of the page."""
    table = re.search(rf"<!-- studies\.{name} -->\n(.*?)\n<!-- end -->", PAGE, re.S)[1]
    lines = [line for line in table.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def test_functions_are_public_and_low_digits_have_reasons():
    found = rows("agreement")
    assert len(found) >= 40
    programs = {name for _, name, *_ in found}
    assert programs >= {"pROC", "R", "SciPy", "mlxtend", "baycomp"}
    assert programs >= {"survival", "riskRegression", "timeROC", "scikit-survival", "lifelines"}
    for function, _, call, digits in found:
        assert function.strip("`") in fc.__all__
        assert call.startswith("`")
        number, _, why = digits.partition(": ")
        assert why or int(number) >= agreement.LOW


def test_stored_numbers_are_listed_with_the_tests_that_read_them():
    assert agreement.golden().splitlines()[0] in PAGE
    for file, _, tests in rows("golden"):
        assert list((ROOT / "tests" / "golden").rglob(file.strip("`")))
        mark = agreement.SHARED.get(file.strip("`"), file.strip("`"))
        for test in tests.split(", "):
            assert mark in (ROOT / "tests" / test.strip("`")).read_text("utf-8")


def test_what_r_leaves_undecided_is_decided_by_the_definition():
    found = rows("third_sources")
    assert len(found) == 5
    for _, ours, third, theirs, why in found:
        assert ours == third
        assert any(number not in ours for number in re.findall(r"[\d.]{6,}", theirs))
        assert why


@pytest.mark.slow
def test_shaffers_static_procedure_and_the_sharper_one_are_those_of_all_partitions():
    rng = np.random.default_rng(0)
    for p in rng.uniform(size=(50, 6)) ** 4:
        static, sharper = (third_sources.by_partitions(p, sharper=s) for s in (False, True))
        assert np.allclose(fc.adjust_pvalues(p, method="shaffer"), static, rtol=1e-12)
        exhaustive = fc.adjust_pvalues(p, method="bergmann-hommel")
        assert (exhaustive <= sharper * (1 + 1e-12)).all()
        assert (sharper <= static * (1 + 1e-12)).all()


def test_digits_are_those_of_the_worst_number():
    check = Check("roc_auc", "R", "auc", [1.0, 2.0], [1.0, 2.000001])
    assert check.digits == 6
    assert check._replace(theirs=[1.0, 2.0]).digits == SAME
    assert check._replace(theirs=[1.0, -2.0]).digits == 0
    with pytest.raises(SystemExit, match="no reason"):
        agreement.show([check])
    assert "6: for a reason" in agreement.show([check._replace(why="for a reason")])
    with pytest.raises(ValueError, match="2 and 1 numbers"):
        check._replace(theirs=[1.0]).digits  # noqa: B018


def test_matrices_are_told_to_r_by_column():
    assert in_words_of_r([0.5, 1]) == "c(0.5,1)"
    assert in_words_of_r(np.array([[1, 2], [3, 4]])) == "matrix(c(1,3,2,4), nrow=2)"
