"""Arrays by what they hold, and options by what they may be, for annotations."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

AnyArray = NDArray[Any]
Vector = NDArray[np.float64]  # a number a case, unit or replicate
Matrix = NDArray[np.float64]  # a column a model, or symmetric
Integers = NDArray[np.int64]

AnyLabels = ArrayLike  # true labels that need not be binary

Direction = Literal["two-sided", "less", "greater"]
Alternative = Literal["two-sided", "less", "greater", "equivalence"]
NanPolicy = Literal["raise", "omit"]
PairCorrection = str  # of p-values of all pairs, where equality is transitive
Undefined = Literal["warn", "raise", "ignore"]
Average = Literal["binary", "macro", "weighted"]
WeightKind = Literal["sampling", "frequency"]
RandomState = int | np.random.Generator | None
Progress = bool | Callable[[int, int], Any] | None


class Pieces:
    """What is read in pieces, since it need not fit into memory; few functions read it so."""


if TYPE_CHECKING:
    Fields = dict[str, Any]  # some fields of a result by name
else:
    Fields = dict  # which is called in less than half of the time
