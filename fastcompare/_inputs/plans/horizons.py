"""Horizons at which models are compared, and their probabilities of an event until then."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ..._adapters.frames import is_frame, refuse_lazy
from ..._base.exceptions import InvalidValueError, invalid_value
from ..._base.types import Vector
from ..arrays import Column, as_column, dimensions, read_once
from ..probabilities import check_range
from ..scores import as_names, as_table, as_vector, named_models
from ..times import Times, as_moment, as_times

SURVIVAL = " Pass the chance of an event by the horizon, 1 - S(t), not of surviving it."


class Horizons(NamedTuple):
    """Points in time (H,), and whether they came as one number."""

    times: Vector
    single: bool


def as_horizons(horizon: Any) -> Horizons:
    """Return one or several horizons, numbers above 0, all different, or raise."""
    if dimensions("horizon", horizon) == 0:
        return Horizons(np.array([as_moment("horizon", horizon)]), True)
    horizons = list(horizon.tolist() if hasattr(horizon, "tolist") else horizon)
    if np.ndim(horizon) != 1 or not horizons:
        raise invalid_value(
            "horizon",
            "must be a number or 1-d and not empty",
            np.shape(horizon),
            show=", got shape {}",
        )
    times = np.array([as_moment("horizon", value) for value in horizons])
    if np.unique(times).size < times.size:
        raise invalid_value("horizon", "must contain different times", horizons, show=", got {}")
    return Horizons(times, False)


def one_horizon(horizon: Any) -> float:
    """Return the horizon at which all pairs of models are compared, or raise for several."""
    horizons = as_horizons(horizon)
    if not horizons.single:
        raise invalid_value(
            "horizon",
            "must be one number for all pairs of models",
            horizons.times.size,
            ": compare them at each horizon, or two models at several.",
        )
    return float(horizons.times[0])


def measured_at(method: str, horizon: Any, tau: object, predicts: object) -> Vector:
    """Return the horizon (1,) of an AUC or Brier score, none (0,) of a concordance, or raise."""
    has_horizon = method in ("auc", "brier")
    if has_horizon == (horizon is None):
        verb = "must be specified" if has_horizon else "must be None"
        raise invalid_value("horizon", f"{verb} for method={method!r}", horizon)
    if has_horizon and tau is not None:
        raise invalid_value(
            "tau", f"must be None for method={method!r}", tau, ": events count up to `horizon`."
        )
    if method == "brier" and predicts != "risk":
        raise invalid_value(
            "predicts",
            "must be 'risk' for method='brier'",
            predicts,
            ": pass probabilities of an event by the horizon.",
        )
    return np.array([one_horizon(horizon)] if has_horizon else [])


def check_two_models(k: int) -> None:
    """Raise unless there are two models to compare."""
    if k < 2:
        raise InvalidValueError(
            "`scores` or `probabilities` must contain two models, got one.", parameter="scores"
        )


class Predicted(NamedTuple):
    """Times and events, and chances (H vectors a model) of an event by each horizon."""

    cases: Times
    chances: list[list[Vector]]
    names: tuple[str, ...]


def as_predicted(
    time: object, event: object, arguments: Mapping[str, object], horizons: int, **others: Any
) -> Predicted:
    """Return checked times, events and chances of models; `others` are what `as_times` takes.

    `arguments` maps parameters to the probabilities of a model each (of two, the second may be None
    if the first is a table of both), or "probabilities" to those of all models.
    """
    if tuple(arguments) == ("probabilities",):
        models, names = models_in(arguments["probabilities"])
    else:
        models, names = named_models(arguments)
    columns = {title: chance_columns(title, values, horizons) for title, values in models.items()}
    flat = {
        title if horizons == 1 else f"{title}[:, {h}]": column
        for title, model_columns in columns.items()
        for h, column in enumerate(model_columns)
    }
    cases = as_times(time, event, table=flat, **others)
    for title, vector in zip(flat, cases.scores, strict=True):
        check_range(title, vector)
    starts = range(0, len(flat), horizons)  # of the columns of each model
    chances = [list(cases.scores[start : start + horizons]) for start in starts]
    return Predicted(cases, chances, names)


def models_in(table: Any) -> tuple[dict[str, object], tuple[str, ...]]:
    """Return the columns of a table of models by title, and the names of the models.

    A title says where a column came from in messages: probabilities['a'].
    """
    refuse_lazy("probabilities", table)
    table = read_once(table)
    if isinstance(table, Mapping):
        names = as_names("probabilities", list(table))
        values = list(table.values())
    else:
        n = len(table) if is_frame(table) or dimensions("probabilities", table) else 0
        vectors, names = as_table("probabilities", table, n)
        values = list(vectors)
    titles = (f"probabilities[{name!r}]" for name in names)
    return dict(zip(titles, values, strict=True)), names


def chance_columns(name: str, values: object, horizons: int) -> list[Vector]:
    """Return the columns of a model's chances, one for each horizon, NaN where missing."""
    array, missing = as_column(name, values)
    if array.ndim == 1 and horizons == 1:
        array = array[:, None]
        missing = None if missing is None else missing[:, None]
    if array.ndim != 2 or array.shape[1] != horizons:
        shape = "(n,)" if horizons == 1 else f"(n, {horizons}), a column for each horizon"
        raise invalid_value(name, f"must have shape {shape}", array.shape, f".{SURVIVAL}")
    missing_by_column = [None if missing is None else missing[:, j] for j in range(horizons)]
    return [
        as_vector(name, Column(array[:, j], missing_in_column))
        for j, missing_in_column in enumerate(missing_by_column)
    ]
