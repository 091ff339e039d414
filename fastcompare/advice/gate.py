"""Whether a model passes a gate: not worse than others, better, or non-inferior at a margin.

The confidence intervals of its differences decide, simultaneous ones of more than one. What is
undefined does not pass.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from .._base.text import interval_title, stated_ends
from .._inputs.options import check_choice, has_direction
from .._inputs.plans.questions import check_gate, refuse_open_side
from .._results.pairs import PairsResult
from .._results.records import Record

VERDICTS: Mapping[str, tuple[str, str]] = {  # of gates: passed, and failed
    "worse": ("is not significantly worse than", "is worse than"),
    "not-better": ("is better than", "is not shown to be better than"),
    "not-noninferior": ("is non-inferior to", "is not shown to be non-inferior to"),
}
OPEN = {("worse", "greater"), ("not-better", "less"), ("not-noninferior", "less")}
MIRROR = {"less": "greater", "greater": "less"}  # of alternatives, where lower is better


@dataclass(frozen=True, eq=False, kw_only=True)
class GateResult(Record):
    """Result of `Comparison.gate`: whether the model passes, and the pair that decides it."""

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
        verdict = VERDICTS[self.fail_if][not self.passed]
        margin = f" at a margin of {self.margin:g}" if self.fail_if == "not-noninferior" else ""
        coverage = "simultaneous " if self.simultaneous else ""
        ends = stated_ends((self.low, self.high), ".4g")
        return (
            f"{self.model!r} {verdict} {self.other!r}{margin} (difference {self.estimate:.4g}, "
            f"{coverage}{self._interval_name} {ends})."
        )


class Difference(NamedTuple):
    """A model against another: the difference with the ends of its interval."""

    other: str
    estimate: float
    low: float
    high: float

    def turned(self) -> Difference:
        """Return the difference of the other model against this one."""
        return Difference(self.other, -self.estimate, -self.high, -self.low)


def gate_of(
    result: Any,
    fail_if: str,
    *,
    model: str | None = None,
    margin: float = 0.0,
    confidence_level: float = 0.95,
    higher_is_better: bool = True,
) -> GateResult:
    """Return whether a model, by default the first, passes a gate by the tests of a result."""
    size = check_gate(fail_if, margin)
    names = tuple(map(str, result.names))
    model = names[0] if model is None else model
    check_choice("model", model, names)
    claim = result.alternative if higher_is_better else MIRROR.get(result.alternative)
    first = names[0] == model
    if claim in MIRROR and (fail_if, claim if first else MIRROR[claim]) in OPEN:
        refuse_open_side(result.alternative, fail_if)
    one_sided = fail_if == "not-noninferior" and not has_direction(result.alternative)
    level = 2.0 * confidence_level - 1.0 if one_sided else confidence_level
    rows = differences(result, model, level)
    decisive, passed = decided(rows, fail_if, size, 1.0 if higher_is_better else -1.0)
    return GateResult(
        passed=passed,
        fail_if=fail_if,
        model=model,
        **decisive._asdict(),
        margin=size,
        confidence_level=confidence_level,
        simultaneous=len(rows) > 1,
        _interval_name=interval_title(result.alternative, level),
    )


def differences(result: Any, model: str, level: float) -> list[Difference]:
    """Return the differences of a model from all others, with intervals that cover together."""
    if not isinstance(result, PairsResult):
        first, second = map(str, result.names)
        ends = result.confidence_interval(level)
        row = Difference(second, float(result.estimate), *ends)
        return [row if first == model else row._replace(other=first).turned()]
    chosen = [p for p, pair in enumerate(result.pairs) if model in pair]
    lows, highs = map(np.asarray, result.confidence_interval(level, simultaneous=True))
    rows = []
    for p in chosen:
        first, second = map(str, result.pairs[p])
        row = Difference(second, float(result.estimate[p]), float(lows[p]), float(highs[p]))
        rows.append(row if first == model else row._replace(other=first).turned())
    return rows


def decided(
    rows: list[Difference], gate: str, margin: float, sign: float
) -> tuple[Difference, bool]:
    """Return the difference that decides a gate, and whether all pass; NaN comes first."""
    ends = [sorted((sign * row.low, sign * row.high)) for row in rows]
    above = -margin if gate == "not-noninferior" else 0.0
    passes = [high >= 0.0 if gate == "worse" else low > above for low, high in ends]
    side = int(gate == "worse")  # the end that decides
    order = [
        (ok, -math.inf if np.isnan(end[side]) else end[side])
        for ok, end in zip(passes, ends, strict=True)
    ]
    decisive = min(range(len(rows)), key=order.__getitem__)
    return rows[decisive], all(passes)
