"""Times to an event: R's survival, riskRegression and timeROC, scikit-survival, lifelines.

The data sets are those stored with the tests, most of R's survival, and two drawn ones, half of
whose cases are censored: without ties, and with times, events and scores that tie.
"""

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

import fast_cindex
import numpy as np
from lifelines.utils import concordance_index
from sksurv import metrics
from sksurv.util import Surv

import fastcompare as fc

from .check import QUIET, Check, in_r

STORED = Path(__file__).parents[2] / "tests" / "golden" / "survival"
BEFORE = (
    "where a case is censored at the time of an event, scikit-survival weighs the event by the "
    "chance of being uncensored at that time, here (and in survival) it is just before it"
)
AT_RISK = (
    "the influence of the estimated weights is its limit of many cases, 1 / Y for 1 / (Y - c) with "
    "c cases censored of Y at risk, among which riskRegression counts events of the same time; "
    "here it is the derivative itself"
)
FIXED = "survival takes the weights as known, here they are estimated, as in the definition"
STRICT = "timeROC counts events before the horizon, here those at the horizon count, too"


class Data(NamedTuple):
    """A data set: times, events, scores, clusters or none, and a moment that is nobody's time."""

    name: str
    time: np.ndarray
    event: np.ndarray
    scores: list
    groups: list | None
    moment: float

    @property
    def given(self):
        """What a test gets."""
        return self.time, self.event, *self.scores

    @property
    def chances(self):
        """Both models' scores, as if they were chances of an event."""
        return [1.0 / (1.0 + np.exp((s.mean() - s) / s.std())) for s in self.scores]

    @property
    def in_r(self):
        """The same for R."""
        a, b = self.scores
        return {"t": self.time, "e": self.event, "a": a, "b": b}

    @property
    def structured(self):
        """The same for scikit-survival."""
        return Surv.from_arrays(self.event == 1, self.time)

    @property
    def followed_to_moment(self):
        """The same without events after the moment, of which one may have no weight."""
        event = (self.event == 1) & (self.time <= self.moment)
        return Surv.from_arrays(event, np.minimum(self.time, 2.0 * self.moment))

    @property
    def ties(self):
        """Whether a case is censored at the time of an event."""
        return bool(np.isin(self.time[self.event == 0], self.time[self.event == 1]).any())


def between(time):
    """Return a moment in the middle of the times, that is none of them."""
    different = np.unique(time)
    middle = different.size // 2
    return float(0.5 * (different[middle - 1] + different[middle]))


@cache
def data_sets():
    """Return the stored data sets of censored cases, and the drawn ones."""
    found = []
    for case in json.loads((STORED / "concordance_survival.json").read_text())["cases"]:
        if "tau" in case:
            a, b = (np.array(own, float) for own in [*case["scores"].values()][:2])
            time, event = np.array(case["time"], float), np.array(case["event"], int)
            found.append(Data(case["name"], time, event, [a, b], case["cluster"], between(time)))
    for name, grain in (("drawn", 0.0), ("drawn with ties", 4.0)):
        rng = np.random.default_rng(0)
        x = rng.normal(size=200)
        death, left = rng.exponential(np.exp(-x)), rng.exponential(size=200)
        time, scores = np.minimum(death, left), x + rng.normal(size=(2, 200))
        if grain:
            time, scores = np.ceil(grain * time), np.round(scores)
        event = (death <= left).astype(int)
        found.append(Data(name, time, event, list(scores), None, between(time)))
    return found


def compared(function, program, call, pair, why="", kept=lambda data: True):
    """Return a check of the numbers, ours and theirs, that `pair` returns of each data set."""
    found = [pair(data) for data in data_sets() if kept(data)]
    ours, theirs = ([number for one in side for number in one] for side in zip(*found, strict=True))
    return Check(function, program, f"{call}, {len(found)} data sets", ours, theirs, why)


def checks():
    """Yield what is compared of times to an event."""
    yield from values()
    yield from of_survival()
    yield from weighted_values()
    yield from of_scores()
    yield from of_timeroc()


def values():
    """Yield Harrell's C of one model."""
    programs = {
        "lifelines": (
            "concordance_index",
            lambda d, a: concordance_index(d.time, -a, d.event),
        ),
        "scikit-survival": (
            "concordance_index_censored(tied_tol=0)",
            lambda d, a: metrics.concordance_index_censored(d.event == 1, d.time, a, tied_tol=0)[0],
        ),
        "fast-cindex": ("cindex", lambda d, a: fast_cindex.cindex(d.time, -a, d.event)),
    }
    for program, (call, theirs) in programs.items():
        yield compared(
            "concordance",
            program,
            call,
            lambda d, theirs=theirs: (
                [fc.concordance(d.time, d.event, a) for a in d.scores],
                [theirs(d, a) for a in d.scores],
            ),
        )


@cache
def fitted(name):
    """Return numbers of R's survival by two fits, in rows: plain, weighted as Uno's, in clusters.

    They are both concordances, their covariance, and the standard error of the difference.
    """
    (data,) = (data for data in data_sets() if data.name == name)
    fits = [
        f"concordance(Surv(t, e) ~ {model}, reverse=TRUE, influence=1, timefix=FALSE, ...)"
        for model in "ab"
    ]
    code = (
        f"{{library(survival); two <- function(k, ...) {{f <- {fits[0]}; g <- {fits[1]}; "
        "v <- rowsum(cbind(f$dfbeta, g$dfbeta), k); s <- crossprod(v); c(f$concordance, "
        "g$concordance, s[c(1, 2, 4)], sqrt(sum((v[, 1] - v[, 2])^2)))}; "
        "n <- seq_along(t); c(two(n), two(n, timewt='n/G2', ymax=h), two(k))}"
    )
    clusters = np.arange(data.time.size) if data.groups is None else data.groups
    return in_r(code, **data.in_r, h=[data.moment], k=clusters).reshape(3, -1)


def paired(data, **options):
    """Return the same of ours, as published."""
    found = fc.concordance_test(*data.given, reference="normal", **options, **QUIET)
    (first, both), (_, second) = found.covariance
    return [*found.concordance, first, both, second, found.standard_error]


def of_survival():
    """Yield tests of two concordances by two fits of R's survival."""
    uno = 'concordance(timewt="n/G2", ymax=tau)'
    rows = (
        ("concordance(influence=1)$dfbeta", 0, slice(6), "", {}),
        ("concordance(cluster=id)", 2, slice(6), "", {"groups": True}),
        (uno, 1, slice(2), "", {"method": "uno"}),
        (f"{uno}$dfbeta", 1, slice(5, 6), FIXED, {"method": "uno"}),
    )
    for call, at, numbers, why, options in rows:

        def pair(d, at=at, numbers=numbers, options=options):
            own = options | ({"tau": d.moment} if options.get("method") else {})
            own |= {"groups": d.groups} if "groups" in options else {}
            return paired(d, **own)[numbers], fitted(d.name)[at, numbers]

        grouped = "groups" in options
        kept = lambda d, grouped=grouped: d.groups is not None or not grouped  # noqa: E731
        yield compared("concordance_test", "survival", call, pair, why, kept)


def weighted_values():
    """Yield what scikit-survival weighs: Uno's C, AUC and Brier score at a horizon."""
    calls = {
        ("concordance", "concordance_index_ipcw(tied_tol=0)"): lambda d: (
            [fc.concordance(d.time, d.event, d.scores[0], method="uno", tau=d.moment)],
            metrics.concordance_index_ipcw(
                d.structured, d.structured, d.scores[0], tau=d.moment, tied_tol=0
            )[:1],
        ),
        ("auc_at_interval", "cumulative_dynamic_auc(tied_tol=0)"): lambda d: (
            [fc.auc_at_interval(*d.given[:3], horizon=d.moment, **QUIET).estimate],
            metrics.cumulative_dynamic_auc(
                d.structured, d.followed_to_moment, d.scores[0], [d.moment], tied_tol=0
            )[0],
        ),
        ("survival_brier_interval", "brier_score"): lambda d: (
            [
                fc.survival_brier_interval(
                    d.time, d.event, d.chances[0], horizon=d.moment, **QUIET
                ).estimate
            ],
            metrics.brier_score(d.structured, d.structured, 1.0 - d.chances[0], [d.moment])[1],
        ),
    }
    for (function, call), pair in calls.items():
        for ties, why in ((False, ""), (True, BEFORE)):
            yield compared(
                function,
                "scikit-survival",
                call + (", ties" if why else ""),
                pair,
                why,
                lambda d, ties=ties: d.ties == ties,
            )


@cache
def scored(name):
    """Return riskRegression's values, difference and standard errors, by test."""
    (data,) = (data for data in data_sets() if data.name == name)
    a, b = data.chances
    parts = "s$AUC$score$AUC, s$AUC$contrasts$delta.AUC, s$AUC$score$se, s$AUC$contrasts$se"
    code = (
        "{suppressMessages({library(survival); library(riskRegression)}); s <- Score(list(a=a, "
        "b=b), Surv(t, e) ~ 1, data.frame(t=t, e=e), times=h, metrics=c('auc', 'brier'), "
        "cens.model='km', se.fit=TRUE, contrasts=TRUE, null.model=FALSE); "
        f"c({parts}, {parts.replace('AUC', 'Brier')})}}"
    )
    given = data.in_r | {"a": a, "b": b, "h": [data.moment]}
    numbers = in_r(code, **given).reshape(2, -1)
    return dict(zip((fc.auc_at_test, fc.survival_brier_test), numbers, strict=True))


def of_scores():
    """Yield tests at a horizon by riskRegression."""
    for test in (fc.auc_at_test, fc.survival_brier_test):
        for rows, why in ((slice(3), ""), (slice(3, 6), AT_RISK)):

            def pair(d, test=test, rows=rows):
                options = {"horizon": d.moment, "reference": "normal", **QUIET}
                found = test(d.time, d.event, *d.chances, **options)
                own = [*found.values, -found.estimate, *found.value_standard_error]
                return [*own, found.standard_error][rows], scored(d.name)[test][rows]

            called = 'Score(cens.model="km")' + (", standard errors" if why else "")
            yield compared(test.__name__, "riskRegression", called, pair, why)


def of_timeroc():
    """Yield AUCs at horizons by timeROC, whose numbers are stored."""
    cases = json.loads((STORED / "auc_at_time_timeroc.json").read_text())["cases"]
    known = {data.name: data for data in data_sets()}
    found = {"": [], ", at the time of an event": [], ", standard errors": []}
    for case in (case for case in cases if case["name"] in known):
        data, horizon = known[case["name"]], case["horizon"]
        options = {"horizon": horizon, "reference": "normal", **QUIET}
        own = fc.auc_at_test(*data.given, **options)
        at_event = bool((data.time[data.event == 1] == horizon).any())
        key = ", at the time of an event" if at_event else ""
        found[key].append((own.values, case["auc"][:2]))
        if not at_event:
            found[", standard errors"].append((own.value_standard_error, case["sd"][:2]))
    for (about, numbers), why in zip(found.items(), ("", STRICT, AT_RISK), strict=True):
        call = f"ROC(iid=TRUE){about}, {len(numbers)} horizons, stored"
        yield Check("auc_at_test", "timeROC", call, *np.transpose(numbers, (1, 0, 2)), why)
