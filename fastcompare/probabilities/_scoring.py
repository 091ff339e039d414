"""The test that two models have equal expected losses, and one model's mean loss with an interval.

A sample may hold none of the few cases that surprise a model, and Student's interval is then far
too low. So a mean m with variance v counts as gamma distributed, as Fay and Feuer (1997) take a
weighted sum of Poisson counts; at the upper end there is one case more, whose loss is w, the mean
of the cases' greatest losses / n. With the quantile G(a, q) of the gamma distribution of shape a::

    low = v / m G(m^2 / v, tail)      high = v' / m' G(m'^2 / v', 1 - tail)
    m' = m + w,  v' = v + w^2
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike

from .._base.documented import with_engine_options
from .._base.parallel import Checkpoint
from .._base.text import (
    DIFFERENCE,
    PSEUDOMEDIAN,
    amount,
    differing_form,
    equation,
    show_number,
    show_pvalue,
)
from .._base.types import Alternative, NanPolicy, Undefined, Vector
from .._inference.clusters import cluster_status
from .._inference.pvalues import normal_quantile, student_quantile
from .._inference.status import unvaried_status, warn_status
from .._inference.unseen import UnseenFailures
from .._inputs.chunks.cases import (
    ForecastReader,
    PairStream,
    as_forecast_stream,
    check_loss_options,
)
from .._inputs.options import check_level, check_undefined, hash_seed
from .._inputs.probabilities import (
    SHIFTING,
    Forecasts,
    Probabilities,
    Reading,
    Rule,
    as_probabilities,
    check_heeded,
    check_nonnegative_losses,
    check_rule,
)
from .._inputs.scores import titled_pair
from .._resampling.bootstrap import Bounded, ByTails, Claim, DrawOptions, Draws, as_claim, as_draws
from .._resampling.replicates import all_blocks
from .._resampling.weights import Strata, run_blocks
from .._results.caution import Cautious, with_caution
from .._results.presentation import replace_fields
from .._results.records import IntervalEstimate
from .._results.two_models import Result
from ..paired._columns import Ends, sized_differences
from ..paired._wilcoxon import RANK_BISERIAL, WalshAverages
from . import _scoring_methods as scoring_methods
from ._losses import (
    RULES,
    LossMoments,
    WeightedMeans,
    case_losses,
    greatest_loss,
    is_too_skewed,
    loss_fields,
    rule_name,
    surprise_failures,
)
from ._streamed import LossReader, by_student_of_stream, losses_of_stream, streamed_status

FIRST_PAIR = (np.array([0]), np.array([1]))
LOSS_TITLES = {"brier": "Brier scores", "log": "log losses", "spherical": "spherical losses"}


def wilcoxon_pseudomedian(result: Any) -> float | None:
    """Return the Hodges-Lehmann estimate of a result by Wilcoxon's test, None for other tests."""
    tails = result._tails
    return tails.median() if isinstance(tails, WalshAverages) else None


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoringResult(Bounded, ByTails, Cautious, Result):
    """Result of `scoring_test`; `estimate` is ``losses[0] - losses[1]``, or the pseudomedian."""

    rule: str
    losses: Vector
    n: int
    n_dropped: int
    n_resamples: int = 0
    seed: int | None = None
    distribution: Vector | None = None
    pseudomedian: float | None = field(init=False, default=cached_property(wilcoxon_pseudomedian))  # type: ignore[assignment]
    effect_size: float | None = None
    df: float | None = None
    _bounds: tuple[float, float] = field(repr=False)
    _letter: str = field(repr=False, default="")
    _tails: Ends | None = field(repr=False)
    _unseen: UnseenFailures | None = field(repr=False, default=None)
    title: ClassVar[str] = "Paired test of losses"
    _follows_sample: ClassVar[bool] = True
    _units: ClassVar[str] = "cases"
    higher_is_better: ClassVar[bool] = False

    def _failures(self) -> UnseenFailures | None:
        """Return the unseen failures that would explain a significant difference, None if none."""
        return self._unseen

    @property
    def _quantity(self) -> str:  # type: ignore[override]
        """The name of the mean loss."""
        return MEAN_LOSS_TITLES.get(self.rule, "mean loss")

    @property
    def _tested_quantity(self) -> str:
        """The name of the mean loss, or of what a test of ranks compares."""
        if self.pseudomedian is None:
            return self._quantity
        return f"{MEAN_LOSS_TITLES.get(self.rule, 'loss')} of a typical case"

    @property
    def _difference_title(self) -> str:  # type: ignore[override]
        """The name of the estimate, which of a test of ranks is not the difference of the means."""
        return DIFFERENCE if self.pseudomedian is None else PSEUDOMEDIAN

    def _zero_variance_limits(self, level: float) -> tuple[float, float]:
        """Return the limits of differences that do not vary: by order statistics of ranks."""
        by_order = isinstance(self._tails, WalshAverages)
        return self._ends(level) if by_order else super()._zero_variance_limits(level)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        p = equation("p", show_pvalue(self.pvalue))
        by_ranks = self.pseudomedian is not None  # then the estimate is not that of the means
        difference = self.losses[0] - self.losses[1] if by_ranks else self.estimate
        opposed = ", in the other direction" if difference * self.estimate < 0.0 else ""
        form = differing_form(self.losses, "g")
        both = self._beside_names(*(show_number(loss, form) for loss in self.losses))
        effect = "" if self.effect_size is None else f", {RANK_BISERIAL} {self.effect_size:.3f}"
        has_statistic = self._letter and math.isfinite(self.statistic)
        named = f", {self._letter} = {self.statistic:.4g}" if has_statistic else ""
        return (
            f"The mean {LOSS_TITLES.get(self.rule, 'losses')} are {both}, a difference of "
            f"{show_number(difference, '.4g')}{opposed} "
            f"({self._pseudomedian_text()}{self._interval_text('.4g')}; "
            f"{self.method}{self._hypothesis_text()}{named}, {p}{effect}). Lower is better."
            f"{self._stated_failures()}"
        )

    def _pseudomedian_text(self) -> str:
        """Return the words on the pseudomedian, which only a test of ranks has."""
        if self.pseudomedian is None:
            return ""
        return f"pseudomedian of the cases' differences {self.pseudomedian:.4g}, "


@with_engine_options(as_draws)
def scoring_test(
    y_true: Any,
    y_prob_a: Probabilities | None = None,
    y_prob_b: Probabilities | None = None,
    *,
    rule: Rule = "brier",
    clip: float | None = None,
    zeros: str = "wilcox",
    classes: ArrayLike | None = None,
    method: str = "auto",
    groups: ArrayLike | None = None,
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    keep: bool = False,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
    **drawing: Unpack[DrawOptions],
) -> ScoringResult:
    """Test the difference between two models' Brier scores, log losses or other mean losses.

    A scoring rule gives each case a loss (lower is better), and the case-by-case differences
    between the two models' losses are tested.

    Parameters
    ----------
    y_true, classes, pos_label, nan_policy
        As in `brier_score`. Or, without probabilities, chunks of labels of two classes and
        probabilities that need not fit into memory: `scan_parquet`, `scan_chunks`, a list of tuples
        ``(y_true, y_prob_a, y_prob_b)``, with or without clusters as a fourth element, or a
        function that returns an iterator of these; for method 't'. They are read once, or twice if
        there are clusters or the result depends on few cases. So are `numpy.memmap` arrays of a
        million cases and more.
    y_prob_a, y_prob_b : array-like of shape (n,) or (n, c), mapping or data frame
        The two models' probabilities, as in `brier_score`. A data frame or mapping with two models
        may replace both; the models take its names, or those of two Series.
    rule : {'brier', 'log', 'spherical'} or callable, default='brier'
        The scoring rule: the loss of a case. 'spherical' is 1 - p_y / |p|. A callable receives
        labels 0 and 1 with the probabilities (n,) of 1, or class indices with a table (n, c), and
        returns n losses (lower is better).
    clip : float, optional
        Clip probabilities to [clip, 1 - clip]; only for the log loss.
    zeros : {'wilcox', 'pratt', 'zsplit'}, default='wilcox'
        As in `wilcoxon_test`; only for 'wilcoxon'.
    method : {'auto', 't', 'wilcoxon', 'permutation', 'bootstrap'}, default='auto'
        't' is the paired t-test; 'auto' is the same with a lower bound on the variance that allows
        for rare classes (see Notes). 'wilcoxon' is the signed rank test; 'permutation' flips the
        signs of the differences, in all 2^n ways for up to 24 differences that are not 0;
        'bootstrap' uses percentiles.
    groups : array-like of shape (n,), optional
        Clusters of cases, such as patients or documents, within which losses correlate; for 'auto',
        't' and 'permutation'. For the first two the variance is CR2, which is unbiased for
        independent cases, and the statistic follows Student's t with Satterthwaite's degrees of
        freedom. 'permutation' flips the signs of whole clusters, in all 2^G ways for up to 24
        clusters: exact for any cluster sizes, if the models are exchangeable in each; with 5
        clusters, no p-value is below .06.
    alternative : {'two-sided', 'less', 'greater', 'equivalence'}, default='two-sided'
        'greater': the first model has the greater loss, so it is worse. 'equivalence': the losses
        differ by less than `margin` (two one-sided tests).
    margin : float, default=0
        Non-inferiority margin. If above 0, 'less' means that the first model's loss is below the
        second's plus `margin`, and 'greater' the reverse. For methods 'auto', 't' and 'bootstrap';
        below the largest possible loss, if the rule has one.
    n_resamples : int, default=9999
        Number B of random sign vectors or bootstrap replicates.
    keep : bool, default=False
        Keep the replicates of the mean difference as ``distribution``; signs are then drawn even
        where all could be enumerated.

    Returns
    -------
    ScoringResult
        With ``names``, ``estimate`` (the mean of S_a - S_b, or for 'wilcoxon' their pseudomedian;
        above 0 if the first model is worse), ``standard_error`` (of the mean), ``statistic`` (t,
        W+, the mean difference, or for 'bootstrap' estimate over standard error), ``pvalue``,
        ``log_pvalue``, ``losses`` (2,), ``rule``, ``method``, ``n``, ``n_resamples`` (0 if exact),
        ``seed``, ``distribution``, ``status``; for 'wilcoxon' ``pseudomedian`` (the Hodges-Lehmann
        estimate, again) and ``effect_size`` (the matched-pairs rank-biserial correlation); for
        'auto' and 't' ``df``; ``confidence_interval(confidence_level)`` and ``summary()``.

    Warns
    -----
    UndefinedResultWarning
        If a loss is infinite (then everything but the estimate is NaN, and the estimate, too, if
        both models have infinite losses), there is one case, or, without a margin, the variance is
        0 but the difference is not.
    SmallSampleWarning
        'unseen_failures', if outcomes that surprise the better model, of which the cases may have
        none, would explain a significant difference of means: the warning and the summary give
        their share and the probability that there are none. 'small_sample', if the differences are
        so skewed for the number of cases (skewness above sqrt(n) / 5) that 't' and 'bootstrap'
        reject up to 20% of true null hypotheses at the 5% level, as when one model is much more
        confident and almost no case is positive. Not for
        'auto'. 'few_clusters', if clusters carry fewer than 4 degrees of freedom (fewer than 5
        clusters, or one with half of the cases): intervals are wide.

    See Also
    --------
    brier_score, log_loss : The means alone.

    Notes
    -----
    With d the case-by-case differences between the two models' losses::

        t = mean d / (s / sqrt(n)),    df = n - 1

    If some classes are rare (together less than 30% and fewer than 1,000 of the cases), 'auto' puts
    a lower bound on the standard error under a difference D: the standard error due to the rare
    cases that D requires. With f the proportion of cases of the other classes, N their mean
    difference, and w the mean change in a case's difference if it were of a rare class, weighted by
    its size::

        SE(D)^2 = max(s^2 / n, f |D - N| w / n)

    So rare cases that happened not to occur are allowed for. For two models of equal Brier score
    (one predicts 1.8 times the risk, the other 1 +- 0.8 times), 't' rejects 60% at the 5% level
    with 20 cases and a prevalence of .05, 60% with 50 and .02, and 37% with 200 and .01; 'auto' at
    most 0.2%, and at most 6.1% for other models with 20 to 1,000 cases. It has less power: 56%
    where 't' has 66% and a permutation 73% (200 cases, 5% positive). Clustering of the rare cases
    enters by the intraclass correlation that pairs of cases show, as if one more cluster consisted
    of rare cases only. With 20, 50 and 200 clusters of unequal sizes, of which 1 to 130 have a
    positive case, its type I error rate is at most 6%, that of 't' up to 43%.

    A loss is (p - y)^2, summed over classes if there are three or more ('brier'), -log p_y ('log'),
    or 1 - p_y / |p| ('spherical'). Clusters use the CR2 standard error and Satterthwaite's degrees
    of freedom, as in `paired_mean_test`.

    Each test has its own interval: Student's for 't'; that of the pseudomedian, which need not
    contain the mean, for 'wilcoxon'; means over random subsets of cases for 'permutation';
    percentiles for 'bootstrap'. Because losses are rounded, a difference counts as 0 within 2^-50
    of its own losses, and absolute differences tie as in `wilcoxon_test`; sums with other signs
    count as extreme within 1e-12 of the sum of all absolute differences. Monte Carlo p-values are
    (b + 1) / (B + 1). Sums over chunks are exact and rounded once, so results are bit-identical for
    any chunks in any order, and equal those for arrays up to the rounding of the latter.

    References
    ----------
    .. [1] T. Gneiting, A. E. Raftery (2007), doi:10.1198/016214506000001437.
    .. [2] B. Phipson, G. K. Smyth (2010), doi:10.2202/1544-6115.1585.
    .. [3] J. A. Hartigan (1969), doi:10.1080/01621459.1969.10501057.
    .. [4] D. J. Schuirmann (1987), doi:10.1007/BF01068419.
    .. [5] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y = [1, 0, 1, 0, 1, 0]
    >>> p, q = [.9, .2, .7, .3, .6, .15], [.75, .1, .85, .4, .8, .25]
    >>> print(fc.scoring_test(y, p, q).summary())
    The two models do not differ significantly in Brier score. The mean Brier scores are
    0.06875 and 0.05958, a difference of 0.009167 (95% CI -0.07021 to 0.08855; paired t-test,
    t(5) = 0.2968, p = 0.7785). Lower is better. There were 6 cases.
    >>> fc.scoring_test(y, p, q, method="permutation").pvalue
    0.8125
    """
    check_undefined(on_undefined)
    method = scoring_methods.as_method(method, zeros)
    clip = check_rule(rule, clip, tuple(RULES))
    columns = {"y_true": y_true, "y_prob_a": y_prob_a, "y_prob_b": y_prob_b}
    has_plain_options = method in scoring_methods.STUDENT_METHODS and classes is None
    stream = as_forecast_stream(columns, groups, nan_policy, allows_mapped=has_plain_options)
    if stream is not None:
        check_loss_options(method, classes)
        forecasts = ForecastReader(stream.layout, nan_policy, pos_label)
        reader = LossReader(forecasts, rule, clip, auto=method == "auto")
        claim = as_claim(alternative, margin, greatest_loss(rule, np.empty(0)))
        draws = as_draws(keep, **drawing)
        return streamed_result(stream, reader, claim, draws, on_undefined)
    models, names = titled_pair("y_prob", y_prob_a, y_prob_b)
    reading = Reading(classes=classes, pos_label=pos_label, nan_policy=nan_policy)
    cases = as_probabilities(y_true, models, groups, **reading)
    claim = as_claim(alternative, margin, greatest_loss(rule, cases.models[0]))
    check_heeded(method, claim.margin, groups)
    draws = as_draws(keep, **drawing)

    differences, means = scoring_methods.summarise_two(rule, cases, clip, method)
    status = loss_status(differences, method, claim.margin)
    shared = loss_fields(rule, cases, means)
    _, largest_difference = shared["_bounds"]
    procedure = scoring_methods.Procedure(method, zeros, claim, draws, largest_difference)
    test = scoring_methods.run_procedure(differences, procedure, status)
    result = ScoringResult(**test, **shared, names=names, status=status)
    return with_surprises(result, (rule, cases, clip), claim, on_undefined)


def loss_status(
    differences: scoring_methods.Differences | LossMoments,
    method: str,
    margin: float,
) -> str:
    """Return the status word of a test of losses."""
    if isinstance(differences, LossMoments):  # only of differences that vary and are not skewed
        return "ok"
    if not np.isfinite(differences.d).all():
        return "infinite_loss"
    if differences.d.size == 1:
        return "one_case"
    if not differences.d.any():
        return "no_difference"
    unseen, error = differences.unseen, differences.standard_error
    has_unseen_variance = unseen is not None and bool(unseen.error(0.0, error) > 0.0)
    if error == 0.0 and method == "permutation":
        return "no_interval"
    if error > 0.0 or has_unseen_variance or method == "wilcoxon":
        if differences.sizes is not None:
            return cluster_status(differences.df)
        d = differences.d
        n = differences.d.size
        square = error * error * n * (n - 1.0)
        skewed = method in SHIFTING and unseen is None
        skewed = skewed and is_too_skewed(d, differences.estimate, square)
        return "small_sample" if skewed else "ok"
    return unvaried_status(differences.estimate, margin, "no_difference")


def with_surprises(
    result: ScoringResult,
    forecasts: tuple[Rule, Forecasts, float | None],
    claim: Claim,
    on_undefined: str,
) -> ScoringResult:
    """Return the result of a t-test with the unseen failures that would explain it, and warn."""
    if result.df is not None:  # of Student's t
        unseen = surprise_failures(*forecasts, FIRST_PAIR, claim, result.pvalue)
        result = replace_fields(result, {"_unseen": unseen and unseen.at(0)})
    return with_caution(result, on_undefined)


def streamed_result(
    stream: PairStream, reader: LossReader, claim: Claim, draws: Draws, on_undefined: str
) -> ScoringResult:
    """Return the result of the paired t-test of two models' losses that are read in chunks."""
    mean, unseen_variance = losses_of_stream(stream, reader, draws.workers)
    status = streamed_status(mean, unseen_variance, claim.margin)
    warn_status(status, on_undefined)
    width = greatest_loss(reader.rule, np.empty(0))
    procedure = scoring_methods.Procedure("t", "wilcox", claim, draws, width)
    first, second = stream.names
    return ScoringResult(
        **by_student_of_stream(mean, unseen_variance, procedure),
        rule=rule_name(reader.rule),
        losses=mean.sums.means,
        n=mean.sums.n,
        n_dropped=mean.sums.n_dropped,
        names=(first, second),
        status=status,
        _bounds=(-width, width),
    )


MEAN_LOSS_TITLES = {"brier": "Brier score", "log": "log loss", "spherical": "mean spherical loss"}
INTERVAL_METHOD = "gamma"
# For small shapes a, the quantile G of the upper end has E1(G) = tail / a, with the exponential
# integral E1, and G / a is greatest where E1(G) = exp(-G), which is this number. Smaller shapes
# count as that one, so that the end does not fall as the variance grows.
LARGEST_EXPONENTIAL_INTEGRAL = 0.6474


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoringIntervalResult(Bounded, IntervalEstimate):
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
    def _quantity(self) -> str:
        """The mean loss, as papers write it."""
        return MEAN_LOSS_TITLES.get(self.rule, "mean loss")

    def _ends(self, level: float) -> tuple[float, float]:
        """Return the ends of the interval of a mean loss, by gamma quantiles (skewed losses)."""
        if not self.standard_error >= 0.0:
            return math.nan, math.nan
        tail = 0.5 * (1.0 - level)
        t_over_z = student_quantile(tail, self.df) / normal_quantile(tail)
        variance = (t_over_z * self.standard_error) ** 2
        return gamma_ends(self.estimate, variance, self._surprise, tail)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        cases = f"{self.n} clustered cases" if self.design == "clusters" else amount(self.n, "case")
        return (
            f"The {MEAN_LOSS_TITLES.get(self.rule, 'mean loss')} is {show_number(self.estimate)} "
            f"({self._interval_text()}; {cases})."
        )


@with_engine_options(as_probabilities)
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
        The scoring rule, as in `scoring_test`. A callable that returns a negative loss is an error.
    clip : float, optional
        Clip probabilities to [clip, 1 - clip]; only for the log loss.
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
        'infinite_loss', if the true class of a case has probability 0, or 'one_case'. The interval
        is NaN.
    SmallSampleWarning
        'few_clusters', if clusters carry fewer than 4 degrees of freedom: the interval is wide.

    See Also
    --------
    brier_score, log_loss : The means alone.
    scoring_test : Whether those of two models differ.

    Notes
    -----
    The mean is treated as gamma distributed [1]_; for the upper end, one more case is assumed to
    have its largest possible loss. So the interval is valid even if no rare case with a large loss
    has occurred yet: with 30 to 500 cases, 1 to 50% positives and calibrated, over- and
    underconfident models it covered 95 to 100%, Student's 14 to 96%; with many cases they agree.
    For the log loss, the upper end is infinite if any probability is 0. With clusters the variance
    is CR2 with Satterthwaite's degrees of freedom [2]_.

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
    check_nonnegative_losses(losses)

    differences = scoring_methods.summarise(sized_differences(losses, [losses]))  # from losses of 0
    if cases.groups is not None:
        differences = scoring_methods.with_cluster_error(differences, cases.groups)
    status = mean_loss_status(differences)
    warn_status(status, on_undefined)
    return ScoringIntervalResult(
        estimate=differences.estimate,
        standard_error=differences.standard_error,
        method=INTERVAL_METHOD,
        status=status,
        confidence_level=level,
        rule=rule_name(rule),
        n=losses.size,
        n_dropped=cases.n_dropped,
        design="independent" if cases.groups is None else "clusters",
        df=differences.df,
        _surprise=mean_surprise(rule, cases, clip) / (differences.df + 1.0),
        _bounds=(0.0, greatest_loss(rule, cases.models[0])),
    )


def mean_loss_status(differences: scoring_methods.Differences) -> str:
    """Return the status word of one model's mean loss."""
    if not np.isfinite(differences.d).all():
        return "infinite_loss"
    if differences.d.size == 1:
        return "one_case"
    return "ok" if differences.sizes is None else cluster_status(differences.df)


def mean_surprise(rule: Rule, cases: Forecasts, clip: float | None) -> float:
    """Return the mean over cases of the greatest loss that any class would give."""
    p = cases.models[0]
    labels = cases.labels
    worst = np.zeros(labels.size)
    for k in range(2 if p.ndim == 1 else p.shape[1]):
        np.maximum(worst, case_losses(rule, np.full_like(labels, k), p, clip), out=worst)
    return float(worst.mean())


def gamma_ends(mean: float, variance: float, surprise: float, tail: float) -> tuple[float, float]:
    """Return the gamma interval of a mean loss with this variance (Fay and Feuer 1997).

    `surprise` is added to the mean for the upper end: the greatest loss of one more case, over n.
    """
    from scipy.special import gammainccinv, gammaincinv

    low = mean
    if variance > 0.0:
        low = float(gammaincinv(mean * mean / variance, tail)) * variance / mean
    if math.isinf(surprise):
        return low, math.inf
    mean, variance = mean + surprise, variance + surprise * surprise
    if not variance > 0.0:
        return low, mean
    shape = max(mean * mean / variance, tail / LARGEST_EXPONENTIAL_INTEGRAL)
    return low, float(gammainccinv(shape, tail)) / shape * mean


DifferencesOfPairs = list[scoring_methods.Differences]  # of pairs of models


def draw_flips(
    pairs: DifferencesOfPairs, draws: Draws, checkpoint: Checkpoint
) -> DifferencesOfPairs:
    """Return the pairs' differences with sums by shared random signs.

    Pairs with so few differences that all signs are enumerated get None.
    """
    random_pairs = [i for i, pair in enumerate(pairs) if not pair.can_enumerate(draws)]
    if not random_pairs:
        return pairs
    rows = np.stack([scoring_methods.signed_sizes(pairs[i].units) for i in random_pairs])
    sums = scoring_methods.flipped_sums(
        rows, hash_seed(draws.seed), all_blocks(draws.n), checkpoint
    )
    sums_of_pairs = sums.reshape(len(rows), -1)[:, : draws.n]  # the last block may be cut off
    null_sums = dict(zip(random_pairs, sums_of_pairs, strict=True))
    return [pair._replace(replicates=null_sums.get(i)) for i, pair in enumerate(pairs)]


def draw_means(
    pairs: DifferencesOfPairs, draws: Draws, checkpoint: Checkpoint
) -> DifferencesOfPairs:
    """Return the pairs' differences with their bootstrap means, all by the same replicates."""
    rows = np.stack([pair.d for pair in pairs])
    strata = Strata(rows.shape[1:], hash_seed(draws.seed))
    means = run_blocks(WeightedMeans(rows), strata, all_blocks(draws.n), checkpoint)
    replicates = means[:, : draws.n]
    return [
        pair._replace(replicates=values) for pair, values in zip(pairs, replicates, strict=True)
    ]


SHARED_DRAWS: dict[str, Callable[[DifferencesOfPairs, Draws, Checkpoint], DifferencesOfPairs]] = {
    "permutation": draw_flips,
    "bootstrap": draw_means,
}
