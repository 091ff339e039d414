"""Laws of all public functions: odd options and odd names of columns end in an error of our own."""

import decimal
import inspect
import types
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import fastcompare as fc
from tests.shared.every_call import CALLS, N, called, options_of


class OnGpu:
    """An array as CuPy's: it describes its memory, and refuses to be copied unasked."""

    __cuda_array_interface__ = types.MappingProxyType({"shape": (2,), "typestr": "<f8"})
    shape, ndim, dtype = (2,), 1, np.dtype(float)

    def __array__(self, *_, **__):
        raise TypeError("implicit conversion to a NumPy array is not allowed")


class Unconvertible:
    """An array whose conversion raises what it likes."""

    def __array__(self, *_, **__):
        raise RuntimeError("no")


class Elsewhere:
    """An array of a device that NumPy cannot read, or in main memory, by DLPack alone."""

    def __init__(self, array=None):
        self.array = array

    def __dlpack__(self, **_):
        if self.array is None:
            raise BufferError("cannot be exported")
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return (2 if self.array is None else 1), 0


ODD = {
    "an array of words": np.array(["two-sided", "less"]),
    "a word of no dimension": np.array("two-sided"),
    "an empty array": np.array([]),
    "an empty tuple": (),
    "an empty list": [],
    "an empty mapping": {},
    "an object": object(),
    "an array of numbers": np.array([1, 2]),
    "an empty text": "",
    "a text": "x",
    "NaN": float("nan"),
    "minus infinity": float("-inf"),
    "an integer beyond floats": 10**400,
    "bytes": b"x",
    "a Series of words": pd.Series(["a", "b"]),
    "a list with a word": ["two-sided"],
    "a tuple of words": ("a", "b"),
    "a set": {"a"},
    "pandas' NA": pd.NA,
    "a complex number": 1j,
    "a frame without names": pd.DataFrame([1, 2]),
    "a ragged list": [[1], [2, 3]],
    "a list of lists": [[1, 2], [3, 4]],
}
ODD |= {
    "an array on a GPU": OnGpu(),
    "an array whose conversion fails": Unconvertible(),
    "an array of another device by DLPack": Elsewhere(),
    "decimals": [decimal.Decimal(1), decimal.Decimal("NaN")],
}
FILES = "data"  # of reader studies: a text is the path of a file
NAMES = [0, 1, N, -1, 0.5, None, ("a", "b"), True, float("nan"), pd.Timestamp("2020"), b"x"]


@pytest.mark.parametrize("name", CALLS)
def test_odd_options_are_our_own_errors(name):
    function = getattr(fc, name)
    for parameter in inspect.signature(function).parameters:
        for odd, value in ODD.items():
            call = options_of(name) | CALLS[name] | {parameter: value}
            with warnings.catch_warnings(action="ignore"):
                try:
                    str(function(**call))
                except fc.FastCompareError:
                    pass
                except (MemoryError, FileNotFoundError):
                    assert (odd, parameter) in [("an integer beyond floats", "fpr")] or (
                        parameter == FILES and isinstance(value, str)
                    )
                except Exception as error:
                    pytest.fail(f"{parameter} as {odd}: {error!r}")


def columns_in(call):
    """The parameters of a call that are a column with a value for each case."""
    return [key for key, value in call.items() if np.shape(value) == (N,)]


def numbers_of(result):
    """All numbers of a result."""
    if not hasattr(result, "to_dict"):
        return np.asarray(result, dtype=float)
    return np.concatenate([*numeric_arrays(result.to_dict())])


def numeric_arrays(value):
    """The numbers of a value of a dictionary, which may be one itself, array by array."""
    if isinstance(value, dict):
        for each in value.values():
            yield from numeric_arrays(each)
    elif (array := np.asarray(value)).dtype.kind in "fiub":
        yield array.astype(float).ravel()


@pytest.mark.parametrize("name", [name for name, call in CALLS.items() if columns_in(call)])
def test_a_frame_of_one_column_is_its_column_whatever_it_is_called(name):
    expected = numbers_of(called(name))
    for parameter in columns_in(CALLS[name]):
        for label in NAMES:
            frame = pd.DataFrame({"values": CALLS[name][parameter]})
            frame.columns = pd.Index([label], dtype=object, tupleize_cols=False)
            try:
                found = called(name, **{parameter: frame})
            except fc.FastCompareError:  # as a table of one model
                with pytest.raises(fc.FastCompareError):
                    called(name, **{parameter: frame.set_axis(["x"], axis=1)})
            else:
                np.testing.assert_allclose(numbers_of(found), expected, rtol=1e-12)


TABLES = [name for name, call in CALLS.items() if np.shape(call.get("scores")) == (N, 3)]


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("labels", [NAMES[:3], NAMES[3:6], NAMES[6:9], NAMES[8:], [None, 0, "0"]])
def test_a_table_has_the_same_numbers_whatever_its_columns_are_called(name, labels):
    frame = pd.DataFrame(CALLS[name]["scores"])
    frame.columns = pd.Index(labels, dtype=object, tupleize_cols=False)
    if len({*map(str, labels)}) < 3:
        with pytest.raises(fc.FastCompareError, match="same name: 0"):
            called(name, scores=frame)
    else:
        found = called(name, scores=frame)
        np.testing.assert_allclose(numbers_of(found), numbers_of(called(name)), rtol=1e-12)


def twice(values):
    """Frames of pandas and Arrow with two columns of one name."""
    columns = [np.ravel(values)] * 2
    yield pd.DataFrame(np.stack(columns, axis=1), columns=["m", "m"])
    yield pa.Table.from_arrays([*map(pa.array, columns)], names=["m", "m"])


@pytest.mark.parametrize("name", CALLS)
def test_columns_of_one_name_or_a_lazy_frame_are_our_own_error(name):
    call = CALLS[name]
    for parameter in (key for key, value in call.items() if np.ndim(value)):
        lazy = pl.LazyFrame({"m": np.ravel(call[parameter])})
        for frame in (*twice(call[parameter]), lazy):
            try:
                called(name, **{parameter: frame})
            except fc.FastCompareError:
                continue
            except Exception as error:
                pytest.fail(f"{parameter} as {type(frame)}: {error!r}")


@pytest.mark.parametrize("kind", ["scores", "items", "folds", "datasets", "labels"])
@pytest.mark.parametrize("shape", [(0,), (0, 2), (0, 3), (3, 0), (0, 0)])
@pytest.mark.parametrize("function", [fc.recommend, fc.compare])
def test_nothing_to_compare_is_our_own_error(function, kind, shape):
    data = {"data": np.empty(shape), "kind": kind}
    if kind in ("scores", "labels"):
        data |= {"data": [], "a": np.empty(shape)}
    elif kind == "folds":
        data |= {"n_train": 90, "n_test": 10}
    with pytest.raises(fc.FastCompareError), warnings.catch_warnings(action="ignore"):
        function(**data)


@pytest.mark.parametrize("kind", [None, "scores", "items", "folds", "datasets", "labels"])
@pytest.mark.parametrize("short", [[0.5], [1.0, 2.0, 3.0], [1, 0, 1], ["x", "y"], [True] * 5, []])
@pytest.mark.parametrize("function", [fc.recommend, fc.compare])
def test_columns_of_different_lengths_are_our_own_error(function, kind, short):
    """A short column of numbers was read as names of rows, and the other models compared."""
    rows = {name: [0.5 + 0.01 * i * j for i in range(12)] for j, name in enumerate("abc", 1)}
    with pytest.raises(fc.FastCompareError, match=f"'a' has 12, 'd' {len(short)}\\."):
        function(rows | {"d": short}, kind=kind)
    with pytest.raises(fc.FastCompareError, match="same number of rows"):
        function({"y": [0, 1] * 6, **rows, "id": short}, kind=kind)


def test_what_only_exports_dlpack_is_its_array():
    call = CALLS["delong_test"]
    found = called("delong_test", y_score_a=Elsewhere(call["y_score_a"]))
    assert found.to_dict() == called("delong_test").to_dict()


def test_an_array_on_a_gpu_is_named_with_its_copy_to_main_memory():
    with pytest.raises(TypeError, match=r"`y_score_a` is a OnGpu .*\.get\(\)"):
        called("delong_test", y_score_a=OnGpu())
