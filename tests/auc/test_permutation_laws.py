"""What permutation tests promise: laws, seeds, the share of false alarms, refused parameters."""

import json
import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose

import fastcompare as fc
from fastcompare._resampling import weights as permutation
from tests.shared.documents import T2
from tests.shared.strategies import scored_cases

METHODS = ("auc", "venkatraman")
Y, A, B = (np.array(values) for values in T2.values())
MIRRORED = {"two-sided": "two-sided", "greater": "less", "less": "greater"}


def problem(n, seed, scale=1.0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    common = y + rng.normal(size=n)
    return y, common + rng.normal(size=n), scale * (common + rng.normal(size=n))


def run(y, a, b, **words):
    return fc.permutation_auc_test(y, a, b, **{"rng": 1, "n_resamples": 300, **words})


@pytest.mark.slow
@given(case=scored_cases(smallest=1))
@settings(max_examples=40)
def test_swapping_the_models_mirrors_the_result_in_permutation_auc_test(case):
    labels, (a, b) = case
    for exact in (True, False):
        for alternative, mirrored in MIRRORED.items():
            one = run(labels, a, b, exact=exact, alternative=alternative)
            two = run(labels, b, a, exact=exact, alternative=mirrored)
            assert one.estimate == -two.estimate
            assert one.standard_error == two.standard_error
            if exact or one.estimate:
                assert one.pvalue == two.pvalue


@pytest.mark.slow
@given(case=scored_cases(smallest=1))
@settings(max_examples=40)
def test_only_the_order_of_each_models_scores_counts_in_permutation_auc_test(case):
    labels, (a, b) = case
    ranks = np.unique(b, return_inverse=True)[1]
    for words in ({}, {"exact": False}, {"method": "venkatraman", "exact": False}):
        one, two = run(labels, a, b, **words), run(labels, a, 2.0**ranks - 1e6, **words)
        assert (one.statistic, one.pvalue) == (two.statistic, two.pvalue)


@pytest.mark.slow
@given(case=scored_cases(smallest=1))
@settings(max_examples=40)
def test_the_order_of_the_cases_does_not_count_in_permutation_auc_test(case):
    labels, (a, b) = case
    order = np.random.default_rng(0).permutation(labels.size)
    for words in ({}, {"exact": False}, {"exact": False, "alternative": "less"}):
        one = run(labels, a, b, **words)
        two = run(labels[order], a[order], b[order], **words)
        assert (one.estimate, one.pvalue) == (two.estimate, two.pvalue)
    one, two = (
        run(labels[o], a[o], b[o], method="venkatraman", exact=False) for o in (slice(None), order)
    )
    assert_allclose(one.statistic, two.statistic, rtol=1e-12)


@pytest.mark.slow
@given(case=scored_cases(smallest=1))
@settings(max_examples=40)
def test_a_model_is_exchangeable_with_itself_in_permutation_auc_test(case):
    labels, (a, _) = case
    for method in METHODS:
        for exact in (True, False):
            result = run(labels, a, a.copy(), method=method, exact=exact, keep=not exact)
            assert (result.statistic, result.pvalue, result.status) == (0.0, 1.0, "identical")
            assert exact or not result.distribution.any()


def test_exchanging_scores_instead_of_ranks_would_miss_the_difference(requires_jit):
    """One model's scores are shifted: exchanging scores gives p = .40, where .047 is right."""
    rng = np.random.default_rng(9)
    y, common = np.arange(60) % 2, rng.normal(size=60)
    a = 1.5 * y + common + 0.7 * rng.normal(size=60)
    b = 0.7 * y + common + 0.7 * rng.normal(size=60)

    def difference(first, second):
        return abs(fc.roc_auc(y, first) - fc.roc_auc(y, second))

    extreme = 0
    for swapped in np.random.default_rng(0).random((300, 60)) < 0.5:
        x, z = np.where(swapped, b, a + 3), np.where(swapped, a + 3, b)
        extreme += difference(x, z) >= difference(a, b) - 1e-12
    assert extreme / 300 > 0.3
    assert run(y, a + 3, b).pvalue == run(y, a, b).pvalue < 0.05


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [{}, {"exact": False, "n_resamples": 99}, {"method": "venkatraman", "n_resamples": 99}]
)
def test_false_alarms_are_as_many_as_promised_in_permutation_auc_test(words, requires_jit):
    """300 pairs of exchangeable models."""
    pvalues = np.array([run(*problem(24, seed), **words).pvalue for seed in range(300)])
    for alpha in (0.05, 0.2):
        share = np.mean(pvalues <= alpha)
        assert abs(share - alpha) < 3.5 * math.sqrt(alpha * (1 - alpha) / 300) + 0.01


@pytest.mark.parametrize("method", [*METHODS, "studentized"])
def test_replicates_depend_on_seed_and_number_alone(method, monkeypatch, requires_jit):
    y, a, b = problem(70, 0)
    words = {"method": method, "keep": True, "n_resamples": 1100}
    want = run(y, a, b, **words).distribution
    assert want.size == 1100
    assert (run(y, a, b, **words | {"n_resamples": 130}).distribution == want[:130]).all()
    assert (run(y, a, b, **words, n_jobs=2).distribution == want).all()
    with ThreadPoolExecutor(3) as pool:
        assert (run(y, a, b, **words, executor=pool).distribution == want).all()
    monkeypatch.setattr(permutation, "TASK_CASES", 1)
    monkeypatch.setattr(permutation, "MOST_TASKS", 7)
    monkeypatch.setattr("fastcompare.auc._exchanges.BLOCKS_PER_TABLE", 2)
    monkeypatch.setattr("fastcompare.auc._exchanges.UNITS_PER_CALL", 3)
    monkeypatch.setattr("fastcompare.auc._exchanges.CASES_PER_CALL", 500)
    done = []
    result = run(y, a, b, **words, n_jobs=-1, progress=lambda *step: done.append(step))
    assert (result.distribution == want).all()
    assert done[-1] == (6, 6)
    assert (run(y, a, b, **words | {"rng": 2}).distribution != want).any()


@pytest.mark.slow
def test_every_exchange_of_curves_is_counted_whatever_the_workers(monkeypatch):
    one = run(Y, A, B, method="venkatraman")
    monkeypatch.setattr(permutation, "TASK_CASES", 1)
    assert run(Y, A, B, method="venkatraman", n_jobs=2).pvalue == one.pvalue
    assert one.n_resamples == 0


def test_generators_advance_and_the_global_state_does_not_in_permutation_auc_test():
    y, a, b = problem(40, 1)
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    generator = np.random.default_rng(0)
    found = [run(y, a, b, rng=generator, keep=True).distribution for _ in range(2)]
    again = run(y, a, b, rng=np.random.default_rng(0), keep=True).distribution
    assert (found[0] == again).all()
    assert (found[0] != found[1]).any()
    run(y, a, b, rng=None)
    run(y, a, b, rng=2**130)
    assert (np.random.get_state()[1] == before).all()  # noqa: NPY002


def test_many_cases_have_replicates_of_the_right_spread_in_permutation_auc_test(requires_jit):
    y, a, b = problem(60_000, 2)
    result = run(y, a, b, keep=True, n_resamples=4000)
    assert not result.exact
    assert_allclose(result.distribution.std(), result.standard_error, rtol=0.05)
    assert abs(result.distribution.mean()) < 4 * result.standard_error / math.sqrt(4000)


def test_one_positive_is_enough_in_permutation_auc_test():
    for method in METHODS:
        result = run([0, 0, 0, 1], [1, 2, 3, 4], [4, 2, 3, 1], method=method)
        assert (result.status, result.n_positive) == ("ok", 1)
        assert result.pvalue == 0.5


@pytest.mark.parametrize("method", METHODS)
def test_one_class_leaves_everything_undefined_in_permutation_auc_test(method):
    with pytest.warns(fc.UndefinedResultWarning, match="one_class"):
        result = run([0, 0, 0], [1, 2, 3], [3, 1, 2], method=method)
    assert np.isnan([result.statistic, result.pvalue, result.log_pvalue, *result.auc]).all()
    assert result.status == "one_class"
    with pytest.raises(fc.UndefinedResultError):
        run([1, 1, 1], [1, 2, 3], [3, 1, 2], method=method, on_undefined="raise")


def test_results_are_sentences_and_plain_values_in_permutation_auc_test():
    result = run(Y, A, B, exact=False, alternative="greater")
    assert result.summary() == (
        "The first model has a significantly higher AUC than the second model. The AUCs are 0.9643 "
        "and 0.7381, a difference of 0.2262 (Bandos' permutation test, H1: difference > 0, 300 "
        f"replicates, p = {result.pvalue:.4f}). There were 7 positive and 6 negative cases."
    )
    plain = json.loads(json.dumps(result.to_dict()))
    assert plain["estimate"] == result.estimate
    assert plain["distribution"] is None


def test_cases_with_missing_values_can_be_left_out_in_permutation_auc_test():
    gap = np.append(B, np.nan)
    with pytest.warns(fc.DroppedCasesWarning):
        result = run(np.append(Y, 1), np.append(A, 0.5), gap, nan_policy="omit")
    assert (result.pvalue, result.n_dropped) == (0.078125, 1)


REFUSED = [
    ({"method": "delong"}, ValueError, "'auc', 'studentized', 'venkatraman'"),
    ({"alternative": "equivalence"}, ValueError, "'two-sided', 'less', 'greater'"),
    ({"alternative": "less", "method": "venkatraman"}, ValueError, "must be 'two-sided' for"),
    ({"exact": "yes"}, TypeError, "`exact` must be None, True or False, got 'yes'"),
    ({"exact": 1}, TypeError, "`exact`"),
    ({"keep": 1}, TypeError, "`keep`"),
    ({"exact": True, "keep": True}, ValueError, "choose one of them"),
    ({"n_resamples": 0}, ValueError, "`n_resamples` must be at least 1, got 0"),
    ({"n_resamples": -1}, ValueError, "`n_resamples`"),
    ({"n_resamples": 1.5}, TypeError, "`n_resamples` must be an integer"),
    ({"rng": -1}, ValueError, "`rng` must be at least 0"),
    ({"rng": "7"}, TypeError, "`rng`"),
    ({"rng": np.random.RandomState(0)}, TypeError, "RandomState"),
    ({"n_jobs": 0}, ValueError, "`n_jobs`"),
    ({"executor": 2}, TypeError, "`executor`"),
    ({"progress": "bar"}, TypeError, "`progress`"),
    ({"on_undefined": "error"}, ValueError, "`on_undefined`"),
]


@pytest.mark.parametrize(("words", "error", "message"), REFUSED)
def test_parameters_that_cannot_mean_anything_are_refused(words, error, message):
    with pytest.raises(error, match=message) as caught:
        run(Y, A, B, **words)
    assert isinstance(caught.value, fc.FastCompareError)


def test_scores_and_labels_that_cannot_mean_anything_are_refused_in_permutation_auc_test():
    with pytest.raises(fc.InvalidValueError, match="`y_score_b` has 1 missing"):
        run(Y, A, np.append(B[:-1], np.nan))
    with pytest.raises(fc.InvalidValueError, match="`y_true`"):
        run(Y + 1, A, B)
    with pytest.raises(fc.InvalidValueError, match="`y_score_a` must have one score for each"):
        run(Y, A[1:], B)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.usefixtures("unbounded")
def test_more_than_can_be_counted_is_refused_before_the_work(method, monkeypatch):
    monkeypatch.setattr("fastcompare.auc._exchanges.MOST_ADDITIONS", 1e5)
    words = {"method": method}
    with pytest.raises(fc.InvalidValueError, match=r"`exact=True` takes 10.*Pass exact=False"):
        run(*problem(200, 0), **words, exact=True)
    with pytest.raises(MemoryError, match="fewer resamples"):
        run(*problem(200, 0), **words, exact=False, n_resamples=10**12)
    monkeypatch.setattr("fastcompare.auc._exchanges.WIDE_FROM", 13)
    with pytest.raises(fc.InvalidValueError, match="fewer than 13 cases, got 13"):
        run(Y, A, B, **words)
