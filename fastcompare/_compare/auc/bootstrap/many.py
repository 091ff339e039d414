"""Bootstrap of the AUCs of k models that scored the same cases, with one set of weights."""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...._base.memory import reserve
from ...._base.types import Vector
from ...._inference.corrections.adjust import check_correction
from ...._inference.pvalues import ratios
from ...._inference.status import announce, difference_status, sample_status
from ...._inputs.cases import as_cases
from ...._inputs.options import ALTERNATIVES, Direction, NanPolicy, Undefined, check_choice
from ...._inputs.randomness import RandomState
from ...._inputs.scores import ScoreTable
from ...._inputs.workers import Progress
from ...._resampling.bootstrap import (
    TITLES,
    UNSTUDENTIZED,
    acceleration_of,
    as_draws,
    draw,
)
from ...._resampling.replicates import replicate_pvalue
from ...._results.pairs import adjusted, pairs_named
from ..components import Components, as_components, pairs_of
from ..product import model_wins
from .many_result import BootstrapAUCsResult, Replicates
from .paired import gains, influence_of, pairs_in
from .walks import Units, units_of, wins_of


def bootstrap_auc(
    y_true: ArrayLike,
    scores: ScoreTable,
    *,
    n_resamples: int = 9999,
    method: str = "percentile",
    stratified: bool = True,
    groups: ArrayLike | None = None,
    alternative: Direction = "two-sided",
    correction: str = "holm",
    rng: RandomState = None,
    n_jobs: int = 1,
    executor: Executor | None = None,
    progress: Progress = None,
    keep: bool = False,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> BootstrapAUCsResult:
    """Bootstrap the AUCs of k models at once: intervals of all models and of all pairs.

    Every replicate weighs the cases in the same way for all models, so differences are paired.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bool, 0 and 1, or -1 and 1; anything else needs `pos_label`.
    scores : array-like of shape (n, k), mapping or data frame
        A column of scores for each model; names reach the result.
    n_resamples : int, default=9999
        Replicates.
    method : {'percentile', 'basic', 'bca', 'normal'}, default='percentile'
        How replicates become intervals and p-values, as in `bootstrap_auc_test`.
    stratified, groups, rng, n_jobs, executor, progress
        As in `bootstrap_auc_test`.
    alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
        'greater' claims for each pair that the model named first has the greater AUC.
    correction : str, default='holm'
        Any method of `adjust_pvalues`, or 'none'.
    keep : bool, default=False
        Keep the replicates of the AUCs as ``distribution`` (k, B).
    pos_label, nan_policy, on_undefined
        As in `delong_test`.

    Returns
    -------
    BootstrapAUCsResult
        With ``names`` (k,), ``auc`` (k,), ``auc_standard_error`` (k,), ``covariance`` (k, k), and
        of shape (P,) over the pairs ``pairs``, ``estimate``, ``standard_error``, ``statistic``,
        ``pvalue``, ``adjusted_pvalue``, ``status``; methods ``auc_interval(confidence_level,
        simultaneous=False)``, ``confidence_interval(confidence_level, simultaneous=False)``,
        ``summary()``.

    Warns
    -----
    UndefinedResultWarning
        If a class is missing or has one case, or the replicates of a pair do not vary.

    References
    ----------
    .. [1] A. C. Davison, D. V. Hinkley (1997), doi:10.1017/CBO9780511802843.
    .. [2] J. L. Montiel Olea, M. Plagborg-Moller (2019), doi:10.1002/jae.2656.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> result = fc.bootstrap_auc(data.y_true, data.scores, n_resamples=999, rng=0)
    >>> low, high = result.auc_interval(simultaneous=True)
    >>> bool((low < result.auc).all()), len(result.pairs)
    (True, 10)
    """
    check_choice("alternative", alternative, ALTERNATIVES)
    check_correction(correction, alternative)
    check_choice("method", method, UNSTUDENTIZED)
    draws = as_draws(
        n_resamples=n_resamples,
        rng=rng,
        n_jobs=n_jobs,
        executor=executor,
        progress=progress,
        keep=keep,
    )
    cases = as_cases(
        y_true, pos_label=pos_label, nan_policy=nan_policy, groups=groups, table=scores
    )

    components = as_components(cases)
    units = units_of(cases, stratified)
    drawn = np.empty((components.k + 2, 0))
    if min(components.m, components.n) > 1:
        reserve((components.k, draws.n), hint="ask for fewer resamples or models")
        drawn = draw(wins_of(cases, units), units.sizes, draws)
    usable = drawn[:, pairs_in(drawn) > 0.0]
    models = replicates_of_models(components, units, usable, method)
    differences = replicates_of_pairs(components, units, usable, method)

    pairs = tuple((cases.names[i], cases.names[j]) for i, j in pairs_of(components.k))
    error = differences.spread
    pvalue = pvalues_of(differences, error, alternative)
    status = statuses_of(components, differences.estimate, error, models.estimate)
    for word in dict.fromkeys(status.tolist()):
        announce(word, on_undefined, pairs_named(pairs, status == word))

    return BootstrapAUCsResult(
        names=cases.names,
        auc=models.estimate,
        covariance=covariance_of(models.values),
        pairs=pairs,
        estimate=differences.estimate,
        standard_error=error,
        statistic=ratios(differences.estimate, error),
        pvalue=pvalue,
        adjusted_pvalue=adjusted(pvalue, correction),
        correction=correction,
        alternative=alternative,
        status=status,
        n_positive=components.m,
        n_negative=components.n,
        n_dropped=cases.n_dropped,
        method=TITLES[method],
        n_resamples=usable.shape[1],
        n_left_out=drawn.shape[1] - usable.shape[1],
        resampling=units.title,
        seed=draws.seed,
        distribution=models.values if keep else None,
        _models=models,
        _differences=differences,
    )


def replicates_of_models(
    components: Components, units: Units, drawn: NDArray[Any], method: str
) -> Replicates:
    """Return the replicates of every AUC."""
    k, pairs = components.k, 2 * components.m * components.n
    auc = np.array([model_wins(components, i) / pairs if pairs else np.nan for i in range(k)])
    acceleration = np.zeros(k)
    if method == "bca" and drawn.shape[1]:
        for i in range(k):
            acceleration[i] = acceleration_of(influence_of(components, units, {i: 1}))
    return Replicates(drawn[:-2] / pairs_in(drawn), auc, acceleration, method)


def replicates_of_pairs(
    components: Components, units: Units, drawn: NDArray[Any], method: str
) -> Replicates:
    """Return the replicates of every difference."""
    every, total = pairs_of(components.k), 2 * components.m * components.n
    values = reserve((len(every), drawn.shape[1]), hint="ask for fewer resamples or models")
    estimate, acceleration = np.full(len(every), np.nan), np.zeros(len(every))
    won = [model_wins(components, i) for i in range(components.k)]
    for row, (i, j) in enumerate(every):
        values[row] = gains(drawn, i, j)
        estimate[row] = (won[i] - won[j]) / total if total else np.nan
        if method == "bca" and drawn.shape[1]:
            influence = influence_of(components, units, {i: 1, j: -1})
            acceleration[row] = acceleration_of(influence)
    return Replicates(values, estimate, acceleration, method, contrast=True)


def pvalues_of(differences: Replicates, error: Vector, alternative: str) -> Vector:
    """Return the p-value of every difference, 1 for one that is 0 in all replicates."""
    pvalue = np.where((error == 0.0) & (differences.estimate == 0.0), 1.0, np.nan)
    for row in np.flatnonzero(error > 0.0):
        pvalue[row] = replicate_pvalue(differences.tails(int(row)), alternative, 0.0).pvalue
    return pvalue


def statuses_of(
    components: Components, estimate: Vector, error: Vector, auc: Vector
) -> NDArray[np.str_]:
    """Return the status word of every pair; of a single model, none."""
    m, n = components.m, components.n
    words = [
        difference_status(m, n, float(error[row]), float(estimate[row]), auc[[i, j]].tolist())
        for row, (i, j) in enumerate(pairs_of(components.k))
    ]
    return np.array(words or [sample_status(m, n)], dtype="U32")


def covariance_of(values: Vector) -> Vector:
    """Return the covariance (k, k) of the replicates."""
    if values.shape[1] < 2:
        return np.full((len(values), len(values)), np.nan)
    return np.atleast_2d(np.cov(values))
