"""Sentences and tables have as many digits as it takes to see what differs."""

import math
import re

import numpy as np
import pytest

import fastcompare as fc
from fastcompare._base.text import differing_form, ends_of_range

RNG = np.random.default_rng(0)
N = 2000
Y = np.arange(N) % 2
BASE = RNG.normal(size=N) + Y
TINY = {
    name: BASE + size * (np.arange(N) % 50 == 0)
    for name, size in zip("abc", (0, 0.002, 0.004), strict=True)
}
TIME = np.exp(-BASE + RNG.normal(size=N))
PROBABILITIES = {name: 1.0 / (1.0 + np.exp(-x)) for name, x in TINY.items()}
ROUNDS = (
    0.8 + RNG.normal(0, 1e-3, (10, 1)) + np.array([0, 1e-6, 3e-6]) + RNG.normal(0, 1e-8, (10, 3))
)
RATINGS = RNG.normal(size=(1, 4, 60)) + np.arange(60) % 2
MORE = np.where(np.arange(60) % 10 == 1, 0.05, 0.0)  # of some positives
RATINGS = np.concatenate([RATINGS, RATINGS + MORE, RATINGS + 4.0 * MORE])
QUIET = {"on_undefined": "ignore"}
SEVERAL = {
    "delong_omnibus_test": lambda: fc.delong_omnibus_test(Y, TINY, **QUIET),
    "concordance_omnibus_test": lambda: fc.concordance_omnibus_test(TIME, np.ones(N, int), TINY),
    "mean_omnibus_test": lambda: fc.mean_omnibus_test(TINY),
    "rm_anova_test": lambda: fc.rm_anova_test(ROUNDS),
    "folds_unpaired_test": lambda: fc.folds_unpaired_test(dict(zip("abc", ROUNDS.T, strict=True))),
    "reader_study_test": lambda: fc.reader_study_test(RATINGS, truth=np.arange(60) % 2, **QUIET),
    "within_auc_omnibus_test": lambda: fc.within_auc_omnibus_test(
        Y, TINY, groups=np.arange(N) // 200, **QUIET
    ),
}
TWO = {
    "paired_mean_test": lambda: fc.paired_mean_test(ROUNDS[:, 0], ROUNDS[:, 1], method="t"),
    "ttest_corrected": lambda: fc.ttest_corrected(*ROUNDS.T[:2], n_train=90, n_test=10),
    "scoring_test": lambda: fc.scoring_test(Y, PROBABILITIES["a"], PROBABILITIES["b"]),
    "ratio_test": lambda: fc.ratio_test(
        ROUNDS[:, 0], np.ones(10), ROUNDS[:, 2], np.ones(10), method="t"
    ),
    "delong_test": lambda: fc.delong_test(Y, TINY["a"], TINY["b"], **QUIET),
    "ttest_unpaired": lambda: fc.ttest_unpaired(*ROUNDS.T[:2]),
    "reader_study_test": lambda: fc.reader_study_test(
        RATINGS[:2], truth=np.arange(60) % 2, **QUIET
    ),
}


@pytest.mark.parametrize("name", SEVERAL)
def test_the_ends_of_a_range_differ_as_the_models_do(name):
    told = SEVERAL[name]().summary()
    low, high = map(float, re.search(r"range[s]? from (\S+) to ([\d.]+)", told).groups())
    assert low < high, told
    assert high - low < 0.05  # the data are nearly alike


@pytest.mark.parametrize("name", TWO)
def test_two_numbers_in_a_sentence_show_their_difference(name):
    told = TWO[name]().summary()
    said = re.search(r"(?:are|is) ([\d.]+)(?: \([^)]*\)| over \d+ scores)? and ([\d.]+)", told)
    difference = float(re.search(r"a difference of (-?[\d.e-]+\d)", told)[1])
    one, other = map(float, said.groups())
    assert math.isclose(one - other, difference, rel_tol=0.15), told


def test_a_table_never_shows_0_beside_an_interval_that_leaves_it_out():
    shown = TWO["paired_mean_test"]().to_markdown()
    cells = [line.split("|")[2] for line in shown.splitlines() if line.startswith("| difference")]
    assert cells
    assert all(float(cell) != 0.0 for cell in cells)


@pytest.mark.parametrize("size", [1e-12, 1.0, 1e6])
def test_numbers_that_differ_by_rounding_alone_have_the_usual_digits(size):
    assert differing_form([0.3 * size, (0.1 + 0.2) * size], "g") == ".4g"
    assert differing_form([0.5 * size], "g") == ".4g"


def test_digits_show_two_of_the_difference():
    assert ends_of_range([0.1349, 0.1357]) == "0.13490 to 0.13570"
    assert ends_of_range([0.772, 0.84], "g") == "0.772 to 0.84"
    assert ends_of_range([0.8000124, 0.8000154], "g") == "0.8000124 to 0.8000154"
    assert ends_of_range([123456.0, 123457.0], "g") == "123456 to 123457"
    assert ends_of_range([-2.0, 0.0], "g") == "-2 to 0"
