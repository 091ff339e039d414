"""Columns beside predictions of a quantity: their errors, in any form, and covariates.

Each table has a pattern of the lines that say how its columns were read, or of the question.
"""

import re

import numpy as np
import pytest

from .doors import by_python, ways_of_python

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(77)
N = 120
T = RNG.normal(-2.0, 1.5, N).round(2)
A = (T + RNG.normal(0, 0.8, N)).round(3)
B = (T + RNG.normal(0, 0.6, N)).round(3)
Y = RNG.integers(0, 2, N)
P = {name: (0.3 * Y + 0.7 * RNG.random(N)).round(4) for name in ("lr", "rf")}
STANDARD = RNG.normal(size=N).round(3)  # of which a fit explains less than its residuals
FIT = (0.3 * STANDARD + 0.4 * RNG.normal(size=N)).round(3)
WHOLE = RNG.integers(20, 80, N)
GUESS = WHOLE + RNG.integers(-9, 10, N)
SHIFTS = np.random.default_rng(7).normal(0, 6, (3, N)).round(1)
SALES = {"actual": WHOLE, "a": WHOLE + SHIFTS[0], "b": WHOLE + SHIFTS[1]}
NEAR = WHOLE + SHIFTS[2].round().astype(int)
FORMS = {
    "errors": lambda p: (p - T).round(3),
    "errors of unrounded predictions": lambda p: (p - T + 0.0004).round(2),
    "residuals": lambda p: (T - p).round(3),
    "absolute errors": lambda p: abs(p - T).round(3),
    "squared errors": lambda p: (p - T) ** 2,
    "rounded squares": lambda p: ((p - T) ** 2).round(3),
    "relative errors": lambda p: ((p - T) / T).round(4),
    "errors in percent": lambda p: (100 * (p - T) / T).round(1),
    "single precision": lambda p: (p - T).astype(np.float32),
}


def read(table, **options):
    """Return the lines on a table's columns, or its question."""
    found, said = by_python(table, **options)
    return said if found is None else " ".join(map(str, found["decisions"]))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("names", [("err_a", "err_b"), ("diff_a", "diff_b"), ("x1", "x2")])
def test_errors_are_no_models_whatever_their_names(form, names):
    errors = [FORMS[form](p) for p in (A, B)]
    table = {"y_true": T, "a": A, "b": B, **dict(zip(names, errors, strict=True))}
    lines = read(table)
    assert "Models: 'a' and 'b'" in lines, lines
    if np.median(errors[0]) < T.max():  # else another scale says so before
        assert re.search(f"'{names[0]}' .*(errors|residuals).* of 'a'", lines), lines


def test_missing_predictions_and_errors_are_left_out_of_the_relation():
    missing = np.where(np.arange(N) % 9, A, np.nan)
    table = {"y_true": T, "a": missing, "b": B, "res": (missing - T).round(3)}
    lines = read(table, nan_policy="omit")
    assert "'res' (errors of 'a')" in lines, lines


KEPT = {
    "one model": ({"y_true": T, "y_pred": A, "residual": A - T}, "Models: 'y_pred' \\("),
    "a truth named by an option": (
        {"exp": T, "a": A, "b": B, "residual_a": A - T, "residual_b": B - T},
        "Models: 'a' and 'b'",
    ),
    "a fit that explains little": (
        {"y_true": STANDARD, "fit": FIT, "resid": STANDARD - FIT},
        "Models: 'fit' .*'resid' .errors of 'fit'",
    ),
    "whole numbers": (
        {"y_true": WHOLE, "a": GUESS, "b": WHOLE[::-1], "d": GUESS - WHOLE},
        "Models: 'a' and 'b'.*'d' .errors of 'a'",
    ),
    "squares of probabilities": (
        {"y": Y, **P, "sq_lr": (P["lr"] - Y) ** 2, "sq_rf": (P["rf"] - Y) ** 2},
        "Models: 'lr' and 'rf'.*'sq_lr' .squared errors of 'lr'",
    ),
    "losses of probabilities": (
        {"y": Y, **P, "ll": -np.log(1 - abs(P["lr"] - Y))},
        "Models: 'lr' and 'rf'.*'ll' .log losses of 'lr'",
    ),
    # no errors
    "an ensemble": ({"y_true": T, "a": A, "b": B, "mean": (A + B) / 2}, "'a', 'b' and 'mean'"),
    "a model called errors": ({"y_true": T, "arima": A, "error_correction": B}, "'error_correctio"),
    "other errors": (
        {"y_true": T, "a": A, "b": B, "err_a": (A - T + 0.1 * RNG.normal(size=N)).round(3)},
        "'err_a' may be no predictions",
    ),
    "a biased model": ({"y_true": T, "a": T + 0.5, "b": B, "c": A}, "Models: 'a', 'b' and 'c'"),
    "a sum of two models": (
        {"y_true": (A + B).round(3) + 0.1, "a": A - 2, "b": B - 2, "stack": A + B},
        "'a', 'b' and 'stack'",
    ),
    "gains of items": (
        {"item": np.arange(N), "base": P["lr"], "m1": P["rf"], "gain": P["rf"] - P["lr"]},
        "Models: 'base' and 'm1'",
    ),
    # covariates
    "a covariate on the scale": (
        {"observed": T, "a": A, "b": B, "leaf_area": T[::-1]},
        "'leaf_area' may be no predictions",
    ),
    "a baseline that fails": ({"observed": T, "a": A, "b": B, "persistence": T[::-1]}, "'persist"),
    "a model that fails": ({"observed": T, "a": A, "b": B, "pred_c": T[::-1]}, "and 'pred_c' .p"),
    "all fail": ({"observed": T, "a": A, "b": T[::-1], "c": np.roll(T, 1)}, "'a', 'b' and 'c'"),
    "a weak model": ({"observed": T, "a": A, "b": B, "c": A[::-1] / 2 + T / 2}, "'b' and 'c' .p"),
    "m4 beside others": (
        {"observed": T, "m1": A, "m2": B, "m3": A / 2 + B / 2, "m4": T[::-1]},
        "Models: 'm1', 'm2', 'm3' and 'm4'",
    ),
    "a number beside a single one": (
        {"observed": T, "a1": A, "b": B, "a2": T[::-1]},
        "'a2' may be no predictions",
    ),
    "a whole number": (
        {**SALES, "stock": NEAR},
        "'stock' may be no predictions: the values are whole numbers",
    ),
    "a reader": (
        {**SALES, "radiologist": NEAR},
        "Models: 'a', 'b' and 'radiologist'",
    ),
    "whole numbers beside one of decimals": (
        {**SALES, "b": GUESS, "c": NEAR},
        "Models: 'a', 'b' and 'c'",
    ),
}


@pytest.mark.parametrize("name", KEPT)
def test_relations_to_the_truth_say_which_columns_are_predictions(name):
    table, says = KEPT[name]
    options = {"label": "exp"} if "exp" in table else {}
    lines = read(table, **options)
    assert re.search(says, lines), lines
    for way in ways_of_python(lines):
        assert by_python(table, **way)[0] is not None, way


def test_the_truth_is_the_column_of_whose_predictions_others_have_the_errors():
    errors = {"residual_a": (A - T).round(3), "residual_b": (B - T).round(3)}
    table = {"exp_logS": T, "esol": A, "chemprop": B, **errors}
    lines = read(table)
    assert "True values: 'exp_logS' (columns have the errors of its predictions" in lines, lines
    gains = dict(zip(("gain_a", "gain_b"), errors.values(), strict=True))
    assert "it is not clear what the rows are" in read({**table, **gains} | dict.fromkeys(errors))


@pytest.mark.parametrize(
    "name",
    ["snaive", "seasonal_naive", "random_walk", "historical_mean", "zero_shot", "arima(1,1)"],
)
def test_simple_forecasts_are_models_though_they_fail(name):
    lines = read({"observed": T, "a": A, "b": B, name: T[::-1]})
    assert f"Models: 'a', 'b' and {name!r}" in lines, lines


@pytest.mark.parametrize("name", ["baseline_sugar", "random_glucose", "mean_rain", "last_visit"])
def test_attributes_with_a_word_of_baselines_are_covariates(name):
    lines = read({"observed": T, "a": A, "b": B, name: T[::-1]})
    assert f"{name!r} may be no predictions" in lines, lines
