"""What one AUC is tested against, by which method, and at what cost."""

from .._base.exceptions import InvalidValueError
from .options import check_within

NULL_METHODS = ("auto", "score", "exact", "asymptotic")


def check_null(null: object, method: str) -> float:
    """Return the AUC to test against, or raise; Mann and Whitney's tests know 0.5 alone."""
    value = check_within("null", null)
    if method != "score" and value != 0.5:
        raise InvalidValueError(
            f"`method={method!r}` tests against `null=0.5` only, got {null!r}: choose 'score'."
        )
    return value


def check_work(additions: float, most: float) -> None:
    """Raise if counting all choices of the positives takes too many additions."""
    if additions > most:
        raise InvalidValueError(
            f"`method='exact'` would take {additions:.1e} additions for so many cases, more than "
            f"{most:.0e}: choose 'asymptotic', which they are enough for."
        )
