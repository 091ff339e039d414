"""Probabilities of several classes: a column a class of each model, beside the true labels."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..._base.exceptions import InvalidValueError
from .column import Column
from .reading import Named, Reading, asides, linked, names_in
from .truths import Truth, is_positive, positive_of, truth_line, values_of
from .units import dependence
from .words import words_of


def of_classes(
    columns: Mapping[str, Column], named: Named, truth: Truth, blocks: dict[str, dict[str, str]]
) -> Reading:
    """Return probabilities of several classes: a column a class of each model."""
    label = columns[truth.name]
    classes, suffixes = classes_of(label, list(next(iter(blocks.values()))))
    names = {(model or "model"): block for model, block in blocks.items()}
    taken = [truth.name, *(name for block in blocks.values() for name in block.values())]
    parts = {
        model: [np.asarray(columns[block[suffix]].numbers, float) for suffix in suffixes]
        for model, block in names.items()
    }
    common: dict[str, Any] = {
        "truth": label.values(),
        "warnings": dependence(columns, taken, named, truth.name),
    }
    what = f"columns that sum to 1 over the classes {', '.join(map(str, classes))}"
    lines = (
        f"Models: {names_in(names)} ({what}).",
        *asides(columns, [*taken, *named.apart], {}),
    )
    if len(classes) == 2 and named.kind != "labels":
        return of_two_classes(columns, named, truth, parts, lines, common)
    kind = named.kind or ("scores" if len(parts) <= 2 else "probabilities")
    return Reading(
        kind=kind,
        models={model: as_table(columns_of, kind) for model, columns_of in parts.items()},
        classes=tuple(classes),
        options=linked(columns, named),
        lines=(truth_line(truth, None), *lines),
        **common,
    )


def as_table(columns: Sequence[Any], kind: str) -> Any:
    """Return the columns of classes as a table; probabilities without what rounding left of 1."""
    table = np.stack(columns, axis=1)
    return table / table.sum(axis=1, keepdims=True) if kind == "probabilities" else table


def of_two_classes(
    columns: Mapping[str, Column],
    named: Named,
    truth: Truth,
    parts: Mapping[str, list[Any]],
    lines: tuple[str, ...],
    common: Mapping[str, Any],
) -> Reading:
    """Return the probabilities of the positive one of two classes."""
    label = columns[truth.name]
    positive = positive_of(label, named)
    known = list(map(str, values_of(label)))
    at = 1 if positive is None else known.index(str(positive))
    return Reading(
        kind=named.kind or "scores",
        models={model: columns_of[at] for model, columns_of in parts.items()},
        options=linked(columns, named) | ({} if positive is None else {"pos_label": positive}),
        lines=(truth_line(truth, positive), *lines),
        **common,
    )


def classes_of(label: Column, suffixes: list[str]) -> tuple[list[Any], list[str]]:
    """Return the true labels in order, and the names of their columns of probabilities."""
    known = {
        text.casefold(): value
        for text, value in zip(label.label_texts, values_of(label), strict=True)
    }
    by_name = {("".join(words_of(s)) or s): s for s in suffixes}
    own = {s.casefold(): s for s in suffixes}
    matched = {text: own.get(text) or by_name.get("".join(words_of(text))) for text in known}
    if all(matched.values()) and len({*matched.values()}) == len(suffixes):
        return list(known.values()), [str(matched[text]) for text in known]
    if all(matched.values()):
        raise InvalidValueError(
            f"`{label.name}` has no case of some classes: columns are of {names_in(suffixes, 20)}, "
            f"labels are {names_in(label.label_texts, 20)}."
        )
    if len(suffixes) == len(known) == 2 and {*known} in ({"0", "1"}, {"false", "true"}):
        for first, second in (suffixes, suffixes[::-1]):
            if is_positive(second, first):
                return list(known.values()), [first, second]
    if len(suffixes) == len(known) and all(s.isdigit() for s in suffixes):
        return list(known.values()), sorted(suffixes, key=int)  # predict_proba: sorted labels
    missing = [text for text, column in matched.items() if not column]
    raise InvalidValueError(
        f"the labels of {label.name!r} must be the classes of the columns of probabilities: "
        f"{names_in(missing)} is none of {names_in(suffixes)}."
    )
