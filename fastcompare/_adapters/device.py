"""Arrays of other libraries on another device, such as a GPU: DeLong's exact integers from there.

Any namespace of the Array API: PyTorch, CuPy, JAX, through array-api-compat. The placement of a
case is twice the number of cases of the other class that are ranked rightly beside it, negatives
below a positive and positives above a negative, where a tie counts 1. The integers are those of the
compiled kernels, so what follows from them has the same bits:

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
    """Return the name of an array's device, such as "cuda:0"; "" for main memory, or no array."""
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
        array = named[first]
        compat = array_api(first, array)
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
        if "bfloat16" in str(array.dtype):  # which NumPy lacks
            array = self.xp.astype(array, self.xp.float32)
        methods = {"torch": "cpu", "cupy": "get"}  # that return a copy in main memory
        if package_name(array) in methods:
            return np.asarray(getattr(array, methods[package_name(array)])())
        if hasattr(array, "to_device") and not self.xp.__name__.startswith("jax"):
            array = array.to_device(self.xp.__array_namespace_info__().default_device())
        return np.asarray(array)

    def number_kind(self, array: Any) -> str:
        """Return NumPy's letter for the type of real numbers (b, i, u, f), "" for other types."""
        kinds = {"b": "bool", "i": "signed integer", "u": "unsigned integer", "f": "real floating"}
        isdtype = self.xp.isdtype
        return next((letter for letter in kinds if isdtype(array.dtype, kinds[letter])), "")

    def missing(self, array: Any) -> NDArray[np.bool_] | None:
        """Return flags of the NaN in an array, in main memory; None if there are none."""
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

    `ends` are the last places of the groups of tied cases, and `group` is the number of the group
    of each place; both are None if there are no ties.
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
        classes = self.positive, ~self.positive  # one after the other: places take 64 bits each
        return xp.concat([xp.astype(xp.nonzero(members)[0], xp.int32) for members in classes])

    def sort_model(self, model: int) -> SortedCases:
        """Return a model's cases, by their numbers in `by_class`, sorted by score, with ties."""
        xp = self.where.xp
        scores = take_values(self.where.xp, self.scores[model], self.by_class)
        if package_name(scores) == "torch":  # whose sort gives both
            sorted_scores, order = scores.sort()
        else:
            order = xp.argsort(scores, stable=False)
            sorted_scores = xp.take(scores, order)
        positive = order < self.m  # by class, positives have the numbers below m
        true = xp.ones((1,), dtype=xp.bool, device=self.where.device)
        last = xp.concat([sorted_scores[1:] != sorted_scores[:-1], true])
        if bool(xp.all(last)):
            return SortedCases(order, positive)
        (ends,) = xp.nonzero(last)
        is_last = xp.astype(last, xp.int32)
        ended_before = xp.cumulative_sum(is_last, dtype=xp.int32) - is_last
        return SortedCases(order, positive, ends, group=ended_before)

    def placements(self, model: int) -> Any:
        """Return the placements (n,) of the cases of `by_class`, int32; 0 if a class is empty."""
        xp, device = self.where
        size = self.m + self.n
        zero = xp.zeros((1,), dtype=xp.int32, device=device)
        if not (self.m and self.n):
            return xp.zeros((size,), dtype=xp.int32, device=device)
        order, positive, ends, group = self.sort_model(model)
        n_positive = xp.cumulative_sum(xp.astype(positive, xp.int32), dtype=xp.int32)
        n_cases = xp.arange(1, size + 1, dtype=xp.int32, device=device)  # up to each place
        if ends is None:
            of_positives = 2 * (n_cases - n_positive)  # twice the negatives below
            of_negatives = 2 * (self.m - n_positive)  # twice the positives above
        else:
            n_positive, n_cases = (take_values(xp, x, ends) for x in (n_positive, n_cases))
            up_to_group = n_cases - n_positive, n_positive
            # cases below a group of ties count twice, those in it once
            passed = (counts + xp.concat([zero, counts[:-1]]) for counts in up_to_group)
            negatives, positives = (take_values(xp, counts, group) for counts in passed)
            of_positives, of_negatives = negatives, 2 * self.m - positives
        return self.restore_order(xp.where(positive, of_positives, of_negatives), order)

    def restore_order(self, value: Any, order: Any) -> Any:
        """Return values of sorted cases in the order of `by_class`."""
        xp = self.where.xp
        if hasattr(value, "at"):  # JAX, whose arrays do not change
            return xp.zeros_like(value).at[order].set(value)
        if package_name(value) in ("torch", "cupy", "numpy"):
            out = xp.empty_like(value)
            out[order] = value
            return out
        return xp.take(value, xp.argsort(order))  # the standard lacks assignment by index arrays

    def wins_under(self, weights: NDArray[np.uint8]) -> NDArray[np.uint64]:
        """Return (k + 2, b): 2 m n AUC of k models, and n and m, under b sets of weights (n, b)."""
        with self.where.exact():
            starts = range(0, weights.shape[1], max(1, CELLS // len(weights)))
            wins: list[NDArray[np.int64]] = [
                self.wins_under_few(weights[:, start : start + starts.step]) for start in starts
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
            of_negatives = sorted_weights - of_positives
            negatives = cumulative_sums(xp, of_negatives, ends)
            positives = cumulative_sums(xp, of_positives, ends)
            in_group = positives[:, 1:] - positives[:, :-1]
            passed = negatives[:, 1:] + negatives[:, :-1]
            rows.append(xp.sum(in_group * passed, axis=1))
        n, m = negatives[:, -1], positives[:, -1]  # totals: the same for every model
        return self.where.get(xp.stack([*rows, n, m]))

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
        """Return 2 m n AUC of a model, the sum of the placements of the positives."""
        wins, *_ = self.class_sums(model, model)
        return wins

    def pair_sums(self, i: int, j: int) -> list[int]:
        """Return 2 m n AUC of models i and j, and six sums of squares of placements.

        Over positives and negatives: of model i, of model j, and of their differences.
        """
        wins_i, *squares_i = self.class_sums(i, i)
        wins_j, *squares_j = self.class_sums(j, j)
        _, *squares_of_difference = self.class_sums(i, j) if i != j else [0, 0, 0]
        return [wins_i, wins_j, *squares_i, *squares_j, *squares_of_difference]

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
        """Return the sum over positives, and the sums of squares over positives and negatives.

        Partial sums come from the device all at once, and are added as Python integers.
        """
        xp = self.cases.where.xp
        bits = (2 * max(self.m, self.n)).bit_length()
        of_positives, of_negatives = numbers[: self.m], numbers[self.m :]
        targets = [(0, 0)]  # of each partial sum: the index of its total, and its shift
        partial_sums = [xp.sum(of_positives, dtype=xp.int64)]
        for index, in_class in enumerate((of_positives, of_negatives), 1):
            for shift, partial_sum in partial_square_sums(xp, in_class, bits):
                targets.append((index, shift))
                partial_sums.append(partial_sum)
        totals = [0, 0, 0]
        integers = self.cases.where.get(xp.stack(partial_sums)).tolist()
        for (index, shift), integer in zip(targets, integers, strict=True):
            totals[index] += integer << shift
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

    By one cumulative sum along all rows, which libraries compute in parallel. It may wrap, which
    leaves differences of two of its values exact.
    """
    flat = xp.cumulative_sum(xp.reshape(numbers, (-1,)), dtype=numbers.dtype)
    sums = xp.reshape(flat, numbers.shape)
    before = xp.concat([xp.zeros_like(sums[:1, :1]), sums[:-1, -1:]], axis=0)
    chosen = sums if positions is None else take_values(xp, sums, positions, axis=1)
    of_rows = xp.concat([xp.zeros_like(before), chosen - before], axis=1)
    return xp.astype(of_rows, xp.int64)


def partial_square_sums(xp: Any, numbers: Any, bits: int) -> Iterator[tuple[int, Any]]:
    """Yield (shift, s), whose s << shift add up to the sum of squares of numbers of `bits` bits.

    No s exceeds 63 bits: as many squares as fit into them are added directly, of more the sums of
    rows by their upper and lower 32 bits.
    """
    size = numbers.shape[0]
    n_safe = 1 << (63 - 2 * bits)  # squares whose sum fits into 63 bits
    width = min(n_safe, WIDEST)
    for start in range(0, size, CHUNK):
        squares = xp.astype(numbers[start : min(start + CHUNK, size)], xp.int64)
        squares = squares * squares  # under one name, so that the numbers are freed
        length = squares.shape[0]
        height = 0 if length <= n_safe else length // width
        n_reshaped = height * width
        if height:
            rows = xp.sum(xp.reshape(squares[:n_reshaped], (height, width)), axis=1)
            yield 32, xp.sum(rows >> 32)
            yield 0, xp.sum(rows & LOW)
        if n_reshaped < length:
            yield 0, xp.sum(squares[n_reshaped:])
