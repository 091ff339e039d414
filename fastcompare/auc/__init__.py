"""Areas under ROC curves: one, two or many models on the same cases, and on different ones.

>>> from fastcompare import auc
>>> auc.roc_auc([0, 1, 0, 1], [0.1, 0.4, 0.35, 0.8])
1.0
"""

from .. import _open_family

CALLS = {  # what a reader wants, and how to get it: the table of docs/functions.md
    "one AUC, with an interval ([coverage by method](evidence/auc_coverage.md))": (
        "`roc_auc`, `roc_auc_interval` (score, delong, logit, newcombe, bootstrap)"
    ),
    "one AUC against 0.5, or any value": (
        "`roc_auc_test` (score, exact or asymptotic Mann-Whitney)"
    ),
    "two models, same cases ([levels](evidence/auc_levels.md))": (
        "`delong_test`, `bootstrap_auc_test`, `permutation_auc_test`"
    ),
    "whether a lead differs between subgroups (an interaction, a difference of differences)": (
        "`delong_interaction_test`"
    ),
    (
        "AUCs within users, queries or centres (GAUC, stratified AUC; [which "
        "design](auc.md#within-users-queries-and-centres))"
    ): (
        "`within_auc_interval`, `within_auc_test`, `within_auc_omnibus_test`, "
        "`within_auc_pairwise_test`"
    ),
    (
        "one model's AUC in subgroups: pairs, each against the rest, the gap "
        "([how](auc.md#one-model-in-subgroups))"
    ): ("`subgroup_auc`"),
    "two AUCs from different cases": "`delong_unpaired_test`",
    "k models, same cases": (
        "`delong_covariance`, `delong_omnibus_test`, `delong_pairwise_test`, `bootstrap_auc`"
    ),
    "k - 1 models against one, same cases": "`delong_control_test`",
    "an interval by a permutation test": '`permutation_auc_test(method="studentized")`',
    "non-inferiority, equivalence ([how it works](evidence/noninferiority.md))": (
        "`alternative=`, `margin=` of most tests of two models"
    ),
    "whole curves": '`permutation_auc_test(method="venkatraman")`, `roc_curve_band`',
    "partial AUC; sensitivity at a specificity, or vice versa": (
        "`partial_auc`, `sensitivity_at_specificity`, `specificity_at_sensitivity`, each also "
        "with `_interval` and `_test`"
    ),
    "precision and recall": (
        "`average_precision`, `average_precision_interval`, `average_precision_test`"
    ),
    "several classes": "`multiclass_auc`, `multiclass_auc_test`",
    "weighted cases, clusters ([levels](evidence/clusters.md))": (
        "`sample_weight=`, `frequency_weight=`, `groups=`"
    ),
    "how many cases to collect ([checked by simulation](evidence/auc_power.md))": (
        "`auc_power`, `auc_sample_size`; from scores of a pilot `auc_power_from_pilot`, "
        "`auc_sample_size_from_pilot`"
    ),
    "thousands of small problems": "`delong_batch`",
    (
        "more cases than fit into memory ([which route](large.md), [how "
        "exact](concepts/conventions.md#cases-in-chunks))"
    ): (
        "`delong_test`, `delong_pairwise_test`, `delong_covariance` of `scan_parquet`, "
        "`scan_chunks`, `np.memmap`, dask's arrays and data frames; "
        '`bootstrap_auc_test(method="poisson")` of all these; `mcnemar_test`, `scoring_test`, '
        "`paired_mean_test`, `mean_interval`, also with clusters"
    ),
    "DeLong's components V10 and V01": "`structural_components`",
}

__all__, __getattr__, __dir__ = _open_family(__name__)
