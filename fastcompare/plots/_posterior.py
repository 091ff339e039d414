"""Posteriors of Bayesian comparisons of two models: a density with its rope, or draws as points."""

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.documented import documented
from .._base.types import Matrix, Vector
from .._inputs.pictures import check_axes, refuse_picture
from ._canvas import COLORS, INK, Key, clean_names, draw_key, keyed_axes, names_of_two

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS, REACH = 400, 4.0  # of a density; how many scales from its middle it is drawn
DRAWS, MOST_WEIGHTS = 2000, 10**7  # points of a cloud; weights that are drawn for it
SIDE = 24.0  # em
WITH_PROBABILITIES = "bayes_correlated_ttest, bayes_sign or bayes_signed_rank"
PARTS: tuple[Any, ...] = (  # the first better, equivalent, the second better
    {"facecolor": COLORS[0], "hatch": "////"},
    {"facecolor": "0.85"},
    {"facecolor": COLORS[1], "hatch": "...."},
)
MARKS = ("^", "o", "s")
CORNERS = np.array([[0.0, 0.0], [0.5, 0.75**0.5], [1.0, 0.0]])  # first, rope, second
DIRICHLET_PRIOR = 1.0  # of `bayes_sign`: data sets on which the models are equivalent


@documented
def posterior(result: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the posterior of a Bayesian comparison of two models.

    For scores of rounds, the density of the mean difference is divided at the ends of the region of
    practical equivalence. For scores on data sets, up to 2,000 draws from the posterior are points
    in a triangle: the closer to a corner, the larger the proportion of data sets with that outcome.
    Lines separate the regions in which each outcome is the most frequent.

    Parameters
    ----------
    result : BayesTResult, BayesSignResult or BayesSignedRankResult
        Of `bayes_correlated_ttest`, `bayes_sign` or `bayes_signed_rank`.

    Returns
    -------
    matplotlib Axes
        The legend below has the three probabilities.

    References
    ----------
    .. [1] A. Benavoli, G. Corani, J. Demšar, M. Zaffalon (2017), Journal of Machine Learning
       Research 18(77), 1-36.

    Examples
    --------
    >>> import fastcompare as fc
    >>> d = [.05, .02, .03, .04, .02, .06, .03, .005, 0, -.02]
    >>> ax = fc.plots.posterior(fc.bayes_sign(d))
    >>> ax.figure.savefig("picture.svg")  # doctest: +SKIP
    """
    check_axes(ax)
    if not hasattr(result, "probability_rope"):
        refuse_picture(result, "probabilities of three outcomes", WITH_PROBABILITIES)
    return draw_density(result, ax) if hasattr(result, "scale") else draw_cloud(result, ax)


def posterior_axes(result: Any, ax: "Axes | None", height: float) -> tuple["Axes", Key]:
    """Return the axes and their key: who is better, with probabilities."""
    first, second = names_of_two(result)
    names = clean_names(
        [f"{first} better", f"equivalent, within {result.rope:g}", f"{second} better"]
    )
    chances = (result.probability_a, result.probability_rope, result.probability_b)
    details = [f"{p:.3f}" for p in chances]
    return keyed_axes(ax, names, details, "probability", width=SIDE, height=height)


def draw_density(result: Any, ax: "Axes | None") -> "Axes":
    """Draw the density of the mean difference in its three parts."""
    from matplotlib.patches import Patch

    ax, key = posterior_axes(result, ax, 0.6 * SIDE)
    middle, scale, rope = result.estimate, result.scale, result.rope
    half_width = REACH * scale if scale > 0.0 else max(2.0 * rope, 1.0)
    low = min(middle - half_width, -1.5 * rope)
    high = max(middle + half_width, 1.5 * rope)
    cuts = [low, -rope, rope, high]
    # from left to right: differences below 0 say that the second model is better
    parts = PARTS[::-1] if result.higher_is_better else PARTS
    for (start, end), style in zip(pairwise(cuts), parts, strict=True):
        x = np.linspace(start, end, POINTS)
        density = student_density((x - middle) / scale, result.df) / scale if scale else 0.0 * x
        ax.fill_between(x, density, edgecolor=INK, linewidth=0.6, **style)
    for end in (-rope, rope):
        ax.axvline(end, color=INK, linewidth=0.8, linestyle=(0, (5, 3)), gid="rope")
    ax.set(xlim=(low, high), ylim=(0.0, None), yticks=[])
    ax.set(xlabel="Mean difference, first minus second", ylabel="Density")
    draw_key(ax, key, [Patch(edgecolor=INK, **style) for style in PARTS])
    return ax


def student_density(t: Vector, df: float) -> Vector:
    """Return the density of Student's t distribution."""
    from math import exp, lgamma, log, pi

    factor = lgamma(0.5 * (df + 1.0)) - lgamma(0.5 * df) - 0.5 * log(df * pi)
    return exp(factor) * np.asarray((1.0 + t * t / df) ** (-0.5 * (df + 1.0)))


def draw_cloud(result: Any, ax: "Axes | None") -> "Axes":
    """Draw the posterior draws of the shares of three outcomes as points in a triangle."""
    ax, key = posterior_axes(result, ax, SIDE * CORNERS[1, 1])
    ax.set_aspect("equal", anchor="SW")
    ax.set_axis_off()
    shares = sign_shares(result) if hasattr(result, "n_rope") else signed_rank_shares(result)
    points = shares @ CORNERS
    most_frequent = np.argmax(shares, axis=1)
    handles = []
    for outcome, (style, mark) in enumerate(zip(PARTS, MARKS, strict=True)):
        color = style["facecolor"] if outcome != 1 else "0.55"  # equivalence: a darker grey
        x, y = points[most_frequent == outcome].T
        handles += ax.plot(x, y, mark, color=color, ms=3, alpha=0.4, mew=0, gid=f"draws {outcome}")
    ax.plot(*CORNERS[[0, 1, 2, 0]].T, color=INK, linewidth=1)
    middle = CORNERS.mean(axis=0)
    for j in range(3):  # from the middle of the triangle to the middle of each side
        border = (CORNERS[j] + CORNERS[(j + 1) % 3]) / 2
        ax.plot(*np.transpose([middle, border]), color=INK, linewidth=0.8, linestyle=(0, (5, 3)))
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, CORNERS[1, 1] + 0.02))
    ax.apply_aspect()
    draw_key(ax, key, [opaque_mark(handle) for handle in handles])
    return ax


def opaque_mark(handle: Any) -> Any:
    """Return a mark for the legend in the colour and shape of translucent points, but opaque."""
    from matplotlib.lines import Line2D

    style = {"color": handle.get_color(), "marker": handle.get_marker(), "linestyle": "none"}
    return Line2D([], [], markeredgewidth=0, markersize=6, **style)


def sign_shares(result: Any) -> Matrix:
    """Return draws of the shares of data sets: the first better, equivalent, the second better.

    They are Dirichlet distributed: gamma variables over their sum.
    """
    counts = (result.n_a, result.n_rope + DIRICHLET_PRIOR, result.n_b)
    gammas = np.random.default_rng(0).standard_gamma(counts, (DRAWS, 3))
    return np.asarray(gammas / gammas.sum(axis=1, keepdims=True))


def signed_rank_shares(result: Any) -> Matrix:
    """Return draws of the shares of three outcomes among Walsh averages: (draws, 3).

    The average of data sets i and j weighs w_i w_j, with Dirichlet weights w: of a half for the
    prior's pseudo-observation, of 1 for all others. In order of size, the averages with i are below
    the region for all j before `stops`, and above it from `starts` on.
    """
    stops, starts = result._bounds.region_edges()
    rng = np.random.default_rng(0)
    n = stops.size
    n_draws = max(1, min(DRAWS, MOST_WEIGHTS // n))
    weights = rng.standard_exponential((n_draws, n))
    weights[:, result._bounds.prior] = 0.5 * rng.standard_normal(n_draws) ** 2  # gamma of shape 1/2
    weights /= weights.sum(axis=1, keepdims=True)
    cumulative = np.concatenate((np.zeros((n_draws, 1)), np.cumsum(weights, axis=1)), axis=1)
    below = (weights * cumulative[:, stops]).sum(axis=1)
    above = (weights * (cumulative[:, -1:] - cumulative[:, starts])).sum(axis=1)
    if result._signs_reversed == result.higher_is_better:
        above, below = below, above
    return np.column_stack((above, 1.0 - above - below, below))
