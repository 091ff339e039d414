"""Replicates come in blocks of 64, the lanes of a kernel; several blocks are a task."""

from ..kernels.drawing.philox import LANES


def all_blocks(n_resamples: int) -> range:
    """Return the numbers of the blocks that hold all replicates."""
    return range(-(-n_resamples // LANES))


def block_tasks(n_resamples: int, size: int) -> list[range]:
    """Return the blocks of all replicates in tasks of `size`."""
    blocks = all_blocks(n_resamples)
    return [blocks[first : first + size] for first in range(0, len(blocks), size)]
