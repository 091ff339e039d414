"""The small real data sets that ship with the package.

Scripts made them and reproduce them: `make_predictions`, `make_fold_scores`, `make_dataset_scores`.
"""

from __future__ import annotations

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

FOLDS = """\
Breast Cancer Wisconsin (Diagnostic), as in scikit-learn: the accuracies of five classifiers in \
ten times ten folds of its 569 cases, stratified, the same for all. Rounds share training cases, \
so they are not independent: tests need n_train and n_test."""
N_TRAIN, N_TEST = 512.1, 56.9  # means of the rounds

DATASET_SCORES = """\
Accuracies of eight classifiers on sixteen tasks made of the data that scikit-learn carries (iris, \
wine, breast cancer, digits, and diabetes with its target cut at the median): the share of cases \
labelled right in a stratified 10-fold cross-validation. Some tasks share cases: iris_sepals with \
iris, wine_first_six with wine, the breast_cancer ones with each other, all tasks of digits with \
digits and digits_even_odd. Tests of many data sets take the rows as independent, which these are \
not: the table shows how they work, not which classifier is best."""


@dataclass(frozen=True, eq=False)
class Predictions:
    """Predictions of several classifiers for the same cases.

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


@dataclass(frozen=True, eq=False)
class FoldScores:
    """Scores of several classifiers in the same rounds.

    Attributes
    ----------
    scores : dict of str to ndarray of shape (J,)
        The scores of each model by its name, in the order of the rounds.
    n_train, n_test : float
        Mean numbers of training and test cases per round.
    description : str
        Where the scores come from.
    """

    scores: dict[str, NDArray[np.float64]]
    n_train: float
    n_test: float
    description: str


@dataclass(frozen=True, eq=False)
class DatasetScores:
    """Scores of several classifiers on several data sets.

    Attributes
    ----------
    names : tuple of str
        The names of the classifiers.
    datasets : tuple of str
        The names of the data sets.
    scores : dict of str to ndarray of shape (N,)
        The scores of each classifier by its name: a table with data sets in rows, as required by
        all tests over data sets.
    description : str
        Where the scores come from.
    """

    names: tuple[str, ...]
    datasets: tuple[str, ...]
    scores: dict[str, NDArray[np.float64]]
    description: str


def load_predictions() -> Predictions:
    """Load the predictions of five classifiers on one test set.

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


def load_fold_scores() -> FoldScores:
    """Load the accuracies of five classifiers in 10 times repeated 10-fold cross-validation.

    The data set is the 569 tumours of `load_predictions`, split by `compare_estimators`.

    Returns
    -------
    FoldScores
        With ``scores`` (a dict from model name to 100 accuracies), ``n_train``, ``n_test``,
        ``description``; the arrays are read-only.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_fold_scores()
    >>> list(data.scores)
    ['logistic_regression', 'naive_bayes', 'nearest_neighbours', 'decision_tree',
     'linear_discriminant']
    >>> data.scores["naive_bayes"].shape, data.n_train, data.n_test
    ((100,), 512.1, 56.9)
    """
    header, *rows = csv.reader(fold_scores_file().read_text("ascii").splitlines())
    columns = np.array(rows, dtype=np.float64).T
    scores = {name: frozen(column) for name, column in zip(header, columns, strict=True)}
    return FoldScores(scores, N_TRAIN, N_TEST, FOLDS)


def load_dataset_scores() -> DatasetScores:
    """Load the accuracies of eight classifiers on sixteen classification tasks.

    They come from stratified 10-fold cross-validation with scikit-learn [1]_ on its bundled data.
    Some tasks are subsets of others (see ``description``), so the rows are less independent than
    tests over data sets assume.

    Returns
    -------
    DatasetScores
        With ``names``, ``datasets``, ``scores`` (a dict from the name of a classifier to its
        accuracies), ``description``; the arrays are read-only.

    See Also
    --------
    load_predictions : Predictions for the cases of one data set.

    References
    ----------
    .. [1] F. Pedregosa et al. (2011), Scikit-learn: machine learning in Python, Journal of Machine
       Learning Research 12.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_dataset_scores()
    >>> len(data.datasets), len(data.names)
    (16, 8)
    >>> data.scores["random_forest"].max()
    np.float64(1.0)
    """
    header, *rows = csv.reader(dataset_scores_file().read_text("ascii").splitlines())
    names = tuple(header[1:])
    datasets = tuple(row[0] for row in rows)
    columns = np.array([row[1:] for row in rows], dtype=np.float64).T
    scores = {name: frozen(column) for name, column in zip(names, columns, strict=True)}
    return DatasetScores(names, datasets, scores, DATASET_SCORES)


def dataset_scores_file() -> Traversable:
    """Return the file behind `load_dataset_scores`, which need not lie in a file system."""
    return files(__package__) / "dataset_scores.csv"


def predictions_file() -> Traversable:
    """Return the file behind `load_predictions`, which need not lie in a file system."""
    return files(__package__) / "breast_cancer.csv"


def fold_scores_file() -> Traversable:
    """Return the file behind `load_fold_scores`."""
    return files(__package__) / "breast_cancer_folds.csv"


def frozen(array: NDArray[Number]) -> NDArray[Number]:
    """Return a contiguous, read-only copy of an array."""
    copy = array.copy()
    copy.flags.writeable = False
    return copy
