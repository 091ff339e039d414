"""Bootstrap replicates of AUCs: walks along sorted cases, in memory or over chunks.

Over chunks, every row has weights of its own: Poisson counts of mean 1 that depend on the seed and
the row's number. A replicate's AUC is that of the weighted rows, and both class sizes vary:

    AUC* = sum of w_i w_j over pairs that the positive i wins from the negative j / (M* N*)

Scores come in rising order, a window at a time (`_streams`); the negatives passed so far are
carried from one to the next. Weights are drawn along the way, and drawn again where needed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from threading import local
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._adapters.device import RemoteCases
from .._base.parallel import Checkpoint, Report, interruptible, run_all
from .._base.types import Fields, Vector
from .._inference.clusters import NORMAL_DF
from .._inputs.chunks.device import as_cases_anywhere, check_threads
from .._inputs.chunks.rows import Stream
from .._inputs.options import check_flag, hash_seed
from .._inputs.scores import Cases
from .._resampling.bootstrap import Draws, draw_replicates
from .._resampling.replicates import all_blocks
from .._resampling.weights import Weights, aligned_weights, draw_poisson_weights, row_slices
from ..kernels.drawing.resampling import add_positives
from ..kernels.drawing.streams import LANES
from ..kernels.replicates import (
    STEPS,
    add_class_counts,
    add_placements,
    count_wins,
    delong_errors,
    sum_weighted_squares,
    sum_wins,
    sum_wins_of_models,
    write_untied_walk,
    write_walk,
)
from ..kernels.sorting.keys import pack
from ..kernels.sorting.native import sort_keys
from ..kernels.sorting.placements import equal_neighbours
from ..kernels.sums import U
from ._components import LONG_SORT
from ._delong.clustered import as_clustered
from ._streams import FirstPass, OrderedRows, Workers

Rows = NDArray[np.uint32]

NO_COUNTS = np.empty((0, 2), np.uint64)  # of units, where class sizes do not vary


class SortedScores(NamedTuple):
    """Models' cases from their lowest score up, as `kernels.replicates` takes them.

    `places` (k + 1, 2) are where the steps and the runs of each model begin.
    """

    rows: Rows
    ends: Rows
    kinds: NDArray[np.uint8]
    places: NDArray[np.int64]

    @property
    def n_models(self) -> int:
        """The number of models."""
        return len(self.places) - 1

    def of_model(self, model: int) -> tuple[Rows, Rows, NDArray[np.uint8]]:
        """Return the rows, the ends of runs and the kinds of runs of one model."""
        (start, run), (stop, last) = self.places[model], self.places[model + 1]
        return self.rows[start:stop], self.ends[run:last], self.kinds[run:last]


class Units(NamedTuple):
    """What a bootstrap resamples: each case's row of weights, and the number of rows by stratum."""

    rows: Rows
    sizes: tuple[int, ...]
    title: str


def class_fields(cases: Cases) -> Fields:
    """Return the fields of results that say how many cases there are."""
    m, n = cases.sizes
    return Fields(n_positive=m, n_negative=n, n_dropped=cases.n_dropped)


def resampling_units(cases: Cases, stratified: bool) -> Units:
    """Return the units: cases of each class (stratified), all cases, or whole groups."""
    check_flag("stratified", stratified)
    size = cases.labels.size
    if cases.groups is not None:
        return Units(cases.groups.astype(np.uint32), (int(cases.groups.max()) + 1,), "whole groups")
    if not stratified:
        return Units(np.arange(size, dtype=np.uint32), (size,), "unstratified")
    rows = np.empty(size, np.uint32)
    positive = cases.labels.view(np.bool_)
    m, n = cases.sizes
    rows[positive], rows[~positive] = np.arange(m), np.arange(m, size)  # the positives first
    return Units(rows, (m, n), "stratified")


def grouped_status(cases: Cases, word: str) -> str:
    """Return the status word, 'few_clusters' if groups carry too few degrees of freedom."""
    if cases.groups is None or word not in ("ok", "small_sample"):
        return word
    df = as_clustered(cases.labels, cases.groups).df
    return "ok" if df >= NORMAL_DF else "few_clusters"


def sort_scores(
    labels: NDArray[np.uint8], scores: Sequence[Vector], case_rows: Rows
) -> SortedScores:
    """Return every model's cases in rising order of its scores.

    `case_rows` are the rows of the cases' weights. The buffers have space for twice the cases.
    """
    n = labels.size
    k = len(scores)
    keys = np.empty(n, np.uint64)
    places = np.zeros((k + 1, 2), np.int64)
    rows, ends = np.empty(2 * n * k, np.uint32), np.empty(2 * n * k, np.uint32)  # few are used
    kinds = np.empty(2 * n * k, np.uint8)
    for model, values in enumerate(scores):
        step, run = places[model]
        buffers = rows[step:], ends[run:], kinds[run:]
        arguments = values, labels, case_rows, keys, buffers
        places[model + 1] = places[model] + interruptible(
            n > LONG_SORT, write_sorted_scores, *arguments
        )
    step, run = places[-1]
    return SortedScores(rows[:step], ends[:run], kinds[:run], places)


def write_sorted_scores(
    scores: Vector,
    labels: NDArray[np.uint8],
    case_rows: Rows,
    keys: NDArray[np.uint64],
    buffers: tuple[Rows, Rows, NDArray[np.uint8]],
) -> Sequence[int]:
    """Write a model's sorted rows, ends and kinds to `buffers`; return how many rows and runs.

    The kernel for ties is compiled only if there are any: a seventh of the first bootstrap's time.
    """
    nbits, exact = pack(scores, labels, keys)
    sort_keys(keys, nbits)  # apart: a kernel that packs and sorts would be compiled for long
    if equal_neighbours(keys, U(nbits)):
        counts: Sequence[int] = write_walk(keys, scores, U(nbits), exact, case_rows, *buffers)
        return counts
    return keys.size, write_untied_walk(keys, U(nbits), case_rows, *buffers, 0, 0)


class Scratch(local):
    """A thread's scratch arrays for `sum_wins_of_models`, made once."""

    def __init__(self) -> None:
        """Make the arrays of the thread."""
        row_words = np.empty((STEPS, LANES // 8), np.uint64)
        self.sums, self.inside = np.empty((3, LANES), np.uint16), np.empty(LANES, np.uint32)
        self.arrays = row_words, row_words.view(np.uint8), *self.sums, self.inside

    def zeroed_arrays(self) -> tuple[NDArray[Any], ...]:
        """Return the arrays, sums set to 0: as an interrupted walk in plain Python may not."""
        self.sums.fill(0)
        self.inside.fill(0)
        return self.arrays


SCRATCH = Scratch()


@dataclass(frozen=True, slots=True)
class ConcordanceCounts:
    """Statistic (k + 2, 64): 2mn AUC of each of k models, and the numbers n and m of each class.

    `classes` are the negatives and positives (n, m) of all replicates, or None where they vary;
    then `counts` (units, 2) are those of each unit.
    """

    walks: SortedScores
    counts: NDArray[np.uint64]
    classes: tuple[int, int] | None

    def __call__(self, weights: Weights, checkpoint: Checkpoint) -> NDArray[np.uint64]:
        """Return 2mn AUC of all models, n and m of 64 replicates with these weights (units, 64)."""
        out = np.zeros((self.walks.n_models + 2, LANES), np.uint64)
        if self.classes:
            out[-2], out[-1] = self.classes
        else:
            for rows in row_slices(len(weights)):
                checkpoint()
                add_class_counts(weights[rows], self.counts[rows], out[-2:])
        below = np.zeros(LANES, np.uint64)
        run = 0
        words = weights.view(np.uint64)
        buffers = (below, out[:-2], *SCRATCH.zeroed_arrays())
        for steps in row_slices(self.walks.rows.size):
            checkpoint()
            run = sum_wins_of_models(*self.walks, run, words, steps.start, steps.stop, *buffers)
        return out

    def on_data(self) -> list[int]:
        """Return 2mn AUC of every model without resampling."""
        wins = []
        for model in range(self.walks.n_models):
            _, ends, kinds = self.walks.of_model(model)
            wins.append(int(count_wins(ends, kinds)))
        return wins


@dataclass(frozen=True, slots=True)
class DifferenceErrors:
    """Statistic (5, 64): 2mn AUC of two models, n, m, and DeLong's SE of AUC_a - AUC_b."""

    wins: ConcordanceCounts
    labels: NDArray[np.uint8]

    def __call__(self, weights: Weights, checkpoint: Checkpoint) -> Vector:
        """Return the five numbers of 64 replicates with these weights (cases, 64)."""
        out = np.empty((5, LANES))
        out[:4] = self.wins(weights, checkpoint)
        n, m = out[2], out[3]
        placed = np.zeros(weights.shape, np.int32)  # by the first model less by the second
        for model, sign in enumerate((1, -1)):
            rows, ends, kinds = self.wins.walks.of_model(model)
            below, above = np.zeros(LANES, np.int32), m.astype(np.int32)
            run = 0
            for steps in row_slices(rows.size):
                checkpoint()
                span = run, weights, steps.start, steps.stop
                run = add_placements(rows, ends, kinds, *span, sign, below, above, placed)
        sums = np.zeros((2, 2, LANES))
        for cases in row_slices(len(weights)):
            checkpoint()
            sum_weighted_squares(placed[cases], weights[cases], self.labels[cases], sums)
        delong_errors(sums, m, n, out[4])
        return out


def concordance_counts(cases: Cases, units: Units) -> ConcordanceCounts:
    """Return the statistic of all models; classes are constant if they are the strata."""
    walks = sort_scores(cases.labels, cases.scores, units.rows)
    if len(units.sizes) == 2:
        m, n = units.sizes
        return ConcordanceCounts(walks, NO_COUNTS, classes=(n, m))
    return ConcordanceCounts(walks, class_counts(units, cases.labels), classes=None)


def class_counts(units: Units, labels: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Return the negatives and positives of each unit, (units, 2)."""
    n_units = sum(units.sizes)
    counts = np.bincount(2 * units.rows.astype(np.int64) + labels, minlength=2 * n_units)
    return counts.astype(np.uint64).reshape(n_units, 2)


STEPS_PER_DRAW = 1 << 14  # rows whose weights are drawn at a time: 1 MB
Kinds = NDArray[np.uint8]


class ScoreBlock(NamedTuple):
    """Some consecutive rows of a walk: their numbers, and the ends and kinds of their runs."""

    numbers: Rows
    ends: Rows
    kinds: Kinds


class StreamedCounts:
    """Twice the negatives passed and 2mn AUC so far, from window to window of rising scores.

    `doubled_passed` and `wins` (k, blocks, 64) are of the replicates of k models, and `positives`
    their weighted positives; `data_passed` (negatives) and `data_wins` are of the data themselves.
    """

    def __init__(self, k: int, n_blocks: int, seed: int) -> None:
        """Start the counts of k models in `n_blocks` blocks of 64 replicates at 0."""
        self.doubled_passed, self.wins = np.zeros((2, k, n_blocks, LANES), np.uint64)
        self.positives = np.zeros((n_blocks, LANES), np.uint64)
        self.data_passed, self.data_wins = [0] * k, [0] * k
        self.seed = seed

    def add_unweighted(self, model: int, ordered: OrderedRows, ends: Rows, kinds: Kinds) -> None:
        """Add a window of a model's rising scores, all cases of weight 1, to the data's counts."""
        positives = int(np.count_nonzero(ordered.labels))
        wins_within = int(count_wins(ends, kinds))
        self.data_wins[model] += wins_within + 2 * self.data_passed[model] * positives
        self.data_passed[model] += ordered.labels.size - positives

    def walk(self, model: int, steps: list[ScoreBlock], block: int, checkpoint: Checkpoint) -> None:
        """Add a window of a model's scores with the Poisson weights of a block of 64 replicates."""
        buffer = aligned_weights(STEPS_PER_DRAW)
        counts = self.doubled_passed[model, block], self.wins[model, block]
        for numbers, ends, kinds in steps:
            checkpoint()
            weights = buffer[: numbers.size]
            draw_poisson_weights(numbers, block, self.seed, weights)
            rows = np.arange(numbers.size, dtype=np.uint32)  # of weights, drawn in this order
            walk = rows, ends, kinds, 0
            words = weights.view(np.uint64)
            sum_wins(*walk, words, 0, numbers.size, *counts, *SCRATCH.zeroed_arrays())
            if model == 0:  # the positives are the same for all models
                add_positives(weights, ends, kinds, self.positives[block])

    def replicates(self, n_resamples: int) -> NDArray[np.uint64]:
        """Return 2mn AUC of all models, n and m of every replicate, (k + 2, n_resamples)."""
        negatives = self.doubled_passed[0] // np.uint64(2)  # all have been passed by then
        counts = np.concatenate([self.wins, np.stack([negatives, self.positives])])
        return counts.reshape(len(counts), -1)[:, :n_resamples]


class PoissonReplicates(NamedTuple):
    """Replicates (k + 2, B) as of `ConcordanceCounts`, and 2mn AUC and (m, n) of the data."""

    replicates: NDArray[np.uint64]
    wins: list[int]
    class_sizes: tuple[int, int]
    n_dropped: int


def poisson_of_stream(stream: Stream, draws: Draws) -> PoissonReplicates:
    """Return the Poisson replicates of a stream of scores, by a first pass and one per window."""
    jobs = draws.workers["n_jobs"]
    first_pass = FirstPass(stream, Workers(jobs, draws.workers["executor"]))
    n_blocks = len(all_blocks(draws.n))
    counts = StreamedCounts(stream.k, n_blocks, hash_seed(draws.seed))
    report = draws.workers["progress"](n_blocks * sum(map(len, first_pass.windows)))
    done = 0
    for model, ordered in first_pass.ordered_rows():
        ends, kinds, steps = score_blocks(ordered)
        counts.add_unweighted(model, ordered, ends, kinds)
        walk_blocks(counts, model, steps, jobs, counted_from(report, done))
        done += n_blocks
    sizes = first_pass.m, first_pass.n
    replicates = counts.replicates(draws.n)
    return PoissonReplicates(replicates, counts.data_wins, sizes, first_pass.n_dropped)


def poisson_on_device(
    inputs: Sequence[Any], pos_label: object, nan_policy: str, draws: Draws
) -> tuple[tuple[str, ...], PoissonReplicates]:
    """Return the names of two models whose scores are on a device, and their replicates.

    Weights are drawn on the host; the weighted pairs are counted on the device.
    """
    y_true, y_score_a, y_score_b = inputs
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    check_threads(draws.workers["executor"])
    cases = as_cases_anywhere(y_true, pos_label, nan_policy, **scores)
    assert cases.remote is not None
    size = sum(cases.sizes)
    unit_weights = np.ones((size, 1), np.uint8)
    # before the replicates: this sorts the cases, once
    wins = cases.remote.wins_under(unit_weights)[:-2, 0].tolist()
    replicates = draw_replicates(RemoteWins(cases.remote), (size,), draws, poisson=True)
    return cases.names, PoissonReplicates(replicates, wins, cases.sizes, cases.n_dropped)


@dataclass(frozen=True, slots=True)
class RemoteWins:
    """The statistic of `ConcordanceCounts`, counted on the device where the cases are."""

    cases: RemoteCases

    def __call__(self, weights: Weights, checkpoint: Checkpoint) -> NDArray[np.uint64]:
        """Return 2mn AUC of all models, n and m of 64 replicates with these weights (n, 64)."""
        return self.cases.wins_under(weights)


def walk_blocks(
    counts: StreamedCounts, model: int, steps: list[ScoreBlock], n_jobs: int, report: Report
) -> None:
    """Add a window of scores to `counts` with the weights of all blocks, shared by threads."""

    def walk(block: int, checkpoint: Checkpoint) -> None:
        """Add the window with the weights of one block of replicates."""
        counts.walk(model, steps, block, checkpoint)

    blocks = range(counts.positives.shape[0])
    run_all(walk, blocks, n_jobs=n_jobs, progress=lambda total: report)


def counted_from(report: Report, before: int) -> Report:
    """Return a progress report that adds `before`, the number of earlier steps."""
    return lambda done, item="": report(before + done)


def score_blocks(ordered: OrderedRows) -> tuple[Rows, Kinds, list[ScoreBlock]]:
    """Return the ends and kinds of runs of a window, and the window in blocks of rows."""
    scores, labels, numbers = ordered
    most = 2 * labels.size  # tied negatives are passed twice
    rows, ends = np.empty(most, np.uint32), np.empty(most, np.uint32)
    kinds = np.empty(most, np.uint8)
    keys = np.empty(labels.size, np.uint64)
    size, runs = write_sorted_scores(scores, labels, numbers, keys, (rows, ends, kinds))
    rows, ends, kinds = rows[:size], ends[:runs], kinds[:runs]
    parts = row_slices(size, STEPS_PER_DRAW)
    return ends, kinds, [score_block(rows, ends, kinds, part) for part in parts]


def score_block(rows: Rows, ends: Rows, kinds: Kinds, part: slice) -> ScoreBlock:
    """Return the rows of a slice, and the ends and kinds of runs in it."""
    # of another type than `ends`, each search would convert these all
    start, stop = np.uint32(part.start), np.uint32(part.stop)
    first = int(np.searchsorted(ends, start, "right"))
    last = int(np.searchsorted(ends, stop, "left")) + 1
    block_ends: Any = np.minimum(ends[first:last], part.stop) - part.start
    return ScoreBlock(rows[part], block_ends.astype(np.uint32), kinds[first:last])
