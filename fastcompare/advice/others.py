"""The tests of several classes, and of two models on different cases."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from .._base.exceptions import InvalidValueError, invalid_value
from .._base.lazy import public_function
from .._inputs.options import check_choice
from .._inputs.plans.questions import refuse_unused
from .._results.remarks import status_remarks
from .analyses.cases import by_model_name, by_one_test
from .asked import check_used
from .data import Analysis, Data, Query, with_names

ONE_MULTICLASS_MODEL = "One model: its multiclass AUC (Hand and Till's M) with its interval."
TWO_MULTICLASS_MODELS = (
    "2 models on the same cases (paired): a test of their multiclass AUCs (Hand and Till's M)."
)


class SingleTest(NamedTuple):
    """The only test for some data, the field and quantity of the models' values, and the reason."""

    test: Callable[..., Any]
    field: str
    quantity: str
    why: str


UNPAIRED_TESTS: Mapping[str, SingleTest] = {
    "scores": SingleTest(
        public_function("delong_unpaired_test"),
        "auc",
        "AUC",
        "Two models on different cases (unpaired): DeLong's test of two independent AUCs.",
    ),
    "labels": SingleTest(
        public_function("two_proportions_unpaired_test"),
        "accuracy",
        "accuracy",
        "Two models on different cases (unpaired): a test of two independent accuracies.",
    ),
}


def analyse_classes_or_unpaired(data: Data, query: Query) -> Analysis | None:
    """Return the analysis of several classes, or of models on different cases; else None."""
    if data.unpaired is not None:
        return analyse_unpaired(data, query)
    if data.classes is not None and data.kind == "scores":
        return analyse_classes(data, query)
    return None


def analyse_unpaired(data: Data, query: Query) -> Analysis:
    """Return the analysis by the test of two models on different cases, or raise if none fits."""
    assert data.unpaired is not None
    single_test = UNPAIRED_TESTS.get(data.kind)
    if single_test is None:
        raise InvalidValueError(
            "models on different cases are compared by their AUCs or accuracies: of probabilities "
            "call ttest_unpaired((y_prob_1 - y_true_1) ** 2, (y_prob_2 - y_true_2) ** 2).",
            parameter="data",
            value=data.kind,
        )
    for name in data.options:
        more = ", or call it with groups_1 and groups_2" if data.kind == "labels" else ""
        raise invalid_value(
            name,
            f"has no meaning for {single_test.test.__name__}, "
            "in which each model has cases of its own",
            end=f". Omit it{more}.",
        )
    (labels_1, values_1), (labels_2, values_2) = data.unpaired
    result: Any = query.run(single_test.test, labels_1, values_1, labels_2, values_2)
    return analysis_by_single_test(data, query, single_test, with_names(result, data.columns))


def analyse_classes(data: Data, query: Query) -> Analysis:
    """Return the analysis by the test of two models' multiclass AUCs, or by that of one model."""
    if len(data.columns) == 1:
        return analyse_one_multiclass_model(data, query)
    if len(data.columns) != 2:
        raise InvalidValueError(
            "multiclass AUCs are compared of two models: name two of them, or pass "
            "kind='probabilities' for Brier scores.",
            parameter="models",
            value=len(data.columns),
        )
    tables = data.columns.values()
    single_test = SingleTest(
        public_function("multiclass_auc_test"), "auc", "multiclass AUC", TWO_MULTICLASS_MODELS
    )
    options = {"classes": list(data.classes or ()), **data.options}
    result: Any = query.run(single_test.test, data.y_true, *tables, **options)
    return analysis_by_single_test(data, query, single_test, with_names(result, data.columns))


def analyse_one_multiclass_model(data: Data, query: Query) -> Analysis:
    """Return the analysis by the multiclass AUC of one model with its interval."""
    (table,) = data.columns.values()
    options = {"classes": list(data.classes or ()), **data.options}
    single_test = SingleTest(
        public_function("multiclass_auc"), "estimate", "multiclass AUC", ONE_MULTICLASS_MODEL
    )
    result: Any = query.run(single_test.test, data.y_true, table, **options)
    return analysis_by_single_test(data, query, single_test, result)


def analysis_by_single_test(
    data: Data, query: Query, single_test: SingleTest, result: Any
) -> Analysis:
    """Return the analysis by the only test for some data, or raise if another one is chosen."""
    name = single_test.test.__name__
    if query.test is not None:
        check_choice("test", query.test, (name,))
    if query.control is not None:
        refuse_unused("control", query.control, query.ran, [])
    check_used({}, query)  # no other test fits
    tested = by_one_test(name, result, single_test.why)
    return Analysis(
        omnibus=None,
        result=result,
        tests=tested.tests,
        reasons=tested.reasons,
        values=by_model_name(data.columns, np.atleast_1d(getattr(result, single_test.field))),
        quantity=single_test.quantity,
        checks=status_remarks(result),
    )
