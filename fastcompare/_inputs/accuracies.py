"""Options of tests of accuracies that do not all go together."""

from .._base.exceptions import InvalidValueError
from .options import check_choice, check_flag

METHODS = ("auto", "exact", "midp", "asymptotic")
COINS = ("exact", "midp")  # methods that throw a fair coin for each discordant case
INTERVALS = ("auto", "tango", "newcombe", "wald")


def check_mcnemar(
    method: object,
    continuity: object,
    interval: object = "auto",
    *,
    margin: float = 0.0,
    grouped: bool = False,
) -> None:
    """Raise unless the options of McNemar's test are legal, and go together."""
    check_choice("method", method, METHODS)
    check_choice("interval", interval, INTERVALS)
    corrected = check_flag("continuity", continuity)
    asked = {"continuity=True": corrected, "a margin": margin > 0.0, "`groups`": grouped}
    named = [name for name, is_so in asked.items() if is_so]
    if method in COINS and named:
        raise InvalidValueError(f"`method` must be 'asymptotic' with {named[0]}, got {method!r}.")
    if corrected and len(named) > 1:
        raise InvalidValueError("`continuity` must be False with a margin or with `groups`.")
    if grouped and interval not in ("auto", "wald"):
        raise InvalidValueError(f"`interval` must be 'wald' with `groups`, got {interval!r}.")


def check_accuracy(method: str, *, counted: bool, grouped: bool) -> None:
    """Raise unless clusters of cases come with the cases, and with the method that heeds them."""
    if grouped and counted:
        raise InvalidValueError(
            "`groups` must come with `y_true` and `y_pred`: counts do not tell which cases of a "
            "cluster are right."
        )
    if grouped and method != "wilson":
        raise InvalidValueError(f"`method` must be 'wilson' with `groups`, got {method!r}.")


def check_steps(steps: int, most: int, models: int, cases: int) -> None:
    """Raise once the exact distribution of Cochran's Q takes too many steps."""
    if steps > most:
        raise InvalidValueError(
            f"`method` must be 'asymptotic' for {models} models that differ on {cases} cases: "
            "'exact' would take too long."
        )
