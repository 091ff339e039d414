"""Hypothesis strategies: one place that knows what a hard problem looks like."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

FEW = st.integers(-3, 3).map(float)  # ties abound
ANY = st.floats(allow_nan=False, allow_infinity=True)
NEIGHBOURS = st.integers(0, 40).map(lambda i: 1.0 + i * 2.0**-52)  # one ulp apart: no ties
SCORES = st.sampled_from([FEW, ANY, NEIGHBOURS])


@st.composite
def scored_cases(draw, k=2, smallest=2, largest=40):
    """Draw labels with at least `smallest` cases of each class, and (k, n) scores."""
    extra = draw(st.lists(st.integers(0, 1), max_size=largest - 2 * smallest))
    labels = np.array(draw(st.permutations([0] * smallest + [1] * smallest + extra)))
    elements = draw(SCORES)
    scores = draw(arrays(float, (k, labels.size), elements=elements))
    return labels, scores


@st.composite
def predicted_cases(draw, classes=3, k=2, largest=40):
    """Draw true labels and the labels that k models predict, as lists."""
    n = draw(st.integers(1, largest))
    labels = st.lists(st.integers(0, classes - 1), min_size=n, max_size=n)
    return [draw(labels) for _ in range(1 + k)]
