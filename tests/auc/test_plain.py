"""The short way of plain arrays: every field has the bits of the long way."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastcompare as fc
from fastcompare.auc._delong import paired
from fastcompare.auc._delong.paired import exact_sums_of_arrays, plain_auc
from fastcompare.kernels.pair import MOST, TABLE_FROM, sum_squares
from fastcompare.kernels.sorting.linear import LINEAR_BELOW, placements_linear
from tests.kernels.test_kernels import SHAPES, by_ranks
from tests.shared.strategies import scored_cases

RNG = np.random.default_rng(20261122)
KINDS = ("int64", "bool", "int32", "uint8", "uint64", "float64")


def problem(n=400):
    y = (np.arange(n) % 3 == 0).astype(np.int64)
    return y, *(RNG.normal(size=(2, n)) + y)


def fields(y, a, b, **options):
    """All that a test says, the bits of its arrays too."""
    result = fc.delong_test(y, a, b, on_undefined="ignore", **options)
    return result.summary(), repr(result.to_dict()), result.covariance.tobytes(), result.status


def both_ways(y, a, b, **options):
    """Assert that arrays and lists give the same."""
    assert fields(y, a, b, **options) == fields(y.tolist(), a.tolist(), b.tolist(), **options)
    auc = fc.roc_auc(y, a, on_undefined="ignore")
    assert repr(auc) == repr(fc.roc_auc(y.tolist(), a.tolist(), on_undefined="ignore"))


@pytest.mark.slow
@given(
    case=scored_cases(smallest=0, largest=60).filter(lambda case: case[0].size > 0),
    alternative=st.sampled_from(["two-sided", "less", "greater"]),
    reference=st.sampled_from(["auto", "normal", "t"]),
)
def test_drawn_problems_have_the_same_fields_in_roc_auc(case, alternative, reference):
    labels, (a, b) = case
    both_ways(labels, a, b, alternative=alternative, reference=reference)


@pytest.mark.slow
@pytest.mark.parametrize("n", [2, 3, 100, 1000, TABLE_FROM - 1, TABLE_FROM])
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_of_scores_has_the_same_fields_in_roc_auc(shape, n, requires_jit):
    a, b = (np.ascontiguousarray(SHAPES[shape](n)) for _ in range(2))
    y = (np.arange(n) % 3 == 0).astype(np.int64)
    both_ways(y, a, RNG.permutation(b))


@pytest.mark.parametrize("kind", KINDS)
def test_labels_of_every_kind_do_in_delong_test(kind):
    y, a, b = problem()
    want = fields(y, a, b)
    assert fields(y.astype(kind), a, b) == want
    assert exact_sums_of_arrays(y.astype(kind), a, b, 1) is not None


@pytest.mark.parametrize("label", [np.nan, 0.5, -1.0, 2.0])
def test_labels_of_other_floats_take_the_long_way_in_delong_test(label):
    y, a, b = problem(50)
    y = y.astype(float)
    y[3] = label
    assert exact_sums_of_arrays(y, a, b, 1) is None
    with pytest.raises(ValueError, match="`y_true`"):
        fc.delong_test(y, a, b)


def test_named_columns_have_the_fields_of_arrays_in_delong_test():
    y, a, b = problem()
    named = fc.delong_test(y, {"new": a, "old": b})
    from_frame = fc.delong_test(y, pd.DataFrame({"new": a, "old": b}))
    assert repr(named.to_dict()) == repr(from_frame.to_dict())
    assert named.names == from_frame.names == ("new", "old")
    assert named.covariance.tobytes() == fc.delong_test(y, a, b).covariance.tobytes()
    assert fc.delong_test(y, {1: a, 2: b}).names == ("1", "2")


@pytest.mark.parametrize("label", [2, 3, 2**32, 2**63, 2**63 + 1, 2**64 - 1])
def test_labels_that_wrap_are_no_classes_in_delong_test(label):
    y, a, b = problem(50)
    y = y.astype(np.uint64)
    y[y == 1] = label
    assert exact_sums_of_arrays(y, a, b, 1) is None
    with pytest.raises(ValueError, match="`y_true` must"):
        fc.delong_test(y, a, b)


def test_float32_scores_do_in_roc_auc():
    y, a, b = problem()
    a, b = a.astype(np.float32), b.astype(np.float32)
    assert exact_sums_of_arrays(y, a, b, 1) == exact_sums_of_arrays(
        y, a.astype(float), b.astype(float), 1
    )
    both_ways(y, a, b)


def read_only(x):
    x = x.copy()
    x.flags.writeable = False
    return x


LAYOUTS = {
    "strided": lambda x: np.repeat(x, 2)[::2],
    "reversed": lambda x: x[::-1].copy()[::-1],
    "read-only": read_only,
    "other byte order": lambda x: x.astype(x.dtype.newbyteorder()),
    "a column": lambda x: x[:, None],
    "a subclass": lambda x: x.view(np.recarray),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("which", range(3))
def test_other_layouts_have_the_same_fields_in_delong_test(layout, which):
    case = list(problem())
    want = fields(*case)
    case[which] = LAYOUTS[layout](case[which])
    others = ("a column", "a subclass", *(["other byte order"] if which else []))
    assert (exact_sums_of_arrays(*case, 1) is None) == (layout in others)
    assert fields(*case) == want


@pytest.mark.parametrize("value", [np.inf, -np.inf, 1e308, -1e308, 5e-324, -0.0])
def test_extreme_scores_do_in_roc_auc(value):
    y, a, b = problem()
    a[3], a[4], b[5] = value, -value, value
    both_ways(y, a, b)
    both_ways(y, np.where(y == 1, value, -value), b)


def test_labels_of_minus_one_take_the_long_way_in_delong_test():
    y, a, b = problem()
    assert exact_sums_of_arrays(2 * y - 1, a, b, 1) is None
    assert fields(2 * y - 1, a, b) == fields(y, a, b)


@pytest.mark.parametrize("spoil", ["nan", "label", "length", "empty", "frame"])
def test_errors_are_those_of_the_long_way_in_delong_test(spoil):
    y, a, b = problem(50)
    if spoil == "nan":
        b[7] = np.nan
    elif spoil == "label":
        y[3] = 2
    elif spoil == "length":
        b = b[:-1]
    elif spoil == "empty":
        y, a, b = y[:0], a[:0], b[:0]
    else:
        a = np.stack([a, b], axis=1)
    said = []
    for case in ((y, a, b), (y.tolist(), a.tolist(), b.tolist())):
        with pytest.raises(fc.FastCompareError) as raised:
            fc.delong_test(*case)
        said.append(str(raised.value).replace("float64", ""))
    assert said[0] == said[1]


@pytest.mark.parametrize("positives", [0, 1, 2, 29, 30, 99, 100])
def test_rare_classes_do_in_roc_auc(positives):
    _, a, b = problem(100)
    y = (np.arange(100) < positives).astype(np.int64)
    both_ways(y, a, b)
    both_ways(y, a, a)


def test_what_is_compute_follows_from_what_the_record_owns_in_delong_test():
    y, a, b = problem()
    want, result = fields(y, a, b), fc.delong_test(y, a, b)
    assert not {"auc", "covariance", "log_pvalue"} & set(vars(result))
    for array in (y, a, b):
        array[:] = 0
    for copied in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result), result):
        assert (copied.summary(), repr(copied.to_dict()), copied.covariance.tobytes()) == want[:3]


def test_a_pvalue_that_underflows_has_a_logarithm():
    y = np.repeat([0, 1], 1500)
    a, b = y + 0.01 * RNG.normal(size=3000), RNG.normal(size=3000)
    result = fc.delong_test(y, a, b)
    assert result.pvalue == 0.0
    assert np.isfinite(result.log_pvalue)
    both_ways(y, a, b)


def test_the_short_way_is_the_way_of_plain_arrays(monkeypatch):
    monkeypatch.setattr(paired, "as_cases_anywhere", None)
    y, a, b = problem()
    fc.delong_test(y, a, b)
    fc.delong_test(y.astype(bool), a, b, alternative="less", on_undefined="raise", n_jobs=2)
    assert plain_auc(y, a) == fc.roc_auc(y, a)


def test_sums_of_squares_do_not_wrap_below_the_most_cases(requires_jit):
    """No placement is above 2n, and none of these sums is above that of as many 2n."""
    assert TABLE_FROM <= MOST
    a, b = np.full(MOST, 2 * MOST, np.uint32), np.zeros(MOST, np.uint32)
    out = np.empty(9, np.int64)
    for label in (0, 1):
        sum_squares(a, b, np.full(MOST, label, np.uint8), out)
        every, none = [4 * MOST**3, 0][:: 2 * label - 1], [0, 0]
        assert out[2:8].tolist() == [*every, *none, *every]
        assert out[0] == label * 2 * MOST**2


@pytest.mark.parametrize("n", [2, 3, 1000, LINEAR_BELOW - 1])
@pytest.mark.parametrize("shape", SHAPES)
def test_linear_keys_place_all_that_they_do_not_refuse(shape, n):
    scores = np.ascontiguousarray(SHAPES[shape](n))
    labels = (RNG.random(n) < 0.3).astype(np.uint8)
    labels[0] = 1
    out, keys = np.empty((2, n), np.uint32)
    if placements_linear(scores, labels, int(labels.sum()), keys, out):
        assert (out == by_ranks(scores, labels)).all()
    else:
        fitting = ("normal", "probabilities", "ten values", "sorted")
        assert shape not in fitting or np.ptp(scores) == 0.0


def test_crowded_prefixes_are_refused_in_roc_auc():
    scores = np.append(RNG.permutation(999) * 2.0**-52, 1e6)
    out, keys = np.empty((2, 1000), np.uint32)
    labels = (np.arange(1000) % 2).astype(np.uint8)
    assert not placements_linear(scores, labels, 500, keys, out)
    both_ways(labels.astype(np.int64), scores, scores[::-1].copy())
