"""The tests that `compare` runs for each kind of data, and why.

The tests that `compare` runs for scores of rounds and of data sets, and for battles.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._base.types import Matrix, NanPolicy, Undefined
from .._compare.auc.delong.omnibus import delong_omnibus_test
from .._compare.auc.delong.paired import delong_test
from .._compare.auc.delong.pairwise import delong_pairwise_test
from .._compare.datasets.rank_pairs import nemenyi_test
from .._compare.datasets.sequence import POSTHOC, compare_datasets
from .._compare.folds.anova import rm_anova_test
from .._compare.folds.assumptions import normality_report
from .._compare.folds.pairwise import Choices, right_tests
from .._compare.folds.student import ttest_resampled
from .._compare.items.bradley_terry import bradley_terry
from .._compare.items.covariance import (
    METHODS,
    MeanOmnibusResult,
    anova,
    mean_omnibus_test,
    omnibus_of,
)
from .._compare.items.paired import paired_mean_test
from .._compare.items.pairwise import mean_pairwise_test
from .._compare.labels.cochran import cochran_q_test
from .._compare.labels.mcnemar import mcnemar_test
from .._compare.labels.mcnemar_pairwise import mcnemar_pairwise_test
from .._compare.probabilities.losses import Unseen, forecast_losses, unseen_of
from .._compare.probabilities.scoring import scoring_test
from .._compare.probabilities.scoring_pairwise import scoring_pairwise_test
from .._inference.corrections.adjust import DISCOVERY
from .._inference.status import FEW_CASES, STATUSES
from .._inputs.items import JOINT, as_item_table
from .._inputs.models import ModelTable, as_model_table
from .._inputs.probabilities import as_probability_table
from .._inputs.rounds import Sizes
from .._results.records import Record, changed
from .held import Held, Played, Wishes, parameters_of

REJECTED = "The omnibus test rejects that the models are equal, so pairs are compared."
KEPT = (
    "The omnibus test does not reject that the models are equal, so pairs are not "
    "compared (gate=True): their differences may be due to chance."
)
UNKNOWN = "The omnibus test is undefined, so pairs are not compared (gate=True)."
UNGATED = (
    "All pairs are compared whatever the omnibus test finds: the adjustment for "
    "multiplicity alone controls the family-wise error rate."
)
UNADJUSTED = "All pairs are compared whatever the omnibus test finds."
NO_PAIR = (
    "The omnibus test rejects that the models are equal, but no single pair reaches "
    "significance: some models differ, but the data do not show which."
)
ONLY_PAIRS = (
    "The omnibus test does not reject that the models are equal, but {found} of "
    "{pairs} pairwise tests do: {why}."
)
OWN_LEVEL = (
    "it has less power when few models differ, and the adjusted pairwise tests "
    "control the family-wise error rate without it"
)
NO_LEVEL = "these p-values are not adjusted in a way that controls the family-wise error rate"
ALONE = (
    "No omnibus test supports weights, so pairs are compared directly: the "
    "adjustment for multiplicity alone controls the family-wise error rate."
)
SMALL = (
    f"With fewer than {FEW_CASES} cases of a class Student's t replaces z, which rejects too often."
)


def losses_omnibus(
    y_true: ArrayLike,
    table: Mapping[str, Any],
    *,
    groups: ArrayLike | None = None,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> MeanOmnibusResult:
    """Return the test that all models have equal mean Brier scores on the same cases."""
    reading: Any = {"pos_label": pos_label, "nan_policy": nan_policy}
    cases, names = as_probability_table(y_true, table, groups, **reading)
    losses = forecast_losses("brier", cases, None)
    columns = losses if len(losses) == len(names) else losses.T
    table = dict(zip(names, map(np.ascontiguousarray, columns), strict=True))
    items = as_item_table(table, nan_policy="raise", policies=JOINT, groups=cases.groups)
    test = anova
    first, second = np.triu_indices(len(names), 1)
    unseen = unseen_of("brier", cases, None, first, second, "auto")
    if unseen is not None:
        test = partial(anova, least=partial(with_unseen, unseen))
    title = METHODS["anova"][0] + (
        " with a variance that allows for unobserved rare cases" if unseen else ""
    )
    found = omnibus_of(items, title, test, on_undefined)
    told: MeanOmnibusResult = changed(found, {"_quantity": "Brier score", "unit": "case"})
    return told


def with_unseen(unseen: Unseen, variances: Matrix) -> Matrix:
    """Return variances (k, k) of differences of mean losses, at least those of unseen cases."""
    first, second = np.triu_indices(len(variances), 1)
    found = np.zeros_like(variances)
    found[first, second] = np.square(unseen.error(0.0, np.sqrt(variances[first, second])))
    return found + found.T


class Case(NamedTuple):
    """The tests of two models, of all and of all pairs; the field that a model's value is in."""

    two: Callable[..., Any]
    together: Callable[..., Any]
    pairs: Callable[..., Any]
    field: str
    quantity: str
    named: tuple[str, str]
    higher_is_better: bool = True


CASES = {
    "scores": Case(
        delong_test,
        delong_omnibus_test,
        delong_pairwise_test,
        "auc",
        "AUC",
        ("DeLong's test of their AUCs", "DeLong's tests of their AUCs"),
    ),
    "labels": Case(
        mcnemar_test,
        cochran_q_test,
        mcnemar_pairwise_test,
        "accuracy",
        "accuracy",
        ("McNemar's test", "Cochran's Q and McNemar's tests"),
    ),
    "probabilities": Case(
        scoring_test,
        losses_omnibus,
        scoring_pairwise_test,
        "losses",
        "Brier score",
        ("a paired t-test of their Brier scores", "paired t-tests of their Brier scores"),
        higher_is_better=False,
    ),
    "items": Case(
        paired_mean_test,
        mean_omnibus_test,
        mean_pairwise_test,
        "means",
        "mean score",
        ("a paired t-test of their mean scores", "paired t-tests of their mean scores"),
    ),
}


def play_cases(held: Held, wishes: Wishes) -> Played:
    """Return the tests of models on the same cases or items."""
    case, columns = CASES[held.kind], dict(held.columns)
    data = (columns,) if held.y_true is None else (held.y_true, columns)
    what = "items" if held.kind == "items" else "cases"
    paired = f"{len(columns)} models on the same {what} (paired)"
    clusters = ", in clusters" if "groups" in held.options else ""
    higher = case.higher_is_better
    if held.kind == "items":
        told = held.higher_is_better
        higher = bool(wishes.options["higher_is_better"] if told is None else told)
    if len(columns) > 2:
        omnibus, result, tests, more = several_models(held, wishes, case, data)
    else:
        result, more = wishes.run(case.two, *data, **held.options), ()
        omnibus, tests = None, {case.two.__name__: result}
    if held.kind == "scores" and not held.options and few_cases(result):
        more = (SMALL, *more)
    named = case.named[len(columns) > 2]
    together = "" if omnibus is None else " omnibus and pairwise,"
    reasons = (f"{paired}{clusters}:{together} {named}.", *more)
    return Played(
        omnibus=omnibus,
        result=result,
        tests=tests,
        reasons=reasons,
        values=along(columns, value_of(tests, case.field)),
        quantity=case.quantity,
        higher_is_better=higher,
        checks=checked(*tests.values()),
    )


def few_cases(result: Any) -> bool:
    """Return whether DeLong's tests go by Student's t, as they do where a class is small."""
    return bool(min(result.n_positive, result.n_negative) < FEW_CASES)


def several_models(
    held: Held, wishes: Wishes, case: Case, data: tuple[Any, ...]
) -> tuple[Any, Any, dict[str, Record], tuple[str, ...]]:
    """Return the tests of all models, then of pairs; at once, where the former lacks an option."""
    if not set(held.options) <= parameters_of(case.together):
        pairs = wishes.run(case.pairs, *data, **held.options)
        return None, pairs, {"pairs": pairs}, (ALONE,)
    omnibus = wishes.run(case.together, *data, **held.options)
    pairs, told = beside(omnibus, lambda: wishes.run(case.pairs, *data, **held.options), wishes)
    return omnibus, *reported(omnibus, pairs), (told,)


def beside(omnibus: Any, pairs: Callable[[], Any], wishes: Wishes) -> tuple[Any, str]:
    """Return the tests of pairs, or None where the gate stays shut, and why."""
    if wishes.gate and not omnibus.pvalue <= wishes.alpha:
        return None, UNKNOWN if np.isnan(omnibus.pvalue) else KEPT
    found = pairs()
    if wishes.gate:
        return found, REJECTED
    return found, UNGATED if keeps_level(found) else UNADJUSTED


def keeps_level(pairs: Any) -> bool:
    """Return whether the correction of pairs bounds the chance of any wrong one."""
    joint = hasattr(pairs, "critical_difference")  # Nemenyi's p-values are of all pairs
    return joint or pairs.correction not in ("none", *DISCOVERY)


def reported(omnibus: Record, pairs: Record | None) -> tuple[Record, dict[str, Record]]:
    """Return the result to report, and all tests."""
    if pairs is None:
        return omnibus, {"omnibus": omnibus}
    return pairs, {"omnibus": omnibus, "pairs": pairs}


def discord(omnibus: Any, result: Any, alpha: float) -> str:
    """Return a sentence where the omnibus test and the pairs tell different things, or none."""
    if omnibus is None or result is omnibus or np.isnan(omnibus.pvalue):
        return ""
    found = int(np.count_nonzero(result.adjusted_pvalue <= alpha))
    if omnibus.pvalue <= alpha:
        return "" if found else NO_PAIR
    if not found:
        return ""
    why = OWN_LEVEL if keeps_level(result) else NO_LEVEL
    return ONLY_PAIRS.format(found=found, pairs=len(result.pairs), why=why)


def value_of(tests: Mapping[str, Any], field: str) -> Any:
    """Return the models' values from the first test that has them; losses are means, too."""
    first = next(iter(tests.values()))
    return getattr(first, field) if hasattr(first, field) else first.means


def along(columns: Mapping[str, Any], values: Any) -> dict[str, float]:
    """Return a number a model by name."""
    return dict(zip(columns, np.asarray(values, dtype=float).tolist(), strict=True))


def checked(*tests: Any) -> tuple[str, ...]:
    """Return the sentences on what the results themselves call rough or undefined."""
    words = {word for test in tests for word in np.atleast_1d(test.status).tolist()}
    told = [STATUSES[word].meaning for word in sorted(words) if word in STATUSES]
    return tuple(f"{meaning[0].upper()}{meaning[1:]}." for meaning in told if meaning)


UNLIKELY = 0.01  # adjusted p-value of Shapiro and Wilk's test
HARDLY = "The differences of {pair} depart from normality (Shapiro-Wilk test, adjusted p = {p:.2g})"
NOT_NORMAL = (
    f"{HARDLY}. The t-test is kept: distribution-free tests ignore the dependence between rounds, "
    "and means of many cases are approximately normal."
)
FREE = f"{HARDLY}: wilcoxon_test makes weaker assumptions."
STRENGTHS = "Bradley-Terry strengths, which account for the opponents."
AT_ONCE = (
    "All pairs are compared directly: the adjustment for multiplicity alone controls "
    "the family-wise error rate."
)
LEAST = 6  # data sets: the least two-sided p-value of Wilcoxon's test is 2^(1 - n)
FEW_ROWS = (
    "{n} data sets are few: with fewer than 6, Wilcoxon's test of two models cannot "
    "reach the 5% level."
)


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
        quantity=f"mean {held.metric}",
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
    tests, reason = right_tests(
        columns, Sizes(*held.sizes), choices, scheme=held.design, metric=held.metric
    )
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
        reason = "Two models, rounds without shared cases: Student's paired t-test."
        return Rounds(None, result, {"ttest_resampled": result}, (reason,))
    omnibus = wishes.run(rm_anova_test, columns)
    pairs, told = beside(omnibus, lambda: wishes.run(mean_pairwise_test, columns), wishes)
    reason = (
        f"{len(columns)} models, rounds without shared cases: repeated-measures ANOVA and "
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
