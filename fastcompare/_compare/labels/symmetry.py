"""Do two raters or models use the labels alike? For three classes or more.

Notation: n_ij cases have label i from the first and label j from the second.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._base.forward import forwards
from ..._base.text import counted
from ..._base.types import NanPolicy, Undefined
from ..._inference.pvalues import CERTAIN, chi2_pvalue
from ..._inputs.options import check_undefined
from ..._inputs.raters import as_label_counts
from ..._results.omnibus import OmnibusResult
from ..._results.records import TwoModels

Rows = list[list[int]]


@dataclass(frozen=True, eq=False, kw_only=True)
class SymmetryResult(TwoModels, OmnibusResult):
    """Result of `bowker_test` and `stuart_maxwell_test`; there is no single estimate."""

    table: NDArray[Any]
    classes: tuple[Any, ...]
    n: int
    title: ClassVar[str] = "Two sets of labels of the same cases"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        agree = sum(int(count) for count in np.diag(self.table))
        both = self._both_called("The two labels")
        return (
            f"{both} agree on {agree} of {counted(self.n, 'case')} with "
            f"{counted(len(self.classes), 'class', 'classes')} ({self.method}, {self._evidence()})."
        )


class Rating(TypedDict, total=False):
    """Options of the tests of two raters."""

    nan_policy: NanPolicy
    on_undefined: Undefined


def symmetry_test(
    statistic_of: Callable[[Rows], tuple[float, int]],
    method: str,
    labels_a: Any,
    labels_b: ArrayLike | None,
    *,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> SymmetryResult:
    """Return a test of a table from its statistic and degrees of freedom.

    Parameters
    ----------
    labels_a : array-like of shape (n,), or a square table of counts
        Labels of any type. A table (K, K) of counts, the first one's labels in rows, stands for
        all labels; in a data frame, rows and columns are joined by their labels.
    labels_b : array-like of shape (n,), optional
        The other labels of the same cases, of the same kind.
    on_undefined : {'warn', 'raise', 'ignore'}, default='warn'
        What to do when a part of the result is not defined: here all parts always are.

    Returns
    -------
    SymmetryResult
        With ``statistic`` (chi-squared), ``df``, ``pvalue``, ``log_pvalue``, ``table`` (K, K),
        ``classes``, ``n``, ``n_dropped``, ``status``, ``summary()`` and ``to_dict()``.
    """
    check_undefined(on_undefined)
    labels = as_label_counts(nan_policy, labels_a=labels_a, labels_b=labels_b)
    statistic, df = statistic_of(labels.counts)
    return SymmetryResult(
        **(chi2_pvalue(statistic, df) if df else CERTAIN)._asdict(),
        statistic=statistic,
        df=df,
        table=np.array(labels.counts),
        classes=labels.classes,
        n=sum(map(sum, labels.counts)),
        n_dropped=labels.n_dropped,
        names=labels.names,
        method=method,
        status="ok" if df else "no_discordant",
    )


@forwards(symmetry_test)
def bowker_test(
    labels_a: Any, labels_b: ArrayLike | None = None, **options: Unpack[Rating]
) -> SymmetryResult:
    """Test whether two raters or models confuse the classes symmetrically.

    The null hypothesis is that label i from the first and j from the second is as likely as j
    from the first and i from the second, for all i and j. Two classes make it McNemar's test.

    Notes
    -----
    With n_ij cases that the first puts into class i and the second into class j::

        chi^2 = sum over i < j of (n_ij - n_ji)^2 / (n_ij + n_ji)

    ``df`` counts the pairs of classes that occur together; R and statsmodels count all of them,
    so that pairs without a case weaken the test there.

    References
    ----------
    .. [1] A. H. Bowker (1948), doi:10.1080/01621459.1948.10483284.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.bowker_test([[20, 10, 5], [3, 30, 15], [0, 5, 40]])
    >>> round(result.statistic, 4), result.df, round(result.pvalue, 6)
    (13.7692, 3, 0.003237)
    """
    return symmetry_test(bowker, "Bowker's test of symmetry", labels_a, labels_b, **options)


@forwards(symmetry_test)
def stuart_maxwell_test(
    labels_a: Any, labels_b: ArrayLike | None = None, **options: Unpack[Rating]
) -> SymmetryResult:
    """Test whether two raters or models use each class equally often.

    Notes
    -----
    With n_ij cases that the first puts into class i and the second into class j::

        chi^2 = d' V^-1 d,    d_i = n_i. - n_.i
        v_ii = n_i. + n_.i - 2 n_ii,    v_ij = -(n_ij + n_ji)

    without one class of each group.

    ``df`` is the number of classes less 1, or less if classes fall into groups that are never
    confused.

    References
    ----------
    .. [1] A. Stuart (1955), doi:10.1093/biomet/42.3-4.412.
    .. [2] A. E. Maxwell (1970), doi:10.1192/bjp.116.535.651.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.stuart_maxwell_test([[20, 10, 5], [3, 30, 15], [0, 5, 40]])
    >>> round(result.statistic, 4), result.df, round(result.pvalue, 6)
    (13.7647, 2, 0.001026)
    """
    title = "Stuart-Maxwell test of equal margins"
    return symmetry_test(stuart_maxwell, title, labels_a, labels_b, **options)


def bowker(counts: Rows) -> tuple[float, int]:
    """Return sum (n_ij - n_ji)^2 / (n_ij + n_ji) over pairs that occur, and their number."""
    k = len(counts)
    pairs = [(counts[i][j], counts[j][i]) for i in range(k) for j in range(i + 1, k)]
    terms = [(one - other) ** 2 / (one + other) for one, other in pairs if one + other]
    return math.fsum(terms), len(terms)


def stuart_maxwell(counts: Rows) -> tuple[float, int]:
    """Return d' V^-1 d and its degrees of freedom, without one class of each group."""
    k = len(counts)
    apart = [[counts[i][j] + counts[j][i] if i != j else 0 for j in range(k)] for i in range(k)]
    gains = [sum(counts[i]) - sum(row[i] for row in counts) for i in range(k)]
    group = groups_of(apart)
    kept = [i for i in range(k) if i != group[i]]
    d = np.array([gains[i] for i in kept], dtype=np.float64)
    variance = -np.array([[apart[i][j] for j in kept] for i in kept], dtype=np.float64)
    if not kept:
        return 0.0, 0
    np.fill_diagonal(variance, [sum(apart[i]) for i in kept])
    return max(float(d @ np.linalg.solve(variance, d)), 0.0), len(kept)


def groups_of(apart: Rows) -> list[int]:
    """Return for each class the first class of its group: those that are confused, at a remove."""
    group = list(range(len(apart)))
    for i, row in enumerate(apart):
        for j, count in enumerate(row):
            if count and group[i] != group[j]:
                low, high = sorted((group[i], group[j]))
                group = [low if g == high else g for g in group]
    return group
