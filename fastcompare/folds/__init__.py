"""Scores per fold of a cross-validation, or per random split of one data set."""

from .. import _open_family

CALLS = {  # what a reader wants, and how to get it: the table of docs/functions.md
    "the whole experiment with scikit-learn estimators": (
        "`compare_estimators`, `from_cv_results`"
    ),
    "two models, splits of one data set": "`ttest_corrected`, `bayes_correlated_ttest`",
    "two models, five two-fold cross-validations": "`ttest_5x2cv`, `ftest_5x2cv`",
    "k models": (
        "`rm_anova_test`, `mauchly_test`, `normality_report`, `ttest_corrected_pairwise_test`"
    ),
    "rounds that share no cases, or that differ by model": (
        "`ttest_resampled`, `ttest_kfold`, `ttest_unpaired`, `folds_unpaired_test`"
    ),
    "thousands of comparisons": "`ttest_corrected_batch`, `rm_anova_batch`",
}

__all__, __getattr__, __dir__ = _open_family(__name__)
