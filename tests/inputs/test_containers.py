"""Shapes and containers: what holds a column of scores or a table of them, and what does not."""

import array
import collections
import types

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import fastcompare as fc
from tests.shared.every_call import CALLS, called

Y = np.array([0, 1, 0, 1, 1, 0])
A = np.array([0.1, 0.9, 0.3, 0.2, 0.8, 0.5])
B = np.array([0.2, 0.1, 0.5, 0.6, 0.7, 0.8])
HALVES = [A[:2].tolist(), A[2:].tolist()]
WITH_NULL = [None, *A[1:].tolist()]
WIDE = [2**53, 2**53 + 2, 2**53 + 1, 2**53 + 4, 2**53 + 3, 2**53 + 3]
GAPS = [None, *WIDE[1:]]

COLUMNS = [
    ("list", A.tolist()),
    ("tuple", tuple(A.tolist())),
    ("deque", collections.deque(A.tolist())),
    ("array.array", array.array("d", A)),
    ("memoryview", memoryview(A)),
    ("list of 0-d arrays", [np.array(a) for a in A]),
    ("object array of floats", A.astype(object)),
    ("(n,1) column", A[:, None]),
    ("list of lists", A[:, None].tolist()),
    ("matrix column", A[:, None].view(np.matrix)),
    ("nothing masked", np.ma.masked_array(A)),
    ("pandas", pd.Series(A)),
    ("pandas Float64", pd.Series(A, dtype="Float64")),
    ("pandas Float64 array", pd.array(A, dtype="Float64")),
    ("pandas objects", pd.Series(A, dtype=object)),
    ("pandas arrow", pd.Series(A, dtype="double[pyarrow]")),
    ("pandas category", pd.Series(A, dtype="category")),
    ("pandas sparse", pd.Series(pd.arrays.SparseArray(A))),
    ("pandas index", pd.Index(A)),
    ("pandas frame of one column", pd.DataFrame({"a": A})),
    ("polars", pl.Series(A)),
    ("polars objects", pl.Series(A.tolist(), dtype=pl.Object)),
    ("polars frame of one column", pl.DataFrame({"a": A})),
    ("pyarrow array", pa.array(A)),
    ("pyarrow chunked", pa.chunked_array(HALVES)),
    ("pyarrow dictionary", pa.chunked_array([pa.array(h).dictionary_encode() for h in HALVES])),
    ("pyarrow batch of one column", pa.record_batch({"a": A})),
    ("narwhals", nw.from_native(pl.Series(A), allow_series=True)),
]

NULLS = [
    ("pandas Float64", pd.Series(WITH_NULL, dtype="Float64")),
    ("pandas Float64 array", pd.array(WITH_NULL, dtype="Float64")),
    ("pandas objects", pd.Series(WITH_NULL, dtype=object)),
    ("pandas arrow", pd.Series(WITH_NULL, dtype="double[pyarrow]")),
    ("polars", pl.Series(WITH_NULL)),
    ("pyarrow array", pa.array(WITH_NULL)),
    ("pyarrow chunked", pa.chunked_array([[None], A[1:]], type=pa.float64())),
    ("pyarrow dictionary", pa.array(WITH_NULL).dictionary_encode()),
    ("narwhals", nw.from_native(pl.Series(WITH_NULL), allow_series=True)),
]

WIDE_NULLS = [
    ("list", GAPS),
    ("pandas Int64", pd.Series(GAPS, dtype="Int64")),
    ("pandas objects", pd.Series(GAPS, dtype=object)),
    ("polars UInt64", pl.Series(GAPS, dtype=pl.UInt64)),
    ("pyarrow", pa.array(GAPS)),
    ("pyarrow dictionary", pa.array(GAPS).dictionary_encode()),
]

LABELS = [
    ("pandas boolean", pd.Series(Y == 1, dtype="boolean")),
    ("pandas boolean array", pd.array(Y == 1, dtype="boolean")),
    ("pandas Int64", pd.Series(Y, dtype="Int64")),
    ("pandas bool objects", pd.Series(Y == 1, dtype=object)),
    ("pandas categories 0 and 1", pd.Categorical(Y)),
    ("polars Boolean", pl.Series(Y == 1)),
    ("pyarrow booleans", pa.array(Y == 1)),
    ("pyarrow dictionary", pa.array(Y).dictionary_encode()),
]

TEXTS = [
    ("pandas str", pd.Series(["no", "yes"])[Y].reset_index(drop=True)),
    ("pandas category", pd.Series(np.array(["no", "yes"])[Y], dtype="category")),
    ("polars Categorical", pl.Series(np.array(["no", "yes"])[Y], dtype=pl.Categorical)),
    ("polars Enum", pl.Series(np.array(["no", "yes"])[Y], dtype=pl.Enum(["no", "yes"]))),
    ("pyarrow", pa.array(np.array(["no", "yes"])[Y])),
    ("pyarrow dictionary", pa.array(np.array(["no", "yes"])[Y]).dictionary_encode()),
]

TABLES = [
    ("dict", {"a": A, "b": B}),
    ("dict of lists", {"a": A.tolist(), "b": pl.Series(B)}),
    ("read-only mapping", types.MappingProxyType({"a": A, "b": B})),
    ("pandas", pd.DataFrame({"a": A, "b": B})),
    ("polars", pl.DataFrame({"a": A, "b": B})),
    ("pyarrow", pa.table({"a": A, "b": B})),
    ("pyarrow batch", pa.record_batch({"a": A, "b": B})),
    ("narwhals", nw.from_native(pl.DataFrame({"a": A, "b": B}))),
]

BAD_COLUMNS = [
    ("set", {0.1, 0.2}, TypeError, "ordered"),
    ("dict", {"a": A}, TypeError, "got a mapping"),
    ("dict keys", dict.fromkeys(A.tolist()).keys(), TypeError, "ordered"),
    ("generator", (a for a in A), TypeError, r"list\(\.\.\.\)"),
    ("map", map(float, A), TypeError, r"list\(\.\.\.\)"),
    ("polars lazy", pl.LazyFrame({"a": A}), TypeError, r"\.collect\(\)"),
    ("frame of two columns", pd.DataFrame({"a": A, "b": B}), TypeError, "Select the column"),
    ("polars dates", pl.Series([None, 1, 2, 3, 4, 5]).cast(pl.Date), TypeError, "datetime64"),
    ("polars strings", pl.Series(["1", None] * 3), TypeError, "real numbers"),
    ("polars lists", pl.Series([[a] for a in A]), TypeError, "Convert them first"),
    ("polars decimals", pl.Series([1] * 6).cast(pl.Decimal(9, 2)), TypeError, "cast the column"),
    ("polars Int128", pl.Series([2**70] * 6, dtype=pl.Int128), TypeError, "cast the column"),
    ("pandas intervals", pd.Series(pd.interval_range(0, 6)), TypeError, "Interval"),
    ("a scalar of pyarrow", pa.scalar(0.5), TypeError, "one column"),
]

BAD_TABLES = [
    ("(k,n) given", np.stack([A, B]), ValueError, r"6 rows .*\(2, 6\).*transpose"),
    ("n == k", np.eye(6), ValueError, "axis is ambiguous"),
    ("no column", np.zeros((6, 0)), ValueError, r"shape \(6, k\)"),
    ("no model", {}, ValueError, "at least one model"),
    ("pandas without columns", pd.DataFrame(index=range(6)), ValueError, "at least one model"),
    ("3-d", np.zeros((6, 2, 2)), ValueError, r"shape \(6, k\)"),
    ("scalar", 0.5, ValueError, r"shape \(6, k\)"),
    ("None", None, ValueError, r"shape \(6, k\)"),
    ("lengths differ", {"a": A, "b": B[:3]}, ValueError, "`b` .*6 labels .*got 3"),
    ("duplicate names", {1: A, "1": B}, ValueError, "same name: 1"),
    (
        "pandas duplicates",
        pd.DataFrame(np.c_[A, B], columns=["a", "a"]),
        ValueError,
        "same name: a",
    ),
    ("pyarrow duplicates", pa.table([A, B], names=["a", "a"]), ValueError, "same name: a"),
    ("masked", np.ma.masked_less(np.c_[A, B], 0.2), ValueError, "2 masked"),
    ("set", {1, 2}, TypeError, "ordered"),
    ("generator", (s for s in (A, B)), TypeError, r"list\(\.\.\.\)"),
    ("generator in a dict", {"a": (a for a in A)}, TypeError, r"scores\['a'\].*list\(\.\.\.\)"),
    ("polars lazy", pl.LazyFrame({"a": A, "b": B}), TypeError, r"\.collect\(\)"),
    ("narwhals lazy", nw.from_native(pl.LazyFrame({"a": A})), TypeError, r"\.collect\(\)"),
    ("structured", np.zeros(6, [("a", "f8"), ("b", "f8")]), TypeError, "real numbers"),
]


def each_of(names, rows):
    return pytest.mark.parametrize(names, [pytest.param(*row[1:], id=row[0]) for row in rows])


@each_of(["column"], COLUMNS)
def test_a_column_gives_the_bits_of_its_array(column):
    assert fc.delong_test(Y, column, B).to_dict() == fc.delong_test(Y, A, B).to_dict()


@each_of(["labels"], LABELS)
def test_a_column_of_labels_gives_the_bits_of_its_array(labels):
    assert fc.delong_test(labels, A, B).to_dict() == fc.delong_test(Y, A, B).to_dict()


@each_of(["labels"], TEXTS)
def test_a_column_of_words_needs_pos_label(labels):
    assert fc.roc_auc(labels, A, pos_label="yes") == fc.roc_auc(Y, A)
    with pytest.raises(fc.InvalidValueError, match=r"found 'no', 'yes'.*`pos_label`"):
        fc.roc_auc(labels, A)


@each_of(["column"], NULLS)
def test_nulls_are_counted_before_to_numpy(column):
    with pytest.raises(fc.InvalidValueError, match=r"`y_score` has 1 missing .*index 0"):
        fc.roc_auc(Y, column)
    with pytest.warns(fc.DroppedCasesWarning):
        assert fc.roc_auc(Y, column, nan_policy="omit") == fc.roc_auc(Y[1:], A[1:])


@each_of(["column"], WIDE_NULLS)
def test_nulls_do_not_send_integers_beyond_2_53_through_float64(column):
    with pytest.warns(fc.DroppedCasesWarning):
        auc = fc.roc_auc(Y, column, nan_policy="omit")
    assert auc == fc.roc_auc(Y[1:], np.array(WIDE[1:]) - 2**53)


@pytest.mark.parametrize("sign", [1, -1])
def test_integers_beyond_2_53_of_either_sign_do_not_tie(sign):
    wide = sign * np.array(WIDE)
    for column in (wide, wide.tolist(), wide.astype(object)):
        assert fc.roc_auc(Y, column) == fc.roc_auc(Y, wide - wide[0])


@each_of(["table"], TABLES)
def test_a_table_brings_its_names_and_the_bits_of_its_columns(table):
    result = fc.delong_covariance(Y, table)
    assert result.names == ("a", "b")
    assert result.covariance.tobytes() == fc.delong_covariance(Y, np.c_[A, B]).covariance.tobytes()


@each_of(["column", "error", "message"], BAD_COLUMNS)
def test_what_is_no_column_is_refused(column, error, message):
    with pytest.raises(error, match=message) as caught:
        fc.roc_auc(Y, column)
    assert isinstance(caught.value, fc.FastCompareError)


@each_of(["table", "error", "message"], BAD_TABLES)
def test_what_is_no_table_of_models_is_refused(table, error, message):
    with pytest.raises(error, match=message) as caught:
        fc.delong_covariance(Y, table)
    assert isinstance(caught.value, fc.FastCompareError)


REORDERED = pd.Index(list("abcdef"))
INDEXES = [
    ("labels and table", pd.Series(Y, REORDERED), pd.DataFrame({"a": A, "b": B})),
    ("labels and dict", pd.Series(Y, REORDERED), {"a": pd.Series(A), "b": B}),
    ("within a dict", Y, {"a": pd.Series(A), "b": pd.Series(B, REORDERED)}),
]


@each_of(["labels", "table"], INDEXES)
def test_differing_indexes_are_never_aligned_nor_ignored(labels, table):
    with pytest.raises(fc.InvalidValueError, match=r"different indexes.*to_numpy"):
        fc.delong_covariance(labels, table)


@pytest.mark.parametrize("odd", range(3))
def test_labels_and_both_scores_must_have_one_index(odd):
    columns = [
        pd.Series(values, REORDERED if i == odd else None) for i, values in enumerate((Y, A, B))
    ]
    with pytest.raises(fc.InvalidValueError, match=r"different indexes.*to_numpy"):
        fc.delong_test(*columns)


def test_to_numpy_opts_out_of_the_index_and_equal_indexes_pass():
    labels = pd.Series(Y, REORDERED)
    assert fc.roc_auc(labels, A) == fc.roc_auc(labels, pd.Series(A, REORDERED)) == fc.roc_auc(Y, A)
    assert fc.roc_auc(labels, pd.Series(A).to_numpy()) == fc.roc_auc(Y, A)


def test_more_models_than_cases_are_fine_in_pairs():
    table = np.random.default_rng(0).normal(size=(12, 20))
    result = fc.delong_pairwise_test(np.tile(Y, 2), table)
    assert np.isfinite(result.pvalue).all()
    assert len(result.pairs) == 190


def test_a_model_named_y_true_does_not_hide_the_labels_index():
    pd = pytest.importorskip("pandas")
    labels = pd.Series([0, 1, 0, 1], index=[3, 2, 1, 0])
    scores = {"y_true": pd.Series([1.0, 2, 3, 4]), "b": pd.Series([1.0, 3, 2, 4])}
    with pytest.raises(ValueError, match="different indexes"):
        fc.delong_covariance(labels, scores)


class Tensor:
    """What is used of a tensor of PyTorch, which a view with a negative bit refuses as NumPy's."""

    __module__ = "torch"
    dtype, device = "torch.float64", types.SimpleNamespace(type="cpu")

    def __init__(self, values, pending=()):
        self.values, self.pending = values, {*pending}

    def detach(self):
        return self

    def resolve_conj(self):
        return Tensor(self.values, self.pending - {"conj"})

    def resolve_neg(self):
        return Tensor(
            -self.values if "neg" in self.pending else self.values, self.pending - {"neg"}
        )

    def numpy(self):
        if self.pending:
            raise RuntimeError(f"Can't call numpy() on Tensor that has {self.pending}.")
        return self.values


@pytest.mark.parametrize("pending", [(), ("neg",), ("conj",), ("neg", "conj")])
def test_views_of_tensors_are_resolved(pending):
    view = Tensor(-A if "neg" in pending else A, pending)
    assert fc.delong_test(Y, view, B).to_dict() == fc.delong_test(Y, A, B).to_dict()


def test_tensors_that_numpy_cannot_read_are_our_own_errors():
    with pytest.raises(TypeError, match=r"`y_score_a` is a tensor that NumPy .*sparse"):
        fc.delong_test(Y, Tensor(A, ["sparse"]), B)


class Nested(Tensor):
    """A nested tensor: it has a length, and neither shape nor values for NumPy."""

    __module__ = "torch"
    ndim = 2

    def __init__(self):
        super().__init__(None, ["nested"])

    def __len__(self):
        return 2

    def refuse(self, *args, **options):
        raise RuntimeError("NestedTensorImpl doesn't support sizes.")

    shape = property(refuse)
    size = resolve_conj = __array__ = __getitem__ = __iter__ = tolist = refuse


@pytest.mark.parametrize("name", CALLS)
def test_a_nested_tensor_is_our_own_error_in_the_place_of_any_array(name):
    for parameter, value in CALLS[name].items():
        if isinstance(value, np.ndarray):
            with pytest.raises(fc.FastCompareError):
                called(name, **{parameter: Nested()})


def test_torch_tensors_of_any_view_are_their_values_and_others_our_own_errors():
    torch = pytest.importorskip("torch")
    a = torch.tensor(A)
    same = fc.delong_test(Y, A, B).to_dict()
    views = [
        a,
        torch._neg_view(-a),
        torch.complex(0 * a, -a).conj().imag,
        a.clone().requires_grad_(),
    ]
    for view in views:
        assert fc.delong_test(Y, view, B).to_dict() == same
    for other in (a.to_sparse(), torch.empty(6, device="meta"), a.to(torch.float8_e4m3fn)):
        with pytest.raises(fc.FastCompareError, match="`y_score_a` is a tensor"):
            fc.delong_test(Y, other, B)


@pytest.mark.parametrize(
    ("module", "way"),
    [
        ("duckdb.duckdb", "to_arrow_table"),
        ("_duckdb", "to_arrow_table"),
        ("ibis.expr.types.relations", "to_pyarrow"),
        ("pyspark.sql.classic.dataframe", "toArrow"),
    ],
)
def test_a_frame_that_is_a_plan_says_how_it_becomes_values(module, way):
    plan = type("Plan", (), {"__module__": module, "columns": ["y", "a", "b"]})()
    for call in (lambda: fc.compare(plan), lambda: fc.delong_test(Y, plan)):
        with pytest.raises(TypeError, match=rf"is a lazy Plan: call \.{way}\(\) on it"):
            call()
