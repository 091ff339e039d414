"""How often tests reject, by simulation: type I error and power at your own sample size.

`simulate_error_rates` runs the tests on thousands of samples of a design. Designs here:

DietterichClassifiers  one data set, and how Dietterich (1998) splits it
"""

from .dietterich import DietterichClassifiers
from .rates import ErrorRatesResult, simulate_error_rates

__all__ = [
    "DietterichClassifiers",
    "ErrorRatesResult",
    "simulate_error_rates",
]
