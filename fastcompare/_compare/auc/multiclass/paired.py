"""AUC for more than two classes: two models on the same cases, in closed form or by a bootstrap."""

from __future__ import annotations

import math
from typing import Any, TypedDict, Unpack

from numpy.typing import ArrayLike

from ...._base.forward import forwards
from ...._base.types import Alternative, Integers, Matrix, NanPolicy, Undefined, Vector
from ...._inference.infer import infer
from ...._inference.status import announce
from ...._inputs.multiclass import ClassCases, ClassScores, as_class_cases, check_closed_form
from ...._inputs.options import as_choice, check_choice, check_undefined
from ...._resampling.bootstrap import (
    UNSTUDENTIZED,
    Claim,
    Drawing,
    as_claim,
    as_draws,
    bootstrap_fields,
)
from .bootstrap import resampled
from .clustered import spread_of_averages
from .result import (
    BootstrapMulticlassAUCResult,
    MulticlassAUCTestResult,
    paired_status,
    unvaried_classes,
)
from .walks import AVERAGES, Averages, averages_of, blocks_of
from .walks import TITLES as AVERAGE_TITLES


@forwards(as_draws)
def multiclass_auc_test(
    y_true: ArrayLike,
    y_score_a: ClassScores,
    y_score_b: ClassScores | None = None,
    *,
    classes: ArrayLike | None = None,
    average: str = "hand-till",
    method: str = "delong",
    groups: ArrayLike | None = None,
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    keep: bool = False,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
    **drawing: Unpack[Drawing],
) -> MulticlassAUCTestResult | BootstrapMulticlassAUCResult:
    """Test whether two classifiers of several classes, on the same cases, have different AUCs.

    Parameters
    ----------
    y_true, classes, average
        As in `multiclass_auc`.
    y_score_a, y_score_b : array-like of shape (n, c), mapping or data frame
        Scores of the same cases by the two models, as in `multiclass_auc`.
    method : {'delong', 'percentile', 'basic', 'bca', 'normal'}, default='delong'
        The closed form, or how `n_resamples` replicates stratified by class become an interval and
        a p-value, as in `bootstrap_auc_test`.
    groups : array-like of shape (n,), optional
        The cluster that a case belongs to, as in `delong_test`; only for 'delong'. Then the
        variance is CR2, a variance of its own for each class, and the statistic follows Student's t
        with Satterthwaite's degrees of freedom.

    Returns
    -------
    MulticlassAUCTestResult or BootstrapMulticlassAUCResult
        With ``statistic`` (the estimate, shifted by the margin, over its standard error),
        ``pvalue``, ``log_pvalue``, ``estimate`` (first minus second), ``standard_error`` (for the
        bootstraps, of the replicates), ``auc`` (2,), ``covariance`` (2, 2; the closed form),
        ``average``, ``classes``, ``n_per_class``, ``df`` (the closed form; infinite without
        clusters), ``status``, and the methods
        ``confidence_interval(confidence_level)``, ``summary()`` and ``to_dict()``. Bootstraps have
        ``n_resamples``, ``seed`` and, if kept, ``distribution`` as well.

    Warns
    -----
    UndefinedResultWarning
        If a class has no case or one case, or, without a margin, the variance is 0, but for models
        that rank alike and do not separate all classes; ``status`` says which.

    SmallSampleWarning
        'few_clusters', if clusters carry fewer than 4 degrees of freedom in a class.

    See Also
    --------
    multiclass_auc : One model, with an interval.
    bootstrap_auc_test : Two classes.

    Notes
    -----
    With c classes and AUC(i, j) of class i against class j by the scores of class i::

        M = sum over i != j of AUC(i, j) / (c (c - 1))
        z = (M_a - M_b) / SE,    SE^2 = sum over classes of s^2(d) / n_class

    where a case's d is what it adds to M_a less what it adds to M_b.

    The closed form's variance is that of `multiclass_auc` for the differences of the two models
    case by case: the correlation of the models is accounted for, and nothing cancels. Models that
    order the cases alike in every column have statistic 0 and p-value 1. Each replicate of the
    difference is exact and rounded once.

    References
    ----------
    .. [1] D. J. Hand, R. J. Till (2001), doi:10.1023/A:1010920819831.
    .. [2] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.
    .. [3] A. C. Davison, D. V. Hinkley (1997), doi:10.1017/CBO9780511802843.
    .. [4] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.

    Examples
    --------
    >>> import numpy as np
    >>> import fastcompare as fc
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(3, size=300)
    >>> sharp, blunt = np.eye(3)[y] + rng.normal(size=(2, 300, 3)) * [[[0.8]], [[1.2]]]
    >>> result = fc.multiclass_auc_test(y, sharp, blunt)
    >>> print(result.summary())
    The AUCs are 0.7885 and 0.7090, a difference of 0.0796 (95 % CI 0.0297 to 0.1294;
    paired test of Hand and Till's M, z = 3.129, p = 0.0018).
    >>> fc.multiclass_auc_test(y, sharp, blunt, method="bca", rng=0).pvalue < 0.01
    True
    """
    check_undefined(on_undefined)
    check_choice("average", average, AVERAGES)
    method = as_choice("method", method, ("delong", *UNSTUDENTIZED))
    check_closed_form(method, groups)
    claim = as_claim(alternative, margin)
    draws = as_draws(keep, **drawing)
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    cases = as_class_cases(y_true, classes=classes, nan_policy=nan_policy, groups=groups, **scores)

    blocks = blocks_of(cases)
    averages = averages_of(blocks, average, draws.workers["n_jobs"])
    title = AVERAGE_TITLES[average]
    if method == "delong":
        spread = spread_of_averages(cases, blocks, averages)
        error = math.sqrt(spread.averages.covariance[2, 2])
        said = infer(averages.difference, error, *claim, df=spread.df, unvaried=spread.unvaried)
        about = about_test(cases, spread.averages, average, said["standard_error"], claim)
        about["status"] = clustered_word(about["status"], spread.word)
        announce(about["status"], on_undefined)
        return MulticlassAUCTestResult(
            **said, **about, method=f"paired test of {title}", df=spread.df
        )

    found = resampled(blocks, averages, method, draws)
    drawn = bootstrap_fields(found, draws, claim, unvaried_classes(averages))
    drawn["method"] += f" of {title}"
    about = about_test(cases, averages, average, drawn["standard_error"], claim)
    announce(about["status"], on_undefined)
    return BootstrapMulticlassAUCResult(**drawn, **about)


def clustered_word(word: str, of_clusters: str) -> str:
    """Return the status word, that of clusters where cases alone say nothing worse."""
    if not of_clusters or word in ("missing_class", "too_few"):
        return word
    return of_clusters if word in ("ok", "small_sample", "too_few_resamples") else word


class About(TypedDict):
    """Fields of both results that say what was compared."""

    names: tuple[str, str]
    auc: Vector
    covariance: Matrix
    average: str
    classes: tuple[Any, ...]
    n_per_class: Integers
    n_dropped: int
    status: str


def about_test(
    cases: ClassCases, averages: Averages, average: str, standard_error: float, claim: Claim
) -> About:
    """Return the fields that say what was compared."""
    return About(
        names=cases.pair,
        auc=averages.estimate,
        covariance=averages.covariance[:2, :2],
        average=average,
        classes=cases.classes,
        n_per_class=averages.counts,
        n_dropped=cases.n_dropped,
        status=paired_status(averages, standard_error, claim.margin),
    )
