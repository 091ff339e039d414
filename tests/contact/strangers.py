"""Files that people have: exports of tools and study software, written by hand one by one."""

from typing import NamedTuple

import numpy as np

from tests.shared.deferred import fc

from .formats import FORMATS, OTHERS
from .wanted import Answer, Fault, Question

RNG = np.random.default_rng(7)
N = 80
Y = RNG.permutation((np.arange(N) % 3 == 0).astype(int))
A, B, C = (
    (1 / (1 + np.exp(-(RNG.normal(size=N) + k * (Y - 0.5))))).round(4) for k in (1, 2.2, 0.5)
)
HARD_A, HARD_B = (np.where(RNG.random(N) < p, Y, 1 - Y) for p in (0.7, 0.85))
ROWS = np.arange(N)
RATED = RNG.integers(1, 6, N)
SETS = ["adult", "breast", "bupa", "cmc", "iono", "iris", "liver", "lung", "lymph", "voting"]
RATES = (0.8 + 0.05 * RNG.normal(size=(10, 1)) + 0.02 * RNG.normal(size=(10, 3))).round(4)
MODELS = ("svm", "forest", "bayes")
BOTH = (fc.delong_test(Y, A, B).pvalue,)
RIGHT = (fc.mcnemar_test(Y, HARD_A, HARD_B).pvalue,)
ROUNDS = (fc.ttest_corrected(RATES[:, 0], RATES[:, 1], n_train=9, n_test=1).pvalue,)
ON_SETS = (fc.compare_datasets(RATES).omnibus.pvalue,)
ONE = (fc.roc_auc_interval(Y, A).estimate,)


class Stranger(NamedTuple):
    """Tables by the name of their file, what they must give, and how they are written."""

    tables: dict
    want: object
    format: str = "csv"

    def write(self, folder):
        """Write the tables to files, and return their paths."""
        suffix, writer = {**FORMATS, **OTHERS}[self.format]
        for name, table in self.tables.items():
            (folder / f"{name}{suffix}").write_bytes(writer(table))
        return [folder / f"{name}{suffix}" for name in self.tables]


def words(no, yes):
    return np.array([no, yes])[Y]


def scores(want=None, form="csv", *, names=("a", "b"), **columns):
    """Return a file of two models' scores, called so, behind other columns."""
    table = {**columns, **dict(zip(names, (A, B), strict=True))}
    return Stranger({"table": table}, want or Answer(BOTH, names), form)


def table(want, form="csv", **columns):
    return Stranger({"table": columns}, want, form)


def at_pairs(*parts):
    """Return one table of several."""
    return {name: column for part in parts for name, column in part.items()}


CASES = {
    "cross_val_predict": Stranger(
        {
            "oof": {
                "index": ROWS,
                "y_true": Y,
                "LogisticRegression_proba_0": (1 - A).round(4),
                "LogisticRegression_proba_1": A,
                "RandomForestClassifier_proba_0": (1 - B).round(4),
                "RandomForestClassifier_proba_1": B,
            }
        },
        Answer(BOTH, ("LogisticRegression", "RandomForestClassifier")),
    ),
    "R, a factor": scores(names=("glm", "ranger"), type=words("No", "Yes"), form="R"),
    "REDCap": table(
        Answer(BOTH, ("ai_score", "radiologist_score")),
        record_id=ROWS + 1,
        redcap_event_name=["baseline_arm_1"] * N,
        dx_confirmed=Y,
        ai_score=A,
        radiologist_score=(B * 10000).round().astype(int),
        demographics_complete=[2] * N,
    ),
    "SAS": scores(USUBJID=[f"ST-{j:03}" for j in ROWS], AVALC=words("N", "Y")),
    "SPSS": scores(Question("--pos-label 2", Answer(BOTH)), "german", VAR1=ROWS, Diagnose=Y + 1),
    "intensive care": table(
        Answer((fc.delong_omnibus_test(Y, {"sofa": A, "apsiii": B, "lods": C}).pvalue,)),
        subject_id=10_000 + ROWS,
        hadm_id=20_000 + 3 * ROWS,
        hospital_expire_flag=Y,
        sofa=(A * 10_000).round().astype(int),
        apsiii=(B * 10_000).round().astype(int),
        lods=(C * 10_000).round().astype(int),
    ),
    "recidivism": scores(
        names=("decile", "our_score"),
        id=ROWS,
        name=[f"name {j}" for j in ROWS],
        sex=np.where(RNG.random(N) < 0.8, "Male", "Female"),
        race=RNG.choice(["x", "y", "z"], N),
        two_year_recid=Y,
    ),
    "spam by words": table(
        Answer(RIGHT, ("nb", "bert")),
        text=[f"mail text {j}, hello" for j in ROWS],
        category=words("ham", "spam"),
        nb=np.array(["ham", "spam"])[HARD_A],
        bert=np.array(["ham", "spam"])[HARD_B],
    ),
    "records of a hub": scores(None, "json", names=("distilbert", "deberta"), id=ROWS, label=Y),
    "readers and a machine": table(
        Answer((fc.delong_omnibus_test(Y, {"1": RATED, "2": -RATED, "AI": A, "b": B}).pvalue,)),
        case=ROWS,
        cancer=Y,
        reader1=RATED,
        reader2=-RATED + 6,
        AI_v1=A,
        AI_v2=B,
    ),
    "lesions": scores(
        Answer(BOTH, ("PIRADS", "DL"), "groups PatID|groups='PatID'"),
        names=("PIRADS", "DL"),
        PatID=[f"P{j // 4}" for j in ROWS],
        lesion_no=ROWS % 4 + 1,
        malignant=words("no", "yes"),
    ),
    "German, in brackets": Stranger(
        {
            "befund": {
                "Fall-Nr.": ROWS,
                "Befund": words("unauffällig", "pathologisch"),
                "KI (alt)": A,
                "KI (neu)": B,
            }
        },
        Answer(BOTH, ("KI (alt)", "KI (neu)")),
        "german",
    ),
    "French": scores(identifiant=ROWS, malade=words("non", "oui"), names=("modèle_1", "modèle_2")),
    "Spanish": scores(caso=ROWS, resultado=words("negativo", "positivo")),
    "truth values": scores(None, "percent", target=Y.astype(bool)),
    "an empty column": scores(**{"": ROWS, "y": Y, "Unnamed: 3": [None] * N}),
    "labels beside probabilities": Stranger(
        {
            "p": at_pairs(
                {"id": ROWS, "y_true": Y},
                {"lr_pred": (A > 0.5).astype(int), "lr_prob": A},
                {"rf_pred": (B > 0.5).astype(int), "rf_prob": B},
            )
        },
        Answer(BOTH, ("lr_prob", "rf_prob"), "hard label"),
    ),
    "credit": table(
        Answer(BOTH, ("score_a", "score_b")),
        ID=ROWS,
        actual=words("No Default", "Default"),
        score_a=(A * 10_000).round().astype(int),
        score_b=(B * 10_000).round().astype(int),
        decision_a=np.where(A > 0.3, "Reject", "Accept"),
    ),
    "clicks": scores(
        Answer(BOTH, ("pctr_v1", "pctr_v2"), "not independent"),
        names=("pctr_v1", "pctr_v2"),
        impression_id=ROWS,
        user_id=RNG.integers(0, 20, N),
        clicked=Y,
        timestamp=1_700_000_000 + ROWS,
    ),
    "a centre and a sex": scores(
        center=RNG.choice(["A", "B", "C"], N), sex=RNG.integers(0, 2, N), event=Y
    ),
    "two outcomes": scores(Question("--label death", Answer(BOTH)), death=Y, stroke=HARD_B),
    "both of two classes by words": table(
        Answer(ONE), label=Y, prob_neg=(1 - A).round(4), prob_pos=A
    ),
    "mlr3": Stranger(
        {
            "mlr3": {
                "row_ids": ROWS,
                "truth": words("R", "M"),
                "response": np.where(A > 0.5, "M", "R"),
                "prob.M": A,
                "prob.R": (1 - A).round(4),
            }
        },
        Question("--pos-label M", Answer(ONE)),
    ),
    "tidymodels": Stranger(
        {
            "tidy": {
                "id": [f"Fold{j % 10 + 1:02d}" for j in ROWS],
                ".pred_Class1": A,
                ".pred_Class2": (1 - A).round(4),
                ".row": ROWS + 1,
                "Class": words("Class2", "Class1"),
                ".config": ["Preprocessor1_Model1"] * N,
            }
        },
        Question("--pos-label Class1", Answer(ONE)),
    ),
    "Weka": Stranger(
        {
            "weka": {
                "inst#": ROWS + 1,
                "actual": words("1:tested_negative", "2:tested_positive"),
                "predicted": np.where(A > 0.5, "2:tested_positive", "1:tested_negative"),
                "distribution": A,
            }
        },
        Answer(ONE),
    ),
    "out of fold, long": table(
        Answer(BOTH, ("lr", "rf"), "kind folds|kind='folds'"),
        model=["lr"] * N + ["rf"] * N,
        fold=[*(ROWS % 5), *(ROWS % 5)],
        row_ids=[*ROWS, *ROWS],
        truth=[*Y, *Y],
        prob=[*A, *B],
    ),
    "no truth": scores(Question("--kind items", Answer(())), id=ROWS),
    "one column": table(Fault("at least two models"), p=A),
    "no header": Stranger(
        {"t": {"0": Y[1:], f"{A[0]}": A[1:], f"{B[0]}": B[1:]}}, Fault("write a header")
    ),
}
T = RNG.integers(0, 3, N)
MOOD = np.array(["neg", "neu", "pos"])
PREDICTED = [MOOD[np.where(RNG.random(N) < p, T, RNG.integers(0, 3, N))] for p in (0.4, 0.8)]
SHARES = [RNG.dirichlet([1, 1, 1], N).round(4) for _ in range(3)]
for SHARE in SHARES:
    SHARE[:, 0] = (1 - SHARE[:, 1] - SHARE[:, 2]).round(4)
PRICE = RNG.lognormal(12, 0.4, N).round()
GUESSES = [(PRICE * RNG.lognormal(0, s, N)).round(1) for s in (0.2, 0.1)]
SQUARED = (fc.paired_mean_test(*((g - PRICE) ** 2 for g in GUESSES)).pvalue,)
CASES |= {
    "sentiment": table(
        Answer((fc.mcnemar_test(MOOD[T], *PREDICTED).pvalue,), ("vader", "roberta")),
        tweet_id=10**15 + ROWS,
        sentiment=MOOD[T],
        vader=PREDICTED[0],
        roberta=PREDICTED[1],
    ),
    "a model of three classes": table(
        Answer((fc.multiclass_auc(T, SHARES[0]).estimate,)),
        y=T,
        **{f"rf_{k}": SHARES[0][:, k] for k in range(3)},
    ),
    "three models of three classes": table(
        Answer((), ("cnn", "vit", "swin"), "Brier"),
        y=T,
        **{
            f"{m}_{k}": p[:, k]
            for m, p in zip(("cnn", "vit", "swin"), SHARES, strict=True)
            for k in range(3)
        },
    ),
    "prices": table(
        Answer(SQUARED), Id=ROWS, SalePrice=PRICE, pred_lasso=GUESSES[0], pred_xgb=GUESSES[1]
    ),
    "forecasts": table(
        Answer(SQUARED, ("arima", "prophet")),
        date=[f"2024-{j // 28 + 1:02}-{j % 28 + 1:02}" for j in ROWS],
        actual=PRICE,
        arima=GUESSES[0],
        prophet=GUESSES[1],
    ),
    "submissions of labels": Stranger(
        {
            "gender_submission": {"PassengerId": 892 + ROWS, "Survived": HARD_A},
            "mine": {"PassengerId": 892 + ROWS, "Survived": HARD_B},
            "truth": {"PassengerId": 892 + ROWS, "Survived": Y},
        },
        Answer(RIGHT, ("gender_submission", "mine")),
    ),
    "submissions of probabilities": Stranger(
        {
            "solution": {"id": ROWS, "target": Y, "Usage": np.array(["Public", "Private"])[HARD_A]},
            "sub_a": {"id": ROWS, "target": A},
            "sub_b": {"id": ROWS, "target": B},
        },
        Answer(BOTH, ("sub_a", "sub_b")),
    ),
    "files without ids": Stranger(
        {"m1": {"y_true": Y, "y_score": A}, "m2": {"y_true": Y, "y_score": B}},
        Answer(BOTH, ("m1", "m2")),
    ),
}
TIME = np.maximum(RNG.exponential(300, N).round(), 1)
EVENT = (ROWS % 16 > 0).astype(int)
RISKS = [RNG.normal(size=N).round(3) for _ in range(2)]
CONCORDANT = Answer((fc.concordance_test(TIME, EVENT, *RISKS).pvalue,))
CASES |= {
    "TCGA": Stranger(
        {
            "os": {
                "PatientID": [f"TCGA-{j}" for j in ROWS],
                "OS.time": TIME,
                "OS": EVENT,
                "risk_clinical": RISKS[0],
                "risk_genomic": RISKS[1],
            }
        },
        Question("--time OS.time --event OS", CONCORDANT),
    ),
    "events of 1 and 2": table(
        Question("--time time --event status --pos-label 2", CONCORDANT),
        time=TIME,
        status=EVENT + 1,
        age=RNG.integers(40, 80, N),
        sex=RNG.integers(1, 3, N),
        lp_cox=RISKS[0],
        lp_rsf=RISKS[1],
    ),
}
