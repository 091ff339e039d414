"""The options of `compare` that are questions, not data: checked, and adapted to the data."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from .._inference.corrections.adjust import any_correction
from .._inputs.arrays import as_column
from .._inputs.labels import as_label_column
from .._inputs.options import (
    as_direction,
    check_alpha,
    check_flag,
    check_resamples,
    has_direction,
)
from .._inputs.plans.questions import as_threshold, positives, refuse_unused
from .._inputs.tables import finite_columns
from .codes import codes_for_missing
from .data import Data, Query, Tests
from .direction import with_direction_of_names
from .named import kind_of_test

OPTIONS_OF_TESTS = ("correction", "method", "rule", "clip", "n_resamples", "order_effect", "margin")
DEFAULT_NONE = (
    "pos_label",
    "test",
    "control",
    "method",
    "rule",
    "clip",
    "n_resamples",
    "correction",
)
DEFAULTS = {"alternative": "two-sided", "margin": 0.0, "nan_policy": "raise", "order_effect": False}
OPPOSITE = "Low scores speak for the positive class, or an early event (as specified)."
AT_LEAST = "Scores of at least {:g} are positive predictions (as specified)."


def kind_asked(
    kind: str | None, test: str | None, rule: str | None, threshold: float | None
) -> str | None:
    """Return the kind of data that is specified, or the only kind that other options fit."""
    if threshold is not None and kind in (None, "labels"):
        return "scores"  # from which `apply_threshold` makes labels
    implied = "probabilities" if rule is not None else kind_of_test(test)
    return implied if kind is None else kind


def as_query(options: Mapping[str, Any], **asked: Any) -> Query:
    """Return the query with its options checked, without those that are None.

    `asked` are the fields of the query beside the options: alpha, gate, test and control.
    """
    passed_options = {name: value for name, value in options.items() if value is not None}
    if "higher_is_better" in passed_options:  # else as the names say: `with_direction`
        higher = check_flag("higher_is_better", passed_options["higher_is_better"])
        passed_options["higher_is_better"] = higher
    if not check_flag("order_effect", passed_options["order_effect"]):
        del passed_options["order_effect"]
    if "correction" in passed_options:
        passed_options["correction"] = any_correction(passed_options["correction"])
    if "n_resamples" in passed_options:
        check_resamples(passed_options["n_resamples"])
    alpha = check_alpha(asked.pop("alpha"))
    gate = check_flag("gate", asked.pop("gate"))
    return Query(alpha=alpha, gate=gate, options=passed_options, **asked)


def apply_threshold(data: Data, threshold: object, pos_label: object) -> Data:
    """Return the data with scores turned into labels by a threshold; unchanged without one."""
    if threshold is None:
        return data
    least = as_threshold(threshold, data.kind)
    labels, missing = as_label_column("data", data.y_true)
    truth = positives(labels, missing, pos_label)
    columns = {name: threshold_labels(least, name, values) for name, values in data.columns.items()}
    unpaired = data.unpaired
    if unpaired is not None:
        samples = zip((y for y, _ in unpaired), columns.values(), strict=True)
        unpaired = tuple((positives(*as_label_column("data", y), pos_label), x) for y, x in samples)
    n_replaced = len(data.lines) or 1  # decisions: how columns were read, or else the kind
    why = (*data.lines, AT_LEAST.format(least), *data.decisions[n_replaced:])
    numbers = finite_columns(data.columns)
    with_labels = replace(data, kind="labels", y_true=truth, columns=columns, unpaired=unpaired)
    return replace(with_labels, decisions=why, doubts=tuple(codes_for_missing(numbers, data.kind)))


def threshold_labels(least: float, name: str, values: Any) -> Any:
    """Return 1 for scores of at least `least`, 0 for others, and NaN for missing ones."""
    scores = np.asarray(as_column(f"a[{name!r}]", values).values, np.float64)
    return np.where(np.isnan(scores), np.nan, scores >= least)


def with_direction(data: Data, query: Query) -> tuple[Data, Query]:
    """Return data and query with negated scores, if low ones indicate positives or early events.

    Unchanged if higher is better, for other kinds, and for scores in chunks or of several classes.
    Where the query does not say whether higher is better, the names may.
    """
    data, query = with_direction_of_names(data, query)
    ranked = data.kind in ("scores", "times") and data.scan is None and data.classes is None
    if query.options["higher_is_better"] or not ranked:
        return data, query
    columns = {name: negated(name, values) for name, values in data.columns.items()}
    unpaired = data.unpaired
    if unpaired is not None:
        unpaired = tuple(zip((y for y, _ in unpaired), columns.values(), strict=True))
    why = (*data.decisions, OPPOSITE)
    turned = replace(data, columns=columns, unpaired=unpaired, decisions=why)
    return turned, replace(query, options={**query.options, "higher_is_better": True})


def negated(name: str, values: Any) -> Any:
    """Return numbers with the other sign, and NaN for missing ones."""
    numbers, missing = as_column(f"a[{name!r}]", values)
    if missing is not None or numbers.dtype.kind not in "if":  # bool and unsigned have no sign
        numbers = np.where(False if missing is None else missing, np.nan, numbers)
    return -numbers.astype(np.float64 if numbers.dtype.kind == "O" else numbers.dtype)


def with_claim(query: Query, data: Data, alternative: str | None, margin: float) -> Query:
    """Return the query with the alternative and the margin that tests take.

    With a margin, the alternative is by default that the first model is not inferior. Its side
    depends on whether higher is better: as the data say, else as the query does. Losses of
    probabilities are better if lower.
    """
    k = len(data.columns) if data.study is None else 2  # tests of studies check that themselves
    higher = query.options["higher_is_better"]
    if data.higher_is_better is not None:
        higher = data.higher_is_better
    higher = bool(higher) and data.kind != "probabilities"
    claim: dict[str, Any] = {"alternative": as_direction(alternative, margin, higher, k)}
    if margin:
        claim["margin"] = margin
    return replace(query, options={**query.options, **claim})


def test_asked(data: Data, query: Query) -> str | None:
    """Return the name of the test: as specified; of rounds with a margin, that which takes one."""
    if data.kind != "folds" or query.test or not query.options.get("margin"):
        return query.test
    return TESTS_WITH_MARGIN.get(data.design, "ttest-corrected")


TESTS_WITH_MARGIN = {"5x2cv": "ttest-5x2cv", "independent": "ttest-resampled"}  # by design


def check_used(tests_by_name: Mapping[str, Tests], query: Query, k: int = 2) -> None:
    """Raise for an option of the query that no test took, naming tests of k models that take it."""
    wanted = [name for name in OPTIONS_OF_TESTS if name in query.options]
    if has_direction(query.options["alternative"]):
        wanted.append("alternative")
    for name in wanted:
        if name not in query.used:
            tests_with_option = [
                test for test, tests in tests_by_name.items() if tests.taking(name, k)
            ]
            refuse_unused(name, query.options[name], query.ran, tests_with_option[:5])


def stated_options(query: Query) -> Mapping[str, Any]:
    """Return the options of a comparison that are not the defaults."""
    stated = {**query.options, "test": query.test, "control": query.control}
    usual = {**DEFAULTS, **dict.fromkeys(DEFAULT_NONE)}
    return {
        name: value
        for name, value in stated.items()
        if not np.array_equal(usual.get(name, value), value)
    }
