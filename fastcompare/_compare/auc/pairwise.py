"""DeLong's test for every pair of k models that scored the same cases."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._corrections import CORRECTIONS, adjust_pvalues
from ..._exceptions import InvalidValueError
from ..._inputs import (
    ALTERNATIVES,
    Direction,
    NanPolicy,
    ScoreTable,
    Undefined,
    as_cases,
    check_choice,
    check_level,
    count_jobs,
)
from ..._pvalues import (
    interval_ends,
    log_normal_pvalues,
    normal_pvalues,
    normal_quantile,
    ratios,
    upper_tail,
)
from ..._results import (
    ConfidenceInterval,
    Record,
    correction_title,
    equation,
    show_pvalue,
)
from ..._status import announce, sample_status
from .components import Components, as_components
from .product import Moments, all_moments

Vector = NDArray[np.float64]
NAMED = 3  # pairs that a sentence names


@dataclass(frozen=True, eq=False, kw_only=True)
class DeLongPairwiseResult(Record):
    """Result of `delong_pairwise_test`; arrays over the P = k (k - 1) / 2 pairs, in row order."""

    names: tuple[str, ...]
    auc: Vector
    covariance: NDArray[np.float64]
    pairs: tuple[tuple[str, str], ...]
    estimate: Vector
    standard_error: Vector
    statistic: Vector
    pvalue: Vector
    adjusted_pvalue: Vector
    correction: str
    alternative: str
    status: NDArray[np.str_]
    n_positive: int
    n_negative: int
    n_dropped: int
    method: str = "DeLong's paired test"
    title: ClassVar[str] = "DeLong's test of all pairs of models"

    @property
    def auc_standard_error(self) -> Vector:
        """The standard errors (k,) of the AUCs."""
        return np.sqrt(np.diag(self.covariance))

    def auc_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return DeLong's two-sided interval of every model's AUC, cut to [0, 1]."""
        radius = self.auc_standard_error * normal_quantile(
            0.5 * (1 - check_level(confidence_level))
        )
        return ConfidenceInterval.within(self.auc - radius, self.auc + radius, (0.0, 1.0))

    def confidence_interval(
        self, confidence_level: float = 0.95, *, simultaneous: bool = False
    ) -> ConfidenceInterval:
        """Return the intervals of all differences.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1: of each interval, or of all together.
        simultaneous : bool, default=False
            Widen the intervals so that all of them cover together (Bonferroni). Without it they
            are not adjusted for the number of pairs and match `pvalue`, not `adjusted_pvalue`.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, arrays of shape (P,).
        """
        alpha = 1.0 - check_level(confidence_level)
        tail = upper_tail(1.0 - alpha / (len(self.pairs) if simultaneous else 1), self.alternative)
        error = np.where(
            (self.standard_error == 0) & (self.estimate != 0), np.nan, self.standard_error
        )
        ends = interval_ends(
            self.estimate, error, self.alternative, normal_quantile(tail), (-1.0, 1.0)
        )
        low, high = np.broadcast_arrays(*ends)
        return ConfidenceInterval.within(low, high, (-1.0, 1.0))

    def summary(self) -> str:
        """Return the result in a sentence of plain words, at the 5 % level."""
        if np.isnan(self.pvalue).all():
            return "No p-value is defined for these data; the status says why."
        found = np.flatnonzero(self.adjusted_pvalue < 0.05)
        total = len(self.pairs)
        rule = "at the 5 % level"
        if total > 1 and self.correction != "none":
            rule += f" after {correction_title(self.correction)} correction"
        if not found.size:
            which = "The difference is not" if total == 1 else f"None of the {total} differences is"
            return f"{which} significant {rule}: these data do not tell the models apart."
        strongest = found[np.argsort(self.pvalue[found])][:NAMED]
        listed = "; ".join(map(self._sentence, strongest))
        if more := found.size - strongest.size:
            listed += f"; and {more} more"
        which = "The difference is" if total == 1 else f"{found.size} of {total} differences are"
        return f"{which} significant {rule}: {listed}."

    def _sentence(self, p: int) -> str:
        better, worse = self.pairs[p] if self.estimate[p] > 0 else self.pairs[p][::-1]
        kind = "p" if self.correction == "none" else "adjusted p"
        p_text = equation(kind, show_pvalue(float(self.adjusted_pvalue[p])))
        return f"{better} has a higher AUC than {worse} by {abs(self.estimate[p]):.4f} ({p_text})"

    @property
    def log_pvalue(self) -> Vector:
        """The natural logarithms (P,) of the unadjusted p-values, finite where those underflow."""
        return log_normal_pvalues(self.statistic, self.pvalue, self.alternative)


def delong_pairwise_test(
    y_true: ArrayLike,
    scores: ScoreTable,
    *,
    alternative: Direction = "two-sided",
    correction: str = "holm",
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    method: str = "auto",
    n_jobs: int = 1,
    on_undefined: Undefined = "warn",
) -> DeLongPairwiseResult:
    """Test every pair of k models that scored the same cases, with adjusted p-values.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bool, 0 and 1, or -1 and 1; anything else needs `pos_label`.
    scores : array-like of shape (n, k), mapping or data frame
        A column of scores for each of at least two models; names reach the result.
    alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
        'greater' claims for each pair that the model named first has the greater AUC. Choose the
        order before you see the data.
    correction : str, default='holm'
        Any method of `adjust_pvalues`, or 'none'.
    pos_label, nan_policy, method, n_jobs, on_undefined
        As in `delong_covariance`.

    Returns
    -------
    DeLongPairwiseResult
        With ``names`` (k,), ``auc`` (k,), ``covariance`` (k, k), ``pairs`` (P names), and of shape
        (P,) ``estimate``, ``standard_error``, ``statistic``, ``pvalue``, ``adjusted_pvalue``,
        ``status``; methods ``confidence_interval(confidence_level, simultaneous=False)``,
        ``auc_interval(confidence_level)``, ``summary()`` and ``to_dict()``.

    Warns
    -----
    UndefinedResultWarning
        If a class is missing or has one case, or a pair's variance is 0 and its difference is not.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.
    .. [2] S. Holm (1979), https://www.jstor.org/stable/4615733.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> result = fc.delong_pairwise_test(data.y_true, data.scores)
    >>> len(result.pairs)
    10
    >>> bool((result.adjusted_pvalue >= result.pvalue).all())
    True
    """
    check_choice("alternative", alternative, ALTERNATIVES)
    check_choice("correction", correction, ("none", *CORRECTIONS))
    jobs = count_jobs(n_jobs)
    cases = as_cases(y_true, pos_label=pos_label, nan_policy=nan_policy, table=scores)
    if len(cases.names) < 2:
        raise InvalidValueError("`scores` must hold at least two models, got one.")

    components = as_components(cases, method, jobs)
    moments = all_moments(components)

    first, second = np.triu_indices(components.k, 1)
    estimate = moments.difference[first, second]
    error = np.sqrt(moments.difference_variance[first, second])
    z = ratios(estimate, error)
    pvalue = normal_pvalues(z, error, alternative)
    pairs = tuple((cases.names[i], cases.names[j]) for i, j in zip(first, second, strict=True))
    status = pair_statuses(components, moments)
    for word in dict.fromkeys(status.tolist()):
        announce(word, on_undefined, pairs_named(pairs, status == word))

    return DeLongPairwiseResult(
        names=cases.names,
        auc=moments.auc,
        covariance=moments.covariance,
        pairs=pairs,
        estimate=estimate,
        standard_error=error,
        statistic=z,
        pvalue=pvalue,
        adjusted_pvalue=adjusted(pvalue, correction),
        correction=correction,
        alternative=alternative,
        status=status,
        n_positive=components.m,
        n_negative=components.n,
        n_dropped=cases.n_dropped,
    )


def adjusted(pvalue: Vector, correction: str) -> Vector:
    """Return p-values adjusted for the number of pairs; undefined ones stay NaN, unmentioned."""
    if correction == "none":
        return pvalue.copy()
    result = np.full(pvalue.shape, math.nan)
    known = ~np.isnan(pvalue)
    result[known] = adjust_pvalues(pvalue[known], method=correction)
    return result


def pair_statuses(components: Components, moments: Moments) -> NDArray[np.str_]:
    """Return the status word of every pair."""
    overall = sample_status(components.m, components.n)
    first, second = np.triu_indices(components.k, 1)
    words = np.full(first.size, overall, dtype="U32")
    if overall in ("one_class", "too_few"):
        return words
    degenerate = moments.difference_variance[first, second] == 0.0
    same = moments.difference[first, second] == 0.0
    perfect = np.isin(moments.auc[first], (0.0, 1.0)) & np.isin(moments.auc[second], (0.0, 1.0))
    words[degenerate & ~same] = "zero_variance"
    words[degenerate & same] = "identical"
    words[degenerate & same & perfect] = "perfect_separation"
    return words


def pairs_named(pairs: tuple[tuple[str, str], ...], chosen: NDArray[np.bool_]) -> str:
    """Return which pairs a warning is about, unless it is about all."""
    if chosen.all():
        return ""
    named = [" and ".join(pairs[p]) for p in np.flatnonzero(chosen)]
    more = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
    return f" ({', '.join(named[:NAMED])}{more})"
