"""The command that compares models by whatever files hold."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

import fastcompare as fc

from .._inputs.options import check_level
from .._report.comparison import PresentedResult
from .._results.presentation import for_presentation, has_interval, replace_fields
from .delivery import (
    FileFormat,
    InputOptions,
    LogOptions,
    OutputOptions,
    QueryOptions,
    check_pairs,
    deliver,
)
from .large import large_arguments, print_memory
from .reading import count_models, read_arguments
from .terminal import add_note, forget_row_order, print_message, translate_message

if TYPE_CHECKING:
    from ..results import Comparison, GateResult

DEFAULT_LEVEL = QueryOptions().confidence_level
GATE_FAILED_STATUS = 3  # of the process


def compare(
    files: list[str] | None = None,
    *,
    contents: InputOptions,
    logs: LogOptions,
    query: QueryOptions,
    candidate: str | None = None,
    fail_if: str | None = None,
    trust: bool = False,
    difference: float | None = None,
    verbose: bool = False,
    delivery: OutputOptions,
    form: FileFormat,
    nan_policy: str = "raise",
    n_jobs: int = 1,
) -> None:
    """Compare models, choosing the tests from the data, and say why.

    A file with a column of true labels has one row per case; otherwise its rows are folds, data
    sets or items, as a column name or --kind says. Logs of evaluation harnesses are read as by
    `fastcompare evals`. Prints the verdict, how the tests were chosen, the models from best to
    worst, the omnibus test and the pairwise comparisons; of one model its measure with an interval.
    With --fail-if the exit status is 3 if that holds for the first model, or for --candidate.
    """
    options = {"nan_policy": nan_policy, "n_jobs": n_jobs, "fail_if": fail_if}
    start = time.monotonic()
    comparison = compare_files(files, contents, logs, query, form, options)
    if trust or difference is not None:
        work: Any = {"rng": query.seed, "n_jobs": n_jobs, "progress": True}
        trusted = comparison.trust(difference=difference, **work)
        deliver(ComparisonWithTrust(comparison, trust=trusted), delivery)
    else:
        deliver(comparison, delivery)
    if verbose:
        print_memory(comparison.result, start)
    if fail_if is not None:
        level = query.confidence_level
        pass_or_fail(
            comparison.gate(fail_if, model=candidate, margin=query.margin, confidence_level=level)
        )


def pass_or_fail(gate: "GateResult") -> None:
    """Print whether a gate is passed, and which pair decided; exit with status 3 if it is not."""
    print_message("passed" if gate else "failed", gate.summary())
    if not gate:
        raise typer.Exit(GATE_FAILED_STATUS)


def compare_files(
    files: list[str] | None,
    contents: InputOptions,
    logs: LogOptions,
    query: QueryOptions,
    form: FileFormat,
    options: dict[str, Any],
) -> "Comparison":
    """Return the comparison of the models in files, with intervals at the specified level."""
    check_level(query.confidence_level)
    from ..advice.asked import kind_asked

    kind = kind_asked(contents.kind, query.test, query.rule, query.threshold)
    contents = contents._replace(kind=kind)
    arguments = large_arguments(files, contents, logs) or read_arguments(
        files, contents, logs, form, query=query
    )
    if options["nan_policy"] == "omit":  # rows are numbered after those that are left out
        forget_row_order()
    models = count_models(arguments)
    check_pairs(models, query.max_pairs, "Choose models by `--model`")
    asked = {**query.options, **options}
    fail_if = asked.pop("fail_if", None)
    if fail_if is not None and (models > 2 or fail_if != "not-noninferior"):
        del asked["margin"]  # which is that of the gate alone
    result = fc.compare(arguments.data, arguments.models, **arguments.options, **asked)
    n_replaced = 1 if arguments.why else 0  # `compare` did not see the file that `why` is about
    explanations = {
        "decisions": (*arguments.why, *result.decisions[n_replaced:]),
        "reasons": tuple(map(translate_message, result.reasons)),
        "checks": tuple(map(translate_message, result.checks)),
    }
    comparison: Comparison = replace_fields(result, explanations)
    if query.confidence_level == DEFAULT_LEVEL:
        return comparison
    if not has_interval(comparison):  # no error, since the data decide which result there is
        add_note("--confidence-level changes nothing: this result has no interval.")
        return comparison
    at_level: Comparison = for_presentation(comparison, query.confidence_level)
    return at_level


@dataclass(frozen=True)
class ComparisonWithTrust(PresentedResult):
    """A comparison with its simulated type I error and power."""

    trust: Any = None

    def sheets(self) -> list[Any]:
        """Return the sheets of the comparison and of the simulation."""
        from .._report.families import result_sheets

        return [*result_sheets(self.record), *result_sheets(self.trust)]

    def summary(self) -> str:
        """Return the sentences of the comparison and of the simulation."""
        return f"{self.record.summary()} {self.trust.summary()}"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of the comparison, those of the simulation under ``trust``."""
        return {**self.record.to_dict(), "trust": self.trust.to_dict()}

    def __str__(self) -> str:
        return f"{self.record}\n\n{self.trust}"
