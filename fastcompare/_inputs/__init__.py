"""Turn what users pass into the arrays that kernels take, or raise; every check lives here.

options   words, levels, counts: a value out of a known set or range
arrays    containers to NumPy arrays, refusing what cannot be converted without a loss
labels    binary labels
scores    scores that are compared by order: one vector, or a table with a column a model
randomness  seeds and numbers of replicates
workers   who does the work, and who hears of it
weights   weights and clusters of the cases
cases     labels and scores of the same cases together: lengths, indexes, missing values
multiclass  labels of several classes, and tables with a column of scores for each
permutations  what goes together in a permutation test
planning  AUCs and correlations that somebody expects
ranges    rates that pick a part of a ROC curve
"""

from .arrays import as_float_array
from .cases import Cases, as_cases, refuse_extras
from .labels import are_positive, as_label_rows
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
from .permutations import check_permutation
from .planning import Expected, as_expected
from .randomness import RandomState, as_entropy, as_seed, check_resamples, key_of
from .ranges import DEFAULT_RANGE, as_rate_range, as_rates, check_rate
from .scores import ScoreTable, as_score_rows, is_plain
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
    "NanPolicy",
    "Progress",
    "RandomState",
    "ScoreTable",
    "Undefined",
    "Workers",
    "are_positive",
    "as_cases",
    "as_class_cases",
    "as_entropy",
    "as_expected",
    "as_float_array",
    "as_label_rows",
    "as_rate_range",
    "as_rates",
    "as_score_rows",
    "as_seed",
    "as_workers",
    "check_alpha",
    "check_alternative",
    "check_amount",
    "check_choice",
    "check_flag",
    "check_level",
    "check_margin",
    "check_permutation",
    "check_rate",
    "check_resamples",
    "check_within",
    "count_jobs",
    "is_plain",
    "key_of",
    "refuse_extras",
]
