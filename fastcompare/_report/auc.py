"""What a comparison of AUCs looks like as tables."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .comparison import ShownPairs
from .tables import MEASURED, TESTED, Column, Row

if TYPE_CHECKING:
    from ..results import DeLongPairwiseResult


@dataclass(frozen=True)
class AUCComparison(ShownPairs):
    """All pairs of models by their AUCs."""

    result: "DeLongPairwiseResult"
    quantity: ClassVar[str] = "AUC"
    heads: ClassVar[Mapping[str, Column]] = {
        "auc": Column("AUC", "number"),
        "standard_error": Column("standard error", "number", 1),
    }
    interval: ClassVar[bool] = True
    value: ClassVar[tuple[str, str]] = ("auc", "auc")
    columns: ClassVar[Mapping[str, str]] = {
        **MEASURED,
        "z": "statistic",
        **TESTED,
        "method": "method",
    }
    evidence: ClassVar[Mapping[str, Column]] = {"z": Column("statistic", "statistic", 2)}

    def counts(self) -> Mapping[str, int]:
        """Return how many cases there are of each class."""
        return {"n_positive": self.result.n_positive, "n_negative": self.result.n_negative}

    def cases(self) -> str:
        """Return how many cases there are, for people."""
        return f"{self.result.n_positive} positive and {self.result.n_negative} negative cases"

    def models(self) -> Iterator[Row]:
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
