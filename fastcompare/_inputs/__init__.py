"""Turn what users pass into the arrays that kernels take, or raise; every check lives here.

options   words, levels, counts: a value out of a known set or range
arrays    containers to NumPy arrays, refusing what cannot be converted without a loss
labels    binary labels
scores    scores that are compared by order: one vector, or a table with a column a model
probabilities  probabilities of the classes of the same cases
randomness  seeds and numbers of replicates
workers   who does the work, and who hears of it
weights   weights and clusters of the cases
cases     labels and scores of the same cases together: lengths, indexes, missing values
multiclass  labels of several classes, and tables with a column of scores for each
permutations  what goes together in a permutation test
counts    tables of counts, exact however large
raters    labels that two raters give to the same cases
predictions  predicted labels of several models, of any kind
metrics   measures of predicted labels, by name or as a function
models    tables of one metric: folds or data sets in rows, models in columns
designs   tables of models and data sets with missing cells
pairs     two columns of numbers, or one of their differences
ordering  the order of labels, where it matters
planning  AUCs and correlations that somebody expects
simulations  whole numbers and tests of a simulation
ranges    rates that pick a part of a ROC curve
rankings  results of comparisons, as pictures take them
"""

from .arrays import as_float_array
from .cases import Cases, as_cases, refuse_extras
from .counts import are_counts, as_count, as_four, as_share, as_square, as_two_shares
from .designs import check_balanced, comparable_rows
from .labels import are_positive, as_label_rows
from .models import ModelTable, as_model, as_model_table, check_three_models
from .multiclass import ClassCases, ClassScores, as_class_cases
from .options import (
    ALTERNATIVES,
    Alternative,
    Direction,
    NanPolicy,
    Undefined,
    check_alpha,
    check_alternative,
    check_amount,
    check_choice,
    check_flag,
    check_level,
    check_margin,
    check_within,
    count_jobs,
)
from .ordering import as_label_names, as_label_order, check_kappa, label_distances
from .pairs import as_pairs
from .permutations import check_permutation
from .planning import Expected, as_expected
from .predictions import LabelTable, Predictions, as_predictions, codes, correct
from .probabilities import (
    Probabilities,
    Rule,
    as_binary_probabilities,
    as_probabilities,
    check_rule,
)
from .randomness import RandomState, as_entropy, check_resamples, key_of
from .ranges import DEFAULT_RANGE, as_rate_range, as_rates, check_rate
from .rankings import as_pvalue_matrix, as_ranking, check_axes, check_tested
from .raters import as_label_counts
from .scores import ScoreTable, as_score_rows, is_plain
from .simulations import as_test, as_tests, check_count
from .workers import Progress, Workers, as_workers

__all__ = [
    "ALTERNATIVES",
    "DEFAULT_RANGE",
    "Alternative",
    "Cases",
    "ClassCases",
    "ClassScores",
    "Direction",
    "Expected",
    "LabelTable",
    "ModelTable",
    "NanPolicy",
    "Predictions",
    "Probabilities",
    "Progress",
    "RandomState",
    "Rule",
    "ScoreTable",
    "Undefined",
    "Workers",
    "are_counts",
    "are_positive",
    "as_binary_probabilities",
    "as_cases",
    "as_class_cases",
    "as_count",
    "as_entropy",
    "as_expected",
    "as_float_array",
    "as_four",
    "as_label_counts",
    "as_label_names",
    "as_label_order",
    "as_label_rows",
    "as_model",
    "as_model_table",
    "as_pairs",
    "as_predictions",
    "as_probabilities",
    "as_pvalue_matrix",
    "as_ranking",
    "as_rate_range",
    "as_rates",
    "as_score_rows",
    "as_share",
    "as_square",
    "as_test",
    "as_tests",
    "as_two_shares",
    "as_workers",
    "check_alpha",
    "check_alternative",
    "check_amount",
    "check_axes",
    "check_balanced",
    "check_choice",
    "check_count",
    "check_flag",
    "check_kappa",
    "check_level",
    "check_margin",
    "check_permutation",
    "check_rate",
    "check_resamples",
    "check_rule",
    "check_tested",
    "check_three_models",
    "check_within",
    "codes",
    "comparable_rows",
    "correct",
    "count_jobs",
    "is_plain",
    "key_of",
    "label_distances",
    "refuse_extras",
]
