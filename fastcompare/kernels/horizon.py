"""How often a score ranks cases with an event by a horizon above those known to be without one.

Of the events by time t, with whole numbers `events` for their weights, and of the controls, whose
time is beyond t, with `controls`: the score of an event beats that of a control if it is higher,
half if it is equal. All arrays are in the order of time; sums of whole numbers do not depend on the
order of the cases.

What weights by the chance of being uncensored add to the errors is summed here, too.
"""

import numpy as np

from .._jit.kernel import kernel
from .concordance import sort_scores_in_time
from .sorting.keys import case_number
from .sums import BLOCK, block_sum, split_by_halves, sum_of_blocks

KINDS = 3  # of cases: censored by the horizon, events, controls


@kernel
def write_score_order(scores, keys, new):
    """Write the case numbers in order of score to `keys`, and where a new score begins to `new`.

    One sort serves any number of horizons.
    """
    no_events = np.zeros(scores.size, np.uint8)
    nbits, new[:] = sort_scores_in_time(scores, no_events, keys)
    for r in range(keys.size):
        keys[r] = case_number(keys[r], nbits)


@kernel
def horizon_wins(keys, new, events, controls, wins):
    """Write twice the weight of controls below each event, and of events above each control.

    Ties count half. `keys` and `new` are from `write_score_order`; other cases get 0.
    """
    n = keys.size
    above, below = np.int64(0), np.int64(0)  # weights of events above, of controls below
    for q in range(n):
        above += events[q]
    start = 0
    while start < n:
        stop, tied_events, tied_controls = start, np.int64(0), np.int64(0)
        while stop < n and (stop == start or not new[stop]):
            tied_events += events[keys[stop]]
            tied_controls += controls[keys[stop]]
            stop += 1
        above -= tied_events
        for r in range(start, stop):
            q = keys[r]
            if events[q]:
                wins[q] = 2 * below + tied_controls
            elif controls[q]:
                wins[q] = 2 * above + tied_events
            else:
                wins[q] = 0
        below += tied_controls
        start = stop


@kernel
def difference_beyond_rounding(observed, expected, rounding):
    """Return observed - expected, or 0 if it is at most `rounding` times |expected|."""
    difference = observed - expected
    return 0.0 if abs(difference) <= rounding * abs(expected) else difference


@kernel
def auc_errors(
    wins, less, events, controls, all_events, all_controls, mean, rounding, of_events, out
):
    """Write the influence of each case on an AUC, given its weights, to `out`.

    The influence of events as events also goes to `of_events`. Doubled wins are `wins` - `less`, of
    a model or of two; their `mean` is the AUC or the difference. `all_events` and `all_controls`
    are sums of weights. One pass, where NumPy's arrays take ten.
    """
    for q in range(wins.size):
        observed = 0.5 * (wins[q] - less[q])
        above = difference_beyond_rounding(observed, mean * all_controls, rounding) * events[q]
        below = difference_beyond_rounding(observed, mean * all_events, rounding) * controls[q]
        of_events[q] = above / all_events / all_controls
        out[q] = of_events[q] + below / all_events / all_controls


@kernel
def censoring_steps(everyone, gone, has_censored, at_risk, censored, before):
    """Write the weights at risk and censored at each time, and G, the Kaplan-Meier curve before it.

    G is the probability of being uncensored. `everyone` and `gone` are the weights of all cases and
    of events at each time; a time has censored cases only if `has_censored`, not by rounding.
    """
    total, uncensored = 0.0, 1.0
    for j in range(everyone.size - 1, -1, -1):
        total += everyone[j]
        at_risk[j] = total - gone[j]  # events of a time come before its censored cases
    for j in range(everyone.size):
        censored[j] = everyone[j] - gone[j] if has_censored[j] else 0.0
        before[j] = uncensored
        if censored[j] > 0.0:
            uncensored *= 1.0 - censored[j] / at_risk[j]


@kernel
def censoring_terms(beyond, at_risk, censored):
    """Return B / (Y - c) and B c / (Y (Y - c)) of a time (see `censoring_errors`), 0 for c = 0."""
    # where none is at risk afterwards, B is 0; a branch would be taken at random
    counts = censored > 0.0 and beyond != 0.0
    less = (beyond if counts else 0.0) / (at_risk - censored if counts else 1.0)
    return less, less * censored / (at_risk if counts else 1.0)


@kernel
def censoring_errors(coefficients, starts, at_risk, censored, event_observed, weights, out):
    """Write sum_i A_i w_m dlog G(X_i-) / dw_m for all m, where A is `coefficients`.

    With B(t) the sum of A_i beyond t, c censored at t and Y at risk, each m at risk adds
    B c / (Y (Y - c)), and B / (Y - c) less if it is censored then. Times begin at `starts`.
    """
    n, times = coefficients.size, starts.size
    beyond, total = np.empty(times), 0.0
    for j in range(times - 1, -1, -1):
        beyond[j], tied = total, 0.0
        for q in range(starts[j], starts[j + 1] if j + 1 < times else n):
            tied += coefficients[q]
        total += tied
    total = 0.0
    for j in range(times):
        before = total
        less, more = censoring_terms(beyond[j], at_risk[j], censored[j])
        total += more
        for q in range(starts[j], starts[j + 1] if j + 1 < times else n):
            out[q] = weights[q] * (before if event_observed[q] else total - less)


@kernel
def untied_censoring_errors(coefficients, at_risk, censored, event_observed, weights, out):
    """Write `censoring_errors`, the same bits, if no two cases share a time: in half the time."""
    total = 0.0
    for q in range(coefficients.size - 1, -1, -1):  # first B, the sums beyond each time
        out[q] = total
        total += coefficients[q]
    total = 0.0
    for q in range(coefficients.size):
        before = total
        less, more = censoring_terms(out[q], at_risk[q], censored[q])
        total += more
        out[q] = weights[q] * (before if event_observed[q] else total - less)


@kernel
def brier_losses(chances, less, events, controls, uncensored, out):
    """Write the weighted Brier losses of forecasts `chances`, less those of `less` unless empty.

    `events` and `controls` are the weights as such, `uncensored` is G at the horizon. One pass,
    where NumPy's arrays take ten; the bits are theirs.
    """
    for q in range(chances.size):
        r = chances[q]
        if less.size:  # differences of squares as products: nothing cancels
            other = less[q]
            event, control = (other - r) * (2.0 - (r + other)), (r - other) * (r + other)
        else:
            event, control = (1.0 - r) * (1.0 - r), r * r
        out[q] = event * events[q] + control * controls[q] / uncensored


@kernel
def sum_squared_roots(errors, kinds, factors, roots, out):
    """Write errors times the factors of their kinds to `roots`, and sums of squares to `out`.

    `out` (4) has the sum of each of three kinds, and of all, added in NumPy's order.
    """
    ends, depths = split_by_halves(errors.size)
    sums, terms = np.empty((KINDS + 1, ends.size)), np.zeros((KINDS + 1, BLOCK))
    start = 0
    for block in range(ends.size):
        stop = ends[block]
        for q in range(stop - start):
            kind = kinds[start + q]
            root = errors[start + q] * factors[kind]
            roots[start + q] = root
            for row in range(KINDS):
                terms[row, q] = root * root if row == kind else 0.0
            terms[KINDS, q] = root * root
        for row in range(KINDS + 1):
            sums[row, block] = block_sum(terms[row], stop - start)
        start = stop
    for row in range(KINDS + 1):
        out[row] = sum_of_blocks(sums[row], depths)
