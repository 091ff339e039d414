"""Critical differences of average ranks."""

from __future__ import annotations

import math

from ..._inference.pvalues import normal_quantile
from ..._inference.studentized_range import range_quantile
from ..._inputs.counts import as_count
from ..._inputs.options import check_alpha, check_choice
from .rank_pairs import rank_error

CRITICAL_TESTS = ("nemenyi", "bonferroni-dunn")


def critical_difference(k: int, n: int, *, test: str = "nemenyi", alpha: float = 0.05) -> float:
    """Return how far apart two average ranks must be to differ significantly.

    Parameters
    ----------
    k : int
        Number of models, with the control; at least 2.
    n : int
        Number of data sets, at least 1.
    test : {'nemenyi', 'bonferroni-dunn'}, default='nemenyi'
        'nemenyi' for all pairs of models, by the studentized range; 'bonferroni-dunn' for all
        models against one control, by the normal quantile at alpha / (2 (k - 1)).
    alpha : float, default=0.05
        The chance of any false difference, between 0 and 1.

    Returns
    -------
    float
        Average ranks that differ by at least as much differ significantly.

    Raises
    ------
    FastCompareError
        As ValueError or TypeError, for numbers that cannot mean anything.

    See Also
    --------
    nemenyi_test : P-values for all pairs.
    control_test : More powerful corrections against a control.

    Notes
    -----
    It is computed, so any `k` and `alpha` will do. Table 5(b) of Demšar (2006) misprints the
    quantile for 9 models and a control as 2.724 where it is 2.734.

    References
    ----------
    .. [1] J. Demšar (2006), Journal of Machine Learning Research 7, 1-30.
    .. [2] O. J. Dunn (1961), doi:10.1080/01621459.1961.10482090.

    Examples
    --------
    >>> import fastcompare as fc
    >>> round(fc.critical_difference(4, 14), 4)
    1.2536
    >>> round(fc.critical_difference(4, 14, test="bonferroni-dunn"), 4)
    1.1681
    """
    check_choice("test", test, CRITICAL_TESTS)
    models, rows = as_count("k", k, least=2), as_count("n", n, least=1)
    level = check_alpha(alpha)
    if test == "nemenyi":
        quantile = range_quantile(level, models) / math.sqrt(2.0)
    else:
        quantile = normal_quantile(level / (2.0 * (models - 1)))
    return quantile * rank_error(models, rows)
