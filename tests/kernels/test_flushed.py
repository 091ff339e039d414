"""With flush-to-zero set by another library, results are the same bits, or numbers are refused.

The modes belong to a thread, so they are set in one that ends with the test.
"""

import platform
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
import pytest
from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic

import fastcompare as fc
from tests.shared.every_call import CALLS, A, B, Y, called

if numba.config.DISABLE_JIT or platform.machine() not in ("x86_64", "AMD64"):
    pytest.skip("the modes are set by compiled code for x86", allow_module_level=True)

FLUSHING = 0x8040  # FTZ and DAZ in the control word of SSE
USUAL = 0x1F80
TINY = {"f8": np.uint64(1), "f4": np.uint32(1)}  # the bits of the least number above 0


@intrinsic
def load_control_word(typingctx, word):
    """Load the control and status word of SSE."""

    def codegen(context, builder, signature, args):
        pointer = builder.bitcast(
            cgutils.alloca_once_value(builder, args[0]), ir.IntType(8).as_pointer()
        )
        kind = ir.FunctionType(ir.VoidType(), [pointer.type])
        name = "llvm.x86.sse.ldmxcsr"
        builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [pointer])
        return context.get_dummy_value()

    return numba.types.void(numba.types.uint32), codegen


@numba.njit
def set_control_word(word):
    """Set the modes of this thread."""
    load_control_word(word)


def flushing(function):
    """Return what a function returns in a thread whose processor flushes subnormal numbers."""

    def run():
        set_control_word(np.uint32(USUAL | FLUSHING))
        assert np.array([5e-324])[0] * 1.0 == 0.0
        return function()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result()


def all_results():
    """What all functions return."""
    found = {name: called(name) for name in CALLS}
    return {
        name: getattr(result, "to_dict", lambda r=result: r)() for name, result in found.items()
    }


def tiny(values, kind):
    """Return values in the same order that are subnormal, or no larger than differences may be."""
    ranks = np.unique(values, return_inverse=True)[1].reshape(values.shape)
    return (ranks.astype(TINY[kind].dtype) + TINY[kind]).view(kind)


def refused(name, data, parameter, values):
    """Whether a function refuses these values for what the processor does to them."""
    with pytest.raises(fc.InvalidValueError, match=r"`\w+(\[.*\])?` contains \d+ numbers.*flush"):
        called(name, **data | {parameter: values})


@pytest.mark.slow
def test_usual_numbers_have_the_same_results():
    np.testing.assert_equal(flushing(all_results), all_results())


def test_numbers_that_would_count_as_zero_are_refused():
    def run():
        for name in CALLS:
            for parameter, values in CALLS[name].items():
                if isinstance(values, np.ndarray) and values.dtype.kind == "f":
                    doubles, singles = (tiny(values, kind) for kind in TINY)
                    for form in (doubles, singles, doubles.tolist()):
                        refused(name, CALLS[name], parameter, form)

    flushing(run)


@pytest.mark.parametrize("method", ["auto", "midrank", "heaviside"])
def test_small_numbers_that_are_not_flushed_keep_their_order(method):
    small = A * 2.0**-960, B * 2.0**-960
    want = fc.delong_test(Y, A, B, method=method).to_dict()
    found = flushing(lambda: fc.delong_test(Y, *small, method=method).to_dict())
    np.testing.assert_equal(found, want)


@pytest.mark.parametrize("test", [fc.delong_test, fc.bootstrap_auc_test])
def test_chunks_are_refused_too(test):
    chunk = Y, tiny(A, "f8"), B
    poisson = {"method": "poisson", "rng": 0} if test is fc.bootstrap_auc_test else {}
    with pytest.raises(fc.InvalidValueError, match="flush"):
        flushing(lambda: test([chunk], **poisson))
    test([chunk, (Y, A, B)], **poisson)
