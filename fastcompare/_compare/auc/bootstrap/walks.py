"""Bootstrap replicates of AUCs: which units are drawn, and a walk along each model's cases."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...._base.parallel import Checkpoint, no_checkpoint
from ...._base.types import Vector
from ...._inference.clusters import NORMAL_DF
from ...._inputs.cases import Cases
from ...._inputs.options import check_flag
from ...._resampling.weights import Weights, slices
from ....kernels.drawing.philox import LANES
from ....kernels.replicates import (
    count_units,
    delong_errors,
    place_steps,
    sum_squares,
    win_steps,
)
from ....kernels.walks import walk_steps
from ..delong.clustered import as_clustered

NO_COUNTS = np.empty((0, 2), np.uint64)  # of units, where all replicates have the same classes


class Walk(NamedTuple):
    """One model's cases from its lowest score up, as `kernels.replicates` takes them."""

    rows: NDArray[np.int64]
    runs: NDArray[np.int64]


class Units(NamedTuple):
    """What replicates draw: the row of weights of every case, and the strata of the rows."""

    rows: NDArray[np.int64]
    sizes: tuple[int, ...]
    title: str


def class_sizes(cases: Cases) -> tuple[int, int]:
    """Return the numbers of positives and negatives."""
    m = int(np.count_nonzero(cases.labels.view(np.bool_)))
    return m, cases.labels.size - m


def units_of(cases: Cases, stratified: bool) -> Units:
    """Return the units: cases of each class (stratified), all cases alike, or whole groups."""
    check_flag("stratified", stratified)
    size = cases.labels.size
    if cases.groups is not None:
        return Units(cases.groups, (int(cases.groups.max()) + 1,), "whole groups")
    if not stratified:
        return Units(np.arange(size), (size,), "unstratified")
    rows = np.empty(size, np.int64)
    positive, (m, n) = cases.labels.view(np.bool_), class_sizes(cases)
    rows[positive], rows[~positive] = np.arange(m), np.arange(m, size)
    return Units(rows, (m, n), "stratified")


def grouped_status(cases: Cases, word: str) -> str:
    """Return the status word, 'few_clusters' in its place where drawn groups are few in effect."""
    if cases.groups is None or word not in ("ok", "small_sample"):
        return word
    df = as_clustered(cases.labels, cases.groups).df
    return "ok" if df >= NORMAL_DF else "few_clusters"


def walk_of(labels: NDArray[np.uint8], scores: Vector, case_rows: NDArray[np.int64]) -> Walk:
    """Return the walk of one model."""
    room = 2 * scores.size
    scratch, rows = np.empty(room, np.uint64), np.empty(room, np.int64)
    runs = np.empty((room, 2), np.int64)
    steps, used = walk_steps(scores, labels, case_rows, scratch, rows, runs)
    return Walk(rows[:steps].copy(), runs[:used].copy())


def run_at(walk: Walk, step: int) -> int:
    """Return the run that holds a step."""
    return int(np.searchsorted(walk.runs[:, 0], step, "right"))


@dataclass(frozen=True, slots=True)
class Wins:
    """Statistic: 2mn AUC of every model, and negatives and positives, (k + 2, 64) whole numbers.

    `classes` are the negatives and positives of all replicates, or None where they vary; then
    `counts` (units, 2) are those of each unit.
    """

    walks: tuple[Walk, ...]
    counts: NDArray[np.uint64]
    classes: tuple[int, int] | None

    def __call__(self, weights: Weights, checkpoint: Checkpoint) -> NDArray[np.uint64]:
        """Return the numbers of 64 replicates."""
        out = np.zeros((len(self.walks) + 2, LANES), np.uint64)
        if self.classes:
            out[-2:] = np.array(self.classes)[:, None]
        for part in () if self.classes else slices(len(weights)):
            checkpoint()
            count_units(weights[part], self.counts[part], out[-2:])
        for walk, won in zip(self.walks, out[:-2], strict=True):
            below = np.zeros(LANES, np.uint64)
            for part in slices(walk.rows.size):
                checkpoint()
                run = run_at(walk, part.start)
                win_steps(walk.rows, walk.runs, run, weights, part.start, part.stop, below, won)
        return out

    def on_data(self) -> list[int]:
        """Return 2mn AUC of every model of the data: all cases are one unit, of weight 1."""
        walks = tuple(walk._replace(rows=np.zeros_like(walk.rows)) for walk in self.walks)
        whole = Wins(walks, NO_COUNTS, (0, 0))(np.ones((1, LANES), np.uint8), no_checkpoint)
        won: list[int] = whole[:-2, 0].tolist()
        return won


@dataclass(frozen=True, slots=True)
class DifferenceErrors:
    """Statistic: the same of two models, and DeLong's standard error of AUC_a - AUC_b, (5, 64)."""

    wins: Wins
    labels: NDArray[np.uint8]

    def __call__(self, weights: Weights, checkpoint: Checkpoint) -> Vector:
        """Return the numbers of 64 replicates."""
        out = np.empty((5, LANES))
        out[:4] = self.wins(weights, checkpoint)
        n, m = out[2], out[3]
        placed = np.zeros(weights.shape, np.int32)
        for walk, sign in zip(self.wins.walks, (1, -1), strict=True):
            below, above = np.zeros(LANES, np.int32), m.astype(np.int32)
            for part in slices(walk.rows.size):
                checkpoint()
                run = run_at(walk, part.start)
                place_steps(*walk, run, weights, part.start, part.stop, sign, below, above, placed)
        sums = np.zeros((2, 2, LANES))
        for part in slices(len(weights)):
            checkpoint()
            sum_squares(placed[part], weights[part], self.labels[part], sums)
        delong_errors(sums, m, n, out[4])
        return out


def wins_of(cases: Cases, units: Units) -> Wins:
    """Return the statistic of all models of the cases."""
    walks = tuple(walk_of(cases.labels, scores, units.rows) for scores in cases.scores)
    if len(units.sizes) == 2:
        return Wins(walks, NO_COUNTS, (units.sizes[1], units.sizes[0]))
    counts = np.zeros((sum(units.sizes), 2), np.uint64)
    np.add.at(counts, (units.rows, cases.labels.astype(np.int64)), np.uint64(1))
    return Wins(walks, counts, None)
