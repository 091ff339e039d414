"""All pairs of models, all measures at once, and what describes all models together."""

import dataclasses
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal, assert_equal

import fastcompare as fc
from tests.reference import agreement as reference
from tests.shared.agreement_measures import SINGLE
from tests.shared.strategies import predicted_cases

DIVERSITY = (
    "entropy",
    "kohavi_wolpert_variance",
    "interrater_kappa",
    "difficulty",
    "generalised_diversity",
)
ROWS = np.array([list(map(int, row)) for row in ("110", "100", "111", "000", "101")])
FEW = settings(max_examples=50, deadline=None)


def named(predicted):
    return {f"model {j}": labels for j, labels in enumerate(predicted)}


def models(k=4, n=200, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    hard = rng.random(n)
    wrong = hard[:, None] + rng.random((n, k)) > rng.uniform(1.2, 1.6, k)
    return y, {f"m{j}": np.where(wrong[:, j], (y + 1) % 3, y) for j in range(k)}


def test_the_documents_diversity_in_agreement_matrix():
    found = fc.agreement_matrix(np.ones(5, int), ROWS, on_undefined="ignore")
    want = 0.6, 0.133333, 0.196429, 0.115556, 0.428571
    assert_allclose([getattr(found, name) for name in DIVERSITY], want, atol=5e-7)


@pytest.mark.slow
@FEW
@given(case=predicted_cases(k=5))
def test_diversity_equals_the_definitions_in_agreement_matrix(case):
    y, *predicted = case
    found = fc.agreement_matrix(y, named(predicted), on_undefined="ignore")
    want = reference.diversity((np.equal(y, predicted).T * 1).tolist())
    for name, value in zip(DIVERSITY, want, strict=True):
        assert_allclose(getattr(found, name), float(value), rtol=1e-14, atol=1e-15)


@pytest.mark.slow
@FEW
@given(case=predicted_cases(k=4))
def test_kohavi_wolpert_variance_is_a_mean_of_disagreements_in_agreement_matrix(case):
    """Kuncheva and Whitaker (2003): KW = (L - 1) / (2 L) mean disagreement."""
    y, *predicted = case
    found = fc.agreement_matrix(y, named(predicted), on_undefined="ignore")
    mean = found.disagreement[np.triu_indices(4, 1)].mean()
    assert_allclose(found.kohavi_wolpert_variance, 3 / 8 * mean, rtol=1e-13, atol=1e-16)


@pytest.mark.parametrize("counts", [(9, 2, 5), (0, 3, 1), (1, 8, 30)])
def test_interrater_kappa_of_two_models_of_equal_accuracy_is_cohens_in_agreement_matrix(counts):
    both, one, none = counts
    a, b = np.repeat([[1, 1, 0, 0], [1, 0, 1, 0]], [both, one, one, none], axis=1)
    found = fc.agreement_matrix(np.ones_like(a), named([a, b]), on_undefined="ignore")
    assert_allclose(found.interrater_kappa, found.cohen_kappa[0, 1], rtol=1e-13)


def test_every_pair_is_what_the_single_functions_say_in_agreement_matrix():
    y, predicted = models()
    matrix = fc.agreement_matrix(y, predicted)
    assert matrix.names == tuple(predicted)
    for measure, function in SINGLE.items():
        errors = matrix.standard_error(measure)
        low, high = matrix.confidence_interval(measure, 0.9)
        assert_array_equal(matrix[measure], matrix[measure].T)
        for i, a in enumerate(predicted.values()):
            for j, b in enumerate(predicted.values()):
                if i == j:
                    continue
                single = function(y, a, b)
                assert_allclose(matrix[measure][i, j], float(single), rtol=1e-15)
                assert_allclose(errors[i, j], single.standard_error, rtol=1e-14)
                assert_allclose(
                    (low[i, j], high[i, j]), single.confidence_interval(0.9), rtol=1e-13
                )
                assert_array_equal(matrix.n11[i, j], single.table[0, 0])


def test_the_diagonal_compares_a_model_with_itself_in_agreement_matrix():
    y, predicted = models()
    matrix = fc.agreement_matrix(y, predicted)
    assert_array_equal(np.diag(matrix.disagreement), 0.0)
    assert_allclose(np.diag(matrix.double_fault), 1 - matrix.accuracy, rtol=1e-14)
    assert_array_equal(np.diag(matrix.cohen_kappa), 1.0)
    assert_allclose(np.diag(matrix.correlation), 1.0, rtol=1e-15)
    assert np.isnan(np.diag(matrix.yule_q)).all()
    assert matrix.status == "ok"


def test_blocks_of_pairs_do_not_matter_in_agreement_matrix(monkeypatch):
    y, predicted = models(k=9)
    whole = fc.agreement_matrix(y, predicted)
    monkeypatch.setattr("fastcompare.raters._several_models.BLOCK_PAIRS", 18)
    assert_equal(fc.agreement_matrix(y, predicted).to_dict(), whole.to_dict())


def test_undefined_pairs_are_nan_and_named_in_agreement_matrix():
    y, predicted = models(k=5)
    predicted["perfect"] = y
    with pytest.warns(fc.UndefinedResultWarning) as every:
        found = fc.agreement_matrix(y, predicted)
    caught = [warning for warning in every if warning.category is fc.UndefinedResultWarning]
    texts = [str(warning.message) for warning in caught]
    assert [text.split(":")[0] for text in texts] == ["constant_answers", "empty_cell"]
    assert texts[0].endswith("(m0 and perfect, m1 and perfect, m2 and perfect and 2 more).")
    assert {warning.filename for warning in caught} == {__file__}
    assert found.status == "constant_answers"
    assert np.isnan(found.correlation[5]).all()
    assert_array_equal(found.cohen_kappa[5, :5], 0.0)
    assert not np.isnan(found.correlation[:5, :5]).any()
    with pytest.raises(fc.UndefinedResultError, match="constant_answers"):
        fc.agreement_matrix(y, predicted, on_undefined="raise")


def test_models_that_are_always_right_have_no_diversity_beyond_chance_in_agreement_matrix():
    found = fc.agreement_matrix([1, 0], named([[1, 0], [1, 0]]), on_undefined="ignore")
    assert math.isnan(found.interrater_kappa)
    assert math.isnan(found.generalised_diversity)
    assert (found.entropy, found.kohavi_wolpert_variance, found.difficulty) == (0, 0, 0)


def test_the_summary_names_the_most_and_the_least_alike_in_agreement_matrix():
    found = fc.agreement_matrix(*models())
    apart = found.disagreement[np.triu_indices(4, 1)]
    text = found.summary()
    assert f"{100 * apart.min():.1f}%" in text.split(";")[0]
    assert f"{100 * apart.max():.1f}%" in text.split(";")[1]
    y, predicted = models(k=2)
    assert "m0 and m1 disagree" in fc.agreement_matrix(y, predicted).summary()


def test_what_the_matrix_refuses_in_agreement_matrix():
    with pytest.raises(ValueError, match="at least two models"):
        fc.agreement_matrix([0, 1], {"a": [0, 1]})
    with pytest.raises(ValueError, match="Did you mean 'yule_q'"):
        fc.agreement_matrix(*models())["yule"]
    with pytest.raises(ValueError, match="`measure`"):
        fc.agreement_matrix(*models()).confidence_interval("kappa")


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(
    arrays(np.int64, st.tuples(st.integers(7, 12), st.integers(2, 4)), elements=st.integers(0, 1))
)
def test_status_says_where_measures_are_undefined_in_agreement_matrix(answers):
    found = fc.agreement_matrix(np.ones(len(answers), int), answers, on_undefined="ignore")
    above = np.triu_indices(answers.shape[1], 1)
    words = {"correlation": "constant_answers", "yule_q": "empty_cell"}
    wanted = [word for name, word in words.items() if np.isnan(found[name][above]).any()]
    assert found.status == (wanted or ["ok"])[0]
    for word in wanted:
        with pytest.warns(fc.UndefinedResultWarning) as warned:
            fc.agreement_matrix(np.ones(len(answers), int), answers)
        assert any(str(one.message).startswith(word) for one in warned)


def test_measures_are_computed_when_they_are_read_in_agreement_matrix():
    y, table = models()
    found = fc.agreement_matrix(y, table)
    assert "yule_q" not in vars(found)
    copied = pickle.loads(pickle.dumps(found))
    for name in SINGLE:
        assert found[name] is getattr(found, name)
        assert_array_equal(copied[name], found[name])
    assert set(found.to_dict()) == {field.name for field in dataclasses.fields(found)}


def test_the_sentence_of_agreement_matrix_counts_the_pairs_that_tie():
    y = np.array([0, 1] * 10)
    models = {"a": y, "b": 1 - y, "c": 1 - y, "d": y}
    said = fc.agreement_matrix(y, models, on_undefined="ignore").summary()
    assert "as does 1 other pair: the most similar" in said
    assert "as do 3 other pairs: the least similar" in said
