"""Simulated rejection rates of tests: type I error rate and power at your sample size.

`simulate_error_rates` runs the tests on thousands of samples of a design. Designs here:

DietterichClassifiers  one data set, and how Dietterich (1998) splits it
BinormalScores  scores with chosen AUCs
CorrelatedFolds  scores in rounds that share training cases
ModelsByDatasets  scores of several models on many data sets
"""

from .designs import BinormalScores, CorrelatedFolds
from .dietterich import DietterichClassifiers
from .models_by_datasets import ModelsByDatasets
from .power import required_sample_size, simulate_power
from .rates import simulate_error_rates

__all__ = [
    "BinormalScores",
    "CorrelatedFolds",
    "DietterichClassifiers",
    "ModelsByDatasets",
    "required_sample_size",
    "simulate_error_rates",
    "simulate_power",
]
