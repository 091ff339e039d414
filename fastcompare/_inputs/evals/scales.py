"""Whether the scores of logs are on one scale: answers of 0 and 1 beside scores of another one."""

from typing import NamedTuple, NoReturn

import numpy as np

from ..._base.exceptions import InvalidValueError
from ..._base.types import Integers, Vector
from .table import PlacedSheet, Table

MOST_OUTSIDE = 0.1  # of a log's answers: so few numbers beyond 0 and 1 are no scale


class Scale(NamedTuple):
    """The log of a model on a task, its distinct scores, and how often each occurs."""

    placed: PlacedSheet
    values: Vector
    counts: Integers

    @property
    def path(self) -> str:
        """The file, as messages name it."""
        return repr(self.placed.sheet.path)

    @property
    def is_binary(self) -> bool:
        """Whether the answers are wrong or right, and there are both."""
        return bool(np.array_equal(self.values, (0.0, 1.0)))

    @property
    def beyond(self) -> Vector:
        """The scores below 0 or above 1."""
        return self.values[(self.values < 0.0) | (self.values > 1.0)]


def check_scales(table: Table, metric: str) -> None:
    """Raise where scores of one metric are on two scales, in a log or between two.

    Whole numbers beyond 1 may be a scale on which another model happened to reach only 0 and 1,
    unless they leave out the 1.
    """
    scales: dict[str, list[Scale]] = {}
    for placed in table.placed:
        values, counts = np.unique(placed.scores[~np.isnan(placed.scores)], return_counts=True)
        scales.setdefault(placed.sheet.task, []).append(Scale(placed, values, counts))
    for each in scales.values():
        for scale in each:
            check_own(scale, metric)
        answers = next((scale for scale in each if scale.is_binary), None)
        others = (scale for scale in each if scale.beyond.size and 1.0 not in scale.values)
        other = next(others, None)
        if answers is not None and other is not None:
            refuse_scales(answers, other, metric)


def check_own(scale: Scale, metric: str) -> None:
    """Raise where few numbers with decimals are beyond the 0 and 1 of all other answers."""
    usual = np.isin(scale.values, (0.0, 1.0))
    few = scale.counts[~usual].sum() <= MOST_OUTSIDE * scale.counts.sum()
    beyond = scale.beyond[scale.beyond != np.floor(scale.beyond)]
    if usual.sum() == 2 and few and beyond.size:
        row = int(np.flatnonzero(scale.placed.scores == beyond[0])[0])
        item = scale.placed.sheet.ids[row]
        raise InvalidValueError(
            f"{scale.path}: the score {metric!r} of item {item!r} is {beyond[0]:g}, where almost "
            "all others are 0 or 1. Correct it in the log, or remove it and pass missing='drop'.",
            parameter=metric,
            value=float(beyond[0]),
            row=row,
        )


def refuse_scales(zero_one_scale: Scale, wider_scale: Scale, metric: str) -> NoReturn:
    """Raise since one log has scores of 0 and 1, and another scores beyond."""
    low, high = wider_scale.values.min(), wider_scale.values.max()
    raise InvalidValueError(
        f"the scores {metric!r} are 0 and 1 in {zero_one_scale.path}, and from {low:g} to "
        f"{high:g} in {wider_scale.path}: they are on different scales. Score both runs "
        "by one scorer, or divide the scores of one log so that both have one scale.",
        parameter=metric,
    )
