"""Columns that follow no truth where those of models do: covariates, and other attributes."""

from collections.abc import Mapping

import numpy as np

from ..column import Column
from ..question import ask
from ..reading import quote_names
from ..words import ROLES, is_clear_truth, is_outcome, name_words, split_words
from . import CLEAR_AGREEMENT, correlation, is_separated, kappa

MODEL = {"model", "classifier", "clf"}  # words of predictions beside other columns
NAMES_OF_MODELS = MODEL | ROLES["prediction"] - {"p"}  # of pIC50, too
NAMES_OF_MODELS |= {"ai", "ml", "nn", "net", "cnn", "xgb", "lgbm", "gbm", "rf", "svm", "llm", "gpt"}
BASELINES = {"persistence", "naive", "climatology", "dummy", "random", "baseline", "benchmark"}
MOST_BY_CHANCE = 2.0  # standard errors of a correlation
LEAST_CORRELATION = 0.5  # of predictions and a quantity
FEWEST_CASES = 20  # in which agreement by chance is told from none


def ask_covariates(truth: Column, chosen: Mapping[str, Column]) -> None:
    """Raise for numbers that follow a quantity no more than by chance, where two others do.

    They may be covariates of the cases on its scale, such as a leaf area beside yields.
    """
    correlations = {name: correlation(column, truth) for name, column in chosen.items()}
    by_chance = MOST_BY_CHANCE / np.sqrt(max(truth.present.size, 1))
    doubtful = [
        name
        for name, r in correlations.items()
        if r < by_chance and not (name_words(name) & NAMES_OF_MODELS or is_baseline(name))
    ]
    plausible = [name for name, r in correlations.items() if r >= LEAST_CORRELATION]
    if truth.n < FEWEST_CASES or not doubtful or len(plausible) < 2:
        return
    plausible = [name for name in chosen if name not in doubtful]
    ask(
        f"{quote_names(doubtful)} may be no predictions: the values follow {truth.name!r} no more "
        f"than by chance, those of {quote_names(plausible)} do. Which are the models?",
        [{"models": plausible}, {"models": [*chosen]}],
    )


def is_baseline(name: str) -> bool:
    """Return whether all words of a name are of a simple forecast that may fail: persistence."""
    return BASELINES.issuperset(split_words(name))


def labels_beside_classes(two: list[Column], columns: Mapping[str, Column]) -> list[Column]:
    """Return the columns of two values that may be labels beside columns of more classes.

    Of these one agrees with two others: true and predicted labels. Two values are an attribute
    then, unless a name or those columns tell otherwise.
    """
    few = [c for c in columns.values() if c.has_few_values and not c.has_two and not c.is_decimal]
    agreeing = ([x for x in few if kappa(c, x) >= CLEAR_AGREEMENT] for c in few)
    classes: list[Column] = max(agreeing, key=len, default=[])
    numbers = [c for c in classes if c.is_number]
    if len(classes) < 3 or any(are_grades(numbers[0], c) for c in numbers[1:]):
        return two  # fewer than itself and two others, or no classes
    named_so = [c for c in two if is_clear_truth(c.name) or is_outcome(c.name)]
    return [c for c in two if c in named_so or is_separated(c, numbers)]


def are_grades(a: Column, b: Column) -> bool:
    """Return whether two columns have near numbers where they differ, as no classes have."""
    different = np.flatnonzero(np.asarray(a.numbers) != np.asarray(b.numbers))
    return correlation(a.take(different), b.take(different)) >= LEAST_CORRELATION
