"""Options of tests of proportions and accuracies that go together, and the limits of exact ones."""

from ..._base.exceptions import InvalidValueError, invalid_value
from ..options import as_choice, check_choice, check_flag

METHODS = ("auto", "exact", "midp", "asymptotic")
BINOMIAL_METHODS = ("exact", "midp")  # of discordant cases, each for either model by a fair coin
MOST_TABLES = 250_000  # pairs of cases, for which Boschloo's test takes 3 s
INTERVALS = ("auto", "tango", "corrected", "melded", "newcombe", "wald")


def check_mcnemar(
    method: object,
    continuity: object,
    interval: object = "auto",
    *,
    margin: float = 0.0,
    grouped: bool = False,
) -> str:
    """Return the method; raise unless the options of McNemar's test are legal, and go together."""
    chosen: str = as_choice("method", method, METHODS)
    check_choice("interval", interval, INTERVALS)
    corrected = check_flag("continuity", continuity)
    if not (corrected or margin or grouped):
        return chosen
    options = {"continuity=True": corrected, "a margin": margin > 0.0, "`groups`": grouped}
    specified = [name for name, is_specified in options.items() if is_specified]
    if chosen in BINOMIAL_METHODS and specified:
        raise invalid_value("method", f"must be 'asymptotic' with {specified[0]}", method)
    if corrected and len(specified) > 1:
        raise invalid_value("continuity", "must be False with a margin or with `groups`")
    if grouped and interval not in ("auto", "wald"):
        raise invalid_value("interval", "must be 'wald' with `groups`", interval)
    return chosen


def check_groups_of_accuracy(method: str, *, from_counts: bool, grouped: bool) -> None:
    """Raise for clusters that come with counts, not cases, or with a method without clusters."""
    if grouped and from_counts:
        raise invalid_value(
            "groups",
            "must come with `y_true` and `y_pred`, or with a list as `correct`",
            end=": counts do not show which cases of a cluster are correct.",
        )
    if grouped and method not in ("wilson", "clopper-pearson"):
        raise invalid_value("method", "must be 'wilson' or 'clopper-pearson' with `groups`", method)


def check_independent(method: str, groups: object) -> None:
    """Raise for clusters with another method than 'asymptotic'."""
    if groups is not None and method != "asymptotic":
        raise invalid_value(
            "method",
            "must be 'asymptotic' with `groups`",
            method,
            ", which assumes independent cases.",
        )


def check_unpaired(method: object, variance: str, margin: float) -> None:
    """Raise unless the options of a test of two independent accuracies go together."""
    check_choice("method", method, ("asymptotic", "boschloo"))
    options = {"a margin": margin > 0.0, "variance='unpooled'": variance == "unpooled"}
    specified = [name for name, is_specified in options.items() if is_specified]
    if method == "boschloo" and specified:
        rule = f"must be 'asymptotic' with {specified[0]}"
        raise invalid_value("method", rule, end=", got 'boschloo'.")


def check_both_groups(groups_1: object, groups_2: object, method: str) -> bool:
    """Return whether the two samples have clusters; raise if only one has, or the method none."""
    specified = [
        name
        for name, value in (("groups_1", groups_1), ("groups_2", groups_2))
        if value is not None
    ]
    if len(specified) == 1:
        raise invalid_value(
            specified[0],
            "must be passed with the clusters of the other set, too",
            end=": number its cases if they are independent.",
        )
    if specified and method != "asymptotic":
        raise invalid_value("method", "must be 'asymptotic' with `groups_1` and `groups_2`", method)
    return bool(specified)


def check_uncounted(grouped: bool) -> None:
    """Raise for clusters of two samples that come as counts, not as cases."""
    if grouped:
        raise InvalidValueError(
            "`groups_1` and `groups_2` must be passed with labels: counts do not show which cases "
            "of a cluster are correct.",
            parameter="groups_1",
        )


def check_tables(n_1: int, n_2: int) -> None:
    """Raise if Boschloo's test of samples of n_1 and n_2 cases would take too long."""
    if n_1 * n_2 > MOST_TABLES:
        raise invalid_value(
            "method",
            f"must be 'asymptotic' for samples of {n_1} and {n_2} cases",
            end=f": 'boschloo' allows up to {MOST_TABLES} pairs of cases, for which it needs "
            "seconds.",
        )


def check_steps(n_steps: int, max_steps: int, n_models: int, n_cases: int) -> None:
    """Raise once the exact distribution of Cochran's Q takes too many steps."""
    if n_steps > max_steps:
        raise invalid_value(
            "method",
            f"must be 'asymptotic' for {n_models} models that differ on {n_cases} cases",
            end=": 'exact' would take too long.",
        )
