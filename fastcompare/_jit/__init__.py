"""Compiled kernels and their cache: the only room that knows Numba."""
