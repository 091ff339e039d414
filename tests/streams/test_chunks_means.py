"""Means and losses in chunks: the same bits for any chunks, those of memory but for rounding."""

import math
import pickle
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction

import numba
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

import fastcompare as fc
from fastcompare._inference import clusters as cluster_totals
from fastcompare._inference import exact as exact_sums

QUIET = {"on_undefined": "ignore"}
NUMBERS = ("estimate", "standard_error", "df", "statistic", "pvalue", "log_pvalue")
WORDS = ("status", "method", "n", "n_dropped", "names")
compiled = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="many rows")


def cut(columns, *places):
    return list(zip(*(np.split(np.asarray(c), places) for c in columns), strict=True))


def same(found, want):
    """Whether two results are the same to the last bit."""
    assert repr(found.to_dict()) == repr(want.to_dict())


def near(found, want, rtol=1e-11):
    """Whether a result is that of memory but for rounding."""
    for name in NUMBERS:
        one, other = getattr(found, name), getattr(want, name)
        np.testing.assert_allclose(one, other, rtol=rtol, atol=1e-300, err_msg=name)
    for name in WORDS:
        assert getattr(found, name) == getattr(want, name)
    ends = found.confidence_interval(), want.confidence_interval()
    np.testing.assert_allclose(*ends, rtol=rtol, atol=1e-14)
    assert found.summary() == want.summary()
    assert found.to_dict().keys() == want.to_dict().keys()
    same(pickle.loads(pickle.dumps(found)), found)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=40))
def test_sums_are_exact(numbers):
    x = np.array(numbers, np.float64)
    unit = Fraction(1, 2**exact_sums.UNIT)
    assert exact_sums.exact_sum(x) * unit == sum(map(Fraction, numbers))
    squares = sum(Fraction(number) ** 2 for number in numbers)
    assert exact_sums.exact_squares(x) * unit**2 == squares


@compiled
def test_sums_of_many_numbers_have_room_in_their_words():
    x = np.full(exact_sums.ROWS + 5, -math.nextafter(2.0, 0.0))
    assert exact_sums.exact_sum(x) == x.size * exact_sums.exact_sum(x[:1])
    assert exact_sums.exact_squares(x) == x.size * exact_sums.exact_squares(x[:1])


@st.composite
def scored(draw):
    """Scores of two models, perhaps clusters, and where to cut and shuffle the rows."""
    n = draw(st.integers(1, 40))
    few, wide = st.integers(0, 2).map(float), st.floats(-1e90, 1e90)
    values = draw(st.sampled_from([few, wide, st.floats(0.0, 1.0, width=32)]))
    columns = [np.array(draw(st.lists(values, min_size=n, max_size=n))) for _ in range(2)]
    groups = None
    if draw(st.booleans()):
        groups = np.array(draw(st.lists(st.sampled_from("uvw"), min_size=n, max_size=n)))
    order = np.array(draw(st.permutations(range(n))))
    return columns, groups, order, sorted(draw(st.lists(st.integers(0, n), max_size=5)))


@settings(max_examples=80, deadline=None)
@given(case=scored(), few=st.booleans())
@compiled
def test_any_chunks_in_any_order_give_the_same_bits(case, few):
    columns, groups, order, places = case
    every = columns if groups is None else [*columns, groups]
    if 0.0 < max(np.abs(column).max() for column in columns) < 1e-100:
        return
    whole = fc.paired_mean_test([tuple(every)], **QUIET)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cluster_totals, "ROWS", 3 if few else 1 << 20)
        chunks = cut([column[order] for column in every], *places)
        same(fc.paired_mean_test(chunks, n_jobs=1 + few, **QUIET), whole)
    y = np.arange(order.size) % 2
    p, q = (1.0 / (1.0 + np.exp(-np.clip(x, -30.0, 30.0))) for x in columns)
    for rule in ("brier", "log"):
        every = [y, p, q] if groups is None else [y, p, q, groups]
        whole = fc.scoring_test([tuple(every)], rule=rule, **QUIET)
        chunks = cut([column[order] for column in every], *places)
        same(fc.scoring_test(chunks, rule=rule, **QUIET), whole)


@settings(max_examples=80, deadline=None)
@given(case=scored(), margin=st.sampled_from([0.0, 0.3]))
@compiled
def test_scores_in_chunks_give_the_test_in_memory(case, margin):
    columns, groups, order, places = case
    size = max(np.abs(column).max() for column in columns)
    if size > 10.0 or 0.0 < size < 1e-5:  # rounding of memory's own sums would show
        return
    claim = {"alternative": "greater", "margin": margin, **QUIET}
    want = fc.paired_mean_test(*columns, groups=groups, **claim)
    every = columns if groups is None else [*columns, groups]
    found = fc.paired_mean_test(cut([c[order] for c in every], *places), **claim)
    of_answers = ("score test", "paired t-test of dependent or weighted answers")
    if want.method.startswith(of_answers) and want.method != found.method:
        return  # chunks do not count values, but of answers that are right or wrong: t
    for name in (*WORDS, "n_clusters", "design"):
        assert getattr(found, name) == getattr(want, name)
    for name in NUMBERS:
        one, other = getattr(found, name), getattr(want, name)
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-15, err_msg=name)


def scores_of(n=600, seed=0):
    rng = np.random.default_rng(seed)
    groups = rng.integers(0, 40, n)
    a, b = rng.normal(size=(2, n)) + 0.5 * rng.normal(size=(2, 40))[:, groups]
    return a, b + 0.1, groups


def forecasts_of(n=600, seed=0):
    a, b, groups = scores_of(n, seed)
    y = (np.random.default_rng(seed + 1).random(n) < 1.0 / (1.0 + np.exp(-a - b))) * 1
    return y, 1.0 / (1.0 + np.exp(-2 * a)), 1.0 / (1.0 + np.exp(-b)), groups


@pytest.mark.parametrize("clustered", [False, True])
def test_options_have_the_same_meaning_in_chunks(clustered):
    a, b, groups = scores_of()
    linked = {"groups": groups} if clustered else {}
    chunks = cut((a, b, groups) if clustered else (a, b), 0, 100, 550)
    for options in (
        {},
        {"alternative": "less"},
        {"alternative": "greater", "margin": 0.05},
        {"alternative": "equivalence", "margin": 0.2},
    ):
        near(fc.paired_mean_test(chunks, **options), fc.paired_mean_test(a, b, **linked, **options))
    y, p, q, _ = forecasts_of()
    chunks = cut((y, p, q, groups) if clustered else (y, p, q), 0, 100, 550)
    for options in (
        {},
        {"rule": "log", "clip": 1e-3, "alternative": "less", "margin": 0.01},
        {"rule": "spherical", "alternative": "equivalence", "margin": 0.1},
        {"rule": lambda labels, p: np.abs(labels - p)},
    ):
        near(fc.scoring_test(chunks, **options), fc.scoring_test(y, p, q, **linked, **options))
    words = np.where(y == 1, "ill", "well")
    near(fc.scoring_test(cut((words, p, q), 3, 4), pos_label="ill"), fc.scoring_test(y, p, q))


@pytest.mark.parametrize("many", [10, 3000])
def test_skewed_differences_of_few_cases_are_warned_of(many):
    a, b = np.zeros(many), np.zeros(many)
    a[:2], b[2] = 1.0, 0.5
    want = fc.paired_mean_test(a, b, method="t", **QUIET)
    assert want.status == "small_sample"
    with pytest.warns(fc.SmallSampleWarning):
        near(fc.paired_mean_test(cut((a, b), 1, 5), method="t"), want)
    y = np.zeros(many, int)
    chunks = cut((y, a / 2, b / 2), 1, 5)
    for method in ("auto", "t"):
        given = {"method": method, **QUIET}
        near(fc.scoring_test(chunks, **given), fc.scoring_test(y, a / 2, b / 2, **given))


@pytest.mark.parametrize(
    "shape",
    [
        lambda chunks: lambda: iter(chunks),
        lambda chunks: [({"a": a, "b": b}, g) for a, b, g in chunks],
        lambda chunks: [(a.tolist(), pl.Series(b), pd.Series(g)) for a, b, g in chunks],
        lambda chunks: fc.scan_chunks(
            [pl.DataFrame({"a": a, "b": b, "g": g}) for a, b, g in chunks],
            scores=["a", "b"],
            groups="g",
        ),
    ],
)
def test_chunks_come_in_many_forms(shape):
    a, b, groups = scores_of()
    chunks = cut((a, b, groups), 100, 100, 107)
    same(fc.paired_mean_test(shape(chunks)), fc.paired_mean_test(chunks))
    near(fc.paired_mean_test(shape(chunks)), fc.paired_mean_test(a, b, groups=groups))


def test_files_are_read_by_row_groups_and_by_any_executor(tmp_path):
    a, b, groups = scores_of()
    y, p, q, _ = forecasts_of()
    columns = {"y": y, "a": a, "b": b, "p": p, "q": q, "d": a - b, "patient": groups}
    parquet.write_table(pa.table(columns), tmp_path / "x.parquet", row_group_size=70)
    scan = fc.scan_parquet(tmp_path, scores=["a", "b"], groups="patient")
    losses = fc.scan_parquet(tmp_path, label="y", scores=["p", "q"])
    means = fc.paired_mean_test(scan)
    near(means, fc.paired_mean_test(a, b, groups=groups))
    brier = fc.scoring_test(losses)
    assert brier.names == ("p", "q")
    assert brier.pvalue == pytest.approx(fc.scoring_test(y, p, q).pvalue, rel=1e-12)
    with ProcessPoolExecutor(2) as pool:
        for who in ({"n_jobs": 2}, {"executor": pool}):
            same(fc.paired_mean_test(scan, **who), means)
            same(fc.scoring_test(losses, **who), brier)
    alone = fc.paired_mean_test(fc.scan_parquet(tmp_path, scores="d"))
    near(alone, fc.paired_mean_test(a - b))
    with pytest.raises(ValueError, match="`scores_a` must be a scan without `label`"):
        fc.paired_mean_test(losses)


def test_memory_mapped_arrays_are_read_in_chunks(tmp_path, monkeypatch):
    from fastcompare._inputs.chunks import rows as chunks

    monkeypatch.setattr(chunks, "MAPPED_FROM", 500)
    monkeypatch.setattr(chunks, "MAPPED_ROWS", 77)
    mapped = []
    for i, column in enumerate(forecasts_of()):
        np.save(tmp_path / f"{i}.npy", column)
        mapped.append(np.load(tmp_path / f"{i}.npy", mmap_mode="r"))
    y, p, q, groups = forecasts_of()
    near(fc.scoring_test(*mapped[:3]), fc.scoring_test(y, p, q))
    near(fc.paired_mean_test(*mapped[1:3], groups=groups), fc.paired_mean_test(p, q, groups=groups))
    weighted = {"sample_weight": np.arange(600.0)}  # which need the items in memory
    same(fc.paired_mean_test(*mapped[1:3], **weighted), fc.paired_mean_test(p, q, **weighted))
    wilcoxon = {"method": "wilcoxon"}
    same(fc.scoring_test(*mapped[:3], **wilcoxon), fc.scoring_test(y, p, q, **wilcoxon))


def test_cases_that_miss_a_value_are_left_out_and_said_once():
    y, p, q, groups = (c[:60].astype(float) for c in forecasts_of())
    y[3] = p[10] = q[30] = groups[31] = math.nan
    p[20:30] = math.nan  # a chunk of its own
    for test, columns in ((fc.paired_mean_test, (p, q)), (fc.scoring_test, (y, p, q))):
        chunks = cut((*columns, groups), 20, 30, 31)
        with pytest.raises(ValueError, match=r"chunk \d: `\w+` has \d+ missing values?"):
            test(chunks)
        with pytest.warns(fc.DroppedCasesWarning) as warned:
            found = test(chunks, nan_policy="omit")
        assert len(warned) == 1
        with pytest.warns(fc.DroppedCasesWarning):
            want = test(*columns, groups=groups, nan_policy="omit")
        near(found, want)


def test_infinite_losses_leave_nothing_but_the_means():
    y, p, q, _ = forecasts_of(40)
    p, q = np.where(y == 1, p, 0.0), np.where(y == 1, q, 0.1)
    p[np.flatnonzero(y)[0]] = 0.0
    for a, b in ((p, q), (q, p), (p, p)):
        found = fc.scoring_test(cut((y, a, b), 7, 20), rule="log", **QUIET)
        want = fc.scoring_test(y, a, b, rule="log", **QUIET)
        assert found.losses.tolist() == pytest.approx(want.losses.tolist())
        assert (found.status, found.method) == (want.status, want.method)
        assert repr(found.estimate) == repr(want.estimate)
        assert math.isnan(found.pvalue)


@pytest.mark.parametrize(
    ("p", "q"),
    [(0.3, 0.3), (0.3, 0.2), (0.3, np.array([0.2, 0.2 + 1e-17, 0.2, 0.2 - 3e-17])), (1.0, 0.0)],
)
def test_differences_within_rounding_do_not_vary(p, q):
    y, p, q = np.zeros(4, int), np.resize(p, 4), np.resize(q, 4)
    for claim in ({}, {"alternative": "equivalence", "margin": 0.5}):
        claim = {**claim, "method": "t", **QUIET}
        found = fc.scoring_test(cut((y, p, q), 1, 3), **claim)
        want = fc.scoring_test(y, p, q, **claim)
        assert (found.status, found.pvalue) == (
            want.status,
            pytest.approx(want.pvalue, nan_ok=True),
        )
        assert found.standard_error == want.standard_error == 0.0


A, B, Y = np.array([0.1, 0.5, 0.3]), np.array([0.2, 0.9, 0.3]), np.array([0, 1, 1])


@pytest.mark.parametrize("options", [{}, {"groups": True}])
def test_rows_that_change_between_passes_are_noticed(options):
    a, b = np.zeros(9), np.zeros(9)
    a[0] = 1.0
    one = [(a, b, np.arange(9))] if options else [(a, b)]
    other = [tuple(column[1:] for column in one[0])]
    rounds = iter([one, one, other, other])
    with pytest.raises(ValueError, match="the same in every pass"):
        fc.paired_mean_test(lambda: next(rounds), **QUIET)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: fc.paired_mean_test([(A, B)], lags=2), ValueError, "`lags` is not supported for"),
        (
            lambda: fc.paired_mean_test([(A, B)], sample_weight=A),
            ValueError,
            "`sample_weight` is not supported for chunks",
        ),
        (lambda: fc.paired_mean_test([(A, B)], groups=Y), ValueError, "`groups` must come in the"),
        (
            lambda: fc.paired_mean_test([(A, B)], method="bootstrap"),
            ValueError,
            "`method` is not supported for chunks",
        ),
        (lambda: fc.scoring_test([(Y, A, B)], method="wilcoxon"), ValueError, "`method` is not"),
        (lambda: fc.scoring_test([(Y, A, B)], classes=[0, 1]), ValueError, "`classes` is not"),
        (lambda: fc.scoring_test([(Y, A, 2 * B)]), ValueError, "chunk 0: `y_prob_b` must contain"),
        (lambda: fc.scoring_test([(Y, A, B), (3 * Y, A, B)]), ValueError, "chunk 1: `y_true` must"),
        (lambda: fc.scoring_test([(Y, A, B)], pos_label=7), ValueError, "`pos_label` must be one"),
        (
            lambda: fc.scoring_test([(Y, A, B), (2 * Y - 1, A, B)], **QUIET),
            ValueError,
            "the same coding in all chunks",
        ),
        (lambda: fc.scoring_test(lambda: iter(())), ValueError, "at least one chunk, got none"),
        (lambda: fc.paired_mean_test([(A, B), (A,)]), ValueError, "chunk 1: every chunk must"),
        (
            lambda: fc.paired_mean_test([(A, B / 0.0)]),
            ValueError,
            "`scores_b` must contain f",
        ),
        (lambda: fc.paired_mean_test([(A, 1e200 * B)]), ValueError, "multiply all by one number"),
        (lambda: fc.paired_mean_test([(A[:0], B[:0])]), ValueError, "`scores_a` must contain"),
        (
            lambda: fc.paired_mean_test([(A, np.ones((3, 4)))]),
            ValueError,
            "chunk 0: `scores_b` must have one number for each item in chunks",
        ),
    ],
)
def test_chunks_that_cannot_be_read_say_why(call, error, message):
    with np.errstate(divide="ignore"), pytest.raises(error, match=message) as raised:
        call()
    assert isinstance(raised.value, fc.FastCompareError)


@pytest.mark.parametrize("clustered", [False, True])
def test_the_mean_of_one_model_is_that_in_memory(clustered):
    a, _, groups = scores_of()
    linked = {"groups": groups} if clustered else {}
    chunks = cut((a, groups) if clustered else (a,), 0, 100)
    found, want = fc.mean_interval(chunks, n_jobs=2), fc.mean_interval(a, **linked)
    assert found.summary() == want.summary()
    assert found.to_dict().keys() == want.to_dict().keys()
    assert found.planning(n=99).standard_error == pytest.approx(
        want.planning(n=99).standard_error, rel=1e-12
    )
    for name in ("estimate", "standard_error", "df"):
        assert getattr(found, name) == pytest.approx(getattr(want, name), rel=1e-12)
    scan = fc.scan_chunks({"forest": a, "g": groups}, scores="forest", groups="g")
    assert fc.mean_interval(scan).names == ("forest",)
    for scores in (np.ones(5), np.array([3.0]), np.eye(30)[0]):
        found = fc.mean_interval([(scores[:1],), (scores[1:],)], **QUIET)
        assert found.status == fc.mean_interval(scores, **QUIET).status
    with pytest.raises(ValueError, match="`strata` is not supported for chunks"):
        fc.mean_interval(chunks, strata=groups)
    with pytest.raises(ValueError, match="`executor` must be None for arrays in memory"):
        fc.mean_interval(a, executor=ProcessPoolExecutor(1))


def test_mapped_tables_stay_in_memory(tmp_path, monkeypatch):
    from fastcompare._inputs.chunks import rows as chunks

    monkeypatch.setattr(chunks, "MAPPED_FROM", 500)
    table = np.stack([*scores_of()[:2], scores_of()[0] * 2], axis=1)
    chances = np.exp(table) / np.exp(table).sum(axis=1, keepdims=True)
    mapped = []
    for i, each in enumerate((table, chances)):
        np.save(tmp_path / f"{i}.npy", each)
        mapped.append(np.load(tmp_path / f"{i}.npy", mmap_mode="r"))
    same(fc.paired_mean_test(mapped[0], mapped[0]), fc.paired_mean_test(table, table))
    assert fc.mean_interval(mapped[0]).summary() == fc.mean_interval(table).summary()
    y = table.argmax(axis=1)
    same(fc.scoring_test(y, mapped[1], chances), fc.scoring_test(y, chances, chances))
    two_ways = np.stack([y, y[::-1]], axis=1)
    a, b = mapped[0][:, 0], mapped[0][:, 1]
    same(
        fc.paired_mean_test(a, b, groups=two_ways),
        fc.paired_mean_test(table[:, 0], table[:, 1], groups=two_ways),
    )


def test_cases_in_one_cluster_have_no_variance():
    y, p, q, _ = forecasts_of(20)
    for test, columns in ((fc.paired_mean_test, (p, q)), (fc.scoring_test, (y, p, q))):
        with pytest.warns(fc.UndefinedResultWarning, match="too_few_clusters"):
            found = test(cut((*columns, y * 0), 4))
        assert np.isnan([found.standard_error, found.pvalue]).all()
