"""`recommend` and `leaderboard` read tables as `compare` does, by the same options."""

import inspect
import warnings

import numpy as np
import pandas as pd
import pytest

import fastcompare as fc

RNG = np.random.default_rng(0)
N = 60
Y = np.arange(N) % 2
PATIENT = [f"p{i // 3}" for i in range(N)]
CASES = pd.DataFrame(
    {
        "case": range(N),
        "patient": PATIENT,
        "diseased": np.where(Y, "sick!", "fine?"),
        "old": RNG.normal(size=N) + Y,
        "new": RNG.normal(size=N) + Y,
    }
)
SICK = {"pos_label": "sick!"}
MODELS = {name: RNG.integers(0, 2, N) for name in ("gpt", "llama", "phi")}
WEIGHT = 1 + np.arange(N) % 3
TASK = np.where(np.arange(N) % 2, "maths", "history")
ITEMS = pd.DataFrame({"question": [f"q{i}" for i in range(N)], **MODELS})
LONG = ITEMS.melt("question", var_name="model", value_name="correct")
COLUMNS = ("label", "models", "id", "time", "event", "long", "groups", "sample_weight", "pos_label")
OPTIONS = {
    "plain": SICK,
    "clusters": SICK | {"groups": "patient"},
    "chosen": SICK | {"label": "diseased", "models": ["old", "new"], "id": "case"},
    "one model": SICK | {"models": ["old"]},
}


@pytest.mark.parametrize("function", [fc.compare, fc.recommend])
def test_options_of_columns_are_those_of_compare(function):
    assert {*COLUMNS} <= {*inspect.signature(function).parameters}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_recommend_reads_a_table_as_compare_does(options):
    found, advice = fc.compare(CASES, **options), fc.recommend(CASES, **options)
    assert (advice.kind, advice.n_models) == (found.kind, len(found.names))
    assert advice.design == "clusters"  # of the patients, of which `compare` warns
    assert any("'patient'" in check for check in found.checks) is (found.design == "independent")
    assert set(found.decisions[:-1]) <= set(advice.decisions)
    assert advice.tests[0].test in found.tests or len(found.names) == 1


def test_what_recommend_is_asked_of_columns_needs_a_table():
    with pytest.raises(fc.InvalidValueError, match=r"pos_label='sick!'"):
        fc.recommend(CASES)
    with pytest.raises(fc.InvalidValueError, match="`label` requires `data`"):
        fc.recommend(kind="scores", label="y")
    with pytest.raises(fc.InvalidValueError, match="`label` names a column of a table"):
        fc.recommend(Y, CASES["old"], CASES["new"], label="y")


def same(found, want):
    """Whether two leaderboards say the same."""
    assert found.names == want.names
    assert found.means.tolist() == pytest.approx(want.means.tolist())
    assert found.rank_low.tolist() == want.rank_low.tolist()


def test_leaderboards_of_frames_leave_out_what_is_no_model():
    want = fc.leaderboard(MODELS)
    same(fc.leaderboard(ITEMS), want)
    same(fc.leaderboard(ITEMS.set_index("question")), want)
    same(fc.leaderboard(ITEMS.assign(id=range(N))), want)
    same(fc.leaderboard(LONG), want)
    same(fc.leaderboard(LONG, long=("model", "question", "correct")), want)
    same(fc.leaderboard(ITEMS.to_dict("list"), models=list(MODELS)), want)
    two = fc.leaderboard({name: MODELS[name] for name in ("phi", "gpt")})
    same(fc.leaderboard(ITEMS, models=["phi", "gpt"]), two)


def test_columns_of_tasks_clusters_and_weights_are_named():
    frame = ITEMS.assign(site=PATIENT, w=WEIGHT, task=TASK)
    linked = {"groups": PATIENT, "sample_weight": WEIGHT, "task": TASK}
    named = {"groups": "site", "sample_weight": "w", "task": "task"}
    for name, column in named.items():
        only = frame[["question", *MODELS, column]]
        with warnings.catch_warnings(action="ignore", category=fc.DesignWarning):
            same(
                fc.leaderboard(only, **{name: column}),
                fc.leaderboard(MODELS, **{name: linked[name]}),
            )
    for name in named:
        with pytest.raises(fc.InvalidValueError, match=f"`{name}=?` must be one of"):
            fc.leaderboard(frame, **{name: "nobody"})


def test_repeated_units_of_a_frame_are_a_warning():
    with pytest.warns(fc.DesignWarning, match="groups='patient'"):
        fc.leaderboard(ITEMS.assign(patient=PATIENT))
    with warnings.catch_warnings(action="error"):
        fc.leaderboard(ITEMS.assign(patient=PATIENT), groups="patient")


def test_leaderboards_refuse_what_has_no_scores_and_names_without_a_table():
    battles = {"model_a": ["x", "y"] * 9, "model_b": ["y", "x"] * 9, "winner": ["model_a"] * 18}
    with pytest.raises(fc.InvalidValueError, match="bradley_terry"):
        fc.leaderboard(pd.DataFrame(battles))
    with pytest.raises(fc.InvalidValueError, match="which `scores` must be then"):
        fc.leaderboard(ITEMS[list(MODELS)].to_numpy(), models=["gpt"])
