"""`ratio_pairwise_test`: every pair is `ratio_test`, equal denominators means of scores, laws."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

import fastcompare as fc

QUIET = {"on_undefined": "ignore"}
MOMENTS = ("estimate", "standard_error", "df", "statistic", "pvalue")
RNG = np.random.default_rng(3)
N = 40
Y = RNG.integers(5, 60, N)
OWN = pd.DataFrame({name: Y + RNG.integers(0, 9, N) for name in "abcd"})
X = pd.DataFrame(
    {name: RNG.binomial(OWN[name], p) for name, p in zip("abcd", (0.9, 0.8, 0.8, 0.7), strict=True)}
)
LINKS = {
    "": {},
    "groups": {"groups": np.arange(N) // 3},
    "sample_weight": {"sample_weight": 1.0 + np.arange(N) % 3},
    "strata": {"strata": np.arange(N) % 2},
    "two": {"groups": np.stack([np.arange(N) // 3, np.arange(N) % 7], axis=1)},
}


@pytest.mark.parametrize("links", LINKS)
@pytest.mark.parametrize("method", ["t", "auto"])
@pytest.mark.parametrize("shared", [False, True])
def test_each_pair_of_ratio_pairwise_test_is_ratio_test(links, method, shared):
    x = np.minimum(X, Y[:, None]) if shared else X
    y = Y if shared else OWN
    options = {"method": method, **LINKS[links], **QUIET}
    found = fc.ratio_pairwise_test(x, y, **options)
    low, high = found.confidence_interval(0.9)
    for p, (one, other) in enumerate(combinations("abcd", 2)):
        below = (Y, Y) if shared else (OWN[one], OWN[other])
        want = fc.ratio_test(x[one], below[0], x[other], below[1], **options)
        for name in MOMENTS:
            assert_allclose(getattr(found, name)[p], getattr(want, name), rtol=1e-9, err_msg=name)
        assert_allclose((low[p], high[p]), want.confidence_interval(0.9), rtol=1e-9)
        assert found.method[p] == want.method
        assert_allclose(found.ratios[["abcd".index(name) for name in (one, other)]], want.ratios)
    intervals = found._model_limits(0.95)
    for model, name in enumerate("abcd"):
        below = Y if shared else OWN[name]
        one = fc.ratio_interval(x[name], below, **options)
        ends = (intervals[0][model], intervals[1][model])
        assert_allclose(ends, one.confidence_interval(), rtol=1e-9)


def test_ratio_pairwise_test_adjusts_by_the_joint_distribution_of_many_items():
    rng = np.random.default_rng(4)
    y = rng.integers(5, 60, 300)
    x = {name: rng.binomial(y, 0.7) for name in "abc"}
    found = fc.ratio_pairwise_test(x, y)
    assert found.correction == "max-t"
    assert (found.adjusted_pvalue >= found.pvalue).all()
    bonferroni = np.minimum(3.0 * found.pvalue, 1.0)
    assert (found.adjusted_pvalue <= bonferroni * (1.0 + 1e-9)).all()
    wide, plain = found.confidence_interval(simultaneous=True), found.confidence_interval()
    assert (wide[0] < plain[0]).all()
    assert (wide[1] > plain[1]).all()
    assert fc.ratio_pairwise_test(X, OWN).correction == "shaffer"


@pytest.mark.parametrize("links", LINKS)
def test_equal_denominators_give_the_pairs_of_means(links):
    x = np.minimum(X, 50) / 2.0
    found = fc.ratio_pairwise_test(x, np.full(N, 2.0), **LINKS[links], **QUIET)
    want = fc.mean_pairwise_test(x / 2.0, **LINKS[links], **QUIET)
    for name in (*MOMENTS, "adjusted_pvalue"):
        assert_allclose(getattr(found, name), getattr(want, name), rtol=1e-12, err_msg=name)
    assert found.status.tolist() == want.status.tolist()


def test_identical_models_of_ratio_pairwise_test_do_not_differ():
    found = fc.ratio_pairwise_test({"a": X["a"], "b": X["a"], "c": X["c"]}, OWN["a"], **QUIET)
    assert (found.estimate[0], found.pvalue[0], found.status[0]) == (0.0, 1.0, "no_difference")


def test_ratio_pairwise_test_warns_of_failures_and_of_items_with_most_of_the_words():
    words = np.array([30, 28, 33, 31, 29, 32, 30, 27, 34, 31])
    wrong = {
        "a": 0 * words,
        "b": [3, 2, 3, 3, 2, 4, 3, 2, 3, 3],
        "c": [3, 3, 3, 2, 2, 4, 2, 2, 3, 4],
    }
    with pytest.warns(fc.SmallSampleWarning, match="unseen_failures"):
        result = fc.ratio_pairwise_test(wrong, words)
    assert "would explain" in result.summary()
    long = np.append(np.full(19, 9), 900)
    x = {name: RNG.binomial(long, p) for name, p in zip("abc", (0.9, 0.8, 0.7), strict=True)}
    found = fc.ratio_pairwise_test(x, long, on_undefined="ignore")
    assert set(found.status) <= {"few_items", "few_clusters"}


def test_ratio_pairwise_test_takes_arrays_and_leaves_out_items_that_lack_a_number():
    want = fc.ratio_pairwise_test(X, OWN)
    arrays = fc.ratio_pairwise_test(X.to_numpy(), OWN.to_numpy())
    assert_allclose(arrays.pvalue, want.pvalue, rtol=1e-12)
    holes = X.astype(float)
    holes.loc[3, "b"] = np.nan
    with pytest.raises(fc.InvalidValueError, match=r"`numerators\['b'\]`"):
        fc.ratio_pairwise_test(holes, OWN)
    with pytest.warns(fc.DroppedCasesWarning, match="1 of 40"):
        found = fc.ratio_pairwise_test(holes, OWN, nan_policy="omit")
    rest = X.drop(index=3), OWN.drop(index=3)
    assert_allclose(found.pvalue, fc.ratio_pairwise_test(*rest).pvalue, rtol=1e-12)


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        (X[["a"]], OWN["a"], "at least two models"),
        (X, OWN[["b", "a", "c", "d"]], "in their order"),
        (X, Y[:9], "`denominators` must have one value for each of the 40 items"),
        (X, -Y, "`denominators` must be at least 0"),
        (X, 0 * Y, "above 0 for some item"),
        (X, np.where(Y > 9, np.inf, Y), "be finite"),
    ],
)
def test_ratio_pairwise_test_refuses_what_is_no_table_of_ratios(x, y, message):
    with pytest.raises(fc.InvalidValueError, match=message):
        fc.ratio_pairwise_test(x, y)
