"""Draw README's picture, docs/picture.svg, of the predictions that ship with the package.

    python scripts/make_picture.py

It stands on white, so that it can be read on light and on dark pages.
"""

from pathlib import Path

import matplotlib

import fastcompare as fc

PICTURE = Path(__file__).parents[1] / "docs/picture.svg"


def main() -> None:
    """Draw the differences of all pairs of five classifiers, with intervals and p-values."""
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "fastcompare"  # the same names in each run
    data = fc.load_predictions()
    axes = fc.plots.forest(fc.delong_pairwise_test(data.y_true, data.scores))
    axes.figure.savefig(PICTURE, facecolor="white", metadata={"Date": None})


if __name__ == "__main__":
    main()
