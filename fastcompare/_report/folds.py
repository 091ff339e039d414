"""What a comparison of scores by fold looks like as tables."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from .comparison import ShownPairs
from .differences import omnibus_sheets
from .sheets import Sheet
from .tables import MEASURED, TESTED, Column, Row

if TYPE_CHECKING:
    from ..results import TTestCorrectedPairwiseResult


@dataclass(frozen=True)
class FoldComparison(ShownPairs):
    """All pairs of models by their mean scores in the same rounds."""

    result: "TTestCorrectedPairwiseResult"
    deviations: tuple[float, ...] = ()  # of the models' scores
    quantity: ClassVar[str] = "mean score"
    heads: ClassVar[Mapping[str, Column]] = {
        "mean": Column("mean score", "number"),
        "standard_deviation": Column("standard deviation", "number", 1),
    }
    value: ClassVar[tuple[str, str]] = ("mean", "means")
    columns: ClassVar[Mapping[str, str]] = {
        **MEASURED,
        "effect_size": "effect_size",
        "t": "statistic",
        "df": "df",
        **TESTED,
    }
    evidence: ClassVar[Mapping[str, Column]] = {"t": Column("t", "statistic", 2)}

    def counts(self) -> Mapping[str, int]:
        """Return how many rounds there are."""
        return {"n": self.result.n}

    def cases(self) -> str:
        """Return how many rounds there are, and of which sizes, for people."""
        result = self.result
        sizes = f"{result.n_train:g} cases to train and {result.n_test:g} to test"
        return f"{result.n} rounds with {sizes}"

    def models(self) -> Iterator[Row]:
        """Yield what is known of each model."""
        deviations = self.deviations or (None,) * len(self.result.names)
        columns = (self.result.names, self.result.means.tolist(), deviations)
        for name, mean, deviation in zip(*columns, strict=True):
            yield {"model": name, "mean": mean, "standard_deviation": deviation}

    def sheets(self) -> list[Sheet]:
        """Return the sheets of the models, of the test of all if there was one, of the pairs."""
        found, omnibus = super().sheets(), self.result.omnibus
        if omnibus is not None:
            found.insert(1, omnibus_sheets(omnibus)[-1])
        return found

    def to_dict(self) -> Row:
        """Return everything, for programs."""
        result = self.result
        omnibus = None if result.omnibus is None else result.omnibus.to_dict()
        sizes = {"n_train": result.n_train, "n_test": result.n_test}
        return {**super().to_dict(), **sizes, "omnibus": omnibus}
