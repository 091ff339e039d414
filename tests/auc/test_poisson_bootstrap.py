"""bootstrap_auc_test(method="poisson"): independent weights, keyed by seed and row number."""

import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import fastcompare as fc
from fastcompare._base.parallel import summarize, summarize_parts
from fastcompare._inputs.chunks import rows as inputs
from fastcompare._inputs.options import hash_seed
from fastcompare._resampling.weights import PoissonRows, draw_poisson_weights
from fastcompare.auc import _streams as rows
from tests.reference import bootstrap as reference

LANES = 64
OPTIONS = {"method": "poisson", "n_resamples": 70, "rng": 5, "keep": True}
QUIET = {"on_undefined": "ignore"}
SAME = ("estimate", "pvalue", "standard_error", "distribution", "auc", "status", "n_left_out")
compiled = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="many rows")


def cases(n, seed=0, digits=1):
    """Labels and scores of two models, many of which are tied."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    return y, *(rng.normal(size=(2, n)) + y).round(digits)


def cut(columns, *places):
    """The chunks of columns that are cut at these places."""
    return list(zip(*(np.split(c, places) for c in columns), strict=True))


def equal(found, want):
    for name in SAME:
        np.testing.assert_array_equal(getattr(found, name), getattr(want, name), err_msg=name)
    np.testing.assert_array_equal(found.confidence_interval(), want.confidence_interval())


def weights_of(numbers, block, seed):
    """The weights (rows, 64) of rows with these numbers."""
    weights = np.empty((len(numbers), LANES), np.uint8)
    draw_poisson_weights(np.array(numbers, np.uint32), block, seed, weights)
    return weights


def test_weights_are_counts_by_inversion_of_numbered_bits():
    numbers, block, seed = [0, 3, 2**32 - 1], 2, 2**63 + 11
    for number, row in zip(numbers, weights_of(numbers, block, seed), strict=True):
        for lane in range(0, LANES, 9):
            want = reference.poisson_count(
                number, block, lane, seed=seed, rate=1, purposes=reference.INDEPENDENT
            )
            assert row[lane] == want


@pytest.mark.slow
def test_a_weight_that_needs_more_bits_gets_them(requires_jit):
    weights, near = weights_of(range(4000), 0, 7), 0
    first, _ = reference.INDEPENDENT
    edges = {level >> 64 for level in reference.poisson_levels(1)}
    for number in range(200):
        for lane in range(LANES):
            if reference.draw_of(number, 0, lane, 7, first) in edges:
                near += 1
                assert weights[number, lane] == reference.poisson_count(
                    number, 0, lane, seed=7, rate=1, purposes=reference.INDEPENDENT
                )
    assert near > 0
    counts = np.bincount(weights.ravel(), minlength=5)[:5] / weights.size
    want = np.exp(-1.0) / np.array([1, 1, 2, 6, 24])
    assert (abs(counts - want) < 5.0 * np.sqrt(want / weights.size)).all()
    assert abs(np.corrcoef(weights[:-1].ravel(), weights[1:].ravel())[0, 1]) < 5 / 500


@pytest.mark.slow
def test_a_weight_does_not_depend_on_the_other_rows():
    order = np.random.default_rng(0).permutation(150)
    drawn, every = weights_of(order, 1, 9), np.empty((150, LANES), np.uint8)
    PoissonRows(150, 9).draw(1, every, lambda: None)
    assert (drawn == every[order]).all()


@pytest.mark.slow
def test_replicates_are_the_aucs_of_weighted_cases_by_their_definition_in_bootstrap_auc_test():
    y, a, b = columns = cases(13, seed=2)
    drawn = np.concatenate([weights_of(range(13), block, hash_seed(5)) for block in (0, 1)], axis=1)
    want = []
    for weights in drawn.T[: OPTIONS["n_resamples"]].tolist():
        (won_a, pairs), (won_b, _) = (reference.wins(y, s, weights) for s in (a, b))
        if pairs:
            want.append(float((won_a - won_b) / pairs))
    for arguments in (columns, (cut(columns, 4, 9),)):
        found = fc.bootstrap_auc_test(*arguments, **OPTIONS, **QUIET)
        assert found.distribution.tolist() == want
        assert found.n_left_out == OPTIONS["n_resamples"] - len(want)
        assert (found.method, found.resampling) == ("Poisson bootstrap", "Poisson weights")


@st.composite
def chunked(draw):
    """Labels and two scores of few values, and where to cut the rows."""
    n = draw(st.integers(1, 40))
    y = np.array(draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)), np.int64)
    values = st.sampled_from([0.0, -0.0, 5e-324, 1.0, np.inf, -1e308, 0.3, 0.30000000000000004])
    a, b = (np.array(draw(st.lists(values, min_size=n, max_size=n))) for _ in range(2))
    places = sorted(draw(st.lists(st.integers(0, n), max_size=5)))
    return (y, a, b), places, draw(st.integers(1, 50))


@pytest.mark.slow
@compiled
@settings(max_examples=40, deadline=None)
@given(case=chunked())
def test_chunks_and_windows_do_not_matter_in_bootstrap_auc_test(case):
    columns, places, held = case
    want = fc.bootstrap_auc_test(*columns, **OPTIONS, **QUIET)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows, "MOST_STORED", held)
        equal(fc.bootstrap_auc_test(cut(columns, *places), **OPTIONS, **QUIET), want)


@pytest.mark.slow
@compiled
@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_threads_executors_and_files_do_not_matter(pool, monkeypatch, tmp_path):
    y, a, b = columns = cases(40_000, seed=3, digits=12)
    monkeypatch.setattr(
        rows, "MOST_STORED", 9000
    )  # cells are divided: 10,000 scores lie close together
    a[:10_000] = 0.5 + 1e-9 * np.arange(10_000)
    want = fc.bootstrap_auc_test(*columns, **OPTIONS)
    chunks = cut(columns, 10, 999, 30_000)
    heard = []
    found = fc.bootstrap_auc_test(
        chunks, **OPTIONS, n_jobs=2, progress=lambda done, total: heard.append((done, total))
    )
    equal(found, want)
    assert heard == sorted(heard)
    assert heard[-1][0] == heard[-1][1] == 20
    with pool(2) as executor:
        equal(fc.bootstrap_auc_test(chunks, **OPTIONS, executor=executor), want)
    table = {"y": y, "a": a, "b": b}
    halves = [{name: x[part] for name, x in table.items()} for part in (slice(7), slice(7, None))]
    scan = fc.scan_chunks(halves, label="y", scores=["a", "b"])
    equal(fc.bootstrap_auc_test(scan, **OPTIONS), want)
    monkeypatch.setattr(inputs, "MAPPED_FROM", 1000)
    monkeypatch.setattr(inputs, "MAPPED_ROWS", 17_000)
    for name, column in table.items():
        np.save(tmp_path / name, column)
    mapped = [np.load(tmp_path / f"{name}.npy", mmap_mode="r") for name in table]
    equal(fc.bootstrap_auc_test(*mapped, **OPTIONS), want)


@pytest.mark.slow
@compiled
def test_arrays_of_dask_give_the_bits_of_arrays_in_memory_in_bootstrap_auc_test(monkeypatch):
    array = pytest.importorskip("dask.array")
    monkeypatch.setattr(rows, "MOST_STORED", 300)
    columns = cases(900, seed=9)
    lazy = [array.from_array(column, chunks=250) for column in columns]
    equal(fc.bootstrap_auc_test(*lazy, **OPTIONS), fc.bootstrap_auc_test(*columns, **OPTIONS))


def test_summaries_merge_in_any_order():
    columns = cases(60, seed=4)
    parts = list(enumerate(cut(columns, 20, 21, 45)))
    reader = inputs.Reader(2)
    survey = partial(rows.CellCounts.empty, reader, [None, None])
    one, two = summarize(survey, parts[2:]), summarize(survey, parts[:2])
    one.merge(pickle.loads(pickle.dumps(two)))
    assert dict(sorted(one.sizes.items())) == {0: 20, 1: 1, 2: 24, 3: 15}
    windows = [rows.score_windows(model)[0] for model in one.models]
    found = partial(rows.CollectedScores.empty, reader, {0: 0, 1: 20, 2: 21, 3: 45}, windows)
    first, last = summarize(found, parts[3:]), summarize(found, parts[:3])
    first.merge(pickle.loads(pickle.dumps(last)))
    whole = summarize_parts(found, parts)
    for j in (0, 1):
        merged, want = first.finalize(j), whole.finalize(j)
        order = np.argsort(merged.numbers)
        for own, other in zip(merged, want, strict=True):
            assert own[order].tolist() == other.tolist()


@pytest.mark.slow
def test_rows_that_are_left_out_have_no_number_in_bootstrap_auc_test():
    y, a, b = cases(30, seed=5)
    a[[3, 17]] = np.nan
    kept = ~np.isnan(a)
    want = fc.bootstrap_auc_test(y[kept], a[kept], b[kept], **OPTIONS, **QUIET)
    for arguments in ((y, a, b), (cut((y, a, b), 3, 10, 18),)):
        with pytest.warns(fc.DroppedCasesWarning, match="2 of 30 cases dropped"):
            found = fc.bootstrap_auc_test(*arguments, nan_policy="omit", **OPTIONS, **QUIET)
        equal(found, want)
        assert found.n_dropped == 2


@compiled
@pytest.mark.parametrize("stratified", [True, False])
def test_errors_and_intervals_are_those_of_the_multinomial_bootstrap(stratified):
    columns = cases(2000, seed=6, digits=3)
    found = fc.bootstrap_auc_test(*columns, **OPTIONS | {"n_resamples": 20_000})
    want = fc.bootstrap_auc_test(*columns, stratified=stratified, n_resamples=20_000, rng=8)
    assert_allclose(found.standard_error, want.standard_error, rtol=0.03)
    ends = found.confidence_interval(), want.confidence_interval()
    assert_allclose(*ends, atol=0.06 * want.standard_error)
    assert fc.bootstrap_auc_test(*columns, **OPTIONS | {"rng": 6}).pvalue != found.pvalue


@pytest.mark.slow
def test_swapping_the_models_mirrors_and_equal_models_do_not_differ_in_bootstrap_auc_test():
    y, a, b = cases(40, seed=7)
    one = fc.bootstrap_auc_test(cut((y, a, b), 11), **OPTIONS)
    other = fc.bootstrap_auc_test(cut((y, b, a), 30), **OPTIONS)
    assert (one.distribution == -other.distribution).all()
    assert one.pvalue == other.pvalue
    same = fc.bootstrap_auc_test(cut((y, a, a), 11), **OPTIONS, **QUIET)
    assert (same.estimate, same.standard_error, same.pvalue) == (0.0, 0.0, 1.0)
    low, high = same.confidence_interval()
    assert -1.0 < low < 0.0 < high < 1.0
    assert pickle.loads(pickle.dumps(one)).to_dict() == one.to_dict()
    assert "Poisson bootstrap" in one.method


def test_one_class_and_few_cases_have_their_status_in_bootstrap_auc_test():
    y, a, b = cases(12, seed=8)
    with pytest.warns(fc.UndefinedResultWarning):
        alone = fc.bootstrap_auc_test(cut((y * 0, a, b), 5), **OPTIONS)
    assert alone.status == "one_class"
    assert np.isnan(alone.pvalue)
    with pytest.warns(fc.SmallSampleWarning):
        assert fc.bootstrap_auc_test(cut((y, a, b), 5), **OPTIONS).status == "small_sample"


@pytest.mark.parametrize(
    ("given", "options", "error", "message"),
    [
        ("chunks", {"method": "percentile"}, ValueError, "`method` must be 'poisson' for chunks"),
        ("chunks", {"groups": [0, 1]}, ValueError, "`groups` must be None for method='poisson'"),
        ("chunks", {"stratified": False}, ValueError, "`stratified` must be omitted"),
        ("arrays", {"groups": np.arange(30) // 2}, ValueError, "`groups` must be None"),
        ("arrays", {"stratified": False}, ValueError, "`stratified` must be omitted"),
        ("iterator", {}, TypeError, "got an iterator"),
        ("chunks", {"executor": 3}, TypeError, "`executor` must have the interface"),
        ("chunks", {"on_undefined": "x"}, ValueError, "`on_undefined`"),
    ],
)
def test_what_is_refused_in_bootstrap_auc_test(given, options, error, message):
    columns = cases(30)
    chunks = cut(columns, 9)
    arguments = {"chunks": (chunks,), "arrays": columns, "iterator": (iter(chunks),)}[given]
    with pytest.raises(error, match=message):
        fc.bootstrap_auc_test(*arguments, **OPTIONS | options)


def test_rows_that_change_or_cannot_be_numbered_are_refused_in_bootstrap_auc_test(monkeypatch):
    columns = cases(30)
    chunks = cut(columns, 9)
    changing = [chunks[:1], chunks, chunks]
    with pytest.raises(ValueError, match="changed while they were read"):
        fc.bootstrap_auc_test(lambda: iter(changing.pop()), **OPTIONS, **QUIET)
    monkeypatch.setattr("fastcompare._inputs.weights.MOST_NUMBERED", 29)
    with pytest.raises(ValueError, match=r"at most 2\^32 cases for method='poisson', got 30"):
        fc.bootstrap_auc_test(cut(columns, 9), **OPTIONS)
