"""Labels and scores that dask holds, as blocks of rows that are read in chunks."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from .._adapters.dask import Blocks, blocks_of, column_names, is_dask
from .._base.exceptions import InvalidValueError
from .scores import UNNAMED, titles_of


def are_lazy(scores: Sequence[Any]) -> bool:
    """Say whether any scores are dask's."""
    return any(
        any(map(is_dask, each.values())) if isinstance(each, Mapping) else is_dask(each)
        for each in scores
    )


def lazy_parts(
    first: Any,
    others: Sequence[Any],
    name: str = "y_true",
    *,
    labelled: bool = True,
    k: int | None = None,
) -> Callable[[], Iterable[Blocks]]:
    """Return a function that makes an iterator over blocks of labels and scores, or raise.

    The first column, of this name, holds labels or else what the first of k models gave; what is
    behind these names no model.
    """
    if is_dask(first) and len(column_names(first)) != 1:
        raise InvalidValueError(f"`{name}` must be 1-d, got {len(column_names(first))} columns.")
    columns = list(named_collections(others))
    models = columns if labelled else [*named_collections([first]), *columns]
    names = [name for _, own in models for name in own][:k]
    titles = titles_of(len(names)) if k is None else UNNAMED[:k]
    names = [name or title for name, title in zip(names, titles, strict=True)]
    unique = tuple(names) if len({*names}) == len(names) else titles
    return blocks_of([first, *(column for column, _ in columns)], unique)


def named_collections(scores: Sequence[Any]) -> Iterator[tuple[Any, list[str]]]:
    """Yield collections with the names of their columns."""
    for given in scores:
        if isinstance(given, Mapping):
            yield from ((column, [str(name)]) for name, column in given.items())
        elif given is not None:
            yield given, column_names(given) if is_dask(given) else [""]
