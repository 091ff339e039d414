"""Every call that is recommended runs as it is written, on data as they are described."""

import warnings
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import fastcompare as fc
from fastcompare.advice.kinds import KINDS

pytestmark = pytest.mark.slow

NAMES = ("the control", "b", "c")
QUESTIONS = [
    (kind, design, models, paired)
    for kind in KINDS
    for design in KINDS[kind].designs
    for models in (1, 2, 3)
    for paired in (True, False)
]


def cases(rng, n, k, design):
    """True labels, predicted labels (n, k) and scores or probabilities, an array a model."""
    y = np.arange(n) % (3 if design == "multiclass" else 2)
    wrong = rng.random((n, k)) < 0.3
    labels = (y[:, None] + wrong) % (y.max() + 1)
    if design == "multiclass":
        return y, labels, list(rng.dirichlet(np.ones(3), (k, n)))
    return y, labels, [np.clip(0.3 * y + 0.5 * rng.random(n), 0, 1) for _ in range(k)]


def rows(rng, n, k, design, paired):
    """A table of scores, a column a model."""
    if design == "batch":
        return rng.random((5, n, k))
    table = pd.DataFrame(rng.random((n, k)) + 0.1 * np.arange(k), columns=NAMES[:k])
    if design == "incomplete" and paired:
        table.iloc[0, 0] = np.nan
    if design == "balanced-incomplete" and k > 2:
        table = table.iloc[: n // k * k]
        table = table.mask(np.arange(len(table))[:, None] % k == np.arange(k))
    return table


def described(kind, design, k, paired):
    """What the calls name, for a question: small data."""
    rng = np.random.default_rng(0)
    n = 60 if kind == "battles" else 10 if design == "5x2cv" else 40
    y, labels, scores = cases(rng, n, k, design)
    table = rows(rng, n, k, design, paired)
    meets = rng.integers(0, 3, (2, 60))
    here = {
        "fastcompare": fc,
        "y_true": np.tile(y, (5, 1)) if design == "batch" else y,
        "y_pred": labels[:, 0],
        "y_score": scores[0],
        "y_prob": scores[0],
        "predictions": dict(zip(NAMES, labels.T, strict=False)),
        "probabilities": np.array(scores).T
        if design != "multiclass"
        else dict(zip(NAMES, scores, strict=False)),
        "scores": table if k > 1 else scores[0],
        "groups": np.arange(n) // 4,
        "weights": rng.integers(1, 4, n),
        "n_train": 90,
        "n_test": 10,
        "subgroup": np.arange(n) // 4 % 2,  # whole clusters
        "time": 1.0 + rng.random(n),
        "event": rng.random(n) < 0.7,
        "horizon": 1.5,
        "tau": 1.9,
        "search": SimpleNamespace(cv_results_=searched(rng, k)),
        "model_a": np.array(list("xyz"))[meets[0]],
        "model_b": np.array(list("yzx"))[meets[0]],
        "outcome": rng.integers(0, 2, 60),
        "study": readings(rng, k),
        **dict.fromkeys(("numerators_a", "numerators_b"), 1.0 + rng.integers(0, 4, n)),
        **dict.fromkeys(("denominators_a", "denominators_b"), 5.0 + rng.integers(0, 4, n)),
        "standalone": dict(enumerate(rng.normal(size=40))),
        "numerators": 1.0 + rng.integers(0, 4, (n, k)),
        "denominators": 5.0 + rng.integers(0, 4, (n, k)),
    }
    if kind in ("scores", "labels", "probabilities", "times") and design != "batch":
        rounds = scores
    elif design == "batch":
        rounds = list(np.moveaxis(table, 2, 0))
    else:
        rounds = [column.reshape(5, 2) if n == 10 else column for column in table.to_numpy().T]
    for j, column in enumerate(rounds[:2]):
        for mark in ("ab"[j], str(j + 1)):
            here |= {f"{name}_{mark}": column for name in ("scores", "y_score", "y_prob")}
            here |= {f"{name}_{mark}": column for name in ("risk", "score", "probability")}
            here |= {f"y_pred_{mark}": labels[:, j], f"y_true_{mark}": y}
            here |= {f"right_{mark}": labels[:, j] == y}
    return here


def readings(rng, k):
    """A long table of three readers, who score 40 cases under k treatments."""
    i, j, case = (place.ravel() for place in np.indices((k, 3, 40)))
    columns = {"treatment": i, "reader": j, "case": case, "truth": case % 2}
    return pd.DataFrame(columns | {"score": rng.normal(size=i.size)})


def searched(rng, k):
    """The results of a search of k candidates in five rounds."""
    rounds = {f"split{j}_test_score": rng.random(k) for j in range(5)}
    return {"params": [{"c": j} for j in range(k)], "mean_test_score": rng.random(k), **rounds}


@pytest.mark.usefixtures("requires_jit")
def test_every_call_runs_and_knows_the_clusters_or_weights_of_its_design():
    known = {"clusters": "groups=groups", "weights": "sample_weight=weights"}
    seen = set()
    for kind, design, models, paired in QUESTIONS:
        try:
            found = fc.recommend(kind=kind, design=design, n_models=models, paired=paired)
        except fc.InvalidValueError:
            continue  # no test fits: asked in test_recommend.py
        here = described(kind, design, models, paired)
        for advised in found.tests:
            assert known.get(design, "") in advised.call
            asked = (advised.call, design, models == 1)
            if "parquet" in advised.call or asked in seen:
                continue
            seen.add(asked)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                eval(advised.call, here)
    assert len(seen) > 100
