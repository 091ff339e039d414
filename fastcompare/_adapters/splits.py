"""What scikit-learn's splitters, searches and results of cross-validation say of their rounds."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import InvalidTypeError, InvalidValueError

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


class RoundsTold(NamedTuple):
    """The design of rounds and their sizes, in cases or in parts, and what told them."""

    design: str
    n_train: float
    n_test: float
    why: str


def is_estimator(value: object) -> bool:
    """Return whether a value can be fitted as scikit-learn's estimators."""
    return hasattr(value, "fit") and hasattr(value, "get_params")


def is_search(value: object) -> bool:
    """Return whether a value is a fitted search over parameters."""
    return is_estimator(value) and hasattr(value, "cv_results_")


def is_cv_result(value: object) -> bool:
    """Return whether a value is what `cross_validate` returns."""
    return isinstance(value, Mapping) and "fit_time" in value and "score_time" in value


def scores_of_result(name: str, result: Mapping[str, Any], scoring: object) -> NDArray[Any]:
    """Return the test scores of a result of `cross_validate`, or raise."""
    found = [key for key in result if str(key).startswith("test_")]
    if scoring is None and len(found) == 1:
        return np.asarray(result[found[0]])
    if f"test_{scoring}" in found:
        return np.asarray(result[f"test_{scoring}"])
    known = ", ".join(repr(key.removeprefix("test_")) for key in found) or "none"
    raise InvalidValueError(
        f"`scoring` must name one of the scores of {name!r}, which are {known}; got {scoring!r}."
    )


def told_by_indices(results: Mapping[str, Mapping[str, Any]]) -> RoundsTold | None:
    """Return the rounds by their cases, None without them; raise unless all are the same."""
    held = {name: result.get("indices") for name, result in results.items()}
    if any(indices is None for indices in held.values()):
        return None
    (first, own), *others = held.items()
    splits = list(zip(own["train"], own["test"], strict=True))  # type: ignore[index]
    for name, indices in others:
        pairs = zip(indices["test"], own["test"], strict=False)  # type: ignore[index]
        same = len(indices["test"]) == len(splits)  # type: ignore[index]
        if not (same and all(np.array_equal(x, z) for x, z in pairs)):
            raise InvalidValueError(
                f"`data` must hold rounds with the same splits for all models; those of {name!r} "
                f"are not those of {first!r}. Pass the same `cv` with a random_state to each."
            )
    return told_by_splits(splits, "The indices of the rounds tell their sizes")


def told_by_splits(splits: Sequence[Split], why: str, design: str = "") -> RoundsTold:
    """Return the design and the mean sizes of splits."""
    n_train = float(np.mean([len(train) for train, _ in splits]))
    n_test = float(np.mean([len(test) for _, test in splits]))
    known = design or shape_of([np.asarray(test) for _, test in splits])
    return RoundsTold(known, n_train, n_test, f"{why}: {len(splits)} rounds, {known}.")


def shape_of(tests: Sequence[NDArray[Any]]) -> str:
    """Return the design of rounds, by whether blocks of them test every case once."""
    cases = np.unique(np.concatenate(tests)).size
    per_block, blocks, seen = 0, 0, 0
    for number, test in enumerate(tests):
        seen += test.size
        if seen > cases:
            return "resampled"
        if seen == cases:
            block = np.concatenate(tests[number - (per_block or number + 1) + 1 : number + 1])
            if np.unique(block).size != cases:
                return "resampled"
            per_block, blocks, seen = per_block or number + 1, blocks + 1, 0
    if seen or not blocks:
        return "resampled"
    if blocks == 1:
        return "kfold"
    return "5x2cv" if (blocks, per_block) == (5, 2) else "repeated-kfold"


def told_by_cv(
    cv: Any, X: Any, y: Any, groups: Any, *, splits: Sequence[Split] | None = None
) -> RoundsTold:
    """Return the rounds of a splitter, a number of folds or a list of splits."""
    if not (hasattr(cv, "split") or isinstance(cv, int)):
        return told_by_splits(list(cv), "`cv` is a list of splits")
    name = name_of_cv(cv, y)
    design = KINDS.get(name, "")
    if design == "repeated-kfold" and (cv.n_repeats, cv.cvargs.get("n_splits")) == (5, 2):
        design = "5x2cv"
    if X is not None:
        splits = splits_of(cv, X, y, groups, classifier=True) if splits is None else splits
        return told_by_splits(splits, f"`cv` is {name}", design)
    folds = cv if isinstance(cv, int) else getattr(cv, "cvargs", vars(cv)).get("n_splits")
    if design in ("kfold", "repeated-kfold", "5x2cv") and isinstance(folds, int):
        why = f"`cv` is {name}: a round trains on {folds - 1} parts and tests on one, {design}."
        return RoundsTold(design, float(folds - 1), 1.0, why)
    raise InvalidValueError(
        f"`cv` is {name}, which does not tell the sizes of its rounds by itself: pass X and y, "
        "too, as compare(data, X, y, cv=cv), or `n_train` and `n_test`."
    )


def name_of_cv(cv: Any, y: Any) -> str:
    """Return the name of the splitter, of a number of folds that which classifiers' labels ask."""
    if not isinstance(cv, int):
        return type(cv).__name__
    if y is None:
        return "KFold"
    from sklearn.model_selection import check_cv

    return type(check_cv(cv, y, classifier=True)).__name__


def splits_of(cv: Any, X: Any, y: Any, groups: Any, *, classifier: bool) -> list[Split]:
    """Return the splits of the cases by scikit-learn's own rules."""
    from sklearn.model_selection import check_cv

    return list(check_cv(cv, y, classifier=classifier).split(X, y, groups))


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

    found = {}
    for name, estimator in estimators.items():
        if not is_estimator(estimator):
            raise InvalidTypeError(
                f"`data[{name!r}]` must be an estimator, got a {type(estimator).__name__}."
            )
        result = cross_validate(
            estimator, X, y, cv=list(splits), scoring=scoring, n_jobs=n_jobs, error_score="raise"
        )
        found[name] = np.asarray(result["test_score"])
    return found


def told_by_search(search: Any, cv: Any, X: Any, y: Any, groups: Any) -> RoundsTold:
    """Return the rounds of a fitted search."""
    own = search.cv if cv is None else cv
    chosen = int(search.n_splits_) if own is None else own
    return told_by_cv(chosen, X, y, groups)


def any_classifier(estimators: Mapping[str, Any]) -> bool:
    """Return whether one of the estimators is a classifier, for whom splits are stratified."""
    from sklearn.base import is_classifier

    return any(map(is_classifier, estimators.values()))
