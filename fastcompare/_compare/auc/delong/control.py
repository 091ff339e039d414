"""DeLong's tests of k models against one of them, the control, on the same cases."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike

from ...._base.forward import forwards
from ...._base.types import Direction, Undefined, Vector
from ...._inference.corrections.adjust import AUTO, DUNNETT, PairClaims, as_control_claims
from ...._inputs.cases import Cases, check_several
from ...._inputs.models import as_model
from ...._inputs.options import check_reference, check_undefined
from ...._inputs.scores import ScoreTable
from ...._results.pairs import Cells, adjusted, announce_pairs, control_cells, pairs_in
from ..product import Moments
from .design import Counting, Sample, as_sample, cure
from .pairwise import DeLongPairwiseResult, delong_pair_fields


@dataclass(frozen=True, eq=False, kw_only=True)
class DeLongControlResult(DeLongPairwiseResult):
    """Result of `delong_control_test`; arrays over the k - 1 pairs of the control and another."""

    control: str
    title: ClassVar[str] = "DeLong's test of models against a control"

    @property
    def cliques(self) -> tuple[tuple[str, ...], ...]:
        """No groups: only pairs with the control are tested."""
        return ()

    def _cells(self) -> Cells:
        return control_cells(len(self.names), self.names.index(self.control))


@forwards(as_sample)
def delong_control_test(
    y_true: ArrayLike,
    scores: ScoreTable,
    control: str | int,
    *,
    reference: str = "auto",
    alternative: Direction = "two-sided",
    correction: str = "auto",
    alpha: float = 0.05,
    on_undefined: Undefined = "warn",
    **counting: Unpack[Counting],
) -> DeLongControlResult:
    """Test which of k models that scored the same cases differ in AUC from one of them.

    Parameters
    ----------
    scores : array-like of shape (n, k), mapping or data frame
        A column of scores for each of at least two models; names reach the result.
    control : str or int
        The name of the model that the others are compared with, or the index of its column. Choose
        it before you see the data.
    alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
        'less' claims for each model that it has a greater AUC than the control, which comes first.
    correction : str, default='auto'
        'dunnett', by the largest of the k - 1 jointly normal differences, which agrees with the
        simultaneous intervals; 'dunnett-stepdown', which never finds fewer models; any method of
        `adjust_pvalues` that is not made for all pairs; or 'none'. 'auto' is 'dunnett-stepdown',
        and 'holm' where a class has fewer than ten cases a model, too few to tell the covariance.
    alpha : float, default=0.05
        The chance of any false difference (by most corrections), for the summary.

    Returns
    -------
    DeLongControlResult
        With ``names`` (k,), ``auc`` (k,), ``covariance`` (k, k), ``control``, ``pairs`` (control,
        other), and of shape (k - 1,) ``estimate`` (the control's AUC less that of the other model),
        ``standard_error``, ``statistic``, ``df`` (infinite for z), ``pvalue``,
        ``adjusted_pvalue``, ``status``; ``correction`` that was used; ``matrix(field)`` (k, k), NaN
        where no control is; methods ``auc_interval(confidence_level)``,
        ``confidence_interval(confidence_level, simultaneous=False)``, ``summary()`` and
        ``to_dict()``.

    Warns
    -----
    UndefinedResultWarning, SmallSampleWarning
        As in `delong_pairwise_test`.

    See Also
    --------
    delong_pairwise_test : All pairs.
    control_test : By average ranks on many data sets.

    Notes
    -----
    With z_j = (AUC_j - AUC_control) / SE_j, as in `delong_test`, and Z jointly normal::

        adjusted p_j = P(max |Z| >= |z_j|)
        corr(Z_i, Z_j) = (v_i + v_j - v_ij) / (2 sqrt(v_i v_j))

    where v_i = SE_i^2, and v_ij is the variance of AUC_i - AUC_j. Step-down takes the maximum over
    models that are not yet rejected.

    k - 1 comparisons leave more power than the k (k - 1) / 2 of all pairs. Their correlations
    follow from DeLong's covariance, and the adjusted p-values from 32,768 fixed draws: near 5 %
    with an error of .01 %, and at least the unadjusted ones however small.

    References
    ----------
    .. [1] C. W. Dunnett (1955), doi:10.1080/01621459.1955.10501294.
    .. [2] C. W. Dunnett, A. C. Tamhane (1991), doi:10.1002/sim.4780100614.
    .. [3] T. Hothorn, F. Bretz, P. Westfall (2008), doi:10.1002/bimj.200810425.
    .. [4] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> result = fc.delong_control_test(data.y_true, data.scores, "random_forest")
    >>> result.pairs[0], result.correction
    (('random_forest', 'logistic_regression'), 'dunnett-stepdown')
    >>> print(result.summary())
    2 of 4 differences in AUC are significant at the 5 % level after step-down Dunnett correction:
    random_forest has a higher AUC than decision_tree by 0.0550 (adjusted p = 9.83e-06);
    random_forest has a higher AUC than naive_bayes by 0.0214 (adjusted p = 0.0051).
    """
    check_undefined(on_undefined)
    claims = as_control_claims(alternative, correction, alpha)
    check_reference(reference)
    cases, sample = as_sample(y_true, scores, reference, **counting)
    check_several(cases)

    result = control_tests(cases, sample, claims, as_model("control", control, cases.names))
    hint = cure(result.df, sample.design.kind)
    announce_pairs(result.pairs, result.status, on_undefined, hint)
    return result


def control_tests(
    cases: Cases, sample: Sample, claims: PairClaims, control: int
) -> DeLongControlResult:
    """Return the result of the tests from the moments of all models."""
    cells = control_cells(len(cases.names), control)
    fields = delong_pair_fields(cases, sample, claims._replace(correction="none"), cells)
    pairs = pairs_in(cases.names, cells)
    raw = DeLongControlResult(**fields, pairs=pairs, control=cases.names[control])
    correction = claims.correction
    if correction == AUTO:  # where simultaneous intervals know the covariance, too
        correction = "dunnett-stepdown" if raw._joint().tells(len(cases.names)) else "holm"
    claims = claims._replace(correction=correction)
    adjusted_pvalue = adjusted_to(raw.pvalue, sample.moments, cells, claims)
    return replace(raw, correction=correction, adjusted_pvalue=adjusted_pvalue)


def adjusted_to(pvalue: Vector, moments: Moments, cells: Cells, claims: PairClaims) -> Vector:
    """Return the adjusted p-values of tests against a control."""
    if claims.correction not in DUNNETT:
        return adjusted(pvalue, claims.correction)
    from ...._inference.dunnett import dunnett_pvalues  # here, since it needs a compiled kernel

    variance = moments.difference_variance
    own, others = variance[cells], variance[np.ix_(cells[1], cells[1])]
    varies = (own > 0.0) & np.isfinite(pvalue)
    found = np.where(np.isnan(pvalue), np.nan, 1.0)  # models that rank alike
    own, others = own[varies], others[np.ix_(varies, varies)]
    # the covariance of A - B and A - C is half of Var(A - B) + Var(A - C) - Var(B - C)
    correlation = (own[:, None] + own - others) / (2.0 * np.sqrt(np.outer(own, own)))
    step_down, alternative = DUNNETT[claims.correction], claims.alternative
    found[varies] = dunnett_pvalues(pvalue[varies], correlation, alternative, step_down=step_down)
    return found
