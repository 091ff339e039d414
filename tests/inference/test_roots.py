"""Roots of functions of one number: SciPy's, to the last bit, and true ones."""

import math
import platform
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import brentq

from fastcompare._inference.roots import find_root, find_roots

NUMBERS = st.floats(-100, 100)
KINDS = {
    "cubic": lambda x, a, b: (x - a) ** 3 + b * (x - a),
    "line": lambda x, a, b: x - a,
    "steep": lambda x, a, b: math.atan(1e6 * (x - a)) + 1e-3 * b,
    "flat": lambda x, a, b: (x - a) ** 9,
    "jump": lambda x, a, b: math.copysign(1.0 + abs(b), x - a),
    "tiny": lambda x, a, b: 1e-300 * (x - a) ** 3,
    "power": lambda x, a, b: math.exp(0.1 * x) - math.exp(0.1 * a),
}
x86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="SciPy is built with FMA there")


@x86
@pytest.mark.parametrize("kind", KINDS)
@given(a=NUMBERS, b=st.floats(0, 100), low=NUMBERS, high=NUMBERS, digits=st.integers(6, 15))
def test_the_root_has_the_bits_of_scipys(kind, a, b, low, high, digits):
    ways = {"xtol": 10.0**-digits, "rtol": max(1e-14, 10.0**-digits)}
    evaluated = ([], [])

    def counted(to):
        return lambda x: to.append(x) or KINDS[kind](x, a, b)

    try:
        want = brentq(counted(evaluated[0]), low, high, **ways)
    except (RuntimeError, ValueError) as error:  # no convergence; the same signs
        with pytest.raises(type(error), match=r"no root|signs"):
            find_root(counted(evaluated[1]), low, high, **ways)
    else:
        assert find_root(counted(evaluated[1]), low, high, **ways) == want
        assert evaluated[0] == evaluated[1]


@given(a=NUMBERS, low=NUMBERS, high=NUMBERS)
def test_the_root_of_a_line_is_found(a, low, high):
    low, high = min(low, high, a), max(low, high, a)
    root = find_root(lambda x: x - a, low, high, xtol=1e-12, rtol=1e-14)
    assert root == pytest.approx(a, rel=1e-13, abs=1e-12)


def test_an_end_may_be_the_root():
    for low, high in ((2.0, 5.0), (-1.0, 2.0)):
        assert find_root(lambda x: x - 2.0, low, high, xtol=1e-12, rtol=1e-14) == 2.0


@pytest.mark.slow
def test_an_interval_of_an_auc_does_not_import_scipys_optimization():
    code = (
        "import sys, fastcompare as fc; fc.roc_auc_interval([0, 1, 0, 1, 1], [1, 2, 3, 4, 5]); "
        "sys.exit('scipy.optimize' in sys.modules)"
    )
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("power", "steep")])
@given(st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=6))
def test_roots_of_arrays_lie_where_the_signs_change(kind, rows):
    a, low, high = np.array(rows).T
    evaluated = []

    def function(x):
        evaluated.append(x)
        return np.array([KINDS[kind](each, root, 0.0) for each, root in zip(x, a, strict=True)])

    roots = find_roots(function, low, high)
    crossed = (function(low) < 0.0) != (function(high) < 0.0)
    assert_array_equal(roots[~crossed], low[~crossed])
    near = 1e-2 if kind in ("flat", "tiny") else 1e-13 * np.maximum(np.abs(a), 1.0)
    assert (np.abs(roots - a) <= near)[crossed].all()
    assert len(evaluated) < 110


def test_roots_of_arrays_take_few_steps_and_leave_what_is_undefined():
    evaluated = []

    def function(x):
        evaluated.append(x)
        return np.exp(x) - [2.0, 3.0, np.nan]

    roots = find_roots(function, np.zeros(3), np.full(3, 5.0))
    assert_allclose(roots[:2], np.log([2.0, 3.0]), rtol=1e-15)
    assert len(evaluated) < 16
