"""The study of claims about AUCs that barely differ: what it draws, counts and prints."""

import numpy as np
import pytest

from studies import claims


@pytest.mark.parametrize("kind", claims.KINDS)
def test_models_differ_by_the_margin(kind):
    rng, margin, m, n = np.random.default_rng(1), 0.1, 4000, 4000
    a, b = claims.copies(m, n, margin, claims.KINDS[kind], rng)
    aucs = [(s[:m, None] > s[m:]).mean() for s in (a, b)]
    assert aucs[1] == pytest.approx(claims.AUC, abs=0.015)
    assert aucs[0] == pytest.approx(claims.AUC - margin, abs=0.02)


@pytest.mark.slow
def test_z_alone_claims_too_often_for_copies_and_the_test_does_not():
    alone, bounded = claims.level("copy, rare flips", (50, 50), 0.05, trials=150)
    assert alone > 0.07
    assert bounded < 0.05


def test_both_tables_are_shown(requires_jit):
    cells = [*claims.LEVELS, *claims.COVERAGES]
    found = [claims.measure(cell, trials=1) for cell in cells[:1] + cells[-1:]]
    shares = [found[0] if cell[0] == "level" else found[1] for cell in cells]
    first, second = claims.show(cells, shares).split("\n\n")
    assert len(first.splitlines()) == 2 + len(claims.LEVELS)
    assert len(second.splitlines()) == 2 + len(claims.COVERAGES)
    assert len(set(second.splitlines()[2:])) == len(claims.COVERAGES)
