"""Arrays of other libraries on another device, such as a GPU: DeLong's exact integers from there.

Any namespace of the Array API: PyTorch, CuPy, JAX, through array-api-compat. A placement is twice
the number of cases of the other class that a case outranks, a tie counting 1. The integers are
those of the compiled kernels, so what follows from them has the same bits:

- Cases are at most 2^30, so placements, their differences and cumulative counts fit into 32 bits.
- Squares of numbers of b bits are added in rows of at most 2^(63 - 2 b), whose sums fit into 63
  bits, and those sums by their upper and lower 32 bits, of which 2^30 fit into 62.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import invalid_type, invalid_value
from .frames import package_name

MOST_CASES = 1 << 30
CHUNK = 1 << 26  # cases whose squares are added at a time, for memory: 1 GiB of 64-bit numbers
WIDEST = 1 << 12  # squares in a row, so that there are many rows at a time
CELLS = 1 << 26  # weights that are added up at a time, for memory
NARROW = 1 << 26  # cases: below, weights (at most 25) add up to 31 bits
LOW = (1 << 32) - 1
MAIN_MEMORY = ("cpu", "meta")  # in names of devices; meta tensors have no values at all


def device_name(value: object) -> str:
    """Return the name of the device of an array, such as "cuda:0"; "" for main memory."""
    if isinstance(value, np.ndarray | list | tuple | str) or value is None:
        return ""
    try:
        if package_name(value) not in ("torch", "cupy") and not hasattr(
            value, "__array_namespace__"
        ):
            return ""
        array: Any = value
        devices = array.devices() if hasattr(array, "devices") else [array.device]  # of JAX several
        names = sorted(map(str, devices))
    except Exception:  # whatever an object's own attributes raise
        return ""
    is_here = any(word in name.lower() for name in names for word in MAIN_MEMORY)
    return "" if is_here else ", ".join(names)


class Device(NamedTuple):
    """A namespace of the Array API, and the device on which its arrays are."""

    xp: Any
    device: Any

    @classmethod
    def of(cls, named: dict[str, Any]) -> Device:
        """Return the device of these arrays, or raise unless all are on the same one."""
        places = {name: (package_name(x), device_name(x)) for name, x in named.items()}
        (first, place), *others = places.items()
        for name, other in others:
            if other != place:
                raise invalid_value(
                    name,
                    f"must be on the same device as `{first}`",
                    end=f", got {' on '.join(other)} and {' on '.join(place)}: move one of them, "
                    "or pass the .cpu() of both.",
                )
        compat = array_api(first, named[first])
        array = named[first]
        return cls(compat.array_namespace(array), compat.device(array))

    def exact(self) -> AbstractContextManager[Any]:
        """Return a context with 64-bit integers, which JAX reduces to 32 bits by default."""
        jax = sys.modules.get("jax")
        is_jax = jax is not None and self.xp.__name__.startswith("jax")
        return jax.enable_x64(True) if is_jax else nullcontext()  # type: ignore[union-attr]

    def put(self, array: NDArray[Any]) -> Any:
        """Return a copy of a NumPy array on the device."""
        return self.xp.asarray(np.require(array, requirements="W"), device=self.device)

    def get(self, array: Any) -> NDArray[Any]:
        """Return an array of the device as a NumPy array."""
        if "bfloat16" in str(array.dtype):
            array = self.xp.astype(array, self.xp.float32)
        ways = {"torch": "cpu", "cupy": "get"}
        if package_name(array) in ways:
            return np.asarray(getattr(array, ways[package_name(array)])())
        if hasattr(array, "to_device") and not self.xp.__name__.startswith("jax"):
            array = array.to_device(self.xp.__array_namespace_info__().default_device())
        return np.asarray(array)

    def number_kind(self, array: Any) -> str:
        """Return NumPy's letter for the type of real numbers (b, i, u, f), "" for other types."""
        kinds = {"b": "bool", "i": "signed integer", "u": "unsigned integer", "f": "real floating"}
        isdtype = self.xp.isdtype
        return next((letter for letter in kinds if isdtype(array.dtype, kinds[letter])), "")

    def missing(self, array: Any) -> NDArray[np.bool_] | None:
        """Return flags of the NaN in an array, None if there are none."""
        if self.number_kind(array) != "f":
            return None
        nan = self.xp.isnan(array)
        return self.get(nan) if bool(self.xp.any(nan)) else None

    def count(self, flags: Any) -> int:
        """Return the number of flags that are true."""
        return int(self.xp.sum(self.xp.astype(flags, self.xp.uint8), dtype=self.xp.int64))


def array_api(name: str, value: object) -> Any:
    """Return the module array_api_compat, or raise with the remedy if it is missing."""
    try:
        import array_api_compat
    except ImportError as error:
        raise invalid_type(
            name,
            f"is a {type(value).__name__} on {device_name(value)}",
            end=": pass its .cpu(), or install what compares arrays there: pip install "
            "'fastcompare[array-api]'.",
        ) from error
    return array_api_compat


class SortedCases(NamedTuple):
    """A model's cases sorted by ascending score: their numbers, and whether each is positive.

    `ends` are the last places of groups of tied cases, None if there are no ties; `group` is the
    number of the group of each place.
    """

    order: Any
    positive: Any
    ends: Any = None
    group: Any = None


class RemoteCases:
    """Labels and k models' scores of the same n cases on a device.

    Cases are renumbered with positives first (`by_class`), so that a number shows the class: to
    gather labels in random order takes half the time of a sort.
    """

    def __init__(self, where: Device, positive: Any, scores: list[Any]) -> None:
        self.where, self.positive, self.scores = where, positive, scores
        self.m = where.count(positive)
        self.n = positive.shape[0] - self.m

    @cached_property
    def by_class(self) -> Any:
        """The places of the positives, then those of the negatives, 32 bits each."""
        xp = self.where.xp
        both = (xp.nonzero(in_class)[0] for in_class in (self.positive, ~self.positive))
        return xp.concat([xp.astype(places, xp.int32) for places in both])

    def sort_model(self, model: int) -> SortedCases:
        """Return a model's cases sorted by score, with ties."""
        xp = self.where.xp
        scores = take_values(self.where.xp, self.scores[model], self.by_class)
        if package_name(scores) == "torch":  # whose sort gives both
            sorted_scores, order = scores.sort()
        else:
            order = xp.argsort(scores, stable=False)
            sorted_scores = xp.take(scores, order)
        positive = order < self.m
        true = xp.ones((1,), dtype=xp.bool, device=self.where.device)
        last = xp.concat([sorted_scores[1:] != sorted_scores[:-1], true])
        if bool(xp.all(last)):
            return SortedCases(order, positive)
        ends = xp.nonzero(last)[0]
        is_last = xp.astype(last, xp.int32)
        return SortedCases(
            order, positive, ends, xp.cumulative_sum(is_last, dtype=xp.int32) - is_last
        )

    def placements(self, model: int) -> Any:
        """Return the placements (n,) of the cases of `by_class`, int32; 0 if a class is empty."""
        xp, device = self.where
        size = self.m + self.n
        zero = xp.zeros((1,), dtype=xp.int32, device=device)
        if not (self.m and self.n):
            return xp.zeros((size,), dtype=xp.int32, device=device)
        order, positive, ends, group = self.sort_model(model)
        below = xp.cumulative_sum(xp.astype(positive, xp.int32), dtype=xp.int32)
        stop = xp.arange(1, size + 1, dtype=xp.int32, device=device)
        if ends is None:
            by_class = 2 * (stop - below), 2 * (self.m - below)
        else:
            above, stop = take_values(xp, below, ends), take_values(xp, stop, ends)
            passed = (counts + xp.concat([zero, counts[:-1]]) for counts in (stop - above, above))
            negatives, positives = (take_values(xp, counts, group) for counts in passed)
            by_class = negatives, 2 * self.m - positives
        return self.restore_order(xp.where(positive, *by_class), order)

    def restore_order(self, value: Any, order: Any) -> Any:
        """Return values of sorted cases in the order of `by_class`."""
        xp = self.where.xp
        if hasattr(value, "at"):  # JAX, whose arrays do not change
            return xp.zeros_like(value).at[order].set(value)
        if package_name(value) in ("torch", "cupy", "numpy"):
            out = xp.empty_like(value)
            out[order] = value
            return out
        return xp.take(value, xp.argsort(order))  # the standard knows no other way

    def wins_under(self, weights: NDArray[np.uint8]) -> NDArray[np.uint64]:
        """Return (k + 2, b): 2 m n AUC of k models, and n and m, under b sets of weights (n, b)."""
        with self.where.exact():
            parts = range(0, weights.shape[1], max(1, CELLS // len(weights)))
            wins: list[NDArray[np.int64]] = [
                self.wins_under_few(weights[:, i : i + parts.step]) for i in parts
            ]
        return np.concatenate(wins, axis=1).astype(np.uint64)

    def wins_under_few(self, weights: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return `wins_under` for few sets of weights, within the memory of the device.

        A group of tied cases wins the weight of its positives times that of the negatives before it
        twice and within it once.
        """
        xp = self.where.xp
        rows = []
        device_weights = self.where.put(np.ascontiguousarray(weights))
        dtype = xp.int32 if len(weights) < NARROW else xp.int64
        zero = xp.zeros((1, 1), dtype=dtype, device=self.where.device)
        for order, positive, ends, _ in self.sorted_models:
            rows_of = take_values(xp, device_weights, take_values(xp, self.by_class, order))
            sorted_weights = xp.astype(xp.permute_dims(rows_of, (1, 0)), dtype)
            of_positives = xp.where(positive[None, :], sorted_weights, zero)
            both = sorted_weights - of_positives, of_positives
            negatives, positives = (cumulative_sums(xp, x, ends) for x in both)
            passed = negatives[:, 1:] + negatives[:, :-1]
            rows.append(xp.sum((positives[:, 1:] - positives[:, :-1]) * passed, axis=1))
        return self.where.get(xp.stack([*rows, negatives[:, -1], positives[:, -1]]))

    @cached_property
    def sorted_models(self) -> list[SortedCases]:
        """Each model's cases sorted by score."""
        return [self.sort_model(model) for model in range(len(self.scores))]


class RemotePlacements:
    """Placement values of k models' cases on a device, and their exact sums and sums of squares."""

    def __init__(self, cases: RemoteCases) -> None:
        """Compute on the device the placement values of each model's cases."""
        self.cases, self.m, self.n = cases, cases.m, cases.n
        with cases.where.exact():
            self.placed = [cases.placements(model) for model in range(len(cases.scores))]
        self.sums: dict[tuple[int, int], list[int]] = {}

    def on_host(self) -> tuple[NDArray[np.uint8], NDArray[np.uint32]]:
        """Return the labels and the placements (k, n) as NumPy arrays."""
        get = self.cases.where.get
        cases = self.cases
        placed = np.empty((len(self.placed), self.m + self.n), np.uint32)
        places = get(cases.by_class)
        for row, placements in zip(placed, self.placed, strict=True):
            row[places] = get(placements)
        return get(cases.positive).astype(np.uint8), placed

    def wins(self, model: int) -> int:
        """Return 2mn AUC of a model."""
        return self.class_sums(model, model)[0]

    def pair_sums(self, i: int, j: int) -> list[int]:
        """Return 2 m n AUC of models i and j, and six sums of squares of placements.

        Over positives and negatives: of model i, of model j, and of their differences.
        """
        first = self.class_sums(i, i)
        second = self.class_sums(j, j)
        difference = self.class_sums(i, j) if i != j else [0, 0, 0]
        return [first[0], second[0], *first[1:], *second[1:], *difference[1:]]

    def class_sums(self, i: int, j: int) -> list[int]:
        """Return `sums_over` of the placements of model i, or of their difference from model j's.

        They are computed once.
        """
        if (i, j) not in self.sums:
            with self.cases.where.exact():
                differences = self.placed[i] if i == j else self.placed[i] - self.placed[j]
                self.sums[i, j] = self.sums_over(differences)
        return self.sums[i, j]

    def sums_over(self, numbers: Any) -> list[int]:
        """Return the sum over positives, and the sums of squares over positives and negatives."""
        xp = self.cases.where.xp
        bits = (2 * max(self.m, self.n)).bit_length()
        classes = (numbers[: self.m], numbers[self.m :])
        totals = [0, 0, 0]
        terms = [(0, 0, xp.sum(classes[0], dtype=xp.int64))]
        for which, part in enumerate(classes, 1):
            terms += [
                (which, shift, partial_sum)
                for shift, partial_sum in partial_square_sums(xp, part, bits)
            ]
        sums = self.cases.where.get(xp.stack([partial_sum for *_, partial_sum in terms])).tolist()
        for (which, shift, _), partial_sum in zip(terms, sums, strict=True):
            totals[which] += partial_sum << shift
        return totals


def take_values(xp: Any, array: Any, places: Any, axis: int = 0) -> Any:
    """Return the values of an array at these places, which must not be negative.

    array-api-compat would check that for PyTorch, which takes longer than a sort.
    """
    if hasattr(array, "index_select"):
        return array.index_select(axis, places)
    return xp.take(array, places, axis=axis)


def cumulative_sums(xp: Any, numbers: Any, positions: Any) -> Any:
    """Return 0 and the cumulative sums of each row at `positions` (None: at all), as int64.

    By one cumulative sum along all rows, which libraries compute in parallel.
    """
    flat = xp.cumulative_sum(xp.reshape(numbers, (-1,)), dtype=numbers.dtype)
    sums = xp.reshape(flat, numbers.shape)
    before = xp.concat([xp.zeros_like(sums[:1, :1]), sums[:-1, -1:]], axis=0)
    sums = (
        sums if positions is None else take_values(xp, sums, positions, 1)
    ) - before  # exact if it wraps
    return xp.astype(xp.concat([xp.zeros_like(before), sums], axis=1), xp.int64)


def partial_square_sums(xp: Any, numbers: Any, bits: int) -> Iterator[tuple[int, Any]]:
    """Yield (shift, s), whose s << shift add up to the sum of squares of numbers of `bits` bits.

    No s exceeds 63 bits.
    """
    size = numbers.shape[0]
    width = 1 << (63 - 2 * bits)
    for start in range(0, size, CHUNK):
        squares = xp.astype(numbers[start : min(start + CHUNK, size)], xp.int64)
        squares, length = squares * squares, squares.shape[0]
        height = 0 if length <= width else length // min(width, WIDEST)
        n_reshaped = height * min(width, WIDEST)
        if height:
            rows = xp.sum(xp.reshape(squares[:n_reshaped], (height, n_reshaped // height)), axis=1)
            yield from ((32, xp.sum(rows >> 32)), (0, xp.sum(rows & LOW)))
        if n_reshaped < length:
            yield 0, xp.sum(squares[n_reshaped:])
