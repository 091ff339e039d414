"""Which picture shows a result, by the result's class or the nearest class that it is a kind of."""

from collections.abc import Callable
from typing import Any

from .._inputs.pictures import refuse_unpictured
from ._calibration import reliability
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


PICTURES: dict[str, Callable[..., Any]] = {  # by name, since some classes live upstairs
    "AgreementResult": mosaic,
    "AUCTestResult": forest,
    "BenefitCurve": decision_curves,
    "BradleyTerryPairwiseResult": pairs,
    "BradleyTerryResult": forest,
    "BrierDecompositionResult": reliability,
    "CalibrationErrorResult": reliability,
    "ContingencyTableResult": mosaic,
    "DeLongCovariance": forest,
    "ErrorRatesResult": error_rates,
    "IntervalEstimate": forest,
    "LeaderboardResult": leaderboard,
    "McNemarResult": mosaic,
    "MeanCovarianceResult": forest,
    "OrderPairsResult": pvalue_matrix,
    "OrderResult": forest,
    "PairsResult": pairs,
    "PosteriorResult": posterior,
    "PowerResult": power_curves,
    "RankPairsResult": critical_difference,
    "Result": forest,
}


def picture(result: Any, ax: Any = None, **options: Any) -> Any:
    """Return the axes with the picture of a result; options are those of its function here."""
    for kind in type(result).__mro__:
        if kind.__name__ in PICTURES:
            return PICTURES[kind.__name__](result, ax=ax, **options)
    return refuse_unpictured(result, PICTURES)
