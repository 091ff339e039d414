"""From checked cases to placements: the integers behind V10 and V01, by the fastest kernel."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._base.memory import reserve
from ..._base.parallel import Checkpoint, interruptible, no_checkpoint, run_all
from ..._base.types import Vector
from ..._inputs.cases import Cases
from ..._inputs.options import as_choice
from ...kernels.heaviside import placements_heaviside
from ...kernels.pair import TABLE_FROM
from ...kernels.sorting.between import placements_between
from ...kernels.sorting.few_values import placements_of_few_values
from ...kernels.sorting.keys import SAMPLED_FROM
from ...kernels.sorting.linear import LINEAR_BELOW, placements_linear
from ...kernels.sorting.packed import placements_simd
from ...kernels.sorting.single import placements_single

LONG = 1 << 22  # cases, sorted in 0.1 s: of more an interrupt does not wait for the sort
COMPARED = 1 << 26  # pairs in a kernel call: 40 ms, so that an interrupt is heard
THREADS_FROM = 50_000  # cases of two models that repay the start of a thread: even at 40,000
WIDE_FROM = 1 << 31  # cases from which twice a rank needs more than 32 bits
METHODS = ("auto", "midrank", "heaviside")
Labels = NDArray[np.uint8]
Scratch = NDArray[np.uint64]
Placer = Callable[[Vector, Labels, Scratch, NDArray[Any]], None]


@dataclass(frozen=True, slots=True)
class Components:
    """Placements (k, n_cases) of k models, with the labels and the sizes of both classes."""

    labels: NDArray[np.uint8]
    placed: NDArray[Any]
    m: int
    n: int

    @property
    def k(self) -> int:
        """The number of models."""
        return int(self.placed.shape[0])

    @property
    def is_wide(self) -> bool:
        """Whether the placements take 64 bits."""
        return bool(self.placed.dtype == np.uint64)


def place_by_pairs(scores: Vector, labels: Labels, scratch: Scratch, out: NDArray[Any]) -> None:
    """Write placements by comparing some positives at a time with all negatives."""
    positive, negative = np.flatnonzero(labels), np.flatnonzero(labels == 0)
    step = max(1, COMPARED // negative.size)
    if positive.size <= step:
        placements_heaviside(scores, labels, out)
        return
    out[negative] = 0
    for first in range(0, positive.size, step):
        some = positive[first : first + step]
        rows = np.concatenate([some, negative])
        found = np.empty(rows.size, out.dtype)
        placements_heaviside(scores[rows], labels[rows], found)
        out[some] = found[: some.size]
        out[negative] += found[some.size :]


def place_by_sort(scores: Vector, labels: Labels, scratch: Scratch, out: NDArray[Any]) -> None:
    """Write placements by sorting: few scores by 32-bit keys, where those can tell them apart."""
    n = labels.size
    if n < LINEAR_BELOW:
        m, keys = int(np.count_nonzero(labels.view(np.bool_))), scratch.view(np.uint32)[:n]
        if placements_linear(scores, labels, m, keys, out):
            return
        if n >= SAMPLED_FROM and placements_between(scores, labels, m, keys, out):
            return
    placements_simd(scores, labels, scratch, out)


def place_by_table(scores: Vector, labels: Labels, scratch: Scratch, out: NDArray[Any]) -> None:
    """Write placements by counting the distinct values, or by sorting if they are many."""
    if not placements_of_few_values(scores, labels, out):
        place_by_sort(scores, labels, scratch, out)


def placer(method: str, size: int) -> Placer:
    """Return the fastest way for so many cases; a kernel that is not needed is not compiled."""
    if method == "heaviside":
        return place_by_pairs
    return place_by_table if method == "auto" and size >= TABLE_FROM else place_by_sort


def as_components(cases: Cases, method: str = "auto", n_jobs: int = 1) -> Components:
    """Return the placements of every model, computed by `method` over `n_jobs` threads."""
    if type(method) is not str or method not in METHODS:
        method = as_choice("method", method, METHODS)
    labels, scores = cases.labels, cases.scores
    m = int(np.count_nonzero(labels.view(np.bool_)))
    n = labels.size - m
    placed = reserve((len(scores), m + n), np.uint64 if m + n >= WIDE_FROM else np.uint32)
    jobs = min(n_jobs, len(scores)) if placed.size >= 2 * THREADS_FROM else 1
    place = placer(method, m + n)
    # one block for all: arrays that come and go make malloc trim and fault pages anew, half the
    # time of 10^5 cases
    scratch = np.empty((jobs, m + n), np.uint64)

    def place_models(job: int, checkpoint: Checkpoint) -> None:
        for model in range(job, len(scores), jobs):
            checkpoint()
            own = placements_single if scores[model].dtype == np.float32 else place
            given = scores[model], labels, scratch[job], placed[model]
            interruptible(m + n > LONG, own, *given)

    if not (m and n):
        placed.fill(0)
    elif jobs == 1:
        place_models(0, no_checkpoint)
    else:
        run_all(place_models, range(jobs), n_jobs=jobs)
    return Components(labels, placed, m, n)


def pairs_of(k: int) -> Sequence[tuple[int, int]]:
    """Return all pairs (i, j) with i < j, in row order."""
    return [(i, j) for i in range(k) for j in range(i + 1, k)]
