import gc
import json
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from statsmodels.stats.multitest import multipletests

from fastcompare._base.exceptions import InvalidTypeError, InvalidValueError, UndefinedResultWarning
from fastcompare._inference.corrections.adjust import CORRECTIONS, adjust_pvalues
from tests.reference import corrections as reference
from tests.reference.corrections import families, moderate_families, pvalue, small_families

GOLDEN = json.loads(
    (Path(__file__).parents[1] / "golden" / "r_documented_examples.json").read_text()
)
R_NAMES = {
    "bonferroni": "bonferroni",
    "holm": "holm",
    "hochberg": "hochberg",
    "hommel": "hommel",
    "bh": "BH",
    "by": "BY",
}
STATSMODELS_NAMES = {
    "bonferroni": "bonferroni",
    "sidak": "sidak",
    "holm": "holm",
    "holland": "holm-sidak",
    "hochberg": "simes-hochberg",
    "hommel": "hommel",
    "bh": "fdr_bh",
    "by": "fdr_by",
}
every_method = pytest.mark.parametrize("method", CORRECTIONS)


@pytest.mark.parametrize("example", GOLDEN["p_adjust"])
@pytest.mark.parametrize("method", R_NAMES)
def test_equals_p_adjust_of_r(example, method):
    # p.adjust of R 4.2.2 (golden/README.md); the second family is from García and Herrera 2008
    got = adjust_pvalues(example["p"], method=method)
    assert_allclose(got, example[R_NAMES[method]], rtol=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize("method", STATSMODELS_NAMES)
@given(pvalues=families)
def test_equals_statsmodels(method, pvalues):
    # statsmodels collects garbage in each call of holm: 0.1 to 0.4 s
    with np.errstate(all="ignore"), patch.object(gc, "collect"):
        expected = multipletests(pvalues, method=STATSMODELS_NAMES[method])[1]
    assert_allclose(adjust_pvalues(pvalues, method=method), expected, rtol=1e-12, atol=1e-15)


@pytest.mark.slow
@pytest.mark.parametrize("method", reference.LOCAL_TESTS)
@given(pvalues=small_families)
def test_equals_closed_testing(method, pvalues):
    expected = reference.closed_testing(reference.LOCAL_TESTS[method], pvalues)
    assert_allclose(adjust_pvalues(pvalues, method=method), expected, rtol=1e-12, atol=1e-15)


@pytest.mark.slow
@every_method
@given(pvalues=families, level=st.floats(1e-6, 1 - 1e-6))
def test_comparing_with_a_level_is_the_decision_of_the_procedure(method, pvalues, level):
    adjusted = adjust_pvalues(pvalues, method=method)
    assume(np.all(np.abs(adjusted - level) > 1e-9 * level))
    assert_array_equal(adjusted <= level, reference.rejections(method, pvalues, level))


@pytest.mark.slow
@every_method
@given(pvalues=moderate_families)
def test_an_adjusted_pvalue_is_the_smallest_level_that_rejects(method, pvalues):
    for i, level in enumerate(adjust_pvalues(pvalues, method=method).tolist()):
        assert not reference.rejections(method, pvalues, level * (1 - 1e-7))[i]
        if level < 1 - 1e-7:
            assert reference.rejections(method, pvalues, level * (1 + 1e-7))[i]


@pytest.mark.parametrize(
    ("level", "published"),
    [
        (0.05, [0.05, 0.025, 0.0169, 0.0127, 0.0102, 0.00851, 0.0073, 0.00639, 0.00568, 0.00511]),
        (0.01, [0.01, 0.005, 0.00334, 0.00251, 0.00201, 0.00167, 0.00143, 0.00126, 0.00112]),
    ],
)
def test_rom_has_the_published_critical_values(level, published):
    # Rom 1990, in the three digits that Wilcox's R functions carry (dvec); their tenth at 0.01,
    # 0.00101, is left out: the recursion gives 0.0010045
    for n, critical in enumerate(published, start=1):
        smallest = adjust_pvalues([critical] + [1.0] * (n - 1), method="rom")[0]
        assert smallest == pytest.approx(level, rel=0.005)


@pytest.mark.parametrize("method", ["sidak", "holland", "finner", "rom"])
@pytest.mark.parametrize("m", [1, 2, 3, 6])
def test_the_familywise_error_of_independent_pvalues_is_exactly_the_level(method, m):
    for level in (0.01, 0.05, 0.3, 0.9):
        critical = reference.critical_values(method, level, m)
        if method != "rom":  # the others reject something only if they reject the smallest
            critical[1:] = critical[:1] * (m - 1)
        assert reference.probability_of_any_rejection(critical) == pytest.approx(level, rel=1e-9)


@pytest.mark.parametrize("method", ["sidak", "holland", "finner", "li"])
def test_the_level_is_kept_in_a_simulation(method):
    families = np.random.default_rng(5).uniform(size=(4000, 4))
    errors = [adjust_pvalues(p, method=method).min() <= 0.2 for p in families]
    assert np.mean(errors) == pytest.approx(0.2, abs=4 * np.sqrt(0.2 * 0.8 / 4000))


@pytest.mark.parametrize("level", [1e-9, 0.05, 0.5, 0.9, 0.999])
def test_rom_inverts_its_critical_values_to_full_accuracy(level):
    with mpmath.workdps(60):
        exact = reference.rom_critical_values(mpmath.mpf(level), 60)
    for n in (2, 3, 4, 10, 30, 60):
        p = [float(exact[n - 1])] + [1.0] * (n - 1)
        assert adjust_pvalues(p, method="rom")[0] == pytest.approx(level, rel=1e-12)


def test_rom_scaled_at_one_level_is_not_rom():
    # scmamp's adjustRom(p, alpha=0.05) multiplies by 0.05 / critical value: right at 0.05 only
    pvalues, third = [0.1, 0.9, 0.95], reference.rom_critical_values(0.05, 3)[2]
    scaled = 0.05 / third * pvalues[0]
    assert adjust_pvalues(pvalues, method="rom")[0] < scaled - 0.01
    assert reference.rejections("rom", pvalues, scaled - 0.01)[0]


@pytest.mark.slow
@given(p=st.lists(pvalue, min_size=1, max_size=2))
def test_rom_of_two_is_hochberg(p):
    hochberg = adjust_pvalues(p, method="hochberg")
    assert_allclose(adjust_pvalues(p, method="rom"), hochberg, rtol=1e-13)


@pytest.mark.usefixtures("requires_jit")
def test_rom_of_many_stays_between_its_bounds():
    p = np.random.default_rng(1).uniform(size=500) ** 4
    p.sort()
    rom, hochberg = (adjust_pvalues(p, method=method) for method in ("rom", "hochberg"))
    lower = np.minimum.accumulate(-np.expm1(-np.arange(500, 0, -1) * p)[::-1])[::-1]
    assert np.all(rom <= hochberg * (1 + 1e-13))
    assert np.all(rom >= lower * (1 - 1e-13))


def test_li_by_hand():
    assert_allclose(adjust_pvalues([0.01, 0.02, 0.4], method="li"), [1 / 61, 2 / 62, 0.4])
    assert_array_equal(adjust_pvalues([0.01, 1.0], method="li"), [0.01 / 0.01, 1.0])
    assert_array_equal(adjust_pvalues([0.0, 1.0], method="li"), [0.0, 1.0])


def test_finner_by_hand():
    expected = [1 - 0.99**3, 1 - 0.96**1.5, 1 - 0.96**1.5]
    assert_allclose(adjust_pvalues([0.01, 0.04, 0.05], method="finner"), expected)


@pytest.mark.parametrize("method", ["sidak", "holland", "finner"])
def test_tiny_pvalues_keep_their_digits(method):
    smallest = adjust_pvalues([1e-200, 0.5, 0.5], method=method)[0]
    assert smallest == pytest.approx(3e-200, rel=1e-14)


@every_method
def test_the_shape_is_kept(method):
    p = [[0.01, 0.04, 0.03], [0.2, 0.005, 1.0]]
    flat = adjust_pvalues(np.ravel(p), method=method)
    assert_array_equal(adjust_pvalues(p, method=method), flat.reshape(2, 3))
    assert adjust_pvalues(0.25, method=method).shape == ()


@every_method
def test_nothing_gives_nothing(method):
    assert adjust_pvalues([], method=method).shape == (0,)
    assert adjust_pvalues(np.empty((2, 0)), method=method).shape == (2, 0)


@every_method
def test_nan_stays_in_place_and_is_not_counted(method):
    with pytest.warns(UndefinedResultWarning, match="2 of 5") as caught:
        got = adjust_pvalues([0.01, np.nan, 0.2, 0.03, np.nan], method=method)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert np.isnan(got[[1, 4]]).all()
    assert_array_equal(got[[0, 2, 3]], adjust_pvalues([0.01, 0.2, 0.03], method=method))


def test_only_nan_gives_only_nan():
    with pytest.warns(UndefinedResultWarning, match="1 of 1"):
        assert np.isnan(adjust_pvalues([np.nan])).all()


@pytest.mark.parametrize(
    ("pvalues", "message"),
    [
        ([0.1, 1.5, -1], r"`pvalues` must be in \[0, 1\], got 1.5 at index 1"),
        ([0.1, np.nan, -1e-9], "got -1e-09 at index 2"),
        ([0.1, np.inf], "got inf at index 1"),
        ([[0.1, 0.2], [0.3, 2]], "got 2.0 at index 1, 1"),
        (7, "got 7.0"),
    ],
)
def test_values_outside_the_range_are_named(pvalues, message):
    with pytest.raises(InvalidValueError, match=message):
        adjust_pvalues(pvalues)


@pytest.mark.parametrize(
    "pvalues",
    [["0.1"], [0.1 + 0j], np.array([0.1, "x"], dtype=object), np.array(["2020"], dtype="M8[D]")],
)
def test_other_kinds_are_refused(pvalues):
    with pytest.raises(InvalidTypeError, match="`pvalues`"):
        adjust_pvalues(pvalues)


def test_an_unknown_method_gets_the_list_and_the_nearest():
    with pytest.raises(InvalidValueError, match=r"`method`.*hochberg") as error:
        adjust_pvalues([0.1], method="hochburg")
    assert all(name in str(error.value) for name in CORRECTIONS)


@every_method
def test_the_input_is_left_alone_and_its_layout_is_irrelevant(method):
    p = np.array([0.03, 9.0, 0.0, 9.0, 0.5, 9.0, 0.001, 9.0])[::2]
    p.setflags(write=False)
    expected = adjust_pvalues([0.03, 0.0, 0.5, 0.001], method=method)
    assert_array_equal(adjust_pvalues(p, method=method), expected)
    assert_array_equal(p, [0.03, 0.0, 0.5, 0.001])
    assert not np.signbit(adjust_pvalues([-0.0, 0.5], method=method)).any()


@every_method
def test_the_error_state_of_the_host_is_irrelevant(method):
    p = [0.0, 5e-324, 1e-310, 1e-200, 1e-17, 0.3, 0.4, 0.7, 1.0]
    expected = adjust_pvalues(p, method=method)
    with np.errstate(all="raise"):
        assert_array_equal(adjust_pvalues(p, method=method), expected)


@pytest.mark.slow
def test_scipy_is_not_imported():
    code = (
        "import sys, fastcompare as fc; fc.adjust_pvalues([.1], method='hommel');"
        "sys.exit('scipy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
