"""What all pictures share: matplotlib, axes of the right size, widths of texts.

Sizes are in em, the size of the font, until something is drawn; an inch has 72 points.
"""

import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from .._base.text import clean

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS = 72.0  # in an inch
LARGEST = 200.0  # inches: past 2^16 pixels matplotlib draws nothing
LITERAL: Mapping[str, Any] = {"parse_math": False, "usetex": False}  # of every text with names
REFERENCE = 10.0  # points: the size of font at which widths are measured
SLACK = 1.04  # fonts fit to pixels get up to 3 % wider
LINE = 1.25  # em: from one line of a text to the next
READABLE = 7.0  # points: below it, pictures look for another layout


def matplotlib() -> Any:
    """Return the matplotlib module, or raise with the pip line."""
    try:
        import matplotlib as found
    except ImportError as error:
        raise ImportError("pictures need matplotlib: pip install 'fastcompare[plot]'.") from error
    return found


def font_size() -> float:
    """Return the size of the user's font in points."""
    return float(matplotlib().rcParams["font.size"])


def new_axes(width: float, height: float) -> "Axes":
    """Return the axes of a new figure of this size in em, which they fill."""
    em = font_size() / POINTS
    size = min(width * em, LARGEST), min(height * em, LARGEST)
    from matplotlib import pyplot

    axes: Axes = pyplot.figure(figsize=size).add_axes((0.0, 0.0, 1.0, 1.0))
    return axes


def size_of(ax: "Axes") -> tuple[float, float]:
    """Return the width and height of axes in points."""
    per_inch = ax.figure.dpi
    return float(ax.bbox.width / per_inch * POINTS), float(ax.bbox.height / per_inch * POINTS)


def width_of(text: str) -> float:
    """Return the width of a text in em."""
    matplotlib()
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # drawing will warn of what the font has not
        font = FontProperties(size=REFERENCE)
        width, _, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return SLACK * float(width) / REFERENCE


def widest(texts: Iterable[str]) -> float:
    """Return the width of the widest text in em."""
    return max(map(width_of, texts), default=0.0)


def cleaned(names: Iterable[str]) -> list[str]:
    """Return names without what breaks a line or steers the direction of writing."""
    return [clean(name) for name in names]


def wrapped(text: str, width: float) -> list[str]:
    """Return the lines of a text that is broken between words to fit a width in em."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
