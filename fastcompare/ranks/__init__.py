"""Scores per data set: rank tests of k models, and which of them differ.

Scores of different data sets are not commensurable, so models are ranked on each data set. Rank 1
is the best; ties share the mean of their ranks.
"""

from .. import _open_family

CALLS = {  # what a reader wants, and how to get it: the table of docs/functions.md
    "the right sequence of tests": "`compare_datasets`",
    "k models, omnibus test": "`friedman_test`, `friedman_aligned_ranks_test`, `quade_test`",
    "tables with missing cells": "`skillings_mack_test`, `durbin_test`",
    "which of them differ": (
        "`nemenyi_test`, `friedman_pairwise_test`, `wilcoxon_pairwise_test`, "
        "`sign_pairwise_test`, `conover_test`, `friedman_exact_pairs_test`"
    ),
    "all against one": (
        "`control_test`; `wilcoxon_pairwise_test` and `sign_pairwise_test` with `control`"
    ),
    "a picture of it": (
        "`plots.critical_difference`, `plots.pvalue_matrix`, `plots.rank_distribution`, "
        "`critical_difference`, `compact_letters`"
    ),
}

__all__, __getattr__, __dir__ = _open_family(__name__)
