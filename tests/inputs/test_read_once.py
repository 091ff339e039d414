"""Values are read once: what was checked is what is compared, whatever a second look would see."""

import inspect
from collections import UserList

import numpy as np
import pytest

import fastcompare as fc
from tests.shared.every_call import CALLS, WITHOUT_DATA, called, given

SINGLE = {("auc_power", "auc"), ("auc_sample_size", "auc")}  # numbers, not columns


class Changing:
    """Values that another library holds, and changes as soon as they are read."""

    def __init__(self, values, changes=True):
        self.values, self.changes, self.reads = values, changes, 0

    def __array__(self, dtype=None, copy=None):
        self.reads += 1
        changed = self.changes and self.reads > 1
        return self.values[::-1].copy() if changed else self.values.copy()


class Walked(UserList):
    """A sequence that counts how often it is walked through."""

    reads = 0

    def __iter__(self):
        self.reads += 1
        return super().__iter__()


def results(name, data):
    """What a function returns, as values that can be compared."""
    found = called(name, **data)
    return getattr(found, "to_dict", lambda: found)()


def read_once(name, data, parameter):
    """What a function makes of a column, or of columns by name, that change at the second read."""
    whole = data[parameter]
    wholes = [whole] + ([dict(enumerate(whole.T))] if whole.ndim == 2 else [])
    for plain in wholes:
        steady, hostile = (
            {key: Changing(column, changes) for key, column in plain.items()}
            if isinstance(plain, dict)
            else Changing(plain, changes)
            for changes in (False, True)
        )
        try:
            want = results(name, data | {parameter: steady})
        except (fc.FastCompareError, TypeError):
            assert isinstance(plain, dict)  # not a form that this function takes
            continue
        np.testing.assert_equal(results(name, data | {parameter: hostile}), want)
        columns = hostile.values() if isinstance(hostile, dict) else [hostile]
        assert {column.reads for column in columns} == {1}, (name, parameter)


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_every_function_reads_values_once(name):
    for data in given(name):
        for parameter, values in data.items():
            if isinstance(values, np.ndarray):
                read_once(name, data, parameter)


def test_sequences_are_walked_through_once():
    scores = Walked(CALLS["wilcoxon_test"]["scores_a"].tolist())
    assert fc.wilcoxon_test(scores).pvalue == fc.wilcoxon_test(scores.data).pvalue
    assert scores.reads == 1
    with pytest.raises(
        fc.InvalidTypeError, match="of one kind"
    ):  # NumPy would make strings of both
        fc.cohen_kappa([1, 0, 1], UserList([1, "0", 1]), [0, 0, 1])


@pytest.mark.parametrize("name", CALLS)
def test_a_call_has_values_of_all_that_a_function_needs(name):
    parameters = inspect.signature(getattr(fc, name)).parameters.values()
    missing = {p.name for p in parameters if p.default is p.empty} - set(CALLS[name])
    assert not missing, (
        "enter a value in VALUES of tests/shared/every_call.py, or data in its OTHERS"
    )


def test_functions_without_data_are_public():
    assert set(fc.__all__) >= WITHOUT_DATA, "mend WITHOUT_DATA of tests/shared/every_call.py"
