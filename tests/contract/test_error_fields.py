"""An error has its parameter, rule, value and row as fields, from where it is raised."""

import ast
import pickle
from pathlib import Path

import numpy as np
import pytest

import fastcompare as fc
from fastcompare._base.exceptions import invalid_value, reworded

ROOT = Path(__file__).parents[2]
Y = [0, 1, 0, 1, 0, 1]
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
            "has 1 missing values.*",
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
    for other in (reworded(error, "chunk 3: wrong"), pickle.loads(pickle.dumps(error))):
        assert type(other) is fc.InvalidValueError
        assert vars(other) == vars(error)
        assert type(other.row) is int
    assert str(reworded(error, "chunk 3: wrong")) == "chunk 3: wrong"


def test_messages_that_begin_with_a_parameter_are_raised_with_it():
    without = []
    for path in sorted((ROOT / "fastcompare").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            if node.func.id.startswith("Invalid") and node.args:
                text = ast.unparse(node.args[0]).lstrip("f'\"")
                fields = {keyword.arg for keyword in node.keywords}
                if text.startswith("`") and "parameter" not in fields:
                    without.append(f"{path.name}: {text}")
    assert without == []
