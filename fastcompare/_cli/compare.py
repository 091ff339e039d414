"""The command that compares models by whatever files hold."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

import fastcompare as fc

from .._inputs.options import check_level
from .._report.comparison import PresentedResult
from .._results.presentation import for_presentation, has_interval, replace_fields
from .delivery import Contents, Delivery, FileForm, LogChoice, Query, check_pairs, deliver
from .large import large_arguments, tell_memory
from .reading import arguments_in, count_models
from .terminal import in_words, note, say

if TYPE_CHECKING:
    from ..results import Comparison, GateResult

LEVEL = Query().confidence_level
GATE_FAILED = 3  # the exit status


def compare(
    files: list[str] | None = None,
    *,
    contents: Contents,
    logs: LogChoice,
    query: Query,
    candidate: str | None = None,
    fail_if: str | None = None,
    trust: bool = False,
    difference: float | None = None,
    verbose: bool = False,
    delivery: Delivery,
    form: FileForm,
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
    comparison = compared(files, contents, logs, query, form, options)
    if trust or difference is not None:
        work: Any = {"rng": query.seed, "n_jobs": n_jobs, "progress": True}
        trusted = comparison.trust(difference=difference, **work)
        deliver(Trusted(comparison, trust=trusted), delivery)
    else:
        deliver(comparison, delivery)
    if verbose:
        tell_memory(comparison.result, start)
    if fail_if is not None:
        level = query.confidence_level
        pass_or_fail(
            comparison.gate(fail_if, model=candidate, margin=query.margin, confidence_level=level)
        )


def pass_or_fail(gate: "GateResult") -> None:
    """Say whether a gate is passed and which pair decides it, and exit if it is not."""
    say("passed" if gate else "failed", gate.summary())
    if not gate:
        raise typer.Exit(GATE_FAILED)


def compared(
    files: list[str] | None,
    contents: Contents,
    logs: LogChoice,
    query: Query,
    form: FileForm,
    options: dict[str, Any],
) -> "Comparison":
    """Return the comparison of the models in files, which says how their kind was recognized."""
    check_level(query.confidence_level)
    from ..advice.asked import kind_asked

    kind = kind_asked(contents.kind, query.test, query.rule, query.threshold)
    contents = contents._replace(kind=kind)
    arguments = large_arguments(files, contents, logs) or arguments_in(files, contents, logs, form)
    models = count_models(arguments)
    check_pairs(models, query.max_pairs, "Choose models by `--model`")
    asked = {**query.options, **options}
    fail_if = asked.pop("fail_if", None)
    if fail_if is not None and (models > 2 or fail_if != "not-noninferior"):
        del asked["margin"]  # of the gate alone
    result = fc.compare(arguments.data, arguments.models, **arguments.options, **asked)
    decisions = (*arguments.why, *result.decisions[bool(arguments.why) :])
    reasons, checks = (tuple(map(in_words, some)) for some in (result.reasons, result.checks))
    explanations = {"decisions": decisions, "reasons": reasons, "checks": checks}
    comparison: Comparison = replace_fields(result, explanations)
    if query.confidence_level == LEVEL:
        return comparison
    if not has_interval(comparison):  # the data decide: pairs are compared where models differ
        note("--confidence-level changes nothing: this result has no interval.")
        return comparison
    at_level: Comparison = for_presentation(comparison, query.confidence_level)
    return at_level


@dataclass(frozen=True)
class Trusted(PresentedResult):
    """A comparison, and what it can be trusted with."""

    trust: Any = None

    def sheets(self) -> list[Any]:
        """Return the sheets of both."""
        from .._report.families import result_sheets

        return [*result_sheets(self.record), *result_sheets(self.trust)]

    def summary(self) -> str:
        """Return the sentences of both."""
        return f"{self.record.summary()} {self.trust.summary()}"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of both."""
        return {**self.record.to_dict(), "trust": self.trust.to_dict()}

    def __str__(self) -> str:
        return f"{self.record}\n\n{self.trust}"
