"""All results of pairs keep one contract: fields along the pairs, tables, intervals, cliques."""

import json
from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import fastcompare as fc

NAMES = ("tree", "forest", "boosting", "neighbours")
FIELDS = ("estimate", "statistic", "pvalue", "adjusted_pvalue", "log_pvalue", "status", "method")


def drawn_cases():
    """Labels and scores of 160 cases: the first model knows least, the third one most."""
    rng = np.random.default_rng(4)
    y_true = np.arange(160) % 2
    noise = rng.normal(size=(160, 1)) + 1.5 * rng.normal(size=(160, 4))
    return y_true, noise + y_true[:, None] * np.array([0.8, 1.0, 2.8, 2.4])


def drawn_tables():
    """Scores of 20 data sets, with few ties or none."""
    scores = np.random.default_rng(7).normal(size=(20, 4)) + np.array([0.0, 0.2, 1.5, 1.0])
    return dict(zip(NAMES, scores.T, strict=True))


Y_TRUE, SCORES = drawn_cases()
TABLE = drawn_tables()
PREDICTIONS = dict(zip(NAMES, (SCORES > 0.7).astype(int).T, strict=True))
PROBABILITIES = dict(zip(NAMES, (1 / (1 + np.exp(0.7 - SCORES))).T, strict=True))

ROUNDS = {name: 0.9 + 0.02 * column for name, column in TABLE.items()}

RESULTS = {
    "delong_pairwise_test": lambda **options: fc.delong_pairwise_test(
        Y_TRUE, dict(zip(NAMES, SCORES.T, strict=True)), **options
    ),
    "delong_control_test": lambda **options: fc.delong_control_test(
        Y_TRUE, dict(zip(NAMES, SCORES.T, strict=True)), "forest", **options
    ),
    "mcnemar_pairwise_test": lambda **options: fc.mcnemar_pairwise_test(
        Y_TRUE, PREDICTIONS, method="asymptotic", continuity=False, **options
    ),
    "scoring_pairwise_test": lambda **options: fc.scoring_pairwise_test(
        Y_TRUE, PROBABILITIES, **options
    ),
    "ttest_corrected_pairwise_test": lambda **options: fc.ttest_corrected_pairwise_test(
        ROUNDS, n_train=900, n_test=100, **options
    ),
    "mean_pairwise_test": lambda **options: fc.mean_pairwise_test(TABLE, **options),
    "ratio_pairwise_test": lambda **options: fc.ratio_pairwise_test(
        TABLE, 1.0 + np.arange(len(TABLE["tree"])) % 4, **options
    ),
    "wilcoxon_pairwise_test": lambda **options: fc.wilcoxon_pairwise_test(TABLE, **options),
    "sign_pairwise_test": lambda **options: fc.sign_pairwise_test(TABLE, **options),
    "nemenyi_test": lambda: fc.nemenyi_test(TABLE),
    "friedman_pairwise_test": lambda: fc.friedman_pairwise_test(TABLE),
    "conover_test": lambda: fc.conover_test(TABLE),
    "friedman_exact_pairs_test": lambda: fc.friedman_exact_pairs_test(TABLE),
    "control_test": lambda: fc.control_test(TABLE, "forest"),
}
OTHERS = {
    "ranks of losses": lambda: fc.scoring_pairwise_test(Y_TRUE, PROBABILITIES, method="wilcoxon"),
    "bootstrapped AUCs": lambda: fc.bootstrap_auc(Y_TRUE, SCORES, n_resamples=199, rng=1),
}
CONTROLS = ("delong_control_test", "control_test")
every_result = pytest.mark.parametrize("name", RESULTS)


@every_result
def test_fields_lie_along_the_pairs(name):
    result = RESULTS[name]()
    pairs = list(combinations(NAMES, 2))
    if name in CONTROLS:
        pairs = [("forest", other) for other in NAMES if other != "forest"]
    assert result.names == NAMES
    assert list(result.pairs) == pairs
    for field in FIELDS:
        values = getattr(result, field)
        assert values.shape == (len(pairs),), field
        assert values.dtype.kind == ("U" if field in ("status", "method") else "f"), field
    assert_array_equal(result.status, "ok")
    assert_allclose(result.log_pvalue, np.log(result.pvalue), rtol=1e-10)
    assert (result.adjusted_pvalue >= result.pvalue).all()
    assert (result.alternative, result.alpha) == ("two-sided", 0.05)


@every_result
def test_a_matrix_has_the_row_against_the_column(name):
    result = RESULTS[name]()
    first, second = (list(map(NAMES.index, models)) for models in zip(*result.pairs, strict=True))
    for field in FIELDS:
        table, values = result.matrix(field), getattr(result, field)
        assert table.shape == (4, 4)
        assert_array_equal(table[first, second], values, err_msg=field)
        assert_array_equal(
            table[second, first], -values if field in result.signed else values, err_msg=field
        )
    assert "estimate" in result.signed
    assert_array_equal(np.diag(result.matrix("estimate")), 0.0)
    assert_array_equal(np.diag(result.matrix("pvalue")), 1.0)
    untested = 16 - 4 - 2 * len(result.pairs)
    assert np.isnan(result.matrix("pvalue")).sum() == untested
    with pytest.raises(fc.InvalidValueError, match="Did you mean 'pvalue'"):
        result.matrix("pvalues")


@every_result
def test_an_interval_holds_zero_unless_the_test_rejects(name):
    result = RESULTS[name]()
    for p, pvalue in enumerate(result.pvalue):
        for level, rejects in ((1 - 1.001 * pvalue, True), (1 - 0.999 * pvalue, False)):
            if not 1e-6 < level < 1 - 1e-12:  # p-values of 1, or next to 0
                continue
            low, high = result.confidence_interval(level)
            assert (low[p] > 0 or high[p] < 0) == rejects, (result.pairs[p], level)


@pytest.mark.slow
@every_result
def test_simultaneous_intervals_are_wider_and_hold_the_estimates(name):
    result = RESULTS[name]()
    low, high = result.confidence_interval()
    widest_low, widest_high = result.confidence_interval(simultaneous=True)
    assert low.shape == high.shape == result.estimate.shape
    assert ((low <= result.estimate) & (result.estimate <= high)).all()
    if name == "nemenyi_test":  # its intervals cover together as they are
        assert_array_equal((widest_low, widest_high), (low, high))
        return
    assert (widest_low <= low).all()
    assert (widest_high >= high).all()
    assert (widest_high - widest_low > high - low).all()
    level = 1 - 0.05 / len(result.pairs)
    bonferroni_low, bonferroni_high = result.confidence_interval(level)
    assert (widest_high - widest_low <= bonferroni_high - bonferroni_low).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", [*RESULTS, *OTHERS])
@pytest.mark.parametrize("simultaneous", [False, True])
def test_intervals_and_estimates_of_some_pairs_are_those_of_all(name, simultaneous):
    result = OTHERS[name]() if name in OTHERS else RESULTS[name]()
    chosen = np.array([2, 0])
    some = result._intervals(chosen, 0.9, simultaneous)
    every = np.array(result.confidence_interval(0.9, simultaneous=simultaneous))
    assert_array_equal(some, every[:, chosen])
    assert_array_equal(result._estimates(chosen), result.estimate[chosen])


@every_result
def test_cliques_hold_names_of_models_that_do_not_differ(name):
    result = RESULTS[name]()
    if name in CONTROLS:  # only pairs with the control are tested
        assert result.cliques == ()
        return
    assert {model for clique in result.cliques for model in clique} <= set(NAMES)
    for pair, p in zip(result.pairs, result.adjusted_pvalue, strict=True):
        together = any(set(pair) <= set(clique) for clique in result.cliques)
        assert together == (p > result.alpha)


@every_result
def test_dictionaries_and_sentences(name):
    result = RESULTS[name]()
    found = json.loads(json.dumps(result.to_dict()))
    for field in FIELDS:
        if field != "log_pvalue":
            assert found[field] == getattr(result, field).tolist()
    assert found["pairs"] == [list(pair) for pair in result.pairs]
    assert result.summary().endswith(".")
    assert "boosting" in result.summary()
    assert "* significant at the 5% level" in str(result)


@pytest.mark.parametrize("alternative", ["less", "greater"])
@pytest.mark.parametrize("name", list(RESULTS)[:8])
def test_one_sided_intervals_are_open_to_one_side(name, alternative):
    result = RESULTS[name](alternative=alternative)
    low, high = result.confidence_interval()
    two_sided_low, two_sided_high = RESULTS[name]().confidence_interval(0.9)
    if alternative == "less":
        assert_allclose(high, two_sided_high, rtol=1e-9)
        assert (low <= two_sided_low).all()
    else:
        assert_allclose(low, two_sided_low, rtol=1e-9)
        assert (high >= two_sided_high).all()


def test_simultaneous_rank_intervals_reach_as_far_as_nemenyis():
    z, nemenyi = RESULTS["friedman_pairwise_test"](), RESULTS["nemenyi_test"]()
    ends = z.confidence_interval(simultaneous=True)
    assert_allclose(ends, nemenyi.confidence_interval(), rtol=1e-9)
    together = nemenyi.confidence_interval(simultaneous=True)  # as they are without it
    assert_array_equal(together, nemenyi.confidence_interval())
    assert_allclose(ends[1] - z.estimate, nemenyi.critical_difference, rtol=1e-9)


def test_intervals_of_conover_are_undefined_where_nothing_varies_but_the_models_differ():
    result = fc.conover_test(np.tile([1.0, 2.0, 3.0], (5, 1)), on_undefined="ignore")
    assert np.isnan(result.confidence_interval()).all()
