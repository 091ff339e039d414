"""What is handed to `compare`, and the checks of what goes with a kind of data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .._inputs.advice import check_design
from .._inputs.kinds import refuse_groups, refuse_options
from .held import Held
from .rule import DESIGNS

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
TAKEN = "Their design is taken for {!r}, since none is told."


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
