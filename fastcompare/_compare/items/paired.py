"""Test that two models have the same mean score on items that both answered."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike

from ..._base.documented import forwards
from ..._base.text import equation, plural, show_pvalue
from ..._base.types import Alternative, Fields, NanPolicy, Undefined, Vector
from ..._inference.bounded import BoundedMean
from ..._inference.infer import Inference
from ..._inference.means import item_mean, mean_design
from ..._inference.pvalues import claim_ends
from ..._inference.skewness import SkewedEnds
from ..._inference.status import announce
from ..._inputs.chunks.cases import PairStream, as_item_stream, check_item_options
from ..._inputs.items import Items, as_two_models
from ..._inputs.models import finite_differences
from ..._inputs.options import check_undefined
from ..._inputs.plans.sizes import SPREADING, as_lags, as_mean_method, check_links
from ..._inputs.scores import UNNAMED, ScoreTable
from ..._resampling.bootstrap import Claim, Drawing, as_claim, as_draws
from ..._results.records import Result
from ..paired.columns import Ends
from .methods import (
    CLUSTERED,
    METHODS,
    STUDENT,
    Differences,
    MeanTest,
    Procedure,
    caution,
    design_word,
    difference_status,
    items_counted,
    lagged_mean,
    skewed_test,
)
from .power import (
    Plannable,
    Planned,
    Sampling,
    components_of,
    count_samples,
    resolution_of,
    sampling_of,
)
from .streamed import (
    PlainMean,
    StreamedMean,
    mean_of_stream,
    plain_mean,
    plain_of_stream,
    streamed_test,
)

ALONE = {  # fields of tests that draw nothing, and of items of one sample
    **{"n_resamples": 0, "seed": None, "distribution": None},
    **{"variance_items": None, "variance_samples": None, "icc": None},
}


@dataclass(frozen=True, eq=False, kw_only=True)
class PairedMeanResult(Result, Plannable):
    """Result of `paired_mean_test`; `estimate` is ``means[0] - means[1]``."""

    df: float
    means: Vector | None
    n: int
    n_samples: Vector
    n_clusters: int
    n_strata: int
    n_dropped: int
    design: str
    variance_items: float | None
    variance_samples: Vector | float | None
    icc: float | None
    n_resamples: int = 0
    seed: int | None = None
    distribution: Vector | None = None
    _sampling: Sampling = field(repr=False)
    _data: tuple[Items, Vector] = field(repr=False)
    _weighted: bool = field(repr=False)
    _tails: Ends | None = field(repr=False)
    _letter: str = field(repr=False, default="")
    title: ClassVar[str] = "Paired test of mean scores"
    _quantity: ClassVar[str] = "mean score"

    def _later__sampling(self) -> Sampling:
        return sampling_of(*self._data)

    def _unvaried_ends(self, level: float) -> tuple[float, float]:
        scored = isinstance(self._tails, BoundedMean)  # whose ends need no standard error
        return self._ends(level) if scored else super()._unvaried_ends(level)

    def _ends(self, level: float) -> tuple[float, float]:
        assert self._tails is not None  # else the standard error is 0 or NaN
        return claim_ends(self.alternative, level, self._tails.low, self._tails.high)

    def _planned(self) -> Planned:
        of_data = (self.estimate, self.standard_error, self.df, self.n, self._sampling)
        return Planned(*of_data, self.alternative, self.margin)

    def resolution(self, alpha: float = 0.05, power: float = 0.8) -> float:
        """Return how many times the items are that would find a difference as large as this one.

        From 1 on it is resolved. That restates the statistic, and says nothing of the true
        difference.
        """
        return resolution_of(self.estimate, self.standard_error, alpha, power)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        samples = self.n_samples if self.n_samples.max() > self.n else None
        counted = items_counted(
            self.n, self.n_clusters, self.n_strata, samples, self._weighted, self.n_dropped
        )
        return (
            f"{self._stated_difference()} "
            f"({self._told_interval()}{counted}; {self.method}{self._stated_claim()}"
            f"{self._told_test()}).{caution(self.status, self.df)}"
        )

    def _told_interval(self) -> str:
        unknown = math.isnan(self._interval().low)
        return "" if unknown else f"{self._stated_interval('.4g')}; "

    def _told_test(self) -> str:
        if math.isnan(self.pvalue):
            return ", p undefined"
        known = bool(self._letter) and math.isfinite(self.statistic)
        named = f", {self._letter} = {self.statistic:.4g}" if known else ""
        return f"{named}, {equation('p', show_pvalue(self.pvalue))}"

    def _stated_difference(self) -> str:
        if self.means is None:
            return f"The mean difference of the scores is {self.estimate:.4g}"
        both = self._of_both(*(f"{mean:.4g}" for mean in self.means))
        return f"The {plural(self._quantity)} are {both}, a difference of {self.estimate:.4g}"


@forwards(as_draws)
def paired_mean_test(
    scores_a: ScoreTable,
    scores_b: ScoreTable | None = None,
    *,
    lags: int | None = None,
    method: str = "auto",
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    keep: bool = False,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
    **drawing: Unpack[Drawing],
) -> PairedMeanResult:
    """Test whether two models differ in their mean score on the same items.

    Items may come in clusters, count unequally, or have several samples by each model. The score of
    an item is the mean of its samples, and samples never count as items.

    Parameters
    ----------
    scores_a : array-like of shape (n,) or (n, K), mapping, data frame or chunks
        Scores of the first model, of any kind: right or wrong, points, losses. Rows of K samples,
        NaN for missing ones, or lists of different lengths. A data frame or mapping of two models
        stands for both; a vector without `scores_b` contains differences. Or chunks of scores that
        need not fit into memory: `scan_parquet`, `scan_chunks`, a list of tuples ``(scores_a,
        scores_b)`` or ``(scores_a, scores_b, groups)``, or a function that makes an iterator of
        these. They are read once, for clusters and up to 16,384 items twice. So are arrays of
        `numpy.memmap` of a million items and more. Chunks take methods 'auto' and 't', one number
        an item, no weights, strata or lags; answers apart, 'auto' does not check whether most
        differences are 0.
    scores_b : array-like of shape (n,) or (n, K), optional
        Scores of the second model on the same items, perhaps with another K.
    lags : int, optional
        Items are in time order, and differences up to so many places from each other correlate:
        Diebold and Mariano's test. Not with weights, clusters or strata.
    method : {'auto', 't', 'sign-flip', 'bootstrap'}, default='auto'
        't' is Student's, with standard error CR2 and Satterthwaite's degrees of freedom for
        clusters or weights. 'auto' is that where scores are not skewed, and Hall's correction of it
        where they are; the score test of paired proportions for right and wrong answers, its
        generalization where more than half of the differences are 0, and an exact bound where all
        are. 'sign-flip' turns the signs of whole clusters, all 2^G up to 20 of them; 'bootstrap'
        draws whole clusters and takes percentiles.
    sample_weight : array-like of shape (n,), optional
        How much an item counts, at least 0; items of weight 0 are dropped. One over the size of an
        item's task gives the mean over tasks (macro) in place of that over items (micro).
    groups : array-like of shape (n,) or (n, 2), optional
        The cluster of an item, of any type: the passage of a question, say. Two columns are
        clusters of two kinds at once; for 'auto' and 't'. Chunks bring their own, of one kind.
    margin : float, default=0.0
        Above 0 it turns 'greater' into the claim that the difference is above -margin, and 'less'
        into the claim that it is below margin: non-inferiority.
    n_resamples : int, default=9999
        Number B of random sign vectors or bootstrap replicates.
    keep : bool, default=False
        Keep the replicates of the mean difference as ``distribution``; signs are then drawn even
        where all could be enumerated.

    Returns
    -------
    PairedMeanResult
        With ``names``, ``estimate``, ``standard_error``, ``df``, ``statistic`` (the mean difference
        for 'sign-flip', else estimate over standard error), ``pvalue``, ``log_pvalue``, ``means``
        (2,), ``n``, ``n_clusters``, ``n_strata``, ``n_samples`` (2,), ``n_dropped``, ``design``,
        ``variance_items``, ``variance_samples`` (2,), ``icc``, ``n_resamples``, ``seed``,
        ``distribution``, ``method``, ``status``; ``confidence_interval()``,
        ``planning(n, samples)`` (what more of either would buy), ``resolution()`` and
        ``summary()``. Variances and icc are None without several samples, ``means`` where only
        differences came.

    Warns
    -----
    UndefinedResultWarning
        If there is one item or cluster, or one in a stratum; the variances of two kinds of clusters
        add up to none; or, without a margin, the variance is 0 and the difference is not.
    SmallSampleWarning
        'few_clusters', if there are fewer than 4 degrees of freedom: intervals are wide.
        'small_sample', if a p-value below .1 claims against a long tail of fewer than 30
        differences (200 one-sided); for 't' and 'bootstrap', if differences are so skewed that
        these reject too often. 'bartlett', if the autocovariances sum to a variance
        below 0 and take Bartlett's weights.

    See Also
    --------
    mean_interval : The mean of one model.
    mcnemar_test, scoring_test : Tests of labels and of probabilities.

    Notes
    -----
    With d the mean of the n differences, e_i what they deviate from it, S_g the sum of e_i over
    cluster g of n_g items, p_g = n_g / n and c_g = 1 / (1 - p_g)::

        t = d / SE,    SE^2 = sum c_g S_g^2 / n^2
        df = 1 / (sum p_g^2 + (sum c_g p_g^2)^2 - sum c_g^2 p_g^4)

    Items without clusters are clusters of one: SE = s / sqrt(n), df = n - 1. 'sign-flip' compares
    the sum of S_g, around 0 in place of d, with its values for all signs of the clusters.

    'auto' takes answers, 0 or 1, by Tango's score [6]_, which is McNemar's without a margin. Other
    differences d within [-M, M], of which more than half are 0, have the same score of the
    likeliest distribution on their values and the ends -M and M; M is the range of all scores.
    Clusters, weights and strata count as the number of items that have their variance, by Student's
    t, and clusters have Hall's cubic [7]_ of the skewness of their sums: at a margin of .1 answers
    in 20 to 200 unequal ones are wrongly claimed in 5 to 7%, nearly all over 6% warned of. Where
    nothing differs, p = (1 - margin / M)^n. Scores that are skewed, of up to 16,384 items, in
    clusters too, have that cubic at the end on the side of their long tail, of a skewness that few
    scores understate; others, weighted, in time order or in stratified clusters, have t.
    At 5%: answers of 10 to 200 items at a margin of .02 are wrongly claimed in 0 to 4.4% (by 't'
    in 10 to 73), skewed scores in 3 to 7% from 20 items on and 9 at 10, half of them warned of (by
    't' 7 to 15), in 3 to 4% of 50 to 200 unequal clusters and 8 of 20, mostly warned of (by 't' 10
    to 12), others in 3 to 6.

    The variance of the mean of item means holds that between samples already. Strata take G_t /
    (G_t - 1) in each, and G less their number as degrees of freedom. Two kinds of clusters take
    V1 + V2 - V12 with the smaller number of clusters less 1. Intervals belong to their tests. Sign
    flips count sums of scores with up to 15 decimals exactly; Monte Carlo p-values are
    (b + 1) / (B + 1). docs/items.md has the levels.

    Sums over chunks are exact, and rounded once: the same bits for any chunks in any order, those
    of arrays in memory but for rounding of these.

    References
    ----------
    .. [1] E. Miller (2024), arXiv:2411.00640.
    .. [2] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.
    .. [3] A. C. Cameron, J. B. Gelbach, D. L. Miller (2011), doi:10.1198/jbes.2010.07136.
    .. [4] D. Harvey, S. Leybourne, P. Newbold (1997), doi:10.1016/S0169-2070(96)00719-4.
    .. [5] D. J. Schuirmann (1987), doi:10.1007/BF01068419.
    .. [6] T. Tango (1998), doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B.
    .. [7] P. Hall (1992), doi:10.1111/j.2517-6161.1992.tb01876.x.

    Examples
    --------
    >>> import fastcompare as fc
    >>> a = [1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1]
    >>> b = [1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0]
    >>> passage = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]
    >>> print(fc.paired_mean_test(a, b, groups=passage).summary())
    The two models do not differ significantly in mean score. The mean scores are 0.8333 and 0.5, a
    difference of 0.3333 (95% CI -0.3367 to 0.6026; 12 items in 6 clusters; score test of paired
    proportions, effective number of items and Hall's correction for skewness, t(5) = 1.894, p =
    0.1167).
    """
    check_undefined(on_undefined)
    method = as_mean_method(method, lags, strata)
    claim, shift = as_claim(alternative, margin, float("inf")), as_lags(lags)
    spreading = method in SPREADING
    drawn = as_draws(keep, **drawing) if drawing or keep or not spreading else None
    plain_options = spreading and sample_weight is strata is shift is None
    if plain_options:
        plain = plain_mean(scores_a, scores_b, groups, method)
        if plain is not None:
            return plain_result(plain, plain_test(plain, claim), on_undefined)
    stream = as_item_stream(scores_a, scores_b, groups, nan_policy, plain=plain_options)
    if stream is not None:
        check_item_options(method, lags=shift, sample_weight=sample_weight, strata=strata)
        found = mean_of_stream(stream, nan_policy, as_draws(keep, **drawing).workers, method)
        return streamed_result(stream, found, streamed_test(found, claim, method), on_undefined)
    items = as_two_models(
        scores_a,
        scores_b,
        groups=groups,
        sample_weight=sample_weight,
        strata=strata,
        nan_policy=nan_policy,
    )
    check_links(items.links, method, shift, items.n_dropped)

    return memory_result(
        differences_of(items, shift), Procedure(method, claim, drawn), on_undefined
    )


def memory_result(found: Differences, procedure: Procedure, on_undefined: str) -> PairedMeanResult:
    """Return the result of scores in memory."""
    inference, details = METHODS[procedure.method](found, procedure)
    if "status" not in details:
        details["status"] = difference_status(found, procedure)
    announce(details["status"], on_undefined)
    return paired_result(found, inference, details)


def plain_test(plain: PlainMean, claim: Claim) -> MeanTest:
    """Return the test of plain arrays by Student's t, or Hall's."""
    told, seen = plain.skewness
    ends = SkewedEnds(plain.estimate, plain.standard_error, plain.df, told)
    return skewed_test(ends, claim, CLUSTERED if plain.clustered else STUDENT, seen)


def streamed_result(
    stream: PairStream, found: StreamedMean, tested: MeanTest, on_undefined: str
) -> PairedMeanResult:
    """Return the result of scores in chunks."""
    known: dict[str, Any] = {"names": stream.names, "n_dropped": found.mean.sums.n_dropped}
    if len(stream.names) == 1:  # differences do not tell the means
        known |= {"means": None, "names": UNNAMED}
    return plain_result(plain_of_stream(found.mean), tested, on_undefined, **known)


def plain_result(
    plain: PlainMean, tested: MeanTest, on_undefined: str, **known: Any
) -> PairedMeanResult:
    """Return the result of plain arrays, or of chunks, of which more is known."""
    (inference, details), n = tested, plain.n
    announce(details["status"], on_undefined)
    usual = {"names": UNNAMED, "n_dropped": 0, "means": plain.means}
    return PairedMeanResult.made(
        **ALONE,
        **{**usual, **known},
        **inference,
        **details,
        df=plain.df,
        n=n,
        n_samples=np.array([n, n]),
        n_clusters=plain.n_clusters,
        n_strata=1,
        design="clusters" if plain.clustered else "independent",
        _weighted=False,
        _sampling=Sampling(plain.total, (math.nan, math.nan), (1.0, 1.0)),
    )


def differences_of(items: Items, lags: int | None) -> Differences:
    """Return the differences of two models' scores, and how their mean varies."""
    columns = list(items.scores.T)
    d = finite_differences(columns)
    largest = float(np.abs(items.scores).max())
    design = mean_design(items.links)
    mean = item_mean(d, design, largest) if lags is None else lagged_mean(d, lags, largest)
    return Differences(items, d, mean, design, lags)


def paired_result(found: Differences, inference: Inference, details: Fields) -> PairedMeanResult:
    """Return the result of a method."""
    items, links = found.items, found.items.links
    alone = len(items.names) == 1  # differences do not tell the means
    means = None if alone else found.design.means(items.scores)
    known: dict[str, object] = {}
    if items.samples is not None:
        sampling = sampling_of(items, found.d)
        known = {"_sampling": sampling, **components_of(items, sampling)}
    return PairedMeanResult.made(
        **{**ALONE, **details, **known},
        **inference,
        _data=(items._replace(samples=None), found.d),
        df=found.mean.df,
        means=means,
        names=UNNAMED if alone else items.names,
        n=links.n,
        n_samples=np.resize(count_samples(items), 2),
        n_clusters=found.design.n_clusters,
        n_strata=found.design.n_strata,
        n_dropped=items.n_dropped,
        design=design_word(links, found.lags),
        _weighted=links.weights is not None,
    )
