"""Rounds that an index without a name numbers, and folds known by the names of their values."""

import re

import numpy as np
import pytest

from .doors import by_python

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(12)
FOLDS = 10
MODELS = np.repeat(["rf", "svm", "lr"], FOLDS)
ROUNDS = np.tile(np.arange(FOLDS), 3)
TIMES = {"fit_time": RNG.random(3 * FOLDS), "score_time": RNG.random(3 * FOLDS)}
STACKED = {"": ROUNDS, **TIMES, "test_score": RNG.random(3 * FOLDS), "model": MODELS}
ONE_MODEL = "are all rows of 'test_score'"
REPEATS, PARTS = np.repeat([1, 2, 3], FOLDS), np.tile(np.arange(1, FOLDS + 1), 3)
SCORES = {n: RNG.random(3 * FOLDS) for n in ("rf", "svm")}
OF_TEN, OF_THREE = "3 repetitions.* of 10 folds.*1/9", "10 repetitions.* of 3 folds.*1/2"


def names_of(word, numbers):
    """Return names such as Fold01."""
    return [f"{word}{number:02d}" for number in numbers]


TABLES = {  # a table, and what the question says
    "an index of rounds": (STACKED, "10 rounds"),
    "an index above another": (
        {"Unnamed: 0" if n == "" else n: x for n, x in STACKED.items()},
        "10 rounds",
    ),
    "two metrics": (
        {**STACKED, "test_f1": RNG.random(3 * FOLDS)},
        "each 'model' and 'fold': which column has the scores",
    ),
    "data sets, too": (
        {n: np.tile(x, 2) for n, x in STACKED.items()} | {"dataset": np.repeat(["a", "b"], 30)},
        "means over 'fold' in each 'dataset'.*Rows: data sets",
    ),
    "an index of all rows": ({**STACKED, "": np.arange(3 * FOLDS)}, ONE_MODEL),
    "models of unequal numbers of rounds": (
        {**STACKED, "model": np.repeat(["rf", "svm", "lr"], [10, 5, 15])},
        ONE_MODEL,
    ),
    "an index of cases": (
        {"": ROUNDS, "y": np.tile(RNG.permutation(FOLDS) % 2, 3), "p": RNG.random(3 * FOLDS)}
        | {"model": MODELS},
        "are all rows of 'p' one model's",
    ),
    "an index beside seeds": ({**STACKED, "seed": ROUNDS}, "10 rounds .'seed'"),
    "names of folds": (
        {"id": names_of("Repeat", REPEATS), "id2": names_of("Fold", PARTS), **SCORES},
        OF_TEN,
    ),
    "names in the other order": (
        {"id": names_of("Fold", PARTS), "id2": names_of("Repeat", REPEATS), **SCORES},
        OF_TEN,
    ),
    "numbers in columns with names": ({"repeat": REPEATS, "fold": PARTS, **SCORES}, OF_TEN),
    "more repetitions than folds": (
        {"id": names_of("Repeat", PARTS), "id2": names_of("Fold", REPEATS), **SCORES},
        OF_THREE,
    ),
    "a name that contradicts": (
        {"split": names_of("Repeat", REPEATS), "id2": names_of("Fold", PARTS), **SCORES},
        OF_TEN,
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_rounds_are_known_by_their_values(name):
    table, says = TABLES[name]
    found, said = by_python(table)
    reasons = said if found is None else " ".join(found["decisions"])
    assert re.search(says, reasons), reasons


def test_rounds_of_an_index_are_compared_by_their_folds():
    found, _ = by_python(STACKED, design="kfold")
    assert found["kind"] == "folds"
    assert found["values"].keys() == {"rf", "svm", "lr"}
