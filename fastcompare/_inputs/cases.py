"""Labels and scores of the same cases, checked together."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._adapters.frames import index_of
from .._exceptions import DroppedCasesWarning, InvalidValueError
from .labels import are_positive, as_label_column
from .options import check_choice
from .scores import Vector, as_scores, as_table


@dataclass(frozen=True, slots=True)
class Cases:
    """Labels (n,) of 0 and 1, k vectors of n scores, the names of the models, cases left out."""

    labels: NDArray[np.uint8]
    scores: Sequence[Vector]
    names: tuple[str, ...]
    n_dropped: int = 0


def as_cases(
    y_true: object,
    *,
    pos_label: object = None,
    nan_policy: str = "raise",
    table: object = None,
    **scores: object,
) -> Cases:
    """Return the checked labels and scores of the same cases.

    The scores come as keywords, one model each under the name of the parameter, or all in `table`,
    which errors call `scores`.
    """
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    labels, unlabelled = as_label_column("y_true", y_true)
    if labels.size == 0:
        raise InvalidValueError("`y_true` must hold at least one case, got 0 samples.")
    if not scores:
        vectors, names = as_table("scores", table, labels.size)
        scores = dict(table) if isinstance(table, Mapping) else {"scores": table}
    else:
        vectors, names = [as_scores(name, s) for name, s in scores.items()], tuple(scores)
    check_lengths(labels.size, vectors, names)
    check_indexes([("y_true", y_true), *scores.items()])

    missing = find_missing(unlabelled, vectors, names, nan_policy)
    if missing is None:
        return Cases(are_positive("y_true", labels, pos_label), vectors, names)
    kept = ~missing
    dropped = int(np.count_nonzero(missing))
    if dropped == labels.size:
        raise InvalidValueError("every case has a missing value: 0 samples are left.")
    warnings.warn(
        f"{dropped} of {labels.size} cases left out: they miss a label or a score.",
        DroppedCasesWarning,
        3,
    )
    vectors = [vector[kept] for vector in vectors]
    return Cases(are_positive("y_true", labels[kept], pos_label), vectors, names, dropped)


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
    indexed = [(name, index_of(value)) for name, value in named]
    indexed = [(name, index) for name, index in indexed if index is not None]
    for name, index in indexed[1:]:
        if not index.equals(indexed[0][1]):
            raise InvalidValueError(
                f"`{name}` and `{indexed[0][0]}` have different indexes. Align them first, or "
                "pass .to_numpy() of both if their rows are in the same order."
            )


def find_missing(
    unlabelled: NDArray[np.bool_] | None,
    vectors: Sequence[Vector],
    names: tuple[str, ...],
    nan_policy: str,
) -> NDArray[np.bool_] | None:
    """Return which cases miss a label or a score; None if none does; raise where that is asked."""
    missing = unlabelled
    if unlabelled is not None and nan_policy == "raise":
        refuse_missing("y_true", unlabelled)
    for vector, name in zip(vectors, names, strict=True):
        lowest = np.minimum.reduce(vector)  # NaN spreads: no array of flags for clean scores
        if lowest != lowest:
            nan = np.isnan(vector)
            if nan_policy == "raise":
                refuse_missing(name, nan)
            missing = nan if missing is None else missing | nan
    return missing


def refuse_missing(name: str, missing: NDArray[np.bool_]) -> None:
    """Raise, saying how many values are missing and where the first one is."""
    where = np.flatnonzero(missing)
    raise InvalidValueError(
        f"`{name}` has {where.size} missing values (NaN), the first at index {where[0]}. "
        "Drop these cases, or pass nan_policy='omit'."
    )
