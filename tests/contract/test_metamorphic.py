"""Laws over all public functions: the order of cases, swapped models, and what holds the data."""

import inspect

import numpy as np
import pandas as pd
import pytest
from numba import config

import fastcompare as fc
from tests.shared.every_call import CALLS, N, called

pytestmark = pytest.mark.skipif(config.DISABLE_JIT, reason="every function, minutes uncompiled")

# where draws go by position, or cases do not lie along the first axis
BY_POSITION = {"bootstrap_auc", "bootstrap_auc_test", "roc_curve_band", "bootstrap_metric_test"}
BY_POSITION |= {name for name in CALLS if name.endswith("batch")} | {"structural_components"}
BY_POSITION |= {"partial_auc_test", "average_precision_test"}
BY_POSITION |= {"sensitivity_at_specificity_test", "specificity_at_sensitivity_test"}
BY_POSITION |= {name for name in CALLS if name.startswith("reader_study")}
SWAPPED = {"_a": "_b", "_b": "_a", "_1": "_2", "_2": "_1"}
COUNTED = {"sign_test", "wilcoxon_test"}  # their statistic counts one side


def numbers(result):
    """All numbers of a result or of plain values, in turn."""
    if hasattr(result, "to_dict"):
        result = result.to_dict()
    if isinstance(result, dict):
        result = list(result.values())
    if isinstance(result, np.ndarray):
        result = result.tolist()
    if isinstance(result, list | tuple):
        return [number for part in result for number in numbers(part)]
    return [float(result)] if isinstance(result, int | float) else []


def agree(name, other, rtol=1e-9):
    np.testing.assert_allclose(numbers(other), numbers(called(name)), rtol, rtol, err_msg=name)


def with_cases(name, change):
    """A function's valid data, each array with a row a case changed."""
    data = CALLS[name].items()
    return {k: change(v) for k, v in data if isinstance(v, np.ndarray) and v.shape[0] == N}


@pytest.mark.slow
def test_the_order_of_cases_is_of_no_matter():
    order = np.random.default_rng(3).permutation(N)
    for name in sorted(CALLS.keys() - BY_POSITION):
        agree(name, called(name, **with_cases(name, lambda x: x[order])))


@pytest.mark.slow
def test_swapped_models_change_the_sign_and_nothing_else():
    for name in sorted(CALLS.keys() - {"compare"}):
        data = CALLS[name]
        swapped = {k[:-2] + SWAPPED[k[-2:]]: v for k, v in data.items() if k[-2:] in SWAPPED}
        if not swapped or swapped.keys() - data.keys():
            continue
        one, other = called(name), called(name, **swapped)
        for field, sign in (("pvalue", 1), ("estimate", -1), ("statistic", -1)):
            if hasattr(one, field) and not (field == "statistic" and name in COUNTED):
                values = np.asarray([getattr(one, field), getattr(other, field)], dtype=float)
                ratio = getattr(one, "null_value", 0) == 1 or (values >= 0).all()
                values[1] *= 1 if sign == 1 or ratio else -1
                np.testing.assert_allclose(values[0], values[1], 1e-8, 1e-12, err_msg=name)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["numpy", "pandas", "nullable", "fortran", "read-only"])
def test_what_holds_the_data_is_of_no_matter(kind):
    def held(x):
        if kind == "numpy":
            return x.astype(x.dtype.newbyteorder(">"))[::-1].copy()[::-1]
        if kind in ("fortran", "read-only"):
            x = np.asfortranarray(x.copy())
            x.flags.writeable = kind == "fortran"
            return x
        column = pd.Series(x) if x.ndim == 1 else x
        return column.convert_dtypes() if kind == "nullable" and x.ndim == 1 else column

    for name in CALLS:
        agree(name, called(name, **with_cases(name, held)), rtol=1e-12)


def test_frequencies_are_rows_that_stand_several_times():
    counts = np.arange(N) % 3 + 1
    for name in CALLS:
        if "frequency_weight" in inspect.signature(getattr(fc, name)).parameters:
            rows = with_cases(name, lambda x: np.repeat(x, counts, axis=0))
            one, other = called(name, frequency_weight=counts), called(name, **rows)
            for field in ("pvalue", "estimate", "statistic", "standard_error"):
                values = [numbers(getattr(r, field, r)) for r in (one, other)]
                np.testing.assert_allclose(*values, 1e-9, 1e-12, err_msg=f"{name} {field}")
