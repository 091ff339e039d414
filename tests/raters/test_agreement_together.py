"""All measures of how alike two models err at once, by formula and by bootstrap."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal, assert_equal

import fastcompare as fc
from tests.shared.agreement_measures import SINGLE, T


def test_agreement_is_all_single_functions():
    found = fc.agreement(T)
    for measure, function in SINGLE.items():
        single = function(T)
        assert_equal({**single.to_dict(), **getattr(found, measure).to_dict()}, single.to_dict())
    assert found.accuracy.tolist() == [0.875, 0.825]
    assert (found.n, found.status, found.seed) == (200, "ok", None)
    assert found.to_dict()["yule_q"]["estimate"] == 0.6
    assert "0.2195 (0.0589 to 0.3911)" in found.summary()
    assert "0.2195 (0.0589 to 0.3911)" in str(found)


def test_agreement_warns_once_for_each_reason():
    with pytest.warns(fc.UndefinedResultWarning) as caught:
        found = fc.agreement([[5, 3], [0, 0]])
    texts = [str(warning.message) for warning in caught]
    assert sorted(text.split(":")[0] for text in texts) == ["constant_answers", "empty_cell"]
    assert sum("(correlation of errors)" in text for text in texts) == 1  # kappa is 0
    assert {warning.filename for warning in caught} == {__file__}
    assert found.cohen_kappa.status == "one_answer"


@pytest.mark.slow
def test_the_bootstrap_redraws_cases_in_agreement():
    """Percentiles and errors as of indices drawn with replacement, by the slow definition."""
    rng = np.random.default_rng(3)
    cells = np.repeat(np.arange(4), np.ravel(T))
    drawn = rng.choice(cells, (20_000, cells.size))
    counts = [(drawn == cell).sum(axis=1) for cell in range(4)]
    a, b, c, d = np.array(counts, float)
    slow = {"yule_q": (a * d - b * c) / (a * d + b * c), "disagreement": (b + c) / cells.size}
    found = fc.agreement(T, method="bootstrap", n_resamples=19_999, rng=5)
    for measure, values in slow.items():
        result = getattr(found, measure)
        assert_allclose(result.standard_error, values.std(), rtol=0.03)
        want = np.quantile(values, [0.025, 0.975])
        assert_allclose(result.confidence_interval(), want, atol=0.02)
        assert result.method == found.method == "bootstrap"


@pytest.mark.slow
def test_the_bootstrap_of_many_cases_is_the_delta_method_in_agreement():
    table = 1000 * np.array(T)
    slow = fc.agreement(table, method="bootstrap", rng=7)
    fast = fc.agreement(table)
    for measure in SINGLE:
        one, other = getattr(slow, measure), getattr(fast, measure)
        assert one.estimate == other.estimate
        assert_allclose(one.standard_error, other.standard_error, rtol=0.03)
        assert_allclose(one.confidence_interval(), other.confidence_interval(), atol=3e-4)


def test_the_seed_decides_the_bootstrap_alone_in_agreement():
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    first, again, other = (
        fc.agreement(T, method="bootstrap", n_resamples=99, rng=rng).to_dict() for rng in (1, 1, 2)
    )
    assert first == again
    assert first["yule_q"] != other["yule_q"]
    assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002


@pytest.mark.parametrize(
    ("table", "n_resamples", "measure", "word"),
    [
        ([[20, 5], [4, 0]], 999, "double_fault", "equal_replicates"),
        (T, 1, "yule_q", "too_few_resamples"),
        ([[20, 5], [4, 0]], 999, "yule_q", "empty_cell"),
        ([[20, 0], [0, 4]], 999, "correlation", "perfect_agreement"),
    ],
)
def test_where_the_bootstrap_says_nothing_there_is_no_interval(table, n_resamples, measure, word):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = fc.agreement(table, method="bootstrap", n_resamples=n_resamples, rng=0)
    assert any(str(warning.message).startswith(f"{word}:") for warning in caught)
    result = getattr(found, measure)
    assert result.status == word
    assert np.isnan(result.confidence_interval()).all()


def test_what_agreement_refuses():
    with pytest.raises(ValueError, match="Did you mean 'bootstrap'"):
        fc.agreement(T, method="boot")
    with pytest.raises(ValueError, match="`n_resamples`"):
        fc.agreement(T, method="bootstrap", n_resamples=0)
    with pytest.raises(TypeError, match="RandomState"):
        fc.agreement(T, method="bootstrap", rng=np.random.RandomState(0))


def test_pairs_that_disagree_equally_are_not_ranked_in_agreement_matrix():
    y = [1, 0] * 10
    table = {"p": y, "q": [1, 1] * 10, "r": [1, 0] * 5 + [0, 1] * 5}
    result = fc.agreement_matrix(y, table, on_undefined="ignore")
    text = result.summary()
    assert result.cohen_kappa[0, 1:].tolist() == [0.0, 0.0]
    assert "all 3 pairs of models disagree on 50.0%" in text
    assert "similar" not in text
    assert "correlations and Yule's Q are undefined" in text
