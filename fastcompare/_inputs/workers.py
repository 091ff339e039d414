"""Who does the work, and who hears of it."""

from concurrent.futures import Executor
from functools import partial
from typing import TypedDict

from .._adapters.dask import as_executor
from .._adapters.progress import reporter
from .._base.exceptions import InvalidTypeError
from .._base.parallel import Reporting, unheard
from .options import count_jobs


class Workers(TypedDict):
    """Keyword arguments of functions that spread work."""

    n_jobs: int
    executor: Executor | None
    progress: Reporting


ALONE = Workers(n_jobs=1, executor=None, progress=unheard)  # in one thread, and nobody hears


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
    heard = unheard if progress is None or progress is False else partial(reporter, progress)
    engine = None if executor is None else as_executor(executor)
    return Workers(n_jobs=count_jobs(n_jobs), executor=engine, progress=heard)
