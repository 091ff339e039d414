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

FAN = 4  # summaries that are merged at a time: of more, more wait in memory
LARGE = "distributed.admin.large-graph-warning-threshold"  # what passes share is in graphs once
KINDS = "dask arrays, or series or frames of dask.dataframe"


@dataclass(frozen=True)
class Blocks:
    """Blocks of collections that hold the same rows: their columns are labels, then scores."""

    blocks: tuple[Any, ...]
    names: tuple[str, ...]

    def load(self) -> Iterator[tuple[Any, ...]]:
        """Yield labels and scores, which a task of dask's finds computed."""
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
    """Say whether a value is an array, a series or a frame of dask's."""
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
) -> Callable[[], Iterable[Blocks]]:
    """Return a function that makes an iterator over the blocks of collections, or raise."""
    for each in collections:
        if not is_dask(each) or each.ndim > 2:
            raise InvalidTypeError(
                f"labels and scores must all be {KINDS}, got {type(each).__name__}: make it one by "
                "dask.array.from_array, or call .compute() on the others.",
                parameter="scores",
                value=type(each),
            )
    lengths = {len(each) for each in collections if is_known(each)}
    if len(lengths) > 1:
        raise InvalidValueError(
            "labels and scores must have one length, got "
            f"{' and '.join(map(str, sorted(lengths)))}.",
            parameter="scores",
        )
    parts = [blocks_like(each, collections[0]) for each in collections]
    if len({*map(len, parts)}) > 1:
        raise InvalidValueError(
            "labels and scores must have the same blocks, got "
            f"{' and '.join(map(str, map(len, parts)))} blocks: take the columns of one data "
            "frame, or rechunk them.",
            parameter="scores",
        )
    row_blocks = [Blocks(blocks, names) for blocks in zip(*parts, strict=True)]
    return row_blocks.__iter__


def is_known(collection: Any) -> bool:
    """Say whether a collection is an array whose length is known."""
    return hasattr(collection, "chunks") and not np.isnan(collection.shape[0])


def blocks_like(collection: Any, first: Any) -> list[Any]:
    """Return the blocks of rows of a collection, an array's divided as those of the first."""
    if hasattr(collection, "chunks"):
        rows = first.chunks[0] if is_known(first) and is_known(collection) else -2
        rows = collection.chunks[0] if rows == -2 else rows
        chunks = (rows, *(-1 for _ in collection.chunks[1:]))
        collection = collection if collection.chunks == chunks else collection.rechunk(chunks)
    return list(np.ravel(collection.to_delayed()))


class Cluster(Executor):
    """An executor of dask's that sends a function once, however many tasks call it."""

    def __init__(self, executor: Any) -> None:
        self.client, self.executor = executor._client, executor
        self.options = {name: kind for name, kind in executor._kwargs.items() if name != "pure"}
        self.sent: tuple[Any, Any] = None, None

    @property
    def _max_workers(self) -> int:
        """The number of threads, by the name that other executors have it."""
        return sum(self.client.nthreads().values())

    def submit(self, function: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        """Return the future of a call; data of the function go from worker to worker."""
        if self.sent[0] is not function:
            with large_graphs():  # a task, not scattered data, for those do not outlive a worker
                self.sent = function, self.client.submit(same, function, pure=False, **self.options)
        future: Future[Any] = self.executor.submit(call, self.sent[1], *args, **options)
        return future


def same(function: Any) -> Any:
    """Return the function itself."""
    return function


def call(function: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Return the value of a function."""
    return function(*args, **options)


def as_executor(executor: Any) -> Any:
    """Return an executor, of dask's executors and clients a `Cluster`."""
    if package_name(executor) != "distributed":
        return executor
    return Cluster(executor.get_executor() if hasattr(executor, "get_executor") else executor)


def large_graphs() -> Any:
    """Return a context in which dask takes graphs of a gigabyte without a warning."""
    from dask import config

    with suppress(ImportError):  # it sets its options, of which one is changed
        import distributed  # noqa: F401
    return config.set({LARGE: "1 GiB"})


def gather_tasks(
    empty: Callable[[], S], parts: Iterable[Any], n_jobs: int = 1, executor: Executor | None = None
) -> S:
    """Return the summary of all parts, computed by dask.

    Without an executor it is dask who chooses: the current client, what its configuration says, or
    else threads.
    """
    from dask import delayed

    start, add, merge = (
        delayed(each, pure=False) for each in (empty, pickled_summary, merged_summary)
    )
    tasks = [add(start, [part]) for part in parts]
    while len(tasks) > FAN:
        tasks = [merge(start, tasks[i : i + FAN]) for i in range(0, len(tasks), FAN)]
    with large_graphs():
        summaries: Iterable[S] = map(pickle.loads, compute_tasks(tasks, n_jobs, executor))
    return merge_summaries(empty, summaries)


def pickled_summary(empty: Callable[[], Any], parts: list[Any]) -> bytes:
    """Return a summary pickled: so it waits in a part of its memory, without cells of nothing."""
    return pickle.dumps(summarize(empty, parts), pickle.HIGHEST_PROTOCOL)


def merged_summary(empty: Callable[[], Any], pickled: list[bytes]) -> bytes:
    """Return pickled summaries as one."""
    return pickle.dumps(merge_summaries(empty, map(pickle.loads, pickled)), pickle.HIGHEST_PROTOCOL)


def compute_tasks(tasks: Sequence[Any], n_jobs: int, executor: Any) -> list[Any]:
    """Return the results of tasks of dask's."""
    from dask import compute

    if executor is None:
        return list(compute(*tasks, num_workers=n_jobs))
    if isinstance(executor, Cluster):
        return list(compute(*tasks, scheduler=executor.client, **executor.options))
    return list(compute(*tasks, scheduler=executor))
