"""Arrays that live on a device give the bits of arrays in main memory."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastcompare as fc
from fastcompare._adapters import device
from fastcompare._adapters.device import Device, RemoteCases, RemotePlacements, partial_square_sums
from tests.shared.devices import PLACES, RNG, TABLE, A, B, Strict, Y, both, fields, put_on


@pytest.fixture(params=PLACES)
def put(request, monkeypatch):
    return put_on(request.param, monkeypatch)


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
    put = put_on(place, monkeypatch)
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


def remote(labels, *scores):
    """Return the placements of cases on a simulated device."""
    xp = pytest.importorskip("array_api_strict")
    where = Device(xp, xp.Device("device1"))
    return RemotePlacements(RemoteCases(where, where.put(labels), [where.put(x) for x in scores]))


VALUES = st.sampled_from([-np.inf, -1.5, -0.0, 0.0, 5e-324, 2.0, np.inf])


@settings(max_examples=50)
@given(st.lists(st.tuples(st.booleans(), VALUES, VALUES), min_size=1, max_size=12))
def test_integers_of_a_device_are_counts_of_pairs(cases):
    label, *scores = map(np.array, zip(*cases, strict=True))
    found = remote(label, *scores)
    sign = np.where(label, 1, -1)
    others = label[:, None] != label
    ranks = [(x[:, None] > x).astype(int) - (x[:, None] < x) for x in scores]
    want = [(others * (1 + sign[:, None] * rank)).sum(axis=1) for rank in ranks]
    labels, placed = found.on_host()
    assert labels.tolist() == label.tolist()
    if label.all() or not label.any():
        want = [0 * own for own in want]
    assert placed.tolist() == [own.tolist() for own in want]
    a, b = want
    sums = [int((own[members] ** 2).sum()) for own in (a, b, a - b) for members in (label, ~label)]
    assert found.pair_sums(0, 1) == [a[label].sum(), b[label].sum(), *sums]
    assert found.pair_sums(0, 0) == [a[label].sum(), a[label].sum(), *sums[:2], *sums[:2], 0, 0]


@pytest.mark.parametrize("chunk", [5, 1 << 26])
@pytest.mark.parametrize("bits", [31, 28, 26, 9])
def test_square_sums_of_numbers_of_any_size_are_exact(bits, chunk, monkeypatch):
    xp = pytest.importorskip("array_api_strict")
    monkeypatch.setattr(device, "CHUNK", chunk)
    most = 2**bits - 1
    for size in (0, 1, 2, 3, 240):
        numbers = RNG.integers(-most, most, size).astype(np.int32)
        numbers[:2] = [most, -most][:size]
        found = [(shift, int(x)) for shift, x in partial_square_sums(xp, xp.asarray(numbers), bits)]
        assert all(0 <= x < 2**63 for _, x in found)
        assert sum(x << shift for shift, x in found) == sum(int(x) ** 2 for x in numbers)
