"""Tests of pairs of models by ranks on many data sets, and of all against a control.

Their standard errors are those of the null hypothesis, under which all orders of the models are
equally likely. So an interval holds the shifts of one model's average rank that its test would not
reject: estimate - quantile * error to estimate + quantile * error.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from .._base.documented import with_engine_options
from .._base.text import as_builtin
from .._base.types import Fields, Vector
from .._inference.corrections.adjust import CORRECTIONS, as_correction, check_correction
from .._inference.corrections.pairs import check_models
from .._inference.pvalues import (
    normal_pvalues,
    normal_quantile,
    normal_tail,
    ratios,
    student_pvalues,
    student_quantile,
)
from .._inference.step_down import log_range_tail, range_quantile, range_tail
from .._inputs.counts import as_count
from .._inputs.models import as_model
from .._inputs.options import check_alpha, check_choice
from .._inputs.plans.exact import check_few, check_untied
from .._inputs.scores import ScoreTable
from .._results.pairs import (
    Cells,
    JointCovariance,
    PairsResult,
    control_cells,
    named_pairs,
    pair_fields,
    warn_pairs,
)
from .._results.records import ByReference
from ._location import ScoresOfModels, akinshin_gamma
from ._ranks import RankedTable, Ranks, RankTestOptions, as_ranked_table

BONFERRONI_DUNN = "bonferroni-dunn"  # what Bonferroni's correction is called against a control


@dataclass(frozen=True, eq=False, kw_only=True)
class RankPairsResult(ScoresOfModels, PairsResult):
    """Tests of pairs of models by their ranks; `estimate` is a difference of average ranks.

    So a negative estimate says that the model named first is the better one.
    """

    average_ranks: Vector
    standard_error: Vector
    n: int
    method: NDArray[np.str_]
    critical_difference: float | None = None
    effect_size: Vector = field(init=False, default=cached_property(akinshin_gamma))  # type: ignore[arg-type]

    quantity: ClassVar[str] = "average rank"
    _claim: ClassVar[str] = "ranks better than"
    _row: ClassVar[str] = "data set"
    higher_is_better: ClassVar[bool] = False
    _picture: ClassVar[str] = "critical_difference"

    def _ends(self, level: float) -> tuple[Vector, Vector]:
        defined = (self.standard_error > 0.0) | (self.estimate == 0.0)  # else ranks do not vary
        half_width = np.where(defined, self._quantile(level) * self.standard_error, math.nan)
        return self.estimate - half_width, self.estimate + half_width

    def _quantile(self, level: float) -> float:
        """Return how many standard errors an interval at this level reaches to either side."""
        return normal_quantile((1.0 - level) / 2.0)

    def _joint_covariance(self) -> JointCovariance | None:
        # differences of average ranks are correlated as if models were independent
        return JointCovariance(np.eye(len(self.names)))

    def _rule(self) -> str:
        """Return the words in brackets on the test, with its critical difference if it has one."""
        rule = super()._rule()
        cd = self.critical_difference
        return rule if cd is None else f"{rule.removesuffix(')')}, critical difference {cd:.4g})"


class RankTests(NamedTuple):
    """Tests of pairs of models: statistics and p-values (P,), and their common standard error."""

    statistic: Vector
    pvalue: Vector
    standard_error: float
    method: str


STATUS_HINTS = {  # where every data set ranks the models alike
    "zero_variance": ": friedman_exact_pairs_test has the exact p-values of such ranks"
}


def rank_pair_fields(table: RankedTable, cells: Cells, tests: RankTests, correction: str) -> Fields:
    """Return the fields of a result with these tests of pairs, and warn of undefined ones."""
    models, ranks, alpha, on_undefined = table
    average = ranks.average
    size = tests.pvalue.size
    pairs = named_pairs(models.names, cells)
    first, second = cells
    estimate = average[first] - average[second]
    status = rank_status(estimate, tests.standard_error, ranks)
    warn_pairs(pairs, status, on_undefined, STATUS_HINTS)
    adjustment = "bonferroni" if correction == BONFERRONI_DUNN else correction
    return {
        **pair_fields(models.names, tests.pvalue, adjustment, pairs=pairs),
        "correction": correction,
        "estimate": estimate,
        "statistic": tests.statistic,
        "average_ranks": average,
        "standard_error": np.full(size, tests.standard_error),
        "alpha": alpha,
        "n": ranks.n,
        "n_dropped": models.n_dropped,
        "_scores": models.values.copy(),
        "method": np.full(size, tests.method),
        "status": status,
    }


def rank_status(estimate: Vector, standard_error: float, ranks: Ranks) -> NDArray[np.str_]:
    """Return the status word (P,) of each pair, by the estimate and the common standard error."""
    if not ranks.within:
        return np.full(estimate.size, "no_difference")
    if standard_error > 0.0:
        return np.full(estimate.size, "ok")
    return np.where(estimate == 0.0, "no_difference", "zero_variance")


def rank_z(ranks: Ranks, cells: Cells) -> RankTests:
    """Return the z tests of pairs of models, by differences of their rank sums."""
    # sums of doubled ranks are 2 N times average ranks: 2 N sqrt(k (k + 1) / (6 N))
    error = math.sqrt(2.0 * ranks.n * ranks.k * (ranks.k + 1) / 3.0)
    z = ranks.differences(cells) / error
    pvalue = normal_pvalues(z, np.full(z.shape, error), "two-sided")
    return RankTests(z, pvalue, rank_error(ranks.k, ranks.n), "z of average ranks")


def rank_error(k: int, n: int) -> float:
    """Return the standard error of a difference of average ranks of k models on n data sets."""
    return math.sqrt(k * (k + 1) / (6.0 * n))


@dataclass(frozen=True, eq=False, kw_only=True)
class ConoverResult(ByReference, RankPairsResult):
    """Result of `conover_test`; arrays over the P = k (k - 1) / 2 pairs, in row order."""

    df: int
    title: ClassVar[str] = "Conover's test of all pairs of models"

    def _test_name(self) -> str:
        return "Conover's test"

    def _quantile(self, level: float) -> float:
        return student_quantile((1.0 - level) / 2.0, self.df)

    def _joint_covariance(self) -> JointCovariance:
        return JointCovariance(np.eye(len(self.names)), self.df)


@with_engine_options(as_ranked_table)
def conover_test(
    scores: ScoreTable, *, correction: str = "holm", **options: Unpack[RankTestOptions]
) -> ConoverResult:
    """Conover's post-hoc test: compare k models in pairs by t statistics of their rank sums.

    Parameters
    ----------
    scores, correction
        As in `friedman_pairwise_test`.

    Returns
    -------
    ConoverResult
        As for `friedman_pairwise_test`; ``statistic`` is t with ``df`` degrees of freedom.

    Warns
    -----
    UndefinedResultWarning
        If all data sets rank the models identically, so that there is no residual variance.

    See Also
    --------
    friedman_pairwise_test : By z statistics, which do not depend on the agreement of data sets.

    Notes
    -----
    t is (R_i - R_j) / sqrt(2 (N A - sum R^2) / ((N - 1)(k - 1))) with R the rank sums and A the sum
    of all squared ranks. It accounts for ties and for the agreement of the data sets, which makes
    the test more powerful than z, but liberal unless `friedman_test` rejects first.

    References
    ----------
    .. [1] W. J. Conover (1999), Practical Nonparametric Statistics, section 5.8.

    Examples
    --------
    >>> import fastcompare as fc
    >>> errors = {"a": [9, 8, 7, 8], "b": [7, 5, 6, 4], "c": [8, 6, 5, 6]}
    >>> result = fc.conover_test(errors, higher_is_better=False)
    >>> result.statistic.round(4), result.pvalue.round(4)
    (array([ 4.9497,  3.5355, -1.4142]), array([0.0026, 0.0123, 0.207 ]))
    """
    correction = check_correction(correction)
    table = as_ranked_table(scores, **options)
    ranks = table.ranks
    check_models(ranks.k, correction)

    _, df = ranks.df
    cells = np.triu_indices(ranks.k, 1)
    error = sum_error(ranks, df)
    differences = ranks.differences(cells)
    t = ratios(differences.astype(np.float64), np.full(differences.shape, error))
    pvalue = student_pvalues(t, df, "two-sided")
    tests = RankTests(t, pvalue, error / (2.0 * ranks.n), "t of rank sums")

    return ConoverResult(**rank_pair_fields(table, cells, tests, correction), df=df)


def sum_error(ranks: Ranks, df: int) -> float:
    """Return Conover's standard error of a difference of two sums of doubled ranks."""
    residual = ranks.n * ranks.squares - sum(total * total for total in ranks.sums.tolist())
    return math.sqrt(2 * residual / df)


@dataclass(frozen=True, eq=False, kw_only=True)
class FriedmanPairwiseResult(ByReference, RankPairsResult):
    """Result of `friedman_pairwise_test`; arrays over the P = k (k - 1) / 2 pairs, in row order."""

    title: ClassVar[str] = "All pairs of models by average ranks, z tests"

    def _test_name(self) -> str:
        return "z tests of average ranks"

    def _level_of_each(self, level: float) -> float:
        """Return the level of each interval such that all pairs' cover together at `level`."""
        largest_z = range_quantile(1.0 - level, len(self.names)) / math.sqrt(2.0)
        return 1.0 - 2.0 * normal_tail(largest_z)


@with_engine_options(as_ranked_table)
def friedman_pairwise_test(
    scores: ScoreTable, *, correction: str = "holm", **options: Unpack[RankTestOptions]
) -> FriedmanPairwiseResult:
    """Compare k models on N data sets in pairs, by z statistics of average ranks.

    Parameters
    ----------
    scores
        As in `nemenyi_test`.
    correction : str, default='holm'
        Any method of `adjust_pvalues`, or 'none'. 'shaffer' and 'bergmann-hommel' are for all pairs
        of models and never less powerful than 'holm'.

    Returns
    -------
    FriedmanPairwiseResult
        With ``names`` (k,), ``average_ranks`` (k,), ``pairs`` (P names), and of shape (P,)
        ``estimate`` (difference of average ranks), ``statistic`` (z), ``pvalue``,
        ``adjusted_pvalue``, ``log_pvalue``, ``standard_error``, ``effect_size`` as of
        `nemenyi_test`, ``method``, ``status``;
        ``cliques``, tuples of names of models without a significant difference, ``alpha``, ``n``,
        ``n_dropped``, ``matrix(field)`` (k, k), ``confidence_interval(confidence_level,
        simultaneous=False)``, ``summary()`` and ``to_dict()``.

    See Also
    --------
    nemenyi_test : By the studentized range, with a critical difference.
    friedman_exact_pairs_test : The exact distribution, for few data sets.
    conover_test : By t statistics.
    control_test : All models against one.

    Notes
    -----
    z is the difference of average ranks over sqrt(k (k + 1) / (6 N)), its standard error if all
    orders of the models are equally likely, without correction for ties. An interval contains the
    shifts of average ranks that the test would not reject. Simultaneous intervals use the
    studentized range, as in `nemenyi_test`.

    References
    ----------
    .. [1] J. Demšar (2006), Journal of Machine Learning Research 7, 1-30.
    .. [2] S. García, F. Herrera (2008), Journal of Machine Learning Research 9, 2677-2694.

    Examples
    --------
    >>> import fastcompare as fc
    >>> errors = {"a": [9, 8, 7, 8], "b": [7, 5, 6, 4], "c": [8, 6, 5, 6]}
    >>> result = fc.friedman_pairwise_test(errors, correction="shaffer", higher_is_better=False)
    >>> result.adjusted_pvalue.round(4)
    array([0.04  , 0.0771, 0.4795])
    >>> print(result.summary())
    1 of 3 differences in average rank is significant at the 5% level (z tests of average
    ranks, Shaffer-adjusted): b ranks better than a by 1.7500 (adjusted p = 0.0400); it does
    not differ significantly from c. There were 4 data sets.
    """
    correction = check_correction(correction)
    table = as_ranked_table(scores, **options)
    check_models(table.ranks.k, correction)

    cells = np.triu_indices(table.ranks.k, 1)
    tests = rank_z(table.ranks, cells)

    return FriedmanPairwiseResult(**rank_pair_fields(table, cells, tests, correction))


# N (k - 1), the largest difference: 0.1 s; there z gives p = 0.0126 as 0.0125
LARGEST_DIFFERENCE = 20_000


@dataclass(frozen=True, eq=False, kw_only=True)
class FriedmanExactPairsResult(RankPairsResult):
    """Result of `friedman_exact_pairs_test`; arrays over the P pairs, in row order."""

    title: ClassVar[str] = "All pairs of models by rank sums, exact"

    def _test_name(self) -> str:
        return "exact test of rank sums"

    def _ends(self, level: float) -> tuple[Vector, Vector]:
        tail = rank_sum_distance_tail(len(self.names), self.n)
        not_rejected = np.flatnonzero(tail > 1.0 - level)  # differences of rank sums
        farthest = int(not_rejected[-1])
        return (self.statistic - farthest) / self.n, (self.statistic + farthest) / self.n

    def _joint_covariance(self) -> None:
        return None  # Bonferroni's level is exact, the joint normal one is not


@with_engine_options(as_ranked_table)
def friedman_exact_pairs_test(
    scores: ScoreTable, *, correction: str = "holm", **options: Unpack[RankTestOptions]
) -> FriedmanExactPairsResult:
    """Compare k models on N data sets in pairs, by exact p-values of rank sum differences.

    Parameters
    ----------
    scores, correction
        As in `friedman_pairwise_test`; no two models may tie on a data set.

    Returns
    -------
    FriedmanExactPairsResult
        As for `friedman_pairwise_test`; ``statistic`` is the difference of rank sums.

    Raises
    ------
    FastCompareError
        As ValueError or TypeError, for invalid inputs, for ties within a data set, and if N (k - 1)
        exceeds 20,000.

    See Also
    --------
    friedman_pairwise_test : The normal approximation, for ties and more data sets.

    Notes
    -----
    If all orders of the models are equally likely, the ranks of two of them differ by d with
    probability (k - abs(d)) / (k (k - 1)) on each data set. The p-value is the probability that the
    sum of N such differences is at least as far from 0. An interval contains the shifts that the
    test would not reject; simultaneous ones are Bonferroni's, since the exact joint distribution is
    not known.

    References
    ----------
    .. [1] R. Eisinga, T. Heskes, B. Pelzer, M. Te Grotenhuis (2017),
       doi:10.1186/s12859-017-1486-2.

    Examples
    --------
    >>> import fastcompare as fc
    >>> errors = {"a": [9, 8, 7, 8], "b": [7, 5, 6, 4], "c": [8, 6, 5, 6]}
    >>> fc.friedman_exact_pairs_test(errors, higher_is_better=False).pvalue.round(4)
    array([0.0139, 0.1127, 0.6127])
    """
    correction = check_correction(correction)
    table = as_ranked_table(scores, rows=True, **options)
    ranks = table.ranks
    check_models(ranks.k, correction)
    check_untied(ranks.doubled, table.models.names)
    check_few(ranks.n, ranks.k, LARGEST_DIFFERENCE)

    cells = np.triu_indices(ranks.k, 1)
    differences = ranks.differences(cells) // 2  # without ties, all doubled ranks are even
    tests = RankTests(
        statistic=differences.astype(np.float64),
        pvalue=rank_sum_distance_tail(ranks.k, ranks.n)[np.abs(differences)],
        standard_error=rank_error(ranks.k, ranks.n),
        method="exact distribution of differences of rank sums",
    )

    return FriedmanExactPairsResult(**rank_pair_fields(table, cells, tests, correction))


def rank_sum_distance_tail(k: int, n: int) -> Vector:
    """Return P(abs(D) >= d) for d = 0, ..., n (k - 1), D the difference of two rank sums.

    The n-th power, by squaring, of the distribution on one data set: sums of products of
    probabilities, so tails keep their digits.
    """
    distances = np.abs(np.arange(1 - k, k))
    on_one_data_set = np.where(distances > 0, (k - distances) / (k * (k - 1.0)), 0.0)
    chances = np.ones(1)
    with np.errstate(under="ignore"):
        for bit in f"{n:b}":
            chances = np.convolve(chances, chances)
            if bit == "1":
                chances = np.convolve(chances, on_one_data_set)
    one_sided = np.cumsum(chances[::-1])[: n * (k - 1)]  # P(D >= d) from the largest d down to 1
    return np.asarray(np.minimum(np.append(1.0, 2.0 * one_sided[::-1]), 1.0))


CRITICAL_TESTS = ("nemenyi", "bonferroni-dunn")


def critical_difference(k: int, n: int, *, test: str = "nemenyi", alpha: float = 0.05) -> float:
    """Return the smallest significant difference between two average ranks.

    Parameters
    ----------
    k : int
        Number of models, including the control; at least 2.
    n : int
        Number of data sets, at least 1.
    test : {'nemenyi', 'bonferroni-dunn'}, default='nemenyi'
        'nemenyi' for all pairs of models, from the studentized range; 'bonferroni-dunn' for all
        models against one control, from the normal quantile at alpha / (2 (k - 1)).
    alpha : float, default=0.05
        The family-wise error rate, between 0 and 1.

    Returns
    -------
    float
        Average ranks that differ by at least this much differ significantly.

    Raises
    ------
    FastCompareError
        As ValueError or TypeError, for invalid numbers.

    See Also
    --------
    nemenyi_test : P-values for all pairs.
    control_test : More powerful corrections against a control.

    Notes
    -----
    It is computed, not tabulated, for any `k` and `alpha`. Table 5(b) of Demšar (2006) misprints
    the quantile for 9 models and a control as 2.724 instead of 2.734.

    References
    ----------
    .. [1] J. Demšar (2006), Journal of Machine Learning Research 7, 1-30.
    .. [2] O. J. Dunn (1961), doi:10.1080/01621459.1961.10482090.

    Examples
    --------
    >>> import fastcompare as fc
    >>> round(fc.critical_difference(4, 14), 4)
    1.2536
    >>> round(fc.critical_difference(4, 14, test="bonferroni-dunn"), 4)
    1.1681
    """
    check_choice("test", test, CRITICAL_TESTS)
    models, rows = as_count("k", k, least=2), as_count("n", n, least=1)
    level = check_alpha(alpha)
    if test == "nemenyi":
        quantile = range_quantile(level, models) / math.sqrt(2.0)
    else:
        quantile = normal_quantile(level / (2.0 * (models - 1)))
    return quantile * rank_error(models, rows)


def critical_difference_of(result: Any) -> float:
    """Return Nemenyi's critical difference for the models, data sets and level of a result."""
    return critical_difference(len(result.names), result.n, alpha=result.alpha)


@dataclass(frozen=True, eq=False, kw_only=True)
class NemenyiResult(RankPairsResult):
    """Result of `nemenyi_test`; arrays over the P = k (k - 1) / 2 pairs, in row order."""

    critical_difference: float = field(init=False, default=cached_property(critical_difference_of))  # type: ignore[assignment]

    title: ClassVar[str] = "Nemenyi's test of all pairs of models"
    signed: ClassVar[tuple[str, ...]] = ("estimate", "effect_size")  # a range has no sign

    @property
    def log_pvalue(self) -> Vector:
        """Natural logarithms (P,) of the p-values, finite even where these underflow."""
        return log_range_tail(self.statistic, len(self.names))

    def _quantile(self, level: float) -> float:
        # a range is over the error of one average rank, this over that of a difference of two
        return range_quantile(1.0 - level, len(self.names)) / math.sqrt(2.0)

    def _level_of_each(self, level: float) -> float:
        return level  # the intervals cover together as they are

    def to_dict(self) -> dict[str, Any]:
        """Return the fields and the cliques as plain Python values."""
        return {**super().to_dict(), "cliques": as_builtin(self.cliques)}


@with_engine_options(as_ranked_table)
def nemenyi_test(scores: ScoreTable, **options: Unpack[RankTestOptions]) -> NemenyiResult:
    """Nemenyi's post-hoc test: compare k models in pairs by average ranks on N data sets.

    Parameters
    ----------
    scores : array-like of shape (N, k), mapping or data frame
        One metric: data sets in rows, models in columns; column names become model names. Infinite
        scores are allowed, since only the order within a row matters.
    alpha : float, default=0.05
        Family-wise error rate of `critical_difference`, `cliques` and the summary.

    Returns
    -------
    NemenyiResult
        With ``names`` (k,), ``average_ranks`` (k,), ``pairs`` (P names), and of shape (P,)
        ``estimate`` (difference of average ranks), ``statistic``, ``pvalue``, the same as
        ``adjusted_pvalue``, ``log_pvalue``, ``standard_error``, ``effect_size`` (Akinshin's gamma
        of the scores: the difference of their ``medians`` (k,) in standard deviations as ``mads``
        (k,), the median absolute deviations, estimate them), ``method``, ``status``;
        ``critical_difference``, ``cliques``, tuples of names of models without a significant
        difference, ``alpha``, ``n``, ``n_dropped``, ``matrix(field)`` (k, k),
        ``confidence_interval(confidence_level)``, ``summary()`` and ``to_dict()``.

    See Also
    --------
    friedman_test : The omnibus test, to be done first.
    friedman_pairwise_test : More power, by Shaffer's or Bergmann and Hommel's procedure.
    critical_difference : The critical difference alone.
    control_test : All models against one.

    Notes
    -----
    ``statistic`` is the difference over sqrt(k (k + 1) / (12 N)), and the p-value is the
    probability that the range of k independent standard normal variables is at least as large,
    accurate to 12 digits however small. P-values and intervals (the estimate plus or minus a
    critical difference) are simultaneous for all pairs. There is no correction for ties. Whether
    two models differ depends on the other models in the table.

    References
    ----------
    .. [1] P. B. Nemenyi (1963), Distribution-free multiple comparisons, Princeton University.
    .. [2] J. Demšar (2006), Journal of Machine Learning Research 7, 1-30.
    .. [3] A. Benavoli, G. Corani, F. Mangili (2016), Journal of Machine Learning Research 17, 1-10
       (on the dependence on other models).

    Examples
    --------
    >>> import fastcompare as fc
    >>> errors = {"a": [9, 8, 7, 8], "b": [7, 5, 6, 4], "c": [8, 6, 5, 6]}
    >>> result = fc.nemenyi_test(errors, higher_is_better=False)
    >>> result.pairs, result.pvalue.round(4)
    ((('a', 'b'), ('a', 'c'), ('b', 'c')), array([0.0356, 0.1805, 0.7593]))
    >>> result.matrix("pvalue").round(4)
    array([[1.    , 0.0356, 0.1805],
           [0.0356, 1.    , 0.7593],
           [0.1805, 0.7593, 1.    ]])
    >>> result.cliques
    (('b', 'c'), ('c', 'a'))
    """
    table = as_ranked_table(scores, **options)
    ranks = table.ranks

    # sums of doubled ranks are 2 N times average ranks: 2 N sqrt(k (k + 1) / (12 N))
    unit = math.sqrt(ranks.n * ranks.k * (ranks.k + 1) / 3.0)
    cells = np.triu_indices(ranks.k, 1)
    q = np.abs(ranks.differences(cells)) / unit
    error = rank_error(ranks.k, ranks.n)
    tests = RankTests(q, range_tail(q, ranks.k), error, "Nemenyi's test")

    return NemenyiResult(**rank_pair_fields(table, cells, tests, "none"))


@dataclass(frozen=True, eq=False, kw_only=True)
class ControlTestResult(ByReference, RankPairsResult):
    """Result of `control_test`; arrays over the k - 1 pairs of the control and another model."""

    control: str
    title: ClassVar[str] = "Models against a control by average ranks"

    def _test_name(self) -> str:
        return "z tests of average ranks"

    @property
    def cliques(self) -> tuple[tuple[str, ...], ...]:
        """Empty: only pairs with the control are tested."""
        return ()

    def _cells(self) -> Cells:
        return control_cells(len(self.names), self.names.index(self.control))


@with_engine_options(as_ranked_table)
def control_test(
    scores: ScoreTable,
    control: str | int,
    *,
    correction: str = "holm",
    **options: Unpack[RankTestOptions],
) -> ControlTestResult:
    """Compare k models on N data sets with a control model, by average ranks.

    Parameters
    ----------
    scores
        As in `nemenyi_test`.
    control : str or int
        The model that the others are compared with: its name or column index. Choose it before you
        see the data.
    correction : str, default='holm'
        'bonferroni-dunn', any method of `adjust_pvalues` that does not require all pairs, or
        'none'.
    alpha : float, default=0.05
        Significance level (for most corrections the family-wise error rate) of the summary and
        `critical_difference`.

    Returns
    -------
    ControlTestResult
        With ``names`` (k,), ``average_ranks`` (k,), ``control``, ``pairs`` (control, other), and of
        shape (k - 1,) ``estimate`` (average rank of the control minus that of the other model),
        ``statistic`` (z), ``pvalue``, ``adjusted_pvalue``, ``log_pvalue``, ``standard_error``,
        ``effect_size`` as of `nemenyi_test`, ``method``, ``status``; ``critical_difference`` (only
        for Bonferroni-Dunn), ``alpha``, ``n``, ``n_dropped``, ``matrix(field)`` (k, k), NaN for
        pairs without the control,
        ``confidence_interval(confidence_level, simultaneous=False)``, ``summary()`` and
        ``to_dict()``.

    See Also
    --------
    nemenyi_test : All pairs.
    critical_difference : Bonferroni-Dunn's critical difference.

    Notes
    -----
    z is the difference of average ranks over sqrt(k (k + 1) / (6 N)), without correction for ties.
    k - 1 comparisons have more power than the k (k - 1) / 2 of all pairs. Intervals are those of
    `friedman_pairwise_test`; simultaneous ones use the maximum of the k - 1 jointly normal z.

    References
    ----------
    .. [1] J. Demšar (2006), Journal of Machine Learning Research 7, 1-30, section 3.2.2.
    .. [2] O. J. Dunn (1961), doi:10.1080/01621459.1961.10482090.

    Examples
    --------
    >>> import fastcompare as fc
    >>> errors = {"a": [9, 8, 7, 8], "b": [7, 5, 6, 4], "c": [8, 6, 5, 6]}
    >>> result = fc.control_test(errors, "a", higher_is_better=False)
    >>> print(result.summary())
    1 of 2 differences in average rank is significant at the 5% level (z tests of average
    ranks, Holm-adjusted): b ranks better than a by 1.7500 (adjusted p = 0.0267). There were 4
    data sets.
    """
    correction = as_correction("correction", correction, ("none", BONFERRONI_DUNN, *CORRECTIONS))
    table = as_ranked_table(scores, **options)
    names = table.models.names
    ranks = table.ranks
    chosen = as_model("control", control, names)

    cells = control_cells(ranks.k, chosen)
    distance = None
    if correction in (BONFERRONI_DUNN, "bonferroni"):
        distance = critical_difference(ranks.k, ranks.n, test=BONFERRONI_DUNN, alpha=table.alpha)

    return ControlTestResult(
        **rank_pair_fields(table, cells, rank_z(ranks, cells), correction),
        critical_difference=distance,
        control=names[chosen],
    )
