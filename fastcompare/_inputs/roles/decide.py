"""The reading of a table: its shape, and with it the role of each column; or one question."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..._base.exceptions import FastCompareError, InvalidValueError
from ..._base.types import Fields
from ..battles import FIGHTERS, battle_columns
from ..names import HELD_OUT, TRAINING, VALIDATION, is_reader_table
from ..options import check_choice
from .answers import answers_in, with_one_spelling
from .attributes import without_coordinates
from .cases import read_cases
from .column import FEW, Column, cell_texts, parse_columns
from .footers import (
    above_row_of_metric,
    rows_above_footer,
    rows_but_summaries,
    take_rows,
    without_legend,
)
from .long.keys import names_models
from .long.reading import ask_one_model, read_long
from .question import QuestionError, ask
from .reading import TABLES, Named, Reading, option_name, quote_names, unused_column_lines
from .shapes.battles import battles_in
from .shapes.frequencies import cases_of_frequencies
from .shapes.idle import without_idle_columns, without_settings
from .shapes.studies import study_in
from .shapes.summaries import counted_answers, refuse_summaries, right_and_wrong
from .shapes.unpaired import refuse_counts, refuse_groups
from .shapes.wide_studies import wide_study_in
from .shapes.wins import scored_battles, wins_in
from .tables import read_rows_of_scores, read_transposed
from .times import read_times
from .words import ROLES, is_metric, name_suggests, split_words

METRIC = {"metric", "metrics"}  # words of names of columns
MEASURE = {"measure", "measures"}  # which may also be of quantities
WORDS_OF_SPLITS = {"split", "splits", "set", "subset", "partition", "part", "usage"}
BESIDE_METRIC = {"name", "eval", "evaluation"}
RANKING_METRICS = {"p", "ap", "rr", "dcg", "bpref", "rprec", "recip", "rank", "cut", "at"}
MOST_COUNTED = 10**4  # rows of counts
OF_DESIGNS = ("design", "n_train", "n_test", "test")  # options that name no column and no kind
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
Shape = Callable[[Mapping[str, Column], Named], Reading | None]
SHAPES_OF_ROWS: tuple[Shape, ...] = (read_long, read_transposed, read_rows_of_scores)
SHAPES: tuple[Shape, ...] = (
    read_times,
    read_long,
    read_transposed,
    read_cases,
    read_rows_of_scores,
)


def read_roles(table: Mapping[str, Any], named: Named, decimal: str = ".") -> Reading:
    """Return the reading of a table, with the role of each column; or raise a question."""
    columns, legend_lines = without_legend(parse_columns(table, decimal), decimal)
    columns, setting_lines = without_settings(columns, named)
    reading = read_rows(columns, named, decimal).with_first_lines(*legend_lines)
    return replace(reading, lines=(*reading.lines, *setting_lines))


def read_rows(columns: dict[str, Column], named: Named, decimal: str) -> Reading:
    """Return the reading of the rows of a table, which may be of any shape."""
    if (reading := read_special_table(columns, named)) is not None:
        return reading
    columns, named, count_lines = cases_of_frequencies(columns, named, decimal)
    check_named_columns(columns, named)
    refuse_numbers_as_names(columns)
    columns, row_lines = rows_of_cases(columns, named, decimal)
    columns, named, spelling_lines = with_one_spelling(columns, named)
    columns, coordinate_lines = without_coordinates(columns, named)
    columns, metric_lines = rows_of_metric(columns, named)
    columns, named, answer_lines = answers_in(columns, named)
    if has_no_options(named):
        needed = without_idle_columns(columns)
        equal_counts = {n: c for n, c in columns.items() if c.is_constant and c.is_count}
        refuse_counts(needed | equal_counts)
        refuse_groups(columns)
    try:
        reading = read_columns(columns, named)
    except QuestionError as question:
        raise with_follow_up_ways(question, columns, named) from None
    reading = with_metric(reading, columns, named.scoring if metric_lines else None)
    reading = replace(reading, lines=(*reading.lines, *coordinate_lines))
    lines = (*count_lines, *row_lines, *spelling_lines, *metric_lines, *answer_lines)
    return reading.with_first_lines(*lines)


def rows_of_cases(
    columns: dict[str, Column], named: Named, decimal: str
) -> tuple[dict[str, Column], tuple[str, ...]]:
    """Return the rows that are no summaries and not of training, and lines on the others."""
    columns, footer_lines = without_footer(columns, decimal)
    columns, split_lines = held_out_rows(columns, named)
    return columns, (*footer_lines, *split_lines)


def read_special_table(columns: Mapping[str, Column], named: Named) -> Reading | None:
    """Return the reading of a table of counts, of battles or of a reader study, None for others."""
    for read in (read_counts, read_battles_or_study):
        if (reading := read_beside_idle(read, columns, named)) is not None:
            return reading
    return None


def read_beside_idle(read: Shape, columns: Mapping[str, Column], named: Named) -> Reading | None:
    """Return the reading of the columns, or of those that say something about the rows."""
    reading = read(columns, named)
    needed = without_idle_columns(columns)
    if reading is not None or len(needed) == len(columns) or not has_no_options(named):
        return reading
    if (reading := read(needed, named)) is None:
        return None
    return replace(reading, lines=(*reading.lines, *unused_column_lines(columns, needed, {})))


def read_battles_or_study(columns: Mapping[str, Column], named: Named) -> Reading | None:
    """Return the reading of a table of battles or of a reader study, None for any other."""
    if (wide := wide_study_in(columns, named)) is not None:
        return study_reading(wide[0], wide[1], named)
    if (data := specialized_table(columns, named)) is not None:
        return Reading(kind=named.kind, models={}, data=data)
    if named.kind in (None, "battles") and named.label is None:
        battles = battles_in(columns) or scored_battles(columns)
        if battles is not None:
            data, line = battles
            others = {n: c for n, c in columns.items() if repr(n) not in line}
            lines = (line, *unused_column_lines(others, named.auxiliary, {}))
            return Reading(kind="battles", models={}, data=data, lines=lines)
    if named.kind in (None, "readers") and (study := study_in(columns, named)) is not None:
        return study_reading(study[0], (study[1],), named)
    return None


def study_reading(data: Fields, lines: tuple[str, ...], named: Named) -> Reading:
    """Return the reading of a reader study whose truth is True for positive cases."""
    positive = {} if named.pos_label is None else {"pos_label": True}
    return Reading(kind="readers", models={}, data=data, lines=lines, options=positive)


def with_metric(reading: Reading, columns: Mapping[str, Column], chosen: str | None) -> Reading:
    """Return the reading with the metric of its rows: the chosen one, or the only one they have."""
    if chosen is not None:
        return replace(reading, metric=chosen, called=(chosen,))
    only = [c for c in columns.values() if c.present.size and c.is_constant and names_metrics(c)]
    return replace(reading, called=only[0].label_texts) if only else reading


def check_named_columns(columns: Mapping[str, Column], named: Named) -> None:
    """Raise where an option names a column of ids, clusters or weights that a table lacks."""
    for what in ("id", "groups", "weights"):
        if getattr(named, what) is not None:
            check_choice(option_name(what), getattr(named, what), tuple(columns))


def has_no_options(named: Named) -> bool:
    """Return whether no option names a column, a kind of data or a positive label."""
    columns = named.label or named.models or named.long or named.auxiliary
    return not (columns or named.kind or named.pos_label is not None)


def read_counts(columns: Mapping[str, Column], named: Named) -> Reading | None:
    """Return the reading of a table of counts, None for any other; raise for one of summaries."""
    sizes = {column.n for column in columns.values()}
    if not sizes or max(sizes) > MOST_COUNTED or not has_no_options(replace(named, kind=None)):
        return None
    if named.kind in (None, "battles") and (battles := wins_in(columns)) is not None:
        return Reading(kind="battles", models={}, data=battles[0], lines=(battles[1],))
    if named.kind is None:
        answers = right_and_wrong(columns) or counted_answers(columns)
        if answers is not None:
            return answers
        refuse_summaries(columns)
    return None


def read_columns(columns: Mapping[str, Column], named: Named) -> Reading:
    """Return the reading of the first shape that columns have, in the order of `SHAPES`."""
    if named.kind in TABLES and named.label is None and named.kind != "folds":
        shapes = SHAPES_OF_ROWS
    else:
        shapes = SHAPES
    reading = next(filter(None, (shape(columns, named) for shape in shapes)))
    if named.models is None and len(reading.models) == 1:
        ask_pooled(reading, columns, named)
    return reading


def ask_pooled(reading: Reading, columns: Mapping[str, Column], named: Named) -> None:
    """Raise where a column names models beside the only column of scores, which may be theirs."""
    (score,) = reading.models
    roles = (reading.label, *named.auxiliary)
    named_so = [c for n, c in columns.items() if n not in roles and name_suggests(n, "model")]
    models = [c for c in named_so if c.texts is not None and c.has_few_values and names_models(c)]
    if models and score in columns and all(score != c.name for c in models):
        ask_one_model(models[0], [score])


def with_follow_up_ways(
    question: QuestionError,
    columns: Mapping[str, Column],
    named: Named,
    earlier: frozenset[str] = frozenset(),
) -> QuestionError:
    """Return a question whose ways also answer what would be asked next; others are left out.

    `earlier` are the texts of the questions before: a way that leads to one of them again answers
    nothing, nor does one that leads to an error.
    """
    ways: list[Fields] = []
    further_texts: list[str] = []
    for way in question.ways:
        options: Any = {name: value for name, value in way.items() if name not in OF_DESIGNS}
        answered = replace(named, sized=named.sized or options != way, **options)
        try:
            read_columns(columns, answered)
        except QuestionError as asked:
            if asked.text in earlier | {question.text}:
                continue
            further = with_follow_up_ways(asked, columns, answered, earlier | {question.text})
            # all answers after the first way, one after each other: enough to show what follows
            shown_ways = further.ways if way is question.ways[0] else further.ways[:1]
            ways += [{**way, **further_way} for further_way in shown_ways]
            further_texts += [f" Then: {further.text}"]
        except FastCompareError:
            continue
        else:
            ways.append(way)
    if not ways or ways == [*question.ways]:
        return question
    end = question.more + "".join(dict.fromkeys(further_texts))
    return QuestionError(question.text, ways, end)


def specialized_table(columns: Mapping[str, Column], named: Named) -> Mapping[str, Any] | None:
    """Return the columns of a table of battles or of a reader study, None for any other table."""
    is_specified = named.kind in ("battles", "readers")
    if not is_specified and (named.kind not in (None, "items") or named.label or named.long):
        return None
    names = {*columns}
    if named.kind == "battles" and not {*FIGHTERS} <= names:
        return None
    battles = {*FIGHTERS} <= names or is_specified
    if not battles and not is_reader_table(columns):
        return None
    data = {name: column.values() for name, column in columns.items()}
    if battles and not is_specified and battle_columns(data) is None:
        return None
    return data


def refuse_numbers_as_names(columns: Mapping[str, Column]) -> None:
    """Raise for a table whose names of columns are numbers, as in a file without a header."""
    numbers = [name for name in columns if NUMBER.fullmatch(name.strip())]
    texts = [name for name, c in columns.items() if name not in numbers and c.is_constant]
    are_values = all(columns[name].label_texts == (name,) for name in texts)  # a metric in each row
    if (
        are_values
        and len(numbers) + len(texts) == len(columns) > 1
        and any("." in name for name in numbers)
    ):
        raise InvalidValueError(
            f"the columns must have names, got {quote_names(numbers)}, which look like the values "
            "of a row: write a header above it.",
            parameter="data",
            value=numbers,
        )


def without_footer(
    columns: dict[str, Column], decimal: str
) -> tuple[dict[str, Column], tuple[str, ...]]:
    """Return the rows above the last ones that summarize them, and a line on these.

    They do so by their values, or in longer tables by their names: mean or total.
    """
    if footer := rows_above_footer(columns) or above_row_of_metric(columns):
        n_above, line = footer
        return take_rows(columns, np.arange(n_above), decimal), (line,)
    for name, column in columns.items():
        if column.texts is None or column.n <= FEW or name_suggests(name, "model"):
            continue
        selection = rows_but_summaries(column)
        if selection is None:
            continue
        rows, line = selection
        are_first = rows[-1] == rows.size - 1  # so the summaries are the last rows
        if are_first:
            return take_rows(columns, rows, decimal), (line,)
    return columns, ()


def rows_of_metric(
    columns: dict[str, Column], named: Named
) -> tuple[dict[str, Column], tuple[str, ...]]:
    """Return the rows of the chosen metric, if a column names that of each row, and a line on them.

    Raise if none is chosen and no other option says what to compare.
    """
    options = (named.label, named.models, named.kind, named.pos_label)
    if named.scoring is None and any(option is not None for option in options):
        return columns, ()
    for name, column in columns.items():
        is_choice = column.has_few_values or (column.is_constant and named.scoring is not None)
        if name in (named.label, *named.auxiliary) or not (is_choice and names_metrics(column)):
            continue
        if named.scoring is None:
            ways = [{"scoring": text} for text in column.label_texts]
            ask(
                f"which metric? The rows of {name!r} are of {quote_names(column.label_texts)}.",
                ways,
            )
        check_choice(option_name("scoring"), named.scoring, column.label_texts)
        rows = np.flatnonzero(np.array(cell_texts(column)) == named.scoring)
        line = f"Rows: the {rows.size} of {column.n} where {name!r} is {named.scoring!r}."
        return {n: c.take(rows) for n, c in columns.items() if n != name}, (line,)
    return columns, ()


def names_metrics(column: Column) -> bool:
    """Return whether a column names metrics, by its name and values.

    Some values are metrics in a column called metric; all are in one called measure.
    """
    words = {*split_words(column.name)} - BESIDE_METRIC
    if column.texts is None or not words or not words <= METRIC | MEASURE:
        return False
    enough = any if words & METRIC else all
    return enough(map(is_metric_at_rank, column.label_texts))


def is_metric_at_rank(text: str) -> bool:
    """Return whether a text names a metric, or a metric of rankings at a rank: ndcg_cut_10."""
    text = text.lower().removeprefix("test_").removeprefix("val_").removeprefix("eval_")
    words = [word for word in split_words(text) if not word.isdigit()]
    metrics = ROLES["metric"] | RANKING_METRICS
    return is_metric(text) or (bool(words) and metrics.issuperset(words))


def held_out_rows(
    columns: dict[str, Column], named: Named
) -> tuple[dict[str, Column], tuple[str, ...]]:
    """Return the rows that a column says are of test, not of training, and a line.

    The column must be called split, part or the like, and have no role by an option. Rows of
    validation stay only where none is of test. Raise where all rows are of training.
    """
    roles = (named.label, *named.auxiliary, *(named.models or ()), *(named.long or ()))
    for name, column in columns.items():
        if name in roles or WORDS_OF_SPLITS.isdisjoint(split_words(name)):
            continue
        words = {text.casefold() for text in column.label_texts} if column.texts else set()
        if not words <= TRAINING | HELD_OUT or not (words & TRAINING or len(words) > 1):
            continue
        has_test = bool(words - TRAINING - VALIDATION)
        seen_by_models = TRAINING | VALIDATION if has_test else TRAINING
        test_labels = [text for text in column.label_texts if text.casefold() not in seen_by_models]
        if not test_labels:
            raise InvalidValueError(
                f"column {name!r} says that all rows are of training, where models look better "
                "than they are: compare them on other cases.",
                parameter=name,
            )
        assert column.texts is not None
        codes = [column.texts.labels.index(text) for text in test_labels]
        rows = np.flatnonzero(np.isin(column.codes, codes))
        if rows.size < 2:
            continue
        line = (
            f"Rows: the {rows.size} of {column.n} where {name!r} is "
            f"{' or '.join(map(repr, test_labels))}: models look better on cases by which they "
            "were trained or chosen."
        )
        return {n: c.take(rows) for n, c in columns.items() if n != name}, (line,)
    return columns, ()
