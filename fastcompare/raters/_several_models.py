"""All measures of how similarly models err: of one pair with intervals, and of every pair of k.

Intervals are by formula, or by a bootstrap of the joint table; of k models there is also how
diverse all of them are together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.documented import documented, with_engine_options
from .._base.memory import reserve
from .._base.text import amount, show_number
from .._base.types import AnyLabels, Integers, NanPolicy, RandomState, Undefined
from .._inference.pvalues import normal_quantile
from .._inference.status import warn_status
from .._inputs.counts import check_countable
from .._inputs.options import as_choice, check_choice, check_level, check_undefined
from .._inputs.predictions import LabelTable, as_several_predictions, correct
from .._resampling.bootstrap import Draws, as_draws, interval_fields, summarize_replicates
from .._resampling.labels import multinomial_tables
from .._results.records import ConfidenceInterval, Record
from .._results.two_models import TwoModels
from ..labels._mcnemar_pairwise import joint_counts
from ._kappa import (
    AgreementMeasureResult,
    MeasureOptions,
    as_measure_options,
    measure_fields,
    measure_status,
)
from ._measures import MEASURES, Counts, Floats, diversity, joint_correctness


@dataclass(frozen=True, eq=False, kw_only=True)
class AgreementResult(TwoModels):
    """Result of `agreement`: each measure is an `AgreementMeasureResult`."""

    accuracy: NDArray[np.float64]
    disagreement: AgreementMeasureResult
    cohen_kappa: AgreementMeasureResult
    yule_q: AgreementMeasureResult
    correlation: AgreementMeasureResult
    double_fault: AgreementMeasureResult
    table: Counts
    n: int
    n_dropped: int
    method: str
    seed: int | None
    status: str
    title: ClassVar[str] = "Similarity of two models' errors"
    _picture: ClassVar[str] = "mosaic"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        listed = ", ".join(
            f"{measure.title} {getattr(self, name).figures()}" for name, measure in MEASURES.items()
        )
        level = f"{100 * self.disagreement._level:g}%"
        both = self._beside_names(*(f"{accuracy:.4f}" for accuracy in self.accuracy))
        return (
            f"Models with accuracies {both} on {amount(self.n, 'case')}: {listed}; {level} "
            f"{self.method} confidence intervals."
        )


@with_engine_options(as_measure_options)
def agreement(
    y_true: Any,
    y_pred_a: LabelTable | None = None,
    y_pred_b: ArrayLike | None = None,
    *,
    method: Literal["asymptotic", "bootstrap"] = "asymptotic",
    n_resamples: int = 9999,
    rng: RandomState = None,
    **options: Unpack[MeasureOptions],
) -> AgreementResult:
    """Return measures of how similar two classifiers' errors are, each with an interval.

    Parameters
    ----------
    method : {'asymptotic', 'bootstrap'}, default='asymptotic'
        Intervals by each measure's formula, as in its own function, or percentiles of bootstrap
        replicates of the table, which need five cases in each cell.
    n_resamples : int, default=9999
        Number of replicates, for 'bootstrap'. One less than a round number makes the levels exact.
    rng : None, int or numpy.random.Generator, optional
        Seed, for 'bootstrap'.

    Returns
    -------
    AgreementResult
        With ``disagreement``, ``cohen_kappa`` (of being correct), ``yule_q``, ``correlation`` and
        ``double_fault``, each with ``estimate``, ``standard_error``, ``status`` and
        ``confidence_interval(confidence_level)``; ``accuracy`` (2,), ``table`` (2, 2), ``n``,
        ``n_dropped``, ``seed``, and the first ``status`` that is not 'ok'.

    Warns
    -----
    UndefinedResultWarning
        If a measure or its interval is not defined.
    SmallSampleWarning
        For 'bootstrap', if a measure depends on fewer than five cases: its interval undercovers.

    See Also
    --------
    agreement_matrix : All pairs of several models.
    mcnemar_test : Whether the accuracies differ.

    Notes
    -----
    Among n cases both models are correct on n11, only the first on n10, only the second on n01,
    neither on n00::

        disagreement = (n10 + n01) / n            double fault = n00 / n
        Q = (n11 n00 - n10 n01) / (n11 n00 + n10 n01)
        correlation = (n11 n00 - n10 n01) / sqrt((n11 + n10) (n01 + n00) (n11 + n01) (n10 + n00))
        kappa = (p_o - p_e) / (1 - p_e),          p_o = (n11 + n00) / n

    The four counts of a bootstrap replicate are multinomial and drawn as such. Replicates in which
    a measure is undefined are discarded for it.

    References
    ----------
    .. [1] L. I. Kuncheva, C. J. Whitaker (2003), doi:10.1023/A:1022859003006.
    .. [2] J. L. Fleiss, J. Cohen, B. S. Everitt (1969), doi:10.1037/h0028106.
    .. [3] Y. M. M. Bishop, S. E. Fienberg, P. W. Holland (1975), Discrete Multivariate Analysis,
       chapter 11, doi:10.1007/978-0-387-72806-3.
    .. [4] A. C. Davison, D. V. Hinkley (1997), doi:10.1017/CBO9780511802843.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.agreement([[150, 25], [15, 10]])
    >>> for measure in (result.disagreement, result.cohen_kappa, result.yule_q):
    ...     print(measure.figures())
    0.2000 (0.1505 to 0.2609)
    0.2195 (0.0589 to 0.3911)
    0.6000 (0.2323 to 0.8137)
    """
    level, nan_policy, on_undefined = as_measure_options(**options)
    method = as_choice("method", method, ("asymptotic", "bootstrap"))
    draws = as_draws(n_resamples=n_resamples, rng=rng)
    joint = joint_correctness(y_true, y_pred_a, y_pred_b, nan_policy)
    results = {
        name: AgreementMeasureResult(**measure_fields(name, joint, level)) for name in MEASURES
    }
    if method == "bootstrap":
        check_countable(joint.table)
        tables = multinomial_tables(joint.table, draws)
        results = {
            name: with_bootstrap_interval(result, tables, draws) for name, result in results.items()
        }
    status = warn_of_statuses(results, on_undefined)

    n = joint.table.sum()
    return AgreementResult(
        accuracy=np.array([joint.table[0].sum() / n, joint.table[:, 0].sum() / n]),
        **results,
        table=joint.table,
        n=int(n),
        n_dropped=joint.n_dropped,
        names=joint.names,
        method=method,
        seed=draws.seed if method == "bootstrap" else None,
        status=status,
    )


def warn_of_statuses(results: Mapping[str, AgreementMeasureResult], on_undefined: str) -> str:
    """Return the first status that is not 'ok', after one warning for each different status."""
    words = {name: result.status for name, result in results.items() if result.status != "ok"}
    for word in dict.fromkeys(words.values()):
        concerned = [MEASURES[name].title for name, other in words.items() if other == word]
        warn_status(word, on_undefined, f" ({', '.join(concerned)})")
    return next(iter(words.values()), "ok")


def with_bootstrap_interval(
    result: AgreementMeasureResult, tables: Floats, draws: Draws
) -> AgreementMeasureResult:
    """Return the result with standard error and percentile interval from tables (2, 2, B)."""
    values = MEASURES[result.measure].estimate(tables)
    fields = interval_fields(summarize_replicates("percentile", result.estimate, values), draws)
    counts = result.table.astype(np.float64)
    formula = (result.estimate, result.standard_error)
    status = measure_status(result.measure, counts, formula, "bootstrap")  # of the table alone
    error = fields["standard_error"]
    if status in ("ok", "small_sample") and not error > 0.0:
        status = "too_few_resamples" if math.isnan(error) else "equal_replicates"
    return replace(result, **fields, method="bootstrap", status=status)


MOST_LISTED_PAIRS = 3  # pairs that a warning names
BLOCK_PAIRS = 1 << 15  # pairs at a time, so that their tables stay in the cache


def pair_estimates(measure: str) -> Callable[[Any], Floats]:
    """Return a method of `AgreementMatrixResult` that computes the matrix (k, k) of a measure."""
    estimate = MEASURES[measure].estimate

    def estimates(self: Any) -> Floats:
        """Return the matrix (k, k)."""
        (matrix,) = matrices_of_pairs(self.n11, self.n, lambda table: (estimate(table),))
        return np.asarray(matrix)

    return estimates


@dataclass(frozen=True, eq=False, kw_only=True)
class AgreementMatrixResult(Record):
    """Result of `agreement_matrix`; ``result["yule_q"]`` is ``result.yule_q``."""

    names: tuple[str, ...]
    accuracy: Floats
    disagreement: Floats
    cohen_kappa: Floats
    yule_q: Floats
    correlation: Floats
    double_fault: Floats
    n11: NDArray[np.int64]
    entropy: float
    kohavi_wolpert_variance: float
    interrater_kappa: float
    difficulty: float
    generalised_diversity: float
    n: int
    n_dropped: int
    status: str
    title: ClassVar[str] = "Similarity of the models' errors"
    _has_interval: ClassVar[bool] = False  # that tables show
    _picture: ClassVar[str] = "agreement_map"

    _compute_disagreement = pair_estimates("disagreement")
    _compute_cohen_kappa = pair_estimates("cohen_kappa")
    _compute_yule_q = pair_estimates("yule_q")
    _compute_correlation = pair_estimates("correlation")
    _compute_double_fault = pair_estimates("double_fault")

    def __getitem__(self, measure: str) -> Floats:
        """Return the matrix (k, k) of a measure by its name."""
        check_choice("measure", measure, MEASURES)
        return np.asarray(getattr(self, measure))

    def standard_error(self, measure: str) -> Floats:
        """Return the standard errors (k, k) of a measure.

        Parameters
        ----------
        measure : {'disagreement', 'cohen_kappa', 'yule_q', 'correlation', 'double_fault'}
            Which one.

        Returns
        -------
        ndarray of shape (k, k)
            NaN where the measure is not defined.
        """
        check_choice("measure", measure, MEASURES)
        chosen = MEASURES[measure]
        (errors,) = matrices_of_pairs(
            self.n11, self.n, lambda table: (chosen.error(table, chosen.estimate(table)),)
        )
        return np.asarray(errors)

    def confidence_interval(
        self, measure: str, confidence_level: float = 0.95
    ) -> ConfidenceInterval:
        """Return the intervals of a measure for all pairs, not simultaneous, by its default method.

        Parameters
        ----------
        measure : {'disagreement', 'cohen_kappa', 'yule_q', 'correlation', 'double_fault'}
            Which one.
        confidence_level : float, default=0.95
            Between 0 and 1.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, arrays of shape (k, k).
        """
        check_choice("measure", measure, MEASURES)
        chosen = MEASURES[measure]
        level = check_level(confidence_level)
        z = normal_quantile(0.5 * (1.0 - level))

        def ends(table: Floats) -> Sequence[Floats]:
            """Return the limits (low, high) of the measure in all pairs' tables."""
            estimate = chosen.estimate(table)
            ends_of = chosen.intervals[chosen.method]
            return ends_of(table, estimate, chosen.error(table, estimate), z)

        low, high = matrices_of_pairs(self.n11, self.n, ends, n_matrices=2)
        return ConfidenceInterval.within(low, high, chosen.bounds)

    def _summary(self) -> str:
        """Return a sentence on the most and the least similar pair."""
        first, second = np.triu_indices(len(self.names), 1)
        disagreement = self.disagreement[first, second]
        extremes = disagreement.argmin(), disagreement.argmax()
        most, least = (self._pair(first[p], second[p]) for p in extremes)
        cases = amount(self.n, "case")
        if disagreement.size == 1:
            return f"Of {cases} {most}."
        if np.ptp(disagreement) == 0.0:
            return (
                f"Of {cases} all {disagreement.size} pairs of models disagree on "
                f"{100 * disagreement[0]:.1f}%."
            )
        ties = [int(np.count_nonzero(disagreement == disagreement[p])) - 1 for p in extremes]
        tied_most, tied_least = (
            f", as {'do' if n > 1 else 'does'} {amount(n, 'other pair')}" if n else "" for n in ties
        )
        return (
            f"Of {cases} and {disagreement.size} pairs of models, {most}{tied_most}: the most "
            f"similar; {least}{tied_least}: the least similar."
        )

    def _pair(self, i: int, j: int) -> str:
        """Return the words on how models i and j disagree."""
        share, kappa = self.disagreement[i, j], self.cohen_kappa[i, j]
        return (
            f"{self.names[i]} and {self.names[j]} disagree on {100 * share:.1f}% "
            f"(Cohen's kappa {show_number(kappa, '.3f')})"
        )


@documented
def agreement_matrix(
    y_true: AnyLabels,
    predictions: LabelTable,
    *,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> AgreementMatrixResult:
    """Return the similarity of errors for every pair of k classifiers, and the diversity of all k.

    Returns
    -------
    AgreementMatrixResult
        With ``names`` (k,), ``accuracy`` (k,), and of shape (k, k) ``disagreement``,
        ``cohen_kappa`` (of being correct), ``yule_q``, ``correlation``, ``double_fault``, and the
        counts ``n11``; for all models jointly ``entropy`` (E), ``kohavi_wolpert_variance``,
        ``interrater_kappa``, ``difficulty`` (theta) and ``generalised_diversity``; methods
        ``standard_error(measure)``, ``confidence_interval(measure, confidence_level)``,
        ``summary()`` and ``to_dict()``.

    Warns
    -----
    UndefinedResultWarning
        If a 2 x 2 table has an empty cell (no Yule's Q), or a model is correct, or wrong, on every
        case (no correlation). Such entries are NaN; the diagonal of Yule's Q always is.

    See Also
    --------
    agreement : One pair, with intervals.

    Notes
    -----
    Pairs have the measures of `agreement`. With l of L models correct on a case, p the mean of l /
    L, and means over cases::

        entropy = mean min(l, L - l) / (L - ceil(L / 2))
        Kohavi-Wolpert variance = mean l (L - l) / L^2
        interrater kappa = 1 - L / (L - 1) * Kohavi-Wolpert variance / (p (1 - p))
        difficulty = variance of l / L
        generalised diversity = mean l (L - l) / ((L - 1) mean (L - l))

    References
    ----------
    .. [1] L. I. Kuncheva, C. J. Whitaker (2003), doi:10.1023/A:1022859003006.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y = [1, 1, 1, 1, 1]
    >>> models = {"a": [1, 1, 1, 0, 1], "b": [1, 0, 1, 0, 0], "c": [0, 0, 1, 0, 1]}
    >>> result = fc.agreement_matrix(y, models, on_undefined="ignore")
    >>> result.disagreement.tolist()
    [[0.0, 0.4, 0.4], [0.4, 0.0, 0.4], [0.4, 0.4, 0.0]]
    >>> result.entropy
    0.6
    """
    check_undefined(on_undefined)
    cases = as_several_predictions(y_true, predictions, nan_policy)
    right = correct(cases)
    n = right.shape[1]
    n11 = joint_counts(right)

    status = "ok"
    for word, pairs in undefined_pairs(n11, n).items():
        if pairs.any():
            status = word if status == "ok" else status
            warn_status(word, on_undefined, pair_list(cases.names, np.argwhere(np.triu(pairs, 1))))

    return AgreementMatrixResult.from_fields(
        names=cases.names,
        accuracy=n11.diagonal() / n,
        n11=n11,
        **diversity(right),
        n=n,
        n_dropped=cases.n_dropped,
        status=status,
    )


def undefined_pairs(n11: Integers, n: int) -> dict[str, NDArray[np.bool_]]:
    """Return by status word which pairs (k, k) of different models have an undefined measure.

    'constant_answers': a model is right, or wrong, on every case, so there is no correlation.
    'empty_cell': there is no Yule's Q.
    """
    right = n11.diagonal()
    constant = (right == 0) | (right == n)
    n10 = right[:, None] - n11
    n00_is_filled = n - right > n10  # n00 = n - right - n10
    all_cells_filled = (n11 > 0) & (n10 > 0) & (n10.T > 0) & n00_is_filled
    np.fill_diagonal(all_cells_filled, True)
    correlated = ~(constant | constant[:, None])
    np.fill_diagonal(correlated, True)
    return {"constant_answers": ~correlated, "empty_cell": ~all_cells_filled}


def pair_list(names: tuple[str, ...], pairs: NDArray[Any]) -> str:
    """Return names of the first three `pairs` (p, 2) of models: " (a and b, ... and 2 more)"."""
    named = [f"{names[i]} and {names[j]}" for i, j in pairs[:MOST_LISTED_PAIRS]]
    more = f" and {len(pairs) - MOST_LISTED_PAIRS} more" if len(pairs) > MOST_LISTED_PAIRS else ""
    return f" ({', '.join(named)}{more})"


def matrices_of_pairs(
    n11: NDArray[np.int64],
    n: int,
    function: Callable[[Floats], Sequence[Floats]],
    *,
    n_matrices: int = 1,
) -> NDArray[Any]:
    """Return the matrices (`n_matrices`, k, k) that a function computes from tables of counts.

    The tables (2, 2, rows, k) are those of all pairs of models, some rows of models at a time.
    """
    k = len(n11)
    right = np.diag(n11)
    out = reserve((n_matrices, k, k))
    step = max(1, BLOCK_PAIRS // k)
    for start in range(0, k, step):
        rows = slice(start, start + step)
        table = np.empty((2, 2, len(n11[rows]), k))
        table[0, 0] = n11[rows]
        table[0, 1] = right[rows, None] - n11[rows]
        table[1, 0] = right - n11[rows]
        table[1, 1] = n - right[rows, None] - table[1, 0]
        out[:, rows] = function(table)
    return out
