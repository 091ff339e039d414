"""Which test is right: one loop over the table of rules.

The question that `recommend` answers: described in words, or found in data as `compare` does.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.documented import documented
from .._base.text import plain
from .._base.types import RandomState
from .._inputs.arrays import as_column
from .._inputs.models import find_nan
from .._inputs.options import check_choice, check_flag
from .._inputs.roles.kinds import (
    check_agreement,
    check_any_rows,
    check_design,
    check_how_many,
    check_kind,
    check_no_data,
    check_same_rows,
    refuse_advice,
    refuse_measure,
)
from .._results.records import Record
from ..simulate.designs import normal_ranks
from ..simulate.null_designs import NULL_DESIGNS, NullDesign, ScoredCases, scored_cases
from ..simulate.rates import ErrorRatesResult, simulate_error_rates
from .data import Arguments, Data
from .detect import read_data
from .kinds import CLAIMS, DESIGNS, KINDS
from .rule import ROLES, Rule, Wrong
from .rules import RULES

MISSING = "Some models have no score on some data sets: the design is {!r}."


class Description(NamedTuple):
    """What users say of their data; None where they leave it out."""

    kind: Any = None
    n_models: Any = None
    n: Any = None
    paired: Any = None
    design: Any = None
    claim: Any = None


@dataclass(frozen=True)
class Question:
    """What the data are, and what shall be claimed; `seen` is what was seen in data."""

    kind: str
    n_models: int
    n: int | None
    paired: bool
    design: str
    claim: str
    n_clusters: int | None = None
    seen: tuple[str, ...] = ()
    cases: Callable[[], ScoredCases] | None = None  # what is known of scored cases

    def __str__(self) -> str:
        paired = "paired" if self.paired else "unpaired"
        return (
            f"kind={self.kind!r}, {self.n_models} models, {paired}, design={self.design!r}, "
            f"claim={self.claim!r}"
        )

    def suits(self, rule: Rule) -> bool:
        """Return whether a rule is for this question."""
        if self.kind not in rule.kinds or self.paired != rule.paired:
            return False
        if self.claim not in (rule.claims or (KINDS[self.kind].claim,)):
            return False
        if rule.designs and self.design not in rule.designs:
            return False
        fits = rule.unknown if self.n is None else rule.rows[0] <= self.n <= rule.rows[1]
        return fits and rule.models[0] <= self.n_models <= rule.models[1]

    def decisions(self) -> tuple[str, ...]:
        """Return the sentences on what was decided, and by what."""
        claim = f"The claim is about {CLAIMS[self.claim]}"
        carried = "" if self.claim == KINDS[self.kind].claim else ", which such data cannot support"
        several = (
            "an omnibus test and pairwise comparisons" if self.n_models > 2 else "one comparison"
        )
        if self.kind == "battles":
            several = "all pairs at once" if self.n_models > 2 else several
        models = f"{self.n_models} models: {several}." if self.n_models > 1 else "One model."
        design = () if self.seen else (f"Design: {self.design!r}.",)
        return (*self.seen, f"{claim}{carried}.", models, self._rows(), *design)

    def _rows(self) -> str:
        known = "" if self.n is None else f" {self.n}"
        clusters = "" if self.n_clusters is None else f" in {self.n_clusters} clusters"
        rows = f"{known} {KINDS[self.kind].rows}{clusters}"
        if self.n_models == 1:
            return f"It has{rows}."
        if self.kind == "battles":
            return f"They met in{rows}, two by two."
        same = "the same ones (paired)" if self.paired else "its own (not paired)"
        return f"Each model has{rows}, {same}."


def question_of(
    data: tuple[Any, Any, Any], described: Description, given: Mapping[str, Any]
) -> Question:
    """Return the question that words ask, or data if there are any, or raise."""
    first, a, b = data
    if first is None:
        check_no_data(a=a, b=b, **given)
        return question_described(described)
    options = {**given, "design": described.design}
    arguments = Arguments(data=first, a=a, b=b, kind=described.kind, given=options, advice=True)
    return question_of_data(read_data(arguments), described)


def question_described(described: Description) -> Question:
    """Return the checked question that words ask, or raise."""
    kind = check_kind(described.kind, tuple(KINDS))
    sizes = class_sizes(described.n) if kind == "scores" else None
    n = described.n if sizes is None else min(sizes)
    n_models = (
        2 if described.n_models is None else check_how_many("n_models", described.n_models, 1)
    )
    paired = True if described.paired is None else check_flag("paired", described.paired)
    return Question(
        kind,
        n_models,
        None if n is None else check_how_many("n", n, 1),
        paired or n_models == 1,  # one model has nothing to be paired with
        check_design(described.design, kind, DESIGNS),
        claim_of(described.claim, kind),
        cases=None if sizes is None else partial(ScoredCases, np.repeat([1, 0], sizes)),
    )


def class_sizes(n: object) -> tuple[int, int] | None:
    """Return the checked numbers of positives and negatives, if `n` is a pair."""
    if not isinstance(n, tuple | list) or len(n) != 2:
        return None
    return check_how_many("n", n[0], 1), check_how_many("n", n[1], 1)


def claim_of(claim: object, kind: str) -> str:
    """Return the checked claim, by default what data of a kind can carry."""
    if claim is not None:
        check_choice("claim", claim, CLAIMS)
    return KINDS[kind].claim if claim is None else str(claim)


def question_of_data(data: Data, described: Description) -> Question:
    """Return the question that data ask, or raise where words contradict them."""
    if data.unpaired is not None:
        return question_unpaired(data, described)
    kept, clusters = kept_rows(data), data.options.get("groups")
    check_any_rows(kept.size)
    found = Question(
        data.kind,
        len(data.columns),
        how_many(data, kept),
        True,
        data.design,
        claim_of(described.claim, data.kind),
        None if clusters is None else np.unique(as_column("groups", clusters).values[kept]).size,
        data.decisions,
        known_cases(data, kept),
    )
    if data.kind == "datasets" and described.design is None:
        found = with_missing(found, data)
    check_described(described, found)
    return found


def question_unpaired(data: Data, described: Description) -> Question:
    """Return the question of two models on different cases, or raise where words contradict it."""
    assert data.unpaired is not None
    parts = [
        replace(data, y_true=labels, columns={name: values}, unpaired=None)
        for name, (labels, values) in zip(data.columns, data.unpaired, strict=True)
    ]
    least = min(how_many(part, kept_rows(part)) for part in parts)
    claim = claim_of(described.claim, data.kind)
    found = Question(data.kind, 2, least, False, data.design, claim, seen=data.decisions)
    check_described(described, found)
    return found


def check_described(described: Description, found: Question) -> None:
    """Raise where words contradict what data are."""
    row, sizes = KINDS[found.kind], class_sizes(described.n)
    same = f"have the same {row.units}" if found.paired else f"have {row.units} of their own"
    check_agreement("n_models", described.n_models, found.n_models, f"hold {found.n_models} models")
    n = min(sizes) if sizes else described.n
    check_agreement("n", n, found.n, f"hold {found.n} {row.rows}")
    paired = found.paired if described.paired is None else check_flag("paired", described.paired)
    is_paired = "paired" if found.paired else "not paired"
    check_agreement("paired", paired, found.paired, f"are {is_paired}: all models {same}")


def with_missing(question: Question, data: Data) -> Question:
    """Return the question of data sets, whose design is another one where scores are missing."""
    missing = missing_cells(list(data.columns.items()))
    if not missing.any():
        return question
    present = (~missing).astype(int)
    together = (present.T @ present)[np.triu_indices(question.n_models, 1)]
    alike = np.unique(present.sum(axis=1)).size == np.unique(together).size == 1
    design = "balanced-incomplete" if alike and question.n_models > 2 else "incomplete"
    seen = (*data.decisions[:-1], MISSING.format(design))
    return replace(question, design=design, n=int(present.any(axis=1).sum()), seen=seen)


def missing_cells(columns: Sequence[tuple[str, Any]]) -> NDArray[np.bool_]:
    """Return which values (n, k) are missing; several of a row only if they all are."""
    flags = [find_nan(as_column(name, values)) for name, values in columns]
    check_same_rows({name: len(one) for (name, _), one in zip(columns, flags, strict=True)})
    rows = [one if one.ndim == 1 else one.all(axis=tuple(range(1, one.ndim))) for one in flags]
    return np.column_stack(rows)


def kept_rows(data: Data) -> NDArray[np.bool_]:
    """Return which rows miss nothing and weigh something."""
    if data.n_rounds is not None:
        return np.ones(data.n_rounds, bool)
    if data.battles is not None:
        columns = list(zip(("model_a", "model_b", "outcome"), data.battles, strict=True))
    else:
        columns = list(data.columns.items())
    columns += [("the true labels", data.y_true)] * (data.y_true is not None)
    columns += zip(("time", "event"), data.times or (), strict=False)
    kept = ~missing_cells([*columns, *data.options.items()]).any(axis=1)
    weights = data.options.get("sample_weight")
    if weights is not None:
        kept &= np.asarray(weights, dtype=float) > 0.0
    return np.asarray(kept)


def known_cases(data: Data, kept: NDArray[np.bool_]) -> Callable[[], ScoredCases] | None:
    """Return a function for `ScoredCases` like those of data; None where these are others."""
    if data.kind != "scores" or data.design not in ("independent", "clusters", "weights"):
        return None
    values, labels = np.unique(np.asarray(data.y_true)[kept], return_inverse=True)
    if values.size != 2:
        return None

    def known() -> ScoredCases:
        columns = [np.asarray(column, dtype=float)[kept] for column in data.columns.values()]
        groups = data.options.get("groups")
        if groups is not None:
            groups = np.unique(np.asarray(groups)[kept], return_inverse=True)[1].ravel()
        return scored_cases(labels.ravel(), normal_ranks(np.column_stack(columns)), groups)

    return known


def how_many(data: Data, kept: NDArray[np.bool_]) -> int:
    """Return the number of rows by which rules count: of scores the cases of the rarer class."""
    if data.kind != "scores":
        return int(np.count_nonzero(kept))
    labels = as_column("data", data.y_true).values.ravel()[kept]
    counts = np.unique(labels, return_counts=True)[1]
    return int(counts.min()) if counts.size > 1 else 0


WIDTH = 80
SHARING = (
    "There is no distribution-free test for overlapping rounds: sign and rank tests assume "
    "independent rounds, and their type I error reaches 50% (docs/choosing.md). "
)
RUN = ("collect", "test", "omnibus", "post-hoc")  # roles of tests to run, told in full
ANSWERS = (*RUN, "instead")
Claim = Literal[
    "these models", "this way of training", "on new data sets", "other readers and cases"
]


def indented(text: str) -> list[str]:
    """Return the lines of a text below a heading, whose words stay whole."""
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
        return {**{name: plain(getattr(self, name)) for name in self._names()}, "wrong": wrong}

    def _lines(self) -> Iterator[str]:
        yield f"{self.test}, {ROLES[self.role]}"
        yield from indented(self.call)
        yield from indented(f"why: {self.reason}")
        if self.role not in RUN:
            return
        yield from indented(f"assumes: {'; '.join(self.assumptions)}")
        yield from indented(f"source: {self.reference}")
        if self.wrong is not None:
            yield from indented(f"not: {self.wrong}")


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
        first = [test for test in self.tests if test.role in RUN]
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
        fields = {name: plain(getattr(self, name)) for name in self._names()}
        return {**fields, "tests": tests, "error_rates": rates}

    def __str__(self) -> str:
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
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    rng: RandomState = None,
    n_jobs: int = 1,
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
    given = {"n_train": n_train, "n_test": n_test, "cv": cv, "groups": groups}
    question = question_of((data, a, b), described, {**given, "sample_weight": sample_weight})
    wants = None if parametric is None else check_flag("parametric", parametric)
    fitting = [rule for rule in RULES if question.suits(rule)]
    chosen = [rule for rule in fitting if wants in (None, rule.parametric)]
    if not any(rule.role in ANSWERS for rule in chosen):
        refuse_advice(str(question), SHARING if question.kind == "folds" and wants is False else "")
    tests = tuple(advised(rule, question.design) for rule in sorted(chosen, key=place))
    rates, decisions = None, question.decisions()
    if check_flag("measure", measure):
        cases = None if question.cases is None else question.cases()
        rates = measured(tests, question, cases, n_trials, rng, n_jobs)
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


FIRST = (*RUN, "instead", "question", "check")
OPTION_OF = {"clusters": "groups=groups", "weights": "sample_weight=weights"}  # by design


def place(rule: Rule) -> int:
    """Return where a rule's role comes; rules of one role stay in the table's order."""
    return FIRST.index(rule.role)


def call_for(rule: Rule, design: str) -> str:
    """Return the call of a rule, with what tells it of clusters, weights or missing scores."""
    option = OPTION_OF.get(design, "")
    if design == "incomplete" and rule.models == (2, 2):
        option = 'nan_policy="omit"'
    if rule.role == "collect" or option in rule.call:
        return rule.call
    return f"{rule.call.removesuffix(')')}, {option})"


def advised(rule: Rule, design: str) -> AdvisedTest:
    """Return the test that a rule names, called for this design."""
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
    """Return the design to simulate and the wrong test in it, or raise."""
    wrongs = [test.wrong for test in tests if test.role != "collect" and test.wrong is not None]
    wrong = next((wrong for wrong in wrongs if wrong.world), None)
    return refuse_measure(str(question)) if wrong is None else (NULL_DESIGNS[wrong.world], wrong)


def measured(
    tests: tuple[AdvisedTest, ...],
    question: Question,
    cases: ScoredCases | None,
    n_trials: int,
    rng: RandomState,
    n_jobs: int,
) -> ErrorRatesResult:
    """Return how often the right and the wrong test reject where no model is better."""
    design, wrong = design_of(tests, question)
    size = design.n if question.n is None else question.n
    return simulate_error_rates(
        {tests[0].test: design.right, f"wrong: {wrong.test.partition(',')[0]}": design.wrong},
        design.at(size, max(question.n_models, design.k if question.n_models > 2 else 2), cases),
        n_trials=n_trials,
        rng=rng,
        n_jobs=n_jobs,
    )
