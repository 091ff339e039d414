"""Welch's t-test of two models that were scored on rounds of their own."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ..._base.documented import documented
from ..._base.types import Alternative, NanPolicy, Undefined, Vector
from ..._inference.infer import infer
from ..._inference.status import announce
from ..._inference.unvaried import Unvaried
from ..._inference.welch import welch_df
from ..._inputs.options import check_alternative, check_amount, check_undefined
from ..._inputs.rounds import as_own_rounds, refuse_range
from ..._inputs.scores import names_of
from ..._results.records import StudentResult
from ...kernels.tables.folds import mean_and_scatter
from .student import variance_status


@dataclass(frozen=True, eq=False, kw_only=True)
class TTestUnpairedResult(StudentResult):
    """Result of `ttest_unpaired`; `estimate` is means[0] - means[1]."""

    means: Vector
    n: tuple[int, int]
    n_dropped: int
    title: ClassVar[str] = "Welch's t-test of two models' own scores"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        (one, two), (n_1, n_2) = self.means, self.n
        both = self._of_both(f"{one:.4g} over {n_1} scores", f"{two:.4g} over {n_2}")
        return (
            f"The mean scores are {both}, a difference of {self.estimate:.4g} "
            f"({self._stated_interval('.4g')}; {self.method}{self._stated_claim()}, "
            f"{self._evidence()})."
        )


@documented
def ttest_unpaired(
    scores_1: ArrayLike,
    scores_2: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> TTestUnpairedResult:
    """Test two models by scores in independent rounds, each model on splits of its own.

    Valid where no two rounds share cases. Prefer the same splits for both models and a paired test,
    for the reason that `folds_unpaired_test` gives; do not pair rounds that do not belong together.

    Parameters
    ----------
    scores_1, scores_2 : array-like of shape (J_1,) and (J_2,)
        Any metric of the two models, one value a round.
    nan_policy : {'raise', 'omit'}, default='raise'
        What to do with missing scores: refuse them, or leave them out.

    Returns
    -------
    TTestUnpairedResult
        With ``statistic`` (t), ``df``, ``pvalue``, ``log_pvalue``, ``estimate`` (the difference of
        the means), ``standard_error``, ``means`` (2,), ``n`` (J_1, J_2), ``n_dropped``,
        ``status``, ``confidence_interval(confidence_level)`` and ``summary()``.

    Warns
    -----
    UndefinedResultWarning
        If both models' scores are constant, and differ.

    See Also
    --------
    folds_unpaired_test : By ranks, or of several models.
    ttest_corrected : Both models on the same splits of one data set.

    Notes
    -----
    With the means x, the variances s^2 and the numbers n of both models' scores (Welch 1947)::

        t = (x_1 - x_2) / sqrt(v_1 + v_2),    v = s^2 / n
        df = (v_1 + v_2)^2 / (v_1^2 / (n_1 - 1) + v_2^2 / (n_2 - 1))

    References
    ----------
    .. [1] B. L. Welch (1947), doi:10.1093/biomet/34.1-2.28.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.ttest_unpaired([.80, .82, .79, .85, .81], [.78, .79, .80, .78])
    >>> round(result.df, 3), round(result.pvalue, 4)
    (5.569, 0.0616)
    """
    margin = check_amount("margin", margin, 0.0)
    check_alternative(alternative, margin)
    check_undefined(on_undefined)
    given = {"scores_1": scores_1, "scores_2": scores_2}
    columns, dropped = as_own_rounds(given, nan_policy=nan_policy)

    sizes = [column.size for column in columns.values()]
    moments = [mean_and_scatter(column, 0.0) for column in columns.values()]
    means, scatters = zip(*moments, strict=True)
    if not all(scatter < math.inf for scatter in scatters):
        refuse_range("`scores_1` and `scores_2`")
    variances = [scatter / (n * (n - 1)) for scatter, n in zip(scatters, sizes, strict=True)]
    estimate, standard_error = means[0] - means[1], math.sqrt(sum(variances))
    unit = math.frexp(max(variances))[1]  # of which df does not depend; squares stay in range
    df = welch_df([math.ldexp(v, -unit) for v in variances], sizes)
    status = variance_status(estimate, standard_error, margin)
    announce(status, on_undefined)
    unvaried = Unvaried(min(sizes), math.inf, "independent scores")

    return TTestUnpairedResult(
        **infer(estimate, standard_error, alternative, margin, df=df, unvaried=unvaried),
        names=names_of(scores_1, scores_2),
        df=df,
        means=np.array(means),
        n=(sizes[0], sizes[1]),
        n_dropped=dropped,
        method="Welch's t-test",
        status=status,
    )
