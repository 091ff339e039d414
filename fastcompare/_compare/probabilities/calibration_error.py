"""Expected calibration error with a bootstrap interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike

from ..._base.forward import forwards
from ..._base.parallel import Checkpoint
from ..._base.types import Integers, NanPolicy, Undefined, Vector
from ..._inference.status import announce
from ..._inputs.options import check_choice, check_level, check_undefined
from ..._inputs.probabilities import as_bin_count, as_binary_probabilities
from ..._resampling.bootstrap import (
    BootstrapInterval,
    Drawing,
    as_draws,
    draw,
    interval_fields,
    replicated,
)
from ..._resampling.weights import Weights, slices
from ...kernels.drawing.philox import LANES
from ...kernels.drawing.signs import add_weighted
from .decomposition import BINS, number_bins

METHODS = ("basic", "percentile", "normal")


@dataclass(frozen=True, eq=False, kw_only=True)
class CalibrationErrorResult(BootstrapInterval):
    """Result of `calibration_error`."""

    bins: str
    n_bins: int
    n: int
    n_dropped: int
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    title: ClassVar[str] = "Expected calibration error"

    def summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        return (
            f"The expected calibration error over {self.n_bins} {self.bins} bins is "
            f"{self.estimate:.4f} ({self._stated_interval()}, {self.method} bootstrap, "
            f"{self.n_resamples} resamples; {self.n} cases)."
        )


@dataclass(frozen=True, slots=True)
class BinnedErrors:
    """Statistic: the error of replicates; `d` are p - y by bin, which end at `stops`.

    n times the error is the sum over bins of |sum of p - y|: linear in the weights within a bin.
    """

    d: Vector
    stops: Integers

    def __call__(self, weights: Weights, checkpoint: Checkpoint) -> Vector:
        """Return the errors of 64 replicates."""
        apart, start = np.zeros(LANES), 0
        for stop in self.stops.tolist():
            sums = np.zeros(LANES)
            for part in slices(stop - start):
                checkpoint()
                rows = slice(start + part.start, start + part.stop)
                add_weighted(weights[rows], self.d[rows], sums)
            apart += np.abs(sums)
            start = stop
        with np.errstate(under="ignore"):
            return apart / self.d.size


@forwards(as_draws)
def calibration_error(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    n_bins: int = 10,
    bins: str = "uniform",
    method: str = "basic",
    confidence_level: float = 0.95,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
    **drawing: Unpack[Drawing],
) -> CalibrationErrorResult:
    """Return the expected calibration error: how far probabilities are from observed rates.

    It is the mean over cases of the distance between their bin's mean probability of the positive
    class and its rate of positives.

    Parameters
    ----------
    n_bins : int, default=10
        Bins of probabilities.
    bins : {'uniform', 'quantile'}, default='uniform'
        Bins of equal width, closed on the left, or of equally many cases; replicates keep them.
    method : {'basic', 'percentile', 'normal'}, default='basic'
        How replicates become an interval. The error of a sample is too large on average, and that
        of a replicate again; 'basic' reflects the replicates at the estimate and so corrects for
        that, 'percentile' doubles it.

    Returns
    -------
    CalibrationErrorResult
        With ``estimate``, ``standard_error`` (of the replicates), ``confidence_interval()``,
        ``n_bins`` (those not empty), ``n``, ``seed``, ``status``.

    Warns
    -----
    UndefinedResultWarning
        If there is only one case.

    See Also
    --------
    brier_decomposition : The rates of the bins, for a diagram.

    Notes
    -----
    The error depends on the bins, and is above 0 for calibrated probabilities, too;
    `spiegelhalter_test` and `calibration_test` need no bins.

    References
    ----------
    .. [1] M. Pakdaman Naeini, G. F. Cooper, M. Hauskrecht (2015), doi:10.1609/aaai.v29i1.9602.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y, p = [0, 0, 0, 1, 1, 1, 1], [.1, .1, .4, .4, .4, .8, .8]
    >>> round(fc.calibration_error(y, p, rng=0).estimate, 4)
    0.2
    """
    check_undefined(on_undefined)
    check_choice("bins", bins, BINS)
    count, level = as_bin_count(n_bins), check_level(confidence_level)
    check_choice("method", method, METHODS)
    draws = as_draws(**drawing)
    cases = as_binary_probabilities(y_true, y_prob, pos_label=pos_label, nan_policy=nan_policy)
    y, p = cases.labels, cases.models[0]

    bin_of, sizes = number_bins(p, count, bins)
    by_bin = np.argsort(bin_of, kind="stable")
    errors = BinnedErrors((p - y)[by_bin], np.cumsum(sizes))
    estimate = mean_binned_error(bin_of, p - y)
    values = draw(errors, (p.size,), draws)[0] if p.size > 1 else np.empty(0)
    status = "ok" if p.size > 1 else "one_case"
    announce(status, on_undefined)

    return CalibrationErrorResult(
        **interval_fields(replicated(method, estimate, values), draws),
        confidence_level=level,
        method=method,
        status=status,
        bins=bins,
        n_bins=sizes.size,
        n=p.size,
        n_dropped=cases.n_dropped,
    )


def mean_binned_error(bin_of: Integers, d: Vector) -> float:
    """Return the mean over cases of how far their bin's mean of d = p - y is from 0."""
    return float(np.abs(np.bincount(bin_of, d)).sum()) / d.size
