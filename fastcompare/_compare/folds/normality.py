"""How normal the differences of models are, which t-tests and ANOVA take for granted.

It reports and decides nothing: a test that a preliminary test chooses does not hold its level.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._base.documented import documented
from ..._base.text import equation, show_pvalue
from ..._base.types import NanPolicy, Undefined, Vector
from ..._inference.corrections.adjust import CORRECTIONS
from ..._inference.corrections.words import as_correction
from ..._inference.status import announce
from ..._inputs.arrays import as_float_array, read_once
from ..._inputs.models import as_model_table
from ..._inputs.options import check_undefined
from ..._inputs.scores import ScoreTable, named_columns
from ..._results.pairs import Pairs, adjusted, pairs_named, pairs_of
from ..._results.records import Record
from ..paired.sizes import Sized, are_constant, sized


@dataclass(frozen=True, eq=False, kw_only=True)
class NormalityResult(Record):
    """Result of `normality_report`: arrays over the P pairs of models."""

    pairs: Pairs
    statistic: Vector
    pvalue: Vector
    adjusted_pvalue: Vector
    mean: Vector
    standard_deviation: Vector
    skewness: Vector
    excess_kurtosis: Vector
    correction: str
    n: int
    n_dropped: int
    method: str
    status: NDArray[np.str_]
    title: ClassVar[str] = "Normality of the differences of models"

    def _summary(self) -> str:
        """Return the result in a sentence of plain words, at the 5 % level."""
        if np.isnan(self.pvalue).all():
            return "No differences vary: they have no distribution to speak of."
        least = int(np.nanargmin(self.pvalue))
        found = int(np.count_nonzero(self.adjusted_pvalue < 0.05))
        kind = "p" if self.correction == "none" else "adjusted p"
        p = equation(kind, show_pvalue(float(self.adjusted_pvalue[least])))
        which = " less ".join(self.pairs[least])
        return (
            f"Of {len(self.pairs)} columns of differences over {self.n} rounds, {found} depart "
            f"from a normal distribution at the 5 % level; most does {which} ({self.method}, W "
            f"= {self.statistic[least]:.4f}, {p}, skewness {self.skewness[least]:.2f}, "
            f"excess kurtosis {self.excess_kurtosis[least]:.2f})."
        )


@documented
def normality_report(
    scores: ScoreTable | ArrayLike,
    *,
    correction: str = "holm",
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> NormalityResult:
    """Report how normal the differences of all pairs of models are.

    Nothing here, or anywhere in this package, chooses a test by it: that would change the level of
    the test chosen. Differences far from normal are a reason to take `wilcoxon_test` or
    `sign_test` from the start.

    Parameters
    ----------
    scores : array-like of shape (J, k) or (J,), mapping or data frame
        Any metric, a row for each of at least three rounds and a column a model; or the differences
        of two models.
    on_undefined : {'warn', 'raise', 'ignore'}, default='warn'
        What to do with differences that do not vary.

    Returns
    -------
    NormalityResult
        With ``pairs`` (P names) and of shape (P,) ``statistic`` (W of Shapiro and Wilk),
        ``pvalue``, ``adjusted_pvalue``, ``mean``, ``standard_deviation``, ``skewness``,
        ``excess_kurtosis`` (both 0 for a normal distribution) and ``status``; ``correction``,
        ``n`` (J, complete rounds), ``n_dropped``, ``method``, ``summary()`` and ``to_dict()``.

    Warns
    -----
    UndefinedResultWarning
        Once, if differences do not vary; their entries are NaN.

    See Also
    --------
    wilcoxon_test : Needs symmetric differences only.
    mauchly_test : The other assumption of an ANOVA.

    Notes
    -----
    W and its p-value are those of ``scipy.stats.shapiro``, which are approximate beyond 5,000
    rounds. They take the rounds for independent, so rounds that share cases can only be described.

    References
    ----------
    .. [1] S. S. Shapiro, M. B. Wilk (1965), doi:10.1093/biomet/52.3-4.591.
    .. [2] P. Royston (1995), doi:10.2307/2986146.

    Examples
    --------
    >>> import numpy as np
    >>> import fastcompare as fc
    >>> scores = np.random.default_rng(0).normal(size=(30, 3))
    >>> result = fc.normality_report(scores)
    >>> len(result.pairs), bool((result.adjusted_pvalue > 0.05).all())
    (3, True)
    """
    correction = as_correction("correction", correction, ("none", *CORRECTIONS))
    check_undefined(on_undefined)
    table = as_model_table(
        differences_table(scores), rows="rounds", nan_policy=nan_policy, least_rows=3
    )

    scale = float(np.abs(table.apart).max())
    exponent = math.frexp(scale)[1] + 1  # so that differences are at most 1
    models, pairs = np.ldexp(table.apart.T, -exponent), pairs_of(table.names)
    shapes = [shape_of(sized(a - b, [a, b]), exponent) for a, b in combinations(models, 2)]
    w, p, mean, deviation, skewness, kurtosis = np.array(shapes).T
    status = np.where(np.isnan(w), "constant_differences", "ok")
    constant = np.isnan(w)
    announce(status[constant.argmax()], on_undefined, pairs_named(pairs, constant))

    return NormalityResult(
        pairs=pairs,
        statistic=w,
        pvalue=p,
        adjusted_pvalue=adjusted(p, correction),
        mean=mean,
        standard_deviation=deviation,
        skewness=skewness,
        excess_kurtosis=kurtosis,
        status=status,
        correction=correction,
        n=len(table.values),
        n_dropped=table.n_dropped,
        method="Shapiro-Wilk test",
    )


def differences_table(scores: object) -> Any:
    """Return a column of differences as those of two models, anything else as it is."""
    if named_columns("scores", scores) is not None:
        return scores
    scores = read_once(scores)
    values = as_float_array("scores", scores)
    return np.stack([values, np.zeros_like(values)], axis=1) if values.ndim == 1 else scores


class Shape(NamedTuple):
    """Shapiro and Wilk's W of differences with its p-value, and their moments."""

    statistic: float
    pvalue: float
    mean: float
    standard_deviation: float
    skewness: float
    excess_kurtosis: float


def shape_of(differences: Sized, exponent: int) -> Shape:
    """Return the shape of differences in units of 2^exponent, NaN where they do not vary."""
    from scipy.stats import shapiro

    d = differences.d
    centre = float(d.mean())
    mean = float(np.ldexp(centre, exponent))
    if are_constant(differences):
        return Shape(math.nan, math.nan, mean, 0.0, math.nan, math.nan)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # beyond 5,000 rounds, as the docstring says
        w, p = shapiro(d)
    apart = d - centre
    total = float((apart * apart).sum())
    unit = apart / math.sqrt(total / d.size)
    square = unit * unit  # powers are made by products: pow() takes ten times as long
    return Shape(
        float(w),
        float(p),
        mean,
        float(np.ldexp(math.sqrt(total / (d.size - 1)), exponent)),
        float((square * unit).mean()),
        float((square * square).mean()) - 3.0,
    )
