"""Tables of one metric: folds or data sets in rows, models in columns.

Cells may be missing where a test supports that; a balanced incomplete block design has as many
scores in every row, of every model and of every pair of models. Integers beyond 2^53 are compared
exactly. A pair of columns, or one column of their differences, is such a table of two models.
Contrasts of models are rows of coefficients that sum to 0.
"""

from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._adapters.frames import check_indexes
from .._base.exceptions import (
    DroppedCasesWarning,
    InvalidValueError,
    invalid_type,
    invalid_value,
    warn,
)
from .._base.text import amount
from .._base.types import Integers, Matrix, Vector
from .arrays import (
    FLOAT64,
    Column,
    Numbers,
    as_column,
    as_float_array,
    exact_columns,
    exact_differences,
    exact_order,
    holds_wide_integers,
    read_once,
    refuse_illegal,
    refuse_list_of_columns,
)
from .options import check_choice
from .scores import (
    UNNAMED,
    Pair,
    as_names,
    by_title,
    columns_of_two,
    find_missing,
    is_plain,
    leave_out,
    model_columns,
    named_columns,
    named_pair,
    names_by_number,
)


class ModelTable(NamedTuple):
    """Values (rows, models), the names of the models, and how many rows are left out.

    `exact` are the values as Python numbers where float64 would merge integers.
    """

    values: Matrix
    names: tuple[str, ...]
    n_dropped: int
    exact: Numbers | None = None

    @property
    def order_values(self) -> Matrix:
        """The values, or numbers in their order where float64 would merge some."""
        return self.values if self.exact is None else exact_order(self.exact)

    @property
    def columns(self) -> dict[str, NDArray[Any]]:
        """The columns by name, integers that float64 would merge as Python's."""
        named = dict(zip(self.names, self.values.T, strict=True))
        if self.exact is not None:
            for name, column in zip(self.names, self.exact.T, strict=True):
                if all(isinstance(x, int) for x in column.tolist()):
                    named[name] = column
        return named

    @property
    def relative(self) -> Matrix:
        """The values; the values minus the first model's where float64 would merge integers.

        Differences between models are the same for both.
        """
        if self.exact is None:
            return self.values
        return np.asarray(self.exact - self.exact[:, :1], dtype=FLOAT64)


def as_model_table(
    scores: object,
    *,
    rows: str,
    nan_policy: str = "raise",
    keep_missing: bool = False,
    least_rows: int = 2,
    least_models: int = 2,
    finite: bool = True,
    name: str = "scores",
) -> ModelTable:
    """Return the checked table of an array, a mapping from names to columns, or a data frame.

    `rows` is what messages call rows: 'data sets', 'rounds'. Rows with a missing value are refused,
    or left out for all models ('omit'), or kept as NaN (`keep_missing`). Where `finite` is False
    only the order counts: infinite numbers are legal, and integers beyond 2^53 become their dense
    ranks.
    """
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    scores = read_once(scores)
    values, names = as_matrix(name, scores, rows, by_order=not finite)
    exact = exact_table(name, scores) if finite else None
    missing = np.isnan(values)
    dropped = 0
    if missing.any() and not keep_missing:
        if nan_policy == "raise":
            refuse_missing_cells(name, missing, names, rows)
        complete = ~missing.any(axis=1)
        dropped = int(np.count_nonzero(~complete))
        values = values[complete]
        exact = None if exact is None else exact[complete]
    check_size(name, values, rows, least_rows, least_models)
    if finite and np.isinf(values).any():
        row, model = np.argwhere(np.isinf(values))[0]
        raise invalid_value(
            name,
            "must contain finite numbers",
            end=f", got {values[row, model]:g} of {names[model]!r} in row {row}. Drop this row.",
            row=row,
        )
    if dropped:
        warn(
            f"{dropped} of {dropped + len(values)} {rows} dropped: missing values.",
            DroppedCasesWarning,
        )
    plain = values if is_plain(values) else np.array(values, dtype=FLOAT64, order="C")
    return ModelTable(plain, names, dropped, exact)


def as_model_tables(name: str, scores: object) -> Matrix:
    """Return scores (B, J, k), a table for each problem, as C-ordered float64, or raise.

    Kernels find numbers that are not finite.
    """
    tables = as_float_array(name, scores)
    if tables.ndim != 3 or not tables.size or min(tables.shape[1:]) < 2:
        raise invalid_value(
            name,
            "must have shape (B, J, k) with at least two rounds J and two models k",
            tables.shape,
        )
    return tables if is_plain(tables) else np.array(tables, dtype=np.float64, order="C")


def refuse_undefined(name: str, table: Matrix, problem: int) -> None:
    """Raise since the table of a problem has a number that is not finite, or too wide a range."""
    wrong = np.argwhere(~np.isfinite(table))
    if wrong.size:
        row, model = wrong[0]
        raise invalid_value(
            name,
            "must contain finite numbers",
            end=f", got {table[row, model]:g} of model {model} in round {row} of problem "
            f"{problem}: a batch cannot drop rounds.",
        )
    raise invalid_value(
        name, f"has differences that exceed float64 in problem {problem}", end=": divide by 2."
    )


def check_three_models(table: ModelTable, name: str = "scores") -> None:
    """Raise for two models, which a paired test compares at least as well."""
    if len(table.names) < 3:
        raise invalid_value(
            name,
            "must contain at least 3 models",
            end=", got 2. Compare two models by wilcoxon_test (Wilcoxon's signed rank test) "
            "or by sign_test.",
        )


def as_matrix(
    name: str, scores: object, rows: str, *, by_order: bool = False
) -> tuple[Matrix, tuple[str, ...]]:
    """Return the scores as a matrix with a column for each model, and the names; or raise.

    Where only the order counts (`by_order`), integers beyond 2^53 become dense ranks.
    """
    named = model_columns(name, scores)
    if named is None:
        refuse_list_of_columns(name, scores)
        values = as_float_array(name, scores)
        if values.ndim != 2:
            raise invalid_value(
                name,
                f"must be a table with {rows} in rows and models in columns",
                values.shape,
                show=", got shape {!r}",
            )
        names = as_names(name, names_by_number(values.shape[1]))
        ranks = dense_ranks_of_wide([as_column(name, scores)]) if by_order else None
        return values if ranks is None else ranks[:, :, 0], names
    check_indexes([(f"{name}[{label!r}]", column) for label, column in named.items()])
    columns = [as_float_array(f"{name}[{label!r}]", column) for label, column in named.items()]
    for label, column in zip(named, columns, strict=True):
        if column.ndim != 1 or column.size != columns[0].size:
            raise invalid_value(
                name,
                f"must have a column of {columns[0].size} numbers for each model",
                end=f", got shape {column.shape} for {label!r}.",
            )
    ranks = None
    if by_order:
        ranks = dense_ranks_of_wide([as_column(name, column) for column in named.values()])
    return np.stack(columns, axis=1) if ranks is None else ranks, tuple(named)


def exact_table(name: str, scores: object) -> Numbers | None:
    """Return a table as Python numbers if it has integers beyond 2^50, else None.

    Float64 may round differences of such integers. Missing and infinite values become 0, and are
    for the caller to mask.
    """
    named = named_columns(name, scores)
    parts = [scores] if named is None else list(named.values())  # a matrix, or its columns
    exact_parts = exact_columns([as_column(name, values) for values in parts])
    if exact_parts is None:
        return None
    return exact_parts[0] if named is None else np.stack(exact_parts, axis=1)


def dense_ranks_of_wide(columns: list[Column]) -> NDArray[np.float64] | None:
    """Return dense ranks of all values together if some are integers beyond 2^53, else None.

    The columns, or one table, are along the last axis. Python compares integers and floats exactly,
    where float64 would merge some.
    """
    if not any(holds_wide_integers(values) for values, _ in columns):
        return None
    objects = np.stack([values.astype(object) for values, _ in columns], axis=-1)
    missing = np.stack([find_nan(column) for column in columns], axis=-1)
    objects[missing] = 0
    ranks = np.unique(objects, return_inverse=True)[1].reshape(objects.shape).astype(np.float64)
    ranks[missing] = np.nan
    return ranks


def find_nan(column: Column) -> NDArray[np.bool_]:
    """Return which values of a column are missing or NaN, of whatever type it is."""
    values, missing = column
    nan = values != values if values.dtype.kind == "f" else np.zeros(values.shape, bool)
    return np.asarray(nan if missing is None else nan | missing)


def refuse_missing_cells(
    name: str, missing: NDArray[np.bool_], names: tuple[str, ...], rows: str
) -> None:
    """Raise, saying how many values are missing, where the first one is, and how to go on."""
    row, model = np.argwhere(missing)[0]
    advice = f"Drop these {rows}, or pass nan_policy='omit'."
    if np.count_nonzero(~missing.any(axis=1)) < 2:  # nothing to compare would be left
        worst = int(missing.sum(axis=0).argmax())
        advice = (
            f"Hardly any of the {rows} has no missing value: leave out {names[worst]!r}, which "
            f"misses {np.count_nonzero(missing[:, worst])} of {len(missing)}"
        )
        n_failed = np.count_nonzero(missing.all(axis=0))
        n_fitted = len(names) - n_failed
        if name == "cv_results" and 1 < n_fitted < len(names):
            advice += f": pass top={n_fitted}, since candidates that failed come last."
        else:
            advice += "."
    raise invalid_value(
        name,
        f"has {amount(int(np.count_nonzero(missing)), 'missing value')} (NaN), the first of "
        f"{names[model]!r} in row {row}",
        end=f". {advice}",
        row=row,
    )


def check_size(name: str, values: Matrix, rows: str, least_rows: int, least_models: int) -> None:
    """Raise unless there are enough rows and models."""
    shape = values.shape
    for count, least, what in zip(shape, (least_rows, least_models), (rows, "models"), strict=True):
        if count < least:
            raise invalid_value(
                name,
                f"must contain at least {least} {what} without missing values",
                count,
                show=", got {}",
            )


def as_model(name: str, value: object, names: tuple[str, ...]) -> int:
    """Return the index of a model that is given by its name or its index, or raise."""
    if isinstance(value, str):
        check_choice(name, value, names)
        return names.index(value)
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise invalid_type(name, "must be the name or index of a model", value)
    index = int(value)
    if not 0 <= index < len(names):
        raise invalid_value(
            name, f"must be an index from 0 to {len(names) - 1}", index, show=", got {}"
        )
    return index


def comparable_rows(
    table: ModelTable, n_scores: Integers, rows: str, name: str = "scores"
) -> ModelTable:
    """Return a table without the rows of fewer than two scores, with a warning, or raise.

    `n_scores` (N,) are the numbers of scores of the rows; `rows` is what messages call them.
    """
    comparable = n_scores > 1
    dropped = comparable.size - int(np.count_nonzero(comparable))
    values = table.values[comparable] if dropped else table.values
    if len(values) < 2:
        raise invalid_value(
            name, f"must contain at least 2 {rows} with two scores or more", len(values)
        )
    alone = np.isnan(values).all(axis=0)
    if alone.any():
        raise invalid_value(
            name,
            "must contain, for every model, a score on a data set with another model's; "
            f"{table.names[alone.argmax()]!r} has none. Drop this model.",
            end="",
        )
    if dropped:
        warn(
            f"{dropped} of {dropped + len(values)} {rows} dropped: fewer than two scores.",
            DroppedCasesWarning,
        )
    return table._replace(values=values, n_dropped=dropped)


def check_balanced(
    observed: NDArray[np.bool_], n_scores: Integers, names: tuple[str, ...], name: str = "scores"
) -> None:
    """Raise unless the observed cells (N, k) are a balanced incomplete block design.

    `n_scores` (N,) are the numbers of scores of the rows. They must be equal, as must be the
    numbers of scores of the models, and the numbers of rows that two models share.
    """
    cells = observed.astype(np.float64)  # a product of floats takes a hundredth of one of integers
    concurrences = cells.T @ cells  # exact: counts of rows are far below 2^53
    # of pairs: the diagonal, which counts the scores of a model, gets the value of the first pair
    of_pairs = np.where(np.eye(len(names), dtype=bool), concurrences[0, 1], concurrences)
    if (n_scores != n_scores[0]).any() or np.ptp(np.diag(concurrences)) or np.ptp(of_pairs):
        refuse_unbalanced(name, n_scores, concurrences.astype(np.int64), names)
    if n_scores[0] < 2:
        raise invalid_value(name, "must contain at least two scores in every row")


def refuse_unbalanced(
    name: str, n_scores: Integers, concurrences: Integers, names: tuple[str, ...]
) -> None:
    """Raise, saying which rows, models or pairs of models differ.

    `concurrences` (k, k) are how many rows two models share.
    """
    i, j = np.triu_indices(len(names), 1)
    pairs = [f"the pair {names[a]!r} and {names[b]!r}" for a, b in zip(i, j, strict=True)]
    counts = {
        "row": (n_scores, [f"row {row}" for row in range(n_scores.size)]),
        "model": (np.diag(concurrences), [repr(model) for model in names]),
        "pair of models": (concurrences[i, j], pairs),
    }
    for what, (numbers, labels) in counts.items():
        differing = np.flatnonzero(numbers != numbers[0])
        if differing.size:
            other = differing[0]
            raise invalid_value(
                name,
                f"must have the same number of scores for every {what}",
                end=f"; {labels[0]} has {numbers[0]} and {labels[other]} has "
                f"{numbers[other]}. Use skillings_mack_test, which allows any pattern of "
                "missing scores.",
            )


class Pairs(NamedTuple):
    """Differences (n,), the one or two columns that they come from, and how many pairs are dropped.

    One column has differences, as if scores against 0. Where float64 would merge integers, `exact`
    are dense ranks of the absolute differences.
    """

    differences: Vector
    columns: list[Vector]
    n_dropped: int
    names: tuple[str, str] = UNNAMED
    exact: Vector | None = None


def as_pairs(scores_a: object, scores_b: object = None, *, nan_policy: str = "raise") -> Pairs:
    """Return the checked differences of two columns or of a table of two, or one column of them."""
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    scores_a, scores_b = read_once(scores_a), read_once(scores_b)
    pair = two_columns(scores_a, scores_b)
    titled = by_title("scores", pair, scores_b is None) if pair else {"scores_a": scores_a}
    columns = [as_numbers_or_infinite(name, values) for name, values in titled.items()]
    if len({column.size for column in columns}) > 1:
        raise InvalidValueError(
            "`scores_a` and `scores_b` must be equally long, got "
            f"{columns[0].size} and {columns[1].size}.",
            parameter="scores_a",
        )
    check_indexes(list(titled.items()))
    names = UNNAMED if pair is None else pair.names
    exact = exact_columns([as_column(name, values) for name, values in titled.items()])
    if exact is None:
        differences = first_less_second(columns)
        if np.isfinite(differences).all():  # then the columns are finite, too
            return Pairs(differences, columns, 0, names)
    for name, column in zip(titled, columns, strict=True):
        check_finite(name, column)
    missing = find_missing([], columns, tuple(titled), nan_policy)
    dropped = 0
    if missing is not None:
        dropped = leave_out(missing)
        columns = [column[~missing] for column in columns]
        exact = exact and [column.ravel()[~missing] for column in exact]
    if exact is not None:
        d, sizes = exact_differences(exact[0].ravel(), exact[1].ravel() if pair else 0)
        return Pairs(d, columns, dropped, names, sizes)
    return Pairs(finite_differences(columns), columns, dropped, names)


def finite_differences(columns: list[Vector]) -> Vector:
    """Return the differences of finite columns, or raise if one exceeds the range of float64."""
    differences = first_less_second(columns)
    if not np.isfinite(differences).all():
        raise invalid_value(
            "scores_a",
            "- `scores_b` exceeds the range of float64",
            end=": divide both by 2 or more.",
        )
    return differences


@np.errstate(over="ignore", invalid="ignore")
def first_less_second(columns: list[Vector]) -> Vector:
    """Return the differences of two columns; of only one a copy, for it has differences."""
    return columns[0].copy() if len(columns) == 1 else columns[0] - columns[1]


def two_columns(scores_a: object, scores_b: object) -> Pair | None:
    """Return the scores of two models; None for a single column, which holds differences."""
    if scores_b is None:
        return columns_of_two("scores_a", scores_a)
    return named_pair("scores", scores_a, scores_b)


def as_pair_table(scores: object, *, nan_policy: str = "raise") -> ModelTable:
    """Return the checked scores of at least two models, a row a data set."""
    table = as_model_table(scores, rows="data sets", nan_policy=nan_policy)
    with np.errstate(over="ignore"):  # of all first: of each row it takes far longer
        too_wide = np.isinf(np.ptp(table.values)) and np.isinf(np.ptp(table.values, axis=1)).any()
    if too_wide:
        raise InvalidValueError(
            "differences of `scores` exceed the range of float64: divide all by 2 or more.",
            parameter="scores",
        )
    return table


def as_numbers(name: str, values: object) -> Vector:
    """Return at least one number, finite or NaN, as 1-d float64, or raise."""
    column = as_numbers_or_infinite(name, values)
    check_finite(name, column)
    return column


def as_numbers_or_infinite(name: str, values: object) -> Vector:
    """Return at least one number as 1-d float64, or raise."""
    column = as_float_array(name, values)
    if column.ndim == 2 and column.shape[1] == 1:
        column = column.ravel()
    if column.ndim == 0:
        raise invalid_value(
            name,
            "must be 1-d",
            float(column),
            ". For a model that always has this score, repeat it: np.full(n, "
            f"{float(column):g}) for n scores.",
            show=", got the number {:g}",
        )
    if column.ndim != 1:
        raise invalid_value(name, "must be 1-d", column.shape, show=", got shape {!r}")
    if column.size == 0:
        raise invalid_value(name, "must contain at least one number", end=", got 0.")
    return column


def check_finite(name: str, column: Vector) -> None:
    """Raise if a number is infinite; NaN may be."""
    way = ". Drop these pairs."
    refuse_illegal(name, "contain finite numbers", column, ~np.isinf(column), way)


def as_contrast(contrast: object, k: int) -> Matrix:
    """Return the contrast matrix (r, k), by default each other model less the first, or raise."""
    if contrast is None:
        return np.hstack([-np.ones((k - 1, 1)), np.eye(k - 1)])
    rows = np.atleast_2d(as_float_array("contrast", contrast))
    if rows.ndim != 2 or rows.shape[1] != k or not rows.size:
        raise invalid_value("contrast", f"must have shape (r, {k})", rows.shape)
    if not np.isfinite(rows).all():
        raise invalid_value("contrast", "must contain finite numbers")
    largest = abs(rows).max(axis=1)
    # divided by their largest coefficient, so that rounding is judged alike for rows of any size
    if not largest.all() or (abs((rows / largest[:, None]).sum(axis=1)) > 1e-9).any():
        raise InvalidValueError(
            "each row of `contrast` must sum to 0 and must not be all 0.", parameter="contrast"
        )
    return rows
