"""The tests of each kind of data by name, among which ``compare(test=...)`` chooses.

Tests are imported when they are run, so that the command line loads those of one kind alone.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial, wraps
from typing import Any

from .._base.lazy import LazyFunction, public_function
from .._base.neighbours import letters_and_digits
from .._inputs.plans.questions import check_test
from ..ranks._posthoc import AGAINST_CONTROL, POSTHOC
from .data import Tests, with_names

Test = Callable[..., Any]
Table = Mapping[str, Tests]


def from_two_columns(test: Test) -> Test:
    """Return a test of two columns of labels that is called with true labels and a table."""

    @wraps(test)
    def run(y_true: Any, predictions: Mapping[str, Any], **options: Any) -> Any:
        return with_names(test(*predictions.values(), **options), predictions)

    return run


def agreement_with_truth(test: Test) -> Test:
    """Return a measure of agreement that is called with true labels and one model's labels."""

    @wraps(test)
    def run(y_true: Any, y_pred: Any, **options: Any) -> Any:
        return test(y_true, y_true, y_pred, on="labels", **options)

    return run


def with_groups_argument(test: Test) -> Test:
    """Return a test within groups that takes `groups` as an option, as other tests do."""

    @wraps(test)
    def run(y_true: Any, scores: Any, groups: Any = None, **options: Any) -> Any:
        return test(y_true, scores, groups, **options)

    return run


def pair_with_groups_argument(test: Test) -> Test:
    """Return a test of two models within groups that takes a table, and `groups` as an option."""

    @wraps(test)
    def run(y_true: Any, scores: Any, groups: Any = None, **options: Any) -> Any:
        return test(y_true, scores, None, groups, **options)

    return run


def in_five_by_two_rounds(test: Test) -> Test:
    """Return a test of 5x2 cross-validation that takes ten rounds in their order."""

    @wraps(test)
    def run(scores: Mapping[str, Any], **options: Any) -> Any:
        columns = (x.reshape(-1, 2) if x.size % 2 == 0 else x for x in scores.values())
        return with_names(test(*columns, **options), scores)

    return run


PACKAGE = __name__.rpartition(".")[0]
LOSSES = LazyFunction(f"{PACKAGE}.analyses.losses", "losses_omnibus")
ON_RANKS = LazyFunction("fastcompare.ranks._sequence", "omnibus_of_datasets", "compare_datasets")
SCORES: Table = {
    "delong": Tests(
        two=public_function("delong_test"),
        omnibus=public_function("delong_omnibus_test"),
        pairs=public_function("delong_pairwise_test"),
        control=public_function("delong_control_test"),
        one=public_function("roc_auc_interval"),
        field="auc",
        quantity="AUC",
        named=("DeLong's test of their AUCs", "DeLong's tests of their AUCs"),
    ),
    "within-auc": Tests(
        two=pair_with_groups_argument(public_function("within_auc_test")),
        omnibus=with_groups_argument(public_function("within_auc_omnibus_test")),
        pairs=with_groups_argument(public_function("within_auc_pairwise_test")),
        one=with_groups_argument(public_function("within_auc_interval")),
        field="auc",
        quantity="AUC within groups",
    ),
    "bootstrap": Tests(
        two=public_function("bootstrap_auc_test"),
        pairs=public_function("bootstrap_auc"),
        field="auc",
        quantity="AUC",
    ),
    "permutation": Tests(two=public_function("permutation_auc_test"), field="auc", quantity="AUC"),
    "average-precision": Tests(
        two=public_function("average_precision_test"), field="values", quantity="average precision"
    ),
    "partial-auc": Tests(
        two=public_function("partial_auc_test"), field="values", quantity="partial AUC"
    ),
}
ACCURACY: Any = {"field": "accuracy", "quantity": "accuracy"}
LABELS: Table = {
    "mcnemar": Tests(
        two=public_function("mcnemar_test"),
        omnibus=public_function("cochran_q_test"),
        pairs=public_function("mcnemar_pairwise_test"),
        one=public_function("accuracy_interval"),
        named=("McNemar's test", "Cochran's Q and McNemar's tests"),
        **ACCURACY,
    ),
    "cochran": Tests(omnibus=public_function("cochran_q_test"), **ACCURACY),
    "two-proportions": Tests(two=public_function("two_proportions_test"), **ACCURACY),
    "bootstrap": Tests(
        two=public_function("bootstrap_metric_test"), field="values", quantity="accuracy"
    ),
    "permutation": Tests(
        two=public_function("permutation_metric_test"), field="values", quantity="accuracy"
    ),
    "kappa": Tests(
        two=public_function("cohen_kappa_test"),
        one=agreement_with_truth(public_function("cohen_kappa")),
        field="kappa",
        quantity="Cohen's kappa",
    ),
    "bowker": Tests(two=from_two_columns(public_function("bowker_test")), **ACCURACY),
    "stuart-maxwell": Tests(
        two=from_two_columns(public_function("stuart_maxwell_test")), **ACCURACY
    ),
}
PROBABILITIES: Table = {
    "scoring": Tests(
        two=public_function("scoring_test"),
        omnibus=LOSSES,
        pairs=public_function("scoring_pairwise_test"),
        one=public_function("scoring_interval"),
        field="losses",
        named=("a paired t-test of the {}", "paired t-tests of the {}"),
        higher_is_better=False,
    )
}
MEAN_SCORES: Any = {"field": "means", "quantity": "mean score", "higher_is_better": None}
WILCOXON: Any = {
    "two": public_function("wilcoxon_test"),
    "pairs": public_function("wilcoxon_pairwise_test"),
}
SIGN: Any = {"two": public_function("sign_test"), "pairs": public_function("sign_pairwise_test")}
CONTROL_TESTS: dict[str, Any] = {  # without the sentences on why they are run
    name: test for name, (test, _) in AGAINST_CONTROL.items()
}
ITEMS: Table = {
    "mean": Tests(
        two=public_function("paired_mean_test"),
        omnibus=public_function("mean_omnibus_test"),
        pairs=public_function("mean_pairwise_test"),
        one=public_function("mean_interval"),
        named=("a paired test of their {1}", "paired tests of their {1}"),
        units="items",
        **MEAN_SCORES,
    ),
    "wilcoxon": Tests(**WILCOXON, control=CONTROL_TESTS["wilcoxon"], units="items", **MEAN_SCORES),
    "sign": Tests(**SIGN, control=CONTROL_TESTS["sign"], units="items", **MEAN_SCORES),
    "bayes-signed-rank": Tests(
        two=public_function("bayes_signed_rank"), units="items", **MEAN_SCORES
    ),
    "bayes-sign": Tests(two=public_function("bayes_sign"), units="items", **MEAN_SCORES),
}
ROUNDS: Any = {"units": "rounds", **MEAN_SCORES}
FOLDS: Table = {
    "ttest-corrected": Tests(
        two=public_function("ttest_corrected"),
        omnibus=public_function("rm_anova_test"),
        pairs=public_function("ttest_corrected_pairwise_test"),
        **ROUNDS,
    ),
    "ttest-5x2cv": Tests(two=in_five_by_two_rounds(public_function("ttest_5x2cv")), **ROUNDS),
    "ftest-5x2cv": Tests(two=in_five_by_two_rounds(public_function("ftest_5x2cv")), **ROUNDS),
    "ttest-kfold": Tests(two=public_function("ttest_kfold"), **ROUNDS),
    "ttest-resampled": Tests(two=public_function("ttest_resampled"), **ROUNDS),
    "bayes-correlated-ttest": Tests(two=public_function("bayes_correlated_ttest"), **ROUNDS),
    "rm-anova": Tests(omnibus=public_function("rm_anova_test"), **ROUNDS),
}
OF_DATASETS: Any = {"units": "data sets", **MEAN_SCORES}
OMNIBUS_TESTS: dict[str, Test] = {
    "friedman": public_function("friedman_test"),
    "friedman-aligned-ranks": public_function("friedman_aligned_ranks_test"),
    "quade": public_function("quade_test"),
    "skillings-mack": public_function("skillings_mack_test"),
    "durbin": public_function("durbin_test"),
}
PAIRED_TESTS: dict[str, Test] = {
    "wilcoxon": public_function("wilcoxon_test"),
    "sign": public_function("sign_test"),
}
EXACT_PAIRS_WITH_HOLM = partial(public_function("friedman_exact_pairs_test"), correction="holm")
PAIRWISE_TESTS: dict[str, Any] = {
    **{name: test for name, (test, _) in POSTHOC.items()},
    "exact": EXACT_PAIRS_WITH_HOLM,
}
DATASETS: Table = {
    **{
        name: Tests(
            two=PAIRED_TESTS.get(name),
            omnibus=ON_RANKS,
            pairs=PAIRWISE_TESTS.get(name),
            control=CONTROL_TESTS.get(name),
            **OF_DATASETS,
        )
        for name in dict.fromkeys([*PAIRWISE_TESTS, *CONTROL_TESTS])
    },
    **{name: Tests(omnibus=test, **OF_DATASETS) for name, test in OMNIBUS_TESTS.items()},
    "bayes-signed-rank": Tests(two=public_function("bayes_signed_rank"), **OF_DATASETS),
    "bayes-sign": Tests(two=public_function("bayes_sign"), **OF_DATASETS),
}
OF_TIMES: Any = {"field": "concordance", "quantity": "concordance"}
TIMES: Table = {
    "concordance": Tests(
        two=public_function("concordance_test"),
        omnibus=public_function("concordance_omnibus_test"),
        pairs=public_function("concordance_pairwise_test"),
        one=public_function("concordance_interval"),
        **OF_TIMES,
    ),
    "permutation": Tests(two=public_function("permutation_survival_test"), **OF_TIMES),
}
TESTS_BY_KIND: Mapping[str, Table] = {
    "scores": SCORES,
    "labels": LABELS,
    "probabilities": PROBABILITIES,
    "folds": FOLDS,
    "datasets": DATASETS,
    "items": ITEMS,
    "times": TIMES,
}
SUFFIXES = ("_pairwise_test", "_omnibus_test", "_control_test", "_test")


def spellings_of_test(name: str, tests: Tests) -> Iterator[str]:
    """Yield the names by which users may call a test, without hyphens and the like.

    They are its name in the table, and those of its functions with and without their suffix.
    """
    yield letters_and_digits(name)
    for test in (tests.two, tests.pairs, tests.omnibus, tests.control):
        function_name = getattr(getattr(test, "func", test), "__name__", "")
        if function_name and test is not ON_RANKS:  # the omnibus test of every test of ranks
            yield letters_and_digits(function_name)
            suffixes = (suffix for suffix in SUFFIXES if function_name.endswith(suffix))
            yield letters_and_digits(function_name.removesuffix(next(suffixes, "")))


def name_of_test(table: Table, test: str) -> str | None:
    """Return the key of a test in a table, by any of its spellings; None if it is not there."""
    if test in table:
        return test
    spelling = letters_and_digits(test)
    matches = (name for name, tests in table.items() if spelling in spellings_of_test(name, tests))
    return next(matches, None)


def kind_of_test(test: str | None) -> str | None:
    """Return the kind of data of a test, None if the test fits several kinds or is unknown."""
    if not isinstance(test, str):  # what is neither a name nor None is refused later
        return None
    kinds = [kind for kind, table in TESTS_BY_KIND.items() if name_of_test(table, test)]
    return kinds[0] if len(kinds) == 1 else None


def tests_named(kind: str, test: str | None) -> Tests | None:
    """Return the tests of this name for a kind of data; None without a name; raise if unknown."""
    if test is None:
        return None
    table = TESTS_BY_KIND.get(kind, {})
    name = name_of_test(table, test) if isinstance(test, str) else None
    if name is None:
        names_by_kind = {other: tuple(tests) for other, tests in TESTS_BY_KIND.items()}
        check_test(test, kind, tuple(table), names_by_kind)  # raises
    return table[str(name)]
