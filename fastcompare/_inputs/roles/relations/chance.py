"""Numbers that follow the truth no more than by chance, where those of models do: covariates."""

from collections.abc import Mapping

import numpy as np

from ..column import Column
from ..question import ask
from ..reading import quote_names
from ..words import ROLES, name_words, split_words
from . import correlation

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
