"""The world of battles: those that were fought, between models of one strength."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._base.types import Vector
from .._compare.items.bradley_terry import bradley_terry
from .._inputs.advice import refuse_trust
from .._inputs.labels import as_label_column
from .held import Held
from .own_world import QUIET, OwnWorld

TRIALS = 200  # a fit takes milliseconds
KEPT = (
    "Who met whom, and the share of ties, stay as they are; outcomes are drawn by Bradley and "
    "Terry's model."
)
MOST = 12.0  # of differences of strengths: odds of 160,000 to 1


def battles_world(held: Held) -> OwnWorld:
    """Return the world of battles between equal models; the strength of the first one is shifted.

    Who met whom stays as it is, and so does the share of ties between equals.
    """
    assert held.battles is not None
    first, second = (as_label_column("data", names) for names in held.battles[:2])
    if held.options or first.missing is not None or second.missing is not None:
        refuse_trust("battles in clusters, with weights or with missing names")
    fit = bradley_terry(*held.battles, **QUIET)
    if np.isnan(fit.standard_error).any():
        refuse_trust("battles that do not lead from every model to every other one")
    names = (first.values, second.values)
    sides = [1.0 * (column.astype(str) == fit.names[0]) for column in names]
    nu = 2.0 * fit.n_ties / (fit.n - fit.n_ties)  # of equals: ties have the odds nu to 2

    def draw(rng: np.random.Generator, effect: float) -> tuple[Any, ...]:
        return *names, drawn_outcomes(effect * (sides[0] - sides[1]), nu, rng)

    several = " with Bonferroni correction" if len(fit.names) > 2 else ""
    return OwnWorld(
        draw,
        smallest_pvalue,
        f"bradley_terry{several}",
        first.values.size,
        "battles",
        float(fit.pairwise(correction="none").standard_error.max()),
        MOST,
        "strength",
        KEPT,
        most_trials=TRIALS,
    )


def drawn_outcomes(x: Vector, nu: float, rng: np.random.Generator) -> Vector:
    """Return how battles end for the first model, 1, 0.5 or 0, by Davidson's model."""
    win, loss = np.exp(0.5 * x), np.exp(-0.5 * x)
    drawn = rng.random(x.size) * (win + nu + loss)
    return np.where(drawn < win, 1.0, np.where(drawn < win + nu, 0.5, 0.0))


def smallest_pvalue(first: NDArray[Any], second: NDArray[Any], won: Vector) -> float:
    """Return the smallest p-value of all pairs times their number; max-t takes 20 times longer."""
    pairs = bradley_terry(first, second, won, **QUIET).pairwise(correction="none")
    return min(1.0, float(pairs.pvalue.min()) * len(pairs.pairs))
