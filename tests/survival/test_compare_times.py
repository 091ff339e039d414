"""compare, recommend and the command line know times to an event."""

import numpy as np
import pandas as pd
import pytest

import fastcompare as fc
from tests.shared.commandline import as_json, ok, run
from tests.survival.test_horizons import drawn

TIME, EVENT, A, B, *_ = drawn(160, censored=0.8)
SCORES = {"new": A, "old": B, "none": A[::-1].copy()}
TWO = {name: SCORES[name] for name in ("new", "old")}
FRAME = pd.DataFrame({"months": TIME, "dead": EVENT == 1})
STRUCTURED = np.array(list(zip(EVENT == 1, TIME, strict=True)), dtype=[("e", "?"), ("t", "<f8")])


def early_tau():
    """The first time at which less than a quarter of the cases would be uncensored."""
    censored = np.sort(TIME[EVENT == 0])
    at_risk = np.array([np.sum((t < TIME) | ((t == TIME) & (EVENT == 0))) for t in censored])
    chance = np.array([np.prod(1 - 1 / at_risk[censored < t]) for t in np.sort(TIME)])
    return np.sort(TIME)[chance < 0.25][0]


TAU = early_tau()


def reported(found, **options):
    """Whether a comparison reports the test of two concordances with these options."""
    want = fc.concordance_test(TIME, EVENT, TWO, **options)
    assert found.kind == "times"
    assert (found.result.pvalue, found.result.estimate) == (want.pvalue, want.estimate)
    assert found.quantity == "concordance"


@pytest.mark.parametrize(
    "data",
    [FRAME, STRUCTURED, {"time": TIME, "event": EVENT}, FRAME[["dead", "months"]]],
    ids=["frame", "structured", "mapping", "turned round"],
)
def test_two_columns_of_any_kind_are_times(data):
    reported(fc.compare(data, TWO), method="uno", tau=TAU)
    assert fc.recommend(data, TWO).kind == "times"


def test_a_kind_that_is_said_takes_scores_apart_in_compare():
    found = fc.compare(STRUCTURED, A, B, kind="times")
    assert [model.name for model in found.models] in (["a", "b"], ["b", "a"])
    assert "as specified" in found.decisions[0]


def test_unos_c_is_chosen_by_how_many_are_censored_early_and_harrells_otherwise():
    few = np.where(np.arange(TIME.size) < 12, 0, 1)
    found = fc.compare({"time": TIME, "event": few}, TWO)
    assert found.design == "uncensored"
    assert "8% of the cases are censored before the last event: Harrell's C." in found.reasons
    want = fc.concordance_test(TIME, few, TWO)
    assert found.result.pvalue == want.pvalue
    found = fc.compare(FRAME, TWO)
    assert found.design == "censored"
    assert "Uno's C, because what Harrell's C estimates depends on censoring." in found.reasons[0]


def test_a_named_test_says_why_it_is_unos_and_harrells_is_that_of_the_function(tmp_path):
    named = fc.compare(FRAME, TWO, test="concordance_test")
    assert "Uno's C, because what Harrell's C estimates depends on censoring." in named.reasons[0]
    told = "Called alone, the test takes Harrell's C: {} compares it here, too."
    assert named.reasons[1] == told.format("method='harrell'")
    found = fc.compare(FRAME, TWO, test="concordance_test", method="harrell")
    assert found.reasons[0] == "Harrell's C (as specified)."
    want = fc.concordance_test(TIME, EVENT, TWO)
    assert (found.result.pvalue, found.result.estimate) == (want.pvalue, want.estimate)
    path = table_file(tmp_path / "times.csv", time=TIME, event=EVENT, **TWO)
    columns = ("--time", "time", "--event", "event")
    printed = ok("compare", path, *columns, "--test", "concordance_test")
    assert told.format("--method harrell") in " ".join(printed.split())
    shown = ok("compare", path, *columns, "--test", "concordance_test", "--method", "harrell")
    assert want.summary() in " ".join(shown.split())


def test_tau_is_where_less_than_a_quarter_would_be_uncensored():
    found = fc.compare(FRAME, TWO)
    assert (found.design, found.result.tau) == ("censored", TAU)
    early = np.mean((EVENT == 0) & (TAU > TIME))
    assert f"{early:.0%} of the cases are censored before tau = {TAU:g}" in found.reasons[0]
    uncensored = fc.compare({"time": TIME, "event": np.ones(TIME.size, int)}, TWO, kind="times")
    assert (uncensored.design, uncensored.result.tau) == ("uncensored", None)


def test_several_models_have_an_omnibus_test_and_pairs():
    found = fc.compare(FRAME, SCORES)
    options = {"method": "uno", "tau": TAU}
    omnibus = fc.concordance_omnibus_test(TIME, EVENT, SCORES, **options)
    pairs = fc.concordance_pairwise_test(TIME, EVENT, SCORES, **options)
    assert found.omnibus.pvalue == omnibus.pvalue
    assert found.result.adjusted_pvalue.tolist() == pairs.adjusted_pvalue.tolist()
    assert found.models[0].value == max(pairs.concordance)


def test_clusters_and_weights_are_designs():
    groups = np.arange(TIME.size) // 4
    found = fc.compare(FRAME, TWO, groups=groups)
    assert found.design == "clusters"
    reported(found, method="uno", tau=TAU, groups=groups)
    weight = 1.0 + np.arange(TIME.size) % 3
    found = fc.compare(FRAME, TWO, sample_weight=weight)
    assert found.design == "weights"


def test_missing_rows_are_left_out_if_asked_in_compare():
    time = TIME.copy()
    time[5] = np.nan
    with pytest.warns(fc.DroppedCasesWarning):
        found = fc.compare({"time": time, "event": EVENT}, TWO, nan_policy="omit")
    assert found.result.n_dropped == 1
    with pytest.raises(fc.InvalidValueError, match="missing value"):
        fc.compare({"time": time, "event": EVENT}, TWO)


REFUSED = {
    "`data` must hold times and events": (TIME, TWO, {"kind": "times"}),
    "no column is left that could be": (FRAME, None, {"kind": "times"}),
    "Competing risks are not implemented": ({"time": TIME, "event": EVENT * 2}, TWO, {}),
    "`n_train` has no meaning": (FRAME, TWO, {"n_train": 5}),
}


def test_compare_takes_low_scores_for_early_events_if_asked():
    opposite = {name: -np.asarray(values) for name, values in TWO.items()}
    found = fc.compare(FRAME, opposite, higher_is_better=False)
    same = fc.compare(FRAME, TWO)
    assert found.result.pvalue == same.result.pvalue
    assert found.values == same.values


@pytest.mark.parametrize("message", REFUSED)
def test_what_is_refused_is_named_in_compare(message):
    data, a, options = REFUSED[message]
    with pytest.raises(fc.FastCompareError, match=message):
        fc.compare(data, a, **options)


@pytest.mark.slow
def test_a_comparison_of_times_has_a_page_in_compare(tmp_path):
    found = fc.compare(FRAME, SCORES)
    found.report(tmp_path / "page.html")
    assert "concordance" in (tmp_path / "page.html").read_text("utf-8")
    assert found.plot() is not None


def table_file(path, **columns):
    """A CSV file with an id, times, events and two models."""
    known = {"id": [f"c{i}" for i in range(TIME.size)], "months": TIME, "dead": EVENT, **TWO}
    pd.DataFrame({**known, **columns}).to_csv(path, index=False)
    return path


def test_the_command_line_takes_columns_of_times_and_events_in_compare(tmp_path):
    path = table_file(tmp_path / "a.csv")
    told = ok("compare", path, "--time", "months", "--event", "dead")
    assert "- Times: 'months'; events: 'dead'." in told
    assert "Uno's C" in told
    found = as_json("compare", path, "--time", "months", "--event", "dead")
    assert fc.compare(FRAME, TWO).result.pvalue in numbers_in(found)
    several = table_file(tmp_path / "b.csv", site=np.arange(TIME.size) // 4)
    told = ok("compare", several, "--time", "months", "--event", "dead", "--groups", "site")
    assert "'clusters'" in told


def test_the_command_line_names_what_is_missing(tmp_path):
    path = table_file(tmp_path / "a.csv")
    assert "`--event` must be one of" in failed(path, "--time", "months", "--event", "deed")
    assert "`--time` must be one of" in failed(path, "--time", "monts")
    told = ok("compare", path, "--time", "months", "--event", "dead")
    assert ok("compare", path, "--time", "months") == ok("compare", path, "--kind", "times") == told
    two = table_file(tmp_path / "b.csv", dead=EVENT * 2)
    assert "`--pos-label 2`" in failed(two, "--time", "months", "--event", "dead")


CODED = {"of R": ("2", EVENT + 1), "words": ("died", np.where(EVENT == 1, "died", "alive"))}


@pytest.mark.parametrize(("seen", "column"), CODED.values(), ids=CODED)
def test_the_command_line_takes_events_in_codes_and_words_in_compare(tmp_path, seen, column):
    path = table_file(tmp_path / "a.csv", dead=column)
    options = ("--time", "months", "--event", "dead")
    if seen == "2":
        assert "`--pos-label 1` or `--pos-label 2`" in failed(path, *options)
    else:
        assert ok("compare", path, *options) == ok("compare", path, *options, "--pos-label", seen)
    assert "`--pos-label` must be one of" in failed(path, *options, "--pos-label", "9")
    found = as_json("compare", path, *options, "--pos-label", seen)
    assert fc.compare(FRAME, TWO).result.pvalue in numbers_in(found)


def test_a_missing_event_stays_missing_beside_words_in_compare(tmp_path):
    words = np.where(EVENT == 1, "died", "alive")
    words[3] = ""
    path = table_file(tmp_path / "a.csv", dead=words)
    options = ("--time", "months", "--event", "dead", "--pos-label", "died")
    assert "missing" in failed(path, *options)
    found = as_json("compare", path, *options, "--nan-policy", "omit")
    some = {name: np.delete(values, 3) for name, values in TWO.items()}
    frame = {name: np.delete(np.asarray(FRAME[name]), 3) for name in FRAME}
    assert fc.compare(frame, some).result.pvalue in numbers_in(found)


def test_a_model_whose_concordance_is_low_is_named_in_compare():
    found = fc.compare(FRAME, {**TWO, "survival": -TWO["new"]})
    assert "The concordance of 'survival' is below 0.5" in found.checks[-1]
    assert "below 0.5" not in " ".join(fc.compare(FRAME, TWO).checks)


def numbers_in(told):
    """All numbers of nested lists and mappings."""
    parts = told.values() if isinstance(told, dict) else told if isinstance(told, list) else [told]
    return parts if parts == [told] else [x for part in parts for x in numbers_in(part)]


def failed(path, *options):
    """The last line of what a failing command says."""
    result = run("compare", path, *options)
    assert result.exit_code == 2
    return result.stderr.splitlines()[-1]


@pytest.mark.parametrize("name", ["censored", "age"])
def test_a_whole_number_of_each_case_is_no_score_of_risk_in_compare(tmp_path, name):
    values = {"censored": 1 - EVENT.astype(int), "age": 40 + np.arange(TIME.size) % 41}[name]
    models = pd.DataFrame(TWO).assign(**{name: values})
    with pytest.raises(fc.InvalidValueError, match=f"column '{name}' has whole numbers from"):
        fc.compare(FRAME, models)
    assert len(fc.compare(FRAME, models, models=[*TWO, name]).models) == 3
    path = tmp_path / "a.csv"
    models.assign(time=TIME, event=EVENT.astype(int)).to_csv(path, index=False)
    told = as_json("compare", path, "--time", "time", "--event", "event")
    assert name not in told["names"]


@pytest.mark.parametrize("event", ["dead", "event", "status"])
@pytest.mark.parametrize("time", ["t", "T", "t_event", "surv", "ftime", "lenfol", "futime", "OS"])
def test_compare_asks_whether_a_column_beside_events_is_a_time(time, event):
    """Data sets of R call it so; as scores, times would be compared with the models."""
    rng = np.random.default_rng(8)
    columns = {
        time: rng.exponential(5.0, 60).round(1),
        event: rng.integers(0, 2, 60),
        "cox": rng.normal(size=60),
        "forest": rng.normal(size=60),
    }
    with pytest.raises(fc.InvalidValueError, match="times to an event") as question:
        fc.compare(columns)
    assert question.value.ways[0] == {"time": time, "event": event}
    assert fc.compare(columns, time=time, event=event).names == ("cox", "forest")
