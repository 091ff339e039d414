"""Correlated folds, and models by data sets: what is drawn, and how often the tests reject."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc
from fastcompare.simulate import CorrelatedFolds, ModelsByDatasets, simulate_error_rates
from fastcompare.simulate.models_by_datasets import expected_ranks, means_for_ranks

FOLDS = CorrelatedFolds(n_rounds=7, n_models=4, last_deviation=2.0)
DATASETS = ModelsByDatasets(n_datasets=9, n_models=4)
ROUNDED = ModelsByDatasets(n_datasets=9, n_models=4, decimals=0)
TRIALS = 20_000


def rates(design, tests=None, **options):
    found = simulate_error_rates(tests, design, n_trials=TRIALS, rng=1, **options)
    return dict(zip(found.tests, found.rate.tolist(), strict=True))


def is_rate(found, want):
    return abs(found - want) < 4 * math.sqrt(want * (1 - want) / TRIALS)


def anova(scores):
    """F from sums of squares, and epsilon from the covariance matrix of orthonormal contrasts."""
    rounds, k = scores.shape
    grand, models, rows = scores.mean(), scores.mean(axis=0), scores.mean(axis=1)
    error = ((scores - models - rows[:, None] + grand) ** 2).sum()
    between = rounds * ((models - grand) ** 2).sum()
    f = between / (k - 1) / (error / ((k - 1) * (rounds - 1)))
    contrasts = np.linalg.qr(np.eye(k) - 1 / k)[0][:, : k - 1]
    covariance = contrasts.T @ np.cov(scores.T) @ contrasts
    return f, np.trace(covariance) ** 2 / ((k - 1) * (covariance**2).sum())


def pvalues_of_rounds(scores, ratio):
    rounds, k = scores.shape
    d = scores[:, 0] - scores[:, 1]
    t = d.mean() / math.sqrt(d.var(ddof=1) * (1 / rounds + ratio))
    f, epsilon = anova(scores)
    df = np.array([k - 1, (k - 1) * (rounds - 1)])
    return {
        "ttest_resampled": stats.ttest_rel(scores[:, 0], scores[:, 1]).pvalue,
        "ttest_corrected": 2 * stats.t.sf(abs(t), rounds - 1),
        "rm_anova": stats.f.sf(f, *df),
        "rm_anova_greenhouse_geisser": stats.f.sf(f, *(epsilon * df)),
        "rm_anova_corrected": stats.f.sf(f / (1 + rounds * ratio), *df),
    }


@pytest.mark.parametrize("trial", range(5))
def test_tests_of_rounds_are_their_definitions(trial):
    p = FOLDS.pvalues(FOLDS.tests, range(trial, trial + 1), seed=3, effect=0.4)[:, 0]
    want = pvalues_of_rounds(*FOLDS.sample(trial, seed=3, effect=0.4), ratio=1 / 9)
    assert_allclose(p, [want[name] for name in FOLDS.tests], rtol=1e-9)


def pvalues_of_ranks(scores):
    n, k = scores.shape
    chi2 = stats.friedmanchisquare(*scores.T)
    f = (n - 1) * chi2.statistic / (n * (k - 1) - chi2.statistic)
    average = stats.rankdata(scores, axis=1).mean(axis=0)
    unit = math.sqrt(k * (k + 1) / (12 * n))
    a, b = scores[:, 0], scores[:, 1]
    q = np.array([np.ptp(average), abs(average[0] - average[1])]) / unit
    nemenyi = stats.studentized_range.sf(q, k, np.inf)
    wins, losses = int((a > b).sum()), int((a < b).sum())
    return {
        "friedman_chi2": chi2.pvalue,
        "iman_davenport": stats.f.sf(f, k - 1, (k - 1) * (n - 1)),
        "nemenyi": nemenyi[0],
        "nemenyi_pair": nemenyi[1],
        "wilcoxon": fc.wilcoxon_test(a, b, on_undefined="ignore").pvalue,
        "sign": stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0,
    }


@pytest.mark.slow
@pytest.mark.parametrize("design", [DATASETS, ROUNDED], ids=["continuous", "tied"])
@pytest.mark.parametrize("trial", range(4))
def test_tests_of_ranks_are_their_definitions(design, trial):
    want = pvalues_of_ranks(*design.sample(trial, seed=3, effect=0.4))
    p = design.pvalues(list(want), range(trial, trial + 1), seed=3, effect=0.4)[:, 0]
    assert_allclose(p, list(want.values()), rtol=1e-7)  # SciPy's range has 8 digits


def test_wilcoxon_without_ties_is_scipy_s():
    trials = range(20)
    samples = [DATASETS.sample(trial, seed=5)[0] for trial in trials]
    want = [stats.wilcoxon(s[:, 0], s[:, 1], method="exact").pvalue for s in samples]
    assert_allclose(DATASETS.pvalues(["wilcoxon"], trials, seed=5, effect=0.0)[0], want, rtol=1e-12)


@pytest.mark.parametrize(("n", "decimals"), [(60, 0), (199, None), (230, 0), (230, None)])
def test_wilcoxon_is_that_of_the_library(requires_jit, n, decimals):
    design = ModelsByDatasets(n_datasets=n, n_models=2, decimals=decimals)
    samples = [design.sample(trial, seed=5, effect=0.1)[0] for trial in range(4)]
    want = [fc.wilcoxon_test(s[:, 0], s[:, 1]).pvalue for s in samples]
    p = design.pvalues(["wilcoxon"], range(4), seed=5, effect=0.1)[0]
    assert_allclose(p, want, rtol=1e-10)


def test_tables_of_equal_rows_and_of_ties_only():
    alike = ModelsByDatasets(n_datasets=3, n_models=3, mean_ranks=[1.00001, 2, 2.99999])
    p = alike.pvalues(["iman_davenport"], range(200), seed=1, effect=0.0)[0]
    assert_allclose(np.sort(p)[:100], 6.0**-2, rtol=1e-12)  # (3!)^(1 - 3)
    tied = ModelsByDatasets(n_datasets=3, n_models=3, dataset_deviation=0.0, decimals=-3)
    assert (tied.pvalues(tied.tests, range(3), seed=1, effect=0.0) == 1.0).all()


def test_nemenyi_s_familywise_rate_leaves_out_models_that_differ(requires_jit):
    found = rates(ModelsByDatasets(), ["nemenyi", "nemenyi_familywise"], effect=1.5)
    assert found["nemenyi"] > 0.9
    assert 0.01 < found["nemenyi_familywise"] < 0.05
    ranks = [2, 2, 3, 4, 4]
    design = ModelsByDatasets(n_datasets=6, mean_ranks=ranks)
    p = design.pvalues(["nemenyi_familywise"], range(10), seed=2, effect=0.0)[0]
    for trial in range(10):
        average = stats.rankdata(design.sample(trial, seed=2)[0], axis=1).mean(axis=0)
        widest = max(abs(average[0] - average[1]), abs(average[3] - average[4]))
        q = widest / math.sqrt(5 * 6 / (12 * 6))
        assert_allclose(p[trial], stats.studentized_range.sf(q, 5, np.inf), rtol=1e-7)


def test_rounds_have_the_chosen_correlation(requires_jit):
    design = CorrelatedFolds(n_rounds=3, n_models=2, correlation=0.3, last_deviation=2.0)
    scores = design.draw(range(40_000), seed=1, effect=0.7)
    columns = scores.transpose(2, 1, 0).reshape(6, -1)  # the rounds of one model, then the other
    want = np.kron(np.diag([1.0, 4.0]), 0.7 * np.eye(3) + 0.3)
    assert_allclose(np.cov(columns), want, atol=0.06)
    assert_allclose(columns.mean(axis=1), [0.7] * 3 + [0.0] * 3, atol=0.04)


def test_datasets_are_as_hard_as_chosen(requires_jit):
    design = ModelsByDatasets(n_datasets=2, n_models=3, dataset_deviation=2.0)
    scores = design.draw(range(40_000), seed=1, effect=0.5).scores.transpose(1, 2, 0).reshape(6, -1)
    want = np.kron(np.eye(2), np.full((3, 3), 4.0)) + np.eye(6)
    assert_allclose(np.cov(scores), want, atol=0.12)
    assert_allclose(scores.mean(axis=1), [0.5, 0, 0] * 2, atol=0.05)


@pytest.mark.parametrize("decimals", [0, 2, -1])
def test_rounded_scores_are_the_same_scores_rounded(decimals):
    plain, rounded = (
        ModelsByDatasets(dataset_deviation=20.0, decimals=d).sample(3, seed=1)[0]
        for d in (None, decimals)
    )
    assert_allclose(rounded, np.round(plain, decimals), atol=1e-12)
    assert np.array_equal(rounded, np.round(rounded, decimals))


def test_valid_tests_of_rounds_keep_their_level(requires_jit):
    found = rates(CorrelatedFolds())
    assert is_rate(found["ttest_corrected"], 0.05)
    assert is_rate(found["rm_anova_corrected"], 0.05)
    independent = rates(CorrelatedFolds(correlation=0.0))
    assert is_rate(independent["ttest_resampled"], 0.05)
    assert is_rate(independent["rm_anova"], 0.05)


@pytest.mark.parametrize(("n_rounds", "n_test"), [(10, 10.0), (30, 45.0)])
def test_the_naive_t_test_errs_as_often_as_theory_says(requires_jit, n_rounds, n_test):
    """It is sqrt(1 + J n_test / n_train) times a t with J - 1 df."""
    design = CorrelatedFolds(n_rounds=n_rounds, n_test=n_test)
    critical = stats.t.isf(0.025, n_rounds - 1)
    theory = 2 * stats.t.sf(critical / math.sqrt(1 + n_rounds * design.ratio), n_rounds - 1)
    assert is_rate(rates(design)["ttest_resampled"], theory)


def test_power_of_the_corrected_t_test_is_that_of_a_noncentral_t(requires_jit):
    """The variance of the mean difference is 2 (rho + (1 - rho) / J)."""
    design = CorrelatedFolds(n_rounds=20)
    critical, shift = stats.t.isf(0.025, 19), 0.8 / math.sqrt(2 * (0.1 + 0.9 / 20))
    theory = stats.nct.sf(critical, 19, shift) + stats.nct.cdf(-critical, 19, shift)
    assert is_rate(rates(design, "ttest_corrected", effect=0.8)["ttest_corrected"], theory)


def test_power_of_the_f_test_is_that_of_a_noncentral_f(requires_jit):
    """With independent rounds the noncentrality is J sum (mu - mean mu)^2."""
    design = CorrelatedFolds(n_rounds=12, n_models=4, correlation=0.0)
    theory = stats.ncf.sf(stats.f.isf(0.05, 3, 33), 3, 33, 12 * 0.75 * 0.9**2)
    assert is_rate(rates(design, "rm_anova", effect=0.9)["rm_anova"], theory)


def test_greenhouse_and_geisser_help_where_variances_differ(requires_jit):
    design = CorrelatedFolds(n_models=4, correlation=0.0, last_deviation=5.0)
    found = rates(design)
    assert found["rm_anova"] > 0.09
    assert found["rm_anova_greenhouse_geisser"] < 0.06


@pytest.mark.slow
def test_valid_tests_of_ranks_keep_their_level(requires_jit):
    found = rates(ModelsByDatasets(n_datasets=20, n_models=6))
    for name in ("friedman_chi2", "iman_davenport", "nemenyi", "wilcoxon"):
        assert abs(found[name] - 0.05) < 0.01, name
    exact = 2 * stats.binom.cdf(5, 20, 0.5)
    assert is_rate(found["sign"], exact)


@pytest.mark.parametrize("design", [CorrelatedFolds(), ModelsByDatasets()], ids=["folds", "sets"])
def test_power_grows_with_the_effect(requires_jit, design):
    curve = fc.simulate.simulate_power(None, design, effects=[0, 0.5, 1, 2], rng=0)
    grows = [i for i, name in enumerate(curve.tests) if name != "nemenyi_familywise"]
    assert (np.diff(curve.rate[grows]) > 0.02).all()


@pytest.mark.parametrize("design", [FOLDS, ROUNDED], ids=["folds", "sets"])
def test_a_trial_depends_on_its_number_alone(design):
    whole = design.pvalues(design.tests, range(8), seed=2, effect=0.1)
    later = design.pvalues(design.tests, range(5, 8), seed=2, effect=0.1)
    assert np.array_equal(whole[:, 5:], later)
    assert not np.array_equal(whole, design.pvalues(design.tests, range(8), seed=3, effect=0.1))


@pytest.mark.parametrize("design", [FOLDS, ROUNDED], ids=["folds", "sets"])
def test_threads_find_the_same(requires_jit, design):
    one, two = (
        simulate_error_rates(None, design, n_trials=1500, rng=3, n_jobs=jobs) for jobs in (1, 2)
    )
    assert np.array_equal(one.n_rejected, two.n_rejected)


@pytest.mark.parametrize("ranks", [[2, 2, 2], [1.2, 2.4, 2.4], [1.001, 2.0, 2.999], [2.4, 2, 1.6]])
def test_means_give_the_mean_ranks(ranks):
    means = means_for_ranks(np.array(ranks))
    assert_allclose(expected_ranks(means), ranks, atol=1e-10)
    for i in range(3):
        for j in range(3):
            assert (means[i] == means[j]) == (ranks[i] == ranks[j])


def test_models_have_the_chosen_mean_ranks(requires_jit):
    ranks = [1.3, 2.5, 2.5, 4.2, 4.5]
    design = ModelsByDatasets(n_datasets=40_000, mean_ranks=ranks)
    found = stats.rankdata(-design.sample(0, seed=1)[0], axis=1).mean(axis=0)
    assert_allclose(found, ranks, atol=0.03)


def test_sizes_are_rounds_and_data_sets():
    assert (FOLDS.size, FOLDS.at(30).n_rounds, FOLDS.least) == (7, 30, 2)
    assert (DATASETS.size, DATASETS.at(30).n_datasets, DATASETS.least) == (9, 30, 2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: CorrelatedFolds(n_rounds=1), "`n_rounds` must be from 2"),
        (lambda: CorrelatedFolds(n_models=1), "`n_models` must be from 2"),
        (lambda: CorrelatedFolds(n_train=0), "`n_train` must be between 0"),
        (lambda: CorrelatedFolds(n_test=-1), "`n_test` must be between 0"),
        (lambda: CorrelatedFolds(correlation=1.0), "`correlation` must be from 0 to below 1"),
        (lambda: CorrelatedFolds(last_deviation=-1), "`last_deviation` must be at least 0"),
        (lambda: ModelsByDatasets(n_datasets=1), "`n_datasets` must be from 2"),
        (lambda: ModelsByDatasets(n_models=101), "`n_models` must be from 2 to 100"),
        (lambda: ModelsByDatasets(decimals=0.5), "`decimals` must be an integer"),
        (lambda: ModelsByDatasets(dataset_deviation=math.inf), "`dataset_deviation` must be at"),
        (lambda: ModelsByDatasets(mean_ranks=[1, 2]), "a rank for each of 5 models"),
        (lambda: ModelsByDatasets(n_models=2, mean_ranks=[1.5, 2]), "must add up to 3, got 3.5"),
        (lambda: ModelsByDatasets(n_models=2, mean_ranks=[1, 2]), "are too extreme: the 1 best"),
        (lambda: simulate_error_rates(None, FOLDS, effect=math.inf), "`effect` must be"),
    ],
)
def test_what_cannot_be_meant_is_refused(call, message):
    with pytest.raises((fc.InvalidValueError, fc.InvalidTypeError), match=message):
        call()
