"""The study of labels measures what the public functions do."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import binom

import fastcompare as fc
from studies import label_levels as study

pytestmark = pytest.mark.slow

QUIET = {"on_undefined": "ignore"}


def test_coverage_is_that_of_the_public_intervals():
    n, p, q = (6, 9), 0.9, 0.7
    held, wald = 0.0, 0.0
    for x, y in itertools.product(range(7), range(10)):
        chance = binom.pmf(x, n[0], p) * binom.pmf(y, n[1], q)
        options = {"correct": (x, y), "n": n, **QUIET}
        low, high = fc.two_proportions_unpaired_test(**options).confidence_interval()
        held += chance * (low <= p - q <= high)
        plain = fc.two_proportions_unpaired_test(**options, variance="unpooled")
        low, high = plain.confidence_interval()  # an exact bound where Wald's is a single point
        wald += chance * (plain.standard_error > 0 and low <= p - q <= high)
    found = study.coverage(n, p, q)
    assert_allclose((found[0], found[2]), (held, wald), atol=1e-6)


def test_silent_levels_are_those_without_a_warning():
    n, p, found = (10, 30), 0.93, []
    for alternative in ("two-sided", "greater", "less"):
        for x, y in itertools.product(range(11), range(31)):
            options = {"correct": (x, y), "n": n, "alternative": alternative, **QUIET}
            result = fc.two_proportions_unpaired_test(**options)
            chance = binom.pmf(x, n[0], p) * binom.pmf(y, n[1], p) * (result.pvalue < 0.05)
            found.append((chance, chance * (result.status != "small_sample")))
    want = np.array(found).reshape(3, -1, 2).sum(axis=1).T.ravel()
    assert_allclose(study.levels_of_shares(n, p), want, rtol=1e-9)


@pytest.mark.parametrize("measure", ["cohen_kappa", "correlation"])
def test_defaults_cover_where_others_do_not(measure):
    found = study.measure(study.Answers(measure, 30), trials=0)
    assert found["least"][0] > 0.94 > 0.2 > found["least"][1]
    assert 0.96 < found["mean"][0] < 0.975
    assert found["low"][0] == 0.0


def test_every_kind_of_cell_has_a_row_as_long_as_the_head_of_its_table():
    cells = [
        study.Shares((3, 4)),
        study.Answers("disagreement", 100),
        study.Answers("yule_q", 100),
        study.Raters(3, "linear"),
        study.Kappas((0.5, 0.5), 30),
    ]
    text = study.show(cells, [study.measure(cell, trials=20) for cell in cells])
    tables = [part for part in text.split("\n\n") if part.startswith("|")]
    assert len(tables) == 4
    for table in tables:
        assert len({line.count("|") for line in table.splitlines()}) == 1
