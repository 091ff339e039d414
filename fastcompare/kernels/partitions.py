"""The ways to split k models into groups, and what Bergmann and Hommel (1988) need of each.

A partition is a restricted growth string: model d joins one of the groups of the models before it,
or opens the next one. The pairs within groups are an exhaustive set: all those hypotheses can be
true together while all others are false.

Groups are bits: bit d of a group says that model d is in it.
"""

import numpy as np

from .._jit.kernel import kernel


@kernel
def fewest_models(out):
    """Write to out[s] the fewest models of which s pairs can be equal while all others differ.

    A group of j equal models makes j (j - 1) / 2 pairs; the remaining pairs need other models.
    """
    out[0] = 0
    for s in range(1, out.size):
        out[s] = 2 * s
        j, pairs = 2, 1
        while pairs <= s:
            out[s] = min(out[s], j + out[s - pairs])
            pairs += j
            j += 1


@kernel
def smallest_pvalues_of_last_model(pvalues, least):
    """Write to least[group] the smallest p-value of pairs of the group's last model and another.

    `pvalues` (k, k) is read below its diagonal; `least` has 2^k numbers, 1 for a single model.
    """
    least[0] = 1.0
    for last in range(pvalues.shape[0]):
        bit = 1 << last
        least[bit] = 1.0
        for others in range(1, bit):
            j = 0  # the first of the others
            while not (others >> j) & 1:
                j += 1
            without_j = others & (others - 1)  # the lowest bit is cleared
            least[bit | others] = min(least[bit | without_j], pvalues[last, j])


@kernel
def largest_products(least, k, largest):
    """Raise largest[group] to the largest |I| min p of the exhaustive sets I that contain `group`.

    More precisely: of the partitions in which `group` consists of a model and those before it in
    its group. `least` is from `smallest_pvalues_of_last_model`; both have 2^k numbers.

    Depth first. The largest product of the partitions that begin equally is passed up model by
    model, so each partition takes a few operations, however many pairs it has.
    """
    # groups of the models placed so far; before model d is placed: groups that are open, the one
    # that it is tried in next, |I| and min p of the models before it, and the largest product of
    # the partitions that begin as those are placed
    groups, members = np.zeros(k + 1, np.int64), np.zeros(k + 1, np.int64)
    opened, choice = np.zeros(k + 1, np.int64), np.zeros(k + 1, np.int64)
    size, smallest, best = np.zeros(k + 1, np.int64), np.ones(k + 1), np.zeros(k + 1)
    d = 0
    while d >= 0:
        if d == k - 1:
            for g in range(opened[d] + 1):
                group = groups[g] | (1 << d)
                product = (size[d] + members[g]) * min(smallest[d], least[group])
                largest[group] = max(largest[group], product)
                best[d] = max(best[d], product)
        elif choice[d] <= opened[d]:
            g = choice[d]
            group = groups[g] | (1 << d)
            size[d + 1] = size[d] + members[g]
            smallest[d + 1] = min(smallest[d], least[group])
            opened[d + 1] = opened[d] + (g == opened[d])
            choice[d + 1], best[d + 1] = 0, 0.0
            groups[g] = group
            members[g] += 1
            d += 1
            continue
        d -= 1  # all partitions that begin as the models up to d are placed have been seen
        if d >= 0:
            g = choice[d]
            largest[groups[g]] = max(largest[groups[g]], best[d + 1])
            best[d] = max(best[d], best[d + 1])
            groups[g] ^= 1 << d
            members[g] -= 1
            choice[d] += 1


@kernel
def bergmann_hommel(pvalues, adjusted):
    """Write to `adjusted` (k, k), below its diagonal, Bergmann and Hommel's p-values of pairs.

    Both are float64; the p-values are read below the diagonal. Not cut at 1. Takes memory for
    2^(k + 1) numbers, and time in proportion to the number of partitions of k models.
    """
    k = pvalues.shape[0]
    least, largest = np.empty(1 << k), np.zeros(1 << k)
    smallest_pvalues_of_last_model(pvalues, least)
    largest_products(least, k, largest)
    for last in range(k):
        for j in range(last):
            adjusted[last, j] = 0.0
        for others in range(1 << last):
            for j in range(last):
                if (others >> j) & 1:
                    product = largest[(1 << last) | others]
                    adjusted[last, j] = max(adjusted[last, j], product)
