"""A result of two models, or of all pairs, decides gates by its own intervals."""

from itertools import product

import numpy as np
import pytest

import fastcompare as fc
from fastcompare._base.exceptions import FastCompareError
from fastcompare._inputs.plans.questions import GATES
from fastcompare._results.gate import GateResult
from fastcompare._results.pairs import PairsResult
from tests.shared.every_call import CALLS, called

OPTIONS = {"permutation_auc_test": {"method": "studentized"}}
NO_DECISION = {"net_benefit_test", "spiegelhalter_test"}  # many thresholds; one model
WITHOUT_DIFFERENCES = {"compare", "leaderboard"}  # intervals of their own
A = np.arange(30) % 7 / 7.0
B = A + 0.2 + np.arange(30) % 3 / 50.0


def pairs_of(result):
    """Return the pairs of models of a result."""
    return result.pairs if isinstance(result, PairsResult) else (result.names,)


def by_definition(result, gate, margin, lower, model):
    """Whether a model passes, by intervals of its differences from all others."""
    joint = {"simultaneous": True} if isinstance(result, PairsResult) else {}
    level = 0.9 if gate == "not-noninferior" else 0.95
    limits = np.atleast_2d(np.transpose(result.confidence_interval(level, **joint)))
    passed = []
    for pair, (low, high) in zip(pairs_of(result), limits, strict=True):
        if model in pair:
            ends = (low, high) if (pair[0] == model) != lower else (-high, -low)
            passes = {"worse": ends[1] >= 0.0, "not-better": ends[0] > 0.0}
            passed.append(passes.get(gate, ends[0] > -margin))
    assert passed
    return all(passed)


@pytest.mark.parametrize("name", sorted({*CALLS} - WITHOUT_DIFFERENCES))
def test_gate_decides_as_the_intervals_of_a_result_do(name):
    result = called(name, **OPTIONS.get(name, {}))
    names = tuple(map(str, getattr(result, "names", ())))
    compares = len(names) > 1 and hasattr(result, "alternative") and result._has_interval
    is_gate = hasattr(result, "gate")
    assert is_gate == compares or name in NO_DECISION
    lower = not getattr(result, "higher_is_better", True)
    for gate, model in product(GATES, names if is_gate else ()):
        margin = 0.01 if gate == "not-noninferior" else 0.0
        decision = result.gate(gate, model=model, margin=margin)
        assert (
            decision.passed == bool(decision) == by_definition(result, gate, margin, lower, model)
        )
        assert decision.other in names
        assert decision.simultaneous == (sum(model in pair for pair in pairs_of(result)) > 1)


@pytest.mark.parametrize("lower", [True, False])
def test_gate_takes_the_direction_that_a_result_of_means_lacks(lower):
    result = fc.paired_mean_test({"a": A, "b": B})
    assert result.gate("not-better", higher_is_better=not lower).passed == lower
    assert result.gate("worse", model="b", higher_is_better=not lower).passed != lower


def test_gate_asks_for_ends_that_a_one_sided_interval_lacks():
    for alternative, gate, lower in (
        ("greater", "worse", False),
        ("less", "not-better", False),
        ("less", "worse", True),
        ("greater", "not-noninferior", True),
    ):
        result = fc.paired_mean_test({"a": A, "b": B}, alternative=alternative, margin=0.0)
        options = {"margin": 0.1, "higher_is_better": not lower}
        with pytest.raises(fc.InvalidValueError, match="leaves open") as raised:
            result.gate(gate, **options)
        assert raised.value.parameter == "alternative"
        assert result.gate(gate, **options | {"model": "b"}).other == "a"


def test_a_comparison_gates_as_its_result_does():
    comparison = fc.compare({"a": A, "b": B, "c": B[::-1]}, kind="items")
    for gate in ("worse", "not-better"):
        decisions = comparison.gate(gate, model="b"), comparison.result.gate(gate, model="b")
        assert isinstance(decisions[0], GateResult)
        assert decisions[0].to_dict() == decisions[1].to_dict()


@pytest.mark.parametrize(
    ("options", "parameter"),
    [
        ({"fail_if": "wors"}, "fail_if"),
        ({"fail_if": "worse", "model": "z"}, "model"),
        ({"fail_if": "worse", "margin": -1.0}, "margin"),
        ({"fail_if": "not-noninferior"}, "fail_if"),
        ({"fail_if": "worse", "confidence_level": 95}, "confidence_level"),
        (
            {"fail_if": "not-noninferior", "margin": 0.1, "confidence_level": 0.5},
            "confidence_level",
        ),
        ({"fail_if": "worse", "higher_is_better": "no"}, "higher_is_better"),
    ],
)
def test_gate_refuses_what_does_not_go_together(options, parameter):
    with pytest.raises(FastCompareError) as raised:
        fc.paired_mean_test({"a": A, "b": B}).gate(**options)
    assert raised.value.parameter == parameter
    shown = options[parameter] if parameter in options and parameter != "fail_if" else ""
    assert str(shown) in str(raised.value)  # as it was passed


def test_gate_refuses_a_result_without_differences_of_models():
    one_model = called("spiegelhalter_test")
    exchanged = called("permutation_auc_test", method="auc")
    for result in (one_model, exchanged):
        with pytest.raises(fc.InvalidValueError, match="needs the confidence intervals") as raised:
            result.gate("worse")
        assert raised.value.parameter == "gate"


@pytest.mark.parametrize("gate", GATES)
def test_gate_claims_nothing_of_an_undefined_difference(gate):
    result = fc.paired_mean_test([1.0], [0.0], on_undefined="ignore")
    decision = result.gate(gate, margin=0.1 if gate == "not-noninferior" else 0.0)
    assert not decision.passed
    assert "cannot be compared with" in decision.summary()
