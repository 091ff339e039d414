"""Columns computed from predictions and true values: errors, their absolute values and squares.

A column x has the errors of predictions p of a truth t if x = f(p - t) in all rows, to the digits
that are written. Residuals t - p are errors, too: then p = t - x, and names or sizes decide which
of both has the predictions.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...arrays import FIRST
from ..column import Column, written_decimals
from ..words import ERRORS, name_suggests, split_words

FEWEST_ROWS = 10  # in which equal numbers are no chance
MOST_COLUMNS = 40  # in which errors are looked for
LARGEST_TOLERANCE = 0.25  # on average, by the standard deviation of the errors
SINGLE_PRECISION = 1e-6  # of numbers that were computed with it
MOST_APART = 3.0  # standard deviations, of errors as they are written and as computed
SMALL = 0.25  # mean square of errors by that of predictions, which shows which are which
Values = NDArray[np.float64]


class Relation(NamedTuple):
    """What numbers are that a function of errors e and the truth t gives."""

    what: str
    function: Callable[[Any, Any], Any]


class Written(NamedTuple):
    """Numbers, NaN where missing, and half a unit of the last digit that is written."""

    values: Values
    half_unit: float

    def first_rows(self) -> "Written":
        """Return the first numbers, which tell most columns from errors."""
        return Written(self.values[:FIRST], self.half_unit)


class Errors(NamedTuple):
    """Errors of the predictions in the column `model`, and why they are no model."""

    model: str
    reason: str


RELATIONS = (
    Relation("errors", lambda e, t: e),
    Relation("errors", lambda e, t: -e),
    Relation("absolute errors", lambda e, t: abs(e)),
    Relation("squared errors", lambda e, t: e**2),
    Relation("relative errors", lambda e, t: e / t),
    Relation("relative errors", lambda e, t: -e / t),
    Relation("relative errors", lambda e, t: abs(e / t)),
    Relation("errors in percent", lambda e, t: 100.0 * e / t),
    Relation("errors in percent", lambda e, t: -100.0 * e / t),
    Relation("errors in percent", lambda e, t: 100.0 * abs(e / t)),
)
LOG_LOSS = Relation("log losses", lambda e, t: -np.log(1.0 - abs(e)))


def errors_among(truth: Column, others: Mapping[str, Column]) -> dict[str, Errors]:
    """Return by name the columns that have errors of predictions in another column; {} without any.

    Where two columns add up to the truth and nothing says which has the errors, neither is there.
    """
    numbers = {n: c for n, c in others.items() if c.is_number and not (c.has_two or c.is_constant)}
    if truth.numbers is None or truth.n < FEWEST_ROWS or not 2 <= len(numbers) <= MOST_COLUMNS:
        return {}
    target = as_written(truth)
    written = {name: as_written(column) for name, column in numbers.items()}
    what = {
        (name, model): relation.what
        for relation in ((*RELATIONS, LOG_LOSS) if truth.has_two else RELATIONS)
        for name, model in possible_errors(relation, written, target)
        if fits(relation, *(x.first_rows() for x in (written[name], written[model], target)))
        and fits(relation, written[name], written[model], target)
    }
    errors: dict[str, Errors] = {}
    for name, model in what:
        is_unclear = (model, name) in what and not has_errors(numbers[name], numbers[model])
        if not is_unclear:
            errors.setdefault(name, Errors(model, f"{what[name, model]} of {model!r}"))
    return errors


def as_written(column: Column) -> Written:
    """Return the numbers of a column, and half a unit of their last digit."""
    return Written(np.asarray(column.numbers, float), 0.5 * 10.0 ** -written_decimals([column]))


def possible_errors(
    relation: Relation, written: Mapping[str, Written], truth: Written
) -> Iterator[tuple[str, str]]:
    """Yield columns and the models of which they may have the errors, by the first rows."""
    names = [*written]
    table = np.stack([column.values[:FIRST] for column in written.values()])
    t = truth.values[:FIRST]
    with np.errstate(all="ignore"):
        computed = relation.function(table - t, t)
        computed[~np.isfinite(computed)] = np.nan
        for i, name in enumerate(names):
            far = np.abs(computed - table[i]) > MOST_APART * np.nanstd(table[i])  # False for NaN
            near = np.flatnonzero(~far.any(axis=1))
            yield from ((name, names[j]) for j in near.tolist() if j != i)


def fits(relation: Relation, errors: Written, predictions: Written, truth: Written) -> bool:
    """Return whether a relation holds in all rows, to the digits that are written.

    Errors may be of the numbers as they are written, or of those before they were rounded. The
    tolerance must be small beside the errors, or it hides all differences.
    """
    x, p, t = (column.values for column in (errors, predictions, truth))
    rounding = predictions.half_unit + truth.half_unit
    with np.errstate(all="ignore"):
        computed = relation.function(p - t, t)
        complete = np.isfinite(x) & np.isfinite(computed)
        x, p, t, computed = x[complete], p[complete], t[complete], computed[complete]
        if x.size < max(FEWEST_ROWS, errors.values.size / 2):
            return False
        changes = [
            np.abs(
                relation.function(p - t + sign * rounding, t + part * truth.half_unit) - computed
            )
            for sign in (-1.0, 1.0)
            for part in (-1.0, 1.0)
        ]
    is_finer = errors.half_unit <= min(predictions.half_unit, truth.half_unit)
    of_floats = SINGLE_PRECISION * (np.abs(p) + np.abs(x))
    exact = (0.0 if is_finer else errors.half_unit) + of_floats
    rounded = errors.half_unit + np.max(changes, axis=0) + of_floats
    distance = np.abs(x - computed)
    return any(
        bool((distance <= tolerance).all()) and tolerance.mean() <= LARGEST_TOLERANCE * np.std(x)
        for tolerance in (exact, rounded)
    )


def has_errors(a: Column, b: Column) -> bool:
    """Return whether the first of two columns that add up to the truth has errors, and not `b`.

    Its name says so, or else that of `b` says that this has predictions; or its numbers are small
    beside those of `b`. Names of errors may be those of predictions with another word: diff_svm.
    """
    words_a, words_b = {*split_words(a.name)}, {*split_words(b.name)}
    for has_a, has_b in (
        (is_called_error(a.name), is_called_error(b.name)),
        (name_suggests(b.name, "prediction"), name_suggests(a.name, "prediction")),
        (words_b < words_a, words_a < words_b),
    ):
        if has_a != has_b:
            return has_a
    size_a, size_b = (float(np.mean(np.square(c.present.astype(float)))) for c in (a, b))
    return size_a <= SMALL * size_b


def is_called_error(name: str) -> bool:
    """Return whether a word of a name is that of errors or residuals."""
    return not ERRORS.isdisjoint(split_words(name))


def predicted_with_errors(columns: Mapping[str, Column]) -> str | None:
    """Return the only column of which others have predictions and their errors; None without.

    Columns are called errors, of two predictions at least, or of one that is called so.
    """
    numbers = {n: c for n, c in columns.items() if c.is_number and not c.has_two}
    called = [name for name in numbers if is_called_error(name)]
    models: dict[str, set[str]] = {}  # by column that may be the truth
    for name in numbers if called else ():
        if name in called or name_suggests(name, "prediction"):
            continue
        others = {n: c for n, c in numbers.items() if n != name}
        errors = errors_among(numbers[name], others)
        models[name] = {e.model for n, e in errors.items() if n in called} - {*called}
    most = max(map(len, models.values()), default=0)
    truths = [name for name, of_truth in models.items() if len(of_truth) == most > 0]
    if len(truths) != 1:
        return None
    (truth,) = truths
    named_so = any(name_suggests(model, "prediction") for model in models[truth])
    return truth if most > 1 or named_so else None
