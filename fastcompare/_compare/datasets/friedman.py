"""Friedman's test that k models are equally good on N data sets."""

from __future__ import annotations

import math
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import ClassVar

from ..._base.documented import documented
from ..._base.types import NanPolicy, RandomState, Undefined
from ..._inference.status import announce
from ..._inputs.models import as_model_table, check_three_models
from ..._inputs.options import as_choice, check_choice, check_undefined
from ..._inputs.randomness import as_entropy, check_resamples
from ..._inputs.scores import ScoreTable
from ..._inputs.workers import as_workers
from .friedman_methods import METHODS, Resampling, friedman_pvalue, friedman_statistics
from .omnibus import RanksResult, ranked_fields
from .ranks import as_ranks

TIES = ("corrected", "ignored")


@dataclass(frozen=True, eq=False, kw_only=True)
class FriedmanResult(RanksResult):
    """Result of `friedman_test`; it holds both statistics, whichever gave the p-value."""

    chi2: float
    iman_davenport: float
    kendall_w: float
    ties: str
    n_resamples: int
    seed: int | None
    title: ClassVar[str] = "Friedman's test of several models on many data sets"

    def _test(self) -> str:
        how = {
            "iman-davenport": " as Iman and Davenport",
            "exact": ", exact",
            "permutation": f", {self.n_resamples} random permutations",
        }
        return f"Friedman's test{how.get(self.method, '')}"

    def _evidence(self) -> str:
        return f"{super()._evidence()}, Kendall's W = {self.kendall_w:.3f}"


@documented
def friedman_test(
    scores: ScoreTable,
    *,
    ties: str = "corrected",
    method: str = "iman-davenport",
    higher_is_better: bool = True,
    n_resamples: int = 9999,
    rng: RandomState = None,
    n_jobs: int = 1,
    executor: Executor | None = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> FriedmanResult:
    """Test whether k models are equally good on N data sets, by their ranks on each.

    Parameters
    ----------
    scores : array-like of shape (N, k), mapping or data frame
        One metric: data sets in rows, at least three models in columns; names reach the result.
        Infinite scores are legal, since only the order within a row counts.
    ties : {'corrected', 'ignored'}, default='corrected'
        Whether to account for ties within data sets, as R and SciPy do, or not, as Demšar (2006).
        The p-values of 'exact' and 'permutation' always account for them.
    method : {'iman-davenport', 'chi2', 'exact', 'permutation'}, default='iman-davenport'
        Where the p-value comes from. 'iman-davenport': F. 'chi2': chi-squared, which is too
        conservative for few data sets or models. 'exact': all permutations of ranks within data
        sets, for small tables: some 100 of 3 models, 25 of 4, 10 of 5. 'permutation': random
        ones, for other small tables. All four reject for large values of one statistic.
    n_resamples : int, default=9999
        Random permutations B of 'permutation'; the p-value is (b + 1) / (B + 1).
    rng : None, int or numpy.random.Generator, default=None
        Seed of 'permutation'.
    n_jobs : int, default=1
        Threads of 'permutation'; -1 takes all cores. The result does not depend on it.
    nan_policy : {'raise', 'omit'}, default='raise'
        What to do with data sets that miss a score: refuse them, or leave them out for all models
        and say so. `skillings_mack_test` uses them.

    Returns
    -------
    FriedmanResult
        With ``statistic`` (F for 'iman-davenport', else chi-squared) and its ``df``, ``pvalue``,
        ``log_pvalue``, ``chi2``, ``iman_davenport`` (F), ``kendall_w``, ``average_ranks`` (k,),
        rank 1 being the best, ``names``, ``k``, ``n``, ``n_dropped``, ``n_resamples`` and ``seed``
        (0 and None but for 'permutation'), ``status``, ``summary()`` and ``to_dict()``.

    Raises
    ------
    FastCompareError
        As ValueError or TypeError, for inputs that cannot mean anything, for two models, and for
        tables that are too large for 'exact'.

    See Also
    --------
    nemenyi_test : Which of the models differ.
    quade_test : Data sets on which the models differ more count more.
    friedman_aligned_ranks_test : Ranks between data sets, for few models.
    skillings_mack_test : Missing scores.

    Notes
    -----
    With r_ij the rank of model j on data set i, R_j its sum, A = sum r_ij^2 and C = N k (k + 1)^2 /
    4::

        chi^2 = (k - 1) sum (R_j - N (k + 1) / 2)^2 / (A - C)
        F = (N - 1) chi^2 / (N (k - 1) - chi^2),    df = (k - 1, (k - 1) (N - 1))

    Without ties A - C is N k (k + 1) (k - 1) / 12, which ``ties="ignored"`` takes always.

    The default is F because it keeps its level closely where chi-squared is conservative. If all
    models tie on every data set, both statistics are 0, ``pvalue`` is 1 and ``status``
    'no_difference'. If all data sets rank the models alike, F is infinite; its p-value is then the
    chance of that, (k!)^(1 - N) without ties, and ``status`` 'same_ranks'.

    References
    ----------
    .. [1] M. Friedman (1937), doi:10.1080/01621459.1937.10503522.
    .. [2] R. L. Iman, J. M. Davenport (1980), doi:10.1080/03610928008827904.
    .. [3] W. J. Conover (1999), Practical Nonparametric Statistics, section 5.8.
    .. [4] J. Demšar (2006), Journal of Machine Learning Research 7, 1-30.

    Examples
    --------
    >>> import fastcompare as fc
    >>> errors = {"a": [9, 8, 7, 8], "b": [7, 5, 6, 4], "c": [8, 6, 5, 6]}
    >>> print(fc.friedman_test(errors, higher_is_better=False).summary())
    Over 4 data sets the average ranks of 3 models range from 1.25 (b) to 3 (a); Friedman's test as
    Iman and Davenport, F(2, 6) = 13, p = 0.0066, Kendall's W = 0.812.
    >>> round(fc.friedman_test(errors, higher_is_better=False, method="exact").pvalue, 4)
    0.0417
    """
    check_choice("ties", ties, TIES)
    method = as_choice("method", method, METHODS)
    check_undefined(on_undefined)
    table = as_model_table(scores, rows="data sets", nan_policy=nan_policy, finite=False)
    check_three_models(table)
    n_draws, workers = check_resamples(n_resamples), as_workers(n_jobs, executor, None)
    seed = as_entropy(rng) if method == "permutation" else None

    ranks = as_ranks(table.values, higher_is_better, rows=method in ("exact", "permutation"))
    statistics = friedman_statistics(ranks, ties)
    p = friedman_pvalue(ranks, statistics, method, Resampling(n_draws, seed, workers))
    by_f = method == "iman-davenport"
    statistic = statistics.f if by_f else statistics.chi2
    status = friedman_status(ranks.within, statistic)
    announce(status, on_undefined)

    return FriedmanResult(
        **ranked_fields(table, ranks.average),
        statistic=statistic,
        df=ranks.df if by_f else ranks.k - 1,
        pvalue=p.pvalue,
        log_pvalue=p.log_pvalue,
        method=method,
        status=status,
        chi2=statistics.chi2,
        iman_davenport=statistics.f,
        kendall_w=statistics.w,
        ties=ties,
        n_resamples=0 if seed is None else n_draws,
        seed=seed,
    )


def friedman_status(within: int, statistic: float) -> str:
    """Return the status word of a statistic of ranks that have this sum of squares within rows."""
    if not within:
        return "no_difference"
    return "ok" if statistic < math.inf else "same_ranks"
