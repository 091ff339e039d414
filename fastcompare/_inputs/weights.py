"""Weights of cases, and the clusters that cases belong to as numbers from 0 in sorted order.

Of sampling weights only the ratios count; frequency weights are numbers of equal cases. Integers
of a small range are numbered by a table. Others, and the characters of strings, become sort keys of
few bits with the number of the case below: a sort of plain integers has SIMD (10^6 strings: 0.05 of
the time of `np.unique`).
"""

import math
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import InvalidValueError, invalid_value
from .._base.types import AnyArray, Integers, WeightKind
from .arrays import EXACT_INTEGER, as_float_array, refuse_illegal
from .labels import as_label_column
from .names import on_other_cases
from .options import check_flag

TABLE = 2  # places a case: in a larger table one has to wait for memory as long as for a sort
BLOCK = 1 << 12  # cases whose characters stay in the cache while a key is made of them
WORD = 64  # bits of a key

Keys = NDArray[np.uint64]


class Numbered(NamedTuple):
    """How many different labels there are, and the number of that of each case."""

    total: int
    numbers: Integers


def number_groups(labels: AnyArray) -> Numbered:
    """Return how many distinct 1-d labels there are, and the number of each in sorted order.

    No label may be missing. The numbers may be the array of labels itself, if these are such
    numbers.
    """
    kind = labels.dtype.kind
    if kind == "f":
        labels = whole_if_all_are(labels)
    if labels.dtype.kind in "biu":
        return number_integers(labels)
    if kind in "US" and labels.dtype.itemsize:
        return number_texts(labels)
    unique_labels, numbers = np.unique(labels, return_inverse=True)
    return Numbered(unique_labels.size, numbers.astype(np.int64))


def whole_if_all_are(labels: AnyArray) -> AnyArray:
    """Return floats as integers if all are whole, else as they are."""
    with np.errstate(invalid="ignore"):
        integers = labels.astype(np.int64)
    return integers if np.array_equal(integers, labels) else labels


def number_integers(labels: AnyArray) -> Numbered:
    """Return the numbers of integers: by a table if their range is small, else by a sort."""
    low, high = int(labels.min()), int(labels.max())
    is_uint64 = labels.dtype.kind == "u" and labels.dtype.itemsize == 8
    # plain and writeable, since kernels will take the numbers, which may be this array
    plain = np.require(labels, np.uint64 if is_uint64 else np.int64, ("C", "A", "W"))
    offsets = plain.view(np.uint64)
    if low:  # modulo 2^64, so that they are right from a negative lowest label, too
        offsets = offsets - np.uint64(low % 2**WORD)
    if high - low < TABLE * labels.size:
        return number_by_table(offsets.view(np.int64))
    keys = offsets if low else offsets.copy()  # the sort overwrites them
    return number_by_sort(keys, (high - low).bit_length())


def number_by_table(places: Integers) -> Numbered:
    """Return the numbers of small integers; `places` themselves if all of them occur."""
    occurs = np.bincount(places) > 0
    if occurs.all():
        return Numbered(occurs.size, places)
    numbers = np.cumsum(occurs) - 1
    return Numbered(int(numbers[-1]) + 1, numbers[places])


def number_by_sort(keys: Keys, bits: int) -> Numbered:
    """Return the numbers of keys, each of `bits` bits, by a sort that overwrites them.

    Where key and index of a case fit into 64 bits together, they are sorted as one integer.
    """
    index_bits = np.uint64((keys.size - 1).bit_length())
    if bits + int(index_bits) > WORD:  # three times as slow
        order = np.argsort(keys)
        keys = keys[order]
        differs_from_last = keys[1:] != keys[:-1]
    else:
        keys <<= index_bits
        keys |= np.arange(keys.size, dtype=np.uint64)
        keys.sort()
        differs_from_last = (keys[1:] ^ keys[:-1]) >> index_bits != 0
        keys &= (np.uint64(1) << index_bits) - np.uint64(1)
        order = keys.view(np.int64)
    numbers = np.empty(keys.size, np.int64)
    numbers[order[0]] = 0
    numbers[order[1:]] = np.cumsum(differs_from_last)
    return Numbered(int(numbers[order[-1]]) + 1, numbers)


def number_texts(labels: AnyArray) -> Numbered:
    """Return the numbers of strings or bytes, by as many letters at a time as a key holds."""
    letters = code_points(labels)
    low, high = ends_of_columns(letters)
    bits = [int(most).bit_length() for most in high - low]
    columns = [j for j, n_bits in enumerate(bits) if n_bits]  # in others all letters are equal
    numbered = Numbered(1, np.zeros(labels.size, np.int64))
    while columns and not are_distinguished(letters, numbered):
        # a key has the number by the letters before, and then as many letters as fit
        used = (numbered.total - 1).bit_length()
        fit = how_many_fit([bits[j] for j in columns], labels.size, used)
        next_columns, columns = columns[:fit], columns[fit:]
        keys = numbered.numbers.view(np.uint64)
        append_letters(keys, letters, [(j, low[j], np.uint64(bits[j])) for j in next_columns])
        numbered = number_by_sort(keys, used + sum(bits[j] for j in next_columns))
    return numbered


def code_points(labels: AnyArray) -> AnyArray:
    """Return a row of unsigned integers for each string: its code points or bytes, then zeros."""
    letter = np.uint32 if labels.dtype.kind == "U" else np.uint8
    native = np.ascontiguousarray(labels, labels.dtype.newbyteorder("="))
    return native.view(letter).reshape(labels.size, -1)


def ends_of_columns(letters: AnyArray) -> tuple[AnyArray, AnyArray]:
    """Return the least and the greatest letter of each column."""
    blocks = [letters[start : start + BLOCK] for start in range(0, len(letters), BLOCK)]
    lows = np.array([block.min(axis=0) for block in blocks])
    highs = np.array([block.max(axis=0) for block in blocks])
    return lows.min(axis=0), highs.max(axis=0)


def are_distinguished(letters: AnyArray, numbered: Numbered) -> bool:
    """Say whether all cases of one number have the same letters."""
    example = np.empty(numbered.total, np.int64)  # a case of each number
    example[numbered.numbers] = np.arange(len(letters))
    for start in range(0, len(letters), BLOCK):
        numbers = numbered.numbers[start : start + BLOCK]
        if not np.array_equal(letters[start : start + BLOCK], letters[example[numbers]]):
            return False
    return True


def how_many_fit(bits: Sequence[int], size: int, used: int) -> int:
    """Return how many columns of letters, at least 1, fit into a key beside what else it has.

    That are `used` bits, and the index of one of `size` cases; `bits` are those of each column.
    """
    free = WORD - (size - 1).bit_length() - used
    return max(1, sum(total <= free for total in accumulate(bits)))


def append_letters(
    keys: Keys, letters: AnyArray, columns: Sequence[tuple[int, Any, np.uint64]]
) -> None:
    """Append letters to the low ends of keys; `columns` are (column, least letter, bits)."""
    for start in range(0, keys.size, BLOCK):
        key, block = keys[start : start + BLOCK], letters[start : start + BLOCK]
        for j, least, bits in columns:
            key <<= bits
            key |= block[:, j] - least


Weights = NDArray[np.float64]
LABELS = "labels in `y_true`"
LARGE = 256  # exponent of 2, from which on squares of weights may leave the range of floats


class WeightsOrClusters(NamedTuple):
    """The weights of n cases, or the labels of their clusters and which are missing; or neither."""

    weights: Weights | None = None
    weight_kind: WeightKind | None = None
    groups: NDArray[Any] | None = None
    ungrouped: NDArray[np.bool_] | None = None

    def only(self, selected: NDArray[np.bool_]) -> "WeightsOrClusters":
        """Return the weights or clusters of the selected cases, of which none lacks its cluster."""
        weights = None if self.weights is None else self.weights[selected]
        groups = None if self.groups is None else self.groups[selected]
        return WeightsOrClusters(weights, self.weight_kind, groups)

    def clusters(self) -> NDArray[np.int64] | None:
        """Return the clusters as numbers from 0 in the order of their labels, None without any.

        Raise if there is only one.
        """
        if self.groups is None:
            return None
        n_clusters, numbers = number_groups(self.groups)
        check_clusters(n_clusters, self.groups)
        return numbers


def as_extras(
    n: int, sample_weight: object, frequency_weight: object, groups: object, cases: str = LABELS
) -> WeightsOrClusters:
    """Return the weights or the clusters of n cases; raise if both are given.

    Errors about the number of clusters call the cases `cases`.
    """
    if sample_weight is not None and frequency_weight is not None:
        raise InvalidValueError(
            "`sample_weight` and `frequency_weight` cannot both be specified: pass the first for "
            "sampling weights, the second if rows represent several identical cases.",
            parameter="sample_weight",
        )
    if groups is not None and (sample_weight is not None or frequency_weight is not None):
        raise InvalidValueError(
            "`groups` and weights are not supported together: omit one.", parameter="groups"
        )
    if sample_weight is not None:
        return WeightsOrClusters(as_weights("sample_weight", sample_weight, n), "sampling")
    if frequency_weight is not None:
        return WeightsOrClusters(as_counts("frequency_weight", frequency_weight, n), "frequency")
    if groups is None:
        return WeightsOrClusters()
    labels, missing = as_label_column("groups", groups)
    check_length("groups", labels.size, n, cases)
    return WeightsOrClusters(groups=labels, ungrouped=missing)


def as_strata(
    strata: object, n: int, cases: str
) -> tuple[NDArray[Any] | None, NDArray[np.bool_] | None]:
    """Return the labels of n cases' strata, and which are missing; twice None without strata.

    Errors call the cases `cases`.
    """
    if strata is None:
        return None, None
    labels, missing = as_label_column("strata", strata)
    check_length("strata", labels.size, n, cases)
    return labels, missing


def number_strata(labels: NDArray[Any] | None) -> Integers | None:
    """Return the numbers of strata from 0, in the order of their labels; None if there is one."""
    if labels is None:
        return None
    total, numbers = number_groups(labels)
    return numbers if total > 1 else None


def check_whole_strata(strata: Integers | None, groups: Integers | None) -> None:
    """Raise unless each cluster consists of whole strata."""
    if strata is None or groups is None:
        return
    order = np.argsort(strata, kind="stable")
    is_split = (np.diff(strata[order]) == 0) & (np.diff(groups[order]) != 0)
    if is_split.any():
        place = int(np.argmax(is_split))  # of the first of two neighbours in this order
        first, second = sorted(order[place : place + 2].tolist())
        raise invalid_value(
            "groups",
            "must have all cases of a stratum in one cluster, where whole strata are a sample",
            end=f": the cases at index {first} and {second} are in one stratum and in "
            "two clusters. Pass the strata as `groups`, too, or omit `groups`.",
            row=first,
        )


def check_clusters(n_clusters: int, labels: NDArray[Any]) -> None:
    """Raise if all cases are in one cluster; `labels` are those of the cases."""
    if n_clusters < 2:
        raise invalid_value(
            "groups",
            f"must name >= 2 clusters, all cases are in {labels[:1].tolist()}",
            end=". Omit it if the cases are independent.",
        )


def check_length(name: str, size: int, n: int, cases: str = LABELS) -> None:
    """Raise unless a column of `size` values has one for each of n cases, as errors call them."""
    if size != n:
        raise invalid_value(
            name,
            f"must have one value for each of the {n} {cases}",
            size,
            f".{on_other_cases(name)}",
            show=", got {}",
        )


def as_weights(name: str, values: object, n: int, cases: str = LABELS) -> Weights:
    """Return n finite weights of at least 0, as kernels take them, or raise."""
    weights = np.require(as_float_array(name, values), None, ("C", "A", "W"))
    if weights.ndim == 2 and weights.shape[1] == 1:
        weights = weights.ravel()
    if weights.ndim != 1:
        raise invalid_value(name, "must be 1-d", weights.shape, show=", got shape {!r}")
    check_length(name, weights.size, n, cases)
    legal = np.isfinite(weights) & (weights >= 0.0)
    refuse_illegal(name, "contain finite weights of at least 0", weights, legal)
    return weights


def in_range(weights: Weights) -> Weights:
    """Return sampling weights, of which only ratios count, so that their squares stay in range.

    Very large or small ones are multiplied by a power of two, which rounds no digit.
    """
    exponent = math.frexp(float(weights.max()))[1]
    return weights if abs(exponent) < LARGE else np.asarray(np.ldexp(weights, -exponent))


def as_counts(name: str, values: object, n: int, cases: str = LABELS) -> Weights:
    """Return n whole numbers of at least 0, or raise."""
    weights = as_weights(name, values, n, cases)
    is_integer = (weights == np.floor(weights)) & (weights < EXACT_INTEGER)
    rule = "contain whole numbers below 2^53 (pass other weights as `sample_weight`)"
    refuse_illegal(name, rule, weights, is_integer)
    return weights


MOST_NUMBERED = 1 << 32


def check_weighed(method: object, groups: object, stratified: object) -> None:
    """Raise for options that Poisson weights of rows lack, and for other methods with chunks."""
    if method != "poisson":
        raise invalid_value(
            "method",
            "must be 'poisson' for chunks",
            method,
            ": other methods need the total number of cases first. Pass method='poisson', or "
            "arrays in memory.",
        )
    if groups is not None:
        raise invalid_value(
            "groups",
            "must be None for method='poisson', which weights every row independently",
            end=": choose 'percentile', with arrays in memory.",
        )
    if not check_flag("stratified", stratified):
        raise invalid_value(
            "stratified",
            "must be omitted for method='poisson'",
            end=": the sizes of both classes vary, and AUCs are divided by those of each "
            "replicate.",
        )


def check_countable(n: int) -> None:
    """Raise if rows are too many to be numbered by 32 bits."""
    if n > MOST_NUMBERED:
        raise invalid_value(
            "y_true",
            "must contain at most 2^32 cases for method='poisson'",
            n,
            ": use delong_test.",
            show=", got {}",
        )
