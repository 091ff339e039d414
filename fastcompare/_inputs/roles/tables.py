"""Tables of one score a row and model: rounds, data sets or items; turned, or as they are."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np

from ..._adapters.delimited import Coded
from ..._base.exceptions import InvalidValueError, invalid_value
from ..names import called_otherwise, is_summary
from ..options import check_choice
from ..tables import doubtful_numbers
from .column import A_ROUND, Column, cell_texts
from .question import ask, refuse_faults
from .reading import (
    TABLES,
    Named,
    Reading,
    asides,
    linked_options,
    names_in,
    option_name,
    refuse_metrics,
)
from .truths import share_values
from .units import ask_rounds, dependence, refuse_steps
from .words import (
    ROLES,
    first_metric,
    is_index,
    is_metric,
    known_words,
    last_metric,
    metric_in,
    speaks_for,
    split_words,
    summarizes,
)

FEW_ROWS = 40  # that rounds have at most
REFERENCES = {"ref", "refs", "reference", "references", "total"}
LENGTHS = {"word", "words", "len", "length", "lengths", "token", "tokens", "char", "chars", "n"}
PEOPLE = {"patient", "subject", "participant", "respondent", "user", "student"}
TRIALS = {"n", "samples", "attempts", "trials", "generations", "completions", "tries"}
TRIALS |= {"total", "max", "maximum", "possible"}
OF_TRIALS = {"num", "number", "of", "no", "nr", "score", "scores", "points", "marks"}
SUCCESSES = {"c", "correct", "right", "passed", "pass", "passes", "success", "successes", "solved"}
SUCCESSES |= {"hit", "hits", "resolved", "correctly"}
A_SPLIT = re.compile(r"split\d+_test_(.+)")
ROWS = {"folds": "rounds", "datasets": "data sets", "items": "items"}


def of_turned(columns: Mapping[str, Column], named: Named) -> Reading | None:
    """Return the reading of a table with a row for each model."""
    usable = {n: c for n, c in columns.items() if not is_index(n) and c.present.size}
    usable = of_search(usable, named.scoring) or usable
    texts = [n for n, c in usable.items() if c.texts is not None and c.all_differ]
    called = [n for n in texts if speaks_for(n, "model")]
    numbers = [n for n, c in usable.items() if c.is_number]
    parts = [name for name in numbers if not is_summary(name)]
    rounds = len(parts) > 1 and all(map(A_ROUND.fullmatch, parts))
    by = called[0] if len(called) == 1 else texts[0] if rounds and len(texts) == 1 else None
    if by is None or len(numbers) < 2 or {*(named.models or ())} & {*numbers}:
        return None
    if len(usable) > len(numbers) + 1:
        return None
    if not rounds and all(map(summarizes, numbers)):
        refuse_metrics(by, numbers)
    table = np.stack([np.asarray(usable[name].numbers, float) for name in numbers])
    rows = "fold" if rounds else "dataset"
    if not rounds and are_data_sets([usable[name] for name in parts]):
        named = named.with_kind("datasets", "as their names and values suggest")
    wide = {rows: Column(rows, texts=Coded(numbers, np.arange(len(numbers))))}
    names = [usable[by].label_texts[code] for code in usable[by].codes.tolist()]
    wide |= {n: Column(n, numbers=column) for n, column in zip(names, table.T, strict=True)}
    chosen = tuple(named.models or names)
    for name in chosen:
        check_choice(option_name("models"), name, names)
    reading = of_rows(wide, replace(named, id=rows, models=chosen), by_name=rounds)
    return reading.beginning(f"Each row is one of {by!r}: the columns are taken as rows.")


def of_search(columns: Mapping[str, Column], metric: str | None) -> dict[str, Column] | None:
    """Return the candidates of a search (scikit-learn's cv_results_) and their scores by split."""
    splits = {n: match[1] for n in columns if (match := A_SPLIT.fullmatch(n))}
    if len(splits) < 2:
        return None
    metrics = [*dict.fromkeys(splits.values())]
    if metric is not None:
        check_choice(option_name("scoring"), metric, metrics)
    elif len(metrics) > 1:
        ways = [{"scoring": name} for name in metrics]
        ask(f"which metric? The splits of a search have several: {names_in(metrics)}.", ways)
    splits = {n: one for n, one in splits.items() if metric in (None, one)}
    names = [n for n in columns if n.startswith("param_")]
    texts = [[f"{n.removeprefix('param_')}={x}" for x in cell_texts(columns[n])] for n in names]
    called = [", ".join(parts) for parts in zip(*texts, strict=True)]
    if len({*called}) < 2:
        return None
    candidates = Column("candidate model", texts=Coded(called, np.arange(len(called))))
    return {candidates.name: candidates, **{n: columns[n] for n in splits}}


def are_data_sets(columns: Sequence[Column]) -> bool:
    """Return whether columns of shares or percentages are data sets: no name is a metric."""
    names = [column.name for column in columns]
    others = any(speaks_for(n, "metric") or speaks_for(n, "measure") for n in names)
    if len(columns) < 3 or others or not all(c.is_decimal for c in columns):
        return False
    ends = [(c.present.min(), c.present.max()) for c in columns]
    percentages = all(low >= 0.0 and 1.0 < high <= 100.0 for low, high in ends)
    return percentages or all(c.is_share for c in columns)


def of_rows(columns: Mapping[str, Column], named: Named, by_name: bool = True) -> Reading:
    """Return a score of each model in each round, on each data set or on each item."""
    usable = {n: c for n, c in columns.items() if not is_index(n) and c.present.size}
    if named.id is not None:
        check_choice(option_name("id"), named.id, tuple(columns))
    row = named.id or row_named(usable)
    refuse_rows(columns, row, named)
    if row is not None and (selection := rows_but_summaries(columns[row])) is not None:
        rows, line = selection
        reading = of_rows({n: c.take(rows) for n, c in columns.items()}, named, by_name)
        return reading.beginning(line)
    others = {n: c for n, c in usable.items() if n not in (row, *named.auxiliary)}
    if row is not None and (shares := shares_of_trials(columns, others, named)) is not None:
        return shares
    chosen = models_in_rows(columns, others, named)
    kind, why = kind_of_rows(columns, row, chosen, named, by_name)
    taken = [name for name in (row, *chosen) if name is not None]
    if kind == "datasets" and row is not None and not columns[row].all_differ:
        refuse_repeated_rows(columns[row])
    return Reading(
        kind=kind,
        models={name: as_scores(columns[name]) for name in chosen},
        options=linked_options(columns, named),
        lines=(
            f"Rows: {ROWS[kind]} ({why}).",
            f"Models: {names_in(chosen)} ({option_name('models')} chooses).",
            *asides(columns, [*taken, *named.auxiliary], {}),
        ),
        warnings=dependence(columns, chosen, named) if kind == "items" else (),
    )


def refuse_rows(columns: Mapping[str, Column], row: str | None, named: Named) -> None:
    """Raise for the rounds of one model alone, and for a row a metric."""
    if {"fit_time", "score_time"} <= {*columns} and not named.models:
        refuse_one_model(columns)
    if row is not None and columns[row].texts and all(map(is_metric, columns[row].label_texts)):
        refuse_metrics(row, columns[row].label_texts)


def shares_of_trials(
    columns: Mapping[str, Column], others: Mapping[str, Column], named: Named
) -> Reading | None:
    """Return shares of trials with success, where each row counts both; None where none does.

    Numbers of cases or votes stand beside scores, too: the names of models must say successes.
    """
    counts = {n: c for n, c in others.items() if c.is_count and not c.missing.any()}
    words = {n: {*split_words(n)} for n in counts}
    trials = list(filter(is_of_trials, counts))
    if len(trials) != 1 or named.kind not in (None, "items"):
        return None
    (total,) = trials
    n = np.asarray(counts[total].numbers, float)
    models = named.models or tuple(x for x in scores_in_rows(others) if x != total)
    if len(models) < 2 or not {*models} <= {*counts} or n.min() < 2:
        return None
    if not all(words[name] & SUCCESSES for name in models):
        return None
    values = {name: np.asarray(counts[name].numbers, float) for name in models}
    if any((x > n).any() for x in values.values()):
        return None
    shares = {name: Column(name, numbers=x / n) for name, x in values.items()}
    rest = {name: c for name, c in columns.items() if name not in (total, *models)}
    tasks = named.id or row_named(rest)
    few = tasks is not None and speaks_for(tasks, "dataset") and rest[tasks].n < FEW_ROWS
    of_kind = named.with_kind("datasets" if few else "items", f"successes among {total!r}")
    reading = of_rows({**rest, **shares}, replace(of_kind, models=tuple(models)))
    return reading.beginning(f"Values: shares of {total!r}, of which each row counts successes.")


def is_of_trials(name: str) -> bool:
    """Return whether a name is that of a number of trials, or of the most points."""
    words = {*split_words(name)}
    return bool(words & TRIALS) and words <= TRIALS | OF_TRIALS


def is_length(name: str) -> bool:
    """Return whether a name is that of lengths of references, such as n_ref_words."""
    return bool({*split_words(name)} & REFERENCES and {*split_words(name)} & LENGTHS)


def ask_ratios(columns: Mapping[str, Column]) -> None:
    """Raise for counts of errors of models beside the lengths of the references."""
    integers = {n: c for n, c in columns.items() if c.is_whole and not c.has_two and not c.is_fold}
    lengths = list(filter(is_length, integers))
    counts = [n for n in integers if n not in lengths and not is_no_score(integers[n], False)]
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
        f"columns {names_in(counts)} count errors among {length!r}: are the errors in each row "
        f"compared, or error rates, sums of errors by the sum of {length!r}?",
        [{"kind": "items", "models": counts}],
        f" For error rates call `fastcompare.{call}` in Python.",
    )


def refuse_one_model(columns: Mapping[str, Column]) -> None:
    """Raise for what scikit-learn's cross_validate returns of one model, perhaps by metrics."""
    metrics = [n for n in columns if n.startswith("test_")]
    others = (n for n in columns if n not in metrics and not is_index(n))
    one_model = all(n == "test_score" or is_metric(n.removeprefix("test_")) for n in metrics)
    if metrics and one_model and all(n.endswith("_time") for n in others):
        raise InvalidValueError(
            f"the rounds of one model alone ({names_in(metrics)}, of cross_validate): write its "
            "scores beside those of another model in the same rounds, a column for each model.",
            parameter="models",
        )


def models_in_rows(
    columns: Mapping[str, Column], others: Mapping[str, Column], named: Named
) -> list[str]:
    """Return the columns of models in a table without true labels, or ask."""
    if named.models:
        for name in named.models:
            check_choice(option_name("models"), name, tuple(columns))
        refuse_faults([columns[name] for name in named.models])
        return list(named.models)
    refuse_faults([c for c in others.values() if c.faults])
    ask_ratios(others)
    chosen = scores_in_rows(others)
    metrics = [n for n in chosen if is_metric(n)]
    if len(metrics) == len(chosen) > 1:
        ask(
            f"columns {names_in(chosen)} are called as metrics are, not as models: which one?",
            [{"models": [name]} for name in chosen],
        )
    ask_metric(chosen)
    ask_doubtful(columns, chosen)
    return chosen


def ask_metric(models: Sequence[str]) -> None:
    """Raise for columns of several metrics of each model, as in a_auc, a_f1 or auc_a, f1_a."""
    for metric_of in (last_metric, first_metric):
        grid: dict[str, list[str]] = {}
        for name in models:
            grid.setdefault(metric_of(name) or "", []).append(name)
        if len(grid) > 1 and "" not in grid:
            ask(
                f"columns have {len(grid)} metrics of each model ({names_in(grid)}): which one?",
                [{"models": names} for names in grid.values()],
            )


def rows_but_summaries(row: Column) -> tuple[Any, str] | None:
    """Return the rows that are not called means of the others, with a line; None if all are."""
    if row.texts is None:
        return None
    names = [text for text in row.label_texts if is_summary(text)]
    if not names or row.distinct.size - len(names) < 2:
        return None
    codes = [row.texts.labels.index(text) for text in names]
    rows = np.flatnonzero(~np.isin(row.codes, codes))
    return rows, f"Not used: the rows {names_in(names)}, which summarize the others."


def refuse_repeated_rows(row: Column) -> None:
    """Raise where two rows of a table are the same data set."""
    counts = np.bincount(row.codes[row.codes >= 0])
    twice = row.label_texts[int(np.argmax(counts > 1))]
    raise InvalidValueError(
        f"column {row.name!r} has several rows {twice!r}: each data set must be one row. Average "
        "its scores over folds or rounds first.",
        parameter=row.name,
        value=twice,
    )


def as_scores(column: Column) -> Any:
    """Return scores, of true and false 1 and 0."""
    if column.numbers is None:
        raise invalid_value(
            column.name,
            "must contain numbers",
            end=", got text.",
            subject=f"column {column.name!r}",
        )
    return column.numbers


def row_named(columns: Mapping[str, Column]) -> str | None:
    """Return the column that names the rows: by what it is called, else the first of words."""
    usable = [n for n, c in columns.items() if not (c.is_decimal or c.has_two or c.is_constant)]
    for role in ("dataset", "fold", "item", "id"):
        matching = [n for n in usable if speaks_for(n, role)]
        matching = matching if role != "dataset" else [n for n in matching if columns[n].all_differ]
        if matching:
            return matching[0]
    texts = [n for n in usable if columns[n].texts is not None]
    return texts[0] if texts else None


def scores_in_rows(others: Mapping[str, Column]) -> list[str]:
    """Return the columns of scores of a table without true labels."""
    numbers = {n: c for n, c in others.items() if c.texts is None}
    otherwise = called_otherwise(numbers)
    several = any(column.is_decimal for column in numbers.values())
    excluded = [n for n, c in numbers.items() if n in otherwise or is_no_score(c, several)]
    decimals = [n for n, c in numbers.items() if c.is_decimal and n not in excluded]
    if len(decimals) > 1:  # a number that never varies is a size or a setting, no score
        excluded += [n for n, c in numbers.items() if c.is_constant and not c.is_share]
        if all(numbers[n].is_share for n in decimals):  # and larger whole numbers count something
            excluded += [n for n, c in numbers.items() if c.is_whole and not c.is_share]
    return [n for n in numbers if n not in excluded] or parallel_measurements(numbers)


def parallel_measurements(numbers: Mapping[str, Column]) -> list[str]:
    """Return the columns of one measurement of several models, as old_ms and new_ms."""
    named = {n: known_words(n) & ROLES["measure"] for n, c in numbers.items() if not c.counts_rows}
    return [n for n, words in named.items() if any(words & named[m] for m in named if m != n)]


def ask_doubtful(
    columns: Mapping[str, Column], models: Sequence[str], *, cases: Sequence[str] = ()
) -> None:
    """Raise for models whose values are on another scale than those of others.

    Of cases, whose models may also be whole numbers, one model alone has its measure.
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


def is_no_score(column: Column, decimals: bool) -> bool:
    """Return whether a column of numbers of a table looks like something else than scores."""
    if column.counts_rows or (column.is_constant and is_of_trials(column.name)):
        return True
    if column.is_fold or (column.is_unit and column.is_whole):
        return True
    if any(speaks_for(column.name, role) for role in ("weight", "measure")):
        plain = column.is_share and not column.is_constant
        return not plain or speaks_for(column.name, "weight")
    if column.is_whole and not column.has_two:
        return speaks_for(column.name, "id") or (column.all_differ and decimals)
    return split_words(column.name)[-1:] in (("time",), ("seconds",), ("size",)) and decimals


def kind_of_rows(
    columns: Mapping[str, Column],
    row: str | None,
    models: Sequence[str],
    named: Named,
    by_name: bool,
) -> tuple[str, str]:
    """Return the kind of the rows and why, or ask."""
    if named.kind in TABLES:
        return str(named.kind), named.kind_reason
    if named.sized:
        return "folds", "their sizes or design are specified"
    if named.models and len(models) == 1:
        return "items", "one model"
    n = columns[models[0]].n if models else 0
    refuse_steps(columns, models)
    if len(models) > 1 and all(speaks_for(m, "rater") and columns[m].few for m in models):
        ask_kind(columns, models, named)
    kind, why = kind_by_name(columns, row, models) if row is not None and by_name else ("", "")
    if kind:
        return kind, f"{why}; {option_name('kind')} chooses another"
    if {"fit_time", "score_time"} & {*columns}:  # of scikit-learn's cross_validate
        ask_rounds("fit_time", n, columns)
    ask_kind(columns, models, named)
    raise AssertionError


def kind_by_name(columns: Mapping[str, Column], row: str, models: Sequence[str]) -> tuple[str, str]:
    """Return the kind that the column of the rows tells and why, '' if it tells none, or ask."""
    column = columns[row]
    n = columns[row].n
    is_numbered = column.is_whole and column.all_differ and np.ptp(column.present) < n < FEW_ROWS
    if speaks_for(row, "fold") or (n < FEW_ROWS and column.is_fold):
        ask_rounds(row, n, columns)
    answers = bool(models) and all(columns[m].has_two or columns[m].is_constant for m in models)
    names = f"the column {row!r} names them"
    if speaks_for(row, "item") or (answers and speaks_for(row, "dataset")):
        return "items", names
    if speaks_for(row, "dataset"):
        return "datasets", names
    if column.all_differ and {*split_words(row)} & PEOPLE:
        return "items", names
    if is_numbered:
        ask_rounds(row, n, columns, [{"kind": "items"}])
    return ("items", "scores of 0 and 1") if answers else ("", "")


def ask_kind(columns: Mapping[str, Column], models: Sequence[str], named: Named) -> None:
    """Raise with the columns that may be true labels, or the kinds that a table may be."""
    few = [c for n, c in columns.items() if c.few and (n in models or c.texts is not None)]
    few = few if named.models is None else []
    same_values = [c for c in few if any(share_values(c, o) for o in few if o is not c)]
    if same_values:
        ask_labels([c.name for c in same_values], bool(models))
    if len(models) < 2:
        refuse_alone(columns, models)
    others = [c.name for c in columns.values() if resembles(c, columns[models[0]])]
    quantities = [name for name in others if name not in models]
    quantities += models if len(models) > 2 else ()
    ask_rows(columns[models[0]].n, [name for name in quantities if metric_in(name) is None])


def refuse_alone(columns: Mapping[str, Column], models: Sequence[str]) -> NoReturn:
    """Raise for a table of one model, or of none; of one the mean can be asked for."""
    text = "at least two models are needed, or true labels beside one; the file has only "
    text += f"{names_in(columns)}"
    further = (
        " Labels, or scores of other models, in another file are joined by a column of ids: name "
        "that file, too."
    )
    if models and columns[models[0]].n > 1:
        ask(f"{text}. Or is the mean of {models[0]!r} asked?", [{"models": [*models]}], further)
    raise InvalidValueError(f"{text}.{further}", parameter="models")


def ask_labels(names: Sequence[str], has_models: bool) -> NoReturn:
    """Raise with the columns that may be true labels, or annotators, or scores of items."""
    question = f"which column has the true labels? {names_in(names)} may be"
    ways: list[dict[str, Any]] = [{"label": name} for name in names]
    others = []
    if len(names) == 2:
        others.append("are they two annotators, whose agreement (Cohen's kappa) is asked?")
        ways.append({**ways[0], "test": "kappa"})
    if has_models:
        others.append("are the rows items of an evaluation, with a score of each model?")
        ways.append({"kind": "items"})
    ask(f"{question}; or {' Or '.join(others)}" if others else f"{question}.", ways)


def resembles(column: Column, model: Column) -> bool:
    """Tell whether numbers are of the size of a model's, so that the model may predict them."""
    kinds = [None if c.numbers is None else c.numbers.dtype.kind for c in (column, model)]
    if not {*kinds} <= {*"iuf"} or column.few or not (column.present.size and model.present.size):
        return False
    low, middle, high = np.quantile(column.present, (0.0, 0.5, 1.0))
    return bool(low <= np.median(model.present) <= high and np.ptp(model.present) >= high - middle)


def ask_rows(n: int, quantities: Sequence[str]) -> None:
    """Raise with the kinds that n rows of numbers may be; a column may be what others predict."""
    if n == 1:
        raise InvalidValueError(
            "the file has one row: a difference can be tested only by values of several cases, "
            "items, data sets or rounds, a row for each.",
            parameter="data",
        )
    rows = "data sets"
    ways = [{"kind": "datasets"}, {"kind": "items"}, {"design": "kfold"}]
    if n < FEW_ROWS:
        rows += ", items of an evaluation, or the folds of one cross-validation"
    else:  # more than folds, and seldom data sets
        rows, ways = "items of an evaluation, or data sets", ways[1::-1]
    if quantities:
        rows += f", or cases with a quantity that models predict, such as {quantities[0]!r}"
        ways.append({"label": quantities[0]})
    ask(
        "no column contains true labels (two different values), and it is not clear what the rows "
        f"are: {rows}?",
        ways,
        " Labels in another file are joined by a column of ids.",
    )
