"""The tests of several models on many data sets in their right order."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import wraps
from typing import Any, ClassVar

from numpy.typing import NDArray

from .._base.documented import documented
from .._base.types import NanPolicy, Undefined
from .._inputs.arrays import read_once
from .._inputs.models import ModelTable, as_matrix, as_model, as_model_table
from .._inputs.options import as_posthoc, check_alpha, check_flag, check_undefined
from .._inputs.scores import ScoreTable
from .._results.copies import with_dropped
from .._results.records import Record
from ..paired._wilcoxon import WilcoxonResult, wilcoxon_test
from ._friedman import FriedmanResult, friedman_test, resolve_method
from ._order_pairs import SignPairwiseResult, WilcoxonPairwiseResult
from ._posthoc import AGAINST_CONTROL, POSTHOC
from ._rank_pairs import RankPairsResult
from ._ranks import RankTestOptions

Omnibus = FriedmanResult | WilcoxonResult
PostHoc = RankPairsResult | WilcoxonPairwiseResult | SignPairwiseResult
NamedColumns = dict[str, NDArray[Any]]

MOST_ORDERINGS = 240  # N k! up to which the exact test takes milliseconds

REJECTED = "It rejects equality of all models, so pairwise comparisons follow."
NOT_REJECTED = (
    "It does not reject equality of all models, so no pairwise comparisons follow: their "
    "differences may be due to chance."
)


@dataclass(frozen=True, eq=False, kw_only=True)
class DatasetsComparisonResult(Record):
    """Result of `compare_datasets`: the tests and the reasons for choosing them."""

    names: tuple[str, ...]
    omnibus: Omnibus
    posthoc: PostHoc | None
    reasons: tuple[str, ...]
    alpha: float
    n: int
    n_dropped: int

    title: ClassVar[str] = "Models on many data sets"
    _row: ClassVar[str] = "data set"
    _sheets: ClassVar[str] = "datasets"
    _picture: ClassVar[str] = "tests"

    def _headline(self) -> str:
        """Return the answer of the pairs, or of the test of all models."""
        tested = self.omnibus if self.posthoc is None else self.posthoc
        return tested._headline()

    def _summary(self) -> str:
        """Return the findings of all tests in sentences fit for a paper."""
        first = self.omnibus._sentences()
        if self.posthoc is not None:
            return f"{first} {self.posthoc._sentences()}"
        return first if isinstance(self.omnibus, WilcoxonResult) else f"{first} {self.reasons[-1]}"


@documented
def compare_datasets(
    scores: ScoreTable,
    *,
    posthoc: str = "auto",
    control: str | int | None = None,
    alpha: float = 0.05,
    higher_is_better: bool = True,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> DatasetsComparisonResult:
    """Compare k models on N data sets: an omnibus test, then pairwise tests if it rejects.

    Parameters
    ----------
    scores : array-like of shape (N, k), mapping or data frame
        One metric: data sets in rows, at least two models in columns; column names become model
        names. Infinite scores are allowed if only their order matters, so not for Wilcoxon's test.
    posthoc : str, default='auto'
        Post-hoc test; choose it before you see the data. Of all pairs: 'nemenyi' ('auto') has a
        critical difference, for the diagram; 'shaffer', 'bergmann-hommel' and 'holm' are
        `friedman_pairwise_test` with that correction, for more power; 'conover', 'wilcoxon' and
        'sign' are `conover_test`, `wilcoxon_pairwise_test` and `sign_pairwise_test` with Holm's.
        Against a control: 'holm' ('auto') and 'bonferroni-dunn' are `control_test` with that
        correction; 'wilcoxon' and 'sign' as for all pairs.
    control : str or int, optional
        Name or column index of a model to compare all others with, instead of all pairs.
    alpha : float, default=0.05
        Significance level of all tests.

    Returns
    -------
    DatasetsComparisonResult
        With ``omnibus`` (of `friedman_test`; for two models of `wilcoxon_test`), ``posthoc`` (or
        None), ``reasons`` (a sentence for each choice), ``names``, ``alpha``, ``n``, ``n_dropped``,
        ``summary()`` and ``to_dict()``.

    See Also
    --------
    friedman_test : The omnibus test of three or more models.
    nemenyi_test, friedman_pairwise_test, conover_test, wilcoxon_pairwise_test : All pairs.
    wilcoxon_test : The test of two models.

    Notes
    -----
    Two models are compared by the differences of their scores, three or more by their ranks on each
    data set. The p-value of `friedman_test` is exact for small tables, otherwise from the F
    distribution.

    References
    ----------
    .. [1] S. García, F. Herrera (2008), Journal of Machine Learning Research 9, 2677-2694.
    .. [2] J. Demšar (2006), Journal of Machine Learning Research 7, 1-30.

    Examples
    --------
    >>> import fastcompare as fc
    >>> errors = {"a": [9, 8, 7, 8], "b": [7, 5, 6, 4], "c": [8, 6, 5, 6]}
    >>> result = fc.compare_datasets(errors, higher_is_better=False)
    >>> print(result.summary())
    The 3 models differ significantly in average rank. Over 4 data sets the average ranks range
    from 1.25 (b, median 5.5, MAD 1) to 3 (a, median 8, MAD 0.5); Friedman's test, exact,
    chi-squared(2) = 6.5, p = 0.0417, Kendall's W = 0.812. 1 of 3 differences in average rank is
    significant at the 5% level (Nemenyi's test, critical difference 1.657): b ranks better than a
    by 1.7500 (p = 0.0356); it does not differ significantly from c.
    """
    posthoc = posthoc_name(posthoc, control)
    level = check_alpha(alpha)
    check_undefined(on_undefined)
    best_is_highest = check_flag("higher_is_better", higher_is_better)
    scores = read_once(scores)
    _, names = as_matrix("scores", scores, "data sets")
    by_size = len(names) == 2 or posthoc in ("wilcoxon", "sign")
    table = as_model_table(scores, rows="data sets", nan_policy=nan_policy, finite=by_size)
    chosen = None if control is None else as_model("control", control, table.names)
    named = table.columns

    omnibus, reason = choose_omnibus(table, named, best_is_highest, on_undefined)
    reasons, pairs = [reason], None
    if isinstance(omnibus, FriedmanResult):
        rejects = omnibus.pvalue <= level
        reasons.append(REJECTED if rejects else NOT_REJECTED)
        if rejects:
            options = RankTestOptions(
                alpha=level, higher_is_better=best_is_highest, on_undefined=on_undefined
            )
            pairs, reason = choose_posthoc(named, posthoc, chosen, options)
            reasons.append(reason)

    return DatasetsComparisonResult(
        names=table.names,
        omnibus=with_dropped(omnibus, table.n_dropped),
        posthoc=None if pairs is None else with_dropped(pairs, table.n_dropped),
        reasons=tuple(reasons),
        alpha=level,
        n=len(table.values),
        n_dropped=table.n_dropped,
    )


def posthoc_name(posthoc: str, control: object) -> str:
    """Return the checked name of the post-hoc test, 'auto' replaced by its default."""
    names = POSTHOC if control is None else AGAINST_CONTROL
    return as_posthoc(posthoc, names, {**POSTHOC, **AGAINST_CONTROL}, control is not None)


def choose_omnibus(
    table: ModelTable, named: NamedColumns, higher_is_better: bool, on_undefined: Undefined
) -> tuple[Omnibus, str]:
    """Return the result of the test of all models, and a sentence on why it was chosen."""
    n, k = table.values.shape
    if k == 2:
        return wilcoxon_test(named, on_undefined=on_undefined), (
            "There are two models: Wilcoxon's signed rank test uses the sizes of the differences, "
            "which ranks within data sets would lose."
        )
    default_method = resolve_method("auto", "corrected", n, k)
    is_small = default_method == "exact" or n * math.factorial(k) <= MOST_ORDERINGS
    omnibus = friedman_test(
        named,
        method="exact" if is_small else "iman-davenport",
        higher_is_better=higher_is_better,
        on_undefined=on_undefined,
    )
    how = (
        "all permutations of the ranks give its p-value, since the table is small"
        if is_small
        else "Iman and Davenport's F gives its p-value, since chi-squared would be conservative"
    )
    return omnibus, (
        f"Scores on different data sets are not commensurable, so {k} models are compared by their "
        f"ranks on each: Friedman's test; {how}."
    )


@wraps(compare_datasets)
def omnibus_of_datasets(scores: ScoreTable, **options: Any) -> Omnibus:
    """Return the omnibus test alone that `compare_datasets` makes first."""
    return compare_datasets(scores, **options).omnibus


def choose_posthoc(
    named: NamedColumns, posthoc: str, control: int | None, options: RankTestOptions
) -> tuple[PostHoc, str]:
    """Return the result of the post-hoc test, and a sentence on why it was chosen."""
    if control is None:
        test, reason = POSTHOC[posthoc]
        return test(named, **options), reason
    test, reason = AGAINST_CONTROL[posthoc]
    return test(named, control=control, **options), reason
