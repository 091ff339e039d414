"""Files of a fourth round: right and wrong answers, preferences, ratings, summaries, codes."""

import numpy as np

from tests.shared.deferred import fc

from .further import CONCORDANT, EVENTS, TIMES
from .strangers import HARD_A, HARD_B, RIGHT, ROWS, A, B, N, Y, scores, table, words
from .wanted import Answer, Fault, Question

RNG = np.random.default_rng(12)
GOOD = (RNG.random((2, N)) < [[0.8], [0.6]]).astype(int)
ON_ITEMS = (fc.paired_mean_test(*GOOD.astype(float)).pvalue,)
AREA = np.array(["law", "math"])[ROWS // 2 % 2]
ENDS = np.array(["a", "b", "tie"])[RNG.choice(3, N, p=[0.5, 0.3, 0.2])]
WANTED = fc.bradley_terry(["A"] * N, ["B"] * N, ENDS, on_undefined="ignore")
PAIRS = np.array([RNG.choice(["x", "y", "z"], 2, replace=False, p=[0.5, 0.3, 0.2]) for _ in ROWS])
FOUGHT = fc.bradley_terry(*PAIRS.T, ["a"] * N, on_undefined="ignore")
MARKS = RNG.integers(1, 6, (2, 6, 10))  # systems, listeners, samples
HEARD = (fc.paired_mean_test(*MARKS.mean(axis=1)).pvalue,)
SYSTEM, LISTENER, SAMPLE = (part.ravel() for part in np.indices(MARKS.shape))


def answered(right, wrong, *names):
    """Return a file of answers in such words, an area beside them."""
    columns = dict(zip(names, np.where(GOOD == 1, right, wrong), strict=True))
    want = Answer(ON_ITEMS, names, "right and wrong answers")
    return table(want, question=[f"q{j}" for j in ROWS], **columns, category=AREA)


AGREED = np.mean(HARD_A == HARD_B)
BY_CHANCE = sum(np.mean(x == HARD_A) * np.mean(x == HARD_B) for x in (0, 1))
KAPPA = float((AGREED - BY_CHANCE) / (1.0 - BY_CHANCE))
BENCHMARKS = ("MMLU", "GSM8K", "HellaSwag", "ARC", "TruthfulQA")
LLMS = ("llama", "mistral", "gemma")
PERCENT = RNG.uniform(40, 80, (3, 5)).round(1)
ON_BENCHMARKS = (fc.compare_datasets(PERCENT.T).omnibus.pvalue,)
STARS = RNG.integers(1, 6, N)
GUESSES = np.clip(STARS[:, None] + RNG.normal(0, (1.0, 1.5), (N, 2)), 1, 5).T.round(2)
GRADED = (fc.paired_mean_test(*((guess - STARS) ** 2 for guess in GUESSES)).pvalue,)

ANSWERS = {
    "benchmarks of language models": table(
        Answer(ON_BENCHMARKS, LLMS, "data sets"),
        Model=np.array(LLMS),
        **dict(zip(BENCHMARKS, PERCENT.T, strict=True)),
    ),
    "benchmarks and their mean": table(
        Answer(ON_BENCHMARKS, LLMS, "data sets"),
        Model=np.array(LLMS),
        Average=PERCENT.mean(axis=1).round(1),
        **dict(zip(BENCHMARKS, PERCENT.T, strict=True)),
    ),
    "grades": table(
        Question("--label true_rating", Answer(GRADED, ("mf_pred", "knn_pred"))),
        movie=ROWS,
        true_rating=STARS,
        **dict(zip(("mf_pred", "knn_pred"), GUESSES, strict=True)),
    ),
    "whether observed": table(
        Question("--time duration --event observed", Answer(CONCORDANT, ("cox", "deepsurv"))),
        duration=TIMES,
        observed=EVENTS,
        cox=A,
        deepsurv=B,
    ),
    "yes where correct": answered("yes", "no", "gpt_correct", "llama_correct"),
    "one where correct": answered("1", "0", "gpt_correct", "llama_correct"),
    "true where passed": answered("TRUE", "FALSE", "passed_gpt", "passed_llama"),
    "passed tests": answered("pass", "fail", "gpt", "llama"),
    "verdicts": answered("correct", "incorrect", "gpt_verdict", "llama_verdict"),
    "labels that say pass": table(
        Answer(RIGHT, ("a", "b")),
        y_true=words("fail", "pass"),
        a=np.array(["fail", "pass"])[HARD_A],
        b=np.array(["fail", "pass"])[HARD_B],
    ),
    "correct beside scores": scores(correct=Y),
    "actual and predicted": table(
        Answer((float(np.mean(Y == HARD_A)),), ("predicted_success",)),
        id=ROWS,
        actual_success=Y,
        predicted_success=HARD_A,
    ),
    "passed and predicted": table(
        Answer(RIGHT, ("predicted_passed_a", "predicted_passed_b")),
        student=ROWS,
        passed=Y,
        predicted_passed_a=HARD_A,
        predicted_passed_b=HARD_B,
    ),
    "an outcome of success": table(
        Question("--label outcome_success", Answer(RIGHT, ("a_success", "b_success"))),
        id=ROWS,
        outcome_success=Y,
        a_success=HARD_A,
        b_success=HARD_B,
    ),
    "a result and predictions": table(
        Question("--label result", Answer(RIGHT, ("m1", "m2"))),
        id=ROWS,
        result=words("fail", "pass"),
        m1=np.array(["fail", "pass"])[HARD_A],
        m2=np.array(["fail", "pass"])[HARD_B],
    ),
    "two raters of passing": table(
        Question(
            "--label rater1_passed --model rater2_passed --test kappa",
            Answer((KAPPA,)),
        ),
        id=ROWS,
        rater1_passed=HARD_A,
        rater2_passed=HARD_B,
    ),
    "a choice of travellers": table(
        Fault("two models"), person=ROWS, age=20 + ROWS, choice=words("car", "bus")
    ),
    "preferences": table(
        Answer((WANTED.strengths[0],), ("A", "B"), "'preference'"),
        prompt=[f"p{j}" for j in ROWS],
        preference=np.where(ENDS == "tie", "tie", np.char.upper(ENDS)),
        category=AREA,
    ),
    "winners and losers": table(
        Answer((FOUGHT.strengths.max(),), ("x", "y", "z"), "loser"),
        winner=PAIRS[:, 0],
        loser=PAIRS[:, 1],
    ),
    "listeners": table(
        Answer(HEARD, ("tts1", "tts2"), "means over 'listener'"),
        listener=LISTENER,
        sample=SAMPLE,
        system=np.array(["tts1", "tts2"])[SYSTEM],
        mos=MARKS.ravel(),
    ),
    "counts of errors": table(
        Fault("for each metric or count"), model=["A", "B"], tp=[40, 38], fp=[5, 9], fn=[10, 12]
    ),
    "AUCs with errors": table(
        Fault("for each metric or count"), model=["A", "B"], AUC=[0.84, 0.81], SE=[0.02, 0.03]
    ),
    "coded words": scores(diagnosis=words("0:LIVING", "1:DECEASED")),
}
