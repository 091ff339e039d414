"""Scores of another shape than a function takes: the error names the call that takes them.

Each call that a message prints is run as printed, on the arrays that raised it.
"""

import inspect
import re
import warnings

import numpy as np
import pytest

import fastcompare as fc
from tests.shared.every_call import CALLS, FEW

N = 60
RNG = np.random.default_rng(0)
TWO, THREE = np.arange(N) % 2, np.arange(N) % 3
OF_CLASSES, OTHERS = RNG.dirichlet(np.ones(3), size=(2, N))
CALL = re.compile(r"\b((?:multiclass|delong|roc|two|ttest)_\w+)(\((?:[^()]|\([^()]*\))*\))")
PAIRS = ("y_score_a", "y_score_b")
ONE = ("y_score", "y_score_1")
UNPAIRED = {
    "y_score": "delong_unpaired_test",
    "y_pred": "two_proportions_unpaired_test",
    "y_prob": "ttest_unpaired",
    "scores": "ttest_unpaired",
}


def functions(*parameters):
    """The functions of which some parameters are required, but for those of several classes."""
    every = {name for name, data in CALLS.items() if {*parameters} & {*data}}
    return sorted(every - {"multiclass_auc", "multiclass_auc_test"})


def options_of(name):
    """Valid options of a function, and labels and subgroups of N cases."""
    data = {**CALLS[name], "subgroup": np.arange(N) // 2 % 2, "groups": np.arange(N) // 4}
    kept = {key: data[key] for key in data if key in CALLS[name] and not key.startswith("y_")}
    labels = "y_true_1", "y_true_2"
    return kept | {key: TWO for key in labels if key in CALLS[name]}


def raised(name, **arguments):
    """The message of the error that a call ends in, and its arguments."""
    arguments = options_of(name) | arguments
    with pytest.raises(fc.InvalidValueError) as caught:
        getattr(fc, name)(**arguments)
    return str(caught.value), arguments


def run_as_printed(message, **known):
    """The functions that a message calls, each run on these arrays."""
    calls = CALL.findall(message)
    for function, arguments in calls:
        result = eval(f"fc.{function}{arguments}", {"fc": fc, **known})
        assert np.isfinite(getattr(result, "estimate", getattr(result, "value", 0.0))).all()
    return [function for function, _ in calls]


@pytest.mark.parametrize("name", functions(*PAIRS))
def test_probabilities_of_classes_of_two_models_name_the_multiclass_test(name):
    known = {"y_true": THREE, "y_score_a": OF_CLASSES, "y_score_b": OTHERS}
    message, _ = raised(name, **known)
    assert run_as_printed(message, **known) == ["multiclass_auc_test"]
    first = {**known, "y_score_b": OTHERS[:, 0]}
    assert "multiclass_auc_test" in raised(name, **first)[0]
    few = {**known, "y_score_a": OF_CLASSES[:, :2], "y_score_b": OTHERS[:, :2]}
    assert "multiclass_auc_test" in raised(name, **few)[0]  # a class has no column


@pytest.mark.parametrize("name", functions(*ONE))
def test_probabilities_of_classes_of_one_model_name_the_multiclass_auc(name):
    if name == "delong_unpaired_test":
        sets = {"y_true_1": THREE, "y_score_1": OF_CLASSES, "y_true_2": THREE, "y_score_2": OTHERS}
    else:
        sets = {"y_true": THREE, "y_score": OF_CLASSES}
    message, _ = raised(name, **sets)
    assert run_as_printed(message, **sets) == ["multiclass_auc"]


@pytest.mark.parametrize("name", [x for x in functions(*PAIRS, *ONE) if "unpaired" not in x])
def test_columns_of_models_name_the_pairwise_test_and_of_predict_proba_the_column(name):
    parameter = "y_score" if "y_score" in CALLS[name] else "y_score_a"
    known = {"y_true": TWO, parameter: OF_CLASSES}
    known |= {"y_score_b": OTHERS[:, 1]} if parameter == "y_score_a" else {}
    message, _ = raised(name, **known)
    assert run_as_printed(message, **known) == ["delong_pairwise_test"]
    message, known = raised(name, **known | {parameter: OF_CLASSES[:, :2]})
    assert "Pass column 1" in message
    getattr(fc, name)(**known | {parameter: OF_CLASSES[:, 1]}, **options_that(name))


def options_that(name):
    """Options that make a call quick and quiet, of those that a function has."""
    known = inspect.signature(getattr(fc, name)).parameters
    return {key: value for key, value in FEW.items() if key in known}


def test_tables_of_several_classes_name_the_multiclass_test():
    table = {"a": OF_CLASSES, "b": OTHERS}
    for name in ("delong_pairwise_test", "delong_omnibus_test", "bootstrap_auc"):
        with pytest.raises(fc.InvalidValueError) as caught:
            getattr(fc, name)(THREE, table)
        known = {"y_true": THREE, "y_score_a": table["a"], "y_score_b": table["b"]}
        assert run_as_printed(str(caught.value), **known) == ["multiclass_auc_test"]
    with pytest.raises(fc.InvalidValueError) as caught:
        fc.delong_test(THREE, table)
    known = {"y_true": THREE, "y_score_a": table}
    assert run_as_printed(str(caught.value), **known) == ["multiclass_auc_test"]


SECOND = {x: next((f"{p}_b" for p in UNPAIRED if f"{p}_b" in d), "") for x, d in CALLS.items()}
OF_ROWS = ("bayes", "ttest", "ftest", "sign_", "wilcoxon")  # of rounds or data sets, not of cases
OF_CASES = {x: b for x, b in SECOND.items() if b and np.ndim(CALLS[x][b]) == 1}


@pytest.mark.parametrize("name", sorted(x for x in OF_CASES if not x.startswith(OF_ROWS)))
def test_second_models_on_other_cases_name_the_unpaired_test(name):
    data, second = CALLS[name], OF_CASES[name]
    stem, first, fewer = second[:-2], f"{second[:-2]}_a", data[second][:-4]
    with pytest.raises(fc.InvalidValueError) as caught:
        getattr(fc, name)(**data | {second: fewer})
    known = {first: data[first], second: fewer, f"{stem}_1": data[first], f"{stem}_2": fewer}
    if "y_true" in data:
        known |= {"y_true_1": data["y_true"], "y_true_2": data["y_true"][:-4]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert run_as_printed(str(caught.value), **known) == [UNPAIRED[stem]]


def test_one_score_a_case_names_the_functions_of_two_classes():
    a, b = OF_CLASSES[:, 1], OTHERS[:, 1]
    with pytest.raises(fc.InvalidValueError) as caught:
        fc.multiclass_auc_test(TWO, a, b)
    known = {"y_true": TWO, "y_score_a": a, "y_score_b": b}
    assert run_as_printed(str(caught.value), **known) == ["delong_test"]
    with pytest.raises(fc.InvalidValueError) as caught:
        fc.multiclass_auc(TWO, a)
    assert run_as_printed(str(caught.value), y_true=TWO, y_score=a) == ["roc_auc"]
