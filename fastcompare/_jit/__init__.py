"""Compiled kernels and their cache: the only room that knows Numba."""

from contextlib import suppress

with suppress(ImportError, AttributeError):  # `kernel` says what Numba lacks
    from . import waiting as waiting
