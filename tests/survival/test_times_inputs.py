"""Times, events and scores as people have them, and what cannot mean anything, by name."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest

import fastcompare as fc
from fastcompare._inputs.times import as_moment, as_times

TIME, EVENT = [5.0, 1.0, 2.0, 4.0], [1, 1, 0, 1]
RISK = [0.1, 0.9, 0.4, 0.3]
SURV = np.array(
    list(zip(np.array(EVENT, bool), TIME, strict=True)), dtype=[("status", "?"), ("days", "f8")]
)
FRAME = pd.DataFrame({"T": TIME, "E": EVENT})


@pytest.fixture(scope="module")
def wanted():
    return fc.concordance(TIME, EVENT, RISK)


@pytest.mark.parametrize(
    ("time", "event"),
    [
        (SURV, None),
        (FRAME, None),
        (pl.DataFrame({"E": EVENT, "T": TIME}), None),
        ({"days": TIME, "dead": EVENT}, None),
        (FRAME["T"], FRAME["E"]),
        (FRAME[["T"]], FRAME["E"]),
        (np.array(TIME, np.float32), np.array(EVENT, bool)),
        (np.array(TIME, np.int16)[:, None], np.array(EVENT, float)),
        (pl.Series(TIME), pl.Series(EVENT)),
        (pd.array([5, 1, 2, 4], dtype="Int64"), pd.array([True, True, False, True], "boolean")),
    ],
)
def test_times_and_events_come_in_many_shapes_in_concordance(time, event, wanted):
    assert fc.concordance(time, event, RISK) == wanted


def test_scores_come_alone_in_tables_and_as_times_in_concordance(wanted):
    named = {"risk": RISK, "other": RISK[::-1]}
    assert fc.concordance(TIME, EVENT, np.array(RISK)[:, None]).tolist() == [wanted]
    for table in (named, pd.DataFrame(named), pl.DataFrame(named)):
        assert fc.concordance(TIME, EVENT, table)[0] == wanted
    survival = [-x for x in RISK]
    assert fc.concordance(TIME, EVENT, survival, predicts="time") == wanted


def test_missing_values_are_refused_or_left_out_in_concordance(wanted):
    time, event = [*TIME, np.nan, 3.0, 3.0], [*EVENT, 1, np.nan, 1]
    risk = [*RISK, 0.5, 0.5, np.nan]
    with pytest.raises(fc.InvalidValueError, match=r"`time` has 1 missing value\b"):
        fc.concordance(time, event, risk)
    with pytest.warns(fc.DroppedCasesWarning, match="3 of 7 cases dropped"):
        assert fc.concordance(time, event, risk, nan_policy="omit") == wanted
    with pytest.raises(fc.InvalidValueError, match="0 samples are left"):
        fc.concordance([np.nan, np.nan], [1, 0], [1, 2], nan_policy="omit")


def test_cases_of_weight_0_do_not_count():
    cases = as_times(TIME, EVENT, sample_weight=[1, 0, 1, 1], table={"a": RISK})
    assert cases.time.tolist() == [5.0, 2.0, 4.0]
    assert cases.n_events == 2
    with pytest.raises(fc.InvalidValueError, match="`sample_weight` must be above 0"):
        as_times(TIME, EVENT, sample_weight=[0, 0, 0, 0], table={"a": RISK})


DATES = np.array(["2020-01-01"] * 4, "M8[D]")
BAD = [
    ([5, -1, 2, 4], EVENT, "`time` must contain finite numbers .* -1 at index 1"),
    ([5, np.inf, 2, 4], EVENT, "`time` must contain finite numbers .* inf at index 1"),
    (DATES, EVENT, "got dates: subtract the start"),
    (pd.Series(pd.to_datetime(DATES)), EVENT, "got dates: subtract the start"),
    ([datetime.date(2020, 1, 1)] * 4, EVENT, "got dates: subtract the start"),
    (DATES - DATES, EVENT, "time differences: divide them by their unit"),
    ([datetime.timedelta(1)] * 4, EVENT, "time differences: divide them by their unit"),
    (["a", "b", "c", "d"], EVENT, "`time` must contain real numbers"),
    (np.array(EVENT, bool), TIME, "were `time` and `event` swapped"),
    (EVENT, TIME, "Were `time` and `event` swapped"),
    (EVENT, [-5, 1, 2, 4], "Were `time` and `event` swapped"),
    (np.ones((4, 2)), EVENT, "Interval censoring and left truncation .* not implemented"),
    (pd.DataFrame(np.ones((4, 3))), None, "two columns, of times and of events, got 3"),
    (pd.DataFrame({"x": EVENT, "y": EVENT}), None, "do not show which one says"),
    (SURV, EVENT, "`event` must be left out"),
    (TIME, None, "`event` must be specified"),
    (TIME, [0, 1, 2, 1], "Competing risks are not implemented"),
    (TIME, [1, 2, 2, 1], "pass event == 2"),
    (TIME, [-1, 1, 1, -1], "pass event == 1"),
    (TIME, [0, 1, 0.5, 1], "an event that was seen"),
    (TIME, ["yes", "no", "no", "yes"], "`event` must be bool or 0 and 1"),
    (TIME, [1, 0, 1], "`event` must have one value for each of the 4 times"),
    ([], [], "`time` must contain at least one case"),
    ([2**60, 1, 2, 3], EVENT, "integers beyond 2"),
]


@pytest.mark.parametrize(("time", "event", "said"), BAD)
def test_what_cannot_mean_times_or_events_is_refused_by_name_in_concordance(time, event, said):
    with pytest.raises(fc.FastCompareError, match=said):
        fc.concordance(time, event, RISK)


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ([1, 2, 3], "`scores` must have one value for each of the 4 times"),
        (np.ones((3, 2)), "`scores` must have 4 rows like `time`"),
        (np.ones((4, 2, 2)), "`scores` must have shape"),
        ([len, len, len, len], "got functions. A survival curve has no single order"),
        ({"a": np.ones((4, 9))}, r"A survival curve has no single order"),
        (["a", "b", "c", "d"], "must contain real numbers"),
    ],
)
def test_scores_that_are_none_are_refused_by_name_in_concordance(scores, said):
    with pytest.raises(fc.FastCompareError, match=said):
        fc.concordance(TIME, EVENT, scores)


def test_two_models_are_two_columns():
    both = as_times(TIME, EVENT, risk_a=RISK, risk_b=RISK[::-1])
    assert both.pair == ("a", "b")
    assert as_times(TIME, EVENT, risk_a={"x": RISK, "y": RISK}, risk_b=None).pair == ("x", "y")
    with pytest.raises(fc.InvalidValueError, match=r"`risk_a` must be 1-d.*survival curve"):
        as_times(TIME, EVENT, risk_a=np.ones((4, 9)), risk_b=RISK)
    with pytest.raises(fc.InvalidValueError, match="different indexes"):
        as_times(pd.Series(TIME), pd.Series(EVENT, index=[3, 2, 1, 0]), risk_a=RISK, risk_b=RISK)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0, "must be above 0 and finite"),
        (-1.0, "must be above 0 and finite"),
        (np.inf, "must be above 0 and finite"),
        (np.nan, "must be above 0 and finite"),
        ("365", "must be a number"),
        (True, "must be a number"),
        (np.timedelta64(3, "D"), "in the unit of `time`"),
        ([1, 2], "must be a number"),
    ],
)
def test_a_point_in_time_is_a_number_above_0_in_concordance(value, said):
    with pytest.raises(fc.FastCompareError, match=f"`horizon` {said}|`horizon` .*{said}"):
        as_moment("horizon", value)
    with pytest.raises(fc.FastCompareError, match="`tau` must be"):
        fc.concordance(TIME, EVENT, RISK, tau=value)


@pytest.mark.parametrize("option", ["predicts", "method", "nan_policy"])
def test_words_are_checked_in_concordance(option):
    with pytest.raises(fc.InvalidValueError, match=f"`{option}` must be one of"):
        fc.concordance(TIME, EVENT, RISK, **{option: "death"})
