"""The tests that `compare` runs for scores of rounds and of data sets, and for battles."""

from typing import Any, NamedTuple

import numpy as np

from .._compare.datasets.nemenyi import nemenyi_test
from .._compare.datasets.sequence import POSTHOC, compare_datasets
from .._compare.folds.anova import rm_anova_test
from .._compare.folds.comparison import Choices, Sizes, right_tests
from .._compare.folds.normality import normality_report
from .._compare.folds.uncorrected import ttest_resampled
from .._compare.items.bradley_terry import bradley_terry
from .._compare.items.pairwise import mean_pairwise_test
from .._inputs.models import ModelTable, as_model_table
from .._results.records import Record
from .held import Held, Played, Wishes
from .plays import along, beside, checked, reported

UNLIKELY = 0.01  # adjusted p-value of Shapiro and Wilk's test
HARDLY = "The differences of {pair} are hardly normal (Shapiro and Wilk's adjusted p = {p:.2g})"
NOT_NORMAL = (
    f"{HARDLY}. The test stays: no test without a distribution knows that rounds depend, and means "
    "of many cases are nearly normal."
)
FREE = f"{HARDLY}: wilcoxon_test asks less."
STRENGTHS = "strengths by Bradley and Terry's model, which account for the opponents."
AT_ONCE = "All pairs are compared at once: the correction for their number keeps the level alone."
LEAST = 6  # data sets: the least two-sided p-value of Wilcoxon's test is 2^(1 - n)
FEW_ROWS = "{n} data sets are few: Wilcoxon's test of two models cannot reach 5 % below 6."


def play_folds(held: Held, wishes: Wishes) -> Played:
    """Return the tests of scores by round."""
    policy = wishes.options["nan_policy"]
    table = as_model_table(held.columns, rows="rounds", nan_policy=policy, name="data")
    columns = dict(zip(table.names, map(np.ascontiguousarray, table.values.T), strict=True))
    if held.design == "independent":
        found = play_independent(columns, wishes)
    else:
        found = play_shared(held, columns, wishes)
    return Played(
        omnibus=found.omnibus,
        result=found.result,
        tests=found.tests,
        reasons=found.reasons,
        values=along(columns, table.values.mean(axis=0)),
        quantity="mean score",
        higher_is_better=bool(wishes.options["higher_is_better"]),
        checks=(*checked(*found.tests.values()), *are_normal(table, held.design)),
    )


class Rounds(NamedTuple):
    """The tests of scores by round, the first to report, and why these."""

    omnibus: Record | None
    result: Record
    tests: dict[str, Record]
    reasons: tuple[str, ...]


def play_shared(held: Held, columns: dict[str, Any], wishes: Wishes) -> Rounds:
    """Return the tests of rounds that share training cases, as compare_estimators runs them."""
    assert held.sizes is not None
    options = wishes.options
    choices = Choices(
        options["alternative"], options.get("correction", "auto"), options["on_undefined"]
    )
    tests, reason = right_tests(columns, Sizes(*held.sizes), choices, scheme=held.design)
    omnibus: Any = tests.get("rm_anova_test")
    if omnibus is None:
        return Rounds(None, next(iter(tests.values())), tests, (reason,))
    pairs, told = beside(omnibus, lambda: tests["ttest_corrected_pairwise_test"], wishes)
    if pairs is None:
        return Rounds(omnibus, omnibus, {"rm_anova_test": omnibus}, (reason, told))
    return Rounds(omnibus, pairs, tests, (reason, told))


def play_independent(columns: dict[str, Any], wishes: Wishes) -> Rounds:
    """Return the tests of rounds that share no cases."""
    if len(columns) == 2:
        result = wishes.run(ttest_resampled, columns, design="independent")
        reason = "Two models in rounds that share no cases: Student's paired t-test."
        return Rounds(None, result, {"ttest_resampled": result}, (reason,))
    omnibus = wishes.run(rm_anova_test, columns)
    pairs, told = beside(omnibus, lambda: wishes.run(mean_pairwise_test, columns), wishes)
    reason = (
        f"{len(columns)} models in rounds that share no cases: repeated-measures ANOVA and "
        "paired t-tests."
    )
    return Rounds(omnibus, *reported(omnibus, pairs), (reason, told))


def are_normal(table: ModelTable, design: str) -> tuple[str, ...]:
    """Return a sentence on the pair whose differences are the least normal, if they are not."""
    if not 3 <= len(table.values) <= 5000:
        return ()
    columns = dict(zip(table.names, table.values.T, strict=True))
    report = normality_report(columns, on_undefined="ignore")
    p = np.where(np.isnan(report.adjusted_pvalue), 1.0, report.adjusted_pvalue)
    least = int(np.argmin(p))
    if not p.size or p[least] >= UNLIKELY:
        return ()
    words = FREE if design == "independent" else NOT_NORMAL
    return (words.format(pair=" and ".join(report.pairs[least]), p=float(p[least])),)


def play_datasets(held: Held, wishes: Wishes) -> Played:
    """Return the tests of scores of data sets, as compare_datasets runs them."""
    columns = dict(held.columns)
    found = wishes.run(compare_datasets, columns)
    if len(columns) == 2:
        return play_two_on_datasets(columns, found, wishes)
    post = found.posthoc
    pairs, told = beside(
        found.omnibus,
        lambda: wishes.run(nemenyi_test, columns) if post is None else post,
        wishes,
    )
    how = () if pairs is None else (POSTHOC["nemenyi"][1],)
    result, tests = reported(found.omnibus, pairs)
    return Played(
        omnibus=found.omnibus,
        result=result,
        tests=tests,
        reasons=(found.reasons[0], *how, told),
        values=along(columns, found.omnibus.average_ranks),
        quantity="average rank",
        higher_is_better=False,
        checks=checked(*tests.values()),
    )


def play_two_on_datasets(columns: dict[str, Any], found: Any, wishes: Wishes) -> Played:
    """Return Wilcoxon's test of two models, and whether the data sets are too few for it."""
    policy = wishes.options["nan_policy"]
    table = as_model_table(columns, rows="data sets", nan_policy=policy, name="data")
    few = (FEW_ROWS.format(n=found.n),) if found.n < LEAST else ()
    return Played(
        omnibus=None,
        result=found.omnibus,
        tests={"wilcoxon_test": found.omnibus},
        reasons=found.reasons,
        values=along(columns, table.values.mean(axis=0)),
        quantity="mean score",
        higher_is_better=bool(wishes.options["higher_is_better"]),
        checks=(*checked(found.omnibus), *few),
    )


def play_battles(held: Held, wishes: Wishes) -> Played:
    """Return the strengths of models by their battles, and the tests of all pairs."""
    assert held.battles is not None
    fit = wishes.run(bradley_terry, *held.battles, **held.options)
    pairs = wishes.run(fit.pairwise)
    clusters = ", in clusters" if "groups" in held.options else ""
    strengths = f"{len(fit.names)} models in {fit.n} battles{clusters}: {STRENGTHS}"
    return Played(
        omnibus=None,
        result=pairs,
        tests={"bradley_terry": fit, "pairs": pairs},
        reasons=(strengths, *([AT_ONCE] * (len(fit.names) > 2))),
        values=along(dict.fromkeys(fit.names), fit.strengths),
        quantity="strength",
        checks=checked(fit),
    )
