"""The rule for failures that a sample may lack, against its definition."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from fastcompare._inference.unseen import (
    allowed_failures,
    probability_of_at_most,
    smallest_unexplained_lead,
    unseen_failures,
)


def definition(estimate, distances, units, alternative, margin):
    """The share of failures and the probability that none of the units is one, in fractions."""
    leads = Fraction(estimate) + Fraction(margin), Fraction(margin) - Fraction(estimate)
    shares = [
        min(max(lead / Fraction(distance), 0), 1)
        for lead, distance in zip(leads, distances, strict=True)
    ]
    share = {"greater": shares[0], "less": shares[1], "two-sided": max(shares)}.get(
        alternative, min(shares)
    )
    return float(share), float((1 - share) ** units)


@given(
    a=st.integers(1, 64),
    b=st.integers(1, 64),
    units=st.integers(1, 50),
    alternative=st.sampled_from(["two-sided", "greater", "less", "equivalence"]),
    margin=st.sampled_from([0.0, 0.25]),
)
def test_unseen_failures_are_the_definition(a, b, units, alternative, margin):
    margin = 0.0 if alternative == "two-sided" else margin
    measures = a / 64, b / 64
    found = unseen_failures(measures[0] - measures[1], measures, units, alternative, margin)
    share, probability = definition(measures[0] - measures[1], measures, units, alternative, margin)
    assert_allclose(found.share, share)
    assert_allclose(found.probability, probability, atol=1e-300)


def test_unseen_failures_explain_only_significant_results_of_few_units():
    few = unseen_failures(0.07, (0.97, 0.9), 30, "two-sided")
    assert_allclose(few.probability, (1 - 0.07 / 0.97) ** 30)
    assert few.explain(0.03)
    assert not few.explain(0.2)
    assert not few._replace(units=100).explain(0.03)


def test_the_sentence_of_unseen_failures_has_share_units_and_probability():
    names = ("the first model", "the second model")
    found = unseen_failures(-0.07, (0.9, 0.97), 30, "two-sided")
    assert found.sentence(names, "positive cases") == (
        "A failure of the second model in 7.2% of positive cases, none of them among these 30, "
        "would explain the difference (probability 0.11); the interval does not allow for it."
    )
    assert "these 12.3 effective ones," in found._replace(units=12.34).sentence(names, "items")
    assert "its lead over the first model (" in found.sentence(names, "items", lead=True)


@given(share=st.fractions(0, 1, max_denominator=50), units=st.integers(3, 60))
@pytest.mark.parametrize("allowed", [0, 2])
def test_probability_of_few_failures_is_the_binomial_sum(share, units, allowed):
    terms = [
        math.comb(units, j) * share**j * (1 - share) ** (units - j) for j in range(allowed + 1)
    ]
    found = probability_of_at_most(float(share), units, float(allowed))
    assert_allclose(found, float(sum(terms)), rtol=1e-9, atol=1e-300)


def test_corrections_allow_for_two_failures_of_thirty_cases_and_more():
    assert allowed_failures(np.array([2, 29, 29.5, 30, 1000])).tolist() == [0, 0, 0, 2, 2]


@given(distance=st.floats(0.1, 1.0), units=st.integers(3, 1000), alpha=st.floats(1e-6, 0.5))
@pytest.mark.parametrize("allowed", [0.0, 2.0])
def test_least_unexplained_lead_is_the_inverse_of_the_probability(distance, units, alpha, allowed):
    lead = smallest_unexplained_lead(distance, units, alpha, allowed)
    failures = unseen_failures(lead, (distance, 1.0), units, "greater")
    found = probability_of_at_most(failures.share, units, allowed)
    assert_allclose(found, alpha, rtol=1e-6)
