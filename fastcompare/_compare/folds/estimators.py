"""Fit scikit-learn's estimators in the rounds of one scheme, and compare their scores.

Use it with estimators and data at hand: all models meet the same splits, every score is kept, and
the test that is right for the scheme comes with its reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypedDict

from numpy.typing import ArrayLike, NDArray

from ..._adapters.sklearn import Indexes, require_sklearn
from ..._base.documented import documented
from ..._base.types import (
    Direction,
    Matrix,
    NanPolicy,
    PairCorrection,
    Progress,
    RandomState,
    Undefined,
    Vector,
)
from ..._inference.status import announce
from ..._inputs.estimators import as_estimators, as_problem, as_scheme
from ..._inputs.options import check_choice, check_undefined
from ..._inputs.randomness import as_entropy
from ..._inputs.workers import as_workers
from .comparison import Choices, FoldComparisonResult, right_tests
from .experiment import Experiment, Scoring, beside, run_experiment
from .magnitudes import means_of


@dataclass(frozen=True, eq=False, kw_only=True)
class EstimatorComparisonResult(FoldComparisonResult):
    """Result of `compare_estimators`; a row of `scores` a round, a column a model."""

    scheme: str
    n_cases: int
    predictions: Mapping[str, NDArray[Any]]
    seed: int
    _tested: tuple[Indexes, ...]
    title: ClassVar[str] = "Estimators compared by their scores on the same splits"

    def splits(self) -> list[tuple[Indexes, Indexes]]:
        """Return the cases of all rounds, whether they were reached or not.

        Returns
        -------
        list of (ndarray, ndarray)
            The indexes of the cases that train and of those that test, as scikit-learn takes them
            for ``cv``.
        """
        return [(beside(tested, self.n_cases), tested.copy()) for tested in self._tested]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python values."""
        predictions = {name: values.tolist() for name, values in self.predictions.items()}
        return {**super().to_dict(), "predictions": predictions}


@documented
def compare_estimators(
    estimators: Mapping[str, Any],
    X: Any,
    y: ArrayLike,
    *,
    scheme: str = "10x10cv",
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

    It asks which way of training gives better models from data like these. All models meet the
    same splits, shuffled; stratified where a model is a classifier and `y` holds classes. Only
    clones are fitted.

    Parameters
    ----------
    estimators : mapping from str to estimator
        At least two, pipelines and searches included; their names reach the result.
    X : array-like, data frame or sparse matrix with n rows
        The features, which are passed on as they are.
    y : array-like of shape (n,)
        The classes or the values to predict.
    scheme : {'10x10cv', '5x2cv', 'kfold', 'resampled'}, default='10x10cv'
        How often the cases are split: 10 times into 10 folds (any other numbers work alike, as
        '5x4cv'), 5 times into halves, once into 10 folds, or 100 times at random into nine tenths
        that train and a tenth that tests.
    scoring : str or callable, optional
        A name that scikit-learn knows, as 'roc_auc', or a function of (fitted model, X, y) whose
        higher values are better. By default each model's own ``score``, as in scikit-learn:
        accuracy for classifiers, R² for regressors.
    groups : array-like of shape (n,), optional
        Cases of one group, as a patient, never train and test in the same round.
    correction : str, default='auto'
        For the number of pairs of more than two models, as in `ttest_corrected_pairwise_test`.
    rng : int or numpy.random.Generator, optional
        The seed of the splits, and of every ``random_state`` of a model or its parts that is None.
    n_jobs : int, default=1
        Processes that fit, by joblib; -1 is all cores. The results are the same to the last bit.
    progress : bool or callable, optional
        True shows a bar with the model and the round if there is somebody to see it; a function is
        called with the numbers of fits done and in all.
    nan_policy : {'raise', 'omit'}, default='raise'
        What to do when a score is NaN: raise at once, or leave the round out for all models.
    on_undefined : {'warn', 'raise', 'ignore'}, default='warn'
        What to do when a part of a test is not defined for these scores.

    Returns
    -------
    EstimatorComparisonResult
        With ``names``, ``scores`` (J, k), ``means`` (k,), ``n`` (complete rounds), ``n_dropped``,
        ``n_train`` and ``n_test`` (means of the rounds), ``tests`` (results by the names of their
        functions, first the one to report), ``reason`` (why these), ``predictions`` (by model, for
        every case by the first round that tested it: of cross-validations the first repeat),
        ``seed``, ``status``, ``splits()``, ``summary()`` and ``to_dict()``.

    Raises
    ------
    EstimatorError
        If a model cannot be fitted or scored, or a score is NaN, with the model's name and the
        round; the error of the model is its cause.
    FastCompareError
        As ValueError or TypeError, for inputs that cannot mean anything.

    Warns
    -----
    UndefinedResultWarning
        If the run is interrupted (Ctrl-C): the rounds that all models have ended are compared,
        where there are two, ``status`` is 'interrupted', and scores and predictions that are not
        there are NaN or None.
    DroppedCasesWarning
        If ``nan_policy='omit'`` leaves rounds out.

    See Also
    --------
    ttest_corrected, ftest_5x2cv, rm_anova_test : The tests, for scores at hand.
    from_cv_results : The candidates of a search.

    Notes
    -----
    Two models in 5x2cv are compared by `ftest_5x2cv`, with `ttest_5x2cv` beside it; two in any
    other scheme by `ttest_corrected`; more than two by `rm_anova_test` and
    `ttest_corrected_pairwise_test`, corrected alike.

    A ``random_state`` that is given stays: every round then starts from it. Those that are None
    get numbers that depend on `rng` and the round, the same for all models. A model that draws from
    NumPy's global state cannot be repeated. BLAS and OpenMP take one thread in every fit, since
    sums depend on how many there are. Predictions of one case each, by different models, are for
    tables of errors; measures that rank cases, as the AUC, are biased if pooled over folds.

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
    named, plan = as_estimators(estimators), as_scheme(scheme)
    choices = Choices(alternative, correction, on_undefined).checked(len(named))
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    workers, entropy = as_workers(n_jobs, None, progress), as_entropy(rng)
    problem = as_problem(X, y, groups)
    require_sklearn()

    experiment = run_experiment(
        named,
        problem,
        plan,
        scoring=scoring,
        nan_policy=nan_policy,
        entropy=entropy,
        workers=workers,
    )
    status = "ok" if experiment.whole else "interrupted"
    announce(status, "warn", f" ({experiment.complete.sum()} of {experiment.complete.size})")
    columns = dict(zip(named, experiment.scores[experiment.complete].T, strict=True))
    tests, reason = right_tests(columns, experiment.sizes, choices, scheme=plan.name)

    return EstimatorComparisonResult(
        **experiment_fields(named, experiment),
        scoring=scoring_name(scoring),
        tests=tests,
        reason=reason,
        status=status,
        scheme=plan.name,
        n_cases=problem.targets.size,
        seed=entropy,
    )


class ExperimentFields(TypedDict):
    """Fields of the result that do not depend on the tests."""

    names: tuple[str, ...]
    means: Vector
    scores: Matrix
    n: int
    n_dropped: int
    n_train: float
    n_test: float
    predictions: Mapping[str, NDArray[Any]]
    _tested: tuple[Indexes, ...]


def experiment_fields(named: Mapping[str, Any], experiment: Experiment) -> ExperimentFields:
    """Return the fields of the result that do not depend on the tests."""
    return {
        "names": tuple(named),
        "means": means_of(experiment.scores[experiment.complete]),
        "scores": experiment.scores,
        "n": int(experiment.complete.sum()),
        "n_dropped": experiment.n_dropped,
        "n_train": experiment.sizes.n_train,
        "n_test": experiment.sizes.n_test,
        "predictions": experiment.predictions,
        "_tested": experiment.tested,
    }


def scoring_name(scoring: Scoring) -> str:
    """Return the name of the scores, for people."""
    if scoring is None or isinstance(scoring, str):
        return scoring or "score"
    return getattr(scoring, "__name__", None) or repr(scoring)
