"""What ties, and what is 0: by the scores themselves, never by a scale from other rows."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc
from fastcompare._inputs.models import as_pairs
from fastcompare.kernels.signed_ranks import (
    DROPPED,
    ROUNDING,
    UNSURE,
    sum_signed_ranks,
    sum_signed_ranks_in_order,
)
from fastcompare.paired._columns import sized_pairs
from fastcompare.paired._wilcoxon import doubled_ranks
from tests.reference import ranks as reference_ranks
from tests.reference import ties as reference_ties

MIXED = [1.0] * 9 + [1e12], [2.0] * 9 + [2e12]
EXPONENTS = (-300, -12, 0, 12, 300)
LARGE = 2**60
D1 = reference_ranks.D1
QUICK = settings(max_examples=60, deadline=None)


@st.composite
def decimal_rows(draw, models=2, exponents=EXPONENTS):
    """Rows of three-digit decimals as strings, each row on a scale of its own."""
    n = draw(st.integers(2, 8))
    digits = st.lists(st.integers(1, 30), min_size=models, max_size=models)
    scale = st.sampled_from(exponents)
    return [[f"{x}e{e - 3}" for x in draw(digits)] for e in draw(st.tuples(*[scale] * n))]


def columns_of(rows):
    """The columns of a table of strings as floats, and as fractions."""
    exact = reference_ties.exact(rows)
    return np.array(rows, dtype=float).T, list(zip(*exact, strict=True))


@pytest.mark.parametrize("test", [fc.sign_test, fc.wilcoxon_test])
def test_one_large_score_does_not_erase_the_others(test):
    assert test(*MIXED).pvalue == 2 / 2**10
    result = fc.compare_datasets(dict(zip("ab", MIXED, strict=True))).omnibus
    assert result.pvalue == 2 / 2**10
    low, high = result.confidence_interval()
    assert high < 0.0 or low > 0.0


@pytest.mark.parametrize("test", [fc.sign_pairwise_test, fc.wilcoxon_pairwise_test])
def test_one_large_score_does_not_erase_the_others_of_a_pair(test):
    assert test(np.transpose(MIXED)).pvalue[0] == 2 / 2**10


@pytest.mark.slow
@given(decimal_rows())
@QUICK
def test_signs_and_signed_ranks_of_any_scales_are_those_of_exact_numbers(rows):
    (a, b), (first, second) = columns_of(rows)
    sign, ranks = (
        fc.sign_test(a, b, on_undefined="ignore"),
        reference_ties.signed_ranks(first, second),
    )
    assert (sign.n_positive, sign.n_negative) == reference_ties.signs(first, second)
    found = fc.wilcoxon_test(a, b, on_undefined="ignore")
    assert found.statistic == sum(rank for rank in ranks if rank > 0)
    assert_allclose(found.pvalue, reference_ties.wilcoxon_pvalue(first, second), rtol=1e-13)
    posterior = fc.bayes_sign(a, b, rope=0)
    assert (posterior.n_a, posterior.n_b) == reference_ties.signs(first, second)


@pytest.mark.slow
@given(decimal_rows(models=3))
@QUICK
def test_pairs_of_any_scales_are_those_of_two_models(rows):
    table = np.array(rows, dtype=float)
    for pairs, test in (
        (fc.wilcoxon_pairwise_test, fc.wilcoxon_test),
        (fc.sign_pairwise_test, fc.sign_test),
    ):
        found = pairs(table, on_undefined="ignore")
        for p, (i, j) in enumerate([(0, 1), (0, 2), (1, 2)]):
            one = test(table[:, i], table[:, j], on_undefined="ignore")
            assert (found.statistic[p], found.pvalue[p]) == (one.statistic, one.pvalue)
            assert found.n_zero[p] == one.n_zero


@pytest.mark.slow
@given(decimal_rows(models=3))
@QUICK
def test_quade_and_aligned_ranks_of_any_scales_are_those_of_exact_numbers(rows):
    table, exact = np.array(rows, dtype=float), reference_ties.exact(rows)
    want = reference_ranks.quade(exact)
    got = fc.quade_test(table, on_undefined="ignore").statistic
    assert_allclose(got, np.inf if want is None else float(want), rtol=1e-13)
    same = [row for row in rows if row[0].endswith("e-3")]  # others are aligned beyond their digits
    if len(same) > 1:
        want = reference_ranks.aligned(reference_ties.exact(same))
        got = fc.friedman_aligned_ranks_test(np.array(same, float), on_undefined="ignore").statistic
        assert_allclose(got, float(want), rtol=1e-13)


@pytest.mark.slow
@given(decimal_rows(), st.integers(-40, 40))
@QUICK
def test_a_power_of_two_changes_nothing(rows, exponent):
    (a, b), _ = columns_of(rows)
    keep = (np.minimum(a, b) > 1e-290) & (np.maximum(a, b) < 1e290)
    a, b = a[keep], b[keep]
    if not a.size:
        return
    scaled = np.ldexp(a, exponent), np.ldexp(b, exponent)
    for test in (fc.sign_test, fc.wilcoxon_test):
        one, other = test(a, b, on_undefined="ignore"), test(*scaled, on_undefined="ignore")
        assert (one.statistic, one.pvalue, one.n_zero) == (
            other.statistic,
            other.pvalue,
            other.n_zero,
        )
    options = {"rope": 0, "rng": 1, "n_resamples": 64}
    one, other = fc.bayes_signed_rank(a, b, **options), fc.bayes_signed_rank(*scaled, **options)
    assert one.probability_a == other.probability_a


def tied(ranks):
    """Which entries tie with which others."""
    return ranks[:, None] == ranks


@pytest.mark.slow
@given(decimal_rows(exponents=(0,)), decimal_rows(exponents=(-200, 6, 200)))
@QUICK
def test_rows_of_another_scale_do_not_change_what_ties_among_the_rest(rows, others):
    (a, b), _ = columns_of(rows)
    (both_a, both_b), _ = columns_of(rows + others)
    _, *alone = sized_pairs(as_pairs(a, b))
    _, *together = sized_pairs(as_pairs(both_a, both_b))
    found = doubled_ranks(*together)[: a.size]
    assert (tied(found) == tied(doubled_ranks(*alone))).all()


def test_an_imprecise_size_unites_no_precise_ones():
    precise = np.array([1.0, 1.2, 1.4, 1.6]) * 1e-4
    sizes, room = np.append(precise, 1.3e-4), np.append(np.full(4, 1e-16), 1e12 * ROUNDING)
    for order in ([0, 1, 2, 3, 4], [4, 0, 1, 2, 3]):
        ranks = doubled_ranks(sizes[order], room[order])
        assert len(set(ranks[np.array(order) < 4])) == 4


@pytest.mark.slow
def test_sums_of_rows_are_those_of_ranks_one_by_one(requires_jit):
    """Of a row whose ties the least and the greatest room settle, of any in the order of sizes."""
    rng = np.random.default_rng(0)
    sums, squares, settled = np.empty((1, 4), np.int64), np.empty(1), 0
    rows = [
        (rng.integers(1, 20, 5), rng.integers(2) + rng.choice([0.0, 2.0], 5)) for _ in range(400)
    ]
    rows.append((np.array([2, 3, 6]), np.array([3.0, 1.0, 3.0])))  # 2 and 6 tie by way of 3
    for sizes, room in rows:
        d = sizes * rng.choice([-1.0, 1.0], sizes.size)
        ranks = doubled_ranks(sizes, room)
        want = [ranks[d > 0].sum(), ranks[d < 0].sum()]
        order = np.argsort(sizes)[None]
        sum_signed_ranks_in_order(d[None], room[None], order, DROPPED, sums, squares)
        assert sums[0, :2].tolist() == want
        ends = np.array([[room.min(), room.max()]])
        sum_signed_ranks(np.sort(d)[None], ends, DROPPED, sums, squares)
        if sums[0, 2] != UNSURE:
            assert sums[0, :2].tolist() == want
            settled += 1
    assert 50 < settled < 350


@pytest.mark.parametrize("offset", [LARGE, -LARGE, 2**52, 2**53 - 3])
def test_integers_beyond_2_to_the_53_are_subtracted_exactly(offset):
    d = np.array([3, -1, 4, 1, -5, 9, 2, 6, 5, 1, 0])
    a, b = d + offset, np.full(d.size, offset)
    for test in (fc.sign_test, fc.wilcoxon_test):
        want, got = test(d), test(a, b)
        assert (got.statistic, got.pvalue, got.n_zero) == (want.statistic, want.pvalue, 1)
        assert got.estimate == want.estimate
        assert test(a.tolist(), b.tolist()).pvalue == want.pvalue
    want, got = fc.bayes_sign(d, rope=0.5), fc.bayes_sign(a, b, rope=0.5)
    assert (got.n_a, got.n_rope, got.n_b) == (want.n_a, want.n_rope, want.n_b)
    want, got = (fc.bayes_signed_rank(*x, rope=0, rng=1, n_resamples=99) for x in ((d,), (a, b)))
    assert got.probability_a == want.probability_a
    table = np.stack([a, b, b - 2], axis=1)
    for test in (fc.sign_pairwise_test, fc.wilcoxon_pairwise_test):
        want, got = test(table - offset), test(table)
        assert (got.pvalue == want.pvalue).all()
        assert (got.average_ranks == want.average_ranks).all()
        assert (got.estimate == want.estimate).all()


def test_sizes_of_integers_that_float64_would_merge_do_not_tie_in_wilcoxon_test():
    d = np.array([LARGE + 1, -LARGE, LARGE + 2, 5, LARGE + 3])
    ranks = reference_ties.signed_ranks([Fraction(int(x)) for x in d], [0] * d.size)
    assert fc.wilcoxon_test(d).statistic == sum(rank for rank in ranks if rank > 0)
    assert fc.wilcoxon_test(d.astype(float)).statistic != fc.wilcoxon_test(d).statistic
    quarters = np.zeros(d.size) + 0.25
    assert fc.wilcoxon_test(d, quarters).statistic == fc.wilcoxon_test(d).statistic


def frames(table):
    """The same table of integers in containers of other packages."""
    pd, pl, pa = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    columns = {name: column.tolist() for name, column in zip("abc", table.T, strict=True)}
    yield table.tolist()
    yield columns
    yield table.astype(object)
    yield pd.DataFrame(columns)
    yield pd.DataFrame(columns, dtype="Int64")
    yield pl.DataFrame(columns)
    yield pa.table(columns)
    yield table.astype(np.uint64)


@pytest.mark.parametrize(
    "test",
    [fc.quade_test, fc.friedman_aligned_ranks_test, fc.wilcoxon_pairwise_test, fc.friedman_test],
)
def test_tables_of_any_container_keep_integers_exact(test):
    table = np.array(D1) + LARGE
    want = test(np.array(D1)).statistic
    for given_table in frames(table):
        assert_allclose(test(given_table).statistic, want, rtol=1e-15)


def test_missing_integers_are_left_out_exactly():
    pd = pytest.importorskip("pandas")
    a = pd.Series([LARGE + 1, None, LARGE + 3, LARGE, LARGE - 7], dtype="Int64")
    with pytest.warns(fc.DroppedCasesWarning):
        found = fc.sign_test(a, pd.Series([LARGE] * 5, dtype="Int64"), nan_policy="omit")
    assert (found.n_positive, found.n_negative, found.n_zero) == (2, 1, 1)
    frame = pd.DataFrame({"a": a, "b": [LARGE] * 5, "c": [LARGE - 1] * 5}, dtype="Int64")
    with pytest.warns(fc.DroppedCasesWarning):
        pairs = fc.sign_pairwise_test(frame, nan_policy="omit")
    assert (pairs.n_positive[0], pairs.n_negative[0]) == (2, 1)


RULES = {
    "brier": lambda x: (1 - x) ** 2,
    "log": lambda x: -mpmath.log(x),
    "spherical": lambda x: 1 - x / mpmath.sqrt(x**2 + (1 - x) ** 2),
}


@pytest.mark.parametrize("rule", RULES)
def test_losses_of_confident_models_are_told_apart(rule):
    """A tolerance of the largest loss, about 1, takes nearly all differences for 0."""
    rng = np.random.default_rng(5)
    p, q = 1.0 - 10.0 ** -rng.uniform(4, 15, (2, 20))
    p[:2], q[:2] = (1e-9, 1e-8), (3e-8, 2e-9)
    y = np.ones(20)
    found = fc.scoring_test(y, p, q, rule=rule, method="wilcoxon")
    with mpmath.workdps(60):
        first, second = ([RULES[rule](mpmath.mpf(x)) for x in column] for column in (p, q))
        d = [float(a - b) for a, b in zip(first, second, strict=True)]
    assert_allclose(found.pvalue, stats.wilcoxon(d, method="exact").pvalue, rtol=1e-12)
    assert_allclose(found.pseudomedian, fc.wilcoxon_test(d).estimate, rtol=1e-12)
    models = np.stack([p, q, p], axis=1)
    pairs = fc.scoring_pairwise_test(y, models, rule=rule, method="wilcoxon", on_undefined="ignore")
    assert pairs.pvalue[0] == found.pvalue
    assert pairs.status.tolist() == ["ok", "no_difference", "ok"]


def test_losses_that_differ_by_the_order_of_classes_are_equal_in_scoring_test():
    p = np.array([[0.6, 0.3, 0.1], [0.7, 0.1, 0.2], [0.2, 0.1, 0.7], [0.5, 0.4, 0.1]])
    y = [0, 1, 2, 0]
    mirrored = p[:, [0, 2, 1]].copy()
    mirrored[1:3] = p[[1, 2]][:, [[2, 1, 0], [1, 0, 2]]][[0, 1], [0, 1]]
    for rule in ("brier", "spherical"):
        assert fc.scoring_test(y, p, mirrored, rule=rule, on_undefined="ignore").pvalue == 1.0
        assert fc.scoring_test(y, p, mirrored, rule=rule, on_undefined="ignore").estimate == 0.0


@pytest.mark.parametrize("method", ["t", "wilcoxon", "permutation", "bootstrap"])
def test_a_power_of_two_of_losses_changes_no_p_value_in_scoring_test(method, requires_jit):
    rng = np.random.default_rng(1)
    p, q = rng.random((2, 12)).round(1)
    y = rng.integers(0, 2, 12)
    found = [
        fc.scoring_test(
            y, p, q, rule=lambda y, x, unit=unit: unit * np.abs(x - y), method=method, rng=0
        ).pvalue
        for unit in (1.0, 2.0**-400, 2.0**300)
    ]
    assert found[0] == found[1] == found[2]
