"""Long calls are made of short ones, between which an interrupt is heard, with the same results."""

import threading
import time

import numpy as np
import pytest

import fastcompare as fc
from fastcompare._compare.auc import components
from fastcompare._inputs.workers import ALONE
from fastcompare._resampling import tables
from fastcompare._resampling.bootstrap import Draws


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
    monkeypatch.setattr(components, "COMPARED", compared)
    parts = fc.delong_test(labels, *scores.T, method="heaviside").to_dict()
    assert repr(parts) == repr(whole)
    assert max(placed) == max(1, compared // 60)
    assert sum(placed) == 2 * 30


def test_tables_are_drawn_in_parts_with_the_same_result(monkeypatch):
    table, draws = np.array([[15, 2], [3, 40]]), Draws(n=100, seed=7, workers=ALONE)
    whole = tables.redrawn_tables(table, draws)
    monkeypatch.setattr(tables, "CALL", 4 * 7)
    np.testing.assert_array_equal(tables.redrawn_tables(table, draws), whole)


def test_an_interrupt_stops_other_threads_between_two_models(monkeypatch):
    labels, scores = cases(3000, 80)
    main, others = threading.main_thread(), []

    def place(scores, labels, scratch, out):
        if threading.current_thread() is main:
            raise KeyboardInterrupt
        others.append(len(others))
        time.sleep(0.002)

    monkeypatch.setattr(components, "placer", lambda method, size: place)
    with pytest.raises(KeyboardInterrupt):
        fc.delong_covariance(labels, scores, n_jobs=2)
    assert len(others) < 40
