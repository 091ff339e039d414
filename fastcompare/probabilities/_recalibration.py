"""Logistic recalibration: slope and intercept, and the test that nothing needs recalibration.

logit P(y = 1) = intercept + slope logit(p), fitted by maximum likelihood (Cox 1958). A slope below
1 means overconfidence; a negative intercept (at slope 1) means probabilities that are too high. Of
clusters, with sums s_g of the scores (y - p) (1, x) at intercept 0 and slope 1, x = logit(p), and
their total U, the test is the generalised score test with 2 degrees of freedom (Boos 1992,
doi:10.1080/00031305.1992.10475921), and the covariance of the fit a sandwich (Liang and Zeger 1986)
with CR2's factors c_g::

    U' (sum s_g s_g')^-1 U,    H^-1 (sum c_g s_g s_g') H^-1,    c_g = 1 / (1 - n_g / n)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike

from .._base.documented import documented, with_engine_options
from .._base.text import equation, show_number, show_pvalue
from .._base.types import Integers, Matrix, Undefined, Vector
from .._inference.clusters import cluster_df, cluster_sizes, cluster_status
from .._inference.infer import quadratic_form
from .._inference.pvalues import UNDEFINED, PValue, chi2_pvalue, ratio, reference_quantile
from .._inference.status import warn_status
from .._inputs.options import check_level, check_undefined
from .._inputs.probabilities import Binary, Labels, as_binary_probabilities, check_rule
from .._results.records import ConfidenceInterval, Record
from ..kernels.probabilities import FACTORS, class_ranges, likelihood_gains, newton_sums
from ..kernels.signed_ranks import ROUNDING

FEWEST_DF = 6.0  # chi-squared is at most the number of clusters, and that of 6 has p = .0498


class ClusteredLabels(NamedTuple):
    """Labels with the finite log odds of their probabilities, in clusters of these sizes."""

    y: Labels
    x: Vector
    groups: Integers
    sizes: Integers

    @classmethod
    def of(cls, y: Labels, x: Vector, groups: Integers) -> ClusteredLabels:
        """Return cases with the sizes of their clusters."""
        return cls(y, x, groups, cluster_sizes(groups))

    @property
    def df(self) -> float:
        """Satterthwaite's degrees of freedom."""
        return cluster_df(self.sizes)

    @np.errstate(over="ignore", under="ignore")
    def scores(self, intercept: float, slope: float) -> Matrix:
        """Return the sums (2, G) over clusters of the scores (y - p) (1, x) at these parameters."""
        residual = self.y - 1.0 / (1.0 + np.exp(-(intercept + slope * self.x)))
        terms = (residual, residual * self.x)
        return np.stack([np.bincount(self.groups, term, self.sizes.size) for term in terms])

    def score_covariance(self, intercept: float, slope: float) -> Matrix:
        """Return sum c_g s_g s_g' (2, 2) at these parameters, the middle of the sandwich."""
        sums = self.scores(intercept, slope)
        n = self.y.size
        return np.asarray(sums * (n / (n - self.sizes)) @ sums.T)

    def error_in_the_large(self, intercept: float, error: float) -> float:
        """Return the cluster-robust standard error of an intercept with the slope fixed at 1.

        `error` is that of independent cases, so its square is H^-1 of the sandwich.
        """
        return error * error * math.sqrt(self.score_covariance(intercept, 1.0)[0, 0])

    def score_test(self) -> tuple[str, float, PValue]:
        """Return the status word, statistic and p-value of the test of intercept 0 and slope 1.

        It needs no fit. As the null hypothesis centres the variance, it stays below its level: 2 to
        6% of calibrated models are rejected at 5% from 10 clusters on, equal or not (0.4 of the
        variance of latent answers shared; 3,000 trials a cell), none of 6 or less. Hotelling's F by
        CR2 rejects up to 10%.
        """
        sums = self.scores(0.0, 1.0)
        rounding = ROUNDING * np.abs(sums).sum(axis=1)
        form = quadratic_form(sums.sum(axis=1), sums @ sums.T, rounding, float(rounding.max()))
        if form.rank < 2 or form.status != "ok":
            return "too_few_clusters", math.nan, UNDEFINED
        status = cluster_status(self.df, fewest=FEWEST_DF)
        return status, form.statistic, chi2_pvalue(form.statistic, 2.0)


TEST_TITLES = {"independent": "likelihood ratio test", "clusters": "score test for clusters"}
MOST_STEPS = 100  # of Newton's method, which takes some 6, near separation more
STEP_TOLERANCE = 1e-12
SHORT_STEP = 0.5  # from intercept 0, slope 1: then 6 to 8 passes in all, in place of 9 to 11


class Fit(NamedTuple):
    """Intercept and slope with their covariance, and the test that they are 0 and 1."""

    intercept: float
    slope: float
    covariance: Matrix
    statistic: float
    tail: PValue


NO_FIT = Fit(math.nan, math.nan, np.full((2, 2), math.nan), math.nan, UNDEFINED)


@dataclass(frozen=True, eq=False, kw_only=True)
class CalibrationResult(Record):
    """Result of `calibration_test`."""

    statistic: float
    df: int
    pvalue: float
    log_pvalue: float
    intercept: float
    slope: float
    standard_error: Vector
    covariance: Matrix
    intercept_in_the_large: float
    standard_error_in_the_large: float
    n: int
    n_dropped: int
    method: str
    status: str
    design: str = "independent"
    df_clusters: float = math.inf
    title: ClassVar[str] = "Calibration: logistic recalibration"
    _follows_sample: ClassVar[bool] = True
    _sheets: ClassVar[str] = "calibration"
    _picture: ClassVar[str] = "forest"

    @documented
    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return Wald intervals for the intercept and the slope.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, each an array of two: intercept and slope.
        """
        level = check_level(confidence_level)
        centre = np.array([self.intercept, self.slope])
        quantile = reference_quantile(0.5 * (1.0 - level), self.df_clusters)
        half_width = quantile * self.standard_error
        low, high = centre - half_width, centre + half_width
        return ConfidenceInterval.within(low, high, (-math.inf, math.inf))

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        intercept, slope = (self._interval_text(".3f", at) for at in (0, 1))
        p = equation("p", show_pvalue(self.pvalue))
        tested = f"{TEST_TITLES[self.design]} of intercept 0 and slope 1: chi2({self.df})"
        return (
            f"The calibration intercept is {show_number(self.intercept, '.3f')} ({intercept}) "
            f"and the slope {show_number(self.slope, '.3f')} ({slope}); "
            f"{equation(tested, show_number(self.statistic, '.3f'))}, {p}."
        )


@with_engine_options(as_binary_probabilities)
def calibration_test(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    clip: float | None = None,
    groups: ArrayLike | None = None,
    on_undefined: Undefined = "warn",
    **reading: Unpack[Binary],
) -> CalibrationResult:
    """Test calibration, and estimate the calibration slope and intercept.

    Parameters
    ----------
    clip : float, optional
        Clip probabilities to [clip, 1 - clip]; needed where any is 0 or 1.
    groups : array-like of shape (n,), optional
        The cluster of each case: the patient of an image, say. Clusters are independent; cases
        within a cluster may be correlated. Then the test is the generalised score test, which needs
        7 clusters to reject at 5%, and intervals are sandwich ones by Student's t with
        Satterthwaite's degrees of freedom.

    Returns
    -------
    CalibrationResult
        With ``intercept``, ``slope``, their ``standard_error`` (2,), ``covariance`` (2, 2) and
        ``confidence_interval()``; ``intercept_in_the_large`` (with the slope fixed at 1) and its
        standard error; the likelihood ratio test of intercept 0 and slope 1: ``statistic`` (chi2),
        ``df`` (2), ``pvalue``, ``log_pvalue``; ``design`` ('independent' or 'clusters'),
        ``df_clusters`` (of intervals), ``status``.

    Warns
    -----
    UndefinedResultWarning
        If no finite slope exists: probabilities that are 0, 1 or all equal, or that separate the
        classes; or 'too_few_clusters'. The intercept in the large is defined if all log odds are
        finite and both classes are present.
    SmallSampleWarning
        'few_clusters', if clusters carry fewer than 6 degrees of freedom: the test has almost no
        power.

    See Also
    --------
    spiegelhalter_test : A single number, defined also for probabilities of 0 and 1.

    Notes
    -----
    With logit(p) = log(p / (1 - p)) and the log-likelihood l of the labels::

        logit P(y = 1) = intercept + slope logit(p)
        chi^2 = 2 (l(intercept, slope) - l(0, 1))    with 2 degrees of freedom

    Clusters use the score test: chi^2 = u' (sum u_g u_g')^-1 u, where u_g is the contribution of
    cluster g to the derivative of l at (0, 1), and u their sum.

    References
    ----------
    .. [1] D. R. Cox (1958), doi:10.1093/biomet/45.3-4.562.
    .. [2] B. Van Calster et al. (2019), doi:10.1186/s12916-019-1466-7.
    .. [3] D. D. Boos (1992), doi:10.1080/00031305.1992.10475921.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y = [0, 0, 1, 0, 1, 0, 1, 1]
    >>> result = fc.calibration_test(y, [.1, .2, .3, .4, .5, .6, .8, .9])
    >>> round(result.intercept, 3), round(result.slope, 3), round(result.pvalue, 3)
    (0.187, 1.244, 0.947)
    """
    check_undefined(on_undefined)
    clip = check_rule("log", clip, ("log",))
    cases = as_binary_probabilities(y_true, y_prob, groups, **reading)
    y, x = cases.labels, log_odds(cases.models[0], clip)

    sums = calibrated_sums(y, x)
    status, fit = recalibrate(y, x, sums)
    in_the_large, error_in_the_large = recalibrate_in_the_large(y, x, sums)
    clusters = None if cases.groups is None else ClusteredLabels.of(y, x, cases.groups)
    if clusters is not None and status == "ok":
        status, fit = fit_clusters(clusters, fit)
        error_in_the_large = clusters.error_in_the_large(in_the_large, error_in_the_large)
    warn_status(status, on_undefined)

    return CalibrationResult(
        **fit.tail._asdict(),
        statistic=fit.statistic,
        df=2,
        intercept=fit.intercept,
        slope=fit.slope,
        standard_error=np.sqrt(np.diag(fit.covariance)),
        covariance=fit.covariance.copy(),
        intercept_in_the_large=in_the_large,
        standard_error_in_the_large=error_in_the_large,
        n=x.size,
        n_dropped=cases.n_dropped,
        method="logistic recalibration",
        status=status,
        design="independent" if clusters is None else "clusters",
        df_clusters=math.inf if clusters is None else clusters.df,
    )


@np.errstate(divide="ignore", under="ignore")
def log_odds(p: Vector, clip: float | None) -> Vector:
    """Return the log odds: as precise as the difference of logarithms, in a quarter of its time."""
    if clip is not None:
        p = np.clip(p, clip, 1.0 - clip)
    return np.asarray(np.log(p / (1.0 - p)))


def fit_clusters(cases: ClusteredLabels, fit: Fit) -> tuple[str, Fit]:
    """Return the status word, and the fit with the score test and sandwich of clustered cases."""
    status, statistic, tail = cases.score_test()
    covariance = fit.covariance @ cases.score_covariance(fit.intercept, fit.slope) @ fit.covariance
    return status, fit._replace(statistic=statistic, tail=tail, covariance=covariance)


def recalibration_status(y: Labels, x: Vector) -> str:
    """Return the status word of labels and log odds x, 'ok' if a finite slope fits them."""
    if not np.isfinite(x).all():
        return "infinite_logit"
    if np.ptp(x) == 0.0:
        return "constant_probabilities"
    lowest, highest = np.empty((2, 2))
    class_ranges(y, x, lowest, highest)
    if lowest[1] >= highest[0] or lowest[0] >= highest[1]:
        return "separated"
    return "ok"


class NewtonSums(NamedTuple):
    """The log-likelihood at an intercept and a slope, its gradient and its information.

    Parameter 0 is the intercept, 1 the slope; the information is minus the second derivatives.
    """

    log_likelihood: float
    score_0: float
    score_1: float
    information_00: float
    information_01: float
    information_11: float


@np.errstate(under="ignore")
def recalibrate(y: Labels, x: Vector, sums_at_calibrated: NewtonSums) -> tuple[str, Fit]:
    """Return the status word and the logistic fit of labels with log odds x.

    `sums_at_calibrated` are those at intercept 0 and slope 1.
    """
    status = recalibration_status(y, x)
    if status != "ok":
        return status, NO_FIT
    try:
        (intercept, slope), covariance = fit_logistic(y, x, sums_at_calibrated)
    except np.linalg.LinAlgError:  # the classes overlap by no more than rounding errors
        return "separated", NO_FIT
    gains = np.empty(-(-x.size // FACTORS))  # of blocks, the last one shorter
    likelihood_gains(y, x, intercept, slope, gains)
    chi2 = max(0.0, 2.0 * float(gains.sum()))
    return "ok", Fit(intercept, slope, covariance, chi2, chi2_pvalue(chi2, 2.0))


@np.errstate(under="ignore")
def recalibrate_in_the_large(
    y: Labels, x: Vector, sums_at_calibrated: NewtonSums
) -> tuple[float, float]:
    """Return the intercept at a slope of 1 and its error, NaN unless log odds are finite.

    NaN, too, if there is one class. By Newton's method within a bracket, as far apart log odds make
    the likelihood flat; at its ends fewer than one label of a class is expected in all.
    """
    if not (np.isfinite(x).all() and np.ptp(y)):
        return math.nan, math.nan
    beyond = 1.0 + math.log(x.size)
    low = -float(x.max()) - beyond
    high = -float(x.min()) + beyond
    intercept = 0.0
    sums = sums_at_calibrated
    for _ in range(MOST_STEPS):
        score, information = sums.score_0, sums.information_00
        if score > 0.0:
            low = intercept
        else:
            high = intercept
        step = ratio(score, information)
        if abs(step) <= STEP_TOLERANCE * (1.0 + abs(intercept)):
            break
        intercept = intercept + step if low < intercept + step < high else 0.5 * (low + high)
        sums = newton_sums_at(y, x, intercept, 1.0)
    error = math.sqrt(1.0 / information) if information else math.inf
    return intercept, error


@np.errstate(under="ignore")
def calibrated_sums(y: Labels, x: Vector) -> NewtonSums:
    """Return the sums at intercept 0 and slope 1, NaN if some log odds are infinite."""
    if not np.isfinite(x).all():
        return NewtonSums(*[math.nan] * 6)
    return newton_sums_at(y, x, 0.0, 1.0)


def newton_sums_at(y: Labels, x: Vector, intercept: float, slope: float) -> NewtonSums:
    """Return the log-likelihood of labels with log odds x at these parameters, and derivatives."""
    sums = np.empty((6, -(-x.size // FACTORS)))  # of blocks, the last one shorter
    newton_sums(y, x, intercept, slope, sums)
    return NewtonSums(*sums.sum(axis=1).tolist())


def fit_logistic(
    y: Labels, x: Vector, sums_at_calibrated: NewtonSums
) -> tuple[tuple[float, float], Matrix]:
    """Return intercept and slope of a logistic regression and their covariance, or raise.

    By Newton's method, from 0 and 1 if these are near, else from 0 and 0; steps are halved as long
    as they make the fit worse.
    """
    beta, sums = np.array([0.0, 1.0]), sums_at_calibrated
    if not is_near_calibrated(sums):
        beta, sums = np.zeros(2), newton_sums_at(y, x, 0.0, 0.0)
    for _ in range(MOST_STEPS):
        covariance, step = newton_direction(sums)
        if float(np.abs(step).max()) <= STEP_TOLERANCE * (1.0 + float(np.abs(beta).max())):
            break
        before = sums.log_likelihood
        while True:
            sums = newton_sums_at(y, x, *(beta + step).tolist())
            if not sums.log_likelihood < before - STEP_TOLERANCE * abs(before):
                break
            step /= 2.0
        beta = beta + step
    intercept, slope = beta.tolist()
    return (intercept, slope), covariance


def is_near_calibrated(sums_at_calibrated: NewtonSums) -> bool:
    """Return whether Newton's step from intercept 0 and slope 1 is short, False if singular."""
    try:
        _, step = newton_direction(sums_at_calibrated)
    except np.linalg.LinAlgError:
        return False
    return bool(np.abs(step).max() <= SHORT_STEP)


@np.errstate(over="ignore", invalid="ignore")
def newton_direction(sums: NewtonSums) -> tuple[Matrix, Vector]:
    """Return the inverse information (2, 2) and Newton's step (2,), or raise if singular."""
    covariance: Matrix = np.linalg.inv(
        np.array(
            [
                [sums.information_00, sums.information_01],
                [sums.information_01, sums.information_11],
            ]
        )
    )
    step: Vector = covariance @ np.array([sums.score_0, sums.score_1])
    if not (np.isfinite(step).all() and (np.diag(covariance) > 0.0).all()):
        raise np.linalg.LinAlgError
    return covariance, step
