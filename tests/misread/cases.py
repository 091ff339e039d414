"""The cases of files with a row a case: scores, labels and probabilities.

A case is a file, the options of the command line, what Python and the command must say: the name
of an answer of `answers`, or a pattern that an error has, which names the column, file or line.
"""

import gzip
from typing import NamedTuple

import numpy as np

from .drawn import (
    LABEL_A,
    LABEL_B,
    PROBABILITY_A,
    PROBABILITY_B,
    RNG,
    SCORES,
    A,
    B,
    N,
    Y,
    rows,
    table,
    with_cell,
    words,
)


class Case(NamedTuple):
    """A file, and what it must give on the command line and in Python; None is not asked."""

    text: str | bytes
    command: str
    python: str | None = ""
    options: tuple[str, ...] = ()
    suffix: str = ".csv"


def beside(**columns):
    """Return the file of scores with another column."""
    return table(y_true=Y, a=A, b=B, **columns)


def both(text, error, *options):
    """Return a case whose error names the same in Python and on the command line."""
    return Case(text, error, error, options)


NO_MODELS = {
    "id": np.arange(N),
    "ID": 1000 + np.arange(N),
    "case_id": 10**9 + 7 * np.arange(N),
    "patient": RNG.integers(0, 20, N) * 3 + 100,
    "question_id": np.arange(N)[::-1],
    "index": np.arange(N),
    "row": np.arange(1, N + 1),
    "timestamp": 1_700_000_000 + 60 * np.arange(N),
    "date": 20_240_101 + np.arange(N),
    "year": 2000 + np.arange(N) % 5,
    "time": np.round(RNG.random(N) * 9, 2),
    "fit_time": np.round(RNG.random(N), 4),
    "score_time": np.round(RNG.random(N), 4),
    "weight": np.round(RNG.random(N) + 0.5, 2),
    "sample_weight": np.round(RNG.random(N) + 0.5, 2),
    "fold": np.arange(N) % 5,
    "split": np.arange(N) % 2,
    "seed": np.full(N, 7),
    "cluster": np.arange(N) // 4,
    "group": np.arange(N) // 4,
    "hospital": np.arange(N) // 10,
    "age": RNG.integers(20, 90, N),
    "n": RNG.integers(1, 9, N),
    "count": RNG.integers(1, 9, N),
    "label": Y,
    "target": Y,
    "y": Y,
    "truth": Y,
    "y_true_2": 1 - Y,
    "gold": Y,
    "a_std": np.round(RNG.random(N), 3),
    "rank a": np.argsort(A) + 0.5,
    "se_b": np.round(RNG.random(N), 3),
}
COLUMNS = {
    f"a column {name}": both(beside(**{name: values}), f"column '{name}'")
    for name, values in NO_MODELS.items()
}
COLUMNS |= {
    "an index without a name": Case(beside(**{"Unnamed: 0": np.arange(N)}), "scores", "scores"),
    "words": Case(beside(name=[f"case {i}" for i in range(N)]), "scores", "'name'"),
    "days": Case(beside(day=[f"2024-01-{1 + i % 28:02d}" for i in range(N)]), "scores", "'day'"),
    "flags": Case(beside(flag=words(("TRUE", "FALSE"), Y)), "scores", "'flag'"),
    "numbers and words": both(beside(c=[f"{i}" if i % 7 else "n/a" for i in range(N)]), "'c'"),
    "an empty column": both(beside(c=[""] * N), "'c'.* 40 missing"),
    "a comma at each end": Case(
        "".join(f"{line},\n" for line in SCORES.splitlines()), "column 4 of 4 has no name", "scores"
    ),
    "a comma at each end but the first": Case(
        SCORES.replace("\n", ",\n").replace(",\n", "\n", 1), "line 2 has 4 fields", "missing"
    ),
    "a name twice": Case(SCORES.replace("a,b", "a,a", 1), "same name: 'a'", None),
    "a name missing": Case(
        SCORES.replace("a,b", "a,", 1), "column 3 of 3 has no name", "two models"
    ),
    "names with blanks": both(SCORES.replace("y_true,a,b", " y_true , a , b ", 1), "kind"),
    "names in quotes": Case(
        SCORES.replace("y_true,a,b", '"y_true","a","b"', 1), "scores", "scores"
    ),
    "no names": both(SCORES.split("\n", 1)[1], "kind"),
    "names twice": both(SCORES + SCORES, "'a'"),
    "names again at the end": both(SCORES + SCORES.split("\n", 1)[0] + "\n", "'a'"),
    "a row of units": both(SCORES.replace("\n", "\n,score,score\n", 1), "'a'"),
    "a row of totals": Case(f"{SCORES}total,{A.sum():.3f},{B.sum():.3f}\n", "'y_true'", "'total'"),
    "a row of means": Case(
        f"{SCORES},{A.mean():.3f},{B.mean():.3f}\n", "'y_true' has 1 missing", "1 missing"
    ),
}

LINES = SCORES.splitlines()
FORMS = {
    "semicolons": Case(SCORES.replace(",", ";"), "is ';' the separator", None),
    "semicolons, told": Case(SCORES.replace(",", ";"), "scores", None, ("--sep", ";")),
    "decimal commas": Case(SCORES.replace(",", ";").replace(".", ","), "';'", None),
    "tabs": Case(SCORES.replace(",", "\t"), r"is '\\t' the separator", None),
    "tabs, told": Case(SCORES.replace(",", "\t"), "scores", None, ("--sep", "tab")),
    "pipes": Case(SCORES.replace(",", "|"), r"is '\|' the separator", None),
    "blanks for commas": Case(SCORES.replace(",", " "), "'y_true'", None),
    "tildes": Case(SCORES.replace(",", "~"), "'y_true'", None),
    "a mark of the order of bytes": Case("\ufeff" + SCORES, "scores", "scores"),
    "UTF-16": Case(SCORES.encode("utf-16"), "is not utf-8 text", None),
    "UTF-16, told": Case(SCORES.encode("utf-16"), "scores", None, ("--encoding", "utf-16")),
    "Latin-1": Case(SCORES.replace("a,b", "a,é", 1).encode("latin-1"), "is not utf-8", None),
    "lines of Windows": Case(SCORES.replace("\n", "\r\n"), "scores", "scores"),
    "lines of old Macs": Case(SCORES.replace("\n", "\r"), "scores", "scores"),
    "no last newline": Case(SCORES.rstrip("\n"), "scores", "scores"),
    "blank lines": Case(SCORES.replace("\n", "\n\n"), "scores", "scores"),
    "a comment": Case("# made by hand\n" + SCORES, "line 2 has 3 fields", None),
    "a title": Case("Results of the study\n" + SCORES, "line 2 has 3 fields", None),
    "blanks after commas": Case(SCORES.replace(",", ", "), "scores", "scores"),
    "numbers in quotes": Case(
        "\n".join(
            [LINES[0], *(f'"{line.replace(",", chr(34) + "," + chr(34))}"' for line in LINES[1:])]
        ),
        "scores",
        "scores",
    ),
    "a newline in quotes": Case(beside(note=["two\nlines"] * N), "scores", "'note'"),
    "a NUL": Case(SCORES.replace("1,", "1\0,", 1), "line 3 has a NUL", None),
    "an empty file": Case("", "it is empty", None),
    "an empty line": Case("\n\n", "it is empty", None),
    "names alone": Case("y_true,a,b\n", "has no rows", "at least one case"),
    "a row too short": Case(SCORES.rstrip("\n").rsplit(",", 1)[0], "line 41 has 2", "missing"),
    "a row too long": Case(SCORES.rstrip("\n") + ",9\n", "line 41 has 4 fields", None),
    "gzip": Case(gzip.compress(SCORES.encode()), "scores", "scores", suffix=".csv.gz"),
    "a workbook": Case(b"PK\x03\x04" + bytes(200), "zip file is damaged", None, suffix=".xlsx"),
    "a page": Case("<html><body><p>1</p></body></html>", "has no rows", None),
}

NUMBERS = {
    "NaN": "1 missing",
    "NA": "1 missing",
    "": "1 missing",
    "None": "'a'",
    "-": "'a'",
    "#N/A": "'a'",
    "high": "'a'",
    "12%": "'a'",
    '"1234.5x"': "'a'",
    "0x1F": "'a'",
    "1_000": "'a'",
    "0.5 mm": "'a'",
    "True": "'a'",
    "0.5*": "'a'",
    "0.5±0.1": "'a'",
    "<0.001": "'a'",
    "1/2": "'a'",
}
CELLS = {f"a score {cell!r}": both(with_cell(SCORES, cell), e) for cell, e in NUMBERS.items()}
CELLS |= {
    f"a label {cell!r}": both(with_cell(SCORES, cell, column=0), error)
    for cell, error in {"NaN": "1 missing", "": "1 missing"}.items()
}
CELLS |= {
    "a label of three": Case(with_cell(SCORES, "2", column=0), "'y_true'", "two classes, found 3"),
    "a label of words": Case(with_cell(SCORES, "x", column=0), "'y_true'", "two classes, found 3"),
    "half a label": Case(with_cell(SCORES, "0.5", column=0), "'y_true'", "continuous"),
    "a score 5e-1": Case(with_cell(SCORES, "5e-1"), "half", "half"),
    "a score +0.5": Case(with_cell(SCORES, "+0.5"), "half", "half"),
    "a score 0.50": Case(with_cell(SCORES, "0.50"), "half", "half"),
}


def truth(negative, positive):
    """Return the file of scores with other labels."""
    return rows(words((negative, positive), Y), A, B)


TRUTHS = {
    "labels no, yes": both(truth("no", "yes"), "found 'no', 'yes'"),
    "labels no, yes, told": Case(truth("no", "yes"), "scores", "scores", ("--pos-label", "yes")),
    "labels neg, pos": both(truth("neg", "pos"), "found 'neg', 'pos'"),
    "labels FALSE, TRUE": Case(truth("FALSE", "TRUE"), "scores", "scores"),
    "labels False, True": Case(truth("False", "True"), "scores", "scores"),
    "labels 1, 2": both(truth("1", "2"), "found 1, 2"),
    "labels -1, 1": Case(truth("-1", "1"), "scores", "scores"),
    "labels 0.0, 1.0": Case(truth("0.0", "1.0"), "scores", "scores"),
    "labels with blanks": Case(truth(" 0", "1 "), "scores", "scores"),
    "a positive label that is absent": both(truth(0, 1), "got '?2", "--pos-label", "2"),
}

LABELS = ("--kind", "labels")
NO, YES = ("no", "yes"), ("No", "Yes")
PREDICTIONS = {
    "predictions": Case(rows(Y, LABEL_A, LABEL_B), "labels", "labels", LABELS),
    "predictions in words": Case(
        rows(*(words(NO, c) for c in (Y, LABEL_A, LABEL_B))), "labels", "labels", LABELS
    ),
    "predictions in capitals": both(
        rows(words(NO, Y), words(YES, LABEL_A), words(YES, LABEL_B)), "'No', 'Yes'", *LABELS
    ),
    "one model in capitals": both(
        rows(words(NO, Y), words(NO, LABEL_A), words(YES, LABEL_B)), "'No', 'Yes'", *LABELS
    ),
    "predictions with blanks": both(
        rows(words(NO, Y), words(("no ", "yes "), LABEL_A), words(NO, LABEL_B)),
        "'no ', 'yes '",
        *LABELS,
    ),
    "predictions in another language": both(
        rows(words(NO, Y), words(("nein", "ja"), LABEL_A), words(NO, LABEL_B)),
        "'ja'(, | and )'nein'",
        *LABELS,
    ),
    "predictions 1 and 2": both(rows(Y, LABEL_A + 1, LABEL_B + 1), "labels 1, 2", *LABELS),
    "numbers for words": both(rows(words(NO, Y), LABEL_A, LABEL_B), "contains numbers", *LABELS),
    "predictions 0.0 and 1.0": Case(rows(Y, LABEL_A * 1.0, LABEL_B), "labels", "labels", LABELS),
    "predictions False and True": Case(
        rows(Y, LABEL_A.astype(bool), LABEL_B), "labels", "labels", LABELS
    ),
    "probabilities for predictions": both(
        rows(Y, PROBABILITY_A, PROBABILITY_B), "must contain labels", *LABELS
    ),
    "a prediction missing": both(rows(Y, [*LABEL_A[:-1], ""], LABEL_B), "1 missing", *LABELS),
    "an id beside predictions": both(
        table(y_true=Y, id=np.arange(N), a=LABEL_A, b=LABEL_B), "column 'id'", *LABELS
    ),
    "a probability beside predictions": both(
        table(y_true=Y, a=LABEL_A, a_proba=PROBABILITY_A, b=LABEL_B), "a_proba", *LABELS
    ),
}

GIVEN = ("--kind", "probabilities")
PROBABILITIES = {
    "probabilities": Case(rows(Y, PROBABILITY_A, PROBABILITY_B), "losses", "losses", GIVEN),
    "per cent": both(rows(Y, 100 * PROBABILITY_A, 100 * PROBABILITY_B), "'a' lie outside", *GIVEN),
    "one in per cent": both(rows(Y, PROBABILITY_A, 100 * PROBABILITY_B), "column 'b'", *GIVEN),
    "logits beside": both(rows(Y, PROBABILITY_A, B), "'b' lie outside", *GIVEN),
    "both classes": both(rows(Y, 1 - PROBABILITY_A, PROBABILITY_A), "sum to 1", *GIVEN),
    "both classes, as scores": both(
        rows(Y, np.round(1 - PROBABILITY_A, 3), PROBABILITY_A), "sum to 1", "--kind", "scores"
    ),
    "per cent signs": both(
        rows(Y, *([f"{100 * p:.1f}%" for p in c] for c in (PROBABILITY_A, PROBABILITY_B))),
        "'a'",
        *GIVEN,
    ),
    "weights beside": both(
        table(y_true=Y, a=PROBABILITY_A, b=PROBABILITY_B, weight=np.ones(N)), "'weight'", *GIVEN
    ),
    "slightly above 1": both(
        with_cell(rows(Y, PROBABILITY_A, PROBABILITY_B), "1.0000001"), "'a' lie outside", *GIVEN
    ),
}
CASES = {**COLUMNS, **FORMS, **CELLS, **TRUTHS, **PREDICTIONS, **PROBABILITIES}
