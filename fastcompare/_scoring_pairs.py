"""The paired t-test of the losses of every pair of k models, for the command line.

`scoring_test` of each pair, on the cases that all models share.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._compare.probabilities.calibration_error import binned_error
from ._compare.probabilities.decomposition import bins_of
from ._compare.probabilities.losses import brier_score, log_loss
from ._compare.probabilities.scoring import ScoringResult, scoring_test
from ._corrections import check_correction
from ._exceptions import InvalidValueError
from ._inputs import as_probabilities, check_choice
from ._pairs import adjusted, pairs_named
from ._status import announce
from ._text import correction_title, equation, show_pvalue

Vector = NDArray[np.float64]
LOSSES = {"brier": "Brier score", "log": "log loss"}
BIN_COUNT = 10  # the default of calibration_error
NAMED = 3  # pairs that a sentence names


class Losses(NamedTuple):
    """What is known of a model."""

    brier_score: float
    log_loss: float
    calibration_error: float


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoringPairs:
    """All pairs of models, P = k (k - 1) / 2 in row order."""

    models: Mapping[str, Losses]
    pairs: tuple[tuple[str, str], ...]
    tests: tuple[ScoringResult, ...]
    adjusted_pvalue: Vector
    rule: str
    correction: str
    alternative: str
    n_positive: int
    n_negative: int
    n_dropped: int
    method: ClassVar[str] = "t"
    title: ClassVar[str] = "Paired t-test of all pairs of models"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the models."""
        return tuple(self.models)

    @property
    def loss(self) -> str:
        """The loss that is tested, for people."""
        return LOSSES[self.rule]

    @property
    def status(self) -> NDArray[np.str_]:
        """The status words of the pairs."""
        return np.array([test.status for test in self.tests])

    def summary(self) -> str:
        """Return the result in a sentence of plain words, at the 5 % level."""
        found = np.flatnonzero(self.adjusted_pvalue < 0.05)
        rule = "at the 5 % level"
        if self.correction != "none":
            rule += f" after {correction_title(self.correction)} correction"
        counted = f"{found.size} of {len(self.pairs)} differences in {self.loss}"
        if not found.size:
            return f"{counted} are significant {rule}: these data do not tell the models apart."
        strongest = sorted(found.tolist(), key=lambda p: self.tests[p].pvalue)[:NAMED]
        listed = "; ".join(map(self._sentence, strongest))
        more = found.size - len(strongest)
        return f"{counted} are significant {rule}: {listed}{f'; and {more} more' if more else ''}."

    def _sentence(self, p: int) -> str:
        gap = self.tests[p].estimate
        better, worse = self.pairs[p] if gap < 0 else self.pairs[p][::-1]
        kind = "p" if self.correction == "none" else "adjusted p"
        p_text = equation(kind, show_pvalue(float(self.adjusted_pvalue[p])))
        return f"{better} is better than {worse} by {abs(gap):.4f} ({p_text})"


def compare_probabilities(
    y_true: Any,
    probabilities: Mapping[str, Any],
    *,
    rule: str,
    clip: float | None,
    alternative: str,
    correction: str,
    pos_label: object,
    nan_policy: str,
) -> ScoringPairs:
    """Return the losses of all models and the tests of all pairs; errors name the options."""
    check_choice("--rule", rule, LOSSES)
    check_correction(correction, alternative, "--correction")
    if len(probabilities) < 2:
        raise InvalidValueError(
            f"`--probability` must name at least two models, got {len(probabilities)}."
        )
    columns = {f"--probability {name}": values for name, values in probabilities.items()}
    cases = as_probabilities(y_true, pos_label=pos_label, nan_policy=nan_policy, **columns)
    y, named = cases.labels, dict(zip(probabilities, cases.models, strict=True))
    models = {name: losses_of(y, p, clip) for name, p in named.items()}
    announce_infinite(models)

    pairs = tuple(combinations(named, 2))
    tests = tuple(
        scoring_test(
            y,
            named[first],
            named[second],
            rule=rule,
            clip=clip if rule == "log" else None,
            alternative=alternative,  # type: ignore[arg-type]
            on_undefined="ignore",
        )
        for first, second in pairs
    )
    status = np.array([test.status for test in tests])
    for word in dict.fromkeys(status.tolist()):
        announce(word, "warn", pairs_named(pairs, status == word))

    return ScoringPairs(
        models=models,
        pairs=pairs,
        tests=tests,
        adjusted_pvalue=adjusted(np.array([test.pvalue for test in tests]), correction),
        rule=rule,
        correction=correction,
        alternative=alternative,
        n_positive=int(np.count_nonzero(y)),
        n_negative=int(np.count_nonzero(y == 0)),
        n_dropped=cases.n_dropped,
    )


def losses_of(y: NDArray[Any], p: Vector, clip: float | None) -> Losses:
    """Return what is known of a model."""
    return Losses(
        brier_score(y, p),
        log_loss(y, p, clip=clip, on_undefined="ignore"),
        binned_error(bins_of(p, BIN_COUNT, "uniform")[0], p - y),
    )


def announce_infinite(models: Mapping[str, Losses]) -> None:
    """Warn of infinite log losses, once for all models."""
    infinite = [name for name, losses in models.items() if np.isinf(losses.log_loss)]
    if infinite:
        announce("infinite_loss", "warn", f" (log loss of {', '.join(infinite)})")
