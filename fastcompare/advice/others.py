"""The tests of several classes, and of two models on different cases."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from .._base.exceptions import InvalidValueError, invalid_value
from .._base.lazy import public
from .._inputs.options import check_choice
from .._inputs.plans.questions import refuse_unused
from .analyses.cases import alone, along, checked
from .asked import check_used
from .data import Analysis, Data, Query, with_names

ALONE = "One model: its multiclass AUC (Hand and Till's M) with its interval."
CLASSES = (
    "2 models on the same cases (paired): a test of their multiclass AUCs (Hand and Till's M)."
)


class Unpaired(NamedTuple):
    """A test of two models on different cases, the field with their values, and why it is run."""

    test: Callable[..., Any]
    field: str
    quantity: str
    why: str


UNPAIRED: Mapping[str, Unpaired] = {
    "scores": Unpaired(
        public("delong_unpaired_test"),
        "auc",
        "AUC",
        "Two models on different cases (unpaired): DeLong's test of two independent AUCs.",
    ),
    "labels": Unpaired(
        public("two_proportions_unpaired_test"),
        "accuracy",
        "accuracy",
        "Two models on different cases (unpaired): a test of two independent accuracies.",
    ),
}


def analyse_otherwise(data: Data, query: Query) -> Analysis | None:
    """Return the tests of several classes or of different cases, None for any other data."""
    if data.unpaired is not None:
        return analyse_unpaired(data, query)
    if data.classes is not None and data.kind == "scores":
        return analyse_classes(data, query)
    return None


def analyse_unpaired(data: Data, query: Query) -> Analysis:
    """Return the test of two models on different cases."""
    assert data.unpaired is not None
    way = UNPAIRED.get(data.kind)
    if way is None:
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
            f"has no meaning for {way.test.__name__}, in which each model has cases of its own",
            end=f". Omit it{more}.",
        )
    (y_1, first), (y_2, second) = data.unpaired
    result: Any = query.run(way.test, y_1, first, y_2, second)
    return by_one_test(data, query, way, with_names(result, data.columns))


def analyse_classes(data: Data, query: Query) -> Analysis:
    """Return the test of two models' multiclass AUCs."""
    if len(data.columns) == 1:
        return of_one_model(data, query)
    if len(data.columns) != 2:
        raise InvalidValueError(
            "multiclass AUCs are compared of two models: name two of them, or pass "
            "kind='probabilities' for Brier scores.",
            parameter="models",
            value=len(data.columns),
        )
    tables = data.columns.values()
    way = Unpaired(public("multiclass_auc_test"), "auc", "multiclass AUC", CLASSES)
    options = {"classes": list(data.classes or ()), **data.options}
    result: Any = query.run(way.test, data.y_true, *tables, **options)
    return by_one_test(data, query, way, with_names(result, data.columns))


def of_one_model(data: Data, query: Query) -> Analysis:
    """Return the multiclass AUC of one model with its interval."""
    (table,) = data.columns.values()
    options = {"classes": list(data.classes or ()), **data.options}
    way = Unpaired(public("multiclass_auc"), "estimate", "multiclass AUC", ALONE)
    result: Any = query.run(way.test, data.y_true, table, **options)
    return by_one_test(data, query, way, result)


def by_one_test(data: Data, query: Query, way: Unpaired, result: Any) -> Analysis:
    """Return the analysis by the one test there is, which alone may be chosen by name."""
    name = way.test.__name__
    if query.test is not None:
        check_choice("test", query.test, (name,))
    if query.control is not None:
        refuse_unused("control", query.control, query.ran, [])
    check_used({}, query)  # no other test fits
    tested = alone(name, result, way.why)
    return Analysis(
        omnibus=None,
        result=result,
        tests=tested.tests,
        reasons=tested.reasons,
        values=along(data.columns, np.atleast_1d(getattr(result, way.field))),
        quantity=way.quantity,
        checks=checked(result),
    )
