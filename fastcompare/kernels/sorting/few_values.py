"""Placements of scores with few distinct values: count them in a table, sort nothing.

Rounded probabilities, leaves of a tree, grades: 100 distinct values take a tenth of the time that
sorting takes. The table is a hash table with open addressing, so it does not matter how the values
are spread.
"""

import numpy as np

from ..._jit.kernel import kernel
from ..words import ONE, ZERO, U
from .keys import double_of, ordered
from .placements import count_positives
from .runs import order_run

SLOT_BITS = 11
SLOTS = 1 << SLOT_BITS
MOST = 512  # distinct values: a quarter of the slots, so that probes stay short
CASES_PER_VALUE = 16  # fewer cases a value are sorted sooner, and giving up must cost little
FIBONACCI = U(0x9E3779B97F4A7C15)  # Knuth's multiplicative hashing


@kernel
def slot_of(values, value):
    """Return the slot that holds `value`, or the empty slot where it belongs."""
    slot = (value * FIBONACCI) >> U(64 - SLOT_BITS)
    while values[slot] != value and values[slot] != ZERO:
        slot = (slot + ONE) & U(SLOTS - 1)
    return slot


@kernel
def tally(scores, labels, most, values, counts, codes):
    """Count each distinct value by class and write the slot and label of every case to `codes`.

    Returns the number of distinct values, or 0 as soon as there are more than `most`.
    """
    distinct = 0
    for i in range(scores.size):
        value = ordered(scores[i])
        slot = (value * FIBONACCI) >> U(64 - SLOT_BITS)
        if values[slot] != value:  # seldom: a sixth of the time saved by looking here first
            slot = slot_of(values, value)
            if values[slot] == ZERO:  # an empty slot: no score has the ordered integer 0
                distinct += 1
                if distinct > most:
                    return 0
                values[slot] = value
        code = (slot << ONE) | U(labels[i] & 1)
        counts[code] += 1
        codes[i] = code
    return distinct


@kernel
def slots_in_order(values, distinct):
    """Return the used slots in the order of their values."""
    slots, doubles = np.empty(distinct, np.uint64), np.empty(distinct)
    filled = 0
    for slot in range(SLOTS):
        if values[slot]:
            slots[filled], doubles[filled] = U(slot), double_of(values[slot])
            filled += 1
    order_run(slots, doubles)
    return slots


@kernel
def rank_slots(values, counts, distinct, m, placement):
    """Write to `placement` what a case of each slot and label gets."""
    below, above = np.int64(0), np.int64(m)
    for slot in slots_in_order(values, distinct):
        code = slot << ONE
        negatives, positives = counts[code], counts[code | ONE]
        above -= positives
        placement[code] = 2 * above + positives
        placement[code | ONE] = 2 * below + negatives
        below += negatives


@kernel
def placements_of_few_values(scores, labels, out):
    """Write the placements to `out`; return False, with `out` spoilt, if the values are many."""
    most = min(MOST, out.size // CASES_PER_VALUE)
    if most == 0:
        return False
    values = np.zeros(SLOTS, np.uint64)
    counts = np.zeros(2 * SLOTS, np.int64)
    distinct = tally(scores, labels, most, values, counts, out)
    if distinct == 0:
        return False
    placement = np.empty(2 * SLOTS, np.uint64)
    rank_slots(values, counts, distinct, count_positives(labels), placement)
    for i in range(out.size):
        out[i] = placement[out[i]]
    return True
