"""What models scored, beside their ranks: medians, their absolute deviations, and effect sizes.

With the medians m_a, m_b and the median absolute deviations d_a, d_b of the scores of two models
over the data sets, the effect size is Akinshin's gamma, which is Cohen's d where scores are normal:

    gamma = (m_a - m_b) / (1.4826 sqrt((d_a^2 + d_b^2) / 2))

None of this decides a test: ranks do. It says how much a difference of ranks is on the scale of the
scores.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from .._base.memory import read_only
from .._base.types import Matrix, Vector
from .._results.records import Record

NORMAL_MAD_FACTOR = 1.4826  # standard deviation over MAD of a normal distribution


@np.errstate(invalid="ignore")  # of infinite scores there are ranks, and perhaps no median
def score_medians(result: Any) -> Vector:
    """Return the median score (k,) of each model over the data sets that have it."""
    return np.asarray(read_only(np.nanmedian(result._scores, axis=0)))


@np.errstate(invalid="ignore")
def score_deviations(result: Any) -> Vector:
    """Return the median absolute deviation (k,) of the scores of each model."""
    return np.asarray(read_only(np.nanmedian(np.abs(result._scores - result.medians), axis=0)))


@np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore")
def akinshin_gamma(result: Any) -> Vector:
    """Return the effect size (P,) of each pair of models, infinite or NaN if both MADs are 0."""
    first, second = result._cells()
    medians, deviations = result.medians, result.mads
    pooled = np.hypot(deviations[first], deviations[second]) / np.sqrt(2.0)
    return np.asarray(read_only((medians[first] - medians[second]) / (NORMAL_MAD_FACTOR * pooled)))


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoresOfModels(Record):
    """The median scores of k models and their median absolute deviations, over data sets."""

    medians: Vector = field(init=False, default=cached_property(score_medians))  # type: ignore[arg-type]
    mads: Vector = field(init=False, default=cached_property(score_deviations))  # type: ignore[arg-type]
    _scores: Matrix = field(repr=False)  # a copy

    def _median_text(self, model: int, form: str = ".4g") -> str:
        """Return the median and the deviation of a model as sentences name them."""
        return f"median {self.medians[model]:{form}}, MAD {self.mads[model]:{form}}"
