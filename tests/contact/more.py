"""More files that people have: covariates, other encodings, hard probabilities, logs by model."""

import numpy as np

from tests.shared.deferred import fc

from .strangers import (
    BOTH,
    HARD_A,
    HARD_B,
    MODELS,
    MOOD,
    ON_SETS,
    PREDICTED,
    PRICE,
    RATES,
    RNG,
    ROWS,
    SETS,
    SHARES,
    A,
    B,
    N,
    Stranger,
    T,
    Y,
    scores,
    table,
    words,
)
from .wanted import Answer, Question

AGE = RNG.normal(61.5, 9, N).round(1)
LEVEL = RNG.lognormal(0, 0.5, N).round(2)
LOGITS = [np.log(p / (1 - p)).round(3) for p in (A, B)]
LOGIT_TEST = (fc.delong_test(Y, *LOGITS).pvalue,)
CERTAIN = np.eye(3)[T]
BY_CLASS = (fc.multiclass_auc_test(T, SHARES[0], CERTAIN).estimate,)
ITEMS = (fc.paired_mean_test(HARD_A * 1.0, HARD_B * 1.0).pvalue,)


def in_classes(**models):
    return {f"{m}_{k}": p[:, k] for m, p in models.items() for k in range(3)}


MORE = {
    "age in years": scores(None, "german", Alter=AGE, Rezidiv=words("nein", "ja")),
    "a weight and a height": scores(pid=ROWS, **{"Größe": AGE + 100, "Poids (kg)": AGE}, died=Y),
    "a level in blood": scores(
        Question("--model a --model b", Answer(BOTH, ("a", "b"))), creatinine=LEVEL, AKI=Y
    ),
    "logits and an amount": table(
        Answer(LOGIT_TEST, ("logit_v1", "logit_v2")),
        is_fraud=Y,
        logit_v1=LOGITS[0],
        logit_v2=LOGITS[1],
        amount=RNG.lognormal(4, 1, N).round(2),
    ),
    "logits and an unknown quantity": table(
        Question("--model logit_v1 --model logit_v2", Answer(LOGIT_TEST)),
        is_fraud=Y,
        logit_v1=LOGITS[0],
        logit_v2=LOGITS[1],
        turnover=RNG.lognormal(4, 1, N).round(2),
    ),
    "German, of Windows": Stranger(
        {"befund": {"Größe": AGE, "Befund": words("gutartig", "bösartig"), "alt": A, "neu": B}},
        Answer(BOTH, ("alt", "neu")),
        "windows",
    ),
    "French, of Windows": Stranger(
        {"deces": {"N° dossier": ROWS, "Décès": words("non", "oui"), "âgé": A, "“v2”": B}},
        Answer(BOTH, ("âgé", "“v2”")),
        "windows",
    ),
    "between blanks": scores(None, "columns", outcome=Y),
    "write.table": scores(None, "write.table", outcome=Y),
    "a tree and a forest": table(
        Answer(BY_CLASS, ("forest", "tree")),
        y=T,
        **in_classes(forest=SHARES[0], tree=CERTAIN),
    ),
    "labels with their confidence": table(
        Answer((fc.mcnemar_test(MOOD[T], *PREDICTED).pvalue,), ("bert_pred", "gpt_pred")),
        gold=MOOD[T],
        bert_pred=PREDICTED[0],
        bert_conf=SHARES[0].max(axis=1),
        gpt_pred=PREDICTED[1],
        gpt_conf=SHARES[1].max(axis=1),
    ),
    "a judge of two": table(
        Answer((), ("claude", "gemini"), "items"),
        "jsonl",
        prompt_id=ROWS,
        judge=np.array(["j1", "j2"])[HARD_A],
        claude=RNG.integers(1, 11, N),
        gemini=RNG.integers(1, 11, N),
    ),
    "logs that name their model": Stranger(
        {
            f"run_{j}": {"model": [m] * N, "id": [f"q{i}" for i in ROWS], "correct": right}
            for j, (m, right) in enumerate({"org/a:8b": HARD_A, "org/b:8b": HARD_B}.items())
        },
        Answer(ITEMS, ("org/a:8b", "org/b:8b")),
        "jsonl",
    ),
    "predictions that name their model": Stranger(
        {
            f"run_{j}": {"id": ROWS, "model": [m] * N, "label": Y, "prob": p}
            for j, (m, p) in enumerate({"BERT": A, "RoBERTa": B}.items())
        },
        Answer(BOTH, ("BERT", "RoBERTa")),
    ),
    "volatility": table(
        Answer((), ("garch", "har"), "squared error"),
        date=[f"2024-{j // 28 + 1:02}-{j % 28 + 1:02}" for j in ROWS],
        realized_vol=(PRICE / 1e6).round(6),
        garch=(PRICE / 1e6 * RNG.lognormal(0, 0.2, N)).round(6),
        har=(PRICE / 1e6 * RNG.lognormal(0, 0.1, N)).round(6),
    ),
    "mean and spread with commas": Stranger(
        {
            "t": {
                "Datensatz": SETS,
                **{
                    m: [f"{x:.4f} ± 0.012".replace(".", ",") for x in column]
                    for m, column in zip(MODELS, RATES.T, strict=True)
                },
            }
        },
        Answer(ON_SETS, MODELS),
        "semicolons",
    ),
    "eyes of patients": table(
        Answer(BOTH, ("cnn_v1", "cnn_v2"), "not independent"),
        "parquet",
        patient_id=ROWS // 2,
        eye=np.array(["OD", "OS"])[ROWS % 2],
        DR=Y.astype(bool),
        cnn_v1=A,
        cnn_v2=B,
    ),
    "a survey": scores(
        Answer(BOTH, ("a", "b"), "weights"), respondent=ROWS, svy_weight=LEVEL, voted=Y
    ),
    "hexadecimal ids": scores(uuid=[f"{int(j) * 7919 + 2**20:x}" for j in ROWS], ground_truth=Y),
    "a size that never varies": table(
        Answer(ON_SETS, MODELS),
        benchmark=SETS,
        params_m=[110] * len(SETS),
        **dict(zip(MODELS, RATES.T, strict=True)),
    ),
    "prices without decimals": table(
        Answer((), ("pred_xgb", "pred_lasso"), "squared error"),
        actual_price=PRICE.astype(int),
        sqft=RNG.normal(1500, 300, N).astype(int),
        pred_xgb=(PRICE * RNG.lognormal(0, 0.1, N)).astype(int),
        pred_lasso=(PRICE * RNG.lognormal(0, 0.2, N)).astype(int),
    ),
    "a submission and a team": Stranger(
        {
            "solution": {"id": ROWS, "label": Y},
            "team_a": {"id": ROWS[::-1], "prediction": A[::-1]},
            "team_b": {"id": ROWS, "prediction": B},
        },
        Answer(BOTH, ("team_a", "team_b")),
    ),
    "a reference and two meters": table(
        Answer((), ("Meter A (mg/dL)", "Meter B (mg/dL)"), "squared error"),
        "xlsx",
        **{
            "Sample": ROWS,
            "YSI reference (mg/dL)": 100 + AGE,
            "Meter A (mg/dL)": (100 + AGE + LEVEL).round(1),
            "Meter B (mg/dL)": (101 + AGE - LEVEL).round(1),
        },
    ),
}
