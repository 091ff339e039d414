"""Tables of models and data sets with missing cells."""

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import DroppedCasesWarning, InvalidValueError, warn
from .._base.types import Integers
from .models import ModelTable


def comparable_rows(
    table: ModelTable, sizes: Integers, rows: str, name: str = "scores"
) -> ModelTable:
    """Return a table without the rows that hold fewer than two scores, saying so, or raise.

    `sizes` (N,) are how many scores each row has.
    """
    kept = sizes > 1
    dropped = kept.size - int(np.count_nonzero(kept))
    values = table.values[kept] if dropped else table.values
    if len(values) < 2:
        raise InvalidValueError(
            f"`{name}` must hold at least 2 {rows} with two scores or more, got {len(values)}."
        )
    alone = np.isnan(values).all(axis=0)
    if alone.any():
        raise InvalidValueError(
            f"`{name}` must hold a score of every model beside another model's; "
            f"{table.names[alone.argmax()]!r} has none. Leave this model out."
        )
    if dropped:
        warn(
            f"{dropped} of {dropped + len(values)} {rows} left out: they hold one score or none.",
            DroppedCasesWarning,
        )
    return table._replace(values=values, n_dropped=dropped)


def check_balanced(
    known: NDArray[np.bool_], sizes: Integers, names: tuple[str, ...], name: str = "scores"
) -> None:
    """Raise unless the known cells are a balanced incomplete block design.

    All rows hold as many scores, which `sizes` (N,) are, all models have as many, and all pairs of
    models share as many rows.
    """
    cells = known.astype(np.float64)  # whose product takes a hundredth of that of integers
    together = cells.T @ cells  # exact: counts of rows are far below 2^53
    shared = np.where(np.eye(len(names), dtype=bool), together[0, 1], together)
    if (sizes != sizes[0]).any() or np.ptp(np.diag(together)) or np.ptp(shared):
        refuse_unbalanced(name, sizes, together.astype(np.int64), names)
    if sizes[0] < 2:
        raise InvalidValueError(f"`{name}` must hold at least two scores in every row.")


def refuse_unbalanced(
    name: str, sizes: Integers, together: Integers, names: tuple[str, ...]
) -> None:
    """Raise, saying which rows, models or pairs of models differ; `together` counts rows (k, k)."""
    i, j = np.triu_indices(len(names), 1)
    pairs = [f"the pair {names[a]!r} and {names[b]!r}" for a, b in zip(i, j, strict=True)]
    counts = {
        "row": (sizes, [f"row {row}" for row in range(sizes.size)]),
        "model": (np.diag(together), [repr(model) for model in names]),
        "pair of models": (together[i, j], pairs),
    }
    for what, (found, labels) in counts.items():
        other = np.flatnonzero(found != found[0])
        if other.size:
            raise InvalidValueError(
                f"`{name}` must have as many scores for every {what}; {labels[0]} has {found[0]} "
                f"and {labels[other[0]]} has {found[other[0]]}. Use skillings_mack_test, which "
                "takes any pattern of missing cells."
            )
