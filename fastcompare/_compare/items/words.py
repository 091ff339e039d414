"""How results of mean scores say in a sentence what they are about."""

from ..._base.types import Vector
from ..._inputs.items import ItemLinks

FEW = "intervals are wide with so few"


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
    n: int, n_clusters: int, n_strata: int, samples: Vector | None, weighted: bool, n_dropped: int
) -> str:
    """Return how many items, samples, clusters and strata there are, and how many items missed."""
    text = f"{n} {'weighted ' if weighted else ''}items"
    if samples is not None:
        counts = " and ".join(f"{count:g}" for count in sorted(set(samples.tolist())))
        text += f" with {counts} samples"
    if n_clusters < n:
        text += f" in {n_clusters} clusters"
    if n_strata > 1:
        text += f" in {n_strata} strata" if n_clusters == n else f" of {n_strata} strata"
    return text + (f", {n_dropped} left out" if n_dropped else "")


def few_clusters_note(status: str, df: float) -> str:
    """Return a sentence on few degrees of freedom, to follow a result's own."""
    if status != "few_clusters":
        return ""
    return f" There are only {df:.3g} degrees of freedom, so the interval is wide."
