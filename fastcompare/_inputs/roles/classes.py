"""Probabilities of several classes; and quantities, told from numbers of classes.

Classes have a column of probabilities for each model and class. Wrong predictions of a quantity are
near the true values. Wrong class numbers are not: classes that are taken for each other may have
numbers that are far apart.
"""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ..._base.exceptions import InvalidValueError, invalid_value
from ..._base.types import Fields
from .attributes import other_role
from .column import Column, have_same_answers
from .question import ask, option
from .reading import CASES, Named, Reading, groups_and_weights, quote_names, unused_column_lines
from .relations import column_correlation, correlation, is_on_scale_of, is_predicted, resembles
from .relations.labels import have_common_values
from .truths import (
    Truth,
    ask_truth,
    find_positive,
    label_values,
    truth_line,
)
from .units import dependence
from .words import (
    is_clear_truth,
    is_outcome,
    is_positive,
    metric_in,
    name_suggests,
    names_sets,
    split_words,
)

QUANTITY = "squared error"
LEAST_DECIDING, MOST_PARTIAL = 0.7, 0.1  # correlations with the truth, and given it
FEWEST_GRADES = 4  # of a quantity
FEWEST_MISSES = 5  # wrong predictions whose correlation with the truth tells something
LEAST_NEAR = 0.5  # that correlation, of predictions of a quantity
LEAST_RELATED = 0.3  # correlation of all predictions and true values
CHANCE, MOST_EQUAL = 0.1, 0.3  # kappa of class numbers, and of numbers of a quantity
LABELS = {"label", "labels", "gold", "code", "codes", "klasse", "etiqueta", "étiquette"}
LEAST_EQUAL = 0.5  # kappa of numbers that are called labels


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
        **dependence(columns, taken, named, truth.name),
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


class Agreement(NamedTuple):
    """How a column of numbers agrees with the true ones."""

    kappa: float
    is_near: bool  # whether numbers are near the true ones where they differ

    @property
    def is_of_classes(self) -> bool:
        """Whether more numbers are equal than by chance, and the others are far from the truth."""
        return self.kappa >= CHANCE and not self.is_near


def agreement(column: Column, label: Column) -> Agreement:
    """Return how a column agrees with the true numbers: by Cohen's kappa, and where they differ.

    Numbers are equal if they are so but for the same shift in most rows.
    """
    complete = ~(column.missing | label.missing)
    x, y = (np.asarray(c.numbers, float)[complete] for c in (column, label))
    if not x.size:
        return Agreement(0.0, is_near=False)
    differences, counts = np.unique(x - y, return_counts=True)
    shift, most = differences[np.argmax(counts)], counts.max()
    if 2 * most < x.size:  # else classes may be 0, 1, ... here and 1, 2, ... there
        shift, most = 0.0, np.count_nonzero(x == y)
    values_x, counts_x = np.unique(x - shift, return_counts=True)
    values_y, counts_y = np.unique(y, return_counts=True)
    _, in_x, in_y = np.intersect1d(values_x, values_y, return_indices=True)
    expected = float(counts_x[in_x] @ counts_y[in_y]) / x.size**2
    observed = float(most) / x.size
    kappa = 1.0 if expected >= 1.0 else (observed - expected) / (1.0 - expected)
    misses = x - y != shift
    is_near = correlation(x[misses], y[misses]) >= LEAST_NEAR
    return Agreement(kappa, bool(is_near and np.count_nonzero(misses) >= FEWEST_MISSES))


def has_classes_of(label: Column, column: Column) -> bool:
    """Return whether whole numbers that name no rows are classes as the true ones are.

    They agree with these more than by chance, or most are numbers of true classes, too, and their
    name is not that of a measurement.
    """
    are_whole = label.is_number and label.is_whole and column.is_number and column.is_whole
    if not are_whole or names_rows(column):
        return False
    if agreement(column, label).kappa >= CHANCE:
        return True
    return have_common_values(column, label) and not other_role(column)


def asks_for_errors(named: Named, columns: Mapping[str, Column]) -> bool:
    """Return whether options name true values of items: squared errors are then compared."""
    label = columns.get(named.label or "")
    if named.kind != "items" or label is None or not label.is_number:
        return False
    return not (label.has_two or label.is_constant)


def is_quantity(label: Column, others: Mapping[str, Column], named: Named) -> bool:
    """Return whether the truth is a quantity that other columns predict, and no class.

    Raise where whole numbers may be either.
    """
    if named.kind in CASES or not label.is_number or label.has_two or label.is_constant:
        return False
    if named.kind == "items" or (label.is_decimal and not label.has_few_values):
        return True
    models = [others[n] for n in named.models or () if n in others]
    numbers = [c for c in models or others.values() if c.is_number and not c.is_constant]
    if not models:
        numbers = [c for c in numbers if not (c.has_two or c.is_fold or names_rows(c))]
    decimals = [c for c in numbers if c.is_decimal]
    integers = [c for c in numbers if not c.is_decimal]
    agreements = [agreement(c, label) for c in integers]
    predict_many = label.distinct.size >= FEWEST_GRADES and are_near_any(label, decimals)
    if not predict_many and are_named_classes(label, agreements):
        return False
    if any(x.is_of_classes for x in agreements):
        are_near = any(x.is_near for x in agreements) and not label.has_few_values
        return (are_near or predict_many) and ask_quantity(label, numbers, named)
    if label.is_decimal:
        return is_predicted(label, numbers) or refuse_few_decimals(label, named)
    if label.has_few_values:
        few_equal = all(x.is_near and x.kappa < CHANCE for x in agreements)
        return predict_grades(decimals, label) if decimals else bool(integers) and few_equal
    if decimals or any(x.is_near and x.kappa < MOST_EQUAL for x in agreements):
        return True
    most_equal = any(x.kappa >= MOST_EQUAL for x in agreements)
    if not (most_equal or any(have_common_values(c, label) for c in integers)):
        return bool(integers)
    return ask_quantity(label, integers, named)


def are_near_any(label: Column, columns: Sequence[Column]) -> bool:
    """Return whether any of some columns has numbers near those of the label."""
    return any(is_predicted(label, [c]) for c in columns)


def are_named_classes(label: Column, agreements: Sequence[Agreement]) -> bool:
    """Return whether true numbers are called labels or codes, and predictions are equal to most."""
    if label.is_decimal or any(x.is_near and x.kappa < LEAST_EQUAL for x in agreements):
        return False
    return names_classes(label.name) and any(x.kappa >= LEAST_EQUAL for x in agreements)


def names_classes(name: str) -> bool:
    """Return whether true values are called labels or codes, and no amounts, counts or scores."""
    quantities = ("measure", "amount", "time", "frequency", "metric")
    named_otherwise = any(name_suggests(name, role) for role in quantities)
    return bool({*split_words(name)} & LABELS) and not named_otherwise


def way_to_errors(label: Column, named: Named) -> Fields:
    """Return the options by which squared errors of predictions of the true values are compared."""
    return Fields({"kind": "items"} if named.label else {"label": label.name, "kind": "items"})


def refuse_few_decimals(label: Column, named: Named) -> NoReturn:
    """Raise for true values that are few numbers with decimals, and that no others predict."""
    raise InvalidValueError(
        f"column {label.name!r} must contain labels, or a quantity of more values; it has "
        f"{quote_names(label.label_texts)}. Squared errors of predictions of it are compared by "
        f"`{option(**way_to_errors(label, named))}`.",
        parameter=label.name,
    )


def ask_quantity(label: Column, models: Sequence[Column], named: Named) -> NoReturn:
    """Raise with the question whether many whole numbers are a quantity or classes."""
    names = quote_names(c.name for c in models)
    ask(
        f"{label.name!r} has {label.distinct.size} different whole numbers: a quantity that "
        f"{names} may predict (squared errors), or numbers of classes (accuracies)?",
        [{**way_to_errors(label, named), "kind": kind} for kind in ("items", "labels")],
    )


def predict_grades(columns: Sequence[Column], label: Column) -> bool:
    """Return whether decimals may predict four grades or more, or whole numbers such as counts.

    All lie within one of the range of the true ones, some above 1: else they may be probabilities.
    Or the squared errors of one are smaller than the variance of the truth.
    """
    if label.distinct.size < FEWEST_GRADES:
        return False
    lowest, highest = label.distinct[[0, -1]].tolist()
    ranges = [(c.present.min(), c.present.max()) for c in columns]
    within = all(lowest - 1 <= low and 1.0 < high <= highest + 1 for low, high in ranges)
    return within or are_near_any(label, columns)


def names_rows(column: Column) -> bool:
    """Return whether whole numbers count the rows, or are called ids or units, not predictions."""
    if not column.is_whole or name_suggests(column.name, "prediction"):
        return False
    named_so = column.all_differ and name_suggests(column.name, "id")
    return column.is_row_number or column.is_unit or named_so


def predictions_of(truth: Column, others: Mapping[str, Column]) -> dict[str, Column]:
    """Return columns of numbers that may predict the truth: those on its scale, if two or more are.

    Whole numbers that all differ do so by their name, if they are related to the truth, or if no
    others are left.
    """
    numbers = {n: c for n, c in others.items() if c.is_number and not c.has_two and not c.is_fold}
    numbers = {n: c for n, c in numbers.items() if not names_rows(c)}
    may_be_ids = [n for n, c in numbers.items() if c.is_whole and c.all_differ]
    unrelated = [n for n in may_be_ids if not is_related(numbers[n], truth)]
    numbers = {n: c for n, c in numbers.items() if n not in unrelated} or numbers
    of_scale = {n: c for n, c in numbers.items() if is_on_scale_of(c, [truth])}
    return of_scale if len(of_scale) > 1 else numbers


def is_related(column: Column, truth: Column) -> bool:
    """Return whether numbers are called predictions, or are correlated with the true values."""
    if name_suggests(column.name, "prediction"):
        return True
    return column_correlation(column, truth) >= LEAST_RELATED


def ask_true_values(columns: Mapping[str, Column], models: Sequence[str], named: Named) -> None:
    """Raise where models look like predictions of a quantity, with the column of its true values.

    All models are near it. It is no model by its name, as a price is, or has whole numbers beside
    decimals in rows that are not called items.
    """
    if named.kind is not None or named.sized or any(map(names_rounds_or_data_sets, columns)):
        return
    decimals = [n for n in models if columns[n].is_decimal and not columns[n].has_few_values]
    integers = [n for n in models if n not in decimals]
    beside = [n for n in columns if n not in models]
    name_items = any(name_suggests(n, "item") for n in columns)
    possible = beside + (integers if len(integers) == 1 and not name_items else [])
    possible = [n for n in possible if may_be_quantity(columns[n])]
    truths = [n for n in possible if are_predictions(columns, [m for m in models if m != n], n)]
    if truths:
        ask_quantity_of(truths, models)


def names_rounds_or_data_sets(name: str) -> bool:
    """Return whether a column is called as rounds or data sets are."""
    return name_suggests(name, "fold") or name_suggests(name, "dataset")


def may_be_quantity(column: Column) -> bool:
    """Return whether a column has numbers of a quantity: four or more, none of which name rows."""
    if not column.is_number or column.is_share or column.is_fold or names_rows(column):
        return False
    return column.distinct.size >= FEWEST_GRADES


def are_predictions(columns: Mapping[str, Column], models: Sequence[str], truth: str) -> bool:
    """Return whether two models or more have numbers near those of the column `truth`."""
    label = columns[truth]
    return len(models) > 1 and all(
        is_predicted(label, [columns[n]]) and is_related(columns[n], label) for n in models
    )


def ask_quantity_or_labels(label: Column, others: Mapping[str, Column], named: Named) -> None:
    """Raise where columns are near a quantity, beside labels that may be another attribute.

    The quantity is called so, as a price is, and the labels are not called true ones.
    """
    if named.label or named.models or named.kind or not label.has_two:
        return
    if is_clear_truth(label.name) or is_outcome(label.name):
        return
    numbers = [n for n, c in others.items() if may_be_quantity(c)]
    roles = ("measure", "amount", "truth", "outcome")
    truths = [n for n in numbers if any(name_suggests(n, role) for role in roles)]
    models = [n for n in numbers if n not in truths]
    near = [n for n in truths if are_predictions(others, models, n)]
    if near:
        ask(
            f"{quote_names(models)} are near {quote_names(near)}, as predictions of a quantity are "
            f"near its true values: do they predict that, or are they scores for {label.name!r}?",
            [{"label": name} for name in (*near, label.name)],
        )


def ask_quantity_of(truths: Sequence[str], models: Sequence[str]) -> NoReturn:
    """Raise with the columns that may have the true values of what models predict, or items."""
    others = quote_names(n for n in models if n not in truths)
    ask(
        f"{others} are near {quote_names(truths)}, as predictions of a quantity are near its true "
        "values: which column has the true values? Or are the rows items, with a score of each "
        "model?",
        [*({"label": name} for name in truths), {"kind": "items"}],
    )


def quantities_among(
    columns: Mapping[str, Column], models: Sequence[str], *, are_free: bool
) -> list[str]:
    """Return the columns that may be a quantity which models predict; of two models neither is one.

    Nor is any model unless they `are_free`: columns of their own, no values of a column of models.
    Raise if the first of three or more models decides how the others are related: predictions are
    then independent, given the true values.
    """
    first, *others = models
    are_free = are_free and len(others) > 1
    if are_free and may_be_quantity(columns[first]) and decides(columns, others, first):
        ask_quantity_of([first], models)
    similar = [c.name for c in columns.values() if resembles(c, columns[first])]
    names = [name for name in similar if name not in models]
    names += models if are_free else ()
    return [name for name in names if metric_in(name) is None]


def decides(columns: Mapping[str, Column], others: Sequence[str], first: str) -> bool:
    """Return whether numbers are near those of the first column, and uncorrelated given these."""
    if not are_predictions(columns, others, first):
        return False
    x = np.array([columns[n].numbers for n in (first, *others)], float)
    r = np.corrcoef(x[:, ~np.isnan(x).any(axis=0)])
    given_first = r[1:, 1:] - np.outer(r[0, 1:], r[0, 1:])
    variances = np.diag(given_first)
    pairs = np.triu_indices(len(others), 1)
    partial = given_first[pairs] / np.sqrt(np.outer(variances, variances)[pairs])
    return bool((r[0, 1:] >= LEAST_DECIDING).all() and (np.abs(partial) <= MOST_PARTIAL).all())


def ask_same_values(
    columns: Mapping[str, Column], classes: Sequence[Column], has_models: bool
) -> NoReturn:
    """Raise with columns of the same classes or grades, of which one may have the true labels."""
    ask_human_grades(columns)
    ask_truth_beside_predictions(columns, classes)
    ask_labels(classes, has_models)


def ask_truth_beside_predictions(columns: Mapping[str, Column], classes: Sequence[Column]) -> None:
    """Raise where columns of classes are called predictions, with those of which they may be."""
    predictions = [c for c in classes if name_suggests(c.name, "prediction")]
    truths = [
        c.name
        for c in columns.values()
        if c.has_few_values and c not in predictions and not c.is_decimal
        if any(have_common_values(c, prediction) for prediction in predictions)
    ]
    if truths and len(predictions) == 1:  # one alone, a rating, may be the truth itself
        truths = [predictions[0].name, *truths]
    if truths:
        ask_truth(truths)


def ask_human_grades(columns: Mapping[str, Column]) -> None:
    """Raise where some columns of the same grades are called human, and others are not."""
    grades = [c for c in columns.values() if c.is_whole and c.has_few_values]
    grades = [c for c in grades if not names_sets(c.name)]
    human = [c for c in grades if name_suggests(c.name, "human")]
    names = [c.name for c in grades if any(have_common_values(c, other) for other in human)]
    if len(names) > max(2, len(human)):
        ask(
            f"which column has the true labels? {quote_names(c.name for c in human)} may be; or "
            f"are the rows items of an evaluation, with a score of each of {quote_names(names)}?",
            [*({"label": c.name} for c in human), {"kind": "items", "models": names}],
        )


def ask_labels(columns: Sequence[Column], has_models: bool) -> NoReturn:
    """Raise with columns of the same values: true labels, two annotators, or scores of items."""
    names = [c.name for c in columns]
    question = f"which column has the true labels? {quote_names(names)} may be"
    ways: list[dict[str, Any]] = [{"label": name} for name in names]
    alternatives = []
    if len(names) == 2:
        alternatives.append("are they two annotators, whose agreement (Cohen's kappa) is asked?")
        ways.append({**ways[0], "models": [names[1]], "test": "kappa"})
    if has_models:
        alternatives.append("are the rows items of an evaluation, with a score of each model?")
        ways.append({"kind": "items"})
    elif have_same_answers(columns):
        alternatives.append("are they right and wrong answers to items?")
        ways.append({"kind": "items"})
    ask(f"{question}; or {' Or '.join(alternatives)}" if alternatives else f"{question}.", ways)
