"""What must contain of any battles: laws, the border of finite estimates, and refused inputs."""

import itertools
import math

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import fastcompare as fc
from fastcompare._inputs.battles import Design
from fastcompare.items._battle_model import Counts, outcome_constraints, parameter_layout
from tests.items.test_battles import drawn

FLIPPED = {"a": "b", "b": "a", "tie": "tie"}
OUTCOMES = ("a", "b", "tie")
A, B, WHO = ["x", "y", "x", "y"], ["y", "x", "y", "x"], ["a", "a", "b", "tie"]


@st.composite
def battles(draw):
    """Battles of up to 4 models, few enough for strengths that do not exist."""
    k = draw(st.integers(2, 4))
    pairs = st.tuples(st.integers(0, k - 1), st.integers(1, k - 1), st.sampled_from(OUTCOMES))
    rows = draw(st.lists(pairs, min_size=1, max_size=25))
    i, gap, outcome = zip(*rows, strict=True)
    j = [(one + more) % k for one, more in zip(i, gap, strict=True)]
    return [f"m{one}" for one in i], [f"m{one}" for one in j], list(outcome)


OPTIONS = {
    "ties": st.sampled_from(["davidson", "half"]),
    "order_effect": st.booleans(),
}


@pytest.mark.slow
@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="many small fits")
@settings(deadline=None, max_examples=30)
@given(rows=battles(), options=st.fixed_dictionaries(OPTIONS), seed=st.integers(0, 9))
def test_swaps_permutations_and_repeats_change_what_they_must_in_bradley_terry(rows, options, seed):
    options |= {"on_undefined": "ignore"}
    a, b, outcome = rows
    result = fc.bradley_terry(a, b, outcome, **options)
    swapped = fc.bradley_terry(b, a, [FLIPPED[o] for o in outcome], **options)
    assert swapped.status == result.status
    assert_allclose(swapped.strengths, result.strengths, atol=1e-8)
    if options["order_effect"]:
        assert_allclose(swapped.order_effect, -result.order_effect, atol=1e-8)
    order = np.random.default_rng(seed).permutation(len(a))
    mixed = fc.bradley_terry(*(np.array(column)[order] for column in rows), **options)
    assert_allclose(mixed.strengths, result.strengths, atol=1e-8)
    assert_allclose(mixed.standard_error, result.standard_error, rtol=1e-6, atol=1e-9)
    twice = fc.bradley_terry(*(2 * column for column in rows), **options)
    counted = fc.bradley_terry(*rows, frequency_weight=np.full(len(a), 2), **options)
    assert twice.status == result.status
    assert_allclose(twice.strengths, result.strengths, atol=1e-8)
    assert_allclose(twice.covariance, result.covariance / 2.0, rtol=1e-6, atol=1e-9)
    assert_allclose(counted.covariance, twice.covariance, rtol=1e-6, atol=1e-9)
    assert (counted.n, counted.n_ties) == (twice.n, twice.n_ties)


def test_weights_of_one_size_change_nothing_and_those_of_zero_drop_rows_in_bradley_terry():
    i, j, outcome = drawn(200, 3, seed=1)
    robust = fc.bradley_terry(i, j, outcome, method="sandwich")
    weighted = fc.bradley_terry(i, j, outcome, sample_weight=np.full(200, 7.0))
    assert_allclose(weighted.covariance, robust.covariance, rtol=1e-9)
    for size in (1e-300, 1e300):
        far = fc.bradley_terry(i, j, outcome, sample_weight=np.full(200, size))
        assert_allclose(far.covariance, robust.covariance, rtol=1e-9)
    single = fc.bradley_terry(i, j, outcome, groups=np.arange(200), method="cr1")
    assert_allclose(single.covariance, robust.covariance * 200 / 199, rtol=1e-9)
    nothing = np.r_[np.ones(200), 0.0]
    extra = (np.r_[i, 7], np.r_[j, 8], np.r_[outcome, 1.0])
    assert fc.bradley_terry(*extra, sample_weight=nothing).names == robust.names


@pytest.mark.slow
@pytest.mark.parametrize("ties", ["davidson", "half"])
def test_few_and_many_clusters_are_summed_alike_in_bradley_terry(ties, monkeypatch):
    i, j, outcome = drawn(400, 6, seed=11)
    options = {"groups": np.arange(400) % 40, "ties": ties, "order_effect": True, "method": "cr1"}
    dense = fc.bradley_terry(i, j, outcome, **options)
    monkeypatch.setattr("fastcompare.items._battle_fit.DENSE_CELLS_PER_SCORE", 0)
    few = fc.bradley_terry(i, j, outcome, **options)
    assert_allclose(few.covariance, dense.covariance, rtol=1e-9, atol=1e-15)
    assert_allclose(few.order_effect_standard_error, dense.order_effect_standard_error, rtol=1e-9)
    monkeypatch.setattr("fastcompare.items._battle_fit.MOST_NUMBERS", 0)
    large = fc.bradley_terry(i, j, outcome, **options | {"method": "auto"})
    assert_allclose(large.covariance, dense.covariance, rtol=1e-9, atol=1e-15)
    assert_allclose(large.df, 39.0)


@pytest.mark.slow
def test_many_names_are_numbered_as_few_are_in_bradley_terry():
    i, j, outcome = drawn(20_000, 30, seed=2)
    names = np.array([f"model {one:02d}" for one in range(30)])
    words = np.array(["b", "tie", "a"])[(2 * outcome).astype(int)]
    found = fc.bradley_terry(names[i], names[j], words, groups=names[(i + j) % 30])
    want = fc.bradley_terry(i, j, outcome, groups=(i + j) % 30, models=[str(m) for m in range(30)])
    assert found.names == tuple(names)
    assert_allclose(found.strengths, want.strengths, rtol=1e-12)
    assert_allclose(found.covariance, want.covariance, rtol=1e-12)


def can_grow(cells, *, order):
    """Whether a direction keeps all that was seen of two models the likeliest, however far it goes.

    Of the gap of strengths, twice log nu and the order; whole numbers up to 2 are enough.
    """
    seen = np.array(cells).reshape(2, 3)  # won, lost, tied by the one shown first
    steps = range(-2, 3)
    directions = itertools.product(
        steps, steps if seen[:, 2].any() else (0,), steps if order else (0,)
    )
    for gap, tie, first in directions:
        gains = [(x, -x, tie) for x in (gap + first, first - gap)]
        outcomes = 3 if seen[:, 2].any() else 2
        best = all(
            gain[o] == max(gain[:outcomes])
            for gain, happened in zip(gains, seen, strict=True)
            for o in np.flatnonzero(happened)
        )
        if best and (gap, tie, first) != (0, 0, 0):
            return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("order", [False, True])
def test_the_border_of_finite_estimates_is_found_in_bradley_terry(order):
    for cells in itertools.product((0, 1), repeat=6):
        if not any(cells):
            continue
        at = np.flatnonzero(cells)
        a, b = np.array(["x", "y"])[at // 3], np.array(["y", "x"])[at // 3]
        outcome = np.array(["a", "b", "tie"])[at % 3]
        result = fc.bradley_terry(a, b, outcome, order_effect=order, on_undefined="ignore")
        assert (result.status != "ok") == can_grow(cells, order=order), cells


def test_a_circle_of_three_bounds_ties_and_order_in_bradley_terry():
    circle = (list("xyz"), list("yzx"), list("aaa"))
    ties = (list("xyz"), list("yzx"), ["tie"] * 3)
    both = [one + other for one, other in zip(circle, ties, strict=True)]
    assert_allclose(fc.bradley_terry(*circle).strengths, 0.0, atol=1e-12)
    assert fc.bradley_terry(*both).status == "ok"
    assert fc.bradley_terry(*ties, on_undefined="ignore").status == "no_finite_estimate"
    assert_allclose(fc.bradley_terry(*ties, ties="half").strengths, 0.0, atol=1e-12)


def test_models_apart_are_named_in_bradley_terry():
    with pytest.warns(
        fc.UndefinedResultWarning, match=r"\{top\} never lost or tied against the others"
    ):
        result = fc.bradley_terry(["top", "x", "y"], ["x", "y", "x"], [1, 1, 1])
    assert result.components == (("top",), ("x", "y"))
    assert result.reaches == {"top": ("x",), "x": ()}
    assert "not_connected" in result.summary()
    assert np.isnan(result.pairwise().pvalue).all()
    with pytest.raises(fc.UndefinedResultError, match=r"no battle joins \{a, b\} and \{c, d\}"):
        fc.bradley_terry(list("abcd"), list("badc"), [1, 1, 1, 1], on_undefined="raise")


def test_few_clusters_are_said_in_bradley_terry():
    with pytest.warns(fc.SmallSampleWarning, match="few_clusters"):
        few = fc.bradley_terry(A, B, WHO, groups=[1, 1, 2, 2])
    assert (few.status, few.n_groups) == ("few_clusters", 2)
    assert_allclose(few.df, 1.0)
    half = np.r_[np.zeros(50), 1.0 + np.arange(50) // 5]
    i, j, outcome = drawn(100, 2, seed=5)
    with pytest.warns(fc.SmallSampleWarning, match="few_clusters"):
        assert fc.bradley_terry(i, j, outcome, groups=half, method="cr1").df == 10.0
    with pytest.warns(fc.SmallSampleWarning, match="few_clusters"):
        assert fc.bradley_terry(i, j, outcome, groups=half).df < 4.0
    with pytest.warns(fc.UndefinedResultWarning, match="too_few_clusters"):
        one = fc.bradley_terry(A, B, WHO, groups=[1, 1, 1, 1])
    assert np.isfinite(one.strengths).all()
    assert np.isnan(one.standard_error).all()
    assert np.isnan(one.pairwise(correction="none").pvalue).all()


def test_codings_of_outcomes_are_one_in_bradley_terry():
    want = fc.bradley_terry(A, B, WHO).strengths
    arena = ["model_a", "model_a", "model_b", "tie (bothbad)"]
    for outcome in (arena, [1, 1, 0, 0.5], np.array([1, 1, 0, 0.5], np.float32)):
        assert_allclose(fc.bradley_terry(A, B, outcome).strengths, want)
    won = fc.bradley_terry(A, B, [True, True, False, False])
    assert_allclose(won.strengths, fc.bradley_terry(A, B, [1, 1, 0, 0]).strengths)
    missing = [1, 1, 0, math.nan]
    with pytest.warns(fc.DroppedCasesWarning, match="1 of 4 battles"):
        left = fc.bradley_terry(A, B, missing, nan_policy="omit")
    assert (left.n, left.n_dropped) == (3, 1)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"outcome": [1, 1, -1, 0]},
            r"`outcome` must contain 'a', .* got -1, 0, 1.*\(outcome \+ 1\) / 2",
        ),
        ({"outcome": [1, 2, 1, 2]}, r"`outcome` .* pass 2 - outcome"),
        ({"outcome": ["x", "y", "x", "y"]}, r"`outcome` .* outcome == model_a"),
        ({"outcome": [1, 1, 0]}, "`outcome` must have a value for each of the 4 battles"),
        ({"outcome": [1, 1, 0, math.nan]}, "`outcome` has 1 missing value .*index 3"),
        (
            {"model_b": A},
            "`model_b` must be another model .* 'x' with itself, the first at index 0",
        ),
        ({"model_b": [1, 2, 1, 2]}, "`model_b` contains numbers and `model_a` strings"),
        ({"ties": "bradley"}, "`ties` must be one of 'davidson', 'half'"),
        ({"order_effect": "yes"}, "`order_effect` must be True or False"),
        ({"models": ["x", "z"]}, "`models` must name every model of a battle; 'y' is missing"),
        ({"models": ["x", "y", "x"]}, "`models` must name each model once, got 'x' twice"),
        ({"models": "xy"}, "`models` must be a list of names"),
        ({"anchor": "z"}, "`anchor` must be one of the models, got 'z'"),
        (
            {"sample_weight": [1, 1, 1]},
            "`sample_weight` must have one value for each of the 4 battles",
        ),
        ({"sample_weight": [0, 0, 0, 0]}, "all of them have weight 0"),
        ({"sample_weight": [1, 1, 1, -1]}, "`sample_weight` must contain finite weights"),
        ({"frequency_weight": [1, 1, 1, 0.5]}, "`frequency_weight` must contain whole numbers"),
        (
            {"groups": [1, 2, 3, 4], "method": "model"},
            "`method='model'` assumes independent battles",
        ),
        ({"method": "cr1"}, "`method='cr1'` is a cluster-robust sandwich: pass `groups`"),
        ({"outcome": ["tie"] * 4, "ties": None}, "all are ties"),
    ],
)
def test_senseless_battles_are_refused_in_bradley_terry(changed, message):
    given = {"model_a": A, "model_b": B, "outcome": WHO} | changed
    with pytest.raises(fc.FastCompareError, match=message):
        fc.bradley_terry(**given)


def test_nothing_of_the_callers_is_changed_in_bradley_terry():
    i, j, outcome = drawn(50, 3, seed=7)
    weights, groups = np.ones(50), np.arange(50) % 5
    given = [i, j, outcome, weights, groups]
    held = [one.copy() for one in given]
    for one in given:
        one.setflags(write=False)
    fc.bradley_terry(i, j, outcome, sample_weight=weights, groups=groups).to_dict()
    for one, before in zip(given, held, strict=True):
        assert (one == before).all()


@pytest.mark.parametrize("order", [False, True])
@pytest.mark.parametrize("ties", ["davidson", "half", None])
def test_directions_are_the_gradients_of_ratios_of_chances(ties, order):
    """Of what was seen to what was not: P(won) ~ exp(x / 2), P(lost) ~ exp(-x / 2), P(tied) ~ nu.

    x is the first strength less the second's, and the advantage of being shown first; half a tie is
    a win and a loss of half a battle, of chance 1 here.
    """
    rng = np.random.default_rng(3)
    counts = rng.integers(0, 2, (3, 3, 3)) * (1 - np.eye(3, dtype=int))
    counts[2] *= ties is not None
    table, design = Counts(*counts.astype(float)), Design(ties, order, "model")
    family = parameter_layout(table, design)

    def log_chance(outcome, first, second, parameters):
        x = parameters[first] - parameters[second] + parameters[4] * order
        tied = parameters[3] if family.ties else 0.0
        return (0.5 * x, -0.5 * x, tied)[outcome]

    chosen = [*range(1, 3), *[3] * family.ties, *[4] * order]
    want = []
    for outcome, first, second in np.argwhere(counts):
        for other in {0, 1, *[2] * family.ties} - {outcome}:
            ratios = [
                log_chance(outcome, first, second, e) - log_chance(other, first, second, e)
                for e in np.eye(5)[chosen]
            ]
            want.append(ratios)
    found = outcome_constraints(table, design, family).toarray()
    assert sorted(found.tolist()) == sorted(want)
