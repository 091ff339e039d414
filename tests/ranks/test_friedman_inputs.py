"""What Friedman's test takes and refuses, and how scores become ranks."""

import math

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc
from fastcompare.kernels.tables.ranking import MOST_COUNTED, rank_rows, rank_wide_rows
from tests.reference.ranks import D1


def test_two_models_are_sent_to_wilcoxons_test_in_friedman_test():
    with pytest.raises(fc.InvalidValueError, match=r"at least 3 models, got 2\. .*wilcoxon_test"):
        fc.friedman_test([[1, 2], [2, 3], [4, 3]])


def test_one_data_set_is_refused_in_friedman_test():
    with pytest.raises(fc.InvalidValueError, match=r"at least 2 data sets .* got 1"):
        fc.friedman_test([[1, 2, 3]])


def test_missing_scores_are_refused_or_their_data_sets_left_out_in_friedman_test():
    table = {"a": [9, 8, 7, 8, 1], "b": [7, 5, 6, 4, None], "c": [8, 6, 5, 6, 1]}
    with pytest.raises(fc.InvalidValueError, match=r"\b1 missing value .* of 'b' in row 4"):
        fc.friedman_test(table)
    with pytest.warns(fc.DroppedCasesWarning, match="1 of 5 data sets") as record:
        found = fc.friedman_test(table, nan_policy="omit")
    assert record[0].filename == __file__
    assert (found.n, found.n_dropped, found.chi2) == (4, 1, 6.5)
    assert found.names == ("a", "b", "c")


def test_infinite_scores_are_ranked_and_tie_among_themselves_in_friedman_test():
    inf = math.inf
    finite = [[1, 2, 3, 3], [0, 5, 5, 1], [0, 1, 2, 3]]
    infinite = [[1, 2, inf, inf], [-inf, inf, inf, 1], [-inf, 1, 2, inf]]
    of_scores = dict.fromkeys(("medians", "mads"))
    ranked, same = (fc.friedman_test(table).to_dict() for table in (infinite, finite))
    assert ranked | of_scores == same | of_scores


@pytest.mark.parametrize(
    "table",
    [
        2**53 + np.array([[0, 1, 2], [1, 0, 2], [0, 2, 1]]),
        (2**63 + np.array([[0, 1, 2], [1, 0, 2], [0, 2, 1]], object)).astype(np.uint64),
        {
            "a": [2**53, 2**53 + 1, 2**53],
            "b": [2**53 + 1, 2**53, 2**53 + 2],
            "c": [1e17] * 2 + [-1],
        },
        pd.DataFrame(2**60 + np.array([[0, 1, 2], [1, 0, 2], [0, 2, 1]])),
    ],
    ids=["int64", "uint64", "with floats", "frame"],
)
def test_wide_integers_do_not_tie_in_friedman_test(table):
    values = np.array(table.to_numpy() if isinstance(table, pd.DataFrame) else table)
    if isinstance(table, dict):
        small = {"a": [0, 1, 0], "b": [1, 0, 2], "c": [3, 3, -1]}
    else:
        small = (values - values.min()).astype(float)
    assert fc.friedman_test(table).average_ranks.tolist() == (
        fc.friedman_test(small).average_ranks.tolist()
    )


def test_wide_integers_may_be_missing_in_friedman_test():
    a, b, c = [2**53, 2**53 + 1, None], [2**53 + 1, 2**53, 1], [1.5, 2.5, math.nan]
    with pytest.raises(fc.InvalidValueError, match=r"2 missing values .* of 'a' in row 2"):
        fc.friedman_test({"a": a, "b": b, "c": c})
    with pytest.warns(fc.DroppedCasesWarning, match="1 of 3"):
        found = fc.friedman_test({"a": a, "b": b, "c": c}, nan_policy="omit")
    assert found.average_ranks.tolist() == [1.5, 1.5, 3.0]


def test_nothing_is_mutated_and_read_only_tables_are_welcome_in_friedman_test():
    table = np.random.default_rng(0).normal(size=(6, 3))
    before = table.copy()
    table.flags.writeable = False
    strided = np.repeat(np.repeat(table, 2, axis=0), 2, axis=1)[::2, ::2]
    wanted = fc.friedman_test(before).to_dict()
    for given_table in (table, strided, np.asfortranarray(table)):
        assert fc.friedman_test(given_table).to_dict() == wanted
    assert (table == before).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "fisher"}, "`method` must be one of"),
        ({"ties": "average"}, "`ties` must be one of"),
        ({"nan_policy": "keep it"}, "`nan_policy` must be one of"),
        ({"n_resamples": 0}, "`n_resamples` must be at least 1"),
        ({"on_undefined": "silent"}, "`on_undefined` must be one of"),
        ({"method": "permutation", "rng": -1}, "`rng` must be at least 0"),
    ],
)
def test_options_are_checked_in_friedman_test(options, message):
    with pytest.raises(fc.InvalidValueError, match=message):
        fc.friedman_test(D1, **options)


@pytest.mark.parametrize(
    "test",
    [
        fc.friedman_test,
        fc.quade_test,
        fc.friedman_aligned_ranks_test,
        fc.nemenyi_test,
        fc.friedman_pairwise_test,
        fc.conover_test,
        fc.friedman_exact_pairs_test,
        fc.plots.rank_distribution,
    ],
    ids=lambda test: test.__name__,
)
def test_missing_scores_are_never_kept_and_ranked(test):
    table = [[1.0, 2.0, 3.0], [2.0, math.nan, 1.0], [2.0, 3.0, 1.0]]
    with pytest.raises(fc.InvalidValueError, match="`nan_policy` must be one of 'raise', 'omit'"):
        test(table, nan_policy="keep")


TESTS = {
    fc.friedman_test: (),
    fc.quade_test: (),
    fc.friedman_aligned_ranks_test: (),
    fc.skillings_mack_test: (),
    fc.durbin_test: (),
    fc.nemenyi_test: (),
    fc.friedman_pairwise_test: (),
    fc.conover_test: (),
    fc.friedman_exact_pairs_test: (),
    fc.wilcoxon_pairwise_test: (),
    fc.sign_pairwise_test: (),
    fc.control_test: ("a",),
    fc.compare_datasets: (),
}


@pytest.mark.parametrize("test", TESTS, ids=lambda test: test.__name__)
def test_what_to_do_with_the_undefined_is_checked_before_the_scores(test):
    with pytest.raises(fc.InvalidValueError, match="`on_undefined` must be one of"):
        test("no table", *TESTS[test], on_undefined="silent")


def test_a_direction_is_no_word_in_friedman_test():
    with pytest.raises(fc.InvalidTypeError, match="`higher_is_better` must be True or False"):
        fc.friedman_test(D1, higher_is_better="no")


@pytest.mark.slow
@pytest.mark.parametrize("k", [3, 4, 17, MOST_COUNTED, MOST_COUNTED + 1, MOST_COUNTED + 40])
@pytest.mark.parametrize("higher_is_better", [True, False])
def test_ranks_equal_scipys_by_counting_and_by_sorting(k, higher_is_better):
    scores = np.random.default_rng(k).normal(size=(5, k)).round(1)
    found = fc.friedman_test(scores, higher_is_better=higher_is_better, method="chi2")
    wanted = stats.rankdata(-scores if higher_is_better else scores, axis=1)
    assert (found.average_ranks == wanted.mean(axis=0)).all()
    assert_allclose(found.chi2, stats.friedmanchisquare(*scores.T).statistic, rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("descending", [True, False])
def test_counting_and_sorting_are_exchangeable(descending):
    scores = np.random.default_rng(0).normal(size=(4, MOST_COUNTED + 9)).round(1)
    found = []
    for write in (rank_rows, rank_wide_rows):
        doubled, sums = np.empty(scores.shape, np.int64), np.zeros(scores.shape[1], np.int64)
        found.append((write(scores, descending, doubled, sums), doubled.tolist(), sums.tolist()))
    assert found[0] == found[1]
