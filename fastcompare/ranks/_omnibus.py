"""Omnibus tests of k models on N data sets besides Friedman's."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.documented import documented
from .._base.types import Integers, Matrix, NanPolicy, Undefined, Vector
from .._inference.infer import OmnibusOutcome
from .._inference.pvalues import CERTAIN, UNDEFINED, PValue, chi2_pvalue, f_pvalue
from .._inference.status import warn_status
from .._inputs.models import as_model_table, check_balanced, check_three_models, comparable_rows
from .._inputs.options import as_choice, check_choice, check_undefined
from .._inputs.scores import ScoreTable
from ._friedman import TIES, RanksResult, agreement_pvalue, friedman_status, ranked_fields
from ._ranks import PartialRanks, Ranks, aligned_ranks, as_partial_ranks, as_ranks, ranks_of_ranges


@dataclass(frozen=True, eq=False, kw_only=True)
class FriedmanAlignedRanksResult(RanksResult):
    """Result of `friedman_aligned_ranks_test`; ranks are among all scores, 1 is the best."""

    ties: str
    title: ClassVar[str] = "Aligned-ranks test of several models on many data sets"
    _short_title: ClassVar[str] = "Aligned-ranks test"
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
    """Friedman's aligned-ranks omnibus test of k models on N data sets.

    Each data set's mean is subtracted from its scores, and all k N differences are ranked jointly.
    The sizes of differences are thus compared across data sets, which increases power for few
    models.

    Parameters
    ----------
    scores : array-like of shape (N, k), mapping or data frame
        One metric on the same scale for all data sets: data sets in rows, at least three models in
        columns; finite.
    ties : {'ignored', 'corrected'}, default='ignored'
        Whether the variance is that of ranks without ties, as published, or that of the observed
        ranks.

    Returns
    -------
    FriedmanAlignedRanksResult
        With ``statistic`` (chi-squared with ``df`` = k - 1), ``pvalue``, ``log_pvalue``,
        ``average_ranks`` (k,) of the aligned scores, ``names``, ``k``, ``n``, ``n_dropped``,
        ``status``, ``summary()`` and ``to_dict()``.

    Raises
    ------
    InvalidValueError
        If there are only two models: use `wilcoxon_test`.

    See Also
    --------
    friedman_test : Ranks within data sets, for any scale.
    quade_test : Ranks within data sets, weighted.

    Notes
    -----
    A score is aligned by subtracting the mean of its data set. With the ranks r_ij of all N k
    aligned scores, R_j their sums by model, R_i by data set, and A = sum r_ij^2::

        chi^2 = (k - 1) sum (R_j - N (N k + 1) / 2)^2 / (A - sum R_i^2 / k)

    Aligned scores count as tied if they differ by no more than 2^-50 of the largest score of their
    data sets (for up to eight models; proportionally more for more models). That is the size of
    rounding errors, so dividing all scores by 100 changes nothing. Integers are aligned exactly. If
    all models tie on every data set, ``statistic`` is 0 and ``pvalue`` 1.

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
    if (doubled == doubled[:, :1]).all():
        tested = OmnibusOutcome(statistic, df, CERTAIN, "no_difference")
    else:
        tested = OmnibusOutcome(statistic, df, chi2_pvalue(statistic, df), "ok")
    warn_status(tested.status, on_undefined)

    average = doubled.mean(axis=0) / 2.0
    return FriedmanAlignedRanksResult(
        **ranked_fields(table, average, tested), method="chi2", ties=ties
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


@dataclass(frozen=True, eq=False, kw_only=True)
class QuadeResult(RanksResult):
    """Result of `quade_test`; `weighted_ranks` are average ranks with the weights of the test."""

    weighted_ranks: NDArray[np.float64]
    title: ClassVar[str] = "Quade's test of several models on many data sets"
    _short_title: ClassVar[str] = "Quade's test"
    called: ClassVar[str] = "Quade's test"


@documented
def quade_test(
    scores: ScoreTable,
    *,
    higher_is_better: bool = True,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> QuadeResult:
    """Quade's omnibus test of k models on N data sets, weighted by the range of scores.

    Ranks within a data set are weighted by the rank of its range (largest minus smallest score).

    Parameters
    ----------
    scores : array-like of shape (N, k), mapping or data frame
        One metric on the same scale for all data sets: data sets in rows, at least three models in
        columns; finite.

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
    friedman_test : Gives all data sets equal weight; more power for five or more models.
    friedman_aligned_ranks_test : Ranks among all scores.

    Notes
    -----
    With the rank Q_i of data set i by the range of its scores, and S_ij = Q_i (r_ij - (k + 1) /
    2)::

        F = (N - 1) B / (A - B),    A = sum S_ij^2,    B = sum over models of (sum_i S_ij)^2 / N

    Ranges count as tied if they differ by no more than 2^-50 of the largest of their four scores.
    That is the size of rounding errors, so dividing all scores by 100 changes nothing. Integers are
    subtracted exactly; ties within data sets are exact. If all models tie on every data set,
    ``statistic`` is 0 and ``pvalue`` 1. If all data sets rank the models identically and have tied
    ranges, F is infinite and ``pvalue`` is the probability of such ranks, (k!)^(1 - N) without
    ties.

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

    ranks = as_ranks(table.order_values, higher_is_better)
    weights = ranks_of_ranges(table)
    f = quade_f(ranks, weights)
    tested = OmnibusOutcome(f, ranks.df, quade_pvalue(f, ranks), friedman_status(ranks.within, f))
    warn_status(tested.status, on_undefined)

    return QuadeResult(
        **ranked_fields(table, ranks.average, tested),
        method="f",
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
    denominator = ranks.n * a - nb
    if not nb:
        return 0.0
    return (ranks.n - 1) * nb / denominator if denominator else math.inf


def quade_pvalue(f: float, ranks: Ranks) -> PValue:
    """Return the p-value of Quade's F; 1 where all ranks tie."""
    if not ranks.within:
        return CERTAIN
    return agreement_pvalue(ranks.doubled[0], ranks.n) if math.isinf(f) else f_pvalue(f, *ranks.df)


@dataclass(frozen=True, eq=False, kw_only=True)
class DurbinResult(RanksResult):
    """Result of `durbin_test`, with both statistics, whichever gave the p-value."""

    chi2: float
    f: float
    scores_per_set: int
    scores_per_model: int
    sets_per_pair: int
    title: ClassVar[str] = "Durbin's test of several models in a balanced incomplete design"
    _short_title: ClassVar[str] = "Durbin's test"
    called: ClassVar[str] = "Durbin's test"


class DurbinDesign(NamedTuple):
    """A balanced incomplete block design: N data sets of s scores, k models of r scores."""

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
    """Durbin's omnibus test of k models in a balanced incomplete block design.

    Parameters
    ----------
    scores : array-like of shape (N, k), mapping or data frame
        One metric, NaN where missing: data sets in rows, at least three models in columns. All data
        sets must have the same number of scores, as must all models, and all pairs of models must
        share the same number of data sets.
    method : {'f', 'chi2'}, default='f'
        Which statistic gives the p-value: F, which keeps its level more accurately, or Durbin's
        chi-squared.

    Returns
    -------
    DurbinResult
        With ``statistic`` and its ``df``, ``pvalue``, ``log_pvalue``, ``chi2``, ``f``,
        ``average_ranks`` (k,), each over the data sets with scores of the model,
        ``scores_per_set``, ``scores_per_model``, ``sets_per_pair``, ``names``, ``k``, ``n``,
        ``n_dropped`` (0), ``status``, ``summary()`` and ``to_dict()``.

    Raises
    ------
    FastCompareError
        As ValueError or TypeError, for invalid inputs, for two models, and for unbalanced designs.

    Warns
    -----
    UndefinedResultWarning
        If the models explain the ranks of an incomplete table without error: F is infinite and its
        p-value undefined.

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
    is 1. For a complete table whose rows have the same ranks F is infinite, as in `friedman_test`.

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
    check_balanced(ranks.observed, ranks.sizes, table.names)

    n, k = table.values.shape
    design = DurbinDesign(n, s=int(ranks.sizes[0]), k=k, r=int(ranks.n_scores[0]))
    chi2, f = durbin_statistics(ranks, design)
    if method == "f":
        status = durbin_status(ranks, f, design)
        tested = OmnibusOutcome(f, design.df, durbin_f_pvalue(f, status, ranks, design), status)
    else:
        status = durbin_status(ranks, chi2, design)
        tested = OmnibusOutcome(chi2, k - 1, chi2_pvalue(chi2, k - 1), status)
    warn_status(status, on_undefined)

    return DurbinResult(
        **ranked_fields(table, ranks.average, tested),
        method=method,
        chi2=chi2,
        f=f,
        scores_per_set=design.s,
        scores_per_model=design.r,
        sets_per_pair=design.r * (design.s - 1) // (k - 1),
    )


def durbin_statistics(ranks: PartialRanks, design: DurbinDesign) -> tuple[float, float]:
    """Return chi2 = (k - 1) sum (R_j - r (s + 1) / 2)^2 / (A - C), and F, each rounded once.

    F = (chi2 / (k - 1)) / ((N (s - 1) - chi2) / (N s - N - k + 1)); both are 0 if all ranks tie.
    """
    n, s, k, _ = design
    between = sum(total**2 for total in ranks.centred_sums.tolist())
    within = int(ranks.squares.sum())
    if not between:
        return 0.0, 0.0
    denominator = n * (s - 1) * within - (k - 1) * between
    _, residual_df = design.df
    f = residual_df * between / denominator if denominator else math.inf
    return (k - 1) * between / within, f


def durbin_status(ranks: PartialRanks, statistic: float, design: DurbinDesign) -> str:
    """Return the status word of Durbin's statistic."""
    if not ranks.squares.any():
        return "no_difference"
    if statistic < math.inf:
        return "ok"
    return "same_ranks" if design.s == design.k else "zero_variance"


def durbin_f_pvalue(f: float, status: str, ranks: PartialRanks, design: DurbinDesign) -> PValue:
    """Return the p-value of F; where F is infinite, it is known for complete tables alone."""
    if status == "same_ranks":
        return agreement_pvalue(ranks.centred[0], design.n)
    return UNDEFINED if math.isinf(f) else f_pvalue(f, *design.df)


@dataclass(frozen=True, eq=False, kw_only=True)
class SkillingsMackResult(RanksResult):
    """Result of `skillings_mack_test`; average ranks are over the available data sets."""

    adjusted_sums: NDArray[np.float64]
    n_scores: NDArray[np.int64]
    ties: str
    title: ClassVar[str] = "Skillings-Mack test of several models with missing scores"
    _short_title: ClassVar[str] = "Skillings-Mack test"
    called: ClassVar[str] = "Skillings-Mack test"


@documented
def skillings_mack_test(
    scores: ScoreTable,
    *,
    ties: str = "corrected",
    higher_is_better: bool = True,
    on_undefined: Undefined = "warn",
) -> SkillingsMackResult:
    """Skillings-Mack omnibus test of k models on N data sets with missing scores.

    Parameters
    ----------
    scores : array-like of shape (N, k), mapping or data frame
        One metric, NaN where missing: data sets in rows, at least three models in columns.
    ties : {'corrected', 'ignored'}, default='corrected'
        Whether the variance of a data set's ranks is corrected for ties, or not, as published.

    Returns
    -------
    SkillingsMackResult
        With ``statistic`` (chi-squared) and its ``df``, ``pvalue``, ``log_pvalue``,
        ``adjusted_sums`` (k,), weighted sums of ranks minus their expectations (negative is
        better), ``average_ranks`` (k,), each over the data sets with scores of the model,
        ``n_scores`` (k,) of each model, ``names``, ``k``, ``n``, ``n_dropped``, ``status``,
        ``summary()`` and ``to_dict()``.

    Raises
    ------
    InvalidValueError
        If there are fewer than three models.

    Warns
    -----
    DroppedCasesWarning
        If data sets have fewer than two scores and are therefore dropped.
    UndefinedResultWarning
        If the models fall into groups that share no data set, or only data sets on which all tie.
        The test is then of equality within the groups.

    See Also
    --------
    friedman_test : The same where no score is missing.
    durbin_test : Balanced designs, with an F statistic.

    Notes
    -----
    With s_i models on data set i, and r_ij the rank of model j if it has a score::

        A_j = sum_i sqrt(12 / (s_i + 1)) (r_ij - (s_i + 1) / 2),    chi^2 = A' S^- A

    where S is the covariance of A if all orders are equally likely, and S^- its generalized
    inverse.

    Scores must be missing for reasons unrelated to their values. With c groups of models that share
    no data set, ``df`` is k - c. If all models tie on every data set, ``statistic`` is 0 and
    ``pvalue`` 1.

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
    model_table = as_model_table(scores, rows="data sets", keep_missing=True, finite=False)
    check_three_models(model_table)
    ranks = as_partial_ranks(model_table.values, higher_is_better)
    table = comparable_rows(model_table, ranks.sizes, "data sets")
    if table.n_dropped:
        ranks = as_partial_ranks(table.values, higher_is_better)

    sums, covariance = adjusted_sums(ranks, ties)
    is_free = has_earlier_connected_model(covariance != 0.0)
    statistic = quadratic_form(sums, covariance, is_free)
    equal = not ranks.squares.any()
    k = len(table.names)
    df = k - 1 if equal else int(np.count_nonzero(is_free))
    p = CERTAIN if equal else chi2_pvalue(statistic, df)
    status = "no_difference" if equal else "ok" if df == k - 1 else "disconnected"
    warn_status(status, on_undefined)

    return SkillingsMackResult(
        **ranked_fields(table, ranks.average, OmnibusOutcome(statistic, df, p, status)),
        method="chi2",
        adjusted_sums=sums,
        n_scores=ranks.n_scores,
        ties=ties,
    )


def adjusted_sums(ranks: PartialRanks, ties: str) -> tuple[Vector, Matrix]:
    """Return A_j = sum_i sqrt(12 / (s_i + 1)) (r_ij - (s_i + 1) / 2), and their covariance.

    Two models have covariance -1 for each data set they share; with ties, the variance of its ranks
    over that without ties, (s^2 - 1) / 12, in place of 1. Each row of the covariance sums to 0.
    """
    s = ranks.sizes.astype(np.float64)
    # `centred` are doubled ranks: half of sqrt(12 / (s + 1)), and a quarter of their squares
    sums = np.asarray(np.sqrt(3.0 / (s + 1.0)) @ ranks.centred, np.float64)
    tie_factor = 3.0 * ranks.squares / (s**3 - s) if ties == "corrected" else np.ones(s.size)
    observed = ranks.observed.astype(np.float64)
    covariance = (observed * -tie_factor[:, None]).T @ observed
    diagonal = covariance.reshape(-1)[:: len(covariance) + 1]  # a view: fill_diagonal takes longer
    diagonal[:] = 0.0
    diagonal[:] = -covariance.sum(axis=1)
    return sums, covariance


def has_earlier_connected_model(share_data_sets: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return for every model (k,) whether data sets connect it with an earlier one.

    Pairs `share_data_sets` (k, k), or are connected via other models. So one model of each
    connected group, the first, is False.
    """
    k = len(share_data_sets)
    if share_data_sets.all():
        return np.arange(k) > 0
    reached = share_data_sets | np.eye(k, dtype=bool)
    while (further := reached @ reached).sum() > reached.sum():
        reached = further
    first_reached = reached.argmax(axis=1)
    return np.asarray(first_reached != np.arange(k))


def quadratic_form(
    rank_sum_deviations: Vector, covariance: Matrix, is_free: NDArray[np.bool_]
) -> float:
    """Return A' S^- A: the covariance is regular without the first model of each group."""
    reduced = rank_sum_deviations[is_free]
    return float(reduced @ np.linalg.solve(covariance[is_free][:, is_free], reduced))
