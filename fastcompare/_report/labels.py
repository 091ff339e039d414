"""What a comparison of predicted labels looks like as tables."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from .._compare.labels.accuracy import accuracy_interval
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
