"""What pictures take: results, or several of them with names."""

from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from .._base.exceptions import InvalidTypeError, InvalidValueError
from .options import check_choice

RESPONSES = ("predict_proba", "decision_function")


def refuse_picture(result: Any, wanted: str, known: str) -> NoReturn:
    """Raise since a result has nothing of what a picture shows; `known` says what has."""
    raise InvalidTypeError(
        f"`result` must have {wanted}, got {type(result).__name__}. Pass the result of {known}."
    )


def as_results(result: Any) -> dict[Any, Any] | None:
    """Return several results by their names, or numbers without any; None for one result."""
    several: dict[Any, Any]
    if isinstance(result, Mapping):
        several = {str(name): one for name, one in result.items()}
    elif isinstance(result, list | tuple):
        several = dict(enumerate(result))
    else:
        return None
    if not several:
        raise InvalidValueError("`result` must hold at least one result, got none.")
    return several


def refuse_unpictured(result: Any, pictures: Iterable[str]) -> NoReturn:
    """Raise since no picture shows results of this class; `pictures` are the classes with one."""
    raise InvalidTypeError(
        f"`result` has no picture: got {type(result).__name__}. There are pictures of "
        f"{', '.join(sorted(pictures))}; `print(result)` and `result.to_frame()` show any result."
    )


def as_fitted(estimator: Any, name: object, pos_label: Any) -> tuple[dict[str, Any], Any]:
    """Return fitted classifiers of the same two classes by name, and the positive class."""
    if isinstance(estimator, Mapping):
        models = {str(called): one for called, one in estimator.items()}
    elif isinstance(estimator, list | tuple):
        models = {str(called): one for called, one in estimator}
    else:
        models = {type(estimator).__name__ if name is None else str(name): estimator}
    for called, one in models.items():
        classes = list(getattr(one, "classes_", ()))
        if len(classes) != 2:
            raise InvalidTypeError(
                f"`estimator` must be a fitted classifier of two classes, or several by name, got "
                f"{called!r}, a {type(one).__name__} with {len(classes)} classes. Fit it first."
            )
    positive = next(iter(models.values())).classes_[-1] if pos_label is None else pos_label
    for called, one in models.items():
        if positive not in list(one.classes_):
            raise InvalidValueError(
                f"`pos_label` must be a class of all estimators, got {positive!r}: {called!r} has "
                f"{', '.join(map(repr, one.classes_))}."
            )
    return models, positive


def response_of(estimator: Any, method: str) -> str:
    """Return the name of the method that scores cases, or raise where there is none."""
    check_choice("response_method", method, ("auto", *RESPONSES))
    wanted = RESPONSES if method == "auto" else (method,)
    for name in wanted:
        if hasattr(estimator, name):
            return name
    raise InvalidTypeError(
        f"`estimator` must have {' or '.join(wanted)}, got a {type(estimator).__name__} without."
    )
