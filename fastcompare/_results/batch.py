"""What tests of many problems in one call return."""

from dataclasses import dataclass

from .._base.text import rejected
from .._base.types import Vector
from .records import Record


@dataclass(frozen=True, eq=False, kw_only=True)
class BatchResult(Record):
    """Tests of B problems: arrays (B,) of statistics and p-values, and the method of all."""

    statistic: Vector
    pvalue: Vector
    method: str

    def _summary(self) -> str:
        """Return the result in a sentence of plain words."""
        return rejected(self.pvalue, self.method)
