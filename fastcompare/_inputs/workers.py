"""Who does the work, and who hears of it."""

from concurrent.futures import Executor
from typing import TypedDict

from .._base.exceptions import InvalidTypeError
from .._base.types import Progress
from .options import count_jobs


class Workers(TypedDict):
    """Keyword arguments of functions that spread work."""

    n_jobs: int
    executor: Executor | None
    progress: Progress


def as_workers(n_jobs: object, executor: object, progress: object) -> Workers:
    """Return checked arguments for functions that spread work."""
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise InvalidTypeError(
            f"`executor` must have the interface of concurrent.futures.Executor, got {executor!r}."
        )
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise InvalidTypeError(
            f"`progress` must be True, False or a function of (done, total), got {progress!r}."
        )
    return Workers(n_jobs=count_jobs(n_jobs), executor=executor, progress=progress)  # type: ignore[typeddict-item]
