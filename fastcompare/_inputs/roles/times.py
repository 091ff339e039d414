"""Times to an event, whether it was observed, and scores of risk."""

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any

import numpy as np

from ..._base.types import Fields
from ..options import check_choice
from .attributes import require_models
from .cases import possible_models
from .column import Column, label_codes
from .question import ask, refuse_faults
from .reading import (
    Named,
    Reading,
    eligible_columns,
    groups_and_weights,
    option_name,
    quote_names,
    unused_column_lines,
)
from .truths import NO_TRUTHS, find_positive, label_values, may_be_labels
from .units import dependence
from .words import ROLES, is_clear_truth, name_suggests, split_words

GENERIC = {"event", "events", "status", "observed", "delta", "ereignis", "evento"}
PARTNERS = {"os": {"od"}, "tte": {"tee"}, "dias": {"sys", "syst"}}  # of words of times
WORDS_BESIDE_EVENT = ROLES["time"] | ROLES["beside_survival"]  # in the name of its time
MOST_PAIRS = 4  # of times and events, in a question


def read_times(columns: Mapping[str, Column], named: Named) -> Reading | None:
    """Return the reading of times to an event and scores of risk; None for other tables.

    Raise where it is unclear which columns have times and events.
    """
    is_specified = named.kind == "times" or named.time is not None or named.event is not None
    if not is_specified and (named.kind is not None or named.label is not None or named.models):
        return None
    usable = {n: c for n, c in columns.items() if c.present.size and n not in (named.id,)}
    times, events = find_times(usable), find_events(usable)
    if not is_specified:
        ask_endpoints(usable, times, events)
        return None
    time = named.time or only("time", times, [n for n, c in usable.items() if c.is_number])
    two = [n for n, c in usable.items() if c.has_two]
    event = named.event or only("event", events or two, two)
    for what, name in (("time", time), ("event", event)):
        check_choice(option_name(what), name, tuple(columns))
    if named.pos_label is None and columns[event].texts is None:
        ask_censoring(time, columns[event])
    return read_risks(columns, named, time, event)


def read_risks(columns: Mapping[str, Column], named: Named, time: str, event: str) -> Reading:
    """Return the reading of scores of risk, with the columns of times and of events."""
    others = {n: c for n, c in eligible_columns(columns, named).items() if n not in (time, event)}
    chosen = list(named.models or ())
    why: dict[str, str] = {}
    for name in chosen:
        check_choice(option_name("models"), name, tuple(columns))
    if not chosen:
        possible = possible_models(others, columns[event])
        chosen = require_models(possible.scores or possible.labels, others)
        why = possible.why
    refuse_faults([columns[name] for name in (time, *chosen)])
    observed, positive = event_values(columns[event], named)
    observed_note = "" if positive is None else f" (observed: {positive!r})"
    taken = [time, event, *chosen]
    return Reading(
        kind="times",
        models={name: columns[name].values() for name in chosen},
        times=(columns[time].values(), observed),
        options=groups_and_weights(columns, named),
        lines=(
            f"Times: {time!r}; events: {event!r}{observed_note}.",
            f"Models: {quote_names(chosen)} (scores of risk; {option_name('models')} chooses).",
            *unused_column_lines(columns, [*taken, *named.auxiliary], why),
        ),
        **dependence(columns, taken, named),
    )


def event_values(event: Column, named: Named) -> tuple[Any, Any]:
    """Return for each case whether its event was observed, and the label for that (None: 1).

    NaN where it is missing.
    """
    positive = find_positive(event, named)
    if positive is None:
        return event.values(), None
    place = [str(value) for value in label_values(event)].index(str(positive))
    is_observed = event.codes == label_codes(event)[place]
    return np.where(event.missing, np.nan, is_observed), positive


def find_times(columns: Mapping[str, Column]) -> list[str]:
    """Return the columns that may be times to an event: those called survival, say, if any are."""
    times = [n for n, c in columns.items() if is_time(c) and not is_one_of_two(n, columns)]
    events = [n for n, c in columns.items() if c.has_two and may_be_event(n)]
    return (
        [n for n in times if is_survival(n) or any(is_time_to(n, event) for event in events)]
        or times
        or [n for n, c in columns.items() if is_time_of_event(c)]
    )


def is_one_of_two(name: str, names: Iterable[str]) -> bool:
    """Return whether a name is half of a pair of measurements, such as OS beside OD of two eyes."""
    others = {word for other in names for word in split_words(other)}
    return any(word in PARTNERS and PARTNERS[word] & others for word in split_words(name))


def find_events(columns: Mapping[str, Column]) -> list[str]:
    """Return the columns of two values that are called events, or of which another is the time."""
    roles = ("event", "time")  # the event of OS.time may be called OS, a word of times
    two = [n for n, c in columns.items() if c.has_two]
    times = [n for n, c in columns.items() if is_time(c)]
    return [
        n
        for n in two
        if any(name_suggests(n, role) for role in roles)
        or (may_be_event(n) and any(is_time_to(time, n) for time in times))
    ]


def may_be_event(name: str) -> bool:
    """Return whether a name is none of answers, labels and people, whose times are of reactions."""
    roles = ("truth", "prediction", "metric", "rater", "model")
    return not any(name_suggests(name, role) for role in roles)


def is_time_to(time: str, event: str) -> bool:
    """Return whether one name is that of the time to another: PFI.time or days_to_PFI of PFI."""
    words, more = {*split_words(event)}, {*split_words(time)}
    return bool(words) and words < more and more - words <= WORDS_BESIDE_EVENT


def is_time(column: Column) -> bool:
    """Return whether a column is called like a time, not like an age, and has numbers from 0 on."""
    if not column.is_number or column.has_two or column.is_constant or column.is_fold:
        return False
    named_so = name_suggests(column.name, "time") and not any(
        name_suggests(column.name, role) for role in ("prediction", "no_survival")
    )
    return named_so and bool(column.present.min() >= 0.0) and not column.is_share


def is_survival(name: str) -> bool:
    """Return whether a name can only be that of a time to an event: OS_months, days to death.

    Other words than those of times and events, as in os_version, are of other measurements.
    """
    words = {*split_words(name)}
    if not words <= ROLES["time"] | ROLES["event"] | ROLES["beside_survival"]:
        return False
    is_until_event = bool(words & {"to", "until", "bis"} and words & ROLES["event"])
    is_follow_up = {"follow", "up"} <= words
    return is_until_event or is_follow_up or bool(words & ROLES["survival"])


def is_time_of_event(column: Column) -> bool:
    """Return whether a column is called by a word such as t or surv, which may be a time."""
    if not column.is_number or column.has_two or column.is_constant or column.is_fold:
        return False
    named_so = "".join(split_words(column.name)) in ROLES["time_of_event"]
    return named_so and bool(column.present.min() >= 0.0) and not column.is_share


def ask_endpoints(columns: Mapping[str, Column], times: list[str], events: list[str]) -> None:
    """Raise where columns may be times and events: whether they are, or which has true labels.

    Nothing is asked where another column of two values is called true labels.
    """
    are_survival = any(map(is_survival, times))
    if are_survival:
        events = [n for n in events if not name_suggests(n, "prediction")]
    if are_survival and not events:
        labels = [n for n, c in columns.items() if may_be_labels(c) and not is_clear_truth(n)]
        events = [n for n in labels if not any(name_suggests(n, role) for role in NO_TRUTHS)]
    pairs = pair_endpoints(times, events, are_survival)
    clear = [n for n, c in columns.items() if c.has_two and is_clear_truth(n)]
    if not pairs or not {*clear} <= {*events}:
        return
    times, events = ([*dict.fromkeys(names)] for names in zip(*pairs, strict=True))
    if len(pairs) == 1:
        text = (
            f"are {times[0]!r} and {events[0]!r} times to an event and whether it was observed, or "
            f"has {events[0]!r} the true labels?"
        )
    else:
        text = (
            f"are {quote_names(times)} times to events and {quote_names(events)} whether these "
            f"were observed, or has one of {quote_names(events)} the true labels?"
        )
    ways: list[Fields] = [{"time": time, "event": event} for time, event in pairs]
    of_labels: list[Fields] = [{"label": event} for event in events]
    ask(text, [*of_labels, *ways] if are_of_customers(times, columns) else [*ways, *of_labels])


def are_of_customers(times: list[str], columns: Mapping[str, Column]) -> bool:
    """Return whether times are tenures of customers, beside probabilities that they leave."""
    probabilities = [c for c in columns.values() if c.is_decimal and c.is_share]
    are_tenures = all("tenure" in split_words(name) for name in times)
    return are_tenures and len(probabilities) > 1


def pair_endpoints(
    times: list[str], events: list[str], are_survival: bool
) -> list[tuple[str, str]]:
    """Return which columns may be a time and its event: those of a common word, OS or relapse.

    Without any, all pairs of one time and one event, or of times that can be nothing else.
    """
    words = ROLES["survival"] | ROLES["event"] - GENERIC
    shared = [
        (time, event)
        for time, event in product(times, events)
        if {*split_words(time)} & {*split_words(event)} & words or is_time_to(time, event)
    ]
    if len(times) == len(events) == 1 or (are_survival and not shared):
        return [*product(times, events)][:MOST_PAIRS]
    return shared


def ask_censoring(time: str, event: Column) -> None:
    """Raise for a column that is called censored: 1 may say so, or that the event was observed."""
    if name_suggests(event.name, "censoring") and event.has_two:
        first, second = label_values(event)
        ask(
            f"which value of {event.name!r} says that the event was observed, {first} or {second}?",
            [{"time": time, "event": event.name, "pos_label": x} for x in (first, second)],
            f" {first} if it is 1 for censored cases.",
        )


def only(what: str, matching: list[str], possible: list[str]) -> str:
    """Return the only `matching` column of times or events; raise with those that may be it."""
    if len(matching) != 1:
        ways = [dict(**{what: name}) for name in (matching or possible)[:4]]
        ask(f"which column has the {what}s?", ways)
    return matching[0]
