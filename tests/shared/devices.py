"""Arrays on devices, real or simulated, and what tests compare of them.

Without a GPU: array-api-strict simulates devices whose arrays NumPy refuses, and PyTorch and JAX
go the same way if main memory is no longer called so. With one, PyTorch and CuPy are tested there.
"""

import warnings
from importlib.util import find_spec

import numpy as np
import pytest

import fastcompare as fc
from fastcompare._adapters import device

RNG = np.random.default_rng(0)
Y = (RNG.random(240) < 0.3).astype(np.int64)
COMMON = RNG.normal(size=240) + Y
A, B, C = (COMMON + RNG.normal(size=(3, 240))).astype(np.float32)
TABLE = np.stack([A, B, C], axis=1)


class Strict:
    """Arrays of array-api-strict on a simulated device."""

    def __init__(self, monkeypatch):
        self.xp = pytest.importorskip("array_api_strict")

    def __call__(self, array, number=1):
        return self.xp.asarray(np.array(array), device=self.xp.Device(f"device{number}"))


class Torch:
    """PyTorch tensors in main memory, which is not called so."""

    place = "cpu"

    def __init__(self, monkeypatch):
        self.xp = pytest.importorskip("torch")
        monkeypatch.setattr(device, "MAIN_MEMORY", ("meta",))

    def __call__(self, array):
        return self.xp.from_numpy(np.array(array)).to(self.place)


class Cuda(Torch):
    """PyTorch tensors on a GPU."""

    place = "cuda"

    def __init__(self, monkeypatch):
        self.xp = pytest.importorskip("torch")
        if not self.xp.cuda.is_available():
            pytest.skip("no GPU")


class Cupy:
    """CuPy arrays on a GPU."""

    def __init__(self, monkeypatch):
        self.xp = pytest.importorskip("cupy")
        if not self.xp.cuda.is_available():
            pytest.skip("no GPU")

    def __call__(self, array):
        return self.xp.asarray(array)


class Jax:
    """JAX arrays, in main memory or not."""

    def __init__(self, monkeypatch):
        self.jax = pytest.importorskip("jax")
        monkeypatch.setattr(device, "MAIN_MEMORY", ("meta",))

    def __call__(self, array):
        with self.jax.enable_x64(True):
            return self.jax.numpy.asarray(array)


KINDS = {"strict": Strict, "torch": Torch, "cuda": Cuda, "cupy": Cupy, "jax": Jax}
PACKAGES = {"strict": "array_api_strict", "cuda": "torch"}
PLACES = [name for name in KINDS if find_spec(PACKAGES.get(name, name))]


def put_on(place, monkeypatch):
    """Return a function that puts arrays on a device, or skip the test without it."""
    pytest.importorskip("array_api_compat")
    return KINDS[place](monkeypatch)


def fields(result):
    """Return what a result says, without the call that made it."""
    if isinstance(result, float):
        return repr(result)
    return str({name: x for name, x in result.to_dict().items() if name != "call"})


def both(test, put, *arrays, **options):
    """Assert that a test of arrays on a device gives what it does in main memory, and warns so."""
    found = []
    for way in (np.asarray, put):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = test(*(way(x) if isinstance(x, np.ndarray) else x for x in arrays), **options)
        found.append((fields(result), [(w.category, str(w.message)) for w in caught]))
    assert found[0] == found[1]


def complaint(test, *arrays, **options):
    with pytest.raises(fc.FastCompareError) as caught:
        test(*arrays, **options)
    return type(caught.value), str(caught.value)
