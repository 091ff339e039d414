"""Decide by a third source where R's programs give other numbers than this package.

    python -m studies.third_sources [--write]

It needs mpmath, and R with coin, exactRankTests, multcomp, psych, rms and vcd (apt-get install
r-base-core r-cran-coin r-cran-exactranktests r-cran-multcomp r-cran-psych r-cran-rms r-cran-vcd
r-cran-proc). The third source is the definition: all choices of ranks, all partitions of the
models, all pairs of cases, derivatives by small steps, Newton's method with 40 digits.
"""

import argparse
import itertools
import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np

import fastcompare as fc

from .other_programs.check import in_r
from .tables import DOCS, markdown, publish

RATERS = np.array([[20, 10, 5], [3, 30, 15], [0, 5, 40]])
RANKED = [1, 2, 2, 3, 5, 5, 6], [2, 3, 4, 5, 6, 7, 7, 8, 3]
PAIRS = tuple(itertools.combinations(range(4), 2))
HEAD = ("number", "here", "by the definition", "R", "what R's program does")


class Decided(NamedTuple):
    """A number of this package, of the definition and of programs in R, and why one differs."""

    what: str
    ours: float
    third: float
    theirs: dict[str, float]
    why: str

    def row(self):
        """Return a row of the table; raise if this package is not what the definition says."""
        if not math.isclose(self.ours, self.third, rel_tol=1e-7):
            raise SystemExit(f"{self.what}: {self.ours} here, {self.third} by the definition")
        programs = ", ".join(f"{name} {number:.7g}" for name, number in self.theirs.items())
        return self.what, f"{self.ours:.7g}", f"{self.third:.7g}", programs, self.why


def shaffer():
    """Yield an adjusted p-value that the rejected pairs make smaller in multcomp."""
    rng = np.random.default_rng(8)
    y = (rng.normal(size=(4, 8)) + np.array([[0.0], [2.2], [0.4], [2.9]])).ravel()
    test = (
        "{d <- data.frame(y=y, g=factor(g)); "
        "h <- multcomp::glht(aov(y ~ g, d), linfct=multcomp::mcp(g='Tukey')); "
        "sapply(c('none', 'Shaffer'), function(t) "
        "summary(h, test=multcomp::adjusted(t))$test$pvalues)}"
    )
    plain, theirs = in_r(test, y=y, g=np.repeat(np.arange(4), 8)).reshape(2, -1)
    ours = fc.adjust_pvalues(plain, method="shaffer")
    at = int(np.argmax(ours / theirs))
    if not np.allclose(theirs, by_partitions(plain, sharper=True), rtol=1e-12, atol=0.0):
        raise SystemExit("multcomp's Shaffer is not what the table says of it")
    yield Decided(
        "`adjust_pvalues(method='shaffer')`, a pair of four models",
        ours[at],
        by_partitions(plain, sharper=False)[at],
        {"`multcomp::adjusted('Shaffer')`": theirs[at]},
        "multcomp multiplies by how many pairs can be equal together with this one if those "
        "rejected so far are not (all partitions of the models give its numbers); here it is "
        "Shaffer's (1986) static procedure, by how many can be equal at that step whichever were "
        "rejected, as in García and Herrera (2008). Both keep the family-wise error; "
        "`method='bergmann-hommel'` rejects what either does, and more",
    )


def by_partitions(p, *, sharper):
    """Return Shaffer's adjusted p-values from all partitions of four models into equal ones."""
    equal = {tuple(c[i] == c[j] for i, j in PAIRS) for c in itertools.product(range(4), repeat=4)}
    adjusted, running, order = np.empty(6), 0.0, np.argsort(p, kind="stable")
    for step, at in enumerate(order):
        before = order[:step]
        if sharper:  # those rejected are false, and this one is true
            possible = [t for t in equal if t[at] and not any(t[q] for q in before)]
            times = max(sum(true) for true in possible)
        else:  # at most so many are true
            times = max(sum(true) for true in equal if sum(true) <= 6 - step)
        running = max(running, min(1.0, times * p[at]))
        adjusted[at] = running
    return adjusted


def rank_sums():
    """Yield an exact p-value of ranks that tie."""
    both = [*RANKED[0], *RANKED[1]]
    ranks = [Fraction(1 + sum((a > b) + (a >= b) for b in both), 2) for a in both]
    sums = [sum(chosen) for chosen in itertools.combinations(ranks, len(RANKED[0]))]
    observed = sum(ranks[: len(RANKED[0])])
    tail = min(sum(s <= observed for s in sums), sum(s >= observed for s in sums))
    labels = [0] * len(RANKED[0]) + [1] * len(RANKED[1])
    coin = "wilcox_test(v ~ factor(g), data.frame(v=v, g=g), distribution='exact')"
    yield Decided(
        "`roc_auc_test(method='exact')`, scores that tie",
        fc.roc_auc_test(labels, both, method="exact").pvalue,
        float(Fraction(2 * tail, len(sums))),
        {
            "`coin::wilcox_test`": in_r(f"coin::pvalue(coin::{coin})", v=both, g=labels)[0],
            "`exactRankTests::wilcox.exact`": in_r(
                "suppressWarnings(exactRankTests::wilcox.exact(x, y)$p.value)",
                x=RANKED[0],
                y=RANKED[1],
            )[0],
        },
        "they count sums as far from the mean on either side, "
        f"{by_distance(sums, observed):.7g} by all choices; here it is twice the smaller tail, so "
        "that two sides at 5% reject where one does at 2.5. One-sided p-values are equal",
    )


def by_distance(sums, observed):
    """Return the share of sums that are as far from their mean."""
    mean = Fraction(sum(sums), len(sums))
    return float(Fraction(sum(abs(s - mean) >= abs(observed - mean) for s in sums), len(sums)))


def kappas():
    """Yield the variance of a weighted kappa."""
    shares, n = RATERS / RATERS.sum(), RATERS.sum()
    slope, step = np.empty(RATERS.shape), 1e-6
    for cell in np.ndindex(RATERS.shape):
        more, less = shares.copy(), shares.copy()
        more[cell], less[cell] = more[cell] + step, less[cell] - step
        slope[cell] = (kappa(more / more.sum()) - kappa(less / less.sum())) / (2.0 * step)
    third = ((shares * slope**2).sum() - (shares * slope).sum() ** 2) / n
    yield Decided(
        "`cohen_kappa(weights='quadratic')`, variance",
        fc.cohen_kappa(RATERS, on="labels", weights="quadratic").standard_error ** 2,
        third,
        {
            "`psych::cohen.kappa`": in_r("psych::cohen.kappa(k)$var.weighted", k=RATERS)[0],
            "`vcd::Kappa`": in_r(
                "vcd::Kappa(k, weights='Fleiss-Cohen')$Weighted[['ASE']]^2", k=RATERS
            )[0],
        },
        "psych 2.2.9 multiplies a row's sum of weights by its own share, where Fleiss, Cohen and "
        "Everitt (1969) have the mean weight over the shares; vcd has theirs. 200,000 tables of "
        f"ten times as many cases have {simulated(shares, 10 * n) * 10:.3g}",
    )


def kappa(shares):
    """Return quadratically weighted kappa of a table of shares, or of many."""
    k = shares.shape[-1]
    weights = 1.0 - (np.subtract.outer(np.arange(k), np.arange(k)) / (k - 1.0)) ** 2
    seen = (weights * shares).sum((-2, -1))
    rows, columns = shares.sum(-1)[..., :, None], shares.sum(-2)[..., None, :]
    chance = (weights * rows * columns).sum((-2, -1))
    return (seen - chance) / (1.0 - chance)


def simulated(shares, n):
    """Return the variance of kappa in drawn tables."""
    drawn = np.random.default_rng(0).multinomial(n, shares.ravel(), 200_000)
    return kappa(drawn.reshape(-1, *shares.shape) / n).var()


def areas():
    """Yield the area under a curve."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=300)
    y = (rng.random(300) < 1.0 / (1.0 + np.exp(-x))).astype(int)
    wins = np.greater.outer(x[y == 1], x[y == 0]) + 0.5 * np.equal.outer(x[y == 1], x[y == 0])
    fit = "suppressWarnings(rms::lrm(y ~ x))$stats[['C']]"
    yield Decided(
        "`roc_auc`, C",
        fc.roc_auc(y, x),
        float(wins.mean()),
        {
            "`rms::lrm`, C": in_r(fit, y=y, x=x)[0],
            "`Hmisc::somers2`, C": in_r("Hmisc::somers2(x, y)[['C']]", y=y, x=x)[0],
        },
        "rms rounds probabilities to 0.002 before it ranks them, as the help of `lrm.fit` says; "
        "Hmisc, by the same author, does not",
    )


def recalibrations():
    """Yield the standard error of a recalibration."""
    data = fc.load_predictions()
    y, p = np.asarray(data.y_true), np.clip(data.scores["random_forest"], 0.01, 0.99)
    x = np.log(p / (1.0 - p))
    errors = "summary(glm(y ~ x, binomial, control=glm.control({})))$coefficients[2, 2]"
    yield Decided(
        "`calibration_test`, standard error of the slope",
        fc.calibration_test(y, p).standard_error[1],
        recalibrated_error(y, x),
        {
            "`glm`": in_r(errors.format(""), y=y, x=x)[0],
            "`glm(epsilon=1e-15)`": in_r(errors.format("epsilon=1e-15"), y=y, x=x)[0],
        },
        "glm stops once the deviance changes by less than 1e-8 of itself, and its errors are of "
        "the step before; with a smaller `epsilon` they are these",
    )


def recalibrated_error(y, x):
    """Return the standard error of the slope where the likelihood is greatest."""
    import mpmath  # here: the tests read this file without it

    mpmath.mp.dps = 40
    beta = mpmath.matrix([0, 1])
    for _ in range(30):
        score, information = mpmath.matrix(2, 1), mpmath.matrix(2, 2)
        for label, value in zip(y.tolist(), map(mpmath.mpf, x.tolist()), strict=True):
            row = (mpmath.mpf(1), value)
            share = 1 / (1 + mpmath.exp(-beta[0] - beta[1] * value))
            for i in range(2):
                score[i] += (label - share) * row[i]
                for j in range(2):
                    information[i, j] += share * (1 - share) * row[i] * row[j]
        beta += mpmath.inverse(information) * score
    return float(mpmath.sqrt(mpmath.inverse(information)[1, 1]))


def main():
    """Print the table, and with --write publish it."""
    parser = argparse.ArgumentParser(prog="python -m studies.third_sources")
    parser.add_argument("--write", action="store_true", help="put the table into the manual")
    options = parser.parse_args()
    parts = (shaffer, rank_sums, kappas, areas, recalibrations)
    table = markdown(HEAD, [found.row() for part in parts for found in part()])
    print(table)
    if options.write:
        publish("third_sources", DOCS / "evidence/agreement.md", table)


if __name__ == "__main__":
    main()
