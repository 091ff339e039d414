"""What the tests of pictures share: results to draw, and the boxes of what is drawn."""

from types import SimpleNamespace

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.backends.backend_agg import FigureCanvasAgg

LONG = "an estimator whose name has sixty characters and $x_{1}^2$__"


@pytest.fixture(autouse=True)
def closed_figures():
    matplotlib.use("Agg")
    yield
    plt.close("all")


def ranked(ranks, cliques=(), cd=None, names=None):
    names = names or [f"model {j}" for j in range(len(ranks))]
    return SimpleNamespace(
        names=tuple(names),
        average_ranks=np.array(ranks, float),
        cliques=tuple(tuple(names[j] for j in group) for group in cliques),
        critical_difference=cd,
    )


def compared(pvalues, names=None, **fields):
    names = names or [f"model {j}" for j in range(len(pvalues))]
    above = pvalues[np.triu_indices(len(pvalues), 1)]
    return SimpleNamespace(
        names=tuple(names), adjusted_pvalue=above, matrix=lambda field: pvalues, **fields
    )


def extents(texts):
    """Return the boxes of texts in pixels, (n, 4): left, bottom, right, top."""
    renderer = FigureCanvasAgg(texts[0].figure).get_renderer()
    return np.array([text.get_window_extent(renderer).extents for text in texts])


def overlaps(a, b):
    """Return how many boxes of one kind share more than a hundredth of a pixel with the other's."""
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, 2:], b[None, :, 2:])
    return int((high - low > 0.01).all(axis=2).sum())


def are_apart(boxes):
    """Return whether no box overlaps another (each does itself)."""
    return overlaps(boxes, boxes) == len(boxes)


def are_within(boxes, frame):
    left, bottom, right, top = boxes.T
    return (
        left.min() >= frame.x0
        and right.max() <= frame.x1
        and bottom.min() >= frame.y0
        and top.max() <= frame.y1
    )


def words_of(ax):
    return [t.get_text() for t in [*ax.texts, *ax.get_xticklabels(), *ax.get_yticklabels()]]


def texts_shown(ax):
    """Return all texts of a chart: labels, ticks within its limits, title, legend, notes."""
    ax.figure.canvas.draw()
    ticks = [
        tick.label1
        for axis, ends in ((ax.xaxis, ax.get_xlim()), (ax.yaxis, ax.get_ylim()))
        for tick in axis.get_major_ticks()
        if min(ends) <= tick.get_loc() <= max(ends)
    ]
    legend = ax.get_legend()
    keys = [*legend.get_texts(), legend.get_title()] if legend else []
    every = [*ax.texts, *keys, *ticks, ax.title, ax.xaxis.label, ax.yaxis.label]
    return [text for text in every if text.get_text()]


def is_legible(ax, least=5.0):
    """Assert that texts are apart, inside of the picture and not too small."""
    texts = texts_shown(ax)
    boxes = extents(texts)
    assert are_apart(boxes)
    assert are_within(boxes, ax.figure.bbox)
    assert min(text.get_fontsize() for text in texts) >= least
