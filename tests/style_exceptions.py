"""What does not keep a rule of `test_style` yet: take off what you mend, add nothing."""

# functions of more than 30 lines of code
LONG_FUNCTIONS = frozenset(
    {
        "bootstrap_auc",
        "bootstrap_auc_test",
        "delong_omnibus_test",
        "delong_pairwise_test",
        "delong_test",
        "delong_unpaired_test",
        "multiclass_auc",
        "permutation_auc_test",
        "roc_auc_interval",
        "roc_curve_band",
    }
)

# files of more than 250 lines of code
LONG_FILES: frozenset[str] = frozenset()

# files of tests of more than 400 lines
LONG_TEST_FILES: frozenset[str] = frozenset()

# functions of _compare that check arguments
RAISE_IN_COMPARE = frozenset(
    {
        "as_contrast",
        "auc_sample_size",
        "compact_letters",
        "counts_all",
        "delong_batch",
        "delong_omnibus_test",
        "delong_pairwise_test",
        "obuchowski",
        "power_of",
        "ranks_of",
    }
)

# functions that look at `alternative` outside of _inference
READ_ALTERNATIVE = frozenset(
    {
        "_ends",
        "_resolution",
        "check_permutation",
        "confidence_interval",
        "simultaneous_ends",
        "summary",
    }
)

# signatures whose options have an order of their own
OUT_OF_ORDER = frozenset(
    {
        "auc_power",
        "auc_sample_size",
        "bootstrap_auc",
        "bootstrap_auc_test",
        "delong_batch",
        "delong_covariance",
        "delong_omnibus_test",
        "delong_pairwise_test",
        "delong_test",
        "delong_unpaired_test",
        "permutation_auc_test",
        "roc_auc_interval",
        "roc_curve_band",
    }
)

# tests that do not take `on_undefined`
WITHOUT_ON_UNDEFINED: frozenset[str] = frozenset()

# functions that look at `on_undefined` after the data
LATE_ON_UNDEFINED = frozenset(
    {
        "bootstrap_auc",
        "bootstrap_auc_test",
        "delong_batch",
        "delong_covariance",
        "delong_omnibus_test",
        "delong_pairwise_test",
        "delong_test",
        "delong_unpaired_test",
        "multiclass_auc",
        "multiclass_auc_test",
        "permutation_auc_test",
        "roc_auc",
        "roc_auc_interval",
        "roc_curve_band",
        "sensitivity_at_specificity",
        "sensitivity_at_specificity_interval",
        "sensitivity_at_specificity_test",
        "specificity_at_sensitivity",
        "specificity_at_sensitivity_interval",
        "specificity_at_sensitivity_test",
        "structural_components",
    }
)

# functions with twelve lines that stand elsewhere, too
REPEATED: frozenset[str] = frozenset()

# docstrings that begin with "Return what"
RETURN_WHAT = frozenset(
    {
        "_rule",
        "_stated_claim",
        "additions",
        "as_native",
        "as_pair_sums",
        "as_pvalue_matrix",
        "as_ranking",
        "as_value",
        "averages_of",
        "claim_of",
        "class_scale",
        "control_note",
        "counted_labels",
        "frequency_scale",
        "of",
        "parts_of",
        "read_bytes",
        "run_rounds",
        "said",
        "sample_status",
        "sampling_scale",
        "shares_of",
        "summary",
        "thread_pools",
        "undefined",
    }
)

# functions other than to_dict that return dict[str, Any]
RETURN_DICT = frozenset(
    {
        "as_estimators",
        "fields",
        "read_wide",
        "scorers_of",
        "undefined",
    }
)
