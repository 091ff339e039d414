"""The rule for failures that a sample may lack, against its definition."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from fastcompare._inference.unseen import capped, least_unexplained, unseen_failures


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


@pytest.mark.parametrize(("two_sided", "sides"), [(True, 2), (False, 1)])
def test_corrections_are_capped_by_unseen_failures_or_the_standard_test(two_sided, sides):
    found = unseen_failures(np.array([0.3, 0.15]), (0.9, 0.9), 20, "two-sided")
    bound = found.bound(two_sided)
    assert_allclose(bound, sides * np.array([2 / 3, 5 / 6]) ** 20)
    assert_allclose(capped(np.array([0.1, 0.02]), 0.01, bound), [0.01, 0.02])
    assert_allclose(capped(0.1, 0.2, 0.0), 0.1)


@given(st.floats(0.1, 1.0), st.integers(1, 1000), st.floats(1e-6, 0.5))
def test_least_unexplained_lead_is_the_inverse_of_the_probability(distance, units, alpha):
    lead = least_unexplained(distance, units, alpha)
    assert_allclose(unseen_failures(lead, (distance, 1.0), units, "greater").probability, alpha)
