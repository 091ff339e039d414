"""Chunks by threads and executors; few clusters, and differences that are tiny or far from 0."""

from concurrent.futures import Executor, Future
from fractions import Fraction
from functools import partial
from threading import Event

import numpy as np
import pytest

import fastcompare as fc
from fastcompare._base.parallel import summarize_parts
from fastcompare.auc import _stream_cells as ordering
from fastcompare.auc import _streams as delong

QUIET = {"on_undefined": "ignore"}
Y = np.array([0, 1, 1, 0, 1, 0, 0, 1])
P = np.array([0.1, 0.6, 0.7, 0.2, 0.4, 0.5, 0.3, 0.8])
Q = np.array([0.3, 0.2, 0.7, 0.1, 0.9, 0.8, 0.4, 0.6])


def cut(columns, place=3):
    return list(zip(*(np.split(np.asarray(c), [place]) for c in columns), strict=True))


def same(found, want):
    for name in ("estimate", "standard_error", "df", "pvalue", "status"):
        one, other = getattr(found, name), getattr(want, name)
        assert one == other or one == pytest.approx(other, rel=1e-10, nan_ok=True), name
    assert found.summary() == want.summary()


def test_one_case_has_no_degrees_of_freedom():
    one = Y[:1], P[:1], Q[:1]
    same(fc.scoring_test([one], **QUIET), fc.scoring_test(*one, **QUIET))


def test_tiny_differences_vary_beside_large_losses():
    p, q, groups = P.copy(), P.copy(), np.arange(8) // 2
    p[Y == 0], q[Y == 0] = 1e-9 * P[Y == 0], 1e-9 * Q[Y == 0]
    want = fc.scoring_test(Y, p, q, groups=groups, **QUIET)
    assert 0.0 < want.standard_error < 1e-17
    same(fc.scoring_test(cut((Y, p, q, groups)), **QUIET), want)


def test_clustered_errors_far_from_zero_are_those_of_whole_numbers():
    rng = np.random.default_rng(1)
    a, b, groups = rng.normal(size=30) + 1e9, rng.normal(size=30), np.arange(30) ** 2 // 100
    d = [Fraction(x) for x in (a - b).tolist()]
    variance = Fraction(0)
    for cluster in range(9):
        own = [x - sum(d) / 30 for x, g in zip(d, groups, strict=True) if g == cluster]
        variance += sum(own) ** 2 * Fraction(30, 30 - len(own)) / 30**2
    found = fc.paired_mean_test(cut((a, b, groups)), **QUIET)
    assert found.standard_error == pytest.approx(float(variance) ** 0.5, rel=1e-15, abs=0.0)


class Caller(Executor):
    """An executor that calls functions where they are submitted, and counts them."""

    calls = 0

    def submit(self, function, /, *args, **options):
        self.calls += 1
        future = Future()
        future.set_result(function(*args, **options))
        return future


Y_3 = [(Y, P, Q), (Y, Q, P), (1 - Y, P, P)]  # chunks
ONE_MODEL = fc.scan_chunks([{"y": y, "a": a} for y, a, _ in Y_3], label="y", scores=["a"])
OF_CHUNKS = {
    "roc_auc_interval": ONE_MODEL,
    "delong_test": Y_3,
    "delong_covariance": Y_3,
    "delong_pairwise_test": Y_3,
    "scoring_test": Y_3,
    "paired_mean_test": [(a, b) for _, a, b in Y_3],
    "mean_interval": [(a, b) for _, a, b in Y_3],
    "mcnemar_test": [(y, a > 0.5, b > 0.5) for y, a, b in Y_3],
}


@pytest.mark.parametrize("name", OF_CHUNKS)
def test_an_executor_reads_the_chunks_of_every_function(name):
    executor = Caller()
    call = partial(getattr(fc, name), OF_CHUNKS[name], **QUIET)
    assert repr(call(executor=executor)) == repr(call())
    assert executor.calls >= len(Y_3)


@pytest.mark.parametrize("name", OF_CHUNKS)
def test_threads_read_the_chunks_of_every_function(name, monkeypatch):
    shared = []
    monkeypatch.setattr(
        "fastcompare._base.parallel.SharedIterator", lambda parts: shared.append(1) or parts
    )
    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(2), raising=False)
    with pytest.raises(AttributeError):  # a plain iterator does not end early
        getattr(fc, name)(OF_CHUNKS[name], n_jobs=2, **QUIET)
    assert shared


class Read:
    """A summary of numbers, of which the first is read only while the second comes."""

    def __init__(self, comes):
        self.comes, self.numbers = comes, []

    def add(self, number):
        assert number or self.comes.wait(10.0)
        self.numbers.append(number)

    def merge(self, other):
        self.numbers += other.numbers


def test_the_next_chunk_is_made_while_one_is_read():
    comes = Event()

    def numbers():
        yield 0
        comes.set()
        yield from range(1, 9)

    assert sorted(summarize_parts(partial(Read, comes), numbers(), n_jobs=2).numbers) == [*range(9)]


@pytest.mark.parametrize("digits", [2, 9])  # of scores, which are counted or sorted
def test_threads_share_the_cells_of_each_model(digits, monkeypatch):
    rng = np.random.default_rng(digits)
    y = rng.integers(0, 2, 300)
    scores = np.round(rng.normal(size=(3, 300)) + y, digits)
    chunks = [tuple(c[rows] for c in (y, *scores)) for rows in (slice(70), slice(70, None))]
    monkeypatch.setattr(delong, "EXACT_VALUES", 2)
    monkeypatch.setattr(delong, "NUMBERS_OF_CELLS", (12, 24))
    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(3), raising=False)
    want = fc.delong_covariance(chunks, **QUIET)
    whole = fc.delong_covariance(y, scores.T)
    np.testing.assert_array_equal(want.auc, whole.auc)
    np.testing.assert_array_equal(np.diag(want.covariance), np.diag(whole.covariance))
    for pieces in (1, 100):
        monkeypatch.setattr(ordering, "PIECES", pieces)
        found = fc.delong_covariance(chunks, n_jobs=3, **QUIET)
        np.testing.assert_array_equal(found.auc, want.auc)
        np.testing.assert_array_equal(found.covariance, want.covariance)
