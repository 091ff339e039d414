"""DeLong's paired test for many problems in one call."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._base.documented import documented
from ..._base.parallel import map_threads
from ..._base.types import Direction, Matrix, Undefined, Vector
from ..._inference.pvalues import ratios, reference_pvalues, welch_dfs
from ..._inference.skewness import floored_skewed_statistics
from ..._inference.status import FEW_CASES, warn_status
from ..._inference.unseen import UnseenFailures, unseen_failures
from ..._inputs.labels import as_label_rows
from ..._inputs.options import (
    ALTERNATIVES,
    check_choice,
    check_reference,
    check_undefined,
    count_jobs,
)
from ..._inputs.scores import UNNAMED, Cases, as_score_rows
from ..._results.records import BatchResult, ByReference
from ...kernels.pair import compare_placements, compare_rows
from ...kernels.sorting.linear import NARROW_MOST
from .._components import (
    THREADS_FROM,
    as_components,
    difference_skewness,
)
from .small_samples import FEW_FOR_T, few_cases_hint, uses_student_t

BLOCK_CASES = 1 << 15  # a few tenths of a millisecond, so that threads seldom wait for each other

Counts = NDArray[np.int64] | int  # of a class: in each problem, or in all of them


@dataclass(frozen=True, eq=False, kw_only=True)
class DeLongBatchResult(ByReference, BatchResult):
    """Result of `delong_batch`: arrays with one entry per problem."""

    estimate: Vector
    standard_error: Vector
    df: Vector
    auc: NDArray[np.float64]
    n_positive: NDArray[np.int64]
    n_negative: NDArray[np.int64]
    alternative: str
    method: str = "DeLong's paired test"
    title: ClassVar[str] = "DeLong's test of many pairs of AUCs"


@documented
def delong_batch(
    y_true: ArrayLike,
    scores_a: ArrayLike,
    scores_b: ArrayLike,
    *,
    reference: str = "auto",
    alternative: Direction = "two-sided",
    n_jobs: int = 1,
    pos_label: object = None,
    on_undefined: Undefined = "warn",
) -> DeLongBatchResult:
    """Run `delong_test` on B problems of n cases each, in one call.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (B, n)
        Labels, the same for all problems or one row per problem.
    scores_a, scores_b : array-like of shape (B, n)
        Scores of the first and of the second model, one row per problem.

    reference : {'auto', 'normal', 't'}, default='auto'
        Reference distribution, chosen for each problem as in `delong_test`.

    Returns
    -------
    DeLongBatchResult
        With ``statistic``, ``pvalue``, ``log_pvalue``, ``estimate``, ``standard_error``, ``df``
        (infinite for a normal reference), each of shape (B,), ``auc`` (B, 2), ``n_positive`` and
        ``n_negative`` (B,).

    Warns
    -----
    UndefinedResultWarning
        Once per reason, if problems lack a class, have one case of a class, or have variance 0 but
        a difference; their undefined parts are NaN.
    SmallSampleWarning
        Once, if problems have so few cases of a class that `delong_test` reports "small_sample".

    See Also
    --------
    delong_test : One problem, with intervals, margins and missing values.

    Notes
    -----
    Each row is tested as in `delong_test`, with d the differences of the components V10 and V01::

        z = (AUC_a - AUC_b) / SE,    SE^2 = s^2(d10) / m + s^2(d01) / n

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
    check_reference(reference)
    jobs = count_jobs(n_jobs)
    a, b = as_score_rows(scores_a=scores_a, scores_b=scores_b)
    labels = as_label_rows("y_true", y_true, a.shape, pos_label)

    wins, squares, skewness = compare_problems(labels, a, b, jobs, skewed=reference == "auto")

    m = np.broadcast_to(np.count_nonzero(labels, axis=1), (len(a),)).astype(np.int64)
    n = a.shape[1] - m
    with np.errstate(invalid="ignore"):
        auc, estimate = wins.T / (2.0 * m * n), (wins[:, 0] - wins[:, 1]) / (2.0 * m * n)
    error = np.sqrt(difference_variances(squares, m, n))
    df = problem_dfs(reference, squares, m, n)
    failures = unseen_failures(estimate, auc, np.minimum(m, n), "two-sided")
    z = floored_skewed_statistics(ratios(estimate, error), skewness, alternative, failures, df)
    result = DeLongBatchResult(
        statistic=z,
        pvalue=reference_pvalues(z, error, df, alternative),
        estimate=estimate,
        standard_error=error,
        df=df,
        auc=auc.T,
        n_positive=m,
        n_negative=n,
        alternative=alternative,
    )
    for status, detail in (("ok", ""), *statuses_of_problems(result, failures)):
        warn_status(status, on_undefined, detail)
    return result


def problem_dfs(
    reference: str, squares: Matrix, m: NDArray[np.int64], n: NDArray[np.int64]
) -> Vector:
    """Return the degrees of freedom of each problem, infinite for the normal distribution."""
    student = np.broadcast_to(uses_student_t(reference, "independent", np.minimum(m, n)), m.shape)
    if not student.any():
        return np.full(m.shape, math.inf)
    return np.where(student, welch_dfs(class_variance_terms(squares, m, n), (m, n)), math.inf)


def compare_problems(
    labels: NDArray[np.uint8], a: Matrix, b: Matrix, jobs: int, *, skewed: bool = False
) -> tuple[NDArray[np.int64], Matrix, Vector]:
    """Return 2mn AUC of both models, the squared deviations of both classes, and the skewness.

    The first two are of shape (B, 2), as `compare_placements` writes them; the skewness (B,) of
    the differences is 0 unless `skewed`.
    """
    problems, size = a.shape
    wins = np.empty((problems, 2), np.int64)
    squares = np.empty((problems, 2))
    skewness = np.zeros(problems)
    is_small = size <= NARROW_MOST
    height = max(1, BLOCK_CASES // size) if is_small else 1
    jobs = jobs if problems * size >= THREADS_FROM else 1

    def compare_block(start: int) -> None:
        """Write the results of `height` problems, from number `start` on."""
        rows = slice(start, start + height)
        y = labels[rows] if len(labels) > 1 else labels  # or one row for all problems
        if is_small:
            block_skewness = skewness[rows] if skewed else skewness[:0]  # empty: not wanted
            compare_rows(a[rows], b[rows], y, wins[rows], squares[rows], block_skewness)
        else:
            pair = Cases(y[0], (a[start], b[start]), UNNAMED)
            components = as_components(pair, n_jobs=jobs if problems == 1 else 1)
            placed_a, placed_b = components.placed
            out = wins[start], squares[start]
            compare_placements(placed_a, placed_b, y[0], components.m, False, *out)
            if skewed:
                skewness[start] = difference_skewness(components, 0, 1)

    map_threads(compare_block, range(0, problems, height), jobs)
    return wins, squares, skewness


def difference_variances(squares: Matrix, m: Counts, n: Counts) -> Vector:
    """Return DeLong's variances of the differences; NaN where a class has less than two cases."""
    with np.errstate(invalid="ignore", divide="ignore"):
        s10 = squares[:, 0] / (4.0 * n * n * (m - 1))
        s01 = squares[:, 1] / (4.0 * m * m * (n - 1))
        variances: Vector = s10 / m + s01 / n
    return variances


def class_variance_terms(squares: Matrix, m: Counts, n: Counts) -> Matrix:
    """Return the terms (2, B) of positives and of negatives in DeLong's variances."""
    with np.errstate(invalid="ignore", divide="ignore"):
        of_positives = squares[:, 0] / (4.0 * n * n * (m - 1) * m)
        of_negatives = squares[:, 1] / (4.0 * m * m * (n - 1) * n)
    return np.stack([of_positives, of_negatives])


def statuses_of_problems(
    result: DeLongBatchResult, failures: UnseenFailures
) -> Iterator[tuple[str, str]]:
    """Yield (status, end of a warning) of problems that are not 'ok': how many, and the first."""
    m, n, z, df = result.n_positive, result.n_negative, result.statistic, result.df
    fewest = np.minimum(m, n)
    enough = np.where(np.isinf(df), FEW_CASES, FEW_FOR_T)
    few = (fewest > 1) & (fewest < enough) & np.isfinite(z)
    with np.errstate(invalid="ignore"):
        explained = failures.explain(result.pvalue) & (fewest >= enough) & np.isfinite(z)
    kinds = (
        ("one_class", fewest == 0, ""),
        ("too_few", fewest == 1, ""),
        ("small_sample", few, few_cases_hint(df)),
        ("unseen_failures", explained, ""),
        ("zero_variance", np.isinf(z), ""),
    )
    for status, where, hint in kinds:
        if where.any():
            first = np.flatnonzero(where)[0]
            count = np.count_nonzero(where)
            yield status, f"{hint} ({count} of {m.size} problems, the first is {first})"
