"""How often equal models are called different on items in unequal clusters, by other packages, too.

    python -m studies.neighbours [--trials N] [--jobs J] [--write]

It needs errorbars and stambo, which nothing else of this project does: install them first. Twenty
documents have 400 questions, in one case half of them in one. A document may be easier for one
model and harder for the other; on average both score 0.
"""

import warnings
from collections.abc import Sequence
from importlib import import_module

import numpy as np

import fastcompare as fc

from .tables import markdown, percent, run

DOCUMENTS, QUESTIONS, CORRELATION = 20, 400, 0.2
SIZES = {
    "equal": np.full(DOCUMENTS, QUESTIONS // DOCUMENTS),
    "one has a quarter": np.append(np.full(DOCUMENTS - 1, 16), 96),
    "one has half": np.append(np.full(DOCUMENTS - 1, 10), 190),
}
PACKAGES = ("errorbars 0.2.4", "stambo 0.1.6", "fastcompare")


def answers(documents: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return what two equal models score: their difference has a part that documents share."""
    shared = rng.normal(size=(2, DOCUMENTS))[:, documents]
    own = rng.normal(size=(2, documents.size))
    return np.sqrt(CORRELATION) * shared + np.sqrt(1.0 - CORRELATION) * own


def pvalues(a: np.ndarray, b: np.ndarray, documents: np.ndarray) -> list[float]:
    """Return what each package answers by its defaults, in the order of PACKAGES."""
    clustered = import_module("errorbars.compare").paired_compare(a, b, clusters=documents)
    mean = {"mean": lambda x: x.mean()}
    tested = import_module("stambo").two_sample_test(
        a, b, mean, groups=documents, n_bootstrap=1000, seed=0, silent=True
    )
    ours = fc.paired_mean_test(a, b, groups=documents)
    return [clustered.p_value_clustered, float(tested["mean"][0]), ours.pvalue]


def rates(sizes: str, trials: int) -> list[float]:
    """Return how often each package calls the models different, of such documents."""
    warnings.simplefilter("ignore")
    rng, documents = np.random.default_rng(0), np.repeat(np.arange(DOCUMENTS), SIZES[sizes])
    found = [pvalues(*answers(documents, rng), documents) for _ in range(trials)]
    return np.mean(np.array(found) < 0.05, axis=0).tolist()


def show(cells: Sequence[str], found: list[list[float]]) -> str:
    """Return a table of percentages."""
    rows = ([cell, *map(percent, each)] for cell, each in zip(cells, found, strict=True))
    return markdown(["20 documents", *PACKAGES], rows)


if __name__ == "__main__":
    run("neighbours", "evidence/clusters.md", list(SIZES), rates, show, trials=2000)
