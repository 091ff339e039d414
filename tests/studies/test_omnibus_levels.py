"""The study of levels and power of tests of several AUCs."""

import numpy as np
import pytest
from scipy import stats

from studies import omnibus_levels as study
from studies.tables import DOCS


def test_every_cell_of_the_tables_is_measured():
    found = [[0.1, 0.05, 0.02] if cell.asks == "level" else [0.4] * 4 for cell in study.CELLS]
    text = study.show(study.CELLS, found)
    assert text.count("10.0 / 5.0 / 2.0") == len(study.SHAPES) * len(study.SIZES)
    assert text.count("40.0 / 40.0 / 40.0 / 40.0") == len(study.POWER_SHAPES) * len(
        study.POWER_SIZES
    )
    page = (DOCS / "evidence/auc_levels.md").read_text()
    page = page.partition("<!-- studies.omnibus_levels -->")[2]
    page = page.partition("<!-- end -->")[0]
    kept = [line.split("|")[1:4] for line in page.splitlines() if line.startswith("| ")]
    shown = [line.split("|")[1:4] for line in text.splitlines() if line.startswith("| ")]
    assert [[cell.strip() for cell in row] for row in kept if row[0].strip("- ")] == [
        [cell.strip() for cell in row] for row in shown if row[0].strip("- ")
    ]


@pytest.mark.parametrize("shape", study.SHAPES)
def test_models_have_the_auc_and_the_correlation_that_the_page_says(shape):
    rng, known = np.random.default_rng(0), study.SHAPES[shape]
    labels, scores = study.sample(study.Cell(shape, 4000, 4000, 4), rng)
    aucs = [
        stats.mannwhitneyu(column[labels], column[~labels]).statistic / 4000**2
        for column in scores.T
    ]
    assert np.ptp(aucs) < (0.08 if known.values else 0.03)
    assert abs(np.mean(aucs) - known.auc) < 0.05
    if not known.values:
        correlation = np.corrcoef(scores[~labels].T)
        assert abs(correlation[0, 1] - known.correlations[0]) < 0.05
        assert abs(correlation[2, 3] - known.correlations[1]) < 0.05
    better = study.sample(study.Cell(shape, 4000, 4000, 4, "power"), rng)[1]
    assert better[labels, 0].mean() > better[labels, 2].mean()


@pytest.mark.slow
def test_levels_and_power_are_shares_of_small_p_values():
    chi2, by_f, by_default = study.levels(study.Cell("similar", 8, 40, 5), trials=40)
    assert chi2 > by_f
    assert 0.0 <= by_default < 0.2
    found = study.levels(study.Cell("very similar", 10, 40, 3, "power"), trials=20)
    assert len(found) == 4
    assert found[1] > 0.0
