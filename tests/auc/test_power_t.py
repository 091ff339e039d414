"""Power of the t reference, of extreme designs, and from scores of pilot cases."""

import json
import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.special import ndtr, ndtri
from scipy.stats import nct, t

import fastcompare as fc
from studies.power import Study, measure, row
from tests.shared.golden_files import GOLDEN

PILOTS = json.loads((GOLDEN / "proc_power_pilot.json").read_text())["rows"]
DATA = fc.load_predictions()
PAIR = {"auc": (0.85, 0.75), "correlation": 0.6}


def binormal_cases(rng, auc, correlation, m, n, studies=1):
    """Labels, and scores (studies, m + n) of two models, normal in each class."""
    first, other = rng.normal(size=(2, studies, m + n))
    second = correlation * first + math.sqrt(1 - correlation**2) * other
    labels = np.repeat([1, 0], [m, n])
    shift = math.sqrt(2) * ndtri(auc)
    return labels, first + shift[0] * labels, second + shift[1] * labels


@pytest.mark.parametrize(("m", "n"), [(10, 100), (20, 60), (60, 60)])
def test_simulated_t_tests_have_the_power_of_the_noncentral_t(m, n, requires_jit):
    studies = 3000
    cases = binormal_cases(np.random.default_rng(m), PAIR["auc"], 0.6, m, n, studies)
    design = {**PAIR, "n_positive": m, "n_negative": n}
    for reference in ("normal", "t"):
        found = (fc.delong_batch(*cases, reference=reference).pvalue < 0.05).mean()
        want = fc.auc_power(**design, reference=reference)
        assert abs(found - want) < 3 * math.sqrt(want * (1 - want) / studies) + 0.02


def test_the_published_variance_asks_for_too_many_cases():
    """Simulated: 0.508 for these AUCs with 100 positives and 150 negatives."""
    design = {"auc": (0.85, 0.80), "correlation": 0.6}
    sizes = {"n_positive": 100, "n_negative": 150}
    assert_allclose(fc.auc_power(**design, **sizes), 0.508, atol=0.002)
    assert_allclose(fc.auc_power(**design, **sizes, method="obuchowski"), 0.366, atol=0.002)
    enough, many = (
        fc.auc_sample_size(**design, power=0.8, method=method).n_positive
        for method in ("binormal", "obuchowski")
    )
    assert 1.4 < many / enough < 1.7


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_the_power_of_t_is_that_of_scipys_noncentral_t(alternative):
    rng = np.random.default_rng(0)
    labels, a, b = binormal_cases(rng, (0.9, 0.7), 0.5, 12, 30)
    pilot = fc.delong_test(labels, a[0], b[0], reference="t")
    sides = 2 if alternative == "two-sided" else 1
    z, df = pilot.estimate / pilot.standard_error, pilot.df
    critical = t.isf(0.05 / sides, df)
    above, below = nct.sf(critical, df, z), nct.cdf(-critical, df, z)
    want = {"greater": above, "less": below, "two-sided": above + below}[alternative]
    sizes = {"n_positive": 12, "n_negative": 30, "alternative": alternative}
    found = fc.auc_power_from_pilot(labels, a[0], b[0], reference="t", **sizes)
    assert_allclose(found, want, rtol=1e-9)


def test_without_an_effect_the_power_of_t_is_alpha_in_auc_power():
    for alternative in ("two-sided", "less", "greater"):
        for alpha in (1e-6, 0.02, 0.5):
            design = {"n_positive": 4, "n_negative": 300, "alternative": alternative}
            power = fc.auc_power(
                auc=(0.7, 0.7), correlation=0.4, alpha=alpha, reference="t", **design
            )
            assert_allclose(power, alpha, rtol=1e-9)


def test_t_needs_more_cases_than_z_and_as_many_where_there_are_many_in_auc_sample_size():
    for auc, most in (((0.95, 0.7), 1.5), ((0.8, 0.79), 1.001)):
        z, by_t = (
            fc.auc_sample_size(auc=auc, correlation=0.5, power=0.9, reference=reference).n_positive
            for reference in ("normal", "t")
        )
        assert 1.0 < by_t / z < most


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(
    auc=st.tuples(*[st.floats(0.01, 0.99)] * 2).filter(lambda auc: abs(auc[0] - auc[1]) > 0.01),
    r=st.floats(-0.99, 0.99),
    power=st.floats(0.1, 0.999),
    ratio=st.floats(0.1, 10),
)
@example(auc=(0.75, 0.9375), r=3.160268305094255e-305, power=0.5, ratio=1.0)
@example(auc=(0.9375, 0.125), r=0.0, power=0.25, ratio=0.2417807251774506)  # 2 / ratio * ratio < 2
def test_the_sample_size_of_t_gives_the_power(auc, r, power, ratio):
    design = {"auc": auc, "correlation": r, "reference": "t"}
    found = fc.auc_sample_size(power=power, ratio=ratio, **design)
    sizes = {"n_positive": found.n_positive, "n_negative": found.n_negative}
    assert min(sizes.values()) > 2 - 1e-12
    reached = fc.auc_power(**sizes, **design)
    assert reached > power - 1e-9
    if min(sizes.values()) > 2.001:
        assert_allclose(reached, power, rtol=1e-9)


def test_large_effects_keep_a_power_in_both_directions_in_auc_power():
    """SciPy's noncentral t is NaN in the far tail of these."""
    for m, n in ((4, 2), (100, 100), (2000, 1500)):
        sizes = {"n_positive": m, "n_negative": n, "correlation": 0.0, "reference": "t"}
        for auc, alternative in (((0.984, 0.047), "greater"), ((0.047, 0.984), "less")):
            wrong = fc.auc_power(auc=auc[::-1], alternative=alternative, **sizes)
            right = fc.auc_power(auc=auc, alternative=alternative, **sizes)
            assert 0.0 <= wrong < 1e-4
            assert 0.9 < right <= 1.0


def test_too_few_cases_for_t_have_no_power_in_auc_power():
    for m, n in ((1, 100), (100, 1.5)):
        assert fc.auc_power(**PAIR, n_positive=m, n_negative=n, reference="t") == 0.0


@pytest.mark.parametrize("change", [{"auc": 0.8}, {**PAIR, "method": "obuchowski"}], ids=str)
def test_t_is_for_two_aucs_with_variances_by_class_in_auc_power(change):
    with pytest.raises(fc.InvalidValueError, match="Choose 'normal'"):
        fc.auc_power(n_positive=20, n_negative=20, reference="t", **change)


@pytest.mark.slow
def test_every_legal_design_has_a_power_in_auc_power():
    extremes = [1e-300, 1e-12, 0.5, 1 - 1e-12]
    aucs = [*extremes, *((a, b) for a in extremes for b in extremes)]
    for auc in aucs:
        for n in (1, 1e9, 1e300):
            for r in (-1 + 1e-15, 0.0, 1 - 1e-15):
                more = {"correlation": r} if isinstance(auc, tuple) else {}
                assert 0.0 <= fc.auc_power(auc=auc, n_positive=n, n_negative=n, **more) <= 1.0
    assert fc.auc_power(auc=1 - 1e-12, n_positive=100, n_negative=100) > 0.999999
    assert fc.auc_power(auc=1e-300, n_positive=100, n_negative=100) == 1.0
    assert fc.auc_power(auc=1e-300, n_positive=1e9, n_negative=5, alternative="greater") == 0.0


def pilot_of(row):
    cases = slice(row["cases"])
    scores = [DATA.scores[name][cases] for name in row["models"]]
    return np.asarray(DATA.y_true)[cases], *scores


@pytest.mark.parametrize("row", PILOTS, ids=str)
def test_power_from_a_pilot_is_procs_but_for_its_null_variance(row):
    pilot, sizes = pilot_of(row), {key: row[key] for key in ("n_positive", "n_negative")}
    (va, vb), cov, d = row["var"], row["cov"], row["auc"][0] - row["auc"][1]
    tail = row["alpha"] / {"two-sided": 2, "greater": 1}[row["alternative"]]
    error, z = math.sqrt(va + vb - 2 * cov), -ndtri(tail)
    options = {"alternative": "greater", "alpha": tail}
    found = fc.auc_power_from_pilot(*pilot, **sizes, **options)
    assert_allclose(found, ndtr(d / error - z), rtol=1e-9)
    enough = fc.auc_sample_size_from_pilot(*pilot, power=0.9, **options)
    cases = ((z + ndtri(0.9)) * error / d) ** 2 * row["n_positive"]
    assert_allclose(enough.n_positive, cases, rtol=1e-9)
    assert_allclose(enough.n_negative / cases, sizes["n_negative"] / sizes["n_positive"])
    # pROC takes the first AUC's variance for both in the null, which may be negative
    assert_allclose(row["power"], ndtr((d - z * math.sqrt(2 * (va - cov))) / error), rtol=1e-9)


def test_a_pilot_of_many_cases_has_the_power_of_the_binormal_method(requires_jit):
    labels, a, b = binormal_cases(np.random.default_rng(1), PAIR["auc"], 0.6, 30_000, 50_000)
    for sizes in ({"n_positive": 40, "n_negative": 40}, {"n_positive": 20, "n_negative": 300}):
        for reference in ("normal", "t"):
            options = {**sizes, "reference": reference}
            pilot = fc.auc_power_from_pilot(labels, a[0], b[0], difference=0.1, **options)
            assert_allclose(pilot, fc.auc_power(**PAIR, **options), atol=0.012)


def test_swapped_models_turn_the_alternative_and_tables_stand_for_both_in_auc_power_from_pilot():
    y, a, b = pilot_of(PILOTS[0])
    sizes = {"n_positive": 30, "n_negative": 40}
    one = fc.auc_power_from_pilot(y, a, b, alternative="greater", **sizes)
    two = fc.auc_power_from_pilot(y, {"b": b, "a": a}, alternative="less", **sizes)
    assert_allclose(one, two, rtol=1e-12)
    halved = fc.auc_power_from_pilot(y, a, b, difference=0.01, **sizes)
    assert halved < one


def test_a_pilot_and_a_difference_make_a_sentence_in_auc_sample_size_from_pilot():
    found = fc.auc_sample_size_from_pilot(*pilot_of(PILOTS[0]), power=0.9, difference=0.02)
    assert "for AUCs that differ by 0.02 (" in found.summary()
    assert found.summary().endswith("pilot variance).")
    assert (found.effect, found.method, found.correlation) == (0.02, "pilot", None)


@pytest.mark.parametrize(
    ("pilot", "message"),
    [
        (([0, 0, 0, 1], [1, 2, 3, 4], [1, 3, 2, 4]), "at least two cases of each class"),
        (([0, 0, 1, 1], [1, 2, 3, 4], [1, 2, 3, 4]), "must not rank them identically"),
        (([0, 0, 0, 0], [1, 2, 3, 4], [1, 3, 2, 4]), "at least two cases of each class"),
        (([0, 0, 1], [1, 2, 3], [1, 2]), "`y_score_b` must have one score for each"),
    ],
    ids=["one positive", "alike", "no positive", "lengths"],
)
def test_pilots_that_tell_nothing_are_refused_in_auc_power_from_pilot(pilot, message):
    with pytest.raises(fc.InvalidValueError, match=message):
        fc.auc_power_from_pilot(*pilot, n_positive=20, n_negative=20)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"difference": 1.0}, "`difference` must be between -1 and 1"),
        ({"difference": 0.0}, "`difference` implies an effect of 0"),
        ({"difference": -0.1, "alternative": "greater"}, "contradicts"),
        ({"power": 0.01}, "`power` must be between 0.05 and 1"),
        ({"ratio": 0}, "`ratio` must be between 0 and inf"),
        ({"reference": "z"}, "`reference` must be one of"),
    ],
    ids=str,
)
def test_goals_without_a_sample_size_are_refused_in_auc_sample_size_from_pilot(options, message):
    with pytest.raises(fc.InvalidValueError, match=message):
        fc.auc_sample_size_from_pilot(*pilot_of(PILOTS[0]), **{"power": 0.9, **options})


def test_the_study_of_the_manual_finds_what_it_shows_in_auc_power(requires_jit):
    study = Study((0.85, 0.75), (0.3, 0.8), 50, 50)
    found = measure(study, trials=1500)
    low, high = found["pilots"]
    assert low < fc.auc_power(**study._asdict()) < high
    shown = row(study, found)
    assert shown[:3] == ("0.85, 0.75", "0.3, 0.8", "50 + 50")
    assert abs(float(shown[3]) - float(shown[4])) < 5  # found and promised
    assert abs(float(shown[7]) - float(shown[8])) < 5
