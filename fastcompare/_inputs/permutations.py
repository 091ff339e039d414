"""What goes together in a permutation test."""

import math

from .._base.exceptions import InvalidTypeError, InvalidValueError
from .options import ALTERNATIVES, as_choice, check_choice, check_flag, check_two_sided


def as_permutation(
    method: object, alternative: object, exact: object, keep: object, groups: object = None
) -> tuple[str, bool | None]:
    """Return the method, and whether to count all exchanges: None if that depends on the cases."""
    chosen: str = as_choice("method", method, ("auc", "studentized", "venkatraman"))
    check_choice("alternative", alternative, ALTERNATIVES)
    check_whole_clusters(chosen, groups)
    if chosen == "venkatraman":
        why = "curves that differ need not do so in one direction"
        check_two_sided(alternative, "for method='venkatraman'", why)
    if exact is not None and not isinstance(exact, bool):
        raise InvalidTypeError(f"`exact` must be None, True or False, got {exact!r}.")
    kept = check_flag("keep", keep)
    if exact and kept:
        raise InvalidValueError(
            "`keep=True` keeps random exchanges, and `exact=True` draws none: choose one of them."
        )
    return chosen, False if kept else exact


def check_whole_clusters(method: object, groups: object) -> None:
    """Raise for clusters with a test that is not a sum over cases."""
    if groups is not None and method != "auc":
        raise InvalidValueError(
            f"`method` must be 'auc' with `groups`, got {method!r}, which exchanges cases one by "
            "one."
        )


def check_studentized(is_studentized: bool) -> None:
    """Raise unless a permutation test has intervals."""
    if not is_studentized:
        raise InvalidValueError(
            "`confidence_interval` needs method='studentized': the other tests' null hypothesis is "
            "that the models are exchangeable, not a value of the difference."
        )


def check_steps(work: float, most: float) -> None:
    """Raise if counting all exchanges takes more than `most` steps."""
    if work > most:
        raise InvalidValueError(
            f"`exact=True` takes 10^{math.log10(work):.0f} steps for these cases, more than "
            f"{most:.0e}, which take a minute. Pass exact=False."
        )


def check_fewer(n: int, most: int) -> None:
    """Raise unless there are fewer than `most` cases."""
    if n >= most:
        raise InvalidValueError(
            f"permutation tests take fewer than {most} cases, got {n}. Use delong_test."
        )
