"""Copies of results with the metric, the direction of better or the number of dropped rows."""

from collections.abc import Mapping
from typing import Any

from .presentation import ALPHA, nested_results, replace_fields
from .records import Record


def with_metric_name(result: Any, metric: str) -> Any:
    """Return a copy of a result about means whose sentences say ``mean accuracy``, say."""
    quantity = f"mean {metric}"
    return replace_fields(result, {"quantity": quantity, "_quantity": quantity})


def with_decision_rule(result: Any, higher_is_better: bool, alpha: float) -> Any:
    """Return a copy whose sentence decides at level `alpha`, with the direction that is better."""
    if alpha != 0.05:
        result = replace_fields(result, {ALPHA: alpha})
    if higher_is_better or not getattr(result, "higher_is_better", True):
        return result
    return replace_fields(result, {"higher_is_better": False})


def with_dropped(result: Any, n_dropped: int) -> Any:
    """Return a copy, nested results included, whose `n_dropped` is this number of rows.

    They were dropped before the test got its data.
    """
    if not n_dropped:
        return result
    copies = {
        name: all_with_dropped(nested, n_dropped)
        if isinstance(nested, dict)
        else with_dropped(nested, n_dropped)
        for name, nested in nested_results(result).items()
    }
    count = {"n_dropped": n_dropped} if "n_dropped" in result._field_names() else {}
    return replace_fields(result, {**copies, **count})


def all_with_dropped(tests: Mapping[str, Any], n_dropped: int) -> dict[str, Record]:
    """Return copies of the results of several tests, each as `with_dropped` returns it."""
    return {name: with_dropped(test, n_dropped) for name, test in tests.items()}


def tests_in(result: Any) -> Mapping[str, Any]:
    """Return the results nested in that of a sequence of tests, by name (omnibus, posthoc)."""
    tests = getattr(result, "tests", None)
    if not isinstance(tests, Mapping):
        tests = {name: getattr(result, name, None) for name in ("omnibus", "posthoc")}
    return {name: test for name, test in tests.items() if isinstance(test, Record)}
