"""The kinds of data that `compare` and `recommend` know: a row each.

A new kind is a row here, a row in `fastcompare.advice.rules`, and a way to see it in `detect`.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from .._compare.auc.delong.omnibus import delong_omnibus_test
from .._compare.auc.delong.paired import delong_test
from .._compare.auc.delong.pairwise import delong_pairwise_test
from .._compare.items.covariance import mean_omnibus_test
from .._compare.items.paired import paired_mean_test
from .._compare.items.pairwise import mean_pairwise_test
from .._compare.labels.cochran import cochran_q_test
from .._compare.labels.mcnemar import mcnemar_test
from .._compare.labels.mcnemar_pairwise import mcnemar_pairwise_test
from .._compare.probabilities.scoring import scoring_test
from .._compare.probabilities.scoring_pairwise import scoring_pairwise_test
from .analyses import (
    Tests,
    analyse_battles,
    analyse_cases,
    analyse_datasets,
    analyse_folds,
    analyse_readers,
    analyse_times,
    losses_omnibus,
)
from .data import Kind
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
AUCS = Tests(
    *(delong_test, delong_omnibus_test, delong_pairwise_test, "auc", "AUC"),
    ("DeLong's test of their AUCs", "DeLong's tests of their AUCs"),
)
ACCURACIES = Tests(
    *(mcnemar_test, cochran_q_test, mcnemar_pairwise_test, "accuracy", "accuracy"),
    ("McNemar's test", "Cochran's Q and McNemar's tests"),
)
LOSSES = Tests(
    *(scoring_test, losses_omnibus, scoring_pairwise_test, "losses", "Brier score"),
    ("a paired t-test of their Brier scores", "paired t-tests of their Brier scores"),
    higher_is_better=False,
)
MEANS = Tests(
    *(paired_mean_test, mean_omnibus_test, mean_pairwise_test, "means", "mean score"),
    ("a paired test of their mean scores", "paired tests of their mean scores"),
    units="items",
    higher_is_better=None,
)
KINDS: Mapping[str, Kind] = {
    "scores": Kind(
        **CASES,
        counted="cases of the rarer class",
        designs=("independent", "clusters", "weights", "chunks", "batch", "multiclass"),
        options=WEIGHED,
        analyse=partial(analyse_cases, tests=AUCS),
        like=scores_design,
        simulated="BinormalScores",
    ),
    "labels": Kind(
        **CASES,
        designs=("independent", "clusters", "multiclass"),
        options=("groups", "design"),
        analyse=partial(analyse_cases, tests=ACCURACIES),
        like=labels_design,
        simulated="DietterichClassifiers",
    ),
    "probabilities": Kind(
        **CASES,
        designs=("independent", "clusters", "multiclass"),
        options=("groups", "design"),
        analyse=partial(analyse_cases, tests=LOSSES),
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
        analyse=partial(analyse_cases, tests=MEANS),
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
        analyse=analyse_times,
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
