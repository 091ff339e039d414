"""Each file of the corpus gives the right answer, or an error that names what is wrong with it."""

import functools
import json
import re

import numpy as np
import pandas as pd
import pytest

import fastcompare as fc
from tests.misread import cases, rows
from tests.misread.drawn import (
    AGAINST,
    LABEL_A,
    LABEL_B,
    PLAYED,
    PROBABILITY_A,
    PROBABILITY_B,
    RATES,
    SIDES,
    A,
    B,
    Y,
    words,
)
from tests.shared.commandline import run

CASES = {**cases.CASES, **rows.CASES}
HALF = A.copy()
HALF[2] = 0.5
SIZES = {"n_train": 90, "n_test": 10}
FOUGHT = (words(("x", "y", "z"), codes) for codes in (PLAYED, AGAINST))
WON = [{"model_a": "a", "model_b": "b", "tie": "tie"}[side] for side in SIDES]
THREE = {"datasets", "battles"}  # models; the others have two
ASKED = "|".join(  # of questions, and of errors that name cells or columns
    [
        "Specify `",
        "numbers and something else",
        "missing values",
        "is not read: ",
        "must contain probabilities",
        "write a header",
        "AUCs of several",
        "Drop these data sets, or pass",
        "several scores for one",
        "must contain at least two models",
        "at least two models are needed",
    ]
)
OPTIONS = {"--kind": "kind", "--pos-label": "pos_label"}


@functools.cache
def answers():
    """Return the p-values that plain calls give."""
    return {
        "scores": fc.delong_test(Y, A, B).pvalue,
        "half": fc.delong_test(Y, HALF, B).pvalue,
        "labels": fc.mcnemar_test(Y, LABEL_A, LABEL_B).pvalue,
        "losses": fc.scoring_test(Y, PROBABILITY_A, PROBABILITY_B).pvalue,
        "datasets": fc.friedman_test(RATES).pvalue,
        "signed": fc.wilcoxon_test(RATES[:, 0], RATES[:, 1]).pvalue,
        "items": fc.paired_mean_test(RATES[:, 0], RATES[:, 1]).pvalue,
        "folds": fc.ttest_corrected(RATES[:, 0], RATES[:, 1], **SIZES).pvalue,
        "battles": float(fc.bradley_terry(*FOUGHT, WON).pairwise().pvalue[0]),
    }


def test_the_corpus_has_150_files():
    assert len(CASES) >= 150


@pytest.fixture
def file(tmp_path):
    """Return a function that writes the file of a case."""

    def write(case):
        path = tmp_path / f"t{case.suffix}"
        path.write_bytes(case.text if isinstance(case.text, bytes) else case.text.encode())
        return path

    return write


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_the_command_answers_or_names_what_is_wrong(file, name):
    case = CASES[name]
    done = run("compare", file(case), *case.options, "--format", "json")
    if case.command not in answers() and done.exit_code == 0:
        assert is_right(json.loads(done.stdout)), done.stdout
    elif case.command not in answers():
        assert done.exit_code == 2, done.stdout
        assert re.search(f"{case.command}|{ASKED}", done.stderr), done.stderr
    else:
        assert done.exit_code == 0, done.stderr
        found = json.loads(done.stdout)
        assert answers()[case.command] in list(numbers(found))
        assert len(found["models"]) == 2 + (case.command in THREE)


def answer_of(given, options):
    """Return what `compare` answers, or None and its error."""
    try:
        return fc.compare(*given, **options), ""
    except (TypeError, ValueError) as error:
        return None, str(error)


def is_right(found):
    """Return whether a table whose odd column is left out has the answer of a plain one."""
    return bool({*numbers(found)} & {*answers().values()}) and len(found["models"]) in (2, 3)


def numbers(found):
    """Yield all p-values in what a command says in JSON."""
    if isinstance(found, dict):
        for key, value in found.items():
            if key == "pvalue":
                yield from np.ravel(value).tolist()
            yield from numbers(value)
    elif isinstance(found, list):
        for value in found:
            yield from numbers(value)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.python])
@pytest.mark.filterwarnings("ignore")
def test_python_answers_or_names_what_is_wrong(file, name):
    case = CASES[name]
    frame = pd.read_csv(file(case))
    asked = dict(zip(case.options[::2], case.options[1::2], strict=True))
    options = {OPTIONS[name]: value for name, value in asked.items() if name in OPTIONS}
    options |= SIZES if "--n-train" in asked else {}
    given = [frame]
    if "y_true" in frame:
        options = {"kind": "scores", **options}
        given = [frame["y_true"], frame.drop(columns="y_true")]
    if case.python not in answers():
        found, error = answer_of(given, options)
        if found is None:
            assert re.search(f"{case.python}|{ASKED}", error), error
        else:
            assert is_right(json.loads(json.dumps(found.to_dict())))
    else:
        found = fc.compare(*given, **options)
        assert answers()[case.python] in list(numbers(json.loads(json.dumps(found.to_dict()))))
        assert len(found.models) == 2 + (case.python in THREE)


@pytest.mark.parametrize("backend", ["numpy_nullable", "pyarrow"])
def test_frames_of_any_backend_are_read_alike(file, backend):
    frame = pd.read_csv(file(cases.CASES["no last newline"]), dtype_backend=backend)
    found = fc.compare(frame["y_true"], frame[["a", "b"]], kind="scores")
    assert found.result.pvalue == answers()["scores"]
    with_words = frame.assign(y_true=frame["y_true"].astype("category"))
    again = fc.compare(with_words["y_true"], frame[["a", "b"]], kind="scores")
    assert again.result.pvalue == answers()["scores"]
