"""The candidates of a search of scikit-learn as models, with their scores by round."""

from collections.abc import Iterable, Mapping
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._adapters.sklearn import is_search, metric_name, refuse_halving
from ..._base.exceptions import invalid_type, invalid_value
from ..arrays import as_float_array
from ..options import check_choice, check_mapping
from ..rounds import SPLIT_SCORE


class Search(NamedTuple):
    """Parameters of all candidates, scores (a row a split, a column a candidate), the metric."""

    params: list[Mapping[str, Any]]
    scores: NDArray[np.float64]
    scoring: str
    metric: str


def as_search(cv_results: Any, scoring: object) -> Search:
    """Return the parameters and scores of at least two candidates, or raise.

    Without `scoring` there must be one metric, or one that the search refits by.
    """
    metric = None
    if is_search(cv_results):
        metric = metric_name(cv_results.scoring, {"": cv_results.estimator})
        refit = cv_results.refit if isinstance(cv_results.refit, str) else None
        cv_results, scoring = cv_results.cv_results_, scoring or refit
    check_mapping("cv_results", cv_results, "a fitted search or its `cv_results_`")
    refuse_halving(cv_results)
    keys = split_keys(cv_results)
    metrics = list(dict.fromkeys(name for _, name in keys))
    if scoring is None:
        scoring = metrics[0] if len(metrics) == 1 else ""
    check_choice("scoring", scoring, metrics)
    params = as_params(cv_results["params"])
    numbers = sorted(number for number, name in keys if name == scoring)
    scores = scores_of_splits(cv_results, f"_test_{scoring}", numbers, len(params))
    if metric is None or str(scoring) != "score":  # the key of a search with one metric
        metric = metric_name(str(scoring), {})
    return Search(params, scores, str(scoring), metric)


def scores_of_splits(
    cv_results: Mapping[Any, Any], ending: str, numbers: list[int], n_candidates: int
) -> NDArray[np.float64]:
    """Return the scores of all candidates, a row a split, or raise."""
    if numbers != list(range(len(numbers))):
        raise invalid_value(
            "cv_results",
            "must have the scores of all splits from 0",
            numbers,
            show=", got those of {}",
        )
    names = [f"split{i}{ending}" for i in numbers]
    rows = [as_float_array(f"cv_results[{name!r}]", cv_results[name]) for name in names]
    for name, row in zip(names, rows, strict=True):
        if row.shape != (n_candidates,):
            raise invalid_value(
                f"cv_results[{name!r}]",
                f"must have a score of each of the {n_candidates} candidates",
                row.shape,
                show=", got shape {!r}",
            )
    return np.array(rows)


def split_keys(cv_results: Mapping[Any, Any]) -> list[tuple[int, str]]:
    """Return the number and the metric of all keys of scores, or raise where there are none."""
    matches = [SPLIT_SCORE.fullmatch(str(key)) for key in cv_results]
    keys = [(int(match[1]), match[2]) for match in matches if match is not None]
    if not keys or "params" not in cv_results:
        raise invalid_value(
            "cv_results",
            "must have 'params' and keys as 'split0_test_score'",
            ", ".join(map(repr, list(cv_results)[:5])) or "none",
            show=", got {}",
        )
    return keys


def as_params(params: object) -> list[Mapping[str, Any]]:
    """Return the parameters of all candidates, or raise."""
    listed: list[Any] = list(params) if isinstance(params, Iterable) else [params]
    for i, candidate in enumerate(listed):
        check_mapping(f"cv_results['params'][{i}]", candidate)
    return listed


def check_top(top: object) -> int | None:
    """Return how many candidates to take, None for all, or raise."""
    if top is None:
        return None
    if isinstance(top, bool) or not isinstance(top, Integral):
        raise invalid_type("top", "must be an integer or None", top)
    if top < 2:
        raise invalid_value("top", "must be at least 2", top, show=", got {}")
    return int(top)
