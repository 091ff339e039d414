"""The test of Skillings and Mack that k models are equally good, where some scores are missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._base.documented import documented
from ..._base.types import Matrix, Undefined, Vector
from ..._inference.pvalues import CERTAIN, chi2_pvalue
from ..._inference.status import announce
from ..._inputs.designs import comparable_rows
from ..._inputs.models import as_model_table, check_three_models
from ..._inputs.options import check_choice, check_undefined
from ..._inputs.scores import ScoreTable
from .friedman import TIES
from .omnibus import RanksResult, ranked_fields
from .partial import PartialRanks, as_partial_ranks


@dataclass(frozen=True, eq=False, kw_only=True)
class SkillingsMackResult(RanksResult):
    """Result of `skillings_mack_test`; average ranks are over the data sets that have the model."""

    adjusted_sums: NDArray[np.float64]
    n_scores: NDArray[np.int64]
    ties: str
    title: ClassVar[str] = "Skillings-Mack test of several models on data sets that some miss"
    called: ClassVar[str] = "Skillings-Mack test"


@documented
def skillings_mack_test(
    scores: ScoreTable,
    *,
    ties: str = "corrected",
    higher_is_better: bool = True,
    on_undefined: Undefined = "warn",
) -> SkillingsMackResult:
    """Test whether k models are equally good on N data sets, with any pattern of missing scores.

    Parameters
    ----------
    scores : array-like of shape (N, k), mapping or data frame
        One metric, NaN where missing: data sets in rows, at least three models in columns.
    ties : {'corrected', 'ignored'}, default='corrected'
        Whether the variance of a data set's ranks accounts for ties, or not, as published.

    Returns
    -------
    SkillingsMackResult
        With ``statistic`` (chi-squared) and its ``df``, ``pvalue``, ``log_pvalue``,
        ``adjusted_sums`` (k,), weighted sums of the ranks less their means, negative being better,
        ``average_ranks`` (k,), each over the data sets that have the model, ``n_scores`` (k,) of
        each model, ``names``, ``k``, ``n``, ``n_dropped``, ``status``, ``summary()`` and
        ``to_dict()``.

    Raises
    ------
    InvalidValueError
        If there are fewer than three models.

    Warns
    -----
    DroppedCasesWarning
        If data sets hold fewer than two scores: they compare nothing.
    UndefinedResultWarning
        If the models fall into groups that share no data set, or only some on which all tie. The
        test is then of equality within the groups.

    See Also
    --------
    friedman_test : The same where no score is missing.
    durbin_test : Balanced designs, with an F statistic.

    Notes
    -----
    With s_i models on data set i, and the rank r_ij of model j where it has a score::

        A_j = sum_i sqrt(12 / (s_i + 1)) (r_ij - (s_i + 1) / 2),    chi^2 = A' S^- A

    where S is the covariance of A if all orders are equally likely.

    Scores must be missing for reasons that have nothing to do with them. With c such groups
    ``df`` is k - c. If all models tie on every data set, ``statistic`` is 0 and ``pvalue`` 1.

    References
    ----------
    .. [1] J. H. Skillings, G. A. Mack (1981), doi:10.1080/00401706.1981.10486261.

    Examples
    --------
    >>> import fastcompare as fc
    >>> errors = {"a": [9, 8, 7, 8], "b": [float("nan"), 5, 6, 4], "c": [8, 6, 5, 6]}
    >>> result = fc.skillings_mack_test(errors, higher_is_better=False)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (5.6233, 0.0601)
    """
    check_choice("ties", ties, TIES)
    check_undefined(on_undefined)
    given = as_model_table(scores, rows="data sets", keep_missing=True, finite=False)
    check_three_models(given)
    ranks = as_partial_ranks(given.values, higher_is_better)
    table = comparable_rows(given, ranks.sizes, "data sets")
    if table.n_dropped:
        ranks = as_partial_ranks(table.values, higher_is_better)

    sums, covariance = adjusted_sums(ranks, ties)
    rest = not_the_first(covariance != 0.0)
    statistic = quadratic_form(sums, covariance, rest)
    equal = not ranks.squares.any()
    k = len(table.names)
    df = k - 1 if equal else int(np.count_nonzero(rest))
    p = CERTAIN if equal else chi2_pvalue(statistic, df)
    status = "no_difference" if equal else "ok" if df == k - 1 else "disconnected"
    announce(status, on_undefined)

    return SkillingsMackResult(
        **ranked_fields(table, ranks.average),
        statistic=statistic,
        df=df,
        pvalue=p.pvalue,
        log_pvalue=p.log_pvalue,
        method="chi2",
        status=status,
        adjusted_sums=sums,
        n_scores=ranks.models[0],
        ties=ties,
    )


def adjusted_sums(ranks: PartialRanks, ties: str) -> tuple[Vector, Matrix]:
    """Return A_j = sum_i sqrt(12 / (s_i + 1)) (r_ij - (s_i + 1) / 2), and their covariance.

    Two models have covariance -1 for each data set they share; with ties, the variance of its ranks
    over that without ties, (s^2 - 1) / 12, in place of 1.
    """
    s = ranks.sizes.astype(np.float64)
    sums = np.asarray(np.sqrt(3.0 / (s + 1.0)) @ ranks.centred, np.float64)
    share = 3.0 * ranks.squares / (s**3 - s) if ties == "corrected" else np.ones(s.size)
    known = ranks.known.astype(np.float64)
    covariance = (known * -share[:, None]).T @ known
    diagonal = covariance.reshape(-1)[:: len(covariance) + 1]  # a view: fill_diagonal takes longer
    diagonal[:] = 0.0
    diagonal[:] = -covariance.sum(axis=1)
    return sums, covariance


def not_the_first(touching: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return for every model whether it is not the first of those that data sets connect."""
    if touching.all():
        return np.arange(len(touching)) > 0
    reached = touching | np.eye(len(touching), dtype=bool)
    while (further := reached @ reached).sum() > reached.sum():
        reached = further
    return np.asarray(reached.argmax(axis=1) != np.arange(len(reached)))


def quadratic_form(sums: Vector, covariance: Matrix, rest: NDArray[np.bool_]) -> float:
    """Return A' S^- A: the covariance is regular without the first model of each group."""
    kept = sums[rest]
    return float(kept @ np.linalg.solve(covariance[rest][:, rest], kept))
