"""What a comparison of scores by fold looks like as tables."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .tables import Column, Comparison, Row

if TYPE_CHECKING:
    from .._compare.folds.pairwise_result import TTestCorrectedPairwiseResult


@dataclass(frozen=True)
class FoldComparison(Comparison):
    """All pairs of models by their mean scores in the same rounds."""

    result: "TTestCorrectedPairwiseResult"
    deviations: tuple[float, ...] = ()  # of the models' scores
    quantity: ClassVar[str] = "mean score"
    evidence: ClassVar[Mapping[str, Column]] = {"t": Column("t", "statistic")}

    def counts(self) -> Mapping[str, int]:
        """Return how many rounds there are."""
        return {"n": self.result.n}

    def cases(self) -> str:
        """Return what the rounds are, for people."""
        result = self.result
        sizes = f"{result.n_train:g} cases to train and {result.n_test:g} to test"
        return f"{result.n} rounds with {sizes}"

    def model_heads(self) -> Mapping[str, Column]:
        """Return the columns of the table of models."""
        return {
            "model": Column("model"),
            "mean": Column("mean score", "number"),
            "standard_deviation": Column("standard deviation", "number"),
        }

    def models(self) -> Iterator[Row]:
        """Yield what is known of each model."""
        columns = (self.result.names, self.result.means.tolist(), self.deviations)
        for name, mean, deviation in zip(*columns, strict=True):
            yield {"model": name, "mean": mean, "standard_deviation": deviation}

    def pairs(self) -> Iterator[Row]:
        """Yield what is known of each pair."""
        result = self.result
        means = dict(zip(result.names, result.means.tolist(), strict=True))
        level, together = self.confidence_level, self.simultaneous
        ends = result.confidence_interval(level, simultaneous=together)
        low, high = map(np.asarray, ends)
        for p, (first, second) in enumerate(result.pairs):
            yield {
                "first": first,
                "second": second,
                "mean_first": means[first],
                "mean_second": means[second],
                "difference": float(result.estimate[p]),
                "standard_error": float(result.standard_error[p]),
                "ci_low": float(low[p]),
                "ci_high": float(high[p]),
                "effect_size": float(result.effect_size[p]),
                "t": float(result.statistic[p]),
                "df": result.df,
                "pvalue": float(result.pvalue[p]),
                "adjusted_pvalue": float(result.adjusted_pvalue[p]),
                "status": str(result.status[p]),
            }

    def to_dict(self) -> Row:
        """Return everything, for programs."""
        result = self.result
        omnibus = None if result.omnibus is None else result.omnibus.to_dict()
        sizes = {"n_train": result.n_train, "n_test": result.n_test}
        return {**super().to_dict(), **sizes, "omnibus": omnibus}
