"""Columns beside the models: times to an event, measurements, amounts, sets, matched cases.

Each table has a pattern of the lines that say how its columns were read, or of the question.
"""

import re

import numpy as np
import pandas as pd
import pytest

from .doors import by_command, by_python, ways_of_command, ways_of_python

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(23)
N = 80
Y = RNG.integers(0, 2, N)
OTHER = RNG.integers(0, 2, N)
IDS = np.arange(N) + 2001
MONTHS = RNG.exponential(20, N).round(1) + 0.1
EARLIER = (MONTHS * RNG.random(N)).round(1)
DAYS = RNG.integers(1, 900, N)
AGE = RNG.integers(40, 90, N)
TWO = {"a": RNG.random(N).round(3), "b": RNG.random(N).round(3)}


def endpoint(time, event):
    """Return a pattern of the way to answer that a time and an event are of survival."""
    return f"times to .*`time='{re.escape(time)}', event='{event}'`.*`label='{event}'`"


def check(table, says):
    """Check the lines on a table's columns, or its question, whose ways must all answer."""
    found, said = by_python(table)
    reasons = said if found is None else " ".join(map(str, found["decisions"]))
    reasons += "" if found is None else str(found["checks"])
    assert re.search(says, reasons), reasons
    for way in ways_of_python(said):
        assert by_python(table, **way)[0] is not None, (way, by_python(table, **way)[1])


TIMES = {
    "German": ({"OS (Monate)": MONTHS, "Verstorben": Y, **TWO}, ("OS (Monate)", "Verstorben")),
    "one word": ({"Überlebenszeit": MONTHS, "Tod": Y, **TWO}, ("Überlebenszeit", "Tod")),
    "French": ({"Délai (mois)": MONTHS, "Décès": Y, **TWO}, ("Délai (mois)", "Décès")),
    "Spanish": ({"seguimiento_dias": DAYS, "muerte": Y, **TWO}, ("seguimiento_dias", "muerte")),
    "an unknown word": ({"OS_months": MONTHS, "Zmarl": Y, **TWO}, ("OS_months", "Zmarl")),
    "sex and an unknown word": (
        {"OS_months": MONTHS, "sex": OTHER, "Zmarl": Y, **TWO},
        ("OS_months", "Zmarl"),
    ),
    "an age in years": (
        {"age_years": AGE, "OS_months": MONTHS, "died": Y, **TWO},
        ("OS_months", "died"),
    ),
    "two endpoints": (
        {"OS_m": MONTHS, "OS_event": Y, "DFS_m": EARLIER, "DFS_event": OTHER, **TWO},
        ("DFS_m", "DFS_event"),
    ),
    "events called as endpoints": (
        {"OS": Y, "OS.time": DAYS, "PFS": OTHER, "PFS.time": EARLIER, **TWO},
        ("PFS.time", "PFS"),
    ),
    "one follow-up": (
        {"follow_up_days": DAYS, "death": Y, "relapse": OTHER, **TWO},
        ("follow_up_days", "relapse"),
    ),
}


@pytest.mark.parametrize("name", TIMES)
def test_a_time_to_an_event_is_asked_about_whatever_the_event_is_called(name):
    table, (time, event) = TIMES[name]
    check(table, endpoint(time, event))


NO_TIMES_TO_EVENTS = {
    "true labels": ({"follow_up_days": DAYS, "y": Y, **TWO}, "True labels: 'y'"),
    "a system": ({"os_version": MONTHS, "is_fraud": Y, **TWO}, "True labels: 'is_fraud'"),
    "a measurement at follow-up": ({"follow_up_psa": MONTHS, "recid": Y, **TWO}, "labels: 'recid'"),
    "an age": ({"Age (years)": AGE, "Died": Y, **TWO}, "Not used: 'Age .years.' .another meas"),
    "a German age": ({"Alter (Jahre)": AGE, "Verstorben": Y, **TWO}, "labels: 'Verstorben'"),
    "a stay": ({"LOS (days)": MONTHS, "died": Y, **TWO}, "True labels: 'died'"),
    "times of readers": (
        {"cancer": Y, "reader1": OTHER, "reader1_time": MONTHS, "reader2": Y[::-1]},
        "Models: 'reader1' and 'reader2'",
    ),
    "predicted churn": (
        {"Day Mins": MONTHS, "Churn": Y, "Prediction (Churn)": OTHER, **TWO},
        "True labels: 'Churn'",
    ),
    "days ill": ({"Tage": DAYS, "krank": Y, **TWO}, "Not used: 'Tage' .a time"),
}


@pytest.mark.parametrize("name", NO_TIMES_TO_EVENTS)
def test_other_times_beside_labels_are_not_asked_about(name):
    check(*NO_TIMES_TO_EVENTS[name])


def share(x):
    """Return numbers as probabilities."""
    return (1 / (1 + np.exp(-x))).round(4)


MANY = 200
LATENT = RNG.normal(size=MANY)
ILL = (LATENT > 0.4).astype(int)
GUESSES = {
    "lr": share(1.5 * LATENT + RNG.normal(size=MANY)),
    "rf": share(LATENT + RNG.normal(size=MANY)),
}
HBA1C = (6 + 1.2 * LATENT).round(2)
DIABETES = (HBA1C >= 6.5).astype(int)
NEVER_WRONG = share(6 * (2 * ILL - 1) + RNG.normal(size=MANY))
PERCENT = {f"model_{name}": 100 * x for name, x in GUESSES.items()}
SOURCES = {
    "a ratio among probabilities": (
        {"FEV1_FVC": 1 - HBA1C / 10, "COPD": DIABETES, **GUESSES},
        "'COPD' follows from a threshold of 'FEV1_FVC'",
    ),
    "percent among percent": (
        {"FEV1_pct": 130 - 10 * HBA1C, "disease": DIABETES, **PERCENT},
        "'disease' follows from a threshold of 'FEV1_pct'",
    ),
    "beside one model": (
        {"HbA1c": HBA1C / 10, "diabetes": DIABETES, "risk": GUESSES["lr"]},
        "'diabetes' follows from a threshold of 'HbA1c'",
    ),
    "beside another attribute": (
        {"HbA1c": HBA1C, "diabetes": DIABETES, "female": ILL[::-1], **GUESSES},
        "'diabetes' and 'female' may be",
    ),
    "a model that is never wrong": (
        {"y": ILL, **GUESSES, "net": NEVER_WRONG},
        "Models: 'lr', 'rf' and 'net'",
    ),
    "a good model among good ones": (
        {"y": ILL, "a": LATENT, "b": (LATENT + RNG.normal(size=MANY) / 20).round(3)},
        "Models: 'a' and 'b'",
    ),
    "labels that a model gave": (
        {"y": (GUESSES["lr"] > 0.5).astype(int), "model_1": GUESSES["lr"], "svm": GUESSES["rf"]},
        "Models: 'model_1' and 'svm'",
    ),
    "a hard label": (
        {"y": ILL, "net_hard": (GUESSES["lr"] > 0.5).astype(int), **GUESSES},
        "True labels: 'y'.*Models: 'lr' and 'rf'",
    ),
}


@pytest.mark.parametrize("name", SOURCES)
def test_a_measurement_from_which_labels_were_made_is_asked_about(name):
    check(*SOURCES[name])


GRADE = RNG.integers(1, 7, N)
SETS = RNG.integers(1, 4, N)


def graded(right):
    """Return grades of which so many are those of the teacher."""
    return np.where(RNG.random(N) < right, GRADE, RNG.integers(1, 7, N))


SCORERS = {"human_score": GRADE, "eRater": graded(0.6), "BERT_scorer": graded(0.7)}
HUMAN = "'human_score' may be; or .* `label='human_score'` or `kind='items', models="
FIRST = {"1": graded(0.8), "2": graded(0.7)}
GRADES = {
    "a constant set of essays": ({"essay_id": IDS, "essay_set": 0 * Y + 1, **SCORERS}, HUMAN),
    "three sets of essays": ({"essay_id": IDS, "essay_set": SETS, **SCORERS}, HUMAN),
    "two teachers": (
        {"human1": GRADE, "human2": FIRST["1"], "gpt": FIRST["2"]},
        "'human1' and 'human2' may be; or",
    ),
    "a set beside labels": (
        {"label": GRADE, "prompt": SETS, "gpt": FIRST["1"], "llama": FIRST["2"]},
        "Models: 'gpt' and 'llama'.*Not used: 'prompt' .sets of cases",
    ),
    "a set beside two labels": (
        {"y": Y, "set": SETS, "cnn": Y[::-1], "svm": OTHER},
        "Models: 'cnn' and 'svm'.*Not used: 'set'",
    ),
    "prompts that are models": (
        {"label": GRADE, "prompt_a": FIRST["1"], "prompt_b": FIRST["2"]},
        "Models: 'prompt_a' and 'prompt_b'",
    ),
    "models called by a task": (
        {"label": GRADE, "task_bert": FIRST["1"], "set_transformer": FIRST["2"]},
        "Models: 'task_bert' and 'set_transformer'",
    ),
    "a model of one grade": (
        {"label": GRADE, "gpt": FIRST["1"], "m3": 0 * GRADE + 3},
        "Models: 'gpt' and 'm3'",
    ),
    "grades of models": (
        {"rating": GRADE, "bert": FIRST["1"], "roberta": FIRST["2"]},
        "'rating', 'bert' and 'roberta' may be",
    ),
}


@pytest.mark.parametrize("name", GRADES)
def test_sets_of_cases_are_no_raters_and_machines_no_truth(name):
    check(*GRADES[name])


def test_the_label_that_is_proposed_leaves_sets_of_cases_out():
    table = {"essay_id": IDS, "essay_set": 0 * Y + 1, **SCORERS}
    found, said = by_python(table, label="human_score")
    assert found is not None, said
    assert found["names"] == ["eRater", "BERT_scorer"]


FICO, SCORE = RNG.integers(500, 850, N), RNG.integers(400, 800, N)
LOANS = {"default": Y, "FICO": FICO, "SCORECARD_V2": SCORE}
HUNDREDS = RNG.integers(10, 400, N) * 100
STAY = RNG.lognormal(1, 0.8, N).round(4)
TWO_OF_LOANS = "Models: 'FICO' and 'SCORECARD_V2'.*Not used: {}"
AMOUNTS = {
    "days in intensive care": (
        {"dead": Y, "sofa": SCORE // 50, "apache_ii": FICO // 20, "los_icu": STAY},
        "Models: 'sofa' and 'apache_ii'.*Not used: 'los_icu' .an amount or a duration",
    ),
    "an amount": ({**LOANS, "LOAN_AMT": HUNDREDS}, TWO_OF_LOANS.format("'LOAN_AMT'")),
    "an income": ({**LOANS, "annual_income": 7 * FICO}, TWO_OF_LOANS.format("'annual_income'")),
    "debts": ({**LOANS, "dti": 40 * TWO["a"]}, TWO_OF_LOANS.format("'dti'")),
    "amounts by their values": (
        {**LOANS, "Kreditsumme": HUNDREDS},
        TWO_OF_LOANS.format("'Kreditsumme' .amounts, all in hundreds"),
    ),
    "probabilities": ({"y": Y, "amt_net": TWO["a"], "los_net": TWO["b"]}, "'amt_net' and 'los_n"),
    "logits": ({"y": Y, "dti_mri": STAY - 3, "flair_mri": STAY[::-1]}, "'dti_mri' and 'flair_mri'"),
    "models of stays": ({"y": Y, "model_los": STAY, "model_dx": STAY[::-1]}, "'model_los' and"),
    "two models in hundreds": ({"y": Y, "old": HUNDREDS, "new": HUNDREDS[::-1]}, "'old' and 'new'"),
    "risks in hundreds": ({"y": Y, "risk_a": HUNDREDS, "risk_b": FICO}, "'risk_a' and 'risk_b'"),
    "an unknown amount": (
        {"y": Y, "model_a": STAY, "model_b": STAY[::-1], "turnover": 20 + 70 * TWO["a"]},
        "'turnover' may be measurements",
    ),
}


@pytest.mark.parametrize("name", AMOUNTS)
def test_amounts_and_stays_are_no_scores(name):
    check(*AMOUNTS[name])


def readings(form, readers, treatments, levels=101):
    """Return a column of ratings for each reader and treatment, beside cases and their truth."""
    names = [form.format(r=r, t=t) for r in readers for t in treatments]
    ratings = {name: RNG.integers(0, levels, N) for name in names}
    return {"case": IDS, "cancer": Y, **ratings}


AIDED = readings("Reader{r}_{t}", "123", ("unaided", "aided"))
STUDY = "Reader study: 6 columns of 3 readers .* under {}"
AS_ASKED = "readings of 3 readers under .*`kind='readers'` or `kind='{}'`"
STUDIES = {
    "aided and unaided": (AIDED, STUDY.format("'unaided' and 'aided'")),
    "R1 with AI": (readings("R{r} ({t})", "123", ("without AI", "with AI")), STUDY.format("")),
    "a reading alone": (
        readings("rad{r}{t}", "123", ("", "_AI")),
        STUDY.format("'alone' and 'AI'"),
    ),
    "names": (readings("{r}_{t}", ("Wu", "Ito", "Rossi"), ("noCAD", "CAD")), STUDY.format("")),
    "modalities by number": (readings("Mod{t}_Reader{r}", "123", "12"), STUDY.format("'Mod1'")),
    "decisions": (readings("Reader{r}_{t}", "123", ("unaided", "aided"), 2), STUDY.format("")),
    "modalities": (readings("Reader{r}_{t}", "123", ("FFDM", "DBT")), AS_ASKED.format("scores")),
    "decisions by modality": (
        readings("Reader{r}_{t}", "123", ("CT", "MRI"), 2),
        AS_ASKED.format("labels"),
    ),
    "the aid, too": ({**AIDED, "AI": TWO["a"]}, AS_ASKED.format("scores")),
    "two cases of a patient": ({**AIDED, "patient_id": IDS // 2}, AS_ASKED.format("scores")),
    "models and prompts": (
        readings("{r}_{t}", ("gpt", "llama"), ("cot", "nocot")),
        "Models: 'gpt_c",
    ),
    "models with and without": (
        readings("{r}_{t}", ("gpt", "llama"), ("with_rag", "without_rag")),
        "Models: 'gpt_with_rag'",
    ),
    "models and runs": (
        {"cancer": Y, **{f"{m}_run{j}": RNG.random(N) for m in ("gpt", "llama") for j in (1, 2)}},
        "Models: 'gpt_run1'",
    ),
    "runs called r1": (readings("{t}_r{r}", "12", ("gpt", "llama")), "Models: 'gpt_r1'"),
    "models and an aid": (
        readings("{r}_{t}", ("model1", "model2"), ("AI", "noAI")),
        "Models: 'mod",
    ),
    "a reader twice": (readings("reader{r}_{t}", "12", "12"), "Models: 'reader1_1'"),
    "one reader": (readings("Reader{r}_{t}", "1", ("unaided", "aided")), "Models: 'Reader1_una"),
    "without a reading": (
        {name: AIDED[name] for name in AIDED if name != "Reader3_aided"},
        "Models: 'Reader1_unaided'",
    ),
}


@pytest.mark.parametrize("name", STUDIES)
def test_columns_of_readers_and_treatments_are_a_reader_study(name):
    check(*STUDIES[name])


def test_a_wide_reader_study_is_that_of_its_long_table(tmp_path):
    treatments = np.repeat(np.tile(["unaided", "aided"], 3), N)
    ratings = np.concatenate([AIDED[name] for name in [*AIDED][2:]])
    long = {"reader": np.repeat([*"112233"], N), "treatment": treatments, "score": ratings}
    wanted, _ = by_python({**long, "case": np.tile(IDS, 6), "truth": np.tile(Y, 6)})
    found, said = by_python(AIDED)
    assert found is not None, said
    wanted = wanted["tests"]["reader_study_test"]
    test = found["tests"]["reader_study_test"]
    assert (test["estimate"], test["pvalue"]) == (wanted["estimate"], wanted["pvalue"])
    path = tmp_path / "readers.csv"
    pd.DataFrame({**AIDED, "cancer": np.array(["A", "B"])[Y]}).to_csv(path, index=False)
    assert "is the positive class" in by_command([path])[1]
    found, said = by_command([path], "--pos-label", "B")
    assert found is not None, said
    assert found["tests"]["reader_study_test"]["pvalue"] == wanted["pvalue"]
    modalities = pd.DataFrame(readings("Reader{r}_{t}", "123", ("FFDM", "DBT")))
    modalities.to_csv(path, index=False)
    for way in ways_of_command(by_command([path])[1]):
        assert by_command([path], *way)[0] is not None


HORIZONS = {
    **{f"{score}_{time}": RNG.random(N).round(3) for score in ("qrisk", "score2") for time in "15"},
    "event_1": Y,
    "event_5": OTHER,
}
BY_YEAR = {f"{name}y": values for name, values in HORIZONS.items()}
ROWS = np.arange(N)
MARKERS = {"crp": 5 * TWO["a"], "il6": 5 * TWO["b"]}


@pytest.mark.parametrize("label", ["event_1y", "event_5y"])
def test_scores_of_another_horizon_are_no_models(label):
    check(BY_YEAR, r"`label='event_1y', models=\['qrisk_1y', 'score2_1y'\]`")
    found, said = by_python(BY_YEAR, label=label)
    assert found is not None, said
    assert found["names"] == [f"qrisk_{label[-2:]}", f"score2_{label[-2:]}"]


@pytest.mark.parametrize(
    "table",
    [
        HORIZONS,  # numbers alone may be of models
        {**TWO, "event_1y": Y, "event_5y": OTHER},
        {"qrisk_1y": TWO["a"], "qrisk_5y": TWO["b"], "event_1y": Y},
        {"qrisk_1y": TWO["a"], "clinic": TWO["b"], "event_1y": Y, "event_5y": OTHER},
    ],
)
def test_scores_are_kept_where_horizons_do_not_divide_them(table):
    label = "event_1y" if "event_1y" in table else "event_1"
    found, said = by_python(table, label=label)
    assert found is not None, said
    assert found["names"] == [name for name in table if "event" not in name]


@pytest.mark.parametrize(
    ("name", "values", "truth", "dependent"),
    [
        ("matched_set", ROWS // 5, ROWS % 5 == 0, True),
        ("Satz", ROWS // 5, ROWS % 5 == 0, True),  # by its values: one case in each
        ("stratum", RNG.integers(0, 20, N), Y, True),  # by its name
        ("stratum", RNG.integers(0, 4, N), Y, False),
        ("set", RNG.integers(0, 4, N), Y, False),
        ("sbp", RNG.integers(100, 130, N), Y, False),
        ("test_set", RNG.integers(0, 20, N), Y, False),
        ("Rang", np.tile(np.arange(5), N // 5), ROWS % 5 == 0, False),
    ],
)
def test_matched_sets_of_cases_are_dependent_rows(name, values, truth, dependent):
    found, said = by_python({name: values, "case_status": truth.astype(int), **MARKERS})
    assert found is not None, said
    assert (f"values of {name!r}" in str(found)) is dependent
    if dependent:
        assert by_python({name: values, "case_status": truth.astype(int), **MARKERS}, groups=name)[
            0
        ]
