"""The interface to scikit-learn: splits, searches, and rounds that clone, fit, score and predict.

Notation: a round is one split into cases that train and cases that test; a job is one model in it.
Jobs run on joblib's workers, and an interrupt keeps the results of those that are done.
"""

import pickle
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence, Set
from functools import lru_cache
from itertools import count
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import (
    EstimatorError,
    invalid_type,
    invalid_value,
)

Indexes = NDArray[np.intp]
Scorer = Callable[[Any, Any, Any], Any]  # of a fitted model, X and y
RANDOM_FOLDS = 10  # a random split tests one case in 10


class Job(NamedTuple):
    """One estimator in one round: scorer, training and test cases, and predictions to keep.

    `asked` are the places in `test` of the cases whose predictions are kept.
    """

    round: int
    name: str
    estimator: Any
    scorer: Scorer
    train: Indexes
    test: Indexes
    asked: Indexes
    seed: tuple[int, ...]


class Failure(NamedTuple):
    """The step that failed ("be fitted"), the error, and its traceback as text."""

    step: str
    error: Exception
    traceback: str


class JobOutcome(NamedTuple):
    """The score and predictions of a job, or its failure."""

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


def as_scorers(estimators: Mapping[str, Any], scoring: Any) -> dict[str, Scorer]:
    """Return each model's scorer, a function of (fitted model, X, y).

    Raise if `scoring` is no scorer, or does not fit a model.
    """
    from sklearn.metrics import check_scoring

    if not (scoring is None or isinstance(scoring, str) or callable(scoring)):
        raise invalid_type(
            "scoring",
            "must be None, the name of a scikit-learn scorer or a function of (model, X, y)",
            scoring,
        )
    scorers = {}
    for name, estimator in estimators.items():
        try:
            scorers[name] = check_scoring(estimator, scoring=scoring)
        except (ValueError, TypeError) as error:
            raise invalid_value("scoring", f"does not fit {name!r}", end=f": {error}") from error
    return scorers


METRICS = {  # scikit-learn's names of scorers: the field's names
    "roc_auc": "AUC",
    "f1": "F1 score",
    "r2": "R²",
    "neg_log_loss": "negative log loss",
    "neg_brier_score": "negative Brier score",
}


def metric_name(scoring: Any, estimators: Mapping[str, Any]) -> str:
    """Return the name of the metric for sentences: "AUC" of "roc_auc".

    Where `scoring` is None, models are scored by their own methods: accuracy, or R².
    """
    from sklearn.base import is_classifier, is_regressor

    name = scoring if isinstance(scoring, str) else getattr(scoring, "__name__", "score")
    if scoring is None and all(map(is_classifier, estimators.values())):
        name = "accuracy"
    if scoring is None and all(map(is_regressor, estimators.values())):
        name = "r2"
    plain = "score" if name == "<lambda>" else name.replace("neg_", "negative ").replace("_", " ")
    return METRICS.get(name, plain)


def should_stratify(estimators: Mapping[str, Any], targets: NDArray[Any]) -> bool:
    """Return whether splits should be stratified: targets are classes, and a model classifies."""
    from sklearn.utils.multiclass import type_of_target

    return any_classifier(estimators) and type_of_target(targets) in ("binary", "multiclass")


def draw_test_cases(
    targets: NDArray[Any],
    groups: NDArray[Any] | None,
    *,
    stratified: bool,
    n_folds: int | None,
    seed: int,
) -> list[Indexes]:
    """Return the test cases of each fold of one cross-validation, or of one random split.

    `n_folds` None means a random split, which tests one case in 10. Groups are numbered from 0, and
    all cases of a group are in one fold.
    """
    from sklearn import model_selection as ms

    n_parts = n_folds or RANDOM_FOLDS
    if groups is not None and groups.max() + 1 < n_parts:
        raise ValueError(f"{groups.max() + 1} groups cannot fill {n_parts} folds.")
    if stratified and groups is not None:
        by_groups = ms.StratifiedGroupKFold(n_parts, shuffle=True, random_state=seed)
        folds = [test for _, test in by_groups.split(targets, targets, groups)]
        if n_folds:
            return folds
        # a fold at random: the first always gets the group whose classes are the most unequal
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
    all_groups = np.arange(int(groups.max()) + 1)
    return [
        np.flatnonzero(np.isin(groups, test_groups))
        for _, test_groups in splitter.split(all_groups)
    ]


def fit_round(job: Job, X: Any, y: Any, run: int) -> JobOutcome:
    """Return the score and predictions of a clone fitted to the job's training cases, or a failure.

    BLAS and OpenMP take one thread, since their sums, and so the last bits, depend on how many.
    `run` is the number of the call of `run_rounds`.
    """
    from sklearn.base import clone
    from sklearn.utils import _safe_indexing as rows_of

    step = "be fitted"
    predicted = None
    try:
        with thread_pools(run).limit(limits=1):
            model = set_random_states(clone(job.estimator), job.seed)
            model.fit(rows_of(X, job.train), rows_of(y, job.train))
            step = "be scored"
            tested = rows_of(X, job.test)
            score = as_score(job.scorer(model, tested, rows_of(y, job.test)))
            if job.asked.size and hasattr(model, "predict"):
                step = "predict"
                predictions = np.asarray(model.predict(tested)).reshape(job.test.size)
                predicted = predictions[job.asked]
    except Exception as error:
        failure = Failure(step, picklable_error(error), traceback.format_exc())
        return JobOutcome(job.round, job.name, np.nan, failure=failure)
    return JobOutcome(job.round, job.name, score, predicted)


@lru_cache(maxsize=1)
def thread_pools(run: int) -> Any:
    """Return a controller of the threads of BLAS and OpenMP in this process, one for each `run`.

    To make one takes longer than a fit. Libraries that are loaded later are not in it, so the next
    run makes a new one.
    """
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def set_random_states(model: Any, seed: tuple[int, ...]) -> Any:
    """Return the model with a seed for each `random_state` that is None, also of its parts."""
    params = model.get_params()
    unset = sorted(k for k in params if k.split("__")[-1] == "random_state" and params[k] is None)
    seeds = np.random.SeedSequence(seed).generate_state(len(unset)) >> 1  # some take int32 only
    return model.set_params(**dict(zip(unset, seeds.tolist(), strict=True)))


def as_score(value: Any) -> float:
    """Return a score as a float, NaN or finite, or raise."""
    score = float(value)
    if np.isinf(score):
        raise ValueError(f"the score must be finite, got {score}.")
    return score


def picklable_error(error: Exception) -> Exception:
    """Return the error, or a RuntimeError with its text if it cannot be pickled."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


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
    """Return the outcomes of the jobs, in any order, and whether all of them were done.

    An interrupt (Ctrl-C) ends the run. Raise for the first job that fails, and for a score that is
    NaN unless `omit_missing`.
    """
    from sklearn.utils.parallel import Parallel, delayed

    total = len({job.round for job in jobs})
    done = []
    pool = Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    run = next(COUNTER)
    outcomes = pool(delayed(fit_round)(job, X, y, run) for job in jobs)
    try:
        for outcome in outcomes:
            check_outcome(outcome, total, omit_missing)
            done.append(outcome)
            report(len(done), f"{outcome.name}, round {outcome.round + 1} of {total}")
    except KeyboardInterrupt:
        return done, False
    finally:
        stop_workers(outcomes)
    return done, True


def stop_workers(outcomes: Any) -> None:
    """Stop joblib's workers, without its warning that some are still running."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outcomes.close()


def check_outcome(outcome: JobOutcome, total: int, omit_missing: bool) -> None:
    """Raise if the job failed, or if its score is NaN and not `omit_missing`."""
    where = f"round {outcome.round + 1} of {total}"
    if outcome.failure is None:
        if np.isnan(outcome.score) and not omit_missing:
            raise EstimatorError(
                f"the score of {outcome.name!r} in {where} is NaN. Pass nan_policy='omit' to "
                "compare the other rounds.",
                parameter=outcome.name,
                value=outcome.score,
                row=outcome.round,
            )
        return
    step, error, traceback = outcome.failure
    if error.__traceback__ is None:  # it is lost on the way from another process
        error.add_note(traceback)
    raise EstimatorError(
        f"{outcome.name!r} could not {step} in {where}: {type(error).__name__}: {error}",
        parameter=outcome.name,
        row=outcome.round,
    ) from error


MOST_FOLDS = 10**9  # more folds than anybody has cases
Split = tuple[NDArray[Any], NDArray[Any]]  # the cases that train and those that test
KINDS = {  # of rounds, by the class of a splitter
    "KFold": "kfold",
    "StratifiedKFold": "kfold",
    "GroupKFold": "kfold",
    "StratifiedGroupKFold": "kfold",
    "LeaveOneOut": "kfold",
    "LeaveOneGroupOut": "kfold",
    "RepeatedKFold": "repeated-kfold",
    "RepeatedStratifiedKFold": "repeated-kfold",
    "ShuffleSplit": "resampled",
    "StratifiedShuffleSplit": "resampled",
    "GroupShuffleSplit": "resampled",
}


class RoundsPlan(NamedTuple):
    """The design of rounds, how many cases train and test (or ratios), and the reason as text."""

    design: str
    n_train: float
    n_test: float
    why: str


def is_estimator(value: object) -> bool:
    """Return whether a value can be fitted like an estimator of scikit-learn."""
    return hasattr(value, "fit") and hasattr(value, "get_params")


def is_search(value: object) -> bool:
    """Return whether a value is a fitted search over parameters."""
    return is_estimator(value) and hasattr(value, "cv_results_")


def is_cv_result(value: object) -> bool:
    """Return whether a value is what `cross_validate` returns."""
    return isinstance(value, Mapping) and "fit_time" in value and "score_time" in value


def cross_validate_scores(name: str, result: Mapping[str, Any], scoring: object) -> NDArray[Any]:
    """Return the test scores of a result of `cross_validate`: the only ones, or those of `scoring`.

    Raise if there is no such metric; errors call the result `name`.
    """
    keys = [key for key in result if str(key).startswith("test_")]
    if scoring is None and len(keys) == 1:
        return np.asarray(result[keys[0]])
    if f"test_{scoring}" in keys:
        return np.asarray(result[f"test_{scoring}"])
    names = ", ".join(repr(key.removeprefix("test_")) for key in keys) or "none"
    raise invalid_value(
        "scoring",
        f"must name one of the scores of {name!r}, which are {names}",
        scoring,
        show="; got {!r}",
    )


def plan_of_indices(results: Mapping[str, Mapping[str, Any]]) -> RoundsPlan | None:
    """Return the plan of rounds by the 'indices' in results of `cross_validate`, None without them.

    Raise unless the rounds of all models are the same.
    """
    indices_by_model = {name: result.get("indices") for name, result in results.items()}
    if any(indices is None for indices in indices_by_model.values()):
        return None
    (first, first_indices), *others = indices_by_model.items()
    splits = list(zip(first_indices["train"], first_indices["test"], strict=True))  # type: ignore[index]
    for name, indices in others:
        tests = zip(indices["test"], first_indices["test"], strict=False)  # type: ignore[index]
        as_many = len(indices["test"]) == len(splits)  # type: ignore[index]
        if not (as_many and all(np.array_equal(test, first_test) for test, first_test in tests)):
            raise invalid_value(
                "data",
                "must contain rounds with the same splits for all models",
                end=f"; those of {name!r} are not those of {first!r}. Pass the same `cv` with a "
                "random_state to each.",
            )
    return rounds_plan_of_splits(splits, "The indices of the rounds determine their sizes")


def rounds_plan_of_splits(splits: Sequence[Split], why: str, design: str = "") -> RoundsPlan:
    """Return the plan of rounds from their splits: the mean sizes, and the design.

    The design shows in the test cases unless it is given; `why` begins the reason.
    """
    n_train = float(np.mean([len(train) for train, _ in splits]))
    n_test = float(np.mean([len(test) for _, test in splits]))
    design = design or splits_design([np.asarray(test) for _, test in splits])
    return RoundsPlan(design, n_train, n_test, f"{why}: {len(splits)} rounds, {design}.")


def splits_design(tests: Sequence[NDArray[Any]]) -> str:
    """Return the design of rounds by their test cases.

    'kfold' is one block of rounds that together test every case once, 'repeated-kfold' several,
    '5x2cv' five blocks of two rounds, and 'resampled' anything else.
    """
    n_cases = np.unique(np.concatenate(tests)).size
    folds, blocks, n_tested = 0, 0, 0  # folds of a block: those of the first block
    for stop, test in enumerate(tests, 1):
        n_tested += test.size
        if n_tested > n_cases:
            return "resampled"
        if n_tested == n_cases:
            folds = folds or stop
            block = np.concatenate(tests[stop - folds : stop])
            if np.unique(block).size != n_cases:
                return "resampled"
            blocks += 1
            n_tested = 0
    if n_tested or not blocks:
        return "resampled"
    if blocks == 1:
        return "kfold"
    return "5x2cv" if (blocks, folds) == (5, 2) else "repeated-kfold"


def refuse_halving(cv_results: Mapping[Any, Any]) -> None:
    """Raise for the results of a halving search, whose candidates were scored on other splits."""
    sizes = {*np.asarray(cv_results.get("n_resources", [])).tolist()}
    if len(sizes) > 1:
        raise invalid_value(
            "cv_results",
            "must be of one set of splits, and a halving search has several",
            end=". Pass `cv` and the results of its last round: with r = search.cv_results_, "
            "{key: numpy.array(r[key])[r['n_resources'] == max(r['n_resources'])] for key "
            "in r}.",
        )


def plan_of_cv(
    cv: Any, X: Any, y: Any, groups: Any, *, splits: Sequence[Split] | None = None
) -> RoundsPlan:
    """Return the plan of rounds of a splitter, a number of folds or a list of splits, or raise.

    Without X the sizes follow from the number of folds, or from the splitter's shares.
    """
    cv = as_cv(cv)
    if isinstance(cv, list):
        return rounds_plan_of_splits(cv, "`cv` is a list of splits")
    name = splitter_name(cv, y)
    design = KINDS.get(name, "")
    if design == "repeated-kfold" and (cv.n_repeats, cv.cvargs.get("n_splits")) == (5, 2):
        design = "5x2cv"
    if X is not None:
        splits = make_splits(cv, X, y, groups, classifier=True) if splits is None else splits
        return rounds_plan_of_splits(splits, f"`cv` is {name}", design)
    folds = cv if isinstance(cv, int) else splitter_attributes(cv).get("n_splits")
    if design in ("kfold", "repeated-kfold", "5x2cv") and isinstance(folds, int):
        why = f"`cv` is {name}: {folds - 1} folds for training and one for testing."
        return RoundsPlan(design, float(folds - 1), 1.0, why)
    if design == "resampled" and (sizes := split_sizes(cv)) is not None:
        n_train, n_test = sizes
        why = f"`cv` is {name}: rounds train on {n_train:g} of the cases and test on {n_test:g}."
        return RoundsPlan(design, n_train, n_test, why)
    raise invalid_value(
        "cv",
        f"is {name}, which does not determine the sizes of its rounds without the data",
        end=": specify `n_train` and `n_test`, or pass X and y to compare(data, X, y, cv=cv).",
    )


def as_cv(cv: Any) -> Any:
    """Return the checked number of folds, splitter of scikit-learn or list of splits, or raise."""
    if isinstance(cv, Integral) and not isinstance(cv, bool):
        if not 2 <= int(cv) <= MOST_FOLDS:
            raise invalid_value("cv", f"must be at least 2 folds and at most {MOST_FOLDS:,}")
        return int(cv)
    if callable(getattr(cv, "split", None)) and not isinstance(cv, str | bytes | type):
        return cv
    try:
        splits = None if isinstance(cv, str | bytes | Set | Mapping) else list(cv)
        pairs = None if splits is None else [(train, test) for train, test in splits]
    except (TypeError, ValueError):
        pairs = None
    if pairs is None:
        example = f"{cv.__name__}()" if isinstance(cv, type) else "KFold(5)"
        raise invalid_type(
            "cv",
            f"must be a number of folds, a splitter of scikit-learn such as {example}, or a "
            "list of pairs (train, test)",
            cv,
        )
    if not pairs or any(np.ndim(part) != 1 or not len(part) for pair in pairs for part in pair):
        raise invalid_value(
            "cv",
            "must be a list of pairs (train, test) of the numbers of cases, none of them empty",
        )
    return pairs


def splitter_attributes(cv: Any) -> Mapping[str, Any]:
    """Return the attributes of a splitter; of a repeated one those of the splitter it repeats."""
    attributes: Mapping[str, Any] = getattr(cv, "cvargs", getattr(cv, "__dict__", {}))
    return attributes


def split_sizes(cv: Any) -> tuple[float, float] | None:
    """Return the training and test sizes of random splits: shares of the cases, or both counts.

    None where only a count of one is known: the other then depends on the number of cases.
    """
    train, test = cv.train_size, cv.test_size
    if train is None and test is None:
        test = getattr(cv, "_default_test_size", None)
    sizes = [float(size) for size in (train, test) if size is not None]
    if len(sizes) == 2:
        return sizes[0], sizes[1]
    if not sizes or sizes[0] >= 1.0:
        return None
    return (1.0 - sizes[0], sizes[0]) if train is None else (sizes[0], 1.0 - sizes[0])


def splitter_name(cv: Any, y: Any) -> str:
    """Return the name of a splitter's class; for a number of folds that of scikit-learn's choice.

    It takes stratified folds where y has classes.
    """
    if not isinstance(cv, int):
        return type(cv).__name__
    if y is None:
        return "KFold"
    from sklearn.model_selection import check_cv

    return type(check_cv(cv, y, classifier=True)).__name__


def make_splits(cv: Any, X: Any, y: Any, groups: Any, *, classifier: bool) -> list[Split]:
    """Return the splits by `cv`, as scikit-learn's `check_cv` understands it."""
    from sklearn.model_selection import check_cv

    return list(check_cv(as_cv(cv), y, classifier=classifier).split(X, y, groups))


def cross_validated(
    estimators: Mapping[str, Any],
    X: Any,
    y: Any,
    splits: Sequence[Split],
    scoring: Any,
    n_jobs: int,
) -> dict[str, NDArray[Any]]:
    """Return the test scores of clones of all estimators on the same splits."""
    from sklearn.model_selection import cross_validate

    scores = {}
    for name, estimator in estimators.items():
        if not is_estimator(estimator):
            raise invalid_type(
                f"data[{name!r}]",
                "must be an estimator",
                type(estimator).__name__,
                show=", got a {}",
            )
        result = cross_validate(
            estimator, X, y, cv=list(splits), scoring=scoring, n_jobs=n_jobs, error_score="raise"
        )
        scores[name] = np.asarray(result["test_score"])
    return scores


def plan_of_search(search: Any, cv: Any, X: Any, y: Any, groups: Any) -> RoundsPlan:
    """Return the plan of rounds of a fitted search, by `cv` or by its own."""
    return plan_of_cv(cv_of_search(search) if cv is None else cv, X, y, groups)


def cv_of_search(search: Any) -> Any:
    """Return the splitter of a fitted search, or its number of folds."""
    return int(search.n_splits_) if search.cv is None else search.cv


def any_classifier(estimators: Mapping[str, Any]) -> bool:
    """Return whether one of the estimators is a classifier."""
    from sklearn.base import is_classifier

    return any(map(is_classifier, estimators.values()))
