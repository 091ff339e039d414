"""What McNemar's test refuses: tables without meaning, options that do not go together."""

import math

import pytest

import fastcompare as fc
from tests.reference import labels as reference

T = reference.TABLE
REFUSED = {
    "negative": [[1, -2], [3, 4]],
    "fractional": [[1, 2.5], [3, 4]],
    "NaN": [[1, math.nan], [3, 4]],
    "infinite": [[1, math.inf], [3, 4]],
    "three rows": [[1, 2, 3], [4, 5, 6], [7, 8, 9]],
    "not square": [[1, 2, 3], [4, 5, 6]],
    "ragged": [[1, 2], [3]],
    "flat": [1, 2, 3, 4],
    "all zero": [[0, 0], [0, 0]],
    "a number": 7,
}


@pytest.mark.parametrize("what", REFUSED)
def test_meaningless_tables_are_refused_in_mcnemar_test(what):
    with pytest.raises(fc.InvalidValueError, match="`y_true"):
        fc.mcnemar_test(REFUSED[what])


@pytest.mark.parametrize("cell", ["1", True, None, 1j])
def test_other_objects_are_no_counts_in_mcnemar_test(cell):
    with pytest.raises(fc.InvalidTypeError, match=r"`y_true\[0, 1\]` must be a count"):
        fc.mcnemar_test([[1, cell], [3, 4]])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "mid-pp"}, "Did you mean 'midp'"),
        ({"interval": "exact"}, "`interval` must be one of"),
        ({"method": "exact", "continuity": True}, "'asymptotic' with continuity=True"),
        ({"method": "midp", "alternative": "greater", "margin": 0.1}, "with a margin"),
        ({"continuity": True, "alternative": "less", "margin": 0.1}, "`continuity` must be False"),
        ({"margin": 0.1}, "needs a direction"),
        ({"alternative": "equivalence"}, "needs `margin`"),
    ],
)
def test_options_that_do_not_go_together_are_refused_in_mcnemar_test(options, message):
    with pytest.raises(fc.InvalidValueError, match=message):
        fc.mcnemar_test(T, **options)


def test_labels_need_both_models_and_clusters_need_labels_in_mcnemar_test():
    for args, options in (([[1, 0], [1, 0]], {}), ([T], {"groups": [1, 2]}), ([T, T], {})):
        with pytest.raises(fc.InvalidTypeError, match="must come with both"):
            fc.mcnemar_test(*args, **options)
    with pytest.raises(fc.InvalidTypeError, match="`continuity` must be True or False"):
        fc.mcnemar_test(T, continuity="holm")


def test_equivalence_needs_a_level_above_a_half_in_mcnemar_test():
    result = fc.mcnemar_test([[9, 0], [0, 1]], alternative="equivalence", margin=0.3)
    with pytest.raises(fc.InvalidValueError, match=r"above 0\.5 for equivalence"):
        result.confidence_interval(0.4)
