"""The picture of a result as inline SVG: texts are outlines, so any reader shows the same."""

import io
import re
import warnings
from typing import Any, NamedTuple

from .._base.exceptions import FastCompareError
from .._base.text import clean
from ..plots import forest, pvalue_matrix
from ..plots._pictures import MOST_ROWS, drawing, of_tests, pairs

ROOT = re.compile(r"<svg\b[^>]*>")
UNWANTED = re.compile(r"<!--.*?-->|<metadata>.*?</metadata>", re.DOTALL)
IDENTITY = re.compile(r'(\bid="|href="#|url\(#)')
SETTINGS = {"svg.fonttype": "path", "svg.hashsalt": "fastcompare"}  # the same bytes each time

LEVELS = ("confidence_level", "simultaneous")
SHOWS = {
    "agreement_map": "how often pairs of models disagree, in a square",
    "critical_difference": "average ranks, with bars over groups that are not told apart",
    "decision_curves": "net benefit by threshold",
    "error_rates": "rates of rejection with their intervals",
    "forest": "estimates with their intervals, a row each",
    "leaderboard": "models with their means, intervals and ranks",
    "mosaic": "areas for the cases that both, one or none of two models get right",
    "posterior": "the posterior distribution of the difference",
    "power_curves": "power by effect or by number of cases",
    "pvalue_matrix": "p-values of all pairs in a square",
    "reliability": "observed rates by predicted probability",
    "roc_band": "the ROC curve with its band",
}


class Picture(NamedTuple):
    """A picture as SVG, and what it is called where it is not seen."""

    svg: str
    label: str


def picture_of(result: Any, shown: Any = None) -> Picture | None:
    """Return the picture of a result, or None where it has none.

    A forest has the intervals of what is shown of the result.
    """
    import matplotlib
    from matplotlib import pyplot

    before = set(pyplot.get_fignums())
    with matplotlib.rc_context(SETTINGS), pyplot.ioff(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph ")  # the tables beside it have all names
        try:
            wanted = {name: getattr(shown, name) for name in LEVELS if hasattr(shown, name)}
            drawn = result.plot(**wanted if drawn_by(result) == "forest" else {})
            figure = drawn.get_figure(root=True)
            file = io.StringIO()
            figure.savefig(file, format="svg", metadata={"Date": None})
        except FastCompareError:  # this class, or these values, have none
            return None
        finally:
            for number in set(pyplot.get_fignums()) - before:
                pyplot.close(number)
    return inlined(file.getvalue(), label_of(result, figure))


def label_of(result: Any, figure: Any) -> str:
    """Return words for a picture: the result, and the titles and labels of its axes."""
    texts = [SHOWS.get(drawn_by(result), "")]
    for ax in figure.axes:
        texts += [ax.get_title(), ax.get_xlabel(), ax.get_ylabel()]
    told = "; ".join(dict.fromkeys([str(result.title), *filter(None, texts)]))
    return clean(" ".join(told.split()))


def drawn_by(result: Any) -> str:
    """Return the name of the function that draws a result, if its class alone says it."""
    reported = getattr(result, "result", result)  # of a comparison
    draw = drawing(reported)
    if draw is of_tests:
        held = reported.tests.values() if hasattr(reported, "tests") else (reported.posthoc,)
        return next((drawn_by(test) for test in held if hasattr(test, "pairs")), "")
    if draw is pairs:
        draw = forest if len(reported.pairs) <= MOST_ROWS else pvalue_matrix
    return "" if draw is None else draw.__name__


def inlined(svg: str, label: str) -> Picture:
    """Return an SVG file as a part of a page, as wide as there is room."""
    root = ROOT.search(svg)
    assert root is not None
    sizes = dict(re.findall(r'(width|viewBox)="([^"]*)"', root[0]))
    body = UNWANTED.sub("", svg[root.end() :])
    body = IDENTITY.sub(r"\1picture-", body)
    body = re.sub(r"\n\s*\n", "\n", body)
    head = (
        '<svg xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="{viewBox}" '
        'style="width: {width}" aria-hidden="true">'
    )
    return Picture(head.format(**sizes) + body, label)
