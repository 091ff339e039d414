"""The tests that `compare` runs for each kind of data, and why."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._base.types import Matrix, NanPolicy, Undefined
from .._compare.auc.delong.paired import delong_test
from .._compare.datasets.rank_pairs import nemenyi_test
from .._compare.datasets.sequence import POSTHOC, compare_datasets
from .._compare.folds.anova import rm_anova_test
from .._compare.folds.assumptions import normality_report
from .._compare.folds.pairwise import Choices, right_tests
from .._compare.folds.student import ttest_resampled
from .._compare.items.bradley_terry import bradley_terry
from .._compare.items.covariance import METHODS, MeanOmnibusResult, anova, omnibus_of
from .._compare.items.pairwise import mean_pairwise_test
from .._compare.probabilities.losses import Unseen, forecast_losses, unseen_of
from .._compare.readers.study import reader_study
from .._compare.readers.testing import reader_study_pairwise_test, reader_study_test
from .._compare.times.concordance import concordance_test
from .._compare.times.many import concordance_omnibus_test, concordance_pairwise_test
from .._compare.times.pairs import followed_up
from .._inference.corrections.adjust import DISCOVERY
from .._inference.status import FEW_CASES, STATUSES
from .._inputs.evals.studies import study_of
from .._inputs.items import JOINT, as_item_table
from .._inputs.models import ModelTable, as_model_table
from .._inputs.probabilities import as_probability_table
from .._inputs.rounds import Sizes
from .._results.records import Record, changed, of_metric
from .data import Analysis, Data, Query, parameters_of

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
    test_of_all = omnibus_of(items, title, test, on_undefined)
    renamed: MeanOmnibusResult = changed(test_of_all, {"_quantity": "Brier score", "unit": "case"})
    return renamed


def with_unseen(unseen: Unseen, variances: Matrix) -> Matrix:
    """Return variances (k, k) of differences of mean losses, at least those of unseen cases."""
    first, second = np.triu_indices(len(variances), 1)
    least = np.zeros_like(variances)
    least[first, second] = np.square(unseen.error(0.0, np.sqrt(variances[first, second])))
    return least + least.T


class Tests(NamedTuple):
    """The tests of two models, of all and of all pairs; the field that a model's value is in."""

    two: Callable[..., Any]
    together: Callable[..., Any]
    pairs: Callable[..., Any]
    field: str
    quantity: str
    named: tuple[str, str]
    units: str = "cases"
    higher_is_better: bool | None = True  # None is as the data or the query say


def analyse_cases(data: Data, query: Query, *, tests: Tests) -> Analysis:
    """Return the tests of models on the same cases or items."""
    columns = dict(data.columns)
    values = (columns,) if data.y_true is None else (data.y_true, columns)
    paired = f"{len(columns)} models on the same {tests.units} (paired)"
    clusters = ", in clusters" if "groups" in data.options else ""
    higher = tests.higher_is_better
    if higher is None:
        higher = data.higher_is_better
        higher = bool(query.options["higher_is_better"] if higher is None else higher)
    tested = run_tests(tests, query, values, data.options)
    by_t = tests.two is delong_test and not data.options and few_cases(tested.result)
    named = tests.named[len(columns) > 2]
    together = "" if tested.omnibus is None else " omnibus and pairwise,"
    why = f"{paired}{clusters}:{together} {named}."
    analysis = replace(
        tested,
        reasons=(why, *([SMALL] if by_t else []), *tested.reasons),
        values=along(columns, value_of(tested.tests, tests.field)),
        quantity=tests.quantity,
        higher_is_better=higher,
        checks=checked(*tested.tests.values()),
    )
    return analysis if data.metric == "score" else by_metric(analysis, data.metric)


def by_metric(analysis: Analysis, metric: str) -> Analysis:
    """Return the tests of items, whose sentences name the metric."""
    tests = {name: of_metric(test, metric) for name, test in analysis.tests.items()}
    omnibus, result = tests.get("omnibus"), next(reversed(tests.values()))
    return replace(analysis, omnibus=omnibus, result=result, tests=tests, quantity=f"mean {metric}")


def few_cases(result: Any) -> bool:
    """Return whether DeLong's tests go by Student's t, as they do where a class is small."""
    return bool(min(result.n_positive, result.n_negative) < FEW_CASES)


def run_tests(
    tests: Tests, query: Query, values: tuple[Any, ...], options: Mapping[str, Any]
) -> Analysis:
    """Return the test of two models; of more the tests of all and of pairs.

    Those of pairs at once, where the other lacks an option.
    """

    def run(test: Callable[..., Any]) -> Any:
        return query.run(test, *values, **options)

    if len(values[-1]) == 2:
        return alone(tests.two.__name__, run(tests.two))
    if set(options) <= parameters_of(tests.together):
        return gated(run(tests.together), partial(run, tests.pairs), query)
    return alone("pairs", run(tests.pairs), ALONE)


def alone(name: str, result: Record, *reasons: str) -> Analysis:
    """Return the analysis by one test."""
    return Analysis(omnibus=None, result=result, tests={name: result}, reasons=reasons)


def gated(
    omnibus: Any,
    pairs: Callable[[], Any],
    query: Query,
    names: Sequence[str] = ("omnibus", "pairs"),
) -> Analysis:
    """Return the omnibus test with those of pairs, or alone where the gate stays shut, and why."""
    if query.gate and not omnibus.pvalue <= query.alpha:
        why = UNKNOWN if np.isnan(omnibus.pvalue) else KEPT
        return replace(alone(names[0], omnibus, why), omnibus=omnibus)
    result = pairs()
    ungated = UNGATED if keeps_level(result) else UNADJUSTED
    return Analysis(
        omnibus=omnibus,
        result=result,
        tests=dict(zip(names, (omnibus, result), strict=True)),
        reasons=(REJECTED if query.gate else ungated,),
    )


def keeps_level(pairs: Any) -> bool:
    """Return whether the correction of pairs bounds the chance of any wrong one."""
    joint = hasattr(pairs, "critical_difference")  # Nemenyi's p-values are of all pairs
    return joint or pairs.correction not in ("none", *DISCOVERY)


def discord(omnibus: Any, result: Any, alpha: float) -> str:
    """Return a sentence where the omnibus test and the pairs differ, or none."""
    if omnibus is None or result is omnibus or np.isnan(omnibus.pvalue):
        return ""
    n_rejected = int(np.count_nonzero(result.adjusted_pvalue <= alpha))
    if omnibus.pvalue <= alpha:
        return "" if n_rejected else NO_PAIR
    if not n_rejected:
        return ""
    why = OWN_LEVEL if keeps_level(result) else NO_LEVEL
    return ONLY_PAIRS.format(found=n_rejected, pairs=len(result.pairs), why=why)


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
    meanings = [STATUSES[word].meaning for word in sorted(words) if word in STATUSES]
    return tuple(f"{meaning[0].upper()}{meaning[1:]}." for meaning in meanings if meaning)


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


def analyse_folds(data: Data, query: Query) -> Analysis:
    """Return the tests of scores by round."""
    policy = query.options["nan_policy"]
    table = as_model_table(data.columns, rows="rounds", nan_policy=policy, name="data")
    columns = dict(zip(table.names, map(np.ascontiguousarray, table.values.T), strict=True))
    analyse = analyse_independent if data.design == "independent" else analyse_shared
    tested = analyse(data, columns, query)
    return replace(
        tested,
        values=along(columns, table.values.mean(axis=0)),
        quantity=f"mean {data.metric}",
        higher_is_better=bool(query.options["higher_is_better"]),
        checks=(*checked(*tested.tests.values()), *are_normal(table, data.design)),
    )


def analyse_shared(data: Data, columns: dict[str, Any], query: Query) -> Analysis:
    """Return the tests of rounds that share training cases, as compare_estimators runs them."""
    assert data.sizes is not None
    options = query.options
    choices = Choices(
        options["alternative"], options.get("correction", "auto"), options["on_undefined"]
    )
    tests, reason = right_tests(
        columns, Sizes(*data.sizes), choices, scheme=data.design, metric=data.metric
    )
    first, *others = tests.values()
    if len(columns) == 2:
        return Analysis(omnibus=None, result=first, tests=tests, reasons=(reason,))
    tested = gated(first, lambda: others[0], query, list(tests))
    return replace(tested, reasons=(reason, *tested.reasons))


def analyse_independent(data: Data, columns: dict[str, Any], query: Query) -> Analysis:
    """Return the tests of rounds that share no cases."""
    if len(columns) == 2:
        result = query.run(ttest_resampled, columns, design="independent")
        reason = "Two models, rounds without shared cases: Student's paired t-test."
        return alone("ttest_resampled", result, reason)
    omnibus = query.run(rm_anova_test, columns)
    tested = gated(omnibus, partial(query.run, mean_pairwise_test, columns), query)
    reason = (
        f"{len(columns)} models, rounds without shared cases: repeated-measures ANOVA and "
        "paired t-tests."
    )
    return replace(tested, reasons=(reason, *tested.reasons))


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


def analyse_datasets(data: Data, query: Query) -> Analysis:
    """Return the tests of scores of data sets, as compare_datasets runs them."""
    columns = dict(data.columns)
    comparison = query.run(compare_datasets, columns)
    if len(columns) == 2:
        return analyse_two_on_datasets(columns, comparison, query)
    posthoc = comparison.posthoc
    tested = gated(
        comparison.omnibus,
        lambda: query.run(nemenyi_test, columns) if posthoc is None else posthoc,
        query,
    )
    how = () if tested.result is tested.omnibus else (POSTHOC["nemenyi"][1],)
    return replace(
        tested,
        reasons=(comparison.reasons[0], *how, *tested.reasons),
        values=along(columns, comparison.omnibus.average_ranks),
        quantity="average rank",
        higher_is_better=False,
        checks=checked(*tested.tests.values()),
    )


def analyse_two_on_datasets(columns: dict[str, Any], comparison: Any, query: Query) -> Analysis:
    """Return Wilcoxon's test of two models, and whether the data sets are too few for it."""
    policy = query.options["nan_policy"]
    table = as_model_table(columns, rows="data sets", nan_policy=policy, name="data")
    few = (FEW_ROWS.format(n=comparison.n),) if comparison.n < LEAST else ()
    return replace(
        alone("wilcoxon_test", comparison.omnibus, *comparison.reasons),
        values=along(columns, table.values.mean(axis=0)),
        quantity="mean score",
        higher_is_better=bool(query.options["higher_is_better"]),
        checks=(*checked(comparison.omnibus), *few),
    )


def analyse_battles(data: Data, query: Query) -> Analysis:
    """Return the strengths of models by their battles, and the tests of all pairs."""
    assert data.battles is not None
    fit = query.run(bradley_terry, *data.battles, **data.options)
    pairs = query.run(fit.pairwise)
    clusters = ", in clusters" if "groups" in data.options else ""
    strengths = f"{len(fit.names)} models in {fit.n} battles{clusters}: {STRENGTHS}"
    return Analysis(
        omnibus=None,
        result=pairs,
        tests={"bradley_terry": fit, "pairs": pairs},
        reasons=(strengths, *([AT_ONCE] * (len(fit.names) > 2))),
        values=along(dict.fromkeys(fit.names), fit.strengths),
        quantity="strength",
        checks=checked(fit),
    )


READ = "{t} treatments, {r} readers who score all cases under each: {how}"
BOTH = "Obuchowski and Rockette's test with readers and cases random."
SEVERAL = "Obuchowski and Rockette's omnibus and pairwise tests with readers and cases random."


def analyse_readers(data: Data, query: Query) -> Analysis:
    """Return the tests of treatments that several readers scored under."""
    assert data.study is not None
    readings, truth, treatments = data.study
    judged = "mean" if query.options["higher_is_better"] else "loss"
    metric = "auc" if study_of(readings, truth).truth is not None else judged
    own = {"truth": truth, "treatments": treatments, "metric": metric}
    study = query.run(reader_study, readings, **own, on_undefined="ignore")
    t, r = study.figures.shape
    read: Any = {"pos_label": None}  # the study has its labels
    if t > 2:
        omnibus = query.run(reader_study_test, study, alternative="two-sided", **read)
        pairs = partial(query.run, reader_study_pairwise_test, study, **read)
        tested, how = gated(omnibus, pairs, query), SEVERAL
    else:
        tested = alone("reader_study_test", query.run(reader_study_test, study, **read))
        how = BOTH
    return replace(
        tested,
        reasons=(READ.format(t=t, r=r, how=how), *tested.reasons),
        values=along(dict.fromkeys(study.treatments), study.values),
        quantity=study._quantity,
        higher_is_better=study.higher_is_better,
        checks=checked(*tested.tests.values()),
    )


CONCORDANCES = Tests(
    *(concordance_test, concordance_omnibus_test, concordance_pairwise_test),
    *("concordance", "concordance", ("", "")),
)
OF_UNO = (
    "{share:.0%} of the cases are censored before {until}: Uno's C, because what Harrell's C "
    "estimates depends on censoring."
)
OF_HARRELL = "{share:.0%} of the cases are censored before the last event: Harrell's C."


def analyse_times(data: Data, query: Query) -> Analysis:
    """Return the tests of concordances, Uno's where 10% of the cases are censored too early."""
    assert data.times is not None
    told = followed_up(*data.times)
    options = {**data.options, "method": "uno" if told.early else "harrell", "tau": told.tau}
    tested = run_tests(CONCORDANCES, query, (*data.times, dict(data.columns)), options)
    until = "the last event" if told.tau is None else f"tau = {told.tau:.6g}"
    why = (OF_UNO if told.early else OF_HARRELL).format(share=told.share, until=until)
    return replace(
        tested,
        reasons=(why, *tested.reasons),
        values=along(data.columns, value_of(tested.tests, "concordance")),
        quantity="concordance",
        checks=checked(*tested.tests.values()),
    )
