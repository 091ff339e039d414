"""The question that `recommend` answers: described by options, or by data as `compare` takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._inputs.arrays import as_column
from .._inputs.models import find_nan
from .._inputs.options import check_choice, check_flag
from .._inputs.roles.kinds import (
    check_agreement,
    check_any_rows,
    check_design,
    check_how_many,
    check_kind,
    check_no_data,
    check_same_rows,
)
from .._inputs.roles.question import option
from ..simulate.designs import normal_ranks
from ..simulate.null_designs import ScoredCases, scored_cases
from .data import Arguments, Data, roles_given
from .detect import read_data
from .kinds import CLAIMS, DESIGNS, KINDS
from .rule import Rule

UNCLUSTERED = ("independent", "censored", "uncensored")  # designs
CLUSTERED = "Design: 'clusters': {why}. The groups are those of {option}."
MISSING = "Some models have no score on some data sets: the design is {!r}."


class Description(NamedTuple):
    """The options of `recommend` that describe data; None where users leave one out."""

    kind: Any = None
    n_models: Any = None
    n: Any = None
    paired: Any = None
    design: Any = None
    claim: Any = None


@dataclass(frozen=True)
class Question:
    """The data and the claim for which tests are recommended.

    `recognized` are sentences on what was found in data, if these were passed; `cases` returns what
    is known of scored cases, if they were passed or described.
    """

    kind: str
    n_models: int
    n: int | None
    paired: bool
    design: str
    claim: str
    n_clusters: int | None = None
    recognized: tuple[str, ...] = ()
    cases: Callable[[], ScoredCases] | None = None

    def __str__(self) -> str:
        """Return the question on one line, as its kind, models, pairing, design and claim."""
        paired = "paired" if self.paired else "unpaired"
        return (
            f"kind={self.kind!r}, {self.n_models} models, {paired}, design={self.design!r}, "
            f"claim={self.claim!r}"
        )

    def suits(self, rule: Rule) -> bool:
        """Return whether a rule is for this question."""
        if self.kind not in rule.kinds or self.paired != rule.paired:
            return False
        if self.claim not in (rule.claims or (KINDS[self.kind].claim,)):
            return False
        if rule.designs and self.design not in rule.designs:
            return False
        fewest_rows, most_rows = rule.rows
        fewest_models, most_models = rule.models
        fits = rule.unknown if self.n is None else fewest_rows <= self.n <= most_rows
        return fits and fewest_models <= self.n_models <= most_models

    def decisions(self) -> tuple[str, ...]:
        """Return the sentences on claim, models, rows and design, as they were determined."""
        claim = f"The claim is about {CLAIMS[self.claim]}"
        supported = self.claim == KINDS[self.kind].claim
        doubt = "" if supported else ", which such data cannot support"
        comparisons = "one comparison"
        if self.n_models > 2:
            has_omnibus = self.kind != "battles"
            omnibus = "an omnibus test and pairwise comparisons"
            comparisons = omnibus if has_omnibus else "all pairs at once"
        models = f"{self.n_models} models: {comparisons}." if self.n_models > 1 else "One model."
        design = () if self.recognized else (f"Design: {self.design!r}.",)
        return (*self.recognized, f"{claim}{doubt}.", models, self._rows(), *design)

    def _rows(self) -> str:
        """Return the sentence that says how many rows there are, of what, and whether paired."""
        count = "" if self.n is None else f" {self.n}"
        clusters = "" if self.n_clusters is None else f" in {self.n_clusters} clusters"
        rows = f"{count} {KINDS[self.kind].rows}{clusters}"
        if self.n_models == 1:
            return f"It has{rows}."
        if self.kind == "battles":
            return f"They met in{rows}, two by two."
        same = "the same ones (paired)" if self.paired else "its own (not paired)"
        return f"Each model has{rows}, {same}."


def question_of(
    data: tuple[Any, Any, Any], described: Description, passed: Mapping[str, Any]
) -> Question:
    """Return the question of data if there are any, else of their description, or raise."""
    first, a, b = data
    if first is None:
        check_no_data(a=a, b=b, **passed)
        return question_described(described)
    named, options = roles_given({**passed, "design": described.design})
    models, positive = options.pop("models"), options.pop("pos_label")
    arguments = Arguments(
        data=first,
        a=a,
        b=b,
        models=models,
        kind=described.kind,
        named=named,
        passed=options,
        advice=True,
    )
    content = read_data(arguments, positive)
    content = content if described.design else with_clusters(content)
    return question_of_data(content, described)


def with_clusters(data: Data) -> Data:
    """Return the data with the clusters that a column shows, in place of independent rows."""
    if data.clusters is None or data.design not in UNCLUSTERED or "groups" in data.options:
        return data
    name, values, why = data.clusters
    decisions = (*data.decisions[:-1], CLUSTERED.format(why=why, option=option(groups=name)))
    return replace(
        data,
        design="clusters",
        options={**data.options, "groups": values},
        decisions=decisions,  # the last is on the usual design
        warnings=tuple(text for text in data.warnings if not text.startswith(why)),
    )


def question_described(described: Description) -> Question:
    """Return the question of data that are only described, or raise."""
    kind = check_kind(described.kind, tuple(KINDS))
    sizes = class_sizes(described.n) if kind == "scores" else None
    n = described.n if sizes is None else min(sizes)
    n_models = (
        2 if described.n_models is None else check_how_many("n_models", described.n_models, 1)
    )
    paired = True if described.paired is None else check_flag("paired", described.paired)
    return Question(
        kind=kind,
        n_models=n_models,
        n=None if n is None else check_how_many("n", n, 1),
        paired=paired or n_models == 1,  # rules for one model are those of paired rows
        design=check_design(described.design, kind, DESIGNS),
        claim=claim_of(described.claim, kind),
        cases=None if sizes is None else partial(ScoredCases, np.repeat([1, 0], sizes)),
    )


def class_sizes(n: object) -> tuple[int, int] | None:
    """Return the checked numbers of positives and negatives; None unless `n` is a pair."""
    if not isinstance(n, tuple | list) or len(n) != 2:
        return None
    positives, negatives = n
    return check_how_many("n", positives, 1), check_how_many("n", negatives, 1)


def claim_of(claim: object, kind: str) -> str:
    """Return the checked claim, by default that which data of a kind can support."""
    if claim is not None:
        check_choice("claim", claim, CLAIMS)
    return KINDS[kind].claim if claim is None else str(claim)


def question_of_data(data: Data, described: Description) -> Question:
    """Return the question of data, or raise where the description contradicts them."""
    if data.unpaired is not None:
        return question_unpaired(data, described)
    complete = complete_rows(data)
    clusters = data.options.get("groups")
    check_any_rows(complete.size)
    n_clusters = None
    if clusters is not None:
        n_clusters = np.unique(as_column("groups", clusters).values[complete]).size
    question = Question(
        kind=data.kind,
        n_models=len(data.columns),
        n=count_rows(data, complete),
        paired=True,
        design=data.design,
        claim=claim_of(described.claim, data.kind),
        n_clusters=n_clusters,
        recognized=(*data.decisions, *data.warnings),
        cases=scored_cases_of_data(data, complete),
    )
    if data.kind == "datasets" and described.design is None:
        question = with_missing(question, data)
    check_described(described, question)
    return question


def question_unpaired(data: Data, described: Description) -> Question:
    """Return the question of two models on different cases; see `question_of_data`."""
    assert data.unpaired is not None
    data_of_each = [
        replace(data, y_true=labels, columns={name: values}, unpaired=None)
        for name, (labels, values) in zip(data.columns, data.unpaired, strict=True)
    ]
    question = Question(
        kind=data.kind,
        n_models=2,
        n=min(count_rows(each, complete_rows(each)) for each in data_of_each),
        paired=False,
        design=data.design,
        claim=claim_of(described.claim, data.kind),
        recognized=data.decisions,
    )
    check_described(described, question)
    return question


def check_described(described: Description, question: Question) -> None:
    """Raise where the description contradicts the data."""
    row = KINDS[question.kind]
    sizes = class_sizes(described.n)
    check_agreement(
        "n_models", described.n_models, question.n_models, f"hold {question.n_models} models"
    )
    n = min(sizes) if sizes else described.n
    check_agreement("n", n, question.n, f"hold {question.n} {row.rows}")
    paired = question.paired if described.paired is None else check_flag("paired", described.paired)
    fact = f"are not paired: all models have {row.units} of their own"
    if question.paired:
        fact = f"are paired: all models have the same {row.units}"
    check_agreement("paired", paired, question.paired, fact)


def with_missing(question: Question, data: Data) -> Question:
    """Return the question of data sets, of an incomplete design if scores are missing.

    That is balanced if all data sets have as many models and all pairs of models as many data sets.
    """
    missing = missing_cells(list(data.columns.items()))
    if not missing.any():
        return question
    present = (~missing).astype(int)
    common_counts = (present.T @ present)[np.triu_indices(question.n_models, 1)]
    is_balanced = np.unique(present.sum(axis=1)).size == np.unique(common_counts).size == 1
    design = "balanced-incomplete" if is_balanced and question.n_models > 2 else "incomplete"
    decisions = (*data.decisions[:-1], MISSING.format(design))  # the last is on the usual design
    return replace(question, design=design, n=int(present.any(axis=1).sum()), recognized=decisions)


def missing_cells(columns: Sequence[tuple[str, Any]]) -> NDArray[np.bool_]:
    """Return which values (n, k) are missing; of repeated samples (n, s) if all of a row are."""
    flags = [find_nan(as_column(name, values)) for name, values in columns]
    check_same_rows({name: len(flag) for (name, _), flag in zip(columns, flags, strict=True)})
    rows = [flag.all(axis=tuple(range(1, flag.ndim))) if flag.ndim > 1 else flag for flag in flags]
    return np.column_stack(rows)


def complete_rows(data: Data) -> NDArray[np.bool_]:
    """Return which rows have no missing value, and a positive weight."""
    if data.n_rounds is not None:
        return np.ones(data.n_rounds, bool)
    if data.battles is not None:
        columns = list(zip(("model_a", "model_b", "outcome"), data.battles, strict=True))
    else:
        columns = list(data.columns.items())
    if data.y_true is not None:
        columns.append(("the true labels", data.y_true))
    if data.times is not None:
        columns += zip(("time", "event"), data.times, strict=True)
    complete = ~missing_cells([*columns, *data.options.items()]).any(axis=1)
    weights = data.options.get("sample_weight")
    if weights is not None:
        complete &= np.asarray(weights, dtype=float) > 0.0
    return np.asarray(complete)


def scored_cases_of_data(
    data: Data, complete: NDArray[np.bool_]
) -> Callable[[], ScoredCases] | None:
    """Return a function that makes `ScoredCases` of data; None if these are not scored cases."""
    if data.kind != "scores" or data.design not in ("independent", "clusters", "weights"):
        return None
    classes, labels = np.unique(np.asarray(data.y_true)[complete], return_inverse=True)
    if classes.size != 2:
        return None

    def make_cases() -> ScoredCases:
        """Return the complete cases, with each model's scores as normal ranks."""
        columns = [np.asarray(column, dtype=float)[complete] for column in data.columns.values()]
        groups = data.options.get("groups")
        if groups is not None:
            _, cluster_numbers = np.unique(np.asarray(groups)[complete], return_inverse=True)
            groups = cluster_numbers.ravel()
        return scored_cases(labels.ravel(), normal_ranks(np.column_stack(columns)), groups)

    return make_cases


def count_rows(data: Data, complete: NDArray[np.bool_]) -> int:
    """Return the number of complete rows; of scores the number of cases of the rarer class."""
    if data.kind != "scores":
        return int(np.count_nonzero(complete))
    labels = as_column("data", data.y_true).values.ravel()[complete]
    _, counts = np.unique(labels, return_counts=True)
    return int(counts.min()) if counts.size > 1 else 0
