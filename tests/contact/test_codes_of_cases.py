"""Whole numbers beside scores of cases: codes, vital signs, biomarkers, points and ratings.

Each table has a pattern of the lines that say how its columns were read, or of the question.
"""

import re

import numpy as np
import pytest

from .doors import by_python, ways_of_python

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(77)
N = 300
Y = (RNG.random(N) < 0.3).astype(int)
LATENT = RNG.normal(size=N) + 1.2 * Y


def scaled(low, high, weight=1.0, decimals=0):
    """Return numbers from low to high that follow the labels by a weight, as whole by default."""
    x = weight * LATENT + RNG.normal(size=N)
    values = (low + (x - x.min()) / np.ptp(x) * (high - low)).round(decimals)
    return values if decimals else values.astype(int)


def unrelated(values):
    """Return values of the cases that are the same for both labels, but for chance."""
    codes = np.empty(N, int)
    for label in (0, 1):
        rows = np.flatnonzero(label == Y)
        codes[rows] = np.resize(values, rows.size)
    return codes


FRAUD = {"is_fraud": Y, "rule_score": scaled(0, 999), "ml_score": scaled(0, 1, decimals=4)}
SCANS = {"cancer": Y, "AI_v1": scaled(0, 100), "AI_v2": scaled(0, 100)}
POINTS = {"died": Y, "CURB-65": scaled(0, 5), "qSOFA": scaled(0, 3), "NEWS2": scaled(0, 17)}
TRADES = np.array([4829, 5411, 5812, 5999, 7995])
TABLES = {
    # no scores
    "codes by values": (
        {**FRAUD, "trade": unrelated(TRADES)},
        "'trade' .codes of groups, by its v",
    ),
    "category": ({**FRAUD, "product_type": unrelated([1, 2, 3, 4])}, "'product_type' .codes"),
    "postcodes": ({**FRAUD, "postcode": unrelated(np.arange(1001, 1091))}, "'postcode' .codes"),
    "zip3": (
        {**FRAUD, "zip3": unrelated(np.arange(101, 199))},
        "'zip3' .codes of groups, by its n",
    ),
    "scanner": ({**SCANS, "scanner": unrelated([1, 2, 3])}, "'scanner' .codes of groups, by its n"),
    "density": (
        {**SCANS, "BIRADS_density": unrelated([1, 2, 3, 4])},
        "'BIRADS_density' may be codes or measurements .*and no scores as 'AI_v1' and 'AI_v2'",
    ),
    "vital signs": (
        {**POINTS, "SBP": scaled(80, 180), "Kreatinin": scaled(40, 300)},
        "'SBP' and 'Kreatinin' may be codes or measurements",
    ),
    "one with decimals": ({**POINTS, "Urea": scaled(2, 30, decimals=1)}, "'Urea' may be codes"),
    "a code that follows the labels": (
        {**FRAUD, "postcode": scaled(1000, 9999)},
        "'postcode' may be codes",
    ),
    "an amount in Portuguese": (
        {**FRAUD, "rf": scaled(0, 1, decimals=3), "valor_mensal": scaled(18, 118, 0, 2)},
        "'valor_mensal' .an amount",
    ),
    # biomarkers
    "the same unit": (
        {
            "group": Y,
            "tTau (pg/ml)": scaled(94, 1256),
            "pTau (pg/ml)": scaled(22, 236, decimals=1),
            "NfL (pg/ml)": scaled(4, 56, decimals=1),
            "visits": scaled(0, 30, 0),
        },
        "Models: 'tTau .pg/ml.', 'pTau .pg/ml.' and 'NfL .pg/ml.'.*'visits' .whole numbers",
    ),
    "rounded": (
        {"group": Y, "tTau": scaled(94, 1256), "pTau": scaled(2, 9, decimals=1)}
        | {"NfL": scaled(4, 56, decimals=1)},
        "'tTau' has whole numbers, and 'pTau' and 'NfL' decimals.*.models=.'tTau', 'pTau', 'NfL'",
    ),
    "all whole": (
        {"group": Y, "Abeta": scaled(200, 2000), "tTau": scaled(90, 1200), "NfL": scaled(4, 60, 0)}
        | {"GFAP": scaled(50, 500, 0)},
        "Models: 'Abeta', 'tTau', 'NfL' and 'GFAP'",
    ),
    "creatinine among biomarkers": (
        {"aki": Y, "creatinine": scaled(40, 400), "NGAL": scaled(20, 900), "KIM1": scaled(90, 999)},
        "Models: 'creatinine', 'NGAL' and 'KIM1'",
    ),
    # scores
    "points": ({"died": Y, "APGAR": scaled(0, 10), "SOFA": scaled(0, 20)}, "'APGAR' and 'SOFA'"),
    "a useless score": ({**POINTS, "APGAR": unrelated([0, 3, 7, 9])}, "'NEWS2' and 'APGAR'"),
    "radiologists": (
        {"cancer": Y, "radiologist_1": scaled(0, 100), "radiologist_2": unrelated([1, 50, 99])}
        | {"AI": scaled(0, 100)},
        "Models: 'radiologist_1', 'radiologist_2' and 'AI'",
    ),
    "models m1 to m3": (
        {"y": Y, "m1": scaled(1, 99), "m2": scaled(1, 99), "m3": unrelated(np.arange(1, 98))},
        "Models: 'm1', 'm2' and 'm3'",
    ),
    "an AI of another name": (
        {**SCANS, "Lunit": unrelated(np.arange(1, 99))},
        "Models: 'AI_v1', 'AI_v2' and 'Lunit'",
    ),
    "scores of vendors": (
        {"cancer": Y, "VendorA": scaled(0, 100), "VendorB": scaled(0, 100)},
        "Models: 'VendorA' and 'VendorB'",
    ),
    "numbers of two sites": (
        {**SCANS, "site_1": unrelated([1, 2, 3]), "site_2": unrelated([4, 5, 6, 7])},
        "Models: 'AI_v1' and 'AI_v2' ",
    ),
    "grades beside markers": (
        {"y": Y, "grade": scaled(1, 3), "crp": scaled(2, 9, decimals=1)}
        | {"il6": scaled(4, 56, decimals=1)},
        "Models: 'crp' and 'il6'.*'grade' .whole numbers beside",
    ),
    "readers by name": (
        {"y": Y, "Smith": scaled(1, 5), "Jones": scaled(1, 5), "Lee": unrelated([1, 2, 3, 4, 5])},
        "Models: 'Smith', 'Jones' and 'Lee'",
    ),
    "category of a score": (
        {
            "y": Y,
            "PI-RADS category": scaled(1, 5),
            "AI_score": scaled(0, 10),
            "GRACE": scaled(0, 9),
        },
        "Models: 'PI-RADS category', 'AI_score' and 'GRACE'",
    ),
    "points with gaps": (
        {"y": Y, "card": np.array([0, 7, 19, 33, 58, 100])[scaled(0, 5)], "gam": scaled(0, 100)}
        | {"glm": scaled(0, 100)},
        "Models: 'card', 'gam' and 'glm'",
    ),
    "a random score": (
        {**FRAUD, "random_score": unrelated(np.arange(1, 51))},
        "'rule_score', 'ml_score' and 'random_score'",
    ),
    "a score of postcodes": (
        {**FRAUD, "postcode_score": unrelated(np.arange(1, 51))},
        "'rule_score', 'ml_score' and 'postcode_score'",
    ),
    "two columns": (
        {"died": Y, "creatinine": scaled(40, 400), "MELD": scaled(6, 40)},
        "and 'MELD'",
    ),
    "steps of 50": (
        {
            "y": Y,
            "score_a": 50 * scaled(6, 17),
            "score_b": 50 * scaled(6, 17),
            "knn": 50 * scaled(6, 17),
        },
        "Models: 'score_a', 'score_b' and 'knn'",
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_whole_numbers_are_scores_unless_names_or_values_say_otherwise(name):
    table, says = TABLES[name]
    found, said = by_python(table)
    lines = said if found is None else " ".join(map(str, found["decisions"]))
    assert re.search(says, lines), lines
    for way in ways_of_python(said):
        assert by_python(table, **way)[0] is not None, way
