"""The columns of a long table that name models, and those that name the rows of each model."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np

from ..column import MOST_FOLDS, Column
from ..question import ask
from ..reading import Named
from ..relations import class_blocks, is_constant_within, is_crossed, is_nested
from ..units import begins_anew
from ..words import (
    HYPERPARAMETERS,
    PARTS_OF_MODELS,
    is_clear_truth,
    is_index,
    is_metric,
    is_outcome,
    name_suggests,
    split_words,
)
from .scores import ROLES_OF_OTHER_NUMBERS, combine_columns, row_column, score_columns

ROLES_OF_CASES = ("dataset", "item", "id")  # of a column beside one of raters or rounds
HIGHEST_OF_MODELS = 2.0  # of a temperature, which is higher elsewhere
ASKED = {"question", "questions", "item", "items", "prompt", "prompts", "query", "queries", "qid"}
SAMPLES = {"sample", "samples", "attempt", "attempts", "generation", "replica", "replicate"}


def with_rounds_of_index(columns: Mapping[str, Column]) -> Mapping[str, Column]:
    """Return the columns with an index without a name as that of rounds, if it numbers these.

    It does so anew for each model, in a table of metrics and times alone that names no rounds, as
    where results of scikit-learn's cross_validate are stacked. Other columns come back as they are.
    """
    indices = [c for n, c in columns.items() if is_index(n) and c.is_whole]
    usable = {n: c for n, c in columns.items() if not is_index(n) and not c.is_constant}
    texts = [c for c in usable.values() if c.texts is not None]
    has_models = any(name_suggests(c.name, "model") and names_models(c) for c in texts)
    numbers = [n for n, c in usable.items() if c not in texts]
    if len(indices) != 1 or not has_models or not numbers or not all(map(is_result, numbers)):
        return columns
    (index,) = indices
    groups = combine_columns(texts)
    sizes = np.bincount(groups.codes[groups.codes >= 0])
    is_round = 2 <= index.distinct.size <= MOST_FOLDS and sizes.size > 1
    if not (is_round and sizes.min() == sizes.max() and begins_anew(index, groups)):
        return columns
    return {("fold" if n == index.name else n): c for n, c in columns.items()} | {
        "fold": replace(index, name="fold")
    }


def is_result(name: str) -> bool:
    """Return whether a column is called as a metric or a time is: test_accuracy, fit_time."""
    bare = name.removeprefix("test_").removeprefix("train_")
    return is_metric(bare) or name_suggests(name, "time") or bare == "score"


def third_key(columns: Mapping[str, Column], model: str, row: str) -> tuple[str, ...]:
    """Return one or two columns that number the rows of each model and case; () if none do.

    With them, such as runs and folds, each model has at most one row of each case.
    """
    if is_crossed(columns[model], columns[row]):
        return ()
    for name, column in columns.items():
        if name not in (model, row) and not column.is_decimal and not column.is_constant:
            both = combine_columns([columns[row], column])
            if both.distinct.size > columns[row].distinct.size and is_crossed(columns[model], both):
                return (name,)
    folds = [n for n, c in columns.items() if c.is_fold and n not in (model, row)]
    return rounds_of(columns, model, row, folds)


def rounds_of(
    columns: Mapping[str, Column], model: str, case: str, folds: Sequence[str]
) -> tuple[str, ...]:
    """Return two columns of folds, as runs and their folds, that number the rows of each case.

    () unless there are two such columns, and each model has at most one row of each case in them.
    """
    if len(folds) != 2:
        return ()
    rounds = combine_columns([columns[name] for name in (case, *folds)])
    return tuple(folds) if is_crossed(columns[model], rounds) else ()


def find_keys(columns: Mapping[str, Column], named: Named) -> tuple[str, tuple[str, ...]] | None:
    """Return the column that names models and those that name rows; None for no long table."""
    models = [n for n, c in columns.items() if name_suggests(n, "model") and names_models(c)]
    models = [n for n in models if not is_outcome(n) or len(models) == 1]
    is_part = {n: bool({*split_words(n)} & PARTS_OF_MODELS) for n in models}
    models.sort(key=lambda name: (is_part[name], columns[name].texts is None))  # names before ids
    for model in models:
        rows = rows_for(columns, model, named)
        if rows and (not is_part[model] or has_scores_of_one(columns, model, rows, named)):
            return model, rows
    if models:
        return None
    return find_settings(columns, named) or find_keys_by_structure(columns)


def find_joint_ids(columns: Mapping[str, Column]) -> tuple[str, Column, Column] | None:
    """Return a column of models, and two of ids that name the rows together; None without.

    As documents and their segments, numbered anew in each. Data sets are no such ids.
    """
    roles = ("item", "id", "unit")
    ids = [
        c
        for n, c in columns.items()
        if any(name_suggests(n, role) for role in roles)
        and not (c.is_decimal or c.is_fold or c.is_constant)
        and not (name_suggests(n, "dataset") or name_suggests(n, "model"))
    ]
    models = [c for n, c in columns.items() if name_suggests(n, "model") and names_models(c)]
    for model in models:
        for first, second in combinations(ids, 2):
            both = combine_columns([first, second])
            larger = max(first.distinct.size, second.distinct.size)
            if both.distinct.size > larger and is_crossed(model, both):
                return model.name, first, second
    return None


def has_scores_of_one(
    columns: Mapping[str, Column], model: str, rows: tuple[str, ...], named: Named
) -> bool:
    """Return whether each row has one score, metrics, or probabilities of classes: one model's.

    Else columns are models, and a framework, say, is a condition in which each was tested.
    """
    scores = score_columns(columns, model, rows, named)
    are_metrics = all(map(is_metric, scores))
    return len(scores) == 1 or are_metrics or bool(class_blocks({n: columns[n] for n in scores}))


def find_settings(
    columns: Mapping[str, Column], named: Named
) -> tuple[str, tuple[str, ...]] | None:
    """Return a column called a setting of a model, as temperature, and those of rows; else None.

    It has few values, and the rows of each differ in one score alone, and in no true label. Rows
    are questions or data sets by their names, or the setting is as low as a model's temperature:
    a station or a patient has one, too.
    """
    for name, column in columns.items():
        if not name_suggests(name, "setting") or not column.has_few_values or column.missing.any():
            continue
        rows = rows_for(columns, name, named)
        if not rows or len(score_columns(columns, name, rows, named)) != 1:
            continue
        truths = [c for n, c in columns.items() if is_clear_truth(n)]
        are_asked = any({*split_words(n)} & ASKED or name_suggests(n, "dataset") for n in rows)
        if not are_asked and not (truths and column.present.max() <= HIGHEST_OF_MODELS):
            continue
        keys = row_column(columns, rows)
        if all(is_constant_within(truth, keys) for truth in truths):
            return name, rows
    return None


def names_models(column: Column) -> bool:
    """Return whether values may be names of models: two or more, each in two rows on average."""
    if column.is_decimal or column.missing.any():
        return False
    return 2 <= column.distinct.size <= column.n // 2


def rows_for(columns: Mapping[str, Column], model: str, named: Named) -> tuple[str, ...]:
    """Return one to three columns whose values occur at most once with each model; () if none.

    Of one, the likeliest by its name. Of more, first that of cases or data sets, then the others.
    """
    others = [
        n for n, c in columns.items() if n != model and not c.is_decimal and not c.is_constant
    ]
    if named.id is not None and named.id in others:
        others = [named.id]
    others.sort(key=lambda name: not name_suggests(name, "dataset"))
    crossed = [n for n in others if is_crossed(columns[model], columns[n])]
    if crossed:
        roles = ("item", "dataset", "id", "fold", "unit")  # the likeliest first, other names last
        rank = {
            n: next((i for i, role in enumerate(roles) if name_suggests(n, role)), len(roles))
            for n in crossed
        }
        row = min(crossed, key=rank.__getitem__)
        is_number = rank[row] == len(roles) and columns[row].texts is None
        pair = pair_of_rows(columns, model, [n for n in others if n not in crossed])
        if is_number and pair:  # of which each has as many cases by chance
            return pair
        return (*data_set_of_folds(columns, row, others), row)
    if pair := pair_of_rows(columns, model, others):
        return pair
    folds = [n for n in others if columns[n].is_fold]
    for case in [n for n in others if n not in folds and name_suggests(n, "dataset")]:
        if rounds := rounds_of(columns, model, case, folds):
            return (case, *rounds)
    return ()


def data_set_of_folds(
    columns: Mapping[str, Column], row: str, others: Sequence[str]
) -> tuple[str, ...]:
    """Return the column of data sets of which `row` names the folds, as in iris_fold_1; else ()."""
    if not name_suggests(row, "fold"):
        return ()
    outer = [
        n for n in others if name_suggests(n, "dataset") and is_nested(columns[row], columns[n])
    ]
    return tuple(outer[:1])


def pair_of_rows(
    columns: Mapping[str, Column], model: str, others: Sequence[str]
) -> tuple[str, ...]:
    """Return a column of cases and one of rounds, say, that together name the rows; () if none."""
    for first, second in combinations(others, 2):
        both = combine_columns([columns[first], columns[second]])
        fewer = min(columns[first].distinct.size, columns[second].distinct.size)
        if is_crossed(columns[model], both) and fewer < both.distinct.size:
            folds = [n for n in (first, second) if columns[n].is_fold]
            cases = [n for n in (first, second) if any(name_suggests(n, r) for r in ROLES_OF_CASES)]
            if not folds and len(cases) == 2:
                pairs = ((first, second), (second, first))
                folds = [a for a, b in pairs if are_samples_of(columns[a], columns[b])]
            no_folds = {first, second} - {*folds}
            of_training = any({*split_words(n)} & HYPERPARAMETERS for n in no_folds)
            of_models = any(name_suggests(n, "model") for n in no_folds)
            are_models = not cases and (of_models or (bool(folds) and of_training))
            if are_models or (not folds and len(cases) != 1):
                continue
            return (first, second) if second in folds or cases == [first] else (second, first)
    return ()


def are_samples_of(column: Column, items: Column) -> bool:
    """Return whether a column numbers the samples, or attempts, of each of more items."""
    is_smaller = column.is_whole and column.distinct.size < items.distinct.size
    return is_smaller and column.has_few_values and bool({*split_words(column.name)} & SAMPLES)


def is_other_number(column: Column) -> bool:
    """Return whether numbers are called as those beside scores are, a runtime say."""
    return any(name_suggests(column.name, role) for role in ROLES_OF_OTHER_NUMBERS)


def find_keys_by_structure(columns: Mapping[str, Column]) -> tuple[str, tuple[str, ...]] | None:
    """Return two crossed columns as models and rows, beside one of numbers; None for no long table.

    No name says which has the models: it is that with fewer values. Raise for equally many.
    """
    texts = [n for n, c in columns.items() if c.texts is not None and names_models(c)]
    if not texts:
        return None
    integers = [n for n, c in columns.items() if c.is_whole and not c.has_two and names_models(c)]
    for first, second in permutations([*texts, *integers], 2):
        if first not in texts or not is_crossed(columns[first], columns[second]):
            continue
        rest = [c for n, c in columns.items() if n not in (first, second)]
        numbers = [c for c in rest if c.is_number and not c.is_constant]
        numbers = [c for c in numbers if not (c.has_two and is_constant_within(c, columns[second]))]
        numbers = [c for c in numbers if not is_other_number(c)] or numbers  # beside a runtime
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
