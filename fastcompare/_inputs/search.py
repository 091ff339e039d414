"""What scikit-learn's searches say of their candidates, `cv_results_`."""

import re
from collections.abc import Iterable, Mapping
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import InvalidTypeError, InvalidValueError
from .arrays import as_float_array
from .options import check_choice

SPLIT_SCORE = re.compile(r"split(\d+)_test_(.+)")


class Search(NamedTuple):
    """The parameters of all candidates, and their scores: a row a split, a column a candidate."""

    params: list[Mapping[str, Any]]
    scores: NDArray[np.float64]


def as_search(cv_results: object, scoring: object) -> Search:
    """Return the parameters and scores of at least two candidates, or raise.

    Without `scoring` there must be one metric.
    """
    if not isinstance(cv_results, Mapping):
        raise InvalidTypeError(
            "`cv_results` must be the `cv_results_` of a fitted search, got a "
            f"{type(cv_results).__name__}."
        )
    keys = split_keys(cv_results)
    metrics = list(dict.fromkeys(metric for _, metric in keys))
    if scoring is None and len(metrics) == 1:
        scoring = metrics[0]
    check_choice("scoring", scoring, metrics)
    numbers = sorted(number for number, metric in keys if metric == scoring)
    if numbers != list(range(len(numbers))):
        raise InvalidValueError(
            f"`cv_results` must have the scores of all splits from 0 on, got those of {numbers}."
        )
    names = [f"split{i}_test_{scoring}" for i in numbers]
    rows = [as_float_array(f"cv_results[{name!r}]", cv_results[name]) for name in names]
    params = as_params(cv_results["params"])
    for name, row in zip(names, rows, strict=True):
        if row.shape != (len(params),):
            raise InvalidValueError(
                f"`cv_results[{name!r}]` must have a score of each of the {len(params)} "
                f"candidates, got shape {row.shape}."
            )
    return Search(params, np.array(rows))


def split_keys(cv_results: Mapping[Any, Any]) -> list[tuple[int, str]]:
    """Return the number and the metric of all keys of scores, or raise where there are none."""
    found = [SPLIT_SCORE.fullmatch(str(key)) for key in cv_results]
    keys = [(int(match[1]), match[2]) for match in found if match is not None]
    if not keys or "params" not in cv_results:
        raise InvalidValueError(
            "`cv_results` must have 'params' and keys as 'split0_test_score', got "
            f"{', '.join(map(repr, list(cv_results)[:5])) or 'none'}."
        )
    return keys


def as_params(params: object) -> list[Mapping[str, Any]]:
    """Return the parameters of all candidates, or raise."""
    listed: list[Any] = list(params) if isinstance(params, Iterable) else [params]
    for i, one in enumerate(listed):
        if not isinstance(one, Mapping):
            raise InvalidTypeError(
                "`cv_results['params']` must be a mapping for each candidate, got a "
                f"{type(one).__name__} for candidate {i}."
            )
    return listed


def check_top(top: object) -> int | None:
    """Return how many candidates to take, None for all, or raise."""
    if top is None:
        return None
    if isinstance(top, bool) or not isinstance(top, Integral):
        raise InvalidTypeError(f"`top` must be an integer or None, got {top!r}.")
    if top < 2:
        raise InvalidValueError(f"`top` must be at least 2, got {top}.")
    return int(top)
