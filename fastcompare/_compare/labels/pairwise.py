"""McNemar's test for every pair of k models, from one product of their correctness.

Notation: of a pair, b cases are right by the first model only, c by the second only.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._base.exceptions import InvalidValueError
from ..._base.types import Vector
from ..._inference.coins import coin_pvalues
from ..._inference.corrections.adjust import check_correction
from ..._inference.pvalues import normal_pvalues
from ..._inputs.options import ALTERNATIVES, Direction, NanPolicy, check_choice, check_flag
from ..._inputs.predictions import LabelTable, as_predictions, correct
from ..._results.pairs import adjusted, pairs_of
from .joint import joint_counts
from .mcnemar_methods import METHODS, MIDP_BELOW, WEIGHTS
from .pairwise_result import Counts, McNemarPairwiseResult


def mcnemar_pairwise_test(
    y_true: ArrayLike,
    predictions: LabelTable,
    *,
    alternative: Direction = "two-sided",
    correction: str = "holm",
    method: str = "auto",
    continuity: bool = False,
    nan_policy: NanPolicy = "raise",
) -> McNemarPairwiseResult:
    """Test every pair of k models that labelled the same cases, with adjusted p-values.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels of any type, of two classes or more.
    predictions : array-like of shape (n, k), mapping or data frame
        A column of predicted labels for each of at least two models; names reach the result.
    alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
        'greater' claims for each pair that the model named first is right more often. Choose the
        order before you see the data.
    correction : str, default='holm'
        For the number of pairs: any method of `adjust_pvalues`, or 'none'.
    method : {'auto', 'exact', 'midp', 'asymptotic'}, default='auto'
        As in `mcnemar_test`, for each pair.
    continuity : bool, default=False
        Edwards' correction of the asymptotic test, as in `mcnemar_test`.
    nan_policy : {'raise', 'omit'}, default='raise'
        What to do with cases that miss a label: refuse them or leave them out.

    Returns
    -------
    McNemarPairwiseResult
        With ``names`` (k,), ``accuracy`` (k,), ``pairs`` (P names), and of shape (P,) ``n10``,
        ``n01``, ``estimate``, ``standard_error``, ``statistic``, ``pvalue``, ``adjusted_pvalue``,
        ``method``, ``status``; methods ``confidence_interval(confidence_level,
        simultaneous=False)``, ``summary()`` and ``to_dict()``.

    See Also
    --------
    cochran_q_test : One test of all models.

    References
    ----------
    .. [1] Q. McNemar (1947), doi:10.1007/BF02295996.
    .. [2] M. W. Fagerland, S. Lydersen, P. Laake (2013), doi:10.1186/1471-2288-13-91.
    .. [3] S. Holm (1979), https://www.jstor.org/stable/4615733.

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
    check_choice("alternative", alternative, ALTERNATIVES)
    check_correction(correction, alternative)
    check_choice("method", method, METHODS)
    check_continuity(continuity, method)
    cases = as_predictions(y_true, nan_policy=nan_policy, table=predictions)
    if len(cases.names) < 2:
        raise InvalidValueError("`predictions` must hold at least two models, got one.")

    n = cases.truth.size
    both = joint_counts(correct(cases))
    right = np.diag(both)
    first, second = np.triu_indices(right.size, 1)
    b, c = (right[i] - both[first, second] for i in (first, second))
    chosen = methods_of(b + c, method, continuity)
    statistic, pvalue = tested(b, c, chosen, alternative=alternative, continuity=continuity)

    return McNemarPairwiseResult(
        names=cases.names,
        accuracy=right / n,
        pairs=pairs_of(cases.names),
        n10=b,
        n01=c,
        estimate=(b - c) / n,
        standard_error=np.sqrt((n * (b + c) - (b - c) ** 2) / n) / n,
        statistic=statistic,
        pvalue=pvalue,
        adjusted_pvalue=adjusted(pvalue, correction),
        correction=correction,
        continuity=continuity,
        alternative=alternative,
        method=chosen,
        status=np.where(b + c > 0, "ok", "no_discordant"),
        n=n,
        n_dropped=cases.n_dropped,
    )


def check_continuity(continuity: object, method: str) -> None:
    """Raise unless `continuity` is a bool that goes with the method."""
    if check_flag("continuity", continuity) and method in WEIGHTS:
        raise InvalidValueError(
            f"`method` must be 'asymptotic' with continuity=True, got {method!r}."
        )


def methods_of(discordant: Counts, method: str, continuity: bool) -> NDArray[np.str_]:
    """Return the method of each pair, as `Options.method_for` chooses it."""
    if method != "auto":
        return np.full(discordant.shape, method)
    midp = (discordant < MIDP_BELOW) & (not continuity)
    return np.where(midp, "midp", "asymptotic")


def tested(
    b: Counts, c: Counts, chosen: NDArray[np.str_], *, alternative: str, continuity: bool
) -> tuple[Vector, Vector]:
    """Return the statistics and p-values of all pairs."""
    statistic, pvalue = np.minimum(b, c).astype(np.float64), np.ones(b.shape)
    differ = b + c > 0
    by_chi2 = differ & (chosen == "asymptotic")
    statistic[by_chi2], pvalue[by_chi2] = by_normal(
        b[by_chi2], c[by_chi2], alternative, int(continuity)
    )
    for name, weight in WEIGHTS.items():
        own = np.flatnonzero(differ & (chosen == name))
        pvalue[own] = coin_pvalues(b[own], c[own], alternative, weight)
    return statistic, pvalue


def by_normal(b: Counts, c: Counts, alternative: str, less: int) -> tuple[Vector, Vector]:
    """Return chi-squared, less a correction, and p-values by z in the tail of the alternative."""
    statistic = np.maximum(np.abs(b - c) - less, 0) ** 2 / (b + c)  # Edwards (1948)
    z = np.sqrt(statistic)
    if alternative != "two-sided":
        z = (b - c - (less if alternative == "greater" else -less)) / np.sqrt(b + c)
    return statistic, normal_pvalues(z, np.ones(z.shape), alternative)
