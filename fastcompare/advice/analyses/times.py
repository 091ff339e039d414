"""What `compare` runs for times to an event, and why."""

from dataclasses import replace

from ..._results.remarks import status_remarks
from ...survival._pairs import early_censoring
from ..data import Analysis, Data, Query, Tests
from .cases import by_model_name, model_values, run_tests, single_model_values

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
    """Return the tests of concordances, Uno's where 10% of the cases are censored too early.

    Where a method was specified, those of that method.
    """
    assert data.times is not None
    censoring = early_censoring(*data.times)
    method = query.options.get("method")
    is_uno = censoring.early if method is None else method == "uno"
    options = {**data.options, "tau": censoring.tau if is_uno else None}
    if not method:
        options["method"] = "uno" if is_uno else "harrell"
    values = (*data.times, dict(data.columns))
    k = len(data.columns)
    tested = run_tests(tests or usual, query, values, options, k)
    estimate_each = single_model_values(query, usual, data.times, data.columns, options)
    until = "the last event" if censoring.tau is None else f"tau = {censoring.tau:.6g}"
    why = (OF_UNO if is_uno else OF_HARRELL).format(share=censoring.share, until=until)
    if is_uno != censoring.early:  # against what the share of censored cases suggests
        why = UNO_SPECIFIED if is_uno else HARRELL_SPECIFIED
    differs_from_test = is_uno and method is None and query.test is not None
    default_note = [DEFAULT] if differs_from_test else []
    return replace(
        tested,
        reasons=(why, *default_note, *tested.reasons),
        values=by_model_name(data.columns, model_values(tested, "concordance", k, estimate_each)),
        quantity="concordance",
        checks=status_remarks(*tested.tests.values()),
    )
