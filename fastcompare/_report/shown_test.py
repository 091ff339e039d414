"""A test of two models as sheets, at the level of its interval and from the source users name."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .._base.text import plain
from .._results.measures import names_of
from .._results.restated import restated
from .._results.upstairs import room
from .comparison import LEVEL
from .differences import difference_sheets
from .sheets import Sheet


@dataclass(frozen=True)
class ShownTest:
    """A test of two models, the level of its interval, and where the data come from."""

    record: Any
    confidence_level: float = LEVEL
    source: str = ""

    @cached_property
    def told(self) -> Any:
        """The result, told at the level."""
        wanted = None if self.confidence_level == LEVEL else self.confidence_level
        return restated(self.record, wanted)

    @property
    def title(self) -> str:
        """The title of the result."""
        return str(self.record.title)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the models."""
        return tuple(names_of(self.record))

    def sheets(self) -> list[Sheet]:
        """Return the sheets of the models and of their difference."""
        return difference_sheets(self.told)

    def summary(self) -> str:
        """Return the summary of the result."""
        return str(self.told.summary())

    def __str__(self) -> str:
        return str(room("_report").to_screen(self))

    def to_dict(self) -> dict[str, Any]:
        """Return everything, for programs: models and pairs as of more than two models."""
        tables = {sheet.kind: plain(list(sheet.rows())) for sheet in self.sheets()}
        known = {"source": self.source, "confidence_level": self.confidence_level}
        return {**self.record.to_dict(), **known, **tables, "summary": self.summary()}
