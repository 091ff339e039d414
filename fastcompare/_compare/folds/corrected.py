"""The corrected resampled t-test of Nadeau and Bengio."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from numpy.typing import ArrayLike

from ..._base.documented import documented
from ..._base.types import Alternative, NanPolicy, Undefined
from ..._inference.status import announce
from ..._inputs.options import check_alternative, check_amount, check_undefined
from ..._inputs.rounds import as_rounds, check_sizes
from ..._inputs.scores import ScoreTable
from .designs import DesignName, heed_splits
from .student import SizedRounds, rounds_fields
from .uncorrected import TTestRoundsResult


@dataclass(frozen=True, eq=False, kw_only=True)
class TTestCorrectedResult(SizedRounds, TTestRoundsResult):
    """Result of `ttest_corrected`; `estimate` is means[0] - means[1]."""

    title: ClassVar[str] = "Corrected resampled t-test of Nadeau and Bengio"


@documented
def ttest_corrected(
    scores_a: ScoreTable,
    scores_b: ArrayLike | None = None,
    *,
    n_train: float | None = None,
    n_test: float | None = None,
    design: DesignName | None = None,
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> TTestCorrectedResult:
    """Test two models by their scores in rounds that train and test on parts of one data set.

    Valid for random resampling and for repeated k-fold cross-validation, all models on the same
    splits; for one k-fold cross-validation it is the best there is.

    Parameters
    ----------
    scores_a, scores_b : array-like of shape (J,)
        Any metric of the two models, one value a round, in the same order of rounds. Or leave
        `scores_b` out and pass a table, mapping or data frame of two columns, whose names reach
        the result.

    Returns
    -------
    TTestCorrectedResult
        With ``statistic`` (t), ``df`` (J - 1), ``pvalue``, ``log_pvalue``, ``estimate`` (the mean
        difference), ``standard_error``, ``means`` (2,), ``effect_size``, ``correlation``,
        ``names``, ``n`` (J, complete rounds), ``n_dropped``, ``n_train``, ``n_test``, ``status``,
        ``confidence_interval(confidence_level)`` and ``summary()``.

    Warns
    -----
    DesignWarning
        If `design` contradicts the test, or J, `n_train` and `n_test`.
    UndefinedResultWarning
        If all differences are equal, but not 0.

    See Also
    --------
    ttest_corrected_pairwise_test : All pairs of several models.
    ttest_corrected_batch : Many comparisons in one call.
    ttest_resampled : What this test corrects.

    Notes
    -----
    With the mean d and the variance s^2 of the J differences::

        t = d / sqrt(s^2 (1 / J + n_test / n_train)),    df = J - 1

    The variance of the mean is s² (1 / J + n_test / n_train), since rounds that share cases
    correlate, by about n_test / (n_train + n_test); k folds have n_test / n_train = 1 / (k - 1). So
    more rounds cannot make an effect as significant as one likes. The effect size is the mean
    difference in standard deviations of one round, s² (1 + n_test / n_train): s² alone is too small
    for rounds that correlate. Differences that rounding of their own scores explains (2^-50 of
    them) are equal; 0 are only those of equal scores.

    References
    ----------
    .. [1] C. Nadeau, Y. Bengio (2003), doi:10.1023/A:1024068626366.
    .. [2] R. R. Bouckaert, E. Frank (2004), doi:10.1007/978-3-540-24775-3_3.
    .. [3] D. J. Schuirmann (1987), doi:10.1007/BF01068419.

    Examples
    --------
    >>> import fastcompare as fc
    >>> a, b = [.80, .82, .79, .85, .81], [.78, .79, .80, .81, .78]
    >>> print(fc.ttest_corrected(a, b, n_train=80, n_test=20).summary())
    The mean scores over 5 rounds are 0.814 and 0.792, a difference of 0.022
    (95 % CI -0.01383 to 0.05783; corrected resampled t-test, t(4) = 1.705, p = 0.1634).
    """
    margin = check_amount("margin", margin, 0.0)
    check_alternative(alternative, margin)
    check_undefined(on_undefined)
    train, test = check_sizes(n_train, n_test)
    rounds = as_rounds(scores_a, scores_b, nan_policy=nan_policy)
    heed_splits("ttest_corrected", design, rounds.scores.shape[1] + rounds.n_dropped, train, test)

    fields = rounds_fields(rounds, alternative, margin, overlap=test / train)
    announce(fields["status"], on_undefined)

    return TTestCorrectedResult(
        **fields, n_train=train, n_test=test, method="corrected resampled t-test"
    )
