"""Results as JSON: strict, with the values of `to_dict`, and as the command line writes them."""

import json
import math

import numpy as np
import pytest

import fastcompare as fc
from tests.shared.commandline import run
from tests.shared.every_call import CALLS, called


def refuse(word):
    """Fail for NaN and Infinity, which are no JSON."""
    pytest.fail(f"{word} is no JSON")


def same(value, written):
    """Say whether JSON has the value of a dictionary: null for what is not finite."""
    if isinstance(value, dict):
        pairs = zip(value.items(), written.items(), strict=True)
        return all(str(a) == b and same(x, y) for (a, x), (b, y) in pairs)
    if isinstance(value, list | tuple):
        return len(value) == len(written) and all(map(same, value, written))
    if isinstance(value, float) and not math.isfinite(value):
        return written is None
    return value == written and type(value) is type(written)


@pytest.mark.parametrize("name", CALLS)
def test_every_result_is_strict_json_of_its_dictionary(name):
    result = called(name)
    if hasattr(result, "to_dict"):
        written = json.loads(result.to_json(), parse_constant=refuse)
        assert same(result.to_dict(), written)


def test_infinite_degrees_of_freedom_are_null_in_python_and_on_the_command_line(tmp_path):
    y = np.arange(40) % 2
    a, b = np.random.default_rng(0).normal(size=(2, 40)) + y
    result = fc.delong_test(y, a, b, reference="normal")
    assert result.to_dict()["df"] == math.inf
    assert json.loads(result.to_json())["df"] is None
    path = tmp_path / "cases.csv"
    rows = zip(y.tolist(), a.tolist(), b.tolist(), strict=True)
    path.write_text("y,a,b\n" + "".join(f"{i},{s!r},{t!r}\n" for i, s, t in rows))
    options = ["compare", str(path), "--label", "y", "--kind", "scores", "--format", "json"]
    shown = run(*options)
    named = fc.compare(y, {"a": a, "b": b}, kind="scores")
    printed, called = json.loads(shown.stdout), json.loads(named.to_json())
    differ = {key for key in called if printed[key] != called[key]}
    assert differ <= {
        "reasons",
        "checks",
        "assumptions",
        "decisions",
    }  # how columns of a file were read


def test_a_lone_surrogate_and_a_name_of_control_characters_are_json():
    named = {"\ud800": [1.0, 2.0, 3.0], "\x1b[2J": [2.0, 2.5, 1.0]}
    names = json.loads(fc.paired_mean_test(named, on_undefined="ignore").to_json())["names"]
    assert names == ["\ufffd", "\x1b[2J"]
