"""The sheets of any result, by the family of its class: what a person wants first comes first.

Comparisons of models on logged items are here too, with what their logs lacked.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.text import plain
from .._results.copies import tests_in
from .._results.presentation import for_presentation
from .comparison import CASE_COUNTS, ShownPairs, pairs_sheets
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
    leaderboard_sheets,
    model_sheets,
    omnibus_sheets,
    own_head,
    posterior_sheets,
    rates_sheets,
)
from .formats import Column, Indices, Row, Sheet, Table, make_sheet, row_getter
from .readers import power_sheets, reader_sheets

if TYPE_CHECKING:
    from .._inputs.evals.reading import Run
    from ..results import EvalRuns, PairedMeanResult


def together_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of the results in a result: of each kind those of the first that has it."""
    sheets = {sheet.kind: sheet for sheet in model_sheets(result)}
    tests = tests_in(result)
    halves = tests.get("ftest_5x2cv")  # the t-test answers the same question, by one difference
    for part in tests.values() if halves is None else [halves]:
        for sheet in result_sheets(part):
            sheets.setdefault(sheet.kind, sheet)
    return list(sheets.values())


def comparison_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of a comparison, with pairs of no other test than the reported one."""
    if len(result.names) == 1:
        return [alone_sheet(result)]
    sheets = {sheet.kind: sheet for sheet in together_sheets(result)}
    reported = {sheet.kind: sheet for sheet in result_sheets(result.result)}
    if "models" in sheets:
        models = sheets["models"]
        reported_models = reported.get("models", models)
        if "ci" in reported_models.heads and "ci" not in models.heads:
            models = reported_models  # an omnibus test has no intervals of AUCs
        sheets["models"] = with_limits(as_compared(models, result), result)
        sheets.pop("numbers", None)
    if "pairs" in reported:
        sheets["pairs"] = reported["pairs"]
    elif "pairs" in sheets:
        rows = [{"model": model.name, "value": model.value} for model in result.models]
        heads = {"model": Column("model"), "value": Column(result.quantity, "number")}
        del sheets["pairs"]
        return [make_sheet("models", result.title, heads, rows), *sheets.values()]
    return list(sheets.values())


def alone_sheet(result: Any) -> Sheet:
    """Return the sheet of one model, with its measure and interval."""
    (sheet,) = result_sheets(result.result)
    heads = {"model": Column("model"), **sheet.heads}
    heads["estimate"] = heads["estimate"]._replace(name=result.quantity)
    rows = [{"model": result.names[0], **row} for row in sheet.rows()]
    return make_sheet("models", result.title, heads, rows)


def as_compared(sheet: Sheet, result: Any) -> Sheet:
    """Return the sheet of models in the order of a comparison, which knows what is better."""
    rows = [row["model"] for row in sheet.rows()]
    order = [rows.index(str(model.name)) for model in result.models]
    field = next(name for name, head in sheet.heads.items() if head.form == "number")
    heads = {**sheet.heads, field: sheet.heads[field]._replace(name=result.quantity)}
    return replace(sheet, heads=heads, order=order)


def with_limits(sheet: Sheet, result: Any) -> Sheet:
    """Return the sheet of models with their own intervals, if a comparison knows them."""
    if "ci" in sheet.heads or (ends := result._model_limits(result._level)) is None:
        return sheet
    limits = dict(zip(result.names, zip(*map(plain, ends), strict=True), strict=True))
    rows = [
        {**row, **dict(zip(("ci_low", "ci_high"), limits[row["model"]], strict=True))}
        for row in sheet.rows()
    ]
    heads = {**sheet.heads, "ci": own_head(result._level)}
    return replace(sheet, heads=heads, cells=row_getter(rows))


FAMILIES: Mapping[str, Callable[[Any], list[Sheet]]] = {
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
    "together": together_sheets,
}


def result_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of a result, by the family that its class names.

    What knows more than a result, the level of its intervals or the source, has sheets of its own.
    """
    if hasattr(type(result), "sheets"):
        return list(result.sheets())
    return FAMILIES[result._sheets](result)


class OnePair:
    """The test of two models in the form of tests of all pairs."""

    correction = "none"
    _stated_difference = ""

    def __init__(self, result: "PairedMeanResult") -> None:
        self.result = result
        self.pairs = [(result.names[0], result.names[1])]
        self.adjusted_pvalue = float(result.pvalue)
        self.status = np.array([result.status])

    def __getattr__(self, name: str) -> Any:
        return getattr(self.result, name)

    def _intervals(self, _: Any, level: float, simultaneous: bool) -> Any:
        """Return the interval; of one pair it covers together with all others."""
        return np.reshape(self.result._interval(), (2, 1))

    def _estimates(self, _: Any) -> Any:
        return np.atleast_1d(self.result.estimate)


def lacking(runs: "EvalRuns", missing: str) -> str:
    """Return which metric of which tasks this is, and what is missing, in a sentence."""
    about = runs.metadata
    absent = about["left_out"]
    without = f" Left out, without this metric: {', '.join(absent)}." if absent else ""
    tasks = sorted({*runs.tasks.tolist()} - {""})
    of = f" of {', '.join(tasks[:3])}" if tasks else ""
    of = f" of {len(tasks)} tasks" if len(tasks) > 3 else of
    total = len(runs.items) + about["n_dropped"]
    gaps = [f"{run.model} for {run.n_missing}" for run in about["runs"] if run.n_missing]
    if not gaps:
        return f"The metric is {about['metric']}{of}; no score is missing.{without}"
    count = about["n_dropped"]
    done = f"{count} were left out" if missing == "drop" else "they count as 0"
    return (
        f"The metric is {about['metric']}{of}; of {total} items a score was missing of "
        f"{', '.join(gaps)}, and {done}.{without}"
    )


def unfinished_runs(runs: "Sequence[Run]") -> list[str]:
    """Return a sentence for each run that did not end well."""
    return [
        f"The run of {run.model} did not finish (status {run.status})."
        for run in runs
        if run.status != "success"
    ]


@dataclass(frozen=True)
class EvalComparison(ShownPairs):
    """All pairs of models by their mean scores on the same items, and what logs lacked."""

    runs: "EvalRuns" = field(kw_only=True)
    source: str = field(kw_only=True)
    lower_is_better: bool = field(default=False, kw_only=True)
    words: str = field(default="", kw_only=True)
    presented: str = "evals"

    @cached_property
    def result(self) -> Any:
        """The result of all pairs, or that of two models as of pairs."""
        paired = for_presentation(self.record, self.level)
        return OnePair(paired) if len(self.names) == 2 else self.record

    def summary(self) -> str:
        """Return the result in a sentence, and what the logs lacked in another."""
        return f"{super().summary()} {self.words}"

    def standing(self) -> Indices:
        """Return the order of the models, the best first, undefined ones last."""
        means = np.asarray(self.record.means, np.float64)
        order = np.argsort(means if self.lower_is_better else -means, kind="stable")
        return list(order.tolist())

    @cached_property
    def case_counts(self) -> Mapping[str, int]:
        """How many items, samples, clusters and tasks there are."""
        (n, _, samples), tasks = self.runs.scores.shape, self.runs.tasks.tolist()
        groups = range(n) if self.runs.groups is None else self.runs.groups.tolist()
        clusters = len({*zip(tasks, groups, strict=True)})
        return {"n": n, "n_clusters": clusters, "n_samples": samples, "n_tasks": len({*tasks})}

    @property
    def cases(self) -> str:
        """How many items, clusters and samples there are, for people."""
        words = [f"{self.case_counts['n']} items"]
        if self.runs.groups is not None:
            words.append(f"{self.case_counts['n_clusters']} clusters")
        if self.case_counts["n_samples"] > 1:
            words.append(f"up to {self.case_counts['n_samples']} samples an item")
        return ", ".join(words)

    @property
    def about(self) -> str:  # type: ignore[override]
        """Where the data come from, how many models and cases there are."""
        return f"{self.source}: {len(self.names)} models, {self.cases}"

    @cached_property
    def models(self) -> list[Row]:
        """What is known of each model."""
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
        """Each model's mean on each of several tasks."""
        tasks = sorted({*self.runs.tasks.tolist()})
        names = [self.names[j] for j in self.standing()]
        return [
            {"task": task, "model": name, **self.mean(name, task)}
            for task in (tasks if len(tasks) > 1 else ())
            for name in names
        ]

    def tidy_table(self) -> Table:
        """Return a table of the pairs and of their models' values, for programs."""
        rows = list(self.pairs())
        header = tuple(
            Column(key, "text" if isinstance(cell, str) else "number")
            for key, cell in rows[0].items()
        )
        return Table(self.title, header, tuple(tuple(row.values()) for row in rows))

    def to_dict(self) -> Row:
        """Return everything, for programs."""
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
        """Return one model's mean with its interval, of all items or those of one task."""
        interval = self.runs.interval(model, task=task, confidence_level=self.confidence_level)
        low, high = interval.confidence_interval()
        row = {"mean": interval.estimate, "standard_error": interval.standard_error}
        return {**row, "ci_low": low, "ci_high": high}

    def sheets(self) -> list[Sheet]:
        """Return the sheets of the models, of several tasks, and of the pairs."""
        models, *pairs = super().sheets()
        heads = {"task": Column("task"), **models.heads}
        heads = {name: head for name, head in heads.items() if name not in CASE_COUNTS}
        each = make_sheet("tasks", "Means by task", heads, self.by_task)
        return [models, *([each] if self.by_task else []), *pairs]
