"""Tables of counts, exact however large: of right and wrong answers, or of two models' labels."""

from collections.abc import Mapping
from numbers import Integral
from typing import Any

import numpy as np

from .._base.exceptions import InvalidTypeError, InvalidValueError
from .labelled import as_rows, check_square, in_one_order, right_first
from .scores import columns_of_two

MOST = 1 << 250  # so that products of four counts are floats


def as_labelled_square(name: str, table: object) -> tuple[list[list[int]], tuple[Any, ...] | None]:
    """Return a square table of counts, and the labels of its rows and columns if it has some.

    Columns are put in the order of the rows.
    """
    found = as_rows(name, table)
    check_square(name, found.rows)
    rows, labels = in_one_order(name, found)
    return as_square_counts(name, rows), labels


def as_square_counts(name: str, rows: list[list[Any]]) -> list[list[int]]:
    """Return the checked counts of a square table."""
    check_square(name, rows)
    counts = [
        [
            value
            if type(value) is int and 0 <= value < MOST
            else as_count(f"{name}[{i}, {j}]", value)
            for j, value in enumerate(row)
        ]
        for i, row in enumerate(rows)
    ]
    if not any(map(any, counts)):
        raise InvalidValueError(f"`{name}` must hold at least one case, got only counts of 0.")
    return counts


def as_four(name: str, table: object) -> tuple[int, int, int, int]:
    """Return the counts of a 2 x 2 table row by row, as Python's integers, right answers first."""
    found = as_rows(name, table)
    check_square(name, found.rows)
    if len(found.rows) != 2:
        raise InvalidValueError(
            f"`{name}` must be [[n11, n10], [n01, n00]], right answers first, got "
            f"{len(found.rows)} rows. For labels of several classes pass y_true and two "
            "predictions, or use bowker_test."
        )
    rows = as_square_counts(name, right_first(name, found))
    return (*rows[0], *rows[1])  # type: ignore[return-value]


def check_countable(table: np.ndarray[Any, Any]) -> None:
    """Raise unless the cases of a table can be drawn anew: their number fits in 63 bits."""
    if table.dtype == object:
        raise InvalidValueError("`method` must be 'asymptotic' for 2^63 cases or more.")


def as_count(name: str, value: object, least: int = 0) -> int:
    """Return a count as Python's integer, also from a whole float, or raise."""
    if isinstance(value, bool | np.bool_ | str | bytes) or not isinstance(
        value, Integral | float | np.floating
    ):
        raise InvalidTypeError(f"`{name}` must be a count, got {value!r}.")
    whole = isinstance(value, Integral) or float(value).is_integer()
    if not (whole and int(value) >= least):
        raise InvalidValueError(
            f"`{name}` must be a whole number of at least {least}, got {value!r}."
        )
    if int(value) >= MOST:
        raise InvalidValueError(f"`{name}` must be below 2^250, got a number of more digits.")
    return int(value)


def as_share(correct: object, n: object, which: str = "") -> tuple[int, int]:
    """Return x and n, with x at most n and n at least 1, or raise; `which` follows their names."""
    x, total = as_count(f"correct{which}", correct), as_count(f"n{which}", n)
    if not 0 < total >= x:
        raise InvalidValueError(
            f"`n{which}` must be at least 1 and at least `correct{which}`, got {x} of {total}."
        )
    return x, total


def as_two_shares(correct: object, n: object) -> list[tuple[int, int]]:
    """Return x and n of two samples, or raise."""
    for name, pair in (("correct", correct), ("n", n)):
        if not isinstance(pair, list | tuple | np.ndarray) or np.shape(pair) != (2,):
            raise InvalidTypeError(f"`{name}` must be two counts, one a sample, got {pair!r}.")
    pairs: Any = zip(correct, n, strict=True)  # type: ignore[call-overload]
    return [as_share(x, total, f"[{i}]") for i, (x, total) in enumerate(pairs)]


def is_table_alone(y_pred_a: object, y_pred_b: object, groups: object = None) -> bool:
    """Say whether a table of counts came in place of labels; raise if only some labels came.

    A data frame or mapping of two columns holds the labels of both models.
    """
    both = y_pred_b is not None or columns_of_two("y_pred_a", y_pred_a) is not None
    if y_pred_a is not None and both:
        return False
    if any(given is not None for given in (y_pred_a, y_pred_b, groups)):
        raise InvalidTypeError(
            "`y_true` must come with both `y_pred_a` and `y_pred_b`, or a table of counts alone: "
            "clusters need the labels."
        )
    return True


def are_counts(labels: Mapping[str, object], counts: Mapping[str, object]) -> bool:
    """Say whether counts came in place of labels; raise unless all of the one and none of both."""
    came = [[value is not None for value in kind.values()] for kind in (labels, counts)]
    if not any(all(one) and not any(other) for one, other in (came, came[::-1])):
        first, second = (" and ".join(f"`{name}`" for name in kind) for kind in (labels, counts))
        raise InvalidTypeError(f"pass {first}, or {second}, but not both.")
    return all(came[1])
