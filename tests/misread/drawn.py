"""The data that all files of the corpus are made of."""

import numpy as np
import pandas as pd

RNG = np.random.default_rng(5)
N, K = 40, 12
Y = np.arange(N) % 2
A = np.round(0.9 * Y + RNG.normal(size=N), 3)
B = np.round(0.5 * Y + RNG.normal(size=N), 3)
PROBABILITY_A, PROBABILITY_B = (np.round(1.0 / (1.0 + np.exp(-s)), 3) for s in (A, B))
LABEL_A, LABEL_B = ((s > 0.4).astype(int) for s in (A, B))
SETS = [f"set {i}" for i in range(K)]
RATES = np.round(0.7 + 0.05 * RNG.normal(size=(K, 3)) + [0.02, 0.0, 0.0], 4)
MODELS = ("svm", "forest", "bayes")
PLAYED = RNG.integers(0, 3, 60)
AGAINST = (PLAYED + 1 + RNG.integers(0, 2, 60)) % 3
OUTCOME = RNG.integers(0, 3, 60)


def table(**columns):
    """Return columns as the text of a file."""
    return pd.DataFrame(columns).to_csv(index=False)


def rows(y, a, b, head="y_true,a,b"):
    """Return three columns as text, whatever they hold."""
    return "".join(f"{line}\n" for line in [head, *map("{},{},{}".format, y, a, b)])


def words(of, codes):
    """Return a word for each code."""
    return [of[code] for code in codes]


def with_cell(text, cell, row=3, column=1):
    """Return a file with another cell."""
    lines = text.splitlines()
    fields = lines[row].split(",")
    fields[column] = cell
    lines[row] = ",".join(fields)
    return "\n".join(lines) + "\n"


SCORES = table(y_true=Y, a=A, b=B)
WIDE = table(dataset=SETS, **dict(zip(MODELS, RATES.T, strict=True)))
LONG = pd.DataFrame(
    [(m, s, RATES[i, j]) for i, s in enumerate(SETS) for j, m in enumerate(MODELS)],
    columns=["model", "dataset", "accuracy"],
)


def battles(winner, **columns):
    """Return battles as the text of a file."""
    names = ("x", "y", "z")
    return table(
        model_a=words(names, PLAYED), model_b=words(names, AGAINST), winner=winner, **columns
    )


def winners(first, second, tie="tie"):
    """Return who won each battle, by what the first and the second are called."""
    return [(a, b, tie)[o] for a, b, o in zip(first, second, OUTCOME, strict=True)]


SIDES = winners(["model_a"] * 60, ["model_b"] * 60)
