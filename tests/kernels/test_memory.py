"""Where arrays lie in memory changes no bit of a result, and no result can be written to."""

import copy
import dataclasses
import pickle
import warnings

import numba
import numpy as np
import pytest

import fastcompare as fc
from tests.shared.every_call import CALLS, FORMS, called, given, options_of


def strided(array):
    """The values in every second place of a larger array along each axis."""
    larger = np.zeros([2 * size + 1 for size in array.shape], array.dtype)
    larger[tuple(slice(1, None, 2) for _ in array.shape)] = array
    return larger[tuple(slice(1, None, 2) for _ in array.shape)]


def reverse(array):
    """The values of an array that is stored from its end."""
    backwards = tuple(slice(None, None, -1) for _ in array.shape)
    return array[backwards].copy()[backwards]


def read_only(array):
    copied = array.copy()
    copied.flags.writeable = False
    return copied


class Table(np.ndarray):
    """A subclass without a meaning of its own."""


LAYOUTS = {
    "Fortran": np.asfortranarray,
    "strided": strided,
    "reverse": reverse,
    "read-only": read_only,
    "columns": lambda array: np.stack([array] * 3, axis=-1)[..., 1],
    "rows": lambda array: np.stack([array] * 3)[1],
    "list": np.ndarray.tolist,
    "subclass": lambda array: array.view(Table),
    "big-endian": lambda array: array.astype(array.dtype.newbyteorder(">")),
}
MOST = ("Fortran", "strided")  # of further forms of the data


def laid_out(form, layout):
    """The same arguments, with each array in another layout."""
    if isinstance(form, np.ndarray):
        return layout(form)
    if isinstance(form, dict):
        return {name: laid_out(value, layout) for name, value in form.items()}
    return form


def bits(value):
    """What can be compared for equal bits."""
    if isinstance(value, dict):
        return {name: bits(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [bits(each) for each in value]
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    return value.hex() if isinstance(value, float) else repr(value)


def outcome(name, form):
    with warnings.catch_warnings(action="ignore"):
        try:
            result = getattr(fc, name)(**options_of(name) | form)
        except fc.FastCompareError as error:
            return str(error)
    return bits(result.to_dict() if hasattr(result, "to_dict") else result)


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="says the same in 100 times the time")
@pytest.mark.parametrize("name", CALLS)
def test_no_layout_of_arrays_in_memory_changes_a_bit(name):
    for number, form in enumerate(given(name)):
        plain = outcome(name, laid_out(form, np.array))
        for title in MOST if number else LAYOUTS:
            assert outcome(name, laid_out(form, LAYOUTS[title])) == plain, title


def writeable(result, where):
    """Yield where a result has arrays that can be written to."""
    if isinstance(result, np.ndarray):
        yield from [where] * result.flags.writeable
    elif isinstance(result, dict):
        for name, each in result.items():
            yield from writeable(each, f"{where}[{name!r}]")
    elif isinstance(result, list | tuple):
        for each in result:
            yield from writeable(each, where)
    elif dataclasses.is_dataclass(result):
        for field in dataclasses.fields(result):
            if field.name[0] != "_":
                yield from writeable(getattr(result, field.name), f"{where}.{field.name}")


@pytest.mark.parametrize("name", CALLS)
def test_no_array_in_a_result_can_be_written_to(name):
    for changed in ({}, FORMS.get(name, {})):
        result = called(name, **changed)
        if not dataclasses.is_dataclass(result):  # an array, or a tuple of arrays
            return
        assert [*writeable(result, name)] == []
        for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
            assert [*writeable(again, name)] == []


def test_the_arrays_of_the_caller_stay_as_they_are():
    rng = np.random.default_rng(3)
    thresholds, y, p = np.array([0.2, 0.5]), np.arange(40) % 2, rng.uniform(size=40)
    table = rng.normal(size=(40, 3))
    results = [fc.net_benefit(y, p, thresholds=thresholds), fc.leaderboard(table)]
    for array in (thresholds, y, p, table):
        assert array.flags.writeable
        array[0] = 1
    assert [*writeable(results, "")] == []
