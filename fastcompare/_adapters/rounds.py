"""Rounds of cross-validation over joblib's workers; an interrupt keeps what is done."""

import warnings
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from .._base.exceptions import EstimatorError
from .sklearn import Job, JobOutcome, fit_round

COUNTER = count()  # of runs in this process


def run_rounds(
    jobs: Sequence[Job],
    X: Any,
    y: Any,
    *,
    n_jobs: int,
    omit_missing: bool,
    report: Callable[..., None],
) -> tuple[list[JobOutcome], bool]:
    """Return the outcomes of the jobs, in any order, and whether all were done.

    The first job that fails raises. Scores that are NaN raise, too, unless they shall be omitted.
    """
    from sklearn.utils.parallel import Parallel, delayed

    total, done = len({job.round for job in jobs}), []
    pool, run = Parallel(n_jobs=n_jobs, return_as="generator_unordered"), next(COUNTER)
    outcomes = pool(delayed(fit_round)(job, X, y, run) for job in jobs)
    try:
        for outcome in outcomes:
            check_outcome(outcome, total, omit_missing)
            done.append(outcome)
            report(len(done), f"{outcome.name}, round {outcome.round + 1} of {total}")
    except KeyboardInterrupt:
        return done, False
    finally:
        stop(outcomes)
    return done, True


def stop(outcomes: Any) -> None:
    """Stop the workers, without joblib's warning that some are still at work."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outcomes.close()


def check_outcome(outcome: JobOutcome, total: int, omit_missing: bool) -> None:
    """Raise if the job failed, or scored NaN where that shall not be omitted."""
    where = f"round {outcome.round + 1} of {total}"
    if outcome.failure is None:
        if outcome.score != outcome.score and not omit_missing:
            raise EstimatorError(
                f"the score of {outcome.name!r} in {where} is NaN. Pass nan_policy='omit' to "
                "compare the other rounds."
            )
        return
    step, error, traceback = outcome.failure
    if error.__traceback__ is None:  # lost between processes
        error.add_note(traceback)
    raise EstimatorError(
        f"{outcome.name!r} could not {step} in {where}: {type(error).__name__}: {error}"
    ) from error
