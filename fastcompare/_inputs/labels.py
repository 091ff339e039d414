"""Labels of cases: the positive class, one coding in all columns, and the number of each class.

Labels of two classes become 0 and 1. Columns of several models are comparable where equal labels
mean the same class; classes are numbered in sorted order, and cells of cross tables counted.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import (
    InvalidValueError,
    hint,
    invalid_type,
    invalid_value,
)
from .arrays import Column, as_column, holds_wide_integers

MOST_CLASSES_NAMED = 10
SEVERAL = "AUCs of several classes are compared by multiclass_auc_test."

ONE_MODEL = ("y_score", "y_score_1", "y_score_2")  # parameters of functions for a single model


def refuse_columns(name: str, shape: tuple[int, ...], n_classes: int) -> None:
    """Raise for a table in place of one model's scores, if its columns may be classes or models.

    They may be classes if there are several; the message names the function that takes them.
    """
    advice = ""
    if n_classes > 2:
        both = "y_score_a" if name.startswith("y_score_a[") else "y_score_a, y_score_b"
        advice = f"{SEVERAL[:-1]}(y_true, {both})"
        if name in ONE_MODEL:
            arguments = f"{name.replace('score', 'true')}, {name}"
            advice = f"The AUC of several classes is multiclass_auc({arguments})"
        advice = f" {advice}, with a column of scores for each class."
    elif shape[1] > 2 and name.startswith("y_score") and not name.endswith("]"):
        advice = (
            f" If its columns are models, compare them by delong_pairwise_test(y_true, {name})."
        )
    if advice:
        raise invalid_value(name, "must be 1-d", shape, f".{advice}", show=", got shape {!r}")


def as_label_column(name: str, values: object) -> Column:
    """Return 1-d labels of any kind, and which are missing (None: none is); or raise."""
    return with_nan(as_label_array(name, values))


def with_nan(column: Column) -> Column:
    """Return the column with NaN among the missing values, which are None if there are none."""
    array, missing = column
    if array.dtype.kind == "f":
        nan = np.isnan(array)
        missing = nan if missing is None else missing | nan
    return Column(array, missing if missing is not None and missing.any() else None)


def as_label_array(name: str, values: object) -> Column:
    """Return 1-d labels of any kind, and which are flagged as missing, or raise.

    NaN is not looked for.
    """
    array, missing = as_column(name, values)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array.ravel()
        missing = None if missing is None else missing.ravel()
    if array.ndim == 2 and array.shape[1] == 2 and name.startswith("y_"):
        raise InvalidValueError(
            f"`{name}` looks one-hot, shape {array.shape}: pass one column.", parameter=name
        )
    if array.ndim != 1:
        raise invalid_value(name, "must be 1-d", array.shape, show=", got shape {!r}")
    if array.dtype.kind not in "biufUST":
        hint = " Pass their text: .astype(str) of an array." if array.dtype.kind in "mM" else ""
        raise invalid_type(
            name, "must contain labels", array.dtype, f".{hint}", show=", got dtype {}"
        )
    return Column(array, missing)


def are_positive(name: str, labels: NDArray[Any], pos_label: object) -> NDArray[np.uint8]:
    """Return 1 for positive and 0 for negative cases, as a new array, or raise.

    Without `pos_label` True or 1 is positive, and all others must be False, 0 or -1.
    """
    if pos_label is not None:
        return equal_to_label(name, labels, pos_label)
    if labels.dtype.kind == "b":
        return labels.astype(np.uint8)
    if labels.dtype.kind in "iu" and 0 <= np.bitwise_or.reduce(labels) <= 1:  # all bits in one pass
        return labels.astype(np.uint8)
    if labels.dtype.kind in "iuf":
        positive = labels == 1
        n_others = labels.size - np.count_nonzero(positive)
        if any(np.count_nonzero(labels == negative) == n_others for negative in (0, -1)):
            return np.asarray(positive.view(np.uint8))
    raise unknown_coding(name, labels)


def equal_to_label(name: str, labels: NDArray[Any], pos_label: Any) -> NDArray[np.uint8]:
    """Return 1 where labels equal `pos_label`, else 0; raise for more than two classes."""
    if not np.isscalar(pos_label):
        raise invalid_type("pos_label", "must be one label", pos_label)
    present = classes(labels)
    same_kind = isinstance(pos_label, str | bytes) == (labels.dtype.kind in "UST")
    if same_kind and len(present) == 1 and pos_label not in present:
        return np.zeros(labels.size, np.uint8)  # a subgroup without a positive case
    if not same_kind or pos_label not in present:
        raise invalid_value(
            "pos_label",
            f"must be one of the labels in `{name}`",
            pos_label,
            f"; found {listed_labels(present)}.",
        )
    if len(present) > 2:
        raise invalid_value(
            name, f"must contain two classes, found {listed_labels(present)}", end=f". {SEVERAL}"
        )
    # the label as the data have it, since a float would equal several integers beyond 2^53
    exact = present[present.index(pos_label)]
    return np.asarray(labels == exact).astype(np.uint8)


def classes(labels: NDArray[Any]) -> list[Any]:
    """Return the distinct labels as Python values."""
    return list(np.unique(labels).tolist())


def listed_labels(labels: list[Any], most: int = MOST_CLASSES_NAMED) -> str:
    """Return at most `most` labels for a message, and an ellipsis for further ones."""
    ellipsis = ", …" if len(labels) > most else ""
    return ", ".join(map(repr, labels[:most])) + ellipsis


def unknown_coding(name: str, labels: NDArray[Any]) -> InvalidValueError:
    """Return the error of labels that are not understood, with how to go on."""
    present = classes(labels)
    if labels.dtype.kind == "f" and not all(map(is_whole, present)):
        some = listed_labels(present, 3)
        rule = f"contains continuous values ({some})"
        return invalid_value(name, rule, end=": were labels and scores swapped?")
    if len(present) > 2:
        return invalid_value(
            name,
            "must contain two classes",
            len(present),
            f": {listed_labels(present)}. Compare one class with the rest: "
            f"{hint('pass y_true == label')}. {SEVERAL}",
            show=", found {}",
        )
    return invalid_value(
        name,
        "must be bool, 0 and 1, or -1 and 1",
        listed_labels(present),
        ". Specify `pos_label`, the positive label: "
        f"{' or '.join(f'`pos_label={label!r}`' for label in present)}.",
        show="; found {}",
    )


def is_whole(value: float) -> bool:
    """Say whether a label is a whole number; infinity is none."""
    return bool(value.is_integer())


def as_label_rows(
    name: str, values: object, shape: tuple[int, int], pos_label: object
) -> NDArray[np.uint8]:
    """Return labels of B problems of n cases as (1, n) or (B, n), or raise."""
    array, missing = as_column(name, values)
    if array.shape not in (shape, shape[1:]):
        raise invalid_value(
            name, f"must have shape {shape[1:]} or {shape} like the scores", array.shape
        )
    labels, nan = as_label_column(name, array.ravel())
    if nan is not None or (missing is not None and missing.any()):
        raise invalid_value(name, "has missing labels", end=": a batch cannot drop cases.")
    return are_positive(name, labels, pos_label).reshape(-1, shape[1])


Labels = NDArray[Any]
KINDS = {"U": "strings", "T": "strings", "S": "bytes"}
SAMPLE = 2_000  # cases that show how labels are coded: looking at all takes as long as comparing
FIRST = 64  # cases among which a model is right once, nearly always
# cases in which a model that predicts two classes, or one, is hardly wrong in all by chance
FEWEST, ENOUGH = 8, 20
MANY = 1 << 16  # cases whose words are all looked at


def are_of_one_coding(columns: Sequence[object]) -> bool:
    """Say whether columns are integers of one type and length that need no further checks.

    These checks took 3 times as long as McNemar's test of 1,000 cases. No column may hold -1, of
    which all bytes are 255: to look for such a byte takes a quarter of looking for the least label.
    Nor may one hold 2 that the first, the true labels, lack: its 1 may be their 0. And each must
    once be equal to the first.
    """
    first = columns[0]
    if type(first) is not np.ndarray or first.ndim != 1 or first.dtype.kind not in "biu":
        return False
    dtype = first.dtype
    shape = first.shape
    step = sampling_step(first)
    start = first[:FIRST]
    for labels in columns:
        if type(labels) is not np.ndarray or labels.dtype != dtype or labels.shape != shape:
            return False
        raw_bytes = (labels if step == 1 else labels[::step]).tobytes()
        if dtype.kind == "i" and b"\xff" in raw_bytes:
            return False
        if labels is first:
            first_has_twos = b"\x02" in raw_bytes
        elif (not first_has_twos and b"\x02" in raw_bytes) or not agree_once(start, labels):
            return False
    return first.size > 0


def is_table_of_one_coding(truth: object, table: object) -> bool:
    """Say whether labels (n,) and an array (n, k) of models need no checks of their codings.

    As `are_of_one_coding` says of columns; there must be k > 1 models, and k must not be n.
    """
    if type(table) is not np.ndarray or table.ndim != 2 or not are_of_one_coding((truth,)):
        return False
    n, k = table.shape
    if k < 2 or k == n or (n,) != truth.shape or table.dtype != truth.dtype:  # type: ignore[attr-defined]
        return False
    first = np.asarray(truth)
    raw_bytes = table[:: sampling_step(first)].tobytes()
    if b"\x02" in raw_bytes and b"\x02" not in first[:: sampling_step(first)].tobytes():
        return False
    all_right_once = bool((first[:FIRST, None] == table[:FIRST]).any(axis=0).all())
    return all_right_once and (table.dtype.kind != "i" or b"\xff" not in raw_bytes)


def agree_once(truth: Labels, labels: Labels) -> bool:
    """Say whether any true label equals the model's, which may be more."""
    if truth.size and truth[0] == labels[0]:
        return True
    equal = truth == labels[: truth.size]
    return b"\x01" in equal.tobytes()  # `equal.any()` takes three times as long


def check_comparable(named: Mapping[str, Labels]) -> None:
    """Raise unless labels of all columns are of one kind and coding, so that equal means equal."""
    if check_kinds(named) == "numbers":
        check_codings([*named.items()])


def check_common_labels(named: Mapping[str, Labels]) -> None:
    """Raise where a model's labels seem to be written in another way than the true ones.

    These come first. The model's have no value in common with them, or a word that differs only by
    case or blanks, or are 1 and 2 in place of 0 and 1.
    """
    (first, truth), *others = named.items()
    for name, labels in others:
        are_words = labels.dtype.kind in "UT"
        if not are_words and agree_once(truth, labels) and not is_shifted(truth, labels):
            continue
        true_labels, predicted = (
            set(column[:: max(1, column.size // MANY)].tolist()) for column in (truth, labels)
        )
        enough = FEWEST if len(predicted) > 1 else ENOUGH
        is_telling = len(true_labels) > 1 and truth.size >= enough
        differ = is_telling and not true_labels & predicted and not (truth == labels).any()
        if are_words:
            folded = {fold_case(label) for label in true_labels}
            differ = differ or any(fold_case(label) in folded for label in predicted - true_labels)
        if differ or is_shifted(truth, labels):
            raise invalid_value(
                name,
                f"contains the labels {listed_labels(sorted(predicted))}, and `{first}` "
                f"{listed_labels(sorted(true_labels))}",
                end=": the same classes seem to be written in two ways. Use one spelling.",
            )


def fold_case(label: str) -> str:
    """Return a label in lower case, without blanks around it."""
    return label.strip().casefold()


def is_shifted(truth: Labels, labels: Labels) -> bool:
    """Say whether true labels are 0 and 1, and a model's 1 and 2."""
    if truth.size < ENOUGH or {truth.dtype.kind, labels.dtype.kind} - {*"iuf"}:
        return False
    ranges = [
        (sample_labels(column).min().item(), sample_labels(column).max().item())
        for column in (truth, labels)
    ]
    return ranges == [(0, 1), (1, 2)] and not (labels < 1).any() and truth.max() < 2


def check_kinds(named: Mapping[str, Labels]) -> str:
    """Return the kind that the labels of all columns have, or raise if their kinds differ."""
    columns = list(named.items())
    (first, truth), *others = columns
    kind = label_kind(truth)
    for name, labels in others:
        if label_kind(labels) != kind:
            raise invalid_value(
                name,
                f"contains {label_kind(labels)} and `{first}` {kind}",
                end=": no label of one equals one of the other. Convert them to one type first.",
            )
    if kind == "numbers":
        check_widths(columns)
    return kind


def label_kind(labels: Labels) -> str:
    """Return 'strings', 'bytes' or 'numbers': labels of two kinds are never equal."""
    return KINDS.get(labels.dtype.kind, "numbers")


def check_widths(columns: Sequence[tuple[str, Labels]]) -> None:
    """Raise where NumPy would compare large integers as floats, some of which are then equal."""
    if np.result_type(*(labels.dtype for _, labels in columns)).kind != "f":
        return
    for name, labels in columns:
        if holds_wide_integers(labels):
            raise invalid_value(
                name,
                "contains integers beyond 2^53 of another type than the other labels",
                end=": comparing them would merge some. Convert them to one type.",
            )


def join_chunks(name: str, chunks: Sequence[Labels]) -> Labels:
    """Return the labels of several chunks in one column, or raise where they are not comparable."""
    kinds = sorted({label_kind(labels) for labels in chunks})
    if len(kinds) > 1:
        raise invalid_value(
            name,
            "must contain labels of one kind in all chunks",
            end=f", got {' and '.join(kinds)}.",
        )
    if kinds == ["numbers"]:
        check_widths([(name, labels) for labels in chunks])
    return np.concatenate(chunks)


# -1 is the outlier of scikit-learn's detectors, and no vote of Snorkel's labeling functions
SIGNED_CODING = (
    ", 0 for -1, or 1 for -1 and 0 for 1 where -1 is the positive class, as of detectors of "
    "outliers; leave out cases where it is no answer"
)


def check_codings(columns: Sequence[tuple[str, Labels]]) -> None:
    """Raise where columns are coded in two ways, by some labels of each.

    That is 0 and 1 beside -1 and 1, which may be either class, or booleans beside numbers below 0
    or above 1.
    """
    samples = [sample_labels(labels) for _, labels in columns]
    lows = [lowest(labels) for labels in samples]
    if any(labels.dtype.kind == "b" for labels in samples):
        clash = min(lows) < 0 or max(np.maximum.reduce(labels).item() for labels in samples) > 1
    elif min(lows) != -1:  # so it is of most labels: what follows takes twice as long
        return
    else:
        have_zero = [np.count_nonzero(labels) < labels.size for labels in samples]
        # 0 beside -1 in one column is a third class
        signed_have_zero = [zero for zero, low in zip(have_zero, lows, strict=True) if low < 0]
        high = max(np.maximum.reduce(labels).item() for labels in samples)
        clash = high == 1 and any(have_zero) and not any(signed_have_zero)
    if clash:
        pairs = zip(columns, samples, strict=True)
        listed = "; ".join(
            f"`{name}` {listed_labels(sorted(set(labels.tolist())))}" for (name, _), labels in pairs
        )
        raise InvalidValueError(
            f"labels are coded in different ways, {listed}: use one coding"
            f"{SIGNED_CODING if min(lows) == -1 else ''}.",
            parameter=columns[0][0],
        )


def sample_labels(labels: Labels) -> Labels:
    """Return some of the labels, from all over the column."""
    return labels[:: sampling_step(labels)]


def sampling_step(labels: Labels) -> int:
    """Return the distance of the sampled labels: 1 if there are few, which are all sampled."""
    return max(1, labels.size // SAMPLE)


def lowest(labels: Labels) -> float:
    """Return the least of whole numbers; 0 of booleans and unsigned ones, which are not below."""
    return 0 if labels.dtype.kind in "bu" else np.minimum.reduce(labels).item()


MOST_COUNTED = 1 << 16  # range of whole numbers up to which counting replaces sorting
MOST_SHIFTED = 1 << 62
BLOCK = 1 << 16  # cases whose cells stay in the cache
BITS = 4  # of a label in a cell: of three labels there are 4,096, few beside 10^5 cases
FEW = 1 << BITS


class Cells(NamedTuple):
    """The K sorted classes, and the counts (K, ..., K) of cases with each combination of labels."""

    classes: tuple[Any, ...]
    counts: NDArray[np.int64]


class LabelNumbers(dict[Any, int]):
    """A dictionary that numbers labels in the order of their first look-up, from 0."""

    def __missing__(self, label: Any) -> int:
        """Return the number of a label that is looked up for the first time."""
        self[label] = number = len(self)
        return number


def number_labels(columns: Sequence[Labels]) -> tuple[tuple[Any, ...], NDArray[np.int64]]:
    """Return the sorted classes of comparable columns, and a row of their numbers for each."""
    if all(labels.dtype.kind in "biu" for labels in columns):
        low, high = (int(end) for end in lowest_and_highest(columns))
        if high - low < MOST_COUNTED and low > -MOST_SHIFTED and high < MOST_SHIFTED:
            return counted_labels(columns, low)
    if all(labels.dtype.kind in "US" for labels in columns):
        return numbered_words(columns)
    pooled = np.concatenate(columns)
    unique_labels, inverse = np.unique(pooled, return_inverse=True)
    return tuple(unique_labels.tolist()), inverse.astype(np.int64).reshape(len(columns), -1)


def lowest_and_highest(columns: Sequence[Labels]) -> tuple[Any, Any]:
    """Return the lowest and the highest label."""
    return min(labels.min() for labels in columns), max(labels.max() for labels in columns)


def counted_labels(
    columns: Sequence[Labels], low: int
) -> tuple[tuple[Any, ...], NDArray[np.int64]]:
    """Return the classes and numbers of whole labels in a narrow range, without sorting."""
    shifted = np.array([labels.astype(np.int64) - low for labels in columns])
    present = np.bincount(shifted.ravel()) > 0
    place = np.cumsum(present) - 1
    return tuple((np.flatnonzero(present) + low).tolist()), place[shifted]


def numbered_words(columns: Sequence[Labels]) -> tuple[tuple[Any, ...], NDArray[np.int64]]:
    """Return the classes and numbers of strings, of which only the classes are sorted."""
    numbers = LabelNumbers()
    codes = [np.fromiter(map(numbers.__getitem__, labels.tolist()), np.int64) for labels in columns]
    classes = sorted(numbers)
    place = np.empty(len(classes), np.int64)  # among the sorted classes, by the first look-up
    place[[numbers[label] for label in classes]] = np.arange(len(classes))
    return tuple(classes), place[np.array(codes)]


def count_few_labels(columns: Sequence[Labels]) -> Cells | None:
    """Return the cross table of columns of labels from 0 to 15; None for other labels.

    Blocks of cases are read once: the bits of all columns together show whether a label is beyond.
    """
    if np.result_type(*columns).kind not in "biu":
        return None
    starts = range(0, columns[0].size, BLOCK)
    blocks = [[labels[start : start + BLOCK] for labels in columns] for start in starts]
    bits = BITS if len(blocks) > 1 else highest(blocks[0]).bit_length()  # few cases, few cells
    if bits > BITS:
        return None
    counts = np.zeros(1 << bits * len(columns), np.int64)
    for block in blocks:
        if highest(block) >= FEW:
            return None
        counts += np.bincount(pack_labels(block, bits), minlength=counts.size)
    table = counts.reshape((1 << bits,) * len(columns))
    axes = set(range(table.ndim))
    sides = [table.any(axis=tuple(axes - {axis})) for axis in axes]
    classes = np.flatnonzero(np.logical_or.reduce(sides))
    if classes.size < len(table):
        table = table[np.ix_(*[classes] * table.ndim)]
    return Cells(tuple(classes.tolist()), table)


def highest(columns: Sequence[Labels]) -> int:
    """Return a number with the highest bit of any label; negative labels have the sign bit.

    Labels must be booleans or integers.
    """
    bits_of_cases = reduce(np.bitwise_or, columns)
    return int(bits_of_cases.view(f"u{bits_of_cases.itemsize}").max())


def pack_labels(columns: Sequence[Labels], bits: int) -> NDArray[np.int64]:
    """Return the labels of each case packed into one number, with `bits` bits for each label."""
    cell = columns[0].astype(np.int64)
    for labels in columns[1:]:
        cell <<= bits
        cell |= labels.astype(np.int64, copy=False)
    return cell


def is_flag(values: NDArray[Any]) -> bool:
    """Say whether values are an array of bools."""
    return values.dtype.kind == "b"


def is_zero_or_one(values: NDArray[Any]) -> bool:
    """Say whether values are numbers 0 and 1, or missing."""
    if values.dtype.kind not in "biuf":
        return False
    return bool(((values == 0) | (values == 1) | (values != values)).all())
