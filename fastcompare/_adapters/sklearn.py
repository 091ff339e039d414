"""What is asked of scikit-learn: splits, and a round of an estimator's clone: fit, score, predict.

Notation: a round is one split into cases that train and cases that test; a job is one model in it.
"""

import pickle
import traceback
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import InvalidTypeError, InvalidValueError

Indexes = NDArray[np.intp]
Scorer = Callable[[Any, Any, Any], Any]  # of a fitted model, X and y
RANDOM_FOLDS = 10  # a random split tests one case in so many


class Job(NamedTuple):
    """An estimator, how it is scored, the cases of its round, and those whose predictions count."""

    round: int
    name: str
    estimator: Any
    scorer: Scorer
    train: Indexes
    test: Indexes
    asked: Indexes
    seed: tuple[int, ...]


class Failure(NamedTuple):
    """What a model could not do, and why."""

    step: str
    error: Exception
    traceback: str


class JobOutcome(NamedTuple):
    """What came of a job."""

    round: int
    name: str
    score: float
    predicted: NDArray[Any] | None = None
    failure: Failure | None = None


def require_sklearn() -> None:
    """Raise with the pip line where scikit-learn is missing."""
    try:
        import sklearn  # noqa: F401
    except ImportError as error:
        raise ImportError(
            "estimators need scikit-learn: pip install 'fastcompare[sklearn]'."
        ) from error


def scorers_of(estimators: Mapping[str, Any], scoring: Any) -> dict[str, Scorer]:
    """Return a function of (fitted model, X, y) for each model, or raise."""
    from sklearn.metrics import check_scoring

    if not (scoring is None or isinstance(scoring, str) or callable(scoring)):
        raise InvalidTypeError(
            "`scoring` must be None, a name that scikit-learn knows or a function of (model, X, "
            f"y), got {scoring!r}."
        )
    found = {}
    for name, estimator in estimators.items():
        try:
            found[name] = check_scoring(estimator, scoring=scoring)
        except (ValueError, TypeError) as error:
            raise InvalidValueError(f"`scoring` does not fit {name!r}: {error}") from error
    return found


def wants_strata(estimators: Mapping[str, Any], targets: NDArray[Any]) -> bool:
    """Return whether every split shall have the classes in their proportions."""
    from sklearn.base import is_classifier
    from sklearn.utils.multiclass import type_of_target

    if not any(map(is_classifier, estimators.values())):
        return False
    return type_of_target(targets) in ("binary", "multiclass")


def tested_cases(
    targets: NDArray[Any],
    groups: NDArray[Any] | None,
    *,
    stratified: bool,
    n_folds: int | None,
    seed: int,
) -> list[Indexes]:
    """Return the cases that each round of a repeat tests; no `n_folds` is one random split.

    Groups, which stay whole, are numbers from 0.
    """
    from sklearn import model_selection as ms

    if groups is not None and groups.max() + 1 < (n_folds or RANDOM_FOLDS):
        raise ValueError(f"{groups.max() + 1} groups do not fill {n_folds or RANDOM_FOLDS} parts.")
    if stratified and groups is not None:
        by_groups = ms.StratifiedGroupKFold(
            n_folds or RANDOM_FOLDS, shuffle=True, random_state=seed
        )
        folds = [test for _, test in by_groups.split(targets, targets, groups)]
        if n_folds:
            return folds
        # any of them: the first always gets the group whose classes are the most unequal
        chosen = np.random.SeedSequence(seed).generate_state(1)[0] % RANDOM_FOLDS
        return [folds[chosen]]
    if n_folds:
        kind = ms.StratifiedKFold if stratified else ms.KFold
        splitter = kind(n_folds, shuffle=True, random_state=seed)
    else:
        kind = ms.StratifiedShuffleSplit if stratified else ms.ShuffleSplit
        splitter = kind(1, test_size=1.0 / RANDOM_FOLDS, random_state=seed)
    if groups is None:
        return [np.sort(test) for _, test in splitter.split(targets, targets)]
    units = np.arange(int(groups.max()) + 1)
    return [np.flatnonzero(np.isin(groups, test)) for _, test in splitter.split(units)]


def fit_round(job: Job, X: Any, y: Any, run: int) -> JobOutcome:
    """Return the score and the predictions of a clone that is fitted to the job's training cases.

    BLAS and OpenMP take one thread, since their sums, and so the last bits, depend on how many.
    """
    from sklearn.base import clone
    from sklearn.utils import _safe_indexing as rows_of

    step, predicted = "be fitted", None
    try:
        with thread_pools(run).limit(limits=1):
            model = seeded(clone(job.estimator), job.seed)
            model.fit(rows_of(X, job.train), rows_of(y, job.train))
            step, tested = "be scored", rows_of(X, job.test)
            score = as_score(job.scorer(model, tested, rows_of(y, job.test)))
            if job.asked.size and hasattr(model, "predict"):
                step = "predict"
                predicted = np.asarray(model.predict(tested)).reshape(job.test.size)[job.asked]
    except Exception as error:
        failure = Failure(step, sendable(error), traceback.format_exc())
        return JobOutcome(job.round, job.name, np.nan, failure=failure)
    return JobOutcome(job.round, job.name, score, predicted)


@lru_cache(maxsize=1)
def thread_pools(run: int) -> Any:
    """Return a controller of the threads of this process; making one takes longer than a fit."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def seeded(model: Any, seed: tuple[int, ...]) -> Any:
    """Return the model with a number for every `random_state` that is None, in it or its parts."""
    params = model.get_params()
    free = sorted(k for k in params if k.split("__")[-1] == "random_state" and params[k] is None)
    numbers = np.random.SeedSequence(seed).generate_state(len(free)) >> 1  # some take int32 only
    return model.set_params(**dict(zip(free, numbers.tolist(), strict=True)))


def as_score(value: Any) -> float:
    """Return a score as a float, NaN or finite, or raise."""
    score = float(value)
    if np.isinf(score):
        raise ValueError(f"the score must be finite, got {score}.")
    return score


def sendable(error: Exception) -> Exception:
    """Return the error, or its words where it would not survive the way between processes."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
