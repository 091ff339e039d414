"""All measures of how alike two models err, with intervals by formula or by bootstrap."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._base.forward import forwards
from ..._base.text import counted
from ..._base.types import RandomState
from ..._inference.status import announce
from ..._inputs.counts import check_countable
from ..._inputs.options import as_choice
from ..._inputs.predictions import LabelTable
from ..._resampling.bootstrap import Draws, as_draws, interval_fields, replicated
from ..._resampling.tables import redrawn_tables
from ..._results.records import TwoModels
from .intervals import MEASURES
from .measures import Floats
from .single import (
    AgreementMeasureResult,
    Measuring,
    as_measuring,
    floats_of,
    measure_status,
    measured,
)
from .tables import Counts, joint_correctness


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
    title: ClassVar[str] = "How alike two models err"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python values, each measure as a dictionary."""
        measures = {name: getattr(self, name).to_dict() for name in MEASURES}
        return {**super().to_dict(), **measures}

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        listed = ", ".join(
            f"{measure.title} {getattr(self, name).figures()}" for name, measure in MEASURES.items()
        )
        level = f"{100 * self.disagreement._level:g} %"
        both = self._of_both(*(f"{accuracy:.4f}" for accuracy in self.accuracy))
        return (
            f"Models with accuracies {both} on {counted(self.n, 'case')}: {listed}; {level} "
            f"{self.method} confidence intervals."
        )


@forwards(as_measuring)
def agreement(
    y_true: Any,
    y_pred_a: LabelTable | None = None,
    y_pred_b: ArrayLike | None = None,
    *,
    method: Literal["asymptotic", "bootstrap"] = "asymptotic",
    n_resamples: int = 9999,
    rng: RandomState = None,
    **options: Unpack[Measuring],
) -> AgreementResult:
    """Return every measure of how alike two classifiers err, with its interval.

    Parameters
    ----------
    method : {'asymptotic', 'bootstrap'}, default='asymptotic'
        Intervals by each measure's formula, as in its own function, or percentiles of replicates of
        the table, which need five cases in each cell.
    n_resamples : int, default=9999
        Replicates, for 'bootstrap'. One less than a round number makes the levels exact.
    rng : None, int or numpy.random.Generator, optional
        The seed, for 'bootstrap'.

    Returns
    -------
    AgreementResult
        With ``disagreement``, ``cohen_kappa`` (of being right), ``yule_q``, ``correlation`` and
        ``double_fault``, each with ``estimate``, ``standard_error``, ``status`` and
        ``confidence_interval(confidence_level)``; ``accuracy`` (2,), ``table`` (2, 2), ``n``,
        ``n_dropped``, ``seed``, and the first ``status`` that is not 'ok'.

    Warns
    -----
    UndefinedResultWarning
        If a measure or its interval is not defined.
    SmallSampleWarning
        If fewer than five cases decide of a measure, for 'bootstrap': intervals cover too seldom.

    See Also
    --------
    agreement_matrix : All pairs of several models.
    mcnemar_test : Whether the accuracies differ.

    Notes
    -----
    Of n cases both models get n11 right, the first alone n10, the second alone n01, none n00::

        disagreement = (n10 + n01) / n            double fault = n00 / n
        Q = (n11 n00 - n10 n01) / (n11 n00 + n10 n01)
        correlation = (n11 n00 - n10 n01) / sqrt((n11 + n10) (n01 + n00) (n11 + n01) (n10 + n00))
        kappa = (p_o - p_e) / (1 - p_e),          p_o = (n11 + n00) / n

    Drawing n cases with replacement makes the four counts of a replicate multinomial, so that they
    are drawn as such. Replicates in which a measure is not defined do not count for it.

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
    level, nan_policy, on_undefined = as_measuring(**options)
    method = as_choice("method", method, ("asymptotic", "bootstrap"))
    draws = as_draws(n_resamples=n_resamples, rng=rng)
    joint = joint_correctness(y_true, y_pred_a, y_pred_b, nan_policy)
    results = {name: AgreementMeasureResult(**measured(name, joint, level)) for name in MEASURES}
    if method == "bootstrap":
        check_countable(joint.table)
        tables = redrawn_tables(joint.table, draws)
        results = {name: bootstrapped(each, tables, draws) for name, each in results.items()}
    status = announce_each(results, on_undefined)

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


def announce_each(results: Mapping[str, AgreementMeasureResult], on_undefined: str) -> str:
    """Return the first status that is not 'ok', after one warning for each kind of them."""
    words = {name: result.status for name, result in results.items() if result.status != "ok"}
    for word in dict.fromkeys(words.values()):
        concerned = [MEASURES[name].title for name, other in words.items() if other == word]
        announce(word, on_undefined, f" ({', '.join(concerned)})")
    return next(iter(words.values()), "ok")


def bootstrapped(
    result: AgreementMeasureResult, tables: Floats, draws: Draws
) -> AgreementMeasureResult:
    """Return the result with what replicates of the table say in place of the formula."""
    values = MEASURES[result.measure].estimate(tables)
    fields = interval_fields(replicated("percentile", result.estimate, values), draws)
    counts, formula = floats_of(result.table), result.standard_error
    status = measure_status(result.measure, counts, formula, "bootstrap")
    error = fields["standard_error"]
    if status in ("ok", "small_sample") and not error > 0.0:
        status = "too_few_resamples" if math.isnan(error) else "equal_replicates"
    return replace(result, **fields, method="bootstrap", status=status)
