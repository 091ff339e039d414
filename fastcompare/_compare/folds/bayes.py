"""The Bayesian correlated t-test: how probable it is that one of two models is better.

J rounds, differences with mean d and variance s^2; rounds correlate by
rho = n_test / (n_train + n_test).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from numpy.typing import ArrayLike

from ..._base.documented import documented
from ..._base.types import NanPolicy, Undefined
from ..._inference.pvalues import student_quantile, student_tail
from ..._inference.status import announce
from ..._inputs.options import check_amount, check_flag, check_level, check_undefined
from ..._inputs.rounds import as_rounds, check_sizes
from ..._inputs.scores import ScoreTable
from ..._results.records import ConfidenceInterval
from ..paired.posterior import ROPE, PosteriorResult, posterior_probabilities
from .designs import DesignName, heed_design, heed_folds
from .student import SizedRounds, rounds_moments, variance_status

VALID = ("resampled", "repeated-kfold", "kfold")


@dataclass(frozen=True, eq=False, kw_only=True)
class BayesTResult(SizedRounds, PosteriorResult):
    """Result of `bayes_correlated_ttest`; `estimate` is the mean of the first less the second."""

    estimate: float
    scale: float
    df: int

    rows: ClassVar[str] = "rounds"
    title: ClassVar[str] = "Bayesian correlated t-test"

    def credible_interval(self, level: float = 0.95) -> ConfidenceInterval:
        """Return the central interval that holds the mean difference with this probability.

        Parameters
        ----------
        level : float, default=0.95
            Between 0 and 1.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``; NaN where the differences do not vary, but are not 0.
        """
        half = student_quantile(0.5 * (1.0 - check_level(level)), self.df) * self.scale
        half = math.nan if self.status == "zero_variance" else half
        return ConfidenceInterval(self.estimate - half, self.estimate + half)


@documented
def bayes_correlated_ttest(
    scores_a: ScoreTable,
    scores_b: ArrayLike | None = None,
    *,
    n_train: float | None = None,
    n_test: float | None = None,
    rope: float = ROPE,
    design: DesignName | None = None,
    higher_is_better: bool = True,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> BayesTResult:
    """Say how probable it is that either of two models is better, by their scores in rounds.

    The Bayesian counterpart of `ttest_corrected`, valid where that is: random resampling or
    repeated cross-validation of one data set, both models on the same splits.

    Parameters
    ----------
    scores_a, scores_b
        As in `ttest_corrected`.
    rope : float, default=0.01
        The region of practical equivalence: mean differences up to this size count as none. In the
        unit of the metric; 0 for no such region.
    higher_is_better : bool, default=True
        False for errors and losses.
    on_undefined : {'warn', 'raise', 'ignore'}, default='warn'
        What to do when the probabilities are not defined for these data.

    Returns
    -------
    BayesTResult
        With ``probability_a`` (that the first model is better), ``probability_rope`` (that both
        are practically equivalent) and ``probability_b``; ``rope``, ``estimate`` (the mean
        difference), ``scale`` and ``df`` of the posterior, ``higher_is_better``, ``names``, ``n``
        (J, complete rounds), ``n_dropped``, ``n_train``, ``n_test``, ``method``, ``status``,
        ``credible_interval(level)`` and ``summary()``.

    Warns
    -----
    DesignWarning, UndefinedResultWarning
        As `ttest_corrected`.

    See Also
    --------
    ttest_corrected : A p-value from the same distribution.
    bayes_signed_rank : Two models on several data sets.

    Notes
    -----
    With the prior that is flat in the mean and in the logarithm of the variance, the mean
    difference is Student's t with J - 1 degrees of freedom around d, with scale
    sqrt(s² (1 / J + rho / (1 - rho))). Without a region the probability that the second model is
    better is the one-sided p-value of the corrected t-test. Differences that are all 0 are
    equivalent with probability 1, by convention.

    References
    ----------
    .. [1] G. Corani, A. Benavoli (2015), doi:10.1007/s10994-015-5486-z.
    .. [2] A. Benavoli, G. Corani, J. Demšar, M. Zaffalon (2017), Journal of Machine Learning
       Research 18(77), 1-36.

    Examples
    --------
    >>> import fastcompare as fc
    >>> a, b = [.80, .82, .79, .85, .81], [.78, .79, .80, .81, .78]
    >>> print(fc.bayes_correlated_ttest(a, b, n_train=80, n_test=20).summary())
    The probability that the first is better than the second is 0.7975, that it is worse 0.0341,
    and that both are equivalent (within 0.01) 0.1684 (Bayesian correlated t-test, 5 rounds).
    """
    region = check_amount("rope", rope, 0.0)
    higher = check_flag("higher_is_better", higher_is_better)
    check_undefined(on_undefined)
    train, test = check_sizes(n_train, n_test)
    rounds = as_rounds(scores_a, scores_b, nan_policy=nan_policy)
    n = rounds.scores.shape[1]
    heed_design("bayes_correlated_ttest", design, VALID)
    heed_folds(design, n + rounds.n_dropped, train, test)

    _, estimate, scatter = rounds_moments(rounds)
    # Corani and Benavoli (2015), Eq. 9; rho / (1 - rho) = n_test / n_train
    scale = math.sqrt(scatter / (n - 1) * (1.0 / n + test / train))
    chances = posterior(estimate, scale, n - 1, region)
    status = variance_status(estimate, scale)
    announce(status, on_undefined)

    return BayesTResult(
        **posterior_probabilities(chances, higher),
        rope=region,
        estimate=estimate,
        scale=scale,
        df=n - 1,
        higher_is_better=higher,
        names=rounds.names,
        n=n,
        n_dropped=rounds.n_dropped,
        n_train=train,
        n_test=test,
        method="Bayesian correlated t-test",
        status=status,
    )


def posterior(estimate: float, scale: float, df: int, rope: float) -> tuple[float, float, float]:
    """Return how probable it is that the mean lies above the region, within it and below it."""
    if scale == 0.0:
        return (math.nan, math.nan, math.nan) if estimate else (0.0, 1.0, 0.0)
    above = student_tail((rope - estimate) / scale, df)
    below = student_tail((rope + estimate) / scale, df)
    # the region on the far side of the mean, so that two tails are subtracted, not two bulks
    far = abs(estimate) / scale
    reach = rope / scale
    return above, student_tail(far - reach, df) - student_tail(far + reach, df), below
