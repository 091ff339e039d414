"""The columns of a table of models, and the options of tests that only order their differences."""

from __future__ import annotations

from typing import NamedTuple, TypedDict

import numpy as np

from ..._base.types import Direction, NanPolicy, Undefined
from ..._inference.corrections.adjust import check_correction
from ..._inference.corrections.pairs import check_models
from ..._inputs.models import ModelTable
from ..._inputs.options import ALTERNATIVES, check_alpha, check_choice, check_flag, check_undefined
from ..._inputs.pairs import as_pair_table
from ..._inputs.scores import ScoreTable
from ..paired.columns import Columns


class Ordering(TypedDict, total=False):
    """Options of tests of all pairs that only order differences, but for `alternative`."""

    correction: str
    alpha: float
    higher_is_better: bool
    nan_policy: NanPolicy
    on_undefined: Undefined


class OrderedTable(NamedTuple):
    """The models, the columns of their scores, and the checked options."""

    models: ModelTable
    columns: Columns
    alternative: str
    correction: str
    alpha: float
    higher_is_better: bool
    on_undefined: str


def as_ordered_table(
    scores: ScoreTable,
    alternative: Direction,
    *,
    correction: str = "holm",
    alpha: float = 0.05,
    higher_is_better: bool = True,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> OrderedTable:
    """Return the columns of checked scores for tests of all pairs, and the options.

    Parameters
    ----------
    scores : array-like of shape (n, k), mapping or data frame
        A row for each data set, or case, and a column for each of at least two models; names reach
        the result.
    alpha : float, default=0.05
        The level at which ``cliques`` and pictures call adjusted p-values significant.
    higher_is_better : bool, default=True
        Whether the highest score gets rank 1 in ``average_ranks``, which order pictures. It changes
        no test.
    """
    check_choice("alternative", alternative, ALTERNATIVES)
    correction = check_correction(correction, alternative)
    level, best_is_highest = check_alpha(alpha), check_flag("higher_is_better", higher_is_better)
    check_undefined(on_undefined)
    models = as_pair_table(scores, nan_policy=nan_policy)
    check_models(len(models.names), correction)
    exact = None if models.exact is None else models.exact.T
    columns = Columns.of(np.ascontiguousarray(models.values.T), exact=exact)
    options = (alternative, correction, level, best_is_highest, on_undefined)
    return OrderedTable(models, columns, *options)
