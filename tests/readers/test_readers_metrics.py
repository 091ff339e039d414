"""Reader studies of shares, of means and of losses, as of training runs with seeds."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc

RNG = np.random.default_rng(8)
TRUTH = np.repeat([1, 0], (40, 60))
RATINGS = RNG.normal(size=(2, 4, 100)) + RNG.normal(size=100) + TRUTH
CALLS = (RATINGS > 0.5).astype(int)
QUIET = {"on_undefined": "ignore"}


def by_hand(values):
    """Figures (t, r) and their covariance of numbers (t, r, n)."""
    t, r, n = values.shape
    return values.mean(axis=2), np.cov(values.reshape(t * r, n)) / n


def excess_of(covariance, t, r):
    """Cov2 - Cov3 of a covariance of t r figures."""
    table = covariance.reshape(t, r, t, r)
    off = ~np.eye(r, dtype=bool)
    same = np.mean([table[i, :, i][off].mean() for i in range(t)])
    other = np.mean([table[i, :, k][off].mean() for i in range(t) for k in range(t) if i != k])
    return same - other


@pytest.mark.parametrize("metric", ["sensitivity", "specificity", "mean", "loss"])
@pytest.mark.parametrize("kind", ["delong", "unbiased", "jackknife"])
def test_shares_and_means_have_the_covariance_of_their_cases_in_reader_study_test(metric, kind):
    own = TRUTH == 1 if metric == "sensitivity" else TRUTH == 0
    values = CALLS[:, :, own] if metric == "sensitivity" else 1 - CALLS[:, :, own]
    data = CALLS
    if metric in ("mean", "loss"):
        data = values = RATINGS
    figures, covariance = by_hand(values)
    result = fc.reader_study_test(data, truth=TRUTH, metric=metric, covariance=kind, **QUIET)
    study = result.study
    assert_allclose(study.figures, figures, rtol=1e-13)
    assert_allclose(study.components["error"], np.diag(covariance).mean(), rtol=1e-12)
    gaps = figures[0] - figures[1]
    d = gaps.var(ddof=1) / 2 + 4 * max(excess_of(covariance, 2, 4), 0.0)
    assert_allclose(result.standard_error, np.sqrt(2 * d / 4), rtol=1e-11)
    assert_allclose(result.estimate, gaps.mean(), rtol=1e-12)


def test_seeds_of_two_algorithms_are_compared_by_losses_without_a_truth_in_reader_study_test():
    losses = {name: {f"seed {j}": row for j, row in enumerate(table)}
              for name, table in zip(("a", "b"), RATINGS**2, strict=True)}  # fmt: skip
    result = fc.reader_study_test(losses, metric="loss", **QUIET)
    assert not result.higher_is_better
    ahead = "b" if result.estimate > 0 else "a"
    if result.pvalue <= 0.05:
        assert f"{ahead} has a significantly lower mean loss" in result.summary()
    assert "4 readers, 100 cases" in result.summary()


def test_fixed_readers_and_one_mean_are_the_paired_t_statistic_in_reader_study_test():
    result = fc.reader_study_test(RATINGS[:, :1], metric="mean", random="cases")
    wanted = stats.ttest_rel(RATINGS[0, 0], RATINGS[1, 0])
    assert_allclose(result.statistic, wanted.statistic, rtol=1e-12)


def test_fixed_cases_are_the_paired_t_test_of_the_readers_figures_in_reader_study_test():
    result = fc.reader_study_test(RATINGS, truth=TRUTH, random="readers", **QUIET)
    wanted = stats.ttest_rel(*result.study.figures)
    assert_allclose(result.statistic, wanted.statistic, rtol=1e-12)
    assert_allclose(result.pvalue, wanted.pvalue, rtol=1e-12)


def test_identical_losses_have_p_1_in_reader_study_test():
    for values in (RATINGS[0], CALLS[0], 1e-90 * RATINGS[0]):
        result = fc.reader_study_test([values, values], metric="mean", **QUIET)
        assert (result.pvalue, result.status) == (1.0, "identical")


def test_ratings_are_no_decisions_in_reader_study():
    with pytest.raises(fc.InvalidValueError, match=r"`score` must be 0 or 1.*sensitivity"):
        fc.reader_study(RATINGS, truth=TRUTH, metric="sensitivity")


LONG = {
    name: place.ravel()
    for name, place in zip(("treatment", "reader", "case"), np.indices(RATINGS.shape), strict=True)
}
LONG |= {"truth": TRUTH[LONG["case"]], "score": RATINGS.ravel()}


def test_compare_recognises_readers_by_the_names_of_columns():
    found = fc.compare(LONG, **QUIET)
    wanted = fc.reader_study_test(LONG, **QUIET)
    assert (found.kind, found.design, found.names) == ("readers", "crossed", ("0", "1"))
    assert found.result.pvalue == wanted.pvalue
    assert found.values == dict(zip(("0", "1"), wanted.values.tolist(), strict=True))
    assert "a reader study" in found.decisions[0]
    assert "4 readers who score all cases" in found.reasons[0]
    assert wanted.summary() == found.summary()
    told = fc.recommend(LONG)
    assert (told.kind, told.n, told.n_models) == ("readers", 4, 2)
    assert told.tests[0].test == "reader_study_test"
    beside = fc.compare(RATINGS, TRUTH, kind="readers", **QUIET)
    assert beside.result.pvalue == wanted.pvalue


def test_compare_tests_all_pairs_of_three_treatments():
    three = np.concatenate([RATINGS, RATINGS[:1] + RNG.normal(size=RATINGS[:1].shape)])
    found = fc.compare(three, TRUTH, kind="readers", **QUIET)
    assert list(found.tests) == ["omnibus", "pairs"]
    assert len(found.pairs) == 3
    pairs = fc.reader_study_pairwise_test(three, truth=TRUTH, **QUIET)
    assert found.result.adjusted_pvalue.tolist() == pairs.adjusted_pvalue.tolist()
    losses = fc.compare(RATINGS, kind="readers", higher_is_better=False, on_undefined="ignore")
    assert losses.quantity == "mean loss"
    assert not losses.result.higher_is_better


def test_a_comparison_of_readers_has_its_tables_and_page_in_compare(tmp_path):
    found = fc.compare(LONG, **QUIET)
    text = str(found)
    assert "Cov2: same treatment" in text
    assert "treatments by readers" in text
    page = found.report(tmp_path / "page.html").read_text()
    assert "Cov3: neither" in page
    assert "<svg" in page
    assert len(found.to_frame(of="readers")) == 4
