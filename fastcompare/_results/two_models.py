"""Comparisons of two models: their names, the answer in a sentence, the test and its interval."""

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

from .._base.text import (
    DIFFERENCE,
    UPWARD,
    decimals_for,
    equation,
    hypothesis_text,
    show_number,
    show_pvalue,
    verdict,
)
from .._base.types import Vector
from .._inference.infer import RareDifferenceBound, ZeroVarianceBound
from .._inference.pvalues import normal_quantile, open_one_side, reference_quantile, upper_tail
from .._inputs.options import check_claim_level
from .._inputs.scores import UNNAMED
from .gate import Gated
from .records import ConfidenceInterval, Estimate, Record


def verdict_kind(alternative: str, margin: float, difference: float | None) -> str:
    """Return which of `VERDICTS` fit a test: 'two-sided', 'one-sided', 'margin' or 'equivalence'.

    Or 'any' for a two-sided test of curves, or without a difference: no model is the better one.
    """
    if UPWARD.get(alternative) is not None:
        return "margin" if margin else "one-sided"
    kind = alternative
    return kind if difference or kind != "two-sided" else "any"


@dataclass(frozen=True, eq=False, kw_only=True)
class TwoModels(Record):
    """A comparison of two models; sentences call unnamed ones by their order."""

    names: tuple[str, str] = UNNAMED

    _quantity: ClassVar[str] = ""  # what is compared, as sentences name it; empty if nothing is
    _difference_title: ClassVar[str] = DIFFERENCE  # the estimate, as tables name it

    @property
    def _tested_quantity(self) -> str:
        """What the verdict is about: the quantity, or that of a typical case for tests of ranks."""
        return self._quantity

    @property
    def _display_names(self) -> tuple[str, str]:
        """The names of the two models, or ``the first`` and ``the second``."""
        return ("the first", "the second") if self.names == UNNAMED else self.names

    @property
    def _subjects(self) -> tuple[str, str]:
        """The names of the two models, or ``the first model`` and ``the second model``."""
        unnamed = self.names == UNNAMED
        return ("the first model", "the second model") if unnamed else self.names

    @property
    def _difference(self) -> Any:
        """The number whose sign says which model is better; None where curves are compared."""
        return getattr(self, "estimate", None)

    def _verdict(self) -> str:
        """Return which model is better, not worse or equivalent, as far as the test shows it."""
        if not self._quantity:
            return ""
        unnamed = self.names == UNNAMED
        first, second = self._subjects
        alternative = getattr(self, "alternative", "two-sided")
        estimate = self._difference
        margin = getattr(self, "margin", 0.0)
        upward_claim = UPWARD.get(alternative)
        upward = (estimate or 0.0) > 0.0 if upward_claim is None else upward_claim
        higher_is_better = getattr(self, "higher_is_better", True)
        better, worse = first, second
        if upward != higher_is_better:
            better, worse = second, first
        more = higher_is_better if upward_claim is None else upward_claim
        return verdict(
            self._verdicts[verdict_kind(alternative, margin, estimate)],
            self.pvalue,  # type: ignore[attr-defined]
            self._levels,
            first=first,
            second=second,
            better=better,
            worse=worse,
            both="the two models" if unnamed else f"{first} and {second}",
            more="higher" if more else "lower",
            quantity=self._tested_quantity,
            margin=margin,
        )

    def _both_names(self, unnamed: str) -> str:
        """Return ``a and b`` by the models' names, or the text `unnamed` if they have none."""
        return unnamed if self.names == UNNAMED else " and ".join(self.names)

    def _beside_names(self, first: str, second: str) -> str:
        """Return ``first (a) and second (b)``, two texts with the names of their models."""
        if self.names == UNNAMED:
            return f"{first} and {second}"
        name_1, name_2 = self.names
        return f"{first} ({name_1}) and {second} ({name_2})"


@dataclass(frozen=True, eq=False, kw_only=True)
class Result(Gated, TwoModels, Estimate):
    """What every test of one hypothesis returns; `estimate` is first minus second."""

    statistic: float
    pvalue: float
    log_pvalue: float
    alternative: str
    margin: float
    _unvaried: ZeroVarianceBound | RareDifferenceBound | None = field(repr=False, default=None)

    letter: ClassVar[str] = ""
    digits: ClassVar[str] = ".4g"  # of the statistic in sentences
    _sheets: ClassVar[str] = "difference"
    _picture: ClassVar[str] = "forest"

    def _quantile(self, tail: float) -> float:
        """Return the quantile of the statistic's null distribution with `tail` above it."""
        raise NotImplementedError

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the confidence interval for `estimate`, which inverts the test.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1. With ``alternative="equivalence"`` the two-sided interval at ``2 *
            confidence_level - 1`` is returned: it lies within the margins if and only if the test
            rejects at ``1 - confidence_level``.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, clipped to the parameter space. If no difference varies, it is a bound
            that depends on the number of cases, or NaN if the estimate is not 0 and there is no
            margin; NaN if the variance is undefined.
        """
        level = check_claim_level(confidence_level, self.alternative)
        ends = self._ends if self.standard_error > 0.0 else self._zero_variance_limits
        return ConfidenceInterval.within(*ends(level), self.bounds)

    @property
    def _by_bound(self) -> bool:
        """Whether p-value and interval are bounds by units that do not vary, or hardly."""
        return self._unvaried is not None and bool(self.margin or not self.estimate)

    def _zero_variance_limits(self, level: float) -> tuple[float, float]:
        """Return the limits where no difference varies: a bound, (0, 0) or NaN."""
        if isinstance(self._unvaried, ZeroVarianceBound) and self._by_bound:
            ends = self._unvaried.ends(self.estimate, upper_tail(level, self.alternative))
            return open_one_side(self.alternative, *ends, self.bounds)
        end = 0.0 if self.estimate == self.standard_error == 0.0 else math.nan
        return end, end

    def _ends(self, level: float) -> tuple[float, float]:
        """Return the limits of the interval at this level, before they are clipped."""
        tail = upper_tail(level, self.alternative)
        low, high = self._wald_limits(tail)
        if isinstance(self._unvaried, RareDifferenceBound):
            low, high = self._unvaried.widened(low, high, tail)
        return open_one_side(self.alternative, low, high, self.bounds)

    def _wald_limits(self, tail: float) -> tuple[float, float]:
        """Return estimate -/+ quantile times standard error."""
        radius = self._quantile(tail) * self.standard_error
        return self.estimate - radius, self.estimate + radius

    def _interval_text(self, form: str = ".4f", at: int | tuple[()] = ()) -> str:
        """Return the interval as sentences name it, and the bound where no difference varies."""
        named = super()._interval_text(form, at)
        is_bound = self._by_bound and isinstance(self._unvaried, ZeroVarianceBound)
        return f"{named} {self._unvaried}" if is_bound else named

    def _bound_sentence(self) -> str:
        """Return a sentence on the bound of rare differences, if the p-value is that bound."""
        bound = self._unvaried
        if not isinstance(bound, RareDifferenceBound) or not self.margin:
            return ""
        if bound.pvalue(self.alternative, self.margin) < self.pvalue:
            return ""
        return bound.sentence(self.alternative, self.margin, self.letter.partition("(")[0])

    def _evidence(self) -> str:
        """Return ``z = 2.1, p = 0.0357``; of an infinite statistic the p-value alone."""
        p = equation("p", show_pvalue(self.pvalue))
        if not math.isfinite(self.statistic):
            return p
        return f"{self.letter} = {self.statistic:{self.digits}}, {p}"

    def _hypothesis_text(self) -> str:
        """Return the alternative hypothesis, to follow the test in a sentence."""
        return hypothesis_text(self.alternative, self.margin)

    def _values_sentence(self, subject: str, values: Vector, suffix: str = "") -> str:
        """Return a sentence with both models' values, their difference and its test.

        `suffix` ends the parenthesis with the interval and the p-value.
        """
        form = f".{decimals_for(self.estimate)}f"
        both = self._beside_names(*(show_number(x, form) for x in values))
        return (
            f"{subject} {both}, a difference of "
            f"{show_number(self.estimate, form)} ({self._interval_text(form)}; {self.method}"
            f"{self._hypothesis_text()}, {self._evidence()}{suffix})."
            f"{self._bound_sentence()}"
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class NormalResult(Result):
    """A test whose statistic is standard normal under the null hypothesis."""

    letter: ClassVar[str] = "z"

    def _quantile(self, tail: float) -> float:
        return normal_quantile(tail)


@dataclass(frozen=True, eq=False, kw_only=True)
class StudentResult(Result):
    """A test whose statistic is Student's t with `df` degrees of freedom; infinite ones: normal."""

    df: float

    @property
    def letter(self) -> str:  # type: ignore[override]
        """The name of the statistic, with its degrees of freedom."""
        if self.df == math.inf:
            return "z"
        return "t" if math.isnan(self.df) else f"t({self.df:.4g})"

    def _quantile(self, tail: float) -> float:
        return reference_quantile(tail, self.df)
