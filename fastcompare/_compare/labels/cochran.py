"""Cochran's Q test that k classifiers are right equally often on the same cases.

Notation of Cochran (1950): G_j cases are right by model j, L_i models are right on case i.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._base.documented import documented
from ..._base.types import AnyLabels, NanPolicy, Undefined
from ..._inference.pvalues import CERTAIN, PValue, chi2_pvalue
from ..._inputs.options import check_choice, check_undefined
from ..._inputs.predictions import LabelTable, as_several_predictions, correct
from ..._results.omnibus import OmnibusResult
from .cochran_exact import exact_cochran_pvalue

METHODS = ("asymptotic", "exact")


@dataclass(frozen=True, eq=False, kw_only=True)
class CochranQResult(OmnibusResult):
    """Result of `cochran_q_test`; there is no single estimate, hence no interval."""

    accuracy: NDArray[np.float64]
    names: tuple[str, ...]
    n: int
    letter: ClassVar[str] = "Q"
    title: ClassVar[str] = "Cochran's Q test of accuracies on the same cases"

    def summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        return (
            f"Over {len(self.names)} models the accuracies range from {self.accuracy.min():.4f} to "
            f"{self.accuracy.max():.4f} on {self.n} cases (Cochran's {self.method} test, "
            f"{self._evidence()})."
        )


@documented
def cochran_q_test(
    y_true: AnyLabels,
    predictions: LabelTable,
    *,
    method: str = "asymptotic",
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> CochranQResult:
    """Test whether k classifiers are right equally often on the same cases.

    Parameters
    ----------
    method : {'asymptotic', 'exact'}, default='asymptotic'
        'asymptotic' takes linear time. 'exact' goes through the ways to exchange the models' right
        and wrong answers within cases, for few models and cases; for two models it is the exact
        McNemar test.
    on_undefined : {'warn', 'raise', 'ignore'}, default='warn'
        What to do when a part of the result is not defined: here all parts always are.

    Returns
    -------
    CochranQResult
        With ``statistic`` (Q), ``df``, ``pvalue``, ``log_pvalue``, ``accuracy`` (k,), ``names``,
        ``n``, ``n_dropped``, ``method``, ``status``, ``summary()`` and ``to_dict()``.

    See Also
    --------
    mcnemar_pairwise_test : Which of the models differ.

    Notes
    -----
    Two models make Q McNemar's chi-squared without correction. If all models are right on the same
    cases, ``statistic`` is 0, ``pvalue`` 1 and ``status`` 'no_discordant'.

    References
    ----------
    .. [1] W. G. Cochran (1950), doi:10.1093/biomet/37.3-4.256.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> predicted = {name: scores > 0.5 for name, scores in data.scores.items()}
    >>> result = fc.cochran_q_test(data.y_true, predicted)
    >>> result.df
    4
    """
    check_undefined(on_undefined)
    check_choice("method", method, METHODS)
    found = as_several_predictions(y_true, predictions, nan_policy)
    k = len(found.names)

    right = correct(found)
    by_model = right.sum(axis=1, dtype=np.int64).tolist()
    sizes = np.bincount(right.sum(axis=0, dtype=np.int64), minlength=k + 1).tolist()
    statistic = cochran_q(by_model, sizes)
    p = cochran_pvalue(statistic, by_model, sizes, method)

    return CochranQResult(
        statistic=statistic,
        df=k - 1,
        pvalue=p.pvalue,
        log_pvalue=p.log_pvalue,
        accuracy=np.array([right_on / found.truth.size for right_on in by_model]),
        names=found.names,
        n=found.truth.size,
        n_dropped=found.n_dropped,
        method=method,
        status="ok" if any(sizes[1:k]) else "no_discordant",
    )


def cochran_q(by_model: list[int], sizes: list[int]) -> float:
    """Return Q from G and from how many cases have L = 0, ..., k; a fraction rounded once."""
    k, total = len(by_model), sum(by_model)
    spread = k * sum(g * g for g in by_model) - total * total
    within = sum(count * right * (k - right) for right, count in enumerate(sizes))
    return (k - 1) * spread / within if within else 0.0


def cochran_pvalue(statistic: float, by_model: list[int], sizes: list[int], method: str) -> PValue:
    """Return the p-value; 1 where all models are right on the same cases."""
    if not any(sizes[1:-1]):
        return CERTAIN
    if method == "exact":
        return exact_cochran_pvalue(by_model, sizes)
    return chi2_pvalue(statistic, len(by_model) - 1)
