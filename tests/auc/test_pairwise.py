import itertools
import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fastcompare as fc
from tests.shared.documents import T2

DATA = fc.load_predictions()


def test_every_pair_equals_its_own_test():
    result = fc.delong_pairwise_test(DATA.y_true, DATA.scores)
    for p, (first, second) in enumerate(result.pairs):
        alone = fc.delong_test(DATA.y_true, DATA.scores[first], DATA.scores[second])
        assert result.estimate[p] == alone.estimate
        assert result.statistic[p] == alone.statistic
        assert result.pvalue[p] == alone.pvalue
        interval = result.confidence_interval()
        assert_allclose((interval.low[p], interval.high[p]), alone.confidence_interval())


@pytest.mark.parametrize("correction", ["none", "holm", "hommel", "bh"])
def test_adjusted_pvalues_are_those_of_adjust_pvalues(correction):
    result = fc.delong_pairwise_test(DATA.y_true, DATA.scores, correction=correction)
    want = result.pvalue
    if correction != "none":
        want = fc.adjust_pvalues(result.pvalue, method=correction)
    assert result.adjusted_pvalue.tolist() == want.tolist()


def test_simultaneous_intervals_are_wider_and_hold_together_in_delong_pairwise_test():
    result = fc.delong_pairwise_test(DATA.y_true, DATA.scores)
    alone, together = result.confidence_interval(), result.confidence_interval(simultaneous=True)
    assert (together.low < alone.low).all()
    assert (together.high > alone.high).all()
    bonferroni = result.confidence_interval(1 - 0.05 / 10)
    assert (together.low > bonferroni.low).all()
    assert (together.high < bonferroni.high).all()


@pytest.mark.slow
@pytest.mark.parametrize(("alternative", "end"), [("two-sided", "high"), ("less", "high")])
def test_simultaneous_intervals_are_those_of_the_largest_z(requires_jit, alternative, end):
    options = {"alternative": alternative, "reference": "normal"}  # without Hall's correction
    result = fc.delong_pairwise_test(DATA.y_true, DATA.scores, **options)
    first, second = np.triu_indices(5, 1)
    rng = np.random.default_rng(0)
    drawn = rng.multivariate_normal(np.zeros(5), result.covariance, 200_000)
    z = (drawn[:, first] - drawn[:, second]) / result.standard_error
    largest = (abs(z) if alternative == "two-sided" else z).max(axis=1)
    want = result.estimate + np.quantile(largest, 0.95) * result.standard_error
    found = getattr(result.confidence_interval(simultaneous=True), end)
    assert_allclose(found - result.estimate, want - result.estimate, rtol=0.01)


def test_pairs_stand_in_a_matrix_and_make_cliques_by_name_in_delong_pairwise_test():
    result = fc.delong_pairwise_test(DATA.y_true, DATA.scores)
    assert result.matrix("estimate")[1, 0] == -result.estimate[0]
    assert result.matrix("status")[0, 1] == "ok"
    best = result.names[int(np.argmax(result.auc))]
    assert best in result.cliques[0]
    apart = set(itertools.chain(*(itertools.permutations(c, 2) for c in result.cliques)))
    for pair, p in zip(result.pairs, result.adjusted_pvalue, strict=True):
        assert (pair in apart) == (p > 0.05)


def test_one_sided_pairs_mirror_each_other_in_delong_pairwise_test():
    y, a, b = T2.values()
    one = fc.delong_pairwise_test(y, {"a": a, "b": b}, alternative="greater")
    two = fc.delong_pairwise_test(y, {"b": b, "a": a}, alternative="less")
    assert one.pvalue == two.pvalue
    assert one.confidence_interval().high.tolist() == [1.0]


@pytest.mark.parametrize("method", ["score", "delong", "logit", "newcombe"])
def test_intervals_of_the_aucs_are_the_single_ones(method):
    result = fc.delong_pairwise_test(DATA.y_true, DATA.scores)
    low, high = result.auc_interval(method=method)
    for i, scores in enumerate(DATA.scores.values()):
        single = fc.roc_auc_interval(DATA.y_true, scores, method=method)
        assert_allclose((low[i], high[i]), single.confidence_interval(), rtol=1e-14)
        assert_allclose(result.auc_standard_error[i], single.standard_error, rtol=1e-14)


def test_intervals_of_the_aucs_are_by_default_those_of_one_model():
    few = {name: scores[:12] for name, scores in DATA.scores.items()}
    label = np.arange(12) < 3
    result = fc.delong_pairwise_test(label, few)
    for i, scores in enumerate(few.values()):
        single = fc.roc_auc_interval(label, scores).confidence_interval()
        assert tuple(end[i] for end in result.auc_interval()) == single
    undefined = fc.delong_pairwise_test(0 * label, few, on_undefined="ignore")
    assert np.isnan(undefined.auc_interval()).all()


def test_degenerate_pairs_have_their_own_status_in_delong_pairwise_test():
    y = [0, 0, 0, 1, 1, 1]
    scores = {"best": [1, 2, 3, 4, 5, 6], "same": [1, 2, 3, 7, 8, 9], "flat": [0] * 6}
    with pytest.warns(fc.UndefinedResultWarning) as record:
        result = fc.delong_pairwise_test(y, {**scores, "twin": [1] * 6})
    words = dict(zip(result.pairs, result.status.tolist(), strict=True))
    assert words["best", "same"] == "perfect_separation"
    assert words["best", "flat"] == "zero_variance"
    assert words["flat", "twin"] == "identical"
    ours = [w for w in record if w.category is fc.UndefinedResultWarning]
    assert len(ours) == 2
    undefined = result.status == "zero_variance"
    assert np.isnan(result.adjusted_pvalue[undefined]).all()
    assert (result.pvalue[~undefined] == 1).all()
    assert np.isnan(result.confidence_interval().low[undefined]).all()


def test_many_models_go_by_the_product_and_agree():
    rng = np.random.default_rng(0)
    y = rng.random(300) < 0.4
    table = rng.normal(size=(300, 12)) + y[:, None]
    result = fc.delong_pairwise_test(y, table)
    for p in (0, 17, 65):
        i, j = (int(name.split()[1]) - 1 for name in result.pairs[p])
        alone = fc.delong_test(y, table[:, i], table[:, j])
        assert_allclose(result.statistic[p], alone.statistic, rtol=1e-12)


@pytest.mark.slow
def test_similar_models_among_many_keep_their_digits():
    rng = np.random.default_rng(3)
    y = rng.random(4000) < 0.4
    table = rng.normal(size=(4000, 10)) + y[:, None]
    table[:, 1] = table[:, 0] + 1e-3 * rng.normal(size=4000)
    result = fc.delong_pairwise_test(y, table)
    alone = fc.delong_test(y, table[:, 0], table[:, 1])
    assert_allclose(result.standard_error[0], alone.standard_error, rtol=1e-13)
    assert_allclose(result.log_pvalue[0], alone.log_pvalue, rtol=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_large_table_is_copied_some_models_at_a_time_in_delong_pairwise_test(monkeypatch, dtype):
    rng = np.random.default_rng(8)
    y, scores = rng.random(300) < 0.4, rng.normal(size=(300, 21)).round(1).astype(dtype)
    whole = fc.delong_pairwise_test(y, scores)
    missing = scores.copy()
    missing[7, 20] = np.nan
    without = fc.delong_pairwise_test(np.delete(y, 7), np.delete(scores, 7, axis=0))
    monkeypatch.setattr("fastcompare._inputs.scores.LARGE", 0)
    monkeypatch.setattr("fastcompare._inputs.scores.COPIED", 0)  # 8 models at a time
    monkeypatch.setattr("fastcompare.auc._components.THREADS_FROM", 0)
    for jobs in (1, 2, 5, 50):
        found = fc.delong_pairwise_test(y, scores, n_jobs=jobs)
        assert str(found) == str(whole)
        assert found.covariance.tobytes() == whole.covariance.tobytes()
    with pytest.raises(fc.InvalidValueError, match=r"`model 21` has 1 missing .* at index 7"):
        fc.delong_pairwise_test(y, missing)
    with pytest.warns(fc.DroppedCasesWarning):
        found = fc.delong_pairwise_test(y, missing, nan_policy="omit")
    assert found.pvalue.tobytes() == without.pvalue.tobytes()


def test_the_names_of_pairs_wait_until_they_are_asked_for_in_delong_pairwise_test():
    distinct = {name: DATA.scores[name] for name in ("random_forest", "decision_tree")}
    result = fc.delong_pairwise_test(DATA.y_true, distinct)
    assert "pairs" not in vars(result)
    assert result.pairs == tuple(itertools.combinations(distinct, 2))
    assert pickle.loads(pickle.dumps(result)).to_dict() == result.to_dict()


def test_summary_speaks_plainly_in_delong_pairwise_test():
    found = fc.delong_pairwise_test(DATA.y_true, DATA.scores).summary()
    assert "has a higher AUC than" in found
    assert "Shaffer" in found
    y, a, b = T2.values()
    assert (
        "is not significant at the 5% level"
        in fc.delong_pairwise_test(y, {"a": a, "b": b}).summary()
    )


def test_a_single_model_is_refused_in_delong_pairwise_test():
    with pytest.raises(ValueError, match="at least two models"):
        fc.delong_pairwise_test([0, 1, 0, 1], {"only": [1, 2, 3, 4]})


def test_alpha_is_the_level_of_the_cliques_and_of_the_sentence():
    y, a, b = T2.values()
    scores, options = {"a": a, "b": b}, {"n_resamples": 199, "rng": 0}
    for result in (
        fc.delong_pairwise_test(y, scores, alpha=0.2),
        fc.bootstrap_auc(y, scores, alpha=0.2, **options),
    ):
        assert result.pvalue[0] < 0.2
        assert result.cliques == ()
        assert "at the 20% level" in result.summary()
    assert fc.bootstrap_auc(y, scores, alpha=0.001, **options).cliques == (("a", "b"),)
    with pytest.raises(ValueError, match="`alpha` must be between 0 and 1"):
        fc.delong_pairwise_test(y, scores, alpha=5.0)
