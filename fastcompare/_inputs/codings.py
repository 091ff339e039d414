"""Whether labels of several columns are coded alike, so that equal labels mean the same."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import InvalidValueError
from .arrays import holds_wide_integers
from .labels import shown

Labels = NDArray[Any]
KINDS = {"U": "strings", "T": "strings", "S": "bytes"}
SAMPLE = 2_000  # cases that show how labels are coded: looking at all takes as long as comparing
FIRST = 64  # cases among which a model is right once, nearly always
FEWEST, ENOUGH = 8, 20  # cases in which two classes, or one, are missed by no chance
MANY = 1 << 16  # cases whose words are all looked at


def are_of_one_coding(columns: Sequence[object]) -> bool:
    """Say whether columns are arrays of one integer type and length, none of which may hold -1.

    Then no other check can find anything: they took 3 times as long as McNemar's test of 1,000
    cases. All bytes of -1 are 255; to look for one takes a quarter of looking for the least label.
    Nor may one hold 2 that the first has not, whose 1 may mean the other's 0.
    """
    first = columns[0]
    if type(first) is not np.ndarray or first.ndim != 1 or first.dtype.kind not in "biu":
        return False
    dtype, shape, step = first.dtype, first.shape, step_of(first)
    for labels in columns:
        if type(labels) is not np.ndarray or labels.dtype != dtype or labels.shape != shape:
            return False
        held = labels[::step].tobytes()
        if dtype.kind == "i" and b"\xff" in held:
            return False
        if labels is first:
            twos = b"\x02" in held
        elif (not twos and b"\x02" in held) or not meet(first, labels):
            return False
    return first.size > 0


def is_table_of_one_coding(truth: object, table: object) -> bool:
    """Say the same of labels (n,) and an array (n, k) of those of k > 1 models, k unlike n."""
    if type(table) is not np.ndarray or table.ndim != 2 or not are_of_one_coding((truth,)):
        return False
    n, k = table.shape
    if k < 2 or k == n or (n,) != truth.shape or table.dtype != truth.dtype:  # type: ignore[attr-defined]
        return False
    first = np.asarray(truth)
    held = table[:: step_of(first)].tobytes()
    if b"\x02" in held and b"\x02" not in first[:: step_of(first)].tobytes():
        return False
    met = bool((first[:FIRST, None] == table[:FIRST]).any(axis=0).all())
    return met and (table.dtype.kind != "i" or b"\xff" not in held)


def meet(truth: Labels, labels: Labels) -> bool:
    """Say whether a model is right on one of the first cases; `any` takes three times as long."""
    return b"\x01" in (truth[:FIRST] == labels[:FIRST]).tobytes()


def check_comparable(named: Mapping[str, Labels]) -> None:
    """Raise unless labels of all columns are of one kind and coding, so that equal means equal."""
    if check_kinds(named) == "numbers":
        check_codings([*named.items()])


def check_met(named: Mapping[str, Labels]) -> None:
    """Raise where a model's labels share no value with the true ones, which come first.

    Or differ from them by case or blanks alone, or are 1 and 2 for 0 and 1.
    """
    (first, truth), *others = named.items()
    for name, labels in others:
        words = labels.dtype.kind in "UT"
        if not words and meet(truth, labels) and not is_shifted(truth, labels):
            continue
        known, held = (set(some[:: max(1, some.size // MANY)].tolist()) for some in (truth, labels))
        enough = FEWEST if len(held) > 1 else ENOUGH
        several = len(known) > 1 and truth.size >= enough
        strangers = several and not known & held and not (truth == labels).any()
        if words:
            plain = {bare(label) for label in known}
            strangers = strangers or any(bare(label) in plain for label in held - known)
        if strangers or is_shifted(truth, labels):
            raise InvalidValueError(
                f"`{name}` holds the labels {shown(sorted(held))}, and `{first}` "
                f"{shown(sorted(known))}: the same classes seem to be written in two ways. Write "
                "them alike."
            )


def bare(label: str) -> str:
    """Return a word without the case and the blanks in which spellings of it differ."""
    return label.strip().casefold()


def is_shifted(truth: Labels, labels: Labels) -> bool:
    """Say whether true labels are 0 and 1, and a model's 1 and 2."""
    if truth.size < ENOUGH or {truth.dtype.kind, labels.dtype.kind} - {*"iuf"}:
        return False
    ends = [(sampled(some).min().item(), sampled(some).max().item()) for some in (truth, labels)]
    return ends == [(0, 1), (1, 2)] and not (labels < 1).any() and truth.max() < 2


def check_kinds(named: Mapping[str, Labels]) -> str:
    """Return the kind of labels of all columns, or raise where there are several."""
    columns = list(named.items())
    (first, truth), rest = columns[0], columns[1:]
    kind = kind_of(truth)
    for name, labels in rest:
        if kind_of(labels) != kind:
            raise InvalidValueError(
                f"`{name}` holds {kind_of(labels)} and `{first}` {kind}: no label of one equals "
                "one of the other. Convert them to one kind first."
            )
    if kind == "numbers":
        check_widths(columns)
    return kind


def kind_of(labels: Labels) -> str:
    """Return which labels these can be equal to."""
    return KINDS.get(labels.dtype.kind, "numbers")


def check_widths(columns: Sequence[tuple[str, Labels]]) -> None:
    """Raise where NumPy would compare large integers as floats, some of which are then equal."""
    if np.result_type(*(labels.dtype for _, labels in columns)).kind != "f":
        return
    for name, labels in columns:
        if holds_wide_integers(labels):
            raise InvalidValueError(
                f"`{name}` holds integers beyond 2^53 of another type than the other labels: "
                "comparing them would merge some. Make them of one type."
            )


def joined(name: str, parts: Sequence[Labels]) -> Labels:
    """Return the labels of several chunks in one column, or raise where they are not comparable."""
    kinds = sorted({kind_of(labels) for labels in parts})
    if len(kinds) > 1:
        raise InvalidValueError(
            f"`{name}` must hold labels of one kind in all chunks, got {' and '.join(kinds)}."
        )
    if kinds == ["numbers"]:
        check_widths([(name, labels) for labels in parts])
    return np.concatenate(parts)


def check_codings(columns: Sequence[tuple[str, Labels]]) -> None:
    """Raise where one column has 0 and 1 and another -1 and 1, or one booleans, another more."""
    found = [sampled(labels) for _, labels in columns]
    lows = [lowest(labels) for labels in found]
    if any(labels.dtype.kind == "b" for labels in found):
        clash = min(lows) < 0 or max(np.maximum.reduce(labels).item() for labels in found) > 1
    elif min(lows) != -1:  # most labels: the rest takes twice as long
        return
    else:
        zeros = [np.count_nonzero(labels) < labels.size for labels in found]
        signed = [zero for zero, low in zip(zeros, lows, strict=True) if low < 0]
        high = max(np.maximum.reduce(labels).item() for labels in found)
        clash = high == 1 and any(zeros) and not any(signed)
    if clash:
        pairs = zip(columns, found, strict=True)
        listed = "; ".join(
            f"`{name}` {shown(sorted(set(labels.tolist())))}" for (name, _), labels in pairs
        )
        raise InvalidValueError(f"labels are coded in different ways, {listed}: use one coding.")


def sampled(labels: Labels) -> Labels:
    """Return some of the labels, from all over the column."""
    return labels[:: step_of(labels)]


def step_of(labels: Labels) -> int:
    """Return the distance of the sampled labels."""
    return max(1, labels.size // SAMPLE)


def lowest(labels: Labels) -> float:
    """Return the least of whole numbers or booleans."""
    return 0 if labels.dtype.kind in "bu" else np.minimum.reduce(labels).item()
