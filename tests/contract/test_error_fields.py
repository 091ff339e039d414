"""An error has its parameter, rule, value and row as fields, from where it is raised."""

import ast
import pickle
from pathlib import Path

import numpy as np
import pytest

import fastcompare as fc
from fastcompare._adapters.files import read_table
from fastcompare._base.exceptions import invalid_value, with_message
from fastcompare._inputs.roles.decide import read_roles
from fastcompare._inputs.roles.reading import Named

ROOT = Path(__file__).parents[2]
Y = [0, 1, 0, 1, 0, 1]
ERRORS = {"InvalidValueError", "InvalidTypeError", "UndefinedResultError", "EstimatorError"}
A = [0.1, 0.4, 0.35, 0.8, 0.2, 0.9]


@pytest.mark.parametrize(
    ("call", "parameter", "rule", "value", "row"),
    [
        (
            lambda: fc.roc_auc_interval(Y, A, method="delongg"),
            "method",
            r"must be one of '.*",
            "delongg",
            None,
        ),
        (
            lambda: fc.delong_test(Y, A, [*A[:3], np.nan, *A[4:]]),
            "y_score_b",
            r"has 1 missing value\b.*",
            None,
            3,
        ),
        (
            lambda: fc.delong_test(Y, A, A, sample_weight=[1, 1, -2, 1, 1, 1]),
            "sample_weight",
            "must contain finite weights of at least 0",
            -2.0,
            2,
        ),
        (
            lambda: fc.delong_test([0, 1, 2, 0, 1, 2], A, A),
            "y_true",
            "must contain two classes",
            3,
            None,
        ),
        (
            lambda: fc.adjust_pvalues([0.1, 2.0]),
            "pvalues",
            r"must be in \[0, 1\]",
            2.0,
            1,
        ),
        (
            lambda: fc.mcnemar_test(
                [1, 0, 1], [1, 0, 1], [1, 0, 0], method="exact", continuity=True
            ),
            "method",
            "must be 'asymptotic' with continuity=True",
            "exact",
            None,
        ),
    ],
)
def test_an_error_has_the_fields_of_its_message(call, parameter, rule, value, row):
    with pytest.raises(fc.FastCompareError, match=rule) as raised:
        call()
    error = raised.value
    assert (error.parameter, error.value, error.row) == (parameter, value, row)
    assert str(error).startswith(f"`{parameter}` {error.rule}")


def test_a_field_that_an_error_lacks_is_none():
    error = fc.InvalidValueError("files must be of one kind.")
    assert (error.parameter, error.rule, error.value, error.row) == (None,) * 4


def test_invalid_value_names_the_option_without_its_value():
    error = invalid_value("method='exact'", "takes at most 2 models", 3, ": choose 'normal'.")
    assert str(error) == "`method='exact'` takes at most 2 models, got 3: choose 'normal'."
    assert error.parameter == "method"


def test_reworded_and_pickle_keep_the_fields_of_an_error():
    error = invalid_value("scores", "must be finite", np.inf, row=np.int64(7))
    for other in (with_message(error, "chunk 3: wrong"), pickle.loads(pickle.dumps(error))):
        assert type(other) is fc.InvalidValueError
        assert vars(other) == vars(error)
        assert type(other.row) is int
    assert str(with_message(error, "chunk 3: wrong")) == "chunk 3: wrong"


PASSED_ON = {  # messages of others: of the commands' former names, of a status word
    "replacement_sentence(args[0], args[1:])",
    "message",
}


@pytest.mark.usefixtures("requires_jit")
def test_every_error_is_raised_with_its_parameter():
    without = []
    for path in sorted((ROOT / "fastcompare").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            if node.func.id in ERRORS and node.args:
                text = ast.unparse(node.args[0])
                fields = {keyword.arg for keyword in node.keywords}
                if "parameter" not in fields and text not in PASSED_ON:
                    without.append(f"{path.name}: {text}")
    assert without == []


def failure(tmp_path, text):
    """The error of a comparison of the columns of a text."""
    path = tmp_path / "a.csv"
    path.write_text(text)
    with pytest.raises(fc.FastCompareError) as raised:
        read_roles(read_table(path).columns(), Named())
    return raised.value


ROWS = "y,one,two\n" + "".join(f"{i % 2},0.{i + 1},0.{9 - i}\n" for i in range(8))


@pytest.mark.parametrize(
    ("text", "parameter", "value", "row"),
    [
        (ROWS.replace("0.5", "0x1F", 1), "one", "0x1F", 4),
        (ROWS.replace("0.5", "1e400", 1), "one", "1e400", 4),
        (ROWS.replace("0.5", "12345678901234567891", 1), "one", "12345678901234567891", 4),
        (ROWS.replace("0.5", "abc", 1), "one", "abc", 4),
        (ROWS.replace("two", "one", 1), "one", None, None),
        (ROWS.replace("0.5", "0.5,1", 1), "a.csv", 4, None),
        ("y,one,two\n", "a.csv", None, None),
        ("", "a.csv", None, None),
    ],
)
def test_an_error_about_a_file_has_its_column_and_row(tmp_path, text, parameter, value, row):
    error = failure(tmp_path, text)
    assert error.parameter in (parameter, str(tmp_path / parameter)), error
    assert (error.value, error.row) == (value, row)
    assert error.parameter in str(error)
    if error.rule is not None:
        assert error.rule in str(error)
