"""Test every pair of k models that gave probabilities to the same cases, by their losses.

Each pair's numbers are those of `scoring_test`, to the last bit. Pairs share what they can: t-tests
and ranks work on many differences at once, and groups of pairs share random signs or weights.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Any, ClassVar, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike

from .._base.documented import with_engine_options
from .._base.parallel import Checkpoint, no_checkpoint, run_all
from .._base.text import DIFFERENCE, PSEUDOMEDIAN, join_names
from .._base.types import (
    Direction,
    Fields,
    Integers,
    Matrix,
    NanPolicy,
    PairCorrection,
    Undefined,
    Vector,
)
from .._inference.clusters import cluster_df, cluster_sizes, cluster_status
from .._inference.corrections.adjust import as_pair_claims
from .._inference.corrections.pairs import check_models
from .._inference.infer import units_bound
from .._inference.means import mean_design
from .._inference.pvalues import (
    claim_ends,
    interval_ends,
    log_reference_pvalues,
    open_one_side,
    ratios,
    student_pvalues,
    student_quantile,
    upper_tail,
)
from .._inference.unseen import UnseenFailures
from .._inputs.items import ItemLinks
from .._inputs.options import Workers, check_undefined
from .._inputs.probabilities import (
    Forecasts,
    Reading,
    Rule,
    as_probability_table,
    check_heeded,
    check_rule,
)
from .._resampling.bootstrap import Bounded, DrawOptions, as_claim, as_draws
from .._results.caution import CautiousPairs, with_pair_caution
from .._results.pairs import (
    Chosen,
    IdenticalPairs,
    JointCovariance,
    PairsResult,
    pair_fields,
)
from .._results.presentation import replace_fields
from ..paired._columns import STUDENT_TITLE, Columns
from ..paired._wilcoxon import rank_sums, signed_rank_pvalues, walsh_averages
from ._losses import (
    RULES,
    Flags,
    LossSummaries,
    StatusWords,
    UnseenCaseVariance,
    forecast_losses,
    loss_fields,
    mean_losses,
    pair_loss_summaries,
    surprise_failures,
    unseen_case_variance,
)
from ._scoring import SHARED_DRAWS
from ._scoring_methods import (
    METHODS,
    STUDENT_METHODS,
    Procedure,
    as_method,
    rank_title,
    summarise,
    with_cluster_error,
)

# pairs that share draws: a sixth faster than one by one; 32 fall out of the cache
PAIRS_SHARING_DRAWS = 8
PAIRS_SHARING_SIGNS = 16  # at a time: 8 take a third longer each


TestRow = tuple[float, float, float, str, int]
UNDEFINED_ROW: TestRow = (math.nan, math.nan, math.nan, "undefined", 0)


class LossTests(NamedTuple):
    """Tests (P,) of all pairs: statistic, p-value, standard error, method, number of replicates."""

    statistic: Vector
    pvalue: Vector
    standard_error: Vector
    method: StatusWords
    n_resamples: Integers


@dataclass(frozen=True, slots=True)
class LossPairs:
    """Columns of losses with pairs of models, and the procedure that tests them; picklable."""

    columns: Columns
    procedure: Procedure
    clusters: Integers | None = None
    unseen: UnseenCaseVariance | None = None  # of all pairs

    @property
    def df(self) -> float | None:
        """The degrees of freedom of Student's t, None for other tests."""
        if self.procedure.method not in STUDENT_METHODS:
            return None
        return self.columns.n - 1.0 if self.clusters is None else cluster_df(self._sizes())

    @property
    def by_ranks(self) -> bool:
        """Whether estimates are pseudomedians, which have intervals even if no case varies."""
        return self.procedure.method == "wilcoxon"

    def estimates(self, summary: LossSummaries) -> Vector:
        """Return the estimates (P,): mean differences, or pseudomedians for Wilcoxon's test."""
        if self.procedure.method != "wilcoxon":
            return summary.estimate
        pseudomedians = summary.estimate.copy()  # infinite or NaN where a loss is infinite
        for p in np.flatnonzero(summary.finite).tolist():
            pair = self.columns.sized_pair(p)
            pseudomedians[p] = walsh_averages(pair, self.procedure.zeros, "auto").median()
        return pseudomedians

    def fields(self, summary: LossSummaries, error: Vector, largest_difference: float) -> Fields:
        """Return the fields with df, design, tests, and bounds for pairs that do not vary.

        `error` (P,) are the standard errors; no two losses differ by more than
        `largest_difference`.
        """
        sizes = None
        design = "independent"
        if self.clusters is not None:
            sizes = self._sizes()
            design = "clusters"
        bound = units_bound(self.columns.n, sizes, largest_difference)
        unvaried = None if self.by_ranks else IdenticalPairs.of(summary.estimate, error, bound)
        return Fields(df=self.df, design=design, _tests=self, _unvaried=unvaried)

    def statuses(self, summary: LossSummaries, tests: LossTests) -> StatusWords:
        """Return the status words, each as by `scoring_test`."""
        n, method = self.columns.n, self.procedure.method
        if self.clusters is None:
            return summary.statuses(n, method)
        word = cluster_status(cluster_df(self._sizes()))
        return summary._replace(standard_error=tests.standard_error).statuses(n, method, word)

    def covariance(self) -> Matrix:
        """Return the covariance of the mean losses of clustered cases."""
        losses = self.columns.values.T
        design = mean_design(ItemLinks(len(losses), groups=self.clusters))
        return design.covariance(losses - design.means(losses))

    def _sizes(self) -> Integers:
        """Return the numbers of cases (G,) of the clusters, which there must be."""
        assert self.clusters is not None
        return cluster_sizes(self.clusters)

    def only(self, chosen: Flags) -> LossPairs:
        """Return the tests of the chosen pairs alone."""
        unseen = (
            None if self.unseen is None else UnseenCaseVariance(*(x[chosen] for x in self.unseen))
        )
        return replace(self, columns=self.columns.only(chosen), unseen=unseen)

    def groups(self) -> list[slice]:
        """Return the pairs in slices that share random signs or weights."""
        size = (
            PAIRS_SHARING_SIGNS if self.procedure.method == "permutation" else PAIRS_SHARING_DRAWS
        )
        starts = range(0, self.columns.first.size, size)
        return [slice(start, start + size) for start in starts]

    def tests(self, group: slice, checkpoint: Checkpoint) -> list[Fields]:
        """Return the fields of the test of each pair of a group, as by `scoring_test`."""
        columns, method = self.columns.only(group), self.procedure.method
        pairs = [summarise(columns.sized_pair(p)) for p in range(columns.first.size)]
        if self.unseen is not None:
            base_rise_fall = zip(*(of_pairs[group] for of_pairs in self.unseen), strict=True)
            unseen = [UnseenCaseVariance(*of_pair) for of_pair in base_rise_fall]
            pairs = [pair._replace(unseen=x) for pair, x in zip(pairs, unseen, strict=True)]
        if self.clusters is not None:
            pairs = [with_cluster_error(pair, self.clusters) for pair in pairs]
        if method in SHARED_DRAWS:
            pairs = SHARED_DRAWS[method](pairs, self.procedure.draws, checkpoint)
        return [METHODS[method](pair, self.procedure) for pair in pairs]

    def ends(self, level: float) -> tuple[Vector, Vector]:
        """Return the lower and upper interval ends (P,) of all pairs."""
        tests = chain(*(self.tests(group, no_checkpoint) for group in self.groups()))
        direction = self.procedure.claim.alternative
        tails = [test["_tails"] for test in tests]
        ends = [claim_ends(direction, level, tail.low, tail.high) for tail in tails if tail]
        low, high = np.reshape(ends, (-1, 2)).T  # of shape (0, 2) if there are no pairs
        return low, high


def test_rows_of_all_pairs(pairs: LossPairs, summary: LossSummaries, workers: Workers) -> LossTests:
    """Return the tests of all pairs, NaN where a loss is infinite."""
    rows = [UNDEFINED_ROW] * summary.finite.size
    finite = np.flatnonzero(summary.finite).tolist()
    if finite:
        finite_pairs, finite_summary = pairs.only(summary.finite), summary.only(summary.finite)
        finite_rows = finite_pair_rows(finite_pairs, finite_summary, workers)
        for p, row in zip(finite, finite_rows, strict=True):
            rows[p] = row
    return LossTests(*map(np.array, zip(*rows, strict=True)))


def finite_pair_rows(
    pairs: LossPairs, summary: LossSummaries, workers: Workers
) -> Iterable[TestRow]:
    """Return a row of `LossTests` for each pair; all pairs have finite losses."""
    if pairs.procedure.method in VECTORIZED_TESTS and pairs.clusters is None:
        columns = VECTORIZED_TESTS[pairs.procedure.method](pairs, summary)
        return zip(*(values.tolist() for values in columns), strict=True)
    return chain(*run_all(partial(group_rows, pairs), pairs.groups(), **workers))


def group_rows(pairs: LossPairs, group: slice, checkpoint: Checkpoint) -> list[TestRow]:
    """Return a row of `LossTests` for each pair of a group."""
    return [
        (
            test["statistic"],
            test["pvalue"],
            test["standard_error"],
            test["method"],
            test.get("n_resamples", 0),
        )
        for test in pairs.tests(group, checkpoint)
    ]


def student_tests(pairs: LossPairs, summary: LossSummaries) -> LossTests:
    """Return the paired t-tests of all pairs at once."""
    estimate, error = summary.estimate, summary.standard_error
    null_error = error if pairs.unseen is None else pairs.unseen.error(0.0, error)
    t = ratios(estimate, null_error)
    p = student_pvalues(t, pairs.columns.n - 1, pairs.procedure.claim.alternative)
    p[(estimate == 0.0) & (null_error == 0.0)] = 1.0  # models with equal losses: t is 0 / 0
    error = np.where(error > 0.0, error, null_error)
    return LossTests(t, p, error, np.full(p.shape, STUDENT_TITLE), np.zeros(p.shape, np.int64))


def rank_tests(pairs: LossPairs, summary: LossSummaries) -> LossTests:
    """Return Wilcoxon's tests of all pairs at once."""
    zeros = pairs.procedure.zeros
    direction = pairs.procedure.claim.alternative
    ranks = rank_sums(pairs.columns, zeros)
    p, exact = signed_rank_pvalues(
        ranks, pairs.columns, alternative=direction, method="auto", zeros=zeros
    )
    titles = np.where(exact, *(rank_title(how, zeros) for how in ("exact", "normal")))
    n_resamples = np.zeros(p.shape, np.int64)
    return LossTests(ranks.w_plus(zeros), p, summary.standard_error, titles, n_resamples)


VECTORIZED_TESTS = {"auto": student_tests, "t": student_tests, "wilcoxon": rank_tests}


QUANTITIES = {"brier": "Brier score", "log": "log loss", "spherical": "spherical loss"}
TITLES = {
    "auto": "Paired t-test",
    "t": "Paired t-test",
    "wilcoxon": "Wilcoxon's signed rank test",
    "permutation": "Sign-flip permutation test",
    "bootstrap": "Percentile bootstrap test",
}
MOST_OPPOSED = 3  # pairs that are named


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoringPairwiseResult(Bounded, CautiousPairs, PairsResult):
    """Result of `scoring_pairwise_test`; arrays over the P = k (k - 1) / 2 pairs, in row order."""

    losses: Vector
    standard_error: Vector
    rule: str
    method: StatusWords
    n: int
    n_resamples: Integers
    seed: int | None
    df: float | None = None
    design: str = "independent"
    _bounds: tuple[float, float] = field(repr=False)
    _tests: LossPairs = field(repr=False)
    _unseen: UnseenFailures | None = field(repr=False, default=None)

    _units: ClassVar[str] = "cases"
    higher_is_better: ClassVar[bool] = False

    def _failures(self) -> UnseenFailures | None:
        """Return the unseen failures that would explain significant differences, None if none."""
        return self._unseen

    def _summary(self) -> str:
        """Return the result in sentences of plain words."""
        return super()._summary() + self._opposed_means() + self._stated_failures()

    def _opposed_means(self) -> str:
        """Return a sentence on significant pseudomedians of another sign than the means'."""
        if not self._tests.by_ranks:
            return ""
        first, second = self._cells()
        with np.errstate(invalid="ignore"):  # of infinite losses
            opposed = (self.losses[first] - self.losses[second]) * self.estimate < 0.0
        chosen = np.flatnonzero(opposed & (self.adjusted_pvalue <= self.alpha)).tolist()
        if not chosen:
            return " Differences are those of a typical case (pseudomedians)."
        pairs = join_names([" and ".join(self.pairs[p]) for p in chosen], MOST_OPPOSED)
        return (
            " Differences are those of a typical case (pseudomedians); the mean losses differ in "
            f"the other direction between {pairs}."
        )

    @property
    def title(self) -> str:  # type: ignore[override]
        """The name of the test."""
        return f"{TITLES[self._tests.procedure.method]} of all pairs of models"

    @property
    def quantity(self) -> str:  # type: ignore[override]
        """The name of the loss."""
        return QUANTITIES.get(self.rule, "loss")

    @property
    def claim(self) -> str:
        """The phrase between the better and the worse model in sentences."""
        return "is better than" if self._tests.by_ranks else f"has a lower {self.quantity} than"

    @property
    def _difference_title(self) -> str:  # type: ignore[override]
        """The name of the estimate, which of tests of ranks is not the difference of the means."""
        return PSEUDOMEDIAN if self._tests.by_ranks else DIFFERENCE

    @property
    def _stated_difference(self) -> str:  # type: ignore[override]
        """The name of the estimate of tests of ranks, "" for tests of means."""
        return f"{PSEUDOMEDIAN} in {self.quantity}" if self._tests.by_ranks else ""

    @property
    def log_pvalue(self) -> Vector:
        """Natural logarithms (P,) of the unadjusted p-values, finite even where these underflow."""
        if self.df is None:
            return super().log_pvalue
        return log_reference_pvalues(self.statistic, self.pvalue, self.df, self.alternative)

    def _joint_covariance(self) -> JointCovariance | None:
        """Return the covariance of the mean losses for max-t, None for tests without t."""
        if self.df is None:
            return None
        if self._tests.clusters is not None:  # each |z| becomes |t|: Hasler and Hothorn (2008)
            return JointCovariance(self._tests.covariance())
        return JointCovariance(np.cov(self._tests.columns.values), self.n - 1, self.n)

    def _chosen_limits(self, chosen: Chosen, level: float) -> tuple[Vector, Vector]:
        """Return the ends of the intervals of the `chosen` pairs; 0 to 0 for equal losses.

        NaN for differences that do not vary, unless pairs are tested by ranks.
        """
        low = np.where((self.estimate == 0.0) & (self.standard_error == 0.0), 0.0, math.nan)
        high = low.copy()
        varies = np.zeros(low.shape, np.bool_)
        has_interval = self.standard_error > 0.0
        if self._tests.by_ranks:
            has_interval |= np.isfinite(self.estimate)
        varies[chosen] = has_interval[chosen]
        low[varies], high[varies] = self._varying_ends(varies, level)
        return low[chosen], high[chosen]

    def _varying_ends(self, varies: Flags, level: float) -> tuple[Vector | float, Vector | float]:
        """Return the ends for pairs whose differences vary."""
        if self.df is None:
            low, high = self._tests.only(varies).ends(level)
            least, greatest = self._bounds
            return np.where(np.isinf(low), least, low), np.where(np.isinf(high), greatest, high)
        estimate, error = self.estimate[varies], self.standard_error[varies]
        quantile = student_quantile(upper_tail(level, self.alternative), self.df)
        unseen = self._tests.only(varies).unseen
        if unseen is not None:
            low, high = (end(estimate, error, quantile) for end in (unseen.low, unseen.high))
            return open_one_side(self.alternative, low, high, self._bounds)
        return interval_ends(estimate, error, self.alternative, quantile, self._bounds)


@with_engine_options(as_draws)
def scoring_pairwise_test(
    y_true: ArrayLike,
    probabilities: ArrayLike | Mapping[Any, Any],
    *,
    rule: Rule = "brier",
    clip: float | None = None,
    zeros: str = "wilcox",
    classes: ArrayLike | None = None,
    method: str = "auto",
    groups: ArrayLike | None = None,
    alternative: Direction = "two-sided",
    correction: PairCorrection = "auto",
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
    **drawing: Unpack[DrawOptions],
) -> ScoringPairwiseResult:
    """Compare k models' Brier scores or other mean losses in pairs, with adjusted p-values.

    Each pair has the results of `scoring_test` with the same seed.

    Parameters
    ----------
    y_true, classes, pos_label, nan_policy
        As in `brier_score`; a case with any missing value is dropped for all models.
    probabilities : array-like of shape (n, k), mapping or data frame
        Probabilities of the positive class, one column per model, at least two; column names become
        model names. For several classes, a mapping from names to tables of shape (n, c).
    rule, clip, zeros
        As in `scoring_test`.
    method : {'auto', 't', 'wilcoxon', 'permutation', 'bootstrap'}, default='auto'
        As in `scoring_test`, for each pair.
    groups : array-like of shape (n,), optional
        Clusters of cases, for 'auto', 't' and 'permutation', as in `scoring_test`.
    alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
        'greater': in each pair, the model named first has the greater loss, so it is worse. Choose
        the order before you see the data.
    n_resamples, rng, n_jobs, executor, progress
        As in `scoring_test`; all pairs share the random signs or bootstrap replicates.

    Returns
    -------
    ScoringPairwiseResult
        With ``names`` (k,), ``losses`` (k,), ``pairs`` (P names), and of shape (P,) ``estimate``
        (the first model's mean loss minus the second's, for 'wilcoxon' the pseudomedian of the
        case-by-case differences), ``standard_error`` (of the mean), ``statistic``, ``pvalue``,
        ``log_pvalue``, ``adjusted_pvalue``, ``method``, ``n_resamples`` (0 if exact), ``status``;
        ``cliques`` (of names, at the 5% level), ``seed``, ``n``, ``design`` ('independent' or
        'clusters'); for 'auto' and 't' ``df``; methods ``confidence_interval(confidence_level,
        simultaneous=False)``, ``matrix(field)``, ``summary()`` and ``to_dict()``.

    Warns
    -----
    UndefinedResultWarning
        As in `scoring_test`, naming the pairs.
    SmallSampleWarning
        'small_sample', 'unseen_failures' and 'few_clusters', as in `scoring_test`.

    See Also
    --------
    scoring_test : The test of one pair, with its notes.

    Notes
    -----
    Each pair is tested as in `scoring_test`: t = mean d / (s / sqrt(n)) with d the case-by-case
    differences between two models' losses, and n - 1 degrees of freedom.

    Wilcoxon's test is about medians of differences, whose equality is not transitive; for it
    ``correction='auto'`` is Holm's. Simultaneous intervals of the t-test use the joint distribution
    of the largest |t| if there are at least ten cases per model (with clusters, the level of the
    largest |z| applied to Student's t); all others are Bonferroni's.

    References
    ----------
    .. [1] T. Gneiting, A. E. Raftery (2007), doi:10.1198/016214506000001437.
    .. [2] J. P. Shaffer (1986), doi:10.1080/01621459.1986.10478341.
    .. [3] M. Hasler, L. A. Hothorn (2008), doi:10.1002/bimj.200710466.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> result = fc.scoring_pairwise_test(data.y_true, data.scores)
    >>> len(result.pairs), len(result.losses)
    (10, 5)
    >>> bool((result.adjusted_pvalue >= result.pvalue).all())
    True
    """
    check_undefined(on_undefined)
    method, draws = as_method(method, zeros), as_draws(**drawing)
    claims = as_pair_claims(alternative, correction, transitive=method != "wilcoxon")
    clip = check_rule(rule, clip, tuple(RULES))
    check_heeded(method, 0.0, groups)
    reading = Reading(classes=classes, pos_label=pos_label, nan_policy=nan_policy)
    cases, names = as_probability_table(y_true, probabilities, groups, **reading)
    check_models(len(names), claims.correction)

    losses = forecast_losses(rule, cases, clip)
    procedure = Procedure(method, zeros, as_claim(alternative), draws.on_this_thread())
    columns = Columns.of(losses, computed=True)
    rare = unseen_case_variance(rule, cases, clip, columns.first, columns.second, method)
    pairs = LossPairs(columns, procedure, cases.groups, rare)
    summary = pair_loss_summaries(pairs.columns)
    tests = test_rows_of_all_pairs(pairs, summary, draws.workers)
    status = pairs.statuses(summary, tests)
    shared = loss_fields(rule, cases, mean_losses(losses))
    result = ScoringPairwiseResult(
        **pair_fields(names, tests.pvalue, claims.correction, alternative),
        **shared,
        estimate=pairs.estimates(summary),
        standard_error=tests.standard_error,
        statistic=tests.statistic,
        method=tests.method,
        status=status,
        n_resamples=tests.n_resamples,
        seed=draws.seed if tests.n_resamples.any() else None,
        **pairs.fields(summary, tests.standard_error, largest_difference=shared["_bounds"][1]),
    )
    return with_surprises(result, (rule, cases, clip), on_undefined)


def with_surprises(
    result: ScoringPairwiseResult,
    forecasts: tuple[Rule, Forecasts, float | None],
    on_undefined: str,
) -> ScoringPairwiseResult:
    """Return the result of t-tests with the unseen failures that would explain it, and warn."""
    if result.df is not None:  # of Student's t
        columns = result._tests.columns
        claim = as_claim(result.alternative)
        both = (columns.first, columns.second)
        unseen = surprise_failures(*forecasts, both, claim, result.pvalue)
        result = replace_fields(result, {"_unseen": unseen})
    return with_pair_caution(result, on_undefined)
