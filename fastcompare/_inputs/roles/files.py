"""Several files as one table: joined by id, one after the other, or models of different cases."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..._adapters.delimited import FileTable, pyarrow
from ..._adapters.files import column_name_by_file, join_tables, model_of_file, stack_tables
from ..._base.exceptions import FastCompareError, InvalidValueError, invalid_value
from .answers import WORDS_OF_ANSWERS
from .column import Column, parse_columns
from .decide import read_roles, with_follow_up_ways
from .question import QuestionError
from .reading import CASES, Named, Reading, eligible_columns, quote_names
from .tables import is_other_measurement
from .truths import Truth, find_truth
from .words import is_clear_truth, is_index, is_outcome, name_suggests, split_words

SMALLEST_SHARE_DISTINCT = 0.9  # of the rows of a file with ids
SMALLEST_SHARE_COMMON = 0.5  # of the ids of the smaller file, in the other

SMALLEST_SHARE_DIFFERENT = 0.1  # of the ids of files with labels of their own


class Combined(NamedTuple):
    """The table of several files, how it was made, and what was read in it, if that is known."""

    table: FileTable
    line: str = ""
    reading: Reading | None = None


def combine_files(tables: Sequence[FileTable], named: Named) -> Combined:
    """Return several files as one table, or as two models with cases of their own."""
    if len(tables) == 1 and named.paired is not False:
        return Combined(tables[0])
    if named.paired is False:
        return read_unpaired(tables, named)
    columns = [parse_columns(table.columns()) for table in tables]
    truth = find_label(columns, named)
    label = None if truth is None else truth.name
    named = named if truth is None else replace(named, label_reason=truth.why)
    if label is not None and are_submissions(columns, label):
        label = None
    key = named.id or shared_key(columns, label)
    if key is not None and named.label is None and contradicts(columns, key, label):
        label = None
    same_names = len({frozenset(table.names) for table in tables}) == 1
    labelled = with_model_names(tables, columns)
    if key is not None and not (same_names and are_disjoint(columns, key)):
        return join_by_id(labelled, named, key, label)
    have_same_rows = same_truth if same_names else side_by_side
    if key is None and have_same_rows(columns, label):
        if named.paired is None:
            ask_sorted(tables, columns[0][str(label)])
        return join_side_by_side(labelled, label)
    if not same_names:
        return Combined(stack_tables(tables))
    readings = [r for r in (read_one_model(table, named) for table in tables) if r is not None]
    if len(readings) == len(tables) == 2:
        if named.paired:
            refuse_paired()
        return Combined(tables[0], reading=unpaired_reading(labelled, readings))
    return Combined(stack_tables(tables), f"Rows: those of {len(tables)} files.")


def are_submissions(columns: Sequence[Mapping[str, Column]], label: str) -> bool:
    """Return whether each file has only the column `label`, of true labels or of predictions.

    In competitions submissions are written like the truth. Their values differ between files.
    """
    if not all(label in file_columns for file_columns in columns):
        return False
    others = [
        n
        for file_columns in columns
        for n, c in file_columns.items()
        if n != label and not is_no_label_or_score(c)
    ]
    return not others and not same_values([file_columns[label] for file_columns in columns])


def is_no_label_or_score(column: Column) -> bool:
    """Return whether a column is neither labels nor scores: texts, a constant, or row numbers."""
    is_text = column.texts is not None and not column.is_date
    return is_text or column.is_constant or (column.is_whole and column.all_differ)


def same_values(columns: Sequence[Column]) -> bool:
    """Return whether columns have the same values, each as often, in any order."""
    first, *others = (sorted(column.present.tolist()) for column in columns)
    return all(other == first for other in others)


def find_label(columns: Sequence[Mapping[str, Column]], named: Named) -> Truth | None:
    """Return the true labels of the first file that has some, and why they are such."""
    for file_columns in columns:
        if named.label is not None and named.label not in file_columns:
            continue
        try:
            truth = find_truth(eligible_columns(file_columns, named), named)
        except FastCompareError:
            continue
        if truth is not None:
            return truth
    return None


def shared_key(columns: Sequence[Mapping[str, Column]], label: str | None) -> str | None:
    """Return the column by whose ids all files can be joined, None where there is none."""
    first, *others = columns
    shared = [name for name in first if name != label and all(name in one for one in others)]
    keys = [name for name in shared if are_keys([one[name] for one in columns])]
    named = [
        n for n in keys if not is_index(n) and not all(one[n].is_row_number for one in columns)
    ]
    common = [name for name in named if have_common_ids([one[name] for one in columns])]
    keys = common or keys  # else each file has ids of its own, as of runs, beside those of cases
    keys.sort(key=lambda name: not name_suggests(name, "id"))
    return next(iter(keys), None)


def have_common_ids(columns: Sequence[Column]) -> bool:
    """Return whether half of the ids of the smallest file are in all files."""
    ids = [{*column.label_texts} for column in columns]
    return len(set.intersection(*ids)) >= SMALLEST_SHARE_COMMON * min(map(len, ids))


def contradicts(columns: Sequence[Mapping[str, Column]], key: str, label: str | None) -> bool:
    """Return whether a column that may be true labels differs between files for the same ids.

    In a tenth of the ids at least; it is then each model's, unless it is called like an outcome,
    and not like answers.
    """
    if label is None or (is_outcome(label) and not WORDS_OF_ANSWERS & {*split_words(label)}):
        return False
    tables = [(one[key], one[label]) for one in columns if key in one and label in one]
    if len(tables) < 2:
        return False
    values = labels_by_id(tables)
    shared = values[:, (values >= 0).all(axis=0)]
    n_different = np.count_nonzero((shared != shared[0]).any(axis=0))
    return bool(n_different > SMALLEST_SHARE_DIFFERENT * shared.shape[1])


def labels_by_id(tables: Sequence[tuple[Column, Column]]) -> NDArray[np.int64]:
    """Return the labels by number (k, n) that k files have for the n ids of the first; -1 for none.

    `tables` are the ids and the labels of each file. An id that is repeated has its last label.
    """
    index = {text: i for i, text in enumerate(tables[0][0].label_texts)}
    numbers = {"": 0}  # of labels; no label is one, too
    by_id = np.full((len(tables), len(index)), -1)
    for of_file, (ids, labels) in zip(by_id, tables, strict=True):
        places = np.array([*(index.get(text, -1) for text in ids.label_texts), -1])[ids.codes]
        texts = (*labels.label_texts, "")
        codes = np.array([numbers.setdefault(text, len(numbers)) for text in texts])[labels.codes]
        of_file[places[places >= 0]] = codes[places >= 0]
    return by_id


def are_keys(columns: Sequence[Column]) -> bool:
    """Return whether a column of each file has ids: nearly all distinct, and no scores.

    Numbers that are not called ids are such only if files have half of them in common, and texts
    only if all differ.
    """
    if any(c.is_decimal or c.is_bool or not c.present.size for c in columns):
        return False
    if not all(c.distinct.size >= SMALLEST_SHARE_DISTINCT * c.n > 1 for c in columns):
        return False
    name = columns[0].name
    if name_suggests(name, "id") or name_suggests(name, "unit"):
        return True
    if not any(c.is_number for c in columns):
        return all(c.distinct.size == c.n for c in columns)
    names_values = name_suggests(name, "measure") or name_suggests(name, "prediction")
    return not names_values and have_common_ids(columns)


def are_disjoint(columns: Sequence[Mapping[str, Column]], key: str) -> bool:
    """Return whether no id is in two files."""
    ids = [{*one[key].label_texts} for one in columns if key in one]
    return sum(map(len, ids)) == len(set().union(*ids))


def join_by_id(tables: Sequence[FileTable], named: Named, key: str, label: str | None) -> Combined:
    """Return the table of the rows whose ids all files have; models are called by their files."""
    same = [name for name in (label, named.groups) if name is not None]
    table, dropped = join_tables(tables, key, same=same, drop=named.missing == "drop")
    others_note = f", {dropped} dropped that are not in all" if dropped else ""
    line = f"Rows: {table.arrow.num_rows}, joined by {key!r} from {len(tables)} files{others_note}."
    if tables[0].model:
        line += f" Models are called as {tables[0].model!r} says."
    options = replace(named, id=key, label=named.label or label)
    if options.label is None and not named.models and named.kind not in (*CASES, "times"):
        models = scores_of_files(table, options, tables)
        options = replace(options, models=models, models_reason="the scores of each file")
    return Combined(table, reading=called_by_files(table, options, tables, line))


def scores_of_files(
    table: FileTable, named: Named, tables: Sequence[FileTable]
) -> tuple[str, ...] | None:
    """Return the columns of the only score that each file has of its own; None where none has.

    Raise for several. None, too, where a column that files share may have the true labels.
    """
    columns = parse_columns(table.columns())
    stems = [*map(model_of_file, tables)]
    by_file = {
        name: [f"{stem}:{name}" for stem in stems]
        for name in tables[0].names
        if all(f"{stem}:{name}" in columns for stem in stems)
    }
    of_files = {name for names in by_file.values() for name in names}
    shared = [c for n, c in columns.items() if n not in of_files]
    if any(is_clear_truth(c.name) or (c.has_two and is_outcome(c.name)) for c in shared):
        return None
    scores = {n: names for n, names in by_file.items() if are_scores([columns[x] for x in names])}
    if len(scores) > 1:
        question = QuestionError(
            f"which column has the scores? Each file has {quote_names(scores)} of its own.",
            [{"models": names} for names in scores.values()],
        )
        raise with_follow_up_ways(question, columns, named)
    return tuple(next(iter(scores.values()))) if scores else None


def are_scores(columns: Sequence[Column]) -> bool:
    """Return whether columns of the same name in several files may be scores of their models."""
    are_numbers = all(c.numbers is not None and c.present.size for c in columns)
    return are_numbers and not any(is_other_measurement(c, beside_decimals=True) for c in columns)


def called_by_files(
    table: FileTable, named: Named, tables: Sequence[FileTable], line: str
) -> Reading:
    """Return the reading of a joined table; a file's only model is called as the file is."""
    reading = read_roles(table.columns(), named)
    names = {
        name: stem
        for stem in map(model_of_file, tables)
        for name in reading.models
        if name.startswith(f"{stem}:")
    }
    if len(names) == len(reading.models) == len({*names.values()}):
        models = {names[name]: values for name, values in reading.models.items()}
        reading = replace(reading, models=models)
    beside_models = {named.id, named.label, named.groups, tables[0].model}
    scores = {name for table in tables for name in table.names} - beside_models
    if len(scores) == 1 and not reading.called:
        reading = replace(reading, called=tuple(scores))  # of all files, such as time
    return reading.with_first_lines(line)


def with_model_names(
    tables: Sequence[FileTable], columns: Sequence[Mapping[str, Column]]
) -> Sequence[FileTable]:
    """Return the files with the names of their models, if a column has one for each file.

    Unchanged where no such column has one value in each file, different between all of them.
    """
    for name in columns[0]:
        by_file = [file_columns[name] for file_columns in columns if name in file_columns]
        if not name_suggests(name, "model") or len(by_file) < len(columns):
            continue
        if any(c.texts is None or c.missing.any() or c.distinct.size != 1 for c in by_file):
            continue
        models = [c.label_texts[0] for c in by_file]
        if len({*models}) == len(models):
            pairs = zip(tables, models, strict=True)
            return [replace(table, called=model, model=name) for table, model in pairs]
    return tables


def side_by_side(columns: Sequence[Mapping[str, Column]], label: str | None) -> bool:
    """Return whether files have equal labels in equal order, and no other column in common."""
    sizes = {next(iter(one.values())).n for one in columns}
    names = [name for one in columns for name in one if name != label]
    return len(sizes) == 1 and len({*names}) == len(names) and same_truth(columns, label)


def same_truth(columns: Sequence[Mapping[str, Column]], label: str | None) -> bool:
    """Return whether all files have the same true labels in the same order."""
    if label is None or any(label not in one for one in columns):
        return False
    first, *others = (one[label] for one in columns)
    return all(
        other.n == first.n
        and other.label_texts == first.label_texts
        and bool((other.codes == first.codes).all())
        for other in others
    )


def ask_sorted(tables: Sequence[FileTable], label: Column) -> None:
    """Raise for files without ids that are sorted by their labels, which then match anyway."""
    if np.count_nonzero(np.diff(label.codes)) < label.distinct.size:
        others = " or `--unpaired`" if len(tables) == 2 else ""
        raise InvalidValueError(
            f"{len(tables)} files share no column of ids, and all are sorted by {label.name!r}: "
            f"are their rows the same cases in the same order? Specify `--paired`{others}, or "
            "write a column of ids into each.",
            parameter="--paired",
        )


def join_side_by_side(tables: Sequence[FileTable], label: str | None) -> Combined:
    """Return the columns of files beside each other, whose rows are the same cases in order.

    A column that is equal in all files is there once; others are called by their file, too.
    """
    arrays: dict[str, Any] = {}
    for table in tables:
        for name in table.names:
            if name == table.model:
                continue
            if name == label or all(
                table.arrow.column(name).equals(t.arrow.column(name))
                for t in tables
                if name in t.names
            ):
                arrays.setdefault(name, table.arrow.column(name))
            else:
                called = column_name_by_file(table, name, "", [label] if label else [])
                arrays[called] = table.arrow.column(name)
    path = ", ".join(table.path for table in tables)
    line = (
        f"Rows: those of {len(tables)} files beside each other, without ids: the true labels "
        "are the same in the same order."
    )
    return Combined(FileTable(path, pyarrow().table(arrays), decimal=tables[0].decimal), line)


def read_unpaired(tables: Sequence[FileTable], named: Named) -> Combined:
    """Return two files as unpaired models, as specified; raise unless each has one and labels."""
    readings = [read_roles(table.columns(), named, table.decimal) for table in tables]
    for table, reading in zip(tables, readings, strict=True):
        if len(tables) != 2 or len(reading.models) != 1 or reading.truth is None:
            raise InvalidValueError(
                "models on different cases need two files, each with true labels and one model; "
                f"{table.path} has {quote_names(reading.models)} of {len(tables)} files. Name the "
                "model by `--model`.",
                parameter="--model",
            )
    return Combined(tables[0], reading=unpaired_reading(tables, readings, "as specified"))


def refuse_paired() -> NoReturn:
    """Raise since --paired is specified and files have no common ids and no equal labels."""
    raise invalid_value(
        "--paired",
        "needs the same cases in all files, and these share neither ids nor labels in the "
        "same order",
        end=": write a column of ids into each, or compare them by `--unpaired`.",
    )


def read_one_model(table: FileTable, named: Named) -> Reading | None:
    """Return the reading of a file with labels and one model, None for any other."""
    try:
        reading = read_roles(table.columns(), named)
    except FastCompareError:
        return None
    return reading if len(reading.models) == 1 and reading.truth is not None else None


def unpaired_reading(
    tables: Sequence[FileTable], readings: Sequence[Reading], why: str = "no common ids"
) -> Reading:
    """Return the reading of two files as models on different cases, each with its labels."""
    names = [*map(model_of_file, tables)]
    if names[0] == names[1]:
        names = [table.path for table in tables]
    kinds = {reading.kind for reading in readings}
    if len(kinds) > 1:
        raise InvalidValueError(
            f"files must be of one kind, got {' and '.join(map(str, kinds))}.", parameter="files"
        )
    values = [next(iter(reading.models.values())) for reading in readings]
    pairs = tuple((r.truth, v) for r, v in zip(readings, values, strict=True))
    line = f"Rows: each file has cases of its own ({why}), so the models are unpaired."
    first = readings[0]
    return replace(
        first,
        models=dict(zip(names, values, strict=True)),
        unpaired=pairs,
        lines=(line, *first.lines),
        warnings=tuple(dict.fromkeys(w for r in readings for w in r.warnings)),
    )
