"""Arrays by what they hold, for annotations."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

AnyArray = NDArray[Any]
Vector = NDArray[np.float64]  # a number a case, unit or replicate
Matrix = NDArray[np.float64]  # a column a model, or symmetric
Integers = NDArray[np.int64]
