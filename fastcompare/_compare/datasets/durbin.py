"""Durbin's test that k models are equally good, in a balanced incomplete block design."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from ..._base.documented import documented
from ..._base.types import Undefined
from ..._inference.pvalues import UNDEFINED, PValue, chi2_pvalue, f_pvalue
from ..._inference.status import announce
from ..._inputs.designs import check_balanced
from ..._inputs.models import as_model_table, check_three_models
from ..._inputs.options import as_choice, check_undefined
from ..._inputs.scores import ScoreTable
from .friedman_methods import agreement_pvalue
from .omnibus import RanksResult, ranked_fields
from .partial import PartialRanks, as_partial_ranks


@dataclass(frozen=True, eq=False, kw_only=True)
class DurbinResult(RanksResult):
    """Result of `durbin_test`; it holds both statistics, whichever gave the p-value."""

    chi2: float
    f: float
    scores_per_set: int
    scores_per_model: int
    sets_per_pair: int
    title: ClassVar[str] = "Durbin's test of several models on a balanced choice of data sets"
    called: ClassVar[str] = "Durbin's test"


class Design(NamedTuple):
    """Conover's letters: N data sets of s scores, k models of r scores."""

    n: int
    s: int
    k: int
    r: int

    @property
    def df(self) -> tuple[int, int]:
        """Return the degrees of freedom of F."""
        return self.k - 1, self.n * self.s - self.n - self.k + 1


@documented
def durbin_test(
    scores: ScoreTable,
    *,
    method: str = "f",
    higher_is_better: bool = True,
    on_undefined: Undefined = "warn",
) -> DurbinResult:
    """Test whether k models are equally good, where each data set has some of them by design.

    Parameters
    ----------
    scores : array-like of shape (N, k), mapping or data frame
        One metric, NaN where missing: data sets in rows, at least three models in columns. Every
        data set must have as many scores, so must every model, and every two models must share as
        many data sets.
    method : {'f', 'chi2'}, default='f'
        Which statistic gives the p-value: F, which keeps its level more closely, or Durbin's
        chi-squared.

    Returns
    -------
    DurbinResult
        With ``statistic`` and its ``df``, ``pvalue``, ``log_pvalue``, ``chi2``, ``f``,
        ``average_ranks`` (k,), each over the data sets that have the model, ``scores_per_set``,
        ``scores_per_model``, ``sets_per_pair``, ``names``, ``k``, ``n``, ``n_dropped`` (0),
        ``status``, ``summary()`` and ``to_dict()``.

    Raises
    ------
    FastCompareError
        As ValueError or TypeError, for inputs that cannot mean anything, for two models, and for
        designs that are not balanced.

    Warns
    -----
    UndefinedResultWarning
        If the ranks of an incomplete table are explained by the models without a rest: F is
        infinite and its p-value not defined.

    See Also
    --------
    skillings_mack_test : Any pattern of missing scores.
    friedman_test : The same where no score is missing.

    Notes
    -----
    With s scores on each of N data sets, r of each of k models, R_j the rank sums, A = sum r_ij^2
    and C = N s (s + 1)^2 / 4::

        chi^2 = (k - 1) sum (R_j - r (s + 1) / 2)^2 / (A - C)
        F = (chi^2 / (k - 1)) / ((N (s - 1) - chi^2) / (N s - N - k + 1))

    Both statistics account for ties. If all models tie on every data set, both are 0 and ``pvalue``
    is 1. The F of a complete table that is ranked alike everywhere is infinite, as in
    `friedman_test`.

    References
    ----------
    .. [1] J. Durbin (1951), doi:10.1111/j.2044-8317.1951.tb00310.x.
    .. [2] W. J. Conover (1999), Practical Nonparametric Statistics, section 5.9.

    Examples
    --------
    >>> import fastcompare as fc
    >>> nan = float("nan")
    >>> accuracy = {"a": [.9, .8, nan], "b": [.8, nan, .7], "c": [nan, .6, .6]}
    >>> result = fc.durbin_test(accuracy)
    >>> result.df, round(result.statistic, 4), round(result.chi2, 4)
    ((2, 1), 4.0, 2.6667)
    """
    method = as_choice("method", method, ("f", "chi2"))
    check_undefined(on_undefined)
    table = as_model_table(scores, rows="data sets", keep_missing=True, finite=False)
    check_three_models(table)
    ranks = as_partial_ranks(table.values, higher_is_better)
    check_balanced(ranks.known, ranks.sizes, table.names)

    n, k = table.values.shape
    design = Design(n, int(ranks.sizes[0]), k, int(ranks.models[0, 0]))
    chi2, f = durbin_statistics(ranks, design)
    by_f = method == "f"
    status = durbin_status(ranks, f if by_f else chi2, design)
    p = durbin_f_pvalue(f, status, ranks, design) if by_f else chi2_pvalue(chi2, k - 1)
    announce(status, on_undefined)

    return DurbinResult(
        **ranked_fields(table, ranks.average),
        statistic=f if by_f else chi2,
        df=design.df if by_f else k - 1,
        pvalue=p.pvalue,
        log_pvalue=p.log_pvalue,
        method=method,
        status=status,
        chi2=chi2,
        f=f,
        scores_per_set=design.s,
        scores_per_model=design.r,
        sets_per_pair=design.r * (design.s - 1) // (k - 1),
    )


def durbin_statistics(ranks: PartialRanks, design: Design) -> tuple[float, float]:
    """Return chi2 = (k - 1) sum (R_j - r (s + 1) / 2)^2 / (A - C), and F, each rounded once.

    F = (chi2 / (k - 1)) / ((N (s - 1) - chi2) / (N s - N - k + 1)); both are 0 if all ranks tie.
    """
    n, s, k, _ = design
    between = sum(total**2 for total in ranks.models[1].tolist())
    within = int(ranks.squares.sum())
    if not between:
        return 0.0, 0.0
    rest = n * (s - 1) * within - (k - 1) * between
    f = design.df[1] * between / rest if rest else math.inf
    return (k - 1) * between / within, f


def durbin_status(ranks: PartialRanks, statistic: float, design: Design) -> str:
    """Return the status word of Durbin's statistic."""
    if not ranks.squares.any():
        return "no_difference"
    if statistic < math.inf:
        return "ok"
    return "same_ranks" if design.s == design.k else "zero_variance"


def durbin_f_pvalue(f: float, status: str, ranks: PartialRanks, design: Design) -> PValue:
    """Return the p-value of F; where F is infinite, it is known for complete tables alone."""
    if status == "same_ranks":
        return agreement_pvalue(ranks.centred[0], design.n)
    return UNDEFINED if math.isinf(f) else f_pvalue(f, *design.df)
