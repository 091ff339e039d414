"""Repeated-measures analysis of variance of several models' scores in the same rounds.

J rounds in rows, k models in columns, of one table or of many in one call. The sums of squares are
those of differences of models within a round, so a round that is easy for all models does not
matter. If the differences of all pairs of models have equal variances ("sphericity"), F has k - 1
and (k - 1)(J - 1) degrees of freedom; if not, epsilon times as many, about. Epsilon is 1 under
sphericity and never below 1 / (k - 1).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._base.documented import documented
from .._base.parallel import interruptible, map_threads
from .._base.text import ends_of_range, plural, show_number
from .._base.types import Fields, Matrix, NanPolicy, Undefined, Vector
from .._inference.infer import OmnibusOutcome
from .._inference.pvalues import CERTAIN, TINY, UNDEFINED, f_pvalue, f_pvalues
from .._inference.status import warn_status
from .._inputs.models import as_model_table, as_model_tables, refuse_undefined
from .._inputs.options import check_choice, check_undefined, count_jobs
from .._inputs.rounds import Sizes, as_sizes, refuse_range
from .._inputs.scores import ScoreTable
from .._results.records import BatchResult, OmnibusResult
from ..kernels.tables.folds import rm_anova, rm_anova_rows
from ._student import (
    DesignName,
    MetricResult,
    check_rounds_design,
    column_means,
    rescale,
    warn_of_design,
    warn_of_folds,
)

SPHERICITY = {  # corrections, and how sentences name them
    "none": "",
    "greenhouse-geisser": ", Greenhouse-Geisser correction",
    "huynh-feldt": ", Huynh-Feldt correction",
    "lower-bound": ", lower-bound correction",
}
AUTO_BELOW = 0.75  # above, Greenhouse and Geisser's epsilon is too small (Girden 1992)
ROUNDING = 1e-12


class Epsilon(NamedTuple):
    """Estimates of epsilon; that of Huynh and Feldt may exceed 1, and is then used as 1."""

    greenhouse_geisser: Any
    huynh_feldt: Any
    lower_bound: float


def all_epsilons(greenhouse_geisser: Any, rounds: int, k: int) -> Epsilon:
    """Return all estimates of epsilon from Greenhouse and Geisser's, a scalar or an array."""
    return Epsilon(greenhouse_geisser, huynh_feldt(greenhouse_geisser, rounds, k), 1.0 / (k - 1))


def huynh_feldt(epsilon: Any, rounds: int, k: int) -> Any:
    """Return the estimate of Huynh and Feldt (1976) from that of Greenhouse and Geisser.

    Infinite if only J - 1 dimensions vary, with equal variances: the denominator is 0 then. Of two
    rounds, with which the formula is 0 / 0, it is `epsilon` itself.
    """
    if rounds == 2:
        return epsilon
    dimensions = (k - 1) * epsilon  # that vary, in effect
    numerator = rounds * dimensions - 2.0
    denominator = (k - 1) * (rounds - 1.0 - dimensions)
    finite = denominator > ROUNDING * k * rounds
    infinite = np.full(np.shape(epsilon), math.inf)
    value = np.divide(numerator, denominator, out=infinite, where=finite)
    value = np.where(np.isnan(epsilon), math.nan, value)
    return value if np.ndim(epsilon) else float(value)


def df_factor(epsilon: Epsilon, sphericity: str) -> Any:
    """Return the epsilon that multiplies the degrees of freedom: at most 1, and 1 if undefined."""
    gg, hf, lower_bound = epsilon
    if sphericity == "auto":
        return np.fmin(np.where(gg < AUTO_BELOW, gg, hf), 1.0)
    factors = {
        "none": 1.0,
        "greenhouse-geisser": gg,
        "huynh-feldt": hf,
        "lower-bound": lower_bound,
    }
    return np.fmin(factors[sphericity], 1.0)


def applied_sphericity(epsilon: Epsilon, sphericity: str, k: int) -> str:
    """Return the correction that 'auto' stands for, or the specified one."""
    if math.isnan(epsilon.greenhouse_geisser) or (sphericity == "auto" and k == 2):
        return "none"  # two models have one difference only, which cannot vary unequally
    if sphericity == "auto":
        return "greenhouse-geisser" if epsilon.greenhouse_geisser < AUTO_BELOW else "huynh-feldt"
    return sphericity


def degrees_of_freedom(factor: Any, rounds: int, k: int) -> tuple[Any, Any]:
    """Return the two degrees of freedom of F, multiplied by epsilon (`factor`)."""
    return factor * (k - 1), factor * ((k - 1) * (rounds - 1))


Sphericity = Literal["auto", "none", "greenhouse-geisser", "huynh-feldt", "lower-bound"]
LONG = 1 << 27  # products of rounds with two models: some 0.1 s
OVERLAPPING = ("resampled", "repeated-kfold", "kfold")


@dataclass(frozen=True, eq=False, kw_only=True)
class RMAnovaResult(MetricResult, OmnibusResult):
    """Result of `rm_anova_test`; there is no single estimate, hence no interval."""

    epsilon: Epsilon
    partial_eta2: float
    generalized_eta2: float
    means: Matrix
    names: tuple[str, ...]
    sphericity: str
    n: int
    n_train: float | None
    n_test: float | None
    title: ClassVar[str] = "Repeated-measures ANOVA of scores in the same rounds"
    digits: ClassVar[str] = ".4g"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        method = self.method + SPHERICITY[self.sphericity]
        return (
            f"The mean {plural(self.metric)} range from {ends_of_range(self.means, 'g')} "
            f"in {self.n} rounds ({method}, {self._evidence()}, "
            f"partial eta squared {show_number(self.partial_eta2, '.3f')})."
        )


@documented
def rm_anova_test(
    scores: ScoreTable,
    *,
    n_train: float | None = None,
    n_test: float | None = None,
    cv: object = None,
    design: DesignName | None = None,
    sphericity: Sphericity = "auto",
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> RMAnovaResult:
    """Repeated-measures ANOVA: omnibus test of k models' mean scores over the same rounds.

    Without `n_train` and `n_test` it is valid for rounds that share no cases. With them, the F
    statistic is corrected for the correlation between rounds of random splits or repeated
    cross-validation of one data set.

    Parameters
    ----------
    scores : array-like of shape (J, k), mapping or data frame
        Scores by any metric, one row per round and one column per model, at least two of each, all
        on the same splits; column names become model names.
    n_train, n_test : float, optional
        Number of training and test cases per round, or their means; give both or neither.
    cv : int or splitter, optional
        Instead of both, if the rounds are correlated: as in `ttest_corrected`.
    design : {'independent', 'resampled', 'repeated-kfold', 'kfold', '5x2cv'}, optional
        Where the rounds come from. Warns if the test or the sizes do not match the design.
    sphericity : {'auto', 'none', 'greenhouse-geisser', 'huynh-feldt', 'lower-bound'}
        The epsilon that multiplies the degrees of freedom to correct for a lack of sphericity
        (differences between models with unequal variances). 'auto' (default): Greenhouse and
        Geisser's if it is below 0.75, otherwise Huynh and Feldt's, without a preliminary test.

    Returns
    -------
    RMAnovaResult
        With ``statistic`` (F), ``df`` (a pair: epsilon times k - 1 and (k - 1) (J - 1)),
        ``pvalue``, ``log_pvalue``, ``epsilon`` (``greenhouse_geisser``, ``huynh_feldt``,
        ``lower_bound``), ``sphericity`` (the correction applied), ``partial_eta2``,
        ``generalized_eta2``, ``means`` (k,), ``names``, ``n`` (J, complete rounds), ``n_dropped``,
        ``n_train``, ``n_test``, ``method``, ``status``, ``summary()`` and ``to_dict()``.

    Warns
    -----
    DesignWarning
        If `design` does not match the test, or J, `n_train` and `n_test`.
    UndefinedResultWarning
        If no difference between two models varies, but not all are 0.

    See Also
    --------
    mauchly_test : Tests sphericity; 'auto' does not depend on it.
    rm_anova_batch : Many tables in one call.
    ttest_corrected_pairwise_test : Which of the models differ.

    Notes
    -----
    With the sums of squares of the models and of the error (the residuals after removing the means
    of rounds and models)::

        F = (J - 1) SS_models / SS_error / (1 + J n_test / n_train)
        df = (e (k - 1), e (k - 1) (J - 1))

    where e is 1, Greenhouse and Geisser's epsilon, or Huynh and Feldt's, depending on `sphericity`.

    If scores of different rounds have a correlation of rho = n_test / (n_train + n_test), as Nadeau
    and Bengio assume, the mean square of the models is too large by a factor of 1 + J n_test /
    n_train, so F is divided by it. For two models F is the square of t in `ttest_resampled` or (up
    to rounding) `ttest_corrected`, with the same p-value. Eta squared uses the uncorrected sums of
    squares; the denominator of generalized eta squared includes the rounds' sum of squares. Huynh
    and Feldt's epsilon is truncated at 1. Differences within rounding error of their scores (2^-50
    of them) count as equal.

    Type I error rates at the 5% level for 10 rounds and four models (200,000 simulated tables,
    docs/evidence/folds.md): 5.0% ('none') and 4.0% ('auto') if all variances are equal; 10.4% and
    5.2% if one model varies five times as much as the others. With a correlation of 0.1 between
    rounds: 26% and 23% without the sizes, 5.0% and 4.0% with them.

    References
    ----------
    .. [1] S. W. Greenhouse, S. Geisser (1959), doi:10.1007/BF02289823.
    .. [2] H. Huynh, L. S. Feldt (1976), doi:10.3102/10769986001001069.
    .. [3] C. Nadeau, Y. Bengio (2003), doi:10.1023/A:1024068626366.
    .. [4] S. Olejnik, J. Algina (2003), doi:10.1037/1082-989X.8.4.434.

    Examples
    --------
    >>> import fastcompare as fc
    >>> scores = {"tree": [.80, .82, .79, .85, .81], "forest": [.78, .79, .80, .81, .78],
    ...           "naive": [.75, .80, .74, .79, .78]}
    >>> print(fc.rm_anova_test(scores, n_train=80, n_test=20).summary())
    The 3 models do not differ significantly in mean score. The mean scores range from 0.772 to
    0.814 in 5 rounds (corrected repeated-measures ANOVA, Greenhouse-Geisser correction, F(1.43,
    5.721) = 4.233, p = 0.0812, partial eta squared 0.704).
    """
    check_choice("sphericity", sphericity, ("auto", *SPHERICITY))
    check_undefined(on_undefined)
    sizes = as_sizes(n_train, n_test, cv, design, optional=True)
    table = as_model_table(scores, rows="rounds", nan_policy=nan_policy)
    warn_of_sizes(len(table.values) + table.n_dropped, sizes)

    n, k = table.values.shape
    values = rescale(table.values)
    plain, greenhouse_geisser = interruptible(n * k * k > LONG, rm_anova, rescale(table.relative))
    if math.isnan(plain):
        refuse_range("scores")
    statistic = plain / (1.0 + n * sizes.overlap)
    epsilon = all_epsilons(greenhouse_geisser, n, k)
    used = applied_sphericity(epsilon, sphericity, k)
    df = degrees_of_freedom(float(df_factor(epsilon, used)), n, k)

    outcome = anova_test(statistic, df, greenhouse_geisser)
    warn_status(outcome.status, on_undefined)

    return RMAnovaResult(
        **outcome.fields(),
        **effect_sizes(plain, values),
        epsilon=epsilon,
        means=column_means(table.values),
        names=table.names,
        sphericity=used,
        n=n,
        n_dropped=table.n_dropped,
        n_train=sizes.n_train,
        n_test=sizes.n_test,
        method=f"{'corrected ' if sizes.overlap else ''}repeated-measures ANOVA",
    )


def warn_of_sizes(rounds: int, sizes: Sizes) -> None:
    """Warn if the design contradicts the test or the sizes; raise if its name is unknown."""
    check_rounds_design(sizes.design)
    if sizes.n_train is None:
        hint = "Pass n_train and n_test" if sizes.design in OVERLAPPING else None
        warn_of_design("rm_anova_test", sizes.design, ("independent",), instead=hint)
    else:
        warn_of_design("rm_anova_test with sizes", sizes.design, OVERLAPPING)
        warn_of_folds(rounds, sizes)


def anova_test(statistic: float, df: tuple[float, float], epsilon: float) -> OmnibusOutcome:
    """Return the test that all means are equal; epsilon is NaN where no difference varies."""
    if not math.isnan(epsilon):
        return OmnibusOutcome(statistic, df, f_pvalue(statistic, *df), "ok")
    if statistic:  # infinite
        return OmnibusOutcome(statistic, df, UNDEFINED, "zero_variance")
    return OmnibusOutcome(statistic, df, CERTAIN, "no_difference")


def effect_sizes(statistic: float, values: Matrix) -> Fields:
    """Return partial and generalized eta squared, from the scores and their F before correction."""
    partial = partial_eta2(statistic, len(values))
    return {
        "partial_eta2": partial,
        "generalized_eta2": partial * share_of_squares_within_rounds(values),
    }


def partial_eta2(statistic: float, rounds: int) -> float:
    """Return SS_models / (SS_models + SS_error) from F = (J - 1) SS_models / SS_error."""
    return 1.0 if math.isinf(statistic) else statistic / (statistic + (rounds - 1))


def share_of_squares_within_rounds(values: Matrix) -> float:
    """Return the sum of squares within rounds over the total sum of squares; 0 if there is none."""
    differences = values.T - values[:, 0]  # first, so that what a round adds to all models cancels
    shift = differences.sum(axis=0) / len(differences)
    within = float(np.square(differences - shift).sum())
    round_effects = values[:, 0] + shift
    round_effects -= round_effects.mean()
    between = len(differences) * float(np.square(round_effects).sum())
    return within / (within + between) if within else 0.0


BLOCK = 1 << 16  # scores of a call of the kernel, at least one table: a tenth of a millisecond


@dataclass(frozen=True, eq=False, kw_only=True)
class RMAnovaBatchResult(BatchResult):
    """Result of `rm_anova_batch`: arrays with one entry per table."""

    df: tuple[Vector, Vector]
    epsilon: Epsilon
    partial_eta2: Vector
    sphericity: str
    n: int
    n_train: float | None
    n_test: float | None
    title: ClassVar[str] = "Repeated-measures ANOVA of many tables"

    @property
    def log_pvalue(self) -> Vector:
        """Natural logarithms (B,) of the p-values, finite even where these underflow."""
        with np.errstate(divide="ignore"):
            log_p = np.log(self.pvalue)
        df1, df2 = self.df
        for i in np.flatnonzero(self.pvalue < TINY):
            p = f_pvalue(float(self.statistic[i]), float(df1[i]), float(df2[i]))
            log_p[i] = p.log_pvalue
        return log_p


@documented
def rm_anova_batch(
    scores: ArrayLike,
    *,
    n_train: float | None = None,
    n_test: float | None = None,
    cv: object = None,
    sphericity: Sphericity = "auto",
    n_jobs: int = 1,
    on_undefined: Undefined = "warn",
) -> RMAnovaBatchResult:
    """Run `rm_anova_test` on B tables of J rounds and k models each, in one call.

    Parameters
    ----------
    scores : array-like of shape (B, J, k)
        Tables with one row per round and one column per model.
    n_train, n_test, cv, sphericity, on_undefined
        As in `rm_anova_test`.

    Returns
    -------
    RMAnovaBatchResult
        With ``statistic``, ``df`` (two arrays), ``pvalue``, ``log_pvalue``, ``epsilon`` and
        ``partial_eta2`` over the B tables, ``sphericity`` as specified, ``n`` (J), ``n_train``,
        ``n_test``, ``method`` and ``summary()``.

    Raises
    ------
    FastCompareError
        As ValueError or TypeError, for invalid inputs, including missing scores.

    Warns
    -----
    UndefinedResultWarning
        Once, if there are tables whose differences do not vary, but are not all 0.

    See Also
    --------
    rm_anova_test : One table, with names, missing scores and generalized eta squared.
    ttest_corrected_batch : Two models.

    Notes
    -----
    Each table is tested as in `rm_anova_test`: F = (J - 1) SS_models / SS_error / (1 + J n_test /
    n_train), with e (k - 1) and e (k - 1) (J - 1) degrees of freedom.

    References
    ----------
    .. [1] S. W. Greenhouse, S. Geisser (1959), doi:10.1007/BF02289823.
    .. [2] C. Nadeau, Y. Bengio (2003), doi:10.1023/A:1024068626366.

    Examples
    --------
    >>> import numpy as np
    >>> import fastcompare as fc
    >>> scores = np.random.default_rng(0).normal(size=(1000, 30, 4))
    >>> result = fc.rm_anova_batch(scores)
    >>> bool(30 < (result.pvalue < 0.05).sum() < 70)
    True
    """
    check_choice("sphericity", sphericity, ("auto", *SPHERICITY))
    check_undefined(on_undefined)
    jobs = count_jobs(n_jobs)
    sizes = as_sizes(n_train, n_test, cv, optional=True)
    tables = as_model_tables("scores", scores)

    _, n, k = tables.shape
    plain, greenhouse_geisser = anova_statistics(tables, jobs)
    statistic = plain / (1.0 + n * sizes.overlap)
    epsilon = all_epsilons(greenhouse_geisser, n, k)
    factor = np.broadcast_to(df_factor(epsilon, sphericity), statistic.shape)
    df = degrees_of_freedom(factor, n, k)
    pvalue = f_pvalues(statistic, *df)
    pvalue[statistic == 0.0] = 1.0
    fixed = np.isinf(statistic)  # differences that do not vary, but are not 0
    which = f" ({np.count_nonzero(fixed)} of {fixed.size} tables, the first is {fixed.argmax()})"
    warn_status("zero_variance" if fixed.any() else "ok", on_undefined, which)

    with np.errstate(invalid="ignore"):
        partial = np.where(np.isinf(plain), 1.0, plain / (plain + (n - 1)))
    return RMAnovaBatchResult(
        statistic=statistic,
        df=df,
        pvalue=pvalue,
        epsilon=epsilon,
        partial_eta2=partial,
        sphericity=sphericity,
        n=n,
        n_train=sizes.n_train,
        n_test=sizes.n_test,
        method=f"{'corrected ' if sizes.overlap else ''}repeated-measures ANOVA",
    )


def anova_statistics(tables: Vector, jobs: int) -> tuple[Vector, Vector]:
    """Return F, not corrected for overlap, and Greenhouse and Geisser's epsilon of every table.

    Raise if a table's squares exceed the range of floats.
    """
    statistic, epsilon = np.empty(len(tables)), np.empty(len(tables))
    height = max(1, BLOCK // tables[0].size)

    def run(start: int) -> None:
        rows = slice(start, start + height)
        rm_anova_rows(tables[rows], statistic[rows], epsilon[rows])

    map_threads(run, range(0, len(tables), height), jobs)
    undefined = np.flatnonzero(np.isnan(statistic))
    if undefined.size:
        first = int(undefined[0])
        refuse_undefined("scores", tables[first], first)
    return statistic, epsilon
