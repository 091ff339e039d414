"""Which picture shows a result, by the result's class or the nearest class that it is a kind of."""

from collections.abc import Callable
from typing import Any

from .._inputs.pictures import refuse_unpictured
from ._agreement import agreement_map
from ._calibration import reliability
from ._curves import roc_band
from ._decision import decision_curves
from ._diagram import critical_difference
from ._forest import forest
from ._leaderboard import leaderboard
from ._matrix import pvalue_matrix
from ._mosaic import mosaic
from ._posterior import posterior
from ._rates import error_rates, power_curves

MOST_ROWS = 45  # pairs, of ten models, that a forest shows


def pairs(result: Any, ax: Any = None, **options: Any) -> Any:
    """Draw the differences of up to ten models, the p-values of more."""
    draw = forest if len(result.pairs) <= MOST_ROWS else pvalue_matrix
    return draw(result, ax=ax, **options)


def of_tests(result: Any, ax: Any = None, **options: Any) -> Any:
    """Draw the picture of the first test of several that has one, of pairs before all together."""
    tests = result.tests.values() if hasattr(result, "tests") else (result.posthoc, result.omnibus)
    shown = [test for test in tests if drawing(test) is not None]
    if not shown:
        return refuse_unpictured(result, PICTURES)
    return picture(
        next((test for test in shown if hasattr(test, "pairs")), shown[0]), ax, **options
    )


def of_reported(result: Any, ax: Any = None, **options: Any) -> Any:
    """Draw the picture of the test that a comparison reports."""
    return picture(result.result, ax, **options)


PICTURES: dict[str, Callable[..., Any]] = {  # by name, since some classes live upstairs
    "AgreementMatrixResult": agreement_map,
    "AgreementResult": mosaic,
    "AUCTestResult": forest,
    "BenefitCurve": decision_curves,
    "BradleyTerryPairwiseResult": pairs,
    "BradleyTerryResult": forest,
    "BrierDecompositionResult": reliability,
    "CalibrationResult": forest,
    "CalibrationErrorResult": reliability,
    "Comparison": of_reported,
    "ContingencyTableResult": mosaic,
    "DatasetsComparisonResult": of_tests,
    "DeLongCovariance": forest,
    "ErrorRatesResult": error_rates,
    "FoldComparisonResult": of_tests,
    "FoldsUnpairedResult": forest,
    "IntervalEstimate": forest,
    "LeaderboardResult": leaderboard,
    "McNemarResult": mosaic,
    "MeanCovarianceResult": forest,
    "OmnibusResult": forest,
    "OrderPairsResult": pvalue_matrix,
    "OrderResult": forest,
    "PairsResult": pairs,
    "PermutationAUCResult": forest,
    "PermutationMetricResult": forest,
    "PosteriorResult": posterior,
    "PowerResult": power_curves,
    "ROCBandResult": roc_band,
    "RankPairsResult": critical_difference,
    "Result": forest,
}


def picture(result: Any, ax: Any = None, **options: Any) -> Any:
    """Return the axes with the picture of a result; options are those of its function here."""
    draw = drawing(result)
    if draw is None:
        return refuse_unpictured(result, PICTURES)
    return draw(result, ax=ax, **options)


def drawing(result: Any) -> Callable[..., Any] | None:
    """Return the function that draws a result, by the nearest class in the table; None without."""
    known = (PICTURES.get(kind.__name__) for kind in type(result).__mro__)
    return next(filter(None, known), None)
