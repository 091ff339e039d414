"""Values of different cases in two groups, as of an A/B test: no row has values of both.

`compare` pairs models on the same cases, or takes labels with each. So these are refused, with the
call that tests them; and so are counts of two groups, or of two tests.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NoReturn

import numpy as np

from ...._base.exceptions import InvalidValueError
from ...names import NO, RIGHT, WRONG, YES
from ..column import Column, label_codes, right_answer, row_name_column
from ..question import option
from ..reading import quote_names
from ..relations import is_crossed
from ..words import is_clear_truth, is_index, name_suggests, split_words

GROUPS = {"variant", "variants", "arm", "bucket", "branch", "version", "experiment", "condition"}
GROUPS |= {"group", "cohort", "treatment", "ab", "cell", "layout", "assignment", "exposure"}
BRANCHES = {"a", "b", "control", "controls", "treatment", "treated", "untreated", "test", "placebo"}
BRANCHES |= {"drug", "active", "intervention", "experimental", "challenger", "champion"}
MOST_GROUPS = 20
TOTALS = {"n", "total", "totals", "count", "visitors", "users", "impressions", "trials", "views"}
TOTALS |= {"attempts", "sessions", "size", "items", "questions", "samples", "patients", "sends"}
TOTALS |= {"cases", "subjects", "visits", "shown", "sent", "exposed", "participants"}
SUCCESSES = RIGHT | {"conversions", "converted", "conversion", "clicks", "clicked", "passes"}
SUCCESSES |= {"positives", "positive", "successes", "purchases", "purchased", "orders", "signups"}
SUCCESSES |= {"events", "responders", "opened", "deaths", "died", "hits", "wins", "accepted"}
SIDES = (
    RIGHT | YES | {"positive", "positives", "pos", "plus", "+"},
    WRONG | NO | {"negative", "negatives", "neg", "minus", "-"},
)


def refuse_counts(columns: Mapping[str, Column]) -> None:
    """Raise for counts of cases in groups, or by two tests, with the test's call."""
    names = row_name_column(columns)
    counts = [c for c in columns.values() if c.is_count]
    if names is None or len(counts) != 2:
        return
    if any(name_suggests(names.name, role) for role in ("dataset", "fold", "item")):
        return
    refuse_shares(columns, names, counts)
    refuse_square(columns, names, counts)


def refuse_groups(columns: Mapping[str, Column]) -> None:
    """Raise for values of different cases in two groups, with the test's call."""
    usable = {n: c for n, c in columns.items() if c.present.size and not is_index(n)}
    groups = [c for c in usable.values() if names_branches(c)]
    if len(groups) != 1:
        return
    (group,) = groups
    others = [c for c in usable.values() if c is not group and not c.is_constant]
    values = [c for c in others if not may_name_rows(c) and not c.is_date]
    values = [c for c in values if c.is_number or c.is_bool] or values  # words may be attributes
    pairs_cases = any(is_crossed(group, c) for c in others if not c.is_decimal)
    if len(values) != 1 or pairs_cases:
        return
    (value,) = values
    if value.missing.any() or group.missing.any():
        return
    if value.has_two:
        refuse_proportions(group, value)  # or return, where it is unclear what a success is
    if value.is_number:
        refuse_means(group, value)


def may_name_rows(column: Column) -> bool:
    """Return whether all values differ, as names and numbers of rows do; decimals may by chance."""
    return column.all_differ and not column.is_decimal


def names_branches(column: Column) -> bool:
    """Return whether a column names the two arms of an experiment, such as control and treated."""
    named_so = {*split_words(column.name)} & GROUPS and not is_clear_truth(column.name)
    if not named_so or column.texts is None or not column.has_two or column.n <= 3:
        return False
    nouns = GROUPS - BRANCHES  # group of 'control group'
    values = [{*split_words(text)} - nouns for text in column.label_texts]
    return all(words and words <= BRANCHES for words in values)


def refuse_proportions(group: Column, value: Column) -> None:
    """Raise for an outcome of two values in two groups, with the test of two proportions.

    Not where it is unclear which of the two values is a success.
    """
    success = "1" if {*value.label_texts} <= {"0", "1"} else right_answer(value)
    if value.is_bool:
        success = "True"
    if success is None:
        return
    succeeded = value.codes == label_codes(value)[value.label_texts.index(success)]
    in_first = group.codes == label_codes(group)[0]
    correct = int((succeeded & in_first).sum()), int((succeeded & ~in_first).sum())
    n = int(in_first.sum()), int((~in_first).sum())
    refuse_values(group, value.name, counted_call(correct, n))


def counted_call(correct: tuple[int, int], n: tuple[int, int]) -> str:
    """Return the call that tests two proportions of different cases by their counts."""
    return f"two_proportions_unpaired_test(correct={correct}, n={n})"


def refuse_means(group: Column, value: Column) -> None:
    """Raise for one number a case in two groups, with the test of two means."""
    samples = [
        f"data.loc[data[{group.name!r}] == {text!r}, {value.name!r}]" for text in group.label_texts
    ]
    refuse_values(
        group,
        value.name,
        f"ttest_unpaired({', '.join(samples)})",
        note_on_call=" (`data` is the table as a data frame)",
        end=f" If {group.name!r} has the true labels of scores: `{option(label=group.name)}`.",
    )


def refuse_values(
    group: Column, value: str, call: str, *, note_on_call: str = "", end: str = ""
) -> NoReturn:
    """Raise for values in two groups, with the call that tests their difference."""
    raise InvalidValueError(
        f"rows of {' and '.join(map(repr, group.label_texts))} ({group.name!r}) are different "
        f"cases, each with one value of {value!r}: nothing pairs them. Their difference, the first "
        f"minus the second, is tested in Python by `fastcompare.{call}`{note_on_call}, whose "
        f"summary calls the groups models.{end}",
        parameter=group.name,
    )


def refuse_square(columns: Mapping[str, Column], rows: Column, counts: Sequence[Column]) -> None:
    """Raise for a 2 x 2 table of counts, with McNemar's test for two models or tests."""
    if rows.n != 2 or len(columns) != 3 or any(c.missing.any() for c in counts):
        return
    row_sides = [*map(side_index, rows.values())]
    column_sides = [side_index(c.name) for c in counts]
    if not {*row_sides} == {*column_sides} == {0, 1}:
        return
    right_first = np.ix_(np.argsort(np.asarray(row_sides)), np.argsort(np.asarray(column_sides)))
    table = np.stack([np.asarray(c.numbers, int) for c in counts], axis=1)[right_first].tolist()
    raise InvalidValueError(
        f"two rows of counts ({quote_names(c.name for c in counts)}): if these are the same cases "
        "by two models or tests, they are compared in Python by "
        f"`fastcompare.mcnemar_test({table})`, right or positive first; else pass a row for each "
        "case.",
        parameter=counts[0].name,
    )


def side_index(name: str) -> int:
    """Return 0 for a name of right or positive cases, 1 of wrong or negative ones, -1 of others."""
    words = {*split_words(name), *re.findall(r"[+-]$", name.strip())}
    matches = [bool(words & side) for side in SIDES]
    return matches.index(True) if sum(matches) == 1 else -1


def refuse_shares(columns: Mapping[str, Column], rows: Column, counts: Sequence[Column]) -> None:
    """Raise for a row for each group with its number of cases, and of successes among them."""
    if len(columns) > 4 or rows.n > MOST_GROUPS:
        return
    successes = [c for c in counts if {*split_words(c.name)} & SUCCESSES]
    totals = [c for c in counts if {*split_words(c.name)} & TOTALS and c not in successes]
    if len(successes) != 1 or len(totals) != 1:
        return
    (success,), (total,) = successes, totals
    x, n = (np.asarray(c.numbers, float) for c in (success, total))
    if not bool((x <= n).all()) or bool((x == n).all()):
        return
    note_on_rows = f" (the first two of {rows.n} rows)" if rows.n > 2 else ""
    x_of_two, n_of_two = (tuple(np.asarray(values[:2], int).tolist()) for values in (x, n))
    raise InvalidValueError(
        f"each row counts cases ({total.name!r}) and how many of them are {success.name!r}. If the "
        f"cases of {quote_names(rows.values()[:2])}{note_on_rows} are different, their shares are "
        f"compared in Python by `fastcompare.{counted_call(x_of_two, n_of_two)}`; if they are the "
        "same, pass a row for each case with a column for each model.",
        parameter=success.name,
    )
