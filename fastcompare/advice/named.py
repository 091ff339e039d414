"""The tests of each kind of data by name, which `compare(test=...)` chooses among.

Tests are imported when they are run, so that the command line loads those of one kind alone.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial, wraps
from typing import Any

from .._base.lazy import LazyFunction, public
from .._base.neighbours import bare
from .._inputs.plans.questions import check_test
from ..ranks._posthoc import AGAINST_CONTROL, POSTHOC
from .data import Tests, with_names

Test = Callable[..., Any]
Table = Mapping[str, Tests]


def without_truth(test: Test) -> Test:
    """Return a test of two columns of labels as one of labels beside the truth."""

    @wraps(test)
    def run(y_true: Any, predictions: Mapping[str, Any], **options: Any) -> Any:
        return with_names(test(*predictions.values(), **options), predictions)

    return run


def with_truth(test: Test) -> Test:
    """Return a measure of the agreement of two columns as one of a model with the truth."""

    @wraps(test)
    def run(y_true: Any, y_pred: Any, **options: Any) -> Any:
        return test(y_true, y_true, y_pred, on="labels", **options)

    return run


def within(test: Test) -> Test:
    """Return a test within groups as one of a table of scores, or of one model's."""

    @wraps(test)
    def run(y_true: Any, scores: Any, groups: Any = None, **options: Any) -> Any:
        return test(y_true, scores, groups, **options)

    return run


def of_pair_within(test: Test) -> Test:
    """Return a test of two models within groups as one of a table of scores."""

    @wraps(test)
    def run(y_true: Any, scores: Any, groups: Any = None, **options: Any) -> Any:
        return test(y_true, scores, None, groups, **options)

    return run


def of_halves(test: Test) -> Test:
    """Return a test of five two-fold cross-validations as one of ten rounds in order."""

    @wraps(test)
    def run(scores: Mapping[str, Any], **options: Any) -> Any:
        halves = (x.reshape(-1, 2) if x.size % 2 == 0 else x for x in scores.values())
        return with_names(test(*halves, **options), scores)

    return run


ROOM = __name__.rpartition(".")[0]
LOSSES = LazyFunction(f"{ROOM}.analyses.losses", "losses_omnibus")
ON_RANKS = LazyFunction("fastcompare.ranks._sequence", "omnibus_of_datasets", "compare_datasets")
SCORES: Table = {
    "delong": Tests(
        two=public("delong_test"),
        omnibus=public("delong_omnibus_test"),
        pairs=public("delong_pairwise_test"),
        control=public("delong_control_test"),
        one=public("roc_auc_interval"),
        field="auc",
        quantity="AUC",
        named=("DeLong's test of their AUCs", "DeLong's tests of their AUCs"),
    ),
    "within-auc": Tests(
        two=of_pair_within(public("within_auc_test")),
        omnibus=within(public("within_auc_omnibus_test")),
        pairs=within(public("within_auc_pairwise_test")),
        one=within(public("within_auc_interval")),
        field="auc",
        quantity="AUC within groups",
    ),
    "bootstrap": Tests(
        two=public("bootstrap_auc_test"), pairs=public("bootstrap_auc"), field="auc", quantity="AUC"
    ),
    "permutation": Tests(two=public("permutation_auc_test"), field="auc", quantity="AUC"),
    "average-precision": Tests(
        two=public("average_precision_test"), field="values", quantity="average precision"
    ),
    "partial-auc": Tests(two=public("partial_auc_test"), field="values", quantity="partial AUC"),
}
RIGHT: Any = {"field": "accuracy", "quantity": "accuracy"}
LABELS: Table = {
    "mcnemar": Tests(
        two=public("mcnemar_test"),
        omnibus=public("cochran_q_test"),
        pairs=public("mcnemar_pairwise_test"),
        one=public("accuracy_interval"),
        named=("McNemar's test", "Cochran's Q and McNemar's tests"),
        **RIGHT,
    ),
    "cochran": Tests(omnibus=public("cochran_q_test"), **RIGHT),
    "two-proportions": Tests(two=public("two_proportions_test"), **RIGHT),
    "bootstrap": Tests(two=public("bootstrap_metric_test"), field="values", quantity="accuracy"),
    "permutation": Tests(
        two=public("permutation_metric_test"), field="values", quantity="accuracy"
    ),
    "kappa": Tests(
        two=public("cohen_kappa_test"),
        one=with_truth(public("cohen_kappa")),
        field="kappa",
        quantity="Cohen's kappa",
    ),
    "bowker": Tests(two=without_truth(public("bowker_test")), **RIGHT),
    "stuart-maxwell": Tests(two=without_truth(public("stuart_maxwell_test")), **RIGHT),
}
PROBABILITIES: Table = {
    "scoring": Tests(
        two=public("scoring_test"),
        omnibus=LOSSES,
        pairs=public("scoring_pairwise_test"),
        one=public("scoring_interval"),
        field="losses",
        named=("a paired t-test of the {}", "paired t-tests of the {}"),
        higher_is_better=False,
    )
}
SCORED: Any = {"field": "means", "quantity": "mean score", "higher_is_better": None}
WILCOXON: Any = {"two": public("wilcoxon_test"), "pairs": public("wilcoxon_pairwise_test")}
SIGN: Any = {"two": public("sign_test"), "pairs": public("sign_pairwise_test")}
AGAINST: dict[str, Any] = {name: test for name, (test, _) in AGAINST_CONTROL.items()}
ITEMS: Table = {
    "mean": Tests(
        two=public("paired_mean_test"),
        omnibus=public("mean_omnibus_test"),
        pairs=public("mean_pairwise_test"),
        one=public("mean_interval"),
        named=("a paired test of their {1}", "paired tests of their {1}"),
        units="items",
        **SCORED,
    ),
    "wilcoxon": Tests(**WILCOXON, control=AGAINST["wilcoxon"], units="items", **SCORED),
    "sign": Tests(**SIGN, control=AGAINST["sign"], units="items", **SCORED),
    "bayes-signed-rank": Tests(two=public("bayes_signed_rank"), units="items", **SCORED),
    "bayes-sign": Tests(two=public("bayes_sign"), units="items", **SCORED),
}
ROUNDS: Any = {"units": "rounds", **SCORED}
FOLDS: Table = {
    "ttest-corrected": Tests(
        two=public("ttest_corrected"),
        omnibus=public("rm_anova_test"),
        pairs=public("ttest_corrected_pairwise_test"),
        **ROUNDS,
    ),
    "ttest-5x2cv": Tests(two=of_halves(public("ttest_5x2cv")), **ROUNDS),
    "ftest-5x2cv": Tests(two=of_halves(public("ftest_5x2cv")), **ROUNDS),
    "ttest-kfold": Tests(two=public("ttest_kfold"), **ROUNDS),
    "ttest-resampled": Tests(two=public("ttest_resampled"), **ROUNDS),
    "bayes-correlated-ttest": Tests(two=public("bayes_correlated_ttest"), **ROUNDS),
    "rm-anova": Tests(omnibus=public("rm_anova_test"), **ROUNDS),
}
ON_SETS: Any = {"units": "data sets", **SCORED}
OMNIBUS: dict[str, Test] = {
    "friedman": public("friedman_test"),
    "friedman-aligned-ranks": public("friedman_aligned_ranks_test"),
    "quade": public("quade_test"),
    "skillings-mack": public("skillings_mack_test"),
    "durbin": public("durbin_test"),
}
OF_TWO: dict[str, Test] = {
    "wilcoxon": public("wilcoxon_test"),
    "sign": public("sign_test"),
}
EXACT = partial(public("friedman_exact_pairs_test"), correction="holm")
EVERY_PAIR: dict[str, Any] = {**{x: test for x, (test, _) in POSTHOC.items()}, "exact": EXACT}
DATASETS: Table = {
    **{
        name: Tests(
            two=OF_TWO.get(name),
            omnibus=ON_RANKS,
            pairs=EVERY_PAIR.get(name),
            control=AGAINST.get(name),
            **ON_SETS,
        )
        for name in dict.fromkeys([*EVERY_PAIR, *AGAINST])
    },
    **{name: Tests(omnibus=test, **ON_SETS) for name, test in OMNIBUS.items()},
    "bayes-signed-rank": Tests(two=public("bayes_signed_rank"), **ON_SETS),
    "bayes-sign": Tests(two=public("bayes_sign"), **ON_SETS),
}
OF_TIMES: Any = {"field": "concordance", "quantity": "concordance"}
TIMES: Table = {
    "concordance": Tests(
        two=public("concordance_test"),
        omnibus=public("concordance_omnibus_test"),
        pairs=public("concordance_pairwise_test"),
        one=public("concordance_interval"),
        **OF_TIMES,
    ),
    "permutation": Tests(two=public("permutation_survival_test"), **OF_TIMES),
}
NAMED: Mapping[str, Table] = {
    "scores": SCORES,
    "labels": LABELS,
    "probabilities": PROBABILITIES,
    "folds": FOLDS,
    "datasets": DATASETS,
    "items": ITEMS,
    "times": TIMES,
}
FAMILIES = ("_pairwise_test", "_omnibus_test", "_control_test", "_test")


def spellings(name: str, tests: Tests) -> Iterator[str]:
    """Yield what a test may be called: its name, and those of its functions."""
    yield bare(name)
    for test in (tests.two, tests.pairs, tests.omnibus, tests.control):
        called = getattr(getattr(test, "func", test), "__name__", "")
        if called and test is not ON_RANKS:
            yield bare(called)
            yield next((bare(called[: -len(x)]) for x in FAMILIES if called.endswith(x)), "")


def name_in(table: Table, test: str) -> str | None:
    """Return the name that a table has for a test, None where it has not."""
    if test in table:
        return test
    matches = (name for name, tests in table.items() if bare(test) in spellings(name, tests))
    return next(matches, None)


def kind_of_test(test: str | None) -> str | None:
    """Return the kind of data of a test that is for one kind alone, None of others."""
    named = isinstance(test, str)  # what is none is refused later
    kinds = [kind for kind in NAMED if named and name_in(NAMED[kind], str(test))]
    return kinds[0] if len(kinds) == 1 else None


def tests_named(kind: str, test: str | None) -> Tests | None:
    """Return the tests of a kind that are called so, None where none are chosen, or raise."""
    if test is None:
        return None
    table = NAMED.get(kind, {})
    name = name_in(table, test) if isinstance(test, str) else None
    if name is None:
        homes = {other: tuple(tests) for other, tests in NAMED.items()}
        check_test(test, kind, tuple(table), homes)
    return table[str(name)]
