"""How alike the errors of every two of k models are, and how diverse all are together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._base.documented import documented
from ..._base.memory import reserve
from ..._base.text import counted, figure
from ..._base.types import AnyLabels, Integers, NanPolicy, Undefined
from ..._inference.status import announce
from ..._inputs.options import check_choice, check_level, check_undefined
from ..._inputs.predictions import LabelTable, as_several_predictions, correct
from ..._results.records import ConfidenceInterval, Record
from ..labels.joint import joint_counts
from .diversity import diversity
from .intervals import MEASURES
from .measures import Floats
from .single import quantile

NAMED = 3  # pairs that a warning names
BLOCK = 1 << 15  # pairs at a time, so that their tables stay in the cache


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
    title: ClassVar[str] = "How alike the models err"
    _has_interval: ClassVar[bool] = False  # that tables show

    def _later_disagreement(self) -> Floats:
        return self._estimates("disagreement")

    def _later_cohen_kappa(self) -> Floats:
        return self._estimates("cohen_kappa")

    def _later_yule_q(self) -> Floats:
        return self._estimates("yule_q")

    def _later_correlation(self) -> Floats:
        return self._estimates("correlation")

    def _later_double_fault(self) -> Floats:
        return self._estimates("double_fault")

    def _estimates(self, measure: str) -> Floats:
        estimate = MEASURES[measure].estimate
        (found,) = over_pairs(self.n11, self.n, 1, lambda table: (estimate(table),))
        return np.asarray(found)

    def __getitem__(self, measure: str) -> Floats:
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
        (errors,) = over_pairs(
            self.n11, self.n, 1, lambda table: (chosen.error(table, chosen.estimate(table)),)
        )
        return np.asarray(errors)

    def confidence_interval(
        self, measure: str, confidence_level: float = 0.95
    ) -> ConfidenceInterval:
        """Return the intervals of a measure for all pairs, each for itself, by its default method.

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
        chosen, z = MEASURES[measure], quantile(check_level(confidence_level))

        def ends(table: Floats) -> Sequence[Floats]:
            estimate = chosen.estimate(table)
            ends_of = chosen.intervals[chosen.method]
            return ends_of(table, estimate, chosen.error(table, estimate), z)

        low, high = over_pairs(self.n11, self.n, 2, ends)
        return ConfidenceInterval.within(low, high, chosen.bounds)

    def _summary(self) -> str:
        """Return the most and the least alike pair in a sentence of plain words."""
        first, second = np.triu_indices(len(self.names), 1)
        apart = self.disagreement[first, second]
        most, least = (self._pair(first[p], second[p]) for p in (apart.argmin(), apart.argmax()))
        cases = counted(self.n, "case")
        if apart.size == 1:
            return f"Of {cases} {most}."
        return (
            f"Of {cases} and {apart.size} pairs of models, {most}: the most alike; {least}: "
            "the least."
        )

    def _pair(self, i: int, j: int) -> str:
        share, kappa = self.disagreement[i, j], self.cohen_kappa[i, j]
        return (
            f"{self.names[i]} and {self.names[j]} disagree on {100 * share:.1f} % "
            f"(Cohen's kappa {figure(kappa, '.3f')})"
        )


@documented
def agreement_matrix(
    y_true: AnyLabels,
    predictions: LabelTable,
    *,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> AgreementMatrixResult:
    """Return how alike every two of k classifiers err, and how diverse all are together.

    Returns
    -------
    AgreementMatrixResult
        With ``names`` (k,), ``accuracy`` (k,), and of shape (k, k) ``disagreement``,
        ``cohen_kappa`` (of being right), ``yule_q``, ``correlation``, ``double_fault``, and the
        counts ``n11``; of all models together ``entropy`` (E), ``kohavi_wolpert_variance``,
        ``interrater_kappa``, ``difficulty`` (theta) and ``generalised_diversity``; methods
        ``standard_error(measure)``, ``confidence_interval(measure, confidence_level)``,
        ``summary()`` and ``to_dict()``.

    Warns
    -----
    UndefinedResultWarning
        If two models have an empty cell in their joint table (no Yule's Q), or a model is right, or
        wrong, on every case (no correlation). Matrices are NaN there; on the diagonal Yule's Q
        always is.

    See Also
    --------
    agreement : One pair, with intervals.

    Notes
    -----
    Pairs have the measures of `agreement`. With l of L models right on a case, p the mean of l / L,
    and means over cases::

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
    n, n11 = right.shape[1], joint_counts(right)

    status = "ok"
    for word, pairs in undefined_pairs(n11, n).items():
        if pairs.any():
            status = word if status == "ok" else status
            announce(word, on_undefined, pairs_named(cases.names, np.argwhere(np.triu(pairs, 1))))

    return AgreementMatrixResult.made(
        names=cases.names,
        accuracy=n11.diagonal() / n,
        n11=n11,
        **diversity(right)._asdict(),
        n=n,
        n_dropped=cases.n_dropped,
        status=status,
    )


def undefined_pairs(n11: Integers, n: int) -> dict[str, NDArray[np.bool_]]:
    """Return for which pairs (k, k) of different models something is 0 / 0, by its status word.

    A model that is right, or wrong, on every case has no correlation; an empty cell no Yule's Q.
    """
    right = n11.diagonal()
    constant = (right == 0) | (right == n)
    n10 = right[:, None] - n11
    some = (n11 > 0) & (n10 > 0) & (n10.T > 0) & (n - right > n10)
    np.fill_diagonal(some, True)
    correlated = ~(constant | constant[:, None])
    np.fill_diagonal(correlated, True)
    return {"constant_answers": ~correlated, "empty_cell": ~some}


def pairs_named(names: tuple[str, ...], pairs: NDArray[Any]) -> str:
    """Return which pairs a warning is about."""
    named = [f"{names[i]} and {names[j]}" for i, j in pairs[:NAMED]]
    more = f" and {len(pairs) - NAMED} more" if len(pairs) > NAMED else ""
    return f" ({', '.join(named)}{more})"


def over_pairs(
    n11: NDArray[np.int64], n: int, count: int, function: Callable[[Floats], Sequence[Floats]]
) -> NDArray[Any]:
    """Return `count` matrices (k, k) that a function finds from tables (2, 2, rows, k)."""
    k, right = len(n11), np.diag(n11)
    out = reserve((count, k, k))
    step = max(1, BLOCK // k)
    for start in range(0, k, step):
        rows = slice(start, start + step)
        table = np.empty((2, 2, len(n11[rows]), k))
        table[0, 0] = n11[rows]
        table[0, 1] = right[rows, None] - n11[rows]
        table[1, 0] = right - n11[rows]
        table[1, 1] = n - right[rows, None] - table[1, 0]
        out[:, rows] = function(table)
    return out
