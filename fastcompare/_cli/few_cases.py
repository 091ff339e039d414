"""P-values by permutation for pairs whose classes are too small for DeLong's."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

import fastcompare as fc

from .._base.types import Vector
from .._results.pairs import adjusted
from ..results import DeLongPairwiseResult

ROUGH = ("small_sample", "zero_variance")
MANY, FEWER = 99_999, 9_999  # random exchanges where all are too many to count
WORK = 1 << 20  # cases of all pairs up to which many take 3 s; fewer of a million cases as long
SEED = 0  # the same file gives the same p-values


@dataclass(frozen=True, eq=False, kw_only=True)
class PermutedPairs(DeLongPairwiseResult):
    """All pairs of models; p-values of small samples by permutation, intervals by Student's t."""

    title: ClassVar[str] = "Tests of all pairs of models"

    def _caution(self) -> str:
        fewest = min(self.n_positive, self.n_negative)
        tests = " and ".join(dict.fromkeys(m for m in self.method if "permutation" in m))
        if "small_sample" in self.status:
            return f" {fewest} cases of a class: p-values by {tests}, intervals by Student's t."
        return f" Without a variance, p-values by {tests}."


def permuted(
    result: DeLongPairwiseResult,
    status: NDArray[np.str_],
    y_true: NDArray[np.bool_],
    scores: Mapping[str, Vector],
    n_jobs: int,
) -> PermutedPairs:
    """Return the tests of all pairs, by permutation where a status is one of `ROUGH`.

    `y_true` and `scores` are of the cases that count.
    """
    rough = np.flatnonzero(np.isin(status, ROUGH))
    draws = MANY if rough.size * y_true.size <= WORK else FEWER
    pvalue, method = result.pvalue.copy(), result.method.astype(object)
    for p in rough.tolist():
        found = fc.permutation_auc_test(
            y_true,
            *(scores[name] for name in result.pairs[p]),
            alternative=result.alternative,  # type: ignore[arg-type]
            n_resamples=draws,
            rng=SEED,
            n_jobs=n_jobs,
        )
        how = "exact" if found.exact else f"{found.n_resamples} exchanges"
        pvalue[p], method[p] = found.pvalue, f"{found.method} ({how})"
    held: dict[str, Any] = {f.name: getattr(result, f.name) for f in fields(result)}
    changed = {
        "pvalue": pvalue,
        "adjusted_pvalue": adjusted(pvalue, result.correction),
        "method": method.astype(np.str_),
        "status": status,
    }
    return PermutedPairs(**(held | changed))
