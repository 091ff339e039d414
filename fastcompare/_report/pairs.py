"""The sheets of tests of all pairs of k models."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._base.text import correction_title
from .auc import AUCComparison
from .folds import FoldComparison
from .labels import LabelComparison
from .sheets import Indices, Sheet, best_first, measure_head, measure_of, picked
from .tables import MEASURED, TESTED, Column, Comparison, Row

STATISTICS = {"statistic": Column("statistic", "statistic", 2)}


@dataclass(frozen=True)
class PlainComparison(Comparison):
    """All pairs of models by what the result has a value of for each model."""

    evidence = STATISTICS

    @property
    def field(self) -> str:
        """The field with a value a model."""
        return measure_of(self.result)

    @property
    def value(self) -> tuple[str, str]:  # type: ignore[override]
        """What rows call the value of a model, and its field."""
        words = {"means": "mean", "losses": "loss", "strengths": "strength"}
        return words.get(self.field, self.field.removesuffix("s")), self.field

    @property
    def heads(self) -> Mapping[str, Column]:  # type: ignore[override]
        """The columns of the table of models."""
        return {self.value[0]: Column(measure_head(self.result, self.field), "number")}

    @property
    def columns(self) -> Mapping[str, str]:  # type: ignore[override]
        """The fields of pairs that this result has."""
        every = {**MEASURED, "statistic": "statistic", "effect_size": "effect_size", **TESTED}
        return {key: name for key, name in every.items() if has_field(self.result, name)}

    @property
    def what(self) -> str:
        """What of the first model less what of the second is tested."""
        return measure_head(self.result, self.field)

    def models(self) -> Iterator[Row]:
        """Yield what is known of each model."""
        values = getattr(self.result, self.field).tolist()
        for name, value in zip(self.result.names, values, strict=True):
            yield {"model": name, self.value[0]: value}

    def counts(self) -> Mapping[str, int]:
        """Return how many cases there are."""
        return {"n": self.result.n}

    def cases(self) -> str:
        """Return how many cases there are, for people."""
        return ""


def has_field(result: Any, name: str) -> bool:
    """Return whether a result of pairs has a field, or an end of the intervals is meant."""
    return name in ("low", "high") or getattr(result, name, None) is not None


COMPARISONS: Mapping[str, type[Comparison]] = {  # by the names of classes of results
    "AUCPairsResult": AUCComparison,
    "McNemarPairwiseResult": LabelComparison,
    "TTestCorrectedPairwiseResult": FoldComparison,
    "PairsResult": PlainComparison,
}


def comparison_of(result: Any) -> Comparison:
    """Return the tables of all pairs, as the command line prints them."""
    kinds = [kind.__name__ for kind in type(result).__mro__]
    return next(COMPARISONS[kind] for kind in kinds if kind in COMPARISONS)(result)


def pairs_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of the models, the best first, and of the pairs, the surest first."""
    comparison = comparison_of(result)
    models = list(comparison.models())
    order = best_first(result, measure_of(result))
    heads = comparison.model_heads()
    found = [Sheet("models", result.title, heads, len(models), picked(models), order)]
    return found + ([pair_sheet(comparison)] if result.pairs else [])


def pair_sheet(comparison: Comparison) -> Sheet:
    """Return the sheet of the pairs, with marks for those that hold after correction."""
    result = comparison.result
    significant = result.adjusted_pvalue <= result.alpha

    def cells(indices: Indices) -> Iterator[Row]:
        for p, row in zip(indices, comparison.pairs(indices), strict=True):
            yield {**row, "significant": bool(significant[p])}

    heads = dict(comparison.pair_heads())
    status, method = heads.pop("status", None), heads.pop("method", None)
    heads["ci"] = Column(f"{comparison.level} CI", "interval", 1)
    heads["adjusted_pvalue"] = Column("adjusted p", "pvalue")
    heads["significant"] = Column("", "mark")
    for key, head in (("status", status), ("method", method)):
        if head is not None:
            heads[key] = head
    order = np.lexsort((result.pvalue, result.adjusted_pvalue)).tolist()  # NaN come last
    several = len(result.pairs) > 1
    note = f"* {rule_of(result)}" if several or significant.any() else ""
    title = comparison.pair_title
    return Sheet("pairs", title, heads, len(result.pairs), cells, order, note)


def rule_of(result: Any) -> str:
    """Return the meaning of a mark, for people."""
    level = f"holds at the {100 * result.alpha:g} % level"
    if len(result.pairs) == 1 or result.correction == "none":
        return level
    return f"{level} after {correction_title(result.correction)} correction"
