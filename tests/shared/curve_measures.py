"""The public functions of curves by the names that `reference_curves` has, and an example."""

from typing import NamedTuple

import numpy as np

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


def example(m=40, n=60, seed=0, k=2):
    """Labels of m positives and n negatives in any order, and k models with an AUC of 0.76."""
    rng = np.random.default_rng(seed)
    labels = np.repeat([1, 0], [m, n])
    order = rng.permutation(m + n)
    return labels[order], (rng.normal(size=(k, m + n)) + labels)[:, order]
