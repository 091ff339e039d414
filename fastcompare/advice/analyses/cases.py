"""What `compare` runs for models on the same cases or items, and helpers of all analyses."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ..._base.text import plural
from ..._inference.corrections.adjust import DISCOVERY
from ..._inference.status import FEW_CASES
from ..._inputs.plans.questions import refuse_control, refuse_number, refuse_without_control
from ..._results.copies import all_with_dropped, with_metric_name
from ..._results.records import Record
from ..._results.remarks import status_remarks
from ..._results.two_models import TwoModels
from ..data import Analysis, Data, Query, Tests, parameters_of, with_names

REJECTED = "The omnibus test rejects that the models are equal, so pairs are compared."
KEEPS_LEVEL = (
    "The omnibus test does not reject that the models are equal, so pairs are not "
    "compared (gate=True): their differences may be due to chance."
)
UNKNOWN = "The omnibus test is undefined, so pairs are not compared (gate=True)."
UNGATED = (
    "All pairs are compared whatever the omnibus test finds: the adjustment for "
    "multiplicity alone controls the family-wise error rate."
)
OF_CONTROL = "All models are compared with the control whatever the omnibus test finds."
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
UNCONTROLLED = "these p-values are not adjusted in a way that controls the family-wise error rate"
WITHOUT_OMNIBUS = (
    "No omnibus test supports weights, so pairs are compared directly: the "
    "adjustment for multiplicity alone controls the family-wise error rate."
)
INFINITE = "No omnibus test is defined, because a loss is infinite: pairs are compared directly."
SMALL = (
    f"With fewer than {FEW_CASES} cases of a class Student's t replaces z, which rejects too often."
)


def analyse_cases(
    data: Data, query: Query, tests: Tests | None = None, *, usual: Tests
) -> Analysis:
    """Return the analysis of models on the same cases or items, by the usual tests if None."""
    columns = dict(data.columns)
    k = len(columns)
    chosen_tests = tests or usual
    truth = () if data.y_true is None else (data.y_true,)
    values = (*truth, columns) if data.scan is None else (data.scan,)
    tested = run_tests(chosen_tests, query, values, data.options, k, data.truth)
    estimate_each = single_model_values(query, usual, values[:-1], columns, data.options)
    is_delong = function_name(chosen_tests.two) == "delong_test" and not data.options
    by_t = is_delong and few_cases(tested.result)
    reasons = (why_cases(data, query, tested, chosen_tests), *([SMALL] if by_t else []))
    analysis = replace(
        tested,
        reasons=(*reasons, *tested.reasons),
        values=by_model_name(columns, model_values(tested, chosen_tests.field, k, estimate_each)),
        quantity=chosen_tests.quantity or quantity_of(tested.result),
        higher_is_better=is_higher_better(data, query, chosen_tests),
        checks=status_remarks(*tested.tests.values()),
    )
    return analysis if data.metric == "score" else with_metric(analysis, data.metric)


def is_higher_better(data: Data, query: Query, tests: Tests) -> bool:
    """Return whether higher is better, as the tests, the data or the query say."""
    directions = (tests.higher_is_better, data.higher_is_better, query.options["higher_is_better"])
    return bool(next(higher for higher in directions if higher is not None))


def why_cases(data: Data, query: Query, tested: Analysis, tests: Tests) -> str:
    """Return the sentence on why these tests were run: how many models, paired on what."""
    k = len(data.columns)
    clusters = ", in clusters" if "groups" in data.options else ""
    quantity = quantity_of(tested.result) if data.metric == "score" else f"mean {data.metric}"
    if k == 1:
        title = uncapitalise(str(tested.result.title)) if data.metric == "score" else quantity
        return f"One model on {tests.units}{clusters}: {title}."
    paired = f"{k} models on the same {tests.units} (paired)"
    if query.test or query.control is not None or "method" in query.options:
        return f"{paired}{clusters}: {uncapitalise(str(tested.result.title))} (as specified)."
    also = "" if tested.omnibus is None else " omnibus and pairwise,"
    named = tests.named[k > 2].format(quantity, plural(quantity))
    return f"{paired}{clusters}:{also} {named}."


def uncapitalise(title: str) -> str:
    """Return a title as it is within a sentence: ``DeLong's test``, but ``paired t-test``."""
    first_word, _, others = title.partition(" ")
    is_name = first_word[1:] != first_word[1:].lower() or "'" in first_word
    return title if is_name else " ".join(filter(None, (first_word.lower(), others)))


def quantity_of(result: Any) -> str:
    """Return the quantity that a result compares: ``AUC``, ``mean score``."""
    return str(getattr(result, "_quantity", "") or getattr(result, "quantity", ""))


def with_metric(analysis: Analysis, metric: str) -> Analysis:
    """Return the analysis with results whose sentences name the metric: ``mean accuracy``."""
    tests = {name: with_metric_name(test, metric) for name, test in analysis.tests.items()}
    copies = dict(zip(map(id, analysis.tests.values()), tests.values(), strict=True))
    omnibus = copies.get(id(analysis.omnibus))
    result = copies[id(analysis.result)]
    return replace(analysis, omnibus=omnibus, result=result, tests=tests, quantity=f"mean {metric}")


def with_dropped_rows(analysis: Analysis, n_dropped: int) -> Analysis:
    """Return the analysis with results that count rows dropped before the tests were run."""
    tests = all_with_dropped(analysis.tests, n_dropped)
    copies = dict(zip(map(id, analysis.tests.values()), tests.values(), strict=True))
    omnibus = copies.get(id(analysis.omnibus))
    result = copies[id(analysis.result)]
    return replace(analysis, omnibus=omnibus, result=result, tests=tests)


def few_cases(result: Any) -> bool:
    """Return whether DeLong's tests use Student's t, since a class has fewer than 30 cases."""
    if not hasattr(result, "pvalue"):  # an estimate of one model
        return False
    return bool(min(result.n_positive, result.n_negative) < FEW_CASES)


def run_tests(
    tests: Tests,
    query: Query,
    values: tuple[Any, ...],
    options: Mapping[str, Any],
    k: int,
    truth: str = "",
) -> Analysis:
    """Return the analysis by the test of two models, or by the omnibus and the pairwise tests.

    Pairs are tested without an omnibus test if that lacks an option. `values` are the data, with
    the table of models last; `k` is the number of models, `truth` the name of the true labels.
    """

    def run(test: Callable[..., Any], **more: Any) -> Any:
        return query.run(test, *values, **options, **more)

    if k == 1 and tests.one is not None:
        return one_model(tests.one, query, values, options, truth)
    if query.control is not None:
        if tests.control is None:
            refuse_control(query.control, ())
        pairs = partial(run, tests.control, control=query.control)
    elif k == 2 and tests.two is not None:
        return by_one_test(function_name(tests.two), run(tests.two))
    elif tests.control is not None and tests.pairs is None:
        refuse_without_control(function_name(tests.control))
    elif tests.pairs is not None and k > 1:
        pairs = partial(run, tests.pairs)
    elif tests.omnibus is not None and k > 1:
        omnibus = run(tests.omnibus)
        return replace(by_one_test(function_name(tests.omnibus), omnibus), omnibus=omnibus)
    else:
        refuse_number(function_name(tests.two or tests.pairs or tests.omnibus), k, ())
    in_chunks = not isinstance(values[-1], Mapping)  # which no omnibus test reads
    joint_test = None if in_chunks else tests.omnibus
    if k == 2 or joint_test is None or lacks_options(options, joint_test):
        return by_one_test("pairs", pairs(), *([WITHOUT_OMNIBUS] if k > 2 and joint_test else []))
    shared = {name: x for name, x in query.options.items() if name != "method"}  # that of pairs
    omnibus = replace(query, options=shared).run(joint_test, *values, **options)
    if omnibus is None:
        return by_one_test("pairs", pairs(), INFINITE)
    return after_omnibus(omnibus, pairs, query)


def one_model(
    test: Callable[..., Any],
    query: Query,
    values: tuple[Any, ...],
    options: Mapping[str, Any],
    truth: str,
) -> Analysis:
    """Return the analysis of a single model: its estimate with an interval.

    `values` are those of `run_tests`; `truth` is the name of the true labels.
    """
    *labels, columns = values
    if not isinstance(columns, Mapping):  # cases in chunks, which have the model's name
        return by_one_test(function_name(test), query.run(test, columns, **options))
    ((name, column),) = columns.items()
    estimate = query.run(test, *labels, column, **options)
    of_agreement = isinstance(estimate, TwoModels)  # that of the model with the true labels
    names = (truth, name) if of_agreement else (name,)
    return by_one_test(function_name(test), with_names(estimate, names))


def lacks_options(options: Mapping[str, Any], test: Callable[..., Any]) -> bool:
    """Return whether a test lacks an option of the data: groups, weights or strata."""
    return not {*options} - {"n_train", "n_test", "design"} <= parameters_of(test)


def function_name(test: Any) -> str:
    """Return the name of a function, also of a partial one; '' if it has none."""
    return str(getattr(getattr(test, "func", test), "__name__", ""))


def by_one_test(name: str, result: Record, *reasons: str) -> Analysis:
    """Return the analysis by a single test, which `tests` has by this name."""
    return Analysis(omnibus=None, result=result, tests={name: result}, reasons=reasons)


def after_omnibus(
    omnibus: Any,
    test_pairs: Callable[[], Any],
    query: Query,
    names: Sequence[str] = ("omnibus", "pairs"),
) -> Analysis:
    """Return the analysis by an omnibus test and, unless `gate` forbids it, by `test_pairs`.

    `names` are those of the two results in `tests`.
    """
    if query.gate and not omnibus.pvalue <= query.alpha:
        why = UNKNOWN if np.isnan(omnibus.pvalue) else KEEPS_LEVEL
        return replace(by_one_test(names[0], omnibus, why), omnibus=omnibus)
    result = test_pairs()
    if query.gate:
        why = REJECTED
    elif query.control is not None:
        why = OF_CONTROL
    else:
        why = UNGATED if keeps_level(result) else UNADJUSTED
    return Analysis(
        omnibus=omnibus,
        result=result,
        tests=dict(zip(names, (omnibus, result), strict=True)),
        reasons=(why,),
    )


def keeps_level(pairs_result: Any) -> bool:
    """Return whether the correction of pairs controls the family-wise error rate."""
    joint = hasattr(pairs_result, "critical_difference")  # Nemenyi's p-values are of all pairs
    return joint or pairs_result.correction not in ("none", *DISCOVERY)


def omnibus_disagreement(omnibus: Any, result: Any, alpha: float) -> str:
    """Return a sentence if only one of the omnibus test and the pairs is significant, else ''."""
    if omnibus is None or result is omnibus or np.isnan(omnibus.pvalue):
        return ""
    n_rejected = int(np.count_nonzero(result.adjusted_pvalue <= alpha))
    if omnibus.pvalue <= alpha:
        return "" if n_rejected else NO_PAIR
    if not n_rejected:
        return ""
    why = OWN_LEVEL if keeps_level(result) else UNCONTROLLED
    return ONLY_PAIRS.format(found=n_rejected, pairs=len(result.pairs), why=why)


VALUE_FIELDS = ("losses", "means")  # where models' values may be, too


def model_values(
    tested: Analysis, field: str, k: int, estimate_each: Callable[[], list[float]]
) -> Any:
    """Return the values of k models from the first test with them, else from `estimate_each`.

    Those of several models are in `field` or one of `VALUE_FIELDS`, that of one is its estimate.
    """
    for name in (field, *VALUE_FIELDS) if k > 1 else ("estimate",):
        for test in tested.tests.values():
            value = getattr(test, name, None) if name else None
            if value is not None and np.atleast_1d(value).shape == (k,):
                return np.atleast_1d(value)
    return estimate_each()


def single_model_values(
    query: Query, usual: Tests, truth: tuple[Any, ...], columns: Mapping[str, Any], options: Any
) -> Callable[[], list[float]]:
    """Return a function that estimates the value of each model alone."""
    interval_options = {
        name: x for name, x in query.options.items() if name not in ("method", "n_resamples")
    }
    interval_query = replace(query, options=interval_options)
    test = usual.one
    assert test is not None

    def estimate_each() -> list[float]:
        results = (
            interval_query.run(test, *truth, column, **options) for column in columns.values()
        )
        return [float(result.estimate) for result in results]

    return estimate_each


def by_model_name(columns: Mapping[str, Any], values: Any) -> dict[str, float]:
    """Return values (k,) as a dictionary by the names of the models."""
    return dict(zip(columns, np.asarray(values, dtype=float).tolist(), strict=True))
