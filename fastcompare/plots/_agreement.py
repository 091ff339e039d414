"""How often two models of several give different answers, as a heat map: the darker, the less."""

from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.documented import documented
from .._inputs.pictures import refuse_picture
from .._inputs.rankings import check_axes
from ._canvas import cleaned
from ._matrix import UNDEFINED, Shades, draw_triangle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHARES = Shades(
    (0.02, 0.05, 0.1, 0.2),
    {
        "< 2 %": {"facecolor": "0.15"},
        "< 5 %": {"facecolor": "0.4"},
        "< 10 %": {"facecolor": "0.65"},
        "< 20 %": {"facecolor": "0.85"},
        "\u2265 20 %": {"facecolor": "white"},
        UNDEFINED: {"facecolor": "white", "hatch": "////"},
    },
    0.05,
    lambda share: f"{100.0 * share:.1f}",
)
CAPTION = "Percent of cases that one of two models gets right and the other wrong"


@documented
def agreement_map(result: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Draw how many of the cases all pairs of models disagree on, as a heat map.

    Parameters
    ----------
    result : AgreementMatrixResult
        Of `agreement_matrix`. The most accurate model stands first.

    Returns
    -------
    matplotlib Axes
        With a cell for each pair, the darker the more alike; up to 15 models, the percentage is
        written in it. In given axes, which may be narrow, columns are numbered.

    See Also
    --------
    mosaic : The table of two models.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> labels = {name: score > 0.5 for name, score in data.scores.items()}
    >>> ax = fc.plots.agreement_map(fc.agreement_matrix(data.y_true, labels))
    >>> ax.figure.savefig("picture.svg")  # doctest: +SKIP
    """
    check_axes(ax)
    if not hasattr(result, "disagreement") or np.ndim(result.disagreement) != 2:
        refuse_picture(result, "the disagreement of all pairs", "agreement_matrix")
    if len(result.names) < 2:
        refuse_picture(result, "two models or more", "agreement_matrix of several models")
    order = np.argsort(-result.accuracy, kind="stable")
    names = cleaned(result.names[j] for j in order)
    shares = np.asarray(result.disagreement)[np.ix_(order, order)]
    return draw_triangle(names, shares, CAPTION, SHARES, ax)
