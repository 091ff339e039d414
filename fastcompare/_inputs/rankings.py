"""Results of comparisons, as pictures take them: average ranks, cliques, p-values of pairs."""

from typing import Any, NamedTuple

import numpy as np

from .._base.exceptions import InvalidTypeError, InvalidValueError
from .._base.text import correction_title
from .._base.types import Matrix, Vector


class RankedModels(NamedTuple):
    """Names, average ranks, cliques by the indices to draw, CD and control where known, a caption.

    With a control, the only clique is of the models that do not differ significantly from it.
    """

    names: tuple[str, ...]
    ranks: Vector
    cliques: list[tuple[int, ...]]
    critical_difference: float | None
    control: str | None
    caption: str


def as_ranking(result: Any) -> RankedModels:
    """Return the average ranks and cliques of a result, or raise."""
    require(result, ("names", "average_ranks", "cliques"))
    names = tuple(result.names)
    control = getattr(result, "control", None)
    if control is None:
        check_tested(getattr(result, "adjusted_pvalue", np.ones(1)))
    groups: Any = result.cliques if control is None else [near_control(result, control)]
    cliques = [tuple(names.index(as_member(model, names)) for model in group) for group in groups]
    cd = getattr(result, "critical_difference", None)
    known = None if cd is None or np.isnan(cd) else float(cd)
    ranks = np.asarray(result.average_ranks, np.float64)
    k = len(names)
    if ranks.shape != (k,) or k < 2 or not ((ranks >= 1) & (ranks <= k)).all():
        raise InvalidValueError(
            f"`result` must have an average rank between 1 and {k} of each of at least two models, "
            f"got {ranks} of {k}. Pass the result of a test that ranks within data sets."
        )
    return RankedModels(names, ranks, cliques, known, control, caption_of(result))


def caption_of(result: Any) -> str:
    """Return the title of a test, its correction, level and data sets, as far as it knows them."""
    words = [getattr(result, "title", "")]
    if getattr(result, "correction", "none") != "none":
        words.append(f"{correction_title(result.correction)} correction")
    if hasattr(result, "alpha"):
        words.append(f"\u03b1 = {result.alpha:g}")
    if hasattr(result, "average_ranks") and isinstance(getattr(result, "n", None), int):
        words.append(f"average ranks of {result.n} data sets")
    return ", ".join(filter(None, words))


def as_member(model: object, names: tuple[str, ...]) -> str:
    """Return the name of a member of a clique, or raise if no model has it."""
    if model not in names:
        raise InvalidValueError(f"`result.cliques` must hold names of its models, got {model!r}.")
    return str(model)


def near_control(result: Any, control: str) -> tuple[str, ...]:
    """Return the control and the models that do not differ significantly from it."""
    tested = zip(result.pairs, result.adjusted_pvalue, strict=True)
    near = {name for pair, p in tested if not p <= result.alpha for name in pair}
    return (control, *sorted(near - {control}))


def check_tested(pvalues: Vector | Matrix) -> None:
    """Raise if a pair has no p-value: neither letters nor bars could say so."""
    missing = np.count_nonzero(np.isnan(pvalues))
    if missing:
        raise InvalidValueError(
            f"`result` must have p-values for all pairs of models, got {missing} NaN in "
            "`adjusted_pvalue`: they are undefined, or only pairs with a control were tested."
        )


def check_axes(ax: Any) -> None:
    """Raise unless it is None or the axes of a figure: an array of them, or a figure, is not."""
    if ax is not None and not (hasattr(ax, "plot") and hasattr(ax, "figure")):
        raise InvalidTypeError(
            f"`ax` must be the axes of a figure of matplotlib, or None, got {type(ax).__name__}. "
            "Of plt.subplots(1, 2)[1], pass one element."
        )


def require(result: Any, wanted: tuple[str, ...]) -> None:
    """Raise unless a result has these fields."""
    missing = [name for name in wanted if not hasattr(result, name)]
    if missing:
        raise InvalidTypeError(
            f"`result` must have {', '.join(wanted)}, got {type(result).__name__} without "
            f"{', '.join(missing)}. Pass the result of nemenyi_test or of another test of all "
            "pairs of models on many data sets."
        )


class ComparedModels(NamedTuple):
    """Names, adjusted p-values (k, k), a number (k,), the smaller the better, and a caption."""

    names: tuple[str, ...]
    pvalues: Matrix
    standing: Vector
    caption: str


def as_pvalue_matrix(result: Any) -> ComparedModels:
    """Return the adjusted p-values (k, k) of a result of a test of all pairs, or raise."""
    require(result, ("names", "adjusted_pvalue", "matrix"))
    names = tuple(result.names)
    pvalues = np.asarray(result.matrix("adjusted_pvalue"), np.float64)
    caption = caption_of(result)
    if hasattr(result, "_standing"):
        return ComparedModels(names, pvalues, np.asarray(result._standing(), np.float64), caption)
    ranks = getattr(result, "average_ranks", np.arange(len(names)))  # of somebody else's result
    return ComparedModels(names, pvalues, np.asarray(ranks, np.float64), caption)


def check_letters(count: int, most: int) -> None:
    """Raise if groups need more letters than there are."""
    if count > most:
        raise InvalidValueError(
            f"`result` needs {count} letters, more than the {most} that there are. Read its "
            "`matrix('adjusted_pvalue')` instead."
        )


class Board(NamedTuple):
    """Names, means, the lowest and highest ranks, and letters of models, the best one first."""

    names: tuple[str, ...]
    means: Vector
    ranks: tuple[list[int], list[int]]
    letters: tuple[str, ...]


def as_board(result: Any) -> Board:
    """Return the names, means and ranks of a leaderboard, or raise."""
    wanted = ("names", "means", "rank_low", "rank_high", "letters", "confidence_interval")
    missing = [name for name in wanted if not hasattr(result, name)]
    if missing:
        raise InvalidTypeError(
            f"`result` must have {', '.join(wanted)}, got {type(result).__name__} without "
            f"{', '.join(missing)}. Pass the result of leaderboard."
        )
    ranks = result.rank_low.tolist(), result.rank_high.tolist()
    return Board(tuple(result.names), result.means, ranks, tuple(result.letters))
