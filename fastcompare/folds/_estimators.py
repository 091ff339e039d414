"""scikit-learn's estimators and searches, compared by the scores of the same rounds.

All models meet the same splits, every score is returned, and the test that is right for the scheme
comes with its reason. A search that has scored every candidate on the same splits is compared as it
is. Seeds depend on the caller's and on the number of the repeat or round alone, not on the models:
permuting models permutes the results, and no number of workers changes them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._adapters.progress import reporting
from .._adapters.sklearn import (
    Indexes,
    Job,
    JobOutcome,
    Split,
    as_scorers,
    cv_of_search,
    draw_test_cases,
    is_search,
    make_splits,
    metric_name,
    plan_of_cv,
    require_sklearn,
    run_rounds,
    should_stratify,
)
from .._base.documented import documented
from .._base.exceptions import DroppedCasesWarning, EstimatorError, warn
from .._base.text import interval_title, stated_ends
from .._base.types import (
    Direction,
    Fields,
    NanPolicy,
    PairCorrection,
    Progress,
    RandomState,
    Undefined,
)
from .._inference.means import Ends, limits_in_range
from .._inference.pvalues import student_quantile
from .._inference.status import warn_status
from .._inference.winners import Winner, infer_winner
from .._inputs.models import as_model_table
from .._inputs.options import (
    Workers,
    as_entropy,
    as_workers,
    check_choice,
    check_level,
    check_undefined,
)
from .._inputs.plans.searches import as_search, check_top
from .._inputs.rounds import (
    Problem,
    Scheme,
    Sizes,
    as_estimators,
    as_problem,
    as_scheme,
    as_sizes,
    refuse_scheme,
)
from .._results.copies import all_with_dropped
from .._results.records import ConfidenceInterval
from ._pairwise import ClaimOptions, FoldComparisonResult, choose_tests
from ._student import column_means, warn_of_swapped

Scoring = str | Callable[..., float] | None
SEED_OF_SPLITS, SEED_OF_MODELS = 0, 1  # parts of seeds, which distinguish their uses


def run_experiment(
    estimators: Mapping[str, Any],
    problem: Problem,
    splits: list[Split],
    scoring: Scoring,
    nan_policy: str,
    entropy: int,
    workers: Workers,
) -> Fields:
    """Fit all models in all rounds and return the fields of the result, without the tests.

    After an interrupt they describe the rounds that all models completed.
    """
    n = problem.targets.size
    names = tuple(estimators)
    scorers = as_scorers(estimators, scoring)
    jobs = experiment_jobs(estimators, scorers, n, splits, entropy)
    with reporting(workers["progress"], len(jobs)) as report:
        outcomes, finished = run_rounds(
            jobs,
            problem.X,
            problem.y,
            n_jobs=workers["n_jobs"],
            omit_missing=nan_policy == "omit",
            report=report,
        )
    scores, ended = score_table(outcomes, names, len(splits))
    complete = np.asarray(~np.isnan(scores).any(axis=1))
    check_complete_rounds(complete, ended, finished)
    training_sets, test_sets = zip(*compress(splits, complete), strict=True)
    return Fields(
        names=names,
        means=column_means(scores[complete]),
        scores=scores,
        n=int(complete.sum()),
        n_dropped=int((ended & ~complete).sum()),
        n_train=float(np.mean([*map(len, training_sets)])),
        n_test=float(np.mean([*map(len, test_sets)])),
        predictions=first_predictions(outcomes, jobs, n),
        status="ok" if finished else "interrupted",
        _splits=splits,
    )


def splits_by_scheme(
    problem: Problem, scheme: Scheme, stratified: bool, entropy: int
) -> list[Split]:
    """Return the training and test cases of each round of a scheme, or raise if it does not fit."""
    test_sets: list[Indexes] = []
    for repeat in range(scheme.n_repeats):
        seed = np.random.SeedSequence((entropy, SEED_OF_SPLITS, repeat)).generate_state(1)
        try:
            test_sets += draw_test_cases(
                problem.targets,
                problem.groups,
                stratified=stratified,
                n_folds=scheme.n_folds,
                seed=int(seed[0]),
            )
        except ValueError as error:
            refuse_scheme(scheme, error)
    cases = np.arange(problem.targets.size)
    return [(np.delete(cases, tested), tested) for tested in test_sets]


def splits_and_design(
    cv: Any, problem: Problem, scheme: Scheme, stratified: bool, entropy: int
) -> tuple[list[Split], str]:
    """Return the splits by the splitter `cv`, or by the scheme if it is None, and their design."""
    if cv is None:
        return splits_by_scheme(problem, scheme, stratified, entropy), scheme.name
    X, y, groups = problem.X, problem.targets, problem.groups
    splits = make_splits(cv, X, y, groups, classifier=stratified)
    return splits, plan_of_cv(cv, X, y, groups, splits=splits).design


def experiment_jobs(
    estimators: Mapping[str, Any],
    scorers: Mapping[str, Any],
    n: int,
    splits: Sequence[Split],
    entropy: int,
) -> list[Job]:
    """Return a job for each model and round; predictions are kept in a case's first test round."""
    jobs: list[Job] = []
    tested_before = np.zeros(n, dtype=bool)
    for number, (trained, tested) in enumerate(splits):
        to_predict = np.flatnonzero(~tested_before[tested])
        tested_before[tested] = True
        jobs += [
            Job(
                number,
                name,
                model,
                scorers[name],
                trained,
                tested,
                to_predict,
                (entropy, SEED_OF_MODELS, number),
            )
            for name, model in estimators.items()
        ]
    return jobs


def score_table(
    outcomes: Sequence[JobOutcome], names: tuple[str, ...], n_rounds: int
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the scores (J, k), NaN where missing, and which rounds (J,) all models completed."""
    scores = np.full((n_rounds, len(names)), np.nan)
    ended = np.zeros(n_rounds, dtype=np.int64)
    for outcome in outcomes:
        scores[outcome.round, names.index(outcome.name)] = outcome.score
        ended[outcome.round] += 1
    return scores, ended == len(names)


def check_complete_rounds(
    complete: NDArray[np.bool_], ended: NDArray[np.bool_], finished: bool
) -> None:
    """Warn of dropped rounds; raise unless two rounds are complete.

    If the run was interrupted (not `finished`), the interrupt itself is raised again. `ended` says
    which rounds all models completed, `complete` which of these have no NaN.
    """
    n = int(complete.sum())
    dropped = int((ended & ~complete).sum())
    if n < 2 and not finished:
        raise KeyboardInterrupt
    if n < 2:
        raise EstimatorError(
            f"only {n} of {len(complete)} rounds have scores of all models that are not NaN: a "
            "comparison needs two.",
            parameter="cv",
            value=n,
        )
    if dropped:
        warn(
            f"{dropped} of {int(ended.sum())} rounds dropped: a model's score is NaN.",
            DroppedCasesWarning,
        )


def first_predictions(
    outcomes: Sequence[JobOutcome], jobs: Sequence[Job], n: int
) -> dict[str, NDArray[Any]]:
    """Return each model's predictions for n cases, from the first round that tested each case."""
    cases_of_round = {job.round: job.test[job.asked] for job in jobs}
    predicted: dict[str, list[JobOutcome]] = {job.name: [] for job in jobs}
    for outcome in sorted(outcomes, key=lambda outcome: outcome.round):
        if outcome.predicted is not None:
            predicted[outcome.name].append(outcome)
    return {
        name: joined_predictions([(cases_of_round[o.round], o.predicted) for o in rounds], n)
        for name, rounds in predicted.items()
        if rounds
    }


def joined_predictions(rounds: Sequence[tuple[Indexes, Any]], n: int) -> NDArray[Any]:
    """Return the predictions of n cases from (cases, values) by round; NaN or None if missing."""
    cases, values = (np.concatenate(arrays) for arrays in zip(*rounds, strict=True))
    if cases.size == n:
        predictions = np.empty_like(values)
    elif values.dtype.kind == "f":
        predictions = np.full(n, np.nan, values.dtype)
    else:
        predictions = np.full(n, None, object)
    predictions[cases] = values
    return predictions


@dataclass(frozen=True, eq=False, kw_only=True)
class EstimatorComparisonResult(FoldComparisonResult):
    """Result of `compare_estimators`; `scores` has one row per round and one column per model."""

    scheme: str
    n_cases: int
    predictions: Mapping[str, NDArray[Any]]
    seed: int
    _splits: list[Split]
    title: ClassVar[str] = "Estimators compared by their scores on the same splits"

    def splits(self) -> list[tuple[Indexes, Indexes]]:
        """Return the splits of all rounds, including those not run.

        Returns
        -------
        list of (ndarray, ndarray)
            The indices of the training and test cases, in the form that scikit-learn accepts as
            ``cv``.
        """
        return [(trained.copy(), tested.copy()) for trained, tested in self._splits]


@documented
def compare_estimators(
    estimators: Mapping[str, Any],
    X: Any,
    y: ArrayLike,
    *,
    scheme: str = "10x10cv",
    cv: Any = None,
    scoring: Scoring = None,
    groups: ArrayLike | None = None,
    alternative: Direction = "two-sided",
    correction: PairCorrection = "auto",
    rng: RandomState = None,
    n_jobs: int = 1,
    progress: Progress = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> EstimatorComparisonResult:
    """Fit scikit-learn estimators on the same splits of one data set and compare their scores.

    The question is which training procedure gives better models from data like these. All models
    use the same shuffled splits, stratified if a model is a classifier and `y` contains classes.
    Only clones are fitted.

    Parameters
    ----------
    estimators : mapping from str to estimator
        At least two estimators, by name; pipelines and searches are allowed.
    X : array-like, data frame or sparse matrix with n rows
        The features, passed to the estimators unchanged.
    y : array-like of shape (n,)
        The classes or the values to predict.
    scheme : {'10x10cv', '5x2cv', 'kfold', 'resampled'}, default='10x10cv'
        How the data are split: '10x10cv' 10 times into 10 folds (other numbers are allowed, such as
        '5x4cv'), '5x2cv' 5 times into halves, 'kfold' once into 10 folds, 'resampled' 100 times at
        random into 90% training and 10% test cases.
    cv : int, splitter or iterable of splits, optional
        Splits to use instead of `scheme`, as in scikit-learn.
    scoring : str or callable, optional
        The name of a scikit-learn scorer, such as 'roc_auc', or a function of (fitted model, X, y)
        that returns a score (higher is better). By default each model's own ``score``, as in
        scikit-learn: accuracy for classifiers, R² for regressors.
    groups : array-like of shape (n,), optional
        Cases of one group (a patient, for example) are never in both the training and the test set
        of a round.
    correction : str, default='auto'
        Adjustment for multiple comparisons, for more than two models, as in
        `ttest_corrected_pairwise_test`.
    rng : int or numpy.random.Generator, optional
        Seed of the splits, and of every ``random_state`` of a model or its components that is None.
    n_jobs : int, default=1
        Number of processes for fitting, by joblib; -1 uses all cores. Results are bit-identical for
        any number.
    progress : bool or callable, optional
        True shows a progress bar with the model and the round in a terminal or notebook; a callable
        receives the number of finished fits and the total.
    nan_policy : {'raise', 'omit'}, default='raise'
        How to handle scores that are NaN: raise an error at once, or drop the round for all models.
    on_undefined : {'warn', 'raise', 'ignore'}, default='warn'
        What to do if a part of a test is undefined for these scores.

    Returns
    -------
    EstimatorComparisonResult
        With ``names``, ``scores`` (J, k), ``means`` (k,), ``n`` (complete rounds), ``n_dropped``,
        ``n_train`` and ``n_test`` (means of the rounds), ``tests`` (results by the names of their
        functions; report the first), ``reason`` (why these tests), ``predictions`` (by model: for
        every case, from the first round that tested it; for cross-validation from the first
        repeat), ``seed``, ``status``, ``splits()``, ``summary()`` and ``to_dict()``.

    Raises
    ------
    EstimatorError
        If a model cannot be fitted or scored, or a score is NaN. The message names the model and
        the round; the model's own error is the cause.
    FastCompareError
        As ValueError or TypeError, for inputs that cannot mean anything.

    Warns
    -----
    UndefinedResultWarning
        If the run is interrupted (Ctrl-C): the rounds completed by all models are compared if there
        are at least two, ``status`` is 'interrupted', and missing scores and predictions are NaN or
        None.
    DroppedCasesWarning
        If ``nan_policy='omit'`` drops rounds.

    See Also
    --------
    ttest_corrected, ftest_5x2cv, rm_anova_test : The tests, for existing scores.
    from_cv_results : The candidates of a search.

    Notes
    -----
    Two models in 5x2cv are compared by `ftest_5x2cv` (and additionally `ttest_5x2cv`), two in any
    other scheme by `ttest_corrected`, and more than two by `rm_anova_test` and
    `ttest_corrected_pairwise_test`, with the same correction for overlapping training sets.

    A specified ``random_state`` is used in every round. Those that are None get seeds that depend
    on `rng` and the round, the same for all models. A model that uses NumPy's global random state
    is not reproducible. BLAS and OpenMP use one thread in every fit, because sums depend on the
    number of threads. ``predictions`` come from a different fitted model in each fold: they are
    suitable for tables of errors, but measures that rank cases, such as the AUC, are biased if
    pooled over folds.

    References
    ----------
    .. [1] T. G. Dietterich (1998), doi:10.1162/089976698300017197.
    .. [2] C. Nadeau, Y. Bengio (2003), doi:10.1023/A:1024068626366.
    .. [3] R. R. Bouckaert, E. Frank (2004), doi:10.1007/978-3-540-24775-3_3.

    Examples
    --------
    >>> import fastcompare as fc
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    >>> result = fc.compare_estimators(models, *load_iris(return_X_y=True), scheme="5x2cv", rng=0)
    >>> result.scores.shape, list(result.tests)
    ((10, 2), ['ftest_5x2cv', 'ttest_5x2cv'])
    """
    check_undefined(on_undefined)
    named = as_estimators(estimators)
    plan = as_scheme(scheme)
    choices = ClaimOptions(alternative, correction, on_undefined).check(len(named))
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    workers = as_workers(n_jobs, None, progress)
    entropy = as_entropy(rng)
    problem = as_problem(X, y, groups)
    require_sklearn()

    stratified = should_stratify(named, problem.targets)
    splits, design = splits_and_design(cv, problem, plan, stratified, entropy)
    fields = run_experiment(named, problem, splits, scoring, nan_policy, entropy, workers)
    warn_status(fields["status"], "warn", f" ({fields['n']} of {len(splits)})")
    scores = fields["scores"]
    sizes = Sizes(fields["n_train"], fields["n_test"])
    complete = scores[~np.isnan(scores).any(axis=1)]
    columns = dict(zip(named, complete.T, strict=True))
    metric = metric_name(scoring, named)
    tests, reason = choose_tests(columns, sizes, choices, scheme=design, metric=metric)

    return EstimatorComparisonResult(
        **fields,
        scoring=scoring_name(scoring),
        tests=all_with_dropped(tests, fields["n_dropped"]),
        reason=reason,
        scheme=design,
        n_cases=problem.targets.size,
        seed=entropy,
    )


def scoring_name(scoring: Scoring) -> str:
    """Return the name of a scorer, 'score' for None."""
    if scoring is None or isinstance(scoring, str):
        return scoring or "score"
    return getattr(scoring, "__name__", None) or repr(scoring)


WIDEST = 40  # characters of a parameter's value in a name
SELECTED = (
    " The best {k} of {total} candidates were selected by these same scores, which favours the "
    "first: its lead is overestimated and its p-value too small."
)


@dataclass(frozen=True)
class SelectedWinner:
    """Scores (J, k) of all complete candidates in the same rounds, the best first, with sizes."""

    rounds: NDArray[np.float64]
    sizes: Sizes

    def fields(self) -> Fields:
        """Return the fields of a result about the best candidate."""
        return Fields(winner_estimate=self.infer(0.95).estimate, _winner=self)

    def infer(self, level: float) -> Winner:
        """Return the best candidate's mean score and its interval, which allow for its selection.

        The covariance of means is corrected for overlapping training sets by the factor of Nadeau
        and Bengio (2003); NaN below two rounds.
        """
        n = len(self.rounds)
        means = column_means(self.rounds)
        if n < 2:
            return Winner(math.nan, math.nan, math.nan)
        factor = 1.0 / n + self.sizes.n_test / self.sizes.n_train
        with np.errstate(over="ignore", invalid="ignore"):
            covariance = factor * np.atleast_2d(np.cov(self.rounds, rowvar=False))
        errors = np.sqrt(np.diag(covariance))

        def ends(tail: float) -> Ends:
            return limits_in_range(means, errors, student_quantile(tail, n - 1.0), None)

        return infer_winner(means, covariance, ends, level, "two-sided")


def select_winner(
    scores: NDArray[np.float64], chosen: Sequence[int], sizes: Sizes
) -> SelectedWinner:
    """Return the scores of all candidates that are complete in the rounds of `chosen`, in order.

    The best candidate comes first; rounds with a missing score of a chosen candidate are dropped.
    """
    rounds = scores[~np.isnan(scores[:, chosen]).any(axis=1)]
    complete = np.flatnonzero(~np.isnan(rounds).any(axis=0))
    order = best_candidates(rounds[:, complete])
    return SelectedWinner(rounds[:, complete[order]], sizes)


@dataclass(frozen=True, eq=False, kw_only=True)
class SearchComparisonResult(FoldComparisonResult):
    """Result of `from_cv_results`; `scores` has a row per split, a column per candidate."""

    candidates: tuple[int, ...]
    params: tuple[Mapping[str, Any], ...]
    winner_estimate: float
    _winner: SelectedWinner = field(repr=False)
    title: ClassVar[str] = "Candidates of a search compared by their scores on the same splits"

    def winner_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the confidence interval of the best candidate's mean, allowing for its selection.

        The variance of the mean is corrected for overlapping training sets (Nadeau and Bengio
        2003); NaN below two rounds.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, of ``names[0]``; ``winner_estimate`` is within it.
        """
        limits = self._winner.infer(check_level(confidence_level))
        return ConfidenceInterval(limits.low, limits.high)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python values, parameters as text."""
        params = [{key: short_value(value) for key, value in p.items()} for p in self.params]
        return {
            **super().to_dict(),
            "params": params,
            "winner_interval": list(self.winner_interval()),
        }

    def _summary(self) -> str:
        """Return the sentences of the tests, and the best mean corrected for its selection."""
        low, high = self.winner_interval(self._level)
        if not low < high:
            return super()._summary()
        return (
            f"{super()._summary()} Allowing for its selection from {len(self._winner.rounds.T)} "
            f"candidates by these scores, the {self._quantity} of {self.names[0]} is "
            f"{self.winner_estimate:.4f} ({interval_title('two-sided', self._level)} "
            f"{stated_ends((low, high))})."
        )


def from_cv_results(
    cv_results: Any,
    *,
    n_train: float | None = None,
    n_test: float | None = None,
    cv: object = None,
    top: int | None = 5,
    scoring: str | None = None,
    alternative: Direction = "two-sided",
    correction: PairCorrection = "auto",
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> SearchComparisonResult:
    """Compare the best candidates of a scikit-learn search by their scores on the same splits.

    Parameters
    ----------
    cv_results : fitted search or mapping
        A fitted GridSearchCV or RandomizedSearchCV, or its ``cv_results_``.
    n_train, n_test : float, optional
        Number of training and test cases per split, or their means. A fitted search determines them
        by its ``cv``; ``cv_results_`` alone does not.
    cv : int or splitter, optional
        Instead of both: the ``cv`` of the search.
    top : int or None, default=5
        Number of candidates to compare, those with the highest mean scores; None means all.
    scoring : str, optional
        The metric, if the search has several; by default the one used to refit.
    alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
        As in `ttest_corrected_pairwise_test`; candidates are ordered from the best to the worst.
    correction : str, default='auto'
        Adjustment for multiple comparisons, as in `ttest_corrected_pairwise_test`.
    nan_policy : {'raise', 'omit'}, default='raise'
        How to handle splits in which a score of a compared candidate is missing.
    on_undefined : {'warn', 'raise', 'ignore'}, default='warn'
        What to do if a part of a test is undefined for these scores.

    Returns
    -------
    SearchComparisonResult
        With ``names`` (the parameters that vary), ``candidates`` (their indices in `cv_results`),
        ``params``, ``scores`` (J, k), ``means`` (k,), ``n``, ``n_dropped``, ``tests`` (results by
        the names of their functions; report the first), ``reason``, ``winner_estimate`` (the mean
        of the best candidate, corrected for its selection from all),
        ``winner_interval(confidence_level)``, ``summary()`` and ``to_dict()``.

    See Also
    --------
    compare_estimators : Fits the models, too.
    ttest_corrected : The test of two.

    Notes
    -----
    Each pair is tested as in `ttest_corrected`.

    The same scores select the best candidates and compare them, so the winner's lead is biased
    upwards, increasingly with the number of candidates, and no adjustment for multiple comparisons
    removes this selection bias. A large p-value justifies choosing the simpler candidate; compare
    the winner with other models on new data or by nested cross-validation. ``winner_interval``
    allows for the selection, as that of `leaderboard` does: it is of the score that the best
    candidate has on average, trained on as many cases.

    References
    ----------
    .. [1] C. Nadeau, Y. Bengio (2003), doi:10.1023/A:1024068626366.
    .. [2] G. C. Cawley, N. L. C. Talbot (2010), https://www.jmlr.org/papers/v11/cawley10a.html.

    Examples
    --------
    >>> import fastcompare as fc
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5, 50]}, cv=5)
    >>> fc.from_cv_results(search.fit(*load_iris(return_X_y=True))).names
    ('n_neighbors=5', 'n_neighbors=1', 'n_neighbors=50')
    """
    choices = ClaimOptions(alternative, correction, on_undefined).check()
    search, most = as_search(cv_results, scoring), check_top(top)
    if is_search(cv_results) and n_train is n_test is cv is None:
        cv = cv_of_search(cv_results)
    sizes = as_sizes(n_train, n_test, cv)
    warn_of_swapped(sizes.n_train, sizes.n_test)
    chosen = best_candidates(search.scores)[:most]
    names = candidate_names(search.params, chosen)
    named = dict(zip(names, search.scores[:, chosen].T, strict=True))
    table = as_model_table(named, rows="splits", nan_policy=nan_policy, name="cv_results")

    columns = dict(zip(table.names, table.values.T, strict=True))
    tests, reason = choose_tests(columns, sizes, choices, scheme="", metric=search.metric)
    if len(chosen) < len(search.params):
        reason += SELECTED.format(k=len(chosen), total=len(search.params))

    return SearchComparisonResult(
        **select_winner(search.scores, chosen, sizes).fields(),
        names=table.names,
        means=column_means(table.values),
        scores=search.scores[:, chosen],
        scoring=search.scoring,
        n=len(table.values),
        n_dropped=table.n_dropped,
        n_train=sizes.n_train,
        n_test=sizes.n_test,
        tests=all_with_dropped(tests, table.n_dropped),
        reason=reason,
        status="ok",
        candidates=tuple(chosen),
        params=tuple(dict(search.params[i]) for i in chosen),
    )


def best_candidates(scores: NDArray[np.float64]) -> list[int]:
    """Return the candidates' numbers by mean score, the best first, failed ones (NaN) last."""
    by_mean = np.argsort(-column_means(scores), kind="stable")  # puts NaN at the end
    order: list[int] = by_mean.tolist()
    return order


def candidate_names(params: Sequence[Mapping[str, Any]], chosen: Sequence[int]) -> list[str]:
    """Return names of the chosen candidates: their values of the parameters that vary among all.

    Names that are empty or not unique are followed by the candidate's number.
    """
    texts = [
        {key: short_value(float(f"{v:.6g}") if isinstance(v, float) else v) for key, v in p.items()}
        for p in params
    ]
    keys = dict.fromkeys(key for text in texts for key in text)
    varying = [key for key in keys if len({text.get(key) for text in texts}) > 1]
    names = [
        ", ".join(f"{key}={texts[i][key]}" for key in varying if key in texts[i]) for i in chosen
    ]
    uses = Counter(names)
    numbered = [f"{name} (candidate {i})".strip() for i, name in zip(chosen, names, strict=True)]
    unique_names = [
        name if name and uses[name] == 1 else with_number
        for name, with_number in zip(names, numbered, strict=True)
    ]
    return unique_names if len(set(unique_names)) == len(unique_names) else numbered


def short_value(value: Any) -> str:
    """Return a parameter's value as one short line: at most 40 characters."""
    show = str if isinstance(value, str | np.generic) else repr
    text = " ".join(show(value).split())
    return text if len(text) <= WIDEST else text[: WIDEST - 1] + "…"
