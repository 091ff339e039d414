"""The sheets of any result, by the family of its class: what a person wants first comes first.

Comparisons of models on logged items are here too, with what their logs lacked.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.text import as_builtin
from .._results.copies import tests_in
from .._results.presentation import for_presentation
from .comparison import CASE_COUNTS, PresentedPairs, pairs_sheets
from .datasets import dataset_sheets
from .differences import (
    advice_sheets,
    batch_sheets,
    bin_sheets,
    calibration_sheets,
    difference_sheets,
    estimate_sheets,
    fact_sheets,
    horizon_sheets,
    interval_column,
    leaderboard_sheets,
    model_sheets,
    omnibus_sheets,
    posterior_sheets,
    rates_sheets,
)
from .formats import Column, Indices, Row, Sheet, Table, make_sheet, row_getter
from .readers import power_sheets, reader_sheets

if TYPE_CHECKING:
    from .._inputs.evals.reading import Run
    from ..results import EvalRuns, PairedMeanResult


def nested_result_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of a result's nested results; of several of one kind the first."""
    sheets = {sheet.kind: sheet for sheet in model_sheets(result)}
    tests = tests_in(result)
    f_test = tests.get("ftest_5x2cv")  # for the question of the t-test, and of all ten differences
    for test in tests.values() if f_test is None else [f_test]:
        for sheet in result_sheets(test):
            sheets.setdefault(sheet.kind, sheet)
    return list(sheets.values())


def comparison_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of a comparison, of each kind one.

    Pairs are those of the reported test. If that has none, pairs of another test are left out, and
    a sheet of the models' values is first.
    """
    if len(result.names) == 1:
        return [single_model_sheet(result)]
    sheets = {sheet.kind: sheet for sheet in nested_result_sheets(result)}
    reported = {sheet.kind: sheet for sheet in result_sheets(result.result)}
    if "models" in sheets:
        models = sheets["models"]
        reported_models = reported.get("models", models)
        if "ci" in reported_models.heads and "ci" not in models.heads:
            models = reported_models  # an omnibus test has no intervals of AUCs
        sheets["models"] = with_model_intervals(in_comparison_order(models, result), result)
        sheets.pop("numbers", None)
    if "pairs" in reported:
        sheets["pairs"] = reported["pairs"]
    elif "pairs" in sheets:
        rows = [{"model": model.name, "value": model.value} for model in result.models]
        heads = {"model": Column("model"), "value": Column(result.quantity, "number")}
        del sheets["pairs"]
        return [make_sheet("models", result.title, heads, rows), *sheets.values()]
    return list(sheets.values())


def single_model_sheet(result: Any) -> Sheet:
    """Return the sheet of a comparison of a single model: its measure with the interval."""
    (sheet,) = result_sheets(result.result)
    heads = {"model": Column("model"), **sheet.heads}
    heads["estimate"] = heads["estimate"]._replace(name=result.quantity)
    rows = [{"model": result.names[0], **row} for row in sheet.rows()]
    return make_sheet("models", result.title, heads, rows)


def in_comparison_order(sheet: Sheet, result: Any) -> Sheet:
    """Return the sheet of models in the order of a comparison, headed by its quantity."""
    names = [row["model"] for row in sheet.rows()]
    order = [names.index(str(model.name)) for model in result.models]
    value_key = next(key for key, head in sheet.heads.items() if head.form == "number")
    heads = {**sheet.heads, value_key: sheet.heads[value_key]._replace(name=result.quantity)}
    return replace(sheet, heads=heads, order=order)


def with_model_intervals(sheet: Sheet, result: Any) -> Sheet:
    """Return the sheet of models with a column of intervals, if the comparison has any."""
    if "ci" in sheet.heads:
        return sheet
    limits = result._model_limits(result._level)
    if limits is None:
        return sheet
    intervals = zip(result.names, *map(as_builtin, limits), strict=True)
    cells_of_model = {name: {"ci_low": low, "ci_high": high} for name, low, high in intervals}
    rows = [{**row, **cells_of_model[row["model"]]} for row in sheet.rows()]
    heads = {**sheet.heads, "ci": interval_column(result._level)}
    return replace(sheet, heads=heads, cells=row_getter(rows))


SHEETS_BY_FAMILY: Mapping[str, Callable[[Any], list[Sheet]]] = {
    "advice": advice_sheets,
    "batch": batch_sheets,
    "bins": bin_sheets,
    "calibration": calibration_sheets,
    "comparison": comparison_sheets,
    "datasets": dataset_sheets,
    "difference": difference_sheets,
    "estimate": estimate_sheets,
    "facts": fact_sheets,
    "horizons": horizon_sheets,
    "leaderboard": leaderboard_sheets,
    "omnibus": omnibus_sheets,
    "pairs": pairs_sheets,
    "posterior": posterior_sheets,
    "rates": rates_sheets,
    "reader_power": power_sheets,
    "readers": reader_sheets,
    "together": nested_result_sheets,
}


def result_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of a result, by the family of sheets that its class names (`_sheets`).

    An object that presents a result, at a level of intervals say, has a method ``sheets`` instead.
    """
    if hasattr(type(result), "sheets"):
        return list(result.sheets())
    return SHEETS_BY_FAMILY[result._sheets](result)


class OnePair:
    """The result of a test of two models with the interface of a result of pairs."""

    correction = "none"
    _stated_difference = ""

    def __init__(self, result: "PairedMeanResult") -> None:
        """Present a result of two models as a family with a single comparison."""
        self.result = result
        self.pairs = [(result.names[0], result.names[1])]
        self.adjusted_pvalue = float(result.pvalue)
        self.status = np.array([result.status])

    def __getattr__(self, name: str) -> Any:
        return getattr(self.result, name)

    def _intervals_at(self, _: Any, level: float, level_if_identical: float) -> Any:
        """Return the interval, shape (2, 1), at the level that the result is presented with.

        The arguments, by which results of several pairs choose and adjust intervals, are not used.
        """
        return np.reshape(self.result._interval(), (2, 1))

    def _estimates(self, _: Any) -> Any:
        """Return the difference, shape (1,)."""
        return np.atleast_1d(self.result.estimate)


def missing_scores_sentence(runs: "EvalRuns", missing: str) -> str:
    """Return a sentence on the metric of logs, their tasks, and scores that models lack.

    `missing` is the policy for these: 'drop' left their items out, by 'zero' they count as 0.
    """
    metadata = runs.metadata
    absent = metadata["left_out"]
    without = f" Left out, without this metric: {', '.join(absent)}." if absent else ""
    tasks = sorted({*runs.tasks.tolist()} - {""})
    named_tasks = f" of {', '.join(tasks[:3])}" if tasks else ""
    task_text = f" of {len(tasks)} tasks" if len(tasks) > 3 else named_tasks
    total = len(runs.items) + metadata["n_dropped"]
    gaps = [f"{run.model} for {run.n_missing}" for run in metadata["runs"] if run.n_missing]
    if not gaps:
        return f"The metric is {metadata['metric']}{task_text}; no score is missing.{without}"
    n_dropped = metadata["n_dropped"]
    verb = "was" if n_dropped == 1 else "were"
    policy = f"{n_dropped} {verb} left out" if missing == "drop" else "they count as 0"
    return (
        f"The metric is {metadata['metric']}{task_text}; of {total} items a score was missing of "
        f"{', '.join(gaps)}, and {policy}.{without}"
    )


def unfinished_runs(runs: "Sequence[Run]") -> list[str]:
    """Return a sentence for each run whose status is not 'success'."""
    return [
        f"The run of {run.model} did not finish (status {run.status})."
        for run in runs
        if run.status != "success"
    ]


@dataclass(frozen=True)
class EvalComparison(PresentedPairs):
    """A comparison of models by logs of evaluations, with sentences on what the logs lack."""

    runs: "EvalRuns" = field(kw_only=True)
    source: str = field(kw_only=True)
    lower_is_better: bool = field(default=False, kw_only=True)
    log_sentences: str = field(default="", kw_only=True)
    presented: str = "evals"

    @cached_property
    def result(self) -> Any:
        """The result of all pairs; of two models their test, as a result of one pair."""
        paired = for_presentation(self.record, self.level)
        return OnePair(paired) if len(self.names) == 2 else self.record

    def summary(self) -> str:
        """Return the sentences on the result, and those on what the logs lack."""
        return f"{super().summary()} {self.log_sentences}"

    def model_order(self) -> Indices:
        """Return the indices of the models, the best first, undefined ones last."""
        means = np.asarray(self.record.means, np.float64)
        order = np.argsort(means if self.lower_is_better else -means, kind="stable")
        return list(order.tolist())

    @cached_property
    def case_counts(self) -> Mapping[str, int]:
        """The numbers of items, clusters, samples per item, and tasks."""
        n, _, samples = self.runs.scores.shape  # items, models, samples
        tasks = self.runs.tasks.tolist()
        groups = range(n) if self.runs.groups is None else self.runs.groups.tolist()
        clusters = len({*zip(tasks, groups, strict=True)})  # of two tasks, equal names differ
        return {"n": n, "n_clusters": clusters, "n_samples": samples, "n_tasks": len({*tasks})}

    @property
    def cases(self) -> str:
        """The text ``200 items, 50 clusters, up to 4 samples an item``."""
        texts = [f"{self.case_counts['n']} items"]
        if self.runs.groups is not None:
            texts.append(f"{self.case_counts['n_clusters']} clusters")
        if self.case_counts["n_samples"] > 1:
            texts.append(f"up to {self.case_counts['n_samples']} samples an item")
        return ", ".join(texts)

    @property
    def about(self) -> str:  # type: ignore[override]
        """The text ``gsm8k: 3 models, 200 items``."""
        return f"{self.source}: {len(self.names)} models, {self.cases}"

    @cached_property
    def models(self) -> list[Row]:
        """A row for each model: its counts of items, its mean, standard error and limits."""
        return [
            {
                "model": run.model,
                **{name: getattr(run, name) for name in CASE_COUNTS},
                **self.mean(run.model, None),
            }
            for run in self.runs.metadata["runs"]
        ]

    @cached_property
    def by_task(self) -> list[Row]:
        """A row for each task and model with the mean on that task; none of a single task."""
        tasks = sorted({*self.runs.tasks.tolist()})
        names = [self.names[j] for j in self.model_order()]
        return [
            {"task": task, "model": name, **self.mean(name, task)}
            for task in (tasks if len(tasks) > 1 else ())
            for name in names
        ]

    def tidy_table(self) -> Table:
        """Return the table of pairs for programs, with the values of both models of each."""
        rows = list(self.pairs())
        header = tuple(
            Column(key, "text" if isinstance(cell, str) else "number")
            for key, cell in rows[0].items()
        )
        return Table(self.title, header, tuple(tuple(row.values()) for row in rows))

    def to_dict(self) -> Row:
        """Return the counts, models, pairs, tasks and the logs' metadata as plain values."""
        result = self.result
        return {
            "source": self.source,
            **self.case_counts,
            "n_dropped": result.n_dropped,
            "method": self.method,
            "alternative": result.alternative,
            "correction": result.correction,
            "confidence_level": self.confidence_level,
            "simultaneous": self.is_simultaneous,
            "models": self.models,
            "pairs": list(self.pairs()),
            "summary": self.summary(),
            "tasks": sorted({*self.runs.tasks.tolist()}),
            "by_task": self.by_task,
            **self.runs.to_dict()["metadata"],
        }

    def mean(self, model: str, task: str | None) -> Row:
        """Return one model's mean with its interval, of all items (None) or those of a task."""
        interval = self.runs.interval(model, task=task, confidence_level=self.confidence_level)
        low, high = interval.confidence_interval()
        row = {"mean": interval.estimate, "standard_error": interval.standard_error}
        return {**row, "ci_low": low, "ci_high": high}

    def sheets(self) -> list[Sheet]:
        """Return the sheets of the models, of several tasks, and of the pairs."""
        models, *pairs = super().sheets()
        heads = {"task": Column("task"), **models.heads}
        heads = {name: head for name, head in heads.items() if name not in CASE_COUNTS}
        task_sheet = make_sheet("tasks", "Means by task", heads, self.by_task)
        return [models, *([task_sheet] if self.by_task else []), *pairs]
