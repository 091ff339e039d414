"""Attributes of two values beside a quantity, or beside several classes, are not the truth."""

import numpy as np
import pandas as pd
import pytest

from .doors import by_python, ways_of_python

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(27)
N = 120
FLAG = RNG.integers(0, 2, N)
PRICE = RNG.lognormal(12, 0.4, N).round(-2)
CLASSES = np.array(["cat", "dog", "owl"])
SPECIES = RNG.integers(0, 3, N)


def near(values, spread):
    """Return predictions of a quantity."""
    return (values * RNG.lognormal(0, spread, N)).round()


def often(classes, share):
    """Return predicted classes, of which this share at least is right."""
    return np.where(RNG.random(N) < share, classes, RNG.integers(0, 3, N))


@pytest.mark.parametrize("unit", [1, 1000.3])
def test_a_quantity_beside_a_flag_is_asked_about(unit):
    frame = {"house": range(N), "price": PRICE / unit, "has_garage": FLAG}
    frame |= {"forest": near(PRICE, 0.1) / unit, "boost": near(PRICE, 0.15) / unit}
    found, said = by_python(pd.DataFrame(frame))
    assert found is None
    assert "are near 'price'" in said
    assert ways_of_python(said)[0] == {"label": "price"}
    answer, said = by_python(pd.DataFrame(frame), label="price")
    assert answer["kind"] == "items", said


def test_scores_near_a_measurement_are_asked_about_unless_labels_are_called_so():
    """Risks of 0 to 100 are near the age, which a model may be: y is the truth then."""
    age = RNG.integers(20, 90, N)
    frame = {"y": FLAG, "age": age, "a": near(age, 0.1), "b": near(age, 0.1)}
    found, said = by_python(pd.DataFrame(frame))
    assert found is not None, said
    assert sorted(found["names"]) == ["a", "b"]


@pytest.mark.parametrize("as_text", [True, False])
def test_several_classes_beside_a_flag_are_asked_about(as_text):
    labels = {"species": SPECIES, "new": often(SPECIES, 0.8), "old": often(SPECIES, 0.7)}
    if as_text:
        labels = {name: CLASSES[codes] for name, codes in labels.items()}
    found, said = by_python(pd.DataFrame({"id": range(N), **labels, "indoor": FLAG}))
    assert found is None, found
    assert "which column has the true labels" in said
    named = {"true_species": labels["species"], "new": labels["new"], "old": labels["old"]}
    found, said = by_python(pd.DataFrame({"id": range(N), **named, "indoor": FLAG}))
    if found is None:  # a class of 0 or 1 may be a prediction, too
        found, said = by_python(pd.DataFrame(named | {"indoor": FLAG}), **ways_of_python(said)[0])
    assert (found["kind"], sorted(found["names"])) == ("labels", ["new", "old"])


def test_ratings_beside_an_outcome_without_a_name_are_scores():
    """Readers agree on their grades, which tell the two values apart."""
    ease = RNG.normal(size=N) + 2 * FLAG
    grades = {f"g{i}": np.clip((ease + 3 + RNG.normal(0, 0.4, N)).round(), 1, 5) for i in range(3)}
    found, said = by_python(pd.DataFrame({"id": range(N), "V3": FLAG, **grades}))
    assert found is not None, said
    assert (found["kind"], len(found["names"])) == ("scores", 3)


def test_deciles_beside_an_outcome_without_a_name_are_scores():
    risk = RNG.normal(size=N) + 0.4 * FLAG
    scores = {
        f"v{i}": pd.qcut(risk + RNG.normal(0, 0.3, N), 10, labels=False) + 1 for i in (1, 2, 3)
    }
    found, said = by_python(pd.DataFrame({"id": range(N), "recid": FLAG, **scores}))
    assert found is not None, said
    assert (found["kind"], len(found["names"])) == ("scores", 3)


def test_ages_by_clocks_beside_a_death_are_scores():
    age = RNG.integers(40, 90, N)
    clocks = {name: (age + RNG.normal(0, 4, N)).round(1) for name in ("phenoage", "grimage")}
    found, said = by_python(pd.DataFrame({"died": FLAG, "age": age, **clocks}))
    assert found is not None, said
    assert sorted(found["names"]) == ["grimage", "phenoage"]
