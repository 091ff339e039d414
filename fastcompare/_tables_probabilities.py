"""What a comparison of probabilities looks like as tables."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ._tables import Column, Comparison, Row

if TYPE_CHECKING:
    from ._scoring_pairs import ScoringPairs


@dataclass(frozen=True)
class ProbabilityComparison(Comparison):
    """All pairs of models by the losses of their probabilities."""

    result: "ScoringPairs"
    evidence: ClassVar[Mapping[str, Column]] = {"t": Column("t", "statistic")}

    @property
    def what(self) -> str:
        """The loss that is tested."""
        return self.result.loss

    def counts(self) -> Mapping[str, int]:
        """Return how many cases there are of each class."""
        return {"n_positive": self.result.n_positive, "n_negative": self.result.n_negative}

    def cases(self) -> str:
        """Return how many cases there are, for people."""
        return f"{self.result.n_positive} positive and {self.result.n_negative} negative cases"

    def model_heads(self) -> Mapping[str, Column]:
        """Return the columns of the table of models."""
        return {
            "model": Column("model"),
            "brier_score": Column("Brier score", "number"),
            "log_loss": Column("log loss", "number"),
            "calibration_error": Column("calibration error", "number"),
        }

    def models(self) -> Iterator[Row]:
        """Yield what is known of each model."""
        for name, losses in self.result.models.items():
            yield {"model": name, **losses._asdict()}

    def pairs(self) -> Iterator[Row]:
        """Yield what is known of each pair."""
        result = self.result
        level = self.confidence_level
        if self.simultaneous:  # Bonferroni, as McNemar's intervals
            level = 1.0 - (1.0 - level) / len(result.pairs)
        tested = zip(result.pairs, result.tests, result.adjusted_pvalue.tolist(), strict=True)
        for (first, second), test, adjusted in tested:
            low, high = test.confidence_interval(level)
            yield {
                "first": first,
                "second": second,
                "loss_first": float(test.losses[0]),
                "loss_second": float(test.losses[1]),
                "difference": test.estimate,
                "standard_error": test.standard_error,
                "ci_low": low,
                "ci_high": high,
                "t": test.statistic,
                "pvalue": test.pvalue,
                "adjusted_pvalue": adjusted,
                "status": test.status,
            }

    def to_dict(self) -> Row:
        """Return everything, for programs."""
        return {"rule": self.result.rule, **super().to_dict()}
