"""Harrell's C and Uno's C: exact counts, other programs' numbers, laws."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

import fastcompare as fc
from fastcompare import kernels
from tests.reference import concordance as reference

GOLDEN = Path(__file__).parents[1] / "golden" / "survival"
EXACT = json.loads((GOLDEN / "concordance_exact.json").read_text())["cases"]
SURVIVAL = json.loads((GOLDEN / "concordance_survival.json").read_text())["cases"]


@st.composite
def timed_cases(draw, most=12):
    """Draw few cases with ties of times and of scores."""
    n = draw(st.integers(2, most))
    column = st.lists(st.integers(0, draw(st.integers(1, 12))), min_size=n, max_size=n)
    event = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    return draw(column), event, draw(column), draw(column)


def counted(time, event, score):
    """Doubled wins and pairs of each case by the kernels, and the number of pairs."""
    time, event = np.array(time, float), np.array(event, np.uint8)
    order, run, pairs, wins = np.empty((4, time.size), np.int64)
    kernels.order_in_time(time, event, order, run)
    total = kernels.count_pairs(event[order], run, pairs)
    kernels.doubled_wins(np.array(score, float)[order], event[order], run, wins)
    back = np.argsort(order)
    return wins[back].tolist(), pairs[back].tolist(), total


@given(case=timed_cases(most=40))
def test_wins_and_pairs_equal_those_of_all_pairs(case):
    time, event, score, _ = case
    assert counted(time, event, score) == reference.counts(time, event, score)


@pytest.mark.parametrize("n", [63, 64, 65, 128, 129, 1000])
@pytest.mark.parametrize("values", [3, 50, 10**6])
def test_wins_of_blocks_of_any_size_equal_those_of_all_pairs(n, values):
    rng = np.random.default_rng(n)
    time, score = rng.integers(0, values, (2, n)).astype(float)
    event = rng.integers(0, 2, n).astype(np.uint8)
    first = (event[:, None] == 1) & (
        (time[:, None] < time) | ((time[:, None] == time) & (event == 0))
    )
    won = first * (2 * (score[:, None] > score) + (score[:, None] == score))
    wins, pairs, total = counted(time, event, score)
    assert wins == (won.sum(axis=0) + won.sum(axis=1)).tolist()
    assert pairs == (first.sum(axis=0) + first.sum(axis=1)).tolist()
    assert total == first.sum()


@pytest.mark.parametrize("case", EXACT, ids=lambda case: case["name"])
def test_exact_cases_to_the_last_bit_in_concordance(case):
    time, event, scores = case["time"], case["event"], np.transpose(case["scores"])
    scores = {f"model {j}": column for j, column in enumerate(scores.T)}
    found = fc.concordance(time, event, scores, on_undefined="ignore")
    if case["harrell"]:
        assert [float(Fraction(c)) for c, _ in case["harrell"]["c"]] == found.tolist()
    else:
        assert np.isnan(found).all()
    for j, wins in enumerate(case["doubled_wins_of_case"]):
        assert counted(time, event, scores[f"model {j}"]) == (
            wins,
            case["pairs_of_case"],
            case["pairs"],
        )
    for name, tau in (("uno", None), ("uno_tau", case["horizon"])):
        if case.get(name):
            found = fc.concordance(time, event, scores, method="uno", tau=tau)
            wanted = [c for _, c in case[name]["value"]]
            np.testing.assert_allclose(found, wanted, rtol=1e-14)


@pytest.mark.parametrize("case", SURVIVAL, ids=lambda case: case["name"])
def test_survival_of_r_has_the_same_concordance(case):
    """R survival 3.5.3, concordance(reverse=TRUE, influence=1): concordance_survival.json."""
    found = fc.concordance(case["time"], case["event"], case["scores"])
    np.testing.assert_allclose(found, case["harrell"]["concordance"], rtol=1e-12)
    for name, tau in (("uno_weights_fixed", None), ("uno_weights_fixed_ymax", "tau")):
        if case.get(name):
            options = {"method": "uno", "tau": tau and float(np.nextafter(case["tau"], np.inf))}
            found = fc.concordance(case["time"], case["event"], case["scores"], **options)
            np.testing.assert_allclose(found, case[name]["concordance"], rtol=1e-9)


@given(case=timed_cases(), weights=st.lists(st.integers(1, 5), min_size=12, max_size=12))
def test_weights_and_tau_equal_the_definition_in_concordance(case, weights):
    time, event, score, _ = case
    weights = weights[: len(time)]
    for uno, tau in ((False, None), (True, None), (True, 4.5), (False, 4.5)):
        wanted = reference.concordance(time, event, score, uno=uno, tau=tau, weights=weights)
        found = fc.concordance(
            time,
            event,
            score,
            tau=tau,
            method="uno" if uno else "harrell",
            sample_weight=weights,
            on_undefined="ignore",
        )
        assert (wanted is None) == bool(np.isnan(found))
        assert wanted is None or found == pytest.approx(float(wanted.value), rel=1e-13)


@given(case=timed_cases(), seed=st.integers(0, 99))
def test_order_of_cases_and_monotone_scores_change_nothing_in_concordance(case, seed):
    time, event, score, _ = map(np.array, case)
    place = np.random.default_rng(seed).permutation(time.size)
    for method in ("harrell", "uno"):
        quiet = {"method": method, "on_undefined": "ignore"}
        found = fc.concordance(time, event, score, **quiet)
        moved = fc.concordance(time[place], event[place], np.exp(score[place] / 3.0), **quiet)
        np.testing.assert_equal(moved, found)
        np.testing.assert_equal(
            fc.concordance(time, event, -score, predicts="time", **quiet), found
        )
        opposite = fc.concordance(time, event, -score, **quiet)
        np.testing.assert_allclose(opposite, 1.0 - found, rtol=1e-12, atol=1e-15)


@given(case=timed_cases())
def test_without_censoring_it_is_somers_d_in_concordance(case):
    time, _, score, _ = case
    assume(len(set(time)) > 1 and len(set(score)) > 1)
    somers = stats.somersd(time, score).statistic  # of scores given the times
    found = fc.concordance(time, np.ones(len(time), bool), score)
    assert found == pytest.approx((1.0 - somers) / 2.0, abs=1e-12)


@given(case=timed_cases())
def test_a_binary_outcome_gives_the_auc_to_the_bit(case):
    _, event, score, _ = case
    assume(0 < sum(event) < len(event))
    time = [1 if seen else 2 for seen in event]
    assert fc.concordance(time, event, score) == fc.roc_auc(event, score)
    assert fc.concordance(time, event, score, method="uno") == fc.roc_auc(event, score)


@pytest.mark.parametrize(
    ("time", "event"), [([1, 2, 3], [0, 0, 0]), ([1, 2, 3], [0, 0, 1]), ([1, 1, 1], [1, 1, 1])]
)
def test_without_a_pair_it_is_undefined_in_concordance(time, event):
    with pytest.warns(fc.UndefinedResultWarning, match="no_pairs"):
        assert np.isnan(fc.concordance(time, event, [1, 2, 3]))
    with pytest.raises(fc.UndefinedResultError):
        fc.concordance(time, event, [1, 2, 3], on_undefined="raise")


def test_one_model_gives_a_number_and_a_table_an_array_in_concordance():
    time, event = [1, 2, 3], [1, 1, 0]
    assert fc.concordance(time, event, [3, 2, 1]) == 1.0
    assert fc.concordance(time, event, {"a": [3, 2, 1], "b": [1, 2, 3]}).tolist() == [1.0, 0.0]


@pytest.mark.slow
def test_a_million_cases_agree_with_a_count_of_runs_in_concordance():
    n = 10**6
    rng = np.random.default_rng(0)
    time, event = rng.integers(0, 50, n).astype(float), rng.random(n) < 0.4
    score = rng.integers(0, 40, n).astype(float)
    table = np.zeros((2, 50, 40))
    np.add.at(table, (event.astype(int), time.astype(int), score.astype(int)), 1)
    later = table.sum(axis=0)[::-1].cumsum(axis=0)[::-1] - table[1]  # at risk after the events
    below = np.cumsum(later, axis=1)
    won = (table[1] * (2 * below - later)).sum()
    total = (table[1].sum(axis=1) * later.sum(axis=1)).sum()
    assert fc.concordance(time, event, score) == won / (2 * total)
