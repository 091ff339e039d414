"""Spiegelhalter's test that probabilities are calibrated."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike

from ..._base.forward import forwards
from ..._base.text import equation, figure, show_pvalue
from ..._base.types import Direction, Undefined, Vector
from ..._inference.infer import infer
from ..._inference.status import announce
from ..._inputs.options import ALTERNATIVES, check_choice, check_undefined
from ..._inputs.probabilities import Binary, Labels, as_binary_probabilities
from ..._results.records import NormalResult


@dataclass(frozen=True, eq=False, kw_only=True)
class SpiegelhalterResult(NormalResult):
    """Result of `spiegelhalter_test`; `estimate` is the Brier score less what it should be."""

    brier_score: float
    n: int
    n_dropped: int
    names: ClassVar[tuple[()]] = ()  # type: ignore[misc]  # there is one model
    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    title: ClassVar[str] = "Spiegelhalter's test of calibration"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        z = equation("z", figure(self.statistic, ".3f"))
        p = equation("p", show_pvalue(self.pvalue))
        return (
            f"The Brier score is {self.brier_score:.4f}, {self.estimate:+.4f} from what calibrated "
            f"probabilities would have (Spiegelhalter's test, {z}, {p})."
        )


@forwards(as_binary_probabilities)
def spiegelhalter_test(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    alternative: Direction = "two-sided",
    on_undefined: Undefined = "warn",
    **reading: Unpack[Binary],
) -> SpiegelhalterResult:
    """Test whether the Brier score is what calibrated probabilities would have.

    Parameters
    ----------
    alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
        'greater' claims that the score is worse than calibration would have it: overconfidence.

    Returns
    -------
    SpiegelhalterResult
        With ``statistic`` (z), ``pvalue``, ``log_pvalue``, ``estimate`` (the mean of
        (p - y)² - p (1 - p)), ``standard_error`` (exact for calibrated probabilities),
        ``brier_score``, ``n``, ``status``, ``confidence_interval(confidence_level)``.

    Warns
    -----
    UndefinedResultWarning
        If all probabilities are 0, 1/2 or 1 and the score differs from the expected one.

    See Also
    --------
    calibration_test : Slope and intercept.

    Notes
    -----
    With labels y and probabilities p::

        z = sum (y - p) (1 - 2 p) / sqrt(sum (1 - 2 p)^2 p (1 - p))

    A large p-value does not prove calibration: errors that cancel in the Brier score go unseen.

    References
    ----------
    .. [1] D. J. Spiegelhalter (1986), doi:10.1002/sim.4780050506.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.spiegelhalter_test([0, 0, 1, 1, 1], [.1, .3, .6, .8, .9])
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (-1.0328, 0.3017)
    """
    check_undefined(on_undefined)
    check_choice("alternative", alternative, ALTERNATIVES)
    cases = as_binary_probabilities(y_true, y_prob, **reading)
    y, p = cases.labels, cases.models[0]

    score, estimate, standard_error = brier_moments(y, p)
    inference = infer(estimate, standard_error, alternative)
    status = "zero_variance" if math.isinf(inference["statistic"]) else "ok"
    announce(status, on_undefined)

    return SpiegelhalterResult(
        **inference,
        method="Spiegelhalter's test",
        status=status,
        brier_score=score,
        n=p.size,
        n_dropped=cases.n_dropped,
    )


@np.errstate(under="ignore")
def brier_moments(y: Labels, p: Vector) -> tuple[float, float, float]:
    """Return the Brier score, its distance from the expected one, and that one's error."""
    lean = 1.0 - 2.0 * p
    estimate = float(((y - p) * lean).mean())  # (y - p)^2 - p (1 - p), since y^2 = y
    variance = float((lean**2 * p * (1.0 - p)).sum())
    return float(np.square(p - y).mean()), estimate, math.sqrt(variance) / p.size
