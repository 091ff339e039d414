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
from ..._base.text import join_names, show_number
from ..._base.types import Fields, NanPolicy, Undefined, Vector
from ..._inference.corrections.adjust import AUTO, PairClaims, as_control_claims, as_pair_claims
from ..._inference.corrections.pairs import check_models
from ..._inference.max_t import differences_of_models
from ..._inference.pvalues import ratios, reference_pvalues, reference_quantiles
from ..._inference.status import sample_status, unvaried_status
from ..._inference.step_down import joint_level, largest_statistic_by_claim
from ..._inference.unseen import UnseenFailures, unseen_failures
from ..._inputs.chunks.groups import by_subgroup
from ..._inputs.options import check_level, check_undefined, count_jobs
from ..._inputs.plans.results import as_subgroup, check_known_subgroups
from ..._inputs.scores import Cases, model_name
from ..._results.caution import CautiousPairs, with_pair_caution
from ..._results.pairs import (
    Cells,
    IdenticalPairs,
    ReferencePairs,
    adjust_pair_pvalues,
    control_cells,
    named_pairs,
)
from ..._results.records import ConfidenceInterval
from .._intervals import IntervalInputs, score, unvaried_bound
from .design import effective_sizes, pair_of_cases
from .interaction import UNDEFINED_VARIANCE, summed_df
from .pairwise import adjust_against_control
from .unpaired import FEW_UNPAIRED, LARGEST_SIZE_RATIO, MoverEnds

WELCH, MOVER = "DeLong's unpaired test", "MOVER of score intervals"
REST_CORRECTION = "holm"  # of subgroups against the rest, which share cases


class SubgroupAUC(NamedTuple):
    """The AUC of a subgroup, or of all other cases: its SE, class sizes, df and status word.

    `evidence` has the AUC and its standard error, with the effective numbers of cases.
    """

    evidence: IntervalInputs
    m: int
    n: int
    df: float
    status: str

    @property
    def fewest(self) -> float:
        """The effective number of cases of the smaller class."""
        return min(self.evidence.m, self.evidence.n)


def auc_of_subgroup(cases: Cases, n_jobs: int) -> SubgroupAUC:
    """Return the AUC of the cases of a subgroup, with standard error, sizes, df and status.

    'small_sample' is no status here: whether cases are few depends on the pair compared.
    """
    pair = pair_of_cases(cases, "auto", n_jobs)
    df, _ = pair.dfs
    if cases.weight_kind != "sampling" and cases.groups is None:
        df = pair.m + pair.n - 1.0  # as in `delong_unpaired_test`
    status = pair.design.status(sample_status(pair.m, pair.n, few=0), fewest_cases=0)
    variance = float(pair.moments.covariance[0, 0])
    error = math.nan if status in UNDEFINED_VARIANCE else math.sqrt(max(variance, 0.0))
    m, n = effective_sizes(cases)
    evidence = IntervalInputs(float(pair.moments.auc[0]), error, m, n, df)
    return SubgroupAUC(evidence, pair.m, pair.n, df, status)


class PairTest(NamedTuple):
    """The test of two independent AUCs; `tails` have its interval if it is by MOVER."""

    estimate: float
    standard_error: float
    statistic: float
    df: float
    method: str
    status: str
    tails: MoverEnds | None


def compare_subgroups(
    first: SubgroupAUC, second: SubgroupAUC, fewest_cases: float = FEW_UNPAIRED
) -> PairTest:
    """Return the test of two subgroups' AUCs, by Welch's t or by MOVER.

    MOVER is for a subgroup with fewer than `fewest_cases` of a class and one more than twice as
    large, and where one variance is 0, which Welch's test would take for known.
    """
    inputs_1, inputs_2 = first.evidence, second.evidence
    estimate = inputs_1.auc - inputs_2.auc
    errors = np.array([inputs_1.standard_error, inputs_2.standard_error])
    error = float(np.hypot(*errors))
    smaller, larger = sorted((first.fewest, second.fewest))
    is_unequal = smaller < fewest_cases and larger > LARGEST_SIZE_RATIO * smaller
    by_mover = error > 0.0 and (is_unequal or float(errors.min()) == 0.0)
    status = pair_status(
        (first, second), estimate, error, fewest_cases=0 if by_mover else FEW_UNPAIRED
    )
    if by_mover:
        tails = MoverEnds(inputs_1, inputs_2)
        z = tails.statistic_at(0.0)
        return PairTest(estimate, error, z, math.inf, MOVER, status, tails)
    df = summed_df(np.square(errors), np.array([first.df, second.df]))
    (statistic,) = ratios(np.array([estimate]), np.array([error])).tolist()
    return PairTest(estimate, error, statistic, df, WELCH, status, None)


def pair_status(
    groups: tuple[SubgroupAUC, SubgroupAUC], estimate: float, error: float, fewest_cases: int
) -> str:
    """Return the status word of a test of two subgroups, 'small_sample' below `fewest_cases`."""
    first, second = groups
    if error == 0.0:
        is_constant = first.evidence.auc == 0.5
        if_equal = "constant_scores" if is_constant else "perfect_separation"
        return unvaried_status(estimate, 0.0, if_equal)
    for group in groups:
        if group.status != "ok":
            return group.status
    return "small_sample" if min(first.fewest, second.fewest) < fewest_cases else "ok"


def tests_as_arrays(tests: list[PairTest]) -> Fields:
    """Return the fields of tests as arrays over pairs, with their p-values."""
    columns = {
        name: np.array([getattr(test, name) for test in tests])
        for name in ("estimate", "standard_error", "statistic", "df", "method", "status")
    }
    pvalue = reference_pvalues(
        columns["statistic"], columns["standard_error"], columns["df"], "two-sided"
    )
    return Fields(**columns, pvalue=pvalue)


@lru_cache(maxsize=8)  # for pairs and for the gap; 10 subgroups take 70 ms
def simultaneous_level(
    standard_errors: tuple[float, ...], control: int | None, level: float
) -> float:
    """Return the level of each interval such that those of all pairs cover simultaneously (max-t).

    The pairs are of independent estimates with these standard errors: all, or with a control.
    """
    k = len(standard_errors)
    cells = np.triu_indices(k, 1) if control is None else control_cells(k, control)
    differences = differences_of_models(np.diag(np.square(standard_errors)), *cells)
    return joint_level(largest_statistic_by_claim(differences, "two-sided"), level, "two-sided")


def limits_of_tests(
    estimate: Vector, error: Vector, df: Vector, tails: tuple[MoverEnds | None, ...], level: float
) -> tuple[Vector, Vector]:
    """Return the limits (low, high) of differences: estimate -+ t SE, or MOVER's in `tails`.

    NaN without variance.
    """
    tail = 0.5 * (1.0 - level)
    reach = reference_quantiles(tail, df) * np.where(error > 0.0, error, math.nan)
    low = estimate - reach
    high = estimate + reach
    for pair, mover in enumerate(tails):
        if mover is not None:
            low[pair], high[pair] = mover.low(tail), mover.high(tail)
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
    _groups: tuple[SubgroupAUC, ...] = field(repr=False)
    _tails: tuple[MoverEnds | None, ...] = field(repr=False)
    _rest: tuple[Vector, tuple[MoverEnds | None, ...]] = field(repr=False)  # df and tails
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
        level_of_each = simultaneous_level(tuple(self.auc_standard_error.tolist()), None, level)
        tests = [
            compare_subgroups(self._groups[i], self._groups[j]) for i, j in zip(*cells, strict=True)
        ]
        fields = tests_as_arrays(tests)
        estimate, error = fields["estimate"], fields["standard_error"]
        tails = tuple(test.tails for test in tests)
        low, high = limits_of_tests(estimate, error, fields["df"], tails, level_of_each)
        identical, bound = identical_pairs(self._groups, estimate, error)
        reach = bound.reach(0.5 * (1.0 - level) / len(tests), bound.most)  # by Bonferroni
        reach_of_unvaried = np.where(identical, reach, 1.0)  # anything where nothing is known
        low, high = (
            np.where(np.isnan(limit), sign * reach_of_unvaried, limit)
            for sign, limit in ((-1.0, low), (1.0, high))
        )
        # some pair's true difference, of either sign, is at least so large, and none is larger
        least = np.max(np.maximum(low, -high), initial=0.0)
        most = np.max(np.maximum(-low, high))
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
        df, tails = self._rest
        low, high = limits_of_tests(
            self.rest_difference, self.rest_standard_error, df, tails, level
        )
        return ConfidenceInterval.within(low, high, self.bounds)

    def _ends(self, level: float) -> tuple[Vector, Vector]:
        """Return the limits of the differences of all pairs at this level."""
        return limits_of_tests(self.estimate, self.standard_error, self.df, self._tails, level)

    def _model_limits(self, level: float) -> tuple[Vector, Vector]:
        """Return the limits of each subgroup's AUC at this level."""
        low, high = self.auc_interval(level)
        return np.asarray(low), np.asarray(high)

    def _level_of_each(self, level: float) -> float:
        """Return the level of each interval such that all cover simultaneously."""
        return simultaneous_level(tuple(self.auc_standard_error.tolist()), self._control, level)

    @property
    def _sample_names(self) -> tuple[str, ...]:
        """The subgroups as a summary names them."""
        return tuple(f"subgroup {name}" for name in self.names)

    def _cells(self) -> Cells:
        """Return the indices (i, j) of the pairs: all, or each subgroup and the control."""
        if self._control is not None:
            return control_cells(len(self.names), self._control)
        return np.triu_indices(len(self.names), 1)

    def _failures(self) -> UnseenFailures:
        """Return the failures of each pair that samples of this size may lack."""
        first, second = self._cells()
        fewest = np.array([group.fewest for group in self._groups])
        aucs = (self.auc[first], self.auc[second])
        units = (fewest[first], fewest[second])
        return unseen_failures(self.estimate, aucs, units, self.alternative)

    def _summary(self) -> str:
        """Return the result in a sentence of plain words, at the level `alpha` (5%)."""
        rows = zip(self.auc.tolist(), self.names, strict=True)
        values = join_names([f"{show_number(auc)} ({name})" for auc, name in rows], 6)
        low, high = self.gap_interval(self._level)
        return (
            f"The AUC of {self.model} is {values}; the largest difference is "
            f"{show_number(self.gap)} ({100 * self._level:g}% CI {show_number(low)} to "
            f"{show_number(high)}). {super()._summary()}"
            f"{self._stated_left_out()}{self._stated_failures()}"
        )

    def _stated_left_out(self) -> str:
        """Return a sentence that names the subgroups without an AUC, with their cases."""
        if not self.left_out:
            return ""
        rows = [f"{name} ({m} positive, {n} negative)" for name, (m, n) in self.left_out.items()]
        return f" Too few cases of a class: {join_names(rows, 6)}."


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
    """Return the fields of a result from the cases of each subgroup.

    Subgroups whose AUC or variance is undefined are left out, but stay in the rest of others.
    """
    aucs = [auc_of_subgroup(each, n_jobs) for each in cases]
    defined = [i for i, group in enumerate(aucs) if group.status not in UNDEFINED_VARIANCE]
    left_out = {names[i]: (group.m, group.n) for i, group in enumerate(aucs) if i not in defined}
    defined_names = tuple(names[i] for i in defined)
    check_known_subgroups(defined_names, tuple(left_out))
    check_models(len(defined_names), claims.correction)
    chosen = as_subgroup("control", control, defined_names)
    groups = tuple(aucs[i] for i in defined)
    rests = [auc_of_subgroup(cases_of_others(cases, i), n_jobs) for i in defined]
    return Fields(
        **fields_of_pairs(defined_names, groups, claims, chosen),
        **rest_fields(rests, groups),
        names=defined_names,
        left_out=left_out,
        design=pair_of_cases(cases[defined[0]]).design.kind,
        _groups=groups,
        _control=chosen,
    )


def cases_of_others(cases: list[Cases], subgroup: int) -> Cases:
    """Return the cases of all subgroups but one, with clusters numbered anew."""
    others = [each for i, each in enumerate(cases) if i != subgroup]
    first = others[0]
    groups = []
    n_clusters = 0
    for each in others:
        if each.groups is not None:
            groups.append(each.groups + n_clusters)
            n_clusters += int(each.groups.max()) + 1
    weights = [each.weights for each in others if each.weights is not None]
    return replace(
        first,
        labels=np.concatenate([each.labels for each in others]),
        scores=[np.concatenate([each.scores[0] for each in others])],
        weights=np.concatenate(weights) if weights else None,
        groups=np.concatenate(groups) if groups else None,
    )


def rest_fields(rests: list[SubgroupAUC], groups: tuple[SubgroupAUC, ...]) -> Fields:
    """Return the fields of tests of each subgroup against the rest, by MOVER if twice as large.

    By Welch's test 10 subgroups of 60 cases have a family-wise error rate of 11% at 5%.
    """
    tests = [
        compare_subgroups(group, rest, fewest_cases=math.inf)
        for group, rest in zip(groups, rests, strict=True)
    ]
    fields = tests_as_arrays(tests)
    return Fields(
        rest_auc=np.array([rest.evidence.auc for rest in rests]),
        rest_difference=fields["estimate"],
        rest_standard_error=fields["standard_error"],
        rest_pvalue=fields["pvalue"],
        rest_adjusted_pvalue=adjust_pair_pvalues(fields["pvalue"], REST_CORRECTION),
        _rest=(fields["df"], tuple(test.tails for test in tests)),
    )


def fields_of_pairs(
    names: tuple[str, ...], groups: tuple[SubgroupAUC, ...], claims: PairClaims, control: int | None
) -> Fields:
    """Return the fields with the AUCs of subgroups and the tests of their pairs."""
    k = len(names)
    cells = np.triu_indices(k, 1) if control is None else control_cells(k, control)
    if claims.correction == AUTO:
        claims = claims._replace(correction="dunnett-stepdown")
    tests = [compare_subgroups(groups[i], groups[j]) for i, j in zip(*cells, strict=True)]
    fields = tests_as_arrays(tests)
    error = np.array([group.evidence.standard_error for group in groups])
    variance = np.add.outer(error**2, error**2)
    np.fill_diagonal(variance, 0.0)  # of an AUC less itself
    return Fields(
        **fields,
        pairs=named_pairs(names, cells),
        adjusted_pvalue=adjust_against_control(fields["pvalue"], variance, cells, claims),
        correction=claims.correction,
        alternative=claims.alternative,
        alpha=claims.alpha,
        auc=np.array([group.evidence.auc for group in groups]),
        auc_standard_error=error,
        n_positive=tuple(group.m for group in groups),
        n_negative=tuple(group.n for group in groups),
        _tails=tuple(test.tails for test in tests),
        _unvaried=identical_pairs(groups, fields["estimate"], fields["standard_error"]),
    )


def identical_pairs(
    groups: tuple[SubgroupAUC, ...], estimate: Vector, standard_error: Vector
) -> IdenticalPairs:
    """Return the pairs with equal AUCs that do not vary, and the bound of their differences."""
    bound = unvaried_bound(min(g.m for g in groups), min(g.n for g in groups))
    return IdenticalPairs.of(estimate, standard_error, bound)
