"""The tests in a result, and copies that say more: the metric, the direction, what was dropped."""

from collections.abc import Mapping
from typing import Any

from .records import ALPHA, Record, changed, parts_of


def of_metric(result: Any, metric: str) -> Any:
    """Return a result about means of a metric, whose name its sentences take."""
    quantity = f"mean {metric}"
    return changed(result, {"quantity": quantity, "_quantity": quantity})


def judged(result: Any, higher_is_better: bool, alpha: float) -> Any:
    """Return a result whose sentence judges at this level, and by this direction of better."""
    if alpha != 0.05:
        result = changed(result, {ALPHA: alpha})
    if higher_is_better or not getattr(result, "higher_is_better", True):
        return result
    claim = getattr(result, "claim", "").replace("higher", "lower")
    return changed(result, {"higher_is_better": False, "claim": claim})


def with_dropped(result: Any, n_dropped: int) -> Any:
    """Return a result, and those in it, of data from which so many rows were left out before."""
    if not n_dropped:
        return result
    parts = {
        name: all_with_dropped(part, n_dropped)
        if isinstance(part, dict)
        else with_dropped(part, n_dropped)
        for name, part in parts_of(result).items()
    }
    known = {"n_dropped": n_dropped} if "n_dropped" in result._names() else {}
    return changed(result, {**parts, **known})


def all_with_dropped(tests: Mapping[str, Any], n_dropped: int) -> dict[str, Record]:
    """Return the results of several tests by name, each as `with_dropped` returns it."""
    return {name: with_dropped(test, n_dropped) for name, test in tests.items()}


def tests_in(result: Any) -> Mapping[str, Any]:
    """Return the results of the tests that a sequence of tests ran, by name."""
    held = getattr(result, "tests", None)
    if not isinstance(held, Mapping):
        held = {name: getattr(result, name, None) for name in ("omnibus", "posthoc")}
    return {name: part for name, part in held.items() if isinstance(part, Record)}
