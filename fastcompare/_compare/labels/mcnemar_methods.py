"""The ways to McNemar's p-value: a fair coin, chi-squared, Tango's score, clusters.

Notation: b cases are right by the first model only, c by the second only.
"""

import math
from typing import NamedTuple

from ..._base.exceptions import InvalidValueError
from ..._inference.coins import coin_pvalue
from ..._inference.pvalues import CERTAIN, PValue, degenerate, normal_pvalue, shifted
from ..._inference.status import FEW
from ..._inputs.options import check_choice, check_flag
from .differences import INTERVALS, tango_z
from .table import Sample, Table

METHODS = ("auto", "exact", "midp", "asymptotic")
MIDP_BELOW = 25  # discordant cases, Fagerland et al. (2013)
WEIGHTS = {"exact": 1.0, "midp": 0.5}  # of the chance of exactly b


class Options(NamedTuple):
    """What was asked for."""

    method: str
    continuity: bool
    interval: str
    alternative: str
    margin: float

    def checked(self, grouped: bool) -> "Options":
        """Return the options with the interval to use, or raise where they do not go together."""
        check_choice("method", self.method, METHODS)
        check_choice("interval", self.interval, ("auto", *INTERVALS))
        continuity = check_flag("continuity", self.continuity)
        if self.method in WEIGHTS or continuity:
            self._refuse_others(continuity, grouped)
        if grouped and self.interval not in ("auto", "wald"):
            raise InvalidValueError(
                f"`interval` must be 'wald' with `groups`, got {self.interval!r}."
            )
        if grouped:
            return self._replace(method="asymptotic", interval="wald")
        interval = "tango" if self.interval == "auto" else self.interval
        return Options(self.method, continuity, interval, self.alternative, self.margin)

    def _refuse_others(self, continuity: bool, grouped: bool) -> None:
        """Raise for what neither exact methods nor the corrected statistic go with."""
        refused = {
            "continuity=True": continuity,
            "a margin": self.margin > 0.0,
            "`groups`": grouped,
        }
        named = [name for name, is_so in refused.items() if is_so]
        if self.method in WEIGHTS and named:
            raise InvalidValueError(
                f"`method` must be 'asymptotic' with {named[0]}, got {self.method!r}."
            )
        if continuity and len(named) > 1:
            raise InvalidValueError("`continuity` must be False with a margin or with `groups`.")

    def method_for(self, discordant: int) -> str:
        """Return the method for so many discordant cases."""
        if self.method != "auto":
            return self.method
        plain = not (self.continuity or self.margin)
        return "midp" if plain and discordant < MIDP_BELOW else "asymptotic"


class Found(NamedTuple):
    """What a test says."""

    statistic: float
    p: PValue


def tested(table: Table, options: Options, method: str) -> Found:
    """Return what the test of independent cases says."""
    b, c = table.b, table.c
    if options.margin:
        return by_score(table, options)
    if b + c == 0:
        return Found(0.0, CERTAIN)
    if method in WEIGHTS:
        p = coin_pvalue(b, c, options.alternative, WEIGHTS[method])
        return Found(float(min(b, c)), p)
    less = int(options.continuity)
    statistic = max(abs(b - c) - less, 0) ** 2 / (b + c)  # Edwards (1948)
    if options.alternative == "two-sided":
        return Found(statistic, normal_pvalue(math.sqrt(statistic), "two-sided"))
    gain = b - c - (less if options.alternative == "greater" else -less)
    return Found(statistic, normal_pvalue(gain / math.sqrt(b + c), options.alternative))


def by_score(table: Table, options: Options) -> Found:
    """Return Tango's score test at the margin: of non-inferiority, or the weaker one of both."""
    n = table.n
    b, c = table.b / n, table.c / n
    above, below = (float(tango_z(b, c, n, sign * options.margin)) for sign in (-1.0, 1.0))
    one_sided = {"greater": (above, "greater"), "less": (below, "less")}
    weaker = "greater" if above <= -below else "less"
    z, tail = one_sided.get(options.alternative, one_sided[weaker])
    return Found(z, normal_pvalue(z, tail))


def clustered(table: Table, standard_error: float, options: Options) -> Found:
    """Return what the test of clustered cases says."""
    z, tail = shifted(table.difference, standard_error, options.alternative, options.margin)
    p = degenerate(z, standard_error) or normal_pvalue(z, tail)
    return Found(z if options.margin else z * z, p)


def spread_of(sample: Sample, margin: float) -> tuple[float, str]:
    """Return the standard error of the difference, and the status word."""
    table = sample.table
    word = "ok" if table.b + table.c else "no_discordant"
    if sample.clusters is None:
        return table.standard_error, word
    gains, sizes = sample.clusters
    total, n = len(sizes), table.n
    # sum (D_g - n_g D / n)^2 with whole numbers up to the squares, Obuchowski (1998)
    deviations = (n * gains - (table.b - table.c) * sizes) / n
    standard_error = math.sqrt(total / (total - 1) * float(deviations @ deviations)) / n
    if standard_error == 0.0 and (table.difference or margin):
        return 0.0, "zero_variance"
    return standard_error, "few_clusters" if word == "ok" and total < FEW else word
