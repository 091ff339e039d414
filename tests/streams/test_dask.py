"""Tests of dask's arrays and data frames, on a cluster of two processes, one of which is killed."""

import os
import pickle
import signal
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import dask
import dask.array as da
import dask.dataframe as dd
import numba
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

import fastcompare as fc

N, ROWS = 4000, 700
RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, N)
A, B = RNG.normal(size=(2, N)) + Y
FRAME = pd.DataFrame({"id": np.arange(N), "b": B, "y": Y, "a": A})
NAMES = {"label": "y", "scores": ["a", "b"]}
SAME = ("estimate", "standard_error", "pvalue", "n_positive", "n_negative", "status")
compiled = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="many rows, and processes")


def arrays():
    return [da.from_array(each, chunks=ROWS) for each in (Y, A, B)]


def frame():
    return dd.from_pandas(FRAME, npartitions=5)


def same(found, names=("a", "b")):
    want = fc.delong_test(Y, A, B)
    assert found.names == names
    assert found.auc.tolist() == want.auc.tolist()
    for name in SAME:
        assert getattr(found, name) == getattr(want, name)
    return True


@pytest.mark.slow
@compiled
def test_arrays_and_frames_give_the_bits_of_the_test_in_memory():
    y, a, b = arrays()
    same(fc.delong_test(y, a, b))
    same(fc.delong_test(y, a.rechunk(300), b, n_jobs=2))
    same(fc.delong_test(y[:, None], da.stack([a, b], axis=1)))
    df = frame()
    same(fc.delong_test(df.y, df.a, df.b))
    same(fc.delong_test(df.y, df[["a", "b"]]))
    same(fc.delong_test(df.y, {"one": df.a, "other": df.b}), ("one", "other"))
    same(fc.delong_test(df.y.to_dask_array(), df.a.to_dask_array(), df.b.to_dask_array()))
    same(fc.delong_test(fc.scan_chunks(df, **NAMES)))
    words = df.assign(y=df.y.map({0: "well", 1: "ill"}, meta=("y", "str")))
    same(fc.delong_test(fc.scan_chunks(words, **NAMES), pos_label="ill"))


@pytest.mark.slow
@compiled
def test_a_covariance_takes_tables_of_any_number_of_models():
    y, a, b = arrays()
    want = fc.delong_covariance(Y, np.stack([A, B, A + B], axis=1))
    found = fc.delong_covariance(y, da.stack([a, b, a + b], axis=1))
    assert found.covariance.tolist() == want.covariance.tolist()
    assert found.names == want.names
    assert fc.delong_covariance(y, a).auc.tolist() == want.auc[:1].tolist()
    with pytest.warns(fc.DroppedCasesWarning, match=f"{(A <= 0).sum()} of {N} cases"):
        partial = fc.delong_covariance(y, da.where(a > 0, a, np.nan), nan_policy="omit")
    assert partial.n_dropped == (A <= 0).sum()


@pytest.mark.slow
@compiled
@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_any_executor_computes_the_blocks(pool):
    with pool(2) as executor:
        same(fc.delong_test(*arrays(), executor=executor))
    with dask.config.set(scheduler="synchronous"):
        same(fc.delong_test(*arrays()))


def test_collections_that_do_not_fit_together_say_why():
    (y, a, b), df = arrays(), frame()
    for given, error, message in (
        ((Y, a, b), TypeError, "must all be dask arrays, .* got ndarray: make it one by"),
        ((y, {"a": a, "b": B}), TypeError, "must all be dask arrays"),
        ((y, a[:-1], b), ValueError, "must have one length, got 3999 and 4000"),
        ((df.y, a, b), ValueError, "must have the same blocks, got 5 and 6 and 6 blocks"),
        ((da.stack([y, y], axis=1), a, b), ValueError, "`y_true` must be 1-d, got 2 columns"),
        ((y, a), ValueError, "must contain the scores of 2 models, got 1"),
        ((df.y, df.a, df[df.a > 0].b), ValueError, r"chunk \d: `b` and `y_true` \('y'\) have diff"),
        ((y, a, da.where(b > 0, b, np.nan)), ValueError, r"chunk \d: `b` has .* missing values"),
    ):
        with pytest.raises(error, match=message):
            fc.delong_test(*given)
    with pytest.raises(ValueError, match="`groups` is not supported for chunks"):
        fc.delong_test(y, a, b, groups=Y)
    with pytest.raises(TypeError, match=r"is a lazy Array: call .compute\(\)"):
        fc.roc_auc(y, a)
    with pytest.raises(ValueError, match="`source` has no column 'c'"):
        fc.scan_chunks(df, label="y", scores=["a", "c"])


def elsewhere(block, pid, flag=""):
    """Return a block, read by another process; who is the first to see a flag waits for its end."""
    assert os.getpid() != pid
    if flag and not os.path.exists(flag):
        with open(flag + "~", "w") as file:
            file.write(str(os.getpid()))
        os.rename(flag + "~", flag)
        time.sleep(60)
    return block


@pytest.mark.slow
@compiled
def test_workers_read_blocks_and_row_groups(client, tmp_path):
    far = [each.map_blocks(elsewhere, os.getpid(), dtype=each.dtype) for each in arrays()]
    same(fc.delong_test(*far))  # by the current client
    executor = client.get_executor(retries=1)
    with dask.config.set(scheduler="synchronous"):
        scan = fc.scan_chunks(frame().persist(scheduler=client), **NAMES)
        same(fc.delong_test(scan, executor=executor))
        parquet.write_table(pa.Table.from_pandas(FRAME), tmp_path / "x.parquet", row_group_size=900)
        same(fc.delong_test(fc.scan_parquet(tmp_path, **NAMES), executor=executor))
        chunks = [tuple(each[i : i + ROWS] for each in (Y, A, B)) for i in range(0, N, ROWS)]
        same(fc.delong_test(chunks, executor=client))


@pytest.mark.slow
@compiled
def test_other_tests_of_chunks_take_them_too(client):
    labels, df = FRAME.assign(a=FRAME.a > 0.5, b=FRAME.b > 0.5).astype(int), frame()
    want = fc.mcnemar_test(labels.y, labels.a, labels.b).to_dict()
    marked = dd.from_pandas(labels, npartitions=5)
    scan = fc.scan_chunks(marked, **NAMES)
    assert fc.mcnemar_test(scan, executor=client.get_executor()).to_dict() == want
    with dask.config.set(scheduler="synchronous"):
        assert fc.mcnemar_test(marked.y, marked.a, marked.b).to_dict() == want
        drawn = {"method": "poisson", "n_resamples": 64, "rng": 3}
        found = fc.bootstrap_auc_test(fc.scan_chunks(df, **NAMES), **drawn, executor=client)
        assert found.pvalue == fc.bootstrap_auc_test(Y, A, B, **drawn).pvalue
        assert fc.bootstrap_auc_test(*arrays(), **drawn).pvalue == found.pvalue


@pytest.mark.slow
@compiled
def test_a_test_can_be_delayed(client):
    same(dask.delayed(fc.delong_test)(*arrays()).compute())  # of arrays in one worker's memory
    later = dask.delayed(fc.delong_test)(fc.scan_chunks(frame(), **NAMES))
    same(pickle.loads(pickle.dumps(later)).compute())  # of partitions that all workers read


@pytest.mark.slow
@compiled
def test_a_worker_that_is_killed_at_work_changes_nothing(client, tmp_path):
    flag = str(tmp_path / "pid")
    y, a, b = arrays()
    last = b[-ROWS:].map_blocks(elsewhere, os.getpid(), flag, dtype=b.dtype)
    slow = da.concatenate([b[:-ROWS], last]).rechunk(ROWS)
    with ThreadPoolExecutor(1) as thread:
        found = thread.submit(fc.delong_test, y, a, slow, executor=client.get_executor())
        while not os.path.exists(flag):
            assert not found.done()
            time.sleep(0.05)
        with open(flag) as file:
            os.kill(int(file.read()), signal.SIGKILL)
        same(found.result())


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::fastcompare.SmallSampleWarning")
def test_models_have_the_names_that_they_have_in_memory():
    df = FRAME[:60].assign(p=0.5 + 0.1 * A[:60], g=np.arange(60) // 6)
    lazy = dd.from_pandas(df, npartitions=2)

    def tests(given):
        for own in ({}, {"groups": given["g"]}):
            yield fc.paired_mean_test(given["a"], given["b"], **own).names
            yield fc.mean_interval(given["a"], **own).names
            yield fc.mcnemar_test(given["y"], given["y"], given["g"], **own).names
            yield fc.scoring_test(given["y"], given["p"], given["y"], **own).names

    assert [*tests(lazy)] == [*tests(df)]
    unnamed = {name: df[name].to_numpy() for name in df}
    chunked = {name: da.from_array(own, chunks=40) for name, own in unnamed.items()}
    assert [*tests(chunked)] == [*tests(unnamed)]


def test_what_dask_holds_is_refused_as_in_memory():
    y, a, b = arrays()
    with pytest.raises(ValueError, match="`scores_a` must be 1-d, got 2 columns"):
        fc.paired_mean_test(da.stack([a, b], axis=1), b)
    with pytest.raises(TypeError, match="`correct_a` and `correct_b` must be passed without"):
        fc.mcnemar_test(y, y, 1 - y, correct_a=Y, correct_b=Y)
