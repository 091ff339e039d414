"""The small real data set that ships with the package.

`scripts/make_predictions.py` made it and reproduces it.
"""

import csv
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", bound=np.generic)

BREAST_CANCER = """\
Breast Cancer Wisconsin (Diagnostic), as in scikit-learn: the probability of a malignant tumour \
that five classifiers, trained on the other 170 cases, give to 399 held-out ones. Each was fitted \
once, and DeLong's and McNemar's tests take the fitted models as given: they say whether these \
models differ on new cases, not whether the ways of training differ."""


@dataclass(frozen=True, eq=False)
class Predictions:
    """What several classifiers predict for the same cases.

    Attributes
    ----------
    y_true : ndarray of shape (n,)
        The labels, 0 and 1.
    scores : dict of str to ndarray of shape (n,)
        The scores of each model by its name.
    description : str
        Where the data come from.
    """

    y_true: NDArray[np.uint8]
    scores: dict[str, NDArray[np.float64]]
    description: str


def load_predictions() -> Predictions:
    """Return the predictions of five classifiers on one held-out test set.

    The cases are 399 tumours of Breast Cancer Wisconsin (Diagnostic) [1]_, 149 of them malignant,
    the positive class. The classifiers were trained on the 170 other cases, once each: tests that
    compare them condition on the fitted models.

    Returns
    -------
    Predictions
        With ``y_true``, ``scores`` (a dict from model name to probabilities), ``description``; the
        arrays are read-only.

    References
    ----------
    .. [1] W. N. Street, W. H. Wolberg, O. L. Mangasarian (1993), doi:10.1117/12.148698.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> list(data.scores)
    ['logistic_regression', 'naive_bayes', 'nearest_neighbours', 'decision_tree', 'random_forest']
    >>> data.y_true.size, int(data.y_true.sum())
    (399, 149)
    """
    header, *rows = csv.reader(predictions_file().read_text("ascii").splitlines())
    labels, *scores = np.array(rows, dtype=np.float64).T
    models = {name: frozen(column) for name, column in zip(header[1:], scores, strict=True)}
    return Predictions(frozen(labels.astype(np.uint8)), models, BREAST_CANCER)


def predictions_file() -> Traversable:
    """Return the file behind `load_predictions`, which need not lie in a file system."""
    return files(__package__) / "data" / "breast_cancer.csv"


def frozen(array: NDArray[Number]) -> NDArray[Number]:
    """Return a contiguous copy that cannot be written to."""
    copy = array.copy()
    copy.flags.writeable = False
    return copy
