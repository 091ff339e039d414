"""Parts of a source of chunks: how they come, who gathers what they hold, how errors name them."""

import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

import numpy as np

from .._adapters.dask import Blocks, Cluster, as_executor, gather_tasks
from .._adapters.frames import is_foreign
from .._adapters.scans import RowGroup, Scan
from .._base.exceptions import FastCompareError, InvalidTypeError, InvalidValueError
from .._base.streams import S, gather

AGAIN = "They are read several times: pass a list of them, or a function that makes the iterator."


def gather_parts(
    empty: Callable[[], S],
    parts: Callable[[], Iterator[tuple[int, Any]]],
    kind: type,
    n_jobs: int,
    executor: Executor | None,
) -> S:
    """Return the summary of all parts that hold something of this kind."""
    executor = as_executor(executor)
    if kind is Blocks or (kind is RowGroup and isinstance(executor, Cluster)):
        return gather_tasks(empty, parts(), n_jobs, executor)
    return gather(empty, parts(), n_jobs, executor)


def share_memory(kind: type, executor: Executor | None) -> bool:
    """Say whether parts of this kind are summarised by threads of this process, each but once."""
    return executor is None and kind is not Blocks


@contextmanager
def of_chunk(number: int) -> Iterator[None]:
    """Name the chunk in errors."""
    try:
        yield
    except FastCompareError as error:
        raise type(error)(f"chunk {number}: {error}") from error


def check_scan(name: str, scan: Scan, *, labelled: bool, grouped: bool) -> None:
    """Raise unless a scan has the columns that a test reads, and no others."""
    label, _, groups = scan.wanted
    if (label is not None) != labelled:
        how = "with `label`, the column with the labels" if labelled else "without `label`"
        raise InvalidValueError(
            f"`{name}` must be a scan {how}: scan_parquet(path, "
            f"{'label=..., ' if labelled else ''}scores=[...])."
        )
    if groups is not None and not grouped:
        raise InvalidValueError(
            "`groups` is not supported for chunks: pass arrays in memory, or leave it out."
        )


def enumerated(
    make: Callable[[], Iterable[Any]], name: str = "y_true"
) -> Iterator[tuple[int, Any]]:
    """Yield chunks with their numbers."""
    made = make()
    if not isinstance(made, Iterable):
        raise InvalidTypeError(
            f"`{name}` must be a function that makes an iterator, it made {type(made).__name__}."
        )
    return enumerate(made)


def repeatable(chunks: Any, name: str = "y_true") -> Callable[[], Iterable[Any]]:
    """Return a function that makes an iterator over chunks anew, or raise where there is none."""
    if isinstance(chunks, Iterator | types.GeneratorType):
        raise InvalidTypeError(f"`{name}` must be chunks, got an iterator of them. {AGAIN}")
    is_array = isinstance(chunks, np.ndarray | str | bytes | Mapping) or is_foreign(chunks)
    if callable(chunks):
        return chunks  # type: ignore[no-any-return]
    if is_array or not isinstance(chunks, Iterable):
        raise InvalidTypeError(
            "scores must be given, unless `y_true` holds chunks: an iterable of tuples "
            f"(y_true, scores_a, scores_b), got {type(chunks).__name__}."
        )
    return chunks.__iter__
