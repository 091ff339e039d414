"""One test for k models: that all AUCs are equal, or that contrasts of them vanish."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...._base.documented import documented
from ...._base.exceptions import SmallSampleWarning, warn
from ...._base.types import Matrix, NanPolicy, Undefined, Vector
from ...._inference.pvalues import CERTAIN, UNDEFINED, PValue, chi2_pvalue
from ...._inference.status import announce, difference_status, sample_status
from ...._inputs.cases import as_cases, check_several
from ...._inputs.contrasts import as_contrast
from ...._inputs.options import check_undefined, count_jobs
from ...._inputs.scores import ScoreTable
from ...._results.omnibus import OmnibusResult
from ..components import Components, as_components
from ..product import class_scale, model_wins, parts_of

ROUNDING = 1e-14  # of the components: a few units in the last place
RANK_TOLERANCE = 1e-10  # of correlations: far above rounding, far below any that carries data
CASES_PER_CONTRAST = 5  # k = 20 with 25 cases a class rejects 23 % under the null hypothesis


@dataclass(frozen=True, eq=False, kw_only=True)
class DeLongOmnibusResult(OmnibusResult):
    """Result of `delong_omnibus_test`; there is no single estimate, hence no interval."""

    auc: Vector
    names: tuple[str, ...]
    contrast: Matrix
    n_positive: int
    n_negative: int
    title: ClassVar[str] = "DeLong's test that AUCs of the same cases are equal"

    def summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        return (
            f"Over {len(self.names)} models the AUCs range from {self.auc.min():.4f} to "
            f"{self.auc.max():.4f} ({self.method}, {self._evidence()})."
        )


@documented
def delong_omnibus_test(
    y_true: ArrayLike,
    scores: ScoreTable,
    *,
    contrast: ArrayLike | None = None,
    method: str = "auto",
    n_jobs: int = 1,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> DeLongOmnibusResult:
    """Test whether k models that scored the same cases have equal AUCs.

    Parameters
    ----------
    scores : array-like of shape (n, k), mapping or data frame
        A column of scores for each of at least two models.
    contrast : array-like of shape (r, k) or (k,), optional
        Rows of coefficients that sum to 0; the null hypothesis is that every row's combination of
        AUCs is 0. By default all AUCs are equal.
    method, n_jobs, pos_label, nan_policy, on_undefined
        As in `delong_covariance`.

    Returns
    -------
    DeLongOmnibusResult
        With ``statistic`` (chi-squared), ``df`` (the rank of the contrasts' covariance),
        ``pvalue``, ``log_pvalue``, ``auc`` (k,), ``names``, ``contrast``, ``status``.

    Warns
    -----
    UndefinedResultWarning
        If a class is missing or has one case, there are as many contrasts as cases of a class, or
        the contrasts differ in a direction without variance: the p-value is NaN then.
    SmallSampleWarning
        If a class has fewer than five cases a contrast: the test rejects too often.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595, Eq. 5.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> result = fc.delong_omnibus_test(data.y_true, data.scores)
    >>> result.df
    4
    """
    check_undefined(on_undefined)
    jobs = count_jobs(n_jobs)
    cases = as_cases(y_true, pos_label, nan_policy, table=scores)
    check_several(cases)
    rows = as_contrast(contrast, len(cases.names))

    components = as_components(cases, method, jobs)
    statistic, df, p, status = omnibus_chi2(components, rows)
    announce(status, on_undefined)
    fewest = min(components.m, components.n)
    if CASES_PER_CONTRAST * df > fewest and not np.isnan(p.pvalue):
        warn(
            f"{fewest} cases in the smaller class are few for {df} contrasts: the chi-squared "
            "approximation rejects too often. delong_pairwise_test does not suffer from this.",
            SmallSampleWarning,
        )

    return DeLongOmnibusResult(
        statistic=statistic,
        df=df,
        pvalue=p.pvalue,
        log_pvalue=p.log_pvalue,
        auc=np.array([auc_of(components, i) for i in range(components.k)]),
        names=cases.names,
        contrast=rows,
        n_positive=components.m,
        n_negative=components.n,
        n_dropped=cases.n_dropped,
        method="DeLong's omnibus test",
        status=status,
    )


class OmnibusChi2(NamedTuple):
    """The statistic, its degrees of freedom, its p-value and the status word."""

    statistic: float
    df: int
    p: PValue
    status: str


def omnibus_chi2(components: Components, rows: Matrix) -> OmnibusChi2:
    """Return the test of the contrasts; a p-value of 1 for models that do not differ at all."""
    status = sample_status(components.m, components.n)
    if status in ("one_class", "too_few"):
        return OmnibusChi2(np.nan, len(rows), UNDEFINED, status)
    statistic, df, status = chi2_of(components, rows, status)
    if status in ("identical", "perfect_separation"):
        return OmnibusChi2(statistic, df, CERTAIN, status)
    p = UNDEFINED if np.isnan(statistic) else chi2_pvalue(statistic, df)
    return OmnibusChi2(statistic, df, p, status)


def auc_of(components: Components, model: int) -> float:
    """Return one model's AUC, NaN if a class is missing."""
    pairs = 2 * components.m * components.n
    return model_wins(components, model) / pairs if pairs else np.nan


def contrast_moments(components: Components, rows: Matrix) -> tuple[Matrix, Matrix]:
    """Return the contrasts of the AUCs (r,) and their covariance (r, r).

    The contrasts apply to the components, case by case: placements are integers, so whole
    coefficients lose nothing, however alike the models are.
    """
    m, n, labels = components.m, components.n, components.labels
    parts = parts_of(components)
    total = sum(
        (rows @ components.placed[:, part] @ labels[part] for part in parts), np.zeros(len(rows))
    )
    centre = np.array((total / n, total / m))
    scale = np.array((class_scale(n, m), class_scale(m, n)))
    covariance = np.zeros((len(rows), len(rows)))
    for part in parts:
        combined = rows @ components.placed[:, part] - centre[labels[part]].T
        combined *= scale[labels[part]]
        covariance += combined @ combined.T
    return total / (2.0 * m * n), covariance


def rounding_noise(components: Components, rows: Matrix) -> Matrix:
    """Return for each contrast (r,) what its standard error may be from rounding alone.

    Fractional coefficients of equal placements need not cancel to the last bit.
    """
    squares = np.zeros(components.k)
    for part in parts_of(components):
        squares += (components.placed[:, part].astype(np.float64) ** 2).sum(axis=1)
    scale = max(class_scale(components.m, components.n), class_scale(components.n, components.m))
    return ROUNDING * scale * (abs(rows) @ np.sqrt(squares))


def chi2_of(components: Components, rows: Matrix, status: str) -> tuple[float, int, str]:
    """Return the statistic t' S^-1 t, its degrees of freedom and the status."""
    rows = rows / abs(rows).max(axis=1, keepdims=True)
    difference, covariance = contrast_moments(components, rows)
    spread = np.sqrt(np.diag(covariance))
    varies = spread > rounding_noise(components, rows)
    if (abs(difference[~varies]) > ROUNDING * components.k).any():
        return np.nan, int(varies.sum()), "singular"
    if not varies.any():
        aucs = [auc_of(components, model) for model in range(components.k)]
        return 0.0, 0, difference_status(components.m, components.n, 0.0, 0.0, aucs)
    t = difference[varies] / spread[varies]
    correlation = covariance[np.ix_(varies, varies)] / np.outer(spread[varies], spread[varies])
    values, vectors = np.linalg.eigh(correlation)
    kept = values > RANK_TOLERANCE * values[-1]
    along = vectors.T @ t
    df = int(kept.sum())
    if df >= min(components.m, components.n):
        return np.nan, df, "too_many_models"
    if (abs(along[~kept]) > RANK_TOLERANCE**0.5 * np.linalg.norm(t)).any():
        return np.nan, df, "singular"
    return float((along[kept] ** 2 / values[kept]).sum()), df, status
