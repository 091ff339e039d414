"""What Bayesian comparisons of two models return: three probabilities that sum to 1."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ..._results.records import Record

NAMES = ("model 1", "model 2")
ROPE = 0.01  # a point of accuracy, as in Benavoli and others (2017)


@dataclass(frozen=True, eq=False, kw_only=True)
class PosteriorResult(Record):
    """Probabilities that the first model is better, that they are equivalent, that it is worse."""

    first_better: float
    rope: float
    second_better: float
    half_width: float
    higher_is_better: bool
    names: tuple[str, ...]
    n: int
    n_dropped: int
    method: str
    status: str

    rows: ClassVar[str] = "pairs"

    def summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        first, second = self.names
        return (
            f"The probability that {first} is better than {second} is {self.first_better:.4f}, "
            f"that it is worse {self.second_better:.4f}, and that both are equivalent (within "
            f"{self.half_width:g}) {self.rope:.4f} ({self.method}, {self.n} {self.rows})."
        )


def by_model(of_difference: Sequence[Any], higher_is_better: bool) -> dict[str, Any]:
    """Return by name what is given for a score above the second model's, about equal, and below."""
    above, within, below = of_difference
    first, second = (above, below) if higher_is_better else (below, above)
    return {"first_better": first, "rope": within, "second_better": second}
