"""The tests that `compare` runs for scores of data sets, and why."""

from dataclasses import replace
from typing import Any

from ..._inputs.models import as_model_table
from ..._results.remarks import status_remarks
from ...ranks._posthoc import AGAINST_CONTROL, POSTHOC
from ...ranks._sequence import compare_datasets
from ..data import Analysis, Data, Query, Tests
from .cases import (
    after_omnibus,
    by_model_name,
    by_one_test,
    run_tests,
    uncapitalise,
)

LEAST = 6  # data sets: the least two-sided p-value of Wilcoxon's test is 2^(1 - n)
FEW_ROWS = (
    "{n} data sets are few: with fewer than 6, Wilcoxon's test of two models cannot "
    "reach the 5% level."
)


def analyse_datasets(data: Data, query: Query, tests: Tests | None = None) -> Analysis:
    """Return the tests of scores of data sets, as compare_datasets runs them."""
    columns = dict(data.columns)
    if tests is not None:
        return named_on_datasets(columns, query, tests)
    comparison = query.run(compare_datasets, columns, control=query.control)
    if len(columns) == 2:
        return analyse_two_on_datasets(columns, comparison, query)
    posthoc, control = comparison.posthoc, query.control
    test, how = POSTHOC["nemenyi"] if control is None else AGAINST_CONTROL["holm"]
    control_option = {} if control is None else {"control": control}

    def test_pairs() -> Any:
        """Return the tests of pairs, which `compare_datasets` runs only if its omnibus rejects."""
        return query.run(test, columns, **control_option) if posthoc is None else posthoc

    tested = after_omnibus(comparison.omnibus, test_pairs, query)
    why = () if tested.result is tested.omnibus else (how,)
    return rank_tests(tested, comparison.omnibus, (comparison.reasons[0], *why), query)


def rank_tests(tested: Analysis, omnibus: Any, reasons: tuple[str, ...], query: Query) -> Analysis:
    """Return the analysis with average ranks, of which lower is better, as the models' values.

    `omnibus` is a result that has these, `reasons` come before those of `tested`.
    """
    return replace(
        tested,
        reasons=(*reasons, *tested.reasons),
        values=by_model_name(dict.fromkeys(omnibus.names), omnibus.average_ranks),
        quantity="average rank",
        higher_is_better=False,
        higher_scores=bool(query.options["higher_is_better"]),
        checks=status_remarks(*tested.tests.values()),
    )


def named_on_datasets(columns: dict[str, Any], query: Query, tests: Tests) -> Analysis:
    """Return the tests of scores of data sets that were chosen by name."""
    policy = query.options["nan_policy"]
    tested = run_tests(tests, query, (columns,), {}, len(columns))
    title = uncapitalise(str(tested.result.title))
    reason = f"{len(columns)} models on the same data sets (paired): {title} (as specified)."
    of_ranks = next((x for x in tested.tests.values() if hasattr(x, "average_ranks")), None)
    if of_ranks is not None:
        return rank_tests(tested, of_ranks, (reason,), query)
    table = as_model_table(columns, rows="data sets", nan_policy=policy, name="data")
    return replace(
        tested,
        reasons=(reason, *tested.reasons),
        values=by_model_name(columns, table.values.mean(axis=0)),
        quantity="mean score",
        higher_is_better=bool(query.options["higher_is_better"]),
        checks=status_remarks(*tested.tests.values()),
    )


def analyse_two_on_datasets(columns: dict[str, Any], comparison: Any, query: Query) -> Analysis:
    """Return Wilcoxon's test of two models, and whether the data sets are too few for it."""
    policy = query.options["nan_policy"]
    table = as_model_table(columns, rows="data sets", nan_policy=policy, name="data")
    few = (FEW_ROWS.format(n=comparison.n),) if comparison.n < LEAST else ()
    return replace(
        by_one_test("wilcoxon_test", comparison.omnibus, *comparison.reasons),
        values=by_model_name(columns, table.values.mean(axis=0)),
        quantity="mean score",
        higher_is_better=bool(query.options["higher_is_better"]),
        checks=(*status_remarks(comparison.omnibus), *few),
    )
