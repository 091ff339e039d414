"""Chances that several samples of a model hold right answers, item by item.

With n samples of an item, c of them right, and k of these n drawn without repetition,

    pass@k = 1 - C(n - c, k) / C(n, k)      at least one is right
    pass^k = C(c, k) / C(n, k)              all are right

are unbiased estimates for k fresh samples; 1 - (1 - c / n)^k is not. They are ratios of whole
numbers, which Python keeps exactly: each is rounded once.
"""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import ArrayLike

from ..._base.documented import documented
from ..._base.types import Undefined, Vector
from ..._inference.status import announce
from ..._inputs.options import check_undefined
from ..._inputs.passes import as_passes


@documented
def pass_at_k(
    n_samples: ArrayLike,
    n_correct: ArrayLike,
    k: int,
    *,
    at_least: int = 1,
    on_undefined: Undefined = "warn",
) -> Vector:
    """Return each item's chance that of k samples at least one is right: pass@k.

    Parameters
    ----------
    n_samples : array-like of shape (n,), or int
        How many samples the model gave of each item.
    n_correct : array-like of shape (n,), or int
        How many of them are right.
    k : int
        How many samples may be taken, at least 1.
    at_least : int, default=1
        How many of the k must be right. k itself gives `pass_all_k`, half of k G-Pass@k with a
        threshold of a half.

    Returns
    -------
    ndarray of shape (n,)
        A score an item, for `paired_mean_test` and the like. NaN where k is above the number of
        samples.

    Warns
    -----
    UndefinedResultWarning
        'too_few_samples', if k is above the number of samples of an item.

    See Also
    --------
    pass_all_k : The chance that all k are right.
    paired_mean_test : Compare two models by these scores.

    Notes
    -----
    ``1 - C(n - c, k) / C(n, k)``, and in general the upper tail of the hypergeometric distribution,
    in whole numbers of any size: no overflow, no cancellation, each value rounded once. The items
    stay the units: clusters, pairs and standard errors go by them as for any score.

    References
    ----------
    .. [1] M. Chen et al. (2021), arXiv:2107.03374.
    .. [2] J. Liu et al. (2024), arXiv:2412.13147 (at least some of k).

    Examples
    --------
    >>> import fastcompare as fc
    >>> fc.pass_at_k([10, 10, 5], [3, 0, 5], 3)
    array([0.70833333, 0.        , 1.        ])
    >>> fc.pass_at_k(10, [3, 0, 9], 3, at_least=2)
    array([0.18333333, 0.        , 1.        ])
    """
    check_undefined(on_undefined)
    return shares_of_passes(n_samples, n_correct, k, at_least, on_undefined)


@documented
def pass_all_k(
    n_samples: ArrayLike,
    n_correct: ArrayLike,
    k: int,
    *,
    on_undefined: Undefined = "warn",
) -> Vector:
    """Return each item's chance that all of k samples are right: pass^k.

    Parameters
    ----------
    n_samples, n_correct
        As in `pass_at_k`.
    k : int
        How many samples must all be right, at least 1.

    Returns
    -------
    ndarray of shape (n,)
        A score an item. NaN where k is above the number of samples.

    Warns
    -----
    UndefinedResultWarning
        'too_few_samples', if k is above the number of samples of an item.

    See Also
    --------
    pass_at_k : The chance that one of k is right.

    References
    ----------
    .. [1] S. Yao et al. (2024), arXiv:2406.12045.

    Examples
    --------
    >>> import fastcompare as fc
    >>> fc.pass_all_k([10, 10, 5], [3, 0, 5], 3)
    array([0.00833333, 0.        , 1.        ])
    """
    check_undefined(on_undefined)
    return shares_of_passes(n_samples, n_correct, k, k, on_undefined)


def shares_of_passes(
    n_samples: ArrayLike, n_correct: ArrayLike, k: int, at_least: int, on_undefined: str
) -> Vector:
    """Return the chance of each item; equal counts are looked at once."""
    passes = as_passes(n_samples, n_correct, k, at_least)
    if (passes.n < passes.k).any():
        announce("too_few_samples", on_undefined)
    samples, sizes = np.unique(passes.n, return_inverse=True)
    pairs, of = np.unique(sizes * (int(passes.c.max()) + 1) + passes.c, return_inverse=True)
    which, correct = np.divmod(pairs, int(passes.c.max()) + 1)
    counts = zip(samples[which].tolist(), correct.tolist(), strict=True)
    return np.array([share_of_passes(n, c, passes.k, passes.least) for n, c in counts])[of]


def share_of_passes(n: int, c: int, k: int, least: int) -> float:
    """Return the share of all choices of k samples of n that hold enough of the c right ones.

    The quotient of two integers of any size is rounded once.
    """
    if k > n:
        return float("nan")
    if least == 1:
        enough = comb(n, k) - comb(n - c, k)
    else:
        most = min(k, c)
        enough = sum(comb(c, right) * comb(n - c, k - right) for right in range(least, most + 1))
    return enough / comb(n, k)
