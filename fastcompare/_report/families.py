"""The sheets of any result, by the family of its class: what a person wants first comes first."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from .advice import advice_sheets
from .datasets import dataset_sheets
from .differences import (
    calibration_sheets,
    difference_sheets,
    estimate_sheets,
    omnibus_sheets,
    posterior_sheets,
)
from .facts import batch_sheets, fact_sheets
from .models import leaderboard_sheets, model_sheets
from .pairs import pairs_sheets
from .rates import rates_sheets
from .sheets import Sheet, sheet_of
from .tables import Column


def together_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of the results in a result: of each kind those of the first that has it."""
    found = {sheet.kind: sheet for sheet in model_sheets(result)}
    held = result.tests.values() if hasattr(result, "tests") else (result.omnibus, result.posthoc)
    for part in held:
        for sheet in () if part is None else sheets_of(part):
            found.setdefault(sheet.kind, sheet)
    return list(found.values())


def comparison_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of a comparison, with pairs of no other test than the reported one."""
    found = {sheet.kind: sheet for sheet in together_sheets(result)}
    told = {sheet.kind: sheet for sheet in sheets_of(result.result)}
    if "models" in found:
        found["models"] = as_compared(found["models"], result)
        found.pop("numbers", None)
    if "pairs" in told:
        found["pairs"] = told["pairs"]
    elif "pairs" in found:
        rows = [{"model": model.name, "value": model.value} for model in result.models]
        heads = {"model": Column("model"), "value": Column(result.quantity, "number")}
        del found["pairs"]
        return [sheet_of("models", result.title, heads, rows), *found.values()]
    return list(found.values())


def as_compared(sheet: Sheet, result: Any) -> Sheet:
    """Return the sheet of models in the order of a comparison, which knows what is better."""
    rows = [row["model"] for row in sheet.rows()]
    order = [rows.index(str(model.name)) for model in result.models]
    field = list(sheet.heads)[1]
    heads = {**sheet.heads, field: sheet.heads[field]._replace(name=result.quantity)}
    return replace(sheet, heads=heads, order=order)


FAMILIES: Mapping[str, Callable[[Any], list[Sheet]]] = {  # by the names of classes of results
    "AgreementMeasureResult": estimate_sheets,
    "BatchResult": batch_sheets,
    "CalibrationResult": calibration_sheets,
    "Comparison": comparison_sheets,
    "DatasetsComparisonResult": dataset_sheets,
    "Estimate": estimate_sheets,
    "FoldComparisonResult": together_sheets,
    "FoldsUnpairedResult": omnibus_sheets,
    "LeaderboardResult": leaderboard_sheets,
    "OmnibusResult": omnibus_sheets,
    "OrderResult": difference_sheets,
    "PairsResult": pairs_sheets,
    "PermutationAUCResult": difference_sheets,
    "PermutationMetricResult": difference_sheets,
    "PosteriorResult": posterior_sheets,
    "RatesResult": rates_sheets,
    "Recommendation": advice_sheets,
    "Record": fact_sheets,
    "Result": difference_sheets,
    "SpiegelhalterResult": estimate_sheets,
}


def sheets_of(result: Any) -> list[Sheet]:
    """Return the sheets of a result, by its class or the nearest class that it is a kind of.

    What knows more than a result, the level of its intervals or the source, has sheets of its own.
    """
    if hasattr(type(result), "sheets"):
        return list(result.sheets())
    kinds = [kind.__name__ for kind in type(result).__mro__]
    return next(FAMILIES[kind] for kind in kinds if kind in FAMILIES)(result)
