"""Turn what users pass into the arrays that kernels take, or raise; every check lives here.

options   words, levels, counts: a value out of a known set or range
arrays    containers to NumPy arrays, refusing what cannot be converted without a loss
labels    binary labels
scores    scores that are compared by order: one vector, or a table with a column a model
cases     labels and scores of the same cases together: lengths, indexes, missing values
"""

from .arrays import as_float_array
from .cases import Cases, as_cases
from .labels import are_positive, as_label_rows
from .options import (
    ALTERNATIVES,
    Alternative,
    Direction,
    NanPolicy,
    Undefined,
    check_alternative,
    check_choice,
    check_level,
    check_margin,
    count_jobs,
)
from .scores import ScoreTable, as_score_rows, is_plain

__all__ = [
    "ALTERNATIVES",
    "Alternative",
    "Cases",
    "Direction",
    "NanPolicy",
    "ScoreTable",
    "Undefined",
    "are_positive",
    "as_cases",
    "as_float_array",
    "as_label_rows",
    "as_score_rows",
    "check_alternative",
    "check_choice",
    "check_level",
    "check_margin",
    "count_jobs",
    "is_plain",
]
