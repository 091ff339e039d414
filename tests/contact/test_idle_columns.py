"""Columns that say nothing, and the order of rows and columns, change no answer and no question."""

import numpy as np
import pandas as pd
import pytest

from . import pairs
from .doors import by_python
from .exports import STRANGERS
from .files import FILES

pytestmark = pytest.mark.filterwarnings("ignore")


def with_first(frame, name, values):
    """Return the frame with another first column."""
    return pd.concat([pd.DataFrame({name: values}), frame], axis=1)


def hours(frame):
    """Return a date for each row."""
    dates = pd.date_range("2024-03-01", periods=len(frame), freq="7h")
    return dates.strftime("%Y-%m-%d %H:%M")


IDLE = {
    "rows in another order": lambda d: d.sample(frac=1, random_state=1).reset_index(drop=True),
    "columns in another order": lambda d: d[list(d.columns)[::-1]],
    "an index without a name": lambda d: with_first(d, "Unnamed: 0", range(len(d))),
    "one site": lambda d: d.assign(site="Ulm"),
    "one batch": lambda d: d.assign(batch=1),
    "dates": lambda d: d.assign(exported_at=hours(d)),
    "remarks": lambda d: d.assign(remark=[f"see file {7 * i}, page {i}" for i in range(len(d))]),
    "an empty column": lambda d: d.assign(comment=np.nan),
    "unique names": lambda d: with_first(d, "uuid", [f"{i * 7919:08x}-e" for i in range(len(d))]),
}
EXCEPT = {  # files, and what changes them: rows that must be sorted, two names, names that tell
    "bins with counts": {"rows in another order"},
    "hexadecimal ids": {"unique names"},
    "no header": {*IDLE} - {"rows in another order", "columns in another order"},
}
NAMES_TELL = {
    "doubtful_labels": {"remarks", "dates", "unique names"}
}  # that rows are items, by shape


def tables():
    """Yield the name, the table and three changes of each file of the corpus that is one table."""
    each = enumerate(all_tables())
    yield from ((name, table, sorted(changes)[i % 3 :: 3]) for i, (name, table, changes) in each)


def all_tables():
    """Yield the name, the table and all changes of each file of the corpus that is one table."""
    for name, file in FILES.items():
        if file.shape not in pairs.SHAPES:
            table, _ = file.drawn()
            yield name, table["table"], {*IDLE} - NAMES_TELL.get(file.shape, set())
    for name, file in STRANGERS.items():
        if len(file.tables) == 1:
            (table,) = file.tables.values()
            yield name, table, {*IDLE} - EXCEPT.get(name, set())


def summary(found):
    """Return what was compared, and the p-value to nine digits; None for a question."""
    if found is None:
        return None
    pvalue = (found["result"] or {}).get("pvalue")
    pvalue = round(pvalue, 9) if isinstance(pvalue, float) else None
    return found["kind"], found["design"], sorted(map(str, found["names"] or [])), pvalue


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "changes"), [pytest.param(*rest, id=name) for name, *rest in tables()]
)
def test_what_says_nothing_changes_nothing(table, changes):
    frame = pd.DataFrame(table)
    found, said = by_python(frame)
    for change in changes:
        changed, said_then = by_python(IDLE[change](frame.copy()))
        assert summary(changed) == summary(found), (change, said or said_then)


@pytest.mark.parametrize(
    ("setting", "names"),
    [
        ({"batch": 1}, ["forest", "svm"]),
        ({"seed": 42}, ["forest", "svm"]),
        ({"run": 3}, ["forest", "svm"]),
        ({"lastpage": 0.5}, ["forest", "lastpage", "svm"]),  # may be a model that never varies
        ({"oracle": 1}, ["forest", "oracle", "svm"]),
    ],
)
def test_a_setting_that_never_varies_is_no_model_of_data_sets(setting, names):
    rng = np.random.default_rng(8)
    scores = {name: rng.uniform(0.6, 0.9, 12).round(3) for name in ("forest", "svm")}
    frame = pd.DataFrame({"dataset": [f"d{i}" for i in range(12)], **scores}).assign(**setting)
    found, said = by_python(frame)
    assert found is not None, said
    assert sorted(found["names"]) == names
    by_name, said = by_python(frame, models=["forest", "svm", *setting])
    assert len(by_name["names"]) == 3, said


def test_combinations_are_counted_beside_a_date():
    counts = {"test_a": ["+", "+", "-", "-"], "test_b": ["+", "-", "+", "-"], "n": [40, 9, 21, 30]}
    found, said = by_python(pd.DataFrame(counts).assign(site="Ulm", exported=hours(range(4))))
    plain, _ = by_python(pd.DataFrame(counts))
    assert summary(found) == summary(plain), said


@pytest.mark.parametrize(
    "names",
    [("device1", "device2", "device3"), ("zero_shot", "few_shot", "cot"), ("image", "a", "b")],
)
def test_a_model_of_one_answer_is_no_setting_beside_others_of_0_and_1(names):
    rng = np.random.default_rng(32)
    truth = rng.integers(0, 2, 80)
    labels = [np.where(rng.random(80) < share, truth, 1 - truth) for share in (0.8, 0.7)]
    frame = pd.DataFrame({"label": truth, **dict(zip(names, [1, *labels], strict=True))})
    found, said = by_python(frame, kind="labels", label="label")
    assert found is not None, said
    assert sorted(found["names"]) == sorted(names)


def test_equal_counts_count_cases():
    truth, a, b = [0] * 4 + [1] * 4, [0, 0, 1, 1] * 2, [0, 1] * 4
    found, said = by_python({"truth": truth, "a": a, "b": b, "n": [5] * 8})
    assert found is not None, said
    assert "Rows: 40 cases; 'n' counts those of each row." in found["decisions"]
    groups = {"arm": ["treated", "control"], "events": [80, 70], "patients": [100, 100]}
    assert "two_proportions_unpaired_test" in by_python(groups)[1]
