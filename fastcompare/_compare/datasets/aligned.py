"""The aligned-ranks test of Hodges and Lehmann that k models are equally good on N data sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..._base.documented import documented
from ..._base.types import Integers, NanPolicy, Undefined
from ..._inference.pvalues import CERTAIN, chi2_pvalue
from ..._inference.status import announce
from ..._inputs.models import as_model_table, check_three_models
from ..._inputs.options import check_choice, check_undefined
from ..._inputs.scores import ScoreTable
from .computed import aligned_ranks
from .friedman import TIES
from .omnibus import RanksResult, ranked_fields


@dataclass(frozen=True, eq=False, kw_only=True)
class FriedmanAlignedRanksResult(RanksResult):
    """Result of `friedman_aligned_ranks_test`; ranks are among all scores, 1 being the best."""

    ties: str
    title: ClassVar[str] = "Aligned-ranks test of several models on many data sets"
    called: ClassVar[str] = "Friedman's aligned-ranks test"
    ranked: ClassVar[str] = "average aligned ranks"


@documented
def friedman_aligned_ranks_test(
    scores: ScoreTable,
    *,
    ties: str = "ignored",
    higher_is_better: bool = True,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> FriedmanAlignedRanksResult:
    """Test whether k models are equally good on N data sets, by ranks among all scores.

    Each data set's mean is subtracted from its scores, and all k N differences are ranked together.
    So differences between data sets count, which helps where models are few.

    Parameters
    ----------
    scores : array-like of shape (N, k), mapping or data frame
        One metric on a scale that is the same for all data sets: data sets in rows, at least three
        models in columns; finite.
    ties : {'ignored', 'corrected'}, default='ignored'
        Whether the variance is that of ranks without ties, as published, or of the ranks found.

    Returns
    -------
    FriedmanAlignedRanksResult
        With ``statistic`` (chi-squared with ``df`` = k - 1), ``pvalue``, ``log_pvalue``,
        ``average_ranks`` (k,) of the aligned scores, ``names``, ``k``, ``n``, ``n_dropped``,
        ``status``, ``summary()`` and ``to_dict()``.

    Raises
    ------
    InvalidValueError
        If there are two models alone: `wilcoxon_test` compares them.

    See Also
    --------
    friedman_test : Ranks within data sets, for any scale.
    quade_test : Ranks within data sets, weighted.

    Notes
    -----
    A score is aligned by taking the mean of its data set from it. With the ranks r_ij of all N k
    aligned scores, R_j their sums by model, R_i by data set, and A = sum r_ij^2::

        chi^2 = (k - 1) sum (R_j - N (N k + 1) / 2)^2 / (A - sum R_i^2 / k)

    Aligned scores tie that differ by no more than 2^-50 of the largest score of their own data sets
    (of eight models; of more, as much more), which is about as much as rounding moves them, so
    dividing all scores by 100 changes nothing. Integers are aligned exactly. If all models tie on
    every data set, ``statistic`` is 0 and ``pvalue`` 1.

    References
    ----------
    .. [1] J. L. Hodges, E. L. Lehmann (1962), doi:10.1214/aoms/1177704575.
    .. [2] S. García, A. Fernández, J. Luengo, F. Herrera (2010), doi:10.1016/j.ins.2009.12.010.

    Examples
    --------
    >>> import fastcompare as fc
    >>> errors = {"a": [9, 8, 7, 8], "b": [7, 5, 6, 4], "c": [8, 6, 5, 6]}
    >>> result = fc.friedman_aligned_ranks_test(errors, higher_is_better=False)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (5.9789, 0.0503)
    """
    check_choice("ties", ties, TIES)
    check_undefined(on_undefined)
    table = as_model_table(scores, rows="data sets", nan_policy=nan_policy)
    check_three_models(table)

    doubled = aligned_ranks(table, higher_is_better)
    df = len(table.names) - 1
    statistic = aligned_chi2(doubled, ties)
    equal = bool((doubled == doubled[:, :1]).all())
    p = CERTAIN if equal else chi2_pvalue(statistic, df)
    status = "no_difference" if equal else "ok"
    announce(status, on_undefined)

    return FriedmanAlignedRanksResult(
        **ranked_fields(table, doubled.mean(axis=0) / 2.0),
        statistic=statistic,
        df=df,
        pvalue=p.pvalue,
        log_pvalue=p.log_pvalue,
        method="chi2",
        status=status,
        ties=ties,
    )


def aligned_chi2(doubled: Integers, ties: str) -> float:
    """Return (k - 1) sum_j (R_j - N (kN + 1) / 2)^2 / (A - sum_i R_i^2 / k), rounded once.

    R_j and R_i are the rank sums of models and of data sets, A is the sum of all squared ranks:
    kN (kN + 1)(2 kN + 1) / 6 without ties. Integers, here of doubled ranks, are exact.
    """
    n, k = doubled.shape
    size = n * k
    models, sets = doubled.sum(axis=0).tolist(), doubled.sum(axis=1).tolist()
    between = sum((total - n * (size + 1)) ** 2 for total in models)
    if ties == "ignored":
        squares = 2 * size * (size + 1) * (2 * size + 1) // 3
    else:
        squares = sum(np.square(doubled).sum(axis=1).tolist())
    within = k * squares - sum(total**2 for total in sets)
    return (k - 1) * k * between / within if between else 0.0
