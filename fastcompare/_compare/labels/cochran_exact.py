"""The exact null distribution of Cochran's Q: all exchanges of answers within cases.

Case by case, L_i of the k models are right, any L_i of them with the same chance. Q grows with
sum G_j^2, which does not care about the order of the models, so the states are the sorted G, each
less the smallest of them; how many ways lead to each is counted in whole numbers.
"""

import math
from collections import Counter
from itertools import combinations

from ..._inference.coins import coin_pvalue
from ..._inference.pvalues import TINY, PValue
from ..._inputs.accuracies import check_steps

MOST_STEPS = 1_000_000  # from a state to the next: a few seconds


def exact_cochran_pvalue(by_model: list[int], sizes: list[int]) -> PValue:
    """Return P(sum G^2 at least as large as here); `sizes` counts cases by L = 0, ..., k."""
    k = len(by_model)
    alone = [right - sizes[k] for right in by_model]  # less the cases that all get right
    if k == 2:
        return coin_pvalue(alone[0], alone[1], "two-sided", 1.0)
    states = final_states(k, sizes)
    observed = sum(g * g for g in alone)
    ways = sum(n for state, n in states.items() if squares(state, sum(alone)) >= observed)
    every = sum(states.values())
    p = ways / every
    return PValue(p, math.log(p) if p >= TINY else math.log(ways) - math.log(every))


def final_states(k: int, sizes: list[int]) -> Counter[tuple[int, ...]]:
    """Return how many ways lead to each state, or raise once it takes too long."""
    states: Counter[tuple[int, ...]] = Counter({(0,) * k: 1})
    steps = 0
    for right in range(1, k):
        for _ in range(sizes[right]):
            steps += len(states) * math.comb(k, right)
            check_steps(steps, MOST_STEPS, k, sum(sizes[1:k]))
            states = after_case(states, right)
    return states


def after_case(states: Counter[tuple[int, ...]], right: int) -> Counter[tuple[int, ...]]:
    """Return the states after one more case that so many models get right."""
    after: Counter[tuple[int, ...]] = Counter()
    for state, count in states.items():
        for chosen in combinations(range(len(state)), right):
            new = list(state)
            for j in chosen:
                new[j] += 1
            new.sort()
            least = new[0]
            after[tuple(g - least for g in new)] += count
    return after


def squares(state: tuple[int, ...], total: int) -> int:
    """Return sum G^2 of a state whose counts are short of their sum by the same number each."""
    k = len(state)
    short = (total - sum(state)) // k
    return sum((g + short) ** 2 for g in state)
