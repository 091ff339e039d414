"""One model's AUC in subgroups of the cases: which differ, from each other and from the rest.

Subgroups share no case, so their AUCs are independent, each with DeLong's variance. Two are
compared as by `delong_unpaired_test`: by Student's t with Welch's degrees of freedom, or, where one
is small, by the variances that their score intervals recover (MOVER). All pairs of G subgroups vary
as the differences of G independent variables, whose largest gives intervals that cover together
(max-t).

The gap is the largest AUC minus the smallest. The true gap is that of some pair, so intervals of
all pairs that cover together bound it: it is at least as large as one of these pairs must be, and
at most as large as any can be.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..._base.documented import documented
from ..._base.text import figure, join_names
from ..._base.types import Fields, NanPolicy, Undefined, Vector
from ..._inference.corrections.adjust import AUTO, PairClaims, as_control_claims, as_pair_claims
from ..._inference.corrections.pairs import check_models
from ..._inference.max_t import differences_of_models
from ..._inference.pvalues import ratios, reference_pvalues, reference_quantiles
from ..._inference.status import sample_status, unvaried_status
from ..._inference.step_down import joint_level, largest_for
from ..._inference.unseen import UnseenFailures, unseen_failures
from ..._inputs.chunks.groups import by_subgroup
from ..._inputs.options import check_level, check_undefined, count_jobs
from ..._inputs.plans.results import as_subgroup, check_known_subgroups
from ..._inputs.scores import Cases, model_name
from ..._results.caution import CautiousPairs, with_pair_caution
from ..._results.pairs import (
    Cells,
    ReferencePairs,
    UnvariedPairs,
    adjust_pair_pvalues,
    control_cells,
    named_pairs,
)
from ..._results.records import ConfidenceInterval
from .._intervals import IntervalInputs, score, unvaried_pairs
from .design import effective_sizes, pair_of_cases
from .interaction import UNKNOWN, summed_df
from .pairwise import adjust_against_control
from .unpaired import FEW_UNPAIRED, UNLIKE, MoverEnds

WELCH, MOVER = "DeLong's unpaired test", "MOVER of score intervals"
REST_CORRECTION = "holm"  # of subgroups against the rest, which share cases


class Group(NamedTuple):
    """The evidence of one subgroup, or of the rest of one: with sizes, df, and a status word."""

    evidence: IntervalInputs
    m: int
    n: int
    df: float
    status: str

    @property
    def fewest(self) -> float:
        """The effective number of cases of the smaller class."""
        return min(self.evidence.m, self.evidence.n)


def group_of(cases: Cases, n_jobs: int) -> Group:
    """Return the evidence that some of the cases give of the AUC."""
    pair = pair_of_cases(cases, "auto", n_jobs)
    independent = cases.weight_kind != "sampling" and cases.groups is None
    df = pair.m + pair.n - 1.0 if independent else pair.dfs[0]
    status = pair.design.status(sample_status(pair.m, pair.n, 0), 0)
    variance = float(pair.moments.covariance[0, 0])
    error = math.nan if status in UNKNOWN else math.sqrt(max(variance, 0.0))
    evidence = IntervalInputs(float(pair.moments.auc[0]), error, *effective_sizes(cases), df)
    return Group(evidence, pair.m, pair.n, df, status)


class PairTest(NamedTuple):
    """The test of two independent AUCs."""

    estimate: float
    standard_error: float
    statistic: float
    df: float
    method: str
    status: str
    tails: MoverEnds | None


def compared_groups(first: Group, second: Group, few: float = FEW_UNPAIRED) -> PairTest:
    """Return the test of two subgroups, by MOVER where a small one meets a much larger one.

    Small is a class of fewer than `few` cases. So it is where one has no variance, which Welch's
    test would take for known.
    """
    one, other = first.evidence, second.evidence
    estimate = one.auc - other.auc
    errors = np.array([one.standard_error, other.standard_error])
    error = float(np.hypot(*errors))
    smaller, larger = sorted((first.fewest, second.fewest))
    by_score = error > 0.0 and (
        (smaller < few and larger > UNLIKE * smaller) or float(errors.min()) == 0.0
    )
    status = pair_status((first, second), estimate, error, few=0 if by_score else FEW_UNPAIRED)
    if by_score:
        tails = MoverEnds(one, other)
        z = tails.statistic_at(0.0)
        return PairTest(estimate, error, z, math.inf, MOVER, status, tails)
    df = summed_df(np.square(errors), np.array([first.df, second.df]))
    statistic = float(ratios(np.array([estimate]), np.array([error]))[0])
    return PairTest(estimate, error, statistic, df, WELCH, status, None)


def pair_status(groups: tuple[Group, Group], estimate: float, error: float, few: int) -> str:
    """Return the status word of two subgroups; below `few` cases of a class a test is rough."""
    words = [group.status for group in groups if group.status != "ok"]
    if error == 0.0:
        constant = groups[0].evidence.auc == 0.5
        return unvaried_status(
            estimate, 0.0, "constant_scores" if constant else "perfect_separation"
        )
    small = min(group.fewest for group in groups) < few
    return next(iter(words), "small_sample" if small else "ok")


def pair_columns(tests: list[PairTest]) -> Fields:
    """Return the tests as arrays, with their p-values."""
    columns = {
        name: np.array([getattr(test, name) for test in tests])
        for name in ("estimate", "standard_error", "statistic", "df", "method", "status")
    }
    pvalue = reference_pvalues(
        columns["statistic"], columns["standard_error"], columns["df"], "two-sided"
    )
    return Fields(**columns, pvalue=pvalue)


@lru_cache(maxsize=8)  # pairs and the gap ask for the same, and 10 subgroups take 70 ms
def simultaneous_level(errors: tuple[float, ...], control: int | None, level: float) -> float:
    """Return the level of each interval such that those of all pairs cover together.

    Of independent estimates with such standard errors: all pairs, or those with a control.
    """
    k = len(errors)
    cells = np.triu_indices(k, 1) if control is None else control_cells(k, control)
    differences = differences_of_models(np.diag(np.square(errors)), *cells)
    return joint_level(largest_for(differences, "two-sided"), level, "two-sided")


def ends_of_tests(
    estimate: Vector, error: Vector, df: Vector, tails: tuple[MoverEnds | None, ...], level: float
) -> tuple[Vector, Vector]:
    """Return the ends of intervals of differences, those that MOVER recovers where it was used."""
    tail = 0.5 * (1.0 - level)
    reach = reference_quantiles(tail, df) * np.where(error > 0.0, error, math.nan)
    low = estimate - reach
    high = estimate + reach
    for p, ends in enumerate(tails):
        if ends is not None:
            low[p], high[p] = ends.low(tail), ends.high(tail)
    return low, high


@dataclass(frozen=True, eq=False, kw_only=True)
class SubgroupAUCResult(CautiousPairs, ReferencePairs):
    """Result of `subgroup_auc`; arrays over G subgroups, and over the pairs compared."""

    model: str
    auc: Vector
    auc_standard_error: Vector
    n_positive: tuple[int, ...]
    n_negative: tuple[int, ...]
    df: Vector
    method: Any
    design: str
    left_out: dict[str, tuple[int, int]]
    rest_auc: Vector
    rest_difference: Vector
    rest_standard_error: Vector
    rest_pvalue: Vector
    rest_adjusted_pvalue: Vector
    _groups: tuple[Group, ...] = field(repr=False)
    _tails: tuple[MoverEnds | None, ...] = field(repr=False)
    _rest: tuple[Vector, tuple[MoverEnds | None, ...]] = field(repr=False)
    _control: int | None = field(repr=False, default=None)

    title: ClassVar[str] = "AUC of one model in subgroups"
    quantity: ClassVar[str] = "AUC"
    _claim: ClassVar[str] = "has a {more} AUC than"
    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    _thing: ClassVar[str] = "subgroup"
    _units: ClassVar[str] = "cases of the smaller class"

    @property
    def gap(self) -> float:
        """The largest AUC of a subgroup minus the smallest."""
        return float(np.ptp(self.auc))

    def auc_interval(
        self, confidence_level: float = 0.95, *, simultaneous: bool = False
    ) -> ConfidenceInterval:
        """Return the interval of each subgroup's AUC, as `roc_auc_interval` has it.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1: of each interval, or of all simultaneously.
        simultaneous : bool, default=False
            Widen the intervals so that all cover simultaneously. Subgroups are independent, so each
            has the level 1 / G of the power.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, arrays of shape (G,).
        """
        level = check_level(confidence_level)
        level = level ** (1.0 / len(self.names)) if simultaneous else level
        low, high = np.transpose([score(g.evidence, 0.5 * (1.0 - level)) for g in self._groups])
        return ConfidenceInterval.within(low, high, (0.0, 1.0))

    def gap_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the interval of the largest difference between two subgroups, `gap`.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1; the interval covers at least that often.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``; low is 0 where no pair differs by simultaneous intervals.
        """
        level = check_level(confidence_level)
        cells = np.triu_indices(len(self.names), 1)
        every = simultaneous_level(tuple(self.auc_standard_error.tolist()), None, level)
        tests = [
            compared_groups(self._groups[i], self._groups[j]) for i, j in zip(*cells, strict=True)
        ]
        known = pair_columns(tests)
        low, high = ends_of_tests(
            known["estimate"],
            known["standard_error"],
            known["df"],
            tuple(test.tails for test in tests),
            every,
        )
        least = np.fmax.reduce(np.fmax(low, -high), initial=0.0)
        most = np.fmax.reduce(np.maximum(-low, high), initial=0.0)
        return ConfidenceInterval.within(float(least), float(most), (0.0, 1.0))

    def rest_interval(
        self, confidence_level: float = 0.95, *, simultaneous: bool = False
    ) -> ConfidenceInterval:
        """Return the interval of each subgroup's AUC minus that of all other cases.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1: of each interval, or of all simultaneously.
        simultaneous : bool, default=False
            Widen the intervals so that all cover simultaneously, by Bonferroni: the rests of two
            subgroups share cases.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, arrays of shape (G,).
        """
        level = check_level(confidence_level)
        level = 1.0 - (1.0 - level) / len(self.names) if simultaneous else level
        ends = ends_of_tests(self.rest_difference, self.rest_standard_error, *self._rest, level)
        return ConfidenceInterval.within(*ends, self.bounds)

    def _ends(self, level: float) -> tuple[Vector, Vector]:
        return ends_of_tests(self.estimate, self.standard_error, self.df, self._tails, level)

    def _model_limits(self, level: float) -> tuple[Vector, Vector]:
        low, high = self.auc_interval(level)
        return np.asarray(low), np.asarray(high)

    def _level_of_each(self, level: float) -> float:
        return simultaneous_level(tuple(self.auc_standard_error.tolist()), self._control, level)

    @property
    def _sample_names(self) -> tuple[str, ...]:
        return tuple(f"subgroup {name}" for name in self.names)

    def _cells(self) -> Cells:
        if self._control is not None:
            return control_cells(len(self.names), self._control)
        return np.triu_indices(len(self.names), 1)

    def _failures(self) -> UnseenFailures:
        first, second = self._cells()
        fewest = np.array([group.fewest for group in self._groups])
        aucs = (self.auc[first], self.auc[second])
        units = (fewest[first], fewest[second])
        return unseen_failures(self.estimate, aucs, units, self.alternative)

    def _summary(self) -> str:
        """Return the result in a sentence of plain words, at the level `alpha` (5%)."""
        shown = zip(self.auc.tolist(), self.names, strict=True)
        values = join_names([f"{figure(auc)} ({name})" for auc, name in shown], 6)
        low, high = self.gap_interval(self._level)
        return (
            f"The AUC of {self.model} is {values}; the largest difference is {figure(self.gap)} "
            f"({100 * self._level:g}% CI {figure(low)} to {figure(high)}). {super()._summary()}"
            f"{self._stated_left_out()}{self._stated_failures()}"
        )

    def _stated_left_out(self) -> str:
        """Return which subgroups have no AUC, with their cases, in a sentence."""
        if not self.left_out:
            return ""
        shown = [f"{name} ({m} positive, {n} negative)" for name, (m, n) in self.left_out.items()]
        return f" Too few cases of a class: {join_names(shown, 6)}."


@documented
def subgroup_auc(
    y_true: ArrayLike,
    y_score: ArrayLike,
    subgroup: ArrayLike,
    *,
    control: object = None,
    sample_weight: ArrayLike | None = None,
    frequency_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    correction: str = "auto",
    alpha: float = 0.05,
    n_jobs: int = 1,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> SubgroupAUCResult:
    """Return one model's AUC in subgroups of the cases, with tests of their differences.

    Every pair of subgroups is compared, or each with a control; each is compared with the rest of
    the cases, too, and the largest difference has an interval.

    Parameters
    ----------
    subgroup : array-like of shape (n,)
        Subgroup of each case (sex, hospital, age group), labels of any type. Subgroups are in the
        order of their sorted labels.
    control : label of a subgroup, optional
        The subgroup that the others are compared with, in place of all pairs. Choose it before you
        see the data.
    sample_weight, frequency_weight, groups
        As in `delong_test`; all cases of a cluster must be in one subgroup.
    correction : str, default='auto'
        Adjustment of the p-values of pairs for multiple comparisons: any method of
        `adjust_pvalues`, or 'none'. 'auto' is 'shaffer', and with a control 'dunnett-stepdown'.

    Returns
    -------
    SubgroupAUCResult
        With ``names`` (G,), ``model``, ``auc`` (G,), ``auc_standard_error``, ``n_positive``,
        ``n_negative``, ``left_out`` (subgroups without two cases of each class, and their numbers
        of both), ``gap`` (the largest AUC minus the smallest), ``pairs`` (P names), and of shape
        (P,) ``estimate``, ``standard_error``, ``statistic``, ``df`` (infinite for MOVER),
        ``pvalue``, ``adjusted_pvalue``, ``method``, ``status``; of shape (G,) ``rest_auc``,
        ``rest_difference`` (the subgroup's AUC minus that of all other cases),
        ``rest_standard_error``, ``rest_pvalue``, ``rest_adjusted_pvalue`` (Holm's). Methods
        ``auc_interval(confidence_level, simultaneous=False)``, ``confidence_interval()`` and
        ``rest_interval()`` with the same options, ``gap_interval(confidence_level)``,
        ``matrix(field)`` and ``summary()``.

    Raises
    ------
    FastCompareError
        As ValueError, if fewer than two subgroups have two cases of each class.

    Warns
    -----
    UndefinedResultWarning
        If two AUCs differ but neither varies.
    SmallSampleWarning
        'small_sample', if a class of two similarly small subgroups has fewer than 20 cases;
        'few_clusters' as in `delong_test`; 'unseen_failures' as in `delong_unpaired_test`.

    See Also
    --------
    delong_interaction_test : Whether the lead of one model over another differs between subgroups.
    delong_unpaired_test : Two subgroups, with other options.
    roc_auc_interval : The AUC in all cases.

    Notes
    -----
    Each pair is tested as by `delong_unpaired_test`: Welch's t with DeLong's variances, or MOVER
    of score intervals [2]_ where a subgroup with fewer than 20 cases of a class meets one more than
    twice as large, or one AUC is 0 or 1. Clusters and weights have the degrees of freedom of
    `delong_test`.

    Against the rest MOVER is used if one side is twice as large, however many cases there are.
    Intervals of AUCs are those of `roc_auc_interval`. Simultaneously they have the level 1 / G of
    the power, since subgroups are independent, and those of pairs the quantile of the largest of
    all differences (max-t). The interval of the gap contains the largest difference that these
    allow; its lower end is 0 if no pair differs by them. The rest of a subgroup are all cases of
    the others, also of those left out.

    An AUC measures how well a model ranks the cases of a subgroup, not whether its scores mean the
    same there: that is calibration. docs/evidence/auc_subgroups.md has the simultaneous coverage.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.
    .. [2] G. Y. Zou, A. Donner (2008), doi:10.1002/sim.3095.
    .. [3] Y. Hochberg, A. C. Tamhane (1987), doi:10.1002/9780470316672.

    Examples
    --------
    >>> import numpy as np
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> region = np.array(["north", "south", "west"])[np.arange(len(data.y_true)) % 3]
    >>> result = fc.subgroup_auc(data.y_true, data.scores["naive_bayes"], region)
    >>> result.auc.round(4).tolist(), round(result.gap, 4)
    ([0.958, 0.9564, 0.9807], 0.0242)
    >>> low, high = result.gap_interval()
    >>> round(low, 4), round(high, 4)
    (0.0, 0.0734)
    """
    check_undefined(on_undefined)
    as_claims = as_pair_claims if control is None else as_control_claims
    claims = as_claims("two-sided", correction, alpha)
    jobs = count_jobs(n_jobs)
    names, cases, n_dropped = by_subgroup(
        y_true,
        {"y_score": y_score},
        subgroup,
        pos_label=pos_label,
        nan_policy=nan_policy,
        groups=groups,
        sample_weight=sample_weight,
        frequency_weight=frequency_weight,
    )

    fields = subgroup_fields(names, cases, claims, control, jobs)
    model = model_name(y_score, "the model")
    result = SubgroupAUCResult(**fields, model=model, n_dropped=n_dropped)
    return with_pair_caution(result, on_undefined)


def subgroup_fields(
    names: tuple[str, ...], cases: list[Cases], claims: PairClaims, control: object, n_jobs: int
) -> Fields:
    """Return the fields of a result that follow from the cases of each subgroup."""
    every = [group_of(each, n_jobs) for each in cases]
    known = [i for i, group in enumerate(every) if group.status not in UNKNOWN]
    left_out = {names[i]: (g.m, g.n) for i, g in enumerate(every) if i not in known}
    shown = tuple(names[i] for i in known)
    check_known_subgroups(shown, tuple(left_out))
    check_models(len(shown), claims.correction)
    chosen = as_subgroup("control", control, shown)
    groups = tuple(every[i] for i in known)
    return Fields(
        **pair_fields_of(shown, groups, claims, chosen),
        **rest_fields([group_of(rest_of(cases, i), n_jobs) for i in known], groups),
        names=shown,
        left_out=left_out,
        design=pair_of_cases(cases[known[0]]).design.kind,
        _groups=groups,
        _control=chosen,
    )


def rest_of(cases: list[Cases], subgroup: int) -> Cases:
    """Return the cases of all other subgroups."""
    others = [each for i, each in enumerate(cases) if i != subgroup]
    first = others[0]
    groups = []
    count = 0
    for each in others:
        if each.groups is not None:
            groups.append(each.groups + count)
            count += int(each.groups.max()) + 1
    weights = [each.weights for each in others if each.weights is not None]
    return replace(
        first,
        labels=np.concatenate([each.labels for each in others]),
        scores=[np.concatenate([each.scores[0] for each in others])],
        weights=np.concatenate(weights) if weights else None,
        groups=np.concatenate(groups) if groups else None,
    )


def rest_fields(rests: list[Group], groups: tuple[Group, ...]) -> Fields:
    """Return the tests of each subgroup against the rest, by MOVER if that is twice as large.

    By Welch's test 10 subgroups of 60 cases have a family-wise error rate of 11% at 5%.
    """
    tests = [compared_groups(*both, few=math.inf) for both in zip(groups, rests, strict=True)]
    found = pair_columns(tests)
    return Fields(
        rest_auc=np.array([rest.evidence.auc for rest in rests]),
        rest_difference=found["estimate"],
        rest_standard_error=found["standard_error"],
        rest_pvalue=found["pvalue"],
        rest_adjusted_pvalue=adjust_pair_pvalues(found["pvalue"], REST_CORRECTION),
        _rest=(found["df"], tuple(test.tails for test in tests)),
    )


def pair_fields_of(
    names: tuple[str, ...], groups: tuple[Group, ...], claims: PairClaims, control: int | None
) -> Fields:
    """Return the AUCs of subgroups and the tests of pairs of them."""
    k = len(names)
    cells = np.triu_indices(k, 1) if control is None else control_cells(k, control)
    if claims.correction == AUTO:
        claims = claims._replace(correction="dunnett-stepdown")
    tests = [compared_groups(groups[i], groups[j]) for i, j in zip(*cells, strict=True)]
    found = pair_columns(tests)
    error = np.array([group.evidence.standard_error for group in groups])
    variance = np.add.outer(error**2, error**2)
    bound = unvaried_pairs(min(g.m for g in groups), min(g.n for g in groups))
    return Fields(
        **found,
        pairs=named_pairs(names, cells),
        adjusted_pvalue=adjust_against_control(found["pvalue"], variance, cells, claims),
        correction=claims.correction,
        alternative=claims.alternative,
        alpha=claims.alpha,
        auc=np.array([group.evidence.auc for group in groups]),
        auc_standard_error=error,
        n_positive=tuple(group.m for group in groups),
        n_negative=tuple(group.n for group in groups),
        _tails=tuple(test.tails for test in tests),
        _unvaried=UnvariedPairs.of(found["estimate"], found["standard_error"], bound),
    )
