"""Expected values that are computed when a test compares them, not while tests are collected.

Each process of pytest-xdist imports all files of tests: a function that is called there compiles
its kernels once a process, and in runs whose tests are elsewhere, too.
"""

import functools

import fastcompare


class Deferred:
    """What a chain of attributes, calls and indices gives, computed on first use as a number."""

    def __init__(self, compute):
        self._compute = functools.cache(compute)

    __iter__ = None  # else `__getitem__` makes an endless one
    __hash__ = None

    def __eq__(self, other):
        raise TypeError("compare float(...) of an expected value, or it differs from anything")

    def __getattr__(self, name):
        if name.startswith("__"):  # NumPy asks for protocols
            raise AttributeError(name)
        return Deferred(lambda: getattr(self._compute(), name))

    def __getitem__(self, index):
        return Deferred(lambda: self._compute()[index])

    def __call__(self, *args, **options):
        return Deferred(lambda: self._compute()(*args, **options))

    def __float__(self):
        return float(self._compute())


fc = Deferred(lambda: fastcompare)
