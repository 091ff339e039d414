"""All pairs of k models: intervals, cliques, compact letters and sentences of their results.

Fields with a value a pair are arrays along `pairs`; `matrix` arranges one as a table (k, k). A
subclass gives the limits of its intervals, and the models' covariance where that is estimated.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.text import (
    DIFFERENCE,
    amount,
    correction_title,
    decimals_for,
    equation,
    join_names,
    show_pvalue,
)
from .._base.types import Fields, Matrix, Vector
from .._inference.corrections.adjust import PairClaims, adjusted_family
from .._inference.infer import ZeroVarianceBound
from .._inference.pvalues import (
    open_one_side,
    ratios,
    reference_pvalues,
    reference_quantiles,
    upper_tail,
)
from .._inference.status import warn_status
from .._inputs.options import check_alpha, check_choice, check_flag, check_level
from .._inputs.pictures import as_pvalue_matrix, check_letters, check_tested
from .cliques import models_in_cliques, significance_groups
from .gate import Difference, Gated, difference_from
from .headlines import (
    MOST_NAMED,
    MOST_PAIRS,
    MOST_PRINTED,
    compare_with_best,
    is_one_sided,
    is_with_control,
    pairs_headline,
    significance,
)
from .records import ByReference, ConfidenceInterval, Record

MEASURES: Mapping[str, str] = {  # fields with a value a model, and the heads of their columns
    "auc": "AUC",
    "concordance": "concordance",
    "accuracy": "accuracy",
    "means": "mean score",
    "losses": "mean loss",
    "ratios": "ratio",
    "values": "value",
    "kappa": "kappa",
    "average_ranks": "average rank",
    "strengths": "strength",
}
LOWER_IS_BETTER = ("losses", "average_ranks")


def model_measure(result: Any) -> str:
    """Return the field with a value a model, or nothing."""
    k = len(model_names(result))
    fields = (name for name in MEASURES if np.shape(getattr(result, name, ())) == (k,))
    return next(fields, "") if k else ""


def model_names(result: Any) -> tuple[str, ...]:
    """Return the names of the models of a result, if it has any."""
    names = getattr(result, "names", None) or getattr(result, "models", None)
    return tuple(map(str, names)) if isinstance(names, tuple | list) else ()


def best_first(result: Any, name: str) -> list[int]:
    """Return the indices of the models from the best to the worst, undefined ones last."""
    is_of_pairs = isinstance(result, PairsResult)
    standing = result._standing() if is_of_pairs else model_standing(result, name)
    return list(standing.argsort(kind="stable").tolist())


def model_standing(result: Any, name: str) -> Vector:
    """Return a number (k,) for each model, the smaller the better: the field `name` or minus it."""
    values = np.asarray(getattr(result, name), np.float64)
    lower = name in LOWER_IS_BETTER or not getattr(result, "higher_is_better", True)
    return values if lower else -values


Pairs = tuple[tuple[str, str], ...]
Cells = tuple[NDArray[np.intp], NDArray[np.intp]]  # the indices of the models of pairs
Chosen = slice | NDArray[np.intp]  # some of the pairs
ALL_PAIRS = slice(None)
CASES_PER_MODEL = 10  # with so many the largest |t| covers at 94.5% for 95, with one at 89%
DIAGONAL = {  # fields with a value a pair, and what stands for a model against itself
    "estimate": 0.0,
    "statistic": 0.0,
    "standard_error": math.nan,
    "effect_size": 0.0,
    "pvalue": 1.0,
    "adjusted_pvalue": 1.0,
    "log_pvalue": 0.0,
    "n10": math.nan,
    "n01": math.nan,
    "n_zero": math.nan,
    "status": "",
    "method": "",
}


class IdenticalPairs(NamedTuple):
    """Which pairs (P,) have the same answers on all cases, and the bound of their differences."""

    identical: NDArray[np.bool_]
    bound: ZeroVarianceBound

    @classmethod
    def of(
        cls, estimate: Vector, standard_error: Vector, bound: ZeroVarianceBound
    ) -> IdenticalPairs:
        """Return the pairs whose difference and standard error are 0."""
        return cls((estimate == 0.0) & (standard_error == 0.0), bound)


class JointCovariance(NamedTuple):
    """The covariance (k, k) of the models' estimates, up to a factor, and its degrees of freedom.

    `n` is the number of cases that it is estimated from, infinite where it is known.
    """

    covariance: Matrix
    df: float = math.inf
    n: float = math.inf

    def is_precise_for(self, k: int) -> bool:
        """Return whether there are enough cases to take the covariance of k models as known."""
        return self.n >= CASES_PER_MODEL * k


@dataclass(frozen=True, eq=False, kw_only=True)
class PairsResult(Gated, Record):
    """Tests of all pairs of k models; arrays over the P = k (k - 1) / 2 pairs, in row order."""

    names: tuple[str, ...]
    pairs: Pairs
    estimate: Vector
    statistic: Vector
    pvalue: Vector
    adjusted_pvalue: Vector
    correction: str
    alternative: str
    status: NDArray[np.str_]
    n_dropped: int
    alpha: float = 0.05  # what the sentence and the cliques call significant
    _unvaried: IdenticalPairs | None = field(repr=False, default=None)

    quantity: ClassVar[str] = ""
    _claim: ClassVar[str] = ""  # what stands between the better model and the worse one
    _follows_sample: ClassVar[bool] = True
    higher_is_better: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float]] = (-math.inf, math.inf)  # of the estimates
    signed: ClassVar[tuple[str, ...]] = ("estimate", "statistic", "effect_size")
    _sheets: ClassVar[str] = "pairs"
    _picture: ClassVar[str] = "pairs"
    _presented: ClassVar[str] = "plain"
    _thing: ClassVar[str] = "model"  # what is compared, as the head of a column
    _difference_title: ClassVar[str] = DIFFERENCE  # the estimate, as tables name it
    _stated_difference: ClassVar[str] = ""  # what pairs show, where it is not the models' value

    def _compute_pairs(self) -> Pairs:
        """Return all pairs of names."""
        return all_pairs(self.names)

    def _compute_adjusted_pvalue(self) -> Vector:
        """Return the p-values, adjusted by the correction."""
        return adjust_pair_pvalues(self.pvalue, self.correction)

    @property
    def claim(self) -> str:
        """What stands between the better model and the worse one, in sentences."""
        more = "higher" if self.higher_is_better else "better (lower)"
        return self._claim.format(more=more, quantity=self.quantity)

    @property
    def log_pvalue(self) -> Vector:
        """The natural logarithms (P,) of the unadjusted p-values."""
        with np.errstate(divide="ignore"):
            return np.log(self.pvalue)

    @property
    def cliques(self) -> tuple[tuple[str, ...], ...]:
        """The maximal groups of models of which no two differ at `alpha`, by name, best first.

        Empty where p-values are undefined.
        """
        differs = self.matrix("adjusted_pvalue") <= self.alpha
        if np.isnan(self.adjusted_pvalue).any():
            return ()
        groups = models_in_cliques(differs, self._standing())
        return tuple(tuple(self.names[j] for j in group) for group in groups)

    def matrix(self, field: str) -> NDArray[Any]:
        """Return a field that has a value a pair as a table (k, k) of models.

        Parameters
        ----------
        field : str
            'estimate', 'pvalue', 'adjusted_pvalue', 'log_pvalue', 'status' and the like.

        Returns
        -------
        ndarray of shape (k, k)
            The model of the row against that of the column: differences change their sign below
            the diagonal. On the diagonal differences are 0, p-values 1, words empty, and other
            numbers NaN; so are pairs that were not tested.
        """
        available = {*self._field_names(), *dir(type(self))}  # asking for a field may compute it
        check_choice("field", field, [name for name in DIAGONAL if name in available])
        values = np.asarray(getattr(self, field))
        first, second = self._cells()
        table = np.full((len(self.names),) * 2, "" if values.dtype.kind == "U" else math.nan)
        table = table.astype(np.result_type(values, table))
        np.fill_diagonal(table, DIAGONAL[field])
        table[first, second] = values
        table[second, first] = -values if field in self.signed else values
        return table

    def confidence_interval(
        self, confidence_level: float = 0.95, *, simultaneous: bool = False
    ) -> ConfidenceInterval:
        """Return the confidence intervals of all pairs, which invert their tests.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1: of each interval, or of all simultaneously.
        simultaneous : bool, default=False
            Widen the intervals so that all of them cover simultaneously: by the distribution of the
            largest statistic if the covariance of the models is known, or estimated from at least
            ten cases per model; otherwise by Bonferroni. If False they are not adjusted for
            multiple comparisons and agree with `pvalue`, not `adjusted_pvalue`.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, arrays of shape (P,), cut to the parameter space; NaN where the
            variance is 0 or undefined but the estimate is not 0. Intervals of models that answer
            all cases identically are bounds that depend on the number of cases; simultaneous ones
            are always by Bonferroni.
        """
        return self._intervals(ALL_PAIRS, confidence_level, simultaneous)

    def _intervals(
        self, chosen: Chosen, confidence_level: float, simultaneous: bool
    ) -> ConfidenceInterval:
        """Return the intervals of the chosen pairs; see `confidence_interval`."""
        level = check_level(confidence_level)
        if check_flag("simultaneous", simultaneous) and len(self.pairs) > 1:
            level_of_each = self._level_of_each(level)
            return self._intervals_at(chosen, level_of_each, self._bonferroni_level(level))
        return self._intervals_at(chosen, level, level)

    def _intervals_at(
        self, chosen: Chosen, level: float, level_if_identical: float
    ) -> ConfidenceInterval:
        """Return the intervals of the chosen pairs at a level, and at another of identical models.

        The largest statistic is one of pairs that vary, so its level says nothing of others: with
        three pairs of copies that differ in 2.3% of 200 items, intervals of all pairs at that level
        missed in 3.3% of samples, with Bonferroni's level for identical pairs in 2.6%.
        """
        limits = self._chosen_limits(chosen, level)
        low, high = self._with_identical_pairs(*limits, level_if_identical, chosen)
        return ConfidenceInterval.within(low, high, self.bounds)

    def _differences_from(self, model: str, level: float) -> list[Difference]:
        """Return the differences of a model from all others, with intervals that cover together."""
        ends = (self.estimate, *self.confidence_interval(level, simultaneous=True))
        rows = zip(self.pairs, zip(*map(np.asarray, ends), strict=True), strict=True)
        return [difference_from(model, pair, row) for pair, row in rows if model in pair]

    def _chosen_limits(self, chosen: Chosen, level: float) -> tuple[Vector, Vector]:
        """Return the limits of the chosen pairs' intervals; a subclass may compute these alone."""
        low, high = np.broadcast_arrays(*self._ends(level))
        return low[chosen], high[chosen]

    def _estimates(self, chosen: Chosen) -> Vector:
        """Return the estimates of the chosen pairs."""
        return self.estimate[chosen]

    def _ends(self, level: float) -> tuple[Vector | float, Vector | float]:
        """Return the limits (P,) of all pairs' intervals at this level, before clipping."""
        raise NotImplementedError

    def _with_identical_pairs(
        self, low: Vector, high: Vector, level: float, chosen: Chosen = ALL_PAIRS
    ) -> tuple[Vector, Vector]:
        """Return the limits; those of identical pairs are bounds for the number of cases."""
        if self._unvaried is None:
            return low, high
        identical, bound = self._unvaried
        ends = bound.ends(0.0, upper_tail(level, self.alternative))
        bound_low, bound_high = open_one_side(self.alternative, *ends, self.bounds)
        is_identical = identical[chosen]
        return np.where(is_identical, bound_low, low), np.where(is_identical, bound_high, high)

    @property
    def _adjusts(self) -> bool:
        """Whether p-values are adjusted for the number of pairs, as intervals then should be."""
        joint = getattr(self, "critical_difference", None) is not None
        return len(self.pairs) > 1 and (joint or self.correction != "none")

    def _joint_covariance(self) -> JointCovariance | None:
        """Return the covariance of the models' estimates, None where it is unknown."""
        return None

    def _level_of_each(self, level: float) -> float:
        """Return the level of each interval with which all cover simultaneously at `level`.

        By the distribution of the largest statistic, or by Bonferroni's inequality.
        """
        with np.errstate(invalid="ignore"):  # of infinite losses, which have no covariance
            joint = self._joint_covariance()
        is_precise = joint is not None and joint.is_precise_for(len(self.names))
        if joint is None or not is_precise or not np.isfinite(joint.covariance).all():
            return self._bonferroni_level(level)
        from .._inference.max_t import level_of_each

        return level_of_each(joint.covariance, self._cells(), level, self.alternative, joint.df)

    def _bonferroni_level(self, level: float) -> float:
        """Return the level of each interval by Bonferroni's inequality."""
        return 1.0 - (1.0 - level) / max(len(self.pairs), 1)

    def _standing(self) -> Vector:
        """Return a number (k,) for each model, the smaller the better the model."""
        return model_standing(self, model_measure(self))

    def _cells(self) -> Cells:
        """Return the indices (P,) of the first and of the second model of each pair."""
        return np.triu_indices(len(self.names), 1)

    def _summary(self) -> str:
        """Return the result in a sentence of plain words, at the level `alpha` (5%)."""
        if np.isnan(self.pvalue).all():
            return "No p-value is defined for these data."
        if np.isnan(self.adjusted_pvalue).all():
            return f"No {correction_title(self.correction)}-adjusted p-value is defined."
        significant = np.flatnonzero(self.adjusted_pvalue <= self.alpha)
        total = len(self.pairs)
        decision = f"{significance(self)} {self._rule()}"
        if not significant.size:
            tested = int(np.count_nonzero(~np.isnan(self.adjusted_pvalue)))
            testable = "" if tested == total else " that can be tested"
            which = "The difference" if tested == 1 else f"None of the {tested} differences"
            verb = "is not" if tested == 1 else "is"
            return f"{which}{testable} in {self.quantity} {verb} {decision}."
        by_pair = total == 1 or is_with_control(self) or is_one_sided(self)
        findings = self._strongest(significant) if by_pair else self._best(significant)
        which = "The difference" if total == 1 else f"{significant.size} of {total} differences"
        verb = "is" if significant.size == 1 else "are"
        return f"{which} in {self.quantity} {verb} {decision}: {findings}."

    def _strongest(self, significant: NDArray[np.intp]) -> str:
        """Return the pairs in words; of many those of the smallest p-values."""
        order = significant[np.argsort(self.pvalue[significant], kind="stable")].tolist()
        named = order if len(order) <= MOST_PAIRS else order[:MOST_NAMED]
        sentences = "; ".join(map(self._sentence, named))
        more = len(order) - len(named)
        return sentences + (f"; and {more} more (in the table of pairs)" if more else "")

    def _best(self, significant: NDArray[np.intp]) -> str:
        """Return which models are worse than the best one, which are not, and the other pairs."""
        best, others, not_significant, worse = compare_with_best(self, significant)
        if any(self._better(p) != self.names[best] for p in worse.tolist()):
            return self._strongest(significant)  # a test of ranks need not agree with the best mean
        no_difference = ""
        if not_significant.size:
            close_models = join_names(
                [self.names[j] for j in others[not_significant]], MOST_PRINTED
            )
            no_difference = f"does not differ significantly from {close_models}"
        if not worse.size:
            leader = f"{self.names[best]}, the best, {no_difference}; " if no_difference else ""
            return leader + self._strongest(significant)
        findings = [self._better_than(worse)]
        if no_difference:
            findings.append(f"it {no_difference}")
        others_differ = self._among_others(np.setdiff1d(significant, worse), significant.size)
        return "; ".join([*findings, *others_differ])

    def _better_than(self, chosen: NDArray[np.intp]) -> str:
        """Return that one model is better than others: ``a ranks better than b by 1 and ...``."""
        order = chosen[np.argsort(self.pvalue[chosen], kind="stable")].tolist()
        findings = [
            self._sentence(order[0]),
            *(
                f"than {self._worse(p)} by {self._difference_and_pvalue(p)}"
                for p in order[1:MOST_PRINTED]
            ),
        ]
        if more := len(order) - len(findings):
            findings.append(f"{more} more")
        return join_names(findings, len(findings))

    def _among_others(self, chosen: NDArray[np.intp], n_significant: int) -> list[str]:
        """Return the significant pairs without the best model, by the better one, or how many."""
        if n_significant > MOST_PAIRS and chosen.size:
            verb = "differs" if chosen.size == 1 else "differ"
            pairs = amount(chosen.size, "pair")
            return [f"{pairs} of other models {verb} significantly (in the table of pairs)"]
        better = np.array([self.names.index(self._better(p)) for p in chosen.tolist()], np.intp)
        best_first = np.argsort(self._standing(), kind="stable").tolist()
        return [self._better_than(chosen[better == j]) for j in best_first if (better == j).any()]

    def _headline(self) -> str:
        """Return which models are better than which, as the heading of a page."""
        return pairs_headline(self)

    def _rule(self) -> str:
        """Return how significance was decided: ``at the 5% level (DeLong, Holm-adjusted)``."""
        rule = f"at the {100 * self.alpha:g}% level"
        is_adjusted = len(self.pairs) > 1 and self.correction != "none"
        how = f"{correction_title(self.correction)}-adjusted" if is_adjusted else ""
        test = ", ".join(filter(None, (self._test_name(), how)))
        return f"{rule} ({test})" if test else rule

    def _test_name(self) -> str:
        """Return the name of the test; nothing where pairs have different ones."""
        methods = np.unique(getattr(self, "method", ()))
        return str(methods[0]) if methods.size == 1 else ""

    def _better(self, p: int) -> str:
        """Return the model of a pair that the tested difference favours."""
        first_is_better = (self._difference(p) > 0) == self.higher_is_better
        first, second = self.pairs[p]
        return first if first_is_better else second

    def _worse(self, p: int) -> str:
        """Return the other model of a pair."""
        first, second = self.pairs[p]
        return second if self._better(p) == first else first

    def _sentence(self, p: int) -> str:
        """Return which model of a pair is better, by how much, and the p-value."""
        return (
            f"{self._better(p)} {self.claim} {self._worse(p)} by {self._difference_and_pvalue(p)}"
        )

    def _difference_and_pvalue(self, p: int) -> str:
        """Return the size of a difference and its p-value: ``0.0123 (adjusted p = 0.0456)``."""
        kind = "p" if self.correction == "none" or len(self.pairs) == 1 else "adjusted p"
        p_text = equation(kind, show_pvalue(float(self.adjusted_pvalue[p])))
        return f"{self._difference_text(p)} ({p_text})"

    def _difference_text(self, p: int) -> str:
        """Return the absolute difference of a pair with four decimals or more."""
        difference = self._difference(p)
        return f"{abs(difference):.{decimals_for(difference)}f}"

    def _difference(self, p: int) -> float:
        """Return the estimate of one pair."""
        return float(self.estimate[p])


@dataclass(frozen=True, eq=False, kw_only=True)
class ReferencePairs(ByReference, PairsResult):
    """Pairs whose statistics are normal, or Student's t where `df` is finite."""

    standard_error: Vector

    def _ends(self, level: float) -> tuple[Vector | float, Vector | float]:
        """Return the lower and the upper confidence limits (P,) by the reference distributions."""
        df = np.broadcast_to(getattr(self, "df", math.inf), self.estimate.shape)
        tail = upper_tail(level, self.alternative)
        below, above = self._reach(reference_quantiles(tail, df), tail)
        is_defined = (self.standard_error != 0.0) | (self.estimate == 0.0)
        error = np.where(is_defined, self.standard_error, math.nan)
        low, high = self.estimate - below * error, self.estimate + above * error
        return open_one_side(self.alternative, low, high, self.bounds)

    def _reach(self, quantile: Vector, tail: float) -> tuple[Vector, Vector]:
        """Return how many standard errors the limits lie below and above the estimates.

        `quantile` is that of the reference distributions with `tail` above it.
        """
        return quantile, quantile


def all_pairs(names: tuple[str, ...]) -> Pairs:
    """Return all pairs of names (i < j), in row order.

    Unlike `itertools.combinations`, this loop can be interrupted from the keyboard.
    """
    return tuple([(a, b) for j, a in enumerate(names, 1) for b in names[j:]])


def named_pairs(names: tuple[str, ...], cells: Cells) -> Pairs:
    """Return the names of the models of these pairs."""
    places = zip(*(models.tolist() for models in cells), strict=True)
    return tuple([(names[i], names[j]) for i, j in places])


def control_cells(k: int, control: int) -> Cells:
    """Return the indices of the models of all pairs with the control, which comes first."""
    others = np.delete(np.arange(k), control)
    return np.full(others.shape, control), others


def adjust_pair_pvalues(pvalue: Vector, correction: str) -> Vector:
    """Return p-values adjusted for the number of pairs; undefined ones stay NaN, without a warning.

    Bergmann and Hommel's correction needs the p-values of all pairs: where one is NaN, all are.
    """
    if correction == "none":
        return pvalue.copy()
    if correction == "bergmann-hommel" and np.isnan(pvalue).any():
        return np.full(pvalue.shape, math.nan)
    return adjusted_family(pvalue, correction)


def pair_fields(
    names: tuple[str, ...],
    pvalue: Vector,
    correction: str,
    alternative: str = "two-sided",
    pairs: Pairs | None = None,
) -> Fields:
    """Return the fields of `PairsResult` that follow from names and p-values."""
    return Fields(
        names=names,
        pairs=all_pairs(names) if pairs is None else pairs,
        pvalue=pvalue,
        adjusted_pvalue=adjust_pair_pvalues(pvalue, correction),
        correction=correction,
        alternative=alternative,
    )


def reference_fields(
    names: tuple[str, ...], estimate: Vector, error: Vector, df: Vector, claims: PairClaims
) -> Fields:
    """Return the fields of `ReferencePairs` that follow from estimates and standard errors."""
    statistic = ratios(estimate, error)
    pvalue = reference_pvalues(statistic, error, df, claims.alternative)
    return Fields(
        **pair_fields(names, pvalue, claims.correction, claims.alternative),
        estimate=estimate,
        standard_error=error,
        statistic=statistic,
        alpha=claims.alpha,
    )


def warn_pairs(
    pairs: Pairs,
    status: NDArray[np.str_],
    on_undefined: str,
    hints: Mapping[str, str] | None = None,
) -> None:
    """Warn or raise for each status word that says that something of some pairs is undefined.

    `hints` say by word what to do about it.
    """
    for word in dict.fromkeys(status.tolist()):
        remedy = (hints or {}).get(word, "")
        warn_status(word, on_undefined, remedy + pair_note(pairs, status == word))


def pair_note(pairs: Pairs, chosen: NDArray[np.bool_]) -> str:
    """Return `` (a and b, a and c)``, the pairs that a warning is about; '' if it is about all."""
    if chosen.all():
        return ""
    named = [" and ".join(pairs[p]) for p in np.flatnonzero(chosen)]
    more = f" and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
    return f" ({', '.join(named[:MOST_NAMED])}{more})"


LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def compact_letters(result: Any, *, alpha: float | None = None) -> dict[str, str]:
    """Return the compact letter display: models that share a letter do not differ significantly.

    Parameters
    ----------
    result : result of a test of all pairs of models
        From `nemenyi_test`, `friedman_pairwise_test`, `delong_pairwise_test` or similar.
    alpha : float, optional
        The significance level; by default that of the result, or else 0.05.

    Returns
    -------
    dict of str to str
        The letters of each model, by name, starting with the best model. Two models differ
        significantly if and only if they share no letter.

    Raises
    ------
    FastCompareError
        As ValueError or TypeError, for anything but a test of all pairs, and if the models need
        more than 52 letters.

    Notes
    -----
    Each letter is a clique, one of the maximal groups of models of which no two differ
    significantly, as found by the insert-and-absorb algorithm of Piepho (2004). Letters are
    assigned starting with the best model by average rank, AUC, accuracy or mean, depending on the
    test.

    References
    ----------
    .. [1] H.-P. Piepho (2004), doi:10.1198/1061860043515.

    Examples
    --------
    >>> import fastcompare as fc
    >>> errors = {"a": [9, 8, 7, 8], "b": [7, 5, 6, 4], "c": [8, 6, 5, 6]}
    >>> fc.compact_letters(fc.nemenyi_test(errors, higher_is_better=False))
    {'b': 'a', 'c': 'ab', 'a': 'b'}
    """
    compared = as_pvalue_matrix(result)
    level = check_alpha(getattr(result, "alpha", 0.05) if alpha is None else alpha)
    check_tested(compared.pvalues)
    groups = significance_groups(compared.pvalues <= level, compared.standing)
    check_letters(len(groups), len(LETTERS))
    best_first = np.argsort(compared.standing, kind="stable")
    letters = assign_letters(groups, len(compared.names))
    return {compared.names[j]: letters[j] for j in best_first}


def assign_letters(groups: Sequence[Sequence[int]], k: int) -> tuple[str, ...]:
    """Return the letters of k models: one for each group that a model is in."""
    letters_by_model = [""] * k
    for letter, group in zip(LETTERS, groups, strict=False):
        for j in group:
            letters_by_model[j] += letter
    return tuple(letters_by_model)
