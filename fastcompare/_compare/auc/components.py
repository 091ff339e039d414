"""From checked cases to placements: the integers behind V10 and V01, by the fastest kernel."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._inputs import Cases, check_choice
from ..._parallel import map_threads
from ...kernels.delong import HEAVISIDE_PAIRS
from ...kernels.few_values import placements_of_few_values
from ...kernels.heaviside import placements_heaviside
from ...kernels.midrank import placements_midrank
from ...kernels.packed import placements_packed

SIMD_FROM = 1 << 18  # cases from which NumPy's SIMD sort beats the radix sort, see bench_kernels
TABLE_FROM = 1 << 12  # cases that repay a look for few distinct values
WIDE_FROM = 1 << 31  # cases from which twice a rank needs more than 32 bits
CHECKED_FROM = 1 << 30  # bytes from which an allocation is worth a look at the memory
Vector = NDArray[np.float64]
Labels = NDArray[np.uint8]


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


def place_by_midranks(scores: Vector, labels: Labels, out: NDArray[Any]) -> None:
    """Write placements by the faster sort for this many cases."""
    sort = placements_midrank if scores.size < SIMD_FROM else placements_packed
    sort(scores, labels, out)


def place(scores: Vector, labels: Labels, out: NDArray[Any]) -> None:
    """Write placements by the fastest kernel; a kernel that is not needed is not compiled."""
    m = int(np.count_nonzero(labels))
    if m * (labels.size - m) <= HEAVISIDE_PAIRS:
        placements_heaviside(scores, labels, out)
    elif scores.size < TABLE_FROM or not placements_of_few_values(scores, labels, out):
        place_by_midranks(scores, labels, out)


METHODS = {"auto": place, "midrank": place_by_midranks, "heaviside": placements_heaviside}


def as_components(cases: Cases, method: str = "auto", n_jobs: int = 1) -> Components:
    """Return the placements of every model, computed by `method` over `n_jobs` threads."""
    if method not in METHODS:
        check_choice("method", method, METHODS)
    m = int(np.count_nonzero(cases.labels))
    size, k = cases.labels.size, len(cases.scores)
    placed = reserve((k, size), np.uint64 if size >= WIDE_FROM else np.uint32)
    place_one = METHODS[method]

    def place_model(model: int) -> None:
        place_one(cases.scores[model], cases.labels, placed[model])

    if m and m < size:
        map_threads(place_model, range(k), n_jobs)
    else:
        placed.fill(0)
    return Components(cases.labels, placed, m, size - m)


def reserve(shape: tuple[int, ...], dtype: type = np.float64) -> NDArray[Any]:
    """Return an empty array, or raise MemoryError with the number before trying.

    Room for doubles is asked for, whatever the type: placements need scratch space besides.
    """
    wanted = 8 * math.prod(shape)
    if wanted > CHECKED_FROM and wanted > memory_available():
        raise MemoryError(
            f"an array of shape {shape} needs {wanted / 2**30:.1f} GiB, more than is free: compare "
            "fewer models in one call."
        )
    return np.empty(shape, dtype)


def memory_available() -> float:
    """Return the bytes of memory that are free, infinite where the system does not tell."""
    try:
        with open("/proc/meminfo") as file:
            lines = dict(line.split(":", 1) for line in file)
        return 1024.0 * float(lines["MemAvailable"].split()[0])
    except (OSError, KeyError, ValueError):
        return float("inf")


def split(components: Components, model: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return V10 and V01 of one model, each in the order of its cases (DeLong et al. 1988)."""
    positive = components.labels.astype(bool)
    row = components.placed[model]
    return row[positive] / (2 * components.n), row[~positive] / (2 * components.m)


def pairs_of(k: int) -> Sequence[tuple[int, int]]:
    """Return all pairs (i, j) with i < j, in row order."""
    return [(i, j) for i in range(k) for j in range(i + 1, k)]
