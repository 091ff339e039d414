"""Whether a model passes a gate: not worse than others, better, or non-inferior at a margin.

The confidence intervals of its differences decide, simultaneous ones of more than one. What is
undefined does not pass.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from .._base.text import interval_title, show_number, stated_ends
from .._inputs.options import check_choice, check_flag, has_direction
from .._inputs.plans.questions import check_gate, check_sides, gate_levels, refuse_gate
from .records import Record

VERDICTS: Mapping[str, tuple[str, str]] = {  # of gates: passed, and failed
    "worse": ("is not significantly worse than", "is worse than"),
    "not-better": ("is better than", "is not shown to be better than"),
    "not-noninferior": ("is non-inferior to", "is not shown to be non-inferior to"),
}


@dataclass(frozen=True, eq=False, kw_only=True)
class GateResult(Record):
    """Result of ``gate``, of comparisons: whether the model passes, and the pair that decides."""

    passed: bool
    fail_if: str
    model: str
    other: str
    estimate: float
    low: float
    high: float
    margin: float
    confidence_level: float
    simultaneous: bool
    _interval_name: str
    title: ClassVar[str] = "Gate"
    _sheets: ClassVar[str] = "facts"

    def __bool__(self) -> bool:
        return self.passed

    def _summary(self) -> str:
        """Return the decision in a sentence, with the difference and its interval."""
        if_passed, if_failed = VERDICTS[self.fail_if]
        verdict = if_passed if self.passed else if_failed
        if math.isnan(self.low) or math.isnan(self.high):
            verdict = "cannot be compared with"
        margin = f" at a margin of {self.margin:g}" if self.fail_if == "not-noninferior" else ""
        coverage = "simultaneous " if self.simultaneous else ""
        ends = stated_ends((self.low, self.high), ".4g")
        return (
            f"{self.model!r} {verdict} {self.other!r}{margin} "
            f"(difference {show_number(self.estimate, '.4g')}, "
            f"{coverage}{self._interval_name} {ends})."
        )


class Difference(NamedTuple):
    """The difference of a model from the model `other`, with the limits of its interval."""

    other: str
    estimate: float
    low: float
    high: float


def difference_from(
    model: str, pair: tuple[str, str], estimate_and_limits: tuple[Any, Any, Any]
) -> Difference:
    """Return `model` minus the other model of a pair.

    `estimate_and_limits` (estimate, low, high) are of the first model minus the second: their signs
    change where `model` is the second.
    """
    estimate, low, high = map(float, estimate_and_limits)
    first, second = map(str, pair)
    if first == model:
        return Difference(second, estimate, low, high)
    return Difference(first, -estimate, -high, -low)


class Gated:
    """Mixin of results with intervals of differences between models, which can be a gate."""

    __slots__ = ()

    def gate(
        self,
        fail_if: str,
        *,
        model: str | None = None,
        margin: float = 0.0,
        confidence_level: float = 0.95,
        higher_is_better: bool | None = None,
    ) -> GateResult:
        """Return whether a model passes a gate, by the intervals of its differences.

        Parameters
        ----------
        fail_if : {'worse', 'not-better', 'not-noninferior'}
            What must not hold: that the model is significantly worse than another one, that it is
            not shown to be better than all others, or not within `margin` of all others.
        model : str, optional
            The model; by default the first one.
        margin : float, default=0.0
            The largest loss that does not matter, for 'not-noninferior'.
        confidence_level : float, default=0.95
            Of the intervals, which are simultaneous for more than one difference; of one-sided
            ones for 'not-noninferior'.
        higher_is_better : bool, optional
            Whether higher values are better; by default as the result has it, or else True.

        Returns
        -------
        GateResult
            With ``passed``, the pair that decides (``model``, ``other``, ``estimate``, ``low``,
            ``high``), ``margin``, ``confidence_level``, ``simultaneous`` and ``summary()``; its
            truth value is ``passed``. A difference without an interval does not pass.
        """
        result = self._compared()
        size = check_gate(fail_if, margin)
        names = tuple(map(str, result.names))
        if len(names) < 2 or not result._has_interval:
            refuse_gate(result.title)
        model = names[0] if model is None else model
        check_choice("model", model, names)
        if higher_is_better is None:
            higher_is_better = getattr(result, "higher_is_better", True)
        higher_is_better = check_flag("higher_is_better", higher_is_better)
        better_if_positive = (names[0] == model) == higher_is_better
        check_sides(result.alternative, fail_if, better_if_positive)
        one_sided = fail_if == "not-noninferior" and not has_direction(result.alternative)
        level, level_of_ends = gate_levels(confidence_level, one_sided)
        rows = result._differences_from(model, level_of_ends)
        decisive, passed = decide(rows, fail_if, size, 1.0 if higher_is_better else -1.0)
        return GateResult(
            passed=passed,
            fail_if=fail_if,
            model=model,
            **decisive._asdict(),
            margin=size,
            confidence_level=level,
            simultaneous=len(rows) > 1,
            _interval_name=interval_title(result.alternative, level_of_ends),
        )

    def _compared(self) -> Any:
        """Return the result whose differences decide."""
        return self

    def _differences_from(self, model: str, level: float) -> list[Difference]:
        """Return the differences of a model from all others, with intervals that cover together."""
        result: Any = self
        ends = (result.estimate, *result.confidence_interval(level))
        return [difference_from(model, result.names, ends)]


def decide(
    rows: list[Difference], gate: str, margin: float, sign: float
) -> tuple[Difference, bool]:
    """Return the difference that decides a gate, and whether all differences pass it.

    It decides by the end of its interval that is the nearest to failing, or the farthest beyond;
    an undefined interval fails, and decides before all others. `sign` is -1 where lower is better.
    """
    intervals = [sorted((sign * row.low, sign * row.high)) for row in rows]
    if gate == "worse":
        ends = [high for _, high in intervals]
        passes = [end >= 0.0 for end in ends]
    else:
        null = -margin if gate == "not-noninferior" else 0.0
        ends = [low for low, _ in intervals]
        passes = [end > null for end in ends]
    order = [
        (passed, -math.inf if math.isnan(end) else end)
        for passed, end in zip(passes, ends, strict=True)
    ]
    decisive = min(range(len(rows)), key=order.__getitem__)
    return rows[decisive], all(passes)
