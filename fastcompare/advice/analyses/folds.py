"""The tests that `compare` runs for scores by round, and why."""

import math
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ..._inference.pvalues import f_pvalue, student_quantile, student_tail
from ..._inference.unseen import ALPHA
from ..._inputs.models import ModelTable, as_model_table
from ..._inputs.options import has_direction
from ..._inputs.rounds import Sizes
from ..._results.remarks import status_remarks
from ...folds._anova import rm_anova_test
from ...folds._assumptions import normality_report
from ...folds._pairwise import ClaimOptions, choose_tests
from ...folds._student import ttest_resampled
from ...items._pairwise import mean_pairwise_test
from ..data import Analysis, Data, Query, Tests
from .cases import (
    after_omnibus,
    by_model_name,
    by_one_test,
    run_tests,
    uncapitalise,
    with_dropped_rows,
    with_metric,
)

SIZES = ("n_train", "n_test")
SMALL_NORMALITY_PVALUE = 0.01  # adjusted p-value of Shapiro and Wilk's test
NOT_NORMAL_PAIR = (
    "The differences of {pair} depart from normality (Shapiro-Wilk test, adjusted p = {p:.2g})"
)
NOT_NORMAL = (
    f"{NOT_NORMAL_PAIR}. The t-test is kept: distribution-free tests ignore the dependence "
    "between rounds, and means of many cases are approximately normal."
)
NOT_NORMAL_INDEPENDENT = f"{NOT_NORMAL_PAIR}: wilcoxon_test makes weaker assumptions."
INDEPENDENT_ROUNDS = "independent rounds (without shared cases, or runs on one split)"
DESIGNS_KEEPING_LEVEL = ("independent", "kfold")  # whatever is learned: docs/evidence/folds.md
VARIANCE_FACTOR = 1.5  # of a mean: tests that allow for it err in 6% (docs/evidence/folds.md)
CORRELATED = (
    "The correlation of rounds that share cases is approximate. It is higher for learners that "
    "depend on few cases, as nearest neighbours do, and tests at 5% then err in 10 to 13% "
    "(docs/evidence/folds.md): with 1.5 times the variance p would be {p:.2g}."
)


def analyse_folds(data: Data, query: Query, tests: Tests | None = None) -> Analysis:
    """Return the tests of scores by round."""
    policy = query.options["nan_policy"]
    table = as_model_table(data.columns, rows="rounds", nan_policy=policy, name="data")
    columns = table.columns
    if tests is not None:
        tested = named_rounds(data, columns, query, tests)
    else:
        analyse = analyse_independent if data.design == "independent" else analyse_shared
        tested = analyse(data, columns, query)
    return replace(
        with_dropped_rows(tested, table.n_dropped),
        values=by_model_name(columns, table.values.mean(axis=0)),
        quantity=f"mean {data.metric}",
        higher_is_better=bool(query.options["higher_is_better"]),
        checks=(
            *status_remarks(*tested.tests.values()),
            *normality_note(table, data.design),
            *correlation_note(tested, data.design),
        ),
    )


def named_rounds(data: Data, columns: dict[str, Any], query: Query, tests: Tests) -> Analysis:
    """Return the tests of scores by round that were chosen by name."""
    sizes = {} if data.sizes is None else dict(zip(SIZES, data.sizes, strict=True))
    options = {**sizes, "design": data.design}
    tested = run_tests(tests, query, (columns,), options, len(columns))
    title = uncapitalise(str(tested.result.title))
    reason = f"{len(columns)} models, the same rounds (paired): {title} (as specified)."
    analysis = replace(tested, reasons=(reason, *tested.reasons))
    return analysis if data.metric == "score" else with_metric(analysis, data.metric)


def analyse_shared(data: Data, columns: dict[str, Any], query: Query) -> Analysis:
    """Return the tests of rounds that share training cases, as compare_estimators runs them."""
    assert data.sizes is not None
    options = query.options
    choices = ClaimOptions(
        options["alternative"], options.get("correction", "auto"), options["on_undefined"]
    )
    tests, reason = choose_tests(
        columns, Sizes(*data.sizes), choices, scheme=data.design, metric=data.metric
    )
    query.record(tests, ("alternative", "correction"))
    if len(columns) == 2:
        test, *_ = tests.values()  # of 5x2 cross-validation the F test, before the t-test
        return Analysis(omnibus=None, result=test, tests=tests, reasons=(reason,))
    omnibus, pairs = tests.values()
    tested = after_omnibus(omnibus, lambda: pairs, query, list(tests))
    return replace(tested, reasons=(reason, *tested.reasons))


def analyse_independent(data: Data, columns: dict[str, Any], query: Query) -> Analysis:
    """Return the tests of rounds that share no cases."""
    if len(columns) == 2:
        result = query.run(ttest_resampled, columns, design="independent")
        reason = f"Two models, {INDEPENDENT_ROUNDS}: Student's paired t-test."
        return by_one_test("ttest_resampled", result, reason)
    omnibus = query.run(rm_anova_test, columns)
    tested = after_omnibus(omnibus, partial(query.run, mean_pairwise_test, columns), query)
    reason = (
        f"{len(columns)} models, {INDEPENDENT_ROUNDS}: repeated-measures ANOVA and paired t-tests."
    )
    return replace(tested, reasons=(reason, *tested.reasons))


def normality_note(table: ModelTable, design: str) -> tuple[str, ...]:
    """Return the note on the pair whose differences are the least normal; none if all may be."""
    if not 3 <= len(table.values) <= 5000:  # rounds for which Shapiro and Wilk's test is defined
        return ()
    report = normality_report(table.columns, on_undefined="ignore")
    p = np.where(np.isnan(report.adjusted_pvalue), 1.0, report.adjusted_pvalue)
    least = int(np.argmin(p))
    if not p.size or p[least] >= SMALL_NORMALITY_PVALUE:
        return ()
    words = NOT_NORMAL_INDEPENDENT if design == "independent" else NOT_NORMAL
    return (words.format(pair=" and ".join(report.pairs[least]), p=float(p[least])),)


def correlation_note(analysis: Analysis, design: str) -> tuple[str, ...]:
    """Return a note if a significant result would not be so with more strongly correlated rounds.

    The result is the omnibus test if there is one; the note is one text, or none.
    """
    test: Any = analysis.result if analysis.omnibus is None else analysis.omnibus
    if design in DESIGNS_KEEPING_LEVEL or not getattr(test, "pvalue", math.nan) <= ALPHA:
        return ()
    p = pvalue_with_variance_factor(test, VARIANCE_FACTOR)
    return (CORRELATED.format(p=p),) if p > ALPHA else ()


def pvalue_with_variance_factor(test: Any, times: float) -> float:
    """Return the p-value of a test of rounds if the mean had `times` its variance.

    That divides F by `times`, and t by the root of it.
    """
    if isinstance(test.df, tuple):  # F
        return float(f_pvalue(test.statistic / times, *test.df).pvalue)
    sides = 1.0 if has_direction(test.alternative) else 2.0
    t = student_quantile(test.pvalue / sides, test.df) / math.sqrt(times)
    return float(sides * student_tail(t, test.df))
