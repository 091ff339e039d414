"""The Bayesian sign test: on which share of data sets either of two models is better.

d are the differences of n data sets. What is known of the three shares before the data weighs as
much as one data set on which the models are equivalent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike

from ..._base.forward import forwards
from ..._inputs.pairs import as_pairs
from ..._inputs.scores import ScoreTable
from ...kernels.ties import ROUNDING
from .largest import largest_of_gammas
from .posterior import PosteriorResult, Practice, as_region, posterior_probabilities
from .sizes import sized_pairs

PRIOR = 1.0  # data sets on which the models are equivalent


@dataclass(frozen=True, eq=False, kw_only=True)
class BayesSignResult(PosteriorResult):
    """Result of `bayes_sign`: the data sets that each outcome has, and what they say."""

    n_a: int
    n_rope: int
    n_b: int

    rows: ClassVar[str] = "data sets"
    title: ClassVar[str] = "Bayesian sign test"


@forwards(as_region)
def bayes_sign(
    scores_a: ScoreTable, scores_b: ArrayLike | None = None, **practice: Unpack[Practice]
) -> BayesSignResult:
    """Say how probable it is that either model is better on most data sets.

    Returns
    -------
    BayesSignResult
        With ``probability_a`` (that the first model is better), ``probability_rope`` (that both
        are practically equivalent) and ``probability_b``, the numbers of data sets ``n_a``,
        ``n_rope`` and ``n_b`` that say so, ``rope``, ``higher_is_better``, ``names``, ``n``,
        ``n_dropped``, ``method``, ``status`` and ``summary()``.

    See Also
    --------
    bayes_signed_rank : The sizes of the differences count, too.
    sign_test : The test that this replaces.

    Notes
    -----
    The shares of data sets with each outcome are Dirichlet with the three counts, one more for
    equivalence: the prior. The probability of an outcome is that its share is the largest. It is
    integrated to 12 digits, so there are no draws and no seed. The region holds its ends, and
    differences beyond them by no more than 2^-50 of their scores, which is rounding; without a
    region only those are equivalent whose scores are equal.

    References
    ----------
    .. [1] A. Benavoli, G. Corani, J. Demšar, M. Zaffalon (2017), Journal of Machine Learning
       Research 18(77), 1-36.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.bayes_sign([.05, .02, .03, .04, .02, .06, .03, .005, 0, -.02])
    >>> round(result.probability_a, 5), round(result.probability_rope, 5)
    (0.90529, 0.08881)
    >>> round(result.probability_b, 6)
    0.005901
    """
    region, higher, nan_policy = as_region(**practice)
    pairs = as_pairs(scores_a, scores_b, nan_policy=nan_policy)

    d, _, room = sized_pairs(pairs)
    limit = region + np.where(region > 0.0, np.maximum(room, ROUNDING * region), 0.0)
    above, below = int(np.count_nonzero(d > limit)), int(np.count_nonzero(d < -limit))
    within = d.size - above - below
    chances = largest_of_gammas((above, within + PRIOR, below))

    return BayesSignResult(
        **posterior_probabilities(chances.tolist(), higher),
        n_a=above if higher else below,
        n_rope=within,
        n_b=below if higher else above,
        rope=region,
        higher_is_better=higher,
        names=pairs.names,
        n=d.size,
        n_dropped=pairs.n_dropped,
        method="Bayesian sign test",
        status="ok",
    )
