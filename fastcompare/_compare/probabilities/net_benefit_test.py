"""Test whether two models differ in net benefit at one threshold or several."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._base.forward import forwards
from ..._base.text import counted, equation, figure, show_pvalue
from ..._base.types import Direction, Matrix, Undefined, Vector
from ..._inference.pvalues import in_tail, log_normal_pvalues, normal_pvalues
from ..._inference.status import announce
from ..._inputs.options import ALTERNATIVES, check_choice, check_undefined
from ..._inputs.probabilities import Binary, as_binary_probabilities, as_thresholds, as_two_binary
from ..._inputs.scores import UNNAMED
from .benefits import BenefitCurve, Shares, Treatments
from .reaching import reaching


@dataclass(frozen=True, eq=False, kw_only=True)
class NetBenefitTestResult(BenefitCurve):
    """Result of `net_benefit_test`; arrays have an entry for each threshold."""

    statistic: Vector
    pvalue: Vector
    adjusted_pvalue: Vector
    net_benefits: Matrix
    alternative: str
    names: tuple[str, str] = UNNAMED
    status: str = "ok"
    title: ClassVar[str] = "Difference of net benefits"

    @property
    def log_pvalue(self) -> Vector:
        """The natural logarithms (t,) of the p-values, also where these underflow."""
        return log_normal_pvalues(self.statistic, self.pvalue, self.alternative)

    @property
    def _claimed(self) -> str:
        return self.alternative

    def _range(self, odds: Vector) -> tuple[Vector, Vector]:
        return -np.maximum(odds, 1.0), np.maximum(odds, 1.0)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        at = int(np.argmin(np.nan_to_num(self.pvalue, nan=1.0)))
        interval = self._stated_interval(at=at)
        p = equation("p", show_pvalue(float(self.pvalue[at])))
        many, count = "", self.thresholds.size
        if count > 1:
            adjusted = equation("adjusted p", show_pvalue(float(self.adjusted_pvalue[at])))
            many = f", {adjusted} for {count} thresholds"
        first, second = (f"{benefit:.4f}" for benefit in self.net_benefits[:, at])
        called = "" if self.names == UNNAMED else f" ({' and '.join(self.names)})"
        return (
            f"At a threshold of {self.thresholds[at]:g} the net benefits are {first} and {second}"
            f"{called}, a difference of {self.estimate[at]:.4f} ({interval}; "
            f"{equation('z', figure(self.statistic[at], '.3f'))}, {p}{many}; "
            f"{counted(self.n, 'case')})."
        )


@forwards(as_binary_probabilities)
def net_benefit_test(
    y_true: ArrayLike,
    y_prob_a: ArrayLike,
    y_prob_b: ArrayLike | None = None,
    thresholds: ArrayLike = 0.5,
    *,
    alternative: Direction = "two-sided",
    on_undefined: Undefined = "warn",
    **reading: Unpack[Binary],
) -> NetBenefitTestResult:
    """Test whether two models' net benefits for the same cases differ.

    Parameters
    ----------
    y_prob_a, y_prob_b : array-like of shape (n,), mapping or data frame
        Probabilities of the positive class by two models. A data frame or mapping of two models
        stands for both.
    thresholds : float or array-like of shape (t,), default=0.5
        Probabilities between 0 and 1 from which one would treat; several give a decision curve.

    Returns
    -------
    NetBenefitTestResult
        With ``thresholds``, ``estimate`` (the first model's net benefit less the second's),
        ``standard_error``, ``statistic`` (z), ``pvalue``, ``adjusted_pvalue`` (for the number of
        thresholds), ``log_pvalue``, each (t,); ``net_benefits`` (2, t), ``names``, ``n``,
        ``confidence_interval(level, simultaneous=False)`` and ``summary()``.

    See Also
    --------
    net_benefit : One model's, with intervals.

    Notes
    -----
    With TP true and FP false positives at the threshold t, of n cases::

        net benefit = TP / n - FP / n * t / (1 - t)

    Only cases that one model alone would treat tell the models apart. The statistic is the z whose
    interval by MOVER [2]_ ends at 0; it stays valid where few such cases are positive. Adjusted
    p-values and simultaneous intervals go by the largest of all thresholds' statistics, which are
    jointly normal.

    References
    ----------
    .. [1] A. J. Vickers, A. M. Cronin, E. B. Elkin, M. Gonen (2008), doi:10.1186/1472-6947-8-53.
    .. [2] G. Y. Zou, A. Donner (2008), doi:10.1002/sim.3095.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y, p, q = [1, 0, 1, 0, 1, 0], [.9, .3, .7, .1, .6, .4], [.8, .6, .4, .2, .3, .6]
    >>> result = fc.net_benefit_test(y, p, q, [.35, .5])
    >>> result.estimate.round(4).tolist(), result.pvalue.round(4).tolist()
    ([0.2564, 0.6667], [0.2195, 0.0307])
    """
    check_undefined(on_undefined)
    check_choice("alternative", alternative, ALTERNATIVES)
    cuts = as_thresholds(thresholds)
    cases, names = as_two_binary(y_true, y_prob_a, y_prob_b, **reading)
    positive = cases.labels == 1
    shares, benefits = compared(positive, cases.models, cuts)

    error, z = shares.standard_error(), shares.statistic()
    p = normal_pvalues(z, error, alternative)
    treatments = Treatments.of(positive, cases.models, cuts)
    status = "ok" if error.any() or z.any() else "no_difference"
    announce(status, on_undefined)
    return NetBenefitTestResult(
        thresholds=cuts,
        estimate=shares.estimate(),
        standard_error=error,
        statistic=z,
        pvalue=p,
        adjusted_pvalue=adjusted(treatments, z, p, alternative),
        net_benefits=benefits,
        alternative=alternative,
        names=names,
        status=status,
        n=positive.size,
        n_dropped=cases.n_dropped,
        _shares=shares,
        _treatments=treatments,
    )


def compared(
    positive: NDArray[np.bool_], models: list[Vector], cuts: Vector
) -> tuple[Shares, Matrix]:
    """Return the shares of cases that one model alone would treat, and both net benefits."""
    a, b = models
    odds = cuts / (1.0 - cuts)
    first, second, both = (reaching(positive, p, cuts) for p in (a, b, np.minimum(a, b)))
    ones = np.ones_like(odds)
    alone = np.stack([first - both, second - both], axis=1)  # by class, by model, by threshold
    counts = alone.reshape(4, -1).T.astype(np.float64, order="C")
    hits, alarms = np.stack([first, second], axis=1)
    weights = np.stack([ones, -ones, -odds, odds], axis=1)
    return Shares(counts, weights, positive.size), (hits - alarms * odds) / positive.size


def adjusted(treatments: Treatments, z: Vector, p: Vector, alternative: str) -> Vector:
    """Return p-values for the largest statistic of all thresholds, between p and Bonferroni's."""
    if z.size == 1:
        return p
    largest = treatments.largest(alternative)
    if not largest.size:  # no statistic varies: nothing tells how they depend
        return np.asarray(np.minimum(z.size * p, 1.0))
    drawn = np.sort(largest)
    beyond = drawn.size - np.searchsorted(drawn, in_tail(z, alternative)[0], "left")
    return np.clip((beyond + 1.0) / (drawn.size + 1.0), p, np.minimum(z.size * p, 1.0))
