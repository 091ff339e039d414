"""What a comparison of probabilities looks like as tables."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.types import Vector
from .._compare.probabilities.calibration_error import mean_binned_error
from .._compare.probabilities.decomposition import number_bins
from .._compare.probabilities.losses import brier_score, log_loss
from .._inference.status import announce
from .comparison import ShownPairs
from .tables import MEASURED, TESTED, Column, Row

if TYPE_CHECKING:
    from ..results import ScoringPairwiseResult

BIN_COUNT = 10  # the default of calibration_error


class ModelScores(NamedTuple):
    """The scores of a model's probabilities."""

    brier_score: float
    log_loss: float
    calibration_error: float


def model_scores(
    labels: NDArray[np.bool_], probabilities: Mapping[str, Vector], clip: float | None
) -> dict[str, ModelScores]:
    """Return the scores of each model; warn of infinite log losses, once for all models."""
    scores = {
        name: ModelScores(
            brier_score(labels, p),
            log_loss(labels, p, clip=clip, on_undefined="ignore"),
            mean_binned_error(number_bins(p, BIN_COUNT, "uniform")[0], p - labels),
        )
        for name, p in probabilities.items()
    }
    infinite = [name for name, model in scores.items() if np.isinf(model.log_loss)]
    if infinite:
        announce("infinite_loss", "warn", f" (log loss of {', '.join(infinite)})")
    return scores


@dataclass(frozen=True)
class ProbabilityComparison(ShownPairs):
    """All pairs of models by the losses of their probabilities."""

    result: "ScoringPairwiseResult"
    labels: NDArray[np.bool_] = field(kw_only=True)
    scores: Mapping[str, ModelScores] = field(kw_only=True)
    heads: ClassVar[Mapping[str, Column]] = {
        "brier_score": Column("Brier score", "number"),
        "log_loss": Column("log loss", "number"),
        "calibration_error": Column("calibration error", "number"),
    }
    value: ClassVar[tuple[str, str]] = ("loss", "losses")
    columns: ClassVar[Mapping[str, str]] = {**MEASURED, "t": "statistic", **TESTED}
    evidence: ClassVar[Mapping[str, Column]] = {"t": Column("t", "statistic", 2)}

    @property
    def what(self) -> str:
        """The loss that is tested."""
        return self.result.quantity

    def counts(self) -> dict[str, int]:
        """Return how many cases there are of each class."""
        positive = int(np.count_nonzero(self.labels))
        return {"n_positive": positive, "n_negative": self.labels.size - positive}

    def cases(self) -> str:
        """Return how many cases there are, for people."""
        positive, negative = self.counts().values()
        return f"{positive} positive and {negative} negative cases"

    def models(self) -> Iterator[Row]:
        """Yield what is known of each model."""
        for name, model in self.scores.items():
            yield {"model": name, **model._asdict()}

    def to_dict(self) -> Row:
        """Return everything, for programs."""
        return {"rule": self.result.rule, **super().to_dict()}
