"""Seeds and numbers of replicates."""

from numbers import Integral

import numpy as np

from .._base.exceptions import InvalidTypeError, InvalidValueError
from .costs import check_replicates


def as_entropy(rng: object) -> int:
    """Return an integer that gives the same draws again when it is passed as `rng`.

    A Generator advances by one draw; NumPy's global state is not touched.
    """
    if rng is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(0, 1 << 64, dtype=np.uint64))
    if isinstance(rng, np.random.RandomState):
        raise InvalidTypeError(
            "`rng` must be None, an integer or numpy.random.Generator, got a RandomState. "
            "Pass numpy.random.default_rng(seed)."
        )
    if isinstance(rng, bool) or not isinstance(rng, Integral):
        raise InvalidTypeError(
            f"`rng` must be None, an integer or numpy.random.Generator, got {rng!r}."
        )
    if int(rng) < 0:
        raise InvalidValueError(f"`rng` must be at least 0, got {rng}.")
    return int(rng)


def key_of(entropy: int) -> int:
    """Return 64 bits hashed by NumPy's SeedSequence, so that neighbours are unrelated."""
    return int(np.random.SeedSequence(entropy).generate_state(1, np.uint64)[0])


def check_resamples(n_resamples: object) -> int:
    """Return the number of replicates, or raise."""
    if isinstance(n_resamples, bool) or not isinstance(n_resamples, Integral):
        raise InvalidTypeError(f"`n_resamples` must be an integer, got {n_resamples!r}.")
    if n_resamples < 1:
        raise InvalidValueError(f"`n_resamples` must be at least 1, got {n_resamples}.")
    check_replicates("n_resamples", int(n_resamples))
    return int(n_resamples)
