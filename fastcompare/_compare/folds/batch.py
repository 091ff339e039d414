"""The corrected resampled t-test for many comparisons in one call: the one for loops."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ..._base.documented import documented
from ..._base.parallel import map_threads
from ..._base.types import Direction, Undefined, Vector
from ..._inference.pvalues import log_student_pvalues
from ..._inference.status import announce
from ..._inputs.options import ALTERNATIVES, check_choice, check_undefined, count_jobs
from ..._inputs.rounds import as_paired_rows, check_sizes, refuse_infinite, refuse_range
from ..._results.batch import BatchResult
from ...kernels.tables.folds import moments_of_rows
from .student import SizedRounds, student_rows

BLOCK = 1 << 20  # scores of a model that a thread takes at once


@dataclass(frozen=True, eq=False, kw_only=True)
class TTestCorrectedBatchResult(SizedRounds, BatchResult):
    """Result of `ttest_corrected_batch`: arrays over the B comparisons."""

    df: int
    estimate: Vector
    standard_error: Vector
    alternative: str
    n: int
    method: str = "corrected resampled t-test"
    title: ClassVar[str] = "Corrected resampled t-tests of many pairs of models"

    @property
    def log_pvalue(self) -> Vector:
        """The natural logarithms (B,) of the p-values, finite where those underflow."""
        return log_student_pvalues(self.statistic, self.pvalue, self.df, self.alternative)


@documented
def ttest_corrected_batch(
    scores_a: ArrayLike,
    scores_b: ArrayLike,
    *,
    n_train: float | None = None,
    n_test: float | None = None,
    alternative: Direction = "two-sided",
    n_jobs: int = 1,
    on_undefined: Undefined = "warn",
) -> TTestCorrectedBatchResult:
    """Run `ttest_corrected` on B comparisons of J rounds each, all in one call.

    Valid for the designs of `ttest_corrected`.

    Parameters
    ----------
    scores_a, scores_b : array-like of shape (B, J)
        A row of scores for each comparison, by the first and by the second model.
    n_train, n_test, alternative, on_undefined
        As in `ttest_corrected`, the same for all comparisons.

    Returns
    -------
    TTestCorrectedBatchResult
        With ``statistic``, ``pvalue``, ``log_pvalue``, ``estimate``, ``standard_error``, each of
        shape (B,), and ``df``.

    Warns
    -----
    UndefinedResultWarning
        Once, if comparisons have equal differences other than 0; their p-values are NaN.

    See Also
    --------
    ttest_corrected : One comparison, with intervals, margins and missing values.

    Notes
    -----
    Each row is tested as by `ttest_corrected`: t = d / sqrt(s^2 (1 / J + n_test / n_train)), with
    J - 1 degrees of freedom.

    References
    ----------
    .. [1] C. Nadeau, Y. Bengio (2003), doi:10.1023/A:1024068626366.

    Examples
    --------
    >>> import numpy as np
    >>> import fastcompare as fc
    >>> a, b = np.random.default_rng(0).normal(size=(2, 1000, 100))
    >>> fc.ttest_corrected_batch(a, b, n_train=90, n_test=10).pvalue.shape
    (1000,)
    """
    check_choice("alternative", alternative, ALTERNATIVES)
    check_undefined(on_undefined)
    jobs = count_jobs(n_jobs)
    train, test = check_sizes(n_train, n_test)
    a, b = as_paired_rows(scores_a, scores_b)

    estimate, scatter = rows_moments(a, b, jobs)
    n = a.shape[1]
    t, error, pvalue = student_rows(estimate, scatter, n, test / train, alternative)
    stuck = np.isinf(t)
    where = f" ({np.count_nonzero(stuck)} of {t.size} comparisons, first {stuck.argmax()})"
    announce("zero_variance" if stuck.any() else "ok", on_undefined, where)

    return TTestCorrectedBatchResult(
        statistic=t,
        df=n - 1,
        pvalue=pvalue,
        estimate=estimate,
        standard_error=error,
        alternative=alternative,
        n=n,
        n_train=train,
        n_test=test,
    )


def rows_moments(a: Vector, b: Vector, jobs: int) -> tuple[Vector, Vector]:
    """Return the mean and the scatter of a - b by row, or raise for what is not finite.

    What is not finite shows in the scatter, so the scores are read once.
    """
    estimate, scatter = np.empty((2, len(a)))
    height = max(1, BLOCK // a.shape[1])

    def run(start: int) -> None:
        part = slice(start, start + height)
        with np.errstate(all="ignore"):  # for kernels run as plain Python
            moments_of_rows(a[part], b[part], estimate[part], scatter[part])

    map_threads(run, range(0, len(a), height), jobs)
    wrong = ~(scatter < math.inf)
    if wrong.any():
        first = int(wrong.argmax())
        refuse_infinite("scores_a", a, first=first)
        refuse_infinite("scores_b", b, first=first)
        refuse_range()
    return estimate, scatter
