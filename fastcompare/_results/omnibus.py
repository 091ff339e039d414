"""Tests of several models at once: a statistic and its p-value, without a single estimate."""

import math
from dataclasses import dataclass
from typing import ClassVar

from .._base.text import equation, figure, show_pvalue
from .records import Record

Degrees = int | tuple[float, float]  # of chi-squared, or of F


@dataclass(frozen=True, eq=False, kw_only=True)
class OmnibusResult(Record):
    """A test that several models, or two sets of labels, do not differ at all."""

    statistic: float
    df: Degrees
    pvalue: float
    log_pvalue: float
    n_dropped: int
    method: str
    status: str
    estimate: None = None  # nothing that one number, or one interval, could tell

    letter: ClassVar[str] = ""  # of the statistic; by default that of its distribution
    digits: ClassVar[str] = ".3f"

    def _evidence(self) -> str:
        """Return the statistic with its degrees of freedom, and the p-value."""
        degrees = self.df if isinstance(self.df, tuple) else (self.df,)
        letter = self.letter or ("F" if len(degrees) == 2 else "chi2")
        known = [df for df in degrees if not math.isnan(df)]
        listed = ", ".join(str(df) if isinstance(df, int) else f"{df:.4g}" for df in known)
        p = equation("p", show_pvalue(self.pvalue))
        if len(known) < len(degrees):  # where nothing varies, or what is undefined
            return equation(letter, figure(self.statistic, self.digits)) + f", {p}"
        return f"{equation(f'{letter}({listed})', figure(self.statistic, self.digits))}, {p}"
