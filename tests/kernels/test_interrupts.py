"""Long calls are made of short ones, between which an interrupt is heard, with the same results."""

import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import fastcompare as fc
from fastcompare._base import memory as products
from fastcompare._base.parallel import interruptible
from fastcompare._inference import infer as quadratic
from fastcompare._inference import max_t
from fastcompare._inputs.options import ALONE
from fastcompare._resampling import labels as tables
from fastcompare._resampling.bootstrap import Draws
from fastcompare.auc import _bootstrap_walks as walks
from fastcompare.auc import _components as components
from fastcompare.auc._delong import design as weighted
from fastcompare.folds import _anova as anova
from fastcompare.folds import _assumptions as mauchly
from fastcompare.items import _battle_model as battle_model
from fastcompare.labels import _two_proportions as shares


def cases(n, k):
    rng = np.random.default_rng(0)
    return np.arange(n) % 3 == 0, rng.normal(size=(n, k)).round(1)


@pytest.mark.parametrize("compared", [1, 100, 1000])
def test_pairs_are_compared_in_parts_with_the_same_result(monkeypatch, compared):
    labels, scores = cases(90, 2)
    whole = fc.delong_test(labels, *scores.T, method="heaviside").to_dict()
    placed, place = [], components.placements_heaviside

    def counted(scores, labels, out):
        placed.append(np.count_nonzero(labels))
        place(scores, labels, out)

    monkeypatch.setattr(components, "placements_heaviside", counted)
    monkeypatch.setattr(components, "PAIRS_PER_CALL", compared)
    parts = fc.delong_test(labels, *scores.T, method="heaviside").to_dict()
    assert repr(parts) == repr(whole)
    assert max(placed) == max(1, compared // 60)
    assert sum(placed) == 2 * 30


def test_tables_are_drawn_in_parts_with_the_same_result(monkeypatch):
    table, draws = np.array([[15, 2], [3, 40]]), Draws(n=100, seed=7, workers=ALONE)
    whole = tables.multinomial_tables(table, draws)
    monkeypatch.setattr(tables, "COUNTS_PER_CALL", 4 * 7)
    np.testing.assert_array_equal(tables.multinomial_tables(table, draws), whole)


def test_an_interrupt_stops_other_threads_between_two_models(monkeypatch):
    labels, scores = cases(3000, 80)
    main, others = threading.main_thread(), []

    def place(scores, labels, scratch, out):
        if threading.current_thread() is main:
            raise KeyboardInterrupt
        others.append(len(others))
        time.sleep(0.002)

    monkeypatch.setattr(components, "choose_placer", lambda method, size: place)
    with pytest.raises(KeyboardInterrupt):
        fc.delong_covariance(labels, scores, n_jobs=2)
    assert len(others) < 40


LONG_CALLS = {  # in one call of a library or a kernel, beyond a size that is lowered here
    "placements": (components, "LONG_SORT", lambda y, s: fc.delong_covariance(y, s)),
    "weights": (
        weighted,
        "LONG_SORT",
        lambda y, s: fc.delong_test(y, *s.T[:2], sample_weight=y + 1.0),
    ),
    "walks": (
        walks,
        "LONG_SORT",
        lambda y, s: fc.bootstrap_auc_test(y, *s.T[:2], n_resamples=9, rng=1),
    ),
    "largest": (max_t, "LARGE", lambda y, s: fc.mean_pairwise_test(s)),
    "battles": (
        battle_model,
        "LARGE",
        lambda y, s: fc.bradley_terry(y * 1, np.full(90, 2), s[:, 0] > 0, on_undefined="ignore"),
    ),
    "contrasts": (quadratic, "LARGE", lambda y, s: fc.delong_omnibus_test(y, s)),
    "rounds": (anova, "LONG", lambda y, s: fc.rm_anova_test(s)),
    "sphericity": (mauchly, "LARGE", lambda y, s: fc.mauchly_test(s)),
    "tables": (
        shares,
        "SLOW_CASE_PAIRS",
        lambda y, s: fc.two_proportions_unpaired_test(
            correct=(9, 4), n=(12, 11), method="boschloo"
        ),
    ),
}


@pytest.mark.parametrize("name", LONG_CALLS)
def test_long_calls_are_left_to_a_thread_with_the_same_result(name, monkeypatch):
    module, bound, call = LONG_CALLS[name]
    monkeypatch.setattr(weighted, "LINEAR_BELOW", 0)
    labels, scores = cases(90, 3)
    whole, left = call(labels, scores).to_dict(), []

    def counted(is_long, function, *given):
        left.append(is_long)
        return interruptible(is_long, function, *given)

    monkeypatch.setattr(module, "interruptible", counted)
    monkeypatch.setattr(module, bound, 1)
    assert repr(call(labels, scores).to_dict()) == repr(whole)
    assert left
    assert all(left)


@pytest.mark.parametrize("multiplied", [9, 100, 10**6])
def test_products_of_parts_add_up_to_the_product(monkeypatch, multiplied):
    rows = np.random.default_rng(0).integers(-9, 9, (3, 50)).astype(float)
    monkeypatch.setattr(products, "MOST_PRODUCTS", multiplied)
    monkeypatch.setattr(products, "FEWEST_COLUMNS", 7)
    np.testing.assert_array_equal(products.row_products(rows), rows @ rows.T)


def test_an_interrupt_leaves_a_long_call_behind():
    ended, main, callers = threading.Event(), threading.main_thread(), []

    def long_call():
        callers.append(threading.current_thread())
        signal.pthread_kill(main.ident, signal.SIGINT)
        ended.wait(60.0)

    usual = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background
    try:
        with pytest.raises(KeyboardInterrupt):
            interruptible(True, long_call)
        assert callers[0] is not main
        assert callers[0].is_alive()
    finally:
        signal.signal(signal.SIGINT, usual)
        ended.set()
    assert interruptible(True, divmod, 7, 2) == (3, 1)
    with np.errstate(over="raise"), pytest.raises(FloatingPointError):
        interruptible(True, np.exp, np.float64(1e4))


def test_a_thread_that_hears_no_interrupt_starts_no_other():
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(interruptible, True, threading.current_thread).result()
        assert found is pool.submit(threading.current_thread).result()
    assert interruptible(True, threading.current_thread) is not threading.main_thread()
