"""Arrays that live on a device give the bits, and the errors, of arrays in main memory.

Without a GPU: array-api-strict simulates devices whose arrays NumPy refuses, and PyTorch and JAX
go the same way if main memory is no longer called so. With one, PyTorch and CuPy are tested there.
"""

import sys
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastcompare as fc
from fastcompare._adapters import device
from fastcompare._adapters.device import Device, RemoteCases, RemotePlacements, square_sums
from fastcompare._inputs.chunks import device as device_inputs

PLACES = ("strict", "torch", "cuda", "cupy", "jax")
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


KINDS = dict(zip(PLACES, (Strict, Torch, Cuda, Cupy, Jax), strict=True))


@pytest.fixture(params=PLACES)
def put(request, monkeypatch):
    pytest.importorskip("array_api_compat")
    return KINDS[request.param](monkeypatch)


@pytest.fixture
def strict(monkeypatch):
    pytest.importorskip("array_api_compat")
    return Strict(monkeypatch)


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


TWO = {
    "default": {},
    "one-sided": {"alternative": "less"},
    "margin": {"alternative": "equivalence", "margin": 0.3},
    "normal": {"reference": "normal"},
    "t": {"reference": "t"},
    "heaviside": {"method": "heaviside"},
}


@pytest.mark.parametrize("options", TWO.values(), ids=TWO)
def test_delong_test_on_a_device_has_the_bits_of_main_memory(put, options):
    both(fc.delong_test, put, Y, A, B, **options)


SEVERAL = {
    "covariance": (fc.delong_covariance, {}),
    "pairs": (fc.delong_pairwise_test, {}),
    "control": (fc.delong_control_test, {"control": 0}),
    "omnibus": (fc.delong_omnibus_test, {}),
    "contrast": (fc.delong_omnibus_test, {"contrast": [1, -0.5, -0.5]}),
}


@pytest.mark.parametrize(("test", "options"), SEVERAL.values(), ids=SEVERAL)
def test_tests_of_several_models_on_a_device_have_the_bits_of_main_memory(put, test, options):
    both(test, put, Y, TABLE, **options)


@pytest.mark.parametrize("method", ["auto", "delong", "logit", "newcombe"])
def test_roc_auc_interval_on_a_device_has_the_bits_of_main_memory(put, method):
    both(fc.roc_auc_interval, put, Y, A, method=method)


def test_roc_auc_on_a_device_is_that_of_main_memory(put):
    both(fc.roc_auc, put, Y, A)


@pytest.mark.parametrize("digits", [1, 5])
def test_poisson_bootstrap_auc_test_on_a_device_has_the_bits_of_main_memory(
    put, digits, monkeypatch
):
    monkeypatch.setattr(device, "CELLS", 20 * Y.size)  # 64 replicates in four parts
    drawing = {"method": "poisson", "n_resamples": 99, "rng": 1, "keep": True}
    both(fc.bootstrap_auc_test, put, Y, A.round(digits), B.round(digits), **drawing)


def test_many_models_and_many_cases_of_both_classes_go_the_same_way(put, monkeypatch):
    rng = np.random.default_rng(1)
    y, table = np.arange(2100) % 2, rng.normal(size=(2100, 10)).round(1)
    both(fc.delong_pairwise_test, put, y, table[:, :3], n_jobs=2)
    both(fc.delong_covariance, put, y, table)
    both(fc.delong_test, put, y, table[:, 0], table[:, 1])


TYPES = ("bool", "int8", "uint8", "int16", "int32", "int64", "float16", "float32", "float64")


@pytest.mark.parametrize("dtype", TYPES)
def test_scores_of_any_type_on_a_device_are_compared_as_they_are(put, dtype):
    if dtype == "float16" and isinstance(put, Strict):
        pytest.skip("array-api-strict has none")
    scores = [(50 * x).clip(0, 120).astype(dtype) for x in (A, B)]
    both(fc.delong_test, put, Y, *scores)


@pytest.mark.parametrize("place", ["torch", "cuda"])
def test_bfloat16_on_a_device_is_compared_as_it_is(place, monkeypatch):
    put = KINDS[place](monkeypatch)
    narrow = [put(x).to(put.xp.bfloat16) for x in (A, B)]
    found = fc.delong_test(put(Y), *narrow)
    want = fc.delong_test(Y, *(x.float().cpu().numpy() for x in narrow))
    assert fields(found) == fields(want)


def test_integers_beyond_doubles_on_a_device_are_compared_as_they_are(put):
    wide = 2**60 + np.arange(40)
    both(fc.delong_test, put, np.arange(40) % 2, wide, wide[::-1].copy())


LABELS = {
    "bool": Y == 1,
    "signs": 2 * Y - 1,
    "bytes": Y.astype(np.uint8),
    "floats": Y.astype(np.float32),
    "signs as floats": 2.0 * Y - 1.0,
}


@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
def test_labels_of_any_coding_on_a_device_are_those_of_main_memory(put, labels):
    both(fc.delong_test, put, labels, A, B)


def test_pos_label_on_a_device_is_that_of_main_memory(put):
    for labels, positive in ((3 * Y + 2, 5), (3 * Y + 2, 2), (Y == 1, False), (0.5 * Y, 0.5)):
        both(fc.delong_test, put, labels, A, B, pos_label=positive)
    both(fc.roc_auc, put, 0 * Y + 4, A, pos_label=1)


def test_infinities_zeros_and_ties_of_all_on_a_device_are_those_of_main_memory(put):
    signed = np.array([-np.inf, -0.0, 0.0, 1e-40, np.inf, 3.0] * 40)
    both(fc.delong_test, put, Y, signed, B)
    both(fc.delong_test, put, Y, np.zeros(240), B)
    both(fc.roc_auc_interval, put, Y, np.zeros(240))
    both(fc.delong_test, put, Y, A, A)


def test_few_cases_on_a_device_have_the_status_of_main_memory(put):
    for y in ([0, 0, 0, 0], [1, 1, 1, 1], [0, 0, 0, 1], [1, 0, 1, 0]):
        labels, scores = np.array(y), np.array([0.1, 0.7, 0.3, 0.9])
        both(fc.delong_test, put, labels, scores, scores[::-1].copy())
        both(fc.delong_covariance, put, labels, np.stack([scores, -scores], 1)[:, [0, 1, 0]])
        both(fc.roc_auc_interval, put, labels, scores)
        both(fc.roc_auc, put, labels, scores)
        drawing = {"method": "poisson", "n_resamples": 99, "rng": 1}
        both(fc.bootstrap_auc_test, put, labels, scores, scores**2, **drawing)


def spoilt(array, place=17, value=np.nan):
    found = array.astype(np.float64)
    found[place] = value
    return found


def test_missing_values_on_a_device_are_dropped_as_in_main_memory(put):
    labels, scores = spoilt(Y, 3), spoilt(A)
    both(fc.delong_test, put, labels, scores, B, nan_policy="omit")
    both(fc.delong_covariance, put, Y, np.stack([scores, B, C], 1), nan_policy="omit")
    drawing = {"method": "poisson", "n_resamples": 99, "rng": 1}
    both(fc.bootstrap_auc_test, put, Y, scores, B, nan_policy="omit", **drawing)


WRONG = {
    "NaN score": (Y, A, spoilt(B)),
    "NaN label": (spoilt(Y), A, B),
    "all NaN": (np.full(240, np.nan), A, B),
    "lengths": (Y, A[:-1], B),
    "two columns": (Y, TABLE[:, :2], B),
    "rows": (Y, A[None, :], B),
    "one-hot": (np.stack([Y, 1 - Y], 1), A, B),
    "three labels": (np.arange(240) % 3, A, B),
    "1 and 2": (Y + 1, A, B),
    "continuous": (A, A, B),
    "255": (np.where(Y, 1, 255).astype(np.uint8), A, B),
    "empty": (Y[:0], A[:0], B[:0]),
    "scalar": (Y, np.array(1.0), B),
}


@pytest.mark.parametrize("given", WRONG.values(), ids=WRONG)
def test_errors_of_delong_test_on_a_device_are_those_of_main_memory(put, given):
    for policy in ("raise", "omit"):
        want = None
        try:
            fc.delong_test(*given, nan_policy=policy, on_undefined="ignore")
        except fc.FastCompareError as error:
            want = type(error), str(error)
        except Warning:
            continue
        if want is not None:
            assert complaint(fc.delong_test, *map(put, given), nan_policy=policy) == want


def test_errors_of_tables_on_a_device_are_those_of_main_memory(put):
    tables = (TABLE.T, TABLE[:100], TABLE[:, :0], TABLE[:, :1], TABLE[:, :, None], spoilt(TABLE))
    for table in tables:
        want = complaint(fc.delong_pairwise_test, Y, table)
        assert complaint(fc.delong_pairwise_test, put(Y), put(table)) == want


def test_errors_of_options_on_a_device_are_those_of_main_memory(put):
    for options in ({"pos_label": 7}, {"nan_policy": "drop"}, {"method": "fast"}, {"n_jobs": 0}):
        want = complaint(fc.delong_test, Y, A, B, **options)
        assert complaint(fc.delong_test, put(Y), put(A), put(B), **options) == want


def test_complex_scores_on_a_device_are_refused_as_in_main_memory(put):
    name, text = complaint(fc.delong_test, put(Y), put(A + 1j), put(B))
    assert name is fc.InvalidTypeError
    assert "`y_score_a` must contain real numbers, got dtype" in text


def test_what_is_in_main_memory_joins_the_others_on_their_device(put):
    want = fields(fc.delong_test(Y, A, B))
    readonly = Y.copy()
    readonly.flags.writeable = False
    for labels in (readonly, Y.tolist(), Y == 1):
        assert fields(fc.delong_test(labels, put(A), put(B))) == want
    assert fields(fc.delong_test(put(Y), put(A), B.tolist())) == want
    found = fc.delong_pairwise_test(Y, {"a": put(A), "b": B, "c": put(C)})
    assert fields(found) == fields(fc.delong_pairwise_test(Y, dict(a=A, b=B, c=C)))
    assert fields(fc.delong_covariance(put(Y), TABLE)) == fields(fc.delong_covariance(Y, TABLE))
