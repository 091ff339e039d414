"""What sentences, pages and pictures say of pairs: which are meant, all of few, on which side."""

import numpy as np
import pytest

import fastcompare as fc
from fastcompare._report.formats import show_intervals
from fastcompare._results.remarks import status_remarks
from fastcompare.plots._estimates import interval_texts

RNG = np.random.default_rng(5)
LABELS = np.arange(200) % 2
SCORE = LABELS + RNG.normal(size=200)
ALIKE = {"a": 2.0 * LABELS + SCORE, "b": SCORE, "c": 10.0 * SCORE}
MEANS = np.array([0.0, 1.0, 2.0, 3.0])
FOUR = dict(zip("abcd", (MEANS[:, None] + RNG.normal(0, 0.2, (4, 60))), strict=True))


def texts_of(ax):
    """The texts of axes."""
    return [text.get_text() for text in ax.texts]


def test_status_remarks_name_the_pair_of_models_that_are_identical():
    pairs = fc.delong_pairwise_test(LABELS, ALIKE)
    wanted = "'b' and 'c' rank or classify all cases identically: the difference is exactly 0."
    assert status_remarks(pairs) == (wanted,)
    assert wanted in fc.compare(LABELS, ALIKE).checks
    two = fc.delong_test(LABELS, SCORE, 10.0 * SCORE)
    assert status_remarks(two, two) == (
        "The models rank or classify all cases identically: the difference is exactly 0.",
    )


def test_status_remarks_count_and_name_several_pairs():
    several = fc.delong_pairwise_test(LABELS, {**ALIKE, "d": SCORE**3})
    (sentence,) = status_remarks(several)
    assert sentence.endswith("(3 of 6: 'b' and 'c'; 'b' and 'd'; 'c' and 'd').")


def test_mean_pairwise_test_names_up_to_six_significant_pairs():
    text = fc.mean_pairwise_test(FOUR).summary()
    assert text.count("adjusted p") == 6
    assert ": d scores higher than a by " in text
    assert "; c scores higher than a by " in text
    assert "; b scores higher than a by " in text


def test_mean_pairwise_test_says_where_more_pairs_are():
    five = {**FOUR, "e": FOUR["d"] + 1.0 + RNG.normal(0, 0.1, 60)}
    text = fc.mean_pairwise_test(five).summary()
    assert text.count("adjusted p") == 4
    assert "; 6 pairs of other models differ significantly (in the table of pairs)." in text


def test_compare_words_pairs_around_the_best_model_where_lower_is_better():
    result = fc.compare(FOUR, kind="items", higher_is_better=False)
    assert ": a scores better (lower) than d by " in result.summary()
    assert result._headline() == "a scores better (lower) than b, c and d."


@pytest.mark.parametrize("name", ["mcnemar_pairwise_test", "cochran_q_test"])
def test_mcnemar_pairwise_test_and_cochran_q_test_count_clusters(name):
    right = {model: RNG.random(200) < 0.6 for model in "abc"}
    text = getattr(fc, name)(correct=right, groups=np.arange(200) // 4).summary()
    assert "200 cases in 50 clusters" in text
    assert "test of clustered cases" in text


def test_delong_omnibus_test_counts_clusters():
    text = fc.delong_omnibus_test(LABELS, ALIKE, groups=np.arange(200) // 4).summary()
    assert text.endswith("negative cases in 50 clusters.")


def test_compare_counts_items_once():
    assert fc.compare(FOUR, kind="items").summary().count("60 items") == 1
    assert fc.mean_pairwise_test(FOUR).summary().count("60 items") == 1


def test_show_intervals_never_rounds_a_limit_to_0():
    assert show_intervals([(-0.00004, 0.1), (0.2, 0.3)])[0] == "-0.000040 to 0.100000"
    assert show_intervals([(0.0, 0.1)]) == ["0.0000 to 0.1000"]
    assert show_intervals([(-1e-12, 0.1)]) == ["0.0000 to 0.1000"]


def test_forest_never_rounds_a_limit_to_0_and_says_what_its_numbers_are():
    limits = np.array([-0.00004]), np.array([0.05]), np.array([0.1])
    assert interval_texts(*limits) == ["0.050 (\u22120.00004 to 0.100)"]
    ax = fc.plots.forest(fc.delong_pairwise_test(LABELS, ALIKE))
    assert "difference (95% CI)" in texts_of(ax)
    ax = fc.plots.forest(fc.delong_pairwise_test(LABELS, ALIKE), of="models")
    assert "AUC (95% CI)" in texts_of(ax)
