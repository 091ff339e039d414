"""Student's paired t-test of scores by round, which takes the rounds for independent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple, TypedDict, Unpack

from numpy.typing import ArrayLike

from ..._base.forward import forwards
from ..._base.types import Alternative, NanPolicy, Undefined, Vector
from ..._inference.status import announce
from ..._inputs.options import check_alternative, check_amount, check_undefined
from ..._inputs.rounds import as_rounds
from ..._inputs.scores import ScoreTable
from ..._results.records import StudentResult
from .designs import DesignName, heed_design, heed_many_folds
from .student import rounds_fields


@dataclass(frozen=True, eq=False, kw_only=True)
class TTestRoundsResult(StudentResult):
    """Result of `ttest_kfold` and `ttest_resampled`; `estimate` is means[0] - means[1]."""

    means: Vector
    effect_size: float
    n: int
    n_dropped: int
    title: ClassVar[str] = "Paired t-test of scores by round"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        both = self._of_both(*(f"{mean:.4g}" for mean in self.means))
        return (
            f"The mean scores over {self.n} rounds are {both}, a difference of {self.estimate:.4g} "
            f"({self._stated_interval('.4g')}; {self.method}{self._stated_claim()}, "
            f"{self._evidence()})."
        )


class RoundsOptions(TypedDict, total=False):
    """Options of t-tests of two models' scores by round."""

    design: DesignName | None
    alternative: Alternative
    margin: float
    nan_policy: NanPolicy
    on_undefined: Undefined


class UncorrectedTest(NamedTuple):
    """A t-test that takes rounds for independent, and the designs that it is valid for."""

    name: str
    method: str
    valid: tuple[str, ...]


def ttest_rounds(
    scores_a: ScoreTable,
    scores_b: ArrayLike | None,
    test: UncorrectedTest,
    *,
    design: DesignName | None = None,
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> TTestRoundsResult:
    """Return the test of two models."""
    check_undefined(on_undefined)
    margin = check_amount("margin", margin, 0.0)
    check_alternative(alternative, margin)
    rounds = as_rounds(scores_a, scores_b, nan_policy=nan_policy)
    heed_design(test.name, design, test.valid)
    if design is None and "kfold" in test.valid:
        heed_many_folds(rounds.scores.shape[1] + rounds.n_dropped)

    fields = rounds_fields(rounds, alternative, margin, overlap=0.0)
    announce(fields["status"], on_undefined)

    return TTestRoundsResult(**fields, method=test.method)


@forwards(ttest_rounds)
def ttest_resampled(
    scores_a: ScoreTable,
    scores_b: ArrayLike | None = None,
    **options: Unpack[RoundsOptions],
) -> TTestRoundsResult:
    """Run the resampled t-test: Student's paired t-test of scores by round.

    Valid only where no two rounds share cases, in training or in testing. For random splits of one
    data set, whence its name, its p-values are far too small: use `ttest_corrected`.

    Parameters
    ----------
    scores_a, scores_b
        As in `ttest_corrected`.
    design : {'independent', 'resampled', 'repeated-kfold', 'kfold', '5x2cv'}, optional
        Where the rounds come from; any but 'independent' is warned of.

    Returns
    -------
    TTestRoundsResult
        With ``statistic`` (t), ``df`` (J - 1), ``pvalue``, ``log_pvalue``, ``estimate`` (the mean
        difference), ``standard_error``, ``means`` (2,), ``effect_size`` (the mean difference in
        standard deviations of the differences), ``names``, ``n`` (J, complete rounds),
        ``n_dropped``, ``status``, ``confidence_interval(confidence_level)`` and ``summary()``.

    Warns
    -----
    DesignWarning
        If `design` is not 'independent'.
    UndefinedResultWarning
        If all differences are equal, but not 0.

    See Also
    --------
    ttest_corrected : The test for random splits of one data set.

    Notes
    -----
    With the mean d and the standard deviation s of the J differences, t = d / (s /
    sqrt(J)) with J - 1 degrees of freedom.

    The type I error of a 5 % test of 30 random splits 2 : 1 is about 60 %, of 100 splits 9 : 1
    57 %, and it grows with the number of splits: docs/folds.md has simulations with classifiers,
    and Dietterich (1998) advises never to use this test for them. If rounds correlate by
    n_test / (n_train + n_test), t is sqrt(1 + J n_test / n_train) times as large as it should be.

    References
    ----------
    .. [1] T. G. Dietterich (1998), doi:10.1162/089976698300017197, section 3.3.

    Examples
    --------
    >>> import fastcompare as fc
    >>> a, b = [.80, .82, .79, .85, .81], [.78, .79, .80, .81, .78]
    >>> round(fc.ttest_resampled(a, b).statistic, 5)
    2.55745
    """
    test = UncorrectedTest("ttest_resampled", "resampled t-test", ("independent",))
    return ttest_rounds(scores_a, scores_b, test, **options)


@forwards(ttest_rounds)
def ttest_kfold(
    scores_a: ScoreTable,
    scores_b: ArrayLike | None = None,
    **options: Unpack[RoundsOptions],
) -> TTestRoundsResult:
    """Run the k-fold cross-validated t-test: Student's paired t-test of one score a fold.

    For one k-fold cross-validation, both models on the same folds. The folds share training cases,
    which the test ignores, so its p-values are somewhat too small; for repeated cross-validation
    they are far too small: use `ttest_corrected`.

    Parameters
    ----------
    scores_a, scores_b
        As in `ttest_corrected`; one value a fold.
    design : {'kfold', 'independent', 'repeated-kfold', 'resampled', '5x2cv'}, optional
        Where the rounds come from; any but the first two is warned of.

    Returns
    -------
    TTestRoundsResult
        As of `ttest_resampled`.

    Warns
    -----
    DesignWarning
        If `design` is neither 'kfold' nor 'independent', or is not told for more than 20 rounds,
        which are mostly those of repeated splits.
    UndefinedResultWarning
        If all differences are equal, but not 0.

    See Also
    --------
    ttest_corrected : Takes the shared cases into account, with n_test / n_train = 1 / (k - 1).
    ttest_5x2cv : Two-fold cross-validations, whose training sets do not overlap.

    Notes
    -----
    With the mean d and the standard deviation s of the k differences, t = d / (s /
    sqrt(k)) with k - 1 degrees of freedom.

    The type I error of a 5 % test of 10 folds is between 5 % (nearest centroids) and 13 % (nearest
    neighbours), by the simulations in docs/folds.md; Dietterich (1998) calls it somewhat elevated.
    If folds correlate by 1 / k, it is 15 %. For 10 times 10 folds it is about 57 %. No unbiased
    estimator of the variance of one k-fold cross-validation exists (Bengio and Grandvalet, 2004).

    References
    ----------
    .. [1] T. G. Dietterich (1998), doi:10.1162/089976698300017197.
    .. [2] Y. Bengio, Y. Grandvalet (2004), https://www.jmlr.org/papers/v5/grandvalet04a.html.

    Examples
    --------
    >>> import fastcompare as fc
    >>> a, b = [.80, .82, .79, .85, .81], [.78, .79, .80, .81, .78]
    >>> round(fc.ttest_kfold(a, b).pvalue, 4)
    0.0628
    """
    test = UncorrectedTest("ttest_kfold", "k-fold cross-validated t-test", ("kfold", "independent"))
    return ttest_rounds(scores_a, scores_b, test, **options)
