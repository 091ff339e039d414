"""What is handed to `compare`, in one form: its kind, its columns, and what told the kind."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from inspect import signature
from typing import Any

from .._results.records import Record


@cache
def parameters_of(function: Callable[..., Any]) -> frozenset[str]:
    """Return the names of a function's parameters: to ask takes longer than McNemar's test."""
    return frozenset(signature(function).parameters)


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """What users choose, whatever the kind of data is."""

    alpha: float
    gate: bool
    options: Mapping[str, Any]  # by the names that tests have for them

    def run(self, test: Callable[..., Any], *data: Any, **more: Any) -> Any:
        """Return the result of a test with all options that it has."""
        known = parameters_of(getattr(test, "__func__", test))
        wanted = {"alpha": self.alpha, **self.options, **more}
        return test(*data, **{name: value for name, value in wanted.items() if name in known})


@dataclass(frozen=True, kw_only=True)
class Held:
    """Data of a kind: a column a model (of battles no more than names), and what goes with them."""

    kind: str
    design: str
    columns: Mapping[str, Any]
    decisions: tuple[str, ...]
    y_true: Any = None
    battles: tuple[Any, Any, Any] | None = None  # both models and the outcome of each
    sizes: tuple[float, float] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)  # groups and weights
    n_rounds: int | None = None  # of estimators that are not fitted
    higher_is_better: bool | None = None  # where the data themselves say it
    called: tuple[str, ...] = ()  # the metric of the scores, where the data name it


@dataclass(frozen=True, kw_only=True)
class Played:
    """The tests that were run, and why: `result` is the one to report, pairs or two models."""

    omnibus: Record | None
    result: Record
    tests: Mapping[str, Record]
    reasons: tuple[str, ...]
    values: Mapping[str, float]
    quantity: str
    higher_is_better: bool = True
    checks: tuple[str, ...] = ()
