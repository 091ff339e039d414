"""A forest: estimates or differences with their intervals, one below the other.

        name |  --o--    | text  text

Where that is too wide to read, names stand above their intervals. Rows lie from the first one
down; sizes are in em from the upper left corner.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.documented import documented
from .._base.text import show_pvalue
from .._base.types import Vector
from .._inputs.options import check_choice, check_flag, check_level, check_marks
from .._inputs.pictures import as_results, check_axes
from ._canvas import (
    LINE,
    READABLE,
    axes_size,
    clean_names,
    font_size,
    ink,
    new_axes,
    text_width,
    widest,
    wrap_text,
    write_text,
)
from ._estimates import Estimates, interval_texts, result_estimates, several_estimates

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW, PAD = 1.5, 0.8  # the height of a row without names above; around columns
BELOW_NAME = 0.35  # between a name and the interval below it
NARROWEST, USUAL_WIDTH = 11.0, 26.0  # widths of the part with intervals
HEAD, FOOT = 1.6, 3.6  # above the first row, below the last one
TICK, TICK_TEXT, LABEL = 0.35, 1.1, 2.4  # below the axis
THIN, THICK = 0.07, 0.14  # widths of lines
DOT = 0.55
GRID, AIR = "0.9", 0.04  # of the range of the numbers: air at both ends


@dataclass(frozen=True)
class Rows:
    """Names (in parts that belong together), estimates with intervals, columns of text.

    A column is its head and a text for each row; lines go down at `null` and, broken, at `marks`.
    """

    names: Sequence[tuple[str, ...]]
    middle: Vector
    low: Vector
    high: Vector
    columns: Sequence[tuple[str, Sequence[str]]]
    label: str
    null: float | None = None
    marks: tuple[float, ...] = ()
    stacked: bool = False
    statement: str = ""  # below the axis, in as many lines as it takes

    @cached_property
    def column_widths(self) -> list[float]:
        """The widths of the columns of text, each with the space before it."""
        return [widest([head, *texts]) + PAD for head, texts in self.columns]

    @cached_property
    def lines(self) -> list[tuple[str, ...]]:
        """The lines of each name: one, or where it stands above its interval one a part."""
        one_line = [" ".join(parts) for parts in self.names]
        if not self.stacked or widest(one_line) <= NARROWEST + sum(self.column_widths):
            return [(name,) for name in one_line]
        return list(self.names)

    @cached_property
    def padded_width(self) -> float:
        """The width of the names with the space around them."""
        return widest(line for lines in self.lines for line in lines) + 2.0 * PAD

    @property
    def interval_start(self) -> float:
        """The x coordinate, in em, at which the part with intervals begins."""
        return PAD if self.stacked else self.padded_width

    def width(self, middle: float = USUAL_WIDTH) -> float:
        """Return the width of a picture whose part with intervals is `middle` em wide."""
        of_columns = sum(self.column_widths)
        return max(self.interval_start + of_columns + middle + PAD, self.padded_width)

    @cached_property
    def row_height(self) -> float:
        """The height of a row: of an interval, and of the lines of a name above it if stacked."""
        return ROW + (LINE * max(map(len, self.lines)) + BELOW_NAME if self.stacked else 0.0)

    @property
    def foot(self) -> float:
        """How far down the axis is."""
        return HEAD + self.row_height * len(self.names)

    @property
    def height(self) -> float:
        """The height of the picture."""
        lines = len(self.caption_lines(self.width(NARROWEST))) if self.statement else 0
        return self.foot + FOOT + LINE * lines

    def caption_lines(self, width: float) -> list[str]:
        """Return the lines of the statement in a picture of this width."""
        return wrap_text(self.statement, width - 2.0 * PAD) if self.statement else []

    @cached_property
    def span(self) -> tuple[float, float]:
        """The lowest and the highest number that is drawn."""
        lines = [] if self.null is None else [self.null]
        ends = np.concatenate((self.middle, self.low, self.high, lines, self.marks))
        ends = ends[np.isfinite(ends)]
        low, high = (float(ends.min()), float(ends.max())) if ends.size else (0.0, 0.0)
        padding = AIR * (high - low) or 0.5
        return low - padding, high + padding

    def scale(self, width: float, height: float) -> float:
        """Return the largest font, in points, with which the picture fits this width and height."""
        return min(font_size(), width / self.width(NARROWEST), height / self.height)


def draw_rows(rows: Rows, ax: "Axes | None") -> "Axes":
    """Draw rows, on new axes if there are none, and return the axes."""
    check_marks(len(rows.names))
    if ax is None:
        ax = new_axes(rows.width(), rows.height)
    width, height = axes_size(ax)
    em = rows.scale(width, height)
    stacked = replace(rows, stacked=True)
    if em < READABLE and stacked.scale(width, height) > em:
        rows = stacked
        em = stacked.scale(width, height)
    ax.set(xlim=(0.0, width / em), ylim=(-height / em, 0.0))
    ax.set_axis_off()
    ax.set_label(rows.label)  # for those who describe the picture in words
    scale_width = width / em - rows.interval_start - sum(rows.column_widths) - PAD
    draw_scale(ax, rows, scale_width, em)
    draw_texts(ax, rows, scale_width, em)
    draw_intervals(ax, rows, scale_width, em)
    return ax


NARROW = 34.0  # em: pictures of this width are readable beside others and on telephones


def draw_narrow(rows: Rows) -> "Axes":
    """Draw rows on new axes that are narrow, names above their intervals where they are long."""
    check_marks(len(rows.names))
    fitted = rows if rows.width(NARROWEST) <= NARROW else replace(rows, stacked=True)
    return draw_rows(fitted, new_axes(max(NARROW, fitted.width(NARROWEST)), fitted.height))


def x_position(rows: Rows, value: Any, scale_width: float) -> Any:
    """Return the x coordinate in em of a number on a scale `scale_width` em wide.

    Infinite numbers are at the border.
    """
    low, high = rows.span
    return rows.interval_start + np.clip((value - low) / (high - low), 0.0, 1.0) * scale_width


def draw_scale(ax: "Axes", rows: Rows, scale_width: float, em: float) -> None:
    """Draw the axis of numbers below the rows, and the vertical lines of `null` and `marks`."""
    from matplotlib.ticker import MaxNLocator

    low, high = rows.span
    down = -rows.foot
    color = ink()
    locator = MaxNLocator(max(2, int(scale_width / 4.0)), steps=[1, 2, 5, 10])
    ticks: Vector = np.asarray(locator.tick_values(low, high))
    ticks = ticks[(ticks >= low) & (ticks <= high)]
    digits = max(0, -math.floor(math.log10(ticks[1] - ticks[0]) + 1e-9)) if ticks.size > 1 else 2
    tick_x = x_position(rows, ticks, scale_width)
    ends = x_position(rows, np.array([low, high]), scale_width)
    ax.plot(ends, [down, down], color=color, linewidth=THIN * em)
    ax.vlines(tick_x, down - TICK, down, color=color, linewidth=THIN * em)
    ax.vlines(tick_x, down, -HEAD, color=GRID, linewidth=THIN * em, zorder=0)
    if rows.null is not None:
        x = x_position(rows, rows.null, scale_width)
        ax.plot([x, x], [down, -HEAD], color=color, linewidth=THIN * em, gid="null", zorder=1)
    for j, mark in enumerate(rows.marks):
        x = x_position(rows, mark, scale_width)
        (line,) = ax.plot([x, x], [down, -HEAD], color=color, linewidth=THIN * em, zorder=1)
        line.set(linestyle=(0, (5, 3)), gid=f"margin {j}")
    for x, tick in zip(tick_x.tolist(), ticks.tolist(), strict=True):
        words = f"{tick:.{digits}f}".replace("-", "\u2212")
        write_text(ax, x, -down + TICK_TEXT, words, em, "center")
    half = 0.5 * text_width(rows.label) + PAD  # a long label is moved until no end is cut off
    middle = max(half, min(float(ends.mean()), ax.get_xlim()[1] - half))
    write_text(ax, middle, -down + LABEL, rows.label, em, "center")
    for j, text in enumerate(rows.caption_lines(ax.get_xlim()[1])):
        write_text(ax, PAD, -down + LABEL + LINE * (j + 1.1), text, em, "left")


def draw_texts(ax: "Axes", rows: Rows, scale_width: float, em: float) -> None:
    """Write the names, the columns and their heads."""
    base = 0.5 * ROW  # from the lower end of a row up to its interval
    for j, lines in enumerate(rows.lines):
        top = HEAD + rows.row_height * j
        middle = HEAD + rows.row_height * (j + 1) - base
        if rows.stacked:
            clear = {"facecolor": ax.get_facecolor(), "linewidth": 0, "pad": 0.3}
            for i, line in enumerate(lines):
                write_text(
                    ax, PAD, top + LINE * (i + 0.5) + BELOW_NAME, line, em, "left", bbox=clear
                )
        else:
            write_text(ax, rows.interval_start - PAD, middle, lines[0], em, "right")
    x = rows.interval_start + scale_width + PAD
    for (head, texts), width in zip(rows.columns, rows.column_widths, strict=True):
        write_text(ax, x, 0.5 * HEAD, head, em, "left")
        for j, words in enumerate(texts):
            write_text(ax, x, HEAD + rows.row_height * (j + 1) - base, words, em, "left")
        x += width


def draw_intervals(ax: "Axes", rows: Rows, scale_width: float, em: float) -> None:
    """Draw each interval with its estimate, and an arrow at each infinite end."""
    low, middle, high = (
        x_position(rows, x, scale_width) for x in (rows.low, rows.middle, rows.high)
    )
    style = {"color": ink(), "markeredgewidth": 0.0}
    for j in range(len(rows.names)):
        y = -(HEAD + rows.row_height * (j + 1) - 0.5 * ROW)
        ax.plot([low[j], high[j]], [y, y], linewidth=THICK * em, gid=f"model {j}", color=ink())
        ax.plot(middle[j], y, "o", markersize=DOT * em, **style)
        for end, marker, x in ((rows.low[j], "<", low[j]), (rows.high[j], ">", high[j])):
            if math.isinf(end):
                ax.plot(x, y, marker, markersize=DOT * em, gid=f"open {j} {marker}", **style)


@documented
def forest(
    result: Any,
    *,
    of: str = "auto",
    confidence_level: float = 0.95,
    simultaneous: bool | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw a forest plot: estimates or differences with their intervals.

    A solid line marks no difference, dashed lines the margins of a test. Numbers and p-values are
    shown beside the intervals; arrows mark unbounded intervals.

    Parameters
    ----------
    result : result with intervals, or several
        A test of two models, of all pairs or of all models, an interval or a leaderboard; or a
        mapping of names to such results, or a list of them. An omnibus test is stated below the
        models' estimates, which have intervals if the result contains them.
    of : {'auto', 'differences', 'models'}, default='auto'
        Differences between models, or each model's own estimate, the best on top. 'auto' shows
        differences if models were compared.
    simultaneous : bool, optional
        For pairs: whether all intervals cover simultaneously; by default where p-values are
        adjusted for several pairs.

    Returns
    -------
    matplotlib Axes
        Its x and y values are in units of the font size. In narrow axes, names are above their
        intervals.

    See Also
    --------
    leaderboard : Means with confidence sets of ranks.
    pvalue_matrix : For too many pairs for a forest plot.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> ax = fc.plots.forest(fc.delong_pairwise_test(data.y_true, data.scores))
    >>> ax.figure.savefig("picture.svg")  # doctest: +SKIP
    """
    check_axes(ax)
    check_choice("of", of, ("auto", "differences", "models"))
    level = check_level(confidence_level)
    is_simultaneous = None if simultaneous is None else check_flag("simultaneous", simultaneous)
    return draw_rows(forest_rows(result, of, level, is_simultaneous), ax)


def narrow_forest(
    result: Any,
    *,
    of: str = "auto",
    confidence_level: float = 0.95,
    simultaneous: bool | None = None,
) -> "Axes":
    """Draw what `forest` draws on new axes that are narrow enough for a part of a page."""
    return draw_narrow(forest_rows(result, of, confidence_level, simultaneous))


def forest_rows(result: Any, of: str, level: float, simultaneous: bool | None) -> Rows:
    """Return the rows of one result, or of several."""
    several = as_results(result)
    if several is None:
        return picture_rows(result_estimates(result, of, level, simultaneous))
    return picture_rows(several_estimates(several, of, level))


def picture_rows(estimates: Estimates) -> Rows:
    """Return the rows of a picture; what follows a semicolon in `interval` is beside the axis."""
    low, middle, high = estimates.intervals
    interval, semicolon, note = estimates.interval.partition(";")
    head = f"{estimates.measure} ({interval})" if interval else estimates.measure
    columns = [(head, interval_texts(low, middle, high))]
    if estimates.pvalues is not None:
        columns.append((estimates.head, [show_pvalue(p) for p in estimates.pvalues.tolist()]))
    return Rows(
        names=[tuple(clean_names(parts)) for parts in estimates.names],
        middle=middle,
        low=np.where(np.isnan(low), middle, low),
        high=np.where(np.isnan(high), middle, high),
        columns=columns,
        label=estimates.quantity + semicolon + note,
        statement=estimates.statement,
        null=estimates.null,
        marks=estimates.margins,
    )
