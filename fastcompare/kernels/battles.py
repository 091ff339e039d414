"""Battles of two models: who fought, who leads to whom by wins, and sums over clusters."""

import numpy as np

from .._jit.kernel import kernel
from .sums import ONE, WORD, U

PRIME = U(16777619)  # of Fowler, Noll and Vo's hash of 32 bits
SHIFT = U(7)
NONE = np.uint32(0)  # the bits in which equal letters differ


@kernel
def number_distinct_rows(letters, table, firsts, numbers):
    """Write to `numbers` the number of each distinct row of letters (n, m); return how many.

    Rows are numbered in the order of their first occurrence, whose index goes to `firsts`; -1 is
    returned if there are more than it holds. `table`, a hash table, comes as -1, its size a power
    of two larger than `firsts`.
    """
    n, m = letters.shape
    slot_mask = U(table.size - 1)
    total = 0
    for i in range(n):
        even = odd = PRIME  # two chains overlap in time
        for j in range(0, m - 1, 2):
            even = ((even ^ U(letters[i, j])) * PRIME) & WORD
            odd = ((odd ^ U(letters[i, j + 1])) * PRIME) & WORD
        slot = (even ^ (odd >> SHIFT) ^ U(letters[i, m - 1])) & slot_mask
        number = -1
        while number < 0:
            number = table[slot]
            if number < 0:
                if total == firsts.size:
                    return -1
                table[slot] = number = total
                firsts[total] = i
                total += 1
                continue
            first, unlike = firsts[number], NONE
            for j in range(m):
                unlike |= letters[i, j] ^ letters[first, j]
            if unlike:  # another row has this slot: the next one
                number = -1
                slot = (slot + ONE) & slot_mask
        numbers[i] = number
    return total


@kernel
def pop_component(v, stack, height, label, group):
    """Pop the models down to v from the stack into component `group`; return the new height."""
    while label[v] < 0:
        height -= 1
        label[stack[height]] = group
    return height


@kernel
def number_components(edges, index, low, stack, path, following, label):
    """Write to `label` (k,) the strongly connected component of each model; return how many.

    Tarjan (1972), doi:10.1137/0201010, without recursion: `edges` (k, k) is 1 where the model of
    the row leads to that of the column. A component that leads to another has the larger number.
    The other arrays (k,) are scratch space; `index` and `label` come as -1, `following` as 0.
    """
    k = edges.shape[0]
    n_groups = visited = height = 0
    for root in range(k):
        if index[root] >= 0:
            continue
        path[0], depth = root, 1
        while depth:
            v = path[depth - 1]
            if index[v] < 0:
                index[v] = low[v] = visited
                visited += 1
                stack[height] = v
                height += 1
            w = following[v]
            while w < k and not (edges[v, w] and (index[w] < 0 or label[w] < 0)):
                w += 1
            following[v] = w + 1
            if w < k and index[w] < 0:
                path[depth] = w
                depth += 1
            elif w < k:
                low[v] = min(low[v], index[w])
            else:
                depth -= 1
                if depth:
                    low[path[depth - 1]] = min(low[path[depth - 1]], low[v])
                if low[v] == index[v]:
                    height = pop_component(v, stack, height, label, n_groups)
                    n_groups += 1
    return n_groups


@kernel
def add_cluster_products(order, groups, first, second, scores, sums, touched, last_cluster, out):
    """Add to `out` (p, p) half of sum_g S_g S_g', S_g being a cluster's sum of score vectors.

    The sum is out + out'. `order` sorts `groups`. A battle's first score (2, n) counts for its
    first model, negatively for its second, and for the order (the last parameter); its second score
    for ties (the last but one). Only the parameters of a cluster's battles are added: `sums` (p,)
    come as 0, `last_cluster` (p,) as -1.
    """
    n, p = order.size, sums.size
    start = 0
    while start < n:
        stop, size = start, 0
        while stop < n and groups[order[stop]] == groups[order[start]]:
            i = order[stop]
            for part in range(4):
                at, score = first[i], scores[0, i]
                if part == 1:
                    at, score = second[i], -scores[0, i]
                elif part == 2:
                    at, score = p - 2, scores[1, i]
                elif part == 3:
                    at = p - 1
                if last_cluster[at] != start:
                    last_cluster[at] = start
                    touched[size] = at
                    size += 1
                sums[at] += score
            stop += 1
        for row in range(size):
            a = touched[row]
            for column in range(row):
                out[a, touched[column]] += sums[a] * sums[touched[column]]
            out[a, a] += 0.5 * sums[a] * sums[a]
        for row in range(size):
            sums[touched[row]] = 0.0
        start = stop
