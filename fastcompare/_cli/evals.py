"""The command that compares models by the logs of evaluation harnesses."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import typer

import fastcompare as fc

from .._base.exceptions import InvalidValueError, invalid_value
from .._inputs.battles import battle_columns
from .._inputs.options import check_choice, check_level, has_direction
from .._inputs.plans.questions import as_size, check_gate, check_sides
from .._report.families import EvalComparison, missing_scores_sentence, unfinished_runs
from .._results.copies import with_metric_name
from ..results import EvalRuns
from .compare import GATE_FAILED_STATUS, pass_or_fail
from .delivery import (
    MOST_PAIRS,
    FileFormat,
    InputOptions,
    LogOptions,
    OutputOptions,
    check_pairs,
    deliver,
)
from .reading import read_arguments
from .terminal import print_message

CLAIMS = ("two-sided", "less", "greater")


class Question(NamedTuple):
    """The alternative, the margin, the gate and the direction of a comparison of logs."""

    alternative: str
    margin: float
    gate: str | None
    lower_is_better: bool


def evals(
    logs: list[str],
    task: list[str] | None = None,
    metric: str | None = None,
    cluster: str | None = None,
    missing: str = "raise",
    join: str = "id",
    candidate: str | None = None,
    baseline: str | None = None,
    alternative: str = "",
    margin: float = 0.0,
    fail_if: str | None = None,
    lower_is_better: bool = False,
    correction: str = "auto",
    confidence_level: float = 0.95,
    simultaneous: bool = False,
    max_pairs: int = MOST_PAIRS,
    *,
    delivery: OutputOptions,
) -> None:
    """Compare models by their scores on the same items in logs of evaluation harnesses.

    Prints each model's mean score with its standard error and confidence interval, each pairwise
    difference with its interval, t, p and adjusted p, and a sentence. Items are matched by id. With
    --fail-if the exit status is 3 if the first model (or --candidate) is worse than another, not
    better than all others, or not within --margin of all others, judged by the confidence
    intervals; a line on standard error says which pair decided.
    """
    check_options(missing, confidence_level, alternative, margin, fail_if)
    runs = fc.read_evals(
        *logs,
        task=task[0] if task and len(task) == 1 else task,
        metric=metric,
        missing=missing,  # type: ignore[arg-type]
        join=join,  # type: ignore[arg-type]
        cluster=cluster,
    )
    runs = with_candidate_first(runs, candidate, baseline)
    check_pairs(len(runs.models), max_pairs, "Name fewer logs")
    question = as_question(runs, alternative, margin, fail_if, lower_is_better)
    test = with_metric_name(test_logs(runs, question, correction), runs._metric)
    joint = simultaneous or (fail_if is not None and len(runs.models) > 2)  # as a gate decides
    source = ", ".join(sorted({*runs.tasks.tolist()} - {""})[:3]) or "Items"
    notes = (missing_scores_sentence(runs, missing), *unfinished_runs(runs.metadata["runs"]))
    comparison = EvalComparison(
        record=test,
        confidence_level=confidence_level,
        simultaneous=joint or None,
        source=source,
        runs=runs,
        lower_is_better=question.lower_is_better,
        log_sentences=" ".join(notes),
    )

    deliver(comparison, delivery)
    for note in runs.metadata["notes"]:
        print_message("note", note)
    if fail_if is not None:
        gate_logs(test, question, confidence_level, runs.metadata["left_out"])


def gate_logs(test: Any, question: Question, level: float, absent: Sequence[str]) -> None:
    """Exit with status 3 unless the test passes the gate, and if models lack the metric.

    `absent` are these models.
    """
    if absent:
        print_message("failed", f"{', '.join(map(repr, absent))} cannot be decided.")
        raise typer.Exit(GATE_FAILED_STATUS)
    options: dict[str, Any] = {"margin": question.margin, "confidence_level": level}
    options["higher_is_better"] = not question.lower_is_better
    pass_or_fail(test.gate(question.gate, **options))


def with_candidate_first(runs: EvalRuns, candidate: str | None, baseline: str | None) -> EvalRuns:
    """Return the runs with the candidate first; if there is a baseline, of these two alone.

    With a baseline and no candidate, the other one of two models is the candidate.
    """
    for option, name in (("--candidate", candidate), ("--baseline", baseline)):
        if name is not None:
            check_choice(option, name, runs.models)
    if baseline is not None and candidate is None:
        if len(runs.models) != 2:
            raise invalid_value(
                "--baseline",
                "needs `--candidate`",
                end=f": the logs hold {len(runs.models)} models.",
            )
        candidate = next(name for name in runs.models if name != baseline)
    if candidate is None:
        return runs
    if candidate == baseline:
        raise InvalidValueError(
            f"`--candidate` and `--baseline` must differ, got {candidate!r}.",
            parameter="--candidate",
        )
    others = [name for name in runs.models if name != candidate]
    models = (candidate, *(others if baseline is None else [baseline]))
    columns = [runs.models.index(name) for name in models]
    runs_of_models = [run for run in runs.metadata["runs"] if run.model in models]
    runs_of_models.sort(key=lambda run: models.index(run.model))
    return replace(
        runs,
        models=models,
        scores=runs.scores[:, columns],
        metadata={**runs.metadata, "runs": runs_of_models},
    )


def check_options(
    missing: str, confidence_level: float, alternative: str, margin: float, gate: str | None
) -> None:
    """Raise unless those options of `evals` are valid that are checked before logs are read."""
    check_choice("--missing", missing, ("raise", "drop", "zero"))
    check_level(confidence_level)
    if alternative:
        check_choice("alternative", alternative, CLAIMS)
    as_size("margin", margin)
    if gate is not None:
        check_gate(gate, margin)


def as_question(
    runs: EvalRuns, alternative: str, margin: float, gate: str | None, lower: bool
) -> Question:
    """Return the question of the options, or raise where they contradict each other.

    With a margin, the alternative is by default that the first model is not inferior.
    """
    lower = lower or runs.metadata["higher_is_better"] is False
    one_sided = "less" if lower else "greater"
    alternative = alternative or (one_sided if margin and gate != "worse" else "two-sided")
    if gate is not None:
        check_sides(alternative, gate, not lower)
    elif margin and len(runs.models) > 2:
        raise invalid_value(
            "--margin", "is for two models, or for --fail-if not-noninferior with more"
        )
    return Question(alternative, margin, gate, lower)


def test_logs(runs: EvalRuns, question: Question, correction: str) -> Any:
    """Return the test of two models, or of all pairs of three or more, or raise for one model."""
    if len(runs.models) < 2:
        raise InvalidValueError(
            f"at least two models are needed, the logs hold {runs.models[0]!r} alone.",
            parameter="models",
            value=runs.models,
        )
    strata = runs.tasks if len({*runs.tasks.tolist()}) > 1 else None  # one task is no stratum
    shared: dict[str, Any] = {"groups": runs.groups, "sample_weight": runs.weights}
    shared["strata"] = strata
    if len(runs.models) > 2:
        return fc.mean_pairwise_test(
            runs.by_model(),
            alternative=question.alternative,  # type: ignore[arg-type]
            correction=correction,
            **shared,
        )
    return fc.paired_mean_test(
        runs.by_model(),
        alternative=question.alternative,  # type: ignore[arg-type]
        margin=question.margin if has_direction(question.alternative) else 0.0,
        **shared,
    )


def leaderboard(
    logs: list[str],
    *,
    contents: InputOptions,
    choice: LogOptions,
    alpha: float = 0.05,
    lower_is_better: bool = False,
    delivery: OutputOptions,
    form: FileFormat,
) -> None:
    """Rank models by their mean scores on the same items, or by battles, with sets of ranks.

    Files are logs of evaluation harnesses, tables with one row per item, or battles. Prints each
    model's rank, mean score with its confidence interval, and the set of ranks that the data
    support, jointly at the level --alpha; of battles the strengths with their intervals.
    """
    check_items(contents)
    of_items = contents._replace(kind=contents.kind or "items")
    arguments = read_arguments(logs, of_items, choice, form, takes_items=contents.kind is None)
    data: Any = arguments.data  # runs of logs, or a table as it was read
    table = None if isinstance(data, EvalRuns) else data.data
    if table is None:
        result: Any = fc.leaderboard(data, alpha=alpha, higher_is_better=not lower_is_better)
    else:  # a table that is handed on unread has battles
        battles: Any = battle_columns(table)
        groups = None if contents.cluster is None else table[contents.cluster]
        result = fc.bradley_terry(*battles, groups=groups)
    deliver(result, delivery)


KINDS_OF_LEADERBOARDS = ("items", "datasets", "battles")
OPTIONS_OF_ROUNDS = ("n_train", "n_test", "design")


def check_items(contents: InputOptions) -> None:
    """Raise for options that describe rounds, or other rows that no leaderboard is of."""
    if contents.kind is not None and contents.kind != "folds":
        check_choice("--kind", contents.kind, KINDS_OF_LEADERBOARDS)
    options = [name for name in OPTIONS_OF_ROUNDS if getattr(contents, name) is not None]
    if contents.kind == "folds":
        options.insert(0, "kind")
    if options:
        raise invalid_value(
            f"--{options[0].replace('_', '-')}",
            "describes rounds, and a leaderboard is of independent items",
            end=": compare rounds by `fastcompare compare`.",
        )
