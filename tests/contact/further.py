"""Files of a third round: studies of readers, judges, ranks, censoring, merged headers."""

import numpy as np

from tests.shared.deferred import fc

from .strangers import (
    BOTH,
    HARD_A,
    HARD_B,
    RATES,
    RIGHT,
    ROWS,
    SHARES,
    A,
    B,
    N,
    T,
    Y,
    scores,
    table,
    words,
)
from .wanted import Answer, Fault, Question

RNG = np.random.default_rng(11)
LOW = (fc.delong_test(Y, -A, -B).pvalue,)
RANKS = [np.argsort(np.argsort(-p, kind="stable")) + 1 for p in (A, B)]
BY_RANK = (fc.delong_test(Y, *(-r for r in RANKS)).pvalue,)
TIMES = (RNG.exponential(20 * np.exp(-A)) + 0.1).round(1)
EVENTS = (ROWS % 15 > 0).astype(int)
CONCORDANT = (fc.concordance_test(TIMES, EVENTS, A, B).pvalue,)
PROMPTS, PARTS = 20, 4
RATINGS = RNG.integers(1, 11, (PROMPTS, 2, PARTS))
JUDGED = (fc.paired_mean_test(*RATINGS.mean(axis=2).T).pvalue,)
SIDES, PAIR = np.arange(20) % 2, np.array(["FFDM", "DBT"])
STUDY = [
    (reader, treatment, case, int(case % 2), int(RNG.integers(0, 80) + 20 * (case % 2)))
    for reader in "ABCD"
    for treatment in ("FFDM", "DBT")
    for case in range(30)
]
READ = dict(
    zip(
        ("radiologist", "system", "study_id", "cancer", "suspicion"),
        zip(*STUDY, strict=True),
        strict=True,
    )
)
READ = {name: np.array(values) for name, values in READ.items()}
BY_READERS = fc.reader_study(
    score=READ["suspicion"],
    treatment=READ["system"],
    reader=READ["radiologist"],
    case=READ["study_id"],
    truth=READ["cancer"],
    on_undefined="ignore",
)
MULTI = (fc.multiclass_auc_test(T, *SHARES[:2]).pvalue,)
CLASSES = np.array(["Adenoma", "Hyperplastic polyp", "Serrated"])


def cells(rows, *names):
    """Return rows as columns."""
    return {name: np.array(part) for name, part in zip(names, zip(*rows, strict=True), strict=True)}


def by_class(form, labels):
    """Return probabilities of two models, a column a class."""
    return {
        form.format(m=m, c=c): p[:, j]
        for m, p in zip(("CNN", "ViT"), SHARES, strict=False)
        for j, c in enumerate(labels)
    }


FURTHER = {
    "plus and minus": scores(sample=ROWS, test_result=words("-", "+")),
    "maligne": scores(None, "german", Befund=words("benigne", "maligne"), names=("alt", "neu")),
    "a subject at school": scores(
        Answer(BOTH, says="^(?!.*not independent)"),
        subject=np.array(["math", "physics", "biology"])[ROWS % 3],
        label=Y,
    ),
    "five patients": scores(
        Answer(BOTH, says="rows of one patient are not independent"),
        patient_id=[f"P{j % 5}" for j in ROWS],
        label=Y,
    ),
    "dates at stations": scores(
        Answer(BOTH, says="rows of one date are not independent"),
        date=[f"2025-01-{j // 4 + 1:02}" for j in ROWS],
        station=np.array(list("abcd"))[ROWS % 4],
        rain=Y,
    ),
    "ids of queries": table(
        Answer((fc.paired_mean_test(A, B).pvalue,), ("bm25", "dpr"), "items"),
        qid=ROWS,
        bm25=A,
        dpr=B,
    ),
    "runs of TREC": table(
        Answer((fc.paired_mean_test(A, B).pvalue,), ("bm25", "dpr"), "items"),
        qid=np.tile(ROWS, 2),
        run=np.repeat(["bm25", "dpr"], N),
        **{"ndcg@10": np.r_[A, B]},
    ),
    "an observed quantity": table(
        Answer((fc.paired_mean_test((20 * A - 20 * B) ** 2, (20 * B**2 - 20 * B) ** 2).pvalue,)),
        t_obs=20 * B,
        t_gfs=20 * A,
        t_icon=20 * B**2,
    ),
    "low scores": table(
        Answer(LOW, says="low scores indicate the positive class"),
        id=ROWS,
        bad=Y,
        dist_a=-A,
        dist_b=-B,
    ),
    "ranks": table(
        Answer(BY_RANK, ("rank_a", "rank_b")), id=ROWS, hit=Y, rank_a=RANKS[0], rank_b=RANKS[1]
    ),
    "a majority": table(
        Answer((fc.mcnemar_test(Y, 0 * Y, HARD_B).pvalue,), ("majority", "m")),
        id=ROWS,
        label=Y,
        majority=0 * Y,
        m=HARD_B,
    ),
    "one class": scores(Fault("labels of both classes"), label=0 * Y + 1),
    "how sure of two": table(
        Answer(RIGHT, ("a_pred", "b_pred"), "how sure"),
        true_label=words("cat", "dog"),
        a_pred=np.array(["cat", "dog"])[HARD_A],
        a_conf=np.maximum(A, 1 - A),
        b_pred=np.array(["cat", "dog"])[HARD_B],
        b_conf=np.maximum(B, 1 - B),
    ),
    "radiologists": table(Answer((BY_READERS.values[0],), says="Reader study"), **READ),
    "judges of answers": table(
        Answer(JUDGED, ("gpt", "llama"), "means over 'judge'"),
        **cells(
            [
                (i, m, j, RATINGS[i, k, j])
                for i in range(PROMPTS)
                for k, m in enumerate(("gpt", "llama"))
                for j in range(PARTS)
            ],
            "prompt_id",
            "model",
            "judge",
            "rating",
        ),
    ),
    "two devices": table(
        Question("--model risk", Answer((fc.roc_auc_interval(Y, A).estimate,))),
        label=Y,
        system=np.array(["old", "new", "older"])[ROWS % 3],
        risk=A,
    ),
    "seeds of folds": table(
        Question(
            "--design repeated-kfold --n-train 4 --n-test 1",
            Answer((fc.ttest_corrected(RATES[:, 0], RATES[:, 1], n_train=4, n_test=1).pvalue,)),
        ),
        **cells(
            [
                (m, j // 5, j % 5, RATES[j, k])
                for k, m in enumerate(("lr", "rf"))
                for j in range(10)
            ],
            "algo",
            "seed",
            "fold",
            "acc",
        ),
    ),
    "latencies": table(
        Question("--kind items", Answer((fc.paired_mean_test(100.0 * A, 100.0 * B).pvalue,))),
        request=ROWS,
        old_ms=100.0 * A,
        new_ms=100.0 * B,
    ),
    "latencies of items": table(
        Answer((fc.paired_mean_test(100.0 * A, 100.0 * B).pvalue,)),
        item=[f"q{j}" for j in ROWS],
        latency_a=100.0 * A,
        latency_b=100.0 * B,
    ),
    "steps": table(Fault("steps of a training"), Step=ROWS, a=A, b=B),
    "raters alone": table(
        Question("--label rater1", Answer(())), item=ROWS, rater1=Y, rater2=HARD_A, rater3=HARD_B
    ),
    "one cross_validate": table(
        Fault("one model alone"),
        fit_time=A[:10],
        score_time=B[:10],
        test_accuracy=A[:10],
        test_f1=B[:10],
    ),
    "folds with their mean": table(
        Question(
            "--design kfold",
            Answer((fc.ttest_corrected(RATES[:, 0], RATES[:, 1], n_train=9, n_test=1).pvalue,)),
        ),
        Model=["lr", "rf"],
        **{f"Fold {j}": RATES[j, :2] for j in range(10)},
        Mean=RATES[:, :2].mean(axis=0),
        SD=[0.1, 0.2],
    ),
    "sizes of data sets": table(
        Answer((fc.compare_datasets(RATES).omnibus.pvalue,), ("p", "q", "r")),
        Dataset=[f"set {j}" for j in range(10)],
        p=RATES[:, 0],
        q=RATES[:, 1],
        r=RATES[:, 2],
        d=np.arange(10) % 7 + 3,
    ),
    "censored": table(
        Question("--time AVAL --event CNSR --pos-label 0", Answer(CONCORDANT, ("r1", "r2"))),
        USUBJID=[f"01-{j:03}" for j in ROWS],
        AVAL=TIMES,
        CNSR=1 - EVENTS,
        r1=A,
        r2=B,
    ),
    "classes in brackets": table(
        Answer(MULTI, ("CNN", "ViT")), Diagnosis=CLASSES[T], **by_class("P({c}) {m}", CLASSES)
    ),
    "classes by number": table(
        Answer(MULTI, ("CNN", "ViT")), y_true=T, **by_class("{m}_class{c}", range(3))
    ),
    "both of 0 and 1": table(
        Answer(BOTH, ("lr", "rf")),
        label=Y,
        lr_p0=(1 - A).round(4),
        lr_p1=A,
        rf_p0=(1 - B).round(4),
        rf_p1=B,
    ),
    "an amount": table(
        Question("--model pd --pos-label B", Answer((fc.roc_auc_interval(Y, A).estimate,))),
        flag=words("G", "B"),
        pd=A,
        EAD=(np.exp(9 + A)).round(2) * (1 + ROWS % 5),
    ),
    "lists of classes": table(
        Answer(MULTI, ("CNN", "ViT")),
        "json",
        y_true=T,
        CNN=SHARES[0].tolist(),
        ViT=SHARES[1].tolist(),
    ),
    "a merged header": scores(None, "merged", names=("A prob", "B prob"), id=ROWS, truth=Y),
    "a typing error": table(
        Fault("'O.5' in (row 0|line 2)"), id=ROWS, label=Y, a=A, b=["O.5", *map(str, B[1:])]
    ),
    "means and deviations": table(
        Answer(BOTH, ("a_mean", "b_mean")), y=Y, a_mean=A, a_std=B / 9, b_mean=B, b_std=A / 9
    ),
    "metrics in rows": table(
        Fault("for each metric or count"),
        Metric=["AUC", "F1", "Accuracy"],
        lr=[0.8, 0.7, 0.75],
        rf=[0.9, 0.6, 0.7],
    ),
    "a title": scores(None, "title", gold=Y),
    "a footer": scores(None, "footer", id=ROWS, label=Y),
    "Markdown": scores(None, "markdown", label=Y),
    "a second sheet": scores(None, "sheets", label=Y),
    "cells of Excel": table(
        Question("--nan-policy omit", Answer((fc.delong_test(Y[1:], A[1:], B[1:]).pvalue,))),
        label=Y,
        a=["#REF!", *map(str, A[1:])],
        b=B,
    ),
}
