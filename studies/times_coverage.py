"""How often intervals of a concordance hold it, Harrell's and Uno's.

    python -m studies.times_coverage [--trials 400] [--jobs 2] [--write]

The data are those of `studies.times_levels`. Harrell's C of a cell is that of many cases with its
censoring, Uno's that of many cases without any, whose events count before `tau`. Data sets with
fewer than two events before it do not count for Uno's.
"""

from collections import defaultdict

import numpy as np

import fastcompare as fc

from .tables import markdown, percent, run
from .times_levels import LARGE, ROWS, SHAPED, VALUES, data_set, enough, shares_of, tau_of, told

INTERVALS = {
    "score": {},
    "logit": {"interval": "logit"},
    "wald": {"interval": "wald"},
    "Uno, score": {"method": "uno"},
    "Uno, logit": {"method": "uno", "interval": "logit"},
}


def truth(cell, rng):
    """Return the limits of Harrell's C and of Uno's; the latter is None without censoring."""
    harrell = fc.concordance(*data_set(cell, rng, LARGE)[:3])
    if not cell.censored:
        return harrell, None
    whole = data_set(cell._replace(censored=0.0), rng, LARGE)
    return harrell, fc.concordance(*whole[:3], tau=tau_of(cell))


def measure(cell, *, trials):
    """Return the shares of intervals of .95 that hold C."""
    rng = np.random.default_rng(sum(map(ord, repr(cell))))
    harrell, uno = truth(cell, rng)
    tau, held = tau_of(cell), defaultdict(list)
    for _ in range(trials):
        (time, event, a, _), more = enough(cell, rng)
        for name, options in INTERVALS.items():
            at, true = ({"tau": tau}, uno) if "method" in options else ({}, harrell)
            if true and (true is harrell or np.count_nonzero(event & (time < tau)) > 1):
                one = fc.concordance_interval(time, event, a, **options, **at, **more)
                low, high = one.confidence_interval()
                held[name].append(low <= true <= high)
    return {name: float(np.mean(each)) for name, each in held.items()}


def show(cells, found):
    """Return a table of coverage, with the four values of C in a cell."""
    rows = []
    for shape, events, censored in ROWS:
        at = {"shape": shape, "events": events, "censored": censored}
        ends = [
            [shares_of(cells, found, name, value=value, **at) for value in VALUES]
            for name in INTERVALS
        ]
        each = (" / ".join(told(s, min) for s in own) if own[0] else "–" for own in ends)
        rows.append([shape, events, percent(censored), *each])
    return markdown(["cases", "events", "censored", *INTERVALS], rows)


if __name__ == "__main__":
    run("times_coverage", "evidence/survival.md", SHAPED, measure, show, trials=400)
