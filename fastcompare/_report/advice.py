"""The sheet of tests that are recommended."""

from typing import Any

from .sheets import Sheet, sheet_of
from .tables import Column

HEADS = {
    "test": Column("test"),
    "role": Column("role"),
    "reason": Column("reason", "text", 1),
    "wrong": Column("the wrong test", "text", 2),
    "rate": Column("its type I error, %", "text", 2),
    "reference": Column("reference", "text", 3),
}


def advice_sheets(result: Any) -> list[Sheet]:
    """Return the sheet of the tests, with the wrong ones and how often these err."""
    rows = [
        {
            "test": test.test,
            "role": test.role,
            "reason": test.reason,
            "wrong": "" if test.wrong is None else test.wrong.test,
            "rate": "" if test.wrong is None else f"{test.wrong.rate:g}",
            "reference": test.reference,
        }
        for test in result.tests
    ]
    return [sheet_of("tests", result.title, HEADS, rows)]
