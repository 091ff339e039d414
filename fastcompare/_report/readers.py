"""The sheets of reader studies: treatments, figures of merit by reader, components of variance."""

import math
from typing import Any

from .comparison import pairs_sheets
from .differences import difference_sheets, model_sheets, omnibus_sheets
from .formats import Column, Sheet, make_sheet

COMPONENTS = {  # as submissions call them
    "reader": "readers",
    "treatment_reader": "treatments by readers",
    "error": "Var: same treatment and reader",
    "cov1": "Cov1: same reader",
    "cov2": "Cov2: same treatment",
    "cov3": "Cov3: neither",
    "ms_treatment": "MS(T)",
    "ms_reader": "MS(R)",
    "ms_treatment_reader": "MS(TR)",
}
COVARIANCES = ("cov1", "cov2", "cov3")


def reader_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of a study, or of a test of its treatments and of the study."""
    study = getattr(result, "study", result)
    return [*treatment_sheets(result), reader_sheet(study), component_sheet(study)]


def treatment_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of the treatments and of their tests, if any."""
    if not hasattr(result, "study"):
        return model_sheets(result)
    if hasattr(result, "pairs"):
        return pairs_sheets(result)
    is_difference = hasattr(result, "standard_error")  # which the test of several has not
    return difference_sheets(result) if is_difference else omnibus_sheets(result)


def reader_sheet(study: Any) -> Sheet:
    """Return the sheet of figures of merit: a row for each reader, a column for each treatment.

    Of two treatments, a further column has their difference.
    """
    heads = {"reader": Column("reader")}
    heads |= {f"{name}": Column(name, "number") for name in study.treatments}
    has_difference = len(study.treatments) == 2
    if has_difference:
        heads["difference"] = Column("difference", "number")
    rows = []
    for name, values in zip(study.readers, study.figures.T.tolist(), strict=True):
        row = {"reader": name, **dict(zip(study.treatments, values, strict=True))}
        if has_difference:
            row["difference"] = values[0] - values[1]
        rows.append(row)
    return make_sheet("readers", f"{study._study.quantity} of each reader", heads, rows)


def component_sheet(study: Any) -> Sheet:
    """Return the sheet of components of variance; covariances of errors as correlations, too."""
    heads = {
        "component": Column("component"),
        "value": Column("value", "plain"),
        "correlation": Column("correlation", "number"),
    }
    error = study.components["error"]
    rows = [
        {
            "component": COMPONENTS[name],
            "value": value,
            "correlation": value / error if name in COVARIANCES and error > 0.0 else math.nan,
        }
        for name, value in study.components.items()
    ]
    return make_sheet("components", "Components of variance", heads, rows)


def power_sheets(result: Any) -> list[Sheet]:
    """Return the sheet of a planned study: a row for each number of readers and of cases."""
    heads = {
        "readers": Column("readers", "count"),
        "cases": Column("cases", "count"),
        "power": Column("power", "number"),
        "standard_error": Column("standard error", "number", 1),
        "df": Column("df", "df", 2),
    }
    rows = [
        {
            "readers": int(readers),
            "cases": int(cases),
            **{name: getattr(result, name)[i, j] for name in ("power", "standard_error", "df")},
        }
        for i, readers in enumerate(result.readers)
        for j, cases in enumerate(result.cases)
    ]
    return [make_sheet("power", result.title, heads, rows)]
