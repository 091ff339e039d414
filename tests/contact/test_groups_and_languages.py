"""True labels and answers in other languages, groups of cases, and labels that were agreed on.

Each beside tables that resemble them. A table has what the answer, or the question, must say.
"""

import re
from statistics import multimode

import numpy as np
import pandas as pd
import pytest

from .doors import by_command, by_python, ways_of_command, ways_of_python

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(53)
N = 90
Y = np.arange(N) % 2
MARKERS = {"m1": (Y + RNG.normal(size=N)).round(3), "m2": RNG.normal(size=N).round(3)}
SEX = {"Sex": RNG.choice(["f", "m"], N)}
ID = {"ID": [f"P{j:03}" for j in range(N)]}
ITEMS = {"Frage": np.arange(1, N + 1)}


def two(negative, positive, right=1.0):
    """Return labels in two words, of which a share agrees with the truth."""
    labels = np.where(RNG.random(N) < right, Y, 1 - Y)
    return np.array([negative, positive])[labels]


def models(negative, positive, *names, right=0.8):
    """Return columns of labels, by default each right in four of five cases."""
    return {name: two(negative, positive, right) for name in names}


LLMS = ("ChatGPT", "Gemini")
WORDS = {  # of right and wrong, and the right one
    "German": ("falsch", "richtig"),
    "French": ("faux", "juste"),
    "Spanish": ("incorrecto", "correcto"),
    "Italian": ("sbagliato", "giusto"),
    "Portuguese": ("errado", "certo"),
    "Dutch": ("fout", "goed"),
    "Polish": ("źle", "dobrze"),
}


@pytest.mark.parametrize("names", [LLMS, (*LLMS, "Claude")], ids=["two", "three"])
@pytest.mark.parametrize("language", WORDS)
def test_right_and_wrong_are_answers_in_other_languages(language, names):
    wrong, right = WORDS[language]
    found, said = by_python({**ITEMS, **models(wrong, right, *names, right=0.65)})
    assert found is not None, said
    assert found["names"] == [*names]
    assert f"right: {right!r}" in " ".join(found["decisions"])


@pytest.mark.parametrize("names", [LLMS, (*LLMS, "Claude")], ids=["two", "three"])
@pytest.mark.parametrize("words", [("no", "yes"), ("faux", "vrai"), ("nein", "ja"), ("nie", "tak")])
def test_items_are_offered_for_models_that_say_yes_and_no(words, names, tmp_path):
    table = pd.DataFrame({**ITEMS, **models(*words, *names)})
    table.to_csv(tmp_path / "t.csv", index=False)
    _, said = by_command([tmp_path / "t.csv"])
    assert any("items" in way for way in ways_of_command(said)), said
    found, said = by_command([tmp_path / "t.csv"], "--kind", "items")
    assert found is not None, said
    assert found["names"] == [*names]
    assert [*found["values"].values()] == [float((table[n] == words[1]).mean()) for n in names]


@pytest.mark.parametrize(
    "table",
    [
        {"rater1": two("nein", "ja", 0.8), "rater2": two("nein", "ja", 0.8)},
        {"label": two("falsch", "richtig"), **models("falsch", "richtig", *LLMS)},
        {"Wahrheit": two("falsch", "richtig"), **models("falsch", "richtig", *LLMS)},
        {"Experte": two("falsch", "richtig"), **models("falsch", "richtig", *LLMS)},
        {"diagnosis": two("no", "yes"), **models("no", "yes", *LLMS)},
    ],
    ids=["raters", "labels", "truth", "expert", "diagnosis"],
)
def test_labels_in_words_of_answers_are_no_answers(table):
    found, said = by_python({**ITEMS, **table})
    ways = ways_of_python(said)
    assert not any(way.get("kind") == "items" for way in ways)
    assert found is None or "right and wrong answers" not in " ".join(found["decisions"])


@pytest.mark.parametrize("names", [LLMS[:1], LLMS], ids=["one", "two"])
@pytest.mark.parametrize("language", WORDS)
def test_one_of_several_columns_of_answers_may_have_the_truth(language, names):
    table = {"x1": two(*WORDS[language]), **models(*WORDS[language], *names, right=0.85)}
    _, said = by_python(table)
    assert {"label": "x1"} in ways_of_python(said), said
    found, said = by_python(table, kind="items")
    assert found is not None, said
    assert found["names"] == [*table]


@pytest.mark.parametrize("name", ["Menschen", "Soll", "Musterlösung", "human"])
def test_verdicts_are_no_model_by_their_names(name):
    words = WORDS["German"]
    _, said = by_python({name: two(*words, 0.5), **models(*words, *LLMS)})
    assert {"label": name} in ways_of_python(said), said


@pytest.mark.parametrize("name", ["human", "x1"])
def test_right_and_wrong_in_english_are_answers_even_of_people(name):
    words = ("wrong", "correct")
    found, said = by_python({name: two(*words), **models(*words, *LLMS)})
    assert found is not None, said
    assert found["names"] == [name, *LLMS]


VOTERS = {name: RNG.choice(["G1", "G2", "G3"], N) for name in ("gpt", "claude", "gemini")}
VOTES = [multimode(row)[0] for row in zip(*VOTERS.values(), strict=True)]
GRADES = np.array(["G1", "G2", "G3"])[RNG.integers(0, 3, N)]
GRADED = {
    name: np.where(RNG.random(N) < 0.8, GRADES, RNG.permutation(GRADES))
    for name in ("AI {}", "Pathologist {}")
}


def graded(agreed, noun):
    """Return grades: those that are agreed on, and those of two raters."""
    return {agreed: GRADES, **{name.format(noun): x for name, x in GRADED.items()}}


TABLES = {  # what the answer or the question says
    "a control group": ({"Group": two("CTRL", "AD"), **SEX, **MARKERS}, "True labels: 'Group'"),
    "controls in German": ({"Gruppe": two("Kontrolle", "MS"), **MARKERS}, "True labels: 'Gruppe'"),
    "normal controls": ({"group": two("NC", "PD"), **MARKERS}, "label of 'group' is the positive"),
    "two groups": ({"group": two("A", "B"), **MARKERS}, r"label='group'"),
    "two groups beside sexes": ({"Group": two("MCI", "AD"), **SEX, **MARKERS}, "'Group' and 'Sex'"),
    "an outcome beside a group": (
        {"group": two("CTRL", "drug", 0.5), "died": two("no", "yes"), **MARKERS},
        "True labels: 'died'",
    ),
    "three groups": (
        {"group": RNG.choice(["CTRL", "A", "B"], N), "died": two("no", "yes"), **MARKERS},
        "True labels: 'died'",
    ),
    "topics of questions": (
        {"question": ID["ID"], "group": two("A", "B"), **MARKERS},
        "Rows: items",
    ),
    "a consensus": (graded("Consensus grade", "grade"), "True labels: 'Consensus grade'"),
    "a panel": (graded("Expert panel", "grade"), "True labels: 'Expert panel'"),
    "a final diagnosis": (graded("Final diagnosis", "diagnosis"), "True labels: 'Final diagnosis'"),
    "two panels": (
        {"panel_a": GRADES, **dict(zip(("panel_b", "AI"), GRADED.values(), strict=True))},
        "'panel_a', 'panel_b' and 'AI' may be",
    ),
    "a vote of the models": ({**VOTERS, "consensus": VOTES}, "'gemini' and 'consensus' may be"),
    "an outcome beside a panel": (
        {"cancer": two("no", "yes"), **models("no", "yes", "panel", "AI")},
        "True labels: 'cancer'",
    ),
    "malignancy": (
        {"Menopausa": two("no", "sì", 0.5), "Esito X": two("benigno", "maligno"), **MARKERS},
        "True labels: 'Esito X'",
    ),
    "an impression of the truth": (
        {"Ca": two("no", "sì"), "impressione": two("benigno", "maligno", 0.9), **MARKERS},
        "'Ca' and 'impressione' may be",
    ),
    "predictions beside a sex": (
        {
            "wiek": RNG.integers(18, 80, N),
            "płeć": RNG.choice(["K", "M"], N),
            "xyz": two("nie", "tak"),
            **models("nie", "tak", "drzewo", "las_losowy", "regresja"),
        },
        r"^which column has the true labels\? 'xyz', (?!.*płeć)",
    ),
    "attributes of cases beside a truth": (
        {
            "xyz": two("B", "A"),
            **{n: two("nein", "ja", 0.5) for n in ("raucher", "hyper", "dm")},
            **MARKERS,
        },
        "'xyz'.* may be",
    ),
    "a sex beside another column": (
        {"sex": two("f", "m"), "xyz": RNG.choice(["u", "v"], N), "a": 3 * Y + MARKERS["m2"]},
        "'xyz' and 'sex' may be",
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_groups_and_labels_that_are_agreed_on_are_true_labels(name):
    table, says = TABLES[name]
    found, said = by_python({**ID, **table})
    reasons = said if found is None else " ".join(found["decisions"])
    assert re.search(says, reasons), reasons
