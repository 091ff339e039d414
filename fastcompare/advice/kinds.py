"""The kinds of data that `compare` and `recommend` know: a row each.

A new kind is a row here, a row in `fastcompare.advice.rules`, and a way to see it in `detect`.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from .._base.lazy import LazyFunction
from .data import SHARED, Kind
from .named import TESTS_BY_KIND

PACKAGE = __name__.rpartition(".")[0]
ANALYSES = f"{PACKAGE}.analyses"


def design_of(kind: str) -> LazyFunction:
    """Return the function of `own_designs` that simulates data of a kind, imported when called."""
    return LazyFunction(f"{PACKAGE}.own_designs", f"{kind}_design")


CLAIMS = {  # what users say, and how sentences go on
    "these models": "these fitted models on other cases of the same kind",
    "this way of training": "ways of training on data like these",
    "on new data sets": "models on new data sets",
    "other readers and cases": "treatments with other readers, or seeds, and on other cases",
}
CASES: Any = {
    "form": "cases",
    "units": "cases",
    "better": "which model is better follows from the true labels. Leave it out; scores that are "
    "low for positive cases take a minus sign.",
}
ANALYSE_CASES = LazyFunction(f"{ANALYSES}.cases", "analyse_cases")
DESIGNS_OF_UNITS = ("independent", "clusters", "weights")  # designs of items and of battles
GROUPS_AND_WEIGHTS = ("groups", "sample_weight", "design")
KINDS: Mapping[str, Kind] = {
    "scores": Kind(
        **CASES,
        counted_units="cases of the rarer class",
        designs=("independent", "clusters", "weights", "chunks", "batch", "multiclass"),
        options=GROUPS_AND_WEIGHTS,
        analyse=partial(ANALYSE_CASES, usual=TESTS_BY_KIND["scores"]["delong"]),
        like=design_of("scores"),
        simulated="BinormalScores",
    ),
    "labels": Kind(
        **CASES,
        designs=("independent", "clusters", "multiclass"),
        options=("groups", "design"),
        analyse=partial(ANALYSE_CASES, usual=TESTS_BY_KIND["labels"]["mcnemar"]),
        like=design_of("labels"),
        simulated="DietterichClassifiers",
    ),
    "probabilities": Kind(
        **CASES,
        designs=("independent", "clusters", "multiclass"),
        options=("groups", "design"),
        analyse=partial(ANALYSE_CASES, usual=TESTS_BY_KIND["probabilities"]["scoring"]),
        like=design_of("losses"),
    ),
    "folds": Kind(
        form="table",
        units="rounds",
        claim="this way of training",
        designs=(*SHARED, "5x2cv", "independent", "search", "batch"),
        options=("n_train", "n_test", "design", "cv", "scoring"),
        undirected=True,
        analyse=LazyFunction(f"{ANALYSES}.folds", "analyse_folds"),
        like=design_of("folds"),
        simulated="CorrelatedFolds",
    ),
    "datasets": Kind(
        form="table",
        units="data sets",
        claim="on new data sets",
        designs=("complete", "incomplete", "balanced-incomplete"),
        options=("design",),
        analyse=LazyFunction(f"{ANALYSES}.datasets", "analyse_datasets"),
        like=design_of("datasets"),
        simulated="ModelsByDatasets",
    ),
    "items": Kind(
        form="table",
        units="items",
        designs=DESIGNS_OF_UNITS,
        options=GROUPS_AND_WEIGHTS,
        undirected=True,
        analyse=partial(ANALYSE_CASES, usual=TESTS_BY_KIND["items"]["mean"]),
        like=design_of("items"),
    ),
    "battles": Kind(
        form="battles",
        units="battles",
        designs=DESIGNS_OF_UNITS,
        options=GROUPS_AND_WEIGHTS,
        better="outcomes say who won. Leave it out.",
        analyse=LazyFunction(f"{ANALYSES}.battles", "analyse_battles"),
        like=design_of("battles"),
    ),
    "times": Kind(
        form="times",
        units="cases",
        designs=("censored", "uncensored", "clusters", "weights"),
        options=GROUPS_AND_WEIGHTS,
        better="the case with the earlier event must have the higher risk. Leave it out; predicted "
        "times take a minus sign.",
        analyse=partial(
            LazyFunction(f"{ANALYSES}.times", "analyse_times"),
            usual=TESTS_BY_KIND["times"]["concordance"],
        ),
        like=design_of("times"),
    ),
    "readers": Kind(
        form="readers",
        units="readers",
        claim="other readers and cases",
        designs=("crossed",),
        options=("design", "scoring"),
        analyse=LazyFunction(f"{ANALYSES}.readers", "analyse_readers"),
        like=design_of("readers"),
    ),
}
DESIGNS = {name: kind.designs for name, kind in KINDS.items()}
DESIGN_MEANINGS = {  # what the printed line says of a design
    "independent": "rows do not depend on each other",
    "clusters": "rows of one cluster depend on each other",
    "weights": "rows count by their weights",
    "multiclass": "the true labels have more than two values",
    "resampled": "random splits, whose rounds share training cases",
    "repeated-kfold": "repeated cross-validation, whose rounds share training cases",
    "kfold": "one cross-validation, whose rounds share training cases",
    "5x2cv": "five times two halves, each trained on once and tested on once",
    "complete": "every model has a score on every data set",
    "incomplete": "some models lack scores on some data sets",
    "balanced-incomplete": "all pairs of models share equally many data sets",
    "censored": "many cases are censored before the last event",
    "uncensored": "few cases, or none, are censored before the last event",
    "crossed": "every reader, or seed, scored the same cases under each treatment",
}


def kinds_of_form(form: str) -> tuple[str, ...]:
    """Return the kinds of data of this form."""
    return tuple(name for name, kind in KINDS.items() if kind.form == form)
