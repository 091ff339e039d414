"""Predicted labels of the same cases: accuracies, tables of counts, and any metric of labels."""

from .. import _open_family

CALLS = {  # what a reader wants, and how to get it: the table of docs/functions.md
    "two models' predicted labels": (
        "`mcnemar_test`, `contingency_table`, `two_proportions_test`, "
        "`two_proportions_unpaired_test`, `accuracy_interval`"
    ),
    "k models' predicted labels": "`cochran_q_test`, `mcnemar_pairwise_test`",
    "any metric of labels": (
        "`bootstrap_metric_test`, `permutation_metric_test`, `cohen_kappa_test`"
    ),
    "two raters, several classes": "`bowker_test`, `stuart_maxwell_test`",
}

__all__, __getattr__, __dir__ = _open_family(__name__)
