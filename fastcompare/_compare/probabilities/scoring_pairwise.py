"""Test every pair of k models that gave probabilities to the same cases, by their losses."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..._inference.corrections.adjust import check_correction
from ..._inference.status import announce
from ..._inputs.options import (
    ALTERNATIVES,
    Direction,
    NanPolicy,
    Undefined,
    check_choice,
    check_undefined,
)
from ..._inputs.probabilities import Rule, as_probability_table, check_rule
from ..._inputs.randomness import RandomState
from ..._inputs.workers import Progress
from ..._resampling.bootstrap import as_claim, as_draws
from ..._results.pairs import adjusted, pairs_named, pairs_of
from ..paired.columns import Columns
from ..paired.wilcoxon import ZEROS
from .losses import RULES, case_losses, greatest_loss, mean_loss, rule_name
from .scoring_many import LossPairs, summarise_all, test_all
from .scoring_methods import METHODS
from .scoring_pairwise_result import ScoringPairwiseResult


def scoring_pairwise_test(
    y_true: ArrayLike,
    probabilities: ArrayLike | Mapping[Any, Any],
    *,
    rule: Rule = "brier",
    method: str = "t",
    alternative: Direction = "two-sided",
    correction: str = "holm",
    zeros: str = "wilcox",
    clip: float | None = None,
    n_resamples: int = 9999,
    rng: RandomState = None,
    n_jobs: int = 1,
    executor: Executor | None = None,
    progress: Progress = None,
    classes: ArrayLike | None = None,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> ScoringPairwiseResult:
    """Test every pair of k models for different expected losses, with adjusted p-values.

    Parameters
    ----------
    y_true, classes, pos_label, nan_policy
        As in `brier_score`; a case that misses anything is left out for all models.
    probabilities : array-like of shape (n, k), mapping or data frame
        A column of probabilities of the positive class for each of at least two models; names reach
        the result. For several classes a mapping from names to tables of shape (n, c).
    rule, zeros, clip
        As in `scoring_test`.
    method : {'t', 'wilcoxon', 'permutation', 'bootstrap'}, default='t'
        As in `scoring_test`, for each pair.
    alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
        'greater' claims for each pair that the model named first has the greater loss: that it is
        worse. Choose the order before you see the data.
    correction : str, default='holm'
        For the number of pairs: any method of `adjust_pvalues`, or 'none'.
    n_resamples, rng, n_jobs, executor, progress
        As in `scoring_test`; all pairs share the random signs, or the bootstrap replicates.
    on_undefined : {'warn', 'raise', 'ignore'}, default='warn'
        What to do when a part of the result is not defined for these data.

    Returns
    -------
    ScoringPairwiseResult
        With ``names`` (k,), ``losses`` (k,), ``pairs`` (P names), and of shape (P,) ``estimate``
        (the first model's mean loss less the second's), ``standard_error``, ``statistic``,
        ``pvalue``, ``adjusted_pvalue``, ``method``, ``n_resamples`` (0 if exact), ``status``;
        ``seed``, ``n``; methods ``confidence_interval(confidence_level, simultaneous=False)``,
        ``summary()`` and ``to_dict()``. Each pair's numbers are those of `scoring_test` with the
        same seed.

    Warns
    -----
    UndefinedResultWarning
        As in `scoring_test`, naming the pairs.

    See Also
    --------
    scoring_test : The test of one pair, with its notes.

    References
    ----------
    .. [1] T. Gneiting, A. E. Raftery (2007), doi:10.1198/016214506000001437.
    .. [2] S. Holm (1979), https://www.jstor.org/stable/4615733.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> result = fc.scoring_pairwise_test(data.y_true, data.scores)
    >>> len(result.pairs), len(result.losses)
    (10, 5)
    >>> bool((result.adjusted_pvalue >= result.pvalue).all())
    True
    """
    check_undefined(on_undefined)
    check_choice("method", method, METHODS)
    check_choice("alternative", alternative, ALTERNATIVES)
    check_correction(correction, alternative)
    check_choice("zeros", zeros, ZEROS)
    clip = check_rule(rule, clip, tuple(RULES))
    claim = as_claim(alternative)
    draws = as_draws(
        n_resamples=n_resamples,
        rng=rng,
        n_jobs=n_jobs,
        executor=executor,
        progress=progress,
    )
    cases, names = as_probability_table(
        y_true, probabilities, pos_label=pos_label, classes=classes, nan_policy=nan_policy
    )

    width = greatest_loss(rule, cases.models[0])
    losses = np.stack([case_losses(rule, cases.labels, p, clip) for p in cases.models])
    tests = LossPairs.of(Columns.of(losses), method, zeros, claim, draws)
    summary = summarise_all(tests.columns)
    found = test_all(tests, summary, draws.workers)
    pairs, status = pairs_of(names), summary.statuses(cases.labels.size, method)
    for word in dict.fromkeys(status.tolist()):
        announce(word, on_undefined, pairs_named(pairs, status == word))

    return ScoringPairwiseResult(
        **found._asdict(),
        names=names,
        losses=np.array([mean_loss(loss) for loss in losses]),
        pairs=pairs,
        estimate=summary.estimate,
        adjusted_pvalue=adjusted(found.pvalue, correction),
        correction=correction,
        alternative=alternative,
        rule=rule_name(rule),
        status=status,
        n=cases.labels.size,
        n_dropped=cases.n_dropped,
        seed=draws.seed if found.n_resamples.any() else None,
        _bounds=(-width, width),
        _tests=tests,
    )
