"""Benchmarks, rounds, items and battles as tools export them, written by hand one by one."""

import numpy as np

from tests.shared.deferred import fc

from .answers import ANSWERS
from .counts import COUNTS
from .further import FURTHER
from .more import MORE
from .no_counts import NO_COUNTS
from .strangers import CASES, MODELS, ON_SETS, RATES, RNG, ROUNDS, ROWS, SETS, N, Stranger, table
from .wanted import Answer, Fault, Question

THREE = dict(zip(MODELS, RATES.T, strict=True))
TWO = dict(zip(MODELS[:2], RATES.T, strict=False))
KFOLD = Question("--design kfold", Answer(ROUNDS))
RIGHT = RNG.integers(0, 2, (N, 2))
ITEMS = (fc.paired_mean_test(*RIGHT.T.astype(float)).pvalue,)


ON_ONE_SPLIT = (fc.ttest_resampled(RATES[:, 0], RATES[:, 1], design="independent").pvalue,)


def long(columns, rows):
    """Return rows as columns."""
    return {n: list(c) for n, c in zip(columns, zip(*rows, strict=True), strict=True)}


def cells(form):
    """Return a benchmark whose cells are written so."""
    return {"dataset": SETS} | {n: [form.format(x) for x in c] for n, c in THREE.items()}


BENCHMARKS = {
    "Demsar's table": table(Answer(ON_SETS, MODELS), **{"Data set": SETS}, **THREE),
    "mean and spread": Stranger({"t": cells("{:.4f} ± 0.01")}, Answer(ON_SETS, MODELS)),
    "mean and spread in brackets": Stranger({"t": cells("{:.4f} (.01)")}, Answer(ON_SETS, MODELS)),
    "a star": Stranger({"t": cells("{:.4f}*")}, Fault("models")),
    "names of rows alone": Stranger(
        {"t": {"": SETS, **THREE}}, Question("--kind datasets", Answer(ON_SETS, MODELS))
    ),
    "mlr": Stranger(
        {
            "t": long(
                ("task", "learner", "classif.acc", "time_train"),
                [
                    (s, m, RATES[i, j], 1.5 * i + j)
                    for i, s in enumerate(SETS)
                    for j, m in enumerate(MODELS)
                ],
            )
        },
        Answer(ON_SETS, MODELS),
    ),
    "OpenML": Stranger(
        {
            "t": long(
                ("task_id", "task_name", "flow", "fold", "auc"),
                [
                    (s, f"openml/{s}", m, f, RATES[i, j] + (f - 2) / 100)
                    for i, s in enumerate(SETS)
                    for j, m in enumerate(MODELS)
                    for f in range(5)
                ],
            )
        },
        Answer(ON_SETS, MODELS),
    ),
}
ROUND_FILES = {
    "cross_validate": table(
        Question("--design kfold", Answer(ROUNDS)),
        fit_time=RNG.random(10).round(4),
        score_time=RNG.random(10).round(4),
        test_score_lr=RATES[:, 0],
        test_score_rf=RATES[:, 1],
    ),
    "cv_results_": table(
        KFOLD,
        param_C=[0.1, 1.0],
        mean_fit_time=[0.1, 0.2],
        **{f"split{j}_test_score": RATES[j, :2] for j in range(10)},
        mean_test_score=RATES[:, :2].mean(axis=0).round(4),
        rank_test_score=[1, 2],
    ),
    "MLflow": Stranger(
        {
            "runs": long(
                ("run_id", "status", "params.model", "params.seed", "metrics.accuracy"),
                [
                    (f"{j}{m}", "FINISHED", m, j, RATES[j, k])
                    for j in range(10)
                    for k, m in enumerate(MODELS[:2])
                ],
            )
        },
        KFOLD,
    ),
    "Weights and Biases": Stranger(
        {
            "runs": long(
                ("Name", "State", "model", "seed", "val_acc"),
                [
                    (f"sweep-{m}{j}", "finished", m, j, RATES[j, k])
                    for j in range(10)
                    for k, m in enumerate(MODELS[:2])
                ],
            )
        },
        KFOLD,
    ),
    "a row a model": Stranger(
        {"t": {"model": MODELS[:2], **{f"fold_{j}": RATES[j, :2] for j in range(10)}}}, KFOLD
    ),
    "caret": Stranger(
        {
            "t": {
                "Resample": [f"Fold{j:02d}.Rep1" for j in range(1, 11)],
                "svm~ROC": RATES[:, 0],
                "svm~Sens": RATES[:, 2],
                "forest~ROC": RATES[:, 1],
                "forest~Sens": RATES[:, 2],
            }
        },
        Question("--model 'svm~ROC' --model 'forest~ROC' --design kfold", Answer(ROUNDS)),
    ),
    "seeds": table(
        Question("--kind folds --design independent", Answer(ON_ONE_SPLIT)),
        seed=[0, 1, 2, 42, 1234, 7, 8, 9, 10, 11],
        **TWO,
    ),
    "repeated": table(
        Question("--design repeated-kfold --n-train 4 --n-test 1", Answer(())),
        repeat=np.repeat(range(10), 5),
        fold=list(range(5)) * 10,
        lr=RNG.normal(0.8, 0.02, 50).round(4),
        rf=RNG.normal(0.8, 0.02, 50).round(4),
    ),
}
SIDES = RNG.integers(0, 3, N)
FOUGHT = ["gpt-4"] * N, ["vicuna"] * N
ENDS = [("model_a", "model_b", "tie")[s] for s in SIDES]
FIT = fc.bradley_terry(*FOUGHT, ENDS, on_undefined="ignore")
BATTLE = Answer((FIT.pairwise().pvalue[0],), ("gpt-4", "vicuna"))
ITEM_FILES = {
    "answers, a column a model": table(
        Answer(ITEMS, ("gpt-4o", "claude")),
        "jsonl",
        id=[f"q{j}" for j in ROWS],
        **{"gpt-4o": RIGHT[:, 0].astype(bool), "claude": RIGHT[:, 1].astype(bool)},
    ),
    "HumanEval": table(
        Answer(ITEMS),
        task_id=[f"HumanEval/{j}" for j in ROWS],
        codellama=RIGHT[:, 0],
        star=RIGHT[:, 1],
    ),
    "Dice and distances of each network": table(
        Question("--model unet_dice --model vnet_dice", Answer(ITEMS)),
        case=[f"c{j}" for j in ROWS],
        unet_dice=RIGHT[:, 0],
        vnet_dice=RIGHT[:, 1],
        unet_hd95=(30 * RNG.random(N)).round(1),
        vnet_hd95=(30 * RNG.random(N)).round(1),
    ),
    "metrics at a rank, before the model": table(
        Question("--model ndcg@10_bm25 --model ndcg@10_dpr", Answer(ITEMS)),
        qid=[f"q{j}" for j in ROWS],
        **{"ndcg@10_bm25": RIGHT[:, 0], "ndcg@10_dpr": RIGHT[:, 1]},
        **{f"map_{m}": RNG.random(N).round(3) for m in ("bm25", "dpr")},
    ),
    "two metrics of each model": table(
        Question("--model A_em --model B_em", Answer(ITEMS, ("A_em", "B_em"))),
        qid=ROWS,
        A_em=RIGHT[:, 0],
        A_f1=RNG.random(N).round(3),
        B_em=RIGHT[:, 1],
        B_f1=RNG.random(N).round(3),
    ),
    "segments": table(
        Answer((), ("sys1", "sys2"), "items"),
        "tabs",
        segment=ROWS,
        sys1=(RNG.random(N) * 100).round(2),
        sys2=(RNG.random(N) * 100).round(2),
    ),
    "judges": table(
        Answer((), ("model_A", "model_B"), "not independent"),
        item=np.repeat(range(N // 2), 2),
        annotator=["A1", "A2"] * (N // 2),
        model_A=RNG.integers(1, 6, N),
        model_B=RNG.integers(1, 6, N),
    ),
    "an arena": table(
        BATTLE,
        question_id=[f"{j:x}" for j in ROWS],
        model_a=FOUGHT[0],
        model_b=FOUGHT[1],
        winner=ENDS,
        judge=[f"u{j % 7}" for j in ROWS],
        turn=[1] * N,
        language=["English"] * N,
    ),
    "preferences by names": table(
        BATTLE,
        prompt=[f"p{j}" for j in ROWS],
        left=FOUGHT[0],
        right=FOUGHT[1],
        preferred=[("gpt-4", "vicuna", "tie")[s] for s in SIDES],
    ),
    "preferences by sides": table(
        BATTLE,
        left=FOUGHT[0],
        right=FOUGHT[1],
        better=[("left", "right", "both")[s] for s in SIDES],
    ),
    "metrics of one model": table(
        Question("--model correct", Answer((fc.mean_interval(RIGHT[:, 0]).estimate,))),
        "jsonl",
        model=["A"] * N,
        task=["t"] * N,
        id=[f"q{j}" for j in ROWS],
        epoch=[0] * N,
        correct=RIGHT[:, 0].astype(bool),
        f1=RNG.random(N).round(3),
    ),
}
STRANGERS = {**CASES, **BENCHMARKS, **ROUND_FILES, **ITEM_FILES, **MORE, **FURTHER}
STRANGERS |= {**ANSWERS, **COUNTS, **NO_COUNTS}
