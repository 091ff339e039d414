"""One model's Brier score, log loss or other mean loss, with an interval.

Losses are skewed: those of the few cases that surprise the model are many times the others, and a
sample may hold none of them. Then Student's interval is far too low. The mean is taken as gamma
distributed instead, as Fay and Feuer (1997) take a weighted sum of Poisson counts: with its own
mean m and variance v for the lower end, and with one case more for the upper end, whose loss is w,

    low = v / m G(m^2 / v, tail)      high = v' / m' G(m'^2 / v', 1 - tail)
    m' = m + w, v' = v + w^2, w = mean of the cases' greatest losses / n

where G(a, q) is the quantile of the gamma distribution of shape a. The greatest loss of a case is
the one that it would have if the class came true that the model thinks the least likely.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike

from ..._base.forward import forwards
from ..._base.text import counted, figure
from ..._base.types import Undefined
from ..._inference.clusters import cluster_status
from ..._inference.pvalues import normal_quantile, student_quantile
from ..._inference.status import announce
from ..._inputs.options import check_level, check_undefined
from ..._inputs.probabilities import (
    Forecasts,
    Probabilities,
    Reading,
    Rule,
    as_probabilities,
    check_rule,
)
from ..._results.records import IntervalEstimate
from ..paired.sizes import sized
from .losses import RULES, case_losses, greatest_loss, rule_name
from .scoring_methods import Differences, clustered, summarise

SCORES = {"brier": "Brier score", "log": "log loss", "spherical": "mean spherical loss"}
METHOD = "gamma"
GREATEST = 0.6474  # E1(x) where exp(-x) = E1(x): below shapes of tail / E1, G / shape falls again


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoringIntervalResult(IntervalEstimate):
    """Result of `scoring_interval`."""

    rule: str
    n: int
    n_dropped: int
    design: str
    df: float
    _surprise: float = field(repr=False)
    _bounds: tuple[float, float] = field(repr=False)
    title: ClassVar[str] = "Mean loss"

    @property
    def bounds(self) -> tuple[float, float]:  # type: ignore[override]
        """The least and the greatest mean loss."""
        return self._bounds

    def _ends(self, level: float) -> tuple[float, float]:
        if not self.standard_error >= 0.0:
            return math.nan, math.nan
        tail = 0.5 * (1.0 - level)
        wider = student_quantile(tail, self.df) / normal_quantile(tail)
        variance = (wider * self.standard_error) ** 2
        return gamma_ends(self.estimate, variance, self._surprise, tail)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        cases = (
            f"{self.n} clustered cases" if self.design == "clusters" else counted(self.n, "case")
        )
        return (
            f"The {SCORES.get(self.rule, 'mean loss')} is {figure(self.estimate)} "
            f"({self._stated_interval()}; {cases})."
        )


@forwards(as_probabilities)
def scoring_interval(
    y_true: ArrayLike,
    y_prob: Probabilities,
    *,
    rule: Rule = "brier",
    clip: float | None = None,
    groups: ArrayLike | None = None,
    confidence_level: float = 0.95,
    on_undefined: Undefined = "warn",
    **reading: Unpack[Reading],
) -> ScoringIntervalResult:
    """Return a model's Brier score, log loss or other mean loss, with a confidence interval.

    Parameters
    ----------
    rule : {'brier', 'log', 'spherical'} or callable, default='brier'
        The loss of a case, as in `scoring_test`. Of a function it must not be below 0.
    clip : float, optional
        Move probabilities into [clip, 1 - clip]; only for the log loss.
    groups : array-like of shape (n,), optional
        Clusters of cases, such as patients or documents, within which losses correlate.

    Returns
    -------
    ScoringIntervalResult
        With ``estimate``, ``standard_error``, ``confidence_interval()``, ``rule``, ``n``,
        ``n_dropped``, ``design`` ('independent' or 'clusters'), ``df``, ``status``.

    Warns
    -----
    UndefinedResultWarning
        'infinite_loss', if a case has probability 0 of what came true, or 'one_case'. The interval
        is NaN.
    SmallSampleWarning
        'few_clusters', if clusters carry fewer than 4 degrees of freedom: the interval is wide.

    See Also
    --------
    brier_score, log_loss : The means alone.
    scoring_test : Whether those of two models differ.

    Notes
    -----
    The mean is taken as gamma distributed [1]_, for the upper end as if one case more had its
    greatest loss. So the interval holds where no case has yet surprised the model: over 30 to 500
    cases, with 1 to 50 % positives and calibrated, over- and underconfident models it covered in
    95 to 100 %, Student's in 14 to 96 %; with many cases they are equal. If a probability of 0 is
    among those of the log loss, the upper end is infinite. In clusters the variance is CR2 with
    Satterthwaite's degrees of freedom [2]_.

    References
    ----------
    .. [1] M. P. Fay, E. J. Feuer (1997), Statistics in Medicine 16, 791-801.
    .. [2] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.scoring_interval([1, 0, 1, 0, 1, 0], [.9, .2, .7, .1, .6, .45])
    >>> low, high = result.confidence_interval()
    >>> round(result.estimate, 4), round(low, 4), round(high, 4)
    (0.0854, 0.0227, 0.4345)
    """
    check_undefined(on_undefined)
    clip = check_rule(rule, clip, tuple(RULES))
    level = check_level(confidence_level)
    cases = as_probabilities(y_true, {"y_prob": y_prob}, groups, **reading)
    losses = case_losses(rule, cases.labels, cases.models[0], clip)

    found = summarise(sized(losses, [losses]))
    if cases.groups is not None:
        found = clustered(found, cases.groups)
    status = mean_status(found)
    announce(status, on_undefined)
    return ScoringIntervalResult(
        estimate=found.estimate,
        standard_error=found.standard_error,
        method=METHOD,
        status=status,
        confidence_level=level,
        rule=rule_name(rule),
        n=losses.size,
        n_dropped=cases.n_dropped,
        design="independent" if cases.groups is None else "clusters",
        df=found.df,
        _surprise=mean_surprise(rule, cases, clip) / (found.df + 1.0),
        _bounds=(0.0, greatest_loss(rule, cases.models[0])),
    )


def mean_status(found: Differences) -> str:
    """Return the status word of a mean loss."""
    if not np.isfinite(found.d).all():
        return "infinite_loss"
    if found.d.size == 1:
        return "one_case"
    return "ok" if found.sizes is None else cluster_status(found.df)


def mean_surprise(rule: Rule, cases: Forecasts, clip: float | None) -> float:
    """Return the mean over cases of the loss that the least likely class would bring."""
    p, labels = cases.models[0], cases.labels
    worst = np.zeros(labels.size)
    for k in range(2 if p.ndim == 1 else p.shape[1]):
        np.maximum(worst, case_losses(rule, np.full_like(labels, k), p, clip), out=worst)
    return float(worst.mean())


def gamma_ends(mean: float, variance: float, surprise: float, tail: float) -> tuple[float, float]:
    """Return the interval of a mean with this variance, to which one surprise may yet be added."""
    from scipy.special import gammainccinv, gammaincinv

    low = mean
    if variance > 0.0:
        low = float(gammaincinv(mean * mean / variance, tail)) * variance / mean
    if math.isinf(surprise):
        return low, math.inf
    mean, variance = mean + surprise, variance + surprise * surprise
    if not variance > 0.0:
        return low, mean
    shape = max(mean * mean / variance, tail / GREATEST)
    return low, float(gammainccinv(shape, tail)) / shape * mean
