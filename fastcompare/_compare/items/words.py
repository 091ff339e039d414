"""How results of mean scores say in a sentence what they are about."""

import math

from ..._base.text import counted
from ..._base.types import Vector
from ..._inference.clusters import tells_correlations
from ..._inference.status import STATUSES
from ..._inputs.items import ItemLinks


def design_word(links: ItemLinks, lags: int | None = None) -> str:
    """Return the word for how items depend on each other."""
    if lags is not None:
        return "time order"
    if links.others is not None:
        return "two-way clusters"
    strata = "" if links.strata is None else "strata"
    if links.groups is None:
        return strata or "independent"
    return "clusters in strata" if strata else "clusters"


def items_counted(
    n: int,
    n_clusters: int,
    n_strata: int,
    samples: Vector | None,
    weighted: bool,
    n_dropped: int,
    unit: str = "item",
) -> str:
    """Return how many items, samples, clusters and strata there are, and how many items missed."""
    text = counted(n, f"weighted {unit}" if weighted else unit)
    if samples is not None:
        counts = " and ".join(f"{count:g}" for count in sorted(set(samples.tolist())))
        text += f" with {counts} samples"
    if n_clusters < n:
        text += f" in {counted(n_clusters, 'cluster')}"
    if n_strata > 1:
        text += f" in {n_strata} strata" if n_clusters == n else f" of {n_strata} strata"
    return text + (f", {n_dropped} left out" if n_dropped else "")


def caution(status: str, df: float) -> str:
    """Return a sentence on what is rough or undefined, to follow a result's own."""
    if status != "few_clusters":
        known = STATUSES[status]
        return "" if known.category is None else f" Caution: {known.meaning}."
    there = degrees_counted(df, ".3g")
    verb = "is" if there.startswith("1 ") else "are"
    return f" There {verb} only {there}, so the interval is wide."


def caution_of_all(df: float, k: int) -> str:
    """Return a sentence where max-t claims on all pairs of k models err more often than meant."""
    if math.isnan(df) or tells_correlations(df, k):
        return ""
    return (
        f" With only {degrees_counted(df, '.3g')} for {k} models max-t makes false claims more "
        "often than meant; correction='holm' holds the level."
    )


def degrees_counted(df: float, form: str = ".4g") -> str:
    """Return how many degrees of freedom there are."""
    return f"{df:{form}} {'degree' if f'{df:{form}}' == '1' else 'degrees'} of freedom"
