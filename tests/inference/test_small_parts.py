"""Small parts of inference by brute force: circles of wins, selection, ranks, words of status."""

import itertools
import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fastcompare as fc
from fastcompare._inference.rank_sets import marginal_rank_set
from fastcompare._inference.status import STATUSES, warn_status
from fastcompare._inference.winners import selection_bounds
from fastcompare.items._battle_model import contains_circle


def has_circle(most, rest):
    """Whether two edges of `most` are a circle, alone or with a third edge, by trying them all."""
    k = len(most)
    for i, j in itertools.permutations(range(k), 2):
        if most[i, j] and most[j, i]:
            return True
        for h in set(range(k)) - {i, j}:
            if most[i, j] and most[j, h] and (most[h, i] or rest[h, i]):
                return True
    return False


def test_contains_circle_finds_the_circles_that_there_are():
    rng = np.random.default_rng(0)
    found = []
    for _ in range(300):
        most, rest = rng.random((2, 4, 4)) < 0.18
        np.fill_diagonal(most, False)
        np.fill_diagonal(rest, False)
        found.append(contains_circle(most, rest))
        assert found[-1] == has_circle(most, rest)
    assert 0.1 < np.mean(found) < 0.9


def first_loss(estimates, covariance, sign):
    """How many errors the first estimate moves until another leads, in small steps."""
    error = np.sqrt(covariance[0, 0])
    for steps in np.arange(0.0, 8.0, 1e-3):
        moved = estimates + sign * steps * covariance[:, 0] / error
        if np.max(moved[1:]) > moved[0]:
            return steps
    return np.inf


@pytest.mark.usefixtures("requires_jit")
def test_the_selection_ends_where_another_estimate_takes_the_lead():
    rng = np.random.default_rng(1)
    ends = []
    for _ in range(60):
        root = rng.normal(size=(4, 4)) * [[1.0], [2.0], [0.5], [3.0]]
        covariance, estimates = root @ root.T, rng.normal(size=4)
        estimates[0] = estimates.max() + 0.3
        down, up = selection_bounds(estimates, covariance)
        for bound, sign in ((-down, -1.0), (up, 1.0)):
            reached = first_loss(estimates, covariance, sign)
            assert bound > 8.0 if np.isinf(reached) else abs(bound - reached) < 2e-3
            ends.append(np.isfinite(reached))
    assert 10 < sum(ends) < 110


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("holm", [False, True])
def test_a_rank_leaves_out_what_far_differences_decide(alternative, holm):
    covariance = np.eye(6)
    estimates = np.array([0.0, 90.0, 80.0, -70.0, -60.0, -50.0])
    z = (estimates[0] - estimates) / np.sqrt(2.0)
    low, high = marginal_rank_set(z, covariance, 0, 0.05, alternative, holm=holm)
    assert (low, high) == {"two-sided": (3, 3), "greater": (1, 3), "less": (3, 6)}[alternative]


APPROXIMATE = next(w for w, s in STATUSES.items() if s.category is fc.SmallSampleWarning)
UNDEFINED = next(w for w, s in STATUSES.items() if s.category is fc.UndefinedResultWarning)
HEARD = {  # a status, what the user asked for, and what happens
    ("ok", "raise"): None,
    (APPROXIMATE, "warn"): fc.SmallSampleWarning,
    (APPROXIMATE, "raise"): fc.SmallSampleWarning,
    (APPROXIMATE, "ignore"): None,
    (UNDEFINED, "warn"): fc.UndefinedResultWarning,
    (UNDEFINED, "ignore"): None,
}


@pytest.mark.parametrize("case", HEARD)
def test_a_status_warns_unless_that_is_switched_off(case):
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        warn_status(*case)
    assert [warning.category for warning in heard] == [HEARD[case]][: HEARD[case] is not None]


def test_only_what_is_undefined_is_an_error_on_request():
    with pytest.raises(fc.UndefinedResultError, match=UNDEFINED):
        warn_status(UNDEFINED, "raise")


@pytest.mark.parametrize("scale", [1e-3, 1e3])
def test_skewed_pairs_have_the_same_p_values_at_any_scale(scale):
    scores = np.random.default_rng(5).lognormal(size=(25, 3)) * [1.0, 1.4, 2.0]
    one, other = (fc.mean_pairwise_test(scores * by, on_undefined="ignore") for by in (1.0, scale))
    assert_allclose(one.pvalue, other.pvalue, rtol=1e-9)


def test_recommend_says_how_many_rows_there_are():
    rows = {name: [0.5 + 0.01 * i * j for i in range(12)] for j, name in enumerate("abc", 1)}
    assert "12 data sets" in str(fc.recommend(rows, kind="datasets"))
