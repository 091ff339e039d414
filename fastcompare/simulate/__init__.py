"""How often tests reject, by simulation: type I error and power at your own sample size.

`simulate_error_rates` runs the tests on thousands of samples of a design. Designs here:

DietterichClassifiers  one data set, and how Dietterich (1998) splits it
BinormalScores  scores with chosen AUCs
"""

from .binormal import BinormalScores
from .dietterich import DietterichClassifiers
from .power import PowerResult, simulate_power
from .rates import ErrorRatesResult, simulate_error_rates
from .sizes import SampleSizeResult, required_sample_size

__all__ = [
    "BinormalScores",
    "DietterichClassifiers",
    "ErrorRatesResult",
    "PowerResult",
    "SampleSizeResult",
    "required_sample_size",
    "simulate_error_rates",
    "simulate_power",
]
