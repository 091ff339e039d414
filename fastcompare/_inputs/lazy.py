"""Labels and scores that dask holds, as blocks of rows that are read in chunks."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from .._adapters.dask import Blocks, blocks_of, column_names, is_dask
from .._base.exceptions import InvalidValueError
from .scores import titles_of


def are_lazy(scores: Sequence[Any]) -> bool:
    """Say whether any scores are dask's."""
    return any(
        any(map(is_dask, each.values())) if isinstance(each, Mapping) else is_dask(each)
        for each in scores
    )


def lazy_parts(y_true: Any, scores: Sequence[Any]) -> Callable[[], Iterable[Blocks]]:
    """Return a function that makes an iterator over blocks of labels and scores, or raise."""
    if is_dask(y_true) and len(column_names(y_true)) != 1:
        raise InvalidValueError(f"`y_true` must be 1-d, got {len(column_names(y_true))} columns.")
    columns = list(named_collections(scores))
    names = [name for _, own in columns for name in own]
    titles = titles_of(len(names))
    names = [name or title for name, title in zip(names, titles, strict=True)]
    unique = tuple(names) if len({*names}) == len(names) else titles
    return blocks_of([y_true, *(column for column, _ in columns)], unique)


def named_collections(scores: Sequence[Any]) -> Iterator[tuple[Any, list[str]]]:
    """Yield collections with the names of their columns."""
    for given in scores:
        if isinstance(given, Mapping):
            yield from ((column, [str(name)]) for name, column in given.items())
        elif given is not None:
            yield given, column_names(given) if is_dask(given) else [""]
