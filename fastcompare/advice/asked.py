"""The question that `recommend` answers: told in words, or found in data as `compare` finds it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._inputs.advice import (
    check_agreement,
    check_design,
    check_how_many,
    check_kind,
    check_no_data,
    check_same_rows,
)
from .._inputs.arrays import as_column
from .._inputs.models import find_nan
from .._inputs.options import check_choice, check_flag
from .detect import as_held
from .drawn import ScoredCases, scored_cases
from .handed import Handed
from .held import Held
from .own_worlds import normal_ranks
from .rule import CLAIMS, DESIGNS, KINDS, ROWS, Rule

CLAIMED = {
    "these models": "these fitted models on other cases of the same kind",
    "this way of training": "ways of training on data like these",
    "on new data sets": "models on new data sets",
}
MISSING = "Some models lack a score on some data sets: their design is {!r}."


class Told(NamedTuple):
    """What users say of their data; None where they leave it out."""

    kind: Any = None
    n_models: Any = None
    n: Any = None
    paired: Any = None
    design: Any = None
    claim: Any = None


@dataclass(frozen=True)
class Question:
    """What is held, and what shall be said; `seen` is what the data themselves told."""

    kind: str
    n_models: int
    n: int | None
    paired: bool
    design: str
    claim: str
    n_clusters: int | None = None
    seen: tuple[str, ...] = ()
    cases: Callable[[], ScoredCases] | None = None  # what is known of scored cases

    def __str__(self) -> str:
        told = "paired" if self.paired else "unpaired"
        return (
            f"kind={self.kind!r}, {self.n_models} models, {told}, design={self.design!r}, "
            f"claim={self.claim!r}"
        )

    def suits(self, rule: Rule) -> bool:
        """Return whether a rule is for this question."""
        if self.kind not in rule.kinds or self.paired != rule.paired:
            return False
        if self.claim not in (rule.claims or (KINDS[self.kind],)):
            return False
        if rule.designs and self.design not in rule.designs:
            return False
        fits = rule.unknown if self.n is None else rule.rows[0] <= self.n <= rule.rows[1]
        return fits and rule.models[0] <= self.n_models <= rule.models[1]

    def decisions(self) -> tuple[str, ...]:
        """Return the sentences on what was decided, and by what."""
        claim = f"The claim is about {CLAIMED[self.claim]}"
        carried = "" if self.claim == KINDS[self.kind] else ", which such data cannot carry"
        several = "all together, and their pairs" if self.n_models > 2 else "one comparison"
        if self.kind == "battles":
            several = "all pairs at once" if self.n_models > 2 else several
        models = f"{self.n_models} models: {several}." if self.n_models > 1 else "One model."
        design = () if self.seen else (f"Their design is {self.design!r}.",)
        return (*self.seen, f"{claim}{carried}.", models, self._rows(), *design)

    def _rows(self) -> str:
        known = "" if self.n is None else f" {self.n}"
        clusters = "" if self.n_clusters is None else f" in {self.n_clusters} clusters"
        rows = f"{known} {ROWS[self.kind]}{clusters}"
        if self.n_models == 1:
            return f"It has{rows}."
        if self.kind == "battles":
            return f"They met in{rows}, two by two."
        same = "the same: paired" if self.paired else "its own: not paired"
        return f"Each model has{rows}, {same}."


def question_asked(data: tuple[Any, Any, Any], told: Told, given: Mapping[str, Any]) -> Question:
    """Return the question that words ask, or data if there are any, or raise."""
    first, a, b = data
    if first is None:
        check_no_data(a=a, b=b, **given)
        return question_told(told)
    options = {**given, "design": told.design}
    handed = Handed(data=first, a=a, b=b, kind=told.kind, given=options, asks=True)
    return question_of_data(as_held(handed), told)


def question_told(told: Told) -> Question:
    """Return the checked question that words ask, or raise."""
    kind = check_kind(told.kind, tuple(KINDS))
    sizes = class_sizes(told.n) if kind == "scores" else None
    n = told.n if sizes is None else min(sizes)
    n_models = 2 if told.n_models is None else check_how_many("n_models", told.n_models, 1)
    paired = True if told.paired is None else check_flag("paired", told.paired)
    return Question(
        kind,
        n_models,
        None if n is None else check_how_many("n", n, 1),
        paired or n_models == 1,  # one model has nothing to be paired with
        check_design(told.design, kind, DESIGNS),
        claim_told(told.claim, kind),
        cases=None if sizes is None else partial(ScoredCases, np.repeat([1, 0], sizes)),
    )


def class_sizes(n: object) -> tuple[int, int] | None:
    """Return the checked numbers of positives and negatives, if `n` is a pair."""
    if not isinstance(n, tuple | list) or len(n) != 2:
        return None
    return check_how_many("n", n[0], 1), check_how_many("n", n[1], 1)


def claim_told(claim: object, kind: str) -> str:
    """Return the checked claim, by default what data of a kind can carry."""
    if claim is not None:
        check_choice("claim", claim, CLAIMS)
    return KINDS[kind] if claim is None else str(claim)


def question_of_data(held: Held, told: Told) -> Question:
    """Return the question that data ask, or raise where words contradict them."""
    kept, clusters = kept_rows(held), held.options.get("groups")
    found = Question(
        held.kind,
        len(held.columns),
        how_many(held, kept),
        True,
        held.design,
        claim_told(told.claim, held.kind),
        None if clusters is None else np.unique(as_column("groups", clusters).values[kept]).size,
        held.decisions,
        known_cases(held, kept),
    )
    if held.kind == "datasets" and told.design is None:
        found = with_missing(found, held)
    paired = True if told.paired is None else check_flag("paired", told.paired)
    same = f"are paired: all models have the same {WHAT[held.kind]}"
    check_agreement("n_models", told.n_models, found.n_models, f"hold {found.n_models} models")
    sizes = class_sizes(told.n)
    check_agreement(
        "n", min(sizes) if sizes else told.n, found.n, f"hold {found.n} {ROWS[held.kind]}"
    )
    check_agreement("paired", paired, True, same)
    return found


WHAT = ROWS | {"scores": "cases"}


def with_missing(found: Question, held: Held) -> Question:
    """Return the question of data sets, whose design is another one where scores are missing."""
    missing = missing_cells(list(held.columns.items()))
    if not missing.any():
        return found
    present = (~missing).astype(int)
    together = (present.T @ present)[np.triu_indices(found.n_models, 1)]
    alike = np.unique(present.sum(axis=1)).size == np.unique(together).size == 1
    design = "balanced-incomplete" if alike and found.n_models > 2 else "incomplete"
    seen = (*held.decisions[:-1], MISSING.format(design))
    return replace(found, design=design, n=int(present.any(axis=1).sum()), seen=seen)


def missing_cells(columns: Sequence[tuple[str, Any]]) -> NDArray[np.bool_]:
    """Return which values (n, k) are missing; several of a row only if they all are."""
    flags = [find_nan(as_column(name, values)) for name, values in columns]
    check_same_rows({name: len(one) for (name, _), one in zip(columns, flags, strict=True)})
    return np.column_stack([one.reshape(len(one), -1).all(axis=1) for one in flags])


def kept_rows(held: Held) -> NDArray[np.bool_]:
    """Return which rows miss nothing and weigh something."""
    if held.n_rounds is not None:
        return np.ones(held.n_rounds, bool)
    if held.battles is not None:
        columns = list(zip(("model_a", "model_b", "outcome"), held.battles, strict=True))
    else:
        columns = list(held.columns.items())
    columns += [("the true labels", held.y_true)] * (held.y_true is not None)
    kept = ~missing_cells([*columns, *held.options.items()]).any(axis=1)
    weights = held.options.get("sample_weight")
    if weights is not None:
        kept &= np.asarray(weights, dtype=float) > 0.0
    return np.asarray(kept)


def known_cases(held: Held, kept: NDArray[np.bool_]) -> Callable[[], ScoredCases] | None:
    """Return a function for `ScoredCases` like those of data; None where these are others."""
    if held.kind != "scores" or held.design not in ("independent", "clusters", "weights"):
        return None
    values, labels = np.unique(np.asarray(held.y_true)[kept], return_inverse=True)
    if values.size != 2:
        return None

    def known() -> ScoredCases:
        columns = [np.asarray(column, dtype=float)[kept] for column in held.columns.values()]
        groups = held.options.get("groups")
        if groups is not None:
            groups = np.unique(np.asarray(groups)[kept], return_inverse=True)[1].ravel()
        return scored_cases(labels.ravel(), normal_ranks(np.column_stack(columns)), groups)

    return known


def how_many(held: Held, kept: NDArray[np.bool_]) -> int:
    """Return the number of rows by which rules count: of scores the cases of the rarer class."""
    if held.kind != "scores":
        return int(np.count_nonzero(kept))
    labels = as_column("data", held.y_true).values.ravel()[kept]
    counts = np.unique(labels, return_counts=True)[1]
    return int(counts.min()) if counts.size > 1 else 0
