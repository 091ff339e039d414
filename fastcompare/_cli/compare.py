"""The command that compares models by whatever files hold."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import fastcompare as fc

from .._base.exceptions import InvalidValueError
from .._inputs.options import check_level
from .._results.restated import has_interval, restated
from .contents import count_models, found_in
from .delivery import check_delivery, deliver
from .groups import (
    CONTENTS,
    DELIVERY,
    FORM,
    LOGS,
    WISHES,
    Contents,
    Delivery,
    FileForm,
    LogChoice,
    Wishes,
)
from .kind_options import (
    AnyFiles,
    Seed,
    Trust,
    TrustDifference,
)
from .model_counts import check_pairs
from .options import (
    Jobs,
    NanPolicy,
)
from .words import in_words, note

LEVEL = Wishes().confidence_level

if TYPE_CHECKING:
    from ..results import Comparison


def compare(
    files: AnyFiles = None,
    contents: Contents = CONTENTS,
    logs: LogChoice = LOGS,
    wishes: Wishes = WISHES,
    trust: Trust = False,
    difference: TrustDifference = None,
    seed: Seed = 0,
    delivery: Delivery = DELIVERY,
    form: FileForm = FORM,
    nan_policy: NanPolicy = "raise",
    n_jobs: Jobs = 1,
) -> None:
    """Compare models by what a file holds: tell what it is, run the right tests, say why.

    Cases have a column of true labels; rows without one are rounds, data sets or items, which the
    name of a column or --kind says. Logs of evaluations are read as by `fastcompare evals`. Prints
    how the tests were chosen, the models from the best down, the test of all of them, the pairs,
    and a sentence.
    """
    check_delivery(delivery)
    options = {"nan_policy": nan_policy, "n_jobs": n_jobs}
    found = compared(files, contents, logs, wishes, form, options)
    if trust or difference is not None:
        trusted = found.trust(difference=difference, rng=seed, n_jobs=n_jobs)
        deliver(Trusted(found, trusted), delivery)
    else:
        deliver(found, delivery)


def compared(
    files: list[str] | None,
    contents: Contents,
    logs: LogChoice,
    wishes: Wishes,
    form: FileForm,
    options: dict[str, Any],
) -> "Comparison":
    """Return the comparison of the models in files, which says what told the kind of data."""
    check_level(wishes.confidence_level)
    check_gate(wishes)
    held = found_in(files, contents, logs, form)
    check_pairs(count_models(held), wishes.max_pairs, "Choose models by `--model`")
    result = fc.compare(held.data, held.models, **held.options, **wishes.options, **options)
    decisions = (held.why, *result.decisions[1:]) if held.why else result.decisions
    told = replace(result, decisions=decisions, reasons=tuple(map(in_words, result.reasons)))
    if wishes.confidence_level == LEVEL:
        return told
    if not has_interval(told):  # which the data decide: pairs are looked at where models differ
        note("--confidence-level changes nothing: this result has no interval.")
        return told
    at_level: Comparison = restated(told, wishes.confidence_level)
    return at_level


def check_gate(wishes: Wishes) -> None:
    """Raise for options that contradict each other, and say that the older one is not needed."""
    if not wishes.every_pair:
        return
    if wishes.gate:
        raise InvalidValueError("`--every-pair` contradicts `--gate`.")
    note("--every-pair is what happens without it, and ends in 0.4; --gate is the contrary.")


@dataclass(frozen=True)
class Trusted:
    """A comparison, and what it can be trusted with."""

    record: "Comparison"
    trust: Any

    @property
    def title(self) -> str:
        """The title of the comparison."""
        return self.record.title

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the models."""
        return self.record.names

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
