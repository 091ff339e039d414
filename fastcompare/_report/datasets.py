"""The sheets of tests of models on several data sets."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from .._base.exceptions import InvalidValueError
from .._results.pairs import compact_letters
from .comparison import PresentedPairs
from .differences import difference_sheets, omnibus_sheets
from .formats import Column, Sheet, row_getter

MOST_GROUPS = 20  # letters: more would not be read


def dataset_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of the models with letters, of the omnibus test, and of pairs if tested.

    Of two models those of their test.
    """
    omnibus, posthoc = result.omnibus, result.posthoc
    if not hasattr(omnibus, "average_ranks"):  # a test of two models
        return difference_sheets(omnibus)
    models, test = omnibus_sheets(omnibus)
    if groups := clique_letters(posthoc):
        rows = [{**row, "group": groups[row["model"]]} for row in models.rows()]
        heads = {**models.heads, "group": Column("group", spare=1)}
        models = replace(models, heads=heads, cells=row_getter(rows))
    pairs = [] if posthoc is None else [PresentedPairs(posthoc, posthoc._level).pair_sheet()]
    return [models, test, *pairs]


def clique_letters(posthoc: Any) -> Mapping[str, str]:
    """Return the compact letters by model; empty if pairs were not tested or cliques are many."""
    try:
        cliques = () if posthoc is None else posthoc.cliques
    except InvalidValueError:  # there are too many cliques to find all
        cliques = ()
    return compact_letters(posthoc) if 0 < len(cliques) <= MOST_GROUPS else {}
