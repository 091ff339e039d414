"""Test every pair of k models that gave probabilities to the same cases, by their losses.

Each pair's numbers are those of `scoring_test`, to the last bit. Pairs share what they can: t-tests
and ranks work on many differences at once, and random signs or weights are drawn once for some.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike

from ..._base.forward import forwards
from ..._base.types import (
    Direction,
    Integers,
    NanPolicy,
    PairCorrection,
    Undefined,
    Vector,
)
from ..._inference.corrections.adjust import as_pair_claims
from ..._inference.corrections.pairs import check_models
from ..._inference.pvalues import (
    interval_ends,
    log_student_pvalues,
    open_side,
    student_quantile,
    upper_tail,
)
from ..._inputs.options import check_undefined
from ..._inputs.probabilities import (
    Reading,
    Rule,
    as_probability_table,
    check_heeded,
    check_rule,
)
from ..._resampling.bootstrap import Drawing, as_claim, as_draws
from ..._results.pairs import (
    Chosen,
    Joint,
    PairsResult,
    announce_pairs,
    pair_fields,
    pairs_of,
)
from ..paired.columns import Columns
from .loss_pairs import LossPairs, all_tests
from .loss_summaries import Flags, Words, summarise_all
from .losses import RULES, forecast_losses, loss_fields, mean_losses
from .scoring_methods import (
    Procedure,
    as_method,
)
from .unseen import unseen_of

QUANTITIES = {"brier": "Brier score", "log": "log loss", "spherical": "spherical loss"}
TITLES = {
    "auto": "Paired t-test",
    "t": "Paired t-test",
    "wilcoxon": "Wilcoxon's signed rank test",
    "permutation": "Sign-flip permutation test",
    "bootstrap": "Percentile bootstrap test",
}


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoringPairwiseResult(PairsResult):
    """Result of `scoring_pairwise_test`; arrays over the P = k (k - 1) / 2 pairs, in row order."""

    losses: Vector
    standard_error: Vector
    rule: str
    method: Words
    n: int
    n_resamples: Integers
    seed: int | None
    df: float | None = None
    design: str = "independent"
    _bounds: tuple[float, float] = field(repr=False)
    _tests: LossPairs = field(repr=False)

    claim: ClassVar[str] = "is better than"
    higher_is_better: ClassVar[bool] = False

    @property
    def title(self) -> str:  # type: ignore[override]
        """The name of the tests."""
        return f"{TITLES[self._tests.procedure.method]} of all pairs of models"

    @property
    def quantity(self) -> str:  # type: ignore[override]
        """The loss that is tested, for people."""
        return QUANTITIES.get(self.rule, "loss")

    @property
    def bounds(self) -> tuple[float, float]:  # type: ignore[override]
        """The least and the greatest difference."""
        return self._bounds

    @property
    def log_pvalue(self) -> Vector:
        """The natural logarithms (P,) of the unadjusted p-values, also where these underflow."""
        if self.df is None:
            return super().log_pvalue
        return log_student_pvalues(self.statistic, self.pvalue, self.df, self.alternative)

    def _standing(self) -> Vector:
        return self.losses

    def _joint(self) -> Joint | None:
        if self.df is None:
            return None
        if self._tests.clusters is not None:  # each |z| becomes |t|: Hasler and Hothorn (2008)
            return Joint(self._tests.covariance())
        return Joint(np.cov(self._tests.columns.values), self.n - 1, self.n)

    def _chosen_ends(self, chosen: Chosen, level: float) -> tuple[Vector, Vector]:
        low = np.where((self.estimate == 0.0) & (self.standard_error == 0.0), 0.0, math.nan)
        high, varies = low.copy(), np.zeros(low.shape, np.bool_)
        known = self.standard_error > 0.0
        if self._tests.by_order:
            known |= np.isfinite(self.estimate) & (self.estimate != 0.0)
        varies[chosen] = known[chosen]
        low[varies], high[varies] = self._varying_ends(varies, level)
        return low[chosen], high[chosen]

    def _varying_ends(self, varies: Flags, level: float) -> tuple[Vector | float, Vector | float]:
        """Return the ends for pairs whose differences vary."""
        if self.df is None:
            low, high = self._tests.only(varies).ends(level)
            least, greatest = self._bounds
            return np.where(np.isinf(low), least, low), np.where(np.isinf(high), greatest, high)
        estimate, error = self.estimate[varies], self.standard_error[varies]
        quantile = student_quantile(upper_tail(level, self.alternative), self.df)
        unseen = self._tests.only(varies).unseen
        if unseen is not None:
            low, high = (end(estimate, error, quantile) for end in (unseen.low, unseen.high))
            return open_side(self.alternative, low, high, self._bounds)
        return interval_ends(estimate, error, self.alternative, quantile, self._bounds)


@forwards(as_draws)
def scoring_pairwise_test(
    y_true: ArrayLike,
    probabilities: ArrayLike | Mapping[Any, Any],
    *,
    rule: Rule = "brier",
    clip: float | None = None,
    zeros: str = "wilcox",
    classes: ArrayLike | None = None,
    method: str = "auto",
    groups: ArrayLike | None = None,
    alternative: Direction = "two-sided",
    correction: PairCorrection = "auto",
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
    **drawing: Unpack[Drawing],
) -> ScoringPairwiseResult:
    """Test every pair of k models for different expected losses, with adjusted p-values.

    Each pair's numbers are those of `scoring_test` with the same seed.

    Parameters
    ----------
    y_true, classes, pos_label, nan_policy
        As in `brier_score`; a case that misses anything is left out for all models.
    probabilities : array-like of shape (n, k), mapping or data frame
        A column of probabilities of the positive class for each of at least two models; names reach
        the result. For several classes a mapping from names to tables of shape (n, c).
    rule, clip, zeros
        As in `scoring_test`.
    method : {'auto', 't', 'wilcoxon', 'permutation', 'bootstrap'}, default='auto'
        As in `scoring_test`, for each pair.
    groups : array-like of shape (n,), optional
        Clusters of cases, for 'auto', 't' and 'permutation', as in `scoring_test`.
    alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
        'greater' claims for each pair that the model named first has the greater loss: that it is
        worse. Choose the order before you see the data.
    n_resamples, rng, n_jobs, executor, progress
        As in `scoring_test`; all pairs share the random signs, or the bootstrap replicates.

    Returns
    -------
    ScoringPairwiseResult
        With ``names`` (k,), ``losses`` (k,), ``pairs`` (P names), and of shape (P,) ``estimate``
        (the first model's mean loss less the second's, for 'wilcoxon' the pseudomedian of the
        cases' differences), ``standard_error`` (of the mean), ``statistic``, ``pvalue``,
        ``log_pvalue``, ``adjusted_pvalue``, ``method``, ``n_resamples`` (0 if exact), ``status``;
        ``cliques`` (of names, at the level of 5 %), ``seed``, ``n``, ``design`` ('independent' or
        'clusters'); for 'auto' and 't' ``df``; methods
        ``confidence_interval(confidence_level, simultaneous=False)``, ``matrix(field)``,
        ``summary()`` and ``to_dict()``.

    Warns
    -----
    UndefinedResultWarning
        As in `scoring_test`, naming the pairs.
    SmallSampleWarning
        'small_sample' and 'few_clusters', as there.

    See Also
    --------
    scoring_test : The test of one pair, with its notes.

    Notes
    -----
    Each pair is tested as by `scoring_test`: t = mean d / (s / sqrt(n)) with d the differences of
    two models' losses, case by case, and n - 1 degrees of freedom.

    Wilcoxon's test asks about medians of differences, whose equality is not transitive: there
    ``correction='auto'`` is Holm's. Simultaneous intervals of the t-test take the joint
    distribution of the largest |t|, if there are at least ten cases a model, or of clusters the
    level of the largest |z| through Student's t; all others are Bonferroni's.

    References
    ----------
    .. [1] T. Gneiting, A. E. Raftery (2007), doi:10.1198/016214506000001437.
    .. [2] J. P. Shaffer (1986), doi:10.1080/01621459.1986.10478341.
    .. [3] M. Hasler, L. A. Hothorn (2008), doi:10.1002/bimj.200710466.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> result = fc.scoring_pairwise_test(data.y_true, data.scores)
    >>> len(result.pairs), len(result.losses)
    (10, 5)
    >>> bool((result.adjusted_pvalue >= result.pvalue).all())
    True
    """
    check_undefined(on_undefined)
    method, draws = as_method(method, zeros), as_draws(**drawing)
    claims = as_pair_claims(alternative, correction, transitive=method != "wilcoxon")
    clip = check_rule(rule, clip, tuple(RULES))
    check_heeded(method, 0.0, groups)
    reading = Reading(classes=classes, pos_label=pos_label, nan_policy=nan_policy)
    cases, names = as_probability_table(y_true, probabilities, groups, **reading)
    check_models(len(names), claims.correction)

    losses = forecast_losses(rule, cases, clip)
    procedure = Procedure(method, zeros, as_claim(alternative), draws.alone())
    columns = Columns.of(losses, computed=True)
    unseen = unseen_of(rule, cases, clip, columns.first, columns.second, method)
    pairs = LossPairs(columns, procedure, cases.groups, unseen)
    summary = summarise_all(pairs.columns)
    tests = all_tests(pairs, summary, draws.workers)
    status = pairs.statuses(summary, tests)
    announce_pairs(pairs_of(names), status, on_undefined)

    shared = loss_fields(rule, cases, mean_losses(losses))
    return ScoringPairwiseResult(
        **pair_fields(names, tests.pvalue, claims.correction, alternative),
        **shared,
        estimate=pairs.estimates(summary),
        standard_error=tests.standard_error,
        statistic=tests.statistic,
        method=tests.method,
        status=status,
        n_resamples=tests.n_resamples,
        seed=draws.seed if tests.n_resamples.any() else None,
        **pairs.fields(summary, tests.standard_error, shared["_bounds"][1]),
    )
