"""Compact letter displays: models that share a letter do not differ significantly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._inputs.options import check_alpha
from .._inputs.rankings import as_pvalue_matrix, check_letters, check_tested
from .cliques import groups_of

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def compact_letters(result: Any, *, alpha: float | None = None) -> dict[str, str]:
    """Give letters to models such that those which share one do not differ significantly.

    Parameters
    ----------
    result : result of a test of all pairs of models
        Of `nemenyi_test`, `friedman_pairwise_test`, `delong_pairwise_test` and the like.
    alpha : float, optional
        The level at which models differ; by default that of the result, or else 0.05.

    Returns
    -------
    dict of str to str
        The letters of each model, by its name, from the best model on. Two models differ exactly
        if they share no letter.

    Raises
    ------
    FastCompareError
        As ValueError or TypeError, for other things than results of all pairs, and where the
        models need more than 52 letters.

    Notes
    -----
    Each letter is one of the largest groups of models of which no two differ: what the insertion
    and absorption of Piepho (2004) ends with. Letters are given from the best model on: by average
    ranks, AUCs, accuracies or means, whatever the test compares.

    References
    ----------
    .. [1] H.-P. Piepho (2004), doi:10.1198/1061860043515.

    Examples
    --------
    >>> import fastcompare as fc
    >>> errors = {"a": [9, 8, 7, 8], "b": [7, 5, 6, 4], "c": [8, 6, 5, 6]}
    >>> fc.compact_letters(fc.nemenyi_test(errors, higher_is_better=False))
    {'b': 'a', 'c': 'ab', 'a': 'b'}
    """
    compared = as_pvalue_matrix(result)
    level = check_alpha(getattr(result, "alpha", 0.05) if alpha is None else alpha)
    check_tested(compared.pvalues)
    groups = groups_of(compared.pvalues <= level, compared.standing)
    check_letters(len(groups), len(LETTERS))
    best_first = np.argsort(compared.standing, kind="stable")
    letters = letters_of(groups, len(compared.names))
    return {compared.names[j]: letters[j] for j in best_first}


def letters_of(groups: Sequence[Sequence[int]], k: int) -> tuple[str, ...]:
    """Return the letters of k models: one for each group that a model is in."""
    found = [""] * k
    for letter, group in zip(LETTERS, groups, strict=False):
        for j in group:
            found[j] += letter
    return tuple(found)
