"""What `compare` runs for times to an event, and why."""

from dataclasses import replace

from ...survival._pairs import early_censoring
from ..data import Analysis, Data, Query, Tests
from .cases import along, checked, run_tests, value_of, values_alone

OF_UNO = (
    "{share:.0%} of the cases are censored before {until}: Uno's C, because what Harrell's C "
    "estimates depends on censoring."
)
DEFAULT = "Called alone, the test takes Harrell's C: method='harrell' compares it here, too."
AS_SPECIFIED = "Harrell's C (as specified)."
OF_HARRELL = "{share:.0%} of the cases are censored before the last event: Harrell's C."


def analyse_times(
    data: Data, query: Query, tests: Tests | None = None, *, usual: Tests
) -> Analysis:
    """Return the tests of concordances, Uno's where 10% of the cases are censored too early."""
    assert data.times is not None
    told = early_censoring(*data.times)
    chosen = query.options.get("method")
    uno = told.early if chosen is None else chosen == "uno"
    options = {**data.options, "tau": told.tau if uno else None}
    options |= {} if chosen else {"method": "uno" if uno else "harrell"}
    values = (*data.times, dict(data.columns))
    k = len(data.columns)
    tested = run_tests(tests or usual, query, values, options, k)
    one = values_alone(query, usual, data.times, data.columns, options)
    until = "the last event" if told.tau is None else f"tau = {told.tau:.6g}"
    why = (OF_UNO if uno else OF_HARRELL).format(share=told.share, until=until)
    why = AS_SPECIFIED if told.early and not uno else why
    named = uno and chosen is None and query.test is not None
    return replace(
        tested,
        reasons=(why, *[DEFAULT] * named, *tested.reasons),
        values=along(data.columns, value_of(tested, "concordance", k, one)),
        quantity="concordance",
        checks=checked(*tested.tests.values()),
    )
