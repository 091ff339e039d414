"""Columns that follow no truth where those of models do: covariates, and other attributes."""

import re
from collections.abc import Collection, Mapping

import numpy as np

from ..column import Column
from ..question import ask
from ..reading import quote_names
from ..words import ROLES, is_clear_truth, is_outcome, name_suggests, name_words, split_words
from . import CLEAR_AGREEMENT, column_correlation, is_predicted, is_separated, kappa

MODEL = {"model", "classifier", "clf"}  # words of predictions beside other columns
NAMES_OF_MODELS = MODEL | ROLES["prediction"] - {"p"}  # of pIC50, too
NAMES_OF_MODELS |= {"ai", "ml", "nn", "net", "cnn", "xgb", "lgbm", "gbm", "rf", "svm", "llm", "gpt"}
BASELINES = {"persistence", "naive", "climatology", "dummy", "random", "baseline", "benchmark"}
FORECASTS = {"persistence", "naive", "snaive", "climatology", "arima", "sarima", "sarimax", "ets"}
FORECASTS |= {"prophet", "croston", "tbats", "holt", "sma", "ema"}
OF_FORECASTS = BASELINES | {"walk", "rw", "drift", "zero", "shot", "historical", "seasonal", "last"}
OF_FORECASTS |= {"mean", "median", "average", "constant"}  # if all words of a name are such
NUMBER = re.compile(r"[\W_]?\d{1,9}$")  # of m1 and m2
MOST_BY_CHANCE = 2.0  # standard errors of a correlation
LEAST_CORRELATION = 0.5  # of predictions and a quantity
FEWEST_CASES = 20  # in which agreement by chance is told from none


def ask_covariates(truth: Column, chosen: Mapping[str, Column]) -> None:
    """Raise for numbers that follow a quantity no more than by chance, where two others do.

    They may be covariates of the cases on its scale, such as a leaf area beside yields.
    """
    correlations = {name: column_correlation(column, truth) for name, column in chosen.items()}
    by_chance = MOST_BY_CHANCE / np.sqrt(max(truth.present.size, 1))
    near = [name for name, column in chosen.items() if is_predicted(truth, [column])]
    doubtful = [
        name
        for name, r in correlations.items()
        if r < by_chance and not is_called_as_models(name, near)
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


def ask_whole_numbers(names: list[str], models: list[str]) -> None:
    """Raise for whole numbers near a quantity whose names are not of predictions of it.

    They may be covariates, such as a stock beside predicted sales, which are `models` of decimals.
    """
    doubtful = [name for name in names if not is_called_as_models(name, models)]
    if not doubtful:
        return
    plausible = [name for name in models if name not in doubtful]
    ask(
        f"{quote_names(doubtful)} may be no predictions: the values are whole numbers, and others "
        "are decimals. Which are the models?",
        [{"models": plausible}, {"models": models}],
    )


def is_called_as_models(name: str, models: Collection[str]) -> bool:
    """Return whether a name is that of models, predictions or raters, or has two models' stem."""
    if name_words(name) & NAMES_OF_MODELS or is_baseline(name) or name_suggests(name, "rater"):
        return True
    stem, *numbered = NUMBER.split(name)
    others = [model for model in models if model != name and NUMBER.search(model)]
    return bool(numbered) and sum(NUMBER.split(model)[0] == stem for model in others) > 1


def is_baseline(name: str) -> bool:
    """Return whether a name is that of a simple forecast that may fail, such as persistence.

    One of its words is that of a forecast, or all are of baselines: a baseline weight is none.
    """
    words = {*split_words(name)}
    return bool(words & FORECASTS) or words <= OF_FORECASTS


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
    return column_correlation(a.take(different), b.take(different)) >= LEAST_CORRELATION
