"""What the corrections of tests of mean scores gain and cost: level, power and silent power.

    python -m studies.item_corrections [--trials 1000] [--jobs 2] [--write]

Every cell is a shape of `studies.promise` for two models, items or right and wrong answers. Shares
of data sets in which the models are found to differ at the 5% level are shown, and after a slash
those of which no warning came: by the t-test with the CR2 standard error (Student's t where items
are independent), by the default, which corrects it (Hall's cubic where scores are skewed, a score
test where they have two values or differ rarely, a larger variance of answers in clusters or with
weights), and by sign flips, which are exact where models are exchangeable. First of equal models,
then of models that differ by 2.8 standard errors.
"""

import warnings

import numpy as np

import fastcompare as fc

from .promise import CELLS as PROMISED
from .promise import GAIN, label
from .tables import markdown, percent, run

METHODS = ("t", "auto", "sign-flip")
HEADS = ("shape, n", *(f"{kind}: {name}" for kind in ("equal", "better") for name in METHODS))
CELLS = [cell for cell in PROMISED if cell.k == 2 and cell.world.kind in ("items", "labels")]


def scores_of(drawn, kind):
    """Return the scores of both models; of labels, whether they are right."""
    *truth, columns = drawn.args
    if kind == "items":
        return tuple(columns.values())
    return tuple(1.0 * (column == truth[0]) for column in columns.values())


def measure(cell, *, trials):
    """Return the shares found and found in silence (2, tests, 2) of equal and of better models."""
    found = np.zeros((2, len(METHODS), 2))
    for better, gain in enumerate((0.0, GAIN[cell.k])):
        rng = np.random.default_rng([*map(ord, label(cell)), better])
        for _ in range(trials):
            drawn = cell.world.draw(rng, cell.n, cell.k, gain)
            links = {x: drawn.options[x] for x in ("groups", "sample_weight") if x in drawn.options}
            scores = scores_of(drawn, cell.world.kind)
            for row, method in zip(found[better], METHODS, strict=True):
                draws = {"n_resamples": 999, "rng": 0} if method == "sign-flip" else {}
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always", fc.SmallSampleWarning)
                    result = fc.paired_mean_test(*scores, method=method, **links, **draws)
                row += np.array([1.0, not caught]) * (result.pvalue <= 0.05)
    return found / trials


def show(cells, found):
    """Return the table in per cent."""
    rows = [
        (label(cell), *(f"{percent(a)} / {percent(b)}" for a, b in shares.reshape(-1, 2)))
        for cell, shares in zip(cells, found, strict=True)
    ]
    return markdown(HEADS, rows)


if __name__ == "__main__":
    run("item_corrections", "evidence/corrections.md", CELLS, measure, show, trials=1_000)
