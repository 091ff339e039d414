"""What a reader drops, every result, sentence, page and JSON that follows says."""

import html
import inspect
import json
import re
import warnings

import numpy as np
import pandas as pd
import pytest

import fastcompare as fc
from tests.shared.every_call import CALLS as EVERY
from tests.shared.every_call import N as CASES
from tests.shared.every_call import options_of

RNG = np.random.default_rng(0)
N, LOST = 200, 7
Y = RNG.integers(0, 2, N)
A, B, C = (
    np.clip(0.5 + s * (2 * Y - 1) + RNG.normal(0, 0.2, N), 0.01, 0.99) for s in (0.2, 0.15, 0.1)
)
GAPS = A.copy()
GAPS[:LOST] = np.nan
RIGHT = np.where(np.isnan(GAPS), np.nan, GAPS > 0.5)
TABLE = pd.DataFrame(RNG.normal(0.8, 0.03, (20, 3)), columns=list("abc"))
TABLE.iloc[:2, 0] = np.nan
FIVE = TABLE.iloc[:12, :2]
TIMES = {"time": RNG.exponential(1, N), "event": Y}
SIZES = {"n_train": 90, "n_test": 10}
ROWS = {"scores": "case", "labels": "case", "probabilities": "case", "times": "case"}
ROWS |= {"folds": "round", "items": "item", "datasets": "data set"}


def of_cases(kind, k):
    first = RIGHT if kind == "labels" else GAPS
    others = [(x > 0.5).astype(float) if kind == "labels" else x for x in (B, C)]
    data, options = (TIMES, {}) if kind == "times" else (Y, {"kind": kind})
    return (data, dict(zip("abc"[:k], [first, *others][:k], strict=True))), options


def of_table(kind, k):
    return (TABLE[list("abc"[:k])],), {"kind": kind} | (SIZES if kind == "folds" else {})


CALLS = {}  # by name: data, options, the number of rows dropped and what they are
for kind, row in ROWS.items():
    for k in (2, 3):
        data = (of_cases if row == "case" else of_table)(kind, k)
        CALLS[f"{kind}, {k} models"] = (*data, LOST if row == "case" else 2, row)
CALLS["independent rounds"] = (TABLE,), {"kind": "folds", "design": "independent"}, 2, "round"
HALVES = {"kind": "folds", "design": "5x2cv", "n_train": 50, "n_test": 50}
CALLS["5x2cv"] = (FIVE,), HALVES, 2, "round"


def nested(value):
    """All results in a result."""
    if isinstance(value, dict):
        for part in value.values():
            yield from nested(part)
    elif hasattr(value, "summary") and hasattr(value, "__dict__"):
        yield value
        yield from nested(dict(value.__dict__))


def counts_in(value):
    """All numbers of dropped rows in a dictionary."""
    if isinstance(value, dict):
        yield from ([value["n_dropped"]] if "n_dropped" in value else [])
        for part in value.values():
            yield from counts_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from counts_in(part)


def quietly(call, *data, **options):
    with warnings.catch_warnings(action="ignore"):
        return call(*data, **options)


def said(count, row):
    return f"{count} {row}s with missing values were dropped."


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.usefixtures("requires_jit")
def test_compare_says_everywhere_what_was_dropped(name, tmp_path):
    data, options, count, row = CALLS[name]
    result = quietly(fc.compare, *data, **options, nan_policy="omit")
    results = [part for part in nested(result) if hasattr(part, "n_dropped")]
    assert len(results) > 1
    assert {part.n_dropped for part in results} == {count}
    assert set(counts_in(json.loads(json.dumps(result.to_dict())))) == {count}
    told = result.summary()
    assert told.count(" dropped") >= 1
    assert said(count, row) in told or f"{count} dropped" in told
    assert told.count(said(count, row)) <= 1
    page = quietly(fc.report, result, tmp_path / "page.html").read_text()
    text = html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)))
    assert f"{count} {row}s with missing values" in text
    assert "No problems detected" not in text
    assert "number dropped 0" not in text


@pytest.mark.parametrize("name", CALLS)
def test_nothing_is_said_where_nothing_was_dropped(name):
    data, options, _, _ = CALLS[name]
    whole = [x.fillna(0.8) if isinstance(x, pd.DataFrame) else x for x in data]
    if len(whole) > 1:
        whole[1] = {key: np.nan_to_num(x, nan=1.0) for key, x in whole[1].items()}
    result = quietly(fc.compare, *whole, **options, nan_policy="omit")
    assert {part.n_dropped for part in nested(result) if hasattr(part, "n_dropped")} == {0}
    assert "dropped" not in result.summary()


ONES = {
    "compare_datasets": (TABLE, {}, 2, "data set"),
    "friedman_test": (TABLE, {}, 2, "data set"),
    "nemenyi_test": (TABLE, {}, 2, "data set"),
    "rm_anova_test": (TABLE, {}, 2, "round"),
    "ttest_corrected_pairwise_test": (TABLE, SIZES, 2, "round"),
    "ttest_corrected": (TABLE[["a", "b"]], SIZES, 2, "round"),
    "wilcoxon_test": (TABLE[["a", "b"]], {}, 2, "row"),
}


@pytest.mark.parametrize("name", ONES)
def test_single_functions_say_it_too(name):
    data, options, count, row = ONES[name]
    result = quietly(getattr(fc, name), data, **options, nan_policy="omit")
    assert {part.n_dropped for part in nested(result) if hasattr(part, "n_dropped")} == {count}
    assert result.summary().count(said(count, row)) == 1


def test_a_search_with_a_failed_round_says_it_in_its_tests():
    splits = {f"split{j}_test_score": RNG.random(3) for j in range(6)}
    splits["split2_test_score"][1] = np.nan
    params = [{"C": c} for c in (1, 2, 3)]
    scores = {"params": params, "mean_test_score": np.array([0.7, 0.6, 0.5]), **splits}
    result = quietly(fc.from_cv_results, scores, **SIZES, nan_policy="omit")
    assert {part.n_dropped for part in nested(result) if hasattr(part, "n_dropped")} == {1}
    assert "1 round with missing values was dropped." in result.summary()


def with_a_gap(values):
    """A column or a table of cases, of which one is missing; None of anything else."""
    array = np.asarray(values)
    if array.ndim == 0 or array.shape[0] != CASES or array.dtype.kind not in "fiub":
        return None
    gaps = array.astype(float)
    gaps[3] = np.nan
    return gaps


OMITTING = [
    name for name in EVERY if "nan_policy" in inspect.signature(getattr(fc, name)).parameters
]


@pytest.mark.parametrize("name", OMITTING)
def test_every_sentence_says_what_its_result_says_was_dropped(name):
    """For all functions, whichever of their columns or tables has the gap."""
    for key, values in EVERY[name].items():
        if (gaps := with_a_gap(values)) is None:
            continue
        call = options_of(name) | EVERY[name] | {key: gaps, "nan_policy": "omit"}
        try:
            result = quietly(getattr(fc, name), **call)
        except fc.FastCompareError:  # no gaps in such a column
            continue
        if np.sum(getattr(result, "n_dropped", 0)):
            told = result.summary()
            assert re.search(r"\d+ (\w+ )+with missing values w\w+ dropped|\d+ dropped", told), key
