"""What a comparison looks like as tables; `report` writes them in many formats."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ._text import correction_title

if TYPE_CHECKING:
    from ._compare.auc.delong.pairwise_result import DeLongPairwiseResult

Cell = str | float | int | None | tuple[float, float]


class Column(NamedTuple):
    """The head of a column, and which of `report.FORMS` its cells take."""

    name: str
    form: str = "text"


@dataclass(frozen=True)
class Table:
    """A table for people or programs: its title, the heads of its columns, its rows."""

    title: str
    header: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [column.name for column in self.header]


@dataclass(frozen=True)
class Comparison:
    """All pairs of models, the level of the intervals, and where the data come from."""

    result: "DeLongPairwiseResult"
    confidence_level: float = 0.95
    simultaneous: bool = False
    source: str = "Models"

    @property
    def level(self) -> str:
        """The level for people."""
        return f"{100 * self.confidence_level:g} %"

    def models(self) -> Iterator[dict[str, Any]]:
        """Yield what is known of each model."""
        result = self.result
        low, high = map(np.asarray, result.auc_interval(self.confidence_level))
        for j, name in enumerate(result.names):
            yield {
                "model": name,
                "auc": float(result.auc[j]),
                "standard_error": float(result.auc_standard_error[j]),
                "ci_low": float(low[j]),
                "ci_high": float(high[j]),
            }

    def pairs(self) -> Iterator[dict[str, Any]]:
        """Yield what is known of each pair."""
        result = self.result
        aucs = dict(zip(result.names, result.auc.tolist(), strict=True))
        level, together = self.confidence_level, self.simultaneous
        ends = result.confidence_interval(level, simultaneous=together)
        low, high = map(np.asarray, ends)
        for p, (first, second) in enumerate(result.pairs):
            yield {
                "first": first,
                "second": second,
                "auc_first": aucs[first],
                "auc_second": aucs[second],
                "difference": float(result.estimate[p]),
                "standard_error": float(result.standard_error[p]),
                "ci_low": float(low[p]),
                "ci_high": float(high[p]),
                "z": float(result.statistic[p]),
                "pvalue": float(result.pvalue[p]),
                "adjusted_pvalue": float(result.adjusted_pvalue[p]),
                "status": str(result.status[p]),
            }

    def model_table(self) -> Table:
        """Return the table of the models, for people."""
        result = self.result
        header = (
            Column("model"),
            Column("AUC", "number"),
            Column("standard error", "number"),
            Column(f"{self.level} CI", "interval"),
        )
        return Table(
            f"{self.source}: {len(result.names)} models, {result.n_positive} positive and "
            f"{result.n_negative} negative cases",
            header,
            tuple(
                (m["model"], m["auc"], m["standard_error"], (m["ci_low"], m["ci_high"]))
                for m in self.models()
            ),
        )

    def pair_table(self) -> Table:
        """Return the table of the pairs, for people; words of status only where one says much."""
        result = self.result
        kind = "simultaneous" if self.simultaneous else "unadjusted"
        header: tuple[Column, ...] = (
            Column("first"),
            Column("second"),
            Column("difference", "number"),
            Column(f"{kind} {self.level} CI", "interval"),
            Column("z", "statistic"),
            Column("p", "pvalue"),
            Column(adjusted_head(result.correction), "pvalue"),
            Column("status"),
        )
        keys = ("first", "second", "difference", "ci", "z", "pvalue", "adjusted_pvalue", "status")
        kept = slice(len(keys) - all(result.status == "ok"))
        pairs = [{**pair, "ci": (pair["ci_low"], pair["ci_high"])} for pair in self.pairs()]
        return Table(
            f"{result.title}: AUC of the first minus AUC of the second, {result.alternative}",
            header[kept],
            tuple(tuple(pair[key] for key in keys[kept]) for pair in pairs),
        )

    def tidy_table(self) -> Table:
        """Return a table of the pairs with their models' AUCs, for programs."""
        rows = list(self.pairs())
        header = tuple(
            Column(key, "text" if isinstance(cell, str) else "number")
            for key, cell in rows[0].items()
        )
        return Table(self.result.title, header, tuple(tuple(row.values()) for row in rows))

    def to_dict(self) -> dict[str, Any]:
        """Return everything, for programs."""
        result = self.result
        return {
            "source": self.source,
            "n_positive": result.n_positive,
            "n_negative": result.n_negative,
            "n_dropped": result.n_dropped,
            "method": result.method,
            "alternative": result.alternative,
            "correction": result.correction,
            "confidence_level": self.confidence_level,
            "simultaneous": self.simultaneous,
            "models": list(self.models()),
            "pairs": list(self.pairs()),
            "summary": result.summary(),
        }


def adjusted_head(correction: str) -> str:
    """Return the head of the column of adjusted p-values: their correction's name."""
    return (
        "p, not adjusted" if correction == "none" else f"{correction_title(correction)}-adjusted p"
    )
