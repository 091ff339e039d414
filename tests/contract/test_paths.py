"""How many files a call goes through: each one is a place that a reader must know."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest

import fastcompare as fc

PACKAGE = str(Path(fc.__file__).parent) + os.sep
compiled_only = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT", "0") == "1", reason="kernels run as Python then"
)


def files_of(call):
    """The files of the package whose Python functions run in one warm call."""
    call()
    files = set()

    def watch(frame, event, argument):
        if event == "call" and frame.f_code.co_filename.startswith(PACKAGE):
            files.add(frame.f_code.co_filename.removeprefix(PACKAGE))

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        call()
    finally:
        sys.settrace(before)
    return sorted(files)


def scored(n):
    """Labels and two models' scores of n cases."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    return y, *(y + rng.normal(size=(2, n)))


@compiled_only
def test_a_delong_test_goes_through_few_files():
    case = scored(400)
    assert len(files_of(lambda: fc.delong_test(*case))) <= 15


@compiled_only
def test_a_bootstrap_goes_through_few_files_and_none_computes_a_covariance():
    case = scored(400)
    found = files_of(lambda: fc.bootstrap_auc_test(*case, n_resamples=199, rng=0))
    assert len(found) <= 24
    assert not any(name.endswith(("components.py", "exact.py")) for name in found)


@pytest.mark.parametrize("n", [100, 400])
@pytest.mark.parametrize("spoilt", [np.nan, np.inf, -np.inf])
def test_the_short_way_of_plain_arrays_agrees_with_the_long_one(n, spoilt):
    y, a, b = scored(n)
    b[3] = spoilt
    options = {"nan_policy": "omit"} if np.isnan(spoilt) else {}
    if options:
        with pytest.raises(ValueError, match=r"`y_score_b` has 1 missing value\b"):
            fc.delong_test(y, a, b)
        with pytest.warns(fc.DroppedCasesWarning):
            long = fc.delong_test(y, list(a), list(b), **options)
        kept = np.arange(n) != 3
        assert long.pvalue == fc.delong_test(y[kept], a[kept], b[kept]).pvalue
        return
    b[4] = -spoilt
    a[5] = spoilt
    short, long = fc.delong_test(y, a, b), fc.delong_test(y.tolist(), list(a), list(b))
    assert (short.pvalue, short.auc.tolist()) == (long.pvalue, long.auc.tolist())
    assert short.covariance.tolist() == long.covariance.tolist()
