"""One model's scores, sorted by several threads, are placed as by one thread, to the last bit."""

import os
import signal
import threading

import numpy as np
import pytest

import fastcompare as fc
from fastcompare.auc import _components as home
from fastcompare.kernels.sorting import shared
from fastcompare.kernels.sorting.keys import SAMPLED_FROM

from .test_exact_keys import by_bisection

N = SAMPLED_FROM + 700
RNG = np.random.default_rng(8)
LABELS = (RNG.random(N) < 0.3).astype(np.uint8)
NORMAL = RNG.normal(size=N) + LABELS
SHARES = 1.0 / (1.0 + np.exp(-NORMAL))
SCORES = {
    "normal": NORMAL,
    "shares": SHARES,
    "float32": NORMAL.astype(np.float32),
    "7 decimals": NORMAL.round(7),
    "decimals, and one that is none": np.append(NORMAL[1:].round(7), 0.5 + 2.0**-50),
    "ties": np.where(RNG.random(N) < 0.1, NORMAL[0], NORMAL) * (1.0 + 2.0**-30 * SHARES.round(1)),
    "heavy tails": np.exp(20.0 * NORMAL),
    "one far away": np.append(NORMAL[1:].round(7), 1e9),
}
UNSHARED = {
    "few values": SHARES.round(1),
    "counted": SHARES.round(3),
    "most in one part": np.append(NORMAL[1:], np.inf),
    "clusters": np.where(np.arange(N) % 2, 1e10, -1.0) * (1.0 + RNG.random(N) * 1e-12),
}


def shared_placements(scores, n_jobs, labels=LABELS):
    out, scratch = np.empty(labels.size, np.uint32), np.empty(labels.size, np.uint64)
    done = shared.placements_shared(scores, labels, int(labels.sum()), scratch, out, n_jobs)
    return done, out


@pytest.fixture
def small(monkeypatch):
    """Sizes at which a few thousand scores have several stretches, parts and buffers."""
    monkeypatch.setattr(shared, "CASES_PER_STRETCH", 1000)
    monkeypatch.setattr(shared, "PROBED", 256)
    monkeypatch.setattr(home, "SHARED_FROM", 1)


@pytest.mark.parametrize("n_jobs", [1, 3])
@pytest.mark.parametrize("kind", SCORES)
def test_placements_shared_are_those_of_all_pairs(kind, n_jobs, small):
    done, out = shared_placements(SCORES[kind], n_jobs)
    assert done
    assert (out == by_bisection(SCORES[kind], LABELS)).all()


@pytest.mark.parametrize("kind", UNSHARED)
def test_placements_shared_leaves_to_one_thread_what_is_as_fast(kind, small):
    assert not shared_placements(UNSHARED[kind], 2)[0]


@pytest.mark.parametrize("k", [1, 2, 3])
def test_delong_covariance_has_the_same_bits_for_any_number_of_threads(k, small):
    table = np.stack([NORMAL, SHARES.round(3), NORMAL[::-1].round(7)][:k], axis=1)
    want = fc.delong_covariance(LABELS, table)
    for n_jobs in (2, 4):
        got = fc.delong_covariance(LABELS, table, n_jobs=n_jobs)
        assert got.auc.tobytes() == want.auc.tobytes()
        assert got.covariance.tobytes() == want.covariance.tobytes()


def test_roc_auc_interval_shares_the_sort_of_one_model(small, monkeypatch):
    threads, want = set(), fc.roc_auc_interval(LABELS, NORMAL)
    count = shared.count_parts

    def counting(*arguments):
        threads.add(threading.get_ident())
        return count(*arguments)

    monkeypatch.setattr(shared, "count_parts", counting)
    got = fc.roc_auc_interval(LABELS, NORMAL, n_jobs=2)
    assert threads
    assert str(got.to_dict()) == str(want.to_dict())


def test_pair_sums_of_many_cases_are_those_of_one_thread(monkeypatch):
    monkeypatch.setattr(home, "MOST", 1)
    cases = home.Cases(LABELS, (NORMAL, SHARES), ("a", "b"))
    components = home.as_components(cases)
    for n_jobs in (2, 5):
        assert home.pair_sums(components, 0, 1, n_jobs) == home.pair_sums(components, 0, 1)


def test_an_interrupt_ends_a_shared_sort(small, monkeypatch):
    place, heard = shared.sort_and_place, []

    def interrupting(*arguments):
        if not heard:
            os.kill(os.getpid(), signal.SIGINT)
        heard.append(True)
        return place(*arguments)

    monkeypatch.setattr(shared, "sort_and_place", interrupting)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            shared_placements(NORMAL, 2)
    finally:
        signal.signal(signal.SIGINT, before)
