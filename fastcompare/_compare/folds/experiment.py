"""Every model in every round: the splits, the jobs, and the table of what came of them.

Seeds depend on the caller's and on the number of the repeat or round alone, not on the models:
permuting models permutes the results, and no number of workers changes them.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import compress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._adapters.progress import reporting
from ..._adapters.rounds import run_rounds
from ..._adapters.sklearn import (
    Indexes,
    Job,
    JobOutcome,
    scorers_of,
    tested_cases,
    wants_strata,
)
from ..._base.exceptions import DroppedCasesWarning, EstimatorError, warn
from ..._inputs.estimators import Problem, Scheme, refuse_scheme
from ..._inputs.workers import Workers
from .comparison import Sizes

Scoring = str | Callable[..., float] | None
SPLITS, MODELS = 0, 1  # what a seed is for


class Experiment(NamedTuple):
    """Scores (J, k), NaN where there is none, and which rounds have those of all models.

    `tested` has the cases that each round tests; `whole` says that nobody interrupted.
    """

    scores: NDArray[np.float64]
    complete: NDArray[np.bool_]
    n_dropped: int
    tested: tuple[Indexes, ...]
    sizes: Sizes
    predictions: dict[str, NDArray[Any]]
    whole: bool


def run_experiment(
    estimators: Mapping[str, Any],
    problem: Problem,
    scheme: Scheme,
    *,
    scoring: Scoring,
    nan_policy: str,
    entropy: int,
    workers: Workers,
) -> Experiment:
    """Return the scores of all models in all rounds, or in those before an interrupt."""
    n, names = problem.targets.size, tuple(estimators)
    scorers = scorers_of(estimators, scoring)
    tested = rounds_of(problem, scheme, wants_strata(estimators, problem.targets), entropy)
    jobs = jobs_of(estimators, scorers, n, tested, entropy)
    with reporting(workers["progress"], len(jobs)) as report:
        outcomes, whole = run_rounds(
            jobs,
            problem.X,
            problem.y,
            n_jobs=workers["n_jobs"],
            omit_missing=nan_policy == "omit",
            report=report,
        )
    scores, ended = score_table(outcomes, names, len(tested))
    complete = np.asarray(~np.isnan(scores).any(axis=1))
    check_complete(complete, ended, whole)
    n_test = float(np.mean([cases.size for cases in compress(tested, complete)]))
    return Experiment(
        scores,
        complete,
        int((ended & ~complete).sum()),
        tuple(tested),
        Sizes(n - n_test, n_test),
        predictions_of(outcomes, jobs, n),
        whole,
    )


def rounds_of(problem: Problem, scheme: Scheme, stratified: bool, entropy: int) -> list[Indexes]:
    """Return the cases that each round tests."""
    rounds: list[Indexes] = []
    for repeat in range(scheme.n_repeats):
        seed = np.random.SeedSequence((entropy, SPLITS, repeat)).generate_state(1)
        try:
            rounds += tested_cases(
                problem.targets,
                problem.groups,
                stratified=stratified,
                n_folds=scheme.n_folds,
                seed=int(seed[0]),
            )
        except ValueError as error:
            refuse_scheme(scheme, error)
    return rounds


def jobs_of(
    estimators: Mapping[str, Any],
    scorers: Mapping[str, Any],
    n: int,
    rounds: Sequence[Indexes],
    entropy: int,
) -> list[Job]:
    """Return a job for each model in each round; the first round of a case keeps predictions."""
    jobs: list[Job] = []
    seen = np.zeros(n, dtype=bool)
    for number, tested in enumerate(rounds):
        trained, asked = beside(tested, n), np.flatnonzero(~seen[tested])
        seen[tested] = True
        jobs += [
            Job(
                number,
                name,
                model,
                scorers[name],
                trained,
                tested,
                asked,
                (entropy, MODELS, number),
            )
            for name, model in estimators.items()
        ]
    return jobs


def beside(tested: Indexes, n: int) -> Indexes:
    """Return the other ones of n cases."""
    return np.delete(np.arange(n), tested)


def score_table(
    outcomes: Sequence[JobOutcome], names: tuple[str, ...], n_rounds: int
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the scores, NaN where there is none, and which rounds all models have ended."""
    scores = np.full((n_rounds, len(names)), np.nan)
    ended = np.zeros(n_rounds, dtype=np.int64)
    for outcome in outcomes:
        scores[outcome.round, names.index(outcome.name)] = outcome.score
        ended[outcome.round] += 1
    return scores, ended == len(names)


def check_complete(complete: NDArray[np.bool_], ended: NDArray[np.bool_], whole: bool) -> None:
    """Warn of rounds that miss a score; raise unless two rounds are left, to no surprise."""
    n, dropped = int(complete.sum()), int((ended & ~complete).sum())
    if n < 2 and not whole:
        raise KeyboardInterrupt
    if n < 2:
        raise EstimatorError(
            f"only {n} of {len(complete)} rounds have a score of every model that is not NaN: a "
            "comparison needs two."
        )
    if dropped:
        warn(
            f"{dropped} of {int(ended.sum())} rounds left out: a model's score is NaN.",
            DroppedCasesWarning,
        )


def predictions_of(
    outcomes: Sequence[JobOutcome], jobs: Sequence[Job], n: int
) -> dict[str, NDArray[Any]]:
    """Return each model's predictions for n cases, each from the first round that tested it."""
    asked = {job.round: job.test[job.asked] for job in jobs}
    pieces_of: dict[str, list[JobOutcome]] = {job.name: [] for job in jobs}
    for outcome in sorted(outcomes, key=lambda outcome: outcome.round):
        if outcome.predicted is not None:
            pieces_of[outcome.name].append(outcome)
    return {
        name: joined_predictions([(asked[o.round], o.predicted) for o in pieces], n)
        for name, pieces in pieces_of.items()
        if pieces
    }


def joined_predictions(pieces: Sequence[tuple[Indexes, Any]], n: int) -> NDArray[Any]:
    """Return values of n cases in their order; NaN or None for cases without one."""
    where, values = (np.concatenate(parts) for parts in zip(*pieces, strict=True))
    if where.size == n:
        whole = np.empty_like(values)
    elif values.dtype.kind == "f":
        whole = np.full(n, np.nan, values.dtype)
    else:
        whole = np.full(n, None, object)
    whole[where] = values
    return whole
