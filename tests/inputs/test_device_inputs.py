"""Arrays that live on a device are checked there, with the errors of arrays in main memory."""

import importlib
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import numpy as np
import pytest

import fastcompare as fc
from fastcompare._inputs.chunks import device as device_inputs
from tests.shared.devices import PLACES, TABLE, A, B, C, Torch, Y, both, complaint, fields, put_on


@pytest.fixture(params=PLACES)
def put(request, monkeypatch):
    return put_on(request.param, monkeypatch)


@pytest.fixture
def strict(monkeypatch):
    return put_on("strict", monkeypatch)


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
    assert fields(found) == fields(fc.delong_pairwise_test(Y, {"a": A, "b": B, "c": C}))
    assert fields(fc.delong_covariance(put(Y), TABLE)) == fields(fc.delong_covariance(Y, TABLE))


REFUSED = {
    "groups": (fc.delong_test, {"groups": Y}),
    "weights": (fc.delong_test, {"sample_weight": 1.0 + Y}),
    "frequencies": (fc.delong_test, {"frequency_weight": 1 + Y}),
    "percentiles": (fc.bootstrap_auc_test, {"n_resamples": 99}),
    "another test": (fc.permutation_auc_test, {"n_resamples": 99}),
    "labels": (fc.mcnemar_test, {}),
    "probabilities": (fc.scoring_test, {}),
}


@pytest.mark.parametrize(("test", "options"), REFUSED.values(), ids=REFUSED)
def test_what_no_device_does_names_cpu(strict, test, options):
    kind, text = complaint(test, strict(Y), strict(A), strict(B), **options)
    assert kind is fc.InvalidTypeError
    assert "on array_api_strict.Device('device1')" in text
    assert text.endswith("such as its .cpu().")
    here = (x.to_device(strict.xp.Device("CPU_DEVICE")) for x in map(strict, (Y, A, B)))
    assert isinstance(np.asarray(next(here)), np.ndarray)


def test_roc_auc_interval_by_bootstrap_on_a_device_names_cpu(strict):
    kind, text = complaint(fc.roc_auc_interval, strict(Y), strict(A), method="bootstrap")
    assert kind is fc.InvalidTypeError
    assert ".cpu()" in text


def test_executor_on_a_device_names_cpu(strict):
    with ThreadPoolExecutor(1) as pool:
        options = {"method": "poisson", "n_resamples": 99, "executor": pool}
        kind, text = complaint(fc.bootstrap_auc_test, *map(strict, (Y, A, B)), **options)
    assert kind is fc.InvalidValueError
    assert text.startswith("`executor`")
    assert ".cpu()" in text


def test_two_devices_are_refused(strict):
    kind, text = complaint(fc.delong_test, Y, strict(A), strict(B, 2))
    assert kind is fc.InvalidValueError
    assert text.startswith("`y_score_b` must be on the same device as `y_score_a`, got ")
    assert ".cpu()" in text


def test_more_cases_than_32_bits_count_are_refused(strict, monkeypatch):
    monkeypatch.setattr(device_inputs, "MOST_CASES", 239)
    kind, text = complaint(fc.delong_test, *map(strict, (Y, A, B)))
    assert kind is fc.InvalidValueError
    assert "at most 2^30 cases on a device, got 240" in text


def test_without_array_api_compat_the_error_names_it(strict, monkeypatch):
    monkeypatch.setitem(sys.modules, "array_api_compat", None)
    kind, text = complaint(fc.delong_test, Y, strict(A), strict(B))
    assert kind is fc.InvalidTypeError
    assert text.startswith("`y_score_a` is a Array on array_api_strict.Device('device1')")
    assert "pass its .cpu(), or" in text
    assert "pip install 'fastcompare[array-api]'" in text


def test_arrays_in_main_memory_never_take_this_way(monkeypatch):
    monkeypatch.setattr(device_inputs, "cases_elsewhere", None)
    ways = [np.asarray, list]
    for name in ("torch", "array_api_strict"):
        with suppress(ImportError):
            ways.append(importlib.import_module(name).asarray)
    with suppress(ImportError):
        jax = importlib.import_module("jax")
        ways.append(lambda array: jax.device_put(array, jax.devices("cpu")[0]))
    for way in ways:
        given = way(Y), way(A), way(B)
        assert fields(fc.delong_test(*given, alternative="less"))
        assert fields(fc.delong_pairwise_test(given[0], {"a": given[1], "b": given[2]}))
        assert fields(fc.bootstrap_auc_test(*given, method="poisson", n_resamples=99))


def test_graphs_of_gradients_are_no_obstacle_on_a_device(monkeypatch):
    put = Torch(monkeypatch)
    scores = [put(x).requires_grad_() for x in (A, B)]
    assert fields(fc.delong_test(put(Y), *scores)) == fields(fc.delong_test(Y, A, B))


def test_tensors_that_are_not_sorted_name_types_that_are(monkeypatch):
    put = Torch(monkeypatch)
    wrong = [put(A).to(put.xp.float8_e4m3fn), put(A).to_sparse(), put(Y).to(put.xp.uint32)]
    for scores in wrong:
        kind, text = complaint(fc.delong_test, Y, scores, put(B))
        assert kind is fc.InvalidTypeError
        assert "pass dense numbers of another type" in text
