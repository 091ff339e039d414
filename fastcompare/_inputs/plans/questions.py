"""What is asked of a comparison: a test by name, a margin, a control, a gate."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..._base.exceptions import (
    InvalidValueError,
    invalid_type,
    invalid_value,
    suggestion,
)
from ..labels import are_positive
from ..options import as_real, check_choice, check_level

GATES = ("worse", "not-better", "not-noninferior")
MIRROR = {"less": "greater", "greater": "less"}  # of claims, where lower is better
OPEN_SIDES = {  # claims whose interval is infinite on the side that a gate asks about
    ("greater", "worse"),
    ("less", "not-better"),
    ("less", "not-noninferior"),
}


def check_test(
    test: object, kind: str, allowed: Sequence[str], homes: Mapping[str, Sequence[str]]
) -> NoReturn:
    """Raise since no test of this kind of data is called so, naming those that are.

    `homes` are the names of the tests of all kinds.
    """
    if not isinstance(test, str):
        raise invalid_type("test", "must be the name of a test", test)
    if not allowed:
        raise invalid_value("test", f"has no meaning for kind={kind!r}", test, ". Omit it.")
    others = [other for other, tests in homes.items() if test in tests and other != kind]
    hint = f" It is for kind={others[0]!r}." if others else suggestion(test, allowed)
    fitting = ", ".join(map(repr, allowed))
    raise invalid_value("test", f"must be one of {fitting} for kind={kind!r}", test, f".{hint}")


def refuse_unused(
    name: str, value: Any, tests: Sequence[str], tests_with_option: Sequence[str]
) -> NoReturn:
    """Raise for an option that none of the `tests` that were run has."""
    alternative = (
        f", or choose `test` {' or '.join(map(repr, tests_with_option))}"
        if tests_with_option
        else ""
    )
    raise invalid_value(
        name, f"has no meaning for {' and '.join(tests)}", value, f". Omit it{alternative}."
    )


def refuse_number(name: str, k: int, fitting_tests: Sequence[str]) -> NoReturn:
    """Raise for a test that does not take k models; the message names the `fitting_tests`."""
    models = "one model" if k == 1 else f"{k} models"
    alternative = (
        f", or choose `test` {' or '.join(map(repr, fitting_tests))}" if fitting_tests else ""
    )
    least = "add a model" if k == 1 else "choose two by `models`"
    raise InvalidValueError(
        f"{name} does not compare {models}: {least}{alternative}.", parameter="models", value=k
    )


def refuse_control(control: object, tests_with_control: Sequence[str]) -> NoReturn:
    """Raise for a control where the test compares all pairs; `tests_with_control` take one."""
    alternative = (
        f"choose `test` {' or '.join(map(repr, tests_with_control))}, or omit"
        if tests_with_control
        else "omit"
    )
    raise invalid_value(
        f"control={control!r}",
        "has no test against a control here",
        end=f": {alternative} `control` and compare all pairs.",
    )


def refuse_without_control(name: str) -> NoReturn:
    """Raise for a test of models against a control where none is named."""
    raise InvalidValueError(
        f"{name} compares all models with one: name it by `control`.", parameter="control"
    )


def as_size(name: str, value: object) -> float:
    """Return a finite number of at least 0, or raise."""
    size = as_real(name, value)
    if not 0.0 <= size < float("inf"):
        raise invalid_value(name, "must be at least 0 and finite", value, show=", got {}")
    return size


def check_gate(fail_if: object, margin: object) -> float:
    """Return the checked margin of a gate; raise where the gate needs one and it is 0."""
    check_choice("fail_if", fail_if, GATES)
    size = as_size("margin", margin)
    if fail_if == "not-noninferior" and size == 0.0:
        raise invalid_value(
            "fail_if='not-noninferior'", "needs `margin`", end=": how much worse does not matter."
        )
    return size


def gate_levels(confidence_level: object, one_sided: bool) -> tuple[float, float]:
    """Return the level of a gate, and that of the two-sided interval of which it takes an end.

    They differ where the gate is `one_sided`: each end of the interval leaves out 1 - level.
    """
    level = check_level(confidence_level)
    if not one_sided:
        return level, level
    if level <= 0.5:
        rule = "must be above 0.5 for `fail_if='not-noninferior'`"
        end = ": an end of the interval with the level 2 * confidence_level - 1 decides."
        raise invalid_value("confidence_level", rule, level, end, show=", got {:g}")
    return level, 2.0 * level - 1.0


def check_sides(alternative: str, fail_if: str, upward: bool) -> None:
    """Raise where the interval of a claim has no end on the side that a gate asks about.

    `upward` says whether greater differences are better for the model that the gate is about.
    """
    claim_on_benefit = alternative if upward else MIRROR.get(alternative, alternative)
    if (claim_on_benefit, fail_if) in OPEN_SIDES:
        raise invalid_value(
            f"alternative={alternative!r}",
            f"leaves open what `fail_if={fail_if!r}` asks",
            end=": its interval has no end there. Omit `alternative`.",
        )


def refuse_gate(title: str) -> NoReturn:
    """Raise since no pair of models has an interval, by which a gate decides."""
    raise invalid_value(
        "gate",
        f"needs the confidence intervals of differences, which this result ({title}) has not",
        end=": compare two models or more by a test that has them.",
    )


def refuse_trust(test: object, k: int) -> None:
    """Raise where other tests were run than those that can be simulated."""
    if test is not None or k < 2:
        raise invalid_value(
            "trust",
            "simulates the tests that compare chooses for two models or more",
            end=": omit `test`, or use simulate_error_rates for others.",
        )


def as_threshold(threshold: object, kind: str) -> float:
    """Return the least score of positive predictions, or raise."""
    if kind != "scores":
        raise invalid_value(
            "threshold",
            "is for scores of cases with true labels",
            end=f"; the data are {kind}. Omit it.",
        )
    least = as_real("threshold", threshold)
    if not math.isfinite(least):
        raise invalid_value("threshold", "must be finite", threshold, show=", got {}")
    return least


def positives(labels: NDArray[Any], missing: Any, pos_label: object) -> NDArray[np.float64]:
    """Return 1 for positive cases, 0 for negative ones and NaN for missing labels, or raise.

    `missing` says which labels are missing; None if none is.
    """
    labelled = np.ones(labels.size, bool) if missing is None else ~missing
    truth = np.full(labels.size, np.nan)
    truth[labelled] = are_positive("data", labels[labelled], pos_label)
    return truth
