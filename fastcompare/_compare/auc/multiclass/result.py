"""What comparisons of several classes return, and what their status is."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...._base.text import direction_note, figure
from ...._inference.status import FEW, difference_status, sample_status
from ...._inference.unvaried import Unvaried
from ...._resampling.bootstrap import BootstrapInterval, BootstrapResult
from ...._results.records import StudentResult
from ..differences import AUCDifference, caution
from ..intervals import INTERVALS, Evidence
from .walks import PAIRWISE, TITLES, Averages


@dataclass(frozen=True, eq=False, kw_only=True)
class MulticlassAUCResult(BootstrapInterval):
    """Result of `multiclass_auc`."""

    average: str
    classes: tuple[Any, ...]
    n_per_class: NDArray[np.int64]
    per_class: NDArray[np.float64]
    per_pair: NDArray[np.float64] | None
    n_dropped: int
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    title: ClassVar[str] = "Area under the ROC curve of several classes"

    def _ends(self, level: float) -> tuple[float, float]:
        if self.method not in INTERVALS:
            return super()._ends(level)
        smallest = int(self.n_per_class.min())
        found = Evidence(self.estimate, self.standard_error, smallest, smallest)
        return INTERVALS[self.method](found, 0.5 * (1.0 - level))

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        title = TITLES[self.average]
        return (
            f"{title[0].upper()}{title[1:]} of {len(self.classes)} classes is "
            f"{figure(self.estimate)} ({self._stated_interval()}, {self.method} method; "
            f"{self.n_per_class.sum()} cases).{direction_note(self.estimate)}"
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class MulticlassDifference(AUCDifference):
    """What tests of two averages share; `estimate` is ``auc[0] - auc[1]``."""

    average: str
    covariance: NDArray[np.float64]
    classes: tuple[Any, ...]
    n_per_class: NDArray[np.int64]
    n_dropped: int
    title: ClassVar[str] = "Test of two AUCs of several classes"

    def _caution(self) -> str:
        return caution([self.status], self.n_per_class, "the approximation")


@dataclass(frozen=True, eq=False, kw_only=True)
class MulticlassAUCTestResult(MulticlassDifference, StudentResult):
    """Result of `multiclass_auc_test` by its closed form."""


@dataclass(frozen=True, eq=False, kw_only=True)
class BootstrapMulticlassAUCResult(BootstrapResult, MulticlassDifference):
    """Result of `multiclass_auc_test` by a bootstrap."""


def tables_of(
    averages: Averages, average: str
) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
    """Return the AUC of each class and, where the walks are pairs, of each ordered pair."""
    c = averages.counts.size
    auc = averages.auc[:, 0]
    if average not in PAIRWISE:  # one walk a class, in the order of the classes
        return auc, None
    others = ~np.eye(c, dtype=bool)
    table = np.full((c, c), math.nan)
    table[others] = auc  # the walks are in row order
    return auc.reshape(c, c - 1).mean(axis=1), table


def single_status(averages: Averages, variance: float) -> str:
    """Return the status word of one model's average."""
    fewest = int(averages.counts.min())
    status = sample_status(fewest, fewest, FEW) if fewest else "missing_class"
    if status in ("missing_class", "too_few") or variance > 0.0:
        return status
    found = set(averages.auc[:, 0].tolist())
    if found == {0.5}:
        return "constant_scores"
    return "perfect_separation" if found <= {0.0, 1.0} else "zero_variance"


def paired_status(averages: Averages, variance: float, margin: float) -> str:
    """Return the status word of a difference of averages."""
    fewest = int(averages.counts.min())
    if not fewest:
        return "missing_class"
    aucs = averages.auc.ravel().tolist()
    return difference_status(fewest, fewest, variance, averages.difference, aucs, FEW, margin)


def unvaried_classes(averages: Averages) -> Unvaried:
    """Return the bound by sets of a case of each class, none in two sets, if none differs.

    For equal differences other than 0 there is no proof for more than one set.
    """
    fewest = 1 if averages.difference else int(averages.counts.min())
    return Unvaried(fewest, name="sets of a case of each class")
