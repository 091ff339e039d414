"""Bradley and Terry's strengths of models that won, lost and tied battles; their differences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.documented import documented
from .._base.text import amount, equation, join_names, show_pvalue
from .._base.types import Direction, Matrix, NanPolicy, Undefined, Vector
from .._inference.clusters import cluster_status, supports_max_t
from .._inference.corrections.adjust import JOINT, as_joint_claims, resolve_auto_correction
from .._inference.corrections.pairs import check_models
from .._inference.infer import infer
from .._inference.max_t import Differences, differences_of_models
from .._inference.pvalues import (
    UNBOUNDED,
    ratios,
    reference_pvalues,
    reference_quantiles,
    upper_tail,
)
from .._inference.rank_sets import RankSets, joint_rank_sets, significantly_better
from .._inference.status import caution_of_status, warn_status
from .._inference.step_down import normal_scores
from .._inputs.battles import as_battles, as_design, check_anchor
from .._inputs.options import check_choice, check_level, check_undefined
from .._results.headlines import MOST_NAMED
from .._results.records import ConfidenceInterval, Record
from ..kernels.battles import number_distinct_rows
from ._battle_fit import DegreesOfFreedom, battle_fields, fit_design
from ._battle_model import (
    OutcomeProbabilities,
    count_battles,
    list_models,
    outcome_probabilities,
    win_graph,
)
from ._pairwise import JointPairsResult


@dataclass(frozen=True, eq=False, kw_only=True)
class BradleyTerryPairwiseResult(JointPairsResult):
    """Result of `BradleyTerryResult.pairwise`; arrays over the P = k (k - 1) / 2 pairs."""

    strengths: Vector
    df: float | Vector
    method: NDArray[np.str_]
    _covariance: Matrix = field(repr=False)
    title: ClassVar[str] = "Strengths of all pairs of models"
    quantity: ClassVar[str] = "strength"
    _claim: ClassVar[str] = "is stronger than"
    _picture: ClassVar[str] = "pairs"

    def _compute__differences(self) -> Differences:
        return differences_of_models(self._covariance, *self._cells())

    @property
    def _z(self) -> Vector:
        """The normal quantiles (P,) with the p-values of the statistics."""
        return self.statistic if np.isinf(self.df).all() else normal_scores(self.statistic, self.df)

    def rank_sets(self, alpha: float) -> RankSets:
        """Return the simultaneous confidence set of each model's rank."""
        holm = self.correction not in JOINT and not self._knows_correlations
        k = len(self.names)
        return joint_rank_sets(
            significantly_better(self._z, self._differences, alpha, k, holm=holm)
        )

    @property
    def _knows_correlations(self) -> bool:
        return supports_max_t(float(np.min(self.df)), len(self.names))


def order_effect_text(effect: float, form: str) -> str:
    """Return 'adds 0.50 to the log odds', or 'takes 0.50 from the log odds' if it is negative."""
    verb, preposition = ("takes", "from") if effect < 0.0 else ("adds", "to")
    return f"{verb} {abs(effect):{form}} {preposition} the log odds"


def pair_statuses(status: str, df: Vector) -> NDArray[np.str_]:
    """Return the status word of each pair, by its degrees of freedom unless the fit has failed."""
    if status not in ("ok", "few_clusters", "too_few_clusters"):
        return np.full(df.shape, status, "U32")
    return np.array([cluster_status(df_of_pair) for df_of_pair in df.tolist()], "U32")


ELO = 400.0 / math.log(10.0)  # a difference of 400 is odds of 10 to 1
SCALES = {"log": 1.0, "elo": ELO}
EQUAL = 1e-9  # strengths that differ by no more are equal, since fits are iterative


@dataclass(frozen=True, eq=False, kw_only=True)
class BradleyTerryResult(Record):
    """Result of `bradley_terry`; strengths are log odds, that of `anchor` or their mean is 0."""

    names: tuple[str, ...]
    strengths: Vector
    standard_error: Vector
    covariance: Matrix
    order_effect: float | None
    order_effect_standard_error: float | None
    log_tie: float | None
    log_tie_standard_error: float | None
    df: float | Vector
    log_likelihood: float
    ties: str | None
    anchor: str | None
    method: str
    n: int
    n_ties: int
    n_groups: int | None
    n_dropped: int
    components: tuple[tuple[str, ...], ...]
    reaches: dict[str, tuple[str, ...]]
    status: str
    win_probability: Matrix
    tie_probability: Matrix
    _degrees: DegreesOfFreedom = field(repr=False)

    title: ClassVar[str] = "Strengths of models from battles"
    _row: ClassVar[str] = "battle"
    _picture: ClassVar[str] = "forest"

    @property
    def elo(self) -> Vector:
        """The strengths (k,) on the Elo scale: multiplied by 400 / ln 10."""
        return ELO * self.strengths

    @property
    def tie_parameter(self) -> float | None:
        """Davidson's nu: the odds of a tie against a given one of two equal models winning."""
        return None if self.log_tie is None else math.exp(self.log_tie)

    @property
    def order_effect_pvalue(self) -> float | None:
        """The p-value of the null hypothesis that there is no order effect."""
        if self.order_effect is None or self.order_effect_standard_error is None:
            return None
        df = float(self._degrees.parameters[-1])
        error = self.order_effect_standard_error
        return infer(self.order_effect, error, "two-sided", df=df)["pvalue"]

    def _compute_win_probability(self) -> Matrix:
        return self._outcome_probabilities().won

    def _compute_tie_probability(self) -> Matrix:
        return self._outcome_probabilities().tied

    def _outcome_probabilities(self) -> OutcomeProbabilities:
        return outcome_probabilities(
            self.strengths, -math.inf if self.log_tie is None else self.log_tie, 0.0
        )

    def confidence_interval(
        self, confidence_level: float = 0.95, *, scale: str = "log"
    ) -> ConfidenceInterval:
        """Return the two-sided interval of each model's strength, not simultaneous.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1.
        scale : {'log', 'elo'}, default='log'
            Log odds, as ``strengths``, or the Elo scale, as ``elo``.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, arrays of shape (k,); of zero width for the anchor.
        """
        check_choice("scale", scale, SCALES)
        tail = upper_tail(check_level(confidence_level), "two-sided")
        df = np.broadcast_to(self.df, self.strengths.shape)
        radius = reference_quantiles(tail, df) * self.standard_error
        low = self.strengths - radius
        high = self.strengths + radius
        return ConfidenceInterval.within(SCALES[scale] * low, SCALES[scale] * high, UNBOUNDED)

    def pairwise(
        self, *, alternative: Direction = "two-sided", correction: str = "auto", alpha: float = 0.05
    ) -> BradleyTerryPairwiseResult:
        """Test all pairs of models, by the differences of their strengths.

        Parameters
        ----------
        alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
            'greater': the first model of a pair is the stronger one.
        correction : str, default='auto'
            Adjustment for multiple comparisons, as in `mean_pairwise_test`: 'auto', 'max-t' and
            'step-down' (by the correlations of the strengths), any method of `adjust_pvalues`, or
            'none'.
        alpha : float, default=0.05
            The significance level of ``cliques`` and of the summary.

        Returns
        -------
        BradleyTerryPairwiseResult
            With ``pairs`` (P names), and of shape (P,) ``estimate``, ``standard_error``,
            ``statistic``, ``pvalue``, ``adjusted_pvalue``; ``matrix(field)``, ``cliques``,
            ``confidence_interval(confidence_level, simultaneous=False)``.
        """
        df = self._degrees.pairs
        enough_clusters = supports_max_t(float(np.min(df)), len(self.names))
        claims = resolve_auto_correction(
            as_joint_claims(alternative, correction, alpha), enough_clusters
        )
        check_models(len(self.names), claims.correction)
        first, second = np.triu_indices(len(self.names), 1)
        estimate = self.strengths[first] - self.strengths[second]
        variances = np.diag(self.covariance)
        covariances = self.covariance[first, second]
        variance = np.maximum(variances[first] + variances[second] - 2.0 * covariances, 0.0)
        error = np.where(np.isnan(df), math.nan, np.sqrt(variance))
        statistic = ratios(estimate, error)
        return BradleyTerryPairwiseResult.from_fields(
            names=self.names,
            estimate=estimate,
            standard_error=error,
            statistic=statistic,
            pvalue=reference_pvalues(statistic, error, df, claims.alternative),
            **claims._asdict(),
            status=pair_statuses(self.status, df),
            method=np.full(estimate.shape, self.method),
            n_dropped=self.n_dropped,
            strengths=self.strengths,
            df=df,
            _covariance=self.covariance,
            _unvaried=None,
        )

    def rank_sets(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return simultaneous confidence sets of the models' ranks, 1 for the strongest.

        Parameters
        ----------
        confidence_level : float, default=0.95
            The probability that all true ranks are in these sets.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, integer arrays of shape (k,): 1 plus the number of models that are
            significantly stronger, and k minus the number of those that are significantly weaker
            (Mogstad et al. 2024, doi:10.1093/restud/rdad006), by Holm's tests if there are too few
            clusters to estimate the correlations of the strengths.
        """
        alpha = 1.0 - check_level(confidence_level)
        low, high = self.pairwise(correction="none").rank_sets(alpha)
        return ConfidenceInterval(low, high)  # type: ignore[arg-type]  # arrays

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        if np.isnan(self.strengths).any():
            return self._undefined_text()
        best, second = np.argsort(-self.strengths, kind="stable")[:2].tolist()
        zero = "their mean is 0" if self.anchor is None else f"that of {self.anchor} is 0"
        equal = np.flatnonzero(np.isclose(self.strengths, self.strengths[best], 0.0, EQUAL))
        strongest = f"{self.names[best]} is the strongest"
        if equal.size > 1:
            names = join_names([self.names[j] for j in equal], MOST_NAMED)
            others = "" if equal.size == len(self.names) else ", stronger than all others"
            strongest = f"{names} are equally strong{others}"
        return (
            f"Of {len(self.names)} models in {self._sample_text()} {strongest}: "
            f"strength {self.strengths[best]:.4f} ({zero}; "
            f"{self._interval_text(at=best)}; {self.method}). "
            f"{self._lead_text(best, second, equal.size > 1)}{self._order_text()}{self._caution()}"
        )

    def _sample_text(self) -> str:
        """Return the numbers of battles, clusters and ties, as in '120 battles of 8 clusters'."""
        clusters = "" if self.n_groups is None else f" of {amount(self.n_groups, 'cluster')}"
        dropped = " left out" if self.ties is None else ""
        ties = f" ({amount(self.n_ties, 'tie')}{dropped})" if self.n_ties else ""
        return f"{amount(self.n, 'battle')}{clusters}{ties}"

    def _lead_text(self, best: int, second: int, equal: bool) -> str:
        """Return how often the strongest model beats the next, or one that is equally strong."""
        pvalues = self.pairwise(correction="none").matrix("pvalue")
        p = equation("p", show_pvalue(float(pvalues[best, second])))
        difference = float(self.strengths[best] - self.strengths[second])
        claim = f"It beats {self.names[second]}, the next,"
        if equal:
            claim = f"{self.names[best]} beats {self.names[second]}"
        probability = f"{self.win_probability[best, second]:.4f}"
        if self.tie_parameter:
            probability += f" and ties with {self.tie_probability[best, second]:.4f}"
        return f"{claim} with probability {probability} (difference {difference:.4f}, {p})."

    def _order_text(self) -> str:
        """Return the sentence about the effect of being shown first, '' if it is not estimated."""
        if self.order_effect is None or self.order_effect_pvalue is None:
            return ""
        p = equation("p", show_pvalue(self.order_effect_pvalue))
        return f" Being shown first {order_effect_text(self.order_effect, '.4f')} ({p})."

    def _caution(self) -> str:
        return caution_of_status(self.status)

    def _undefined_text(self) -> str:
        groups = " and ".join(list_models(group) for group in self.components)
        groups_text = f" Connected groups: {groups}." if len(self.components) > 1 else ""
        return f"No finite strengths fit {self._sample_text()}: {self.status}.{groups_text}"

    def _model_limits(self, level: float) -> tuple[Vector, Vector]:
        low, high = self.confidence_interval(level)
        return np.asarray(low), np.asarray(high)


@documented
def bradley_terry(
    model_a: ArrayLike,
    model_b: ArrayLike,
    outcome: ArrayLike,
    *,
    ties: str | None = "davidson",
    order_effect: bool = False,
    models: Sequence[str] | None = None,
    anchor: str | None = None,
    method: str = "auto",
    sample_weight: ArrayLike | None = None,
    frequency_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> BradleyTerryResult:
    """Fit a Bradley-Terry model: strengths of models from pairwise battles, as in arenas.

    The log odds that one model beats another are the difference of their strengths.

    Parameters
    ----------
    model_a, model_b : array-like of shape (n,)
        The names of the two models of each battle; `model_a` is the one shown first.
    outcome : array-like of shape (n,)
        'a', 'b' or 'tie' (or, as in Chatbot Arena's logs, 'model_a', 'model_b', 'tie (bothbad)' and
        'both_bad'), or the first model's score: 1, 0 or 0.5, True or False. -1 is an error, because
        0 would then mean a tie and otherwise a loss.
    ties : {'davidson', 'half', None}, default='davidson'
        'davidson' models ties with a parameter, 'half' counts them as half a win for each model,
        and None drops them (``n_ties`` counts them).
    order_effect : bool, default=False
        Whether to model the effect of being shown first, equal for all models.
    models : list of str, optional
        All models, in the order of the result; by default those with battles, sorted.
    anchor : str, optional
        The model whose strength is 0; by default the mean of all strengths is.
    method : {'auto', 'model', 'sandwich', 'cr1'}, default='auto'
        Standard errors: 'model' uses the likelihood, which is valid for independent battles if the
        model is correct. 'sandwich' is robust to misspecification and, with `groups`, to dependence
        within clusters. 'auto' is 'sandwich' for ``ties='half'``, weights and clusters, otherwise
        'model'. 'cr1' is the usual cluster-robust sandwich, for many clusters of nearly equal
        sizes.
    sample_weight : array-like of shape (n,), optional
        Sampling weight of each battle, at least 0. Only ratios matter.
    frequency_weight : array-like of shape (n,), optional
        Number of identical battles that a row represents, integers of at least 0.
    groups : array-like of shape (n,), optional
        Cluster of each battle: its judge or its prompt, for example. Clusters are independent.

    Returns
    -------
    BradleyTerryResult
        With ``names``, ``strengths``, ``standard_error`` and ``elo`` (k,), ``covariance``,
        ``win_probability`` and ``tie_probability`` (k, k) of the row's model against the column's
        without order effect, ``order_effect`` and ``log_tie`` with ``order_effect_standard_error``
        and ``log_tie_standard_error`` (None if not fitted), ``tie_parameter``, ``df`` (infinite for
        the normal distribution; of each strength, of shape (k,), for CR2), ``log_likelihood``,
        ``n``, ``n_ties``, ``n_groups``, ``components``, ``status``; methods
        ``confidence_interval(confidence_level, scale='log')``, ``pairwise(...)`` for tests of all
        differences, ``rank_sets(confidence_level)``, ``summary()`` and ``to_dict()``.

    Warns
    -----
    UndefinedResultWarning
        'not_connected', if some models cannot be reached from others through wins and ties, so that
        no finite strengths exist; ``components`` are the connected groups of models, ``reaches``
        says which of them would rank infinitely above which. 'no_finite_estimate', if ties or the
        order are confounded with the strengths, so that no finite and unique estimate exists.
        'too_few_clusters', if there is one cluster, or a model occurs in only one: its standard
        errors are NaN.
    SmallSampleWarning
        'few_clusters', if a strength has fewer than 4 degrees of freedom (fewer than 5 clusters, or
        one with half of the battles).
    DesignWarning
        'one_order', if the same model is shown first in all battles of each pair (of at least 10
        repetitions).

    Notes
    -----
    With strengths l, ties nu and the order d, win, tie and loss of the first model have the odds
    ``exp((l_a - l_b + d) / 2) : nu : exp(-(l_a - l_b + d) / 2)``. Without ties nu is 0. The
    likelihood is maximised by Newton's method from 0, without a penalty. Without clusters, the
    sandwich uses the normal distribution. With clusters it is CR2 [6]_, with independent battles as
    the working model, and Student's t with Satterthwaite's degrees of freedom for each strength and
    each difference; an estimate that depends on one cluster has no standard error. 'cr1' has the
    factor G / (G - 1) and G - 1 degrees of freedom [5]_. With 8 or 30 judges and log-normal numbers
    of battles, the type I error rate at the 5% level is 3 to 6%, with 'cr1' 7 to 11%, and without
    `groups` 13 to 70%. If the number of clusters times the squared number of parameters exceeds 4
    million, or the computation would take more than seconds, the covariance is CR1 with the degrees
    of freedom of a mean.

    References
    ----------
    .. [1] R. A. Bradley, M. E. Terry (1952), doi:10.2307/2334029.
    .. [2] R. R. Davidson (1970), doi:10.1080/01621459.1970.10481082.
    .. [3] R. R. Davidson, R. J. Beaver (1977), doi:10.2307/2529467 (order).
    .. [4] L. R. Ford (1957), doi:10.2307/2308513 (existence).
    .. [5] K.-Y. Liang, S. L. Zeger (1986), doi:10.1093/biomet/73.1.13.
    .. [6] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.

    Examples
    --------
    >>> import fastcompare as fc
    >>> first, second = list("xxxxyyyyzzzz"), list("yyyyzzzzxxxx")
    >>> outcome = ["a", "a", "tie", "b", "a", "a", "tie", "a", "b", "b", "a", "b"]
    >>> result = fc.bradley_terry(first, second, outcome)
    >>> result.elo.round(1)
    array([ 130. ,   87.6, -217.6])
    >>> print(result.summary())
    Of 3 models in 12 battles (2 ties) x is the strongest: strength 0.7485 (their mean is 0; 95% CI
    -0.4823 to 1.9793; Davidson's model of ties, likelihood-based standard errors). It beats y, the
    next, with probability 0.4468 and ties with 0.2032 (difference 0.2444, p = 0.8055).
    >>> result.pairwise().pvalue.round(4)
    array([0.8055, 0.1009, 0.1372])
    """
    check_undefined(on_undefined)
    design = as_design(ties, order_effect, method, sample_weight, frequency_weight, groups)
    weights = frequency_weight if design.with_frequencies else sample_weight
    battles = as_battles(
        *(model_a, model_b, outcome, design, weights, number_distinct_rows),
        models=models,
        groups=groups,
        nan_policy=nan_policy,
    )
    anchor_index = check_anchor(anchor, battles.names)

    counts = count_battles(battles)
    graph = win_graph(counts)
    fit = fit_design(battles, counts, design, graph, anchor_index)
    warn_status(fit.status, on_undefined, graph.separation_text(battles.names))

    return BradleyTerryResult.from_fields(
        **fit.fields(anchor_index),
        **battle_fields(battles, design, graph),
        anchor=None if anchor_index is None else battles.names[anchor_index],
    )
