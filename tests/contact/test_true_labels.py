"""Which column has the true labels: tables of strangers, and look-alikes that are read as before.

Each has a pattern of the lines that say how its columns were read, or of the question.
"""

import re

import numpy as np
import pandas as pd
import pytest

import fastcompare as fc

from .doors import by_python, ways_of_python
from .wanted import Answer, shortfall

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(29)
N = 60
Y = RNG.integers(0, 2, N)
TIMES = [81, 6, 12, 14, 4, 5, 9, 269]
FIRST, SECOND, SICK = 1 - np.indices((2, 2, 2)).reshape(3, -1)  # all combinations, 1 1 1 first


def words(labels, pair):
    """Return labels of 0 and 1 as words."""
    return np.array(pair)[labels]


def guess(rate=0.2):
    """Return labels of 0 and 1, some of which differ from the truth."""
    return np.where(RNG.random(N) < rate, 1 - Y, Y)


def counted(count="Count", pair=("-", "+"), times=TIMES, **more):
    """Return a table of the number of cases with each combination of two tests and a disease."""
    table = {"Test1": FIRST, "Test2": SECOND, "Disease": SICK}
    return {**{name: words(x, pair) for name, x in table.items()}, **more, count: np.array(times)}


def decimals():
    """Return numbers from 0 to 1 with three decimals."""
    return RNG.random(N).round(3)


AGES = RNG.integers(30, 80, N)
IDS = [f"c{j:03d}" for j in range(N)]
SEX = words(RNG.integers(0, 2, N), ("F", "M"))
DICE = {"patient": IDS, "age": AGES, "dice_a": decimals(), "dice_b": decimals()}
TWO = {"a": decimals(), "b": decimals()}
CHANCE = RNG.permutation(Y)
TOLD = {name: ((Y + 1.5 * values) / 2.5).round(3) for name, values in TWO.items()}
X, Z = 4e5 + 1e5 * decimals(), 5e6 + 1e6 * decimals()
CLASSES = RNG.integers(1, 6, (3, N))
COVER = {"LC_rf": CLASSES[1], "LC_svm": CLASSES[2]}
PAIR = ("negativo", "positivo")
TESTS = {"Test A": words(guess(0.1), PAIR), "Test B": words(guess(0.15), PAIR)}
MARKER = (5 + 3 * RNG.random(N)).round(1)
SIGNS = {"fever": np.roll(np.arange(N) % 4 < 2, 1) * 1, "cough": np.arange(N) % 2}
OF_ITEMS = "Rows: items.*Models: 'dice_a' and 'dice_b'.*Not used: '(sex|scanner|smoker)'"

TABLES = {
    # numbers of cases of each combination
    "a count": (counted(), "Rows: 400 cases.*Models: 'Test1' and 'Test2' .pre"),
    "a number of patients": (counted("number of patients"), "Rows: 400 cases"),
    "n of 0 and 1": (counted("n", (0, 1)), "Rows: 400 cases"),
    "Häufigkeit": (counted("Häufigkeit", ("nein", "ja")), "Rows: 400 cases"),
    "a count by centre": (
        {n: np.tile(x, 3) for n, x in counted().items()} | {"centre": np.repeat([*"ABC"], 8)},
        "Rows: 1200 cases.*Not used: 'centre'",
    ),
    "raters, counted": (
        {"rater1": [*"aabb"], "rater2": [*"abab"], "Freq": [30, 4, 5, 40]},
        "two annotators, whose agreement",
    ),
    "too many cases": (counted(times=[10**6, *TIMES[1:]]), "written out"),
    # look-alikes
    "votes": (
        {"r1": FIRST, "r2": SECOND, "r3": SICK, "count": FIRST + SECOND + SICK},
        "which column has the true labels",
    ),
    "a running number": (counted("n", times=range(1, 9)), "^(?!.*stands for).*Not used: 'n'"),
    "a count of each case": (
        {"y": Y, "a": guess(), "b": guess(), "n": RNG.integers(1, 40, N)},
        "^(?!.*stands for).*Not used: 'n'",
    ),
    "lesions of each case": (counted("n_lesions"), "^(?!.*stands for).*'n_lesions'"),
    "numbers of patients": (counted("patient number"), "^(?!.*stands for)"),
    "counts of rows with ids": (
        counted(id=[f"s{j}" for j in range(8)]),
        "^(?!.*stands for).*Not used: 'id'",
    ),
    # traits of cases, which are no true labels where nothing else has two values
    "sex beside overlaps": ({"sex": Y, **DICE}, OF_ITEMS),
    "scanners beside overlaps": ({"scanner": words(Y, ("GE", "Siemens")), **DICE}, OF_ITEMS),
    "smokers beside overlaps": ({"smoker": Y, **DICE}, OF_ITEMS),
    "sex beside reaction times": (
        {"subj": np.arange(N), "gender": Y, "rt_same": 9 * AGES, "rt_other": 500 + AGES[::-1]},
        "'gender' may be; or are the rows items",
    ),
    "a diagnosis beside sex": (
        {"id": IDS, "Sesso": SEX, "csPCa": Y, **TWO},
        "True labels: 'csPCa' .the only column with two values that is no trait",
    ),
    "age in Italian": (
        {"Età": AGES, "Deceduto": words(Y, ("No", "Sì")), **TWO},
        "Models: 'a' and 'b'.*Not used: 'Età'",
    ),
    # look-alikes
    "an infection of a site": ({"surgical_site_infection": Y, **TWO}, "True labels: 'surgical_s"),
    "a side effect": ({"side_effect": Y, **TWO}, "True labels: 'side_effect'"),
    "smokers beside markers": ({"smoker": Y, "cotinine": decimals(), "nnal": decimals()}, "True l"),
    "patients of a cohort": ({"cohort": words(Y, ("control", "patient")), **TWO}, "True labels"),
    "treated beside propensities": ({"treated": Y, "ps_a": TWO["a"], "ps_b": TWO["b"]}, "True la"),
    "sex, predicted": (
        {"sex": SEX, "pred_a": SEX[::-1], "pred_b": np.roll(SEX, 1)},
        "which column has the true labels. 'sex' may be",
    ),
    # two values that are no trait, or one that scores predict
    "a win or a draw": (
        {"game": IDS, "res": words(Y, ("D", "W")), "home": CHANCE, **TOLD},
        "'res' and 'home'",
    ),
    "a disease in letters": (
        {"state": words(Y, ("D", "H")), "anemia": CHANCE, **TOLD},
        "'state' and 'anemia' may be",
    ),
    "imagined hands": (
        {"cue": words(Y, ("left", "right")), "feedback": CHANCE, **TOLD},
        "'cue' and 'feedback' may be",
    ),
    "the side of an eye": (
        {"eye_code": words(CHANCE, ("OD", "OS")), "csPCa": Y, **TOLD},
        "True labels: 'csPCa'",
    ),
    "sex beside glasses": (
        {"gender": words(Y, ("male", "female")), "glasses": CHANCE, **TOLD},
        "'glasses' and 'gender' may be",
    ),
    "sex told apart beside deaths": ({"sex": Y, "died": CHANCE, **TOLD}, "True labels: 'died'"),
    "sex told apart": ({"subject": IDS, "sex": Y, **TOLD}, "True labels: 'sex'"),
    "twins told apart": ({"scan": IDS, "n_fetuses": Y + 1, **TOLD}, "positive class, '1' or '2'"),
    "twins beside overlaps": ({"n_fetuses": Y + 1, **DICE}, "^(?!.*positive class)"),
    # coordinates
    "UTM beside classes": (
        {"plot_id": IDS, "X_UTM": X, "Y_UTM": Z, "LC_ref": CLASSES[0], **COVER},
        "Models: 'LC_rf' and 'LC_svm'.*Not used: 'X_UTM' and 'Y_UTM' .coordinates",
    ),
    "x and y beside classes": (
        {"x": X, "y": Z, "LC_ref": CLASSES[0], **COVER},
        "True labels: 'LC_ref'.*Not used: 'x' and 'y' .coordinates",
    ),
    "degrees beside a presence": (
        {"lon": 6 + X / 9e6, "lat": 47 + Z / 9e7, "pa": Y, **TWO},
        "True labels: 'pa'.*'lon' and 'lat' .coordinates",
    ),
    # look-alikes
    "models called x and y": ({"label": Y, "x": X, "y": Z}, "^(?!.*coordinates)"),
    "scores called x and y": (
        {"truth": Y, "x": TWO["a"], "y": TWO["b"], "c": decimals()},
        "Models: 'x', 'y' and 'c'|which column has the true labels",
    ),
    "a feature and its response": (
        {"x": X, "y": Z, "pred_a": Z + 1e5 * TWO["a"], "pred_b": Z + 2e5 * TWO["b"]},
        "True values: 'y'",
    ),
    "suffixes of a merge": (
        {"label": Y, "prob_x": TWO["a"], "prob_y": TWO["b"]},
        "'prob_x' and 'p",
    ),
    "predicted latitudes": (
        {"lon": X / 7, "lat": Z / 7, "lat_a": Z / 7 + 1e5 * TWO["a"], "lat_b": Z / 7 + Y / 3},
        "^(?!.*coordinates)",
    ),
    # numbers beside labels
    "haemoglobin beside tests": (
        {"ID": IDS, **TESTS, "Hb": MARKER, "Reference standard": words(Y, PAIR)},
        "Models: 'Test A' and 'Test B'.*Not used: 'Hb' .a number beside labels",
    ),
    "two markers beside tests": (
        {**TESTS, "disease": words(Y, PAIR), "crp": MARKER, "pct": MARKER[::-1]},
        "'Test A' and 'Test B' have the values of 'disease', and 'crp' and 'pct' other numbers",
    ),
    "a marker beside tests of 0 and 1": (
        {"disease": Y, "test_a": guess(), "test_b": guess(), "hb": MARKER},
        "which are the models",
    ),
    # look-alikes
    "a marker beside symptoms": (
        {"disease": words(Y, PAIR), **{n: words(SIGNS[n], PAIR) for n in SIGNS}, "crp": MARKER},
        "Models: 'crp'",
    ),
    "probabilities beside their labels": (
        {"disease": words(Y, PAIR), **TESTS, "prob_a": TWO["a"], "prob_b": TWO["b"]},
        "Models: 'prob_a' and 'prob_b'",
    ),
    "scores beside readers": (
        {"truth": words(Y, PAIR), **TESTS, "score_a": MARKER, "score_b": MARKER[::-1]},
        "Models: 'score_a' and 'score_b'",
    ),
    # methods of reference, and conditions of an experiment
    "culture beside another disease": (
        {"HIV": words(RNG.integers(0, 2, N), ("no", "yes")), **TESTS, "culture": words(Y, PAIR)},
        "True labels: 'culture'.*Models: 'Test A' and 'Test B'",
    ),
    "culture beside a test of a disease": (
        {"QFT": TESTS["Test A"], "T-SPOT.TB": TESTS["Test B"], "culture": words(Y, PAIR)},
        "'culture' and 'T-SPOT.TB' may be",
    ),
    "a condition": (
        {"condition": words(Y, ("full", "divided")), "signal": SIGNS["cough"], "conf": MARKER},
        "True labels: 'signal'|'condition' and 'signal' may be",
    ),
    "millimetres of rain": (
        {"date": IDS, "prob_a": TWO["a"], "prob_b": TWO["b"], "rain_mm": np.where(Y, MARKER, 0.0)},
        "whether 'rain_mm' is above a threshold",
    ),
    # look-alikes
    "a disease beside PCR": (
        {"PCR": TESTS["Test A"], "rapid": TESTS["Test B"], "disease": words(Y, PAIR)},
        "True labels: 'disease'",
    ),
    "two methods": (
        {"PCR": words(Y, PAIR), "culture": TESTS["Test A"], "rapid": TESTS["Test B"]},
        "'PCR', 'culture' and 'rapid' may be",
    ),
    "a condition of patients": ({"condition": words(Y, ("healthy", "ill")), **TWO}, "True labels"),
}


@pytest.mark.parametrize("name", TABLES)
def test_true_labels_are_chosen_or_asked_for(name):
    table, says = TABLES[name]
    found, said = by_python(table)
    reasons = said if found is None else " ".join(found["decisions"])
    assert re.search(says, reasons), reasons
    for way in ways_of_python(said):
        assert by_python(table, **way)[0] is not None, (way, by_python(table, **way)[1])


@pytest.mark.parametrize("options", [{}, {"sample_weight": "Count"}, {"label": "Disease"}])
def test_counted_cases_are_compared_as_cases_are(options):
    found, _ = by_python(counted(), **options)
    cases = [np.repeat(x, TIMES) for x in (SICK, FIRST, SECOND)]
    assert not shortfall(found, Answer((fc.mcnemar_test(*cases).pvalue,), ("Test1", "Test2")))


def test_weights_that_a_test_does_not_take_are_not_printed():
    table = {"y": Y, "a": guess(), "b": guess(), "w": np.arange(N) + 0.5}
    _, said = by_python(table, sample_weight="w")
    assert "array" not in said, said


@pytest.mark.parametrize(
    ("time", "event"),
    [
        ("PFI.time", "PFI"),
        ("BCR_months", "BCR"),
        ("days_to_TLR", "TLR"),
        ("time_to_dialysis", "dialysis"),
        ("fu_years", "ESRD"),
    ],
)
def test_the_time_to_an_event_is_asked_about_whatever_the_event(time, event):
    rng = np.random.default_rng(30)
    table = {"id": range(60), time: rng.integers(1, 900, 60), event: np.arange(60) % 2}
    frame = pd.DataFrame(table | {"sig70": rng.normal(size=60), "cox": rng.normal(size=60)})
    found, said = by_python(frame)
    assert found is None
    assert f"`time='{time}', event='{event}'`" in said


@pytest.mark.parametrize("answer", ["response", "correct", "decision", "label"])
def test_the_time_of_a_reaction_is_none_to_an_event(answer):
    rng = np.random.default_rng(31)
    table = {"trial": range(60), answer: np.arange(60) % 2, f"{answer}_time": rng.random(60) * 9}
    table |= {"model_a": rng.normal(size=60), "model_b": rng.normal(size=60)}
    assert "times to an event" not in by_python(pd.DataFrame(table))[1]
