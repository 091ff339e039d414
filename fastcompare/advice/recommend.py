"""Recommend tests for data and a claim, by the table of rules."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal

from numpy.typing import ArrayLike

from .._base.documented import documented
from .._base.text import as_builtin
from .._base.types import Progress, RandomState
from .._inputs.options import check_flag
from .._inputs.roles.kinds import (
    refuse_advice,
    refuse_measure,
)
from .._results.records import Record
from ..simulate.null_designs import NULL_DESIGNS, NullDesign, ScoredCases
from ..simulate.rates import ErrorRatesResult, simulate_error_rates
from .question import Description, Question, question_of
from .rule import ROLES, Rule, Wrong
from .rules import RULES

WIDTH = 80
SHARING = (
    "There is no distribution-free test for overlapping rounds: sign and rank tests assume "
    "independent rounds, and their type I error reaches 50% (docs/concepts/choosing.md). "
)
ROLES_TO_RUN = ("collect", "test", "omnibus", "post-hoc")  # of tests that are described in full
ROLES_OF_ANSWERS = (*ROLES_TO_RUN, "instead")
Claim = Literal[
    "these models", "this way of training", "on new data sets", "other readers and cases"
]


def indent_lines(text: str) -> list[str]:
    """Return the lines of a text, indented below a heading; no word is broken."""
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent="    ",
        subsequent_indent="      ",
        break_long_words=False,
        break_on_hyphens=False,
    )


@dataclass(frozen=True, kw_only=True)
class AdvisedTest(Record):
    """A recommended test, the reasons, and the test often used by mistake."""

    test: str
    call: str
    role: str
    reason: str
    assumptions: tuple[str, ...]
    reference: str
    parametric: bool
    wrong: Wrong | None
    title: ClassVar[str] = "A recommended test"

    def _summary(self) -> str:
        """Return the call and its reason."""
        return f"{self.call}: {self.reason}"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python values."""
        wrong = None if self.wrong is None else asdict(self.wrong)
        return {
            **{name: as_builtin(getattr(self, name)) for name in self._field_names()},
            "wrong": wrong,
        }

    def _lines(self) -> Iterator[str]:
        """Yield the lines that describe the test: its name and role, call, reason and source."""
        yield f"{self.test}, {ROLES[self.role]}"
        yield from indent_lines(self.call)
        yield from indent_lines(f"why: {self.reason}")
        if self.role not in ROLES_TO_RUN:
            return
        yield from indent_lines(f"assumes: {'; '.join(self.assumptions)}")
        yield from indent_lines(f"source: {self.reference}")
        if self.wrong is not None:
            yield from indent_lines(f"not: {self.wrong}")


@dataclass(frozen=True, eq=False, kw_only=True)
class Recommendation(Record):
    """Result of `recommend`: the tests in order of priority."""

    kind: str
    claim: str
    n_models: int
    n: int | None
    n_clusters: int | None
    paired: bool
    design: str
    decisions: tuple[str, ...]
    tests: tuple[AdvisedTest, ...]
    error_rates: ErrorRatesResult | None
    title: ClassVar[str] = "Which test"
    _sheets: ClassVar[str] = "advice"

    def _summary(self) -> str:
        """Return the tests to run, in sentences."""
        first = [test for test in self.tests if test.role in ROLES_TO_RUN]
        parts = [f"Use {test.test}. {test.reason}" for test in first]
        wrong = next((test.wrong for test in first if test.wrong is not None), None)
        if wrong is not None:
            parts.append(f"Do not use {wrong}.")
        if self.error_rates is not None:
            parts.append(self.error_rates.summary())
        return " ".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python values."""
        rates = None if self.error_rates is None else self.error_rates.to_dict()
        tests = [test.to_dict() for test in self.tests]
        fields = {name: as_builtin(getattr(self, name)) for name in self._field_names()}
        return {**fields, "tests": tests, "error_rates": rates}

    def __str__(self) -> str:
        """Return the advice as text: the decisions, each test, and the error rates."""
        lines = [f"- {decision}" for decision in self.decisions]
        parts = [text for line in lines for text in textwrap.wrap(line, WIDTH)]
        for number, test in enumerate(self.tests, 1):
            head, *rest = test._lines()
            parts += ["", f"{number}. {head}", *rest]
        if self.error_rates is not None:
            parts += ["", *textwrap.wrap(self.error_rates.summary(), WIDTH)]
        return "\n".join([self.title, *parts])


@documented
def recommend(
    data: Any = None,
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
    n_models: int | None = None,
    n: int | tuple[int, int] | None = None,
    paired: bool | None = None,
    n_train: float | None = None,
    n_test: float | None = None,
    cv: Any = None,
    design: str | None = None,
    claim: Claim | None = None,
    parametric: bool | None = None,
    measure: bool = False,
    n_trials: int = 1000,
    sample_weight: ArrayLike | str | None = None,
    groups: ArrayLike | str | None = None,
    rng: RandomState = None,
    n_jobs: int = 1,
    progress: Progress = None,
    pos_label: object = None,
) -> Recommendation:
    """Recommend tests for given data and a claim, with reasons and error rates of wrong tests.

    Pass data, or describe them by the options, or both if they agree.

    Parameters
    ----------
    data, a, b : optional
        The data, as in `compare`. They are inspected but not tested: nothing is fitted.
    kind : {'scores', 'labels', 'probabilities', 'folds', 'datasets', 'items', 'battles', 'times', 'readers'}
        The kind of data, if they are not passed: scores, predicted labels or probabilities of
        cases; scores by round (fold or random split), data set or item of an evaluation; battles of
        two models; times to an event; a reader study.
    label, models, id, time, event, long : optional
        Columns of a table that is passed alone, as in `compare`.
    n_models : int, optional
        Number of models, by default two. There are other tests for one.
    n : int or pair of int, optional
        Number of cases, rounds, data sets, items or battles; for scores the number of cases of the
        rarer class, or those of positives and negatives.
    paired : bool, optional
        Whether all models have the same cases, rounds, data sets or items; True by default.
    n_train, n_test, cv : optional
        As in `compare`: rows are then rounds, of this design.
    design : str, optional
        The dependence between rows. Cases and items: 'independent' (the default) or 'clusters';
        scores also 'weights', 'chunks', 'batch', 'multiclass'; labels and probabilities also
        'multiclass'; items and battles also 'weights'. Rounds: 'resampled' (the default),
        'repeated-kfold', 'kfold', '5x2cv', 'independent', 'search', 'batch'. Data sets: 'complete'
        (the default), 'incomplete', 'balanced-incomplete'. Reader studies: 'crossed'. Times:
        'censored' (the default), 'uncensored', 'clusters', 'weights'.
    claim : {'these models', 'this way of training', 'on new data sets', 'other readers and cases'}
        What the conclusion is about; by default what such data can support. Otherwise the result
        says which data to collect.
    parametric : bool, optional
        Recommend only parametric tests (True) or only distribution-free ones (False).
    measure : bool, default=False
        Whether to simulate the type I error rates of the recommended and the wrong test for this
        `n` and `n_models`, which takes seconds. With data of scores, the simulation has their
        classes, clusters, AUC and correlation between models.
    n_trials : int, default=1000
        Number of simulated data sets, if `measure` is True.
    progress : bool or callable, optional
        True shows a progress bar of that simulation; a callable receives the number of finished
        trials and the total.

    Returns
    -------
    Recommendation
        With ``tests``, of which the first is the one to run (for three or more models the omnibus
        test, followed by pairwise tests): each with ``test`` (a function), ``call``, ``role``,
        ``reason``, ``assumptions``, ``reference``, ``parametric``, ``wrong`` (``test``, ``rate`` in
        percent, ``setting``, ``source``). And ``kind``, ``n_models``, ``n``, ``n_clusters``,
        ``paired``, ``design`` and ``decisions`` (how these were determined), ``error_rates`` (or
        None), ``summary()``, ``to_dict()``.

    See Also
    --------
    simulate_error_rates : Type I error and power for your own design.

    Notes
    -----
    The rules are a table, `fastcompare.advice.RULES`; error rates of wrong tests are from the cited
    pages of the manual.

    References
    ----------
    .. [1] T. G. Dietterich (1998), doi:10.1162/089976698300017197.
    .. [2] J. Demšar (2006), Journal of Machine Learning Research 7, 1-30.

    Examples
    --------
    >>> import fastcompare as fc
    >>> advice = fc.recommend(kind="folds", design="repeated-kfold", n_models=2)
    >>> advice.tests[0].test, advice.tests[0].wrong.rate
    ('ttest_corrected', 56.2)
    >>> [test.test for test in fc.recommend(kind="labels", n_models=4).tests[:2]]
    ['cochran_q_test', 'mcnemar_pairwise_test']
    >>> cases = fc.load_predictions()
    >>> advice = fc.recommend(cases.y_true, cases.scores, kind="scores")
    >>> advice.n_models, advice.n, advice.tests[0].test
    (5, 149, 'delong_omnibus_test')
    """  # noqa: E501 the kinds are listed in one line
    described = Description(kind, n_models, n, paired, design, claim)
    passed: dict[str, Any] = {"n_train": n_train, "n_test": n_test, "cv": cv, "groups": groups}
    passed |= {"label": label, "models": models, "id": id, "time": time, "event": event}
    passed |= {"long": long, "sample_weight": sample_weight, "pos_label": pos_label}
    question = question_of((data, a, b), described, passed)
    wants = None if parametric is None else check_flag("parametric", parametric)
    fitting = [rule for rule in RULES if question.suits(rule)]
    chosen = [rule for rule in fitting if wants in (None, rule.parametric)]
    if not any(rule.role in ROLES_OF_ANSWERS for rule in chosen):
        refuse_advice(str(question), SHARING if question.kind == "folds" and wants is False else "")
    tests = tuple(advised_test(rule, question.design) for rule in sorted(chosen, key=role_place))
    rates, decisions = None, question.decisions()
    if check_flag("measure", measure):
        cases = None if question.cases is None else question.cases()
        work: Any = {"n_trials": n_trials, "rng": rng, "n_jobs": n_jobs, "progress": progress}
        rates = measure_error_rates(tests, question, cases, **work)
        if cases is not None:
            decisions = (*decisions, f"The rates are those of {cases}.")
    return Recommendation(
        kind=question.kind,
        claim=question.claim,
        n_models=question.n_models,
        n=question.n,
        n_clusters=question.n_clusters,
        paired=question.paired,
        design=question.design,
        decisions=decisions,
        tests=tests,
        error_rates=rates,
    )


ROLE_ORDER = (*ROLES_TO_RUN, "instead", "question", "check")
OPTION_OF = {"clusters": "groups=groups", "weights": "sample_weight=weights"}  # by design


def role_place(rule: Rule) -> int:
    """Return the position of a rule's role in `ROLE_ORDER`, by which advice is sorted."""
    return ROLE_ORDER.index(rule.role)


def call_for(rule: Rule, design: str) -> str:
    """Return the call of a rule, with the option for clusters, weights or missing scores."""
    option = OPTION_OF.get(design, "")
    if design == "incomplete" and rule.models == (2, 2):
        option = 'nan_policy="omit"'
    if rule.role == "collect" or option in rule.call:  # '' is in each
        return rule.call
    return f"{rule.call.removesuffix(')')}, {option})"


def advised_test(rule: Rule, design: str) -> AdvisedTest:
    """Return the recommended test of a rule, with its call for this design."""
    return AdvisedTest(
        test=rule.test,
        call=call_for(rule, design),
        role=rule.role,
        reason=rule.reason,
        assumptions=rule.assumed(design),
        reference=rule.reference,
        parametric=rule.parametric,
        wrong=rule.instead,
    )


def design_of(tests: tuple[AdvisedTest, ...], question: Question) -> tuple[NullDesign, Wrong]:
    """Return the design to simulate and the wrong test in it, or raise if no wrong test has one."""
    wrongs = [test.wrong for test in tests if test.role != "collect" and test.wrong is not None]
    wrong = next((wrong for wrong in wrongs if wrong.world), None)
    if wrong is None:
        refuse_measure(str(question))
    return NULL_DESIGNS[wrong.world], wrong


def measure_error_rates(
    tests: tuple[AdvisedTest, ...],
    question: Question,
    cases: ScoredCases | None,
    **work: Any,
) -> ErrorRatesResult:
    """Return the simulated type I errors of the recommended and of the wrong test.

    Where pairs are compared at once, at least as many models are simulated as the design has.
    """
    design, wrong = design_of(tests, question)
    size = design.n if question.n is None else question.n
    least_k = design.k if question.n_models > 2 else 2
    wrong_name, _, _ = wrong.test.partition(",")
    return simulate_error_rates(
        {tests[0].test: design.right, f"wrong: {wrong_name}": design.wrong},
        design.at(size, max(question.n_models, least_k), cases),
        **work,
    )
