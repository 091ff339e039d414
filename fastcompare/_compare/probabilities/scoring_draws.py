"""Random signs and weights that several pairs of models share."""

from collections.abc import Callable

import numpy as np

from ..._base.parallel import Checkpoint
from ..._inputs.randomness import key_of
from ..._resampling.blocks import all_blocks
from ..._resampling.bootstrap import Draws
from ..._resampling.weights import Strata, run_blocks
from .flips import flipped_sums, in_order
from .loss_moments import WeightedMeans
from .scoring_methods import Differences


def draw_flips(some: list[Differences], draws: Draws, checkpoint: Checkpoint) -> list[Differences]:
    """Return the differences with their sums by random signs, where not all signs are counted."""
    many = [i for i, one in enumerate(some) if not one.has_few(draws)]
    if not many:
        return some
    rows = np.stack([in_order(some[i].units)[0] for i in many])
    sums = flipped_sums(rows, key_of(draws.seed), all_blocks(draws.n), checkpoint)
    drawn = dict(zip(many, sums.reshape(len(rows), -1)[:, : draws.n], strict=True))
    return [one._replace(drawn=drawn.get(i)) for i, one in enumerate(some)]


def draw_means(some: list[Differences], draws: Draws, checkpoint: Checkpoint) -> list[Differences]:
    """Return the differences with their means by random weights."""
    rows = np.stack([one.d for one in some])
    strata = Strata(rows.shape[1:], key_of(draws.seed))
    means = run_blocks(WeightedMeans(rows), strata, all_blocks(draws.n), checkpoint)
    drawn = means[:, : draws.n]
    return [one._replace(drawn=values) for one, values in zip(some, drawn, strict=True)]


DRAWS: dict[str, Callable[[list[Differences], Draws, Checkpoint], list[Differences]]] = {
    "permutation": draw_flips,
    "bootstrap": draw_means,
}
