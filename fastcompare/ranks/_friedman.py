"""Friedman's test that k models are equally good on N data sets, and its exact null distribution.

As in Conover (1999), R_j are the rank sums of k models on N data sets, A the sum of all squared
ranks, C = N k (k + 1)^2 / 4; statistics are fractions. All permutations of ranks within data sets
are counted: the statistic grows with the sum of the squared rank sums, which does not depend on the
order of the models, so the states are the sorted rank sums, data set by data set, of which the
first one can stay as it is. How many ways lead to each state is counted in whole numbers.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.documented import documented
from .._base.parallel import Checkpoint
from .._base.text import differing_form
from .._base.types import Fields, Integers, NanPolicy, RandomState, Undefined, Vector
from .._inference.infer import OmnibusOutcome
from .._inference.pvalues import CERTAIN, TINY, PValue, chi2_pvalue, f_pvalue
from .._inference.status import warn_status
from .._inputs.models import ModelTable, as_model_table, check_three_models
from .._inputs.options import (
    as_choice,
    as_entropy,
    as_workers,
    check_choice,
    check_resamples,
    check_undefined,
    hash_seed,
)
from .._inputs.plans.exact import refuse_slow
from .._inputs.scores import ScoreTable
from .._resampling.bootstrap import Draws
from .._resampling.weights import monte_carlo_pvalue, null_replicates
from .._results.records import OmnibusResult
from ..kernels.drawing.exchange import shuffled_squares
from ..kernels.drawing.streams import LANES
from ._location import ScoresOfModels
from ._ranks import Ranks, as_ranks

MOST_ORDERS = 40_320  # of the ranks of a data set: 8 models without ties
MOST_STEPS = 5_000_000  # transitions between states: a second; the last ones take a tenth
CHUNK_STEPS = 1 << 20  # transitions that are in memory at a time

Counts = NDArray[np.object_]


def exact_pvalue(doubled: Integers) -> PValue:
    """Return the exact P(sum R_j^2 at least as large as observed) for doubled ranks (N, k).

    Data sets with the same ties are counted together; those with the most orders come first.
    """
    observed = int((doubled.sum(axis=0) ** 2).sum())
    kinds = Counter(map(tuple, np.sort(doubled, axis=1).tolist()))
    rows = sorted(kinds.elements(), key=lambda row: (-count_orders(row), row))
    small_integer = np.min_scalar_type(2 * doubled.size)  # of few bytes: half the time
    states = np.array(rows[:1], small_integer)
    counts = np.ones(1, object)
    steps = 0
    for i in range(1, len(rows)):
        is_last = i == len(rows) - 1
        steps += len(states) * count_orders(rows[i]) // (10 if is_last else 1)  # see `MOST_STEPS`
        if steps > MOST_STEPS or count_orders(rows[i]) > MOST_ORDERS:
            refuse_slow(doubled.shape, MOST_STEPS, MOST_ORDERS)
        if i == 1 or rows[i] != rows[i - 1]:
            orders = np.array(list(distinct_orders(Counter(rows[i]), len(rows[i]))), small_integer)
        if not is_last:
            states, counts = add_data_set(states, counts, orders)
    ways = sum(counts * count_ways(observed, states.astype(np.int64), orders.astype(np.int64)))
    n_outcomes = math.prod(map(count_orders, rows[1:]))
    p = ways / n_outcomes
    log_p = math.log(p) if p >= TINY else math.log(ways) - math.log(n_outcomes)  # p may be 0
    return PValue(p, log_p)


def count_orders(row: Sequence[int]) -> int:
    """Return how many different orders these ranks have."""
    ties = Counter(row).values()
    return math.factorial(len(row)) // math.prod(map(math.factorial, ties))


def distinct_orders(remaining: Counter[int], n_ranks: int) -> Iterator[tuple[int, ...]]:
    """Yield the different orders of `n_ranks` ranks, of which `remaining` counts each value."""
    if not n_ranks:
        yield ()
    for rank, count in remaining.items():
        if count:
            remaining[rank] = count - 1
            for order_of_others in distinct_orders(remaining, n_ranks - 1):
                yield (rank, *order_of_others)
            remaining[rank] = count  # restored for the caller


def count_ways(observed: int, states: Integers, orders: Integers) -> Counts:
    """Return for each state s the number of orders o of a data set with |s + o|^2 >= observed.

    By |s|^2 + 2 s'o + |o|^2: a tenth of the time of forming the sums.
    """
    needed = observed - (states**2).sum(axis=1) - (orders[0] ** 2).sum()
    size = max(1, CHUNK_STEPS // len(orders))
    counts = []
    for start in range(0, len(states), size):
        chunk = slice(start, start + size)
        is_reached = 2 * states[chunk] @ orders.T >= needed[chunk, None]  # (states, orders)
        counts.append(is_reached.sum(axis=1))
    return np.concatenate(counts).astype(object)


def add_data_set(states: Integers, counts: Counts, orders: Integers) -> tuple[Integers, Counts]:
    """Return the sorted rank sums, with their counts, after one more data set with these orders."""
    size = max(1, CHUNK_STEPS // len(orders))
    merged = []
    for start in range(0, len(states), size):
        chunk = slice(start, start + size)
        sums = np.sort(states[chunk, None, :] + orders, axis=2)  # (states, orders, k)
        new_states = sums.reshape(-1, orders.shape[1])
        merged.append(merge_states(new_states, np.repeat(counts[chunk], len(orders))))
    if len(merged) == 1:
        return merged[0]
    states_of_chunks, counts_of_chunks = zip(*merged, strict=True)
    return merge_states(np.concatenate(states_of_chunks), np.concatenate(counts_of_chunks))


def merge_states(states: Integers, counts: Counts) -> tuple[Integers, Counts]:
    """Return the different states with the sums of their counts."""
    order = np.lexsort(states.T)
    states, counts = states[order], counts[order]
    starts = np.flatnonzero(np.append(True, (states[1:] != states[:-1]).any(axis=1)))
    return states[starts], np.add.reduceat(counts, starts)


SHUFFLE_WORK = 16  # time of a step of a shuffle, in additions of one sign
MOST_SETS_AND_MODELS = 9  # N + k of tables in which F exceeds its level: there 'auto' is exact
MOST_MODELS = 7  # of such tables


class FriedmanStatistics(NamedTuple):
    """Friedman's chi-squared, the F of Iman and Davenport (1980), and Kendall's W."""

    chi2: float
    f: float
    w: float


def friedman_statistics(ranks: Ranks, ties: str) -> FriedmanStatistics:
    """Return the statistics, each a fraction that is rounded once; 0 where all ranks tie.

    `ties` is 'corrected' or 'ignored'.
    """
    n, k = ranks.n, ranks.k
    if ties == "corrected":  # chi2 = (k - 1) sum (R_j - N (k + 1) / 2)^2 / (A - C)
        top = (k - 1) * ranks.between
        bottom = ranks.within
    else:  # chi2 = 12 / (N k (k + 1)) sum (R_j - N (k + 1) / 2)^2
        top = 3 * ranks.between
        bottom = n * k * (k + 1)
    if not top:
        return FriedmanStatistics(0.0, 0.0, 0.0)
    largest_top = n * (k - 1) * bottom  # where all data sets rank the models alike
    f = (n - 1) * top / (largest_top - top) if largest_top > top else math.inf
    return FriedmanStatistics(top / bottom, f, top / largest_top)


def resolve_method(method: str, ties: str, n: int, k: int) -> str:
    """Return the method; 'auto' is 'exact' for tables where F rejects 6 to 20% at 5%."""
    if method != "auto":
        return method
    is_small = n + k <= MOST_SETS_AND_MODELS and k <= MOST_MODELS
    return "exact" if is_small and ties == "corrected" else "iman-davenport"


def iman_davenport_pvalue(ranks: Ranks, statistics: FriedmanStatistics, draws: Draws) -> PValue:
    """Return the p-value of F with k - 1 and (k - 1)(N - 1) degrees of freedom.

    If F is infinite, as all data sets rank the models alike, it is the chance of such ranks.
    """
    if math.isinf(statistics.f):
        return agreement_pvalue(ranks.doubled[0], ranks.n)
    return f_pvalue(statistics.f, *ranks.df)


def chi_squared_pvalue(ranks: Ranks, statistics: FriedmanStatistics, draws: Draws) -> PValue:
    """Return the p-value of chi-squared with k - 1 degrees of freedom."""
    return chi2_pvalue(statistics.chi2, ranks.k - 1)


def permutation_pvalue(ranks: Ranks, statistics: FriedmanStatistics, draws: Draws) -> PValue:
    """Return the p-value (b + 1) / (B + 1), where b of B random permutations are as extreme."""
    centred = np.ascontiguousarray(ranks.doubled - (ranks.k + 1))
    null = partial(shuffle_blocks, centred, hash_seed(draws.seed))
    work = SHUFFLE_WORK * centred.size
    null_sums = null_replicates(null, draws.n, work, draws.workers)
    return monte_carlo_pvalue(null_sums >= ranks.between)


METHODS: dict[str, Callable[[Ranks, FriedmanStatistics, Draws], PValue]] = {
    "iman-davenport": iman_davenport_pvalue,
    "chi2": chi_squared_pvalue,
    "exact": lambda ranks, *_: exact_pvalue(ranks.doubled),  # of all permutations within rows
    "permutation": permutation_pvalue,
}


def shuffle_blocks(
    centred: Integers, key: int, blocks: range, checkpoint: Checkpoint
) -> NDArray[np.int64]:
    """Return the sums of squared rank sums (blocks, 64) of random permutations within rows."""
    out = np.empty((len(blocks), LANES), np.int64)
    for block, row in zip(blocks, out, strict=True):
        checkpoint()
        shuffled_squares(centred, np.uint64(block), np.uint64(key), row)
    return out


def agreement_pvalue(row: Integers, n: int) -> PValue:
    """Return P(n data sets rank the models identically), (k!)^(1 - n) for a `row` without ties."""
    orders = count_orders(row.tolist())
    log_p = (1 - n) * math.log(orders)
    if log_p > -600.0:  # else `orders` may be too large for a float
        return PValue(float(orders) ** (1 - n), log_p)
    return PValue(math.exp(log_p), log_p)


@dataclass(frozen=True, eq=False, kw_only=True)
class RanksResult(ScoresOfModels, OmnibusResult):
    """A test that k models are equally good on n data sets."""

    average_ranks: Vector
    names: tuple[str, ...]
    k: int
    n: int

    called: ClassVar[str] = ""
    _row: ClassVar[str] = "data set"
    _quantity: ClassVar[str] = "average rank"
    ranked: ClassVar[str] = "average ranks"
    digits: ClassVar[str] = ".4g"

    @property
    def letter(self) -> str:  # type: ignore[override]
        """The name of the statistic."""
        return "F" if isinstance(self.df, tuple) else "chi-squared"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        best, worst = int(np.argmin(self.average_ranks)), int(np.argmax(self.average_ranks))
        form = differing_form((self.medians[best], self.medians[worst]), "g")
        low, high = (
            f"{self.average_ranks[j]:.4g} ({self.names[j]}, {self._median_text(j, form)})"
            for j in (best, worst)
        )
        return (
            f"Over {self.n} data sets the {self.ranked} range from {low} to {high}; "
            f"{self._test()}, {self._evidence()}."
        )

    def _test(self) -> str:
        """Return the name of the test."""
        return self.called


def ranked_fields(table: ModelTable, average_ranks: Vector, tested: OmnibusOutcome) -> Fields:
    """Return the fields of an omnibus test of models: names, sizes, average ranks and the test."""
    n, k = table.values.shape
    return Fields(
        **tested.fields(),
        names=table.names,
        k=k,
        n=n,
        n_dropped=table.n_dropped,
        average_ranks=average_ranks,
        _scores=table.values.copy(),
    )


TIES = ("corrected", "ignored")


@dataclass(frozen=True, eq=False, kw_only=True)
class FriedmanResult(RanksResult):
    """Result of `friedman_test`, with both statistics, whichever gave the p-value."""

    chi2: float
    iman_davenport: float
    kendall_w: float
    ties: str
    n_resamples: int
    seed: int | None
    title: ClassVar[str] = "Friedman's test of several models on many data sets"
    _short_title: ClassVar[str] = "Friedman's test"

    def _test(self) -> str:
        """Return the name of the test and how its p-value is computed."""
        how = {
            "iman-davenport": " with Iman and Davenport's correction",
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
    method: str = "auto",
    higher_is_better: bool = True,
    n_resamples: int = 9999,
    rng: RandomState = None,
    n_jobs: int = 1,
    executor: Executor | None = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> FriedmanResult:
    """Friedman's omnibus test of k models on N data sets, by their ranks on each data set.

    Parameters
    ----------
    scores : array-like of shape (N, k), mapping or data frame
        One metric: data sets in rows, at least three models in columns; column names become model
        names. Infinite scores are allowed, since only the order within a row matters.
    ties : {'corrected', 'ignored'}, default='corrected'
        Whether to correct for ties within data sets, as R and SciPy do, or not, as in Demšar
        (2006). 'exact' and 'permutation' always account for them.
    method : {'auto', 'iman-davenport', 'chi2', 'exact', 'permutation'}, default='auto'
        Source of the p-value. 'iman-davenport': F distribution. 'chi2': chi-squared distribution,
        which is too conservative for few data sets or models. 'exact': all permutations of ranks
        within data sets, for small tables (about 100 data sets for 3 models, 25 for 4, 10 for 5).
        'permutation': random permutations, for other small tables. All four reject for large values
        of the same statistic. 'auto': 'exact' if N + k is at most 9 and there are at most 7 models,
        otherwise 'iman-davenport', as for ``ties='ignored'``.
    n_resamples : int, default=9999
        Number B of random permutations for 'permutation'; the p-value is (b + 1) / (B + 1).
    rng : None, int or numpy.random.Generator, default=None
        Seed, for 'permutation'.
    n_jobs : int, default=1
        Number of threads for 'permutation'; -1 uses all cores. The result does not depend on it.
    nan_policy : {'raise', 'omit'}, default='raise'
        How to handle data sets with a missing score: raise an error, or drop them for all models
        with a warning. `skillings_mack_test` uses them.

    Returns
    -------
    FriedmanResult
        With ``statistic`` (F for 'iman-davenport', else chi-squared) and its ``df``, ``pvalue``,
        ``log_pvalue``, ``chi2``, ``iman_davenport`` (F), ``kendall_w``, ``average_ranks`` (k,), 1
        being the best rank, ``medians`` and ``mads`` (k,) of the scores, ``names``, ``k``, ``n``,
        ``n_dropped``, ``n_resamples`` and ``seed`` (0 and None except for 'permutation'),
        ``status``, ``summary()`` and ``to_dict()``.

    Raises
    ------
    FastCompareError
        As ValueError or TypeError, for invalid inputs, for two models, and for tables that are too
        large for 'exact'.

    See Also
    --------
    nemenyi_test : Which of the models differ.
    quade_test : Gives more weight to data sets on which the models differ more.
    friedman_aligned_ranks_test : Compares scores across data sets, too; for few models.
    skillings_mack_test : For missing scores.

    Notes
    -----
    With r_ij the rank of model j on data set i, R_j its sum, A = sum r_ij^2 and C = N k (k + 1)^2 /
    4::

        chi^2 = (k - 1) sum (R_j - N (k + 1) / 2)^2 / (A - C)
        F = (N - 1) chi^2 / (N (k - 1) - chi^2),    df = (k - 1, (k - 1) (N - 1))

    Without ties A - C is N k (k + 1) (k - 1) / 12, which ``ties="ignored"`` always uses.

    F keeps its level well where chi-squared is conservative, except in the smallest tables: at the
    5% level it rejects 19.5% of true null hypotheses for 3 models on 3 data sets, 7% on 4, and 6 to
    7% for 4 to 7 models on 2 to 5 data sets. For those 'auto' is exact; ``statistic`` is then
    chi-squared and ``method`` 'exact'. If all models tie on every data set, both statistics are 0,
    ``pvalue`` is 1 and ``status`` 'no_difference'. If all data sets rank the models identically, F
    is infinite; the p-value is then the probability of this event, (k!)^(1 - N) without ties, and
    ``status`` is 'same_ranks'.

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
    The 3 models differ significantly in average rank. Over 4 data sets the average ranks range from
    1.25 (b, median 5.5, MAD 1) to 3 (a, median 8, MAD 0.5); Friedman's test, exact, chi-squared(2)
    = 6.5, p = 0.0417, Kendall's W = 0.812.
    >>> by_f = fc.friedman_test(errors, higher_is_better=False, method="iman-davenport")
    >>> by_f.statistic, round(by_f.pvalue, 4)
    (13.0, 0.0066)
    """
    check_choice("ties", ties, TIES)
    method = as_choice("method", method, ("auto", *METHODS))
    check_undefined(on_undefined)
    table = as_model_table(scores, rows="data sets", nan_policy=nan_policy, finite=False)
    check_three_models(table)
    n_draws = check_resamples(n_resamples)
    workers = as_workers(n_jobs, executor, None)
    method = resolve_method(method, ties, *table.values.shape)
    seed = as_entropy(rng) if method == "permutation" else None
    draws = Draws(n_draws, seed or 0, workers)

    ranks = as_ranks(table.values, higher_is_better, rows=method in ("exact", "permutation"))
    statistics = friedman_statistics(ranks, ties)
    p = METHODS[method](ranks, statistics, draws) if ranks.within else CERTAIN
    by_f = method == "iman-davenport"
    statistic, df = (statistics.f, ranks.df) if by_f else (statistics.chi2, ranks.k - 1)
    tested = OmnibusOutcome(statistic, df, p, friedman_status(ranks.within, statistic))
    warn_status(tested.status, on_undefined)

    return FriedmanResult(
        **ranked_fields(table, ranks.average, tested),
        method=method,
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
