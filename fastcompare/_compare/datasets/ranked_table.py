"""The models of a table, ranked on each data set: what tests of pairs by ranks begin with."""

from __future__ import annotations

from typing import NamedTuple, TypedDict

from ..._base.types import NanPolicy, Undefined
from ..._inputs.models import ModelTable, as_model_table
from ..._inputs.options import check_alpha, check_undefined
from ..._inputs.scores import ScoreTable
from .ranks import Ranks, as_ranks


class Ranking(TypedDict, total=False):
    """Options of every test of pairs of models by their ranks."""

    alpha: float
    higher_is_better: bool
    nan_policy: NanPolicy
    on_undefined: Undefined


class RankedTable(NamedTuple):
    """The models, their ranks, the level of the tests, and what to do where one is undefined."""

    models: ModelTable
    ranks: Ranks
    alpha: float
    on_undefined: str


def as_ranked_table(
    scores: ScoreTable,
    rows: bool = False,
    *,
    alpha: float = 0.05,
    higher_is_better: bool = True,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> RankedTable:
    """Return the ranks of checked scores, those of all `rows` or sums alone, and the options."""
    level = check_alpha(alpha)
    check_undefined(on_undefined)
    models = as_model_table(scores, rows="data sets", nan_policy=nan_policy, finite=False)
    ranks = as_ranks(models.values, higher_is_better, rows=rows)
    return RankedTable(models, ranks, level, on_undefined)
