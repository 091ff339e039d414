"""McNemar's test that two classifiers are right equally often on the same cases.

Notation: b cases are right by the first model only, c by the second only.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from ..._inference.status import announce
from ..._inputs.options import Alternative, NanPolicy, Undefined, check_alternative, check_margin
from .mcnemar_methods import Options, clustered, spread_of, tested
from .mcnemar_result import McNemarResult
from .table import sample_of


def mcnemar_test(
    y_true: Any,
    y_pred_a: ArrayLike | None = None,
    y_pred_b: ArrayLike | None = None,
    *,
    method: str = "auto",
    continuity: bool = False,
    interval: str = "auto",
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    groups: ArrayLike | None = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> McNemarResult:
    """Test whether two classifiers are right equally often on the same cases.

    The test conditions on the two fitted models: it asks whether their accuracies would differ on
    other cases of the same population. It does not cover the randomness of training them.

    Parameters
    ----------
    y_true : array-like of shape (n,), or a table of counts
        Labels of any type, of two classes or more. A table ``[[n11, n10], [n01, n00]]``, or the
        result of `contingency_table`, stands for all labels.
    y_pred_a, y_pred_b : array-like of shape (n,), optional
        The labels that the two models predict, of the same kind: "1" is not 1.
    method : {'auto', 'exact', 'midp', 'asymptotic'}, default='auto'
        'exact' and 'midp' take the discordant cases as throws of a fair coin; the exact test
        rejects too seldom, the mid-p hardly ever too often. 'auto' is 'midp' below 25 discordant
        cases, else 'asymptotic'; clusters and margins are always asymptotic.
    continuity : bool, default=False
        Edwards' continuity correction of the asymptotic test, which makes it as timid as the exact
        one.
    interval : {'auto', 'tango', 'newcombe', 'wald'}, default='auto'
        For the difference of accuracies. Tango's goes with the asymptotic test and with margins:
        both reject the same differences. Clusters have Wald's. 'auto' is that.
    alternative : {'two-sided', 'less', 'greater', 'equivalence'}, default='two-sided'
        'greater' claims that the first model is right more often. 'equivalence' claims that the
        accuracies differ by less than `margin` (two one-sided tests).
    margin : float, default=0
        Above 0 it turns 'greater' into the claim that the first accuracy is above the second less
        `margin`, and 'less' into the mirrored claim: non-inferiority, by Tango's score test.
    groups : array-like of shape (n,), optional
        The cluster of each case: the patient of an image, the template of a prompt. Clusters are
        independent, the cases in one need not be. Not together with a table.
    nan_policy : {'raise', 'omit'}, default='raise'
        What to do with cases that miss a label or a cluster: refuse them or leave them out.
    on_undefined : {'warn', 'raise', 'ignore'}, default='warn'
        What to do when a part of the result is not defined for these data.

    Returns
    -------
    McNemarResult
        With ``statistic``, ``pvalue``, ``log_pvalue``, ``estimate`` (the first accuracy less the
        second), ``standard_error``, ``accuracy`` (2,), ``n11``, ``n10``, ``n01``, ``n00``,
        ``odds_ratio`` (n10 / n01), ``method`` (the one that was used), ``interval``, ``status``,
        and the methods ``confidence_interval(confidence_level)``,
        ``odds_ratio_interval(confidence_level)``, ``summary()`` and ``to_dict()``.

    Warns
    -----
    UndefinedResultWarning
        If the estimated variance of clustered cases is 0, but the difference is not.

    See Also
    --------
    mcnemar_pairwise_test : All pairs of several models.
    cochran_q_test : Several models at once.

    Notes
    -----
    ``statistic`` is chi-squared (b - c)^2 / (b + c) for asymptotic tests, min(b, c) as in
    statsmodels for exact and mid-p ones, and z for tests with a margin. One-sided asymptotic
    p-values come from z = (b - c) / sqrt(b + c). If no case tells the models apart, ``statistic``
    is 0, ``pvalue`` 1 and ``status`` 'no_discordant'. Counts are exact, however large.

    References
    ----------
    .. [1] Q. McNemar (1947), doi:10.1007/BF02295996.
    .. [2] A. L. Edwards (1948), doi:10.1007/BF02289261.
    .. [3] M. W. Fagerland, S. Lydersen, P. Laake (2013), doi:10.1186/1471-2288-13-91.
    .. [4] T. Tango (1998), doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B.
    .. [5] R. G. Newcombe (1998),
       doi:10.1002/(SICI)1097-0258(19981130)17:22<2635::AID-SIM954>3.0.CO;2-C.
    .. [6] N. A. Obuchowski (1998),
       doi:10.1002/(SICI)1097-0258(19980715)17:13<1495::AID-SIM863>3.0.CO;2-I.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.mcnemar_test([[150, 25], [15, 10]])
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (2.5, 0.1138)
    >>> print(result.summary())
    The accuracies are 0.8750 and 0.8250, a difference of 0.0500 (95 % CI -0.0124 to 0.1140;
    25 cases are right by the first model only, 15 by the second; McNemar's asymptotic test,
    p = 0.1138).
    >>> fc.mcnemar_test(["a", "b", "b"], ["a", "b", "a"], ["a", "a", "a"]).method
    'midp'
    """
    margin = check_margin(margin)
    check_alternative(alternative, margin)
    given = Options(method, continuity, interval, alternative, margin)
    options = given.checked(groups is not None)
    sample = sample_of(y_true, y_pred_a, y_pred_b, nan_policy=nan_policy, groups=groups)

    table = sample.table
    chosen = options.method_for(table.b + table.c)
    standard_error, status = spread_of(sample, margin)
    if groups is None:
        found = tested(table, options, chosen)
    else:
        found = clustered(table, standard_error, options)
    announce(status, on_undefined)

    return McNemarResult(
        **sample.fields(),
        statistic=found.statistic,
        pvalue=found.p.pvalue,
        log_pvalue=found.p.log_pvalue,
        estimate=table.difference,
        standard_error=standard_error,
        method=chosen,
        status=status,
        alternative=alternative,
        margin=margin,
        interval=options.interval,
        continuity=options.continuity,
        design="independent" if groups is None else "clusters",
    )
