"""What users say of their data where they ask which test is right."""

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import NoReturn

from .._base.exceptions import InvalidTypeError, InvalidValueError
from .options import check_choice


def check_kind(kind: object, kinds: Sequence[str]) -> str:
    """Return the kind of data, or raise."""
    if kind is None:
        raise InvalidValueError(
            "`kind` must be given where there are no data: what do you hold? One of "
            f"{', '.join(map(repr, kinds))}. Or pass the `data`, as compare takes them."
        )
    check_choice("kind", kind, kinds)
    return str(kind)


def check_design(design: object, kind: str, designs: Mapping[str, Sequence[str]]) -> str:
    """Return the design, by default the first of the kind, or raise."""
    if design is None:
        return designs[kind][0]
    if isinstance(design, str) and design not in designs[kind]:
        for other, words in designs.items():
            if design in words:
                raise InvalidValueError(
                    f"`design` {design!r} is for kind={other!r}; for {kind!r} it must be one of "
                    f"{', '.join(map(repr, designs[kind]))}."
                )
    check_choice("design", design, designs[kind])
    return str(design)


def check_how_many(name: str, value: object, least: int) -> int:
    """Return a whole number of at least `least`, or raise."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise InvalidTypeError(f"`{name}` must be a whole number, got {value!r}.")
    if value < least:
        raise InvalidValueError(f"`{name}` must be at least {least}, got {value}.")
    return int(value)


def check_agreement(name: str, told: object, found: object, hold: str) -> None:
    """Raise where words contradict the data."""
    if told is not None and told != found:
        raise InvalidValueError(
            f"`{name}={told!r}` contradicts `data`, which {hold}. Leave `{name}` out, or `data`."
        )


def check_no_data(**given: object) -> None:
    """Raise for options that go with data, where there are none."""
    for name, value in given.items():
        if value is not None:
            raise InvalidValueError(
                f"`{name}` goes with `data`, which is left out. Pass the data, or say in words "
                "what they are: kind=, n_models=, n=, design=."
            )


def check_same_rows(sizes: Mapping[str, int]) -> None:
    """Raise unless all columns have as many rows."""
    first, *others = sizes
    for name in others:
        if sizes[name] != sizes[first]:
            raise InvalidValueError(
                f"`data` must have as many rows for all columns: {first!r} has {sizes[first]}, "
                f"{name!r} {sizes[name]}."
            )


def refuse_advice(asked: str, why: str = "") -> NoReturn:
    """Raise since no rule fits what was asked."""
    raise InvalidValueError(
        f"no test here fits {asked}. {why}Leave `design`, `parametric` or `claim` out to see what "
        "there is: fastcompare.advice.RULES has all rules. Models that met different rows are "
        "tested only where all rows are independent: let them meet the same rows, if you can."
    )


def refuse_measure(asked: str) -> NoReturn:
    """Raise since no simulation is written for what was asked."""
    raise InvalidValueError(
        f"`measure` has no simulation for {asked}. Simulate your own design by "
        "simulate_error_rates, or leave `measure` out."
    )


def refuse_trust(asked: str) -> NoReturn:
    """Raise since no simulation is written for such data."""
    raise InvalidValueError(
        f"`trust` has no simulation for {asked}. Simulate your own design by simulate_error_rates."
    )
