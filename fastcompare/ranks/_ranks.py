"""Ranks of the models on each data set, and the tables that rank tests begin with.

Ranks are doubled, so midranks are integers, and statistics fractions that are rounded once.

Differences of floating-point numbers rarely tie exactly: 0.09 - 0.07 and 0.07 - 0.05 do not. Those
tie that their own scores' rounding may part, so that dividing all scores by 100 changes nothing;
scores of other data sets play no part in it. Integers are subtracted exactly.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from .._base.types import Direction, Integers, Matrix, NanPolicy, Undefined, Vector
from .._inference.corrections.adjust import CORRECTIONS, as_correction, check_correction
from .._inference.corrections.pairs import check_models
from .._inputs.arrays import exact_differences, exact_order
from .._inputs.models import ModelTable, as_model, as_model_table, as_pair_table
from .._inputs.options import ALTERNATIVES, check_alpha, check_choice, check_flag, check_undefined
from .._inputs.scores import ScoreTable
from .._results.pairs import Cells, control_cells
from ..kernels.signed_ranks import ROUNDING
from ..kernels.tables.ranking import (
    MOST_COUNTED,
    count_column_wins,
    rank_present_scores,
    rank_rows,
    rank_wide_rows,
)
from ..paired._columns import Columns
from ..paired._wilcoxon import doubled_ranks


class Ranks(NamedTuple):
    """Twice the ranks of N data sets, their sums (k,) and the sum of their squares.

    `doubled` is (N, k), or has the last row alone where only sums are wanted.
    """

    doubled: Integers
    sums: Integers
    squares: int
    n: int

    @property
    def k(self) -> int:
        """The number of models."""
        return int(self.sums.size)

    @property
    def df(self) -> tuple[int, int]:
        """The degrees of freedom of F: k - 1 and (k - 1)(N - 1)."""
        return self.k - 1, (self.k - 1) * (self.n - 1)

    @property
    def average(self) -> Vector:
        """The average rank (k,) of each model; 1 is the best."""
        return self.sums / (2.0 * self.n)

    @property
    def between(self) -> int:
        """4 sum (R_j - N (k + 1) / 2)^2 over the rank sums R_j of the models."""
        totals: list[int] = self.sums.tolist()
        return sum((total - self.n * (self.k + 1)) ** 2 for total in totals)

    @property
    def within(self) -> int:
        """4 sum (r_ij - (k + 1) / 2)^2 over all ranks: 0 where all models tie everywhere."""
        return self.squares - self.n * self.k * (self.k + 1) ** 2

    def differences(self, cells: Cells) -> Integers:
        """Return the differences of the sums of doubled ranks of these pairs of models."""
        first, second = cells
        return self.sums[first] - self.sums[second]


def as_ranks(scores: Matrix, higher_is_better: bool, *, rows: bool = True) -> Ranks:
    """Return the ranks of checked scores (N, k) without NaN; those of all `rows`, or sums alone.

    Sums alone take two thirds of the time of a table that is new to the memory.
    """
    best_is_highest = check_flag("higher_is_better", higher_is_better)
    n, k = scores.shape
    doubled = np.empty((n if rows else 1, k), np.int64)
    sums = np.zeros(k, np.int64)
    write = rank_rows if k <= MOST_COUNTED else rank_wide_rows
    squares = write(scores, best_is_highest, doubled, sums)
    return Ranks(doubled, sums, int(squares), n)


LARGEST_SAFE_SCORE = 2.0**1000  # differences and sums of larger scores may overflow
EXACT_MEAN_SIZE = 8  # the mean of so many numbers has the rounding error of one of them


def avoid_overflow(scores: Matrix) -> Matrix:
    """Return finite scores, divided by 2^24 if differences or sums of them may overflow."""
    largest = float(np.abs(scores).max())
    return scores if largest < LARGEST_SAFE_SCORE else np.ldexp(scores, -24)


def ranks_of_ranges(table: ModelTable) -> Integers:
    """Return twice the rank (N,) of each row's range, the narrowest range having rank 1."""
    if table.exact is not None:
        ranges = table.exact.max(axis=1) - table.exact.min(axis=1)
        return doubled_ranks(exact_differences(ranges).sizes, np.zeros(ranges.size))
    values = avoid_overflow(table.values)
    return doubled_ranks(np.ptp(values, axis=1), row_rounding(values))


@np.errstate(under="ignore")
def row_rounding(values: Matrix) -> Vector:
    """Return the rounding error (N,) of differences of scores within each row, 0 if all tie."""
    return np.asarray(ROUNDING * np.abs(values).max(axis=1) * (np.ptp(values, axis=1) > 0.0))


def aligned_ranks(table: ModelTable, higher_is_better: bool) -> Integers:
    """Return twice the ranks (N, k), among all scores, of scores less the means of their rows."""
    best_is_highest = check_flag("higher_is_better", higher_is_better)
    if table.exact is not None:
        k = table.exact.shape[1]
        aligned = exact_order(k * table.exact - table.exact.sum(axis=1, keepdims=True))
        rounding = np.zeros(aligned.shape)
    else:
        aligned, rounding = aligned_scores(avoid_overflow(table.values))
    signed = -aligned if best_is_highest else aligned
    return doubled_ranks(signed.ravel(), rounding.ravel()).reshape(signed.shape)


def aligned_scores(values: Matrix) -> tuple[Matrix, Matrix]:
    """Return scores less the means of their rows, and the rounding error of each, (N, k)."""
    aligned = values - values[:, :1]  # so that scores that tie differ from their mean by 0
    aligned -= aligned.mean(axis=1, keepdims=True)
    rounding = row_rounding(values) * max(1.0, values.shape[1] / EXACT_MEAN_SIZE)
    return aligned, np.broadcast_to(rounding[:, None], aligned.shape)


class RankTestOptions(TypedDict, total=False):
    """Options of every test of pairs of models by their ranks."""

    alpha: float
    higher_is_better: bool
    nan_policy: NanPolicy
    on_undefined: Undefined


class RankedTable(NamedTuple):
    """Checked models with their ranks, and the options `alpha` and `on_undefined` of rank tests."""

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


class OrderTestOptions(TypedDict, total=False):
    """Options, besides `alternative`, of sign and signed rank tests of pairs of models."""

    control: str | int | None
    correction: str
    alpha: float
    higher_is_better: bool
    nan_policy: NanPolicy
    on_undefined: Undefined


class OrderedTable(NamedTuple):
    """Checked models with the columns of their scores, and the options of tests of pairs."""

    models: ModelTable
    columns: Columns
    alternative: str
    correction: str
    alpha: float
    higher_is_better: bool
    on_undefined: str
    control: str | None

    @property
    def cells(self) -> Cells:
        """The indices of the models of the tested pairs."""
        return self.columns.first, self.columns.second

    def wins(self, columns: Columns | None = None) -> Integers:
        """Return in how many rows (2, P) each pair's first model scores more, and less."""
        columns = columns or self.columns
        wins = np.empty((2, columns.first.size), np.int64)
        # exact integers are replaced by floats of the same order
        ordered = columns.values if columns.exact is None else self.models.order_values.T.copy()
        count_column_wins(ordered, columns.first, columns.second, wins)
        return wins

    def average_ranks(self) -> Vector:
        """Return the average rank (k,) of each model: (k + 1) / 2, less half its wins a row."""
        columns = self.columns
        k = len(self.models.names)
        if self.control is not None:  # ranks are among all models
            columns = Columns.of(columns.values, exact=columns.exact)
        higher, lower = self.wins(columns)
        net_wins = higher - lower if self.higher_is_better else lower - higher
        as_first, as_second = (
            np.bincount(models, net_wins, k) for models in (columns.first, columns.second)
        )
        return np.asarray(((k + 1) * columns.n - as_first + as_second) / (2.0 * columns.n))


def as_ordered_table(
    scores: ScoreTable,
    alternative: Direction,
    *,
    control: str | int | None = None,
    correction: str = "holm",
    alpha: float = 0.05,
    higher_is_better: bool = True,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> OrderedTable:
    """Return the columns of checked scores for tests of pairs, and the options.

    Parameters
    ----------
    scores : array-like of shape (n, k), mapping or data frame
        Scores, one row per data set (or case) and one column per model, at least two; column names
        become model names.
    control : str or int, optional
        A model to compare the others with, instead of all pairs: its name or column index. Choose
        it before you see the data.
    alpha : float, default=0.05
        Significance level of ``cliques`` and plots, for adjusted p-values.
    higher_is_better : bool, default=True
        Whether the highest score gets rank 1 in ``average_ranks``, which determine the order in
        plots. It does not affect the tests.
    """
    check_choice("alternative", alternative, ALTERNATIVES)
    if control is None:
        correction = check_correction(correction, alternative)
    else:
        correction = as_correction("correction", correction, ("none", *CORRECTIONS))
    level = check_alpha(alpha)
    best_is_highest = check_flag("higher_is_better", higher_is_better)
    check_undefined(on_undefined)
    models = as_pair_table(scores, nan_policy=nan_policy)
    check_models(len(models.names), correction)
    exact = None if models.exact is None else models.exact.T
    columns = Columns.of(np.ascontiguousarray(models.values.T), exact=exact)
    control_name = None
    if control is not None:
        chosen = as_model("control", control, models.names)
        control_name = models.names[chosen]
        first, second = control_cells(len(models.names), chosen)
        columns = replace(columns, first=first, second=second)
    return OrderedTable(
        models,
        columns,
        alternative=alternative,
        correction=correction,
        alpha=level,
        higher_is_better=best_is_highest,
        on_undefined=on_undefined,
        control=control_name,
    )


class PartialRanks(NamedTuple):
    """Doubled ranks of a table with missing scores, less their row's mean, (N, k), 0 where missing.

    Ranks of s scores have the mean (s + 1) / 2; negative is better. `rows` (2, N) are the number of
    scores of each data set and the sum of squares of its centred ranks; `models` (3, k) are each
    model's number of scores, its sum of centred ranks, and that of the rows' means, all doubled.
    """

    centred: Integers
    observed: NDArray[np.bool_]
    rows: Integers
    models: Integers

    @property
    def sizes(self) -> Integers:
        """How many scores (N,) each data set has."""
        return np.asarray(self.rows[0])

    @property
    def squares(self) -> Integers:
        """The sums (N,) of squares of each data set's doubled centred ranks."""
        return np.asarray(self.rows[1])

    @property
    def n_scores(self) -> Integers:
        """How many scores (k,) each model has."""
        return np.asarray(self.models[0])

    @property
    def centred_sums(self) -> Integers:
        """The sums (k,) of each model's doubled centred ranks."""
        return np.asarray(self.models[1])

    @property
    def average(self) -> Vector:
        """The average rank (k,) of each model on the data sets that have it."""
        counts, sums, means = self.models
        return np.asarray((sums + means) / (2.0 * counts))


def as_partial_ranks(scores: Matrix, higher_is_better: bool) -> PartialRanks:
    """Return the ranks of checked scores (N, k), NaN where missing."""
    n, k = scores.shape
    best_is_highest = check_flag("higher_is_better", higher_is_better)
    if k > MOST_COUNTED:
        return sorted_partial_ranks(scores, best_is_highest)
    centred = np.empty((n, k), np.int64)
    rows = np.empty((n, 2), np.int64)
    models = np.zeros((3, k), np.int64)
    rank_present_scores(scores, best_is_highest, centred, rows, models)
    return PartialRanks(centred, ~np.isnan(scores), np.ascontiguousarray(rows.T), models)


def sorted_partial_ranks(scores: Matrix, higher_is_better: bool) -> PartialRanks:
    """Return the ranks of a table with many models and missing scores, by sorting.

    Missing scores are first ranked as the worst, then their ranks are removed.
    """
    observed = ~np.isnan(scores)
    sizes = np.asarray(observed.sum(axis=1))
    _, positions = np.unique(scores, return_inverse=True)  # among the distinct scores
    codes = positions.reshape(scores.shape).astype(np.float64)
    codes[~observed] = -1.0 if higher_is_better else codes.max() + 1.0
    ranks = as_ranks(codes, higher_is_better).doubled
    doubled_means = sizes[:, None] + 1
    centred = np.where(observed, ranks - doubled_means, 0)
    rows = np.stack([sizes, np.square(centred).sum(axis=1)])
    means = np.where(observed, doubled_means, 0).sum(axis=0)
    models = np.stack([observed.sum(axis=0), centred.sum(axis=0), means])
    return PartialRanks(centred, observed, rows, models)
