"""Losses and means of chunks where clusters are few, or differences tiny or far from 0."""

from fractions import Fraction

import numpy as np
import pytest

import fastcompare as fc

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
