"""Values of different cases in two groups, as of a test by variants: no row has both.

`compare` pairs models on the same cases, or takes labels with each. So these are refused, with the
call that tests them.
"""

from collections.abc import Mapping, Sequence
from typing import NoReturn

import numpy as np

from ...._base.exceptions import InvalidValueError
from ..column import Column, right_value
from ..reading import names_in
from ..relations import is_crossed
from ..times import label_codes
from ..truths import POSITIVE
from ..words import is_clear_truth, is_index, is_outcome, speaks_for, split_words

BRANCHES = {"variant", "variants", "arm", "bucket", "branch", "version", "experiment", "condition"}
BRANCHES |= {"group", "cohort", "treatment", "ab", "cell", "layout", "assignment", "exposure"}
MOST_BRANCHES = 20
TOTALS = {"n", "total", "totals", "count", "visitors", "users", "impressions", "trials", "views"}
TOTALS |= {"attempts", "sessions", "size", "items", "questions", "samples", "patients", "sends"}
TOTALS |= {"cases", "subjects", "visits", "shown", "sent", "exposed", "participants"}


def refuse_branches(columns: Mapping[str, Column]) -> None:
    """Raise for values of cases in two groups, or for counts of them, with the test's call."""
    usable = {n: c for n, c in columns.items() if c.present.size and not is_index(n)}
    names = [c for c in columns.values() if c.texts is not None and c.all_differ]
    counts = [c for c in columns.values() if c.is_count]
    if len(names) == 1 and len(counts) == 2:
        refuse_shares(columns, names[0], counts)
        refuse_four(columns, names[0], counts)
    branches = [c for c in usable.values() if is_branch(c)]
    if len(branches) != 1:
        return
    (branch,) = branches
    rest = [c for c in usable.values() if c is not branch and not c.is_constant]
    values = [c for c in rest if not (c.all_differ and not c.is_decimal) and not c.is_date]
    if {*split_words(branch.name)} & BRANCHES:  # beside other attributes
        values = [c for c in values if c.is_number or c.is_bool] or values
    if len(values) != 1 or any(is_crossed(branch, c) for c in rest if not c.is_decimal):
        return
    (value,) = values
    if value.missing.any() or branch.missing.any():
        return
    if value.has_two:
        refuse_proportions(branch, value)
    if value.is_number and not is_of_labels(branch):
        refuse_means(branch, value)


def is_branch(column: Column) -> bool:
    """Return whether a column says which of two groups a case was in."""
    called = bool({*split_words(column.name)} & BRANCHES) or speaks_for(column.name, "model")
    words = column.texts is not None and not column.is_date
    return called and words and column.has_two and column.n > 3 and not is_clear_truth(column.name)


def is_of_labels(column: Column) -> bool:
    """Return whether two groups may be an outcome: cases and controls, ill and well."""
    words = {text.casefold() for text in column.label_texts}
    return is_outcome(column.name) or bool(words & POSITIVE)


def refuse_proportions(branch: Column, value: Column) -> None:
    """Raise for an outcome of two values in two groups."""
    right = "1" if {*value.label_texts} <= {"0", "1"} else right_value(value)
    if value.is_bool:
        right = "True"
    if right is None:
        return
    yes = value.codes == label_codes(value)[value.label_texts.index(right)]
    first = branch.codes == label_codes(branch)[0]
    correct = int((yes & first).sum()), int((yes & ~first).sum())
    n = int(first.sum()), int((~first).sum())
    refuse(branch, value.name, counted_call(correct, n))


def counted_call(correct: tuple[int, int], n: tuple[int, int]) -> str:
    """Return the test of two shares of different cases."""
    return f"two_proportions_unpaired_test(correct={correct}, n={n})"


def refuse_means(branch: Column, value: Column) -> None:
    """Raise for numbers of cases in two groups."""
    parts = [
        f"data.loc[data[{branch.name!r}] == {text!r}, {value.name!r}]"
        for text in branch.label_texts
    ]
    refuse(branch, value.name, f"ttest_unpaired({', '.join(parts)})")


def refuse(branch: Column, value: str, call: str) -> NoReturn:
    """Raise with the call that tests values of different cases."""
    raise InvalidValueError(
        f"rows of {' and '.join(map(repr, branch.label_texts))} ({branch.name!r}) are different "
        f"cases, each with one value of {value!r}: nothing pairs them. Their difference, the first "
        f"minus the second, is tested in Python by `fastcompare.{call}`, which speaks of models "
        "and their accuracies or scores.",
        parameter=branch.name,
    )


def refuse_four(columns: Mapping[str, Column], rows: Column, counts: Sequence[Column]) -> None:
    """Raise for a square of four counts, with the test of those of the same cases."""
    if rows.n != 2 or len(columns) != 3 or any(c.missing.any() for c in counts):
        return
    if any(speaks_for(rows.name, role) for role in ("dataset", "fold", "item")):
        return
    table = np.stack([np.asarray(c.numbers, int) for c in counts], axis=1).tolist()
    raise InvalidValueError(
        f"two rows of counts ({names_in(c.name for c in counts)}): if these are the same cases by "
        f"two models or tests, right or positive first, they are compared in Python by "
        f"`fastcompare.mcnemar_test({table})`; else pass a row for each case.",
        parameter=counts[0].name,
    )


def refuse_shares(columns: Mapping[str, Column], rows: Column, counts: Sequence[Column]) -> None:
    """Raise for a row a group with how many cases it has, and of how many something is so."""
    if len(columns) > 4 or rows.n > MOST_BRANCHES:
        return
    totals = [c for c in counts if {*split_words(c.name)} & TOTALS]
    total, part = counts if len(totals) != 1 or totals[0] is counts[0] else counts[::-1]
    x, n = (np.asarray(c.numbers, float) for c in (part, total))
    if not totals or not bool((x <= n).all()) or bool((x == n).all()):
        return
    pair = [tuple(np.asarray(values[:2], int).tolist()) for values in (x, n)]
    raise InvalidValueError(
        f"each row counts cases ({total.name!r}) and how many of them are {part.name!r}. If the "
        f"cases of {names_in(rows.values()[:2])} are different, their shares are compared in "
        f"Python by `fastcompare.{counted_call(*pair)}`; if they are the same, pass a row for each "
        "case with a column for each model.",
        parameter=part.name,
    )
