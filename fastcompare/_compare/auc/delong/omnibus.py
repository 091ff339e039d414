"""One test for k models: that all AUCs are equal, or that contrasts of them vanish."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...._base.documented import documented
from ...._base.types import Matrix, NanPolicy, Undefined, Vector
from ...._inference.clusters import FEWEST_DF, NORMAL_DF, cluster_status
from ...._inference.pvalues import CERTAIN, UNDEFINED, PValue, chi2_pvalue, f_pvalue
from ...._inference.quadratic import as_f, quadratic_form
from ...._inference.status import announce, difference_status, sample_status
from ...._inputs.cases import as_cases, check_several
from ...._inputs.contrasts import as_contrast
from ...._inputs.options import check_choice, check_undefined, count_jobs
from ...._inputs.scores import ScoreTable
from ...._results.omnibus import Degrees, OmnibusResult
from ..components import Components, as_components
from ..product import class_scale, model_wins, parts_of
from .clustered import Clustered, as_clustered
from .clustered_contrasts import clustered_contrasts

ROUNDING = 1e-14  # of the components: a few units in the last place
REFERENCES = ("f", "chi2")
CASES_PER_CONTRAST = 20  # chi-squared: 3 models with 10 of 100 cases positive reject 9 % for 5 %
FEW_FOR_F = 3  # cases of a class; with 4 of 44 cases it rejects 4 %
CURE = ": leave `reference` out"


@dataclass(frozen=True, eq=False, kw_only=True)
class DeLongOmnibusResult(OmnibusResult):
    """Result of `delong_omnibus_test`; there is no single estimate, hence no interval."""

    auc: Vector
    names: tuple[str, ...]
    contrast: Matrix
    n_positive: int
    n_negative: int
    title: ClassVar[str] = "DeLong's test that AUCs of the same cases are equal"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        if math.isnan(self.pvalue):
            return f"Whether the AUCs of {len(self.names)} models are equal cannot be told."
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
    reference: str = "f",
    groups: ArrayLike | None = None,
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
    reference : {'f', 'chi2'}, default='f'
        What the statistic is compared with. 'f' takes into account that the covariance is an
        estimate: for 3 to 20 models and 4 to 200 cases of the rarer class it rejects at most 6 %
        of true null hypotheses at a level of 5 %. 'chi2' is as published, and rejects up to 64 %.
    groups : array-like of shape (n,), optional
        The cluster that a case belongs to, as in `delong_test`: the patient of a lesion, say. Then
        the covariance is CR2 with Satterthwaite's degrees of freedom.
    method, n_jobs, pos_label, nan_policy, on_undefined
        As in `delong_covariance`.

    Returns
    -------
    DeLongOmnibusResult
        With ``statistic`` (F, or chi-squared), ``df`` (the rank q of the contrasts' covariance; for
        F the pair of it and of the degrees of freedom of the covariance), ``pvalue``,
        ``log_pvalue``, ``auc`` (k,), ``names``, ``contrast``, ``status``.

    Warns
    -----
    UndefinedResultWarning
        If a class is missing or has one case, there are as many contrasts as cases of a class, or
        the contrasts differ in a direction without variance: the p-value is NaN then.
    SmallSampleWarning
        'small_sample', with ``reference="chi2"`` if a class has fewer than 20 cases a contrast: the
        test rejects too often; else of 2 cases. 'few_clusters', if clusters carry fewer than 4
        degrees of freedom, in a class or beyond the contrasts, or 25 with ``reference="chi2"``.

    Notes
    -----
    With t the AUCs, S DeLong's covariance of them and L t the differences from the first model::

        chi^2 = (L t)' (L S L')^-1 (L t)    with rank(L S L') degrees of freedom

    F is the published statistic times (v - q + 1) / (q v), with q and v - q + 1 degrees of freedom,
    where v is Krishnamoorthy and Yu's for two covariances that are not equal, those of positives
    and negatives. For two models it is the square of t in `delong_test` with ``reference="t"``.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595, Eq. 5.
    .. [2] K. Krishnamoorthy, J. Yu (2004), doi:10.1016/j.spl.2003.10.012.
    .. [3] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> result = fc.delong_omnibus_test(data.y_true, data.scores)
    >>> result.df[0]
    4
    """
    check_undefined(on_undefined)
    check_choice("reference", reference, REFERENCES)
    jobs = count_jobs(n_jobs)
    cases = as_cases(y_true, pos_label, nan_policy, groups, table=scores)
    check_several(cases)
    rows = as_contrast(contrast, len(cases.names))

    components = as_components(cases, method, jobs)
    clustered = as_clustered(cases.labels, cases.groups) if cases.groups is not None else None
    statistic, df, p, status = tested(components, rows, reference, clustered)
    announce(status, on_undefined, CURE if (status, reference) == ("small_sample", "chi2") else "")

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


class Spread(NamedTuple):
    """The published statistic t' S^-1 t, its rank, the degrees of freedom of S, the status word."""

    statistic: float
    rank: int
    df: float
    status: str


class Tested(NamedTuple):
    """The statistic, its degrees of freedom, its p-value and the status word."""

    statistic: float
    df: Degrees
    p: PValue
    status: str


def tested(
    components: Components, rows: Matrix, reference: str, clustered: Clustered | None
) -> Tested:
    """Return the test of the contrasts; a p-value of 1 for models that do not differ at all."""
    m, n = components.m, components.n
    found = Spread(np.nan, len(rows), np.nan, sample_status(m, n))
    if clustered is not None and found.status != "one_class" and math.isnan(clustered.df):
        found = found._replace(status="too_few_clusters")
    if found.status not in ("one_class", "too_few", "too_few_clusters"):
        found = spread_of(components, rows, clustered)
    statistic, q, df, status = found
    degrees: Degrees = q
    if reference == "f":
        statistic, degrees = as_f(statistic, q, df)
    if status in ("identical", "perfect_separation"):
        return Tested(statistic, degrees, CERTAIN, status)
    if np.isnan(statistic):
        return Tested(statistic, degrees, UNDEFINED, status)
    if clustered is not None and reference == "f" and df - q + 1.0 <= 0.0:
        return Tested(np.nan, degrees, UNDEFINED, "too_many_models")
    p = f_pvalue(statistic, *degrees) if isinstance(degrees, tuple) else chi2_pvalue(statistic, q)
    few = FEW_FOR_F if reference == "f" else CASES_PER_CONTRAST * q
    if clustered is not None:
        freedom = min(clustered.df, df - q + 1.0 if reference == "f" else df)
        fewest = FEWEST_DF if reference == "f" else NORMAL_DF
        return Tested(statistic, degrees, p, cluster_status(freedom, fewest=fewest))
    return Tested(statistic, degrees, p, sample_status(m, n, few))


def auc_of(components: Components, model: int) -> float:
    """Return one model's AUC, NaN if a class is missing."""
    pairs = 2 * components.m * components.n
    return model_wins(components, model) / pairs if pairs else np.nan


def contrast_moments(components: Components, rows: Matrix) -> tuple[Vector, NDArray[np.float64]]:
    """Return the contrasts of the AUCs (r,) and the shares of negatives and positives (2, r, r).

    The shares add to the covariance of the contrasts.

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
    shares = np.zeros((2, len(rows), len(rows)))
    for part in parts:
        combined = rows @ components.placed[:, part] - centre[labels[part]].T
        combined *= scale[labels[part]]
        for label, share in enumerate(shares):
            own = combined[:, labels[part] == label]
            share += own @ own.T
    return total / (2.0 * m * n), shares


def rounding_noise(components: Components, rows: Matrix) -> Matrix:
    """Return for each contrast (r,) what its standard error may be from rounding alone.

    Fractional coefficients of equal placements need not cancel to the last bit.
    """
    squares = np.zeros(components.k)
    for part in parts_of(components):
        squares += (components.placed[:, part].astype(np.float64) ** 2).sum(axis=1)
    scale = max(class_scale(components.m, components.n), class_scale(components.n, components.m))
    return ROUNDING * scale * (abs(rows) @ np.sqrt(squares))


def spread_of(components: Components, rows: Matrix, clustered: Clustered | None = None) -> Spread:
    """Return the statistic t' S^-1 t with what its distribution takes, and the status."""
    rows = rows / abs(rows).max(axis=1, keepdims=True)
    difference, shares = moments = contrast_moments(components, rows)
    noise, df = rounding_noise(components, rows), np.nan
    fewest = min(components.m, components.n)
    if clustered is not None:
        form, df = clustered_contrasts(components, clustered, rows, moments)
        fewest = min(clustered.holding)
    else:
        form = quadratic_form(difference, shares[0] + shares[1], noise, ROUNDING * components.k)
    if form.status == "identical":
        aucs = [auc_of(components, model) for model in range(components.k)]
        word = difference_status(components.m, components.n, 0.0, 0.0, aucs)
        return Spread(0.0, 0, np.nan, word)
    if form.status != "zero_variance" and form.rank >= fewest:
        return Spread(np.nan, form.rank, np.nan, "too_many_models")
    if form.status != "ok":
        return Spread(np.nan, form.rank, np.nan, "singular")
    if clustered is None:
        df = behrens_fisher_df(form.whitened(shares), (components.n, components.m))
    return Spread(form.statistic, form.rank, df, "ok")


def behrens_fisher_df(shares: list[Matrix], sizes: tuple[int, int]) -> float:
    """Return the degrees of freedom of a sum of two covariances of means (Krishnamoorthy, Yu 2004).

    The shares are those of a sum that is the identity.
    """
    q = len(shares[0])
    parts = zip(shares, sizes, strict=True)
    noise = sum((np.square(a).sum() + np.trace(a) ** 2) / (size - 1) for a, size in parts)
    return float((q + q * q) / noise)
