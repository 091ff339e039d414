"""Set up a test session: its own cache of compiled kernels, Hypothesis without a clock."""

import os
import tempfile
from pathlib import Path

import numba
import pytest
from hypothesis import settings

user = os.getuid() if hasattr(os, "getuid") else "user"
directory = Path(tempfile.gettempdir(), f"fastcompare-tests-{user}")
os.environ.setdefault("FASTCOMPARE_CACHE_DIR", str(directory))

# No deadline: a first call compiles. A blob repeats a failure that was seen elsewhere.
FEWER = 10  # examples without compilation, where each takes up to 100 times as long
settings.register_profile("ci", deadline=None, print_blob=True)
settings.register_profile("uncompiled", deadline=None, print_blob=True, max_examples=FEWER)
settings.load_profile("uncompiled" if numba.config.DISABLE_JIT else "ci")


def pytest_configure(config):
    if numba.config.DISABLE_JIT:  # 64-bit hashes overflow by design, and only NumPy says so
        line = "ignore:overflow encountered in scalar:RuntimeWarning"
        config.addinivalue_line("filterwarnings", line)


def pytest_collection_modifyitems(items):
    """Draw fewer examples of laws where kernels run as plain Python: the compiled run draws all."""
    for item in items if numba.config.DISABLE_JIT else ():
        law = getattr(item, "obj", None)
        own = getattr(law, "_hypothesis_internal_use_settings", None)
        if own is not None and own.max_examples > FEWER:
            law._hypothesis_internal_use_settings = settings(own, max_examples=FEWER)


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_xdist_make_scheduler(config, log):
    """Give each worker whole files: two that share one compile the same kernels at once."""
    from xdist.scheduler import LoadFileScheduling

    return LoadFileScheduling(config, log) if config.option.dist == "load" else None
