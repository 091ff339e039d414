"""DeLong's paired test for many problems in one call: the one for loops."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...._base.documented import documented
from ...._base.parallel import map_threads
from ...._base.types import Direction, Matrix, Undefined, Vector
from ...._inference.pvalues import ratios
from ...._inference.references import log_reference_pvalues, reference_pvalues
from ...._inference.status import announce
from ...._inference.welch import welch_dfs
from ...._inputs.labels import as_label_rows
from ...._inputs.options import ALTERNATIVES, check_choice, check_undefined, count_jobs
from ...._inputs.scores import as_score_rows
from ...._results.batch import BatchResult
from ....kernels.batch import placements_of_rows, test_rows
from ....kernels.class_variances import class_variance_rows
from .design import cure, few_cases

BLOCK_CASES = 1 << 15  # 2^13 to 2^21 are equally fast (see bench_auc); small saves memory


@dataclass(frozen=True, eq=False, kw_only=True)
class DeLongBatchResult(BatchResult):
    """Result of `delong_batch`: arrays over the B problems."""

    estimate: Vector
    standard_error: Vector
    df: Vector
    auc: NDArray[np.float64]
    n_positive: NDArray[np.int64]
    n_negative: NDArray[np.int64]
    alternative: str
    method: str = "DeLong's paired test"
    title: ClassVar[str] = "DeLong's test of many pairs of AUCs"

    @property
    def log_pvalue(self) -> Vector:
        """The natural logarithms (B,) of the p-values, finite where those underflow."""
        return log_reference_pvalues(self.statistic, self.pvalue, self.df, self.alternative)


@documented
def delong_batch(
    y_true: ArrayLike,
    scores_a: ArrayLike,
    scores_b: ArrayLike,
    *,
    reference: str = "normal",
    alternative: Direction = "two-sided",
    n_jobs: int = 1,
    pos_label: object = None,
    on_undefined: Undefined = "warn",
) -> DeLongBatchResult:
    """Run `delong_test` on B problems of n cases each, all in one call.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (B, n)
        Labels, the same for all problems or one row a problem.
    scores_a, scores_b : array-like of shape (B, n)
        A row of scores for each problem, by the first and by the second model.

    reference : {'normal', 't'}, default='normal'
        What the statistics are compared with, as in `delong_test`.

    Returns
    -------
    DeLongBatchResult
        With ``statistic``, ``pvalue``, ``log_pvalue``, ``estimate``, ``standard_error``, ``df``
        (infinite for a normal reference), each of shape (B,), ``auc`` (B, 2), ``n_positive`` and
        ``n_negative`` (B,).

    Warns
    -----
    UndefinedResultWarning
        Once a kind, if problems lack a class, have one case of a class, or have variance 0 with a
        difference; their undefined parts are NaN.
    SmallSampleWarning
        Once, if problems have so few cases of a class that `delong_test` says "small_sample".

    See Also
    --------
    delong_test : One problem, with intervals, margins and missing values.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.

    Examples
    --------
    >>> import numpy as np
    >>> import fastcompare as fc
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(100) % 2
    >>> a, b = rng.normal(size=(2, 1000, 100)) + y
    >>> result = fc.delong_batch(y, a, b)
    >>> result.pvalue.shape
    (1000,)
    """
    check_undefined(on_undefined)
    check_choice("alternative", alternative, ALTERNATIVES)
    check_choice("reference", reference, ("normal", "t"))
    jobs = count_jobs(n_jobs)
    a, b = as_score_rows(scores_a=scores_a, scores_b=scores_b)
    labels = as_label_rows("y_true", y_true, a.shape, pos_label)

    parts = np.empty((2, len(a))) if reference == "t" else None
    won_a, won_b, variance = compute(labels, a, b, jobs, parts)

    m = np.broadcast_to(np.count_nonzero(labels, axis=1), (len(a),)).astype(np.int64)
    n = a.shape[1] - m
    with np.errstate(invalid="ignore"):
        auc = np.stack([won_a, won_b], axis=1) / (2.0 * m * n)[:, None]
        estimate = (won_a - won_b) / (2.0 * m * n)
    error = np.sqrt(variance)
    z = ratios(estimate, error)
    df = np.broadcast_to(math.inf, z.shape) if parts is None else welch_dfs(parts, (m, n))
    for status, detail in (("ok", ""), *rough_problems(m, n, z, df)):
        announce(status, on_undefined, detail)

    return DeLongBatchResult(
        statistic=z,
        pvalue=reference_pvalues(z, error, df, alternative),
        estimate=estimate,
        standard_error=error,
        df=df,
        auc=auc,
        n_positive=m,
        n_negative=n,
        alternative=alternative,
    )


def compute(
    labels: NDArray[np.uint8], a: Vector, b: Vector, jobs: int, parts: Matrix | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64], Vector]:
    """Return the doubled wins of both models and the variance of their difference, by problem.

    What each class adds to the variance is written to `parts` (2, B), if there is one.
    """
    problems, size = a.shape
    won = np.empty((2, problems), np.int64)
    variance = np.empty(problems)
    height = max(1, BLOCK_CASES // size)

    def run(start: int) -> None:
        part = slice(start, start + height)
        y = labels[part] if len(labels) > 1 else labels
        placed = np.empty((2, *a[part].shape), np.uint32)
        placements_of_rows(a[part], y, placed[0])
        placements_of_rows(b[part], y, placed[1])
        test_rows(placed[0], placed[1], y, won[0, part], won[1, part], variance[part])
        if parts is not None:
            class_variance_rows(placed[0], placed[1], y, parts[:, part])

    map_threads(run, range(0, problems, height), jobs)
    return won[0], won[1], variance


def rough_problems(
    m: NDArray[np.int64], n: NDArray[np.int64], z: Vector, df: Vector
) -> Iterator[tuple[str, str]]:
    """Yield the status word of each kind of rough or undefined result, and which have it."""
    fewest = np.minimum(m, n)
    kinds = {
        "one_class": fewest == 0,
        "too_few": fewest == 1,
        "small_sample": (fewest > 1) & (fewest < few_cases(df)) & np.isfinite(z),
        "zero_variance": np.isinf(z),
    }
    for status, where in kinds.items():
        if where.any():
            hint = cure(df) if status == "small_sample" else ""
            first = np.flatnonzero(where)[0]
            count = np.count_nonzero(where)
            yield status, f"{hint} ({count} of {m.size} problems, the first is {first})"
