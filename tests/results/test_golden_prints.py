"""What `print` shows of a result, whole, for one test of each family; other tests check fields.

Where wording changes on purpose, `python -m tests.results.test_golden_prints` writes them anew.
"""

import pytest

import fastcompare as fc
from tests.shared.every_call import called
from tests.shared.golden_files import GOLDEN

PRINTED = {  # the family, and a function whose result has most of what its results show
    "auc": "delong_pairwise_test",
    "labels": "mcnemar_test",
    "probabilities": "scoring_test",
    "items": "leaderboard",
    "folds": "ttest_corrected",
    "ranks": "nemenyi_test",
    "survival": "concordance_test",
    "readers": "reader_study_test",
    "raters": "agreement_matrix",
    "paired": "wilcoxon_test",
}


def stored(family):
    """Return the file of what is printed."""
    return GOLDEN / "prints" / f"{family}.txt"


def test_print_has_a_golden_text_for_each_family():
    families = {name for name in fc._MODULES if hasattr(getattr(fc, name), "CALLS")}
    assert set(PRINTED) == families


@pytest.mark.parametrize("family", PRINTED)
def test_print_shows_the_golden_text(family):
    assert f"{called(PRINTED[family])}\n" == stored(family).read_text("utf-8")


if __name__ == "__main__":
    for family, name in PRINTED.items():
        stored(family).parent.mkdir(exist_ok=True)
        stored(family).write_text(f"{called(name)}\n", "utf-8")
