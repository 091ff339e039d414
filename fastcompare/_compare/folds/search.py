"""Compare the candidates of scikit-learn's GridSearchCV or RandomizedSearchCV.

Use it where a search has scored every candidate on the same splits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Direction, NanPolicy, PairCorrection, Undefined
from ..._inputs.models import as_model_table
from ..._inputs.rounds import check_sizes
from ..._inputs.search import as_search, check_top
from .comparison import Choices, FoldComparisonResult, Sizes, right_tests
from .designs import heed_swapped
from .magnitudes import means_of

WIDEST = 40  # characters of a parameter's value in a name
SELECTED = (
    " The best {k} of {total} candidates were chosen by these very scores, which favours the "
    "first: its lead is too large and its p too small."
)


@dataclass(frozen=True, eq=False, kw_only=True)
class SearchComparisonResult(FoldComparisonResult):
    """Result of `from_cv_results`; a row of `scores` a split, a column a candidate, best first."""

    candidates: tuple[int, ...]
    params: tuple[Mapping[str, Any], ...]
    title: ClassVar[str] = "Candidates of a search compared by their scores on the same splits"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python values, parameters as texts."""
        params = [{key: shown_value(value) for key, value in p.items()} for p in self.params]
        return {**super().to_dict(), "params": params}


def from_cv_results(
    cv_results: Mapping[str, Any],
    *,
    n_train: float | None = None,
    n_test: float | None = None,
    top: int | None = 5,
    scoring: str = "score",
    alternative: Direction = "two-sided",
    correction: PairCorrection = "auto",
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> SearchComparisonResult:
    """Compare the best candidates of a scikit-learn search by their scores on the same splits.

    Parameters
    ----------
    cv_results : mapping
        The ``cv_results_`` of a fitted GridSearchCV or RandomizedSearchCV.
    n_train, n_test : float
        How many cases a split trains and tests on, or their means; they must be given, since
        `cv_results` does not tell.
    top : int or None, default=5
        How many candidates, of the highest mean scores, are compared; None is all.
    scoring : str, default='score'
        Which metric, where the search has several.
    alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
        As in `ttest_corrected_pairwise_test`; candidates go from the best to the worst.
    correction : str, default='auto'
        For the number of pairs that are compared, as in `ttest_corrected_pairwise_test`.
    nan_policy : {'raise', 'omit'}, default='raise'
        What to do with splits that miss a score of one of the candidates that are compared.
    on_undefined : {'warn', 'raise', 'ignore'}, default='warn'
        What to do when a part of a test is not defined for these scores.

    Returns
    -------
    SearchComparisonResult
        With ``names`` (the parameters that vary), ``candidates`` (their numbers in `cv_results`),
        ``params``, ``scores`` (J, k), ``means`` (k,), ``n``, ``n_dropped``, ``tests`` (results by
        the names of their functions, first the one to report), ``reason``, ``summary()`` and
        ``to_dict()``.

    See Also
    --------
    compare_estimators : Fits the models, too.
    ttest_corrected : The test of two.

    Notes
    -----
    Each pair is tested as by `ttest_corrected`.

    The scores that choose the best candidates also compare them, so the winner's lead is biased
    upwards, the more so the more candidates there are, and no correction for the number of pairs
    mends that. Read a large p-value as leave to take the simpler candidate, and compare a winner
    with anything else on new data or by nested cross-validation.

    References
    ----------
    .. [1] C. Nadeau, Y. Bengio (2003), doi:10.1023/A:1024068626366.
    .. [2] G. C. Cawley, N. L. C. Talbot (2010), https://www.jmlr.org/papers/v11/cawley10a.html.

    Examples
    --------
    >>> import fastcompare as fc
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5, 50]}, cv=5)
    >>> cv_results = search.fit(*load_iris(return_X_y=True)).cv_results_
    >>> fc.from_cv_results(cv_results, n_train=120, n_test=30).names
    ('n_neighbors=5', 'n_neighbors=1', 'n_neighbors=50')
    """
    choices = Choices(alternative, correction, on_undefined).checked()
    search, most = as_search(cv_results, scoring), check_top(top)
    sizes = Sizes(*check_sizes(n_train, n_test))
    heed_swapped(*sizes)
    chosen = best_candidates(search.scores)[:most]
    named = dict(
        zip(candidate_names(search.params, chosen), search.scores[:, chosen].T, strict=True)
    )
    table = as_model_table(named, rows="splits", nan_policy=nan_policy, name="cv_results")

    columns = dict(zip(table.names, table.values.T, strict=True))
    tests, reason = right_tests(columns, sizes, choices)
    if len(chosen) < len(search.params):
        reason += SELECTED.format(k=len(chosen), total=len(search.params))

    return SearchComparisonResult(
        names=table.names,
        means=means_of(table.values),
        scores=search.scores[:, chosen],
        scoring=scoring,
        n=len(table.values),
        n_dropped=table.n_dropped,
        n_train=sizes.n_train,
        n_test=sizes.n_test,
        tests=tests,
        reason=reason,
        status="ok",
        candidates=tuple(chosen),
        params=tuple(dict(search.params[i]) for i in chosen),
    )


def best_candidates(scores: NDArray[np.float64]) -> list[int]:
    """Return the candidates by their mean scores, the best first; failed ones come last."""
    order: list[int] = np.argsort(-means_of(scores), kind="stable").tolist()  # puts NaN at the end
    return order


def candidate_names(params: Sequence[Mapping[str, Any]], chosen: Sequence[int]) -> list[str]:
    """Return names of the chosen candidates: the parameters that vary among all."""
    texts = [{key: shown_value(value) for key, value in p.items()} for p in params]
    keys = dict.fromkeys(key for text in texts for key in text)
    varying = [key for key in keys if len({text.get(key) for text in texts}) > 1]
    names = [
        ", ".join(f"{key}={texts[i][key]}" for key in varying if key in texts[i]) for i in chosen
    ]
    times = Counter(names)
    numbered = [f"{name} (candidate {i})".strip() for i, name in zip(chosen, names, strict=True)]
    given = [
        name if name and times[name] == 1 else longer
        for name, longer in zip(names, numbered, strict=True)
    ]
    return given if len(set(given)) == len(given) else numbered


def shown_value(value: Any) -> str:
    """Return a parameter's value in few characters of one line."""
    text = " ".join(repr(value).split()) if not isinstance(value, str) else value
    return text if len(text) <= WIDEST else text[: WIDEST - 1] + "…"
