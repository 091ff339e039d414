"""AUC for more than two classes: two models on the same cases, in closed form or by a bootstrap."""

from __future__ import annotations

import math
from typing import Any, TypedDict, Unpack

from numpy.typing import ArrayLike

from ...._base.forward import forwards
from ...._base.types import Alternative, Integers, Matrix, NanPolicy, Undefined, Vector
from ...._inference.infer import infer
from ...._inference.status import announce
from ...._inputs.multiclass import ClassCases, ClassScores, as_class_cases
from ...._inputs.options import check_choice, check_undefined
from ...._resampling.bootstrap import (
    UNSTUDENTIZED,
    Claim,
    Drawing,
    as_claim,
    as_draws,
    bootstrap_fields,
)
from .bootstrap import resampled
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

    Returns
    -------
    MulticlassAUCTestResult or BootstrapMulticlassAUCResult
        With ``statistic`` (the estimate, shifted by the margin, over its standard error),
        ``pvalue``, ``log_pvalue``, ``estimate`` (first minus second), ``standard_error`` (for the
        bootstraps, of the replicates), ``auc`` (2,), ``covariance`` (2, 2; the closed form),
        ``average``, ``classes``, ``n_per_class``, ``status``, and the methods
        ``confidence_interval(confidence_level)``, ``summary()`` and ``to_dict()``. Bootstraps have
        ``n_resamples``, ``seed`` and, if kept, ``distribution`` as well.

    Warns
    -----
    UndefinedResultWarning
        If a class has no case or one case, or, without a margin, the variance is 0, but for models
        that rank alike and do not separate all classes; ``status`` says which.

    See Also
    --------
    multiclass_auc : One model, with an interval.
    bootstrap_auc_test : Two classes.

    Notes
    -----
    The closed form's variance is that of `multiclass_auc` for the differences of the two models
    case by case: the correlation of the models is accounted for, and nothing cancels. Models that
    order the cases alike in every column have statistic 0 and p-value 1. Each replicate of the
    difference is exact and rounded once.

    References
    ----------
    .. [1] D. J. Hand, R. J. Till (2001), doi:10.1023/A:1010920819831.
    .. [2] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.
    .. [3] A. C. Davison, D. V. Hinkley (1997), doi:10.1017/CBO9780511802843.

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
    check_choice("method", method, ("delong", *UNSTUDENTIZED))
    claim = as_claim(alternative, margin)
    draws = as_draws(keep, **drawing)
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    cases = as_class_cases(y_true, classes=classes, nan_policy=nan_policy, **scores)

    blocks = blocks_of(cases)
    averages = averages_of(blocks, average, draws.workers["n_jobs"])
    title, unvaried = AVERAGE_TITLES[average], unvaried_classes(averages)
    if method == "delong":
        error = math.sqrt(averages.covariance[2, 2])
        said = infer(averages.difference, error, *claim, unvaried=unvaried)
        about = about_test(cases, averages, average, said["standard_error"], claim)
        announce(about["status"], on_undefined)
        return MulticlassAUCTestResult(**said, **about, method=f"paired test of {title}")

    found = resampled(blocks, averages, method, draws)
    drawn = bootstrap_fields(found, draws, claim, unvaried)
    drawn["method"] += f" of {title}"
    about = about_test(cases, averages, average, drawn["standard_error"], claim)
    announce(about["status"], on_undefined)
    return BootstrapMulticlassAUCResult(**drawn, **about)


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
