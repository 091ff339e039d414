"""What the measures of agreement take and refuse."""

import itertools
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal, assert_equal

import fastcompare as fc
from tests.shared.agreement_measures import SINGLE, T, quiet


def test_labels_of_any_kind_and_the_result_of_contingency_table():
    y = np.array(["cat", "dog", "cow", "dog", "cat", "cow", "cat"])
    a = np.array(["cat", "dog", "dog", "cow", "cat", "cow", "cow"])
    b = np.array(["cat", "dog", "dog", "dog", "dog", "cow", "cat"])
    number = dict(zip(("cat", "dog", "cow"), (5, -2, 9), strict=True))
    coded = [[number[label] for label in labels] for labels in (y, a, b)]
    counted = fc.contingency_table(y, a, b)
    for measure in SINGLE:
        want = quiet(measure, y, a, b).to_dict()
        assert_equal(quiet(measure, *coded).to_dict(), want)
        assert_equal(quiet(measure, counted).to_dict(), want)
    assert_array_equal(y[:2], ["cat", "dog"])


def test_cases_without_a_label_are_left_out_on_request_in_disagreement():
    y, a, b = [1, 0, 1, 1, 0], [1, math.nan, 1, 0, 1], [1, 0, 0, 0, 0]
    with pytest.raises(ValueError, match="`y_pred_a`"):
        fc.disagreement(y, a, b)
    with pytest.warns(fc.DroppedCasesWarning):
        found = fc.disagreement(y, a, b, nan_policy="omit")
    assert found.n_dropped == 1
    assert float(found) == 0.5


@pytest.mark.parametrize("function", SINGLE.values())
def test_what_all_refuse(function):
    with pytest.raises(ValueError, match="at least 0"):
        function([[1, -2], [3, 4]])
    with pytest.raises(TypeError, match="`y_true` must come with both"):
        function([1, 0], [1, 0])
    with pytest.raises(ValueError, match=r"square|n11"):
        function([[1, 2, 3], [4, 5, 6], [7, 8, 9]])


def test_counts_beyond_64_bits_and_a_host_that_raises_on_every_float_error():
    huge = [[x << 56 for x in row] for row in T]
    with np.errstate(all="raise"):
        for measure in SINGLE:
            found = quiet(measure, huge)
            assert_allclose(float(found), float(SINGLE[measure](T)), rtol=1e-14)
            assert found.table.sum() == 200 << 56
            for empty in itertools.product((0, 3), repeat=3):
                quiet(measure, np.reshape([1, *empty], (2, 2))).summary()


def test_a_lack_of_labels_names_no_clusters_in_cohen_kappa():
    with pytest.raises(fc.InvalidTypeError, match=r"or a table of counts alone\.$"):
        fc.cohen_kappa([0, 1, 1], [1, 1, 0])
