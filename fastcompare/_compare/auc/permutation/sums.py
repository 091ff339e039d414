"""The difference of two AUCs under exchanges of ranks: a sum of integers with random signs.

With psi(x, y) = 1 for x > y and 1/2 for x = y, let psiAB be that of positive i's rank by model A
and negative j's rank by model B, and s_c = -1 for the cases that are exchanged, else 1. Exchanging
i alone turns psiAA - psiBB into psiBA - psiAB, j alone into psiAB - psiBA, both into its opposite:

    mn (AUC_a - AUC_b) = sum_ij (s_i + s_j) (psiAA - psiBB) / 2 + (s_i - s_j) (psiAB - psiBA) / 2

(Bandos, Rockette, Gur 2005). That is linear in the signs: 4mn times it is sum_c s_c t_c, where t_c
is the placement of the case's rank by A, less that of its rank by B, among both models' ranks
pooled. A sum of independent signs has a null distribution that needs no enumeration. Where whole
clusters are exchanged, t_c are the sums of each.
"""

import math
from dataclasses import dataclass

import numpy as np

from ...._base.parallel import Checkpoint
from ...._base.types import Integers
from ...._inference.pvalues import in_tail
from ...._inference.signed_sums import exact_additions, signed_sum_pvalue
from ...._inputs.cases import Cases
from ...._resampling.permutations import BLOCKS, UNITS, drawn_share, null_replicates
from ....kernels.drawing.exchange import UNIT, add_exchanges
from ....kernels.drawing.philox import LANES
from ..components import as_components
from .ranks import Outcome, Plan, Ranks

QUICK = 5e8  # additions that take 0.1 s: 1,000 cases or so
MOST = 3e11  # a minute


def compare_areas(cases: Cases, ranks: Ranks, plan: Plan) -> Outcome:
    """Test the difference of the AUCs."""
    t = exchange_steps(cases, ranks)
    m = int(np.count_nonzero(cases.labels))
    pairs = 4 * m * (t.size - m)
    if cases.groups is not None:
        t = sums_of_clusters(t, cases.groups)
    observed = int(t.sum())
    estimate, identical = observed / pairs, not t.any()
    standard_error = math.sqrt(float((t.astype(np.float64) ** 2).sum())) / pairs
    if plan.counts_all(exact_additions(t), QUICK, MOST):
        pvalue = signed_sum_pvalue(t, plan.alternative)
        return Outcome(estimate, estimate, standard_error, pvalue, identical, exact=True)
    drawn = null_replicates(SignedSums.of(t, plan.seed), plan.n_resamples, t.size, plan.workers)
    start, _ = in_tail(observed, plan.alternative)
    pvalue = drawn_share(in_tail(drawn, plan.alternative)[0] >= start)
    return Outcome(estimate, estimate, standard_error, pvalue, identical, values=drawn / pairs)


def exchange_steps(cases: Cases, ranks: Ranks) -> Integers:
    """Return t (n,): 4mn (AUC_a - AUC_b) is its sum, and an exchange turns a case's sign."""
    pooled = Cases(np.tile(cases.labels, 2), [np.concatenate(ranks, dtype=np.float64)], ("ranks",))
    placed: Integers = as_components(pooled).placed[0].astype(np.int64)
    return placed[: cases.labels.size] - placed[cases.labels.size :]


def sums_of_clusters(t: Integers, groups: Integers) -> Integers:
    """Return the sums of whole numbers over each cluster."""
    order = np.argsort(groups, kind="stable")
    starts = np.searchsorted(groups[order], np.arange(int(groups.max()) + 1))
    return np.asarray(np.add.reduceat(t[order], starts))


@dataclass(frozen=True, slots=True)
class SignedSums:
    """Replicates of the sum of `t` with random signs.

    The steps are in order of size and have one sign, that of the observed sum: so the order of the
    cases does not matter, and swapping the models turns the sign of every replicate.
    """

    t: Integers
    seed: int

    @classmethod
    def of(cls, t: Integers, seed: int) -> "SignedSums":
        """Return the null distribution of the steps t, zeros left out."""
        sizes = np.sort(abs(t[t != 0]))
        padded = np.zeros(-(-sizes.size // UNIT) * UNIT, np.int64)
        padded[: sizes.size] = -sizes if t.sum() < 0 else sizes
        return cls(padded, seed)

    def __call__(self, blocks: range, checkpoint: Checkpoint) -> Integers:
        """Return the sums of replicates 64 b, ..., 64 b + 63 for every block b."""
        sums = np.zeros((len(blocks), LANES), np.int64)
        for first in range(0, len(blocks), BLOCKS):
            part, block = sums[first : first + BLOCKS], np.uint64(blocks[first])
            for unit in range(0, self.t.size // UNIT, UNITS):
                checkpoint()
                t = self.t[unit * UNIT : (unit + UNITS) * UNIT]
                add_exchanges(t, np.uint64(unit), block, np.uint64(self.seed), part)
        return sums
