"""Columns, rows and labels that are something else than they are taken for: an error, or a word."""

import numpy as np
import pytest

import fastcompare as fc

Y = np.random.default_rng(0).integers(0, 2, 60)
OTHER = np.where(np.arange(60) % 5, Y, 1 - Y)

SPELLINGS = {
    "case": (np.array(["no", "yes"]), np.array(["No", "Yes"])),
    "blanks": (np.array(["no", "yes"]), np.array(["no", "yes "])),
    "1 and 2": (np.array([0, 1]), np.array([1, 2])),
    "1.0 and 2.0": (np.array([0, 1]), np.array([1.0, 2.0])),
    "nothing in common": (np.array([0, 1]), np.array([5, 7])),
    "words": (np.array(["0", "1"]), np.array(["no", "yes"])),
}
CALLS = {
    "mcnemar_test": lambda y, a, b: fc.mcnemar_test(y, a, b),
    "mcnemar_pairwise_test": lambda y, a, b: fc.mcnemar_pairwise_test(y, {"a": a, "b": b}),
    "an array": lambda y, a, b: fc.cochran_q_test(y, np.stack([a, b], axis=1)),
    "accuracy_interval": lambda y, a, b: fc.accuracy_interval(y, b),
    "compare": lambda y, a, b: fc.compare(y, a, b, kind="labels"),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize(("known", "written"), SPELLINGS.values(), ids=SPELLINGS)
def test_labels_that_never_meet_the_truth_are_refused_with_both_sets(call, known, written):
    assert call(known[Y], known[OTHER], known[OTHER]) is not None
    if call is CALLS["an array"]:
        known = known.astype(written.dtype)
    with pytest.raises(ValueError, match="written in two ways") as caught:
        call(known[Y], known[OTHER], written[OTHER])
    for value in (known[0], written[1]):
        assert str(value).removesuffix(".0") in str(caught.value)


def test_models_that_are_always_wrong_or_of_one_class_are_none_of_these():
    assert fc.mcnemar_test(Y, 1 - Y, Y).n10 == 0
    assert fc.accuracy_interval([0, 0, 0], [1, 1, 1]).estimate == 0.0
    assert fc.accuracy_interval([0, 1, 0], [2, 2, 2]).estimate == 0.0
    assert fc.cochran_q_test(Y, {"a": Y, "never": np.zeros(60, int)}).n == 60
