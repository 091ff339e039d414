"""Student's t of the differences of two models' scores by round, corrected or not.

J rounds, differences d_j with mean d and variance s^2, overlap = n_test / n_train (0 for rounds
that are taken for independent). The corrected resampled t-test (Nadeau and Bengio 2003), of one
table or of many in one call, is::

    t = d / sqrt((1 / J + overlap) s^2),    df = J - 1

Squares and sums stay within the range of floats for scores of any magnitude. A design of the rounds
for which a test is not valid brings a warning.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike

from .._base.documented import documented, with_engine_options
from .._base.exceptions import DesignWarning, warn
from .._base.parallel import map_threads
from .._base.text import differing_form, plural
from .._base.types import Alternative, Direction, Fields, Matrix, NanPolicy, Undefined, Vector
from .._inference.infer import ZeroVarianceBound, infer
from .._inference.pvalues import ratio, ratios, student_pvalues
from .._inference.status import unvaried_status, warn_status
from .._inputs.options import (
    ALTERNATIVES,
    check_alternative,
    check_amount,
    check_choice,
    check_undefined,
    count_jobs,
)
from .._inputs.rounds import (
    Rounds,
    Sizes,
    as_paired_rows,
    as_rounds,
    as_sizes,
    refuse_infinite,
    refuse_range,
)
from .._inputs.scores import ScoreTable
from .._results.records import BatchResult, ByReference, Record
from .._results.two_models import StudentResult
from ..kernels.tables.folds import moments_of_rows, paired_moments, safe_mean


def paired_ttest_fields(
    rounds: Rounds, alternative: str, margin: float, *, overlap: float
) -> Fields:
    """Return the fields of a paired t-test of two models by round; `overlap` is n_test / n_train.

    Nadeau and Bengio (2003): rounds that correlate by rho = n_test / (n_train + n_test) have
    E s^2 = sigma^2 (1 - rho), and the mean has variance s^2 (1 / J + rho / (1 - rho)).
    """
    n = rounds.scores.shape[1]
    means, estimate, squared_deviations = rounds_moments(rounds)
    variance = squared_deviations / (n - 1)
    factor_of_mean = 1.0 / n + overlap
    standard_error = math.sqrt(variance * factor_of_mean)
    unvaried = equal_rounds_bound(1.0 / factor_of_mean)
    return {
        **infer(estimate, standard_error, alternative, margin, df=n - 1, unvaried=unvaried),
        "df": n - 1,
        "means": means,
        "effect_size": ratio(estimate, math.sqrt(variance * (1.0 + overlap))),
        "names": rounds.names,
        "n": n,
        "n_dropped": rounds.n_dropped,
        "status": variance_status(estimate, standard_error, margin),
    }


def rounds_moments(rounds: Rounds) -> tuple[Vector, float, float]:
    """Return both means (2,), and the differences' mean and sum of squared deviations.

    Raise if the squares exceed the range of floats.
    """
    a, b = rounds.scores if rounds.difference_scores is None else rounds.difference_scores
    mean_a, mean_b, estimate, squared_deviations = paired_moments(a, b)
    if not squared_deviations < math.inf:
        refuse_range("scores_a", "scores_b")
    if rounds.difference_scores is not None:
        mean_a, mean_b = (safe_mean(scores) for scores in rounds.scores)
    return np.array((mean_a, mean_b)), estimate, squared_deviations


@dataclass(frozen=True, eq=False, kw_only=True)
class MetricResult(Record):
    """A result about mean scores by a metric, with the metric's name."""

    metric: str = "score"
    _row: ClassVar[str] = "round"
    _quantity: ClassVar[Any] = property(lambda self: f"mean {self.metric}")


@dataclass(frozen=True, eq=False, kw_only=True)
class SizedRounds(Record):
    """A result of rounds of one data set, with their numbers of training and test cases."""

    n_train: float
    n_test: float

    @property
    def correlation(self) -> float:
        """The correlation of rounds that the method assumes, n_test / (n_train + n_test)."""
        return self.n_test / (self.n_train + self.n_test)


def variance_status(estimate: float, standard_error: float, margin: float = 0.0) -> str:
    """Return 'ok', or the status word of an estimate whose standard error is 0."""
    if standard_error > 0.0:
        return "ok"
    return unvaried_status(estimate, margin, "no_difference")


def equal_rounds_bound(units: float) -> ZeroVarianceBound:
    """Return the exact bound for equal differences in `units` independent rounds.

    Correlated rounds count as the number of independent ones whose mean has the same variance.
    """
    return ZeroVarianceBound(units, math.inf, "independent rounds")


def t_statistics(
    estimate: Vector, squared_deviations: Vector, n: int, overlap: float, alternative: str
) -> tuple[Vector, Vector, Vector]:
    """Return t, standard errors and p-values of several comparisons of n rounds each.

    `squared_deviations` are the sums of squared deviations, `overlap` is n_test / n_train.
    """
    standard_error = np.sqrt(squared_deviations / (n - 1) * (1.0 / n + overlap))
    t = ratios(estimate, standard_error)
    pvalue = student_pvalues(t, n - 1, alternative)
    pvalue[(estimate == 0.0) & (standard_error == 0.0)] = 1.0
    return t, standard_error, pvalue


BLOCK = 1 << 20  # scores of a model that a thread takes at a time


@dataclass(frozen=True, eq=False, kw_only=True)
class TTestCorrectedBatchResult(SizedRounds, ByReference, BatchResult):
    """Result of `ttest_corrected_batch`: arrays with one entry per comparison."""

    df: int
    estimate: Vector
    standard_error: Vector
    alternative: str
    n: int
    method: str = "corrected resampled t-test"
    title: ClassVar[str] = "Corrected resampled t-tests of many pairs of models"


@documented
def ttest_corrected_batch(
    scores_a: ArrayLike,
    scores_b: ArrayLike,
    *,
    n_train: float | None = None,
    n_test: float | None = None,
    cv: object = None,
    alternative: Direction = "two-sided",
    n_jobs: int = 1,
    on_undefined: Undefined = "warn",
) -> TTestCorrectedBatchResult:
    """Run `ttest_corrected` on B comparisons of J rounds each, in one call.

    Valid for the designs of `ttest_corrected`.

    Parameters
    ----------
    scores_a, scores_b : array-like of shape (B, J)
        Scores of the first and of the second model, one row per comparison.
    n_train, n_test, cv, alternative, on_undefined
        As in `ttest_corrected`, the same for all comparisons.

    Returns
    -------
    TTestCorrectedBatchResult
        With ``statistic``, ``pvalue``, ``log_pvalue``, ``estimate``, ``standard_error``, each of
        shape (B,), and ``df``.

    Warns
    -----
    UndefinedResultWarning
        Once, if comparisons have equal differences other than 0; their p-values are NaN.

    See Also
    --------
    ttest_corrected : One comparison, with intervals, margins and missing values.

    Notes
    -----
    Each row is tested as in `ttest_corrected`: t = d / sqrt(s^2 (1 / J + n_test / n_train)), with J
    - 1 degrees of freedom.

    References
    ----------
    .. [1] C. Nadeau, Y. Bengio (2003), doi:10.1023/A:1024068626366.

    Examples
    --------
    >>> import numpy as np
    >>> import fastcompare as fc
    >>> a, b = np.random.default_rng(0).normal(size=(2, 1000, 100))
    >>> fc.ttest_corrected_batch(a, b, n_train=90, n_test=10).pvalue.shape
    (1000,)
    """
    check_choice("alternative", alternative, ALTERNATIVES)
    check_undefined(on_undefined)
    jobs = count_jobs(n_jobs)
    sizes = as_sizes(n_train, n_test, cv)
    a, b = as_paired_rows(scores_a, scores_b)

    estimate, squared_deviations = rows_moments(a, b, jobs)
    n = a.shape[1]
    t, error, pvalue = t_statistics(estimate, squared_deviations, n, sizes.overlap, alternative)
    unvaried = np.isinf(t)
    which = f" ({np.count_nonzero(unvaried)} of {t.size} comparisons, first {unvaried.argmax()})"
    warn_status("zero_variance" if unvaried.any() else "ok", on_undefined, which)

    return TTestCorrectedBatchResult(
        statistic=t,
        df=n - 1,
        pvalue=pvalue,
        estimate=estimate,
        standard_error=error,
        alternative=alternative,
        n=n,
        n_train=sizes.n_train,
        n_test=sizes.n_test,
    )


def rows_moments(a: Matrix, b: Matrix, jobs: int) -> tuple[Vector, Vector]:
    """Return the mean and the sum of squared deviations of a - b by row, or raise unless finite.

    NaN and infinity show in these sums, so no pass before them checks the scores.
    """
    estimate, squared_deviations = np.empty((2, len(a)))
    height = max(1, BLOCK // a.shape[1])

    def run(start: int) -> None:
        rows = slice(start, start + height)
        moments_of_rows(a[rows], b[rows], estimate[rows], squared_deviations[rows])

    map_threads(run, range(0, len(a), height), jobs)
    wrong = ~(squared_deviations < math.inf)
    if wrong.any():
        first = int(wrong.argmax())
        refuse_infinite("scores_a", a, first=first)
        refuse_infinite("scores_b", b, first=first)
        refuse_range("scores_a", "scores_b")
    return estimate, squared_deviations


def rescale(values: Matrix) -> Matrix:
    """Return scores divided by a power of 2 if their squares may leave the range of floats.

    The statistics do not depend on the unit, and this division is exact.
    """
    _, exponent = math.frexp(float(np.abs(values).max()))
    return values if abs(exponent) < 300 else np.ldexp(values, -exponent)


def column_means(values: Matrix) -> Matrix:
    """Return the mean of each column, or of one, also where the sums exceed what float64 holds."""
    with np.errstate(over="ignore", invalid="ignore"):
        means: Matrix = np.asarray(values.mean(axis=0))
        return np.where(np.isfinite(means), means, (values / len(values)).sum(axis=0))


DesignName = Literal["independent", "kfold", "repeated-kfold", "resampled", "5x2cv"]
MOST_FOLDS = 20  # with more rounds a warning asks whether they are one cross-validation
SPLITS = ("resampled", "repeated-kfold", "kfold")  # designs whose rounds share cases


class Design(NamedTuple):
    """What a design of rounds means, and which function is valid for it."""

    meaning: str
    instead: str


DESIGNS = {
    "independent": Design("rounds that share no cases", "ttest_resampled"),
    "kfold": Design("one k-fold cross-validation", "ttest_corrected"),
    "repeated-kfold": Design("several k-fold cross-validations of one data set", "ttest_corrected"),
    "resampled": Design("random splits of one data set", "ttest_corrected"),
    "5x2cv": Design("five two-fold cross-validations", "ftest_5x2cv"),
}


def warn_of_design(
    test: str, design: str | None, valid: tuple[str, ...], *, instead: str | None = None
) -> None:
    """Warn if `test` is not valid for the design, where one is specified."""
    check_rounds_design(design)
    if design is not None and design not in valid:
        actual = DESIGNS[design]
        valid_for = " or ".join(DESIGNS[word].meaning for word in valid)
        warn(
            f"{test} is for {valid_for}, not for {actual.meaning} (design={design!r}): its p-value "
            f"is not valid. {instead or f'Use {actual.instead}'}.",
            DesignWarning,
        )


def check_rounds_design(design: object) -> None:
    """Raise unless a design of rounds, where one is specified, is legal."""
    if design is not None:
        check_choice("design", design, DESIGNS)


def warn_of_many_folds(rounds: int) -> None:
    """Warn of more rounds than one cross-validation usually has folds."""
    if rounds <= MOST_FOLDS:
        return
    warn(
        f"ttest_kfold is for one k-fold cross-validation, and {rounds} rounds are many for that. "
        "If they are repeated folds or random splits of one data set, the p-value is far too "
        "small: use ttest_corrected with `n_train` and `n_test`. If not, pass design='kfold' or "
        "design='independent'.",
        DesignWarning,
    )


def warn_of_splits(test: str, rounds: int, sizes: Sizes) -> None:
    """Warn if the design contradicts a corrected test or the sizes."""
    warn_of_design(test, sizes.design, SPLITS)
    warn_of_folds(rounds, sizes)


def warn_of_swapped(n_train: float, n_test: float) -> None:
    """Warn of rounds that test on more cases than they train on."""
    if n_test > n_train:
        warn(
            f"`n_test` ({n_test:g}) is larger than `n_train` ({n_train:g}): are they swapped? The "
            "correction assumes that a round trains on `n_train` cases and tests on `n_test`.",
            DesignWarning,
        )


def warn_of_folds(rounds: int, sizes: Sizes) -> None:
    """Warn if the sizes contradict a k-fold cross-validation, or look swapped."""
    n_train, n_test, design, cv = sizes
    if design is None:
        warn_of_swapped(n_train, n_test)
    if design not in ("kfold", "repeated-kfold"):
        return
    n = n_train + n_test
    k = max(2, round(n / n_test))
    sizes_fit = abs(n_test - n / k) < 1.0  # folds of n cases differ by one case at most
    rounds_fit = rounds == k if design == "kfold" else rounds % k == 0
    if not (sizes_fit and rounds_fit):
        contradiction = f"cv={cv!r:.60} contradicts {rounds} rounds: k folds have "
        if cv is None:
            contradiction = (
                f"design={design!r} contradicts {rounds} rounds with `n_train` {n_train:g} and "
                f"`n_test` {n_test:g}: k folds have n_test / (n_train + n_test) = 1 / k, and "
            )
        number = "k rounds." if design == "kfold" else "a multiple of k rounds."
        warn(contradiction + number, DesignWarning)


@dataclass(frozen=True, eq=False, kw_only=True)
class TTestRoundsResult(MetricResult, StudentResult):
    """Result of `ttest_kfold` and `ttest_resampled`; `estimate` is means[0] - means[1]."""

    means: Vector
    effect_size: float
    n: int
    n_dropped: int
    title: ClassVar[str] = "Paired t-test of scores by round"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        form = differing_form(self.means, "g")
        means = self._beside_names(*(f"{mean:{form}}" for mean in self.means))
        return (
            f"The mean {plural(self.metric)} over {self.n} rounds are {means}, a difference of "
            f"{self.estimate:.4g} ({self._interval_text('.4g')}; {self.method}"
            f"{self._hypothesis_text()}, {self._evidence()})."
        )


class RoundsOptions(TypedDict, total=False):
    """Options of t-tests of two models' scores by round."""

    design: DesignName | None
    alternative: Alternative
    margin: float
    nan_policy: NanPolicy
    on_undefined: Undefined


class UncorrectedTest(NamedTuple):
    """A t-test that takes rounds for independent, and the designs that it is valid for."""

    name: str
    method: str
    valid: tuple[str, ...]


def ttest_rounds(
    scores_a: ScoreTable,
    scores_b: ArrayLike | None,
    test: UncorrectedTest,
    *,
    design: DesignName | None = None,
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> TTestRoundsResult:
    """Return the uncorrected paired t-test of two models, after checks and warnings.

    `test` says which function was called.
    """
    check_undefined(on_undefined)
    margin = check_amount("margin", margin, 0.0)
    check_alternative(alternative, margin)
    rounds = as_rounds(scores_a, scores_b, nan_policy=nan_policy)
    warn_of_design(test.name, design, test.valid)
    if design is None and "kfold" in test.valid:
        warn_of_many_folds(rounds.scores.shape[1] + rounds.n_dropped)

    fields = paired_ttest_fields(rounds, alternative, margin, overlap=0.0)
    warn_status(fields["status"], on_undefined)

    return TTestRoundsResult(**fields, method=test.method)


@with_engine_options(ttest_rounds)
def ttest_resampled(
    scores_a: ScoreTable, scores_b: ArrayLike | None = None, **options: Unpack[RoundsOptions]
) -> TTestRoundsResult:
    """Student's paired t-test of two models' scores by round, without correction.

    Valid only if no two rounds share cases, in training or in testing. For random splits of one
    data set, for which it is called the resampled t-test, its p-values are far too small: use
    `ttest_corrected`.

    Parameters
    ----------
    scores_a, scores_b
        As in `ttest_corrected`.
    design : {'independent', 'resampled', 'repeated-kfold', 'kfold', '5x2cv'}, optional
        Where the rounds come from; warns for all but 'independent'.

    Returns
    -------
    TTestRoundsResult
        With ``statistic`` (t), ``df`` (J - 1), ``pvalue``, ``log_pvalue``, ``estimate`` (the mean
        difference), ``standard_error``, ``means`` (2,), ``effect_size`` (the mean difference in
        standard deviations of the differences), ``names``, ``n`` (J, complete rounds),
        ``n_dropped``, ``status``, ``confidence_interval(confidence_level)`` and ``summary()``.

    Warns
    -----
    DesignWarning
        If `design` is not 'independent'.
    UndefinedResultWarning
        If all differences are equal, but not 0.

    See Also
    --------
    ttest_corrected : The test for random splits of one data set.

    Notes
    -----
    With the mean d and the standard deviation s of the J differences, t = d / (s /
    sqrt(J)) with J - 1 degrees of freedom.

    For random splits, the type I error rate at the 5% level is about 60% with 30 splits 2 : 1 and
    57% with 100 splits 9 : 1, and it grows with the number of splits: docs/evidence/folds.md has
    simulations with classifiers, and Dietterich (1998) advises never to use this test for them. If
    rounds have a correlation of n_test / (n_train + n_test), t is too large by a factor of sqrt(1 +
    J n_test / n_train).

    References
    ----------
    .. [1] T. G. Dietterich (1998), doi:10.1162/089976698300017197, section 3.3.

    Examples
    --------
    >>> import fastcompare as fc
    >>> a, b = [.80, .82, .79, .85, .81], [.78, .79, .80, .81, .78]
    >>> round(fc.ttest_resampled(a, b).statistic, 5)
    2.55745
    """
    test = UncorrectedTest("ttest_resampled", "resampled t-test", ("independent",))
    return ttest_rounds(scores_a, scores_b, test, **options)


@with_engine_options(ttest_rounds)
def ttest_kfold(
    scores_a: ScoreTable, scores_b: ArrayLike | None = None, **options: Unpack[RoundsOptions]
) -> TTestRoundsResult:
    """K-fold cross-validated t-test: Student's paired t-test of two models' scores by fold.

    For one k-fold cross-validation with both models on the same folds. The test ignores that folds
    share training cases, so its p-values are somewhat too small; for repeated cross-validation they
    are far too small: use `ttest_corrected`.

    Parameters
    ----------
    scores_a, scores_b
        As in `ttest_corrected`; one value per fold.
    design : {'kfold', 'independent', 'repeated-kfold', 'resampled', '5x2cv'}, optional
        Where the rounds come from; warns for all but the first two.

    Returns
    -------
    TTestRoundsResult
        As of `ttest_resampled`.

    Warns
    -----
    DesignWarning
        If `design` is neither 'kfold' nor 'independent', or is not specified with more than 20
        rounds, which usually come from repeated splits.
    UndefinedResultWarning
        If all differences are equal, but not 0.

    See Also
    --------
    ttest_corrected : Accounts for the shared cases, with n_test / n_train = 1 / (k - 1).
    ttest_5x2cv : Two-fold cross-validations, whose training sets do not overlap.

    Notes
    -----
    With the mean d and the standard deviation s of the k differences, t = d / (s /
    sqrt(k)) with k - 1 degrees of freedom.

    With 10 folds, the type I error rate at the 5% level is between 5% (nearest centroids) and 13%
    (nearest neighbours) in the simulations of docs/evidence/folds.md; Dietterich (1998) calls it
    somewhat elevated. If folds have a correlation of 1 / k, it is 15%. For 10 times 10 folds it is
    about 57%. No unbiased estimator of the variance of one k-fold cross-validation exists (Bengio
    and Grandvalet, 2004).

    References
    ----------
    .. [1] T. G. Dietterich (1998), doi:10.1162/089976698300017197.
    .. [2] Y. Bengio, Y. Grandvalet (2004), https://www.jmlr.org/papers/v5/grandvalet04a.html.

    Examples
    --------
    >>> import fastcompare as fc
    >>> a, b = [.80, .82, .79, .85, .81], [.78, .79, .80, .81, .78]
    >>> round(fc.ttest_kfold(a, b).pvalue, 4)
    0.0628
    """
    test = UncorrectedTest("ttest_kfold", "k-fold cross-validated t-test", ("kfold", "independent"))
    return ttest_rounds(scores_a, scores_b, test, **options)


@dataclass(frozen=True, eq=False, kw_only=True)
class TTestCorrectedResult(SizedRounds, TTestRoundsResult):
    """Result of `ttest_corrected`; `estimate` is means[0] - means[1]."""

    title: ClassVar[str] = "Corrected resampled t-test of Nadeau and Bengio"


@documented
def ttest_corrected(
    scores_a: ScoreTable,
    scores_b: ArrayLike | None = None,
    *,
    n_train: float | None = None,
    n_test: float | None = None,
    cv: object = None,
    design: DesignName | None = None,
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> TTestCorrectedResult:
    """Corrected resampled t-test of two models' scores in cross-validation or random splits.

    Valid for random splits and repeated k-fold cross-validation of one data set, with both models
    on the same splits; for a single k-fold cross-validation it is the best available test.

    Parameters
    ----------
    scores_a, scores_b : array-like of shape (J,)
        The two models' scores by any metric, one value per round, in the same order. Or omit
        `scores_b` and pass a table, mapping or data frame with two columns, whose names become
        model names.

    Returns
    -------
    TTestCorrectedResult
        With ``statistic`` (t), ``df`` (J - 1), ``pvalue``, ``log_pvalue``, ``estimate`` (the mean
        difference), ``standard_error``, ``means`` (2,), ``effect_size``, ``correlation``,
        ``names``, ``n`` (J, complete rounds), ``n_dropped``, ``n_train``, ``n_test``, ``status``,
        ``confidence_interval(confidence_level)`` and ``summary()``.

    Warns
    -----
    DesignWarning
        If `design` does not match the test, or J, `n_train` and `n_test`.
    UndefinedResultWarning
        If all differences are equal, but not 0.

    See Also
    --------
    ttest_corrected_pairwise_test : All pairs of several models.
    ttest_corrected_batch : Many comparisons in one call.
    ttest_resampled : The test without the correction.

    Notes
    -----
    With the mean d and the variance s^2 of the J differences::

        t = d / sqrt(s^2 (1 / J + n_test / n_train)),    df = J - 1

    The variance of the mean is s² (1 / J + n_test / n_train), since rounds that share cases have a
    correlation of about n_test / (n_train + n_test); k folds have n_test / n_train = 1 / (k - 1).
    So the significance does not grow without bound as rounds are added. The effect size is the mean
    difference divided by the standard deviation of one round, whose variance is s² (1 + n_test /
    n_train): s² alone is too small for correlated rounds. Differences within rounding error of
    their scores (2^-50 of them) count as equal, but as 0 only if the scores are equal.

    References
    ----------
    .. [1] C. Nadeau, Y. Bengio (2003), doi:10.1023/A:1024068626366.
    .. [2] R. R. Bouckaert, E. Frank (2004), doi:10.1007/978-3-540-24775-3_3.
    .. [3] D. J. Schuirmann (1987), doi:10.1007/BF01068419.

    Examples
    --------
    >>> import fastcompare as fc
    >>> a, b = [.80, .82, .79, .85, .81], [.78, .79, .80, .81, .78]
    >>> print(fc.ttest_corrected(a, b, n_train=80, n_test=20).summary())
    The two models do not differ significantly in mean score. The mean scores over 5 rounds are
    0.814 and 0.792, a difference of 0.022 (95% CI -0.01383 to 0.05783; corrected resampled t-test,
    t(4) = 1.705, p = 0.1634).
    """
    margin = check_amount("margin", margin, 0.0)
    check_alternative(alternative, margin)
    check_undefined(on_undefined)
    sizes = as_sizes(n_train, n_test, cv, design)
    rounds = as_rounds(scores_a, scores_b, nan_policy=nan_policy)
    warn_of_splits("ttest_corrected", rounds.scores.shape[1] + rounds.n_dropped, sizes)

    fields = paired_ttest_fields(rounds, alternative, margin, overlap=sizes.overlap)
    warn_status(fields["status"], on_undefined)

    return TTestCorrectedResult(
        **fields, n_train=sizes.n_train, n_test=sizes.n_test, method="corrected resampled t-test"
    )
