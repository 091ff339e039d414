"""Long tables: a row for each model and case, data set or round, pivoted to a column a model."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, permutations
from typing import Any, NoReturn

import numpy as np

from ...._adapters.delimited import Coded
from ...._base.exceptions import InvalidValueError, invalid_value
from ...options import check_choice
from ..answers import marks_as_numbers
from ..cases import read_cases
from ..column import Column, without_unused_labels
from ..question import ask, refuse_faults
from ..reading import TABLES, Named, Reading, option_name, quote_names, refuse_empty_names
from ..relations import class_blocks, is_constant_within, is_crossed, row_indices
from ..relations.labels import have_common_values
from ..relations.marks import ask_doubtful_marks, marks_answers
from ..shapes.runs import are_runs
from ..shapes.summaries import refuse_error_counts_of_rows
from ..tables import read_rows_of_scores
from ..units import begins_anew
from ..words import (
    ERROR_COUNTS,
    HYPERPARAMETERS,
    is_clear_truth,
    is_index,
    is_outcome,
    name_suggests,
    split_words,
)
from .keys import (
    SAMPLES,
    find_joint_ids,
    find_keys,
    is_result,
    names_models,
    third_key,
    with_rounds_of_index,
)
from .scores import combine_columns, row_column, score_columns
from .trials import refuse_trials_of_people, with_shares
from .versions import read_versions

CLAIM_OF_RUNS = (
    "The claim is about these runs on other items; for one about training again, runs are readers "
    "(docs/howto/seeds.md)."
)


def read_long(columns: Mapping[str, Column], named: Named) -> Reading | None:
    """Return the reading of a table with a row for each model and case; None for any other."""
    columns = with_rounds_of_index(columns)
    if named.long is not None:
        return read_long_scores(
            marks_as_numbers(columns, named.kind), named, *checked_long(columns, named)
        )
    if named.models and {*named.models} <= {*columns}:
        return None
    usable = {n: c for n, c in columns.items() if not is_index(n) and c.present.size}
    usable = marks_as_numbers(usable, named.kind)
    pair = find_keys(usable, named)
    if pair is None:
        if (joint := read_joint_ids(usable, named)) is not None:
            return joint
        if (unpaired := read_versions(columns, named)) is not None:
            return unpaired
        refuse_counts_by_test(usable)
        refuse_trials_of_people(usable)
        refuse_empty_keys(usable, named)
        refuse_without_keys(usable, named)
        return None
    model, rows = pair
    scores = score_columns(usable, model, rows, named)
    if not scores:
        return None
    refuse_error_counts_of_rows(columns, model, rows[0], scores)
    if len(scores) > 1 and (
        all(map(is_called_metric, scores)) or not class_blocks({n: usable[n] for n in scores})
    ):
        ask_scores(usable, model, rows, scores)
    return read_long_scores({**columns, **usable}, named, model, rows, scores)


def refuse_counts_by_test(columns: Mapping[str, Column]) -> None:
    """Raise for counts of errors of each study and test, or other texts that are crossed."""
    if any(c.is_decimal for c in columns.values()):
        return
    counts = [n for n in columns if n.lower() in ERROR_COUNTS]
    texts = {n: c for n, c in columns.items() if c.texts is not None and not c.is_constant}
    for (test, tests), (study, studies) in permutations(texts.items(), 2):
        fewer = tests.distinct.size < studies.distinct.size
        if fewer and names_models(tests) and is_crossed(tests, studies):
            refuse_error_counts_of_rows(columns, test, study, counts)


def read_joint_ids(columns: Mapping[str, Column], named: Named) -> Reading | None:
    """Return the reading of one score of each model and pair of ids; None for any other table."""
    joint = find_joint_ids(columns) if named.id is None else None
    if joint is None:
        return None
    model, first, second = joint
    ids = combine_columns([first, second])
    rows = np.unique(ids.codes, return_index=True)[1]  # the first of each pair of ids
    a, b = (column.take(rows) for column in (first, second))
    is_grid = rows.size == a.distinct.size * b.distinct.size  # then either may number the other's
    inner = [x.name for x, y in ((a, b), (b, a)) if begins_anew(x, y) and not is_grid]
    inner = [name for name in inner if name not in named.auxiliary]
    numbers = inner if len(inner) == 1 else []  # of segments in each document, no clusters
    columns = {**{n: c for n, c in columns.items() if n not in numbers}, ids.name: ids}
    scores = score_columns(columns, model, (ids.name,), named)
    if len(scores) != 1:
        return None
    return read_long_scores(columns, named, model, (ids.name,), scores)


def is_called_metric(name: str) -> bool:
    """Return whether a name has a word of metrics, and none of predictions."""
    return name_suggests(name, "metric") and not name_suggests(name, "prediction")


def ask_scores(
    columns: Mapping[str, Column], model: str, rows: tuple[str, ...], scores: Sequence[str]
) -> NoReturn:
    """Raise with the columns of which one may have the scores, and on means over conditions."""
    conditions = [n for n in rows[1:] if not is_repetition(columns[n])]
    means = f" Means over {quote_names(conditions)} are then compared." if conditions else ""
    ways = [{"long": (model, rows[0], name)} for name in scores]
    ask(f"a row for each {model!r} and {rows[0]!r}: which column has the scores?", ways, means)


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
    refuse_two_columns_of_models(columns, models)
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


def refuse_two_columns_of_models(columns: Mapping[str, Column], models: Sequence[Column]) -> None:
    """Raise where each model of two columns, such as nets and optimizers, has rows of rounds.

    A hyperparameter, such as a learning rate, counts as a column of models.
    """
    rounds = [c for c in columns.values() if c.is_fold and c not in models]
    if not rounds:
        return
    of_training = [c for n, c in columns.items() if {*split_words(n)} & HYPERPARAMETERS]
    models = [*models, *(c for c in of_training if 2 <= c.distinct.size <= c.n // 2)]
    for first, second in combinations(models, 2):
        both = combine_columns([first, second])
        if both.distinct.size > max(first.distinct.size, second.distinct.size) and any(
            is_crossed(both, row) for row in rounds
        ):
            raise InvalidValueError(
                f"both {first.name!r} and {second.name!r} may name models: keep the rows of one "
                "value of one of them, or write both names into one column.",
                parameter=first.name,
            )


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
    """Return the columns of models, of rows (one to three) and of scores that the option names."""
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
    inner = with_predicted_label(named, wide, columns[scores[0]])
    inner = with_model_columns(inner, model, model_names, several_scores=len(scores) > 1)
    others = [columns[n] for n in wide if n not in (*model_names, *rows)]
    inner = with_kind_of_scores(inner, rows, [columns[n] for n in scores], others)
    way = None if named.long is not None else (model, rows[0], scores[0])
    reading = replace(read_pivoted(wide, inner, rows, way), called=tuple(scores))
    notes = [f"{n!r}: {columns[n].note}." for n in scores if columns[n].note]
    notes += line_on_unused(columns, {*wide, model, *rows, *scores})
    reading = replace(reading, lines=(*reading.lines, *notes))
    line = f"Models: the values of {model!r} in rows of each {quote_names(rows)}"
    swapped = f"; {option_name('long')} names them" if named.long is None else ""
    return reading.with_first_lines(f"{line} (scores: {quote_names(scores)}{swapped}).")


def with_model_columns(
    named: Named, model: str, names: Sequence[str], *, several_scores: bool
) -> Named:
    """Return the options for the pivoted table, whose models are the specified ones, or all.

    With several scores of each model its columns are found by their names.
    """
    for name in named.models or ():
        check_choice(option_name("models"), name, names)
    reason = named.models_reason if named.models else f"values of {model!r}"
    chosen = None if several_scores else named.models or tuple(names)
    return replace(named, models=chosen, models_reason=reason, long=None)


def line_on_unused(columns: Mapping[str, Column], used: Collection[str]) -> list[str]:
    """Return a line on the columns that are not `used`, as a list; [] if all are."""
    unused = [n for n, c in columns.items() if n not in used and not is_index(n) and c.present.size]
    if not unused:
        return []
    return [f"Not used: {quote_names(unused)} (values that differ between models of a row)."]


def with_kind_of_scores(
    named: Named, rows: tuple[str, ...], scores: Sequence[Column], others: Sequence[Column]
) -> Named:
    """Return the options with items as the kind, where scores are marks or metrics of each row.

    Marks of answers are so beside true ones among the `others`, columns that do not depend on the
    model.
    """
    truths = [c for c in others if is_outcome(c.name)]
    is_free = named.kind is None and named.label is None
    if is_free:
        ask_doubtful_marks(scores[0], truths)
    if is_free and truths and marks_answers(scores[0], truths):
        return named.with_kind("items", "with answers")
    if (
        len(rows) > 1
        and any(map(is_outcome, rows))
        and all(is_called_metric(c.name) for c in scores)
    ):
        return named.with_kind("items", f"a metric of each {rows[-1]!r}")  # as of each organ
    return named


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

    With several columns of `rows`, scores are averaged over all but the first. `way` is the value
    of the option that asks for these means; None if the user has specified it.
    """
    if named.kind not in TABLES:
        keys = [n for n in rows if n != named.label and not is_outcome(n)]
        are_two_sets = columns[rows[0]].has_two and name_suggests(rows[0], "dataset")
        others = keys[0 if are_two_sets and len(rows) > 1 else 1 :]
        no_labels = [n for n in others if not are_runs(columns[n])]
        cases = {n: c for n, c in columns.items() if n not in no_labels}
        reading = read_cases(cases, replace(named, id=rows[0] if len(rows) == 1 else None))
        if reading is not None:
            return reading
    if len(rows) > 1 and named.kind != "folds" and not columns[rows[0]].is_fold:
        if way is not None and not is_repetition(columns[rows[1]]):
            ask_means(rows, columns[rows[1]], way)
        if name_suggests(rows[1], "rater"):
            named = named.with_kind("items", f"rated by each {rows[1]!r}")
        elif all(columns[name].has_two for name in named.models or ()):
            named = named.with_kind("items", "with answers")
        reading = read_rows_of_scores(*average_rounds(columns, named, rows))
        means = f"Scores are the means over {quote_names(rows[1:])} in each {rows[0]!r}."
        of_runs = reading.kind == "items" and any(are_runs(columns[name]) for name in rows[1:])
        return reading.with_first_lines(means, *([CLAIM_OF_RUNS] if of_runs else []))
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

    `rows` are the column of data sets and then those of rounds.
    """
    keys = columns[rows[0]]
    first = np.unique(keys.codes, return_index=True)[1]
    counts = np.bincount(keys.codes)
    means = {rows[0]: keys.take(first)}
    for name in named.models or ():
        values = np.asarray(columns[name].numbers, float)
        means[name] = Column(name, numbers=np.bincount(keys.codes, values) / counts)
    return means, replace(named, id=rows[0])
