"""What permutation tests of two AUCs or curves share: midranks and what they find.

Each model ranks all cases. If the models are exchangeable, a case's two ranks may as well be
exchanged; a replicate does so for about half of the cases. Ranks rather than scores, since the two
models' scores may be on different scales.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...._base.types import AnyArray
from ...._inference.pvalues import UNDEFINED, PValue
from ...._inputs.cases import Cases
from ...._inputs.permutations import check_fewer, check_steps
from ...._inputs.workers import Workers
from ....kernels.sorting.midrank import midranks
from ..components import WIDE_FROM

if TYPE_CHECKING:
    from .studentized import StudentizedEnds

Ranks = list[NDArray[np.uint32]]


@dataclass(frozen=True, slots=True)
class Plan:
    """What the user asked for."""

    alternative: str
    exact: bool | None
    n_resamples: int
    seed: int
    workers: Workers

    def counts_all(self, work: float, quick: float, most: float) -> bool:
        """Return whether to count all exchanges, by default up to `quick` steps of work."""
        if self.exact:
            check_steps(work, most)
        return work <= quick if self.exact is None else self.exact


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a test found; `values` are the replicates, None where none were drawn."""

    statistic: float
    estimate: float | None
    standard_error: float | None
    pvalue: PValue
    identical: bool = False
    exact: bool = False
    values: AnyArray | None = None
    ends: StudentizedEnds | None = None

    @classmethod
    def undefined(cls, method: str, estimate: float) -> Outcome:
        """Return the outcome where no test is defined."""
        if method == "venkatraman":
            return cls(math.nan, None, None, UNDEFINED)
        return cls(math.nan, estimate, math.nan, UNDEFINED)

    def status(self, m: int, n: int) -> str:
        """Return the status word for m positives and n negatives."""
        if not (m and n):
            return "one_class"
        if math.isnan(self.statistic):
            return "too_few"
        if math.isinf(self.statistic):
            return "no_interval"
        return "identical" if self.identical else "ok"


def ranks_of(cases: Cases) -> Ranks:
    """Return twice the midranks that each model gives to all cases."""
    check_fewer(cases.labels.size, WIDE_FROM)  # twice a rank takes 32 bits, 4mn differences 63
    ranks = [np.empty(scores.size, np.uint32) for scores in cases.scores]
    for scores, out in zip(cases.scores, ranks, strict=True):
        midranks(scores, out)
    return ranks
