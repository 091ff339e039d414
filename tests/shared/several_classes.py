"""Problems of several classes: a worked example, drawn ones, random ones."""

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.shared.strategies import FEW, NEIGHBOURS

Y = [0, 0, 0, 1, 1, 2, 2]
P = [
    [0.6, 0.3, 0.1],
    [0.4, 0.5, 0.1],
    [0.3, 0.3, 0.4],
    [0.5, 0.3, 0.2],
    [0.1, 0.6, 0.3],
    [0.2, 0.5, 0.3],
    [0.3, 0.1, 0.6],
]
AVERAGES = ("hand-till", "ovo-weighted", "ovr", "ovr-weighted")
AVERAGE = pytest.mark.parametrize("average", AVERAGES)


@st.composite
def several_classes(draw, models=2):
    """Labels with two cases or more of each class, and (models, n, c) scores."""
    c = draw(st.integers(2, 4))
    extra = draw(st.lists(st.integers(0, c - 1), max_size=12))
    y = np.array(draw(st.permutations([*range(c), *range(c), *extra])))
    elements = draw(st.sampled_from([FEW, NEIGHBOURS]))
    return y, draw(arrays(float, (models, y.size, c), elements=elements))


def sample(rng, counts, signal=1.0, models=1):
    """Labels in random order, and scores that know the class a little."""
    y = rng.permutation(np.repeat(np.arange(len(counts)), counts))
    table = rng.normal(size=(models, y.size, len(counts)))
    table[:, np.arange(y.size), y] += signal
    return y, table


def averages_by_counting(y, tables, average):
    """Brute force over all pairs for many tables (B, n, c) and fixed labels."""
    c = tables.shape[2]
    beats = [
        [win_rate(tables[:, y == i, i], tables[:, y == j, i]) for j in range(c)] for i in range(c)
    ]
    counts = np.bincount(y)
    if average == "hand-till":
        return sum(beats[i][j] for i in range(c) for j in range(c) if i != j) / (c * (c - 1))
    by_class = [
        np.average([beats[i][j] for j in range(c) if j != i], axis=0, weights=np.delete(counts, i))
        for i in range(c)
    ]
    return np.average(by_class, axis=0, weights=counts if average == "ovr-weighted" else None)


def win_rate(x, y):
    x, y = x[:, :, None], y[:, None, :]
    return ((x > y) + 0.5 * (x == y)).mean(axis=(1, 2))


def mirrored(score):
    """Two classes: the score of one, and before it that of the other."""
    return np.column_stack([-np.asarray(score), score])
