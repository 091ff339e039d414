"""The corrected resampled t-test of every pair of k models, and the choice of tests by scheme.

`choose_tests` chooses by the number of models and the scheme of the rounds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.documented import documented
from .._base.types import Direction, Fields, NanPolicy, PairCorrection, Undefined, Vector
from .._inference.corrections.adjust import as_pair_claims
from .._inference.corrections.pairs import check_models
from .._inference.pvalues import interval_ends, ratios, student_quantile, upper_tail
from .._inputs.models import ModelTable, as_model_table
from .._inputs.options import check_flag, check_undefined, has_direction
from .._inputs.rounds import Sizes, as_sizes, refuse_range
from .._inputs.scores import ScoreTable
from .._results.pairs import IdenticalPairs, PairsResult, all_pairs, pair_fields, warn_pairs
from .._results.records import ByReference, Record
from ..kernels.tables.folds import moments_of_pairs
from ._anova import RMAnovaResult, rm_anova_test
from ._student import (
    DesignName,
    MetricResult,
    SizedRounds,
    column_means,
    equal_rounds_bound,
    t_statistics,
    ttest_corrected,
    warn_of_splits,
)
from ._two_models import ftest_5x2cv, ttest_5x2cv


@dataclass(frozen=True, eq=False, kw_only=True)
class TTestCorrectedPairwiseResult(SizedRounds, MetricResult, ByReference, PairsResult):
    """Result of `ttest_corrected_pairwise_test`; arrays over the P = k (k - 1) / 2 pairs.

    Simultaneous intervals are Bonferroni's, since every pair has its own variance: in 1,500 tables
    of 10 rounds and 4 models these covered 95.0%, those by the joint t with the estimated
    covariance of the models 91.9%.
    """

    means: Vector
    standard_error: Vector
    effect_size: Vector
    df: int
    omnibus: RMAnovaResult | None
    n: int
    method: NDArray[np.str_]

    title: ClassVar[str] = "Corrected resampled t-tests of all pairs of models"
    quantity: ClassVar[Any] = MetricResult._quantity
    _claim: ClassVar[str] = "scores {more} than"
    _presented: ClassVar[str] = "folds"
    # the sentence of the omnibus test already has the number of rounds
    _follows_sample: ClassVar[Any] = property(lambda self: self.omnibus is None)

    def _summary(self) -> str:
        """Return the result in sentences of plain words, at the level `alpha` (5%)."""
        if self.omnibus is None:
            return super()._summary()
        if (self.status == "gated").all():  # the omnibus test is not significant
            return f"{self.omnibus._sentences()} No pairwise comparisons follow."
        return f"{self.omnibus._sentences()} {super()._summary()}"

    def _ends(self, level: float) -> tuple[Vector, Vector]:
        """Return the ends of the t intervals; 0 to 0 for equal models, NaN without variance."""
        quantile = student_quantile(upper_tail(level, self.alternative), self.df)
        ends = interval_ends(
            self.estimate, self.standard_error, self.alternative, quantile, self.bounds
        )
        point = np.where(self.estimate == 0.0, 0.0, math.nan)
        low, high = (np.where(self.standard_error > 0.0, end, point) for end in ends)
        return low, high


@documented
def ttest_corrected_pairwise_test(
    scores: ScoreTable,
    *,
    n_train: float | None = None,
    n_test: float | None = None,
    cv: object = None,
    design: DesignName | None = None,
    alternative: Direction = "two-sided",
    correction: PairCorrection = "auto",
    alpha: float = 0.05,
    gate: bool = False,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> TTestCorrectedPairwiseResult:
    """Compare k models in pairs by the corrected resampled t-test, with adjusted p-values.

    Valid for the designs of `ttest_corrected`, all models on the same splits.

    Parameters
    ----------
    scores : array-like of shape (J, k), mapping or data frame
        Scores by any metric, one row per round and one column per model, at least two; column names
        become model names.
    alpha : float, default=0.05
        Significance level of the gate, the summary and ``cliques``.
    gate : bool, default=False
        Test pairs only if the corrected `rm_anova_test` of all models has p <= `alpha`; otherwise
        their p-values are NaN. Adjusted p-values do not require a gate.

    Returns
    -------
    TTestCorrectedPairwiseResult
        With ``names``, ``means`` (k,), ``pairs`` (P names), ``omnibus`` (the result of the gate,
        or None), and of shape (P,) ``estimate``, ``standard_error``, ``effect_size``,
        ``statistic``, ``pvalue``, ``log_pvalue``, ``adjusted_pvalue``, ``status``, ``method``;
        ``cliques``, ``df``, ``n``, ``n_dropped``; methods ``matrix(field)``,
        ``confidence_interval(confidence_level, simultaneous=False)``, ``summary()`` and
        ``to_dict()``.

    Warns
    -----
    DesignWarning
        If `design` does not match the test, or J, `n_train` and `n_test`.
    UndefinedResultWarning
        If all differences of a pair are equal, but not 0.

    See Also
    --------
    rm_anova_test : One test of all models.
    ttest_corrected : One pair.

    Notes
    -----
    Each pair is tested as in `ttest_corrected`: t = d / sqrt(s^2 (1 / J + n_test / n_train)), with
    J - 1 degrees of freedom.

    References
    ----------
    .. [1] C. Nadeau, Y. Bengio (2003), doi:10.1023/A:1024068626366.
    .. [2] J. P. Shaffer (1986), doi:10.1080/01621459.1986.10478341.

    Examples
    --------
    >>> import fastcompare as fc
    >>> scores = {"forest": [.91, .92, .90, .93, .91], "tree": [.80, .82, .79, .80, .82],
    ...           "bayes": [.81, .80, .82, .79, .81]}
    >>> print(fc.ttest_corrected_pairwise_test(scores, n_train=80, n_test=20).summary())
    2 of 3 differences in mean score are significant at the 5% level (corrected resampled
    t-test, Shaffer-adjusted): forest scores higher than tree by 0.1080 (adjusted p = 0.0012)
    and than bayes by 0.1080 (adjusted p = 0.0021). There were 5 rounds.
    """
    claims = as_pair_claims(alternative, correction, alpha)
    check_undefined(on_undefined)
    gate = check_flag("gate", gate)
    sizes = as_sizes(n_train, n_test, cv, design)
    table = as_model_table(scores, rows="rounds", nan_policy=nan_policy)
    check_models(len(table.names), claims.correction)
    warn_of_splits("ttest_corrected_pairwise_test", len(table.values) + table.n_dropped, sizes)

    fields, pvalue = ttest_pairs(table, sizes.overlap, alternative)
    omnibus = corrected_omnibus(table, sizes) if gate else None
    if omnibus is not None and omnibus.pvalue > claims.alpha:
        pvalue[:] = math.nan
        fields["status"][:] = "gated"
    warn_pairs(all_pairs(table.names), fields["status"], on_undefined)

    return TTestCorrectedPairwiseResult(
        **pair_fields(table.names, pvalue, claims.correction, alternative),
        **fields,
        omnibus=omnibus,
        alpha=claims.alpha,
        n_train=sizes.n_train,
        n_test=sizes.n_test,
        _unvaried=IdenticalPairs.of(
            fields["estimate"],
            fields["standard_error"],
            equal_rounds_bound(1.0 / (1.0 / fields["n"] + sizes.overlap)),
        ),
    )


def ttest_pairs(table: ModelTable, overlap: float, alternative: str) -> tuple[Fields, Vector]:
    """Return the fields of all pairs' tests, and their unadjusted p-values.

    Arrays have shape (P,), one entry for each of the P pairs; `overlap` is n_test / n_train.
    """
    n = len(table.values)
    estimate, squared_deviations = pairs_moments(table)
    t, error, pvalue = t_statistics(estimate, squared_deviations, n, overlap, alternative)
    fields: Fields = {
        "means": column_means(table.values),
        "estimate": estimate,
        "standard_error": error,
        "effect_size": ratios(estimate, np.sqrt(squared_deviations / (n - 1) * (1.0 + overlap))),
        "statistic": t,
        "df": n - 1,
        "status": pairs_status(t, error),
        "method": np.full(t.shape, "corrected resampled t-test"),
        "n": n,
        "n_dropped": table.n_dropped,
    }
    return fields, pvalue


def pairs_moments(table: ModelTable) -> tuple[Vector, Vector]:
    """Return the means and the sums of squared deviations (P,) of all pairs' differences."""
    models = np.ascontiguousarray(table.relative.T)
    estimate, squared_deviations = np.empty((2, len(models) * (len(models) - 1) // 2))
    moments_of_pairs(models, estimate, squared_deviations)
    if not (squared_deviations < math.inf).all():
        refuse_range("scores")
    return estimate, squared_deviations


def pairs_status(t: Vector, standard_error: Vector) -> NDArray[np.str_]:
    """Return the status word of every pair: 'ok', 'no_difference' or 'zero_variance'."""
    status = np.full(t.shape, "ok", dtype="U16")
    status[standard_error == 0.0] = "no_difference"
    status[np.isinf(t)] = "zero_variance"  # a difference other than 0 over an error of 0
    return status


def corrected_omnibus(table: ModelTable, sizes: Sizes) -> RMAnovaResult:
    """Return the corrected ANOVA of all models, without a warning where it is undefined."""
    columns = dict(zip(table.names, table.values.T, strict=True))
    return rm_anova_test(columns, n_train=sizes.n_train, n_test=sizes.n_test, on_undefined="ignore")


HALVES_REASON = (
    "Two models in five two-fold cross-validations: Alpaydin's combined F-test, which uses all ten "
    "differences and has more power than Dietterich's t-test, which uses the first."
)
DIRECTED_HALVES_REASON = (
    "Two models in five two-fold cross-validations, and a direction: Dietterich's t-test, since "
    "the combined F-test has none."
)
TWO_MODELS_REASON = (
    "Two models in {n} rounds that share training cases: the t-test with Nadeau and Bengio's "
    "correction, without which p-values would be too small."
)
SEVERAL_MODELS_REASON = (
    "{k} models in {n} rounds that share training cases: repeated-measures ANOVA tests whether any "
    "differ and t-tests of all pairs show which, both with Nadeau and Bengio's correction, without "
    "which p-values would be too small."
)
INCOMPLETE_HALVES = " The tests for 5x2cv need all ten rounds, and {n} are complete."


@dataclass(frozen=True, eq=False, kw_only=True)
class FoldComparisonResult(Record):
    """Scores of models in the same rounds, with the tests that are right for them.

    `tests` has the results by the names of their functions, first the one to report.
    """

    names: tuple[str, ...]
    means: Vector
    scores: Vector
    scoring: str
    n: int
    n_dropped: int
    n_train: float
    n_test: float
    tests: Mapping[str, Any]
    reason: str
    status: str
    title: ClassVar[str] = "Models compared by their scores in the same rounds"
    _row: ClassVar[str] = "round"
    _sheets: ClassVar[str] = "together"
    _picture: ClassVar[str] = "tests"

    @property
    def _quantity(self) -> str:
        """What the models' values are, in the words of the tests' sentences."""
        return next((f"mean {test.metric}" for test in self.tests.values()), "mean score")

    def _summary(self) -> str:
        """Return the sentences of the tests, fit for a paper."""
        tests = list(self.tests.values())
        if "ftest_5x2cv" in self.tests:  # the t-test answers the same question
            tests = tests[:1]
        return " ".join(test._sentences() for test in tests)


class ClaimOptions(NamedTuple):
    """The options of tests that a user chooses."""

    alternative: Direction
    correction: str
    on_undefined: Undefined

    def check(self, models: int = 2) -> ClaimOptions:
        """Return the options, or raise, before any model is fitted, if no test can follow them."""
        check_undefined(self.on_undefined)
        claims = as_pair_claims(self.alternative, self.correction)
        check_models(models, claims.correction)
        return self


class ChosenTests(NamedTuple):
    """Results by the names of their functions, the one to report first, and why these tests."""

    results: dict[str, Any]
    reason: str


def choose_tests(
    columns: Mapping[str, Vector], sizes: Sizes, choices: ClaimOptions, *, scheme: str, metric: str
) -> ChosenTests:
    """Return the tests that suit the number of models and the scheme, with the metric's name.

    `columns` are the models' scores in at least two complete rounds.
    """
    results, reason = tests_by_scheme(columns, sizes, choices, scheme)
    # the tests of halves get arrays, which have no names
    labels = {"metric": metric, "names": tuple(map(str, columns))}
    return ChosenTests({name: replace(test, **labels) for name, test in results.items()}, reason)


def tests_by_scheme(
    columns: Mapping[str, Vector], sizes: Sizes, choices: ClaimOptions, scheme: str
) -> ChosenTests:
    """Return the tests that suit the number of models and the scheme, and the reason."""
    k = len(columns)
    first_scores, *_ = columns.values()
    n = first_scores.size
    if k > 2:
        reason = SEVERAL_MODELS_REASON.format(k=k, n=n)
        return ChosenTests(tests_of_many(columns, sizes, choices), reason)
    if scheme == "5x2cv" and n == 10:
        return tests_of_halves(columns, choices)
    test = ttest_corrected(
        columns,
        n_train=sizes.n_train,
        n_test=sizes.n_test,
        alternative=choices.alternative,
        on_undefined=choices.on_undefined,
    )
    reason = TWO_MODELS_REASON.format(n=n)
    if scheme == "5x2cv":  # with fewer than ten rounds
        reason += INCOMPLETE_HALVES.format(n=n)
    return ChosenTests({"ttest_corrected": test}, reason)


def tests_of_many(
    columns: Mapping[str, Vector], sizes: Sizes, choices: ClaimOptions
) -> dict[str, Record]:
    """Return the ANOVA of more than two models, and the t-tests of all pairs."""
    sized = sizes._replace(cv=None)._asdict()  # n_train and n_test suffice
    omnibus = rm_anova_test(columns, **sized, on_undefined=choices.on_undefined)
    pairs = ttest_corrected_pairwise_test(columns, **sized, **choices._asdict())
    return {"rm_anova_test": omnibus, "ttest_corrected_pairwise_test": pairs}


def tests_of_halves(columns: Mapping[str, Vector], choices: ClaimOptions) -> ChosenTests:
    """Return the tests of two models in five two-fold cross-validations, and the reason.

    Dietterich's t-test of a direction, otherwise Alpaydin's F-test first.
    """
    a, b = (column.reshape(5, 2) for column in columns.values())
    undefined = choices.on_undefined
    if has_direction(choices.alternative):
        test = ttest_5x2cv(a, b, alternative=choices.alternative, on_undefined=undefined)
        return ChosenTests({"ttest_5x2cv": test}, DIRECTED_HALVES_REASON)
    omnibus = ftest_5x2cv(a, b, on_undefined=undefined)
    test = ttest_5x2cv(a, b, on_undefined="ignore")  # the F-test has warned
    return ChosenTests({"ftest_5x2cv": omnibus, "ttest_5x2cv": test}, HALVES_REASON)
