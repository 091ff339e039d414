"""Files of a fifth round: counts, summaries, groups of different cases, several metrics."""

import numpy as np

import fastcompare as fc

from .strangers import ONE, RATED, ROWS, A, B, N, Y, table
from .wanted import Answer, Fault, Question

RNG = np.random.default_rng(21)
PAIRS = (("x", "y"), ("x", "z"), ("y", "z"))
FIRST, SECOND, DRAWN = (30, 21, 25), (12, 20, 17), (4, 2, 7)


def fights(ties):
    """Return the battles of such counts, ties with both in turn first."""
    rows = []
    for (a, b), won, lost, even in zip(PAIRS, FIRST, SECOND, ties, strict=True):
        rows += [(a, b, a)] * won + [(b, a, b)] * lost
        rows += [(a, b, "tie")] * (even - even // 2) + [(b, a, "tie")] * (even // 2)
    return list(zip(*rows, strict=True))


def strengths(ties):
    """Return the answer of battles: the strengths of the models."""
    a, b, winner = fights(ties)
    ends = ["tie" if w == "tie" else "a" if w == x else "b" for w, x in zip(winner, a, strict=True)]
    found = fc.bradley_terry(a, b, ends)
    return Answer(tuple(found.strengths.tolist()), ("x", "y", "z"))


TIED, PLAIN = strengths(DRAWN), strengths((0, 0, 0))
LEFT, RIGHT = (np.array(side) for side in zip(*PAIRS, strict=True))
SQUARE = np.zeros((3, 3), int)
for (i, j), won, lost in zip(((0, 1), (0, 2), (1, 2)), FIRST, SECOND, strict=True):
    SQUARE[i, j], SQUARE[j, i] = won, lost

CELLS = np.array([[60, 25], [9, 31]])
ANSWERS = [np.repeat([1.0, 1.0, 0.0, 0.0], CELLS.ravel()), np.repeat([1.0, 0, 1, 0], CELLS.ravel())]
DISCORDANT = (fc.paired_mean_test(*ANSWERS).pvalue,)
SOLVED = RNG.integers(0, 11, (2, N))
SHARES = (fc.paired_mean_test(*SOLVED / 10).pvalue,)
ALL_ITEMS = (fc.paired_mean_test(SOLVED[0], SOLVED[1] + 0.5).pvalue,)
NUMBERS = (fc.paired_mean_test(*SOLVED).pvalue,)
RANKED = (fc.wilcoxon_test(*SOLVED[:, :12] + [[60], [62]]).pvalue,)
MARKS = RNG.integers(0, 2, (2, 30, 3))
MARKED = (fc.paired_mean_test(*MARKS.mean(axis=2)).pvalue,)
SYSTEM, SAMPLE, EPOCH = (part.ravel() for part in np.indices(MARKS.shape))
METRICS = RNG.random((2, 2, 30))
OF_MAP = Answer((fc.paired_mean_test(*METRICS[:, 0]).pvalue,), ("bm25", "dense"))
RUN, METRIC, TOPIC = (part.ravel() for part in np.indices(METRICS.shape))
CUTS = np.linspace(1, 0, 12)
ARM, CLICKED = np.array(["A", "B"])[ROWS % 2], RNG.integers(0, 2, N)
ENDS = np.array(["tie", "a", "b"])[ROWS % 3]
CODED = fc.bradley_terry(["p"] * N, ["q"] * N, ENDS, on_undefined="ignore")
CALL = rf"correct=\({CLICKED[::2].sum()}, {CLICKED[1::2].sum()}\), n=\({N // 2}, {N // 2}\)"
OTHER = RNG.permutation(Y)
FOLD, REPETITION = (part.ravel() for part in np.indices((5, 4)))
SCORES = RNG.uniform(0.7, 0.9, (2, 20))
REPEATED = (fc.ttest_corrected(*SCORES, n_train=4, n_test=1).pvalue,)

WINS = {
    "wins by pair": table(
        TIED, model_a=LEFT, model_b=RIGHT, wins_a=FIRST, wins_b=SECOND, ties=DRAWN
    ),
    "wins by pair, the right first": table(
        TIED, left=LEFT, right=RIGHT, right_wins=SECOND, left_wins=FIRST, draws=DRAWN
    ),
    "wins and losses": table(PLAIN, system=LEFT, opponent=RIGHT, wins=FIRST, losses=SECOND),
    "winners, losers, numbers": table(
        PLAIN,
        winner=[*LEFT, *RIGHT],
        loser=[*RIGHT, *LEFT],
        n=[*FIRST, *SECOND],
    ),
    "a square of wins": table(
        PLAIN, model=np.array(["x", "y", "z"]), **dict(zip("xyz", SQUARE.T, strict=True))
    ),
    "responses 1 and 2": table(
        Answer((CODED.strengths[0],), ("p", "q")),
        item=ROWS,
        response_1=["p"] * N,
        response_2=["q"] * N,
        preference=ROWS % 3,
    ),
}
SUMMARIES = {
    "points of a ROC curve": table(
        Fault("points of a curve"), threshold=CUTS, tpr=(1 - CUTS) ** 0.4, fpr=(1 - CUTS) ** 2
    ),
    "points of two ROC curves": table(
        Fault("points of a curve"),
        model=np.repeat(["a", "b"], 12),
        fpr=np.tile((1 - CUTS) ** 2, 2),
        tpr=np.concatenate([(1 - CUTS) ** 0.4, (1 - CUTS) ** 0.7]),
    ),
    "points by cutoff": table(
        Fault("points of a curve"), cutoff=CUTS, sensitivity=1 - CUTS, specificity=CUTS**0.5
    ),
    "a reliability diagram": table(
        Fault("bins of predictions"),
        prob_true=(1 - CUTS[:-1]) ** 1.5,
        prob_pred=1 - CUTS[:-1] + 0.01,
    ),
    "a confusion matrix": table(
        Fault("true and predicted classes"),
        true=np.array(["cat", "dog", "owl"]),
        pred_cat=[50, 4, 1],
        pred_dog=[3, 40, 5],
        pred_owl=[2, 6, 39],
    ),
    "pass at k": table(
        Fault("one number of each model.*by '(model|device)'"),
        model=np.array(["a", "b", "c"]),
        **{"pass@1": [0.3, 0.4, 0.2], "pass@10": [0.5, 0.6, 0.55]},
    ),
    "devices and their measures": table(
        Fault("one number of each model.*by '(model|device)'"),
        device=np.array(["Alpha", "Beta"]),
        sensitivity=[0.91, 0.88],
        specificity=[0.85, 0.9],
        n=[240, 240],
    ),
    "a table of ratings": table(
        Fault("only by battles"),
        model=np.array(["a", "b", "c"]),
        elo=[1287, 1271, 1250],
        ci_low=[1280, 1265, 1240],
        ci_high=[1294, 1277, 1260],
        votes=[5000, 4800, 4000],
    ),
    "errors by document": table(
        Fault(r"ratio_test\(2 \* data\['spacy_tp'\]"),
        doc=np.arange(20),
        **{
            f"{model}_{kind}": RNG.integers(1, 9, 20)
            for model in ("spacy", "flair")
            for kind in ("tp", "fp", "fn")
        },
    ),
}
GROUPS = {
    "an A/B test": table(Fault(CALL), variant=ARM, user=[f"u{j}" for j in ROWS], clicked=CLICKED),
    "an A/B test in words": table(
        Fault(CALL), group=ARM, converted=np.array(["no", "yes"])[CLICKED]
    ),
    "a value in two arms": table(Fault(r"ttest_unpaired\(data.loc"), arm=ARM, minutes=A),
    "counts of two arms": table(
        Fault(r"correct=\(410, 471\), n=\(5120, 5088\)"),
        group=np.array(["control", "treatment"]),
        visitors=[5120, 5088],
        conversions=[410, 471],
    ),
    "right and wrong in a square": table(
        Answer(DISCORDANT, ("A", "B"), "right and wrong"),
        model=np.array(["A_correct", "A_wrong"]),
        B_correct=CELLS[:, 0],
        B_wrong=CELLS[:, 1],
    ),
}
OTHERS = {
    "solved of 10 samples": table(
        Answer(SHARES, ("c_a", "c_b"), "shares of 'n'"),
        task_id=[f"HumanEval/{j}" for j in ROWS],
        n=[10] * N,
        c_a=SOLVED[0],
        c_b=SOLVED[1],
    ),
    "marks in epochs": table(
        Answer(MARKED, ("gpt", "phi"), "means over 'epoch'"),
        sample_id=[f"s{j}" for j in SAMPLE],
        epoch=EPOCH + 1,
        model=np.array(["gpt", "phi"])[SYSTEM],
        score=np.where(MARKS.ravel() == 1, "C", "I"),
    ),
    "metrics in rows": table(
        Question("--metric map", OF_MAP),
        run=np.array(["bm25", "dense"])[RUN],
        measure=np.array(["map", "ndcg_cut_10"])[METRIC],
        topic=TOPIC + 301,
        value=METRICS.ravel(),
    ),
    "two findings": table(
        Question("--label true_edema --model pred_edema", Answer(ONE, ("pred_edema",))),
        img=ROWS,
        true_edema=Y,
        true_mass=OTHER,
        pred_edema=A,
        pred_mass=B,
    ),
    "two outcomes": table(
        Question("--label died", Answer((fc.delong_test(Y, A, B).pvalue,), ("a", "b"))),
        died=Y,
        readmit30=OTHER,
        a=A,
        b=B,
    ),
    "SAS's probabilities": table(
        Answer(ONE, ("P",)), F_BAD=Y, I_BAD=(A > 0.5).astype(int), P_BAD1=A, P_BAD0=1 - A
    ),
    "folds and repetitions in names": table(
        Question("--design repeated-kfold --n-train 4 --n-test 1", Answer(REPEATED)),
        Resample=[f"Fold{f + 1}.Rep{r + 1}" for f, r in zip(FOLD, REPETITION, strict=True)],
        rf=SCORES[0],
        gbm=SCORES[1],
    ),
    "people under 40": table(
        Answer((fc.paired_mean_test(RATED[:30] * 1.5, RATED[30:60] * 1.5).pvalue,), ("new", "old")),
        respondent=np.tile(np.arange(30), 2),
        system=np.repeat(["new", "old"], 30),
        sus=RATED[:60] * 1.5,
    ),
}
MORE_COUNTS = {
    "combinations of answers": table(
        Answer(DISCORDANT, ("svm", "rf"), "'count'"),
        svm=np.array(["correct", "correct", "wrong", "wrong"]),
        rf=np.array(["correct", "wrong", "correct", "wrong"]),
        count=CELLS.ravel(),
    ),
    "a square of two tests": table(
        Fault(r"mcnemar_test\(\[\[60, 25\], \[9, 31\]\]\)"),
        test=np.array(["A +", "A -"]),
        plus=CELLS[:, 0],
        minus=CELLS[:, 1],
    ),
    "votes beside ratings": table(
        Answer(NUMBERS, ("a", "b"), "Rows: items"),
        question=[f"q{j}" for j in ROWS],
        n_votes=10 + np.arange(N) % 7,
        a=SOLVED[0],
        b=SOLVED[1],
    ),
    "test sets beside percentages": table(
        Answer(RANKED, ("svm", "rf"), "Rows: data sets"),
        dataset=[f"d{j}" for j in range(12)],
        n_samples=200 + 37 * np.arange(12),
        svm=60 + SOLVED[0][:12],
        rf=62 + SOLVED[1][:12],
    ),
    "an A/B test by device": table(
        Fault(CALL), variant=ARM, session_id=ROWS, device=np.array(["m", "d"])[OTHER], won=CLICKED
    ),
    "distances": table(
        Question("--kind items", Answer(())),
        model=np.array(["a", "b", "c"]),
        a=[0, 3, 5],
        b=[3, 0, 2],
        c=[5, 2, 0],
    ),
    "sorted shares": table(
        Answer(()),
        actual=np.sort(A[:40]),
        predicted=np.sort(B[:40]),
        predicted_b=np.sort(A[40:]),
    ),
}
MORE_COUNTS |= {
    "a league": table(
        Fault("only by battles"),
        team=np.array(list("wxyz")),
        wins=[9, 7, 4, 2],
        losses=[1, 3, 6, 12],
    ),
    "answers in epochs, wide": table(
        Answer((fc.paired_mean_test(*MARKS.reshape(2, -1).astype(float)).pvalue,), ("gpt", "phi")),
        epoch=np.tile([1, 2, 3], 30),
        sample=[f"x{j}" for j in np.repeat(np.arange(30), 3)],
        gpt=MARKS[0].ravel(),
        phi=MARKS[1].ravel(),
    ),
    "points beside their most": table(
        Answer(NUMBERS, ("a", "b"), "Rows: items"),
        item=[f"q{j}" for j in ROWS],
        total=[10] * N,
        a=SOLVED[0],
        b=SOLVED[1],
    ),
    "an item that is called all": table(
        Answer(ALL_ITEMS, ("a", "b"), "Rows: items"),
        item=["all", *(f"q{j}" for j in range(1, N))],
        a=SOLVED[0],
        b=SOLVED[1] + 0.5,
    ),
    "predicted times of survival": table(
        Question("--time time --event event", Answer(())),
        time=np.arange(1, N + 1),
        event=np.arange(N) % 3 > 0,
        surv_cox=A,
        surv_rsf=B,
    ),
    "pairs of languages": table(
        Answer((), ("comet", "bleurt"), "Rows: data sets"),
        lang_pair_dataset=[f"en-{j}" for j in range(15)],
        comet=A[:15],
        bleurt=B[:15],
    ),
}
COUNTS = {**WINS, **SUMMARIES, **GROUPS, **OTHERS, **MORE_COUNTS}
