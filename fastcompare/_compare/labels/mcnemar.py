"""McNemar's test that two classifiers are right equally often on the same cases.

Notation: b cases are right by the first model only, c by the second only.
"""

from __future__ import annotations

import math
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, ClassVar

from numpy.typing import ArrayLike

from ..._base.documented import documented
from ..._base.text import counted, equation, figure, show_pvalue
from ..._base.types import Alternative, NanPolicy, Undefined, Vector
from ..._inference.proportions import clopper_pearson
from ..._inference.pvalues import normal_quantile, open_side, student_quantile, upper_tail
from ..._inference.status import announce
from ..._inputs.accuracies import check_mcnemar
from ..._inputs.label_chunks import as_label_stream
from ..._inputs.options import check_alternative, check_level, check_margin, check_undefined
from ..._inputs.predictions import LabelTable
from ..._inputs.workers import as_workers
from ..._results.records import ConfidenceInterval, NormalResult
from .differences import INTERVALS, melded
from .mcnemar_pvalues import WEIGHTS, clustered_pvalue, mcnemar_method, unclustered_pvalue
from .streamed import any_sample
from .table import OfTable, difference_spread

TITLES = {"exact": "exact", "midp": "mid-p", "asymptotic": "asymptotic"}
SAID = {  # of intervals that the test does not invert to
    "tango": "by Tango's score",
    "corrected": "by Tango's corrected score",
    "melded": "by Fay and Lumbard's method",
    "newcombe": "by Newcombe's method",
    "wald": "by Wald's method",
}


def own_interval(method: str, continuity: bool, grouped: bool) -> str:
    """Return the interval that this test inverts to."""
    if grouped:
        return "wald"
    if method in WEIGHTS:
        return "melded"
    return "corrected" if continuity else "tango"


@dataclass(frozen=True, eq=False, kw_only=True)
class McNemarResult(OfTable, NormalResult):
    """Result of `mcnemar_test`; `estimate` is ``accuracy[0] - accuracy[1]``."""

    accuracy: Vector
    n11: int
    n10: int
    n01: int
    n00: int
    n_dropped: int
    interval: str
    continuity: bool
    design: str
    df: float = math.inf
    title: ClassVar[str] = "McNemar's test of two accuracies on the same cases"
    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)

    @property
    def odds_ratio(self) -> float:
        """``n10 / n01``: the odds that a case which tells the models apart favours the first."""
        if self.n01:
            return self.n10 / self.n01
        return math.inf if self.n10 else math.nan

    @documented
    def odds_ratio_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return Clopper and Pearson's interval of `odds_ratio`, which pairs with the exact p.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``; one-sided if the test is. Where no case tells the models apart, 0 and
            infinity.
        """
        tail = upper_tail(check_level(confidence_level), self.alternative)
        ends = clopper_pearson(self.n10, self.n10 + self.n01, tail)
        low, high = (end / (1.0 - end) if end < 1.0 else math.inf for end in ends)
        return ConfidenceInterval(*open_side(self.alternative, low, high, (0.0, math.inf)))

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the interval for the difference of the accuracies, by the method `interval`.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1. With ``alternative="equivalence"`` the two-sided interval at
            ``2 * confidence_level - 1`` comes back.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, cut to [-1, 1]. All but Wald's have a width also where no case tells
            the models apart.
        """
        found = super().confidence_interval(confidence_level)
        if self.standard_error > 0.0 or self.interval == "wald":
            return found
        return ConfidenceInterval.within(*self._ends(confidence_level), self.bounds)

    def _quantile(self, tail: float) -> float:
        return normal_quantile(tail) if self.df == math.inf else student_quantile(tail, self.df)

    def _ends(self, level: float) -> tuple[float, float]:
        if self.design == "clusters":
            return super()._ends(level)
        tail = upper_tail(level, self.alternative)
        if self.interval == "melded":
            low, high = melded(self._counts, tail, WEIGHTS.get(self.method, 0.5))
        else:
            low, high = INTERVALS[self.interval](self._counts, tail)
        return open_side(self.alternative, low, high, self.bounds)

    def _stated_interval(self, form: str = ".4f", at: int | tuple[()] = ()) -> str:
        """Return the interval, and whose it is where the test does not invert to it."""
        named = super()._stated_interval(form, at)
        if self.interval == own_interval(self.method, self.continuity, self.design == "clusters"):
            return named
        return f"{named} {SAID[self.interval]}"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        (first, second), (one, two) = self._called, self.accuracy
        corrected = " with continuity correction" if self.continuity else ""
        clustered = f" of clustered cases, {self.df:.4g} df" if self.design == "clusters" else ""
        test = f"{TITLES[self.method]} test{clustered}{corrected}{self._stated_claim()}"
        return (
            f"The accuracies are {self._of_both(f'{one:.4f}', f'{two:.4f}')}, a difference of "
            f"{self.estimate:.4f} ({self._stated_interval()}; "
            f"{counted(self.n10, 'case is', 'cases are')} right by {first} only, {self.n01} by "
            f"{second}, odds ratio {figure(self.odds_ratio, '.4g')}; McNemar's {test}, "
            f"{equation('p', show_pvalue(self.pvalue))})."
        )


@documented
def mcnemar_test(
    y_true: Any = None,
    y_pred_a: LabelTable | None = None,
    y_pred_b: ArrayLike | None = None,
    *,
    correct_a: LabelTable | None = None,
    correct_b: ArrayLike | None = None,
    interval: str = "auto",
    method: str = "auto",
    continuity: bool = False,
    groups: ArrayLike | None = None,
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    n_jobs: int = 1,
    executor: Executor | None = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> McNemarResult:
    """Test whether two classifiers are right equally often on the same cases.

    The test conditions on the two fitted models: it asks whether their accuracies would differ on
    other cases of the same population. It does not cover the randomness of training them.

    Parameters
    ----------
    y_true : array-like of shape (n,), a table of counts, or chunks
        Labels of any type, of two classes or more. Or, alone, chunks of labels that need not fit
        into memory: `scan_parquet`, `scan_chunks`, a list of tuples ``(y_true, y_pred_a,
        y_pred_b)``, with clusters behind them or not, or a function that makes an iterator of
        these. They are read once, and so are arrays of `numpy.memmap` of a million cases and more.
        Counts are exact, so the result is that of all cases in memory. A table ``[[n11, n10],
        [n01, n00]]``, or the result of `contingency_table`, stands for all labels. A data frame
        with labels (True and False, 1 and 0, 'right' and 'wrong') for rows and columns, such as
        `pandas.crosstab` of two columns of right and wrong answers, may have them in any order;
        arrays, such as those of scikit-learn's `confusion_matrix`, must begin with the right
        answers: one that begins with the wrong ones cannot be told apart, and turns the sign of the
        difference.
    correct_a, correct_b : array-like of shape (n,), optional
        Which cases each model gets right, True and False or 1 and 0, in place of all labels. A data
        frame or mapping of two columns stands for both, and gives the models their names.
    interval : {'auto', 'tango', 'corrected', 'melded', 'newcombe', 'wald'}, default='auto'
        For the difference of accuracies. 'auto' is that of the test, which leaves 0 out exactly if
        the p-value is below 1 less its level: 'tango' for asymptotic tests and margins, 'corrected'
        (Tango's with Edwards' correction) with ``continuity=True``, 'melded' (Fay and Lumbard's)
        for exact and mid-p tests, 'wald' (Student's) for clusters. A sentence names others.
    method : {'auto', 'exact', 'midp', 'asymptotic'}, default='auto'
        'exact' and 'midp' take the discordant cases as throws of a fair coin; the exact test
        rejects too seldom, the mid-p hardly ever too often. 'auto' is 'midp' below 25 discordant
        cases, else 'asymptotic'; clusters and margins are always asymptotic.
    continuity : bool, default=False
        Edwards' continuity correction of the asymptotic test, which makes it as timid as the exact
        one.
    groups : array-like of shape (n,), optional
        The cluster of each case: the patient of an image, the template of a prompt. Clusters are
        independent, the cases in one need not be. Then the variance is CR2, which is unbiased for
        independent cases, and the statistic follows Student's t with Satterthwaite's ``df``. Not
        together with a table; chunks bring their own.
    margin : float, default=0
        Above 0 it turns 'greater' into the claim that the first accuracy is above the second less
        `margin`, and 'less' into the mirrored claim: non-inferiority, by Tango's score test.
    executor : concurrent.futures.Executor, optional
        Who reads chunks in place of threads.
    nan_policy : {'raise', 'omit'}, default='raise'
        What to do with cases that miss a label or a cluster: refuse them or leave them out.

    Returns
    -------
    McNemarResult
        With ``names``, ``statistic``, ``pvalue``, ``log_pvalue``, ``estimate`` (the first accuracy
        less the second), ``standard_error``, ``df`` (infinite without clusters), ``accuracy`` (2,),
        ``n11``, ``n10``, ``n01``, ``n00``, ``odds_ratio`` (n10 / n01), ``method`` (the one that was
        used), ``interval``, ``status``, and the methods ``confidence_interval(confidence_level)``,
        ``odds_ratio_interval(confidence_level)``, ``summary()`` and ``to_dict()``.

    Warns
    -----
    UndefinedResultWarning
        If the estimated variance of clustered cases is 0, but the difference is not.
    SmallSampleWarning
        'few_clusters', if clusters carry fewer than 4 degrees of freedom, be it that there are
        fewer than 5 of them or that one holds half the cases: intervals are wide then.

    See Also
    --------
    mcnemar_pairwise_test : All pairs of several models.
    cochran_q_test : Several models at once.

    Notes
    -----
    The first model alone gets b cases right (n10), the second alone c (n01). ``statistic`` is
    chi-squared (b - c)^2 / (b + c) for asymptotic tests, min(b, c) as in statsmodels for exact and
    mid-p ones, and z for tests with a margin; for clusters t^2, or t with a margin. One-sided
    asymptotic p-values come from z = (b - c) / sqrt(b + c). If no case tells the models apart,
    ``statistic`` is 0, ``pvalue`` 1 and ``status`` 'no_discordant'. Counts are exact, however
    large.

    The melded interval of a mid-p test covered 95.0 % or more in each of 1,500 populations of 10,
    20, 50 and 100 cases, Tango's 93.2; it is 1 % (100 cases) to 5 % (10) wider.

    References
    ----------
    .. [1] Q. McNemar (1947), doi:10.1007/BF02295996.
    .. [2] A. L. Edwards (1948), doi:10.1007/BF02289261.
    .. [3] M. W. Fagerland, S. Lydersen, P. Laake (2013), doi:10.1186/1471-2288-13-91.
    .. [4] T. Tango (1998), doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B.
    .. [5] R. G. Newcombe (1998),
       doi:10.1002/(SICI)1097-0258(19981130)17:22<2635::AID-SIM954>3.0.CO;2-C.
    .. [6] M. P. Fay, K. Lumbard (2021), doi:10.1002/sim.8829.
    .. [7] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.mcnemar_test([[150, 25], [15, 10]])
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (2.5, 0.1138)
    >>> print(result.summary())
    The accuracies are 0.8750 and 0.8250, a difference of 0.0500 (95 % CI -0.0124 to 0.1140;
    25 cases are right by the first only, 15 by the second, odds ratio 1.667; McNemar's asymptotic
    test, p = 0.1138).
    >>> fc.mcnemar_test(["a", "b", "b"], ["a", "b", "a"], ["a", "a", "a"]).method
    'midp'
    >>> fc.mcnemar_test(correct_a=[True, True, False], correct_b=[True, False, False]).n10
    1
    """
    check_undefined(on_undefined)
    margin, workers = check_margin(margin), as_workers(n_jobs, executor, None)
    check_alternative(alternative, margin)

    labels, right = (y_true, y_pred_a, y_pred_b), (correct_a, correct_b)
    stream = as_label_stream(labels, right, groups, nan_policy)
    grouped = groups is not None or (stream is not None and stream.layout.grouped)
    method = check_mcnemar(method, continuity, interval, margin=margin, grouped=grouped)
    sample = any_sample(labels, right, groups, nan_policy, stream, workers)

    table, plain = sample.table, not (continuity or margin or grouped)
    spread = difference_spread(sample, margin)
    announce(spread.status, on_undefined)
    chosen = mcnemar_method(table.b + table.c, method, plain=plain)
    if grouped:
        statistic, p = clustered_pvalue(table.difference, spread, alternative, margin)
    else:
        statistic, p = unclustered_pvalue(table, chosen, alternative, margin, int(continuity))

    return McNemarResult.made(
        **sample.fields(),
        **spread.fields(),
        pvalue=p.pvalue,
        log_pvalue=p.log_pvalue,
        statistic=statistic,
        estimate=table.difference,
        method=chosen,
        alternative=alternative,
        margin=margin,
        interval=own_interval(chosen, continuity, grouped) if interval == "auto" else interval,
        continuity=bool(continuity),
        design="clusters" if grouped else "independent",
    )
