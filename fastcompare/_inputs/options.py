"""Options that many functions share: choices, levels, counts, seeds, workers and progress.

Also the names of two models in a sentence, the bounds on work that would take hours, and errors of
a test that another function runs, in the names of the parameters that its caller passed.
"""

import math
import multiprocessing
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from functools import partial
from numbers import Integral, Real
from typing import Any, TypedDict

import numpy as np

from .._adapters.dask import as_executor
from .._adapters.progress import reporter
from .._base.exceptions import (
    FastCompareError,
    InvalidTypeError,
    InvalidValueError,
    broken_rule,
    invalid_type,
    invalid_value,
    rename_parameters,
    suggestion,
)
from .._base.memory import environment_bound
from .._base.neighbours import letters_and_digits, value_hint
from .._base.parallel import Reporting, no_progress

ALTERNATIVES = ("two-sided", "less", "greater")
UNDEFINED = ("warn", "raise", "ignore")
REFERENCES = ("auto", "normal", "t")
WITH_EQUIVALENCE = (*ALTERNATIVES, "equivalence")


def check_mapping(name: str, value: object, what: str = "a mapping") -> Mapping[Any, Any]:
    """Return a mapping, or raise; `what` says of what, and what else the value may be."""
    if not isinstance(value, Mapping):
        raise invalid_type(name, f"must be {what}", type(value).__name__, show=", got a {}")
    return value


def check_choice(name: str, value: object, choices: Iterable[str]) -> None:
    """Raise unless `value` is one of `choices`; the message names them, and the nearest one."""
    legal = tuple(choices)
    if isinstance(value, str) and value in legal:
        return
    listed = ", ".join(map(repr, legal))
    hint = value_hint(name, str(value), legal) or suggestion(str(value), legal)
    kind = InvalidValueError if isinstance(value, str) else InvalidTypeError
    came = str(value) if isinstance(value, str) else value  # the repr of a np.str_ has its class
    raise broken_rule(kind, name, f"must be one of {listed}", came, f".{hint}")


def as_choice(name: str, value: object, choices: Iterable[str]) -> Any:
    """Return the choice that `value` names, whatever its capitals, hyphens and spaces, or raise."""
    legal = tuple(choices)
    if isinstance(value, str):
        if value in legal:
            return value
        meant = [word for word in legal if letters_and_digits(word) == letters_and_digits(value)]
        value = meant[0] if len(meant) == 1 else value
    check_choice(name, value, legal)
    return value


def as_posthoc(
    value: object, allowed: Collection[str], all_tests: Collection[str], with_control: bool
) -> str:
    """Return the name of an allowed post-hoc test, by default the first, or raise.

    `all_tests` are those of all pairs and those against a control; `allowed` is one of the two.
    """
    if isinstance(value, str) and value in all_tests and value not in allowed:
        what = "all pairs: omit `control`" if with_control else "models with one: name a `control`"
        raise invalid_value(
            f"posthoc={value!r}",
            f"compares {what}, or choose one of {', '.join(map(repr, allowed))}",
        )
    check_choice("posthoc", value, ("auto", *allowed))
    return next(iter(allowed)) if value == "auto" else str(value)


def check_undefined(on_undefined: object) -> None:
    """Raise unless `on_undefined` is a known treatment of undefined results."""
    if type(on_undefined) is not str or on_undefined not in UNDEFINED:
        check_choice("on_undefined", on_undefined, UNDEFINED)


def check_reference(reference: object) -> None:
    """Raise unless `reference` names a reference distribution of a test statistic."""
    if type(reference) is not str or reference not in REFERENCES:
        check_choice("reference", reference, REFERENCES)


def as_real(name: str, value: object) -> float:
    """Return `value` as a float, or raise; a bool or a string is no number here."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise invalid_type(name, "must be a number", value)
    try:
        return float(value)
    except OverflowError as error:
        raise invalid_value(name, "must be a number in the range of float") from error


def as_integer(name: str, value: object) -> int:
    """Return `value` as Python's integer, or raise; a bool is no number here."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise invalid_type(name, "must be an integer", value)
    return int(value)


def as_count(name: str, value: object, least: int) -> int:
    """Return a whole number of at least `least`, or raise."""
    number = as_integer(name, value)
    if number < least:
        raise invalid_value(name, f"must be at least {least}", value, show=", got {}")
    return number


def check_flag(name: str, value: object) -> bool:
    """Return True or False, or raise: any other value, such as 'no', might count as True."""
    if not isinstance(value, bool | np.bool_):
        raise invalid_type(name, "must be True or False", value)
    return bool(value)


def check_level(value: object) -> float:
    """Return a level strictly between 0 and 1, or raise."""
    if type(value) is float and 0.0 < value < 1.0:
        return value
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
        raise invalid_value(name, f"must be between {low:g} and {high:g}", value, f".{hint}")
    return number


def check_amount(name: str, value: object, least: float) -> float:
    """Return a finite number of at least `least`, whole or not, or raise."""
    number = as_real(name, value)
    if not least <= number < math.inf:
        raise invalid_value(name, f"must be at least {least:g} and finite", value)
    return number


def check_margin(value: object, width: float = 1.0) -> float:
    """Return a margin from 0 to below the width of the measure's range, or raise.

    Every difference is within a greater one, which would therefore claim nothing.
    """
    if type(value) is float and value == 0.0:
        return value
    margin = as_real("margin", value)
    if not 0.0 <= margin < width:
        most = f"below {width:g}" if width < math.inf else "finite"
        raise invalid_value(
            "margin",
            f"must be at least 0 and {most}",
            value,
            ". Give its absolute value; `alternative` specifies the direction.",
        )
    return margin


def check_alternative(alternative: object, margin: float = 0.0) -> None:
    """Raise unless `alternative` is legal together with `margin`."""
    check_choice("alternative", alternative, WITH_EQUIVALENCE)
    if alternative == "two-sided" and margin:
        raise invalid_value(
            "margin",
            "needs a direction",
            end=": choose `alternative` 'greater' or 'less' for a non-inferiority test or "
            "'equivalence' for two one-sided tests.",
        )
    if alternative == "equivalence" and not margin:
        raise invalid_value(
            "alternative='equivalence'",
            "needs `margin` above 0",
            end=": the largest difference that you still consider equivalent.",
        )


def has_direction(alternative: str) -> bool:
    """Return whether an alternative names a direction, which tests by F or ranks of many lack."""
    return alternative != "two-sided"


def is_about_two(alternative: str, margin: float) -> bool:
    """Return whether a claim can only be about two models: equivalence, or one with a margin."""
    return alternative == "equivalence" or margin != 0.0


def check_two_sided(alternative: object, where: str, why: str) -> None:
    """Raise unless `alternative` is 'two-sided'; the message says `where` and `why` it must be."""
    if alternative != "two-sided":
        raise invalid_value("alternative", f"must be 'two-sided' {where}", alternative, f": {why}.")


def check_two_claims(k: int, alternative: str, margin: float) -> None:
    """Raise if a claim with a direction or a margin is about more than two subgroups."""
    if k > 2:
        why = "an omnibus test has no direction and no margin; pass the cases of two"
        check_two_sided(alternative, f"for {k} subgroups", why)


def as_direction(alternative: object, margin: object, higher_is_better: bool, k: int) -> str:
    """Return the alternative, or raise; if it is None with a margin, that of non-inferiority.

    That is 'greater', or 'less' where lower is better; without a margin it is 'two-sided'. A margin
    and equivalence are about two of k models.
    """
    size = check_margin(margin, float("inf"))
    if alternative is not None:
        check_choice("alternative", alternative, WITH_EQUIVALENCE)
    about_two = "alternative='equivalence'" if alternative == "equivalence" else "margin"
    if k != 2 and (size or alternative == "equivalence"):
        raise invalid_value(
            about_two, "is about two models", k, ": choose them by `models`.", show=", not {}"
        )
    if alternative is not None:
        return str(alternative)
    if not size:
        return "two-sided"
    return "greater" if higher_is_better else "less"


def check_claim_level(confidence_level: object, alternative: str) -> float:
    """Return the confidence level of the interval that a test inverts to, or raise."""
    level = check_level(confidence_level)
    if alternative == "equivalence" and level <= 0.5:
        raise invalid_value(
            "confidence_level",
            "must be above 0.5 for equivalence",
            level,
            ": the interval has the level 2 * confidence_level - 1.",
            show=", got {:g}",
        )
    return level


def count_jobs(n_jobs: object) -> int:
    """Return the number of threads to use, at most all cores, which -1 stands for; or raise."""
    if type(n_jobs) is int and n_jobs == 1:
        return 1
    jobs = as_integer("n_jobs", n_jobs)
    if jobs == 0 or jobs < -1:
        raise invalid_value("n_jobs", "must be -1 (all cores) or at least 1", jobs, show=", got {}")
    # in a worker of a pool, each of which has one core
    if multiprocessing.current_process().daemon:
        return 1
    cores = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    return cores if jobs == -1 else min(jobs, cores)


class Workers(TypedDict):
    """Keyword arguments of functions that spread work."""

    n_jobs: int
    executor: Executor | None
    progress: Reporting


ALONE = Workers(n_jobs=1, executor=None, progress=no_progress)  # one thread, which reports nothing


def as_workers(n_jobs: object, executor: object, progress: object) -> Workers:
    """Return checked arguments for functions that spread work."""
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise invalid_type(
            "executor", "must have the interface of concurrent.futures.Executor", executor
        )
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise invalid_type(
            "progress", "must be True, False or a function of (done, total)", progress
        )
    is_silent = progress is None or progress is False
    return {
        "n_jobs": count_jobs(n_jobs),
        "executor": None if executor is None else as_executor(executor),
        "progress": no_progress if is_silent else partial(reporter, progress),
    }


def refuse_level(result: Any) -> None:
    """Raise since a result has no interval whose level could be chosen."""
    raise invalid_value(
        "confidence_level",
        f"is for intervals, and this result ({result.title}) has none",
        end=": omit it.",
    )


def as_display_names(result: Any, name_a: object, name_b: object) -> tuple[str, str]:
    """Return the names of a result's two models in sentences, or raise unless it has two models."""
    if not hasattr(type(result), "_display_names"):
        raise InvalidValueError(
            f"`name_a` and `name_b` name two models, which this result ({result.title}) does not "
            "compare: name the columns of its data, or the keys, instead.",
            parameter="name_a",
        )
    first, second = (
        check_display_name(f"name_{letter}", default if name is None else name)
        for letter, name, default in zip("ab", (name_a, name_b), result.names, strict=True)
    )
    if first == second:
        raise InvalidValueError(
            f"`name_a` and `name_b` must differ, got {first!r} for both: omit both to keep the "
            "names of the data.",
            parameter="name_a",
        )
    return first, second


def check_display_name(parameter: str, name: object) -> str:
    """Return a name of a model, or raise."""
    if not isinstance(name, str):
        raise invalid_type(
            parameter, "must be a text that names a model", type(name).__name__, show=", got {}"
        )
    if not name.strip():
        raise invalid_value(parameter, "must name a model", name, ": give it a name.")
    return name


LABELS = "y_true"
TABLES = ("scores", "predictions", "probabilities", "y_score", "y_pred", "y_prob")
COLUMNS = (*TABLES, *(f"{name}_{letter}" for name in TABLES for letter in "ab"))


@contextmanager
def called_for(table: str, labels: str, models: Collection[str], separate: bool) -> Iterator[None]:
    """Return a context whose errors name parameters as the caller named them.

    That are `table` for scores and `labels` for the true labels; where the models came as
    `separate` arguments, `a` and `b` for the first two.
    """
    names = dict.fromkeys(COLUMNS, table) | {LABELS: labels}
    by_index = {}
    if separate:
        by_index = {f"[{name!r}]": argument for name, argument in zip(models, "ab", strict=False)}

    def renamed(name: str) -> str:
        """Return the caller's name for a parameter of the test: `a` for scores['rf'], say."""
        parameter, bracket, rest = name.partition("[")
        index = bracket + rest
        if name in models:  # as a test of all pairs calls it
            parameter = table
            index = f"[{name!r}]"
        elif parameter not in names:
            return name
        return by_index.get(index, names.get(parameter, parameter) + index)

    try:
        yield
    except FastCompareError as error:
        rename_parameters(error, renamed)
        raise


BOUNDS = {  # by the variable of the environment that raises them
    "FASTCOMPARE_MOST_REPLICATES": 10**8,  # two minutes of the quickest ones
    "FASTCOMPARE_MOST_ROM": 1 << 17,  # p-values: some seconds, 400 MB
    "FASTCOMPARE_MOST_ROWS": 10**5,  # of tables in a document: ten seconds, 30 MB
    "FASTCOMPARE_MOST_DRAWN": 10**5,  # marks of a picture: ten seconds, 20 MB
}
MARKS = {"rows": 60, "squares": 1}  # a row has a name, an interval and numbers
COUNTABLE = 10**30  # beyond, numbers are neither floats nor text


def check_cost(name: str, number: int, variable: str, cost: Callable[[], str]) -> None:
    """Raise if a number is above the bound that the environment has for `variable`.

    `cost` returns the beginning of the message, which says what the work would take.
    """
    bound = environment_bound(variable, BOUNDS[variable])
    if number > bound:
        raise InvalidValueError(
            f"{cost()}, and more than {bound} are refused, in case of a mistake. Use fewer, or set "
            f"{variable}={number} in the environment of the process.",
            parameter=name,
            rule=f"must cost at most {bound}",
            value=number,
        )


def check_replicates(name: str, number: int) -> None:
    """Raise for more replicates or trials than the bound; each takes a microsecond or more."""
    number = min(number, COUNTABLE)

    def cost() -> str:  # 4 us, which a test of 100 cases need not spend
        return f"`{name}` of {number} takes {duration(1e-6 * number)} if each takes a microsecond"

    check_cost(name, number, "FASTCOMPARE_MOST_REPLICATES", cost)


def check_rom(name: str, number: int) -> None:
    """Raise if Rom's correction would take too long for so many p-values."""
    cost = (
        f"`{name}`: 'rom' of {number} p-values takes {duration(2e-5 * number)} and "
        f"{3e-6 * number:.2g} GB ('hochberg' takes little longer than sorting)"
    )
    check_cost(name, number, "FASTCOMPARE_MOST_ROM", lambda: cost)


def check_rows(rows: int) -> None:
    """Raise if tables with so many rows are too long for a document."""
    cost = (
        f"`result` has {rows} rows, which take {duration(1e-4 * rows)} and {3e-4 * rows:.3g} MB "
        "in a document (`to_frame()` has all for programs)"
    )
    check_cost("result", rows, "FASTCOMPARE_MOST_ROWS", lambda: cost)


def check_marks(size: int, what: str = "rows") -> None:
    """Raise if a picture of so many rows, or of so many squares, is too large."""
    n_marks = MARKS[what] * size
    cost = (
        f"`result` has {n_marks} marks to draw, in {size} {what}, which take "
        f"{duration(1e-4 * n_marks)} and up to {2e-4 * n_marks:.3g} MB"
    )
    check_cost("result", n_marks, "FASTCOMPARE_MOST_DRAWN", lambda: cost)


def duration(seconds: float) -> str:
    """Return a time as text, in the largest unit of which it has at least one."""
    for unit, size in (("years", 3.2e7), ("days", 86400.0), ("hours", 3600.0), ("minutes", 60.0)):
        if seconds >= size:
            return f"{seconds / size:.2g} {unit}"
    return f"{seconds:.2g} seconds"


def as_entropy(rng: object) -> int:
    """Return an integer that gives the same draws again when it is passed as `rng`.

    A Generator advances by one draw; NumPy's global state is not touched.
    """
    if rng is None:
        return int.from_bytes(os.urandom(8), "little")
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(0, 1 << 64, dtype=np.uint64))
    if isinstance(rng, np.random.RandomState):
        raise invalid_type(
            "rng",
            "must be None, an integer or numpy.random.Generator",
            end=", got a RandomState. Pass numpy.random.default_rng(seed).",
        )
    if isinstance(rng, bool) or not isinstance(rng, Integral):
        raise invalid_type("rng", "must be None, an integer or numpy.random.Generator", rng)
    if int(rng) < 0:
        raise invalid_value("rng", "must be at least 0", rng, show=", got {}")
    return int(rng)


def check_no_margin(alternative: object, margin: object) -> None:
    """Raise if a permutation test gets a margin: its hypothesis is that models are exchangeable."""
    if alternative == "equivalence" or (isinstance(margin, (int, float)) and margin > 0.0):
        name = "alternative" if alternative == "equivalence" else "margin"
        raise invalid_value(
            name,
            "cannot be tested by method='permutation', under which models are exchangeable",
            alternative if name == "alternative" else margin,
            ": use method='percentile'.",
        )


def hash_seed(entropy: int) -> int:
    """Return 64 bits hashed by NumPy's SeedSequence, so that neighbours are unrelated."""
    return int(np.random.SeedSequence(entropy).generate_state(1, np.uint64)[0])


def check_resamples(n_resamples: object) -> int:
    """Return the number of replicates, or raise."""
    number = as_count("n_resamples", n_resamples, 1)
    check_replicates("n_resamples", number)
    return number


# of results that are pooled
OPTIONS_THAT_MAY_DIFFER = (
    "rng",
    "n_jobs",
    "executor",
    "progress",
    "keep",
    "on_undefined",
    "nan_policy",
)
FIELDS_TO_AGREE = ("alternative", "margin", "null", "confidence_level", "names")
