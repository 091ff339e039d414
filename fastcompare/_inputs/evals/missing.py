"""What is done about answers that are missing, and how many there are."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.exceptions import DroppedCasesWarning, InvalidValueError, warn
from ..._base.types import AnyArray
from .table import Table, first_three

MISSING = ("raise", "drop", "zero", "keep")


class Run(NamedTuple):
    """How many answers of a model there are, and what became of the others."""

    model: str
    format: str
    files: tuple[str, ...]
    status: str
    n_items: int  # with a score
    n_samples: int  # scored answers
    n_missing: int  # items without a score
    n_errors: int
    n_unscored: int
    n_limited: int


def runs_of(table: Table) -> tuple[Run, ...]:
    """Return the counts of each model."""
    present = scored(table)
    found = []
    for j, model in enumerate(table.models):
        own = [p for p in table.placed if p.model == j]
        errors = unscored = 0
        for placed in own:
            failed = np.asarray(placed.sheet.failed or [False] * len(placed.scores), bool)
            errors += int(np.count_nonzero(failed))
            unscored += int(np.count_nonzero(np.isnan(placed.scores) & ~failed))
        n_items = int(present[:, j].any(axis=1).sum())
        found.append(
            Run(
                model,
                own[0].sheet.format,
                tuple(dict.fromkeys(p.sheet.path for p in own)),
                next((p.sheet.status for p in own if p.sheet.status != "success"), "success"),
                n_items,
                int(present[:, j].sum()),
                len(table.keys) - n_items,
                errors,
                unscored,
                sum(p.sheet.limited for p in own),
            )
        )
    return tuple(found)


def scored(table: Table) -> NDArray[np.bool_]:
    """Return where the table has a score."""
    return np.asarray(~np.isnan(table.scores))


def kept_items(table: Table, runs: Sequence[Run], missing: str) -> NDArray[np.intp]:
    """Return which items stay, or raise; zeros stand in the table afterwards where asked for."""
    present = scored(table)
    expected: AnyArray = np.asarray(present.any(axis=0))  # samples that a model has of some item
    lacking = np.asarray(np.logical_not(present) & expected)
    gaps = np.asarray(lacking.any(axis=2) | np.logical_not(present.any(axis=2)))
    if missing == "raise" and np.any(gaps):
        refuse_gaps(table, runs, gaps)
    if missing == "zero":
        absent = np.logical_not(expected.any(axis=1, keepdims=True))
        table.scores[np.logical_not(present) & (expected | absent)] = 0.0
    if missing != "drop":
        return np.arange(len(table.keys))
    kept = np.flatnonzero(np.all(present.any(axis=2), axis=1))
    if not kept.size:
        raise InvalidValueError(
            "no item has a score of every model: are the logs of the same data set?"
        )
    dropped = len(table.keys) - kept.size
    if dropped:
        warn(
            f"{dropped} of {len(table.keys)} items are left out: a model has no score for them.",
            DroppedCasesWarning,
        )
    return kept


def refuse_gaps(table: Table, runs: Sequence[Run], gaps: AnyArray) -> None:
    """Raise with the models that miss scores, why, and the first items."""
    words = []
    for j in np.flatnonzero(gaps.any(axis=0)).tolist()[:5]:
        rows = np.flatnonzero(gaps[:, j]).tolist()
        run = runs[j]
        why = [
            f"{count} {word}"
            for count, word in ((run.n_errors, "errors"), (run.n_unscored, "unscored"))
            if count
        ]
        if run.status != "success":
            why.append(f"its status is {run.status!r}")
        items = first_three([table.keys[row][1] for row in rows])
        words.append(
            f"{run.model!r} misses {len(rows)} of {len(gaps)} ({items}{'; ' * bool(why)}"
            f"{', '.join(why)})"
        )
    raise InvalidValueError(
        f"every model must have a score for every item and sample: {'; '.join(words)}. Pass "
        "missing='drop' to compare the items that all have, or 'zero' to count the others as 0."
    )
