"""All pairs of k models: their names, adjusted p-values, and what a sentence says of them."""

import math
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .._base.text import correction_title, equation, show_pvalue
from .._base.types import Vector
from .._inference.corrections.adjust import PAIR_CORRECTIONS, adjust_pvalues
from .records import Record

Pairs = tuple[tuple[str, str], ...]
NAMED = 3  # pairs that a sentence names


@dataclass(frozen=True, eq=False, kw_only=True)
class PairsResult(Record):
    """Tests of all pairs of k models; arrays over the P = k (k - 1) / 2 pairs, in row order."""

    names: tuple[str, ...]
    pairs: Pairs
    estimate: Vector
    statistic: Vector
    pvalue: Vector
    adjusted_pvalue: Vector
    correction: str
    alternative: str

    quantity: ClassVar[str] = ""
    claim: ClassVar[str] = ""  # what stands between the better model and the worse one
    higher_is_better: ClassVar[bool] = True
    alpha: ClassVar[float] = 0.05

    @property
    def pvalue_matrix(self) -> NDArray[np.float64]:
        """The adjusted p-values as a symmetric matrix (k, k): 1 on its diagonal, NaN if untested.

        Not adjusted where `correction` is 'none'.
        """
        matrix = np.full((len(self.names), len(self.names)), math.nan)
        np.fill_diagonal(matrix, 1.0)
        first, second = self._cells()
        matrix[first, second] = matrix[second, first] = self.adjusted_pvalue
        return matrix

    def _cells(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the indices of the models of all pairs."""
        return np.triu_indices(len(self.names), 1)

    def summary(self) -> str:
        """Return the result in a sentence of plain words, at the level `alpha` (5 %)."""
        if np.isnan(self.pvalue).all():
            return "No p-value is defined for these data; the status says why."
        found = np.flatnonzero(self.adjusted_pvalue <= self.alpha)
        total = len(self.pairs)
        rule = self._rule()
        if not found.size:
            which = "The difference" if total == 1 else f"None of the {total} differences"
            verb = "is not" if total == 1 else "is"
            found_none = f"{which} in {self.quantity} {verb} significant {rule}"
            return f"{found_none}: these data do not tell the models apart."
        strongest = found[np.argsort(self.pvalue[found], kind="stable")][:NAMED]
        listed = "; ".join(map(self._sentence, strongest.tolist()))
        if more := found.size - strongest.size:
            listed += f"; and {more} more"
        which = "The difference" if total == 1 else f"{found.size} of {total} differences"
        verb = "is" if found.size == 1 else "are"
        return f"{which} in {self.quantity} {verb} significant {rule}: {listed}."

    def _rule(self) -> str:
        """Return what decides, for people."""
        rule = f"at the {100 * self.alpha:g} % level"
        if len(self.pairs) > 1 and self.correction != "none":
            rule += f" after {correction_title(self.correction)} correction"
        return rule

    def _sentence(self, p: int) -> str:
        first_is_better = (self._difference(p) > 0) == self.higher_is_better
        better, worse = self.pairs[p] if first_is_better else self.pairs[p][::-1]
        kind = "p" if self.correction == "none" else "adjusted p"
        p_text = equation(kind, show_pvalue(float(self.adjusted_pvalue[p])))
        return f"{better} {self.claim} {worse} by {self._gap(p)} ({p_text})"

    def _gap(self, p: int) -> str:
        """Return the size of a difference for people."""
        return f"{abs(self._difference(p)):.4f}"

    def _difference(self, p: int) -> float:
        """Return the estimate of one pair."""
        return float(self.estimate[p])


def pairs_of(names: tuple[str, ...]) -> Pairs:
    """Return all pairs of names (i < j), in row order."""
    return tuple(combinations(names, 2))


def adjusted(pvalue: Vector, correction: str) -> Vector:
    """Return p-values adjusted for the number of pairs; undefined ones stay NaN, unmentioned.

    Where a correction needs those of all pairs, all are undefined together.
    """
    if correction == "none":
        return pvalue.copy()
    result = np.full(pvalue.shape, math.nan)
    known = ~np.isnan(pvalue)
    if correction in PAIR_CORRECTIONS and not known.all():
        return result
    result[known] = adjust_pvalues(pvalue[known], method=correction)
    return result


def pairs_named(pairs: Pairs, chosen: NDArray[np.bool_]) -> str:
    """Return which pairs a warning is about, unless it is about all."""
    if chosen.all():
        return ""
    named = [" and ".join(pairs[p]) for p in np.flatnonzero(chosen)]
    more = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
    return f" ({', '.join(named[:NAMED])}{more})"
