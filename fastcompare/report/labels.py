"""What a comparison of predicted labels looks like as tables."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .._compare.labels.accuracy import accuracy_interval
from .tables import Column, Comparison, Row

if TYPE_CHECKING:
    from .._compare.labels.mcnemar_pairwise import McNemarPairwiseResult


@dataclass(frozen=True)
class LabelComparison(Comparison):
    """All pairs of models by their accuracies, which have Wilson's intervals."""

    result: "McNemarPairwiseResult"
    quantity: ClassVar[str] = "accuracy"
    evidence: ClassVar[Mapping[str, Column]] = {
        "n10": Column("n10", "count"),
        "n01": Column("n01", "count"),
    }

    @property
    def method(self) -> str:
        """The methods of the tests: that of a pair may go by how many cases tell it apart."""
        return ", ".join(sorted(set(self.result.method.tolist())))

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

    def model_heads(self) -> Mapping[str, Column]:
        """Return the columns of the table of models."""
        return {
            "model": Column("model"),
            "n_correct": Column("right", "count"),
            "accuracy": Column("accuracy", "number"),
            "ci": Column(f"{self.level} CI", "interval"),
        }

    def models(self) -> Iterator[Row]:
        """Yield what is known of each model."""
        n, level = self.result.n, self.confidence_level
        for name, accuracy in zip(self.result.names, self.result.accuracy.tolist(), strict=True):
            found = accuracy_interval(correct=round(accuracy * n), n=n, confidence_level=level)
            low, high = found.confidence_interval()
            yield {
                "model": name,
                "n_correct": found.n_correct,
                "accuracy": accuracy,
                "ci_low": low,
                "ci_high": high,
            }

    def pairs(self) -> Iterator[Row]:
        """Yield what is known of each pair."""
        result = self.result
        accuracies = dict(zip(result.names, result.accuracy.tolist(), strict=True))
        level, together = self.confidence_level, self.simultaneous
        ends = result.confidence_interval(level, simultaneous=together)
        low, high = map(np.asarray, ends)
        for p, (first, second) in enumerate(result.pairs):
            yield {
                "first": first,
                "second": second,
                "accuracy_first": accuracies[first],
                "accuracy_second": accuracies[second],
                "n10": int(result.n10[p]),
                "n01": int(result.n01[p]),
                "difference": float(result.estimate[p]),
                "standard_error": float(result.standard_error[p]),
                "ci_low": float(low[p]),
                "ci_high": float(high[p]),
                "method": str(result.method[p]),
                "statistic": float(result.statistic[p]),
                "pvalue": float(result.pvalue[p]),
                "adjusted_pvalue": float(result.adjusted_pvalue[p]),
                "status": str(result.status[p]),
            }
