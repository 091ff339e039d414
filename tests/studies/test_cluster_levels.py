"""The study of levels with clusters and weights."""

import numpy as np
import pytest
from scipy import stats

from studies import cluster_levels as study
from studies.tables import DOCS


def test_every_cell_of_the_tables_is_measured():
    found = [np.array((0.1, 0.05))] * len(study.CELLS)
    text = study.show(study.CELLS, found)
    assert text.count("10.0 / 5.0") == len(study.CELLS)
    assert text.count("**") == 6
    page = (DOCS / "evidence/clusters.md").read_text()
    for line in text.splitlines():
        if line.startswith("|") and "/" not in line and "--" not in line:
            assert (
                line.split()
                == next(x for x in page.splitlines() if x.split() == line.split()).split()
            )


@pytest.mark.parametrize("kind", study.SIZES)
def test_clusters_have_the_sizes_that_the_page_says(kind):
    rng = np.random.default_rng(0)
    cell = study.Clusters("AUC", 20, kind)
    sizes = study.sizes_of(cell, rng)
    assert sizes.size == 20
    assert abs(sizes.sum() - 200) <= 20
    assert (sizes.max() >= 100) == (kind == "one half")


def test_the_cases_of_a_cluster_and_the_models_correlate():
    rng = np.random.default_rng(1)
    cell = study.Clusters("AUC", 50, "equal")
    scores = np.array([study.sample_clusters(cell, rng).scores for _ in range(200)])
    first, second = scores[:, 0, 0::10].ravel(), scores[:, 0, 1::10].ravel()
    assert abs(np.corrcoef(first, second)[0, 1] - study.WITHIN) < 0.05
    both = np.corrcoef(scores[:, 0].ravel(), scores[:, 1].ravel())[0, 1]
    assert abs(both - study.SHARED * (1 - study.WITHIN)) < 0.05
    pure = study.sample_clusters(study.Clusters(study.PURE, 10, "equal"), rng)
    assert np.unique(np.c_[pure.groups, pure.labels], axis=0).shape == (10, 2)


def test_the_usual_variance_is_cr1_with_the_normal_distribution():
    d, groups = np.array([0.2, -0.1, 0.3, 0, 0.1, 0.4]), np.array([0, 0, 1, 1, 2, 2])
    sums = np.bincount(groups, d - d.mean())
    z = d.mean() / (np.sqrt(3 / 2 * (sums**2).sum()) / 6)
    np.testing.assert_allclose(study.of_mean(d, groups), 2 * stats.norm.sf(z))


@pytest.mark.slow
def test_levels_are_shares_of_small_p_values():
    cells = (
        study.Clusters("Brier score", 5, "equal"),
        study.Clusters("accuracy", 5, "equal"),
        study.Clusters("AUC", 5, "equal"),
        study.Weighted(10, 10, "log-normal"),
    )
    for cell in cells:
        by_normal, by_default = study.levels(cell, trials=40)
        assert 0.0 <= by_default <= by_normal <= 0.5


@pytest.mark.parametrize("name", study.TESTS)
def test_tests_with_clusters_reject_less_often(name):
    cell = study.Several(name, 10, "equal")
    as_independent, with_clusters = study.levels(cell, trials=20)
    assert 0.0 <= with_clusters <= max(as_independent, 0.2)
