"""The tests of tables with several classes, or with two models on different cases."""

from typing import Any

from .._base.exceptions import InvalidValueError
from .._compare.auc.delong.unpaired import delong_unpaired_test
from .._compare.auc.multiclass import multiclass_auc_test
from .analyses import alone, along, checked
from .data import Analysis, Data, Query

UNPAIRED = "Two models on different cases: DeLong's test of unpaired AUCs."
CLASSES = (
    "2 models on the same cases (paired): a test of their multiclass AUCs (Hand and Till's M)."
)


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
    if data.kind != "scores":
        raise InvalidValueError(
            "models on different cases are compared by their AUCs alone: for labels call "
            "two_proportions_unpaired_test."
        )
    (y_1, score_1), (y_2, score_2) = data.unpaired
    result: Any = query.run(delong_unpaired_test, y_1, score_1, y_2, score_2)
    return with_values(data, result, UNPAIRED, "AUC")


def analyse_classes(data: Data, query: Query) -> Analysis:
    """Return the test of two models' multiclass AUCs."""
    if len(data.columns) != 2:
        raise InvalidValueError(
            "multiclass AUCs are compared of two models: name two of them, or pass "
            "kind='probabilities' for Brier scores."
        )
    tables = data.columns.values()
    result: Any = query.run(
        multiclass_auc_test, data.y_true, *tables, classes=list(data.classes or ()), **data.options
    )
    return with_values(data, result, CLASSES, "multiclass AUC")


def with_values(data: Data, result: Any, why: str, quantity: str) -> Analysis:
    """Return the analysis by one test of two models, with their values."""
    name = result.title if not data.classes else "multiclass_auc_test"
    tested = alone("delong_unpaired_test" if data.unpaired else name, result, why)
    values = along(data.columns, result.auc)
    return Analysis(
        omnibus=None,
        result=result,
        tests=tested.tests,
        reasons=tested.reasons,
        values=values,
        quantity=quantity,
        checks=checked(result),
    )
