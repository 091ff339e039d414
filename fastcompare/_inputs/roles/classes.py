"""Probabilities of several classes: a column for each model and class, beside the true labels."""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

import numpy as np

from ..._base.exceptions import invalid_value
from .column import Column
from .reading import Named, Reading, groups_and_weights, quote_names, unused_column_lines
from .truths import Truth, find_positive, label_values, truth_line
from .units import dependence
from .words import is_positive, split_words


def read_class_probabilities(
    columns: Mapping[str, Column], named: Named, truth: Truth, blocks: dict[str, dict[str, str]]
) -> Reading:
    """Return the reading of probabilities of several classes; `blocks` has the columns by model."""
    label = columns[truth.name]
    classes, suffixes = match_classes(label, list(next(iter(blocks.values()))))
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
        f"Models: {quote_names(names)} ({what}).",
        *unused_column_lines(columns, [*taken, *named.auxiliary], {}),
    )
    if len(classes) == 2 and named.kind != "labels":
        return read_two_classes(columns, named, truth, parts, lines, common)
    kind = named.kind or ("scores" if len(parts) <= 2 else "probabilities")
    return Reading(
        kind=kind,
        models={model: as_table(by_class, kind) for model, by_class in parts.items()},
        classes=tuple(classes),
        options=groups_and_weights(columns, named),
        lines=(truth_line(truth, None), *lines),
        **common,
    )


def as_table(columns: Sequence[Any], kind: str) -> Any:
    """Return the columns of classes as a table (n, c), probabilities divided by their sums."""
    table = np.stack(columns, axis=1)
    return table / table.sum(axis=1, keepdims=True) if kind == "probabilities" else table


def read_two_classes(
    columns: Mapping[str, Column],
    named: Named,
    truth: Truth,
    parts: Mapping[str, list[Any]],
    lines: tuple[str, ...],
    common: Mapping[str, Any],
) -> Reading:
    """Return the reading of probabilities of two classes: those of the positive one.

    `parts` are the columns of each model in the order of the labels; `common` and `lines` are of
    every reading of class probabilities.
    """
    label = columns[truth.name]
    positive = find_positive(label, named)
    label_texts = list(map(str, label_values(label)))
    positive_place = 1 if positive is None else label_texts.index(str(positive))
    return Reading(
        kind=named.kind or "scores",
        models={model: by_class[positive_place] for model, by_class in parts.items()},
        options=groups_and_weights(columns, named)
        | ({} if positive is None else {"pos_label": positive}),
        lines=(truth_line(truth, positive), *lines),
        **common,
    )


def common_start(names: Sequence[str]) -> str:
    """Return the longest common beginning of some names."""
    same = takewhile(lambda letters: len({*letters}) == 1, zip(*names, strict=False))
    return "".join(letters[0] for letters in same)


def match_classes(label: Column, suffixes: list[str]) -> tuple[list[Any], list[str]]:
    """Return the true labels in order, and for each the name of its column: class_3 of 3."""
    start = common_start(suffixes)
    bare_names = [suffix.removeprefix(start) for suffix in suffixes]
    if not start or not {*bare_names} <= {*label.label_texts}:
        return match_names(label, suffixes)
    classes, names = match_names(label, bare_names)
    return classes, [start + name for name in names]


def match_names(label: Column, suffixes: list[str]) -> tuple[list[Any], list[str]]:
    """Return the true labels and the suffix of each, compared as texts; raise if any has none."""
    values = {
        text.casefold(): value
        for text, value in zip(label.label_texts, label_values(label), strict=True)
    }
    by_name = {("".join(split_words(s)) or s): s for s in suffixes}
    by_casefold = {s.casefold(): s for s in suffixes}
    matched = {
        text: by_casefold.get(text) or by_name.get("".join(split_words(text))) for text in values
    }
    if all(matched.values()) and len({*matched.values()}) == len(suffixes):
        return list(values.values()), [str(matched[text]) for text in values]
    if all(matched.values()):
        raise invalid_value(
            label.name,
            "has no case of some classes",
            end=f": columns are of {quote_names(suffixes, 20)}, labels are "
            f"{quote_names(label.label_texts, 20)}.",
        )
    if len(suffixes) == len(values) == 2 and {*values} in ({"0", "1"}, {"false", "true"}):
        for first, second in (suffixes, suffixes[::-1]):
            if is_positive(second, first):
                return list(values.values()), [first, second]
    if len(suffixes) == len(values) and all(s.isdigit() for s in suffixes):
        return list(values.values()), sorted(suffixes, key=int)  # predict_proba: sorted labels
    missing = [text for text, column in matched.items() if not column]
    rule = "must be the classes of the columns of probabilities"
    way = f": {quote_names(missing)} is none of {quote_names(suffixes)}."
    subject = f"the labels of {label.name!r}"
    raise invalid_value(label.name, rule, missing, way, show="", subject=subject)
