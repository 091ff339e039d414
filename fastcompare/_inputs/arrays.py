"""NumPy arrays from what users pass: containers, objects and plain arrays, every value as it is.

Strings, numbers or booleans each become an array of one kind. Integers beyond 2^53 are an error, or
are compared as integers: their differences are exact, where float64 would merge neighbours.

Subnormal numbers are refused in a process whose libraries have set the modes FTZ and DAZ: they then
count as 0 in comparisons, sums and differences, though not in keys of bits.
"""

import types
from array import array as typed_array
from collections.abc import Iterator, Mapping, Sequence, Set
from fractions import Fraction
from numbers import Integral, Real
from types import NoneType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._adapters.device import device_name
from .._adapters.frames import foreign_column, is_foreign, package_name, tensor_to_numpy
from .._base.exceptions import invalid_type, invalid_value
from .._base.types import Integers, Vector

FLOATS = (float, np.floating)
STRINGS = (str, np.str_)
CONVERTED_BY = ("__array__", "__array_interface__", "__array_struct__")
NO_VALUES = ("NAType", "NaTType")  # of pandas
PLAIN_KINDS = {"number", "bool", "text", "bytes"}

Objects = tuple[NDArray[Any], NDArray[np.bool_] | None]  # plain values, and which are missing


class StringNumbers(dict[Any, int]):
    """A dictionary that numbers strings by their first look-up: 1, 2, ...; 0 for missing values."""

    def __init__(self) -> None:
        super().__init__()
        self.words = [""]

    def __missing__(self, value: Any) -> int:
        """Return the number of a value looked up for the first time; raise unless it is text."""
        number = 0
        if type(value) in STRINGS:
            number = len(self.words)
            self.words.append(value)
        elif not is_missing(value):
            raise TypeError
        self[value] = number
        return number


# distinct objects whose addresses are looked for: each takes a hundredth of looking at all words
FEW_OBJECTS = 16
ADDRESSED_FROM = 1000  # values from which a look at addresses pays


def index_recurring_objects(
    values: Sequence[Any] | NDArray[Any],
) -> tuple[list[int], NDArray[Any]] | None:
    """Return the first index of each distinct object, and for each value the number of its object.

    None for a list, a short array, or more than 16 objects. Objects are compared by their
    addresses, of which an array of objects consists.
    """
    if not isinstance(values, np.ndarray) or values.size < ADDRESSED_FROM:
        return None
    firsts: list[int] = []
    codes = np.zeros(values.size, np.uint8)  # 0: of no object that was met so far
    addresses = np.frombuffer(values, np.intp)
    if len(set(addresses[:ADDRESSED_FROM].tolist())) > FEW_OBJECTS:
        return None
    while not codes[first := int(codes.argmin())]:
        if len(firsts) == FEW_OBJECTS:
            return None
        firsts.append(first)
        codes += (addresses == addresses[first]) * np.uint8(len(firsts))
    return firsts, codes - np.uint8(1)


def coded_strings(values: Sequence[Any] | NDArray[Any]) -> Objects | None:
    """Return strings as an array, and which are missing; None for others, or over 255 distinct.

    Also None without any string. Each distinct word is looked at once: with a look into a
    dictionary for each of 10^6 values a fifth of the time of looking at all, where they are few
    objects a hundredth.
    """
    numbers = StringNumbers()
    objects = index_recurring_objects(values)
    try:
        if objects is None:
            words = values.tolist() if isinstance(values, np.ndarray) else values
            codes = np.frombuffer(bytes(map(numbers.__getitem__, words)), np.uint8)
        else:
            firsts, object_numbers = objects
            codes_of_objects = np.array([numbers[values[i]] for i in firsts], np.uint8)
            codes = codes_of_objects.take(object_numbers)
    except (TypeError, ValueError):  # an object that is no text; codes beyond a byte
        return None
    if len(numbers.words) == 1:  # the empty one in place of missing values
        return None
    return np.array(numbers.words).take(codes), codes == 0


def to_plain_array(name: str, array: NDArray[Any]) -> Objects:
    """Return an object array as one of strings, numbers or booleans, and which are missing.

    Raise for a mixture of these.
    """
    values = array.ravel()
    plain, missing = coded_strings(values) or plain_objects(name, values.tolist())
    absent = None if missing is None else missing.reshape(array.shape)
    return plain.reshape(array.shape), absent


def plain_objects(name: str, values: list[Any]) -> Objects:
    """Return objects as an array of one kind, and which are missing (None: none); 0 or "" is there.

    Raise for objects of several kinds, or of other kinds than `PLAIN_KINDS`.
    """
    missing = missing_objects(values)
    present = values
    if missing is not None:
        present = [
            value for value, absent in zip(values, missing.tolist(), strict=True) if not absent
        ]
    types = set(map(type, present))
    kinds = {kind_of_type(kind) for kind in types}
    if len(kinds) > 1 or not kinds <= PLAIN_KINDS:
        raise invalid_type(
            name,
            "must contain numbers, or strings, of one kind",
            end=f"; got objects of type {', '.join(sorted({kind.__name__ for kind in types}))}. "
            "Convert them first: [str(value) for value in ...], or float(value) of scores.",
        )
    if kinds == {"text"} and not types <= {*STRINGS}:
        # NumPy would take str() of a subclass of str, which of an Enum is its name, not its value
        present = list(map(str.__str__, present))
    plain = np.asarray(present)
    if plain.dtype.kind == "f" and not holds_exactly(plain, present, types):
        raise invalid_value(
            name,
            "mixes integers beyond 2^53 with floats or negative integers",
            end=": float64 would merge some of those. Convert them to one type.",
        )
    if missing is None:
        return plain, None
    filled = np.zeros(missing.size, plain.dtype)
    filled[~missing] = plain
    return filled, missing


def missing_objects(values: list[Any]) -> NDArray[np.bool_] | None:
    """Return which objects are missing, None if no object of their types can be."""
    if not any(map(may_be_missing, set(map(type, values)))):
        return None
    return np.fromiter(map(is_missing, values), bool, len(values))


def may_be_missing(kind: type) -> bool:
    """Say whether objects of this type may stand for a missing value."""
    return kind is NoneType or kind.__name__ in NO_VALUES or issubclass(kind, FLOATS)


def is_missing(value: object) -> bool:
    """Say whether an object stands for a missing value: None, NaN, pandas.NA, NaT."""
    if value is None or type(value).__name__ in NO_VALUES:
        return True
    return isinstance(value, FLOATS) and bool(np.isnan(value))


def kind_of_type(kind: type) -> str:
    """Return 'number', 'bool', 'text' or 'bytes' for a type of objects, else the type's name."""
    if issubclass(kind, str | bytes):
        return "text" if issubclass(kind, str) else "bytes"
    if issubclass(kind, bool | np.bool_):
        return "bool"
    is_number = issubclass(kind, Real) and not issubclass(kind, Fraction)  # NumPy has no fractions
    return "number" if is_number or issubclass(kind, Integral) else kind.__name__


def holds_exactly(floats: NDArray[Any], values: Sequence[Any], types: set[type]) -> bool:
    """Say whether every integer among the values is the same number as a float."""
    if not any(issubclass(kind, Integral) for kind in types):
        return True
    pairs = zip(floats, values, strict=True)
    return all(int(x) == int(value) for x, value in pairs if isinstance(value, Integral))


# 2^-1074: times 1 it is 0 if this thread's processor flushes subnormal numbers to 0. Each column
# that is read asks for it, so it is no function.
SMALLEST_SUBNORMAL = float(np.uint64(1).view(np.float64))
BITS = {  # by the size of a number: its bits, those of its size, and the first of which none are 0
    8: (np.uint64, np.uint64(2**63 - 1), np.float64(2.0**-969).view(np.uint64)),  # differences, too
    4: (np.uint32, np.uint32(2**31 - 1), np.float32(2.0**-126).view(np.uint32)),
}


def holds_flushed(array: NDArray[Any]) -> bool:
    """Say whether an array has subnormal numbers, and this thread's processor flushes them to 0."""
    return SMALLEST_SUBNORMAL * 1.0 == 0.0 and flushable_numbers(array).size > 0


def flushable_numbers(array: NDArray[Any]) -> Integers:
    """Return the indices of numbers so close to 0 that a processor may take them for 0.

    Those are subnormal numbers; of float64 also larger ones, whose differences may be subnormal.
    """
    if array.dtype.kind != "f" or array.dtype.itemsize not in BITS:
        return np.empty(0, np.int64)
    word, size_bits, least_safe = BITS[array.dtype.itemsize]
    size = array.astype(array.dtype.newbyteorder("=")).view(word) & size_bits
    return np.flatnonzero((size > 0) & (size < least_safe))


def refuse_flushed(name: str, array: NDArray[Any]) -> None:
    """Raise if an array has numbers that a processor that flushes subnormal ones may take for 0."""
    if (tiny := flushable_numbers(array)).size:
        raise invalid_value(
            name,
            f"contains {tiny.size} numbers that are not 0, the first at index {tiny[0]}, but "
            "may be treated as 0, because a library in this process makes the processor flush "
            "denormal numbers to zero",
            end=". Multiply all numbers by 2.0**200 before it does, or turn it off, for "
            "example by torch.set_flush_denormal(False).",
            row=tiny[0],
        )


FLOAT64 = np.dtype(np.float64)
EXACT_INTEGER = 2**53  # up to here a float64 holds every integer


class Column(NamedTuple):
    """An array of any dtype, and which of its values are missing (None: none that we know of)."""

    values: NDArray[Any]
    missing: NDArray[np.bool_] | None = None


def as_column(name: str, values: object) -> Column:
    """Return the values as an array, and where a foreign container or a list has nulls."""
    if type(values) is np.ndarray and values.dtype.kind != "O":
        if SMALLEST_SUBNORMAL * 1.0 == 0.0:
            refuse_flushed(name, values)
        return Column(values)
    refuse_unordered(name, values)
    values = read_once(values)
    if is_foreign(values):
        array, missing = foreign_column(name, values)
        return of_plain_kind(name, array, missing)
    if isinstance(values, list | tuple) and values and type(values[0]) in STRINGS:
        words = coded_strings(values)
        if words is not None:
            return Column(*words)
    array = to_array(name, values)
    if isinstance(array, np.ma.MaskedArray):
        array = unmasked_data(name, array)
    elif isinstance(values, list | tuple) and may_have_changed(array):
        array = np.asarray(values, dtype=object)
    return of_plain_kind(name, array)


def read_once(values: Any) -> Any:
    """Return the array of an object that converts itself, or the list of its items.

    Whoever reads values several times reads these, since an object may answer otherwise the next
    time. Arrays, lists and columns of known packages come back as they are, and so do values that
    will be refused; of a mapping each column is read once.
    """
    if values is None or isinstance(values, np.ndarray | list | tuple) or is_foreign(values):
        return values
    if isinstance(values, Mapping):
        return {key: read_once(column) for key, column in values.items()}
    if isinstance(values, Set | Iterator | str | bytes) or is_on_gpu(values):
        return values  # to be refused
    try:
        return list(values) if is_python_sequence(values) else plain_or_masked(values)
    except Exception:  # `as_column` has the parameter's name for it
        return values


def to_array(name: str, values: Any) -> NDArray[Any]:
    """Return values as an array, a masked one if they are masked, or raise with the way on."""
    if is_on_gpu(values):
        raise invalid_type(
            name,
            f"is a {type(values).__name__} in the memory of a GPU",
            end=": pass a copy in main memory, such as its .get() (CuPy) or .copy_to_host() "
            "(Numba).",
        )
    try:
        return plain_or_masked(values)
    except MemoryError:
        raise
    except ValueError as error:  # a ragged list
        raise invalid_value(name, "cannot be converted to an array", end=f": {error}") from error
    except Exception as error:  # whatever an object's own conversion raises
        if device_name(values):
            raise invalid_type(
                name,
                f"is a {type(values).__name__} on {device_name(values)}",
                end=": pass a copy in main memory, such as its .cpu().",
            ) from error
        raise invalid_type(
            name,
            "must be an array",
            end=f"; converting a {type(values).__name__} raised {type(error).__name__}: {error}",
        ) from error


def plain_or_masked(values: Any) -> NDArray[Any]:
    """Return values as an array, a masked one if they are masked; DLPack is the last resort."""
    if np.ma.isMaskedArray(values):
        return np.ma.asanyarray(values)
    if hasattr(values, "__dlpack__") and not any(hasattr(values, way) for way in CONVERTED_BY):
        return np.from_dlpack(values)
    return np.asarray(values)


def is_on_gpu(values: object) -> bool:
    """Say whether values describe themselves as memory of CUDA."""
    try:
        return getattr(values, "__cuda_array_interface__", None) is not None
    except Exception:  # a property that looks for a device
        return False


def is_python_sequence(values: object) -> bool:
    """Say whether values are a sequence that is no typed array, such as a deque."""
    typed = isinstance(values, typed_array | memoryview) or hasattr(values, "__array__")
    return isinstance(values, Sequence) and not typed


def of_plain_kind(
    name: str, array: NDArray[Any], missing: NDArray[np.bool_] | None = None
) -> Column:
    """Return an array, and which values are missing, as a column, or raise.

    An array of objects becomes one of strings, numbers or booleans, with its own missing values.
    """
    if array.dtype.kind == "O":
        array, missing = to_plain_array(name, array)
    if SMALLEST_SUBNORMAL * 1.0 == 0.0:
        refuse_flushed(name, array)
    return Column(array, missing)


def may_have_changed(array: NDArray[Any]) -> bool:
    """Say whether NumPy may have converted values of a list: 1 to "1", or integers to floats."""
    if array.dtype.kind in "US":
        return True
    return array.dtype == FLOAT64 and bool((np.abs(array) >= EXACT_INTEGER).any())


def refuse_unordered(name: str, values: object) -> None:
    """Raise for containers that have no order, no length or no single column."""
    if isinstance(values, Set):
        raise invalid_type(name, "must be ordered", type(values).__name__, show=", got a {}")
    if isinstance(values, Mapping):
        raise invalid_type(name, "must be one column of values", end=", got a mapping.")
    if isinstance(values, Iterator | types.GeneratorType):
        raise invalid_type(name, "must be an array", end=", got an iterator. Pass list(...) of it.")


def refuse_list_of_columns(name: str, scores: object) -> None:
    """Raise for a list of arrays, which may be the models' columns: NumPy takes them for rows."""
    if not isinstance(scores, list | tuple) or len(scores) < 2:
        return
    are_arrays = all(np.ndim(part) == 1 and not isinstance(part, list | tuple) for part in scores)
    if are_arrays and len(scores) < len(scores[0]):
        raise invalid_type(
            name,
            "must be a table with a column for each model",
            f"a {type(scores).__name__} of {len(scores)} arrays",
            ". If each is a model, pass a dictionary from names to arrays, or "
            f"np.column_stack({name}); if each is a row, np.array({name}).",
            show=", got {}",
        )


def unmasked_data(name: str, array: "np.ma.MaskedArray[Any, Any]") -> NDArray[Any]:
    """Return a masked array's data, or raise if anything is masked."""
    masked = np.flatnonzero(np.ma.getmaskarray(array))
    if masked.size:
        raise invalid_value(
            name,
            f"has {masked.size} masked values, the first at index {masked[0]}",
            end=". Drop them with .compressed(), in all columns.",
            row=masked[0],
        )
    return np.asarray(array.data)


def dimensions(name: str, values: object) -> int:
    """Return how many dimensions values have, 0 of a single one, or raise for a ragged list."""
    if isinstance(values, np.ndarray) or (is_foreign(values) and hasattr(values, "ndim")):
        return int(values.ndim)
    return to_array(name, values).ndim


def as_float_array(name: str, values: object) -> NDArray[np.float64]:
    """Return real numbers of any shape as float64, NaN where missing, or raise."""
    array, missing = as_column(name, values)
    result = to_float64(name, array)
    if missing is not None and missing.any():
        result = result.copy()
        result[missing] = np.nan
    return result


def refuse_illegal(
    name: str, rule: str, numbers: NDArray[Any], legal: NDArray[np.bool_], remedy: str = "."
) -> None:
    """Raise unless all numbers are `legal`, saying how many are not and where the first one is."""
    if not legal.all():
        illegal = np.argwhere(~legal)
        where = tuple(illegal[0].tolist())
        raise invalid_value(
            name,
            f"must {rule}",
            numbers[where],
            f" at index {', '.join(map(str, where))}{remedy}",
            show=f"; {len(illegal)} are not, the first is {{:g}}",
            row=where[0] if len(where) == 1 else None,
        )


def to_float64(name: str, array: NDArray[Any]) -> NDArray[np.float64]:
    """Return an array of real numbers as float64, refusing a cast that would merge values."""
    if array.dtype == FLOAT64 and array.dtype.isnative:
        return array
    kind = array.dtype.kind
    if kind not in "fiub" and array.dtype.name != "bfloat16":
        raise invalid_type(name, "must contain real numbers", array.dtype, show=", got dtype {}")
    with np.errstate(over="ignore", under="ignore"):
        result = array.astype(np.float64)
    if array.dtype.itemsize > 8 and (lost := (result != array) & ~np.isnan(result)).any():
        raise invalid_value(
            name,
            f"contains {array.dtype} values that float64 cannot represent, the first at index "
            f"{np.flatnonzero(lost)[0]}",
            end=". Round them, or pass their ranks.",
            row=np.flatnonzero(lost)[0],
        )
    return result


def holds_wide_integers(array: NDArray[Any]) -> bool:
    """Say whether an array has integers that float64 would merge with their neighbours."""
    if array.dtype.kind not in "iu" or array.dtype.itemsize < 8 or not array.size:
        return False
    return int(array.max()) > EXACT_INTEGER or int(array.min()) < -EXACT_INTEGER


INT64, FLOAT32 = np.dtype(np.int64), np.dtype(np.float32)
SINGLE_FROM = 1 << 14  # cases from which keys of 64 bits are sorted, for which no copy is needed


def plain_labels(y: Any) -> NDArray[np.int64] | None:
    """Return bools, integers, or floats of 0 and 1, as a vector of int64; None for other labels.

    Kernels check its values. They get one type, since each one more is compiled anew; unsigned
    integers beyond int64 come out negative, and so are not taken for 0 or 1.
    """
    if type(y) is not np.ndarray or y.ndim != 1:
        return None
    if y.dtype is INT64 and y.flags.carray:
        return y
    if y.dtype is FLOAT64:
        ones = y == 1.0
        return ones.astype(np.int64) if (ones | (y == 0.0)).all() else None
    return y.astype(np.int64) if y.dtype.kind in "biu" else None


def plain_scores(values: Any, n: int) -> NDArray[Any] | None:
    """Return n scores as a vector that kernels can read, None if they need checks or ranks.

    Many in single precision stay so: a copy as doubles would double the memory of a test.
    """
    scores: NDArray[Any] | None = values if type(values) is np.ndarray else plain_array(values)
    if scores is None or scores.ndim != 1 or scores.size != n:
        return None
    if holds_flushed(scores):
        return None
    if scores.dtype is FLOAT64:
        return scores if scores.flags.carray else np.array(scores, order="C")
    if scores.dtype is FLOAT32:
        return scores if n >= SINGLE_FROM and scores.flags.carray else scores.astype(np.float64)
    exact = scores.dtype.kind in "biu" or scores.dtype.type is np.float16
    return scores.astype(np.float64) if exact and not holds_wide_integers(scores) else None


def plain_array(values: Any) -> NDArray[Any] | None:
    """Return an array, or that of a tensor of PyTorch in main memory; None for all others."""
    if type(values) is np.ndarray:
        return values
    if package_name(values) != "torch":
        return None
    try:
        return tensor_to_numpy("", values)
    except Exception:  # an error is for the checks, which know the parameter's name
        return None


BITS_OF_ONE = np.float64(1.0).view(np.uint64)
Chances = tuple[NDArray[np.uint8], list[Vector]]


def plain_chances(y: Any, columns: list[Any]) -> Chances | None:
    """Return labels of 0 and 1, and probabilities from 0 to 1, of plain arrays; None for others."""
    labels = plain_labels(y)
    if labels is None or not labels.size or int(np.bitwise_or.reduce(labels)) not in (0, 1):
        return None
    probabilities = []
    for each in columns:
        p = plain_scores(each, labels.size)
        if p is None or p.dtype is not FLOAT64:
            return None
        # the bits of NaN, of numbers below 0 and of those above 1 are greater than those of 1
        if np.maximum.reduce(p.view(np.uint64)) > BITS_OF_ONE:
            return None
        probabilities.append(p)
    return labels.astype(np.uint8), probabilities


FIRST = 99  # rows that settle most questions about all of them


def are_whole(numbers: NDArray[Any]) -> bool:
    """Return whether all numbers are whole; the first ones settle most columns of scores."""
    if numbers.dtype.kind != "f":
        return True
    first = numbers[:FIRST]
    return bool((first == np.floor(first)).all() and (numbers == np.floor(numbers)).all())


SAFE_INTEGER = 2**50  # up to here differences of integers are exact, and ties by rounding equal

Numbers = NDArray[np.object_]  # Python integers and fractions


def exact_columns(columns: Sequence[Column]) -> list[Numbers] | None:
    """Return the columns as Python numbers if one of them holds wide integers, else None."""
    if not any(holds_unsafe_integers(values) for values, _ in columns):
        return None
    return [as_exact(values) for values, _ in columns]


def holds_unsafe_integers(array: NDArray[Any]) -> bool:
    """Say whether differences of the numbers may be integers that float64 rounds."""
    if array.dtype.kind not in "iu" or array.dtype.itemsize < 8 or not array.size:
        return False
    return int(array.max()) > SAFE_INTEGER or int(array.min()) < -SAFE_INTEGER


def as_exact(array: NDArray[Any]) -> Numbers:
    """Return numbers as Python integers and fractions, in place of infinity and NaN 0."""
    if array.dtype.kind != "f":
        return array.astype(object)
    return np.asarray(np.frompyfunc(exact_number, 1, 1)(array.astype(np.float64)), dtype=object)


def exact_number(x: float) -> int | Fraction:
    """Return the exact value of a finite float, as an integer or a fraction; 0 for others."""
    if not np.isfinite(x):
        return 0
    return int(x) if x == int(x) else Fraction(x)


class ExactDifferences(NamedTuple):
    """The float64 nearest to each difference, and dense ranks of their absolute values, 0 of 0."""

    differences: Vector
    sizes: Vector


def exact_differences(first: Numbers, second: Numbers | int = 0) -> ExactDifferences:
    """Return first - second, rounded once, and dense ranks of the absolute differences."""
    d = first - second
    distinct, number = np.unique(abs(d), return_inverse=True)
    sizes = number.reshape(d.shape) + int(distinct[0] != 0)  # only a difference of 0 has rank 0
    return ExactDifferences(d.astype(np.float64), sizes.astype(np.float64))


def exact_order(table: Numbers) -> NDArray[np.float64]:
    """Return the dense ranks of all numbers of a table together."""
    return np.unique(table, return_inverse=True)[1].reshape(table.shape).astype(np.float64)
