"""Compiled kernels: arrays and numbers only, no checks, callable from your own ``@njit`` code.

They will not protect you: labels are uint8 arrays of 0 and 1, scores C-contiguous float64 without
NaN, `out` arrays uint32 of the right size, and both classes must occur. For fewer than 2^31 cases.

>>> import numba
>>> import numpy as np
>>> from fastcompare import kernels
>>> @numba.njit
... def rejections(labels, a, b, critical):
...     count = 0
...     for r in range(a.shape[0]):
...         count += abs(kernels.delong_z(labels, a[r], b[r])) > critical
...     return count
>>> rng = np.random.default_rng(0)
>>> labels = (np.arange(100) % 2).astype(np.uint8)
>>> a, b = rng.normal(size=(2, 200, 100))
>>> bool(0 < rejections(labels, a, b, 1.96) < 30)
True

If you cache such a function with ``@njit(cache=True)``, clear your cache after upgrading
fastcompare: Numba does not see that a kernel which it inlined has changed.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .._base.exceptions import MissingAttributeError

_HOMES = {
    "concordance": ("count_pairs", "doubled_wins", "order_in_time", "weigh_pairs", "weighted_wins"),
    "pair": (
        "delong",
        "delong_z",
        "difference_variance",
        "moment_sums",
        "placements",
        "placements_heaviside",
        "wins",
    ),
    "sorting.placements": ("midranks", "placements_midrank", "placements_packed"),
    "tables.folds": ("corrected_t", "f_5x2cv", "paired_t", "rm_anova", "t_5x2cv"),
    "tables.ranking": ("friedman", "rank_rows"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "corrected_t",
    "count_pairs",
    "delong",
    "delong_z",
    "difference_variance",
    "doubled_wins",
    "f_5x2cv",
    "friedman",
    "midranks",
    "moment_sums",
    "order_in_time",
    "paired_t",
    "placements",
    "placements_heaviside",
    "placements_midrank",
    "placements_packed",
    "rank_rows",
    "rm_anova",
    "t_5x2cv",
    "weigh_pairs",
    "weighted_wins",
    "wins",
]

if TYPE_CHECKING:
    from .concordance import count_pairs, doubled_wins, order_in_time, weigh_pairs, weighted_wins
    from .pair import (
        delong,
        delong_z,
        difference_variance,
        moment_sums,
        placements,
        placements_heaviside,
        wins,
    )
    from .sorting.placements import midranks, placements_midrank, placements_packed
    from .tables.folds import corrected_t, f_5x2cv, paired_t, rm_anova, t_5x2cv
    from .tables.ranking import friedman, rank_rows


def __getattr__(name: str) -> Any:
    """Return a kernel, imported when it is first used."""
    if name not in _HOME:
        raise MissingAttributeError(f"module {__name__!r}", name, __all__)
    globals()[name] = function = getattr(import_module(f".{_HOME[name]}", __name__), name)
    return function


def __dir__() -> list[str]:
    return __all__
