"""Arrays and data frames of dask: blocks of rows, which are computed where they are summarised.

A pass over parts is a graph of dask's: a task summarises a part, others merge some summaries. Its
schedulers decide who works and recompute what a lost worker had; no rows come to the caller.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from .._base.exceptions import InvalidTypeError, InvalidValueError
from .._base.parallel import S, merge_summaries, summarize
from .frames import package_name

MERGED_AT_ONCE = 4  # summaries: with more, more wait in memory
LARGE = "distributed.admin.large-graph-warning-threshold"  # graphs contain shared data, once
KINDS = "dask arrays, or series or frames of dask.dataframe"


@dataclass(frozen=True)
class RowBlocks:
    """Blocks of several collections with the same rows; their columns are labels, then scores."""

    blocks: tuple[Any, ...]
    names: tuple[str, ...]

    def load(self) -> Iterator[tuple[Any, ...]]:
        """Yield labels and scores as one tuple of columns.

        Inside a dask task the blocks are computed already, and dask returns them as they are.
        """
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
    """Return the blocks of rows of a collection.

    Arrays are rechunked to the rows of the first collection, if both lengths are known, and to one
    block for all columns.
    """
    if hasattr(collection, "chunks"):
        both_known = has_known_length(first) and has_known_length(collection)
        rows = first.chunks[0] if both_known else collection.chunks[0]
        one_block = [-1] * (collection.ndim - 1)  # dask's sign for the whole length of an axis
        chunks = (rows, *one_block)
        collection = collection if collection.chunks == chunks else collection.rechunk(chunks)
    return list(np.ravel(collection.to_delayed()))


class SentFunction(NamedTuple):
    """A function, and the future of dask's that has it on the cluster."""

    function: Any
    future: Any


class DaskExecutor(Executor):
    """A dask executor that sends a function to the cluster once for all tasks that call it."""

    def __init__(self, executor: Any) -> None:
        self.client, self.executor = executor._client, executor
        self.options = {name: value for name, value in executor._kwargs.items() if name != "pure"}
        self.sent = SentFunction(None, None)

    @property
    def _max_workers(self) -> int:
        """The number of threads of the cluster, under the name that other executors have for it."""
        return sum(self.client.nthreads().values())

    def submit(self, function: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        """Return the future of a call; the function is sent only if the last call had another.

        Workers pass the function's data to each other.
        """
        if self.sent.function is not function:
            with large_graphs():  # a task, since scattered data do not outlive a worker
                remote = self.client.submit(identity, function, pure=False, **self.options)
            self.sent = SentFunction(function, remote)
        future: Future[Any] = self.executor.submit(
            call_function, self.sent.future, *args, **options
        )
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

    with suppress(ImportError):  # its import sets its options, which would undo the change
        import distributed  # noqa: F401
    return config.set({LARGE: "1 GiB"})


def gather_tasks(
    empty: Callable[[], S], parts: Iterable[Any], n_jobs: int = 1, executor: Executor | None = None
) -> S:
    """Return the summary of all parts, computed by dask tasks; it begins as `empty()`.

    Without an executor dask works as it is configured: by the current client, or by threads.
    """
    from dask import delayed

    start, add, merge = (
        delayed(each, pure=False) for each in (empty, summarize_to_pickle, merge_pickles)
    )
    tasks = [add(start, [part]) for part in parts]  # delayed calls: nothing is computed yet
    while len(tasks) > MERGED_AT_ONCE:
        tasks = [
            merge(start, tasks[i : i + MERGED_AT_ONCE])
            for i in range(0, len(tasks), MERGED_AT_ONCE)
        ]
    with large_graphs():
        summaries: Iterable[S] = map(pickle.loads, compute_tasks(tasks, n_jobs, executor))
    return merge_summaries(empty, summaries)


def summarize_to_pickle(empty: Callable[[], Any], parts: list[Any]) -> bytes:
    """Return the summary of parts, pickled: so it takes less memory while it waits for a merge."""
    return pickle.dumps(summarize(empty, parts), pickle.HIGHEST_PROTOCOL)


def merge_pickles(empty: Callable[[], Any], pickled: list[bytes]) -> bytes:
    """Return several pickled summaries merged into one, pickled."""
    return pickle.dumps(merge_summaries(empty, map(pickle.loads, pickled)), pickle.HIGHEST_PROTOCOL)


def compute_tasks(tasks: Sequence[Any], n_jobs: int, executor: Any) -> list[Any]:
    """Return the results of dask tasks; without an executor dask works as it is configured."""
    from dask import compute

    if executor is None:
        return list(compute(*tasks, num_workers=n_jobs))
    if isinstance(executor, DaskExecutor):
        return list(compute(*tasks, scheduler=executor.client, **executor.options))
    return list(compute(*tasks, scheduler=executor))
