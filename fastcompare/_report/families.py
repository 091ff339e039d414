"""The sheets of any result, by the family of its class: what a person wants first comes first.

What a comparison of models on logged items looks like as tables.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from .._base.types import AnyArray, Fields
from .._compare.items.mean import mean_interval
from .._compare.labels.accuracy import accuracy_interval
from .._inputs.evals.reading import Run
from .._results.records import IntervalEstimate
from .comparison import ShownPairs
from .differences import (
    advice_sheets,
    batch_sheets,
    calibration_sheets,
    difference_sheets,
    estimate_sheets,
    fact_sheets,
    leaderboard_sheets,
    model_sheets,
    omnibus_sheets,
    posterior_sheets,
    rates_sheets,
)
from .formats import MEASURED, TESTED, Column, Indices, Row, Sheet, sheet_of
from .kinds import dataset_sheets, pairs_sheets

if TYPE_CHECKING:
    from ..results import EvalRuns, MeanPairwiseResult, PairedMeanResult


def together_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of the results in a result: of each kind those of the first that has it."""
    found = {sheet.kind: sheet for sheet in model_sheets(result)}
    held = result.tests.values() if hasattr(result, "tests") else (result.omnibus, result.posthoc)
    for part in held:
        for sheet in () if part is None else sheets_of(part):
            found.setdefault(sheet.kind, sheet)
    return list(found.values())


def comparison_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of a comparison, with pairs of no other test than the reported one."""
    found = {sheet.kind: sheet for sheet in together_sheets(result)}
    told = {sheet.kind: sheet for sheet in sheets_of(result.result)}
    if "models" in found:
        found["models"] = as_compared(found["models"], result)
        found.pop("numbers", None)
    if "pairs" in told:
        found["pairs"] = told["pairs"]
    elif "pairs" in found:
        rows = [{"model": model.name, "value": model.value} for model in result.models]
        heads = {"model": Column("model"), "value": Column(result.quantity, "number")}
        del found["pairs"]
        return [sheet_of("models", result.title, heads, rows), *found.values()]
    return list(found.values())


def as_compared(sheet: Sheet, result: Any) -> Sheet:
    """Return the sheet of models in the order of a comparison, which knows what is better."""
    rows = [row["model"] for row in sheet.rows()]
    order = [rows.index(str(model.name)) for model in result.models]
    field = list(sheet.heads)[1]
    heads = {**sheet.heads, field: sheet.heads[field]._replace(name=result.quantity)}
    return replace(sheet, heads=heads, order=order)


FAMILIES: Mapping[str, Callable[[Any], list[Sheet]]] = {
    "advice": advice_sheets,
    "batch": batch_sheets,
    "calibration": calibration_sheets,
    "comparison": comparison_sheets,
    "datasets": dataset_sheets,
    "difference": difference_sheets,
    "estimate": estimate_sheets,
    "facts": fact_sheets,
    "leaderboard": leaderboard_sheets,
    "omnibus": omnibus_sheets,
    "pairs": pairs_sheets,
    "posterior": posterior_sheets,
    "rates": rates_sheets,
    "together": together_sheets,
}


def sheets_of(result: Any) -> list[Sheet]:
    """Return the sheets of a result, by the family that its class names.

    What knows more than a result, the level of its intervals or the source, has sheets of its own.
    """
    if hasattr(type(result), "sheets"):
        return list(result.sheets())
    return FAMILIES[result._sheets](result)


COUNTED = {  # columns of models, and the counts of a run
    "n_items": Column("items", "count", 2),
    "n_samples": Column("samples", "count", 3),
    "n_missing": Column("missing", "count", 3),
    "n_errors": Column("errors", "count", 3),
    "n_unscored": Column("unscored", "count", 3),
}


class ToldResult:
    """A test's result whose sentence also says what the logs held and lacked."""

    def __init__(self, result: "PairedMeanResult | MeanPairwiseResult", words: str) -> None:
        self.result, self.words = result, words

    def __getattr__(self, name: str) -> Any:
        return getattr(self.result, name)

    def summary(self, *, confidence_level: float | None = None) -> str:
        """Return the result in a sentence, and what the logs lacked in another."""
        return f"{self.result.summary(confidence_level=confidence_level)} {self.words}"


class OnePair(ToldResult):
    """The test of two models in the form of tests of all pairs."""

    correction = "none"

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The names of the two models."""
        return [(self.names[0], self.names[1])]

    @property
    def adjusted_pvalue(self) -> float:
        """The p-value: there is one test."""
        return float(self.result.pvalue)

    @property
    def status(self) -> Any:
        """The status of the one pair."""
        return np.array([self.result.status])

    def _intervals(self, _: Any, level: float, simultaneous: bool) -> Any:
        """Return the interval; of one pair it covers together with all others."""
        return np.reshape(self.result.confidence_interval(level), (2, 1))

    def _estimates(self, _: Any) -> Any:
        return np.atleast_1d(self.result.estimate)


def told(result: Any, runs: "EvalRuns", missing: str) -> ToldResult:
    """Return a result in the form that tables need."""
    kind = OnePair if len(runs.models) == 2 else ToldResult
    return kind(result, " ".join([lacking(runs, missing), *unfinished(runs.metadata["runs"])]))


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


def unfinished(runs: Sequence[Run]) -> list[str]:
    """Return a sentence for each run that did not end well."""
    return [
        f"The run of {run.model} did not finish (status {run.status})."
        for run in runs
        if run.status != "success"
    ]


@dataclass(frozen=True)
class EvalComparison(ShownPairs):
    """All pairs of models by their mean scores on the same items."""

    result: ToldResult
    runs: "EvalRuns" = field(kw_only=True)
    lower_is_better: bool = field(default=False, kw_only=True)
    quantity: ClassVar[str] = "mean score"
    heads: ClassVar[Mapping[str, Column]] = {
        **COUNTED,
        "mean": Column("mean score", "number"),
        "standard_error": Column("standard error", "number", 1),
    }
    interval: ClassVar[bool] = True
    value: ClassVar[tuple[str, str]] = ("mean", "means")
    columns: ClassVar[Mapping[str, str]] = {
        **MEASURED,
        "df": "df",
        "t": "statistic",
        **TESTED,
    }
    evidence: ClassVar[Mapping[str, Column]] = {
        "t": Column("t", "statistic", 2),
        "df": Column("df", "df", 2),
    }

    @property
    def record(self) -> Any:
        """The result as the function returned it."""
        return self.result.result

    def standing(self) -> Indices:
        """Return the order of the models, the best first, undefined ones last."""
        means = np.asarray(self.result.means, np.float64)
        order = np.argsort(means if self.lower_is_better else -means, kind="stable")
        return list(order.tolist())

    def counts(self) -> Mapping[str, int]:
        """Return how many items, samples, clusters and tasks there are."""
        n, _, samples = self.runs.scores.shape
        clusters = n if self.runs.groups is None else len({*self.runs.groups.tolist()})
        tasks = len({*self.runs.tasks.tolist()})
        return {"n": n, "n_clusters": clusters, "n_samples": samples, "n_tasks": tasks}

    def cases(self) -> str:
        """Return how many items there are, for people."""
        counts = self.counts()
        words = [f"{counts['n']} items"]
        if self.runs.groups is not None:
            words.append(f"{counts['n_clusters']} clusters")
        if counts["n_samples"] > 1:
            words.append(f"up to {counts['n_samples']} samples an item")
        return ", ".join(words)

    def models(self) -> Iterator[Row]:
        """Yield what is known of each model."""
        for run, scores in zip(
            self.runs.metadata["runs"], self.runs.by_model().values(), strict=True
        ):
            found = self.mean(scores)
            low, high = found.confidence_interval()
            yield {
                "model": run.model,
                **{name: getattr(run, name) for name in COUNTED},
                "mean": found.estimate,
                "standard_error": found.standard_error,
                "ci_low": low,
                "ci_high": high,
            }

    def mean(self, scores: AnyArray) -> IntervalEstimate:
        """Return one model's mean; of right and wrong answers it is an accuracy.

        Whose interval stays between 0 and 1, and covers better.
        """
        runs, tasks = self.runs, self.counts()["n_tasks"]
        shared: Fields = {
            "groups": runs.groups,
            "confidence_level": self.confidence_level,
            "on_undefined": "ignore",
        }
        alike = runs.weights is None and tasks == 1 and scores.ndim == 1
        if alike and ((scores == 0.0) | (scores == 1.0)).all():
            return accuracy_interval(correct=scores == 1.0, **shared)
        strata = runs.tasks if tasks > 1 else None
        return mean_interval(scores, sample_weight=runs.weights, strata=strata, **shared)

    def to_dict(self) -> Row:
        """Return everything, for programs."""
        runs = self.runs.to_dict()["metadata"]
        return {**super().to_dict(), "tasks": sorted({*self.runs.tasks.tolist()}), **runs}
