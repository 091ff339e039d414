"""What the tests of several models on many data sets share: the record that they return."""

from dataclasses import dataclass
from typing import ClassVar, TypedDict

import numpy as np

from ..._base.types import Vector
from ..._inputs.models import ModelTable
from ..._results.omnibus import OmnibusResult


@dataclass(frozen=True, eq=False, kw_only=True)
class RanksResult(OmnibusResult):
    """A test that k models are equally good on n data sets."""

    average_ranks: Vector
    names: tuple[str, ...]
    k: int
    n: int

    called: ClassVar[str] = ""
    ranked: ClassVar[str] = "average ranks"
    digits: ClassVar[str] = ".4g"

    @property
    def letter(self) -> str:  # type: ignore[override]
        """The name of the statistic."""
        return "F" if isinstance(self.df, tuple) else "chi-squared"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        best, worst = int(np.argmin(self.average_ranks)), int(np.argmax(self.average_ranks))
        return (
            f"Over {self.n} data sets the {self.ranked} of {self.k} models range from "
            f"{self.average_ranks[best]:.4g} ({self.names[best]}) to "
            f"{self.average_ranks[worst]:.4g} ({self.names[worst]}); {self._test()}, "
            f"{self._evidence()}."
        )

    def _test(self) -> str:
        """Return the name of the test."""
        return self.called


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
