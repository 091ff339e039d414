"""Whether the scores of logs are on one scale: answers of 0 and 1 beside scores of another one."""

from typing import NamedTuple, NoReturn

import numpy as np

from ..._base.exceptions import InvalidValueError
from ..._base.types import Integers, Vector
from .table import PlacedSheet, Table

MOST_OUTSIDE = 0.1  # of a log's answers: so few numbers other than 0 and 1 are no scale


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
    def scores_outside(self) -> Vector:
        """The distinct scores below 0 or above 1."""
        return self.values[(self.values < 0.0) | (self.values > 1.0)]


def check_scales(table: Table, metric: str) -> None:
    """Raise where scores of one metric are on two scales, in a log or between two of a task.

    A log with scores outside of 0 to 1 is on another scale than one of zeros and ones if it has no
    1: else the model of the latter may have reached only 0 and 1 on the same scale.
    """
    scales: dict[str, list[Scale]] = {}
    for placed in table.placed:
        values, counts = np.unique(placed.scores[~np.isnan(placed.scores)], return_counts=True)
        scales.setdefault(placed.sheet.task, []).append(Scale(placed, values, counts))
    for task_scales in scales.values():
        for scale in task_scales:
            check_outliers(scale, metric)
        binary = next((scale for scale in task_scales if scale.is_binary), None)
        wider = (s for s in task_scales if s.scores_outside.size and 1.0 not in s.values)
        first_wider = next(wider, None)
        if binary is not None and first_wider is not None:
            refuse_scales(binary, first_wider, metric)


def check_outliers(scale: Scale, metric: str) -> None:
    """Raise for a fraction below 0 or above 1 in a log whose answers are nearly all 0 or 1."""
    is_usual = np.isin(scale.values, (0.0, 1.0))
    are_few = scale.counts[~is_usual].sum() <= MOST_OUTSIDE * scale.counts.sum()
    fractions = scale.scores_outside[scale.scores_outside != np.floor(scale.scores_outside)]
    if is_usual.sum() == 2 and are_few and fractions.size:
        outlier = float(fractions[0])
        row = int(np.flatnonzero(scale.placed.scores == outlier)[0])
        item = scale.placed.sheet.ids[row]
        raise InvalidValueError(
            f"{scale.path}: the score {metric!r} of item {item!r} is {outlier:g}, where almost "
            "all others are 0 or 1. Correct it in the log, or remove it and pass missing='drop'.",
            parameter=metric,
            value=outlier,
            row=row,
        )


def refuse_scales(zero_one_scale: Scale, wider_scale: Scale, metric: str) -> NoReturn:
    """Raise since one log has scores of 0 and 1, and another has scores outside of these."""
    low, high = wider_scale.values.min(), wider_scale.values.max()
    raise InvalidValueError(
        f"the scores {metric!r} are 0 and 1 in {zero_one_scale.path}, and from {low:g} to "
        f"{high:g} in {wider_scale.path}: they are on different scales. Score both runs "
        "by one scorer, or divide the scores of one log so that both have one scale.",
        parameter=metric,
    )
