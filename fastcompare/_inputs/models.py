"""Tables of one metric: folds or data sets in rows, models in columns."""

from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import DroppedCasesWarning, InvalidTypeError, InvalidValueError, warn
from .._base.types import Matrix
from .arrays import FLOAT64, Column, as_column, as_float_array, holds_wide_integers, read_once
from .cases import check_indexes
from .exact import Numbers, exact_columns, exact_order
from .options import check_choice
from .scores import as_names, is_plain, named_columns


class ModelTable(NamedTuple):
    """Values (rows, models), the names of the models, and how many rows are left out.

    `exact` are the values as Python numbers where float64 would merge integers.
    """

    values: Matrix
    names: tuple[str, ...]
    n_dropped: int
    exact: Numbers | None = None

    @property
    def ordered(self) -> Matrix:
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
    def apart(self) -> Matrix:
        """The values, or less the first model's where float64 would merge integers.

        Differences of models are the same, and near to exact.
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
    """Return the checked table; `rows` says what a row is, in the plural: 'data sets', 'rounds'.

    An array, a mapping from names to columns or a data frame. Rows that miss a value are refused,
    or left out for all models ('omit'), or kept as NaN (`keep_missing`). Where `finite` is False
    only the order counts: infinite numbers are legal, and wide integers become their dense ranks.
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
        raise InvalidValueError(
            f"`{name}` must hold finite numbers, got {values[row, model]:g} of {names[model]!r} "
            f"in row {row}. Leave this row out."
        )
    if dropped:
        warn(
            f"{dropped} of {dropped + len(values)} {rows} left out: they miss a value.",
            DroppedCasesWarning,
        )
    plain = values if is_plain(values) else np.array(values, dtype=FLOAT64, order="C")
    return ModelTable(plain, names, dropped, exact)


def as_model_tables(name: str, scores: object) -> Matrix:
    """Return (B, J, k) scores with a table each problem as C-ordered float64; kernels find NaN."""
    tables = as_float_array(name, scores)
    if tables.ndim != 3 or not tables.size or min(tables.shape[1:]) < 2:
        raise InvalidValueError(
            f"`{name}` must have shape (B, J, k) with at least two rounds J and two models k, got "
            f"{tables.shape}."
        )
    return tables if is_plain(tables) else np.array(tables, dtype=np.float64, order="C")


def refuse_undefined(name: str, table: Matrix, problem: int) -> None:
    """Raise since this table has a number that is not finite, or numbers of too different sizes."""
    wrong = np.argwhere(~np.isfinite(table))
    if wrong.size:
        row, model = wrong[0]
        raise InvalidValueError(
            f"`{name}` must hold finite numbers, got {table[row, model]:g} of model {model} in "
            f"round {row} of problem {problem}: a batch leaves no rounds out."
        )
    raise InvalidValueError(
        f"`{name}` has differences that float64 does not hold in problem {problem}: divide by 2."
    )


def check_three_models(table: ModelTable, name: str = "scores") -> None:
    """Raise for two models, which tests of several would not compare better than a paired one."""
    if len(table.names) < 3:
        raise InvalidValueError(
            f"`{name}` must hold at least 3 models, got 2. Compare two models by wilcoxon_test "
            "(Wilcoxon's signed rank test) or by sign_test."
        )


def as_matrix(
    name: str, scores: object, rows: str, *, by_order: bool = False
) -> tuple[Matrix, tuple[str, ...]]:
    """Return a matrix with a column a model and the names, or raise."""
    named = named_columns(name, scores)
    if named is None:
        values = as_float_array(name, scores)
        if values.ndim != 2:
            raise InvalidValueError(
                f"`{name}` must be a table with {rows} in rows and models in columns, got shape "
                f"{values.shape}."
            )
        names = as_names(name, [f"model {j + 1}" for j in range(values.shape[1])])
        exact = in_exact_order([as_column(name, scores)]) if by_order else None
        return values if exact is None else exact[:, :, 0], names
    check_indexes([(f"{name}[{label!r}]", column) for label, column in named.items()])
    columns = [as_float_array(f"{name}[{label!r}]", column) for label, column in named.items()]
    for label, column in zip(named, columns, strict=True):
        if column.ndim != 1 or column.size != columns[0].size:
            raise InvalidValueError(
                f"`{name}` must have a column of {columns[0].size} numbers for each model, got "
                f"shape {column.shape} for {label!r}."
            )
    exact = None
    if by_order:
        exact = in_exact_order([as_column(name, column) for column in named.values()])
    return np.stack(columns, axis=1) if exact is None else exact, tuple(named)


def exact_table(name: str, scores: object) -> Numbers | None:
    """Return a table's values as Python numbers if it holds integers that float64 would merge."""
    named = named_columns(name, scores)
    given = [scores] if named is None else list(named.values())
    columns = exact_columns([as_column(name, values) for values in given])
    if columns is None:
        return None
    return columns[0] if named is None else np.stack(columns, axis=1)


def in_exact_order(columns: list[Column]) -> NDArray[np.float64] | None:
    """Return dense ranks of all values together where float64 would merge integers, else None.

    The columns are along the last axis. Python compares integers and floats exactly.
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
    """Say which values of a column are missing, of whatever type it is."""
    values, missing = column
    nan = values != values if values.dtype.kind == "f" else np.zeros(values.shape, bool)
    return np.asarray(nan if missing is None else nan | missing)


def refuse_missing_cells(
    name: str, missing: NDArray[np.bool_], names: tuple[str, ...], rows: str
) -> None:
    """Raise, saying how many values are missing and where the first one is."""
    row, model = np.argwhere(missing)[0]
    raise InvalidValueError(
        f"`{name}` has {np.count_nonzero(missing)} missing values (NaN), the first of "
        f"{names[model]!r} in row {row}. Drop these {rows}, or pass nan_policy='omit'."
    )


def check_size(name: str, values: Matrix, rows: str, least_rows: int, least_models: int) -> None:
    """Raise unless there are enough rows and models."""
    found = values.shape
    for count, least, what in zip(found, (least_rows, least_models), (rows, "models"), strict=True):
        if count < least:
            raise InvalidValueError(
                f"`{name}` must hold at least {least} {what} without missing values, got {count}."
            )


def as_model(name: str, value: object, names: tuple[str, ...]) -> int:
    """Return the index of a model that is given by its name or its index, or raise."""
    if isinstance(value, str):
        check_choice(name, value, names)
        return names.index(value)
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise InvalidTypeError(f"`{name}` must be the name or index of a model, got {value!r}.")
    index = int(value)
    if not 0 <= index < len(names):
        raise InvalidValueError(
            f"`{name}` must be an index from 0 to {len(names) - 1}, got {index}."
        )
    return index
