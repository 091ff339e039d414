"""What a bootstrap of the difference of two AUCs costs elsewhere: one table of contenders.

A contender takes labels, the scores of two models and a number of replicates, drawn within each
class. It returns AUC_a - AUC_b of every replicate, or nothing if it computes none.
`test_resampling.py` shows that the spreads agree and times them, `benchmarks.tables` writes their
times into the README.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

import fastcompare as fc

from .baselines import fastcompare, sklearn_aucs

REPLICATES = {1000: 2000, 10**4: 2000, 10**5: 200}  # of n cases, in the limits and in the README


def index_draws(labels, a, b, n_resamples):
    """Draw the indices and do nothing with them: the unit of the limits."""
    size = (n_resamples, labels.size)
    np.random.default_rng(0).integers(0, labels.size, size=size, dtype=np.uint32)


def resampled(labels, a, b, n_resamples):
    """Yield the labels and scores of replicates."""
    rng = np.random.default_rng(0)
    classes = [np.flatnonzero(labels == label) for label in (0, 1)]
    for _ in range(n_resamples):
        chosen = np.concatenate([rng.choice(members, members.size) for members in classes])
        yield labels[chosen], a[chosen], b[chosen]


def rank_auc(labels, scores):
    """Return the AUC from midranks (Hanley and McNeil 1982)."""
    _, place, count = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(count) - 0.5 * (count - 1))[place[labels == 1]]
    return (ranks.mean() - 0.5 * (ranks.size + 1)) / (labels.size - ranks.size)


def rank_aucs(labels, a, b):
    return rank_auc(labels, a) - rank_auc(labels, b), np.nan


def loop(compare, labels, a, b, n_resamples):
    """Return the differences by one call a replicate of a contender of `baselines`."""
    return np.array([compare(*case)[0] for case in resampled(labels, a, b, n_resamples)])


def bootstrap(labels, a, b, n_resamples, **options):
    options = {"n_resamples": n_resamples, "rng": 0, "keep": True, **options}
    return fc.bootstrap_auc_test(labels, a, b, **options).distribution


class Contender(NamedTuple):
    replicates: object
    most: int = 10**9  # cases in all replicates: beyond, a run takes too long


CONTENDERS = {
    "fastcompare": Contender(bootstrap),
    "fastcompare, 2 jobs": Contender(partial(bootstrap, n_jobs=2)),
    "fastcompare, studentized": Contender(partial(bootstrap, method="studentized")),
    "index draws": Contender(index_draws),
    "loop over delong_test": Contender(partial(loop, fastcompare), 10**6),
    "loop over ranks (NumPy)": Contender(partial(loop, rank_aucs), 10**6),
    "loop over scikit-learn": Contender(partial(loop, sklearn_aucs), 10**5),
}
