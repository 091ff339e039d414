"""Which picture shows a result, by the result's class or the nearest class that it is a kind of."""

from collections.abc import Callable
from typing import Any

from .._base.exceptions import InvalidTypeError
from ._diagram import critical_difference
from ._leaderboard import leaderboard
from ._matrix import pvalue_matrix
from ._rates import error_rates, power_curves

PICTURES: dict[str, Callable[..., Any]] = {  # by name, since some classes live upstairs
    "ErrorRatesResult": error_rates,
    "LeaderboardResult": leaderboard,
    "NemenyiResult": critical_difference,
    "PairsResult": pvalue_matrix,
    "PowerResult": power_curves,
}


def picture(result: Any, ax: Any = None, **options: Any) -> Any:
    """Return the axes with the picture of a result; options are those of its function here."""
    for kind in type(result).__mro__:
        if kind.__name__ in PICTURES:
            return PICTURES[kind.__name__](result, ax=ax, **options)
    raise InvalidTypeError(
        f"`result` has no picture: got {type(result).__name__}. There are pictures of "
        f"{', '.join(sorted(PICTURES))}; `print(result)` and `result.to_frame()` show any result."
    )
