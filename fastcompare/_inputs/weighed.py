"""Options of bootstraps that weigh every row by itself, keyed by its number."""

from .._base.exceptions import InvalidValueError
from .options import check_flag

MOST_NUMBERED = 1 << 32


def check_weighed(method: object, groups: object, stratified: object) -> None:
    """Raise for options that weights of single rows do not have, or chunks with other weights."""
    if method != "poisson":
        raise InvalidValueError(
            f"`method` must be 'poisson' for chunks, got {method!r}: other replicates need the "
            "number of all cases first. Pass method='poisson', or arrays in memory."
        )
    if groups is not None:
        raise InvalidValueError(
            "`groups` must be None for method='poisson', which weighs every row by itself: choose "
            "'percentile', with arrays in memory."
        )
    if not check_flag("stratified", stratified):
        raise InvalidValueError(
            "`stratified` must be left out for method='poisson': the sizes of both classes vary, "
            "and AUCs are divided by those of each replicate."
        )


def check_countable(n: int) -> None:
    """Raise if rows are too many to be numbered by 32 bits."""
    if n > MOST_NUMBERED:
        raise InvalidValueError(
            f"`y_true` must hold at most 2^32 cases for method='poisson', got {n}: use delong_test."
        )
