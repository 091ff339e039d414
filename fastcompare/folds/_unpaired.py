"""Tests of models that were scored in different rounds."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._base.documented import documented
from .._base.text import (
    UPWARD,
    VERDICTS,
    differing_form,
    ends_of_range,
    equation,
    plain_sum,
    show_number,
    show_pvalue,
    verdict,
)
from .._base.types import Alternative, Direction, NanPolicy, Undefined, Vector
from .._inference.exact import MOST_ADDITIONS, rank_sum_additions, rank_sum_pvalue
from .._inference.infer import ZeroVarianceBound, infer
from .._inference.pvalues import (
    CERTAIN,
    TINY,
    UNDEFINED,
    PValue,
    chi2_pvalue,
    f_pvalue,
    upper_tail_start,
    welch_df,
)
from .._inference.status import warn_status
from .._inputs.arrays import read_once
from .._inputs.options import (
    ALTERNATIVES,
    as_choice,
    check_alternative,
    check_amount,
    check_choice,
    check_undefined,
)
from .._inputs.rounds import (
    as_models,
    as_own_rounds,
    check_unpaired_claim,
    in_order_of_all,
    refuse_range,
)
from .._inputs.scores import names_of_pair
from .._results.records import Record, models_text
from .._results.two_models import StudentResult
from ..kernels.tables.folds import SMALLEST_SQUARES, mean_and_scatter
from ._student import column_means, rescale, variance_status

Columns = list[Vector]
EXACT_SIZE = 8  # rounds of the smaller model up to which the test is exact, as in SciPy


@dataclass(frozen=True, eq=False, kw_only=True)
class FoldsUnpairedResult(Record):
    """Result of `folds_unpaired_test`; there is no single estimate, hence no interval."""

    statistic: float
    df: tuple[int, ...]
    pvalue: float
    log_pvalue: float
    effect_size: float
    alternative: str
    names: tuple[str, ...]
    means: Vector
    n: tuple[int, ...]
    n_dropped: int
    method: str
    status: str
    estimate: None = None
    title: ClassVar[str] = "Test of models with different rounds"
    _follows_sample: ClassVar[bool] = True
    _row: ClassVar[str] = "round"
    _quantity: ClassVar[str] = "mean score"
    _sheets: ClassVar[str] = "omnibus"
    _picture: ClassVar[str] = "forest"

    def _verdict(self) -> str:
        """Return whether the models differ, of a one-sided test whether the first is ahead."""
        upward = UPWARD.get(self.alternative)
        by_ranks = self.method != METHODS["anova"][0]
        return verdict(
            VERDICTS["any" if upward is None else "one-sided"],
            self.pvalue,
            self._levels,
            both=models_text(self.names),
            first=self.names[0],
            second=self.names[1],
            more="higher" if upward else "lower",
            quantity="typical score" if by_ranks else self._quantity,
        )

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        p = equation("p", show_pvalue(self.pvalue))
        effect = EFFECTS[self.method]
        return (
            f"The mean scores range from {ends_of_range(self.means, 'g')} "
            f"({self.method}, statistic {show_number(self.statistic, '.4g')}, "
            f"{p}, {effect} {show_number(self.effect_size, '.3g')})."
        )


@documented
def folds_unpaired_test(
    scores: Mapping[str, ArrayLike] | Sequence[ArrayLike],
    *,
    method: str = "kruskal-wallis",
    alternative: Direction = "two-sided",
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> FoldsUnpairedResult:
    """Compare models with different splits, by their scores in independent rounds.

    Valid if no two rounds share cases. If possible use the same splits for all models and a paired
    test: a split that is hard for one model is hard for the others, and pairing removes this
    variance. Do not pair rounds that do not belong together.

    Parameters
    ----------
    scores : mapping from names to array-like, data frame, or sequence of array-like
        The scores of each of at least two models, one value per round; numbers of rounds may
        differ.
    method : {'kruskal-wallis', 'anova', 'mann-whitney'}, default='kruskal-wallis'
        Rank test of k models; one-way analysis of variance, assuming equal variances; rank test of
        two models.
    alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
        'greater': the first model scores higher; one-sided only for 'mann-whitney'.
    nan_policy : {'raise', 'omit'}, default='raise'
        How to handle missing scores: raise an error or drop them.

    Returns
    -------
    FoldsUnpairedResult
        With ``statistic`` (H, F, or U of the first model), ``df``, ``pvalue``, ``log_pvalue``,
        ``effect_size`` (H / (N - 1); the proportion of variance between models; or the probability
        that a score of the first model exceeds one of the second, ties counting one half),
        ``names``, ``means``, ``n``, ``n_dropped``, ``method``, ``status`` and ``summary()``.

    Warns
    -----
    UndefinedResultWarning
        For 'anova', if every model's scores are constant but not all equal.

    See Also
    --------
    ttest_unpaired : Two means, with an interval.
    ttest_corrected_pairwise_test : All models on the same splits of one data set.

    Notes
    -----
    With ranks among all N scores, R_j the sum of the n_j ranks of model j, and t the sizes of
    ties::

        'kruskal-wallis':  H = (12 / (N (N + 1)) sum R_j^2 / n_j - 3 (N + 1)) / T,
                           T = 1 - sum (t^3 - t) / (N^3 - N)
        'mann-whitney':    U = R_1 - n_1 (n_1 + 1) / 2
        'anova':           F = (SS_between / (k - 1)) / (SS_within / (N - k))

    'mann-whitney' is exact, as in SciPy, if a model has at most 8 rounds, there are no ties, and
    the exact distribution takes half a second at most (8 rounds against some 2,700); otherwise
    normal with corrections for ties and continuity.

    References
    ----------
    .. [1] W. H. Kruskal, W. A. Wallis (1952), doi:10.1080/01621459.1952.10483441.
    .. [2] H. B. Mann, D. R. Whitney (1947), doi:10.1214/aoms/1177730491.

    Examples
    --------
    >>> import fastcompare as fc
    >>> scores = {"forest": [.80, .82, .79, .85], "tree": [.78, .77, .81], "svm": [.70, .75, .72]}
    >>> result = fc.folds_unpaired_test(scores)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (6.7455, 0.0343)
    """
    method = as_choice("method", method, METHODS)
    check_choice("alternative", alternative, ALTERNATIVES)
    check_undefined(on_undefined)
    models = as_models(scores)
    check_unpaired_claim(method, alternative, len(models))
    labelled = {f"scores[{name!r}]": read_once(values) for name, values in models.items()}
    checked, dropped = as_own_rounds(labelled, nan_policy=nan_policy)
    columns = list(checked.values())
    ranked = columns if method == "anova" else in_order_of_all(checked, labelled)

    status = unpaired_status(ranked, method)
    title, compute = METHODS[method]
    if status == "ok":
        outcome = compute(ranked, alternative)
    else:
        outcome = outcome_of_constant_scores(ranked, method, status)
    warn_status(status, on_undefined)

    return FoldsUnpairedResult(
        **outcome.p._asdict(),
        statistic=outcome.statistic,
        df=outcome.df,
        effect_size=outcome.effect_size,
        alternative=alternative,
        names=tuple(models),
        means=np.array([column_means(column) for column in columns]),
        n=tuple(column.size for column in columns),
        n_dropped=dropped,
        method=title,
        status=status,
    )


class UnpairedOutcome(NamedTuple):
    """What a test of models with different rounds returns: statistic, p-value, df, effect size."""

    statistic: float
    p: PValue
    df: tuple[int, ...]
    effect_size: float


class RankSums(NamedTuple):
    """The columns' sums of midranks among all scores, their sizes, and how often each value occurs.

    `ties` are these numbers t, in the order of the values.
    """

    sums: list[float]
    sizes: list[int]
    ties: Vector

    @property
    def n(self) -> int:
        """The number of scores."""
        return sum(self.sizes)

    @property
    def tie_sum(self) -> float:
        """The sum over different scores of t^3 - t."""
        return float((self.ties * self.ties * self.ties - self.ties).sum())


def rank_pooled(columns: Columns) -> RankSums:
    """Return the rank sums of the columns, all scores being ranked together."""
    pooled = np.concatenate(columns)
    sizes = [column.size for column in columns]
    order = np.argsort(pooled)
    ordered = pooled[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    ties = np.diff(starts, append=pooled.size)
    ranks = np.empty(pooled.size)
    ranks[order] = np.repeat(starts + 0.5 * (ties + 1), ties)
    ends = np.cumsum(sizes)[:-1]
    sums = np.add.reduceat(ranks, np.concatenate([[0], ends])).tolist()
    return RankSums(sums, sizes, ties.astype(np.float64))


def kruskal_wallis(columns: Columns, alternative: str) -> UnpairedOutcome:
    """Return H of Kruskal and Wallis's test, as SciPy computes it."""
    ranked = rank_pooled(columns)
    df = len(columns) - 1
    n = ranked.n
    squares = plain_sum(r * r / size for r, size in zip(ranked.sums, ranked.sizes, strict=True))
    h = 12.0 / (n * (n + 1)) * squares - 3 * (n + 1)
    h /= 1.0 - ranked.tie_sum / (n**3 - n)
    return UnpairedOutcome(h, chi2_pvalue(h, df), (df,), h / (n - 1))


def one_way_anova(columns: Columns, alternative: str) -> UnpairedOutcome:
    """Return F of the one-way analysis of variance."""
    pooled = rescale(np.concatenate(columns))
    ends = np.cumsum([column.size for column in columns])
    parts = np.split(pooled - pooled.mean(), ends[:-1])
    between = plain_sum(part.size * float(part.mean()) ** 2 for part in parts)
    within = plain_sum(float(np.square(part - part.mean()).sum()) for part in parts)
    if within < SMALLEST_SQUARES:
        refuse_range("scores")
    df1 = len(parts) - 1
    df2 = pooled.size - len(parts)
    f = between / df1 / (within / df2)
    return UnpairedOutcome(f, f_pvalue(f, df1, df2), (df1, df2), between / (between + within))


def mann_whitney(columns: Columns, alternative: str) -> UnpairedOutcome:
    """Return U of Mann and Whitney's test, exact for small samples without ties."""
    ranked = rank_pooled(columns)
    m, n = ranked.sizes
    u = ranked.sums[0] - m * (m + 1) / 2
    is_exact = ranked.ties.max() == 1.0 and min(m, n) <= EXACT_SIZE
    if is_exact and rank_sum_additions(np.arange(m + n), m) <= MOST_ADDITIONS:
        p = exact_rank_pvalue(columns, alternative)
    else:
        p = normal_rank_pvalue(u, ranked, alternative)
    return UnpairedOutcome(u, p, (), u / (m * n))


def exact_rank_pvalue(columns: Columns, alternative: str) -> PValue:
    """Return the p-value of U by all orders of untied scores."""
    ranks = np.argsort(np.argsort(np.concatenate(columns)))
    is_first = np.arange(ranks.size) < columns[0].size
    return rank_sum_pvalue(ranks, is_first, alternative)


def normal_rank_pvalue(u: float, ranked: RankSums, alternative: str) -> PValue:
    """Return the normal p-value of U, with the corrections for ties and continuity."""
    from scipy.special import log_ndtr, ndtr

    m, n = ranked.sizes
    total = ranked.n
    variance = m * n / 12 * ((total + 1) - ranked.tie_sum / (total * (total - 1)))
    tail_start, n_tails = upper_tail_start(u - m * n / 2, alternative)
    z = (tail_start - 0.5) / math.sqrt(variance)
    p = min(n_tails * float(ndtr(-z)), 1.0)
    return PValue(p, math.log(p) if p >= TINY else math.log(n_tails) + float(log_ndtr(-z)))


METHODS: dict[str, tuple[str, Callable[[Columns, str], UnpairedOutcome]]] = {
    "kruskal-wallis": ("Kruskal-Wallis test", kruskal_wallis),
    "anova": ("one-way analysis of variance", one_way_anova),
    "mann-whitney": ("Mann-Whitney test", mann_whitney),
}
EFFECTS = {  # what the effect sizes are called: Tomczak, Tomczak (2014), Trends Sport Sci. 1, 19-25
    METHODS["kruskal-wallis"][0]: "rank epsilon squared",
    METHODS["anova"][0]: "eta squared",
    METHODS["mann-whitney"][0]: "probability that the first scores higher",
}


def unpaired_status(columns: Columns, method: str) -> str:
    """Return 'constant_scores' if all scores are equal, else 'zero_variance' or 'ok'.

    'zero_variance' if no model's scores vary, which the analysis of variance alone needs.
    """
    if np.ptp(np.concatenate(columns)) == 0.0:
        return "constant_scores"
    are_constant = all(np.ptp(column) == 0.0 for column in columns)
    return "zero_variance" if method == "anova" and are_constant else "ok"


def outcome_of_constant_scores(columns: Columns, method: str, status: str) -> UnpairedOutcome:
    """Return the outcome if no model's scores vary: no difference, or an infinite F."""
    if status == "zero_variance":
        return UnpairedOutcome(math.inf, UNDEFINED, (), 1.0)
    if method == "mann-whitney":  # all pairs are ties
        return UnpairedOutcome(0.5 * columns[0].size * columns[1].size, CERTAIN, (), 0.5)
    return UnpairedOutcome(0.0, CERTAIN, (), 0.0)


@dataclass(frozen=True, eq=False, kw_only=True)
class TTestUnpairedResult(StudentResult):
    """Result of `ttest_unpaired`; `estimate` is means[0] - means[1]."""

    means: Vector
    n: tuple[int, int]
    n_dropped: int
    title: ClassVar[str] = "Welch's t-test of two models with different rounds"
    _quantity: ClassVar[str] = "mean score"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        mean_1, mean_2 = self.means
        n_1, n_2 = self.n
        form = differing_form((mean_1, mean_2), "g")
        means = self._beside_names(
            f"{mean_1:{form}} over {n_1} scores", f"{mean_2:{form}} over {n_2}"
        )
        return (
            f"The mean scores are {means}, a difference of {self.estimate:.4g} "
            f"({self._interval_text('.4g')}; {self.method}{self._hypothesis_text()}, "
            f"{self._evidence()})."
        )


@documented
def ttest_unpaired(
    scores_1: ArrayLike,
    scores_2: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> TTestUnpairedResult:
    """Welch's t-test of two models' scores in independent rounds, on different splits.

    Valid if no two rounds share cases. If possible use the same splits for both models and a paired
    test (see `folds_unpaired_test`); do not pair rounds that do not belong together.

    Parameters
    ----------
    scores_1, scores_2 : array-like of shape (J_1,) and (J_2,)
        The two models' scores by any metric, one value per round.
    nan_policy : {'raise', 'omit'}, default='raise'
        How to handle missing scores: raise an error or drop them.

    Returns
    -------
    TTestUnpairedResult
        With ``statistic`` (t), ``df``, ``pvalue``, ``log_pvalue``, ``estimate`` (the difference of
        the means), ``standard_error``, ``means`` (2,), ``n`` (J_1, J_2), ``n_dropped``,
        ``status``, ``confidence_interval(confidence_level)`` and ``summary()``.

    Warns
    -----
    UndefinedResultWarning
        If both models' scores are constant and differ.

    See Also
    --------
    folds_unpaired_test : By ranks, or of several models.
    ttest_corrected : Both models on the same splits of one data set.

    Notes
    -----
    With the means x, the variances s^2 and the numbers n of both models' scores (Welch 1947)::

        t = (x_1 - x_2) / sqrt(v_1 + v_2),    v = s^2 / n
        df = (v_1 + v_2)^2 / (v_1^2 / (n_1 - 1) + v_2^2 / (n_2 - 1))

    References
    ----------
    .. [1] B. L. Welch (1947), doi:10.1093/biomet/34.1-2.28.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.ttest_unpaired([.80, .82, .79, .85, .81], [.78, .79, .80, .78])
    >>> round(result.df, 3), round(result.pvalue, 4)
    (5.569, 0.0616)
    """
    margin = check_amount("margin", margin, 0.0)
    check_alternative(alternative, margin)
    check_undefined(on_undefined)
    scores = {"scores_1": scores_1, "scores_2": scores_2}
    columns, dropped = as_own_rounds(scores, nan_policy=nan_policy)

    sizes = [column.size for column in columns.values()]
    moments = [mean_and_scatter(column, 0.0) for column in columns.values()]
    means, scatters = zip(*moments, strict=True)
    if not all(scatter < math.inf for scatter in scatters):
        refuse_range("scores_1", "scores_2")
    variances = [scatter / (n * (n - 1)) for scatter, n in zip(scatters, sizes, strict=True)]
    mean_1, mean_2 = means
    estimate = mean_1 - mean_2
    standard_error = math.sqrt(sum(variances))
    # df does not depend on the unit; in units of a power of 2 squares stay within the range
    _, exponent = math.frexp(max(variances))
    df = welch_df([math.ldexp(v, -exponent) for v in variances], sizes)
    status = variance_status(estimate, standard_error, margin)
    warn_status(status, on_undefined)
    unvaried = ZeroVarianceBound(min(sizes), math.inf, "independent scores")

    return TTestUnpairedResult(
        **infer(estimate, standard_error, alternative, margin, df=df, unvaried=unvaried),
        names=names_of_pair(scores_1, scores_2),
        df=df,
        means=np.array(means),
        n=(sizes[0], sizes[1]),
        n_dropped=dropped,
        method="Welch's t-test",
        status=status,
    )
