"""Bootstrap of the AUCs of k models that scored the same cases, with one set of weights."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike

from .._base.documented import documented, with_engine_options
from .._base.memory import reserve
from .._base.text import as_builtin, interval_title, join_names, show_number, stated_ends
from .._base.types import Direction, PairCorrection, Undefined, Vector
from .._inference.corrections.adjust import PairClaims, as_pair_claims
from .._inference.corrections.pairs import check_models
from .._inference.pvalues import upper_tail_start
from .._inputs.options import as_choice, check_flag, check_level, check_undefined
from .._inputs.scores import Cases, ScoreTable
from .._resampling.bootstrap import TITLES, UNSTUDENTIZED, Draws, draw_replicates
from .._results.caution import with_pair_caution
from .._results.headlines import MOST_NAMED
from .._results.pairs import ALL_PAIRS, Chosen
from .._results.records import ConfidenceInterval
from ._bootstrap import (
    Replicates,
    SamplingOptions,
    all_replicates,
    as_resampling,
    difference_pvalues,
    doubled_pair_counts,
    pair_statuses,
    replicate_covariance,
    replicate_interval,
)
from ._bootstrap_walks import Units, concordance_counts, grouped_status
from ._differences import AUCPairsResult, auc_pair_fields


@dataclass(frozen=True, eq=False, kw_only=True)
class BootstrapAUCsResult(AUCPairsResult):
    """Result of `bootstrap_auc`; arrays over the P = k (k - 1) / 2 pairs, in row order."""

    method: str  # of all pairs, and of one model without any
    n_resamples: int
    n_left_out: int
    resampling: str
    seed: int
    distribution: Vector | None
    _models: Replicates = field(repr=False)
    _differences: Replicates = field(repr=False)
    title: ClassVar[str] = "Bootstrap of AUCs on the same cases"
    _follows_sample: ClassVar[bool] = False
    approximation: ClassVar[str] = "the bootstrap"

    @documented
    def auc_interval(
        self, confidence_level: float = 0.95, *, simultaneous: bool = False
    ) -> ConfidenceInterval:
        """Return the two-sided interval of each model's AUC: ``(low, high)``, arrays (k,).

        Returns
        -------
        ConfidenceInterval
            Cut to [0, 1]; NaN for models whose replicates do not vary.
        """
        return replicate_interval(
            self._models, confidence_level, "two-sided", (0.0, 1.0), simultaneous=simultaneous
        )

    @documented
    def confidence_interval(
        self, confidence_level: float = 0.95, *, simultaneous: bool = False
    ) -> ConfidenceInterval:
        """Return the intervals of all differences: ``(low, high)``, arrays (P,).

        Intervals that are not simultaneous agree with `pvalue`.

        Returns
        -------
        ConfidenceInterval
            Cut to [-1, 1].
        """
        return self._intervals(ALL_PAIRS, confidence_level, simultaneous)

    def _intervals(
        self, chosen: Chosen, confidence_level: float, simultaneous: bool
    ) -> ConfidenceInterval:
        """Return the intervals of the chosen pairs; simultaneous ones are sup-t over all pairs."""
        level = check_level(confidence_level)
        if not check_flag("simultaneous", simultaneous):
            return self._intervals_at(chosen, level, level)
        low, high = self._with_identical_pairs(
            *self._drawn_limits(self._differences, level, simultaneous=True),
            self._bonferroni_level(level),
        )
        return ConfidenceInterval.within(low[chosen], high[chosen], self.bounds)

    def _chosen_limits(self, chosen: Chosen, level: float) -> tuple[Vector, Vector]:
        """Return the limits of the chosen pairs' intervals, by their replicates."""
        return self._drawn_limits(self._differences.subset(chosen), level, simultaneous=False)

    def _drawn_limits(
        self, differences: Replicates, level: float, *, simultaneous: bool
    ) -> tuple[Vector, Vector]:
        """Return the limits of the intervals of differences, by their replicates."""
        low, high = np.array(
            replicate_interval(
                differences, level, self.alternative, self.bounds, simultaneous=simultaneous
            )
        )
        return low, high

    def to_dict(self) -> dict[str, Any]:
        """Return the fields and the 95% intervals as plain Python values."""
        return {
            **super().to_dict(),
            "auc_interval": as_builtin(tuple(self.auc_interval())),
            "confidence_interval": as_builtin(tuple(self.confidence_interval())),
        }

    def _summary(self) -> str:
        """Return the result in a sentence of plain words, at the 5% level."""
        if self.pairs:
            return super()._summary() + self._resolution() + self._without_interval()
        low, high = (float(np.squeeze(end)) for end in self.auc_interval(self._level))
        return (
            f"The AUC of {self.names[0]} is {show_number(self.auc[0])} "
            f"({interval_title('two-sided', self._level)} {stated_ends((low, high))}, "
            f"{self.method}, {self.n_resamples} resamples)."
        )

    def _without_interval(self) -> str:
        """Return a sentence that names the models whose replicates do not vary, if there are."""
        chosen = [self.names[i] for i in np.flatnonzero(self.auc_standard_error == 0.0)]
        if not chosen:
            return ""
        start, verb, each = ("AUC", "does", "it") if len(chosen) == 1 else ("AUCs", "do", "each")
        return (
            f" The {start} of {join_names(chosen, MOST_NAMED)} {verb} not vary over the replicates;"
            f" roc_auc_interval gives {each} an interval."
        )

    def _resolution(self) -> str:
        """Return a sentence that asks for more resamples if none can give a p-value of `alpha`."""
        if np.isnan(self.pvalue).all():
            return ""
        _, sides = upper_tail_start(0.0, self.alternative)
        smallest = min(sides * len(self.pairs) / (self.n_resamples + 1), 1.0)
        if self.correction == "none" or self.method == TITLES["normal"] or smallest < self.alpha:
            return ""
        return (
            f" With {self.n_resamples} resamples and {len(self.pairs)} pairs no adjusted p-value "
            f"can be much below {smallest:.2g}: use more resamples."
        )


@with_engine_options(as_resampling)
def bootstrap_auc(
    y_true: ArrayLike,
    scores: ScoreTable,
    *,
    method: str = "percentile",
    alternative: Direction = "two-sided",
    correction: PairCorrection = "auto",
    alpha: float = 0.05,
    keep: bool = False,
    on_undefined: Undefined = "warn",
    **sampling: Unpack[SamplingOptions],
) -> BootstrapAUCsResult:
    """Bootstrap the AUCs of k models, with intervals for all models and all pairs.

    Every replicate resamples the same cases for all models, so differences are paired.

    Parameters
    ----------
    scores : array-like of shape (n, k), mapping or data frame
        Scores, one column per model; column names become model names.
    method : {'percentile', 'basic', 'bca', 'normal'}, default='percentile'
        How intervals and p-values are computed from the replicates, as in `bootstrap_auc_test`.
    alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
        'greater': in each pair, the model named first has the higher AUC.
    keep : bool, default=False
        Keep the replicates of the AUCs as ``distribution`` (k, B).

    Returns
    -------
    BootstrapAUCsResult
        With ``names`` (k,), ``auc`` (k,), ``auc_standard_error`` (k,), ``covariance`` (k, k), and
        of shape (P,) over the pairs ``pairs``, ``estimate``, ``standard_error``, ``statistic``,
        ``pvalue``, ``adjusted_pvalue``, ``status``; methods ``auc_interval(confidence_level,
        simultaneous=False)``, ``confidence_interval(confidence_level, simultaneous=False)``,
        ``summary()``.

    Warns
    -----
    UndefinedResultWarning
        If a class is missing or has one case, or the replicates of a pair, or of the only model,
        do not vary.
    SmallSampleWarning
        If a class has fewer than 30 cases, as in `bootstrap_auc_test`; ``status`` is
        "small_sample", or 'few_clusters' for few groups.

    References
    ----------
    .. [1] A. C. Davison, D. V. Hinkley (1997), doi:10.1017/CBO9780511802843.
    .. [2] J. L. Montiel Olea, M. Plagborg-Moller (2019), doi:10.1002/jae.2656.
    .. [3] J. P. Shaffer (1986), doi:10.1080/01621459.1986.10478341.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> result = fc.bootstrap_auc(data.y_true, data.scores, n_resamples=999, rng=0)
    >>> low, high = result.auc_interval(simultaneous=True)
    >>> bool((low < result.auc).all()), len(result.pairs)
    (True, 10)
    """
    check_undefined(on_undefined)
    claims = as_pair_claims(alternative, correction, alpha)
    method = as_choice("method", method, UNSTUDENTIZED)
    cases, units, draws = as_resampling(y_true, {"table": scores}, keep, **sampling)
    check_models(len(cases.names), claims.correction)

    result = bootstrap_pairs(cases, units, method, draws, claims)
    hint = ": delong_pairwise_test(reference='t') keeps its level" if cases.groups is None else ""
    return with_pair_caution(result, on_undefined, hint)


def bootstrap_pairs(
    cases: Cases, units: Units, method: str, draws: Draws, claims: PairClaims
) -> BootstrapAUCsResult:
    """Return the intervals of all AUCs and the tests of all pairs, from the same replicates."""
    sizes = cases.sizes
    wins = concordance_counts(cases, units)
    replicates = np.empty((len(cases.scores) + 2, 0))
    if min(sizes) > 1:
        reserve((len(cases.scores), draws.n), hint="use fewer resamples or models")
        replicates = draw_replicates(wins, units.sizes, draws)
    usable = replicates[:, doubled_pair_counts(replicates) > 0.0]
    models, differences = all_replicates(cases, units, wins.on_data(), usable, method)
    estimate, error = differences.estimate, differences.standard_deviation
    pvalue = difference_pvalues(differences, error, claims.alternative)
    words = pair_statuses(sizes, models, differences).tolist()
    return BootstrapAUCsResult.from_fields(
        **auc_pair_fields(cases, estimate, error, pvalue, claims),
        auc=models.estimate,
        covariance=replicate_covariance(models.values),
        status=np.array([grouped_status(cases, word) for word in words], dtype="U32"),
        n_positive=sizes[0],
        n_negative=sizes[1],
        method=TITLES[method],
        n_resamples=usable.shape[1],
        n_left_out=replicates.shape[1] - usable.shape[1],
        resampling=units.title,
        seed=draws.seed,
        distribution=models.values if draws.keep else None,
        _models=models,
        _differences=differences,
    )
