"""McNemar's test for every pair of k models, from one product of their correctness.

Of a pair b = n10 cases are right by the first model only, c = n01 by the second only. With n11, how
often both are right, and R_i, how often model i is, n10 = R_i - n11, n01 = R_j - n11 and
n00 = n - R_i - R_j + n11.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.documented import documented
from .._base.memory import reserve
from .._base.types import (
    AnyLabels,
    Direction,
    Fields,
    Integers,
    Matrix,
    NanPolicy,
    PairCorrection,
    Undefined,
    Vector,
)
from .._inference.answers import LinkedAnswers, pair_answers
from .._inference.clusters import cluster_status
from .._inference.corrections.adjust import as_pair_claims
from .._inference.corrections.pairs import check_models
from .._inference.exact import coin_pvalues
from .._inference.infer import (
    ZeroVarianceBound,
    clustered_proportion_ends,
    proportion_ends,
    sum_over_largest,
)
from .._inference.pvalues import (
    TINY,
    continuity_corrected_z,
    log_reference_pvalues,
    normal_pvalues,
    open_one_side,
    student_pvalues,
    upper_tail,
)
from .._inference.unseen import UnseenFailures
from .._inputs.items import ItemLinks
from .._inputs.options import check_undefined
from .._inputs.plans.proportions import check_mcnemar
from .._inputs.predictions import LabelTable, as_models
from .._inputs.predictions import correct as correctness
from .._results.caution import CautiousPairs, with_pair_caution
from .._results.pairs import ALL_PAIRS, Chosen, IdenticalPairs, JointCovariance, ReferencePairs
from ..kernels.tables.cells import joint_popcounts
from ._accuracy import correct_by_cluster
from ._mcnemar import (
    MIDP_BELOW,
    TIE_WEIGHTS,
    TITLES,
    mcnemar_pvalue,
    melded_intervals,
    tango_ends,
)
from ._table import Table

WORD_BYTES = 8  # of the words of 64 bits that are counted


def joint_counts(correct: NDArray[np.uint8]) -> Integers:
    """Return n11 (k, k) of all pairs of models; `correct` is (k, n), 1 where a model is right."""
    k, n = correct.shape
    n_bytes = -(-n // 8)  # rounded up
    n_words = -(-n_bytes // WORD_BYTES)
    packed = np.zeros((k, n_words * WORD_BYTES), np.uint8)
    packed[:, :n_bytes] = np.packbits(correct, axis=1)
    both = reserve((k, k), np.int64)
    joint_popcounts(packed.view(np.uint64), both)
    return both


def discordant_counts(n11: Integers) -> tuple[Integers, Integers]:
    """Return n10 and n01 (P,) of all pairs of models, in row order."""
    models = np.arange(len(n11))
    above = models[:, None] < models  # a third of the time of np.triu_indices for 20 models
    alone = n11.diagonal()[:, None] - n11
    return alone[above], alone.T[above]


def mcnemar_methods(discordant: Integers, method: str, *, allows_midp: bool) -> NDArray[np.str_]:
    """Return `mcnemar_method` of many pairs of models."""
    if method != "auto":
        return np.full(discordant.shape, method)
    return np.where((discordant < MIDP_BELOW) & allows_midp, "midp", "asymptotic")


def mcnemar_pvalues(
    b: Integers, c: Integers, methods: NDArray[np.str_], *, alternative: str, less: int = 0
) -> tuple[Vector, Vector]:
    """Return `mcnemar_pvalue` of many pairs of models: statistics and p-values."""
    differ = b + c > 0
    by_z = differ & (methods == "asymptotic")
    if by_z.all():
        return chi_squared_pvalues(b, c, alternative, less)
    statistic = np.minimum(b, c).astype(np.float64)
    pvalue = np.ones(b.shape)
    statistic[by_z], pvalue[by_z] = chi_squared_pvalues(b[by_z], c[by_z], alternative, less)
    for name, weight in TIE_WEIGHTS.items():
        rows = np.flatnonzero(differ & (methods == name))
        if rows.size:
            pvalue[rows] = coin_pvalues(b[rows], c[rows], alternative, weight)
    return statistic, pvalue


def chi_squared_pvalues(
    b: Integers, c: Integers, alternative: str, less: int
) -> tuple[Vector, Vector]:
    """Return (|b - c| - less)^2 / (b + c) and p-values of pairs by z, in the alternative's tail."""
    statistic = np.maximum(np.abs(b - c) - less, 0) ** 2 / (b + c)  # Edwards (1948)
    z = continuity_corrected_z(np.sqrt(statistic), b - c, np.sqrt(b + c), alternative, less)
    return statistic, normal_pvalues(z, np.ones(z.shape), alternative)


@dataclass(frozen=True, eq=False, kw_only=True)
class McNemarPairwiseResult(CautiousPairs, ReferencePairs):
    """Result of `mcnemar_pairwise_test`; arrays over the P = k (k - 1) / 2 pairs, in row order."""

    accuracy: Vector
    n10: Integers
    n01: Integers
    continuity: bool
    method: NDArray[np.str_]
    n: int
    design: str = "independent"
    df: float = math.inf
    _covariance: Matrix | None = field(repr=False, default=None)
    _answers: LinkedAnswers | None = field(repr=False, default=None)
    _n_clusters: int = field(repr=False, default=0)  # 0 where cases are independent

    _units: ClassVar[str] = "cases"
    title: ClassVar[str] = "McNemar's test of all pairs of models"
    quantity: ClassVar[str] = "accuracy"
    _claim: ClassVar[str] = "is right more often than"
    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    _presented: ClassVar[str] = "labels"

    def _compute_standard_error(self) -> Vector:
        n, b, c = self.n, self.n10, self.n01
        return np.asarray(np.sqrt((n * (b + c) - (b - c) ** 2) / n) / n)

    def _compute_status(self) -> NDArray[np.str_]:
        return np.where(self.n10 + self.n01 > 0, "ok", "no_discordant")

    @property
    def _n_correct(self) -> NDArray[np.int64]:
        return np.rint(self.accuracy * self.n).astype(np.int64)

    def _failures(self) -> UnseenFailures | None:
        answers = self._answers
        return None if answers is None else answers.failures(self.alternative)

    def _summary(self) -> str:
        """Return the result in sentences of plain words."""
        return super()._summary() + self._stated_failures()

    def _test_name(self) -> str:
        used = [TITLES[method] for method in np.unique(self.method).tolist()]
        clustered = " of clustered cases" if self.design == "clusters" else ""
        return f"McNemar's {' or '.join(used)} test{clustered}"

    @property
    def log_pvalue(self) -> Vector:
        """Natural logarithms (P,) of the unadjusted p-values, finite even where these underflow."""
        if self.design == "clusters":
            t = np.copysign(np.sqrt(self.statistic), self.estimate)
            return log_reference_pvalues(t, self.pvalue, self.df, self.alternative)
        with np.errstate(divide="ignore"):
            log_p = np.log(self.pvalue)
        for p in np.flatnonzero(self.pvalue < TINY):
            table = Table(0, int(self.n10[p]), int(self.n01[p]), 0)
            less = int(self.continuity)
            log_p[p] = mcnemar_pvalue(table, self.method[p], self.alternative, less).p.log_pvalue
        return log_p

    def _ends(self, level: float) -> tuple[Vector | float, Vector | float]:
        """Return the intervals of each pair's test, as `mcnemar_test` has them."""
        tail = upper_tail(level, self.alternative)
        if self._answers is not None:
            differ = self.n10 + self.n01 > 0
            low = np.where(differ, self._answers.low(tail), 0.0)
            high = np.where(differ, self._answers.high(tail), 0.0)
            return open_one_side(self.alternative, low, high, self.bounds)
        b = self.n10
        c = self.n01
        n = self.n
        low, high = tango_ends(b / n, c / n, n, tail, self.continuity / n)
        for name, weight in TIE_WEIGHTS.items():
            rows = self.method == name
            if rows.any():
                low[rows], high[rows] = melded_intervals(b[rows], c[rows], n, tail, weight).T
        return open_one_side(self.alternative, low, high, self.bounds)

    def _with_identical_pairs(
        self, low: Vector, high: Vector, level: float, chosen: Chosen = ALL_PAIRS
    ) -> tuple[Vector, Vector]:
        """Return the limits; those of identical pairs at this level, by their own intervals."""
        if self._unvaried is not None:
            return super()._with_identical_pairs(low, high, level, chosen)
        is_identical = (self.n10 + self.n01 == 0)[chosen]
        if not is_identical.any():
            return low, high
        own_low, own_high = self._chosen_limits(chosen, level)
        return np.where(is_identical, own_low, low), np.where(is_identical, own_high, high)

    def _joint_covariance(self) -> JointCovariance:
        """Return the covariance of right answers: p_ij - p_i p_j, p_ij being the share both get.

        With clusters, the CR2 covariance without degrees of freedom: normal statistics become
        Student's t one by one (Hasler and Hothorn 2008), since a joint t with one common variance
        misses its level if clusters are unequal.
        """
        if self._covariance is not None:
            return JointCovariance(self._covariance)
        first, second = self._cells()
        both = np.diag(self.accuracy)
        both[first, second] = both[second, first] = self.accuracy[first] - self.n10 / self.n
        return JointCovariance(both - np.outer(self.accuracy, self.accuracy), n=self.n)

    def _model_limits(self, level: float) -> tuple[Vector, Vector] | None:
        """Return Wilson's intervals of accuracies of k models, of clusters by their covariance."""
        if self.design == "independent":
            return proportion_ends(self.accuracy, self.n, level)
        assert self._covariance is not None
        errors = np.sqrt(np.diag(self._covariance))
        return clustered_proportion_ends(
            self.accuracy, self.n, errors, np.full(len(errors), self.df), level
        )


@documented
def mcnemar_pairwise_test(
    y_true: AnyLabels | None = None,
    predictions: LabelTable | None = None,
    *,
    correct: LabelTable | None = None,
    method: str = "auto",
    continuity: bool = False,
    groups: ArrayLike | None = None,
    alternative: Direction = "two-sided",
    correction: PairCorrection = "auto",
    alpha: float = 0.05,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> McNemarPairwiseResult:
    """Compare the accuracies of k models on the same cases in pairs, with adjusted p-values.

    Each pair is compared by `mcnemar_test`.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels of any type, of two classes or more.
    correct : array-like of shape (n, k), mapping or data frame, optional
        Whether each model classifies each case correctly (True and False, or 1 and 0), instead of
        all labels.
    method : {'auto', 'exact', 'midp', 'asymptotic'}, default='auto'
        As in `mcnemar_test`; 'auto' chooses for each pair.
    continuity : bool, default=False
        Edwards' correction of the asymptotic test, as in `mcnemar_test`.
    groups : array-like of shape (n,), optional
        The cluster of each case, as in `mcnemar_test`.
    alpha : float, default=0.05
        Significance level (for most corrections the family-wise error rate) of ``cliques`` and the
        summary.

    Returns
    -------
    McNemarPairwiseResult
        With ``names`` (k,), ``accuracy`` (k,), ``pairs`` (P names), and of shape (P,) ``n10``,
        ``n01``, ``estimate``, ``standard_error``, ``statistic``, ``pvalue``, ``log_pvalue``,
        ``adjusted_pvalue``, ``method``, ``status``; ``matrix(field)`` (k, k), ``cliques`` (the
        maximal groups of models without a significant difference); ``design`` ('independent' or
        'clusters') and ``df`` of clusters; methods ``confidence_interval(confidence_level,
        simultaneous=False)`` (those of `mcnemar_test`), ``summary()`` and ``to_dict()``.

    Warns
    -----
    SmallSampleWarning
        'few_clusters', if clusters carry fewer than 4 degrees of freedom: intervals are wide.
        'unseen_failures', as in `mcnemar_test`.

    See Also
    --------
    cochran_q_test : One test of all models.

    Notes
    -----
    Each pair has the test and the interval of `mcnemar_test`: with b cases on which only the first
    model is correct and c on which only the second is, chi^2 = (b - c)^2 / (b + c), or the exact
    binomial test of b among b + c. Shaffer's correction is described in `delong_pairwise_test`.

    References
    ----------
    .. [1] Q. McNemar (1947), doi:10.1007/BF02295996.
    .. [2] M. W. Fagerland, S. Lydersen, P. Laake (2013), doi:10.1186/1471-2288-13-91.
    .. [3] J. P. Shaffer (1986), doi:10.1080/01621459.1986.10478341.
    .. [4] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.
    .. [5] M. Hasler, L. A. Hothorn (2008), doi:10.1002/bimj.200710466.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> predicted = {name: scores > 0.5 for name, scores in data.scores.items()}
    >>> result = fc.mcnemar_pairwise_test(data.y_true, predicted)
    >>> len(result.pairs)
    10
    >>> bool((result.adjusted_pvalue >= result.pvalue).all())
    True
    """
    check_undefined(on_undefined)
    claims = as_pair_claims(alternative, correction, alpha)
    method = check_mcnemar(method, continuity, grouped=groups is not None)
    cases = as_models(y_true, predictions, correct, nan_policy=nan_policy, groups=groups)
    check_models(len(cases.names), claims.correction)

    right = correctness(cases)
    n = cases.truth.size
    both = joint_counts(right)
    b, c = discordant_counts(both)
    chosen = mcnemar_methods(b + c, method, allows_midp=not continuity and groups is None)
    if cases.groups is None:
        p = mcnemar_pvalues(b, c, chosen, alternative=alternative, less=int(continuity))
        tested = Fields(zip(("statistic", "pvalue"), p, strict=True))
    else:
        tested = clustered_pairs((b, c), right, cases.groups, alternative)

    result = McNemarPairwiseResult.from_fields(
        **tested,
        names=cases.names,
        **claims._asdict(),
        accuracy=both.diagonal() / n,
        n10=b,
        n01=c,
        estimate=(b - c) / n,
        continuity=bool(continuity),
        method=chosen,
        n=n,
        n_dropped=cases.n_dropped,
        _n_clusters=0 if cases.groups is None else np.unique(cases.groups).size,
    )
    return with_pair_caution(result, on_undefined)


def clustered_pairs(
    counts: tuple[Integers, Integers],
    right: NDArray[np.uint8],
    groups: Integers,
    alternative: str,
) -> Fields:
    """Return the fields of the tests of all pairs on clustered cases, each as by `mcnemar_test`.

    `counts` are n10 and n01 (P,) of the pairs, `right` (k, n) the models' right answers.
    """
    b, c = counts
    shares = correct_by_cluster(right, groups)
    df = shares.df
    cells = np.triu_indices(len(right), 1)
    estimate = (b - c) / shares.n
    covariance, error = shares.covariance_and_errors(cells)
    links = ItemLinks(shares.n, groups=groups)
    answers = pair_answers((estimate, error, df), right.view(np.bool_).T, links, cells)
    t = np.asarray(answers.statistic(0.0))
    pvalue = student_pvalues(t, df, alternative)
    pvalue[(error == 0.0) & (b == c)] = 1.0  # as without discordant cases
    status = np.where(b + c == 0, "no_discordant", cluster_status(df))
    bound = ZeroVarianceBound(sum_over_largest(shares.sizes), name="clusters")
    return Fields(
        standard_error=error,
        statistic=t * t,
        pvalue=pvalue,
        status=status,
        design="clusters",
        df=df,
        _covariance=covariance,
        _unvaried=IdenticalPairs(b + c == 0, bound),
        _answers=answers if df > 0.0 else None,
    )
