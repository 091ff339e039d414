"""Answers in clusters or with weights: one question has one answer, in any coding."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc
from fastcompare._inference.answers import restricted_lone_share

QUIET = {"on_undefined": "ignore"}
CLAIMS = [("two-sided", 0.0), ("greater", 0.1), ("less", 0.1), ("equivalence", 0.2)]
CODINGS = [(1.0, 5.0), (0.0, 100.0), (-1.0, 1.0), (2.5, 2.75)]


def whole_clusters(count, rng, other=0.08):
    """Return answers of a model that fails on whole clusters, and of one that fails on cases."""
    sizes = np.ceil(rng.lognormal(np.log(5), 1, count)).astype(int)
    groups = np.repeat(np.arange(count), sizes)
    a = 1.0 - (rng.random(count) < 0.08)[groups]
    return a, 1.0 * (rng.random(groups.size) > other), groups


def answers(seed, n=30):
    """Return answers of two models, clusters of unequal sizes, and weights."""
    rng = np.random.default_rng(seed)
    a, b = 1.0 * (rng.random((2, n)) < rng.uniform(0.3, 1.0, (2, 1)))
    return a, b, np.sort(rng.integers(0, 9, n)), rng.lognormal(size=n)


@pytest.mark.slow
@given(
    st.integers(0, 2**32 - 1), st.sampled_from(CLAIMS), st.sampled_from(CODINGS), st.integers(0, 3)
)
def test_answers_have_the_same_paired_mean_test_in_any_coding(seed, claim, coding, kind):
    a, b, groups, weights = answers(seed)
    links = [
        {},
        {"groups": groups},
        {"sample_weight": weights},
        {"groups": groups, "sample_weight": weights},
    ]
    low, width = coding[0], coding[1] - coding[0]
    options = {"alternative": claim[0], **links[kind], **QUIET}
    want = fc.paired_mean_test(a, b, margin=claim[1], **options)
    codes = low + width * np.array([a, b])
    found = fc.paired_mean_test(*codes, margin=width * claim[1], **options)
    if np.ptp(codes):  # of one value only, the scale is unknown
        assert_allclose(found.pvalue, want.pvalue, rtol=1e-7)
        ends = np.array(want.confidence_interval(0.9))
        assert_allclose(np.array(found.confidence_interval(0.9)), width * ends, atol=1e-7 * width)
        assert found.method == want.method


def test_paired_mean_test_of_equal_ratings_claims_no_more_than_their_number_bounds():
    fives = np.full(5, 5.0)
    claim = {"alternative": "greater", "margin": 0.5, **QUIET}
    assert_allclose(fc.paired_mean_test(fives, fives, **claim).pvalue, (1 - 0.5 / 5) ** 5)
    chunks = [(fives[:2], fives[:2]), (fives[2:], fives[2:])]
    assert_allclose(fc.paired_mean_test(chunks, **claim).pvalue, (1 - 0.5 / 5) ** 5)


@pytest.mark.slow
@given(st.integers(0, 2**32 - 1))
def test_mcnemar_test_and_paired_mean_test_of_answers_in_clusters_agree(seed):
    a, b, groups, _ = answers(seed, 40)
    if (a == b).all():
        return
    tests = [
        fc.paired_mean_test(a, b, groups=groups, **QUIET),
        fc.mcnemar_test(correct_a=a > 0, correct_b=b > 0, groups=groups, **QUIET),
        fc.mean_pairwise_test({"a": a, "b": b}, groups=groups, **QUIET),
        fc.mcnemar_pairwise_test(correct={"a": a > 0, "b": b > 0}, groups=groups, **QUIET),
        fc.compare({"a": a, "b": b}, kind="items", groups=groups, **QUIET).result,
        fc.compare(
            np.ones(a.size, int),
            {"a": a.astype(int), "b": b.astype(int)},
            kind="labels",
            groups=groups,
            **QUIET,
        ).result,
    ]
    p = [float(np.ravel(test.pvalue)[0]) for test in tests]
    assert_allclose(p, p[0], rtol=1e-9)
    ends = [np.ravel(test.confidence_interval(0.9))[:2] for test in tests]
    for one in ends:
        assert_allclose(one, ends[0], atol=1e-9)
    words = [str(np.ravel(test.status)[0]) for test in tests]
    assert len(set(words)) == 1
    margin = {"alternative": "greater", "margin": 0.1, "groups": groups, **QUIET}
    one = fc.paired_mean_test(a, b, **margin)
    other = fc.mcnemar_test(correct_a=a > 0, correct_b=b > 0, **margin)
    assert_allclose(one.pvalue, other.pvalue, rtol=1e-9)
    assert one.status == other.status


def definition(a, b, groups):
    """Return the statistic of two models' answers in clusters by loops over clusters and cases."""
    n, labels = a.size, sorted(set(groups.tolist()))
    d = a - b
    lead = d.mean()
    shares = [(groups == g).mean() for g in labels]
    sums = [(d[groups == g] - lead).sum() / n for g in labels]
    square = sum(s * s / (1 - p) for s, p in zip(sums, shares, strict=True))
    failing = (d < 0) if lead > 0 else (d > 0)
    rate, hit, both, pairs = failing.mean(), 0, 0, 0
    for g in labels:
        own = failing[groups == g]
        hit += own.any()
        both += own.sum() * (own.sum() - 1)
        pairs += own.sum() * (own.size - 1)
    rho = max((both / pairs - rate) / (1 - rate), 0.0) if pairs and rate < 1 else 0.0
    inflation = sum(p * p for p in shares) * n - 1
    least = (np.abs(d).mean() / 2) * (1 + rho * inflation) / n
    possible = (hit * rho + 1) / (hit + 1)
    right = a.mean(), b.mean()
    better, worse = right if lead > 0 else right[::-1]
    u = (1 - min(abs(lead) / max(better, 1 - worse), 1.0)) ** (n / (1 + possible * inflation))
    p = np.array(shares)
    c = 1 / (1 - p)
    df = 1 / ((p**2).sum() + (c * p**2).sum() ** 2 - (c**2 * p**4).sum())
    enough = stats.t.isf(u, df)
    return max(abs(lead) / max(least, square) ** 0.5, min(abs(lead) / square**0.5, enough))


@given(st.integers(0, 2**32 - 1))
def test_mcnemar_test_of_answers_in_clusters_is_its_definition(seed):
    a, b, groups, _ = answers(seed, 40)
    found = fc.mcnemar_test(correct_a=a > 0, correct_b=b > 0, groups=groups, **QUIET)
    if found.standard_error > 0 and found.estimate:
        assert_allclose(np.sqrt(found.statistic), definition(a, b, groups), rtol=1e-8)


@given(st.floats(0, 0.5), st.floats(0, 0.5), st.floats(-0.9, 0.9))
def test_lone_failures_of_linked_answers_are_the_likeliest_under_the_null(first, second, null):
    if first + second == 0 or not null < first - second:
        return
    found = restricted_lone_share(first, second, null)
    both = 1.0 - first - second
    least, most = max(0.0, -null), (1.0 - null) / 2
    c = np.linspace(least, most, 20_001)[1:-1]
    with np.errstate(divide="ignore"):
        log = (
            first * np.log(c + null)
            + second * np.log(c)
            + both * np.log(np.maximum(1 - 2 * c - null, 1e-300))
        )
    assert abs(c[np.argmax(log)] - found) <= 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("count", [25, 50, 100])
def test_mcnemar_test_of_a_model_that_fails_on_whole_clusters_seldom_errs_in_silence(count):
    rng = np.random.default_rng(count)
    silent = 0
    for _ in range(500):
        a, b, groups = whole_clusters(count, rng)
        found = fc.mcnemar_test(correct_a=a > 0, correct_b=b > 0, groups=groups, **QUIET)
        silent += found.pvalue < 0.05 and found.status == "ok"
    assert silent <= 0.045 * 500  # 21 to 24% by t


@pytest.mark.slow
def test_mcnemar_test_of_right_answers_in_few_clusters_has_the_power_of_t():
    rng = np.random.default_rng(0)
    found = by_t = 0
    for _ in range(1000):
        groups = np.repeat(np.arange(12), rng.integers(3, 8, 12))
        own = rng.beta([[1.6], [1.2]], [[0.7], [1.2]], (2, 12))[:, groups]
        a, b = 1.0 * (rng.random(own.shape) < own)
        options = {"groups": groups, **QUIET}
        found += fc.mcnemar_test(correct_a=a > 0, correct_b=b > 0, **options).pvalue < 0.05
        by_t += fc.paired_mean_test(a, b, method="t", **options).pvalue < 0.05
    assert found >= 0.97 * by_t > 200


@pytest.mark.slow
def test_mean_interval_of_few_wrong_answers_counts_no_more_than_kish_s_number():
    rng = np.random.default_rng(5)
    missed = 0
    for _ in range(200):
        weights = np.where(rng.random(300) < 0.2, 16.0, 1.0)
        low, high = fc.mean_interval(
            1.0 * (rng.random(300) < 0.99), sample_weight=weights
        ).confidence_interval()
        missed += not low <= 0.99 <= high
    assert missed <= 0.07 * 200  # 50% by the standard error alone


def test_the_warning_of_paired_mean_test_has_the_numbers_of_failures_that_would_explain():
    rng = np.random.default_rng(1)
    a, b = np.full(30, 5.0), np.where(rng.random(30) < 0.3, 4.0, 5.0)
    with pytest.warns(fc.SmallSampleWarning, match="unseen_failures.* none of them among these 30"):
        found = fc.paired_mean_test(a, b)
    lead = (a - b).mean()
    assert f"A failure of the first model in {100 * lead / 4:.2g}% of items" in found.summary()
    assert f"(probability {(1 - lead / 4) ** 30:.2f})" in found.summary()
    with pytest.warns(fc.SmallSampleWarning, match="unseen_failures"):
        pairs = fc.mean_pairwise_test({"a": a, "b": b})
    assert pairs.status.tolist() == ["unseen_failures"]
    cost = np.zeros(20), rng.normal(1.0, 0.1, 20)
    with pytest.warns(fc.SmallSampleWarning, match="A score far from those observed of the first"):
        fc.paired_mean_test(*cost)
    with pytest.warns(fc.SmallSampleWarning, match="A score far from those observed of the second"):
        fc.paired_mean_test(rng.normal(0.5, 1.0, 50), np.zeros(50))
    many = rng.normal(0.1, 1.0, 5000)  # it takes a score too far away to be plausible
    assert fc.paired_mean_test(many, np.zeros(5000)).status == "ok"
    assert fc.mean_pairwise_test({"a": many, "b": np.zeros(5000)}).status.tolist() == ["ok"]


def test_scoring_test_warns_of_surprises_that_would_explain_the_lead_of_an_almost_sure_model():
    y = np.tile([1, 0], 10)
    given = np.random.default_rng(0).uniform(0.7, 0.9, 20)
    sure, timid = np.where(y, 0.999, 0.001), np.where(y, given, 1 - given)
    with pytest.warns(fc.SmallSampleWarning, match="unseen_failures.*none of them among these 20"):
        found = fc.scoring_test(y, sure, timid)
    lead = -found.estimate
    jump = np.mean((1 - y - sure) ** 2 - (y - sure) ** 2)  # it was never wrong: it may be alone
    assert f"A failure of the first model in {100 * lead / jump:.2g}% of cases" in found.summary()
    with pytest.warns(fc.SmallSampleWarning, match="unseen_failures"):
        pairs = fc.scoring_pairwise_test(y, {"sure": sure, "timid": timid})
    assert "A failure of sure in" in pairs.summary()
    assert fc.scoring_test(y, timid, sure, on_undefined="ignore").status == "unseen_failures"
