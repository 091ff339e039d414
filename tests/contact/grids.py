"""Long tables of each combination of models, data sets and rounds."""

from itertools import product

import numpy as np

SETS = [f"d{i:02d}" for i in range(12)]
MODELS = ["gp", "rf", "svm"]
KEYS = {"dataset": np.repeat(SETS, 3), "model": np.tile(MODELS, 12)}


def grid(**levels):
    """Return a table with a row for each combination of these levels."""
    return dict(
        zip(levels, map(np.array, zip(*product(*levels.values()), strict=True)), strict=True)
    )
