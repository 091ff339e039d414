"""What is handed to `compare`, in one form: its kind, its columns, and what told the kind.

What is handed to `compare`, and the checks of what goes with a kind of data.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from inspect import signature
from typing import Any

from .._inputs.kinds import check_design, refuse_groups, refuse_options
from .._results.records import Record
from .rule import DESIGNS


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
    metric: str = "score"  # of rounds, as sentences name it
    called: tuple[str, ...] = ()  # the metric of the scores, where the data name it
    doubts: tuple[str, ...] = ()  # what else the data could be


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


CASE_KINDS = ("scores", "labels", "probabilities")
USED = {  # what means something for a kind of data
    "scores": ("groups", "sample_weight", "design"),
    "labels": ("groups", "design"),
    "probabilities": ("groups", "design"),
    "folds": ("n_train", "n_test", "design", "cv", "scoring"),
    "datasets": ("design",),
    "items": ("groups", "sample_weight", "design"),
    "battles": ("groups", "sample_weight", "design"),
}
TOLD_BY = {"groups": "clusters", "sample_weight": "weights"}  # the design, by an option
TAKEN = "Design: {!r} (the default)."


@dataclass(frozen=True, kw_only=True)
class Handed:
    """The arguments of `compare` that say what the data are."""

    data: Any
    a: Any = None
    b: Any = None
    models: Any = None  # names of the columns that are models
    kind: str | None = None
    n_jobs: int = 1
    given: Mapping[str, Any]  # n_train, n_test, cv, design, groups, sample_weight
    asks: bool = False  # for advice only: nothing is fitted, and no size of a round is needed

    @property
    def told(self) -> Mapping[str, Any]:
        """The given options that are not None."""
        return {name: value for name, value in self.given.items() if value is not None}


def held(
    handed: Handed, kind: str, columns: Mapping[str, Any], why: Sequence[str], **more: Any
) -> Held:
    """Return data of a known kind, whose options are checked."""
    refuse_options(kind, handed.given, USED[kind])
    options = {name: handed.told[name] for name in TOLD_BY if name in handed.told}
    design = handed.told.get("design")
    told_by = (TOLD_BY[name] for name in options if TOLD_BY[name] in DESIGNS[kind])
    design = next(told_by, None) if design is None else design
    known = check_design(design, kind, DESIGNS)
    if known == "independent" and "groups" in options:
        refuse_groups(known)
    return Held(
        kind=kind,
        design=known,
        columns=columns,
        decisions=(*why, TAKEN.format(known) if design is None else f"Their design is {known!r}."),
        **{"options": options, **more},
    )
