"""Simulate how often intervals of one model's probabilities cover, beside the textbook's intervals.

    python -m studies.calibration_coverage [--trials 400] [--jobs 2] [--write]

Log odds x are normal, and a case is positive with probability 1 / (1 + exp(-x)). A model says that,
or makes its distance from the mean of x too large or too small, or adds to it. The truth is that of
400,000 cases. An entry "95.0 / 80.1" is the share covered, in %, by fastcompare and by the other.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy.special import expit, logit, stdtrit

import fastcompare as fc

from .tables import markdown, percent, run

SIZES = (50, 100, 500, 2000)
MANY = 400_000
BIN_COUNT = 10
SPREAD = 1.5  # of the log odds
NOISE = 0.7  # of the log odds that two models add
RESAMPLES = 399
RULES = {"Brier score": "brier", "log loss": "log"}


class Cell(NamedTuple):
    """What is measured of a model whose log odds are slope times the true ones plus a shift."""

    what: str
    prevalence: float
    model: str
    n: int
    threshold: float = 0.5


MODELS = {  # slope around the mean, shift
    "calibrated": (1.0, 0.0),
    "overconfident": (2.0, 0.0),
    "underconfident": (0.5, 0.0),
    "too high": (1.0, 0.7),
}
PAIRS = {"similar": (1.0, 1.0), "opposite": (0.4, None)}


def probabilities(x, prevalence, slope=1.0, shift=0.0):
    """Return what a model says of cases with these log odds."""
    mean = logit(prevalence)
    return expit(mean + slope * (x - mean) + shift)


def cases(cell, rng, n):
    """Return true log odds and labels."""
    x = logit(cell.prevalence) + SPREAD * rng.normal(size=n)
    return x, (rng.random(n) < expit(x)).astype(int)


def ends_of(values):
    """Return Student's interval of a mean."""
    n = values.size
    reach = stdtrit(n - 1, 0.975) * values.std(ddof=1) / math.sqrt(n)
    return values.mean() - reach, values.mean() + reach


def covers(interval, truth):
    """Say whether an interval holds the truth; rounding of the truth does not count."""
    low, high = interval
    return bool(low <= truth + 1e-9 and truth - 1e-9 <= high)


class Population(NamedTuple):
    """What a model says of the whole population, in order, and the sums of its distances."""

    said: np.ndarray
    sums: np.ndarray

    @classmethod
    def of(cls, x, p):
        """Return the population with these log odds."""
        order = np.argsort(p)
        return cls(p[order], np.concatenate([[0.0], np.cumsum((p - expit(x))[order])]))

    def error(self, edges):
        """Return the calibration error over bins."""
        at = [0, *np.searchsorted(self.said, edges), self.said.size]
        return np.abs(np.diff(self.sums[at])).sum() / self.said.size


def calibration_error(cell, trials, rng):
    """Return the coverage of the inversion and of the basic bootstrap."""
    bins = cell.what.split()[-2]
    model = MODELS[cell.model]
    far, _ = cases(cell, np.random.default_rng(0), MANY)
    population = Population.of(far, probabilities(far, cell.prevalence, *model))
    inner, covered = np.arange(1, BIN_COUNT) / BIN_COUNT, np.zeros(2)
    for trial in range(trials):
        x, y = cases(cell, rng, cell.n)
        p = probabilities(x, cell.prevalence, *model)
        edges = inner if bins == "uniform" else np.quantile(p, inner)
        truth = 0.0 if cell.model == "calibrated" else population.error(edges)
        for i, method in enumerate(("inversion", "basic")):
            found = fc.calibration_error(
                y, p, bins=bins, method=method, rng=trial, n_resamples=RESAMPLES
            )
            covered[i] += covers(found.confidence_interval(), truth)
    return covered / trials


def case_losses(rule, y, p):
    """Return the losses of cases."""
    return np.square(p - y) if rule == "brier" else -np.log(np.where(y == 1, p, 1.0 - p))


def expected_loss(rule, x, p):
    """Return the mean loss over all labels."""
    one, zero = (case_losses(rule, np.full(x.size, label), p) for label in (1, 0))
    return float((expit(x) * one + expit(-x) * zero).mean())


def mean_loss(cell, trials, rng):
    """Return the coverage of `scoring_interval` and of Student's interval."""
    rule, model, covered = RULES[cell.what], MODELS[cell.model], np.zeros(2)
    far, _ = cases(cell, np.random.default_rng(0), MANY)
    truth = expected_loss(rule, far, probabilities(far, cell.prevalence, *model))
    for _ in range(trials):
        x, y = cases(cell, rng, cell.n)
        p = probabilities(x, cell.prevalence, *model)
        found = fc.scoring_interval(y, p, rule=rule).confidence_interval()
        student = ends_of(case_losses(rule, y, p))
        covered += covers(found, truth), covers(student, truth)
    return covered / trials


def expected_benefit(cell, x, p):
    """Return the net benefit over all labels."""
    odds = cell.threshold / (1.0 - cell.threshold)
    return float(((p >= cell.threshold) * (expit(x) - odds * expit(-x))).mean())


def gains(cell, y, p):
    """Return the benefits of cases."""
    odds = cell.threshold / (1.0 - cell.threshold)
    return (p >= cell.threshold) * np.where(y == 1, 1.0, -odds)


def one_benefit(cell, trials, rng):
    """Return the coverage of `net_benefit` and of Student's interval."""
    model, covered = MODELS[cell.model], np.zeros(2)
    far, _ = cases(cell, np.random.default_rng(0), MANY)
    truth = expected_benefit(cell, far, probabilities(far, cell.prevalence, *model))
    for _ in range(trials):
        x, y = cases(cell, rng, cell.n)
        p = probabilities(x, cell.prevalence, *model)
        low, high = fc.net_benefit(y, p, cell.threshold).confidence_interval()
        covered += covers((low[0], high[0]), truth), covers(ends_of(gains(cell, y, p)), truth)
    return covered / trials


def two_benefits(cell, trials, rng):
    """Return the coverage of `net_benefit_test`, of a difference, and of Student's interval."""
    covered, (slope, _) = np.zeros(2), MODELS[cell.model]
    many = np.random.default_rng(0)
    far, _ = cases(cell, many, MANY)
    noisy = far + NOISE * many.normal(size=(2, MANY))
    benefits = [
        expected_benefit(cell, far, probabilities(one, cell.prevalence, s))
        for one, s in zip(noisy, (1.0, slope), strict=True)
    ]
    truth = 0.0 if slope == 1.0 else benefits[0] - benefits[1]
    for _ in range(trials):
        x, y = cases(cell, rng, cell.n)
        noise = NOISE * rng.normal(size=(2, cell.n))
        a, b = (
            probabilities(x + e, cell.prevalence, s)
            for e, s in zip(noise, (1.0, slope), strict=True)
        )
        found = fc.net_benefit_test(y, a, b, cell.threshold, on_undefined="ignore")
        low, high = found.confidence_interval()
        student = ends_of(gains(cell, y, a) - gains(cell, y, b))
        covered += covers((low[0], high[0]), truth), covers(student, truth)
    return covered / trials


def equal_slope(rule, cell, slope):
    """Return a slope above 1 with the expected loss of one below 1."""
    far, _ = cases(cell, np.random.default_rng(0), MANY // 10)

    def loss(at):
        return expected_loss(rule, far, probabilities(far, cell.prevalence, at))

    low, high, aim = 1.0, 8.0, loss(slope)
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if loss(middle) < aim else (low, middle)
    return low


def paired_losses(cell, trials, rng):
    """Return how often `scoring_test` keeps two models' equal losses, Brier's and log losses."""
    kept = np.zeros(2)
    slopes = dict.fromkeys(RULES.values(), (1.0, 1.0))
    if cell.model == "opposite":
        slopes = {rule: (0.4, equal_slope(rule, cell, 0.4)) for rule in slopes}
    for _ in range(trials):
        x, y = cases(cell, rng, cell.n)
        noise = NOISE * rng.normal(size=(2, cell.n)) * (cell.model == "similar")
        for i, (rule, pair) in enumerate(slopes.items()):
            a, b = (
                probabilities(x + e, cell.prevalence, s) for e, s in zip(noise, pair, strict=True)
            )
            found = fc.scoring_test(y, a, b, rule=rule, method="t", on_undefined="ignore")
            kept[i] += not found.pvalue <= 0.05
    return kept / trials


MEASURES = {
    "calibration error, uniform bins": calibration_error,
    "calibration error, quantile bins": calibration_error,
    "Brier score": mean_loss,
    "log loss": mean_loss,
    "net benefit": one_benefit,
    "difference of net benefits": two_benefits,
    "equal losses kept": paired_losses,
}


def all_cells():
    """Return the cells, those of a row together."""
    found = []
    for what, measure in MEASURES.items():
        for prevalence in (0.02, 0.1, 0.5):
            models = list(MODELS)
            if measure is paired_losses:
                models = list(PAIRS)
            elif measure in (one_benefit, two_benefits):
                models = ["calibrated", "overconfident"]
            for model in models:
                threshold = prevalence if measure in (one_benefit, two_benefits) else 0.5
                found += [Cell(what, prevalence, model, n, threshold) for n in SIZES]
    return found


def measure(cell, *, trials):
    """Return two shares of a cell."""
    seed = [cell.n, round(1000 * cell.prevalence), len(cell.model)]
    return MEASURES[cell.what](cell, trials, np.random.default_rng(seed))


def show(cells, found):
    """Return the table: a row for each setting, a column for each number of cases."""
    rows = {}
    for cell, (ours, other) in zip(cells, found, strict=True):
        row = rows.setdefault((cell.what, f"{100 * cell.prevalence:g}%", cell.model), [])
        row.append(f"{percent(ours)} / {percent(other)}")
    head = ["of", "positive", "model", *(f"n = {n}" for n in SIZES)]
    return markdown(head, ([*key, *row] for key, row in rows.items()))


if __name__ == "__main__":
    run("calibration_coverage", "evidence/probabilities.md", all_cells(), measure, show, trials=400)
