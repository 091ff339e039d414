"""Quade's test that k models are equally good on N data sets."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._base.documented import documented
from ..._base.types import Integers, NanPolicy, Undefined
from ..._inference.pvalues import CERTAIN, PValue, f_pvalue
from ..._inference.status import announce
from ..._inputs.models import as_model_table, check_three_models
from ..._inputs.options import check_undefined
from ..._inputs.scores import ScoreTable
from .computed import ranks_of_ranges
from .friedman import friedman_status
from .friedman_methods import agreement_pvalue
from .omnibus import RanksResult, ranked_fields
from .ranks import Ranks, as_ranks


@dataclass(frozen=True, eq=False, kw_only=True)
class QuadeResult(RanksResult):
    """Result of `quade_test`; `weighted_ranks` are average ranks weighted as the test does."""

    weighted_ranks: NDArray[np.float64]
    title: ClassVar[str] = "Quade's test of several models on many data sets"
    called: ClassVar[str] = "Quade's test"


@documented
def quade_test(
    scores: ScoreTable,
    *,
    higher_is_better: bool = True,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> QuadeResult:
    """Test whether k models are equally good on N data sets, those that differ more counting more.

    Ranks within data sets are weighted by the rank of the data set's range, the largest score less
    the smallest.

    Parameters
    ----------
    scores : array-like of shape (N, k), mapping or data frame
        One metric on a scale that is the same for all data sets: data sets in rows, at least three
        models in columns; finite.

    Returns
    -------
    QuadeResult
        With ``statistic`` (F) and its ``df`` (two numbers), ``pvalue``, ``log_pvalue``,
        ``average_ranks`` (k,), ``weighted_ranks`` (k,), ``names``, ``k``, ``n``, ``n_dropped``,
        ``status``, ``summary()`` and ``to_dict()``.

    Raises
    ------
    InvalidValueError
        If there are fewer than three models.

    See Also
    --------
    friedman_test : All data sets count alike; more power for five models or more.
    friedman_aligned_ranks_test : Ranks between data sets.

    Notes
    -----
    With the rank Q_i of data set i by the range of its scores, and S_ij = Q_i (r_ij - (k + 1) /
    2)::

        F = (N - 1) B / (A - B),    A = sum S_ij^2,    B = sum over models of (sum_i S_ij)^2 / N

    Ranges tie that differ by no more than 2^-50 of the largest of their own four scores, which is
    about as much as rounding moves them, so dividing all scores by 100 changes nothing; other data
    sets play no part in it. Integers are subtracted exactly; ties within data sets are exact. If
    all models tie on every data set, ``statistic`` is 0 and ``pvalue`` 1. If all data sets rank the
    models alike and have ranges that tie, F is infinite and ``pvalue`` the chance of such ranks,
    (k!)^(1 - N) without ties.

    References
    ----------
    .. [1] D. Quade (1979), doi:10.1080/01621459.1979.10481670.
    .. [2] W. J. Conover (1999), Practical Nonparametric Statistics, section 5.8.

    Examples
    --------
    >>> import fastcompare as fc
    >>> errors = {"a": [9, 8, 7, 8], "b": [7, 5, 6, 4], "c": [8, 6, 5, 6]}
    >>> result = fc.quade_test(errors, higher_is_better=False)
    >>> result.df, round(result.statistic, 4), round(result.pvalue, 4)
    ((2, 6), 8.5122, 0.0177)
    """
    check_undefined(on_undefined)
    table = as_model_table(scores, rows="data sets", nan_policy=nan_policy)
    check_three_models(table)

    ranks = as_ranks(table.ordered, higher_is_better)
    weights = ranks_of_ranges(table)
    f = quade_f(ranks, weights)
    p = quade_pvalue(f, ranks)
    status = friedman_status(ranks.within, f)
    announce(status, on_undefined)

    return QuadeResult(
        **ranked_fields(table, ranks.average),
        statistic=f,
        df=ranks.df,
        pvalue=p.pvalue,
        log_pvalue=p.log_pvalue,
        method="f",
        status=status,
        weighted_ranks=weights @ ranks.doubled / (2.0 * weights.sum()),
    )


def quade_f(ranks: Ranks, weights: Integers) -> float:
    """Return F = (N - 1) B / (A - B), rounded once; 0 where all ranks tie.

    S_ij = Q_i (r_ij - (k + 1) / 2), A = sum S_ij^2, B = sum_j (sum_i S_ij)^2 / N; Q_i is the rank
    of the range. Integers, here of doubled ranks, are exact.
    """
    centred = ranks.doubled - (ranks.k + 1)
    by_set = np.square(centred).sum(axis=1).tolist()
    a = sum(q * q * s for q, s in zip(weights.tolist(), by_set, strict=True))
    nb = sum(s * s for s in (weights @ centred).tolist())
    rest = ranks.n * a - nb
    if not nb:
        return 0.0
    return (ranks.n - 1) * nb / rest if rest else math.inf


def quade_pvalue(f: float, ranks: Ranks) -> PValue:
    """Return the p-value of Quade's F; 1 where all ranks tie."""
    if not ranks.within:
        return CERTAIN
    return agreement_pvalue(ranks.doubled[0], ranks.n) if math.isinf(f) else f_pvalue(f, *ranks.df)
