"""Records of `compare` and `recommend`: the arguments, the data in them, the query, the tests.

A kind of data is one record, `Kind`; the table of all is `fastcompare.advice.kinds.KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from inspect import signature
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from .._base.exceptions import hint
from .._inputs.labels import as_label_column
from .._inputs.roles.reading import Clusters
from .._inputs.weights import number_groups
from .._results.presentation import replace_fields
from .._results.records import Record

if TYPE_CHECKING:
    from ..simulate.designs import DataDesign


@cache
def parameters_of(function: Callable[..., Any]) -> frozenset[str]:
    """Return the names of a function's parameters; cached, as it takes longer than a small test."""
    return frozenset(signature(function).parameters)


@dataclass(frozen=True, kw_only=True)
class Arguments:
    """The arguments of `compare` that describe the data."""

    data: Any
    a: Any = None
    b: Any = None
    models: Any = None  # names of the columns that are models
    kind: str | None = None
    n_jobs: int = 1
    named: Mapping[str, Any] = field(default_factory=dict)  # columns of a table, by their roles
    passed: Mapping[str, Any]  # n_train, n_test, cv, design, groups, sample_weight
    for_cases: bool = False  # whether a test or a control is specified
    higher_is_better: bool | None = None  # as specified
    advice: bool = False  # for `recommend`: nothing is fitted, and no size of a round is needed

    @cached_property
    def options(self) -> Mapping[str, Any]:
        """The given options that are not None."""
        return {name: value for name, value in self.passed.items() if value is not None}

    def with_options(self, **options: Any) -> Arguments:
        """Return the arguments with these options in place of given ones."""
        return replace(self, passed={**self.passed, **options})


SPLITS = ("resampled", "repeated-kfold")
SHARED = (*SPLITS, "kfold")  # designs of rounds that share training cases; so does 5x2cv
COLUMNS = ("label", "id", "time", "event", "long")  # options that name columns of a table


def roles_given(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return two dictionaries: options that name columns of a table, and all others."""
    named = {name: options[name] for name in COLUMNS}
    named |= {x: options[x] for x in ("groups", "sample_weight") if isinstance(options[x], str)}
    return named, {name: value for name, value in options.items() if name not in named}


@dataclass(frozen=True, kw_only=True)
class Query:
    """The options of `compare` that describe the question, and which tests took them."""

    alpha: float
    gate: bool
    options: Mapping[str, Any]  # by the names of the parameters of tests
    test: str | None = None  # by name, instead of the usual ones
    control: str | int | None = None
    used: set[str] = field(default_factory=set)  # options that a test took
    ran: list[str] = field(default_factory=list)  # the names of the tests that were run

    def run(self, test: Callable[..., Any], *data: Any, **more: Any) -> Any:
        """Run a test with those of the options that are its parameters; return its result.

        `more` are options beside those of the query; those that the test has are noted as used.
        """
        parameters = parameters_of(getattr(test, "__func__", test))  # of a method its function
        wanted = {"alpha": self.alpha, **self.options, **more}
        taken = {name: value for name, value in wanted.items() if name in parameters}
        self.used.update(taken)
        self.ran.append(getattr(getattr(test, "func", test), "__name__", "the test"))
        return test(*data, **taken)

    def record(self, results: Mapping[str, Record], options: Sequence[str]) -> None:
        """Note tests that were not run by `run`, and which of these options their results have."""
        self.ran.extend(results)
        for result in results.values():
            self.used.update(name for name in options if hasattr(result, name))


def with_names(result: Any, names: Iterable[object]) -> Any:
    """Return a copy of a result with these names of models, if it has a field for them."""
    called = {"names": tuple(map(str, names))}
    return replace_fields(result, called) if hasattr(result, "names") else result


class Tests(NamedTuple):
    """The functions that test two models, all models, all pairs, and all against a control.

    `one` estimates a single model; `field` is the field of results with the models' values, and
    `named` are the words for the tests of two and of more models, formats for the quantity.
    """

    two: Callable[..., Any] | None = None
    omnibus: Callable[..., Any] | None = None
    pairs: Callable[..., Any] | None = None
    field: str = ""
    quantity: str = ""  # by default what the results say
    named: tuple[str, str] = ("", "")
    units: str = "cases"
    higher_is_better: bool | None = True  # None where the data or the query say it
    control: Callable[..., Any] | None = None
    one: Callable[..., Any] | None = None

    def taking(self, option: str, k: int) -> bool:
        """Return whether one of the tests of k models has an option."""
        tests = (self.two,) if k == 2 else (self.pairs, self.omnibus, self.control)
        return any(option in parameters_of(test) for test in tests if test is not None)


@dataclass(frozen=True, kw_only=True)
class Data:
    """Data of one kind: a column for each model (of battles only names), labels, groups, sizes."""

    kind: str
    design: str
    columns: Mapping[str, Any]
    decisions: tuple[str, ...]
    y_true: Any = None
    scan: Any = None  # the cases, where they are read in chunks
    battles: tuple[Any, Any, Any] | None = None  # columns: the first models, the second, outcomes
    times: tuple[Any, Any] | None = None  # columns: times, and whether the events were observed
    study: tuple[Any, Any, Any] | None = None  # scores of readers, truth beside them, treatments
    sizes: tuple[float, float] | None = None  # of a round: training and test cases
    options: Mapping[str, Any] = field(default_factory=dict)  # groups, weights, strata
    n_rounds: int | None = None  # of estimators that are not fitted, or readers of a study
    higher_is_better: bool | None = None  # where the data themselves say it
    metric: str = "score"  # of rounds or items, as sentences name it
    called: tuple[str, ...] = ()  # the metric of the scores, where the data name it
    doubts: tuple[str, ...] = ()  # what else the data could be
    lines: tuple[str, ...] = ()  # how the columns of a table were read
    clusters: Clusters | None = None  # as another column shows, and no option says
    warnings: tuple[str, ...] = ()  # such as that rows depend on each other, as other columns show
    classes: tuple[Any, ...] | None = None  # of probabilities (n, c) of each model
    pos_label: Any = None  # as a table of cases tells it
    truth: str = "the truth"  # the column of true labels
    unpaired: tuple[Any, ...] | None = None  # labels and scores of two models on different cases


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """The results of the tests that were run, and why; `result` is the one to report."""

    omnibus: Record | None
    result: Record
    tests: Mapping[str, Record]
    reasons: tuple[str, ...]
    values: Mapping[str, float] = field(default_factory=dict)
    quantity: str = ""
    higher_is_better: bool = True  # among the values of models
    higher_scores: bool | None = None  # among the numbers tested, if values are others, as ranks
    checks: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of data: its units, claim, designs and options, and the functions that analyse it."""

    form: Literal["cases", "table", "battles", "readers", "times"]  # how users pass it
    units: str  # the rows, as sentences name them
    counted_units: str = ""  # what the numbers in rules count, if not the units
    claim: str = "these models"  # that such data can support
    designs: tuple[str, ...]  # the first is the default
    options: tuple[str, ...]  # of `compare`, which mean something for it
    undirected: bool = False  # whether its tests do not know which direction is better
    better: str = ""  # why the direction is known, where users must not specify it
    analyse: Callable[[Data, Query, Tests | None], Analysis]  # what `compare` runs; None chooses
    like: Callable[[Data], DataDesign]  # returns the design that simulates data like the user's
    simulated: str = ""  # the design of `fastcompare.simulate` for it, if there is one

    @property
    def rows(self) -> str:
        """The units that rules count: ``cases of the rarer class``, ``data sets``."""
        return self.counted_units or self.units


WITHIN = "{mixed} of {total} groups contain both labels. {way}"
WAY_WITHIN = (  # in Python; the command line has its own
    "To compare the models within groups (users, queries) only, call fastcompare.{call}."
)
CALLS_WITHIN = {  # by whether there are more than two models
    False: "within_auc_test(y_true, y_score_a, y_score_b, groups)",
    True: "within_auc_pairwise_test(y_true, scores, groups)",
}


def within_offer(data: Data) -> tuple[str, ...]:
    """Return the sentence that offers tests within groups, if most groups contain both labels."""
    groups, k = data.options.get("groups"), len(data.columns)
    if data.kind != "scores" or data.y_true is None or groups is None or k < 2:
        return ()
    y, missing = as_label_column("data", data.y_true)
    names, unnamed = as_label_column("groups", groups)
    if missing is not None or unnamed is not None or names.size != y.size:
        return ()  # the test itself refuses such columns, or drops cases
    numbers = number_groups(names).numbers
    classes = number_groups(y)
    if classes.total != 2:
        return ()
    sizes = np.bincount(numbers)
    second_class = np.bincount(
        numbers, classes.numbers
    )  # cases of it by group: they are numbered 1
    mixed = int(np.count_nonzero((second_class > 0) & (second_class < sizes)))
    if 2 * mixed <= sizes.size:
        return ()
    way = hint(WAY_WITHIN, call=CALLS_WITHIN[k > 2])
    return (WITHIN.format(mixed=mixed, total=sizes.size, way=way),)
