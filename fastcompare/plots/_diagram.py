"""The critical-difference diagram: average ranks, and a bar for each clique, in units of ranks.

Where a model within the ranks of a bar is no member, the bar is broken there: `solid` has its
parts, `links` what joins them and stays clear of the model. Places are in em from the upper left.

CD = 1.25
|-------|
1   2   3   4      the axis of average ranks
+---+-+-+---+
| ======|=  |      a bar for each clique
A | |     C |
B-+ +-------D      names, the outermost first; half of them on each side
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from .._base.text import clean
from .._base.types import Vector
from .._inputs.options import check_choice, check_marks
from .._inputs.pictures import as_ranking, check_axes
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

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Span = tuple[float, float]


class Bar(NamedTuple):
    """Where the bar of a clique is drawn: its members, and outsiders with ranks between theirs.

    `solid` are the spans of its thick line, `links` those of the thin lines between them.
    """

    members: tuple[int, ...]
    outsiders: tuple[int, ...]
    solid: tuple[Span, ...]
    links: tuple[Span, ...]

    @property
    def span(self) -> Span:
        """The ranks from end to end."""
        (start, _), (_, end) = self.solid[0], self.solid[-1]
        return start, end


def clique_bars(cliques: Sequence[tuple[int, ...]], ranks: Vector, gap: float) -> list[Bar]:
    """Return the bars of cliques of two models and more, best first; `gap` is a small distance."""
    bars = [clique_bar(clique, ranks, gap) for clique in cliques if len(clique) > 1]
    return sorted(bars, key=lambda bar: bar.span)


def clique_bar(clique: tuple[int, ...], ranks: Vector, gap: float) -> Bar:
    """Return a clique's bar, from its first member to its last."""
    members = sorted(clique, key=lambda j: ranks[j])
    outside = np.setdiff1d(np.arange(ranks.size), members)
    low = ranks[members[0]]
    high = ranks[members[-1]]
    outsiders = outside[(ranks[outside] >= low) & (ranks[outside] <= high)]
    runs = unbroken_runs(ranks[members], ranks[outsiders])
    solid = tuple(widen_span(run, ranks[outside], gap) for run in runs)
    between = [(end, start) for (_, end), (start, _) in pairwise(solid)]
    links = tuple(link for span in between for link in clear_parts(span, ranks[outsiders], gap))
    return Bar(tuple(members), tuple(outsiders.tolist()), solid, links)


def unbroken_runs(members: Vector, outsiders: Vector) -> list[Span]:
    """Return the spans of ranks in which members follow each other with no outsider between them.

    `members` are in ascending order; members of equal rank are never parted.
    """
    runs = [[float(members[0])]]
    for previous, rank in pairwise(members):
        if rank > previous and ((outsiders >= previous) & (outsiders <= rank)).any():
            runs.append([])
        runs[-1].append(float(rank))
    return [(run[0], run[-1]) for run in runs]


def widen_span(run: Span, outside: Vector, gap: float) -> Span:
    """Return the span, widened if it is of a single rank, but not up to the rank of an outsider.

    By half of `gap` at most, or a third of the way to the next outsider.
    """
    low, high = run
    if low < high:
        return run
    below = outside[outside <= low]
    above = outside[outside >= high]
    free_below = low - below.max() if below.size else math.inf
    free_above = above.min() - high if above.size else math.inf
    return low - min(gap / 2, free_below / 3), high + min(gap / 2, free_above / 3)


def clear_parts(span: Span, outsiders: Vector, gap: float) -> Iterator[Span]:
    """Yield the parts of a span that are at least `gap` away from the ranks of outsiders."""
    start, end = span
    for rank in np.sort(outsiders[(outsiders > start) & (outsiders < end)]).tolist():
        if rank - gap > start:
            yield start, rank - gap
        start = max(start, rank + gap)
    if end > start:
        yield start, end


def bar_levels(bars: Sequence[Bar], gap: float) -> list[int]:
    """Return a level for each bar: the first on which it is `gap` away from all bars before it."""
    end_of_level: list[float] = []
    levels = []
    for bar in bars:
        start, end = bar.span
        has_room = (i for i, last in enumerate(end_of_level) if last + gap <= start)
        level = next(has_room, len(end_of_level))
        end_of_level[level : level + 1] = [end]  # appended where the level is new
        levels.append(level)
    return levels


ROW, LEVEL = 1.5, 0.65  # from one name, from one bar to the next
PAD = 0.6  # between a name and the border, between a name and its line
LEAST, USUAL, MOST, PER_RANK = 12.0, 26.0, 60.0, 1.5  # lengths of the axis
CD_TEXT, CD_LINE, CD_HEIGHT = 1.0, 2.1, 2.2  # what is above the axis where there is a CD
AXIS, TICK, TICK_TEXT = 2.2, 0.4, 1.1
BARS, NAMES, NOTES = 0.9, 1.4, 1.6  # from what is above to the first of each
NOTE_SIZE = 0.85
BAR_GAP = 0.5
NAMED = 3  # groups that the note lists


@dataclass(frozen=True)
class Ranking:
    """The content of a diagram: models with average ranks, cliques (of indices), and the CD."""

    names: Sequence[str]
    ranks: Vector
    cliques: Sequence[tuple[int, ...]]
    critical_difference: float | None
    best: str
    control: str | None = None
    caption: str = ""
    single: bool = False  # whether all names stand on the left

    @property
    def k(self) -> int:
        """The number of models."""
        return self.ranks.size

    @property
    def cd(self) -> float:
        """The CD, 0 without one."""
        return self.critical_difference or 0.0

    @property
    def cd_text(self) -> str:
        """The text above the bar of the critical difference (CD)."""
        return f"CD = {self.cd:.4g}"

    @cached_property
    def sides(self) -> tuple[list[int], list[int]]:
        """The models with names on the left and on the right, each the outermost first."""
        order = np.argsort(self.ranks, kind="stable").tolist()
        if self.best == "right":
            order.reverse()
        n_first = self.k if self.single else (self.k + 1) // 2
        return order[:n_first], order[n_first:][::-1]

    @cached_property
    def margins(self) -> tuple[float, float]:
        """The widths of the names on the left and on the right, with what is around them."""
        beside = 3 * PAD + self.number_width
        left_margin, right_margin = (
            widest(self.names[j] for j in side) + beside for side in self.sides
        )
        return left_margin, (3 * PAD if self.single else right_margin)

    @cached_property
    def numbers(self) -> list[str]:
        """The average ranks as texts with two decimals."""
        return [f"{rank:.2f}" for rank in self.ranks.tolist()]

    @cached_property
    def number_width(self) -> float:
        """The width of the widest average rank as a text."""
        return widest(self.numbers)

    def width(self, axis: float = 0.0) -> float:
        """Return the width of a diagram whose axis has this length, by default the usual one."""
        axis = axis or float(np.clip(PER_RANK * (self.k - 1), USUAL, MOST))
        left_margin, right_margin = self.margins
        cd_text_width = text_width(self.cd_text) if self.cd else 0.0
        cd_width = max(axis * self.cd / (self.k - 1), cd_text_width)  # may be longer than the axis
        return left_margin + max(axis + right_margin, cd_width + PAD)


@dataclass(frozen=True)
class Layout:
    """The places of all parts of a diagram of a given width, in em from the upper left."""

    ranking: Ranking
    width: float

    @cached_property
    def per_rank(self) -> float:
        """The distance of two ranks that differ by 1."""
        ranking = self.ranking
        left_margin, right_margin = ranking.margins
        lengths = [(self.width - left_margin - right_margin) / (ranking.k - 1)]
        if ranking.cd:
            lengths.append((self.width - left_margin - PAD) / ranking.cd)
        return min(lengths)

    @property
    def axis_ends(self) -> tuple[float, float]:
        """The x coordinates, in em, of both ends of the axis."""
        start, _ = self.ranking.margins
        return start, start + self.per_rank * (self.ranking.k - 1)

    def rank_at(self, x: float) -> float:
        """Return the rank that belongs to a distance from the left border."""
        start, _ = self.axis_ends
        n_ranks = (x - start) / self.per_rank  # from the left end of the axis on
        return 1.0 + n_ranks if self.ranking.best == "left" else self.ranking.k - n_ranks

    @property
    def axis(self) -> float:
        """How far down the axis is."""
        return AXIS + (CD_HEIGHT if self.ranking.cd else 0.0)

    @cached_property
    def bars(self) -> list[Bar]:
        """The bars of the cliques."""
        ranking = self.ranking
        return clique_bars(ranking.cliques, ranking.ranks, BAR_GAP / self.per_rank)

    @cached_property
    def bar_heights(self) -> list[float]:
        """How far down each bar is."""
        levels = bar_levels(self.bars, BAR_GAP / self.per_rank)
        return [self.axis + BARS + LEVEL * level for level in levels]

    def name_height(self, row: int) -> float:
        """Return how far down the names of a row are."""
        return max([self.axis, *self.bar_heights]) + NAMES + ROW * row

    @cached_property
    def notes(self) -> list[str]:
        """The lines below the diagram: what was tested, and what broken bars or a control mean."""
        ranking = self.ranking
        if ranking.control is None:
            words = broken_note(self.bars, ranking.names)
        else:  # the only clique: the control, and the models that do not differ from it
            words = control_note(ranking.control, ranking.cliques[0])
        width = (self.width - 2 * PAD) / NOTE_SIZE
        return [*wrap_text(ranking.caption, width), *wrap_text(words, width)]

    def note_height(self, line: int) -> float:
        """Return how far down a line of the note is."""
        return self.name_height(len(self.ranking.sides[0]) - 1) + NOTES + NOTE_SIZE * LINE * line

    @property
    def height(self) -> float:
        """The height of the diagram."""
        last_name = self.name_height(len(self.ranking.sides[0]) - 1)
        return 2 * PAD + (self.note_height(len(self.notes) - 1) if self.notes else last_name)

    @property
    def ticks(self) -> tuple[list[int], list[int]]:
        """The ranks with a tick, and those whose number is written: as many as there is room."""
        k = self.ranking.k
        room = (text_width(str(k)) + 0.8) / self.per_rank
        multiple_of_10 = 10 * max(1, round(room / 10 + 0.5))
        step = next((s for s in (1, 2, 5) if s >= room), multiple_of_10)
        inner = [r for r in range(step, k, step) if r - 1 >= room and k - r >= room]
        return list(range(1, k + 1)), [1, *inner, k]


def control_note(control: str, group: tuple[int, ...]) -> str:
    """Return the note on the bar where only pairs with a control are tested."""
    if len(group) == 1:
        return f"All models differ significantly from {control}."
    return f"The bar joins {control} with the models that do not differ significantly from it."


def broken_note(bars: Sequence[Bar], names: Sequence[str]) -> str:
    """Return the note on broken bars: which groups have models between them that are not members.

    "" if no bar is broken.
    """
    broken = [bar for bar in bars if bar.outsiders]
    if not broken:
        return ""
    groups = [
        f"{join_names(names, bar.members)} without {join_names(names, bar.outsiders)}"
        for bar in broken[:NAMED]
    ]
    more = f"; and {len(broken) - NAMED} more" if len(broken) > NAMED else ""
    return (
        "A broken bar skips models that differ significantly from one of its group: "
        f"{'; '.join(groups)}{more}."
    )


def join_names(names: Sequence[str], chosen: Sequence[int]) -> str:
    """Return the chosen names as "a, b and c"."""
    *all_but_last, last = (names[j] for j in chosen)
    return f"{', '.join(all_but_last)} and {last}" if all_but_last else last


THIN, THICK, FINE = 0.08, 0.32, 0.1  # em


def critical_difference(
    result: Any, *, ax: "Axes | None" = None, best: Literal["left", "right"] = "right"
) -> "Axes":
    """Draw a critical difference diagram of the models' average ranks.

    Average ranks are shown beside the names, the test and its level below. A bar joins the models
    of a clique, which do not differ significantly [1]_. If a model between them is not a member, as
    is possible with pairwise tests, the bar is broken there and a note names the group. With a
    control, the bar joins it with the models that do not differ significantly from it.

    Parameters
    ----------
    result : result of a post-hoc test
        From `nemenyi_test`, `friedman_pairwise_test`, `control_test` or another test with
        ``average_ranks`` and ``cliques``; or ``posthoc`` of `compare_datasets`.
    ax : matplotlib Axes, optional
        Axes to draw on; the font shrinks until everything fits, and if it would be too small to
        read, all names are on the left. By default a new figure, large enough for all names.
    best : {"right", "left"}, default="right"
        The side of rank 1.

    Returns
    -------
    matplotlib Axes
        Its x values are ranks.

    See Also
    --------
    pvalue_matrix : The p-values of all pairs.
    rank_distribution : The distribution of the ranks of each model.

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
    ranked = as_ranking(result)
    check_marks(len(ranked.names))
    names = clean_names(ranked.names)
    control = None if ranked.control is None else clean(ranked.control)
    ranks = ranked.ranks, ranked.cliques, ranked.critical_difference
    ranking = Ranking(names, *ranks, best=best, control=control, caption=ranked.caption)
    if ax is None:
        width = ranking.width()
        ax = new_axes(width, Layout(ranking, width).height)
    layout, em = fit_layout(ranking, *axes_size(ax))
    if em < READABLE:
        one_column, em_of_one_column = fit_layout(replace(ranking, single=True), *axes_size(ax))
        if em_of_one_column > em:
            layout, em = one_column, em_of_one_column

    _, height = axes_size(ax)
    ends = [layout.rank_at(x) for x in (0.0, layout.width)]
    ax.set(xlim=ends, ylim=(-height / em, 0.0))
    ax.set_axis_off()
    draw_axis(ax, layout, em)
    draw_names(ax, layout, em)
    draw_bars(ax, layout, em)
    draw_note(ax, layout, em)
    return ax


def fit_layout(ranking: Ranking, width: float, height: float) -> tuple[Layout, float]:
    """Return the layout for this many points, and the size of its font."""
    em = min(font_size(), width / ranking.width(LEAST))
    layout = Layout(ranking, width / em)
    if layout.height * em > height:
        em = height / layout.height
        layout = Layout(ranking, width / em)
    return layout, em


def draw_axis(ax: "Axes", layout: Layout, em: float) -> None:
    """Draw the axis with its ticks, and above it the CD where there is one."""
    ranking = layout.ranking
    marks, written = layout.ticks
    draw_line(ax, [1, ranking.k], layout.axis, THIN * em)
    ax.vlines(marks, -layout.axis, TICK - layout.axis, color=ink(), linewidth=THIN * em)
    for rank in written:
        write_text(ax, rank, layout.axis - TICK_TEXT, str(rank), em, side="center")
    if ranking.cd:
        start, _ = layout.axis_ends
        low = layout.rank_at(start)
        high = layout.rank_at(start + ranking.cd * layout.per_rank)
        write_text(ax, low, CD_TEXT, ranking.cd_text, em, side="left")
        draw_line(ax, [low, high], CD_LINE, THIN * em)
        for end in (low, high):
            draw_line(ax, [end, end], [CD_LINE - TICK / 2, CD_LINE + TICK / 2], THIN * em)


def draw_names(ax: "Axes", layout: Layout, em: float) -> None:
    """Write the names and average ranks, and join each with its place on the axis."""
    ranking = layout.ranking
    start, end = layout.axis_ends
    beyond = ranking.number_width + 2 * PAD  # a name stands beyond its rank
    left_models, right_models = ranking.sides
    columns = (
        (left_models, start - PAD, start - beyond, start - PAD / 2, "right"),
        (right_models, end + PAD, end + beyond, end + PAD / 2, "left"),
    )
    for models, number_at, name_at, line_to, side in columns:
        for row, j in enumerate(models):
            rank = ranking.ranks[j]
            height = layout.name_height(row)
            elbow = [layout.axis, height, height]
            draw_line(ax, [rank, rank, layout.rank_at(line_to)], elbow, THIN * em, gid=f"model {j}")
            write_text(ax, layout.rank_at(name_at), height, ranking.names[j], em, side=side)
            write_text(ax, layout.rank_at(number_at), height, ranking.numbers[j], em, side=side)


def draw_bars(ax: "Axes", layout: Layout, em: float) -> None:
    """Draw the bars of the cliques."""
    for i, (bar, height) in enumerate(zip(layout.bars, layout.bar_heights, strict=True)):
        for span in bar.solid:
            draw_line(ax, span, height, THICK * em, gid=f"clique {i}", solid_capstyle="butt")
        for span in bar.links:
            draw_line(ax, span, height, FINE * em, gid=f"link {i}", linestyle=":")


def draw_note(ax: "Axes", layout: Layout, em: float) -> None:
    """Write the note."""
    for i, words in enumerate(layout.notes):
        write_text(
            ax, layout.rank_at(PAD), layout.note_height(i), words, NOTE_SIZE * em, side="left"
        )


def draw_line(ax: "Axes", x: Any, down: Any, width: float, **style: Any) -> None:
    """Draw a line through the ranks `x`, `down` em below the upper border."""
    depth = np.broadcast_to(np.negative(down), np.shape(x))
    ax.plot(x, depth, color=ink(), linewidth=width, **style)
