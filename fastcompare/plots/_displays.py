"""Displays with scikit-learn's interface, and the choice of the picture of a result."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from .._inputs.pictures import as_fitted, find_response, refuse_unpictured
from .._results.copies import tests_in
from ._along import decision_curves, horizon_curves
from ._curves import (
    calibration_curves,
    precision_recall_curves,
    reliability,
    roc_band,
    roc_curves,
)
from ._diagram import critical_difference
from ._forest import forest
from ._matrix import agreement_map, mosaic, pvalue_matrix
from ._posterior import posterior
from ._ranks import leaderboard
from ._rates import error_rates, power_curves
from ._readers import reader_power, readers
from ._within import within_groups

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Display:
    """Labels and predictions of one or several models, and their plot.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Those of the last call of `plot`.
    """

    draw: ClassVar[Callable[..., Any]]
    response_method: ClassVar[str] = "auto"
    ax_: "Axes"
    figure_: Any

    def __init__(self, y_true: Any, predictions: Any, **options: Any) -> None:
        self.y_true, self.predictions, self.options = y_true, predictions, options

    def plot(self, ax: "Axes | None" = None, **options: Any) -> Self:
        """Draw the plot and return the display."""
        draw = type(self).draw
        merged = {**self.options, **options}
        self.ax_ = draw(self.y_true, self.predictions, ax=ax, **merged)
        self.figure_ = self.ax_.figure
        return self

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        name: str | None = None,
        ax: "Axes | None" = None,
        **options: Any,
    ) -> Self:
        """Draw a display from predictions.

        Parameters
        ----------
        y_true : array-like of shape (n,)
            Labels.
        y_score : array-like of shape (n,) or (n, k), mapping or data frame
            Scores of one model, or one column per model.
        name : str, optional
            Of a single model.
        ax : matplotlib Axes, optional
            Axes to draw on.
        **options
            Options of the function of `fastcompare.plots` that draws.

        Returns
        -------
        Display
        """
        named = y_score if name is None else {name: y_score}
        return cls(y_true, named, **options).plot(ax)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        name: str | None = None,
        response_method: str | None = None,
        pos_label: Any = None,
        ax: "Axes | None" = None,
        **options: Any,
    ) -> Self:
        """Draw a display from fitted scikit-learn estimators.

        Parameters
        ----------
        estimator : estimator, mapping or list of tuples
            One fitted classifier, or several by name.
        X, y : array-like
            The cases to predict, and their labels.
        name : str, optional
            Of a single estimator.
        response_method : {'auto', 'predict_proba', 'decision_function'}, optional
            'auto' uses probabilities if available.
        pos_label : object, optional
            The positive class, by default the last one of the estimators.
        ax : matplotlib Axes, optional
            Axes to draw on.
        **options
            Options of the function of `fastcompare.plots` that draws.

        Returns
        -------
        Display
        """
        method = cls.response_method if response_method is None else response_method
        models, positive = as_fitted(estimator, name, pos_label)
        scores = {
            model_name: positive_scores(model, X, method, positive)
            for model_name, model in models.items()
        }
        return cls(y, scores, pos_label=positive, **options).plot(ax)


def positive_scores(estimator: Any, X: Any, method: str, positive: Any) -> Any:
    """Return a fitted classifier's scores of the positive class."""
    response_name = find_response(estimator, method)
    scores = np.asarray(getattr(estimator, response_name)(X))
    class_index = list(estimator.classes_).index(positive)
    if scores.ndim == 2:
        return scores[:, class_index]
    return scores if class_index else -scores  # a decision function scores the second class


class RocCurveDisplay(Display):
    """ROC curves with AUCs and intervals, drawn by `roc_curves`.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> scores = data.scores["random_forest"]
    >>> display = fc.plots.RocCurveDisplay.from_predictions(data.y_true, scores, name="forest")
    >>> display.figure_.savefig("picture.svg")  # doctest: +SKIP
    """

    draw = staticmethod(roc_curves)


class PrecisionRecallDisplay(Display):
    """Precision-recall curves with average precisions, drawn by `precision_recall_curves`."""

    draw = staticmethod(precision_recall_curves)


class CalibrationDisplay(Display):
    """Reliability diagrams, drawn by `calibration_curves`."""

    draw = staticmethod(calibration_curves)
    response_method = "predict_proba"


MOST_ROWS = 45  # pairs, of ten models, that a forest shows


FUNCTIONS = (
    agreement_map,
    critical_difference,
    decision_curves,
    error_rates,
    forest,
    horizon_curves,
    leaderboard,
    mosaic,
    posterior,
    power_curves,
    pvalue_matrix,
    reader_power,
    readers,
    reliability,
    roc_band,
    within_groups,
)
PICTURES: dict[str, Callable[..., Any]] = {draw.__name__: draw for draw in FUNCTIONS}


def picture(result: Any, ax: Any = None, **options: Any) -> Any:
    """Draw the picture that shows a result, and return the axes; options are its function's."""
    name, source = picture_and_source(result)
    return PICTURES[name](source, ax=ax, **options) if name else refuse_unpictured(source)


def picture_and_source(result: Any) -> tuple[str, Any]:
    """Return the name of the function that draws a result, '' if none does, and what it draws.

    Pairs of up to ten models are a forest of differences, of more a matrix of p-values. Of several
    tests that of pairs is drawn, or else the first one that has a picture.
    """
    name = getattr(result, "_picture", "")
    if name == "reported":  # a comparison has the picture of the result that it reports
        return picture_and_source(result.result)
    if name == "pvalue_matrix" and getattr(result, "control", None) is not None:
        name = "pairs"  # a square would be empty but for a row
    if name == "pairs":
        return "forest" if len(result.pairs) <= MOST_ROWS else "pvalue_matrix", result
    if name == "tests":
        pictured = [test for test in tests_in(result).values() if picture_and_source(test)[0]]
        pictured.sort(key=lambda test: not hasattr(test, "pairs"))
        return picture_and_source(pictured[0]) if pictured else ("", result)
    return name, result
