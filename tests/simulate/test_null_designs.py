"""The data of null hypotheses have the parameters that their descriptions state."""

import numpy as np
import pytest

import fastcompare as fc
from fastcompare.simulate import null_designs


@pytest.mark.parametrize(("auc", "correlation"), [(0.8, 0.5), (0.95, 0.2)])
def test_clustered_scores_have_the_stated_auc_and_correlations(auc, correlation):
    labels = np.repeat([1, 0], 30_000)
    groups = np.arange(labels.size) // null_designs.CLUSTER_SIZE
    cases = null_designs.ScoredCases(labels, groups, auc, correlation)
    rng = np.random.default_rng(0)
    y, scores, drawn_groups = null_designs.draw_clustered_scores(rng, labels.size, 2, cases)
    assert drawn_groups is groups
    assert [fc.roc_auc(y, column) for column in scores.T] == pytest.approx([auc] * 2, abs=0.01)
    negatives = scores[y == 0]
    assert np.corrcoef(negatives.T)[0, 1] == pytest.approx(correlation, abs=0.03)
    first, second = negatives[:, 0].reshape(-1, null_designs.CLUSTER_SIZE)[:, :2].T
    assert np.corrcoef(first, second)[0, 1] == pytest.approx(0.2, abs=0.05)


def test_clusters_of_ten_are_drawn_where_none_are_specified():
    y, scores, groups = null_designs.draw_clustered_scores(np.random.default_rng(0), 40, 3)
    assert (y.sum(), scores.shape) == (40, (80, 3))
    assert np.bincount(groups).tolist() == [10] * 8
