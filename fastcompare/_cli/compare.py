"""The command that compares models by whatever files hold."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import fastcompare as fc

from .._base.exceptions import InvalidValueError
from .._inputs.options import check_level
from .._report.comparison import Shown
from .._results.records import changed, has_interval, with_level
from .columns import check_pairs
from .delivery import Contents, Delivery, FileForm, LogChoice, Query, deliver
from .reading import arguments_in, count_models
from .terminal import in_words, note

if TYPE_CHECKING:
    from ..results import Comparison

LEVEL = Query().confidence_level


def compare(
    files: list[str] | None = None,
    *,
    contents: Contents,
    logs: LogChoice,
    query: Query,
    trust: bool = False,
    difference: float | None = None,
    seed: int = 0,
    delivery: Delivery,
    form: FileForm,
    nan_policy: str = "raise",
    n_jobs: int = 1,
) -> None:
    """Compare models, choosing the tests from the data, and say why.

    A file with a column of true labels has one row per case; otherwise its rows are folds, data
    sets or items, as a column name or --kind says. Logs of evaluation harnesses are read as by
    `fastcompare evals`. Prints the verdict, how the tests were chosen, the models from best to
    worst, the omnibus test and the pairwise comparisons.
    """
    options = {"nan_policy": nan_policy, "n_jobs": n_jobs}
    comparison = compared(files, contents, logs, query, form, options)
    if trust or difference is not None:
        trusted = comparison.trust(difference=difference, rng=seed, n_jobs=n_jobs)
        deliver(Trusted(comparison, trust=trusted), delivery)
    else:
        deliver(comparison, delivery)


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
    check_gate(query)
    arguments = arguments_in(files, contents, logs, form)
    check_pairs(count_models(arguments), query.max_pairs, "Choose models by `--model`")
    result = fc.compare(
        arguments.data, arguments.models, **arguments.options, **query.options, **options
    )
    decisions = (arguments.why, *result.decisions[1:]) if arguments.why else result.decisions
    reasons, checks = (tuple(map(in_words, some)) for some in (result.reasons, result.checks))
    known = {"decisions": decisions, "reasons": reasons, "checks": checks}
    comparison: Comparison = changed(result, known)
    if query.confidence_level == LEVEL:
        return comparison
    if not has_interval(comparison):  # the data decide: pairs are compared where models differ
        note("--confidence-level changes nothing: this result has no interval.")
        return comparison
    at_level: Comparison = with_level(comparison, query.confidence_level)
    return at_level


def check_gate(query: Query) -> None:
    """Raise for options that contradict each other, and say that the older one is not needed."""
    if not query.every_pair:
        return
    if query.gate:
        raise InvalidValueError("`--every-pair` contradicts `--gate`.")
    note("--every-pair is what happens without it, and ends in 0.4; --gate is the contrary.")


@dataclass(frozen=True)
class Trusted(Shown):
    """A comparison, and what it can be trusted with."""

    trust: Any = None

    def sheets(self) -> list[Any]:
        """Return the sheets of both."""
        from .._report.families import sheets_of

        return [*sheets_of(self.record), *sheets_of(self.trust)]

    def summary(self) -> str:
        """Return the sentences of both."""
        return f"{self.record.summary()} {self.trust.summary()}"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of both."""
        return {**self.record.to_dict(), "trust": self.trust.to_dict()}

    def __str__(self) -> str:
        return f"{self.record}\n\n{self.trust}"
