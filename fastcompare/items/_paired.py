"""Test that two models have the same mean score on items that both answered."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike

from .._base.documented import with_engine_options
from .._base.text import differing_form, equation, plural, show_pvalue
from .._base.types import Alternative, Fields, NanPolicy, Undefined, Vector
from .._inference.answers import LinkedAnswers
from .._inference.bounded import BoundedMean
from .._inference.unseen import ALPHA, DOUBTFUL, UnseenFailures
from .._inputs.chunks.cases import PairStream, as_item_stream, check_item_options
from .._inputs.items import JOINT, Items, as_two_models
from .._inputs.models import finite_differences
from .._inputs.options import check_choice, check_undefined
from .._inputs.plans.sizes import METHODS_BY_STANDARD_ERROR, as_lags, as_mean_method, check_links
from .._inputs.scores import UNNAMED, ScoreTable
from .._resampling.bootstrap import ByTails, Claim, DrawOptions, as_claim, as_draws
from .._results.caution import Cautious, with_caution
from .._results.two_models import Result
from ..paired._columns import STUDENT_TITLE, Ends
from ._methods import (
    CLUSTERED_TITLE,
    METHODS,
    Differences,
    ItemsResult,
    Procedure,
    caution_sentence,
    difference_status,
    differences_of,
    item_failures,
    item_fields,
    skewed_test,
)
from ._power import (
    Plannable,
    Sampling,
    component_fields,
    count_samples,
    estimate_sampling,
    resolution_ratio,
)
from ._streamed import (
    PlainMean,
    StreamedMean,
    mean_of_stream,
    plain_mean,
    plain_mean_of_items,
    plain_mean_of_stream,
    streamed_test,
)

# of the degrees of freedom of equal units: below, sign flips have 9 to 32 points more power
SMALLEST_DF_SHARE = 0.75

DEFAULT_FIELDS = {  # of tests without random numbers, and of items with one sample
    **{"n_resamples": 0, "seed": None, "distribution": None},
    **{"variance_items": None, "variance_samples": None, "icc": None, "_unseen": None},
}


@dataclass(frozen=True, eq=False, kw_only=True)
class PairedMeanResult(ItemsResult, ByTails, Cautious, Result, Plannable):
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
    _weighted: bool = field(repr=False)
    _tails: Ends | None = field(repr=False)
    # items and differences, from which `_sampling` is computed on demand
    _data: tuple[Items, Vector] | None = field(repr=False, default=None)
    _letter: str = field(repr=False, default="")
    _unseen: UnseenFailures | None = field(repr=False, default=None)
    _in_chunks: bool = field(repr=False, default=False)
    title: ClassVar[str] = "Paired test of mean scores"
    _units: ClassVar[str] = "items"
    _quantity: ClassVar[str] = "mean score"

    def _compute__sampling(self) -> Sampling:
        assert self._data is not None
        return estimate_sampling(*self._data)

    def _failures(self) -> UnseenFailures | None:
        return self._unseen

    def _zero_variance_limits(self, level: float) -> tuple[float, float]:
        """Return the interval at a standard error of 0: by tests that need none, if used."""
        needs_no_error = isinstance(self._tails, (BoundedMean, LinkedAnswers))
        return self._ends(level) if needs_no_error else super()._zero_variance_limits(level)

    def resolution(self, alpha: float = 0.05, power: float = 0.8) -> float:
        """Return the ratio of the number of items to that needed to detect this difference.

        At 1 or more there are enough items. It restates the statistic, and says nothing about the
        true difference.
        """
        return resolution_ratio(self.estimate, self.standard_error, alpha, power)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        sample = self._counted(self.n_samples, self._weighted)
        note = self._stated_failures() or caution_sentence(self.status, self.df)
        return (
            f"{self._stated_difference()} "
            f"({self._interval_prefix('.4g')}{sample}; {self.method}{self._hypothesis_text()}"
            f"{self._test_text()}).{note}{self._stated_power()}"
        )

    def _stated_power(self) -> str:
        """Return the sentence that names a test with more power, where unequal units cost some."""
        unequal = self.df < SMALLEST_DF_SHARE * (self.n_clusters - 1.0) and self.n_strata == 1
        allows_flips = self._letter.startswith("t(") and not (self.margin or self._in_chunks)
        if not (unequal and allows_flips and ALPHA < self.pvalue <= DOUBTFUL):
            return ""
        units = "weights" if self._weighted else "clusters"
        return (
            f" With such unequal {units} method='sign-flip' has more power, if models are "
            "exchangeable."
        )

    def _test_text(self) -> str:
        """Return statistic and p-value as a clause, as in ', t = 2.13, p = 0.04'."""
        if math.isnan(self.pvalue):
            return ", p undefined"
        has_statistic = bool(self._letter) and math.isfinite(self.statistic)
        statistic = f", {self._letter} = {self.statistic:.4g}" if has_statistic else ""
        return f"{statistic}, {equation('p', show_pvalue(self.pvalue))}"

    def _stated_difference(self) -> str:
        """Return the sentence with both means and their difference, without its full stop."""
        if self.means is None:
            return f"The mean difference of the scores is {self.estimate:.4g}"
        form = differing_form(self.means, "g")
        means = self._beside_names(*(f"{mean:{form}}" for mean in self.means))
        return f"The {plural(self._quantity)} are {means}, a difference of {self.estimate:.4g}"


@with_engine_options(as_draws)
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
    **drawing: Unpack[DrawOptions],
) -> PairedMeanResult:
    """Paired test of the difference between two models' mean scores on the same items.

    Items may be clustered, be weighted, or have several samples per model. The score of an item is
    the mean of its samples; samples are never treated as items.

    Parameters
    ----------
    scores_a : array-like of shape (n,) or (n, K), mapping, data frame or chunks
        Scores of the first model, of any kind: right or wrong, points, losses. Several samples per
        item are rows of K numbers, with NaN for missing ones, or lists of different lengths. A data
        frame or mapping with two models may replace both; a vector without `scores_b` contains
        differences. Or chunks of scores that need not fit into memory: `scan_parquet`,
        `scan_chunks`, a list of tuples ``(scores_a, scores_b)`` or ``(scores_a, scores_b,
        groups)``, or a function that returns an iterator of these. They are read once, or twice for
        clusters and up to 16,384 items. So are `numpy.memmap` arrays of a million items and more.
        Chunks allow the methods 'auto' and 't' and one number per item, without weights, strata or
        lags; unless scores are 0/1, 'auto' then does not check whether most differences are 0, nor
        for 'unseen_failures'.
    scores_b : array-like of shape (n,) or (n, K), optional
        Scores of the second model on the same items; K may differ.
    lags : int, optional
        For items in time order: the largest lag at which differences are autocorrelated (Diebold
        and Mariano's test). Not with weights, clusters or strata.
    method : {'auto', 't', 'sign-flip', 'bootstrap'}, default='auto'
        't' is the paired t-test, with the CR2 standard error and Satterthwaite's degrees of freedom
        for clusters or weights. 'auto' is that test, with Hall's correction if scores are evidently
        skewed; for scores of two values (right and wrong answers, in any coding) the score test of
        paired proportions, or with clusters or weights that t-test with a variance of at least that
        of the better model's failures; the generalized score test if more than half of the
        differences are 0, and an exact bound if all are. 'sign-flip' flips the signs of whole
        clusters, in all 2^G ways for up to 20; 'bootstrap' resamples whole clusters and uses
        percentiles.
    sample_weight : array-like of shape (n,), optional
        Weight of each item, at least 0; items of weight 0 are dropped. The inverse of the size of
        an item's task gives the mean over tasks (macro) instead of that over items (micro).
    groups : array-like of shape (n,) or (n, 2), optional
        Cluster of each item (the passage of a question, for example), labels of any type. Two
        columns are two-way clusters, for 'auto' and 't'. Chunks contain their own, one-way.
    margin : float, default=0.0
        Non-inferiority or equivalence margin. If above 0, 'greater' means that the difference is
        above -margin, and 'less' that it is below margin (non-inferiority).
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
        ``distribution``, ``method``, ``status``; ``confidence_interval()``, ``planning(n,
        samples)`` (the precision with more of either), ``resolution()`` and ``summary()``.
        Variances and icc are None without several samples, ``means`` if only differences are
        passed.

    Warns
    -----
    UndefinedResultWarning
        If there is only one item or cluster, overall or in a stratum; the two-way cluster-robust
        variance is not positive; or, without a margin, the variance is 0 but the difference is not.
    SmallSampleWarning
        'few_clusters', if there are fewer than 4 degrees of freedom: intervals are wide.
        'unseen_failures', if failures of the better model, of which so small a sample may have
        none, would explain a significant difference of answers or ratings: the warning and the
        summary give their share and the probability that the sample lacks them. 'small_sample', if
        a significant difference would not be, were scores a little more skewed than they show; for
        't' and 'bootstrap', if differences are so skewed that these reject too often. 'bartlett',
        if the autocovariances sum to a negative variance, so that Bartlett weights are used.

    See Also
    --------
    mean_interval : The mean of one model.
    mcnemar_test, scoring_test : Tests of labels and of probabilities.

    Notes
    -----
    With d the mean of the n differences, e_i their deviations from it, S_g the sum of e_i over
    cluster g of n_g items, p_g = n_g / n and c_g = 1 / (1 - p_g)::

        t = d / SE,    SE^2 = sum c_g S_g^2 / n^2
        df = 1 / (sum p_g^2 + (sum c_g p_g^2)^2 - sum c_g^2 p_g^4)

    Items without clusters are clusters of one: SE = s / sqrt(n), df = n - 1. 'sign-flip' compares
    the sum of S_g, with deviations from 0 instead of d, with its values for all signs of the
    clusters.

    For 0/1 scores, 'auto' is Tango's score test [6]_, which without a margin is McNemar's. For
    other differences within [-M, M], with M the range of all scores, of which more than half are 0,
    it is the same score test with the maximum likelihood distribution on their values, -M and M.
    Answers in clusters or with weights have the variance of t, but at least c / k: c is Tango's
    estimate of the share of items on which the model claimed to be better fails alone under the
    null hypothesis, and k is their effective number, by the intraclass correlation of these
    failures or Kish's for weights. If no item differs, p = (1 - margin / M)^n.

    Of n scores, Hall's cubic [7]_ uses (1 + 10 / n) times the skewness of the differences (of the
    sums of clusters) if that exceeds 1.2 times its standard deviation under symmetry. In clusters
    the p-value is then at most that of t or twice the probability that the sample lacks failures
    which would explain the difference, whichever is greater. Type I error rates at the 5% level:
    answers of 10 to 200 items at a margin of .02 0 to 4.4% ('t': 10 to 73%); one model's scores
    log-normal 12% with 20 items and 6% with 50 ('t': 9 to 14%), 7 and 5% without a warning; others
    3 to 6%; one model that fails on 8% of 25, 50 and 100 clusters of unequal sizes 15, 3 and 3%, 2%
    or less without a warning ('t': 24, 17 and 14%). The power for models with the same distribution
    is at least .97 of that of t (docs/evidence/items.md).

    The variance of item means includes the variance between samples. Strata use the factor G_t /
    (G_t - 1) in each, and G minus their number as degrees of freedom. Two-way clusters use V1 + V2
    - V12 with the smaller number of clusters minus 1 as degrees of freedom. Each test has its own
    interval. Sign flips are exact for scores with up to 15 decimals; Monte Carlo p-values are (b +
    1) / (B + 1). docs/evidence/items.md has the type I error rates.

    Sums over chunks are exact and rounded once, so results are bit-identical for any chunks in any
    order, and equal those for arrays up to the rounding of the latter.

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
    The first model has a significantly higher mean score than the second model. The mean scores are
    0.8333 and 0.5, a difference of 0.3333 (95% CI 0.06237 to 0.6043; 12 items in 6 clusters; paired
    t-test of dependent or weighted answers, t(5) = 2.828, p = 0.0367).
    """
    check_undefined(on_undefined)
    check_choice("nan_policy", nan_policy, JOINT)
    method = as_mean_method(method, lags, strata)
    claim, shift = as_claim(alternative, margin, float("inf")), as_lags(lags)
    spreading = method in METHODS_BY_STANDARD_ERROR
    replicates = as_draws(keep, **drawing) if drawing or keep or not spreading else None
    plain_options = spreading and sample_weight is strata is shift is None
    plain = plain_mean(scores_a, scores_b, groups, method) if plain_options else None
    if plain is not None:
        return plain_result(plain, plain_test(plain, claim), on_undefined)
    stream = as_item_stream(scores_a, scores_b, groups, nan_policy, allows_mapped=plain_options)
    if stream is not None:
        check_item_options(method, lags=shift, sample_weight=sample_weight, strata=strata)
        mean = mean_of_stream(stream, nan_policy, as_draws(keep, **drawing).workers, method)
        return streamed_result(stream, mean, streamed_test(mean, claim, method), on_undefined)
    items = as_two_models(
        scores_a,
        scores_b,
        groups=groups,
        sample_weight=sample_weight,
        strata=strata,
        nan_policy=nan_policy,
    )
    check_links(items.links, method, shift, items.n_dropped)
    plain = plain_mean_of_items(items, method) if plain_options else None
    if plain is not None:
        read: Fields = {"names": items.names, "n_dropped": items.n_dropped}
        return plain_result(plain, plain_test(plain, claim), on_undefined, **read)

    differences = differences_of(items, finite_differences(list(items.scores.T)), shift)
    return in_memory_result(differences, Procedure(method, claim, replicates), on_undefined)


def in_memory_result(
    differences: Differences, procedure: Procedure, on_undefined: str
) -> PairedMeanResult:
    """Return the result of the test of differences of scores in memory."""
    test = differences_test(differences, procedure)
    items = differences.items
    only_differences = len(items.names) == 1  # differences do not tell the means
    shared_fields = item_fields(items, differences.design, differences.lags)
    if only_differences:
        shared_fields["names"] = UNNAMED
    if items.samples is not None:
        sampling = estimate_sampling(items, differences.d)
        shared_fields |= {"_sampling": sampling, **component_fields(items, sampling)}
    result = PairedMeanResult.from_fields(
        **{**DEFAULT_FIELDS, **test, **shared_fields},
        _data=(items._replace(samples=None), differences.d),
        df=differences.mean.df,
        means=None if only_differences else differences.design.means(items.scores),
        n_samples=np.resize(count_samples(items), 2),
        _weighted=items.links.weights is not None,
    )
    return with_caution(result, on_undefined)


def differences_test(differences: Differences, procedure: Procedure) -> Fields:
    """Return the fields of the test by the procedure's method, with status and unseen failures."""
    test = METHODS[procedure.method](differences, procedure)
    if "status" not in test:
        test["status"] = difference_status(differences, procedure)
    if "_unseen" not in test:
        test["_unseen"] = item_failures(differences, procedure.claim, test["pvalue"])
    return test


def plain_test(mean: PlainMean, claim: Claim) -> Fields:
    """Return the test of plain arrays: Student's t, with Hall's correction if skewed."""
    test = skewed_test(mean.skewed, claim, CLUSTERED_TITLE if mean.clustered else STUDENT_TITLE)
    return {**test, "_unseen": mean.failures(claim, test["pvalue"])}


def streamed_result(
    stream: PairStream, streamed: StreamedMean, test: Fields, on_undefined: str
) -> PairedMeanResult:
    """Return the result of the test of scores that are read in chunks."""
    shared_fields: dict[str, Any] = {
        "names": stream.names,
        "n_dropped": streamed.mean.sums.n_dropped,
        "_in_chunks": True,
    }
    if len(stream.names) == 1:  # differences do not tell the means
        shared_fields |= {"means": None, "names": UNNAMED}
    return plain_result(plain_mean_of_stream(streamed.mean), test, on_undefined, **shared_fields)


def plain_result(
    mean: PlainMean, test: Fields, on_undefined: str, **shared_fields: Any
) -> PairedMeanResult:
    """Return the result of a test of plain arrays or of chunks.

    `shared_fields` replace the fields that describe plain arrays, such as the names.
    """
    n = mean.n
    default_names_and_means = {"names": UNNAMED, "n_dropped": 0, "means": mean.means}
    result = PairedMeanResult.from_fields(
        **{**DEFAULT_FIELDS, **default_names_and_means, **shared_fields, **test},
        df=mean.df,
        n=n,
        n_samples=np.array([n, n]),
        n_clusters=mean.n_clusters,
        n_strata=1,
        design="clusters" if mean.clustered else "independent",
        _weighted=False,
        _sampling=Sampling(mean.total, (math.nan, math.nan), (1.0, 1.0)),
    )
    return with_caution(result, on_undefined)
