"""What goes together in a permutation test."""

from .._base.exceptions import InvalidTypeError, InvalidValueError
from .options import ALTERNATIVES, check_choice, check_flag


def check_permutation(
    method: object, alternative: object, exact: object, keep: object
) -> bool | None:
    """Return whether to count all exchanges, None where that may depend on the cases."""
    check_choice("method", method, ("auc", "venkatraman"))
    check_choice("alternative", alternative, ALTERNATIVES)
    if method == "venkatraman" and alternative != "two-sided":
        raise InvalidValueError(
            f"`alternative` must be 'two-sided' for method='venkatraman', got {alternative!r}: "
            "curves that differ need not do so in one direction."
        )
    if exact is not None and not isinstance(exact, bool):
        raise InvalidTypeError(f"`exact` must be None, True or False, got {exact!r}.")
    kept = check_flag("keep", keep)
    if exact and kept:
        raise InvalidValueError(
            "`keep=True` keeps random exchanges, and `exact=True` draws none: choose one of them."
        )
    return False if kept else exact
