"""Every function that takes an executor gives the same bits over threads, processes and dask."""

import inspect
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numba
import numpy as np
import pytest

import fastcompare as fc
from fastcompare._adapters.dask import as_executor
from fastcompare._base.parallel import run_all

if numba.config.DISABLE_JIT:
    pytest.skip("thousands of replicates", allow_module_level=True)

RNG = np.random.default_rng(0)
Y = np.repeat([0, 1], 35)
A, B = RNG.normal(size=(2, 70)) + Y
TABLE = np.stack([A, B, A + B], axis=1)
P, Q = (1.0 / (1.0 + np.exp(-x)) for x in (A, B))
PREDICTED = A > 0.5, B > 0.5
Y3 = RNG.integers(0, 3, 70)
P3, Q3 = RNG.dirichlet(np.ones(3), size=(2, 70))
FEW = {"n_resamples": 199, "rng": 7}
SIZES = {"design": fc.simulate.BinormalScores(auc=0.8, n_positive=20, n_negative=20), "rng": 7}
CURVES = ("partial_auc", "average_precision")
CURVES += ("sensitivity_at_specificity", "specificity_at_sensitivity")
LEVEL = {
    "partial_auc": {"fpr": (0.0, 0.5)},
    "sensitivity_at_specificity": {"specificity": 0.8},
    "specificity_at_sensitivity": {"sensitivity": 0.8},
}
CALLS = {
    "bayes_signed_rank": (A[:9], B[:9], {"n_resamples": 9000, "rng": 7}),
    "bootstrap_auc": (Y, TABLE, FEW),
    "bootstrap_auc_test": (Y, A, B, FEW | {"method": "studentized"}),
    "bootstrap_metric_test": (Y, *PREDICTED, FEW | {"method": "bca"}),
    "calibration_error": (Y, P, {"rng": 7}),
    "friedman_test": (TABLE[:9], FEW | {"method": "permutation"}),
    "leaderboard": (TABLE, FEW | {"method": "bootstrap"}),
    "multiclass_auc": (Y3, P3, FEW | {"method": "bootstrap"}),
    "multiclass_auc_test": (Y3, P3, Q3, FEW),
    "paired_mean_test": (A, B, FEW | {"method": "bootstrap"}),
    "permutation_auc_test": (Y, A, B, FEW),
    "permutation_survival_test": (2 - Y, Y, A, B, FEW | {"keep": True}),
    "permutation_metric_test": (Y, *PREDICTED, FEW),
    "roc_auc_interval": (Y, A, FEW | {"method": "bootstrap"}),
    "roc_curve_band": (Y, A, FEW),
    "scoring_pairwise_test": (Y, {"p": P, "q": Q}, FEW | {"method": "bootstrap"}),
    "scoring_test": (Y, P, Q, FEW | {"method": "bootstrap"}),
    "simulate_error_rates": ("delong", SIZES | {"n_trials": 300}),
    "simulate_power": ("delong", SIZES | {"effects": [0.0, 0.1], "n_trials": 300}),
    "required_sample_size": ("delong", SIZES | {"effect": 0.15, "n_trials": 300}),
    **{f"{curve}_test": (Y, A, B, FEW | LEVEL.get(curve, {})) for curve in CURVES},
    **{f"{curve}_interval": (Y, A, FEW | LEVEL.get(curve, {})) for curve in CURVES},
}
STREAMS = {"delong_test", "delong_covariance", "delong_pairwise_test"}  # who reads chunks alone
STREAMS |= {"mcnemar_test", "mean_interval"}


def public(name):
    return getattr(fc, name, None) or getattr(fc.simulate, name)


def called(name, executor=None):
    *given, options = CALLS[name]
    return public(name)(*given, **options, executor=executor).to_dict()


@pytest.fixture(scope="module")
def alone():
    return {name: called(name) for name in CALLS}


def test_the_table_holds_every_function_that_takes_an_executor():
    names = {name for room in (fc, fc.simulate) for name in room.__all__ if name[0].islower()}
    functions = {name: public(name) for name in names if inspect.isfunction(public(name))}
    takers = {n for n, f in functions.items() if "executor" in inspect.signature(f).parameters}
    assert takers - STREAMS == set(CALLS)


@pytest.mark.slow
@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_bits_do_not_depend_on_the_executor(pool, alone):
    with pool(2) as executor:
        for name, want in alone.items():
            np.testing.assert_equal(called(name, executor), want, err_msg=name)


@pytest.mark.slow
def test_bits_do_not_depend_on_dask(client, alone):
    for name in ("bootstrap_auc_test", "permutation_metric_test", "simulate_error_rates"):
        np.testing.assert_equal(called(name, client), alone[name], err_msg=name)


class Counted:
    """A function that counts how often it is pickled."""

    pickled = 0

    def __call__(self, item, checkpoint):
        return item + 1

    def __reduce__(self):
        Counted.pickled += 1
        return Counted, ()


@pytest.mark.slow
def test_what_tasks_share_is_sent_once(client):
    pickled = []  # to hash and to send it: two to five times in all, as versions of dask differ
    for n in (1, 20):
        Counted.pickled = 0
        found = run_all(Counted(), range(n), executor=as_executor(client.get_executor()))
        assert found == list(range(1, n + 1))
        pickled.append(Counted.pickled)
    assert pickled[0] == pickled[1] > 0
