"""What t-tests and ANOVA assume of differences by round: sphericity and normality.

J rounds, k models, p = k - 1 orthogonal contrasts with covariance S: W = det S / (tr S / p)^p. By
the singular values of the contrasts, whose squares are never formed with a loss.

It reports and decides nothing: a test that a preliminary test chooses does not hold its level.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.documented import documented
from .._base.memory import row_products
from .._base.parallel import interruptible
from .._base.text import equation, show_number, show_pvalue
from .._base.types import Matrix, NanPolicy, Undefined, Vector
from .._inference.corrections.adjust import CORRECTIONS, as_correction
from .._inference.infer import LARGE, OmnibusOutcome
from .._inference.pvalues import UNDEFINED, PValue, chi2_pvalue
from .._inference.status import warn_status
from .._inputs.arrays import as_float_array, read_once
from .._inputs.models import as_model_table
from .._inputs.options import check_undefined
from .._inputs.scores import ScoreTable, named_columns
from .._results.pairs import Pairs, adjust_pair_pvalues, all_pairs, pair_note
from .._results.records import OmnibusResult, Record
from ..kernels.signed_ranks import ROUNDING
from ..paired._columns import SizedDifferences, are_constant, sized_differences
from ._shapiro_wilk import shapiro_wilk
from ._student import rescale

PRODUCTS_FROM = 1 << 14  # scores from which products of contrasts are faster
# smallest over largest eigenvalue of products: from here on it has a relative error of 2^-40
LEAST_EIGENVALUE = 2.0**-8


@dataclass(frozen=True, eq=False, kw_only=True)
class MauchlyResult(OmnibusResult):
    """Result of `mauchly_test`; there is no single estimate, hence no interval."""

    names: tuple[str, ...]
    n: int
    title: ClassVar[str] = "Mauchly's test of sphericity"
    _row: ClassVar[str] = "round"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        p = equation("p", show_pvalue(self.pvalue))
        verb = "differ" if self.pvalue <= 0.05 else "do not differ"
        variances = f"variances of the differences of all pairs of {len(self.names)} models"
        answer = f"The {variances} over {self.n} rounds {verb} significantly at the 5% level"
        if math.isnan(self.pvalue):
            answer = f"Whether the {variances} over {self.n} rounds differ is undefined"
        return (
            f"{answer} ({self.method}, {equation('W', show_number(self.statistic, '.4g'))}, {p})."
        )


@documented
def mauchly_test(
    scores: ScoreTable, *, nan_policy: NanPolicy = "raise", on_undefined: Undefined = "warn"
) -> MauchlyResult:
    """Mauchly's test of sphericity, an assumption of repeated-measures ANOVA without correction.

    It has little power with few rounds, detects irrelevant departures with many, and assumes normal
    scores. `rm_anova_test` uses an estimate of epsilon instead and does not depend on it.

    Parameters
    ----------
    scores : array-like of shape (J, k), mapping or data frame
        Scores by any metric, one row per round and one column per model, at least three; column
        names become model names.

    Returns
    -------
    MauchlyResult
        With ``statistic`` (W, 1 under sphericity), ``df`` (of chi-squared), ``pvalue``,
        ``log_pvalue``, ``names``, ``n`` (J, complete rounds), ``n_dropped``, ``method``,
        ``status``, ``summary()`` and ``to_dict()``.

    Warns
    -----
    UndefinedResultWarning
        If the number of rounds does not exceed that of contrasts, or a contrast does not vary: W is
        0, or NaN if nothing varies.

    See Also
    --------
    rm_anova_test : The test that assumes sphericity or corrects for its absence.

    Notes
    -----
    The p-value is that of R's ``mauchly.test``: chi-squared with Box's second-order term, in which
    R has 3 k and Anderson (2003, section 10.7) 3 (k - 1). For nine rounds and four models the two
    differ in the fourth digit.

    References
    ----------
    .. [1] J. W. Mauchly (1940), doi:10.1214/aoms/1177731915.
    .. [2] T. W. Anderson (2003), An Introduction to Multivariate Statistical Analysis, 3rd ed.

    Examples
    --------
    >>> import fastcompare as fc
    >>> scores = [[4.3, 5.3, 4.8, 6.3], [3.9, 2.3, 5.6, 4.3], [5.1, 4.2, 6.0, 6.3],
    ...           [3.8, 3.6, 4.8, 6.8], [3.8, 5.4, 5.1, 6.3], [4.5, 3.0, 7.7, 5.8],
    ...           [3.7, 7.1, 5.5, 4.8], [4.4, 4.7, 4.2, 5.5], [3.7, 3.0, 4.0, 7.1]]
    >>> result = fc.mauchly_test(scores)
    >>> round(result.statistic, 6), round(result.pvalue, 7)
    (0.306784, 0.1633649)
    """
    check_undefined(on_undefined)
    table = as_model_table(scores, rows="rounds", nan_policy=nan_policy, least_models=3)
    n, k = table.values.shape
    log_w = log_mauchly(rescale(table.relative))

    p = UNDEFINED
    status = "no_sphericity"
    if log_w > -math.inf:
        p = mauchly_pvalue(log_w, n, k)
        status = "ok"
    warn_status(status, on_undefined)

    return MauchlyResult(
        **OmnibusOutcome(math.exp(log_w), k * (k - 1) // 2 - 1, p, status).fields(),
        names=table.names,
        n=n,
        n_dropped=table.n_dropped,
        method="Mauchly's test as in R",
    )


def log_mauchly(values: Matrix) -> float:
    """Return log W; -inf if a contrast varies by no more than rounding errors, NaN if all do so."""
    n, k = values.shape
    residuals = values.T - values[:, 0]  # first, so that what a round adds to all models cancels
    residuals -= residuals.sum(axis=1, keepdims=True) / n
    sizes = contrast_sizes(residuals)
    # errors of the scores move a singular value by at most their norm, those of the SVD by less
    rounding_error = ROUNDING * (float(np.linalg.norm(values)) + n * float(sizes[0]))
    if not float(sizes[0]) > rounding_error:
        return math.nan
    if n < k or sizes[-1] <= rounding_error:
        return -math.inf
    logs = 2.0 * np.log(sizes / sizes[0])
    spherical = (k - 1) * math.log(float(np.exp(logs).mean()))
    return min(float(logs.sum() - spherical), 0.0)


def contrast_sizes(residuals: Matrix) -> Vector:
    """Return the k - 1 singular values of orthogonal contrasts of the models, largest first.

    For many rounds as roots of eigenvalues of the contrasts' products, in a twentieth of the time
    of a decomposition, unless the smallest would lose precision. Overwrites `residuals` (k, J).
    """
    k = len(residuals)
    if residuals.size >= PRODUCTS_FROM:
        products = row_products(residuals)
        products -= products.sum(axis=1, keepdims=True) / k
        products -= products.sum(axis=0) / k
        ascending = interruptible(k > LARGE, np.linalg.eigvalsh, products)
        values = ascending[
            :0:-1
        ]  # descending, without the smallest: the models' mean does not vary
        if values[-1] > LEAST_EIGENVALUE * values[0] > 0.0:
            return np.asarray(np.sqrt(values))
    residuals -= residuals.sum(axis=0) / k  # k - 1 orthogonal contrasts, rotated
    singular_values = partial(np.linalg.svd, compute_uv=False)
    return np.asarray(interruptible(k > LARGE, singular_values, residuals)[: k - 1])


def mauchly_pvalue(log_w: float, n: int, k: int) -> PValue:
    """Return the p-value of Box's expansion, as R's mauchly.test takes it."""
    p, error = k - 1, n - 1
    rho = 1.0 - (2 * p * p + p + 2) / (6.0 * p * error)
    weight = (p + 2.0) * (p - 1) * (p - 2) * (2 * p**3 + 6 * p**2 + 3 * k + 2)
    weight /= 288.0 * (error * p * rho) ** 2
    z = -error * rho * log_w
    df = p * (p + 1) // 2 - 1
    near = chi2_pvalue(z, df)
    far = chi2_pvalue(z, df + 4)
    log_p = near.log_pvalue + math.log1p(weight * math.expm1(far.log_pvalue - near.log_pvalue))
    return PValue(min(near.pvalue + weight * (far.pvalue - near.pvalue), 1.0), min(log_p, 0.0))


@dataclass(frozen=True, eq=False, kw_only=True)
class NormalityResult(Record):
    """Result of `normality_report`: arrays with one entry per pair of models."""

    pairs: Pairs
    statistic: Vector
    pvalue: Vector
    adjusted_pvalue: Vector
    mean: Vector
    standard_deviation: Vector
    skewness: Vector
    excess_kurtosis: Vector
    correction: str
    n: int
    n_dropped: int
    method: str
    status: NDArray[np.str_]
    title: ClassVar[str] = "Normality of the differences of models"
    _row: ClassVar[str] = "round"

    def _summary(self) -> str:
        """Return the result in a sentence of plain words, at the 5% level."""
        if np.isnan(self.pvalue).all():
            return "No differences vary."
        least = int(np.nanargmin(self.pvalue))
        kind = "p" if self.correction == "none" else "adjusted p"
        adjusted = float(self.adjusted_pvalue[least])
        p = f"{kind} = 0" if self.n == 3 and not adjusted else equation(kind, show_pvalue(adjusted))
        difference = " minus ".join(self.pairs[least])
        n_pairs = len(self.pairs)
        n_rejected = int(np.count_nonzero(self.adjusted_pvalue <= 0.05))
        subject, smallest = f"The differences of {difference}", ""
        if n_pairs > 1:
            subject = f"The differences of {n_rejected or 'none'} of {n_pairs} pairs of models"
            smallest = f"; the smallest p-value is that of {difference}"
        verb = "do not depart" if n_pairs == 1 and n_rejected == 0 else "depart"
        return (
            f"{subject} over {self.n} rounds {verb} significantly from a normal distribution at "
            f"the 5% level{smallest} ({self.method}, "
            f"W = {self.statistic[least]:.4f}, {p}, skewness {self.skewness[least]:.2f}, "
            f"excess kurtosis {self.excess_kurtosis[least]:.2f})."
        )


@documented
def normality_report(
    scores: ScoreTable | ArrayLike,
    *,
    correction: str = "holm",
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> NormalityResult:
    """Check the normality of the differences between all pairs of models.

    Do not choose a test by its result: that would change the level of the chosen test, and no
    function of this package does. If differences are expected to be far from normal, plan
    `wilcoxon_test` or `sign_test` from the start.

    Parameters
    ----------
    scores : array-like of shape (J, k) or (J,), mapping or data frame
        Scores by any metric, one row per round, at least three, and one column per model; or the
        differences between two models.
    on_undefined : {'warn', 'raise', 'ignore'}, default='warn'
        What to do if differences do not vary.

    Returns
    -------
    NormalityResult
        With ``pairs`` (P names) and of shape (P,) ``statistic`` (W of Shapiro and Wilk),
        ``pvalue``, ``adjusted_pvalue``, ``mean``, ``standard_deviation``, ``skewness``,
        ``excess_kurtosis`` (both 0 for a normal distribution) and ``status``; ``correction``,
        ``n`` (J, complete rounds), ``n_dropped``, ``method``, ``summary()`` and ``to_dict()``.

    Warns
    -----
    UndefinedResultWarning
        Once, if differences do not vary; their entries are NaN.

    See Also
    --------
    wilcoxon_test : Needs symmetric differences only.
    mauchly_test : The other assumption of an ANOVA.

    Notes
    -----
    W and its p-value are Royston's approximations ([2]_), as in R and SciPy; beyond 5,000 rounds he
    did not verify them. The p-value assumes independent rounds; for rounds that share cases use the
    statistics only descriptively.

    References
    ----------
    .. [1] S. S. Shapiro, M. B. Wilk (1965), doi:10.1093/biomet/52.3-4.591.
    .. [2] P. Royston (1995), doi:10.2307/2986146.

    Examples
    --------
    >>> import numpy as np
    >>> import fastcompare as fc
    >>> scores = np.random.default_rng(0).normal(size=(30, 3))
    >>> result = fc.normality_report(scores)
    >>> len(result.pairs), bool((result.adjusted_pvalue > 0.05).all())
    (3, True)
    """
    correction = as_correction("correction", correction, ("none", *CORRECTIONS))
    check_undefined(on_undefined)
    table = as_model_table(
        differences_table(scores), rows="rounds", nan_policy=nan_policy, least_rows=3
    )

    scale = float(np.abs(table.relative).max())
    exponent = math.frexp(scale)[1] + 1  # so that differences are at most 1
    models = np.ldexp(table.relative.T, -exponent)
    pairs = all_pairs(table.names)
    differences = (sized_differences(a - b, [a, b]) for a, b in combinations(models, 2))
    shapes = [distribution_shape(d, exponent) for d in differences]
    w, p, mean, deviation, skewness, kurtosis = np.array(shapes).T
    constant = np.isnan(w)
    status = np.where(constant, "constant_differences", "ok")
    # argmax is the first constant pair, or 0 if there is none
    warn_status(status[constant.argmax()], on_undefined, pair_note(pairs, constant))

    return NormalityResult(
        pairs=pairs,
        statistic=w,
        pvalue=p,
        adjusted_pvalue=adjust_pair_pvalues(p, correction),
        mean=mean,
        standard_deviation=deviation,
        skewness=skewness,
        excess_kurtosis=kurtosis,
        status=status,
        correction=correction,
        n=len(table.values),
        n_dropped=table.n_dropped,
        method="Shapiro-Wilk test",
    )


def differences_table(scores: object) -> Any:
    """Return a table: a column of differences next to zeros; tables are returned as they are."""
    if named_columns("scores", scores) is not None:
        return scores
    scores = read_once(scores)
    values = as_float_array("scores", scores)
    return np.stack([values, np.zeros_like(values)], axis=1) if values.ndim == 1 else scores


def distribution_shape(differences: SizedDifferences, exponent: int) -> tuple[float, ...]:
    """Return W of Shapiro and Wilk, its p-value, mean, deviation, skewness, excess kurtosis.

    Given in units of 2^exponent, mean and deviation are returned in units of the scores. If all
    differences are equal the deviation is 0, and all but the mean are NaN.
    """
    d = differences.d
    centre = float(d.mean())
    mean = float(np.ldexp(centre, exponent))
    if are_constant(differences):
        return math.nan, math.nan, mean, 0.0, math.nan, math.nan
    w, p = shapiro_wilk(d)
    deviations = d - centre
    total = float((deviations * deviations).sum())
    unit = deviations / math.sqrt(total / d.size)
    square = unit * unit  # products, since pow() takes ten times as long
    return (
        w,
        p,
        mean,
        float(np.ldexp(math.sqrt(total / (d.size - 1)), exponent)),
        float((square * unit).mean()),
        float((square * square).mean()) - 3.0,
    )
