"""The covariance of the mean scores of k models on the same items, and the test that all agree."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple, TypedDict

import numpy as np
from numpy.typing import ArrayLike

from ..._base.documented import documented
from ..._base.types import Matrix, NanPolicy, Undefined, Vector
from ..._inference.answer_means import Answers, answers_of
from ..._inference.clusters import cluster_status
from ..._inference.item_means import ROUNDING, MeanDesign, mean_design
from ..._inference.many_means import mean_covariance_of, plain_design
from ..._inference.pvalues import CERTAIN, UNDEFINED, PValue, f_pvalue
from ..._inference.quadratic import as_f, quadratic_form
from ..._inference.status import announce
from ..._inputs.items import Items
from ..._inputs.many_items import JOINT, as_item_table
from ..._inputs.options import check_undefined
from ..._inputs.scores import ScoreTable
from ..._results.omnibus import Degrees, OmnibusResult
from ..._results.records import Record
from .words import caution, degrees_counted, design_word, items_counted


@dataclass(frozen=True, eq=False, kw_only=True)
class MeanCovarianceResult(Record):
    """Result of `mean_covariance`."""

    names: tuple[str, ...]
    means: Vector
    covariance: Matrix
    df: float
    n: int
    n_clusters: int
    n_strata: int
    n_dropped: int
    design: str
    status: str
    _answers: Answers | None = field(repr=False)

    title: ClassVar[str] = "Covariance of mean scores"
    _has_interval: ClassVar[bool] = True  # of each model, in tables

    @property
    def standard_error(self) -> Vector:
        """The standard errors (k,) of the means."""
        return np.asarray(np.sqrt(np.maximum(np.diag(self.covariance), 0.0)))

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        counted = items_counted(self.n, self.n_clusters, self.n_strata, None, False, self.n_dropped)
        known = not math.isnan(self.df)
        errors = [f" (SE {error:.2g})" if known else "" for error in self.standard_error]
        told = zip(self.names, self.means, errors, strict=True)
        listed = ", ".join(f"{name} {mean:.4g}{error}" for name, mean, error in told)
        degrees = f", {degrees_counted(self.df)}" if known else ""
        note = "" if known else caution(self.status, self.df)
        return f"The mean scores are {listed}; {counted}{degrees}.{note}"


@dataclass(frozen=True, eq=False, kw_only=True)
class MeanOmnibusResult(OmnibusResult):
    """Result of `mean_omnibus_test`; `statistic` is F."""

    names: tuple[str, ...]
    means: Vector
    chi2: float
    n: int
    n_clusters: int
    n_strata: int
    design: str

    quantity: ClassVar[str] = "score"  # what means are of, and of what; a loss of cases, say
    unit: ClassVar[str] = "item"
    title: ClassVar[str] = "Test that all mean scores are equal"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        counted = items_counted(
            self.n, self.n_clusters, self.n_strata, None, False, self.n_dropped, self.unit
        )
        if math.isnan(self.pvalue):
            whether = f"Whether the {len(self.names)} mean {self.quantity}s are equal is undefined"
            return f"{whether} ({counted}).{caution(self.status, math.nan)}"
        if self.status == "no_difference":
            every = f"the same {self.quantity} on every {self.unit}"
            return f"The {len(self.names)} models have {every} ({counted})."
        least, most = (f"{end(self.means):.4g}" for end in (np.min, np.max))
        return (
            f"Hotelling's test that the {len(self.names)} mean {self.quantity}s, from {least} to "
            f"{most}, are equal gives {self._evidence()} ({counted})."
        )


@documented
def mean_covariance(
    scores: ScoreTable,
    *,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> MeanCovarianceResult:
    """Return the mean scores of k models on the same items, and their covariance.

    Parameters
    ----------
    scores : array-like of shape (n, k) or (n, k, K), mapping or data frame
        As in `mean_pairwise_test`.
    sample_weight : array-like of shape (n,), optional
        How much an item counts, at least 0; items of weight 0 are dropped.
    groups : array-like of shape (n,) or (n, 2), optional
        The cluster of an item, of any type. Two columns are clusters of two kinds at once.

    Returns
    -------
    MeanCovarianceResult
        With ``names``, ``means`` (k,), ``covariance`` (k, k), ``standard_error`` (k,), ``df``,
        ``n``, ``n_clusters``, ``n_strata``, ``n_dropped``, ``design`` and ``status``.

    Warns
    -----
    UndefinedResultWarning
        If there is one item or cluster, or one in a stratum: the covariance is NaN.
    SmallSampleWarning
        'few_clusters', if there are fewer than 4 degrees of freedom.

    See Also
    --------
    mean_pairwise_test : Tests of all differences.

    Notes
    -----
    CR2 [1]_, the sum over clusters of S_g S_g' / (n^2 (1 - n_g / n)), where S_g are the sums of
    deviations from the means. Its rank is at most the number of clusters less 1.

    References
    ----------
    .. [1] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.

    Examples
    --------
    >>> import fastcompare as fc
    >>> scores = {"large": [1, 1, 0, 1, 1, 1, 1, 1], "small": [1, 0, 0, 0, 1, 1, 0, 1]}
    >>> print(fc.mean_covariance(scores).summary())
    The mean scores are large 0.875 (SE 0.13), small 0.5 (SE 0.19); 8 items, 7 degrees of freedom.
    """
    check_undefined(on_undefined)
    items = as_item_table(
        scores,
        nan_policy=nan_policy,
        policies=JOINT,
        groups=groups,
        sample_weight=sample_weight,
        strata=strata,
    )
    design = mean_design(items.links)
    status = cluster_status(design.df) if design.word == "ok" else design.word
    announce(status, on_undefined)
    means, covariance = mean_covariance_of(items.scores, design)
    return MeanCovarianceResult(
        **item_fields(items, design),
        means=means,
        covariance=covariance,
        df=design.df,
        status=status,
        _answers=answers_of(items, design),
    )


@documented
def mean_omnibus_test(
    scores: ScoreTable,
    *,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> MeanOmnibusResult:
    """Test that k models that answered the same items have the same mean score.

    Parameters
    ----------
    scores : array-like of shape (n, k) or (n, k, K), mapping or data frame
        As in `mean_pairwise_test`.
    sample_weight : array-like of shape (n,), optional
        How much an item counts, at least 0; items of weight 0 are dropped.
    groups : array-like of shape (n,) or (n, 2), optional
        The cluster of an item, of any type. Two columns are clusters of two kinds at once.

    Returns
    -------
    MeanOmnibusResult
        With ``names``, ``means`` (k,), ``statistic`` (F), ``df`` (both degrees of freedom),
        ``chi2``, ``pvalue``, ``log_pvalue``, ``n``, ``n_clusters``, ``design``, ``method`` and
        ``status``.

    Warns
    -----
    UndefinedResultWarning
        'too_many_models', if there are no more clusters than contrasts; 'singular', if the models
        differ in a direction without variance.

    See Also
    --------
    mean_pairwise_test : Which models differ.

    Notes
    -----
    With d the mean differences from the first model, and S their covariance::

        T^2 = d' S^-1 d,    F = (G - q) / (q (G - 1)) T^2

    Hotelling's T^2 with the covariance CR1: with q = k - 1 contrasts and G clusters, (G - q) /
    (q (G - 1)) T^2 has the distribution F(q, G - q). Chi-squared would be far too liberal. Models
    with the same score on every item count once.

    References
    ----------
    .. [1] H. Hotelling (1931), doi:10.1214/aoms/1177732979.

    Examples
    --------
    >>> import fastcompare as fc
    >>> scores = {"large": [1, 1, 0, 1, 1, 1, 1, 1], "base": [1, 0, 0, 1, 0, 1, 0, 1],
    ...           "small": [0, 0, 0, 1, 0, 0, 0, 1]}
    >>> print(fc.mean_omnibus_test(scores).summary())
    Hotelling's test that the 3 mean scores, from 0.25 to 0.875, are equal gives F(2, 6) = 5.000, p
    = 0.0527 (8 items).
    """
    check_undefined(on_undefined)
    items = as_item_table(
        scores,
        nan_policy=nan_policy,
        policies=JOINT,
        groups=groups,
        sample_weight=sample_weight,
        strata=strata,
    )
    design = plain_design(items.links)
    found = hotelling(items.scores, design)
    announce(found.status, on_undefined)
    return MeanOmnibusResult(
        **item_fields(items, design),
        means=design.means(items.scores),
        chi2=found.chi2,
        statistic=found.f,
        df=found.df,
        pvalue=found.tail.pvalue,
        log_pvalue=found.tail.log_pvalue,
        method="Hotelling's test",
        status=found.status,
    )


class ItemFields(TypedDict):
    """Fields that say what was compared."""

    names: tuple[str, ...]
    n: int
    n_clusters: int
    n_strata: int
    n_dropped: int
    design: str


def item_fields(items: Items, design: MeanDesign) -> ItemFields:
    """Return the fields that say what was compared."""
    return ItemFields(
        names=items.names,
        n=items.links.n,
        n_clusters=design.n_clusters,
        n_strata=design.n_strata,
        n_dropped=items.n_dropped,
        design=design_word(items.links),
    )


class Hotelling(NamedTuple):
    """Chi-squared, F with its degrees of freedom, the p-value and the status word."""

    chi2: float
    f: float
    df: Degrees
    tail: PValue
    status: str


def hotelling(scores: Matrix, design: MeanDesign) -> Hotelling:
    """Return the test that the differences from the first model are all 0."""
    most = scores.shape[1] - 1
    if design.word != "ok":
        return Hotelling(math.nan, math.nan, (most, math.nan), UNDEFINED, design.word)
    gaps = scores[:, 1:] - scores[:, :1]
    estimate = design.means(gaps)
    covariance, noise = design.covariance(gaps - estimate), ROUNDING * np.abs(scores).max()
    if np.diag(covariance).min() < 0.0:  # of clusters of two kinds
        return Hotelling(math.nan, math.nan, (most, math.nan), UNDEFINED, "negative_variance")
    form = quadratic_form(estimate, covariance, noise, noise)
    f, df = as_f(form.statistic, form.rank, design.df)
    if form.status == "identical":
        return Hotelling(0.0, math.nan, df, CERTAIN, "no_difference")
    if form.status != "ok" or df[1] <= 0.0:
        word = "too_many_models" if most > design.df or df[1] <= 0.0 else "singular"
        return Hotelling(math.nan, math.nan, df, UNDEFINED, word)
    return Hotelling(form.statistic, f, df, f_pvalue(f, *df), "ok")
