"""Times to an event, whether it was observed, and the predictions of models for the same cases.

A case whose event was not observed is censored: its time is a lower bound. Times and events are two
columns, one structured array of scikit-survival, or a frame of both. Scores are risks, the higher
the sooner; predicted times are negated once, here.

A horizon is a time at which models are compared by their probabilities of an event until then. One
horizon is a number, several are a list or a 1-d array, with a column of probabilities for each.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._adapters.frames import (
    check_indexes,
    foreign_column,
    frame_columns,
    frame_names,
    is_frame,
    package_name,
    refuse_lazy,
)
from .._base.exceptions import (
    FastCompareError,
    invalid_type,
    invalid_value,
)
from .._base.types import Vector
from .arrays import Column, as_column, dimensions, holds_wide_integers, refuse_illegal, to_float64
from .labels import is_flag, is_zero_or_one, listed_labels
from .options import as_real, called_for, check_choice
from .scores import Named, as_scores, as_table, find_missing, leave_out, named_models
from .weights import as_extras, as_strata, check_length, number_strata

PREDICTS = ("risk", "time")
TIMES = "times in `time`"
UNSUPPORTED = (
    "Interval censoring and left truncation (entry times) are not implemented: each case has one "
    "`time`, and an `event` that says whether it was seen."
)
CURVES = (
    "A survival curve has no single order: pass one number a case, such as the risk at a horizon, "
    "1 - S(t)."
)


@dataclass(frozen=True, slots=True)
class Times(Named):
    """Times (n,) and events (n,) of 0 and 1, k vectors of n scores, the higher the sooner.

    Weights (n,) are above 0: a case of weight 0 does not count. Groups (n,) number the clusters
    from 0, and strata (n,) the strata, of which there are several.
    """

    time: Vector
    event: NDArray[np.uint8]
    scores: Sequence[Vector]
    names: tuple[str, ...]
    n_dropped: int = 0
    weights: Vector | None = None
    groups: NDArray[np.int64] | None = None
    strata: NDArray[np.int64] | None = None

    @property
    def n_events(self) -> int:
        """The number of events that were observed."""
        return int(np.count_nonzero(self.event))


def as_times(
    time: object,
    event: object,
    predicts: object = "risk",
    nan_policy: object = "raise",
    groups: object = None,
    sample_weight: object = None,
    *,
    strata: object = None,
    table: object = None,
    **scores: object,
) -> Times:
    """Return the checked times, events and scores of the same cases, with weights or clusters.

    The scores come as keywords, one model each under the name of the parameter, or all in `table`,
    which errors call `scores`.
    """
    check_choice("predicts", predicts, PREDICTS)
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    time, event = as_time_and_event(time, event)
    (durations, untimed), (observed, unseen) = as_durations(time), as_events(event)
    if durations.size == 0:
        raise invalid_value("time", "must contain at least one case", end=", got 0 samples.")
    check_length("event", observed.size, durations.size, TIMES)
    check_durations(durations, untimed, observed)
    events = are_events(observed, unseen, durations)
    vectors, names, titles, sources = as_score_vectors(durations.size, table, scores)
    extras = as_extras(durations.size, sample_weight, None, groups, TIMES)
    layers, unlayered = as_strata(strata, durations.size, TIMES)
    besides = [("sample_weight", sample_weight), ("groups", groups), ("strata", strata)]
    check_indexes([("time", time), ("event", event), *sources.items(), *besides])

    flagged = [("time", untimed), ("event", unseen), ("groups", extras.ungrouped)]
    flagged.append(("strata", unlayered))
    missing, dropped = find_missing(flagged, vectors, titles, str(nan_policy)), 0
    if missing is not None:
        complete, dropped = ~missing, leave_out(missing, values="time, event, score or group")
        durations, events, extras = durations[complete], events[complete], extras.only(complete)
        layers = None if layers is None else layers[complete]
        vectors = [vector[complete] for vector in vectors]
    if predicts == "time":  # the later the event, the lower the score
        vectors = [-vector for vector in vectors]
    clusters = extras.clusters()
    numbers = number_strata(layers)
    return with_positive_weights(
        Times(durations, events, vectors, names, dropped, extras.weights, clusters, numbers)
    )


def with_positive_weights(cases: Times) -> Times:
    """Return the cases without those of weight 0."""
    if cases.weights is None or cases.weights.all():
        return cases
    has_weight = cases.weights > 0.0
    if not has_weight.any():
        raise invalid_value("sample_weight", "must be above 0 for at least one case")
    return replace(
        cases,
        time=cases.time[has_weight],
        event=cases.event[has_weight],
        scores=[vector[has_weight] for vector in cases.scores],
        weights=cases.weights[has_weight],
        strata=None if cases.strata is None else number_strata(cases.strata[has_weight]),
    )


class TimeAndEvent(NamedTuple):
    """The columns of times and of events, unchecked."""

    time: Any
    event: Any


def as_time_and_event(time: object, event: object) -> TimeAndEvent:
    """Return times and events, which one structured array, frame or mapping may hold."""
    columns = columns_by_name(time)
    if columns is None:
        if event is None:
            raise invalid_type(
                "event",
                "must be specified, unless `time` holds both",
                end=": a structured array of scikit-survival, or a data frame of the two columns.",
            )
        return TimeAndEvent(time, event)
    if len(columns) == 1 and event is not None:
        return TimeAndEvent(next(iter(columns.values())), event)
    listed = ", ".join(columns)
    if event is not None:
        raise invalid_value(
            "event",
            "must be left out (None) where `time` holds both",
            end=f": got the columns {listed}.",
        )
    if len(columns) != 2:
        raise invalid_value(
            "time",
            "must hold two columns, of times and of events",
            len(columns),
            f": {listed}. {UNSUPPORTED}",
        )
    return identify_columns(columns)


def columns_by_name(time: object) -> dict[str, Any] | None:
    """Return the columns of a structured array, frame or mapping by name; None of one column."""
    if isinstance(time, np.ndarray) and time.dtype.names is not None:
        return {name: np.ascontiguousarray(time[name]) for name in time.dtype.names}
    if isinstance(time, Mapping):
        return {str(name): column for name, column in time.items()}
    if is_frame(time):
        refuse_lazy("time", time)
        return dict(zip(frame_names(time), frame_columns(time), strict=True))
    return None


def identify_columns(columns: dict[str, Any]) -> TimeAndEvent:
    """Return two columns as times and events, or raise if both or none may be events.

    Events are the only column of bools, or else the only one of 0 and 1.
    """
    values = {name: as_column("time", column).values for name, column in columns.items()}
    (first, first_values), (second, second_values) = values.items()
    for is_event in (is_flag, is_zero_or_one):
        if is_event(first_values) and not is_event(second_values):
            return TimeAndEvent(time=columns[second], event=columns[first])
        if is_event(second_values) and not is_event(first_values):
            return TimeAndEvent(time=columns[first], event=columns[second])
    raise invalid_value(
        "time",
        f"holds two columns, {first} and {second}, that do not show which one says whether "
        "the event was seen",
        end=": pass them apart, as `time` and `event`.",
    )


def as_durations(values: object) -> tuple[Vector, NDArray[np.bool_] | None]:
    """Return times as float64, and which are missing (None: none is); or raise."""
    refuse_dates(values)
    array, missing = one_column("time", values)
    if array.dtype.kind in "mM":
        refuse_dates(array)
    if array.dtype.kind == "b":
        raise invalid_type(
            "time", "must contain numbers", end=", got bool: were `time` and `event` swapped?"
        )
    if holds_wide_integers(array):
        raise invalid_value(
            "time",
            "contains integers beyond 2^53, which float64 would merge",
            end=": take a larger unit.",
        )
    time = to_float64("time", array)
    is_missing = np.isnan(time) if missing is None else missing | np.isnan(time)
    if not is_missing.any():
        return np.require(time, np.float64, ("C", "A", "W")), None
    time = np.array(time, order="C")
    time[is_missing] = np.nan
    return time, is_missing


def refuse_dates(values: Any) -> None:
    """Raise for dates, which say when and not how long, and for time differences, of any unit."""
    dtype = getattr(values, "dtype", None)
    kind = getattr(dtype, "kind", "")
    first = values[0] if isinstance(values, list | tuple) and values else None
    if kind == "m" or isinstance(first, timedelta | np.timedelta64):
        raise invalid_type(
            "time",
            "must contain numbers",
            end=", got time differences: divide them by their unit, np.timedelta64(1, 'D') or "
            "pandas.Timedelta('1D').",
        )
    if kind == "M" or isinstance(first, date | np.datetime64):
        raise invalid_type(
            "time",
            "must contain durations",
            end=", got dates: subtract the start of each case, and divide by a unit such as "
            "np.timedelta64(1, 'D').",
        )


def one_column(name: str, values: object) -> Column:
    """Return 1-d values of any dtype, and which are flagged as missing, or raise."""
    array, missing = as_column(name, values)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array.ravel()
        missing = None if missing is None else missing.ravel()
    if array.ndim != 1:
        raise invalid_value(
            name, "must be 1-d", array.shape, f". {UNSUPPORTED}", show=", got shape {!r}"
        )
    return Column(array, missing)


def check_durations(time: Vector, missing: NDArray[np.bool_] | None, events: NDArray[Any]) -> None:
    """Raise unless times are finite and at least 0, where they are known."""
    legal = np.isfinite(time) & (time >= 0.0)
    if missing is not None:
        legal |= missing
    if not legal.all():
        looks_swapped = is_zero_or_one(time) and not is_zero_or_one(events)
        remedy = ". Times run from the start of each case."
        remedy += " Were `time` and `event` swapped?" if looks_swapped else ""
        refuse_illegal("time", "contain finite numbers of at least 0", time, legal, remedy)


def as_events(values: object) -> tuple[NDArray[Any], NDArray[np.bool_] | None]:
    """Return events as an array of bools or numbers, and which are missing (None: none is)."""
    array, missing = one_column("event", values)
    if array.dtype.kind not in "biuf":
        raise invalid_type(
            "event",
            "must be bool or 0 and 1",
            array.dtype,
            ": pass event == 'dead', say; on the command line, --pos-label dead.",
            show=", got dtype {}",
        )
    if array.dtype.kind == "f":
        nan = np.isnan(array)
        missing = nan if missing is None else missing | nan
    if missing is not None and not missing.any():
        missing = None
    return array, missing


def are_events(
    events: NDArray[Any], missing: NDArray[np.bool_] | None, time: Vector
) -> NDArray[np.uint8]:
    """Return 1 where the event was seen and 0 elsewhere, as a new array; raise for other values."""
    present = events if missing is None else events[~missing]
    if is_zero_or_one(present):
        return np.asarray(events == 1).astype(np.uint8)
    values = np.unique(present).tolist()
    raise invalid_value(
        "event",
        f"must be bool or 0 and 1, found {listed_labels(values)}",
        end=f".{event_hint(values, time)}",
    )


def event_hint(values: list[Any], time: Vector) -> str:
    """Return how to go on with events of these distinct `values`, as the end of a message."""
    if is_zero_or_one(time) and len(values) > 2:
        return " Were `time` and `event` swapped?"
    if values == [1, 2]:
        return (
            " If 2 is the event, as in R's lung, pass event == 2; on the command line, --pos-label "
            "2."
        )
    if values == [-1, 1]:
        return " If 1 is the event, pass event == 1."
    if any(value != int(value) for value in values if abs(value) < np.inf):
        return " Each case has an event that was seen (1) or was not (0)."
    return (
        " Competing risks are not implemented: code them as censored (0) only if you mean "
        "cause-specific risks."
    )


def as_score_vectors(
    n: int, table: object, scores: dict[str, object]
) -> tuple[Sequence[Vector], tuple[str, ...], tuple[str, ...], dict[str, object]]:
    """Return each model's scores (n,), the models' names, their titles in errors, and arguments.

    `scores` are those of each model by parameter, or {} if they are in `table`.
    """
    if scores:
        sources, names = named_models(scores)
        for name, values in sources.items():
            refuse_curves(name, values)
        vectors: Sequence[Vector] = [as_scores(name, values) for name, values in sources.items()]
        titles = tuple(sources)
    else:
        refuse_functions("scores", table)
        sources = dict(table) if isinstance(table, Mapping) else {"scores": table}
        if isinstance(table, Mapping):
            for name, values in sources.items():
                refuse_curves(f"scores[{name!r}]", values)
        with called_for("scores", "time", (), False):
            vectors, names = as_table("scores", table, n)
        titles = names if len(names) > 1 else ("scores",)
    for vector, title in zip(vectors, titles, strict=True):
        check_length(title, vector.size, n, TIMES)
    return vectors, names, titles, sources


def refuse_curves(name: str, values: object) -> None:
    """Raise for whole survival curves in place of one number a case."""
    refuse_functions(name, values)
    if package_name(values) == "torch":  # nested tensors have no shape to ask for
        values = foreign_column(name, values)[0]
    shape = np.shape(values) if hasattr(values, "shape") else ()
    if len(shape) > 1 and shape[1] != 1:
        raise invalid_value(name, "must be 1-d", shape, f". {CURVES}", show=", got shape {}")


def refuse_functions(name: str, values: Any) -> None:
    """Raise for survival functions, as scikit-survival's models return them."""
    is_array_of_objects = getattr(getattr(values, "dtype", None), "kind", "") == "O"
    if not isinstance(values, list | tuple) and not is_array_of_objects:
        return
    if dimensions(name, values) == 1 and len(values) and callable(values[0]):
        raise invalid_type(name, "must contain numbers", end=f", got functions. {CURVES}")


def as_moment(name: str, value: object) -> float:
    """Return a moment, a finite number above 0, or raise; `name` is `tau` or `horizon`."""
    if isinstance(value, date | timedelta | np.datetime64 | np.timedelta64):
        raise invalid_type(name, "must be a number in the unit of `time`", value)
    moment = as_real(name, value)
    if not 0.0 < moment < np.inf:
        raise invalid_value(name, "must be above 0 and finite", value)
    return moment


def as_tau(tau: object) -> float | None:
    """Return tau, the time from which on events do not count, None if all do; or raise."""
    return None if tau is None else as_moment("tau", tau)


def holds_times(data: object) -> bool:
    """Say whether data are two columns of which one says whether the event was seen."""
    columns = columns_by_name(data)
    if columns is None or len(columns) != 2:
        return False
    if {*columns} == {*TimeAndEvent._fields}:
        return True
    try:
        identify_columns(columns)
    except FastCompareError:
        return False
    return True


def times_in(data: object) -> TimeAndEvent:
    """Return the times and events of data of two columns, or raise."""
    columns = columns_by_name(data)
    if columns is None or len(columns) != 2:
        raise invalid_type(
            "data",
            "must hold times and events for kind='times'",
            end=": a structured array of scikit-survival, or a data frame or mapping of the "
            "two columns. What models predicted goes to `a`.",
        )
    if {*columns} == {*TimeAndEvent._fields}:
        return TimeAndEvent(**columns)
    return identify_columns(columns)
