"""Tables with one score for each row and model, whose rows are rounds, data sets or items.

A table with a row for each model is transposed first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np

from ..._adapters.delimited import Coded
from ..._base.exceptions import InvalidValueError, invalid_value
from ..names import called_otherwise, is_summary
from ..options import check_choice
from ..tables import doubtful_numbers
from .attributes import (
    are_data_sets,
    ask_metric,
    ask_most,
    ask_whole_numbers,
    column_of_models,
    columns_of_words,
    has_metrics_of_media,
    is_most,
    parallel_measurements,
    refuse_quantity,
    refuse_repeated_rows,
    sizes_of_data_sets,
    training_scores,
    traits_of_models,
    values_of_columns,
)
from .classes import ask_same_values, ask_true_values, quantities_among
from .column import A_ROUND, Column
from .footers import rows_but_summaries, take_rows
from .question import ask, refuse_faults
from .reading import (
    FEW_ROWS,
    TABLES,
    Named,
    Reading,
    groups_and_weights,
    model_lines,
    option_name,
    quote_names,
    refuse_empty_names,
    refuse_metrics,
    unused_column_lines,
)
from .relations import are_successes, derived_scores
from .relations.labels import have_common_values, names_groups
from .shapes.idle import is_idle
from .units import (
    ask_rounds,
    dependence,
    numbers_in_units,
    refuse_one_model,
    refuse_rounds,
    refuse_rounds_of_one_model,
    refuse_steps,
    splits_of_search,
)
from .words import (
    LENGTHS,
    PROBABILITIES,
    is_attribute,
    is_index,
    is_length,
    is_measured_time,
    is_metric,
    is_of_trials,
    may_be_time_series_model,
    name_suggests,
    split_words,
    suggests_summary,
)

PREDICTIONS = PROBABILITIES | {"logit", "logits", "yhat"}
PREDICTIONS |= {"pred", "preds", "predicted", "prediction", "predictions"}
PEOPLE = {"patient", "subject", "participant", "respondent", "user", "student"}
ROWS = {"folds": "rounds", "datasets": "data sets", "items": "items"}


def read_transposed(columns: Mapping[str, Column], named: Named) -> Reading | None:
    """Return the reading of a table with a row for each model, None for any other."""
    usable = {n: c for n, c in columns.items() if not is_index(n) and c.present.size}
    usable = splits_of_search(usable, named.scoring) or usable
    numbers = [n for n, c in usable.items() if c.is_number]
    no_summaries = [name for name in numbers if not is_summary(name)]
    are_rounds = len(no_summaries) > 1 and all(map(A_ROUND.fullmatch, no_summaries))
    by = column_of_models(usable, are_rounds)
    usable = {n: c for n, c in usable.items() if n == by or c.is_number or not is_idle(c)}
    models_in_columns = {*(named.models or ())} & {*numbers}
    if by is None or len(numbers) < 2 or len(usable) > len(numbers) + 1 or models_in_columns:
        return None
    if not are_rounds and all(map(suggests_summary, numbers)):
        refuse_metrics(by, numbers)
    refuse_empty_names(usable[by], "model")
    traits = {} if are_rounds else traits_of_models({n: usable[n] for n in numbers})
    numbers, no_summaries = ([n for n in x if n not in traits] for x in (numbers, no_summaries))
    table = np.stack([np.asarray(usable[name].numbers, float) for name in numbers])
    rows = "fold" if are_rounds else "dataset"
    if not are_rounds and are_data_sets([usable[name] for name in no_summaries]):
        named = named.with_kind("datasets", "as their names and values suggest")
    wide = {rows: Column(rows, texts=Coded(numbers, np.arange(len(numbers))))}
    models = [usable[by].label_texts[code] for code in usable[by].codes.tolist()]
    wide |= {n: Column(n, numbers=column) for n, column in zip(models, table.T, strict=True)}
    chosen = tuple(named.models or models)
    for name in chosen:
        check_choice(option_name("models"), name, models)
    reading = read_rows_of_scores(wide, replace(named, id=rows, models=chosen), by_name=are_rounds)
    line = f"Each row is one of {by!r}: the columns are taken as rows."
    unused = unused_column_lines({n: usable[n] for n in traits}, (), traits)
    return reading.with_first_lines(line, *unused)


def read_rows_of_scores(
    columns: Mapping[str, Column], named: Named, by_name: bool = True
) -> Reading:
    """Return the reading of a table with a row for each round, data set or item.

    With `by_name` the name of the column that names the rows may say which of these they are.
    """
    usable = {n: c for n, c in columns.items() if not is_index(n) and c.present.size}
    if named.id is not None:
        check_choice(option_name("id"), named.id, tuple(columns))
    row = named.id or find_row_column(usable)
    refuse_rows(columns, row, named)
    if row is not None and (selection := rows_but_summaries(columns[row])) is not None:
        rows, line = selection
        reading = read_rows_of_scores(take_rows(columns, rows), named, by_name)
        return reading.with_first_lines(line)
    others = {n: c for n, c in usable.items() if n not in (row, *named.auxiliary)}
    if row is not None and (shares := shares_of_trials(columns, others, named)) is not None:
        return shares
    derived = {} if named.models else no_scores(others, row, named) | numbers_in_units(usable)
    others = {n: c for n, c in others.items() if n not in derived}
    chosen = models_in_rows(columns, others, named)
    kind, why = kind_of_rows(columns, row, chosen, named, by_name)
    taken = [name for name in (row, *chosen) if name is not None]
    if kind == "datasets":
        check_data_sets(columns, row, chosen, named)
    return Reading(
        kind=kind,
        models={name: as_scores(columns[name]) for name in chosen},
        options=groups_and_weights(columns, named),
        lines=(
            f"Rows: {ROWS[kind]} ({why}).",
            *model_lines(columns, chosen),
            *unused_column_lines(columns, [*taken, *named.auxiliary], derived),
        ),
        **(dependence(columns, chosen, named) if kind == "items" else {}),
    )


def no_scores(columns: Mapping[str, Column], row: str | None, named: Named) -> dict[str, str]:
    """Return by name why columns are no models: computed from others, or sizes of data sets."""
    reasons = derived_scores(columns) | training_scores(columns)
    named_so = named.kind is None and row is not None and name_suggests(row, "dataset")
    if named_so or named.kind == "datasets":
        reasons |= sizes_of_data_sets(columns)
    return reasons


def check_data_sets(
    columns: Mapping[str, Column], row: str | None, models: Sequence[str], named: Named
) -> None:
    """Raise for several rows of a data set, and for models that may be sizes of data sets."""
    if row is not None and not columns[row].all_differ:
        refuse_repeated_rows(columns[row])
    if not named.models:
        ask_whole_numbers(columns, models)


def refuse_rows(columns: Mapping[str, Column], row: str | None, named: Named) -> None:
    """Raise for rounds of one model that cross_validate returned, and for a row for each metric."""
    if {"fit_time", "score_time"} <= {*columns} and not named.models:
        refuse_one_model(columns)
    if row is None:
        return
    refuse_rounds_of_one_model(columns, row, named)
    if columns[row].texts and all(map(is_metric, columns[row].label_texts)):
        refuse_metrics(row, columns[row].label_texts)


def shares_of_trials(
    columns: Mapping[str, Column], others: Mapping[str, Column], named: Named
) -> Reading | None:
    """Return the reading of the shares of successes, where rows count trials and successes.

    None for other tables. The names of models must say successes, or their values, since counts
    stand beside scores, too.
    """
    counts = {n: c for n, c in others.items() if c.is_count and not c.missing.any()}
    trials = list(filter(is_of_trials, counts))
    if len(trials) != 1 or named.kind not in (None, "items"):
        return None
    (total,) = trials
    n = np.asarray(counts[total].numbers, float)
    models = named.models or tuple(x for x in find_score_columns(others) if x != total)
    if len(models) < 2 or not {*models} <= {*counts} or n.min() < 2:
        return None
    values = {name: np.asarray(counts[name].numbers, float) for name in models}
    if not are_successes(values, counts[total], columns):
        return None
    shares = {name: Column(name, numbers=x / n) for name, x in values.items()}
    no_counts = {name: c for name, c in columns.items() if name not in (total, *models)}
    row = named.id or find_row_column(no_counts)
    has_data_sets = row is not None and name_suggests(row, "dataset") and n.size < FEW_ROWS
    kind = "datasets" if has_data_sets else "items"
    options = named.with_kind(kind, f"successes among {total!r}")
    reading = read_rows_of_scores({**no_counts, **shares}, replace(options, models=tuple(models)))
    return reading.with_first_lines(
        f"Values: shares of {total!r}, of which each row counts successes."
    )


def ask_ratios(columns: Mapping[str, Column]) -> None:
    """Raise for counts of errors beside lengths of references, which may be wanted as rates."""
    integers = {n: c for n, c in columns.items() if c.is_whole and not c.has_two and not c.is_fold}
    lengths = list(filter(is_length, integers))
    if not lengths and sum("errors" in split_words(n) for n in integers) > 1:
        lengths = [n for n in integers if {*split_words(n)} & LENGTHS - {"n"}]
    counts = [
        n for n in integers if n not in lengths and not is_other_measurement(integers[n], False)
    ]
    if len(lengths) != 1 or len(counts) < 2:
        return
    (length,) = lengths
    if any(columns[n].present.sum() > columns[length].present.sum() for n in counts):
        return
    words, (first, second, *more) = f"data[{length!r}]", counts
    call = f"ratio_test(data[{first!r}], {words}, data[{second!r}])"
    if more:
        call = f"ratio_pairwise_test({{name: data[name] for name in {counts}}}, {words})"
    ask(
        f"columns {quote_names(counts)} count errors among {length!r}: are the errors in each row "
        f"compared, or error rates, sums of errors by the sum of {length!r}?",
        [{"kind": "items", "models": counts}],
        f" For error rates call `fastcompare.{call}` in Python.",
    )


def models_in_rows(
    columns: Mapping[str, Column], others: Mapping[str, Column], named: Named
) -> list[str]:
    """Return the columns of models in a table without true labels; raise if they are unclear."""
    if named.models:
        for name in named.models:
            check_choice(option_name("models"), name, tuple(columns))
        refuse_faults([columns[name] for name in named.models])
        return list(named.models)
    refuse_faults([c for c in others.values() if c.faults])
    ask_ratios(others)
    chosen = find_score_columns(others)
    ask_most(others, chosen)
    metrics = [n for n in chosen if is_metric(n)]
    if len(metrics) == len(chosen) > 1:
        listed = quote_names(chosen)
        question = f"columns {listed} are called as metrics are, not as models: which one?"
        ask(question, [{"models": [name]} for name in chosen])
    refuse_steps(columns, chosen)
    ask_metric(chosen)
    ask_doubtful(columns, chosen)
    ask_true_values(columns, chosen, named)
    return chosen


def as_scores(column: Column) -> Any:
    """Return the numbers of a column; raise for texts."""
    if column.numbers is None:
        subject = f"column {column.name!r}"
        raise invalid_value(column.name, "must contain numbers", end=", got text.", subject=subject)
    return column.numbers


def find_row_column(columns: Mapping[str, Column]) -> str | None:
    """Return the column that names the rows: called data set, fold, item or id, else of texts."""
    usable = [n for n, c in columns.items() if not (c.is_decimal or c.has_two or c.is_constant)]
    usable = [n for n in usable if columns[n].texts is not None or not is_of_trials(n)]
    for role in ("dataset", "fold", "item", "id"):
        matching = [n for n in usable if name_suggests(n, role)]
        if role == "dataset":
            matching = [n for n in matching if columns[n].all_differ]
        if matching:
            return matching[0]
    texts = [n for n in usable if columns[n].texts is not None]
    return texts[0] if texts else None


def find_score_columns(others: Mapping[str, Column]) -> list[str]:
    """Return the columns of numbers that are scores, in a table without true labels."""
    numbers = {n: c for n, c in others.items() if c.texts is None}
    otherwise = called_otherwise({n: c.numbers for n, c in numbers.items()})
    has_decimals = any(column.is_decimal for column in numbers.values())
    measured = [n for n, c in numbers.items() if is_other_measurement(c, has_decimals)]
    excluded = [n for n in numbers if n in otherwise or n in measured]
    excluded += [n for n in numbers if n not in excluded and is_most(n, numbers)]
    decimals = [n for n, c in numbers.items() if c.is_decimal and n not in excluded]
    if len(decimals) > 1:  # a number above 1 that never varies is then a size or a setting
        excluded += [n for n, c in numbers.items() if c.is_constant and not c.is_share]
        if all(numbers[n].is_share for n in decimals):  # whole numbers above 1 are then counts
            excluded += [n for n, c in numbers.items() if c.is_whole and not c.is_share]
    return [n for n in numbers if n not in excluded] or parallel_measurements(numbers)


def ask_doubtful(
    columns: Mapping[str, Column], models: Sequence[str], *, cases: Sequence[str] = ()
) -> None:
    """Raise for models whose values are on another scale than those of others.

    Where rows are cases, `cases` are all chosen models, of which one alone may be a model; of
    scores of items, say, at least two.
    """
    numbers = {name: as_scores(columns[name]) for name in models}
    doubtful = doubtful_numbers(numbers, cases=bool(cases))
    plausible = [name for name in cases or models if name not in doubtful]
    if not doubtful:
        return
    reasons = "; ".join(f"column {name!r} {why}" for name, why in doubtful.items())
    least = 1 if cases else 2
    ways = [{"models": plausible}] * (len(plausible) >= least) + [{"models": [*(cases or models)]}]
    ask(f"{reasons}: which are the models?", ways)


def is_other_measurement(column: Column, beside_decimals: bool) -> bool:
    """Return whether numbers look like no scores: row numbers, folds, weights, sizes, ids."""
    if column.is_row_number or (column.is_constant and is_of_trials(column.name)):
        return True
    if column.is_fold or (column.is_unit and column.is_whole):
        return True
    words = split_words(column.name)
    is_time = words[-1:] in (("time",), ("seconds",), ("size",)) or is_measured_time(words)
    if is_time and beside_decimals:
        return not (column.is_share and may_be_time_series_model(column.name))
    if any(name_suggests(column.name, role) for role in ("weight", "measure")):
        may_be_score = column.is_share and not column.is_constant
        return not may_be_score or name_suggests(column.name, "weight")
    if column.is_trait or (beside_decimals and column.has_two and is_attribute(column.name)):
        return True
    if not column.is_whole or column.has_two:
        return False
    return name_suggests(column.name, "id") or (column.all_differ and beside_decimals)


def kind_of_rows(
    columns: Mapping[str, Column],
    row: str | None,
    models: Sequence[str],
    named: Named,
    by_name: bool,
) -> tuple[str, str]:
    """Return the kind of the rows and the reason; raise if nothing says it.

    With `by_name` the column `row` that names the rows may say it.
    """
    if named.takes_items:
        refuse_rounds(columns, models)
    if named.kind in TABLES:
        return str(named.kind), named.kind_reason
    if named.sized:
        return "folds", "their sizes or design are specified"
    if named.models and len(models) == 1:
        return "items", "one model"
    n = columns[models[0]].n if models else 0
    refuse_steps(columns, models)
    are_raters = all(name_suggests(m, "rater") and columns[m].has_few_values for m in models)
    if len(models) > 1 and are_raters:
        ask_kind(columns, models, named)
    kind = why = ""
    if row is not None and by_name and models:  # without models the labels are asked for
        kind, why = kind_by_name(columns, row, models)
    if kind and len(models) == 1:
        ask_kind(columns, models, named)
    if kind:
        return kind, f"{why}; {option_name('kind')} chooses another"
    if {"fit_time", "score_time"} & {*columns}:  # of scikit-learn's cross_validate
        ask_rounds("fit_time", n, columns)
    ask_kind(columns, models, named)
    raise AssertionError


def kind_by_name(columns: Mapping[str, Column], row: str, models: Sequence[str]) -> tuple[str, str]:
    """Return the kind that the name of the rows' column suggests and the reason; '' for none.

    Raise for rounds, whose sizes or design are needed.
    """
    column = columns[row]
    n = column.n
    may_be_folds = column.is_fold or (column.names_folds and not name_suggests(row, "item"))
    is_numbered = column.is_whole and column.all_differ and np.ptp(column.present) < n < FEW_ROWS
    if name_suggests(row, "fold") or (n < FEW_ROWS and may_be_folds):
        ask_rounds(row, n, columns)
    two_values = [m for m in models if columns[m].has_two or columns[m].is_constant]
    are_answers = bool(models) and all(m in two_values and columns[m].is_whole for m in models)
    reason = f"the column {row!r} names them"
    if models and all(PREDICTIONS & {*split_words(m)} for m in models) and not are_answers:
        return "", ""  # predictions, whose true labels are elsewhere
    if name_suggests(row, "item") or (are_answers and name_suggests(row, "dataset")):
        return "items", reason
    if has_metrics_of_media(column, models):
        return "items", f"metrics of each {row!r}"
    if name_suggests(row, "dataset"):
        return "datasets", reason
    if column.all_differ and {*split_words(row)} & PEOPLE:
        return "items", reason
    if is_numbered:
        ask_rounds(row, n, columns, further_ways=[{"kind": "items"}])
    return ("items", "scores of 0 and 1") if are_answers else ("", "")


def ask_kind(columns: Mapping[str, Column], models: Sequence[str], named: Named) -> None:
    """Raise with the columns that may be true labels, or with the kinds that rows may be of."""
    classes = [
        c for n, c in columns.items() if c.has_few_values and (n in models or c.texts is not None)
    ]
    same_values = [
        c for c in classes if any(have_common_values(c, o) for o in classes if o is not c)
    ]
    if same_values and named.models is None:
        ask_same_values(columns, same_values, bool(models))
    if len(models) < 2:
        refuse_one_column(columns, models)
    refuse_quantity(columns, models)
    are_free = not named.models_reason.startswith("values of")  # a column of models
    groups = [name for name, column in columns.items() if names_groups(column)]
    quantities = quantities_among(columns, models, are_free=are_free)
    ask_rows(columns[models[0]].n, quantities, groups)


def refuse_one_column(columns: Mapping[str, Column], models: Sequence[str]) -> NoReturn:
    """Raise for a table with fewer than two models; of one its mean may be wanted."""
    text = "at least two models are needed, or true labels beside one; the file has only "
    text += f"{quote_names(columns)}"
    further = (
        " Labels, or scores of other models, in another file are joined by a column of ids: name "
        "that file, too."
    )
    if models and columns[models[0]].n > 1:
        ask(f"{text}. Or is the mean of {models[0]!r} asked?", [{"models": [*models]}], further)
    words = [] if models else columns_of_words(columns.values())
    if len(words) > 1:
        names = quote_names(c.name for c in words)
        text += f". If {names} are true and predicted labels, write all in the same words, which "
        text += f"differ now: {values_of_columns(words)}"
    raise InvalidValueError(f"{text}.{further}", parameter="models")


def ask_rows(n: int, quantities: Sequence[str], groups: Sequence[str]) -> None:
    """Raise with the kinds that n rows of numbers may be of; `quantities` may be the truth.

    So may columns of two `groups` of cases.
    """
    if n == 1:
        raise InvalidValueError(
            "the file has one row: a difference can be tested only by values of several cases, "
            "items, data sets or rounds, a row for each.",
            parameter="data",
        )
    datasets, items, folds = {"kind": "datasets"}, {"kind": "items"}, {"design": "kfold"}
    rows = "data sets, items of an evaluation, or the folds of one cross-validation"
    ways = [datasets, items, folds]
    if n >= FEW_ROWS:  # more than folds, and seldom data sets
        rows, ways = "items of an evaluation, or data sets", [items, datasets]
    if quantities:
        rows += f", or cases with a quantity that models predict, such as {quantities[0]!r}"
        ways.append({"label": quantities[0]})
    none = "no column contains true labels" + " (two different values)" * (not groups)
    if groups:
        rows += f", or cases with the true labels {groups[0]!r}"
        ways.append({"label": groups[0]})
    ask(
        f"{none}, and it is not clear what the rows are: {rows}?",
        ways,
        " Labels in another file are joined by a column of ids.",
    )
