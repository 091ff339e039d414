"""What several test files share."""

import functools

import numba
import pytest

# Simulations and corpora call functions thousands of times, on lines that other tests reach: to
# trace them would take half as long again.
FAMILIES = ("auc", "folds", "items", "labels", "paired", "probabilities", "ranks", "raters")
OTHERS = ("contact", "inference", "misread", "readers", "studies", "survival")
UNTRACED = tuple(f"tests/{folder}/" for folder in (*FAMILIES, *OTHERS))


def pytest_collection_modifyitems(config, items):
    """Leave slow tests of families, corpora and studies out of the coverage that is measured."""
    if config.pluginmanager.hasplugin("_cov") and not numba.config.DISABLE_JIT:
        for item in items:
            if item.nodeid.startswith(UNTRACED) and item.get_closest_marker("slow"):
                item.add_marker("no_cover")


@pytest.fixture
def requires_jit():
    """Skip a test whose size makes no sense for kernels run as plain Python."""
    if numba.config.DISABLE_JIT:
        pytest.skip("too large without compilation")


@pytest.fixture
def unbounded(monkeypatch):
    """Raise the bound of replicates, to reach what else stops a huge call."""
    monkeypatch.setenv("FASTCOMPARE_MOST_REPLICATES", str(10**40))


def pytest_configure():
    """Let simultaneous intervals draw little, and once, where kernels run as plain Python.

    Not by a fixture: parameters of tests call functions too, before any fixture.
    """
    if numba.config.DISABLE_JIT:
        from fastcompare._inference import max_t as joint
        from fastcompare._inference import step_down as dunnett
        from fastcompare._inference import winners

        joint.standard_normals = winners.standard_normals = functools.cache(joint.standard_normals)
        joint.MOST_DRAWS = joint.FEWEST_DRAWS = joint.BLOCK
        dunnett.MOST_DRAWS = dunnett.FEWEST_DRAWS = joint.BLOCK


@pytest.fixture(scope="session")
def client():
    """A client of a cluster of dask: two worker processes of one thread each."""
    from dask.distributed import Client, LocalCluster

    quiet = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0"}
    with LocalCluster(processes=True, silence_logs=50, **quiet) as cluster, Client(cluster) as it:
        yield it
