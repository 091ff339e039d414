"""What the tests of several models on many data sets share: the record that they return."""

from dataclasses import dataclass
from typing import ClassVar, TypedDict

import numpy as np

from ..._base.text import equation, show_pvalue
from ..._base.types import Vector
from ..._inputs.models import ModelTable
from ..._results.records import Record

Degrees = int | tuple[int, int]


@dataclass(frozen=True, eq=False, kw_only=True)
class RanksResult(Record):
    """A test that k models are equally good on n data sets; there is no single estimate."""

    statistic: float
    df: Degrees
    pvalue: float
    log_pvalue: float
    average_ranks: Vector
    names: tuple[str, ...]
    k: int
    n: int
    n_dropped: int
    method: str
    status: str
    estimate: None = None

    called: ClassVar[str] = ""
    ranked: ClassVar[str] = "average ranks"

    def summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        best, worst = int(np.argmin(self.average_ranks)), int(np.argmax(self.average_ranks))
        return (
            f"Over {self.n} data sets the {self.ranked} of {self.k} models range from "
            f"{self.average_ranks[best]:.4g} ({self.names[best]}) to "
            f"{self.average_ranks[worst]:.4g} ({self.names[worst]}); {self._test()}, "
            f"{equation('p', show_pvalue(self.pvalue))}."
        )

    def _test(self) -> str:
        """Return the name of the test and its statistic."""
        letter = f"F{self.df}" if isinstance(self.df, tuple) else f"chi-squared({self.df})"
        return f"{self.called}, {letter} = {self.statistic:.4g}"


class RankedFields(TypedDict):
    """The fields of a `RanksResult` that do not depend on the test."""

    names: tuple[str, ...]
    k: int
    n: int
    n_dropped: int
    average_ranks: Vector


def ranked_fields(table: ModelTable, average_ranks: Vector) -> RankedFields:
    """Return the fields that say which models were compared, and on how many data sets."""
    n, k = table.values.shape
    return RankedFields(
        names=table.names, k=k, n=n, n_dropped=table.n_dropped, average_ranks=average_ranks
    )
