"""What comparisons of AUCs share: numbers of cases, cautions, fields of pairs, rare differences.

Models that rank most cases nearly identically differ by few cases, which a sample may lack: a
quantised copy moves every case a little and few cases far. At the margin DeLong's test would claim
non-inferiority of such models in up to 66% of samples (docs/evidence/noninferiority.md), so the
claim takes the bound of `rare_differences`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from .._base.text import amount, direction_note
from .._base.types import Fields, Matrix, Vector
from .._inference.corrections.adjust import PairClaims
from .._inference.infer import RareDifferenceBound
from .._inference.pvalues import ratios
from .._inference.unseen import UnseenFailures, unseen_failures
from .._inputs.scores import Cases
from .._results.caution import Cautious, CautiousPairs
from .._results.pairs import IdenticalPairs, ReferencePairs, adjust_pair_pvalues
from .._results.two_models import Result
from ._components import as_components
from ._intervals import PAIRS, unvaried_bound_of_cases


def caution(status: Any, class_sizes: Any, approximation: str) -> str:
    """Return a sentence that `approximation` rejects too often, for the status 'small_sample'.

    `status` is one word or those of all pairs; without this one the sentence is empty.
    `class_sizes` are the numbers of cases, or of effective cases, of the classes.
    """
    if "small_sample" not in status:
        return ""
    fewest = float(np.min(class_sizes))
    cases = "cases" if fewest.is_integer() else "effective cases"
    return f" {fewest:.3g} {cases} of a class: {approximation} rejects too often."


@dataclass(frozen=True, eq=False, kw_only=True)
class OfClasses:
    """A result with numbers of positives, negatives and dropped cases."""

    n_positive: int
    n_negative: int
    n_dropped: int

    @property
    def _class_counts(self) -> str:
        """The numbers of cases in words: '7 positives, 6 negatives'."""
        return f"{amount(self.n_positive, 'positive')}, {amount(self.n_negative, 'negative')}"


class CautiousClasses(Cautious):
    """A comparison of AUCs with a caution about unseen failures: cases of one class ranked last."""

    n_positive: Any
    n_negative: Any

    @property
    def _independent_cases(self) -> tuple[float, float]:
        """The effective numbers of independent positives and negatives."""
        return float(self.n_positive), float(self.n_negative)

    @property
    def _units(self) -> str:
        """The units among which a model may fail: the cases of the smaller class."""
        positives, negatives = self._independent_cases
        return "negative cases" if negatives < positives else "positive cases"


@dataclass(frozen=True, eq=False, kw_only=True)
class AUCDifference(CautiousClasses, Result):
    """A test of two AUCs; `estimate` is ``auc[0] - auc[1]``."""

    auc: NDArray[np.float64]
    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    measure: ClassVar[str] = "AUC"
    _quantity: ClassVar[str] = "AUC"
    _follows_sample: ClassVar[bool] = True
    digits: ClassVar[str] = ".3f"
    _several_classes: ClassVar[bool] = False

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        values = self._values_sentence(f"The {self.measure}s are", self.auc)
        note = direction_note(self.auc, self._several_classes)
        return values + note + self._caution() + self._stated_failures()

    def _caution(self) -> str:
        """Return a sentence about few cases, if the status says so."""
        return ""

    def _failures(self) -> UnseenFailures | None:
        """Return the failures of the leading model that a sample of this size may lack."""
        cases = min(self._independent_cases)
        return unseen_failures(self.estimate, self.auc, cases, self.alternative, self.margin)


@dataclass(frozen=True, eq=False, kw_only=True)
class AUCPairsResult(CautiousPairs, CautiousClasses, ReferencePairs):
    """AUCs of k models and their differences; arrays over P = k (k - 1) / 2 pairs, in row order."""

    auc: Vector
    covariance: Matrix
    n_positive: int
    n_negative: int

    quantity: ClassVar[str] = "AUC"
    _claim: ClassVar[str] = "has a {more} AUC than"
    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    approximation: ClassVar[str] = "the normal approximation"  # which few cases make rough
    _presented: ClassVar[str] = "auc"

    @property
    def auc_standard_error(self) -> Vector:
        """Standard errors (k,) of the AUCs."""
        return np.sqrt(np.diag(self.covariance))

    def _summary(self) -> str:
        """Return the result in a sentence of plain words, at the level `alpha` (5%)."""
        return super()._summary() + self._caution() + self._stated_failures()

    def _caution(self) -> str:
        """Return a sentence about few cases, if the status says so."""
        return caution(self.status, self._independent_cases, self.approximation)

    def _failures(self) -> UnseenFailures:
        """Return the failures of the leading model that a sample of this size may lack."""
        first, second = self._cells()
        aucs = (self.auc[first], self.auc[second])
        cases = min(self._independent_cases)
        return unseen_failures(self.estimate, aucs, cases, self.alternative)

    def _model_limits(self, level: float) -> tuple[Vector, Vector]:
        """Return the limits (k,) of each model's AUC at this level."""
        low, high = self.auc_interval(level)  # type: ignore[attr-defined]
        return np.asarray(low), np.asarray(high)


def auc_pair_fields(
    cases: Cases, estimate: Vector, error: Vector, pvalue: Vector, claims: PairClaims
) -> Fields:
    """Return the fields of an `AUCPairsResult` from the differences of all pairs and p-values."""
    return Fields(
        names=cases.names,
        estimate=estimate,
        standard_error=error,
        statistic=ratios(estimate, error),
        pvalue=pvalue,
        adjusted_pvalue=adjust_pair_pvalues(pvalue, claims.correction),
        correction=claims.correction,
        alternative=claims.alternative,
        alpha=claims.alpha,
        n_dropped=cases.n_dropped,
        _unvaried=IdenticalPairs.of(estimate, error, unvaried_bound_of_cases(cases)),
    )


NEARLY = 0.01  # share of the other class: differently trained models move half of the cases farther


def rare_differences(cases: Cases) -> RareDifferenceBound | None:
    """Return the bound by rare differences; None unless most cases of a class barely move.

    A case moves by the difference of its two models' placements. Losses and gains are those of the
    class where they are greater.
    """
    if cases.weight_kind is not None or cases.groups is not None:
        return None
    components = as_components(cases)
    m = components.m
    n = components.n
    positive = components.labels == 1
    if min(m, n) < 2:
        return None
    moves = components.placed[0].astype(np.int64) - components.placed[-1]
    moves_x, moves_y = moves[positive], moves[~positive]
    n_near_ties = [
        int(np.count_nonzero(abs(class_moves) <= math.floor(2.0 * NEARLY * other_class_size)))
        for class_moves, other_class_size in ((moves_x, n), (moves_y, m))
    ]
    if not hardly_move(n_near_ties, (m, n)):
        return None
    differences = moves_x / (2 * n), moves_y / (2 * m)  # of V10 and of V01
    least = min(m, n)
    gains = least * max(float(np.maximum(of_class, 0.0).mean()) for of_class in differences)
    losses = least * max(float(np.maximum(-of_class, 0.0).mean()) for of_class in differences)
    return RareDifferenceBound(least, losses, gains, PAIRS)


def hardly_move(n_near_ties: Sequence[int], class_sizes: Sequence[int]) -> bool:
    """Return whether more than half of a class barely changes its placement.

    `n_near_ties` are the numbers of such cases among the `class_sizes`.
    """
    return any(2 * count > size for count, size in zip(n_near_ties, class_sizes, strict=True))
