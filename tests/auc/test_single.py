import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose
from scipy.special import ndtri, stdtrit
from scipy.stats import rankdata
from sklearn.metrics import roc_auc_score

import fastcompare as fc
from tests.reference import auc as reference
from tests.shared.documents import T1, T2
from tests.shared.golden_files import PROC
from tests.shared.strategies import scored_cases

PROC_MODELS = [(name, model) for name, case in PROC.items() for model in case["scores"]]


def tie_patterns(n):
    """All scores of n cases in increasing order, up to what ranks can see."""
    for steps in itertools.product((0, 1), repeat=n - 1):
        yield (0, *itertools.accumulate(steps))


@pytest.mark.slow
@pytest.mark.parametrize("n", range(2, 8))
def test_every_label_and_tie_pattern_is_exact(n):
    """All labellings and all ties of up to seven cases, against fractions."""
    for labels, scores in itertools.product(itertools.product((0, 1), repeat=n), tie_patterns(n)):
        if 0 < sum(labels) < n:
            check_exact(labels, scores)


def check_exact(labels, scores):
    v10, v01 = fc.structural_components(labels, scores)
    want10, want01 = reference.components(labels, scores)
    assert v10.tolist() == [float(v) for v in want10]
    assert v01.tolist() == [float(v) for v in want01]
    assert fc.roc_auc(labels, scores) == float(reference.mean(want10))


def test_components_of_the_worked_example_in_structural_components():
    """FORMULAS: AUC components, T1 B."""
    v10, v01 = fc.structural_components(T1["y"], T1["b"])
    assert v10.tolist() == [0, 1, 1]
    assert v01.tolist() == [2 / 3, 2 / 3]


@pytest.mark.slow
@given(case=scored_cases(k=1, smallest=1))
@pytest.mark.parametrize("method", ["auto", "midrank", "heaviside"])
def test_components_follow_the_definition_in_structural_components(case, method):
    labels, (scores,) = case
    v10, v01 = fc.structural_components(labels, scores, method=method)
    want10, want01 = reference.components(labels.tolist(), scores.tolist())
    assert v10.tolist() == [float(v) for v in want10]
    assert v01.tolist() == [float(v) for v in want01]


@pytest.mark.slow
@given(case=scored_cases(k=1, smallest=1))
def test_auc_against_two_other_libraries_in_roc_auc(case):
    labels, (scores,) = case
    ranks = rankdata(scores)
    m, n = labels.sum(), (1 - labels).sum()
    mann_whitney = (ranks[labels == 1].sum() - m * (m + 1) / 2) / (m * n)
    assert_allclose(fc.roc_auc(labels, scores), mann_whitney, rtol=1e-13, atol=1e-15)
    if np.isfinite(scores).all():
        want = roc_auc_score(labels, np.unique(scores, return_inverse=True)[1])
        assert_allclose(fc.roc_auc(labels, scores), want, rtol=1e-12, atol=1e-14)


@pytest.mark.slow
@given(case=scored_cases(k=1, smallest=1))
def test_reversing_the_scores_or_the_labels_reflects_the_auc_in_roc_auc(case):
    labels, (scores,) = case
    auc = fc.roc_auc(labels, scores)
    assert_allclose(fc.roc_auc(labels, -scores), 1 - auc, atol=1e-15)
    assert_allclose(fc.roc_auc(1 - labels, scores), 1 - auc, atol=1e-15)


@pytest.mark.parametrize(("name", "model"), PROC_MODELS)
def test_agrees_with_proc_in_roc_auc_interval(name, model):
    """R 4.2.2, pROC 1.18.0: auc, var and ci.auc with method = "delong"."""
    case = PROC[name]
    want = case["single"][model]
    y, scores = case["y"], case["scores"][model]
    result = fc.roc_auc_interval(y, scores, method="delong", on_undefined="ignore")
    assert_allclose(result.estimate, want["auc"], rtol=1e-12)
    assert_allclose(result.standard_error**2, want["var_delong"], rtol=1e-9)
    for level in (95, 90):
        low, _, high = want[f"ci_delong_{level}"]
        if low == high:  # of an AUC of 1, which pROC warns of
            low = high = np.nan
        assert_allclose(result.confidence_interval(level / 100), (low, high), rtol=1e-9)


def test_logit_interval_of_the_formulas_in_roc_auc_interval():
    """FORMULAS: logit interval (Pepe 2003), T2 A."""
    result = fc.roc_auc_interval(T2["y"], T2["a"], method="logit")
    assert_allclose(result.confidence_interval(), (0.6946373, 0.9968893), rtol=1e-7)


@pytest.mark.parametrize(("m", "n", "low"), [(3, 2, 0.438912), (50, 50, 0.960344)])
def test_newcombe_interval_of_a_perfect_model_in_roc_auc_interval(m, n, low):
    """FORMULAS: AUC = 1 (Newcombe 2006, method 5)."""
    y, scores = [0] * n + [1] * m, range(m + n)
    with pytest.warns(fc.UndefinedResultWarning, match="method='score'"):
        result = fc.roc_auc_interval(y, scores, method="delong")
    assert np.isnan(result.confidence_interval()).all()
    result = fc.roc_auc_interval(y, scores, method="newcombe", on_undefined="raise")
    assert_allclose(result.confidence_interval().low, low, rtol=2e-6)
    assert result.confidence_interval().high == 1
    mirrored = fc.roc_auc_interval(y[::-1], scores, method="newcombe", on_undefined="ignore")
    assert_allclose(mirrored.confidence_interval().high, 1 - low, atol=1e-6)


def test_newcombe_interval_of_the_formulas():
    low, high = fc.roc_auc_interval(T2["y"], T2["a"], method="newcombe").confidence_interval()
    assert_allclose(low, 0.65681, rtol=1e-5)
    assert low < fc.roc_auc(T2["y"], T2["a"]) < high < 1


@pytest.mark.slow
@given(case=scored_cases(k=1))
def test_newcombe_ends_solve_his_equation_in_roc_auc_interval(case):
    labels, (scores,) = case
    result = fc.roc_auc_interval(labels, scores, method="newcombe", on_undefined="ignore")
    m, n, t, z = result.n_positive, result.n_negative, result.estimate, 1.959963984540054
    for u in result.confidence_interval():
        half = (m + n) / 2 - 1
        spread = u * (1 - u) / (m * n) * (1 + half * ((1 - u) / (2 - u) + u / (1 + u)))
        assert_allclose((t - u) ** 2, z * z * spread, rtol=1e-6, atol=1e-12)


@pytest.mark.slow
def test_intervals_cover_the_true_auc_in_roc_auc_interval(requires_jit):
    """AUC of normal scores one apart: Phi(1/sqrt 2); 1000 data sets, nominal 95%."""
    rng = np.random.default_rng(5)
    y = np.arange(80) % 2
    true = 0.5 * math.erfc(-0.5)
    covered = dict.fromkeys(("score", "delong", "logit", "newcombe"), 0)
    for _ in range(1000):
        scores = rng.normal(size=80) + y
        for method in covered:
            low, high = fc.roc_auc_interval(y, scores, method=method).confidence_interval()
            covered[method] += low <= true <= high
    assert all(920 <= count <= 980 for count in covered.values()), covered


def test_level_of_the_call_is_the_default_level_in_roc_auc_interval():
    result = fc.roc_auc_interval(T2["y"], T2["b"], confidence_level=0.8)
    assert result.confidence_interval() == result.confidence_interval(0.8)
    assert result.confidence_interval(0.95).low < result.confidence_interval().low
    assert result.confidence_level == 0.8


def test_uint8_labels_do_not_overflow_in_roc_auc():
    """A peer sums uint8 labels and gets a wrong AUC from 256 positives on."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 2000)
    scores = rng.normal(size=2000) + y
    assert fc.roc_auc(y.astype(np.uint8), scores) == fc.roc_auc(y, scores)
    assert_allclose(fc.roc_auc(y.astype(np.uint8), scores), roc_auc_score(y, scores), rtol=1e-13)


def test_reversed_scores_are_noted_and_never_turned_in_roc_auc_interval():
    result = fc.roc_auc_interval(T2["y"], [-v for v in T2["b"]])
    assert result.estimate < 0.5
    assert "negative class" in result.summary()
    assert "negative class" not in fc.roc_auc_interval(T2["y"], T2["b"]).summary()


@pytest.mark.parametrize("method", ["delong", "logit"])
def test_without_a_standard_error_there_is_no_interval_in_roc_auc_interval(method):
    result = fc.roc_auc_interval([0, 0, 1], [0.1, 0.5, 0.3], method=method, on_undefined="ignore")
    assert result.status == "too_few"
    assert np.isnan(result.confidence_interval()).all()


def test_a_bootstrap_interval_can_be_repeated_by_its_seed_in_roc_auc_interval():
    one, two = (
        fc.roc_auc_interval(T2["y"], T2["b"], method="bootstrap", rng=rng, n_resamples=99)
        for rng in (np.random.default_rng(5), None)
    )
    again = fc.roc_auc_interval(T2["y"], T2["b"], method="bootstrap", rng=one.seed, n_resamples=99)
    assert again.confidence_interval() == one.confidence_interval()
    assert one.n_resamples == 99
    assert two.seed != one.seed


def slow_score_interval(labels, scores):
    """The interval of 'score' by its definition, on a grid of 20,000 AUCs."""
    v10, v01 = (np.array(v, float) for v in reference.components(labels, scores))
    m, n, t = v10.size, v01.size, v10.mean()
    u = (np.arange(20_000) + 0.5) / 2e4
    df = (1 / m + 1 / n) ** 2 / (1 / m**2 / (m - 1) + 1 / n**2 / (n - 1))

    def model(x):
        return x * (1 - x) / (m * n) * (1 + ((m + n) / 2 - 1) * ((1 - x) / (2 - x) + x / (1 + x)))

    known, scale = 2 * t * (1 - t) * df, 1.0
    if 0 < t < 1:
        observed = (v10.var(ddof=1) / m + v01.var(ddof=1) / n) / model(t)
        scale = (4 + known * observed) / (4 + known)
    square = stdtrit(4 + 2 * u * (1 - u) * df, 0.975) ** 2
    inside = u[(t - u) ** 2 <= square * scale * model(u)]
    return (0.0 if t == 0 else inside[0]), (1.0 if t == 1 else inside[-1])


@pytest.mark.slow
@given(case=scored_cases(k=1, smallest=2))
def test_the_score_interval_follows_its_definition_in_roc_auc_interval(case):
    labels, (scores,) = case
    result = fc.roc_auc_interval(labels, scores, on_undefined="ignore")
    want = slow_score_interval(labels.tolist(), scores.tolist())
    assert result.method == "score"
    assert_allclose(result.confidence_interval(), want, atol=6e-5)


@pytest.mark.slow
@given(case=scored_cases(k=1, smallest=2))
def test_swapped_labels_mirror_the_score_interval_in_roc_auc_interval(case):
    labels, (scores,) = case
    low, high = fc.roc_auc_interval(labels, scores, on_undefined="ignore").confidence_interval()
    mirrored = fc.roc_auc_interval(1 - labels, scores, on_undefined="ignore").confidence_interval()
    assert_allclose(mirrored, (1 - high, 1 - low), atol=1e-12)


def test_a_perfect_model_of_few_cases_has_a_score_interval_without_a_warning_in_roc_auc_interval():
    result = fc.roc_auc_interval([0] * 20 + [1] * 3, range(23), on_undefined="raise")
    low, high = result.confidence_interval()
    assert (result.status, high) == ("ok", 1)
    assert 0.3 < low < fc.roc_auc_interval([0] * 20 + [1] * 9, range(29)).confidence_interval().low


@pytest.mark.slow
@pytest.mark.parametrize("method", ["delong", "logit", "bootstrap"])
def test_methods_that_cover_too_seldom_warn_and_name_the_default_in_roc_auc_interval(method):
    rng = np.random.default_rng(4)
    y = np.r_[np.zeros(57, int), np.ones(3, int)]
    scores = rng.normal(size=60) + y
    with pytest.warns(fc.SmallSampleWarning, match=r"^low_coverage: .* method='auto'"):
        result = fc.roc_auc_interval(y, scores, method=method, n_resamples=99)
    assert result.status == "low_coverage"
    many, y = rng.normal(size=600), np.arange(600) % 2
    assert fc.roc_auc_interval(y, many + y, method=method, n_resamples=99).status == "ok"


def test_newcombes_interval_warns_where_one_class_is_rare_in_roc_auc_interval():
    y = np.arange(100)
    with pytest.warns(fc.SmallSampleWarning, match="^low_coverage"):
        fc.roc_auc_interval(y < 29, y % 7, method="newcombe")
    assert fc.roc_auc_interval(y < 30, y % 7, method="newcombe").status == "ok"


@pytest.mark.slow
def test_the_score_interval_covers_where_positives_are_rare_and_scores_spread_unequally(
    requires_jit,
):
    """4 of 200, twice as spread: of 10,000 samples Newcombe's covers 85%, DeLong's 83, this 95."""
    rng, truth, covered = np.random.default_rng(9), 0.6, 0
    y = np.r_[np.zeros(196, int), np.ones(4, int)]
    shift = ndtri(truth) * math.sqrt(5)
    for _ in range(400):
        scores = rng.normal(size=200) * np.where(y, 2, 1) + shift * y
        low, high = fc.roc_auc_interval(y, scores).confidence_interval()
        covered += low <= truth <= high
    assert covered >= 364  # 91%
