"""What is easily mistaken is asked about: repeated folds, swapped sizes, names of corrections."""

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

import fastcompare as fc

P = np.array([0.001, 0.011, 0.02, 0.021, 0.04, 0.3])
SAME = {  # names of other programs, and statsmodels' own
    "benjamini-hochberg": "fdr_bh",
    "Benjamini-Hochberg": "fdr_bh",
    "BH": "fdr_bh",
    "fdr": "fdr_bh",
    "fdr_bh": "fdr_bh",
    "BY": "fdr_by",
    "fdr_by": "fdr_by",
    "Benjamini Yekutieli": "fdr_by",
    "holm-sidak": "holm-sidak",
    "simes-hochberg": "simes-hochberg",
    "Bonferroni": "bonferroni",
    "Šidák": "sidak",
}


@pytest.mark.parametrize("name", SAME)
def test_names_of_other_programs_mean_what_they_mean_there(name):
    truth = multipletests(P, method=SAME[name])[1]
    np.testing.assert_allclose(fc.adjust_pvalues(P, method=name), truth, rtol=1e-12)


def test_names_of_other_programs_reach_every_test_of_pairs():
    data, tasks = fc.load_predictions(), fc.load_dataset_scores().scores
    rounds = fc.load_fold_scores()
    sizes = {"n_train": rounds.n_train, "n_test": rounds.n_test}
    more = {"correction": "fdr_bh"}
    results = [
        fc.delong_pairwise_test(data.y_true, data.scores, **more),
        fc.mean_pairwise_test(tasks, **more),
        fc.friedman_pairwise_test(tasks, **more),
        fc.wilcoxon_pairwise_test(tasks, **more),
        fc.conover_test(tasks, **more),
        fc.control_test(tasks, "naive_bayes", **more),
        fc.ttest_corrected_pairwise_test(rounds.scores, **sizes, **more),
    ]
    for result in results:
        assert result.correction == "bh"
        np.testing.assert_array_equal(
            result.adjusted_pvalue, fc.adjust_pvalues(result.pvalue, method="bh")
        )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("benjamini", "Did you mean 'benjamini-hochberg'"),
        ("fdr_tsbh", "Did you mean 'fdr-bh'|there are 'bh' and 'by'"),
        ("hochberg-benjamini", "Did you mean 'benjamini-hochberg'|there are 'bh' and 'by'"),
        ("false discovery", "For the false discovery rate there are 'bh' and 'by'"),
        ("bonferonni", "Did you mean 'bonferroni'"),
        ("hochburg", "Did you mean 'hochberg'"),
    ],
)
def test_a_hint_never_points_to_another_error_rate(name, said):
    with pytest.raises(fc.InvalidValueError, match=said):
        fc.adjust_pvalues(P, method=name)


def test_many_folds_are_asked_whether_they_are_repeated():
    a, b = np.random.default_rng(0).normal(size=(2, 30))
    with pytest.warns(fc.DesignWarning, match="use ttest_corrected with `n_train` and `n_test`"):
        found = fc.ttest_kfold(a, b)
    assert fc.ttest_kfold(a, b, design="kfold").pvalue == found.pvalue
    assert fc.ttest_kfold(a[:20], b[:20]).n == 20
    with pytest.warns(fc.DesignWarning, match="Use ttest_corrected"):
        fc.ttest_kfold(a, b, design="repeated-kfold")


def test_sizes_that_look_swapped_are_asked_about():
    a, b = np.random.default_rng(0).normal(size=(2, 10))
    with pytest.warns(fc.DesignWarning, match=r"`n_test` \(90\) is larger than `n_train` \(10\)"):
        fc.ttest_corrected(a, b, n_train=10, n_test=90)
    assert fc.ttest_corrected(a, b, n_train=50, n_test=50).n == 10


def test_few_cases_of_a_class_warn_and_say_so():
    y = np.repeat([1, 0], [10, 90])
    a, b = np.random.default_rng(0).normal(size=(2, 100)) + y
    with pytest.warns(fc.SmallSampleWarning):
        found = fc.delong_test(y, a, b, reference="normal")
    assert found.status == "small_sample"
