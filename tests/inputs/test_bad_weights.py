"""Weights and clusters from outside: what is refused, what is left out, which types will do."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest

import fastcompare as fc

Y = np.array([0] * 6 + [1] * 7)
A = np.array([0.1, 0.2, 0.05, 0.3, 0.1, 0.6, 0.6, 0.7, 0.8, 0.99, 0.8, 0.67, 0.5])
B = np.array([0.3, 0.6, 0.2, 0.1, 0.1, 0.9, 0.23, 0.7, 0.9, 0.4, 0.77, 0.3, 0.89])
W = np.array([1, 2, 1, 1, 3, 1, 1, 1, 2, 1, 1, 1, 1])
G = np.array([0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 6])

each_kind = pytest.mark.parametrize("kind", ["sample_weight", "frequency_weight"])


BAD_WEIGHTS = [
    ("negative", {"sample_weight": [*[1] * 12, -0.5]}, r"at least 0; 1 are not.* -0.5 at index 12"),
    ("NaN", {"sample_weight": [1, math.nan, *[1] * 11]}, "nan at index 1"),
    ("inf", {"sample_weight": [1, 1, math.inf, *[1] * 10]}, "inf at index 2"),
    ("negative count", {"frequency_weight": [-1, *[1] * 12]}, "-1 at index 0"),
    ("no count", {"frequency_weight": [*[1] * 4, 1.5, *[1] * 8]}, r"whole numbers.*1.5 at index 4"),
    ("too large", {"frequency_weight": [1e300, *[1] * 12]}, r"below 2\^53.*1e\+300 at index 0"),
    ("both kinds", {"sample_weight": W, "frequency_weight": W}, "cannot both be specified"),
    ("length", {"sample_weight": W[1:]}, r"`sample_weight` must have one value .* 13 .* got 12"),
    ("length of counts", {"frequency_weight": [1] * 14}, "`frequency_weight` must .* 13 .* got 14"),
    ("shape", {"sample_weight": np.ones((13, 2))}, r"must be 1-d, got shape \(13, 2\)"),
    (
        "a number",
        {"sample_weight": 2.0},
        r"must be 1-d, got shape \(\)|one value for each .* got 1",
    ),
]


@pytest.mark.parametrize("words", [pytest.param(row[1:], id=row[0]) for row in BAD_WEIGHTS])
def test_bad_weights_are_refused_by_every_function(words):
    given, message = words
    for function, scores in [
        (fc.delong_test, (A, B)),
        (fc.roc_auc, (A,)),
        (fc.roc_auc_interval, (A,)),
        (fc.delong_covariance, (np.c_[A, B],)),
        (fc.delong_pairwise_test, (np.c_[A, B],)),
        (fc.delong_control_test, (np.c_[A, B], 0)),
    ]:
        with pytest.raises(ValueError, match=message):
            function(Y, *scores, **given)


def test_a_missing_weight_is_refused_even_where_missing_scores_are_left_out():
    with pytest.raises(ValueError, match="nan at index 0"):
        fc.delong_test(Y, A, B, sample_weight=[None, *[1] * 12], nan_policy="omit")


def test_weights_of_text_are_of_the_wrong_type():
    with pytest.raises(TypeError, match="`sample_weight` must contain real numbers"):
        fc.delong_test(Y, A, B, sample_weight=["1"] * 13)


@each_kind
def test_weights_of_another_index_are_refused(kind):
    labels = pd.Series(Y)
    with pytest.raises(ValueError, match=f"`{kind}` and `y_true` have different indexes"):
        fc.delong_test(labels, A, B, **{kind: pd.Series(W, index=range(1, 14))})


@each_kind
def test_newcombe_s_interval_refuses_weights(kind):
    with pytest.raises(ValueError, match="`method='newcombe'` supports neither weights nor"):
        fc.roc_auc_interval(Y, A, method="newcombe", **{kind: W})


def test_an_unknown_method_is_refused_under_weights_too():
    with pytest.raises(ValueError, match="midrank"):
        fc.delong_test(Y, A, B, sample_weight=W, method="midranks")


def test_missing_cases_take_their_weights_along():
    scores = np.where(np.arange(13) == 2, np.nan, A)
    with pytest.warns(fc.DroppedCasesWarning):
        result = fc.delong_test(Y, scores, B, sample_weight=W, nan_policy="omit")
    kept = np.arange(13) != 2
    want = fc.delong_test(Y[kept], A[kept], B[kept], sample_weight=W[kept])
    assert result.to_dict() == want.to_dict() | {"n_dropped": 1}


@pytest.mark.slow
def test_weights_of_any_container_are_the_same_and_stay_as_they_are():
    frozen = W.astype(float)
    frozen.flags.writeable = False
    want = fc.delong_test(Y, A, B, frequency_weight=frozen).to_dict()
    for weights in (W.tolist(), W[:, None], pd.Series(W), W.astype(np.uint8), W.astype(np.float32)):
        assert fc.delong_test(Y, A, B, frequency_weight=weights).to_dict() == want
    assert fc.roc_auc(Y, A, sample_weight=W > 1) == fc.roc_auc(Y, A, sample_weight=1 * (W > 1))


BAD_CLUSTERS = [
    ("NaN", {"groups": [math.nan, *G[1:]]}, r"`groups` has 1 missing value\b.* index 0"),
    ("None", {"groups": ["a", "b", None, *"abababab", None, "a"]}, "has 2 missing .* index 2"),
    ("one cluster", {"groups": ["p"] * 13}, r"`groups` must name >= 2 clusters.*'p'"),
    ("length", {"groups": G[1:]}, "`groups` must have one value .* 13 .* got 12"),
    ("shape", {"groups": np.zeros((13, 3))}, "must be 1-d"),
    ("a word", {"groups": "p"}, "must be 1-d"),
    ("with weights", {"groups": G, "sample_weight": G}, "not supported together"),
    ("with counts", {"groups": G, "frequency_weight": G}, "not supported together"),
]


@pytest.mark.parametrize("words", [pytest.param(row[1:], id=row[0]) for row in BAD_CLUSTERS])
def test_bad_clusters_are_refused_by_every_function(words):
    given, message = words
    for function, scores in [
        (fc.delong_test, (A, B)),
        (fc.roc_auc_interval, (A,)),
        (fc.delong_covariance, (np.c_[A, B],)),
        (fc.delong_pairwise_test, (np.c_[A, B],)),
        (fc.delong_control_test, (np.c_[A, B], 0)),
    ]:
        with pytest.raises(ValueError, match=message):
            function(Y, *scores, **given)


def test_clusters_of_another_index_are_refused():
    with pytest.raises(ValueError, match="`groups` and `y_true` have different indexes"):
        fc.delong_test(pd.Series(Y), A, B, groups=pd.Series(G, index=range(1, 14)))


def test_newcombe_s_interval_refuses_clusters():
    with pytest.raises(ValueError, match="supports neither weights nor `groups`"):
        fc.roc_auc_interval(Y, A, method="newcombe", groups=G)


def test_cases_without_a_cluster_may_be_left_out():
    groups = [None if i in (3, 7) else f"p{g}" for i, g in enumerate(G)]
    scores = np.where(np.arange(13) == 9, np.nan, A)
    with pytest.warns(fc.DroppedCasesWarning, match="3 of 13 cases"):
        result = fc.delong_test(Y, scores, B, groups=groups, nan_policy="omit")
    kept = ~np.isin(np.arange(13), (3, 7, 9))
    want = fc.delong_test(Y[kept], A[kept], B[kept], groups=G[kept])
    assert result.to_dict() == want.to_dict() | {"n_dropped": 3}


def test_one_cluster_that_is_left_is_refused():
    groups = np.where(np.arange(13) == 0, 1.0, 0.0)
    scores = np.where(np.arange(13) == 0, np.nan, A)
    with (
        pytest.warns(fc.DroppedCasesWarning),
        pytest.raises(ValueError, match=">= 2 clusters"),
    ):
        fc.delong_test(Y, scores, B, groups=groups, nan_policy="omit")


KEPT = [
    ("strings", [f"p{g}" for g in G]),
    ("wide integers", G + 2**60),
    ("floats", G / 7),
    ("a column", G[:, None]),
    ("pandas", pd.Series(G)),
    ("pandas text", pd.Series([f"p{g}" for g in G])),
    ("pandas category", pd.Series([f"p{g}" for g in G]).astype("category")),
    ("polars", pl.Series([f"p{g}" for g in G])),
]


@pytest.mark.parametrize("groups", [pytest.param(row[1], id=row[0]) for row in KEPT])
def test_clusters_may_have_names_of_any_type(groups):
    assert (
        fc.delong_test(Y, A, B, groups=groups).to_dict()
        == fc.delong_test(Y, A, B, groups=G).to_dict()
    )


def test_clusters_may_be_booleans():
    want = fc.delong_test(Y, A, B, groups=G % 2)
    assert fc.delong_test(Y, A, B, groups=G % 2 == 1).to_dict() == want.to_dict()
