"""Wilcoxon's signed rank test."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar, Unpack

from numpy.typing import ArrayLike

from ..._base.forward import forwards
from ..._inference.status import announce
from ..._inputs.options import as_choice, check_choice
from ..._inputs.pairs import as_pairs
from ..._inputs.scores import ScoreTable
from .rank_test import RankTest, rank_test
from .result import OrderResult, Pairing, as_pairing
from .signed_ranks import RANK_BISERIAL
from .sizes import signed_pairs, sized_pairs
from .walsh import WalshAverages

ZEROS = ("wilcox", "pratt", "zsplit")
METHODS = ("auto", "exact", "normal")
TITLES = {how: f"Wilcoxon's signed rank test, {how}" for how in ("exact", "normal")}


@dataclass(frozen=True, eq=False, kw_only=True)
class WilcoxonResult(OrderResult):
    """Result of `wilcoxon_test`; `estimate` is that of Hodges and Lehmann."""

    _ends: WalshAverages = field(repr=False)
    _found: RankTest = field(repr=False)

    title: ClassVar[str] = "Wilcoxon's signed rank test"
    effect: ClassVar[str] = RANK_BISERIAL

    def _later_estimate(self) -> float:
        return self._ends.median()

    def _later__ends(self) -> WalshAverages:
        return self._found.averages(self._differences, self.zeros)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        return self._sentence("The pseudomedian", "W+")


@forwards(as_pairing)
def wilcoxon_test(
    scores_a: ScoreTable,
    scores_b: ArrayLike | None = None,
    *,
    zeros: str = "wilcox",
    method: str = "auto",
    **pairing: Unpack[Pairing],
) -> WilcoxonResult:
    """Test whether paired differences are centred at 0, by their signed ranks.

    Parameters
    ----------
    zeros : {'wilcox', 'pratt', 'zsplit'}, default='wilcox'
        What to do with differences of 0: drop them; rank them and then drop them; or rank them and
        count half of their ranks as positive, as Demšar (2006).
    method : {'auto', 'exact', 'normal'}, default='auto'
        The null distribution: 'exact' over all signs of the ranks as they are, ties included;
        'normal' with the variance for ties and no continuity correction; 'auto' is exact up to 200
        differences that are not 0.

    Returns
    -------
    WilcoxonResult
        With ``statistic`` (W+, the sum of the ranks of positive differences), ``pvalue``,
        ``log_pvalue``, ``estimate`` (Hodges-Lehmann: the median of all averages of two differences
        that are not 0), ``effect_size`` (matched-pairs rank-biserial correlation), ``n``,
        ``n_zero``, ``n_dropped``, ``method``, ``status``, ``confidence_interval(confidence_level)``
        and ``summary()``.

    Raises
    ------
    InvalidValueError
        If `method` is 'exact' for more than 3,000 differences.

    See Also
    --------
    sign_test : Only the signs count.

    Notes
    -----
    With r_i the midrank of |d_i|, among those that are not 0 or, as `zeros` says, among all::

        W+ = sum of r_i with d_i > 0,    W- = sum of r_i with d_i < 0
        normal:  z = (W+ - W-) / sqrt(sum r_i^2)
        exact:   the share of all signs of the r_i whose W+ is as extreme

    A difference is 0 only if its two scores are equal. Differences of floating-point numbers seldom
    tie exactly: sizes tie that differ by no more than 2^-50 of the largest of their four scores,
    about as much as rounding moves them, so dividing all scores by 100 changes nothing. Other rows
    play no part in it. Integers are subtracted exactly, and tie exactly. Differences that are given
    in one column count as scores against 0. The exact distribution takes zeros as they are, so
    'zsplit' has the p-value of 'pratt' there; the normal one counts their ranks in its variance, as
    SciPy does. All differences 0: p-value 1.

    The estimate and the interval are order statistics of the averages of two differences that are
    not 0, as in R, by the null distribution of the test, ties included: the interval leaves 0 out
    exactly if the test rejects at 1 less its level. Ranked zeros ('pratt', 'zsplit') make each rank
    greater by their number, so each difference stands so many times among the averages. Each end
    takes some 30 passes over the sorted differences, and memory for twice as many numbers, not for
    all averages, when it is read.

    References
    ----------
    .. [1] F. Wilcoxon (1945), doi:10.2307/3001968.
    .. [2] J. W. Pratt (1959), doi:10.1080/01621459.1959.10501526.
    .. [3] J. L. Hodges, E. L. Lehmann (1963), doi:10.1214/aoms/1177704172.
    .. [4] J. Demšar (2006), Journal of Machine Learning Research 7, 1-30.
    .. [5] D. S. Kerby (2014), doi:10.2466/11.IT.3.1.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.wilcoxon_test([.02, -.01, .04, .03, .05, .015])
    >>> result.statistic, result.pvalue, round(result.estimate, 3)
    (20.0, 0.0625, 0.025)
    >>> print(result.summary())
    The pseudomedian of 6 differences is 0.025 (95 % CI -0.01 to 0.05; Wilcoxon's signed rank test,
    exact, W+ = 20, p = 0.0625, rank-biserial correlation 0.905).
    """
    alternative, nan_policy, on_undefined = as_pairing(**pairing)
    check_choice("zeros", zeros, ZEROS)
    method = as_choice("method", method, METHODS)
    pairs = as_pairs(scores_a, scores_b, nan_policy=nan_policy)
    n = pairs.differences.size

    signed, room = signed_pairs(pairs)
    own = partial(sized_pairs, pairs)
    found = rank_test(signed, room, own, zeros=zeros, alternative=alternative, method=method)
    status = "ok" if found.n_zero < n else "no_difference"
    announce(status, on_undefined)

    return WilcoxonResult.made(
        **found.p._asdict(),
        statistic=found.w_plus(zeros),
        alternative=alternative,
        effect_size=found.effect_size(),
        zeros=zeros,
        n=n,
        n_zero=found.n_zero,
        n_dropped=pairs.n_dropped,
        method=TITLES[found.how],
        names=pairs.names,
        status=status,
        _differences=pairs.differences,
        _found=found,
    )
