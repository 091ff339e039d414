"""Results that may rest on failures which the sample lacks: their status, sentence and warning.

A result says by `_failures` which failures of the better model would explain its difference, and
by `_units` on what (`_inference.unseen`). Where its p-value is small and the sample too small to
exclude them, its status is 'unseen_failures', and its sentence and its warning give the numbers.
"""

from typing import Any, ClassVar, TypeVar

import numpy as np

from .._base.types import Vector
from .._inference.status import warn_status
from .._inference.unseen import UnseenFailures
from .._inputs.scores import UNNAMED
from .pairs import warn_pairs
from .presentation import replace_fields
from .samples import UNNAMED_MODELS

UNSEEN = "unseen_failures"  # a status word
UNVARIED_HINT = (  # of tests that take a margin
    ": use an exact permutation test where there is one, or a claim with a margin"
)

R = TypeVar("R", bound="Cautious")


class Cautious:
    """Mixin of tests whose difference may be due to failures of which the sample has none."""

    status: Any
    pvalue: Any
    _counts_are_effective: ClassVar[bool] = False  # whether they are none of rows

    def _failures(self) -> UnseenFailures | None:
        """Return the failures that would explain the difference; None if that is unknown."""
        raise NotImplementedError

    @property
    def _units(self) -> str:
        """What the model fails on: 'positive cases', 'items' or 'clusters'."""
        raise NotImplementedError

    def _stated_failures(self) -> str:
        """Return the sentence on failures that the sample lacks, if the status says so."""
        failures = self._failures() if self.status == UNSEEN else None
        if failures is None:
            return ""
        names = getattr(self, "names", UNNAMED)
        names = UNNAMED_MODELS if names == UNNAMED else names
        return " " + failures.sentence(names, self._units, effective=self._counts_are_effective)


class CautiousPairs(Cautious):
    """Mixin of tests of pairs of models, each of which has a status; see `Cautious`."""

    adjusted_pvalue: Vector
    alpha: float
    pairs: tuple[tuple[str, str], ...]

    def _stated_failures(self) -> str:
        """Return the sentence on the pair that failures explain most easily, and how many more."""
        chosen = np.flatnonzero(np.asarray(self.status) == UNSEEN)
        failures = self._failures() if chosen.size else None
        if failures is None:
            return ""
        likeliest = chosen[np.argmax(failures.at(chosen).probability)]
        n_others = chosen.size - 1
        more = ""
        if n_others == 1:
            more = " Another difference may have such a cause."
        elif n_others > 1:
            more = f" {n_others} other differences may have such causes."
        pair = self.pairs[likeliest]
        return f" {failures.at(likeliest).sentence(pair, self._units, lead=True)}{more}"


def with_caution(result: R, on_undefined: str, hint: str = "") -> R:
    """Return a result with its final status, after a warning of it.

    `hint` is what the warning says to do about a small sample.
    """
    result = with_status(result)
    if result.status == "zero_variance" and hasattr(result, "margin"):
        hint = UNVARIED_HINT
    warn_status(result.status, on_undefined, failures_detail(result) or hint)
    return result


def with_status(result: R) -> R:
    """Return the result; a copy with the status 'unseen_failures' where these explain it."""
    failures = result._failures() if result.status == "ok" else None
    if failures is None or not failures.explain(result.pvalue):
        return result
    return replace_fields(result, {"status": UNSEEN})  # type: ignore[no-any-return]


P = TypeVar("P", bound="CautiousPairs")


def with_pair_caution(result: P, on_undefined: str, hint: str = "") -> P:
    """Return a result of pairs with its final status words, after a warning of each."""
    status = np.asarray(result.status)
    failures = result._failures()
    if failures is not None:
        with np.errstate(invalid="ignore"):
            explained = (status == "ok") & failures.explain(result.pvalue, result.alpha)
            if explained.any():  # adjusted p-values are no smaller, and cost more than all others
                explained &= result.adjusted_pvalue <= result.alpha
        if explained.any():
            status = np.where(explained, UNSEEN, status)
            result = replace_fields(result, {"status": status})
    others = np.where(status == UNSEEN, "ok", status)
    if (others != "ok").any():
        warn_pairs(result.pairs, others, on_undefined, {"small_sample": hint})
    if (status == UNSEEN).any():
        warn_status(UNSEEN, on_undefined, failures_detail(result))
    return result


def failures_detail(result: Cautious) -> str:
    """Return the sentence on unseen failures, to follow the status in a warning; '' if none."""
    sentence = result._stated_failures()
    return f".{sentence.removesuffix('.')}" if sentence else ""
