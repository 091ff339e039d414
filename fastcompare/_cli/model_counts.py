"""How many models a command compares: two where the claim is about two, and not too many pairs."""

from collections.abc import Collection

from .._base.exceptions import InvalidValueError
from .._inputs.options import is_about_two
from .groups import Claim

SECONDS, BYTES = 6e-5, 450  # a pair, tested and written as JSON: 1,000 models take 30 s, 217 MB


def only_of_two(claim: Claim, method: str = "") -> str:
    """Return the option that is about two models alone, or ""; `method` is one that is."""
    if is_about_two(claim.alternative, claim.margin):
        return "--margin" if claim.margin else f"--alternative {claim.alternative}"
    return f"--method {method}" if method else ""


def check_count(models: Collection[str], claim: Claim, option: str, of_two: str = "") -> None:
    """Raise unless there are two models where `of_two` is about two, and not too many pairs."""
    k = len(models)
    if of_two and k != 2:
        raise InvalidValueError(
            f"`{of_two}` is about two models, not {k}: name them by `{option}`."
        )
    check_pairs(k, claim.max_pairs, f"Choose models by `{option}`")


def check_pairs(k: int, most: int, instead: str) -> None:
    """Raise with the cost where k models have more than so many pairs."""
    pairs = k * (k - 1) // 2
    if pairs > most:
        raise InvalidValueError(
            f"{k:,} models are {pairs:,} pairs, which take some {SECONDS * pairs:,.0f} s and "
            f"{BYTES * pairs / 1e6:,.0f} MB as JSON. {instead}, or allow them by "
            f"`--max-pairs {pairs}`."
        )
