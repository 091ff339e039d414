"""Test that two models that gave probabilities to the same cases have equal expected losses."""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..._base.types import Vector
from ..._inference.status import announce
from ..._inputs.options import Alternative, NanPolicy, Undefined, check_choice, check_undefined
from ..._inputs.probabilities import Probabilities, Rule, as_probabilities, check_rule, check_shift
from ..._inputs.randomness import RandomState
from ..._inputs.workers import Progress
from ..._resampling.bootstrap import Claim, Draws, as_claim, as_draws
from ..paired.wilcoxon import ZEROS
from .losses import RULES, case_losses, greatest_loss, mean_loss, rule_name
from .scoring_methods import METHODS, Differences, summarise, undefined
from .scoring_result import ScoringResult


def scoring_test(
    y_true: ArrayLike,
    y_prob_a: Probabilities,
    y_prob_b: Probabilities,
    *,
    rule: Rule = "brier",
    method: str = "t",
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    zeros: str = "wilcox",
    clip: float | None = None,
    n_resamples: int = 9999,
    rng: RandomState = None,
    n_jobs: int = 1,
    executor: Executor | None = None,
    progress: Progress = None,
    keep: bool = False,
    classes: ArrayLike | None = None,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> ScoringResult:
    """Test whether two models' probabilities for the same cases have different expected losses.

    Parameters
    ----------
    y_true, classes, pos_label, nan_policy
        As in `brier_score`.
    y_prob_a, y_prob_b : array-like of shape (n,) or (n, c), mapping or data frame
        Probabilities by the two models, as in `brier_score`.
    rule : {'brier', 'log', 'spherical'} or callable, default='brier'
        The loss of a case. 'spherical' is 1 - p_y / |p|. A function gets labels 0 and 1 with the
        probabilities (n,) of 1, or numbers of classes with a table (n, c), and returns n losses:
        the lower, the better.
    method : {'t', 'wilcoxon', 'permutation', 'bootstrap'}, default='t'
        't' is the paired t-test; 'wilcoxon' the signed rank test; 'permutation' turns the signs of
        the differences, all 2^n up to 24 that are not 0; 'bootstrap' takes percentiles.
    alternative : {'two-sided', 'less', 'greater', 'equivalence'}, default='two-sided'
        'greater' claims that the first model has the greater loss: that it is worse. 'equivalence'
        claims that the losses differ by less than `margin` (two one-sided tests).
    margin : float, default=0
        Above 0 it turns 'less' into the claim that the first model's loss is below the second's
        plus `margin`: that it is not inferior; and 'greater' into the mirrored claim. For methods
        't' and 'bootstrap'; below the greatest loss of a rule that has one.
    zeros : {'wilcox', 'pratt', 'zsplit'}, default='wilcox'
        As in `wilcoxon_test`; only for 'wilcoxon'.
    clip : float, optional
        Move probabilities into [clip, 1 - clip]; only for the log loss.
    n_resamples : int, default=9999
        Random signs or bootstrap replicates B.
    rng : None, int or numpy.random.Generator, optional
        The seed. The same seed gives the same bits for any `n_jobs`, executor and machine.
    n_jobs : int, default=1
        Threads; -1 is all cores.
    executor : concurrent.futures.Executor, optional
        Who does the work in place of threads.
    progress : bool or callable, optional
        True shows a bar if the work takes more than a second; a function is called with the tasks
        done and their total.
    keep : bool, default=False
        Keep the replicates of the mean difference as ``distribution``; draws signs even where all
        could be counted.
    on_undefined : {'warn', 'raise', 'ignore'}, default='warn'
        What to do when a part of the result is not defined for these data.

    Returns
    -------
    ScoringResult
        With ``estimate`` (the mean of S_a - S_b; above 0: the first model is worse),
        ``standard_error``, ``statistic`` (t, W+, the mean difference, or for 'bootstrap' estimate
        over standard error), ``pvalue``, ``log_pvalue``, ``losses`` (2,), ``rule``, ``method``,
        ``n``, ``n_resamples`` (0 if exact), ``seed``, ``distribution``, ``status``; for 'wilcoxon'
        ``pseudomedian`` (the Hodges-Lehmann estimate) and ``effect_size`` (the matched-pairs
        rank-biserial correlation); ``confidence_interval(confidence_level)`` and ``summary()``.

    Warns
    -----
    UndefinedResultWarning
        If a loss is infinite (then all but the estimate is NaN, and that too if both models' are),
        there is one case, or the variance is 0.

    See Also
    --------
    brier_score, log_loss : The means alone.

    Notes
    -----
    Intervals belong to their tests: Student's; for 'wilcoxon' that of the pseudomedian, which need
    not hold the mean; for 'permutation' means over random sets of cases; percentiles.
    Differences within 1e-12 of the largest loss are rounding errors and count as 0; sums of signs
    within as much of the observed one, per case, count as extreme. Monte Carlo p-values are
    (b + 1) / (B + 1).

    References
    ----------
    .. [1] T. Gneiting, A. E. Raftery (2007), doi:10.1198/016214506000001437.
    .. [2] B. Phipson, G. K. Smyth (2010), doi:10.2202/1544-6115.1585.
    .. [3] J. A. Hartigan (1969), doi:10.1080/01621459.1969.10501057.
    .. [4] D. J. Schuirmann (1987), doi:10.1007/BF01068419.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y = [1, 0, 1, 0, 1, 0]
    >>> p, q = [.9, .2, .7, .3, .6, .15], [.75, .1, .85, .4, .8, .25]
    >>> print(fc.scoring_test(y, p, q).summary())
    The mean Brier scores are 0.06875 and 0.05958, a difference of 0.009167 (95 % CI -0.07021 to
    0.08855; paired t-test, t(5) = 0.2968, p = 0.7785). Lower is better: the second model's is
    lower.
    >>> fc.scoring_test(y, p, q, method="permutation").pvalue
    0.8125
    """
    check_undefined(on_undefined)
    check_choice("method", method, METHODS)
    check_choice("zeros", zeros, ZEROS)
    clip = check_rule(rule, clip, tuple(RULES))
    cases = as_probabilities(
        y_true,
        pos_label=pos_label,
        classes=classes,
        nan_policy=nan_policy,
        y_prob_a=y_prob_a,
        y_prob_b=y_prob_b,
    )
    width = greatest_loss(rule, cases.models[0])
    claim = as_claim(alternative, margin, width)
    draws = as_draws(
        n_resamples=n_resamples,
        rng=rng,
        n_jobs=n_jobs,
        executor=executor,
        progress=progress,
        keep=keep,
    )
    check_shift(method, claim.margin)

    losses = [case_losses(rule, cases.labels, p, clip) for p in cases.models]
    found, said = compared(losses, method, claim, draws, zeros)
    announce(said["status"], on_undefined)

    return ScoringResult(
        **{"standard_error": found.standard_error, **said},
        estimate=found.estimate,
        alternative=alternative,
        margin=claim.margin,
        rule=rule_name(rule),
        losses=np.array([mean_loss(loss) for loss in losses]),
        n=cases.labels.size,
        n_dropped=cases.n_dropped,
        _bounds=(-width, width),
    )


def compared(
    losses: list[Vector], method: str, claim: Claim, draws: Draws, zeros: str
) -> tuple[Differences, dict[str, Any]]:
    """Return the differences of two models' losses, and what the method and the status say."""
    with np.errstate(invalid="ignore"):
        found = summarise(losses[0] - losses[1], float(np.abs(losses).max()))
    status = status_of(found, method, claim.margin)
    compare = undefined if status == "infinite_loss" else METHODS[method]
    return found, {**compare(found, claim, draws, zeros), "status": status}


def status_of(found: Differences, method: str, margin: float) -> str:
    """Return the status word."""
    if not np.isfinite(found.d).all():
        return "infinite_loss"
    if found.d.size == 1:
        return "one_case"
    if not (found.d.any() or margin):
        return "no_difference"
    rank_or_sign = method in ("wilcoxon", "permutation")
    return "ok" if found.standard_error > 0.0 or rank_or_sign else "zero_variance"
