"""Intervals beside adjusted p-values are simultaneous in tables, pictures and pages."""

import warnings

import numpy as np
import pytest

import fastcompare as fc

CASES = fc.load_predictions()
FOLDS = fc.load_fold_scores()
SIZES = {"n_train": FOLDS.n_train, "n_test": FOLDS.n_test}
LABELS = {name: (scores > 0.5).astype(int) for name, scores in CASES.scores.items()}
RESULTS = {
    "AUCs": fc.delong_pairwise_test(CASES.y_true, CASES.scores),
    "means": fc.mean_pairwise_test(CASES.scores),
    "folds": fc.ttest_corrected_pairwise_test(FOLDS.scores, **SIZES),
    "labels": fc.mcnemar_pairwise_test(CASES.y_true, LABELS),
}
NOT_ADJUSTED = fc.delong_pairwise_test(CASES.y_true, CASES.scores, correction="none")


def words_of(result):
    """All words of the forest plot of a result."""
    return " ".join(text.get_text() for text in fc.plots.forest(result).texts)


def ends_in(result):
    """The intervals of the table of pairs, in the order of the result."""
    return result.to_frame(of="pairs")[["ci_low", "ci_high"]].to_numpy().T


@pytest.mark.parametrize("name", RESULTS)
def test_tables_and_pictures_have_simultaneous_intervals(name):
    result = RESULTS[name]
    want = np.array(result.confidence_interval(simultaneous=True))
    np.testing.assert_allclose(ends_in(result), want)
    assert "simultaneous 95% CI" in result.to_markdown("pairs")
    assert "simultaneous 95% CI" in result.to_html("pairs")
    assert "simultaneous intervals" in words_of(result)
    assert not np.allclose(want, np.array(result.confidence_interval()))


def test_intervals_beside_p_values_that_are_not_adjusted_are_not_widened():
    want = np.array(NOT_ADJUSTED.confidence_interval())
    np.testing.assert_allclose(ends_in(NOT_ADJUSTED), want)
    assert "simultaneous" not in NOT_ADJUSTED.to_markdown("pairs")
    assert "simultaneous" not in words_of(NOT_ADJUSTED)


def test_what_compare_shows_of_pairs_does_not_contradict_their_verdict():
    """With Bonferroni's correction an interval leaves 0 out only where a pair is significant."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        scores = {f"m{j}": rng.normal(0.05 * j, 1.0, 40) for j in range(5)}
        with warnings.catch_warnings(action="ignore"):
            found = fc.compare(scores, kind="items", correction="bonferroni")
        for pair in found.pairs:
            if pair.low > 0.0 or pair.high < 0.0:
                assert pair.adjusted_pvalue <= 0.05 + 1e-3 or pair.pvalue < 0.02


def test_models_have_intervals_of_their_own_in_latex():
    for name in ("AUCs", "labels"):
        assert "95\\% CI" in RESULTS[name].to_latex("models")


def disagreeing(result):
    """The pairs whose interval in the table leaves 0 out and is not significant, or inversely."""
    low, high = result.confidence_interval(simultaneous=True)
    excludes = (low > 0.0) | (high < 0.0)
    wrong = np.flatnonzero(excludes != (result.adjusted_pvalue <= 0.05))
    return [" against ".join(result.pairs[p]) for p in wrong.tolist()]


@pytest.mark.parametrize("correction", ["shaffer", "fdr_bh"])
def test_a_table_names_the_pairs_on_which_its_intervals_and_p_values_disagree(correction):
    rng, found = np.random.default_rng(3), 0
    for _ in range(10):
        y = np.arange(60) % 2
        scores = {f"m{j}": rng.normal(size=60) + 0.45 * j * y for j in range(3)}
        result = fc.delong_pairwise_test(y, scores, correction=correction)
        pairs, table = disagreeing(result), result.to_markdown("pairs")
        assert ("simultaneous intervals disagree" in table) == bool(pairs)
        assert all(pair in table for pair in pairs)
        found += len(pairs)
    assert found


def test_of_intervals_at_another_level_than_alpha_nothing_is_said():
    for result in RESULTS.values():
        assert "disagree" not in result.to_markdown("pairs", confidence_level=0.5)


@pytest.mark.parametrize("test", ["means", "labels", "AUCs"])
def test_bounds_of_several_identical_pairs_cover_together_in_tables_too(test):
    """The largest statistic is one of pairs that vary: its level is not that of the others.

    The true differences that bounds just reach leave each pair of copies identical with a chance
    of (1 - reach)^n, of which the sum is the chance that some bound misses. It was 2.9% at the
    level of max-t for three pairs among 15, more than the 2.5% of one side of all intervals.
    In 2000 samples of mcnemar_pairwise_test (200 items, three models that are right in 70%, and
    copies that fail in 2.31%) some simultaneous interval missed in 3.3% at the level of max-t,
    5.9% by Bonferroni over identical pairs alone (there is often one), 2.6% over all pairs, as
    without any bound.
    """
    rng, n = np.random.default_rng(0), 200
    y = np.arange(n) % 2
    base = rng.random((3, n)) < 0.7 if test != "AUCs" else rng.normal(size=(3, n)) + y
    models = {f"{name}{i}": 1.0 * base[i] for i in range(3) for name in "ab"}
    if test == "labels":
        models = {name: values.astype(int) for name, values in models.items()}
        result = fc.mcnemar_pairwise_test(np.ones(n, int), models)
    elif test == "means":
        result = fc.mean_pairwise_test(models)
    else:
        result = fc.delong_pairwise_test(y, models)
    units = n // 2 if test == "AUCs" else n
    identical = [p for p, (first, second) in enumerate(result.pairs) if first[1] == second[1]]
    reach = result.confidence_interval(simultaneous=True).high[identical]
    alone = result.confidence_interval(1 - 0.05 / len(result.pairs)).high[identical]
    np.testing.assert_array_equal(reach, alone)
    if test != "labels":  # whose own intervals are by a score test
        np.testing.assert_allclose((1 - reach) ** units, 0.025 / len(result.pairs), rtol=1e-9)
    table = result.to_frame("pandas", of="pairs")["ci_high"].to_numpy()[identical]
    np.testing.assert_allclose(table, reach)
    others = result.confidence_interval(result._level_of_each(0.95))
    varying = np.delete(np.arange(len(result.pairs)), identical)
    got = np.array(result.confidence_interval(simultaneous=True))[:, varying]
    np.testing.assert_array_equal(got, np.array(others)[:, varying])  # of max-t, as before
