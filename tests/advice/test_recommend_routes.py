"""What `recommend` says does not contradict itself, and the commands that it names run."""

import re
import shlex
import warnings

import numpy as np
import pandas as pd
import pytest

import fastcompare as fc
from fastcompare.advice import WRONG
from fastcompare.advice.kinds import KINDS
from fastcompare.advice.recommend import ROLES_TO_RUN
from tests.advice.test_recommend_calls import cases, readings
from tests.shared.commandline import run

CLAIMS = (None, "these models", "this way of training", "on new data sets")
CLAIMS += ("other readers and cases",)
UNPAIRED = ("scores", "labels", "probabilities", "rows", "items")  # they take pairs for unpaired
CALLED = {  # wrong tests as calls: the function, and the option that makes it wrong
    "scores": ("delong_unpaired_test", ""),
    "scores of few cases": ("delong_test", 'reference="normal"'),
    "labels": ("two_proportions_test", ""),
    "probabilities": ("ttest_unpaired", ""),
    "splits": ("ttest_resampled", ""),
    "rounds": ("wilcoxon_test", ""),
    "repeats": ("ttest_kfold", ""),
    "kfold": ("ttest_kfold", ""),
    "halves": ("ttest_resampled", ""),
    "anova": ("rm_anova_test", ""),
    "rounds of several models": ("friedman_test", ""),
    "uneven": ("rm_anova_test", 'sphericity="none"'),
    "rows": ("ttest_unpaired", ""),
    "items": ("ttest_unpaired", ""),
    "readers": ("reader_study_test", 'random="cases"'),
    "seeds": ("reader_study_test", 'random="readers"'),
    "times": ("concordance_test", 'reference="normal"'),
    "censored": ("concordance_test", 'method="harrell"'),
    "labels of own cases": ("two_proportions_unpaired_test", 'variance="unpooled"'),
    "own rows": ("folds_unpaired_test", 'method="anova"'),
    "unpaired anova": ("folds_unpaired_test", 'method="anova"'),
}
WITHOUT = {  # an option that the wrong test lacks
    "scores in clusters": "groups=",
    "labels in clusters": "groups=",
    "items in clusters": "groups=",
    "clustered losses": "groups=",
    "anova": "n_train=",
}
NO_CALL = {name for name in WRONG if "of several models" in name} | {
    *("bootstrap", "battles", "scores of own cases"),
}


def every_advice():
    """The advice for all combinations of kind, design, models, claim and number of rows."""
    for kind, row in KINDS.items():
        for design in (None, *row.designs):
            for paired in (True, False):
                for claim in CLAIMS:
                    for models in (1, 2, 3, 5):
                        for n in (None, 5, 200):
                            options = {"kind": kind, "design": design, "paired": paired}
                            try:
                                yield fc.recommend(**options, claim=claim, n_models=models, n=n)
                            except fc.FastCompareError:
                                continue


ADVICE = list(every_advice())
NAMED = {str(wrong): name for name, wrong in WRONG.items()}


def is_called(call, function, option):
    """Whether a call is that of a wrong test."""
    return call.startswith(f"fastcompare.{function}(") and option in call


def test_every_wrong_test_is_written_as_a_call_here():
    assert set(CALLED) | set(WITHOUT) | NO_CALL == set(WRONG)


def test_no_test_is_both_recommended_and_a_wrong_test():
    assert len(ADVICE) > 1000
    for advice in ADVICE:
        run_ = [test for test in advice.tests if test.role in (*ROLES_TO_RUN, "instead")]
        for test in run_:
            if test.wrong is None:
                continue
            name = NAMED[str(test.wrong)]
            assert advice.paired or name not in UNPAIRED, (advice, test)
            if name in WITHOUT:
                assert WITHOUT[name] in test.call, (test.call, str(test.wrong))
            elif name in CALLED:
                assert not is_called(test.call, *CALLED[name]), (test.call, str(test.wrong))
        said = advice.summary()
        used = re.findall(r"Use (\w+)", said)
        assert not set(used) & set(re.findall(r"Do not use (\w+)", said)), said


def test_the_first_wrong_test_is_none_of_the_recommended_ones():
    for advice in ADVICE:
        first = next((t.wrong for t in advice.tests if t.role in ROLES_TO_RUN and t.wrong), None)
        name = NAMED.get(str(first))
        if name in CALLED and name not in WITHOUT:
            for test in advice.tests:
                if test.role in (*ROLES_TO_RUN, "instead"):
                    assert not is_called(test.call, *CALLED[name]), (advice.summary(), test.call)


def file_of(kind, design, k):
    """A table of small data of a kind."""
    rng = np.random.default_rng(0)
    y, labels, scores = cases(rng, 40, k, design)
    names = "abc"[:k]
    if kind == "readers":
        return readings(rng, k)
    if kind == "battles":
        meets = rng.integers(0, 3, (2, 60))
        who = {
            "model_a": np.array(list("xyz"))[meets[0]],
            "model_b": np.array(list("yzx"))[meets[0]],
        }
        return pd.DataFrame(who | {"outcome": rng.integers(0, 2, 60), "unit": np.arange(60) // 4})
    if kind in ("folds", "datasets", "items"):
        rows = 10 if design == "5x2cv" else 40
        table = {name: rng.random(rows) for name in names}
        return pd.DataFrame(table | ({"unit": np.arange(40) // 4} if design == "clusters" else {}))
    first = {"time": 1 + rng.random(40), "event": rng.integers(0, 2, 40)}
    first = first if kind == "times" else {"y_true": y}
    columns = dict(zip(names, labels.T if kind == "labels" else scores, strict=False))
    return pd.DataFrame(first | columns | {"unit": np.arange(40) // 4})


ROUTES = [
    (kind, design, k, paired)
    for kind, row in KINDS.items()
    for design in row.designs
    for k in (2, 3)
    for paired in ("--paired", "--unpaired")
]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "design", "k", "paired"), ROUTES)
def test_the_command_that_is_named_runs(kind, design, k, paired, tmp_path):
    asked = ["--kind", kind, "--design", design, "--n-models", k, paired]
    said = run("recommend", *asked).stderr
    if "no test here fits" in said:
        return
    if "in Python" in said:
        assert (paired == "--unpaired" and (kind, k) not in APART) or design in IN_PYTHON
        return
    assert paired == "--paired" or (kind, k) in APART
    path, second = tmp_path / "FILE.csv", tmp_path / "FILE_2.csv"
    file_of(kind, design, k).to_csv(path, index=False)
    file_of(kind, design, k)[:30].to_csv(second, index=False)
    filled = {"FILE": str(path), "FILE_1": str(path), "FILE_2": str(second)}
    filled |= {"COLUMN": "unit", "N": "20"}
    words = shlex.split(re.search("`fastcompare (.*)`", said)[1])
    models = [part for name in "abc"[:k] for part in ("--model", name)]
    models = models[:2] if paired == "--unpaired" else models  # the same of both files
    models = [] if kind in ("battles", "readers") else models
    done = run(*(filled.get(word, word) for word in words), *models)
    assert done.exit_code == 0, (words, done.stderr)
    assert f"'{design}'" in done.stdout
    assert paired == "--paired" or "unpaired" in done.stdout


APART = (("scores", 2), ("labels", 2))  # kinds of which files of different cases are compared
IN_PYTHON = ("weights", "chunks", "batch", "search", "multiclass", "incomplete")
IN_PYTHON += ("balanced-incomplete",)


@pytest.mark.parametrize(
    ("design", "option"), [("clusters", "groups"), ("weights", "sample_weight")]
)
def test_a_design_that_needs_values_of_rows_is_not_run_without_them(design, option):
    y = np.arange(40) % 2
    scores = {"a": np.sin(np.arange(40.0)) + y, "b": np.cos(np.arange(40.0))}
    with pytest.raises(fc.InvalidValueError, match=f"needs `{option}`"):
        fc.compare(y, scores, kind="scores", design=design)
    with warnings.catch_warnings(action="ignore"):
        fc.compare(y, scores, kind="scores", design=design, **{option: np.arange(40) // 4 + 1})
