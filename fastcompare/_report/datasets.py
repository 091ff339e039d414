"""The sheets of tests of models on several data sets."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.exceptions import InvalidValueError
from .._base.text import plain
from .._results.pairs import compact_letters
from .comparison import PresentedResult, ShownPairs
from .differences import difference_sheets, omnibus_sheets
from .formats import Column, Row, Sheet, Table, row_getter, sheet_table

if TYPE_CHECKING:
    from ..ranks._sequence import PostHoc

MOST_GROUPS = 20  # letters that help: among more a reader is lost
PAIR_FORMS: Mapping[str, str] = {
    "first": "text",
    "second": "text",
    "average_rank_first": "number",
    "average_rank_second": "number",
    "difference": "number",
    "statistic": "statistic",
    "pvalue": "pvalue",
    "adjusted_pvalue": "pvalue",
}


def dataset_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of the models, with letters, of the test of all and of tested pairs."""
    omnibus, posthoc = result.omnibus, result.posthoc
    if not hasattr(omnibus, "average_ranks"):  # of two models
        return difference_sheets(omnibus)
    models, test = omnibus_sheets(omnibus)
    if groups := clique_letters(posthoc):
        rows = [{**row, "group": groups[row["model"]]} for row in models.rows()]
        heads = {**models.heads, "group": Column("group", spare=1)}
        models = replace(models, heads=heads, cells=row_getter(rows))
    pairs = [] if posthoc is None else [ShownPairs(posthoc, posthoc._level).pair_sheet()]
    return [models, test, *pairs]


def cliques_found(posthoc: Any) -> tuple[tuple[str, ...], ...] | None:
    """Return the groups of models that do not differ, by name; None where they are too many."""
    try:
        return () if posthoc is None else posthoc.cliques
    except InvalidValueError:
        return None


def clique_letters(posthoc: Any) -> Mapping[str, str]:
    """Return the letters of the models: those that share one do not differ significantly."""
    if not 0 < len(cliques_found(posthoc) or ()) <= MOST_GROUPS:
        return {}
    return compact_letters(posthoc)


@dataclass(frozen=True)
class DatasetComparison(PresentedResult):
    """The test of all models together, and those of pairs if it rejects."""

    datasets: Sequence[str] = ()

    @property
    def posthoc(self) -> "PostHoc | None":
        """The tests of pairs, if there are any."""
        posthoc: PostHoc | None = self.record.posthoc
        return posthoc

    @cached_property
    def average_ranks(self) -> Mapping[str, float]:
        """The average ranks by model, the best first; empty for two models, which have none."""
        ranks = getattr(self.record.omnibus, "average_ranks", np.empty(0))
        order = np.argsort(ranks, kind="stable").tolist()
        return {self.names[j]: float(ranks[j]) for j in order}

    @property
    def cases(self) -> str:
        """How many data sets there are, for people."""
        return f"{self.record.n} data sets"

    def sheets(self) -> list[Sheet]:
        """Return the sheets of the models, of all together and of the pairs that are tested."""
        models, *others = dataset_sheets(self.record)
        return [replace(models, title=self.about or models.title), *others]

    def models(self) -> Iterator[Row]:
        """Yield what is known of each model, the best first."""
        ranks = self.average_ranks
        groups = clique_letters(self.posthoc)
        for name in ranks or self.names:
            yield {"model": name, "average_rank": ranks.get(name), "group": groups.get(name)}

    def pairs(self) -> Iterator[Row]:
        """Yield what is known of each pair that is tested."""
        tests, ranks = self.posthoc, self.average_ranks
        if tests is None:
            return
        columns = (tests.estimate, tests.statistic, tests.pvalue, tests.adjusted_pvalue)
        for (first, second), *numbers in zip(tests.pairs, *map(plain, columns), strict=True):
            cells = (first, second, ranks[first], ranks[second], *numbers)
            yield dict(zip(PAIR_FORMS, cells, strict=True))

    def tidy_table(self) -> Table:
        """Return a table of the pairs that are tested, for programs."""
        heads = {key: Column(key, form) for key, form in PAIR_FORMS.items()}
        return sheet_table(self.title, heads, self.pairs())

    def to_dict(self) -> Row:
        """Return everything, for programs."""
        result, tests = self.record, self.posthoc
        cliques = cliques_found(tests)
        methods = (np.unique(test.method).tolist() for test in (result.omnibus, tests) if test)
        return {
            "source": self.source,
            "n": result.n,
            "n_dropped": result.n_dropped,
            "datasets": self.datasets,
            "method": ", ".join(chain(*methods)),
            "alpha": result.alpha,
            "omnibus": result.omnibus.to_dict(),
            "correction": None if tests is None else tests.correction,
            "critical_difference": None if tests is None else tests.critical_difference,
            "cliques": cliques and plain(cliques),
            "models": list(self.models()),
            "pairs": list(self.pairs()),
            "reasons": result.reasons,
            "summary": self.summary(),
        }
