"""What `compare` runs for times to an event, and why."""

from dataclasses import replace

from ...survival._pairs import early_censoring
from ..data import Analysis, Data, Query, Tests
from .cases import by_model_name, model_values, run_tests, single_model_values, status_sentences

OF_UNO = (
    "{share:.0%} of the cases are censored before {until}: Uno's C, because what Harrell's C "
    "estimates depends on censoring."
)
UNO_SPECIFIED = "Uno's C (as specified)."
DEFAULT = "Called alone, the test takes Harrell's C: method='harrell' compares it here, too."
HARRELL_SPECIFIED = "Harrell's C (as specified)."
OF_HARRELL = "{share:.0%} of the cases are censored before the last event: Harrell's C."


def analyse_times(
    data: Data, query: Query, tests: Tests | None = None, *, usual: Tests
) -> Analysis:
    """Return the tests of concordances, Uno's where 10% of the cases are censored too early."""
    assert data.times is not None
    censoring = early_censoring(*data.times)
    chosen = query.options.get("method")
    uno = censoring.early if chosen is None else chosen == "uno"
    options = {**data.options, "tau": censoring.tau if uno else None}
    options |= {} if chosen else {"method": "uno" if uno else "harrell"}
    values = (*data.times, dict(data.columns))
    k = len(data.columns)
    tested = run_tests(tests or usual, query, values, options, k)
    one = single_model_values(query, usual, data.times, data.columns, options)
    until = "the last event" if censoring.tau is None else f"tau = {censoring.tau:.6g}"
    why = (OF_UNO if uno else OF_HARRELL).format(share=censoring.share, until=until)
    if uno != censoring.early:  # of the other one the shares would be no reason
        why = UNO_SPECIFIED if uno else HARRELL_SPECIFIED
    named = uno and chosen is None and query.test is not None
    return replace(
        tested,
        reasons=(why, *[DEFAULT] * named, *tested.reasons),
        values=by_model_name(data.columns, model_values(tested, "concordance", k, one)),
        quantity="concordance",
        checks=status_sentences(*tested.tests.values()),
    )
