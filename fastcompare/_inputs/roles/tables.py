"""Tables of one score a row and model: rounds, data sets or items; long, turned, or as they are."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, permutations
from typing import Any

import numpy as np

from ..._adapters.delimited import Coded
from ..._base.exceptions import InvalidValueError
from ..names import called_otherwise, is_summary
from ..options import check_choice
from ..tables import doubtful_numbers
from .cases import of_cases
from .column import Column
from .question import ask, option, refuse_faults
from .reading import TABLES, Named, Reading, asides, linked, names_in, option_name
from .relations import blocks_of, is_agreed, is_crossed, is_threshold, rows_of_pairs
from .truths import share_values
from .units import dependence, is_fold, is_unit
from .words import is_clear_truth, is_index, is_outcome, speaks_for, words_of

FEW_ROWS = 40  # that rounds have at most
A_ROUND = re.compile(
    r"(cv|fold|round|split|repeat|iteration|iter|seed|run|trial|rep)s?[\W_]*\d+(_.*)?|s\d+", re.I
)
ROWS = {"folds": "rounds", "datasets": "data sets", "items": "items"}


def of_long(columns: Mapping[str, Column], named: Named) -> Reading | None:
    """Return what a table holds that has a row for each model and case, data set or round."""
    if named.long is not None:
        return of_long_columns(columns, named, *checked_long(columns, named))
    if named.models and {*named.models} <= {*columns}:
        return None
    known = {n: c for n, c in columns.items() if not is_index(n) and c.present.size}
    pair = keys_of(known, named)
    if pair is None:
        refuse_without_keys(known, named)
        return None
    model, rows = pair
    scores = scores_of(known, model, rows, named)
    if not scores:
        return None
    if len(scores) > 1 and not blocks_of({n: known[n] for n in scores}):
        way = [option(long=(model, rows[0], name)) for name in scores]
        ask(f"a row for each {model!r} and {rows[0]!r}: which column has the scores?", way)
    return of_long_columns(columns, named, model, rows, scores)


def refuse_without_keys(columns: Mapping[str, Column], named: Named) -> None:
    """Raise for a table with a row for each model and case in which a case is there twice."""
    called = [n for n, c in columns.items() if speaks_for(n, "model") and c.texts is not None]
    models = [n for n in called if names_models(columns[n])]
    rest = {n: c for n, c in columns.items() if n not in models and n not in named.apart}
    scores = [n for n, c in rest.items() if c.is_decimal]
    roles = ("id", "unit", "dataset", "item", "fold")
    keys = [n for n in rest if any(speaks_for(n, role) for role in roles)]
    keys = [named.id] if named.id is not None else [n for n in keys if not rest[n].is_decimal]
    if len(models) != 1 or len(scores) != 1 or len(keys) > 1:
        return
    if not keys:
        raise InvalidValueError(
            f"the table has a row for each case and {models[0]!r}, and no column tells which rows "
            "are the same case: add a column of ids."
        )
    refuse_repeats(columns[models[0]], columns[keys[0]], (keys[0],))


def checked_long(
    columns: Mapping[str, Column], named: Named
) -> tuple[str, tuple[str, ...], list[str]]:
    """Return the named columns of models, rows and scores."""
    names = named.long or ()
    if len(names) != 3:
        raise InvalidValueError(
            f"`{option_name('long')}` must name the columns of models, rows and scores, got "
            f"{','.join(names)!r}."
        )
    for name in names:
        check_choice(option_name("long"), name, tuple(columns))
    rows = (names[1], *third_key(columns, names[0], names[1]))
    return names[0], rows, [names[2]]


def third_key(columns: Mapping[str, Column], model: str, row: str) -> tuple[str, ...]:
    """Return the column of rounds or samples that a long table has several rows a cell for."""
    if is_crossed(columns[model], columns[row]):
        return ()
    for name, column in columns.items():
        if name not in (model, row) and (is_fold(column) or speaks_for(name, "measure")):
            both = joined([columns[row], column])
            if both.distinct.size > columns[row].distinct.size and is_crossed(columns[model], both):
                return (name,)
    return ()


def keys_of(columns: Mapping[str, Column], named: Named) -> tuple[str, tuple[str, ...]] | None:
    """Return the columns of the model and of the row of a long table, None for any other."""
    called = [n for n, c in columns.items() if speaks_for(n, "model") and names_models(c)]
    called = [n for n in called if not is_outcome(n) or len(called) == 1]
    for model in called:
        rows = rows_for(columns, model, named)
        if rows:
            return model, rows
    return by_structure(columns, named) if not called else None


def names_models(column: Column) -> bool:
    """Return whether the values of a column may be names of models, each in several rows."""
    few = 2 <= column.distinct.size <= column.n // 2
    return few and not column.is_decimal and not column.missing.any()


def rows_for(columns: Mapping[str, Column], model: str, named: Named) -> tuple[str, ...]:
    """Return the column, or the two, whose values each model has once."""
    others = [
        n for n, c in columns.items() if n != model and not c.is_decimal and not c.is_constant
    ]
    if named.id is not None and named.id in others:
        others = [named.id]
    found = [n for n in others if is_crossed(columns[model], columns[n])]
    if found:
        rank = ("item", "dataset", "id", "fold", "unit")
        found.sort(key=lambda n: next((i for i, r in enumerate(rank) if speaks_for(n, r)), 9))
        return (found[0],)
    for first, second in combinations(others, 2):
        both = joined([columns[first], columns[second]])
        if (
            is_crossed(columns[model], both)
            and min(columns[first].distinct.size, columns[second].distinct.size)
            < both.distinct.size
        ):
            folds = [n for n in (first, second) if is_fold(columns[n])]
            called = speaks_for(first, "dataset") or speaks_for(second, "dataset")
            if not folds and not called:
                continue
            return (first, second) if second in folds else (second, first)
    return ()


def joined(columns: Sequence[Column]) -> Column:
    """Return two columns as one whose values are the pairs of theirs."""
    first, second = columns
    codes = first.codes * max(second.distinct.size, 1) + second.codes
    found, numbers = np.unique(codes, return_inverse=True)
    return Column(f"{first.name} {second.name}", texts=Coded(list(map(str, found)), numbers))


def by_structure(columns: Mapping[str, Column], named: Named) -> tuple[str, tuple[str, ...]] | None:
    """Return two columns of words that are crossed, beside one of numbers, or ask which is which.

    Neither is called as models are: that with fewer values is taken.
    """
    texts = [n for n, c in columns.items() if c.texts is not None and names_models(c)]
    whole = [n for n, c in columns.items() if c.is_whole and not c.has_two and names_models(c)]
    for first, second in permutations([*texts, *whole], 2):
        if first not in texts or not is_crossed(columns[first], columns[second]):
            continue
        rest = [c for n, c in columns.items() if n not in (first, second)]
        numbers = [c for c in rest if c.is_number and not c.is_constant]
        numbers = [c for c in numbers if not (c.has_two and is_agreed(c, columns[second]))]
        if len(numbers) != 1 or any(is_unit(c) for c in rest if c.texts is not None):
            continue
        sizes = [columns[n].distinct.size for n in (first, second)]
        row_words = [
            any(speaks_for(n, r) for r in ("dataset", "item", "id", "fold", "unit"))
            for n in (first, second)
        ]
        if row_words[0] and not row_words[1]:
            continue
        if sizes[0] == sizes[1] and row_words[0] == row_words[1] and second in texts:
            score = numbers[0].name
            ask(
                f"which column names the models, {first!r} or {second!r}?",
                [option(long=(first, second, score)), option(long=(second, first, score))],
            )
        if sizes[0] < sizes[1] or row_words[1] or second not in texts:
            return first, (second,)
    return None


def scores_of(
    columns: Mapping[str, Column], model: str, rows: tuple[str, ...], named: Named
) -> list[str]:
    """Return the columns of numbers that differ between models of a row."""
    keys = row_column(columns, rows)
    rest = {
        n: c
        for n, c in columns.items()
        if n not in (model, *rows, named.label, *named.apart) and not is_fold(c)
    }
    agreed = [n for n, c in rest.items() if is_agreed(c, keys)]
    free = [n for n in rest if n not in agreed and not is_clear_truth(n)]
    numbers = [n for n in free if rest[n].is_number or rest[n].is_bool]
    numbers = [n for n in numbers if not is_agreed(rest[n], columns[model])]
    if len(numbers) > 1:
        hard = [
            n
            for n in numbers
            if rest[n].has_two
            and any(
                rest[m].is_decimal and is_threshold(rest[n], rest[m]) for m in numbers if m != n
            )
        ]
        numbers = [n for n in numbers if n not in hard or len(hard) == len(numbers)]
        named_so = [n for n in numbers if not speaks_for(n, "measure")]
        numbers = named_so or numbers
    if not numbers:  # predicted words beside the truth
        truths = [n for n in agreed if rest[n].texts is not None]
        return [n for n in free if truths and share_values(rest[n], rest[truths[0]])][:1]
    return numbers


def row_column(columns: Mapping[str, Column], rows: tuple[str, ...]) -> Column:
    """Return the column of the rows of a long table, of pairs where two name them."""
    return columns[rows[0]] if len(rows) == 1 else joined([columns[name] for name in rows])


def of_long_columns(
    columns: Mapping[str, Column],
    named: Named,
    model: str,
    rows: tuple[str, ...],
    scores: list[str],
) -> Reading:
    """Return a long table as one with a column a model, and what that holds."""
    models, keys = columns[model], row_column(columns, rows)
    if not is_crossed_once(models, keys):
        refuse_repeats(models, keys, rows)
    refuse_faults([columns[name] for name in scores])
    places = rows_of_pairs(models, keys)
    first = np.where(places >= 0, places, len(models.codes)).min(axis=1)
    names = models.label_texts
    lone = bool(places.min() < 0)
    wide: dict[str, Column] = {name: replace(columns[name].take(first), name=name) for name in rows}
    for name, column in columns.items():
        if name in (model, *rows, *scores):
            continue
        if is_agreed(column, keys):
            wide[name] = column.take(first)
        elif name == named.label or is_clear_truth(name):
            refuse_disagreement(column, keys)
    several = len(scores) > 1
    own = []
    for score in scores:
        for j, text in enumerate(names):
            called = f"{text}_{score}" if several else text
            wide[called] = spread_column(columns[score], places[:, j], called)
            own.append(called)
    line = f"Models: the values of {model!r} in rows of each {' and '.join(map(repr, rows))}"
    swapped = f"; {option_name('long')} names them" if named.long is None else ""
    chosen = tuple(named.models) if named.models else tuple(own)
    for name in chosen:
        check_choice(option_name("models"), name, own)
    inner = replace(named, models=None if several else chosen, long=None)
    lost = [f"{int((places < 0).sum())} scores are missing: not every model has every row."] * lone
    reading = of_pivoted(wide, inner, rows)
    return reading.beginning(f"{line} (scores: {names_in(scores)}{swapped}).", *lost)


def refuse_disagreement(labels: Column, keys: Column) -> None:
    """Raise where rows of one case have different true labels."""
    pairs = np.unique(np.stack([keys.codes, labels.codes], axis=1), axis=0)
    found, times = np.unique(pairs[:, 0], return_counts=True)
    case = int(found[np.argmax(times > 1)])
    rows = np.flatnonzero(keys.codes == case)
    text = keys.label_texts[list(keys.distinct).index(case)] if keys.texts else str(case)
    raise InvalidValueError(
        f"rows of one case have different true labels: {labels.name!r} of {keys.name} {text!r} "
        f"in row {int(rows[0])} differs from another row. Correct it."
    )


def is_crossed_once(models: Column, rows: Column) -> bool:
    """Return whether each model has at most one score in a row."""
    pairs = models.codes * max(rows.distinct.size, 1) + rows.codes
    return bool(np.unique(pairs).size == models.n)


def refuse_repeats(models: Column, rows: Column, names: tuple[str, ...]) -> None:
    """Raise where a model has several scores in a row."""
    pairs = models.codes * max(rows.distinct.size, 1) + rows.codes
    _, first, times = np.unique(pairs, return_index=True, return_counts=True)
    if times.max() < 2:
        return
    row = int(first[np.argmax(times > 1)])
    model = models.label_texts[int(models.codes[row])]
    raise InvalidValueError(
        f"the model {model!r} has several scores for one value of "
        f"{' and '.join(map(repr, names))}, the first in row {row}: one column more must tell "
        "them apart, or average them first."
    )


def spread_column(column: Column, rows: Any, name: str) -> Column:
    """Return the values of some rows, missing where there is none, which is row -1."""
    if column.texts is not None:
        codes = np.where(rows >= 0, column.codes[rows], -1)
        return Column(name, texts=Coded(column.texts.labels, codes))
    numbers = np.asarray(column.numbers)[rows]
    if (rows < 0).any():
        numbers = np.where(rows >= 0, numbers.astype(float), np.nan)
    return Column(name, numbers=numbers, is_bool=column.is_bool)


def of_pivoted(columns: Mapping[str, Column], named: Named, rows: tuple[str, ...]) -> Reading:
    """Return what a table holds that has been spread: cases, or rows of scores."""
    if named.kind not in TABLES:
        reading = of_cases(columns, replace(named, id=rows[0] if len(rows) == 1 else None))
        if reading is not None:
            return reading
    if len(rows) == 2 and named.kind != "folds":
        return of_rows(*averaged(columns, named, rows))
    return of_rows(columns, replace(named, id=named.id or rows[0]))


def averaged(
    columns: Mapping[str, Column], named: Named, rows: tuple[str, ...]
) -> tuple[Mapping[str, Column], Named]:
    """Return the means of scores over the rounds of each data set."""
    keys = columns[rows[0]]
    first = np.unique(keys.codes, return_index=True)[1]
    counts = np.bincount(keys.codes)
    found = {rows[0]: keys.take(first)}
    for name in named.models or ():
        values = np.asarray(columns[name].numbers, float)
        found[name] = Column(name, numbers=np.bincount(keys.codes, values) / counts)
    return found, replace(named, id=rows[0])


def of_turned(columns: Mapping[str, Column], named: Named) -> Reading | None:
    """Return what a table holds that has a row for each model."""
    known = {n: c for n, c in columns.items() if not is_index(n) and c.present.size}
    texts = [n for n, c in known.items() if c.texts is not None and c.all_differ]
    called = [n for n in texts if speaks_for(n, "model")]
    numbers = [n for n, c in known.items() if c.is_number]
    rounds = len(numbers) > 1 and all(map(A_ROUND.fullmatch, numbers))
    by = called[0] if len(called) == 1 else texts[0] if rounds and len(texts) == 1 else None
    if by is None or len(numbers) < 2 or {*(named.models or ())} & {*numbers}:
        return None
    if len(known) > len(numbers) + 1:
        return None
    if not rounds and all(speaks_for(name, "metric") for name in numbers):
        raise InvalidValueError(
            f"a row for each {by!r} and one number of each metric ({names_in(numbers)}): a "
            "difference can be tested only by values of several cases, data sets or rounds."
        )
    table = np.stack([np.asarray(known[name].numbers, float) for name in numbers])
    rows = "fold" if rounds else "dataset"
    wide = {rows: Column(rows, texts=Coded(numbers, np.arange(len(numbers))))}
    names = [known[by].label_texts[code] for code in known[by].codes.tolist()]
    wide |= {n: Column(n, numbers=column) for n, column in zip(names, table.T, strict=True)}
    chosen = tuple(named.models or names)
    for name in chosen:
        check_choice(option_name("models"), name, names)
    reading = of_rows(wide, replace(named, id=rows, models=chosen), by_name=rounds)
    return reading.beginning(f"Each row is a {by}: the columns are taken as rows.")


def of_rows(columns: Mapping[str, Column], named: Named, by_name: bool = True) -> Reading:
    """Return a score of each model in each round, on each data set or on each item."""
    known = {n: c for n, c in columns.items() if not is_index(n) and c.present.size}
    if named.id is not None:
        check_choice(option_name("id"), named.id, tuple(columns))
    row = named.id or row_named(known)
    if row is not None and (kept := rows_but_summaries(columns[row])) is not None:
        rows, line = kept
        reading = of_rows({n: c.take(rows) for n, c in columns.items()}, named, by_name)
        return reading.beginning(line)
    apart = (row, *named.apart)
    others = {n: c for n, c in known.items() if n not in apart}
    if named.models:
        chosen = list(named.models)
        for name in chosen:
            check_choice(option_name("models"), name, tuple(columns))
    else:
        refuse_faults([c for c in others.values() if c.faults])
        chosen = scores_in_rows(others)
        ask_doubtful(columns, chosen)
    refuse_faults([columns[name] for name in chosen])
    kind, why = kind_of_rows(columns, row, chosen, named, by_name)
    scores = {name: as_scores(columns[name]) for name in chosen}
    taken = [name for name in (row, *chosen) if name is not None]
    lines = (
        f"Rows: {ROWS[kind]} ({why}).",
        f"Models: {names_in(chosen)} ({option_name('models')} chooses).",
        *asides(columns, [*taken, *named.apart], {}),
    )
    if kind == "datasets" and row is not None and not columns[row].all_differ:
        refuse_repeated_rows(columns[row])
    warnings = dependence(columns, taken, named) if kind == "items" else ()
    return Reading(
        kind=kind,
        models=scores,
        options=linked(columns, named),
        lines=lines,
        warnings=warnings,
    )


def rows_but_summaries(row: Column) -> tuple[Any, str] | None:
    """Return the rows that are not called means of the others, with a line; None if all are."""
    if row.texts is None:
        return None
    names = [text for text in row.label_texts if is_summary(text)]
    if not names or row.distinct.size - len(names) < 2:
        return None
    codes = [row.texts.labels.index(text) for text in names]
    kept = np.flatnonzero(~np.isin(row.codes, codes))
    return kept, f"Not used: the rows {names_in(names)}, which summarize the others."


def refuse_repeated_rows(row: Column) -> None:
    """Raise where two rows of a table are the same data set."""
    counts = np.bincount(row.codes[row.codes >= 0])
    twice = row.label_texts[int(np.argmax(counts > 1))]
    raise InvalidValueError(
        f"column {row.name!r} has several rows {twice!r}: each data set must be one row. Average "
        "its scores over folds or rounds first."
    )


def as_scores(column: Column) -> Any:
    """Return scores, of true and false 1 and 0."""
    if column.numbers is None:
        raise InvalidValueError(f"column {column.name!r} must contain numbers, got text.")
    return column.numbers


def row_named(columns: Mapping[str, Column]) -> str | None:
    """Return the column that names the rows: by what it is called, else the first of words."""
    usable = [n for n, c in columns.items() if not c.is_decimal and not c.has_two]
    for role in ("dataset", "fold", "item", "id"):
        found = [n for n in usable if speaks_for(n, role)]
        found = found if role != "dataset" else [n for n in found if columns[n].all_differ]
        if found:
            return found[0]
    texts = [n for n in usable if columns[n].texts is not None]
    return texts[0] if texts else None


def scores_in_rows(others: Mapping[str, Column]) -> list[str]:
    """Return the columns of scores of a table without true labels."""
    numbers = {n: c for n, c in others.items() if c.texts is None}
    otherwise = called_otherwise(numbers)
    several = any(column.is_decimal for column in numbers.values())
    left = [n for n, c in numbers.items() if n in otherwise or is_no_score(c, several)]
    return [n for n in numbers if n not in left]


def ask_doubtful(columns: Mapping[str, Column], models: Sequence[str]) -> None:
    """Raise for models whose values are on another scale than those of others."""
    found = doubtful_numbers({name: as_scores(columns[name]) for name in models}, cases=False)
    kept = [name for name in models if name not in found]
    if not found:
        return
    said = "; ".join(f"column {name!r} {why}" for name, why in found.items())
    ways = [option(models=kept)] * (len(kept) > 1) + [option(models=list(models))]
    ask(f"{said}: which are the models?", ways)


def is_no_score(column: Column, decimals: bool) -> bool:
    """Return whether a column of numbers of a table looks like something else than scores."""
    if is_fold(column) or (is_unit(column) and column.is_whole):
        return True
    if any(speaks_for(column.name, role) for role in ("weight", "measure")):
        return not column.is_share or speaks_for(column.name, "weight")
    if column.is_whole and not column.has_two:
        return speaks_for(column.name, "id") or (column.all_differ and decimals)
    return words_of(column.name)[-1:] in (("time",), ("seconds",), ("size",)) and decimals


def kind_of_rows(
    columns: Mapping[str, Column],
    row: str | None,
    models: Sequence[str],
    named: Named,
    by_name: bool,
) -> tuple[str, str]:
    """Return what the rows are and why, or ask."""
    if named.kind in TABLES:
        return str(named.kind), "as specified"
    if named.sized:
        return "folds", "their sizes or design are specified"
    n = columns[models[0]].n if models else 0
    if row is not None and by_name:
        column = columns[row]
        texts = column.label_texts if column.texts is not None else ()
        if n < FEW_ROWS and (
            speaks_for(row, "fold") or (texts and all(map(A_ROUND.fullmatch, texts)))
        ):
            ask_rounds(row, n)
        answers = all(columns[name].has_two or columns[name].is_constant for name in models)
        if speaks_for(row, "fold"):
            return "folds", f"the column {row!r} names them"
        if speaks_for(row, "item") or (answers and speaks_for(row, "dataset")):
            return "items", f"the column {row!r} names them; {option_name('kind')} says another"
        if speaks_for(row, "dataset"):
            return "datasets", f"the column {row!r} names them; {option_name('kind')} says another"
        if column.is_whole and n < FEW_ROWS and column.all_differ and np.ptp(column.present) < n:
            ask_rounds(row, n)
        if answers:
            return "items", f"scores of 0 and 1; {option_name('kind')} says another"
    ask_kind(columns, models, named)
    raise AssertionError


def ask_rounds(row: str, n: int) -> None:
    """Raise with what rounds need: their design, or their sizes."""
    ask(
        f"the rows look like {n} rounds ({row!r}), whose tests depend on the ratio of test to "
        "training cases: how were they made?",
        [
            option(design="kfold"),
            option(n_train=90, n_test=10),
            option(kind="datasets"),
        ],
        f" The first is for the folds of one cross-validation: the ratio is 1/{max(n - 1, 1)}.",
    )


def ask_kind(columns: Mapping[str, Column], models: Sequence[str], named: Named) -> None:
    """Raise with the kinds that a table of numbers may be."""
    known = [n for n, c in columns.items() if c.has_two and n in models]
    ways = [option(kind="datasets"), option(kind="items"), option(design="kfold")]
    labels = f" Or {option(label=known[0])}, if these are the true labels." if known else ""
    ask(
        "no column of true labels was found (two values beside scores), and nothing tells what "
        "the rows are: data sets, items of an evaluation, or the folds of one cross-validation?",
        ways,
        labels,
    )
