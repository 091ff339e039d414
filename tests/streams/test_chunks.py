"""DeLong's test of cases in chunks is the test of the same cases in memory."""

import math
import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial

import dask.array as da
import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastcompare as fc
from fastcompare._base.parallel import summarize, summarize_parts
from fastcompare._inputs.chunks.rows import Reader
from fastcompare.auc import _stream_cells as ordering
from fastcompare.auc import _streams as delong

EXACT = ("estimate", "auc", "n_positive", "n_negative", "n_dropped")
ALL = (*EXACT, "standard_error", "covariance", "statistic", "pvalue", "log_pvalue", "status")
QUIET = {"on_undefined": "ignore"}
SPECIAL = [0.0, -0.0, 5e-324, -5e-324, 1.0, math.nextafter(1.0, 2.0), 1e308, -1e308, 0.1]
SPECIAL += [math.inf, -math.inf, 2.0**53, 2.0**53 + 2.0, 0.30000000000000004, 0.3]
compiled = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="many rows")


def cut(columns, *places):
    """The chunks of columns that are cut at these places."""
    return list(zip(*(np.split(np.asarray(c), places) for c in columns), strict=True))


def equal(found, want, names=ALL):
    for name in names:
        np.testing.assert_array_equal(getattr(found, name), getattr(want, name), err_msg=name)


@st.composite
def chunked(draw):
    """Labels and two scores of tied and odd values, and where to cut and shuffle the rows."""
    n = draw(st.integers(1, 40))
    values = st.sampled_from(SPECIAL) if draw(st.booleans()) else st.floats(allow_nan=False)
    y = np.array(draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)), np.int64)
    a, b = (np.array(draw(st.lists(values, min_size=n, max_size=n))) for _ in range(2))
    order = np.array(draw(st.permutations(range(n))))
    places = sorted(draw(st.lists(st.integers(0, n), max_size=5)))  # equal ones: an empty chunk
    return (y, a, b), order, places


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(case=chunked())
@compiled
def test_few_values_give_the_bits_of_the_test_in_memory(case):
    columns, order, places = case
    want = fc.delong_test(*columns, **QUIET)
    if "skewness" in want.method:  # which chunks do without
        want = fc.delong_test(*columns, reference="t", **QUIET)
    found = fc.delong_test(cut([c[order] for c in columns], *places), **QUIET)
    equal(found, want)
    assert found.auc_exact
    undefined = math.isnan(want.standard_error)
    assert math.isnan(found.standard_error_bound) if undefined else not found.standard_error_bound


def continuous(n, kind="logistic", seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    a, b = (rng.normal(size=(2, n)) + 1.2 * y) * 0.8
    if kind == "logistic":
        a, b = (1.0 / (1.0 + np.exp(-x)) for x in (a, b))
    if kind == "confident":
        a, b = (1.0 - 10.0 ** -np.abs(5.0 * x) for x in (a, b))
    if kind == "spike":
        a, b = (np.where(rng.random(n) < 0.4, 0.3, x) for x in (a, b))
    if kind == "outliers":
        a[:5], b[:5] = 1e300, -1e300
    if kind == "far":
        a, b = (1e6 + x for x in (a, b))
    if kind == "steps":  # few values in each cell
        a, b = (0.5 + np.floor(2.0**15 / (1.0 + np.exp(-x))) / 2.0**16 for x in (a, b))
    if kind == "single":
        a, b = (x.astype(np.float32) for x in (a, b))
    return y, a, b


@pytest.mark.slow
@compiled
@pytest.mark.parametrize(
    "kind", ["normal", "logistic", "confident", "spike", "outliers", "far", "single", "steps"]
)
def test_many_values_give_exact_aucs_and_an_error_within_its_bound(kind, monkeypatch):
    monkeypatch.setattr(delong, "EXACT_VALUES", 1 << 12)
    monkeypatch.setattr(delong, "NUMBERS_OF_CELLS", (1 << 12, 1 << 16))
    monkeypatch.setattr(ordering, "MOST_BYTES", 1 << 17)  # so that order takes several passes
    y, *_ = columns = continuous(60_000, kind)
    want = fc.delong_test(*columns)
    found = fc.delong_test(cut(columns, 1, 20_000, 20_000, 59_999))
    equal(found, want, EXACT)
    bound = found.standard_error_bound
    assert 0.0 < bound < 1e-3 * want.standard_error
    assert abs(found.standard_error - want.standard_error) <= bound
    low, high = found.pvalue_bounds
    assert low <= want.pvalue <= high
    assert np.diag(found.covariance).tolist() == np.diag(want.covariance).tolist()
    order = np.random.default_rng(1).permutation(y.size)
    monkeypatch.setattr(ordering, "WIDE_FROM", 0)  # as of 2^31 cases
    again = fc.delong_test(cut([c[order] for c in columns], *range(0, 60_000, 7001)), n_jobs=2)
    equal(again, found, (*ALL, "standard_error_bound", "pvalue_bounds"))


@pytest.mark.slow
@compiled
def test_threads_share_the_room_of_cells_with_many_cases_of_few_values(monkeypatch):
    monkeypatch.setattr(delong, "EXACT_VALUES", 1 << 8)
    stored, finalize = [], ordering.DenseCells.finalize
    monkeypatch.setattr(
        ordering.DenseCells, "finalize", lambda *a: stored.append(a[0]) or finalize(*a)
    )
    columns = continuous(30_000, "steps")
    chunks = cut(columns, *range(0, 30_000, 4001))
    found = fc.delong_test(chunks, n_jobs=2)
    assert [own.wanted.any() for own in stored] == [True, True]
    equal(found, fc.delong_test(*columns), EXACT)
    with ThreadPoolExecutor(2) as executor:  # whose memory may be that of other machines
        equal(fc.delong_test(chunks, executor=executor), found)
    equal(fc.delong_test(*(da.from_array(c, chunks=4001) for c in columns)), found)
    assert len(stored) == 2


@pytest.mark.slow
@compiled
def test_options_have_the_same_meaning_in_chunks():
    columns = continuous(3000, seed=3)
    chunks = cut(columns, 700, 1500)
    for options in (
        {"reference": "t"},
        {"alternative": "greater", "margin": 0.01},
        {"alternative": "equivalence", "margin": 0.02, "reference": "t"},
        {"alternative": "less"},
    ):
        equal(fc.delong_test(chunks, **options), fc.delong_test(*columns, **options))
    y, a, _ = columns
    near = y, a, np.where(np.arange(y.size) < 3, 0.5, a)  # most cases alike
    claim = {"alternative": "greater", "margin": 0.01}
    equal(fc.delong_test(cut(near, 900), **claim), fc.delong_test(*near, **claim))
    words = np.where(y == 1, "ill", "well")
    chunks = cut((words, *columns[1:]), 1, 2, 5)  # not every chunk has both
    equal(fc.delong_test(chunks, pos_label="ill"), fc.delong_test(*columns))


@pytest.mark.slow
@compiled
def test_the_bound_covers_degrees_of_freedom_and_models_that_are_nearly_alike(monkeypatch):
    monkeypatch.setattr(delong, "EXACT_VALUES", 1 << 10)
    monkeypatch.setattr(delong, "NUMBERS_OF_CELLS", (1 << 8,))
    y, a, _ = continuous(20_000, seed=5)
    b = a + np.random.default_rng(0).normal(scale=1e-5, size=a.size)
    want = fc.delong_test(y, a, b, reference="t")
    with pytest.warns(fc.UndefinedResultWarning, match="pvalue_bounds"):
        found = fc.delong_test(cut((y, a, b), 9000), reference="t")
    assert found.status == "wide_bound"
    assert abs(found.standard_error - want.standard_error) <= found.standard_error_bound
    assert found.pvalue_bounds[0] <= want.pvalue <= found.pvalue_bounds[1]
    alike = fc.delong_test(cut((y, a, a), 9000))
    equal(alike, fc.delong_test(y, a, a))
    assert alike.standard_error_bound == 0.0


@pytest.mark.slow
@compiled
def test_a_covariance_of_chunks_is_within_its_bound(monkeypatch):
    y, a, b = continuous(6000, seed=2)
    table = np.stack([a, b, a + b, a.round(1)], axis=1)
    want = fc.delong_covariance(y, table)
    found = fc.delong_covariance(cut((y, table), 10, 3000))
    equal(found, want, ("auc", "covariance", "names", "n_positive", "status"))
    monkeypatch.setattr(delong, "EXACT_VALUES", 1 << 8)
    found = fc.delong_covariance(cut((y, table), 10, 3000))
    assert (abs(found.covariance - want.covariance) <= found.covariance_bound).all()
    assert found.auc.tolist() == want.auc.tolist()
    assert not np.diag(found.covariance_bound).any()
    one = fc.delong_covariance(lambda: iter(cut((y, a), 10)))
    equal(one, fc.delong_covariance(y, a), ("auc", "covariance"))


@pytest.mark.slow
@compiled
def test_all_pairs_of_models_in_chunks(monkeypatch):
    y, a, b = continuous(6000, seed=4)
    table = {"a": a, "b": b, "c": a + b, "twin of a": a}
    chunks = [
        (y[rows], {k: v[rows] for k, v in table.items()}) for (rows,) in cut([range(6000)], 99)
    ]
    fields = ("names", "auc", "covariance", "estimate", "standard_error", "statistic", "df")
    fields += ("pvalue", "adjusted_pvalue", "status", "n_positive", "n_negative", "n_dropped")
    for options in ({}, {"reference": "t", "alternative": "greater", "correction": "holm"}):
        found = fc.delong_pairwise_test(chunks, **options)
        want = fc.delong_pairwise_test(y, table, **options)
        equal(found, want, fields)
        assert found.summary() == want.summary()
        assert not found.standard_error_bound.any()
        intervals = [r.confidence_interval(simultaneous=True) for r in (found, want)]
        np.testing.assert_array_equal(*intervals)
        np.testing.assert_array_equal(found.auc_interval(), want.auc_interval())
    monkeypatch.setattr(delong, "EXACT_VALUES", 1 << 8)
    with ThreadPoolExecutor(2) as executor:
        found = fc.delong_pairwise_test(chunks, executor=executor)
    want = fc.delong_pairwise_test(y, table)
    assert found.auc.tolist() == want.auc.tolist()
    far = abs(found.standard_error - want.standard_error)
    assert (far <= found.standard_error_bound).all()
    assert found.standard_error_bound.tolist() == pytest.approx([0, 0, 0, 0, 0, 0], abs=1e-4)
    one = fc.delong_pairwise_test([(y[:99], a[:99], b[:99]), (y[99:], a[99:], b[99:])])
    assert one.pvalue.tolist() == [fc.delong_test(y, a, b).pvalue]
    with pytest.raises(ValueError, match="at least two models, got one"):
        fc.delong_pairwise_test([(y, a)])
    with pytest.raises(ValueError, match="`groups` is not supported for chunks"):
        fc.delong_pairwise_test(chunks, groups=y)


@compiled
def test_memory_mapped_arrays_are_read_in_chunks(tmp_path, monkeypatch):
    from fastcompare._inputs.chunks import rows as chunks

    monkeypatch.setattr(chunks, "MAPPED_FROM", 1000)
    monkeypatch.setattr(chunks, "MAPPED_ROWS", 700)
    columns = continuous(2000)
    mapped = []
    for i, column in enumerate(columns):
        np.save(tmp_path / f"{i}.npy", column)
        mapped.append(np.load(tmp_path / f"{i}.npy", mmap_mode="r"))
    equal(fc.delong_test(*mapped), fc.delong_test(*columns))
    equal(fc.delong_covariance(mapped[0], mapped[1]), fc.delong_covariance(*columns[:2]), EXACT[1:])
    weighted = {"sample_weight": np.arange(2000.0)}  # which need the cases in memory
    equal(fc.delong_test(*mapped, **weighted), fc.delong_test(*columns, **weighted))
    equal(fc.delong_test(mapped[0], *columns[1:]), fc.delong_test(*columns))
    with pytest.raises(ValueError, match="must have one length, got 2000, 2000, 10"):
        fc.delong_test(*mapped[:2], columns[2][:10])
    with pytest.raises(TypeError, match="`y_score_b` must be specified"):
        fc.delong_test(*mapped[:2])


def problem_parts(n=200):
    return list(enumerate(cut(continuous(n), 50, 60, 61)))


def test_merging_is_associative_and_does_not_depend_on_the_order():
    empty = partial(ordering.CellCounts.empty, Reader(2), [None] * 2)
    one, two, three, four = (summarize(empty, [part]) for part in problem_parts())
    whole = summarize(empty, problem_parts())
    three.merge(four)
    two.merge(three)
    two.merge(pickle.loads(pickle.dumps(one)))
    for own, want in zip(two.models, whole.models, strict=True):
        assert (own.counts == want.counts).all()
        assert (own.ends == want.ends).all()
    assert (two.bits, two.label_values, two.n_dropped) == (
        whole.bits,
        whole.label_values,
        whole.n_dropped,
    )


@pytest.mark.slow
@compiled
@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_any_executor_gives_the_same_bits(pool):
    columns = continuous(5000)
    with pool(2) as executor:
        found = fc.delong_test(cut(columns, *range(0, 5000, 300)), executor=executor)
    equal(found, fc.delong_test(*columns))


def test_a_failure_in_one_thread_ends_the_others():
    read = []

    class Failing:
        def add(self, part):
            read.append(part)
            raise KeyError(part)

        def merge(self, other):
            raise AssertionError

    with pytest.raises(KeyError):
        summarize_parts(Failing, range(1000), n_jobs=2)
    assert len(read) <= 2
