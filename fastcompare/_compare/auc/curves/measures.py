"""The measures of a curve by what users say of them."""

from ...._inputs.options import check_flag
from ...._inputs.ranges import as_rate_range, check_rate
from .statistics import Measure

PRECISION = Measure("average precision", "precision")


def area_measure(fpr: object, tpr: object, standardized: bool) -> Measure:
    """Return a partial AUC; TPR from t to u, mirrored, is FPR from 1 - u to 1 - t."""
    rate, low, high = as_rate_range(fpr, tpr)
    kind = "standardized partial AUC" if check_flag("standardized", standardized) else "partial AUC"
    name = f"{kind} for {rate} from {low:g} to {high:g}"
    if rate == "TPR":
        return Measure(name, "area", (1.0 - high, 1.0 - low), True, standardized)
    return Measure(name, "area", (low, high), False, standardized)


def sensitivity_measure(specificity: object) -> Measure:
    """Return the sensitivity at a specificity."""
    rate = check_rate("specificity", specificity)
    return Measure(f"sensitivity at specificity {rate:g}", "height", (1.0 - rate,))


def specificity_measure(sensitivity: object) -> Measure:
    """Return the specificity at a sensitivity."""
    rate = check_rate("sensitivity", sensitivity)
    return Measure(f"specificity at sensitivity {rate:g}", "height", (1.0 - rate,), mirrored=True)
