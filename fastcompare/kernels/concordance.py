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
from .sorting.placements import mark_groups
from .sums import ONE, ZERO, U

SMALL = 64  # ranks that bytes can hold, and a register
PART = 512  # cases whose sums are added up by themselves: rounding grows with their number
WINS = U(32)  # the bit of a word where wins begin
RANK = U(0xFFFFFFFF)


@kernel
def order_in_time(time, event, order, run):
    """Write the cases in the order of time to `order`, events first among equal times.

    Writes to `run` where the run of equal times begins that holds each place.
    """
    n = time.size
    keys = np.empty(n, np.uint64)
    nbits, exact = pack(time, event, keys)
    sort64(keys)
    new = mark_groups(keys, time, nbits, exact)
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
    """Write how many pairs of known order each place is in; return how many there are in all.

    Events and runs are in the order of time.
    """
    n = event.size
    total, before = np.int64(0), np.int64(0)
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
def sum_sides(event, run, pairs, out):
    """Write sums (2,) and sums of squares of pairs: of other cases as later ones, and of events.

    `out` (2, 2) has the sums in its first row; an event counts with the pairs that it begins.
    """
    out[:] = 0.0
    before, tied_events, start = np.int64(0), np.int64(0), np.int64(0)
    for q in range(event.size):
        if run[q] != start:
            before, tied_events, start = before + tied_events, np.int64(0), np.int64(run[q])
        tied_events += event[q]
        kind = event[q]
        side = np.float64(pairs[q] - before if kind else pairs[q])
        out[0, kind] += side
        out[1, kind] += side * side


@kernel
def rank_in_time(scores, event, keys):
    """Sort keys of scores that are in the order of time, equal scores in that order.

    Returns the bits below their prefix, and where a new score begins.
    """
    nbits, exact = pack(scores, event, keys)
    sort64(keys)
    new = mark_groups(keys, scores, nbits, exact)
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
    """Bring the ranks of events of the same time into rising order: none wins against another."""
    start = 0
    for q in range(1, words.size + 1):
        if q == words.size or run[q] != run[start] or not event[q]:
            if q - start > 1 and event[start]:
                sort64(words[start:q])
            start = q


@kernel
def split_block(source, target, mid, bit):
    """Split a block of words into zeros and ones of a bit, and count what they win."""
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
    """Bring a block of at most `SMALL` words into the order of ranks, with what they win.

    `events` are the ranks within the block, from 1 on, of events that came before.
    """
    events, wins = np.zeros(SMALL, np.uint8), np.zeros(SMALL, np.uint8)
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
def walk(words, spare):
    """Return the words in the order of their ranks, with what each case wins above the rank."""
    n = words.size
    bit, half = ONE, 1
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
def add_tie(places, event, run, doubled):
    """Add one for each case of one score to the doubled wins of those which it is paired with."""
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
    """Write twice what each place wins: as an event against later, and of earlier as a later one.

    Scores, events and runs are in the order of time, as `order_in_time` has it.
    """
    doubled_wins_in(scores, event, run, np.empty(scores.size, np.uint64), doubled)


@kernel
def doubled_wins_in(scores, event, run, words, doubled):
    """Write the same; `words` are as many, and may lie where the scores do, which are lost then."""
    n = scores.size
    keys, places = np.empty(n, np.uint64), np.empty(n, np.uint32)  # by rank
    nbits, new = rank_in_time(scores, event, keys)
    for r in range(n):
        places[r] = case_number(keys[r], nbits)
        words[places[r]] = (U(r) << ONE) | (keys[r] & ONE)
    sort_tied_events(words, event, run)
    ranked_words = walk(words, keys)  # the keys are needed no more
    for r in range(n):
        doubled[places[r]] = (ranked_words[r] >> WINS) << ONE
    start = 0
    for q in range(1, n + 1):
        if q == n or new[q]:
            if q - start > 1:
                add_tie(places[start:q], event, run, doubled)
            start = q


@kernel
def influence_value(case_wins, pairs, all_wins, total, exact):
    """Return a case's U - C p, from twice the wins of it and of all.

    Times 4 P, a whole number, where that fits, as `exact` says.
    """
    if exact:
        return np.float64(2 * np.int64(total) * case_wins - all_wins * pairs)
    return 0.5 * case_wins - np.float64(all_wins) / (4.0 * total) * pairs


@kernel
def sum_errors(first, second, pairs, event, total, exact, out):
    """Write sums of products of two models' errors and of the squares of their differences.

    `out` (2, 4) has those of other cases and of events: of the first model, of both, of the
    second, and of the difference. Errors are (U - C p) / P, which the sums are divided by.
    """
    wins_a, wins_b = np.int64(0), np.int64(0)
    for i in range(pairs.size):
        wins_a += first[i]
        wins_b += second[i]
    out[:] = 0.0
    part = np.empty((2, 4))
    for start in range(0, pairs.size, PART):
        part[:] = 0.0
        for i in range(start, min(start + PART, pairs.size)):
            a = influence_value(first[i], pairs[i], wins_a, total, exact)
            b = influence_value(second[i], pairs[i], wins_b, total, exact)
            d = influence_value(first[i] - second[i], pairs[i], wins_a - wins_b, total, exact)
            kind = event[i]
            part[kind, 0] += a * a
            part[kind, 1] += a * b
            part[kind, 2] += b * b
            part[kind, 3] += d * d
        out += part
    out /= ((4.0 * total if exact else 1.0) * total) ** 2


@kernel
def weigh_pairs(event, run, weights, cases, wins, losses):
    """Write the weights of pairs that each place is in, as an event and as a later case.

    A pair weighs the event's weight times that of the later case; of these `wins` has the sum over
    later `cases` and `losses` that over earlier `weights`, which are 0 for what is no event.
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
    """Split a block of words as `split_block`; add what they win and lose by rank, in weights."""
    zero, one = 0, mid
    higher, lower = np.int64(0), np.int64(0)
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
def walk_weighted(words, weights, cases, wins, losses):
    """Add to `wins` and `losses`, by rank, the weights of later and of earlier cases."""
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
def add_weighted_tie(keys, nbits, run, weights, cases, wins, losses):
    """Add the weights of pairs of one score, `keys` being sorted by their places."""
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
    """Write twice the weights of later cases that each place beats, and of earlier that beat it.

    All are in the order of time, as `order_in_time` has it. Whole numbers `weights` are those of
    events, 0 elsewhere, and `cases` those of cases; the sum of all must be below 2^62.
    """
    n = scores.size
    keys = np.empty(n, np.uint64)
    nbits, new = rank_in_time(scores, event, keys)
    words, ranked = np.empty(n, np.uint64), np.zeros((4, n), np.int64)
    for r in range(n):
        place = case_number(keys[r], nbits)
        words[place] = (U(r) << ONE) | (keys[r] & ONE)
        ranked[0, r], ranked[1, r] = weights[place], cases[place]
    sort_tied_events(words, event, run)
    walk_weighted(words, ranked[0], ranked[1], ranked[2], ranked[3])
    for r in range(n):
        place = case_number(keys[r], nbits)
        wins[place], losses[place] = 2 * ranked[2, r], 2 * ranked[3, r]
    start = 0
    for q in range(1, n + 1):
        if q == n or new[q]:
            if q - start > 1:
                add_weighted_tie(keys[start:q], nbits, run, weights, cases, wins, losses)
            start = q
