"""Net benefit of acting on probabilities above a threshold: decision curves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike

from ..._base.forward import forwards
from ..._base.types import Vector
from ..._inputs.probabilities import Binary, as_binary_probabilities, as_thresholds
from .benefits import BenefitCurve, Shares, Treatments
from .reaching import reaching


@dataclass(frozen=True, eq=False, kw_only=True)
class NetBenefitResult(BenefitCurve):
    """Result of `net_benefit`; arrays have an entry for each threshold."""

    treat_all: Vector
    prevalence: float
    title: ClassVar[str] = "Net benefit"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        best = int(np.argmax(self.estimate - np.maximum(self.treat_all, 0.0)))
        return (
            f"At a threshold of {self.thresholds[best]:g} the net benefit is "
            f"{self.estimate[best]:.4f} ({self._stated_interval(at=best)}), that of "
            f"treating all {self.treat_all[best]:.4f} and of treating none 0."
        )


@forwards(as_binary_probabilities)
def net_benefit(
    y_true: ArrayLike, y_prob: ArrayLike, thresholds: ArrayLike = 0.5, **reading: Unpack[Binary]
) -> NetBenefitResult:
    """Return the net benefit of treating cases whose probability reaches a threshold.

    Parameters
    ----------
    thresholds : float or array-like of shape (t,), default=0.5
        Probabilities between 0 and 1 from which one would treat; several give a decision curve.

    Returns
    -------
    NetBenefitResult
        With ``thresholds``, ``estimate`` (true positives less false positives times the odds of the
        threshold, a case), ``standard_error``, ``treat_all`` (the same for treating everybody),
        each (t,), ``prevalence``, and ``confidence_interval(level, simultaneous=False)``.

    See Also
    --------
    net_benefit_test : Whether those of two models differ.

    Notes
    -----
    Intervals combine Wilson's of the true and of the false positives [2]_, so that they cover also
    where hardly any case is positive. ``simultaneous=True`` gives a band around the whole curve.

    References
    ----------
    .. [1] A. J. Vickers, E. B. Elkin (2006), doi:10.1177/0272989X06295361.
    .. [2] G. Y. Zou, A. Donner (2008), doi:10.1002/sim.3095.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.net_benefit([1, 0, 1, 0], [.9, .3, .7, .1], [.2, .5])
    >>> result.estimate.round(4).tolist(), result.treat_all.round(4).tolist()
    ([0.4375, 0.5], [0.375, 0.0])
    """
    cuts = as_thresholds(thresholds)
    cases = as_binary_probabilities(y_true, y_prob, **reading)
    p, positive, n = cases.models[0], cases.labels == 1, cases.labels.size

    odds = cuts / (1.0 - cuts)
    counts = reaching(positive, p, cuts).T
    weights = np.stack([np.ones_like(odds), -odds], axis=1)
    shares = Shares(counts.astype(np.float64, order="C"), weights, n)
    prevalence = float(positive.mean())
    return NetBenefitResult(
        thresholds=cuts,
        estimate=shares.estimate(),
        standard_error=shares.standard_error(),
        treat_all=prevalence - (1.0 - prevalence) * odds,
        prevalence=prevalence,
        n=n,
        n_dropped=cases.n_dropped,
        _shares=shares,
        _treatments=Treatments.of(positive, [p], cuts),
    )
