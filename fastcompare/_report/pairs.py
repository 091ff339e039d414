"""The sheets of tests of all pairs of k models."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .._compare.own_intervals import own_ends
from .._results.measures import measure_of
from .auc import AUCComparison
from .comparison import ShownPairs
from .folds import FoldComparison
from .labels import LabelComparison
from .sheets import Sheet, measure_head
from .tables import MEASURED, TESTED, Column, Row

STATISTICS = {"statistic": Column("statistic", "statistic", 2)}
DIFFERENCES = {  # of what, where that is not the models' value
    "WilcoxonPairwiseResult": "Hodges-Lehmann estimate of the first minus the second",
}


@dataclass(frozen=True)
class PlainComparison(ShownPairs):
    """All pairs of models by what the result has a value of for each model."""

    evidence = STATISTICS

    @cached_property
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

    @cached_property
    def own(self) -> list[dict[str, float]]:
        """The ends of the models' own intervals, where these are known."""
        ends = own_ends(self.result, self.confidence_level)
        if ends is None:
            return [{} for _ in self.result.names]
        return [{"ci_low": float(a), "ci_high": float(b)} for a, b in zip(*ends, strict=True)]

    @property
    def interval(self) -> bool:  # type: ignore[override]
        """Whether models have intervals of their own."""
        return any(self.own)

    @cached_property
    def columns(self) -> Mapping[str, str]:  # type: ignore[override]
        """The fields of pairs that this result has."""
        every = {**MEASURED, "statistic": "statistic", "effect_size": "effect_size", **TESTED}
        return {key: name for key, name in every.items() if has_field(self.result, name)}

    @property
    def what(self) -> str:
        """What of the first model less what of the second is tested."""
        return measure_head(self.result, self.field)

    @property
    def pair_title(self) -> str:
        """The title of the table of pairs."""
        told = DIFFERENCES.get(type(self.result).__name__)
        if told is None:
            return super().pair_title
        return f"{self.test}: {told}, {self.result.alternative}"

    def models(self) -> Iterator[Row]:
        """Yield what is known of each model."""
        values = getattr(self.result, self.field).tolist()
        for name, value, ends in zip(self.result.names, values, self.own, strict=True):
            yield {"model": name, self.value[0]: value, **ends}

    def counts(self) -> Mapping[str, int]:
        """Return how many cases there are."""
        return {"n": self.result.n}

    def cases(self) -> str:
        """Return how many cases there are, for people."""
        return ""


def has_field(result: Any, name: str) -> bool:
    """Return whether a result of pairs has a field; estimates, which may take long, all have."""
    return name in ("estimate", "low", "high") or getattr(result, name, None) is not None


SHOWN: Mapping[str, type[ShownPairs]] = {  # by the names of classes of results
    "AUCPairsResult": AUCComparison,
    "McNemarPairwiseResult": LabelComparison,
    "TTestCorrectedPairwiseResult": FoldComparison,
    "PairsResult": PlainComparison,
}


def shown_pairs(result: Any) -> ShownPairs:
    """Return all pairs of a result as people see them."""
    kinds = [kind.__name__ for kind in type(result).__mro__]
    return next(SHOWN[kind] for kind in kinds if kind in SHOWN)(result, result._level)


def pairs_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of the models and of the pairs."""
    return shown_pairs(result).sheets()
