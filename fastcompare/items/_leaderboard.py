"""Rank k models by their mean scores on the same items, with joint confidence sets of the ranks.

Models are above others by the largest z of all pairs (max-t), by Holm's tests, or by replicates.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.documented import with_engine_options
from .._base.text import stated_ends
from .._base.types import Direction, Fields, Integers, Matrix, Undefined, Vector
from .._inference.clusters import supports_max_t
from .._inference.max_t import covariance_root, differences_of_models, differences_of_rows
from .._inference.mean_pairs import (
    PairMeans,
    doubtful_pairs,
    pair_means,
    pair_statistics,
    with_answer_variances,
    with_skewness,
)
from .._inference.means import (
    AnswerCounts,
    Ends,
    MeanDesign,
    count_answers,
    limits_in_range,
    mean_design,
    mean_limits,
    range_of_means,
    with_wilson_where_constant,
)
from .._inference.pvalues import normal_quantile, open_one_side, upper_tail
from .._inference.rank_sets import (
    competition_ranks,
    joint_rank_sets,
    marginal_rank_set,
    replicate_difference_errors,
    replicate_rank_set,
    replicate_rejections,
    significantly_better,
    simultaneous_radius,
)
from .._inference.step_down import joint_level, largest_statistic_by_claim, normal_scores
from .._inference.winners import Winner, infer_winner
from .._inputs.items import Items, as_best, as_claims_correction
from .._inputs.models import as_model
from .._inputs.options import (
    ALTERNATIVES,
    as_choice,
    check_alpha,
    check_choice,
    check_flag,
    check_level,
    check_undefined,
)
from .._inputs.plans.tasks import Tasks, as_items_of_tasks, as_tasks
from .._inputs.roles.items import items_in
from .._inputs.scores import ScoreTable
from .._resampling.bootstrap import DrawOptions, Draws, as_draws
from .._results.cliques import significance_groups
from .._results.pairs import LETTERS, all_pairs, assign_letters, warn_pairs
from .._results.records import ConfidenceInterval, Record
from ._evals import EvalRuns
from ._methods import ItemsResult, bootstrap_model_means, caution_sentence, max_t_caution
from ._power import SampleCounts, count_samples
from ._rankings import best_models, comparisons_with_best, unvaried_models

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class ModelMeans:
    """Means (k,) of models with the tests of all pairs; `sign` is -1 where lower is better.

    Pairs are tested by step-down max-t, or with `holm` by Holm's tests, without correlations.
    """

    means: Vector
    pair_means: PairMeans
    sign: float
    answers: AnswerCounts | None
    holm: bool

    @cached_property
    def z(self) -> Matrix:
        """The z values (k, k) of the row's model against the column's, NaN where undefined."""
        k = self.means.size
        first, second = np.triu_indices(k, 1)
        t = self.sign * pair_statistics(self.pair_means)
        t[~np.isfinite(t)] = math.nan
        table = np.zeros((k, k))
        table[first, second] = normal_scores(t, self.pair_means.df)
        return table - table.T

    def above(self, alpha: float) -> Flags:
        """Return whether the row's model is significantly better than the column's, (k, k)."""
        k = self.means.size
        pairs = np.triu_indices(k, 1)
        differences = differences_of_models(np.asarray(self.pair_means.covariance), *pairs)
        return significantly_better(self.z[pairs], differences, alpha, k, holm=self.holm)

    def untested(self) -> Flags:
        """Return whether the difference of the first model from each has no test, (k,)."""
        return np.asarray(np.isnan(self.z[0]))

    def rank_set(self, model: int, alpha: float, alternative: str) -> tuple[int, int]:
        """Return the lowest and the highest rank of one model that its pairs do not reject."""
        covariance = np.asarray(self.pair_means.covariance)
        return marginal_rank_set(
            self.z[model], covariance, model, alpha, alternative, holm=self.holm
        )

    @property
    def interval_title(self) -> str:
        """The method of the intervals, to follow them in a sentence."""
        return "" if self.answers is None else ", Wilson's method"

    def standard_errors(self) -> Vector:
        """Return the standard errors of the means."""
        return np.asarray(np.sqrt(np.maximum(np.diag(np.asarray(self.pair_means.covariance)), 0.0)))

    def interval_ends(self, level: float, simultaneous: bool, alternative: str) -> Ends:
        """Return the lower and upper ends (k,) of the models' intervals."""
        # models with only right or only wrong answers have no correlations
        has_constant = self.answers is not None and self.answers.constant.any()
        if simultaneous and (self.holm or has_constant):
            level = 1.0 - (1.0 - level) / self.means.size
        elif simultaneous:
            rows = differences_of_rows(covariance_root(np.asarray(self.pair_means.covariance)))
            level = joint_level(largest_statistic_by_claim(rows, alternative), level, alternative)
        df, tail = float(np.max(self.pair_means.df)), upper_tail(level, alternative)
        return mean_limits(self.means, self.standard_errors(), df, tail, self.answers)

    def winner(self, level: float, alternative: str) -> Winner:
        """Return the estimate and the interval of the first model that allow for its selection."""
        covariance = np.asarray(self.pair_means.covariance)
        df = float(np.max(self.pair_means.df))

        def ends(tail: float) -> Ends:
            return mean_limits(self.means, self.standard_errors(), df, tail, self.answers)

        return infer_winner(self.means, covariance, ends, level, alternative, self.sign)


@dataclass(frozen=True)
class BootstrapModelMeans:
    """Means (k,) of models with bootstrap replicates less these means, `draws` (k, B)."""

    means: Vector
    draws: Matrix
    sign: float
    answers: AnswerCounts | None

    def above(self, alpha: float) -> Flags:
        """Return whether the row's model is significantly better than the column's, (k, k)."""
        family = ~np.eye(self.means.size, dtype=bool)
        return replicate_rejections(self.sign * self.means, self.sign * self.draws, family, alpha)

    def untested(self) -> Flags:
        """Return whether the difference of the first model from each has no test, (k,)."""
        has_variance = replicate_difference_errors(self.draws)[0] > 0.0
        return np.asarray(~has_variance & (self.means != self.means[0]))

    def rank_set(self, model: int, alpha: float, alternative: str) -> tuple[int, int]:
        """Return the lowest and the highest rank of one model that its pairs do not reject."""
        means, draws = self.sign * self.means, self.sign * self.draws
        return replicate_rank_set(means, draws, model, alpha, alternative)

    @property
    def interval_title(self) -> str:
        """The method of the first model's interval, to follow it in a sentence."""
        is_constant = self.answers is not None and self.answers.constant[0]
        return ", Wilson's method" if is_constant else ", percentiles"

    def standard_errors(self) -> Vector:
        """Return the standard deviations of the replicates."""
        return np.asarray(self.draws.std(axis=1, ddof=1))

    def interval_ends(self, level: float, simultaneous: bool, alternative: str) -> Ends:
        """Return percentiles, or for all models at once those of the largest deviation."""
        tail = upper_tail(level, alternative)
        if not simultaneous:
            low, high = self.means + np.quantile(self.draws, (tail, 1.0 - tail), axis=1)
            return with_wilson_where_constant((low, high), self.means, tail, self.answers)
        error = self.standard_errors()
        radius = simultaneous_radius(self.draws, error, level, alternative)
        limits = limits_in_range(self.means, error, radius, self.answers)
        return with_wilson_where_constant(limits, self.means, tail / self.means.size, self.answers)

    def winner(self, level: float, alternative: str) -> Winner:
        """Return the estimate and the interval of the first model that allow for its selection."""

        def ends(tail: float) -> Ends:
            """Return the ends of the models' intervals, with the probability `tail` beyond each."""
            limits = limits_in_range(
                self.means, self.standard_errors(), normal_quantile(tail), self.answers
            )
            return with_wilson_where_constant(limits, self.means, tail, self.answers)

        return infer_winner(self.means, np.cov(self.draws), ends, level, alternative, self.sign)


def skewness_status(
    pairs: PairMeans, above: Callable[[], Flags], names: tuple[str, ...], on_undefined: str
) -> str:
    """Return 'small_sample', after a warning, if skewness may explain a significant pair, else ''.

    `above` returns which models are significantly better; it is only called if a pair is doubtful.
    """
    is_doubtful = doubtful_pairs(pairs, np.zeros(pairs.estimate.shape), "two-sided")
    if is_doubtful.any():
        significant = above()
        is_doubtful &= (significant | significant.T)[np.triu_indices(len(significant), 1)]
    status = np.where(is_doubtful, "small_sample", "ok")
    warn_pairs(all_pairs(names), status, on_undefined)
    return "small_sample" if is_doubtful.any() else ""


METHODS = ("auto", "t", "bootstrap")


@dataclass(frozen=True, eq=False, kw_only=True)
class LeaderboardResult(ItemsResult, Record):
    """Result of `leaderboard`; arrays over the k models, the best one first."""

    names: tuple[str, ...]
    means: Vector
    standard_error: Vector
    rank: Integers
    rank_low: Integers
    rank_high: Integers
    letters: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    winner_estimate: float
    df: float
    n: int
    n_clusters: int
    n_tasks: int
    n_dropped: int
    average: str
    alternative: str
    higher_is_better: bool
    correction: str
    alpha: float
    method: str
    status: str
    metric: str = "score"
    n_resamples: int
    seed: int | None
    _model_means: ModelMeans | BootstrapModelMeans = field(repr=False)
    _above: NDArray[np.bool_] = field(repr=False)
    _sampling: SampleCounts = field(repr=False)

    title: ClassVar[str] = "Leaderboard of mean scores"
    _quantity: ClassVar[Any] = property(lambda self: f"mean {self.metric}")
    _sheets: ClassVar[str] = "leaderboard"
    _picture: ClassVar[str] = "leaderboard"

    def _compute_standard_error(self) -> Vector:
        return self._model_means.standard_errors()

    def _compute__above(self) -> NDArray[np.bool_]:
        return self._model_means.above(self.alpha)

    def _compute_rank_low(self) -> Integers:
        return joint_rank_sets(self._above, self.alternative).low

    def _compute_rank_high(self) -> Integers:
        return joint_rank_sets(self._above, self.alternative).high

    def _compute_groups(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(self.names[j] for j in group) for group in self._significance_groups())

    def _compute_winner_estimate(self) -> float:
        return self._model_means.winner(self._level, self.alternative).estimate

    def _compute_letters(self) -> tuple[str, ...]:
        """Return the letters of each model, which share one if not significantly different."""
        groups = self._significance_groups()
        if len(groups) > len(LETTERS):  # too many to show
            return ("",) * len(self.names)
        return assign_letters(groups, len(self.names))

    def _significance_groups(self) -> tuple[tuple[int, ...], ...]:
        """Return the maximal groups of models without a significant difference, best first."""
        return significance_groups(
            self.above | self.above.T, np.arange(len(self.names), dtype=float)
        )

    @property
    def above(self) -> NDArray[np.bool_]:
        """Whether the row's model is significantly better than the column's, of shape (k, k)."""
        return self._above

    def confidence_interval(
        self, confidence_level: float = 0.95, *, simultaneous: bool = False
    ) -> ConfidenceInterval:
        """Return the confidence intervals of the models' means.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1: of each interval, or of all simultaneously.
        simultaneous : bool, default=False
            Widen the intervals so that all of them cover simultaneously. Intervals do not show
            which models differ: those of two models that differ may overlap.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, arrays of shape (k,).
        """
        level = check_level(confidence_level)
        jointly = check_flag("simultaneous", simultaneous)
        low, high = self._model_means.interval_ends(level, jointly, self.alternative)
        bounds = range_of_means(self._model_means.answers)
        low, high = np.broadcast_arrays(*open_one_side(self.alternative, low, high, bounds))
        return ConfidenceInterval.within(low, high, bounds)

    def winner_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the confidence interval of the first model's mean that allows for its selection.

        It was selected by these very scores, so its mean is too high on average: the best of 20
        equal models is outside its own 95% interval in 20 to 30% of samples, and outside this one
        in at most 6%.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, of the model ``names[0]``; ``winner_estimate`` is within it.
        """
        winner = self._model_means.winner(check_level(confidence_level), self.alternative)
        bounds = range_of_means(self._model_means.answers)
        low, high = open_one_side(self.alternative, winner.low, winner.high, bounds)
        return ConfidenceInterval.within(low, high, bounds)

    def rank_set(self, model: str | int) -> tuple[int, int]:
        """Return the confidence set of the rank of one model, chosen before seeing the data.

        It uses only the pairs with this model and is rarely wider than the model's simultaneous
        rank set.

        Parameters
        ----------
        model : str or int
            Its name, or its position in ``names``.

        Returns
        -------
        tuple of two int
            The lowest and the highest rank; they cover the true rank with probability 1 - alpha.
        """
        return self._model_means.rank_set(
            as_model("model", model, self.names), self.alpha, self.alternative
        )

    def best(self, tau: int = 1) -> tuple[str, ...]:
        """Return the models that may be among the `tau` best, a simultaneous confidence set.

        Parameters
        ----------
        tau : int, default=1
            The number of best models.

        Returns
        -------
        tuple of str
            The names of the models whose ``rank_low`` is at most `tau`.
        """
        most = as_best(tau, len(self.names))
        return tuple(
            name for name, low in zip(self.names, self.rank_low, strict=True) if low <= most
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the fields and the 95% intervals as plain Python values."""
        limits, best = self.confidence_interval(), self.winner_interval()
        ends = {"confidence_interval": np.array(limits).tolist(), "winner_interval": list(best)}
        return {**super().to_dict(), **ends}

    def _summary(self) -> str:
        """Return the result in sentences of plain words, at the level `alpha` (5%)."""
        extreme = "highest" if self.higher_is_better else "lowest"
        sample = self._counted(self._sampling.n_samples, self._sampling.weighted)
        is_max_t = self.method == METHOD_TITLES["max-t"]
        note = max_t_caution(self.df, len(self.names)) if is_max_t else ""
        note += unvaried_models(self.names, self._model_limits(self._level), self.standard_error)
        over = f" of {self.n_tasks} {AVERAGE_TITLES[self.average]}" if self.n_tasks else ""
        n_best = int((self.rank == 1).sum())
        best = best_models(self.names, n_best, extreme, self._quantity)
        comparisons = comparisons_with_best(
            self.names, n_best, self.above[0], self._model_means.untested(), self.alternative
        )
        return (
            f"{best}, {self.means[0]:.4g}{self._stated_winner(n_best)}. {comparisons} All "
            f"statements hold jointly at the {100 * self.alpha:g}% level ({self.method}; "
            f"{sample}{over}).{caution_sentence(self.status, self.df)}{note}"
        )

    def _stated_winner(self, n_best: int) -> str:
        """Return the best mean's estimate corrected for selection, to follow it in a sentence."""
        low, high = self.winner_interval(self._level)
        if not low < high:
            return ""
        interval = f"{self._interval_title()} {stated_ends((low, high), '.4g')}"
        whose = "its selection" if n_best == 1 else f"the selection of {self.names[0]}"
        return (
            f"; allowing for {whose} by these scores, {self.winner_estimate:.4g} ({interval}"
            f"{self._model_means.interval_title})"
        )

    def _model_limits(self, level: float) -> tuple[Vector, Vector]:
        low, high = self.confidence_interval(level)
        return np.asarray(low), np.asarray(high)


METHOD_TITLES = {
    "max-t": "step-down max-t tests of all pairs",
    "holm": "Holm's t-tests of all pairs",
    "bootstrap": "step-down bootstrap tests",
}
AVERAGE_TITLES = {
    "tasks": "tasks with equal weights",
    "weighted tasks": "weighted tasks",
    "items": "tasks, pooled",
}


@with_engine_options(as_draws)
def leaderboard(
    scores: ScoreTable | EvalRuns,
    *,
    models: Sequence[str] | None = None,
    id: str | None = None,
    long: tuple[str, str, str] | None = None,
    task: ArrayLike | str | None = None,
    task_weight: object = None,
    method: str = "auto",
    sample_weight: ArrayLike | str | None = None,
    groups: ArrayLike | str | None = None,
    alternative: Direction = "two-sided",
    correction: str = "auto",
    alpha: float = 0.05,
    higher_is_better: bool = True,
    nan_policy: str = "raise",
    on_undefined: Undefined = "warn",
    **drawing: Unpack[DrawOptions],
) -> LeaderboardResult:
    """Rank k models by their mean scores, with simultaneous confidence sets of ranks.

    Parameters
    ----------
    scores : array-like of shape (n, k) or (n, k, K), mapping, data frame or EvalRuns
        Scores of any kind, one row per item and one column per model, at least two; column names
        become model names. Several samples per item are a third axis, or columns (n, K) of a
        mapping, with NaN for missing ones. `from_long` makes such a table from one row per answer.
        The result of `read_evals` includes its tasks, clusters, weights and direction. Columns of a
        data frame are recognized as in `compare`.
    models, id, long : optional
        Columns of a table, as in `compare`; `task`, `groups` and `sample_weight` may name one, too.
    task : array-like of shape (n,), optional
        Task of each item, labels of any type. Tasks are treated as fixed: items, or clusters, are
        sampled within them.
    task_weight : mapping or 'items', optional
        Weight of each task, by its label; by default equal weights, so that the mean is the average
        of the tasks' means (macro). 'items' pools the items of all tasks (micro).
    method : {'auto', 't', 'bootstrap'}, default='auto'
        't' tests all pairs with CR2 standard errors, as in `mean_pairwise_test`; 'auto' adds the
        correction for skewed differences; 'bootstrap' resamples whole clusters and uses percentiles
        and the largest studentized deviation, for many clusters only.
    sample_weight : array-like of shape (n,), optional
        Weight of each item within its task, or overall.
    groups : array-like of shape (n,) or (n, 2), optional
        Cluster of each item, labels of any type. Two columns are two-way clusters; not with tasks.
    alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
        'greater' gives lower bounds of the means and upper bounds of the ranks (how good a model is
        at least); 'less' the reverse.
    correction : {'auto', 'max-t', 'holm'}, default='auto'
        Adjustment for multiple comparisons: 'max-t' uses the correlations of the pairs (step-down);
        'holm' does not, for too few items or clusters to estimate them. 'auto' is 'max-t' if there
        are at least 50 degrees of freedom and 3 per model, for two models and for 'bootstrap',
        otherwise 'holm'.
    alpha : float, default=0.05
        Family-wise error rate: the probability that any statement about the ranks is wrong.
    n_resamples : int, default=9999
        Bootstrap replicates.
    nan_policy : {'raise', 'omit', 'zero'}, default='raise'
        How to handle items that lack a score of some model: raise an error, drop them for all
        models, or score them 0.

    Returns
    -------
    LeaderboardResult
        With ``names``, the best first, and in this order ``means``, ``standard_error``, ``rank`` (1
        plus the number of models with a higher mean), ``rank_low`` and ``rank_high`` (simultaneous
        confidence sets), ``letters``; ``groups`` (the maximal groups of models without a
        significant difference), ``above`` (k, k), ``df``, ``n``, ``n_clusters``, ``n_tasks``,
        ``average`` ('items', 'tasks' or 'weighted tasks'), ``n_dropped``, ``correction``,
        ``method``, ``status``, ``n_resamples``, ``seed``, ``winner_estimate`` (the mean of the
        first model, corrected for its selection); methods
        ``winner_interval(confidence_level)`` (of the first model, allowing for its selection),
        ``rank_set(model)`` (for one model only), ``best(tau)``,
        ``confidence_interval(confidence_level, simultaneous=False)``, ``plot()``, ``summary()`` and
        ``to_dict()``.

    Warns
    -----
    UndefinedResultWarning
        As in `mean_pairwise_test`; such pairs count as not significant.
    SmallSampleWarning
        'few_clusters', if there are fewer than 4 degrees of freedom; 'small_sample', if a model
        would not be significantly better than another, were scores a little more skewed than they
        show.

    See Also
    --------
    mean_pairwise_test : The differences, with p-values.
    bradley_terry : Strengths from battles of two.

    Notes
    -----
    A model's rank set extends from 1 plus the number of models that are significantly better to k
    minus the number that are significantly worse. All ordered pairs are tested with a step-down
    procedure [1]_ [2]_, so the probability that any statement "A is better than B", and thus any
    set, is wrong is at most alpha. With few clusters the correlations of pairs are poorly
    estimated: max-t would then have an error rate of 7 to 25% (docs/evidence/leaderboards.md).

    The interval of a model is mean +- t SE. If all scores are 0 or 1 it is Wilson's, as in
    `accuracy_interval`; with clusters, weights or samples it uses the effective number of answers
    (the number of independent answers with the same standard error). 'bootstrap' uses percentiles,
    and Wilson's interval for models whose answers are all correct or all wrong.

    The first model was selected by the same scores. The interval of the best of 20 equal models
    misses its mean in 20 to 30% of samples, ``winner_interval`` in at most 6%
    (docs/evidence/leaderboards.md): its lower limit is that of a hybrid confidence set [3]_, its
    upper limit the usual one with the largest standard error of the models near the top.

    References
    ----------
    .. [1] M. Mogstad, J. P. Romano, A. M. Shaikh, D. Wilhelm (2024), doi:10.1093/restud/rdad006.
    .. [2] J. P. Romano, M. Wolf (2005), doi:10.1198/016214504000000539.
    .. [3] I. Andrews, T. Kitagawa, A. McCloskey (2024), doi:10.1093/qje/qjad043.

    Examples
    --------
    >>> import fastcompare as fc
    >>> scores = {"small": [0, 0, 0, 1, 0, 0, 0, 1, 0, 0], "base": [1, 0, 0, 1, 0, 1, 0, 1, 1, 0],
    ...           "large": [1, 1, 0, 1, 1, 1, 1, 1, 1, 1]}
    >>> result = fc.leaderboard(scores, groups=[1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
    >>> list(zip(result.names, result.rank_low.tolist(), result.rank_high.tolist()))
    [('large', 1, 3), ('base', 1, 3), ('small', 1, 3)]
    >>> print(result.summary())
    large has the highest mean score of 3 models, 0.9; allowing for its selection by these scores,
    0.8994 (95% CI 0.3812 to 0.9904, Wilson's method). base and small do not differ significantly
    from it. All statements hold jointly at the 5% level (Holm's t-tests of all pairs; 10 items in 5
    clusters). The mean of base has a standard error of 0, so it has no interval.
    """
    check_undefined(on_undefined)
    metric = getattr(scores, "_metric", "score")
    if isinstance(scores, EvalRuns):
        higher_is_better = higher_is_better and scores.metadata["higher_is_better"] is not False
        scores, task, groups, sample_weight = scores._items(task, groups, sample_weight)
    linked: Any = {"task": task, "groups": groups, "sample_weight": sample_weight}
    level, higher = check_alpha(alpha), check_flag("higher_is_better", higher_is_better)
    scores, linked = items_in(scores, linked, models=models, id=id, long=long, higher=higher)
    method = as_choice("method", method, METHODS)
    check_choice("alternative", alternative, ALTERNATIVES)
    tasks = as_tasks(linked.pop("task"), task_weight, scores)
    correction, draws = as_claims_correction(correction, method), as_draws(**drawing)
    items = as_items_of_tasks(scores, tasks, method, nan_policy=nan_policy, **linked)

    ranked = ranked_models(items, higher, skewed=method == "auto")
    correction = settled_correction(ranked, correction, method)
    warn_pairs(all_pairs(ranked.names), ranked.pair_means.status, on_undefined)
    result = LeaderboardResult.from_fields(
        rank=competition_ranks(ranked.means if higher else -ranked.means),
        alpha=level,
        metric=metric,
        alternative=alternative,
        higher_is_better=higher,
        correction=correction,
        method=METHOD_TITLES[method if method == "bootstrap" else correction],
        **mean_fields(items, ranked, tasks),
        **ranking_fields(ranked, draws if method == "bootstrap" else None, higher, correction),
    )
    doubt = skewness_status(ranked.pair_means, lambda: result.above, ranked.names, on_undefined)
    return result.from_fields(**result.__dict__ | {"status": doubt or result.status})


def settled_correction(ranked: RankedModels, correction: str, method: str) -> str:
    """Return the correction; 'auto' is 'max-t' if correlations are precise enough, else 'holm'."""
    if correction != "auto":
        return correction
    is_precise = method == "bootstrap" or supports_max_t(ranked.df, len(ranked.names))
    return "max-t" if is_precise else "holm"


class RankedModels(NamedTuple):
    """Models, the best one first: their names, scores, means, and the differences of all pairs."""

    names: tuple[str, ...]
    scores: NDArray[np.float64]
    means: Vector
    pair_means: PairMeans
    design: MeanDesign
    answers: AnswerCounts | None

    @property
    def df(self) -> float:
        """The degrees of freedom of all pairs."""
        return float(np.max(self.pair_means.df))

    def status(self) -> str:
        """Return the status word that all pairs share, 'ok' if they have different ones.

        Pairs that do not vary do not count.
        """
        words = set(self.pair_means.status.tolist()) - {"no_difference", "zero_variance"}
        return words.pop() if len(words) == 1 else "ok"


def ranked_models(items: Items, higher: bool, *, skewed: bool) -> RankedModels:
    """Return the models from best to worst mean, equal means in their order in the table."""
    design = mean_design(items.links)
    means = design.means(items.scores)
    order = np.argsort(-means if higher else means, kind="stable")
    scores = items.scores[:, order]
    cells = np.triu_indices(order.size, 1)
    _, pairs = pair_means(scores, design, cells)
    if skewed:
        pairs = with_skewness(pairs, scores, design, cells)
        pairs = with_answer_variances(pairs, items._replace(scores=scores), design, cells)
    names = tuple(items.names[j] for j in order)
    answers = count_answers(items._replace(scores=scores), design)
    return RankedModels(names, scores, means[order], pairs, design, answers)


def mean_fields(items: Items, ranked: RankedModels, tasks: Tasks | None) -> Fields:
    """Return the fields of the means, and those that count items, clusters and tasks."""
    weights = None if tasks is None else tasks.weights
    of_tasks = ""
    if weights is not None:
        of_tasks = "weighted tasks" if np.ptp(weights) else "tasks"
    return Fields(
        names=ranked.names,
        means=ranked.means,
        df=ranked.df,
        status=ranked.status(),
        n=items.links.n,
        n_clusters=ranked.design.n_clusters,
        n_tasks=0 if tasks is None else len(tasks.labels),
        n_dropped=items.n_dropped,
        average=of_tasks or "items",
        _sampling=SampleCounts(
            weighted=items.links.weights is not None and not of_tasks,
            n_samples=count_samples(items),
        ),
    )


def ranking_fields(
    ranked: RankedModels, draws: Draws | None, higher: bool, correction: str
) -> Fields:
    """Return the field that ranks the models by tests or bootstrap replicates, and the seed."""
    sign = 1.0 if higher else -1.0
    if draws is None or not ranked.design.terms:
        model_means = ModelMeans(
            ranked.means, ranked.pair_means, sign, ranked.answers, holm=correction == "holm"
        )
        return Fields(_model_means=model_means, n_resamples=0, seed=None)
    replicates = bootstrap_model_means(ranked.scores, ranked.design, draws) - ranked.means[:, None]
    bootstrap_means = BootstrapModelMeans(ranked.means, replicates, sign, ranked.answers)
    return Fields(_model_means=bootstrap_means, n_resamples=draws.n, seed=draws.seed)
