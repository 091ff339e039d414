"""The critical-difference diagram: average ranks, and which differ too little to tell apart."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .._base.text import clean
from .._inputs.costs import check_drawn
from .._inputs.options import check_choice
from .._inputs.rankings import as_ranking, check_axes
from ._canvas import LITERAL, READABLE, cleaned, font_size, new_axes, size_of
from ._layout import CD_LINE, CD_TEXT, NOTE_SIZE, PAD, TICK, TICK_TEXT, Layout, Ranking
from ._theme import ink

if TYPE_CHECKING:
    from matplotlib.axes import Axes

THIN, THICK, FINE = 0.08, 0.32, 0.1  # em


def critical_difference(
    result: Any, *, ax: "Axes | None" = None, best: Literal["left", "right"] = "right"
) -> "Axes":
    """Draw the average ranks of models, and join those that do not differ significantly.

    Average ranks stand beside the names, and below them which test joins at which level. A bar
    joins the models of a clique [1]_, from the first to the last. Where a model between them is no
    member, which tests of pairs allow, the bar is broken there and a note names the group. With a
    control, the bar joins it and the models that do not differ significantly from it.

    Parameters
    ----------
    result : result of a post-hoc test
        With ``names``, ``average_ranks``, ``cliques`` and perhaps a ``critical_difference``: of
        `nemenyi_test`, `friedman_pairwise_test`, `control_test` and others; ``posthoc`` of
        `compare_datasets`.
    ax : matplotlib Axes, optional
        Where to draw; the font shrinks until all fits, and where it would be too small to read, all
        names stand on the left. By default a new figure, large enough for
        the number of models and the lengths of their names.
    best : {"right", "left"}, default="right"
        The side of rank 1.

    Returns
    -------
    matplotlib Axes
        Its x values are ranks.

    See Also
    --------
    pvalue_matrix : The p-values of all pairs.
    rank_distribution : How the ranks of each model spread.

    References
    ----------
    .. [1] J. Demšar (2006), Statistical comparisons of classifiers over multiple data sets, Journal
       of Machine Learning Research 7.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.nemenyi_test(fc.load_dataset_scores().scores)
    >>> ax = fc.plots.critical_difference(result)
    >>> ax.figure.savefig("picture.svg")  # doctest: +SKIP
    """
    check_axes(ax)
    check_choice("best", best, ("left", "right"))
    found = as_ranking(result)
    check_drawn(len(found.names))
    names, control = cleaned(found.names), None if found.control is None else clean(found.control)
    known = found.ranks, found.cliques, found.critical_difference
    ranking = Ranking(names, *known, best=best, control=control, caption=found.caption)
    if ax is None:
        width = ranking.width()
        ax = new_axes(width, Layout(ranking, width).height)
    layout, em = fitted(ranking, *size_of(ax))
    if em < READABLE:
        layout, em = max(
            (layout, em),
            fitted(replace(ranking, single=True), *size_of(ax)),
            key=lambda found: found[1],
        )

    ends = [layout.rank_at(x) for x in (0.0, layout.width)]
    ax.set(xlim=ends, ylim=(-size_of(ax)[1] / em, 0.0))
    ax.set_axis_off()
    draw_axis(ax, layout, em)
    draw_names(ax, layout, em)
    draw_bars(ax, layout, em)
    draw_note(ax, layout, em)
    return ax


def fitted(ranking: Ranking, width: float, height: float) -> tuple[Layout, float]:
    """Return the layout for this many points, and the size of its font."""
    em = min(font_size(), width / ranking.least_width)
    layout = Layout(ranking, width / em)
    if layout.height * em > height:
        em = height / layout.height
        layout = Layout(ranking, width / em)
    return layout, em


def draw_axis(ax: "Axes", layout: Layout, em: float) -> None:
    """Draw the axis with its ticks, and above it the CD where there is one."""
    ranking = layout.ranking
    marks, written = layout.ticks
    line(ax, [1, ranking.k], layout.axis, THIN * em)
    ax.vlines(marks, -layout.axis, TICK - layout.axis, color=ink(), linewidth=THIN * em)
    for rank in written:
        text(ax, rank, layout.axis - TICK_TEXT, str(rank), size=em, ha="center")
    if ranking.cd:
        start = layout.axis_ends[0]
        left, right = layout.rank_at(start), layout.rank_at(start + ranking.cd * layout.per_rank)
        text(ax, left, CD_TEXT, ranking.cd_text, size=em, ha="left")
        line(ax, [left, right], CD_LINE, THIN * em)
        for end in (left, right):
            line(ax, [end, end], [CD_LINE - TICK / 2, CD_LINE + TICK / 2], THIN * em)


def draw_names(ax: "Axes", layout: Layout, em: float) -> None:
    """Write the names and average ranks, and join each with its place on the axis."""
    ranking = layout.ranking
    left, end = layout.axis_ends
    beyond = ranking.number + 2 * PAD  # a name stands beyond its rank
    columns = (
        (ranking.sides[0], left - PAD, left - beyond, left - PAD / 2, "right"),
        (ranking.sides[1], end + PAD, end + beyond, end + PAD / 2, "left"),
    )
    for models, number_at, name_at, line_to, side in columns:
        for row, j in enumerate(models):
            rank, height = ranking.ranks[j], layout.name_height(row)
            elbow = [layout.axis, height, height]
            line(ax, [rank, rank, layout.rank_at(line_to)], elbow, THIN * em, gid=f"model {j}")
            text(ax, layout.rank_at(name_at), height, ranking.names[j], size=em, ha=side)
            text(ax, layout.rank_at(number_at), height, ranking.numbers[j], size=em, ha=side)


def draw_bars(ax: "Axes", layout: Layout, em: float) -> None:
    """Draw the bars of the cliques."""
    for i, (bar, height) in enumerate(zip(layout.bars, layout.bar_heights, strict=True)):
        for span in bar.solid:
            line(ax, span, height, THICK * em, gid=f"clique {i}", solid_capstyle="butt")
        for span in bar.links:
            line(ax, span, height, FINE * em, gid=f"link {i}", linestyle=":")


def draw_note(ax: "Axes", layout: Layout, em: float) -> None:
    """Write the note."""
    for i, words in enumerate(layout.notes):
        text(ax, layout.rank_at(PAD), layout.note_height(i), words, size=NOTE_SIZE * em, ha="left")


def line(ax: "Axes", x: Any, down: Any, width: float, **style: Any) -> None:
    """Draw a line through ranks `x`, so many em down."""
    depth = np.broadcast_to(np.negative(down), np.shape(x))
    ax.plot(x, depth, color=ink(), linewidth=width, **style)


def text(ax: "Axes", x: float, down: float, words: str, *, size: float, ha: Any) -> None:
    """Write words whose middle is so many em down."""
    ax.text(x, -down, words, fontsize=size, ha=ha, va="center_baseline", **LITERAL)
