"""Intervals of agreement cover with few errors, too: the definition, and all tables at once."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.special import gammaln, ndtri

import fastcompare as fc
from fastcompare.raters._measures import MEASURES, kappa_estimate, kappa_measure
from tests.shared.agreement_measures import SINGLE, quiet

Z = -ndtri(0.025)
COUNTS = st.lists(st.integers(0, 40), min_size=4, max_size=4).filter(any)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(counts=COUNTS, level=st.sampled_from([0.8, 0.95, 0.99]))
def test_adjusted_intervals_are_walds_of_a_table_with_more_cases(counts, level):
    z = -ndtri((1 - level) / 2)
    more = (np.reshape(counts, (2, 2)) + z * z / 4).tolist()
    for measure, method in (("cohen_kappa", "fleiss"), ("correlation", "artanh")):
        chosen = MEASURES[measure]
        estimate = chosen.estimate(np.array(more))
        radius = z * chosen.error(np.array(more), estimate)
        found = quiet(measure, np.reshape(counts, (2, 2)).tolist(), confidence_level=level)
        want = np.clip((estimate - radius, estimate + radius), -1, 1)
        assert_allclose(found.confidence_interval(), want, rtol=1e-12)
        old = quiet(measure, np.reshape(counts, (2, 2)).tolist(), method=method)
        assert_allclose(old.estimate, found.estimate)
        assert not found.estimate > found.confidence_interval(0.95).high + 1e-9
        assert not found.estimate < found.confidence_interval(0.95).low - 1e-9


def test_cases_are_added_by_the_distances_of_labels_in_cohen_kappa():
    """By hand for 3 labels: half on the diagonal, off it 1, 1 and 4 parts of a half twice."""
    k = [[20, 10, 5], [3, 30, 15], [0, 5, 40]]
    z2 = Z * Z
    off = z2 / 2 / 12
    added = [[z2 / 6, off, 4 * off], [off, z2 / 6, off], [4 * off, off, z2 / 6]]
    more = np.array(k) + np.array(added)
    squares = np.subtract.outer(range(3), range(3)) ** 2.0
    p = more / more.sum()
    rows, columns = p.sum(axis=1), p.sum(axis=0)
    chance = rows @ squares @ columns
    centre = 1 - (p * squares).sum() / chance
    means = (squares @ columns)[:, None] + (rows @ squares)[None]
    influence = (means * (1 - centre) - squares) / chance - (1 - centre)
    radius = Z * math.sqrt((p * influence**2).sum() / more.sum())
    found = fc.cohen_kappa(k, on="labels", weights="quadratic").confidence_interval()
    assert_allclose(found, (centre - radius, centre + radius), rtol=1e-12)


def test_yules_interval_is_that_of_agresti_in_yule_q():
    """Two cases more, spread by the margins."""
    found = fc.yule_q([[150, 25], [15, 10]]).confidence_interval()
    a, b = 150 + 2 * 175 * 165 / 200**2, 25 + 2 * 175 * 35 / 200**2
    c, d = 15 + 2 * 25 * 165 / 200**2, 10 + 2 * 25 * 35 / 200**2
    radius = Z * math.sqrt(1 / a + 1 / b + 1 / c + 1 / d)
    want = [math.tanh((math.log(a * d / (b * c)) + s * radius) / 2) for s in (-1, 1)]
    assert_allclose(found, want, rtol=1e-12)
    assert tuple(quiet("yule_q", [[30, 3], [0, 0]]).confidence_interval()) == (-1.0, 1.0)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(counts=COUNTS)
def test_swapping_models_or_answers_leaves_or_turns_intervals(counts):
    table = np.reshape(counts, (2, 2))
    for measure in ("cohen_kappa", "correlation", "yule_q"):
        low, high = quiet(measure, table.tolist()).confidence_interval()
        for same in (table.T, table[::-1, ::-1]):
            assert_allclose(quiet(measure, same.tolist()).confidence_interval(), (low, high))
    for measure in ("correlation", "yule_q"):
        low, high = quiet(measure, table.tolist()).confidence_interval()
        turned = quiet(measure, table[::-1].tolist()).confidence_interval()
        assert_allclose(turned, (-high, -low), atol=1e-12)


def tables_of(n):
    """All 2 x 2 tables of n cases, (2, 2, T)."""
    cells = np.array([t for t in itertools.product(range(n + 1), repeat=3) if sum(t) <= n]).T
    return np.concatenate([cells, n - cells.sum(axis=0, keepdims=True)]).reshape(2, 2, -1) * 1.0


def chances(tables, p):
    n = tables[:, :, 0].sum()
    logs = gammaln(n + 1) + (tables * np.log(p)[:, :, None] - gammaln(tables + 1)).sum(axis=(0, 1))
    return np.exp(logs)


CASES = [(0.6, 0.6, 0.2), (0.8, 0.8, 0.4), (0.9, 0.9, 0.6), (0.95, 0.9, 0.4), (0.95, 0.95, 0.9)]


@pytest.mark.parametrize("accuracies", CASES)
@pytest.mark.parametrize("measure", ["cohen_kappa", "correlation", "yule_q"])
def test_intervals_cover_all_tables_of_30_cases_as_often_as_they_say(measure, accuracies):
    a, b, kappa = accuracies
    both = kappa * (a * (1 - b) + b * (1 - a)) / 2
    p = np.array(
        [[a * b + both, a * (1 - b) - both], [(1 - a) * b - both, (1 - a) * (1 - b) + both]]
    )
    tables, chosen = tables_of(30), MEASURES[measure]
    truth = float(chosen.estimate(p[:, :, None])[0])
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = chosen.estimate(tables)
        error = chosen.error(tables, estimate)
        ends = [interval(tables, estimate, error, Z) for interval in chosen.intervals.values()]
    chance = chances(tables, p)
    assert_allclose(chance.sum(), 1.0)
    new, old = (chance[(low <= truth) & (truth <= high)].sum() for low, high in ends)
    assert 0.945 < new < 0.999
    if a >= 0.9:
        assert old < 0.9


@pytest.mark.parametrize("k", [3, 5])
@pytest.mark.parametrize("power", [0, 1, 2])
def test_intervals_of_several_labels_cover_as_often_as_they_say(k, power):
    d = np.abs(np.subtract.outer(np.arange(k), np.arange(k))) * 1.0
    d = (d > 0) * 1.0 if power == 0 else d**power
    each = np.full((k, k), 0.1 / (k - 1)) + np.eye(k) * (0.9 - 0.1 / (k - 1))
    p = each.T @ each / k  # two raters who are right on 90% of the cases
    truth = float(kappa_estimate(p, d))
    tables = np.random.default_rng(k).multinomial(40, p.ravel(), 20_000).T.reshape(k, k, -1) * 1.0
    low, high = kappa_measure(d).intervals["adjusted"](tables, truth, truth, Z)
    assert 0.935 < ((low <= truth) & (truth <= high)).mean() < 0.99


@pytest.mark.parametrize(
    ("measure", "method", "table", "warns"),
    [
        ("cohen_kappa", "fleiss", [[50, 4], [9, 9]], True),
        ("cohen_kappa", "fleiss", [[50, 5], [9, 9]], False),
        ("correlation", "artanh", [[50, 5], [9, 4]], True),
        ("yule_q", "woolf", [[50, 5], [1, 9]], True),
        ("yule_q", "woolf", [[50, 5], [5, 9]], False),
        ("yule_q", "agresti", [[50, 1], [1, 1]], False),
    ],
)
def test_intervals_that_need_more_cases_say_so(measure, method, table, warns):
    found = quiet(measure, table, method=method)
    assert (found.status == "small_sample") is warns
    if warns:
        with pytest.warns(fc.SmallSampleWarning, match="; method='a.*' covers"):
            SINGLE[measure](table, method=method)


def test_kappa_of_labels_needs_disagreement_and_agreement_on_several_labels_in_cohen_kappa():
    few_apart = [[40, 1, 1], [0, 30, 1], [1, 0, 20]]
    one_label = [[90, 9, 3], [5, 2, 1], [4, 1, 1]]
    enough = [[40, 3, 2], [0, 30, 1], [1, 0, 20]]
    for table, word in ((few_apart, "small_sample"), (one_label, "small_sample"), (enough, "ok")):
        found = fc.cohen_kappa(table, on="labels", method="fleiss", on_undefined="ignore")
        assert found.status == word


def test_the_bootstrap_of_agreement_needs_five_cases_of_each_kind():
    with pytest.warns(fc.SmallSampleWarning, match="double fault"):
        found = fc.agreement([[50, 9], [8, 4]], method="bootstrap", n_resamples=99, rng=0)
    assert found.double_fault.status == found.cohen_kappa.status == "small_sample"
    assert found.disagreement.status == "ok"


@pytest.mark.parametrize("measure", ["cohen_kappa", "yule_q", "correlation"])
def test_unknown_intervals_are_refused(measure):
    with pytest.raises(fc.InvalidValueError, match="`method` must be one of"):
        SINGLE[measure]([[5, 1], [1, 1]], method="wald")


def test_one_label_has_no_kappa_and_leaks_no_warning_of_the_host_in_cohen_kappa():
    found = fc.cohen_kappa([0] * 5, [0] * 5, [0] * 5, on="labels", on_undefined="ignore")
    with np.errstate(all="raise"):
        assert np.isnan(found.confidence_interval()).all()
    assert found.status == "constant_answers"
