"""Labels and scores of the same cases, with their weights or clusters, checked together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .._adapters.frames import index_of
from .._base.exceptions import DroppedCasesWarning, InvalidValueError, warn
from .._base.types import Vector, WeightKind
from .labels import are_positive, as_label_column
from .options import check_choice
from .scores import as_scores, as_table, least_scores, models_of
from .weights import as_extras


@dataclass(frozen=True, slots=True)
class Cases:
    """Labels (n,) of 0 and 1, k vectors of n scores, the names of the models, cases left out.

    Weights (n,) are above 0: a case of weight 0 does not count. Groups (n,) number the clusters
    from 0.
    """

    labels: NDArray[np.uint8]
    scores: Sequence[Vector]
    names: tuple[str, ...]
    n_dropped: int = 0
    weights: Vector | None = None
    weight_kind: WeightKind | None = None
    groups: NDArray[np.int64] | None = None

    @property
    def pair(self) -> tuple[str, str]:
        """The names of the models, which are two."""
        first, second = self.names
        return first, second


def as_cases(
    y_true: object,
    pos_label: object = None,
    nan_policy: str = "raise",
    groups: object = None,
    sample_weight: object = None,
    frequency_weight: object = None,
    *,
    table: object = None,
    **scores: object,
) -> Cases:
    """Return the checked labels and scores of the same cases, with weights or clusters if given.

    The scores come as keywords, one model each under the name of the parameter, or all in `table`,
    which errors call `scores`.
    """
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    labels, unlabelled = as_label_column("y_true", y_true)
    if labels.size == 0:
        raise InvalidValueError("`y_true` must hold at least one case, got 0 samples.")
    if not scores:
        vectors, names = as_table("scores", table, labels.size)
        titles = names
        scores = dict(table) if isinstance(table, Mapping) else {"scores": table}
    else:
        scores, names = models_of(scores)
        vectors, titles = [as_scores(name, s) for name, s in scores.items()], tuple(scores)
    check_lengths(labels.size, vectors, titles)
    extras = as_extras(labels.size, sample_weight, frequency_weight, groups)
    besides = {"sample_weight": sample_weight, "frequency_weight": frequency_weight}
    check_indexes([("y_true", y_true), *scores.items(), *besides.items(), ("groups", groups)])

    dropped = 0
    flagged = [("y_true", unlabelled), ("groups", extras.ungrouped)]
    missing = find_missing(flagged, vectors, titles, nan_policy)
    if missing is not None:
        kept, dropped = ~missing, leave_out(missing)
        labels, vectors = labels[kept], [vector[kept] for vector in vectors]
        extras = extras.only(kept)
    positive = are_positive("y_true", labels, pos_label)
    weights, kind, *_ = extras
    return counted(Cases(positive, vectors, names, dropped, weights, kind, extras.clusters()))


def leave_out(
    missing: NDArray[np.bool_], what: str = "cases", values: str = "a label, a score or a cluster"
) -> int:
    """Warn of the cases that are left out, and return how many they are; raise for all."""
    dropped = int(np.count_nonzero(missing))
    if dropped == missing.size:
        raise InvalidValueError(f"every {what[:-1]} has a missing value: 0 samples are left.")
    warn(
        f"{dropped} of {missing.size} {what} left out: they miss {values}.",
        DroppedCasesWarning,
    )
    return dropped


def counted(cases: Cases) -> Cases:
    """Return the cases without those of weight 0."""
    if cases.weights is None or cases.weights.all():
        return cases
    kept = cases.weights > 0.0
    scores = [vector[kept] for vector in cases.scores]
    return replace(cases, labels=cases.labels[kept], scores=scores, weights=cases.weights[kept])


def check_lengths(n: int, vectors: Sequence[Vector], names: tuple[str, ...]) -> None:
    """Raise unless every vector has as many scores as there are labels."""
    for vector, name in zip(vectors, names, strict=True):
        if vector.size != n:
            raise InvalidValueError(
                f"`{name}` must have one score for each of the {n} labels in `y_true`, "
                f"got {vector.size}."
            )


def check_indexes(named: Sequence[tuple[str, object]]) -> None:
    """Raise if two pandas objects have different indexes: we neither align nor ignore them."""
    named = [(name, value) for name, value in named if type(value) is not np.ndarray]
    indexed = [(name, index_of(value)) for name, value in named if value is not None]
    indexed = [(name, index) for name, index in indexed if index is not None]
    for name, index in indexed[1:]:
        if not index.equals(indexed[0][1]):
            raise InvalidValueError(
                f"`{name}` and `{indexed[0][0]}` have different indexes. Align them first, or "
                "pass .to_numpy() of both if their rows are in the same order."
            )


def find_missing(
    flagged: Sequence[tuple[str, NDArray[np.bool_] | None]],
    vectors: Sequence[Vector],
    names: tuple[str, ...],
    nan_policy: str,
) -> NDArray[np.bool_] | None:
    """Return which cases miss anything; None if none does; raise where that is asked.

    Labels and clusters come with flags (None: none is missing); scores have NaN.
    """
    found = [(name, flags) for name, flags in flagged if flags is not None]
    for j, lowest in enumerate(least_scores(vectors)):  # no array of flags for clean scores
        if lowest != lowest:
            found.append((names[j], np.isnan(vectors[j])))
    if found and nan_policy == "raise":
        refuse_missing(*found[0])
    return np.logical_or.reduce([flags for _, flags in found]) if found else None


def refuse_missing(name: str, missing: NDArray[np.bool_]) -> None:
    """Raise, saying how many values are missing and where the first one is."""
    where = np.flatnonzero(missing)
    raise InvalidValueError(
        f"`{name}` has {where.size} missing values (NaN), the first at index {where[0]}. "
        "Drop these cases, or pass nan_policy='omit'."
    )


def check_several(cases: Cases) -> None:
    """Raise unless there are two models to compare."""
    if len(cases.scores) < 2:
        raise InvalidValueError("`scores` must hold at least two models, got one.")


def refuse_extras(cases: Cases, method: str, others: str) -> None:
    """Raise if the cases have weights or clusters, which `method` does not support."""
    if cases.weights is not None or cases.groups is not None:
        raise InvalidValueError(
            f"`method={method!r}` supports neither weights nor `groups`: choose {others}."
        )
