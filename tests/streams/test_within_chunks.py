"""AUCs within groups of cases that come in chunks are those of the same cases in memory."""

import numpy as np
import pandas as pd
import pytest

import fastcompare as fc
from fastcompare._inputs.chunks import within

N = 600
RNG = np.random.default_rng(8)
TABLE = pd.DataFrame({name: RNG.normal(size=N).round(1) for name in "abc"})
TABLE["click"] = RNG.integers(0, 2, N)
USERS = {
    "integers": RNG.integers(-9, 60, N),
    "floats": RNG.integers(-9, 60, N) / 2.0,
    "texts": np.array([f"user {u}" for u in RNG.integers(0, 60, N)]),
    "bools": RNG.integers(0, 2, N).astype(bool),
}


@pytest.fixture(params=[1 << 24, 100])
def few_at_a_time(request, monkeypatch):
    """All cases in memory, or about six parts."""
    monkeypatch.setattr(within, "MOST_CASES", request.param)


def scanned(tmp_path, users, scores, **options):
    path = tmp_path / "clicks.parquet"
    TABLE.assign(user=users, **options).to_parquet(path, row_group_size=70)
    return fc.scan_parquet(path, label="click", scores=list(scores), groups="user")


def same(found, want):
    for name in ("estimate", "pvalue", "standard_error", "status", "n_groups", "n_groups_dropped"):
        np.testing.assert_array_equal(getattr(found, name, 0), getattr(want, name, 0), name)
    np.testing.assert_array_equal(found.groups, want.groups)
    np.testing.assert_array_equal(found.group_auc, want.group_auc)


@pytest.mark.parametrize("kind", USERS)
@pytest.mark.parametrize("weights", ["equal", "pairs"])
def test_within_auc_test_of_a_scan_is_that_of_arrays(tmp_path, few_at_a_time, kind, weights):
    users = USERS[kind]
    found = fc.within_auc_test(scanned(tmp_path, users, "ab"), weights=weights)
    want = fc.within_auc_test(TABLE["click"], TABLE[["a", "b"]], None, users, weights=weights)
    same(found, want)
    assert found.names == want.names
    assert np.isnan(found.share_within)
    assert "nan" not in found.summary()
    assert np.isnan(found.group_interval()).all()


def test_functions_within_groups_of_a_scan_are_those_of_arrays(tmp_path, few_at_a_time):
    users, y = USERS["integers"], TABLE["click"]
    one = fc.within_auc_interval(scanned(tmp_path, users, "c"))
    want = fc.within_auc_interval(y, TABLE["c"], users)
    same(one, want)
    assert one.confidence_interval() == want.confidence_interval()
    scan = scanned(tmp_path, users, "abc")
    same(fc.within_auc_pairwise_test(scan), fc.within_auc_pairwise_test(y, TABLE[[*"abc"]], users))
    same(fc.within_auc_omnibus_test(scan), fc.within_auc_omnibus_test(y, TABLE[[*"abc"]], users))


def test_within_auc_test_of_tuples_leaves_out_missing_rows(few_at_a_time):
    users = USERS["floats"].copy()
    users[::50] = np.nan
    columns = (TABLE["click"], TABLE["a"], TABLE["b"], users)
    chunks = [tuple(x[i : i + 90] for x in columns) for i in range(0, N, 90)]
    with pytest.raises(fc.InvalidValueError, match="`groups` has 2 missing values"):
        fc.within_auc_test(chunks)
    with pytest.warns(fc.DroppedCasesWarning):
        want = fc.within_auc_test(*columns, nan_policy="omit")
    found = fc.within_auc_test(chunks, nan_policy="omit")
    same(found, want)
    assert found.n_dropped == want.n_dropped == 12


def test_whole_numbers_are_one_group_as_integers_and_as_floats(few_at_a_time):
    users = USERS["integers"]
    columns = [(TABLE["click"], TABLE["a"], TABLE["b"], u) for u in (users, users.astype(float))]
    chunks = [tuple(x[i : i + 90] for x in columns[i // 90 % 2]) for i in range(0, N, 90)]
    same(fc.within_auc_test(chunks), fc.within_auc_test(*columns[0]))


def test_chunks_within_groups_are_refused_with_a_way_on(tmp_path):
    scan = scanned(tmp_path, USERS["integers"], "ab")
    with pytest.raises(fc.InvalidValueError, match="`design` must be 'random' for chunks"):
        fc.within_auc_test(scan, design="fixed")
    plain = fc.scan_parquet(tmp_path / "clicks.parquet", label="click", scores=["a", "b"])
    with pytest.raises(fc.InvalidTypeError, match="`groups` must be in the chunks"):
        fc.within_auc_test(plain)
    with pytest.raises(fc.InvalidValueError, match="at least two models"):
        fc.within_auc_pairwise_test(scanned(tmp_path, USERS["integers"], "a"))
    with pytest.raises(fc.InvalidTypeError, match="`y_true` must be a scan"):
        fc.within_auc_pairwise_test([(TABLE["click"], TABLE["a"], TABLE["b"], USERS["bools"])])
    with pytest.raises(fc.InvalidValueError, match="chunk 0"):
        fc.within_auc_test([([0, 1, 7], [1, 2, 3], [1, 2, 3], [1, 1, 1])])
