"""Sentences on several models: which is the best, which are worse, and which do not vary."""

import numpy as np
from numpy.typing import NDArray

from .._base.text import join_names
from .._base.types import Vector
from .._results.headlines import MOST_PRINTED

Flags = NDArray[np.bool_]
RANKS = {  # what the ranks of a leaderboard limit, by its alternative
    "two-sided": "",
    "greater": " Ranks are upper limits: how good a model is at least.",
    "less": " Ranks are lower limits: how good a model is at most.",
}
SAYS_BETTER = {"two-sided": False, "greater": True, "less": False}  # of the first, not of others


def best_models(names: tuple[str, ...], n_best: int, extreme: str, quantity: str) -> str:
    """Return the start of the sentence on the first `n_best` models, whose means are equal."""
    of_models = f"the {extreme} {quantity} of {len(names)} models"
    if n_best == 1:
        return f"{names[0]} has {of_models}"
    return f"{join_names([*names[:n_best]], MOST_PRINTED)} share {of_models}"


def comparisons_with_best(
    names: tuple[str, ...], n_best: int, worse: Flags, untested: Flags, alternative: str
) -> str:
    """Return the sentences on the other models: not different from the first, worse or untested.

    `worse` and `untested` (k,) flag them along `names`; the first `n_best` share the best mean.
    """
    is_other = np.arange(len(names)) > 0
    similar, n_similar = names_in_words(names, is_other & ~worse & ~untested)
    inferior, n_inferior = names_in_words(names, worse)
    doubtful, _ = names_in_words(names, untested)
    first = "it" if n_best == 1 else names[0]
    parts = []
    if similar:
        do = "does" if n_similar == 1 else "do"
        parts.append(f"{similar} {do} not differ significantly from {first}")
    if inferior and SAYS_BETTER[alternative]:
        subject = "It" if n_best == 1 and not parts else first
        parts.append(f"{subject} is significantly better than {inferior}")
    elif inferior:
        parts.append(f"{inferior} {'is' if n_inferior == 1 else 'are'} significantly worse")
    if doubtful:
        parts.append(
            f"{doubtful} could not be tested against {first}: the estimated variance of the "
            "difference is 0 or undefined"
        )
    return f"{'; '.join(parts)}.{RANKS[alternative]}"


def names_in_words(names: tuple[str, ...], chosen: Flags) -> tuple[str, int]:
    """Return the chosen names in words, "" if there are none, and their number."""
    selected = [name for name, is_chosen in zip(names, chosen, strict=True) if is_chosen]
    return join_names(selected, MOST_PRINTED) if selected else "", len(selected)


def unvaried_models(
    names: tuple[str, ...], limits: tuple[Vector, Vector] | None, errors: Vector
) -> str:
    """Return the sentence on models without limits, whose means have a standard error of 0, or ''.

    `errors` (k,) are the standard errors of their means.
    """
    if limits is None:
        return ""
    chosen, count = names_in_words(names, np.isnan(limits[0] + limits[1]) & np.isfinite(errors))
    if count == 1:
        return f" The mean of {chosen} has a standard error of 0, so it has no interval."
    return f" The means of {chosen} have standard errors of 0 and no intervals." if chosen else ""
