"""The public functions of curves, each with the options that `reference_curves` names."""

from typing import NamedTuple

import fastcompare as fc


class Functions(NamedTuple):
    """A value, its interval, its test, and what to pass for thousandths (low, high)."""

    value: object
    interval: object
    test: object
    options: object


PARTIAL = (fc.partial_auc, fc.partial_auc_interval, fc.partial_auc_test)
MEASURES = {
    "fpr": Functions(*PARTIAL, lambda low, high: {"fpr": (low, high)}),
    "tpr": Functions(*PARTIAL, lambda low, high: {"tpr": (low, high)}),
    "fpr standardized": Functions(
        *PARTIAL, lambda low, high: {"fpr": (low, high), "standardized": True}
    ),
    "tpr standardized": Functions(
        *PARTIAL, lambda low, high: {"tpr": (low, high), "standardized": True}
    ),
    "sensitivity": Functions(
        fc.sensitivity_at_specificity,
        fc.sensitivity_at_specificity_interval,
        fc.sensitivity_at_specificity_test,
        lambda low, high: {"specificity": high},
    ),
    "specificity": Functions(
        fc.specificity_at_sensitivity,
        fc.specificity_at_sensitivity_interval,
        fc.specificity_at_sensitivity_test,
        lambda low, high: {"sensitivity": high},
    ),
    "precision": Functions(
        fc.average_precision,
        fc.average_precision_interval,
        fc.average_precision_test,
        lambda low, high: {},
    ),
}


def options_of(name, thousandths=(0, 200)):
    """The options of a measure's functions."""
    return MEASURES[name].options(*(t / 1000 for t in thousandths))
