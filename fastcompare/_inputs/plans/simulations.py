"""The options of a simulation: whole numbers, and the tests by name or as functions.

Also which options of a permutation test go together, and how much work an exact one may be.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import NoReturn

import numpy as np

from ..._base.exceptions import InvalidValueError, invalid_type, invalid_value
from ..._base.types import Vector
from ..arrays import as_float_array
from ..options import (
    ALTERNATIVES,
    as_choice,
    as_integer,
    as_real,
    check_choice,
    check_flag,
    check_replicates,
    check_two_sided,
)

MOST_TRIALS = 1 << 31
ROUNDING = 1e-9
Tests = dict[str, Callable[..., object] | None]


def check_count(name: str, value: object, least: int, most: int = MOST_TRIALS) -> int:
    """Return a whole number from `least` to `most`, or raise."""
    number = as_integer(name, value)
    if not least <= number <= most:
        raise invalid_value(name, f"must be from {least} to {most}", number, show=", got {}")
    return number


def check_trials(n_trials: object) -> int:
    """Return the number of trials, or raise."""
    number = check_count("n_trials", n_trials, 1)
    check_replicates("n_trials", number)
    return number


def as_finite(name: str, value: object) -> float:
    """Return a finite number, or raise."""
    number = as_real(name, value)
    if not math.isfinite(number):
        raise invalid_value(name, "must be finite", value)
    return number


def as_effects(values: object) -> Vector:
    """Return finite numbers, or a single one, as a vector; or raise."""
    effects = np.atleast_1d(as_float_array("effects", values))
    if effects.ndim != 1 or not effects.size:
        raise invalid_value("effects", "must be 1-d", effects.shape, show=", got shape {!r}")
    return np.array([as_finite("effects", effect) for effect in effects.tolist()])


def check_one_effect(effects: Vector) -> None:
    """Raise for several effects where sizes are specified: the power is a curve along these."""
    if effects.size > 1:
        raise invalid_value("effects", "must be one number if `sizes` are specified")


def refuse_power(most: int) -> NoReturn:
    """Raise since no sample size up to `most` has the wanted power."""
    raise invalid_value(
        "power",
        f"is not reached up to `most` = {most}",
        end=". Try a larger `most` or a lower power: in some designs no size is enough.",
    )


def check_correlation(value: object) -> float:
    """Return a correlation from 0 to below 1, or raise."""
    correlation = as_real("correlation", value)
    if not 0.0 <= correlation < 1.0:
        raise invalid_value("correlation", "must be from 0 to below 1", value)
    return correlation


def check_mean_ranks(ranks: object, k: int) -> None:
    """Raise unless k normal scores can have such expected ranks.

    They add up to 1 + ... + k, and the m best of them to more than 1 + ... + m for each m < k.
    """
    values = as_float_array("mean_ranks", ranks)
    if values.shape != (k,):
        raise invalid_value(
            "mean_ranks",
            f"must contain a rank for each of {k} models",
            values.shape,
            show=", got shape {!r}",
        )
    total = k * (k + 1) / 2
    if not abs(values.sum() - total) <= ROUNDING * total:
        raise InvalidValueError(
            f"`mean_ranks` of {k} models must add up to {total:g}, got {values.sum():g}.",
            parameter="mean_ranks",
        )
    least = np.cumsum(np.arange(1.0, k + 1))[:-1]
    wrong = np.flatnonzero(~(np.cumsum(np.sort(values))[:-1] > least))  # NaN is wrong, too
    if wrong.size:
        m = int(wrong[0]) + 1
        raise invalid_value(
            "mean_ranks",
            f"are too extreme: the {m} best must add up to more than {least[m - 1]:g}",
            np.sort(values)[:m].sum(),
            show=", got {:g}",
        )


def as_test(test: object, allowed: Iterable[str]) -> Tests:
    """Return one test as `as_tests` does, or raise."""
    selected = as_tests(test, allowed, "test")
    if len(selected) > 1:
        raise invalid_value("test", "must be one test", len(selected))
    return selected


def as_tests(tests: object, allowed: Iterable[str], what: str = "tests") -> Tests:
    """Return the tests by name: the user's functions, and None for each of the `allowed` names.

    `tests` are a name, a function, several of them, or a mapping from names to functions; None
    stands for all that are allowed. `what` is the parameter's name.
    """
    legal = tuple(allowed)
    if tests is None:
        tests = legal
    if isinstance(tests, str) or callable(tests):
        tests = (tests,)
    if isinstance(tests, Mapping):
        named = list(tests.items())
    elif isinstance(tests, Iterable):
        named = [(test_name(test), test) for test in tests]
    else:
        raise invalid_type(what, "must be names or functions", tests)
    if not named:
        hint = "" if legal else " Pass functions: a generator of your own has no tests of its own."
        raise invalid_value(what, "must contain at least one test", end=f", got none.{hint}")
    selected: Tests = {}
    for name, test in named:
        if isinstance(test, str):
            check_choice(what, test, legal)
        elif not callable(test):
            raise invalid_type(what, "must be names or functions", test)
        if str(name) in selected:
            raise invalid_value(what, f"names {str(name)!r} twice", end=": pass a mapping.")
        selected[str(name)] = test if callable(test) else None
        if isinstance(test, str) and str(name) != test:
            raise invalid_value(f"{what}[{name!r}]", "must be a function", test)
    return selected


def test_name(test: object) -> str:
    """Return the name of a test, from this name or from a function."""
    return test if isinstance(test, str) else str(getattr(test, "__name__", test))


def as_permutation(
    method: object, alternative: object, exact: object, keep: object, groups: object = None
) -> tuple[str, bool | None]:
    """Return the method, and whether to count all exchanges: None if that depends on the cases.

    Raise unless the options of a permutation test go together. Replicates that are kept are of
    random exchanges, so all are then not counted.
    """
    chosen: str = as_choice("method", method, ("auc", "studentized", "venkatraman"))
    check_choice("alternative", alternative, ALTERNATIVES)
    check_whole_clusters(chosen, groups)
    if chosen == "venkatraman":
        why = "differences between curves have no single direction"
        check_two_sided(alternative, "for method='venkatraman'", why)
    if exact is not None and not isinstance(exact, bool):
        raise invalid_type("exact", "must be None, True or False", exact)
    keep_replicates = check_flag("keep", keep)
    if exact and keep_replicates:
        raise invalid_value(
            "keep=True",
            "keeps random exchanges, and `exact=True` draws none",
            end=": choose one of them.",
        )
    return chosen, False if keep_replicates else exact


def check_whole_clusters(method: object, groups: object) -> None:
    """Raise for clusters with another statistic than the difference of AUCs."""
    if groups is not None and method != "auc":
        raise invalid_value(
            "method", "must be 'auc' with `groups`", method, ", which exchanges cases one by one."
        )


def check_studentized(is_studentized: bool) -> None:
    """Raise for an interval of a permutation test that is not studentized."""
    if not is_studentized:
        raise invalid_value(
            "confidence_interval",
            "needs method='studentized'",
            end=": the other tests' null hypothesis is that the models are exchangeable, not "
            "a value of the difference.",
        )


def check_steps(work: float, most: float) -> None:
    """Raise if counting all exchanges takes more than `most` steps."""
    if work > most:
        raise invalid_value(
            "exact=True",
            f"takes 10^{math.log10(work):.0f} steps for these cases, more than {most:.0e}, "
            "which take a minute",
            end=". Pass exact=False.",
        )


def check_fewer(n: int, most: int) -> None:
    """Raise unless there are fewer than `most` cases."""
    if n >= most:
        raise InvalidValueError(
            f"permutation tests are for fewer than {most} cases, got {n}. Use delong_test.",
            parameter="y_true",
            value=n,
        )
