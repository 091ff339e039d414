"""Sizes that questions offer, seeds that are no folds, and texts that repeat by chance."""

import numpy as np
import pytest

from .doors import by_python, ways_of_python

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(41)
N = 200
Y = np.arange(N) % 2
SCORES = {"a": (Y + RNG.normal(size=N)).round(3), "b": RNG.normal(size=N).round(3)}
WORDS = np.array(
    ["good", "poor", "quick", "slow", "dear", "cheap", "fine", "late", "early", "blue"]
)
SENTENCES = [" ".join(RNG.choice(WORDS, 5)) for _ in range(N)]
SENTENCES[7] = SENTENCES[70]
PREMISES = np.repeat(SENTENCES[:50], 4)
TWICE = [f"P{j:03}" for j in [*range(190), *range(10)]]
TEXTS = {  # a column of texts, and whether its values are clusters of rows
    "comments": ({"commentaire": SENTENCES}, False),
    "articles of a newspaper": ({"article": SENTENCES}, False),
    "short names": ({"what": TWICE}, False),
    "premises": ({"premise": PREMISES}, True),
    "documents": ({"article": PREMISES}, True),
    "patients, few of whom come twice": ({"patient_id": TWICE}, True),
    "users": ({"user": np.resize(TWICE[:40], N)}, True),
}
ROUNDS = {name: RNG.uniform(70, 80, 10).round(2) for name in ("baseline", "ours")}


@pytest.mark.parametrize("name", TEXTS)
def test_texts_that_nearly_all_differ_are_no_clusters(name):
    texts, are_clusters = TEXTS[name]
    found, said = by_python({**texts, "y": Y, **SCORES})
    assert found is not None, said
    assert ("are not independent" in " ".join(found["checks"])) is are_clusters


@pytest.mark.parametrize(
    ("n_train", "n_test", "says"),
    [
        (9, 1, "in the ratio 9 : 1"),
        (90, 10, "in the ratio 90 : 10"),
        (512, 57, "Each round has 512 training and 57 test cases"),
        (300, 100, "Each round has 300 training and 100 test cases"),
    ],
)
def test_sizes_that_a_question_offers_are_said_to_be_a_ratio(n_train, n_test, says):
    found, said = by_python({"fold": np.arange(10), **ROUNDS}, n_train=n_train, n_test=n_test)
    assert found is not None, said
    assert says in " ".join(found["decisions"])


@pytest.mark.parametrize(
    ("row", "values", "has_folds"),
    [
        ("seed", [0, 1, 2, 3, 4, 13, 42, 123, 1234, 2024], False),
        ("seed", range(10), True),
        ("fold", range(10), True),
        ("run", range(10), True),
    ],
)
def test_folds_are_offered_for_rounds_that_may_be_folds(row, values, has_folds):
    ways = ways_of_python(by_python({row: [*values], **ROUNDS})[1])
    assert ({"design": "kfold"} in ways) is has_folds
    assert (ways[0] == {"design": "kfold"}) is (row != "seed")


def test_runs_on_one_split_are_not_said_to_share_no_cases():
    table = {"seed": [0, 1, 2, 3, 4, 13, 42, 123, 1234, 2024], **ROUNDS}
    found, said = by_python(table, kind="folds", design="independent")
    assert found is not None, said
    assert "without shared cases, or runs on one split" in " ".join(found["reasons"])
