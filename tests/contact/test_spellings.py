"""Labels that are written in several ways are read as one, with a line; others stay apart.

Each table has a pattern of the lines that say how its columns were read, or of the question.
"""

import re

import numpy as np
import pytest

import fastcompare as fc

from .doors import by_python, ways_of_python

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(43)
N = 90
Y = RNG.integers(0, 2, N)
K = RNG.integers(0, 3, N)
IDS = np.arange(N) + 301
ILL = int(np.argmax(Y))  # the first row of the positive class
TWO = {x: (Y + RNG.normal(0, 1, N)).round(2) for x in ("a", "b")}
SEX = np.array(["f", "m"])[RNG.integers(0, 2, N)]


def words(codes, *texts, other=(), rows=(0, 1)):
    """Return codes as words, some rows of which have another one."""
    column = np.array(texts, object)[codes]
    column[[*rows][: len(other)]] = other
    return column


def guess(codes, size, rate=0.8):
    """Return codes of which some are drawn anew."""
    return np.where(RNG.random(N) < rate, codes, RNG.integers(0, size, N))


PAIR = ("no complication", "complication")
OUTCOME = words(Y, *PAIR, other=["Complication "], rows=[ILL])
GENES, LETTERS, UNITS = ("AA", "Aa", "aa"), ("a", "A", "b"), ("mHz", "MHz", "Hz")
MOLECULES = ["c1ccccc1", "C1CCCCC1", *(f"{x}CC{y}" for x in "CN" for y in ("O", "N", "C", "F"))]
TABLES = {
    "capitals and blanks": (
        {"id": IDS, "sex": SEX, "outcome": OUTCOME, **TWO},
        "Spellings in 'outcome': 'Complication' as 'complication'.*True labels: 'outcome'",
    ),
    "two blanks": (
        {"outcome": words(Y, *PAIR, other=["no  complication"], rows=[int(np.argmin(Y))]), **TWO},
        "'no  complication' as 'no complication'.*True labels: 'outcome'",
    ),
    "letters for yes and no": (
        {"died": words(Y, "N", "Y", other=["y"], rows=[ILL]), **TWO},
        "'y' as 'Y'.*True labels: 'died'",
    ),
    "true labels beside predicted ones": (
        {
            "truth": words(
                K, "cat", "dog", "owl", other=["Owl", "OWL"], rows=[*np.nonzero(K == 2)[0]]
            )
        }
        | {x: words(guess(K, 3), "cat", "dog", "owl") for x in ("cnn", "svm")},
        "Spellings in 'truth': 'OWL' as 'owl', 'Owl' as 'owl'",
    ),
    "predicted labels of methods": (
        {"label": words(Y, "No", "Yes", other=["no", "yes"], rows=[int(np.argmin(Y)), ILL])}
        | {f"method{j}": words(guess(Y, 2), "no", "Yes", other=["No", "yes"]) for j in (1, 2)},
        "Spellings in 'method1'.*True labels: 'label'.*Models: 'method1' and 'method2'",
    ),
    # look-alikes
    "methods beside labels": (
        {"question": np.repeat(IDS[:30], 3), "method": np.tile(["RF", "rf", "svm"], 30)}
        | {"label": np.repeat(words(Y[:30], "no", "yes"), 3), "pred": words(Y, "no", "yes")},
        "^(?!.*Spellings).*Models: 'RF', 'rf' and 'svm'",
    ),
    "patients": (
        {"patient": words(K, "no", "No", "yes"), "label": words(Y, "no", "yes"), **TWO},
        "^(?!.*Spellings).*True labels: 'label'",
    ),
    "genotypes": (
        {"true": words(K, *GENES), **{x: words(guess(K, 3), *GENES) for x in ("a", "b")}},
        "^(?!.*Spellings).*True labels: 'true'",
    ),
    "handwritten letters": (
        {"true": words(K, *LETTERS), **{x: words(guess(K, 3), *LETTERS) for x in ("a", "b")}},
        "^(?!.*Spellings).*True labels: 'true'",
    ),
    "two classes that differ by case": (
        {"y": words(Y, "rna", "RNA"), **TWO},
        "^(?!.*Spellings).*positive class, 'RNA' or 'rna'",
    ),
    "sites": (
        {"y": Y, "site": words(K, "Bern", "BERN", "Genf"), **TWO},
        "^(?!.*Spellings).*True labels: 'y'",
    ),
    "molecules": (
        {"molecule": np.repeat(MOLECULES, 2), "model": np.tile(["gnn", "rf"], 10)}
        | {"correct": Y[:20]},
        "^(?!.*Spellings).*in rows of each 'molecule'",
    ),
    "genes of people and mice": (
        {"gene": np.repeat(["TP53", "Tp53", "MYC", "EGFR"], 2), "model": ["gnn", "rf"] * 4}
        | {"correct": Y[:8]},
        "^(?!.*Spellings).*in rows of each 'gene'",
    ),
    "units": (
        {"true": words(K, *UNITS), **{x: words(guess(K, 3), *UNITS) for x in ("a", "b")}},
        "^(?!.*Spellings).*True labels: 'true'",
    ),
    "models": (
        {"question": np.repeat(IDS[:30], 3), "model": np.tile(["gpt", "GPT", "phi"], 30)}
        | {"correct": Y},
        "^(?!.*Spellings).*Models: 'GPT', 'gpt' and 'phi'",
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_spellings_of_a_label_are_one_class(name):
    table, says = TABLES[name]
    found, said = by_python(table)
    reasons = said if found is None else " ".join(found["decisions"])
    assert re.search(says, reasons), reasons
    for way in ways_of_python(said):
        assert by_python(table, **way)[0] is not None, way


@pytest.mark.parametrize("options", [{}, {"label": "outcome", "pos_label": "Complication"}])
def test_merged_labels_are_compared_as_one_spelling(options):
    found, said = by_python({"outcome": OUTCOME, **TWO}, **options)
    assert found is not None, said
    assert found["result"]["pvalue"] == fc.delong_test(Y, TWO["a"], TWO["b"]).pvalue
