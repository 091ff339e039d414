"""What Bayesian comparisons of two models return: three probabilities that sum to 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, TypedDict

from ..._base.types import NanPolicy, Undefined
from ..._inputs.options import check_amount, check_flag, check_undefined
from ..._results.records import TwoModels

ROPE = 0.01  # a point of accuracy, as in Benavoli and others (2017)


class Practice(TypedDict, total=False):
    """Options of Bayesian comparisons of two models."""

    rope: float
    higher_is_better: bool
    nan_policy: NanPolicy
    on_undefined: Undefined


class Region(NamedTuple):
    """The options of Bayesian comparisons of two models, checked."""

    rope: float
    higher_is_better: bool
    nan_policy: NanPolicy


def as_region(
    *,
    rope: float = ROPE,
    higher_is_better: bool = True,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> Region:
    """Return the checked options.

    Tests that forward them show the entries below.

    Parameters
    ----------
    rope : float, default=0.01
        The region of practical equivalence: differences up to this size count as none. In the unit
        of the scores; 0 for no such region.
    higher_is_better : bool, default=True
        False for errors and losses.
    on_undefined : {'warn', 'raise', 'ignore'}, default='warn'
        As everywhere; these probabilities are always defined.
    """
    check_undefined(on_undefined)
    limit = check_amount("rope", rope, 0.0)
    return Region(limit, check_flag("higher_is_better", higher_is_better), nan_policy)


class Posterior(TypedDict):
    """How probable it is that the first model is better, that neither is, that the second is."""

    probability_a: float
    probability_rope: float
    probability_b: float


@dataclass(frozen=True, eq=False, kw_only=True)
class PosteriorResult(TwoModels):
    """How probable it is that either model is better; differences up to `rope` count as none."""

    probability_a: float
    probability_rope: float
    probability_b: float
    rope: float
    higher_is_better: bool
    n: int
    n_dropped: int
    method: str
    status: str

    rows: ClassVar[str] = "pairs"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        first, second = self._called
        return (
            f"The probability that {first} is better than {second} is {self.probability_a:.4f}, "
            f"that it is worse {self.probability_b:.4f}, and that both are equivalent (within "
            f"{self.rope:g}) {self.probability_rope:.4f} ({self.method}, {self.n} {self.rows})."
        )


def posterior_probabilities(of_difference: Sequence[float], higher_is_better: bool) -> Posterior:
    """Return by model the probabilities of a score above the second's, about equal, and below."""
    above, within, below = of_difference
    first, second = (above, below) if higher_is_better else (below, above)
    return Posterior(probability_a=first, probability_rope=within, probability_b=second)
