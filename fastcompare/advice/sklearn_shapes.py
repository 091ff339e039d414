"""scikit-learn's own shapes as scores by round: estimators, results of cross_validate, searches."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from .._adapters.splits import (
    RoundsTold,
    any_classifier,
    cross_validated,
    is_cv_result,
    is_estimator,
    is_search,
    scores_of_result,
    splits_of,
    told_by_cv,
    told_by_indices,
    told_by_search,
)
from .._compare.folds.estimators import compare_estimators
from .._compare.folds.search import SELECTED, best_candidates, candidate_names
from .._inputs.estimators import as_estimators
from .._inputs.kinds import refuse_shape
from .._inputs.scores import as_names
from .._inputs.search import as_search
from .handed import Handed, held
from .held import Held

TOP = 5  # candidates of a search
SEED = 0  # of the splits, where no `cv` is given
SIZES = ("n_train", "n_test")


def named_values(data: Any) -> Mapping[str, Any] | None:
    """Return a mapping or a list by name; None for others.

    A list holds pairs of a name and a value, or results of cross_validate, which are numbered, or
    estimators, which are called by their classes.
    """
    if isinstance(data, Mapping) and data:
        return dict(zip(as_names("data", list(data)), data.values(), strict=True))
    if not isinstance(data, list | tuple) or not data:
        return None
    if all(map(is_cv_result, data)):
        return {f"model {j}": result for j, result in enumerate(data, 1)}
    if all(map(is_estimator, data)):
        return dict(zip(names_by_class(data), data, strict=True))
    if not all(isinstance(x, tuple) and len(x) == 2 and isinstance(x[0], str) for x in data):
        return None
    return dict(zip(as_names("data", [x[0] for x in data]), (x[1] for x in data), strict=True))


def names_by_class(estimators: Sequence[Any]) -> list[str]:
    """Return the classes of estimators, numbered where there are several of one class."""
    classes = [getattr(e, "__name__", type(e).__name__) for e in estimators]
    return [
        f"{name} {classes[: j + 1].count(name)}" if classes.count(name) > 1 else name
        for j, name in enumerate(classes)
    ]


def holds_estimators(handed: Handed) -> bool:
    """Return whether the data are estimators, or one of them."""
    named = named_values(handed.data)
    one = is_estimator(handed.data)
    return one or (named is not None and any(map(is_estimator, named.values())))


def holds_cv_results(handed: Handed) -> bool:
    """Return whether the data are results of cross_validate, or one of them."""
    named = named_values(handed.data)
    one = is_cv_result(handed.data)
    return one or (named is not None and any(map(is_cv_result, named.values())))


def holds_search(handed: Handed) -> bool:
    """Return whether the data are a fitted search."""
    return is_search(handed.data)


def sized(handed: Handed, told: RoundsTold, columns: Mapping[str, Any], why: str) -> Held:
    """Return scores by round with the design and sizes that were told, unless users say others."""
    given = {name: value for name, value in handed.told.items() if name not in ("cv", "scoring")}
    given.pop("groups", None)  # which the splits have heeded
    given.setdefault("design", told.design)
    sizes = (float(given.get("n_train", told.n_train)), float(given.get("n_test", told.n_test)))
    known = Handed(data=handed.data, given=given)
    return held(known, "folds", columns, (why, told.why), sizes=sizes)


def held_estimators(handed: Handed) -> Held:
    """Return the scores of estimators that are fitted here on the same splits."""
    if is_estimator(handed.data):
        refuse_shape("one estimator is one model: pass a list of them, or {'name': estimator, ...}")
    named = as_estimators(named_values(handed.data))
    X, y, groups = handed.a, handed.b, handed.told.get("groups")
    if X is None or y is None:
        refuse_shape("estimators need the cases to fit: compare(estimators, X, y)")
    cv, scoring = handed.told.get("cv"), handed.told.get("scoring")
    why = f"{len(named)} estimators are fitted on the same splits."
    if handed.asks:
        return held_unfitted(handed, named)
    if cv is None:
        found = compare_estimators(
            named, X, y, scoring=scoring, groups=groups, rng=SEED, n_jobs=handed.n_jobs
        )
        told = RoundsTold("repeated-kfold", found.n_train, found.n_test, TEN_BY_TEN)
        return sized(handed, told, dict(zip(found.names, found.scores.T, strict=True)), why)
    classifier = any_classifier(named)
    splits = splits_of(cv, X, y, groups, classifier=classifier)
    told = told_by_cv(cv, X, y, groups, splits=splits)
    return sized(handed, told, cross_validated(named, X, y, splits, scoring, handed.n_jobs), why)


def held_unfitted(handed: Handed, named: Mapping[str, Any]) -> Held:
    """Return estimators that wait for the tests: their rounds, without scores."""
    X, y, groups = handed.a, handed.b, handed.told.get("groups")
    cv = handed.told.get("cv")
    if cv is None:
        told, rounds = RoundsTold("repeated-kfold", 9.0, 1.0, TEN_BY_TEN), 100
    else:
        splits = splits_of(cv, X, y, groups, classifier=any_classifier(named))
        told, rounds = told_by_cv(cv, X, y, groups, splits=splits), len(splits)
    why = f"{len(named)} estimators would be fitted on the same splits."
    return replace(sized(handed, told, named, why), n_rounds=rounds)


TEN_BY_TEN = (
    "No `cv` is told, so it is ten times ten folds, as compare_estimators takes them with rng=0."
)


def held_cv_results(handed: Handed) -> Held:
    """Return the scores by round that cross_validate returned for each model."""
    named = named_values(handed.data)
    if named is None or is_cv_result(handed.data) or len(named) < 2:
        refuse_shape(
            "one result of cross_validate is of one model: pass a list of them, or "
            "{'name': result, ...}"
        )
    scoring = handed.told.get("scoring")
    columns = {name: scores_of_result(name, result, scoring) for name, result in named.items()}
    told = told_by_indices(named)
    if told is None and "cv" in handed.told:
        told = told_by_cv(handed.told["cv"], handed.a, handed.b, handed.told.get("groups"))
    if told is None and not {*SIZES} <= {*handed.told}:
        refuse_shape(
            "results of cross_validate do not tell the sizes of rounds: make them with "
            "return_indices=True, or pass `cv`, or `n_train` and `n_test`"
        )
    if told is None:
        n_train, n_test = (float(handed.told[name]) for name in SIZES)
        told = RoundsTold("resampled", n_train, n_test, "`n_train` and `n_test` are told.")
    return sized(handed, told, columns, "Results of cross_validate are scores by round.")


def held_search(handed: Handed) -> Held:
    """Return the scores by round of the best candidates of a fitted search."""
    fitted = handed.data
    refit = getattr(fitted, "refit", None)
    usual = refit if isinstance(refit, str) else None
    found = as_search(fitted.cv_results_, handed.told.get("scoring", usual))
    chosen = best_candidates(found.scores)[:TOP]
    names = candidate_names(found.params, chosen)
    columns = dict(zip(names, found.scores[:, chosen].T.copy(), strict=True))
    cv, groups = handed.told.get("cv"), handed.told.get("groups")
    told = told_by_search(fitted, cv, handed.a, handed.b, groups)
    why = "A fitted search has scored its candidates on the same splits."
    if len(chosen) < len(found.params):
        why += SELECTED.format(k=len(chosen), total=len(found.params))
    return sized(handed, told, columns, why)
