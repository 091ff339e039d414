"""Long tables with counts of errors, beside metrics or alone, and conditions that are no labels."""

import re

import numpy as np
import pandas as pd
import pytest

import fastcompare as fc

from .doors import by_python

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(13)
N = 12


def grid(**levels):
    """Return the columns of all combinations of levels."""
    values = np.meshgrid(*levels.values(), indexing="ij")
    return {name: column.ravel() for name, column in zip(levels, values, strict=True)}


STUDIES, SAMPLES = [f"Chen {2001 + j}" for j in range(N)], [f"HG{j:03d}" for j in range(N)]
OF_STUDIES = grid(Study=STUDIES, Test=["CT", "MRI"])
COUNTS = {n: RNG.integers(5, 90, 2 * N) for n in ("TP", "FP", "FN", "TN")}
CALLED = grid(Sample=SAMPLES, Type=["SNP", "INDEL"], Caller=["gatk", "dv", "strelka"])
TOTAL = np.repeat(50000 - np.arange(2 * N), 3)
FOUND = TOTAL - RNG.integers(50, 400, 6 * N)
SHARES = {n: RNG.random(6 * N) for n in ("METRIC.Recall", "METRIC.F1_Score")}
HAPPY = {**CALLED, "TRUTH.TOTAL": TOTAL, "TRUTH.TP": FOUND, "TRUTH.FN": TOTAL - FOUND, **SHARES}
SIDES = grid(case=SAMPLES, organ=["left kidney", "right kidney"], model=["unet", "swin"])
DICE = RNG.random(4 * N)
MEANS = "are means over 'organ' .'left kidney' and 'right kidney'. in each 'case' compared"
PAIRED = grid(case=SAMPLES, model=["unet", "swin"])

TABLES = {  # a table, and what the question, or the answer, says
    "studies of two tests": ({**OF_STUDIES, **COUNTS}, "add their sensitivity.*each 'Study'"),
    "studies in lower case": (
        {n.lower(): x for n, x in {**OF_STUDIES, **COUNTS}.items()},
        "add their sensitivity.*each 'study'",
    ),
    "no true negatives": (
        {**OF_STUDIES, **COUNTS, "TN": [""] * (2 * N)},
        "add their f1.*each 'Study'",
    ),
    "a quantity in studies": (
        {**OF_STUDIES, **COUNTS, "sensitivity": RNG.random(2 * N)},
        "^(?!.*no scores)",
    ),
    "callers": (HAPPY, "'Caller' and 'Sample': which column.*METRIC.F1_Score.*Means over 'Type'"),
    "a caller's F1": (
        {**CALLED, "F1": SHARES["METRIC.Recall"]},
        "^(?!.*label=).*are means over 'Type'",
    ),
    "sides": ({**SIDES, "dice": DICE}, MEANS),
    "a diagnosis of each case": (
        {**PAIRED, "diagnosis": np.repeat(np.arange(N) % 2, 2), "score": RNG.random(2 * N)},
        "True labels: 'diagnosis'",
    ),
    "a count that is true": (
        {
            **PAIRED,
            "true_count": np.repeat(np.arange(N) // 2 + 3, 2),
            "pred": np.repeat(np.arange(N) // 2 + 3, 2) + RNG.random(2 * N),
        },
        "True values: 'true_count'",
    ),
    "people who call": (
        {"caller": np.repeat([*"abcd"], 6), "churned": np.arange(24) % 2, "p1": RNG.random(24)}
        | {"p2": RNG.random(24)},
        "True labels: 'churned'",
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_counts_of_errors_and_conditions_are_no_labels(name):
    table, says = TABLES[name]
    found, said = by_python(table)
    reasons = said if found is None else " ".join(found["decisions"])
    assert re.search(says, reasons), reasons


def test_way_of_counts_of_studies_compares_their_sensitivities():
    data = pd.DataFrame({**OF_STUDIES, **COUNTS})
    call = re.search(r"`fastcompare\.(compare\(.*?\))`", by_python(data)[1])[1]
    data["sensitivity"] = data["TP"] / (data["TP"] + data["FN"])
    means = data.groupby("Test")["sensitivity"].mean()
    found = eval(call, {"compare": fc.compare, "data": data}).to_dict()
    assert found["values"] == pytest.approx(dict(means))


def test_way_of_sides_compares_the_means_of_cases():
    data = pd.DataFrame({**SIDES, "dice": DICE})
    found, _ = by_python(data, long=("model", "case", "dice"))
    assert found["values"] == pytest.approx(dict(data.groupby("model")["dice"].mean()))
