"""The kinds of data that `compare` and `recommend` know: a row each.

A new kind is a row here, a row in `fastcompare.advice.rules`, and a way to see it in `detect`.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from .analyses import (
    analyse_battles,
    analyse_cases,
    analyse_readers,
    analyse_times,
)
from .data import Kind
from .named import NAMED
from .own_designs import (
    battles_design,
    datasets_design,
    folds_design,
    items_design,
    labels_design,
    losses_design,
    readers_design,
    scores_design,
    times_design,
)
from .rule import SHARED
from .table_analyses import analyse_datasets, analyse_folds

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
COUNTED = ("independent", "clusters", "weights")  # designs of items and of battles
WEIGHED = ("groups", "sample_weight", "design")
KINDS: Mapping[str, Kind] = {
    "scores": Kind(
        **CASES,
        counted="cases of the rarer class",
        designs=("independent", "clusters", "weights", "chunks", "batch", "multiclass"),
        options=WEIGHED,
        analyse=partial(analyse_cases, usual=NAMED["scores"]["delong"]),
        like=scores_design,
        simulated="BinormalScores",
    ),
    "labels": Kind(
        **CASES,
        designs=("independent", "clusters", "multiclass"),
        options=("groups", "design"),
        analyse=partial(analyse_cases, usual=NAMED["labels"]["mcnemar"]),
        like=labels_design,
        simulated="DietterichClassifiers",
    ),
    "probabilities": Kind(
        **CASES,
        designs=("independent", "clusters", "multiclass"),
        options=("groups", "design"),
        analyse=partial(analyse_cases, usual=NAMED["probabilities"]["scoring"]),
        like=losses_design,
    ),
    "folds": Kind(
        form="table",
        units="rounds",
        claim="this way of training",
        designs=(*SHARED, "5x2cv", "independent", "search", "batch"),
        options=("n_train", "n_test", "design", "cv", "scoring"),
        undirected=True,
        analyse=analyse_folds,
        like=folds_design,
        simulated="CorrelatedFolds",
    ),
    "datasets": Kind(
        form="table",
        units="data sets",
        claim="on new data sets",
        designs=("complete", "incomplete", "balanced-incomplete"),
        options=("design",),
        analyse=analyse_datasets,
        like=datasets_design,
        simulated="ModelsByDatasets",
    ),
    "items": Kind(
        form="table",
        units="items",
        designs=COUNTED,
        options=WEIGHED,
        undirected=True,
        analyse=partial(analyse_cases, usual=NAMED["items"]["mean"]),
        like=items_design,
    ),
    "battles": Kind(
        form="battles",
        units="battles",
        designs=COUNTED,
        options=WEIGHED,
        better="outcomes say who won. Leave it out.",
        analyse=analyse_battles,
        like=battles_design,
    ),
    "times": Kind(
        form="times",
        units="cases",
        designs=("censored", "uncensored", "clusters", "weights"),
        options=WEIGHED,
        better="the case with the earlier event must have the higher risk. Leave it out; predicted "
        "times take a minus sign.",
        analyse=partial(analyse_times, usual=NAMED["times"]["concordance"]),
        like=times_design,
    ),
    "readers": Kind(
        form="readers",
        units="readers",
        claim="other readers and cases",
        designs=("crossed",),
        options=("design",),
        analyse=analyse_readers,
        like=readers_design,
    ),
}
DESIGNS = {name: kind.designs for name, kind in KINDS.items()}


def kinds_of(form: str) -> tuple[str, ...]:
    """Return the kinds of data of this form."""
    return tuple(name for name, kind in KINDS.items() if kind.form == form)
