"""What pictures take: results, ranks and cliques of models, ranges of a ROC curve."""

from collections.abc import Mapping
from numbers import Integral
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import InvalidValueError, invalid_type, invalid_value
from .._base.memory import reserve
from .._base.text import correction_title
from .._base.types import Matrix, Vector
from .arrays import as_float_array, dimensions
from .options import as_real, check_choice

RESPONSES = ("predict_proba", "decision_function")
OF_PAIRS = "nemenyi_test or of another test of all pairs of models on many data sets"


def refuse_picture(result: Any, wanted: str, suitable: str) -> NoReturn:
    """Raise since a result has nothing of what a picture shows; `suitable` says what has."""
    raise invalid_type(
        "result",
        f"must have {wanted}",
        type(result).__name__,
        f". Pass the result of {suitable}.",
        show=", got {}",
    )


def as_results(result: Any) -> dict[Any, Any] | None:
    """Return several results by name, of a list by number from 0; None for one result; or raise."""
    several: dict[Any, Any]
    if isinstance(result, Mapping):
        several = {str(name): one for name, one in result.items()}
    elif isinstance(result, list | tuple):
        several = dict(enumerate(result))
    else:
        return None
    if not several:
        raise invalid_value("result", "must contain at least one result", end=", got none.")
    return several


def refuse_unpictured(result: Any) -> NoReturn:
    """Raise since no picture shows results of this class."""
    raise invalid_type(
        "result",
        "has no plot",
        end=f": got {type(result).__name__}. There are plots of estimates with intervals, "
        "pairs, ranks, tables of two models, curves and rates; `print(result)` and "
        "`result.to_frame()` show any result.",
    )


def as_fitted(estimator: Any, name: object, pos_label: Any) -> tuple[dict[str, Any], Any]:
    """Return fitted classifiers of two classes by name, and the positive class; or raise.

    `estimator` is one, a mapping of several, or a list of pairs (name, estimator). The positive
    class is `pos_label`, or the last class of the first one.
    """
    if isinstance(estimator, Mapping):
        models = {str(key): model for key, model in estimator.items()}
    elif isinstance(estimator, list | tuple):
        models = {str(key): model for key, model in estimator}
    else:
        models = {type(estimator).__name__ if name is None else str(name): estimator}
    for model_name, model in models.items():
        classes = list(getattr(model, "classes_", ()))
        if len(classes) != 2:
            raise invalid_type(
                "estimator",
                "must be a fitted classifier of two classes, or several by name",
                model_name,
                f", a {type(model).__name__} with {len(classes)} classes. Fit it first.",
            )
    positive = next(iter(models.values())).classes_[-1] if pos_label is None else pos_label
    for model_name, model in models.items():
        if positive not in list(model.classes_):
            raise invalid_value(
                "pos_label",
                "must be a class of all estimators",
                positive,
                f": {model_name!r} has {', '.join(map(repr, model.classes_))}.",
            )
    return models, positive


def find_response(estimator: Any, method: str) -> str:
    """Return the name of the method that scores cases, or raise where there is none."""
    check_choice("response_method", method, ("auto", *RESPONSES))
    wanted = RESPONSES if method == "auto" else (method,)
    for name in wanted:
        if hasattr(estimator, name):
            return name
    raise invalid_type(
        "estimator",
        f"must have {' or '.join(wanted)}",
        end=f", got a {type(estimator).__name__} without.",
    )


class RankedModels(NamedTuple):
    """Names, average ranks, cliques as indices of models, CD, control, and a caption.

    CD, the critical difference, is None where it is undefined or unknown, the control where there
    is none. With a control the only clique is of the models that do not differ significantly from
    it.
    """

    names: tuple[str, ...]
    ranks: Vector
    cliques: list[tuple[int, ...]]
    critical_difference: float | None
    control: str | None
    caption: str


def as_ranking(result: Any) -> RankedModels:
    """Return the average ranks and cliques of a result, or raise."""
    require(result, ("names", "average_ranks", "cliques"))
    names = tuple(result.names)
    control = getattr(result, "control", None)
    if control is None:
        check_tested(getattr(result, "adjusted_pvalue", np.ones(1)))
    groups: Any = result.cliques if control is None else [near_control(result, control)]
    cliques = [tuple(names.index(as_member(model, names)) for model in group) for group in groups]
    cd = getattr(result, "critical_difference", None)
    critical_difference = None if cd is None or np.isnan(cd) else float(cd)
    ranks = np.asarray(result.average_ranks, np.float64)
    k = len(names)
    if ranks.shape != (k,) or k < 2 or not ((ranks >= 1) & (ranks <= k)).all():
        raise invalid_value(
            "result",
            f"must have an average rank between 1 and {k} of each of at least two models",
            end=f", got {ranks} of {k}. Pass the result of a test that ranks within data sets.",
        )
    return RankedModels(
        names, ranks, cliques, critical_difference, control, ranking_caption(result)
    )


def ranking_caption(result: Any) -> str:
    """Return the title of a test, its correction, level and data sets, where it has them."""
    words = [getattr(result, "title", "")]
    if getattr(result, "correction", "none") != "none":
        words.append(f"{correction_title(result.correction)} correction")
    if hasattr(result, "alpha"):
        words.append(f"\u03b1 = {result.alpha:g}")
    if hasattr(result, "average_ranks") and isinstance(getattr(result, "n", None), int):
        words.append(f"average ranks of {result.n} data sets")
    return ", ".join(filter(None, words))


def as_member(model: object, names: tuple[str, ...]) -> str:
    """Return the name of a member of a clique, or raise if no model has it."""
    if model not in names:
        raise invalid_value("result.cliques", "must contain names of its models", model)
    return str(model)


def near_control(result: Any, control: str) -> tuple[str, ...]:
    """Return the control and the models that do not differ significantly from it."""
    tested = zip(result.pairs, result.adjusted_pvalue, strict=True)
    near = {name for pair, p in tested if not p <= result.alpha for name in pair}
    return (control, *sorted(near - {control}))


def check_tested(pvalues: Vector | Matrix) -> None:
    """Raise if a pair has no p-value: neither letters nor bars could show that."""
    missing = np.count_nonzero(np.isnan(pvalues))
    if missing:
        raise invalid_value(
            "result",
            "must have p-values for all pairs of models",
            end=f", got {missing} NaN in `adjusted_pvalue`: they are undefined, or only pairs "
            "with a control were tested.",
        )


def check_axes(ax: Any) -> None:
    """Raise unless `ax` is None or the axes of a figure, not an array of axes or a figure."""
    if ax is not None and not (hasattr(ax, "plot") and hasattr(ax, "figure")):
        raise invalid_type(
            "ax",
            "must be the axes of a figure of matplotlib, or None",
            type(ax).__name__,
            ". Of plt.subplots(1, 2)[1], pass one element.",
            show=", got {}",
        )


def require(result: Any, wanted: tuple[str, ...], suitable: str = OF_PAIRS) -> None:
    """Raise unless a result has the `wanted` fields; `suitable` says which tests' results have."""
    missing = [name for name in wanted if not hasattr(result, name)]
    if missing:
        raise invalid_type(
            "result",
            f"must have {', '.join(wanted)}",
            end=f", got {type(result).__name__} without {', '.join(missing)}. Pass the result "
            f"of {suitable}.",
        )


class ComparedModels(NamedTuple):
    """Names, adjusted p-values (k, k), numbers (k,), smaller for better models, and a caption."""

    names: tuple[str, ...]
    pvalues: Matrix
    standing: Vector
    caption: str


def as_pvalue_matrix(result: Any) -> ComparedModels:
    """Return the adjusted p-values (k, k) of a result of a test of all pairs, or raise."""
    require(result, ("names", "adjusted_pvalue", "matrix"))
    names = tuple(result.names)
    pvalues = np.asarray(result.matrix("adjusted_pvalue"), np.float64)
    caption = ranking_caption(result)
    if hasattr(result, "_standing"):
        standing = result._standing()
    else:  # somebody else's result
        standing = getattr(result, "average_ranks", np.arange(len(names)))
    return ComparedModels(names, pvalues, np.asarray(standing, np.float64), caption)


def check_letters(count: int, most: int) -> None:
    """Raise if groups need more letters than there are."""
    if count > most:
        raise invalid_value(
            "result",
            f"needs {count} letters, more than the {most} that there are",
            end=". Use its `matrix('adjusted_pvalue')` instead.",
        )


Rates = tuple[float, float]  # from the lowest to the highest
DEFAULT_RANGE = (0.0, 0.1)
NARROWEST = 1e-9  # 1 - rate, which the mirrored curve takes, keeps seven digits of it


def check_rate(name: str, value: object) -> float:
    """Return a rate from 0 to 1, both included, or raise."""
    rate = as_real(name, value)
    if not 0.0 <= rate <= 1.0:
        hint = f" Did you mean {rate / 100:g}?" if 1.0 < rate <= 100.0 else ""
        raise invalid_value(name, "must be from 0 to 1", value, f".{hint}")
    return rate


def as_rate_range(fpr: object, tpr: object) -> tuple[str, float, float]:
    """Return ('TPR', low, high) of `tpr` if that is given, else ('FPR', low, high) of `fpr`.

    Raise if both are given.
    """
    if tpr is None:
        return "FPR", *as_range("fpr", fpr)
    if fpr is not DEFAULT_RANGE:  # not `!=`: whoever passes the same range means it
        raise InvalidValueError(
            "`fpr` and `tpr` cannot both be specified: choose one range.", parameter="fpr"
        )
    return "TPR", *as_range("tpr", tpr)


def as_range(name: str, values: object) -> tuple[float, float]:
    """Return the lower and the upper end of a range of rates, or raise."""
    if not isinstance(values, tuple | list | np.ndarray) or dimensions(name, values) == 0:
        raise invalid_type(name, "must be two numbers, as in (0, 0.1)", values)
    if len(values) != 2:
        raise invalid_value(name, "must be two numbers, as in (0, 0.1)", len(values))
    low, high = (check_rate(f"{name}[{i}]", value) for i, value in enumerate(values))
    if not low < high:
        raise invalid_value(
            name,
            "must go from a lower to a higher rate",
            end=f", got ({low:g}, {high:g}). A range of specificities from 1 down to 0.9 is "
            "fpr=(0, 0.1).",
        )
    if high - low < NARROWEST:
        raise invalid_value(
            name,
            f"must be at least {NARROWEST:g} wide",
            end=f", got ({low:g}, {high:g}). For a single rate use sensitivity_at_specificity "
            "or specificity_at_sensitivity.",
        )
    return low, high


def as_rates(name: str, values: object) -> NDArray[np.float64]:
    """Return ascending rates from 0 to 1, or raise; a whole number is that of equidistant ones."""
    if isinstance(values, Integral) and not isinstance(values, bool):
        if values < 2:
            raise invalid_value(name, "must be at least 2 points", values, show=", got {}")
        reserve((int(values),), hint="ask for fewer points")
        return np.linspace(0.0, 1.0, int(values))
    rates = as_float_array(name, values)
    if rates.ndim != 1 or rates.size == 0:
        raise invalid_value(
            name,
            "must be a number of points or a 1-d array of rates",
            rates.shape,
            show=", got shape {!r}",
        )
    check_ascending(name, rates)
    return rates


def check_ascending(name: str, rates: NDArray[np.float64]) -> None:
    """Raise unless rates are from 0 to 1 and increase."""
    wrong = np.flatnonzero(~((rates >= 0.0) & (rates <= 1.0)))
    if wrong.size:
        raise invalid_value(
            name,
            "must be from 0 to 1",
            rates[wrong[0]],
            f" at index {wrong[0]}.",
            show=", got {:g}",
            row=wrong[0],
        )
    falls = np.flatnonzero(np.diff(rates) <= 0.0)
    if falls.size:
        raise invalid_value(
            name,
            "must be increasing",
            end=f", but is not at index {falls[0] + 1}. Pass numpy.unique of it.",
            row=falls[0] + 1,
        )
