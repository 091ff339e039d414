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
