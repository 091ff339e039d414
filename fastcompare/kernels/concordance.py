"""Pairs of cases whose order in time is known, and how many of them a score orders the same way.

Case i comes before j if its event was observed and j's time is later, or is the same and j is
censored (Harrell et al. 1982). With cases in the order of time, i wins against a later j if its
score is higher, and half if it is equal.

Scores become ranks, all different, such that no pair that must not count runs downward: equal
scores in the order of time, tied events by rising rank. Then a win is a pair of an event and a
later, lower rank. The walk goes along the bits of the ranks from the top. The cases of one value of
the higher bits are a block of ranks whose bounds need no counting; each is split, stably, into
zeros and ones, and an event among the ones wins against every zero still to come. Blocks of `SMALL`
are compared all with all, as bytes: six passes of the walk take three times as long.

Words hold the wins of a case above its rank, and in the lowest bit whether its event counts. With
weights wins are sums of whole numbers, which do not depend on the order.
"""

import numpy as np

from .._jit.kernel import kernel
from .sorting.keys import case_number, pack
from .sorting.native import sort64
from .sorting.placements import mark_tie_starts
from .sums import ONE, ZERO, U

SMALL = 64  # ranks that bytes can hold, and a register
PART = 512  # cases whose sums are added up by themselves: rounding grows with their number
WINS = U(32)  # the bit of a word where wins begin
RANK = U(0xFFFFFFFF)  # a mask of the bits below: the rank, and whether an event counts


@kernel
def order_in_time(time, event, order, run):
    """Write the cases in the order of time to `order`, events first among equal times.

    Writes to `run`, for each place in this order, the first place with the same time.
    """
    n = time.size
    keys = np.empty(n, np.uint64)
    nbits, exact = pack(time, event, keys)
    sort64(keys)
    new = mark_tie_starts(keys, time, nbits, exact)
    start = 0
    while start < n:
        stop, events = start + 1, keys[start] & ONE
        while stop < n and not new[stop]:
            events += keys[stop] & ONE
            stop += 1
        first, second = U(start), U(start) + events
        for q in range(start, stop):  # without a branch on the event: in 0.8 of the time
            event_here = keys[q] & ONE
            run[q] = start
            order[event_here * first + (ONE - event_here) * second] = case_number(keys[q], nbits)
            first += event_here
            second += ONE - event_here
        start = stop


@kernel
def count_pairs(event, run, pairs):
    """Write the number of pairs of known order that each case is in; return the number of pairs.

    `event`, `run` (see `order_in_time`) and `pairs` are in the order of time.
    """
    n = event.size
    total, before = np.int64(0), np.int64(0)  # pairs, events of earlier times
    start = 0
    while start < n:
        stop, events = start, np.int64(0)
        while stop < n and run[stop] == start:
            events += event[stop]
            stop += 1
        later = n - start - events
        for q in range(start, stop):
            pairs[q] = before + later if event[q] else before + events
        total += events * later
        before += events
        start = stop
    return total


@kernel
def sum_pairs_by_role(event, run, pairs, out):
    """Write to `out` (2, 2) the sums (row 0) of the cases' numbers of pairs, and of their squares.

    Column 0 is over cases without an event, as the later ones of pairs; column 1 is over events, as
    the earlier ones. `pairs` are from `count_pairs`.
    """
    out[:] = 0.0
    before, tied_events, start = np.int64(0), np.int64(0), np.int64(0)
    for q in range(event.size):
        if run[q] != start:
            before, tied_events, start = before + tied_events, np.int64(0), np.int64(run[q])
        tied_events += event[q]
        kind = event[q]
        in_role = np.float64(pairs[q] - before if kind else pairs[q])  # others are always later
        out[0, kind] += in_role
        out[1, kind] += in_role * in_role


@kernel
def sort_scores_in_time(scores, event, keys):
    """Write the packed keys of scores to `keys`, sorted by score, equal scores by time.

    Returns the bits below the prefix, and for each key whether it begins a new score.
    """
    nbits, exact = pack(scores, event, keys)
    sort64(keys)
    new = mark_tie_starts(keys, scores, nbits, exact)
    if not exact:  # runs of equal prefixes may have changed their order
        start = 0
        for q in range(1, keys.size + 1):
            if q == keys.size or new[q]:
                if q - start > 1:
                    sort64(keys[start:q])
                start = q
    return nbits, new


@kernel
def sort_tied_events(words, event, run):
    """Sort the ranks of events of the same time, so that none counts as a win against another."""
    start = 0
    for q in range(1, words.size + 1):
        if q == words.size or run[q] != run[start] or not event[q]:
            if q - start > 1 and event[start]:
                sort64(words[start:q])
            start = q


@kernel
def split_block(source, target, mid, bit):
    """Split a block of words stably into zeros and ones of a bit, and add to each word its wins.

    `mid` is the number of zeros. Those are the wins between a one and a zero of the block.
    """
    zero, one, higher = np.int64(0), np.int64(mid), ZERO
    for i in range(source.size):
        word = source[i]
        is_one = (word >> bit) & ONE
        event = is_one & word & ONE
        # an event among ones beats the zeros still to come; a zero loses to those before it
        wins = event * U(mid - zero) + (ONE - is_one) * higher
        step = np.int64(is_one)
        target[step * one + (1 - step) * zero] = word + (wins << WINS)
        higher += event
        one += step
        zero += 1 - step


@kernel
def split_small(source, target, start):
    """Sort a block of at most `SMALL` words by rank, adding to each word its wins in the block.

    The ranks of a block begin with `start`.
    """
    events, wins = np.zeros(SMALL, np.uint8), np.zeros(SMALL, np.uint8)
    # `events` are the ranks within the block, from 1 on, of the events so far, 0 for other cases
    for j in range(source.size):
        rank = np.uint8(((source[j] & RANK) >> ONE) - U(start) + ONE)
        lost = np.uint8(0)
        for i in range(SMALL):
            beats = np.uint8(events[i] > rank)
            wins[i] += beats
            lost += beats
        wins[j] += lost
        events[j] = rank * np.uint8(source[j] & ONE)
    for j in range(source.size):
        place = np.int64((source[j] & RANK) >> ONE)
        target[place - start] = source[j] + (U(wins[j]) << WINS)


@kernel
def count_wins_by_rank(words, spare):
    """Return words in the order of time, sorted by rank, with each case's wins above the rank.

    An event's wins are the later cases that it beats, another case's the events that beat it. Both
    arrays are scratch, and the result is one of them.
    """
    n = words.size
    bit, half = ONE, 1  # bit 0 is for events; half the ranks of a block have a 0 in `bit`
    while 2 * half < n:
        half, bit = 2 * half, bit + ONE
    while 2 * half > SMALL:
        for start in range(0, n, 2 * half):
            stop = min(start + 2 * half, n)
            split_block(words[start:stop], spare[start:stop], min(half, stop - start), bit)
        words, spare = spare, words
        half, bit = half // 2, bit - ONE
    for start in range(0, n, SMALL):
        stop = min(start + SMALL, n)
        split_small(words[start:stop], spare[start:stop], start)
    return spare


@kernel
def add_tied_wins(places, event, run, doubled):
    """Add 1 to the doubled wins of two cases for each pair of them with equal scores.

    `places` are those of the cases of one score, in the order of time.
    """
    size, start, before = places.size, 0, np.int64(0)
    while start < size:
        stop, events = start, np.int64(0)
        tie_start = run[places[start]]
        while stop < size and run[places[stop]] == tie_start:
            events += event[places[stop]]
            stop += 1
        later = size - start - events
        for place in places[start:stop]:
            doubled[place] += before + (later if event[place] else events)
        before += events
        start = stop


@kernel
def doubled_wins(scores, event, run, doubled):
    """Write twice the concordant pairs of each case, ties counting one half.

    An event's pairs are those with later cases that it beats, another case's those with earlier
    events that beat it. Scores, events and runs are in the order of time, as by `order_in_time`.
    """
    doubled_wins_by_scratch(scores, event, run, np.empty(scores.size, np.uint64), doubled)


@kernel
def doubled_wins_by_scratch(scores, event, run, words, doubled):
    """Write `doubled_wins` with scratch `words` (n uint64), which may share memory with scores."""
    n = scores.size
    keys, places = np.empty(n, np.uint64), np.empty(n, np.uint32)  # by rank
    nbits, new = sort_scores_in_time(scores, event, keys)
    for r in range(n):
        places[r] = case_number(keys[r], nbits)
        words[places[r]] = (U(r) << ONE) | (keys[r] & ONE)
    sort_tied_events(words, event, run)
    ranked_words = count_wins_by_rank(words, keys)  # the keys are needed no more
    for r in range(n):
        doubled[places[r]] = (ranked_words[r] >> WINS) << ONE
    start = 0
    for q in range(1, n + 1):
        if q == n or new[q]:
            if q - start > 1:
                add_tied_wins(places[start:q], event, run, doubled)
            start = q


@kernel
def influence_value(case_wins, pairs, all_wins, total, exact):
    """Return U - C p of a case with U concordant of p pairs, C being the concordance of all.

    `case_wins` and `all_wins` are doubled, and `total` is P, the number of all pairs. If `exact`,
    the value is multiplied by 4 P: a whole number.
    """
    if exact:
        return np.float64(2 * np.int64(total) * case_wins - all_wins * pairs)
    return 0.5 * case_wins - np.float64(all_wins) / (4.0 * total) * pairs


@kernel
def sum_error_products(first, second, pairs, event, total, exact, out):
    """Write sums of products of two models' errors (U - C p) / P, and of squared differences.

    `first` and `second` are the models' doubled wins of each case, `total` is P. `out` (2, 4) has
    rows for cases without and with an event. Its columns are the squares of the first model, the
    products of both, the squares of the second, and those of the difference.
    """
    wins_a, wins_b = np.int64(0), np.int64(0)
    for i in range(pairs.size):
        wins_a += first[i]
        wins_b += second[i]
    out[:] = 0.0
    sums = np.empty((2, 4))
    for start in range(0, pairs.size, PART):
        sums[:] = 0.0
        for i in range(start, min(start + PART, pairs.size)):
            a = influence_value(first[i], pairs[i], wins_a, total, exact)
            b = influence_value(second[i], pairs[i], wins_b, total, exact)
            d = influence_value(first[i] - second[i], pairs[i], wins_a - wins_b, total, exact)
            kind = event[i]
            sums[kind, 0] += a * a
            sums[kind, 1] += a * b
            sums[kind, 2] += b * b
            sums[kind, 3] += d * d
        out += sums
    out /= ((4.0 * total if exact else 1.0) * total) ** 2  # exact values are 4 P times as large


@kernel
def weigh_pairs(event, run, weights, cases, wins, losses):
    """Write the weights of the pairs of each case: of later cases, and of earlier events.

    A pair weighs the event's weight times the later case's. For an event, `wins` is the sum of
    `cases` over its later cases; `losses` is the sum of `weights` over earlier events. Without an
    event `weights` are 0.
    """
    n = event.size
    later, before = np.int64(0), np.int64(0)
    for q in range(n):
        later += cases[q]
    start = 0
    while start < n:
        stop, tied_weight = start, np.int64(0)
        while stop < n and run[stop] == start:
            tied_weight += weights[stop]
            later -= cases[stop] * np.int64(event[stop])
            stop += 1
        for q in range(start, stop):
            wins[q] = later if event[q] else 0
            losses[q] = before if event[q] else before + tied_weight
            # those censored at this time are later for its events only
        for q in range(start, stop):
            later -= cases[q] * np.int64(1 - event[q])
        before += tied_weight
        start = stop


@kernel
def split_weighted(source, target, mid, bit, start, weights, cases, wins, losses):
    """Split a block of words as `split_block`; add the weights of wins and losses by rank.

    `start` is the first rank of the block. An event wins the `cases` weights of later cases, and
    they lose its `weights`.
    """
    zero, one = 0, mid
    higher, lower = np.int64(0), np.int64(0)  # events so far among ones, zeros still to come
    for r in range(start, start + mid):
        lower += cases[r]
    for i in range(source.size):
        word = source[i]
        rank = np.int64(word >> ONE)
        if (word >> bit) & ONE:
            if word & ONE:
                wins[rank] += lower
                higher += weights[rank]
            target[one] = word
            one += 1
        else:
            losses[rank] += higher
            lower -= cases[rank]
            target[zero] = word
            zero += 1


@kernel
def sum_weighted_wins_by_rank(words, weights, cases, wins, losses):
    """Add to `wins` and `losses`, by rank, the weights of beaten later and of beating events."""
    n = words.size
    spare = np.empty_like(words)
    bit, half = ONE, 1
    while 2 * half < n:
        half, bit = 2 * half, bit + ONE
    while half:
        for start in range(0, n, 2 * half):
            stop = min(start + 2 * half, n)
            mid = min(half, stop - start)
            split_weighted(
                words[start:stop], spare[start:stop], mid, bit, start, weights, cases, wins, losses
            )
        words, spare = spare, words
        half, bit = half // 2, bit - ONE


@kernel
def add_weighted_tied_wins(keys, nbits, run, weights, cases, wins, losses):
    """Add the weights of pairs with equal scores to `wins` and `losses`, by place in time.

    `keys` are those of the cases of one score, sorted by time.
    """
    size, start = keys.size, 0
    before, later = np.int64(0), np.int64(0)
    for q in range(size):
        later += cases[case_number(keys[q], nbits)]
    while start < size:
        stop, tied_weight = start, np.int64(0)
        tie_start = run[case_number(keys[start], nbits)]
        while stop < size and run[case_number(keys[stop], nbits)] == tie_start:
            place = case_number(keys[stop], nbits)
            tied_weight += weights[place]
            later -= cases[place] if keys[stop] & ONE else 0
            stop += 1
        for q in range(start, stop):
            place = case_number(keys[q], nbits)
            wins[place] += later if keys[q] & ONE else 0
            losses[place] += before if keys[q] & ONE else before + tied_weight
        for q in range(start, stop):
            later -= 0 if keys[q] & ONE else cases[case_number(keys[q], nbits)]
        before += tied_weight
        start = stop


@kernel
def weighted_wins(scores, event, run, weights, cases, wins, losses):
    """Write twice the weights of later cases that each event beats, and of events that beat a case.

    All are in the order of time, as by `order_in_time`. `weights` are whole weights of events, 0
    for others, and `cases` whole weights of cases; the sum of all must be below 2^62.
    """
    n = scores.size
    keys = np.empty(n, np.uint64)
    nbits, new = sort_scores_in_time(scores, event, keys)
    words, ranked = np.empty(n, np.uint64), np.zeros((4, n), np.int64)
    ranked_weights, ranked_cases = ranked[0], ranked[1]
    ranked_wins, ranked_losses = ranked[2], ranked[3]
    for r in range(n):
        place = case_number(keys[r], nbits)
        words[place] = (U(r) << ONE) | (keys[r] & ONE)
        ranked_weights[r], ranked_cases[r] = weights[place], cases[place]
    sort_tied_events(words, event, run)
    sum_weighted_wins_by_rank(words, ranked_weights, ranked_cases, ranked_wins, ranked_losses)
    for r in range(n):
        place = case_number(keys[r], nbits)
        wins[place], losses[place] = 2 * ranked_wins[r], 2 * ranked_losses[r]
    start = 0
    for q in range(1, n + 1):
        if q == n or new[q]:
            if q - start > 1:
                add_weighted_tied_wins(keys[start:q], nbits, run, weights, cases, wins, losses)
            start = q
