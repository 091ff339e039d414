"""What a comparison of models on many data sets looks like as tables."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from .._base.exceptions import InvalidValueError
from .._base.text import plain
from .._compare.datasets.wilcoxon_pairwise import WilcoxonPairwiseResult
from .._results.letters import compact_letters
from .tables import Column, Comparison, Row, Table, adjusted_head, table_of

if TYPE_CHECKING:
    from .._compare.datasets.sequence import DatasetsComparisonResult, PostHoc

MOST_GROUPS = 20  # letters that help: among more a reader is lost
PAIR_HEADS: Mapping[str, Column] = {
    "first": Column("first"),
    "second": Column("second"),
    "average_rank_first": Column("average rank of first", "number"),
    "average_rank_second": Column("average rank of second", "number"),
    "difference": Column("difference", "number"),
    "statistic": Column("statistic", "statistic"),
    "pvalue": Column("p", "pvalue"),
}
DIFFERENCES: Mapping[type, str] = {  # of what, unless of average ranks
    WilcoxonPairwiseResult: "Hodges-Lehmann estimate of the first minus the second",
}


@dataclass(frozen=True)
class DatasetComparison(Comparison):
    """The test of all models together, and those of pairs if it rejects."""

    result: "DatasetsComparisonResult"
    datasets: Sequence[str] = ()

    @property
    def posthoc(self) -> "PostHoc | None":
        """The tests of pairs, if there are any."""
        return self.result.posthoc

    @property
    def average_ranks(self) -> Mapping[str, float]:
        """The average ranks by model, the best first; empty for two models, which have none."""
        ranks = getattr(self.result.omnibus, "average_ranks", np.empty(0))
        order = np.argsort(ranks, kind="stable").tolist()
        return {self.result.names[j]: float(ranks[j]) for j in order}

    @property
    def groups(self) -> Mapping[str, str]:
        """The letters of the models: those that share one do not differ significantly."""
        if self.posthoc is None or not 0 < len(self.cliques or ()) <= MOST_GROUPS:
            return {}
        return compact_letters(self.posthoc)

    @cached_property
    def cliques(self) -> tuple[tuple[str, ...], ...] | None:
        """The groups of models that do not differ, by name; None where they are too many."""
        try:
            return () if self.posthoc is None else self.posthoc.cliques
        except InvalidValueError:
            return None

    @property
    def method(self) -> str:
        """The methods of the tests."""
        tests = (self.result.omnibus, self.result.posthoc)
        names = (np.unique(test.method).tolist() for test in tests if test is not None)
        return ", ".join(chain(*names))

    def counts(self) -> Mapping[str, int]:
        """Return how many data sets there are."""
        return {"n": self.result.n}

    def cases(self) -> str:
        """Return how many data sets there are, for people."""
        return f"{self.result.n} data sets"

    def tables(self) -> tuple[Table, ...]:
        """Return the tables for people: no pairs where none is tested."""
        tables = (self.model_table(), self.omnibus_table(), self.pair_table())
        return tables if self.result.posthoc else tables[:2]

    def model_heads(self) -> Mapping[str, Column]:
        """Return the columns of the table of models."""
        heads = {"model": Column("model")}
        if self.average_ranks:
            heads["average_rank"] = Column("average rank", "number")
        if self.groups:
            heads["group"] = Column("group")
        return heads

    def models(self) -> Iterator[Row]:
        """Yield what is known of each model, the best first."""
        ranks, groups = self.average_ranks, self.groups
        for name in ranks or self.result.names:
            yield {"model": name, "average_rank": ranks.get(name), "group": groups.get(name)}

    def omnibus_table(self) -> Table:
        """Return the test of all models together."""
        test = self.result.omnibus
        df = np.atleast_1d(getattr(test, "df", ())).tolist()  # Wilcoxon's test has none
        heads = {
            "method": Column("method"),
            "statistic": Column("statistic", "statistic"),
            **({"df": Column("df")} if df else {}),
            "pvalue": Column("p", "pvalue"),
        }
        row = {
            "method": test.method,
            "statistic": test.statistic,
            "df": ", ".join(map(str, df)),
            "pvalue": test.pvalue,
        }
        what = "" if self.average_ranks else ": {} minus {}".format(*self.result.names)
        return table_of(f"{test.title}{what}", heads, [row])

    def pairs(self, chosen: Sequence[int] | None = None) -> Iterator[Row]:
        """Yield what is known of each pair that is tested; there are few, and all come."""
        tests, ranks = self.posthoc, self.average_ranks
        if tests is None:
            return
        columns = (tests.estimate, tests.statistic, tests.pvalue, tests.adjusted_pvalue)
        for (first, second), *numbers in zip(tests.pairs, *map(plain, columns), strict=True):
            cells = (first, second, ranks[first], ranks[second], *numbers)
            yield dict(zip((*PAIR_HEADS, "adjusted_pvalue"), cells, strict=True))

    def pair_heads(self) -> dict[str, Column]:
        """Return the columns of all tables of pairs."""
        correction = "none" if self.posthoc is None else self.posthoc.correction
        return {**PAIR_HEADS, "adjusted_pvalue": Column(adjusted_head(correction), "pvalue")}

    def pair_table(self) -> Table:
        """Return the table of the pairs, for people, who find their ranks in that of the models."""
        heads = self.pair_heads()
        test = self.result.posthoc
        hidden = ["average_rank_first", "average_rank_second"]
        if test is not None and test.correction == "none":  # Nemenyi's p-values need none
            hidden.append("adjusted_pvalue")
        for key in hidden:
            heads.pop(key)
        title = "" if test is None else test.title
        what = DIFFERENCES.get(type(test), "average rank of the first minus that of the second")
        return table_of(f"{title}: {what}", heads, self.pairs())

    def tidy_table(self) -> Table:
        """Return a table of the pairs that are tested, for programs."""
        heads = {key: Column(key, column.form) for key, column in self.pair_heads().items()}
        return table_of(self.test, heads, self.pairs())

    def to_dict(self) -> Row:
        """Return everything, for programs."""
        result, tests = self.result, self.posthoc
        return {
            "source": self.source,
            **self.counts(),
            "n_dropped": result.n_dropped,
            "datasets": self.datasets,
            "method": self.method,
            "alpha": result.alpha,
            "omnibus": result.omnibus.to_dict(),
            "correction": None if tests is None else tests.correction,
            "critical_difference": None if tests is None else tests.critical_difference,
            "cliques": self.cliques and plain(self.cliques),
            "models": list(self.models()),
            "pairs": list(self.pairs()),
            "reasons": result.reasons,
            "summary": result.summary(),
        }
