"""Simulate claims about two AUCs: non-inferiority at the margin, and a permutation interval.

    python -m studies.claims [--trials 2000] [--jobs 2] [--write]

Models of the first table differ by exactly the margin, and none is non-inferior: they differ in
every case, or a copy flips a share of the positives to the bottom, with a little noise or none.
Trials of the second draw binormal scores that correlate by 0.5 within a class.
"""

from statistics import NormalDist

import numpy as np

import fastcompare as fc

from .tables import markdown, percent, run

NORMAL = NormalDist()
QUIET = {"on_undefined": "ignore"}
CLAIM = {"alternative": "greater", **QUIET}
ALPHA = 0.05
Z = NORMAL.inv_cdf(1.0 - ALPHA)
AUC = 0.9
DRAWS = 999

KINDS = {"differ in all cases": 1.0, "copy, rare flips": 0.0, "noisy copy, rare flips": 0.02}
LEVELS = [
    ("level", kind, sizes, margin)
    for kind in KINDS
    for sizes in ((20, 180), (50, 50), (50, 450), (250, 250))
    for margin in (0.02, 0.05, 0.1)
]
COVERAGES = [
    ("coverage", m, n, aucs, spread)
    for m, n in ((3, 47), (5, 95), (10, 90), (20, 80), (50, 50))
    for aucs, spread in (
        ((0.6, 0.6), 1.0),
        ((0.8, 0.8), 1.0),
        ((0.8, 0.8), 2.0),
        ((0.95, 0.95), 1.0),
        ((0.99, 0.99), 1.0),
        ((0.9, 0.7), 1.0),
        ((0.9, 0.7), 2.0),
    )
]


def shift_of(auc, spread=1.0):
    """Return how far apart the classes' means are for this AUC; positives vary by `spread`."""
    return NORMAL.inv_cdf(auc) * np.sqrt(1.0 + spread**2)


def copies(m, n, margin, noise, rng):
    """Return scores whose AUC is `margin` below those of the second model, and the second's."""
    scores = rng.normal(size=m + n)
    scores[:m] += shift_of(AUC)
    if noise == 1.0:
        first = 0.8 * scores + 0.6 * rng.normal(size=m + n)
        first[:m] += shift_of(AUC - margin) - 0.8 * shift_of(AUC)
        return first, scores
    first = scores + noise * rng.normal(size=m + n)
    flipped = rng.random(m) < margin / AUC  # a flip loses all pairs won: AUC of them on average
    first[:m][flipped] = -99.0
    return first, scores


def level(kind, sizes, margin, *, trials):
    """Return how often non-inferiority is claimed at the margin: by DeLong's z, and by the test."""
    rng, y = np.random.default_rng([*sizes, int(1000 * margin)]), np.repeat([1, 0], sizes)
    found = np.zeros(2)
    for _ in range(trials):
        a, b = copies(*sizes, margin, KINDS[kind], rng)
        result = fc.delong_test(y, a, b, margin=margin, **CLAIM)
        found += result.statistic >= Z, result.pvalue <= ALPHA
    return tuple(found / trials)


def binormal(m, n, aucs, spread, rng):
    """Return scores of two models; the first one's positives vary by `spread`."""
    noise = rng.normal(size=(2, m + n))
    noise[1] = 0.5 * noise[0] + np.sqrt(0.75) * noise[1]
    noise[0, :m] *= spread
    noise[:, :m] += [[shift_of(aucs[0], spread)], [shift_of(aucs[1])]]
    return noise


def coverage(m, n, aucs, spread, *, trials):
    """Return how often 95% intervals hold the difference, and how often no difference is refuted.

    The intervals are DeLong's with the normal distribution and with t, and the permutation's.
    """
    rng, y = (
        np.random.default_rng([m, n, int(100 * aucs[0]), int(spread)]),
        np.repeat([1, 0], (m, n)),
    )
    truth, covered = aucs[0] - aucs[1], np.zeros(4)
    for trial in range(trials):
        a, b = binormal(m, n, aucs, spread, rng)
        options = {"method": "studentized", "n_resamples": DRAWS, "rng": trial, **QUIET}
        permuted = fc.permutation_auc_test(y, a, b, **options)
        low, high = permuted.confidence_interval()
        ends = [
            fc.delong_test(y, a, b, reference=reference, **QUIET).confidence_interval()
            for reference in ("normal", "t")
        ]
        held = [found.low <= truth <= found.high for found in ends]
        covered += *held, low <= truth <= high, permuted.pvalue <= ALPHA
    return tuple(covered / trials)


def measure(cell, *, trials):
    """Return the shares of a cell of either table."""
    measures = {"level": level, "coverage": coverage}
    return measures[cell[0]](*cell[1:], trials=trials)


def show(cells, found):
    """Return both tables."""
    rows = dict(zip(cells, found, strict=True))
    levels = [
        (kind, f"{m} + {n}", margin, *map(percent, rows["level", kind, (m, n), margin]))
        for _, kind, (m, n), margin in LEVELS
    ]
    coverages = []
    for cell in COVERAGES:
        _, m, n, aucs, spread = cell
        *held, rejected = map(percent, rows[cell])
        curves = "equal" if spread == 1.0 else "unequal"
        level_ = rejected if aucs[0] == aucs[1] else "–"
        coverages.append((f"{m} + {n}", "{} and {}".format(*aucs), curves, *held, level_))
    first = ("models", "positives + negatives", "margin", "z alone", "`delong_test`")
    second = (
        *("positives + negatives", "AUCs", "curves", "DeLong", "`reference='t'`"),
        *("studentized permutation", "rejects equal AUCs"),
    )
    return markdown(first, levels) + "\n\n" + markdown(second, coverages)


if __name__ == "__main__":
    cells = [*LEVELS, *COVERAGES]
    run("claims", "evidence/noninferiority.md", cells, measure, show, trials=2000)
