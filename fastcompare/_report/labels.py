"""What a comparison of predicted labels looks like as tables."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .._compare.own_intervals import own_ends
from .comparison import ShownPairs
from .tables import MEASURED, TESTED, Column, Row

if TYPE_CHECKING:
    from ..results import McNemarPairwiseResult


@dataclass(frozen=True)
class LabelComparison(ShownPairs):
    """All pairs of models by their accuracies, which have Wilson's intervals."""

    result: "McNemarPairwiseResult"
    quantity: ClassVar[str] = "accuracy"
    heads: ClassVar[Mapping[str, Column]] = {
        "n_correct": Column("right", "count", 1),
        "accuracy": Column("accuracy", "number"),
    }
    interval: ClassVar[bool] = True
    value: ClassVar[tuple[str, str]] = ("accuracy", "accuracy")
    columns: ClassVar[Mapping[str, str]] = {
        "n10": "n10",
        "n01": "n01",
        **MEASURED,
        "method": "method",
        "statistic": "statistic",
        **TESTED,
    }
    evidence: ClassVar[Mapping[str, Column]] = {
        "n10": Column("n10", "count", 2),
        "n01": Column("n01", "count", 2),
    }

    @property
    def test(self) -> str:
        """The name of the tests, with their methods."""
        return f"{self.result.title} ({self.method})"

    def counts(self) -> Mapping[str, int]:
        """Return how many cases there are."""
        return {"n": self.result.n}

    def cases(self) -> str:
        """Return how many cases there are, for people."""
        return f"{self.result.n} cases"

    def models(self) -> Iterator[Row]:
        """Yield what is known of each model."""
        result = self.result
        ends = own_ends(result, self.confidence_level)
        known = np.full((len(result.names), 2), np.nan) if ends is None else np.transpose(ends)
        rows = zip(result.names, result.accuracy.tolist(), known.tolist(), strict=True)
        for name, accuracy, (low, high) in rows:
            yield {
                "model": name,
                "n_correct": round(accuracy * result.n),
                "accuracy": accuracy,
                "ci_low": low,
                "ci_high": high,
            }
