"""Tables of models and data sets with missing cells."""

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import DroppedCasesWarning, InvalidValueError, warn
from .models import ModelTable


def comparable_rows(table: ModelTable, rows: str, name: str = "scores") -> ModelTable:
    """Return a table without the rows that hold fewer than two scores, saying so, or raise."""
    known = ~np.isnan(table.values)
    kept = known.sum(axis=1) > 1
    dropped = int(np.count_nonzero(~kept))
    values = table.values[kept]
    if len(values) < 2:
        raise InvalidValueError(
            f"`{name}` must hold at least 2 {rows} with two scores or more, got {len(values)}."
        )
    alone = np.flatnonzero(~known[kept].any(axis=0))
    if alone.size:
        raise InvalidValueError(
            f"`{name}` must hold a score of every model beside another model's; "
            f"{table.names[alone[0]]!r} has none. Leave this model out."
        )
    if dropped:
        warn(
            f"{dropped} of {dropped + len(values)} {rows} left out: they hold one score or none.",
            DroppedCasesWarning,
        )
    return table._replace(values=values, n_dropped=dropped)


def check_balanced(known: NDArray[np.bool_], names: tuple[str, ...], name: str = "scores") -> None:
    """Raise unless the known cells are a balanced incomplete block design.

    All rows hold as many scores, all models have as many, and all pairs of models share as many
    rows.
    """
    together = known.T.astype(np.int64) @ known
    i, j = np.triu_indices(len(names), 1)
    pairs = [f"the pair {names[a]!r} and {names[b]!r}" for a, b in zip(i, j, strict=True)]
    counts = {
        "row": (known.sum(axis=1), [f"row {row}" for row in range(len(known))]),
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
    if known.sum(axis=1)[0] < 2:
        raise InvalidValueError(f"`{name}` must hold at least two scores in every row.")
