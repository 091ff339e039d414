"""Words, levels and counts that every function takes."""

import math
import multiprocessing
import os
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

import numpy as np

from .._base.exceptions import InvalidTypeError, InvalidValueError, suggestion

ALTERNATIVES = ("two-sided", "less", "greater")
UNDEFINED = ("warn", "raise", "ignore")
REFERENCES = ("auto", "normal", "t")
WITH_EQUIVALENCE = (*ALTERNATIVES, "equivalence")


def check_choice(name: str, value: object, choices: Iterable[str]) -> None:
    """Raise unless `value` is one of `choices`, naming the nearest one."""
    legal = tuple(choices)
    if isinstance(value, str) and value in legal:
        return
    listed = ", ".join(map(repr, legal))
    hint = suggestion(str(value), legal)
    kind = InvalidValueError if isinstance(value, str) else InvalidTypeError
    came = str(value) if isinstance(value, str) else value  # np.str_ shows its class
    raise kind(f"`{name}` must be one of {listed}, got {came!r}.{hint}")


def as_choice(name: str, value: object, choices: Iterable[str]) -> Any:
    """Return the word that is meant, or raise; capitals, hyphens and spaces make no other word."""
    legal = tuple(choices)
    if isinstance(value, str) and value not in legal:
        meant = [word for word in legal if bare(word) == bare(value)]
        value = meant[0] if len(meant) == 1 else value
    check_choice(name, value, legal)
    return value


def bare(word: str) -> str:
    """Return the letters and figures of a word, in small letters."""
    return "".join(filter(str.isalnum, word.lower()))


def check_undefined(on_undefined: object) -> None:
    """Raise unless it says what to do with undefined results."""
    if type(on_undefined) is not str or on_undefined not in UNDEFINED:
        check_choice("on_undefined", on_undefined, UNDEFINED)


def check_reference(reference: object) -> None:
    """Raise unless it is a distribution that a statistic can be compared with."""
    if type(reference) is not str or reference not in REFERENCES:
        check_choice("reference", reference, REFERENCES)


def as_real(name: str, value: object) -> float:
    """Return `value` as a float, or raise; a bool or a string is no number here."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InvalidTypeError(f"`{name}` must be a number, got {value!r}.")
    try:
        return float(value)
    except OverflowError as error:
        raise InvalidValueError(f"`{name}` must be a number that a float can hold.") from error


def check_flag(name: str, value: object) -> bool:
    """Return a bool, or raise: any other word, as 'no', would count as True."""
    if not isinstance(value, bool | np.bool_):
        raise InvalidTypeError(f"`{name}` must be True or False, got {value!r}.")
    return bool(value)


def check_level(value: object) -> float:
    """Return a level strictly between 0 and 1, or raise."""
    level = as_real("confidence_level", value)
    hint = f" Did you mean {level / 100:g}?" if 1.0 < level < 100.0 else ""
    return check_within("confidence_level", value, hint=hint)


def check_alpha(value: object) -> float:
    """Return a level of significance strictly between 0 and 1, or raise."""
    alpha = as_real("alpha", value)
    percent = 100.0 - alpha if alpha > 50.0 else alpha
    hint = f" Did you mean {percent / 100:g}?" if 1.0 < alpha < 100.0 else ""
    return check_within("alpha", value, hint=hint)


def check_within(
    name: str, value: object, low: float = 0.0, high: float = 1.0, *, hint: str = ""
) -> float:
    """Return a number strictly between two bounds, or raise."""
    number = as_real(name, value)
    if not low < number < high:
        raise InvalidValueError(
            f"`{name}` must be between {low:g} and {high:g}, got {value!r}.{hint}"
        )
    return number


def check_amount(name: str, value: object, least: float) -> float:
    """Return a finite number of at least `least`, whole or not, or raise."""
    number = as_real(name, value)
    if not least <= number < math.inf:
        raise InvalidValueError(f"`{name}` must be at least {least:g} and finite, got {value!r}.")
    return number


def check_margin(value: object, width: float = 1.0) -> float:
    """Return a margin from 0 to below the width of the measure's range, or raise.

    A greater one would claim nothing.
    """
    if type(value) is float and value == 0.0:
        return value
    margin = as_real("margin", value)
    if not 0.0 <= margin < width:
        most = f"below {width:g}" if width < math.inf else "finite"
        raise InvalidValueError(
            f"`margin` must be at least 0 and {most}, got {value!r}. It always helps the claim: "
            "give its size, and the direction by `alternative`."
        )
    return margin


def check_alternative(alternative: object, margin: float = 0.0) -> None:
    """Raise unless `alternative` is legal together with `margin`."""
    check_choice("alternative", alternative, WITH_EQUIVALENCE)
    if alternative == "two-sided" and margin:
        raise InvalidValueError(
            "`margin` needs a direction: choose `alternative` 'greater' or 'less' for a "
            "non-inferiority test or 'equivalence' for two one-sided tests."
        )
    if alternative == "equivalence" and not margin:
        raise InvalidValueError(
            "`alternative='equivalence'` needs `margin` above 0: the largest difference that you "
            "still call equivalent."
        )


def has_direction(alternative: str) -> bool:
    """Return whether an alternative names a direction, which tests by F or ranks of many lack."""
    return alternative != "two-sided"


def is_about_two(alternative: str, margin: float) -> bool:
    """Return whether a claim is about two models alone: of all pairs none has a margin."""
    return alternative == "equivalence" or margin != 0.0


def check_two_sided(alternative: object, where: str, why: str) -> None:
    """Raise if there is a direction where none can be tested."""
    if alternative != "two-sided":
        raise InvalidValueError(
            f"`alternative` must be 'two-sided' {where}, got {alternative!r}: {why}."
        )


def check_claim_level(confidence_level: object, alternative: str) -> float:
    """Return the confidence level of the interval that a test inverts to, or raise."""
    level = check_level(confidence_level)
    if alternative == "equivalence" and level <= 0.5:
        raise InvalidValueError(
            f"`confidence_level` must be above 0.5 for equivalence, got {level:g}: the "
            "interval has the level 2 * confidence_level - 1."
        )
    return level


def count_jobs(n_jobs: object) -> int:
    """Return the number of threads to use: -1 is all cores, more than the cores is capped."""
    if type(n_jobs) is int and n_jobs == 1:
        return 1
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, Integral):
        raise InvalidTypeError(f"`n_jobs` must be an integer, got {n_jobs!r}.")
    jobs = int(n_jobs)
    if jobs == 0 or jobs < -1:
        raise InvalidValueError(f"`n_jobs` must be -1 (all cores) or at least 1, got {jobs}.")
    if multiprocessing.current_process().daemon:  # a worker of somebody's pool has its one core
        return 1
    cores = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    return cores if jobs == -1 else min(jobs, cores)
