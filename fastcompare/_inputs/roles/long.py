"""Long tables: a row for each model and case, data set or round, pivoted to a column a model."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, permutations
from typing import Any, NoReturn

import numpy as np

from ..._adapters.delimited import Coded
from ..._base.exceptions import InvalidValueError, invalid_value
from ..options import check_choice
from .answers import marks_as_numbers
from .cases import read_cases
from .column import Column, without_unused_labels
from .question import ask, refuse_faults
from .reading import TABLES, Named, Reading, option_name, quote_names, refuse_empty_names
from .relations import class_blocks, is_constant_within, is_crossed, is_thresholded, row_indices
from .shapes.summaries import refuse_error_counts_of_rows
from .shapes.trials import trials_of, with_shares
from .tables import read_rows_of_scores
from .truths import have_common_values
from .words import (
    is_clear_truth,
    is_index,
    is_metric,
    is_outcome,
    name_suggests,
    split_words,
)

ROLES_OF_OTHER_NUMBERS = (
    "measure",
    "time",
    "weight",
)  # that names of numbers beside scores suggest
SAMPLES = {"sample", "samples", "attempt", "attempts", "generation", "replica", "replicate"}
ROLES_OF_CASES = ("dataset", "item", "id")  # of a column beside one of raters or rounds


def read_long(columns: Mapping[str, Column], named: Named) -> Reading | None:
    """Return the reading of a table with a row for each model and case; None for any other."""
    if named.long is not None:
        return read_long_scores(marks_as_numbers(columns), named, *checked_long(columns, named))
    if named.models and {*named.models} <= {*columns}:
        return None
    usable = {n: c for n, c in columns.items() if not is_index(n) and c.present.size}
    usable = marks_as_numbers(usable)
    pair = find_keys(usable, named)
    if pair is None:
        refuse_empty_keys(usable, named)
        refuse_without_keys(usable, named)
        return None
    model, rows = pair
    scores = score_columns(usable, model, rows, named)
    if not scores:
        return None
    refuse_error_counts_of_rows(columns, model, rows[0], scores)
    if len(scores) > 1 and not class_blocks({n: usable[n] for n in scores}):
        way = [{"long": (model, rows[0], name)} for name in scores]
        ask(f"a row for each {model!r} and {rows[0]!r}: which column has the scores?", way)
    return read_long_scores({**columns, **usable}, named, model, rows, scores)


def read_long_scores(
    columns: Mapping[str, Column],
    named: Named,
    model: str,
    rows: tuple[str, ...],
    scores: list[str],
) -> Reading:
    """Return the reading of a long table; counts of successes are divided by those of trials."""
    columns, named, lines = with_shares(columns, (model, *rows), scores, named)
    return read_long_columns(columns, named, model, rows, scores).with_first_lines(*lines)


def refuse_empty_keys(columns: Mapping[str, Column], named: Named) -> None:
    """Raise for a long table in which some cells that name the model or the case are empty."""
    keys = {n: c for n, c in columns.items() if not c.is_decimal and c.missing.any()}
    if not keys or not any(name_suggests(name, "model") for name in columns):
        return
    for name, column in keys.items():
        filled_rows = np.flatnonzero(~column.missing)
        pair = find_keys({n: c.take(filled_rows) for n, c in columns.items()}, named)
        if pair is None:
            continue
        model, rows = pair
        if name in (model, *rows):
            refuse_empty_names(column, "model" if name == model else "row")


def refuse_without_keys(columns: Mapping[str, Column], named: Named) -> None:
    """Raise for a long table in which a model has two rows of a case, or nothing names cases."""
    texts = [n for n, c in columns.items() if name_suggests(n, "model") and c.texts is not None]
    models = [columns[n] for n in texts if names_models(columns[n])]
    if len(models) != 1:
        return
    (model,) = models
    others = {n: c for n, c in columns.items() if n != model.name and n not in named.auxiliary}
    scores = [n for n, c in others.items() if c.is_decimal]
    roles = ("id", "unit", "dataset", "item", "fold")
    keys = [n for n in others if any(name_suggests(n, role) for role in roles)]
    keys = [named.id] if named.id is not None else [n for n in keys if not others[n].is_decimal]
    if not scores or len(keys) > 1:
        return
    if len(scores) > 1 and (keys or not all(map(is_result, scores))):
        return
    if not keys:
        measured = [n for n in scores if name_suggests(n, "time") or name_suggests(n, "measure")]
        ask_one_model(model, [n for n in scores if n not in measured] or scores)
    (key,) = keys
    refuse_repeats(model, columns[key], (key,))


def is_result(name: str) -> bool:
    """Return whether a column is called as a metric or a time is: test_accuracy, fit_time."""
    bare = name.removeprefix("test_").removeprefix("train_")
    return is_metric(bare) or name_suggests(name, "time") or bare == "score"


def ask_one_model(models: Column, scores: Sequence[str]) -> NoReturn:
    """Raise where a column names several models, and none says which rows are of the same case."""
    ask(
        f"are all rows of {' or '.join(map(repr, scores))} one model's? {models.name!r} says "
        f"{quote_names(models.label_texts)}, and no column tells which rows are the same case.",
        [{"models": [score]} for score in scores],
        " That is so of one model; for several add a column of ids, or of folds, by which their "
        "rows are paired, or write those of different cases to a file for each model.",
    )


def checked_long(
    columns: Mapping[str, Column], named: Named
) -> tuple[str, tuple[str, ...], list[str]]:
    """Return the columns of models, of rows (one or two) and of scores that the option names."""
    names = named.long or ()
    if len(names) != 3:
        raise invalid_value(
            option_name("long"),
            "must name the columns of models, rows and scores",
            end=f", got {','.join(names)!r}.",
        )
    for name in names:
        check_choice(option_name("long"), name, tuple(columns))
    rows = (names[1], *third_key(columns, names[0], names[1]))
    return names[0], rows, [names[2]]


def third_key(columns: Mapping[str, Column], model: str, row: str) -> tuple[str, ...]:
    """Return the name of a column that numbers the rows of each model and case; () if none.

    With it, such as rounds, each model has at most one row of each case.
    """
    if is_crossed(columns[model], columns[row]):
        return ()
    for name, column in columns.items():
        if name not in (model, row) and not column.is_decimal and not column.is_constant:
            both = combine_columns([columns[row], column])
            if both.distinct.size > columns[row].distinct.size and is_crossed(columns[model], both):
                return (name,)
    return ()


def find_keys(columns: Mapping[str, Column], named: Named) -> tuple[str, tuple[str, ...]] | None:
    """Return the column that names models and those that name rows; None for no long table."""
    models = [n for n, c in columns.items() if name_suggests(n, "model") and names_models(c)]
    models = [n for n in models if not is_outcome(n) or len(models) == 1]
    for model in models:
        rows = rows_for(columns, model, named)
        if rows:
            return model, rows
    return find_keys_by_structure(columns) if not models else None


def names_models(column: Column) -> bool:
    """Return whether values may be names of models: two or more, each in two rows on average."""
    few = 2 <= column.distinct.size <= column.n // 2
    return few and not column.is_decimal and not column.missing.any()


def rows_for(columns: Mapping[str, Column], model: str, named: Named) -> tuple[str, ...]:
    """Return the one or two columns whose values occur at most once with each model; () if none.

    Of one, the likeliest by its name. Of two, first that of cases or data sets, then the other.
    """
    others = [
        n for n, c in columns.items() if n != model and not c.is_decimal and not c.is_constant
    ]
    if named.id is not None and named.id in others:
        others = [named.id]
    crossed = [n for n in others if is_crossed(columns[model], columns[n])]
    if crossed:
        roles = ("item", "dataset", "id", "fold", "unit")  # the likeliest first, other names last
        rank = {
            n: next((i for i, role in enumerate(roles) if name_suggests(n, role)), len(roles))
            for n in crossed
        }
        return (min(crossed, key=rank.__getitem__),)
    for first, second in combinations(others, 2):
        both = combine_columns([columns[first], columns[second]])
        fewer = min(columns[first].distinct.size, columns[second].distinct.size)
        if is_crossed(columns[model], both) and fewer < both.distinct.size:
            folds = [n for n in (first, second) if columns[n].is_fold]
            cases = [n for n in (first, second) if any(name_suggests(n, r) for r in ROLES_OF_CASES)]
            if not folds and len(cases) != 1:
                continue
            return (first, second) if second in folds or cases == [first] else (second, first)
    return ()


def combine_columns(columns: Sequence[Column]) -> Column:
    """Return one column whose values are the pairs of values of two columns."""
    first, second = columns
    codes = first.codes * max(second.distinct.size, 1) + second.codes
    pair_codes, numbers = np.unique(codes, return_inverse=True)
    return Column(f"{first.name} {second.name}", texts=Coded(list(map(str, pair_codes)), numbers))


def find_keys_by_structure(columns: Mapping[str, Column]) -> tuple[str, tuple[str, ...]] | None:
    """Return two crossed columns as models and rows, beside one of numbers; None for no long table.

    No name says which has the models: it is that with fewer values. Raise for equally many.
    """
    texts = [n for n, c in columns.items() if c.texts is not None and names_models(c)]
    integers = [n for n, c in columns.items() if c.is_whole and not c.has_two and names_models(c)]
    for first, second in permutations([*texts, *integers], 2):
        if first not in texts or not is_crossed(columns[first], columns[second]):
            continue
        rest = [c for n, c in columns.items() if n not in (first, second)]
        numbers = [c for c in rest if c.is_number and not c.is_constant]
        numbers = [c for c in numbers if not (c.has_two and is_constant_within(c, columns[second]))]
        scores = [
            c for c in numbers if not any(name_suggests(c.name, r) for r in ROLES_OF_OTHER_NUMBERS)
        ]
        numbers = scores or numbers  # scores beside a runtime
        if len(numbers) != 1 or any(c.is_unit for c in rest if c.texts is not None):
            continue
        size_1, size_2 = columns[first].distinct.size, columns[second].distinct.size
        names_rows_1, names_rows_2 = (
            any(name_suggests(n, r) for r in ("dataset", "item", "id", "fold", "unit"))
            for n in (first, second)
        )
        if names_rows_1 and not names_rows_2:
            continue
        if size_1 == size_2 and names_rows_1 == names_rows_2 and second in texts:
            score = numbers[0].name
            ask(
                f"which column names the models, {first!r} or {second!r}?",
                [{"long": (first, second, score)}, {"long": (second, first, score)}],
            )
        if size_1 < size_2 or names_rows_2 or second not in texts:
            return first, (second,)
    return None


def score_columns(
    columns: Mapping[str, Column], model: str, rows: tuple[str, ...], named: Named
) -> list[str]:
    """Return the columns of scores: numbers that differ between the models of a row.

    Without any, the first column of words that the true labels of the rows have, too; else [].
    """
    keys = row_column(columns, rows)
    others = {
        n: c
        for n, c in columns.items()
        if n not in (model, *rows, named.label, *named.auxiliary) and not c.is_fold
    }
    same_in_row = [n for n, c in others.items() if is_constant_within(c, keys)]
    varying = [n for n in others if n not in same_in_row and not is_clear_truth(n)]
    numbers = [n for n in varying if others[n].is_number or others[n].is_bool]
    numbers = [n for n in numbers if not is_constant_within(others[n], columns[model])]
    numbers = [n for n in numbers if not others[n].is_row_number] or numbers
    trials = {trials_of(n, others) for n in numbers}
    numbers = [n for n in numbers if n not in trials]
    if len(numbers) > 1:
        has_labels = named.label is not None or any(others[n].has_two for n in same_in_row)
        hard = hard_labels({n: others[n] for n in numbers}, has_labels)
        numbers = [n for n in numbers if n not in hard or len(hard) == len(numbers)]
        scores = [
            n for n in numbers if not any(name_suggests(n, r) for r in ROLES_OF_OTHER_NUMBERS)
        ]
        numbers = scores or numbers
    if not numbers:
        of_rows = [n for n in (*same_in_row, named.label) if n is not None]
        truths = [columns[n] for n in of_rows if columns[n].texts is not None]
        return [n for n in varying if any(have_common_values(others[n], c) for c in truths)][:1]
    return numbers


def hard_labels(numbers: Mapping[str, Column], has_labels: bool) -> list[str]:
    """Return the columns of two values that are another column's scores cut at a threshold.

    Without true labels in the table only those called predictions: a hit may then be a score.
    """
    decimals = [c for c in numbers.values() if c.is_decimal]  # these have no two values
    return [
        name
        for name, column in numbers.items()
        if column.has_two
        and (has_labels or name_suggests(name, "prediction"))
        and any(is_thresholded(column, score) for score in decimals)
    ]


def row_column(columns: Mapping[str, Column], rows: tuple[str, ...]) -> Column:
    """Return the column that names the rows of a long table; of pairs, if two columns do."""
    return columns[rows[0]] if len(rows) == 1 else combine_columns([columns[name] for name in rows])


def read_long_columns(
    columns: Mapping[str, Column],
    named: Named,
    model: str,
    rows: tuple[str, ...],
    scores: list[str],
) -> Reading:
    """Return the reading of a long table, pivoted to a column for each model, and for each score.

    There are several columns of scores where these are probabilities of classes.
    """
    models = columns[model]
    keys = row_column(columns, rows)
    refuse_repeats(models, keys, rows)
    refuse_faults([columns[name] for name in scores])
    places = row_indices(models, keys)
    wide = columns_of_rows(columns, keys, (model, *rows, *scores), rows, places, named)
    model_names = []
    for score in scores:
        for j, text in enumerate(models.label_texts):
            called = f"{text}_{score}" if len(scores) > 1 else text
            wide[called] = spread_column(columns[score], places[:, j], called)
            model_names.append(called)
    for name in named.models or ():
        check_choice(option_name("models"), name, model_names)
    chosen = named.models or tuple(model_names)
    named = with_predicted_label(named, wide, columns[scores[0]])
    inner = replace(named, models=None if len(scores) > 1 else chosen, long=None)
    way = None if named.long is not None else (model, rows[0], scores[0])
    reading = replace(read_pivoted(wide, inner, rows, way), called=tuple(scores))
    used = {*wide, model, *rows, *scores}
    unused = [n for n, c in columns.items() if n not in used and not is_index(n) and c.present.size]
    if unused:
        line = f"Not used: {quote_names(unused)} (values that differ between models of a row)."
        reading = replace(reading, lines=(*reading.lines, line))
    line = f"Models: the values of {model!r} in rows of each {' and '.join(map(repr, rows))}"
    swapped = f"; {option_name('long')} names them" if named.long is None else ""
    return reading.with_first_lines(f"{line} (scores: {quote_names(scores)}{swapped}).")


def with_predicted_label(named: Named, wide: Mapping[str, Column], predicted: Column) -> Named:
    """Return the options with the only column that has values of predicted words as true labels.

    Unchanged where the label is specified, predictions are numbers, or there are several columns.
    """
    if named.label is not None or predicted.texts is None:
        return named
    labels = predicted.texts.labels  # of each model's column, too
    words = [c for c in wide.values() if c.texts is not None and c.texts.labels is not labels]
    truths = [c.name for c in words if not c.all_differ and have_common_values(c, predicted)]
    if len(truths) != 1:
        return named
    (truth,) = truths
    reason = f"the only column that has values of {predicted.name!r}"
    if is_clear_truth(truth):
        reason = "by its name"
    return replace(named, label=truth, label_reason=reason)


def columns_of_rows(
    columns: Mapping[str, Column],
    keys: Column,
    excluded: tuple[str, ...],
    rows: tuple[str, ...],
    places: Any,
    named: Named,
) -> dict[str, Column]:
    """Return the columns that do not depend on the model, with one value for each row.

    `places` (n, k) are indices of rows of the long table, -1 where there is none. Raise where true
    labels depend on the model.
    """
    first = np.where(places >= 0, places, keys.n).min(axis=1)  # row of each case in the table
    wide = {name: columns[name].take(first) for name in rows}
    for name, column in columns.items():
        if name in excluded:
            continue
        if is_constant_within(column, keys):
            wide[name] = column.take(first)
        elif name == named.label or is_clear_truth(name):
            refuse_disagreement(column, keys)
    return wide


def refuse_disagreement(labels: Column, keys: Column) -> None:
    """Raise where rows of one case have different true labels."""
    pairs = np.unique(np.stack([keys.codes, labels.codes], axis=1), axis=0)
    cases, times = np.unique(pairs[:, 0], return_counts=True)
    case = int(cases[np.argmax(times > 1)])
    rows = np.flatnonzero(keys.codes == case)
    text = keys.label_texts[list(keys.distinct).index(case)] if keys.texts else str(case)
    raise InvalidValueError(
        f"rows of one case have different true labels: {labels.name!r} of {keys.name} {text!r} "
        f"in row {int(rows[0])} differs from another row. Correct it.",
        parameter=labels.name,
        row=rows[0],
    )


def refuse_repeats(models: Column, rows: Column, names: tuple[str, ...]) -> None:
    """Raise where a model has several scores of one row."""
    pairs = models.codes * max(rows.distinct.size, 1) + rows.codes
    _, first, times = np.unique(pairs, return_index=True, return_counts=True)
    if times.max() < 2:
        return
    row = int(first[np.argmax(times > 1)])
    model = models.label_texts[int(models.codes[row])]
    raise InvalidValueError(
        f"the model {model!r} has several scores for one value of "
        f"{' and '.join(map(repr, names))}, the first in row {row}: one column more must tell "
        "them apart, or average them first.",
        parameter=rows.name,
        value=model,
        row=row,
    )


def spread_column(column: Column, rows: Any, name: str) -> Column:
    """Return the values at the indices `rows`, missing where an index is -1."""
    if column.texts is not None:
        codes = np.where(rows >= 0, column.codes[rows], -1)
        return Column(name, texts=without_unused_labels(Coded(column.texts.labels, codes)))
    numbers = np.asarray(column.numbers)[rows]
    if (rows < 0).any():
        numbers = np.where(rows >= 0, numbers.astype(float), np.nan)
    return Column(name, numbers=numbers, is_bool=column.is_bool)


def read_pivoted(
    columns: Mapping[str, Column],
    named: Named,
    rows: tuple[str, ...],
    way: tuple[str, str, str] | None,
) -> Reading:
    """Return the reading of a pivoted table: of cases, or of scores by round, data set or item.

    With two columns of `rows`, scores are averaged over the second. `way` is the value of the
    option that asks for these means; None if the user has specified it.
    """
    if named.kind not in TABLES:
        keys = [n for n in rows if n != named.label and not is_outcome(n)]
        cases = {n: c for n, c in columns.items() if n not in keys[1:]}  # which are no labels
        reading = read_cases(cases, replace(named, id=rows[0] if len(rows) == 1 else None))
        if reading is not None:
            return reading
    if len(rows) == 2 and named.kind != "folds" and not columns[rows[0]].is_fold:
        if way is not None and not is_repetition(columns[rows[1]]):
            ask_means(rows, columns[rows[1]], way)
        if name_suggests(rows[1], "rater"):
            named = named.with_kind("items", f"rated by each {rows[1]!r}")
        elif all(columns[name].has_two for name in named.models or ()):
            named = named.with_kind("items", "with answers")
        reading = read_rows_of_scores(*average_rounds(columns, named, rows))
        return reading.with_first_lines(
            f"Scores are the means over {rows[1]!r} in each {rows[0]!r}."
        )
    return read_rows_of_scores(columns, replace(named, id=named.id or rows[0]))


def is_repetition(column: Column) -> bool:
    """Return whether scores may be averaged over a column: rounds, samples, raters, epochs."""
    repeated = any(name_suggests(column.name, role) for role in ("fold", "rater", "step"))
    return column.is_fold or repeated or bool({*split_words(column.name)} & SAMPLES)


def ask_means(rows: tuple[str, ...], column: Column, way: tuple[str, str, str]) -> NoReturn:
    """Raise with the question whether scores of several conditions are averaged."""
    values = quote_names(column.label_texts)
    ask(
        f"are means over {column.name!r} ({values}) in each {rows[0]!r} compared?",
        [{"long": way}],
        f" Else keep the rows of one value of {column.name!r}.",
    )


def average_rounds(
    columns: Mapping[str, Column], named: Named, rows: tuple[str, ...]
) -> tuple[Mapping[str, Column], Named]:
    """Return the mean scores over the rounds, or raters, of each data set, and options for them.

    `rows` are the columns of data sets and of rounds.
    """
    keys = columns[rows[0]]
    first = np.unique(keys.codes, return_index=True)[1]
    counts = np.bincount(keys.codes)
    means = {rows[0]: keys.take(first)}
    for name in named.models or ():
        values = np.asarray(columns[name].numbers, float)
        means[name] = Column(name, numbers=np.bincount(keys.codes, values) / counts)
    return means, replace(named, id=rows[0])
