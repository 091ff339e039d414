"""Sentences and tables do not contradict their own numbers: at levels, at 0, of one-sided tests."""

import math
import re

import numpy as np
import pytest

import fastcompare as fc
from fastcompare._base.text import show_count, show_pvalue, stated_ends
from fastcompare._report.formats import show_intervals
from fastcompare._results.presentation import replace_fields

QUIET = {"on_undefined": "ignore"}


@pytest.mark.parametrize("level", [0.01, 0.05, 0.1])
@pytest.mark.parametrize("excess", [4.9e-5, 1e-5, 3.3e-7, 1.1e-9])
def test_show_pvalue_shows_that_a_p_value_is_above_its_level(level, excess):
    assert float(show_pvalue(level + excess)) > level
    assert float(show_pvalue(level - excess)) <= level


def test_show_pvalue_of_a_level_itself_and_of_others_has_four_decimals():
    for p in (0.05, 0.05 + 1e-17, 0.0501, 0.2, 0.12341, 1.0):
        assert show_pvalue(p) == f"{p:.4f}"


@pytest.mark.parametrize("end", [4e-5, 1e-6, 1.2e-7])
def test_a_limit_near_0_shows_its_side_in_sentences_and_tables(end):
    for text in (stated_ends((end, 0.2)), *show_intervals([(end, 0.2), (-0.1, 0.3)])[:1]):
        assert float(text.partition(" to ")[0]) > 0.0
    for text in (stated_ends((-0.2, -end)), *show_intervals([(-0.2, -end)])):
        assert float(text.partition(" to ")[2]) < 0.0
    for text in (stated_ends((-end, 0.2)), *show_intervals([(-end, 0.2)])):
        assert float(text.partition(" to ")[0]) < 0.0
    assert stated_ends((-1e-12, 0.2)) == stated_ends((0.0, 0.2)) == "0.0000 to 0.2000"


@pytest.mark.parametrize(("count", "text"), [(1234567, "1234567"), (2.5e6, "2500000")])
def test_numbers_of_a_million_cases_have_all_their_digits(count, text):
    assert show_count(count) == show_count(float(count)) == text


def test_means_of_numbers_of_cases_have_some_decimals():
    assert [show_count(x) for x in (512.1, 1000 / 3, 1234567.89)] == [
        "512.1",
        "333.333",
        "1234567.9",
    ]


def pairs_of(side, scores=(0.0, 0.6, 2.5), n=60):
    """The result of three models, of which the last one is the best by far."""
    rng = np.random.default_rng(3)
    y = np.arange(n) % 2
    table = {name: rng.normal(size=n) + s * y for name, s in zip("abc", scores, strict=True)}
    return fc.delong_pairwise_test(y, table, alternative=side, correction="holm", **QUIET)


@pytest.mark.parametrize("side", ["greater", "less"])
def test_one_sided_pairs_never_call_the_other_direction_no_difference(side):
    result = pairs_of(side)
    two_sided = pairs_of("two-sided")
    assert two_sided.adjusted_pvalue[1] < 1e-6  # a and c
    where = f"significantly {side} than 0"
    texts = [result.summary(), result._headline(), str(result), result.to_markdown()]
    for text in texts:
        assert "does not differ" not in text
        claims = re.findall(
            r"(?:not |no difference is |is |are |\* )significant\w* [^;.]{0,20}", text
        )
        assert all(where in claim for claim in claims), text
    found = result.adjusted_pvalue <= result.alpha
    assert found.any() == (side == "less")
    if found.any():
        assert "c has a higher" in result.summary() or "c is better" in result.summary()
    else:
        assert f"is {where}" in result._headline()


def test_two_sided_pairs_still_name_the_models_that_do_not_differ():
    result = pairs_of("two-sided", (0.0, 2.3, 2.5))
    assert "it does not differ significantly from b" in result.summary()


def test_pairs_without_adjusted_p_values_are_called_undefined():
    result = pairs_of("two-sided")
    missing = {"pvalue": np.array([0.01, math.nan, 0.02]), "adjusted_pvalue": np.full(3, math.nan)}
    result = replace_fields(result, {**missing, "correction": "bergmann-hommel"})
    assert result._summary() == "No Bergmann-Hommel-adjusted p-value is defined."
    assert result._headline() == ""


def test_models_and_pairs_of_a_comparison_with_undefined_numbers_come_last():
    rng = np.random.default_rng(0)
    base = rng.normal(size=30)
    models = {"a": base, "b": base + 1.0, "c": base + rng.normal(size=30), "d": base + 2.0}
    result = fc.compare(models, kind="items", correction="none", **QUIET)
    pvalues = [pair.adjusted_pvalue for pair in result.pairs]
    assert np.isnan(pvalues).any()
    defined = [p for p in pvalues if not math.isnan(p)]
    assert pvalues[: len(defined)] == sorted(defined)
    result = replace_fields(result, {"values": {"a": math.nan, "b": 2.0, "c": math.nan, "d": 3.0}})
    assert [model.name for model in result.models] == ["d", "b", "a", "c"]


def test_a_comparison_of_different_cases_draws_no_curve_by_the_labels_of_one_model():
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    old, new = rng.normal(size=(2, 40)) + y
    order = rng.permutation(40)
    result = fc.compare({"old": (y, old), "new": (y[order], new[order])}, kind="scores")
    assert "roc_curves" not in result._curves()


def test_a_reason_for_a_specified_concordance_is_that_it_was_specified():
    rng = np.random.default_rng(0)
    time = rng.exponential(size=60)
    data = {"time": time, "event": np.ones(60, bool)}
    a, b = rng.normal(size=(2, 60)) - time
    for method, word in (("uno", "Uno's"), ("harrell", "Harrell's")):
        reasons = fc.compare(data, {"a": a, "b": b}, kind="times", method=method).reasons
        assert word in reasons[0]
        assert "0% of the cases" not in reasons[0] or method == "harrell"
    assert fc.compare(data, {"a": a, "b": b}, kind="times", method="uno").reasons[0] == (
        "Uno's C (as specified)."
    )


@pytest.mark.parametrize("side", [1, -1])
def test_the_advantage_of_the_model_shown_first_has_its_direction(side):
    rng = np.random.default_rng(0)
    first, second = np.array([("x", "y"), ("y", "x")] * 150).T
    outcome = np.where(rng.normal(size=300) > -0.8 * side, 1, 0)
    check = fc.compare(first, second, outcome, kind="battles", **QUIET).checks[-1]
    words = "adds" if side > 0 else "takes"
    assert check.startswith(f"Being shown first {words} "), check
    assert "-" not in check.partition("(")[0]


def test_no_model_of_equal_strength_is_the_strongest():
    pairs = np.array([("x", "y"), ("y", "z"), ("z", "x")] * 4)
    text = fc.bradley_terry(*pairs.T, [1, 1, 1] * 4, **QUIET).summary()
    assert "x, y and z are equally strong: strength 0.0000" in text
    assert "the strongest" not in text
    assert "the next" not in text
    text = fc.bradley_terry(*pairs.T, [1, 1, 1] * 3 + [0, 1, 1], **QUIET).summary()
    assert " is the strongest" in text


@pytest.mark.parametrize("side", [1, -1])
def test_the_order_effect_of_battles_has_its_direction(side):
    rng = np.random.default_rng(0)
    first, second = np.array([("x", "y"), ("y", "x")] * 150).T
    outcome = np.where(rng.normal(size=300) > -0.8 * side, 1, 0)
    result = fc.bradley_terry(first, second, outcome, order_effect=True, **QUIET)
    assert f"Being shown first {'adds' if side > 0 else 'takes'} " in result.summary()
    assert result.order_effect * side > 0.0


def test_infinite_numbers_are_words():
    pairs = np.array([("x", "y"), ("y", "x")] * 4)
    text = str(fc.bradley_terry(*pairs.T, [1, 0, 1, 1] * 2, **QUIET))
    assert re.search(r"df +infinite", text)
    assert not re.search(r"\binf\b", text)


@pytest.mark.parametrize(("side", "p"), [("greater", 0.05), ("less", 1.0), ("two-sided", 0.1)])
def test_a_one_sided_verdict_on_unpaired_folds_has_its_side(side, p):
    rounds = {"high": [4.0, 5.0, 6.0], "low": [1.0, 2.0, 3.0]}
    options = {"method": "mann-whitney", "alternative": side}
    result = fc.folds_unpaired_test(rounds, **options, **QUIET)
    assert result.pvalue == pytest.approx(p, rel=1e-12)
    verdicts = {
        "greater": "high has a significantly higher typical score than low.",
        "less": "high does not have a significantly lower typical score than low.",
        "two-sided": "high and low do not differ significantly in typical score.",
    }
    assert result._verdict() == verdicts[side]
    assert result.pvalue <= 0.05 or side != "greater"  # 1/20 exactly, which rejects


def test_pooled_constant_differences_that_vary_between_imputations_are_undefined():
    tests = [fc.paired_mean_test(np.ones(10), np.full(10, d), **QUIET) for d in (0.0, 0.1, 0.2)]
    with pytest.warns(fc.UndefinedResultWarning):
        result = fc.pool(tests)
    assert result.status == "zero_variance"
    assert math.isnan(result.pvalue)
    assert result.estimate == pytest.approx(0.9)
    assert "p undefined" in result.summary()


def test_trust_of_items_without_any_score_of_a_model_warns_of_nothing_else():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 30, 3))
    a[3] = b[4] = math.nan
    with pytest.warns(fc.DroppedCasesWarning):
        result = fc.compare({"a": a, "b": b}, kind="items", nan_policy="omit", **QUIET)
    assert result.trust(n_trials=5, rng=0).n == 28  # warnings are errors here
