"""Compare models: the kind of data is recognized, and its tests are run in their order.

What a comparison can be trusted with at its own size: level, power, detectable difference.
"""

from __future__ import annotations

import html
import math
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._base.documented import documented
from .._base.text import plain
from .._base.types import Direction, NanPolicy, RandomState, Undefined
from .._inference.corrections.adjust import any_correction
from .._inference.infer import wilson
from .._inference.pvalues import normal_quantile
from .._inference.roots import bisected
from .._inputs.kinds import check_order
from .._inputs.names import are_losses
from .._inputs.options import (
    ALTERNATIVES,
    as_entropy,
    called_for,
    check_alpha,
    check_choice,
    check_flag,
    check_undefined,
    check_within,
)
from .._inputs.plans.simulations import as_finite, check_trials
from .._inputs.tables import (
    REVERSED,
    codes_for_missing,
    labels_among_scores,
    reversed_models,
)
from .._report.page import report as write_page
from .._results.pairs import PairsResult
from .._results.records import ConfidenceInterval, Record, judged
from ..simulate.designs import DataDesign
from ..simulate.rates import simulate_error_rates
from .analyses import discord
from .data import Analysis, Arguments, Data, Query
from .detect import read_data
from .kinds import KINDS

STEPS = 4  # of halving, before the power between the last two is taken for a straight line
WORK = 20_000_000  # numbers that all trials of a rate may draw: some seconds
LEAST = 200  # trials
ALIKE = (
    "The models' differences are constant over all {n} {units}, so their variance "
    "cannot be estimated, nor a type I error rate or power."
)
WIDEST = 1 << 10  # times the first guess


@dataclass(frozen=True, eq=False, kw_only=True)
class TrustResult(Record):
    """Result of `Comparison.trust`; rates are proportions of simulated data sets."""

    test: str
    n: int
    units: str
    quantity: str
    conditions: str
    alpha: float
    level: float
    detectable_difference: float
    target: float
    difference: float | None
    power: float | None
    tried: dict[float, float]
    n_trials: int
    seed: int
    title: ClassVar[str] = "Type I error and power of this comparison"

    def level_interval(self) -> ConfidenceInterval:
        """Return Wilson's 95% interval of the type I error rate, for the number of trials.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``.
        """
        return self._rate_interval(self.level)

    def power_interval(self) -> ConfidenceInterval:
        """Return Wilson's 95% interval of the power, for the number of trials.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``; NaN if no power was requested.
        """
        return self._rate_interval(math.nan if self.power is None else self.power)

    def detectable_interval(self) -> ConfidenceInterval:
        """Return the 95% interval of the detectable difference, for the number of trials.

        The power of a normal statistic rises at its target with the slope phi(z) (z + z_alpha)
        over the detectable difference; what moves the power by its error moves that by as much.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``.
        """
        z, z_alpha = -normal_quantile(self.target), normal_quantile(0.5 * self.alpha)
        slope = math.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi) * (z + z_alpha)
        error = math.sqrt(self.target * (1.0 - self.target) / max(self.n_trials, 1))
        radius = min(normal_quantile(0.025) * error / slope, 1.0)
        middle = self.detectable_difference
        return ConfidenceInterval(middle * (1.0 - radius), middle * (1.0 + radius))

    def _summary(self) -> str:
        """Return the findings in sentences."""
        if math.isnan(self.level):
            return ALIKE.format(n=self.n, units=self.units)
        sentences = (
            f"With {self.n} {self.units} like these, {self.test} at the {100 * self.alpha:g}% "
            f"level has a type I error of {100 * self.level:.3g}% in {self.n_trials} simulated "
            f"data sets ({in_percent(self.level_interval(), ' for the simulation')}). "
            f"{self._detected()}"
        )
        if self.power is not None:
            power = f"Its power for a difference of {self.difference:g} is {100 * self.power:.3g}%"
            sentences = f"{sentences} {power} ({in_percent(self.power_interval())})."
        return f"{sentences} {self.conditions}"

    def _detected(self) -> str:
        target = f"{100 * self.target:g}% power"
        if self.detectable_difference == math.inf:
            return f"No difference can be detected with {target}."
        low, high = self.detectable_interval()
        return (
            f"The smallest difference in {self.quantity} detectable with {target} is "
            f"{self.detectable_difference:.3g} (95% CI {low:.3g} to {high:.3g})."
        )

    def _rate_interval(self, rate: float) -> ConfidenceInterval:
        if math.isnan(rate):
            return ConfidenceInterval(math.nan, math.nan)
        return ConfidenceInterval(*wilson(round(rate * self.n_trials), self.n_trials, 0.025))


def in_percent(interval: ConfidenceInterval, of: str = "") -> str:
    """Return an interval of a rate as sentences have it."""
    low, high = interval
    return f"95% CI{of} {100 * low:.3g} to {100 * high:.3g}%"


def rate_at(design: DataDesign, effect: float, **options: Any) -> float:
    """Return how often the test of a design rejects, given a difference."""
    rates = simulate_error_rates({design.name: design.test}, design.draw, effect=effect, **options)
    return float(rates.rate[0])


def smallest_difference(
    rate: Callable[[float], float], design: DataDesign, target: float
) -> tuple[float, dict[float, float]]:
    """Return the difference that is found as often as wanted, and the power of all tried ones.

    The first guess is 2.8 standard errors, which z finds in 80%.
    """
    tried: dict[float, float] = {}

    def enough(effect: float) -> bool:
        tried[effect] = rate(effect)
        return tried[effect] >= target

    low, high = 0.0, min(2.8 * design.scale, design.most)
    first = high
    while not enough(high):
        if high >= min(design.most, WIDEST * first):
            return math.inf, tried
        low, high = high, min(2.0 * high, design.most)
    low, high = bisected(lambda effect: not enough(effect), low, high, STEPS)
    below, above = tried.get(low, 0.0), tried[high]
    return low + (high - low) * (target - below) / (above - below), tried


WIDTH = 80
HIGHER_LOSS = (
    "The names suggest that lower is better, but higher is treated as better: pass "
    "higher_is_better=False if that is wrong."
)
DEFAULTS = {"alternative": "two-sided", "nan_policy": "raise", "pos_label": None}


class ComparedModel(NamedTuple):
    """A model and its value."""

    name: str
    value: float


class ComparedPair(NamedTuple):
    """Two models, their difference with its interval, and whether it is significant."""

    model_a: str
    model_b: str
    estimate: float
    low: float
    high: float
    pvalue: float
    adjusted_pvalue: float
    differ: bool


@dataclass(frozen=True, eq=False, kw_only=True)
class Comparison(Record):
    """Result of `compare`: the kind of data, the tests and why, models and pairs."""

    kind: str
    design: str
    names: tuple[str, ...]
    decisions: tuple[str, ...]
    reasons: tuple[str, ...]
    checks: tuple[str, ...]
    quantity: str
    higher_is_better: bool
    alpha: float
    omnibus: Any
    result: Any
    tests: Mapping[str, Any]
    values: Mapping[str, float]
    _data: Data = field(repr=False)
    _options: Mapping[str, Any] = field(repr=False)  # options but for defaults
    title: ClassVar[str] = "Models compared"
    _sheets: ClassVar[str] = "comparison"
    _picture: ClassVar[str] = "reported"

    @property
    def models(self) -> tuple[ComparedModel, ...]:
        """The models and their values, the best first."""
        sign = -1.0 if self.higher_is_better else 1.0
        rows = [ComparedModel(name, value) for name, value in self.values.items()]
        return tuple(sorted(rows, key=lambda row: sign * row.value))

    @property
    def pairs(self) -> tuple[ComparedPair, ...]:
        """The pairs by p-value; none if `gate=True` and the omnibus test does not reject."""
        if self.result is self.omnibus:
            return ()
        rows = pairs_of_result(self.result, self.names, self.alpha)
        return tuple(sorted(rows, key=lambda row: (row.adjusted_pvalue, row.pvalue)))

    @property
    def status(self) -> str:
        """The first status word of a test that is not 'ok', or 'ok'."""
        words = [w for test in self.tests.values() for w in np.atleast_1d(test.status).tolist()]
        return next((word for word in words if word != "ok"), "ok")

    def _summary(self) -> str:
        """Return the findings of all tests in sentences fit for a paper."""
        undirected = KINDS[self.kind].undirected
        lower = " Lower is better." if undirected and not self.higher_is_better else ""
        lower += "".join(f" {check}" for check in self.checks if check == HIGHER_LOSS)
        if self.omnibus is None:
            return f"{self.result.summary()}{lower}"
        rest = self.reasons[-1] if self.result is self.omnibus else self.result.summary()
        apart = discord(self.omnibus, self.result, self.alpha)
        return " ".join(filter(None, (self.omnibus.summary(), rest, apart))) + lower

    def report(
        self, path: str | PathLike[str], *, title: str | None = None, overwrite: bool = False
    ) -> Path:
        """Write the comparison as an HTML page; return its path.

        Parameters
        ----------
        path : str or path-like
            Where to write.
        title : str, optional
            The heading.
        overwrite : bool, default=False
            Whether to replace an existing file.
        """
        return write_page(self, path, title=title, overwrite=overwrite)

    def trust(
        self,
        *,
        difference: float | None = None,
        power: float = 0.8,
        n_trials: int = 500,
        rng: RandomState = None,
        n_jobs: int = 1,
    ) -> TrustResult:
        """Simulate the type I error rate, power and detectable difference for data like these.

        The simulated models are equally good, or one is better by a given difference. Items and
        losses are resampled around a common mean, with their observed skewness and correlations;
        answers, scores of cases and scores on data sets are exchanged between models at random,
        which makes differences symmetric; rounds and battles are drawn from a model.

        Parameters
        ----------
        difference : float, optional
            A relevant difference, for the power. The power for the observed difference would only
            restate its p-value.
        power : float, default=0.8
            Power for the smallest detectable difference.
        n_trials : int, default=500
            Number of simulated data sets per rate; fewer if they are large, so that it takes
            seconds.
        rng : int or numpy.random.Generator, optional
            The seed.
        n_jobs : int, default=1
            Threads.

        Returns
        -------
        TrustResult
            With ``level``, ``detectable_difference``, ``power`` (of `difference`), ``tried`` (power
            by difference), ``test`` (for three or more models the omnibus test), ``n_trials``,
            ``conditions`` (which properties of the data the simulation keeps); confidence intervals
            for the number of trials: ``level_interval()``, ``power_interval()`` and
            ``detectable_interval()``; ``summary()``. NaN if no models differ on any case.

        Notes
        -----
        Samples understate skewness: for a log-normal against a normal model, the type I error rate
        of Student's t is 13 / 12 / 9.1 / 6.4% with 10 / 20 / 50 / 200 items, and the simulation
        estimates 11 / 9.4 / 7.2 / 6.8% on average (24 samples each); for normal models 5.1 to 5.6%.
        """
        target = check_within("power", power, self.alpha, 1.0)
        shift = None if difference is None else abs(as_finite("difference", difference))
        trials, seed = check_trials(n_trials), as_entropy(rng)
        design = KINDS[self.kind].like(self._data)
        trials = max(min(trials, LEAST), min(trials, WORK // max(design.n, 1), design.most_trials))
        options: Any = {"n_trials": trials, "alpha": self.alpha, "rng": seed, "n_jobs": n_jobs}
        rate: Callable[[float], float] = partial(rate_at, design, **options)
        alike = design.scale == 0.0
        detectable, tried = (math.nan, {}) if alike else smallest_difference(rate, design, target)
        return TrustResult(
            test=design.name,
            n=design.n,
            units=design.units,
            quantity=design.quantity,
            conditions=design.conditions,
            alpha=self.alpha,
            level=math.nan if alike else rate(0.0),
            detectable_difference=detectable,
            target=target,
            difference=shift,
            power=None if shift is None or alike else rate(min(shift, design.most)),
            tried=dict(sorted(tried.items())),
            n_trials=0 if alike else trials,
            seed=seed,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python values, those of the tests as dictionaries."""
        fields = {name: plain(getattr(self, name)) for name in self._names()}
        fields |= {name: test.to_dict() for name, test in self._parts().items()}
        tests = {name: test.to_dict() for name, test in self.tests.items()}
        rows = {
            "models": [row._asdict() for row in self.models],
            "pairs": [row._asdict() for row in self.pairs],
        }
        return {**fields, "tests": tests, "values": dict(self.values), **rows}

    def _parts(self) -> Mapping[str, Any]:
        parts = {"omnibus": self.omnibus, "result": self.result}
        return {name: part for name, part in parts.items() if part is not None}

    def _notes(self) -> tuple[str, ...]:
        return (*self.decisions, *self.reasons, *self.checks)

    def __str__(self) -> str:
        wrapped = (
            textwrap.wrap(f"- {text}", WIDTH, subsequent_indent="  ") for text in self._notes()
        )
        return "\n".join([*(line for lines in wrapped for line in lines), "", super().__str__()])

    def _repr_html_(self) -> str:
        notes = "".join(f"<li>{html.escape(text)}</li>" for text in self._notes())
        return f"<ul>{notes}</ul>{super()._repr_html_()}"


def pairs_of_result(result: Any, names: tuple[str, ...], alpha: float) -> list[ComparedPair]:
    """Return the pairs of a result, of all or of two models."""
    if not isinstance(result, PairsResult):
        difference = getattr(result, "estimate", None)
        difference = getattr(result, "mean_difference", None) if difference is None else difference
        estimate = float("nan") if difference is None else float(difference)
        interval = getattr(result, "confidence_interval", None)
        low, high = (np.nan, np.nan) if interval is None else interval()
        p = float(result.pvalue)
        first, second = names
        return [ComparedPair(first, second, estimate, float(low), float(high), p, p, p <= alpha)]
    low, high = ends_of(result)
    columns = (result.estimate, low, high, result.pvalue, result.adjusted_pvalue)
    rows: Any = zip(result.pairs, *(np.asarray(c).tolist() for c in columns), strict=True)
    return [ComparedPair._make((*row[0], *row[1:], row[-1] <= alpha)) for row in rows]


def ends_of(result: Any) -> tuple[Any, Any]:
    """Return the ends of the intervals of all pairs, NaN where there are none."""
    unknown = np.full(len(result.pairs), np.nan)
    try:
        low, high = result.confidence_interval()
    except (AttributeError, NotImplementedError):
        return unknown, unknown
    return low, high


@documented
def compare(
    data: Any,
    a: Any = None,
    b: Any = None,
    *,
    kind: str | None = None,
    models: Sequence[str] | None = None,
    n_train: float | None = None,
    n_test: float | None = None,
    cv: Any = None,
    scoring: Any = None,
    design: str | None = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    alternative: Direction = "two-sided",
    correction: str | None = None,
    alpha: float = 0.05,
    gate: bool = False,
    higher_is_better: bool = True,
    n_jobs: int = 1,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> Comparison:
    """Compare models: detect the kind of data, run the appropriate tests, and explain why.

    Parameters
    ----------
    data : array-like, mapping, data frame or other
        One of: the true labels of cases, with predictions as `a`; a table of scores with one column
        per model and one row per round (with `n_train` and `n_test`), data set or item (with
        `kind`, or an index named 'dataset', 'fold' or 'item'); a result of `read_evals`,
        `from_long` or a function of `fastcompare.datasets`; scikit-learn estimators (a mapping or
        list, with X and y as `a` and `b`), results of ``cross_validate`` or a fitted search;
        battles (a table with 'model_a', 'model_b' and 'outcome' or 'winner', or rows of these
        three); a reader study, as in `reader_study`, with the truth as a column or as `a`; times
        to an event (a structured array of scikit-survival, or a table of two columns, one of which
        says whether the event was seen), with scores of risk as `a`.
    a, b : array-like, mapping or data frame, optional
        The models' predicted labels, scores or probabilities: a table with one column per model, or
        one vector each for two models.
    kind : {'scores', 'labels', 'probabilities', 'folds', 'datasets', 'items', 'battles', 'times', 'readers'}
        The kind of data, required if it is ambiguous: 0 and 1 may be labels or scores, and rows of
        a table rounds, data sets or items. Values between 0 and 1 are compared by AUC unless it is
        'probabilities'.
    models : list of str, optional
        The columns of the models; by default all. It is an error if a column looks like an id,
        clusters, weights or the true labels (docs/conventions.md), unless `models` names it.
    n_train, n_test : float, optional
        Number of training and test cases per round, or their means.
    cv : int, splitter or iterable of splits, optional
        How the rounds were split, or how to split them; it determines the test.
    scoring : str or callable, optional
        The metric, for estimators, results of `cross_validate` or a search.
    design : str, optional
        As in `recommend`; for rounds 'resampled' (the default), 'repeated-kfold', 'kfold', '5x2cv'
        or 'independent'.
    correction : str, optional
        Adjustment for multiple comparisons: any method of `adjust_pvalues`; by default that of the
        test.
    gate : bool, default=False
        For three or more models, compare pairs only if the omnibus test rejects. Adjusted p-values
        do not require a gate, which reduces power; the omnibus test is always reported.

    Returns
    -------
    Comparison
        With ``kind``, ``design``, ``decisions`` (how these were determined), ``reasons`` (why these
        tests), ``checks`` (approximations and violated assumptions), ``omnibus`` (for three or more
        models), ``result`` (the test of two models, or of all pairs; with `gate`, the omnibus test
        if it does not reject), ``tests``, ``models`` (best first), ``pairs`` (by p-value, with
        intervals), ``trust()`` (level, power and smallest detectable difference at this size),
        ``summary()``, ``plot()``, ``report(path)`` and ``to_dict()``.

    See Also
    --------
    recommend : The same choice without data, with the error rates of wrong tests.

    Notes
    -----
    Assumptions are checked and reported, but no test is chosen by such a check, which would change
    its level. Only sample sizes matter: with fewer than 30 cases of a class, DeLong's statistic is
    compared with Student's t.

    References
    ----------
    .. [1] J. Demšar (2006), Journal of Machine Learning Research 7, 1-30.
    .. [2] T. G. Dietterich (1998), doi:10.1162/089976698300017197.

    Examples
    --------
    >>> import fastcompare as fc
    >>> cases = fc.load_predictions()
    >>> result = fc.compare(cases.y_true, cases.scores, kind="scores")
    >>> result.models[0].name, len(result.pairs), list(result.tests)
    ('logistic_regression', 10, ['omnibus', 'pairs'])
    """  # noqa: E501 the kinds are listed in one line
    check_undefined(on_undefined)
    check_choice("alternative", alternative, ALTERNATIVES)
    options: dict[str, Any] = {
        "alternative": alternative,
        "higher_is_better": check_flag("higher_is_better", higher_is_better),
        "n_jobs": n_jobs,
        "pos_label": pos_label,
        "nan_policy": nan_policy,
        "on_undefined": on_undefined,
    }
    if correction is not None:
        options["correction"] = any_correction(correction)
    query = Query(alpha=check_alpha(alpha), gate=check_flag("gate", gate), options=options)
    given: dict[str, Any] = {"n_train": n_train, "n_test": n_test, "design": design}
    given |= {"cv": cv, "scoring": scoring}
    given |= {"groups": groups, "sample_weight": sample_weight}
    content = read_data(
        Arguments(data=data, a=a, b=b, models=models, kind=kind, given=given, n_jobs=n_jobs)
    )
    row = KINDS[content.kind]
    check_order(content.kind, row.better, len(content.columns), options)
    cases = content.y_true is not None or content.times is not None
    apart = cases and b is not None
    with called_for("a" if cases else "data", "data", content.columns, apart=apart):
        return comparison_of(content, row.analyse(content, query), query)


def doubts_of(data: Data, analysis: Analysis) -> tuple[str, ...]:
    """Return sentences about what else data could be: losses, codes, scores in reverse."""
    ranked = KINDS[data.kind].form == "table" and analysis.higher_is_better
    called = data.called or tuple(data.columns)
    losses = [HIGHER_LOSS] if ranked and are_losses(called) else []
    ranking = analysis.quantity in REVERSED
    return (
        *(*data.doubts, *losses, *codes_for_missing(data.columns)),
        *(labels_among_scores(data.columns) if ranking else ()),
        *(reversed_models(analysis.quantity, analysis.values) if ranking else ()),
    )


def comparison_of(data: Data, analysis: Analysis, query: Query) -> Comparison:
    """Return the tests of an analysis as a comparison."""
    tests = {
        name: judged(test, analysis.higher_is_better, query.alpha)
        for name, test in analysis.tests.items()
    }
    judged_tests = dict(zip(map(id, analysis.tests.values()), tests.values(), strict=True))
    result, omnibus = judged_tests[id(analysis.result)], judged_tests.get(id(analysis.omnibus))
    doubts = doubts_of(data, analysis)
    apart = discord(omnibus, result, query.alpha)
    return Comparison(
        kind=data.kind,
        design=data.design,
        names=tuple(map(str, analysis.values)),
        decisions=data.decisions,
        reasons=(*analysis.reasons, *([apart] if apart else [])),
        checks=(*analysis.checks, *doubts),
        quantity=analysis.quantity,
        higher_is_better=analysis.higher_is_better,
        alpha=query.alpha,
        omnibus=omnibus,
        result=result,
        tests=tests,
        values=analysis.values,
        _data=data,
        _options={name: v for name, v in query.options.items() if DEFAULTS.get(name, v) != v},
    )
