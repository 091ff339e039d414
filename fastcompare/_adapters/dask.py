"""Arrays and data frames of dask: blocks of rows, which are computed where they are summarised.

A pass over parts is a graph of dask's: a task summarises a part, others merge some summaries. Its
schedulers decide who works and recompute what a lost worker had; no rows come to the caller.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._base.exceptions import InvalidTypeError, InvalidValueError
from .._base.parallel import S, merge_summaries, summarize
from .frames import package_name

MERGED_AT_ONCE = 4  # summaries: with more, more wait in memory
LARGE = "distributed.admin.large-graph-warning-threshold"  # graphs contain what passes share, once
KINDS = "dask arrays, or series or frames of dask.dataframe"


@dataclass(frozen=True)
class RowBlocks:
    """Blocks of several collections with the same rows; their columns are labels, then scores."""

    blocks: tuple[Any, ...]
    names: tuple[str, ...]

    def load(self) -> Iterator[tuple[Any, ...]]:
        """Yield labels and scores, once: inside a dask task the blocks are computed already."""
        from dask import compute

        computed = compute(*self.blocks, traverse=False)
        yield tuple(column for block in computed for column in columns_in(block))


def columns_in(block: Any) -> list[Any]:
    """Return the columns of an array or a data frame."""
    if isinstance(block, np.ndarray):
        return list(block.reshape(len(block), -1).T)
    if block.ndim == 1:
        return [block]
    return [block.iloc[:, j] for j in range(block.shape[1])]


def is_dask(value: object) -> bool:
    """Return whether a value is a dask array, series or data frame."""
    return package_name(value) == "dask" and hasattr(value, "to_delayed")


def column_names(collection: Any) -> list[str]:
    """Return the names of the columns of a collection, "" where they have none."""
    if hasattr(collection, "chunks"):
        return [""] * (1 if collection.ndim == 1 else collection.shape[1])
    if collection.ndim == 1:
        return ["" if collection.name is None else str(collection.name)]
    return [str(name) for name in collection.columns]


def dask_blocks(
    collections: Sequence[Any], names: tuple[str, ...]
) -> Callable[[], Iterable[RowBlocks]]:
    """Return a function that returns a new iterator over the blocks of collections, or raise.

    Labels and scores must be dask collections with the same rows and the same blocks.
    """
    for each in collections:
        if not is_dask(each) or each.ndim > 2:
            raise InvalidTypeError(
                f"labels and scores must all be {KINDS}, got {type(each).__name__}: make it one by "
                "dask.array.from_array, or call .compute() on the others.",
                parameter="scores",
                value=type(each),
            )
    lengths = {len(each) for each in collections if has_known_length(each)}
    if len(lengths) > 1:
        raise InvalidValueError(
            "labels and scores must have one length, got "
            f"{' and '.join(map(str, sorted(lengths)))}.",
            parameter="scores",
        )
    parts = [row_blocks_like(each, collections[0]) for each in collections]
    if len({*map(len, parts)}) > 1:
        raise InvalidValueError(
            "labels and scores must have the same blocks, got "
            f"{' and '.join(map(str, map(len, parts)))} blocks: take the columns of one data "
            "frame, or rechunk them.",
            parameter="scores",
        )
    row_blocks = [RowBlocks(blocks, names) for blocks in zip(*parts, strict=True)]
    return row_blocks.__iter__


def has_known_length(collection: Any) -> bool:
    """Return whether a collection is an array whose length is known."""
    return hasattr(collection, "chunks") and not np.isnan(collection.shape[0])


def row_blocks_like(collection: Any, first: Any) -> list[Any]:
    """Return the blocks of rows of a collection; arrays are rechunked as the first collection."""
    if hasattr(collection, "chunks"):
        rows = first.chunks[0] if has_known_length(first) and has_known_length(collection) else -2
        rows = collection.chunks[0] if rows == -2 else rows
        chunks = (rows, *(-1 for _ in collection.chunks[1:]))
        collection = collection if collection.chunks == chunks else collection.rechunk(chunks)
    return list(np.ravel(collection.to_delayed()))


class DaskExecutor(Executor):
    """A dask executor that sends a function to the cluster once for all tasks that call it."""

    def __init__(self, executor: Any) -> None:
        self.client, self.executor = executor._client, executor
        self.options = {name: kind for name, kind in executor._kwargs.items() if name != "pure"}
        self.sent: tuple[Any, Any] = None, None

    @property
    def _max_workers(self) -> int:
        """The number of threads, by the name of this attribute in other executors."""
        return sum(self.client.nthreads().values())

    def submit(self, function: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        """Return the future of a call; workers pass the function's data to each other."""
        if self.sent[0] is not function:
            with large_graphs():  # a task, not scattered data, for those do not outlive a worker
                self.sent = (
                    function,
                    self.client.submit(identity, function, pure=False, **self.options),
                )
        future: Future[Any] = self.executor.submit(call_function, self.sent[1], *args, **options)
        return future


def identity(function: Any) -> Any:
    """Return the function itself: a task whose result is the function."""
    return function


def call_function(function: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Return function(*args, **options): a task that calls the result of another task."""
    return function(*args, **options)


def as_executor(executor: Any) -> Any:
    """Return a `DaskExecutor` for a dask executor or client, any other executor as it is."""
    if package_name(executor) != "distributed":
        return executor
    return DaskExecutor(executor.get_executor() if hasattr(executor, "get_executor") else executor)


def large_graphs() -> Any:
    """Return a context in which dask takes graphs of a gigabyte without a warning."""
    from dask import config

    with suppress(ImportError):  # it sets its options, of which one is changed
        import distributed  # noqa: F401
    return config.set({LARGE: "1 GiB"})


def gather_tasks(
    empty: Callable[[], S], parts: Iterable[Any], n_jobs: int = 1, executor: Executor | None = None
) -> S:
    """Return the summary of all parts, computed by dask tasks.

    Without an executor by the current client, as dask's configuration says, or by threads.
    """
    from dask import delayed

    start, add, merge = (
        delayed(each, pure=False) for each in (empty, summarize_to_pickle, merge_pickles)
    )
    tasks = [add(start, [part]) for part in parts]
    while len(tasks) > MERGED_AT_ONCE:
        tasks = [
            merge(start, tasks[i : i + MERGED_AT_ONCE])
            for i in range(0, len(tasks), MERGED_AT_ONCE)
        ]
    with large_graphs():
        summaries: Iterable[S] = map(pickle.loads, compute_tasks(tasks, n_jobs, executor))
    return merge_summaries(empty, summaries)


def summarize_to_pickle(empty: Callable[[], Any], parts: list[Any]) -> bytes:
    """Return the pickled summary of parts: it takes less memory while it waits to be merged."""
    return pickle.dumps(summarize(empty, parts), pickle.HIGHEST_PROTOCOL)


def merge_pickles(empty: Callable[[], Any], pickled: list[bytes]) -> bytes:
    """Return several pickled summaries merged into one, pickled."""
    return pickle.dumps(merge_summaries(empty, map(pickle.loads, pickled)), pickle.HIGHEST_PROTOCOL)


def compute_tasks(tasks: Sequence[Any], n_jobs: int, executor: Any) -> list[Any]:
    """Return the results of dask tasks."""
    from dask import compute

    if executor is None:
        return list(compute(*tasks, num_workers=n_jobs))
    if isinstance(executor, DaskExecutor):
        return list(compute(*tasks, scheduler=executor.client, **executor.options))
    return list(compute(*tasks, scheduler=executor))
