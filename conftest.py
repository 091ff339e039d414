"""Set up a test session: its own cache of compiled kernels, Hypothesis without a clock."""

import gc
import os
import sys
import tempfile
from pathlib import Path

if "PYTEST_XDIST_WORKER" in os.environ:  # a worker a core: more threads of products only wait
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numba
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

user = os.getuid() if hasattr(os, "getuid") else "user"
directory = Path(tempfile.gettempdir(), f"fastcompare-tests-{user}")
os.environ.setdefault("FASTCOMPARE_CACHE_DIR", str(directory))

# imports PyInstaller, which runs it
collect_ignore = ["fastcompare/_adapters/pyinstaller/hook-fastcompare.py"]

# No clock: a first call compiles, and a machine may be busy. A run draws what the last one drew, so
# that a failure is due to a change; `--hypothesis-profile=anew` draws other examples.
FEWER = 10  # examples without compilation, where each takes up to 100 times as long
CASES = 4  # of a parametrized test without compilation: half of the time, nearly the same lines
FEWER_CASES = 2  # in these folders, which test what kernels only serve
OTHERS = ("advice", "cli", "contact", "contract", "inputs", "manual", "misread", "plots", "report")
OTHERS = tuple(f"tests/{folder}/" for folder in (*OTHERS, "results", "simulate", "studies"))
EVERY_FUNCTION = ("tests/contract/test_edges.py", "tests/inputs/test_odd_arguments.py")
CLOCK = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("anew", print_blob=True, **CLOCK)
settings.register_profile("same", derandomize=True, **CLOCK)
settings.register_profile("uncompiled", settings.get_profile("same"), max_examples=FEWER)
settings.load_profile("uncompiled" if numba.config.DISABLE_JIT else "same")


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Collect without looking for garbage, of which there is little: a third of the time.

    Nor is what was collected looked through again and again while tests run.
    """
    draw_once()
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@settings(max_examples=1, database=None)
@given(st.none())
def draw_once(nothing):
    """Let Hypothesis make its generator of random numbers before what holds it is frozen.

    Hypothesis asks the garbage collector what holds it, which does not look at frozen objects:
    from Python 3.14 on the first of its tests would fail.
    """


def pytest_runtest_teardown():
    """Close the figures that a test or an example left: matplotlib warns of more than twenty."""
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")


def pytest_collection_modifyitems(config, items):
    """Draw fewer examples and cases where kernels run as plain Python: the compiled run has all."""
    if not numba.config.DISABLE_JIT:
        return
    for item in items:
        law = getattr(item, "obj", None)
        own = getattr(law, "_hypothesis_internal_use_settings", None)
        if own is not None and own.max_examples > FEWER:
            law._hypothesis_internal_use_settings = settings(own, max_examples=FEWER)
    chosen = spread(items)
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = [item for item in items if item in chosen]


def spread(items):
    """Return the tests, of each parametrized one the first, the last and some between."""
    cases = {}
    for item in items:
        cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    chosen = []
    for name, every in cases.items():
        most = FEWER_CASES if name.startswith(OTHERS) else CASES
        steps = range(most) if len(every) > most else range(len(every))
        chosen += [every[i * (len(every) - 1) // max(len(steps) - 1, 1)] for i in steps]
    return set(chosen)


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_xdist_make_scheduler(config, log):
    """Give each worker whole files: two that share one compile the same kernels at once.

    For the same reason one of them gets both large files that call every function.
    """
    from xdist.scheduler import LoadFileScheduling

    class WholeFiles(LoadFileScheduling):
        def _split_scope(self, nodeid):
            file = super()._split_scope(nodeid)
            return EVERY_FUNCTION[0] if file in EVERY_FUNCTION else file

    return WholeFiles(config, log) if config.option.dist == "load" else None
