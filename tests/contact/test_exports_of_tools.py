"""Tables as harnesses and papers export them, each beside tables that look alike and are not.

Each has the options, and what must be in the answer's reasons or in the question.
"""

import re

import numpy as np
import pytest

from .doors import by_python

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(8)
N = 40
ASKED, MODEL = np.repeat(np.arange(N), 2), np.resize(["gpt", "phi"], 2 * N)
HIT = RNG.integers(0, 2, 2 * N)
GAIN = HIT * RNG.uniform(0.2, 1, 2 * N).round(3)
SURE = RNG.uniform(size=2 * N).round(3)
TRUE = np.repeat(RNG.integers(0, 2, N), 2)
ANSWERS = {"question_id": ASKED, "model": MODEL}
BOTH = r"which column has the scores.*'hit@10'.*'ndcg@10'"
MEASURES = {
    "a hit and its gain": ({**ANSWERS, "hit@10": HIT, "ndcg@10": GAIN}, {}, BOTH),
    "correct, and how sure": (
        {**ANSWERS, "correct": HIT, "confidence": SURE},
        {},
        "which column has the scores.*'correct'.*'confidence'",
    ),
    "found, and at which rank": (
        {**ANSWERS, "found": HIT, "mrr": GAIN},
        {},
        "which column has the scores.*'found'.*'mrr'",
    ),
    "named": (
        {**ANSWERS, "hit@10": HIT, "ndcg@10": GAIN},
        {"long": ("model", "question_id", "hit@10")},
        r"scores: 'hit@10'.*Not used: 'ndcg@10' \(values that differ between models of a row\)",
    ),
    "a label and its probability": (
        {**ANSWERS, "y_true": TRUE, "y_pred": (SURE > 0.5) * 1, "y_prob": SURE},
        {},
        "scores: 'y_prob'.*True labels: 'y_true'",
    ),
    "a prediction and its score, no labels": (
        {**ANSWERS, "pred": (SURE > 0.5) * 1, "value": SURE},
        {},
        "scores: 'value'",
    ),
    "a measurement beside": ({**ANSWERS, "correct": HIT, "latency": SURE}, {}, "scores: 'correct'"),
    "labels that are named": (
        {**ANSWERS, "sick": TRUE, "alarm": (SURE > 0.5) * 1, "level": SURE},
        {"label": "sick"},
        "scores: 'level'",
    ),
}
LETTER = np.repeat(np.array([*"ABCD"])[RNG.integers(0, 4, N)], 2)
GUESS = np.where(RNG.random(2 * N) < 0.6, LETTER, "A")
TOPIC = np.repeat(np.resize(["math", "law", "bio"], N), 2)
LETTERS = {**ANSWERS, "category": TOPIC, "answer": LETTER, "pred": GUESS}
SAME = RNG.integers(0, 3, N)
GRADES = np.array(["correct", "incorrect", "not_attempted"])
GRADED = {"question": np.arange(N), "a": GRADES[SAME], "b": GRADES[RNG.integers(0, 3, N)]}
WORDS = {
    "letters": (LETTERS, {}, "scores: 'pred'.*True labels: 'answer'.*accuracies"),
    "letters, another order": (
        {name: LETTERS[name] for name in ("pred", "answer", "category", "model", "question_id")},
        {},
        "True labels: 'answer'",
    ),
    "no letters of the question": (
        {**ANSWERS, "category": TOPIC, "pred": GUESS},
        {},
        "models are needed",
    ),
    "two columns of letters": (
        {**LETTERS, "distractor": np.roll(LETTER, 2)},
        {},
        "true labels|models are needed|must contain numbers|contain numbers",
    ),
    "letters, the label named": (LETTERS, {"label": "answer"}, "True labels: 'answer'"),
    "grades": (GRADED, {}, "Grades 'not_attempted' of 'a' and 'b' count as 'incorrect'"),
    "grades beside the truth": (
        {**GRADED, "truth": GRADES[SAME]},
        {},
        "^(?!.*Grades).*True labels: 'truth'",
    ),
    "partial grades": (
        GRADED | {"b": np.where(GRADED["b"] == "not_attempted", "partial", GRADED["b"])},
        {},
        "^(?!.*count as)",
    ),
    "grades of one model": ({"question": np.arange(N), "a": GRADED["a"]}, {}, "^(?!.*count as)"),
    "levels of education": (
        {"person": np.arange(N), "a": np.resize(["low", "mid", "high"], N), "b": SAME},
        {},
        "^(?!.*count as)",
    ),
    "three tests of a patient": (
        {"Patient": [f"P{i}" for i in range(N)]}
        | {name: np.array(["neg", "pos"])[RNG.integers(0, 2, N)] for name in ("pcr", "rt", "ct")},
        {},
        "which column has the true labels",
    ),
}
SHARE = RNG.uniform(size=(3, N)).round(3)
SETS = {"dataset": [f"d{i}" for i in range(N)]}
TALLY = RNG.integers(20, 60, N)
RIGHT = {"gpt_correct": TALLY // 2, "phi_correct": TALLY // 3}
NUMBERS = {
    "a model of time": (
        SETS | dict(zip(("ROCKET", "InceptionTime", "DTW"), SHARE, strict=True)),
        {},
        "Models: 'ROCKET', 'InceptionTime' and 'DTW'",
    ),
    **{
        f"a {name}": (
            SETS | {"svm": SHARE[0], "knn": SHARE[1], name: SHARE[2]},
            {},
            f"^(?!.*Models:[^.]*'{name}').*Not used: '{name}'",
        )
        for name in ("fitTime", "runTime", "elapsed time", "fit_time")
    },
    "bold numbers": (
        SETS | {"svm": [f"**{x}**" for x in SHARE[0]], "knn": SHARE[1], "cart": SHARE[2]},
        {},
        "Models: 'svm', 'knn' and 'cart'.*marks of emphasis",
    ),
    "bold in LaTeX with spreads": (
        SETS | {"svm": [rf"\textbf{{{x} ± 0.1}}" for x in SHARE[0]], "knn": SHARE[1]},
        {},
        "Models: 'svm' and 'knn'.*marks of emphasis.*first number",
    ),
    "stars": (
        SETS | {"svm": [f"{x}*" for x in SHARE[0]], "knn": SHARE[1], "cart": SHARE[2]},
        {},
        "numbers and something else.*'svm'",
    ),
    "codes with stars": (
        SETS | {"allele": [f"*{i:02d}:01" for i in range(N)], "knn": SHARE[1], "cart": SHARE[2]},
        {},
        "Models: 'knn' and 'cart'",
    ),
    "counts of questions": (
        {"subject": [f"s{i}" for i in range(N)], "n_questions": TALLY, **RIGHT},
        {},
        "shares of 'n_questions'",
    ),
    "numbers of questions": (
        {"question number": np.arange(N) * 3 + 5, "gpt": HIT[:N], "phi": HIT[N:]},
        {},
        "column 'question number' names them",
    ),
    "counts beside other scores": (
        {
            "subject": [f"s{i}" for i in range(N)],
            "n_questions": TALLY,
            "a": SHARE[0],
            "b": SHARE[1],
        },
        {},
        "^(?!.*shares of).*what the rows are|^(?!.*shares of).*Models: 'a' and 'b'",
    ),
    "ids of posts": (
        {"post": [str(10**17 + i) for i in range(N)], "y": HIT[:N], "a": SHARE[0], "b": SHARE[1]},
        {},
        "True labels: 'y'.*Models: 'a' and 'b'",
    ),
    "scores beyond 2^53": (
        {"y": HIT[:N], "a": [str(10**17 + i % 9) for i in range(N)], "b": SHARE[1]},
        {},
        "beyond 2\\^53",
    ),
    "runs": (
        {"Runtime": TALLY[:30], "optimizer": np.resize([*"abc"], 30), "seed": np.arange(30) // 3}
        | {"test/acc": SHARE[0][:30]},
        {},
        "10 rounds",
    ),
}
FIRST, SECOND = np.resize([*"xxyz"], N), np.resize([*"yzzx"], N)
WON = RNG.choice([0.0, 0.5, 1.0], N)
PLAYED = {"player_a": FIRST, "player_b": SECOND}
NO_BATTLES = "^(?!.*Battles)"
BATTLES = {
    "a result for the first": ({**PLAYED, "score_a": WON}, {}, "'player_a' won where 'score_a'"),
    "a result for the second": ({**PLAYED, "b_won": WON}, {}, "'player_b' won where 'b_won'"),
    "points of both": ({**PLAYED, "score_a": WON, "score_b": SHARE[0]}, {}, "'player_a' won"),
    "results of both": ({**PLAYED, "score_a": WON, "score_b": WON[::-1]}, {}, NO_BATTLES),
    "ratings": ({**PLAYED, "score_a": SHARE[0]}, {}, NO_BATTLES),
    "a result of neither": ({**PLAYED, "score": WON}, {}, NO_BATTLES),
    "a model and its version": (
        {"model": FIRST, "version": SECOND, "score_a": WON},
        {},
        NO_BATTLES,
    ),
    "readers": ({"reader_a": FIRST, "reader_b": SECOND, "score_a": WON}, {}, NO_BATTLES),
    "labels named": ({**PLAYED, "score_a": WON}, {"label": "score_a"}, NO_BATTLES),
}
EPOCHS = {"epoch": np.arange(1, N + 1)}
COUNTED = {f: RNG.integers(0, 9, 10) for f in ("tp", "fp", "fn")}
FOLDED = {"fold": np.arange(10) // 2, "model": np.resize(["crf", "lstm"], 10)}
HALVES = {"replication": np.arange(10) // 2, "fold": np.arange(10) % 2 + 1}
RATED = {"Rank": [1, 2, 3, 4], "Model": [*"wxyz"], "Elo": [1287, 1248, 1208, 1203]}
CURVES = {"train_loss": SHARE[0], "val_loss": SHARE[1], "val_acc": SHARE[2]}
READ = {f"r{j}_{way}": RNG.integers(0, 100, N) for j in "12" for way in ("noAI", "AI")}
OTHERS = {
    "curves of a training": ({**EPOCHS, **CURVES}, {}, "steps of a training"),
    "no epochs": ({"doc": np.arange(N), **CURVES}, {}, "which one"),
    "counts of errors of folds": ({**FOLDED, **COUNTED}, {}, r"long=\('model', 'fold', 'f1'\)"),
    "two counts of folds": (
        {**FOLDED, "tp": COUNTED["tp"], "fp": COUNTED["fp"]},
        {},
        "which column has the scores",
    ),
    "counts, one named": (
        {**FOLDED, **COUNTED},
        {"long": ("model", "fold", "tp"), "design": "kfold"},
        "scores: 'tp'",
    ),
    "halves": (
        {**HALVES, "knn": SHARE[0][:10], "rf": SHARE[1][:10]},
        {},
        "5 repetitions of a cross-validation of 2 folds",
    ),
    "ratings with intervals": (
        {**RATED, "95% CI": ["+4/-4", "+3/-4", "+3/-3", "+5/-4"], "Votes": [9, 8, 7, 6]},
        {},
        "one number of each model",
    ),
    "data sets with places": (
        {"position": np.arange(1, 16), "dataset": [f"d{i}" for i in range(15)]}
        | {"svm": SHARE[0][:15], "knn": SHARE[1][:15]},
        {},
        "Models: 'svm' and 'knn'",
    ),
    "readers with and without": (
        {"case": np.arange(N), "truth": HIT[:N], **READ},
        {"kind": "scores"},
        "Models: 'r1_noAI', 'r1_AI', 'r2_noAI' and 'r2_AI'",
    ),
    "a case number": (
        {"case_no": RNG.integers(0, 9, N), "truth": HIT[:N], "a": SHARE[0], "b": SHARE[1]},
        {},
        "Models: 'a' and 'b'",
    ),
    "metrics of cross_validate": (
        {"metric": np.resize(["test_acc", "test_f1"], N), "fold": np.arange(N) // 4}
        | {"estimator": np.resize([*"aabb"], N), "score": SHARE[0]},
        {},
        "which metric",
    ),
    "ticks": (
        {"q": np.arange(N), "a": np.array(["✗", "✓"])[HIT[:N]]}
        | {"b": np.array(["✗", "✓"])[HIT[N:]]},
        {},
        "right: '✓'",
    ),
    "ticks beside the truth": (
        {"truth": np.array(["✗", "✓"])[HIT[:N]], "a": np.array(["✗", "✓"])[HIT[N:]]},
        {},
        "^(?!.*right: )",
    ),
    "a running number": (
        {"nr": np.arange(1, 2 * N + 1), **ANSWERS, "classif.ce": SURE},
        {},
        "scores: 'classif.ce'",
    ),
}
EXPORTS = {**MEASURES, **WORDS, **NUMBERS, **BATTLES, **OTHERS}


@pytest.mark.parametrize("name", EXPORTS)
def test_exports_are_read_as_what_they_are(name):
    table, options, says = EXPORTS[name]
    found, said = by_python(table, **options)
    reasons = said if found is None else " ".join(found["decisions"])
    assert re.search(says, reasons), reasons
