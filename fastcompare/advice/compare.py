"""Compare models: the kind of data is recognized, and its tests are run in their order."""

from __future__ import annotations

import html
import math
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._base.documented import documented
from .._base.exceptions import InvalidValueError
from .._base.text import as_builtin
from .._base.types import NanPolicy, Progress, RandomState, Undefined
from .._inputs.names import BUT_HIGHER, LOWER_BY_NAMES
from .._inputs.options import (
    as_entropy,
    as_workers,
    called_for,
    check_undefined,
    check_within,
)
from .._inputs.plans.questions import refuse_gate, refuse_trust
from .._inputs.plans.simulations import as_finite, check_trials
from .._inputs.roles.kinds import check_order
from .._inputs.roles.kinds import refuse_trust as refuse_simulation
from .._inputs.roles.reading import Reading
from .._inputs.roles.relations import are_ranks
from .._inputs.tables import (
    REVERSED,
    all_reversed,
    finite_columns,
    labels_among_scores,
    reversed_models,
)
from .._results.copies import with_decision_rule
from .._results.gate import Gated
from .._results.pairs import PairsResult
from .._results.records import Record, attribute_names
from .._results.samples import dropped_sentence, sample_sentence
from .analyses.cases import omnibus_disagreement
from .asked import (
    apply_threshold,
    as_query,
    check_used,
    kind_asked,
    stated_options,
    test_asked,
    with_claim,
    with_direction,
)
from .codes import codes_for_missing
from .curves import Drawers, curves_of, model_limits
from .data import Analysis, Arguments, Data, Query, roles_given, within_offer
from .kinds import KINDS
from .named import TESTS_BY_KIND, tests_named
from .others import analyse_classes_or_unpaired
from .readings import data_in_table
from .trust import TrustResult as TrustResult
from .trust import simulate_trust

WIDTH = 80
COMMAND = re.compile("`fastcompare [^`]*`")
PROTECTED = str.maketrans(" -", "\ue000\ue001")  # characters that no text contains
UNPROTECTED = str.maketrans("\ue000\ue001", " -")
CODES_SUSPECTED = "if this is a code for missing values"  # of checks that summaries repeat
HIGHER_RANK = (
    f"Ranks from 1 in each row{BUT_HIGHER}pass higher_is_better=False if rank 1 is the best."
)


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
class Comparison(Gated, Record):
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
        return tuple(sorted(rows, key=lambda row: nan_last(sign * row.value)))

    @property
    def pairs(self) -> tuple[ComparedPair, ...]:
        """The pairs by p-value; none if `gate=True` and the omnibus test does not reject."""
        if self.result is self.omnibus or len(self.names) < 2:
            return ()
        rows = pairs_of_result(self.result, self.names, self.alpha)
        return tuple(sorted(rows, key=lambda row: nan_last(row.adjusted_pvalue, row.pvalue)))

    @property
    def n_dropped(self) -> int:
        """The number of cases, or other rows, that were left out since values were missing."""
        return int(max(np.max(getattr(test, "n_dropped", 0)) for test in self.tests.values()))

    @property
    def _row(self) -> str:  # type: ignore[override]
        """The unit of the rows that were dropped: ``case``, ``item``, ``data set``."""
        return KINDS[self.kind].units.removesuffix("s")

    def _sample_note(self) -> str:
        """Return how many cases there were, unless a test's summary says so, and were left out."""
        tests = (self.result,) if self.omnibus is None else (self.omnibus, self.result)
        needs_sample = all(test._follows_sample for test in tests)
        sample = sample_sentence(self.result) if needs_sample else ""
        return " ".join(filter(None, (sample, dropped_sentence(self))))

    @property
    def status(self) -> str:
        """The first status word of a test that is not 'ok', or 'ok'."""
        words = [w for test in self.tests.values() for w in np.atleast_1d(test.status).tolist()]
        return next((word for word in words if word != "ok"), "ok")

    def _summary(self) -> str:
        """Return the findings of all tests in sentences fit for a paper."""
        undirected = KINDS[self.kind].undirected
        at_end = " Lower is better." if undirected and not self.higher_is_better else ""
        at_end += "".join(f" {warning}" for warning in self._data.warnings)
        at_end += "".join(f" {check}" for check in self.checks if CODES_SUSPECTED in check)
        at_start = all_reversed(self.quantity, self.values)
        directions = (BUT_HIGHER, LOWER_BY_NAMES)
        at_start += " ".join(c for c in self.checks if any(words in c for words in directions))
        if self.omnibus is None:
            return f"{at_start} {self.result._sentences()}{at_end}".lstrip()
        why_not_pairs = self.reasons[-1]  # the reason where the omnibus test is the result
        on_pairs = why_not_pairs if self.result is self.omnibus else self._on_pairs()
        disagreement = omnibus_disagreement(self.omnibus, self.result, self.alpha)
        sentences = (at_start, self.omnibus._sentences(), on_pairs, disagreement)
        return " ".join(filter(None, sentences)) + at_end

    def _on_pairs(self) -> str:
        """Return the sentences on pairs, without one on the sample that the omnibus test's says."""
        sentences = str(self.result._sentences())
        sample = getattr(self.result, "_sample_text", "")
        if not sample or sample != getattr(self.omnibus, "_sample_text", ""):
            return sentences
        return sentences.replace(f" {self.result._sample_sentence}", "")

    def _headline(self) -> str:
        """Return which models are better than which, as the heading of a page."""
        if warning := all_reversed(self.quantity, self.values):
            return warning
        omnibus_headline = "" if self.omnibus is None else self.omnibus._headline()
        return self.result._headline() or omnibus_headline

    def _model_limits(self, level: float) -> Any:
        """Return the limits (k,) of an interval for each model; None where these are unknown."""
        return model_limits(self._data, self.result, self._options, level)

    def _curves(self) -> Drawers:
        """Return functions that draw the data beside the result, by the names of pictures."""
        names = [model.name for model in self.models]
        return curves_of(self._data, self.result, names, self._options, self._level)

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
        from .._report.page import report as write_page  # draws, which few need

        return write_page(self, path, title=title, overwrite=overwrite)

    def _compared(self) -> Any:
        """Return the result of the tests, which a gate goes by."""
        if not isinstance(self.result, Gated):
            refuse_gate(str(self.result.title))
        return self.result

    def trust(
        self,
        *,
        difference: float | None = None,
        power: float = 0.8,
        n_trials: int = 500,
        rng: RandomState = None,
        n_jobs: int = 1,
        progress: Progress = None,
    ) -> TrustResult:
        """Simulate the type I error rate, power and detectable difference for data like these.

        The simulated models are equally good, or one is better by a given difference. Items and
        losses are resampled around a common mean, with their observed skewness and correlations,
        and scores of cases after shifting each model's positives to a common AUC; answers, scores
        on data sets, and scores whose AUCs no shift makes equal are exchanged between models at
        random, which makes differences symmetric; rounds and battles are drawn from a model.

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
        progress : bool or callable, optional
            True shows a progress bar for each simulated rate; a callable receives the number of
            finished trials and the total.

        Returns
        -------
        TrustResult
            With ``level``, ``detectable_difference``, ``power`` (of `difference`), ``tried`` (power
            by difference), ``test`` (for three or more models the omnibus test), ``n_trials``,
            ``conditions`` (which properties of the data the simulation keeps), ``level_unknown``
            (why the data cannot tell the level, or an empty string); confidence intervals for
            the number of trials: ``level_interval()``, ``power_interval()`` and
            ``detectable_interval()``; ``summary()``. NaN if no models differ on any case.

        Notes
        -----
        Samples understate skewness: for a log-normal against a normal model, the type I error rate
        of Student's t is 13 / 12 / 9.1 / 6.4% with 10 / 20 / 50 / 200 items, and the simulation
        estimates 11 / 9.4 / 7.2 / 6.8% on average (24 samples each); for normal models 5.1 to 5.6%.

        A sample does not show how frequent the features are that fewer than three of its units
        have. Where two units make up more than three quarters of the variance of a model, or it
        does not vary, ``level_unknown`` says so; and where type I error rates of 16 samples drawn
        from the data differ by more than 3 points either way (from 100 trials), it has their
        range. Of ratings of 1 (4%) or 5 against 4 or 5, 30 or 50 items, the true level is 22 and
        14%, and no sample of 12 tells it; of models that fail on whole clusters (8% of 25) it is
        26%. The level of 20 log-normal items, 10%, is understated by 3 to 7 points in 5 of 12
        samples without a word, that of 50 and more in 1 of 12.
        """
        refuse_trust(self._options.get("test"), len(self.names))
        if self._data.unpaired is not None:
            refuse_simulation("models on different cases")
        target = check_within("power", power, self.alpha, 1.0)
        shift = None if difference is None else abs(as_finite("difference", difference))
        design = KINDS[self.kind].like(self._data)
        work: Any = {"n_trials": check_trials(n_trials), "rng": as_entropy(rng)}
        work |= {"n_jobs": n_jobs, "progress": progress}
        return simulate_trust(design, self.alpha, target, shift, **work)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python values, those of the tests as dictionaries."""
        fields = {name: as_builtin(getattr(self, name)) for name in self._field_names()}
        fields |= {name: test.to_dict() for name, test in self._parts().items()}
        tests = {name: test.to_dict() for name, test in self.tests.items()}
        rows = {
            "n_dropped": self.n_dropped,
            "models": [row._asdict() for row in self.models],
            "pairs": [row._asdict() for row in self.pairs],
        }
        return {**fields, "tests": tests, "values": dict(self.values), **rows}

    def _parts(self) -> Mapping[str, Any]:
        parts = {"omnibus": self.omnibus, "result": self.result}
        return {name: part for name, part in parts.items() if part is not None}

    def _nested_names(self) -> Sequence[str]:
        """Return the names of attributes of the results of tests: result.pvalue."""
        parts = {"result": self.result, **self._parts()}
        classes: dict[str, Any] = {part: type(test) for part, test in parts.items()}
        nested = ((part, n) for part, of_part in classes.items() for n in attribute_names(of_part))
        return [f"{part}.{name}" for part, name in nested if name[0] != "_"]

    def _notes(self) -> tuple[str, ...]:
        return (*self.decisions, *self.reasons, *self.checks)

    def __str__(self) -> str:
        wrapped = (wrap_note(text) for text in self._notes())
        return "\n".join([*(line for lines in wrapped for line in lines), "", super().__str__()])

    def _repr_html_(self) -> str:
        notes = "".join(f"<li>{html.escape(text)}</li>" for text in self._notes())
        return f"<ul>{notes}</ul>{super()._repr_html_()}"


def nan_last(*numbers: float) -> tuple[tuple[bool, float], ...]:
    """Return a key that sorts by numbers in turn, NaN after all others."""
    return tuple((math.isnan(number), number) for number in numbers)


def wrap_note(text: str) -> list[str]:
    """Return the lines of a note of at most `WIDTH` columns; a command stays in one line."""
    protected = COMMAND.sub(lambda command: command.group().translate(PROTECTED), text)
    lines = textwrap.wrap(f"- {protected}", WIDTH, subsequent_indent="  ", break_long_words=False)
    return [line.translate(UNPROTECTED) for line in lines]


def pairs_of_result(result: Any, names: tuple[str, ...], alpha: float) -> list[ComparedPair]:
    """Return a row for each pair of a result; the one pair of a test of two models."""
    if not isinstance(result, PairsResult):
        difference = getattr(result, "estimate", None)
        difference = getattr(result, "mean_difference", None) if difference is None else difference
        estimate = float("nan") if difference is None else float(difference)
        low, high = intervals_of_pairs(result, ())
        p = float(getattr(result, "pvalue", math.nan))
        first, second = names
        return [ComparedPair(first, second, estimate, float(low), float(high), p, p, p <= alpha)]
    low, high = intervals_of_pairs(result, (len(result.pairs),))
    columns = (result.estimate, low, high, result.pvalue, result.adjusted_pvalue)
    rows: Any = zip(result.pairs, *(np.asarray(c).tolist() for c in columns), strict=True)
    return [
        ComparedPair(first, second, estimate, lower, upper, p, adjusted, adjusted <= alpha)
        for (first, second), estimate, lower, upper, p, adjusted in rows
    ]


def intervals_of_pairs(result: Any, shape: tuple[int, ...]) -> tuple[Any, Any]:
    """Return the limits of the intervals of all pairs, NaN of this shape if there are none."""
    try:
        simultaneous = {"simultaneous": True} if getattr(result, "_adjusts", False) else {}
        low, high = result.confidence_interval(**simultaneous)
    except (AttributeError, NotImplementedError, InvalidValueError):
        return np.full(shape, np.nan), np.full(shape, np.nan)
    return low, high


@documented
def compare(
    data: Any,
    a: Any = None,
    b: Any = None,
    *,
    kind: str | None = None,
    label: str | None = None,
    models: Sequence[str] | None = None,
    id: str | None = None,
    time: str | None = None,
    event: str | None = None,
    long: tuple[str, str, str] | None = None,
    n_train: float | None = None,
    n_test: float | None = None,
    cv: Any = None,
    scoring: Any = None,
    design: str | None = None,
    test: str | None = None,
    control: str | int | None = None,
    rule: str | None = None,
    clip: float | None = None,
    threshold: float | None = None,
    order_effect: bool = False,
    method: str | None = None,
    sample_weight: ArrayLike | str | None = None,
    groups: ArrayLike | str | None = None,
    alternative: str | None = None,
    margin: float = 0.0,
    correction: str | None = None,
    alpha: float = 0.05,
    gate: bool = False,
    higher_is_better: bool | None = None,
    n_resamples: int | None = None,
    rng: RandomState = None,
    n_jobs: int = 1,
    progress: Progress = None,
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
        `kind`, or a column or index named 'dataset', 'fold' or 'item'); a data frame of cases with
        their true labels inside; a result of `read_evals`,
        `from_long` or a function of `fastcompare.datasets`; scikit-learn estimators (a mapping or
        list, with X and y as `a` and `b`), results of ``cross_validate`` or a fitted search;
        battles (a table with 'model_a', 'model_b' and 'outcome' or 'winner', or rows of these
        three); labels and predictions of two models on different cases, ``{"old": (labels,
        scores), "new": (labels, scores)}``; a reader study, as in `reader_study`, with the truth as a column or as `a`; times
        to an event (a structured array of scikit-survival, or a table of two columns, one of which
        says whether the event was seen), with scores of risk as `a`.
    a, b : array-like, mapping or data frame, optional
        The models' predicted labels, scores or probabilities: a table with one column per model, or
        one vector each for two models. Of several classes, an array of shape (n, c) for each model,
        as ``predict_proba`` returns.
    kind : {'scores', 'labels', 'probabilities', 'folds', 'datasets', 'items', 'battles', 'times', 'readers'}
        The kind of data, required if it is ambiguous: rows of a table may be rounds, data sets or
        items. Values between 0 and 1 are compared by AUC unless it is 'probabilities', and values
        that all occur as true labels by accuracy unless it is 'scores'.
    label, id, time, event : str, optional
        Columns of a table that is passed alone: true labels (or values), names of the rows, times
        to an event and whether it was observed. By default they are recognized by their values and
        names (docs/concepts/conventions.md), and `decisions` begin with how each column was read.
    models : list of str, optional
        The columns of the models. By default those that are recognized, of `a` all; there it is an
        error if a column looks like an id, clusters, weights or the true labels.
    long : tuple of str, optional
        The columns of models, of rows and of scores of a table with a row for each model and case,
        round or data set, as in ``long=("model", "dataset", "accuracy")``.
    n_train, n_test : float, optional
        Number of training and test cases per round, or their means.
    cv : int, splitter or iterable of splits, optional
        How the rounds were split, or how to split them; it determines the test.
    scoring : str or callable, optional
        The metric, for estimators, results of `cross_validate` or a search; of a reader study
        'auc' (the default with true labels), 'mean' or 'loss'.
    design : str, optional
        As in `recommend`; for rounds 'resampled' (the default), 'repeated-kfold', 'kfold', '5x2cv'
        or 'independent'.
    test : str, optional
        A test by name, instead of the one that the data suggest: 'delong', 'bootstrap', 'mcnemar',
        'cochran', 'wilcoxon', 'nemenyi', 'ttest-5x2cv' or any other of `fastcompare` that fits the
        kind of data. An unknown name lists those that fit.
    control : str or int, optional
        A model to compare all others with, instead of all pairs; choose it before you see the data.
    rule : {'brier', 'log', 'spherical'}, optional
        Scoring rule of probabilities, 'brier' by default; the data are then probabilities.
    clip : float, optional
        With ``rule="log"``: clip probabilities to [clip, 1 - clip].
    threshold : float, optional
        Compare labels: scores of at least this are positive predictions.
    order_effect : bool, default=False
        For battles: estimate the advantage of the model that is named first.
    method : str, optional
        The `method` of the test: 'exact' for McNemar's, 'bootstrap' for losses, and so on.
    alternative : {'two-sided', 'less', 'greater', 'equivalence'}, optional
        Alternative hypothesis about first minus second. By default 'two-sided'; with `margin`, that
        the first model is not inferior. Choose it before you see the data.
    margin : float, default=0.0
        Non-inferiority or equivalence margin, for two models; ``gate()`` judges more.
    correction : str, optional
        Adjustment for multiple comparisons: any method of `adjust_pvalues`; by default that of the
        test.
    gate : bool, default=False
        For three or more models, compare pairs only if the omnibus test rejects. Adjusted p-values
        do not require a gate, which reduces power; the omnibus test is always reported.
    higher_is_better : bool, optional
        False for errors, losses, times and ranks. By default True, unless the names of all models,
        or of the metric, say that scores are errors, losses or times: ``checks`` say so then.

    Returns
    -------
    Comparison
        With ``kind``, ``design``, ``decisions`` (how these were determined), ``reasons`` (why these
        tests), ``checks`` (approximations and violated assumptions), ``omnibus`` (for three or more
        models), ``result`` (the test of two models, or of all pairs; with `gate`, the omnibus test
        if it does not reject), ``tests``, ``models`` (best first), ``pairs`` (by p-value, with
        intervals), ``trust()`` (level, power and smallest detectable difference at this size),
        ``gate()`` (whether a model is worse, better or non-inferior), ``summary()``, ``plot()``, ``report(path)`` and ``to_dict()``.

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
    options: dict[str, Any] = {"correction": correction, "method": method, "rule": rule}
    options |= {"clip": clip, "order_effect": order_effect, "progress": progress}
    options |= {"higher_is_better": higher_is_better, "n_jobs": n_jobs}
    as_workers(1, None, progress)  # or raise
    if rng is not None:
        as_entropy(rng)
    options |= {"n_resamples": n_resamples, "rng": rng}
    options |= {"pos_label": pos_label, "nan_policy": nan_policy, "on_undefined": on_undefined}
    query = as_query(options, alpha=alpha, gate=gate, test=test, control=control)
    sizes: dict[str, Any] = {"n_train": n_train, "n_test": n_test, "design": design}
    sizes |= {"cv": cv, "scoring": scoring, "groups": groups, "sample_weight": sample_weight}
    columns = {"label": label, "id": id, "time": time, "event": event, "long": long}
    named, passed = roles_given({**sizes, **columns})
    kind = kind_asked(kind, test, rule, threshold)
    arguments = Arguments(
        data=data, a=a, b=b, models=models, kind=kind, named=named, passed=passed, n_jobs=n_jobs
    )
    content = content_of(with_question(arguments, query), pos_label)
    if content.pos_label is not None:
        pos_label = content.pos_label
        query = replace(query, options={**query.options, "pos_label": pos_label})
    content = apply_threshold(content, threshold, pos_label)
    content, query = with_direction(content, query)
    query = with_claim(query, content, alternative, margin)
    cases = content.y_true is not None or content.times is not None
    is_unpaired = cases and b is not None
    with called_for("a" if cases else "data", "data", content.columns, separate=is_unpaired):
        analysis = analyse_classes_or_unpaired(content, query) or analysis_of(content, query)
        return comparison_of(content, analysis, query)


def with_question(arguments: Arguments, query: Query) -> Arguments:
    """Return the arguments with what the query says of cases: a test, a control, a direction."""
    for_cases = query.test is not None or query.control is not None
    higher = query.options.get("higher_is_better")
    return replace(arguments, for_cases=for_cases, higher_is_better=higher)


def content_of(arguments: Arguments, pos_label: object) -> Data:
    """Return the data of any form; tables whose roles were read need no further detection."""
    has_roles = isinstance(arguments.data, Reading) and arguments.data.data is None
    if has_roles and arguments.a is None and arguments.kind is None:
        return data_in_table(arguments)
    from .detect import read_data  # imports what most data do not need

    return read_data(arguments, pos_label)


def analysis_of(data: Data, query: Query) -> Analysis:
    """Return the analysis of data by the usual tests, or by those that were chosen by name."""
    row = KINDS[data.kind]
    if query.test is None and query.control is None:
        check_order(data.kind, row.better, len(data.columns), query.options)
    analysis = row.analyse(data, query, tests_named(data.kind, test_asked(data, query)))
    check_used(TESTS_BY_KIND.get(data.kind, {}), query, len(data.columns))
    if query.test is None and query.control is None:
        return replace(analysis, reasons=(*analysis.reasons, *within_offer(data)))
    return analysis


def doubts_about(data: Data, analysis: Analysis, query: Query) -> tuple[str, ...]:
    """Return warnings that data may be losses, contain codes for missing, or be reversed."""
    higher = bool(query.options["higher_is_better"]) and data.higher_is_better is not False
    is_higher_table = KINDS[data.kind].form == "table" and higher
    numbers = finite_columns(data.columns)
    doubts = [*data.doubts]
    if is_higher_table and are_ranks(numbers):
        doubts.append(HIGHER_RANK)
    doubts += codes_for_missing(numbers, data.kind)
    if analysis.quantity in REVERSED:  # AUCs and the like, which reversed scores make low
        doubts += labels_among_scores(numbers)
        doubts += reversed_models(analysis.quantity, analysis.values)
    return tuple(doubts)


def comparison_of(data: Data, analysis: Analysis, query: Query) -> Comparison:
    """Return the result of `compare` from an analysis: tests decide at the level of the query."""
    higher = analysis.higher_scores  # None unless tests are of other numbers than models' values
    higher = analysis.higher_is_better if higher is None else higher
    tests = {
        name: with_decision_rule(test, higher, query.alpha) for name, test in analysis.tests.items()
    }
    copies = dict(zip(map(id, analysis.tests.values()), tests.values(), strict=True))
    result = copies[id(analysis.result)]
    omnibus = copies.get(id(analysis.omnibus))
    doubts = doubts_about(data, analysis, query)
    disagreement = omnibus_disagreement(omnibus, result, query.alpha)
    return Comparison(
        kind=data.kind,
        design=data.design,
        names=tuple(map(str, analysis.values)),
        decisions=data.decisions,
        reasons=(*analysis.reasons, *([disagreement] if disagreement else [])),
        checks=(*data.warnings, *analysis.checks, *doubts),
        quantity=analysis.quantity,
        higher_is_better=analysis.higher_is_better,
        alpha=query.alpha,
        omnibus=omnibus,
        result=result,
        tests=tests,
        values=analysis.values,
        _data=data,
        _options=stated_options(query),
    )
