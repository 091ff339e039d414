"""Pairs as people read them: the better model first, in one order, with whole names."""

import numpy as np
import pytest

import fastcompare as fc
from fastcompare._report.families import result_sheets

N, RNG = 200, np.random.default_rng(4)
Y = np.arange(N) % 2
NAMES = ("logistic_regression", "gradient_boosting", "random_forest", "naive_bayes")
LATENT = 1.2 * Y + RNG.normal(size=N)
SCORES = {name: LATENT + (0.3 + 0.3 * j) * RNG.normal(size=N) for j, name in enumerate(NAMES)}
PROBABILITIES = {name: 1.0 / (1.0 + np.exp(-x)) for name, x in SCORES.items()}
TABLE = {name: -0.2 * j + RNG.normal(size=12) for j, name in enumerate(NAMES)}
RESULTS = {
    "auc": lambda: fc.delong_pairwise_test(Y, SCORES),
    "losses": lambda: fc.scoring_pairwise_test(Y, PROBABILITIES),
    "labels": lambda: fc.mcnemar_pairwise_test(Y, {n: x > 0.6 for n, x in SCORES.items()}),
    "ranks": lambda: fc.nemenyi_test(TABLE),
    "medians": lambda: fc.wilcoxon_pairwise_test(TABLE),
    "errors": lambda: fc.mean_pairwise_test(TABLE),
}


def pair_sheet(result):
    return next(sheet for sheet in result_sheets(result) if sheet.kind == "pairs")


@pytest.mark.parametrize("kind", RESULTS)
def test_pairs_begin_with_the_better_model_and_differences_have_one_sign(kind):
    result = RESULTS[kind]()
    sheet = pair_sheet(result)
    rows = list(sheet.people(range(sheet.size)))
    kept = sheet.rows()
    sign = 1.0 if result.higher_is_better else -1.0
    ends = {}
    for row, same in zip(rows, kept, strict=True):
        assert sign * row["difference"] >= 0.0
        assert row["ci_low"] <= row["difference"] <= row["ci_high"]
        assert {row["first"], row["second"]} == {same["first"], same["second"]}
        turned = row["first"] != same["first"]
        assert row["difference"] == (-1.0 if turned else 1.0) * same["difference"]
        value = next(key.removesuffix("_first") for key in row if key.endswith("_first"))
        for place in ("first", "second"):
            ends.setdefault(row[place], set()).add(row[f"{value}_{place}"])
        assert row["pvalue"] == same["pvalue"]
    assert all(len(values) == 1 for values in ends.values()), "each model has its own value"


def test_claims_with_a_direction_stay_as_they_were_made():
    result = fc.delong_pairwise_test(Y, SCORES, alternative="greater")
    sheet = pair_sheet(result)
    assert list(sheet.people(range(sheet.size))) == sheet.rows()


def test_table_and_picture_have_one_order():
    pytest.importorskip("matplotlib")
    result = RESULTS["auc"]()
    sheet = pair_sheet(result)
    rows = list(sheet.people(sheet.order))
    texts = [text.get_text() for text in result.plot().texts]
    drawn = [text for text in texts if " \u2212 " in text]
    assert drawn == [f"{row['first']} \u2212 {row['second']}" for row in rows]


def test_names_are_whole_where_two_lines_have_room(monkeypatch):
    text = str(RESULTS["auc"]())
    assert "..." not in text
    assert "\n  minus logistic_regression\n" in text or "\n  minus naive_bayes\n" in text
    assert "simultaneous 95% CI" in text
    assert max(map(len, text.splitlines())) <= 88
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "60")
    narrow = str(RESULTS["auc"]())
    assert "simultaneous 95% CI" in narrow, "the interval stays"


def test_every_model_has_its_interval():
    for kind, data in (("scores", SCORES), ("probabilities", PROBABILITIES)):
        found = fc.compare(Y, data, kind=kind)
        models = next(sheet for sheet in result_sheets(found) if sheet.kind == "models")
        for row in models.rows():
            value = next(row[key] for key in ("auc", "means") if key in row)
            assert row["ci_low"] < value < row["ci_high"]
