"""Reader studies with columns of any names: each reader scores each case under each treatment."""

from collections.abc import Mapping
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from ...._base.exceptions import FastCompareError, invalid_value
from ...._base.types import Fields
from ...evals.studies import TRUTH
from ...options import check_choice
from ..column import Column
from ..question import QuestionError, ask, option
from ..reading import Named, option_name, quote_names, unused_column_lines
from ..relations import (
    CLEAR_AGREEMENT,
    LEAST_SEPARATED,
    auc,
    is_constant_within,
    is_separated,
    kappa,
)
from ..relations.labels import describes_cases
from ..relations.marks import LEAST_AGREEMENT, OF_CORRECTNESS
from ..truths import (
    Truth,
    find_positive,
    label_values,
    may_be_labels,
    truth_line,
)
from ..words import is_clear_truth, is_index, is_outcome, name_suggests, split_words

MOST_TREATMENTS = 10
LEAST_OF_OUTCOMES = 0.65  # an AUC of scores beside an outcome, of which they are by its name
SHARED = "two values, the same in all rows of a case"
METRICS = ("auc", "mean", "loss")  # of reader studies
NO_SCORES = ("id", "unit", "time", "measure", "amount", "trait", "weight")  # roles of other numbers
ROLES_OF_CASES = ("id", "unit", "item")  # that the names of columns of cases suggest


def study_in(columns: Mapping[str, Column], named: Named) -> tuple[Fields, str] | None:
    """Return the columns of a reader study by their usual names, and a line; None for others.

    There is one column of scores, and one of labels that are the same in all rows of a case.
    """
    usable = {n: c for n, c in columns.items() if c.present.size and not is_index(n)}
    readers = [c for n, c in usable.items() if name_suggests(n, "rater") and is_factor(c)]
    if len(readers) != 1 or named.models or named.groups or named.long:
        return None
    varying = [c for c in usable.values() if c is not readers[0] and not c.is_constant]
    if (with_columns := study_of_columns(readers[0], varying, named)) is not None:
        return with_columns
    treatments = [c for c in varying if is_treatment(c)]
    for treatment in treatments:
        for case in (c for c in varying if c is not treatment and is_case(c)):
            if not are_fully_crossed((treatment, readers[0], case)):
                continue
            others = [c for c in varying if c not in (treatment, case)]
            truth = truth_of_cases(others, case, named)
            scores = [c for c in others if c.is_number and not is_constant_within(c, case)]
            if truth is not None and len(scores) == 1:
                ask_unless_told(truth, scores[0], named)
                return read_study(truth, scores[0], treatment, readers[0], case, named)
    return None


def study_of_columns(
    reader: Column, varying: list[Column], named: Named
) -> tuple[Fields, str] | None:
    """Return the columns of a study with a row for each reader and case, and a line; else None.

    Columns of scores, which differ between the readers of a case, are treatments.
    """
    for case in filter(is_case, varying):
        if not are_fully_crossed((reader, case)):
            continue
        others = [c for c in varying if c is not case]
        truth = truth_of_cases(others, case, named)
        scores = [c for c in others if c.is_number and not is_constant_within(c, case)]
        scores = [c for c in scores if not any(name_suggests(c.name, x) for x in NO_SCORES)]
        if truth is None or not 2 <= len(scores) <= MOST_TREATMENTS:
            continue
        is_named_so = is_clear_truth(truth.name) or is_outcome(truth.name)
        if not is_named_so or are_called_correct(scores):
            continue  # such as an attribute of prompts that judges scored
        is_positive, positive_label = positive_cases(truth, named)
        if named.label is None and named.scoring is None:
            ask_right_answers(scores, truth, is_positive)
        data = {
            "truth": np.tile(is_positive, len(scores)),
            "score": np.concatenate([np.asarray(c.numbers, float) for c in scores]),
            "treatment": np.repeat([c.name for c in scores], case.n),
            "reader": np.tile(reader.values(), len(scores)),
            "case": np.tile(case.values(), len(scores)),
        }
        line = (
            f"Reader study: {quote_names(c.name for c in scores)} are treatments, under which "
            f"readers {reader.name!r} scored cases {case.name!r}; true labels: {truth.name!r} "
            f"(positive: {positive_label!r})."
        )
        return data, line
    return None


def are_called_correct(scores: list[Column]) -> bool:
    """Return whether the names of all columns are those of right answers, whatever was asked."""
    return all({*split_words(c.name)} & OF_CORRECTNESS for c in scores)


def ask_right_answers(scores: list[Column], truth: Column, is_positive: NDArray[np.bool_]) -> None:
    """Raise if all columns have two values, none of which is more frequent in positive cases.

    They may be right answers; decisions are positive in more positive cases than in negative ones.
    """
    if not all(c.has_two for c in scores):
        return
    high = [c.codes == c.codes.max() for c in scores]
    if any(x[is_positive].mean() - x[~is_positive].mean() >= LEAST_AGREEMENT for x in high):
        return
    names = quote_names(c.name for c in scores)
    ask(
        f"are {names} right answers, or decisions that {truth.name!r} judges?",
        [{"scoring": "mean"}, {"scoring": "auc"}],
    )


def is_factor(column: Column) -> bool:
    """Return whether the values of a column may be readers, treatments or cases: they repeat.

    None is missing, and they are neither decimals nor dates.
    """
    repeats = 2 <= column.distinct.size < column.n and not column.missing.any()
    return repeats and not column.is_decimal and not column.is_date


def is_treatment(column: Column) -> bool:
    """Return whether a column is called like a treatment or a model, and has at most ten values."""
    named_so = name_suggests(column.name, "site") or name_suggests(column.name, "model")
    return named_so and is_factor(column) and column.distinct.size <= MOST_TREATMENTS


def is_case(column: Column) -> bool:
    """Return whether a column is called like an id of cases, and its values repeat."""
    return is_factor(column) and any(name_suggests(column.name, role) for role in ROLES_OF_CASES)


def are_fully_crossed(factors: tuple[Column, ...]) -> bool:
    """Return whether each combination of values of some columns has exactly one row."""
    n = factors[0].n
    sizes = [column.distinct.size for column in factors]
    if np.prod(sizes) != n:
        return False
    cells = np.ravel_multi_index([column.codes for column in factors], sizes)
    return bool(np.unique(cells).size == n)


def truth_of_cases(columns: list[Column], case: Column, named: Named) -> Column | None:
    """Return the only column of labels that are the same in all rows of a case, else None.

    Of several such columns, it is the only one whose name is that of an outcome.
    """
    labels = [c for c in columns if may_be_labels(c) and is_constant_within(c, case)]
    labels = [c for c in labels if not describes_cases(c)] or labels
    if named.label is not None:
        labels = [c for c in labels if c.name == named.label]
    outcomes = [c for c in labels if is_outcome(c.name)]
    possible = outcomes if len(labels) > 1 else labels
    return possible[0] if len(possible) == 1 else None


def positive_cases(truth: Column, named: Named) -> tuple[NDArray[np.bool_], str]:
    """Return which rows have the positive label, and that label as text.

    Raise for missing labels: they would be those of negative cases.
    """
    if truth.missing.any():
        raise invalid_value(
            truth.name,
            "must have the true label of every case",
            int(truth.missing.sum()),
            ". Leave out the cases without one.",
            show=", {} are missing",
            subject=f"column {truth.name!r}",
        )
    positive = find_positive(truth, named)
    values = label_values(truth)
    place = len(values) - 1 if positive is None else values.index(positive)
    codes = np.unique(truth.codes)  # in the order of the labels
    return truth.codes == codes[place], truth.label_texts[place]


def read_study(
    truth: Column, score: Column, treatment: Column, reader: Column, case: Column, named: Named
) -> tuple[Fields, str]:
    """Return the columns of a reader study, "truth" True for positive cases, and a line."""
    is_positive, positive_label = positive_cases(truth, named)
    data = {
        "truth": is_positive,
        "score": score.numbers,
        "treatment": treatment.values(),
        "reader": reader.values(),
        "case": case.values(),
    }
    line = (
        f"Reader study: scores {score.name!r} of readers {reader.name!r} under treatments "
        f"{treatment.name!r} on cases {case.name!r}; true labels: {truth.name!r} (positive: "
        f"{positive_label!r})."
    )
    return data, line


class StudyTruth(NamedTuple):
    """The truth of each row (None without any), its positive label, and lines on the columns."""

    values: Any = None
    positive: Any = None
    lines: tuple[str, ...] = ()


def truth_beside(
    columns: Mapping[str, Column], roles: Mapping[str, str], named: Named
) -> StudyTruth:
    """Return the truth of a study whose columns of scores, readers and cases are known by role.

    It is the column that `named` specifies, else one of two values that all rows of a case share.
    Raise where it is unclear whether such a column is the truth.
    """
    if named.scoring is not None:
        check_choice(option_name("scoring"), named.scoring, METRICS)
    truth = Truth(roles["truth"], "by its name") if "truth" in roles else None
    if named.label is not None:
        check_choice(option_name("label"), named.label, tuple(columns))
        truth = Truth(named.label, named.label_reason)
    elif truth is None and named.scoring in (None, "auc") and {"score", "case"} <= {*roles}:
        truth = find_shared_truth(columns, roles, named)
    taken = [*roles.values(), *named.auxiliary, *([truth.name] if truth else [])]
    unused = unused_column_lines(columns, taken, {})
    if truth is None:
        return StudyTruth(lines=tuple(unused))
    label = columns[truth.name]
    is_usual = "truth" in roles and named.label is None and named.pos_label is None
    if is_usual or not label.has_two:  # read, or refused, as it is
        return StudyTruth(None if is_usual else label.values(), named.pos_label, tuple(unused))
    is_positive, text = positive_cases(label, named)
    positive = None if named.pos_label is None else True
    lines = [] if truth.name == roles.get("truth") else [truth_line(truth, text)]
    if truth.why == SHARED:
        lines.append(f"AUCs are compared; {option(scoring='mean')} compares mean scores.")
    return StudyTruth(is_positive, positive, (*lines, *unused))


def find_shared_truth(
    columns: Mapping[str, Column], roles: Mapping[str, str], named: Named
) -> Truth | None:
    """Return the column of two values that all rows of a case share as the truth, None without.

    It is called an outcome, and scores are higher in its positive cases; if they have two values,
    they agree with it: they may be right answers. Raise where only one of both holds, and for
    several columns. Others are attributes, as are all beside scores of which lower ones are better.
    """
    score, case, reader = (columns[roles[x]] for x in ("score", "case", "reader"))
    has_truth = bool({*reader.label_texts} & {*TRUTH})
    if score.numbers is None or has_truth or named.higher_is_better is False:
        return None
    others = [c for n, c in columns.items() if n not in roles.values() and n not in named.auxiliary]
    shared = [c for c in others if may_be_labels(c) and is_shared(c, case)]
    if score.has_two:
        shared = [c for c in shared if kappa(score, c) >= CLEAR_AGREEMENT]
    outcomes = [c for c in shared if names_truth(c)]
    higher = [c for c in shared if is_told(c, score, named)]
    if named.scoring == "auc":
        higher = outcomes = outcomes or [c for c in shared if not describes_cases(c)] or higher
    if len(outcomes) == 1 and outcomes[0] in higher:
        return Truth(outcomes[0].name, SHARED)
    possible = [c for c in shared if c in outcomes or c in higher]
    return ask_truth(possible, score) if possible else None


def names_truth(column: Column) -> bool:
    """Return whether a column is called an outcome or a truth, and is no attribute of cases."""
    is_named_so = is_outcome(column.name) or is_clear_truth(column.name)
    return is_named_so and not describes_cases(column)


def is_told(truth: Column, score: Column, named: Named) -> bool:
    """Return whether scores are higher in positive cases, by an AUC of 0.75, or 0.65 of outcomes.

    Where it is unclear which label is positive, they are higher in those of one of both. Scores of
    two values agree with the truth.
    """
    if score.has_two:
        return kappa(score, truth) >= CLEAR_AGREEMENT
    try:
        positive = find_positive(truth, named)
    except FastCompareError:
        return is_separated(truth, [score])
    is_first = positive is not None and label_values(truth).index(positive) == 0
    value = auc(score, truth)
    least = LEAST_OF_OUTCOMES if names_truth(truth) else LEAST_SEPARATED
    return (1.0 - value if is_first else value) >= least


def ask_unless_told(truth: Column, score: Column, named: Named) -> None:
    """Raise unless a column is called an outcome, and scores are higher in its positive cases."""
    is_specified = named.label is not None or named.scoring is not None
    if is_specified or named.kind is not None or named.higher_is_better is False:
        return
    if not (names_truth(truth) and (score.has_two or is_told(truth, score, named))):
        ask_truth([truth], score)


def ask_truth(possible: list[Column], score: Column) -> NoReturn:
    """Raise with the question whether columns have the true labels of the cases."""
    names = [c.name for c in possible]
    ask(
        f"has {quote_names(names)} the true labels of the cases, whose AUCs are then compared, or "
        f"are mean scores ({score.name!r})?",
        [*(way for c in possible for way in ways_of_label(c)), {"scoring": "mean"}],
    )


def ways_of_label(column: Column) -> list[Fields]:
    """Return the options that name a column of true labels, and its positive label if unclear."""
    way: Fields = {"label": column.name}
    try:
        find_positive(column, Named())
    except QuestionError as question:
        return [{**way, **positive} for positive in question.ways]
    return [way]


def is_shared(column: Column, case: Column) -> bool:
    """Return whether all rows of a case that have a value have the same one, and cases differ."""
    present = np.flatnonzero(~column.missing)
    return case.distinct.size < case.n and is_constant_within(
        column.take(present), case.take(present)
    )
